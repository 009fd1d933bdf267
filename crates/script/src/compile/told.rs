//! Variables, as people are told them.

use super::variable::{Dim, Var};
use super::{Compiler, Global};
use crate::op::Told;

impl Compiler<'_> {
    /// A variable as people are shown it; one without a name is shown to nobody.
    pub(super) fn told(&self, number: usize, var: &Var) -> Option<Told> {
        let kind = var.kind.named()?;
        let mut indices = vec![String::new()];
        for dim in var.dims.iter().skip(usize::from(var.is_players)) {
            let values = self.dim_in_words(*dim);
            let with = |before: &String| {
                let dot = if before.is_empty() { "" } else { ", " };
                values.iter().map(|value| format!("{before}{dot}{value}")).collect::<Vec<_>>()
            };
            indices = indices.iter().flat_map(with).collect();
        }
        let is_it = |global: &Global| matches!(global, Global::Variable(of) if *of == number);
        let is_of_game = self.globals.values().any(is_it);
        let Var { name, unit, first, is_players, .. } = var.clone();
        Some(Told { name, unit, kind, first, is_players, is_of_game, indices })
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
