//! Requests: what can be asked for, by what is typed or by values.

mod balance;
mod compare;
mod defaults;
mod merge;
mod rank;
mod repeat;
mod replay;
mod serve;
mod simulate;
mod solve;
mod stop;
mod sweep;
mod table;
mod texts;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::Serialize;

use crate::checkpoint::Part;
use crate::failure::Failure;
use crate::output::Place;
pub use balance::Balance;
pub use compare::{Compare, Until};
pub use merge::Merge;
pub use rank::{Aim, Rank};
pub(crate) use repeat::{replay, shell_line};
pub use replay::Replay;
pub use serve::Serve;
pub use simulate::Simulate;
pub use solve::{PositionFormat, Solve};
pub use stop::Stop;
pub use sweep::Sweep;
pub use table::{Advise, By, Play};
pub use texts::{GamesCommand, PolicyCommand, RulesCommand};

/// Plays push-your-luck dice games a million times, and says how good a strategy is and what a rule changes
#[derive(Debug, Parser)]
#[command(name = "stopwise", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = "Begin with:  stopwise simulate carbonite --policy tidy --out report")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) request: Request,
}

/// What is asked for.
#[derive(Debug, Subcommand)]
pub enum Request {
    /// Play many seeded trials of one policy (per seat) and report the distributions
    Simulate(Simulate),
    /// Compare policies, or line-ups, on the same trials
    Compare(Compare),
    /// Order many policies, with control over all comparisons at once
    Rank(Rank),
    /// Play a grid over policy parameters and rule options on the same trials
    Sweep(Sweep),
    /// Say what variants of the rules do to a game, and whether that is wanted
    ///
    /// It judges policies by the game's first metric if one plays, and by wins if several do: it has no --metric. Other metrics are
    /// asked about by --targets, as "mean points", and leads by --close.
    Balance(Balance),
    /// Make one run of the parts that --shard K/N has left
    Merge(Merge),
    /// Find the exact value of best play, and of policies, by walking every path
    Solve(Solve),
    /// Tell trials step by step
    Replay(Replay),
    /// Say what each choice is worth in a position, and what policies would do
    Advise(Advise),
    /// Play a game yourself, alone or against policies, and see what your decisions cost
    Play(Play),
    /// Check, explain and list policies, and the words they are written in
    #[command(subcommand)]
    Policy(PolicyCommand),
    /// Check, list and show rules
    #[command(subcommand)]
    Rules(RulesCommand),
    /// List the games, tell the rules and words of one, or check a text
    #[command(args_conflicts_with_subcommands = true)]
    Games {
        /// Tell the rules of this game in half a page: a name, or a file such as mine.game
        #[arg(value_parser = crate::names::game_name)]
        game: Option<String>,
        /// What to print on stdout of all games
        #[arg(long, value_enum, default_value_t, conflicts_with = "game")]
        format: Format,
        /// What is done with texts
        #[command(subcommand)]
        text: Option<GamesCommand>,
    },
    /// Open a page on this machine: move rules and policies by hand, see what they do
    Serve(Serve),
    /// Say what the columns and fields of every file mean
    Columns(Columns),
    /// Measure the throughput of fixed workloads on this machine
    Bench(Bench),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, in roff
    Man,
}

/// Which game, under which rules.
#[derive(Args, Clone, Debug, Serialize)]
pub struct GameArgs {
    /// The game: see `stopwise games`
    #[arg(value_parser = crate::names::game_name)]
    pub game: String,
    /// Rules: a preset's name or a TOML file [default: the game's first preset]
    #[arg(long, value_name = "PRESET|FILE")]
    pub rules: Option<String>,
    /// Change one option of the rules, such as turns=5 or points.solid=9
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

/// What all that play trials have in common.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Common {
    /// The seed of all dice
    #[arg(long, default_value = "1", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::seed)]
    pub seed: u64,
    /// Threads [default: all]; results do not depend on it
    #[arg(long, allow_negative_numbers = true, value_parser = crate::numbers::few)]
    #[serde(skip)]
    pub threads: Option<usize>,
    /// Write the reports into this directory; the sweep.csv.part of a sweep grows as settings finish
    #[arg(long, value_name = "DIR")]
    #[serde(skip)]
    pub out: Option<PathBuf>,
    /// Replace the results of another command, another part of a run, or somebody's files, in the directory
    #[arg(long, requires = "out")]
    #[serde(skip)]
    pub force: bool,
    /// What to print on stdout; as CSV, the main table of the files
    #[arg(long, value_enum, default_value_t)]
    #[serde(skip)]
    pub format: Format,
    /// Words of your own for the head of the report: what is asked, or what you make of it; an empty line parts paragraphs
    #[arg(long, value_name = "TEXT")]
    pub remark: Option<String>,
    /// End as a run does that is interrupted after so many trials, or settings of a sweep; an interrupted run names it
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = crate::numbers::count)]
    pub stop_after: Option<u64>,
    /// Play part K of N of the trials, and leave it in the directory of --out; `stopwise merge` makes one run of all parts
    #[arg(long, value_name = "K/N")]
    #[serde(skip)]
    pub shard: Option<Part>,
    /// Go on where a run with the same arguments was broken off in the directory of --out; if it is whole, play nothing
    #[arg(long, requires = "out")]
    #[serde(skip)]
    pub resume: bool,
    /// No progress, no timing
    #[arg(long, short)]
    #[serde(skip)]
    pub quiet: bool,
}

impl Common {
    /// How many of these trials, or settings of a sweep, are played.
    pub(crate) fn played(&self, trials: u64) -> Result<u64, Failure> {
        match self.stop_after {
            Some(0) => Err(Failure::Input("--stop-after 0: write 1 or more".into())),
            Some(after) if after > trials => Err(Failure::Input(format!(
                "--stop-after {after}: there are {trials}, after which the run ends anyway; write less, or leave it out"
            ))),
            after => Ok(after.unwrap_or(trials)),
        }
    }

    /// The same for a run that ends after so many trials or points.
    pub(crate) fn ending_after(&self, stop_after: Option<u64>) -> Self {
        Self { stop_after, ..self.clone() }
    }

    /// Whether a run is to end after so many trials or points.
    pub(crate) fn ends_after(&self, done: u64) -> bool {
        self.stop_after.is_some_and(|after| done >= after)
    }

    /// Why a run ends that a signal cut short before there was anything to say.
    pub(crate) fn nothing_yet(piece: &str) -> Failure {
        Failure::Interrupted(format!(
            "interrupted: the first {piece} was not complete, so that there is no result, and nothing was written"
        ))
    }

    /// Where the files of a command are to go, if anywhere.
    pub(crate) fn place<'p>(&'p self, command: &'static str, run: Option<&'p str>) -> Option<Place<'p>> {
        self.out.as_deref().map(|path| Place { path, command, force: self.force, run, is_ours: None })
    }
}

/// Who plays.
#[derive(Args, Clone, Debug, Serialize)]
pub struct PolicyArgs {
    /// NAME, NAME:param=value,…, a TOML file, or a policy as typed, 'stop = points >= 20'; once for all seats, or once for each
    #[arg(long = "policy", short = 'p', value_name = "POLICY")]
    #[serde(rename = "policy")]
    pub policies: Vec<String>,
    /// Policies move on by one seat from trial to trial: in trial i the policy for seat s plays in seat s + i, counted
    /// round the table
    #[arg(long)]
    pub rotate: bool,
}

/// What columns mean.
#[derive(Args, Debug)]
pub struct Columns {
    /// Only those of this file, such as summary.csv or manifest.json; `trials` for the rows of --trials-out, `json` for what
    /// --format json prints besides the tables
    pub file: Option<String>,
    /// What to print on stdout
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// The speed of this machine.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Bench {
    /// Seconds for each figure
    #[arg(long, default_value_t = 1.0)]
    pub seconds: f64,
    /// What to print on stdout
    #[arg(long, value_enum, default_value_t)]
    #[serde(skip)]
    pub format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    #[serde(skip)]
    pub json: bool,
}

/// What a result is written as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Table,
    /// The main table of the files
    Csv,
    /// For machines; whole numbers above 2^53 are text, because many readers would round them
    Json,
    /// To paste into a page
    Markdown,
    /// A page with pictures, in one file for a browser
    Html,
    /// The first picture of the page
    Svg,
}

/// What plays trials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Runner {
    /// The fastest there is for the game and the policies
    #[default]
    Auto,
    /// One game after the other
    Trial,
    /// Many games side by side
    Lanes,
    /// The same with these instructions, for tests and reports
    #[value(name = "lanes:avx512")]
    LanesAvx512,
    /// The same with these
    #[value(name = "lanes:avx2")]
    LanesAvx2,
    /// The same in portable code, which games in Rust have on machines other than x86-64
    #[value(name = "lanes:plain")]
    LanesPlain,
}
