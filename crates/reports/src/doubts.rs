//! Warnings of `policy check` about a policy's play in some sample games, such as answers that never change.

use stopwise_engine::game::AnswerForm;
use stopwise_erased::{AnyRules, Tried};
use stopwise_narration::{counted, grouped};

use crate::cap;
use crate::words::percent;

/// From this share of the games on it is no accident that they are cut off.
const OFTEN: f64 = 0.05;
/// How many turns are to be looked at.
const TURNS: u64 = 10;

/// What the play of a policy is remarkable for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doubts {
    /// What is hardly meant.
    pub warnings: Vec<String>,
    /// What may be meant.
    pub notes: Vec<String>,
}

/// What `policy`, as people name it, did in some games.
pub fn doubts(rules: &dyn AnyRules, policy: &str, tried: &Tried) -> Doubts {
    let games = tried.games();
    let kinds = || rules.kinds().iter().enumerate();
    let is_yes_no = |kind: usize| rules.kinds()[kind].form == AnswerForm::YesNo;
    let mut doubts = Doubts::default();
    for (at, kind) in kinds() {
        let answers = tried.answers[at];
        if answers.asked == 0 && tried.is_met[at] {
            doubts.notes.push(format!(
                "`{}` was never asked in {}: the other answers of the policy never lead there.",
                kind.name,
                counted(games, "game")
            ));
        } else if answers.asked > 0 && is_yes_no(at) && answers.yes == 0 {
            doubts.warnings.push(format!(
                "`{}` never says yes: it was asked {} times in {}.",
                kind.name,
                grouped(answers.asked),
                counted(games, "game")
            ));
        } else if answers.clipped > 0 {
            doubts.notes.push(format!(
                "`{}` asks for a number that is not legal {} of {} times in {}: the nearest legal one is taken.",
                kind.name,
                grouped(answers.clipped),
                grouped(answers.asked),
                counted(games, "game")
            ));
        }
    }
    for ((ending, &count), first) in rules.endings().iter().zip(&tried.endings).zip(&tried.first) {
        let share = count as f64 / games.max(1) as f64;
        let Some(first) = first.as_ref().filter(|_| ending.cap && share >= OFTEN) else { continue };
        doubts.warnings.push(format!(
            "{count} of {} end at {} without a winner ({}), with this policy in every seat: it does not finish \
             what it began.",
            counted(games, "game"),
            cap::name(std::slice::from_ref(ending)),
            percent(share)
        ));
        for (at, kind) in kinds().filter(|&(at, _)| is_yes_no(at)) {
            if let Some(last) = first.last_yes[at].filter(|last| *last < first.turns) {
                doubts.warnings.push(format!(
                    "In the first of them `{}` says yes for the last time in turn {} of {}. What the players see then: \
                     stopwise replay {} -p {policy} --trial {} --turn {}..{}",
                    kind.name,
                    grouped(last),
                    grouped(first.turns),
                    rules.game(),
                    first.trial,
                    last + 1,
                    (last + TURNS).min(first.turns)
                ));
            }
        }
    }
    doubts
}
