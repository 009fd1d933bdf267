//! A simulation for somebody who changes it and watches: the distribution with the one before it behind, and five figures.
//! Made of the report's tables, so that whoever has these can make it.

use serde_json::Value;
use stopwise_analysis::binomial::share_limits;
use stopwise_analysis::estimate::{Interval, Level, Summary};
use stopwise_document::chart::{Axis, Bins, Line, Lines, Mark, Plot, Point, Tone};
use stopwise_document::{Chart, Report};
use stopwise_engine::tally::Histogram;

use crate::bins::{Breaks, bins, cumulative};
use crate::numbers::{DIFFERENCE, MEAN, PERCENT, POINTS, Style};
use crate::row::{Row, rows};
use crate::words::{capital, title};

/// A report of a simulation, read again.
#[derive(Debug)]
pub struct Live<'r> {
    report: &'r Report,
    /// Whose rows the tables have: of rotated policies those of all seats, else the seats.
    pub whose: Vec<Whose>,
}

/// A policy in a seat, or in all seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Whose {
    /// The policy with its parameters.
    pub policy: String,
    /// Counted from 1; `None` for all seats together.
    pub seat: Option<u64>,
}

impl Whose {
    /// Whether a row is about it.
    fn has(&self, row: &Row<'_>) -> bool {
        row.is("policy", &self.policy) && row.count("seat") == self.seat
    }

    /// The seat, or the policy that is in all of them.
    fn name(&self) -> String {
        self.seat.map_or_else(|| self.policy.clone(), |seat| format!("seat {seat}"))
    }
}

/// A distribution that was seen earlier.
#[derive(Clone, Debug)]
pub struct Before {
    /// What it is called beside the new one, and that one.
    pub names: [String; 2],
    /// Its values.
    pub values: Histogram,
}

/// A number at a glance.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// A word for programs.
    pub key: String,
    /// What it is.
    pub title: String,
    /// The value.
    pub value: f64,
    /// The value as people read it, with its unit.
    pub text: String,
    /// Its interval, if one is known.
    pub interval: Option<[f64; 2]>,
    /// Half the interval as people read it; empty without one.
    pub half: String,
    /// What differences are multiplied with, and how they are called: 100 and `%-points`.
    pub difference: (f64, String),
}

impl<'r> Live<'r> {
    /// Reads a report of `simulate`, with its tables.
    pub fn of(report: &'r Report) -> Self {
        let mut whose: Vec<Whose> = Vec::new();
        for row in rows(report, "means.csv") {
            let one = Whose { policy: row.text("policy"), seat: row.count("seat") };
            if !whose.contains(&one) {
                whose.push(one);
            }
        }
        if whose.iter().any(|one| one.seat.is_none()) {
            whose.retain(|one| one.seat.is_none());
        }
        Self { report, whose }
    }

    /// The names of what was measured, with unit.
    pub fn metrics(&self) -> Vec<(String, String)> {
        let mut metrics: Vec<(String, String)> = Vec::new();
        let mut rolled = false;
        for row in rows(self.report, "means.csv") {
            let unit = if row.is("metric", "share") { String::new() } else { row.text("unit") };
            let metric = (row.text("metric"), unit);
            rolled |= row.is("metric", "rolls") && row.number("mean") > Some(0.0);
            if !metrics.contains(&metric) {
                metrics.push(metric);
            }
        }
        // Cards are not rolled.
        metrics.retain(|(name, _)| rolled || name != "rolls");
        metrics
    }

    /// How often each value of a metric was seen; of a share of a win, the place of the share among those that a seat may have.
    pub fn values(&self, metric: &str, whose: &Whose) -> Histogram {
        let mut values = Histogram::default();
        let is_it = |row: &Row<'_>| whose.has(row) && row.is("metric", metric);
        for row in rows(self.report, "distribution.csv").filter(is_it) {
            let value = match metric {
                "share" => row.number("value").map(|share| self.place(share)),
                _ => row.count("value"),
            };
            if let (Some(value), Some(count)) = (value, row.count("count")) {
                values.add_many(u32::try_from(value).unwrap_or(u32::MAX), count);
            }
        }
        values
    }

    /// The shares of a win that a seat may have: none, its part where all seats win together, and so on up to the whole.
    fn shares(&self) -> Vec<String> {
        let parts = (2..=self.seats()).rev().map(|many| format!("1/{many}"));
        std::iter::once("0".into()).chain(parts).chain(["1".into()]).collect()
    }

    /// The place of a share among them.
    fn place(&self, share: f64) -> u64 {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of seats")]
        if share > 0.0 { (self.seats() + 1).saturating_sub((1.0 / share).round() as u64) } else { 0 }
    }

    fn seats(&self) -> u64 {
        self.fact("seats").and_then(|seats| seats.as_u64()).unwrap_or(1)
    }

    /// The distribution of a metric, with one that was seen earlier as an outline over it.
    pub fn distribution(&self, metric: &str, whose: &Whose, before: Option<&Before>) -> Chart {
        let unit =
            self.metrics().into_iter().find(|(name, _)| name == metric).map_or_else(String::new, |it| it.1);
        let values = self.values(metric, whose);
        let before = before.filter(|before| before.values.total() > 0);
        let both: Vec<&Histogram> =
            std::iter::once(&values).chain(before.map(|before| &before.values)).collect();
        let breaks = Breaks::of(&both);
        let names = before.map_or_else(Default::default, |before| before.names.clone());
        let named = || names.iter().rev().zip(&both);
        let in_each = values.total().div_ceil(self.trials().unwrap_or(0).max(1)).max(1);
        let bars = |(name, values): (&String, &&Histogram)| {
            (name.clone(), bins(values, values.total() / in_each, &breaks))
        };
        let (x, marks) = match metric {
            "share" => (Axis::levels("share of the win", self.shares()), Vec::new()),
            _ => (
                Axis::of(metric, unit.as_str()),
                Summary::of(&values).map(|summary| marks(&summary)).unwrap_or_default(),
            ),
        };
        let shares = Bins {
            x: x.clone(),
            y: Axis::share("share of the games"),
            series: named().map(bars).collect(),
            marks: marks.clone(),
        };
        let lines = Lines {
            x,
            y: Axis::share("share of the games with this value or less"),
            series: named().map(|(name, values)| cumulative(name, values)).collect(),
            marks,
            reference: None,
        };
        let sentence =
            self.report.terms.iter().find(|(word, _)| word == metric).map(|(_, meaning)| meaning.clone());
        let sentence = sentence.map_or_else(String::new, |meaning| capital(&meaning));
        Chart::new(title(metric, &unit), sentence, Plot::Bins(shares)).or(
            "how often",
            "this or less",
            Plot::Lines(lines),
        )
    }

    /// Five figures: of a game for one its metric and how often it ends early; of a game for several who wins and what going
    /// first is worth; and how long it is, in turns and, with so many seconds a roll, in minutes. Of a game for several, those
    /// of a seat name it, and all others are of all seats together.
    pub fn figures(&self, metric: &str, whose: &Whose, seconds: f64) -> Vec<Figure> {
        let is_many = self.is_many();
        let mut figures = Vec::new();
        if is_many {
            figures.extend(self.win(whose));
            figures.extend(self.edge());
            figures.extend(match metric {
                "win" | "share" | "turns" => self.of_all("busts"),
                _ => self.mean(metric, whose),
            });
        } else {
            figures.extend(self.mean(metric, whose));
            figures.extend(self.early());
            figures.extend(self.mean("busts", whose).filter(|_| metric != "busts"));
        }
        figures.extend(match is_many {
            true => self.length(),
            false => self.mean("turns", whose).filter(|_| metric != "turns"),
        });
        figures.extend(self.minutes(seconds));
        // A game may have no busts, or no rolls.
        for (name, _) in self.metrics() {
            let is_told = figures.iter().any(|figure| figure.key == name);
            if figures.len() < FIGURES && !is_told && !matches!(&*name, "win" | "share") {
                figures.extend(self.mean(&name, whose));
            }
        }
        figures
    }

    /// How many games go on, turn by turn, of a seat of several: of one alone the report has it.
    pub fn survival(&self, whose: &Whose) -> Option<Chart> {
        if self.whose.len() < 2 {
            return None;
        }
        let point = |row: Row<'_>| {
            let interval = row.interval("reached_low", "reached_high")?;
            let interval = Some([interval.low, interval.high]);
            Some(Point {
                x: row.number("turn")?,
                y: row.number("reached_share")?,
                interval,
                tone: Tone::Plain,
            })
        };
        let points: Vec<_> =
            rows(self.report, "turns.csv").filter(|row| whose.has(row)).filter_map(point).collect();
        // Of tens of thousands a picture shows no more than of some hundreds.
        let points: Vec<_> = points.iter().step_by(points.len().div_ceil(400).max(1)).copied().collect();
        let who = whose.name();
        let plot = Lines {
            x: Axis::of("turn", ""),
            y: Axis::share("share of the games"),
            series: vec![Line { name: "turn reached".into(), points, is_step: false }],
            marks: Vec::new(),
            reference: None,
        };
        let sentence = format!("The share of the games in which {who} has a turn of this number.");
        (plot.series[0].points.len() > 1)
            .then(|| Chart::new("How long games go on", sentence, Plot::Lines(plot)))
    }

    /// Whether the game has several seats.
    fn is_many(&self) -> bool {
        rows(self.report, "wins.csv").next().is_some()
    }

    fn mean(&self, metric: &str, whose: &Whose) -> Option<Figure> {
        let row = rows(self.report, "means.csv").find(|row| whose.has(row) && row.is("metric", metric))?;
        let unit = row.text("unit");
        let title = if metric == unit { format!("{metric} a game") } else { format!("{metric}, on average") };
        let title = if self.is_many() { format!("{}: {title}", whose.name()) } else { title };
        let unit = if metric == unit { String::new() } else { unit };
        Some(figure(&row, metric, title, ("mean", MEAN), &unit, unit.clone()))
    }

    /// What all seats have of a metric in a game. Seats of one game are not independent, but the limits of a sum are no further
    /// apart than those of its parts together.
    fn of_all(&self, metric: &str) -> Option<Figure> {
        let (total, interval) = self.total(metric)?;
        let of = Known {
            key: &format!("all {metric}"),
            title: format!("{metric} a game, of all"),
            style: MEAN,
            unit: "",
            difference: metric.into(),
        };
        Some(of.figure(total, interval))
    }

    /// The sum of the means of all seats, and of their limits. Where policies change seats, each is in a seat
    /// in some of the trials.
    fn total(&self, metric: &str) -> Option<(f64, Option<Interval>)> {
        let trials = self.trials()? as f64;
        let mut total: Option<(f64, Option<Interval>)> = None;
        for row in rows(self.report, "means.csv") {
            if !row.is("metric", metric) || row.count("seat").is_none() {
                continue;
            }
            let share = row.number("trials")? / trials;
            let (sum, limits) = total.unwrap_or((0.0, Some(Interval { low: 0.0, high: 0.0 })));
            let interval = limits.zip(row.interval("low", "high"));
            let interval = interval.map(|(limits, own)| Interval {
                low: limits.low + share * own.low,
                high: limits.high + share * own.high,
            });
            total = Some((sum + share * row.number("mean")?, interval));
        }
        total
    }

    /// How often somebody wins; where a win can be shared, what they have of it.
    fn win(&self, whose: &Whose) -> Option<Figure> {
        let is_it = |row: &Row<'_>| match whose.seat {
            Some(_) => row.is("who", "seat") && row.number("seat") == whose.seat.map(|seat| seat as f64),
            None => row.is("policy", &whose.policy) && row.number("seat").is_none(),
        };
        let row = rows(self.report, "wins.csv").find(is_it)?;
        let (key, title) = match rows(self.report, "means.csv").any(|row| row.is("metric", "share")) {
            true => ("share", format!("{}: share of the win", whose.name())),
            false => ("win", format!("{} wins", whose.name())),
        };
        Some(figure(&row, key, title, ("share", PERCENT), "", POINTS_UNIT.into()))
    }

    /// What going first is worth, in shares of the win where it can be shared.
    fn edge(&self) -> Option<Figure> {
        let title = "going first, %-points".into();
        let row = rows(self.report, "games.csv").find(|row| row.is("quantity", "first_seat_edge"))?;
        row.number("value")?;
        Some(figure(&row, "edge", title, ("value", POINTS), "", POINTS_UNIT.into()))
    }

    fn length(&self) -> Option<Figure> {
        let row = rows(self.report, "games.csv").find(|row| row.is("quantity", "mean_length"))?;
        row.number("value")?;
        Some(figure(&row, "length", "turns a game, of all".into(), ("value", MEAN), "", "turns".into()))
    }

    fn early(&self) -> Option<Figure> {
        let early: Vec<_> = rows(self.report, "endings.csv").filter(|row| row.is("early", "true")).collect();
        if early.is_empty() {
            return None;
        }
        let count = early.iter().filter_map(|row| row.count("count")).sum::<u64>();
        let trials = self.trials()?;
        let value = count as f64 / trials.max(1) as f64;
        let interval = Some(share_limits(count, trials, Level::SINGLE));
        let of = Known {
            key: "early",
            title: "end early".into(),
            style: PERCENT,
            unit: "",
            difference: POINTS_UNIT.into(),
        };
        Some(of.figure(value, interval))
    }

    fn fact(&self, name: &str) -> Option<Value> {
        self.report.facts.iter().find(|fact| fact.name == name).map(|fact| fact.value.value())
    }

    fn trials(&self) -> Option<u64> {
        self.fact("trials")?.as_u64()
    }

    /// How long a game takes if a roll takes so many seconds: of all seats, one after the other unless all roll at the same time.
    fn minutes(&self, seconds: f64) -> Option<Figure> {
        let (rolls, _) = self.total("rolls")?;
        let at_once = match self.fact("shared_turns") == Some(true.into()) {
            true => self.seats() as f64,
            false => 1.0,
        };
        let minutes = rolls / at_once * seconds / 60.0;
        let of = Known {
            key: "minutes",
            title: "minutes a game".into(),
            style: MEAN.to(1),
            unit: "",
            difference: "minutes".into(),
        };
        (rolls > 0.0).then(|| of.figure(minutes, None))
    }
}

/// So many figures are seen at a glance.
const FIGURES: usize = 5;

/// What differences of shares are called.
const POINTS_UNIT: &str = "%-points";

/// Median and mean.
fn marks(summary: &Summary) -> Vec<Mark> {
    let mean = MEAN.known(summary.mean, summary.mean().interval);
    vec![
        Mark { at: summary.quantiles[3].into(), label: "median".into() },
        Mark { at: mean, label: "mean".into() },
    ]
}

/// How a figure is called and written.
struct Known<'k> {
    key: &'k str,
    title: String,
    style: Style,
    unit: &'k str,
    difference: String,
}

impl Known<'_> {
    fn figure(self, value: f64, interval: Option<Interval>) -> Figure {
        let style = self.style.fine(interval);
        let scale = if self.difference == POINTS_UNIT { 100.0 } else { 1.0 };
        // All games alike, or none: decimals would say nothing.
        let shown = if (scale * value).fract() == 0.0 { style.to(0) } else { style };
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        Figure {
            key: self.key.into(),
            title: self.title,
            value,
            text: format!("{}{unit}", shown.number(value)),
            interval: interval.map(|interval| [interval.low, interval.high]),
            half: interval.map(|interval| style.bare().reach(value, interval)).unwrap_or_default(),
            difference: (scale, self.difference),
        }
    }
}

/// The figure of a row, with the limits that it has.
fn figure(
    row: &Row<'_>,
    key: &str,
    title: String,
    (column, style): (&str, Style),
    unit: &str,
    difference: String,
) -> Figure {
    let interval = row.interval("low", "high").or_else(|| row.interval("share_low", "share_high"));
    let of = Known { key, title, style, unit, difference };
    of.figure(row.number(column).unwrap_or(f64::NAN), interval)
}

/// A difference between two line-ups on the same dice: the second less the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Apart {
    /// What was measured; `early` for how often games end early.
    pub metric: String,
    /// How much more the second has.
    pub value: f64,
    /// As people read it.
    pub text: String,
    /// The limits of the difference, if they are known.
    pub interval: Option<[f64; 2]>,
    /// Half the interval, as people read it.
    pub half: String,
    /// In which share of the games the first is better, neither, or the second.
    pub shares: Option<[f64; 3]>,
}

/// How the last side of a comparison differs from the first, of a report with so many sides.
pub fn apart(report: &Report, sides: usize) -> Vec<Apart> {
    // The pairs of the first side come first, and the last side is the last of them.
    let (at, pairs) = (sides.saturating_sub(2), (sides * sides.saturating_sub(1) / 2).max(1));
    let of_pair = |file: &'static str| {
        let all: Vec<_> = rows(report, file).collect();
        let each = all.len() / pairs;
        all.into_iter().skip(at * each).take(each)
    };
    let means = of_pair("comparison.csv").map(|row| {
        let interval = row.interval("low", "high");
        let shares = || Some([row.number("a_better")?, row.number("equal")?, row.number("b_better")?]);
        turned(row.text("metric"), (row.number("mean_difference"), interval), (DIFFERENCE, shares()))
    });
    let early = of_pair("comparison_early.csv").map(|row| {
        let interval = row.interval("low", "high");
        turned("early".into(), (row.number("share_difference"), interval), (POINTS, None))
    });
    means.chain(early).collect()
}

/// A difference of the first from the second, as that of the second from the first.
fn turned(
    metric: String,
    (value, interval): (Option<f64>, Option<Interval>),
    (style, shares): (Style, Option<[f64; 3]>),
) -> Apart {
    let style = style.fine(interval);
    let value = -value.unwrap_or(f64::NAN);
    Apart {
        metric,
        value,
        text: style.number(value),
        interval: interval.map(|interval| [-interval.high, -interval.low]),
        half: interval
            .map(|interval| style.reach(value, Interval { low: -interval.high, high: -interval.low }))
            .unwrap_or_default(),
        shares,
    }
}
