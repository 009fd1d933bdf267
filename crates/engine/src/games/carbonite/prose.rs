//! Texts of `CarboniteDice`: why a turn is lost, what retribution does, and how the score is computed.

use super::score::turns_shown;
use super::state::{NO_MARKER, State};
use super::steps::marker_size;
use super::{Atom, Carbonite, MARK, Multiplier, Retribution, Roll, STOP, TAKE, VAULT_MATCH, VaultMatch};
use crate::game::{Action, Actions, Event, Question, Seat};
use crate::games::pyramids::pieces::{self, Types};
use crate::games::pyramids::piles::Planes;
use crate::games::pyramids::{
    COLOURS, SIZES, at_least, bank, counted as pieces_counted, kinds_in_words, letters, piece_name, place,
    roll_name, sizes_in_words, sum,
};
use crate::vocabulary::{Cause, Parts, Position, Prose, Transition, counted};

impl Prose for Carbonite {
    fn describe_action(&self, state: &State, kind: usize, action: Action) -> String {
        let name = self.action_name(kind, action).unwrap_or_default();
        match kind {
            TAKE if action.0 & u64::from(state.bank.one()) == 0 => format!("{name} from the Vault"),
            _ => name,
        }
    }

    fn action_name(&self, kind: usize, action: Action) -> Option<String> {
        Some(match (kind, action) {
            (STOP, Action::YES) => "stop".into(),
            (STOP, _) => "roll again".into(),
            (_, piece) => piece_name(piece.index()),
        })
    }

    fn tell_action(&self, kind: usize, action: Action, name: &str) -> String {
        match (kind, action) {
            (STOP, Action::YES) => "stops".into(),
            (STOP, _) => "rolls again".into(),
            (MARK, _) => format!("marks the turn with {name}"),
            _ => format!("takes {name}"),
        }
    }

    fn describe_outcome(&self, roll: Roll) -> String {
        roll_name(roll, self.colours)
    }

    fn describe_state(&self, state: &State) -> Vec<(&'static str, String)> {
        vec![
            ("Counter", list(Planes::new(state.counter, 0))),
            ("Vault", list(state.vault)),
            ("Bank", list(state.bank)),
            ("Chamber", pieces_in_words(self.chamber(state))),
        ]
    }

    fn position(
        &self,
        (state, question): Position<Self>,
        parts: &mut Parts,
    ) -> Result<Position<Self>, String> {
        let kind = question.kind;
        let counts = |planes: Planes| pieces_counted(|piece| planes.count_of(piece));
        let turn = parts.number("turn", state.turn.max(1), 1..=self.turns.into())?;
        let vault = place(parts, "vault", counts(state.vault), self.copies.into())?;
        let counter = place(parts, "counter", counts(Planes::new(state.counter, 0)), 1)?;
        let marker = place(parts, "marker", counts(Planes::new(state.marker(), 0)), 1)?;
        let elsewhere = sum(&[vault, counter, marker]);
        let bank = bank(parts, counts(state.bank), &elsewhere, [self.colours, self.copies])?;
        let (counter, marker) = (at_least(&counter, 1), at_least(&marker, 1));
        if (0..5).any(|colour| (counter & pieces::of_colour(colour)).count_ones() > 1) {
            return Err("the counter has at most one piece of a colour".into());
        }
        if marker.count_ones() > 1 {
            return Err("the marker that will be given back is one piece, or none".into());
        }
        let planes = |place| Planes::new(at_least(place, 1), at_least(place, 2));
        let from_vault = kind == STOP && parts.truth("from_vault", state.is_from_vault())?;
        let places = [planes(&bank), planes(&vault)];
        let state = State::of(places, counter, turn, marker, kind == MARK, from_vault);
        let (out, markers) = (self.out(&state), Self::markers_out(&state));
        if out < markers {
            let are =
                if markers == 1 { "a piece is out as marker" } else { "several pieces are out as markers" };
            return Err(format!(
                "in turn {turn} {are}, and the other places have all pieces; say what the bank has, as in bank=red:SSM, or which \
                 marker will be given back, as in marker=red:S"
            ));
        }
        let actions = match kind {
            MARK => Self::ask_marker(&state).actions,
            TAKE => {
                let among = Actions(self.matchable(&state).into());
                parts.choices(question.actions, among, |piece| piece_name(piece.index()))?
            }
            _ => question.actions,
        };
        match actions.0 {
            0 => Err("nothing can be chosen there".into()),
            _ => Ok((state, Question { actions, ..question })),
        }
    }

    fn is_asked(&self, position: Position<Self>) -> Result<(), String> {
        self.is_asked_in(position)
    }

    fn tell_step(&self, step: &Transition<'_, Self>) -> Vec<String> {
        let before = &step.before;
        match step.cause {
            Cause::Roll(roll) => self.tell_dice(before, roll),
            Cause::Answer(TAKE, _) if step.has(VAULT_MATCH) && self.vault_match == VaultMatch::ForcedRoll => {
                vec!["has to roll again, because the piece came from the Vault".into()]
            }
            Cause::Answer(STOP, Action::YES) => {
                let points = points_in_words(self.vault_points(before.stashed()));
                let stashed = list(Planes::new(before.counter, 0));
                vec![format!("stashes {stashed}: the Vault is worth {points}")]
            }
            Cause::Answer(..) => Vec::new(),
        }
    }

    fn tell_end(&self, end: &State, _: Seat) -> Vec<String> {
        let mut said = Vec::new();
        if end.ending() == NO_MARKER {
            let size = SIZES[marker_size(end.turn) as usize];
            said.push(format!(
                "Turn {} has to be marked with a {size} piece, and the Bank has none.",
                end.turn
            ));
        }
        if end.counter != 0 {
            said.push(format!("Lost on the Counter: {}.", list(Planes::new(end.counter, 0))));
        }
        said.push(format!("Vault: {}.", self.vault_sum(end.vault)));
        said.push(format!("Score: {}.", self.score_sum(end)));
        said
    }

    fn is_told(&self, event: Event) -> bool {
        event == VAULT_MATCH || event == Event::BUST
    }
}

impl Carbonite {
    /// Describes the effect of a roll, if it does more than offer pieces.
    fn tell_dice(&self, state: &State, roll: Roll) -> Vec<String> {
        let is_atom = roll.colour == u32::from(self.colours);
        if is_atom && self.atom == Atom::Reroll {
            return vec!["has to roll both dice again: the rules give the Atom no choice".into()];
        }
        if is_atom && self.atom == Atom::Bust {
            let mut said = vec!["bust: under these rules the Atom ends the turn".into()];
            said.extend(tell_return(state.counter, "the Counter"));
            return said;
        }
        let (colour, sizes) = (pieces::of_colour(roll.colour), pieces::of_sizes(roll.sizes));
        if state.counter & colour != 0 {
            let mut said = vec![format!("bust: {} is on the Counter already", COLOURS[roll.colour as usize])];
            said.extend(self.tell_retribution(state, colour & sizes));
            return said;
        }
        let free = !pieces::whole_colours(state.counter);
        let wanted = if is_atom { free } else { colour } & sizes;
        if wanted & self.matchable(state) != 0 {
            return Vec::new();
        }
        let all = pieces::whole_colours((1 << (3 * self.colours)) - 1);
        if is_atom && free & all == 0 {
            return vec![
                "no match: all colours are on the Counter, and the Atom stands for another one".into(),
            ];
        }
        let places = match self.vault_match {
            VaultMatch::NoMatch => "in the Bank",
            _ => "in the Bank or in the Vault",
        };
        let kind = sizes_in_words(roll.sizes, "or");
        let of = if is_atom {
            "piece of a colour that the Counter has not"
        } else {
            COLOURS[roll.colour as usize]
        };
        vec![format!("no match: no {kind} {of} is {places}")]
    }

    /// Describes what a bomb-out can and cannot take away, for the types that the dice show.
    fn tell_retribution(&self, state: &State, shown: Types) -> Vec<String> {
        let (bank, counter) = (state.bank.one(), state.counter);
        let removable = shown & (bank | counter);
        let missing = shown & !removable;
        let fails = match self.retribution {
            Retribution::All => missing != 0,
            Retribution::Any => removable == 0,
            Retribution::None => false,
        };
        let no_more = format!("no {} is in the Bank or on the Counter", kinds_in_words(missing, "or"));
        if fails {
            let had = removable & bank;
            let found = match (had, removable & !bank) {
                (0, 0) => String::new(),
                (0, piece) => format!(
                    "retribution could remove {} from the Counter, but ",
                    kinds_in_words(piece, "and")
                ),
                (piece, _) => {
                    format!("retribution could remove {} from the Bank, but ", kinds_in_words(piece, "and"))
                }
            };
            let what = if found.is_empty() { "retribution can remove nothing: " } else { &found };
            return vec![format!("{what}{no_more}, and the game ends")];
        }
        let mut said = Vec::new();
        let removed = if self.retribution == Retribution::None { 0 } else { removable };
        let (from_bank, from_counter) = (removed & bank, removed & !bank);
        if self.retribution == Retribution::None {
            said.push("nothing is removed: the rules know no retribution".into());
        } else if missing != 0 {
            said.push(format!("{no_more}; under these rules one of the sizes is enough"));
        }
        if from_bank != 0 {
            said.push(format!(
                "retribution: {} from the Bank to the Chamber",
                kinds_in_words(from_bank, "and")
            ));
        }
        if from_counter != 0 {
            let piece = kinds_in_words(from_counter, "and");
            said.push(format!(
                "retribution: {piece} from the Counter to the Chamber, because the Bank has none"
            ));
        }
        let rest = counter & !from_counter;
        said.extend(tell_return(
            rest,
            if from_counter == 0 { "the Counter" } else { "the rest of the Counter" },
        ));
        said
    }

    /// "1 solid tree × 7 + 2 other pieces × 1 = 9 points".
    fn vault_sum(&self, vault: Planes) -> String {
        let solid = vault.trios();
        let trees = (0..3).map(|size| vault.count_size(size)).min().unwrap_or(0);
        let singles = vault.count() - 3 * trees;
        let parts: Vec<_> = [
            (solid, "solid tree", "solid trees", self.points.solid),
            (trees - solid, "mixed tree", "mixed trees", self.points.mixed),
            (singles, "single piece", "single pieces", self.points.single),
        ]
        .into_iter()
        .filter(|part| part.0 > 0)
        .map(|(count, one, several, points)| format!("{} × {points}", counted(count.into(), one, several)))
        .collect();
        let points = points_in_words(self.vault_points(vault));
        if parts.is_empty() {
            return format!("empty, {points}");
        }
        let sum = parts.join(" + ");
        match vault.pairs() {
            pairs if pairs > 0 && self.doubling => {
                let colours = counted(pairs.into(), "colour", "colours");
                format!("({sum}) × {} for {colours} with two solid trees = {points}", 1_u32 << pairs)
            }
            _ => format!("{sum} = {points}"),
        }
    }

    /// "9 × 8 completed turns = 72 points".
    fn score_sum(&self, end: &State) -> String {
        let vault = self.vault_points(end.vault);
        let (completed, pips) = turns_shown(end.turn(), end.ending());
        let times = match self.multiplier {
            Multiplier::LastCompleted => counted(completed.into(), "completed turn", "completed turns"),
            Multiplier::Pips => format!("{} on the turn markers", counted(pips.into(), "pip", "pips")),
            Multiplier::PipsMinusOne => {
                format!("{} (one less than the {pips} pips on the turn markers)", pips.saturating_sub(1))
            }
            Multiplier::None => return format!("{}, without a multiplier", points_in_words(vault)),
        };
        let times = times.replacen("no ", "0 ", 1);
        let score = vault * self.factor(completed, pips);
        format!("{vault} × {times} = {}", points_in_words(score))
    }
}

/// Describes where the pieces on the Counter go when the turn is lost, if there are any.
fn tell_return(counter: Types, name: &str) -> Option<String> {
    (counter != 0).then(|| format!("{name} ({}) goes back to the Bank", list(Planes::new(counter, 0))))
}

fn points_in_words(points: u32) -> String {
    if points == 1 { "1 point".into() } else { format!("{points} points") }
}

fn pieces_in_words(count: u32) -> String {
    if count == 1 { "1 piece".into() } else { format!("{count} pieces") }
}

/// The pieces of a place in words: "red SMLL, blue S".
fn list(planes: Planes) -> String {
    letters(|piece| planes.count_of(piece))
}
