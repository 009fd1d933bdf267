//! `IceDice` against the naive oracle: the same words and the same choices must give the same game, and every feature
//! and predicate must have the same value at every decision.

use crate::common::{Trader, Whim, path, state_of};
use crate::naive::icedice as oracle;
use crate::naive::icedice::{Place, Position, SIZE_FACES};
use proptest::prelude::*;
use stopwise_engine::game::{Action, Event, Events, Game, Policy, Question, Seat};
use stopwise_engine::games::Rules;
use stopwise_engine::games::icedice::piles::Piles;
use stopwise_engine::games::icedice::{Copies, IceDice, NoChoice, STOP, State, TAKE, VICTIM};
use stopwise_engine::games::pyramids::pieces::Types;
use stopwise_engine::stream::{Keys, WordSource};
use stopwise_engine::tally::{Recorder, Tally};
use stopwise_engine::trial::{Watch, trial};
use stopwise_engine::vocabulary::{Feature, Vocabulary};

const NO_CHOICES: [NoChoice; 3] = [NoChoice::Skip, NoChoice::Bust, NoChoice::Reroll];

/// Counts like a run does, and remembers the decisions.
struct Log<'t> {
    recorder: Recorder<'t>,
    decisions: Vec<(State, Question, Action)>,
}

impl Events for Log<'_> {
    fn event(&mut self, seat: Seat, event: Event) {
        self.recorder.event(seat, event);
    }
}

impl Watch<IceDice> for Log<'_> {
    fn decided(&mut self, state: State, question: Question, action: Action) {
        self.decisions.push((state, question, action));
    }
}

fn play(
    game: &IceDice,
    lineup: &[impl Policy<IceDice>],
    keys: &Keys,
    number: u64,
) -> (Tally, Vec<(State, Question, Action)>) {
    let mut tally = Tally::new(game);
    let mut log = Log { recorder: Recorder::new(&mut tally), decisions: Vec::new() };
    let end = trial(game, lineup, &mut keys.streams(number, game.seats()), &mut log);
    log.recorder.finish(game, end);
    let decisions = log.decisions;
    (tally, decisions)
}

fn oracle_rules(game: &IceDice) -> oracle::Rules {
    oracle::Rules {
        players: game.players.into(),
        copies: if let Copies::Number(number) = game.copies { number } else { game.players },
        trios: game.trios.into(),
        no_choice: match game.no_choice {
            NoChoice::Skip => oracle::NoChoice::Skip,
            NoChoice::Bust => oracle::NoChoice::Bust,
            NoChoice::Reroll => oracle::NoChoice::Reroll,
        },
        turn_cap: game.turn_cap.into(),
    }
}

/// The roll that a word stands for: one die with a face for every pair of faces, the colours being the slower.
fn oracle_roll(word: u32) -> oracle::Roll {
    let face = usize::try_from((u64::from(word) * 36) >> 32).expect("a small number");
    let colour = (face / 6 < 5).then_some(face / 6);
    oracle::Roll { colour, sizes: SIZE_FACES[face % 6].to_vec() }
}

fn oracle_play(
    rules: &oracle::Rules,
    keys: &Keys,
    number: u64,
    choose: &mut dyn FnMut(&Position, &oracle::Question) -> usize,
) -> oracle::Report {
    let mut streams = keys.streams(number, rules.players);
    oracle::play(rules, &mut |seat| oracle_roll(streams.word(seat)), choose)
}

fn bit((colour, size): oracle::Piece) -> u64 {
    1 << (3 * colour + size)
}

/// The bits of the candidates, in order.
fn bits(question: &oracle::Question, position: &Position) -> Vec<u64> {
    let players = position.vaults.len();
    match question {
        oracle::Question::Take(candidates) => candidates.iter().map(|&piece| bit(piece)).collect(),
        oracle::Question::Victim(_, owners) => {
            owners.iter().map(|&owner| 1 << ((owner + players - position.seat) % players - 1)).collect()
        }
        oracle::Question::Stop => vec![Action::NO.0, Action::YES.0],
    }
}

/// Every piece lies in the same place. The oracle has a place for each, so that none is lost or doubled.
fn same_places(game: &IceDice, state: &State, position: &Position) {
    assert_eq!(state.seat(), position.seat);
    for colour in 0..5 {
        for size in 0..3 {
            let piece: Types = 1 << (3 * colour + size);
            let same = |ours: Piles, theirs: &Place| {
                assert_eq!(ours.count_of(piece), theirs[colour][size].into(), "{state:?} {position:?}");
            };
            same(state.bank(), &position.bank);
            for (seat, vault) in position.vaults.iter().enumerate() {
                same(game.vault(state, seat), vault);
            }
            let on_counter = u8::from(state.counter() & piece != 0);
            assert_eq!(on_counter, position.counter[colour][size], "{state:?} {position:?}");
        }
    }
}

fn same_features(
    game: &IceDice,
    features: &[Feature],
    state: &State,
    rules: &oracle::Rules,
    position: &Position,
) {
    for (index, feature) in features.iter().enumerate() {
        let ours = (game.feature(*state, index), feature.denominator);
        assert_eq!(ours, oracle::feature(rules, position, feature.name), "{} {position:?}", feature.name);
    }
}

fn same_predicates(
    game: &IceDice,
    (state, asked): (&State, Question),
    rules: &oracle::Rules,
    (position, question): (&Position, &oracle::Question),
) {
    let masks = game.predicates(*state, asked.kind, u32::MAX);
    for (predicate, holds) in IceDice::TWO.info().predicates.iter().zip(masks) {
        for (index, bit) in bits(question, position).into_iter().enumerate() {
            let expected = oracle::predicate(rules, position, question, index, predicate.name);
            assert_eq!(holds & bit != 0, expected, "{} {index} {question:?} {position:?}", predicate.name);
        }
    }
    let numbers = game.candidate_numbers();
    for (number, known) in numbers.iter().enumerate().filter(|(_, known)| known.kind == asked.kind) {
        for (index, bit) in bits(question, position).into_iter().enumerate() {
            let expected = oracle::number(position, question, index, known.number.name);
            let name = known.number.name;
            let found = game.candidate_number(state, Action(bit), number);
            assert_eq!(found, expected.into(), "{name} {index} {question:?} {position:?}");
        }
    }
}

/// Everything that a tally reports of the trial.
fn same_report(game: &IceDice, tally: &Tally, report: &oracle::Report) {
    for (seat, counted) in tally.seats.iter().enumerate() {
        for (metric, histogram) in game.metrics().iter().zip(&counted.metrics) {
            let expected = match metric.name {
                "win" => u32::from(report.winner == Some(seat)),
                "turns" => report.turns[seat],
                "rolls" => report.rolls[seat],
                "busts" => report.busts[seat],
                "steals" => report.steals[seat],
                "trios" => report.trios[seat],
                name => unreachable!("the oracle does not know {name}"),
            };
            assert_eq!(histogram.iter().collect::<Vec<_>>(), [(expected, 1)], "{} {report:?}", metric.name);
        }
        let busts: Vec<_> = report.bust_turns[seat].iter().map(|&turn| (turn, 1)).collect();
        assert_eq!(counted.busts.iter().collect::<Vec<_>>(), busts);
    }
    let ending = if report.winner.is_some() { "won" } else { "capped" };
    for (kind, &count) in game.endings().iter().zip(&tally.endings) {
        assert_eq!(count, u64::from(kind.name == ending), "{} {report:?}", kind.name);
    }
}

/// One trial, everything compared.
fn agree(game: &IceDice, lineup: &[impl Policy<IceDice>], seed: u64, number: u64) {
    let keys = Keys::new(seed);
    let rules = oracle_rules(game);
    let features = game.features();
    let (tally, decisions) = play(game, lineup, &keys, number);
    // Where one candidate is left there is nothing to decide, and the oracle does not ask.
    let mut asked = decisions.iter().filter(|(_, question, _)| !question.actions.is_single());
    let report = oracle_play(&rules, &keys, number, &mut |position, question| {
        let &(state, asked, action) = asked.next().expect("the engine asks as often");
        let kind = match question {
            oracle::Question::Take(_) => TAKE,
            oracle::Question::Victim(..) => VICTIM,
            oracle::Question::Stop => STOP,
        };
        assert_eq!((asked.kind, asked.seat), (kind, position.seat));
        same_places(game, &state, position);
        same_features(game, &features, &state, &rules, position);
        let legal = bits(question, position);
        assert_eq!(asked.actions.iter().map(|action| action.0).collect::<Vec<_>>(), legal, "{question:?}");
        if kind != STOP {
            same_predicates(game, (&state, asked), &rules, (position, question));
        }
        legal.iter().position(|&bit| bit == action.0).expect("a legal action")
    });
    assert!(asked.next().is_none(), "the oracle asks as often");
    same_report(game, &tally, &report);
}

fn any_rules() -> impl Strategy<Value = IceDice> {
    let copies = prop_oneof![Just(Copies::Players), (1..=4_u8).prop_map(Copies::Number)];
    let options = (2..=4_u8, copies, prop::sample::select(&NO_CHOICES), 1..=90_u16, any::<u8>());
    options.prop_map(|(players, copies, no_choice, turn_cap, trios)| {
        let rules = IceDice { players, copies, trios: 1, no_choice, turn_cap };
        IceDice { trios: 1 + trios % (5 * rules.copies()).min(if trios < 128 { 4 } else { 20 }), ..rules }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 800, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_rules_any_play(game in any_rules(), seed: u64, number: u64, salt: u64) {
        game.validate().expect("within the ranges");
        let lineup: Vec<_> = (0..game.players).map(|seat| Whim(salt.rotate_left(seat.into()))).collect();
        agree(&game, &lineup, seed, number);
    }
}

/// Both play on their own, each by its own reading of the same preference lists.
fn play_alike(game: &IceDice, policy: &Trader<'_>, trials: u64) {
    let keys = Keys::new(7);
    let rules = oracle_rules(game);
    for number in 0..trials {
        let (tally, _) = play(game, &[policy], &keys, number);
        let report = oracle_play(&rules, &keys, number, &mut |position, question| {
            let list = match question {
                oracle::Question::Take(_) => policy.take,
                oracle::Question::Victim(..) => policy.victim,
                oracle::Question::Stop => {
                    let pieces: u8 = position.counter.iter().flatten().sum();
                    return usize::from(u32::from(pieces) >= policy.stop_at);
                }
            };
            oracle::prefer(&rules, position, question, list)
        });
        same_report(game, &tally, &report);
    }
}

#[test]
fn stop_at_k_for_two_three_and_four() {
    for game in [IceDice::TWO, IceDice::THREE, IceDice::FOUR] {
        for k in 1..=3 {
            play_alike(&game, &Trader::first(k), 300);
        }
    }
}

#[test]
fn every_predicate_as_a_preference() {
    for predicate in IceDice::TWO.info().predicates {
        let negated = format!("not {}", predicate.name);
        for (stop_at, entry) in [(2, predicate.name), (1, &negated)] {
            let list = [entry];
            let policy = Trader { stop_at, take: &list, victim: &list };
            // Some lists avoid what wins.
            play_alike(&IceDice { turn_cap: 200, ..IceDice::THREE }, &policy, 40);
        }
    }
}

/// Of every type there are always as many pieces as copies.
#[test]
fn pieces_are_conserved() {
    let keys = Keys::new(3);
    for game in [IceDice::TWO, IceDice { no_choice: NoChoice::Bust, ..IceDice::THREE }, IceDice::FOUR] {
        for number in 0..50 {
            for node in path(&game, &Whim(number), &mut keys.streams(number, game.seats())) {
                let state = state_of(&node);
                for piece in (0..15).map(|n| 1 << n) {
                    let in_vaults = (0..game.seats()).map(|seat| game.vault(&state, seat).count_of(piece));
                    let on_counter = u32::from(state.counter() & piece != 0);
                    let pieces = state.bank().count_of(piece) + on_counter + in_vaults.sum::<u32>();
                    assert_eq!(pieces, game.copies().into(), "{state:?}");
                }
            }
        }
    }
}
