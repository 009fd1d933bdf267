//! Round robins, for games with several seats.

use super::cycles::cycles;
use super::form::Form;
use super::ranking::Ranking;
use crate::estimate::{Estimate, LEAST_ALPHA, Level, Method};
use crate::seats::{Part, combination, combination_at};

/// A table: one policy has one seat, another all other seats. The line-up is rotated from game to game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// The policy that has one seat.
    pub one: usize,
    /// The policy that has the others.
    pub others: usize,
    /// Games played.
    pub games: u64,
    /// Games with a winner.
    pub decided: u64,
    /// Games that the policy with one seat won.
    pub wins: u64,
}

impl Table {
    /// The offset between the trials of consecutive tables: table *i* begins with trial *i* times this number. So
    /// tables share no dice, and the games of a table do not depend on how many others play.
    pub const TRIALS: u64 = 1 << 32;

    /// The size of this number of tables in bytes, including their results.
    pub fn bytes(tables: usize) -> u64 {
        const FOUND: usize = 4;
        tables as u64 * (size_of::<Self>() * FOUND) as u64
    }

    /// Wins, and games with a winner.
    fn counts(&self) -> (u64, u64) {
        (self.wins, self.decided)
    }
}

/// The tables of a round robin, without games: one for every pair of policies if there are two seats, otherwise two,
/// with one seat for either policy. A policy added at the end adds tables at the end.
pub fn tables(policies: usize, seats: usize) -> Vec<Table> {
    let table = |one, others| Table { one, others, games: 0, decided: 0, wins: 0 };
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
/// Shares have Wilson intervals; everything else combines those of independent tables by MOVER
/// ([`combination`](crate::seats::combination)). All intervals of all policies and pairs hold simultaneously with
/// probability 1 − α (Bonferroni), for a fixed number of games.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundRobin {
    policies: usize,
    seats: usize,
    tables: Vec<Table>,
    level: Level,
}

impl RoundRobin {
    /// The round robin of [`tables`] with their games.
    ///
    /// # Panics
    ///
    /// If these are not the tables of this number of policies and seats, or if α is not from
    /// [`LEAST_ALPHA`] to below 1.
    pub fn new(policies: usize, seats: usize, tables: Vec<Table>, alpha: f64) -> Self {
        let who = |table: &Table| (table.one, table.others);
        let expected = self::tables(policies, seats);
        assert!(tables.iter().map(who).eq(expected.iter().map(who)), "the tables of the round robin");
        assert!((LEAST_ALPHA..1.0).contains(&alpha), "alpha {alpha} is not from {LEAST_ALPHA} to below 1");
        let level = Level::new(alpha).among(statements(policies, seats));
        Self { policies, seats, tables, level }
    }

    /// The tables.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    fn zero(&self) -> Form {
        Form::new(self.tables.len())
    }

    fn share_form(&self, a: usize, b: usize) -> Form {
        let mut form = self.zero();
        let (less, more) = (a.min(b), a.max(b));
        let pair = more * (more - 1) / 2 + less;
        match (self.seats, a < b) {
            (2, true) => form.add(pair, 1.0),
            // The games with a winner that the other did not win.
            (2, false) => {
                form.add_constant(1.0);
                form.add(pair, -1.0);
            }
            (_, is_first) => form.add(2 * pair + usize::from(!is_first), 1.0),
        }
        form
    }

    fn strength_form(&self, a: usize) -> Form {
        let mut form = self.zero();
        for b in (0..self.policies).filter(|&b| b != a) {
            form.add_form(&self.share_form(a, b), 1.0 / (self.policies - 1) as f64);
        }
        form
    }

    fn lead_form(&self, a: usize, b: usize) -> Form {
        let mut form = self.share_form(a, b);
        form.add_form(&self.share_form(b, a), -1.0);
        form
    }

    /// The gain of A in the additive model, by least squares: half its mean lead over all policies, including a lead of
    /// 0 over itself.
    fn gain_form(&self, a: usize) -> Form {
        let mut form = self.zero();
        for b in (0..self.policies).filter(|&b| b != a) {
            form.add_form(&self.lead_form(a, b), 0.5 / self.policies as f64);
        }
        form
    }

    fn estimate(&self, form: &Form) -> Option<Estimate> {
        self.combined(form, |parts| combination_at(parts, self.level))
    }

    fn combined(&self, form: &Form, combine: impl Fn(&[Part]) -> Option<Estimate>) -> Option<Estimate> {
        let found = form.estimate(self.tables.iter().map(Table::counts), combine)?;
        Some(Estimate { method: self.method(), ..found })
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
        self.estimate(&self.share_form(a, b))
    }

    /// The share of A against B less that of B against A.
    pub fn lead(&self, a: usize, b: usize) -> Option<Estimate> {
        self.estimate(&self.lead_form(a, b))
    }

    /// The mean share of A over all others.
    pub fn strength(&self, a: usize) -> Option<Estimate> {
        self.estimate(&self.strength_form(a))
    }

    /// The strength with a 95 % interval by itself, for the winner on fresh trials. Only the tables of A need games.
    pub fn strength_alone(&self, a: usize) -> Option<Estimate> {
        self.combined(&self.strength_form(a), combination)
    }

    /// The strength of A less that of B.
    pub fn gap(&self, a: usize, b: usize) -> Option<Estimate> {
        let mut form = self.strength_form(a);
        form.add_form(&self.strength_form(b), -1.0);
        self.estimate(&form)
    }

    /// The line-up effect: half the lead of A over B less its value in the additive model. `None` for fewer than three
    /// policies, which the model fits exactly.
    pub fn effect(&self, a: usize, b: usize) -> Option<Estimate> {
        let mut form = self.zero();
        form.add_form(&self.lead_form(a, b), 0.5);
        form.add_form(&self.gain_form(a), -1.0);
        form.add_form(&self.gain_form(b), 1.0);
        (self.policies > 2).then(|| self.estimate(&form))?
    }

    /// Whether A is known to beat B.
    pub fn beats(&self, a: usize, b: usize) -> bool {
        a != b && self.lead(a, b).is_some_and(|lead| lead.is_above(0.0))
    }

    /// Cycles of policies that beat each other: see [`cycles`].
    pub fn cycles(&self) -> Vec<Vec<usize>> {
        let rows = (0..self.policies).map(|a| (0..self.policies).map(|b| self.beats(a, b)).collect());
        let beats: Vec<Vec<bool>> = rows.collect();
        cycles(self.policies, |a, b| beats[a][b])
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
