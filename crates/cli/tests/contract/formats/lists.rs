//! `policy`, `rules`, `games` and the help.

use std::path::Path;
use std::process::Command;

use crate::common::sheet::Sheet;
use crate::common::{data, good, program, read};

#[test]
fn policy() {
    let mut sheet = Sheet::new("policy");
    for line in [
        "policy check policies/mine.toml policies/greedy.toml",
        "policy explain first:k=3",
        "policy explain tidy",
        "policy explain thief",
        "policy explain hold --game pig",
        "policy explain policies/mine.toml:risk=0.25",
        "policy features carbonite",
        "policy features icedice",
        "policy features freeze --set steps=300",
        "policy features carcassonne",
        "policy features pig --set players=3",
    ] {
        let ran = good(&data(), line);
        sheet.whole(&format!("stopwise {line}"), &ran.stdout);
        assert_eq!(ran.stderr, "", "{line}");
    }
    sheet.check();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../policies/carbonite/tidy.toml");
    assert_eq!(good(&data(), "policy show tidy").stdout, read(&source));
}

/// The policies that are sure to be there.
#[test]
fn policy_list() {
    let of = |line: &str| good(&data(), line).stdout;
    let of_game = |game: &str| of(&format!("policy list {game}"));
    let games = of("games");
    let games = games.lines().filter(|line| !line.starts_with(' ')).map(of_game);
    assert_eq!(of("policy list"), games.collect::<String>());
    let [carbonite, pig] = ["carbonite", "pig"].map(of_game);
    for (list, line) in [
        (&carbonite, "carbonite   first                  Stop as soon as the Counter holds k pieces."),
        (
            &carbonite,
            "carbonite   tidy                   Stop at k pieces; spare the Vault, finish trees, mark with what is \
             held already.",
        ),
        (&pig, "pig         hold                   Hold at n points, or when they win."),
    ] {
        assert!(list.lines().any(|found| found == line), "{line}\n{list}");
    }
    assert!(pig.lines().all(|line| line.starts_with("pig ")));
}

#[test]
fn rules() {
    let mut sheet = Sheet::new("rules");
    for line in [
        "rules list",
        "rules list pig",
        "rules show carbonite --set turns=5 --set points.solid=9",
        "rules show carbonite --rules rules/short.toml",
        "rules show freeze --rules doubles --set rate=[1,0.5,0.25,1]",
        "rules show pig --rules piglet",
    ] {
        sheet.whole(&format!("stopwise {line}"), &good(&data(), line).stdout);
    }
    sheet.check();
}

/// A page a game: rules/GAME/about.txt has the prose, and adding a game means to write it.
#[test]
fn games() {
    let listed = good(&data(), "games").stdout;
    let names: Vec<_> = listed.lines().filter(|line| !line.starts_with(' ')).collect();
    assert!(names.len() > 10);
    for name in names.into_iter().take(5) {
        let page = good(&data(), &format!("games {name}")).stdout;
        let prose = page.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in ["Aim. ", "The end. ", "What one decides. "] {
            assert!(prose.contains(part), "{name}: {part}");
        }
        for heading in ["Words", "Rules presets", "Where the rules were published"] {
            assert!(page.lines().any(|line| line == heading), "{name}: {heading}");
        }
        assert!(page.lines().all(|line| line.chars().count() <= 100), "{page}");
        let mut sheet = Sheet::new(&format!("games-{name}"));
        sheet.whole(&format!("stopwise games {name}"), &page);
        sheet.check();
    }
}

#[test]
fn games_and_help() {
    // Which policies there are is another test's matter.
    let hide = |line: &str| match line.split_once("policies: ") {
        Some((before, names)) => {
            assert!(names.split(", ").count() >= 2, "{line}");
            format!("{before}policies: …\n")
        }
        None => format!("{line}\n"),
    };
    let games: String = good(&data(), "games").stdout.lines().map(hide).collect();
    let mut sheet = Sheet::new("games-and-help");
    sheet.whole("stopwise games", &games);
    let help = good(&data(), "--help").stdout;
    sheet.whole("stopwise --help", &help);
    sheet.check();
    assert_eq!(good(&data(), "help").stdout, help);
    let bare = Command::output(&mut program(&data())).expect("the program starts");
    assert_eq!(
        (bare.status.code(), String::from_utf8_lossy(&bare.stderr).as_ref()),
        (Some(2), help.as_str())
    );
    let version = format!("stopwise {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(good(&data(), "--version").stdout, version);
}
