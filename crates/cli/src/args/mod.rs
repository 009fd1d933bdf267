//! Requests: what can be asked for, by what is typed or by values.

mod balance;
mod defaults;
mod merge;
mod repeat;
mod serve;
mod stop;
mod table;
mod texts;

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::Serialize;

use crate::checkpoint::Part;
use crate::failure::Failure;
use crate::memory::Memory;
use crate::numbers::Span;
use crate::output::{Place, shown};
pub use balance::Balance;
pub use merge::Merge;
pub(crate) use repeat::{replay, shell_line};
pub use serve::Serve;
pub use stop::Stop;
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
    /// Replace the results of another command, or somebody's files, in the directory
    #[arg(long, requires = "out")]
    #[serde(skip)]
    pub force: bool,
    /// What to print on stdout; as CSV, the main table of the files
    #[arg(long, value_enum, default_value_t)]
    #[serde(skip)]
    pub format: Format,
    /// End as a run does that is interrupted after so many trials, or settings of a sweep; an interrupted run names it
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = crate::numbers::count)]
    pub stop_after: Option<u64>,
    /// Play part K of N of the trials, and leave it in the directory of --out; `stopwise merge` makes one run of all parts
    #[arg(long, value_name = "K/N")]
    #[serde(skip)]
    pub shard: Option<Part>,
    /// Go on where a run with the same arguments was broken off in the directory of --out
    #[arg(long, requires = "out")]
    #[serde(skip)]
    pub resume: bool,
    /// No progress, no timing
    #[arg(long, short)]
    #[serde(skip)]
    pub quiet: bool,
}

impl Common {
    /// How many of these trials are played.
    pub(crate) fn played(&self, trials: u64) -> Result<u64, Failure> {
        match self.stop_after {
            Some(0) => Err(Failure::Input("--stop-after 0: write 1 or more".into())),
            after => Ok(after.map_or(trials, |after| after.min(trials))),
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

    /// Why a run ends that a signal cut short after so many trials or points; `found` is what it has all the same.
    pub(crate) fn interrupted(&self, found: &str, done: u64) -> Failure {
        self.interrupted_so(found, &format!("add --stop-after {done} to the same arguments"))
    }

    /// Why a run ends that a signal cut short before there was anything to say.
    pub(crate) fn nothing_yet(piece: &str) -> Failure {
        Failure::Interrupted(format!(
            "interrupted: the first {piece} was not complete, so that there is no result, and nothing was written"
        ))
    }

    /// The same with something to say; `change` is how the arguments change for whoever repeats it.
    pub(crate) fn interrupted_so(&self, found: &str, change: &str) -> Failure {
        let to = self.out.as_ref().map_or_else(String::new, |path| format!("; written to {}", shown(path)));
        Failure::Interrupted(format!("interrupted: {found}; to repeat exactly this, {change}{to}"))
    }

    /// Where the files of a command are to go, if anywhere.
    pub(crate) fn place(&self, command: &'static str) -> Option<Place<'_>> {
        self.out.as_deref().map(|path| Place { path, command, force: self.force, is_ours: None })
    }
}

/// Who plays.
#[derive(Args, Clone, Debug, Serialize)]
pub struct PolicyArgs {
    /// NAME, NAME:param=value,… or a TOML file; once for all seats, or once for each
    #[arg(long = "policy", short = 'p', value_name = "POLICY")]
    #[serde(rename = "policy")]
    pub policies: Vec<String>,
    /// Policies move on by one seat from trial to trial: in trial i the policy for seat s plays in seat s + i, counted
    /// round the table
    #[arg(long)]
    pub rotate: bool,
}

/// Many trials of a line-up.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Simulate {
    /// The game, and its rules.
    #[command(flatten)]
    #[serde(flatten)]
    pub game: GameArgs,
    /// Who plays.
    #[command(flatten)]
    #[serde(flatten)]
    pub policy: PolicyArgs,
    /// How many trials.
    #[command(flatten)]
    #[serde(flatten)]
    pub stop: Stop,
    /// Also the share of the trials with more than this, with its interval; may be given several times
    #[arg(long, value_name = "X", allow_negative_numbers = true, value_parser = crate::numbers::score)]
    pub above: Vec<u32>,
    /// Also these quantiles, with their intervals: shares such as 0.5,0.9 or 50%,90%
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::share)]
    pub quantiles: Vec<f64>,
    /// Also the expected best of so many games; may be given several times
    #[arg(long, value_name = "GAMES", allow_negative_numbers = true, value_parser = crate::numbers::games)]
    pub best_of: Vec<u32>,
    /// What is drawn, and what --until-width, --above, --quantiles and --best-of are about [default: the game's first metric;
    /// drawn is the first with more than two values]
    #[arg(long)]
    pub metric: Option<String>,
    /// Write a row for every trial and seat into this file: trial, seat, policy, ending and every metric; as CSV or as
    /// Parquet, whichever its name ends in
    #[arg(long, value_name = "FILE.csv|FILE.parquet")]
    #[serde(skip)]
    pub trials_out: Option<PathBuf>,
    /// The runner; all give the same results
    #[arg(long, value_enum, default_value_t)]
    #[serde(skip)]
    pub runner: Runner,
    /// Say on stderr which runner ran
    #[arg(long, short)]
    #[serde(skip)]
    pub verbose: bool,
    /// What all that play trials have in common.
    #[command(flatten)]
    #[serde(flatten)]
    pub common: Common,
}

/// Line-ups on the same trials.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Compare {
    /// The game: see `stopwise games`
    #[arg(value_parser = crate::names::game_name)]
    pub game: String,
    /// Rules: a preset's name or a TOML file [default: the game's first preset]; given several times, every policy plays
    /// under each, on the same dice
    #[arg(long, value_name = "PRESET|FILE")]
    pub rules: Vec<String>,
    /// Change one option of all rules, such as turns=5 or points.solid=9
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// NAME, NAME:param=value,… or a TOML file; give two or more (with several --rules one will do), or `all` for those that
    /// come with the program. In a game for several, one plays in every seat; for a line-up join one for each seat with
    /// `+`. What is compared is the first seat
    #[arg(long = "policy", short = 'p', value_name = "POLICY")]
    #[serde(rename = "policy")]
    pub policies: Vec<String>,
    /// Policies move on by one seat from trial to trial; what is compared is the first policy of each line-up
    #[arg(long)]
    pub rotate: bool,
    /// How many trials.
    #[command(flatten)]
    #[serde(flatten)]
    pub until: Until,
    /// List the first trials in which each pair decides differently, this many, ready for `replay`
    #[arg(
        long,
        value_name = "N",
        default_value = "0",
        hide_default_value = true,
        allow_negative_numbers = true
    )]
    #[arg(value_parser = crate::numbers::few)]
    #[serde(skip_serializing_if = "is_zero")]
    pub divergent: usize,
    /// What all that play trials have in common.
    #[command(flatten)]
    #[serde(flatten)]
    pub common: Common,
}

/// How many trials: a number, or when to stop. Where the trials themselves say when, intervals hold at every moment.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Until {
    /// How many trials; 10k, 2M, 1e6 and 10_000 are understood [default: 1M; at most 100M with a rule to stop]
    #[arg(long, short = 'n', allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::count)]
    pub trials: Option<u64>,
    /// Stop once the interval of every difference is no wider than this, from limit to limit
    #[arg(long, value_name = "WIDTH", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::decimal)]
    pub until_width: Option<f64>,
    /// Stop once it is known of every pair which has more, or that they differ by no more than this
    #[arg(long, value_name = "DELTA", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::decimal)]
    pub until_decided: Option<f64>,
    /// Stop after this time, such as 60s, 5m or 1h
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = crate::numbers::duration)]
    #[serde(serialize_with = "repeat::seconds")]
    pub budget: Option<Duration>,
    /// The metric that is drawn, quantile by quantile, and that decides when to stop [default: the game's first]
    #[arg(long)]
    pub metric: Option<String>,
}

/// Many policies in order.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Rank {
    /// The game, and its rules.
    #[command(flatten)]
    #[serde(flatten)]
    pub game: GameArgs,
    /// NAME, NAME:param=value,… or a TOML file; give two or more, or `all` for those that come with the program. Alone they
    /// race on the same dice; where there are seats everybody meets everybody, and every seat is taken equally often
    #[arg(long = "policy", short = 'p', value_name = "POLICY")]
    #[serde(rename = "policy")]
    pub policies: Vec<String>,
    /// Rank a policy with every value of a parameter: 1..5 (both ends), 1..21:5 (every fifth), 2,4,8; several make a grid.
    /// 2.k=… is the k of the second policy alone
    #[arg(long, value_name = "NAME=LIST")]
    pub vary: Vec<String>,
    /// The metric to rank by [default: the game's first]; games with seats are ranked by wins
    #[arg(long)]
    pub metric: Option<String>,
    /// Trials of a policy at most, or games of every table [default: 1M; with seats 100k]
    #[arg(long, short = 'n', allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::count)]
    pub trials: Option<u64>,
    /// The chance that anything in the ranking is wrong, at most
    #[arg(long, default_value = "0.05", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::decimal)]
    pub alpha: f64,
    /// What a race is for: until the order of all is known, or only who is best [default: order]
    #[arg(long, value_enum)]
    pub aim: Option<Aim>,
    /// Differences that are too small to matter, in the metric's unit: policies that are as close are settled
    /// [default: 1 % of the leader's standard deviation]
    #[arg(long, value_name = "WIDTH", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::decimal)]
    pub resolution: Option<f64>,
    /// Fresh trials of the winner, whose mean in the ranking is optimistic; 0 for none [default: as many as the ranking took]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::count)]
    pub fresh: Option<u64>,
    /// How much memory.
    #[command(flatten)]
    #[serde(skip)]
    pub memory: Memory,
    /// What all that play trials have in common.
    #[command(flatten)]
    #[serde(flatten)]
    pub common: Common,
}

/// What a race is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Aim {
    /// Until the order of every two is known, or they are as close as the resolution
    #[default]
    Order,
    /// Until only those are left that may be best
    Best,
}

/// A grid of policy parameters and options of the rules.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Sweep {
    /// The game, and its rules.
    #[command(flatten)]
    #[serde(flatten)]
    pub game: GameArgs,
    /// Who plays.
    #[command(flatten)]
    #[serde(flatten)]
    pub policy: PolicyArgs,
    /// Vary a parameter of the policies: 1..5 (both ends), 1..21:5 (every fifth), 2,4,8; several make a grid. 2.k=… is the
    /// k of the second policy alone. One policy in a game for several plays against itself as it is named, in all
    /// seats in turn
    #[arg(long, value_name = "NAME=LIST")]
    pub vary: Vec<String>,
    /// Vary an option of the rules, named as in --set; preset=… varies the preset
    #[arg(long, value_name = "KEY=LIST")]
    pub vary_rule: Vec<String>,
    /// The metric that says which setting is best [default: the game's first]
    #[arg(long)]
    pub metric: Option<String>,
    /// How many trials each setting has; 10k, 2M, 1e6 and 10_000 are understood
    #[arg(long, short = 'n', default_value = "1M", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::count)]
    pub trials: u64,
    /// How many of them, the first, say how the settings go together on common dice; more make intervals narrower
    #[arg(long, value_name = "N", default_value = "100k", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::count)]
    pub paired: u64,
    /// The runner; all give the same results
    #[arg(long, value_enum, default_value_t)]
    #[serde(skip)]
    pub runner: Runner,
    /// How much memory.
    #[command(flatten)]
    #[serde(skip)]
    pub memory: Memory,
    /// What all that play trials have in common.
    #[command(flatten)]
    #[serde(flatten)]
    pub common: Common,
}

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
    /// Also the value of this policy and its regret; may be given several times, `all` are those that come with the program
    #[arg(long = "policy", short = 'p', value_name = "POLICY")]
    #[serde(rename = "policy")]
    pub policies: Vec<String>,
    /// The metric to play for [default: the game's first]
    #[arg(long)]
    pub metric: Option<String>,
    /// In which situations best play answers a decision with yes: a table by one or two features, such as
    /// turn_total,score; of several yes/no decisions name one, as in stop:turn,counter
    #[arg(long, value_name = "[KIND:]ROW[,COLUMN]")]
    pub table: Option<String>,
    /// List so many positions with their values, or `all` [default: all, of two dozen states or fewer]; with --out, in
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
    #[arg(long, requires = "out", conflicts_with_all = ["policies", "metric", "table", "positions"])]
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

/// Trials told step by step.
#[derive(Args, Debug)]
pub struct Replay {
    /// The game, and its rules.
    #[command(flatten)]
    pub game: GameArgs,
    /// Who plays.
    #[command(flatten)]
    pub policy: PolicyArgs,
    /// The number of the trial, from 0; with A..B the trials from A to B, both of them told, one after the other
    #[arg(long, value_name = "N|A..B", default_value = "0", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::span)]
    pub trial: Span,
    /// Tell only this turn, from 1, or with A..B the turns from A to B, both of them; every seat counts its own. The end
    /// of the game is told all the same
    #[arg(long, value_name = "N|A..B", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::turns)]
    pub turn: Option<RangeInclusive<u32>>,
    /// The seed of all dice
    #[arg(long, default_value = "1", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::seed)]
    pub seed: u64,
    /// For machines: a document of several lines; with --trial A..B a document a trial, each on one line
    #[arg(long)]
    pub json: bool,
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
#[derive(Args, Debug)]
pub struct Bench {
    /// Seconds for each figure
    #[arg(long, default_value_t = 1.0)]
    pub seconds: f64,
    /// What to print on stdout
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
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
    /// The same with those that every machine has
    #[value(name = "lanes:plain")]
    LanesPlain,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}
