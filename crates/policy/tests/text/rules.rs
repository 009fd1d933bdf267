//! Rules as text: options that a file omits come from its base, errors have their place, and single options can be set
//! from outside.

use stopwise_engine::games::Rules;
use stopwise_engine::games::carbonite::{Atom, Carbonite, Multiplier, Points, Retribution, VaultMatch};
use stopwise_engine::games::pig::{Faces, Pig};
use stopwise_policy::{RulesText, Text, set_option, shipped, write_rules};

fn read<G: Rules>(game: &G, options: &str) -> Result<G, String> {
    let name = game.info().name;
    let text = Text::new("mine.toml", format!("game = \"{name}\"\nname = \"mine\"\n{options}"));
    let read = RulesText::read(&text, game, shipped::rules_of(name));
    read.map(|read| read.rules).map_err(|error| error.to_string())
}

fn faces(faces: &[u8]) -> Faces {
    Faces::try_from(faces.to_vec()).expect("faces of a die")
}

/// The message, the line and the column.
fn refused<G: Rules>(game: &G, options: &str) -> (String, String) {
    let error = read(game, options).expect_err("a mistake");
    let mut lines = error.lines().map(|line| line.trim().to_owned());
    (
        lines.next().expect("a message"),
        lines.next().expect("a place").replace("--> mine.toml", "").trim_start_matches(':').to_owned(),
    )
}

#[test]
fn options_come_from_the_base() {
    let wiki = Carbonite::WIKI;
    assert_eq!(read(&Carbonite::WIKI, "base = \"wiki\""), Ok(wiki));
    assert_eq!(read(&Carbonite::WIKI, "base = \"readme-v1\""), Ok(Carbonite::README_V1));
    assert_eq!(
        read(&Carbonite::WIKI, "turns = 5\nbase = \"readme-v1\""),
        Ok(Carbonite { turns: 5, ..Carbonite::README_V1 })
    );
    let words = "base = \"wiki\"\nmultiplier = \"pips_minus_one\"\nretribution = \"any\"\natom = \"reroll\"\n\
        vault_match = \"no_match\"\ndoubling = false";
    let changed = Carbonite {
        multiplier: Multiplier::PipsMinusOne,
        retribution: Retribution::Any,
        atom: Atom::Reroll,
        vault_match: VaultMatch::NoMatch,
        doubling: false,
        ..wiki
    };
    assert_eq!(read(&Carbonite::WIKI, words), Ok(changed));
    assert_eq!(read(&Pig::STANDARD, "base = \"solo\"\nsides = 10"), Ok(Pig { sides: 10, ..Pig::SOLO }));
    assert_eq!(
        read(&Pig::STANDARD, "base = \"piglet\"\nbust_faces = [2]"),
        Ok(Pig { bust_faces: faces(&[2]), ..Pig::PIGLET })
    );
}

#[test]
fn a_nested_table_changes_only_what_it_names() {
    let wiki = Carbonite::WIKI;
    let points = Points { solid: 9, ..wiki.points };
    for options in ["points = { solid = 9 }", "points.solid = 9", "[points]\nsolid = 9"] {
        assert_eq!(
            read(&Carbonite::WIKI, &format!("base = \"wiki\"\n{options}")),
            Ok(Carbonite { points, ..wiki }),
            "{options}"
        );
    }
    let points = Points { solid: 0, mixed: 1000, single: 3 };
    assert_eq!(
        read(&Carbonite::WIKI, "base = \"wiki\"\npoints = { mixed = 1000, single = 3, solid = 0 }"),
        Ok(Carbonite { points, ..wiki })
    );
}

#[test]
fn a_file_without_base_names_every_option() {
    let all = "players = 3\ngoal = 50\nsides = 8\nbust_faces = [1, 2]\nunit_score = true\nturn_cap = 99\n";
    let rules =
        Pig { players: 3, goal: 50, sides: 8, bust_faces: faces(&[1, 2]), unit_score: true, turn_cap: 99 };
    assert_eq!(read(&Pig::STANDARD, all), Ok(rules));
    for option in all.lines() {
        let (message, place) = refused(&Pig::STANDARD, &all.replace(option, ""));
        assert_eq!(message, format!("no value for `{}`", option.split_once(' ').expect("a name").0));
        assert_eq!(place, "", "the whole file");
    }
    let written = toml::to_string(&Carbonite::README_V1).expect("rules can be written");
    assert_eq!(read(&Carbonite::WIKI, &written), Ok(Carbonite::README_V1));
    let written = Text::new("mine.toml", write_rules("mine", &Carbonite::README_V1));
    assert_eq!(
        RulesText::read(&written, &Carbonite::WIKI, shipped::rules_of("carbonite")).map(|read| read.rules),
        Ok(Carbonite::README_V1)
    );
}

#[test]
fn mistakes_have_their_place() {
    let cases = [
        ("base = \"wiki\"\nturn = 5", "unknown option `turn`", "4:1"),
        (
            "base = \"wiki\"\n doubling = true\n turns = 0",
            "turns: 0 is out of range; write a number from 1 to 10 (the limits of the game)",
            "5:10",
        ),
        (
            "base = \"wiki\"\ncolours = 6",
            "colours: 6 is out of range; write a number from 2 to 5 (the limits of the game)",
            "4:11",
        ),
        (
            "base = \"wiki\"\natom = \"Choice\"",
            "atom: `Choice` is none of its values; write one of `choice`, `reroll`, `bust`",
            "4:8",
        ),
        (
            "base = \"wiki\"\npoints.solid = 1001",
            "points.solid: 1001 is out of range; write a number from 0 to 1000 (the limits of this program)",
            "4:16",
        ),
        (
            "base = \"wiki\"\npoints = { solid = -1 }",
            "points.solid: -1 is out of range; write a number from 0 to 1000 (the limits of this program)",
            "4:20",
        ),
        (
            "turns = true",
            "turns: `true` is no whole number; write a number from 1 to 10 (the limits of the game)",
            "3:9",
        ),
        ("base = \"standard\"", "unknown preset `standard`", "3:8"),
        ("base = [\"wiki\"]", "a text in quotes is needed here, not a list", "3:8"),
    ];
    for (options, message, place) in cases {
        assert_eq!(refused(&Carbonite::WIKI, options), (message.to_owned(), place.to_owned()), "{options}");
    }
    let both = read(&Pig::STANDARD, "base = \"standard\"\ngoals = 5\nside = 7").expect_err("two mistakes");
    assert!(both.contains("did you mean `goal`?") && both.contains("did you mean `sides`?"), "{both}");
}

#[test]
fn single_options_are_set() {
    let wiki = Carbonite::WIKI;
    let points = wiki.points;
    let cases = [
        ("turns=5", Carbonite { turns: 5, ..wiki }),
        (" turns = 5 ", Carbonite { turns: 5, ..wiki }),
        ("doubling=false", Carbonite { doubling: false, ..wiki }),
        ("atom=bust", Carbonite { atom: Atom::Bust, ..wiki }),
        ("atom=\"bust\"", Carbonite { atom: Atom::Bust, ..wiki }),
        ("points.solid=9", Carbonite { points: Points { solid: 9, ..points }, ..wiki }),
        ("points={ solid = 9 }", Carbonite { points: Points { solid: 9, ..points }, ..wiki }),
    ];
    for (assignment, rules) in cases {
        assert_eq!(set_option(&wiki, assignment), Ok(rules), "{assignment}");
    }
    let two = set_option(&wiki, "turns=5").and_then(|rules| set_option(&rules, "copies=1"));
    assert_eq!(two, Ok(Carbonite { turns: 5, copies: 1, ..wiki }));
    assert_eq!(
        set_option(&Pig::STANDARD, "bust_faces=[1, 6]"),
        Ok(Pig { bust_faces: faces(&[1, 6]), ..Pig::STANDARD })
    );
    assert_eq!(set_option(&Pig::STANDARD, "turn_cap=60_000"), Ok(Pig { turn_cap: 60_000, ..Pig::STANDARD }));
}

#[test]
fn bad_assignments_are_refused() {
    let cases = [
        ("turns", "--set: `turns` is no assignment; write KEY=VALUE, for example turns=…"),
        ("", "--set: `` is no assignment; write KEY=VALUE, for example turns=…"),
        ("turn=5", "--set: unknown option `turn`; did you mean `turns`?"),
        ("solid=5", "--set: unknown option `solid`; did you mean `points.solid`?"),
        ("points.sold=5", "--set: unknown option `points.sold`; did you mean `points.solid`?"),
        ("point.solid=5", "--set: unknown option `point.solid`; did you mean `points.solid`?"),
        ("points.solid.x=5", "--set: unknown option `points.solid.x`; did you mean `points.solid`?"),
        ("points.=5", "--set: unknown option `points.`; did you mean `points.mixed`?"),
        ("points=5", "--set: `points` has parts (solid, mixed, single); write for example points.solid=…"),
        ("turns=11", "turns: 11 is out of range; write a number from 1 to 10 (the limits of the game)"),
        (
            "points.single=1001",
            "points.single: 1001 is out of range; write a number from 0 to 1000 (the limits of this program)",
        ),
        ("turns=", "turns: `` is no whole number; write a number from 1 to 10 (the limits of the game)"),
        (
            "turns=five",
            "turns: `five` is no whole number; write a number from 1 to 10 (the limits of the game)",
        ),
        (
            "turns=5.0",
            "turns: `5.0` is no whole number; write a number from 1 to 10 (the limits of the game)",
        ),
        ("turns=-1", "turns: -1 is out of range; write a number from 1 to 10 (the limits of the game)"),
        ("turns=300", "turns: 300 is out of range; write a number from 1 to 10 (the limits of the game)"),
        (
            "points.single=70000",
            "points.single: 70000 is out of range; write a number from 0 to 1000 (the limits of this \
             program)",
        ),
        ("copies=3", "copies: 3 is out of range; write a number from 1 to 2 (the limits of this program)"),
        ("trun=5", "--set: unknown option `trun`; did you mean `turns`?"),
        ("doubling=1", "doubling: `1` is none of its values; write yes or no (in a file: true or false)"),
        (
            "retribution=false",
            "retribution: `false` is none of its values; write one of `all`, `any`, `none`",
        ),
        (
            "vault_match=1",
            "vault_match: `1` is none of its values; write one of `forced_roll`, `free`, `no_match`",
        ),
        ("atom=chioce", "atom: `chioce` is none of its values; write one of `choice`, `reroll`, `bust`"),
    ];
    for (assignment, message) in cases {
        let error = set_option(&Carbonite::WIKI, assignment).expect_err("a mistake");
        assert_eq!(error.to_string(), message);
    }
    // A value is one value, not a way to write more lines.
    assert!(set_option(&Carbonite::WIKI, "turns=5\ncopies = 1").is_err());
    assert!(set_option(&Pig::STANDARD, "bust_faces=[7]").is_err());
    assert!(set_option(&Pig::STANDARD, &format!("goal={}", "[".repeat(100_000))).is_err());
}
