//! Every variant with every policy, a row each: what the policy wins or scores, how far apart the seats are if it plays in all of
//! them, and how long games are. A variant is fair if it is with whoever plays.

use stopwise_analysis::balance::{Level, Quantity, Statistic};
use stopwise_analysis::estimate::{Estimate, quantile};
use stopwise_document::chart::{Axis, Intervals, Mark, Plot, Row};
use stopwise_document::{Chart, Real, Section, Sheet, View};
use stopwise_engine::tally::Tally;

use super::columns::{METHOD, POLICY_IN_EVERY_SEAT, TRIALS, figure};
use super::seats::{self, Apart};
use super::topics::with_limits;
use super::verdicts::{overall, place};
use super::{BalanceReport, Claim, Ruled, alike, contest};
use crate::numbers::{MEAN, PERCENT, POINTS, Style};
use crate::words::{limits, pair, percent};
use crate::{cap, leading};

/// Of the lengths of games the middle 90 % are told.
const LENGTHS: [f64; 3] = [0.05, 0.5, 0.95];

/// A variant with a policy. Limits hold each by itself.
#[derive(Debug)]
pub(super) struct Way<'b> {
    balanced: &'b BalanceReport,
    variant: usize,
    /// The first variant that plays the same games.
    first: usize,
    policy: usize,
    /// What the policy wins with one seat at a table of naive ones, or its mean score.
    performance: Option<Estimate>,
    /// Of a game for several, with the policy in every seat, in which somebody won.
    apart: Option<Apart>,
    turns: Option<Estimate>,
    /// The turns that [`LENGTHS`] of the games do not exceed.
    lengths: [Option<u32>; 3],
}

impl<'b> Way<'b> {
    fn of(balanced: &'b BalanceReport, (variant, first): (usize, usize), policy: usize) -> Self {
        let ruled = &balanced.variants[variant];
        let level = Level::SINGLE;
        let turns =
            ruled.measures.iter().find(|measure| measure.statistic == Statistic::Mean(Quantity::Turns));
        let lengths = turns.and_then(|_| balanced.sample(variant, policy).whole(Quantity::Turns));
        Self {
            balanced,
            variant,
            first,
            policy,
            performance: balanced.performance(variant, policy, level),
            apart: Apart::of(balanced, variant, policy, level.among(ruled.seats)),
            turns: turns.and_then(|turns| balanced.measured(variant, policy, turns, level)),
            lengths: LENGTHS.map(|share| Some(quantile(lengths.as_deref()?, share))),
        }
    }

    fn ruled(&self) -> &'b Ruled {
        &self.balanced.variants[self.variant]
    }

    fn tally(&self) -> &'b Tally {
        &self.balanced.tallies[self.variant][self.policy]
    }

    fn policy(&self) -> &'b str {
        &self.balanced.policies[self.policy]
    }

    /// The share of the games that a cap cuts off.
    fn cut(&self) -> f64 {
        cap::capped(&self.ruled().endings, &self.tally().endings) as f64 / self.tally().trials.max(1) as f64
    }

    /// Of a game for several the share of the games that nobody wins.
    fn unwon(&self) -> Option<f64> {
        let measure =
            self.ruled().measures.iter().find(|measure| measure.statistic == Statistic::NoWinner)?;
        Some(self.balanced.measured(self.variant, self.policy, measure, Level::SINGLE)?.value)
    }

    /// What it wins at a table, or scores alone.
    fn performed(&self, style: Style, at_a_table: bool) -> Option<String> {
        let found = self.performance.filter(|_| (self.ruled().seats > 1) == at_a_table)?;
        Some(style.fine(found.interval).number(found.value))
    }

    /// Of what the policy has, in files.
    fn figure(&self, value: f64) -> Real {
        figure(value, self.ruled().seats > 1)
    }

    fn limits(&self) -> [Option<Real>; 2] {
        limits(self.performance.and_then(|found| found.interval), |limit| self.figure(limit))
    }

    fn apart_limits(&self) -> [Option<Real>; 2] {
        limits(self.apart.as_ref().map(|apart| apart.interval), Real::share)
    }

    fn turn_limits(&self) -> [Option<Real>; 2] {
        limits(self.turns.and_then(|found| found.interval), Real::number)
    }
}

/// The variants, one for each game that they play: those that meet all targets first, then those whose seats are nearest to each
/// other whoever plays.
fn order(balanced: &BalanceReport, claims: &[Claim<'_>]) -> Vec<usize> {
    let mut order = alike::firsts(balanced);
    let apart =
        |variant| seats::at_most(balanced, variant, Level::SINGLE).map_or(f64::INFINITY, |most| most.value());
    let verdict = |variant| overall(balanced, claims, variant).map_or(u8::MAX, place);
    let key: Vec<_> =
        (0..balanced.variants.len()).map(|variant| (verdict(variant), apart(variant))).collect();
    order.sort_by(|&a, &b| key[a].0.cmp(&key[b].0).then(key[a].1.total_cmp(&key[b].1)));
    order
}

/// The table, and for several seats a picture.
pub(super) fn section(balanced: &BalanceReport, claims: &[Claim<'_>]) -> Section {
    let mut section = Section::new("Every variant with every policy");
    if balanced.variants.len() * balanced.policies.len() == 1 {
        return section;
    }
    let names = alike::names(balanced);
    let all = ways(balanced, order(balanced, claims));
    let mut columns: Vec<Column> = vec![
        ("wins", |way| way.performed(PERCENT, true)),
        ("mean score", |way| way.performed(MEAN.to(2), false)),
        ("seats apart", |way| {
            way.apart.as_ref().map(|apart| with_limits(POINTS.unsigned(), apart.estimate()))
        }),
        ("turns", |way| Some(MEAN.to(2).number(way.turns?.value))),
        ("90 % have", |way| {
            let [Some(low), _, Some(high)] = way.lengths else { return None };
            Some(format!("{low} to {high}"))
        }),
        ("cut off", |way| Some(way.cut()).filter(|&cut| cut > 0.0).map(percent)),
    ];
    columns.retain(|(_, cell)| all.iter().any(|way| cell(way).is_some()));
    let mut view = View::new("").texts("variant").texts("policy").heads();
    view = columns.iter().fold(view, |view, (title, _)| view.texts(*title));
    for way in &all {
        let heads = [names[way.variant].clone(), way.policy().to_owned()];
        view.row(
            heads.into_iter().chain(columns.iter().map(|(_, cell)| cell(way).unwrap_or_else(|| "–".into()))),
        );
    }
    section.view(view);
    let notes = [
        ("wins", format!("wins: {}, of the games with a winner; fair is one in as many as play", contest::table(balanced))),
        (
            "seats apart",
            "seats apart: the most that a seat wins less the least, in percentage points, with the policy in every seat (95 %, each by \
             itself)"
                .into(),
        ),
        ("turns", "turns: of a whole game, on average, and what 90 % of the games have".into()),
        ("cut off", "cut off: games that end at a cap".into()),
    ];
    let told = notes.into_iter().filter(|(column, _)| columns.iter().any(|(title, _)| title == column));
    let told: Vec<_> = told.map(|(_, note)| note).collect();
    section.note(format!("{}.", told.join("; ")));
    chart(balanced, &all).into_iter().for_each(|chart| section.chart(chart));
    section
}

/// A column of the table: its title, and its cell where something is known.
type Column = (&'static str, fn(&Way<'_>) -> Option<String>);

/// How far apart the seats are, in games for several.
fn chart(balanced: &BalanceReport, all: &[Way<'_>]) -> Option<Chart> {
    let names = alike::names(balanced);
    let row = |way: &Way<'_>| {
        let found = way.apart.as_ref().map(Apart::estimate);
        Row {
            label: way.policy().to_owned(),
            group: names[way.variant].clone(),
            value: found.map(|found| found.value),
            interval: found.and_then(|found| pair(found.interval)),
            note: way.apart.as_ref().map_or_else(|| "nobody wins".into(), Apart::told_ends),
            ..Row::default()
        }
    };
    let plot = Intervals {
        x: Axis::points("most wins less least wins"),
        rows: all.iter().filter(|way| way.ruled().seats > 1).map(row).collect(),
        reference: Some(Mark { at: 0.0, label: "fair".into() }),
    };
    let sentence = "The less, the fairer: how much of the games the seat that wins most wins more than the one that wins least, with \
                    the same policy in every seat. A variant is fair if it is with every policy; 95 % intervals, each by itself.";
    balanced
        .has_seats()
        .then(|| Chart::new("How far apart the seats are, whoever plays", sentence, Plot::Intervals(plot)))
}

/// The file. Limits are 95 % limits, each by itself.
pub(super) fn sheet<'b>() -> Sheet<Way<'b>> {
    leading::sheet("overview.csv", |r: &Way<'b>| r.balanced.game, |r| r.ruled().name.as_str())
        .column("changed", "", "the options in which the rules differ from the base", |r| r.ruled().changed.join("; "))
        .column(
            "same_games_as",
            "",
            "the first rules of the file if they play the same games with every policy, as far as all sums tell; else empty",
            |r| (r.first != r.variant).then(|| r.balanced.variants[r.first].name.as_str()),
        )
        .column("policy", "", POLICY_IN_EVERY_SEAT, |r| r.policy())
        .column("seats", "seats", "how many play", |r| r.ruled().seats)
        .column(
            "measure",
            "",
            "what the policy has: `wins against naive`, with one seat at a table of naive policies, or in a game alone `mean score`",
            |r| r.performance.map(|_| if r.ruled().seats > 1 { "wins against naive" } else { "mean score" }),
        )
        .column("value", "unit of the measure", "the estimate: a share of the games with a winner, or a score", |r| {
            r.performance.map(|found| r.figure(found.value))
        })
        .column("low", "unit of the measure", "lower limit of the 95 % interval, by itself", |r| r.limits()[0])
        .column("high", "unit of the measure", "upper limit", |r| r.limits()[1])
        .column("method", "", METHOD, |r| r.performance.map(|found| found.method.to_string()))
        .column("most_seat", "", "the seat that wins most, with the policy in every seat; empty in a game alone", |r| {
            r.apart.as_ref().map(|apart| apart.ends[0].0 + 1)
        })
        .column("most", "share of games", "what it wins of the games with a winner", |r| {
            r.apart.as_ref().map(|apart| Real::share(apart.ends[0].1))
        })
        .column("least_seat", "", "the seat that wins least", |r| r.apart.as_ref().map(|apart| apart.ends[1].0 + 1))
        .column("least", "share of games", "what it wins of the games with a winner", |r| {
            r.apart.as_ref().map(|apart| Real::share(apart.ends[1].1))
        })
        .column("apart", "share of games", "most − least: how far apart the seats are", |r| {
            r.apart.as_ref().map(|apart| Real::share(apart.value()))
        })
        .column("apart_low", "share of games", "lower limit of the 95 % interval, by itself", |r| r.apart_limits()[0])
        .column("apart_high", "share of games", "upper limit", |r| r.apart_limits()[1])
        .column("no_winner", "share of games", "games that nobody wins; empty in a game alone", |r| {
            r.unwon().map(Real::share)
        })
        .column("cut_off", "share of games", "games that end at a cap", |r| Real::share(r.cut()))
        .column("turns", "turns", "turns of a game, of all seats together, on average", |r| {
            r.turns.map(|found| Real::number(found.value))
        })
        .column("turns_low", "turns", "lower limit of the 95 % interval, by itself", |r| r.turn_limits()[0])
        .column("turns_high", "turns", "upper limit", |r| r.turn_limits()[1])
        .column("turns_p05", "turns", "turns that 5 of 100 games do not exceed", |r| r.lengths[0])
        .column("turns_p50", "turns", "turns that half of the games do not exceed", |r| r.lengths[1])
        .column("turns_p95", "turns", "turns that 95 of 100 games do not exceed", |r| r.lengths[2])
        .column("trials", "trials", TRIALS, |r| r.balanced.trials)
}

/// Its rows: all variants with all policies, in their order.
pub(super) fn rows(balanced: &BalanceReport) -> Vec<Way<'_>> {
    ways(balanced, 0..balanced.variants.len())
}

/// Variants with all policies.
fn ways(balanced: &BalanceReport, variants: impl IntoIterator<Item = usize>) -> Vec<Way<'_>> {
    let first = alike::standing_for(balanced);
    let of = |variant: usize| {
        let first = first[variant];
        (0..balanced.policies.len()).map(move |policy| Way::of(balanced, (variant, first), policy))
    };
    variants.into_iter().flat_map(of).collect()
}
