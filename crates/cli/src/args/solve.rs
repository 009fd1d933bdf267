//! What can be typed after `solve`.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::{Format, GameArgs};
use crate::memory::Memory;

/// How positions are listed in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum PositionFormat {
    /// Text with commas
    #[default]
    Csv,
    /// Apache Parquet
    Parquet,
}

impl PositionFormat {
    /// The name of the file.
    pub(crate) const fn file(self) -> &'static str {
        match self {
            Self::Csv => "solution_positions.csv",
            Self::Parquet => "solution_positions.parquet",
        }
    }
}

/// Exact values.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Solve {
    /// The game, and its rules.
    #[command(flatten)]
    #[serde(flatten)]
    pub game: GameArgs,
    /// Also the value of this policy and its regret; may be given several times, `all` are those that come with the program,
    /// a directory the policy files in it
    #[arg(long = "policy", short = 'p', value_name = "POLICY")]
    #[serde(rename = "policy")]
    pub policies: Vec<String>,
    /// The metric to play for [default: the game's first]
    #[arg(long)]
    pub metric: Option<String>,
    /// The values under each of several settings of an option of the rules, named as in --set, such as goal=50,100 or
    /// goal=10..100:10; preset=… takes presets; several make a grid
    #[arg(long, value_name = "KEY=LIST", conflicts_with_all = ["table", "from", "positions", "long_run"])]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vary_rule: Vec<String>,
    /// What best play answers in which situations: a table by one or two features, such as turn_total,score, or one for each
    /// value of a third; of several decisions the first that is asked, before all those with yes or no, or one that is
    /// named, as in stop:turn,counter; a feature may have values, as in left,points=300..1000:100
    #[arg(long, value_name = "[KIND:]ROW[=LIST][,COLUMN[,TABLE]]")]
    pub table: Option<String>,
    /// The least value of this feature at which best play answers yes, the turn_total to hold at, the points to bank; or the
    /// greatest, where it is yes up to it: one number, or with --table one in place of each yes and no
    #[arg(long, value_name = "[KIND:]FEATURE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// List so many positions with their values, or `all` [default: all, where they are 40 or fewer]; with --out, in
    /// solution_positions.csv
    #[arg(long, value_name = "N|all", allow_negative_numbers = true, value_parser = crate::numbers::some_or_all)]
    pub positions: Option<String>,
    /// How --out has the positions that are listed: as solution_positions.csv or solution_positions.parquet
    #[arg(long, value_enum, default_value_t, requires_all = ["positions", "out"])]
    #[serde(skip)]
    pub positions_format: PositionFormat,
    /// States to hold at most
    #[arg(long, default_value = "40M", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::count)]
    #[serde(skip)]
    pub max_states: u64,
    /// How much memory.
    #[command(flatten)]
    #[serde(skip)]
    pub memory: Memory,
    /// Threads [default: all]
    #[arg(long, allow_negative_numbers = true, value_parser = crate::numbers::few)]
    #[serde(skip)]
    pub threads: Option<usize>,
    /// What to print on stdout
    #[arg(long, value_enum, default_value_t)]
    #[serde(skip)]
    pub format: Format,
    /// Of a game alone whose turns can be solved by themselves, the turns that make most in the long run, in --out: a policy
    /// without a file of values
    #[arg(long, requires = "out", conflicts_with_all = ["policies", "metric", "table", "from", "positions"])]
    #[serde(skip)]
    pub long_run: bool,
    /// Write the exact values into this directory, and best play as a policy that every command takes: policy.toml and its values
    #[arg(long, value_name = "DIR")]
    #[serde(skip)]
    pub out: Option<PathBuf>,
    /// Replace somebody's file of this name in the directory
    #[arg(long, requires = "out")]
    #[serde(skip)]
    pub force: bool,
    /// No progress, no timing
    #[arg(long, short)]
    #[serde(skip)]
    pub quiet: bool,
}
