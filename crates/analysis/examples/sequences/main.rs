//! Error rates of confidence sequences, and of intervals for a fixed number of trials, under repeated looks: the tables
//! beside this file. Each takes two to three minutes on one core, in the profile of the tests. All populations of a
//! table use the same random words, so that its rows are not independent.
//!
//! ```text
//! cargo run -p stopwise-analysis --features studies --example sequences -- coverage > crates/analysis/examples/sequences/coverage.csv
//! cargo run -p stopwise-analysis --features studies --example sequences -- races > crates/analysis/examples/sequences/races.csv
//! ```

#![allow(clippy::print_stdout, reason = "an example prints")]

#[path = "../../tests/numbers/statistics/sequences/harness.rs"]
mod harness;
#[path = "../../tests/numbers/statistics/sequences/populations.rs"]
mod populations;
#[path = "../../tests/numbers/statistics/sequences/races.rs"]
mod races;

use harness::{ALPHA, Looks, Method, coverage};
use populations::Population;
use races::{By, Field, Race, fields, race};
use stopwise_analysis::binomial::share_limits;
use stopwise_analysis::estimate::Level;

const REPLICATES: u64 = 10_000;

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("races") => race_table(),
        _ => coverage_table(),
    }
}

fn label(method: Method) -> &'static str {
    match method {
        Method::Fixed => "fixed n",
        Method::Early => "asymptotic from 100",
        Method::Asymptotic => "asymptotic from 1000",
        Method::Bounded => "bounded",
        Method::Share => "share",
        Method::Pairs => "pairs",
    }
}

/// The verdict on a count of wrong replicates: its share with a 95 % interval, and whether α is kept.
fn verdict(wrong: u64) -> String {
    let interval = share_limits(wrong, REPLICATES, Level::SINGLE);
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
                    label(result.method),
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
    println!("arms,compared,intervals,replicates,wrong,share,share_low,share_high,kept,decided");
    for Field { name, arms, methods } in fields() {
        for (by, methods) in methods {
            let compared = match by {
                By::Arms => "arms",
                By::Differences => "differences",
            };
            for Race { method, wrong, decided } in race(&arms, by, &methods, REPLICATES) {
                let (intervals, verdict) = (label(method), verdict(wrong));
                println!("{name},{compared},{intervals},{REPLICATES},{wrong},{verdict},{decided}");
            }
        }
    }
}
