//! Expressions of a text in words. Names stand between backticks.

use stopwise_engine::vocabulary::{grouped, listed};

use crate::syntax::{Domain, Expr, Fold, Loop, Operator, Term};

/// A name of the text.
pub(crate) fn name(name: &str) -> String {
    format!("`{name}`")
}

/// An expression in words.
pub(crate) fn words(of: &Expr) -> String {
    within(of, 0)
}

/// How many there are of something that follows, in words.
pub(crate) fn times(of: &Expr) -> String {
    match &of.term {
        Term::Call(..) => format!("({})", words(of)),
        _ => within(of, PRODUCT),
    }
}

/// What there is the most or the least of, in words.
pub(crate) fn amount(of: &Expr) -> String {
    let said = words(of);
    said.strip_prefix("the ").map_or(said.clone(), str::to_owned)
}

/// The value that something gets, in words.
pub(crate) fn value(of: &Expr) -> String {
    let is_condition = match &of.term {
        Term::Not(_) | Term::In(..) | Term::Fold(Fold::Any | Fold::All, ..) => true,
        Term::Binary(operator, ..) => sign(*operator).0 <= COMPARED,
        _ => false,
    };
    if is_condition { format!("whether {}", words(of)) } else { words(of) }
}

/// What is run through, or what a value may be.
pub(crate) fn domain(of: &Domain) -> String {
    match of {
        Domain::Range(from, to) => format!("{} to {}", within(from, SUM), within(to, SUM)),
        Domain::List(items) => items.iter().map(words).collect::<Vec<_>>().join(", "),
    }
}

/// How firmly a comparison, a sum and a product hold together, and what has no parts.
const COMPARED: u8 = 4;
const SUM: u8 = 5;
const PRODUCT: u8 = 6;
const WHOLE: u8 = 7;

/// An expression within something that holds its parts together so firmly.
fn within(of: &Expr, firmness: u8) -> String {
    let (own, said) = match &of.term {
        Term::Number(number) => {
            let sign = if *number < 0 { "-" } else { "" };
            (WHOLE, format!("{sign}{}", grouped(number.unsigned_abs())))
        }
        Term::Word(word) => (WHOLE, given(word).map_or_else(|| name(word), str::to_owned)),
        Term::Index(of, indices) => {
            let indices: Vec<String> = indices.iter().map(|index| within(index, SUM)).collect();
            (WHOLE, format!("{} of {}", within(of, WHOLE), listed(&indices, "and")))
        }
        Term::Dot(of, part) => (WHOLE, format!("{} of {}", name(&part.text), within(of, WHOLE))),
        Term::Call(function, arguments) => match (&*function.text, arguments.as_slice()) {
            ("power", [of, many]) => {
                (PRODUCT, format!("{} to the power of {}", within(of, WHOLE), within(many, WHOLE)))
            }
            (function, arguments) => (WHOLE, called(function, arguments)),
        },
        Term::Fold(fold, over, value) => (0, folded(*fold, over, value.as_deref())),
        Term::Not(of) => match &of.term {
            Term::Fold(Fold::Any, over, None) => (COMPARED, format!("there is no {}", among(over))),
            _ => (COMPARED, format!("not {}", within(of, COMPARED))),
        },
        Term::Negate(of) => (PRODUCT, format!("-{}", within(of, WHOLE))),
        Term::Binary(operator, left, right) => {
            let (own, sign) = sign(*operator);
            (own, format!("{} {sign} {}", within(left, own), within(right, own + 1)))
        }
        Term::In(of, among) => {
            let sign = if matches!(**among, Domain::Range(..)) { "is from" } else { "is one of" };
            (COMPARED, format!("{} {sign} {}", within(of, SUM), domain(among)))
        }
        Term::Choose(when, yes, no) => {
            (0, format!("{} if {}, else {}", within(yes, 1), within(when, 1), words(no)))
        }
    };
    if own < firmness { format!("({said})") } else { said }
}

/// Words that are given, and no names.
fn given(word: &str) -> Option<&'static str> {
    Some(match word {
        "me" => "the player",
        "everyone" => "all players",
        "others" => "the other players",
        "yes" => "yes",
        "no" => "no",
        "none" => "none",
        "round" => "the number of the round",
        "bust" => "bust",
        _ => return None,
    })
}

/// How firmly an operator holds its parts together, and its word.
fn sign(operator: Operator) -> (u8, &'static str) {
    match operator {
        Operator::Or => (2, "or"),
        Operator::And => (3, "and"),
        Operator::Equal => (COMPARED, "is"),
        Operator::Unequal => (COMPARED, "is not"),
        Operator::Less => (COMPARED, "is less than"),
        Operator::LessEqual => (COMPARED, "is at most"),
        Operator::Greater => (COMPARED, "is more than"),
        Operator::GreaterEqual => (COMPARED, "is at least"),
        Operator::Add => (SUM, "+"),
        Operator::Subtract => (SUM, "-"),
        Operator::Multiply => (PRODUCT, "×"),
        Operator::Divide => (PRODUCT, "/"),
        Operator::Remainder => (PRODUCT, "modulo"),
    }
}

fn called(function: &str, arguments: &[Expr]) -> String {
    let each: Vec<String> = arguments.iter().map(|argument| within(argument, SUM)).collect();
    let of = |what: &str| format!("the {what} of {}", listed(&each, "and"));
    let one = |at: usize| match &arguments[at].term {
        Term::Call(..) => format!("({})", each[at]),
        _ => each[at].clone(),
    };
    match (function, each.as_slice()) {
        ("min", [_, _]) => of("smaller"),
        ("max", [_, _]) => of("larger"),
        ("min", _) => of("smallest"),
        ("max", _) => of("largest"),
        ("abs", _) => of("size"),
        ("count", [of, _]) => format!("the number of {} in {of}", one(1)),
        ("dice", [of, face]) => format!("the dice of {of} that show {face}"),
        ("size" | "sum" | "highest" | "lowest" | "worth" | "parts" | "pairings" | "number" | "place", _) => {
            of(function)
        }
        ("alike", _) => of("most of one face"),
        ("distinct", _) => of("number of different faces"),
        ("run", _) => of("longest row"),
        ("nth", [of, _]) => format!("number {} of {of}", one(1)),
        ("chance", [yes, all]) => format!("{yes} of {all} cases"),
        ("chance", _) => of("chance"),
        ("mean", _) => of("mean"),
        _ => format!("{}({})", name(function), each.join(", ")),
    }
}

/// "`p` of the other players where …".
fn among(over: &Loop) -> String {
    let filter = over.filter.as_ref().map_or(String::new(), |filter| format!(" where {}", words(filter)));
    format!("{} of {}{filter}", name(&over.name.text), domain(&over.domain))
}

fn folded(fold: Fold, over: &Loop, value: Option<&Expr>) -> String {
    let among = among(over);
    let value = value.map(words);
    match (fold, value) {
        (Fold::Any, None) => format!("there is {among}"),
        (Fold::Any, Some(value)) => format!("for some {among}: {value}"),
        (Fold::All, value) => format!("for all {among}: {}", value.unwrap_or_default()),
        (Fold::Count, _) => format!("the number of {among}"),
        (Fold::Those, _) => format!("those {among}"),
        (Fold::Sum, value) => format!("the sum of {} over {among}", value.unwrap_or_default()),
        (Fold::Min, value) => format!("the least {} over {among}", value.unwrap_or_default()),
        (Fold::Max, value) => format!("the most {} over {among}", value.unwrap_or_default()),
    }
}
