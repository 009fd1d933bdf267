//! Bags: sums, counts, parts and worth.

use stopwise_engine::vocabulary::grouped;

use super::Compiler;
use super::value::{At, Kind, Val};
use crate::layout::{BagOp, Layout, MOST_BAGS, MOST_PAIRED};
use crate::op::Bin;
use crate::problem::{Problem, Span};
use crate::syntax::Operator;

impl Compiler<'_> {
    /// `a + b` or `a - b` of bags; a name counts as the bag of it.
    pub(super) fn bag_sum(&mut self, operator: Operator, a: &Val, b: &Val, span: &Span) -> Val {
        let layout = match (a.kind, b.kind) {
            (Kind::Bag(layout), _) | (_, Kind::Bag(layout)) => Some(layout),
            (Kind::Name(universe), _) | (_, Kind::Name(universe)) => self.layout_for(universe, span),
            _ => None,
        };
        let Some(layout) = layout else {
            return self.broken(span, "it is not known of what these bags are");
        };
        let kind = Kind::Bag(layout);
        let (Some(a), Some(b)) = (self.as_kind_or(a, kind, span), self.as_kind_or(b, kind, span)) else {
            return Val::broken();
        };
        if operator == Operator::Subtract {
            let at = match (a.at, b.at) {
                (At::Const(a), At::Const(b)) => At::Const(self.layout(layout).minus(a, b)),
                _ => self.bag_op(BagOp::Minus, layout, a.at, b.at),
            };
            return Val { at, kind, lo: (a.lo - b.hi).max(0), hi: a.hi, most: a.most };
        }
        let fields = self.fields(layout);
        let most: Vec<i64> = a.most.iter().zip(&*b.most).map(|(a, b)| a + b).collect();
        if !most.iter().zip(fields).all(|(most, field)| *most <= field.most()) {
            if self.dead == 0 {
                let most = fields.iter().map(|field| field.most()).min().unwrap_or(0);
                self.advise(
                    span,
                    format!("this may be more of a face than there is room for: of {} faces up to {most} each", fields.len()),
                    "say of each face whether it is there, as `let row[card] = no`; or have fewer faces, or a variable `in BAG` with a bag of \
                     fewer; what was drawn is `BAG - rest`, and what lies nowhere else `those(c in card where …)`",
                );
            }
            return Val::broken();
        }
        let at = self.bin(Bin::Add, a.at, b.at);
        Val { at, kind, lo: a.lo + b.lo, hi: a.hi + b.hi, most: most.into() }
    }

    /// The problem of a bag, of so many at most, in place of one that holds something else.
    pub(super) fn other_bag(&self, own: u16, many: i64, wanted: u16, span: &Span) -> Problem {
        let fields = |layout: u16| self.fields(layout);
        let is_die = |atom: i64| self.dice.iter().any(|die| die.atom == atom);
        let holds_dice = |layout: u16| fields(layout).iter().any(|field| is_die(field.atom));
        let faces = || self.faces_in_words(fields(own).iter().map(|field| field.atom), many);
        let problem = |message: &str| Problem::new(span.clone(), message);
        match (holds_dice(own), holds_dice(wanted)) {
            (false, true) if fields(own).iter().any(|field| field.die != 0) => {
                let problem = problem("this is what dice show, and a bag of dice is needed");
                problem.help("`dice(…)` are the dice that show it")
            }
            (false, true) => {
                let problem = problem("this is what dice show, and a bag of dice is needed");
                problem.help(format!("what dice show is held by a bag of faces: declare {}", faces()))
            }
            (true, false) => {
                problem("these are dice, and a bag of what dice show is needed").help("roll them first")
            }
            (true, true) => problem("these are other dice than this bag can hold"),
            (false, false) if fields(wanted).iter().any(|field| field.die != 0) => {
                let problem = problem("this does not tell which dice show it, as is needed");
                problem.help(format!("what dice show is held by a bag of faces: declare {}", faces()))
            }
            (false, false) => {
                problem("this can hold faces that the other bag cannot, or more of them than it has room for")
                    .help(format!("declare {}", faces()))
            }
        }
    }

    /// How a bag of faces is declared: "`bag NAME = 5 of 1..6`, and write `in NAME`".
    pub(super) fn faces_in_words(&self, atoms: impl Iterator<Item = i64>, many: i64) -> String {
        let mut faces: Vec<i64> = Vec::new();
        atoms.for_each(|atom| faces.extend((!faces.contains(&atom)).then_some(atom)));
        let numbers: Option<Vec<i64>> = faces.iter().map(|&atom| self.atom_of(atom)?.number).collect();
        let items = match numbers.as_deref() {
            Some([first, .., last])
                if numbers.iter().flatten().zip(*first..).all(|(number, next)| *number == next) =>
            {
                format!("{many} of {first}..{last}")
            }
            _ => {
                let names = faces.iter().filter_map(|&atom| self.atom_of(atom));
                names.map(|atom| format!("{many} of {}", atom.name)).collect::<Vec<_>>().join(", ")
            }
        };
        format!("`bag NAME = {items}`, and write `in NAME`")
    }

    /// How many of a face a bag holds.
    pub(super) fn count_of(&mut self, bag: &Val, face: &Val, span: &Span) -> Val {
        let Kind::Bag(layout) = bag.kind else { return Val::broken() };
        let fields = self.fields(layout).to_vec();
        let atom = match face.kind {
            Kind::Name(_) => face.at,
            Kind::Number => {
                let of = |number: i64| {
                    let is = |atom: i64| self.number_on(atom) == Some(number);
                    fields.iter().find(|field| is(field.atom)).map_or(0, |field| field.atom)
                };
                let table: Vec<i64> = (0..=face.hi.clamp(0, 4096)).map(of).collect();
                self.look_up(table, face.at)
            }
            Kind::Broken => return Val::broken(),
            kind => return self.broken(span, format!("this is {}, and a face is needed", kind.in_words())),
        };
        let most: i64 = match atom {
            At::Const(atom) => {
                let fields = fields.iter().zip(&*bag.most).filter(|(field, _)| field.atom == atom);
                fields.map(|(_, most)| most).sum()
            }
            At::Reg(_) => bag.most.iter().sum(),
        };
        let at = match (bag.at, atom) {
            (At::Const(bag), At::Const(atom)) => At::Const(self.layout(layout).count(bag, atom)),
            (_, At::Const(atom)) => {
                let mut sum = At::Const(0);
                for field in fields.iter().filter(|field| field.atom == atom) {
                    let part = self.bin(Bin::Shr, bag.at, At::Const(field.shift.into()));
                    let part = self.bin(Bin::And, part, At::Const(field.most()));
                    sum = self.bin(Bin::Add, sum, part);
                }
                sum
            }
            _ => self.bag_op(BagOp::Count, layout, bag.at, atom),
        };
        let (lo, hi) = match at {
            At::Const(count) => (count, count),
            At::Reg(_) => (0, most.min(bag.hi)),
        };
        Val::new(at, Kind::Number, lo, hi)
    }

    /// All bags that a value may be.
    fn possible(&mut self, bag: &Val, span: &Span) -> Option<(u16, Vec<i64>)> {
        let Kind::Bag(layout) = bag.kind else { return None };
        let bags = self.layout(layout).bags(&bag.most, bag.hi, MOST_BAGS);
        if bags.is_none() {
            let message = format!("this may be more than {} different bags", grouped(MOST_BAGS as u64));
            self.advise(span, message, "give the number of dice a narrower range");
        }
        Some((layout, bags?))
    }

    /// Widens what is tabulated of a layout so that it has these bags. Returns whether that is more than before.
    fn widen(known: Option<&(Vec<i64>, i64)>, bag: &Val) -> Option<Val> {
        let Some((most, size)) = known else { return Some(bag.clone()) };
        if bag.hi <= *size && bag.most.iter().zip(most).all(|(a, b)| a <= b) {
            return None;
        }
        let wider: Vec<i64> = bag.most.iter().zip(most).map(|(a, b)| *a.max(b)).collect();
        Some(Val { hi: bag.hi.max(*size), ..bag.clone() }.with_most(wider))
    }

    /// Tabulates the parts of a bag. Returns the most that one has.
    pub(super) fn tabulate_parts(&mut self, bag: &Val, span: &Span) -> Option<usize> {
        let Kind::Bag(number) = bag.kind else { return None };
        let bag = Self::widen(self.parts.get(&number), bag).unwrap_or_else(|| bag.clone());
        let (_, bags) = self.possible(&bag, span)?;
        let layout = self.layout(number).clone();
        let most = self.program.bags.to_mut().add_parts(number, &layout, &bags);
        if most.is_none() {
            self.advise(
                span,
                "these bags have too many parts: a million in all is the limit",
                "roll fewer dice, or of fewer kinds; or ask for a face, and then for how many of it: `ask face in rolled`, \
                 `ask many in 1..count(rolled, face)`",
            );
        }
        self.parts.insert(number, (bag.most.to_vec(), bag.hi));
        most
    }

    /// Tabulates the pairings of four dice, if they are few.
    pub(super) fn tabulate_pairings(&mut self, number: u16) {
        if self.program.bags.has_pairings(number) {
            return;
        }
        let layout = &self.program.layouts[usize::from(number)];
        let most: Vec<i64> = layout.fields.iter().map(|field| field.most().min(4)).collect();
        let bags = layout.bags(&most, 4, MOST_PAIRED).unwrap_or_default();
        let bags = bags.into_iter().filter(|bag| layout.size(*bag) == 4).collect();
        self.program.bags.to_mut().add_pairings(number, layout, bags);
    }

    /// `worth(bag)`.
    pub(super) fn worth_of(&mut self, bag: &Val, span: &Span) -> Val {
        let Kind::Bag(number) = bag.kind else { return Val::broken() };
        if let Some(wider) = Self::widen(self.worths.get(&number), bag) {
            let Some(rows) = self.worth_rows(number) else {
                self.advise(
                    span,
                    "there is no table `worth` for these faces",
                    "write `worth DIE` with a line for every set that is worth something",
                );
                return Val::broken();
            };
            let Some((_, bags)) = self.possible(&wider, span) else { return Val::broken() };
            let layout = self.layout(number).clone();
            let table = best(&layout, bags, &rows);
            self.program.bags.to_mut().add_worth(number, table);
            self.worths.insert(number, (wider.most.to_vec(), wider.hi));
        }
        let Some((_, bags)) = self.possible(bag, span) else { return Val::broken() };
        let values = bags.iter().map(|bag| self.program.bags.worth(number, *bag));
        let (lo, hi) = values.fold((0, 0), |(lo, hi), value| (lo.min(value), hi.max(value)));
        let at = self.bag_op(BagOp::Worth, number, bag.at, At::Const(0));
        let value = Val::new(at, Kind::Number, lo, hi);
        self.fits(value, span)
    }
}

/// The best way to use all of every bag; bags of which there is none are left out. Bags come with every bag that is part
/// of them before them.
fn best(layout: &Layout, mut bags: Vec<i64>, rows: &[(i64, i64)]) -> Vec<(i64, i64)> {
    bags.sort_by_key(|bag| layout.size(*bag));
    let mut found = std::collections::BTreeMap::from([(0, 0)]);
    for bag in bags.into_iter().skip(1) {
        let fitting = rows.iter().filter(|(row, _)| *row != 0 && layout.is_within(*row, bag));
        let ways = fitting.filter_map(|(row, value)| found.get(&(bag - row)).map(|rest| rest + value));
        if let Some(most) = ways.max() {
            found.insert(bag, most);
        }
    }
    found.into_iter().collect()
}
