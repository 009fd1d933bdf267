//! The picture of a table that is asked for: a chart of words, as rule books of blackjack have them.

use stopwise_document::Chart;
use stopwise_document::chart::{Axis, Heat, Heated, Panel, Plot};
use stopwise_engine::vocabulary::{Feature, listed};
use stopwise_narration::spoken;

/// What a picture says, but for its cells.
pub(super) struct Pictured {
    /// Above it.
    pub(super) title: String,
    /// What stands in the cells, as a noun phrase.
    pub(super) what: String,
    /// Above the cells where there is one column.
    pub(super) head: String,
    /// Of the colours.
    pub(super) value: Axis,
    /// What signs in cells mean.
    pub(super) notes: Vec<String>,
}

impl Pictured {
    /// The picture of the cells by these features, at these values, which `told` says in words; of a single cell there is none.
    pub(super) fn chart(
        self,
        by: &[Feature],
        levels: &[Vec<i64>; 3],
        told: impl Fn(usize, i64) -> String,
        cell: impl Fn([i64; 3]) -> Option<Heated>,
    ) -> Option<Chart> {
        let levels = |at: usize| if at < by.len() { &levels[at][..] } else { &[0] };
        let [rows, columns, pages] = [levels(0), levels(1), levels(2)];
        let panel = |&page: &i64| {
            let row = |&row: &i64| columns.iter().map(|&column| cell([row, column, page])).collect();
            let title = by.get(2).map(|third| format!("{} {}", spoken(third.name), told(2, page)));
            Panel { title: title.unwrap_or_default(), cells: rows.iter().map(row).collect() }
        };
        let panels: Vec<_> = pages.iter().map(panel).collect();
        let known = panels.iter().flat_map(|panel| panel.cells.iter().flatten().flatten());
        let (mut cells, mut colours) = (0, 0);
        for cell in known {
            cells += 1;
            colours += usize::from(cell.value.is_some());
        }
        if cells < 2 || colours == 0 {
            return None;
        }
        let axis = |at: usize| match by.get(at) {
            Some(feature) => {
                let told = levels(at).iter().map(|&value| told(at, value));
                Axis::levels(spoken(feature.name), told.collect())
            }
            None => Axis::levels("", vec![self.head.clone()]),
        };
        let names: Vec<_> = by.iter().map(|feature| spoken(feature.name)).collect();
        let meanings = by.iter().map(|feature| format!("{}: {}", spoken(feature.name), feature.meaning));
        let meanings = meanings.collect::<Vec<_>>().join("; ");
        let sentence = format!("{}, by {}. {meanings}.", self.what, listed(&names, "and"));
        let plot = Heat {
            x: axis(1),
            y: axis(0),
            value: self.value,
            panels,
            legend: self.notes.join(" "),
            ..Heat::default()
        };
        Some(Chart::new(self.title, sentence, Plot::Heat(plot)).beside_table())
    }
}
