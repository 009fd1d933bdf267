//! The options of `solve` that choose the table for people.

use std::collections::BTreeSet;

use stopwise_analysis::exact::{ExactError, Limits, MOST_FEATURES};
use stopwise_engine::game::{AnswerForm, Kind};
use stopwise_engine::vocabulary::{Feature, listed};
use stopwise_erased::{AnyBestPlay, AnyRules};
use stopwise_policy::{nearest, visible_word};
use stopwise_reports::solve::AnswerTable;

use crate::args::Solve;
use crate::failure::Failure;
use crate::grid::levels;

/// The most values of a feature that can be chosen.
const MOST_VALUES: usize = 1000;

/// Kinds of decisions, the first of which that is met is wanted, and features by their numbers and names.
pub(super) struct Wanted {
    kinds: Vec<(usize, Kind)>,
    /// One to three.
    by: Vec<By>,
    /// Whether the last of them is the one from a value of which on the answer is yes, or up to one.
    is_from: bool,
}

/// A feature of a table.
struct By {
    number: usize,
    feature: Feature,
    /// The values that are wanted, if not all.
    values: Option<BTreeSet<i64>>,
}

impl Wanted {
    /// What is wanted, if anything is.
    pub(super) fn new(rules: &dyn AnyRules, args: &Solve, metric: usize) -> Result<Option<Self>, Failure> {
        let (table, from) = (args.table.as_deref(), args.from.as_deref());
        if table.is_none() && from.is_none() {
            return Ok(None);
        }
        Self::read(rules, table, from, metric).map(Some)
    }

    /// Reads `[KIND:]ROW[,COLUMN[,TABLE]]`, each of which may have values, and the feature whose thresholds are wanted, before
    /// which the kind may stand if there is nothing else.
    fn read(
        rules: &dyn AnyRules,
        table: Option<&str>,
        from: Option<&str>,
        metric: usize,
    ) -> Result<Self, Failure> {
        let option = if table.is_some() { "--table" } else { "--from" };
        let wrong = |what: &str, word: &str, known: &[&str]| {
            let help = match nearest(word, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are: {}", known.join(", ")),
            };
            Failure::Input(format!("{option}: unknown {what} `{}`; {help}", visible_word(word)))
        };
        // Of thresholds there are only those of yes.
        let (mut kinds, others): (Vec<_>, Vec<_>) =
            rules.kinds().iter().copied().enumerate().partition(|(_, kind)| kind.form == AnswerForm::YesNo);
        let what = if from.is_some() { "yes/no decision" } else { "decision" };
        if from.is_none() {
            kinds.extend(others);
        } else if kinds.is_empty() {
            return Err(Failure::Input(format!(
                "--from: no decision of {} is answered with yes or no; leave it out, and --table tells the answers of {}",
                rules.game(),
                listed(&others.iter().map(|(_, kind)| kind.name).collect::<Vec<_>>(), "or")
            )));
        }
        // The kind may stand before either.
        let (kind, from) = match from.map(|from| from.split_once(':').unwrap_or(("", from))) {
            Some((kind, feature)) if table.is_some() => (kind, Some(feature)),
            _ => ("", from),
        };
        let words = table.or(from).unwrap_or_default();
        let joined = match kind {
            "" => words.to_owned(),
            kind if words.starts_with(&format!("{kind}:")) => words.to_owned(),
            kind => format!("{kind}:{words}"),
        };
        let words = joined.as_str();
        // A step of values has a colon, too.
        let (kinds, words) = match words.split_once(':') {
            Some((kind, features)) if !kind.contains('=') => {
                let names: Vec<_> = kinds.iter().map(|(_, kind)| kind.name).collect();
                let found = kinds.iter().find(|(_, known)| known.name == kind.trim());
                (vec![*found.ok_or_else(|| wrong(what, kind.trim(), &names))?], features)
            }
            _ => (kinds, words),
        };
        let from = from.filter(|_| table.is_some());
        let of = if let [(kind, _)] = *kinds { Some(kind) } else { None };
        let (features_of_game, known) = (rules.features(), rules.known_features(metric, of));
        let names: Vec<_> = features_of_game.iter().map(|feature| feature.name).collect();
        let feature = |text: &str| {
            let (word, values) =
                text.split_once('=').map_or((text, None), |(word, values)| (word, Some(values)));
            let found = names.iter().position(|name| *name == word.trim());
            let at = found.ok_or_else(|| wrong("feature", word.trim(), &names))?;
            if !known[at] {
                let others = features_of_game.iter().zip(&known);
                // What the rules fix makes no table.
                let others: Vec<_> = others
                    .filter(|(feature, known)| **known && feature.low < feature.high)
                    .map(|(feature, _)| feature.name)
                    .collect();
                return Err(Failure::Input(format!(
                    "{option}: best play does not look at `{}`, and knows positions without it; there are: {}",
                    names[at],
                    others.join(", ")
                )));
            }
            let feature = features_of_game[at].clone();
            let values = values.map(|values| wanted(&feature, values));
            let values =
                values.transpose().map_err(|why| Failure::Input(format!("{option} {text}: {why}")))?;
            Ok(By { number: at, feature, values })
        };
        let by = features(words).into_iter().chain(from.map(str::to_owned));
        let by = by.map(|text| feature(&text)).collect::<Result<Vec<_>, _>>()?;
        let is_from = from.is_some() || table.is_none();
        match by.len() {
            2.. if table.is_none() => Err(Failure::Input(format!(
                "--from: {} features, and there is one whose threshold it tells; write --table ROW[,COLUMN] for the others",
                by.len()
            ))),
            many @ ..=MOST_FEATURES => {
                let twice = |at: &usize| by[..*at].iter().any(|before: &By| before.number == by[*at].number);
                match (0..many).find(twice) {
                    None => Ok(Self { kinds, by, is_from }),
                    Some(at) => Err(Failure::Input(format!(
                        "{option}: `{}` stands twice; leave it out once",
                        by[at].feature.name
                    ))),
                }
            }
            _ if is_from => Err(Failure::Input(
                "--table: with --from there can be two features, one for the rows and one for the columns"
                    .into(),
            )),
            many => Err(Failure::Input(format!(
                "--table: {many} features, and there can be three: one for the rows, one for the columns, and one of whose \
                 values each has a table of its own"
            ))),
        }
    }

    /// The table; none where best play never decides.
    pub(super) fn table(
        &self,
        best: &dyn AnyBestPlay,
        limits: Limits<'_>,
    ) -> Result<Option<AnswerTable>, ExactError> {
        let features: Vec<usize> = self.by.iter().map(|by| by.number).collect();
        for &(number, kind) in &self.kinds {
            let mut cells = best.situations(number, &features, limits)?;
            if !cells.is_empty() {
                cells.retain(|cell| self.by.iter().zip(cell.values).all(|(by, value)| by.has(value)));
                return Ok(Some(AnswerTable {
                    kind: kind.name,
                    is_yes_no: kind.form == AnswerForm::YesNo,
                    by: self.by.iter().map(|by| by.feature.clone()).collect(),
                    chosen: std::array::from_fn(|at| self.by.get(at).is_some_and(|by| by.values.is_some())),
                    is_from: self.is_from,
                    cells,
                }));
            }
        }
        Ok(None)
    }

    /// What is said of the decisions that have no table.
    pub(super) fn others(&self, shown: Option<&AnswerTable>) -> Option<String> {
        let others = self.kinds.iter().map(|(_, kind)| kind.name);
        let others: Vec<_> = others.filter(|kind| shown.is_none_or(|table| table.kind != *kind)).collect();
        match (shown, others.as_slice()) {
            (Some(table), _) if table.cells.is_empty() => {
                Some(format!("no table: best play is asked {} in no situation with these values", table.kind))
            }
            (Some(_), []) => None,
            (Some(table), others) => Some(format!(
                "the table is of `{}`; of another decision write {}:ROW,COLUMN",
                table.kind,
                others.join(":… or ")
            )),
            (None, others) => {
                Some(format!("no table: best play is never asked {} under these rules", others.join(" or ")))
            }
        }
    }
}

impl By {
    fn has(&self, value: i64) -> bool {
        self.values.as_ref().is_none_or(|values| values.contains(&value))
    }
}

/// The features of a list, each with its values: what has no name belongs to the one before it, as in `points=300,500,left`.
fn features(list: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for item in list.split(',') {
        let is_value = item.trim().starts_with(|c: char| c.is_ascii_digit() || c == '-');
        match all.last_mut() {
            Some(last) if is_value && last.contains('=') => {
                last.push(',');
                last.push_str(item);
            }
            _ => all.push(item.to_owned()),
        }
    }
    all
}

/// Values of a feature, as the levels of an option are written.
fn wanted(feature: &Feature, list: &str) -> Result<BTreeSet<i64>, String> {
    let number = |level: String| match level.as_str() {
        "no" if feature.is_truth => Ok(0),
        "yes" if feature.is_truth => Ok(1),
        level => match level.parse() {
            Ok(value) if (feature.low..=feature.high).contains(&value) => Ok(value),
            _ => Err(format!(
                "`{}` is a whole number from {} to {}; write for example {}={}..{}",
                feature.name, feature.low, feature.high, feature.name, feature.low, feature.high
            )),
        },
    };
    levels(list, MOST_VALUES)?.into_iter().map(number).collect()
}
