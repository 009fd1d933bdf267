//! Winners' leads: the same on any number of threads and in parts, and equal to those of the single games.

use std::ops::ControlFlow;

use stopwise_engine::arms::Lineups;
use stopwise_engine::game::{Action, Game, MAX_METRICS, Policy, Question};
use stopwise_engine::games::icedice::IceDice;
use stopwise_engine::games::pig::Pig;
use stopwise_engine::margin::{Margins, run_leads};
use stopwise_engine::run::Plan;
use stopwise_engine::stream::Keys;
use stopwise_engine::trial::trial;

use super::generic::{after_a_batch, on_pool};

/// Yes, or the last item.
struct Last;

impl<G: Game> Policy<G> for Last {
    fn choose(&self, _: &G, _: G::State, question: Question) -> Action {
        question.actions.iter().last().expect("never empty")
    }
}

fn arm<G: Game>(game: &G) -> Lineups<G, Last> {
    Lineups { game: *game, lineups: vec![vec![Last]] }
}

fn leads<G: Game>(game: &G, metric: usize, trials: std::ops::Range<u64>, threads: usize) -> Margins {
    let plan = Plan { seed: 5, trials };
    on_pool(threads, &|| run_leads(&arm(game), metric, &plan, &|_| ControlFlow::Continue(())))
}

fn law<G: Game>(game: &G, metric: usize) {
    let whole = leads(game, metric, 0..10_001, 1);
    assert_eq!(whole, leads(game, metric, 0..10_001, 3));
    let (mut parts, rest) = (leads(game, metric, 0..777, 1), leads(game, metric, 777..10_001, 2));
    parts.trials += rest.trials;
    parts.leads.merge(&rest.leads);
    assert_eq!(whole, parts);

    let (keys, mut sum, mut decided) = (Keys::new(5), 0, 0);
    for number in 0..whole.trials {
        let end = trial(game, &[Last], &mut keys.streams(number, game.seats()), &mut ());
        let values: Vec<_> = (0..game.seats())
            .map(|seat| {
                let mut values = [0; MAX_METRICS];
                game.measure(end, seat, &mut values);
                (values[0], u128::from(values[metric]))
            })
            .collect();
        if let Some((_, winner)) = values.iter().find(|(win, _)| *win == 1) {
            let next = values.iter().filter(|(win, _)| *win == 0).map(|(_, value)| *value).max();
            sum += winner.saturating_sub(next.expect("others"));
            decided += 1;
        }
    }
    assert_eq!((whole.leads.sums().0, whole.leads.total()), (sum, decided));
}

#[test]
fn of_two_games() {
    law(&Pig { players: 3, goal: 30, ..Pig::STANDARD }, 4);
    law(&Pig { players: 2, goal: 30, turn_cap: 20, ..Pig::STANDARD }, 4);
    law(&IceDice::TWO, 5);
}

/// A run that is stopped is a shorter one.
#[test]
fn stopped() {
    let plan = Plan { seed: 5, trials: 0..1 << 40 };
    let game = Pig { goal: 20, ..Pig::STANDARD };
    let found = run_leads(&arm(&game), 4, &plan, &after_a_batch);
    assert!(found.trials > 0);
    assert_eq!(found, leads(&game, 4, 0..found.trials, 1));
}
