//! `simulate`: the same command gives the same bytes, and its tables agree with each other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::common::{Row, TABLES, count, good, manifest, number, read, rows, run, scratch, tables};
use crate::rotation::ROTATED;

/// Runs of several batches for every thread, the last one incomplete.
const SOLO: &str = "simulate carbonite --policy tidy --trials 30001 --quiet";

const FOR_TWO: &str = "simulate pig --policy hold --policy hold-at-25 --trials 30001 --quiet";

#[test]
fn the_same_bytes_again_and_with_any_number_of_threads() {
    for (name, line) in [("solo", SOLO), ("two", FOR_TWO), ("rotated", ROTATED)] {
        let folder = scratch(&format!("contract-threads-{name}"));
        let first = good(&folder, &format!("{line} --out first"));
        for (out, threads) in
            [("again", ""), ("one", " --threads 1"), ("two", " --threads 2"), ("three", " --threads 3")]
        {
            let ran = good(&folder, &format!("{line}{threads} --out {out}"));
            assert_eq!(ran.stdout, first.stdout, "{out}");
            assert_eq!(tables(&folder.join(out)), tables(&folder.join("first")), "{out}");
        }
        assert_eq!(manifest(&folder.join("three"))["threads"], 3);
    }
}

/// The format on stdout, the runner and what is said on stderr do not change a file.
#[test]
fn the_same_files_whatever_is_printed() {
    let folder = scratch("contract-printed");
    for line in [SOLO, ROTATED] {
        let trials = line.replace("30001", "5000");
        good(&folder, &format!("{trials} --out first"));
        for options in [
            "--format csv",
            "--format json",
            "--runner trial",
            "--runner lanes",
            "--runner auto",
            "--verbose",
        ] {
            good(&folder, &format!("{trials} --out other {options}"));
            assert_eq!(tables(&folder.join("other")), tables(&folder.join("first")), "{options}");
        }
    }
}

/// A seed is more than a label, and its trials are not one game over and over.
#[test]
fn other_seeds_give_other_results() {
    let folder = scratch("contract-seeds");
    let mut seen = Vec::new();
    for seed in ["0", "1", "2", "18446744073709551615"] {
        good(&folder, &format!("simulate carbonite --policy tidy -n 2k -q --seed {seed} --out {seed}"));
        seen.push(read(&folder.join(seed).join("distribution.csv")));
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 4);
    assert!(seen.iter().all(|table| rows(table).iter().filter(|row| row["metric"] == "score").count() > 100));
}

#[test]
fn numbers_as_people_write_them() {
    let folder = scratch("contract-numbers");
    let trials = |number: &str| {
        let ran =
            good(&folder, &format!("simulate pig --rules piglet --policy hold -q --format csv -n {number}"));
        count(&rows(&ran.stdout)[0], "trials")
    };
    let found = ["10k", "10_000", "1e4", "0.01M", "10000", "2M", "1e6"].map(trials);
    assert_eq!(found, [10_000, 10_000, 10_000, 10_000, 10_000, 2_000_000, 1_000_000]);
    let seeds = ["--seed 1_000", "--seed 1k"].map(|seed| good(&folder, &format!("{SOLO} {seed}")).stdout);
    assert_eq!(seeds[0], seeds[1]);
    let replays = ["1_000", "1k"]
        .map(|trial| good(&folder, &format!("replay carbonite --policy tidy --trial {trial}")).stdout);
    assert_eq!(replays[0], replays[1]);
}

#[test]
fn a_policy_that_lanes_cannot_play_falls_back_visibly() {
    let folder = scratch("contract-lanes");
    let wide = "game = \"carbonite\"\nname = \"wide\"\nsummary = \"Numbers beyond 32 bits.\"\n\
                stop = \"score_if_ended * score_if_stopped * vault > 5000000\"\ntake = []\nmark = []\n";
    fs::write(folder.join("wide.toml"), wide).expect("written");
    let line = "simulate carbonite --policy wide.toml -n 10 -q";
    let ran = run(&folder, &format!("{line} --runner lanes"));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    let said = ["lanes cannot play this", "`stop`", "wide", "32 bits", "--runner trial"];
    assert!(said.iter().all(|words| ran.stderr.contains(words)), "{}", ran.stderr);
    let ran = good(&folder, &format!("{line} --verbose --out out"));
    assert!(ran.stderr.starts_with("runner: trial (lanes cannot play this"), "{}", ran.stderr);
    assert_eq!(manifest(&folder.join("out"))["runner"], "trial");
    let ran = good(&folder, "simulate carbonite --policy tidy -n 10 -q --verbose --out out");
    assert!(ran.stderr.starts_with("runner: lanes ("), "{}", ran.stderr);
    assert_eq!(manifest(&folder.join("out"))["runner"], "lanes");
    assert!(manifest(&folder.join("out"))["instructions"].is_string());
}

fn of_metric<'r>(rows: &'r [Row], seat: &str, metric: &str) -> Vec<&'r Row> {
    rows.iter().filter(|row| row["seat"] == seat && row["metric"] == metric).collect()
}

/// The tables tell the same story: every total can be found in two of them.
#[test]
fn the_tables_agree_with_each_other() {
    for (name, trials, line) in [
        ("solo", 30_001, SOLO.to_owned()),
        ("two", 30_001, FOR_TWO.to_owned()),
        ("wiki", 7000, "simulate carbonite --rules readme-v1 --policy first:k=3 -n 7k -q".into()),
        ("capped", 500, "simulate pig --policy hold:n=60 --set turn_cap=20 -n 500 -q".into()),
    ] {
        let folder = scratch(&format!("contract-tables-{name}"));
        good(&folder, &format!("{line} --out out"));
        let [summary, distribution, endings, turns] =
            TABLES.map(|table| rows(&read(&folder.join("out").join(table))));

        let total: u64 = endings.iter().map(|row| count(row, "count")).sum();
        assert_eq!(total, trials);
        for table in [&distribution, &endings] {
            for row in table {
                let share = count(row, "count") as f64 / trials as f64;
                assert!((number(row, "share") - share).abs() < 1e-9, "{row:?}");
                assert!(number(row, "share_low") <= share && share <= number(row, "share_high"), "{row:?}");
            }
        }
        let mut sums = BTreeMap::new();
        for row in &summary {
            let (seat, metric) = (row["seat"].as_str(), row["metric"].as_str());
            assert_eq!(count(row, "trials"), trials);
            let values: Vec<_> = of_metric(&distribution, seat, metric)
                .into_iter()
                .map(|row| (count(row, "value"), count(row, "count"), number(row, "cumulative")))
                .collect();
            assert!(values.is_sorted_by(|one, next| one.0 < next.0));
            assert_eq!(values.iter().map(|(_, count, _)| count).sum::<u64>(), trials, "{metric}");
            let sum: u64 = values.iter().map(|(value, count, _)| value * count).sum();
            let mean = sum as f64 / trials as f64;
            assert!((number(row, "mean") - mean).abs() < 1e-6, "{metric}: {mean}");
            let squares: f64 =
                values.iter().map(|(v, count, _)| (*v as f64 - mean).powi(2) * *count as f64).sum();
            let deviation = (squares / (trials - 1) as f64).sqrt();
            assert!((number(row, "std_dev") - deviation).abs() < 1e-6, "{metric}: {deviation}");
            let error = deviation / (trials as f64).sqrt();
            assert!((number(row, "std_error") - error).abs() < 1e-6, "{metric}: {error}");
            assert_eq!(count(row, "min"), values[0].0);
            assert_eq!(count(row, "max"), values[values.len() - 1].0);
            assert!((values[values.len() - 1].2 - 1.0).abs() < 1e-9);
            for (column, share) in [("p01", 0.01), ("p25", 0.25), ("p50", 0.5), ("p75", 0.75), ("p99", 0.99)]
            {
                let least = values.iter().find(|value| value.2 >= share).expect("the last is 1").0;
                assert_eq!(count(row, column), least, "{metric} {column}");
            }
            sums.insert((seat, metric), sum);
        }
        let seats: BTreeSet<_> = summary.iter().map(|row| row["seat"].as_str()).collect();
        for seat in seats {
            let turns: Vec<_> = turns.iter().filter(|row| row["seat"] == seat).collect();
            let sum = |column| turns.iter().map(|row| count(row, column)).sum::<u64>();
            assert_eq!(sum("reached"), sums[&(seat, "turns")], "every turn reached is a turn");
            assert_eq!(sum("busts"), sums[&(seat, "busts")]);
            let none = of_metric(&distribution, seat, "turns").into_iter().find(|row| row["value"] == "0");
            assert_eq!(sum("ended_here") + none.map_or(0, |row| count(row, "count")), trials);
            let mut reached = sum("ended_here");
            for (turn, row) in (1..).zip(&turns) {
                assert_eq!((count(row, "turn"), count(row, "reached")), (turn, reached));
                for (share, counted, of) in [
                    ("reached_share", "reached", trials),
                    ("ended_share", "ended_here", reached),
                    ("bust_share", "busts", reached),
                ] {
                    let expected = count(row, counted) as f64 / of as f64;
                    assert!((number(row, share) - expected).abs() < 1e-9, "{row:?}");
                    let [low, high] =
                        ["low", "high"].map(|limit| number(row, &share.replace("share", limit)));
                    assert!(low <= expected && expected <= high && low < high, "{row:?}");
                }
                reached -= count(row, "ended_here");
            }
            assert_eq!(reached, 0);
        }
        if name != "capped" && endings[0]["game"] == "pig" {
            let wins: u64 = ["1", "2"].iter().map(|seat| sums[&(*seat, "win")]).sum();
            assert_eq!(wins, trials, "somebody wins every game");
        }
    }
}

/// Of one trial nothing is known but what it was: neither an error nor a deviation.
#[test]
fn one_trial() {
    let folder = scratch("simulate-one");
    for game in ["carbonite -p first", "pig -p hold"] {
        let ran = good(&folder, &format!("simulate {game} -n 1 -q --out out"));
        assert!(
            ran.stdout.contains(" · 1 trial · ") && ran.stdout.contains("Only 1 trial:"),
            "{}",
            ran.stdout
        );
        assert!(!ran.stdout.contains("± 0"), "{}", ran.stdout);
        for row in rows(&read(&folder.join("out/summary.csv"))) {
            assert_eq!(
                (row["trials"].as_str(), row["std_error"].as_str(), row["std_dev"].as_str()),
                ("1", "", "")
            );
        }
    }
    let json = good(&folder, "simulate carbonite -p first -n 1 -q --format json").json();
    let score = &json["summary"][0];
    assert!(score["std_error"].is_null() && score["std_dev"].is_null(), "{score}");
}

/// Every set of instructions that the machine has plays the same games; one that it lacks is refused by name.
/// There are thirteen boxes, and thirteen turns: that says nothing of how far another game may be off; points differ.
#[test]
fn values_that_are_alike_have_no_interval() {
    let folder = scratch("contract-alike");
    let two = "-p one-roll -p over-par";
    for (command, file, limits) in [
        ("simulate", "means.csv", vec!["low", "high"]),
        ("compare", "comparison.csv", vec!["low", "high"]),
        ("rank", "rank.csv", vec!["low", "high", "to_first_low", "to_first_high", "fresh_low", "fresh_high"]),
        ("rank", "rank_pairs.csv", vec!["low", "high"]),
    ] {
        let policies = if command == "simulate" { "-p one-roll" } else { two };
        for (metric, is_known) in [("turns", false), ("points", true)] {
            let line = format!("{command} yahtzee {policies} --metric {metric} -n 2k -q");
            good(&folder, &format!("{line} --out out --force"));
            let found = rows(&read(&folder.join("out").join(file)));
            let of_metric = found.iter().filter(|row| row["metric"] == *metric).collect::<Vec<_>>();
            for limit in &limits {
                let is_any = of_metric.iter().any(|row| !row[*limit].is_empty());
                assert_eq!(is_any, is_known, "{line}: {limit} of {file}: {found:?}");
            }
        }
    }
}

#[test]
fn instructions() {
    let folder = scratch("simulate-instructions");
    for game in ["carbonite -p tidy -n 3000", "toss-up -p by-dice -n 3000"] {
        let line = format!("simulate {game} -q --format json --runner");
        let trial = good(&folder, &format!("{line} trial")).stdout;
        for set in ["lanes", "lanes:plain", "lanes:avx2", "lanes:avx512"] {
            let ran = run(&folder, &format!("{line} {set}"));
            let is_known =
                ["this machine has no ", "lanes cannot play this: games in Rust have lanes for AVX2"];
            match ran.code {
                Some(0) => assert_eq!(ran.stdout, trial, "{game} {set}"),
                _ => assert!(is_known.iter().any(|why| ran.stderr.contains(why)), "{set}: {}", ran.stderr),
            }
        }
        assert!(game.starts_with("carb") || run(&folder, &format!("{line} lanes:plain")).code == Some(0));
    }
    let ran = run(&folder, "simulate freeze --set rate=0.1234 -p never -n 10 --runner lanes");
    assert!(ran.stderr.contains("lanes cannot play this"), "{}", ran.stderr);
}

/// The best of 1,000 games depends on games that 10,000 trials hardly have: exactly it is 112.59. Nothing bounds it above.
#[test]
fn the_best_of_many_games_is_open() {
    let folder = scratch("simulate-best-of");
    let line = "simulate carbonite --set colours=2 -p tidy -n 10000 --out out --best-of";
    let ran = good(&folder, &format!("{line} 1000"));
    let answer = &rows(&read(&folder.join("out/asked.csv")))[0];
    assert!(number(answer, "low") < 112.59 && answer["high"].is_empty(), "{answer:?}");
    assert!(ran.stdout.contains("at least ") && ran.stdout.contains("--trials 500000"), "{}", ran.stdout);
    // So many trials would do, and what the rules bound has an upper limit.
    good(&folder, &format!("{line} 20 --force"));
    assert!(!rows(&read(&folder.join("out/asked.csv")))[0]["high"].is_empty());
    let bounded = "simulate pig --set players=1 -p hold -n 1000 --metric points --best-of 100 --out bounded";
    good(&folder, bounded);
    let answer = &rows(&read(&folder.join("bounded/asked.csv")))[0];
    assert_eq!(number(answer, "high"), 100.0, "the goal bounds points: {answer:?}");
}

/// A share of a few trials in a million is not written as nothing, nor as all.
#[test]
fn rare_shares_have_their_digits() {
    let folder = scratch("simulate-rare");
    let line = "simulate pig --rules solo -p hold:n=20 -n 1000000 --above 47 --format markdown";
    let ran = good(&folder, line);
    let row = ran.stdout.lines().find(|line| line.contains("> 47)")).expect("asked");
    assert!(!row.contains("0.00 %"), "{row}");
}

/// Shares above a mark, quantiles and the best of several games, against the distribution of the same run.
#[test]
fn what_is_asked_besides() {
    let folder = scratch("simulate-asked");
    let asked = "--above 300 --above 0 --quantiles 0.5,0.9 --best-of 1 --best-of 5";
    let ran = good(&folder, &format!("simulate carbonite -p tidy -n 20k -q --out out {asked}"));
    assert!(ran.stdout.contains("P(score > 300)") && ran.stdout.contains("expected highest of 5 games"));
    let summary = rows(&read(&folder.join("out/summary.csv")));
    let values = rows(&read(&folder.join("out/distribution.csv")));
    let values: Vec<_> = values.iter().filter(|row| row["metric"] == "score").collect();
    let answers = rows(&read(&folder.join("out/asked.csv")));
    let of = |question: &str, at: &str| {
        answers.iter().find(|row| row["question"] == question && row["at"] == at).expect("an answer")
    };
    let above: u64 =
        values.iter().filter(|row| count(row, "value") > 300).map(|row| count(row, "count")).sum();
    assert!((number(of("above", "300"), "value") - above as f64 / 20_000.0).abs() < 1e-9);
    assert_eq!((&*of("above", "300")["unit"], &*of("quantile", "0.5")["unit"]), ("share", "points"));
    good(
        &folder,
        &format!("simulate carbonite -p tidy -n 20k -q --out twice {asked} --above 0 --quantiles 0.9"),
    );
    assert_eq!(read(&folder.join("twice/asked.csv")), read(&folder.join("out/asked.csv")), "once each");
    // Twenty games bound their 90 % quantile below: 15 of them or fewer lie below it with a chance of 0.043, 14 with 0.011.
    let few = "--quantiles 0.9 --trials-out few.csv --out few";
    let told = good(&folder, &format!("simulate carbonite -p tidy -n 20 -q {few}")).stdout;
    let mut scores: Vec<_> =
        rows(&read(&folder.join("few.csv"))).iter().map(|row| count(row, "score")).collect();
    scores.sort_unstable();
    let row = &rows(&read(&folder.join("few/asked.csv")))[0];
    assert!(number(row, "low") == scores[14] as f64 && row["high"].is_empty(), "{row:?}");
    assert!(told.contains(&format!("at least {}", scores[14])), "{told}");
    assert_eq!(number(of("quantile", "0.5"), "value"), number(&summary[0], "p50"));
    assert!((number(of("best_of", "1"), "value") - number(&summary[0], "mean")).abs() < 1e-6);
    // The mean of the greatest of five, each drawn anew.
    let (mut below, mut within, mut best) = (0.0_f64, 0.0, 0.0);
    for row in &values {
        below += number(row, "count") / 20_000.0;
        let more = below.powi(5);
        best += number(row, "value") * (more - within);
        within = more;
    }
    let found = of("best_of", "5");
    assert!((number(found, "value") - best).abs() < 0.1, "{best}: {found:?}");
    for row in &answers {
        let limits = [number(row, "low"), number(row, "value"), number(row, "high")];
        assert!(limits.is_sorted(), "{row:?}");
    }
}

/// A game of cards tells how many are drawn, in files under the name that all games have; others do not count them.
#[test]
fn cards_are_not_rolled() {
    let folder = scratch("contract-cards");
    let told = good(&folder, "simulate flip-7 --rules one-round -p two-cards -n 200 --out out").stdout;
    assert!(told.contains("\nbusts ") && told.contains("\ndraws ") && !told.contains("rolls"), "{told}");
    assert!(read(&folder.join("out/summary.csv")).contains(",rolls,draws,"));
    let told = good(&folder, "simulate zombie-dice -p once -n 200").stdout;
    assert!(told.contains(" rolls\n") && !told.contains(" draws\n"), "{told}");
}

/// The turns of all seats are added up from the rows of the trials: of games whose seats take turns, change places, or have their
/// turns together.
#[test]
fn the_length_of_games_is_asked_about() {
    let folder = scratch("simulate-length");
    for line in ["pig -p hold -p hold-at-25", "pig -p hold -p hold-at-25 --rotate", "incan-gold -p gems"] {
        let asked = "--metric length --above 20 --quantiles 0.5 --out out --force --trials-out rows.csv";
        let told = good(&folder, &format!("simulate {line} -n 3k -q {asked}")).stdout;
        let mut turns: BTreeMap<u64, u64> = BTreeMap::new();
        for row in rows(&read(&folder.join("rows.csv"))) {
            *turns.entry(count(&row, "trial")).or_default() += count(&row, "turns");
        }
        let mut lengths: BTreeMap<u64, u64> = BTreeMap::new();
        turns.values().for_each(|&length| *lengths.entry(length).or_default() += 1);
        let distribution = rows(&read(&folder.join("out/distribution.csv")));
        let found = of_metric(&distribution, "", "length");
        let found: BTreeMap<_, _> =
            found.into_iter().map(|row| (count(row, "value"), count(row, "count"))).collect();
        assert_eq!(found, lengths, "{line}");
        let answers = rows(&read(&folder.join("out/asked.csv")));
        let above: u64 = lengths.iter().filter(|(length, _)| **length > 20).map(|(_, count)| count).sum();
        assert_eq!(answers.len(), 2, "{line}: one answer to each question, and none of a seat");
        assert!((number(&answers[0], "value") - above as f64 / 3000.0).abs() < 1e-9, "{line}");
        let mut all: Vec<_> = turns.into_values().collect();
        all.sort_unstable();
        assert_eq!(number(&answers[1], "value"), all[1499] as f64, "{line}");
        assert!(told.contains("P(length > 20)"), "{told}");
    }
    let told = good(&folder, "simulate pig -p hold -n 2k -q --metric turns --above 20").stdout;
    assert!(told.contains("These are the turns of one seat; --metric length"), "{told}");
    let told = good(&folder, "simulate pig -p hold -q --metric length --until-width 0.4").stdout;
    assert!(told.contains("every interval of the mean of length is at most 0.4 wide"), "{told}");
    let alone = run(&folder, "simulate pig --rules solo -p hold --metric length");
    assert!(alone.code == Some(2) && alone.stderr.contains("unknown metric `length`"), "{}", alone.stderr);
}

/// Yahtzee has thirteen turns without busts, `skunk` five in which either seat may bust. In `bank` all answer
/// alike to the same dice, so that all share every win. Nobody ties where the first with a hundred points wins at once.
#[test]
fn what_never_varies_is_told_once() {
    let folder = scratch("contract-never-varies");
    let told = |line: &str| good(&folder, &format!("simulate {line} -n 2k -q")).stdout;
    let yahtzee = told("yahtzee -p one-roll --format html");
    assert!(yahtzee.contains("Every trial has 13 turns.") && !yahtzee.contains("Turn by turn"));
    assert!(told("pig --rules solo -p hold --format html").contains("Turn by turn"));
    let skunk = told("two-dice-pig --rules skunk -p hold");
    assert!(skunk.contains("\nTurn of seat 1    bust  95 %\n"), "{skunk}");
    assert!(!skunk.contains("if reached") && skunk.contains("ties shared"), "{skunk}");
    let bank = told("bank -p third-roll");
    assert!(bank.contains("\nEvery seat · third-roll, with the same numbers\n"), "{bank}");
    assert_eq!(bank.matches("\npoints ").count(), 1, "{bank}");
    assert!(bank.contains("\nDice that are rolled for all count for seat 1.\n"), "{bank}");
    let goal = told("two-dice-pig -p hold");
    assert!(!goal.contains("ties shared") && goal.contains("\nWins "), "{goal}");
    assert!(goal.contains("\nSeat 2 · hold:n=23\n"), "{goal}");
    for (rules, has_ties) in [("--set goal=30", false), ("--rules skunk", true)] {
        let line = format!("compare two-dice-pig {rules} -p hold -p once -n 2k -q");
        assert_eq!(good(&folder, &line).stdout.contains("ties shared"), has_ties, "{line}");
    }
    for (game, has_ties) in [
        ("two-dice-pig --set goal=10 --set players=3 -p once", false),
        ("threes --set dice=1 --set players=3 -p low", true),
    ] {
        let line = format!("solve {game} -q");
        assert_eq!(good(&folder, &line).stdout.contains("ties shared"), has_ties, "{line}");
    }
}
