//! The fast runner of the dice game: what a policy does in a turn is remembered.
//!
//! Here a lane of a vector would gain little: an answer follows from a list of up to 28 candidates in a graph of 660 classes
//! of cities. But turns are alike. Few positions are reached within them, and from each of them the same dice lead to the
//! same next one, so that in the long run a roll and all answers up to the next roll are one look-up ([`Turns`]). Eight
//! games are played at a time, a roll each in turn, so that the machine has work while one waits for its look-up.
//!
//! Between turns the rules play as ever. The tally is that of [`trial`](crate::trial::trial), bit for bit.

mod turns;

use std::ops::Range;

use super::dice::{AT_ONCE, Roll};
use super::graph::FRESH;
use super::state::State;
use super::words::OUTSIDE;
use super::{ALL_CATAPULTS, Carcassonne, KEEP, NINE_CATAPULTS};
use crate::arms::{TrialRows, with_answer};
use crate::chance::Chance as _;
use crate::game::{Action, Actions, Counts, Event, Events as _, Game, MAX_METRICS, Node, Question, Seat};
use crate::side_by_side::Feed;
use crate::stream::{Keys, MULTIPLIER, word_of};
use crate::tally::Tally;
use crate::trial_result::measure_seat;
use turns::{Keep, Next, Outside, Place, TurnEnd, Turns};

/// The games that are played at a time.
const GAMES: usize = 8;
/// The most seats.
const SEATS: usize = 5;

/// What answers a question of a player.
type Choose<'c> = dyn Fn(usize, State, Question) -> Action + 'c;

/// What players did in the turns that they have met.
#[derive(Debug)]
pub struct Memory(Vec<Turns>);

impl Memory {
    /// Of players who have met no turn yet: the features that each reads, by kind of question.
    pub fn new(game: Carcassonne, players: impl Iterator<Item = [Vec<usize>; 3]>) -> Self {
        let turns = |[mut place, stop, mut keep]: [Vec<usize>; 3]| {
            place.extend(stop);
            [&mut place, &mut keep].into_iter().for_each(|reads| reads.retain(|read| OUTSIDE.contains(read)));
            Turns::new(game, Outside { turn: place, keep })
        };
        Self(players.map(turns).collect())
    }
}

/// A game that is played.
#[derive(Clone, Copy)]
struct Seated {
    trial: u64,
    /// The states and increments of the streams of all seats.
    streams: [(u64, u64); SEATS],
    /// The position when the turn began.
    state: State,
    place: Place,
    counts: [[u32; Event::COUNT]; SEATS],
    /// A number for all answers, if they are noted.
    answers: u64,
}

/// The player of a seat.
#[inline(always)]
fn player_at(lineup: &[usize], seat: Seat) -> usize {
    lineup[if lineup.len() == 1 { 0 } else { seat }]
}

/// Counts the events of a game.
struct Counting<'c>(&'c mut [[u32; Event::COUNT]; SEATS], &'c mut Tally);

impl Counts for Counting<'_> {
    #[inline(always)]
    fn counts(&mut self, seat: Seat) -> &mut [u32; Event::COUNT] {
        &mut self.0[seat]
    }

    #[inline(always)]
    fn bust(&mut self, seat: Seat, turn: u32) {
        self.1.seats[seat].busts.add(turn);
    }
}

/// A run on a thread.
pub struct Run<'r> {
    /// The rules.
    pub game: Carcassonne,
    /// The player of every seat, or the one of all seats, as an index.
    pub lineup: &'r [usize],
    /// What they did before.
    pub memory: &'r mut Memory,
    /// What answers a question of a player.
    pub choose: &'r Choose<'r>,
    /// The keys of the trials.
    pub keys: &'r Keys,
    /// Where finished games are counted.
    pub tally: &'r mut Tally,
    /// What every trial was worth, if it is wanted.
    pub rows: Option<TrialRows<'r>>,
}

impl std::fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Run").field("game", &self.game).finish_non_exhaustive()
    }
}

impl Run<'_> {
    /// Plays the trials that `next` hands out, until it hands out none.
    pub fn play(mut self, next: &mut Feed<'_>) {
        let (mut games, mut trials) = (Vec::with_capacity(GAMES), 0..0);
        while games.len() < GAMES {
            let Some(game) = self.begin(&mut trials, next) else { break };
            games.push(game);
        }
        while !games.is_empty() {
            let mut at = 0;
            while at < games.len() {
                if self.roll(&mut games, at) {
                    at += 1;
                    continue;
                }
                match self.begin(&mut trials, next) {
                    Some(game) => games[at] = game,
                    None => _ = games.swap_remove(at),
                }
            }
        }
    }

    /// Begins the next trial, if there is one.
    fn begin(&mut self, trials: &mut Range<u64>, next: &mut Feed<'_>) -> Option<Seated> {
        if trials.is_empty() {
            *trials = next(self.tally.counted());
        }
        let trial = trials.next()?;
        let mut game = Seated {
            trial,
            streams: std::array::from_fn(|seat| self.keys.start(trial, seat)),
            state: State::default(),
            place: Place::default(),
            counts: [[0; Event::COUNT]; SEATS],
            answers: 0,
        };
        let root = self.game.root(&mut Counting(&mut game.counts, self.tally));
        if let Node::Chance(state, ..) = root {
            game.state = state;
            game.place = self.turns(state.seat()).beginning(state);
        }
        Some(game)
    }

    /// The player of a seat.
    #[inline(always)]
    fn player(&self, seat: Seat) -> usize {
        player_at(self.lineup, seat)
    }

    #[inline(always)]
    fn turns(&mut self, seat: Seat) -> &mut Turns {
        let player = self.player(seat);
        &mut self.memory.0[player]
    }

    /// Rolls once in a game. Returns whether it goes on.
    #[inline(always)]
    fn roll(&mut self, games: &mut [Seated], at: usize) -> bool {
        let game = &mut games[at];
        let seat = game.state.seat();
        let dice = game.place.dice;
        let first = dice.min(AT_ONCE);
        let (state, increment) = &mut game.streams[seat % SEATS];
        let second_state = state.wrapping_mul(MULTIPLIER).wrapping_add(*increment);
        let after = second_state.wrapping_mul(MULTIPLIER).wrapping_add(*increment);
        let shown = Roll { dice: first }.sample(word_of(*state));
        // Without a branch: of no dice nothing is shown.
        let shown = shown.and(Roll { dice: dice - first }.sample(word_of(second_state)));
        *state = if dice > AT_ONCE { after } else { second_state };
        let player = self.player(seat);
        let known = self.memory.0[player].known(game.place, shown);
        let (next, entry) = match known {
            Some(known) => known,
            None => self.meet(games, at, shown),
        };
        let game = &mut games[at];
        if self.rows.as_ref().is_some_and(|rows| rows.answers) {
            game.answers = with_answer(game.answers, self.memory.0[player].answers(entry));
        }
        match next {
            Next::Roll(place) => {
                game.counts[seat % SEATS][Event::ROLL.index()] += 1;
                game.place = place;
                true
            }
            Next::End(end) => self.end_turn(game, end),
        }
    }

    /// A roll that was not met.
    #[cold]
    #[inline(never)]
    fn meet(&mut self, games: &mut [Seated], at: usize, shown: super::Shown) -> (Next, usize) {
        let player = self.player(games[at].state.seat());
        if self.memory.0[player].is_full() {
            let lineup = self.lineup;
            let held = games.iter_mut().filter(|game| player_at(lineup, game.state.seat()) == player);
            self.memory.0[player].forget(held.map(|game| &mut game.place));
        }
        let choose = |state, question| (self.choose)(player, state, question);
        self.memory.0[player].meet(games[at].place, shown, &choose)
    }

    /// Ends a turn. Returns whether the game goes on.
    #[inline(always)]
    fn end_turn(&mut self, game: &mut Seated, end: TurnEnd) -> bool {
        let rules = self.game;
        let state = State { rolls: rules.rolls, city: FRESH, dice: 0, largest: end.largest, ..game.state };
        let mut keeps = end.keep == Keep::Yes;
        if end.keep == Keep::Ask {
            let state = State { knights: rules.knights_needed, ..state };
            let question = Question { seat: state.seat(), kind: KEEP, actions: Actions::YES_NO };
            let action = (self.choose)(self.player(state.seat()), state, question);
            game.answers = with_answer(game.answers, action.index().into());
            keeps = action == Action::YES;
        }
        let mut counting = Counting(&mut game.counts, self.tally);
        let node = if end.catapults {
            counting.event(state.seat(), ALL_CATAPULTS);
            if rules.is_solo() {
                rules.score_turn(state, keeps, &mut counting)
            } else {
                rules.count_city(&state, &mut counting);
                state.end(NINE_CATAPULTS)
            }
        } else {
            rules.score_turn(state, keeps, &mut counting)
        };
        match node {
            Node::Chance(state, ..) => {
                game.state = state;
                game.place = self.turns(state.seat()).beginning(state);
                true
            }
            Node::Terminal(end) => {
                self.finish(game, end);
                false
            }
            Node::Decision(..) => unreachable!("a turn begins with a roll"),
        }
    }

    /// Counts a finished game.
    fn finish(&mut self, game: &Seated, end: State) {
        let (rules, metrics) = (self.game, self.game.metrics().len());
        let ending = rules.ending(end);
        let mut row = self.rows.as_mut().map(|rows| rows.put(game.trial, ending, game.answers));
        let (tally, mut values, mut turns) = (&mut *self.tally, [0; MAX_METRICS], 0);
        for (seat, of_seat) in tally.seats.iter_mut().enumerate() {
            let counts = &game.counts[seat];
            turns += counts[Event::TURN.index()];
            measure_seat(&rules, end, seat, counts, &mut values);
            if seat == 0 {
                let first = u64::from(values[0]);
                tally.first.0 += first;
                tally.first.1 += u128::from(first * first);
            }
            for (histogram, &value) in of_seat.metrics.iter_mut().zip(&values[..metrics]) {
                histogram.add(value);
            }
            if let Some(row) = &mut row {
                row[seat * metrics..][..metrics].copy_from_slice(&values[..metrics]);
            }
        }
        if tally.seats.len() > 1 {
            tally.lengths.add(turns);
        }
        tally.endings[ending] += 1;
        tally.trials += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Policy;
    use crate::run::batch;

    /// Places what is first or last, by the points of both, so that turns are rarely alike.
    struct Odd;

    impl Policy<Carcassonne> for Odd {
        fn choose(&self, game: &Carcassonne, state: State, question: Question) -> Action {
            let odd = game.score(&state, state.seat()) % 3 == 1;
            match question.kind {
                KEEP => Action::from(game.score(&state, 1 - state.seat()).is_multiple_of(2)),
                super::super::STOP => Action::from(state.largest > 2 || odd && state.dice < 5),
                _ if odd => question.actions.first(),
                _ => Action(1 << question.actions.0.ilog2()),
            }
        }
    }

    /// With room for few rolls, so that they are forgotten often.
    #[test]
    fn what_is_forgotten_is_met_again() {
        let (game, keys) = (Carcassonne { turn_cap: 40, ..Carcassonne::TWO }, Keys::new(3));
        let mut expected = Tally::new(&game);
        batch(&game, &[Odd], &keys, 5..305, &mut expected);
        for (lineup, players) in [(vec![0], 1), (vec![0, 1], 2), (vec![1, 1], 2)] {
            for room in [9, 100, 10_000] {
                let reads = [vec![9], vec![], vec![9, 10]];
                let mut memory = Memory::new(game, (0..players).map(|_| reads.clone()));
                memory.0.iter_mut().for_each(|turns| turns.room = room);
                let mut found = Tally::new(&game);
                let choose = |_: usize, state, question| Odd.choose(&game, state, question);
                let mut left = vec![205..305, 5..205];
                let run = Run {
                    game,
                    lineup: &lineup,
                    memory: &mut memory,
                    choose: &choose,
                    keys: &keys,
                    tally: &mut found,
                    rows: None,
                };
                run.play(&mut |_| left.pop().unwrap_or(0..0));
                assert!(expected == found, "{lineup:?} with room for {room} rolls");
            }
        }
    }
}
