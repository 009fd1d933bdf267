//! Values of the naive interpreter, and what a text declares.

use std::collections::{BTreeMap, HashMap};

use stopwise_script::syntax::{Domain, Expr, FaceItem, File, Names, NamesForm, Operator, Term};

/// A face: numbers come before names, names as they are declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Face {
    Number(i64),
    Name(usize),
}

/// What lies in a bag: the number of the die that shows it (0 for none), and the face.
pub(crate) type Bag = BTreeMap<(usize, Face), i64>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum V {
    Number(i64),
    Truth(bool),
    Face(Face),
    Nothing,
    Bag(Bag),
    Player(usize),
    Pair(i64, i64),
}

#[derive(Debug, Default)]
pub(crate) struct World {
    pub(crate) options: HashMap<String, V>,
    pub(crate) named: HashMap<String, String>,
    pub(crate) atoms: Vec<String>,
    /// Of pairs of names, both with the names of their sets.
    pub(crate) pairs: HashMap<usize, [(String, usize); 2]>,
    pub(crate) names: HashMap<String, Vec<Face>>,
    /// The faces of each die, each with its weight.
    pub(crate) dice: HashMap<String, Vec<(Vec<Face>, u64)>>,
    pub(crate) bags: HashMap<String, Bag>,
    pub(crate) seats: usize,
}

impl World {
    pub(crate) fn new(file: &File, given: &[(&str, &str)]) -> Self {
        let mut world = Self { seats: 1, ..Self::default() };
        for option in &file.options {
            let own = given
                .iter()
                .find(|(name, _)| *name == option.name.text)
                .map(|(_, value)| (*value).to_owned());
            let written = own.unwrap_or_else(|| match &option.value.term {
                Term::Word(word) if !world.options.contains_key(word) => word.clone(),
                _ => world.constant(&option.value).to_string(),
            });
            let is_named = matches!(&option.domain, Some(Domain::List(items)) if items.iter().all(|item| matches!(item.term, Term::Word(_))));
            let name = option.name.text.clone();
            if is_named {
                world.named.insert(name, written);
            } else {
                let value = match (written.as_str(), written.parse()) {
                    ("yes", _) => V::Truth(true),
                    ("no", _) => V::Truth(false),
                    (_, number) => V::Number(number.expect("a number")),
                };
                world.options.insert(name, value);
            }
        }
        if let Some(V::Number(players)) = world.options.get("players") {
            world.seats = usize::try_from(*players).expect("players");
        }
        for names in &file.names {
            world.names(file, names);
        }
        for die in &file.dice {
            let faces = die.items.iter().flat_map(|item| world.item(item)).collect();
            world.dice.insert(die.name.text.clone(), faces);
            world.atom(&die.name.text);
        }
        for bag in &file.bags {
            let mut all = Bag::new();
            for (faces, many) in bag.items.iter().flat_map(|item| world.item(item)).collect::<Vec<_>>() {
                for face in faces {
                    *all.entry((0, face)).or_default() += i64::try_from(many).expect("few");
                }
            }
            world.bags.insert(bag.name.text.clone(), all);
        }
        world
    }

    /// The names of a line; those that it takes names from are looked at first.
    fn names(&mut self, file: &File, names: &Names) {
        if self.names.contains_key(&names.name.text) {
            return;
        }
        let others = match &names.form {
            NamesForm::List(_, list) => list.clone(),
            NamesForm::Product(left, right) => vec![left.clone(), right.clone()],
        };
        for other in file.names.iter().filter(|other| others.iter().any(|name| name.text == other.name.text))
        {
            self.names(file, other);
        }
        let list = match &names.form {
            NamesForm::List(first, list) => {
                let all: Vec<Face> = match &list[..] {
                    [other] if self.names.contains_key(&other.text) => self.names[&other.text].clone(),
                    list => list.iter().map(|name| self.atom(&name.text)).collect(),
                };
                let many = first
                    .as_ref()
                    .map_or(all.len(), |first| usize::try_from(self.constant(first)).expect("some"));
                all[..many].to_vec()
            }
            NamesForm::Product(left, right) => {
                let (one, two) = (self.names[&left.text].clone(), self.names[&right.text].clone());
                let mut all = Vec::new();
                for a in &one {
                    for b in &two {
                        let (Face::Name(a), Face::Name(b)) = (a, b) else { panic!("names") };
                        let both = format!("{} {}", self.atoms[*a], self.atoms[*b]);
                        let atom = self.atom(&both);
                        let Face::Name(at) = atom else { panic!("a name") };
                        self.pairs.insert(at, [(left.text.clone(), *a), (right.text.clone(), *b)]);
                        all.push(atom);
                    }
                }
                all
            }
        };
        self.names.insert(names.name.text.clone(), list);
    }

    pub(crate) fn atom(&mut self, name: &str) -> Face {
        let at = self.atoms.iter().position(|atom| atom == name).unwrap_or_else(|| {
            self.atoms.push(name.to_owned());
            self.atoms.len() - 1
        });
        Face::Name(at)
    }

    fn constant(&self, expr: &Expr) -> i64 {
        match &expr.term {
            Term::Number(number) => *number,
            Term::Word(word) => match self.options.get(word) {
                Some(V::Number(number)) => *number,
                _ => panic!("{word} is no number"),
            },
            Term::Binary(Operator::Add, a, b) => self.constant(a) + self.constant(b),
            Term::Binary(Operator::Subtract, a, b) => self.constant(a) - self.constant(b),
            Term::Binary(Operator::Multiply, a, b) => self.constant(a) * self.constant(b),
            Term::Choose(condition, yes, no) => match &condition.term {
                Term::Word(word) if self.options[word] == V::Truth(true) => self.constant(yes),
                Term::Word(_) => self.constant(no),
                _ => panic!("a constant"),
            },
            _ => panic!("a constant"),
        }
    }

    fn item(&mut self, item: &FaceItem) -> Vec<(Vec<Face>, u64)> {
        let times = item.times.as_ref().map_or(1, |times| self.constant(times)).unsigned_abs();
        if let Some(to) = &item.to {
            let range = self.constant(&item.face)..=self.constant(to);
            return range.map(|number| (vec![Face::Number(number)], times)).collect();
        }
        match &item.face.term {
            Term::Number(number) => vec![(vec![Face::Number(*number)], times)],
            Term::Word(word) if self.names.contains_key(word) => {
                self.names[word].iter().map(|face| (vec![*face], times)).collect()
            }
            Term::Word(word) => vec![(vec![self.atom(word)], times)],
            Term::Binary(Operator::Add, a, b) => {
                let (Term::Word(a), Term::Word(b)) = (&a.term, &b.term) else { panic!("two names") };
                vec![(vec![self.atom(a), self.atom(b)], times)]
            }
            _ => panic!("a face"),
        }
    }
}
