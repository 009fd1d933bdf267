//! Texts of Carcassonne: what the dice show, what a city looks like, and how a turn scores.

use super::atlas::Atlas;
use super::cities::drawing;
use super::dice::{CATAPULT, KNIGHT, Shown};
use super::graph::{ClassId, FRESH};
use super::segments::KINDS;
use super::state::{SCORE_BITS, State};
use super::{
    ALL_CATAPULTS, CITY, Carcassonne, DONE, DOUBLED, KEEP, KNIGHT_ASIDE, KNIGHT_KEPT, NO_CITY, PLACE, STOP,
};
use crate::game::{Action, Event, Question};
use crate::vocabulary::{Cause, NO_SKETCH, Parts, Position, Prose, Rolled, Sketch, Transition, counted};

const SEGMENTS: [&str; KINDS] = ["cap", "straight", "corner", "tee"];

impl Prose for Carcassonne {
    fn describe_action(&self, state: &State, kind: usize, action: Action) -> String {
        self.describe_sketched_action(state, kind, action, NO_SKETCH)
    }

    fn action_name(&self, kind: usize, action: Action) -> Option<String> {
        let name = match (kind, action) {
            (STOP, Action::YES) => "stop",
            (STOP, _) => "roll again",
            (KEEP, Action::YES) => "keep a knight",
            (KEEP, _) => "score",
            (_, DONE) => "leave the rest",
            (_, KNIGHT_ASIDE) => "set a knight aside",
            _ => return None,
        };
        Some(name.into())
    }

    fn describe_sketched_action(&self, state: &State, kind: usize, action: Action, sketch: Sketch) -> String {
        if let Some(name) = self.action_name(kind, action) {
            return name;
        }
        let class = self.city(state);
        let name = SEGMENTS[class.kind_of(action.0) as usize];
        if u64::from(class.closing) & action.0 != 0 {
            return format!("build a {name} to close the city of {}", class.size + 1);
        }
        let next = self.graph().next(class, action.index());
        format!("build a {name} to make {}", self.city_in_words(next, self.grown(state, action, sketch)))
    }

    fn tell_action(&self, kind: usize, action: Action, name: &str) -> String {
        match (kind, action) {
            (STOP, Action::YES) => "stops".into(),
            (STOP, _) => "rolls again".into(),
            (KEEP, Action::YES) => "keeps a knight instead of scoring".into(),
            (KEEP, _) => "scores instead of keeping a knight".into(),
            (_, DONE) => "leaves the rest".into(),
            (_, KNIGHT_ASIDE) => "sets a knight aside".into(),
            _ => name.replacen("build", "builds", 1),
        }
    }

    /// The open city, as a sketch.
    fn sketch(&self, before: Sketch, step: &Transition<'_, Self>) -> Sketch {
        match step.cause {
            _ if step.after.city == FRESH => NO_SKETCH,
            Cause::Answer(PLACE, way) if way != DONE && way != KNIGHT_ASIDE => {
                self.grown(&step.before, way, before)
            }
            _ => before,
        }
    }

    fn describe_outcome(&self, outcome: Shown) -> String {
        list(self.segments_shown(outcome))
    }

    fn tell_roll(&self, rolled: &[Rolled<Self>]) -> Option<String> {
        let (state, outcome) = rolled.last()?;
        self.whole_roll(state, *outcome).map(|shown| format!("rolls {}", list(shown)))
    }

    fn describe_state(&self, state: &State) -> Vec<(&'static str, String)> {
        self.describe_sketched_state(state, NO_SKETCH)
    }

    fn describe_sketched_state(&self, state: &State, sketch: Sketch) -> Vec<(&'static str, String)> {
        let largest = match state.largest {
            0 => "none closed".into(),
            size => {
                let points = counted(self.points_if_stopped(state).into(), "point", "points");
                format!("largest closed {size}, {points}")
            }
        };
        let city = match state.city {
            FRESH => largest,
            city => {
                let size = dice_in_words(self.city(state).size);
                format!("{size}, {}; {largest}", self.city_in_words(city, self.layout(state, sketch)))
            }
        };
        let doubled = if state.is_doubled() { ", points are doubled" } else { "" };
        let mut places = vec![
            (
                "Hand",
                format!("{}, roll {} of {}{doubled}", dice_in_words(state.dice), state.rolls, self.rolls),
            ),
            ("Shown", list(state.shown)),
            ("Knights", format!("{} of {}", state.knights, self.knights_needed)),
            ("City", city),
        ];
        if state.rolls == 0 {
            // The game is over, and nothing lies there any more.
            places.clear();
        }
        if self.is_solo() {
            places.insert(0, ("Score", state.scores.to_string()));
            return places;
        }
        let seats = 0..self.players.into();
        let scores: Vec<_> = seats.clone().map(|seat| self.score(state, seat).to_string()).collect();
        let players = u32::from(self.players);
        let keeps = |seat: &u32| state.kept >> ((seat + players - u32::from(state.seat)) % players) & 1 == 1;
        let kept: Vec<_> = (0..players).filter(keeps).map(|seat| format!("seat {}", seat + 1)).collect();
        places.insert(0, ("To play", format!("seat {}", state.seat + 1)));
        places.insert(1, ("Scores", scores.join(" : ")));
        places.push(("Kept", if kept.is_empty() { "no knight".into() } else { kept.join(", ") }));
        places
    }

    fn position(
        &self,
        (state, question): Position<Self>,
        parts: &mut Parts,
    ) -> Result<Position<Self>, String> {
        let players = usize::from(self.players);
        let seat = parts.seat("seat", state.seat(), players)?;
        let most = if self.is_solo() { u64::MAX } else { u64::from(self.goal) - 1 };
        let own = parts.number("score", self.score_after(&state, 0), 0..=most)?;
        let after = (1..players).zip(1..).map(|(_, places)| self.score_after(&state, places));
        let scores: Vec<u64> = after.collect();
        let name = if players > 2 { "others" } else { "other" };
        let scores = if players > 1 { parts.numbers(name, scores, 0..=most)? } else { scores };
        let kept: Vec<u8> = (0..players).map(|places| u8::from(state.keeps(places))).collect();
        let kept = match parts.is_given("kept") || kept.contains(&1) {
            true => parts.numbers("kept", kept, 0..=1)?,
            false => kept,
        };
        let has_dice = question.kind != KEEP;
        let dice = if parts.is_read() && has_dice { self.dice } else { state.dice };
        let dice = if has_dice { parts.number("dice", dice, 1..=self.dice.into())? } else { 0 };
        let rolls = if parts.is_read() { if has_dice { 1 } else { self.rolls } } else { state.rolls };
        let rolls = parts.number("rolls", rolls, 1..=self.rolls.into())?;
        let knights = parts.rare_number("knights", state.knights, 0, 0..=self.knights_needed.into())?;
        let largest = parts.rare_number("largest", state.largest, 0, 0..=self.dice.into())?;
        let classes = self.graph().classes().count() as u64;
        let city = parts.rare_number("city", state.city, FRESH, 0..=classes - 1)?;
        let shown: Vec<u8> = (0..KNIGHT + 1).map(|face| state.shown.count(face)).collect();
        let shown =
            if question.kind == PLACE { parts.numbers("shown", shown, 0..=dice.into())? } else { vec![0; 5] };
        if largest == 1 {
            return Err("a closed city has two dice or more".into());
        }
        let faces = shown.iter().sum::<u8>();
        if question.kind == PLACE && faces != dice {
            return Err(format!(
                "`shown` has {faces} dice, and `dice` {dice}: while dice are placed all in hand are shown"
            ));
        }
        let gone = knights + largest + self.graph().class(city).size;
        let others = kept.iter().skip(1).sum::<u8>();
        if dice + gone + others > self.dice {
            return Err(format!(
                "there are {} dice, not {}: in hand, set aside, in cities, and kept by others",
                self.dice,
                dice + gone + others
            ));
        }
        let shown = (0..).zip(&shown).fold(Shown::default(), |all, (face, many)| {
            (0..*many).fold(all, |all, _| all.and(Shown::one(face)))
        });
        let turns = if self.is_solo() { self.turns } else { self.turn_cap };
        let turn = parts.rare_number("turn_of_all", state.turn.max(1), 1, 0..=turns.into())?;
        let scores = std::iter::once(own).chain(scores).enumerate();
        let scores = scores.fold(0, |all, (places, score)| all | score << (SCORE_BITS as usize * places));
        let kept = kept.iter().enumerate().fold(0, |all, (places, kept)| all | kept << places);
        #[allow(clippy::cast_possible_truncation, reason = "at most five seats")]
        let place = seat as u8;
        let state = State {
            scores,
            shown,
            city,
            turn,
            kept,
            dice,
            rolls,
            largest,
            knights,
            seat: place,
            ending: state.ending,
        };
        let actions = if question.kind == PLACE { self.ways_to_place(&state) } else { question.actions };
        Ok((state, Question { seat, actions, ..question }))
    }

    fn is_asked(&self, position: Position<Self>) -> Result<(), String> {
        self.is_asked_in(position)
    }

    fn tell_step(&self, step: &Transition<'_, Self>) -> Vec<String> {
        let mut said = Vec::new();
        if let Cause::Roll(outcome) = step.cause
            && let Some(shown) = self.whole_roll(&step.before, outcome)
        {
            said.extend(match shown.count(CATAPULT) {
                0 => None,
                1 => Some("1 catapult is out for this turn".to_owned()),
                catapults => Some(format!("{catapults} catapults are out for this turn")),
            });
        }
        if step.has(ALL_CATAPULTS) {
            let wins = if self.is_solo() { "" } else { ", which wins the game" };
            said.push(format!("all {} dice have been catapults{wins}", self.dice));
            if !self.is_solo() {
                return said;
            }
        }
        let largest = match CITY.iter().position(|&event| step.has(event)) {
            Some(number) => number + 2,
            None if step.has(NO_CITY) => 0,
            None => return said,
        };
        said.extend(self.tell_score(step, u8::try_from(largest).unwrap_or(0)));
        said
    }

    fn is_told(&self, event: Event) -> bool {
        CITY.contains(&event) || [NO_CITY, KNIGHT_KEPT, DOUBLED, ALL_CATAPULTS, Event::BUST].contains(&event)
    }
}

impl Carcassonne {
    /// Describes what a turn scores, given the size of its largest closed city (0 for none), and why.
    fn tell_score(&self, step: &Transition<'_, Self>, largest: u8) -> Vec<String> {
        let mut said = Vec::new();
        let (before, points) = (&step.before, u64::from(self.points.of(largest)));
        let open = self.left_open(step);
        if open > 0 {
            said.push(format!("the open city of {} is lost", dice_in_words(open)));
        }
        let doubled = before.is_doubled();
        if step.has(KNIGHT_KEPT) {
            let forgone = if points > 0 {
                format!(" for the city of {}", dice_in_words(largest))
            } else {
                String::new()
            };
            said.push(format!("no points now{forgone}, double points in the next turn"));
        } else if points == 0 {
            let why = match largest {
                0 => "no city was closed".to_owned(),
                size => format!("the largest closed city has {}, which score nothing", dice_in_words(size)),
            };
            let lost = if doubled { ", and the kept knight doubles nothing" } else { "" };
            said.push(format!("bust: {why}{lost}"));
        } else {
            let (own, city) = (self.score_after(before, 0), dice_in_words(largest));
            let (sum, scored) = if doubled {
                (format!("2 × {points} = {}", 2 * points), 2 * points)
            } else {
                (points.to_string(), points)
            };
            let name = if scored == 1 { "point" } else { "points" };
            said.push(format!(
                "scores {sum} {name} for the city of {city}: {own} + {scored} = {}",
                own + scored
            ));
        }
        said
    }

    /// The number of dice of the open city that is left when a turn ends; 0 for none.
    fn left_open(&self, step: &Transition<'_, Self>) -> u8 {
        let class = self.city(&step.before);
        match step.cause {
            Cause::Answer(PLACE, way) if way != DONE && way != KNIGHT_ASIDE => {
                if u64::from(class.closing) & way.0 != 0 { 0 } else { class.size + 1 }
            }
            _ => class.size,
        }
    }

    /// The layout of the open city: as it was built, or if that is unknown, another city of its class.
    fn layout(&self, state: &State, sketch: Sketch) -> Sketch {
        match state.city {
            FRESH => NO_SKETCH,
            city if sketch == NO_SKETCH => Atlas::of(self.faces.kinds()).example(city),
            _ => sketch,
        }
    }

    /// The layout of the open city after one more segment.
    fn grown(&self, state: &State, way: Action, sketch: Sketch) -> Sketch {
        let (class, atlas) = (self.city(state), Atlas::of(self.faces.kinds()));
        let next = self.graph().next(class, way.index());
        atlas.grown(self.layout(state, sketch), class.size.into(), class.kind_of(way.0), next)
    }

    /// An open city in words and as a drawing.
    fn city_in_words(&self, id: ClassId, layout: Sketch) -> String {
        let class = self.graph().class(id);
        let sides = if class.open_sides == 1 { "side" } else { "sides" };
        let close = if class.needed == 1 { "closes" } else { "close" };
        let drawing = drawing(layout, class.size.into());
        format!("{drawing} ({} open {sides}, {} more {close} it)", class.open_sides, class.needed)
    }

    /// All dice of a roll, if this draw is the last of the roll.
    fn whole_roll(&self, state: &State, outcome: Shown) -> Option<Shown> {
        let shown = state.shown.and(self.segments_shown(outcome));
        (shown.total() == state.dice).then_some(shown)
    }

    /// The faces drawn, as kinds of segment.
    fn segments_shown(&self, outcome: Shown) -> Shown {
        outcome.moved(self.faces.segments().map(|kind| kind as u32))
    }
}

fn dice_in_words(dice: u8) -> String {
    if dice == 1 { "1 die".into() } else { format!("{dice} dice") }
}

/// Dice in words, by face: "2 caps, 1 knight".
fn list(shown: Shown) -> String {
    let names = SEGMENTS.into_iter().chain(["knight", "catapult"]);
    let of_face = |(face, name)| match shown.count(face) {
        0 => None,
        1 => Some(format!("1 {name}")),
        count => Some(format!("{count} {name}s")),
    };
    let text = (0..=CATAPULT).zip(names).filter_map(of_face).collect::<Vec<_>>().join(", ");
    if text.is_empty() { "nothing".into() } else { text }
}
