//! `bench`: the throughput of fixed workloads on this machine, side by side in one run.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use serde_json::json;
use stopwise_engine::game::{Game, Policy};
use stopwise_engine::games::carbonite::Carbonite;
use stopwise_engine::games::pig::Pig;
use stopwise_engine::run::{Plan, batch, run};
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_policy::native::{First, Hold, Tidy};
use stopwise_policy::{PolicyText, TextPolicy, shipped};

use crate::args::Bench;
use crate::failure::Failure;
use crate::output::print;
use crate::setup::pool;

/// Trials between two looks at the clock.
const SLICE: u64 = 2_000;

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

/// A variant of a workload: plays a slice of trials into a tally.
type Variant<'v> = (&'static str, Box<dyn FnMut(u64, &mut Tally) + 'v>);

pub(crate) fn bench(args: &Bench) -> Result<(), Failure> {
    if !(args.seconds > 0.0 && args.seconds <= 60.0) {
        return Err(Failure::Input("--seconds: write more than 0 and at most 60".into()));
    }
    let time = Duration::from_secs_f64(args.seconds);
    let wiki = Carbonite::WIKI;
    let numbers = PolicyText::new(
        "bench",
        "game = \"carbonite\"\nname = \"numbers\"\nsummary = \"Risk against points.\"\n\
         stop = \"counter >= 1 && points_if_stopped * bust_chance > 3\"",
    );
    let numbers = TextPolicy::compile(&numbers, &wiki, &[]).map_err(Failure::other)?;
    let rows = vec![
        pair("carbonite first:k=2, wiki", &wiki, &First { k: 2 }, "first", time)?,
        pair("carbonite tidy, wiki", &wiki, &Tidy { k: 2 }, "tidy", time)?,
        alone("carbonite, a stop rule on points_if_stopped and bust_chance", &wiki, &numbers, time),
        pair("pig solo, hold at 20", &Pig::SOLO, &Hold { n: 20 }, "hold", time)?,
        pair("pig for two, hold at 20", &Pig::STANDARD, &Hold { n: 20 }, "hold", time)?,
    ];
    let threads = scaling(time)?;
    print(&if args.json { as_json(&rows, &threads)? } else { as_table(&rows, &threads) })
}

/// A policy in Rust and the same one as text.
fn pair<G: Vocabulary, P: Policy<G>>(
    work: &'static str,
    game: &G,
    native: &P,
    name: &str,
    time: Duration,
) -> Result<Row, Failure> {
    let shipped =
        shipped::policy(G::NAME, name).ok_or_else(|| Failure::other(format!("{name} is not shipped")))?;
    let text = TextPolicy::compile(&shipped.text(), game, &[]).map_err(Failure::other)?;
    Ok(measure(work, game, time, vec![variant("rust", game, native), variant("text", game, &text)]))
}

fn alone<G: Vocabulary>(work: &'static str, game: &G, policy: &TextPolicy<G>, time: Duration) -> Row {
    measure(work, game, time, vec![variant("text", game, policy)])
}

fn variant<'v, G: Game, P: Policy<G>>(name: &'static str, game: &'v G, policy: &'v P) -> Variant<'v> {
    let keys = Keys::new(1);
    (
        name,
        Box::new(move |start, tally| {
            batch(game, std::slice::from_ref(policy), &keys, start..start + SLICE, tally)
        }),
    )
}

/// Runs the variants in turn, slice by slice, so that whatever else the machine does meets all of them.
fn measure<G: Game>(work: &'static str, game: &G, time: Duration, mut variants: Vec<Variant<'_>>) -> Row {
    let mut tallies = vec![Tally::new(game); variants.len()];
    let mut spent = vec![Duration::ZERO; variants.len()];
    let mut start = 0;
    while spent.iter().sum::<Duration>() < time * u32::try_from(variants.len()).unwrap_or(1) {
        for ((_, play), (tally, spent)) in variants.iter_mut().zip(tallies.iter_mut().zip(&mut spent)) {
            let began = Instant::now();
            play(start, tally);
            *spent += began.elapsed();
        }
        start += SLICE;
    }
    let rolls = game.metrics().iter().position(|metric| metric.name == "rolls").unwrap_or(0);
    let figure = |(tally, spent): (&Tally, &Duration)| Figure {
        games_per_second: tally.trials as f64 / spent.as_secs_f64(),
        rolls_per_game: tally.seats.iter().map(|seat| seat.metrics[rolls].sums().0 as f64).sum::<f64>()
            / tally.trials as f64,
    };
    let figures = tallies.iter().zip(&spent).map(figure);
    Row { work, figures: variants.iter().map(|(name, _)| *name).zip(figures).collect() }
}

/// The same work on one thread and on several, in turn.
fn scaling(time: Duration) -> Result<Vec<(usize, f64)>, Failure> {
    let most = std::thread::available_parallelism().map_or(1, usize::from);
    let mut counts: Vec<usize> = vec![1, 2, 4, most];
    counts.retain(|&count| count <= most);
    counts.sort_unstable();
    counts.dedup();
    let pools = counts.iter().map(|&count| pool(Some(count))).collect::<Result<Vec<_>, _>>()?;
    let mut figures = vec![(0_u64, Duration::ZERO); pools.len()];
    let plan = Plan { seed: 1, trials: 0..500_000 };
    while figures[0].1 < time * 2 {
        for (pool, (trials, spent)) in pools.iter().zip(&mut figures) {
            let began = Instant::now();
            let tally = pool
                .install(|| run(&Carbonite::WIKI, &[First { k: 2 }], &plan, |_| ControlFlow::Continue(())));
            *spent += began.elapsed();
            *trials += tally.trials;
        }
    }
    let rate = |&(trials, spent): &(u64, Duration)| trials as f64 / spent.as_secs_f64();
    Ok(counts.into_iter().zip(figures.iter().map(rate)).collect())
}

fn as_table(rows: &[Row], threads: &[(usize, f64)]) -> String {
    let mut out = String::from(
        "One thread, runner trial; variants of a row in turn, so that their ratio holds on a busy machine\n\n",
    );
    let _ = writeln!(out, "{:<62}{:>8}{:>12}{:>10}{:>10}", "", "policy", "M games/s", "ns/roll", "against");
    for row in rows {
        let first = row.figures[0].1.games_per_second;
        for (index, (variant, figure)) in row.figures.iter().enumerate() {
            let work = if index == 0 { row.work } else { "" };
            let ratio =
                if index == 0 { String::new() } else { format!("{:.2}×", figure.games_per_second / first) };
            let nanoseconds = 1e9 / figure.games_per_second / figure.rolls_per_game;
            let _ = writeln!(
                out,
                "{work:<62}{variant:>8}{:>12.2}{nanoseconds:>10.2}{ratio:>10}",
                figure.games_per_second / 1e6
            );
        }
    }
    let _ = writeln!(
        out,
        "\n{:<62}{:>8}{:>12}{:>20}",
        "carbonite first:k=2, wiki", "threads", "M games/s", "against one"
    );
    for (count, rate) in threads {
        let ratio = format!("{:.2}×", rate / threads[0].1);
        let _ = writeln!(out, "{:<62}{count:>8}{:>12.2}{ratio:>20}", "", rate / 1e6);
    }
    out
}

fn as_json(rows: &[Row], threads: &[(usize, f64)]) -> Result<String, Failure> {
    let rows: Vec<_> = rows
        .iter()
        .flat_map(|row| {
            let first = row.figures[0].1.games_per_second;
            row.figures.iter().map(move |(variant, figure)| {
                json!({
                    "work": row.work, "runner": "trial", "policy": variant,
                    "games_per_second": figure.games_per_second,
                    "ns_per_roll": 1e9 / figure.games_per_second / figure.rolls_per_game,
                    "ratio": figure.games_per_second / first,
                })
            })
        })
        .collect();
    let threads: Vec<_> = threads
        .iter()
        .map(|(count, rate)| json!({ "threads": count, "games_per_second": rate, "ratio": rate / threads[0].1 }))
        .collect();
    let arch = std::env::consts::ARCH;
    Ok(serde_json::to_string_pretty(&json!({ "architecture": arch, "rows": rows, "scaling": threads }))?
        + "\n")
}
