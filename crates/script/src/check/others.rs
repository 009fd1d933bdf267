//! Ends that look at the player whose turn it was, of a value that changes in the turns of others, too.

use crate::problem::Problem;
use crate::syntax::{EndForm, Expr, File, Still, Term};

pub(super) fn ends_of_others(text: &str, file: &File) -> Vec<Problem> {
    let changed = file.values_of_others();
    let warning = |condition: &Expr| {
        let read = file.own_values(condition);
        let name = read.intersection(&changed).next()?;
        let message = format!(
            "this looks at `{name}` of the player whose turn it was, and that of others changes as well"
        );
        let everybody = match &condition.term {
            Term::Binary(_, left, _) if left.word() == Some(name) => {
                format!("any(p in everyone where p.{})", &text[condition.span.clone()])
            }
            _ => format!("any(p in everyone where …)` with `p.{name}"),
        };
        Some(
            Problem::new(condition.span.clone(), message)
                .help(format!("to look at everybody, write `{everybody}`")),
        )
    };
    let is_round = file.play.as_ref().is_some_and(|play| play.is_round);
    file.ends
        .iter()
        .filter(|_| !is_round)
        .filter_map(|end| match &end.form {
            EndForm::When(condition, Still::Nothing | Still::OneMoreTurn) => warning(condition),
            _ => None,
        })
        .collect()
}
