//! Busts by the number of the turn: those of a game are bits until it is over, and are counted side by side then.
#![allow(clippy::needless_range_loop, reason = "loops count their lanes: iterators are not always inlined")]

use stopwise_engine::game::Event;
use stopwise_engine::lanes::simd::Vector16;

use super::column::{Bits, Column, LANES, Loops, Mask, Number, PART};
use super::counts::Counts;

/// Busts of fewer games are counted one by one.
const FEW: usize = 64;
/// As many games as a counter of bits holds.
const AT_ONCE: usize = 255;

/// The busts of all seats.
pub(super) struct Busts {
    /// By seat, the turns of every game in which it has bust, a bit each.
    noted: Vec<Column<i32>>,
    /// By line-up, seat and turn.
    counts: Vec<Vec<u64>>,
}

impl Busts {
    pub(super) fn new(seats: usize, lineups: usize) -> Self {
        Self { noted: vec![Column::splat(0); seats], counts: vec![vec![0; 64]; seats * lineups] }
    }

    /// What was counted, by line-up, then by seat.
    pub(super) fn counts(&self) -> &[Vec<u64>] {
        &self.counts
    }

    /// A seat busts in so many games, those of a mask, each in a turn and of a line-up.
    #[inline(always)]
    pub(super) fn note<S: Vector16>(
        &mut self,
        loops: Loops<S>,
        seat: usize,
        counts: &Counts,
        (games, many): (&Mask, usize),
        lineups: &[usize; LANES],
    ) {
        let (noted, turns) = (&mut self.noted[seat], counts.of(Event::TURN, seat));
        let left = loops.run(|parts| {
            if many < FEW {
                return games.bits(parts, loops.simd);
            }
            let (mut left, mut any) = (Mask::NONE, [0; PART]);
            for at in parts.all() {
                let (turns, games, mut own) = (turns.part(at), games.0[at], noted.0[at]);
                for lane in 0..PART {
                    let turn = 1.shl_by(turns[lane]) & i32::from(games[lane]);
                    let again = games[lane] & -i8::from((turn == 0) | (own[lane] & turn != 0));
                    own[lane] |= turn;
                    any[lane] |= again;
                    left.0[at][lane] = again;
                }
                noted.0[at] = own;
            }
            if any == [0; PART] { Bits::NONE } else { left.bits(parts, loops.simd) }
        });
        left.each(|lane| {
            let busts = &mut self.counts[lineups[lane] * self.noted.len() + seat];
            let turn = turns.get(lane) as usize;
            if turn >= busts.len() {
                busts.resize((turn + 1).next_power_of_two(), 0);
            }
            busts[turn] += 1;
        });
    }

    /// Counts what is noted of games of a line-up.
    #[inline(always)]
    pub(super) fn count<S: Vector16>(&mut self, loops: Loops<S>, lineup: usize, lanes: &[usize]) {
        let seats = self.noted.len();
        for (noted, counts) in self.noted.iter_mut().zip(&mut self.counts[lineup * seats..]) {
            for lanes in lanes.chunks(AT_ONCE) {
                let turns = loops.run(|_| {
                    let mut turns = loops.simd.no_bits();
                    for &lane in lanes {
                        turns = loops.simd.count_bits(turns, noted.get(lane).cast_unsigned().into());
                        noted.set(lane, 0);
                    }
                    loops.simd.bit_counts(turns)
                });
                counts.iter_mut().zip(turns).for_each(|(count, more)| *count += u64::from(more));
            }
        }
    }
}
