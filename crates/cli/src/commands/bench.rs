//! `bench`: the throughput of fixed workloads on this machine, side by side in one run.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use serde_json::json;
use stopwise_edge::workloads::{SCALING, Scaling as Work, Workload, workloads};
use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::tally::Tally;

use crate::args::Bench;
use crate::failure::Failure;
use crate::output::print;
use crate::progress::Steps;
use crate::report::document::document;
use crate::setup::pool;

/// No variant runs ahead of another by more.
const LEVEL: Duration = Duration::from_millis(5);

/// One workload, in the variants that are compared.
struct Row {
    work: &'static str,
    figures: Vec<(&'static str, Figure)>,
}

/// What was measured.
#[derive(Clone, Copy, Default)]
struct Figure {
    games_per_second: f64,
    rolls_per_game: f64,
}

pub(crate) fn bench(args: &Bench) -> Result<(), Failure> {
    if !(args.seconds > 0.0 && args.seconds <= 60.0) {
        return Err(Failure::Input("--seconds: write more than 0 and at most 60".into()));
    }
    let time = Duration::from_secs_f64(args.seconds);
    let workloads = workloads().map_err(Failure::other)?;
    let steps = Steps::new("rows measured", workloads.len() + SCALING.len(), false);
    let mut rows = Vec::new();
    for workload in &workloads {
        rows.push(measure(workload, time));
        steps.step();
    }
    let threads = scaling(time, &steps)?;
    steps.finish();
    print(&if args.json { as_json(&rows, &threads)? } else { as_table(&rows, &threads) })
}

/// Runs the variants in turn, slice by slice, so that whatever else the machine does meets all of them.
fn measure(workload: &Workload, time: Duration) -> Row {
    let Workload { name, tally, rolls, variants } = workload;
    let mut tallies = vec![tally.clone(); variants.len()];
    let mut spent = vec![Duration::ZERO; variants.len()];
    let mut starts = vec![0; variants.len()];
    while spent.iter().sum::<Duration>() < time * u32::try_from(variants.len()).unwrap_or(1) {
        let least = spent.iter().copied().min().unwrap_or_default();
        let places = tallies.iter_mut().zip(&mut spent).zip(&mut starts);
        // The variants keep level in time, not in trials.
        for (variant, ((tally, spent), start)) in variants.iter().zip(places) {
            if *spent <= least + LEVEL {
                let began = Instant::now();
                variant.play(*start, tally);
                *start += variant.slice;
                *spent += began.elapsed();
            }
        }
    }
    let figure = |(tally, spent): (&Tally, &Duration)| Figure {
        games_per_second: tally.trials as f64 / spent.as_secs_f64(),
        rolls_per_game: tally.seats.iter().map(|seat| seat.metrics[*rolls].sums().0 as f64).sum::<f64>()
            / tally.trials as f64,
    };
    let figures = tallies.iter().zip(&spent).map(figure);
    Row { work: name, figures: variants.iter().map(|variant| variant.name).zip(figures).collect() }
}

/// The runs of one plan on several numbers of threads.
struct Scaling {
    runner: &'static str,
    /// Threads and games a second.
    rates: Vec<(usize, f64)>,
}

/// The same work on one thread and on several, in turn, with both runners.
fn scaling(time: Duration, steps: &Steps) -> Result<Vec<Scaling>, Failure> {
    let scale = |work: &Work| {
        let rates = scale(time, work)?;
        steps.step();
        Ok(Scaling { runner: work.runner, rates })
    };
    SCALING.iter().map(scale).collect()
}

fn scale(time: Duration, work: &Work) -> Result<Vec<(usize, f64)>, Failure> {
    let most = std::thread::available_parallelism().map_or(1, usize::from);
    let mut counts: Vec<usize> = vec![1, 2, 4, most];
    counts.retain(|&count| count <= most);
    counts.sort_unstable();
    counts.dedup();
    let pools = counts.iter().map(|&count| pool(Some(count), u64::MAX)).collect::<Result<Vec<_>, _>>()?;
    let mut figures = vec![(0_u64, Duration::ZERO); pools.len()];
    while figures[0].1 < time * 2 {
        for (pool, (trials, spent)) in pools.iter().zip(&mut figures) {
            let began = Instant::now();
            *trials += pool.install(|| work.play(&|_| ControlFlow::Continue(()))).map_err(Failure::other)?;
            *spent += began.elapsed();
        }
    }
    let rate = |&(trials, spent): &(u64, Duration)| trials as f64 / spent.as_secs_f64();
    Ok(counts.into_iter().zip(figures.iter().map(rate)).collect())
}

fn as_table(rows: &[Row], threads: &[Scaling]) -> String {
    let mut out = String::from(
        "One thread; the variants of a row in turn, so that their ratios hold on a busy machine\n\n",
    );
    let _ = writeln!(
        out,
        "{:<62}{:<16}{:>10}{:>9}{:>9}",
        "", "runner, policy", "M games/s", "ns/roll", "against"
    );
    for row in rows {
        let first = row.figures[0].1.games_per_second;
        for (index, (variant, figure)) in row.figures.iter().enumerate() {
            let work = if index == 0 { row.work } else { "" };
            let ratio =
                if index == 0 { String::new() } else { format!("{:.2}×", figure.games_per_second / first) };
            let nanoseconds = 1e9 / figure.games_per_second / figure.rolls_per_game;
            let _ = writeln!(
                out,
                "{work:<62}{variant:<16}{:>10.2}{nanoseconds:>9.2}{ratio:>9}",
                figure.games_per_second / 1e6
            );
        }
    }
    let _ = writeln!(
        out,
        "\n{:<62}{:<16}{:>10}{:>18}",
        "carbonite first:k=2, wiki", "threads", "M games/s", "against one"
    );
    for Scaling { runner, rates } in threads {
        for (count, rate) in rates {
            let (ratio, threads) = (format!("{:.2}×", rate / rates[0].1), format!("{runner}, {count}"));
            let _ = writeln!(out, "{:<62}{threads:<16}{:>10.2}{ratio:>18}", "", rate / 1e6);
        }
    }
    out
}

fn as_json(rows: &[Row], threads: &[Scaling]) -> Result<String, Failure> {
    let rows: Vec<_> = rows
        .iter()
        .flat_map(|row| {
            let first = row.figures[0].1.games_per_second;
            row.figures.iter().map(move |(variant, figure)| {
                json!({
                    "work": row.work, "runner": variant,
                    "games_per_second": figure.games_per_second,
                    "ns_per_roll": 1e9 / figure.games_per_second / figure.rolls_per_game,
                    "ratio": figure.games_per_second / first,
                })
            })
        })
        .collect();
    let threads: Vec<_> = threads
        .iter()
        .flat_map(|Scaling { runner, rates }| {
            rates.iter().map(move |(count, rate)| {
                json!({
                    "runner": runner, "threads": count, "games_per_second": rate,
                    "ratio": rate / rates[0].1,
                })
            })
        })
        .collect();
    let arch = std::env::consts::ARCH;
    document(
        json!({ "architecture": arch, "instructions": InstructionSet::best().name(), "rows": rows, "scaling": threads }),
    )
}
