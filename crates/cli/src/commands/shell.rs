//! `completions` and `man`.

use clap::CommandFactory as _;

use crate::args::Cli;
use crate::failure::Failure;
use crate::output::put;

pub(crate) fn completions(shell: clap_complete::Shell) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "stopwise", &mut text);
    put(&String::from_utf8_lossy(&text))
}

pub(crate) fn man() -> Result<(), Failure> {
    let mut text = Vec::new();
    let command = Cli::command();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        let title = format!("stopwise {}", sub.get_name());
        let sub = sub.clone().name(title.clone()).display_name(title);
        clap_mangen::Man::new(sub).render(&mut text)?;
    }
    put(&String::from_utf8_lossy(&text))
}
