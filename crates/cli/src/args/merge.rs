//! What can be typed after `merge`.

use std::path::PathBuf;

use clap::Args;

use super::{Common, Format, Request};

/// The parts of a run as one.
#[derive(Args, Debug)]
pub struct Merge {
    /// The directories of all parts, in any order
    #[arg(required = true, value_name = "DIR")]
    pub parts: Vec<PathBuf>,
    /// Write the reports into this directory, as the run in one piece would
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write the rows of all trials into this file, if all parts have them; as CSV or as Parquet, whichever its name ends in
    #[arg(long, value_name = "FILE.csv|FILE.parquet")]
    pub trials_out: Option<PathBuf>,
    /// Replace the results of another command, or somebody's files, in the directory
    #[arg(long, requires = "out")]
    pub force: bool,
    /// What to print on stdout; as CSV, the main table of the files
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// No progress, no timing
    #[arg(long, short)]
    pub quiet: bool,
}

impl Request {
    /// The options that all that play trials have in common.
    pub(crate) fn common_mut(&mut self) -> Option<&mut Common> {
        match self {
            Self::Simulate(args) => Some(&mut args.common),
            Self::Compare(args) => Some(&mut args.common),
            Self::Rank(args) => Some(&mut args.common),
            Self::Sweep(args) => Some(&mut args.common),
            Self::Balance(args) => Some(&mut args.common),
            _ => None,
        }
    }
}
