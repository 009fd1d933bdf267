//! `stopwise`: what was typed, to what can be run, to what was found, to what is printed.
//!
//! A library below a binary of one line, so that it is compiled while the loops of the games are. Other programs begin with
//! [`library`], which finds what this one prints.

mod advice;
mod args;
mod checkpoint;
mod commands;
mod complete;
mod dictionary;
mod exact;
mod failure;
mod fault;
mod fresh;
mod grid;
mod label;
pub mod library;
mod listing;
mod memory;
mod mistake;
mod names;
mod numbers;
mod output;
mod progress;
mod publish;
mod runner;
mod serve;
mod session;
mod setup;
mod signals;
mod stop;
mod threads;
mod typed;

use std::process::ExitCode;

use clap::CommandFactory as _;

use args::{Cli, Request};
use checkpoint::Handed;
use failure::Failure;
use session::Session;
use typed::{Instead, typed};

/// Does what the command line of this process says; its exit code.
pub fn run() -> ExitCode {
    let session = Session::program(std::env::args_os().collect());
    let followed = session.followed();
    // Where it cannot be had the program does without.
    let _ = signals::answer_questions(&session, move || progress::state(followed()));
    run_program(&session).into()
}

/// Does what the words of the program say.
fn run_program(session: &Session) -> u8 {
    if let Some(candidates) = complete::asked(session) {
        // A shell that has gone away asks no more.
        let _ = output::put(session, &candidates);
        return 0;
    }
    let command = command();
    let done = match typed(session, &command) {
        Ok(cli) => obey(session, cli.request, &Handed::default(), command),
        Err(Instead::Answer(text)) => output::put(session, &text),
        Err(Instead::Refusal(text)) => Err(Failure::Usage(text)),
    };
    let (code, message) = match done {
        Ok(()) | Err(Failure::BrokenPipe | Failure::Over) => return 0,
        Err(Failure::Input(message) | Failure::Text(message, _)) => (2, format!("error: {message}")),
        Err(Failure::Other(message) | Failure::Enough(message)) => (1, format!("error: {message}")),
        Err(Failure::Interrupted(message)) => (session.stop.exit_code(), message),
        Err(Failure::Usage(text)) => {
            output::complain(session, &text);
            return 2;
        }
    };
    output::note(session, &message);
    code
}

/// What can be typed, with help that the arguments do not know of themselves: the tables say what their columns mean.
fn command() -> clap::Command {
    let with_columns = |columns: clap::Command| columns.long_about(dictionary::help());
    Cli::command().mut_subcommand("columns", |columns| columns.defer(with_columns))
}

/// Does what is asked for; `all` is what can be typed.
fn obey(session: &Session, request: Request, handed: &Handed, all: clap::Command) -> Result<(), Failure> {
    match request {
        Request::Simulate(args) => commands::simulate::simulate(session, &args, handed),
        Request::Compare(args) => commands::compare::compare(session, &args, handed),
        Request::Rank(args) => commands::rank::rank(session, &args, handed),
        Request::Sweep(args) => commands::sweep::sweep(session, &args, handed),
        Request::Balance(args) => commands::balance::balance(session, &args, handed),
        Request::Merge(args) => {
            let (request, session, handed) = commands::merge::merge(session, &args, &all)?;
            obey(&session, request, &handed, all)
        }
        Request::Solve(args) => commands::solve::solve(session, &args),
        Request::Advise(args) => commands::advise::advise(session, &args),
        Request::Play(args) => commands::play::play(session, &args),
        Request::Replay(args) => commands::replay::replay(session, &args),
        Request::Policy(command) => commands::policy::policy(session, &command),
        Request::Rules(command) => commands::rules::rules(session, &command),
        Request::Games { text: Some(command), .. } => commands::games::texts(session, &command),
        Request::Games { game: Some(game), .. } => commands::games::tell(session, &game),
        Request::Games { format, .. } => commands::rules::list_games(session, format),
        Request::Serve(args) => serve::serve(session, &args),
        Request::Columns(args) => commands::columns::columns(session, &args),
        Request::Bench(args) => commands::bench::bench(session, &args),
        Request::Completions { shell } => commands::shell::completions(session, shell, all),
        Request::Man => commands::shell::man(session, &all),
    }
}
