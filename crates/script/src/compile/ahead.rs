//! `chance(bust)` and `mean(e)` at a question of yes or no: what follows a no, until the next question to `me` or the end of
//! the turn; a bust that no answer avoids counts, too. All outcomes of the only roll in between are tried, so that the numbers are exact fractions of one
//! denominator, or where there is none that is small enough, the nearest of [`PARTS`].

use std::collections::{BTreeMap, BTreeSet};

use super::Compiler;
use super::value::{Kind, Val};
use crate::op::{Bin, Cell, Form, Look, Op, Reading, Reg};
use crate::problem::{Problem, Span};
use crate::syntax::{Expr, Operator, Seen, Term, Words};

/// No denominator is as great as this.
const MOST: i64 = 1 << 31;

/// The denominator where the chances have none in common that is small enough, as those of 23 cards one by one: every number up
/// to 22 divides it. It is lcm(1, …, 22) times six, for the throws of dice.
const PARTS: i64 = 6 * 232_792_560;

/// Advice where more than the next roll decides.
const ONE_ROLL: &str = "`chance(bust)` and `mean(…)` are of one roll or draw: a roll after a draw is a second one. Leave the word \
    out, and give policies what they can count with, as `see dice_left = left`";

/// The same where a roll is too large.
const FEWER_DICE: &str = "let the number of dice have a narrower range, or leave the word out, and give policies what they can count \
    with, as `see dice_left = left`";

/// What is looked at ahead.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    /// The cells of every `mean`, by its place in the text, for its value when the turn is over.
    pub(super) cells: BTreeMap<usize, Cell>,
    /// What sets them.
    pub(super) at_end: Vec<Op>,
    /// The questions from which is looked, with the places of `see`.
    from: Vec<(u32, Span)>,
    /// The questions to `me`.
    mine: BTreeSet<u32>,
    /// The weight of all outcomes of a roll, or a multiple of it.
    pub(super) weights: BTreeMap<u32, i64>,
}

/// Whether an expression asks for `chance(bust)` or `mean(…)`.
pub(super) fn looks_ahead(expr: &Expr) -> bool {
    let mut does = false;
    expr.each(&mut |expr| {
        does |= matches!(&expr.term, Term::Call(name, arguments)
            if name.text == "mean" || name.text == "chance" && arguments.len() != 2);
    });
    does
}

/// What may come next after a question.
#[derive(Default)]
struct Ways {
    /// The rolls before the next question to `me`.
    rolls: BTreeSet<u32>,
    /// The questions to `me` that come before any roll.
    asked: BTreeSet<u32>,
}

/// A number in parts of the denominator, or a plain truth value, with its range in wholes.
struct Part {
    look: Look,
    lo: i64,
    hi: i64,
    is_truth: bool,
}

impl Compiler<'_> {
    /// What the `mean`s that are looked at are at a question, if it is to `me` and knows their names.
    pub(super) fn means_at(&mut self, site: u32, is_mine: bool) {
        if is_mine {
            self.ahead.mine.insert(site);
        }
        let file = self.file;
        for seen in file.see.iter().filter(|seen| looks_ahead(&seen.value)) {
            let mut means = Vec::new();
            seen.value.each(&mut |expr| {
                if let Term::Call(name, arguments) = &expr.term
                    && let ("mean", [of]) = (name.text.as_str(), &arguments[..])
                {
                    means.push((expr.span.start, of.clone()));
                }
            });
            for (place, of) in means {
                let problems = self.problems.len();
                self.reading(site, None, None, &mean_name(place), &Words::default(), |c| c.expression(&of));
                self.problems.truncate(problems);
            }
        }
    }

    /// A word of `see` that looks ahead.
    pub(super) fn look(&mut self, site: u32, kind: usize, is_mine: bool, seen: &Seen) {
        let is_yes_no = self.program.kinds[kind].form == Form::YesNo;
        let found =
            if is_yes_no && is_mine {
                let before = self.problems.len();
                let part = self.part(&seen.value, site);
                let problems = self.problems.split_off(before);
                part.ok_or(problems)
            } else {
                let problem = Problem::new(
                    seen.name.span.clone(),
                    format!("`{}` can be looked at from no question", seen.name.text),
                );
                Err(vec![problem.help(
                    "`chance(bust)` and `mean(…)` look from a question of yes or no to whose turn it is",
                )])
            };
        let Part { look, lo, hi, is_truth } = match found {
            Ok(part) => part,
            Err(problems) => {
                self.seen.entry(seen.name.text.clone()).or_insert(Some(problems));
                return;
            }
        };
        self.seen.insert(seen.name.text.clone(), None);
        self.ahead.from.push((site, seen.value.span.clone()));
        let number = u32::try_from(self.program.looks.len()).unwrap_or(0);
        self.program.looks.push(look);
        let name = &seen.name.text;
        match self.program.readings.iter_mut().find(|reading| reading.name == *name && reading.kind.is_none())
        {
            Some(reading) => {
                reading.lo_hi(lo, hi);
                reading.ahead.push((site, number));
            }
            None => {
                let reading = Reading::new(name, &seen.words, None, (lo, hi), is_truth);
                self.program.readings.push(Reading { ahead: vec![(site, number)], ..reading });
            }
        }
    }

    fn part(&mut self, expr: &Expr, site: u32) -> Option<Part> {
        let plain = |look, lo, hi| Some(Part { look, lo, hi, is_truth: false });
        if !looks_ahead(expr) {
            let (reading, value) = self.plain(expr, site)?;
            let is_truth = value.kind == Kind::Truth;
            return Some(Part { look: Look::Whole(reading), lo: value.lo, hi: value.hi, is_truth });
        }
        match &expr.term {
            Term::Call(name, arguments) => match (name.text.as_str(), &arguments[..]) {
                ("chance", [Expr { term: Term::Word(word), .. }]) if word == "bust" => {
                    plain(Look::Bust, 0, 1)
                }
                ("mean", [of]) => {
                    let value = self.at_turns_end(expr.span.start, of)?;
                    let reading = self.hidden_reading(&mean_name(expr.span.start))?;
                    let cell = self.ahead.cells[&expr.span.start];
                    plain(Look::Mean(reading, cell), value.lo.min(0), value.hi.max(0))
                }
                _ => self.no_look(expr),
            },
            Term::Negate(inner) => {
                let inner = self.part(inner, site)?;
                let zero = Box::new(Look::Zero);
                plain(Look::Bin(Bin::Sub, zero, Box::new(inner.look)), -inner.hi, -inner.lo)
            }
            Term::Binary(Operator::Multiply, left, right) if !looks_ahead(left) || !looks_ahead(right) => {
                let (ahead, by) = if looks_ahead(left) { (left, right) } else { (right, left) };
                let part = self.part(ahead, site)?;
                let (reading, value) = self.plain(by, site)?;
                let ends = [part.lo * value.lo, part.lo * value.hi, part.hi * value.lo, part.hi * value.hi];
                let (lo, hi) = (ends.iter().min().copied()?, ends.iter().max().copied()?);
                plain(Look::Times(Box::new(part.look), reading), lo, hi)
            }
            Term::Binary(operator, left, right) => {
                let (left, right) = (self.part(left, site)?, self.part(right, site)?);
                let (bin, swap) = match operator {
                    Operator::Add => (Bin::Add, false),
                    Operator::Subtract => (Bin::Sub, false),
                    Operator::Less => (Bin::Lt, false),
                    Operator::LessEqual => (Bin::Le, false),
                    Operator::Greater => (Bin::Lt, true),
                    Operator::GreaterEqual => (Bin::Le, true),
                    Operator::Equal => (Bin::Eq, false),
                    _ => return self.no_look(expr),
                };
                if left.is_truth || right.is_truth {
                    return self.no_look(expr);
                }
                let (lo, hi) = match bin {
                    Bin::Add => (left.lo + right.lo, left.hi + right.hi),
                    Bin::Sub => (left.lo - right.hi, left.hi - right.lo),
                    _ => (0, 1),
                };
                let (a, b) = (Box::new(left.look), Box::new(right.look));
                let look = if swap { Look::Bin(bin, b, a) } else { Look::Bin(bin, a, b) };
                Some(Part { look, lo, hi, is_truth: !matches!(bin, Bin::Add | Bin::Sub) })
            }
            _ => self.no_look(expr),
        }
    }

    fn no_look(&mut self, expr: &Expr) -> Option<Part> {
        self.advise(&expr.span, "this cannot be made of what is looked at ahead", "`chance(bust)` and `mean(…)` are added, subtracted, compared, and multiplied by what is known now");
        None
    }

    /// Something that is known at the question.
    fn plain(&mut self, expr: &Expr, site: u32) -> Option<(usize, Val)> {
        let name = format!("part {}", expr.span.start);
        let mut found = None;
        self.reading(site, None, None, &name, &Words::default(), |c| {
            let value = c.expression(expr);
            found = Some(value.clone());
            value
        });
        let reading = self.hidden_reading(&name)?;
        found.filter(|value| !value.is_broken()).map(|value| (reading, value))
    }

    fn hidden_reading(&self, name: &str) -> Option<usize> {
        self.program.readings.iter().position(|reading| reading.name == name)
    }

    /// What a `mean` is of when the turn is over, kept until the next stop.
    fn at_turns_end(&mut self, place: usize, of: &Expr) -> Option<Val> {
        let (value, ops) = self.aside(|c| c.expression(of));
        if !matches!(value.kind, Kind::Number | Kind::Truth) {
            let _ = self.want_number(&value, &of.span);
            return None;
        }
        if !self.ahead.cells.contains_key(&place) {
            let cell = self.new_cells(1, value.lo, value.hi, true);
            let ((), store) = self.aside(|c| {
                c.store_cell(cell, value.at);
            });
            self.ahead.cells.insert(place, cell);
            self.ahead.at_end.extend(ops.into_iter().chain(store));
        }
        Some(value)
    }

    /// Follows every way after the questions from which is looked: at most one roll, and then a question to `me` or the end
    /// of the turn. Numbers get their denominator.
    pub(super) fn check_looks(&mut self) -> Result<(), Vec<Problem>> {
        let mut denominator = 1;
        let mut problems = Vec::new();
        let mut known = BTreeMap::new();
        for (site, span) in std::mem::take(&mut self.ahead.from) {
            match known.entry(site).or_insert_with(|| self.ways_after(site)) {
                Ok(Ways { rolls, asked }) => {
                    self.program.asked_first.extend(asked.iter().map(|&other| (span.clone(), site, other)));
                    for roll in &*rolls {
                        let weight = self.ahead.weights.get(roll).copied().unwrap_or(MOST);
                        denominator = super::winners::lcm(denominator, weight).min(MOST);
                    }
                }
                Err((why, help)) => problems.push(Problem::new(span.clone(), why.as_str()).help(*help)),
            }
        }
        if denominator == MOST {
            denominator = PARTS;
        }
        self.program.denominator = denominator;
        for reading in &mut self.program.readings {
            if !reading.ahead.is_empty() && !reading.is_truth {
                reading.denominator = denominator;
                reading.low *= denominator;
                reading.high *= denominator;
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// What may come next after a question: one roll at the most on each way to the next question to `me`.
    fn ways_after(&self, site: u32) -> Result<Ways, (String, &'static str)> {
        let ops = self.ops.iter().enumerate();
        let by_label: BTreeMap<u32, usize> = ops
            .filter_map(|(at, op)| if let Op::Label(label) = op { Some((*label, at)) } else { None })
            .collect();
        let from = self.ops.iter().position(|op| *op == Op::Ask(site)).unwrap_or(self.ops.len());
        let mut ways = Ways::default();
        // Where, the registers that hold a no: an answer, and a number that was set; and whether something was rolled.
        let (mut seen, mut rest) = (BTreeSet::new(), vec![(from + 1, [None; 2], false)]);
        while let Some((at, mut no, has_rolled)) = rest.pop() {
            if !seen.insert((at, no, has_rolled)) {
                continue;
            }
            let Some(op) = self.ops.get(at) else { continue };
            let is_no = |a: Reg| no.contains(&Some(a));
            let (was_no, written) = (matches!(*op, Op::Move(_, a) if is_no(a)), op.writes());
            let is_jump_of_no = matches!(*op, Op::JumpUnless(a, _) | Op::JumpIf(a, _) if is_no(a));
            no = no.map(|register| register.filter(|_| register != written));
            let next = match *op {
                Op::Label(label) if label == self.labels_of.end || self.labels_of.is_ending(label) => {
                    continue;
                }
                Op::End(_) | Op::Return => continue,
                // The answer is no, and so is that of a question that is skipped.
                Op::Take(d, 0) if at == from + 1 => {
                    no[0] = Some(d);
                    vec![at + 1]
                }
                Op::Move(d, _) if was_no => {
                    no[0] = Some(d);
                    vec![at + 1]
                }
                Op::Set(d, 0) => {
                    let is_skipped = matches!(self.ops.get(at + 1), Some(Op::JumpUnless(..) | Op::Jump(_)));
                    no[1] = Some(d).filter(|_| is_skipped);
                    vec![at + 1]
                }
                // It is known no longer, so that ways that meet again are one.
                Op::JumpUnless(_, to) if is_jump_of_no => {
                    no = [None; 2];
                    vec![by_label[&to]]
                }
                Op::JumpIf(..) if is_jump_of_no => {
                    no = [None; 2];
                    vec![at + 1]
                }
                Op::Ask(other) if self.ahead.mine.contains(&other) => {
                    if !has_rolled && self.may_roll_after(at, &by_label) {
                        ways.asked.insert(other);
                    }
                    continue;
                }
                Op::Ask(_) => {
                    let why = "others are asked after this question, before `me` is asked again";
                    return Err((why.into(), ONE_ROLL));
                }
                Op::Roll(roll) | Op::Draw(roll) if has_rolled => {
                    return Err(match &self.program.sites[roll as usize].event {
                        Some(event) => (
                            format!(
                                "the next roll may be of so many dice that looking ahead takes too long: {} of these are the most",
                                event.most
                            ),
                            FEWER_DICE,
                        ),
                        None => (
                            "more than one roll or draw may come after this question, before `me` is asked again".into(),
                            ONE_ROLL,
                        ),
                    });
                }
                Op::Roll(roll) | Op::Draw(roll) => {
                    ways.rolls.insert(roll);
                    rest.push((at + 1, [None, no[1]], true));
                    continue;
                }
                Op::Jump(to) => vec![by_label[&to]],
                op => op.target().map(|to| by_label[&to]).into_iter().chain([at + 1]).collect(),
            };
            rest.extend(next.into_iter().map(|at| (at, no, has_rolled)));
        }
        Ok(ways)
    }

    /// Whether something may be rolled or drawn after a question, before the turn is over.
    fn may_roll_after(&self, question: usize, by_label: &BTreeMap<u32, usize>) -> bool {
        let (mut seen, mut rest) = (BTreeSet::new(), vec![question + 1]);
        while let Some(at) = rest.pop() {
            let Some(op) = self.ops.get(at).filter(|_| seen.insert(at)) else { continue };
            match *op {
                Op::Roll(_) | Op::Draw(_) => return true,
                Op::Label(label) if label == self.labels_of.end || self.labels_of.is_ending(label) => {}
                Op::End(_) | Op::Return => {}
                Op::Jump(to) => rest.push(by_label[&to]),
                op => rest.extend(op.target().map(|to| by_label[&to]).into_iter().chain([at + 1])),
            }
        }
        false
    }
}

fn mean_name(place: usize) -> String {
    format!("mean {place}")
}

/// Only what is looked at ahead reads it: its name is none that can be written.
impl Reading {
    pub(crate) fn is_hidden(&self) -> bool {
        self.name.contains(' ')
    }
}
