//! Whole answers, about tables and races whose numbers are given.

use stopwise_analysis::rank::{Aim, RaceConfig, Resolution, tables};
use stopwise_document::text::{Style, text};

use stopwise_engine::arms::Products;
use stopwise_engine::game::Better;

use super::*;
use crate::tables::Ending;

const SCORE: Metric = Metric::end("score", "points", "what was scored");
const TOGETHER: &str =
    "All of this holds together with 95 % confidence (from the exact limits at every table, by MOVER).";

/// A ranking by a round robin of 1,000 games a table, at which the policy with one seat wins as often as this says.
fn ranked<const N: usize>(labels: [&str; N], seats: usize, wins: impl Fn(&Matchup) -> u64) -> RankReport {
    let played = |table: Matchup| Matchup { games: 1000, decided: 1000, wins: wins(&table) as f64, ..table };
    let found = RoundRobin::new(N, seats, tables(N, seats).into_iter().map(played).collect(), 0.05);
    by(&labels, seats, Metric::WIN, found.ranking(), By::RoundRobin(found))
}

fn by(labels: &[&str], seats: usize, metric: Metric, ranking: Ranking, by: By) -> RankReport {
    RankReport {
        game: "hands",
        rules: "three".into(),
        seats,
        seed: 1,
        alpha: 0.05,
        metric,
        shared: None,
        labels: labels.iter().map(|&label| label.to_owned()).collect(),
        ranking,
        by,
        fresh: None,
        alike: None,
        same: (Vec::new(), 0),
    }
}

/// Two that win half of their games of each other may play alike: that is seen from their answers.
#[test]
fn those_that_play_alike_are_named() {
    let mut ranked =
        ranked(["hold", "keep", "stay", "deep"], 2, |table| if table.one == 3 { 700 } else { 500 });
    let told = |ranked: &RankReport| ranked.report(None).answer.last().cloned();
    assert_eq!(told(&ranked).as_deref(), Some(TOGETHER));
    let same = "play alike: each against itself, they give the same answers in all of 200 games.";
    ranked.same = (vec![vec![0, 1]], 200);
    assert_eq!(told(&ranked), Some(format!("hold and keep {same}")));
    ranked.same = (vec![vec![0, 1, 2]], 200);
    assert_eq!(told(&ranked), Some(format!("hold, keep and stay {same}")));
}

/// A policy may be best in the mean for what it has from a weak one: each of two is level with the other, or beats it.
#[test]
fn the_best_in_the_mean_is_held_against_each_of_the_others_alone() {
    let told = |against_clock: u64, of_clock: u64| {
        // Of four seats 250 wins are fair; the third policy wins nothing.
        let ranked = ranked(["clock", "deep", "one"], 4, |table| match (table.one, table.others) {
            (1, 0) => against_clock,
            (0, 1) => of_clock,
            (1, 2) => 990,
            (0, 2) => 700,
            _ => 10,
        });
        ranked.report(None).answer[0].clone()
    };
    let level = told(250, 245);
    assert!(level.starts_with("Best: deep, wins 62.0 %"), "{level}");
    assert!(
        level.contains(" in the mean over all others; whether it beats clock alone is not known; "),
        "{level}"
    );
    let beaten = told(200, 300);
    assert!(
        beaten.starts_with("Best in the mean over all others: deep, ")
            && beaten.contains("; clock beats it alone; "),
        "{beaten}"
    );
    let dominating = told(350, 150);
    assert!(
        dominating.contains(" in the mean over all others, and beats each of them alone; "),
        "{dominating}"
    );
}

/// Of four seats 250 wins are fair: whoever has more among those who play as the first is named, the most first, and so is each of
/// whom nothing is known.
#[test]
fn nobody_who_has_more_than_is_fair_is_left_out() {
    let ranked =
        ranked(["clock", "deep", "one", "odd", "even"], 4, |table| match (table.one, table.others) {
            (1, 3) => 400,
            (3, 1) => 990,
            (1, 4) | (4, 1) | (1, 2) | (2, 1) => 600,
            (1, _) => 999,
            (0, 1) => 320,
            _ => 100,
        });
    let told = ranked.report(None).answer;
    let open = "; odd beats it alone; whether it beats one or even alone is not known; ";
    assert!(
        told[0].starts_with("Best in the mean over all others: deep, ") && told[0].contains(open),
        "{told:?}"
    );
    let ahead = "With one seat among deep, more than a fair share is won by odd (99.0 %), one (60.0 %), even (60.0 %) and clock \
                 (32.0 %).";
    assert!(told.iter().any(|told| told == ahead), "{told:?}");
}

/// Among four, one A among Bs and one B among As may both win more than is fair.
#[test]
fn the_best_may_leave_a_lone_rival_more_than_is_fair() {
    let ranked = ranked(["clock", "deep", "one"], 4, |table| match (table.one, table.others) {
        (1, 0) => 400,
        (0, 1) => 320,
        (1, 2) => 990,
        (0, 2) => 700,
        _ => 10,
    });
    let report = ranked.report(None);
    let [first, second, ..] = &report.answer[..] else { panic!("{:?}", report.answer) };
    let more = ", and more with one seat among each of them than they do with one seat among its like; ";
    assert!(first.contains(more) && !first.contains("beats each"), "{first}");
    assert_eq!(second, "With one seat among deep, more than a fair share is won by clock (32.0 %).",);
    let told = text(&report, Style::PLAIN).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("A beats B: one A among Bs wins more than one B among As; "), "{told}");
}

/// Stone, scissors, paper: each wins nine of ten games against the next.
#[test]
fn cycles_are_told() {
    let ranked = ranked(["stone", "scissors", "paper"], 2, |table| {
        let beats = (table.one + 1) % 3 == table.others;
        if beats { 900 } else { 100 }
    });
    let report = ranked.report(Some(Tables::new(&Ending(false))));
    let steps = report.dataset("cycles.csv").expect("the cycles").rows.iter();
    let steps: Vec<_> = steps
        .map(|row| row.iter().map(stopwise_document::Cell::written).collect::<Vec<_>>().join(","))
        .collect();
    let share = "0.900000000,1";
    let wanted = [
        format!("1,stone,scissors,{share}"),
        format!("1,scissors,paper,{share}"),
        format!("1,paper,stone,{share}"),
    ];
    assert_eq!(steps, wanted);
    let told = text(&report, Style::PLAIN);
    let line =
        "stone beats scissors (90.00 %), scissors beats paper (90.00 %), paper beats stone (90.00 %).\n";
    assert!(told.contains(line) && told.contains("It is not known which of the 3 is best."), "{told}");
}

fn said(ranked: &RankReport) -> Vec<String> {
    answer::answer(ranked, &ranked.rows())
}

/// Of 1,000 games with two seats: the exact limits of 62 % are 58.91 % and 65.02 %, those of 51 % 47.85 % and 54.14 %, and those
/// of 640 of 800 games 77.06 % and 82.72 %.
#[test]
fn two_are_held_against_each_other() {
    let duel = |wins| ranked(["deep", "naive"], 2, move |_| wins);
    let best = "Best: deep, wins 62.0 % (58.9 % to 65.1 %) of the games with a winner against naive.";
    assert_eq!(said(&duel(620)), [best, TOGETHER]);
    let open = "Best seen: deep, wins 51.0 % (47.8 % to 54.2 %) of the games with a winner against naive.";
    assert_eq!(said(&duel(510)), [open, "It is not known which of the two is better.", TOGETHER]);

    // Each of four seats is told by itself: three intervals at once, of which that of 40 % is 36.29 % to 43.79 %.
    let four = ranked(["deep", "naive"], 4, |table| [400, 250][table.one]);
    let best = "Best: deep, wins 40.0 % (36.2 % to 43.8 %) of the games with a winner, with one seat at a table of naive; a fair \
                share is 25.00 %.";
    assert_eq!(said(&four), [best, TOGETHER]);

    let mut ties = tables(2, 2);
    ties[0] = Matchup { games: 1000, decided: 800, wins: 640.0, ..ties[0] };
    let robin = RoundRobin::new(2, 2, ties, 0.05);
    let mut ties = by(&["deep", "naive"], 2, Metric::WIN, robin.ranking(), By::RoundRobin(robin));
    ties.fresh =
        Some(Fresh { first_trial: 0, trials: 10_000, mean: Estimate::share(6200, 10_000, Level::SINGLE) });
    let wanted = [
        "Nobody wins 20.00 % of the games of deep with naive. They are ties, or a policy never stops: `stopwise policy check` \
         plays some games and says where.",
        "Best: deep, wins 80.0 % (77.0 % to 82.8 %) of the games with a winner against naive.",
        TOGETHER,
        "deep was chosen because it did well, which flatters its result above: in 10,000 fresh games it wins 62.00 % of the \
         games with a winner (95 %: 61.04 % to 62.96 %).",
    ];
    assert_eq!(said(&ties), wanted);
}

/// Three policies have twelve intervals at once. A mean of two shares has the exact limits of each at 0.05 / 12, their distances
/// added as squares: 72.11 % to 77.68 % of 70 % and 80 %, 48.04 % to 51.96 % of 90 % and 10 %, 63.01 % to 68.87 % of 52 % and 80 %.
#[test]
fn three_are_settled_go_in_a_circle_or_stay_open() {
    let labels = ["deep", "clock", "naive"];
    let of = |wins: [u64; 3]| ranked(labels, 2, move |table| wins[table.one + table.others - 1]);
    let best = "Best: deep, wins 75.0 % (72.1 % to 77.7 %) of the games with a winner, in the mean over all others, and beats \
                each of them alone.";
    assert_eq!(said(&of([700, 800, 700])), [best, TOGETHER]);

    let circle = "Best seen in the mean over all others: deep, wins 50.0 % (48.0 % to 52.0 %) of the games with a winner; naive \
                  beats it alone.";
    let unknown = "It is not known which of the 3 is best.";
    assert_eq!(said(&of([900, 100, 900])), [circle, unknown, TOGETHER]);

    let ahead = "Best seen: deep, wins 66.0 % (63.0 % to 68.9 %) of the games with a winner, in the mean over all others; \
                 whether it beats clock alone is not known.";
    assert_eq!(said(&of([520, 800, 790])), [ahead, "May be the best as well: clock.", TOGETHER]);
}

/// After 18 games a table A has won 14 against B and 9 against C, 63.9 % in the mean, and B all against C, 61.1 %: B is known to be
/// better than C, and A, whose games with C are even, is not.
#[test]
fn the_first_by_places_is_not_the_best_seen() {
    let won = [14.0, 9.0, 18.0];
    let played =
        |table: Matchup| Matchup { games: 18, decided: 18, wins: won[table.one + table.others - 1], ..table };
    let robin = RoundRobin::new(3, 2, tables(3, 2).into_iter().map(played).collect(), 0.05);
    let told = said(&by(&["a", "b", "c"], 2, Metric::WIN, robin.ranking(), By::RoundRobin(robin)));
    let first = "First by its places: b, wins 61 % (43 % to 80 %) of the games with a winner, in the mean over all others; whether \
                 it beats a alone is not known.";
    assert_eq!(told, [first, "May be the best as well: a.", TOGETHER]);
}

/// A race of policies that have one value in even trials and one in odd ones, up to 1,000 trials.
fn raced(labels: &[&str], aim: Aim, resolution: f64, values: &[[u32; 2]]) -> RankReport {
    let config = RaceConfig {
        alpha: 0.05,
        most: 1000,
        aim,
        resolution: Resolution::Absolute(resolution),
        better: Better::Higher,
        range: None,
    };
    let mut race = Race::new(values.len(), config);
    while let Some(leg) = race.leg() {
        let column =
            |&arm: &usize| leg.trials.clone().map(move |trial| values[arm][usize::from(trial % 2 == 1)]);
        let mut products = Products::new(leg.arms.len());
        products.add_block(&leg.arms.iter().map(|arm| column(arm).collect()).collect::<Vec<_>>());
        race.enter(&products);
    }
    by(labels, 1, SCORE, race.ranking(), By::Race(Box::new(race)))
}

/// Where two policies have one value each, nothing is known of them.
#[test]
fn a_race_is_settled_or_not() {
    let together = "All of this holds together with 95 % confidence (at every moment of the race).";
    let best = "Best: a, mean score 10.00 points (9.86 to 10.14).";
    let apart = [[11, 9], [10, 8], [8, 6]];
    let order = "Settled after 1,000 trials: of every two policies it is known which is better, or that they are within 0.5 \
                 points.";
    assert_eq!(said(&raced(&["a", "b", "c"], Aim::Order, 0.5, &apart)), [best, order, together]);
    let one = "Settled after 1,000 trials: the best is known.";
    assert_eq!(said(&raced(&["a", "b", "c"], Aim::Best, 0.5, &apart)), [best, one, together]);

    let level = [[11, 9], [11, 9], [8, 6]];
    let wanted = [
        "Best seen: a, mean score 10.00 points (9.86 to 10.14).",
        "May be the best as well: b.",
        "Settled after 1,000 trials: those that may be the best are within 0.5 points of each other.",
        together,
    ];
    assert_eq!(said(&raced(&["a", "b", "c"], Aim::Best, 0.5, &level)), wanted);

    let told = said(&raced(&["a", "b"], Aim::Order, 0.01, &[[10, 8], [8, 10]]));
    assert!(told[0].starts_with("Best seen: ") && told[0].contains(", mean score 9.00 points ("), "{told:?}");
    let wanted = [
        "It is not known which of the two is better.",
        "Not settled after 1,000 trials: 2 policies can neither be distinguished from all others nor shown to be within 0.01 \
         points; more --trials would show it.",
        together,
    ];
    assert_eq!(told[1..], wanted);

    let same = said(&raced(&["a", "b"], Aim::Order, 0.01, &[[9, 9], [9, 9]]));
    assert_eq!(same, ["In all 1,000 trials score (points) is 9: name another `--metric`."]);
}
