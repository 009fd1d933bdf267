//! Exact values as plain data.

use std::fmt::Debug;
use std::sync::Arc;

use stopwise_analysis::exact::{
    Answered, Decided as Decision, ExactError, Limits, Listed, Losses, LossesInTurns, Objective, Situations,
    Solution, Times, best_answers, best_turns as solve_turns, each_listed, losses, losses_against_best,
    losses_in_turns, situations, solve as walk,
};
use stopwise_engine::chance::Chance as _;
use stopwise_engine::game::{Action, AnswerForm, Node, Question};
use stopwise_engine::games::Playable;
use stopwise_engine::stream::{Keys, WordSource as _};
use stopwise_engine::vocabulary::{Feature, write_position};
use stopwise_policy::{TextPolicy, write_table};

use crate::asked::{Asked, Choice};
use crate::policy::AnyPolicy;
use crate::surface::{self, Charted, Drawn};

/// The exact mean of a metric of the first seat.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// Its bounds, whose distance is the error of the iteration.
    pub bounds: [f64; 2],
    /// The middle of the bounds.
    pub value: f64,
    /// Half the width of the bounds.
    pub error: f64,
    /// The number of positions stored.
    pub states: usize,
    /// The number of stages in which positions recur.
    pub cyclic_stages: usize,
    /// The steps of the turns by themselves, if it is solved turn by turn: then the positions are those between turns. Else 0.
    pub turn_steps: usize,
    /// The positions, if few are stored.
    pub positions: Vec<Position>,
}

/// A position before a roll, or one at which a seat decides.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    /// The contents of every place, one entry per place.
    pub places: Vec<(&'static str, String)>,
    /// The bounds of its value.
    pub bounds: [f64; 2],
    /// How often a game comes there under best play, in the mean; `None` if that is not known.
    pub visits: Option<f64>,
    /// What is decided there; `None` before a roll.
    pub decided: Option<Decided>,
}

/// What is decided in a position, and how best.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
    /// Who decides, from 0.
    pub seat: usize,
    /// Index into the kinds of decision.
    pub kind: usize,
    /// The values of [`AnyBestPlay::features`].
    pub features: Vec<i64>,
    /// The position as text, which [`AnyRules::asked`](crate::AnyRules::asked) takes.
    pub text: String,
    /// The best answer, and the best of the others, as [`Choice`] names them.
    pub answers: [String; 2],
    /// What the first seat has after the second one, in the mean.
    pub second_value: f64,
    /// What the deciding seat loses with it.
    pub loss: f64,
}

/// The best turns of a game whose turns can be solved by themselves.
#[derive(Clone, Debug, PartialEq)]
pub struct BestTurns {
    /// The mean score of a turn in the long run.
    pub mean: f64,
    /// The largest error of the mean.
    pub error: f64,
    /// The number of positions before a roll in the table.
    pub rows: usize,
    /// The table as text of a policy file.
    pub table: String,
}

/// The solution of a game: best play of every seat.
///
/// # Panics
///
/// Methods that take policies panic if one of them was compiled for other rules.
pub trait AnyBestPlay: Debug + Send + Sync {
    /// The exact mean. The positions are listed if they have at most `listed` rows.
    fn solved(&self, listed: usize) -> Solved;
    /// The features that its positions have at a decision: what is not fixed by the rules, and not forgotten.
    fn features(&self) -> Vec<Feature>;
    /// Has the first positions told, one after the other, as long as the answer is yes; `goes_on` is asked until the first one.
    fn each_position(&self, most: usize, goes_on: &dyn Fn() -> bool, tell: &mut dyn FnMut(Position) -> bool);
    /// How best play answers decisions of a kind in every situation, by up to three features, given by their numbers. Answers
    /// have the words of replays: `yes` and `no`, `small red`.
    ///
    /// # Errors
    ///
    /// If the watcher stops the walk, or if a turn by itself tells only yes and no, and the answers are others.
    fn situations(
        &self,
        kind: usize,
        features: &[usize],
        limits: Limits<'_>,
    ) -> Result<Vec<Situations<String>>, ExactError>;
    /// The values of all positions, or of those between turns, as a file that a policy can name
    /// ([`stopwise_policy::write_values`]).
    fn keep(&self) -> Vec<u8>;
    /// What the answers of a position are worth to the deciding seat, followed by best play, in their order: the mean of the
    /// first seat's metric from there on, with the other sign where it wants less of it. `None` if best play never comes there.
    fn worths(&self, asked: &Asked) -> Option<Vec<f64>>;
    /// Whether these values are known. They are not where players would rather wait than go on.
    fn is_known(&self, asked: &Asked) -> bool {
        let _ = asked;
        true
    }
    /// What a policy loses against best play, in a solitaire game.
    ///
    /// # Errors
    ///
    /// If the walk would go beyond the limits.
    fn losses(&self, policy: &AnyPolicy, limits: Limits<'_>) -> Result<Losses, ExactError>;
    /// The same where only positions between turns are stored.
    ///
    /// # Errors
    ///
    /// If the policy looks at what positions do not keep, or if the watcher stops it.
    fn losses_in_turns(&self, policy: &AnyPolicy, limits: Limits<'_>) -> Result<LossesInTurns, ExactError>;
    /// What a policy in one of two seats loses, when the other seat plays its best.
    ///
    /// # Errors
    ///
    /// If the walk would exceed the limits, or the game need not end with these policies.
    fn losses_against_best(
        &self,
        policy: &AnyPolicy,
        seat: usize,
        limits: Limits<'_>,
    ) -> Result<Losses, ExactError>;
    /// The decision of which the game charts how often the answer is yes, if it does, with the answers of best play. Those
    /// of policies are in their [`Losses`].
    ///
    /// # Errors
    ///
    /// If the walk would exceed the limits, or the game need not end.
    fn charted(&self, limits: Limits<'_>) -> Result<Option<(Charted, Vec<Answered>)>, ExactError>;
    /// The chart of the answers to a decision, of best play and of policies, if the game has such a decision.
    fn surface(&self, policies: &[AnyPolicy]) -> Option<Drawn>;
}

/// Situations whose answers are yes and no, in these words.
pub(crate) fn yes_and_no(cell: Situations<bool>) -> Situations<String> {
    told(cell, |is_yes| if is_yes { "yes" } else { "no" }.to_owned())
}

/// The same with the answers in words; those of one word together.
fn told<A>(cell: Situations<A>, word: impl Fn(A) -> String) -> Situations<String> {
    let Situations { values, answers, ties, is_counted } = cell;
    let mut words: Vec<(String, Times)> = Vec::new();
    for (answer, times) in answers {
        let word = word(answer);
        match words.iter_mut().find(|(other, _)| *other == word) {
            Some((_, sum)) => *sum += times,
            None => words.push((word, times)),
        }
    }
    Situations { values, answers: words, ties, is_counted }
}

/// Solves a game; seats without a policy play their best.
pub(crate) fn solve<G: Playable>(
    rules: &G,
    seats: &[Option<Arc<TextPolicy<G>>>],
    metric: usize,
    limits: Limits<'_>,
) -> Result<TypedBestPlay<G>, ExactError> {
    let seats: Vec<_> = seats.iter().map(Option::as_deref).collect();
    let solution = walk(rules, &seats, Objective::new(rules, metric), limits)?;
    Ok(TypedBestPlay { rules: *rules, solution })
}

/// A solution of a game whose type is known.
#[derive(Debug)]
pub(crate) struct TypedBestPlay<G: Playable> {
    pub(crate) rules: G,
    pub(crate) solution: Solution<G>,
}

impl<G: Playable> TypedBestPlay<G> {
    /// An error if positions within turns are not stored.
    fn has_all(&self) -> Result<(), ExactError> {
        if self.solution.turn_steps() == 0 { Ok(()) } else { Err(ExactError::TurnByTurn) }
    }
}

impl<G: Playable> AnyBestPlay for TypedBestPlay<G> {
    fn solved(&self, listed: usize) -> Solved {
        let found = &self.solution;
        let mut positions = Vec::new();
        if found.states <= listed {
            self.each_position(listed + 1, &|| true, &mut |position| {
                positions.push(position);
                true
            });
        }
        if positions.len() > listed {
            positions.clear();
        }
        Solved {
            bounds: found.value,
            value: found.middle(),
            error: found.error(),
            states: found.states,
            cyclic_stages: found.cyclic_stages,
            turn_steps: found.turn_steps(),
            positions,
        }
    }

    fn features(&self) -> Vec<Feature> {
        let known = known(&self.rules, self.solution.metric());
        known.into_iter().map(|(_, feature)| feature).collect()
    }

    fn each_position(&self, most: usize, goes_on: &dyn Fn() -> bool, tell: &mut dyn FnMut(Position) -> bool) {
        let rules = &self.rules;
        let known = known(rules, self.solution.metric());
        each_listed(&self.solution, most, goes_on, &mut |Listed { state, bounds, visits, decided }| {
            let decided = decided.map(|decided| {
                let Decision { question, best, second, second_value, loss } = decided;
                let answers =
                    [best, second].map(|action| Choice::of(rules, (state, question), &[action]).name);
                let text = write_position(rules, (state, question));
                let features = known.iter().map(|(at, _)| rules.feature(state, *at)).collect();
                Decided {
                    seat: question.seat,
                    kind: question.kind,
                    features,
                    text,
                    answers,
                    second_value,
                    loss,
                }
            });
            tell(Position { places: rules.describe_canonical(&state), bounds, visits, decided })
        });
    }

    fn situations(
        &self,
        kind: usize,
        features: &[usize],
        limits: Limits<'_>,
    ) -> Result<Vec<Situations<String>>, ExactError> {
        let (solution, game) = (&self.solution, &self.rules);
        if game.info().kinds[kind].form == AnswerForm::YesNo {
            let cells = situations(solution, kind, features, &|_, action| action == Action::YES, limits)?;
            return Ok(cells.into_iter().map(yes_and_no).collect());
        }
        // In the game's order.
        let named = |state, action: Action| (action.index(), game.describe_action(&state, kind, action));
        let cells = situations(solution, kind, features, &named, limits)?;
        Ok(cells.into_iter().map(|cell| told(cell, |(_, name)| name)).collect())
    }

    fn keep(&self) -> Vec<u8> {
        self.solution.keep()
    }

    fn worths(&self, asked: &Asked) -> Option<Vec<f64>> {
        let (state, question) = asked.typed(&self.rules);
        Some(asked.of_choices(&self.solution.worths(state, question)?))
    }

    fn is_known(&self, asked: &Asked) -> bool {
        let (state, question) = asked.typed(&self.rules);
        self.solution.is_known(state, question)
    }

    fn losses(&self, policy: &AnyPolicy, limits: Limits<'_>) -> Result<Losses, ExactError> {
        self.has_all()?;
        losses(&self.solution, &*policy.typed(&self.rules), limits)
    }

    fn losses_in_turns(&self, policy: &AnyPolicy, limits: Limits<'_>) -> Result<LossesInTurns, ExactError> {
        losses_in_turns(&self.solution, &*policy.typed(&self.rules), limits)
    }

    fn losses_against_best(
        &self,
        policy: &AnyPolicy,
        seat: usize,
        limits: Limits<'_>,
    ) -> Result<Losses, ExactError> {
        self.has_all()?;
        losses_against_best(&self.solution, &*policy.typed(&self.rules), seat, limits)
    }

    fn charted(&self, limits: Limits<'_>) -> Result<Option<(Charted, Vec<Answered>)>, ExactError> {
        let Some(charted) = surface::charted(&self.rules).filter(|_| self.has_all().is_ok()) else {
            return Ok(None);
        };
        Ok(Some((charted, best_answers(&self.solution, limits)?)))
    }

    fn surface(&self, policies: &[AnyPolicy]) -> Option<Drawn> {
        self.has_all().ok()?;
        let policies: Vec<_> = policies.iter().map(|policy| policy.typed(&self.rules)).collect();
        surface::drawn(&self.rules, &self.solution, &policies)
    }
}

/// The features that positions of best play have, but for what the rules fix, with their numbers.
pub(crate) fn known<G: Playable>(rules: &G, metric: usize) -> Vec<(usize, Feature)> {
    let known = known_features(rules, metric, None);
    let features = rules.features().into_iter().enumerate().zip(known);
    features
        .filter(|((_, feature), known)| *known && feature.low < feature.high)
        .map(|(feature, _)| feature)
        .collect()
}

/// The games that tell which features positions of best play have, and the most steps of a game.
const GAMES: u64 = 200;
const STEPS: usize = 500;

/// Which features can be told from the positions that best play for a metric knows, at decisions of a kind or at all, as games
/// of any play show: these are without what only policies remember, and without points that change nothing.
pub(crate) fn known_features<G: Playable>(rules: &G, metric: usize, of: Option<usize>) -> Vec<bool> {
    let mut known = vec![true; rules.features().len()];
    for game in 0..GAMES {
        let mut words = Keys::new(1).streams(game, rules.seats());
        let mut node = rules.root(&mut ());
        for _ in 0..STEPS {
            node = match node {
                Node::Terminal(_) => break,
                Node::Chance(state, seat, chance) => {
                    rules.resolve(state, chance.sample(words.word(seat)), &mut ())
                }
                Node::Decision(state, Question { seat, kind, actions }) => {
                    let (_, kept) = rules.settled(rules.forget(state, 0), metric);
                    let is_asked = of.is_none_or(|of| of == kind);
                    for (feature, known) in known.iter_mut().enumerate().filter(|_| is_asked) {
                        *known &= rules.feature(state, feature) == rules.feature(kept, feature);
                    }
                    let number = words.word(seat) as usize % actions.iter().count();
                    let action = actions.iter().nth(number).unwrap_or(actions.first());
                    rules.decide(state, kind, action, &mut ())
                }
            };
        }
    }
    known
}

pub(crate) fn best_turns<G: Playable>(
    rules: &G,
    limits: Limits<'_>,
) -> Result<Option<BestTurns>, ExactError> {
    let Some(turns) = solve_turns(rules, limits)? else { return Ok(None) };
    let (mean, error, rows) = (turns.mean, turns.error, turns.rows.len());
    Ok(Some(BestTurns { mean, error, rows, table: write_table(rules, &turns.rows) }))
}
