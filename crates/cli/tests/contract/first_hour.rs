//! A first hour without friction: what beginners type is understood, or answered with what to type instead.

use std::fs;
use std::process::{Command, Stdio};

use crate::common::{Ran, data, golden, good, manifest, rows, run, scratch};

/// Everything that is wrong with a policy is said at once, the game that is unknown and lines that are no TOML included.
#[test]
fn all_mistakes_at_once() {
    let ran = run(&data(), "policy check policies/beginner.toml");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    golden("first-hour/mistakes.txt", &ran.stderr);
}

/// What is hardly meant is a warning: the policy is good.
#[test]
fn doubts_are_warnings() {
    let ran = good(&data(), "policy check policies/doubtful.toml");
    let doubtful = "policies/doubtful.toml: can be played, but see the warnings (Doubtful:k=99,risk=0.2)\n";
    assert_eq!(ran.stdout, doubtful);
    golden("first-hour/warnings.txt", &ran.stderr);
    // With other parameters, and under other rules.
    let ran = good(&data(), "policy check policies/doubtful.toml:k=2");
    assert!(
        ran.stdout.contains("(Doubtful:k=2,risk=0.2)") && !ran.stderr.contains("`counter >= k` is"),
        "{}",
        ran.stderr
    );
    let ran = good(&data(), "policy check hold --rules piglet");
    assert!(ran.stderr.contains("`turn_total >= n` is never true under these rules"), "{}", ran.stderr);
    assert!(ran.stderr.contains("`turn_total` is 0 to 2, `n` is 20"), "{}", ran.stderr);
    // Playing says nothing of what stands in the text.
    assert_eq!(good(&data(), "simulate carbonite -p policies/doubtful.toml -n 10 -q").stderr, "");
}

/// A question without a list is answered by the first in the game's order: checking says so, and playing once.
#[test]
fn questions_without_a_list_are_told() {
    let folder = scratch("first-hour-unlisted");
    let mine = |lists: &str| {
        let text = format!("game = \"dead-mans-draw\"\nname = \"mine\"\nstop = \"yes\"\n{lists}");
        fs::write(folder.join("mine.toml"), text).expect("a file");
        let play = "simulate dead-mans-draw -p mine.toml -n 10 -q";
        [good(&folder, "policy check mine.toml").stderr, good(&folder, play).stderr]
    };
    let first = "the first in the game's order is taken; write";
    let [checked, played] = mine("stolen = []\nshot = []\nmapped = []\nhooked = []\n");
    assert!(checked.starts_with(&format!("note: no list for `victim`: {first} victim = [")), "{checked}");
    assert_eq!(played, checked.replace("note: ", "note: mine: "));
    let [checked, played] = mine("victim = []\nmapped = []\n");
    assert!(
        checked.contains("`hooked`") && checked.contains("`stolen`") && checked.contains("`shot`"),
        "{checked}"
    );
    assert_eq!((checked.lines().count(), played.lines().count()), (1, 1), "{checked}{played}");
    let [checked, played] = mine("victim = []\nstolen = []\nshot = []\nmapped = []\nhooked = []\n");
    assert_eq!((checked.as_str(), played.as_str()), ("", ""));
}

/// Of the shipped policies only the one that is naive on purpose may be doubted.
#[test]
fn shipped_policies_are_not_doubted() {
    for row in rows(&good(&data(), "policy list --format csv").stdout) {
        let (game, policy) = (&row["game"], &row["policy"]);
        let folder = scratch("first-hour-shipped");
        let text = good(&data(), &format!("policy show {policy} --game {game}")).stdout;
        fs::write(folder.join("it.toml"), text).expect("a file");
        let said = good(&folder, "policy check it.toml").stderr;
        let warnings: Vec<_> = said.lines().filter(|line| line.starts_with("warning: ")).collect();
        let doubt = match policy.as_str() {
            "first" => Some("own Vault"),
            "never" => Some("`freeze` never says yes"),
            _ => None,
        };
        assert_eq!(warnings.len(), usize::from(doubt.is_some()), "{game} {policy}: {said}");
        assert!(
            warnings.iter().zip(doubt).all(|(warning, doubt)| warning.contains(doubt)),
            "{game} {policy}: {said}"
        );
    }
}

/// The first policy that comes to mind never stops near the goal, where a turn counts no further than to it.
#[test]
fn policies_that_do_not_finish_are_doubted() {
    let folder = scratch("first-hour-endless");
    let check = |stop: &str| {
        let text = format!("game = \"pig\"\nname = \"mine\"\nparams = {{ x = 20 }}\nstop = \"{stop}\"\n");
        fs::write(folder.join("mine.toml"), text).expect("a file");
        let ran = good(&folder, "policy check mine.toml");
        assert!(ran.stdout.starts_with("mine.toml: can be played, but see the warnings"), "{}", ran.stdout);
        assert!(ran.stderr.contains("end at the turn cap without a winner"), "{}", ran.stderr);
        ran.stderr
    };
    assert!(check("false").contains("`stop` never says yes"));
    let said = check("turn_total >= x");
    assert!(!said.contains("never says yes"), "{said}");
    // Where it should stop, and does not.
    let (_, replay) = said.split_once("stopwise ").expect("a command");
    let told = good(&folder, replay.trim()).stdout;
    assert!(told.contains("enough for the goal\n  rolls again"), "{told}");
    let features = good(&data(), "policy features pig").stdout;
    assert!(features.contains("cut off at goal_left: 12 at most when 12 are missing"), "{features}");

    // Before anything is said of wins and turns, the games that nobody wins.
    for line in [
        "simulate pig -p mine.toml",
        "simulate pig --rules solo -p mine.toml",
        "compare pig -p mine.toml -p hold",
        "compare pig -p mine.toml -p hold -p hold:n=15",
        "rank pig -p mine.toml -p hold -p mine.toml:x=19",
        "sweep pig -p mine.toml --vary-rule goal=50,100",
        "balance pig -p mine.toml --variant goal=50",
    ] {
        let answer = good(&folder, &format!("{line} -n 100 -q --format json")).json()["answer"][0].clone();
        let answer = answer.as_str().expect("a sentence");
        assert!(
            answer.ends_with("`stopwise policy check` plays some games and says where."),
            "{line}: {answer}"
        );
        let share = answer.split(' ').find_map(|word| word.parse::<f64>().ok()).expect("a share");
        assert!(share > 70.0 || line.starts_with("sweep"), "{line}: {answer}");
    }
}

/// What a policy never comes to may be meant, and is a note.
#[test]
fn decisions_that_are_never_met_are_noted() {
    let ran = good(&data(), "policy check one");
    assert!(ran.stdout.starts_with("one: good (one)"), "{}", ran.stdout);
    assert!(ran.stderr.starts_with("note: `keep` was never asked in 200 games"), "{}", ran.stderr);
    // Two players of IceDice have no choice of a victim, whoever plays.
    assert_eq!(good(&data(), "policy check thief").stderr, "");
}

#[test]
fn a_policy_in_the_current_directory() {
    let folder = scratch("first-hour-anna");
    // No summary, and capitals in its name.
    let text = "game = \"pig\"\nname = \"Anna\"\nparams = { n = 20 }\nstop = \"turn_total >= n || goal_left <= turn_total\"\n";
    fs::write(folder.join("anna.toml"), text).expect("a file");
    let told = good(&folder, "policy explain anna").stdout;
    assert!(told.starts_with("Anna (pig)\nParameters: n = 20\n"), "{told}");
    assert_eq!(good(&folder, "policy explain anna:n=5").stdout, told.replace("20", "5"));
    assert_eq!(good(&folder, "policy show anna").stdout, text);
    let of = |policy: &str| good(&folder, &format!("simulate pig -n 100 -q --format csv -p {policy}")).stdout;
    assert_eq!(of("anna"), of("anna.toml"));
    // A shipped policy of this name is the one that is meant.
    fs::write(folder.join("hold.toml"), text).expect("a file");
    assert!(of("hold").contains(",hold:n=20,") && of("hold.toml").contains(",Anna:n=20,"));
}

#[test]
fn lists_in_every_format() {
    let mut all = String::new();
    for line in ["policy list pig", "rules list pig", "policy features pig"] {
        for format in ["csv", "json", "markdown"] {
            let line = format!("{line} --format {format}");
            all += &format!("=== stopwise {line}\n{}\n", good(&data(), &line).stdout);
        }
        assert_eq!(good(&data(), &format!("{line} --format table")).stdout, good(&data(), line).stdout);
    }
    golden("first-hour/lists.txt", &all);
    let games = rows(&good(&data(), "games --format csv").stdout);
    assert_eq!(games.iter().take(5).map(|row| row["game"].as_str()).collect::<Vec<_>>(), GAMES);
    let listed: Vec<_> = rows(&good(&data(), "policy list --format csv").stdout);
    for row in &games {
        let of_game: Vec<_> = listed
            .iter()
            .filter(|policy| policy["game"] == row["game"])
            .map(|policy| policy["policy"].as_str())
            .collect();
        assert_eq!(row["policies"], of_game.join(" "));
        assert!(!row["summary"].is_empty() && !row["rules"].is_empty());
    }
    let features = good(&data(), "policy features carbonite --format json").json();
    let chance = features.as_array().expect("a list").iter().find(|word| word["word"] == "bust_chance");
    let chance = chance.expect("a feature");
    assert_eq!((chance["high"].as_f64(), chance["parts"].as_u64()), (Some(1.0), Some(36)));
}

const GAMES: [&str; 5] = ["carbonite", "icedice", "freeze", "carcassonne", "pig"];

#[test]
fn all_policies() {
    let shipped: Vec<_> = rows(&good(&data(), "policy list pig --format csv").stdout);
    let count = shipped.len();
    let compared = rows(&good(&data(), "compare pig -p all -n 10 -q --format csv").stdout);
    let pairs: std::collections::BTreeSet<_> =
        compared.iter().map(|row| (row["policy_a"].clone(), row["policy_b"].clone())).collect();
    assert_eq!(pairs.len(), count * (count - 1) / 2);
    for (line, column) in [
        ("rank pig --rules solo -p all -n 1000 -q --format csv", "policy"),
        ("balance pig --rules piglet -p all -n 10 -q --format csv", "policy"),
    ] {
        let found: std::collections::BTreeSet<_> =
            rows(&good(&data(), line).stdout).iter().map(|row| row[column].clone()).collect();
        assert!(found.len() >= count, "{line}: {found:?}");
    }
    let solved = good(&data(), "solve pig --rules piglet -p all -q").stdout;
    for policy in &shipped {
        assert!(solved.contains(policy["policy"].as_str()), "{solved}");
    }
    // What is named besides is there once.
    let with = good(&data(), "rank pig --rules solo -p hold -p all -p hold:n=25 -n 1000 -q --format csv");
    let names: Vec<_> = rows(&with.stdout).iter().map(|row| row["policy"].clone()).collect();
    assert_eq!(names.len(), count + 1, "{names:?}");
}

#[test]
fn labels_are_canonical() {
    let name = |options: &str| {
        let folder = scratch("first-hour-labels");
        good(&folder, &format!("simulate carbonite -p first -n 10 -q --out out {options}"));
        manifest(&folder.join("out"))["rules"]["name"].as_str().expect("a name").to_owned()
    };
    assert_eq!(name("--set retribution=\"any\""), "wiki+retribution=any");
    let same = "wiki+turns=5+points.solid=9+retribution=any";
    assert_eq!(name("--set retribution=any --set turns=5 --set points.solid=9"), same);
    assert_eq!(name("--set points.solid=9 --set turns=5 --set retribution=\"any\""), same);
}

/// What bash would offer for the last word.
fn completed(words: &[&str]) -> Vec<String> {
    let folder = scratch("first-hour-completions");
    fs::write(folder.join("stopwise.bash"), good(&data(), "completions bash").stdout).expect("a script");
    fs::write(folder.join("mine.toml"), "").expect("a file");
    let program = env!("CARGO_BIN_EXE_stopwise");
    let last = words.len();
    let quoted: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
    let script = format!(
        "source ./stopwise.bash; COMP_WORDS=('{program}' {}); COMP_CWORD={last}; \
         _stopwise '{program}' '{}' '{}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        quoted.join(" "),
        words[last - 1],
        if last > 1 { words[last - 2] } else { program },
    );
    let mut command = Command::new("bash");
    command.args(["--norc", "-c", &script]).current_dir(&folder).stdin(Stdio::null());
    let ran = Ran::new(command.output().expect("bash"));
    assert_eq!(ran.stderr, "", "{words:?}");
    ran.stdout.lines().map(str::to_owned).collect()
}

#[cfg(unix)]
#[test]
fn bash_completes_what_the_program_knows() {
    for (words, expected) in [
        (&["simulate", "carb"][..], &["carbonite"][..]),
        (&["simulate", "carbonite", "--policy", "second"], &["second-tree"]),
        (&["simulate", "carbonite", "-p", "m"], &["mine.toml"]),
        (&["simulate", "icedice", "--rules", "t"], &["two-players", "three-players"]),
        // bash takes signs for words.
        (&["simulate", "carbonite", "--set", "retribution", "=", "a"], &["all", "any"]),
        (&["simulate", "carbonite", "--set", "retribution", "="], &["all", "any", "none"]),
        (&["simulate", "carbonite", "-p", "first", ":"], &["k="]),
        (&["simulate", "carbonite", "--set", "atom=bust", "--set", "mult"], &["multiplier="]),
        (&["rank", "pig", "-p", "al"], &["all"]),
        // What it does not know the script knows.
        (&["simulate", "pig", "--stop"], &["--stop-after"]),
        (&["simulate", "pig", "--format", "m"], &["markdown"]),
        (&["sim"], &["simulate"]),
    ] {
        assert_eq!(completed(words), expected, "{words:?}");
    }
}

/// The scripts of other shells ask the program, too; there is no help about it.
#[test]
fn other_shells_ask_the_program() {
    for shell in ["bash", "zsh", "fish"] {
        let script = good(&data(), &format!("completions {shell}")).stdout;
        assert!(script.contains(&format!("__complete {shell}")), "{shell}");
    }
    let fish = good(&data(), "completions fish").stdout;
    for option in ["policy", "rules", "set"] {
        let lines = || fish.lines().filter(|line| line.contains(&format!(" -l {option} ")));
        assert!(
            lines().count() > 0 && lines().all(|line| line.ends_with("-a '(__stopwise_known)'")),
            "{option}"
        );
    }
    assert!(!good(&data(), "--help").stdout.contains("__complete"));
    assert!(!good(&data(), "man").stdout.contains("__complete"));
    assert_eq!(good(&data(), "__complete fish simulate carbonite -p tid").stdout, "tidy\ntidy-marks\n");
    // Nobody is told of mistakes while typing.
    assert_eq!(good(&data(), "__complete zsh simulate chess --set x").stdout, "");
}
