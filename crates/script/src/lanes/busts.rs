//! Busts by the number of the turn: those of a game are bits until it is over, and are counted side by side then.
#![allow(clippy::needless_range_loop, reason = "loops count their lanes: iterators are not always inlined")]

use stopwise_engine::game::Event;
use stopwise_engine::lanes::simd::Vector16;

use super::column::{Bits, Column, LANES, Loops, Mask, Move, PART};
use super::counts::{Counts, of_seat};
use super::streams::Whose;

/// Busts of fewer games are counted one by one.
const FEW: usize = 64;
/// As many games as a counter of bits holds.
const AT_ONCE: usize = 255;

/// The busts of all seats.
pub(super) struct Busts {
    /// By seat, the turns of every game in which it has bust, a bit each: the first sixteen, and the sixteen after them.
    noted: Vec<[Column<u16>; 2]>,
    /// By line-up, seat and turn.
    counts: Vec<Vec<u64>>,
}

impl Busts {
    pub(super) fn new(seats: usize, lineups: usize) -> Self {
        Self { noted: vec![[Column::splat(0); 2]; seats], counts: vec![vec![0; 64]; seats * lineups] }
    }

    /// What was counted, by line-up, then by seat.
    pub(super) fn counts(&self) -> &[Vec<u64>] {
        &self.counts
    }

    /// A seat, or each game's own, busts in so many games, those of a mask, each in a turn and of a line-up.
    #[inline(always)]
    pub(super) fn note<S: Vector16>(
        &mut self,
        loops: Loops<S>,
        whose: Whose<'_>,
        counts: &Counts,
        (games, many): (&Mask, usize),
        lineups: &[usize; LANES],
    ) {
        let seats = match whose {
            Whose::One(seat) => seat..seat + 1,
            Whose::Each(_) => 0..self.noted.len(),
        };
        let left = loops.run(|parts| {
            if many < FEW {
                return games.bits(parts, loops.simd);
            }
            let mut left = Bits::NONE;
            for seat in seats {
                let (turns, [low, high]) = (counts.of(Event::TURN, seat), &mut self.noted[seat]);
                for at in parts.all() {
                    let games = match whose {
                        Whose::One(_) => games.0[at],
                        Whose::Each(own) => of_seat(games.0[at], own.0[at], seat),
                    };
                    let (lower, higher, again) = noted(games, turns.part(at), low.0[at], high.0[at]);
                    (low.0[at], high.0[at]) = (lower, higher);
                    left.add_where(loops.simd, at, &again);
                }
            }
            left
        });
        left.each(|lane| {
            let seat = match whose {
                Whose::One(seat) => seat,
                Whose::Each(own) => own.get(lane).into(),
            };
            let busts = &mut self.counts[lineups[lane] * self.noted.len() + seat];
            let turn = counts.of(Event::TURN, seat).get(lane) as usize;
            if turn >= busts.len() {
                busts.resize((turn + 1).next_power_of_two(), 0);
            }
            busts[turn] += 1;
        });
    }

    /// Moves what is noted of games.
    pub(super) fn gather(&mut self, moves: &[Move]) {
        for noted in self.noted.as_flattened_mut() {
            noted.gather(moves);
            moves.iter().for_each(|(_, from)| noted.set((*from).into(), 0));
        }
    }

    /// Counts what is noted of games of a line-up.
    #[inline(always)]
    pub(super) fn count<S: Vector16>(&mut self, loops: Loops<S>, lineup: usize, lanes: &[u16]) {
        let seats = self.noted.len();
        for ([low, high], counts) in self.noted.iter_mut().zip(&mut self.counts[lineup * seats..]) {
            for lanes in lanes.chunks(AT_ONCE) {
                let turns = loops.run(|_| {
                    let mut turns = loops.simd.no_bits();
                    for lane in lanes {
                        let lane = usize::from(*lane);
                        let noted = u64::from(low.get(lane)) | u64::from(high.get(lane)) << 16;
                        turns = loops.simd.count_bits(turns, noted);
                        low.set(lane, 0);
                        high.set(lane, 0);
                    }
                    loops.simd.bit_counts(turns)
                });
                counts.iter_mut().zip(turns).for_each(|(count, more)| *count += u64::from(more));
            }
        }
    }
}

/// What is noted of games of a part, with busts in these turns; not 0 for those that are noted already, or cannot be.
#[inline(always)]
fn noted(
    games: [i8; PART],
    turns: [u16; PART],
    mut lower: [u16; PART],
    mut higher: [u16; PART],
) -> ([u16; PART], [u16; PART], [u16; PART]) {
    let mut again = [0; PART];
    for lane in 0..PART {
        let (turn, here) = (turns[lane], i16::from(games[lane]).cast_unsigned());
        let (one, other) = (up(here & 1, turn), up(here & 1, turn.wrapping_sub(16)));
        let is_far = u16::from(turn >= 32).wrapping_neg() & here;
        again[lane] = lower[lane] & one | higher[lane] & other | is_far;
        lower[lane] |= one;
        higher[lane] |= other;
    }
    (lower, higher, again)
}

/// A number shifted up by any number of bits.
#[inline(always)]
fn up(number: u16, by: u16) -> u16 {
    if by < 16 { number << by } else { 0 }
}
