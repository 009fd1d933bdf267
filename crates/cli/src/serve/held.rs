//! What to hold at: the least value of a feature at which best play answers yes, of games that are solved within seconds.

use serde_json::{Value, json};
use stopwise_document::chart::Plot;
use stopwise_document::{Block, Section, html};
use stopwise_engine::game::{AnswerForm, Kind};
use stopwise_engine::vocabulary::Feature;
use stopwise_erased::AnyRules;
use stopwise_reports::solve::HOLD_AT_WHERE;

use super::setting::{Setting, objective};
use super::shown::{Held, Shown};
use super::{Clerk, Wrong, document};
use crate::args::{Request, Solve};
use crate::stop::StopToken;

/// The most states of a game that is solved within seconds.
const STATES: u64 = 3_000_000;

/// The decisions and features that can be chosen under some rules.
struct Offer<'r> {
    rules: &'r dyn AnyRules,
    kinds: Vec<&'r Kind>,
    features: Vec<Feature>,
}

/// The table, and what else can be chosen.
pub(super) fn held(clerk: &Clerk<'_>, shown: &Shown, stop: &StopToken) -> Result<Value, Wrong> {
    let rules = shown.setting.rules(&shown.setting.session(clerk.folder)?)?.rules;
    let offer = Offer::of(&*rules)?;
    let held = offer.chosen(&shown.held);
    let request = Request::Solve(request(clerk, &shown.setting, &offer, &held));
    let mut report =
        document(clerk.ask(&shown.setting, request, stop).map_err(|wrong| unsolved(&*rules, wrong))?)?;
    if !report.sections.iter().any(is_table) {
        report.answer.push("Under these rules it is never asked this.".into());
    }
    report.sections.iter_mut().flat_map(|section| &mut section.blocks).for_each(without_files);
    report.sections.retain(is_table);
    let is_greatest = report.sections.iter().flat_map(|section| &section.blocks).any(
        |block| matches!(block, Block::View(view) if view.title.starts_with("Best play: the greatest ")),
    );
    let kinds = offer.kinds.iter().map(|kind| json!({ "name": kind.name, "meaning": kind.meaning }));
    let features = offer.features.iter().map(
        |feature| json!({ "name": feature.name, "meaning": feature.meaning, "truth": feature.is_truth }),
    );
    Ok(json!({
        "kinds": kinds.collect::<Vec<_>>(), "features": features.collect::<Vec<_>>(), "held": held,
        "greatest": is_greatest, "answer": report.answer, "html": html::sections(&report.sections),
        "command": report.repeat,
    }))
}

/// Without files, the report has all numbers.
fn without_files(block: &mut Block) {
    let of_report = |note: &mut String| *note = note.replace(HOLD_AT_WHERE, "the report");
    match block {
        Block::Chart(chart) => {
            chart.file = "";
            for (_, plot) in &mut chart.plots {
                if let Plot::Heat(heat) = plot {
                    of_report(&mut heat.legend);
                }
            }
        }
        Block::View(view) => view.notes.iter_mut().for_each(of_report),
        _ => {}
    }
}

/// The command of the table.
pub(super) fn of_shown(clerk: &Clerk<'_>, shown: &Shown) -> Result<Request, Wrong> {
    let rules = shown.setting.rules(&shown.setting.session(clerk.folder)?)?.rules;
    let offer = Offer::of(&*rules)?;
    Ok(Request::Solve(request(clerk, &shown.setting, &offer, &offer.chosen(&shown.held))))
}

fn request(clerk: &Clerk<'_>, setting: &Setting, offer: &Offer<'_>, held: &Held) -> Solve {
    let names = [&held.rows, &held.columns].into_iter().flatten().filter(|name| !name.is_empty());
    let by = names.map(String::as_str).collect::<Vec<_>>().join(",");
    let kind = held.kind.iter().filter(|_| offer.kinds.len() > 1).map(|kind| format!("{kind}:"));
    let mut request = Solve::of("pig");
    request.game = setting.game();
    request.table = Some(kind.chain([by]).collect());
    request.from.clone_from(&held.from);
    request.metric = objective(offer.rules).1;
    request.max_states = STATES;
    request.memory = clerk.share();
    (request.threads, request.quiet) = (Some(clerk.threads), true);
    request
}

/// Whether a section is the table that was asked for.
fn is_table(section: &Section) -> bool {
    section
        .blocks
        .iter()
        .any(|block| matches!(block, Block::View(view) if view.title.starts_with("Best play: ")))
}

/// Why there is no table, in words without options of the command line.
fn unsolved(rules: &dyn AnyRules, Wrong(status, why): Wrong) -> Wrong {
    if status != 422 {
        return Wrong(status, why);
    }
    let first = why.lines().next().unwrap_or_default();
    let first = first.split(", which --").next().unwrap_or(first).split("; ").next().unwrap_or(first);
    // A rule that breaks in some position is no matter of time.
    let how = if first.starts_with("the rules cannot go on") {
        "cannot be found"
    } else {
        "is not found within seconds"
    };
    Wrong(422, format!("Best play of {} under these rules {how}: {first}.", rules.game()))
}

impl<'r> Offer<'r> {
    /// The decisions that are answered with yes or no, and the features that best play looks at and that vary.
    fn of(rules: &'r dyn AnyRules) -> Result<Self, Wrong> {
        let kinds: Vec<_> = rules.kinds().iter().filter(|kind| kind.form == AnswerForm::YesNo).collect();
        if kinds.is_empty() {
            let why = format!(
                "There is nothing to hold at: no decision of {} is answered with yes or no.",
                rules.game()
            );
            return Err(Wrong(422, why));
        }
        if rules.has_best_play().is_err() {
            let why = if rules.seats() > 2 {
                "With three or more seats best play is not one number, and there is no table: let one or two play."
            } else {
                "The players answer at once, without knowing each other's answers: there is no table for that. Let one play."
            };
            return Err(Wrong(422, why.into()));
        }
        let (metric, _) = objective(rules);
        let known = rules.known_features(metric, None);
        let features = rules.features().into_iter().zip(known);
        let is_offered = |(feature, known): &(Feature, bool)| {
            *known && feature.low < feature.high && feature.denominator == 1
        };
        let features = features.filter(is_offered);
        Ok(Self { rules, kinds, features: features.map(|(feature, _)| feature).collect() })
    }

    /// What was chosen, where it exists under these rules; otherwise the first.
    fn chosen(&self, wanted: &Held) -> Held {
        let first = self.first();
        let is_feature = |name: &&String| self.features.iter().any(|feature| feature.name == **name);
        let is_kind = |name: &&String| self.kinds.iter().any(|kind| kind.name == **name);
        let one = |wanted: &Option<String>, first: Option<String>| {
            wanted.as_ref().filter(is_feature).cloned().or(first)
        };
        let columns = wanted.columns.as_ref().filter(|name| name.is_empty() || is_feature(name));
        Held {
            kind: wanted.kind.as_ref().filter(is_kind).cloned().or(first.kind),
            rows: one(&wanted.rows, first.rows),
            columns: columns.cloned().or(first.columns),
            from: one(&wanted.from, first.from),
        }
    }

    /// The features of the game's own chart; otherwise those that its policies use most: a number of the turn in the cells,
    /// and another in the rows.
    fn first(&self) -> Held {
        let features = self.rules.features();
        let is_offered = |name: &&str| self.features.iter().any(|feature| feature.name == *name);
        if let Some(surface) = self.rules.surface() {
            let name = |at: usize| Some(features[at].name).filter(is_offered).map(str::to_owned);
            return Held {
                kind: Some(self.rules.kinds()[surface.kind].name.to_owned()),
                rows: name(surface.row.feature),
                columns: surface.column.and_then(|column| name(column.feature)),
                from: name(surface.rising.feature),
            };
        }
        let mut names: Vec<_> =
            self.features.iter().filter(|feature| !feature.is_truth).map(|it| it.name).collect();
        // Of features that occur equally often, the first.
        names.sort_by_key(|name| std::cmp::Reverse(self.spoken_of(name)));
        let mut of_turns = names.iter().filter(|name| !matches!(**name, "score" | "goal_left" | "lead"));
        let (from, rows) = (of_turns.next(), of_turns.next().filter(|name| self.spoken_of(name) > 0));
        let rows = rows.or(names.iter().find(|name| **name == "score")).or(names.first());
        let owned = |name: Option<&&str>| name.map(|name| (*name).to_owned());
        Held {
            kind: Some(self.kinds[0].name.to_owned()),
            rows: owned(rows),
            columns: None,
            from: owned(from),
        }
    }

    /// How many of the game's policies use a feature.
    fn spoken_of(&self, name: &str) -> usize {
        let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let lines = |text: &'static str| text.lines().filter(|line| !line.starts_with('#'));
        let speaks = |text: &'static str| {
            lines(text).any(|line| line.split(|c| !is_letter(c)).any(|word| word == name))
        };
        self.rules.entry().policies.iter().filter(|policy| speaks(policy.content)).count()
    }
}
