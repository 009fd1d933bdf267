//! Error rates of races and the selection bias of their winners: the table beside this file. It takes some minutes on
//! one core, in the profile of the tests. All fields use the same random words, so that rows are not independent.
//!
//! ```text
//! cargo run -p stopwise-analysis --features studies --example ranking > crates/analysis/examples/ranking/races.csv
//! ```
//!
//! Arms play 20,000 trials at most, with 29 looks. Counts of races: `wrong`, an arm is concluded to be better than one
//! that is as good or better (the family-wise error); `missed`, any interval of a mean or difference misses; `lost`, a
//! best arm is concluded not to be best; `plain`, plain 95 % intervals of the differences err at any look; `unguarded`,
//! the same simultaneous sequences without a guard err; `decided`, a single arm may be best. `games`: games played, as
//! a share of a race without elimination. `optimism`: the bias of the first arm's mean in the race, in the unit of the
//! values; `fresh`, in as many fresh trials.

#![allow(clippy::print_stdout, reason = "an example prints")]

#[path = "../../tests/numbers/statistics/ranking/fields.rs"]
mod fields;
#[path = "../../tests/numbers/statistics/ranking/harness.rs"]
mod harness;
#[path = "../../tests/numbers/statistics/sequences/populations.rs"]
#[allow(dead_code, reason = "shared with the tests of sequences")]
mod populations;

use fields::Field;
use harness::{ALPHA, Average, races};
use stopwise_analysis::binomial::share_limits;
use stopwise_analysis::estimate::Level;
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
            let interval = share_limits(found.wrong, replicates, Level::SINGLE);
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
