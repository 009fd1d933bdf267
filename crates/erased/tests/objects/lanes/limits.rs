//! Policies at the limits of what lanes can hold, and beyond.

use stopwise_engine::games::Rules;
use stopwise_engine::games::carbonite::{Carbonite, Points, VaultMatch};
use stopwise_engine::games::freeze::{Bank, Fraction, Freeze, Rates};
use stopwise_engine::games::icedice::{Copies, IceDice, NoChoice};
use stopwise_engine::games::pig::{Faces, Pig};
use stopwise_engine::run::Plan;

use super::compare::{Lineup, same_run, same_trials};

/// Whether lanes play a policy as the trial does; if they refuse it, the message must name the decision.
fn plays<G: Rules>(game: &G, answers: &str, trials: u64) -> Result<(), String> {
    let lineup = Lineup::of(game, answers)?;
    let plan = |trials| Plan { seed: 3, trials: 0..trials };
    let result = same_run(&lineup, &plan(trials));
    result
        .and_then(|_| same_trials(&lineup, &plan(trials.min(3))))
        .unwrap_or_else(|error| panic!("{answers} under {game:?}: {error}"));
    Ok(())
}

/// Asserts that lanes refuse a policy, and that they say why and where.
fn refuses<G: Rules>(game: &G, kind: &str, answers: &str, reason: &str) {
    let message = plays(game, answers, 0).expect_err(answers);
    assert!(message.contains(&format!("`{kind}`")) && message.contains(reason), "{answers}: {message}");
}

#[test]
fn of_numbers() {
    let wiki = Carbonite::WIKI;
    // A score is at most 22,400 and points are at most 2240, as far as ranges tell.
    let condition = |factor: &str| {
        let remainder = if factor.starts_with('-') { -4 } else { 4 };
        format!("score_if_stopped * score_if_stopped * {factor} % 9 == {remainder}")
    };
    for factor in ["1", "4", "-4"] {
        plays(&wiki, &format!("stop = '{}'", condition(factor)), 2000).expect("within 32 bits");
    }
    for factor in ["5", "-5", "points_if_stopped"] {
        let condition = condition(factor);
        refuses(&wiki, "stop", &format!("stop = '{condition}'"), "32 bits");
        for kind in ["mark", "take"] {
            let lists = format!("{kind} = [{{ when = '{condition}', prefer = ['small'] }}]");
            refuses(&wiki, kind, &format!("stop = 'counter >= 2'\n{lists}"), "32 bits");
        }
    }

    // Flat code on lanes of 8 bits, and where points do not fit them any more.
    for goal in [150, 200, 249, 250, 251, 300] {
        let pig = Pig { goal, ..Pig::STANDARD };
        plays(&pig, "stop = 'lead % 3 == 0 && turn_total >= 10 || turn_total >= min(30, goal_left)'", 300)
            .expect("within 32 bits");
    }

    // The greatest and least numbers of 32 bits, and one more.
    let pig = Pig { goal: 30, ..Pig::STANDARD };
    for (sum, sign, fits) in [
        ("rolls_this_turn * 32768 + 32767", "", true),
        ("rolls_this_turn * 32768 + 32768", "", false),
        ("rolls_this_turn * -32768 - 32768", "-", true),
        ("rolls_this_turn * -32768 - 32769", "-", false),
        ("rolls_this_turn * rolls_this_turn", "", false),
        ("2147483647 - rolls_this_turn", "", true),
        ("2147483648 - rolls_this_turn", "", false),
    ] {
        for comparison in ["% 5 == 1", "/ 7 % 5 == 1", "% 98304 > 40000", "% -7 < 3"] {
            let comparison = match sign {
                "-" => comparison.replace("> ", "< -").replace("< 3", "> -3").replace("== ", "== -"),
                _ => comparison.to_owned(),
            };
            let answers = format!("stop = '({sum}) {comparison} || turn_total >= min(9, goal_left)'");
            if fits {
                plays(&pig, &answers, 300).unwrap_or_else(|message| panic!("{answers}: {message}"));
            } else {
                refuses(&pig, "stop", &answers, "32 bits");
            }
        }
    }
}

/// Numbers about the greatest of 16 bits: of the greater ones it may not matter which they are, or it may.
#[test]
fn of_sixteen_bits() {
    let points = Points { solid: 1000, mixed: 999, single: 998 };
    for game in [Carbonite::WIKI, Carbonite { points, vault_match: VaultMatch::Free, ..Carbonite::WIKI }] {
        for condition in [
            "points_if_stopped * bust_chance > 3",
            "points_if_stopped * 900 + vault_points > 65533",
            "points_if_stopped * 900 + vault_points > 65534",
            "points_if_stopped * 900 > vault_points * 899",
            "points_if_stopped * 70 == vault_points * 70 && counter > 1",
            "score_if_stopped <= 65534 && !(points_if_stopped * counter < 3000)",
            "min(points_if_stopped * 800, 65000) == 65000",
            "max(points_if_stopped * 800, 65000) != 65000",
            "(counter > 1 ? points_if_stopped * 100 : turn) >= 30000",
            "65534 - min(points_if_stopped * 500, 65534) < 60000",
            "(points_if_stopped > vault_points || turn > 3) && points_if_stopped * turn * counter > 60000",
        ] {
            plays(&game, &format!("stop = '{condition}'"), 500).expect("within 32 bits");
        }
    }
}

/// Numbers that are too large on a side that is not asked, and divisors that are 0 in lanes that are not asked.
#[test]
fn of_what_is_not_asked() {
    let pig = Pig { goal: 60, turn_cap: 90, ..Pig::STANDARD };
    for condition in [
        "turn % max(1, scoring_turns) == 0 && rolls_this_turn >= 2",
        "scoring_turns > 2 ? turn / (scoring_turns + 1) > 1 : rolls_this_turn > 3",
        "(lead < 0 ? -lead : lead) / max(1, turn_total) < min(scoring_turns, 4, turn)",
        "!(rolls_this_turn < 3) || turn_total * 1000 / (turn + 1) > 2500",
        "(-turn_total % 7 + rolls_this_turn > 0) == (scoring_turns > 1)",
    ] {
        plays(&pig, &format!("stop = '{condition}'"), 300).expect("within 32 bits");
    }
}

/// Conditions nested ever more deeply, almost up to what a text may hold.
fn nested<G: Rules>(game: &G, trials: u64, condition: impl Fn(usize) -> String) {
    let mut deepest = 0;
    for depth in 1..=20 {
        let answers = format!("stop = '{}'", condition(depth));
        match plays(game, &answers, trials) {
            Ok(()) => {
                assert_eq!(deepest + 1, depth, "what is nested less deeply was refused: {answers}");
                deepest = depth;
            }
            Err(message) => assert!(message.contains("`stop`") && message.contains("nested"), "{message}"),
        }
    }
    assert!(deepest >= 4, "only {deepest} levels");
}

#[test]
fn of_nesting() {
    let carbonite = Carbonite { vault_match: VaultMatch::Free, ..Carbonite::WIKI };
    let pig = Pig { goal: 40, turn_cap: 80, ..Pig::STANDARD };
    let deep = |names: &'static [&'static str], sign: &'static str| {
        move |depth: usize| {
            let (mut text, end) = (String::new(), ")".repeat(depth));
            for level in 0..depth {
                text += &format!("({}) {sign} (", names[level % names.len()]);
            }
            format!("{text}{}{end}", names[depth % names.len()])
        }
    };
    let vault = ["vault", "points_if_stopped", "counter", "live_colours", "vault_match", "bank", "solids"];
    let names: &'static [&'static str] = Box::leak(Box::new(vault));
    let turns: &'static [&'static str] = &["turn_total", "rolls_this_turn", "scoring_turns", "turn", "lead"];
    let sum = deep(names, "+");
    nested(&carbonite, 200, |depth| format!("({}) % 3 == 0 || counter > 3", sum(depth)));
    let difference = deep(turns, "-");
    nested(&pig, 100, |depth| format!("({}) % 4 == 0", difference(depth)));

    let truths: &'static [&'static str] =
        &["rolls_this_turn == 2", "turn % 3 != 0", "scoring_turns < 2", "lead > 3", "turn_total > 12"];
    for sign in ["&&", "||", "==", "!="] {
        let truths = deep(truths, sign);
        nested(&pig, 60, |depth| format!("({}) || rolls_this_turn > 4", truths(depth)));
    }
    // Each level is a choice in the branch of another, or in its condition.
    let choice = |depth: usize| {
        (0..depth).fold("turn_total".to_owned(), |inner, level| {
            let condition = truths[level % truths.len()];
            format!("{condition} ? {} : ({inner})", turns[level % turns.len()])
        })
    };
    nested(&pig, 60, |depth| format!("({}) > 3", choice(depth)));
    let asked = |depth: usize| {
        (0..depth).fold("lead > 0".to_owned(), |inner, level| {
            format!(
                "({inner}) ? {} : !({})",
                truths[level % truths.len()],
                truths[(level + 1) % truths.len()]
            )
        })
    };
    plays(&pig, &format!("stop = '({}) || rolls_this_turn > 4'", asked(20)), 60).expect("flat");
    // The least of ever more, each in the arguments of another.
    let least = |depth: usize| {
        (0..depth).fold("turn_total".to_owned(), |inner, level| {
            let function = ["min", "max"][level % 2];
            format!("{function}({}, {inner}, {level})", turns[level % turns.len()])
        })
    };
    nested(&pig, 60, |depth| format!("{} % 3 == 1", least(depth)));
    // A long row is not deep.
    let row = (0..40).map(|step| format!("{} {}", if step % 3 == 1 { "-" } else { "+" }, turns[step % 5]));
    let row: Vec<_> = row.collect();
    for (sign, answer) in [(" || ", "=="), (" && ", "!=")] {
        let cases =
            (0..300).map(|case| format!("turn_total * 9 + lead * 5 + turn * 3 {answer} {}", case * 7 % 301));
        let cases: Vec<_> = cases.collect();
        plays(&pig, &format!("stop = '{} && rolls_this_turn > 2'", cases.join(sign)), 30).expect("flat");
    }
    let most =
        (0..300).map(|case| format!("(turn_total + lead * {case}) % {}", case + 2)).collect::<Vec<_>>();
    plays(&pig, &format!("stop = 'max({}) > 40'", most.join(", ")), 30).expect("flat");
    plays(&pig, &format!("stop = '(0 {}) % 5 == 2 || rolls_this_turn > 5'", row.join(" ")), 100)
        .expect("flat");
}

/// Entries of a list nested as deeply as a text may hold.
#[test]
fn of_lists() {
    let wiki = Carbonite::WIKI;
    let names =
        ["live", "small", "completes_solid", "last_in_bank", "medium", "colour_started", "scarce_size"];
    let entry = |depth: usize| {
        (0..depth).fold("large".to_owned(), |inner, level| {
            let sign = ["&&", "||"][level % 3 / 2];
            let not = if level % 4 == 3 { "not " } else { "" };
            format!("{} {sign} {not}({inner})", names[level % names.len()])
        })
    };
    for depth in [1, 2, 3, 5, 8, 12, 16, 20] {
        let (entry, not) = (entry(depth), "not ".repeat(depth));
        let answers = format!(
            "stop = 'counter >= 2'\ntake = ['from_bank', '{entry}', '{not}small']\nmark = ['{entry}']"
        );
        plays(&wiki, &answers, 300).expect("lists are never refused");
    }
    let row = |sign: &str| names.repeat(100).join(sign);
    let answers = format!("stop = 'counter >= 2'\ntake = ['{}', '{}']", row(" and "), row(" or "));
    plays(&wiki, &answers, 300).expect("lists are never refused");
    // Many lists, of which the first whose condition holds counts.
    let list = |turn: usize| {
        format!("{{ when = 'turn == {turn} || vault == {turn}', prefer = ['{}'] }}", names[turn % 7])
    };
    let lists: Vec<_> = (1..10).map(list).collect();
    for kind in ["take", "mark"] {
        for last in ["", ", { prefer = ['not live'] }", ", { when = 'false', prefer = ['large'] }"] {
            let answers = format!("stop = 'counter >= 2'\n{kind} = [{}{last}]", lists.join(", "));
            plays(&wiki, &answers, 300).expect("lists are never refused");
        }
    }
    // Numbers of candidates are for the trial alone.
    for entry in ["most in_bank", "held >= 1 && small", "small || turn > 5"] {
        refuses(
            &wiki,
            "take",
            &format!("stop = 'counter >= 2'\ntake = ['{entry}']"),
            "compares numbers of candidates",
        );
    }
}

/// Games of thousands of turns, which no policy ends, and turns of many rolls.
#[test]
fn of_length() {
    let faces = |faces: &[u8]| Faces::try_from(faces.to_vec()).expect("faces of a die");
    for players in 1..=4 {
        for turn_cap in [31, 32, 33, 64, 65, 129, 1000].map(|cap| cap * u16::from(players)) {
            // The last face alone scores, and it is rolled rarely; nobody stops before the goal.
            let game =
                Pig { players, goal: 60, sides: 3, bust_faces: faces(&[1, 2]), unit_score: true, turn_cap };
            plays(&game, "stop = 'turn_total >= goal_left'", 25).expect("played");
            // Games of all lengths.
            let answers = "stop = 'rolls_this_turn >= 3 && (turn > 20 || scoring_turns < 9)'";
            plays(&game, answers, 25).expect("played");
        }
    }
    // A turn of hundreds of rolls.
    for answers in ["stop = 'false'", "stop = 'rolls_this_turn >= 300'", "stop = 'rolls_this_turn % 64 == 0'"]
    {
        let game = Pig {
            goal: 300,
            sides: 64,
            bust_faces: faces(&[64]),
            unit_score: true,
            turn_cap: 60,
            ..Pig::SOLO
        };
        plays(&game, answers, 60).expect("played");
    }
}

/// More turns and rolls than a lane counts: nobody ever stops.
#[test]
fn of_rolls() {
    let game =
        IceDice { copies: Copies::Number(1), no_choice: NoChoice::Skip, turn_cap: 60_000, ..IceDice::TWO };
    // Every game counts beyond: a lane that stops counting shows in any of them.
    plays(&game, "stop = 'counter >= 5'", 2).expect("played");
    plays(&IceDice { players: 3, turn_cap: 20_000, ..game }, "stop = 'false'", 2).expect("played");
}

/// Counts that are full: more than 255 scoring turns, and more games than small counters hold.
#[test]
fn of_counts() {
    let faces = |faces: &[u8]| Faces::try_from(faces.to_vec()).expect("faces of a die");
    for players in [1, 2] {
        let game = Pig { players, goal: 600, unit_score: true, turn_cap: 2000, ..Pig::STANDARD };
        for answers in [
            "stop = 'scoring_turns != 255 || rolls_this_turn >= 2'",
            "stop = 'scoring_turns < 254 || rolls_this_turn >= scoring_turns - 252'",
        ] {
            plays(&game, answers, 20).expect("played");
        }
    }
    // One turn of one roll, which nearly always busts, for every game.
    let game = Pig { goal: 1, bust_faces: faces(&[1, 2, 3, 4, 5]), turn_cap: 1, ..Pig::SOLO };
    let lineup = Lineup::of(&game, "stop = 'true'").expect("played");
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let many = Plan { seed: 1, trials: 0..2_700_000 };
    one_thread.install(|| same_run(&lineup, &many)).unwrap_or_else(|error| panic!("{error}"));
}

/// Rates whose rolls fit a lane, and one that is too fine; as many steps and counters as there may be.
#[test]
fn of_freeze() {
    let rated = |rate: f64| {
        let rate = Rates::all(Fraction::try_from(rate).expect("a chance"));
        Freeze { steps: 50, rate, ..Freeze::TABLE }
    };
    for rate in [0.001, 0.0008, 0.999, 0.9992] {
        plays(&rated(rate), "freeze = 'lead <= 0'", 40).expect("within 16 bits");
    }
    let message = plays(&rated(0.9999), "freeze = 'true'", 0).expect_err("too fine");
    assert!(message.contains("a rate of 0.9999 has more decimals"), "{message}");
    let long = Freeze { steps: 60_000, bank: Bank::InAll(10_000), start_counters: 1000, ..Freeze::TABLE };
    plays(&Freeze { players: 8, ..long }, "freeze = 'lead <= 0 || step % 7 == 0'", 2)
        .expect("within 16 bits");
}
