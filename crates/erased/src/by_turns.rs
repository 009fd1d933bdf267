//! Best play of a game that is solved turn by turn, as plain data.

use stopwise_analysis::exact::{
    Answered, ByTurns, ExactError, Limits, Losses, LossesInTurns, Objective, Situations, by_turns,
    solve_between_turns,
};
use stopwise_engine::game::AnswerForm;
use stopwise_engine::games::Playable;
use stopwise_engine::turn_by_turn::Beginning;
use stopwise_engine::turn_values::TurnValues;
use stopwise_engine::vocabulary::Feature;

use crate::asked::Asked;
use crate::exact::{AnyBestPlay, Position, Solved, TypedBestPlay, known, yes_and_no};
use crate::policy::AnyPolicy;
use crate::surface::{Charted, Drawn};

/// The values of the positions between turns; those within a turn are worked out when they are asked for.
#[derive(Debug)]
struct TypedByTurns<G: Playable> {
    rules: G,
    metric: usize,
    solved: ByTurns<G>,
}

/// Solves a game turn by turn, if it is told so.
pub(crate) fn solve<G: Playable>(
    rules: &G,
    metric: usize,
    limits: Limits<'_>,
) -> Result<Option<Box<dyn AnyBestPlay>>, ExactError> {
    let objective = Objective::new(rules, metric);
    if let Some(solved) = by_turns(rules, objective, limits)? {
        return Ok(Some(Box::new(TypedByTurns { rules: *rules, metric, solved })));
    }
    let found = solve_between_turns(rules, objective, limits)?;
    Ok(found.map(|solution| Box::new(TypedBestPlay { rules: *rules, solution }) as _))
}

impl<G: Playable> TypedByTurns<G> {
    fn bounds(&self, value: f64) -> [f64; 2] {
        [value - self.solved.error, value + self.solved.error]
    }
}

impl<G: Playable> AnyBestPlay for TypedByTurns<G> {
    fn solved(&self, listed: usize) -> Solved {
        let TurnValues { turns, values, .. } = &self.solved.found;
        let mut positions = Vec::new();
        if values.len() <= listed {
            self.each_position(listed, &|| true, &mut |position| {
                positions.push(position);
                true
            });
        }
        Solved {
            bounds: self.bounds(values[0]),
            value: values[0],
            error: self.solved.error,
            states: values.len(),
            cyclic_stages: 0,
            turn_steps: turns.parts().map(|part| part.len()).sum(),
            positions,
        }
    }

    fn features(&self) -> Vec<Feature> {
        known(&self.rules, self.metric).into_iter().map(|(_, feature)| feature).collect()
    }

    fn each_position(&self, most: usize, _: &dyn Fn() -> bool, tell: &mut dyn FnMut(Position) -> bool) {
        let TurnValues { turns, values, .. } = &self.solved.found;
        let all = turns.beginnings.iter().zip(values).take(most);
        let position = |(beginning, &value): (&Beginning<G>, &f64)| {
            let places = self.rules.describe_state(&beginning.state);
            Position { places, bounds: self.bounds(value), visits: None, decided: None }
        };
        let _ = all.map(position).all(tell);
    }

    fn situations(
        &self,
        kind: usize,
        features: &[usize],
        limits: Limits<'_>,
    ) -> Result<Vec<Situations<String>>, ExactError> {
        if self.rules.info().kinds[kind].form != AnswerForm::YesNo {
            return Err(ExactError::TurnByTurn);
        }
        let cells = self.solved.situations(&self.rules, kind, features, limits)?;
        Ok(cells.into_iter().map(yes_and_no).collect())
    }

    fn keep(&self) -> Vec<u8> {
        self.solved.keep(&self.rules)
    }

    fn worths(&self, asked: &Asked) -> Option<Vec<f64>> {
        let (state, question) = asked.typed(&self.rules);
        let worths = self.solved.found.worths(state, question)?;
        Some(asked.of_choices(&worths.iter().map(|(_, worth)| worth).collect::<Vec<_>>()))
    }

    fn losses(&self, _: &AnyPolicy, _: Limits<'_>) -> Result<Losses, ExactError> {
        Err(ExactError::TurnByTurn)
    }

    fn losses_in_turns(&self, _: &AnyPolicy, _: Limits<'_>) -> Result<LossesInTurns, ExactError> {
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
