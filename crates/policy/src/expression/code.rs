//! Conditions compiled for the trial: a table if the features have few values, otherwise flat code.
//!
//! Nothing here allocates or can fail after compilation: ranges, divisors and the depth of the stack have been checked.

use stopwise_engine::vocabulary::{Feature, TableKey, Vocabulary};

use super::check::{Checked, Step};
use super::parse::Operator;

/// The largest table, in entries.
const TABLE: usize = 4096;
/// The most features of a table.
const KEYS: usize = 3;
/// The deepest stack; the parser's limit on nesting keeps below it.
const STACK: usize = 64;
/// The stack for most conditions.
const SHORT: usize = 16;

/// The largest cost, in steps over all table keys, at which a condition is tabulated when it is loaded: less than a
/// tenth of a second. For two-seat Pig to 100 it allows 130 steps per key, five times what a good policy needs.
const TABULATION: usize = 1 << 27;
/// The number of table keys evaluated at a time, so that their values stay in the nearest cache.
const AT_ONCE: usize = 1024;

/// A compiled condition.
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    /// A constant answer.
    Always(bool),
    /// One feature with at most 64 values: one bit per value.
    Bits { feature: usize, low: i64, bits: u64 },
    /// A few features with small ranges.
    Table(Table),
    /// All other conditions.
    Code(Box<[Op]>),
}

/// The answers for every combination of values of a few features.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    keys: Vec<Key>,
    answers: Box<[bool]>,
}

#[derive(Clone, Copy, Debug)]
struct Key {
    feature: usize,
    low: i64,
    stride: i64,
}

/// One step of flat code on a stack.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Push(i64),
    Feature(usize),
    Table(Table),
    Negate,
    Not,
    Binary(Operator),
    /// If the top is false, skips this number of steps and leaves it; otherwise drops it.
    SkipIfFalse(usize),
    /// If the top is true, skips this number of steps and leaves it; otherwise drops it.
    SkipIfTrue(usize),
    /// Drops the top; if it was false, skips this number of steps.
    BranchIfFalse(usize),
    Skip(usize),
}

impl Condition {
    /// Compiles a checked condition.
    pub(crate) fn compile(checked: &Checked, features: &[Feature]) -> Self {
        if let Step::Constant(value) = checked.step {
            return Self::Always(value != 0);
        }
        if let Some(table) = Table::compile(checked, features) {
            if let ([key], true) = (table.keys.as_slice(), table.answers.len() <= 64) {
                let bits = table.answers.iter().rev().fold(0, |bits, &yes| bits << 1 | u64::from(yes));
                return Self::Bits { feature: key.feature, low: key.low, bits };
            }
            return Self::Table(table);
        }
        let mut ops = Vec::new();
        emit(checked, features, &mut ops);
        Self::Code(ops.into_boxed_slice())
    }

    /// The answer in a state.
    #[inline(always)]
    pub(crate) fn holds<G: Vocabulary>(&self, game: &G, state: G::State) -> bool {
        match self {
            Self::Bits { feature, low, bits } => bits >> (game.feature(state, *feature) - low) & 1 == 1,
            Self::Always(yes) => *yes,
            Self::Table(table) => table.look_up(|feature| game.feature(state, feature)),
            // No deeper than there are steps: clearing a whole stack takes as long as a short condition.
            Self::Code(ops) if ops.len() <= SHORT => {
                run::<SHORT>(ops, |feature| game.feature(state, feature)) != 0
            }
            Self::Code(ops) => run::<STACK>(ops, |feature| game.feature(state, feature)) != 0,
        }
    }
}

impl Table {
    fn compile(checked: &Checked, features: &[Feature]) -> Option<Self> {
        let mut used = Vec::new();
        features_of(checked, &mut used);
        if used.is_empty() || used.len() > KEYS {
            return None;
        }
        let mut keys = Vec::new();
        let mut size = 1_usize;
        for &feature in &used {
            let Feature { low, high, .. } = features[feature];
            let values = usize::try_from(high - low).ok()?.checked_add(1)?;
            keys.push(Key { feature, low, stride: i64::try_from(size).ok()? });
            size = size.checked_mul(values).filter(|&size| size <= TABLE)?;
        }
        let mut columns = vec![Vec::new(); features.len()];
        for key in &keys {
            let Feature { low, high, .. } = features[key.feature];
            columns[key.feature] =
                (0_i64..).take(size).map(|row| low + row / key.stride % (high - low + 1)).collect();
        }
        let answers = walk(checked, &columns, size).into_iter().map(|answer| answer != 0).collect();
        Some(Self { keys, answers })
    }

    #[inline(always)]
    fn look_up(&self, value: impl Fn(usize) -> i64) -> bool {
        let index: i64 = self.keys.iter().map(|key| (value(key.feature) - key.low) * key.stride).sum();
        usize::try_from(index).ok().and_then(|index| self.answers.get(index)).copied().unwrap_or(false)
    }
}

/// Collects the features that an expression reads, each once.
pub(crate) fn features_of(checked: &Checked, used: &mut Vec<usize>) {
    match &checked.step {
        Step::Constant(_) => {}
        Step::Feature(feature) => {
            if !used.contains(feature) {
                used.push(*feature);
            }
        }
        Step::Negate(inner) | Step::Not(inner) => features_of(inner, used),
        Step::Binary(_, left, right) => {
            features_of(left, used);
            features_of(right, used);
        }
        Step::Choose(condition, yes, no) => {
            for part in [condition, yes, no] {
                features_of(part, used);
            }
        }
    }
}

/// The answers of a condition for every table key of the game, row by row.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByDigest {
    /// For every row, the first column with a yes, if no row has a no after a yes: one look-up that does not wait for
    /// the column. Empty if some row has one.
    rising: Box<[u16]>,
    /// Every answer; empty if `rising` determines them.
    answers: Box<[bool]>,
    columns: usize,
    /// `rising` by the fine row alone, if that determines it; otherwise empty.
    by_fine: Box<[u16]>,
    /// `rising` if it is the same number in all rows.
    first: Option<u16>,
    /// `rising` if it is the minimum of a number and of another number minus the fine row.
    lesser: Option<(u16, u16)>,
}

impl ByDigest {
    /// Tabulates a condition. The result is empty if the condition reads features that the key does not fix, or if it
    /// would take too long.
    pub(crate) fn tabulate<G: Vocabulary>(game: &G, checked: &Checked, features: &[Feature]) -> Self {
        let (rows, columns) = game.digests();
        let mut used = Vec::new();
        features_of(checked, &mut used);
        let is_digested = used.iter().all(|&feature| G::is_digested(feature));
        if !is_digested || columns == 0 || (rows * columns).saturating_mul(checked.steps()) > TABULATION {
            return Self::default();
        }
        let mut answers: Vec<Option<bool>> = Vec::with_capacity(rows * columns);
        let mut values = vec![Vec::new(); features.len()];
        let at_once = (AT_ONCE / columns).max(1);
        let mut states = Vec::with_capacity(at_once * columns);
        for first in (0..rows).step_by(at_once) {
            states.clear();
            // A million of them: pushed by hand, which is quick unoptimised, too.
            for row in first..rows.min(first + at_once) {
                for column in 0..columns {
                    states.push(game.with_digest(TableKey { row, column }));
                }
            }
            for &feature in &used {
                values[feature].clear();
                for state in states.iter().flatten() {
                    values[feature].push(game.feature(*state, feature));
                }
            }
            let mut truths = walk(checked, &values, states.iter().flatten().count()).into_iter();
            for state in &states {
                answers.push(state.map(|_| truths.next() != Some(0)));
            }
        }
        let Some(ranges) = answers.chunks(columns).map(Rising::of).collect::<Option<Vec<_>>>() else {
            let answers = answers.into_iter().map(|answer| answer.unwrap_or(false)).collect();
            return Self { answers, columns, ..Self::default() };
        };
        let rising: Box<[u16]> = ranges.iter().map(|range| range.most).collect();
        let mut by_fine = vec![Rising::ANY; game.fine_rows()];
        for (row, range) in ranges.iter().enumerate() {
            let fine = &mut by_fine[row % game.fine_rows()];
            *fine = fine.and(*range);
        }
        let one = by_fine.iter().fold(Rising::ANY, |one, range| one.and(*range));
        let is_real = |row: usize| answers[row * columns..][..columns].iter().any(Option::is_some);
        let real: Vec<usize> = (0..rows).filter(|&row| is_real(row)).collect();
        let first = real.first().map(|&row| rising[row]);
        // Rows in rising order: the last fine row tells the other number.
        let fine = |row: usize| u16::try_from(row % game.fine_rows()).ok();
        let last = real.iter().max_by_key(|&&row| row % game.fine_rows());
        let other = last.and_then(|&row| fine(row)?.checked_add(rising[row]));
        let lesser = first.zip(other).filter(|&(one, other)| {
            let less = |row| other.checked_sub(fine(row)?);
            real.iter().all(|&row| less(row).map(|less| less.min(one)) == Some(rising[row]))
        });
        let by_fine = by_fine.iter().map(|range| range.column()).collect::<Option<_>>();
        Self { by_fine: by_fine.unwrap_or_default(), first: one.column(), lesser, rising, ..Self::default() }
    }

    /// The memory that its tables take, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.rising) + size_of_val(&*self.answers) + size_of_val(&*self.by_fine)
    }

    /// For every fine row, the first column with a yes; empty if that does not determine the answers.
    #[inline(always)]
    pub(crate) fn by_fine(&self) -> &[u16] {
        &self.by_fine
    }

    /// If the first column with a yes is min(a, b − fine row): a and b.
    #[inline(always)]
    pub(crate) fn lesser(&self) -> Option<(u16, u16)> {
        self.lesser
    }

    /// The first column with a yes, if it is the same in all rows.
    #[inline(always)]
    pub(crate) fn first(&self) -> Option<u16> {
        self.first
    }

    /// For every row, the first column with a yes; empty if that does not determine the answers.
    #[inline(always)]
    pub(crate) fn rising(&self) -> &[u16] {
        &self.rising
    }

    /// Every answer, row by row; empty if the first columns determine them.
    pub(crate) fn answers(&self) -> &[bool] {
        &self.answers
    }

    /// The answer for a key, if one look-up determines it.
    #[inline(always)]
    pub(crate) fn at_once(&self, digest: TableKey) -> Option<bool> {
        self.rising.get(digest.row).map(|&first| digest.column >= usize::from(first))
    }

    /// The answer for a key, if the key determines it but `at_once` does not.
    pub(crate) fn answer(&self, digest: TableKey) -> Option<bool> {
        self.answers.get(digest.row * self.columns + digest.column).copied()
    }
}

/// The columns at which a row's answers may turn from no to yes. Keys that no state has leave a choice.
#[derive(Clone, Copy, Debug)]
struct Rising {
    least: u16,
    most: u16,
}

impl Rising {
    const ANY: Self = Self { least: 0, most: u16::MAX };

    /// The columns for a row; `None` if a yes comes before a no.
    fn of(row: &[Option<bool>]) -> Option<Self> {
        let least = row.iter().rposition(|answer| *answer == Some(false)).map_or(0, |last| last + 1);
        let most = row.iter().position(|answer| *answer == Some(true)).unwrap_or(row.len());
        if least > most {
            return None;
        }
        Some(Self { least: u16::try_from(least).ok()?, most: u16::try_from(most).ok()? })
    }

    /// The columns that are valid for both.
    fn and(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), most: self.most.min(other.most) }
    }

    /// One of the columns, if there is any.
    fn column(self) -> Option<u16> {
        (self.least <= self.most).then_some(self.least)
    }
}

/// The values of an expression in every row of a table with a column for every feature that it reads. Whole columns are
/// evaluated, and both sides of `&&`, `||` and `?` are computed: neither can fail.
fn walk(checked: &Checked, columns: &[Vec<i64>], rows: usize) -> Vec<i64> {
    let column = |inner: &Checked| walk(inner, columns, rows);
    match &checked.step {
        Step::Constant(constant) => vec![*constant; rows],
        Step::Feature(feature) => columns[*feature].clone(),
        Step::Negate(inner) => column(inner).into_iter().map(|value| -value).collect(),
        Step::Not(inner) => column(inner).into_iter().map(|truth| 1 - truth).collect(),
        Step::Binary(operator, left, right) => {
            column(left).into_iter().zip(column(right)).map(|(l, r)| apply(*operator, l, r)).collect()
        }
        Step::Choose(condition, yes, no) => {
            let branches = column(yes).into_iter().zip(column(no));
            let chosen = column(condition).into_iter().zip(branches);
            chosen.map(|(condition, (yes, no))| if condition != 0 { yes } else { no }).collect()
        }
    }
}

#[inline(always)]
fn apply(operator: Operator, left: i64, right: i64) -> i64 {
    match operator {
        Operator::Or => left | right,
        Operator::And => left & right,
        Operator::Equal => i64::from(left == right),
        Operator::Unequal => i64::from(left != right),
        Operator::Less => i64::from(left < right),
        Operator::AtMost => i64::from(left <= right),
        Operator::More => i64::from(left > right),
        Operator::AtLeast => i64::from(left >= right),
        Operator::Add => left + right,
        Operator::Subtract => left - right,
        Operator::Multiply => left * right,
        Operator::Divide => left / right,
        Operator::Remainder => left % right,
        Operator::Min => left.min(right),
        Operator::Max => left.max(right),
    }
}

fn emit(checked: &Checked, features: &[Feature], ops: &mut Vec<Op>) {
    let is_bare = matches!(checked.step, Step::Constant(_) | Step::Feature(_));
    if !is_bare
        && checked.kind == super::check::Kind::Truth
        && let Some(table) = Table::compile(checked, features)
    {
        ops.push(Op::Table(table));
        return;
    }
    match &checked.step {
        Step::Constant(constant) => ops.push(Op::Push(*constant)),
        Step::Feature(feature) => ops.push(Op::Feature(*feature)),
        Step::Negate(inner) => {
            emit(inner, features, ops);
            ops.push(Op::Negate);
        }
        Step::Not(inner) => {
            emit(inner, features, ops);
            ops.push(Op::Not);
        }
        Step::Binary(operator @ (Operator::And | Operator::Or), left, right) => {
            emit(left, features, ops);
            let skip = ops.len();
            ops.push(Op::Skip(0));
            emit(right, features, ops);
            let steps = ops.len() - skip - 1;
            ops[skip] =
                if *operator == Operator::And { Op::SkipIfFalse(steps) } else { Op::SkipIfTrue(steps) };
        }
        Step::Binary(operator, left, right) => {
            emit(left, features, ops);
            emit(right, features, ops);
            ops.push(Op::Binary(*operator));
        }
        Step::Choose(condition, yes, no) => {
            emit(condition, features, ops);
            let branch = ops.len();
            ops.push(Op::Skip(0));
            emit(yes, features, ops);
            let skip = ops.len();
            ops.push(Op::Skip(0));
            emit(no, features, ops);
            ops[branch] = Op::BranchIfFalse(skip - branch);
            ops[skip] = Op::Skip(ops.len() - skip - 1);
        }
    }
}

/// Runs flat code. The top of the stack is a separate variable, so that most steps touch little memory.
fn run<const STACK: usize>(ops: &[Op], value: impl Fn(usize) -> i64) -> i64 {
    let mut below = [0_i64; STACK];
    let mut depth = 0_usize;
    let mut top = 0;
    let mut at = 0;
    let push = |below: &mut [i64; STACK], depth: &mut usize, top: &mut i64, new: i64| {
        below[*depth % STACK] = *top;
        *depth += 1;
        *top = new;
    };
    while let Some(op) = ops.get(at) {
        at += 1;
        match op {
            Op::Push(constant) => push(&mut below, &mut depth, &mut top, *constant),
            Op::Feature(feature) => push(&mut below, &mut depth, &mut top, value(*feature)),
            Op::Table(table) => push(&mut below, &mut depth, &mut top, i64::from(table.look_up(&value))),
            Op::Negate => top = -top,
            Op::Not => top = 1 - top,
            Op::Binary(operator) => {
                depth -= 1;
                top = apply(*operator, below[depth % STACK], top);
            }
            Op::SkipIfFalse(steps) | Op::SkipIfTrue(steps) => {
                if (top != 0) == matches!(op, Op::SkipIfTrue(_)) {
                    at += steps;
                } else {
                    depth -= 1;
                    top = below[depth % STACK];
                }
            }
            Op::BranchIfFalse(steps) => {
                if top == 0 {
                    at += steps;
                }
                depth -= 1;
                top = below[depth % STACK];
            }
            Op::Skip(steps) => at += steps,
        }
    }
    top
}
