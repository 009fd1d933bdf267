//! Ways through statements: whether a pass of `repeat` can be without a roll, a draw or a question.

use super::Compiler;
use crate::problem::Problem;
use crate::syntax::{Block, Expr, Form, Statement};

/// What can happen on the ways through statements.
#[derive(Clone, Copy, Debug)]
struct Ways {
    /// Some way leads to the end.
    falls: bool,
    /// Every way that does has a stop.
    stops: bool,
    /// Some way leads to `again` without a stop.
    again: bool,
    /// Some way leads out of the loop.
    breaks: bool,
}

impl Ways {
    const FALLS: Self = Self { falls: true, stops: false, again: false, breaks: false };
    const LEAVES: Self = Self { falls: false, ..Self::FALLS };
    const STOPS: Self = Self { stops: true, ..Self::FALLS };

    fn or(self, other: Self) -> Self {
        Self {
            falls: self.falls || other.falls,
            stops: (self.stops || !self.falls) && (other.stops || !other.falls),
            again: self.again || other.again,
            breaks: self.breaks || other.breaks,
        }
    }
}

impl Compiler<'_> {
    fn ways(&self, block: &[Statement], depth: usize) -> Ways {
        let mut all = Ways::FALLS;
        for statement in block {
            let ways = self.ways_of(statement, depth);
            all.again |= ways.again && !all.stops;
            all.breaks |= ways.breaks;
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
            Form::Roll { .. } | Form::Chance { .. } | Form::Draw { .. } | Form::AskAll { .. } => Ways::STOPS,
            Form::Ask { domain: Some(_), .. } => Ways::STOPS,
            Form::Ask { yes, otherwise, .. } => {
                let ways = inner(yes).or(optional(otherwise));
                Ways { stops: true, again: false, ..ways }
            }
            Form::If(branches, otherwise) => {
                branches.iter().fold(optional(otherwise), |ways, (_, block)| ways.or(inner(block)))
            }
            Form::Repeat(condition, block) => {
                Ways { falls: condition.is_some() || inner(block).breaks, ..Ways::FALLS }
            }
            Form::Break => Ways { breaks: true, ..Ways::LEAVES },
            Form::Again => Ways { again: true, ..Ways::LEAVES },
            Form::Bust | Form::EndTurn | Form::EndRound | Form::EndGame(_) => Ways::LEAVES,
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
        let ways = self.ways(block, 0);
        if ways.falls && !ways.stops || ways.again {
            let problem =
                Problem::new(span.clone(), "some way through this loop has no roll, draw or question");
            self.problem(
                problem.help("such a loop could go on for ever; `for` runs through numbers or names"),
            );
        } else if condition.is_none() && !ways.falls && !ways.again && !ways.breaks && block.is_empty() {
            self.wrong(span, "this loop does nothing");
        }
    }
}
