//! Heads the rules and policies that a sweep describes by the axes that vary.

use stopwise_document::{Folded, Report};

use crate::grid::Grid;

/// Heads the texts of the first point by what varies, and says whose values they have.
pub fn head_by_axes(report: &mut Report, grid: &Grid) {
    let names: Vec<_> = grid.axes.iter().map(|axis| axis.name.as_str()).collect();
    let (varied, first) = (names.join(", "), grid.label(0));
    for Folded { title, prose, .. } in report.played.iter_mut().skip(1) {
        let name = title.split(':').next().unwrap_or(title).to_owned();
        *title = format!("{name} · varied: {varied}");
        prose.insert(0, format!("Told with the values of the first setting: {first}."));
    }
}
