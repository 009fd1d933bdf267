//! Games as texts: a file, or a name of the gallery, stands wherever a game's name does.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::common::{entries, good, manifest, number, read, rows, run, scratch};

/// A folder with two games as files: Pig, which is a game in Rust as well, and another one.
fn folder(name: &str) -> std::path::PathBuf {
    let folder = scratch(name);
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    for (from, to) in [("pig.game", "my.game"), ("zombie-dice.game", "zombies.game")] {
        fs::copy(games.join(from), folder.join(to)).expect("it can be copied");
    }
    folder
}

/// Everything that a directory has but the manifest, which holds times.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let names = entries(folder).into_iter().filter(|name| name != "manifest.json");
    names.map(|name| (name.clone(), fs::read(folder.join(&name)).expect("a file"))).collect()
}

/// The same trials: every number that both games report is the same.
#[test]
fn pig_as_a_text_is_pig() {
    let folder = folder("contract-texts-pig");
    for line in [
        "--rules solo -p hold -n 3000",
        "--rules standard -p hold -p hold-at-25 -n 1000",
        "--set goal=50 --rules solo -p hold:n=17 -n 1000",
    ] {
        let [rust, text] = ["pig", "my.game"].map(|game| {
            let told = good(&folder, &format!("simulate {game} {line} -q --format csv")).stdout;
            let rows = told.lines().filter(|line| !line.contains(",distance,"));
            rows.map(str::to_owned).collect::<Vec<_>>()
        });
        assert!(rust.len() > 3, "{line}");
        // The text reports what it counts, and Rust's Pig its own points besides.
        let of = |rows: &[String], metric: &str| {
            let wanted = format!(",{metric},");
            rows.iter().filter(|row| row.contains(&wanted)).cloned().collect::<Vec<_>>()
        };
        for metric in ["turns", "rolls", "busts"] {
            assert!(!of(&rust, metric).is_empty(), "{metric}");
            assert_eq!(of(&rust, metric), of(&text, metric), "{line}");
        }
    }
    let solved = |game: &str| {
        let told = good(&folder, &format!("solve {game} --rules solo --format json")).stdout;
        serde_json::from_str::<serde_json::Value>(&told).expect("JSON")["value"].clone()
    };
    assert_eq!(solved("pig"), solved("my.game"));
}

/// Every command takes one.
#[test]
fn a_file_stands_where_a_name_does() {
    let folder = folder("contract-texts-commands");
    let few = "zombies.game -p once -p two-shots -q";
    for line in [
        format!("compare {few} --rules one-turn -n 500 --divergent 2"),
        format!("rank {few} --set players=2 -n 500"),
        format!("balance {few} --rules one-turn --set players=2 --variant shotguns=4 -n 300"),
        "sweep zombies.game -p two-shots --vary-rule shotguns=2..4 --rules one-turn -n 300 -q".into(),
        "solve my.game --rules solo -p hold --set goal=30".into(),
        "replay zombies.game -p once --trial 3".into(),
        "policy list zombies.game".into(),
        "policy features zombies.game".into(),
        "policy explain once --game zombies.game".into(),
        "rules list zombies.game".into(),
        "rules show zombies.game --rules tough --set shotguns=4".into(),
        "games zombies.game".into(),
        "games farkle".into(),
        "games pig.game".into(),
        "simulate farkle -p once -n 200 -q".into(),
    ] {
        assert!(!good(&folder, &line).stdout.is_empty(), "{line}");
    }
    // Rules and policies of one's own name the game, not the file.
    fs::write(
        folder.join("own.toml"),
        "game = \"zombie-dice\"\nname = \"own\"\nbase = \"tough\"\nshotguns = 4\n",
    )
    .expect("it can be written");
    let policy = "game = \"zombie-dice\"\nname = \"mine\"\nsummary = \"s\"\nstop = \"brains >= 3\"\n";
    fs::write(folder.join("mine.toml"), policy).expect("it can be written");
    let told = good(&folder, "simulate zombies.game --rules own.toml -p mine.toml -n 100 -q").stdout;
    assert!(told.starts_with("zombie-dice · rules own · mine"), "{told}");
    assert!(good(&folder, "policy check mine.toml").stdout.contains("good"));
}

/// A part is of the same run wherever it was played from, and of another where the text is another.
#[test]
fn where_a_text_is_changes_no_run() {
    let folder = scratch("texts-places");
    for name in ["here", "other"] {
        fs::create_dir_all(folder.join(name).join("pols")).expect("new");
    }
    let policy = "game = \"pig\"\nname = \"mine\"\nparams = { n = 20 }\nstop = \"turn >= n\"\n";
    for place in ["here", "here/pols", "other"] {
        fs::write(folder.join(place).join("mine.toml"), policy).expect("it can be written");
    }
    fs::write(folder.join("other/mine.toml"), policy.replace("20", "21")).expect("it can be written");
    let part = |from: &str, policies: &str, part: &str| {
        let out = folder.join(part.replace('/', "-"));
        let line = format!(
            "compare pig {policies} -p hold -n 100 -q --shard {part} --force --out {}",
            out.display()
        );
        good(&folder.join(from), &line);
    };
    for (word, other) in [
        ("-p mine.toml", "-p ../here/mine.toml"),
        ("-p mine.toml:n=25", "-p ../here/pols/mine.toml:n=25"),
        ("-p pols", "-p ../here/pols/"),
    ] {
        part("here", word, "1/2");
        let whole = format!("compare pig {word} -p hold -n 100 -q");
        let whole = good(&folder.join("here"), &whole);
        part("other", other, "2/2");
        assert_eq!(good(&folder, "merge 1-2 2-2 -q").stdout, whole.stdout, "{word}");
    }
    part("here", "-p mine.toml", "1/2");
    part("other", "-p mine.toml", "2/2");
    let ran = run(&folder, "merge 1-2 2-2");
    assert!(ran.code == Some(2) && ran.stderr.contains("`mine.toml` was another text"), "{}", ran.stderr);
    // Two files of one name, the other way round.
    part("here", "-p mine.toml -p ../other/mine.toml", "1/2");
    part("other", "-p mine.toml -p ../here/mine.toml", "2/2");
    let ran = run(&folder, "merge 1-2 2-2");
    assert!(ran.code == Some(2) && ran.stderr.contains("of different runs: one is of"), "{}", ran.stderr);
}

/// Parts, rows and check points of a text are those of the run in one piece; another text is refused.
#[test]
fn the_text_belongs_to_the_plan() {
    let folder = folder("contract-texts-plan");
    let line = "simulate zombies.game --rules one-turn -p two-shots -n 900 -q";
    good(&folder, &format!("{line} --out whole --trials-out whole.csv"));
    for part in 1..=2 {
        good(&folder, &format!("{line} --out part{part} --shard {part}/2"));
    }
    good(&folder, "merge part1 part2 -q --out merged");
    assert!(files(&folder.join("merged")) == files(&folder.join("whole")));
    assert_eq!(read(&folder.join("whole.csv")).lines().count(), 901);
    let text = read(&folder.join("zombies.game"));
    let told = manifest(&folder.join("whole"));
    assert_eq!(told["game_text"]["text"], json!(text));
    assert_eq!(told["game_text"]["file"], json!("zombies.game"));
    assert!(read(&folder.join("whole/report.html")).contains("die green_die"), "the page has the text");
    // Another text is another run.
    fs::write(folder.join("zombies.game"), text.replacen("3 of brain", "2 of brain", 1)).expect("written");
    good(&folder, &format!("{line} --out part2 --shard 2/2 --force"));
    let refused = run(&folder, "merge part1 part2 -q");
    assert!(refused.stderr.contains("`zombies.game` was another text"), "{}", refused.stderr);
}

#[test]
fn texts_are_checked_begun_and_set_in_order() {
    let folder = folder("contract-texts-check");
    let told = good(&folder, "games check my.game").stdout;
    assert!(told.starts_with("my.game: good"), "{told}");
    good(&folder, "games new dice-duel --like two-dice-pig");
    good(&folder, "games check dice-duel.game");
    good(&folder, "simulate dice-duel.game -p dice-duel.toml -n 100 -q");
    assert!(run(&folder, "games new dice-duel").stderr.contains("dice-duel.game"));
    good(&folder, "games new simple");
    good(&folder, "games check simple.game");
    good(&folder, "simulate simple -p simple.toml:n=17 -n 100 -q");
    good(&folder, "policy check simple.toml");
    let text = read(&folder.join("my.game"));
    fs::write(folder.join("my.game"), text.replace(" = ", "   = ")).expect("written");
    assert!(run(&folder, "games fmt my.game --check").stderr.contains("my.game"));
    good(&folder, "games fmt my.game");
    good(&folder, "games fmt my.game --check");
    // All mistakes at once, with their lines; and what is not as expected.
    fs::write(
        folder.join("my.game"),
        text.replace("if face == bust_face", "if face = bust_face").replace("score +=", "scor +="),
    )
    .expect("written");
    let refused = run(&folder, "games check my.game").stderr;
    assert!(refused.contains("write `==`") && refused.contains("my.game:"), "{refused}");
    fs::write(folder.join("my.game"), text.replace("= 12.545232352", "= 12.5")).expect("written");
    let refused = run(&folder, "games check my.game").stderr;
    assert!(refused.contains("12.5 is expected, and it is 12.5452323"), "{refused}");
}

/// A file in the place of another kind is no text with a hundred mistakes.
#[test]
fn games_and_policies_in_the_wrong_place() {
    let folder = folder("contract-texts-swapped");
    good(&folder, "games new simple");
    fs::copy(folder.join("simple.game"), folder.join("other.game")).expect("copied");
    for (line, says) in [
        (
            "simulate simple.toml -p simple.game -n 10",
            "`simple.toml` is a policy or rules, and a game is named here",
        ),
        ("games check simple.toml", "`simple.toml` is a policy or rules, and a game is named here"),
        ("games simple.toml", "`simple.toml` is a policy or rules, and a game is named here"),
        ("policy check simple.game", "`simple.game` is a game, and a policy is named here"),
        ("simulate simple.game -p other.game -n 10", "`other.game` is a game, and a policy is named here"),
        ("games new more --like nosuch", "unknown game as text `nosuch`; there are: two-dice-pig, "),
        ("games new simple", "`simple.game`: there is such a file already"),
        (
            "simulate simple.game -p simple.toml -n 10 -q --out simple.toml",
            "it is a file, and a directory is needed",
        ),
    ] {
        let refused = run(&folder, line);
        assert_eq!(refused.code, Some(2), "{line}: {}", refused.stderr);
        assert!(refused.stderr.contains(says), "{line}: {}", refused.stderr);
        assert!(refused.stderr.lines().count() <= 2, "{line}: {}", refused.stderr);
    }
}

/// A policy that names the file of one game plays that of another, and it is said; its game may lie beside it.
#[test]
fn the_file_that_a_policy_names() {
    let folder = folder("contract-texts-named");
    fs::create_dir(folder.join("mine")).expect("a folder");
    good(&folder.join("mine"), "games new simple");
    good(&folder, "policy check mine/simple.toml");
    let policy = read(&folder.join("mine/simple.toml")).replace("\"simple\"", "\"simple.game\"");
    fs::write(folder.join("hold.toml"), policy).expect("written");
    fs::copy(folder.join("mine/simple.game"), folder.join("other.game")).expect("copied");
    let played = |game: &str| run(&folder, &format!("simulate {game} -p hold.toml -n 10 -q")).stderr;
    let said = "note: hold.toml is for the game simple.game, and plays other.game here\n";
    assert_eq!(played("other.game"), said);
    assert_eq!(played("mine/simple.game"), "");
    // No file is a game that comes with the program: its words may fit by chance, and where they do not this is why.
    let hold = "game = \"simple.game\"\nname = \"hold\"\nstop = \"turn_total >= 20\"\n";
    fs::write(folder.join("hold.toml"), hold).expect("written");
    let said = "note: hold.toml is for the game simple.game, and plays pig here\n";
    assert_eq!(played("pig"), said);
    fs::write(folder.join("hold.toml"), hold.replace("stop", "what")).expect("written");
    let refused = played("pig");
    assert!(refused.starts_with("error: the key `stop` is missing") && refused.ends_with(said), "{refused}");
}

/// What leaves its range ends the run, and says where.
#[test]
fn a_number_out_of_its_range_is_no_result() {
    let folder = folder("contract-texts-range");
    let text = read(&folder.join("my.game"));
    let wide = text.replace(
        "points = min(points + (unit_score ? 1 : face), goal - score)",
        "points = points + (unit_score ? 1 : face)",
    );
    assert_ne!(wide, text);
    fs::write(folder.join("my.game"), wide).expect("written");
    let refused = run(&folder, "simulate my.game --rules solo -p hold -n 2000 -q");
    for part in ["`points` is", "stopwise replay my.game", "--trial "] {
        assert!(refused.stderr.contains(part), "{part}: {}", refused.stderr);
    }
    // However wide it is: a walk goes on where somebody does for ever.
    let solved = run(&folder, "solve my.game --rules solo -q");
    assert!(
        solved.stderr.contains("or, if it can grow for ever, as for somebody who never stops"),
        "{}",
        solved.stderr
    );
    let large = run(&folder, "solve two-dice-pig --max-states 1000 -q");
    assert!(
        large.code == Some(2) && large.stderr.contains("such as `min(pot + face, 100)`"),
        "{}",
        large.stderr
    );
    let checked = run(&folder, "games check my.game");
    assert_eq!(checked.code, Some(2), "{}", checked.stderr);
    assert!(checked.stdout.contains("my.game: the rules cannot go on in some games"), "{}", checked.stdout);
    assert!(checked.stderr.contains("error: the rules cannot go on in random game"), "{}", checked.stderr);
}

/// Seat 2 is ahead by two turns of one point when seat 1, which never stops, has a number leave its range.
#[test]
fn who_is_ahead_of_a_game_that_cannot_go_on_has_not_won() {
    let folder = folder("contract-texts-fault");
    let text = "game on \"Stop, or go on\"\noption players = 2 in 2..4\ndie coin = 0..1\nplayer score = 0 in 0..9\n\
                player times = 0 in 0..1\nturn\n  roll side = coin\n  ask stop \"stop\": score += 1\n  else: times += 1\n\
                end goal when score == 9\nwin most score\n";
    fs::write(folder.join("on.game"), text).expect("written");
    for (name, stop) in [("always", "yes"), ("never", "no")] {
        fs::write(
            folder.join(format!("{name}.toml")),
            format!("game = \"on.game\"\nname = \"{name}\"\nstop = \"{stop}\"\n"),
        )
        .expect("written");
    }
    let line = "replay on.game -p never.toml -p always.toml --trial 0";
    let told = good(&folder, line).stdout;
    assert!(told.contains("The game cannot go on (range)") && told.contains("\nNobody has won.\n"), "{told}");
    let json = good(&folder, &format!("{line} --json")).json();
    assert!(
        json["seats"].as_array().expect("seats").iter().all(|seat| seat["metrics"]["win"] == 0),
        "{json}"
    );
}

/// What a first game of one's own is asked for is told by its own name, with what there is.
#[test]
fn first_steps_are_answered() {
    let folder = folder("contract-texts-first-steps");
    let text = read(&folder.join("my.game")).replacen("game pig", "game owls", 1);
    fs::write(folder.join("owls.game"), text).expect("written");
    fs::write(folder.join("unread.game"), read(&folder.join("my.game")) + "option unread = 3 in 1..9\n")
        .expect("written");
    good(&folder, "simulate pig -p hold -n 100 --out ran -q");
    for (line, part) in [
        ("simulate owl", "did you mean `owls`?"),
        ("simulate owls", "none comes with owls"),
        ("simulate owls -p hold", "none comes with this game: name a file"),
        ("advise owls --state score:3", "; this line works: --state \""),
        ("simulate ran/manifest.json", "no game; this repeats the run: stopwise simulate pig -p hold"),
        ("policy show by-dice", "add --game, one of farkle, toss-up"),
    ] {
        let refused = run(&folder, line);
        assert_eq!(refused.code, Some(2), "{line}");
        assert!(refused.stderr.contains(part), "{line}: {}", refused.stderr);
    }
    let checked = good(&folder, "games check unread.game");
    assert!(checked.stderr.contains("warning: nothing reads `unread`"), "{}", checked.stderr);
}

/// A variant under which nobody ever wins is named before its games are played.
#[test]
fn a_variant_without_an_end_is_named() {
    let folder = folder("contract-texts-endless");
    let text = "game away \"Away\"\noption loss = 0 in 0..6\ndie d = 1..6\nplayer score = 0 in 0..40\nturn\n  roll face = d\n  \
                score = max(0, score + face - loss)\n  ask stop where face == 6 \"rest\"\n    score = min(score, 20)\n\
                end home when score >= 30\nalone least turns\n";
    fs::write(folder.join("away.game"), text).expect("written");
    fs::write(folder.join("rest.toml"), "game = \"away\"\nname = \"rest\"\nstop = \"true\"\n")
        .expect("written");
    let balanced = "balance away.game -p rest.toml --variant loss=6 --variant loss=1 -n 50";
    let told = run(&folder, balanced).stderr;
    let note = "rest may not end its games: under standard+loss=6 all of the first 8 are cut off.";
    assert!(told.contains(note), "{told}");
    assert!(!told.contains("loss=1 the limit"), "{told}");
}

/// A game in which nobody decides anything plays by itself. Who rolls the first six wins: the first of two has 6/11, of three
/// 36/91.
#[test]
fn nobody_names_a_policy_where_nobody_decides() {
    let folder = scratch("contract-texts-chance");
    let text = "game six \"The first six wins\"\noption players = 2 in 2..6\ndie d = 1..6\nplayer sixes = 0 in 0..1\nturn\n  \
                roll face = d\n  if face == 6: sixes = 1\nend six when sixes == 1\nwin most sixes\n";
    fs::write(folder.join("six.game"), text).expect("a file");
    for (players, expected) in [(2, 6.0 / 11.0), (3, 36.0 / 91.0)] {
        let rows =
            rows(&good(&folder, &format!("solve six.game --set players={players} -q --format csv")).stdout);
        let of = rows.iter().find(|row| row["policy"] == "chance").expect("a row");
        assert!((number(of, "value") - expected).abs() < 1e-9, "{of:?}");
    }
    for line in [
        "simulate six.game -n 100 -q",
        "sweep six.game --vary-rule players=2..4 -n 100 -q",
        "balance six.game -n 100 -q",
        "replay six.game",
    ] {
        good(&folder, line);
    }
    for line in ["advise six.game", "rank six.game -p all"] {
        let ran = run(&folder, line);
        assert!(
            ran.code == Some(2) && ran.stderr.contains("nobody decides anything in six"),
            "{}",
            ran.stderr
        );
    }
}

/// What is done before the first turn is told with the first, and with no later one.
#[test]
fn a_replay_tells_what_is_before_the_first_turn() {
    let folder = scratch("contract-texts-setup");
    let text = "game deal \"x\"\noption players = 2 in 2..2\ndie d = 1..6\nshared aim = 1 in 1..6\nplayer hits = 0 in 0..9\n\
                setup: roll aim = d\nturn\n  roll face = d\n  if face == aim: hits += 1\nend after 2 rounds\nwin most hits\n";
    fs::write(folder.join("deal.game"), text).expect("a file");
    let told = |line: &str| good(&folder, &format!("replay deal.game --trial 0{line}")).stdout;
    let whole = told("");
    let (before, after) = whole.split_once("\nTurn 1, seat 1\n").expect("the first turn");
    assert!(before.ends_with("\nBefore the first turn\n  the table rolls 4 (`aim`)\n"), "{whole}");
    assert!(after.contains("\nTurn 2, seat 2\n"), "{whole}");
    assert!(!told(" --turn 2").contains("Before the first turn"));
}

/// Rounds are counted where seats have their turns together: a seat that misses some has the number of the others.
#[test]
fn a_replay_counts_rounds() {
    let folder = scratch("contract-texts-rounds");
    let text = "game misses \"x\"\noption players = 3 in 3..3\ndie d = 1..6\nplayer score = 0 in 0..60 points\n\
                round where round % 2 == 1 or place(me) > 1\n  for p in everyone where round % 2 == 1 or place(p) > 1\n    \
                roll face = d by p\n    p.score = min(p.score + face, 60)\nend over after 5 rounds\nwin most score\n";
    fs::write(folder.join("misses.game"), text).expect("a file");
    let told = |line: &str| good(&folder, &format!("replay misses.game --trial 0{line}")).stdout;
    let heads = |told: &str| -> Vec<String> {
        told.lines().filter(|line| line.starts_with("Turn ")).map(str::to_owned).collect()
    };
    let (all, two) = ("seats 1, 2 and 3", "seats 2 and 3");
    let wanted: Vec<String> =
        (1..).zip([all, two, all, two, all]).map(|(turn, who)| format!("Turn {turn}, {who}")).collect();
    let whole = told("");
    assert_eq!(heads(&whole), wanted, "{whole}");
    for turn in [2, 3] {
        let part = told(&format!(" --turn {turn}"));
        assert_eq!(heads(&part), wanted[turn - 1..turn], "{part}");
        assert_eq!(part.contains("  seat 1 rolls"), turn == 3, "{part}");
    }
}

/// Where all seats have the same turns in every game, one table tells them.
#[test]
fn turns_of_rounds_are_one_table() {
    let folder = scratch("contract-texts-turns");
    let text = "game luck \"x\"\noption players = 3 in 3..3\ndie d = 1..6\nplayer score = 0 in 0..9\nround\n  roll face = d\n  \
                if face == 6: end game six\nend six \"a six\"\nend after 50 rounds\nwin most score\n";
    fs::write(folder.join("luck.game"), text).expect("a file");
    let told = good(&folder, "simulate luck.game -n 500 -q").stdout;
    assert!(told.contains("Turn of every seat") && !told.contains("Turn of seat"), "{told}");
}

/// Whoever compares, ranks, sweeps or balances is told the trial, who played it under what, and the command line that shows it.
#[test]
fn where_rules_could_not_go_on() {
    let folder = folder("contract-texts-where-it-stopped");
    let text = "game over \"A bid that may be too high\"\noption players = 2 in 2..3\noption most = 9 in 5..12\ndie d = 1..6\n\
                player score = 0 in 0..9\nturn\n  ask bid in 0..3 \"the bid\"\n  roll face = d\n  \
                if face + 2 * bid > most: score = score + 2 * face\n  else: score = min(score + 1, 9)\n\
                end done after 6 turns\nwin most score\n";
    fs::write(folder.join("over.game"), text).expect("written");
    fs::write(
        folder.join("bids.toml"),
        "game = \"over.game\"\nname = \"bids\"\nparams = { n = 1 }\nbid = \"n\"\n",
    )
    .expect("written");
    for (line, says) in [
        ("rank over.game -p bids.toml --vary n=0..3 -n 3000", "bids:n=0 / bids:n=2, each seat in turn"),
        ("rank over.game --set players=3 -p bids.toml --vary n=0,3 -n 3000 --seed 7", ", each seat in turn"),
        (
            "compare over.game -p bids.toml -p bids.toml:n=2+bids.toml:n=3 --rotate -n 3000",
            "bids:n=2 / bids:n=3, each",
        ),
        ("sweep over.game -p bids.toml --vary n=0..3 -n 3000", "bids:n=2"),
        ("sweep over.game -p bids.toml:n=2 --vary-rule most=12,8 -n 3000", "under: most=8\n"),
        ("balance over.game -p bids.toml:n=2 --set most=12 --variant most=8 -n 3000", "under: most=8\n"),
        ("compare over.game --set most=8 --rules standard -p bids.toml -p bids.toml:n=3 -n 3000", "bids:n=3"),
    ] {
        let refused = run(&folder, &format!("{line} -q"));
        assert_eq!(refused.code, Some(2), "{line}: {}", refused.stderr);
        let told = &refused.stderr;
        assert!(told.contains("\n  played by: ") && told.contains(says), "{line}: {told}");
        let (trial, _) = told["error: trial ".len()..].split_once(": ").expect("a trial");
        // The trial that is told is one that ends there.
        let shown = told.split_once("\n  to see it: stopwise ").expect("how to see it").1.trim_end();
        assert!(shown.ends_with(&format!(" --trial {trial}")), "{line}: {told}");
        let replayed = run(&folder, shown).stdout;
        assert!(
            replayed.contains("\nThe game cannot go on (range): line 9, column 37: `score` is ")
                && replayed.contains("\n  help: "),
            "{line}: {shown}: {replayed}"
        );
    }
}
