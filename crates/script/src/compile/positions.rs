//! What of a state a position has: which cells the rules still read at every stop, which are memory of policies, and a
//! number that no step lowers.

use super::liveness::{Flow, Live, Reads};
use super::value::Kind;
use super::{Compiler, Global};
use crate::mask::Mask;
use crate::op::{Cell, Op, Stage, Term};
use crate::set::Set;
use crate::syntax::Form;

/// The most values of a clock, and blocks at a value of it, that are looked at apart.
const MOST_TIMES: i64 = 64;
const MOST_NODES: usize = 20_000;
/// The kinds of memory: the bits of a policy's memory.
const MOST_MEMORIES: usize = 32;

/// The cells that are read after every stop.
#[derive(Debug, Default)]
pub(super) struct Positions {
    /// By anything.
    live: Vec<Set>,
    /// By the rules, at every value of the clock.
    played: Vec<Vec<Set>>,
    /// With a kind of memory, by the rules and for it.
    kept: Vec<Vec<Set>>,
    /// With what policies read of candidates.
    of_candidates: Vec<Set>,
}

/// What policies can read of cells that the rules do not read.
struct Memory {
    cells: Set,
    calculations: Vec<(u32, u32)>,
}

impl Compiler<'_> {
    /// The cell of the round, or of the turn, if it takes few values; and how many.
    fn clock(&self, blocks: usize) -> Option<(Cell, usize)> {
        let cells = [self.hidden.round, self.hidden.turns];
        let few = cells.into_iter().find_map(|cell| {
            let info = &self.cells[cell as usize];
            (!info.is_memory && info.values <= MOST_TIMES).then_some((cell, info.values))
        });
        let (cell, values) = few?;
        let values = usize::try_from(values).ok()?;
        (values * blocks <= MOST_NODES).then_some((cell, values))
    }

    /// What the rules read after every stop, at every value of the clock; and what tells them which dice are rolled.
    pub(super) fn played(&mut self, flow: &Flow) -> Vec<Vec<Set>> {
        let mut clock = self.clock(flow.starts.len());
        let mut timed = self.flow(clock);
        if !timed.is_timed() {
            clock = None;
            timed = self.flow(None);
        }
        let live = self.liveness(&timed, Reads::Rules(&[], &[]));
        self.program.clock = clock.map(|(cell, _)| cell);
        let mut played: Vec<Vec<Set>> =
            (0..timed.times).map(|time| self.after_stops(&timed, &live, time)).collect();
        if let Some((cell, _)) = clock {
            played.iter_mut().flatten().for_each(|cells| cells.put(cell, true));
        }
        self.untold = self.untold(|site, cell| played.iter().all(|sets| sets[site as usize].has(cell)));
        for site in &self.untold {
            played.iter_mut().for_each(|sets| sets[*site as usize].put(self.hidden.thrown, true));
        }
        played
    }

    pub(super) fn positions(&mut self, flow: &Flow, live: &[Live], played: Vec<Vec<Set>>) -> Positions {
        let mut positions =
            Positions { live: self.after_stops(flow, live, 0), played, ..Positions::default() };
        for site in &self.untold {
            positions.live[*site as usize].put(self.hidden.thrown, true);
        }
        for cells in &mut positions.live {
            self.program.clock.iter().for_each(|cell| cells.put(*cell, true));
            self.ahead.cells.values().for_each(|cell| cells.put(*cell, true));
        }
        // Questions: what is read at them, before the answer.
        for reading in &self.program.readings {
            for (site, label) in &reading.at {
                let block = flow.by_label.get(label).map(|block| &live[*block]);
                block.into_iter().for_each(|block| positions.live[*site as usize].join(&block.cells));
            }
        }
        let (memories, of_candidates) = self.memories(flow, live, &positions);
        let mut kept = |memory: &Memory| {
            let nets: Vec<Cell> = memory.cells.all().collect();
            let after = self.liveness(flow, Reads::Rules(&memory.calculations, &nets));
            let mut sets = self.after_stops(flow, &after, 0);
            // What is read at a question itself.
            for (site, label) in &memory.calculations {
                let block = flow.by_label.get(label).map(|block| &live[*block]);
                block.into_iter().for_each(|block| sets[*site as usize].join(&block.cells));
            }
            sets
        };
        positions.kept = memories.iter().map(&mut kept).collect();
        if !of_candidates.calculations.is_empty() {
            positions.of_candidates = kept(&of_candidates);
        }
        positions
    }

    /// The cells that outlast a turn: what counts turns, then every variable of the game and of players.
    fn lasting(&self) -> Vec<Set> {
        let set = |cells: &mut dyn Iterator<Item = Cell>| {
            let mut set = Set::new(self.cells.len());
            cells.for_each(|cell| set.put(cell, true));
            set
        };
        let hidden = &self.hidden;
        let last = hidden.last.iter().map(|(_, cell)| *cell);
        let tied = hidden.tied.iter().flat_map(|(tied, ending)| [*tied, *ending]);
        let counters = set(&mut [hidden.turns, hidden.round].into_iter().chain(last).chain(tied));
        let globals = self.globals.values().filter_map(|global| match global {
            Global::Variable(number) => Some(&self.variables[*number]),
            _ => None,
        });
        let variables = globals.map(|var| set(&mut (var.first..).take(var.len())));
        let mut variables: Vec<Set> = variables.collect();
        variables.sort_by_key(|set| set.all().next());
        std::iter::once(counters).chain(variables).collect()
    }

    fn after_stops(&self, flow: &Flow, live: &[Live], time: usize) -> Vec<Set> {
        let mut sets = vec![Set::new(self.cells.len()); self.program.sites.len()];
        for &(site, block) in &flow.stops {
            sets[site as usize] = live[flow.node((time, block))].cells.clone();
        }
        sets
    }

    /// The kinds of memory, and that of what is read of candidates, which every policy has. What is read of the same cells
    /// is of one kind.
    fn memories(&mut self, flow: &Flow, live: &[Live], positions: &Positions) -> (Vec<Memory>, Memory) {
        let none = || Memory { cells: Set::new(self.cells.len()), calculations: Vec::new() };
        let (mut memories, mut of_candidates): (Vec<Memory>, _) = (Vec::new(), none());
        for reading in &mut self.program.readings {
            let mut memory = Memory { cells: Set::new(self.cells.len()), calculations: reading.at.clone() };
            for (site, label) in &reading.at {
                let Some(block) = flow.by_label.get(label) else { continue };
                for cell in live[*block].cells.all() {
                    let is_played = |time: &Vec<Set>| time[*site as usize].has(cell);
                    memory.cells.put(cell, memory.cells.has(cell) || !positions.played.iter().all(is_played));
                }
            }
            if memory.cells.all().next().is_none() {
                continue;
            }
            if reading.kind.is_some() {
                of_candidates.join(memory);
                continue;
            }
            let same = memories.iter().position(|other| other.cells == memory.cells);
            let bit = same.unwrap_or(memories.len()).min(MOST_MEMORIES - 1);
            reading.memory = 1 << bit;
            match memories.get_mut(bit) {
                Some(other) => other.join(memory),
                None => memories.push(memory),
            }
        }
        // What is looked at ahead needs what its parts need.
        let own: Vec<u32> = self.program.readings.iter().map(|reading| reading.memory).collect();
        let looks = &self.program.looks;
        for reading in &mut self.program.readings {
            for (_, look) in &reading.ahead {
                looks[*look as usize].each_reading(&mut |part| reading.memory |= own[part]);
            }
        }
        (memories, of_candidates)
    }

    /// The masks of every stop, when cells have got their places.
    pub(super) fn put_positions(&mut self, positions: Positions) {
        let lasting = self.lasting();
        let places = &self.program.places;
        let mask = |cells: &Set| -> Mask { cells.all().map(|cell| places[cell as usize].into()).collect() };
        for (number, site) in self.program.sites.iter_mut().enumerate() {
            site.live = mask(&positions.live[number]);
            site.played = positions.played.iter().map(|time| mask(&time[number])).collect();
            site.kept = positions.kept.iter().map(|kind| mask(&kind[number])).collect();
            site.of_candidates = positions.of_candidates.get(number).map(mask).unwrap_or_default();
            let veiled = u32::try_from(number).ok().and_then(|number| self.veiled.get(&number));
            let mut hidden = Set::new(self.cells.len());
            veiled.into_iter().flatten().for_each(|cell| hidden.put(*cell, true));
            site.hidden = mask(&hidden);
        }
        self.program.lasting = lasting.iter().map(mask).collect();
        self.program.stages = self.stages();
    }
}

impl Memory {
    fn join(&mut self, other: Self) {
        self.cells.join(&other.cells);
        self.calculations.extend(other.calculations);
    }
}

impl Compiler<'_> {
    /// The number that no step lowers: first the turn where positions have it, then what only grows or falls in the game,
    /// then what does in a turn.
    fn stages(&mut self) -> Vec<Stage> {
        let hidden = &self.hidden;
        let is_counted = |cell: Cell| !self.cells[cell as usize].is_memory;
        let mut stages = Vec::new();
        let seats = u64::try_from(self.program.seats).unwrap_or(1);
        if hidden.tied.is_some() {
        } else if is_counted(hidden.turns) {
            stages.push(vec![self.term(hidden.turns, 1, false)]);
        } else if is_counted(hidden.round) {
            let me = hidden.me.map(|me| self.term(me, 1, false));
            stages.push([self.term(hidden.round, seats, false)].into_iter().chain(me).collect());
        }
        let has_turn = !stages.is_empty();
        let turns_end = has_turn.then_some(self.labels_of.end);
        let file = self.file;
        let globals = file.shared.iter().chain(&file.player).map(|variable| variable.name.text.as_str());
        stages.push(self.terms(globals.collect(), &vec![true; self.ops.len()]));
        stages.retain(|terms| !terms.is_empty());
        let sites = u64::try_from(self.program.sites.len()).unwrap_or(0);
        let ahead = self.ahead(turns_end);
        let stops = self.ops.iter().enumerate().filter_map(|(at, op)| match op {
            Op::Roll(site) | Op::Draw(site) | Op::Ask(site) => Some((*site, ahead[at + 1].clone())),
            _ => None,
        });
        let stops: Vec<(u32, Set)> = stops.collect();
        stages.push(Vec::new());
        // Before the first turn its values are not set.
        if has_turn && file.setup.is_none() {
            // Before a `let` further down, the turn before may have left another value.
            let block = file.play.iter().flat_map(|play| &play.block);
            let lets = block.map_while(|statement| match &statement.form {
                Form::Let(variable) => Some(variable.name.text.as_str()),
                _ => None,
            });
            let counts: Vec<bool> = ahead.iter().map(|sites| sites.all().next().is_some()).collect();
            stages.push(self.terms(lets.collect(), &counts));
            if stages.last().is_some_and(Vec::is_empty) {
                stages.pop();
            }
        }
        let stages = stages.into_iter().map(|terms: Vec<Term>| {
            let most =
                if terms.is_empty() { sites } else { terms.iter().map(|term| term.times * term.most).sum() };
            Stage { radix: most + 1, terms }
        });
        self.rank(&stops);
        // Whether the setup is over comes before all of them.
        let mut room = if file.setup.is_some() { u64::MAX / 2 } else { u64::MAX };
        let stages = stages.take_while(|stage| {
            room /= stage.radix;
            room > 0
        });
        stages.collect()
    }

    fn term(&self, cell: Cell, times: u64, falls: bool) -> Term {
        let most = u64::try_from(self.cells[cell as usize].values - 1).unwrap_or(0);
        Term { place: self.program.places[cell as usize], times, most, falls }
    }

    /// Of every instruction, what stops lie ahead of it; `end` is where the turn ends, if turns are counted.
    fn ahead(&self, end: Option<u32>) -> Vec<Set> {
        let flow = self.flow(None);
        let none = Set::new(self.program.sites.len());
        let mut ahead = vec![none.clone(); self.ops.len() + 1];
        loop {
            let (mut is_done, mut sites) = (true, none.clone());
            for at in (0..self.ops.len()).rev() {
                let op = self.ops[at];
                if matches!(op, Op::Jump(_) | Op::End(_) | Op::Return) {
                    sites.clear();
                }
                if let Some(block) = op.target().and_then(|label| flow.by_label.get(&label)) {
                    sites.join(&ahead[flow.starts[*block]]);
                }
                match op {
                    Op::Label(label) if Some(label) == end => sites.clear(),
                    Op::Roll(site) | Op::Draw(site) | Op::Ask(site) => sites.put(site, true),
                    _ => {}
                }
                if sites != ahead[at] {
                    ahead[at].clone_from(&sites);
                    is_done = false;
                }
            }
            if is_done {
                return ahead;
            }
        }
    }

    /// Ranks the stops of a turn.
    fn rank(&mut self, stops: &[(u32, Set)]) {
        for (to, after) in stops {
            let (to, before) =
                (*to, stops.iter().filter(|(from, ahead)| ahead.has(*to) && !after.has(*from)));
            let rank = if self.hidden.lots.contains(&to) { stops.len() } else { before.count() };
            self.program.sites[to as usize].rank = u64::try_from(rank).unwrap_or(0);
        }
    }

    /// Those of some variables that only grow or only fall, by the assignments that count.
    fn terms(&self, names: Vec<&str>, counts: &[bool]) -> Vec<Term> {
        let (mut raised, mut lowered) =
            (vec![false; self.variables.len()], vec![false; self.variables.len()]);
        for (op, counts) in self.ops.iter().zip(counts) {
            if let (Op::Mark(number), true) = (op, counts) {
                let (variable, raises, lowers) = self.moves[*number as usize];
                raised[variable] |= raises;
                lowered[variable] |= lowers;
            }
        }
        let mut terms = Vec::new();
        for name in names {
            let Some(number) = self.variables.iter().position(|var| var.name == name) else { continue };
            let var = &self.variables[number];
            if raised[number] != lowered[number] && matches!(var.kind, Kind::Number | Kind::Truth) {
                let cells = (var.first..).take(var.len());
                terms.extend(cells.map(|cell| self.term(cell, 1, lowered[number])));
            }
        }
        terms
    }
}
