//! Where in the rules a question is asked, and of whom, if a position as text leaves that out: games of random answers tell. A
//! loop over players keeps in variables without a name how far it has come, which nobody can know by heart.

use stopwise_engine::game::Seat;
use stopwise_engine::vocabulary::{Parts, listed};

use crate::op::{NamedKind, Program, SiteForm, Told};
use crate::script::Script;
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
    /// The variables without a name, by the names of their parts, as text.
    hidden: Vec<(String, String)>,
}

/// How far a loop has come: what is chosen from is none.
pub(crate) fn is_hidden(told: &Told) -> bool {
    told.name.is_empty() && !told.is_chosen_from()
}

/// The question of a kind that the parts mean; what they do not give is as at the start, if it can be. `None` if no game came to one, or the rules ask it in one way alone.
///
/// # Errors
///
/// What to write, if it was met in several ways.
pub(crate) fn seen(
    script: &Script,
    (kind, start): (usize, &State),
    parts: &Parts,
) -> Result<Option<Seen>, String> {
    let program = script.program();
    let is_it = |at: usize| matches!(program.sites[at].form, SiteForm::Ask(of) if of == kind);
    let asks: Vec<usize> = (0..program.sites.len()).filter(|at| is_it(*at)).collect();
    let hides = |at: &usize| program.parts(&program.sites[*at]).any(|(_, told)| is_hidden(told));
    if program.seats == 1
        || !program.is_round
        || asks.len() == 1 && !hides(&asks[0]) && program.asked_always(asks[0]).is_some()
    {
        return Ok(None);
    }
    let met = script.totals().questions();
    let of_kind = met.iter().filter(|(state, _)| is_it(state.stop()));
    let mut found: Vec<Seen> =
        of_kind.map(|(state, question)| Seen::new(program, &asks, state, question.seat)).collect();
    keep(&mut found, |seen| seen.holds(program, parts, None));
    keep(&mut found, |seen| seen.holds(program, parts, Some(start)));
    if !parts.is_given("seat") {
        let first = found.iter().map(|seen| seen.seat).min();
        found.retain(|seen| Some(seen.seat) == first);
    }
    let mut names = vec!["place".to_owned()];
    for (name, _) in found.iter().flat_map(|seen| &seen.hidden) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    for name in names.iter().filter(|name| !parts.is_given(name)) {
        let mut values: Vec<String> = found.iter().filter_map(|seen| seen.value(name)).collect();
        values.sort();
        values.dedup();
        if values.len() > 1 {
            let told: Vec<String> = values.iter().take(TOLD).map(|value| format!("{name}={value}")).collect();
            return Err(format!(
                "seat {} is asked this in several places of the round: write {}, as in the position of `stopwise replay --json`",
                found[0].seat + 1,
                listed(&told, "or")
            ));
        }
    }
    Ok(found.into_iter().next())
}

/// Keeps those for which something holds, if it holds for any.
fn keep(found: &mut Vec<Seen>, holds: impl Fn(&Seen) -> bool) {
    if found.iter().any(&holds) {
        found.retain(holds);
    }
}

impl Seen {
    fn new(program: &Program, asks: &[usize], state: &State, seat: Seat) -> Self {
        let stop = state.stop();
        let is_fixed = asks.iter().all(|at| program.asked_always(*at).is_some());
        let is_own = |at: &&usize| !is_fixed || program.asked_always(**at) == Some(seat);
        let place = asks.iter().filter(is_own).position(|at| *at == stop).unwrap_or(0) + 1;
        let parts = program.parts(&program.sites[stop]).filter(|(_, told)| is_hidden(told));
        let hidden = parts.map(|(name, told)| (name, program.written_at(told, state))).collect();
        Self { state: *state, seat, place, hidden }
    }

    fn value(&self, name: &str) -> Option<String> {
        if name == "place" {
            return Some(self.place.to_string());
        }
        self.hidden.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone())
    }

    /// Whether it agrees with what is given: the seat, the place, and who is who; what is not given with what it is in a state.
    fn holds(&self, program: &Program, parts: &Parts, other: Option<&State>) -> bool {
        let is = |name: &str, value: &str| parts.given(name).is_none_or(|given| given == value);
        let is_who =
            |told: &Told| matches!(told.kind, NamedKind::Player) && !told.is_players && !is_hidden(told);
        let mut known = program.parts(&program.sites[self.state.stop()]).filter(|(_, told)| is_who(told));
        is("seat", &(self.seat + 1).to_string())
            && is("place", &self.place.to_string())
            && self.hidden.iter().all(|(name, value)| is(name, value))
            && known.all(|(name, told)| {
                let other = other.map(|other| program.written_at(told, other));
                let wanted = parts.given(&name).map(str::to_owned).or(other);
                wanted.is_none_or(|wanted| wanted == program.written_at(told, &self.state))
            })
    }
}
