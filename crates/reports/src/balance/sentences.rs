//! What the variants do, and whether that is wanted, in a few sentences.

use stopwise_analysis::balance::{Level, Measure, Quantity, Statistic, Verdict};
use stopwise_analysis::estimate::Interval;
use stopwise_narration::{counted, grouped};

use super::topics::{shown, style};
use super::verdicts::{missed, nearest, overall};
use super::{BalanceReport, Claim, Moved, SearchReport, alike, contest, cut, length, seats};
use crate::numbers::{MEAN, PERCENT};
use crate::uneven::{self, Left};
use crate::words::{points, some};

/// Variants named in a sentence.
const NAMED: usize = 5;
/// And of those that were searched for.
const FOUND: usize = 10;

/// The measures that say most of a game, the most important first.
pub(super) fn headlines(balanced: &BalanceReport) -> Vec<&Measure> {
    let wanted = match balanced.variants[0].seats {
        1 => vec![
            Statistic::Mean(Quantity::Score),
            Statistic::Early,
            Statistic::Mean(Quantity::Turns),
            Statistic::Mean(Quantity::Rolls),
        ],
        // An edge in percentage points means less among many seats than among few.
        _ if !has_same_seats(balanced) => {
            vec![Statistic::SeatWins(0), Statistic::Mean(Quantity::Turns), Statistic::Early]
        }
        _ => vec![Statistic::FirstSeatEdge, Statistic::Mean(Quantity::Turns), Statistic::Early],
    };
    let measures = &balanced.variants[0].measures;
    let find = |statistic| measures.iter().find(|measure| measure.statistic == statistic);
    wanted.into_iter().filter_map(find).collect()
}

/// The sentences, in the order in which a game's editor asks: what makes the rest worthless; whether what was wished for is met;
/// which policy wins, since a game with one that always does is no game; what a seat is worth, or what is scored; how long it takes.
pub(super) fn answer(balanced: &BalanceReport, claims: &[Claim<'_>], effects: &[Moved<'_>]) -> Vec<String> {
    let mut said: Vec<_> = cut::answer(balanced).into_iter().collect();
    if !claims.is_empty() {
        said.push(match &balanced.search {
            Some(search) => searched(balanced, claims, search),
            None => met(balanced, claims),
        });
    }
    said.extend(contest::answer(balanced));
    if seats::are_many(balanced) {
        said.extend(seats::answer(balanced, balanced.best[0]));
    }
    said.extend(seats::whoever_plays(balanced).filter(|_| balanced.policies.len() > 1));
    // Of two seats the edge of the first says all, and turns of all seats depend on how many there are.
    let is_left = |measure: &&Measure| match measure.statistic {
        Statistic::FirstSeatEdge | Statistic::SeatWins(_) => !seats::are_many(balanced),
        Statistic::Mean(Quantity::Turns) => has_same_seats(balanced),
        _ => true,
    };
    let headlines = headlines(balanced).into_iter().filter(is_left);
    let most = if seats::are_many(balanced) { 1 } else { 2 };
    if balanced.variants.len() == 1 {
        said.extend(alone(balanced, headlines, most));
    } else if balanced.variants[1..].iter().all(|ruled| ruled.changed.is_empty()) {
        said.push("All variants are the same rules.".into());
    } else if let [_] = alike::groups(balanced)[..] {
        said.extend(alone(balanced, headlines, most));
        said.extend(alike::answer(balanced));
    } else {
        said.extend(length::answer(balanced, balanced.best[0]).filter(|_| !has_same_seats(balanced)));
        // Who searches for what meets targets does not ask what moves a measure most.
        let most = if balanced.search.is_some() { 0 } else { most };
        said.extend(headlines.filter_map(|measure| moved(balanced, effects, measure)).take(most));
        said.extend(left(balanced));
        said.extend(alike::answer(balanced));
    }
    said
}

/// The games that nobody wins, or that end early, where variants differ in them.
fn left(balanced: &BalanceReport) -> Vec<String> {
    let policy = balanced.best[0];
    let (rows, names) = (alike::firsts(balanced), alike::names(balanced));
    let left = rows.iter().map(|&at| {
        let ruled = &balanced.variants[at];
        Left::of(&ruled.metrics, &ruled.endings, &balanced.tallies[at][policy])
    });
    let told = uneven::told(&left.collect::<Vec<_>>(), |row| format!("under {}", names[rows[row]]));
    let with = |told: String| match balanced.policies.len() {
        1 => told,
        _ => format!(
            "With {} in every seat: {}{}",
            balanced.policies[policy],
            told[..1].to_lowercase(),
            &told[1..]
        ),
    };
    told.into_iter().map(with).collect()
}

/// The variants with a verdict.
struct Judged {
    count: usize,
    /// Of those that play the same games one.
    names: Vec<String>,
}

impl Judged {
    /// But for the first `skip`.
    fn with(balanced: &BalanceReport, claims: &[Claim<'_>], verdict: Verdict, skip: usize) -> Self {
        let found = |at: &usize| overall(balanced, claims, *at) == Some(verdict);
        let all = skip..balanced.variants.len();
        let rows = alike::groups(balanced);
        let rows = rows.iter().filter_map(|group| group.iter().copied().find(|&at| at >= skip)).filter(found);
        let called = alike::names(balanced);
        Self { count: all.filter(found).count(), names: rows.map(|at| called[at].clone()).collect() }
    }

    /// Their names, as far as a sentence has room.
    fn named(&self, most: usize) -> String {
        some(&self.names, most, ", ")
    }
}

/// Whether a search has found, or may have found, a variant that meets all targets.
pub(super) fn has_found(balanced: &BalanceReport, claims: &[Claim<'_>]) -> bool {
    let is_in = |at| !matches!(overall(balanced, claims, at), None | Some(Verdict::Fail));
    (1..balanced.variants.len()).any(is_in)
}

/// Which targets fail, with which policies.
fn failures(balanced: &BalanceReport, claims: &[Claim<'_>]) -> String {
    let mut failed: Vec<(&str, Vec<String>)> = Vec::new();
    for claim in claims.iter().filter(|claim| claim.verdict == Verdict::Fail) {
        let who = balanced.who(claim.policy, claim.variant);
        match failed.iter_mut().find(|(measure, _)| *measure == claim.target.measure) {
            Some((_, policies)) => policies.push(who),
            None => failed.push((&claim.target.measure, vec![who])),
        }
    }
    let told = failed.iter().map(|(measure, policies)| {
        let policies: Vec<&str> = policies.iter().map(String::as_str).collect();
        format!("{measure} fails with {}", some(&policies, NAMED, ", "))
    });
    told.collect::<Vec<_>>().join("; ")
}

/// Which variants meet all targets.
fn met(balanced: &BalanceReport, claims: &[Claim<'_>]) -> String {
    let of = |verdict| Judged::with(balanced, claims, verdict, 0);
    let (pass, may, fail) = (of(Verdict::Pass), of(Verdict::Undecided), of(Verdict::Fail));
    let all = pass.count + may.count + fail.count;
    if all == 1 {
        let name = balanced.name(claims[0].variant);
        return match (pass.count, may.count) {
            (1, _) => format!("{name} meets all targets."),
            (_, 1) => format!("{name} may meet all targets: more trials would tell."),
            _ => format!("{name} does not meet all targets: {}.", failures(balanced, claims)),
        };
    }
    let mut said = match pass.count {
        0 => {
            let meets = if may.count == 0 { "meets" } else { "is known to meet" };
            let none =
                if all == 2 { "Neither variant".into() } else { format!("None of the {all} variants") };
            format!("{none} {meets} all targets.")
        }
        1 => format!("1 of {} meets all targets: {}.", counted(all as u64, "variant"), pass.named(NAMED)),
        met => {
            format!("{met} of {} meet all targets: {}.", counted(all as u64, "variant"), pass.named(NAMED))
        }
    };
    said += &undecided(&may);
    if fail.count > 0 && fail.count < all {
        said += &match fail.count {
            1 => " The other fails.".to_owned(),
            others => format!(" The other {others} fail."),
        };
    }
    said
}

/// The variants of which more trials would tell whether they meet all targets.
fn undecided(may: &Judged) -> String {
    if may.count == 0 {
        return String::new();
    }
    format!(" {} may, which more trials would tell: {}.", grouped(may.count as u64), may.named(NAMED))
}

/// What a search has found.
fn searched(balanced: &BalanceReport, claims: &[Claim<'_>], search: &SearchReport) -> String {
    let of = |verdict| Judged::with(balanced, claims, verdict, 1);
    let (pass, may) = (of(Verdict::Pass), of(Verdict::Undecided));
    let looked = counted(search.looked.len() as u64, "combination");
    let mut said = match pass.count {
        _ if search.looked.len() == 1 => {
            let meets = match (pass.count, may.count) {
                (1, _) => "meets",
                (_, 1) => "is not known to meet",
                _ => "does not meet",
            };
            format!(
                "The only combination looked at {meets} all targets{}.",
                pass.names.first().map_or_else(String::new, |name| format!(": {name}"))
            )
        }
        0 if may.count == 0 => format!("None of the {looked} looked at meets all targets."),
        0 => format!("None of the {looked} looked at is known to meet all targets."),
        1 => format!("1 of the {looked} looked at meets all targets: {}.", pass.named(FOUND)),
        met => {
            let rest = if pass.names.len() > FOUND { ", all in the table" } else { "" };
            format!("{met} of the {looked} looked at meet all targets: {}{rest}.", pass.named(FOUND))
        }
    };
    said += &undecided(&may);
    if pass.count + may.count == 0
        && let Some(near) = nearest(balanced, search).first()
        && let Some(missed) = missed(balanced, near)
    {
        said += &format!(" The nearest is {} ({missed}).", balanced.shown(&near.name));
    }
    let base = &balanced.variants[0].name;
    match overall(balanced, claims, 0) {
        Some(Verdict::Pass) => said += &format!(" {base} itself meets them."),
        Some(Verdict::Undecided) => said += &format!(" {base} itself may meet them."),
        Some(Verdict::Fail) => said += &format!(" {base} itself does not."),
        None => {}
    }
    said
}

/// What part of a measure is told: of turns those of a seat, because seats may have them at the same time, unless variants
/// differ in their seats.
fn share_of_a_seat(balanced: &BalanceReport, measure: &Measure) -> f64 {
    match measure.statistic {
        // Targets are for those of all seats.
        Statistic::Mean(Quantity::Turns) if has_same_seats(balanced) && balanced.targets.is_empty() => {
            1.0 / balanced.variants[0].seats as f64
        }
        _ => 1.0,
    }
}

/// Whether all variants are for as many players.
fn has_same_seats(balanced: &BalanceReport) -> bool {
    balanced.variants.iter().all(|ruled| ruled.seats == balanced.variants[0].seats)
}

/// What a measure is of, in the words of a sentence.
fn phrase(balanced: &BalanceReport, measure: &Measure) -> String {
    let is_of_each = share_of_a_seat(balanced, measure) < 1.0;
    let whose = if balanced.has_seats() && !is_of_each { " (all seats added up)" } else { "" };
    match measure.statistic {
        Statistic::Mean(Quantity::Turns) if is_of_each => "the mean number of turns of a seat".into(),
        Statistic::Mean(Quantity::Turns) => format!("the mean number of turns{whose}"),
        Statistic::Mean(Quantity::Rolls) => format!("the mean number of {}{whose}", measure.unit),
        Statistic::Early => "the share of the games that end early".into(),
        Statistic::FirstSeatEdge => "the first seat's edge over a fair share of the wins".into(),
        Statistic::SeatWins(0) => "the first seat's share of the wins".into(),
        _ => format!("the {}", measure.name),
    }
}

/// A value with its unit.
fn with_unit(measure: &Measure, value: f64) -> String {
    match measure.is_share() {
        true if measure.statistic == Statistic::FirstSeatEdge => {
            format!("{} percentage points", points(value))
        }
        true => shown(measure, value),
        false => format!("{} {}", shown(measure, value), measure.unit),
    }
}

/// The policy that is spoken of: the best under the base in the pilot.
fn played_by(balanced: &BalanceReport) -> (usize, String) {
    let policy = balanced.best[0];
    let seats = if balanced.has_seats() { " in every seat" } else { "" };
    (policy, format!("{}{seats}", balanced.policies[policy]))
}

/// Whether a measure says nothing: early ends where there are none.
fn is_idle(measure: &Measure, value: f64) -> bool {
    measure.statistic == Statistic::Early && value == 0.0
}

/// The limits of a measure under the base, by themselves: ` (95 %: 3.18 to 4.57)`.
fn limits(balanced: &BalanceReport, measure: &Measure) -> String {
    let found = balanced.measured(0, balanced.best[0], measure, Level::SINGLE);
    let known = found.and_then(|found| Some((found.level, found.interval?)));
    known.map_or_else(String::new, |(level, interval)| {
        let style = style(measure).times(share_of_a_seat(balanced, measure)).bare();
        format!(" ({level}: {})", style.range(Some(interval)))
    })
}

/// What the only variant is like, in so many measures at most.
fn alone<'b>(
    balanced: &'b BalanceReport,
    headlines: impl Iterator<Item = &'b Measure>,
    most: usize,
) -> Option<String> {
    let (policy, who) = played_by(balanced);
    let of = |measure: &Measure| {
        let found = balanced.measured(0, policy, measure, Level::SINGLE)?;
        if is_idle(measure, found.value) {
            return None;
        }
        let value = with_unit(measure, share_of_a_seat(balanced, measure) * found.value);
        Some(format!("{} is {value}{}", phrase(balanced, measure), limits(balanced, measure)))
    };
    let said: Vec<_> = headlines.filter_map(of).take(most).collect();
    let name = &balanced.variants[0].name;
    (!said.is_empty()).then(|| format!("With {who} under {name}, {}.", said.join(", and ")))
}

/// What the variants do to a measure.
fn moved(balanced: &BalanceReport, effects: &[Moved<'_>], measure: &Measure) -> Option<String> {
    let (policy, who) = played_by(balanced);
    let first = alike::standing_for(balanced);
    let of: Vec<_> = effects
        .iter()
        .filter(|moved| moved.policy == policy && moved.measure.name == measure.name)
        .filter(|moved| !balanced.variants[moved.variant].changed.is_empty())
        .filter(|moved| first[moved.variant] == moved.variant)
        .collect();
    let name = |moved: &Moved<'_>| balanced.name(moved.variant);
    let scale = share_of_a_seat(balanced, measure);
    let told = |value: f64| with_unit(measure, scale * value);
    let (what, base) = (phrase(balanced, measure), told(of.first()?.effect.base));
    let rising = of.iter().filter(|moved| moved.effect.difference.is_above(0.0));
    let falling = of.iter().filter(|moved| moved.effect.difference.is_below(0.0));
    let known = rising.clone().count() + falling.clone().count();
    let start = format!("With {who}, {what}");
    let first = &balanced.variants[0].name;
    if known == 0 {
        if is_idle(measure, of[0].effect.base) {
            return None;
        }
        let no = if of.len() == 1 { format!("{} is not", name(of[0])) } else { "no variant is".into() };
        let limits = limits(balanced, measure);
        return Some(format!("{start} is {base}{limits} under {first}, and {no} known to change that."));
    }
    // Upwards or downwards.
    let signed = |moved: &Moved<'_>, is_up: bool| match moved.effect.difference {
        difference if is_up => difference,
        difference => difference.negated(),
    };
    let part = |ways: Vec<&&Moved<'_>>, is_up: bool| {
        let size = |moved: &Moved<'_>| signed(moved, is_up).value;
        let most = **ways.iter().max_by(|a, b| size(a).total_cmp(&size(b)))?;
        let reach = |interval: Option<Interval>| interval.unwrap_or(Interval::UNBOUNDED);
        let least = reach(signed(most, is_up).interval).low;
        let mut others = ways.iter().filter(|moved| moved.variant != most.variant);
        let is_most = others.all(|other| reach(signed(other, is_up).interval).high < least);
        let verb = if is_up { "rises" } else { "falls" };
        let (where_to, unknown) = match ways.len() {
            1 => (verb.to_owned(), String::new()),
            _ if is_most => (format!("{verb} most"), String::new()),
            several => (
                format!("{verb} under {several} variants, the most seen"),
                format!("; these trials do not tell under which it {verb} most"),
            ),
        };
        let (to, by) = (told(most.effect.variant), by(measure, most, scale));
        Some(format!("{where_to} under {}, to {to} (by {by}{unknown})", name(most)))
    };
    let parts = [part(rising.collect(), true), part(falling.collect(), false)];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    let open = of.len() - known;
    let rest = match open {
        0 => String::new(),
        1 => "; 1 variant is not known to change it".into(),
        _ => format!("; {open} variants are not known to change it"),
    };
    Some(format!("{start}, {base} under {first}, {}{rest}.", parts.join(" and ")))
}

/// The size of a difference: `172.17, 95 %: 164.90 to 179.43`.
fn by(measure: &Measure, moved: &Moved<'_>, scale: f64) -> String {
    let difference = moved.effect.difference;
    let style = match measure.is_share() {
        true => PERCENT.bare(),
        false => MEAN.to(2).times(scale),
    };
    let difference = if difference.is_below(0.0) { difference.negated() } else { difference };
    let unit = if measure.is_share() { " percentage points" } else { "" };
    let (value, limits) =
        (style.fine(difference.interval).number(difference.value), style.range(difference.interval));
    format!("{value}{unit}, {}: {limits}", difference.level)
}
