//! Round robins, for games with several seats.

use super::cycles::cycles;
use super::ranking::Ranking;
use crate::estimate::{Estimate, LEAST_ALPHA, Level, Method};
use crate::mover::Combined;

/// A matchup: one policy has one seat, another all other seats. The line-up is rotated from game to game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matchup {
    /// The policy that has one seat.
    pub one: usize,
    /// The policy that has the others.
    pub others: usize,
    /// Games played.
    pub games: u64,
    /// Games with a winner.
    pub decided: u64,
    /// Games that the policy with one seat won; of those that several won together, its shares.
    pub wins: f64,
}

/// Less than any part of a game.
const LEVEL: f64 = 1e-6;

impl Matchup {
    /// The offset between the trials of consecutive tables: table *i* begins with trial *i* times this number. So
    /// tables share no dice, and the games of a table do not depend on how many others play.
    pub const TRIALS: u64 = 1 << 32;

    /// The size of this number of tables in bytes, including their results.
    pub fn bytes(tables: usize) -> u64 {
        const FOUND: usize = 4;
        tables as u64 * (size_of::<Self>() * FOUND) as u64
    }

    /// The share of the games with a winner that the policy with one seat won.
    fn share(&self, level: Level) -> Combined {
        Combined::of_sum(1.0, self.wins, self.decided, level)
    }
}

/// The tables of a round robin, without games: one for every pair of policies if there are two seats, otherwise two,
/// with one seat for either policy. A policy added at the end adds tables at the end.
pub fn tables(policies: usize, seats: usize) -> Vec<Matchup> {
    let table = |one, others| Matchup { one, others, games: 0, decided: 0, wins: 0.0 };
    let pairs = (0..policies).flat_map(|b| (0..b).map(move |a| (a, b)));
    let sides = if seats == 2 { 1 } else { 2 };
    pairs.flat_map(|(a, b)| [table(a, b), table(b, a)].into_iter().take(sides)).collect()
}

/// A round robin. All tables play a fixed number of games, each table with its own dice.
///
/// The **share** of A against B is the share of the games with a winner that A wins with one seat at a table of B; 1 /
/// *n* is fair. The **lead** of A over B is the share of A against B less that of B against A: if it is known to be
/// above 0, A beats B. The **strength** of A is its mean share over all others. With two seats the shares of two
/// policies against each other sum to 1.
///
/// In the additive model, half the lead of A over B is the gain of A less the gain of B, one parameter per policy. The
/// residual of its least-squares fit is the **line-up effect** of the pair. The model is additive in shares, which are
/// bounded by 0 and 1: a policy that loses nearly every game does better against strong ones than the model says,
/// because it cannot do worse.
///
/// Shares have exact intervals; everything else combines those of independent tables by MOVER
/// ([`combination`](crate::mover::combination)). All intervals of all policies and pairs hold simultaneously with
/// probability 1 − α (Bonferroni), for a fixed number of games.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundRobin {
    policies: usize,
    seats: usize,
    tables: Vec<Matchup>,
    level: Level,
    /// For every policy, the sum of its shares against all others, and of its leads over them.
    sums: Vec<[Combined; 2]>,
}

impl RoundRobin {
    /// The round robin of [`tables`] with their games.
    ///
    /// # Panics
    ///
    /// If these are not the tables of this number of policies and seats, or if α is not from
    /// [`LEAST_ALPHA`] to below 1.
    pub fn new(policies: usize, seats: usize, tables: Vec<Matchup>, alpha: f64) -> Self {
        let who = |table: &Matchup| (table.one, table.others);
        let expected = self::tables(policies, seats);
        assert!(tables.iter().map(who).eq(expected.iter().map(who)), "the tables of the round robin");
        assert!((LEAST_ALPHA..1.0).contains(&alpha), "alpha {alpha} is not from {LEAST_ALPHA} to below 1");
        let level = Level::new(alpha).among(statements(policies, seats));
        let mut robin = Self { policies, seats, tables, level, sums: Vec::new() };
        let of = |a| [robin.against_all(a, level), robin.sum(a, |b| robin.lead_at(a, b, level))];
        robin.sums = (0..policies).map(of).collect();
        robin
    }

    /// The tables.
    pub fn tables(&self) -> &[Matchup] {
        &self.tables
    }

    /// The place among the tables of that at which A has one seat and B the others; with two seats they share one.
    pub fn table_of(&self, a: usize, b: usize) -> usize {
        let (less, more) = (a.min(b), a.max(b));
        let pair = more * (more - 1) / 2 + less;
        if self.seats == 2 { pair } else { 2 * pair + usize::from(a > b) }
    }

    /// The table that does not tell the two apart, by its place, if there is one: nobody wins a game, or, where those who tie
    /// share a win, they share all of them.
    pub fn level_table(&self, is_shared: bool) -> Option<usize> {
        let is_level = |table: &Matchup| match is_shared {
            true => {
                table.decided > 0 && (table.wins * self.seats as f64 - table.decided as f64).abs() < LEVEL
            }
            false => table.decided == 0,
        };
        self.tables.iter().rposition(is_level)
    }

    fn share_at(&self, a: usize, b: usize, level: Level) -> Combined {
        let share = self.tables[self.table_of(a, b)].share(level);
        // The games with a winner that the other did not win.
        if self.seats == 2 && a > b { share.times(-1.0).offset(1.0) } else { share }
    }

    fn lead_at(&self, a: usize, b: usize, level: Level) -> Combined {
        let share = self.share_at(a, b, level);
        match self.seats {
            2 => share.times(2.0).offset(-1.0),
            _ => share.plus(self.share_at(b, a, level).times(-1.0)),
        }
    }

    /// The sum over all policies but A.
    fn sum(&self, a: usize, of: impl Fn(usize) -> Combined) -> Combined {
        (0..self.policies).filter(|&b| b != a).map(of).fold(Combined::default(), Combined::plus)
    }

    /// The sum of the shares of A against all others.
    fn against_all(&self, a: usize, level: Level) -> Combined {
        self.sum(a, |b| self.share_at(a, b, level))
    }

    fn estimate(&self, combined: Combined) -> Option<Estimate> {
        combined.estimate(self.method(), self.level)
    }

    /// The method of all of its intervals.
    pub fn method(&self) -> Method {
        Method::MoverOverTables
    }

    /// The level at which all of its intervals hold simultaneously.
    pub fn level(&self) -> Level {
        self.level
    }

    /// The share of A with one seat at a table of B; `None` if no game had a winner.
    pub fn share(&self, a: usize, b: usize) -> Option<Estimate> {
        self.estimate(self.share_at(a, b, self.level))
    }

    /// The share of A against B less that of B against A.
    pub fn lead(&self, a: usize, b: usize) -> Option<Estimate> {
        self.estimate(self.lead_at(a, b, self.level))
    }

    /// The mean share of A over all others.
    pub fn strength(&self, a: usize) -> Option<Estimate> {
        self.estimate(self.sums[a][0].times(self.per_other()))
    }

    /// The strength with a 95 % interval by itself, for the winner on fresh trials. Only the tables of A need games.
    pub fn strength_alone(&self, a: usize) -> Option<Estimate> {
        let strength = self.against_all(a, Level::SINGLE).times(self.per_other());
        strength.estimate(self.method(), Level::SINGLE)
    }

    fn per_other(&self) -> f64 {
        1.0 / (self.policies - 1) as f64
    }

    /// The strength of A less that of B.
    pub fn gap(&self, a: usize, b: usize) -> Option<Estimate> {
        let others = |a: usize, b| self.sums[a][0].without(self.share_at(a, b, self.level));
        let each = others(a, b).plus(others(b, a).times(-1.0));
        self.estimate(each.plus(self.lead_at(a, b, self.level)).times(self.per_other()))
    }

    /// The line-up effect: half the lead of A over B less its value in the additive model, in which the gain of a policy
    /// is half its mean lead over all policies, including a lead of 0 over itself. `None` for fewer than three policies,
    /// which the model fits exactly.
    pub fn effect(&self, a: usize, b: usize) -> Option<Estimate> {
        let policies = self.policies as f64;
        let others = |a: usize, b| self.sums[a][1].without(self.lead_at(a, b, self.level));
        let of_others = others(b, a).plus(others(a, b).times(-1.0)).times(0.5 / policies);
        // Either gain has its part of the lead.
        let own = self.lead_at(a, b, self.level).times(0.5 - 1.0 / policies);
        (self.policies > 2).then(|| self.estimate(own.plus(of_others)))?
    }

    /// Whether A is known to beat B.
    pub fn beats(&self, a: usize, b: usize) -> bool {
        a != b && self.lead(a, b).is_some_and(|lead| lead.is_above(0.0))
    }

    /// Cycles of policies that beat each other: see [`cycles`].
    pub fn cycles(&self) -> Vec<Vec<usize>> {
        cycles(self.policies, |a, b| self.beats(a, b))
    }

    /// The order by strength, as far as it is known.
    pub fn ranking(&self) -> Ranking {
        let is_stronger = |a, b| a != b && self.gap(a, b).is_some_and(|gap| gap.is_above(0.0));
        let score = |a| self.strength(a).map_or(0.0, |strength| strength.value);
        Ranking::new(self.policies, is_stronger, score)
    }
}

/// The number of simultaneous intervals. With two policies most of the numbers coincide.
fn statements(policies: usize, seats: usize) -> usize {
    let pairs = policies * (policies - 1) / 2;
    let shares = if seats == 2 { 0 } else { 2 * pairs };
    match policies {
        2 => 1 + shares,
        // Strengths, their gaps, leads (with two seats also the shares), effects.
        _ => policies + 3 * pairs + shares,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A million games with a winner at every table; `wins` is the number won by the policy with one seat.
    fn robin(policies: usize, seats: usize, wins: impl Fn(usize, usize) -> i32) -> RoundRobin {
        let mut tables = tables(policies, seats);
        for table in &mut tables {
            (table.games, table.decided) = (1_000_100, 1_000_000);
            table.wins = wins(table.one, table.others).unsigned_abs().into();
        }
        RoundRobin::new(policies, seats, tables, 0.05)
    }

    /// In millionths.
    fn is(estimate: Option<Estimate>, expected: f64) {
        let Estimate { value, interval, .. } = estimate.expect("trials");
        let interval = interval.expect("trials");
        assert!((1e6 * value - expected).abs() < 1e-6, "{value} {expected}");
        assert!(interval.low < value && value < interval.high && interval.high - interval.low < 0.01);
    }

    #[test]
    fn additive_strengths_have_no_effects() {
        let strengths = [30_000, -20_000, 40_000, -50_000];
        for (seats, fair) in [(2, 500_000), (4, 250_000), (5, 200_000)] {
            let robin = robin(4, seats, |a, b| fair + strengths[a] - strengths[b]);
            for a in 0..4 {
                is(robin.strength(a), f64::from(fair) + 4.0 / 3.0 * f64::from(strengths[a]));
                for b in (0..4).filter(|&b| b != a) {
                    let apart = f64::from(strengths[a] - strengths[b]);
                    is(robin.share(a, b), f64::from(fair) + apart);
                    is(robin.lead(a, b), 2.0 * apart);
                    is(robin.gap(a, b), 4.0 / 3.0 * apart);
                    is(robin.effect(a, b), 0.0);
                }
            }
            assert!(robin.cycles().is_empty());
            assert_eq!(robin.ranking().order, [2, 0, 1, 3]);
            assert_eq!(robin.ranking().places, [(2, 2), (3, 3), (1, 1), (4, 4)]);
        }
    }

    /// A cycle of three has equal strengths: all leads are line-up effects.
    #[test]
    fn a_ring_is_all_effect() {
        for (seats, fair) in [(2, 500_000), (4, 250_000)] {
            let robin = robin(3, seats, |a, b| fair + if (a + 1) % 3 == b { 100_000 } else { -100_000 });
            for a in 0..3 {
                is(robin.strength(a), fair.into());
                is(robin.effect(a, (a + 1) % 3), 1e5);
                is(robin.effect((a + 1) % 3, a), -1e5);
            }
            assert_eq!(robin.cycles(), [[0, 1, 2]]);
            assert_eq!(robin.ranking().places, [(1, 3); 3]);
        }
    }

    /// Gaps and effects as what they are by definition: a factor for every table, and a constant.
    #[test]
    fn combinations_are_those_of_all_tables() {
        for (seats, policies) in [(2, 3), (2, 6), (3, 3), (4, 5)] {
            let mut tables = tables(policies, seats);
            for (table, at) in tables.iter_mut().zip(1_u64..) {
                table.games = 1000 + at * 7919 % 1013;
                table.decided = table.games - at % 50;
                table.wins = (at * 104_729 % (table.decided + 1)) as f64;
            }
            let robin = RoundRobin::new(policies, seats, tables.clone(), 0.05);
            let add_share = |form: &mut [f64], a: usize, b: usize, factor: f64| {
                let at = |one, others| tables.iter().position(|t| (t.one, t.others) == (one, others));
                match at(a, b) {
                    Some(at) => form[at] += factor,
                    None => {
                        form[at(b, a).expect("a table")] -= factor;
                        form[tables.len()] += factor;
                    }
                }
            };
            let add_lead = |form: &mut [f64], a, b, factor: f64| {
                add_share(form, a, b, factor);
                add_share(form, b, a, -factor);
            };
            let is = |found: Option<Estimate>, form: &[f64]| {
                let part = |(table, &factor): (&Matchup, _)| {
                    Combined::of_sum(factor, table.wins, table.decided, robin.level())
                };
                let sum = tables.iter().zip(form).map(part).fold(Combined::default(), Combined::plus);
                let expected = robin.estimate(sum.offset(form[tables.len()])).expect("games");
                let limits = |estimate: &Estimate| {
                    estimate.interval.map(|interval| [interval.low, estimate.value, interval.high])
                };
                let (found, expected) =
                    (limits(&found.expect("games")).expect("limits"), limits(&expected).expect("limits"));
                assert!(
                    found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-13),
                    "{found:?} {expected:?}"
                );
            };
            for (a, b) in
                (0..policies).flat_map(|a| (0..policies).map(move |b| (a, b))).filter(|(a, b)| a != b)
            {
                let zero = || vec![0.0; tables.len() + 1];
                let others = |a| (0..policies).filter(move |&c| c != a);
                let (mut strength, mut gap, mut effect) = (zero(), zero(), zero());
                let each = 1.0 / (policies - 1) as f64;
                others(a).for_each(|c| add_share(&mut strength, a, c, each));
                others(a).for_each(|c| add_share(&mut gap, a, c, each));
                others(b).for_each(|c| add_share(&mut gap, b, c, -each));
                add_lead(&mut effect, a, b, 0.5);
                others(a).for_each(|c| add_lead(&mut effect, a, c, -0.5 / policies as f64));
                others(b).for_each(|c| add_lead(&mut effect, b, c, 0.5 / policies as f64));
                is(robin.strength(a), &strength);
                is(robin.gap(a, b), &gap);
                is(robin.effect(a, b), &effect);
            }
        }
    }

    #[test]
    fn a_policy_more_moves_no_table() {
        for seats in [2, 3] {
            assert_eq!(tables(5, seats)[..tables(4, seats).len()], tables(4, seats));
        }
        assert_eq!(tables(4, 2).len(), 6);
        assert_eq!(tables(4, 3).len(), 12);
    }

    /// No wins, or only wins: no interval where nothing is known, and a valid one where there is no variance.
    #[test]
    fn little_to_say() {
        let nothing = RoundRobin::new(3, 2, tables(3, 2), 0.05);
        assert!(
            nothing.share(0, 1).is_none() && nothing.strength(2).is_none() && nothing.effect(0, 1).is_none()
        );
        assert_eq!(nothing.ranking().places, [(1, 3); 3]);
        let all = robin(2, 2, |_, _| 1_000_000);
        let lead = all.lead(0, 1).expect("games");
        assert!(lead.value == 1.0 && lead.is_above(0.999) && !lead.is_above(1.0));
        assert_eq!(lead.interval.map(|interval| interval.high), Some(1.0));
        assert!(all.effect(0, 1).is_none() && all.beats(0, 1) && !all.beats(1, 0));
    }
}
