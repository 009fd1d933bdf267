//! Which positions value tables distinguish: a turn by itself, without the points and the other players' turns.

use super::Carcassonne;
use super::dice::Shown;
use super::state::State;
use crate::game::{NodeOf, Seat};
use crate::vocabulary::{Numbers, Tabled};

/// The rules that the value of a turn depends on.
pub(super) fn rules(game: &Carcassonne) -> String {
    let keeping = if game.keeping {
        format!("knights kept for {}", game.knights_needed)
    } else {
        "no knights kept".into()
    };
    let faces: Vec<String> = game.faces.into();
    let points: Vec<u16> = game.points.into();
    let points: Vec<_> = points.iter().map(u16::to_string).collect();
    format!(
        "{} dice, {} rolls, faces {}, points {}, {keeping}",
        game.dice,
        game.rolls,
        faces.join(" "),
        points.join(" ")
    )
}

/// Within a turn: dice in hand, the number of the roll, the class of the open city, the largest closed city, knights
/// set aside, and whether points are doubled. Between turns: only whether the seat's next turn is doubled.
pub(super) fn tabled(game: &Carcassonne, state: &State, seat: Seat) -> Tabled {
    let scored = game.score(state, seat);
    let is_between = state.rolls <= 1 && state.shown == Shown::default();
    if is_between {
        let places = (seat + usize::from(game.players) - state.seat()) % usize::from(game.players);
        return Tabled { numbers: [0, 0, 0, 0, 0, u16::from(state.keeps(places)), 0, 0], is_between, scored };
    }
    let [dice, roll, largest, knights] =
        [state.dice, state.rolls, state.largest, state.knights].map(u16::from);
    let doubled = u16::from(state.is_doubled());
    Tabled { numbers: [dice, roll, state.city, largest, knights, doubled, 0, 0], is_between, scored }
}

/// The roll of a turn by itself; between turns, the first roll of the next one.
pub(super) fn roll(game: &Carcassonne, numbers: &Numbers) -> Option<NodeOf<Carcassonne>> {
    let [dice, rolls, city, largest, knights, doubled, ..] = match *numbers {
        [0, 0, 0, 0, 0, doubled, ..] => [game.dice.into(), 1, 0, 0, 0, doubled, 0, 0],
        numbers => numbers,
    };
    let (_, class) = game.graph().classes().nth(city.into())?;
    let is_open = class.size == 0 || class.needed > 0;
    let built = u16::from(class.size) + largest + knights;
    let in_rules = (1..=u16::from(game.rolls)).contains(&rolls)
        && knights <= u16::from(game.knights_needed)
        && doubled <= 1
        && dice > 0
        && built.checked_add(dice)? <= game.dice.into();
    if !is_open || !in_rules {
        return None;
    }
    let small = |number: u16| u8::try_from(number).ok();
    let state = State {
        dice: small(dice)?,
        rolls: small(rolls)?,
        city,
        largest: small(largest)?,
        knights: small(knights)?,
        kept: small(doubled)?,
        turn: 1,
        ..State::default()
    };
    Some(state.roll_rest())
}

/// The same point of a turn by itself: in the first turn of a game that is otherwise at its start.
pub(super) fn turn_alone(state: State) -> State {
    State { scores: 0, seat: 0, turn: 1, kept: state.kept & 1, ..state }
}
