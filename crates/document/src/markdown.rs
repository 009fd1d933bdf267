//! The document as Markdown, to paste into a page or a forum: sentences and the tables for people.

use std::fmt::Write as _;

use crate::cell::Cell;
use crate::dataset::Dataset;
use crate::minus::minus;
use crate::report::{Block, Report};
use crate::view::View;

/// The whole document.
#[must_use]
pub fn markdown(report: &Report) -> String {
    let mut out = String::new();
    let mut paragraph = |text: &str| {
        let _ = writeln!(out, "{}{}", if out.is_empty() { "" } else { "\n" }, text.trim_end());
    };
    paragraph(&format!("**{}**", escaped(&report.head)));
    for remark in &report.remarks {
        paragraph(&escaped(remark));
    }
    for answer in &report.answer {
        paragraph(&escaped(answer));
    }
    for warning in &report.warnings {
        paragraph(&format!("> **Note:** {}", escaped(warning)));
    }
    for section in &report.sections {
        // A chart alone has nothing to say here.
        if section.blocks.iter().all(|block| matches!(block, Block::Chart(_))) {
            continue;
        }
        if !section.title.is_empty() {
            paragraph(&format!("### {}", escaped(&section.title)));
        }
        for block in &section.blocks {
            match block {
                Block::Sentence(text) => paragraph(&escaped(text)),
                Block::Note(text) => paragraph(&format!("*{}*", escaped(text))),
                Block::View(view) | Block::Long(view) => paragraph(&table(view)),
                Block::Chart(_) => {}
            }
        }
    }
    if !report.repeat.is_empty() {
        paragraph(&format!("To repeat: `{}`", report.repeat));
    }
    out
}

/// A dataset as one table.
#[must_use]
pub fn dataset(dataset: &Dataset) -> String {
    let mut view = View::default();
    for (at, column) in dataset.columns.iter().enumerate() {
        let is_number = !dataset.rows.iter().any(|row| matches!(row[at], Cell::Text(_) | Cell::Flag(_)));
        view = if is_number { view.numbers(column.name.clone()) } else { view.texts(column.name.clone()) };
    }
    for row in &dataset.rows {
        view.row(row.iter().map(Cell::written));
    }
    table(&view)
}

/// A table, with its title above and its notes below.
fn table(view: &View) -> String {
    let mut out = String::new();
    if !view.title.is_empty() {
        let _ = writeln!(out, "#### {}\n", escaped(&view.title));
    }
    let cells: Vec<Vec<String>> =
        view.rows.iter().map(|row| row.iter().map(|cell| escaped(cell)).collect()).collect();
    let names: Vec<_> = view.columns.iter().map(|column| escaped(&column.text)).collect();
    let widths: Vec<_> = (0..names.len())
        .map(|at| {
            let of_cells = cells.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
            of_cells.max(names[at].chars().count()).max(3)
        })
        .collect();
    let padded = |at: usize, text: &str| match view.columns[at].is_number {
        true => format!("{text:>0$}", widths[at]),
        false => format!("{text:<0$}", widths[at]),
    };
    let row = |texts: &[String]| {
        let texts: Vec<_> = texts.iter().enumerate().map(|(at, text)| padded(at, text)).collect();
        format!("| {} |", texts.join(" | "))
    };
    let rule = |at: usize| match view.columns[at].is_number {
        true => format!("{}:", "-".repeat(widths[at] + 1)),
        false => "-".repeat(widths[at] + 2),
    };
    let _ = writeln!(out, "{}", row(&names));
    let _ = writeln!(out, "|{}|", (0..names.len()).map(rule).collect::<Vec<_>>().join("|"));
    for cells in &cells {
        let _ = writeln!(out, "{}", row(cells));
    }
    for note in &view.notes {
        let _ = writeln!(out, "\n*{}*", escaped(note));
    }
    out
}

/// Text in which nothing is an order to Markdown.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in minus(text).chars() {
        match c {
            '|' | '*' | '_' | '`' | '<' | '\\' | '[' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Section;

    #[test]
    fn sentences_and_tables() {
        let mut view = View::new("").texts("policy").numbers("mean");
        view.row(["a|b", "12.3"]);
        view.note("Of two.");
        let mut section = Section::new("Scores");
        section.view(view);
        let mut report =
            Report { head: "pig · hold".into(), answer: vec!["It is.".into()], ..Report::default() };
        report.section(section);
        report.repeat = "stopwise simulate pig".into();
        let text = "**pig · hold**\n\nIt is.\n\n### Scores\n\n| policy | mean |\n|--------|-----:|\n| a\\|b   | 12.3 |\n\n\
                    *Of two.*\n\nTo repeat: `stopwise simulate pig`\n";
        assert_eq!(markdown(&report), text);
    }
}
