//! What a simulation found, in a sentence or a few.

use std::ops::RangeInclusive;

use stopwise_analysis::estimate::Estimate;
use stopwise_analysis::won::{of_seat, tied, won_by_all};
use stopwise_engine::tally::Histogram;

use super::{Measured, SimulationReport};
use crate::cap;
use crate::numbers::{MEAN, PERCENT};
use crate::won::Won;
use crate::words::{at_most, headed, percent};
use stopwise_narration::{counted, trials as told_trials};

/// A share is told by the words of a usual one if it differs by less than so much.
const NEAR: f64 = 0.02;

/// The sentences.
pub(super) fn answer(found: &SimulationReport, told: &[&Measured]) -> Vec<String> {
    let capped = cap::capped(&found.endings, &found.tally.endings);
    let many = cap::share(capped, found.tally.trials);
    let cap = cap::name(&found.endings);
    let few = (many.is_none() && capped > 0).then(|| {
        let games = if capped == 1 { "game ends".to_owned() } else { format!("{capped} games end") };
        let one = if capped == 1 { "One " } else { "" };
        format!("{one}{games} at {cap} without a winner, and all means include them. {}", cap::WHY)
    });
    let many = many.map(|share| format!("{share} of the games end at {cap} without a winner. {}", cap::WHY));
    let mut said: Vec<_> = many.into_iter().collect();
    said.extend(if found.policies.len() > 1 {
        wins(found, told)
    } else {
        told.first().and_then(|only| score(found, only)).into_iter().collect()
    });
    said.extend(few);
    said.extend(found.stop.told.iter().map(|stopped| stopped.why.clone()));
    said.into_iter().map(headed).collect()
}

/// How many of the values are in a range: in words if it is about the share that they stand for. What is not all of them
/// is not told as 100 %.
pub(super) fn part_of(
    histogram: &Histogram,
    range: RangeInclusive<u32>,
    (usual, words): (f64, &str),
) -> String {
    let within: u64 =
        histogram.iter().filter(|(value, _)| range.contains(value)).map(|(_, count)| count).sum();
    let share = within as f64 / histogram.total().max(1) as f64;
    if (share - usual).abs() < NEAR {
        return words.to_owned();
    }
    let of_all = (100.0 * share).round();
    let is_all = within == histogram.total();
    if of_all < 100.0 || is_all { format!("{of_all} %") } else { "more than 99 %".to_owned() }
}

/// A range of whole numbers: `8 to 10`, or the only one.
pub(super) fn reaching(range: RangeInclusive<u32>) -> String {
    let (low, high) = range.into_inner();
    if low == high { low.to_string() } else { format!("{low} to {high}") }
}

/// The metric that was asked for, else the first, of a game for one.
fn score(found: &SimulationReport, Measured { standing, summaries, means }: &Measured) -> Option<String> {
    let at = found.asked.metric;
    let metric = found.metrics.get(at)?;
    let s = summaries.get(at)?.as_ref()?;
    let trials = found.tally.trials;
    if trials == 1 {
        return Some(format!("{}: {} {} in the only trial.", found.name(standing), s.max, metric.unit));
    }
    if s.min == s.max {
        let other = found.stop.stopping.share(0, trials);
        let most = at_most(other.interval.map_or(1.0, |interval| interval.high), "games");
        return Some(format!(
            "{}: {} {} {} in all of {}; anything else comes in at most {most} ({}).",
            found.name(standing),
            metric.word(),
            s.max,
            metric.unit,
            told_trials(trials),
            other.level
        ));
    }
    let mean = means[at]?;
    let limits = mean
        .interval
        .map_or_else(String::new, |interval| format!(" ({}: {})", mean.level, MEAN.range(Some(interval))));
    let [_, _, low, _, high, _, _] = s.quantiles;
    let part = part_of(standing.tally.metrics.get(at)?, low..=high, (0.5, "half"));
    let half = format!("{part} of the trials have {}", reaching(low..=high));
    let early: u64 = found
        .endings
        .iter()
        .zip(&found.tally.endings)
        .filter(|(ending, _)| ending.early)
        .map(|(_, count)| count)
        .sum();
    let early = match early {
        0 => String::new(),
        early => format!("; {} end early", percent(early as f64 / trials as f64)),
    };
    Some(format!(
        "{}: mean {} {} {}{limits}; {half}{early}.",
        found.name(standing),
        metric.word(),
        MEAN.fine(mean.interval).number(mean.value),
        metric.unit
    ))
}

/// Who wins how often, in a game for several.
fn wins(found: &SimulationReport, told: &[&Measured]) -> Vec<String> {
    let numbers = found.numbers();
    let Won { of_all, .. } = found.won();
    let Some(wins) = found.wins(&numbers) else { return Vec::new() };
    let shown = |estimate: Estimate| match estimate.interval {
        Some(_) => {
            let style = PERCENT.fine(estimate.interval);
            format!(
                "{} ({}: {})",
                style.number(estimate.value),
                estimate.level,
                style.range(estimate.interval)
            )
        }
        None => percent(estimate.value),
    };
    let seats_of = |policy: usize| numbers.iter().filter(|&&number| number == policy).count();
    let is_uneven =
        found.is_rotated() && numbers.iter().any(|&number| seats_of(number) != seats_of(numbers[0]));
    let each = if is_uneven { " for each of its seats" } else { "" };
    let of = |Measured { standing, .. }: &&Measured| {
        let estimate = match standing.seat {
            Some(seat) => wins.seat(seat),
            None => wins.policy(standing.policy, None),
        };
        // Who sits in more seats wins more often: what a seat is worth tells who plays better.
        let part = if is_uneven { 1.0 / seats_of(standing.policy) as f64 } else { 1.0 };
        estimate.map(|estimate| (found.name(standing), estimate.times(part)))
    };
    let mut shares: Vec<_> = told.iter().filter_map(of).collect();
    shares.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
    let Some((name, most)) = shares.first() else { return Vec::new() };
    if found.is_rotated() && numbers.iter().all(|&number| number == numbers[0]) {
        let first = wins.seat(0).map(|first| format!(": the first seat wins {}{of_all}", shown(first)));
        return vec![format!("{name} has every seat{}.", first.unwrap_or_default())];
    }
    if let Some(games) = won_by_all(&found.tally, &found.metrics).filter(|_| found.tally.trials > 1) {
        return vec![by_all(found, games)];
    }
    if most.value == 0.0 {
        return vec!["Nobody wins a game.".into()];
    }
    if found.tally.trials == 1 {
        return vec![match most.value < 1.0 {
            true => "Several share the win of the only trial.".into(),
            false => format!("{name} wins the only trial."),
        }];
    }
    let others = shares.get(1).map(|(_, next)| *next);
    // Not the next alone: of one with fewer seats less is known.
    let is_known = shares[1..].iter().all(|(_, other)| match (most.interval, other.interval) {
        (Some(most), Some(other)) => most.low > other.high,
        _ => false,
    });
    let (_, decided) = of_seat(&found.tally, 0, &found.metrics);
    let tied = (tied(&found.tally, &found.metrics) == decided)
        .then(|| format!("No seat wins a game alone: {} end in ties.", all_of(found, decided)));
    let told = match (others, is_known) {
        (None, _) => format!("{name} wins {}{of_all}.", shown(*most)),
        (_, true) => format!("{name} wins most often{each}: {}{of_all}.", shown(*most)),
        (Some(next), false) => format!(
            "{name} wins {}{of_all}{each}, the next {}: these trials do not show who wins more often.",
            shown(*most),
            PERCENT.fine(next.interval).number(next.value)
        ),
    };
    tied.into_iter().chain([told]).collect()
}

/// All games with a winner: `all 1,000 games`.
fn all_of(found: &SimulationReport, decided: u64) -> String {
    let of = if decided == found.tally.trials { "" } else { " with a winner" };
    format!("all {}{of}", counted(decided, "game"))
}

/// That all seats share the win of every game with a winner.
fn by_all(found: &SimulationReport, decided: u64) -> String {
    let other = found.stop.stopping.share(0, decided);
    let most = at_most(other.interval.map_or(1.0, |interval| interval.high), "games");
    format!(
        "Every game ends in a tie of all seats, in {}; anything else comes in at most {most} ({}).",
        all_of(found, decided),
        other.level
    )
}
