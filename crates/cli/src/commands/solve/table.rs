//! Which table for people is wanted.

use stopwise_analysis::exact::{ExactError, Limits, MOST_FEATURES};
use stopwise_engine::game::AnswerForm;
use stopwise_engine::vocabulary::Feature;
use stopwise_erased::{AnyBestPlay, AnyRules};
use stopwise_policy::{nearest, visible_word};
use stopwise_reports::solve::Table;

use crate::failure::Failure;

/// Kinds of decisions, the first of which that is met is wanted, and features by their numbers and names.
pub(super) struct Wanted {
    kinds: Vec<(usize, &'static str)>,
    /// One to three.
    by: Vec<(usize, Feature)>,
    /// Whether the last of them is the one whose least value with a yes is wanted.
    is_from: bool,
}

impl Wanted {
    /// Reads `[KIND:]ROW[,COLUMN[,TABLE]]`, and the feature whose least value with a yes is wanted, if one is.
    pub(super) fn read(
        rules: &dyn AnyRules,
        words: &str,
        from: Option<&str>,
        metric: usize,
    ) -> Result<Self, Failure> {
        let wrong = |what: &str, word: &str, known: &[&str]| {
            let help = match nearest(word, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are: {}", known.join(", ")),
            };
            Failure::Input(format!("--table: unknown {what} `{}`; {help}", visible_word(word)))
        };
        let kinds = rules.kinds().iter().enumerate().filter(|(_, kind)| kind.form == AnswerForm::YesNo);
        let kinds: Vec<_> = kinds.map(|(number, kind)| (number, kind.name)).collect();
        let (kinds, features) = match words.split_once(':') {
            Some((kind, features)) => {
                let names: Vec<_> = kinds.iter().map(|(_, name)| *name).collect();
                let found = kinds.iter().find(|(_, name)| *name == kind.trim());
                (vec![*found.ok_or_else(|| wrong("yes/no decision", kind.trim(), &names))?], features)
            }
            None if kinds.is_empty() => {
                return Err(Failure::Input(format!(
                    "--table: no decision of {} is answered with yes or no",
                    rules.game()
                )));
            }
            None => (kinds, words),
        };
        let (features_of_game, known) = (rules.features(), rules.known_features(metric));
        let names: Vec<_> = features_of_game.iter().map(|feature| feature.name).collect();
        let feature = |word: &str| {
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
                    "--table: best play does not look at `{}`, and knows positions without it; there are: {}",
                    names[at],
                    others.join(", ")
                )));
            }
            Ok((at, features_of_game[at].clone()))
        };
        let by = features.split(',').chain(from).map(feature).collect::<Result<Vec<_>, _>>()?;
        match by.len() {
            ..=MOST_FEATURES => Ok(Self { kinds, by, is_from: from.is_some() }),
            _ if from.is_some() => Err(Failure::Input(
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
    ) -> Result<Option<Table>, ExactError> {
        let features: Vec<usize> = self.by.iter().map(|(number, _)| *number).collect();
        for &(number, kind) in &self.kinds {
            let cells = best.situations(number, &features, limits)?;
            if !cells.is_empty() {
                return Ok(Some(Table {
                    kind,
                    by: self.by.iter().map(|(_, feature)| feature.clone()).collect(),
                    is_from: self.is_from,
                    cells,
                }));
            }
        }
        Ok(None)
    }

    /// What is said of the decisions that have no table.
    pub(super) fn others(&self, shown: Option<&Table>) -> Option<String> {
        let others = self.kinds.iter().filter(|(_, kind)| shown.is_none_or(|table| table.kind != *kind));
        let others: Vec<_> = others.map(|(_, kind)| *kind).collect();
        match (shown, others.as_slice()) {
            (Some(_), []) => None,
            (Some(table), others) => Some(format!(
                "note: --table is of `{}`; of another decision write {}:ROW,COLUMN",
                table.kind,
                others.join(":… or ")
            )),
            (None, others) => Some(format!(
                "note: --table: best play is never asked {} under these rules",
                others.join(" or ")
            )),
        }
    }
}
