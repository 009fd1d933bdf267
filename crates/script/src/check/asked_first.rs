//! Where `chance(bust)` looks no further than a question that is asked before the dice are rolled.

use std::collections::BTreeSet;

use crate::op::{Program, SiteForm};
use crate::problem::Problem;
use crate::syntax::{File, Term};

pub(super) fn asked_first(file: &File, program: &Program) -> Vec<Problem> {
    let name = |site: u32| match program.sites[site as usize].form {
        SiteForm::Ask(kind) => program.kinds[kind].name.as_str(),
        _ => "",
    };
    let mut problems = Vec::new();
    for seen in &file.see {
        let mut looks = false;
        seen.value.each(&mut |expr| {
            looks |= matches!(&expr.term, Term::Call(name, arguments) if name.text == "chance" && arguments.len() == 1);
        });
        let of = program.asked_first.iter().filter(|(span, ..)| looks && *span == seen.value.span);
        for (at, next) in of.map(|&(_, at, next)| (name(at), name(next))).collect::<BTreeSet<_>>() {
            let message = format!(
                "at `{at}` the question `{next}` may come before the roll: `chance(bust)` is 0 there"
            );
            let help = format!(
                "it looks no further than the next question; give policies the cases to count with, \
                 `see {} = chance(11, 36)`, or ask `{next}` before `{at}`",
                seen.name.text
            );
            problems.push(Problem::new(seen.value.span.clone(), message).help(help));
        }
    }
    problems
}
