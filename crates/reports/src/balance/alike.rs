//! Variants that play the same games: what they change does nothing here, and they stand in one row.

use std::collections::BTreeMap;

use stopwise_engine::tally::{Histogram, Tally};
use stopwise_narration::{counted, trials};

use super::BalanceReport;
use crate::words::{few_trials, some};

/// Groups, and names in a group, that a sentence tells.
const NAMED: usize = 5;

/// The variants by the games that they play with every policy, as far as all sums tell, and, where they are paired with the base,
/// every trial: each group in its order, and groups in that of their first. After few trials every variant is by itself.
pub(super) fn groups(balanced: &BalanceReport) -> Vec<Vec<usize>> {
    let all = 0..balanced.variants.len();
    if few_trials(balanced.trials).is_some() {
        return all.map(|variant| vec![variant]).collect();
    }
    let mut found = BTreeMap::<_, Vec<usize>>::new();
    for variant in all {
        let played: Vec<_> = balanced.tallies[variant].iter().map(sums).collect();
        let wins = balanced.contests[variant].iter().flatten();
        let wins: Vec<_> = wins.map(|&(wins, games)| (wins.to_bits(), games)).collect();
        let mut policies = balanced.games[variant].iter().zip(&balanced.games[0]);
        let is_as_base = policies.all(|(games, base)| games.is_always_as(base));
        found.entry((played, wins, is_as_base)).or_default().push(variant);
    }
    let mut groups: Vec<_> = found.into_values().collect();
    groups.sort_unstable();
    groups
}

/// What is added up over all trials.
fn sums(tally: &Tally) -> (Vec<u64>, Vec<(u128, u128)>) {
    let metrics = tally.seats.iter().flat_map(|seat| seat.metrics.iter().chain([&seat.busts]));
    (tally.endings.clone(), metrics.chain([&tally.lengths]).map(Histogram::sums).collect())
}

/// The first variant of every group, which stands for it.
pub(super) fn firsts(balanced: &BalanceReport) -> Vec<usize> {
    groups(balanced).into_iter().map(|group| group[0]).collect()
}

/// The variant that stands for each; itself if nothing before it plays the same games.
pub(super) fn standing_for(balanced: &BalanceReport) -> Vec<usize> {
    let mut first = vec![0; balanced.variants.len()];
    for group in groups(balanced) {
        group.iter().for_each(|&variant| first[variant] = group[0]);
    }
    first
}

/// What follows the name of a variant in its row: how many others play the same games. `None` of those for which another stands.
pub(super) fn more(balanced: &BalanceReport) -> Vec<Option<String>> {
    let mut more = vec![None; balanced.variants.len()];
    for group in groups(balanced) {
        more[group[0]] = Some(match group.len() {
            1 => String::new(),
            count => format!(" (and {} alike)", count - 1),
        });
    }
    more
}

/// What the rows of variants are called.
pub(super) fn names(balanced: &BalanceReport) -> Vec<String> {
    let named = more(balanced).into_iter().enumerate();
    named.map(|(variant, more)| balanced.name(variant).to_owned() + &more.unwrap_or_default()).collect()
}

/// Which variants play the same games.
pub(super) fn answer(balanced: &BalanceReport) -> Option<String> {
    let groups = groups(balanced);
    let name = |&variant: &usize| balanced.name(variant);
    let told = groups.iter().filter(|group| group.len() > 1).map(|group| {
        let others: Vec<_> = group[1..].iter().map(name).collect();
        let plays = if others.len() == 1 { "plays" } else { "play" };
        format!("{} {plays} those of {}", some(&others, NAMED, ", "), name(&group[0]))
    });
    let told: Vec<_> = told.collect();
    let games = match groups.len() {
        1 => "the same game".to_owned(),
        several => format!("{several} different games"),
    };
    (!told.is_empty()).then(|| {
        format!(
            "{} are {games}, as far as {} tell, and those that are the same have one row: {}.",
            counted(balanced.variants.len() as u64, "variant"),
            trials(balanced.trials),
            some(&told, NAMED, "; ")
        )
    })
}
