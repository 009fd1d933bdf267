//! Plays many games side by side: all blocks in their order, each for the games that are in it, again and again.

use std::ops::Range;

use stopwise_engine::arms::TrialRows;
use stopwise_engine::game::{Action, Event, Game, Question};
use stopwise_engine::lanes::simd::Vector16;
use stopwise_engine::side_by_side::Feed;
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;

use super::built::Built;
use super::busts::Busts;
use super::column::{
    Column, Columns, LANES, Loops, Mask, Number, PART, PARTS, Parts, fill, greatest, lane_of, limits,
};
use super::counts::{Count, Counts, of_seat};
use super::ended::Bytes;
use super::holding::Holding;
use super::instr::{Block, Instr, Order, Ref, Width};
use super::looked::Looked;
use super::over::over;
use super::repeat::Results;
use super::rows::mix;
use super::spare::AllColumns;
use super::stops::ASKED;
use super::streams::{Streams, Whose, Words};
use super::{Lanes, Playing};
use crate::known::Known;
use crate::machine::MOST_STOPS;
use crate::op::{Program, event_of};
use crate::script::Script;
use crate::state::{LATE, State};

/// Finished games are counted when one game in so many has finished.
const WAITING: usize = 6;

/// What answers a question in a state by the policy with this number.
pub(super) type Choose<'c> = dyn Fn(usize, State, Question) -> Action + 'c;

/// Carries out an instruction for so many games, those that are here. Returns how many of them stay.
pub(super) type Kernel<S> = for<'r> fn(&mut Run<'r, S>, &Instr, usize) -> usize;

/// A block as it is carried out: its instructions, and the block to which the games go that stay to the end.
pub(super) struct Steps<'r, S> {
    steps: Vec<(Kernel<S>, &'r Instr)>,
    exit: Option<usize>,
}

/// Games side by side.
pub(super) struct Run<'r, S> {
    /// By the instruction set, over the parts with games.
    pub(super) loops: Loops<S>,
    pub(super) built: &'r Built,
    pub(super) game: Script,
    pub(super) program: &'static Program,
    pub(super) keys: &'r Keys,
    /// How many games are played side by side.
    pub(super) lanes: usize,
    /// The trials that are not begun, and what hands out more.
    pub(super) trials: Range<u64>,
    pub(super) next: &'r mut Feed<'r>,
    pub(super) choose: &'r Choose<'r>,
    /// Of every line-up.
    pub(super) tallies: &'r mut [Tally],
    /// What every trial was worth, if it is wanted; the number of each game's trial, and the number for its answers.
    pub(super) rows: Option<TrialRows<'r>>,
    pub(super) numbers: [u64; LANES],
    /// The line-up of each game.
    pub(super) lineups: [usize; LANES],
    /// The trials that begin.
    pub(super) fresh: Vec<u64>,
    pub(super) answered: Column<i64>,
    /// Columns by width, and a spare one of each.
    pub(super) bytes: Columns<u8>,
    pub(super) short: Columns<i16>,
    pub(super) middle: Columns<i32>,
    pub(super) long: Columns<i64>,
    /// The stops of every game, and a number that none exceeds.
    pub(super) ticks: Count,
    most_ticks: u64,
    /// The games of the block that is carried out, and those that wait for each block.
    pub(super) here: Box<Mask>,
    #[allow(clippy::vec_box, reason = "masks change places with the one that is here")]
    pub(super) waiting: Vec<Box<Mask>>,
    /// How many wait for each block.
    pub(super) many: Vec<usize>,
    /// How many passes there were, in each of which a block is carried out once at most, and before which one no number is
    /// looked at that is far.
    passes: i64,
    far: Vec<i64>,
    /// Which blocks wait for more.
    pub(super) holding: Holding,
    /// The games that are played, and those of them that are over; how many they are.
    pub(super) playing: Mask,
    pub(super) over: Mask,
    pub(super) many_playing: usize,
    pub(super) many_over: usize,
    /// Whether instructions are left out, up to [`Instr::Asked`].
    is_asked: bool,
    /// The ending of each, or -1 of a game that failed.
    pub(super) endings: Column<i16>,
    pub(super) streams: Streams,
    pub(super) counts: Counts,
    pub(super) busts: Busts,
    /// Metrics that are bytes, by line-up, seat and metric, and how many games were counted since tallies have them.
    pub(super) bytes_counted: Vec<Bytes>,
    pub(super) many_counted: usize,
    /// The games that are over, and their metrics, by seat, metric and game, if there are rows.
    pub(super) ended: Vec<u16>,
    pub(super) values: Vec<u32>,
    /// Of every question that is asked game by game.
    pub(super) answers: Vec<Known<ASKED, u32>>,
    /// Of everything that is looked at ahead.
    pub(super) looked: Vec<Looked>,
    /// Of every loop that only calculates.
    pub(super) results: Vec<Results>,
    /// The places of the event that each game rolls, and the first of them; the weight that all have, if they have one.
    pub(super) weights: Words,
    pub(super) firsts: Words,
    pub(super) weight: Option<u32>,
    pub(super) places: Words,
}

impl<'r, S: Vector16> Run<'r, S> {
    pub(super) fn new(simd: S, playing: Playing<'r>) -> Self {
        let Playing { lanes: Lanes { game, built }, keys, next, choose, tallies, rows } = playing;
        let game = *game;
        // One of each is spare.
        let AllColumns { bytes, short, middle, long } = AllColumns::new(built.columns.map(|many| many + 1));
        let seats = game.seats();
        let words = Column([[0; PART]; PARTS]);
        let instrs = built.blocks.iter().flat_map(|block| &block.instrs);
        let events = instrs.flat_map(|instr| {
            let (event, seats) = match instr {
                Instr::Event(event, _, Some(_)) | Instr::TickEvent(_, event, _, Some(_)) => {
                    (*event, 0..seats)
                }
                Instr::Event(event, seat, None)
                | Instr::TickEvent(_, event, seat, None)
                | Instr::Events(event, seat, ..) => (*event, usize::from(*seat)..usize::from(*seat) + 1),
                _ => (0, 0..0),
            };
            seats.map(move |seat| (event_of(event), seat))
        });
        let mut run = Self {
            loops: Loops { simd, parts: Parts::ALL },
            built,
            game,
            program: game.program(),
            keys,
            lanes: built.lanes,
            trials: 0..0,
            next,
            choose,
            tallies,
            rows,
            numbers: [0; LANES],
            lineups: [0; LANES],
            fresh: Vec::with_capacity(LANES),
            answered: Column::splat(0),
            bytes,
            short,
            middle,
            long,
            ticks: Count::new(),
            most_ticks: 0,
            here: Box::new(Mask::NONE),
            waiting: vec![Box::new(Mask::NONE); built.blocks.len()],
            many: vec![0; built.blocks.len()],
            passes: 0,
            far: vec![0; built.far],
            holding: Holding::new(&built.blocks[..built.measure]),
            playing: Mask::NONE,
            over: Mask::NONE,
            many_playing: 0,
            many_over: 0,
            is_asked: false,
            endings: Column::splat(0),
            streams: Streams::new(seats),
            counts: Counts::new(seats, events),
            busts: Busts::new(seats, built.lineups.len()),
            bytes_counted: vec![Bytes::NONE; built.lineups.len() * seats * game.metrics().len()],
            many_counted: 0,
            ended: Vec::new(),
            values: Vec::new(),
            results: built.repeats.iter().map(|_| Results::default()).collect(),
            looked: built.looks.iter().map(|_| Looked::default()).collect(),
            answers: built.asks.iter().map(|_| Known::default()).collect(),
            weights: words,
            weight: None,
            firsts: words,
            places: words,
        };
        for (column, number) in &built.constants {
            match column.width {
                Width::Byte => *run.bytes[column.index()] = Column::splat(u8::of(*number)),
                Width::Short => *run.short[column.index()] = Column::splat(i16::of(*number)),
                Width::Middle => *run.middle[column.index()] = Column::splat(i32::of(*number)),
                Width::Long => *run.long[column.index()] = Column::splat(*number),
            }
        }
        run
    }

    /// Plays all trials.
    pub(super) fn play(mut self) {
        let has_answers = self.rows.as_ref().is_some_and(|rows| rows.answers);
        let blocks: Vec<_> = self.built.blocks.iter().map(|block| Steps::of(block, has_answers)).collect();
        let mut all = Mask::NONE;
        all.0[..self.lanes / PART].fill([-1; PART]);
        self.begin(&all, &(0..self.lanes).map(lane_of).collect::<Vec<_>>());
        while self.many_playing > 0 {
            self.passes += 1;
            self.holding.begin_pass(&self.many[..self.built.measure]);
            self.pass(&blocks, 0..self.built.measure);
            // At once, so that the games that begin keep pace with the others.
            if self.is_due(self.many_over + self.holding.many_last(&self.many)) {
                self.holding.begin_ends();
                self.pass(&blocks, 0..self.built.measure);
                self.finish(&blocks);
                self.gather();
            }
        }
        self.take_counts();
        let seats = self.tallies.iter_mut().flat_map(|tally| &mut tally.seats);
        for (seat, busts) in seats.zip(self.busts.counts()) {
            for (turn, &many) in (0..).zip(busts).filter(|(_, many)| **many > 0) {
                seat.busts.add_many(turn, many);
            }
        }
        let Self { bytes, short, middle, long, .. } = self;
        AllColumns { bytes, short, middle, long }.leave();
    }

    /// Whether so many games that are over are counted: of the last ones, half of those that are left.
    fn is_due(&self, over: usize) -> bool {
        over * WAITING >= self.lanes || over * 2 >= self.many_playing
    }

    #[inline(always)]
    pub(super) fn enter(&mut self, block: usize, games: &Mask, many: usize) {
        if many == 0 {
            return;
        }
        if self.many[block] > 0 {
            self.loops.run(|parts| self.waiting[block].join(parts, games));
        } else {
            *self.waiting[block] = *games;
        }
        self.many[block] += many;
    }

    /// Has all that are here, so many, wait for a block: none stay.
    #[inline(always)]
    fn send(&mut self, block: usize, many: usize) -> usize {
        if self.many[block] > 0 {
            self.loops.run(|parts| self.waiting[block].join(parts, &self.here));
        } else {
            std::mem::swap(&mut self.here, &mut self.waiting[block]);
        }
        self.many[block] += many;
        0
    }

    /// Carries out blocks in order, each for the games that wait for it and those that come from the one before; loops again
    /// and again while that pays.
    #[inline(always)]
    pub(super) fn pass(&mut self, blocks: &[Steps<'_, S>], numbers: Range<usize>) {
        let (mut many, mut number) = (0, numbers.start);
        while number < numbers.end {
            let waiting = self.many[number];
            if waiting + many == 0 {
                number += 1;
                continue;
            }
            if number < self.built.measure && !self.holding.lets(number, waiting + many) {
                if many > 0 {
                    self.send(number, many);
                }
                many = 0;
                number += 1;
                continue;
            }
            self.many[number] = 0;
            if many == 0 && waiting > 0 {
                std::mem::swap(&mut self.here, &mut self.waiting[number]);
            } else if waiting > 0 {
                self.loops.run(|parts| self.here.join(parts, &self.waiting[number]));
            }
            many = self.block(&blocks[number], number, many + waiting);
            number = match blocks[number].exit {
                Some(to)
                    if to <= number
                        && number < self.built.measure
                        && self.holding.goes_back(number, to, self.many[to], self.many_playing) =>
                {
                    self.passes += 1;
                    to
                }
                _ => number + 1,
            };
        }
    }

    /// Carries out a block for the games that are here, so many. Returns how many go on to the block after it, and are here
    /// then.
    #[inline(always)]
    fn block(&mut self, block: &Steps<'_, S>, number: usize, mut many: usize) -> usize {
        for (kernel, instr) in &block.steps {
            if self.is_asked {
                self.is_asked = **instr != Instr::Asked;
                continue;
            }
            many = kernel(self, instr, many);
            if many == 0 {
                return 0;
            }
        }
        match block.exit {
            Some(next) if next == number + 1 => many,
            Some(next) => self.send(next, many),
            None => 0,
        }
    }

    /// Whether a turn may have had so many stops that it is near its cap.
    pub(super) fn may_be_late(&mut self) -> bool {
        if self.most_ticks >= LATE {
            self.most_ticks = (0..LANES).map(|lane| self.ticks.get(lane).into()).max().unwrap_or(0);
        }
        self.most_ticks >= LATE
    }

    /// Sends the games here with so many stops to a block. Returns how many they are.
    #[inline(never)]
    fn cap(&mut self, to: usize) -> usize {
        let (mut capped, parts) = (Mask::NONE, self.loops.parts);
        self.most_ticks = 0;
        for lane in 0..LANES {
            let ticks = self.ticks.get(lane).into();
            self.most_ticks = self.most_ticks.max(ticks);
            if ticks >= MOST_STOPS {
                capped.set(lane, self.here.get(lane));
            }
        }
        let many = capped.count(parts);
        self.here.without(parts, &capped);
        self.enter(to, &capped, many);
        many
    }

    /// The games here in which it is this seat.
    #[inline(always)]
    fn games_of(&self, parts: Parts, seat: u8, column: Option<Ref>) -> Mask {
        let Some(column) = column else { return *self.here };
        let (seats, mut games) = (&self.bytes[column.index()], Mask::NONE);
        for at in parts.all() {
            games.0[at] = of_seat(self.here.0[at], seats.0[at], seat.into());
        }
        games
    }

    /// An event of a seat, or of the seat in a column, happens in the games here, so many; it is a stop, too, if `is_stop`.
    #[inline(always)]
    fn event(&mut self, (event, seat, column): (u8, u8, Option<Ref>), many: usize, is_stop: bool) {
        let (event, loops) = (event_of(event), self.loops);
        let whose = match column {
            Some(column) => Whose::Each(&self.bytes[column.index()]),
            None => Whose::One(seat.into()),
        };
        self.counts.add(loops, event, whose, &self.here, is_stop.then_some(&mut self.ticks));
        if event == Event::BUST {
            self.busts.note(loops, whose, &self.counts, (&self.here, many), &self.lineups);
        }
    }
}

impl<'r, S: Vector16> Steps<'r, S> {
    /// Answers are steps only if they are noted.
    fn of(block: &'r Block, has_answers: bool) -> Self {
        let leaves = |instr: &Instr| matches!(instr, Instr::Jump(_) | Instr::Return);
        let end = block.instrs.iter().position(leaves).unwrap_or(block.instrs.len());
        let exit = match block.instrs.get(end) {
            Some(Instr::Jump(to)) => Some(*to),
            Some(_) => None,
            None => block.next,
        };
        let is_step = |instr: &&Instr| has_answers || !matches!(instr, Instr::Answer(..));
        let steps = block.instrs[..end].iter().filter(is_step).map(|instr| (step_of(instr), instr)).collect();
        Self { steps, exit }
    }
}

/// How an instruction is carried out.
fn step_of<S: Vector16>(instr: &Instr) -> Kernel<S> {
    if let Some(kernel) = Run::kernel_of(instr) {
        return kernel;
    }
    match instr {
        Instr::JumpIf(..) => |run, instr, many| {
            let Instr::JumpIf(truth, wanted, to) = instr else { return many };
            let (truth, waiting) = (&run.bytes[truth.index()], &mut run.waiting[*to]);
            let (is_so, is_first) = ((|truth| truth != 0, *wanted), run.many[*to] == 0);
            let taken = run.loops.run(|parts| run.here.part(parts, truth, is_so, waiting, is_first));
            run.many[*to] += taken;
            many - taken
        },
        Instr::JumpBy(..) => |run, instr, many| {
            let Instr::JumpBy(order, column, number, to) = instr else { return many };
            jump(run, many, (*order, *column, *number, *to))
        },
        Instr::JumpFar(..) => |run, instr, many| {
            let Instr::JumpFar(column, limit, to, growth) = instr else { return many };
            if run.passes < run.far[growth.jump] {
                return many;
            }
            let most = over!(run, column.width, |parts, columns| greatest(parts, &columns[column.index()]));
            // Games that are set back, or begin, may soon have more than those that go on.
            run.far[growth.jump] = run.passes + (limit - 1 - most.max(growth.from)).max(0) / growth.by;
            jump(run, many, (Order::AtLeast, *column, *limit, *to))
        },
        Instr::Check(..) => |run, instr, many| {
            let Instr::Check(column, low, high) = instr else { return many };
            let failed = over!(run, column.width, |parts, columns| {
                limits(parts, &columns[column.index()], *low, *high, &run.here)
            });
            let Some((failed, many_failed)) = failed else { return many };
            let parts = run.loops.parts;
            fill(parts, &mut run.endings, -1, &failed);
            run.over.join(parts, &failed);
            run.here.without(parts, &failed);
            run.many_over += many_failed;
            many - many_failed
        },
        Instr::Untick => |run, _, many| {
            run.ticks.begin(run.loops, &run.here);
            many
        },
        Instr::Tick(_) => |run, instr, many| {
            let Instr::Tick(to) = instr else { return many };
            run.ticks.add(run.loops, &run.here);
            run.most_ticks += 1;
            if run.most_ticks >= MOST_STOPS { many - run.cap(*to) } else { many }
        },
        Instr::End(_) => |run, instr, many| {
            let Instr::End(ending) = instr else { return many };
            run.loops.run(|parts| {
                fill(parts, &mut run.endings, *ending, &run.here);
                run.over.join(parts, &run.here);
            });
            run.many_over += many;
            0
        },
        Instr::Event(..) => |run, instr, many| {
            let Instr::Event(event, seat, column) = instr else { return many };
            run.event((*event, *seat, *column), many, false);
            many
        },
        Instr::TickEvent(..) => |run, instr, many| {
            let Instr::TickEvent(to, event, seat, column) = instr else { return many };
            let event = (*event, *seat, *column);
            run.most_ticks += 1;
            if run.most_ticks < MOST_STOPS {
                run.event(event, many, true);
                return many;
            }
            run.ticks.add(run.loops, &run.here);
            let many = many - run.cap(*to);
            run.event(event, many, false);
            many
        },
        Instr::Events(..) => |run, instr, here| {
            let Instr::Events(event, seat, column, many) = instr else { return here };
            run.loops.run(|parts| {
                let (games, many) = (run.games_of(parts, *seat, *column), &run.middle[many.index()]);
                run.counts.of_mut(event_of(*event), (*seat).into()).add_many(parts, &games, many);
            });
            here
        },
        Instr::Answer(..) => |run, instr, many| {
            let Instr::Answer(column, among) = instr else { return many };
            let here = run.loops.run(|parts| match among {
                Some(truth) => run.here.of(parts, &run.bytes[truth.index()], true),
                None => *run.here,
            });
            over!(run, column.width, |parts, columns| {
                mix(parts, &mut run.answered, &columns[column.index()], &here);
            });
            many
        },
        Instr::Roll(..) => |run, instr, many| {
            let Instr::Roll(number, event, seat) = instr else { return many };
            run.roll(&run.built.rolls[*number], *event, *seat);
            many
        },
        Instr::Ask(_) => |run, instr, many| {
            let Instr::Ask(question) = instr else { return many };
            if question.few.is_none_or(|most| many <= most) {
                run.ask(question);
                run.is_asked = question.few.is_some();
            }
            many
        },
        Instr::Look(..) => |run, instr, many| {
            let Instr::Look(d, number, _) = instr else { return many };
            run.look(*d, *number);
            many
        },
        Instr::Repeat(_) => |run, instr, many| {
            let Instr::Repeat(loops) = instr else { return many };
            if run.results[*loops].is_off {
                return many;
            }
            run.repeat(*loops, many);
            run.send(run.built.repeats[*loops].exit, many)
        },
        _ => |_, _, many| many,
    }
}

/// Parts those games from so many in which a column compares so with a number: they wait for a block.
#[inline(always)]
fn jump<S: Vector16>(run: &mut Run<'_, S>, many: usize, by: (Order, Ref, i64, usize)) -> usize {
    let (order, column, number, to) = by;
    let is_first = run.many[to] == 0;
    let taken = over!(run, column.width, |parts, columns| {
        let (column, to) = (&columns[column.index()], &mut run.waiting[to]);
        run.here.part_by(parts, column, (order, number), to, is_first)
    });
    run.many[to] += taken;
    many - taken
}
