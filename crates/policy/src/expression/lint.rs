//! Comparisons and chances that are always or never true, given the ranges of features under the rules.
//!
//! What is told is certain: a range holds every value that a feature can take, and a condition narrows it for the
//! conditions evaluated after it. Another comparison may still never hold.

use stopwise_engine::vocabulary::Feature;

use super::chance::NAME;
use super::check::{Checked, Kind, check};
use super::parse::{Operation, Syntax, SyntaxForm};
use super::scope::Scope;
use stopwise_text::{Problem, quoted};

/// A comparison, or a chance, whose answer is known.
#[derive(Debug)]
pub(crate) struct Constant {
    /// Its place, and what it always is.
    pub(crate) problem: Problem,
    /// Whether it is so by the rules alone, whatever is asked before.
    pub(crate) is_by_rules: bool,
}

impl Constant {
    /// The same in another place.
    pub(crate) fn placed(self, place: impl FnOnce(Problem) -> Problem) -> Self {
        Self { problem: place(self.problem), ..self }
    }
}

/// Adds every comparison and chance whose answer is known. `here` has the ranges of features where it is evaluated,
/// `scope` those under the rules. Expressions that contain such a comparison are not looked at further.
pub(crate) fn doubts(syntax: &Syntax, scope: Scope<'_>, here: &[Feature], constants: &mut Vec<Constant>) {
    let before = constants.len();
    match &syntax.form {
        SyntaxForm::Number(..) | SyntaxForm::Truth(_) | SyntaxForm::Name(_) => {}
        SyntaxForm::Negate(inner) | SyntaxForm::Not(inner) => doubts(inner, scope, here, constants),
        SyntaxForm::Binary(operator, left, right) => {
            doubts(left, scope, here, constants);
            match operator {
                Operation::And | Operation::Or => {
                    let there = narrowed(left, *operator == Operation::And, scope, here);
                    doubts(right, scope, &there, constants);
                }
                _ => doubts(right, scope, here, constants),
            }
            if operator.is_comparison() && constants.len() == before {
                constants.extend(doubt(syntax, scope, here));
            }
        }
        SyntaxForm::Choose(condition, yes, no) => {
            doubts(condition, scope, here, constants);
            doubts(yes, scope, &narrowed(condition, true, scope, here), constants);
            doubts(no, scope, &narrowed(condition, false, scope, here), constants);
        }
        SyntaxForm::Call(name, arguments) => {
            arguments.iter().for_each(|argument| doubts(argument, scope, here, constants));
            if name == NAME && constants.len() == before {
                constants.extend(doubt(syntax, scope, here));
            }
        }
    }
}

/// A comparison or a chance, if its answer is known.
fn doubt(syntax: &Syntax, scope: Scope<'_>, here: &[Feature]) -> Option<Constant> {
    let known = |features| {
        let checked = check(syntax, Scope { features, ..scope }).ok()?;
        (checked.low == checked.high).then_some(checked.high == 1)
    };
    let mut names = Vec::new();
    syntax.names(&mut names);
    // What is the same in all games under these rules tells rules apart, for policies that are for several. Numbers alone are
    // compared on purpose, and no chance.
    let of = |name: &str| scope.features.iter().find(|feature| feature.name == name);
    let mut read = names.iter().filter_map(|name| of(name)).peekable();
    let is_alone = read.peek().is_none() && matches!(syntax.form, SyntaxForm::Call(..));
    if !is_alone && !read.any(|feature| feature.low < feature.high) {
        return None;
    }
    let by_rules = known(scope.features);
    let (answer, features, place) = match by_rules {
        Some(answer) if is_alone => (answer, scope.features, ""),
        Some(answer) => (answer, scope.features, " under these rules"),
        None => (known(here)?, here, " here, after what is asked before"),
    };
    let ranges: Vec<_> = names.iter().filter_map(|name| told(name, scope, features)).collect();
    let is_chance =
        |name: &&str| scope.features.iter().any(|feature| feature.name == *name && feature.denominator > 1);
    let per_cent = if names.iter().any(is_chance) { "; 20 % is written 0.2" } else { "" };
    let when = if answer { "always" } else { "never" };
    let message = format!("{} is {when} true{place}", quoted(&syntax.to_text()));
    let problem = Problem::new(syntax.span.clone(), message);
    let problem = match &*ranges {
        [] => problem
            .help(format!("write `{}`, or a chance between 0 and 1", if answer { "yes" } else { "no" })),
        ranges => problem.help(format!("{}{per_cent}", ranges.join(", "))),
    };
    Some(Constant { problem, is_by_rules: by_rules.is_some() })
}

/// A name with its range or value.
fn told(name: &str, scope: Scope<'_>, features: &[Feature]) -> Option<String> {
    if let Some(Feature { low, high, denominator, .. }) = features.iter().find(|feature| feature.name == name)
    {
        let shown = |value: &i64| match value % denominator {
            0 => (value / denominator).to_string(),
            _ => format!("{value}/{denominator}"),
        };
        return Some(match low == high {
            true => format!("`{name}` is {}", shown(low)),
            false => format!("`{name}` is {} to {}", shown(low), shown(high)),
        });
    }
    let parameter = scope.parameters.iter().find(|parameter| parameter.name == name)?;
    Some(format!("`{name}` is {}", parameter.value()))
}

/// The ranges of features where a condition has this answer; unchanged if it never has.
pub(crate) fn narrowed(syntax: &Syntax, answer: bool, scope: Scope<'_>, here: &[Feature]) -> Vec<Feature> {
    let mut features = here.to_vec();
    narrow(syntax, answer, scope, &mut features);
    if features.iter().any(|feature| feature.low > feature.high) { here.to_vec() } else { features }
}

fn narrow(syntax: &Syntax, answer: bool, scope: Scope<'_>, features: &mut [Feature]) {
    match &syntax.form {
        SyntaxForm::Not(inner) => narrow(inner, !answer, scope, features),
        SyntaxForm::Binary(Operation::And, left, right) if answer => {
            narrow(left, true, scope, features);
            narrow(right, true, scope, features);
        }
        SyntaxForm::Binary(Operation::Or, left, right) if !answer => {
            narrow(left, false, scope, features);
            narrow(right, false, scope, features);
        }
        SyntaxForm::Binary(operator, left, right) if operator.is_comparison() => {
            let operator = if answer { *operator } else { opposite(*operator) };
            bound(left, operator, right, scope, features);
            bound(right, mirrored(operator), left, scope, features);
        }
        _ => {}
    }
}

/// Narrows the range of a feature that stands alone on the left side.
fn bound(left: &Syntax, operator: Operation, right: &Syntax, scope: Scope<'_>, features: &mut [Feature]) {
    let SyntaxForm::Name(name) = &left.form else { return };
    let Some(index) = features.iter().position(|feature| feature.name == *name) else { return };
    let Ok(Checked { kind: Kind::Number(parts), low, high, .. }) =
        check(right, Scope { features: &*features, ..scope })
    else {
        return;
    };
    let Feature { low: least, high: most, denominator, .. } = &mut features[index];
    // In the feature's own parts, rounded to the values that are still allowed.
    let scaled = |bound: i64| i128::from(bound) * i128::from(*denominator);
    let parts = i128::from(parts);
    let (low, high) = (scaled(low), scaled(high));
    let floor = |bound: i128| bound.div_euclid(parts);
    let ceil = |bound: i128| -(-bound).div_euclid(parts);
    let (from, to) = match operator {
        Operation::Less => (None, Some(ceil(high) - 1)),
        Operation::AtMost => (None, Some(floor(high))),
        Operation::More => (Some(floor(low) + 1), None),
        Operation::AtLeast => (Some(ceil(low)), None),
        Operation::Equal => (Some(ceil(low)), Some(floor(high))),
        Operation::Unequal if low == high => {
            let is = |value: i64| i128::from(value) * parts == low;
            (is(*least).then(|| i128::from(*least) + 1), is(*most).then(|| i128::from(*most) - 1))
        }
        _ => (None, None),
    };
    let clamped = |bound: i128| i64::try_from(bound).ok();
    if let Some(from) = from.and_then(clamped) {
        *least = from.max(*least);
    }
    if let Some(to) = to.and_then(clamped) {
        *most = to.min(*most);
    }
}

/// The comparison that holds where this one does not.
fn opposite(operator: Operation) -> Operation {
    match operator {
        Operation::Less => Operation::AtLeast,
        Operation::AtMost => Operation::More,
        Operation::More => Operation::AtMost,
        Operation::AtLeast => Operation::Less,
        Operation::Equal => Operation::Unequal,
        Operation::Unequal => Operation::Equal,
        other => other,
    }
}

/// The comparison with its sides exchanged.
fn mirrored(operator: Operation) -> Operation {
    match operator {
        Operation::Less => Operation::More,
        Operation::AtMost => Operation::AtLeast,
        Operation::More => Operation::Less,
        Operation::AtLeast => Operation::AtMost,
        other => other,
    }
}
