//! Which policies' games a cap cuts off, and under which variants: what else is said of them is about the cap.

use super::BalanceReport;
use crate::cap;
use crate::words::percent;

/// The variants under which many games of a policy are cut off.
struct Cut {
    policy: usize,
    variants: usize,
    /// The greatest share of the games, and where it is.
    most: (f64, usize),
    /// Whether it is as great wherever there is any.
    is_even: bool,
}

/// Every such policy by its name.
pub(super) fn answer(balanced: &BalanceReport) -> Option<String> {
    let cut: Vec<_> = (0..balanced.policies.len()).filter_map(|policy| of(balanced, policy)).collect();
    let named = |at: usize| balanced.name(at);
    let cap = cap::name(&balanced.variants[cut.first()?.most.1].endings);
    let all = balanced.variants.len();
    if let [Cut { policy, variants: 1, most: (share, at), .. }] = cut[..] {
        let (policy, share) = (&balanced.policies[policy], percent(share));
        let rules = named(at);
        return Some(format!(
            "{share} of the games with {policy} under {rules} end at {cap} without a winner. {}",
            cap::WHY
        ));
    }
    let told = cut.iter().map(|cut| {
        let (share, at) = cut.most;
        let how_many = if cut.is_even { percent(share) } else { format!("up to {}", percent(share)) };
        let under = match cut.variants {
            _ if all == 1 => String::new(),
            several if several == all => " under every variant".into(),
            several => format!(" under {several} of {all} variants"),
        };
        let most = if cut.is_even { String::new() } else { format!(", most under {}", named(at)) };
        format!("{how_many} of those with {}{under}{most}", balanced.policies[cut.policy])
    });
    let told: Vec<_> = told.collect();
    Some(format!("Games end at {cap} without a winner: {}. {}", told.join("; "), cap::WHY))
}

/// Where the games of a policy are cut off.
fn of(balanced: &BalanceReport, policy: usize) -> Option<Cut> {
    let share = |variant: usize| {
        let tally = &balanced.tallies[variant][policy];
        let capped = cap::capped(&balanced.variants[variant].endings, &tally.endings);
        (capped as f64 / tally.trials.max(1) as f64, cap::is_told(capped, tally.trials))
    };
    let shares: Vec<_> = (0..balanced.variants.len()).map(share).collect();
    let told = || {
        shares.iter().enumerate().filter(|(_, (_, is_told))| *is_told).map(|(at, (share, _))| (*share, at))
    };
    // The first of those with as many.
    let most = told().reduce(|most, one| if one.0 > most.0 { one } else { most })?;
    Some(Cut { policy, variants: told().count(), most, is_even: told().all(|(share, _)| share == most.0) })
}
