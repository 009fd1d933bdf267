//! One golden transcript per game: the dice, the decisions, the counts and the contents of all places.
//!
//! The transcripts are in `data`. They are rewritten if the environment variable `UPDATE_GOLDEN` is `1`.

use std::fmt::Write;

use crate::common::{HoldAt, Prefer, Trader, Whim, data_path};
use stopwise_engine::chance::Chance;
use stopwise_engine::game::{
    Action, Actions, Event, Events, MAX_METRICS, Node, Policy, Question, Seat, Source,
};
use stopwise_engine::games::Playable;
use stopwise_engine::games::carbonite::{Atom, Carbonite, VaultMatch};
use stopwise_engine::games::carcassonne::{Carcassonne, Faces};
use stopwise_engine::games::freeze::{Bank, Doubles, Fraction, Freeze, Rates, Simultaneous, State};
use stopwise_engine::games::icedice::{Copies, IceDice, NoChoice};
use stopwise_engine::games::pig::Pig;
use stopwise_engine::stream::{Keys, WordSource};
use stopwise_engine::trial_result::measure_seat;
use stopwise_engine::vocabulary::{Prose, Vocabulary};

const SEED: u64 = 1;

/// Counts the events of every seat, and remembers those of the last step.
struct Counts {
    seats: Vec<[u32; Event::COUNT]>,
    step: Vec<(Seat, Event)>,
}

impl Events for Counts {
    fn event(&mut self, seat: Seat, event: Event) {
        self.seats[seat][event.index()] += 1;
        self.step.push((seat, event));
    }
}

/// What lies where.
fn places<G: Vocabulary + Prose>(game: &G, state: &G::State) -> String {
    let places = game.describe_state(state).into_iter();
    places.map(|(place, text)| format!("{place}: {text}")).collect::<Vec<_>>().join("; ")
}

/// What an event counts for, and whose it is.
fn counted<G: Vocabulary + Prose>(game: &G, seat: Seat, event: Event) -> String {
    let metric = game.metrics().iter().rfind(|metric| metric.source == Source::Count(event));
    format!("{} of {}", metric.map_or("nothing", |metric| metric.name), seat + 1)
}

/// One trial in words.
fn transcript<G: Vocabulary + Prose>(
    game: &G,
    policy: &impl Policy<G>,
    number: u64,
) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let mut words = Keys::new(SEED).streams(number, game.seats());
    let mut counts = Counts { seats: vec![[0; Event::COUNT]; game.seats()], step: Vec::new() };
    let mut node = game.root(&mut counts);
    loop {
        let counted: Vec<_> = counts.step.drain(..).map(|(seat, event)| counted(game, seat, event)).collect();
        if !counted.is_empty() {
            writeln!(text, "    counted: {}", counted.join(", "))?;
        }
        node = match node {
            Node::Decision(state, question) => {
                let kind = question.kind;
                let action = policy.choose(game, state, question);
                let describe = |action| game.describe_action(&state, kind, action);
                let others = Actions(question.actions.0 ^ action.0).iter().map(describe).collect::<Vec<_>>();
                writeln!(text, "  {}", places(game, &state))?;
                write!(text, "{} {}? {}", question.seat + 1, game.info().kinds[kind].name, describe(action))?;
                let others = if others.is_empty() { "nothing else".into() } else { others.join(", ") };
                writeln!(text, " (not {others})")?;
                game.decide(state, kind, action, &mut counts)
            }
            Node::Chance(state, seat, chance) => {
                let outcome = chance.sample(words.word(seat));
                writeln!(text, "{} rolls {}", seat + 1, game.describe_outcome(outcome))?;
                game.resolve(state, outcome, &mut counts)
            }
            Node::Terminal(end) => {
                writeln!(text, "  {}", places(game, &end))?;
                let ending = game.endings()[game.ending(end)];
                writeln!(text, "{}: {}", ending.name, ending.meaning)?;
                for (seat, counts) in counts.seats.iter().enumerate() {
                    let mut values = [0; MAX_METRICS];
                    measure_seat(game, end, seat, counts, &mut values);
                    let metrics = game.metrics().iter().zip(values);
                    let list: Vec<_> =
                        metrics.map(|(metric, value)| format!("{} {value}", metric.name)).collect();
                    writeln!(text, "{}: {}", seat + 1, list.join(", "))?;
                }
                return Ok(text);
            }
        };
    }
}

/// Compares with the golden file, or writes it.
fn compare<G: Playable>(trials: impl IntoIterator<Item = (&'static str, G, u64)>, policy: &impl Policy<G>) {
    let mut name = "";
    let texts = trials.into_iter().map(|(title, game, number)| {
        name = game.info().name;
        let text = transcript(&game, policy, number).expect("strings take everything");
        format!("# {title}: seed {SEED}, trial {number}\n{text}")
    });
    let text = texts.collect::<Vec<_>>().join("\n");
    let path = data_path(&format!("{}.transcript", name));
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        std::fs::write(&path, &text).expect("the folder can be written");
    }
    let golden = std::fs::read_to_string(&path).expect("the golden transcript is there");
    for (n, (ours, known)) in (1..).zip(text.lines().zip(golden.lines())) {
        assert_eq!(ours, known, "line {n} of {}", path.display());
    }
    assert_eq!(text.lines().count(), golden.lines().count(), "as long as {}", path.display());
}

#[test]
fn carbonite() {
    let wiki = Carbonite::WIKI;
    let free = Carbonite { vault_match: VaultMatch::Free, atom: Atom::Bust, ..Carbonite::README_V1 };
    let trials = [
        ("a full game", wiki, 0),
        ("no retribution", wiki, 1),
        ("no match", wiki, 43),
        ("free matches from the Vault, and an Atom that busts", free, 5),
        ("two colours and single copies", Carbonite { colours: 2, copies: 1, ..wiki }, 9),
    ];
    compare(trials, &Prefer::tidy());
}

/// Freezes in every other step, and the next seat in the others.
struct EveryOther;

impl Policy<Freeze> for EveryOther {
    fn choose(&self, _: &Freeze, state: State, question: Question) -> Action {
        Action::from((usize::from(state.step()) + question.seat).is_multiple_of(2))
    }
}

#[test]
fn freeze() {
    let short = Freeze { steps: 25, start_counters: 2, ..Freeze::PUBLISHED };
    let all = Freeze { simultaneous: Simultaneous::All, broke_bonus: true, ..short };
    let pace = Fraction::try_from(0.4).expect("a chance");
    let trials = [
        ("four players", short, 0),
        ("a bank that runs short, and a bonus", Freeze { players: 6, bank: Bank::InAll(5), ..all }, 1),
        ("doubles, and fumbles", Freeze { players: 3, doubles: Doubles::Always, fumble: pace, ..short }, 2),
        ("two slow players, and a tie", Freeze { players: 2, rate: Rates::all(pace), steps: 4, ..short }, 3),
    ];
    compare(trials, &EveryOther);
}

#[test]
fn icedice() {
    let few = IceDice { copies: Copies::Number(1), trios: 1, ..IceDice::TWO };
    let trials = [
        ("two players and single copies", few, 0),
        (
            "four players, two copies",
            IceDice { players: 4, copies: Copies::Number(2), turn_cap: 24, ..few },
            1,
        ),
        ("a roll without a choice busts", IceDice { no_choice: NoChoice::Bust, trios: 2, ..few }, 2),
        ("a turn cap", IceDice { no_choice: NoChoice::Reroll, turn_cap: 6, ..IceDice::THREE }, 3),
    ];
    compare(trials, &Trader { stop_at: 2, take: &["completes_trio", "steal"], victim: &["leader"] });
}

#[test]
fn pig() {
    let trials = [
        ("three players", Pig { players: 3, goal: 30, ..Pig::STANDARD }, 0),
        ("Piglet", Pig::PIGLET, 1),
        ("a turn cap", Pig { turn_cap: 4, ..Pig::STANDARD }, 2),
        ("alone", Pig { goal: 40, ..Pig::SOLO }, 3),
    ];
    compare(trials, &HoldAt(12));
}

#[test]
fn carcassonne() {
    let two = Carcassonne::TWO;
    let corners = ["CCFF", "CCFF", "CFFF", "CCCF"].map(str::to_owned).to_vec();
    let trials = [
        ("five players", Carcassonne { players: 5, goal: 1, ..two }, 0),
        ("nine catapults", Carcassonne { players: 3, dice: 3, ..two }, 4),
        (
            "a turn cap",
            Carcassonne { turn_cap: 3, faces: Faces::try_from(corners).expect("faces"), ..two },
            2,
        ),
        ("alone", Carcassonne { turns: 4, keeping: true, knights_needed: 1, ..Carcassonne::SOLO }, 3),
    ];
    compare(trials, &Whim(1));
}
