//! Why tables cannot go on.

use std::fmt;

use crate::vocabulary::listed;

/// Trials one after the other without a decision, after which a table gives up looking for one.
pub(super) const PATIENCE: u32 = 100_000;

/// Why tables cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableError {
    /// An action that the rules do not allow. No table has moved.
    Illegal {
        /// The number of the table.
        table: usize,
        /// The number of its trial.
        trial: u64,
        /// What it was told.
        action: i64,
        /// What is decided there.
        kind: &'static str,
        /// What would be allowed, by number and name.
        legal: Vec<(u32, String)>,
    },
    /// So many trials one after the other had nothing to decide.
    NoDecisions {
        /// The number of the last one.
        trial: u64,
    },
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Illegal { table, trial, action, kind, legal } => {
                let legal: Vec<_> = legal.iter().map(|(number, name)| format!("{number} ({name})")).collect();
                write!(
                    f,
                    "table {table} (trial {trial}): {action} is no legal action of `{kind}` here; answer {}",
                    listed(&legal, "or")
                )
            }
            Self::NoDecisions { trial } => write!(
                f,
                "nothing is left to decide under these rules: {PATIENCE} trials up to {trial} had no decision; \
                 change the rules"
            ),
        }
    }
}

impl std::error::Error for TableError {}
