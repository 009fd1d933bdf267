//! Busts and ends of turns and rounds that no random game comes to, though nothing but their condition stands before them.

use super::random::Met;
use crate::compile;
use crate::problem::{Problem, Span};
use crate::syntax::{Block, End, EndForm, Expr, File, Form, Name};

/// Games that nearly every statement is met in.
const FEW: u64 = 100;
/// The name of an ending that no text can have.
const HERE: &str = "here ";

/// A warning for every such statement.
pub(super) fn unreached(file: &File, (games, steps): (u64, u64)) -> Vec<Problem> {
    let mut found = Vec::new();
    each_block(file, &mut |block| conditional(block, file, false, &mut found));
    let warning = |(span, word): (Span, &str)| {
        let named = ended_at(file, &span)?;
        // What is wrong with the rules was found when the text was read.
        let program = compile::compile(&named, &[]).ok()?;
        let here = program.endings.iter().position(|ending| ending.name == HERE)?;
        let played = |games| Met::new(&program, games, steps);
        if played(FEW.min(games)).ended[here] > 0 {
            return None;
        }
        let met = played(games);
        let message = format!("`{word}` is never met in {} random games: can its condition hold?", met.games);
        (met.ended[here] == 0).then(|| Problem::new(span, message))
    };
    found.into_iter().filter_map(warning).collect()
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
            Form::If(branches, _) if branches.iter().any(|(condition, _)| is_of_options(condition, file)) => {
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

fn is_of_options(condition: &Expr, file: &File) -> bool {
    let is_option = |name: &str| file.options.iter().any(|option| option.name.text == name);
    let mut is = false;
    condition.each(&mut |part| is |= part.word().is_some_and(is_option));
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
