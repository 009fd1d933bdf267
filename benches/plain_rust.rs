//! Games as text on lanes, beside the same rules and policy in plain Rust: one loop a game, as one writes it for a study of
//! that game alone. `NAME/plain` knows nothing of this project; `NAME/text` is the file of the gallery. Before anything is
//! measured the means of the two are compared.

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg32;
use stopwise_benches::{SEED, shipped_policy};
use stopwise_engine::game::{Game, Policy as _};
use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::plan::Batch;
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_script::{Script, lanes::Lanes};

/// Lanes need many trials to fill and to empty.
const TRIALS: u64 = 50_000;

fn die(rng: &mut Pcg32) -> usize {
    rng.random_range(1..=6)
}

/// Pig alone to 100, hold at 20: the turns.
fn pig(rng: &mut Pcg32) -> u32 {
    let (mut score, mut turns) = (0, 0);
    while score < 100 {
        turns += 1;
        let mut points = 0;
        while points < 20 && score + points < 100 {
            let face = die(rng);
            if face == 1 {
                points = 0;
                break;
            }
            points += face;
        }
        score += points;
    }
    turns
}

/// What dice are worth if all of them score, by their counts.
fn worth(counts: [usize; 7]) -> usize {
    let of = |count: usize| counts[1..].iter().filter(|own| **own == count).count();
    let is_whole = counts[1..] == [1; 6] || of(2) == 3 || of(4) == 1 && of(2) == 1;
    let whole = if is_whole { 1500 } else { 0 };
    let mut sum = 0;
    for (face, &count) in counts.iter().enumerate().skip(1) {
        let three = if face == 1 { 1000 } else { 100 * face };
        sum += match (count, face) {
            (0, _) => 0,
            (1 | 2, 1) => 100 * count,
            (1 | 2, 5) => 50 * count,
            (1 | 2, _) => return whole,
            _ => three * (count - 2),
        };
    }
    sum.max(whole)
}

/// The dice to set aside: all of them, if they score, else those with the most points less 90 a die. Their points and number.
fn kept(counts: [usize; 7], left: usize) -> (usize, usize) {
    let (mut best, mut found) = (i64::MIN, (0, 0));
    let mut part = [0; 7];
    loop {
        // The next part of the roll.
        let Some(face) = (1..7).find(|&face| part[face] < counts[face]) else { return found };
        part[face] += 1;
        part[1..face].fill(0);
        let (points, used) = (worth(part), part.iter().sum::<usize>());
        if points > 0 {
            let value = points as i64 - 90 * used as i64;
            if used == left {
                return (points, used);
            }
            if value > best || value == best && used < found.1 {
                (best, found) = (value, (points, used));
            }
        }
    }
}

/// Farkle for two to 10,000: the turns of the first player.
fn farkle(rng: &mut Pcg32) -> u32 {
    const STOP: [usize; 7] = [usize::MAX, 350, 250, 450, 1050, 3100, usize::MAX];
    let (mut score, mut turns) = ([0; 2], [0; 2]);
    for player in [0, 1].into_iter().cycle() {
        if score[player] >= 10_000 {
            break;
        }
        turns[player] += 1;
        let (mut points, mut left) = (0, 6);
        loop {
            let mut counts = [0; 7];
            (0..left).for_each(|_| counts[die(rng)] += 1);
            let (own, used) = kept(counts, left);
            if own == 0 {
                break;
            }
            points += own;
            left = if left == used { 6 } else { left - used };
            let may_bank = score[player] > 0 || points >= 500;
            if may_bank && (score[player] + points >= 10_000 || points >= STOP[left]) {
                score[player] += points;
                break;
            }
        }
    }
    turns[0]
}

/// Zombie Dice for four to 13: the turns of the first player.
fn zombie(rng: &mut Pcg32) -> u32 {
    /// Faces with a brain and with feet, of green, yellow and red dice.
    const FACES: [[usize; 2]; 3] = [[3, 2], [2, 2], [1, 2]];
    let mut score = [0_usize; 4];
    for turns in 1.. {
        for player in 0..4 {
            let most = (0..4).filter(|other| *other != player).map(|other| score[other]).max().unwrap_or(0);
            let (mut cup, mut hand, mut eaten) = ([6, 4, 3], [0; 3], [0; 3]);
            let (mut brains, mut shots) = (0, 0);
            loop {
                let size = |dice: [usize; 3]| dice.iter().sum::<usize>();
                if size(cup) + size(hand) < 3 {
                    (0..3).for_each(|kind| cup[kind] += eaten[kind]);
                    eaten = [0; 3];
                }
                while size(hand) < 3 {
                    let mut place = rng.random_range(0..size(cup));
                    let kind = (0..3).find(|&kind| {
                        let is_here = place < cup[kind];
                        place = place.wrapping_sub(cup[kind]);
                        is_here
                    });
                    let kind = kind.unwrap_or(0);
                    cup[kind] -= 1;
                    hand[kind] += 1;
                }
                let rolled = std::mem::take(&mut hand);
                for (kind, [brain, feet]) in FACES.into_iter().enumerate() {
                    for _ in 0..rolled[kind] {
                        let face = die(rng);
                        if face <= brain {
                            brains += 1;
                            eaten[kind] += 1;
                        } else if face <= brain + feet {
                            hand[kind] += 1;
                        } else {
                            shots += 1;
                        }
                    }
                }
                if shots >= 3 {
                    break;
                }
                let own = score[player] + brains;
                let is_ahead = own > most || most < 13;
                if is_ahead && (shots == 2 && brains >= 1 || shots == 1 && brains >= 4 || brains >= 10) {
                    score[player] = own;
                    break;
                }
            }
        }
        let most = score.into_iter().max().unwrap_or(0);
        if most >= 13 && score.iter().filter(|own| **own == most).count() == 1 {
            return turns;
        }
    }
    0
}

/// The mean of what the first player's turns are, and the error of two such means.
fn mean(sum: f64, squares: f64) -> (f64, f64) {
    let mean = sum / TRIALS as f64;
    (mean, 5.0 * (2.0 * (squares / TRIALS as f64 - mean * mean) / TRIALS as f64).sqrt())
}

fn plain_rust(c: &mut Criterion) {
    let mut group = c.benchmark_group("plain_rust");
    group.throughput(Throughput::Elements(TRIALS)).sampling_mode(SamplingMode::Flat);
    let (text, one) = (include_str!("../games/pig.game"), [("players".into(), "1".into())]);
    beside(&mut group, &Script::new(text, &one).expect("a game of the gallery"), "hold", pig);
    let games = [include_str!("../games/farkle.game"), include_str!("../games/zombie-dice.game")];
    let [two, four] = games.map(|text| Script::new(text, &[]).expect("a game of the gallery"));
    beside(&mut group, &two, "by-dice", farkle);
    beside(&mut group, &four, "by-shots", zombie);
    group.finish();
}

fn beside(
    group: &mut BenchmarkGroup<'_, WallTime>,
    game: &Script,
    policy: &str,
    plain: fn(&mut Pcg32) -> u32,
) {
    let (name, policy) = (game.info().name, shipped_policy(game, policy));
    let answers = [(0..game.info().kinds.len()).map(|kind| policy.answering(kind)).collect()];
    let lanes = Lanes::new(game, &answers, vec![vec![0]]).expect("it is on lanes");
    let on_lanes = |set| {
        let (keys, mut tally, mut left) = (Keys::new(SEED), Tally::new(game), Some(0..TRIALS));
        let mut next = |_: Batch| left.take().unwrap_or(0..0);
        let choose = |_, state, question| policy.choose(game, state, question);
        lanes.play(set, &keys, &mut next, &choose, std::slice::from_mut(&mut tally), None);
        tally
    };
    let of_plain = || {
        let mut rng = Pcg32::seed_from_u64(SEED);
        (0..TRIALS).fold((0.0, 0.0), |(sum, squares), _| {
            let turns = f64::from(plain(&mut rng));
            (sum + turns, squares + turns * turns)
        })
    };
    let turns = game.metrics().iter().position(|metric| metric.name == "turns").expect("turns are counted");
    let (sum, _) = on_lanes(InstructionSet::Plain).seats[0].metrics[turns].sums();
    let (ours, (theirs, error)) = (sum as f64 / TRIALS as f64, mean(of_plain().0, of_plain().1));
    assert!((ours - theirs).abs() < error, "{name}: {ours} and {theirs} turns differ by more than {error}");
    group.bench_function(BenchmarkId::new(name, "plain"), |b| b.iter(of_plain));
    for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
        let id = BenchmarkId::new(name, format!("text, {}", set.name()));
        group.bench_function(id, |b| b.iter(|| on_lanes(set)));
    }
}

criterion_group!(name = benches; config = stopwise_benches::criterion(); targets = plain_rust);
criterion_main!(benches);
