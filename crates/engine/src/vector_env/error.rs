//! Errors of tables.

use std::fmt;

use crate::vocabulary::listed;

/// The number of consecutive trials without a decision after which a table gives up.
pub(super) const PATIENCE: u32 = 100_000;

/// Why tables cannot continue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VectorEnvError {
    /// An action was illegal. No table has moved.
    Illegal {
        /// The index of the table.
        table: usize,
        /// The number of its trial.
        trial: u64,
        /// The action that was given.
        action: i64,
        /// The name of the kind of decision.
        kind: &'static str,
        /// The legal actions, by index and name.
        legal: Vec<(u32, String)>,
    },
    /// This many consecutive trials had no decision.
    NoDecisions {
        /// The number of the last of them.
        trial: u64,
    },
}

impl fmt::Display for VectorEnvError {
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

impl std::error::Error for VectorEnvError {}
