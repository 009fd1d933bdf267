//! Games with more turns or rolls than a lane can count: the counts so far are moved out. Such games are rare.

use super::counts::{Finished, PigCounts, Seated};
use super::{Games, MANY_ROLLS, MANY_TURNS, Pig};
use crate::lanes::simd::{MOST_NARROW, Numbers, Vector};
use crate::lanes::{Lane, MOST_ROLLS};

/// The counts that were moved out of the lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Long<const SEATS: usize> {
    /// The lanes with counts that were moved out.
    pub(super) lanes: u64,
    /// Turns of all seats together, in addition to those in the lane.
    pub(super) turns: [u16; MOST_NARROW],
    seats: [[Earlier; MOST_NARROW]; SEATS],
}

/// Counts of a seat.
#[derive(Clone, Copy, Debug, Default)]
struct Earlier {
    rolls: u32,
    busts: u32,
}

const _: () = {
    assert!(MOST_ROLLS <= 8, "the turns between two pauses fit the bits of a lane");
    assert!(
        MANY_TURNS as usize + MOST_ROLLS < 64,
        "the turns up to the next pause fit the bits of a long number"
    );
    assert!(MANY_ROLLS as usize + MOST_ROLLS <= 255, "the rolls up to the next pause fit a lane");
};

impl<const SEATS: usize> Long<SEATS> {
    pub(super) const NONE: Self = Self {
        lanes: 0,
        turns: [0; MOST_NARROW],
        seats: [[Earlier { rolls: 0, busts: 0 }; MOST_NARROW]; SEATS],
    };

    /// Counts the games of the lanes in `over` that have counts moved out.
    #[cold]
    #[inline(never)]
    pub(super) fn finish<S: Vector>(
        &mut self,
        rules: &Pig,
        over: u64,
        simd: S,
        games: &mut Finished<'_, S, SEATS>,
        counts: &mut PigCounts,
    ) {
        for lane in lanes_of(over & self.lanes) {
            self.add_busts(rules, lane, games.turns.get(lane), games.history(lane), counts);
            let players = usize::from(rules.players);
            let mut seats = [Seated { points: 0, rolls: 0, busts: 0 }; SEATS];
            for seat in 0..players {
                let Earlier { rolls, busts } = std::mem::take(&mut self.seats[seat][lane]);
                let rolls = rolls + u32::from(games.rolls[seat].get(lane));
                seats[seat] = Seated { points: games.points[seat].get(lane).into(), rolls, busts };
                counts.add_long_seat(seat, seats[seat]);
            }
            let turns = std::mem::take(&mut self.turns[lane]) + games.turns.get(lane);
            let (turns, ending) = (turns.into(), u32::from(games.games.get(lane)) & 1);
            counts.add_long_game(turns, ending);
            let digits = &mut *games.digits;
            let game = (games.numbers[lane], turns, ending);
            counts.note::<SEATS>(game, || digits.take(simd, lane), |seat| seats[seat]);
        }
    }

    /// Counts the busts among the turns that a lane still holds.
    fn add_busts(&mut self, rules: &Pig, lane: usize, turns: u16, history: u64, counts: &mut PigCounts) {
        let players = usize::from(rules.players);
        for back in (0..turns).filter(|back| history >> back & 1 == 1) {
            let before = usize::from(self.turns[lane] + turns - back) - 1;
            self.seats[before % players][lane].busts += 1;
            counts.add_bust(before % players, before / players + 1);
        }
    }
}

impl<S: Vector, const SEATS: usize> Games<S, SEATS> {
    /// The number of seats in play: a constant, except for tables of three or four seats.
    #[inline(always)]
    fn players(rules: &Pig) -> usize {
        if SEATS < 4 { SEATS } else { usize::from(rules.players).clamp(3, 4) }
    }

    /// Moves the counts of the lanes in `many` out.
    #[cold]
    #[inline(never)]
    pub(super) fn put_aside(&mut self, rules: &Pig, many: u64, counts: &mut PigCounts) {
        let (simd, players) = (self.turns.simd, Self::players(rules));
        let (mut turns, mut caps) = (self.turns.to_array(), self.cap.to_array());
        let mut rolls = [S::Numbers::ZEROS; SEATS];
        for (rolls, lanes) in rolls.iter_mut().zip(&self.rolls) {
            *rolls = lanes.to_array();
        }
        for lane in lanes_of(many) {
            let ended = turns.get(lane);
            let history = &mut self.history[lane % S::PARTS][lane / S::PARTS];
            self.long.add_busts(rules, lane, ended, std::mem::take(history), counts);
            for (earlier, rolls) in self.long.seats.iter_mut().zip(&mut rolls).take(players) {
                earlier[lane].rolls += u32::from(rolls.get(lane));
                rolls.set(lane, 0);
            }
            // So many turns stay that they still say whose turn it is.
            #[allow(clippy::cast_possible_truncation, reason = "four players at most")]
            let rest = ended % players as u16;
            self.long.turns[lane] += ended - rest;
            turns.set(lane, rest);
            caps.set(lane, (rules.turn_cap - self.long.turns[lane]).min(S::LARGEST));
        }
        self.long.lanes |= many;
        self.turns = Lane::load(simd, &turns);
        self.before = self.turns;
        self.cap = Lane::load(simd, &caps);
        for (lanes, rolls) in self.rolls.iter_mut().zip(&rolls) {
            *lanes = Lane::load(simd, rolls);
        }
    }
}

/// The indices of the lanes in a mask.
fn lanes_of(bits: u64) -> impl Iterator<Item = usize> {
    (0..MOST_NARROW).filter(move |lane| bits >> lane & 1 == 1)
}
