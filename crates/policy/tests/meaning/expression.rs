//! Random expressions: written as text, and evaluated in the simplest way.

use std::cmp::Ordering;
use std::fmt::Write;

use proptest::prelude::*;

/// An exact number; the denominator is positive and the fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fraction(i128, i128);

impl Fraction {
    pub(crate) fn new(numerator: i128, denominator: i128) -> Self {
        let (mut a, mut b) = (numerator.abs(), denominator);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        Self(numerator / a, denominator / a)
    }

    pub(crate) fn distance(self, other: Self) -> Self {
        let apart = self.0 * other.1 - other.0 * self.1;
        Self::new(apart.abs(), self.1 * other.1)
    }

    fn whole(self) -> i128 {
        assert_eq!(self.1, 1, "{self:?} is a whole number");
        self.0
    }

    pub(crate) fn compare(self, other: Self) -> Ordering {
        (self.0 * other.1).cmp(&(other.0 * self.1))
    }
}

/// What an expression is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Truth(bool),
    Number(Fraction),
}

impl Value {
    pub(crate) fn truth(self) -> bool {
        match self {
            Self::Truth(truth) => truth,
            Self::Number(number) => panic!("{number:?} is no truth"),
        }
    }

    pub(crate) fn number(self) -> Fraction {
        match self {
            Self::Number(number) => number,
            Self::Truth(truth) => panic!("{truth} is no number"),
        }
    }
}

/// An expression, with a word of chance for every choice that its text leaves open.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    form: AnswerForm,
    style: u8,
}

#[derive(Clone, Debug)]
enum AnswerForm {
    /// A number in units of so many decimals: (125, 3) is 0.125.
    Number(u32, u32),
    Truth(bool),
    Name(String),
    Prefix(&'static str, Box<Expression>),
    Infix(&'static str, Box<Expression>, Box<Expression>),
    Choose(Box<[Expression; 3]>),
    Call(&'static str, Vec<Expression>),
}

impl Expression {
    /// Its value where names stand for these values.
    pub(crate) fn value(&self, names: &impl Fn(&str) -> Value) -> Value {
        match &self.form {
            AnswerForm::Number(units, decimals) => {
                Value::Number(Fraction::new((*units).into(), 10_i128.pow(*decimals)))
            }
            AnswerForm::Truth(truth) => Value::Truth(*truth),
            AnswerForm::Name(name) => names(name),
            AnswerForm::Prefix(sign, inner) => match (*sign, inner.value(names)) {
                ("!", Value::Truth(truth)) => Value::Truth(!truth),
                ("-", Value::Number(Fraction(n, d))) => Value::Number(Fraction(-n, d)),
                other => panic!("{other:?}"),
            },
            AnswerForm::Infix(sign, left, right) => infix(sign, left.value(names), right.value(names)),
            AnswerForm::Choose(parts) => {
                let [condition, yes, no] = parts.as_ref();
                if condition.value(names).truth() { yes.value(names) } else { no.value(names) }
            }
            AnswerForm::Call(function, arguments) => {
                let mut values = arguments.iter().map(|argument| argument.value(names).number());
                let first = values.next().expect("an argument");
                let better = if *function == "min" { Ordering::Less } else { Ordering::Greater };
                Value::Number(
                    values.fold(first, |best, next| if next.compare(best) == better { next } else { best }),
                )
            }
        }
    }

    /// Its text, with few parentheses or many, words or signs, spaces or none.
    pub(crate) fn to_text(&self) -> String {
        let mut text = String::new();
        self.write(0, &mut text).expect("a string takes everything");
        text
    }

    /// `outer` is how strongly what stands around binds.
    fn write(&self, outer: u8, text: &mut String) -> std::fmt::Result {
        let style = self.style;
        let strength = self.strength();
        let parentheses = strength < outer || style.is_multiple_of(16);
        if parentheses {
            text.push('(');
        }
        match &self.form {
            AnswerForm::Number(units, 0) => write!(text, "{units}")?,
            AnswerForm::Number(units, decimals) => {
                let scale = 10_u32.pow(*decimals);
                write!(text, "{}.{:0width$}", units / scale, units % scale, width = *decimals as usize)?;
            }
            AnswerForm::Truth(truth) => write!(text, "{truth}")?,
            AnswerForm::Name(name) => text.push_str(name),
            AnswerForm::Prefix(sign, inner) => {
                text.push_str(if *sign == "!" && style & 1 == 0 { "not " } else { sign });
                inner.write(strength, text)?;
            }
            AnswerForm::Infix(sign, left, right) => {
                // Comparisons do not chain, so that both sides must bind more strongly.
                left.write(if strength == 3 { 4 } else { strength }, text)?;
                text.push_str(&match (*sign, style & 3) {
                    ("&&", 0) => " and ".to_owned(),
                    ("||", 0) => " or ".to_owned(),
                    (sign, 1) => sign.to_owned(),
                    (sign, 2) => format!("\n\t{sign} "),
                    (sign, _) => format!(" {sign} "),
                });
                right.write(strength + 1, text)?;
            }
            AnswerForm::Choose(parts) => {
                let [condition, yes, no] = parts.as_ref();
                condition.write(1, text)?;
                text.push_str(" ? ");
                yes.write(0, text)?;
                text.push_str(if style & 1 == 0 { ":" } else { " : " });
                no.write(0, text)?;
            }
            AnswerForm::Call(function, arguments) => {
                write!(text, "{function}(")?;
                for (index, argument) in arguments.iter().enumerate() {
                    text.push_str(if index == 0 { "" } else { ", " });
                    argument.write(0, text)?;
                }
                text.push(')');
            }
        }
        if parentheses {
            text.push(')');
        }
        Ok(())
    }

    fn strength(&self) -> u8 {
        match &self.form {
            AnswerForm::Choose(_) => 0,
            AnswerForm::Infix("||", ..) => 1,
            AnswerForm::Infix("&&", ..) => 2,
            AnswerForm::Infix("+" | "-", ..) => 4,
            AnswerForm::Infix("*" | "/" | "%", ..) => 5,
            AnswerForm::Infix(..) => 3,
            AnswerForm::Prefix(..) => 6,
            _ => 7,
        }
    }
}

fn infix(sign: &str, left: Value, right: Value) -> Value {
    if let (Value::Truth(l), Value::Truth(r)) = (left, right) {
        return Value::Truth(match sign {
            "&&" => l && r,
            "||" => l || r,
            "==" => l == r,
            "!=" => l != r,
            _ => panic!("truths {sign}"),
        });
    }
    let (l, r) = (left.number(), right.number());
    let order = l.compare(r);
    match sign {
        "+" => Value::Number(Fraction::new(l.0 * r.1 + r.0 * l.1, l.1 * r.1)),
        "-" => Value::Number(Fraction::new(l.0 * r.1 - r.0 * l.1, l.1 * r.1)),
        "*" => Value::Number(Fraction::new(l.0 * r.0, l.1 * r.1)),
        "/" => Value::Number(Fraction::new(l.whole() / r.whole(), 1)),
        "%" => Value::Number(Fraction::new(l.whole() % r.whole(), 1)),
        "==" => Value::Truth(order == Ordering::Equal),
        "!=" => Value::Truth(order != Ordering::Equal),
        "<" => Value::Truth(order == Ordering::Less),
        "<=" => Value::Truth(order != Ordering::Greater),
        ">" => Value::Truth(order == Ordering::Greater),
        ">=" => Value::Truth(order != Ordering::Less),
        _ => panic!("{sign}"),
    }
}

fn styled(form: impl Strategy<Value = AnswerForm> + 'static) -> BoxedStrategy<Expression> {
    (form, any::<u8>()).prop_map(|(form, style)| Expression { form, style }).boxed()
}

fn name(names: &[String]) -> BoxedStrategy<AnswerForm> {
    prop::sample::select(names.to_vec()).prop_map(AnswerForm::Name).boxed()
}

fn infixes(
    signs: &'static [&'static str],
    left: &BoxedStrategy<Expression>,
    right: &BoxedStrategy<Expression>,
) -> BoxedStrategy<AnswerForm> {
    let infix = |(sign, left, right)| AnswerForm::Infix(sign, Box::new(left), Box::new(right));
    (prop::sample::select(signs), left.clone(), right.clone()).prop_map(infix).boxed()
}

/// Expressions up to some depth: of whole numbers, of any numbers, and of truths.
struct Level {
    whole: BoxedStrategy<Expression>,
    number: BoxedStrategy<Expression>,
    truth: BoxedStrategy<Expression>,
}

impl Level {
    fn lowest(wholes: &[String], fractions: &[String]) -> Self {
        let small = (0..13_u32).prop_map(|n| AnswerForm::Number(n, 0));
        let large = prop_oneof![Just(1000), 0..2_000_000_u32].prop_map(|n| AnswerForm::Number(n, 0));
        let decimal =
            (0..3000_u32, 1..4_u32).prop_map(|(units, decimals)| AnswerForm::Number(units, decimals));
        let whole = styled(prop_oneof![4 => small, 1 => large, 8 => name(wholes)]);
        let number = match fractions {
            [] => styled(decimal),
            _ => styled(prop_oneof![1 => decimal, 2 => name(fractions)]),
        };
        let number = prop_oneof![whole.clone(), number].boxed();
        Self { whole, number, truth: styled(any::<bool>().prop_map(AnswerForm::Truth)) }
    }

    fn next(&self) -> Self {
        let Self { whole, number, truth } = self;
        let prefix = |sign, inner: &BoxedStrategy<Expression>| {
            inner.clone().prop_map(move |inner| AnswerForm::Prefix(sign, Box::new(inner)))
        };
        let choose = |of: &BoxedStrategy<Expression>| {
            let parts = (truth.clone(), of.clone(), of.clone());
            parts.prop_map(|(condition, yes, no)| AnswerForm::Choose(Box::new([condition, yes, no])))
        };
        let call = |of: &BoxedStrategy<Expression>| {
            let arguments = prop::collection::vec(of.clone(), 1..4);
            (prop::sample::select(&["min", "max"][..]), arguments)
                .prop_map(|(name, of)| AnswerForm::Call(name, of))
        };
        // What is divided by is a number from 1, or from -9 to -1.
        let positive = styled((1..20_u32).prop_map(|n| AnswerForm::Number(n, 0)));
        let one = Expression { form: AnswerForm::Number(1, 0), style: 1 };
        let at_least_one =
            whole.clone().prop_map(move |whole| AnswerForm::Call("max", vec![one.clone(), whole]));
        let divisor =
            prop_oneof![3 => positive.clone(), 2 => styled(at_least_one), 1 => styled(prefix("-", &positive))].boxed();
        let whole_next = styled(prop_oneof![
            1 => prefix("-", whole),
            4 => infixes(&["+", "-", "*"], whole, whole),
            2 => infixes(&["/", "%"], whole, &divisor),
            1 => choose(whole),
            1 => call(whole),
        ]);
        let number_next = styled(prop_oneof![
            1 => prefix("-", number),
            4 => infixes(&["+", "-", "*"], number, number),
            1 => choose(number),
            1 => call(number),
        ]);
        let truth_next = styled(prop_oneof![
            5 => infixes(&["==", "!=", "<", "<=", ">", ">="], number, number),
            1 => infixes(&["==", "!="], truth, truth),
            4 => infixes(&["&&", "||"], truth, truth),
            1 => prefix("!", truth),
            1 => choose(truth),
        ]);
        Self {
            whole: prop_oneof![1 => whole.clone(), 2 => whole_next].boxed(),
            number: prop_oneof![1 => number.clone(), 1 => whole.clone(), 2 => number_next].boxed(),
            truth: prop_oneof![1 => truth.clone(), 6 => truth_next].boxed(),
        }
    }
}

/// Random conditions over named whole numbers and fractions.
pub(crate) fn conditions(wholes: &[String], fractions: &[String]) -> BoxedStrategy<Expression> {
    let levels = std::iter::successors(Some(Level::lowest(wholes, fractions)), |level| Some(level.next()));
    let truths: Vec<_> = levels.skip(1).take(5).map(|level| level.truth).collect();
    prop::strategy::Union::new(truths).boxed()
}

/// Random numbers over named whole numbers and fractions.
pub(crate) fn numbers(wholes: &[String], fractions: &[String]) -> BoxedStrategy<Expression> {
    let lowest = Level::lowest(wholes, fractions);
    let next = lowest.next();
    prop_oneof![lowest.number, next.number.clone(), next.next().number].boxed()
}

/// Random numbers that read one of the names in `own`.
pub(crate) fn numbers_of(own: &[String], numbers: &BoxedStrategy<Expression>) -> BoxedStrategy<Expression> {
    let own = styled(name(own));
    let mixed = styled(infixes(&["+", "-", "*"], &own, numbers));
    prop_oneof![own, mixed].boxed()
}

/// Random conditions that compare one number with another, perhaps joined with other conditions.
pub(crate) fn comparisons(
    one: &BoxedStrategy<Expression>,
    other: &BoxedStrategy<Expression>,
    joined: &BoxedStrategy<Expression>,
) -> BoxedStrategy<Expression> {
    let comparison = styled(infixes(&["==", "!=", "<", "<=", ">", ">="], one, other));
    let both = styled(infixes(&["&&", "||"], joined, &comparison));
    prop_oneof![2 => comparison, 1 => both].boxed()
}

/// Random entries of a list: predicates, and combinations of them.
pub(crate) fn entries(predicates: &[String]) -> BoxedStrategy<Expression> {
    let plain = styled(name(predicates));
    plain
        .prop_recursive(3, 8, 2, |inner| {
            let inner = inner.boxed();
            let not = inner.clone().prop_map(|inner| AnswerForm::Prefix("!", Box::new(inner)));
            styled(prop_oneof![not, infixes(&["&&", "||"], &inner, &inner)])
        })
        .boxed()
}
