//! Where cells are in the words of a state.

use std::collections::BTreeMap;

use super::variable::Var;
use super::{CellInfo, Compiler};
use crate::op::{Cell, Op};
use crate::problem::Problem;
use crate::state::{ME, Place, TICKS, WORDS};

/// The bits of every word that are free: from the first to below the second.
type Free = [(u32, u32); WORDS];

impl Compiler<'_> {
    /// Gives every cell that is left its place; none crosses a word. Those of an array are side by side in one word, or in
    /// words one after the other, if there is room for that.
    pub(super) fn places(&mut self) -> Result<(), Vec<Problem>> {
        let mut used = vec![false; self.cells.len()];
        let mut rows: BTreeMap<Cell, u32> = BTreeMap::new();
        for op in &self.ops {
            match *op {
                Op::Load(_, cell) | Op::Store(cell, _) | Op::Tick(cell, _) => used[cell as usize] = true,
                Op::LoadAt(_, first, len, _) | Op::StoreAt(first, len, ..) => {
                    used[first as usize..(first + len) as usize].fill(true);
                    rows.insert(first, len);
                }
                _ => {}
            }
        }
        let cells = 0..Cell::try_from(self.cells.len()).unwrap_or(0);
        let mut cells: Vec<Cell> = cells.filter(|cell| used[*cell as usize]).collect();
        // The number of the stop has the lowest bits of the first word, the count of stops the highest.
        let mut free = [(0, 64); WORDS];
        free[0] = (ME + 3, TICKS);
        self.program.places = vec![Place::default(); self.cells.len()];
        for (cell, from, bits) in [(Some(self.hidden.steps), TICKS, 64 - TICKS), (self.hidden.me, ME, 3)] {
            if let Some(cell) = cell.filter(|cell| used[*cell as usize]) {
                cells.retain(|other| *other != cell);
                self.put(cell, 0, from, bits);
            }
        }
        let rows: Vec<(Cell, u32)> = rows.into_iter().collect();
        let free = match self.in_rows(&cells, &rows, free) {
            Some(free) => free,
            None => self.one_by_one(cells, free)?,
        };
        self.program.words = free.iter().rposition(|(from, _)| *from > 0).map_or(1, |last| last + 1);
        for op in &mut self.ops {
            *op = match *op {
                Op::Load(d, cell) => Op::Get(d, self.program.places[cell as usize]),
                Op::Store(cell, a) => Op::Put(self.program.places[cell as usize], a),
                other => other,
            };
        }
        Ok(())
    }

    fn put(&mut self, cell: Cell, word: usize, shift: u32, bits: u32) {
        let small = |number: u32| u8::try_from(number).unwrap_or(0);
        let low = i32::try_from(self.cells[cell as usize].low).unwrap_or(0);
        let word = u8::try_from(word).unwrap_or(0);
        self.program.places[cell as usize] =
            Place { word, shift: small(shift.min(63)), bits: small(bits), low };
    }

    fn bits(&self, cell: Cell) -> u32 {
        let CellInfo { bits, .. } = self.cells[cell as usize];
        bits.min(64)
    }

    /// Rows as wholes, then what is left; `None` if there is no room.
    fn in_rows(&mut self, cells: &[Cell], rows: &[(Cell, u32)], mut free: Free) -> Option<Free> {
        let is_apart = rows.windows(2).all(|two| two[0].0 + two[0].1 <= two[1].0);
        if !is_apart {
            return None;
        }
        let in_row = |cell: Cell| rows.iter().any(|(first, len)| (*first..first + len).contains(&cell));
        let alone = cells.iter().filter(|cell| !in_row(**cell)).map(|cell| (*cell, 1));
        let mut units: Vec<(Cell, u32)> = rows.iter().copied().chain(alone).collect();
        units.sort_by_key(|(first, len)| std::cmp::Reverse(len * self.bits(*first)));
        for (first, len) in units {
            let bits = self.bits(first);
            let total = len * bits;
            if total <= 64 {
                let word = free.iter().position(|(from, to)| to - from >= total)?;
                let from = free[word].0;
                (0..len).for_each(|at| self.put(first + at, word, from + at * bits, bits));
                free[word].0 += total;
                continue;
            }
            let step = bits.next_power_of_two();
            let in_word = 64 / step;
            let many = len.div_ceil(in_word) as usize;
            let word = free.windows(many).position(|words| words.iter().all(|free| *free == (0, 64)))?;
            for at in 0..len {
                self.put(first + at, word + (at / in_word) as usize, at % in_word * step, bits);
            }
            free[word..word + many].fill((64, 64));
            free[word + many - 1].0 = (len - (len - 1) / in_word * in_word) * step;
        }
        Some(free)
    }

    /// Every cell where there is room for it.
    fn one_by_one(&mut self, mut cells: Vec<Cell>, mut free: Free) -> Result<Free, Vec<Problem>> {
        cells.sort_by_key(|cell| std::cmp::Reverse(self.bits(*cell)));
        for &cell in &cells {
            let bits = self.bits(cell);
            let Some(word) = free.iter().position(|(from, to)| to - from >= bits) else {
                return Err(vec![self.too_large(&cells)]);
            };
            self.put(cell, word, free[word].0, bits);
            free[word].0 += bits;
        }
        Ok(free)
    }

    /// There is no room for these cells: what the largest variables take.
    fn too_large(&self, cells: &[Cell]) -> Problem {
        let bits = |cells: &mut dyn Iterator<Item = &Cell>| cells.map(|cell| self.bits(*cell)).sum::<u32>();
        let of = |var: &Var| {
            let own = var.first..var.first + Cell::try_from(var.len()).unwrap_or(0);
            bits(&mut cells.iter().filter(|cell| own.contains(cell)))
        };
        let mut largest: Vec<(u32, &str)> = self
            .variables
            .iter()
            .map(|var| (of(var), &*var.name))
            .filter(|(_, name)| !name.is_empty())
            .collect();
        largest.sort_by_key(|(bits, _)| std::cmp::Reverse(*bits));
        let told: Vec<String> =
            largest.iter().take(4).map(|(bits, name)| format!("`{name}` {bits}")).collect();
        let (all, room) = (bits(&mut cells.iter()), WORDS * 64 - 16);
        let message = format!(
            "the variables of this game take {all} bits, and there is room for about {room}: {}",
            told.join(", ")
        );
        let help = "give numbers narrower ranges (0 to 7 takes 3 bits, 0 to 8 takes 4), and lists fewer elements; what lasts for a \
                    turn only is a `let` in it, and what can be worked out is a `define`";
        Problem::new(0..0, message).help(help)
    }
}
