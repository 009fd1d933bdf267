//! Plays a game as text, or Pig in Rust, so that instructions can be counted:
//! `valgrind --tool=callgrind texts GAME TRIALS`, with two numbers of trials. Prints the rolls and answers.

#![allow(clippy::print_stdout, reason = "a program for the command line")]

use std::path::Path;

use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Action, Events, Game, Question, Seat};
use stopwise_engine::games::pig::Pig;
use stopwise_engine::run::batch;
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_engine::trial::{Watch, trial};
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_policy::{Text, TextPolicy};
use stopwise_script::Script;

/// Counts rolls and answers.
#[derive(Default)]
struct Count {
    rolls: u64,
    answers: u64,
}

impl Events for Count {
    fn event(&mut self, _: Seat, _: stopwise_engine::game::Event) {}
}

impl<G: Game> Watch<G> for Count {
    fn decided(&mut self, _: G::State, _: Question, _: Action) {
        self.answers += 1;
    }

    fn resolved(&mut self, _: G::State, _: Seat, _: <G::Chance as Chance>::Outcome) {
        self.rolls += 1;
    }
}

fn play<G: Vocabulary>(game: &G, policy: &str, trials: u64) {
    let text = format!("game = \"{}\"\nname = \"p\"\n{policy}\n", game.info().name);
    let policy = TextPolicy::compile(&Text::new("p.toml", text), game, &[]);
    let lineup = [policy.unwrap_or_else(|error| panic!("{error}"))];
    let keys = Keys::new(1);
    let mut tally = Tally::new(game);
    batch(game, &lineup, &keys, 0..trials, &mut tally);
    if std::env::var_os("COUNT").is_some() {
        let mut count = Count::default();
        for number in 0..trials {
            let _ = trial(game, &lineup, &mut keys.streams(number, game.seats()), &mut count);
        }
        println!("{} rolls, {} answers", count.rolls, count.answers);
    }
    println!("{}", tally.first.0);
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let trials = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(1000);
    let hold = "stop = \"turn_total >= 20 || turn_total >= goal_left\"";
    match name.as_str() {
        "rust" => return play(&Pig::STANDARD, hold, trials),
        "rust-solo" => return play(&Pig::SOLO, hold, trials),
        _ => {}
    }
    let (file, options) = match name.as_str() {
        "pig-solo" => ("pig", vec![("players".to_owned(), "1".to_owned())]),
        other => (other, Vec::new()),
    };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games").join(format!("{file}.game"));
    let text = std::fs::read_to_string(path).expect("the game is there");
    let game = Script::new(&text, &options).unwrap_or_else(|error| panic!("{error}"));
    let policy = match file {
        "pig" => hold,
        "farkle" => "keep = []\nstop = \"points >= 300 or left <= 2\"",
        "zombie-dice" => "stop = \"shots == 2 or brains >= 5\"",
        "cant-stop" => "pairs = []\nstop = \"runners_left == 0\"",
        "carbonite" => {
            "mark = [\"from_bank\", \"small\"]\ntake = [\"from_bank\", \"type_missing\"]\nstop = \"completed >= 3\""
        }
        "incan-gold" => "leave = \"rest >= 8\"",
        // Only loaded.
        _ => return,
    };
    play(&game, policy, trials);
}
