//! Whether two expressions say the same, wherever they stand.

use crate::syntax::{Domain, Expr, Loop, Term};

/// Whether `a` says what `b` says, where a name of `a` is called otherwise in `b`.
fn is_same(a: &Expr, b: &Expr, names: (&str, &str)) -> bool {
    let same = |a: &Expr, b: &Expr| is_same(a, b, names);
    let all = |a: &[Expr], b: &[Expr]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b));
    match (&a.term, &b.term) {
        (Term::Number(a), Term::Number(b)) => a == b,
        (Term::Word(a), Term::Word(b)) => {
            (a.as_str(), b.as_str()) == names || a == b && a != names.0 && b != names.1
        }
        (Term::Index(a, c), Term::Index(b, d)) => same(a, b) && all(c, d),
        (Term::Dot(a, c), Term::Dot(b, d)) => same(a, b) && c.text == d.text,
        (Term::Call(a, c), Term::Call(b, d)) => a.text == b.text && all(c, d),
        (Term::Not(a), Term::Not(b)) | (Term::Negate(a), Term::Negate(b)) => same(a, b),
        (Term::Binary(x, a, c), Term::Binary(y, b, d)) => x == y && same(a, b) && same(c, d),
        (Term::In(a, c), Term::In(b, d)) => same(a, b) && is_same_domain(c, d, names),
        (Term::Choose(a, c, e), Term::Choose(b, d, f)) => same(a, b) && same(c, d) && same(e, f),
        _ => false,
    }
}

fn is_same_domain(a: &Domain, b: &Domain, names: (&str, &str)) -> bool {
    match (a, b) {
        (Domain::Range(a, c), Domain::Range(b, d)) => is_same(a, b, names) && is_same(c, d, names),
        (Domain::List(a), Domain::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b, names))
        }
        _ => false,
    }
}

/// Whether two loops run through the same, by whatever name. A fold within them counts as another.
pub(crate) fn is_same_loop(a: &Loop, b: &Loop) -> bool {
    let names = (a.name.text.as_str(), b.name.text.as_str());
    is_same_domain(&a.domain, &b.domain, ("", ""))
        && match (&a.filter, &b.filter) {
            (Some(a), Some(b)) => is_same(a, b, names),
            (None, None) => true,
            _ => false,
        }
}
