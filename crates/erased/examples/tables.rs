//! Measures how fast tables step on one core: 1,024 games side by side, with the first legal answer or a random one,
//! without features and with all of them written as `f32`; and how fast a policy in batches plays that costs nothing
//! itself.
//!
//! `cargo run --release -p stopwise-erased --example tables`

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use stopwise_engine::stream::Keys;
use stopwise_engine::trial_result::Recording;
use stopwise_engine::vector_env::{Numbers, Observation, Renewal};
use stopwise_erased::{AnyPolicy, AnyRules, BatchPolicy, Questions, Values, game};
use stopwise_policy::{Heading, Text, shipped};

const TABLES: u32 = 1024;
const STEPS: u32 = 4000;

fn main() {
    for (name, preset) in [
        ("pig", "solo"),
        ("carbonite", "wiki"),
        ("pig", "standard"),
        ("icedice", "two-players"),
        ("freeze", "published"),
        ("carcassonne", "solo"),
    ] {
        let text = shipped::rules(name, preset).expect("shipped").text();
        let rules = stopwise_narration::read_rules(game(name).expect("in the registry"), &text)
            .expect("it is right")
            .rules;
        for chooses in [Choice::First, Choice::Random] {
            for (what, features) in [("without features", 0), ("with all features", u64::MAX)] {
                let best = (0..3).map(|_| rate(&*rules, &chooses, features)).fold(0.0, f64::max);
                #[allow(clippy::print_stdout, reason = "that is what it is for")]
                {
                    println!("{name} {preset}, {chooses:?}, {what}: {best:.1} million steps a second");
                }
            }
        }
        let rate = (0..3).map(|_| batched(&*rules)).fold(0.0, f64::max);
        #[allow(clippy::print_stdout, reason = "that is what it is for")]
        {
            println!("{name} {preset}, a policy in batches: {rate:.1} million answers a second");
        }
    }
}

/// Answers at random, by a hash of the trial and what is shown.
#[derive(Debug, Default)]
struct Hashed {
    answers: AtomicU64,
}

impl BatchPolicy for Hashed {
    fn answer(&self, questions: &Questions<'_>, actions: &mut [i64]) -> Result<(), String> {
        self.answers.fetch_add(actions.len() as u64, Ordering::Relaxed);
        let Values::F64(values) = questions.values else { return Err("other numbers".into()) };
        let count = actions.len();
        for (row, action) in actions.iter_mut().enumerate() {
            let (mask, seen) = (questions.masks[row], values[row].to_bits() ^ values[row + count].to_bits());
            let draw = (questions.trials[row] ^ seen).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
            let skip = (draw * u64::from(mask.count_ones())) >> 32;
            let left = (0..skip).fold(mask, |left, _| left & (left - 1));
            *action = i64::from(left.trailing_zeros());
        }
        Ok(())
    }
}

/// Million answers a second.
fn batched(rules: &dyn AnyRules) -> f64 {
    let policy = Arc::new(Hashed::default());
    let heading = Heading::new("hashed".into(), String::new(), Text::new("program", ""));
    let arm = rules.arm(&[vec![AnyPolicy::in_batches(heading, policy.clone())]]);
    let (keys, mut tally) = (Keys::new(1), arm.tally());
    let begun = Instant::now();
    let mut next = 0;
    while begun.elapsed().as_secs_f64() < 0.5 {
        arm.batch(0, &keys, next..next + 4096, &mut tally);
        next += 4096;
    }
    assert_eq!(arm.failure(), None);
    #[allow(clippy::cast_precision_loss, reason = "a rate")]
    let answers = policy.answers.load(Ordering::Relaxed) as f64;
    answers / begun.elapsed().as_secs_f64() / 1e6
}

#[derive(Debug)]
enum Choice {
    First,
    Random,
}

/// Million steps a second.
fn rate(rules: &dyn AnyRules, chooses: &Choice, features: u64) -> f64 {
    let count = TABLES as usize;
    let mut tables = rules.tables(count, Recording::Nothing);
    tables.reset(1, 0).expect("there are decisions");
    let all: Vec<u32> = (0..TABLES).collect();
    let mut numbers = vec![0_f32; rules.features().len() * count];
    let (mut masks, mut kinds, mut actions) = (vec![0; count], vec![0; count], vec![0; count]);
    let (mut rewards, mut ended) = (vec![0.0; rules.seats() * count], vec![false; count]);
    let mut random = 1_u64;
    let begun = Instant::now();
    for _ in 0..STEPS {
        tables.observe(
            &all,
            &mut Observation {
                seats: &mut [],
                kinds: &mut kinds,
                masks: &mut masks,
                trials: &mut [],
                states: &mut [],
                variables: &mut [],
                features,
                numbers: Numbers::F32(&mut numbers),
            },
        );
        for (action, &mask) in actions.iter_mut().zip(&masks) {
            *action = match chooses {
                Choice::First => i64::from(mask.trailing_zeros()),
                Choice::Random => {
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let skip = ((random >> 32) * u64::from(mask.count_ones())) >> 32;
                    let left = (0..skip).fold(mask, |left, _| left & (left - 1));
                    i64::from(left.trailing_zeros())
                }
            };
        }
        tables.step(&all, &actions, Renewal::SameStep, &mut rewards, &mut ended).expect("legal");
    }
    f64::from(TABLES) * f64::from(STEPS) / begun.elapsed().as_secs_f64() / 1e6
}
