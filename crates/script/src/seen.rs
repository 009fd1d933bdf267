//! Where in the rules a question is asked, and of whom, if a position as text leaves that out: games of random answers tell. A
//! loop over players keeps in variables without a name how far it has come, which nobody can know by heart.

use std::collections::HashSet;

use stopwise_engine::game::{Question, Seat};
use stopwise_engine::vocabulary::{Parts, listed};

use crate::op::{NamedKind, Program, SiteForm, Told};
use crate::state::State;

/// The most values of a part of which one is to be chosen.
const TOLD: usize = 6;

/// A question that was met, and what a text need not say of it.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) state: State,
    pub(crate) seat: Seat,
    /// Which of the lines that ask it of its seat, from 1.
    place: usize,
    /// The variables without a name, and those that are players, by the names of their parts, as text.
    hidden: Vec<(String, String)>,
    who: Vec<(String, String)>,
}

/// How far a loop has come: what is chosen from is none.
pub(crate) fn is_hidden(told: &Told) -> bool {
    told.name.is_empty() && !told.is_chosen_from()
}

/// Whether it is a player.
pub(crate) fn is_who(told: &Told) -> bool {
    matches!(told.kind, NamedKind::Player) && !told.is_players && !is_hidden(told)
}

/// Some of the variables of a question, by the names of their parts, as text.
fn told(program: &Program, state: &State, is: fn(&Told) -> bool) -> Vec<(String, String)> {
    let parts = program.sites.get(state.stop()).into_iter().flat_map(|site| program.parts(site));
    let of = |(name, told): (String, &Told)| (name, program.written_at(told, state));
    parts.filter(|(_, told)| is(told)).map(of).collect()
}

/// The question of a kind that the parts mean, of those that were met; what they do not give is as at the start, if it can be.
/// `None` if no game came to one, or the rules ask it in one way alone.
///
/// # Errors
///
/// What to write, if it was met in several ways, or never so.
pub(crate) fn seen(
    program: &Program,
    met: impl FnOnce() -> &'static [Seen],
    (kind, start): (usize, &State),
    parts: &Parts,
) -> Result<Option<&'static Seen>, String> {
    let asks = asks(program, kind);
    let hides = |at: &usize| program.parts(&program.sites[*at]).any(|(_, told)| is_hidden(told));
    if asks.is_empty()
        || program.seats == 1
        || !program.is_round
        || asks.len() == 1 && !hides(&asks[0]) && program.asked_always(asks[0]).is_some()
    {
        return Ok(None);
    }
    let who: Vec<_> = program.parts(&program.sites[asks[0]]).filter(|(_, told)| is_who(told)).collect();
    let is_player = |text: &str| text.parse().is_ok_and(|seat: usize| (1..=program.seats).contains(&seat));
    let names = who.iter().map(|(name, _)| name.as_str()).chain(["seat"]);
    if !names.filter_map(|name| parts.given(name)).all(is_player) {
        // Whoever reads that part says what is wrong with it.
        return Ok(None);
    }
    let mut found: Vec<&Seen> = met().iter().filter(|seen| asks.contains(&seen.state.stop())).collect();
    let names = open_names(&found, asks.len() > 1);
    if !found.is_empty() && !found.iter().any(|seen| seen.holds(parts)) {
        // Whoever gives all of it may know of games that are rarer than random ones.
        let of_seat = |name: &String| {
            found.iter().all(|seen| seen.who.contains(&(name.clone(), (seen.seat + 1).to_string())))
        };
        let is_other = |name: &String| parts.is_given(name) && parts.given(name) != parts.given("seat");
        let contradicts = who.iter().any(|(name, _)| is_other(name) && of_seat(name));
        let is_whole =
            parts.is_given("seat") && names.iter().all(|name| parts.is_given(name)) && !contradicts;
        let all = ["seat"].into_iter().chain(who.iter().map(|(name, _)| name.as_str()));
        let all = all.chain(names.iter().map(String::as_str));
        return if is_whole { Ok(None) } else { Err(never_asked(all, parts)) };
    }
    found.retain(|seen| seen.holds(parts));
    for (name, told) in who {
        if !parts.is_given(&name) {
            let at_start = (name, program.written_at(told, start));
            keep(&mut found, |seen| seen.who.contains(&at_start));
        }
    }
    if !parts.is_given("seat") {
        let first = found.iter().map(|seen| seen.seat).min();
        found.retain(|seen| Some(seen.seat) == first);
    }
    match names.iter().filter(|name| !parts.is_given(name)).find_map(|name| several(&found, name)) {
        Some(why) => Err(why),
        None => Ok(found.first().copied()),
    }
}

/// The names of what says how far loops have come.
fn open_names(found: &[&Seen], has_places: bool) -> Vec<String> {
    let place = has_places.then(|| "place".to_owned());
    let mut names: Vec<String> = place.into_iter().collect();
    for (name, _) in found.iter().flat_map(|seen| &seen.hidden) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// What is said where no question that was met agrees with what is given.
fn never_asked<'n>(names: impl Iterator<Item = &'n str>, parts: &Parts) -> String {
    let given: Vec<String> =
        names.filter_map(|name| Some(format!("{name}={}", parts.given(name)?))).collect();
    format!(
        "nobody is asked this so in random games: {}; change one of them, or write all parts as in the position of `stopwise \
         replay --json`",
        listed(&given, "and")
    )
}

/// What to write if those that are left differ in a value.
fn several(found: &[&Seen], name: &str) -> Option<String> {
    let mut values: Vec<String> = found.iter().filter_map(|seen| seen.value(name)).collect();
    values.sort();
    values.dedup();
    let told: Vec<String> = values.iter().take(TOLD).map(|value| format!("{name}={value}")).collect();
    (values.len() > 1).then(|| {
        format!(
            "seat {} is asked this in several places of the round: write {}, as in the position of `stopwise replay --json`",
            found[0].seat + 1,
            listed(&told, "or")
        )
    })
}

/// The lines that ask a question of a kind.
fn asks(program: &Program, kind: usize) -> Vec<usize> {
    let is_it = |at: &usize| matches!(program.sites[*at].form, SiteForm::Ask(of) if of == kind);
    (0..program.sites.len()).filter(is_it).collect()
}

/// Keeps those for which something holds, if it holds for any.
fn keep(found: &mut Vec<&Seen>, holds: impl Fn(&Seen) -> bool) {
    if found.iter().any(|seen| holds(seen)) {
        found.retain(|seen| holds(seen));
    }
}

impl Seen {
    /// Of questions that were met, the first of each that differ in what is seen of them.
    pub(crate) fn all(program: &Program, met: &[(State, Question)]) -> Vec<Self> {
        let asks: Vec<_> = (0..program.kinds.len()).map(|kind| asks(program, kind)).collect();
        let mut known = HashSet::new();
        let each = |(state, question): &(State, Question)| {
            let seen = Self::new(program, &asks[question.kind], state, question.seat);
            let is_new = known.insert((state.stop(), seen.seat, seen.hidden.clone(), seen.who.clone()));
            is_new.then_some(seen)
        };
        met.iter().filter_map(each).collect()
    }

    fn new(program: &Program, asks: &[usize], state: &State, seat: Seat) -> Self {
        let stop = state.stop();
        let is_fixed = asks.iter().all(|at| program.asked_always(*at).is_some());
        let is_own = |at: &&usize| !is_fixed || program.asked_always(**at) == Some(seat);
        let place = asks.iter().filter(is_own).position(|at| *at == stop).unwrap_or(0) + 1;
        let [hidden, who] = [is_hidden, is_who].map(|is| told(program, state, is));
        Self { state: *state, seat, place, hidden, who }
    }

    fn value(&self, name: &str) -> Option<String> {
        if name == "place" {
            return Some(self.place.to_string());
        }
        self.hidden.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone())
    }

    /// Whether it agrees with what is given: the seat, the place, and who is who.
    fn holds(&self, parts: &Parts) -> bool {
        let is = |name: &str, value: &str| parts.given(name).is_none_or(|given| given == value);
        is("seat", &(self.seat + 1).to_string())
            && is("place", &self.place.to_string())
            && self.hidden.iter().chain(&self.who).all(|(name, value)| is(name, value))
    }
}
