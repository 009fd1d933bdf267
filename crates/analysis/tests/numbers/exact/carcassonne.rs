//! Carcassonne: The Dice Game: exact values against those of the rules page, which an independent program computed.

#[path = "../../../examples/carcassonne.rs"]
#[allow(dead_code, reason = "the example prints what is tested here")]
mod example;

use std::collections::{HashMap, HashSet};

use stopwise_analysis::exact::{
    ByTurns, ExactError, Limits, Objective, Part, Situations, Solution, by_turns, distribution, situations,
    solve,
};
use stopwise_engine::game::{Action, Game, Node, NodeOf, Policy, Question};
use stopwise_engine::games::carcassonne::{Carcassonne, KEEP, NineCatapults, STOP, State};
use stopwise_engine::kept::{Covers, Kept, WithinTurns};
use stopwise_engine::turn_values::TurnValues;
use stopwise_engine::vocabulary::Vocabulary as _;
use stopwise_policy::{Text, TextPolicy, shipped};

const SOLO: Carcassonne = Carcassonne::SOLO;

fn policy(game: &Carcassonne, answers: &str) -> TextPolicy<Carcassonne> {
    let head = "game = \"carcassonne\"\nname = \"mine\"\nsummary = \"s\"\n";
    TextPolicy::compile(&Text::new("mine.toml", format!("{head}{answers}")), game, &[]).expect("compiles")
}

/// The mean of a metric of a policy, exactly.
fn mean(game: &Carcassonne, policy: &TextPolicy<Carcassonne>, metric: &str) -> f64 {
    let place = game.metrics().iter().position(|known| known.name == metric).expect("a metric");
    distribution(game, &[policy], Limits::default()).expect("ends").means[0][place]
}

fn assert_close(found: f64, expected: f64, half_unit: f64) {
    assert!((found - expected).abs() <= half_unit, "{found} is not {expected}");
}

/// "Solo turn, policy `one`": the table has five decimals.
#[test]
fn policy_one() {
    let text = shipped::policy("carcassonne", "one").expect("shipped").text();
    for (dice, expected) in [(9, 4.84728), (8, 3.00561), (7, 1.70523), (6, 0.86298), (5, 0.37461)] {
        let game = Carcassonne { dice, ..SOLO };
        let one = TextPolicy::compile(&text, &game, &[]).expect("compiles");
        assert_close(mean(&game, &one, "score"), expected, 0.5e-5);
    }
}

/// "P(at least three knights after three rolls, every knight kept, all else but catapults re-rolled)".
#[test]
fn three_knights() {
    let answers = "place = ['knight', 'done']\nstop = 'false'\nkeep = 'true'";
    for (dice, expected) in [(9, 0.667_024), (8, 0.576_600), (7, 0.471_967), (6, 0.356_657), (5, 0.238_052)] {
        let game = Carcassonne { dice, keeping: true, ..SOLO };
        assert_close(mean(&game, &policy(&game, answers), "knights_kept"), expected, 0.5e-6);
    }
}

/// "All nine catapults: in one given roll 6⁻⁹; over three rolls, nothing placed, (91/216)⁹".
#[test]
fn nine_catapults() {
    let answers = "place = ['done']\nstop = 'false'\nkeep = 'false'";
    let one = Carcassonne { rolls: 1, nine_catapults: NineCatapults::Roll, ..SOLO };
    let chance = mean(&one, &policy(&one, answers), "all_catapults");
    assert_close(chance, 6_f64.powi(-9), 1e-20);
    let chance = mean(&SOLO, &policy(&SOLO, answers), "all_catapults");
    assert_close(chance, (91.0 / 216.0_f64).powi(9), 1e-15);
    let roll = Carcassonne { nine_catapults: NineCatapults::Roll, ..SOLO };
    let off = Carcassonne { nine_catapults: NineCatapults::Off, ..SOLO };
    assert!(mean(&roll, &policy(&roll, answers), "all_catapults") < 3.0 * 6_f64.powi(-9));
    assert_close(mean(&off, &policy(&off, answers), "all_catapults"), 0.0, 0.0);
}

/// "Largest expected points of a solo turn of three rolls without keeping" and of two, by the general walk.
#[test]
fn best_turns_by_the_walk() {
    for (dice, rolls, expected) in [(9, 2, 7.319_365_039_5), (7, 3, 3.731_735_074_8), (5, 3, 1.091_014_277_4)]
    {
        let game = Carcassonne { dice, rolls, ..SOLO };
        let free: [Option<&TextPolicy<Carcassonne>>; 1] = [None];
        let solution = solve(&game, &free, Objective::new(&game, 0), Limits::default()).expect("solves");
        assert!(solution.error() < 1e-12);
        assert_close(solution.middle(), expected, 0.5e-10);
    }
}

/// The same, explored as one part; and one roll leaves nothing better to do than policy `one` does.
#[test]
fn best_turns_as_a_part() {
    for (dice, rolls, expected, half_unit) in [
        (9, 3, 8.550_839_944_0, 0.5e-10),
        (9, 2, 7.319_365_039_5, 0.5e-10),
        (9, 1, 4.847_28, 0.5e-5),
        (7, 3, 3.731_735_074_8, 0.5e-10),
        (5, 3, 1.091_014_277_4, 0.5e-10),
    ] {
        let game = Carcassonne { dice, rolls, ..SOLO };
        let part = Part::explore(&game, game.root(&mut ()), |_| false);
        let points = |node: &NodeOf<Carcassonne>| match node {
            Node::Terminal(end) => [game.score(end, 0) as f64],
            _ => unreachable!("a turn alone is a game"),
        };
        let exits: Vec<_> = part.exits.iter().map(points).collect();
        assert_close(part.evaluate(&exits)[0], expected, half_unit);
        let (steps, part) = (part.len(), part.condensed());
        assert!(part.len() < steps, "{} of {steps}", part.len());
        assert_close(part.evaluate(&exits)[0], expected, half_unit);
    }
}

/// Several turns alone, by the general walk, which leaves out the points so far; and turn by turn, backwards from the last.
#[test]
fn turns_alone_with_knights() {
    for (dice, turns) in [(3, 6), (5, 4)] {
        let game = Carcassonne { players: 1, dice, turns, knights_needed: 2, ..Carcassonne::TWO };
        let free: [Option<&TextPolicy<Carcassonne>>; 1] = [None];
        let solution = solve(&game, &free, Objective::new(&game, 0), Limits::default()).expect("solves");
        let endless = Carcassonne { dice, knights_needed: 2, ..example::endless() };
        let expected = example::several_turns(&endless, turns);
        assert!(expected > 0.0 && solution.error() < 1e-12);
        assert_close(solution.middle(), expected, 1e-12);
    }
}

/// A cell of a row.
fn number<N: std::str::FromStr>(row: &str, place: usize) -> N {
    let cell = row.split(',').nth(place).and_then(|cell| cell.parse().ok());
    cell.unwrap_or_else(|| panic!("a number in place {place} of {row}"))
}

/// The table of best turns, where it takes no more than a few seconds to compute again.
#[test]
fn the_table_of_turns() {
    let table = include_str!("../../data/carcassonne-turns.csv");
    let rows: Vec<_> = table.lines().filter(|line| !line.starts_with('#')).skip(1).collect();
    assert_eq!(rows.len(), 8 * 3);
    for row in rows {
        let (dice, rolls) = (number::<u8>(row, 0), number::<u8>(row, 1));
        let cells: Vec<f64> = (0..6).map(|place| number(row, place)).collect();
        if dice <= 6 {
            assert_close(example::turn_alone(dice, rolls), cells[2], 0.6e-10);
            let (gain, knight, error) = example::long_run(dice, rolls);
            assert_close(gain, cells[3], 0.6e-10);
            assert_close(knight, cells[4], 0.6e-10);
            assert!(error < 1e-11 && gain >= cells[2], "{row}");
        }
    }
}

/// Turn by turn the game for two is worth what the general walk finds: small games, in which positions return.
#[test]
fn two_players_by_the_walk() {
    for (dice, goal, knights_needed) in [(3, 1, 1), (4, 2, 2), (4, 3, 1)] {
        let game = Carcassonne { dice, goal, knights_needed, turn_cap: 60_000, ..Carcassonne::TWO };
        let free: [Option<&TextPolicy<Carcassonne>>; 2] = [None, None];
        let solution = solve(&game, &free, Objective::new(&game, 0), Limits::default()).expect("solves");
        match by_turns(&game, Objective::new(&game, 0), Limits::default()) {
            Ok(turns) => {
                let turns = turns.expect("for two");
                assert!(turns.error < 1e-11, "{}", turns.error);
                assert_close(turns.found.values[0], solution.middle(), turns.error + solution.error());
                kept_by_turns(&game, &turns, &solution);
            }
            // With two dice, while the other keeps the third one, nobody scores.
            Err(error) => assert_eq!((error, dice), (ExactError::Wide { bounds: None }, 3)),
        }
        let endless = Carcassonne { dice, knights_needed, ..example::endless() };
        let (value, error) = example::two_players(&endless, goal.into());
        assert!(error < 1e-9 && solution.error() < 1e-9, "{error} {}", solution.error());
        assert_close(value, solution.middle(), error + solution.error());
    }
}

/// What `Game::states_at_least` rests on: with a higher goal, more rolls, or catapults that win less often, every position
/// before a roll is still there; a cap of turns that the walk leaves out changes none.
#[test]
fn larger_games_have_the_positions_of_smaller_ones() {
    let game = Carcassonne { dice: 3, goal: 2, ..Carcassonne::TWO };
    let positions = |game: &Carcassonne| {
        let free: [Option<&TextPolicy<Carcassonne>>; 2] = [None, None];
        let solution = solve(game, &free, Objective::new(game, 0), Limits::default()).expect("solves");
        solution.rolls().map(|(state, _)| state).collect::<HashSet<_>>()
    };
    let few = positions(&game);
    let higher = positions(&Carcassonne { goal: 3, ..game });
    assert!(few.is_subset(&higher) && few.len() < higher.len());
    for larger in [
        Carcassonne { rolls: 4, ..game },
        Carcassonne { nine_catapults: NineCatapults::Roll, ..game },
        Carcassonne { nine_catapults: NineCatapults::Off, ..game },
    ] {
        assert!(few.is_subset(&positions(&larger)), "{larger:?}");
    }
    assert_eq!(few, positions(&Carcassonne { turn_cap: 21, turns: 9, ..game }));
}

/// To one point, with all dice.
#[test]
fn two_players_to_one_point() {
    let (value, error) = example::two_players(&example::endless(), 1);
    assert!(error < 1e-12);
    assert_close(value, 0.902_597_716_352, 1e-12);
    let game = Carcassonne { goal: 1, ..Carcassonne::TWO };
    let turns =
        by_turns(&game, Objective::new(&game, 0), Limits::default()).expect("solves").expect("for two");
    assert_close(turns.found.values[0], value, error + turns.error);
}

/// Answers from what turns are worth.
#[derive(Debug)]
struct ByTurn<'t>(&'t TurnValues<Carcassonne>);

impl Policy<Carcassonne> for ByTurn<'_> {
    fn choose(&self, _: &Carcassonne, state: State, question: Question) -> Action {
        self.0.worths(state, question).expect("a turn").answers().next().expect("one is best")
    }

    fn memory(&self) -> u32 {
        0
    }
}

/// What is kept of turns is read again, and plays as the walk says; its tables are those of the walk.
fn kept_by_turns(game: &Carcassonne, turns: &ByTurns<Carcassonne>, solution: &Solution<Carcassonne>) {
    let objective = Objective::new(game, 0);
    let kept = Kept::read(game, &objective, &turns.keep(game).into()).expect("whole");
    assert_eq!((kept.covers, kept.positions), (Covers::BetweenTurns, turns.found.values.len()));
    assert_eq!((kept.value, kept.error), (turns.found.values[0], turns.error));
    let Some(WithinTurns::Told(read)) = kept.within_turns(game, objective) else { panic!("all turns") };
    assert_eq!(read.values, turns.found.values);
    let played = distribution(game, &[ByTurn(&read)], Limits::default()).expect("small");
    assert_close(played.means[0][0], solution.middle(), 1e-9);
    let places = ["rolls_left", "dice", "knights", "largest"].map(|name| {
        game.features().iter().position(|feature| feature.name == name).unwrap_or_else(|| panic!("{name}"))
    });
    let mut plain = 0;
    for features in [&places[..2], &places[2..], &places[1..]] {
        let found = |cells: Vec<Situations<bool>>| -> HashMap<_, _> {
            let share = |cell: &Situations<bool>| cell.answered(&true).situations / cell.all().situations;
            cells.into_iter().map(|cell| (cell.values, share(&cell))).collect()
        };
        let is_yes = |_, action| action == Action::YES;
        for kind in [STOP, KEEP] {
            let by_turns = turns.situations(game, kind, features, Limits::default());
            let by_turns = found(by_turns.expect("all turns"));
            let walked = situations(solution, kind, features, &is_yes, Limits::default()).expect("small");
            let walked = found(walked);
            // How often a situation counts differs, and so do shares; not whether it is all of them, or none.
            assert!(by_turns.len() == walked.len() && !walked.is_empty(), "{by_turns:?} {walked:?}");
            for (cell, share) in walked {
                let is_plain = |share: f64| share == 0.0 || share == 1.0;
                assert_eq!(is_plain(share), is_plain(by_turns[&cell]), "{cell:?}");
                if is_plain(share) {
                    assert_eq!(share, by_turns[&cell], "{cell:?}");
                    plain += 1;
                }
            }
        }
    }
    assert!(plain > 5, "{plain}");
}
