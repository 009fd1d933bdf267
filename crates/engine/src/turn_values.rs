//! What answers are worth in a game that is solved turn by turn: the turn to which a question belongs is evaluated, and
//! remembered.
//!
//! A turn of Carcassonne has 360,000 steps, which take 5 ms. Of a turn only the values of the rolls and exits that decisions
//! lead to are remembered, 3,636 of them; a question is answered by a search through the decisions in between (13 µs).

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use crate::game::{Game, Node, Question};
use crate::look_ahead::{Objective, Worths};
use crate::turn_by_turn::{Lead, Turns};

/// The most bytes of turns that are remembered.
const REMEMBERED: usize = 512 << 20;

/// What positions are worth, turn by turn.
pub struct TurnValues<G: Game> {
    game: G,
    /// What is played for: wins.
    pub objective: Objective,
    /// The turns, and the positions between them.
    pub turns: Turns<G>,
    /// What each position between turns is worth for the seat to play: its chance to win.
    pub values: Vec<f64>,
    /// Turns that were asked for: each has one place, which it shares with others if there are too many. What is remembered
    /// changes nothing but the time that an answer takes.
    remembered: Box<[Mutex<Option<Remembered>>]>,
}

/// The number of a beginning, and the values of its turn ([`Part::landed`](crate::part::Part::landed)).
type Remembered = (usize, Arc<[f64]>);

impl<G: Game> fmt::Debug for TurnValues<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TurnValues").field("turns", &self.turns).finish_non_exhaustive()
    }
}

impl<G: Game> TurnValues<G> {
    /// Of turns, and the values of the positions between them for the seats to play.
    pub fn new(game: &G, objective: Objective, turns: Turns<G>, values: Vec<f64>) -> Self {
        let bytes = |at: usize| turns.part(at).landings() * size_of::<f64>();
        let all = 0..values.len();
        let places = match all.clone().map(bytes).max() {
            Some(largest) if all.map(bytes).sum::<usize>() > REMEMBERED => REMEMBERED / largest,
            _ => values.len(),
        };
        let remembered = (0..places.max(1)).map(|_| Mutex::default()).collect();
        Self { game: *game, objective, turns, values, remembered }
    }

    /// What a turn that ends there is worth for who played it.
    pub fn worth(&self, lead: &Lead<G>) -> f64 {
        match *lead {
            Lead::Over(end) => self.objective.payoff(&self.game, end),
            Lead::Next(next) => 1.0 - self.values[next],
        }
    }

    /// What the exits of the turn of a beginning are worth.
    pub fn exits(&self, beginning: usize) -> Vec<f64> {
        self.turns.beginnings[beginning].leads.iter().map(|lead| self.worth(lead)).collect()
    }

    /// What the answers to a question are worth for who decides; `None` if no turn comes to it.
    pub fn worths(&self, state: G::State, question: Question) -> Option<Worths> {
        let turns = &self.turns;
        let beginning = turns.beginning(state)?;
        turns.find(beginning, Node::Decision(state, question))?;
        let (landed, part, mut met) = (self.landed(beginning), turns.part(beginning), FxHashMap::default());
        Worths::by(&self.objective, question, |action| {
            let step = turns.after(beginning, state, question.kind, action)?;
            let own = part.look_ahead(step, &landed, &mut met)?;
            Some(if question.seat == 0 { own } else { 1.0 - own })
        })
    }

    /// The values of the turn of a beginning. Whoever asks for a turn that is being evaluated waits for it.
    fn landed(&self, beginning: usize) -> Arc<[f64]> {
        let place = &self.remembered[beginning % self.remembered.len()];
        let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
        match &*place {
            Some((known, landed)) if *known == beginning => Arc::clone(landed),
            _ => {
                let landed: Arc<[f64]> = self.turns.part(beginning).landed(&self.exits(beginning)).into();
                *place = Some((beginning, Arc::clone(&landed)));
                landed
            }
        }
    }
}
