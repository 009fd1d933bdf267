//! Numbers of whole games: the same on any number of threads and in parts, and equal to those of the single games.

use std::ops::{ControlFlow, Range};

use stopwise_engine::arms::{Arm, Lineups};
use stopwise_engine::game::{Action, Event, Events, Game, MAX_METRICS, Policy, Question, Seat};
use stopwise_engine::games::icedice::IceDice;
use stopwise_engine::games::pig::Pig;
use stopwise_engine::paired::{GameSums, Number, PairedTally, add_paired};
use stopwise_engine::plan::Plan;
use stopwise_engine::stream::Keys;
use stopwise_engine::trial::{Watch, trial};

use super::generic::{after_a_batch, on_pool};

/// Yes, or the last item.
struct Last;

impl<G: Game> Policy<G> for Last {
    fn choose(&self, _: &G, _: G::State, question: Question) -> Action {
        question.actions.iter().last().expect("never empty")
    }
}

/// Turns of all seats.
struct Turns(u32);

impl Events for Turns {
    fn event(&mut self, _: Seat, event: Event) {
        self.0 += u32::from(event == Event::TURN);
    }
}

impl<G: Game> Watch<G> for Turns {}

/// The metric of turns and one that is known at the end.
const TURNS: usize = 1;

fn numbers(metric: usize) -> Vec<Number> {
    vec![
        Number::Sum(metric),
        Number::Sum(TURNS),
        Number::Rounds(TURNS),
        Number::Of(1, metric),
        Number::Any(0),
        Number::Above(metric, 12),
        Number::Ending(0),
        Number::Early,
        Number::Close { metric, most: 9 },
    ]
}

/// The same of a single game, by hand.
fn by_hand<G: Game>(game: &G, keys: &Keys, number: u64, metric: usize) -> Vec<u32> {
    let mut turns = Turns(0);
    let end = trial(game, &[Last], &mut keys.streams(number, game.seats()), &mut turns);
    let of = |seat| {
        let mut values = [0; MAX_METRICS];
        game.measure(end, seat, &mut values);
        values
    };
    let values: Vec<_> = (0..game.seats()).map(of).collect();
    let winner = values.iter().position(|values| values[0] > 0);
    let is_close = winner.is_some_and(|winner| {
        let others = values.iter().enumerate().filter(|&(seat, _)| seat != winner);
        let next = others.map(|(_, values)| values[metric]).max().expect("others");
        values[winner][metric] <= next + 9
    });
    let (mut rounds, seats) = (0, u32::try_from(game.seats()).expect("a few"));
    while rounds * seats < turns.0 {
        rounds += 1;
    }
    let ending = game.ending(end);
    vec![
        values.iter().map(|values| values[metric]).sum(),
        turns.0,
        rounds,
        values[1][metric],
        winner.is_some().into(),
        (values[0][metric] > 12).into(),
        (ending == 0).into(),
        game.endings()[ending].early.into(),
        is_close.into(),
    ]
}

fn counted<G: Game>(games: [&G; 2], metric: usize, trials: Range<u64>, stop: bool) -> PairedTally {
    let arms = games.map(|game| Lineups { game: *game, lineups: vec![vec![Last]] });
    let arms: Vec<&dyn Arm> = arms.iter().map(|arm| arm as _).collect();
    let all = (0..9).flat_map(|own| (0..9).map(move |other| [own, other])).collect();
    let sums = vec![GameSums::new(numbers(metric), None), GameSums::new(numbers(metric), Some((0, all)))];
    let none = PairedTally::new(&arms, &[], 0).of_games(sums);
    let watch = |batch| if stop { after_a_batch(batch) } else { ControlFlow::Continue(()) };
    add_paired(&arms, none, &Plan { seed: 5, trials }, &watch)
}

fn law<G: Game>(games: [&G; 2], metric: usize) {
    let of =
        |trials: Range<u64>, threads| on_pool(threads, &|| counted(games, metric, trials.clone(), false));
    let whole = of(0..3_001, 1);
    assert!(whole == of(0..3_001, 3));
    let mut parts = of(0..777, 1);
    parts.merge(&of(777..3_001, 2));
    assert!(whole == parts);

    let keys = Keys::new(5);
    let mut expected = [vec![[0; 2]; 9], vec![[0; 2]; 9]];
    let mut products = vec![0; 81];
    for number in 0..3_001 {
        let values = games.map(|game| by_hand(game, &keys, number, metric));
        for (sums, values) in expected.iter_mut().zip(&values) {
            for (sums, &value) in sums.iter_mut().zip(values) {
                *sums = [sums[0] + u128::from(value), sums[1] + u128::from(value).pow(2)];
            }
        }
        let pairs = values[1].iter().flat_map(|&own| values[0].iter().map(move |&other| (own, other)));
        for (product, (own, other)) in products.iter_mut().zip(pairs) {
            *product += u128::from(own) * u128::from(other);
        }
    }
    let [base, variant] = &whole.games[..] else { panic!("two arms") };
    assert_eq!([&base.sums, &variant.sums], expected.each_ref());
    assert_eq!(variant.products.iter().map(|(_, sum)| *sum).collect::<Vec<_>>(), products);
    assert!(!variant.is_always_as(base));
    let [base, same] = &counted([games[0]; 2], metric, 0..100, false).games[..] else { panic!("two arms") };
    assert!(same.is_always_as(base));
}

#[test]
fn of_two_games() {
    let game = Pig { players: 3, goal: 30, turn_cap: 20, ..Pig::STANDARD };
    law([&game, &Pig { goal: 28, ..game }], 4);
    law([&game, &Pig { players: 2, ..game }], 4);
    law([&IceDice::TWO, &IceDice { players: 3, ..IceDice::TWO }], 5);
}

/// A run that is stopped is a shorter one.
#[test]
fn stopped() {
    let game = Pig { goal: 20, ..Pig::STANDARD };
    let found = counted([&game; 2], 4, 0..1 << 40, true);
    assert!(found.trials() > 0);
    assert!(found == counted([&game; 2], 4, 0..found.trials(), false));
}
