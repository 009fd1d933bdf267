//! `stopwise`: what was typed, to what can be run, to what was found, to what is printed.
//!
//! A library below a binary of one line, so that it is compiled while the loops of the games are; and for whoever wants what
//! the program finds without printing it: see [`library`].

mod args;
mod commands;
mod complete;
mod dictionary;
mod failure;
mod grid;
mod label;
pub mod library;
mod listing;
mod memory;
mod names;
mod numbers;
mod output;
mod plays;
mod progress;
mod runner;
mod session;
mod setup;
mod signals;
mod threads;
mod turn;
mod typed;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::CommandFactory as _;

use args::{Cli, Command};
use failure::Failure;
use typed::Instead;

/// Does what the command line of this process says; its exit code.
pub fn run() -> ExitCode {
    // Where it cannot be had the program does without.
    let _ = signals::answer_questions(progress::state);
    run_words(&session::words()).into()
}

/// Does what these words say, the first of which is the program's name.
fn run_words(words: &[OsString]) -> u8 {
    if let Some(candidates) = complete::asked(words) {
        // A shell that has gone away asks no more.
        let _ = output::put(&candidates);
        return 0;
    }
    let command = command();
    let done = match typed::typed(&command, words) {
        Ok(cli) => obey(cli.command, command),
        Err(Instead::Answer(text)) => output::put(&text),
        Err(Instead::Refusal(text)) => Err(Failure::Usage(text)),
    };
    let (code, message) = match done {
        Ok(()) | Err(Failure::BrokenPipe) => return 0,
        Err(Failure::Input(message)) => (2, format!("error: {message}")),
        Err(Failure::Other(message) | Failure::Enough(message)) => (1, format!("error: {message}")),
        Err(Failure::Interrupted(message)) => (signals::exit_code(), message),
        Err(Failure::Usage(text)) => {
            output::complain(&text);
            return 2;
        }
    };
    output::note(&message);
    code
}

/// What can be typed, with help that the arguments do not know of themselves: the tables say what their columns mean.
fn command() -> clap::Command {
    let with_columns = |columns: clap::Command| columns.long_about(dictionary::help());
    Cli::command().mut_subcommand("columns", |columns| columns.defer(with_columns))
}

fn obey(command: Command, all: clap::Command) -> Result<(), Failure> {
    match command {
        Command::Simulate(args) => commands::simulate::simulate(&args),
        Command::Compare(args) => commands::compare::compare(&args),
        Command::Rank(args) => commands::rank::rank(&args),
        Command::Sweep(args) => commands::sweep::sweep(&args),
        Command::Balance(args) => commands::balance::balance(&args),
        Command::Merge(args) => obey(commands::merge::merge(&args, &all)?, all),
        Command::Solve(args) => commands::solve::solve(&args),
        Command::Replay(args) => commands::replay::replay(&args),
        Command::Policy(command) => commands::policy::policy(&command),
        Command::Rules(command) => commands::rules::rules(&command),
        Command::Games { game: None, format } => commands::rules::list_games(format),
        Command::Games { game: Some(game), .. } => commands::games::tell(&game),
        Command::Columns(args) => commands::columns::columns(&args),
        Command::Bench(args) => commands::bench::bench(&args),
        Command::Completions { shell } => commands::shell::completions(shell, all),
        Command::Man => commands::shell::man(&all),
    }
}
