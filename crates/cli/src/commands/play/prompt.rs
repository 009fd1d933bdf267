//! What a person sees and types.

use std::io::{self, BufRead as _, IsTerminal as _};

use stopwise_document::text::{Style, ascii, folded, minus, text};
use stopwise_document::{Block, Report, Section};
use stopwise_engine::game::Kind;
use stopwise_erased::{Asked, Choice};
use stopwise_reports::advise::AdviseReport;

use super::drawing::{drawn, listed};
use crate::failure::Failure;
use crate::output::{self, Colour, is_ascii, print_painted, put, tell};
use crate::session::Session;

/// The longest line that is read, in bytes.
const LONGEST: u64 = 1 << 12;

/// The columns of a game that is read from a pipe.
const PIPE: usize = 80;

/// What a person has typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// The action with this number.
    Choice(u8),
    Advice,
    Undo,
    Rules,
    Quit,
}

/// Where a person sits.
pub(super) struct Terminal<'s> {
    session: &'s Session,
    style: Style,
}

impl<'s> Terminal<'s> {
    pub(super) fn new(session: &'s Session) -> Self {
        let width = output::terminal_width().unwrap_or(PIPE);
        let style = Style { width, is_coloured: Colour::of_stdout() == Colour::Always };
        Self { session, style }
    }

    /// Prints what has happened.
    pub(super) fn show(&self, news: &str) -> Result<(), Failure> {
        tell(self.session, &folded(&minus(news), self.style.width))
    }

    pub(super) fn say(&self, text: &str) -> Result<(), Failure> {
        self.show(&format!("{text}\n"))
    }

    /// The table as the person sees it, and what can be chosen.
    pub(super) fn ask(&self, asked: &Asked, kind: &Kind) -> Result<(), Failure> {
        let mut said = format!("\n{}", drawn(&asked.scene, self.style));
        said += &format!("  {}:\n", kind.meaning);
        let mark = mark(&asked.choices);
        for (choice, number) in asked.choices.iter().zip(1..) {
            said += &format!("    {} {}\n", self.bold(&format!("{mark}{number}")), choice.told());
        }
        self.paint(&said)
    }

    /// What each choice is worth, and the parts of the table that are too long to be shown every time.
    pub(super) fn show_choices(&self, found: &AdviseReport) -> Result<(), Failure> {
        let full = found.report();
        let is_choices = |section: &&Section| section.title == "Choices";
        let sections = full.sections.iter().filter(is_choices).cloned();
        let sections = sections.map(|section| Section { title: String::new(), ..section });
        let report =
            Report { answer: full.answer.clone(), sections: sections.collect(), ..Report::default() };
        debug_assert!(report.sections.iter().any(|section| matches!(section.blocks[0], Block::View(_))));
        self.paint(text(&report, self.style).trim_start_matches('\n'))?;
        self.paint(&listed(&found.asked.scene.long, self.style))
    }

    /// Reads until a line has a meaning here.
    pub(super) fn answer(&mut self, asked: &Asked, kind: &Kind) -> Result<Said, Failure> {
        loop {
            if io::stdin().is_terminal() {
                put(self.session, "> ")?;
            }
            let Some(line) = self.line()? else { return Ok(Said::Quit) };
            match said(&line, kind.name, &asked.choices) {
                Ok(said) => return Ok(said),
                Err(why) => self.say(&why)?,
            }
        }
    }

    /// A line without its line break; `None` at the end of the input.
    fn line(&self) -> Result<Option<String>, Failure> {
        let mut bytes = Vec::new();
        let read = io::Read::take(io::stdin().lock(), LONGEST).read_until(b'\n', &mut bytes);
        match read {
            _ if self.session.is_ending() => Err(Failure::Interrupted(super::INTERRUPTED.into())),
            Ok(0) => Ok(None),
            Ok(_) => Ok(Some(String::from_utf8_lossy(&bytes).trim().to_lowercase())),
            Err(error) => Err(Failure::Other(format!("cannot read what you type: {error}"))),
        }
    }

    fn bold(&self, text: &str) -> String {
        if self.style.is_coloured { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() }
    }

    fn paint(&self, text: &str) -> Result<(), Failure> {
        let text = if self.style.is_coloured { text.to_owned() } else { folded(text, self.style.width) };
        let text = minus(&text).into_owned();
        let text = if is_ascii() { ascii(&text) } else { text };
        if self.style.is_coloured { print_painted(self.session, &text) } else { tell(self.session, &text) }
    }
}

/// What stands before the number of a choice: `#` where a choice is itself a number, such as a face, so that a number alone means that.
fn mark(choices: &[Choice]) -> &'static str {
    let is_number = |choice: &Choice| choice.name.parse::<i64>().is_ok();
    if choices.iter().any(is_number) { "#" } else { "" }
}

/// The form in which names are compared: "1 5 5" is "1, 5, 5".
fn bare(name: &str) -> String {
    let name = name.to_lowercase().replace(',', " ");
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a line means: a choice by its name, its number or its beginning, or a word of the program.
fn said(line: &str, kind: &str, choices: &[Choice]) -> Result<Said, String> {
    let line = &*bare(line);
    let of_kind = |choice: &Choice| format!("{kind}: {}", choice.word);
    let named = |choice: &&Choice| {
        [&choice.name, &choice.word, &of_kind(choice)].iter().any(|name| bare(name) == line)
    };
    if let Some(choice) = choices.iter().find(named) {
        return Ok(Said::Choice(choice.action));
    }
    if let Some((action, _)) =
        choices.iter().flat_map(|choice| &choice.same).find(|(_, word)| bare(word) == line)
    {
        return Ok(Said::Choice(*action));
    }
    let (mark, last) = (mark(choices), choices.len());
    let number = line.strip_prefix('#').or(mark.is_empty().then_some(line));
    if let Some(Ok(number)) = number.map(str::parse::<usize>) {
        let choice = number.checked_sub(1).and_then(|at| choices.get(at));
        return choice
            .map(|choice| Said::Choice(choice.action))
            .ok_or_else(|| format!("There is no choice {mark}{number}; the last is {mark}{last}."));
    }
    match line {
        "?" | "help" => return Ok(Said::Advice),
        "undo" => return Ok(Said::Undo),
        "rules" => return Ok(Said::Rules),
        "quit" | "exit" | "q" => return Ok(Said::Quit),
        "" => return Err("A number, please, or a word; ? says what each choice is worth.".into()),
        _ => {}
    }
    let begins =
        |choice: &&Choice| [&choice.word, &choice.name].iter().any(|name| bare(name).starts_with(line));
    let begins: Vec<&Choice> = choices.iter().filter(begins).collect();
    match begins.as_slice() {
        [one] => Ok(Said::Choice(one.action)),
        [] => Err(format!(
            "`{line}` is no choice here; write {mark}1 to {mark}{last}, or ?, undo, rules or quit."
        )),
        several => {
            let is_one = |choice: &Choice| several.iter().any(|one| one.action == choice.action);
            let numbered = (1..).zip(choices).filter(|(_, choice)| is_one(choice));
            let names: Vec<String> =
                numbered.map(|(number, choice)| format!("“{}” ({mark}{number})", choice.name)).collect();
            Err(format!("`{line}` may be {}; write more of it, or its number.", names.join(" or ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(action: u8, name: &str) -> Choice {
        Choice { action, name: name.into(), word: name.into(), worth: None, same: Vec::new() }
    }

    #[test]
    fn choices_have_numbers_and_names() {
        let choices: Vec<Choice> = [(1, "hold"), (0, "roll again"), (5, "roll all")]
            .map(|(action, name)| named(action, name))
            .into();
        let choice = |line| said(line, "stop", &choices);
        assert_eq!(["1", "#1"].map(choice), [const { Ok(Said::Choice(1)) }; 2]);
        assert_eq!(choice("h"), Ok(Said::Choice(1)));
        assert_eq!(choice("roll again"), Ok(Said::Choice(0)));
        assert_eq!(choice("?"), Ok(Said::Advice));
        let bank = |action, word| Choice { name: format!("bank: {word}"), ..named(action, word) };
        let choices = [bank(0, "no"), bank(1, "yes")];
        let choice = |line| said(line, "stop", &choices);
        assert_eq!(
            ["yes", "y", "bank: yes", "stop: yes", "2"].map(choice),
            [const { Ok(Said::Choice(1)) }; 5]
        );
        assert!(choice("bank").is_err());
        let choices: Vec<Choice> =
            [(1, "roll"), (0, "roll again")].map(|(action, name)| named(action, name)).into();
        let choice = |line| said(line, "stop", &choices);
        assert_eq!(choice("roll"), Ok(Said::Choice(1)));
        for wrong in ["", "0", "4", "rol", "stop"] {
            assert!(choice(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_face_is_not_taken_for_a_place() {
        let choices = ["5", "1, 5, 5", "1, 5", "worm"];
        let choices: Vec<Choice> =
            choices.into_iter().zip(0..).map(|(name, action)| named(action, name)).collect();
        let choice = |line| said(line, "stop", &choices).ok();
        let said = ["5", "1 5", "1,5,5", "#1", "#4", "w", "1 5 5"].map(choice);
        assert_eq!(said, [0, 2, 1, 0, 3, 3, 1].map(|action| Some(Said::Choice(action))));
        assert_eq!(["2", "#5", "#0", "1"].map(choice), [None; 4]);
    }
}
