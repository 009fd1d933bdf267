//! Texts of `IceDice` for people.

use super::piles::Piles;
use super::{IceDice, NoChoice, Roll, STEAL, STOP, State, TAKE, VICTIM, pieces};
use crate::game::{Action, Actions, Event, Question, Seat};
use crate::games::pyramids::{
    COLOURS, Counts, at_least, bank, counted as pieces_counted, kinds_in_words, letters, piece_name, place,
    roll_name, sum,
};
use crate::vocabulary::{Cause, Parts, Position, Prose, Transition, counted};

impl Prose for IceDice {
    fn describe_action(&self, state: &State, kind: usize, action: Action) -> String {
        let Some(name) = self.action_name(kind, action) else {
            return format!("seat {}", self.seat_after(state, action.index() as usize + 1) + 1);
        };
        match kind {
            TAKE if action.0 & u64::from(state.bank.any()) == 0 => format!("{name} (stolen)"),
            _ => name,
        }
    }

    fn action_name(&self, kind: usize, action: Action) -> Option<String> {
        match (kind, action) {
            (STOP, Action::YES) => Some("stop".into()),
            (STOP, _) => Some("roll again".into()),
            (VICTIM, _) => None,
            (_, piece) => Some(piece_name(piece.index())),
        }
    }

    fn tell_action(&self, kind: usize, action: Action, name: &str) -> String {
        match (kind, action) {
            (STOP, Action::YES) => "stops".into(),
            (STOP, _) => "rolls again".into(),
            (VICTIM, _) => format!("steals from {name}"),
            _ => format!("takes {name}"),
        }
    }

    fn describe_outcome(&self, roll: Roll) -> String {
        roll_name(roll, 5)
    }

    fn describe_state(&self, state: &State) -> Vec<(&'static str, String)> {
        const VAULTS: [&str; 4] = ["Vault 1", "Vault 2", "Vault 3", "Vault 4"];
        let mut places = vec![("To play", format!("seat {}", state.seat() + 1))];
        if state.stolen() != 0 {
            places.push(("To be stolen", piece_name(state.stolen().trailing_zeros())));
        }
        places.push(("Counter", list(Piles::filled(state.counter(), 1))));
        places.extend(VAULTS.iter().take(usize::from(self.players)).enumerate().map(|(seat, name)| {
            let vault = self.vault(state, seat);
            let trios = match vault.trios() {
                0 => String::new(),
                trios => format!(" ({})", trios_in_words(trios)),
            };
            (*name, list(vault) + &trios)
        }));
        places.push(("Bank", list(state.bank)));
        places
    }

    fn position(
        &self,
        (state, question): Position<Self>,
        parts: &mut Parts,
    ) -> Result<Position<Self>, String> {
        let (kind, copies) = (question.kind, self.copies());
        let counts = |piles: Piles| pieces_counted(|piece| piles.count_of(piece));
        let seat = parts.seat("seat", state.seat(), self.players.into())?;
        let counter = place(parts, "counter", counts(Piles::filled(state.counter(), 1)), 1)?;
        let mut vaults = Vec::new();
        for (places, name) in
            ["vault", "vault_after", "vault_after_that", "vault_last"].into_iter().enumerate()
        {
            if places < usize::from(self.players) {
                vaults.push(place(parts, name, counts(state.vault_after(places)), copies.into())?);
            }
        }
        let stolen = match kind {
            VICTIM => place(parts, "stealing", counts(Piles::filled(state.stolen(), 1)), 1)?,
            _ => [0; 15],
        };
        let elsewhere = sum(&[sum(&vaults), counter]);
        let bank = bank(parts, counts(state.bank()), &elsewhere, [5, copies])?;
        let turn = parts.rare_number("turn_of_all", state.turn(), 1, 0..=self.turn_cap.into())?;
        let (counter, stolen) = (at_least(&counter, 1), at_least(&stolen, 1));
        if (0..5).any(|colour| (counter & pieces::of_colour(colour)).count_ones() > 1) {
            return Err("the counter has at most one piece of a colour".into());
        }
        vaults.resize(4, [0; 15]);
        vaults.push(bank);
        let piles = |pieces: &Counts| {
            (1..=4).fold(Piles::default(), |piles, many| piles.with(at_least(pieces, many)))
        };
        let places = std::array::from_fn(|at| piles(&vaults[at]));
        #[allow(clippy::cast_possible_truncation, reason = "at most four seats")]
        let state = State::of(places, [counter, stolen, turn, seat as u16]);
        let held = state.places().held_by_others();
        let actions = match kind {
            TAKE => {
                let among = Actions((state.bank().any() | held).into());
                parts.choices(question.actions, among, |piece| piece_name(piece.index()))?
            }
            VICTIM if stolen.count_ones() == 1 && stolen & held != 0 => Self::victims(&state),
            VICTIM => return Err("stealing=…: say which piece is stolen, one that another seat has".into()),
            _ => question.actions,
        };
        Ok((state, Question { seat, actions, ..question }))
    }

    fn is_asked(&self, position: Position<Self>) -> Result<(), String> {
        self.is_asked_in(position)
    }

    fn tell_step(&self, step: &Transition<'_, Self>) -> Vec<String> {
        let before = &step.before;
        let counter = list(Piles::filled(before.counter(), 1));
        match step.cause {
            Cause::Roll(roll) => {
                let mut said = self.tell_dice(before, roll);
                if step.has(Event::BUST) && before.counter() != 0 {
                    said.push(format!("the Counter ({counter}) goes to the Bank"));
                }
                said
            }
            Cause::Answer(TAKE, _) if step.has(STEAL) => {
                let victim = self.seat_after(before, 1);
                vec![format!("steals it from seat {}, because the Bank has none", victim + 1)]
            }
            Cause::Answer(STOP, Action::YES) if before.counter() == 0 => {
                vec!["has nothing on the Counter to bring into the Vault".into()]
            }
            Cause::Answer(STOP, Action::YES) => {
                let trios = before.stashed().trios();
                let wins = if trios >= u32::from(self.trios) { ", which wins" } else { "" };
                vec![format!(
                    "brings {counter} into the Vault, which has {} now{wins}",
                    trios_in_words(trios)
                )]
            }
            Cause::Answer(..) => Vec::new(),
        }
    }

    fn tell_end(&self, end: &State, seat: Seat) -> Vec<String> {
        let vault = self.vault(end, seat);
        let trios =
            |colour: u32| (0..3).map(|size| vault.count_of(1 << (3 * colour + size))).min().unwrap_or(0);
        let parts: Vec<_> = (0..5)
            .filter(|&colour| trios(colour) > 0)
            .map(|colour| format!("{} {}", trios(colour), COLOURS[colour as usize]))
            .collect();
        let total = trios_in_words(vault.trios());
        if parts.is_empty() { Vec::new() } else { vec![format!("{} = {total}.", parts.join(" + "))] }
    }

    fn is_told(&self, event: Event) -> bool {
        event == STEAL || event == Event::BUST
    }
}

impl IceDice {
    /// Describes the effect of a roll, if it does more than offer pieces.
    fn tell_dice(&self, state: &State, roll: Roll) -> Vec<String> {
        let colour = pieces::of_colour(roll.colour);
        if state.counter() & colour != 0 {
            return vec![format!("bust: {} is on the Counter already", COLOURS[roll.colour as usize])];
        }
        let wanted = Self::colours_rolled(state, roll.colour) & pieces::of_sizes(roll.sizes);
        if wanted & (state.bank.any() | state.places().held_by_others()) != 0 {
            return Vec::new();
        }
        let why = match (wanted, colour) {
            (0, _) => "all colours are on the Counter, and the Atom stands for another one".into(),
            (_, 0) => "nobody else and not the Bank has a piece of that size in another colour".into(),
            _ => format!("neither the Bank nor anybody else has {}", kinds_in_words(wanted, "or")),
        };
        vec![match self.no_choice {
            NoChoice::Skip => format!("no piece: {why}; the turn goes on without one"),
            NoChoice::Bust => format!("bust: {why}"),
            NoChoice::Reroll => format!("has to roll both dice again: {why}"),
        }]
    }
}

fn trios_in_words(trios: u32) -> String {
    counted(trios.into(), "trio", "trios")
}

/// The pieces of a place in words: "red SMLL, blue S".
fn list(piles: Piles) -> String {
    letters(|piece| piles.count_of(piece))
}
