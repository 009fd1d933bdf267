//! The optional parts of a simulation's report: shares above a mark, quantiles, the best of several games.

use stopwise_analysis::best_of::{TRIALS_A_GAME, best_of};
use stopwise_analysis::estimate::Estimate;
use stopwise_analysis::paired::Stopping;
use stopwise_document::cell::NumberFormat;
use stopwise_document::{Dataset, Number, Real, Section, Sheet, View};
use stopwise_engine::game::{Better, Metric, Source};
use stopwise_engine::tally::Histogram;

use super::about::{self, RowContext};
use super::length::LENGTH;
use super::{Measured, SimulationReport};
use crate::numbers::{MEAN, PERCENT, Style, VALUE, as_read};
use crate::words::limits;

/// The file, if anything was asked.
pub const FILE: &str = "asked.csv";

/// What was asked, all of it about one metric.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Its place among those that [can be asked about](super::length::asked_about).
    pub metric: usize,
    /// The questions, in order.
    pub questions: Vec<Question>,
}

/// What is said where turns are asked about: not all that is meant may be one seat's.
const ONE_SEAT: &str =
    "These are the turns of one seat; --metric length is about those of all seats together.";

/// A question about a distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Question {
    /// The share of the trials with more than this.
    Above(f64),
    /// The value that this share of the trials does not exceed.
    Quantile(f64),
    /// The expected best of so many games.
    BestOf(u32),
}

impl Question {
    /// The answer; `None` where there are too few trials.
    fn answer(
        self,
        metric: &Metric,
        histogram: &Histogram,
        clusters: u64,
        bounds: Option<(f64, f64)>,
        stopping: Stopping,
    ) -> Option<Estimate> {
        let total = histogram.total();
        // Trials are clusters: the values of several seats of one trial may be dependent.
        let independent = |found: Estimate| match clusters == total {
            true => found,
            false => Estimate { interval: None, ..found },
        };
        match self {
            Self::Above(mark) => {
                // Of a share of a win what is counted are its parts.
                let is_above = |value: u32| f64::from(value) / f64::from(metric.whole()) > mark;
                let above: u64 =
                    histogram.iter().filter(|&(value, _)| is_above(value)).map(|(_, count)| count).sum();
                (total > 0).then(|| stopping.share_in(above as f64, total, clusters))
            }
            Self::Quantile(share) => stopping.quantile(histogram, share).map(independent),
            Self::BestOf(games) => best_of(histogram, games, metric.better, bounds).map(independent),
        }
    }

    /// The kind of question, and its number.
    fn cells(self) -> (&'static str, Number) {
        match self {
            #[expect(clippy::cast_possible_truncation, reason = "it is whole, and 32 bits hold it")]
            Self::Above(mark) if mark.fract() == 0.0 => ("above", Number::Whole(mark as i64)),
            Self::Above(mark) => ("above", Number::Real(Real::shortest(mark))),
            Self::Quantile(share) => ("quantile", Number::Real(Real::shortest(share))),
            Self::BestOf(games) => ("best_of", Number::Whole(games.into())),
        }
    }

    fn words(self, metric: &str, better: Better) -> String {
        match self {
            Self::Above(mark) => format!("P({metric} > {mark})"),
            Self::Quantile(share) => {
                format!("{} % have at most", NumberFormat::Shortest.written((1e8 * share).round() / 1e6))
            }
            Self::BestOf(games) => {
                let best = if better == Better::Higher { "highest" } else { "lowest" };
                format!("expected {best} of {games} games")
            }
        }
    }

    fn style(self, metric: &Metric) -> Style {
        match self {
            Self::Above(_) => PERCENT,
            Self::Quantile(_) if metric.is_share() => MEAN,
            Self::Quantile(_) => VALUE,
            Self::BestOf(_) => MEAN,
        }
    }
}

/// An answer about one seat or policy.
#[derive(Debug)]
pub(super) struct Answer {
    about: RowContext,
    metric: Metric,
    question: Question,
    found: Option<Estimate>,
}

/// The answers to all questions, in order, about each standing.
pub(super) fn answers(found: &SimulationReport, standings: &[Measured]) -> Vec<Answer> {
    let Asked { metric: at, ref questions } = found.asked;
    let metric = found.about(at);
    let bounds = found.stop.bounds(at);
    let scale = |question| if matches!(question, Question::Above(_)) { 1.0 } else { as_read(&metric).0 };
    let of = |question: Question| {
        found.values(at, standings).into_iter().map(move |of| {
            let answer = question.answer(&metric, of.histogram, of.trials, bounds, found.stop.stopping);
            let answer = answer.map(|found| found.times(scale(question)));
            Answer { about: of.about, metric, question, found: answer }
        })
    };
    questions.iter().flat_map(|&question| of(question)).collect()
}

/// The answers as a table for people.
pub(super) fn section(found: &SimulationReport, answers: &[Answer]) -> Section {
    let mut section = Section::default();
    if found.asked.questions.is_empty() {
        return section;
    }
    let metric = found.about(found.asked.metric);
    let mut view = View::new("").captioned("What was asked besides").texts(format!(
        "Asked of {} ({})",
        metric.word(),
        as_read(&metric).1
    ));
    let many = found.policies.len() > 1;
    if many {
        view = view.texts("policy").texts("seat");
    }
    view = view.numbers("value").texts("95 %").texts("");
    for Answer { about, question, found, .. } in answers {
        let style = question.style(&metric).fine(found.and_then(|found| found.interval));
        let seat = || about.seat.map_or_else(|| "all".to_owned(), |seat| seat.to_string());
        let who = if many { vec![about.policy.to_string(), seat()] } else { Vec::new() };
        let value = found.map_or_else(|| "too few trials".into(), |found| style.number(found.value));
        let limits = found.map_or_else(String::new, |found| match found.interval {
            None => "too few trials".into(),
            known => style.range(known),
        });
        let method = found.map_or_else(String::new, |found| found.method.in_words());
        let cells = [vec![question.words(metric.word(), metric.better)], who, vec![value, limits, method]];
        view.row(cells.concat());
    }
    if found.has_length() && Some(found.asked.metric) == found.turns() {
        view.note(ONE_SEAT);
    }
    section.view(view);
    section
}

/// What would bound the best of several games, where nothing does.
pub(super) fn open(found: &SimulationReport, answers: &[Answer]) -> Option<String> {
    let is_open = |found: &Estimate| found.interval.is_some_and(|interval| interval.high.is_infinite());
    let of = |answer: &Answer| match answer.question {
        Question::BestOf(games) if answer.found.is_some_and(|found| is_open(&found)) => Some(games),
        _ => None,
    };
    let games = answers.iter().filter_map(of).max()?;
    let needed = TRIALS_A_GAME * u64::from(games);
    Some(format!(
        "The best of {} depends on values that are too rare for {}: it has no upper limit. For \
         one use --trials {needed}.",
        stopwise_narration::counted(games.into(), "game"),
        stopwise_narration::trials(found.tally.trials)
    ))
}

/// That nothing can be above a mark that was asked about: of wins there is no more than one.
pub(super) fn never_above(found: &SimulationReport) -> Option<String> {
    let metric = &found.about(found.asked.metric);
    let is_above = |question: &Question| matches!(question, Question::Above(mark) if *mark >= 1.0);
    if !metric.is_won() || !found.asked.questions.iter().any(is_above) {
        return None;
    }
    let is_other = |other: &&Metric| !other.is_won() && other.source == Source::End;
    let other = found.metrics.iter().find(is_other).map_or("turns", |other| other.name);
    let length = match found.has_length() {
        true => format!(", or {}, the turns of all seats together", LENGTH.name),
        false => String::new(),
    };
    Some(format!(
        "`{}` is never above 1, and --above is about it unless --metric names another: such as {other}{length}.",
        metric.name
    ))
}

pub(super) fn sheet<'a>() -> Sheet<&'a Answer> {
    about::sheet_of_games(FILE, |r: &&'a Answer| &r.about)
        .column("metric", "", "what was measured", |r| r.metric.name)
        .column(
            "unit",
            "",
            "what one of the value is: `share`, of the trials, or what one of the metric is",
            |r| if matches!(r.question, Question::Above(_)) { "share" } else { as_read(&r.metric).1 },
        )
        .column(
            "question",
            "",
            "`above`: the share of the trials with more than `at`; `quantile`: the value that the \
             share `at` of the trials does not exceed; `best_of`: the expected best of `at` games",
            |r| r.question.cells().0,
        )
        .column("at", "", "the number that was asked with", |r| r.question.cells().1)
        .column("value", "share, or unit of the metric", "the answer; empty after too few trials", |r| {
            r.found.map(|found| Real::share(found.value))
        })
        .column(
            "low",
            "as the value",
            "lower limit of its 95 % interval; empty after too few trials to bound it on this side",
            |r| limits(r.found.and_then(|found| found.interval), Real::share)[0],
        )
        .column(
            "high",
            "as the value",
            "upper limit; empty after too few trials to bound it on this side",
            |r| limits(r.found.and_then(|found| found.interval), Real::share)[1],
        )
        .column("method", "", "how the interval is made", |r| r.found.map(|found| found.method.to_string()))
}

/// The dataset, if anything was asked.
pub(super) fn dataset(found: &SimulationReport, answers: &[Answer]) -> Option<Dataset> {
    (!found.asked.questions.is_empty()).then(|| sheet().fill(answers))
}
