//! The order of a page: pictures before tables.

use crate::report::{Block, Section};

/// The sections with those that have tables and no chart after all that have one, and in every section the charts before
/// the first table.
pub(super) fn ordered(sections: &[Section]) -> Vec<Section> {
    let is_late =
        |section: &&Section| section.blocks.iter().any(is_table) && !section.blocks.iter().any(is_chart);
    let last_chart = sections.iter().rposition(|section| section.blocks.iter().any(is_chart)).unwrap_or(0);
    let (before, after) = sections.split_at(last_chart);
    let early = before.iter().filter(|section| !is_late(section));
    let (chart, rest) = after.split_at(after.len().min(1));
    let late = before.iter().filter(is_late);
    early.chain(chart).chain(late).chain(rest).map(charts_first).collect()
}

/// The blocks before the first table, the charts after it, and the rest.
fn charts_first(section: &Section) -> Section {
    let first = section.blocks.iter().position(is_table).unwrap_or(section.blocks.len());
    let (before, after) = section.blocks.split_at(first);
    let (charts, rest): (Vec<_>, Vec<_>) = after.iter().partition(|block| is_chart(block));
    let blocks = before.iter().chain(charts).chain(rest).cloned().collect();
    Section { title: section.title.clone(), blocks }
}

const fn is_table(block: &Block) -> bool {
    matches!(block, Block::View(_) | Block::Long(_))
}

const fn is_chart(block: &Block) -> bool {
    matches!(block, Block::Chart(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{Bars, Chart, Plot};
    use crate::view::View;

    fn section(title: &str, kinds: &str) -> Section {
        let block = |kind| match kind {
            'c' => Block::Chart(Chart::new("", "", Plot::Bars(Bars::default()))),
            't' => Block::View(View::default()),
            's' => Block::Sentence(String::new()),
            _ => Block::Note(String::new()),
        };
        Section { title: title.into(), blocks: kinds.chars().map(block).collect() }
    }

    fn kinds(section: &Section) -> String {
        let kind = |block: &Block| match block {
            Block::Chart(_) => 'c',
            Block::View(_) | Block::Long(_) => 't',
            Block::Sentence(_) => 's',
            Block::Note(_) => 'n',
        };
        section.blocks.iter().map(kind).collect()
    }

    #[test]
    fn charts_stand_before_tables() {
        assert_eq!(kinds(&charts_first(&section("", "stncsc"))), "sccTns".to_lowercase());
        assert_eq!(kinds(&charts_first(&section("", "tnc"))), "ctn");
    }

    #[test]
    fn sections_of_tables_come_after_those_with_charts() {
        let sections = [
            section("table", "t"),
            section("words", "s"),
            section("chart", "tc"),
            section("more", "t"),
            section("end", "s"),
        ];
        let titles: Vec<_> = ordered(&sections).into_iter().map(|section| section.title).collect();
        assert_eq!(titles, ["words", "chart", "table", "more", "end"]);
        let none = [section("a", "t"), section("b", "s")];
        assert_eq!(ordered(&none).len(), 2);
        assert_eq!(ordered(&[]), []);
    }
}
