//! What sets of faces are worth: the rows of a table `worth`, with letters and wild faces written out.

use std::collections::BTreeMap;

use super::value::Val;
use super::{Compiler, Global};
use crate::layout::Field;
use crate::problem::Span;
use crate::syntax::{Expr, Term};

impl Compiler<'_> {
    /// What every bag of these faces is worth, by the table of its die: rows of faces and a value, of which the best
    /// that use all of it are added up.
    pub(super) fn worth_rows(&mut self, layout: u16) -> Option<Vec<(i64, i64)>> {
        let file = self.file;
        let fields = self.fields(layout).to_vec();
        let worth = file.worth.iter().find(|worth| {
            let Some(Global::Die(die)) = self.globals.get(&worth.die.text) else { return false };
            let mut faces = self.universes[self.dice[*die].universe].atoms.iter();
            faces.all(|atom| fields.iter().any(|field| field.atom == *atom))
        })?;
        let (mut rows, mut wild) = (Vec::new(), Vec::new());
        for (faces, value) in &worth.lines {
            match value.word() {
                Some("wild") => {
                    let atom = self.wild_face(faces, &value.span, &fields, &wild);
                    wild.extend(atom);
                }
                _ => self.worth_line(faces, value, &fields, &mut rows),
            }
        }
        for atom in wild {
            rows = with_wild(rows, &fields, atom);
        }
        Some(rows)
    }

    /// `FACE: wild`: a face that may stand for any other one in a set.
    fn wild_face(&mut self, faces: &[Expr], span: &Span, fields: &[Field], wild: &[i64]) -> Option<i64> {
        if self.globals.contains_key("wild") {
            self.advise(
                span,
                "`FACE: wild` is a face that stands for any other, and `wild` is a name of this text",
                "give what has this name another one",
            );
            return None;
        }
        let atom = match faces {
            [Expr { term: Term::Number(number), .. }] => Some(self.number_atom(*number)),
            [Expr { term: Term::Word(word), .. }] => match self.globals.get(word) {
                Some(Global::Atom(atom)) => Some(*atom),
                _ => None,
            },
            _ => None,
        };
        match atom {
            None => self.advise(
                span,
                "one face of the die is wild",
                "write `FACE: wild`, for each of them if they are several",
            ),
            Some(atom) if !fields.iter().any(|field| field.atom == atom) => {
                self.wrong(&faces[0].span, "the die has no such face");
            }
            Some(atom) if wild.contains(&atom) => {
                self.advise(&faces[0].span, "this face is wild already", "leave one of the two lines out");
            }
            Some(_) => {}
        }
        atom
    }

    fn worth_line(&mut self, faces: &[Expr], value: &Expr, fields: &[Field], rows: &mut Vec<(i64, i64)>) {
        // Letters stand for any faces, all different.
        let mut letters: Vec<String> = Vec::new();
        for face in faces {
            if let Term::Word(word) = &face.term
                && !matches!(self.globals.get(word), Some(Global::Atom(_)))
                && !letters.contains(word)
            {
                letters.push(word.clone());
            }
        }
        // A face counts whichever die shows it.
        let mut shown: Vec<(i64, i64)> = fields.iter().map(|field| (field.atom, field.number)).collect();
        shown.sort_unstable();
        shown.dedup();
        let mut choices: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in &letters {
            let longer = choices.iter().flat_map(|choice| {
                let free = (0..shown.len()).filter(|at| !choice.contains(at));
                free.map(|at| choice.iter().copied().chain([at]).collect())
            });
            choices = longer.collect();
            if choices.len() > 5000 {
                self.wrong(&value.span, "these letters stand for too many faces");
                return;
            }
        }
        for choice in choices {
            let locals = self.locals.len();
            let chosen: Vec<(&str, i64)> =
                letters.iter().zip(&choice).map(|(letter, &at)| (letter.as_str(), shown[at].0)).collect();
            for (letter, &at) in letters.iter().zip(&choice) {
                let value = Val::number(shown[at].1);
                self.locals.push((letter.clone(), super::Local::Value(value)));
            }
            let mut bags = vec![0];
            for face in faces {
                let letter = face.word().and_then(|word| chosen.iter().find(|(letter, _)| *letter == word));
                let atom = match (letter, face.word()) {
                    (Some((_, atom)), _) => *atom,
                    (None, Some(name)) => self.atom(name, None),
                    (None, None) => {
                        let number = self.constant(face);
                        self.number_atom(number)
                    }
                };
                if !fields.iter().any(|field| field.atom == atom) {
                    self.wrong(&face.span, "the die has no such face");
                }
                bags = with_face(fields, atom, &bags);
            }
            // A set that is worth nothing is no set: so an option can switch one off.
            let value = self.constant(value);
            if value > 0 {
                rows.extend(bags.into_iter().map(|bag| (bag, value)));
            }
            self.locals.truncate(locals);
        }
    }
}

/// Sets in which dice that show a wild face stand for any of the others.
fn with_wild(rows: Vec<(i64, i64)>, fields: &[Field], wild: i64) -> Vec<(i64, i64)> {
    let (wild, others): (Vec<&Field>, Vec<&Field>) = fields.iter().partition(|field| field.atom == wild);
    let mut best: BTreeMap<i64, i64> = BTreeMap::new();
    let mut open = rows;
    while let Some((bag, value)) = open.pop() {
        if best.get(&bag).is_some_and(|known| *known >= value) {
            continue;
        }
        best.insert(bag, value);
        for other in others.iter().filter(|other| other.of(bag) > 0) {
            let with = wild.iter().filter(|field| field.of(bag) < field.most());
            open.extend(with.map(|field| (bag - other.unit() + field.unit(), value)));
        }
    }
    best.into_iter().collect()
}

/// Bags with one more die that shows a face, where there is room for it: one for each kind of dice that may.
fn with_face(fields: &[Field], atom: i64, bags: &[i64]) -> Vec<i64> {
    let showing = fields.iter().filter(|field| field.atom == atom);
    let with = showing.flat_map(|field| {
        let has_room = |bag: &&i64| field.of(**bag) < field.most();
        bags.iter().filter(has_room).map(|bag| bag + field.unit())
    });
    let mut bags: Vec<i64> = with.collect();
    bags.sort_unstable();
    bags.dedup();
    bags
}
