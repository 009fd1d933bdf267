//! Several line-ups on the same trials, compared trial by trial.
//!
//! In every trial all line-ups meet the same streams (see [`stream`](crate::stream)), so that a difference between two
//! of them comes from their answers alone. A [`PairedTally`] holds what each did and, for every pair, exact integers
//! about the differences; what they mean is for the analysis to say.
//!
//! What is compared is the **first seat**: its metrics, and how the game ends.

mod parting;
mod tally;

use std::ops::{ControlFlow, Range};

pub use parting::{Answered, Parting, parting};
pub use tally::{Differences, PairTally, PairedTally};

use crate::game::{Action, Event, Events, Game, LineupJob, MAX_METRICS, Policy, Question, Seat};
use crate::run::{BATCH, Batch, Plan, from_one_queue};
use crate::stream::{Keys, Words};
use crate::tally::{Recorder, Tally};
use crate::trial::{Watch, trial};

/// Trials that one line-up plays before the next does: so few that all that is noted of them stays in the cache.
const BLOCK: usize = 128;

/// Plays the trials of a plan with every line-up, on the threads of the current rayon pool, and compares them.
///
/// The result is a function of the game, the line-ups and the plan; `progress` is called as by [`run`](crate::run::run),
/// with the sums of the first line-up, and stops the run in the same way: what comes back is that of exactly the first
/// trials of the plan. Of every pair the first `partings` trials are noted in which the two part.
///
/// Memory is a tally for each line-up and pair a thread, whatever the number of trials.
pub fn run_paired<G: Game, P: Policy<G>, L: AsRef<[P]> + Sync>(
    game: &G,
    lineups: &[L],
    plan: &Plan,
    partings: usize,
    progress: impl Fn(Batch) -> ControlFlow<()> + Sync,
) -> PairedTally {
    let keys = Keys::new(plan.seed);
    let threads = from_one_queue(plan, |queue| {
        let mut tally = PairedTally::new(game, lineups.len(), partings);
        let mut blocks = vec![Block::default(); lineups.len()];
        while let Some(trials) = queue.next(BATCH) {
            let before = tally.lineups.first().map_or((0, 0), |tally| tally.first);
            for block in trials.clone().step_by(BLOCK) {
                let block = block..trials.end.min(block.saturating_add(BLOCK as u64));
                play_block(game, lineups, &keys, block, &mut blocks, &mut tally);
            }
            let after = tally.lineups.first().map_or((0, 0), |tally| tally.first);
            queue.report(progress(Batch {
                trials: trials.end - trials.start,
                sum: after.0 - before.0,
                squares: after.1 - before.1,
            }));
        }
        tally
    });
    let mut total = PairedTally::new(game, lineups.len(), partings);
    threads.iter().for_each(|tally| total.merge(tally));
    total
}

/// Plays a block with each line-up in turn, and compares all pairs.
fn play_block<G: Game, P: Policy<G>, L: AsRef<[P]>>(
    game: &G,
    lineups: &[L],
    keys: &Keys,
    trials: Range<u64>,
    blocks: &mut [Block],
    tally: &mut PairedTally,
) {
    for ((lineup, block), tally) in lineups.iter().zip(blocks.iter_mut()).zip(&mut tally.lineups) {
        block.clear();
        P::with_quickest(lineup.as_ref(), Noted { game, keys, trials: trials.clone(), tally, block });
    }
    for pair in &mut tally.pairs {
        let (a, b) = (&blocks[pair.a], &blocks[pair.b]);
        for ((number, a), b) in trials.clone().zip(a.trials()).zip(b.trials()) {
            pair.add(number, a, b);
        }
    }
}

/// What one line-up did in one trial.
#[derive(Clone, Copy, Debug)]
struct Played<'b> {
    /// The metrics of the first seat.
    values: &'b [u32; MAX_METRICS],
    /// Whether the game was cut short.
    early: bool,
    /// All answers, of whichever seat, in order.
    answers: &'b [Action],
}

/// What one line-up did in the trials of a block.
#[derive(Clone, Debug, Default)]
struct Block {
    ends: Vec<End>,
    /// The answers of all trials, one after the other.
    answers: Vec<Action>,
}

#[derive(Clone, Copy, Debug)]
struct End {
    values: [u32; MAX_METRICS],
    early: bool,
    /// Where the trial's answers end among those of the block.
    answered: usize,
}

impl Block {
    fn clear(&mut self) {
        self.ends.clear();
        self.answers.clear();
    }

    fn trials(&self) -> impl Iterator<Item = Played<'_>> {
        let mut begun = 0;
        self.ends.iter().map(move |end| {
            let answers = &self.answers[begun..end.answered];
            begun = end.answered;
            Played { values: &end.values, early: end.early, answers }
        })
    }
}

/// Plays the trials of a block with a line-up, tallies them and notes what is needed to compare them.
struct Noted<'n, G> {
    game: &'n G,
    keys: &'n Keys,
    trials: Range<u64>,
    tally: &'n mut Tally,
    block: &'n mut Block,
}

impl<G: Game> LineupJob<G> for Noted<'_, G> {
    type Output = ();

    fn run<P: Policy<G>>(self, lineup: &[P]) {
        let (keys, seats) = (self.keys, self.game.seats());
        if seats == 1 {
            self.play(lineup, |number| keys.stream(number, 0));
        } else {
            self.play(lineup, |number| keys.streams(number, seats));
        }
    }
}

impl<G: Game> Noted<'_, G> {
    /// Never inlined, for the reason given at the loop of [`run`](crate::run::run).
    #[inline(never)]
    fn play<P: Policy<G>, W: Words>(self, lineup: &[P], words: impl Fn(u64) -> W) {
        let Self { game, block: Block { ends, answers }, .. } = self;
        let mut note = Note { recorder: Recorder::new(self.tally), answers };
        for number in self.trials {
            let end = trial(game, lineup, &mut words(number), &mut note);
            ends.push(End {
                values: note.recorder.first_seat(game, end),
                early: game.endings()[game.ending(end)].early,
                answered: note.answers.len(),
            });
            note.recorder.finish(game, end);
        }
    }
}

/// A recorder that also writes down the answers.
struct Note<'n> {
    recorder: Recorder<'n>,
    answers: &'n mut Vec<Action>,
}

impl Events for Note<'_> {
    #[inline]
    fn event(&mut self, seat: Seat, event: Event) {
        self.recorder.event(seat, event);
    }

    #[inline(always)]
    fn event_if(&mut self, happens: bool, seat: Seat, event: Event) {
        self.recorder.event_if(happens, seat, event);
    }
}

impl<G: Game> Watch<G> for Note<'_> {
    #[inline]
    fn decided(&mut self, _: G::State, _: Question, action: Action) {
        self.answers.push(action);
    }
}
