//! Trials that begin in lanes, and games that are over.

use std::ops::Range;

use stopwise_engine::game::{Event, Game, Source};
use stopwise_engine::lanes::simd::Vector16;
use stopwise_engine::rotation::rotation_of;
use stopwise_engine::tally::{Histogram, Tally};

use super::column::{Column, Mask, Number, PART, Parts, fill};
use super::instr::Width;
use super::local::Value;
use super::over::over;
use super::run::Run;
use super::streams::started;

impl<S: Vector16> Run<'_, S> {
    /// Begins the next trials in these lanes.
    #[inline(always)]
    pub(super) fn begin(&mut self, lanes: &Mask) {
        let (mut begun, mut is_last) = (*lanes, false);
        let (lineups, are_noted) = (self.built.lineups.len(), self.rows.is_some());
        self.fresh.clear();
        self.loops.run(|_| lanes.bits(Parts::ALL, self.loops.simd)).each(|lane| {
            if self.trials.is_empty() && !is_last {
                self.trials = (self.next)(self.tallies.iter().map(Tally::counted).sum());
                is_last = self.trials.is_empty();
                if is_last {
                    self.holding.release();
                }
            }
            let Some(trial) = self.trials.next() else {
                begun.set(lane, 0);
                return;
            };
            self.fresh.push((lane, trial));
            if are_noted {
                self.numbers[lane] = trial;
                self.answered.set(lane, 0);
            }
            if lineups > 1 {
                self.lineups[lane] = rotation_of(trial, lineups);
            }
        });
        self.loops.run(|_| {
            self.playing.without(Parts::ALL, lanes);
            self.playing.join(Parts::ALL, &begun);
        });
        self.loops.parts = Parts::of(&self.playing);
        let loops = self.loops;
        for (place, column) in &self.built.cells {
            over!(self, column.width, |parts, columns| {
                fill(parts, &mut columns[column.index()], Number::of(place.low.into()), &begun);
            });
        }
        self.counts.begin(loops, &begun);
        self.ticks.begin(loops, &begun);
        for fresh in self.fresh.chunks(PART) {
            for (seat, streams) in self.streams.iter_mut().enumerate() {
                let started = loops.run(|_| started(self.keys, fresh, seat));
                streams.begin(fresh, &started);
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
    pub(super) fn finish(&mut self) {
        let over = std::mem::replace(&mut self.over, Mask::NONE);
        let (bits, many_over) =
            self.loops.run(|parts| (over.bits(parts, self.loops.simd), over.count(parts)));
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
                self.pass(self.built.measure..self.built.blocks.len());
            }
            for (at, metric) in self.game.metrics().iter().enumerate() {
                match (metric.source, self.built.measured[at]) {
                    (Source::Count(event), _) => {
                        values.extend(self.counts.of(event, seat).of_games(&lanes));
                    }
                    (Source::End, Some(column)) => {
                        over!(self, column.width, |_parts, columns| {
                            let column = &columns[column.index()];
                            let value = |lane: &usize| u32::try_from(column.get(*lane).wide()).unwrap_or(0);
                            values.extend(lanes.iter().map(value));
                        });
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
        (self.ended, self.values) = (lanes, values);
        self.begin(&over);
    }

    /// Counts those of the games that are over which a line-up has played. The values are all of the first metric of the
    /// first seat, of the second, …
    #[inline(never)]
    fn tally(&mut self, lineup: usize, lanes: &[usize], theirs: Range<usize>, values: &[u32]) {
        let (seats, metrics) = (self.game.seats(), self.game.metrics().len());
        let tally = &mut self.tallies[lineup];
        tally.trials += theirs.len() as u64;
        let firsts = values[theirs.clone()].iter().map(|value| u64::from(*value));
        firsts.for_each(|first| {
            tally.first = (tally.first.0 + first, tally.first.1 + u128::from(first * first))
        });
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

/// Counts values, of which all may be one.
fn add_all(histogram: &mut Histogram, values: &[u32]) {
    match values.first() {
        Some(first) if values.iter().all(|value| value == first) => {
            histogram.add_many(*first, values.len() as u64);
        }
        _ => values.iter().for_each(|value| histogram.add(*value)),
    }
}
