//! The review after a game: the dearest decisions, and how much was luck.

use std::fmt::Write as _;

use stopwise_analysis::luck::Luck;
use stopwise_narration::{Outcome, grouped};
use stopwise_reports::advise::Origin;
use stopwise_reports::one_label;

use super::judged::Judged;
use super::luck;
use super::table::{PastDecision, PlayedGame};
use crate::advice::Advisor;
use crate::failure::Failure;
use crate::progress::Steps;
use crate::session::Session;

/// The most decisions that are listed.
const LISTED: usize = 5;

/// The review of a game, as far as it has been played.
pub(crate) fn review(
    session: &Session,
    table: &PlayedGame,
    advisor: &Advisor,
    outcome: Option<&Outcome>,
) -> Result<String, Failure> {
    let steps = table.steps();
    let asked = |step: &PastDecision| advisor.asked(&step.position);
    let is_own = |step: &PastDecision| step.seat == table.seat();
    let others = steps.iter().filter(|step| !is_own(step));
    let mut own: Vec<(usize, &PastDecision)> =
        steps.iter().enumerate().filter(|(_, step)| is_own(step)).collect();
    let all = own.len();
    let hidden: Vec<bool> =
        own.iter().map(|(_, step)| Ok(advisor.is_hidden(&asked(step)?))).collect::<Result<_, Failure>>()?;
    let mut at = hidden.iter();
    own.retain(|_| at.next() == Some(&false));
    if own.is_empty() && all > 0 {
        return Ok(
            "\nYour decisions\n  Others had answered at the same time by chance: none is judged.\n".into()
        );
    }
    let choices: Vec<usize> =
        own.iter().map(|(_, step)| Ok(asked(step)?.choices.len())).collect::<Result<_, Failure>>()?;
    let places = own.iter().map(|(place, _)| *place);
    let trials = advisor.trials_of(choices.into_iter().zip(places), steps.len());
    let looked_at = Steps::new(session, "decisions looked at", own.len(), advisor.is_quiet());
    let mut sampled: Option<Luck> = None;
    // What a policy that answers by chance would have answered is not known.
    let mut is_known = own.len() == all;
    let judge = |step| {
        let step: &PastDecision = step;
        let asked = asked(step)?;
        let choice = asked.choice_at(step.choice).unwrap_or_default();
        let (found, games) = advisor.weigh(session, asked, trials)?;
        if let (Some(games), Some(_)) = (games, outcome) {
            let luck = match &mut sampled {
                Some(luck) => luck,
                none => {
                    none.insert(Luck::new(&advisor.begun(session, table.seat(), trials)?, advisor.whole()))
                }
            };
            match games.own {
                Some(own) if own != choice => luck.decided(&games.of_choices[choice], &games.of_choices[own]),
                Some(_) => {}
                None => is_known = false,
            }
        }
        looked_at.step();
        Ok(Judged { step, choice, found })
    };
    let own = own.into_iter().map(|(_, step)| step).map(judge).collect::<Result<Vec<Judged<'_>>, Failure>>();
    looked_at.finish();
    let own = own?;
    let mut said = decisions(&own);
    if let Some(outcome) = outcome {
        let is_exact = own.iter().filter(|judged| judged.is_exact()).count();
        said += &match sampled {
            None => {
                let judged = others.map(|step| {
                    let asked = asked(step)?;
                    let choice = asked.choice_at(step.choice).unwrap_or_default();
                    Ok(Judged { step, choice, found: advisor.advise(session, asked)? })
                });
                luck::exact(table, advisor, outcome, [&own, &judged.collect::<Result<Vec<_>, Failure>>()?])
            }
            // Exact and estimated values are not added up.
            Some(_) if is_exact > 0 || !is_known => String::new(),
            Some(sampled) => luck::sampled(table, outcome, &own[0].found, &sampled),
        };
    }
    Ok(said)
}

fn decisions(own: &[Judged<'_>]) -> String {
    let mut said = String::from("\nYour decisions\n");
    let costs: f64 = own.iter().map(Judged::cost).sum();
    let mut dear: Vec<&Judged<'_>> = own.iter().filter(|judged| judged.cost() > 0.0).collect();
    let how = match own.first().map(|judged| &judged.found.origin) {
        Some(Origin::Played { trials, labels, .. }) => {
            let games = grouped(*trials);
            format!(" (by {games} games of each choice, in which {} plays on)", one_label(labels))
        }
        _ => String::new(),
    };
    let one = |many: usize| if many == 1 { "decision" } else { "decisions" };
    let _ = match (own.first(), dear.len()) {
        (None, _) => writeln!(said, "  You had nothing to decide."),
        (Some(first), 0) => {
            let none = match first.is_exact() {
                true => "none could have been better",
                false => "none is shown to be worse than another",
            };
            writeln!(said, "  {} {}, of which {none}{how}.", own.len(), one(own.len()))
        }
        (Some(first), many) => writeln!(
            said,
            "  {} {}, of which {} {}; together they cost {}{how}.",
            own.len(),
            one(own.len()),
            many,
            match (first.is_exact(), many) {
                (true, _) => "could have been better",
                (false, 1) => "is shown to be worse than another",
                (false, _) => "are shown to be worse than another",
            },
            first.amount(costs)
        ),
    };
    dear.sort_by(|a, b| b.cost().total_cmp(&a.cost()));
    // The same choice in the same position is listed once.
    let mut told: Vec<(String, &Judged<'_>, usize)> = Vec::new();
    for judged in dear {
        let what = mistake(judged);
        match told.iter_mut().find(|(other, ..)| *other == what) {
            Some((.., times)) => *times += 1,
            None => told.push((what, judged, 1)),
        }
    }
    for (what, judged, times) in told.into_iter().take(LISTED) {
        let often = match times {
            1 => String::new(),
            2 => ", and once more".to_owned(),
            times => format!(", and {} more times", times - 1),
        };
        let _ = writeln!(said, "  turn {}{often}: {what}", judged.step.turn);
    }
    said
}

/// Which choice was taken instead of which, what that cost, and the position.
fn mistake(judged: &Judged<'_>) -> String {
    let asked = &judged.found.asked;
    // The short parts of the position that are not empty.
    let is_long = |place: &str| asked.scene.long.iter().any(|(long, _)| *long == place);
    let is_told = |(place, what): &&(&str, String)| !is_long(place) && what.split(' ').next() != Some("none");
    let places = asked.places.iter().filter(is_told);
    let places: Vec<String> = places.map(|(place, what)| format!("{place} {what}")).collect();
    format!(
        "“{}” instead of “{}” cost {}\n      {}",
        asked.choices[judged.choice].told(),
        asked.choices[judged.found.best].told(),
        judged.amount(judged.cost()),
        places.join(" · ")
    )
}
