//! `completions` and `man`.

use clap::Command;
use clap_complete::Shell;

use crate::complete::ASK;
use crate::failure::Failure;
use crate::output::put;
use crate::session::Session;

/// The script that completes the words of `command` in a shell.
pub(crate) fn completions(session: &Session, shell: Shell, mut command: Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "stopwise", &mut script);
    let script = String::from_utf8_lossy(&script);
    put(
        session,
        &match shell {
            Shell::Bash => asking(&script, &bash()),
            Shell::Zsh => asking(&script, &zsh()),
            Shell::Fish => fish(&script),
            _ => script.into_owned(),
        },
    )
}

/// How the function that completes begins.
const BEGINNING: &str = "_stopwise() {\n";

/// The script with a function that asks the program first.
fn asking(script: &str, first: &str) -> String {
    script.replacen(BEGINNING, &format!("{BEGINNING}{first}"), 1)
}

/// `COMPREPLY` holds what the program knows; where that is nothing, the function goes on.
fn bash() -> String {
    format!(
        r#"    local breaks="$IFS"
    IFS=$'\n'
    COMPREPLY=( $("${{COMP_WORDS[0]}}" {ASK} bash "${{COMP_WORDS[@]:1:COMP_CWORD}}" 2>/dev/null) )
    IFS="$breaks"
    if [[ ${{#COMPREPLY[@]}} -gt 0 ]]; then
        if [[ "${{COMPREPLY[0]}}" == *[=/] ]]; then
            compopt -o nospace 2>/dev/null
        fi
        return 0
    fi
"#
    )
}

/// No space follows on what is to be written on.
fn zsh() -> String {
    format!(
        r#"    local -a known
    known=("${{(@f)$("${{words[1]}}" {ASK} zsh "${{(@)words[2,CURRENT]}}" 2>/dev/null)}}")
    if [[ -n "${{known[1]}}" ]]; then
        compadd -S '' -- "${{(@M)known:#*[=/]}}"
        compadd -- "${{(@)known:#*[=/]}}"
        return 0
    fi
"#
    )
}

/// The options whose values the program knows, as they stand in the script of fish.
const KNOWN: [&str; 8] = ["policy", "rules", "set", "vary", "vary-rule", "variant", "naive", "metric"];

/// fish gathers candidates from every line that applies: those of options with known values ask, and one for the words that
/// are no options.
fn fish(script: &str) -> String {
    let is_known = |line: &str| KNOWN.iter().any(|name| line.contains(&format!(" -l {name} ")));
    let lines = script.lines().map(|line| match line.starts_with("complete ") && is_known(line) {
        true => format!("{line} -a '(__stopwise_known)'\n"),
        false => format!("{line}\n"),
    });
    format!(
        "function __stopwise_known\n    set -l words (commandline -opc) (commandline -ct)\n    \
         command $words[1] {ASK} fish $words[2..-1] 2>/dev/null\nend\n{}complete -c stopwise -a '(__stopwise_known)'\n",
        lines.collect::<String>()
    )
}

/// The manual page of `command`.
pub(crate) fn man(session: &Session, command: &Command) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        let title = format!("stopwise {}", sub.get_name());
        let sub = sub.clone().name(title.clone()).display_name(title);
        clap_mangen::Man::new(sub).render(&mut text)?;
    }
    put(session, &String::from_utf8_lossy(&text))
}
