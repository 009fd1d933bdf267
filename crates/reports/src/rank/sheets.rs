//! The files of a ranking. Their columns are a contract.
//!
//! A cell is empty where nothing is known.

use std::sync::Arc;

use stopwise_analysis::estimate::Estimate;
use stopwise_analysis::rank::{Matchup, Race, RoundRobin, Verdict};
use stopwise_document::{Dataset, Real, Sheet};

use super::meeting::Meeting;
use super::sections::all_pairs;
use super::{By, Fresh, Pair, RankReport, Row};
use crate::leading;
use crate::tables::Tables;
use crate::words::limits;

/// The files of games for one.
pub const OF_RACES: [&str; 2] = ["rank.csv", "rank_pairs.csv"];
/// The files of games with seats.
pub const OF_ROBINS: [&str; 2] = ["rank.csv", "matches.csv"];

/// Adds all datasets, in the order of the files; after them who is unsettled in a race, and the cycles of a round robin: JSON
/// has these, and no file.
pub(super) fn datasets(tables: &mut Tables<'_>, ranked: &RankReport, rows: &[Row<'_>]) {
    let about = &RowContext::of(ranked);
    tables.add(rank().fill(rows.iter().enumerate().map(|(place, row)| RankRow {
        about: about.clone(),
        row,
        fresh: ranked.fresh.as_ref().filter(|_| place == 0),
    })));
    match &ranked.by {
        By::Race(race) => {
            let resolution = race.resolution();
            let of_place = |above| {
                ranked.pairs(race, above).map(|pair| PairRow { about: about.clone(), pair, resolution })
            };
            tables.large(pairs(), all_pairs(rows.len()), (rows.len(), of_place));
            tables.add(unsettled(ranked, race));
        }
        By::RoundRobin(robin) => {
            let of_place = |place| {
                ranked.meetings(robin, place).map(|meeting| MatchRow { about: about.clone(), meeting })
            };
            tables.large(matches(), 2 * all_pairs(rows.len()), (rows.len(), of_place));
            tables.add(cycles(ranked, robin));
        }
    }
}

/// The files without rows, for the dictionary.
pub(crate) fn columns() -> Vec<Dataset> {
    vec![rank().without_rows(), pairs().without_rows(), matches().without_rows()]
}

/// What all rows have in common.
#[derive(Clone, Debug)]
struct RowContext {
    game: Arc<str>,
    rules: Arc<str>,
    metric: Arc<str>,
    unit: Arc<str>,
    seats: usize,
    method: Arc<str>,
}

impl RowContext {
    fn of(ranked: &RankReport) -> Self {
        Self {
            game: ranked.game.into(),
            rules: ranked.rules.as_str().into(),
            metric: ranked.metric.name.into(),
            unit: ranked.unit().into(),
            seats: ranked.seats,
            method: ranked.method().to_string().into(),
        }
    }
}

/// The value of an estimate.
fn value(found: Option<Estimate>, value: fn(f64) -> Real) -> Option<Real> {
    found.map(|found| value(found.value))
}

/// A limit of its interval.
fn limit(found: Option<Estimate>, side: usize, value: fn(f64) -> Real) -> Option<Real> {
    limits(found.and_then(|found| found.interval), value)[side]
}

/// The order of two policies in a cell.
fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::A => "a",
        Verdict::B => "b",
        Verdict::Equal => "equal",
        Verdict::Open => "open",
    }
}

/// A row of `rank.csv`.
#[derive(Debug)]
struct RankRow<'r> {
    about: RowContext,
    row: &'r Row<'r>,
    /// Of the first alone.
    fresh: Option<&'r Fresh>,
}

impl RankRow<'_> {
    fn fresh_mean(&self) -> Option<Estimate> {
        self.fresh.map(|fresh| fresh.mean)
    }
}

fn rank<'r>() -> Sheet<RankRow<'r>> {
    leading::sheet("rank.csv", |r: &RankRow<'r>| r.about.game.clone(), |r| r.about.rules.clone())
        .column("metric", "", "what they were ranked by; `win` where there are seats", |r| {
            r.about.metric.clone()
        })
        .column("unit", "", "what one of the metric is", |r| r.about.unit.clone())
        .column(
            "policy",
            "",
            "the policy with its parameters; rows are in order, the best first as far as that is known",
            |r| r.row.policy,
        )
        .column("place_best", "", "the best place that it can have, from 1", |r| r.row.places.0)
        .column(
            "place_worst",
            "",
            "the worst place that it can have; the places of all policies hold together",
            |r| r.row.places.1,
        )
        .column(
            "groups",
            "",
            "letters: policies that share one cannot be distinguished; empty if there are too many \
             groups to name",
            |r| r.row.groups.as_ref().map(|groups| groups.join(" ")),
        )
        .column(
            "trials",
            "trials",
            "trials it played before it left the race; where there are seats, games at all of its tables",
            |r| r.row.trials,
        )
        .column(
            "mean",
            "unit of the metric",
            "mean of its trials; where there are seats its strength: the mean over all others of the \
             share of the games with a winner that it wins, of a win where those who tie share it",
            |r| value(r.row.mean, Real::number),
        )
        .column(
            "low",
            "unit of the metric",
            "lower limit of the mean, which holds together with everything else in the ranking; \
             empty if nothing bounds it",
            |r| limit(r.row.mean, 0, Real::number),
        )
        .column("high", "unit of the metric", "upper limit of the mean", |r| {
            limit(r.row.mean, 1, Real::number)
        })
        .column("method", "", "how the intervals are made", |r| r.about.method.clone())
        .column(
            "to_first",
            "unit of the metric",
            "what it has more than the first, over the trials that both played; empty for the first",
            |r| value(r.row.to_first, Real::number),
        )
        .column("to_first_low", "unit of the metric", "lower limit of that difference", |r| {
            limit(r.row.to_first, 0, Real::number)
        })
        .column("to_first_high", "unit of the metric", "upper limit of that difference", |r| {
            limit(r.row.to_first, 1, Real::number)
        })
        .column(
            "fresh_first_trial",
            "",
            "for the first policy, the first of the trials that its place does not rest on; where \
             there are seats, from the first of each table",
            |r| r.fresh.map(|fresh| fresh.first_trial),
        )
        .column(
            "fresh_trials",
            "trials",
            "how many of them; where there are seats, games at all of its tables",
            |r| r.fresh.map(|fresh| fresh.trials),
        )
        .column("fresh_mean", "unit of the metric", "its mean in them", |r| {
            value(r.fresh_mean(), Real::number)
        })
        .column(
            "fresh_low",
            "unit of the metric",
            "lower limit of the 95 % interval of that mean, for a number of trials fixed beforehand",
            |r| limit(r.fresh_mean(), 0, Real::number),
        )
        .column("fresh_high", "unit of the metric", "upper limit of that interval", |r| {
            limit(r.fresh_mean(), 1, Real::number)
        })
}

/// A row of `rank_pairs.csv`: two policies of a race.
#[derive(Debug)]
struct PairRow<'r> {
    about: RowContext,
    pair: Pair<'r>,
    resolution: f64,
}

fn pairs<'r>() -> Sheet<PairRow<'r>> {
    leading::sheet("rank_pairs.csv", |r: &PairRow<'r>| r.about.game.clone(), |r| r.about.rules.clone())
        .column("metric", "", "what they were ranked by", |r| r.about.metric.clone())
        .column("policy_a", "", "A: the one that is placed above", |r| r.pair.policies[0])
        .column("policy_b", "", "B", |r| r.pair.policies[1])
        .column("trials", "trials", "how many trials both played on the same dice", |r| r.pair.trials)
        .column("mean_difference", "unit of the metric", "mean of A − B over them", |r| {
            Real::number(r.pair.difference.value)
        })
        .column(
            "low",
            "unit of the metric",
            "lower limit of the mean difference, which holds together with everything else in the \
             ranking; empty if nothing bounds it",
            |r| limit(Some(r.pair.difference), 0, Real::number),
        )
        .column("high", "unit of the metric", "upper limit of the mean difference", |r| {
            limit(Some(r.pair.difference), 1, Real::number)
        })
        .column("method", "", "how the interval is made", |r| r.about.method.clone())
        .column("resolution", "unit of the metric", "differences up to this are too small to matter", |r| {
            Real::number(r.resolution)
        })
        .column(
            "better",
            "",
            "`a` or `b`: that one is known to be better, perhaps by way of others; `equal`: within \
             the resolution; `open`: not known",
            |r| word(r.pair.verdict),
        )
}

/// A row of `matches.csv`: a policy with one seat at a table of another.
#[derive(Debug)]
struct MatchRow<'r> {
    about: RowContext,
    meeting: Meeting<'r>,
}

fn matches<'r>() -> Sheet<MatchRow<'r>> {
    leading::sheet("matches.csv", |r: &MatchRow<'r>| r.about.game.clone(), |r| r.about.rules.clone())
        .column("seats", "seats", "how many", |r| r.about.seats)
        .column("policy_a", "", "A: one seat", |r| r.meeting.policies[0])
        .column("policy_b", "", "B: all other seats", |r| r.meeting.policies[1])
        .column("first_trial", "", "the first trial of the table, for `replay`", |r| r.meeting.first_trial)
        .column("games", "games", "games of the table; everybody moves on by a seat from game to game", |r| {
            r.meeting.table.games
        })
        .column("no_winner", "games", "games that nobody won", |r| no_winner(&r.meeting.table))
        .column("a_share", "share", "share of the games with a winner that A won, of a win where those who tie share it; 1 / seats is fair", |r| {
            value(r.meeting.share, Real::share)
        })
        .column(
            "a_share_low",
            "share",
            "lower limit of the share, which holds together with everything else in the ranking \
             (Clopper-Pearson)",
            |r| limit(r.meeting.share, 0, Real::share),
        )
        .column("a_share_high", "share", "upper limit of the share", |r| {
            limit(r.meeting.share, 1, Real::share)
        })
        .column("lead", "share", "share of A against B less that of B against A", |r| {
            value(r.meeting.lead, Real::share)
        })
        .column("lead_low", "share", "lower limit of the lead; above 0 A beats B", |r| {
            limit(r.meeting.lead, 0, Real::share)
        })
        .column("lead_high", "share", "upper limit of the lead", |r| limit(r.meeting.lead, 1, Real::share))
        .column(
            "effect",
            "share",
            "line-up effect: half the lead less what an additive model of strengths makes of it; \
             empty for two policies",
            |r| value(r.meeting.effect, Real::share),
        )
        .column("effect_low", "share", "lower limit of the effect", |r| {
            limit(r.meeting.effect, 0, Real::share)
        })
        .column("effect_high", "share", "upper limit of the effect", |r| {
            limit(r.meeting.effect, 1, Real::share)
        })
        .column("better", "", "`a` or `b`: that one beats the other; `open`: not known", |r| {
            word(r.meeting.verdict)
        })
        .column("method", "", "how the intervals are made", |r| r.about.method.clone())
}

const fn no_winner(table: &Matchup) -> u64 {
    table.games - table.decided
}

/// The policies of a race whose order is neither known nor within the resolution.
fn unsettled(ranked: &RankReport, race: &Race) -> Dataset {
    let sheet =
        Sheet::new("unsettled.csv").column("policy", "", "the policy", |label: &&String| label.as_str());
    sheet.fill(race.left().iter().map(|&arm| &ranked.labels[arm]))
}

/// A step of a cycle.
#[derive(Debug)]
struct CycleEdge<'r> {
    cycle: usize,
    policies: [&'r str; 2],
    share: Option<Estimate>,
}

/// The cycles of a round robin, a row for each step.
fn cycles(ranked: &RankReport, robin: &RoundRobin) -> Dataset {
    let sheet = Sheet::<CycleEdge<'_>>::new("cycles.csv")
        .column("cycle", "", "the number of the cycle, from 1", |r| r.cycle)
        .column("policy", "", "a policy of the cycle", |r| r.policies[0])
        .column("beats", "", "the next one, which it is known to beat", |r| r.policies[1])
        .column(
            "share",
            "share",
            "of the games with a winner that it wins against that one, of a win where those who tie share it",
            |r| value(r.share, Real::share),
        );
    let cycles = robin.cycles();
    let steps = cycles.iter().zip(1..).flat_map(|(found, cycle)| {
        super::meeting::steps(found).map(move |[a, b]| CycleEdge {
            cycle,
            policies: [a, b].map(|number| ranked.labels[number].as_str()),
            share: robin.share(a, b),
        })
    });
    sheet.fill(steps)
}
