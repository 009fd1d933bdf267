//! What a comparison found, in a sentence or a few.

use stopwise_analysis::estimate::Estimate;
use stopwise_engine::game::Better;
use stopwise_engine::paired::PairTally;

use super::{ComparisonReport, Difference, Side};
use crate::cap;
use crate::numbers::{MEAN, PERCENT, as_read};
use crate::words::{all, at_most, listing, percent};

/// Policies named in a sentence.
const NAMED: usize = 8;

/// The sentences.
pub(super) fn answer(compared: &ComparisonReport) -> Vec<String> {
    let mut said: Vec<_> = capped(compared).into_iter().chain(against_itself(compared)).collect();
    let say_nothing = wins_say_nothing(compared);
    if say_nothing && compared.is_rotated {
        let but = if compared.metric().is_win() { ", but for ties" } else { "" };
        said.push(format!(
            "In all seats in turn, a policy wins against itself as often as any other does{but}: who is better is not seen here."
        ));
        said.extend(compared.stopped.iter().map(|stopped| stopped.why.clone()));
        return said;
    }
    said.extend(match compared.is_many() {
        true => best(compared),
        false => two(compared),
    });
    match compared.seats {
        1 => {}
        _ if say_nothing => said.push(
            "What seat 1 wins against the same policy tells what going first is worth with it: who is better is not seen here."
                .into(),
        ),
        _ if compared.is_rotated => said.push(format!(
            "What is compared is the first policy of each line-up, in {} in turn.",
            all(compared.seats, "seats").to_lowercase()
        )),
        _ => said.push(format!(
            "What is compared is seat 1 of {}: what its policy does there, against the others of its line-up.",
            compared.seats
        )),
    }
    said.extend(compared.stopped.iter().map(|stopped| stopped.why.clone()));
    said
}

/// Whether wins do not tell who is better: each policy plays against itself.
fn wins_say_nothing(compared: &ComparisonReport) -> bool {
    compared.seats > 1 && compared.metric().is_won() && compared.sides.iter().all(Side::is_alone)
}

/// That a policy alone plays against itself, so that a difference is not about who beats whom.
fn against_itself(compared: &ComparisonReport) -> Option<String> {
    if compared.seats == 1 {
        return None;
    }
    let first = &compared.sides.first()?.lineup;
    let who = match compared.sides.iter().filter(|side| side.is_alone()).count() {
        0 => return None,
        // The same under other rules.
        _ if compared.sides.iter().all(|side| side.lineup == *first) => {
            return Some(format!("{first} plays in every seat, against itself."));
        }
        all if all == compared.sides.len() => {
            "These policies do not meet: each plays in every seat, against itself."
        }
        _ => "Where one policy is named it plays in every seat, against itself.",
    };
    Some(format!("{who} `rank` lets policies meet."))
}

/// The line-up with which most games are cut off by a cap, if they are many, in a game that ends early in no other way.
fn capped(compared: &ComparisonReport) -> Option<String> {
    if !compared.endings.iter().filter(|ending| ending.early).all(|ending| ending.cap) {
        return None;
    }
    let of = |(_, pair): (_, &PairTally)| {
        let [[_, b], [a, both]] = pair.early;
        let [first, second] = compared.names(pair);
        [(a + both, pair.trials, first), (b + both, pair.trials, second)]
    };
    let (capped, trials, name) = compared.pairs().flat_map(of).max_by_key(|(capped, ..)| *capped)?;
    let share = cap::share(capped, trials)?;
    let cap = cap::name(&compared.endings);
    Some(format!("{share} of the games with {name} end at {cap} without a winner. {}", cap::WHY))
}

/// The metric that judges the only pair, and how often both play the same game.
fn two(compared: &ComparisonReport) -> Vec<String> {
    let Some(((_, pair), found)) = compared.pairs().next().zip(compared.difference(0, compared.judged()))
    else {
        return Vec::new();
    };
    let [a, b] = compared.names(pair);
    let share = |count: u64| percent(count as f64 / pair.trials.max(1) as f64);
    let mut said = Vec::new();
    if found.duel.equal == pair.trials {
        said.push(match compared.whose() {
            None => format!("{a} and {b} have the same {} in every trial.", compared.metric().word()),
            Some(whose) => {
                all_equal(compared, whose, &format!("with {a} as with {b}"), &format!("with {a} or with {b}"))
            }
        });
    } else {
        said.push(format!(
            "{}; better in {} of the trials, equal in {}, worse in {}.",
            difference(compared, [a, b], &found),
            share(found.duel.a_better),
            share(found.duel.equal),
            share(found.duel.b_better)
        ));
        said.extend(not_known(compared, &found));
    }
    if !compared.is_of_same_rules(pair) {
        // Equal answers are no equal games there.
    } else if pair.identical == pair.trials {
        let differing = compared.stopping().share(0, pair.trials);
        let most = at_most(differing.interval.map_or(1.0, |interval| interval.high), "trials");
        said.push(format!(
            "Every trial is the same game under both: if they differ at all, then in at most {most} ({}).",
            differing.level
        ));
    } else {
        said.push(format!("Both play the same game in {} of the trials.", share(pair.identical)));
    }
    said
}

/// That the metric is the same in every trial with these line-ups; `none` says it of those with which nothing is won.
fn all_equal(compared: &ComparisonReport, whose: &str, these: &str, none: &str) -> String {
    let wins_nothing = compared.order().iter().all(|&(_, mean)| mean == 0.0);
    match compared.metric().is_won() {
        true if wins_nothing => {
            let alone = if compared.metric().is_win() { " alone" } else { "" };
            format!("{} wins no trial{alone}, {none}.", capital(compared, whose))
        }
        true => format!("{} wins the same trials {these}.", capital(compared, whose)),
        false => format!("In every trial, {whose} has the same {} {these}.", compared.metric().word()),
    }
}

/// How much more A has, without a full stop.
fn difference(compared: &ComparisonReport, [a, b]: [&str; 2], found: &Difference) -> String {
    let (scale, unit) = compared.reading();
    let size = MEAN.times(scale).size_with_reach(found.mean.value, found.estimate.interval);
    let is_less = usize::from(found.mean.value < 0.0);
    let lower = match found.better {
        Better::Higher => "",
        Better::Lower => " (less is better)",
    };
    let metric = compared.metric();
    match compared.whose() {
        None => format!("{a} has {size} {unit} {} than {b}{lower}", ["more", "less"][is_less]),
        Some(whose) if metric.is_won() => format!(
            "{} wins {size} {unit} {} often with {a} than with {b}{}",
            capital(compared, whose),
            ["more", "less"][is_less],
            compared.ties()
        ),
        Some(whose) => format!(
            "The mean {} of {whose} is {size} {unit} {} with {a} than with {b}{lower}",
            metric.word(),
            ["higher", "lower"][is_less]
        ),
    }
}

/// That a difference may be nothing.
fn not_known(compared: &ComparisonReport, found: &Difference) -> Option<String> {
    let which = match compared.whose() {
        None => "which has more",
        Some(_) if compared.metric().is_won() => "which wins more often",
        Some(_) => "which is better",
    };
    match found.estimate.interval {
        None if found.mean.trials == 1 => Some(format!("One trial does not show {which}.")),
        None if found.mean.spread == 0.0 => {
            let other = compared.stopping().share(0, found.mean.trials);
            let most = at_most(other.interval.map_or(1.0, |interval| interval.high), "trials");
            Some(format!(
                "That is so in every trial: another difference comes in at most {most} ({}).",
                other.level
            ))
        }
        None => Some(format!("So few trials do not show {which}.")),
        Some(_) if found.is_a_better().is_none() => {
            Some(format!("The 95 % interval includes 0: these trials do not show {which}."))
        }
        Some(_) => None,
    }
}

/// Which of many is best, as far as it is known.
fn best(compared: &ComparisonReport) -> Vec<String> {
    let order = compared.order();
    let Some(&(first, _)) = order.first() else { return Vec::new() };
    let name = compared.name(first);
    if compared.pairs().all(|(_, pair)| pair.metrics[compared.judged()].equal() == pair.trials) {
        let all = compared.sides.len();
        return vec![match compared.whose() {
            None => format!("All {all} have the same {} in every trial.", compared.metric().word()),
            Some(whose) => {
                all_equal(compared, whose, &format!("with all {all}"), &format!("with any of all {all}"))
            }
        }];
    }
    let rest = || order[1..].iter().filter_map(|&(other, _)| Some((other, compared.between(first, other)?)));
    let good = |estimate: &Estimate| match compared.metric().better {
        Better::Higher => estimate.is_above(0.0),
        Better::Lower => estimate.is_below(0.0),
    };
    // Which is first was seen in the same trials, so that its lead counts as known only with all pairs together.
    let behind = |found: &Difference| compared.together(found).is_some_and(|together| good(&together));
    let level = "95 %, all pairs together";
    let leads = |how: &str| match compared.whose() {
        None => format!("{how}: {name}, {}", of_it(compared, first)),
        Some(whose) => leads(compared, whose, first),
    };
    if rest().all(|(_, found)| behind(&found)) {
        let next = rest().next().and_then(|(other, found)| {
            // Where all values are alike nothing says how far others are off.
            let lead = compared.together(&found)?.of_values_that(found.estimate.interval.is_some());
            Some((other, lead))
        });
        let lead = next.map_or_else(String::new, |(other, lead)| {
            let (scale, unit) = compared.reading();
            let by = MEAN.times(scale).size_with_reach(lead.value, lead.interval);
            format!(": {by} {unit} before the next, {}", compared.name(other))
        });
        let than = if compared.whose().is_none() { "than each" } else { "than with each" };
        return vec![format!("{}, better {than} of the others ({level}){lead}.", leads("Best"))];
    }
    let seen = format!("{}.", leads("Best seen"));
    if compared.stopping() != stopwise_analysis::paired::Stopping::Fixed {
        let is_alone = rest().all(|(_, found)| found.is_a_better() == Some(true));
        let how = match is_alone {
            true => "The lead over each of the others is known (95 %), each by itself and not all together.",
            false => "These trials do not show that this is better than each of the others.",
        };
        return vec![seen, how.into()];
    }
    let open: Vec<_> =
        rest().filter(|(_, found)| !behind(found)).map(|(other, _)| compared.name(other)).collect();
    if open.len() + 1 == order.len() {
        let all = order.len();
        let of_whom = compared.whose().map_or_else(String::new, |whose| format!(" for {whose}"));
        return vec![
            seen,
            format!("These trials do not show which of the {all} is best{of_whom} ({level})."),
        ];
    }
    let named = listing(&open, NAMED, "and");
    vec![seen, format!("Not distinguished from it ({level}): {named}.")]
}

/// The mean that a side has of this metric, in words.
fn of_it(compared: &ComparisonReport, side: usize) -> String {
    let (scale, unit) = as_read(compared.metric());
    format!("mean {} {} {unit}", compared.metric().word(), compared.own_mean(side, MEAN.times(scale)))
}

/// Who does best with which line-up: it is one seat that wins, or one policy in it.
fn leads(compared: &ComparisonReport, whose: &str, side: usize) -> String {
    let (metric, name) = (compared.metric(), compared.name(side));
    match metric.is_won() {
        true => format!(
            "{} wins most often with {name}: {} of the games{}",
            capital(compared, whose),
            compared.own_mean(side, PERCENT.times(as_read(metric).0)),
            compared.ties()
        ),
        false => format!("{} does best with {name}, {}", capital(compared, whose), of_it(compared, side)),
    }
}

/// With a capital letter, but for the name of a policy.
fn capital(compared: &ComparisonReport, text: &str) -> String {
    if compared.seats == 1 {
        return text.to_owned();
    }
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
