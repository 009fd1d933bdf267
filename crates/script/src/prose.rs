//! What happens in a game as text, in words: made from the names in the text.

use stopwise_engine::game::{Action, Event, Events, Seat};
use stopwise_engine::vocabulary::{
    Cause, Parts, Position, Prose, Rolled, Scene, Sketch, Transition, in_units, seats_in_words,
};

use crate::code::HaltForm;
use crate::host::{Manner, Stops};
use crate::kept::leaked;
use crate::machine::{Node, State};
use crate::mask::Mask;
use crate::op::{Form, Kind, NamedKind, Program, Reading, Site, SiteForm, Told};
use crate::pool::Shown;
use crate::script::Script;

impl Prose for Script {
    fn next_told(&self, from: Option<(State, Cause<Self>)>, events: &mut impl Events) -> Node {
        let program = self.program();
        let manner = Manner { events, watch: (), stops: Stops::Told };
        match from {
            None => program.after_start(manner),
            Some((state, Cause::Roll(shown))) => program.after_roll(&state, shown, manner),
            Some((state, Cause::Answer(_, action))) => program.after_answer(&state, action.index(), manner),
        }
    }

    fn describe_action(&self, state: &State, kind: usize, action: Action) -> String {
        let program = self.program();
        match program.kinds[kind].form {
            Form::YesNo => yes_no(action).to_owned(),
            Form::Items | Form::Number => program.candidate_in_words(state, kind, action),
        }
    }

    fn action_name(&self, kind: usize, action: Action) -> Option<String> {
        let program = self.program();
        let Kind { form, known, .. } = &program.kinds[kind];
        match (form, known) {
            (Form::YesNo, _) => Some(yes_no(action).to_owned()),
            (_, known) => {
                let (kind, values) = known.as_ref()?;
                values.get(action.index() as usize).map(|value| program.in_words(*kind, *value))
            }
        }
    }

    fn tell_action(&self, kind: usize, action: Action, name: &str) -> String {
        let kind = &self.program().kinds[kind];
        let meaning = if kind.meaning.is_empty() { &kind.name } else { &kind.meaning };
        match kind.form {
            Form::YesNo if action == Action::YES => format!("chooses to {meaning}"),
            Form::YesNo => format!("chooses not to {meaning}"),
            Form::Items | Form::Number => format!("chooses {name} (`{}`)", kind.name),
        }
    }

    fn describe_outcome(&self, shown: Shown) -> String {
        format!("outcome {}", shown.at)
    }

    fn tell_roll(&self, rolled: &[Rolled<Self>]) -> Option<String> {
        self.program().roll_in_words(rolled)
    }

    fn is_roll_of_all(&self, state: &State) -> bool {
        self.program().sites.get(state.stop()).is_some_and(|site| site.is_of_all)
    }

    fn describe_state(&self, state: &State) -> Vec<(&'static str, String)> {
        let program = self.program();
        program.places(state, |told, site| program.is_there(told, site), &Telling::Full)
    }

    fn describe_canonical(&self, state: &State) -> Vec<(&'static str, String)> {
        let program = self.program();
        let is_known = |told: &Told, site: Option<&Site>| {
            let mask = site.map(|site| program.position(state, site));
            program.is_there(told, site) && mask.is_none_or(|mask| program.is_within(told, &mask))
        };
        program.places(state, is_known, &Telling::Full)
    }

    fn describe_at_a_glance(&self, state: &State, _: Sketch) -> Vec<(&'static str, String)> {
        let program = self.program();
        let is_there = |told: &Told, site: Option<&Site>| program.is_there(told, site);
        let mut places = program.places(state, is_there, &Telling::Glance);
        // What was answered is told where it is.
        places.retain(|(name, _)| program.kinds.iter().all(|kind| kind.name != *name));
        places
    }

    /// With what a `see` line says.
    fn describe_decision(&self, state: State) -> Vec<(&'static str, String)> {
        let (program, seen) = (self.program(), self.program().seen(state));
        let mut places = self.describe_state(&seen);
        let choosing = program.choosing(&seen).filter(|what| places.iter().all(|(_, other)| other != what));
        places.extend(choosing.map(|what| (CHOOSING, what)));
        places.extend(program.worked_out(&seen));
        places
    }

    fn scene(&self, state: State, seat: Seat) -> Scene {
        self.program().scene(&self.program().seen(state), seat)
    }

    fn position(&self, at: Position<Self>, parts: &mut Parts) -> Result<Position<Self>, String> {
        crate::position::position(self, at, parts)
    }

    fn doubt(&self, (state, _): Position<Self>) -> Option<String> {
        self.totals().doubt(self.program(), &state)
    }

    fn example(&self) -> Option<Position<Self>> {
        let mut met = self.met().questions.iter();
        met.find(|(_, question)| !question.actions.is_single()).copied()
    }

    fn tell_step(&self, step: &Transition<'_, Self>) -> Vec<String> {
        let program = self.program();
        let site = |state: &State| program.sites.get(state.stop());
        let is_setup = step.before.stop() < program.setup_sites;
        let is_over = !is_setup && step.has(Event::TURN) || site(&step.after).is_none();
        let (what, shared) = if program.is_round { ("round", program.seats > 1) } else { ("turn", false) };
        let me = match program.me {
            Some(me) => usize::try_from(program.value(&step.before, me)).unwrap_or(0),
            None => 0,
        };
        let bust: Vec<Seat> = step.seats(Event::BUST).collect();
        let is_own = !shared && bust == [me];
        let mut said = Vec::new();
        if !(bust.is_empty() || is_own && is_over) {
            let who = if is_own { "counted".into() } else { seats_in_words(bust) };
            said.push(format!("bust: {who}"));
        }
        if is_over {
            // Of several turns in one step the last has no numbers of its own.
            let turns = step.seats(Event::TURN).filter(|seat| !shared || *seat == 0).count();
            let brought = if turns < 2 { program.brought(step, (!shared).then_some(me)) } else { Vec::new() };
            let brought =
                if brought.is_empty() { String::new() } else { format!(": {}", brought.join(", ")) };
            let bust = if is_own { "bust: " } else { "" };
            // What a round brought is seen where the next one waits, which may have changed something already.
            let next = if shared && !brought.is_empty() && site(&step.after).is_some() {
                ", the next begins"
            } else {
                ""
            };
            said.push(format!("{bust}the {what} is over{next}{brought}"));
        } else if !matches!(site(&step.after).map(|site| &site.form), Some(SiteForm::Ask(_))) {
            // No question follows, at which it would be seen.
            said.extend(program.brought(step, (!shared).then_some(me)));
        }
        said
    }

    fn is_told(&self, event: Event) -> bool {
        event == Event::BUST
    }
}

fn yes_no(action: Action) -> &'static str {
    if action == Action::YES { "yes" } else { "no" }
}

/// How much is said of what holds much.
enum Telling {
    Full,
    /// How much it is.
    Glance,
}

/// What is longer of an array is not seen at a glance, in characters.
const LONG: usize = 160;

/// What is chosen from, where it has no name of its own.
pub(crate) const CHOOSING: &str = "to choose from";

impl Told {
    /// Whether it has no name, and dice or cards of it are chosen; what else has no name is the program's.
    pub(crate) fn is_chosen_from(&self) -> bool {
        self.name.is_empty() && matches!(self.kind, NamedKind::Bag(_))
    }
}

impl Program {
    /// The variables that are there, in words, and who is to play.
    fn places(
        &self,
        state: &State,
        is_there: impl Fn(&Told, Option<&Site>) -> bool,
        telling: &Telling,
    ) -> Vec<(&'static str, String)> {
        let site = self.sites.get(state.stop());
        let named = self.told.iter().filter(|told| !told.name.is_empty());
        let told = named.filter(|told| is_there(told, site));
        let mut places: Vec<(&'static str, String)> =
            told.map(|told| (leaked(&told.name), self.told_in_words(state, told, telling))).collect();
        if let Some(me) = self.me.filter(|_| self.seats > 1 && site.is_some()) {
            places.insert(0, ("to play", format!("seat {}", self.value(state, me) + 1)));
        }
        places
    }

    /// What is chosen from, where it has no name of its own: a roll that nothing else reads.
    fn choosing(&self, state: &State) -> Option<String> {
        let site = self.sites.get(state.stop())?;
        let is_it = |told: &&Told| told.is_chosen_from() && self.is_there(told, Some(site));
        Some(self.told_in_words(state, self.told.iter().find(is_it)?, &Telling::Full))
    }

    /// What is worked out for policies at a question, and is neither a variable nor an option.
    pub(crate) fn worked_out(&self, state: &State) -> Vec<(&'static str, String)> {
        let is_known = |name: &str| {
            self.told.iter().any(|told| told.name == name)
                || self.options.iter().any(|option| option.name == name)
        };
        let is_here = |reading: &Reading| {
            let mut places = reading.at.iter().chain(&reading.ahead);
            places.any(|(site, _)| *site as usize == state.stop())
        };
        let readings = self.readings.iter().enumerate();
        let shown = readings.filter(|(_, reading)| {
            reading.kind.is_none() && !reading.is_hidden() && !is_known(&reading.name) && is_here(reading)
        });
        let written = |(number, reading): (usize, &Reading)| {
            let value = self.read(state, self.source(state, number), 0);
            let text = match (reading.is_truth, reading.denominator) {
                (true, _) => if value == 0 { "no" } else { "yes" }.to_owned(),
                (false, 1) => value.to_string(),
                (false, parts) => format!("{:.4}", value as f64 / parts as f64),
            };
            (leaked(&reading.name), in_units(&text, &reading.unit))
        };
        shown.map(written).collect()
    }

    fn candidate_in_words(&self, state: &State, kind: usize, action: Action) -> String {
        let mut of_kind = self.readings.iter().enumerate().filter(|(_, reading)| reading.kind == Some(kind));
        match of_kind.find_map(|(number, reading)| Some((number, reading.told?))) {
            Some((number, told)) => {
                self.in_words(told, self.read(state, self.source(state, number), action.index()))
            }
            None => action.index().to_string(),
        }
    }

    /// "rolls 1, 5", "draws brain", or where the text names several rolls "rolls yes (`rain`)"; `None` where it is not the text that
    /// rolls, and where more dice of the roll come.
    fn roll_in_words(&self, rolled: &[Rolled<Script>]) -> Option<String> {
        let (last, shown) = rolled.last()?;
        let site = self.sites.get(last.stop())?;
        let mut values = self.shown(last, *shown)?;
        if let Some(event) = &site.event {
            let mut rests = event.rests.iter().map(|rest| self.value(last, *rest));
            let is_last = rests.next() <= Some(event.most.into()) && rests.all(|rest| rest == 0);
            if !is_last {
                return None;
            }
            values = vec![0; site.rolled.len()];
            for (state, shown) in rolled {
                let Some(event) = &self.sites.get(state.stop())?.event else { continue };
                values[event.part] += self.shown(state, *shown)?.first()?;
            }
        }
        let mut names = self
            .sites
            .iter()
            .flat_map(|site| &site.rolled)
            .map(|(name, _)| name)
            .filter(|name| !name.is_empty());
        let first = names.next();
        let is_only = names.all(|name| Some(name) == first);
        let parts = site.rolled.iter().zip(values);
        let mut before = "";
        let parts = parts.map(|((name, kind), value)| {
            let verb = if name.is_empty() { "draws " } else { "rolls " };
            let verb = if std::mem::replace(&mut before, verb) == verb { "" } else { verb };
            let words = self.in_words(*kind, value);
            match name.as_str() {
                name if name.is_empty() || is_only => format!("{verb}{words}"),
                name => format!("{verb}{words} (`{name}`)"),
            }
        });
        let parts: Vec<String> = parts.collect();
        (!parts.is_empty()).then(|| parts.join(" and "))
    }

    /// What dice or a draw give to every part of a roll.
    fn shown(&self, state: &State, shown: Shown) -> Option<Vec<i64>> {
        let HaltForm::Roll(choice, ..) = &self.code.aside.halts.get(state.stop())?.form else { return None };
        let mut values = Vec::new();
        self.throws?.shown(choice, shown, |_, value| values.push(value));
        Some(values)
    }

    /// What a step has changed of the numbers that players have, those of one player or of all: "score 0 → 21 points".
    fn brought(&self, step: &Transition<'_, Script>, of: Option<Seat>) -> Vec<String> {
        let (before, after) = (self.sites.get(step.before.stop()), self.sites.get(step.after.stop()));
        let is_one = |told: &Told| matches!(told.kind, NamedKind::Number) && told.indices == [""];
        let is_kept = |told: &&Told| told.is_players && told.is_of_game && is_one(told);
        let kept = self.told.iter().filter(is_kept);
        let kept = kept.filter(|told| self.is_there(told, before) && self.is_there(told, after));
        let seats = of.map_or(0..self.seats, |seat| seat..seat + 1);
        let told = kept.filter_map(|told| {
            let values = |state: &State| {
                let cells = (told.first..).take(self.seats).skip(seats.start).take(seats.len());
                cells.map(|cell| self.value(state, cell).to_string()).collect::<Vec<_>>().join(" : ")
            };
            let (was, is) = (values(&step.before), values(&step.after));
            (was != is).then(|| format!("{} {was} → {}", told.name, in_units(&is, &told.unit)))
        });
        told.collect()
    }

    /// Whether a variable holds something while a program waits there; at the end the variables of the game do.
    pub(crate) fn is_there(&self, told: &Told, site: Option<&Site>) -> bool {
        // What is only calculated has no place.
        if self.places.get(told.first as usize).is_none() {
            return false;
        }
        let Some(site) = site else { return told.is_of_game };
        self.is_within(told, &site.live)
    }

    /// Whether some of a variable is among these bits.
    fn is_within(&self, told: &Told, mask: &Mask) -> bool {
        let places = self.places.get(told.first as usize..).unwrap_or_default();
        places.iter().take(told.ranges.len()).any(|place| mask.meets((*place).into()))
    }

    /// The values of a variable: of every player, and of an array those that are not 0.
    fn told_in_words(&self, state: &State, told: &Told, telling: &Telling) -> String {
        let players = if told.is_players { self.seats } else { 1 };
        let is_array = told.indices != [""];
        let is_bag = matches!(told.kind, NamedKind::Bag(_));
        let mut cell = told.first;
        let mut of_all: Vec<String> = Vec::new();
        for _ in 0..players {
            let mut held: Vec<String> = Vec::new();
            for index in &told.indices {
                let value = self.value(state, cell);
                cell += 1;
                let words = self.in_words(told.kind, value);
                let words = match telling {
                    Telling::Full => words,
                    Telling::Glance => self.at_a_glance(told.kind, value, words),
                };
                match (told.kind, value) {
                    _ if !is_array => held.push(words),
                    (NamedKind::Truth, 1) => held.push(index.clone()),
                    (_, 0) => {}
                    _ if is_bag => held.push(format!("{index}: {words}")),
                    _ => held.push(format!("{words} on {index}")),
                }
            }
            let all = held.join(if is_array && is_bag { " · " } else { ", " });
            of_all.push(match telling {
                _ if held.is_empty() => "none".to_owned(),
                Telling::Glance if is_array && all.chars().count() > LONG => {
                    format!("{} of {}", held.len(), told.indices.len())
                }
                _ => all,
            });
        }
        let all = of_all.join(" : ");
        if is_array { all } else { in_units(&all, &told.unit) }
    }
}
