//! What happens turn by turn: how many trials reach a turn, and of those how many end with it and how many lose it to chance.

use stopwise_analysis::estimate::Interval;
use stopwise_analysis::seats::Standing;
use stopwise_document::chart::{Axis, Line, Lines, Plot, Point, Tone};
use stopwise_document::{Chart, Real, Section, Sheet, View};

use super::about::{self, RowContext};
use super::stop::Shares;
use super::{Measured, SimulationReport};
use crate::numbers::PERCENT;
use crate::words::{headed, limits, pair, percent};

/// Turns listed before the rest is summarised.
const LISTED: usize = 20;
/// A line has at most so many turns.
const DRAWN: usize = 256;
/// Fewer trials that reach a turn say too little of it for a picture.
const FEW: u64 = 30;

/// One turn of a standing over all its trials.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Turn {
    /// From 1.
    number: u32,
    /// How often there is a seat that may have it.
    values: u64,
    /// How often the seat began this turn.
    reached: u64,
    /// How often this was the seat's last turn.
    ended_here: u64,
    /// How often the seat lost this turn to chance.
    busts: u64,
}

/// A part of the trials, with the interval of its share.
#[derive(Clone, Copy, Debug)]
struct Share {
    value: f64,
    interval: Option<Interval>,
}

impl Share {
    fn of(count: u64, values: u64, shares: &mut Shares) -> Self {
        Self { value: count as f64 / values.max(1) as f64, interval: shares.interval(count, values) }
    }

    /// As people read it: the share and its limits.
    fn cells(self) -> [String; 2] {
        let style = PERCENT.fine(self.interval);
        [style.number(self.value), style.bare().range(self.interval)]
    }

    /// One of its limits, for tables.
    fn limit(self, which: usize) -> Option<Real> {
        limits(self.interval, Real::share)[which]
    }

    fn point(self, x: u32) -> Point {
        Point { x: x.into(), y: self.value, interval: pair(self.interval), tone: Tone::Plain }
    }
}

impl Turn {
    /// Of all trials.
    fn reached_share(self, shares: &mut Shares) -> Share {
        Share::of(self.reached, self.values, shares)
    }

    /// Of those that reach it.
    fn ended_share(self, shares: &mut Shares) -> Share {
        Share::of(self.ended_here, self.reached, shares)
    }

    /// Of those that reach it.
    fn bust_share(self, shares: &mut Shares) -> Share {
        Share::of(self.busts, self.reached, shares)
    }
}

/// The turns of a standing, from 1 to the last that any trial reached.
fn turns_of(found: &SimulationReport, standing: &Standing) -> Vec<Turn> {
    let Some(turns) = found.turns() else {
        return Vec::new();
    };
    let tally = &standing.tally;
    let values = tally.metrics[turns].total();
    let last = tally.metrics[turns].iter().last().map_or(0, |(turn, _)| turn);
    let mut reached = values - tally.metrics[turns].count(0);
    let mut turn = |number| {
        let ended_here = tally.metrics[turns].count(number);
        let turn = Turn { number, values, reached, ended_here, busts: tally.busts.count(number) };
        reached -= ended_here;
        turn
    };
    (1..=last).map(&mut turn).collect()
}

/// A row of `turns.csv`.
#[derive(Debug)]
pub(super) struct TurnRow {
    about: RowContext,
    turn: Turn,
    reached: Share,
    ended: Share,
    bust: Share,
}

pub(super) fn sheet() -> Sheet<TurnRow> {
    about::sheet("turns.csv", |r: &TurnRow| &r.about)
        .column("turn", "", "the seat's turn, from 1", |r| r.turn.number)
        .column("reached", "trials", "trials in which the seat had this turn", |r| r.turn.reached)
        .column("reached_share", "share", "reached by trials", |r| Real::share(r.reached.value))
        .column("reached_low", "share", "lower limit of its 95 % interval", |r| r.reached.limit(0))
        .column("reached_high", "share", "upper limit of its 95 % interval", |r| r.reached.limit(1))
        .column("ended_here", "trials", "trials in which it was the seat's last turn", |r| r.turn.ended_here)
        .column("ended_share", "share", "ended_here by reached", |r| Real::share(r.ended.value))
        .column("ended_low", "share", "lower limit of its 95 % interval", |r| r.ended.limit(0))
        .column("ended_high", "share", "upper limit of its 95 % interval", |r| r.ended.limit(1))
        .column("busts", "trials", "trials in which the seat bust in this turn", |r| r.turn.busts)
        .column("bust_share", "share", "busts by reached", |r| Real::share(r.bust.value))
        .column("bust_low", "share", "lower limit of its 95 % interval", |r| r.bust.limit(0))
        .column("bust_high", "share", "upper limit of its 95 % interval", |r| r.bust.limit(1))
}

/// The rows of a standing.
pub(super) fn rows(found: &SimulationReport, standing: &Standing) -> Vec<TurnRow> {
    let about = RowContext::of(found, standing);
    let mut shares = found.shares(standing);
    let row = |turn: Turn| TurnRow {
        about: about.clone(),
        turn,
        reached: turn.reached_share(&mut shares),
        ended: turn.ended_share(&mut shares),
        bust: turn.bust_share(&mut shares),
    };
    turns_of(found, standing).into_iter().map(row).collect()
}

/// The tables for people: one of each seat, or of all together where they have the same turns in all trials.
pub(super) fn sections(found: &SimulationReport, told: &[&Measured]) -> Vec<Section> {
    let of = |standing: &Standing| match standing.seat {
        Some(seat) => format!("Turn of seat {}", seat + 1),
        None => "Turn".into(),
    };
    match told {
        [] => Vec::new(),
        [alone] if found.policies.len() == 1 => vec![section(found, &alone.standing, "Turn")],
        [first, rest @ ..] => {
            let turns = turns_of(found, &first.standing);
            if !rest.is_empty() && rest.iter().all(|other| turns_of(found, &other.standing) == turns) {
                return vec![section(found, &first.standing, "Turn of every seat")];
            }
            told.iter().map(|told| section(found, &told.standing, &of(&told.standing))).collect()
        }
    }
}

/// Whether every trial has all of these turns: how many there are is no question then.
fn is_fixed(turns: &[Turn]) -> bool {
    turns.iter().all(|turn| turn.reached == turn.values)
}

/// The table for people: without busts where there are none, and of nothing else where every trial has the same turns.
fn section(found: &SimulationReport, standing: &Standing, title: &str) -> Section {
    let turns = turns_of(found, standing);
    let has_busts = turns.iter().any(|turn| turn.busts > 0);
    let mut section = Section::default();
    // The length of games for several is told by itself, and how often the only turn is lost among the metrics.
    if is_fixed(&turns) && turns.len() > 1 && found.policies.len() == 1 {
        section.sentence(format!("Every trial has {} turns.", turns.len()));
    }
    let (caption, shown) = match (is_fixed(&turns), has_busts) {
        (true, _) if !has_busts || turns.len() < 2 => return section,
        (true, _) => ("How many trials lose a turn to chance", 2..3),
        (false, true) => (
            "How many trials reach a turn, and of those how many end with it, and how many lose it to chance",
            0..3,
        ),
        (false, false) => ("How many trials reach a turn, and of those how many end with it", 0..2),
    };
    let mut shares = found.shares(standing);
    let mut view = View::new("").captioned(caption).numbers(title);
    let names = match is_fixed(&turns) {
        true => ["", "", "bust"],
        false => ["reached", "last if reached", "bust if reached"],
    };
    for share in &names[shown.clone()] {
        view = view.numbers(*share).texts("95 %");
    }
    for turn in turns.iter().take(LISTED) {
        let [reached, ended, bust] = [Turn::reached_share, Turn::ended_share, Turn::bust_share]
            .map(|share| share(*turn, &mut shares).cells());
        let shares = [reached, ended, bust];
        view.row([turn.number.to_string()].into_iter().chain(shares[shown.clone()].concat()));
    }
    if let Some(next) = turns.get(LISTED) {
        let share = percent(next.reached_share(&mut shares).value);
        let last = turns.last().map_or(0, |turn| turn.number);
        view.note(format!("Turn {} is reached by {share}; turn {last} is the last of any.", next.number));
    }
    section.view(view);
    section
}

/// How many trials are still going on at every turn, and how often it is lost.
pub(super) fn chart(found: &SimulationReport, told: &[&Measured]) -> Option<Chart> {
    let mut series = Vec::new();
    let (mut has_reached, mut is_cut) = (false, false);
    for Measured { standing, .. } in told {
        let all = turns_of(found, standing);
        if all.len() < 2 {
            continue;
        }
        let mut shares = found.shares(standing);
        // Of tens of thousands a picture shows no more than of some hundreds.
        let turns: Vec<_> = all.iter().step_by(all.len().div_ceil(DRAWN)).collect();
        // Of several there is one line each.
        let name = |what: &str| if told.len() == 1 { what.to_owned() } else { headed(found.name(standing)) };
        let line = |name: String, points: Vec<Point>| Line { name, points, is_step: false };
        // Where several play, all go on about as long: what differs is how often they lose a turn.
        if told.len() == 1 && !is_fixed(&all) {
            let reached = turns.iter().map(|turn| turn.reached_share(&mut shares).point(turn.number));
            series.push(line(name("turn reached"), reached.collect()));
            has_reached = true;
        }
        let known: Vec<_> = turns.iter().filter(|turn| turn.reached >= FEW).collect();
        if known.iter().any(|turn| turn.busts > 0) {
            is_cut |= known.len() < turns.len();
            let busts = known.iter().map(|turn| turn.bust_share(&mut shares).point(turn.number));
            series.push(line(name("bust, if reached"), busts.collect()));
        }
    }
    if series.is_empty() {
        return None;
    }
    let plot = Lines {
        x: Axis::of("turn", ""),
        y: Axis::share("share"),
        series,
        marks: Vec::new(),
        reference: None,
    };
    let what = match has_reached {
        true => "The share of the trials that reach each turn, and of those the share that lose it to chance",
        false => "Of those that reach a turn, the share that lose it to chance",
    };
    let as_far = if is_cut { format!(", as far as {FEW} trials reach it") } else { String::new() };
    let sentence = format!("{what}{as_far}; bands are 95 % intervals.");
    Some(Chart::new("Turn by turn", sentence, Plot::Lines(plot)))
}
