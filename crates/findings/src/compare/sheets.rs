//! The files of a comparison. Their columns are a contract.
//!
//! A difference is A − B, of the first policies. A cell is empty where nothing is known: a standard error after one
//! trial, the variance ratio of a difference that never varied, the limits of a quantile after few trials.

use std::borrow::Cow;

use stopwise_analysis::estimate::Estimate;
use stopwise_analysis::paired::{
    BinDifference, Known, QuantileDifference, SHARES, bin_differences, early_difference,
    quantile_differences, variance_ratio,
};
use stopwise_engine::game::Better;
use stopwise_engine::paired::{ArmTally, PairTally};
use stopwise_report::cell::Form;
use stopwise_report::{Cell, Column, Dataset, Heading, Sheet, column};

use super::{ComparisonReport, Difference, Parted};
use crate::leading::{self, Leading};
use crate::tables::Tables;
use crate::words::limits;

/// The files.
pub const FILES: [&str; 4] =
    ["comparison.csv", "comparison_quantiles.csv", "comparison_early.csv", "comparison_distribution.csv"];

/// Adds all datasets, in the order of [`FILES`]; after them the trials in which pairs differ, if they were asked for: JSON
/// has these, and no file.
pub(super) fn datasets(tables: &mut Tables<'_>, compared: &ComparisonReport) {
    let pairs = &compared.comparison.tally.pairs;
    tables.large(comparison(), pairs.len() * compared.metrics.len(), of_all_pairs(compared, mean_rows));
    tables.large(quantiles(), pairs.len() * SHARES.len(), of_all_pairs(compared, quantile_rows));
    tables.large(early(), pairs.len(), of_all_pairs(compared, early_row));
    // Each value of A is one of the pair.
    let values = |arm: &ArmTally| arm.histogram(0).iter().count();
    let values: Vec<_> = compared.comparison.tally.arms.iter().map(values).collect();
    let least = pairs.iter().map(|pair| values[pair.a]).sum();
    tables.large(distribution(), least, of_all_pairs(compared, distribution_rows));
    if compared.is_divergent {
        tables.add(divergent(compared));
    }
}

/// The files without rows, for the dictionary.
pub(crate) fn columns() -> Vec<Dataset> {
    vec![
        comparison().without_rows(),
        quantiles().without_rows(),
        early().without_rows(),
        distribution().without_rows(),
    ]
}

/// The columns `game` and `rules`, and after them those of the table itself.
fn after_game_and_both_rules<R: Leading>(own: Vec<Column<R>>) -> Vec<Column<R>> {
    let rules = column("rules", "", RULES, R::rules);
    [leading::game(R::game), rules].into_iter().chain(own).collect()
}

/// What is in the column `rules`.
const RULES: &str = "the preset or file, with every option that was changed; those of A and of B, joined by ` / `, where they \
                     play by different ones";

/// What the rows of a table are about.
#[derive(Clone, Debug)]
struct About {
    game: Cell,
    rules: Cell,
    metric: Cell,
    policies: [Cell; 2],
}

impl About {
    fn of(compared: &ComparisonReport, pair: &PairTally, metric: usize) -> Self {
        let sides = [pair.a, pair.b].map(|side| &compared.sides[side]);
        Self {
            game: compared.game.into(),
            rules: match compared.is_of_same_rules(pair) {
                true => Cell::from(&sides[0].rules),
                false => format!("{} / {}", sides[0].rules, sides[1].rules).into(),
            },
            metric: compared.metrics[metric].name.into(),
            policies: sides.map(|side| Cell::from(&side.lineup)),
        }
    }
}

/// The parts of a table of all pairs, if there are few pairs.
const PARTS: usize = 256;
/// The most pairs of a part: between two parts a run can end.
const PAIRS: usize = 16;

/// The rows of all pairs in parts, given those of one with its number. Intervals take their time, so that threads share the
/// parts; those of a part are known from one pair to the next.
fn of_all_pairs<R>(
    compared: &ComparisonReport,
    rows: fn(&ComparisonReport, (usize, &PairTally), &mut Known) -> Vec<R>,
) -> (usize, impl Fn(usize) -> Vec<R>) {
    let pairs = &compared.comparison.tally.pairs;
    let size = pairs.len().div_ceil(PARTS).clamp(1, PAIRS);
    let of_part = move |part: usize| {
        let (mut known, mut all) = (Known::default(), Vec::new());
        for pair in pairs.iter().enumerate().skip(part * size).take(size) {
            all.append(&mut rows(compared, pair, &mut known));
        }
        all
    };
    (pairs.len().div_ceil(size), of_part)
}

/// A limit of an interval.
fn limit(found: &Estimate, side: usize, cell: impl Fn(f64) -> Cell) -> Cell {
    Cell::maybe(limits(found.interval)[side], cell)
}

/// A whole number that may be negative.
fn whole(value: f64) -> Cell {
    Cell::Real(value, Form::Shortest)
}

/// A row of `comparison.csv`: a metric of a pair.
#[derive(Debug)]
struct MeanRow {
    about: About,
    found: Difference,
    trials: u64,
    /// Under the same rules.
    identical: Option<u64>,
    variance_ratio: Option<f64>,
}

impl Leading for MeanRow {
    fn game(&self) -> Cell {
        self.about.game.clone()
    }

    fn rules(&self) -> Cell {
        self.about.rules.clone()
    }
}

fn comparison() -> Sheet<MeanRow> {
    Sheet {
        file: "comparison.csv",
        columns: after_game_and_both_rules(vec![
            column("metric", "", "what was measured", |r| r.about.metric.clone()),
            column(
                "policy_a",
                "",
                "A: a policy, or a line-up with one for each seat, joined by ` / `",
                |r| r.about.policies[0].clone(),
            ),
            column("policy_b", "", "B", |r| r.about.policies[1].clone()),
            column("trials", "trials", "how many trials both played on the same dice", |r| {
                r.found.mean.trials.into()
            }),
            column("mean_difference", "unit of the metric", "mean of A − B over the trials", |r| {
                Cell::number(r.found.mean.value)
            }),
            column("std_error", "unit of the metric", "paired standard error; empty for one trial", |r| {
                Cell::maybe(r.found.mean.std_error, Cell::number)
            }),
            column(
                "low",
                "unit of the metric",
                "lower limit of the 95 % interval of the mean difference; empty if nothing bounds it",
                |r| limit(&r.found.estimate, 0, Cell::number),
            ),
            column("high", "unit of the metric", "upper limit; empty if nothing bounds it", |r| {
                limit(&r.found.estimate, 1, Cell::number)
            }),
            column(
                "method",
                "",
                "how the interval is made: for a number of trials fixed beforehand or anytime-valid",
                |r| r.found.estimate.method.to_string().into(),
            ),
            column(
                "a_better",
                "share",
                "share of the trials in which A had more of the metric, or less where `direction` is `less`",
                |r| Cell::share_of(r.found.duel.a_better, r.trials),
            ),
            column("equal", "share", "share of the trials in which both had equally much", |r| {
                Cell::share_of(r.found.duel.equal, r.trials)
            }),
            column(
                "b_better",
                "share",
                "share of the trials in which B had more of the metric, or less where `direction` is `less`",
                |r| Cell::share_of(r.found.duel.b_better, r.trials),
            ),
            column(
                "identical_share",
                "share",
                "share of the trials that were the same game throughout; empty where A and B play by different rules",
                |r| r.identical.map_or(Cell::Empty, |identical| Cell::share_of(identical, r.trials)),
            ),
            column(
                "variance_ratio",
                "ratio",
                "how many times as many trials independent runs would need; empty if the difference never varied",
                |r| Cell::maybe(r.variance_ratio, Cell::number),
            ),
            column(
                "direction",
                "",
                "what `a_better` and `b_better` count: `more` or `less` of the metric, whichever is better where the \
                 metric is what a player wants",
                |r| match r.found.better {
                    Better::Higher => "more".into(),
                    Better::Lower => "less".into(),
                },
            ),
        ]),
    }
}

fn mean_rows(compared: &ComparisonReport, (at, pair): (usize, &PairTally), _: &mut Known) -> Vec<MeanRow> {
    let row = |metric: usize| {
        let [a, b] = compared.histograms(pair, metric);
        Some(MeanRow {
            about: About::of(compared, pair, metric),
            found: compared.difference(at, metric)?,
            trials: pair.trials,
            identical: compared.is_of_same_rules(pair).then_some(pair.identical),
            variance_ratio: variance_ratio(&pair.metrics[metric], &a, &b),
        })
    };
    (0..pair.metrics.len()).filter_map(row).collect()
}

/// A row of `comparison_quantiles.csv`.
#[derive(Debug)]
struct QuantileRow {
    about: About,
    found: QuantileDifference,
}

impl Leading for QuantileRow {
    fn game(&self) -> Cell {
        self.about.game.clone()
    }

    fn rules(&self) -> Cell {
        self.about.rules.clone()
    }
}

fn quantiles() -> Sheet<QuantileRow> {
    Sheet {
        file: "comparison_quantiles.csv",
        columns: after_game_and_both_rules(vec![
            column("metric", "", "what was measured", |r| r.about.metric.clone()),
            column("policy_a", "", "A", |r| r.about.policies[0].clone()),
            column("policy_b", "", "B", |r| r.about.policies[1].clone()),
            column(
                "quantile",
                "share",
                "which quantile: this share of the trials had its value or less",
                |r| Cell::Real(r.found.share, Form::Shortest),
            ),
            column("value_a", "unit of the metric", "the quantile of A", |r| r.found.a.into()),
            column("value_b", "unit of the metric", "the quantile of B", |r| r.found.b.into()),
            column("difference", "unit of the metric", "A − B", |r| r.found.value().into()),
            column(
                "low",
                "unit of the metric",
                "lower limit of the 95 % interval of the difference; empty after too few trials",
                |r| limit(&r.found.difference, 0, whole),
            ),
            column("high", "unit of the metric", "upper limit; empty after too few trials", |r| {
                limit(&r.found.difference, 1, whole)
            }),
            column("method", "", "how the interval is made", |r| {
                r.found.difference.method.to_string().into()
            }),
        ]),
    }
}

fn quantile_rows(
    compared: &ComparisonReport,
    (_, pair): (usize, &PairTally),
    _: &mut Known,
) -> Vec<QuantileRow> {
    let metric = compared.drawn.unwrap_or(0);
    let [a, b] = compared.histograms(pair, metric);
    let about = About::of(compared, pair, metric);
    let found = quantile_differences(&a, &b, compared.stopping());
    found.into_iter().map(|found| QuantileRow { about: about.clone(), found }).collect()
}

/// A row of `comparison_early.csv`.
#[derive(Debug)]
struct EarlyRow {
    about: About,
    trials: u64,
    /// How often the game ended early with A (first index: 0 no, 1 yes) and with B (second index).
    early: [[u64; 2]; 2],
    found: Estimate,
}

impl Leading for EarlyRow {
    fn game(&self) -> Cell {
        self.about.game.clone()
    }

    fn rules(&self) -> Cell {
        self.about.rules.clone()
    }
}

fn early() -> Sheet<EarlyRow> {
    Sheet {
        file: "comparison_early.csv",
        columns: after_game_and_both_rules(vec![
            column("policy_a", "", "A", |r| r.about.policies[0].clone()),
            column("policy_b", "", "B", |r| r.about.policies[1].clone()),
            column("trials", "trials", "how many trials both played", |r| r.trials.into()),
            column("both", "trials", "trials that ended early under both", |r| r.early[1][1].into()),
            column("a_alone", "trials", "trials that ended early under A alone", |r| r.early[1][0].into()),
            column("b_alone", "trials", "trials that ended early under B alone", |r| r.early[0][1].into()),
            column("neither", "trials", "trials that ended early under neither", |r| r.early[0][0].into()),
            column("share_difference", "share", "share of early ends, A − B", |r| {
                Cell::share(r.found.value)
            }),
            column("low", "share", "lower limit of its 95 % interval", |r| limit(&r.found, 0, Cell::share)),
            column("high", "share", "upper limit of its 95 % interval", |r| limit(&r.found, 1, Cell::share)),
            column("method", "", "how the interval is made", |r| r.found.method.to_string().into()),
        ]),
    }
}

fn early_row(compared: &ComparisonReport, (_, pair): (usize, &PairTally), _: &mut Known) -> Vec<EarlyRow> {
    let row = |found| EarlyRow {
        about: About::of(compared, pair, 0),
        trials: pair.trials,
        early: pair.early,
        found,
    };
    early_difference(pair, compared.stopping()).map(row).into_iter().collect()
}

/// A row of `comparison_distribution.csv`: a value of the first metric.
#[derive(Debug)]
struct DistributionRow {
    about: About,
    found: BinDifference,
    method: Cell,
}

impl Leading for DistributionRow {
    fn game(&self) -> Cell {
        self.about.game.clone()
    }

    fn rules(&self) -> Cell {
        self.about.rules.clone()
    }
}

fn distribution() -> Sheet<DistributionRow> {
    Sheet {
        file: "comparison_distribution.csv",
        columns: after_game_and_both_rules(vec![
            column("metric", "", "what was measured", |r| r.about.metric.clone()),
            column("policy_a", "", "A", |r| r.about.policies[0].clone()),
            column("policy_b", "", "B", |r| r.about.policies[1].clone()),
            column("value", "unit of the metric", "a value that A or B had", |r| r.found.value.into()),
            column("count_a", "trials", "trials in which A had it", |r| r.found.a.into()),
            column("count_b", "trials", "trials in which B had it", |r| r.found.b.into()),
            column("share_difference", "share", "share of the trials, A − B", |r| {
                Cell::share(r.found.difference.value)
            }),
            column("low", "share", "lower limit of its 95 % interval", |r| {
                limit(&r.found.difference, 0, Cell::share)
            }),
            column("high", "share", "upper limit of its 95 % interval", |r| {
                limit(&r.found.difference, 1, Cell::share)
            }),
            column("method", "", "how the interval is made", |r| r.method.clone()),
        ]),
    }
}

fn distribution_rows(
    compared: &ComparisonReport,
    (_, pair): (usize, &PairTally),
    known: &mut Known,
) -> Vec<DistributionRow> {
    let [a, b] = compared.histograms(pair, 0);
    let about = About::of(compared, pair, 0);
    let found = bin_differences(pair, &a, &b, compared.stopping(), known);
    // A method for all, so that its text is kept once.
    let method = found.first().map_or(Cell::Empty, |bin| bin.difference.method.to_string().into());
    let row = |found| DistributionRow { about: about.clone(), found, method: method.clone() };
    found.into_iter().map(row).collect()
}

/// A row of `divergent`: a trial, and the first decision in it that A and B make differently.
#[derive(Debug)]
struct PartingRow<'r> {
    policies: [Cell; 2],
    told: &'r Parted,
}

/// The trials in which pairs differ, with a column for every place of the state.
fn divergent(compared: &ComparisonReport) -> Dataset {
    let rows = || {
        compared.pairs().zip(&compared.partings).flat_map(|((_, pair), partings)| {
            let policies = compared.names(pair).map(Cell::from);
            partings.iter().map(move |told| PartingRow { policies: policies.clone(), told })
        })
    };
    let mut places: Vec<&str> = Vec::new();
    for (place, _) in rows().flat_map(|row| &row.told.first.places) {
        if !places.contains(place) {
            places.push(place);
        }
    }
    let states: Vec<Vec<Cell>> =
        rows().map(|row| places.iter().map(|&place| at(row.told, place)).collect()).collect();
    let sheet = Sheet {
        file: "divergent.csv",
        columns: vec![
            column("policy_a", "", "A", |r: &PartingRow<'_>| r.policies[0].clone()),
            column("policy_b", "", "B", |r| r.policies[1].clone()),
            column("trial", "", "the number of the trial, for `replay`", |r| r.told.trial.into()),
            column("seat", "", "the seat that decides, from 1", |r| (r.told.first.seat + 1).into()),
            column("turn", "", "its turn, from 1", |r| r.told.first.turn.into()),
            column("decisions_before", "decisions", "how many both make alike before", |r| {
                r.told.first.before.into()
            }),
            column("decision", "", "what is decided", |r| r.told.first.kind.into()),
            column("a", "", "the action of A", |r| Cell::from(&r.told.first.a)),
            column("b", "", "the action of B", |r| Cell::from(&r.told.first.b)),
        ],
    };
    let mut found = sheet.fill(rows());
    found.columns.extend(places.iter().map(|place| state(place)));
    found.rows.iter_mut().zip(states).for_each(|(row, state)| row.extend(state));
    found
}

/// The column of a place: `state_` and its name.
fn state(place: &str) -> Heading {
    let name = format!("state_{}", place.to_lowercase().replace(' ', "_"));
    let meaning = format!("the state of the game before the decision: {}", place.to_lowercase());
    Heading { name: name.into(), unit: Cow::Borrowed(""), meaning: meaning.into() }
}

fn at(told: &Parted, wanted: &str) -> Cell {
    let found = told.first.places.iter().find(|(place, _)| *place == wanted);
    found.map_or(Cell::Empty, |(_, text)| Cell::from(text))
}
