//! `bench`: the throughput of fixed workloads on this machine, side by side in one run.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use serde_json::json;
use stopwise_engine::game::{Game, Policy};
use stopwise_engine::games::carbonite::Carbonite;
use stopwise_engine::games::icedice::IceDice;
use stopwise_engine::games::pig::Pig;
use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::lanes::{Counts, LaneGame};
use stopwise_engine::run::{Plan, batch, batch_on_lanes, run, run_on_lanes};
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_policy::native::{First, Hold, Tidy};
use stopwise_policy::{LaneText, PolicyText, TextPolicy, shipped};

use crate::args::Bench;
use crate::failure::Failure;
use crate::output::print;
use crate::setup::pool;

/// Trials between two looks at the clock.
const SLICE: u64 = 2_000;
/// The same on lanes, which need more trials to fill and to empty.
const LANE_SLICE: u64 = 50_000;

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

/// A variant of a workload: plays a slice of trials into a tally.
type Variant<'v> = (&'static str, Play<'v>);
/// Plays a slice from a trial on; how many it was.
type Play<'v> = Box<dyn FnMut(u64, &mut Tally) -> u64 + 'v>;

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
        alone("carbonite, a stop rule on points_if_stopped and bust_chance", &wiki, &numbers, time)?,
        pair("icedice for two, stop at 2", &IceDice::TWO, &First { k: 2 }, "stop-at", time)?,
        pair("pig solo, hold at 20", &Pig::SOLO, &Hold { n: 20 }, "hold", time)?,
        pair("pig for two, hold at 20", &Pig::STANDARD, &Hold { n: 20 }, "hold", time)?,
    ];
    let threads = scaling(time)?;
    print(&if args.json { as_json(&rows, &threads)? } else { as_table(&rows, &threads) })
}

/// A policy in Rust and the same one as text.
fn pair<G: LaneGame, P: Policy<G>>(
    work: &'static str,
    game: &G,
    native: &P,
    name: &str,
    time: Duration,
) -> Result<Row, Failure> {
    let text = text(game, name)?;
    let lanes = LaneText::new(&text, game).map_err(Failure::other)?;
    let mut variants = vec![variant("trial, Rust", game, native), variant("trial, text", game, &text)];
    variants.extend(on_lanes(game, &lanes));
    Ok(measure(work, game, time, variants))
}

fn text<G: Vocabulary>(game: &G, name: &str) -> Result<TextPolicy<G>, Failure> {
    let shipped =
        shipped::policy(G::NAME, name).ok_or_else(|| Failure::other(format!("{name} is not shipped")))?;
    TextPolicy::compile(&shipped.text(), game, &[]).map_err(Failure::other)
}

fn alone<G: LaneGame>(
    work: &'static str,
    game: &G,
    policy: &TextPolicy<G>,
    time: Duration,
) -> Result<Row, Failure> {
    let lanes = LaneText::new(policy, game).map_err(Failure::other)?;
    let mut variants = vec![variant("trial, text", game, policy)];
    variants.extend(on_lanes(game, &lanes));
    Ok(measure(work, game, time, variants))
}

/// Lanes on every set of instructions that the machine has.
fn on_lanes<'v, G: LaneGame>(game: &'v G, policy: &'v LaneText) -> impl Iterator<Item = Variant<'v>> {
    InstructionSet::ALL.into_iter().filter(|set| set.is_available()).map(move |set| {
        let keys = Keys::new(1);
        let name = match set {
            InstructionSet::Avx512 => "lanes, AVX-512",
            InstructionSet::Avx2 => "lanes, AVX2",
            InstructionSet::Plain => "lanes, plain",
        };
        let play = move |start: u64, tally: &mut Tally| {
            let mut counts = G::Counts::new(game);
            let trials = start..start + LANE_SLICE;
            batch_on_lanes(set, game, std::slice::from_ref(policy), &keys, trials, &mut counts);
            counts.enter(game, tally);
            LANE_SLICE
        };
        let boxed: Play<'v> = Box::new(play);
        (name, boxed)
    })
}

fn variant<'v, G: Game, P: Policy<G>>(name: &'static str, game: &'v G, policy: &'v P) -> Variant<'v> {
    let keys = Keys::new(1);
    (
        name,
        Box::new(move |start, tally| {
            batch(game, std::slice::from_ref(policy), &keys, start..start + SLICE, tally);
            SLICE
        }),
    )
}

/// Runs the variants in turn, slice by slice, so that whatever else the machine does meets all of them.
fn measure<G: Game>(work: &'static str, game: &G, time: Duration, mut variants: Vec<Variant<'_>>) -> Row {
    let mut tallies = vec![Tally::new(game); variants.len()];
    let mut spent = vec![Duration::ZERO; variants.len()];
    let mut starts = vec![0; variants.len()];
    while spent.iter().sum::<Duration>() < time * u32::try_from(variants.len()).unwrap_or(1) {
        let least = spent.iter().copied().min().unwrap_or_default();
        let places = tallies.iter_mut().zip(&mut spent).zip(&mut starts);
        // The variants keep level in time, not in trials.
        for ((_, play), ((tally, spent), start)) in variants.iter_mut().zip(places) {
            if *spent <= least + LEVEL {
                let began = Instant::now();
                *start += play(*start, tally);
                *spent += began.elapsed();
            }
        }
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

/// The runs of one plan on several numbers of threads.
struct Scaling {
    runner: &'static str,
    /// Threads and games a second.
    rates: Vec<(usize, f64)>,
}

/// The same work on one thread and on several, in turn, with both runners.
fn scaling(time: Duration) -> Result<Vec<Scaling>, Failure> {
    let (wiki, first) = (Carbonite::WIKI, First { k: 2 });
    let text = text(&wiki, "first")?;
    let lanes = LaneText::new(&text, &wiki).map_err(Failure::other)?;
    let go_on = |_| ControlFlow::Continue(());
    let on_trial = scale(time, 500_000, |plan| run(&wiki, &[first], plan, go_on))?;
    let best = InstructionSet::best();
    let on_lanes =
        scale(time, 5_000_000, |plan| run_on_lanes(best, &wiki, std::slice::from_ref(&lanes), plan, go_on))?;
    Ok(vec![Scaling { runner: "trial", rates: on_trial }, Scaling { runner: "lanes", rates: on_lanes }])
}

fn scale(
    time: Duration,
    trials: u64,
    play: impl Fn(&Plan) -> Tally + Sync,
) -> Result<Vec<(usize, f64)>, Failure> {
    let most = std::thread::available_parallelism().map_or(1, usize::from);
    let mut counts: Vec<usize> = vec![1, 2, 4, most];
    counts.retain(|&count| count <= most);
    counts.sort_unstable();
    counts.dedup();
    let pools = counts.iter().map(|&count| pool(Some(count))).collect::<Result<Vec<_>, _>>()?;
    let mut figures = vec![(0_u64, Duration::ZERO); pools.len()];
    let plan = Plan { seed: 1, trials: 0..trials };
    while figures[0].1 < time * 2 {
        for (pool, (trials, spent)) in pools.iter().zip(&mut figures) {
            let began = Instant::now();
            let tally = pool.install(|| play(&plan));
            *spent += began.elapsed();
            *trials += tally.trials;
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
    Ok(serde_json::to_string_pretty(
        &json!({ "architecture": arch, "instructions": InstructionSet::best().name(), "rows": rows, "scaling": threads }),
    )? + "\n")
}
