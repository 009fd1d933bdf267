//! Trials that begin in lanes, and games that are over.

use std::ops::Range;

use stopwise_engine::game::{Event, Game, Source};
use stopwise_engine::lanes::simd::Vector16;
use stopwise_engine::rotation::rotation_of;
use stopwise_engine::tally::{Histogram, Tally};

use super::column::{Column, Loops, Mask, Number, PART, Parts, fill};
use super::counts::add_each;
use super::instr::Width;
use super::local::Value;
use super::over::over;
use super::run::{Run, Steps};
use super::streams::started;

impl<S: Vector16> Run<'_, S> {
    /// Begins the next trials in lanes, those of a mask.
    #[inline(always)]
    pub(super) fn begin(&mut self, free: &Mask, lanes: &[usize]) {
        let (mut begun, mut is_last) = (*free, false);
        let (lineups, are_noted) = (self.built.lineups.len(), self.rows.is_some());
        self.fresh.clear();
        for &lane in lanes {
            if self.trials.is_empty() && !is_last {
                self.trials = (self.next)(self.tallies.iter().map(Tally::counted).sum());
                is_last = self.trials.is_empty();
                if is_last {
                    self.holding.release();
                }
            }
            let Some(trial) = self.trials.next() else {
                begun.set(lane, 0);
                continue;
            };
            self.fresh.push((lane, trial));
            if are_noted {
                self.numbers[lane] = trial;
                self.answered.set(lane, 0);
            }
            if lineups > 1 {
                self.lineups[lane] = rotation_of(trial, lineups);
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
        for fresh in self.fresh.chunks(PART) {
            for seat in 0..self.game.seats() {
                let started = loops.run(|_| started(self.keys, fresh, seat));
                self.streams.begin(seat, fresh, &started);
            }
        }
        self.seat();
        let many = loops.run(|parts| begun.count(parts));
        self.enter(0, &begun, many);
    }

    /// Sets who sits where in the games that begin.
    #[inline(always)]
    fn seat(&mut self) {
        let built = self.built;
        for (seat, policy) in built.seating.iter().enumerate() {
            let Value::In(column, _) = policy else { continue };
            for at in 0..self.fresh.len() {
                let lane = self.fresh[at].0;
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
        let bits = self.loops.run(|parts| over.bits(parts, self.loops.simd));
        let mut lanes = std::mem::take(&mut self.ended);
        lanes.clear();
        bits.each(|lane| lanes.push(lane));
        if self.built.lineups.len() > 1 {
            lanes.sort_by_key(|lane| self.lineups[*lane]);
        }
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        for seat in 0..self.game.seats() {
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
            for (at, metric) in self.game.metrics().iter().enumerate() {
                match (metric.source, self.built.measured[at]) {
                    (Source::Count(event), _) => {
                        self.counts.of(event, seat).of_games(self.loops, &lanes, &mut values);
                    }
                    (Source::End, Some(column)) => {
                        let loops = self.loops;
                        match column.width {
                            Width::Byte => of_column(loops, &lanes, &mut values, &self.bytes[column.index()]),
                            Width::Short => {
                                of_column(loops, &lanes, &mut values, &self.short[column.index()])
                            }
                            Width::Middle => {
                                of_column(loops, &lanes, &mut values, &self.middle[column.index()])
                            }
                            Width::Long => of_column(loops, &lanes, &mut values, &self.long[column.index()]),
                        }
                    }
                    (Source::End, None) => values.resize(values.len() + lanes.len(), 0),
                }
            }
        }
        let mut first = 0;
        while let Some(lineup) = lanes.get(first).map(|lane| self.lineups[*lane]) {
            let end = first + lanes[first..].partition_point(|lane| self.lineups[*lane] == lineup);
            self.tally(lineup, &lanes, first..end, &values);
            first = end;
        }
        self.begin(&over, &lanes);
        (self.ended, self.values) = (lanes, values);
    }

    /// Counts those of the games that are over which a line-up has played. The values are all of the first metric of the
    /// first seat, of the second, …
    #[inline(never)]
    fn tally(&mut self, lineup: usize, lanes: &[usize], theirs: Range<usize>, values: &[u32]) {
        let (seats, metrics) = (self.game.seats(), self.game.metrics().len());
        let tally = &mut self.tallies[lineup];
        tally.trials += theirs.len() as u64;
        let (sum, squares) = self.loops.run(|_| sums(&values[theirs.clone()]));
        tally.first = (tally.first.0 + sum, tally.first.1 + squares);
        let histograms = tally.seats.iter_mut().flat_map(|seat| &mut seat.metrics);
        for (histogram, values) in histograms.zip(values.chunks_exact(lanes.len())) {
            add_all(histogram, &values[theirs.clone()]);
        }
        if seats > 1 {
            for &lane in &lanes[theirs.clone()] {
                tally.lengths.add((0..seats).map(|seat| self.counts.of(Event::TURN, seat).get(lane)).sum());
            }
        }
        self.busts.count(self.loops, lineup, &lanes[theirs.clone()]);
        let failed = self.game.endings().len() - 1;
        let ending = |lane: usize| usize::try_from(self.endings.get(lane)).unwrap_or(failed);
        for same in lanes[theirs.clone()].chunk_by(|one, other| ending(*one) == ending(*other)) {
            tally.endings[ending(same[0])] += same.len() as u64;
        }
        let Some(rows) = &mut self.rows else { return };
        for nth in theirs {
            let lane = lanes[nth];
            let row = rows.put(self.numbers[lane], ending(lane), self.answered.get(lane).cast_unsigned());
            for (at, value) in row[..seats * metrics].iter_mut().enumerate() {
                *value = values[at * lanes.len() + nth];
            }
        }
    }
}

/// Adds the numbers of some games in a column to values.
#[inline(always)]
fn of_column<S: Vector16, T: Number>(
    loops: Loops<S>,
    lanes: &[usize],
    values: &mut Vec<u32>,
    column: &Column<T>,
) {
    add_each(loops, lanes, values, |lane| u32::try_from(column.get(lane).wide()).unwrap_or(0));
}

/// The sum of values and that of their squares, of which the halves are added up.
#[inline(always)]
fn sums(values: &[u32]) -> (u64, u128) {
    let (mut sum, mut lower, mut upper) = (0, 0, 0);
    for value in values {
        let value = u64::from(*value);
        let square = value * value;
        sum += value;
        lower += square & u64::from(u32::MAX);
        upper += square >> 32;
    }
    (sum, (u128::from(upper) << 32) + u128::from(lower))
}

/// Counts values, of which all may be one.
fn add_all(histogram: &mut Histogram, values: &[u32]) {
    match values.first() {
        Some(first) if values.iter().all(|value| value == first) => {
            histogram.add_many(*first, values.len() as u64);
        }
        _ => values.iter().for_each(|value| histogram.add(*value)),
    }
}
