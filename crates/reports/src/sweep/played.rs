//! Heads the rules and policies that a sweep describes by the axes that vary.

use stopwise_document::{Folded, Report};

use super::SweepReport;
use crate::grid::{Axis, Grid, Kind};

impl SweepReport {
    /// Heads the texts of the first point by what varies in them, and says whose values they have: the rules, and behind them the
    /// policies, of which `policies` has the axes of each by its label at that point.
    pub fn head_by_axes(&self, report: &mut Report, policies: &[(String, Vec<usize>)]) {
        let of_rules = |axis: &usize| self.grid.axes[*axis].kind == Kind::Rule;
        let of_rules: Vec<_> = (0..self.grid.axes.len()).filter(of_rules).collect();
        for (at, folded) in report.played.iter_mut().enumerate() {
            let of_policy = || policies.iter().find(|(label, _)| *label == folded.title);
            let (name, axes) = match at {
                0 => (format!("{} · rules {}", self.game, self.rules), &of_rules),
                _ => match of_policy() {
                    Some((label, axes)) => (label.split(':').next().unwrap_or(label).to_owned(), axes),
                    None => continue,
                },
            };
            match axes.is_empty() {
                true if at > 0 => folded.prose.insert(0, "It is the same at every setting.".into()),
                true => {}
                false => head(folded, &name, &self.grid, axes),
            }
        }
    }
}

fn head(folded: &mut Folded, name: &str, grid: &Grid, axes: &[usize]) {
    let of = |told: fn(&Axis) -> String| axes.iter().map(|&axis| told(&grid.axes[axis])).collect::<Vec<_>>();
    let names = of(|axis| axis.name.clone()).join(", ");
    let first = of(|axis| format!("{}={}", axis.name, axis.levels[0])).join(", ");
    folded.title = format!("{name} · varied: {names}");
    folded.prose.insert(0, format!("Told with the values of the first setting: {first}."));
}
