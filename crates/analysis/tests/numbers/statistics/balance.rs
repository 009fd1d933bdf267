//! Measures of rule variants against exact values, against stored samples, and with degenerate data.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use stopwise_analysis::balance::{
    Bounds, Level, Measure, Quantity, Sample, Screening, Skill, Statistic, Verdict, catalogue, effect,
    further, to_count,
};
use stopwise_analysis::estimate::{Estimate, Interval, Method};
use stopwise_analysis::exact::{Distribution, Limits, distribution};
use stopwise_engine::arms::Lineups;
use stopwise_engine::game::{Better, Event, Events, Game, MAX_METRICS, Seat};
use stopwise_engine::games::carbonite::Carbonite;
use stopwise_engine::games::pig::Pig;
use stopwise_engine::paired::{PairedTally, add_paired, run_paired};
use stopwise_engine::run::{Plan, run};
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::{Histogram, Tally};
use stopwise_engine::trial::{Watch, trial};
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_policy::{TextPolicy, shipped};

pub(super) const SMALL: Carbonite = Carbonite { colours: 2, turns: 5, ..Carbonite::WIKI };
const MARK: u32 = 60;

pub(super) fn policy<G: Vocabulary>(game: &G, name: &str, parameters: &[(&str, u32)]) -> TextPolicy<G> {
    let text = shipped::policy(game.info().name, name).expect("shipped").text();
    let named = |&(name, value): &(&str, u32)| (name.to_owned(), value.to_string());
    let parameters: Vec<_> = parameters.iter().map(named).collect();
    TextPolicy::compile(&text, game, &parameters).expect("compiles")
}

fn play<G: Vocabulary>(game: &G, policy: &TextPolicy<G>, trials: std::ops::Range<u64>, seed: u64) -> Tally {
    run(game, std::slice::from_ref(policy), &Plan { seed, trials }, |_| ControlFlow::Continue(()))
}

fn measures<G: Game>(game: &G) -> Vec<Measure> {
    let points = game.metrics().iter().find(|metric| metric.name == "points");
    let lead = points.map(|points| (*points, 10));
    let mut all = catalogue(game.seats(), game.metrics(), game.endings(), Some(MARK), lead);
    all.append(&mut further(game.seats(), game.metrics(), &all));
    all
}

fn sample<'t, G: Game>(game: &G, tally: &'t Tally) -> Sample<'t> {
    Sample { tally, metrics: game.metrics(), endings: game.endings(), games: None }
}

/// With numbers of whole games.
fn counted<'t, G: Game>(game: &G, found: &'t PairedTally, arm: usize) -> Sample<'t> {
    Sample { games: Some(&found.games[arm]), ..sample(game, &found.arms[arm].rotations[0]) }
}

fn find<'m>(measures: &'m [Measure], name: &str) -> &'m Measure {
    measures.iter().find(|measure| measure.name == name).unwrap_or_else(|| panic!("no {name}"))
}

/// Whether an estimate is exactly 0.
fn is_nothing(found: Estimate) -> bool {
    (found.value, found.interval) == (0.0, Some(Interval { low: 0.0, high: 0.0 }))
}

pub(super) fn holds(interval: Option<Interval>, truth: f64) -> bool {
    interval.is_some_and(|Interval { low, high }| low <= truth && truth <= high)
}

/// What a measure is, exactly; `None` for counts on the way, of which only the means are walked.
pub(super) fn truth<G: Game>(game: &G, exact: &Distribution, statistic: Statistic) -> Option<f64> {
    let scores: &BTreeMap<u32, f64> = &exact.shares[0][0];
    let quantile = |share: f64| {
        let mut below = 0.0;
        let mut values = scores.iter();
        let found = values.find(|(_, chance)| {
            below += *chance;
            below >= share
        });
        f64::from(*found.expect("the chances sum to 1").0)
    };
    let mean = |name: &str| {
        let at = game.metrics().iter().position(|metric| metric.name == name).expect("known");
        exact.means[0][at]
    };
    Some(match statistic {
        Statistic::Mean(Quantity::Score) => exact.means[0][0],
        Statistic::Mean(Quantity::Turns) => mean("turns"),
        Statistic::Mean(Quantity::Rolls) => mean("rolls"),
        Statistic::Mean(Quantity::Metric(name)) => mean(name),
        Statistic::Quantile(Quantity::Score, share) => quantile(share),
        Statistic::Tail(Quantity::Score) => quantile(0.99) / quantile(0.5),
        Statistic::Deviation(Quantity::Score) => {
            let mean = exact.means[0][0];
            scores
                .iter()
                .map(|(&value, chance)| (f64::from(value) - mean).powi(2) * chance)
                .sum::<f64>()
                .sqrt()
        }
        Statistic::Above(Quantity::Score, mark) => {
            scores.iter().filter(|&(&value, _)| value > mark).map(|(_, chance)| chance).sum()
        }
        Statistic::Early => game
            .endings()
            .iter()
            .zip(&exact.endings)
            .filter(|(ending, _)| ending.early)
            .map(|(_, chance)| chance)
            .sum(),
        Statistic::Ending(at) => exact.endings[at],
        _ => return None,
    })
}

/// How often the intervals of 1,000 trials hold what is exactly so, over 400 replicates: no more than three standard errors
/// below 95 %. The spread of the score rests on its rare large values, which 1,000 trials may lack.
#[test]
fn coverage_of_exact_values() {
    const REPLICATES: u32 = 400;
    let tidy = policy(&SMALL, "tidy", &[]);
    let exact = distribution(&SMALL, &[&tidy], Limits::default()).expect("small enough");
    let measures = measures(&SMALL);
    let mut covered = vec![0; measures.len()];
    for replicate in 0..REPLICATES {
        let tally = play(&SMALL, &tidy, 0..1_000, u64::from(replicate));
        for (measure, covered) in measures.iter().zip(&mut covered) {
            let Some(truth) = truth(&SMALL, &exact, measure.statistic) else { continue };
            let found = measure.of(sample(&SMALL, &tally), Level::SINGLE).expect("trials");
            *covered += u32::from(holds(found.interval, truth));
        }
    }
    let mut checked = 0;
    for (measure, covered) in measures.iter().zip(covered) {
        if truth(&SMALL, &exact, measure.statistic).is_none() {
            continue;
        }
        checked += 1;
        let share = f64::from(covered) / f64::from(REPLICATES);
        let least = if matches!(measure.statistic, Statistic::Deviation(_)) { 0.88 } else { 0.917 };
        assert!(share >= least, "{}: {share}", measure.name);
    }
    assert_eq!(checked, 18);
}

/// Intervals at a stricter level hold together: of all measures at once, at least as often as one alone.
#[test]
fn together_they_hold_as_often_as_one() {
    const REPLICATES: u32 = 400;
    let tidy = policy(&SMALL, "tidy", &[]);
    let exact = distribution(&SMALL, &[&tidy], Limits::default()).expect("small enough");
    let measures = measures(&SMALL);
    let known = |measure: &&Measure| truth(&SMALL, &exact, measure.statistic).is_some();
    let level = Level::SINGLE.among(measures.iter().filter(known).count());
    let mut all = 0;
    for replicate in 0..REPLICATES {
        let tally = play(&SMALL, &tidy, 0..2_000, u64::from(1_000 + replicate));
        let hold = |measure: &Measure| {
            let found = measure.of(sample(&SMALL, &tally), level).expect("trials");
            holds(found.interval, truth(&SMALL, &exact, measure.statistic).expect("known"))
        };
        all += u32::from(measures.iter().filter(known).all(hold));
    }
    assert!(f64::from(all) / f64::from(REPLICATES) >= 0.917, "{all}");
}

/// Counts events and nothing else.
#[derive(Default)]
struct Counter {
    turns: u32,
    rolls: u32,
}

impl Events for Counter {
    fn event(&mut self, _: Seat, event: Event) {
        self.turns += u32::from(event == Event::TURN);
        self.rolls += u32::from(event == Event::ROLL);
    }
}

impl<G: Game> Watch<G> for Counter {}

/// Every game by itself, all values written down and sorted.
#[test]
fn agrees_with_raw_samples() {
    const TRIALS: usize = 3_000;
    let game = Carbonite::WIKI;
    let tidy = policy(&game, "tidy", &[]);
    let keys = Keys::new(7);
    let (mut turns, mut rolls, mut scores, mut early) = (Vec::new(), Vec::new(), Vec::new(), 0);
    let mut causes = BTreeMap::new();
    for number in 0..TRIALS as u64 {
        let mut counter = Counter::default();
        let end = trial(&game, &[&tidy], &mut keys.stream(number, 0), &mut counter);
        let mut values = [0; MAX_METRICS];
        game.measure(end, 0, &mut values);
        scores.push(f64::from(values[0]));
        turns.push(f64::from(counter.turns));
        rolls.push(f64::from(counter.rolls));
        let ending = game.endings()[game.ending(end)];
        early += u32::from(ending.early);
        *causes.entry(ending.name).or_insert(0_u32) += 1;
    }
    let n = TRIALS as f64;
    let sorted = |values: &[f64]| {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted
    };
    let mean = |values: &[f64]| values.iter().sum::<f64>() / n;
    let deviation = |values: &[f64]| {
        let mean = mean(values);
        (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt()
    };
    let tally = play(&game, &tidy, 0..TRIALS as u64, 7);
    let measures = measures(&game);
    let of = |name: &str| find(&measures, name).of(sample(&game, &tally), Level::SINGLE).expect("trials");
    let close = |found: f64, expected: f64| {
        assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0), "{found} {expected}")
    };

    for (name, values) in [("mean turns", &turns), ("mean rolls", &rolls), ("mean score", &scores)] {
        let found = of(name);
        close(found.value, mean(values));
        // Student's t for 2,999 degrees of freedom by its first two terms, and what is unseen in so many trials.
        let (z, freedom) = (1.959_963_984_540_054_f64, n - 1.0);
        let t = z + (z.powi(3) + z) / (4.0 * freedom);
        let half = (t * deviation(values) / n.sqrt()).hypot(40_f64.ln() * deviation(values).max(1.0) / n);
        let found = found.interval.expect("many").high - mean(values);
        assert!((found / half - 1.0).abs() < 1e-6, "{found} {half}");
    }
    // Of 3,000 values the 2,850th is the 95 % quantile; ± 1.96 · √(3000 · 0.95 · 0.05) + ½ are ranks 2827 and 2874, to one or
    // two.
    for (name, values) in [("95 % turns", &turns), ("95 % rolls", &rolls)] {
        let values = sorted(values);
        let found = of(name);
        close(found.value, values[2849]);
        let interval = found.interval.expect("many");
        assert!((values[2824]..=values[2827]).contains(&interval.low), "{interval:?}");
        assert!((values[2872]..=values[2875]).contains(&interval.high), "{interval:?}");
    }
    let by_score = sorted(&scores);
    close(of("median score").value, by_score[1499]);
    close(of("99 % score").value, by_score[2969]);
    close(of("score tail").value, by_score[2969] / by_score[1499]);
    close(of("score spread").value, deviation(&scores));
    close(of("above mark").value, scores.iter().filter(|&&score| score > f64::from(MARK)).count() as f64 / n);
    close(of("early end").value, f64::from(early) / n);
    for (cause, count) in causes.into_iter().filter(|(cause, _)| *cause != "completed") {
        close(of(&format!("early end: {cause}")).value, f64::from(count) / n);
    }
    // The spread's interval from the definition of the fourth moment, and what is unseen in so many trials.
    let (mean, spread) = (mean(&scores), deviation(&scores));
    let fourth = scores.iter().map(|score| (score - mean).powi(4)).sum::<f64>() / n;
    let error = ((fourth - spread.powi(4)) / n).sqrt();
    let unseen = spread.powi(2) * 40_f64.ln() / n;
    let t = 1.959_963_984_540_054 + 2.372_271_231_5 / (n - 1.0);
    let high = of("score spread").interval.expect("many").high;
    assert!((high / (spread.powi(2) + t * error + unseen).sqrt() - 1.0).abs() < 1e-6, "{high}");
}

/// Hold at 20 against itself, 534,698 of a million for the first seat: the exact walk's.
#[test]
fn the_first_seat_of_pig() {
    let (game, hold) = (Pig::STANDARD, policy(&Pig::STANDARD, "hold", &[]));
    let tally = play(&game, &hold, 0..200_000, 3);
    let measures = measures(&game);
    let level = Level::SINGLE.among(1_000);
    let edge = find(&measures, "first-seat edge").of(sample(&game, &tally), level).expect("winners");
    assert!(holds(edge.interval, 0.534_698_326_2 - 0.5), "{edge:?}");
    for (name, share) in [("seat 1 wins", 0.534_698_326_2), ("seat 2 wins", 1.0 - 0.534_698_326_2)] {
        let wins = find(&measures, name).of(sample(&game, &tally), level).expect("winners");
        assert!(holds(wins.interval, 2.0 * share), "1 is fair: {wins:?}");
    }
    let nobody = find(&measures, "no winner").of(sample(&game, &tally), level).expect("trials");
    assert!(nobody.value == 0.0 && holds(nobody.interval, 0.0));
    // Turns of both seats together.
    let turns = find(&measures, "mean turns").of(sample(&game, &tally), level).expect("turns");
    let by_seats: f64 = tally.seats.iter().map(|seat| seat.metrics[1].sums().0 as f64 / 200_000.0).sum();
    assert!((turns.value - by_seats).abs() < 1e-9);
    // Rolls are known a seat only: their means add up, and their deviations at most.
    let rolls = find(&measures, "mean rolls").of(sample(&game, &tally), Level::SINGLE).expect("rolls");
    let by_seats: f64 = tally.seats.iter().map(|seat| seat.metrics[2].sums().0 as f64 / 200_000.0).sum();
    assert!((rolls.value - by_seats).abs() < 1e-9);
    assert!(measures.iter().all(|measure| measure.name != "95 % rolls" && measure.name != "mean score"));
}

/// The winner has the goal, so that the loser's points say the lead.
#[test]
fn close_games_of_pig() {
    let (game, hold) = (Pig::STANDARD, policy(&Pig::STANDARD, "hold", &[]));
    let found = pair(&game, &game, "hold", 20_000);
    let tally = play(&game, &hold, 0..20_000, 2);
    let mut leads = Histogram::default();
    for (points, count) in tally.seats.iter().flat_map(|seat| seat.metrics[4].iter()) {
        if points < 100 {
            leads.add_many(100 - points, count);
        }
    }
    let measures = measures(&game);
    let close = find(&measures, "close games").of(counted(&game, &found, 1), Level::SINGLE).expect("winners");
    let by_hand =
        leads.iter().filter(|(lead, _)| *lead <= 10).map(|(_, count)| count).sum::<u64>() as f64 / 20_000.0;
    assert_eq!(close.value, by_hand);
    // Nobody wins, nobody leads.
    let capped = Pig { turn_cap: 2, ..game };
    let found = pair(&capped, &capped, "hold", 1_000);
    assert_eq!(find(&measures, "close games").of(counted(&capped, &found, 1), Level::SINGLE), None);
}

fn pair<G: Vocabulary>(variant: &G, base: &G, name: &str, trials: u64) -> PairedTally {
    pair_of(variant, base, name, &Plan { seed: 2, trials: 0..trials })
}

fn pair_of<G: Vocabulary>(variant: &G, base: &G, name: &str, plan: &Plan) -> PairedTally {
    let lineups = [variant, base].map(|rules| [vec![policy(rules, name, &[])]]);
    let arms =
        [(variant, &lineups[0]), (base, &lineups[1])].map(|(game, lineups)| Lineups::of(game, lineups));
    let arms = arms.each_ref().map(|arm| arm as _);
    let [of, other] = [variant, base].map(|game| measures(game));
    let (of, other) = ((&*of, variant.metrics()), (&*other, base.metrics()));
    let games = vec![to_count(of, Some((1, other))), to_count(other, None)];
    let none = PairedTally::new(&arms, &[], 0).of_games(games);
    add_paired(&arms, none, plan, &|_| ControlFlow::Continue(()))
}

/// The same rules twice: every difference is exactly 0, with room for what may be unseen.
#[test]
fn identical_variants_differ_in_nothing() {
    for trials in [1, 2, 500] {
        let found = pair(&Carbonite::WIKI, &Carbonite::WIKI, "tidy", trials);
        let samples = [0, 1].map(|arm| counted(&Carbonite::WIKI, &found, arm));
        for measure in measures(&Carbonite::WIKI) {
            let Some(found) = effect([&measure; 2], samples, Level::SINGLE) else {
                continue;
            };
            assert_eq!((found.difference.value, found.base), (0.0, found.variant), "{}", measure.name);
            assert!(found.difference.value.is_sign_positive());
            if let Some(Interval { low, high }) = found.difference.interval {
                assert!(low <= 0.0 && high >= 0.0 && low == -high, "{} {low} {high}", measure.name);
                let is_of_ranks = matches!(measure.statistic, Statistic::Quantile(..) | Statistic::Tail(_));
                assert!(high > 0.0 || is_of_ranks, "{}", measure.name);
            }
        }
    }
}

/// What a rule moves, exactly: the interval of the paired difference holds it and is the narrower one.
#[test]
fn an_effect_agrees_with_exact_values() {
    let variant = Carbonite { turns: 4, ..SMALL };
    let exact = [variant, SMALL].map(|game| {
        distribution(&game, &[&policy(&game, "tidy", &[])], Limits::default()).expect("small enough")
    });
    let found = pair(&variant, &SMALL, "tidy", 100_000);
    let samples = [(&variant, 0), (&SMALL, 1)].map(|(game, arm)| counted(game, &found, arm));
    let alone = samples.map(|sample| Sample { games: None, ..sample });
    let measures = measures(&SMALL);
    // One in ten thousand that any is wrong.
    let level = Level::SINGLE.among(500);
    for measure in &measures {
        let [Some(after), Some(before)] =
            exact.each_ref().map(|exact| truth(&SMALL, exact, measure.statistic))
        else {
            continue;
        };
        let [with, without] =
            [samples, alone].map(|samples| effect([measure; 2], samples, level).expect("trials").difference);
        assert!(holds(with.interval, after - before), "{}: {with:?} {}", measure.name, after - before);
        assert!(holds(without.interval, after - before), "{}", measure.name);
        let width =
            |measured: Estimate| measured.interval.map_or(0.0, |interval| interval.high - interval.low);
        assert!(width(with) <= width(without), "{}", measure.name);
    }
    let score = effect([find(&measures, "mean score"); 2], samples, level);
    let score = score.expect("trials");
    assert!(score.difference.method == Method::Paired && score.difference.value < 0.0);
}

/// In a game for several a mean is that of all seats together, compared trial by trial.
#[test]
fn an_effect_for_several_is_of_the_whole_game() {
    let base = Pig { goal: 40, ..Pig::STANDARD };
    let variant = Pig { goal: 36, ..base };
    let found = pair(&variant, &base, "hold", 20_000);
    let samples = [(&variant, 0), (&base, 1)].map(|(game, arm)| counted(game, &found, arm));
    let alone = samples.map(|sample| Sample { games: None, ..sample });
    let level = Level::SINGLE.among(500);
    for (name, event) in [("mean turns", Event::TURN), ("mean rolls", Event::ROLL)] {
        let metric = base.metrics().iter().position(|metric| metric.counts(event)).expect("it is counted");
        let exact = [variant, base].map(|game| {
            let hold = policy(&game, "hold", &[]);
            let means = distribution(&game, &[&hold, &hold], Limits::default()).expect("small enough").means;
            means[0][metric] + means[1][metric]
        });
        let measures = measures(&base);
        let [with, without] = [samples, alone]
            .map(|samples| effect([find(&measures, name); 2], samples, level).expect("trials").difference);
        assert!(holds(with.interval, exact[0] - exact[1]), "{name}: {with:?} {exact:?}");
        let width =
            |measured: Estimate| measured.interval.map_or(0.0, |interval| interval.high - interval.low);
        assert!(
            with.method == Method::Paired && 2.0 * width(with) < width(without),
            "{name}: {with:?} {without:?}"
        );
    }
}

/// What every trial of a game of Pig comes to, from rows of its own: whether seats win, points, turns of all seats.
fn games_of(game: &Pig, trials: u64) -> Vec<(Vec<f64>, Vec<u32>, u32)> {
    let (hold, keys) = (policy(game, "hold", &[]), Keys::new(2));
    let of = |number| {
        let mut counter = Counter::default();
        let end = trial(game, &[&hold], &mut keys.streams(number, game.seats()), &mut counter);
        let measured = |seat| {
            let mut values = [0; MAX_METRICS];
            game.measure(end, seat, &mut values);
            values
        };
        let seats: Vec<_> = (0..game.seats()).map(measured).collect();
        let wins = seats.iter().map(|values| f64::from(values[0])).collect();
        (wins, seats.iter().map(|values| values[4]).collect(), counter.turns)
    };
    (0..trials).map(of).collect()
}

/// The limits of what seats win, of close games and of rounds, under another number of players and a cap that leaves games without
/// a winner: from the single games, what each adds to the ratio written down.
#[test]
fn effects_agree_with_single_games() {
    const TRIALS: u64 = 10_000;
    let base = Pig::STANDARD;
    for variant in [Pig { players: 3, ..base }, Pig { turn_cap: 18, ..base }] {
        let found = pair(&variant, &base, "hold", TRIALS);
        let rules = [variant, base];
        let games = rules.map(|game| games_of(&game, TRIALS));
        let samples = [0, 1].map(|arm| counted(&rules[arm], &found, arm));
        let measured = rules.map(|game| measures(&game));
        let n = TRIALS as f64;
        for name in ["first-seat edge", "seat 2 wins", "close games", "mean rounds"] {
            // Of every game the number, and whether it is of those that are counted.
            let of = |arm: usize| {
                let seats = rules[arm].players as usize;
                let number = |(wins, points, turns): &(Vec<f64>, Vec<u32>, u32)| {
                    let winner = wins.iter().position(|&win| win > 0.0);
                    let is_close = winner.is_some_and(|winner| {
                        let others = (0..seats).filter(|&seat| seat != winner).map(|seat| points[seat]);
                        points[winner] <= others.max().expect("others") + 10
                    });
                    match name {
                        "first-seat edge" => (wins[0], winner.is_some()),
                        "seat 2 wins" => (seats as f64 * wins[1], winner.is_some()),
                        "close games" => (f64::from(u8::from(is_close)), winner.is_some()),
                        _ => ((f64::from(*turns) / seats as f64).ceil(), true),
                    }
                };
                games[arm].iter().map(number).collect::<Vec<_>>()
            };
            let numbers = [of(0), of(1)];
            let decided = numbers.each_ref().map(|all| all.iter().filter(|(_, is_in)| *is_in).count() as f64);
            let ratio = [0, 1].map(|arm| numbers[arm].iter().map(|(x, _)| x).sum::<f64>() / decided[arm]);
            let added = |at: usize, arm: usize| {
                let (x, is_in) = numbers[arm][at];
                (x - if is_in { ratio[arm] } else { 0.0 }) * n / decided[arm]
            };
            let squares: f64 = (0..games[0].len()).map(|at| (added(at, 0) - added(at, 1)).powi(2)).sum();
            let error = (squares / (n - 1.0) / n).sqrt();
            let fair = |arm: usize| {
                if name == "first-seat edge" { 1.0 / f64::from(rules[arm].players) } else { 0.0 }
            };
            let value = ratio[0] - ratio[1] + fair(1) - fair(0);
            let measures = measured.each_ref().map(|measures| find(measures, name));
            let found = effect(measures, samples, Level::SINGLE).expect("winners");
            let interval = found.difference.interval.expect("many");
            assert!((found.difference.value - value).abs() < 1e-9, "{name}: {found:?} {value}");
            // Student's t of hundreds, and a little room for what was not seen.
            for (limit, sign) in [(interval.low, -1.0), (interval.high, 1.0)] {
                let errors = sign * (limit - value) / error;
                assert!((1.93..2.1).contains(&errors), "{name} under {variant:?}: {errors} {found:?}");
            }
            // Paired, it is narrower than what both limits give.
            let alone = samples.map(|sample| Sample { games: None, ..sample });
            if let Some(apart) = effect(measures, alone, Level::SINGLE) {
                let apart = apart.difference.interval.expect("many");
                assert!(interval.high - interval.low < apart.high - apart.low, "{name}");
            }
        }
    }
}

/// How often limits of what a seat wins miss, over samples of 60 trials of which about half have a winner, mostly the same under both
/// rules.
#[test]
fn effects_on_few_games_with_a_winner_are_covered() {
    let rules =
        [Pig { goal: 40, turn_cap: 8, ..Pig::STANDARD }, Pig { goal: 40, turn_cap: 9, ..Pig::STANDARD }];
    let measured = rules.map(|game| measures(&game));
    let measures = measured.each_ref().map(|measures| find(measures, "seat 1 wins"));
    let value = |trials| {
        let found = pair(&rules[0], &rules[1], "hold", trials);
        let samples = [0, 1].map(|arm| counted(&rules[arm], &found, arm));
        effect(measures, samples, Level::SINGLE).expect("winners").difference.value
    };
    let truth = value(2_000_000);
    let mut missed = 0;
    for seed in 0..400 {
        let found = pair_of(&rules[0], &rules[1], "hold", &Plan { seed: 1_000 + seed, trials: 0..60 });
        let samples = [0, 1].map(|arm| counted(&rules[arm], &found, arm));
        let found = effect(measures, samples, Level::SINGLE).and_then(|found| found.difference.interval);
        missed += u32::from(found.is_some_and(|interval| !(interval.low..=interval.high).contains(&truth)));
    }
    assert!(missed <= 33, "{missed} of 400");
}

/// One trial, values that never vary, nothing at all.
#[test]
fn little_to_say() {
    let none = Tally::new(&Carbonite::WIKI);
    let constant = Carbonite {
        turns: 1,
        points: stopwise_engine::games::carbonite::Points { solid: 0, mixed: 0, single: 0 },
        ..Carbonite::WIKI
    };
    let tidy = policy(&Carbonite::WIKI, "tidy", &[]);
    let one = play(&Carbonite::WIKI, &tidy, 0..1, 1);
    let same = play(&constant, &policy(&constant, "tidy", &[]), 0..1_000, 1);
    for (tally, is_empty) in [(&none, true), (&one, false), (&same, false)] {
        for measure in measures(&Carbonite::WIKI) {
            let found = measure.of(sample(&Carbonite::WIKI, tally), Level::SINGLE);
            assert!(!is_empty || found.is_none(), "{}", measure.name);
            if let Some(Estimate { value, interval, .. }) = found {
                assert!(value.is_finite(), "{}", measure.name);
                if let Some(Interval { low, high }) = interval {
                    assert!(
                        low <= value && value <= high && low.is_finite() && high.is_finite(),
                        "{}",
                        measure.name
                    );
                }
            }
        }
    }
    let of = |name| find(&measures(&constant), name).of(sample(&constant, &same), Level::SINGLE);
    // A score of 1 with a chance of −ln 0.025 / n is unseen in one run of forty.
    let unseen = 40_f64.ln() / 1_000.0;
    let is_about = |found: Option<f64>, expected: f64| found.is_some_and(|it| (it - expected).abs() < 1e-12);
    let high = |name| of(name).and_then(|found| found.interval).map(|interval| interval.high);
    assert!(is_about(high("mean score"), unseen) && is_about(high("score spread"), unseen.sqrt()));
    assert_eq!(of("score tail"), None, "the median is 0");
    let single = find(&measures(&constant), "mean score").of(sample(&constant, &one), Level::SINGLE);
    assert!(single.is_some_and(|found| found.interval.is_none()));

    let lineups = [[vec![policy(&constant, "tidy", &[])]], [vec![policy(&constant, "first", &[])]]];
    let arms = lineups.each_ref().map(|lineups| Lineups::of(&constant, lineups));
    let found = run_paired(
        &arms.each_ref().map(|arm| arm as _),
        &[(0, 1)],
        &Plan { seed: 1, trials: 0..100 },
        0,
        &|_| ControlFlow::Continue(()),
    );
    let scores = [0, 1].map(|arm| found.arms[arm].histogram(0).into_owned());
    let skill = Skill::Alone { gap: found.pairs[0].metrics[0].clone(), scores, better: Better::Higher };
    assert_eq!(skill.size(Level::SINGLE), None, "the score never varies");
    assert!(Skill::Same { seats: 1 }.size(Level::SINGLE).is_some_and(is_nothing));
    assert_eq!(Skill::Table { wins: (0.0, 0), seats: 2 }.size(Level::SINGLE), None);
}

/// A variant that meets its targets by a hair hardly ever leaves a screening, one that fails by a little leaves it.
#[test]
fn screening() {
    const REPLICATES: u64 = 300;
    let tidy = policy(&SMALL, "tidy", &[]);
    let exact = distribution(&SMALL, &[&tidy], Limits::default()).expect("small enough");
    let measures = measures(&SMALL);
    let names = ["mean score", "mean turns", "early end", "99 % score", "above mark"];
    let at = |name: &str| truth(&SMALL, &exact, find(&measures, name).statistic).expect("known");
    let screening = Screening::new(0.05, 1, names.len(), 16_000);
    assert_eq!(screening.check_points(), [1_000, 4_000, 16_000]);
    assert_eq!(Screening::new(0.05, 1, 1, 300).check_points(), [300]);
    let (mut wrong, mut found) = (0, 0);
    for seed in 0..REPLICATES {
        let mut tally = Tally::new(&SMALL);
        let (mut has_left, mut leaves) = (false, false);
        let mut played = 0;
        for check in screening.check_points() {
            tally.merge(&play(&SMALL, &tidy, played..check, seed));
            played = check;
            let look = |name: &str, bounds: &Bounds| {
                screening.look(find(&measures, name), bounds, sample(&SMALL, &tally))
            };
            for name in names {
                let kept = Bounds { at_least: Some(at(name)), at_most: Some(at(name)) };
                has_left |= look(name, &kept).fails;
            }
            leaves |=
                look("mean score", &Bounds { at_least: Some(at("mean score") * 1.1), at_most: None }).fails;
        }
        wrong += u64::from(has_left);
        found += u64::from(leaves);
    }
    // 5 % of 300 and three standard errors.
    assert!(wrong <= 26, "{wrong}");
    assert!(found > REPLICATES * 9 / 10, "{found}");
    // What has no sequence, and what was not counted, never fails.
    let tally = play(&SMALL, &tidy, 0..16_000, 1);
    let impossible = Bounds { at_least: Some(1e9), at_most: None };
    let spread = screening.look(find(&measures, "score spread"), &impossible, sample(&SMALL, &tally));
    assert!(!spread.fails && spread.shortfall > 0.0);
    assert_eq!(impossible.judge(spread.measured.expect("counted").interval), Verdict::Undecided);
}
