//! Busts and ends of turns and rounds that no random game comes to, though nothing but their condition stands before them.

use stopwise_engine::vocabulary::grouped;

use super::ends::ends;
use super::random::Met;
use crate::GameText;
use crate::compile::{self, Given, given};
use crate::op::GameOption;
use crate::problem::{Problem, Span};
use crate::syntax::{Block, End, EndForm, Expr, File, Form, Name, Term};

/// Games that nearly every statement is met in.
const FEW: u64 = 100;
/// The most statements that are looked for, and that are told.
const MOST: usize = 32;
const TOLD: usize = 8;
/// The name of an ending that no text can have.
const HERE: &str = "here ";

/// A warning for every such statement that is not met with a preset, or another value of an option, either.
pub(super) fn unreached(text: &GameText, (games, steps): (u64, u64)) -> Vec<Problem> {
    let file = text.file();
    let mut found = Vec::new();
    each_block(file, &mut |block| conditional(block, file, false, &mut found));
    found.truncate(MOST);
    let warning = |(span, word): (Span, &str)| {
        let named = ended_at(file, &span)?;
        let played = |options: &[Given], games| {
            // What is wrong with the rules was found when the text was read.
            let program = compile::compile(&named, options).ok()?;
            let here = program.endings.iter().position(|ending| ending.name == HERE)?;
            let met = Met::new(&program, games, steps);
            Some((met.ended[here] > 0, met.games))
        };
        if played(&[], FEW.min(games))?.0 {
            return None;
        }
        let (false, games) = played(&[], games)? else { return None };
        let is_met = |options: &[Given]| played(options, FEW).is_some_and(|(is_met, _)| is_met);
        let with = |option: &GameOption, value| is_met(&given(file, &[(option.name.clone(), value)]));
        let is_met_elsewhere = file.presets.iter().any(|preset| is_met(&preset.values))
            || text.options().iter().any(|option| ends(option).any(|value| with(option, value)));
        let message =
            format!("`{word}` is never met in {} random games: can its condition hold?", grouped(games));
        (!is_met_elsewhere).then(|| Problem::new(span, message))
    };
    found.into_iter().filter_map(warning).take(TOLD).collect()
}

fn each_block<'f>(file: &'f File, visit: &mut dyn FnMut(&'f Block)) {
    let turn = file.play.iter().map(|play| &play.block);
    turn.chain(file.steps.iter().map(|(_, block)| block)).for_each(visit);
}

/// The busts and ends of turns under a condition. One that an option decides may be for other values of it.
fn conditional(block: &Block, file: &File, is_under: bool, found: &mut Vec<(Span, &'static str)>) {
    for statement in block {
        let word = match &statement.form {
            Form::Bust => "bust",
            Form::EndTurn(_) => "end turn",
            Form::EndRound => "end round",
            Form::If(branches, _)
                if branches.iter().any(|(condition, _)| is_of_options(condition, file, DEEP)) =>
            {
                continue;
            }
            form => {
                let is_under = is_under || matches!(form, Form::If(..));
                // A bag that is never empty needs its `else` all the same.
                if !matches!(form, Form::Draw { .. }) {
                    statement
                        .blocks()
                        .into_iter()
                        .for_each(|inner| conditional(inner, file, is_under, found));
                }
                continue;
            }
        };
        if is_under {
            found.push((statement.span.clone(), word));
        }
    }
}

/// Definitions of definitions are looked through so deep.
const DEEP: usize = 8;

fn is_of_options(condition: &Expr, file: &File, depth: usize) -> bool {
    let mut is = false;
    condition.each(&mut |part| {
        let name = match &part.term {
            Term::Call(name, _) => &name.text,
            _ => part.word().unwrap_or_default(),
        };
        let define = file.defines.iter().find(|define| define.name.text == name);
        is |= file.options.iter().any(|option| option.name.text == name)
            || depth > 0
                && define.is_some_and(|define| {
                    define.lines.iter().any(|(when, value)| {
                        let is = |part: &Expr| is_of_options(part, file, depth - 1);
                        when.as_ref().is_some_and(is) || is(value)
                    })
                });
    });
    is
}

/// The game that is over where the statement at this place would be met.
fn ended_at(file: &File, span: &Span) -> Option<File> {
    let name = Name { text: HERE.into(), span: span.clone() };
    let mut file = file.clone();
    let mut blocks: Vec<&mut Block> = file.play.iter_mut().map(|play| &mut play.block).collect();
    blocks.extend(file.steps.iter_mut().map(|(_, block)| block));
    blocks.into_iter().any(|block| replace(block, span, &name)).then_some(())?;
    file.ends.push(End {
        span: span.clone(),
        early: false,
        name: Some(name),
        form: EndForm::Means(String::new()),
        said: String::new(),
    });
    Some(file)
}

fn replace(block: &mut Block, span: &Span, name: &Name) -> bool {
    block.iter_mut().any(|statement| match &mut statement.form {
        Form::Bust | Form::EndTurn(_) | Form::EndRound | Form::EndGame(..) => {
            let is_it = statement.span == *span;
            if is_it {
                statement.form = Form::EndGame(name.clone(), None);
            }
            is_it
        }
        Form::Ask { yes, otherwise, .. } => {
            [yes].into_iter().chain(otherwise).any(|block| replace(block, span, name))
        }
        Form::If(branches, otherwise) => {
            let branches = branches.iter_mut().map(|(_, block)| block);
            branches.chain(otherwise).any(|block| replace(block, span, name))
        }
        Form::Repeat(_, block) | Form::For(_, block) => replace(block, span, name),
        _ => false,
    })
}
