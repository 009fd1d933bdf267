//! Which seat wins most and which least, where there are three or more: what the first of them wins does not say it.

use stopwise_analysis::binomial::mean_share_limits;
use stopwise_analysis::estimate::{Interval, Level};
use stopwise_analysis::won::of_seat;

use super::BalanceReport;
use crate::fair;
use crate::numbers::POINTS;
use crate::words::percent;

/// The seats of a variant, of the games with a winner.
struct Apart {
    variant: usize,
    /// The seat that wins most and the one that wins least, with their shares.
    ends: [(usize, f64); 2],
    interval: Interval,
}

impl Apart {
    /// Of a variant with a policy in every seat; `None` if nobody won.
    fn of(balanced: &BalanceReport, variant: usize, policy: usize, level: Level) -> Option<Self> {
        let (ruled, tally) = (&balanced.variants[variant], &balanced.tallies[variant][policy]);
        let won: Vec<_> = (0..ruled.seats).map(|seat| of_seat(tally, seat, &ruled.metrics)).collect();
        let limits: Vec<_> =
            won.iter().map(|&(wins, decided)| mean_share_limits(wins, decided, level)).collect();
        let by_wins = |&a: &usize, &b: &usize| won[a].0.total_cmp(&won[b].0);
        let most = (0..won.len()).rev().max_by(by_wins)?;
        let least = (0..won.len()).min_by(by_wins)?;
        let ends = [most, least].map(|seat| (seat, won[seat].0 / won[seat].1 as f64));
        (won[0].1 > 0 && ruled.seats > 1).then(|| Self { variant, ends, interval: fair::apart(&limits) })
    }

    fn value(&self) -> f64 {
        self.ends[0].1 - self.ends[1].1
    }

    /// `seat 3 wins most, 29.01 % of the games with a winner, and seat 4 least, 18.11 %: 10.9 percentage points apart …`
    fn words(&self, wins: &str, of: &str, level: Level) -> String {
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

/// The sentences, with a policy in every seat: under the base, and where the seats are nearest to equal and farthest apart. All
/// limits hold together.
pub(super) fn answer(balanced: &BalanceReport, policy: usize) -> Vec<String> {
    let is_other = |&variant: &usize| variant == 0 || !balanced.variants[variant].changed.is_empty();
    let told: Vec<_> = (0..balanced.variants.len()).filter(is_other).collect();
    let level = Level::SINGLE.among(told.iter().map(|&variant| balanced.variants[variant].seats).sum());
    let mut all: Vec<_> =
        told.iter().filter_map(|&variant| Apart::of(balanced, variant, policy, level)).collect();
    let name = |apart: &Apart| &balanced.variants[apart.variant].name;
    let fair = |apart: &Apart| percent(1.0 / balanced.variants[apart.variant].seats as f64);
    let (won, mut said) = (balanced.won(), Vec::new());
    if let Some(base) = all.iter().position(|apart| apart.variant == 0).map(|at| all.remove(at)) {
        said.push(format!(
            "With {} in every seat under {}, {}; fair is {}.",
            balanced.policies[policy],
            name(&base),
            base.words("wins ", won.of, level),
            fair(&base)
        ));
    }
    all.sort_by(|a, b| a.value().total_cmp(&b.value()));
    match &all[..] {
        [] => {}
        [only] => {
            said.push(format!(
                "Under {}, {}; fair is {}.",
                name(only),
                only.words("", "", level),
                fair(only)
            ));
        }
        [nearest, .., farthest] => said.push(format!(
            "Of the other variants, seats are nearest to each other under {}: {}; and farthest under {}: {}.",
            name(nearest),
            nearest.words("", "", level),
            name(farthest),
            farthest.words("", "", level)
        )),
    }
    said
}
