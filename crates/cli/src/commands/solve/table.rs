//! Which table for people is wanted.

use stopwise_analysis::exact::{ExactError, Limits};
use stopwise_engine::game::AnswerForm;
use stopwise_erased::{AnyBestPlay, AnyRules};
use stopwise_policy::{nearest, visible_word};
use stopwise_reports::solve::Table;

use crate::failure::Failure;

/// Kinds of decisions, the first of which that is met is wanted, and features by their numbers and names.
pub(super) struct Wanted {
    kinds: Vec<(usize, &'static str)>,
    row: (usize, &'static str),
    column: Option<(usize, &'static str)>,
}

impl Wanted {
    /// Reads `[KIND:]ROW[,COLUMN]`.
    pub(super) fn read(rules: &dyn AnyRules, words: &str, metric: usize) -> Result<Self, Failure> {
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
            Ok((at, names[at]))
        };
        let mut words = features.split(',');
        let row = feature(words.next().unwrap_or_default())?;
        let column = words.next().map(feature).transpose()?;
        match words.next() {
            Some(_) => {
                Err(Failure::Input("--table: name one feature for the rows, and one for the columns".into()))
            }
            None => Ok(Self { kinds, row, column }),
        }
    }

    /// The table; none where best play never decides.
    pub(super) fn table(
        &self,
        best: &dyn AnyBestPlay,
        limits: Limits<'_>,
    ) -> Result<Option<Table>, ExactError> {
        let column = self.column.map(|(number, _)| number);
        for &(number, kind) in &self.kinds {
            let cells = best.situations(number, (self.row.0, column), limits)?;
            if !cells.is_empty() {
                let column = self.column.map(|(_, name)| name);
                return Ok(Some(Table { kind, row: self.row.1, column, cells }));
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
