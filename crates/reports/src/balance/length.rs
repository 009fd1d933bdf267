//! How long games are where variants differ in how many play: turns of a seat, since more seats have more turns in any game.

use stopwise_analysis::balance::{Level, Quantity, Statistic};
use stopwise_analysis::estimate::Estimate;
use stopwise_narration::counted;

use super::{BalanceReport, alike};
use crate::numbers::MEAN;

/// Whether limits tell that one is less than another.
fn is_known(less: &Estimate, more: &Estimate) -> bool {
    less.interval.zip(more.interval).is_some_and(|(less, more)| less.high < more.low)
}

/// The sentence, with a policy in every seat; all limits hold together.
pub(super) fn answer(balanced: &BalanceReport, policy: usize) -> Option<String> {
    let level = Level::SINGLE.among(balanced.variants.len());
    let of = |variant: usize| {
        let ruled = &balanced.variants[variant];
        let is_it = |statistic| statistic == Statistic::Mean(Quantity::Turns);
        let measure = ruled.measures.iter().find(|measure| is_it(measure.statistic))?;
        let found = balanced.measured(variant, policy, measure, level)?;
        let each = 1.0 / ruled.seats as f64;
        let interval = found.interval.map(|interval| interval.times(each));
        Some((variant, Estimate { value: each * found.value, interval, ..found }))
    };
    let (base, mut others) =
        (of(0)?, alike::firsts(balanced).into_iter().skip(1).filter_map(of).collect::<Vec<_>>());
    others.sort_by(|(_, a), (_, b)| a.value.total_cmp(&b.value));
    let turns = |found: &Estimate| MEAN.to(2).number(found.value);
    let told = |(variant, found): &(usize, Estimate)| {
        let style = MEAN.to(2).fine(found.interval);
        let limits =
            found.interval.map_or_else(String::new, |_| format!(" ({})", style.range(found.interval)));
        format!("{}{limits} under {}", style.number(found.value), balanced.name(*variant))
    };
    let policy = &balanced.policies[policy];
    if others.iter().all(|(_, found)| turns(found) == turns(&base.1)) {
        return Some(format!(
            "With {policy} in every seat, a seat has {} turns under every variant.",
            turns(&base.1)
        ));
    }
    let rest = match &others[..] {
        [] => String::new(),
        [only] => format!(" and {}", told(only)),
        [fewest, .., most] if is_known(&fewest.1, &most.1) => {
            format!(", from {} to {}", told(fewest), told(most))
        }
        [fewest, .., most] => format!(
            "; {} and {}, and these trials do not tell under which of {} there are fewest or most",
            told(fewest),
            told(most),
            counted(others.len() as u64, "other variant")
        ),
    };
    Some(format!("Turns of a seat with {policy} in every seat: {}{rest} ({level}).", told(&base)))
}
