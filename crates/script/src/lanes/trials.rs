//! Trials that begin in lanes, and games that are over.

use std::ops::Range;

use stopwise_engine::game::{Event, Game, Source};
use stopwise_engine::lanes::simd::Vector16;
use stopwise_engine::rotation::rotation_of;
use stopwise_engine::tally::Tally;

use super::column::{Column, Mask, Number, PART, Parts, fill};
use super::ended::{Numbers, count_each};
use super::instr::Width;
use super::local::Value;
use super::over::over;
use super::run::{Run, Steps};
use super::streams::started;

/// After so many games what was counted of bytes is moved to tallies: before a number of 32 bits is full.
const MOST_COUNTED: usize = 1 << 30;

impl<S: Vector16> Run<'_, S> {
    /// Begins the next trials in lanes, those of a mask.
    #[inline(always)]
    pub(super) fn begin(&mut self, free: &Mask, lanes: &[u16]) {
        let mut fresh = std::mem::take(&mut self.fresh);
        self.take(lanes.len(), &mut fresh);
        let (lanes, others) = lanes.split_at(fresh.len());
        let mut begun = *free;
        others.iter().for_each(|lane| begun.set((*lane).into(), 0));
        if self.rows.is_some() {
            for (lane, trial) in lanes.iter().zip(&fresh) {
                self.numbers[usize::from(*lane)] = *trial;
                self.answered.set((*lane).into(), 0);
            }
        }
        let lineups = self.built.lineups.len();
        if lineups > 1 {
            for (lane, trial) in lanes.iter().zip(&fresh) {
                self.lineups[usize::from(*lane)] = rotation_of(*trial, lineups);
            }
        }
        self.loops.run(|_| {
            self.playing.without(Parts::ALL, free);
            self.playing.join(Parts::ALL, &begun);
        });
        self.loops.parts = Parts::of(&self.playing);
        let loops = self.loops;
        self.many_playing = loops.run(|parts| self.playing.count(parts));
        for (place, column) in &self.built.cells {
            over!(self, column.width, |parts, columns| {
                fill(parts, &mut columns[column.index()], Number::of(place.low.into()), &begun);
            });
        }
        self.counts.begin(loops, &begun);
        self.ticks.begin(loops, &begun);
        for (lanes, trials) in lanes.chunks(PART).zip(fresh.chunks(PART)) {
            for seat in 0..self.game.seats() {
                let started = loops.run(|_| started(self.keys, trials, seat));
                self.streams.begin(seat, lanes, &started);
            }
        }
        self.seat(lanes);
        self.fresh = fresh;
        let many = loops.run(|parts| begun.count(parts));
        self.enter(0, &begun, many);
    }

    /// The next trials, so many or those that are left.
    fn take(&mut self, many: usize, fresh: &mut Vec<u64>) {
        fresh.clear();
        while fresh.len() < many {
            if self.trials.is_empty() {
                self.take_counts();
                self.trials = (self.next)(self.tallies.iter().map(Tally::counted).sum());
            }
            if self.trials.is_empty() {
                self.holding.release();
                break;
            }
            let (first, more) = (self.trials.start, (many - fresh.len()) as u64);
            self.trials.start = self.trials.end.min(first + more);
            fresh.extend(first..self.trials.start);
        }
    }

    /// Moves what was counted of bytes to the tallies, and sums up the first metric of the first seat.
    #[inline(never)]
    pub(super) fn take_counts(&mut self) {
        let metrics = self.tallies.iter_mut().flat_map(|tally| &mut tally.seats);
        let metrics = metrics.flat_map(|seat| &mut seat.metrics);
        self.bytes_counted.iter_mut().zip(metrics).for_each(|(bytes, histogram)| bytes.take(histogram));
        self.many_counted = 0;
        for tally in self.tallies.iter_mut() {
            let (sum, squares) = tally.seats[0].metrics[0].sums();
            tally.first = (u64::try_from(sum).unwrap_or(u64::MAX), squares);
        }
    }

    /// Sets who sits where in the games that begin in these lanes.
    #[inline(always)]
    fn seat(&mut self, lanes: &[u16]) {
        let built = self.built;
        for (seat, policy) in built.seating.iter().enumerate() {
            let Value::In(column, _) = policy else { continue };
            for lane in lanes {
                let lane = usize::from(*lane);
                let lineup = &built.lineups[self.lineups[lane]];
                self.set(*column, lane, lineup[seat % lineup.len()] as i64);
            }
        }
    }

    /// Measures and counts the games that are over, and begins others.
    #[inline(always)]
    pub(super) fn finish(&mut self, blocks: &[Steps<'_, S>]) {
        let over = std::mem::replace(&mut self.over, Mask::NONE);
        let many_over = std::mem::take(&mut self.many_over);
        let mut lanes = std::mem::take(&mut self.ended);
        self.loops.run(|parts| over.list(parts, self.loops.simd, &mut lanes));
        let theirs = self.of_lineups(&mut lanes);
        self.many_counted += lanes.len();
        if self.many_counted > MOST_COUNTED {
            self.take_counts();
        }
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        let (seats, metrics) = (self.game.seats(), self.game.metrics());
        for seat in 0..seats {
            if let Some(column) = self.built.ending {
                *self.short[column.index()] = self.endings;
            }
            if let Some(column) = self.built.seat {
                *self.bytes[column.index()] = Column::splat(u8::try_from(seat).unwrap_or(0));
            }
            self.enter(self.built.measure, &over, many_over);
            while self.many[self.built.measure..].iter().any(|many| *many > 0) {
                self.pass(blocks, self.built.measure..self.built.blocks.len());
            }
            for (at, metric) in metrics.iter().enumerate() {
                let numbers = match (metric.source, self.built.measured[at]) {
                    (Source::Count(event), _) => self.counts.of(event, seat).into(),
                    (Source::End, Some(column)) => match column.width {
                        Width::Byte => Numbers::Byte(&self.bytes[column.index()]),
                        Width::Short => Numbers::Short(&self.short[column.index()]),
                        Width::Middle => Numbers::Middle(&self.middle[column.index()]),
                        Width::Long => Numbers::Long(&self.long[column.index()]),
                    },
                    (Source::End, None) => Numbers::Zero,
                };
                for (lineup, theirs) in &theirs {
                    let histogram = &mut self.tallies[*lineup].seats[seat].metrics[at];
                    let bytes = &mut self.bytes_counted[(lineup * seats + seat) * metrics.len() + at];
                    numbers.count(&lanes[theirs.clone()], bytes, histogram);
                }
                if self.rows.is_some() {
                    numbers.push(&lanes, &mut values);
                }
            }
        }
        for (lineup, theirs) in theirs {
            self.tally(lineup, &lanes, theirs, &values);
        }
        self.begin(&over, &lanes);
        (self.ended, self.values) = (lanes, values);
    }

    /// Puts games that are over in the order of their line-ups. Returns these, and which of the games each has played.
    fn of_lineups(&self, lanes: &mut [u16]) -> Vec<(usize, Range<usize>)> {
        if self.built.lineups.len() == 1 {
            return vec![(0, 0..lanes.len())];
        }
        let lineup = |lane: &u16| self.lineups[usize::from(*lane)];
        lanes.sort_by_key(lineup);
        let mut first = 0;
        let parts = lanes.chunk_by(|one, other| lineup(one) == lineup(other)).map(|part| {
            let theirs = first..first + part.len();
            first = theirs.end;
            (lineup(&part[0]), theirs)
        });
        parts.collect()
    }

    /// Counts those of the games that are over which a line-up has played, but for their metrics. The values are all of the
    /// first metric of the first seat, then of the second, …, if there are rows.
    #[inline(never)]
    fn tally(&mut self, lineup: usize, lanes: &[u16], theirs: Range<usize>, values: &[u32]) {
        let (seats, metrics) = (self.game.seats(), self.game.metrics().len());
        let tally = &mut self.tallies[lineup];
        tally.trials += theirs.len() as u64;
        if seats > 1 {
            for lane in &lanes[theirs.clone()] {
                let turns = (0..seats).map(|seat| self.counts.of(Event::TURN, seat).get((*lane).into()));
                tally.lengths.add(turns.sum());
            }
        }
        self.busts.count(self.loops, lineup, &lanes[theirs.clone()]);
        let failed = self.game.endings().len() - 1;
        let ending = |lane: usize| usize::try_from(self.endings.get(lane)).unwrap_or(failed);
        count_each(&lanes[theirs.clone()], ending, |ending, many| tally.endings[ending] += many);
        let Some(rows) = &mut self.rows else { return };
        for nth in theirs {
            let lane = usize::from(lanes[nth]);
            let row = rows.put(self.numbers[lane], ending(lane), self.answered.get(lane).cast_unsigned());
            for (at, value) in row[..seats * metrics].iter_mut().enumerate() {
                *value = values[at * lanes.len() + nth];
            }
        }
    }
}
