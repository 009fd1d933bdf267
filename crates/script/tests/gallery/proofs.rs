//! Games that exist in Rust as well: the same words give the same trials.
//!
//! Both are asked by one plan, which knows only the question, so that it answers alike wherever positions are.

use stopwise_engine::game::{Action, Event, Events, Game, MAX_METRICS, Policy, Question, Seat, Source};
use stopwise_engine::games::carbonite::{Atom, Carbonite, Multiplier, Points, Retribution, VaultMatch};
use stopwise_engine::games::freeze::{Bank, Doubles, Freeze, Simultaneous, StakeAtEnd};
use stopwise_engine::games::icedice::{Copies, IceDice, NoChoice};
use stopwise_engine::games::pig::Pig;
use stopwise_engine::stream::{Keys, Streams, WordSource};
use stopwise_engine::trial::{Watch, trial};
use stopwise_policy::{Text, TextPolicy};
use stopwise_script::{GameText, Script};

use crate::{files, read, root, stem};

/// Answers by the legal actions, the kind and the seat, and a number.
struct Plan(u64);

impl<G: Game> Policy<G> for Plan {
    fn choose(&self, _: &G, _: G::State, question: Question) -> Action {
        let mixed =
            (question.actions.0 ^ self.0 << 20 ^ (question.kind as u64) << 40 ^ (question.seat as u64) << 50)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let number = (mixed >> 33) % u64::from(question.actions.count());
        question.actions.iter().nth(usize::try_from(number).expect("a small number")).expect("an action")
    }
}

/// Everything that is announced, and every answer to a question with a choice.
#[derive(Debug, Default, PartialEq)]
struct Record {
    events: Vec<(Seat, usize)>,
    answers: Vec<(Seat, usize, Action)>,
}

impl Events for Record {
    fn event(&mut self, seat: Seat, event: Event) {
        self.events.push((seat, event.index()));
    }
}

impl<G: Game> Watch<G> for Record {
    fn decided(&mut self, _: G::State, question: Question, action: Action) {
        if !question.actions.is_single() {
            self.answers.push((question.seat, question.kind, action));
        }
    }
}

/// Counts the words of all seats.
struct Counted(Streams, usize);

impl WordSource for Counted {
    fn word(&mut self, seat: Seat) -> u32 {
        self.1 += 1;
        self.0.word(seat)
    }
}

/// What a trial leaves: what was announced, the words drawn, the ending, and what is measured at the end, seat by seat.
fn played<G: Game>(game: &G, number: u64, metrics: &[&str]) -> (Record, usize, &'static str, Vec<u32>) {
    let seats = game.seats();
    let mut record = Record::default();
    let mut words = Counted(Keys::new(5).streams(number, seats), 0);
    let end = trial(game, &[Plan(number)], &mut words, &mut record);
    let mut measured = Vec::new();
    for seat in 0..seats {
        let mut values = [0; MAX_METRICS];
        game.measure(end, seat, &mut values);
        for name in metrics {
            let at = game.metrics().iter().position(|metric| metric.name == *name).expect("a metric");
            assert_eq!(game.metrics()[at].source, Source::End, "{name}");
            // A win in shares and a whole one.
            measured.push(if *name == "win" { values[at].min(1) } else { values[at] });
        }
    }
    (record, words.1, game.endings()[game.ending(end)].name, measured)
}

fn game_text(name: &str) -> GameText {
    let text = GameText::new(&read(&root().join(format!("games/{name}.game"))));
    text.unwrap_or_else(|error| panic!("{error}"))
}

fn preset_of(name: &str, preset: &str) -> Script {
    let text = game_text(name);
    let preset = text.presets().iter().find(|other| other.name == preset).expect("a preset");
    text.script(&preset.values).unwrap_or_else(|error| panic!("{error}"))
}

fn text(name: &str, options: &[(&str, String)]) -> Script {
    let text = game_text(name);
    let options: Vec<_> = options.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    text.script(&options).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn ice_dice() {
    let mut variants = vec![IceDice::TWO, IceDice::THREE, IceDice::FOUR];
    for (players, copies, trios, no_choice, turn_cap) in [
        (2, 1, 1, NoChoice::Skip, 2000),
        (2, 1, 2, NoChoice::Bust, 2000),
        (2, 3, 5, NoChoice::Reroll, 2000),
        (3, 1, 2, NoChoice::Reroll, 300),
        (3, 2, 1, NoChoice::Bust, 2000),
        (4, 1, 1, NoChoice::Skip, 40),
        (4, 2, 4, NoChoice::Bust, 60000),
    ] {
        variants.push(IceDice { players, copies: Copies::Number(copies), trios, no_choice, turn_cap });
    }
    for rust in variants {
        let no_choice = match rust.no_choice {
            NoChoice::Skip => "skip",
            NoChoice::Bust => "bust",
            NoChoice::Reroll => "reroll",
        };
        let options = [
            ("players", rust.players.to_string()),
            ("copies", rust.copies().to_string()),
            ("trios", rust.trios.to_string()),
            ("no_choice", no_choice.to_owned()),
            ("turn_cap", rust.turn_cap.to_string()),
        ];
        let script = text("icedice", &options);
        for number in 0..12 {
            let metrics = ["win"];
            assert_eq!(
                played(&script, number, &metrics),
                played(&rust, number, &metrics),
                "{rust:?}, trial {number}"
            );
        }
    }
}

#[test]
fn carbonite_dice() {
    let text_of = |rust: &Carbonite| {
        let multiplier = match rust.multiplier {
            Multiplier::LastCompleted => "last_completed",
            Multiplier::Pips => "pips",
            Multiplier::PipsMinusOne => "pips_minus_one",
            Multiplier::None => "none",
        };
        let retribution = match rust.retribution {
            Retribution::All => "all",
            Retribution::Any => "any",
            Retribution::None => "none",
        };
        let atom = match rust.atom {
            Atom::Choice => "choice",
            Atom::Reroll => "reroll",
            Atom::Bust => "bust",
        };
        let vault_match = match rust.vault_match {
            VaultMatch::ForcedRoll => "forced_roll",
            VaultMatch::Free => "free",
            VaultMatch::NoMatch => "no_match",
        };
        let options = [
            ("turns", rust.turns.to_string()),
            ("colours", rust.colours.to_string()),
            ("copies", rust.copies.to_string()),
            ("points.solid", rust.points.solid.to_string()),
            ("points.mixed", rust.points.mixed.to_string()),
            ("points.single", rust.points.single.to_string()),
            ("doubling", if rust.doubling { "yes" } else { "no" }.to_owned()),
            ("multiplier", multiplier.to_owned()),
            ("retribution", retribution.to_owned()),
            ("atom", atom.to_owned()),
            ("vault_match", vault_match.to_owned()),
        ];
        text("carbonite", &options)
    };
    for (preset, rust) in [("wiki", Carbonite::WIKI), ("readme-v1", Carbonite::README_V1)] {
        let script = preset_of("carbonite", preset);
        let metrics = ["score", "vault"];
        assert_eq!(played(&script, 1, &metrics), played(&rust, 1, &metrics), "{preset}");
    }
    let mut variants = vec![Carbonite::WIKI, Carbonite::README_V1];
    // Each value of each option with others of the rest.
    for at in 0..18_u8 {
        let value = |many: u8, step: u8| usize::from((at / step + at) % many);
        variants.push(Carbonite {
            turns: 10 - at % 7,
            colours: 5 - at % 4,
            copies: 1 + at % 2,
            points: Points { solid: 7 + u16::from(at), mixed: 5, single: u16::from(at % 3) },
            doubling: at % 3 == 0,
            multiplier: [
                Multiplier::LastCompleted,
                Multiplier::Pips,
                Multiplier::PipsMinusOne,
                Multiplier::None,
            ][value(4, 4)],
            retribution: [Retribution::All, Retribution::Any, Retribution::None][value(3, 3)],
            atom: [Atom::Choice, Atom::Reroll, Atom::Bust][value(3, 2)],
            vault_match: [VaultMatch::ForcedRoll, VaultMatch::Free, VaultMatch::NoMatch][value(3, 5)],
        });
    }
    for rust in variants {
        let script = text_of(&rust);
        for number in 0..30 {
            let metrics = ["score", "vault", "solids", "pairs", "completed"];
            assert_eq!(
                played(&script, number, &metrics),
                played(&rust, number, &metrics),
                "{rust:?}, trial {number}"
            );
        }
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
        let yes_no = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
        let bank = match rust.bank {
            Bank::InAll(number) => number,
            Bank::PerPlayer(number) => number * u16::from(rust.players),
        };
        let doubles = match rust.doubles {
            Doubles::Never => "never",
            Doubles::Always => "always",
            Doubles::Lightning => "lightning",
        };
        let options = [
            ("players", rust.players.to_string()),
            ("steps", rust.steps.to_string()),
            ("bank_at_start", bank.to_string()),
            ("start_counters", rust.start_counters.to_string()),
            ("freezing", yes_no(rust.freezing)),
            ("simultaneous", if rust.simultaneous == Simultaneous::All { "all" } else { "first" }.to_owned()),
            ("broke_bonus", yes_no(rust.broke_bonus)),
            ("doubles", doubles.to_owned()),
            ("lightning_steps", rust.lightning_steps.to_string()),
            ("confirm_steps", rust.confirm_steps.to_string()),
            (
                "stake_at_end",
                if rust.stake_at_end == StakeAtEnd::Paid { "paid" } else { "returned" }.to_owned(),
            ),
        ];
        let script = text("freeze", &options);
        for number in 0..10 {
            let metrics = ["win", "counters", "tie_break", "steps"];
            assert_eq!(
                played(&script, number, &metrics),
                played(&rust, number, &metrics),
                "{rust:?}, trial {number}"
            );
        }
    }
}

/// The policies of the Pig in Rust play the text as well, and alike.
#[test]
fn pig_by_its_policies() {
    for file in files("policies/pig", "toml") {
        let source = Text::new(stem(&file), read(&file));
        for (players, goal, sides, bust, unit_score) in
            [(1, 100, 6, 1_u8, false), (2, 100, 6, 1, false), (3, 40, 8, 3, false), (4, 9, 2, 2, true)]
        {
            let bust_faces = vec![bust].try_into().expect("a face");
            let rust = Pig { players, goal, sides, bust_faces, unit_score, ..Pig::STANDARD };
            let options = [
                ("players", players.to_string()),
                ("goal", goal.to_string()),
                ("sides", sides.to_string()),
                ("bust_face", bust.to_string()),
                ("unit_score", if unit_score { "yes" } else { "no" }.to_owned()),
            ];
            let script = text("pig", &options);
            let [of_rust, of_text] = [
                TextPolicy::compile(&source, &rust, &[]).map(|policy| trials(&rust, &policy)),
                TextPolicy::compile(&source, &script, &[]).map(|policy| trials(&script, &policy)),
            ];
            assert_eq!(
                of_rust.expect("a policy"),
                of_text.expect("a policy"),
                "{}, {players}",
                file.display()
            );
        }
    }
}

fn trials<G: Game, P: Policy<G>>(game: &G, policy: &P) -> Vec<Record> {
    let keys = Keys::new(9);
    let play = |number| {
        let mut record = Record::default();
        let _ =
            trial(game, std::slice::from_ref(policy), &mut keys.streams(number, game.seats()), &mut record);
        record
    };
    (0..30).map(play).collect()
}
