//! The shipped policies and rules: complete, well named, and valid under all rules of their game.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use stopwise_engine::games::Rules;
use stopwise_engine::games::carbonite::{Carbonite, Points};
use stopwise_engine::games::carcassonne::{self, Carcassonne, NineCatapults};
use stopwise_engine::games::freeze::{Bank, Doubles, Fraction, Freeze, Rates, Simultaneous};
use stopwise_engine::games::icedice::{Copies, IceDice, NoChoice};
use stopwise_engine::games::pig::{Faces, Pig};
use stopwise_engine::stream::Keys;
use stopwise_engine::trial::trial;
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_policy::shipped::{self, Shipped};
use stopwise_policy::{RulesText, Text, TextPolicy, TomlText as _};

/// The files of a folder of the repository, as "folder/game/name.toml".
fn files(folder: &str) -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let names = |path: &Path| -> Vec<String> {
        let entries = fs::read_dir(path).expect("the folder is there").map(|entry| entry.expect("readable"));
        entries.map(|entry| entry.file_name().into_string().expect("ASCII")).collect()
    };
    let in_game = |game: String| {
        let files = names(&root.join(&game)).into_iter().filter(|file| file.ends_with(".toml"));
        files.map(|file| format!("{folder}/{game}/{file}")).collect::<Vec<_>>()
    };
    names(&root).into_iter().flat_map(in_game).collect()
}

fn listed(list: &[Shipped]) -> BTreeSet<String> {
    let files: BTreeSet<_> = list.iter().map(|shipped| shipped.file.to_owned()).collect();
    assert_eq!(files.len(), list.len(), "a file is listed twice");
    files
}

#[test]
fn every_file_is_listed() {
    assert_eq!(files("policies"), listed(shipped::POLICIES));
    assert_eq!(files("rules"), listed(shipped::RULES));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let texts =
        fs::read_dir(root).expect("the folder is there").map(|entry| entry.expect("readable").file_name());
    let texts: BTreeSet<_> =
        texts.map(|name| format!("games/{}", name.into_string().expect("ASCII"))).collect();
    assert_eq!(texts, listed(&[shipped::GALLERY, shipped::TOLD].concat()));
    for shipped in shipped::POLICIES.iter().chain(shipped::RULES) {
        let Shipped { game, name, file, content } = *shipped;
        assert!(file.ends_with(&format!("/{game}/{name}.toml")));
        assert_eq!(shipped.text(), Text::new(file, content));
        assert_eq!(shipped.text().game().as_deref(), Ok(game), "{file}");
        let summary = shipped.text().summary().expect("a summary");
        assert!(!summary.is_empty() && summary.len() <= 120, "{file}: {summary}");
        assert!(!summary.contains('\n'), "{file}: {summary}");
    }
}

#[test]
fn files_are_found_by_name() {
    for policy in shipped::POLICIES {
        assert_eq!(shipped::policy(policy.game, policy.name), Some(policy));
    }
    for rules in shipped::RULES {
        assert_eq!(shipped::rules(rules.game, rules.name), Some(rules));
    }
    assert_eq!(shipped::policy("pig", "wiki"), None);
    assert_eq!(shipped::rules("chess", "wiki"), None);
    assert_eq!(shipped::default_rules("carbonite").name, "wiki");
    assert_eq!(shipped::default_rules("icedice").name, "two-players");
    assert_eq!(shipped::default_rules("freeze").name, "published");
    assert_eq!(shipped::default_rules("pig").name, "standard");
    assert_eq!(shipped::default_rules("carcassonne").name, "two");
}

fn presets<G: Rules>(first: G) -> Vec<G> {
    let known = shipped::rules_of(first.info().name);
    let read = |preset: &Shipped| {
        let read = RulesText::read(&preset.text(), &first, known).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read.name, preset.name);
        assert_eq!(Some(read.summary), preset.text().summary());
        read.rules
    };
    known.iter().map(read).collect()
}

/// Holds the shipped policies of one game to what is asked of them, under the presets and under other rules.
fn check<G: Rules + Vocabulary>(extremes: &[G]) {
    let info = extremes[0].info();
    let mut all = presets(extremes[0]);
    all.extend(extremes);
    for shipped in shipped::policies_of(info.name) {
        for rules in &all {
            assert_eq!(rules.validate(), Ok(()));
            let compile = |overrides: &[(String, String)]| {
                let policy = TextPolicy::compile(&shipped.text(), rules, overrides);
                policy.unwrap_or_else(|error| panic!("{rules:?}: {error}"))
            };
            let policy = compile(&[]);
            assert_eq!(policy.name(), shipped.name);
            assert_eq!(Some(policy.summary().to_owned()), shipped.text().summary());
            assert_eq!(policy.text(), &shipped.text());

            // Every parameter is named with its value, and used.
            let explanation = policy.explain(rules);
            let (head, answers) = explanation.split_once("\n\n").expect("a head and answers");
            for kind in info.kinds {
                assert!(answers.contains(&format!("{} — {}", kind.name, kind.meaning)), "{explanation}");
            }
            for parameter in policy.parameters() {
                let (name, value) = (&parameter.name, parameter.value());
                assert!(head.contains(&format!("{name} = {value}")), "{explanation}");
                assert!(
                    answers.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name),
                    "{explanation}"
                );
                let same = compile(&[(name.clone(), value)]);
                assert_eq!(same.label(), policy.label());
            }

            let end = trial(rules, &[&policy], &mut Keys::new(1).streams(0, rules.seats()), &mut ());
            assert!(rules.ending(end) < rules.endings().len());
        }
    }
}

#[test]
fn policies_of_carbonite_work_under_all_rules() {
    let wiki = Carbonite::WIKI;
    let free = Points { solid: 0, mixed: 0, single: 0 };
    let dear = Points { solid: 1000, mixed: 1000, single: 1000 };
    check(&[
        Carbonite { turns: 1, colours: 2, copies: 1, points: free, ..wiki },
        Carbonite { turns: 10, colours: 5, copies: 2, points: dear, ..wiki },
    ]);
}

#[test]
fn policies_of_icedice_work_under_all_rules() {
    let (two, four) = (IceDice::TWO, IceDice::FOUR);
    check(&[
        IceDice { copies: Copies::Number(1), trios: 1, turn_cap: 1, ..two },
        IceDice { trios: 20, no_choice: NoChoice::Bust, turn_cap: 3000, ..four },
        IceDice { copies: Copies::Number(1), trios: 5, no_choice: NoChoice::Reroll, ..four },
    ]);
}

#[test]
fn policies_of_freeze_work_under_all_rules() {
    let least = Freeze { players: 2, steps: 1, bank: Bank::InAll(1), ..Freeze::PUBLISHED };
    let rate = Rates::all(Fraction::try_from(0.01).expect("a chance"));
    let most = Freeze { players: 8, steps: 60_000, bank: Bank::InAll(10_000), start_counters: 1000, ..least };
    check(&[
        least,
        Freeze { rate, doubles: Doubles::Always, simultaneous: Simultaneous::All, confirm_steps: 7, ..most },
    ]);
}

#[test]
fn policies_of_carcassonne_work_under_all_rules() {
    let corners = ["CCFF", "CFCF", "CCFF", "CCCF"].map(str::to_owned).to_vec();
    let faces = carcassonne::Faces::try_from(corners).expect("faces of a die");
    let two = Carcassonne::TWO;
    check(&[
        Carcassonne { players: 1, dice: 3, rolls: 1, knights_needed: 9, turns: 1000, ..two },
        Carcassonne { players: 5, dice: 5, rolls: 9, goal: 1000, knights_needed: 1, turn_cap: 60_000, ..two },
        Carcassonne { players: 4, faces, goal: 1, ..two },
    ]);
}

#[test]
fn policies_of_pig_work_under_all_rules() {
    let standard = Pig::STANDARD;
    let one_face = Faces::try_from(vec![2]).expect("a face of the die");
    check(&[
        Pig { players: 1, goal: 1, sides: 2, bust_faces: one_face, unit_score: true, turn_cap: 1 },
        Pig { players: 4, goal: 1000, sides: 64, turn_cap: 60_000, ..standard },
    ]);
}

#[test]
fn presets_are_the_engines() {
    assert_eq!(presets(Carbonite::WIKI), [Carbonite::WIKI, Carbonite::README_V1]);
    assert_eq!(presets(IceDice::TWO), [IceDice::TWO, IceDice::THREE, IceDice::FOUR]);
    let [published, workshop, table] = [Freeze::PUBLISHED, Freeze::WORKSHOP, Freeze::TABLE];
    let others = [Freeze::BROKE_BONUS, Freeze::DOUBLES, Freeze::LIGHTNING];
    assert_eq!(presets(Freeze::PUBLISHED), [[published, workshop, table], others].concat());
    let (two, solo) = (Carcassonne::TWO, Carcassonne::SOLO);
    let of = |players| Carcassonne { players, ..two };
    let catapults = |nine_catapults| Carcassonne { nine_catapults, ..two };
    let with_knight = Carcassonne { turns: 10, keeping: true, ..solo };
    let (roll, off) = (catapults(NineCatapults::Roll), catapults(NineCatapults::Off));
    assert_eq!(presets(Carcassonne::TWO), [two, of(3), of(4), of(5), solo, with_knight, roll, off]);
    assert_eq!(presets(Pig::STANDARD), [Pig::STANDARD, Pig::SOLO, Pig::PIGLET]);
}
