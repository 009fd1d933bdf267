//! The data, to be downloaded as CSV, and what its columns mean.

use maud::{Markup, html};

use crate::csv::csv;
use crate::dataset::Dataset;
use crate::svg::number;

/// Every dataset as a file; its text is in the page, so that it can be read without a script.
pub(super) fn downloads(data: &[Dataset]) -> Markup {
    html! {
        @if !data.is_empty() {
            section.data {
                h2 { "The data" }
                p { "Every number of this page, as CSV files for spreadsheets and programs. They are inside this page." }
                @for dataset in data {
                    @let text = text(dataset);
                    div.file {
                        details {
                            summary { (dataset.file) span { (size(dataset, text.len())) } }
                            pre data-file=(dataset.file) { (maud::PreEscaped(escaped(&text))) }
                        }
                        button.script type="button" { "Download" }
                    }
                }
            }
        }
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

/// Rows and bytes, in words.
fn size(dataset: &Dataset, bytes: usize) -> String {
    let rows = match dataset.rows.len() {
        1 => "1 row".to_owned(),
        rows => format!("{} rows", number::plain(rows as f64)),
    };
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
