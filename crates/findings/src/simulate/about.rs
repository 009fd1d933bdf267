//! What the rows of a simulation's tables are about, and the columns that say so.

use stopwise_analysis::seats::Standing;
use stopwise_report::{Cell, Column, column};

use super::SimulationReport;
use crate::leading::{Leading, after_game_and_rules};

/// What the rows of a table are about.
#[derive(Clone, Debug)]
pub(super) struct About {
    pub(super) game: Cell,
    pub(super) rules: Cell,
    pub(super) policy: Cell,
    pub(super) seat: Cell,
}

impl About {
    pub(super) fn of(found: &SimulationReport, standing: &Standing) -> Self {
        Self {
            game: found.game.into(),
            rules: Cell::from(&found.rules),
            policy: Cell::from(&found.policies[standing.policy]),
            seat: Cell::maybe(standing.seat, |seat| (seat + 1).into()),
        }
    }
}

/// A row that is about a policy in a seat, or in all of its seats.
pub(super) trait IsAbout {
    /// What it is about.
    fn about(&self) -> &About;
}

impl<R: IsAbout> Leading for R {
    fn game(&self) -> Cell {
        self.about().game.clone()
    }

    fn rules(&self) -> Cell {
        self.about().rules.clone()
    }
}

/// The columns of a table, after those that say what its rows are about.
pub(super) fn columns<R: IsAbout>(own: Vec<Column<R>>) -> Vec<Column<R>> {
    let mut columns = vec![
        column("policy", "", "the policy with its parameters", |r: &R| r.about().policy.clone()),
        column(
            "seat",
            "",
            "from 1; empty where policies are rotated and the row is about all seats together",
            |r: &R| r.about().seat.clone(),
        ),
    ];
    columns.extend(own);
    after_game_and_rules(columns)
}
