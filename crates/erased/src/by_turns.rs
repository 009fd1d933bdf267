//! Best play of a game that is solved turn by turn, as plain data.

use stopwise_analysis::exact::{Answered, ByTurns, ExactError, Limits, Losses, Objective, by_turns};
use stopwise_engine::games::Playable;
use stopwise_engine::turn_by_turn::Beginning;

use crate::asked::Asked;
use crate::exact::{AnyBestPlay, Position, Solved};
use crate::policy::AnyPolicy;
use crate::surface::{Charted, Drawn};

/// The values of the positions between turns; those within a turn are worked out when they are asked for.
#[derive(Debug)]
struct TypedByTurns<G: Playable> {
    rules: G,
    found: ByTurns<G>,
}

/// Solves a game turn by turn, if it is told so.
pub(crate) fn solve<G: Playable>(
    rules: &G,
    metric: usize,
    limits: Limits<'_>,
) -> Result<Option<Box<dyn AnyBestPlay>>, ExactError> {
    let found = by_turns(rules, Objective::new(rules, metric), limits)?;
    Ok(found.map(|found| Box::new(TypedByTurns { rules: *rules, found }) as _))
}

impl<G: Playable> TypedByTurns<G> {
    fn bounds(&self, value: f64) -> [f64; 2] {
        [value - self.found.error, value + self.found.error]
    }
}

impl<G: Playable> AnyBestPlay for TypedByTurns<G> {
    fn solved(&self, listed: usize) -> Solved {
        let value = self.found.values[0];
        let mut positions = Vec::new();
        if self.found.values.len() <= listed {
            self.each_position(listed, &mut |position| {
                positions.push(position);
                true
            });
        }
        Solved {
            bounds: self.bounds(value),
            value,
            error: self.found.error,
            states: self.found.values.len(),
            cyclic_stages: 0,
            turn_steps: self.found.turns.parts().map(|part| part.len()).sum(),
            positions,
        }
    }

    fn each_position(&self, most: usize, tell: &mut dyn FnMut(Position) -> bool) {
        let all = self.found.turns.beginnings.iter().zip(&self.found.values).take(most);
        let position = |(beginning, &value): (&Beginning<G>, &f64)| Position {
            places: self.rules.describe_state(&beginning.state),
            bounds: self.bounds(value),
        };
        let _ = all.map(position).all(tell);
    }

    fn situations(
        &self,
        _: usize,
        _: (usize, Option<usize>),
        _: Limits<'_>,
    ) -> Result<Vec<Answered>, ExactError> {
        Err(ExactError::TurnByTurn)
    }

    fn keep(&self) -> Option<Vec<u8>> {
        None
    }

    fn worths(&self, asked: &Asked) -> Option<Vec<f64>> {
        let (state, question) = asked.typed(&self.rules);
        let worths = self.found.worths(&self.rules, state, question)?;
        // The second seat wants the contrary of the first.
        Some(if question.seat == 0 { worths } else { worths.into_iter().map(|worth| worth - 1.0).collect() })
    }

    fn losses(&self, _: &AnyPolicy, _: Limits<'_>) -> Result<Losses, ExactError> {
        Err(ExactError::TurnByTurn)
    }

    fn losses_against_best(&self, _: &AnyPolicy, _: usize, _: Limits<'_>) -> Result<Losses, ExactError> {
        Err(ExactError::TurnByTurn)
    }

    fn charted(&self, _: Limits<'_>) -> Result<Option<(Charted, Vec<Answered>)>, ExactError> {
        Ok(None)
    }

    fn surface(&self, _: &[AnyPolicy]) -> Option<Drawn> {
        None
    }
}
