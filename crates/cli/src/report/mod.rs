//! Reports: pure functions from the results of a command to its document.

pub(crate) mod balance;
pub(crate) mod bench;
mod bins;
pub(crate) mod compare;
pub(crate) mod document;
pub(crate) mod grid;
mod leading;
pub(crate) mod manifest;
pub(crate) mod played;
pub(crate) mod rank;
pub(crate) mod simulate;
pub(crate) mod solve;
pub(crate) mod sweep;
pub(crate) mod tables;
mod terms;
mod words;

pub(crate) use simulate::SimulationReport;

/// A line-up in one cell: one label if all seats have the same, otherwise one per seat.
pub(crate) fn one_label(labels: &[String]) -> String {
    match labels.split_first() {
        Some((first, rest)) if rest.iter().all(|label| label == first) => first.clone(),
        _ => labels.join(" / "),
    }
}
