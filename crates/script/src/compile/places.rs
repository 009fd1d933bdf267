//! Where cells are in the words of a state.

use std::collections::BTreeMap;

use super::variable::Var;
use super::{CellInfo, Compiler};
use crate::op::{Cell, Op};
use crate::problem::Problem;
use crate::state::{ME, Place, TICKS, WORDS};

/// So many variables are told where there is no room.
const MOST_TOLD: usize = 4;

/// The bits that are free, in order: of a word those from the first to below the second.
struct Free(Vec<(usize, u32, u32)>);

impl Free {
    /// Takes so many bits side by side, where they first fit. Returns their word and the first of them.
    fn take(&mut self, bits: u32) -> Option<(usize, u32)> {
        let (word, from, _) = self.0.iter_mut().find(|(_, from, to)| to - from >= bits)?;
        let first = (*word, *from);
        *from += bits;
        Some(first)
    }

    /// Takes whole words one after the other, and gives back what numbers of so many bits leave of their steps.
    fn take_row(&mut self, len: u32, bits: u32, step: u32) -> Option<usize> {
        let many = len.div_ceil(64 / step) as usize;
        let is_whole = |word: usize| self.0.contains(&(word, 0, 64));
        let word = (0..WORDS).find(|word| (*word..word + many).all(is_whole))?;
        self.0.retain(|(other, ..)| !(word..word + many).contains(other));
        let ends = (0..len).map(|at| (word + (at * step / 64) as usize, at * step % 64));
        self.0.extend(ends.map(|(word, from)| (word, from + bits, from + step)));
        let last = len * step % 64;
        self.0.extend((last > 0).then_some((word + many - 1, last, 64)));
        self.0.sort_unstable();
        Some(word)
    }

    /// The most that are side by side.
    fn widest(&self) -> u32 {
        self.0.iter().map(|(_, from, to)| to - from).max().unwrap_or(0)
    }

    /// How many there are.
    fn bits(&self) -> u32 {
        self.0.iter().map(|(_, from, to)| to - from).sum()
    }
}

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
        let free =
            || Free([(0, ME + 3, TICKS)].into_iter().chain((1..WORDS).map(|word| (word, 0, 64))).collect());
        self.program.places = vec![Place::default(); self.cells.len()];
        self.program.highs = self.cells.iter().map(|cell| cell.low.saturating_add(cell.values - 1)).collect();
        for (cell, from, bits) in [(Some(self.hidden.steps), TICKS, 64 - TICKS), (self.hidden.me, ME, 3)] {
            if let Some(cell) = cell.filter(|cell| used[*cell as usize]) {
                cells.retain(|other| *other != cell);
                self.put(cell, 0, from, bits);
            }
        }
        let rows: Vec<(Cell, u32)> = rows.into_iter().collect();
        if self.in_rows(&cells, &rows, free()).is_none() {
            self.one_by_one(cells, free())?;
        }
        let words = self.program.places.iter().filter(|place| place.bits > 0).map(|place| place.word);
        self.program.words = usize::from(words.max().unwrap_or(0)) + 1;
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
    fn in_rows(&mut self, cells: &[Cell], rows: &[(Cell, u32)], mut free: Free) -> Option<()> {
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
            if len * bits <= 64 {
                let (word, from) = free.take(len * bits)?;
                (0..len).for_each(|at| self.put(first + at, word, from + at * bits, bits));
                continue;
            }
            let step = bits.next_power_of_two();
            let word = free.take_row(len, bits, step)?;
            for at in 0..len {
                self.put(first + at, word + (at * step / 64) as usize, at * step % 64, bits);
            }
        }
        Some(())
    }

    /// Every cell where there is room for it.
    fn one_by_one(&mut self, mut cells: Vec<Cell>, mut free: Free) -> Result<(), Vec<Problem>> {
        let room = free.bits();
        cells.sort_by_key(|cell| std::cmp::Reverse(self.bits(*cell)));
        for &cell in &cells {
            let bits = self.bits(cell);
            let Some((word, from)) = free.take(bits) else {
                return Err(vec![self.too_large(&cells, room, (cell, free.widest()))]);
            };
            self.put(cell, word, from, bits);
        }
        Ok(())
    }

    /// There is no room for these cells, and of the words so many bits are left for one of them: what the largest variables take.
    fn too_large(&self, cells: &[Cell], room: u32, (out, widest): (Cell, u32)) -> Problem {
        let bits = |cells: &mut dyn Iterator<Item = &Cell>| cells.map(|cell| self.bits(*cell)).sum::<u32>();
        let of = |var: &Var| {
            let own = var.first..var.first + Cell::try_from(var.len()).unwrap_or(0);
            bits(&mut cells.iter().filter(|cell| own.contains(cell)))
        };
        let mut largest: Vec<(u32, &str)> = self
            .variables
            .iter()
            .map(|var| (of(var), &*var.name))
            .filter(|(bits, name)| *bits > 0 && !name.is_empty())
            .collect();
        largest.sort_by_key(|(bits, _)| std::cmp::Reverse(*bits));
        let (first, others) = largest.split_at(largest.len().min(MOST_TOLD));
        let mut told: Vec<String> = first.iter().map(|(bits, name)| format!("`{name}` {bits}")).collect();
        let all = bits(&mut cells.iter());
        let named = |of: &[(u32, &str)]| of.iter().map(|(bits, _)| bits).sum::<u32>();
        if !others.is_empty() {
            told.push(format!("{} others {}", others.len(), named(others)));
        }
        let unnamed = all - named(&largest).min(all);
        if unnamed > 0 {
            told.push(format!("what has no name {unnamed}"));
        }
        // Together they may fit, and leave no word with room for all bits of one number.
        let short = match all > room {
            true => String::new(),
            false => {
                let is_it = |var: &&Var| (var.first..).take(var.len()).any(|cell| cell == out);
                let name = self.variables.iter().find(is_it).filter(|var| !var.name.is_empty());
                let name = name.map_or_else(
                    || "what has no name".to_owned(),
                    |var| format!("a number of `{}`", var.name),
                );
                format!(", but {name} takes {}, and no word has more than {widest} left", self.bits(out))
            }
        };
        let message = format!(
            "this game takes {all} bits, and there is room for {room} in words of 64, across which no number goes{short}: {}",
            told.join(", ")
        );
        let help = "give numbers narrower ranges (0 to 7 takes 3 bits, 0 to 8 takes 4), and lists fewer elements; what lasts for a \
                    turn only is a `let` in it, and what can be worked out is a `define`";
        Problem::new(0..0, message).help(help)
    }
}
