//! Where files are to go: what a result directory is called, whose it is, and why it cannot be written to.

use std::io;
use std::path::Path;

use super::shown;
use crate::failure::Failure;

/// Says that all files are there, and what they are.
pub(crate) const MANIFEST: &str = "manifest.json";
/// The report as a page, beside every manifest.
pub(crate) const PAGE: &str = "report.html";
/// A part of a run.
pub(crate) const SHARD: &str = "shard.txt";
/// Its rows, if they are wanted: see [`RowFormat::Raw`](stopwise_erased::RowFormat::Raw).
pub(crate) const ROWS: &str = "shard.rows";
/// From where a run goes on that was broken off.
pub(crate) const CHECK_POINTS: &str = ".stopwise.checkpoints";
/// Whose files are being replaced: there from before the manifest goes until the new one is there, whoever dies meanwhile.
pub(crate) const REPLACING: &str = ".stopwise.replacing";
/// Best play as a policy, which says itself that it is ours: people call theirs like that, too.
pub(crate) const POLICY: &str = "policy.toml";
/// A table of thresholds as a policy.
pub(crate) const HOLD_AT: &str = "hold_at.toml";
/// What positions are worth under best play, for these policies.
pub(crate) const VALUES: &str = "values.bin";
/// What was solved, for programs.
pub(crate) const SOLUTION: &str = "solution.json";
/// The tables of all commands, in the order of the alphabet. The commands know what is in them.
pub(crate) const TABLES: [&str; 39] = [
    "advice.csv",
    "asked.csv",
    "balance.csv",
    "best.csv",
    "comparison.csv",
    "comparison_distribution.csv",
    "comparison_early.csv",
    "comparison_quantiles.csv",
    "decisions.csv",
    "distribution.csv",
    "effects.csv",
    "endings.csv",
    "games.csv",
    "hold_at.csv",
    "matches.csv",
    "means.csv",
    "overview.csv",
    "rank.csv",
    "rank_pairs.csv",
    "regret.csv",
    "regret_against_best.csv",
    "rows.csv",
    "scaling.csv",
    "search.csv",
    "sensitivity.csv",
    "skill.csv",
    "solution.csv",
    "solution_distribution.csv",
    "solution_endings.csv",
    "solution_means.csv",
    "solution_positions.csv",
    "solution_varied.csv",
    "standings.csv",
    "summary.csv",
    "sweep.csv",
    "targets.csv",
    "thresholds.csv",
    "turns.csv",
    "wins.csv",
];

/// Where files are to go, and whose they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'p> {
    pub(crate) path: &'p Path,
    pub(crate) command: &'static str,
    /// Whether whatever is there may be replaced.
    pub(crate) force: bool,
    /// The digits of the run: what it has left whole gives way to no piece of it.
    pub(crate) run: Option<&'p str>,
    /// Where there is no manifest: whether an earlier run of this command wrote the file.
    pub(crate) is_ours: Option<fn(&Path) -> bool>,
}

/// Before the run.
pub(super) fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    let why = match error.kind() {
        io::ErrorKind::AlreadyExists => "it is a file, and a directory is needed".into(),
        _ => error.to_string(),
    };
    wrong_place(format!("cannot write into `{}`: {why}", shown(path)), error)
}

/// A message of an error before the run: the path may be wrong, or the machine lack something, or not let us.
pub(super) fn wrong_place(message: String, error: &io::Error) -> Failure {
    use io::ErrorKind::{OutOfMemory, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    /// Too many open files, in all or of this process: Unix has numbers for it, and Rust no name.
    const TOO_MANY: [i32; 2] = [23, 24];
    const MACHINE: [io::ErrorKind; 5] =
        [StorageFull, QuotaExceeded, OutOfMemory, ReadOnlyFilesystem, PermissionDenied];
    let is_machine = MACHINE.contains(&error.kind())
        || cfg!(unix) && error.raw_os_error().is_some_and(|number| TOO_MANY.contains(&number));
    if is_machine { Failure::Other(message) } else { Failure::Input(message) }
}
