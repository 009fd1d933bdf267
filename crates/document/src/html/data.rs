//! The data, to be downloaded as CSV, and what its columns mean.

use maud::{Markup, html};

use crate::csv::csv;
use crate::dataset::Dataset;
use crate::svg::number;

/// Where the files of a report are that are too large for its page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Files {
    /// In the directory of the page.
    Beside,
    /// Nowhere: the page was printed.
    Unwritten,
}

/// Every dataset as a file; its text is in the page, so that it can be read without a script.
pub(super) fn downloads(data: &[Dataset], files: Files) -> Markup {
    let texts: Vec<_> = data.iter().map(|dataset| (dataset, small(dataset))).collect();
    let are_all_in = texts.iter().all(|(_, text)| text.is_some());
    html! {
        @if !data.is_empty() {
            section.data {
                h2 { "The data" }
                p {
                    "Every number of this page, as CSV files for spreadsheets and programs. "
                    @if are_all_in { "They are inside this page." } @else { "They are inside this page but for those above 2 MB." }
                }
                @for (dataset, text) in &texts {
                    @match text {
                        Some(text) => div.file {
                            details {
                                summary { (dataset.file) span { (size(dataset, text.len())) } }
                                pre data-file=(dataset.file) { (maud::PreEscaped(escaped(text))) }
                            }
                            button.script type="button" { "Download" }
                        },
                        None => p.note { (dataset.file) ": " (rows(dataset)) ", too large for a page. " (elsewhere(files)) },
                    }
                }
            }
        }
    }
}

/// Files of more bytes are not in a page: a browser opens it at once, and a run that ends early writes it in time.
const LARGEST: usize = 2_000_000;

/// The text of a dataset's file, if it is not too large. One that must be is not even written: a cell takes a character and
/// a comma.
fn small(dataset: &Dataset) -> Option<String> {
    let least = 2 * dataset.rows.len() * dataset.columns.len();
    (least <= LARGEST).then(|| text(dataset)).filter(|text| text.len() <= LARGEST)
}

/// Where a file is that is not in the page.
fn elsewhere(files: Files) -> &'static str {
    match files {
        Files::Beside => "The file stands beside this page, in the same directory.",
        Files::Unwritten => "The option --out DIR of the same command writes it.",
    }
}

/// Words and columns, folded.
pub(super) fn meanings(terms: &[(String, String)], data: &[Dataset]) -> Markup {
    html! {
        @if !terms.is_empty() || !data.is_empty() {
            section.meanings {
                h2 { "What every number means" }
                @if !terms.is_empty() {
                    details {
                        summary { "Words" }
                        dl { @for (term, meaning) in terms { dt { (term) } dd { (meaning) } } }
                    }
                }
                @for dataset in data {
                    details {
                        summary { "Columns of " (dataset.file) }
                        dl {
                            @for column in &dataset.columns {
                                dt { (column.name) @if !column.unit.is_empty() { span { (column.unit) } } }
                                dd { (column.meaning) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A dataset's file.
fn text(dataset: &Dataset) -> String {
    // Nothing is written but memory, which has no errors.
    csv(dataset).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// The number of rows, in words.
fn rows(dataset: &Dataset) -> String {
    match dataset.rows.len() {
        1 => "1 row".to_owned(),
        rows => format!("{} rows", number::plain(rows as f64)),
    }
}

/// Rows and bytes, in words.
fn size(dataset: &Dataset, bytes: usize) -> String {
    let rows = rows(dataset);
    let size = match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{} kB", number::plain((bytes as f64 / 1_000.0).round())),
        _ => format!("{:.1} MB", bytes as f64 / 1_000_000.0),
    };
    format!("{rows}, {size}")
}

/// Text of an element, with all its characters: quotes stay, which keeps the file readable in the page's source.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 1);
    // The first line break of `pre` is swallowed.
    if text.starts_with('\n') {
        out.push('\n');
    }
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // A parser would make line breaks of them.
            '\r' => out.push_str("&#13;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_the_element() {
        assert_eq!(escaped("a,\"</pre>\"\r\n&"), "a,\"&lt;/pre&gt;\"&#13;\n&amp;");
    }
}
