//! Games that exist in Rust as well: the same words give the same trials, in which policies read the same.
//!
//! So the text is a second reading of the rules, and of the words for policies, by other hands than those that made the game
//! fast: of every option, in random ones.

mod record;

use proptest::prelude::*;
use serde::Serialize;
use stopwise_engine::games::Rules;
use stopwise_engine::games::carbonite::{self, Atom, Carbonite, Multiplier, Points, Retribution, VaultMatch};
use stopwise_engine::games::freeze::{Bank, Doubles, Freeze, Simultaneous, StakeAtEnd};
use stopwise_engine::games::icedice::{Copies, IceDice, NoChoice};
use stopwise_engine::games::pig::{Faces, Pig};
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_policy::{Text, TextPolicy};
use stopwise_script::{GameText, Script};

use self::record::{Plan, Words, alike};
use crate::common::{files, read, stem, text as source};

/// The game of a text with options that are called as in Rust, and others.
fn script(source: &str, rules: &impl Serialize, others: &[(&str, String)]) -> Script {
    let text = GameText::new(source).unwrap_or_else(|error| panic!("{error}"));
    let mut options = others.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    written("", &toml::Value::try_from(rules).expect("options"), &mut options);
    let is_known = |name: &String| text.options().iter().any(|option| option.name == *name);
    let mut known: Vec<(String, String)> = Vec::new();
    for (name, value) in options {
        if is_known(&name) && known.iter().all(|(other, _)| *other != name) {
            known.push((name, value));
        }
    }
    text.script(&known).unwrap_or_else(|error| panic!("{error}"))
}

/// The options of a game in Rust as a text writes them.
fn written(name: &str, value: &toml::Value, options: &mut Vec<(String, String)>) {
    let text = match value {
        toml::Value::Boolean(is) => if *is { "yes" } else { "no" }.to_owned(),
        toml::Value::String(word) => word.clone(),
        toml::Value::Table(parts) => {
            for (part, value) in parts {
                let name = if name.is_empty() { part.clone() } else { format!("{name}.{part}") };
                written(&name, value, options);
            }
            return;
        }
        value => value.to_string(),
    };
    options.push((name.to_owned(), text));
}

/// Plans of all kinds play both alike.
fn by_plans<R: Vocabulary>(rust: &R, text: &Script, words: &Words, seed: u64, trials: u64) {
    for number in 0..trials {
        let plan = || Plan::new(seed.wrapping_add(number));
        alike((rust, text), (&plan(), &plan()), (seed, number), words);
    }
}

/// The shipped policies of the game in Rust play the text as well, and alike.
fn by_policies<R: Vocabulary>(game: &str, rust: &R, text: &Script, words: &Words) {
    for file in files(&format!("policies/{game}"), "toml") {
        let source = Text::new(stem(&file), read(&file));
        let of_rust = TextPolicy::compile(&source, rust, &[]).unwrap_or_else(|error| panic!("{error}"));
        let of_text = TextPolicy::compile(&source, text, &[]).unwrap_or_else(|error| panic!("{error}"));
        for number in 0..60 {
            alike((rust, text), (&of_rust, &of_text), (9, number), words);
        }
    }
}

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

const MULTIPLIERS: [Multiplier; 4] =
    [Multiplier::LastCompleted, Multiplier::Pips, Multiplier::PipsMinusOne, Multiplier::None];
const RETRIBUTIONS: [Retribution; 3] = [Retribution::All, Retribution::Any, Retribution::None];
const ATOMS: [Atom; 3] = [Atom::Choice, Atom::Reroll, Atom::Bust];
const VAULT_MATCHES: [VaultMatch; 3] = [VaultMatch::ForcedRoll, VaultMatch::Free, VaultMatch::NoMatch];

fn carbonite_text(rust: &Carbonite) -> Script {
    script(&source("carbonite"), rust, &[])
}

/// Where the last piece came from is kept only while there is something to decide about it.
fn carbonite_words(rust: &Carbonite) -> Words {
    Words::of(rust, &[], &[("vault_match", carbonite::STOP)])
}

fn any_carbonite() -> impl Strategy<Value = Carbonite> {
    let points = (0..=20_u16, 0..=20_u16, 0..=20_u16);
    let options = (
        prop::sample::select(&MULTIPLIERS),
        prop::sample::select(&RETRIBUTIONS),
        prop::sample::select(&ATOMS),
        prop::sample::select(&VAULT_MATCHES),
    );
    (1..=10_u8, 2..=5_u8, 1..=2_u8, points, any::<bool>(), options).prop_map(
        |(turns, colours, copies, (solid, mixed, single), doubling, options)| {
            let (multiplier, retribution, atom, vault_match) = options;
            let points = Points { solid, mixed, single };
            Carbonite { turns, colours, copies, points, doubling, multiplier, retribution, atom, vault_match }
        },
    )
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn carbonite_dice(rust in any_carbonite(), seed: u64) {
        rust.validate().expect("within the ranges");
        by_plans(&rust, &carbonite_text(&rust), &carbonite_words(&rust), seed, 30);
    }
}

#[test]
fn carbonite_dice_in_every_combination_of_options() {
    let boxes = [(2, 10), (3, 6), (4, 10), (5, 10)];
    let mut number = 0;
    for multiplier in MULTIPLIERS {
        for retribution in RETRIBUTIONS {
            for atom in ATOMS {
                for vault_match in VAULT_MATCHES {
                    for copies in [1, 2] {
                        let (colours, turns) = boxes[number / 2 % 4];
                        let base = Carbonite { colours, turns, copies, ..Carbonite::WIKI };
                        let rust = Carbonite { multiplier, retribution, atom, vault_match, ..base };
                        by_plans(&rust, &carbonite_text(&rust), &carbonite_words(&rust), number as u64, 12);
                        number += 1;
                    }
                }
            }
        }
    }
}

/// Under both published texts, and where nothing leaves the game, so that colours often have two solid trees.
#[test]
fn carbonite_dice_by_its_policies() {
    let generous =
        Carbonite { retribution: Retribution::None, vault_match: VaultMatch::Free, ..Carbonite::WIKI };
    for rust in [Carbonite::WIKI, Carbonite::README_V1, generous, Carbonite { colours: 3, ..generous }] {
        by_policies("carbonite", &rust, &carbonite_text(&rust), &carbonite_words(&rust));
    }
}

fn icedice_text(rust: &IceDice) -> Script {
    script(&source("icedice"), rust, &[("copies", rust.copies().to_string())])
}

/// The text does not count the turns of all players.
fn icedice_words(rust: &IceDice) -> Words {
    Words::of(rust, &["turns_left"], &[])
}

fn any_icedice() -> impl Strategy<Value = IceDice> {
    let copies = prop_oneof![Just(Copies::Players), (1..=4_u8).prop_map(Copies::Number)];
    let no_choice = prop::sample::select(vec![NoChoice::Skip, NoChoice::Bust, NoChoice::Reroll]);
    (2..=4_u8, copies, no_choice, 1..=90_u16, any::<u8>()).prop_map(
        |(players, copies, no_choice, turn_cap, trios)| {
            let rules = IceDice { players, copies, trios: 1, no_choice, turn_cap };
            IceDice { trios: 1 + trios % (5 * rules.copies()).min(if trios < 128 { 4 } else { 20 }), ..rules }
        },
    )
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn ice_dice(rust in any_icedice(), seed: u64) {
        rust.validate().expect("within the ranges");
        by_plans(&rust, &icedice_text(&rust), &icedice_words(&rust), seed, 12);
    }
}

#[test]
fn ice_dice_by_its_policies() {
    for rust in [IceDice::TWO, IceDice::THREE, IceDice::FOUR] {
        by_policies("icedice", &rust, &icedice_text(&rust), &icedice_words(&rust));
    }
}

/// The text has one face that loses the turn; here it has those of the game in Rust.
fn pig_text(rust: &Pig) -> Script {
    let faces: Vec<_> = Vec::from(rust.bust_faces).iter().map(|face| format!("face == {face}")).collect();
    let loses = format!("if {}: bust", faces.join(" or "));
    script(&source("pig").replace("if face == bust_face: bust", &loses), rust, &[])
}

/// The text does not count the rolls of a turn.
fn pig_words(rust: &Pig) -> Words {
    Words::of(rust, &["rolls_this_turn"], &[])
}

fn any_pig() -> impl Strategy<Value = Pig> {
    let goal = prop_oneof![1..=10_u16, 1..=150_u16, 1..=1000_u16];
    let sides = prop_oneof![2..=8_u8, 2..=64_u8];
    let turn_cap = prop_oneof![1..=8_u16, 1..=200_u16, 1..=3000_u16];
    // Few faces bust as a rule, now and then the greatest alone or nearly all of them.
    let bust = prop_oneof![3 => Just(1_u64), 1 => Just(0), 1 => any::<u64>(), 1 => Just(u64::MAX - 1)];
    (1..=4_u8, goal, sides, bust, any::<bool>(), turn_cap).prop_map(
        |(players, goal, sides, bust, unit_score, turn_cap)| {
            let mut faces: Vec<_> = (1..=sides).filter(|face| bust >> (face - 1) & 1 == 1).collect();
            if faces.len() == usize::from(sides) {
                faces.pop();
            } else if faces.is_empty() {
                faces.push(sides);
            }
            let bust_faces = Faces::try_from(faces).expect("faces of the die");
            Pig { players, goal, sides, bust_faces, unit_score, turn_cap }
        },
    )
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn pig(rust in any_pig(), seed: u64) {
        rust.validate().expect("within the ranges");
        by_plans(&rust, &pig_text(&rust), &pig_words(&rust), seed, 12);
    }
}

#[test]
fn pig_by_its_policies() {
    for rust in
        [Pig::STANDARD, Pig::SOLO, Pig::PIGLET, Pig { players: 3, goal: 40, sides: 8, ..Pig::STANDARD }]
    {
        by_policies("pig", &rust, &pig_text(&rust), &pig_words(&rust));
    }
}

/// The count of scoring turns stops at 255, and everything else goes on.
#[test]
fn a_long_game_of_pig() {
    let hold = "game = \"pig\"\nname = \"at-once\"\nsummary = \"Hold at once.\"\nstop = \"true\"\n";
    let hold = Text::new("at-once", hold);
    for players in 1..=4 {
        let rust = Pig { players, goal: 1000, unit_score: true, ..Pig::STANDARD };
        let text = pig_text(&rust);
        let of_rust = TextPolicy::compile(&hold, &rust, &[]).expect("a policy");
        let of_text = TextPolicy::compile(&hold, &text, &[]).expect("a policy");
        alike((&rust, &text), (&of_rust, &of_text), (5, 0), &pig_words(&rust));
    }
}

/// Where everybody rolls in every step, and nobody touches the dice.
#[test]
fn freeze_dice() {
    let short = Freeze { steps: 120, ..Freeze::PUBLISHED };
    let mut variants = vec![
        Freeze::PUBLISHED,
        Freeze { steps: 120, ..Freeze::WORKSHOP },
        Freeze { steps: 120, ..Freeze::TABLE },
        Freeze { steps: 120, ..Freeze::BROKE_BONUS },
        Freeze { steps: 120, ..Freeze::DOUBLES },
        Freeze { steps: 120, ..Freeze::LIGHTNING },
    ];
    for at in 0..14_u16 {
        let odd = at % 2 == 1;
        variants.push(Freeze {
            players: u8::try_from(2 + at % 7).expect("few"),
            steps: 20 + 9 * at,
            bank: Bank::InAll(1 + 5 * at),
            start_counters: at % 3,
            simultaneous: if odd { Simultaneous::All } else { Simultaneous::First },
            broke_bonus: at % 3 == 0,
            doubles: [Doubles::Always, Doubles::Lightning, Doubles::Never][usize::from(at % 3)],
            lightning_steps: 4 * at,
            confirm_steps: u8::try_from(at % 8).expect("few"),
            stake_at_end: if at % 4 < 2 { StakeAtEnd::Paid } else { StakeAtEnd::Returned },
            freezing: at % 5 != 0,
            ..short
        });
    }
    for rust in variants {
        let bank = match rust.bank {
            Bank::InAll(number) => number,
            Bank::PerPlayer(number) => number * u16::from(rust.players),
        };
        let text = script(&source("freeze"), &rust, &[("bank_at_start", bank.to_string())]);
        by_plans(&rust, &text, &Words::default(), 5, 10);
    }
}
