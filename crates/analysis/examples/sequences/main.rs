//! How often confidence sequences, and the interval for a fixed number of trials, are wrong when they are looked at
//! again and again: the tables beside this file. One core, about two minutes each.
//!
//! ```text
//! cargo run -p stopwise-analysis --example sequences -- coverage > crates/analysis/examples/sequences/coverage.csv
//! cargo run -p stopwise-analysis --example sequences -- races > crates/analysis/examples/sequences/races.csv
//! ```

#![allow(clippy::print_stdout, reason = "an example prints")]

#[path = "../../tests/sequences/harness.rs"]
mod harness;
#[path = "../../tests/sequences/populations.rs"]
mod populations;

use harness::{ALPHA, Looks, Method, coverage, race, races};
use populations::Population;
use stopwise_analysis::estimate::wilson;

const REPLICATES: u64 = 10_000;

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("races") => race_table(),
        _ => coverage_table(),
    }
}

/// The verdict on a count of wrong replicates: its share with a 95 % interval, and whether α is kept.
fn verdict(wrong: u64) -> String {
    let interval = wilson(wrong, REPLICATES);
    let kept = if interval.low > ALPHA { "no" } else { "yes" };
    format!("{:.4},{:.4},{:.4},{kept}", wrong as f64 / REPLICATES as f64, interval.low, interval.high)
}

fn coverage_table() {
    println!("values,looks,intervals,exact,replicates,missed,share,share_low,share_high,kept,empty,width");
    for population in Population::all() {
        for looks in [Looks::Doubling, Looks::Often] {
            for result in coverage(&population, looks, REPLICATES) {
                let width =
                    if result.width.is_finite() { format!("{:.3}", result.width) } else { String::new() };
                println!(
                    "{},{},{},{},{REPLICATES},{},{},{},{width}",
                    population.name,
                    looks.trials().len(),
                    result.method.name(),
                    result.method.is_exact(),
                    result.missed,
                    verdict(result.missed),
                    result.empty,
                );
            }
        }
    }
}

fn race_table() {
    println!("arms,intervals,replicates,wrong,share,share_low,share_high,kept,decided");
    for (name, arms, methods) in races() {
        for method in methods {
            let race = race(&arms, method, REPLICATES);
            println!(
                "{name},{}{},{REPLICATES},{},{},{}",
                method.name(),
                if method == Method::Fixed { " (95 %)" } else { " (1 - alpha/k)" },
                race.wrong,
                verdict(race.wrong),
                race.decided,
            );
        }
    }
}
