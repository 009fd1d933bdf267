//! What depends on options only: options themselves, names, dice, bags, and what dice are worth.

use std::collections::BTreeSet;

use super::value::{At, Kind, Val};
use super::{Compiler, Global};
use crate::layout::{Field, Layout};
use crate::op::{GameOption, Values};
use crate::problem::unknown;
use crate::syntax::{Choice, Domain, Expr, FaceItem, File, Name, NamesForm, Operator, Term};

/// A name, or a number on a die.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    pub(super) name: String,
    pub(super) number: Option<i64>,
    /// Of a pair of names, both.
    pub(super) pair: Option<(i64, i64)>,
}

/// Names in their order.
#[derive(Clone, Debug)]
pub(super) struct Universe {
    pub(super) atoms: Vec<i64>,
    /// Of pairs of names, both sets of names.
    pub(super) product: Option<(usize, usize)>,
    /// The name of a set of names.
    pub(super) name: Option<String>,
}

/// A value for an option.
pub(crate) type Given = (Name, Expr);

/// Option values in words as they stand in a text.
pub(crate) fn given(file: &File, options: &[(String, String)]) -> Vec<Given> {
    let given = options.iter().map(|(name, value)| {
        let declared = file.options.iter().find(|option| option.name.text == *name);
        let span = declared.map_or(0..0, |option| option.value.span.clone());
        let term = match (value.as_str(), value.parse()) {
            (_, Ok(number)) => Term::Number(number),
            ("true", _) => Term::Word("yes".into()),
            ("false", _) => Term::Word("no".into()),
            _ => Term::Word(value.clone()),
        };
        (Name { text: name.clone(), span: span.clone() }, Expr { span, term })
    });
    given.collect()
}

/// A die.
#[derive(Clone, Debug)]
pub(super) struct Die {
    pub(super) atom: i64,
    /// The names on each face, and its weight.
    pub(super) faces: Vec<(Vec<i64>, u64)>,
    pub(super) universe: usize,
    pub(super) form: DieForm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DieForm {
    Numbers(i64, i64),
    Names,
    /// Some face shows several names.
    Sets,
}

/// The most faces of a die, names of a set, and kinds in a bag.
const MOST_FACES: usize = 1024;

impl Compiler<'_> {
    pub(super) fn world(&mut self, given: &[Given]) {
        self.declare_options(given);
        self.names();
        self.dice();
        self.bags();
        let file = self.file;
        for (at, define) in file.defines.iter().enumerate() {
            self.declare(&define.name, Global::Define(at));
        }
        for (at, (name, _)) in file.steps.iter().enumerate() {
            self.declare(name, Global::Steps(at));
        }
        self.program.seats = match self.globals.get("players") {
            Some(Global::Constant(players)) if players.kind == Kind::Number => {
                let players = players.lo.clamp(1, 8);
                usize::try_from(players).unwrap_or(1)
            }
            _ => 1,
        };
    }

    pub(super) fn declare(&mut self, name: &Name, global: Global) {
        self.check_word(&name.text, &name.span);
        if self.globals.contains_key(&name.text) {
            self.wrong(&name.span, format!("`{}` is declared twice", name.text));
            return;
        }
        self.globals.insert(name.text.clone(), global);
    }

    pub(super) fn declare_options(&mut self, given: &[Given]) {
        let file = self.file;
        for option in &file.options {
            let own = given.iter().rev().find(|(name, _)| name.text == option.name.text);
            let value = own.map_or(&option.value, |(_, value)| value);
            let named = match &option.domain {
                Some(Domain::List(items)) => {
                    items.iter().map(|item| item.word().map(str::to_owned)).collect::<Option<Vec<_>>>()
                }
                _ => None,
            };
            let name = &option.name.text;
            let global = match (named, &option.domain) {
                (Some(values), _) => {
                    let chosen = value.word().unwrap_or_default().to_owned();
                    if !values.contains(&chosen) {
                        let known = values.iter().map(String::as_str);
                        let problem = unknown(value.span.clone(), "value", &chosen, known);
                        self.problem(problem.help(format!("values of `{name}` are {}", values.join(", "))));
                    }
                    self.chosen(option, chosen.clone(), Values::Words(values.clone()));
                    Global::Named(chosen, values)
                }
                (None, domain) => {
                    let value = self.option_value(option, value, domain.as_ref());
                    Global::Constant(value)
                }
            };
            self.declare(&option.name, global);
        }
        for (name, _) in given {
            if !file.options.iter().any(|option| option.name.text == name.text) {
                let known = file.options.iter().map(|option| option.name.text.as_str());
                self.none_of(&name.span, "option", &name.text, known);
            }
        }
    }

    fn chosen(&mut self, option: &Choice, value: String, values: Values) {
        let (name, words) = (option.name.text.clone(), option.words.clone());
        let (unit, meaning) = (words.unit.unwrap_or_default(), words.meaning.unwrap_or_default());
        self.program.options.push(GameOption { name, value, values, unit, meaning });
    }

    fn option_value(&mut self, option: &Choice, value: &Expr, domain: Option<&Domain>) -> Val {
        let name = &option.name.text;
        let Some(domain) = domain else {
            let truth = self.condition(value);
            if truth.known().is_none() || truth.kind != Kind::Truth {
                if !truth.is_broken() {
                    self.wrong(&value.span, format!("`{name}` needs a range: `in LEAST..MOST`"));
                }
                return Val::broken();
            }
            let written = if truth.is(true) { "yes" } else { "no" };
            self.chosen(option, written.to_owned(), Values::YesNo);
            return truth;
        };
        let problems = self.problems.len();
        let number = self.constant(value);
        if self.problems.len() > problems {
            return Val::broken();
        }
        let allowed = match domain {
            Domain::Range(from, to) => {
                let (from, to) = (self.constant(from), self.constant(to));
                if from > to {
                    let message = format!("`{from}..{to}` runs backwards: write `{to}..{from}`");
                    self.wrong(&domain.span(), message);
                } else if number < from || number > to {
                    self.wrong(&value.span, format!("`{name}` is {number}, and {from} to {to} is allowed"));
                }
                Values::Whole(from, to)
            }
            Domain::List(items) => {
                let allowed: Vec<i64> = items.iter().map(|item| self.constant(item)).collect();
                if !allowed.contains(&number) {
                    self.wrong(&value.span, format!("`{number}` is none of the values of `{name}`"));
                }
                Values::Numbers(allowed)
            }
        };
        self.chosen(option, number.to_string(), allowed);
        Val::number(number)
    }

    pub(super) fn atom(&mut self, name: &str, number: Option<i64>) -> i64 {
        let found = self.atoms.iter().position(|atom| match number {
            Some(_) => atom.number == number,
            None => atom.number.is_none() && atom.name == name,
        });
        let at = found.unwrap_or_else(|| {
            self.atoms.push(Atom { name: name.to_owned(), number, pair: None });
            self.atoms.len() - 1
        });
        i64::try_from(at + 1).unwrap_or(0)
    }

    pub(super) fn number_atom(&mut self, number: i64) -> i64 {
        self.atom(&number.to_string(), Some(number))
    }

    pub(super) fn atom_of(&self, atom: i64) -> Option<&Atom> {
        self.atoms.get(usize::try_from(atom - 1).ok()?)
    }

    /// The number of the universe of these names.
    pub(super) fn universe(&mut self, atoms: Vec<i64>, name: Option<&str>) -> usize {
        let found = self.universes.iter().position(|universe| universe.atoms == atoms);
        let at = found.unwrap_or_else(|| {
            self.universes.push(Universe { atoms, product: None, name: None });
            self.universes.len() - 1
        });
        if let Some(name) = name {
            self.universes[at].name.get_or_insert(name.to_owned());
        }
        at
    }

    fn names(&mut self) {
        let mut left: BTreeSet<usize> = (0..self.file.names.len()).collect();
        while let Some(line) = left.pop_first() {
            self.names_line(line, &mut left);
        }
    }

    /// The names of a line, after those of the lines that it takes them from, which may stand further down.
    fn names_line(&mut self, line: usize, left: &mut BTreeSet<usize>) {
        let file = self.file;
        let names = &file.names[line];
        let from = match &names.form {
            NamesForm::List(_, list) => list.iter().collect(),
            NamesForm::Product(one, two) => vec![one, two],
        };
        for name in from {
            let is_there = |line: &usize| file.names[*line].name.text == name.text;
            if let Some(line) = left.iter().copied().find(is_there) {
                left.remove(&line);
                self.names_line(line, left);
            }
        }
        let name = names.name.text.as_str();
        let at = match &names.form {
            NamesForm::List(first, list) => {
                // The first of those that another line names.
                let other = list.first().filter(|other| {
                    first.is_some()
                        && list.len() == 1
                        && file.names.iter().any(|names| names.name.text == other.text)
                });
                let mut atoms = Vec::new();
                if let Some(other) = other {
                    let Some(at) = self.names_of(other) else { return };
                    if self.universes[at].product.is_some() {
                        self.advise(
                            &other.span,
                            format!("`{}` are pairs, of which there is no first", other.text),
                            "take the first of the names that they are pairs of, in a line before",
                        );
                    }
                    atoms.clone_from(&self.universes[at].atoms);
                }
                for name in list.iter().filter(|_| other.is_none()) {
                    let atom = self.atom(&name.text, None);
                    if !matches!(self.globals.get(&name.text), Some(Global::Atom(_))) {
                        self.declare(name, Global::Atom(atom));
                    }
                    if atoms.contains(&atom) {
                        self.wrong(&name.span, format!("`{}` stands twice", name.text));
                    } else {
                        atoms.push(atom);
                    }
                }
                if let Some(first) = first {
                    let many = self.constant(first);
                    let most = i64::try_from(atoms.len()).unwrap_or(0);
                    if many < 1 || many > most {
                        self.wrong(&first.span, format!("there are {most} names, and {many} are wanted"));
                    }
                    atoms.truncate(usize::try_from(many).unwrap_or(0).max(1));
                }
                self.universe(atoms, Some(name))
            }
            NamesForm::Product(left, right) => {
                let (Some(a), Some(b)) = (self.names_of(left), self.names_of(right)) else { return };
                let mut atoms = Vec::new();
                for &one in &self.universes[a].atoms.clone() {
                    for &two in &self.universes[b].atoms.clone() {
                        let text = |at: i64| self.atom_of(at).map_or("", |atom| &atom.name);
                        let both = format!("{} {}", text(one), text(two));
                        let atom = self.atom(&both, None);
                        if let Some(atom) =
                            usize::try_from(atom - 1).ok().and_then(|at| self.atoms.get_mut(at))
                        {
                            atom.pair = Some((one, two));
                        }
                        atoms.push(atom);
                    }
                }
                let at = self.universe(atoms, Some(name));
                self.universes[at].product = Some((a, b));
                at
            }
        };
        self.declare(&names.name, Global::Names(at));
    }

    fn names_of(&mut self, name: &Name) -> Option<usize> {
        match self.globals.get(&name.text) {
            Some(Global::Names(at)) => Some(*at),
            // What is wrong there was told.
            _ if self.file.names.iter().any(|names| names.name.text == name.text) => {
                if self.problems.is_empty() {
                    let text = &name.text;
                    self.wrong(&name.span, format!("`{text}` are made of names that are made of them"));
                }
                None
            }
            _ => {
                let known = self.globals.iter().filter(|(_, global)| matches!(global, Global::Names(_)));
                let known = known.map(|(name, _)| name.as_str());
                let problem = unknown(name.span.clone(), "names", &name.text, known);
                self.problem(problem);
                None
            }
        }
    }

    /// The faces of an item: the names on each face, and its weight.
    fn item(&mut self, item: &FaceItem, is_new: bool) -> Vec<(Vec<i64>, u64)> {
        let times = match &item.times {
            None => 1,
            Some(times) => {
                let times_value = self.constant(times);
                if !(0..=1000).contains(&times_value) {
                    self.wrong(&times.span, format!("{times_value} of a face is not possible; 0 to 1000 is"));
                }
                u64::try_from(times_value).unwrap_or(0).min(1000)
            }
        };
        if let Some(to) = &item.to {
            let (from, to_value) = (self.constant(&item.face), self.constant(to));
            let (least, most) = (from.min(to_value), from.max(to_value));
            if most - least > 1000 {
                self.wrong(&to.span, format!("{from} to {to_value} are no faces"));
            } else if from > to_value {
                let message = format!("{from} to {to_value} are no faces");
                self.advise(&to.span, message, format!("write `{least}..{most}`"));
            }
            return (least..=most).take(1000).map(|number| (vec![self.number_atom(number)], times)).collect();
        }
        let mut atoms = Vec::new();
        let mut rest = vec![&item.face];
        while let Some(part) = rest.pop() {
            match &part.term {
                Term::Binary(Operator::Add, left, right) if word_or_sum(left) => {
                    rest.extend([&**right, &**left])
                }
                Term::Word(word) => match self.globals.get(word).cloned() {
                    Some(Global::Names(universe)) if std::ptr::eq(part, &raw const item.face) => {
                        let atoms = self.universes[universe].atoms.clone();
                        return atoms.into_iter().map(|atom| (vec![atom], times)).collect();
                    }
                    Some(Global::Atom(atom)) => atoms.push(atom),
                    Some(Global::Die(die)) => atoms.push(self.dice[die].atom),
                    Some(Global::Bag(bag)) if std::ptr::eq(part, &raw const item.face) => {
                        let (Kind::Bag(layout), Some(value)) = (bag.kind, bag.known()) else {
                            return Vec::new();
                        };
                        let fields = self.fields(layout);
                        let counts = fields
                            .iter()
                            .map(|field| (vec![field.atom], field.of(value).cast_unsigned() * times));
                        return counts.collect();
                    }
                    None if is_new => {
                        let atom = self.atom(word, None);
                        self.declare(
                            &Name { text: word.clone(), span: part.span.clone() },
                            Global::Atom(atom),
                        );
                        atoms.push(atom);
                    }
                    Some(Global::Constant(_)) => {
                        let number = self.constant(part);
                        atoms.push(self.number_atom(number));
                    }
                    _ => self.unknown(&part.span, "face", word),
                },
                _ => {
                    let number = self.constant(part);
                    atoms.push(self.number_atom(number));
                }
            }
        }
        vec![(atoms, times)]
    }

    fn dice(&mut self) {
        let file = self.file;
        for die in &file.dice {
            let mut faces = Vec::new();
            for item in &die.items {
                faces.extend(self.item(item, true));
            }
            faces.retain(|(atoms, weight)| !atoms.is_empty() && *weight > 0);
            let weight: u64 = faces.iter().map(|(_, weight)| weight).sum();
            if faces.is_empty() || faces.len() > MOST_FACES || weight > crate::pool::HEAVIEST {
                self.wrong(
                    &die.name.span,
                    format!("a die has 1 to {MOST_FACES} faces, of weight 65,536 at most"),
                );
                faces.truncate(MOST_FACES);
            }
            let mut atoms: Vec<i64> = Vec::new();
            for atom in faces.iter().flat_map(|(names, _)| names) {
                if !atoms.contains(atom) {
                    atoms.push(*atom);
                }
            }
            let numbers: Option<Vec<i64>> = atoms.iter().map(|&atom| self.number_on(atom)).collect();
            let form = match numbers {
                _ if faces.iter().any(|(names, _)| names.len() > 1) => DieForm::Sets,
                Some(numbers) if !numbers.is_empty() => {
                    DieForm::Numbers(*numbers.iter().min().unwrap_or(&0), *numbers.iter().max().unwrap_or(&0))
                }
                _ => DieForm::Names,
            };
            let universe = self.universe(atoms, None);
            let atom = self.atom(&die.name.text, None);
            self.dice.push(Die { atom, faces, universe, form });
            self.declare(&die.name, Global::Die(self.dice.len() - 1));
        }
    }

    fn bags(&mut self) {
        let file = self.file;
        let mut all = Vec::new();
        for bag in &file.bags {
            let mut counts: Vec<(i64, i64)> = Vec::new();
            for item in &bag.items {
                for (atoms, times) in self.item(item, true) {
                    let times = times.cast_signed();
                    for atom in atoms {
                        match counts.iter_mut().find(|(other, _)| *other == atom) {
                            Some((_, count)) => *count += times,
                            None => counts.push((atom, times)),
                        }
                    }
                }
            }
            let universe = self.universe(counts.iter().map(|(atom, _)| *atom).collect(), None);
            let most = self.declared.entry(universe).or_insert_with(|| vec![0; counts.len()]);
            for (most, (_, count)) in most.iter_mut().zip(&counts) {
                *most = (*most).max(*count);
            }
            all.push((bag, universe, counts));
        }
        for (bag, universe, counts) in all {
            let Some(layout) = self.layout_for(universe, &bag.name.span) else { continue };
            let fields = self.fields(layout);
            let value = fields.iter().zip(&counts).map(|(field, (_, count))| count << field.shift).sum();
            let most: Vec<i64> = counts.iter().map(|(_, count)| *count).collect();
            let size = most.iter().sum();
            let value = Val::new(At::Const(value), Kind::Bag(layout), size, size).with_most(most);
            self.declare(&bag.name, Global::Bag(value));
        }
    }

    /// The layout of bags over a universe.
    pub(super) fn layout_for(&mut self, universe: usize, span: &crate::problem::Span) -> Option<u16> {
        if let Some(layout) = self.layouts.get(&universe) {
            return Some(*layout);
        }
        let atoms = self.universes[universe].atoms.clone();
        let kinds = atoms.len().max(1);
        let even = vec![(1 << (63 / kinds).min(5)) - 1; kinds];
        let mut most = self.declared.get(&universe).cloned().unwrap_or(even);
        let dice = self.room.get(&universe).copied().unwrap_or(0);
        most.iter_mut().for_each(|most| *most = (*most).max(dice));
        let faces: Vec<_> = atoms.iter().map(|&atom| (atom, self.number_of(atom), 0)).collect();
        self.add_layout(Layout::new(&faces, &most), span).inspect(|&layout| {
            self.layouts.insert(universe, layout);
        })
    }

    pub(super) fn add_layout(&mut self, layout: Option<Layout>, span: &crate::problem::Span) -> Option<u16> {
        let Some(layout) = layout.filter(|layout| layout.fields.iter().all(|field| field.bits > 0)) else {
            self.advise(
                span,
                "a bag of these would hold too many faces",
                "the counts of all its faces have 63 bits together: of 30 faces there may be 3 each, of 20 faces 7, of 12 faces 31",
            );
            return None;
        };
        if let Some(at) = self.program.layouts.iter().position(|other| *other == layout) {
            return u16::try_from(at).ok();
        }
        self.program.layouts.push(layout);
        u16::try_from(self.program.layouts.len() - 1).ok()
    }

    /// The number that a face shows.
    pub(super) fn number_on(&self, atom: i64) -> Option<i64> {
        self.atom_of(atom).and_then(|atom| atom.number)
    }

    pub(super) fn number_of(&self, atom: i64) -> i64 {
        self.number_on(atom).unwrap_or(0)
    }

    /// None, and every name.
    pub(super) fn each_atom(&self) -> impl Iterator<Item = i64> + use<> {
        (0..).take(self.atoms.len() + 1)
    }

    pub(super) fn layout(&self, layout: u16) -> &Layout {
        &self.program.layouts[usize::from(layout)]
    }

    /// What a bag has places for.
    pub(super) fn fields(&self, layout: u16) -> &[Field] {
        &self.layout(layout).fields
    }
}

fn word_or_sum(expr: &Expr) -> bool {
    matches!(&expr.term, Term::Word(_) | Term::Binary(Operator::Add, ..))
}
