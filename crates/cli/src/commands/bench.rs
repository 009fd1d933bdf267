//! `bench`: the throughput of fixed workloads on this machine, side by side in one run.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use stopwise_document::Report;
use stopwise_erased::workloads::{SCALING, Scaling as Work, Variant, Workload, workloads};
use stopwise_reports::bench::{BenchReport, Figure, Row, Scaling};

use crate::args::{Bench, Format, Request, shell_line};
use crate::failure::Failure;
use crate::progress::Steps;
use crate::publish::printed;
use crate::session::Session;
use crate::threads::Threads;

/// No variant runs ahead of another by more.
const LEVEL: Duration = Duration::from_millis(5);

pub(crate) fn bench(session: &Session, args: &Bench) -> Result<(), Failure> {
    if !(args.seconds > 0.0 && args.seconds <= 60.0) {
        return Err(Failure::Input("--seconds: write more than 0 and at most 60".into()));
    }
    let time = Duration::from_secs_f64(args.seconds);
    // What plays on one thread begins and ends there.
    let (rows, steps) = Threads::new(Some(1), u64::MAX)?.within(|| {
        let workloads = workloads().map_err(Failure::other)?;
        let steps = Steps::new(session, "rows measured", workloads.len() + SCALING.len(), false);
        let measured = |workload| {
            let row = measure(workload, time);
            steps.step();
            row
        };
        let rows: Vec<_> = workloads.into_iter().map(measured).collect();
        Ok::<_, Failure>((rows, steps))
    })?;
    let threads = scaling(time, &steps)?;
    steps.finish();
    let format = if args.json { Format::Json } else { args.format };
    let repeat = shell_line(&Request::Bench(args.clone()).command_line());
    printed(session, &Report { repeat, ..BenchReport { rows, threads }.report() }, format)
}

/// Runs the variants in turn, slice by slice, so that whatever else the machine does meets all of them. The clock stands
/// while counts are made and read: a run does so once.
fn measure(workload: Workload, time: Duration) -> Row {
    let Workload { name, rolls, mut variants } = workload;
    let mut spent = vec![Duration::ZERO; variants.len()];
    while spent.iter().sum::<Duration>() < time * u32::try_from(variants.len()).unwrap_or(1) {
        let least = spent.iter().copied().min().unwrap_or_default();
        // The variants keep level in time, not in trials.
        for (variant, spent) in variants.iter_mut().zip(&mut spent) {
            if *spent <= least + LEVEL {
                let began = Instant::now();
                variant.play();
                *spent += began.elapsed();
            }
        }
    }
    let figure = |(variant, spent): (Variant, Duration)| {
        let name = variant.name;
        let (games, rolls) = variant.counted(rolls);
        let games_per_second = games as f64 / spent.as_secs_f64();
        (name, Figure { games_per_second, rolls_per_game: rolls as f64 / games as f64 })
    };
    Row { work: name, figures: variants.into_iter().zip(spent).map(figure).collect() }
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
    let pools =
        counts.iter().map(|&count| Threads::new(Some(count), u64::MAX)).collect::<Result<Vec<_>, _>>()?;
    let mut figures = vec![(0_u64, Duration::ZERO); pools.len()];
    while figures[0].1 < time * 2 {
        for (pool, (trials, spent)) in pools.iter().zip(&mut figures) {
            let began = Instant::now();
            *trials += pool.within(|| work.play(&|_| ControlFlow::Continue(()))).map_err(Failure::other)?;
            *spent += began.elapsed();
        }
    }
    let rate = |&(trials, spent): &(u64, Duration)| trials as f64 / spent.as_secs_f64();
    Ok(counts.into_iter().zip(figures.iter().map(rate)).collect())
}
