//! Plays many games side by side: all blocks in their order, each for the games that are in it, again and again.

use std::ops::Range;

use stopwise_engine::game::{Action, Actions, Event, Game, MAX_METRICS, MAX_SEATS, Question, Seat, Source};
use stopwise_engine::lanes::simd::{Job, Vector};
use stopwise_engine::run::Feed;
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_engine::trial_result::TrialResult;

use super::answers::Answers;
use super::build::Built;
use super::column::{
    Column, LANES, Mask, Number, PART, PARTS, convert, count, fill, one, outside, put, select, truths, two,
};
use super::instr::{Instr, Order, Ref, Width};
use super::roll::{Form, Part, Roll};
use super::streams::{Streams, Words, lanes};
use crate::machine::{MOST_STOPS, State, event_of, index};
use crate::op::{Bin, Place, Program, WORDS};
use crate::script::Script;

/// Finished games are counted when one game in so many has finished.
const WAITING: usize = 6;

/// What answers a question of a seat in a state.
pub(super) type Choose<'c> = dyn Fn(Seat, State, Question) -> Action + 'c;

/// Games side by side.
pub(super) struct Run<'r, S> {
    /// The instruction set.
    simd: S,
    built: &'r Built,
    game: Script,
    program: &'static Program,
    keys: &'r Keys,
    /// The trials that are not begun, and what hands out more.
    trials: Range<u64>,
    next: &'r mut Feed<'r>,
    choose: &'r Choose<'r>,
    tally: &'r mut Tally,
    short: Vec<Column<i16>>,
    middle: Vec<Column<i32>>,
    long: Vec<Column<i64>>,
    /// The games of the block that is carried out, and those that wait for each block.
    here: Mask,
    waiting: Vec<Mask>,
    is_waiting: Vec<bool>,
    /// The games that are played, and those of them that are over.
    playing: Mask,
    over: Mask,
    /// The ending of each, or -1 of a game that failed.
    endings: Mask,
    streams: Vec<Streams>,
    /// Events by seat, then by number.
    counts: Vec<Column<i32>>,
    busts: Vec<Vec<u64>>,
    /// The metrics of the games that are over, by game and seat.
    values: Vec<[[u32; MAX_METRICS]; MAX_SEATS]>,
    /// Whether one policy answers for all seats.
    has_one_policy: bool,
    /// Of every question that is asked game by game.
    answers: Vec<Answers>,
    /// The places of the event that each game rolls, and the first of them; the weight that all have, if they have one.
    weights: Words,
    firsts: Words,
    weight: Option<u32>,
    places: Words,
}

impl<'r, S: Vector> Run<'r, S> {
    pub(super) fn new(
        simd: S,
        built: &'r Built,
        game: Script,
        keys: &'r Keys,
        next: &'r mut Feed<'r>,
        choose: &'r Choose<'r>,
        tally: &'r mut Tally,
    ) -> Self {
        let [short, middle, long] = built.columns;
        let seats = game.seats();
        let words = Column([[0; PART]; PARTS]);
        Self {
            simd,
            built,
            game,
            program: game.program(),
            keys,
            trials: 0..0,
            next,
            choose,
            tally,
            short: vec![Column::splat(0); short],
            middle: vec![Column::splat(0); middle],
            long: vec![Column::splat(0); long],
            here: Mask::NONE,
            waiting: vec![Mask::NONE; built.blocks.len()],
            is_waiting: vec![false; built.blocks.len()],
            playing: Mask::NONE,
            over: Mask::NONE,
            endings: Mask::NONE,
            streams: vec![Streams::new(); seats],
            counts: vec![Column::splat(0); seats * Event::COUNT],
            busts: vec![vec![0; 64]; seats],
            values: vec![[[0; MAX_METRICS]; MAX_SEATS]; LANES],
            has_one_policy: built.players == 1,
            answers: built.asks.iter().map(|_| Answers::default()).collect(),
            weights: words,
            weight: None,
            firsts: words,
            places: words,
        }
    }

    /// Plays all trials.
    pub(super) fn play(&mut self) {
        let mut all = Mask::NONE;
        all.0 = [[-1; PART]; PARTS];
        self.begin(&all);
        while self.playing.is_any() {
            for number in 0..self.built.measure {
                if self.is_waiting[number] {
                    self.block(number);
                }
            }
            let (over, playing) = looped(self.simd, || (self.over.count(), self.playing.count()));
            if over * WAITING >= LANES || over > 0 && over >= playing {
                self.finish();
            }
        }
        for (seat, busts) in self.tally.seats.iter_mut().zip(&self.busts) {
            for (turn, &many) in (0..).zip(busts).filter(|(_, many)| **many > 0) {
                seat.busts.add_many(turn, many);
            }
        }
    }

    /// Begins the next trials in these lanes.
    #[inline(always)]
    fn begin(&mut self, lanes: &Mask) {
        let simd = self.simd;
        for (place, column) in &self.built.cells {
            let low = place.low.into();
            let at = column.index();
            match column.width {
                Width::Short => looped(simd, || fill(&mut self.short[at], i16::of(low), lanes)),
                Width::Middle => looped(simd, || fill(&mut self.middle[at], i32::of(low), lanes)),
                Width::Long => looped(simd, || fill(&mut self.long[at], low, lanes)),
            }
        }
        for counts in &mut self.counts {
            looped(simd, || fill(counts, 0, lanes));
        }
        let (mut begun, mut is_last) = (Mask::NONE, false);
        looped(simd, || lanes.bits()).each(|lane| {
            if self.trials.is_empty() && !is_last {
                self.trials = (self.next)(self.tally);
                is_last = self.trials.is_empty();
            }
            let Some(trial) = self.trials.next() else { return };
            for (seat, streams) in self.streams.iter_mut().enumerate() {
                streams.begin(lane, self.keys, trial, seat);
            }
            begun.set(lane, -1);
        });
        looped(simd, || {
            self.playing.without(lanes);
            self.playing.join(&begun);
        });
        self.enter(0, &begun);
    }

    #[inline(always)]
    fn enter(&mut self, block: usize, games: &Mask) {
        if self.is_waiting[block] {
            looped(self.simd, || self.waiting[block].join(games));
        } else {
            self.waiting[block] = *games;
            self.is_waiting[block] = true;
        }
    }

    /// Measures and counts the games that are over, and begins others.
    #[inline(always)]
    fn finish(&mut self) {
        let over = std::mem::replace(&mut self.over, Mask::NONE);
        let metrics = self.game.metrics();
        let seats = self.game.seats();
        let bits = looped(self.simd, || over.bits());
        let mut values = std::mem::take(&mut self.values);
        #[allow(clippy::needless_range_loop, reason = "values are by lane first")]
        for seat in 0..seats {
            if let Some(column) = self.built.ending {
                self.short[column.index()] = self.endings;
            }
            if let Some(column) = self.built.seat {
                self.short[column.index()] = Column::splat(i16::try_from(seat).unwrap_or(0));
            }
            self.enter(self.built.measure, &over);
            while self.is_waiting[self.built.measure..].contains(&true) {
                for number in self.built.measure..self.built.blocks.len() {
                    if self.is_waiting[number] {
                        self.block(number);
                    }
                }
            }
            for (at, metric) in metrics.iter().enumerate() {
                match metric.source {
                    Source::Count(event) => {
                        let counts = &self.counts[seat * Event::COUNT + event.index()];
                        bits.each(|lane| values[lane][seat][at] = counts.get(lane).cast_unsigned());
                    }
                    Source::End => {
                        let Some(column) = self.built.measured[at] else { continue };
                        bits.each(|lane| {
                            let value = self.number(column, lane);
                            values[lane][seat][at] = u32::try_from(value).unwrap_or(0);
                        });
                    }
                }
            }
        }
        let failed = self.game.endings().len() - 1;
        bits.each(|lane| {
            let turns =
                (0..seats).map(|seat| self.counts[seat * Event::COUNT + Event::TURN.index()].get(lane));
            self.tally.enter(&TrialResult {
                at: 0,
                lineup: 0,
                ending: usize::try_from(self.endings.get(lane)).unwrap_or(failed),
                early: false,
                turns: turns.sum::<i32>().cast_unsigned(),
                busts: &[],
                answers: &[],
                values: values[lane].as_flattened(),
                metrics: metrics.len(),
                stride: MAX_METRICS,
            });
        });
        self.values = values;
        self.begin(&over);
    }

    /// The number of a column in a game.
    #[inline(always)]
    fn number(&self, column: Ref, lane: usize) -> i64 {
        match column.width {
            Width::Short => self.short[column.index()].get(lane).into(),
            Width::Middle => self.middle[column.index()].get(lane).into(),
            Width::Long => self.long[column.index()].get(lane),
        }
    }

    #[inline(always)]
    fn set(&mut self, column: Ref, lane: usize, number: i64) {
        match column.width {
            Width::Short => self.short[column.index()].set(lane, i16::of(number)),
            Width::Middle => self.middle[column.index()].set(lane, i32::of(number)),
            Width::Long => self.long[column.index()].set(lane, number),
        }
    }

    /// Variables of a game at their places in a state.
    #[inline(always)]
    fn words(&self, cells: &[(Place, Ref)], lane: usize) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        for (place, column) in cells {
            let stored = self.number(*column, lane) - i64::from(place.low);
            words[usize::from(place.word) & (WORDS - 1)] |=
                (stored.cast_unsigned() & place.mask()) << place.shift;
        }
        words
    }

    /// A game as a state at a stop.
    fn state(&self, site: u32, lane: usize) -> State {
        let words = self.words(&self.built.cells, lane);
        State::at(&words, &self.program.code.aside.halts[site as usize].live, site)
    }

    #[inline(always)]
    fn block(&mut self, number: usize) {
        self.here = self.waiting[number];
        self.is_waiting[number] = false;
        let built = self.built;
        let block = &built.blocks[number];
        for instr in &block.instrs {
            match instr {
                Instr::Jump(to) => {
                    let here = self.here;
                    return self.enter(*to, &here);
                }
                Instr::JumpIf(truth, wanted, to) => {
                    let truth = &self.short[truth.index()];
                    let (taken, is_taken, is_left) = looped(self.simd, || {
                        let taken = self.here.of(truth, *wanted);
                        self.here.without(&taken);
                        (taken, taken.is_any(), self.here.is_any())
                    });
                    if is_taken {
                        self.enter(*to, &taken);
                        if !is_left {
                            return;
                        }
                    }
                }
                Instr::Check(column, low, high) => {
                    let (at, simd, here) = (column.index(), self.simd, &self.here);
                    let (failed, is_any) = match column.width {
                        Width::Short => looped(simd, || limits(&self.short[at], *low, *high, here)),
                        Width::Middle => looped(simd, || limits(&self.middle[at], *low, *high, here)),
                        Width::Long => looped(simd, || limits(&self.long[at], *low, *high, here)),
                    };
                    if is_any {
                        fill(&mut self.endings, -1, &failed);
                        self.over.join(&failed);
                        self.here.without(&failed);
                    }
                }
                Instr::Tick(column, to) => {
                    let stops = &mut self.middle[column.index()];
                    let most = i32::try_from(MOST_STOPS).unwrap_or(i32::MAX) - 1;
                    let is_capped = looped(self.simd, || {
                        count(stops, &self.here);
                        outside(stops, i32::MIN, most, &self.here).is_any()
                    });
                    if is_capped {
                        let capped = outside(stops, i32::MIN, most, &self.here);
                        self.enter(*to, &capped);
                        self.here.without(&capped);
                    }
                }
                Instr::End(ending) => {
                    return looped(self.simd, || {
                        fill(&mut self.endings, *ending, &self.here);
                        self.over.join(&self.here);
                    });
                }
                Instr::Return => return,
                Instr::Event(event, seat, column) => self.event(*event, *seat, *column),
                Instr::Events(event, seat, column, many) => {
                    looped(self.simd, || {
                        let games = self.games_of(*seat, *column);
                        let event = event_of(*event).index();
                        let counts = &mut self.counts[usize::from(*seat) * Event::COUNT + event];
                        let many = &self.middle[many.index()];
                        for at in 0..PARTS {
                            for lane in 0..PART {
                                counts.0[at][lane] += many.0[at][lane] & i32::from(games.0[at][lane]);
                            }
                        }
                    });
                }
                Instr::Roll(number, event, seat) => self.roll(&built.rolls[*number], *event, *seat),
                Instr::Ask(number, actions, seat) => self.ask(*number, *actions, *seat),
                instr => self.calculate(instr),
            }
        }
        if let Some(next) = block.next {
            let here = self.here;
            self.enter(next, &here);
        }
    }

    /// The games here in which it is this seat.
    #[inline(always)]
    fn games_of(&self, seat: u8, column: Option<Ref>) -> Mask {
        let Some(column) = column else { return self.here };
        let mut games = self.here;
        let seats = &self.short[column.index()];
        for at in 0..PARTS {
            for lane in 0..PART {
                games.0[at][lane] &= -i16::from(seats.0[at][lane] == i16::from(seat));
            }
        }
        games
    }

    #[inline(always)]
    fn event(&mut self, event: u8, seat: u8, column: Option<Ref>) {
        let (event, first) = (event_of(event), usize::from(seat) * Event::COUNT);
        let is_bust = event == Event::BUST;
        let games = looped(self.simd, || {
            let games = self.games_of(seat, column);
            count(&mut self.counts[first + event.index()], &games);
            is_bust.then(|| games.bits())
        });
        if let Some(games) = games {
            let turns = &self.counts[first + Event::TURN.index()];
            let busts = &mut self.busts[usize::from(seat)];
            games.each(|lane| {
                let turn = usize::try_from(turns.get(lane)).unwrap_or(0);
                if turn >= busts.len() {
                    busts.resize((turn + 1).next_power_of_two(), 0);
                }
                busts[turn] += 1;
            });
        }
    }

    #[inline(always)]
    fn roll(&mut self, roll: &Roll, event: Option<Ref>, seat: Option<Ref>) {
        let among = [Part::Place(0)];
        let (events, parts) = match &roll.form {
            Form::Tabled(events, parts) => (events.as_slice(), parts.as_slice()),
            Form::Among => (&[][..], &among[..]),
            Form::Each(..) => return self.roll_each(roll, event, seat),
        };
        match event {
            Some(column) if events.is_empty() => {
                let numbers = &self.middle[column.index()];
                looped(self.simd, || {
                    convert(numbers, &mut self.weights, i32::cast_unsigned);
                    self.weight = None;
                    self.firsts = Column([[0; PART]; PARTS]);
                    self.places = Column([[0; PART]; PARTS]);
                });
            }
            None if self.weight == Some(events[0].weight) => {}
            None => {
                self.weight = Some(events[0].weight);
                self.weights = Column([[events[0].weight; PART]; PARTS]);
                self.firsts = Column([[0; PART]; PARTS]);
            }
            Some(column) => {
                let numbers = &self.middle[column.index()];
                self.weight = None;
                looped(self.simd, || {
                    for at in 0..PARTS {
                        for lane in 0..PART {
                            let number = usize::try_from(numbers.0[at][lane]).unwrap_or(0);
                            let event = events[number.min(events.len() - 1)];
                            self.weights.0[at][lane] = event.weight;
                            self.firsts.0[at][lane] = event.first;
                        }
                    }
                    self.places = Column([[0; PART]; PARTS]);
                });
            }
        }
        match seat {
            None => looped(self.simd, || {
                self.streams[roll.seat].places(&self.weights, &self.here, &mut self.places);
            }),
            Some(_) => {
                for number in 0..self.streams.len() {
                    looped(self.simd, || {
                        let games = self.games_of(u8::try_from(number).unwrap_or(0), seat);
                        self.streams[number].places(&self.weights, &games, &mut self.places);
                    });
                }
            }
        }
        for (part, column) in parts.iter().zip(&roll.given) {
            let Some(column) = column else { continue };
            match column.width {
                Width::Short => self.show(part, *column, |run| &mut run.short),
                Width::Middle => self.show(part, *column, |run| &mut run.middle),
                Width::Long => self.show(part, *column, |run| &mut run.long),
            }
        }
    }

    /// Sets what a part of a roll shows.
    #[inline(always)]
    fn show<T: Number>(
        &mut self,
        part: &Part,
        column: Ref,
        columns: impl Fn(&mut Self) -> &mut Vec<Column<T>>,
    ) {
        let (places, firsts, here, simd) = (self.places, self.firsts, self.here, self.simd);
        let column = &mut columns(self)[column.index()];
        match part {
            Part::Place(more) => looped(simd, || {
                let more = T::of(*more);
                show(&places, &firsts, &here, column, |place| T::of(i64::from(place)).add(more));
            }),
            Part::Table(values) => looped(simd, || {
                let value = |place: u32| T::of(values.get(place as usize).copied().unwrap_or(0));
                show(&places, &firsts, &here, column, value);
            }),
        }
    }

    #[inline(never)]
    fn roll_each(&mut self, roll: &Roll, event: Option<Ref>, seat: Option<Ref>) {
        let Form::Each(throws, choice) = &roll.form else { return };
        let here = looped(self.simd, || self.here.bits());
        here.each(|lane| {
            let number = event.map_or(roll.number, |column| self.number(column, lane));
            let seat = seat.map_or(roll.seat, |column| index(self.number(column, lane)));
            let throw = throws.throw(choice, number);
            let shown = match throw.certain() {
                Some(shown) => shown,
                None => stopwise_engine::chance::Chance::sample(throw, self.streams[seat].word(lane)),
            };
            throws.shown(choice, shown, |part, value| {
                if let Some(Some(column)) = roll.given.get(part) {
                    self.set(*column, lane, value);
                }
            });
        });
    }

    #[inline(never)]
    fn ask(&mut self, number: usize, actions: Option<Ref>, seat: Option<Ref>) {
        let ask = &self.built.asks[number];
        let here = looped(self.simd, || self.here.bits());
        let mut answers = std::mem::take(&mut self.answers[number]);
        here.each(|lane| {
            let actions = actions.map_or(ask.actions, |column| self.number(column, lane).cast_unsigned());
            let answer = if actions.count_ones() > 1 {
                let seat = seat.map_or(ask.seat, |column| index(self.number(column, lane)));
                let question = Question { seat, kind: ask.kind, actions: Actions(actions) };
                let answer = || (self.choose)(seat, self.state(ask.site, lane), question).index();
                match &ask.reads {
                    Some(reads) => {
                        let who = if self.has_one_policy { 0 } else { seat };
                        answers.of(who, self.words(reads, lane), actions, answer)
                    }
                    None => answer(),
                }
            } else {
                actions.trailing_zeros()
            };
            if let Some(column) = ask.given {
                self.set(column, lane, answer.into());
            }
        });
        self.answers[number] = answers;
    }

    fn calculate(&mut self, instr: &Instr) {
        let simd = self.simd;
        match instr {
            Instr::Set(d, k) | Instr::PutK(d, k) => match (d.width, matches!(instr, Instr::Set(..))) {
                (Width::Short, true) => self.short[d.index()] = Column::splat(i16::of(*k)),
                (Width::Middle, true) => self.middle[d.index()] = Column::splat(i32::of(*k)),
                (Width::Long, true) => self.long[d.index()] = Column::splat(*k),
                (Width::Short, false) => {
                    looped(simd, || fill(&mut self.short[d.index()], i16::of(*k), &self.here))
                }
                (Width::Middle, false) => {
                    looped(simd, || fill(&mut self.middle[d.index()], i32::of(*k), &self.here))
                }
                (Width::Long, false) => looped(simd, || fill(&mut self.long[d.index()], *k, &self.here)),
            },
            Instr::Convert(d, a) => looped(simd, || self.convert(*d, *a)),
            Instr::Compare(order, d, a, b) => match a.width {
                Width::Short => looped(simd, || compare_short(&mut self.short, *order, *d, *a, *b)),
                Width::Middle => {
                    let (a, b) = (&self.middle[a.index()], &self.middle[b.index()]);
                    looped(simd, || compare(a, b, *order, &mut self.short[d.index()]));
                }
                Width::Long => {
                    let (a, b) = (&self.long[a.index()], &self.long[b.index()]);
                    looped(simd, || compare(a, b, *order, &mut self.short[d.index()]));
                }
            },
            Instr::CompareK(order, d, a, k) => match a.width {
                Width::Short => {
                    looped(simd, || compare_short_k(&mut self.short, *order, *d, *a, i16::of(*k)))
                }
                Width::Middle => looped(simd, || {
                    compare_k(&self.middle[a.index()], i32::of(*k), *order, &mut self.short[d.index()]);
                }),
                Width::Long => looped(simd, || {
                    compare_k(&self.long[a.index()], *k, *order, &mut self.short[d.index()]);
                }),
            },
            Instr::Table(d, table, a) => {
                let table = &self.program.tables[usize::from(*table)];
                let a = self.middle[a.index()];
                match d.width {
                    Width::Short => looped(simd, || entries(table, &a, &mut self.short[d.index()])),
                    Width::Middle => looped(simd, || entries(table, &a, &mut self.middle[d.index()])),
                    Width::Long => looped(simd, || entries(table, &a, &mut self.long[d.index()])),
                }
            }
            Instr::Few(d, values, a) => {
                let a = self.short[a.index()];
                match d.width {
                    Width::Short => looped(simd, || few(values, &a, &mut self.short[d.index()])),
                    Width::Middle => looped(simd, || few(values, &a, &mut self.middle[d.index()])),
                    Width::Long => looped(simd, || few(values, &a, &mut self.long[d.index()])),
                }
            }
            Instr::Bag(op, layout, d, a, b) => {
                let here = looped(simd, || self.here.bits());
                here.each(|lane| {
                    let (a, b) = (self.long[a.index()].get(lane), self.long[b.index()].get(lane));
                    let value = self.program.bag(*op, *layout, a, b);
                    self.long[d.index()].set(lane, value);
                });
            }
            Instr::Select(d, truth, a, b) => {
                let truth = self.short[truth.index()];
                match d.width {
                    Width::Short => {
                        looped(simd, || select(&mut self.short, &truth, d.index(), a.index(), b.index()))
                    }
                    Width::Middle => {
                        looped(simd, || select(&mut self.middle, &truth, d.index(), a.index(), b.index()))
                    }
                    Width::Long => {
                        looped(simd, || select(&mut self.long, &truth, d.index(), a.index(), b.index()))
                    }
                }
            }
            Instr::Pick(d, of, i) => {
                let i = self.short[i.index()];
                match d.width {
                    Width::Short => looped(simd, || pick(&mut self.short, *d, of, &i)),
                    Width::Middle => looped(simd, || pick(&mut self.middle, *d, of, &i)),
                    Width::Long => looped(simd, || pick(&mut self.long, *d, of, &i)),
                }
            }
            Instr::PutAt(of, i, a) => {
                let i = self.short[i.index()];
                match a.width {
                    Width::Short => looped(simd, || put_at(&mut self.short, of, &i, *a, &self.here)),
                    Width::Middle => looped(simd, || put_at(&mut self.middle, of, &i, *a, &self.here)),
                    Width::Long => looped(simd, || put_at(&mut self.long, of, &i, *a, &self.here)),
                }
            }
            Instr::Copy(d, _)
            | Instr::Put(d, _)
            | Instr::Bin(_, d, ..)
            | Instr::BinK(_, d, ..)
            | Instr::From(d, ..) => match d.width {
                Width::Short => looped(simd, || numbers(&mut self.short, instr, &self.here)),
                Width::Middle => looped(simd, || numbers(&mut self.middle, instr, &self.here)),
                Width::Long => looped(simd, || numbers(&mut self.long, instr, &self.here)),
            },
            _ => {}
        }
    }

    #[inline(always)]
    fn convert(&mut self, d: Ref, a: Ref) {
        let (short, middle, long) = (&mut self.short, &mut self.middle, &mut self.long);
        match (a.width, d.width) {
            (Width::Short, Width::Middle) => convert(&short[a.index()], &mut middle[d.index()], i32::from),
            (Width::Short, Width::Long) => convert(&short[a.index()], &mut long[d.index()], i64::from),
            (Width::Middle, Width::Short) => {
                convert(&middle[a.index()], &mut short[d.index()], |n| i16::of(n.into()));
            }
            (Width::Middle, Width::Long) => convert(&middle[a.index()], &mut long[d.index()], i64::from),
            (Width::Long, Width::Short) => convert(&long[a.index()], &mut short[d.index()], i16::of),
            (Width::Long, Width::Middle) => convert(&long[a.index()], &mut middle[d.index()], i32::of),
            (Width::Short, Width::Short) => short[d.index()] = short[a.index()],
            (Width::Middle, Width::Middle) => middle[d.index()] = middle[a.index()],
            (Width::Long, Width::Long) => long[d.index()] = long[a.index()],
        }
    }
}

/// A loop over columns, compiled for an instruction set: a function of its own, as the compiler makes vector instructions
/// of loops in short functions only.
struct Loop<F>(F);

impl<S, R, F: FnOnce() -> R> Job<S> for Loop<F> {
    type Output = R;

    #[inline(always)]
    fn run(self, _: S) -> R {
        (self.0)()
    }
}

#[inline(always)]
fn looped<S: Vector, R>(simd: S, run: impl FnOnce() -> R) -> R {
    simd.outlined(Loop(run))
}

/// In the games of a mask, what is shown at a place.
#[inline(always)]
fn show<T: Number>(
    places: &Words,
    firsts: &Words,
    here: &Mask,
    column: &mut Column<T>,
    value: impl Fn(u32) -> T,
) {
    for at in 0..PARTS {
        let (places, firsts, here, mut part) = (places.0[at], firsts.0[at], here.0[at], column.0[at]);
        for lane in 0..PART {
            let value = value(firsts[lane].wrapping_add(places[lane]));
            part[lane] = if here[lane] != 0 { value } else { part[lane] };
        }
        column.0[at] = part;
    }
}

#[inline(always)]
fn entries<T: Number>(table: &[i64], a: &Column<i32>, d: &mut Column<T>) {
    for at in 0..PARTS {
        let (places, mut part) = (a.0[at], d.0[at]);
        for lane in 0..PART {
            let place = places[lane].cast_unsigned() as usize;
            part[lane] = T::of(if place < table.len() { table[place] } else { 0 });
        }
        d.0[at] = part;
    }
}

#[inline(always)]
fn few<T: Number>(values: &[i64], a: &Column<i16>, d: &mut Column<T>) {
    for at in 0..PARTS {
        let (places, mut part) = (a.0[at], [T::of(0); PART]);
        for (number, value) in (0_i16..).zip(values) {
            let value = T::of(*value);
            for lane in 0..PART {
                part[lane] = if places[lane] == number { value } else { part[lane] };
            }
        }
        d.0[at] = part;
    }
}

#[inline(always)]
fn limits<T: Number>(column: &Column<T>, low: i64, high: i64, games: &Mask) -> (Mask, bool) {
    // A limit that the width does not have is none.
    let low = if T::of(low).wide() == low { T::of(low) } else { T::LEAST };
    let high = if T::of(high).wide() == high { T::of(high) } else { T::GREATEST };
    let out = outside(column, low, high, games);
    (out, out.is_any())
}

#[inline(always)]
fn compare<T: Number>(a: &Column<T>, b: &Column<T>, order: Order, d: &mut Column<i16>) {
    match order {
        Order::Equal => truths(a, b, d, |a, b| a == b),
        Order::Unequal => truths(a, b, d, |a, b| a != b),
        Order::Less => truths(a, b, d, |a, b| a < b),
        Order::AtMost => truths(a, b, d, |a, b| a <= b),
        Order::More => truths(a, b, d, |a, b| a > b),
        Order::AtLeast => truths(a, b, d, |a, b| a >= b),
    }
}

#[inline(always)]
fn compare_k<T: Number>(a: &Column<T>, k: T, order: Order, d: &mut Column<i16>) {
    match order {
        Order::Equal => convert(a, d, |a| (a == k).into()),
        Order::Unequal => convert(a, d, |a| (a != k).into()),
        Order::Less => convert(a, d, |a| (a < k).into()),
        Order::AtMost => convert(a, d, |a| (a <= k).into()),
        Order::More => convert(a, d, |a| (a > k).into()),
        Order::AtLeast => convert(a, d, |a| (a >= k).into()),
    }
}

#[inline(always)]
fn compare_short(columns: &mut [Column<i16>], order: Order, d: Ref, a: Ref, b: Ref) {
    let (d, a, b) = (d.index(), a.index(), b.index());
    match order {
        Order::Equal => two(columns, d, a, b, |a, b| (a == b).into()),
        Order::Unequal => two(columns, d, a, b, |a, b| (a != b).into()),
        Order::Less => two(columns, d, a, b, |a, b| (a < b).into()),
        Order::AtMost => two(columns, d, a, b, |a, b| (a <= b).into()),
        Order::More => two(columns, d, a, b, |a, b| (a > b).into()),
        Order::AtLeast => two(columns, d, a, b, |a, b| (a >= b).into()),
    }
}

#[inline(always)]
fn compare_short_k(columns: &mut [Column<i16>], order: Order, d: Ref, a: Ref, k: i16) {
    let (d, a) = (d.index(), a.index());
    match order {
        Order::Equal => one(columns, d, a, |a| (a == k).into()),
        Order::Unequal => one(columns, d, a, |a| (a != k).into()),
        Order::Less => one(columns, d, a, |a| (a < k).into()),
        Order::AtMost => one(columns, d, a, |a| (a <= k).into()),
        Order::More => one(columns, d, a, |a| (a > k).into()),
        Order::AtLeast => one(columns, d, a, |a| (a >= k).into()),
    }
}

/// Instructions over columns of one width.
#[inline(always)]
fn numbers<T: Number>(columns: &mut [Column<T>], instr: &Instr, here: &Mask) {
    match instr {
        Instr::Copy(d, a) => columns[d.index()] = columns[a.index()],
        Instr::Put(d, a) => put(columns, d.index(), a.index(), here),
        Instr::From(d, k, a) => {
            let k = T::of(*k);
            one(columns, d.index(), a.index(), |a| k.sub(a));
        }
        Instr::Bin(bin, d, a, b) => {
            let (d, a, b) = (d.index(), a.index(), b.index());
            match bin {
                Bin::Add => two(columns, d, a, b, T::add),
                Bin::Sub => two(columns, d, a, b, T::sub),
                Bin::Mul => two(columns, d, a, b, T::mul),
                Bin::Min => two(columns, d, a, b, T::min),
                Bin::Max => two(columns, d, a, b, T::max),
                Bin::And => two(columns, d, a, b, T::and),
                Bin::Or => two(columns, d, a, b, T::or),
                bin => rare(columns, *bin, d, a, Err(b)),
            }
        }
        Instr::BinK(bin, d, a, number) => {
            let (d, a, k) = (d.index(), a.index(), T::of(*number));
            let by = u32::try_from(*number & 63).unwrap_or(0);
            match bin {
                Bin::Add => one(columns, d, a, |a| a.add(k)),
                Bin::Sub => one(columns, d, a, |a| a.sub(k)),
                Bin::Mul => one(columns, d, a, |a| a.mul(k)),
                Bin::Min => one(columns, d, a, |a| a.min(k)),
                Bin::Max => one(columns, d, a, |a| a.max(k)),
                Bin::And => one(columns, d, a, |a| a.and(k)),
                Bin::Or => one(columns, d, a, |a| a.or(k)),
                Bin::Shl if by < T::BITS => one(columns, d, a, |a| a.shl(by)),
                Bin::Shr if by < T::BITS => one(columns, d, a, |a| a.shr(by)),
                bin => rare(columns, *bin, d, a, Ok(*number)),
            }
        }
        _ => {}
    }
}

/// Operations that are carried out game by game.
#[inline(never)]
fn rare<T: Number>(columns: &mut [Column<T>], bin: Bin, d: usize, a: usize, b: Result<i64, usize>) {
    for lane in lanes() {
        let b = match b {
            Ok(number) => number,
            Err(b) => columns[b].get(lane).wide(),
        };
        let value = bin.apply(columns[a].get(lane).wide(), b);
        columns[d].set(lane, T::of(value));
    }
}

#[inline(always)]
fn pick<T: Number>(columns: &mut [Column<T>], d: Ref, of: &[Ref], i: &Column<i16>) {
    let Some((last, first)) = of.split_last() else { return };
    for at in 0..PARTS {
        let (i, mut part) = (i.0[at], columns[last.index()].0[at]);
        for (number, column) in (0_i16..).zip(first) {
            let own = columns[column.index()].0[at];
            for lane in 0..PART {
                part[lane] = if i[lane] == number { own[lane] } else { part[lane] };
            }
        }
        columns[d.index()].0[at] = part;
    }
}

#[inline(always)]
fn put_at<T: Number>(columns: &mut [Column<T>], of: &[Ref], i: &Column<i16>, a: Ref, here: &Mask) {
    let last = i16::try_from(of.len()).unwrap_or(i16::MAX) - 1;
    for at in 0..PARTS {
        let (mut places, part, here) = (i.0[at], columns[a.index()].0[at], here.0[at]);
        for lane in 0..PART {
            // Negative numbers are large ones without a sign.
            let place = places[lane].cast_unsigned().min(last.cast_unsigned()).cast_signed();
            places[lane] = if here[lane] != 0 { place } else { -1 };
        }
        for (number, column) in (0_i16..).zip(of) {
            let mut own = columns[column.index()].0[at];
            for lane in 0..PART {
                own[lane] = if places[lane] == number { part[lane] } else { own[lane] };
            }
            columns[column.index()].0[at] = own;
        }
    }
}
