//! Checks an expression: resolves names, matches the types of values, and computes the range of every value, so that
//! nothing can overflow or divide by zero when a trial is played.
//!
//! A number is stored as an integer over a fixed denominator (36 for a chance of two dice, 20 for 0.35), so that
//! arithmetic and comparisons are exact.

use stopwise_engine::vocabulary::Feature;

use super::chance::{self, Chances};
use super::fraction::lcm;
use super::names::{hyphenated, unknown};
use super::parse::{Operation, Syntax, SyntaxForm, balanced};
use super::scope::Scope;
use stopwise_text::{Problem, Problems, both};

/// The largest magnitude of a number: far above anything that a game counts, and safe in 64 bits.
const LIMIT: i128 = 1 << 62;
/// The largest denominator.
const FINEST: i64 = 1_000_000_000_000;

/// A checked expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Checked {
    pub(crate) step: Instruction,
    pub(crate) kind: Kind,
    /// The least and greatest value it can take, times the denominator; for a truth value, 0 and 1.
    pub(crate) low: i64,
    pub(crate) high: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Instruction {
    Constant(i64),
    Feature(usize),
    Negate(Box<Checked>),
    Not(Box<Checked>),
    Binary(Operation, Box<Checked>, Box<Checked>),
    Choose(Box<Checked>, Box<Checked>, Box<Checked>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Truth,
    /// A number with this denominator.
    Number(i64),
}

impl Checked {
    /// The cost of computing it, in steps; a division counts as eight.
    pub(crate) fn steps(&self) -> usize {
        match &self.step {
            Instruction::Constant(_) | Instruction::Feature(_) => 1,
            Instruction::Negate(inner) | Instruction::Not(inner) => 1 + inner.steps(),
            Instruction::Binary(operator, left, right) => {
                let own = if matches!(operator, Operation::Divide | Operation::Remainder) { 8 } else { 1 };
                own + left.steps() + right.steps()
            }
            Instruction::Choose(condition, yes, no) => 1 + condition.steps() + yes.steps() + no.steps(),
        }
    }
}

impl Checked {
    /// The operands that an operator joins in a row, in order, if it is one of those that may join them in any grouping:
    /// from left to right one value waits for the next, however many there are. Otherwise the expression alone.
    pub(crate) fn row(&self, operator: Operation) -> Vec<&Self> {
        let mut row = Vec::new();
        let mut rest = vec![self];
        while let Some(part) = rest.pop() {
            match &part.step {
                Instruction::Binary(own, left, right) if *own == operator && operator.is_associative() => {
                    rest.extend([&**right, left]);
                }
                _ => row.push(part),
            }
        }
        row
    }
}

/// Checks an expression that must be true or false.
///
/// # Errors
///
/// All problems, except those that follow from others.
pub(crate) fn condition(syntax: &Syntax, scope: Scope<'_>) -> Result<Checked, Problems> {
    let checked = check(syntax, scope)?;
    Ok(truth(checked, syntax)?)
}

/// Checks an expression that must be a number, and gives its denominator as well.
///
/// # Errors
///
/// All problems, except those that follow from others.
pub(crate) fn quantity(syntax: &Syntax, scope: Scope<'_>) -> Result<(Checked, i64), Problems> {
    let checked = check(syntax, scope)?;
    Ok(number(checked, syntax)?)
}

fn truth(checked: Checked, syntax: &Syntax) -> Result<Checked, Problem> {
    match checked.kind {
        Kind::Truth => Ok(checked),
        Kind::Number(_) => {
            let example = match &syntax.form {
                SyntaxForm::Name(name) if name.len() < 40 => name,
                _ => "counter",
            };
            Err(Problem::new(syntax.span.clone(), "this is a number, but a yes or no is needed")
                .help(format!("compare it with something, for example `{example} >= 2`")))
        }
    }
}

fn number(checked: Checked, syntax: &Syntax) -> Result<(Checked, i64), Problem> {
    match checked.kind {
        Kind::Number(denominator) => Ok((checked, denominator)),
        Kind::Truth => {
            let problem = Problem::new(syntax.span.clone(), "this is a yes or no, but a number is needed");
            Err(match &syntax.form {
                SyntaxForm::Name(name) => problem.help(format!("write `{name}` alone, or `{name} ? 1 : 0`")),
                _ => problem.help("choose between two numbers, for example `counter >= 2 ? 3 : 1`"),
            })
        }
    }
}

pub(crate) fn check(syntax: &Syntax, scope: Scope<'_>) -> Result<Checked, Problems> {
    Ok(match &syntax.form {
        SyntaxForm::Number(numerator, denominator) => constant(*numerator, Kind::Number(*denominator)),
        SyntaxForm::Truth(yes) => constant(i64::from(*yes), Kind::Truth),
        SyntaxForm::Name(name) => named(name, syntax, scope)?,
        SyntaxForm::Negate(inner) => {
            let (inner, denominator) = number(check(inner, scope)?, inner)?;
            let (low, high) = (-inner.high, -inner.low);
            fold(Checked {
                step: Instruction::Negate(Box::new(inner)),
                kind: Kind::Number(denominator),
                low,
                high,
            })
        }
        SyntaxForm::Not(inner) => {
            let inner = truth(check(inner, scope)?, inner)?;
            let (low, high) = (1 - inner.high, 1 - inner.low);
            fold(Checked { step: Instruction::Not(Box::new(inner)), kind: Kind::Truth, low, high })
        }
        SyntaxForm::Binary(operator, left, right) => {
            let side = |side| match operator {
                Operation::And | Operation::Or => {
                    check(side, scope).and_then(|checked| Ok(truth(checked, side)?))
                }
                _ => check(side, scope),
            };
            let sides = both(side(left), side(right));
            let (left_checked, right_checked) = sides.map_err(|problems| {
                let names: Vec<_> = scope.names().collect();
                hyphenated(syntax, "name", &names, problems)
            })?;
            let sides = ((left_checked, &**left), (right_checked, &**right));
            match (scope.chances, operator) {
                (Chances::Within, Operation::Divide) => quotient(sides, syntax)?,
                _ => binary(*operator, sides, syntax)?,
            }
        }
        SyntaxForm::Choose(condition, yes, no) => {
            let branches = both(check(yes, scope), check(no, scope));
            let condition = check(condition, scope).and_then(|checked| Ok(truth(checked, condition)?));
            let (condition, (yes, no)) = both(condition, branches)?;
            let (yes, no, kind) = match (yes.kind, no.kind) {
                (Kind::Truth, Kind::Truth) => (yes, no, Kind::Truth),
                (Kind::Number(_), Kind::Number(_)) => {
                    let (yes, no, denominator) = common(yes, no, syntax)?;
                    (yes, no, Kind::Number(denominator))
                }
                _ => {
                    let message = "one branch is a number, the other a yes or no";
                    return Err(Problem::new(syntax.span.clone(), message).into());
                }
            };
            let (low, high) = (yes.low.min(no.low), yes.high.max(no.high));
            let step = Instruction::Choose(Box::new(condition), Box::new(yes), Box::new(no));
            fold(Checked { step, kind, low, high })
        }
        SyntaxForm::Call(name, arguments) => call(name, arguments, syntax, scope)?,
    })
}

fn named(name: &str, syntax: &Syntax, scope: Scope<'_>) -> Result<Checked, Problem> {
    if let Some(index) = scope.features.iter().position(|feature| feature.name == name) {
        let Feature { low, high, denominator, is_truth, .. } = scope.features[index];
        let kind = if is_truth { Kind::Truth } else { Kind::Number(denominator) };
        return Ok(fold(Checked { step: Instruction::Feature(index), kind, low, high }));
    }
    if let Some(parameter) = scope.parameters.iter().find(|parameter| parameter.name == name) {
        let kind = if parameter.is_truth { Kind::Truth } else { Kind::Number(parameter.denominator) };
        return Ok(constant(parameter.numerator, kind));
    }
    Err(unknown(syntax.span.clone(), "name", name, scope.names()))
}

/// Advice where a function is called that there is not.
const OF_TEXTS: &str = "known: min, max, chance; the text of a game can give a word for what else is worked out, by `see`, and of candidates by \
    `candidate`";

fn call(name: &str, arguments: &[Syntax], syntax: &Syntax, scope: Scope<'_>) -> Result<Checked, Problems> {
    let operator = match name {
        chance::NAME => return by_chance(arguments, syntax, scope),
        "min" => Ok(Operation::Min),
        "max" => Ok(Operation::Max),
        _ => {
            let problem =
                Problem::unknown(syntax.span.clone(), "function", name, ["min", "max", chance::NAME]);
            let help = problem.help.clone().filter(|help| !help.starts_with("known"));
            Err(vec![problem.help(help.unwrap_or_else(|| OF_TEXTS.into()))])
        }
    };
    let (mut numbers, mut problems) = (Vec::new(), Problems::new());
    for argument in arguments {
        match check(argument, scope).and_then(|checked| Ok(number(checked, argument)?.0)) {
            Ok(number) => numbers.push(number),
            Err(more) => problems.extend(more),
        }
    }
    let (operator, ()) = both(operator, if problems.is_empty() { Ok(()) } else { Err(problems) })?;
    let join = |left, right| {
        let (left, right, denominator) = common(left, right, syntax)?;
        combine(operator, left, right, Kind::Number(denominator), syntax)
    };
    let none = || Problem::new(syntax.span.clone(), format!("`{name}` needs numbers to choose from"));
    balanced(numbers, join)?.ok_or_else(|| none().into())
}

/// `chance(p)`: whether a number that is drawn is less than p.
fn by_chance(arguments: &[Syntax], syntax: &Syntax, scope: Scope<'_>) -> Result<Checked, Problems> {
    let problem = |message: &str| Problem::new(syntax.span.clone(), message);
    let cannot = |help| problem("`chance` cannot stand here").help(help);
    let (places, first) = match scope.chances {
        Chances::Here(places, first) => (places, first),
        Chances::Within => return Err(cannot(chance::IN_CONDITIONS).into()),
        Chances::NotHere(help) => return Err(cannot(help).into()),
    };
    let [argument] = arguments else {
        return Err(problem("`chance` takes one number").help("write `chance(0.3)` for 30 %").into());
    };
    let within = Scope { chances: Chances::Within, ..scope };
    let (asked, parts) = number(check(argument, within)?, argument)?;
    if asked.high < 0 || asked.low > parts {
        let problem = Problem::new(argument.span.clone(), "a chance is a number from 0 to 1");
        return Err(problem.help("write `chance(0.3)` for 30 %").into());
    }
    let word = first + places.iter().position(|place| *place == syntax.span).unwrap_or_default();
    let kind = Kind::Number(chance::PARTS);
    let word = Checked { step: Instruction::Feature(word), kind, low: 0, high: chance::PARTS - 1 };
    let (word, asked, _) = common(word, asked, syntax)?;
    Ok(combine(Operation::Less, word, asked, Kind::Truth, syntax)?)
}

/// An operand, as it was read.
type Side<'s> = (Checked, &'s Syntax);

/// A quotient in a chance, where one rounded to a whole number would be 0 or certain: it is exact, as in `chance(1 / 3)`.
fn quotient(
    ((left, left_syntax), (right, right_syntax)): (Side<'_>, Side<'_>),
    syntax: &Syntax,
) -> Result<Checked, Problems> {
    let (of, right) = both(
        number(left, left_syntax).map_err(Problems::from),
        number(right, right_syntax).map_err(Problems::from),
    )?;
    let ((of, parts), (Checked { step: Instruction::Constant(divisor @ 1..), .. }, 1)) = (of, right) else {
        let message = "in a chance this must be a whole number that never changes, 1 or more";
        return Err(Problem::new(right_syntax.span.clone(), message)
            .help("divide by a number or a parameter, as in `chance(points / 20)`")
            .into());
    };
    let parts = parts.checked_mul(divisor).filter(|parts| lcm(*parts, chance::PARTS) <= FINEST);
    let too_fine = || {
        Problem::new(syntax.span.clone(), "the parts of this quotient are too small to be exact")
            .help("write the chance with decimals")
    };
    Ok(Checked { kind: Kind::Number(parts.ok_or_else(too_fine)?), ..of })
}

fn binary(
    operator: Operation,
    ((left, left_syntax), (right, right_syntax)): (Side<'_>, Side<'_>),
    syntax: &Syntax,
) -> Result<Checked, Problems> {
    let number = |checked, syntax| number(checked, syntax).map_err(Problems::from);
    if matches!(operator, Operation::And | Operation::Or) {
        return Ok(combine(operator, left, right, Kind::Truth, syntax)?);
    }
    let truths = left.kind == Kind::Truth && right.kind == Kind::Truth;
    if truths && matches!(operator, Operation::Equal | Operation::Unequal) {
        return Ok(combine(operator, left, right, Kind::Truth, syntax)?);
    }
    let ((left, left_denominator), (right, right_denominator)) =
        both(number(left, left_syntax), number(right, right_syntax))?;
    Ok(match operator {
        Operation::Multiply => {
            let denominator = left_denominator
                .checked_mul(right_denominator)
                .filter(|&denominator| denominator <= FINEST)
                .ok_or_else(|| too_fine(syntax))?;
            combine(operator, left, right, Kind::Number(denominator), syntax)?
        }
        Operation::Divide | Operation::Remainder => {
            if (left_denominator, right_denominator) != (1, 1) {
                let sign = if operator == Operation::Divide { "/" } else { "%" };
                return Err(Problem::new(syntax.span.clone(), format!("`{sign}` is for whole numbers only"))
                    .help("multiply both sides of the comparison instead")
                    .into());
            }
            if left.low == left.high
                && right.low == right.high
                && right.low != 0
                && left.low % right.low != 0
                && operator == Operation::Divide
            {
                let message = format!(
                    "{} / {} drops the remainder and is {}",
                    left.low,
                    right.low,
                    left.low / right.low
                );
                return Err(Problem::new(syntax.span.clone(), message)
                    .help("write the fraction with decimals, or multiply: `6 * bust_chance <= 1`")
                    .into());
            }
            if right.low <= 0 && right.high >= 0 {
                return Err(Problem::new(right_syntax.span.clone(), "the divisor can be 0")
                    .help("write `max(1, …)` around it")
                    .into());
            }
            combine(operator, left, right, Kind::Number(1), syntax)?
        }
        _ => {
            let (left, right, denominator) = common(left, right, syntax)?;
            let kind = if operator.is_comparison() { Kind::Truth } else { Kind::Number(denominator) };
            combine(operator, left, right, kind, syntax)?
        }
    })
}

fn too_fine(syntax: &Syntax) -> Problem {
    Problem::new(syntax.span.clone(), "this takes too many decimals to be exact").help("use fewer decimals")
}

/// Brings two numbers to a common denominator.
fn common(left: Checked, right: Checked, syntax: &Syntax) -> Result<(Checked, Checked, i64), Problem> {
    let (Kind::Number(left_denominator), Kind::Number(right_denominator)) = (left.kind, right.kind) else {
        return Err(Problem::new(syntax.span.clone(), "numbers are needed"));
    };
    let denominator = lcm(left_denominator, right_denominator);
    if denominator > FINEST {
        return Err(too_fine(syntax));
    }
    let scaled = |checked: Checked, from: i64| {
        let factor = denominator / from;
        if factor == 1 {
            return Ok(checked);
        }
        combine(
            Operation::Multiply,
            checked,
            constant(factor, Kind::Number(1)),
            Kind::Number(denominator),
            syntax,
        )
    };
    Ok((scaled(left, left_denominator)?, scaled(right, right_denominator)?, denominator))
}

fn constant(value: i64, kind: Kind) -> Checked {
    Checked { step: Instruction::Constant(value), kind, low: value, high: value }
}

/// Replaces an expression that can take only one value by a constant.
fn fold(checked: Checked) -> Checked {
    if checked.low == checked.high { constant(checked.low, checked.kind) } else { checked }
}

/// Combines two operands and computes the range of the result.
fn combine(
    operator: Operation,
    left: Checked,
    right: Checked,
    kind: Kind,
    syntax: &Syntax,
) -> Result<Checked, Problem> {
    let (low, high) = range(operator, &left, &right);
    if low < -LIMIT || high > LIMIT {
        return Err(Problem::new(syntax.span.clone(), "this can become too large to compute"));
    }
    #[allow(clippy::cast_possible_truncation, reason = "within the limit")]
    let (low, high) = (low as i64, high as i64);
    let step = Instruction::Binary(operator, Box::new(left), Box::new(right));
    Ok(fold(Checked { step, kind, low, high }))
}

fn range(operator: Operation, left: &Checked, right: &Checked) -> (i128, i128) {
    let [a, b, c, d] = [left.low, left.high, right.low, right.high].map(i128::from);
    let hull = |f: fn(i128, i128) -> i128| {
        let corners = [f(a, c), f(a, d), f(b, c), f(b, d)];
        (corners.into_iter().min().unwrap_or(0), corners.into_iter().max().unwrap_or(0))
    };
    let decided = |always: bool, never: bool| (i128::from(always), i128::from(!never));
    match operator {
        Operation::Add => (a + c, b + d),
        Operation::Subtract => (a - d, b - c),
        Operation::Multiply => hull(|x, y| x * y),
        Operation::Divide => {
            // Towards zero, monotone in either argument on each side of zero: the corners and ±1 bound it.
            let (low, high) = hull(|x, y| x / y);
            (low, high)
        }
        Operation::Remainder if a == b && c == d => (a % c, a % c),
        Operation::Remainder => {
            let most = c.abs().max(d.abs()) - 1;
            (if a < 0 { -most.min(-a) } else { 0 }, if b > 0 { most.min(b) } else { 0 })
        }
        Operation::Min | Operation::And => (a.min(c), b.min(d)),
        Operation::Max | Operation::Or => (a.max(c), b.max(d)),
        Operation::Less => decided(b < c, a >= d),
        Operation::AtMost => decided(b <= c, a > d),
        Operation::More => decided(a > d, b <= c),
        Operation::AtLeast => decided(a >= d, b < c),
        Operation::Equal => decided(a == b && c == d && a == c, b < c || d < a),
        Operation::Unequal => decided(b < c || d < a, a == b && c == d && a == c),
    }
}
