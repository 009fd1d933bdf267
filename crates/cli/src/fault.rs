//! Rules that could not go on in a trial, told with who played it, under what, and the command line that shows it.

use stopwise_erased::{AnyArm, AnyPolicy, AnyRules};
use stopwise_policy::{is_typed, retyped};
use stopwise_reports::one_label;
use stopwise_reports::simulate::labels;

use crate::args::{GameArgs, PolicyArgs, replay, shell_line};
use crate::failure::Failure;
use crate::label::settings;
use crate::session::Session;
use crate::setup;

/// Who plays the trials of an arm, and under which rules.
pub(crate) struct Playing<'t> {
    pub(crate) session: &'t Session,
    /// The rules as typed, from which those of the arm may differ in options.
    pub(crate) game: &'t GameArgs,
    pub(crate) rules: &'t dyn AnyRules,
    /// The line-ups that take turns.
    pub(crate) lineups: &'t [Vec<AnyPolicy>],
    pub(crate) seed: u64,
}

impl Playing<'_> {
    /// An error if the arm could not play all trials: see [`AnyArm::failure`].
    pub(crate) fn check(&self, arm: &dyn AnyArm) -> Result<(), Failure> {
        let Some(mut told) = arm.failure() else { return Ok(()) };
        let (Some(fault), Some(lineup)) = (arm.fault(), self.lineups.first()) else {
            return Err(Failure::Input(told));
        };
        let is_rotated = self.lineups.len() > 1;
        let turns = if is_rotated { ", each seat in turn" } else { "" };
        told += &format!("\n  played by: {}{turns}", one_label(&labels(self.rules, lineup)));
        let from =
            |game: &GameArgs| setup::rules(self.session, game).map(|base| settings(&*base.rules, self.rules));
        let changed = from(self.game)?;
        if !changed.is_empty() {
            told += &format!("\n  under: {}", changed.join(", "));
        }
        let specs = lineup.iter().map(|policy| spec(self.rules, policy)).collect::<Option<Vec<_>>>();
        // No command line names a function.
        if let Some(policies) = specs {
            let mut game = self.game.clone();
            if !changed.is_empty() {
                // What was typed may be what is changed.
                game.set.clear();
                game.set = from(&game)?;
            }
            let policies = PolicyArgs { policies, rotate: is_rotated };
            let line = replay(&game, &policies, self.seed, Some(fault.trial));
            told += &format!("\n  to see it: {}", shell_line(&line));
        }
        Err(Failure::Input(told))
    }
}

/// A policy as it is typed.
fn spec(rules: &dyn AnyRules, policy: &AnyPolicy) -> Option<String> {
    let heading = policy.is_text().then(|| policy.heading())?;
    let mut shipped = rules.entry().policies.iter();
    let shipped = shipped.find(|shipped| heading.text.is_same(&shipped.text()));
    let place = shipped.map_or_else(|| heading.text.file.clone(), |shipped| shipped.name.to_owned());
    let changed = heading.parameters.iter().filter(|parameter| parameter.is_changed);
    if is_typed(&place) {
        let values: Vec<_> = changed.map(|it| (it.name.clone(), it.value())).collect();
        return Some(retyped(&place, &values));
    }
    let changed: Vec<_> = changed.map(|it| format!("{}={}", it.name, it.value())).collect();
    Some(if changed.is_empty() { place } else { format!("{place}:{}", changed.join(",")) })
}
