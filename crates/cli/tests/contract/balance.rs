//! `balance`: what it prints and writes, that it agrees with itself and with other commands, and what it refuses.

use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::sheet::Sheet;
use crate::common::{
    BALANCED, Ran, Row, count, data, entries, good, number, program, read, rounded, rows, run, scratch,
};
use crate::running::wait_for_work;

const SOLO: &str = "balance carbonite -p first -p tidy --rules wiki --rules readme-v1 --one-by-one --mark 200 \
                    --targets TARGETS/short.toml -n 2k --threads 1";
const FOR_TWO: &str = "balance pig -p hold:n=5 -p hold --set goal=50 --vary-rule sides=6,8 --close points=10 --targets \
                       TARGETS/pig.toml -n 2k --threads 1";
const SEARCH: &str = "balance carbonite -p first -p tidy --vary-rule turns=3..6 --vary-rule retribution=all,any --targets \
                      TARGETS/short.toml --search 6 -n 4k --threads 1";

/// One game in a thousand above a mark is no proof that more than 0.0105 % are: exactly 0.0078 % are, for hold at 19.
#[test]
fn a_single_rare_game_fails_no_target() {
    let folder = scratch("balance-rare");
    std::fs::write(folder.join("rare.toml"), "\"above mark\" = \"at most 0.0105 %\"\n").expect("a file");
    let policies = "-p hold:n=17 -p hold:n=18 -p hold:n=19 -p hold:n=20";
    let text = format!(
        "balance pig --rules solo {policies} --mark 38 -n 1000 --seed 1 --targets rare.toml --out out"
    );
    good(&folder, &text);
    let found = rows(&read(&folder.join("out/targets.csv")));
    assert!(found.iter().any(|row| number(row, "value") > 0.0), "{found:?}");
    assert!(found.iter().all(|row| row["verdict"] != "fail"), "{found:?}");
}

/// A policy at a table of its like has a fair share, which no trials need to tell: another is better if its limits are above that.
#[test]
fn a_policy_among_its_like_has_a_fair_share() {
    let folder = scratch("balance-fair");
    for seats in [2, 3] {
        let line =
            format!("balance pig --set players={seats} --set goal=50 -p hold:n=5 -p hold:n=20 -n 500 -q");
        good(&folder, &format!("{line} --out out{seats}"));
        let found = rows(&read(&folder.join(format!("out{seats}/standings.csv"))));
        let fair = 1.0 / f64::from(seats);
        for column in ["value", "low", "high"] {
            assert!((number(&found[0], column) - fair).abs() < 1e-6, "{found:?}");
        }
        assert_eq!(found[0]["can_be_best"] == "true", number(&found[1], "low") <= fair);
    }
}

/// The mean of any metric can be aimed at: it is that of a simulation, in a game for several of all seats together, and is
/// measured where it is aimed at alone, so that it widens no interval elsewhere.
#[test]
fn targets_take_the_mean_of_any_metric() {
    let folder = scratch("balance-metrics");
    std::fs::write(folder.join("turns.toml"), "\"mean turns\" = \"at least 1\"\n").expect("a file");
    for (game, policy, metric) in [("carbonite", "tidy", "vault"), ("pig", "hold", "points")] {
        let aim = format!("\"mean {metric}\" = \"at least 1\"\n");
        std::fs::write(folder.join("metric.toml"), aim).expect("a file");
        let text = format!("balance {game} -p {policy} -n 2k -q --targets");
        good(&folder, &format!("{text} metric.toml --out {game}"));
        let simulated = good(&folder, &format!("simulate {game} -p {policy} -n 2k -q --format csv")).stdout;
        let simulated = rows(&simulated);
        let seats = simulated.iter().filter(|row| row["metric"] == metric);
        let sum: f64 = seats.map(|row| number(row, "mean")).sum();
        let found = rows(&read(&folder.join(game).join("targets.csv")));
        assert_eq!(found.len(), 1);
        assert!((number(&found[0], "value") - sum).abs() < 2e-6, "{found:?}: {sum}");
        assert_eq!(found[0]["verdict"], "pass");
        let measured = |out: &str| -> Vec<_> {
            let all = rows(&read(&folder.join(out).join("balance.csv")));
            all.into_iter().map(|row| row["measure"].clone()).collect()
        };
        good(&folder, &format!("{text} turns.toml --out {game}-turns"));
        let (with, without) = (measured(game), measured(&format!("{game}-turns")));
        assert_eq!(with.len(), without.len() + 1);
        assert!(with.contains(&format!("mean {metric}")) && !without.contains(&format!("mean {metric}")));
    }
}

/// With the path of the targets: they are beside the tests, the output elsewhere.
fn line(text: &str) -> String {
    text.replace("TARGETS", &data().join("targets").to_string_lossy())
}

fn header(file: &str) -> &'static str {
    BALANCED.iter().find(|(name, _)| *name == file).map(|(_, header)| *header).expect("known")
}

fn page(text: &str, name: &str, files: &[&str]) {
    let folder = scratch(&format!("balance-{name}"));
    let command = text;
    let text = line(command);
    let found = good(&folder, &format!("{text} --all --out out"));
    let mut sheet = Sheet::new(&format!("balance-{name}"));
    sheet.whole(&format!("stopwise {command} --all --out out"), &found.stdout);
    let mut expected: Vec<_> = files.to_vec();
    expected.extend(["manifest.json", "report.html"]);
    expected.sort_unstable();
    assert_eq!(entries(&folder.join("out")).into_iter().collect::<Vec<_>>(), expected);
    for file in files {
        let table = read(&folder.join("out").join(file));
        assert_eq!(table.lines().next(), Some(header(file)));
        sheet.section(&format!("out/{file}"), &table);
    }
    assert_eq!(good(&folder, &format!("{text} --format csv")).stdout, read(&folder.join("out/balance.csv")));
    let json = good(&folder, &format!("{text} --format json"));
    let repeat = json.json()["repeat"].as_str().expect("a command").to_owned();
    let again = repeat.strip_prefix("stopwise ").expect("ours");
    assert_eq!(good(&folder, &format!("{again} --format csv")).stdout, read(&folder.join("out/balance.csv")));
    for file in files {
        let rows = rows(&read(&folder.join("out").join(file))).len();
        let listed = json.json()[file.trim_end_matches(".csv")].as_array().map(Vec::len);
        assert_eq!(listed, Some(rows), "{file}");
    }
    // One is enough to see the form.
    if name == "pig" {
        let mut json = json.json();
        rounded(&mut json);
        // It has the path of the targets.
        json["repeat"] = Value::from(repeat.replace(&*data().to_string_lossy(), "DATA"));
        sheet.section("--format json", &(serde_json::to_string_pretty(&json).expect("JSON") + "\n"));
    }
    sheet.check();
    let markdown = good(&folder, &format!("{text} --format markdown")).stdout;
    for section in ["Targets", "Skill", "Best policy", "What is measured"] {
        assert!(markdown.contains(&format!("\n### {section}\n")), "{section} in\n{markdown}");
    }
    let measured = rows(&read(&folder.join("out/balance.csv")));
    let of_base = format!("{}+", measured[0]["rules"]);
    for row in measured {
        let called = row["rules"].strip_prefix(&of_base).unwrap_or(&row["rules"]).replace('_', "\\_");
        assert!(markdown.contains(&format!("| {called} ")), "{row:?}\n{markdown}");
        assert!(markdown.contains(&format!("\n### {}", row["policy"])), "{row:?}\n{markdown}");
    }
    for nonsense in ["NaN", "nan", "inf", "-0.00 ", "−0.00 ", "-0.000000,", "-0.000000000"] {
        for text in [&found.stdout, &json.stdout, &read(&folder.join("out/effects.csv"))] {
            assert!(!text.contains(nonsense), "{nonsense} in\n{text}");
        }
    }
}

#[test]
fn of_a_game_alone() {
    page(
        SOLO,
        "carbonite",
        &["balance.csv", "effects.csv", "skill.csv", "standings.csv", "overview.csv", "targets.csv"],
    );
}

#[test]
fn of_a_game_for_two() {
    page(
        FOR_TWO,
        "pig",
        &["balance.csv", "effects.csv", "skill.csv", "standings.csv", "overview.csv", "targets.csv"],
    );
}

#[test]
fn a_search() {
    page(
        SEARCH,
        "search",
        &[
            "balance.csv",
            "effects.csv",
            "skill.csv",
            "standings.csv",
            "overview.csv",
            "targets.csv",
            "search.csv",
        ],
    );
}

/// The answer names what is nearest, and a table has five variants at most with all that they miss.
#[test]
fn a_search_that_finds_nothing() {
    let folder = scratch("balance-nothing");
    std::fs::write(folder.join("no.toml"), "\"mean turns\" = \"0 to 1\"\n").expect("written");
    let text = "balance carbonite -p first --vary-rule turns=3..9 --search 7 --targets no.toml -n 4k -q";
    let ran = good(&folder, &format!("{text} --out out"));
    let answer = ran.stdout.lines().nth(1).expect("an answer");
    assert!(answer.starts_with("None of the 7 combinations looked at meets all targets."), "{answer}");
    assert!(ran.stdout.contains("The nearest is turns=3 (mean turns "), "{}", ran.stdout);
    let (_, near) = ran.stdout.split_once("\nThe nearest misses\n").expect("a table");
    let near: Vec<_> = near.lines().skip(1).take_while(|line| line.starts_with("turns=")).collect();
    let search = rows(&read(&folder.join("out/search.csv")));
    let mut misses: Vec<_> =
        search.iter().map(|row| (number(row, "shortfall"), row["rules"].as_str())).collect();
    misses.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert_eq!((near.len(), misses.len()), (5, 7));
    for (line, (shortfall, rules)) in near.iter().zip(misses) {
        let changed = rules.strip_prefix("wiki+").expect("a change");
        assert!(line.starts_with(changed) && line.contains(&format!(" {shortfall:.2} ")), "{line}");
    }
}

/// Of turns that all seats have at once a seat has as many as the game; a fair share is that of the variant's own seats.
#[test]
fn seats_are_told_apart() {
    let folder = scratch("balance-seats");
    let text = "freeze -p always --set steps=60 -n 300 -q";
    let told = good(&folder, &format!("balance {text}")).stdout;
    good(&folder, &format!("simulate {text} --out out"));
    let summary = rows(&read(&folder.join("out/summary.csv")));
    let turns = summary.iter().find(|row| row["metric"] == "turns" && row["seat"] == "1").expect("there");
    let mean = format!("{:.2}", number(turns, "mean"));
    assert!(told.contains(&format!("the mean number of turns of a seat is {mean} turns")), "{mean}\n{told}");
    let told =
        good(&folder, "balance icedice -p thief --rules two-players --rules three-players -n 300 -q --all")
            .stdout;
    for words in
        ["two-players: the first seat's", "a fair 1 in 2\n", "three-players: the first", "a fair 1 in 3\n"]
    {
        assert!(told.contains(words), "{words} in\n{told}");
    }
    for [rules, fair] in [["two-players", "50.00 %"], ["three-players", "33.33 %"]] {
        let row = told.lines().find(|line| line.starts_with(rules) && line.contains(fair));
        assert!(row.is_some(), "{rules} {fair} in\n{told}");
    }
}

/// One trial, one variant, one policy, the same rules under two names, a score wanted low, nobody who wins.
#[test]
fn little_to_say() {
    let mut sheet = Sheet::new("balance-little-to-say");
    for text in [
        "balance pig -p hold -n 1",
        "balance carbonite -p tidy -p tidy:k=3 --rules wiki --rules rules/same.toml -n 300",
        "balance pig --rules solo -p hold:n=5 -p hold --vary-rule goal=50,100 -n 300",
        "balance pig -p hold -p hold:n=5 --set turn_cap=2 --close points=3 -n 300",
    ] {
        let found = good(&data(), &format!("{text} -q --all")).stdout;
        sheet.whole(&format!("stopwise {text} -q --all"), &found);
        let [csv, json] =
            ["csv", "json"].map(|format| good(&data(), &format!("{text} -q --format {format}")).stdout);
        for nonsense in ["NaN", "nan", "inf", "-0.00 ", "−0.00 ", "-0.000000,", "-0.000000000"] {
            for text in [&found, &csv, &json] {
                assert!(!text.contains(nonsense), "{nonsense} in\n{text}");
            }
        }
    }
    sheet.check();
}

/// The games that count are those of every other command: means, early ends and quantiles are the same to the last digit.
#[test]
fn agrees_with_simulate_and_compare() {
    let folder = scratch("balance-simulate");
    let text = "balance carbonite -p tidy --rules wiki --rules readme-v1 -n 30001 -q";
    good(&folder, &format!("{text} --out out"));
    let table = rows(&read(&folder.join("out/balance.csv")));
    for rules in ["wiki", "readme-v1"] {
        good(&folder, &format!("simulate carbonite -p tidy --rules {rules} -n 30001 -q --out {rules}"));
        let summary = rows(&read(&folder.join(rules).join("summary.csv")));
        let endings = rows(&read(&folder.join(rules).join("endings.csv")));
        let of = |metric: &str, column: &str| {
            number(summary.iter().find(|row| row["metric"] == metric).expect("there"), column)
        };
        let early: u64 =
            endings.iter().filter(|row| row["early"] == "true").map(|row| count(row, "count")).sum();
        for (measure, expected) in [
            ("mean score", of("score", "mean")),
            ("mean turns", of("turns", "mean")),
            ("mean rolls", of("rolls", "mean")),
            ("95 % turns", of("turns", "p95")),
            ("median score", of("score", "p50")),
            ("99 % score", of("score", "p99")),
            ("score spread", of("score", "std_dev")),
            ("early end", early as f64 / 30_001.0),
        ] {
            let row =
                table.iter().find(|row| row["rules"] == rules && row["measure"] == measure).expect("there");
            assert!((number(row, "value") - expected).abs() < 1e-6, "{row:?} {expected}");
        }
    }
    let effects = rows(&read(&folder.join("out/effects.csv")));
    for row in &effects {
        let by_hand = number(row, "value") - number(row, "base_value");
        assert!((number(row, "difference") - by_hand).abs() < 2e-6, "{row:?}");
        assert_eq!(count(row, "together"), effects.len() as u64);
    }
}

/// The table of variants and policies is what a simulation counts: turns of all seats, their quantiles, what each seat wins. So are
/// rounds, which targets may be about: turns by seats, rounded up game by game.
#[test]
fn the_overview_is_what_a_simulation_counts() {
    let folder = scratch("balance-overview");
    std::fs::write(
        folder.join("rounds.toml"),
        "rounds = \"at most 60 rounds each\"\n\"95 % rounds\" = \"at least 1\"\n",
    )
    .expect("written");
    let game = "pig --set players=3 -n 3001 -q";
    good(
        &folder,
        &format!("balance {game} -p hold:n=5 -p hold --variant goal=50 --targets rounds.toml --out out"),
    );
    let overview = rows(&read(&folder.join("out/overview.csv")));
    let targets = rows(&read(&folder.join("out/targets.csv")));
    assert_eq!(overview.len(), 4);
    for row in &overview {
        let policy = &row["policy"];
        let goal = if row["changed"].is_empty() { 100 } else { 50 };
        let line =
            format!("simulate {game} --set goal={goal} -p {policy} --metric length --force --out simulated");
        good(&folder, &line);
        let table = |name: &str| rows(&read(&folder.join("simulated").join(name)));
        let lengths: Vec<_> = table("distribution.csv")
            .iter()
            .filter(|row| row["metric"] == "length")
            .map(|row| (count(row, "value"), count(row, "count")))
            .collect();
        let mean = |of: fn(u64) -> u64| {
            lengths.iter().map(|&(value, games)| of(value) * games).sum::<u64>() as f64 / 3001.0
        };
        assert!((number(row, "turns") - mean(|turns| turns)).abs() < 1e-6, "{row:?}");
        let quantile = |share: f64, of: fn(u64) -> u64| {
            let mut games = 0;
            let reached = |&&(_, count): &&(u64, u64)| {
                games += count;
                games as f64 >= share * 3001.0
            };
            of(lengths.iter().find(reached).expect("there").0)
        };
        for (column, share) in [("turns_p05", 0.05), ("turns_p50", 0.5), ("turns_p95", 0.95)] {
            assert_eq!(count(row, column), quantile(share, |turns| turns), "{column}");
        }
        let wins: Vec<_> = table("wins.csv")
            .iter()
            .filter(|row| row["who"] == "seat")
            .map(|row| number(row, "share"))
            .collect();
        assert_eq!(wins.len(), 3, "{:?}", table("wins.csv"));
        for (column, share) in [
            ("most", wins.iter().copied().fold(0.0, f64::max)),
            ("least", wins.iter().copied().fold(1.0, f64::min)),
        ] {
            assert!((number(row, column) - share).abs() < 1e-6, "{row:?} {share}");
        }
        assert!((number(row, "apart") - (number(row, "most") - number(row, "least"))).abs() < 2e-9);
        let rounds = |turns: u64| turns.div_ceil(3);
        for (measure, value) in
            [("mean rounds", mean(rounds)), ("95 % rounds", quantile(0.95, rounds) as f64)]
        {
            let is_it = |target: &&Row| {
                target["rules"] == row["rules"] && target["policy"] == *policy && target["measure"] == measure
            };
            let found = targets.iter().find(is_it).expect("there");
            assert!((number(found, "value") - value).abs() < 1e-6, "{found:?} {value}");
        }
    }
}

/// A policy that never ends its games is named before they are played, and again in the answer; options that change nothing without
/// others leave one row, and the file says whose games a variant plays.
#[test]
fn what_never_ends_and_what_changes_nothing_is_named() {
    let folder = scratch("balance-endless");
    let never = "game = \"pig\"\nname = \"never\"\nstop = \"turn_total > 500\"\n";
    std::fs::write(folder.join("never.toml"), never).expect("written");
    let ran = good(&folder, "balance pig -p hold -p never.toml --set turn_cap=300 --variant goal=50 -n 1k");
    let note =
        "note: never may not end its games: under standard+turn_cap=300 all of the first 8 are cut off.";
    assert_eq!(ran.stderr.matches("may not end its games").count(), 1, "{}", ran.stderr);
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
    let answer =
        "Games end at the turn cap without a winner: 100.00 % of those with never under every variant.";
    assert!(ran.stdout.replace('\n', " ").contains(answer), "{}", ran.stdout);
    // No game of these has so many turns.
    let ran = good(
        &folder,
        "balance pig -p hold -p hold:n=5 --variant turn_cap=9000 --variant goal=50 -n 1k --out out",
    );
    let answer = "3 variants are 2 different games, as far as 1,000 trials tell, and those that are the same have one row: \
                  turn_cap=9000 plays those of standard.";
    assert!(ran.stdout.replace('\n', " ").contains(answer), "{}", ran.stdout);
    let first: Vec<_> = rows(&read(&folder.join("out/overview.csv")))
        .iter()
        .map(|row| row["same_games_as"].clone())
        .collect();
    assert_eq!(first, ["", "", "standard", "standard", "", ""]);
}

#[test]
fn the_same_bytes_again_and_with_any_number_of_threads() {
    let folder = scratch("balance-threads");
    for text in [SOLO, FOR_TWO, SEARCH] {
        let text = line(text).replace(" --threads 1", "").replace("-n 2k", "-n 9001");
        let first = good(&folder, &format!("{text} -q --out first"));
        for threads in 1..=3 {
            let again = good(&folder, &format!("{text} -q --threads {threads} --out again"));
            assert_eq!(again.stdout, first.stdout, "{threads}");
            for file in entries(&folder.join("first")).iter().filter(|file| file.ends_with(".csv")) {
                assert_eq!(
                    read(&folder.join("first").join(file)),
                    read(&folder.join("again").join(file)),
                    "{file}"
                );
            }
        }
        std::fs::remove_dir_all(folder.join("first")).expect("there");
        std::fs::remove_dir_all(folder.join("again")).expect("there");
    }
}

#[test]
fn the_first_policy_has_no_skill() {
    let folder = scratch("balance-skill-target");
    std::fs::write(folder.join("skill.toml"), "[\"hold:n=20\"]\n\"skill\" = \"at least 1 %\"\n")
        .expect("written");
    let ran = run(&folder, "balance pig -p hold -p hold:n=5 --targets skill.toml");
    assert!(ran.code == Some(2) && ran.stderr.contains("above the first policy"), "{}", ran.stderr);
}

/// Runs until it has opened its files, then presses Ctrl-C.
fn interrupted(folder: &Path, text: &str) -> Ran {
    let mut command = program(folder);
    command.args(text.split(' ')).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program starts");
    let began = Instant::now();
    while !folder.join("out").exists() || entries(&folder.join("out")).len() < 5 {
        assert!(began.elapsed() < Duration::from_secs(20), "no files");
        sleep(Duration::from_millis(5));
    }
    wait_for_work(&child, 20);
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("`kill` is there").success());
    Ran::new(child.wait_with_output().expect("it ends"))
}

/// Before the trials that count there is nothing to write.
#[test]
fn an_interrupted_search_has_no_result() {
    let folder = scratch("balance-interrupted-search");
    std::fs::write(folder.join("wide.toml"), "\"mean turns\" = \"0 to 100\"\n").expect("written");
    let text = "balance carbonite -p tidy --vary-rule turns=3..10 --search 8 --targets wide.toml -q -n 1e12 --out out";
    let ran = interrupted(&folder, text);
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    assert!(ran.stderr.starts_with("interrupted: ") && ran.stdout.is_empty(), "{}", ran.stderr);
    assert!(ran.stderr.contains("there is no result"), "{}", ran.stderr);
    assert!(entries(&folder.join("out")).is_empty());
}

/// The answer stands first, and what follows ends within a screen; what is left out is named, and `--all` prints it. Files and
/// pages have everything.
#[test]
fn a_terminal_has_the_answer_and_a_screen() {
    let folder = scratch("balance-brief");
    let line = "balance carbonite -p first -p second-tree --vary-rule turns=6..10 --vary-rule atom=choice,bust -n 200 -q";
    let (brief, all) = (good(&folder, line).stdout, good(&folder, &format!("{line} --all --out out")).stdout);
    assert!(brief.lines().count() <= 48 && all.lines().count() > 150, "{brief}");
    let said = brief.replace("\n  ", " ");
    assert!(said.contains("Not shown: ") && said.contains("What is measured. Add --all"), "{brief}");
    let beginning: Vec<_> = all.lines().take(10).collect();
    assert!(brief.starts_with(&beginning.join("\n")), "{brief}");
    assert!(!all.contains("Not shown"), "{all}");
    let page = read(&folder.join("out/report.html"));
    assert!(page.contains("What is measured") && !page.contains("Not shown"));
}

/// A variant is called by what it changes: the other values of its options are those of the rules that it is compared with.
#[test]
fn variants_are_called_by_what_they_change() {
    let folder = scratch("balance-names");
    let line = "balance carbonite -p tidy --vary-rule turns=9,10 --vary-rule atom=choice,bust -n 100 -q --format json";
    let found = good(&folder, line).json();
    let rows = found["effects"].as_array().expect("rows");
    let mut names: Vec<_> = rows.iter().filter_map(|row| row["rules"].as_str()).collect();
    names.dedup();
    assert_eq!(names, ["wiki+turns=9", "wiki+turns=9+atom=bust", "wiki+atom=bust"]);
}

/// What every seat wins, for any number of players in shares of which 1 is fair: hold at 20 against itself wins 53.47 % of
/// the games for the first of two seats (T. W. Neller's exercises on Pig), 29.0 % for the first of four and 21.4 % for the
/// last.
#[test]
fn seats_compare_over_numbers_of_players() {
    let line = "balance pig --vary-rule players=2..4 -p hold -n 20000 -q --format json";
    let found = good(&data(), line).json();
    let of = |rules: &str, seat: usize| {
        let rows = found["balance"].as_array().expect("rows");
        let name = format!("seat {seat} wins");
        let row = rows.iter().find(|row| row["rules"] == rules && row["measure"] == *name).expect("a row");
        ["value", "low", "high"].map(|column| row[column].as_f64().expect("a number"))
    };
    let four = "standard+players=4";
    for (rules, seat, wanted) in [
        ("standard", 1, 2.0 * 0.5347),
        ("standard", 2, 2.0 * 0.4653),
        (four, 1, 4.0 * 0.290),
        (four, 4, 4.0 * 0.214),
    ] {
        let [_, low, high] = of(rules, seat);
        assert!(low < wanted && wanted < high && high - low < 0.1, "{rules} {seat}: {low} to {high}");
    }
    let all: f64 = (1..=4).map(|seat| of(four, seat)[0]).sum();
    assert!((all - 4.0).abs() < 1e-5, "{all}");
    let said = found["answer"].to_string();
    for wanted in [
        "With hold:n=20 in every seat under standard, seat 1 wins most, 5",
        "Of the other variants, under players=4: seat 1 most, ",
        "these trials do not tell under which seats are nearest or farthest apart.",
        "Turns of a seat with hold:n=20 in every seat: ",
    ] {
        assert!(said.contains(wanted), "{wanted}: {said}");
    }
}
