//! Best play of a game for two, turn by turn: a turn is explored once, and evaluated for every position between turns.
//!
//! With the answers that are best for the values known so far, the values of all positions between turns of a stage are the
//! solution of linear equations; with those values other answers may be best, and so on (policy iteration, as Pollatschek
//! and Avi-Itzhak had it for games of two, Management Science 15, 1969). It ends where a turn's best answers change the values
//! by no more than δ.
//!
//! How far the values may then be off: who plays these answers leaves the stage in a turn with a chance of 1 − s at least,
//! whatever the other does. So a value that is worth less than v − ε to its seat loses δ in each of its turns, and what the
//! other wins more than it should have; ε ≤ δ (1 + s) / (1 − s) + the ε of later stages.

use std::ops::Range;
use std::sync::Mutex;

use stopwise_engine::game::Game;
use stopwise_engine::kept::{Covers, Kept};
use stopwise_engine::look_ahead::{Objective, SAME};
use stopwise_engine::part::Work;
use stopwise_engine::turn_by_turn::{Lead, Turns};
use stopwise_engine::turn_values::TurnValues;
use stopwise_engine::vocabulary::Vocabulary;

use super::parts::in_parts;
use super::situations::{Answered, Cells, Situations, Times};
use super::{ExactError, Limits, Progress};

/// The positions that are evaluated at a time.
const LANES: usize = 16;
/// What rounding may change in the value of a turn, at most.
const ROUNDING: f64 = 4e-15;
/// The change up to which values are settled: the answers stay the same, and only rounding changes them.
const SETTLED: f64 = 3e-14;
/// The most rounds of a stage: few are needed.
const ROUNDS: usize = 60;
/// The rounds of linear equations.
const SWEEPS: usize = 10_000;

/// The values of all positions between turns.
#[derive(Debug)]
pub struct ByTurns<G: Game> {
    /// The values, and what follows from them within turns.
    pub found: TurnValues<G>,
    /// How far the values may be off.
    pub error: f64,
}

impl<G: Game> ByTurns<G> {
    /// The values, in the form of a file ([`Kept`]): what best play needs to answer.
    pub fn keep(&self, game: &G) -> Vec<u8> {
        let TurnValues { turns, values, objective, .. } = &self.found;
        let positions = turns.beginnings.iter().map(|turn| turn.state).zip(values.iter().copied());
        Kept::write(game, objective, Covers::BetweenTurns, [values[0], self.error], positions)
    }

    /// The answers of best play to yes/no decisions of a kind, by up to three features, in all turns. Situations that are
    /// alike by symmetry count once.
    ///
    /// # Errors
    ///
    /// If the watcher stops it.
    pub fn situations(
        &self,
        game: &G,
        kind: usize,
        features: &[usize],
        limits: Limits<'_>,
    ) -> Result<Vec<Situations<bool>>, ExactError>
    where
        G: Vocabulary,
    {
        let TurnValues { turns, values, .. } = &self.found;
        let parts = 0..turns.parts().count();
        let decisions: Vec<Vec<_>> = parts.map(|part| turns.decisions(part, kind).collect()).collect();
        let counts = |part: Range<usize>| {
            limits.tell(Progress::Evaluate { done: part.start, states: values.len() })?;
            let mut cells = Cells::default();
            for beginning in part {
                let worths = turns.part(beginning).worths(&self.found.exits(beginning));
                for &(alone, [no, yes]) in &decisions[turns.beginnings[beginning].part] {
                    let more = worths[yes][0] - worths[no][0];
                    let times = Times { situations: 1.0, ..Times::default() };
                    let answered = Answered { answer: more > SAME, is_tied: more.abs() <= SAME, times };
                    cells.count(game, turns.within(beginning, alone), features, answered);
                }
            }
            Ok(cells)
        };
        Ok(Cells::sum(in_parts(values.len(), LANES, &counts)?, false))
    }
}

/// What the best answers of a turn come to.
#[derive(Clone)]
struct Turn {
    value: f64,
    /// Of what leads out of the stage.
    known: f64,
    /// The positions of the stage to which it leads, with their chances.
    stays: Vec<(usize, f64)>,
}

/// Solves a game for two turn by turn. `None` if it is not told so, or another metric than wins is played for.
///
/// # Errors
///
/// If a turn is too large, if the values do not converge, or if the watcher stops it.
pub fn by_turns<G: Game>(
    game: &G,
    objective: Objective,
    limits: Limits<'_>,
) -> Result<Option<ByTurns<G>>, ExactError> {
    if game.turn_by_turn().is_none() || !game.metrics()[objective.metric].is_win() {
        return Ok(None);
    }
    let turns = limits.explore(|watch| Turns::explore(game, watch))?;
    let values = vec![0.5; turns.beginnings.len()];
    let mut order: Vec<usize> = (0..values.len()).collect();
    let found = TurnValues::new(game, objective, turns, values);
    let mut solver = Solver { game, limits, found, work: Mutex::default() };
    let stage = |&at: &usize| game.stage(solver.found.turns.beginnings[at].state);
    order.sort_by_key(|at| std::cmp::Reverse(stage(at)));
    let stages: Vec<Vec<usize>> =
        order.chunk_by(|a, b| stage(a) == stage(b)).map(<[usize]>::to_vec).collect();
    let (mut done, mut error) = (0, 0.0);
    for stage in stages {
        error += solver.stage(stage.clone(), done)?;
        done += stage.len();
    }
    Ok(Some(ByTurns { found: solver.found, error }))
}

struct Solver<'s, G: Game> {
    game: &'s G,
    limits: Limits<'s>,
    found: TurnValues<G>,
    /// What threads work in, one after the other.
    work: Mutex<Vec<Work<LANES>>>,
}

impl<G: Game> Solver<'_, G> {
    /// Solves the positions of a stage; how far their values are off, beside those of later stages.
    fn stage(&mut self, mut stage: Vec<usize>, done: usize) -> Result<f64, ExactError> {
        // Those of one part stand together.
        stage.sort_by_key(|&at| (self.found.turns.beginnings[at].part, at));
        for sweeps in 0..ROUNDS {
            let found = self.turns_of(&stage, sweeps, done)?;
            let off = |(turn, &at): (&Turn, &usize)| (turn.value - self.found.values[at]).abs();
            let off = found.iter().zip(&stage).map(off).fold(0.0, f64::max);
            let stays = |turn: &Turn| turn.stays.iter().map(|(_, chance)| chance).sum::<f64>();
            let most = found.iter().map(stays).fold(0.0, f64::max);
            if off <= SETTLED {
                if most > 1.0 - 1e-3 {
                    return Err(ExactError::Wide { bounds: None });
                }
                return Ok((off + ROUNDING) * (1.0 + most) / (1.0 - most));
            }
            self.solve(&stage, &found);
        }
        Err(ExactError::Stuck { stage: self.game.stage(self.found.turns.beginnings[stage[0]].state) })
    }

    /// The values of a stage under the answers that were found.
    fn solve(&mut self, stage: &[usize], found: &[Turn]) {
        for _ in 0..SWEEPS {
            let mut moved = 0.0_f64;
            for (turn, &at) in found.iter().zip(stage) {
                let stays = turn.stays.iter().map(|&(next, chance)| chance * (1.0 - self.found.values[next]));
                let value = turn.known + stays.sum::<f64>();
                moved = moved.max((value - self.found.values[at]).abs());
                self.found.values[at] = value;
            }
            if moved < 1e-17 {
                return;
            }
        }
    }

    /// The best answers for the values known so far.
    fn turns_of(&self, stage: &[usize], sweeps: usize, done: usize) -> Result<Vec<Turn>, ExactError> {
        let part_of = |at: &usize| self.found.turns.beginnings[*at].part;
        let batches: Vec<&[usize]> =
            stage.chunk_by(|a, b| part_of(a) == part_of(b)).flat_map(|part| part.chunks(LANES)).collect();
        let found = in_parts(batches.len(), 1, &|part: Range<usize>| {
            let states = self.found.values.len();
            self.limits.tell(Progress::CloseIn { sweeps, stage: stage.len(), done, states })?;
            let taken = self.work.lock().ok().and_then(|mut work| work.pop());
            let mut work = taken.unwrap_or_default();
            let found = self.batch(batches[part.start], &mut work);
            if let Ok(mut all) = self.work.lock() {
                all.push(work);
            }
            Ok(found)
        })?;
        Ok(found.into_iter().flatten().collect())
    }

    fn batch(&self, batch: &[usize], work: &mut Work<LANES>) -> Vec<Turn> {
        let beginning = |lane: usize| &self.found.turns.beginnings[batch[lane.min(batch.len() - 1)]];
        let stage = self.game.stage(beginning(0).state);
        let part = self.found.turns.part(batch[0]);
        let exits: Vec<[f64; LANES]> = (0..part.exits.len())
            .map(|exit| std::array::from_fn(|lane| self.found.worth(&beginning(lane).leads[exit])))
            .collect();
        let (values, chances) = part.leave(&exits, work);
        let turn = |lane: usize| {
            let mut turn = Turn { value: values[lane], known: 0.0, stays: Vec::new() };
            for (lead, chance) in beginning(lane).leads.iter().zip(&chances) {
                match *lead {
                    Lead::Next(next) if self.game.stage(self.found.turns.beginnings[next].state) == stage => {
                        turn.stays.push((next, chance[lane]));
                    }
                    _ => turn.known += chance[lane] * self.found.worth(lead),
                }
            }
            turn
        };
        (0..batch.len()).map(turn).collect()
    }
}
