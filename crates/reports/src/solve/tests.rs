//! Whole answers, about values that are given.

use stopwise_engine::game::{AnswerForm, Event, Role};

use super::*;

const SCORE: Metric = Metric::end("score", "points", "what was scored");
const TURNS: Metric = Metric::count("turns", "turns", "how long it took", Event::TURN).less();
const SHARE: Metric =
    Metric { role: Role::Share(2), ..Metric::end("share", "1/2 games", "a share of the win") };

/// Best play is worth this in a game of one decision, played for the first of these metrics.
fn solved(seats: usize, metrics: &[Metric], value: Option<f64>, worths: Vec<Worth>) -> SolveReport {
    let best = |value| Solved {
        bounds: [value; 2],
        value,
        error: 0.0,
        states: 3,
        cyclic_stages: 0,
        turn_steps: 0,
        positions: Vec::new(),
    };
    SolveReport {
        game: "race",
        rules: "standard".into(),
        seats,
        is_always_won: true,
        metrics: metrics.to_vec(),
        endings: vec![Ending::regular("goal", "somebody reached the goal"), Ending::CAPPED],
        kinds: vec![Kind { name: "stop", form: AnswerForm::YesNo, actions: 2, meaning: "whether to stop" }],
        features: Vec::new(),
        metric: 0,
        bounds: None,
        best: value.map(best),
        worths,
        surface: None,
        table: None,
        charted: None,
    }
}

/// A policy that is so much worse, and in the second seat against best play, where there are two.
fn worse(label: &str, regret: f64, second: Option<f64>) -> Worth {
    let against = |regret| AgainstBest { value: 0.0, regret, losses: None };
    Worth {
        label: label.into(),
        value: 0.0,
        reply: None,
        regret: Some(regret),
        states: 3,
        alone: None,
        losses: None,
        answers: Vec::new(),
        against_best: second.map(|second| vec![against(regret), against(second)]).unwrap_or_default(),
    }
}

/// A policy in every seat, which wins this in each; a cap cuts off so much.
fn in_all_seats(label: &str, wins: &[f64], capped: f64) -> Worth {
    let alone = Distribution {
        means: wins.iter().map(|&wins| vec![wins]).collect(),
        shares: Vec::new(),
        endings: vec![1.0 - capped, capped],
        states: 3,
    };
    Worth { regret: None, alone: Some(alone), ..worse(label, 0.0, None) }
}

fn said(solved: &SolveReport) -> Vec<String> {
    sections::answer(solved)
}

#[test]
fn alone_policies_are_held_against_best_play() {
    let worths = || vec![worse("tidy", 0.0, None), worse("first", 0.25, None)];
    let wanted = [
        "Best play has a mean score of 8.125000 points.",
        "tidy is best play.",
        "first is 0.250000 points worse.",
    ];
    assert_eq!(said(&solved(1, &[SCORE], Some(8.125), worths())), wanted);
    let told = said(&solved(1, &[TURNS], Some(8.125), worths()));
    assert_eq!(told[..2], ["Best play has a mean of 8.125000 turns.", "tidy is best play."]);
    // One game in ten is cut off.
    let told = said(&solved(1, &[SCORE], Some(8.125), vec![in_all_seats("tidy", &[8.0], 0.1)]));
    let capped = "With tidy, 10.00 % of the games end at the turn cap without a winner.";
    assert_eq!(told, [capped, wanted[0]]);

    let mut same = solved(1, &[SCORE, TURNS], Some(8.0), worths());
    same.bounds = Some((8.0, 12.0));
    let wanted = [
        "Best play has a mean score of 8.000000 points.",
        "However it is played, score (points) is 8: name another `--metric`, `turns`.",
    ];
    assert_eq!(said(&same), wanted);
    same.metrics.truncate(1);
    assert_eq!(said(&same)[1], "However it is played, score (points) is 8.");
}

/// What the first seat does not win, the second does, or they tie, or nobody wins.
#[test]
fn of_two_seats_the_rest_is_told() {
    let start = "With best play on both sides the first seat wins";
    let told = |metrics: &[Metric], value, is_always_won| {
        let solved = SolveReport { is_always_won, ..solved(2, metrics, Some(value), Vec::new()) };
        said(&solved).remove(0)
    };
    let all = format!("{start} 53.000000 % of the games, and the second seat the other 47.000000 %.");
    assert_eq!(told(&[Metric::WIN], 0.53, true), all);
    let some = "53.000000 % of the games; the other 47.000000 % are wins of the second seat, and games that nobody wins.";
    assert_eq!(told(&[Metric::WIN], 0.53, false), format!("{start} {some}"));
    let ties = "40.000000 % of the games; the other 60.000000 % are wins of the second seat and ties.";
    assert_eq!(told(&[Metric::WIN, SHARE], 0.4, true), format!("{start} {ties}"));
    // 1.06 halves are 53 %.
    let shared = "53.000000 % of the games, ties shared, and the second seat the other 47.000000 %.";
    assert_eq!(told(&[SHARE, Metric::WIN], 1.06, true), format!("{start} {shared}"));
    let amount = "The first seat has 3.500000 points in the mean (score), where it plays for the most of it, and the second \
                  seat for its having the least.";
    assert_eq!(told(&[SCORE], 3.5, true), amount);
}

#[test]
fn of_two_seats_policies_are_told_in_both() {
    let worths = [("best", 0.0, 0.0), ("first", 0.0, 0.01), ("hold", 0.02, 0.01)];
    let worths = worths.map(|(label, regret, second)| worse(label, regret, Some(second)));
    let told = said(&solved(2, &[Metric::WIN], Some(0.53), worths.into()));
    let wanted = [
        "best is best play against its best opponent.",
        "first is best play in the first seat against its best opponent; in the second it is 1.000000 percentage points worse \
         than best play.",
        "hold is 2.000000 percentage points worse against its best opponent.",
    ];
    assert_eq!(told[1..], wanted);
}

/// Among three there is no best play, but what each seat wins.
#[test]
fn of_three_seats_each_is_told() {
    let hold = || in_all_seats("hold", &[0.36, 0.33, 0.3], 0.01);
    let told = said(&solved(3, &[Metric::WIN], None, vec![hold()]));
    let wanted = [
        "With hold in every seat, 1.00 % of the games end at the turn cap without a winner.",
        "With hold in every seat, seat 1 wins 36.000000 % of the games, seat 2 33.000000 % and seat 3 30.000000 %.",
    ];
    assert_eq!(told, wanted);
}
