//! The document as text, for a terminal.

mod ascii;
mod bars;
mod dots;
mod heat;
mod style;
mod table;
mod value;

use crate::chart::Plot;
use crate::report::{Block, Report, Section};

use style::wrapped;

pub use crate::minus::minus;
pub use ascii::ascii;
pub use style::{Style, folded};

/// The whole document.
#[must_use]
pub fn text(report: &Report, style: Style) -> String {
    let mut out = beginning(report, style);
    for section in &report.sections {
        pieces(section, style, usize::MAX).into_iter().for_each(|piece| out.push_str(&piece));
    }
    out.push_str(&warnings(report, style));
    minus(&out).into_owned()
}

/// The document in about so many lines: its answer, tables of at most 12 rows as long as there is room, and its
/// warnings. Where something is left out a line says what, and `more` how to have it.
#[must_use]
pub fn brief(report: &Report, style: Style, lines: usize, more: &str) -> String {
    let count = |text: &str| text.lines().count();
    let mut out = beginning(report, style);
    let end = warnings(report, style);
    let room = lines.saturating_sub(count(&end) + LEFT_OUT);
    let mut left_out = Vec::new();
    let (mut is_cut, mut has_long) = (false, false);
    for section in &report.sections {
        let pieces = pieces(section, style, ROWS);
        let all = pieces.len();
        let fitting = pieces.into_iter().take_while(|piece| {
            let fits = !is_cut && count(&out) + count(piece) <= room;
            if fits {
                out.push_str(piece);
            }
            fits
        });
        let shown = fitting.count();
        is_cut |= shown < all;
        let is_long = |block: &Block| matches!(block, Block::View(view) if view.rows.len() > ROWS);
        match shown < all {
            true if shown > 0 || section.title.is_empty() => {
                let what = if section.title.is_empty() { "more tables" } else { &section.title };
                left_out.push(format!("{what} ({} more)", all - shown));
            }
            true => left_out.push(section.title.clone()),
            false => has_long |= section.blocks.iter().any(is_long),
        }
    }
    if has_long {
        left_out.insert(0, "rows of long tables".into());
    }
    if !left_out.is_empty() {
        out.push('\n');
        wrapped(&mut out, &format!("Not shown: {}. {more}", left_out.join("; ")), 2, style);
    }
    out.push_str(&end);
    minus(&out).into_owned()
}

/// Lines that are kept for what is said of what is left out.
const LEFT_OUT: usize = 4;

/// The most rows of a table of a brief text.
const ROWS: usize = 12;

fn beginning(report: &Report, style: Style) -> String {
    let mut out = String::new();
    wrapped(&mut out, &report.head, 2, style);
    for remark in &report.remarks {
        wrapped(&mut out, remark, 0, style);
    }
    for answer in &report.answer {
        wrapped(&mut out, answer, 0, style);
    }
    out
}

fn warnings(report: &Report, style: Style) -> String {
    let mut out = String::new();
    for (at, warning) in report.warnings.iter().enumerate() {
        if at == 0 {
            out.push('\n');
        }
        wrapped(&mut out, warning, 0, style);
    }
    out
}

/// A section, block by block, the first with the title; tables with so many of their rows at most.
fn pieces(section: &Section, style: Style, rows: usize) -> Vec<String> {
    let is_shown = |block: &&Block| match block {
        Block::Chart(chart) => chart.is_in_text,
        Block::Long(_) => false,
        _ => true,
    };
    let mut all = Vec::new();
    let mut out = String::from("\n");
    if !section.title.is_empty() {
        wrapped(&mut out, &section.title, 0, style);
    }
    let mut is_first = section.title.is_empty();
    let mut was_view = false;
    for block in section.blocks.iter().filter(is_shown) {
        let is_view = matches!(block, Block::View(_) | Block::Chart(_));
        if (is_view || was_view && !matches!(block, Block::Note(_))) && !is_first {
            out.push('\n');
        }
        match block {
            Block::Sentence(text) => wrapped(&mut out, text, 0, style),
            Block::Note(text) => wrapped(&mut out, text, 2, style),
            Block::View(view) => table::table(&mut out, &view.beginning(rows), style.width()),
            Block::Chart(chart) => {
                if !chart.title.is_empty() {
                    wrapped(&mut out, &chart.title, 0, style);
                }
                match &chart.plots[0].1 {
                    Plot::Bins(bins) => bars::bins(&mut out, bins, style.width()),
                    Plot::Bars(bars) => bars::bars(&mut out, bars, style.width()),
                    Plot::Lines(lines) => dots::lines(&mut out, lines, style.width()),
                    Plot::Intervals(intervals) => dots::intervals(&mut out, intervals, style.width()),
                    Plot::Heat(heat) => heat::heat(&mut out, heat, style),
                }
            }
            Block::Long(_) => {}
        }
        (is_first, was_view) = (false, is_view);
        all.push(std::mem::take(&mut out));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::View;

    #[test]
    fn a_document_as_text() {
        let mut view = View::new("").texts("policy").numbers("mean");
        view.row(["hold", "12.3"]);
        let mut section = Section::new("Scores");
        section.view(view);
        section.note("Of two.");
        let mut report = Report { head: "pig · hold".into(), ..Report::default() };
        report.answer.push("It has 12.3 in the mean.".into());
        report.section(section);
        report.warnings.push("Only 2 trials.".into());
        let wanted = "pig · hold\nIt has 12.3 in the mean.\n\nScores\n\npolicy  mean\nhold    12.3\nOf two.\n\nOnly 2 trials.\n";
        assert_eq!(text(&report, Style::PLAIN), wanted);
        assert_eq!(brief(&report, Style::PLAIN, 48, "Ask for more."), wanted, "nothing is left out");
    }

    #[test]
    fn a_brief_text_says_what_it_leaves_out() {
        let mut report = Report { head: "pig".into(), ..Report::default() };
        report.answer.push("The answer.".into());
        for (title, rows) in [("Few", 3), ("Many", 200), ("Others", 30), ("Last", 1)] {
            let mut view = View::new("").texts("policy");
            (0..rows).for_each(|row| view.row([format!("{title} {row}")]));
            let mut section = Section::new(title);
            section.view(view);
            report.section(section);
        }
        report.warnings.push("Only 2 trials.".into());
        let found = brief(&report, Style::PLAIN, 32, "Ask for more.");
        assert!(found.lines().count() <= 32, "{found}");
        assert!(found.starts_with("pig\nThe answer.\n\nFew\n"), "{found}");
        assert!(found.contains("Many 11\n… 188 more rows\n") && !found.contains("Others 0"), "{found}");
        let said = "Not shown: rows of long tables; Others; Last. Ask for more.\n\nOnly 2 trials.\n";
        assert!(found.ends_with(said), "{found}");
    }
}
