//! How often a ranking says something wrong, and how much too good its winner looks: the table beside this file. Some
//! minutes of one core, in the profile of the tests. Fields meet the same random words, so that rows are not
//! independent of each other.
//!
//! ```text
//! cargo run -p stopwise-analysis --example ranking > crates/analysis/examples/ranking/races.csv
//! ```
//!
//! Arms play 20,000 trials at most and are looked at 29 times. `wrong`: an arm is held to be better than one that is as
//! good or better (the family-wise error). `missed`: any of the intervals of all means and differences misses. `lost`: a
//! best arm is beaten. `plain`: what plain 95 % intervals of the differences, looked at as often, would get wrong;
//! `unguarded`: what the same simultaneous sequences without a guard would. `decided`: one arm alone may be best.
//! `games`: of those of a race in which nobody leaves. `optimism`: how much better the first looks in the race than it
//! is, in the unit of the values, and in as many `fresh` trials.

#![allow(clippy::print_stdout, reason = "an example prints")]

#[path = "../../tests/statistics/ranking/fields.rs"]
mod fields;
#[path = "../../tests/statistics/ranking/harness.rs"]
mod harness;
#[path = "../../tests/statistics/sequences/populations.rs"]
#[allow(dead_code, reason = "shared with the tests of sequences")]
mod populations;

use fields::Field;
use harness::{ALPHA, Average, races};
use stopwise_analysis::estimate::wilson;
use stopwise_analysis::rank::Aim;

/// Fewer where there are many arms, where games are played, or where intervals take long.
fn replicates(field: &Field) -> u64 {
    match field.truths.len() {
        _ if field.name.starts_with("Pig") => 200,
        _ if field.range.is_some() => 600,
        10 => 1_000,
        _ => 200,
    }
}

fn main() {
    println!(
        "arms,aim,replicates,wrong,share,share_low,share_high,kept,missed,lost,plain,unguarded,decided,games,\
         optimism,optimism_half_width,fresh,fresh_half_width"
    );
    for field in Field::all() {
        for (aim, name) in [(Aim::Order, "order"), (Aim::Best, "best")] {
            let replicates = replicates(&field);
            let found = races(&field, aim, replicates);
            let interval = wilson(found.wrong, replicates);
            let kept = if interval.low > ALPHA { "no" } else { "yes" };
            let average = |average: Average| format!("{:.4},{:.4}", average.mean(), average.half());
            println!(
                "{},{name},{replicates},{},{:.4},{:.4},{:.4},{kept},{},{},{},{},{},{:.3},{},{}",
                field.name,
                found.wrong,
                found.wrong as f64 / replicates as f64,
                interval.low,
                interval.high,
                found.missed,
                found.lost,
                found.plain,
                found.unguarded,
                found.decided,
                found.games,
                average(found.optimism),
                average(found.fresh),
            );
        }
    }
}
