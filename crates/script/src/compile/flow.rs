//! Ways through statements: whether a pass of `repeat` can be without a roll, a draw or a question.

use super::Compiler;
use crate::same::is_same_loop;
use crate::syntax::{Block, Expr, Fold, Form, Loop, Statement, Term};

/// What can happen on the ways through statements.
#[derive(Clone, Copy, Debug)]
struct Ways {
    /// Some way leads to the end.
    falls: bool,
    /// Every way that does has a stop.
    stops: bool,
    /// Where some way leads to an `again` without a stop.
    again: Option<usize>,
    /// Some way leads out of the loop; some does without a stop.
    breaks: bool,
    breaks_at_once: bool,
}

impl Ways {
    const FALLS: Self = Self { falls: true, stops: false, again: None, breaks: false, breaks_at_once: false };
    const LEAVES: Self = Self { falls: false, ..Self::FALLS };
    const STOPS: Self = Self { stops: true, ..Self::FALLS };

    fn or(self, other: Self) -> Self {
        Self {
            falls: self.falls || other.falls,
            stops: (self.stops || !self.falls) && (other.stops || !other.falls),
            again: self.again.or(other.again),
            breaks: self.breaks || other.breaks,
            breaks_at_once: self.breaks_at_once || other.breaks_at_once,
        }
    }
}

impl Compiler<'_> {
    fn ways(&self, block: &[Statement], depth: usize) -> Ways {
        self.ways_where(block, None, depth)
    }

    /// The ways where there is something to run through at the beginning.
    fn ways_where(&self, block: &[Statement], mut some: Option<&Loop>, depth: usize) -> Ways {
        let mut all = Ways::FALLS;
        for statement in block {
            let ways = match (&statement.form, some) {
                (Form::For(over, block), Some(known)) if is_same_loop(over, known) => {
                    let ways = self.ways(block, depth);
                    let stops = (ways.stops || !ways.falls) && ways.again.is_none() && !ways.breaks_at_once;
                    Ways { stops, ..Ways::FALLS }
                }
                (Form::AskAll { player, domain, filter, .. }, Some(known)) => {
                    let domain = Box::new(domain.clone());
                    let over = Loop { name: player.clone(), domain, filter: filter.clone().map(Box::new) };
                    Ways { stops: is_same_loop(&over, known), ..Ways::FALLS }
                }
                _ => self.ways_of(statement, depth),
            };
            if !matches!(statement.form, Form::Count { .. } | Form::Let(_)) {
                some = None;
            }
            all.again = all.again.or(ways.again.filter(|_| !all.stops));
            all.breaks |= ways.breaks;
            all.breaks_at_once |= ways.breaks_at_once && !all.stops;
            all.stops |= ways.stops;
            if !ways.falls {
                all.falls = false;
                break;
            }
        }
        all
    }

    fn ways_of(&self, statement: &Statement, depth: usize) -> Ways {
        let inner = |block: &Block| self.ways(block, depth);
        let optional = |block: &Option<Block>| block.as_ref().map_or(Ways::FALLS, inner);
        match &statement.form {
            Form::Roll { .. } | Form::Chance { .. } => Ways::STOPS,
            // Without a case nothing is drawn, and nobody is asked.
            Form::Draw { otherwise: Some(block), .. }
            | Form::Ask { domain: Some(_), otherwise: Some(block), .. } => Ways::STOPS.or(inner(block)),
            Form::Draw { .. } | Form::Ask { domain: Some(_), .. } => Ways::STOPS,
            Form::AskAll { filter, domain, .. } => {
                Ways { stops: filter.is_none() && domain.is_word("everyone"), ..Ways::FALLS }
            }
            Form::Ask { yes, otherwise, filter, .. } => {
                let (yes, no) = (inner(yes), optional(otherwise));
                let is_asked = filter.is_none();
                Ways {
                    stops: is_asked || no.stops || !no.falls,
                    again: no.again.filter(|_| !is_asked),
                    breaks_at_once: no.breaks_at_once && !is_asked,
                    ..yes.or(no)
                }
            }
            Form::If(branches, otherwise) => {
                branches.iter().fold(optional(otherwise), |ways, (_, block)| ways.or(inner(block)))
            }
            Form::Repeat(condition, block) => {
                Ways { falls: condition.is_some() || inner(block).breaks, ..Ways::FALLS }
            }
            Form::Break => Ways { breaks: true, breaks_at_once: true, ..Ways::LEAVES },
            Form::Again => Ways { again: Some(statement.span.start), ..Ways::LEAVES },
            Form::Bust | Form::EndTurn(_) | Form::EndRound | Form::EndGame(..) => Ways::LEAVES,
            Form::Do(name) => {
                let steps = self.file.steps.iter().find(|(steps, _)| steps.text == name.text);
                match steps {
                    Some((_, block)) if depth < 30 => self.ways(block, depth + 1),
                    _ => Ways::FALLS,
                }
            }
            Form::Let(_) | Form::Assign(..) | Form::For(..) | Form::Count { .. } => Ways::FALLS,
        }
    }

    /// The rolls, draws and questions in statements.
    pub(super) fn stops(&self, block: &Block, depth: usize) -> usize {
        let inner = |block: &Block| self.stops(block, depth);
        let optional = |block: &Option<Block>| block.as_ref().map_or(0, inner);
        let of = |statement: &Statement| match &statement.form {
            Form::Roll { .. } | Form::Chance { .. } | Form::AskAll { .. } => 1,
            Form::Draw { otherwise, .. } => 1 + optional(otherwise),
            Form::Ask { yes, otherwise, .. } => 1 + inner(yes) + optional(otherwise),
            Form::If(branches, otherwise) => {
                branches.iter().map(|(_, block)| inner(block)).sum::<usize>() + optional(otherwise)
            }
            Form::Repeat(_, block) | Form::For(_, block) => inner(block),
            Form::Do(name) if depth < 30 => {
                let steps = self.file.steps.iter().find(|(steps, _)| steps.text == name.text);
                steps.map_or(0, |(_, block)| self.stops(block, depth + 1))
            }
            _ => 0,
        };
        block.iter().map(of).sum()
    }

    /// Whether no way leads to the end of these statements.
    pub(super) fn leaves(&self, block: &Block) -> bool {
        !self.ways(block, 0).falls
    }

    /// Refuses a loop that may go on without end.
    pub(super) fn check_repeat(
        &mut self,
        condition: Option<&Expr>,
        block: &Block,
        span: &crate::problem::Span,
    ) {
        let some = match condition.map(|condition| &condition.term) {
            Some(Term::Fold(Fold::Any, over, None)) => Some(over),
            _ => None,
        };
        let ways = self.ways_where(block, some, 0);
        let idle = ways
            .again
            .map(|at| (at..at + "again".len(), "some way to this `again` has no roll, draw or question"));
        let idle = idle.or((ways.falls && !ways.stops)
            .then(|| (span.clone(), "some way through this loop has no roll, draw or question")));
        if let Some((span, message)) = idle {
            self.advise(&span, message, "such a loop could go on for ever: let every way through it roll, draw or ask, or leave by `break` where \
                     it does not (`draw … else: break`). A `for … where …` counts only as the first line of a `repeat while \
                     any(…)` of the same; what runs through numbers or names is a `for` without `repeat`");
        } else if condition.is_none() && !ways.falls && !ways.breaks && block.is_empty() {
            self.wrong(span, "this loop does nothing");
        }
    }
}
