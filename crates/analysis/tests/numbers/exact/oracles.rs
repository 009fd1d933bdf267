//! Exact values against published ones and against those of an independent solver. The value of two-player Pig takes as
//! long as all others together, and is tested with the program.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use stopwise_analysis::exact::{ExactError, Limit, Limits, Objective, Progress, distribution, solve};
use stopwise_engine::game::Game;
use stopwise_engine::games::carbonite::{Atom, Carbonite};
use stopwise_engine::games::icedice::{Copies, IceDice};
use stopwise_engine::games::pig::Pig;
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_policy::{TextPolicy, shipped};

fn shipped_policy<G: Vocabulary>(game: &G, name: &str, parameters: &[(&str, &str)]) -> TextPolicy<G> {
    let parameters: Vec<_> = parameters.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let text = shipped::policy(game.info().name, name).expect("shipped").text();
    TextPolicy::compile(&text, game, &parameters).expect("compiles")
}

/// A seat that plays its best needs no policy.
type Seat<'p, G> = Option<&'p TextPolicy<G>>;

fn best<G: Vocabulary>(game: &G, metric: usize) -> (f64, f64) {
    let free: Vec<Seat<G>> = vec![None; game.seats()];
    let solution = solve(game, &free, Objective::new(game, metric), Limits::default()).expect("solves");
    (solution.middle(), solution.error())
}

fn assert_close(found: f64, expected: f64, digits: i32) {
    let half_unit = 0.5 * 10_f64.powi(-digits);
    assert!(
        (found - expected).abs() <= half_unit * 1.000_001,
        "{found} is not {expected} to {digits} digits"
    );
}

/// The rules page of CarboniteDice: an independent solver over all states.
#[test]
fn carbonite_small_variants() {
    let rules = |colours, copies, turns| Carbonite { colours, copies, turns, ..Carbonite::WIKI };
    for (rules, expected) in [
        (rules(2, 2, 3), 17.494_692_849_253),
        (rules(2, 2, 5), 47.848_018_272_364),
        (rules(2, 2, 10), 110.498_207_743_660),
        (rules(4, 1, 10), 52.573_486_512_376),
    ] {
        let (value, error) = best(&rules, 0);
        assert!(error < 1e-9);
        assert_close(value, expected, 11);
    }
}

fn metric<G: Game>(game: &G, name: &str) -> usize {
    game.metrics().iter().position(|metric| metric.name == name).expect("a metric of the game")
}

/// The rules page of IceDice: the chance that the first turn reaches k pieces, and the pieces kept when stopping there.
#[test]
fn icedice_first_turn() {
    let turn = IceDice { turn_cap: 1, ..IceDice::TWO };
    let busts = metric(&turn, "busts");
    for (k, reaches, kept) in [
        ("1", 1.0, 1.0),
        ("2", 5.0 / 6.0, 5.0 / 3.0),
        ("3", 5.0 / 9.0, 5.0 / 3.0),
        ("4", 5.0 / 18.0, 10.0 / 9.0),
        ("5", 5.0 / 54.0, 25.0 / 54.0),
    ] {
        let policy = shipped_policy(&turn, "stop-at", &[("k", k)]);
        let found = distribution(&turn, &[&policy], Limits::default()).expect("ends");
        let unbusted = 1.0 - found.means[0][busts];
        assert_close(unbusted, reaches, 14);
        assert_close(unbusted * k.parse::<f64>().expect("a number"), kept, 14);
    }
}

/// The rules page of IceDice: single copies, one trio, five turns, both stop at one piece.
#[test]
fn icedice_five_turns() {
    let game = IceDice { copies: Copies::Number(1), trios: 1, turn_cap: 5, ..IceDice::TWO };
    let policy = shipped_policy(&game, "stop-at", &[("k", "1")]);
    let found = distribution(&game, &[&policy], Limits::default()).expect("ends");
    let wins = 160_453.0 / 8_731_800.0;
    assert_close(found.means[0][metric(&game, "win")], wins, 15);
    // Only the first seat has three turns.
    assert_close(found.endings[0], wins, 15);
    let steals = metric(&game, "steals");
    assert_close(found.means.iter().map(|seat| seat[steals]).sum(), 0.531_376_886_829, 12);
    // The walk that can look for best play gives the same to this policy in both seats.
    let fixed = [Some(&policy), Some(&policy)];
    let walked = solve(&game, &fixed, Objective::new(&game, 0), Limits::default()).expect("solves");
    assert_close(walked.middle(), wins, 11);
}

/// Neller and Presser, "Optimal Play of the Dice Game Pig" (2004), and the page's other public figures.
#[test]
fn pig_solo() {
    let metric = 0;
    let (least, error) = best(&Pig::SOLO, metric);
    assert!(error < 1e-10, "{error}");
    assert_close(least, 12.545_232_352_0, 10);
    for (n, expected) in [("20", 12.636_769_490_5), ("25", 12.685_158_208_9)] {
        let policy = shipped_policy(&Pig::SOLO, "hold", &[("n", n)]);
        let found = distribution(&Pig::SOLO, &[&policy], Limits::default()).expect("ends");
        assert_close(found.means[0][metric], expected, 10);
        let fixed = [Some(&policy)];
        let walked = solve(&Pig::SOLO, &fixed, Objective::new(&Pig::SOLO, metric), Limits::default());
        assert_close(walked.expect("solves").middle(), expected, 10);
    }
}

#[test]
fn pig_turn_scores() {
    let turn = Pig { turn_cap: 1, goal: 1000, ..Pig::SOLO };
    let points = 4;
    let (most, _) = best(&turn, points);
    assert_close(most, 8.141_794_893_727, 12);
    for n in ["20", "21"] {
        let policy = shipped_policy(&turn, "hold", &[("n", n)]);
        let found = distribution(&turn, &[&policy], Limits::default()).expect("ends");
        assert_close(found.means[0][points], 8.141_794_893_727, 12);
    }
    let policy = shipped_policy(&turn, "hold", &[]);
    let found = distribution(&turn, &[&policy], Limits::default()).expect("ends");
    let shares = &found.shares[0][points];
    let expected = [
        (0, 0.624_540_834_201),
        (20, 0.099_712_986_646),
        (21, 0.094_990_627_487),
        (22, 0.074_188_848_986),
        (23, 0.054_196_084_766),
        (24, 0.035_198_091_574),
        (25, 0.017_172_526_339),
    ];
    assert_eq!(shares.len(), expected.len());
    for (value, share) in expected {
        assert_close(shares[&value], share, 12);
    }
}

#[test]
fn piglet_positions() {
    let free: [Seat<Pig>; 2] = [None, None];
    let objective = Objective::new(&Pig::PIGLET, 0);
    let solution = solve(&Pig::PIGLET, &free, objective, Limits::default()).expect("solves");
    let expected = [
        ([0, 0, 0], 4.0 / 7.0),
        ([0, 0, 1], 5.0 / 7.0),
        ([0, 1, 0], 2.0 / 5.0),
        ([0, 1, 1], 3.0 / 5.0),
        ([1, 0, 0], 4.0 / 5.0),
        ([1, 1, 0], 2.0 / 3.0),
    ];
    let mut met = 0;
    for (state, [low, high]) in solution.rolls().filter(|(state, _)| state.seat() == 0) {
        let score = |seat| u32::from(Pig::PIGLET.score(&state, seat));
        let position = [score(0), score(1), state.turn_total()];
        // Rolling on with a winning total is legal too, and not in the table.
        let Some((_, value)) = expected.iter().find(|(known, _)| *known == position) else {
            assert_eq!(position[0] + position[2], 2);
            continue;
        };
        assert!((low - value).abs() < 1e-11 && (high - value).abs() < 1e-11, "{position:?}: {low}");
        met += 1;
    }
    assert_eq!(met, expected.len());
}

#[test]
fn a_cycle_is_noticed() {
    let free: [Seat<Pig>; 2] = [None, None];
    let rolls = Objective::new(&Pig::PIGLET, 2);
    // Nothing bounds the rolls of a game in which positions return …
    let error = solve(&Pig::PIGLET, &free, rolls, Limits::default()).expect_err("positions return");
    assert!(matches!(error, ExactError::Unbounded { .. }));
    // … while a chance to win has bounds, and CarboniteDice has no cycle.
    let win = Objective::new(&Pig::PIGLET, 0);
    assert!(solve(&Pig::PIGLET, &free, win, Limits::default()).expect("solves").cyclic_stages > 0);
    let small = Carbonite { colours: 2, copies: 1, turns: 4, ..Carbonite::WIKI };
    let score = Objective::new(&small, 0);
    let alone: [Seat<Carbonite>; 1] = [None];
    assert_eq!(solve(&small, &alone, score, Limits::default()).expect("solves").cyclic_stages, 0);
}

#[test]
fn too_many_states_are_refused_with_their_number() {
    let limits = Limits { states: 10_000, ..Limits::default() };
    let free: [Seat<Carbonite>; 1] = [None];
    let refused = |rules: Carbonite| {
        let error = solve(&rules, &free, Objective::new(&rules, 0), limits);
        let Err(ExactError::TooLarge { limit: Limit::States(10_000), size, .. }) = error else {
            panic!("{error:?}")
        };
        size
    };
    // 261,527 in all. A slow machine is told so by a sample before it has found ten thousand.
    let size = refused(Carbonite { colours: 2, ..Carbonite::WIKI });
    let known = size.states.max(size.states_at_least);
    assert!(known > 10_000 && known <= 261_527 && size.stages + size.stages_at_least > 0, "{size:?}");
    // Of this it is known before the walk.
    let size = refused(Carbonite::WIKI);
    assert!(size.states == 0 && size.states_at_least > 40_000_000, "{size:?}");
}

/// What moments lead to is kept where there is room, else found again; what is kept is given up where it is too much.
#[test]
fn less_memory_gives_the_same_values() {
    fn check<G: Vocabulary>(game: &G) {
        let solved = |bytes: usize| {
            let most = AtomicUsize::new(0);
            let watch = |step| {
                if let Progress::Find { size } = step {
                    most.fetch_max(size.bytes, Relaxed);
                }
                ControlFlow::Continue(())
            };
            let limits = Limits { bytes, watch: &watch, ..Limits::default() };
            let free = vec![None::<TextPolicy<G>>; game.seats()];
            let found = solve(game, &free, Objective::new(game, 0), limits).map(|found| found.keep());
            (found, most.into_inner())
        };
        let (best, states) = solved(usize::MAX);
        let best = best.expect("a small game");
        let mut kept = 0;
        for tenths in [5, 10, 11, 12, 15, 20, 25, 40, 100] {
            match solved(states * tenths / 10).0 {
                Ok(found) => {
                    assert!(found == best, "{tenths} tenths");
                    kept += 1;
                }
                Err(error) => assert!(matches!(error, ExactError::TooLarge { .. }), "{error}"),
            }
        }
        assert!((5..9).contains(&kept), "{kept} were solved");
    }
    check(&Carbonite { colours: 3, copies: 1, turns: 6, ..Carbonite::WIKI });
    check(&Carbonite { colours: 2, turns: 5, atom: Atom::Reroll, ..Carbonite::WIKI });
}
