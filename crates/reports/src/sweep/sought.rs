//! What stands out among the settings of a grid. Of parameters of policies that is the best, under each setting of the rules. Rules
//! have no best: where they alone vary, it is what has most, and what has least.

use stopwise_analysis::estimate::Pairing;
use stopwise_analysis::sweep::{Best, Cells, Standing, best};
use stopwise_document::chart::Tone;
use stopwise_engine::game::Better;

use crate::grid::{Grid, Kind};

/// What stands out.
#[derive(Debug)]
pub(super) struct Sought {
    /// Settings with the same rules; where rules alone vary, all settings.
    pub(super) groups: Vec<Group>,
    /// What has least, where rules alone vary; the group is then about what has most.
    pub(super) least: Option<Group>,
}

/// What can stand out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// The best setting.
    Best,
    /// The best setting under each setting of the rules.
    BestUnderRules,
    /// The setting with most.
    Most,
}

/// The ends of what an axis does: parameters are good or bad, rules are not.
pub(super) const fn ends(kind: Kind) -> [&'static str; 2] {
    match kind {
        Kind::Parameter => ["best", "worst"],
        Kind::Rule => ["most", "least"],
    }
}

/// Settings of which one stands out.
#[derive(Debug)]
pub(super) struct Group {
    /// The rules that they have in common, as far as these vary; empty if they have none, or do not vary.
    pub(super) rules: String,
    /// The settings, in their order.
    points: Vec<usize>,
    /// Which of them stands out, and how the others stand; all groups hold together.
    best: Best,
}

impl Group {
    /// Of several; `None` if there are no settings.
    fn new(cells: &Cells, points: Vec<usize>, better: Better, statements: usize) -> Option<Self> {
        let best = best(&cells.only(&points, statements), better)?;
        Some(Self { rules: String::new(), points, best })
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.points.len()
    }

    /// The setting that stands out.
    pub(super) fn first(&self) -> usize {
        self.points[self.best.cell]
    }

    /// All others.
    pub(super) fn others(&self) -> impl Iterator<Item = usize> {
        self.points.iter().copied().filter(|&point| point != self.first())
    }

    /// Those that may stand out as well.
    pub(super) fn ties(&self) -> impl Iterator<Item = usize> {
        self.best.ties().map(|at| self.points[at])
    }

    /// Every setting with how it stands.
    pub(super) fn standings(&self) -> impl Iterator<Item = (usize, &Standing)> {
        self.points.iter().copied().zip(&self.best.standings)
    }

    /// What is known of how settings go together, and made intervals narrower.
    pub(super) fn pairing(&self) -> Pairing {
        self.best.pairing
    }

    /// How the first stands.
    pub(super) fn lead(&self) -> &Standing {
        &self.best.standings[self.best.cell]
    }
}

impl Sought {
    /// Seeks it; `None` if there are no settings.
    pub(super) fn new(grid: &Grid, cells: &Cells, better: Better) -> Option<Self> {
        let all: Vec<_> = (0..cells.count()).collect();
        match (grid.varies(Kind::Parameter), grid.varies(Kind::Rule)) {
            (_, false) => Some(Self { groups: vec![Group::new(cells, all, better, 1)?], least: None }),
            (false, true) => {
                // Of two settings both are one statement.
                let statements = if all.len() == 2 { 1 } else { 2 };
                let of = |better| Group::new(cells, all.clone(), better, statements);
                Some(Self { groups: vec![of(Better::Higher)?], least: Some(of(Better::Lower)?) })
            }
            (true, true) => {
                let mut parts: Vec<(String, Vec<usize>)> = Vec::new();
                for point in all {
                    let rules = grid.label_of(point, Kind::Rule);
                    match parts.iter_mut().find(|(known, _)| *known == rules) {
                        Some((_, points)) => points.push(point),
                        None => parts.push((rules, vec![point])),
                    }
                }
                let statements = parts.len();
                let of =
                    |(rules, points)| Some(Group { rules, ..Group::new(cells, points, better, statements)? });
                Some(Self { groups: parts.into_iter().map(of).collect::<Option<_>>()?, least: None })
            }
        }
    }

    /// The pairing of groups, if there is any.
    pub(super) fn pairing(&self) -> Pairing {
        let mut all = self.groups.iter().chain(&self.least).map(Group::pairing);
        all.find(|&pairing| pairing != Pairing::AnyDependence).unwrap_or(Pairing::AnyDependence)
    }

    /// What it is.
    pub(super) fn what(&self) -> What {
        match (&self.least, self.groups.len()) {
            (Some(_), _) => What::Most,
            (None, 1) => What::Best,
            (None, _) => What::BestUnderRules,
        }
    }

    /// How a setting stands out.
    pub(super) fn tone(&self, point: usize) -> Tone {
        let mut standings = self.groups.iter().flat_map(Group::standings);
        match standings.find(|(at, _)| *at == point) {
            _ if self.groups.iter().any(|group| group.first() == point) => Tone::Best,
            Some((_, standing)) if standing.is_possible => Tone::Possible,
            _ => Tone::Plain,
        }
    }

    /// What the signs at settings mean.
    pub(super) fn legend(&self) -> String {
        let (first, tie) = match self.what() {
            What::Best => ("the best mean", "the best"),
            What::BestUnderRules => ("the best mean under the same rules", "the best"),
            What::Most => ("the most", "the most"),
        };
        let has_ties = self.groups.iter().any(|group| group.ties().next().is_some());
        let ties = if has_ties { format!("; ≈ may be {tie} as well") } else { String::new() };
        format!("* {first}{ties}")
    }

    /// Against what settings are held.
    pub(super) fn against(&self) -> &'static str {
        match self.what() {
            What::Best => "the best",
            What::BestUnderRules => "the best under the same rules",
            What::Most => "the most and the least",
        }
    }
}
