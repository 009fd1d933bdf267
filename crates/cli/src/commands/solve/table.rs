//! Which table for people is wanted.

use stopwise_analysis::exact::{ExactError, Limits};
use stopwise_engine::game::AnswerForm;
use stopwise_erased::{AnyBestPlay, AnyRules};
use stopwise_policy::{nearest, visible_word};
use stopwise_reports::solve::Table;

use crate::failure::Failure;

/// A kind of decision, and features by their numbers and names.
pub(super) struct Wanted {
    kind: (usize, &'static str),
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
        let (kind, features) = match words.split_once(':') {
            Some((kind, features)) => {
                let names: Vec<_> = kinds.iter().map(|(_, name)| *name).collect();
                let found = kinds.iter().find(|(_, name)| *name == kind.trim());
                (*found.ok_or_else(|| wrong("yes/no decision", kind.trim(), &names))?, features)
            }
            None => {
                let first = kinds.first().copied();
                let none = || {
                    Failure::Input(format!(
                        "--table: no decision of {} is answered with yes or no",
                        rules.game()
                    ))
                };
                (first.ok_or_else(none)?, words)
            }
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
            None => Ok(Self { kind, row, column }),
        }
    }

    /// The table.
    pub(super) fn table(&self, best: &dyn AnyBestPlay, limits: Limits<'_>) -> Result<Table, ExactError> {
        let column = self.column.map(|(number, _)| number);
        let cells = best.situations(self.kind.0, (self.row.0, column), limits)?;
        Ok(Table { kind: self.kind.1, row: self.row.1, column: self.column.map(|(_, name)| name), cells })
    }
}
