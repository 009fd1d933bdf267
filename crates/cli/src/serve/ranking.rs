//! All policies of a game in order, under the rules of the page.

use serde_json::{Value, json};
use stopwise_document::{Block, html};
use stopwise_reports::row::rows;

use super::setting::{Chosen, Setting, objective};
use super::shown::Shown;
use super::{Clerk, Wrong, document};
use crate::args::{Rank, Request};
use crate::failure::Failure;
use crate::session::Session;
use crate::setup::PolicySpec;
use crate::stop::StopToken;

/// The most trials of a policy; with seats, games of a table.
const MOST: u64 = 1_000_000;
/// The most trials of a first ranking, which is wanted at once.
pub(super) const FIRST: u64 = 2000;

/// The metric of the ranking; the labels of the policies that are ranked, and those that cannot be, each with a reason.
#[derive(Debug, Default)]
struct Field {
    /// The metric, if it is not the first.
    metric: Option<String>,
    ranked: Vec<(String, Chosen)>,
    left_out: Vec<(String, String)>,
}

/// The policies of the setting are the ones that are ranked.
pub(super) fn ranking(clerk: &Clerk<'_>, shown: &Shown, stop: &StopToken) -> Result<Value, Wrong> {
    let field = Field::of(clerk, &shown.setting)?;
    let asked = request(clerk, shown, &field)?;
    let trials = asked.trials;
    let report = document(clerk.ask(&shown.setting, Request::Rank(asked), stop)?)?;
    let order = rows(&report, "rank.csv").map(|row| {
        let label = row.text("policy");
        field.ranked.iter().find(|(known, _)| *known == label).map(|(_, chosen)| chosen)
    });
    // The numbers of the matrix are below its picture already, for who unfolds them.
    let once = |block| match block {
        Block::View(view) | Block::Long(view) => view.notes.into_iter().skip(1).map(Block::Note).collect(),
        other => vec![other],
    };
    let mut sections = report.sections.clone();
    for section in sections.iter_mut().filter(|section| section.title == "Who beats whom") {
        section.blocks = std::mem::take(&mut section.blocks).into_iter().flat_map(once).collect();
    }
    let played = report.facts.iter().find(|fact| fact.name == "trials");
    let played = played.and_then(|fact| fact.value.value().as_u64());
    Ok(json!({
        "trials": played, "settled": played < trials,
        "answer": report.answer, "html": html::sections(&sections), "order": order.collect::<Vec<_>>(),
        "left_out": field.left_out, "command": report.repeat,
    }))
}

/// The ranking of all policies that can be ranked.
pub(super) fn of_shown(clerk: &Clerk<'_>, shown: &Shown) -> Result<Request, Wrong> {
    request(clerk, shown, &Field::of(clerk, &shown.setting)?).map(Request::Rank)
}

fn request(clerk: &Clerk<'_>, Shown { setting, trials, .. }: &Shown, field: &Field) -> Result<Rank, Wrong> {
    if field.ranked.len() < 2 {
        return Err(Wrong(
            422,
            "A ranking needs two policies: change the text of one, and there is another.".into(),
        ));
    }
    let mut request = Rank::of("pig");
    request.game = setting.game();
    request.policies = field.ranked.iter().map(|(_, chosen)| chosen.word()).collect();
    request.metric.clone_from(&field.metric);
    request.trials = Some((*trials).clamp(2, MOST));
    request.memory = clerk.share();
    clerk.common(&mut request.common, setting.seed);
    Ok(request)
}

impl Field {
    /// The policies of a setting that have different labels and play under its rules.
    fn of(clerk: &Clerk<'_>, setting: &Setting) -> Result<Self, Wrong> {
        let session = setting.session(clerk.folder)?;
        let rules = setting.rules(&session)?.rules;
        let label = |session: &Session, word: &str| -> Result<String, Failure> {
            Ok(PolicySpec::parse(session, word, Some(rules.entry()))?.compile(session, &*rules)?.label())
        };
        let mut field = Self { metric: objective(&*rules).1, ..Self::default() };
        for chosen in &setting.policies {
            let word = chosen.word();
            match label(&session, &word) {
                Err(failure) => field.left_out.push((word, Wrong::from(failure).1)),
                Ok(label) => match field.ranked.iter().find(|(known, _)| *known == label) {
                    Some((_, other)) => {
                        let why = format!(
                            "it is called {label}, as {} is; give one another name in its text",
                            other.word()
                        );
                        field.left_out.push((word, why));
                    }
                    None => field.ranked.push((label, chosen.clone())),
                },
            }
        }
        Ok(field)
    }
}
