//! Whether several can be first: where they cannot, a win is whole.

use super::value::{Kind, Val};
use super::{Compiler, Global};
use crate::syntax::{End, EndForm, Expr, Form, Most, Operator, Still, Term, Verdict};

impl Compiler<'_> {
    /// Whether the end makes one player first. It does if it comes only when a number of the player whose turn it was, who
    /// has most of it then, reaches a limit, and nobody's number changes in another's turn: all others are below.
    pub(super) fn one_is_first(&mut self) -> bool {
        let file = self.file;
        let Some((Most::Most, Expr { term: Term::Word(name), .. })) = file.win.first() else { return false };
        let Some(Global::Variable(number)) = self.globals.get(name) else { return false };
        let var = self.variables[*number].clone();
        let is_own = var.is_players && var.dims.len() == 1 && var.kind == Kind::Number;
        let changes_others = self.program.is_round || file.values_of_others().contains(name);
        let mut named = Vec::new();
        file.each_statement(&mut |statement| {
            if let Form::EndGame(ending, verdict) = &statement.form {
                let is_single = match verdict {
                    Some((Verdict::Won, _)) => true,
                    Some((Verdict::Lost, _)) => self.program.seats == 2,
                    None => false,
                };
                named.extend((!is_single).then(|| ending.text.clone()));
            }
        });
        let is_early =
            |name: &String| self.program.endings.iter().any(|ending| ending.name == *name && ending.early);
        if !is_own || changes_others || !named.iter().all(is_early) {
            return false;
        }
        let variable = file.player.iter().find(|variable| variable.name.text == *name);
        let Some(first) = variable.map(|variable| &variable.value) else { return false };
        let first = self.number(first);
        file.ends.iter().all(|end| end.early || self.reaches(end, name, &first, var.highs[0]))
    }

    /// Whether an end comes when a number reaches a limit above its first value.
    fn reaches(&mut self, end: &End, name: &str, first: &Val, most: i64) -> bool {
        let condition = match &end.form {
            EndForm::Means(_) => return true,
            EndForm::When(condition, Still::Nothing) => condition,
            _ => return false,
        };
        let Term::Binary(operator, left, right) = &condition.term else { return false };
        if left.word() != Some(name) {
            return false;
        }
        let limit = self.number(right);
        let Some(limit) = limit.known() else { return false };
        let reaches = match operator {
            Operator::GreaterEqual => true,
            Operator::Equal => most <= limit,
            _ => false,
        };
        reaches && first.hi < limit
    }
}
