//! The report of a benchmark.

use stopwise_document::chart::{Axis, Bars, Plot};
use stopwise_document::{Chart, Dataset, Real, Report, Section, Sheet, View};
use stopwise_engine::lanes::dispatch::InstructionSet;

/// What was measured.
#[derive(Debug)]
pub struct BenchReport {
    /// The workloads.
    pub rows: Vec<Row>,
    /// What more threads bring, a runner each.
    pub threads: Vec<Scaling>,
}

/// One workload, in the variants that are compared.
#[derive(Debug)]
pub struct Row {
    /// Its name.
    pub work: &'static str,
    /// By the name of the variant; the first is what the others are measured against.
    pub figures: Vec<(&'static str, Figure)>,
}

/// The rate of a variant.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figure {
    /// Games a second.
    pub games_per_second: f64,
    /// The mean number of rolls of a game.
    pub rolls_per_game: f64,
}

/// The runs of one plan on several numbers of threads.
#[derive(Debug)]
pub struct Scaling {
    /// The runner.
    pub runner: &'static str,
    /// Threads and games a second.
    pub rates: Vec<(usize, f64)>,
}

/// The work whose threads are measured.
const SCALED: &str = "carbonite first:k=2, wiki";

impl BenchReport {
    /// The document, but for how to repeat it.
    pub fn report(&self) -> Report {
        let set = InstructionSet::best().name();
        let mut report = Report {
            command: "bench",
            head: "Games a second, or positions solved · one thread; the variants of a row in turn, so that their ratios hold on a busy machine"
                .into(),
            answer: self.answer(),
            data: datasets(self),
            is_timed: true,
            ..Report::default()
        };
        report.fact("architecture", std::env::consts::ARCH);
        report.fact("instructions", set);
        report.section(self.variants());
        report.section(self.scaling());
        report
    }

    /// The fastest row.
    fn answer(&self) -> Vec<String> {
        let all = self.rows.iter().flat_map(|row| row.figures.iter().map(move |figure| (row, figure)));
        let best = all.max_by(|a, b| a.1.1.games_per_second.total_cmp(&b.1.1.games_per_second));
        let said = best.map(|(row, (variant, figure))| {
            let rate = figure.games_per_second / 1e6;
            let ratio = figure.games_per_second / row.figures[0].1.games_per_second;
            format!("Fastest: {} on {variant}, {rate:.1} million games a second on one thread, {ratio:.1} times {}.", row.work, row.figures[0].0)
        });
        said.into_iter().collect()
    }

    fn variants(&self) -> Section {
        let mut section = Section::default();
        let mut view = View::new("")
            .captioned("Games a second of fixed workloads")
            .texts("")
            .texts("runner, policy")
            .numbers("M games/s")
            .numbers("ns/roll")
            .numbers("against");
        for row in &self.rows {
            let first = row.figures[0].1.games_per_second;
            for (index, (variant, figure)) in row.figures.iter().enumerate() {
                view.row([
                    if index == 0 { row.work.to_owned() } else { String::new() },
                    (*variant).to_owned(),
                    format!("{:.2}", figure.games_per_second / 1e6),
                    format!("{:.2}", figure.nanoseconds()),
                    if index == 0 {
                        String::new()
                    } else {
                        format!("{:.2}×", figure.games_per_second / first)
                    },
                ]);
            }
        }
        section.view(view);
        section.chart(self.chart());
        section
    }

    fn chart(&self) -> Chart {
        // Of other rows, commands and exact values, the table tells.
        let rows = || self.rows.iter().filter(|row| row.figures[0].0.starts_with("trial"));
        let mut parts: Vec<String> = Vec::new();
        for (variant, _) in rows().flat_map(|row| &row.figures) {
            if !parts.iter().any(|part| part == variant) {
                parts.push((*variant).to_owned());
            }
        }
        let rate = |row: &Row, part: &String| {
            let figure = row.figures.iter().find(|(variant, _)| variant == part);
            figure.map(|(_, figure)| figure.games_per_second / 1e6)
        };
        let rows =
            rows().map(|row| (row.work.to_owned(), parts.iter().map(|part| rate(row, part)).collect()));
        let plot = Bars {
            x: Axis::of("million games a second", ""),
            rows: rows.collect(),
            is_stacked: false,
            parts: parts.clone(),
        };
        let sentence = "How many million games a second each runner plays on one thread.";
        Chart::new("Games a second", sentence, Plot::Bars(plot))
    }

    fn scaling(&self) -> Section {
        let mut section = Section::default();
        let mut view =
            View::new("").texts(SCALED).numbers("threads").numbers("M games/s").numbers("against one");
        for Scaling { runner, rates } in &self.threads {
            for (count, rate) in rates {
                view.row([
                    (*runner).to_owned(),
                    count.to_string(),
                    format!("{:.2}", rate / 1e6),
                    format!("{:.2}×", rate / rates[0].1),
                ]);
            }
        }
        section.view(view);
        section
    }
}

impl Figure {
    /// Nanoseconds a roll.
    fn nanoseconds(self) -> f64 {
        1e9 / self.games_per_second / self.rolls_per_game
    }
}

fn datasets(measured: &BenchReport) -> Vec<Dataset> {
    let rows = measured.rows.iter().flat_map(|row| {
        let first = row.figures[0].1.games_per_second;
        row.figures.iter().map(move |&(runner, figure)| RateRow {
            work: row.work,
            runner,
            figure,
            ratio: figure.games_per_second / first,
        })
    });
    let threads = measured.threads.iter().flat_map(|scaling| {
        let first = scaling.rates[0].1;
        scaling.rates.iter().map(move |&(threads, rate)| ThreadRow {
            runner: scaling.runner,
            threads,
            rate,
            ratio: rate / first,
        })
    });
    vec![rates().fill(rows), scaling().fill(threads)]
}

/// The same without rows, for the dictionary.
pub(crate) fn columns() -> Vec<Dataset> {
    vec![rates().without_rows(), scaling().without_rows()]
}

/// A row of `rows.csv`.
#[derive(Debug)]
struct RateRow {
    work: &'static str,
    runner: &'static str,
    figure: Figure,
    ratio: f64,
}

fn rates() -> Sheet<RateRow> {
    Sheet::<RateRow>::new("rows.csv")
        .column("work", "", "the game and its rules", |r| r.work)
        .column("runner", "", "the runner, and whose policy it is", |r| r.runner)
        .column(
            "games_per_second",
            "games a second",
            "on one thread; positions where a game is solved",
            |r| Real::shortest(r.figure.games_per_second),
        )
        .column("ns_per_roll", "nanoseconds", "the time of a roll, or of a position", |r| {
            Real::shortest(r.figure.nanoseconds())
        })
        .column("ratio", "ratio", "how many times the rate of the first runner of the same work", |r| {
            Real::shortest(r.ratio)
        })
}

/// A row of `scaling.csv`.
#[derive(Debug)]
struct ThreadRow {
    runner: &'static str,
    threads: usize,
    rate: f64,
    ratio: f64,
}

fn scaling() -> Sheet<ThreadRow> {
    Sheet::<ThreadRow>::new("scaling.csv")
        .column("runner", "", "the runner", |r| r.runner)
        .column("threads", "threads", "how many played", |r| r.threads)
        .column("games_per_second", "games a second", "of all of them", |r| Real::shortest(r.rate))
        .column("ratio", "ratio", "how many times the rate of one thread", |r| Real::shortest(r.ratio))
}
