//! The fast runner of games as text: many games side by side, instruction by instruction.
//!
//! The blocks of a program become instructions over columns, a number of every game each. All blocks are carried out in
//! their order, each for the games that are in it, which a mask tells: what happens in a block, such as setting a
//! variable, happens to those; what is only calculated is calculated for all. A game that jumps back waits for the next
//! time, unless so many do that their loop is carried out again at once. A roll takes the next word of every game that rolls,
//! and the conditions and lists of policies are calculations like others, so that most games go from roll to roll without
//! leaving the columns. Game by game are asked: questions that few games come to, lists of many candidates, and what policies
//! that are no text answer.
//!
//! Line-ups that take turns are played together: a column for each seat says whose policy plays there, where that is not the
//! same in all games. What is known of a program whoever plays is found once. Of columns that few games are in, loops go over
//! the first parts alone.
//!
//! The tally is that of [`trial`](stopwise_engine::trial::trial), bit for bit.

mod ahead;
mod alone;
mod ask;
mod asked;
mod bags;
mod build;
mod built;
mod busts;
mod calculate;
mod cells;
mod column;
mod cost;
mod counts;
mod draw;
mod ended;
mod fused;
mod gather;
mod ground;
mod holding;
mod instr;
mod jumps;
mod kernels;
mod left;
mod list;
mod local;
mod looked;
mod lookup;
mod loops;
mod meaning;
mod needed;
mod once;
mod operations;
mod over;
mod places;
mod range;
mod reading;
mod repeat;
mod roll;
mod rolling;
mod rows;
mod run;
mod seating;
mod shown;
mod spare;
mod stops;
mod storing;
mod streams;
mod sums;
mod translate;
mod trials;

use stopwise_engine::arms::TrialRows;
use stopwise_engine::game::{Action, Game as _, Question};
use stopwise_engine::lanes::dispatch::{InstructionSet, MachineJob, on_machine};
use stopwise_engine::lanes::simd::Machine;
use stopwise_engine::side_by_side::Feed;
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_engine::vocabulary::Answering;

use crate::script::Script;
use crate::state::State;
use run::{Choose, Run};

/// A game as text with the conditions of its policies, for lanes.
#[derive(Debug)]
pub struct Lanes {
    game: Script,
    built: built::Built,
}

impl Lanes {
    /// Of a game with line-ups that take turns: how each policy answers, by kind of question, and the numbers of those in
    /// every line-up, one for every seat or one for all.
    ///
    /// # Errors
    ///
    /// What keeps it from lanes, in words.
    pub fn new(game: &Script, policies: &[Vec<Answering>], lineups: Vec<Vec<usize>>) -> Result<Self, String> {
        let built = ground::build(*game, policies, lineups)?;
        Ok(Self { game: *game, built })
    }

    /// Plays the trials that `next` hands out on this thread into a tally for each of the line-ups, and what each was worth
    /// into `rows`, if there are any. `choose` answers the questions that are no condition, given the policy's number.
    ///
    /// # Panics
    ///
    /// If the machine does not have the instruction set.
    pub fn play(
        &self,
        set: InstructionSet,
        keys: &Keys,
        next: &mut Feed<'_>,
        choose: &dyn Fn(usize, State, Question) -> Action,
        tallies: &mut [Tally],
        rows: Option<TrialRows<'_>>,
    ) {
        on_machine(set, Playing { lanes: self, keys, next, choose, tallies, rows });
    }

    /// How many instructions a game has on lanes, and how many questions are asked game by game.
    pub fn size(&self) -> (usize, usize) {
        (self.built.blocks.iter().map(|block| block.instrs.len()).sum(), self.built.asks.len())
    }

    /// How many games are played at a time.
    pub fn at_once(&self) -> u64 {
        self.built.lanes as u64
    }

    /// The seats that play.
    pub fn seats(&self) -> usize {
        self.game.seats()
    }
}

/// A run, for an instruction set.
struct Playing<'p> {
    lanes: &'p Lanes,
    keys: &'p Keys,
    next: &'p mut Feed<'p>,
    choose: &'p Choose<'p>,
    tallies: &'p mut [Tally],
    rows: Option<TrialRows<'p>>,
}

impl MachineJob for Playing<'_> {
    type Output = ();

    fn run<M: Machine>(self, machine: M) {
        Run::new(machine.wide(), self).play();
    }
}
