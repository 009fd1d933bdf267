//! What a ranking found, in a sentence or a few.

use stopwise_analysis::rank::{Aim, Matchup, Race, RoundRobin};
use stopwise_engine::game::Better;
use stopwise_narration::{counted, trials};

use crate::cap;
use crate::words::{always, listing, percent, some};

use super::{By, RankReport, Row};

/// Policies named in a sentence.
const NAMED: usize = 8;

/// The sentences.
pub(super) fn answer(ranked: &RankReport, rows: &[Row<'_>]) -> Vec<String> {
    let Some(first) = rows.first() else { return Vec::new() };
    if let By::Race(race) = &ranked.by
        && let Some(said) = race.constant().and_then(|value| always(&ranked.metric, value, race.trials()))
    {
        return vec![said];
    }
    let (undecided, is_first) = undecided(ranked).unzip();
    let mut said = best(ranked, first, &rows[1..]);
    if let Some(undecided) = undecided {
        let at = if is_first == Some(true) { 0 } else { said.len() };
        said.insert(at, undecided);
    }
    if let By::Race(race) = &ranked.by {
        said.push(state(ranked, race, first.places == (1, 1)));
    }
    if let Some(shared) = ranked.shared {
        said.push(format!(
            "A tie is no win here: `--metric {shared}` ranks by wins that those who tie share."
        ));
    }
    said.push(format!(
        "All of this holds together with {} confidence ({}).",
        ranked.level(),
        ranked
            .method()
            .in_words()
            .replace("holds at", "at")
            .replace(", all together", "")
            .replace("; all hold together", "")
    ));
    said.extend(fresh(ranked, first));
    said.extend(same(ranked));
    said
}

/// From this share of all games on it is told first that nobody wins them.
const TOLD: f64 = 0.1;

/// The table with most games that nobody wins, if they are many, and whether that is told first.
fn undecided(ranked: &RankReport) -> Option<(String, bool)> {
    let By::RoundRobin(robin) = &ranked.by else { return None };
    let is_shared = ranked.metric.is_share();
    let names = |table: &Matchup| [table.one, table.others].map(|number| &ranked.labels[number]);
    let alike = ranked.alike.as_ref().map(|alike| {
        let games = counted(alike.games, "game");
        let why =
            format!("The two play alike: they give the same answers in all of {games} that were tried.");
        (names(&alike.table), why)
    });
    if is_shared && let Some(([one, others], why)) = alike {
        return Some((format!("{one} and {others} share every win. {why}"), true));
    }
    let worst = robin.tables().iter().max_by_key(|table| table.games - table.decided)?;
    let share = cap::share(worst.games - worst.decided, worst.games)?;
    let [one, others] = names(worst);
    let why = alike.map_or_else(
        || {
            let what = if is_shared { "A policy" } else { "They are ties, or a policy" };
            format!("{what} never stops: `stopwise policy check` plays some games and says where.")
        },
        |(_, why)| why,
    );
    let sum = |of: fn(&Matchup) -> u64| robin.tables().iter().map(of).sum::<u64>() as f64;
    let is_first = sum(|table| table.games - table.decided) >= TOLD * sum(|table| table.games);
    Some((format!("Nobody wins {share} of the games of {one} with {others}. {why}"), is_first))
}

/// A difference that is this small is the rounding of sums.
const NOTHING: f64 = 1e-12;

/// Which is best, as far as it is known.
fn best(ranked: &RankReport, first: &Row<'_>, rest: &[Row<'_>]) -> Vec<String> {
    let name = first.policy;
    let Some(mean) = first.mean else {
        return vec![format!(
            "How often {name} wins is not known: at one of its tables no game had a winner."
        )];
    };
    let value = ranked.shown(mean);
    let limits = mean.interval.map_or_else(String::new, |_| format!(" ({})", ranked.limits(first.mean)));
    let (metric, unit) = (ranked.metric.word(), ranked.metric.unit);
    // Best without more is nobody whom another beats.
    let (of_what, in_the_mean) = match &ranked.by {
        By::RoundRobin(robin) if !Lone::of(ranked, robin).beat_it.is_empty() => {
            (" in the mean over all others", "")
        }
        _ => ("", ", in the mean over all others"),
    };
    let has = match &ranked.by {
        By::Race(_) if metric == unit => format!("mean {value} {unit}{limits}"),
        By::Race(_) => format!("mean {metric} {value} {unit}{limits}"),
        By::RoundRobin(robin) => {
            let fair = match ranked.seats {
                2 => String::new(),
                seats => format!("; a fair share is {}", percent(1.0 / seats as f64)),
            };
            let of = ranked.won().of;
            match rest {
                [other] if ranked.seats == 2 => {
                    format!("wins {value}{limits}{of} against {}", other.policy)
                }
                [other] => {
                    format!("wins {value}{limits}{of}, with one seat at a table of {}{fair}", other.policy)
                }
                _ => {
                    let alone = alone(ranked, robin);
                    format!("wins {value}{limits}{of}{in_the_mean}{alone}{fair}")
                }
            }
        }
    };
    let still = still(ranked, name);
    if first.places == (1, 1) {
        return [format!("Best{of_what}: {name}, {has}.")].into_iter().chain(still).collect();
    }
    // The order is one of places: who has a better mean, of which less is known, may stand below.
    let is_ahead = |row: &Row<'_>| {
        row.to_first.is_some_and(|more| match ranked.metric.better {
            Better::Higher => more.value > NOTHING,
            Better::Lower => more.value < -NOTHING,
        })
    };
    let how = if rest.iter().any(is_ahead) { "First by its places" } else { "Best seen" };
    let seen = format!("{how}{of_what}: {name}, {has}.");
    let possible: Vec<_> = rest.iter().filter(|row| row.places.0 == 1).map(|row| row.policy).collect();
    if possible.len() == rest.len() {
        let which = match rest.len() + 1 {
            2 => "which of the two is better".to_owned(),
            all => format!("which of the {all} is best"),
        };
        return vec![seen, format!("It is not known {which}.")];
    }
    [seen, format!("May be the best as well: {}.", listing(&possible, NAMED, "and"))]
        .into_iter()
        .chain(still)
        .collect()
}

/// What is known of the first against each of the others alone, where there are several: the mean over all may be the best because
/// it has more from the weak.
#[derive(Default)]
struct Lone<'r> {
    /// Who beats it.
    beat_it: Vec<&'r str>,
    /// Who may.
    open: Vec<&'r str>,
}

impl<'r> Lone<'r> {
    fn of(ranked: &'r RankReport, robin: &RoundRobin) -> Self {
        let Some((&first, others)) =
            ranked.ranking.order.split_first().filter(|(_, others)| others.len() > 1)
        else {
            return Self::default();
        };
        let those = |is_it: &dyn Fn(usize) -> bool| {
            let those = others.iter().filter(|&&other| is_it(other));
            those.map(|&other| ranked.labels[other].as_str()).collect()
        };
        Self {
            beat_it: those(&|other| robin.beats(other, first)),
            open: those(&|other| !robin.beats(first, other) && !robin.beats(other, first)),
        }
    }
}

/// Those with one seat at a table of the first who are known to win more than a fair share there, the most first: among three or
/// more, one that plays differently may have more than those who play alike, whom it beats or not.
fn ahead(ranked: &RankReport, robin: &RoundRobin) -> Vec<String> {
    let Some((&first, others)) = ranked.ranking.order.split_first().filter(|_| ranked.seats > 2) else {
        return Vec::new();
    };
    let fair = 1.0 / ranked.seats as f64;
    let more =
        |&other: &usize| Some((other, robin.share(other, first).filter(|share| share.is_above(fair))?));
    let mut more: Vec<_> = others.iter().filter_map(more).collect();
    more.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
    more.into_iter()
        .map(|(other, share)| format!("{} ({})", ranked.labels[other], ranked.shown(share)))
        .collect()
}

/// That rivals win more than a fair share at a table of the first.
fn still(ranked: &RankReport, first: &str) -> Option<String> {
    let By::RoundRobin(robin) = &ranked.by else { return None };
    let ahead = ahead(ranked, robin);
    (!ahead.is_empty()).then(|| {
        format!(
            "With one seat among {first}, more than a fair share is won by {}.",
            listing(&ahead, NAMED, "and")
        )
    })
}

/// The first against each of the others alone, in words.
fn alone(ranked: &RankReport, robin: &RoundRobin) -> String {
    let Lone { beat_it, open } = Lone::of(ranked, robin);
    if beat_it.is_empty() && open.is_empty() {
        return match (ranked.labels.len() > 2, ahead(ranked, robin).is_empty()) {
            (false, _) => String::new(),
            (true, true) => ", and beats each of them alone".into(),
            (true, false) => {
                ", and more with one seat among each of them than they do with one seat among its like".into()
            }
        };
    }
    let beaten = match &beat_it[..] {
        [] => String::new(),
        [only] => format!("; {only} beats it alone"),
        all => format!("; alone it is beaten by {}", listing(all, NAMED, "and")),
    };
    let open = match &open[..] {
        [] => String::new(),
        open => format!("; whether it beats {} alone is not known", listing(open, NAMED, "or")),
    };
    beaten + &open
}

/// The state of a race.
fn state(ranked: &RankReport, race: &Race, is_best_known: bool) -> String {
    let after = trials(race.trials());
    let resolution = format!("{} {}", short(race.resolution()), ranked.metric.unit);
    match (race.left().len(), race.config().aim) {
        (0, Aim::Order) => {
            format!(
                "Settled after {after}: of every two policies it is known which is better, or that they are within \
                 {resolution}."
            )
        }
        (0, Aim::Best) if is_best_known => format!("Settled after {after}: the best is known."),
        (0, Aim::Best) => {
            format!(
                "Settled after {after}: those that may be the best are within {resolution} of each other."
            )
        }
        (unsettled, aim) => {
            let from = match aim {
                Aim::Order => "from all others",
                Aim::Best => "from those that may be the best",
            };
            format!(
                "Not settled after {after}: {unsettled} policies can neither be distinguished {from} nor shown to be \
                 within {resolution}; more --trials would show it."
            )
        }
    }
}

/// Three significant digits.
fn short(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let digits = (2.0 - value.abs().log10().floor()).clamp(0.0, 9.0);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 9")]
    let digits = digits as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// Who plays alike, but for two of which that is told already.
fn same(ranked: &RankReport) -> Option<String> {
    let (groups, games) = &ranked.same;
    let told = ranked.alike.as_ref().map(|alike| [alike.table.one, alike.table.others]);
    let is_new = |group: &&Vec<usize>| {
        told.is_none_or(|told| group.len() > 2 || !told.iter().all(|policy| group.contains(policy)))
    };
    let name = |group: &Vec<usize>| {
        let names: Vec<_> = group.iter().map(|&policy| ranked.labels[policy].as_str()).collect();
        listing(&names, NAMED, "and")
    };
    let groups: Vec<_> = groups.iter().filter(is_new).map(name).collect();
    let games = counted(*games, "game");
    (!groups.is_empty()).then(|| {
        let groups = some(&groups, NAMED, " play alike, and ");
        let whose = if ranked.seats > 1 { "each against itself, " } else { "" };
        format!("{groups} play alike: {whose}they give the same answers in all of {games}.")
    })
}

/// The first on trials that its place does not depend on.
fn fresh(ranked: &RankReport, first: &Row<'_>) -> Option<String> {
    let fresh = ranked.fresh.as_ref()?;
    let (what, does) = match &ranked.by {
        By::Race(_) => ("fresh trial", "has"),
        By::RoundRobin(_) => ("fresh game", "wins"),
    };
    let unit = match &ranked.by {
        By::Race(_) => format!(" {}", ranked.metric.unit),
        // Where somebody wins nearly every game, there is no question what it is a share of.
        By::RoundRobin(_) if ranked.metric.is_share() || undecided(ranked).is_some() => {
            ranked.won().of.to_owned()
        }
        By::RoundRobin(_) => String::new(),
    };
    let interval = fresh.mean.interval.map_or_else(String::new, |_| {
        format!(" ({}: {})", fresh.mean.level, ranked.limits(Some(fresh.mean)))
    });
    Some(format!(
        "{} was chosen because it did well, which flatters its result above: in {} it {does} {}{unit}{interval}.",
        first.policy,
        counted(fresh.trials, what),
        ranked.shown(fresh.mean)
    ))
}
