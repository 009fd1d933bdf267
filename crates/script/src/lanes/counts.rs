//! What happened so often in each game: counted in short numbers, which are moved to longer ones before they are full.
#![allow(clippy::needless_range_loop, reason = "loops count their lanes: iterators are not always inlined")]

use stopwise_engine::game::Event;
use stopwise_engine::lanes::simd::Vector16;

use super::column::{Column, Loops, Mask, Number, PART, Parts, fill};

/// How often an event happened to a seat, in every game.
#[derive(Clone, Debug)]
struct Count {
    short: Column<i16>,
    /// None of the short numbers is greater.
    most: i16,
    /// What is to be added to the short numbers, if there ever was anything.
    long: Column<i32>,
    is_long: bool,
    is_changed: bool,
}

/// How often each event happened to each seat.
pub(super) struct Counts(Vec<Count>);

impl Counts {
    /// For so many seats; only these events, with the seat, happen.
    pub(super) fn new(seats: usize, changed: impl Iterator<Item = (Event, u8)>) -> Self {
        let none = Count {
            short: Column::splat(0),
            most: 0,
            long: Column::splat(0),
            is_long: false,
            is_changed: false,
        };
        let mut counts = Self(vec![none; seats * Event::COUNT]);
        changed.for_each(|(event, seat)| counts.of_mut(event, seat.into()).is_changed = true);
        counts
    }

    fn of(&self, event: Event, seat: usize) -> &Count {
        &self.0[seat * Event::COUNT + event.index()]
    }

    fn of_mut(&mut self, event: Event, seat: usize) -> &mut Count {
        &mut self.0[seat * Event::COUNT + event.index()]
    }

    /// In a game.
    #[inline(always)]
    pub(super) fn get(&self, event: Event, seat: usize, lane: usize) -> u32 {
        let count = self.of(event, seat);
        (i32::from(count.short.get(lane)) + count.long.get(lane)).cast_unsigned()
    }

    /// In all games, if all are short numbers.
    pub(super) fn short(&self, event: Event, seat: usize) -> Option<&Column<i16>> {
        let count = self.of(event, seat);
        (!count.is_long).then_some(&count.short)
    }

    /// It happens in games of which a mask has these parts.
    #[inline(always)]
    pub(super) fn add<S: Vector16>(
        &mut self,
        loops: Loops<S>,
        event: Event,
        seat: usize,
        games: impl Fn(usize) -> [i16; PART],
    ) {
        let count = self.of_mut(event, seat);
        count.make_room();
        loops.run(|parts| {
            for at in parts.all() {
                let (games, mut numbers) = (games(at), count.short.0[at]);
                for lane in 0..PART {
                    numbers[lane] = numbers[lane].sub(games[lane]);
                }
                count.short.0[at] = numbers;
            }
        });
    }

    /// It happens in the games of a mask, so often in each.
    #[inline(always)]
    pub(super) fn add_many(
        &mut self,
        parts: Parts,
        (event, seat): (Event, usize),
        games: &Mask,
        many: &Column<i32>,
    ) {
        let count = self.of_mut(event, seat);
        count.is_long = true;
        for at in parts.all() {
            for lane in 0..PART {
                count.long.0[at][lane] += many.0[at][lane] & i32::from(games.0[at][lane]);
            }
        }
    }

    /// Begins again in the games of a mask.
    #[inline(always)]
    pub(super) fn begin<S: Vector16>(&mut self, loops: Loops<S>, games: &Mask) {
        for count in self.0.iter_mut().filter(|count| count.is_changed) {
            loops.run(|parts| fill(parts, &mut count.short, 0, games));
            if count.is_long {
                loops.run(|parts| fill(parts, &mut count.long, 0, games));
            }
        }
    }
}

impl Count {
    /// For one more in any game.
    #[inline(always)]
    fn make_room(&mut self) {
        if self.most == i16::MAX {
            self.lengthen();
        }
        self.most += 1;
    }

    /// Most games end long before: then the greatest number is small.
    #[cold]
    fn lengthen(&mut self) {
        self.most = self.short.0.as_flattened().iter().copied().max().unwrap_or(0);
        if self.most < i16::MAX / 2 {
            return;
        }
        let numbers = self.short.0.as_flattened_mut().iter_mut();
        for (short, long) in numbers.zip(self.long.0.as_flattened_mut()) {
            *long += i32::from(std::mem::take(short));
        }
        (self.most, self.is_long) = (0, true);
    }
}

#[cfg(test)]
mod tests {
    use stopwise_engine::lanes::plain::Plain;

    use super::*;

    #[test]
    fn long_games_are_counted() {
        let loops = Loops { simd: Plain, parts: Parts::ALL };
        let mut counts = Counts::new(2, [(Event::TURN, 1)].into_iter());
        let mut odd = Mask::NONE;
        (1..PART).step_by(2).for_each(|lane| odd.set(lane, -1));
        let often = 70_000;
        (0..often).for_each(|_| counts.add(loops, Event::TURN, 1, |at| odd.0[at]));
        assert_eq!([0, 1, 2, 3].map(|lane| counts.get(Event::TURN, 1, lane)), [0, often, 0, often]);
        counts.begin(loops, &odd);
        assert_eq!([0, 1].map(|lane| counts.get(Event::TURN, 1, lane)), [0; 2]);
    }
}
