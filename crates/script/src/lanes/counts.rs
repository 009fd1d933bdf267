//! What happened so often in each game: counted in bytes, which are moved to longer numbers before they are full.
#![allow(clippy::needless_range_loop, reason = "loops count their lanes: iterators are not always inlined")]

use stopwise_engine::game::Event;
use stopwise_engine::lanes::simd::Vector16;

use super::column::{Column, Loops, Mask, Move, Number, PART, Parts, fill, lane_of};
use super::streams::Whose;

/// How often something happened, in every game.
#[derive(Clone, Debug)]
pub(super) struct Count {
    short: Column<u8>,
    /// None of the short numbers is greater.
    most: u8,
    /// What is to be added to the short numbers, if there ever was anything.
    long: Column<i32>,
    is_long: bool,
    /// Whether it ever happens.
    is_changed: bool,
}

/// How often each event happened to each seat.
pub(super) struct Counts(Vec<Count>);

impl Counts {
    /// For so many seats; only these events, with the seat, happen.
    pub(super) fn new(seats: usize, changed: impl Iterator<Item = (Event, usize)>) -> Self {
        let none = Count { is_changed: false, ..Count::new() };
        let mut counts = Self(vec![none; seats * Event::COUNT]);
        changed.for_each(|(event, seat)| counts.of_mut(event, seat).is_changed = true);
        counts
    }

    pub(super) fn of(&self, event: Event, seat: usize) -> &Count {
        &self.0[seat * Event::COUNT + event.index()]
    }

    pub(super) fn of_mut(&mut self, event: Event, seat: usize) -> &mut Count {
        &mut self.0[seat * Event::COUNT + event.index()]
    }

    /// An event of a seat, or of each game's own, happens in the games of a mask; and so does what `also` counts.
    #[inline(always)]
    pub(super) fn add<S: Vector16>(
        &mut self,
        loops: Loops<S>,
        event: Event,
        whose: Whose<'_>,
        games: &Mask,
        mut also: Option<&mut Count>,
    ) {
        let seats = match whose {
            Whose::One(seat) => seat..seat + 1,
            Whose::Each(_) => 0..self.0.len() / Event::COUNT,
        };
        if let Some(also) = &mut also {
            also.begin_more(loops);
        }
        for seat in seats.clone() {
            self.of_mut(event, seat).begin_more(loops);
        }
        // One loop after the other, as short as can be.
        loops.run(|parts| {
            if let Some(also) = also {
                also.more(parts, games);
            }
            for seat in seats {
                let count = self.of_mut(event, seat);
                match whose {
                    Whose::One(_) => count.more(parts, games),
                    Whose::Each(own) => {
                        for at in parts.all() {
                            count.more_in(at, of_seat(games.0[at], own.0[at], seat));
                        }
                    }
                }
            }
        });
    }

    /// Begins again in the games of a mask.
    #[inline(always)]
    pub(super) fn begin<S: Vector16>(&mut self, loops: Loops<S>, games: &Mask) {
        self.0.iter_mut().filter(|count| count.is_changed).for_each(|count| count.begin(loops, games));
    }

    /// Moves the numbers of games.
    pub(super) fn gather(&mut self, moves: &[Move]) {
        self.0.iter_mut().filter(|count| count.is_changed).for_each(|count| count.gather(moves));
    }
}

impl Count {
    pub(super) fn new() -> Self {
        Self { short: Column::splat(0), most: 0, long: Column::splat(0), is_long: false, is_changed: true }
    }

    /// In a game.
    #[inline(always)]
    pub(super) fn get(&self, lane: usize) -> u32 {
        let long = if self.is_long { self.long.get(lane) } else { 0 };
        (i32::from(self.short.get(lane)) + long).cast_unsigned()
    }

    /// Whether it ever happens.
    pub(super) fn is_changed(&self) -> bool {
        self.is_changed
    }

    /// The numbers of all games, as long as they are short.
    pub(super) fn short(&self) -> Option<&Column<u8>> {
        (!self.is_long).then_some(&self.short)
    }

    /// In the games of a part; what does not fit 15 bits is the greatest number that does.
    #[inline(always)]
    pub(super) fn part(&self, at: usize) -> [u16; PART] {
        let (short, mut counts) = (self.short.0[at], [0; PART]);
        for lane in 0..PART {
            counts[lane] = short[lane].into();
        }
        if self.is_long {
            for lane in 0..PART {
                let count = i32::from(short[lane]) + self.long.0[at][lane];
                counts[lane] = i16::of(count.min(i16::MAX.into()).into()).cast_unsigned();
            }
        }
        counts
    }

    /// It happens in the games of a mask.
    #[inline(always)]
    pub(super) fn add<S: Vector16>(&mut self, loops: Loops<S>, games: &Mask) {
        self.begin_more(loops);
        loops.run(|parts| self.more(parts, games));
    }

    /// Before it happens once more.
    #[inline(always)]
    fn begin_more<S: Vector16>(&mut self, loops: Loops<S>) {
        if self.most == u8::MAX {
            self.lengthen(loops);
        }
        self.most += 1;
    }

    #[inline(always)]
    fn more(&mut self, parts: Parts, games: &Mask) {
        for at in parts.all() {
            self.more_in(at, games.0[at]);
        }
    }

    /// It happens in games of a part.
    #[inline(always)]
    fn more_in(&mut self, at: usize, games: [i8; PART]) {
        let mut numbers = self.short.0[at];
        for lane in 0..PART {
            numbers[lane] = numbers[lane].sub(games[lane].cast_unsigned());
        }
        self.short.0[at] = numbers;
    }

    /// It happens in the games of a mask, so often in each.
    #[inline(always)]
    pub(super) fn add_many(&mut self, parts: Parts, games: &Mask, many: &Column<i32>) {
        self.is_long = true;
        for at in parts.all() {
            for lane in 0..PART {
                self.long.0[at][lane] += many.0[at][lane] & i32::from(games.0[at][lane]);
            }
        }
    }

    /// Begins again in the games of a mask.
    #[inline(always)]
    pub(super) fn begin<S: Vector16>(&mut self, loops: Loops<S>, games: &Mask) {
        loops.run(|parts| fill(parts, &mut self.short, 0, games));
        if self.is_long {
            loops.run(|parts| fill(parts, &mut self.long, 0, games));
        }
    }

    /// Moves the numbers of games.
    pub(super) fn gather(&mut self, moves: &[Move]) {
        self.short.gather(moves);
        if self.is_long {
            self.long.gather(moves);
        }
    }

    /// Most games end long before: then the greatest number is small.
    #[cold]
    fn lengthen<S: Vector16>(&mut self, loops: Loops<S>) {
        self.most = loops.run(|_| {
            let mut most = [0; PART];
            for part in &self.short.0 {
                for lane in 0..PART {
                    most[lane] = part[lane].max(most[lane]);
                }
            }
            most.into_iter().max().unwrap_or(0)
        });
        if self.most < u8::MAX / 2 {
            return;
        }
        let numbers = self.short.0.as_flattened_mut().iter_mut();
        for (short, long) in numbers.zip(self.long.0.as_flattened_mut()) {
            *long += i32::from(std::mem::take(short));
        }
        (self.most, self.is_long) = (0, true);
    }
}

/// Those games of a part in which it is this seat.
#[inline(always)]
pub(super) fn of_seat(mut games: [i8; PART], seats: [u8; PART], seat: usize) -> [i8; PART] {
    let seat = u8::of(i64::from(lane_of(seat)));
    for lane in 0..PART {
        games[lane] &= -i8::from(seats[lane] == seat);
    }
    games
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
        (0..often).for_each(|_| counts.of_mut(Event::TURN, 1).add(loops, &odd));
        assert_eq!([0, 1, 2, 3].map(|lane| counts.of(Event::TURN, 1).get(lane)), [0, often, 0, often]);
        counts.begin(loops, &odd);
        assert_eq!([0, 1].map(|lane| counts.of(Event::TURN, 1).get(lane)), [0; 2]);
    }
}
