//! The commands, one file each.

pub(crate) mod advise;
pub(crate) mod balance;
pub(crate) mod bench;
pub(crate) mod columns;
pub(crate) mod compare;
mod divergences;
mod each_file;
mod ending;
pub(crate) mod games;
pub(crate) mod merge;
pub(crate) mod play;
pub(crate) mod policy;
pub(crate) mod rank;
pub(crate) mod replay;
pub(crate) mod rules;
mod run;
pub(crate) mod shell;
pub(crate) mod simulate;
pub(crate) mod solve;
mod stop;
pub(crate) mod sweep;
mod trial_rows;
