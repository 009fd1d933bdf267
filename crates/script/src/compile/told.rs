//! Variables, as people are told them.

use super::value::Kind;
use super::variable::{Dim, Var};
use super::{Compiler, Global};
use crate::op::{Axis, Cell, Count, Told};

impl Compiler<'_> {
    /// A variable as people are shown it; one without a name is shown to nobody.
    pub(super) fn told(&self, number: usize, var: &Var) -> Option<Told> {
        let kind = var.kind.named()?;
        let dims = var.dims.iter().skip(usize::from(var.is_players));
        let axis =
            |dim: &Dim| Axis { is_of_players: matches!(dim, Dim::Player(_)), words: self.dim_in_words(*dim) };
        let axes: Vec<Axis> = dims.map(axis).collect();
        let mut indices = vec![String::new()];
        for Axis { words, .. } in &axes {
            let with = |before: &String| {
                let dot = if before.is_empty() { "" } else { ", " };
                words.iter().map(|value| format!("{before}{dot}{value}")).collect::<Vec<_>>()
            };
            indices = indices.iter().flat_map(with).collect();
        }
        let is_it = |global: &Global| matches!(global, Global::Variable(of) if *of == number);
        let is_of_game = self.globals.values().any(is_it);
        let names = match var.kind {
            Kind::Name(universe) => self.universes[universe].atoms.clone(),
            _ => Vec::new(),
        };
        let Var { name, unit, meaning, first, is_players, lows, highs, most, .. } = var.clone();
        Some(Told {
            name,
            unit,
            kind,
            first,
            is_players,
            is_of_game,
            indices,
            axes,
            meaning,
            ranges: lows.into_iter().zip(highs).collect(),
            most: most.to_vec(),
            names,
        })
    }

    /// What the rules count by themselves: what the end of the game hangs on, and what only policies and the cap look at.
    pub(super) fn counts(&self) -> (Vec<Count>, Vec<Count>) {
        let hidden = &self.hidden;
        let count = |name, meaning, cell: Cell| {
            let info = self.cells[cell as usize];
            let range = (info.low, info.low + info.values - 1);
            Count { name, meaning, cell, range, is_of_players: false }
        };
        let mut counts = vec![
            count("game.round", "the number of the round, from 1", hidden.round),
            count("game.turns", "turns that are over", hidden.turns),
        ];
        let begun = "turns that have begun, those for ties too";
        counts.extend(hidden.played.map(|cell| count("game.played", begun, cell)));
        let left = "turns until the game is over; 0 as long as that is open";
        counts.extend(hidden.last.first().map(|(_, cell)| count("game.turns_left", left, *cell)));
        let of_players = |name, meaning, cell| Count { is_of_players: true, ..count(name, meaning, cell) };
        if let Some((tied, ending)) = hidden.tied {
            counts.push(of_players("game.tied", "plays on for the tie", tied));
            counts.push(count("game.tied_by", "the `end` line that led to the tie, from 0", ending));
        }
        counts.extend(hidden.bust.map(|bust| of_players("game.bust", "has been bust in this turn", bust)));
        counts.into_iter().partition(|count| !self.cells[count.cell as usize].is_memory)
    }

    fn dim_in_words(&self, dim: Dim) -> Vec<String> {
        match dim {
            Dim::Player(len) => (1..=len).map(|seat| format!("seat {seat}")).collect(),
            Dim::Number(low, len) => (low..).take(len).map(|number| number.to_string()).collect(),
            Dim::Names(universe, _) => {
                let atoms = self.universes[universe].atoms.iter();
                let atom = |atom: &i64| self.atoms.get(usize::try_from(atom - 1).ok()?);
                atoms.map(|number| atom(number).map_or_else(String::new, |atom| atom.name.clone())).collect()
            }
        }
    }
}
