//! Sums and counts that run through rolled dice: every face is met once there, however many dice show it.

use std::collections::BTreeSet;

use crate::problem::Problem;
use crate::syntax::{Domain, Expr, File, Fold, Form, Loop, Term};

pub(super) fn counted_once(text: &str, file: &File) -> Vec<Problem> {
    let mut dice = BTreeSet::new();
    file.each_statement(&mut |statement| {
        if let Form::Roll { parts, .. } = &statement.form {
            let several = parts.iter().filter(|part| part.many.is_some());
            dice.extend(several.map(|part| part.name.text.as_str()));
        }
    });
    let mut problems = Vec::new();
    let mut look = |expr: &Expr| {
        let Term::Fold(fold @ (Fold::Count | Fold::Sum), over, value) = &expr.term else { return };
        let Domain::List(items) = &*over.domain else { return };
        let [Expr { term: Term::Word(bag), .. }] = &items[..] else { return };
        if !dice.contains(bag.as_str()) || counts_itself(over, value.as_deref()) {
            return;
        }
        let face = &over.name.text;
        let in_words = |expr: &Expr| &text[expr.span.clone()];
        let value = value.as_deref().map(in_words);
        // What is counted may be a condition behind a colon.
        let (condition, times) = if *fold == Fold::Count { (value, None) } else { (None, value) };
        let condition = over.filter.as_deref().map(in_words).or(condition);
        let filter = condition.map_or(String::new(), |condition| format!(" where {condition}"));
        let is_plain = |value: &str| value.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        let times = times.map_or(String::new(), |value| match value {
            _ if is_plain(value) => format!("{value} * "),
            _ => format!("({value}) * "),
        });
        let message = format!("`{face} in {bag}` meets every face once, however many dice show it");
        let help = format!(
            "to count dice, write `sum({face} in {bag}{filter}: {times}count({bag}, {face}))`; if every face counts once, say so: \
             `where count({bag}, {face}) > 0`"
        );
        problems.push(Problem::new(expr.span.clone(), message).help(help));
    };
    file.each_rule(&mut look);
    file.see.iter().for_each(|seen| seen.value.each(&mut look));
    problems
}

/// Whether a loop through dice looks at how many show a face.
fn counts_itself(over: &Loop, value: Option<&Expr>) -> bool {
    let mut does = false;
    let mut look = |expr: &Expr| {
        does |= matches!(&expr.term, Term::Call(name, of)
            if name.text == "count" && of.last().and_then(Expr::word) == Some(&over.name.text));
    };
    over.filter.iter().for_each(|filter| filter.each(&mut look));
    value.iter().for_each(|value| value.each(&mut look));
    does
}
