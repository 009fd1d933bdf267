//! Whole answers, about tables whose numbers are given.

use stopwise_analysis::balance::{Quantity, Statistic};
use stopwise_engine::game::{Event, Role};
use stopwise_engine::paired::GameSums;
use stopwise_engine::tally::{Histogram, SeatTally};

use super::*;

/// A table of some seats: what each of them wins of 10,000 games with the best policy everywhere, and what each policy wins
/// with one seat at a table of the first.
struct Played<'p> {
    name: &'p str,
    wins: &'p [u64],
    contests: &'p [u64],
}

const GAMES: u64 = 10_000;

/// A report of such tables, whose best policy is the last. Every seat has nine turns.
fn balanced(policies: &[&str], played: &[Played<'_>]) -> BalanceReport {
    let turns = Measure {
        name: "mean turns".into(),
        unit: "turns",
        definition: String::new(),
        statistic: Statistic::Mean(Quantity::Turns),
    };
    let ruled = |played: &Played<'_>| Ruled {
        name: played.name.into(),
        changed: vec![played.name.into()],
        seats: played.wins.len(),
        metrics: vec![Metric::WIN],
        endings: Vec::new(),
        measures: vec![turns.clone()],
    };
    let tally = |played: &Played<'_>| {
        let seat = |&wins: &u64| {
            let mut win = Histogram::default();
            win.add_many(1, wins);
            win.add_many(0, GAMES - wins);
            SeatTally { metrics: vec![win], busts: Histogram::default() }
        };
        let mut lengths = Histogram::default();
        lengths.add_many(u32::try_from(9 * played.wins.len()).expect("a few"), GAMES);
        Tally {
            trials: GAMES,
            endings: Vec::new(),
            first: (0, 0),
            lengths,
            seats: played.wins.iter().map(seat).collect(),
        }
    };
    let of_each = |played: &Played<'_>| vec![tally(played); policies.len()];
    let contests =
        |played: &Played<'_>| played.contests.iter().map(|&wins| Some((wins as f64, GAMES))).collect();
    BalanceReport {
        game: "race",
        seed: 1,
        trials: GAMES,
        pilot: GAMES,
        variants: played.iter().map(ruled).collect(),
        policies: policies.iter().map(|&policy| policy.to_owned()).collect(),
        naive: 0,
        best: vec![policies.len() - 1; played.len()],
        tallies: played.iter().map(of_each).collect(),
        games: vec![vec![GameSums::default(); policies.len()]; played.len()],
        skills: played.iter().map(|_| None).collect(),
        contests: played.iter().map(contests).collect(),
        targets: Vec::new(),
        search: None,
    }
}

fn said(policies: &[&str], played: &[Played<'_>]) -> Vec<String> {
    sentences::answer(&balanced(policies, played), &[], &[])
}

/// The order is that of an editor's questions: who wins, which seat, how long.
#[test]
fn policies_come_before_seats_and_seats_before_length() {
    let base = Played { name: "four", wins: &[2200, 2500, 2900, 1800], contests: &[2350, 6500] };
    let duel = Played { name: "duel", wins: &[5000, 4400], contests: &[4700, 8000] };
    let told = said(&["naive", "deep"], &[base, duel]);
    let starts = [
        "deep wins most with one seat at a table of naive under every variant (95 %): 65.0 % (",
        "With deep in every seat under four, seat 3 wins most, 30.85 % of the games with a winner, and seat 4 least, \
         19.15 %: 11.7 percentage points apart (95 %: ",
        "Under duel, seat 1 most, 53.19 %, and seat 2 least, 46.81 %: 6.4 percentage points apart (95 %: ",
        "With the least fair policy of each variant in every seat, the seat that wins most and the one that wins least are 6.4 percentage points \
         apart (",
        "With deep in every seat, a seat has 9.00 turns under every variant.",
    ];
    assert_eq!(told.len(), starts.len(), "{told:?}");
    for (told, start) in told.iter().zip(starts) {
        assert!(told.starts_with(start), "{told}");
    }
    assert!(told[1].ends_with("; fair is 25.00 %."), "{told:?}");
}

/// What is measured at a table of one policy says nothing of the others against each other.
#[test]
fn the_table_of_the_best_is_named() {
    let played = |contests| [Played { name: "four", wins: &[2500, 2500, 2500, 2500], contests }];
    let told = said(&["one", "clock", "deep"], &played(&[2500, 6000, 7500]));
    assert!(
        told[0]
            .starts_with("deep wins most with one seat at a table of one under these rules (95 %): 75.0 % (")
    );
    assert_eq!(
        told[1],
        "Policies other than one do not meet each other there: `stopwise rank` says which beats which."
    );
    assert!(told[2].contains("which may be nothing"), "{told:?}");
    let told = said(&["one", "clock", "deep"], &played(&[2500, 7490, 7500]));
    let open =
        "These trials do not tell which policy wins most with one seat at a table of one: clock or deep.";
    assert_eq!(told[0], open);
    // Two at a table: a policy against the other.
    let duel = Played { name: "duel", wins: &[5000, 5000], contests: &[5000, 6000] };
    let told = said(&["one", "deep"], &[duel]);
    assert!(told[0].starts_with("deep wins most against one under these rules (95 %): 60.0 % ("), "{told:?}");
}

/// Of three who all have a third of every win nobody is apart.
#[test]
fn ties_of_all_are_told_as_ties() {
    let wins = [0, 0, 0];
    let played = [
        Played { name: "three", wins: &wins, contests: &[3000] },
        Played { name: "long", wins: &wins, contests: &[3000] },
    ];
    let mut tied = balanced(&["deep"], &played);
    let share = Metric { role: Role::Share(3), ..Metric::end("share", "1/3 games", "a share of the win") };
    for (ruled, tallies) in tied.variants.iter_mut().zip(&mut tied.tallies) {
        ruled.metrics = vec![share];
        let seats = tallies.iter_mut().flat_map(|tally| &mut tally.seats);
        seats.for_each(|seat| seat.metrics = vec![Histogram::from(vec![(1, GAMES)])]);
    }
    tied.tallies[1][0].lengths = Histogram::from(vec![(30, GAMES)]);
    let told = sentences::answer(&tied, &[], &[]);
    assert_eq!(
        told[0],
        "With deep in every seat under three, every game ends in a tie of all seats, in all 10,000 games with a winner."
    );
    assert!(told[1].starts_with("Under long, every game ends in a tie"), "{told:?}");
    let told = seats::whoever_plays(&tied).expect("two variants");
    assert!(
        told.ends_with("every game with a winner ends in a tie of all seats under every variant."),
        "{told}"
    );
}

/// Of a game in which nothing is ever rolled nobody asks how often, unless a target does.
#[test]
fn rolls_are_told_where_there_are_some() {
    let rolls = Measure {
        name: "mean rolls".into(),
        unit: "rolls",
        definition: String::new(),
        statistic: Statistic::Mean(Quantity::Rolls),
    };
    let told = |most: u32, targets: Vec<Target>| {
        let mut cards = balanced(&["deep"], &[Played { name: "four", wins: &[2500; 4], contests: &[2500] }]);
        cards.variants[0].metrics.push(Metric::count("rolls", "rolls", "rolls", Event::ROLL));
        cards.variants[0].measures.push(rolls.clone());
        cards.tallies[0][0]
            .seats
            .iter_mut()
            .for_each(|seat| seat.metrics.push(Histogram::from(vec![(most, GAMES)])));
        cards.targets = targets;
        topics::names(&cards).iter().any(|measure| measure.name == "mean rolls")
    };
    let target = Target { measure: "mean rolls".into(), policy: None, at_least: None, at_most: Some(1.0) };
    assert_eq!([told(0, vec![]), told(9, vec![]), told(0, vec![target])], [false, true, true]);
}

/// The first seat wins so many of 10,000 games for two, under each variant, and its edge is a measure.
fn duels(variants: &[(&str, u64)]) -> BalanceReport {
    let wins: Vec<_> = variants.iter().map(|&(_, wins)| [wins, GAMES - wins]).collect();
    let played = |(&(name, _), wins)| Played { name, wins, contests: &[5000] };
    let played: Vec<_> = variants.iter().zip(wins.iter().map(|wins| &wins[..])).map(played).collect();
    let mut duels = balanced(&["deep"], &played);
    let edge = Measure {
        name: "first seat edge".into(),
        unit: "share of games",
        definition: String::new(),
        statistic: Statistic::FirstSeatEdge,
    };
    duels.variants.iter_mut().for_each(|ruled| ruled.measures.push(edge.clone()));
    duels
}

fn edge_at_most(at_most: f64) -> Target {
    Target { measure: "first seat edge".into(), policy: None, at_least: None, at_most: Some(at_most) }
}

/// What is said of a balance run with targets for the edge, in parts of all games.
fn judged(variants: &[(&str, u64)], at_most: Option<f64>) -> Vec<String> {
    let mut duels = duels(variants);
    duels.targets = at_most.map(edge_at_most).into_iter().collect();
    sentences::answer(&duels, &duels.claims(), &duels.effects())
}

/// Of 10,000 games 5,300 are 52.016 % to 53.982 %. Turns are always 18; what did not occur may be −ln 0.025 / 10,000 of a turn off.
#[test]
fn rules_alone_are_told_by_their_edge_and_length() {
    let wanted = "With deep in every seat under duel, the first seat's edge over a fair share of the wins is +3.00 percentage \
                  points (95 %: +2.01 to +3.99), and the mean number of turns of a seat is 9.00 turns (95 %: 8.99981 to 9.00019).";
    assert_eq!(judged(&[("duel", 5300)], None), [wanted]);

    let mut duel = duels(&[("duel", 5300)]);
    duel.variants[0].endings = vec![Ending::regular("goal", "somebody reached the goal"), Ending::CAPPED];
    duel.tallies[0][0].endings = vec![9800, 200];
    let capped = "2.00 % of the games with deep under duel end at the turn cap without a winner.";
    let told = sentences::answer(&duel, &[], &[]);
    assert_eq!(told, [format!("{capped} {}", crate::cap::WHY), wanted.to_owned()]);
}

/// By itself the edge of 5,300 games of 10,000 is 2.02 to 3.98 points. Of three intervals at once it is 1.80 to 4.20, that of 5,000
/// is at most 1.21, and that of 6,000 at least 8.81.
#[test]
fn targets_are_met_failed_or_open() {
    let (even, duel, far) = (("even", 5000), ("duel", 5300), ("far", 6000));
    for (at_most, wanted) in [
        (0.04, "duel meets all targets."),
        (0.035, "duel may meet all targets: more trials would tell."),
        (0.02, "duel does not meet all targets: first seat edge fails with deep."),
    ] {
        assert_eq!(judged(&[duel], Some(at_most))[0], wanted);
    }
    for (at_most, wanted) in [
        (0.09, "2 of 3 variants meet all targets: even, duel. 1 may, which more trials would tell: far."),
        (0.05, "2 of 3 variants meet all targets: even, duel. The other fails."),
        (
            0.03,
            "1 of 3 variants meets all targets: even. 1 may, which more trials would tell: duel. The other fails.",
        ),
        (0.015, "1 of 3 variants meets all targets: even. The other 2 fail."),
        (
            0.0,
            "None of the 3 variants is known to meet all targets. 1 may, which more trials would tell: even. The other 2 fail.",
        ),
        (-0.1, "None of the 3 variants meets all targets."),
    ] {
        assert_eq!(judged(&[even, duel, far], Some(at_most))[0], wanted);
    }
    assert_eq!(judged(&[duel, far], Some(0.0))[0], "Neither variant meets all targets.");
    // What fails is not open, whatever else is.
    let mut both = duels(&[duel]);
    let turns = Target { measure: "mean turns".into(), ..edge_at_most(10.0) };
    both.targets = vec![edge_at_most(0.035), turns];
    let told = sentences::answer(&both, &both.claims(), &[]);
    assert_eq!(told[0], "duel does not meet all targets: mean turns fails with deep.");
    assert_eq!(judged(&[duel, even], Some(0.1))[0], "2 of 2 variants meet all targets: duel, even.");
}

/// Two effects at once, each from two intervals at half the error: limits at 0.0125 are 51.747 % and 54.251 % of 5,300 games,
/// and 48.746 % and 51.254 % of 5,000.
#[test]
fn a_variant_moves_what_it_is_known_to() {
    let told = judged(&[("duel", 5300), ("even", 5000)], None);
    let edge = "With deep in every seat, the first seat's edge over a fair share of the wins, +3.00 percentage points under \
                duel, falls under even, to +0.00 percentage points (by 3.0 percentage points, 95 %: 0.4 to 5.6).";
    let turns = "With deep in every seat, the mean number of turns of a seat is 9.00 turns (95 %: 8.99981 to 9.00019) under \
                 duel, and even is not known to change that.";
    assert_eq!(told, [edge, turns]);
}

/// Six effects at once, limits at 0.05 / 12: 10 points less 3 are 4.153 to 9.839, 3 less 0 are 0.126 to 5.870.
#[test]
fn of_several_variants_the_ends_are_told() {
    let told = judged(&[("duel", 5300), ("even", 5000), ("like", 5310), ("far", 6000)], None);
    let wanted = "With deep in every seat, the first seat's edge over a fair share of the wins, +3.00 percentage points under \
                  duel, rises under far, to +10.00 percentage points (by 7.0 percentage points, 95 %: 4.1 to 9.9) and falls \
                  under even, to +0.00 percentage points (by 3.0 percentage points, 95 %: 0.1 to 5.9); 1 variant is not \
                  known to change it.";
    assert_eq!(told[0], wanted);
}

/// Of two that rise the most is told where limits tell it: 60 % and 62 % of 10,000 games are not told apart at that level, 60 % and
/// 70 % are.
#[test]
fn the_most_is_told_where_it_is_known() {
    let told = |wins| judged(&[("duel", 5300), ("far", 6000), ("farther", wins)], None).remove(0);
    let open = told(6200);
    assert!(
        open.contains("rises under 2 variants, the most seen under farther, to +12.00 percentage points"),
        "{open}"
    );
    assert!(open.contains("; these trials do not tell under which it rises most)"), "{open}");
    let known = told(7000);
    assert!(known.contains(" rises most under farther, to +20.00 percentage points (by "), "{known}");
}

/// The base is judged with those that a search leaves, and told apart from them. Edges as above, at most 3 points are wanted.
#[test]
fn a_search_is_told_by_what_it_finds() {
    let found = |variants: &[(&str, u64)], looked: usize| {
        let mut duels = duels(variants);
        duels.targets = vec![edge_at_most(0.03)];
        let miss =
            |shortfall| Miss { target: 0, policy: 0, value: 0.03 + shortfall, shortfall, is_sure: true };
        let screened = |at: usize| Screened {
            name: format!("left{at}"),
            changed: Vec::new(),
            trials: 1000,
            has_left: at + 1 >= variants.len(),
            misses: vec![miss(0.1 + at as f64 / 100.0)],
        };
        let looked: Vec<_> = (0..looked).map(screened).collect();
        duels.search = Some(SearchReport { combinations: looked.len(), is_sample: false, looked });
        sentences::answer(&duels, &duels.claims(), &[]).remove(0)
    };
    let (far, even, duel) = (("far", 6000), ("even", 5000), ("duel", 5300));
    for (variants, looked, wanted) in [
        (
            &[far, even][..],
            7,
            "1 of the 7 combinations looked at meets all targets: even. far itself does not.",
        ),
        (
            &[even, duel, far],
            7,
            "None of the 7 combinations looked at is known to meet all targets. 1 may, which more trials would tell: duel. even \
             itself meets them.",
        ),
        (
            &[duel, far],
            7,
            "None of the 7 combinations looked at meets all targets. The nearest is left1 (first seat edge +14.00 %-points with \
             deep, wanted at most 3 %-points). duel itself may meet them.",
        ),
        (&[far, even], 1, "The only combination looked at meets all targets: even. far itself does not."),
        (
            &[even, far],
            1,
            "The only combination looked at does not meet all targets. even itself meets them.",
        ),
    ] {
        assert_eq!(found(variants, looked), wanted);
    }
}

/// Policies and variants share the error: 6,000 of 10,000 games at 0.05 / 2 are 58.89 % to 61.10 %.
#[test]
fn the_better_of_two_at_a_table() {
    let duel = |wins: &'static [u64]| {
        said(&["one", "deep"], &[Played { name: "duel", wins: &[5000, 5000], contests: wins }])
    };
    let best = "deep wins most against one under these rules (95 %): 60.0 % (58.8 % to 61.1 %) of the games with a winner under \
                duel, where 50.00 % is fair.";
    assert_eq!(duel(&[5000, 6000])[0], best);
    let open = "These trials do not tell whether deep wins more than a fair share against one.";
    assert_eq!(duel(&[5000, 5050])[0], open);
    let worse = "No other policy does as well as one, the naive one: each wins less than a fair share against one under these rules \
                 (95 %).";
    assert_eq!(duel(&[5000, 4000])[0], worse);
}

/// Games for three of 10,000, in which seats win so many whoever plays; the second policy's games may be cut off.
fn tables(variants: &[(&'static str, &'static [u64], u64)]) -> BalanceReport {
    let played =
        |&(name, wins, _): &(&'static str, &'static [u64], _)| Played { name, wins, contests: &[3333, 6000] };
    let played: Vec<_> = variants.iter().map(played).collect();
    let mut tables = balanced(&["naive", "deep"], &played);
    for (at, &(_, _, capped)) in variants.iter().enumerate() {
        tables.variants[at].endings =
            vec![Ending::regular("goal", "somebody reached the goal"), Ending::CAPPED];
        tables.tallies[at][0].endings = vec![GAMES, 0];
        tables.tallies[at][1].endings = vec![GAMES - capped, capped];
    }
    tables
}

const EVEN: &[u64] = &[3400, 3300, 3300];
const UNEVEN: &[u64] = &[5000, 3000, 2000];

/// Two tables whose numbers are all alike are one; what differs in one number, or was played little, is not.
#[test]
fn variants_that_play_the_same_games_have_one_row() {
    let mut same = tables(&[("base", EVEN, 0), ("idle", EVEN, 0), ("far", UNEVEN, 0), ("idler", EVEN, 0)]);
    assert_eq!(alike::groups(&same), [vec![0, 1, 3], vec![2]]);
    assert_eq!(alike::names(&same), ["base (and 2 alike)", "idle", "far", "idler"]);
    let wanted = "4 variants are 2 different games, as far as 10,000 trials tell, and those that are the same have one row: idle, \
                  idler play those of base.";
    assert_eq!(alike::answer(&same).as_deref(), Some(wanted));
    let Some(stopwise_document::Block::View(view)) = overview::section(&same, &[]).blocks.into_iter().next()
    else {
        panic!("a table")
    };
    let rows: Vec<_> = view.rows.iter().map(|row| [&*row[0], &*row[1]]).collect();
    let (base, far) = ("base (and 2 alike)", "far");
    assert_eq!(rows, [[base, "naive"], [base, "deep"], [far, "naive"], [far, "deep"]]);
    // The file has all of them.
    let file =
        sheets::datasets(&same).into_iter().find(|table| table.file == "overview.csv").expect("a file");
    assert_eq!(file.rows.len(), 8);

    same.tallies[1][0].lengths.add_many(31, 1);
    assert_eq!(alike::groups(&same), [vec![0, 3], vec![1], vec![2]]);
    same.trials = 999;
    assert_eq!(alike::groups(&same).len(), 4, "that may be chance");
}

/// Whoever plays: the policy with which seats are farthest apart counts, but none whose games do not end. Of three seats and two
/// policies under two variants 12 limits hold together.
#[test]
fn a_variant_is_as_fair_as_with_the_policy_that_is_least_so() {
    let mut mixed = tables(&[("base", UNEVEN, 0), ("even", EVEN, 0)]);
    mixed.tallies[1][1] = tables(&[("base", &[4000, 3200, 2800], 0)]).tallies[0][1].clone();
    let told = seats::whoever_plays(&mixed).expect("two variants");
    assert!(told.contains(" nearest 12.0 percentage points apart ("), "{told}");
    assert!(told.contains(" under even, with deep; and farthest apart 30.0 ("), "{told}");
    mixed.tallies[1][1].endings = vec![4000, 6000];
    let told = seats::whoever_plays(&mixed).expect("two variants");
    assert!(told.contains(" nearest 1.0 percentage points apart (0.0 to "), "{told}");
    assert!(told.contains(") under even, with naive; and"), "{told}");
    // Two that are as far apart as each other.
    let told = seats::whoever_plays(&tables(&[("base", EVEN, 0), ("even", &[3410, 3290, 3300], 0)]))
        .expect("two variants");
    assert!(
        told.contains("these trials do not tell under which variant they are nearest or farthest apart"),
        "{told}"
    );
}

/// All policies that are cut off are named, with where and how much.
#[test]
fn policies_that_do_not_end_are_named() {
    let said = |variants| cut::answer(&tables(variants)).map(|told| told.replace(crate::cap::WHY, "WHY"));
    assert_eq!(said(&[("base", EVEN, 99), ("far", UNEVEN, 0)]), None);
    let one = "2.00 % of the games with deep under far end at the turn cap without a winner. WHY";
    assert_eq!(said(&[("base", EVEN, 0), ("far", UNEVEN, 200)]).as_deref(), Some(one));
    let all =
        "Games end at the turn cap without a winner: 100.00 % of those with deep under every variant. WHY";
    assert_eq!(said(&[("base", EVEN, GAMES), ("far", UNEVEN, GAMES)]).as_deref(), Some(all));
    let two = "Games end at the turn cap without a winner: up to 3.00 % of those with deep under 2 of 3 variants, most under far. WHY";
    assert_eq!(said(&[("base", EVEN, 0), ("far", UNEVEN, 300), ("odd", EVEN, 200)]).as_deref(), Some(two));
}

/// The name of the base stands above: of a variant it says what differs, unless that would be another name.
#[test]
fn variants_are_called_by_what_differs() {
    for (base, name, wanted) in [
        ("standard", "standard+goal=60", "goal=60"),
        ("standard", "standard+goal=60+sides=8", "goal=60+sides=8"),
        ("standard+goal=50", "standard+goal=60", "goal=60"),
        ("standard+goal=50", "standard+goal=50+sides=8", "sides=8"),
        ("standard+goal=50+sides=8", "standard+sides=10+goal=50", "sides=10+goal=50"),
        // That would be the name of the one with a goal of 50.
        ("standard+goal=50", "standard+sides=8", "standard+sides=8"),
        ("standard", "solo+goal=60", "solo+goal=60"),
        ("standard", "standard-2+goal=60", "standard-2+goal=60"),
        ("standard", "standard", "standard"),
        ("standard+goal=50", "standard+goal=50", "standard+goal=50"),
    ] {
        assert_eq!(less_base(base, name), wanted, "{name} beside {base}");
    }
}
