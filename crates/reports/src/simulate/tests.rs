//! Whole answers, about tallies whose numbers are given. Limits of shares are the exact ones of binomial counts.

use std::ops::RangeInclusive;

use stopwise_engine::game::Role;
use stopwise_engine::tally::{Histogram, SeatTally};

use super::*;
use crate::cap;

const SCORE: Metric = Metric::end("score", "points", "what was scored");

/// A tally of seats with one metric each: values with how many trials have them. A cap cuts off so many of the trials.
fn tally(seats: &[&[(u32, u64)]], capped: u64) -> Tally {
    let seat = |values: &&[(u32, u64)]| SeatTally {
        metrics: vec![Histogram::from(values.to_vec())],
        busts: Histogram::default(),
    };
    let trials = seats[0].iter().map(|(_, times)| times).sum();
    Tally {
        trials,
        endings: vec![trials - capped, capped],
        first: (0, 0),
        lengths: Histogram::default(),
        seats: seats.iter().map(seat).collect(),
    }
}

fn said(metric: Metric, policies: &[&str], rotations: Vec<Tally>) -> Vec<String> {
    let report = SimulationReport {
        game: "race",
        rules: "standard".into(),
        policies: policies.iter().map(|&policy| policy.to_owned()).collect(),
        metrics: vec![metric],
        endings: vec![Ending::regular("goal", "somebody reached the goal"), Ending::CAPPED],
        tally: Tally::whole(&rotations),
        rotations,
        seed: 1,
        shares_turns: false,
        asked: asked::Asked::default(),
        drawn: None,
        stop: stop::Stop::default(),
    };
    report.report(None).answer
}

fn alone(values: &[(u32, u64)]) -> Vec<String> {
    said(SCORE, &["hold"], vec![tally(&[values], 0)])
}

/// What the seats win of so many games.
fn table(games: u64, wins: &[u64]) -> Tally {
    let seats: Vec<_> = wins.iter().map(|&wins| [(0, games - wins), (1, wins)]).collect();
    tally(&seats.iter().map(|seat| &seat[..]).collect::<Vec<_>>(), 0)
}

/// Mean 10, deviation √2, 10,000 trials: half width 1.9602 · √2 / 100, and the guard, 0.02773. From the first quartile, 8, to the
/// third, 10, are three of four trials.
#[test]
fn a_mean_is_told_with_its_limits_and_the_middle() {
    let values = [(8, 2500), (10, 5000), (12, 2500)];
    let mean = "hold: mean score 10.000 points (95 %: 9.972 to 10.028); 75 % of the trials have 8 to 10";
    assert_eq!(alone(&values), [format!("{mean}.")]);

    let capped = said(SCORE, &["hold"], vec![tally(&[&values], 400)]);
    let told = "4.00 % of the games end at the turn cap without a winner.";
    assert_eq!(capped, [format!("{told} {}", cap::WHY), format!("{mean}; 4.00 % end early.")]);
    for (count, games) in [(1, "One game ends"), (3, "3 games end")] {
        let few = said(SCORE, &["hold"], vec![tally(&[&values], count)]);
        let told =
            format!("{games} at the turn cap without a winner, and all means include them. {}", cap::WHY);
        assert_eq!(few[1], told);
    }
}

/// Of n games that are all alike, at most 1 − 0.025^(1/n) are different: 0.1229 % of 3,000, one of 2711 of 10,000.
#[test]
fn values_that_are_all_alike_are_told_so() {
    assert_eq!(alone(&[(8, 1)]), ["hold: 8 points in the only trial."]);
    for (trials, told, most) in
        [(3000, "3,000 trials", "0.13 % of the games"), (10_000, "10,000 trials", "1 of 2711 games")]
    {
        let wanted =
            format!("hold: score 8 points in all of {told}; anything else comes in at most {most} (95 %).");
        assert_eq!(alone(&[(8, trials)]), [wanted]);
    }
}

/// Of 10,000 games 5,300 are 52.016 % to 53.982 %, 5,050 are 49.515 % to 51.485 %, 4,000 are 39.038 % to 40.968 %. Seats that
/// differ have limits that do not overlap.
#[test]
fn who_wins_is_told_where_it_is_known() {
    let won = |policies: &[&str], wins: &[u64]| said(Metric::WIN, policies, vec![table(10_000, wins)]);
    let two = |wins: [u64; 2]| won(&["a", "b"], &wins);
    let known = "Seat 1 · a wins most often: 53.00 % (95 %: 52.01 % to 53.99 %) of the games.";
    assert_eq!(two([5300, 4700]), [known]);
    let open = "Seat 2 · b wins 50.50 % (95 %: 49.51 % to 51.49 %) of the games, the next 49.50 %: these trials do not show who \
                wins more often.";
    assert_eq!(two([4950, 5050]), [open]);
    assert_eq!(two([0, 0]), ["Nobody wins a game."]);
    let three = "Seat 3 · c wins most often: 40.00 % (95 %: 39.03 % to 40.97 %) of the games.";
    assert_eq!(won(&["a", "b", "c"], &[2700, 3300, 4000]), [three]);
    let one = said(Metric::WIN, &["a", "b"], vec![table(1, &[0, 1])]);
    assert_eq!(one, ["Seat 2 · b wins the only trial."]);

    // Two halves are a win: 5,000 and 600 halves are 5,300 wins.
    let share = Metric { role: Role::Share(2), ..Metric::end("share", "1/2 games", "a share of the win") };
    let shared = |seats: [&[(u32, u64)]; 2]| said(share, &["a", "b"], vec![tally(&seats, 0)]);
    let halves = [(0, 4400), (1, 600), (2, 5000)];
    let tied = shared([&halves, &[(0, 5000), (1, 600), (2, 4400)]]);
    assert_eq!(tied, [known.replace("games.", "games, ties shared.")]);
    // 1 − 0.025^(1/1000) is 0.3682 %, and 1 − 0.025^(1/800) 0.4601 %.
    let all = shared([&[(1, 1000)], &[(1, 1000)]]);
    let told = "Every game ends in a tie of all seats, in all 1,000 games";
    assert_eq!(all, [format!("{told}; anything else comes in at most 0.37 % of the games (95 %).")]);
    let some = shared([&[(0, 200), (1, 800)], &[(0, 200), (1, 800)]]);
    let most = "; anything else comes in at most 0.47 % of the games (95 %).";
    assert_eq!(some, [format!("{} with a winner{most}", told.replace("1,000", "800"))]);
    assert_eq!(shared([&[(1, 1)], &[(1, 1)]]), ["Several share the win of the only trial."]);
}

/// Of three the first has half of each win; the others share the rest.
#[test]
fn ties_of_some_are_told_before_who_has_most() {
    let share = Metric { role: Role::Share(6), ..Metric::end("share", "1/6 games", "a share of the win") };
    let seats: [&[(u32, u64)]; 3] = [&[(3, 1000)], &[(0, 500), (3, 500)], &[(0, 500), (3, 500)]];
    let told = said(share, &["a", "b", "c"], vec![tally(&seats, 0)]);
    assert_eq!(told[0], "No seat wins a game alone: all 1,000 games end in ties.");
    assert!(told[1].starts_with("Seat 1 · a wins most often: 50.0 % (95 %: "), "{told:?}");
}

/// In the second rotation A has the second seat: it wins 3,000 and 2,300 games of 5,000 each, as above. With two seats of three B
/// wins more games than A, 5,400 of 9,000, but fewer with each: 30 %, against 3,600, which are 38.986 % to 41.021 %.
#[test]
fn policies_change_seats() {
    let rotated = |policies: &[&str], rotations: Vec<Tally>| said(Metric::WIN, policies, rotations);
    let told = rotated(&["a", "b"], vec![table(5000, &[3000, 2000]), table(5000, &[2700, 2300])]);
    assert_eq!(told, ["a wins most often: 53.00 % (95 %: 52.01 % to 53.99 %) of the games."]);
    let told = rotated(&["hold", "hold"], vec![table(5000, &[2650, 2350]), table(5000, &[2650, 2350])]);
    assert_eq!(
        told,
        ["hold has every seat: the first seat wins 53.00 % (95 %: 52.01 % to 53.99 %) of the games."]
    );
    let turns = [[1200, 900, 900], [900, 1200, 900], [900, 900, 1200]].map(|wins| table(3000, &wins));
    let told = rotated(&["a", "b", "b"], turns.to_vec());
    let wanted = "a wins most often for each of its seats: 40.0 % (95 %: 38.9 % to 41.1 %) of the games.";
    assert_eq!(told, [wanted]);

    // Of 50 games A wins 30 with two seats, 22.59 % to 36.80 % each, B 14 with two, and C 6 with one, of which less is known: up to
    // 24.31 %.
    let named = |rotation| if rotation < 4 { [3, 3, 2, 1, 1] } else { [3, 3, 1, 1, 2] };
    let seats =
        |rotation: usize| [0, 1, 2, 3, 4].map(|seat: usize| named(rotation)[(seat + 5 - rotation) % 5]);
    let told = rotated(&["a", "a", "b", "b", "c"], (0..5).map(|at| table(10, &seats(at))).collect());
    let wanted = "a wins 30.0 % (95 %: 22.5 % to 36.8 %) of the games for each of its seats, the next 14.0 %: these trials do not show \
                  who wins more often.";
    assert_eq!(told, [wanted]);
}

/// Of 10,000 games 5,773 have 18 turns or fewer and all but one in 400 have 18 to 20; of others 97 in 100 have 9.
#[test]
fn what_is_not_half_and_not_all_is_not_told_as_such() {
    let told = |values: &[(u32, u64)], range: RangeInclusive<u32>, usual| {
        let part = answer::part_of(&Histogram::from(values.to_vec()), range.clone(), usual);
        format!("{part} have {}", answer::reaching(range))
    };
    let (half, most) = ((0.5, "half"), (0.9, "90 of 100"));
    let lengths = [(18, 5_773), (19, 2_000), (20, 2_202), (27, 25)];
    assert_eq!(told(&lengths, 0..=18, half), "58 % have 0 to 18");
    assert_eq!(told(&lengths, 18..=20, most), "more than 99 % have 18 to 20");
    assert_eq!(told(&lengths, 18..=27, most), "100 % have 18 to 27");
    assert_eq!(told(&[(9, 9_700), (10, 300)], 9..=9, most), "97 % have 9");
    assert_eq!(told(&[(9, 5_190), (10, 4_810)], 9..=9, half), "half have 9");
}
