//! Faces that stand nowhere else in the text and are named like others but for a letter or two: a misspelt face is a face
//! of its own.

use std::collections::{BTreeMap, BTreeSet};

use stopwise_text::misspelt;

use crate::lex::{Token, lines};
use crate::problem::Problem;
use crate::syntax::{File, Form, Term};

pub(super) fn misspelt_faces(text: &str, file: &File) -> Vec<Problem> {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for (token, _) in lines(text).0.into_iter().flat_map(|line| line.tokens) {
        if let Token::Word(word) = token {
            *times.entry(word).or_default() += 1;
        }
    }
    // A variable is no face, and no question is.
    let mut variables: BTreeSet<&str> =
        file.shared.iter().chain(&file.player).map(|variable| &*variable.name.text).collect();
    file.each_statement(&mut |statement| match &statement.form {
        Form::Let(variable) => drop(variables.insert(&variable.name.text)),
        Form::Roll { parts, .. } => variables.extend(parts.iter().map(|part| &*part.name.text)),
        Form::Draw { name, .. } | Form::Chance { name, .. } | Form::Ask { name, .. } => {
            variables.insert(&name.text);
        }
        _ => {}
    });
    let is_often = |(word, times): &(&str, &usize)| **times > 1 && !variables.contains(word);
    let words = times.iter().map(|(word, times)| (word.as_str(), times));
    let often: Vec<&str> = words.filter(is_often).map(|(word, _)| word).collect();
    let items = file.dice.iter().chain(&file.bags).flat_map(|faces| &faces.items);
    let warning = |item: &crate::syntax::FaceItem| {
        let Term::Word(face) = &item.face.term else { return None };
        let near = misspelt(face, &often).filter(|near| stem(near) != stem(face))?;
        let message = format!("`{face}` stands nowhere else: is `{near}` meant?");
        (times.get(face) == Some(&1)).then(|| Problem::new(item.face.span.clone(), message))
    };
    items.filter_map(warning).collect()
}

/// A name without what tells it from others of its kind: `red1` and `red2`, `ship_a` and `ship_b`, `coin` and `coins`.
fn stem(name: &str) -> &str {
    let name = name.trim_end_matches(|last: char| last.is_ascii_digit() || last == 's');
    match name.rsplit_once('_') {
        Some((stem, last)) if last.chars().count() < 2 => stem,
        _ => name,
    }
}
