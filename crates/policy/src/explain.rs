//! Explanations of policies in words.

use std::fmt::Write as _;

use stopwise_engine::game::Game;
use stopwise_engine::vocabulary::{Feature, Vocabulary};

use crate::draft::{AnswerSource, ListSource};
use crate::entry::{Wish, is_logic};
use crate::expression::chance::NAME;
use crate::expression::parameter::{Parameter, decimal};
use crate::expression::parse::{Operation, Syntax, SyntaxForm};
use crate::heading::Heading;
use crate::policy::{TextPolicy, Worths, known_names};
use crate::value_table::ValueTable;
use crate::words::KnownNames;
use crate::words::Words;

impl<G: Vocabulary> TextPolicy<G> {
    /// An explanation of the whole policy, in several lines.
    pub fn explain(&self, game: &G) -> String {
        let (features, numbers) = (game.features(), game.candidate_numbers());
        let words = known_names(game, &features, &numbers);
        let is_own = |kind: &usize| match &self.worths {
            Some(Worths::File(file)) => !file.knows(*kind),
            _ => true,
        };
        let own: Vec<_> =
            (0..self.sources.len()).filter(is_own).map(|kind| (kind, &self.sources[kind])).collect();
        explain(self.heading(), &own, self.worths.as_ref().map(Worths::explained), words)
    }
}

impl<G: Game> Worths<G> {
    fn explained(&self) -> String {
        match self {
            Self::Rows(ValueTable { rules, rows, is_used, .. }) => format!(
                "Table — what {rows} positions before a roll are worth; for {rules}\n  {}",
                if *is_used {
                    "Every answer leads to the position worth most, what is scored on the way included. Where none\n  \
                     leads to a position of the table, the answers below are given."
                } else {
                    "These are other rules, so that the table is not used and the answers below are given."
                }
            ),
            Self::File(file) => format!(
                "Values — what {} positions are worth under best play for {}; for {}\n  \
                 {} answer leads to the position worth most, what is counted on the way included; of equal ones it is the\n  \
                 first in the order of the game.",
                file.positions(),
                file.metric,
                file.rules,
                if file.is_whole() { "Every" } else { "Every other" }
            ),
        }
    }
}

/// Explains a policy; `worths` says what is asked before its answers.
fn explain(
    heading: &Heading,
    sources: &[(usize, &AnswerSource)],
    worths: Option<String>,
    game: KnownNames<'_>,
) -> String {
    let Heading { name, summary, parameters, .. } = heading;
    let names = Names { features: game.features, candidate: 0, parameters, is_exact: false };
    let mut text = match summary.is_empty() {
        true => format!("{name} ({})\n", game.game),
        false => format!("{name} ({}): {summary}\n", game.game),
    };
    let said = |p: &Parameter| match p.meaning.is_empty() {
        true => format!("{} = {}", p.name, p.with_unit()),
        false => format!("{} = {}: {}", p.name, p.with_unit(), p.meaning),
    };
    if parameters.iter().any(|parameter| !parameter.meaning.is_empty()) {
        text.push_str("Parameters\n");
        parameters.iter().for_each(|parameter| text.push_str(&format!("  {}\n", said(parameter))));
    } else if !parameters.is_empty() {
        let _ = writeln!(text, "Parameters: {}", parameters.iter().map(said).collect::<Vec<_>>().join(", "));
    }
    if let Some(worths) = worths {
        let _ = writeln!(text, "\n{worths}");
    }
    for &(index, source) in sources {
        let kind = &game.kinds[index];
        let _ = writeln!(text, "\n{} — {}", kind.name, kind.meaning);
        match source {
            AnswerSource::YesNo(syntax) => {
                let _ = match syntax.form {
                    SyntaxForm::Truth(true) => writeln!(text, "  Always yes."),
                    SyntaxForm::Truth(false) => writeln!(text, "  Always no."),
                    _ => writeln!(text, "  Yes, if {}.", words(syntax, names, 0)),
                };
            }
            AnswerSource::Number(syntax) => {
                let _ = match syntax.form {
                    SyntaxForm::Number(..) => {
                        writeln!(text, "  {}, or the legal number nearest to it.", words(syntax, names, 0))
                    }
                    _ => writeln!(text, "  The legal number nearest to {}.", words(syntax, names, 0)),
                };
            }
            AnswerSource::Items(lists) => explain_lists(lists, names, &Words::new(game, index), &mut text),
        }
    }
    text
}

fn explain_lists(lists: &[ListSource], names: Names<'_>, words_of: &Words, text: &mut String) {
    let of_candidates =
        Names { features: &words_of.features, candidate: words_of.of_candidate().len(), ..names };
    for (index, list) in lists.iter().enumerate() {
        match &list.when {
            Some(when) => {
                let lead = if index == 0 { "If" } else { "Otherwise, if" };
                let _ = writeln!(text, "  {lead} {}:", words(when, names, 0));
            }
            None if lists.len() > 1 => text.push_str("  Otherwise:\n"),
            None => {}
        }
        for (number, entry) in list.entries.iter().enumerate() {
            let lead = if number == 0 { "Prefer one" } else { "then one" };
            let said = match entry.wish {
                Wish::Where if is_logic(&entry.syntax) => {
                    format!("that {}", clause(&entry.syntax, words_of.of_candidate(), false))
                }
                Wish::Where => format!("for which {}", words(&entry.syntax, of_candidates, 0)),
                Wish::Most => format!("with the most {}", words(&entry.syntax, of_candidates, 2)),
                Wish::Least => format!("with the least {}", words(&entry.syntax, of_candidates, 2)),
            };
            let _ = writeln!(text, "  {:>3}. {lead} {said}", number + 1);
        }
        if list.entries.is_empty() {
            text.push_str("  Take the first candidate in the game's order.\n");
        }
    }
    if lists.is_empty() {
        text.push_str("  Take the first candidate in the game's order.\n");
    }
}

/// The meanings of the names in an expression.
#[derive(Clone, Copy)]
struct Names<'n> {
    features: &'n [Feature],
    /// The number of those that are of a candidate, which are the first.
    candidate: usize,
    parameters: &'n [Parameter],
    /// Whether it is within a chance, where quotients are exact.
    is_exact: bool,
}

impl Names<'_> {
    /// The meaning of a feature, or a parameter with its value.
    fn words(self, name: &str) -> String {
        let place = self.features.iter().position(|feature| feature.name == name);
        let parameter = self.parameters.iter().find(|parameter| parameter.name == name);
        match (place, parameter) {
            (Some(place), _) if place < self.candidate && self.features[place].is_truth => {
                format!("it {}", said(&self.features[place]))
            }
            (Some(place), _) => format!("[{}]", said(&self.features[place])),
            (None, Some(parameter)) => format!("{name} ({})", parameter.value()),
            (None, None) => name.to_owned(),
        }
    }
}

/// An expression in words. `outer` is the binding strength of the context, for parentheses.
fn words(syntax: &Syntax, names: Names<'_>, outer: u8) -> String {
    let inner = |syntax: &Syntax, strength| words(syntax, names, strength);
    let (text, strength) = match &syntax.form {
        SyntaxForm::Number(..) => (syntax.to_text(), 9),
        SyntaxForm::Truth(true) => ("always".into(), 9),
        SyntaxForm::Truth(false) => ("never".into(), 9),
        SyntaxForm::Name(name) => (names.words(name), 9),
        SyntaxForm::Negate(operand) => (format!("minus {}", inner(operand, 8)), 7),
        SyntaxForm::Not(operand) if matches!(operand.form, SyntaxForm::Name(_)) => match inner(operand, 8) {
            it if it.starts_with("it ") => (format!("it is not so that {it}"), 3),
            name => (format!("not {name}"), 8),
        },
        // Within anything it stands in parentheses, so that its end is seen.
        SyntaxForm::Not(operand) => (format!("it is not so that {}", inner(operand, 8)), 1),
        SyntaxForm::Binary(operator, left, right) => {
            let (phrase, _, strength) = match operator {
                Operation::Divide if names.is_exact => ("divided by", "/", 6),
                _ => written(*operator),
            };
            let (left_strength, right_strength) = strengths(*operator, strength);
            // Words do not say that `and` binds before `or`.
            let side = |side: &Syntax, strength| match (operator, &side.form) {
                (Operation::Or, SyntaxForm::Binary(Operation::And, ..)) => inner(side, 4),
                _ => inner(side, strength),
            };
            (format!("{} {phrase} {}", side(left, left_strength), side(right, right_strength)), strength)
        }
        SyntaxForm::Choose(condition, yes, no) => {
            (format!("{} if {}, else {}", inner(yes, 2), inner(condition, 2), inner(no, 2)), 1)
        }
        SyntaxForm::Call(name, arguments) if name == NAME => {
            let within = Names { is_exact: true, ..names };
            let chance: Vec<_> = arguments.iter().map(|argument| words(argument, within, 5)).collect();
            (format!("a chance of {} comes true", chance.join(", ")), 4)
        }
        SyntaxForm::Call(name, arguments) => {
            let arguments: Vec<_> = arguments.iter().map(|argument| inner(argument, 0)).collect();
            let which = if name == "min" { "the smallest of" } else { "the largest of" };
            (format!("{which} {{{}}}", arguments.join("; ")), 9)
        }
    };
    if strength < outer { format!("({text})") } else { text }
}

/// The strengths from which the sides of an operator need no parentheses. Comparisons do not chain.
fn strengths(operator: Operation, own: u8) -> (u8, u8) {
    (own + u8::from(operator.is_comparison()), own + u8::from(!operator.is_associative()))
}

/// An operation in words, its sign, and its strength.
fn written(operation: Operation) -> (&'static str, &'static str, u8) {
    match operation {
        Operation::Or => ("or", "||", 2),
        Operation::And => ("and", "&&", 3),
        Operation::Equal => ("is", "==", 4),
        Operation::Unequal => ("is not", "!=", 4),
        Operation::Less => ("is less than", "<", 4),
        Operation::AtMost => ("is at most", "<=", 4),
        Operation::More => ("is more than", ">", 4),
        Operation::AtLeast => ("is at least", ">=", 4),
        Operation::Add => ("plus", "+", 5),
        Operation::Subtract => ("minus", "-", 5),
        Operation::Multiply => ("times", "*", 6),
        Operation::Divide => ("divided (rounded towards zero) by", "/", 6),
        Operation::Remainder => ("modulo", "%", 6),
        Operation::Min => ("or", "min", 9),
        Operation::Max => ("or", "max", 9),
    }
}

/// The meaning of a word, or its name if it has none.
fn said(word: &Feature) -> &'static str {
    if word.meaning.is_empty() { word.name } else { word.meaning }
}

/// A preference as a clause: "comes from the Bank", "does not: come…".
fn clause(syntax: &Syntax, predicates: &[Feature], negated: bool) -> String {
    match &syntax.form {
        SyntaxForm::Name(name) => {
            let meaning = predicates
                .iter()
                .find(|predicate| predicate.name == name)
                .map_or(name.as_str(), |word| said(word));
            if negated { negate(meaning) } else { meaning.to_owned() }
        }
        SyntaxForm::Not(inner) => clause(inner, predicates, !negated),
        SyntaxForm::Binary(_, left, right) => {
            let word = joint(syntax, negated);
            let inner = |side: &Syntax| {
                let text = clause(side, predicates, negated);
                let differs = joint(side, negated).is_some_and(|other| Some(other) != word);
                if differs { format!("({text})") } else { text }
            };
            format!("{} {} {}", inner(left), word.unwrap_or_default(), inner(right))
        }
        _ => syntax.to_text(),
    }
}

/// The word that joins the two sides of a preference. By De Morgan's law, "not (a and b)" reads "not a or not b".
fn joint(syntax: &Syntax, negated: bool) -> Option<&'static str> {
    match &syntax.form {
        SyntaxForm::Not(inner) => joint(inner, !negated),
        SyntaxForm::Binary(operator, ..) => {
            Some(if (*operator == Operation::And) != negated { "and" } else { "or" })
        }
        _ => None,
    }
}

/// Negates a clause: "comes from the Bank" to "does not come from the Bank", "is small" to "is not small".
fn negate(meaning: &str) -> String {
    match meaning.split_once(' ') {
        Some(("is", rest)) => format!("is not {rest}"),
        Some((verb, rest)) => format!("does not {} {rest}", verb.strip_suffix('s').unwrap_or(verb)),
        None => format!("not {meaning}"),
    }
}

impl Syntax {
    /// Collects the names that an expression uses, each once, in order.
    pub(crate) fn names<'s>(&'s self, names: &mut Vec<&'s str>) {
        match &self.form {
            SyntaxForm::Number(..) | SyntaxForm::Truth(_) => {}
            SyntaxForm::Name(name) => {
                if !names.contains(&name.as_str()) {
                    names.push(name);
                }
            }
            SyntaxForm::Negate(inner) | SyntaxForm::Not(inner) => inner.names(names),
            SyntaxForm::Binary(_, left, right) => {
                left.names(names);
                right.names(names);
            }
            SyntaxForm::Choose(condition, yes, no) => {
                for part in [condition, yes, no] {
                    part.names(names);
                }
            }
            SyntaxForm::Call(_, arguments) => {
                for argument in arguments {
                    argument.names(names);
                }
            }
        }
    }

    /// The expression as a person would write it.
    pub(crate) fn to_text(&self) -> String {
        self.write(0)
    }

    fn write(&self, outer: u8) -> String {
        let (text, strength) = match &self.form {
            SyntaxForm::Number(numerator, denominator) => (decimal(*numerator, *denominator), 9),
            SyntaxForm::Truth(truth) => (truth.to_string(), 9),
            SyntaxForm::Name(name) => (name.clone(), 9),
            SyntaxForm::Negate(inner) => (format!("-{}", inner.write(8)), 7),
            SyntaxForm::Not(inner) => (format!("not {}", inner.write(8)), 7),
            SyntaxForm::Binary(operator, left, right) => {
                let (_, sign, strength) = written(*operator);
                let (left_strength, right_strength) = strengths(*operator, strength);
                (format!("{} {sign} {}", left.write(left_strength), right.write(right_strength)), strength)
            }
            SyntaxForm::Choose(condition, yes, no) => {
                (format!("{} ? {} : {}", condition.write(2), yes.write(2), no.write(2)), 1)
            }
            SyntaxForm::Call(name, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(|argument| argument.write(0)).collect();
                (format!("{name}({})", arguments.join(", ")), 9)
            }
        };
        if strength < outer { format!("({text})") } else { text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::parse::parse;

    fn read(text: &str) -> Syntax {
        parse(text).expect("a good expression")
    }

    /// A printed expression has few unnecessary parentheses and parses to the same expression.
    #[test]
    fn text_is_read_back() {
        for text in [
            "a + b + c * d",
            "(a + b) * c - (d - e)",
            "a - (b - c)",
            "a / b * c % d",
            "a / (b * c)",
            "-(-a) < -b",
            "-(a + b) == 0.25",
            "not a && not (b || c)",
            "a || b && c || d",
            "(a || b) && (c || d)",
            "(a < b) == (c < d)",
            "((a == b) != c) == d",
            "not (a < b)",
            "a ? b : (c ? d : e)",
            "(a ? b : c) ? d : e",
            "a ? (b ? c : d) : e",
            "(a ? b : c) + 1 > 2",
            "min(a, b ? c : d, max(e)) >= 12.5",
            "true || false",
        ] {
            assert_eq!(read(text).to_text(), text);
        }
        assert_eq!(read("!(((a))and(b))or c").to_text(), "not (a && b) || c");
        assert_eq!(read("1_000 + 0.500").to_text(), "1000 + 0.5");
    }

    #[test]
    fn words_keep_what_belongs_together() {
        let names = Names { features: &[], candidate: 0, parameters: &[], is_exact: false };
        let said = |text: &str| words(&read(text), names, 0);
        assert_eq!(said("a || b && c"), "a or (b and c)");
        // A quotient is exact in a chance.
        assert_eq!(
            said("a / 3 > 1 && chance(a / 3)"),
            "a divided (rounded towards zero) by 3 is more than 1 and a chance of a divided by 3 comes true"
        );
        assert_eq!(
            said("a || b && c && d || e && f == 1 || g"),
            "a or (b and c and d) or (e and f is 1) or g"
        );
        assert_eq!(said("(a || b) && c"), "(a or b) and c");
        assert_eq!(said("(a < b) == (c < d)"), "(a is less than b) is (c is less than d)");
        assert_eq!(said("!(a && b) || c"), "(it is not so that (a and b)) or c");
        assert_eq!(said("!a && b == 2"), "not a and b is 2");
        assert_eq!(said("!(a && b == 2)"), "it is not so that (a and b is 2)");
        assert_eq!(said("2 * (a + 1) >= -b"), "2 times (a plus 1) is at least minus b");
        assert_eq!(said("min(a, b + 1) == (c ? 1 : 2)"), "the smallest of {a; b plus 1} is (1 if c, else 2)");
    }

    #[test]
    fn preferences_keep_what_belongs_together() {
        let predicates = [("red", "is red"), ("round", "is round"), ("loud", "makes noise")];
        let predicates = predicates.map(|(name, meaning)| Feature {
            name,
            meaning,
            unit: "",
            low: 0,
            high: 1,
            denominator: 1,
            is_truth: true,
            memory: 0,
        });
        let said = |text: &str| clause(&read(text), &predicates, false);
        assert_eq!(said("red || round && loud"), "is red or (is round and makes noise)");
        assert_eq!(said("(red || round) && loud"), "(is red or is round) and makes noise");
        assert_eq!(said("not (red || round) || loud"), "(is not red and is not round) or makes noise");
        assert_eq!(said("not (red && round) || loud"), "is not red or is not round or makes noise");
        assert_eq!(said("not (red && not loud)"), "is not red or makes noise");
    }
}
