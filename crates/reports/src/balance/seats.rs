//! Which seat wins most and which least, where there are three or more: what the first of them wins does not say it.

use stopwise_analysis::binomial::mean_share_limits;
use stopwise_analysis::estimate::{Estimate, Interval, Level, Method};
use stopwise_analysis::won::{of_seat, won_by_all};
use stopwise_narration::counted;

use super::{BalanceReport, alike};
use crate::numbers::POINTS;
use crate::words::percent;
use crate::{cap, fair};

/// The seats of a variant, of the games with a winner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Apart {
    variant: usize,
    policy: usize,
    /// The seat that wins most and the one that wins least, with their shares.
    pub(super) ends: [(usize, f64); 2],
    pub(super) interval: Interval,
    level: Level,
    /// The games with a winner, if all seats share each of them.
    shared: Option<u64>,
}

impl Apart {
    /// Of a variant with a policy in every seat; `None` if nobody won.
    pub(super) fn of(balanced: &BalanceReport, variant: usize, policy: usize, level: Level) -> Option<Self> {
        let (ruled, tally) = (&balanced.variants[variant], &balanced.tallies[variant][policy]);
        let won: Vec<_> = (0..ruled.seats).map(|seat| of_seat(tally, seat, &ruled.metrics)).collect();
        let limits: Vec<_> =
            won.iter().map(|&(wins, decided)| mean_share_limits(wins, decided, level)).collect();
        let by_wins = |&a: &usize, &b: &usize| won[a].0.total_cmp(&won[b].0);
        let most = (0..won.len()).rev().max_by(by_wins)?;
        let least = (0..won.len()).min_by(by_wins)?;
        let ends = [most, least].map(|seat| (seat, won[seat].0 / won[seat].1 as f64));
        (won[0].1 > 0 && ruled.seats > 1).then(|| Self {
            variant,
            policy,
            ends,
            interval: fair::apart(&limits),
            level,
            shared: won_by_all(tally, &ruled.metrics),
        })
    }

    pub(super) fn value(&self) -> f64 {
        self.ends[0].1 - self.ends[1].1
    }

    /// As one number.
    pub(super) fn estimate(&self) -> Estimate {
        let (value, interval) = (self.value(), Some(self.interval));
        Estimate { value, interval, method: Method::Exact, level: self.level }
    }

    /// Who is apart: `seat 3 wins 29.01 %, seat 4 18.11 %`.
    pub(super) fn told_ends(&self) -> String {
        let [(most, share), (least, other)] = self.ends;
        format!("seat {} wins {}, seat {} {}", most + 1, percent(share), least + 1, percent(other))
    }

    /// `seat 3 wins most, 29.01 % of the games with a winner, and seat 4 least, 18.11 %: 10.9 percentage points apart …`
    fn words(&self, wins: &str, of: &str, level: Level) -> String {
        if let Some(games) = self.shared {
            let games = counted(games, "game");
            return format!("every game ends in a tie of all seats, in all {games} with a winner");
        }
        let [(most, share), (least, other)] = self.ends;
        let (style, interval) = (POINTS.unsigned(), Some(self.interval));
        let nothing = if self.interval.low > 0.0 { "" } else { ", which may be nothing" };
        let who = match share == other {
            true => format!("all seats {}{}{of}", if wins.is_empty() { "" } else { "win " }, percent(share)),
            false => format!(
                "seat {} {wins}most, {}{of}, and seat {} least, {}",
                most + 1,
                percent(share),
                least + 1,
                percent(other)
            ),
        };
        format!(
            "{who}: {} percentage points apart ({level}: {}){nothing}",
            style.fine(interval).number(self.value()),
            style.range(interval)
        )
    }
}

/// Whether some variant is for three or more.
pub(super) fn are_many(balanced: &BalanceReport) -> bool {
    balanced.variants.iter().any(|ruled| ruled.seats > 2)
}

/// How far apart the seats of a variant are at most, whichever policy plays in all of them; limits of all policies and seats hold
/// together, if the level is theirs. Of a policy whose games are mostly cut off nothing is said.
pub(super) fn at_most(balanced: &BalanceReport, variant: usize, level: Level) -> Option<Apart> {
    let is_cut = |policy: usize| {
        let tally = &balanced.tallies[variant][policy];
        2 * cap::capped(&balanced.variants[variant].endings, &tally.endings) > tally.trials
    };
    let policies = (0..balanced.policies.len()).filter(|&policy| !is_cut(policy));
    let all: Vec<_> = policies.filter_map(|policy| Apart::of(balanced, variant, policy, level)).collect();
    let most = all.iter().max_by(|a, b| a.value().total_cmp(&b.value()))?;
    let highest = |limit: fn(&Apart) -> f64| all.iter().map(limit).fold(0.0, f64::max);
    let interval =
        Interval { low: highest(|apart| apart.interval.low), high: highest(|apart| apart.interval.high) };
    Some(Apart { interval, ..*most })
}

/// Whether it is known, of variants in rising order, under which seats are nearest to each other and under which farthest apart.
fn are_known(all: &[Apart]) -> (bool, bool) {
    let [nearest, .., farthest] = all else { return (true, true) };
    (
        all[1..].iter().all(|other| nearest.interval.high < other.interval.low),
        all[..all.len() - 1].iter().all(|other| other.interval.high < farthest.interval.low),
    )
}

/// Under which variants the seats are nearest to each other and farthest apart, whoever plays, as far as limits tell.
pub(super) fn whoever_plays(balanced: &BalanceReport) -> Option<String> {
    let shown = alike::firsts(balanced);
    let seats: usize = shown.iter().map(|&variant| balanced.variants[variant].seats).sum();
    let level = Level::SINGLE.among(seats * balanced.policies.len());
    let mut all: Vec<_> = shown.iter().filter_map(|&variant| at_most(balanced, variant, level)).collect();
    all.sort_by(|a, b| a.value().total_cmp(&b.value()));
    let told = |apart: &Apart, points: &str| {
        let style = POINTS.unsigned().fine(Some(apart.interval));
        let limits = style.range(Some(apart.interval));
        let size = style.number(apart.value());
        format!(
            "{size}{points} ({limits}) under {}, with {}",
            balanced.name(apart.variant),
            balanced.policies[apart.policy]
        )
    };
    let [nearest, .., farthest] = &all[..] else { return None };
    if all.iter().all(|apart| apart.shared.is_some()) {
        return Some("With the least fair policy of each variant in every seat, every game with a winner ends in a tie of all seats under every variant.".into());
    }
    let [first, last] = [told(nearest, " percentage points apart"), told(farthest, "")];
    let unknown = "and these trials do not tell under which variant they are";
    let apart = match are_known(&all) {
        (true, true) => format!("are nearest {first}; and farthest apart {last}"),
        (true, false) => format!("are nearest {first}; up to {last}, {unknown} farthest apart"),
        (false, true) => format!("are {first}; farthest apart {last}, {unknown} nearest"),
        (false, false) => format!("are {first}, up to {last}, {unknown} nearest or farthest apart"),
    };
    Some(format!(
        "With the least fair policy of each variant in every seat, the seat that wins most and the one that wins least {apart} ({level})."
    ))
}

/// The sentences, with a policy in every seat: under the base, and where the seats are nearest to equal and farthest apart. All
/// limits hold together.
pub(super) fn answer(balanced: &BalanceReport, policy: usize) -> Vec<String> {
    let is_other = |&variant: &usize| variant == 0 || !balanced.variants[variant].changed.is_empty();
    let told: Vec<_> = alike::firsts(balanced).into_iter().filter(is_other).collect();
    let level = Level::SINGLE.among(told.iter().map(|&variant| balanced.variants[variant].seats).sum());
    let mut all: Vec<_> =
        told.iter().filter_map(|&variant| Apart::of(balanced, variant, policy, level)).collect();
    let name = |apart: &Apart| balanced.name(apart.variant);
    let fair = |apart: &Apart| match apart.shared {
        Some(_) => String::new(),
        None => format!("; fair is {}", percent(1.0 / balanced.variants[apart.variant].seats as f64)),
    };
    let (won, mut said) = (balanced.won(), Vec::new());
    if let Some(base) = all.iter().position(|apart| apart.variant == 0).map(|at| all.remove(at)) {
        said.push(format!(
            "With {} in every seat under {}, {}{}.",
            balanced.policies[policy],
            name(&base),
            base.words("wins ", won.of, level),
            fair(&base)
        ));
    }
    all.sort_by(|a, b| a.value().total_cmp(&b.value()));
    match &all[..] {
        [] => {}
        // Of several policies it is told whichever plays.
        [_, _, ..] if balanced.policies.len() > 1 => {}
        [only] => {
            said.push(format!("Under {}, {}{}.", name(only), only.words("", "", level), fair(only)));
        }
        [nearest, .., farthest] => {
            let [first, last] = [nearest, farthest].map(|apart| apart.words("", "", level));
            let (near, far) = (name(nearest), name(farthest));
            let unknown = |which: &str| format!("; these trials do not tell under which seats are {which}");
            let (told, unknown) = match are_known(&all) {
                (true, true) => {
                    (["seats are nearest to each other under", "and farthest under"], String::new())
                }
                (true, false) => {
                    (["seats are nearest to each other under", "and under"], unknown("farthest apart"))
                }
                (false, true) => (["under", "and seats are farthest apart under"], unknown("nearest")),
                (false, false) => (["under", "and under"], unknown("nearest or farthest apart")),
            };
            let [of_near, of_far] = told;
            said.push(format!(
                "Of the other variants, {of_near} {near}: {first}; {of_far} {far}: {last}{unknown}."
            ));
        }
    }
    said
}
