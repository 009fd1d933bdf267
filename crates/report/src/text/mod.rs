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

pub use ascii::ascii;
pub use style::{Style, folded};

/// The whole document.
#[must_use]
pub fn text(report: &Report, style: Style) -> String {
    let mut out = String::new();
    wrapped(&mut out, &report.head, 2, style);
    for answer in &report.answer {
        wrapped(&mut out, answer, 0, style);
    }
    for section in &report.sections {
        blocks(&mut out, section, style);
    }
    for (at, warning) in report.warnings.iter().enumerate() {
        if at == 0 {
            out.push('\n');
        }
        wrapped(&mut out, warning, 0, style);
    }
    out
}

fn blocks(out: &mut String, section: &Section, style: Style) {
    let is_shown = |block: &&Block| match block {
        Block::Chart(chart) => chart.is_in_text,
        Block::Long(_) => false,
        _ => true,
    };
    if !section.blocks.iter().any(|block| is_shown(&block)) {
        return;
    }
    out.push('\n');
    if !section.title.is_empty() {
        wrapped(out, &section.title, 0, style);
    }
    let mut is_first = section.title.is_empty();
    let mut was_view = false;
    for block in section.blocks.iter().filter(is_shown) {
        let is_view = matches!(block, Block::View(_) | Block::Chart(_));
        if (is_view || was_view && !matches!(block, Block::Note(_))) && !is_first {
            out.push('\n');
        }
        match block {
            Block::Sentence(text) => wrapped(out, text, 0, style),
            Block::Note(text) => wrapped(out, text, 2, style),
            Block::View(view) => table::table(out, view, style.width()),
            Block::Chart(chart) => {
                if !chart.title.is_empty() {
                    wrapped(out, &chart.title, 0, style);
                }
                match &chart.plots[0].1 {
                    Plot::Bins(bins) => bars::bins(out, bins, style.width()),
                    Plot::Bars(bars) => bars::bars(out, bars, style.width()),
                    Plot::Lines(lines) => dots::lines(out, lines, style.width()),
                    Plot::Intervals(intervals) => dots::intervals(out, intervals, style.width()),
                    Plot::Heat(heat) => heat::heat(out, heat, style),
                }
            }
            Block::Long(_) => {}
        }
        (is_first, was_view) = (false, is_view);
    }
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
    }
}
