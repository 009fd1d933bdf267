//! Figures of games with several seats as a whole: the advantage of going first, and their length.

use std::sync::Arc;

use stopwise_analysis::estimate::Estimate;
use stopwise_document::{Dataset, Real, Sheet};

use super::SimulationReport;
use crate::leading;
use crate::words::limits;

/// The file.
pub(super) const FILE: &str = "games.csv";

/// A row of `games.csv`.
#[derive(Debug)]
pub(super) struct GameRow {
    game: &'static str,
    rules: Arc<str>,
    policy: Arc<str>,
    quantity: Quantity,
}

impl GameRow {
    fn limit(&self, which: usize) -> Option<Real> {
        limits(self.quantity.found.and_then(|found| found.interval), Real::share)[which]
    }
}

pub(super) fn sheet() -> Sheet<GameRow> {
    leading::sheet(FILE, |r: &GameRow| r.game, |r| r.rules.clone())
        .column(
            "policy",
            "",
            "the policy with its parameters; where seats differ one for each, joined by ` / `",
            |r| r.policy.clone(),
        )
        .column(
            "quantity",
            "",
            "`first_seat_edge`: the first seat's share of the games with a winner, of a win where those \
             who tie share it, less a fair share; `ties`: the share of the games that several win together, \
             where they share it; `mean_length`: how many turns all seats together have",
            |r| r.quantity.name[0],
        )
        .column("unit", "", "what one of the quantity is", |r| r.quantity.unit)
        .column("value", "as the unit says", "the estimate; empty if nothing is known", |r| {
            r.quantity.found.map(|found| Real::share(found.value))
        })
        .column(
            "low",
            "as the unit says",
            "lower limit of its 95 % interval; empty if nothing bounds it",
            |r| r.limit(0),
        )
        .column(
            "high",
            "as the unit says",
            "upper limit of its 95 % interval; empty if nothing bounds it",
            |r| r.limit(1),
        )
        .column("method", "", "how the interval is made", |r| {
            r.quantity.found.map(|found| found.method.to_string())
        })
}

/// A quantity, with its estimate if it is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quantity {
    /// What it is called, and its limits.
    pub(super) name: [&'static str; 3],
    unit: &'static str,
    pub(super) found: Option<Estimate>,
}

/// The quantities of these games.
pub(super) fn quantities(found: &SimulationReport) -> Vec<Quantity> {
    let numbers = found.numbers();
    let edge = found.wins(&numbers).map(|wins| Quantity {
        name: ["first_seat_edge", "first_seat_edge_low", "first_seat_edge_high"],
        unit: "share",
        found: wins.first_seat_edge(),
    });
    let tied = found.wins(&numbers).and_then(|wins| wins.tied()).map(|tied| Quantity {
        name: ["ties", "ties_low", "ties_high"],
        unit: "share",
        found: Some(tied),
    });
    let length = found.mean_length().map(|length| Quantity {
        name: ["mean_length", "mean_length_low", "mean_length_high"],
        unit: "turns",
        found: Some(length),
    });
    edge.into_iter().chain(tied).chain(length).collect()
}

/// The dataset.
pub(super) fn dataset(found: &SimulationReport) -> Dataset {
    let row = |quantity| GameRow {
        game: found.game,
        rules: found.rules.as_str().into(),
        policy: found.lineup().into(),
        quantity,
    };
    sheet().fill(quantities(found).into_iter().map(row))
}
