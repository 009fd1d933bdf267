//! `replay`: what it tells is what `simulate` counts.

use std::collections::BTreeMap;

use serde_json::json;

use crate::common::{data, documents, good, number, rows, run, scratch};

/// What `replay` tells of the first trials adds up to what `simulate` counts of them.
#[test]
fn replays_are_the_trials_that_were_simulated() {
    let folder = data();
    for (game, options) in [
        ("carbonite", "--policy tidy --seed 5"),
        ("pig", "--policy hold --policy hold-at-25"),
        ("shut-the-box", "--policy most-boxes"),
        ("cant-stop", "--policy rule-of-28"),
    ] {
        let trials = 12;
        let line = format!("simulate {game} {options} -n {trials} -q --format csv");
        let simulated = rows(&good(&folder, &line).stdout);
        let mut sums: BTreeMap<(String, String), f64> = BTreeMap::new();
        let told = good(&folder, &format!("replay {game} {options} --trial 0..{} --json", trials - 1)).stdout;
        for replay in documents(&told) {
            for seat in replay["seats"].as_array().expect("seats") {
                for (metric, value) in seat["metrics"].as_object().expect("metrics") {
                    let key = (seat["seat"].to_string(), metric.clone());
                    *sums.entry(key).or_default() += value.as_f64().expect("a number");
                }
            }
            let count = |seat: u64, step: &str| {
                let steps = replay["steps"].as_array().expect("steps").iter();
                steps.filter(|found| found["step"] == step && found["seat"] == json!(seat)).count() as u64
            };
            for seat in replay["seats"].as_array().expect("seats") {
                let number = seat["seat"].as_u64().expect("a number");
                assert_eq!(seat["metrics"]["turns"], count(number, "turn"));
                assert_eq!(seat["metrics"]["busts"], count(number, "bust"));
            }
        }
        assert_eq!(simulated.len(), sums.len());
        for row in &simulated {
            let sum = sums[&(row["seat"].clone(), row["metric"].clone())];
            assert!((number(row, "mean") - sum / f64::from(trials)).abs() < 1e-6, "{row:?}");
        }
    }
}

/// What the rules do without asking is told as well: of nine boxes all are told that are not left open.
#[test]
fn answers_without_a_choice_are_told() {
    let told = good(&data(), "replay shut-the-box --policy most-boxes --trial 0..19 --json").stdout;
    let mut forced = 0;
    for replay in documents(&told) {
        let steps = replay["steps"].as_array().expect("steps").iter();
        let shut = steps.filter(|step| step["step"] == "shut").map(|step| {
            let is_forced = step["possible"].as_array().is_some_and(|possible| possible.len() == 1);
            assert_eq!(step["reason"] == "nothing else is possible", is_forced, "{step}");
            forced += usize::from(is_forced);
            let boxes = step["chosen"].as_str().expect("boxes").split(", ");
            boxes.map(|number| number.parse::<u64>().expect("a number")).sum::<u64>()
        });
        let left = replay["seats"][0]["metrics"]["score"].as_u64().expect("a score");
        assert_eq!(shut.sum::<u64>(), (1..=9).sum::<u64>() - left);
    }
    assert!(forced > 20, "{forced}");
}

/// Of a deck a telling says how much it is; its data have every card.
#[test]
fn a_deck_is_told_at_a_glance() {
    let line = "replay flip-7 --policy two-cards --trial 1";
    let told = good(&data(), line).stdout;
    assert!(told.contains("      deck: 90, of 22 kinds\n") && !told.contains(" of plus_2"), "{told}");
    let json = good(&data(), &format!("{line} --json")).json();
    let steps = json["steps"].as_array().expect("steps").iter();
    let mut decks = steps.filter_map(|step| step["state"]["deck"].as_str());
    assert!(decks.any(|deck| deck.contains("12 of 12 + 1 of plus_2")), "{json}");
}

/// Every shipped game with policies that meet its rarer moments.
const TOLD: [&str; 12] = [
    "carbonite --policy tidy",
    "carbonite --policy first:k=4 --set retribution=any",
    "carbonite --policy first:k=3 --rules readme-v1 --set retribution=none",
    "carbonite --policy first:k=5 --set atom=bust --set multiplier=pips_minus_one",
    "carbonite --policy first:k=5 --set atom=reroll --set vault_match=no_match",
    "icedice --policy thief",
    "icedice --rules three-players --policy stop-at --set no_choice=bust",
    "freeze --rules doubles --policy always --set steps=200 --set fumble=0.5",
    "freeze --rules table --policy always --set steps=100 --set stake_at_end=paid --set broke_bonus=true",
    "carcassonne --policy knight-errant --policy tight",
    "carcassonne --rules solo-knight --policy knight-errant",
    "pig --rules piglet --policy hold:n=2",
];

/// Sentences are sentences: a kind of decision is no heading that its answer repeats, no line names a number that only
/// the program knows, and none names a metric in place of a sentence.
#[test]
fn replays_read_as_sentences() {
    let folder = data();
    for game in TOLD {
        let text = good(&folder, &format!("replay {game} --trial 0..4")).stdout;
        for line in text.lines().filter(|line| line.starts_with("  ") && !line.starts_with("      ")) {
            let sentence = line.trim_start();
            let head = sentence.split_once(": ").map_or("", |(head, _)| head);
            assert!(!["mark", "take", "stop", "victim", "place", "keep"].contains(&head), "{line}");
            for metric in ["stakes", "calls", "busts", "doubles", "freezes", "stakes_won", "steals"] {
                assert!(!sentence.starts_with(&format!("{metric}: ")), "{line}");
            }
            let words: Vec<_> = sentence.split([' ', ':', ',']).filter(|word| !word.is_empty()).collect();
            assert!(words.windows(2).all(|pair| pair[0] != pair[1]), "twice the same word: {line}");
            let has_number = |pair: &[&str]| pair[0] == "city" && pair[1].parse::<u32>().is_ok();
            assert!(!words.windows(2).any(has_number), "{line}");
            assert!(!line.contains("bust!"), "{line}");
        }
    }
}

/// The steps of the first trials as data.
fn steps(line: &str, trials: usize) -> Vec<Vec<serde_json::Value>> {
    let told = good(&data(), &format!("replay {line} --trial 0..{} --json", trials - 1)).stdout;
    let steps = |replay: &serde_json::Value| replay["steps"].as_array().expect("steps").clone();
    let steps: Vec<_> = documents(&told).iter().map(steps).collect();
    assert_eq!(steps.len(), trials);
    steps
}

/// The sentences of a step of news.
fn sentences(step: &serde_json::Value) -> Vec<String> {
    let texts = step["text"].as_array().map_or(&[][..], Vec::as_slice);
    texts.iter().map(|text| text.as_str().expect("a text").to_owned()).collect()
}

/// Before every bust stands why.
/// The dice of `bank` are rolled for all.
#[test]
fn a_roll_of_the_table_is_of_no_seat() {
    let seats = |line: &str| -> Vec<_> {
        let all = steps(line, 1).concat().into_iter();
        all.filter(|step| step["step"] == "roll").map(|step| step["seat"].clone()).collect()
    };
    let of_all = seats("bank -p third-roll");
    assert!(!of_all.is_empty() && of_all.iter().all(serde_json::Value::is_null), "{of_all:?}");
    assert!(seats("pig -p hold").iter().all(serde_json::Value::is_u64));
}

#[test]
fn a_bust_says_why() {
    for game in [
        "carbonite --policy first:k=4",
        "icedice --policy stop-at:k=4",
        "pig --policy hold",
        "carcassonne --policy one",
    ] {
        let mut busts = 0;
        for steps in steps(game, 4) {
            for (at, step) in steps.iter().enumerate().filter(|(_, step)| step["step"] == "bust") {
                let why = sentences(&steps[at - 1]);
                assert!(why.iter().any(|sentence| sentence.starts_with("bust: ")), "{step} after {why:?}");
                busts += 1;
            }
        }
        assert!(busts > 0, "{game}");
    }
}

/// A bust of `CarboniteDice` names the colour that was rolled, and as many pieces as it says are in the Chamber after it;
/// where the game ends it says what could not be removed, and that is neither in the Bank nor on the Counter.
#[test]
fn retribution_says_what_it_removes() {
    let chamber = |state: &serde_json::Value| -> usize {
        let text = state["chamber"].as_str().expect("the Chamber");
        text.split(' ').next().and_then(|count| count.parse().ok()).expect("a number")
    };
    let pieces = |text: &str| {
        ["small ", "medium ", "large "].iter().map(|size| text.matches(size).count()).sum::<usize>()
    };
    let (mut removals, mut failures) = (0, 0);
    for steps in steps("carbonite --policy first:k=3", 12) {
        let state_before = |at: usize| steps[..at].iter().rev().find(|step| step["state"].is_object());
        for (at, step) in steps.iter().enumerate() {
            let said = sentences(step);
            if !said.first().is_some_and(|first| first.starts_with("bust: ")) {
                continue;
            }
            let dice = steps[at - 1]["dice"].as_str().expect("a roll");
            let (colour, _) = dice.split_once(", ").expect("a colour and sizes");
            assert_eq!(said[0], format!("bust: {colour} is on the Counter already"));
            let before = &state_before(at).expect("a decision")["state"];
            if let Some(next) = steps[at..].iter().find(|step| step["state"].is_object()) {
                let removed = said.iter().filter(|sentence| sentence.starts_with("retribution: "));
                let removed: usize = removed.map(|sentence| pieces(sentence)).sum();
                assert_eq!(chamber(&next["state"]) - chamber(before), removed, "{said:?}");
                removals += 1;
            } else if let Some(ended) = said.iter().find(|sentence| sentence.contains("the game ends")) {
                let missing = ended.split("no ").last().and_then(|rest| rest.split(" is in the Bank").next());
                for piece in missing.expect("what is missing").split(" or ") {
                    let (size, colour) = piece.split_once(' ').expect("a piece");
                    let letter = size[..1].to_uppercase();
                    for place in ["bank", "counter"] {
                        let text = before[place].as_str().expect("a place");
                        let of_colour = text.split(", ").find(|part| part.starts_with(colour));
                        assert!(
                            !of_colour.is_some_and(|part| part[colour.len()..].contains(&letter)),
                            "{piece}: {text}"
                        );
                    }
                }
                failures += 1;
            }
        }
    }
    assert!(removals > 10 && failures > 2, "{removals} removals, {failures} failures");
}

/// The numbers of a line.
fn numbers(line: &str) -> Vec<u64> {
    line.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

/// Sums add up, to what is counted.
#[test]
fn scores_show_their_sums() {
    let folder = data();
    for trial in 0..12 {
        let line = format!("replay carbonite --policy second-tree --trial {trial}");
        let metrics = good(&folder, &format!("{line} --json")).json()["seats"][0]["metrics"].clone();
        let text = good(&folder, &line).stdout;
        let find = |name: &str| {
            text.lines().rev().find_map(|line| line.trim_start().strip_prefix(name)).expect("a sum")
        };
        let [vault, factor, score] = numbers(find("Score: "))[..] else { panic!("{text}") };
        assert_eq!(vault * factor, score);
        assert_eq!(
            (&metrics["vault"], &metrics["score"], &metrics["completed"]),
            (&json!(vault), &json!(score), &json!(factor))
        );
        let sum = find("Vault: ");
        let (terms, total) = sum.split_once(" = ").unwrap_or(("", sum));
        let (terms, doubled) = match terms.strip_prefix('(').and_then(|terms| terms.split_once(") × ")) {
            Some((terms, times)) => (terms, numbers(times)[0]),
            None => (terms, 1),
        };
        let product = |term: &str| numbers(term).iter().product::<u64>();
        let added: u64 = terms.split(" + ").filter(|term| !term.is_empty()).map(product).sum();
        assert_eq!(vec![added * doubled], numbers(total), "{sum}");
        assert_eq!(numbers(total), [vault]);
    }
    // Where turns score, each says what was there and what it adds; the last is the result.
    for (game, metric) in [
        ("pig --policy hold", "points"),
        ("carcassonne --policy builder", "points"),
        ("carcassonne --rules solo-knight --policy knight-errant", "score"),
    ] {
        let line = format!("replay {game} --trial 0..3");
        let replays = documents(&good(&folder, &format!("{line} --json")).stdout);
        assert_eq!(replays.len(), 4);
        for replay in replays {
            let mut totals = [0; 2];
            for step in replay["steps"].as_array().expect("steps") {
                let seat = step["seat"].as_u64().map_or(0, |seat| usize::try_from(seat).expect("a seat") - 1);
                let said = sentences(step);
                let Some(sum) = said.iter().find(|said| said.contains(" + ") && said.contains(" = ")) else {
                    continue;
                };
                let sum = sum.rsplit(": ").next().expect("a sum");
                let [before, more, after] = numbers(sum)[..] else { panic!("{sum}") };
                assert_eq!((before, before + more), (totals[seat], after), "{sum}");
                totals[seat] = after;
            }
            for (seat, total) in replay["seats"].as_array().expect("seats").iter().zip(totals) {
                assert_eq!(seat["metrics"][metric], total, "{line}");
            }
        }
    }
}

/// The last lines name the policy of every seat, as they sit in that trial.
#[test]
fn the_last_lines_name_the_policies() {
    let line = "replay pig --policy hold --policy hold-at-25 --rotate --trial";
    for (trial, names) in [(0, ["hold:n=20", "hold-at-25"]), (1, ["hold-at-25", "hold:n=20"])] {
        let text = good(&data(), &format!("{line} {trial}")).stdout;
        for (seat, name) in names.iter().enumerate() {
            let begins = format!("Seat {}, {name}: turns ", seat + 1);
            assert!(text.lines().any(|line| line.starts_with(&begins)), "{begins}\n{text}");
        }
        let json = good(&data(), &format!("{line} {trial} --json")).json();
        assert_eq!(json["seats"][0]["policy"], names[0]);
        // Who has won is said in words, with the points of both.
        let of =
            |seat: usize, metric: &str| json["seats"][seat]["metrics"][metric].as_u64().expect("a number");
        let won = usize::from(of(1, "win") == 1);
        let (most, least) = (of(won, "points"), of(1 - won, "points"));
        let said = format!("Seat {} ({}) has won: {most} points to {least}.", won + 1, names[won]);
        assert!(text.lines().any(|line| line == said), "{said}\n{text}");
    }
    let solo = good(&data(), "replay carbonite --policy tidy").stdout;
    assert!(solo.lines().any(|line| line.starts_with("tidy:k=2: score ")), "{solo}");
}

/// `--turn` tells the steps of these turns and the end, and no others.
#[test]
fn turns_are_filtered() {
    for game in ["freeze --policy when-behind", "carbonite --policy tidy", "pig --policy hold"] {
        let line = format!("replay {game} --trial 2");
        let whole = good(&data(), &format!("{line} --json")).json();
        for (turns, first, last) in [("2", 2, 2), ("2..3", 2, 3), ("1..1", 1, 1), ("90000", 90_000, 90_000)] {
            let part = good(&data(), &format!("{line} --turn {turns} --json")).json();
            let mut turn = 0;
            let is_in = |step: &&serde_json::Value| {
                turn = step["turn"].as_u64().unwrap_or(turn);
                (first..=last).contains(&turn)
            };
            let expected: Vec<_> =
                whole["steps"].as_array().expect("steps").iter().filter(is_in).cloned().collect();
            assert_eq!(part["steps"], json!(expected), "{line} --turn {turns}");
            assert_eq!((&part["seats"], &part["ending"]), (&whole["seats"], &whole["ending"]));
            let text = good(&data(), &format!("{line} --turn {turns}")).stdout;
            let told: Vec<_> = text.lines().filter(|line| line.starts_with("Turn ")).collect();
            assert!(told.iter().all(|line| (first..=last).contains(&numbers(line)[0])), "{told:?}");
            assert_eq!(told.is_empty(), first > 1000);
            assert!(text.contains("left out") && text.contains("The game is over ("), "{text}");
        }
    }
    let missing = good(&data(), "replay carbonite --policy tidy --turn 11").stdout;
    assert!(missing.contains("are left out: the game has no turn 11"), "{missing}");
}

/// Several trials are each what it is alone: in words one after the other, as data a line each.
#[test]
fn several_trials_are_told_one_after_the_other() {
    let line = "replay icedice --policy racer --policy thief --rotate --trial";
    let alone: Vec<_> = (4..=6).map(|trial| good(&data(), &format!("{line} {trial}")).stdout).collect();
    assert_eq!(good(&data(), &format!("{line} 4..6")).stdout, alone.join("\n\n"));
    let lines = good(&data(), &format!("{line} 4..6 --json")).stdout;
    assert_eq!(lines.lines().count(), 3);
    for (trial, document) in (4..).zip(lines.lines()) {
        let document: serde_json::Value = serde_json::from_str(document).expect("a line is a document");
        assert_eq!(document, good(&data(), &format!("{line} {trial} --json")).json());
    }
    assert_eq!(good(&data(), &format!("{line} 5..5")).stdout, alone[1]);
}

/// What has been told is forgotten, a signal ends it in order, and what is complete is whole.
#[cfg(target_os = "linux")]
#[test]
fn endless_trials_end_in_order() {
    use std::io::{BufRead as _, BufReader, Read as _};
    use std::thread::spawn;

    use crate::running::Running;

    let mut running = Running::start(&data(), "replay pig --policy hold --trial 0..1e15 --json");
    let stdout = running.child().stdout.take().expect("a pipe");
    let (told, waits) = std::sync::mpsc::channel();
    let reader = spawn(move || {
        let mut reader = BufReader::new(stdout);
        let mut line = String::new();
        for trial in 0..300 {
            line.clear();
            reader.read_line(&mut line).expect("a line");
            let document: serde_json::Value = serde_json::from_str(&line).expect("a document");
            assert_eq!(document["trial"], trial);
        }
        told.send(()).expect("somebody waits");
        let mut rest = String::new();
        reader.read_to_string(&mut rest).expect("text");
        rest
    });
    waits.recv().expect("trials are told");
    let status = std::fs::read_to_string(format!("/proc/{}/status", running.child().id())).expect("it runs");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    assert!(numbers(peak)[0] < 64 * 1024, "{peak}");
    running.interrupt();
    let ran = running.end();
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    assert!(
        ran.stderr.starts_with("interrupted: trial ") && ran.stderr.contains(" is not told to its end"),
        "{}",
        ran.stderr
    );
    let rest = reader.join().expect("it reads");
    let lines: Vec<_> = rest.lines().collect();
    for line in &lines[..lines.len().saturating_sub(1)] {
        assert!(serde_json::from_str::<serde_json::Value>(line).is_ok(), "{line}");
    }
}

/// The game of a run that has the most or the least of something.
#[test]
fn the_longest_trial_is_found() {
    let line = "replay pig --policy hold --policy hold:n=25 --trial 10..99";
    let all = good(&data(), &format!("{line} --json")).stdout;
    let values = |metric: &str, seat: usize| {
        let of = |line: &str| {
            let trial: serde_json::Value = serde_json::from_str(line).expect("a document");
            let value = trial["seats"][seat - 1]["metrics"][metric].as_u64().expect("a number");
            (value, trial["trial"].as_u64().expect("a number"))
        };
        all.lines().map(of).collect::<Vec<_>>()
    };
    for (metric, seat) in [("turns", 1), ("points", 2), ("busts", 1)] {
        let values = values(metric, seat);
        assert_eq!(values.len(), 90);
        for (option, wanted) in [
            ("--most", values.iter().map(|(value, _)| *value).max()),
            ("--least", values.iter().map(|(value, _)| *value).min()),
        ] {
            let first = values.iter().find(|(value, _)| Some(*value) == wanted).expect("one").1;
            let ran = good(&data(), &format!("{line} {option} {metric} --seat {seat}"));
            let head = ran.stdout.lines().next().expect("a line");
            assert!(head.ends_with(&format!("· trial {first} of seed 1")), "{option} {metric}: {head}");
            let said =
                format!("of trials 10 to 99 of seed 1, trial {first} has the {} {metric}", &option[2..]);
            assert!(ran.stderr.contains(&said), "{}", ran.stderr);
            let same = good(&data(), &line.replace("10..99", &first.to_string()));
            assert_eq!(ran.stdout, same.stdout);
        }
    }
    let ran = run(&data(), &format!("{line} --most turn"));
    assert!(ran.code == Some(2) && ran.stderr.contains("turns"), "{}", ran.stderr);
    let ran = run(&data(), &format!("{line} --most turns --seat 3"));
    assert!(ran.stderr.contains("--seat 3: the seats are 1 to 2"), "{}", ran.stderr);
}

/// Cards are drawn, in words; files and data call it as in other games.
#[test]
fn cards_are_drawn() {
    let replay = good(&data(), "replay flip-7 -p points --trial 3").stdout;
    let last = replay.lines().rfind(|line| line.starts_with("Seat 4, ")).expect("an end");
    assert!(last.contains(", draws ") && !last.contains("rolls"), "{last}");
    let told = good(&data(), "replay flip-7 -p points --trial 3 --json").stdout;
    assert!(documents(&told)[0]["seats"][0]["metrics"]["rolls"].is_u64(), "{told}");
    for line in [
        "simulate flip-7 -p points -n 200 -q",
        "compare flip-7 -p points -p odds -n 200 -q",
        "balance flip-7 -p points -n 200 -q",
    ] {
        let text = good(&data(), line).stdout;
        assert!(text.contains("draws") && !text.contains("\nrolls"), "{line}\n{text}");
    }
    let table = good(&data(), "simulate flip-7 -p points -n 200 -q --format csv").stdout;
    assert!(table.contains(",rolls,draws,"), "{table}");
    assert!(good(&data(), "replay pig -p hold --trial 3").stdout.contains(", rolls "));
}

/// A policy that answers by chance plays the same trials wherever they are played: in one piece, in parts, and told one by one.
#[test]
fn what_is_drawn_is_the_same_everywhere() {
    let folder = scratch("by-chance");
    let text = "game = \"goofspiel\"\nname = \"bluff\"\nparams.p = 0.3\n\
                bid = \"chance(p) ? cards : chance(0.5) ? prize : prize + 1\"\n";
    std::fs::write(folder.join("bluff.toml"), text).expect("a writable folder");
    let line = "goofspiel -p bluff.toml -p over";
    let simulate = format!("simulate {line} -n 60 -q --trials-out");
    good(&folder, &format!("{simulate} whole.csv --runner trial"));
    let whole = std::fs::read_to_string(folder.join("whole.csv")).expect("rows");
    for part in 1..=2 {
        good(&folder, &format!("{simulate} part.csv --shard {part}/2 --out part{part}"));
    }
    good(&folder, "merge part1 part2 --out merged -q");
    good(&folder, &format!("simulate {line} -n 60 -q --out one"));
    let table =
        |of: &str| std::fs::read_to_string(folder.join(of).join("distribution.csv")).expect("a table");
    assert_eq!(table("merged"), table("one"));
    let told = good(&folder, &format!("replay {line} --trial 0..59 --json")).stdout;
    let replays: Vec<String> = documents(&told)
        .iter()
        .flat_map(|replay| {
            let seats = replay["seats"].as_array().expect("seats").clone();
            let trial = replay["trial"].clone();
            seats
                .into_iter()
                .map(move |seat| format!("{trial},{},{}", seat["seat"], seat["metrics"]["points"]))
        })
        .collect();
    let played: Vec<String> = rows(&whole)
        .iter()
        .map(|row| format!("{},{},{}", row["trial"], row["seat"], row["points"]))
        .collect();
    assert_eq!(replays, played);
    let refused = run(&folder, &format!("simulate {line} -n 60 --runner lanes"));
    assert!(refused.stderr.contains("answers by chance, which lanes cannot do"), "{}", refused.stderr);
    // Another chance, other trials.
    let other = good(&folder, "simulate goofspiel -p bluff.toml:p=0.8 -p over -n 60 -q --format csv").stdout;
    assert_ne!(other, good(&folder, &format!("simulate {line} -n 60 -q --format csv")).stdout);
}
