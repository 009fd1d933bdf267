//! A policy's text for all lanes at once: tables as look-ups, lists as masks, the rest as flat code on numbers of 16
//! bits or, where those do not do, of 32.

mod small;

use stopwise_engine::game::{Form, MAX_KINDS};
use stopwise_engine::lanes::simd::{Job, LaneTable, Numbers, Vector, Vector16};
use stopwise_engine::lanes::{LaneDigest, LaneGame, LanePolicy, LaneView};

use crate::answer::{Answer as Compiled, Full};
use crate::expression::check::{Checked, Step};
use crate::expression::code::ByDigest;
use crate::expression::parse::Operator;
use crate::preference::Holds;
use small::{SmallCode, is_small};

/// The deepest stack of flat code.
const STACK: usize = 12;

/// A policy read from text, for lanes.
#[derive(Clone, Debug)]
pub struct LaneText {
    answers: [Answer; MAX_KINDS],
    memory: u32,
}

#[derive(Clone, Debug)]
enum Answer {
    YesNo(Condition),
    /// The first list whose condition holds; if none does, the first candidate. Empty lists at the end say the same
    /// and are left out.
    Items(Vec<List>),
}

#[derive(Clone, Debug)]
struct List {
    when: Condition,
    entries: Vec<Entry>,
}

/// One entry of a list.
#[derive(Clone, Debug)]
enum Entry {
    /// A predicate, or its opposite.
    Plain { index: usize, is_opposite: bool },
    /// Predicates combined, as steps on a stack.
    Steps(Vec<MaskStep>),
}

#[derive(Clone, Copy, Debug)]
enum MaskStep {
    Is(usize),
    Not,
    Both,
    Either,
}

/// When the answer is yes.
#[derive(Clone, Debug)]
enum Condition {
    /// From a column on, whatever the row: always, or never, for a constant.
    From(u16),
    /// From the lesser of a column and another less the fine part of the row.
    FromLesser(u16, u16),
    /// From a column on that the fine part of the row fixes, …
    FromByFine(LaneTable),
    /// … or the whole row.
    FromByRow(LaneTable, u16),
    /// Where a table by row and column has a one.
    Cells { table: LaneTable, stride: u16, columns: u16 },
    /// Where flat code on columns of 32 bits says so, …
    Code(Vec<Op>),
    /// … or on [small numbers](is_small).
    SmallCode(Vec<Op>),
}

/// One step of flat code on a stack. Nothing is skipped: both sides are computed, and nothing can fail in either.
#[derive(Clone, Copy, Debug)]
enum Op {
    Push(i32),
    Feature(usize),
    Negate,
    Not,
    Binary(Operator),
    Choose,
}

impl LaneText {
    /// The answers to every kind of decision, with what the features remember; or in words what lanes lack.
    pub(crate) fn new<G: LaneGame>(
        game: &G,
        name: &str,
        compiled: &[Compiled; MAX_KINDS],
        memory: u32,
    ) -> Result<Self, String> {
        let features = game.features();
        let mut answers = [(); MAX_KINDS].map(|()| Answer::Items(Vec::new()));
        for (index, kind) in G::KINDS.iter().enumerate() {
            let Compiled { by_digest, full, .. } = &compiled[index];
            let condition = |checked: &Checked, table: &ByDigest| {
                Condition::new(game, checked, table)
                    .map_err(|obstacle| format!("`{}` of the policy {name}: {obstacle}", kind.name))
            };
            answers[index] = match (kind.form, full) {
                (Form::YesNo, Full::YesNo(_, checked)) => Answer::YesNo(condition(checked, by_digest)?),
                (_, Full::Items(lists)) => {
                    let list = |list: &crate::draft::List| {
                        let when = list.checked.as_ref().map_or(Ok(Condition::From(0)), |checked| {
                            condition(checked, &ByDigest::tabulate(game, checked, &features))
                        })?;
                        Ok(List {
                            when,
                            entries: list.preferences.entries().map(|holds| Entry::new(&holds)).collect(),
                        })
                    };
                    let mut lists: Vec<_> = lists.iter().map(list).collect::<Result<_, String>>()?;
                    while lists.last().is_some_and(|last| last.entries.is_empty()) {
                        lists.pop();
                    }
                    Answer::Items(lists)
                }
                (Form::Items, Full::YesNo(..)) => unreachable!("a decision between items"),
            };
        }
        Ok(Self { answers, memory })
    }
}

impl Condition {
    /// A condition, given its table.
    fn new<G: LaneGame>(game: &G, checked: &Checked, table: &ByDigest) -> Result<Self, String> {
        if let Step::Constant(value) = checked.step {
            return Ok(Self::From(if value == 0 { u16::MAX } else { 0 }));
        }
        if let Some(condition) = Self::from_table(game, table) {
            return Ok(condition);
        }
        let mut ops = Vec::new();
        let depth = emit(checked, &mut ops)?;
        if depth > STACK {
            return Err(format!("it is nested {depth} deep, and lanes have {STACK}"));
        }
        Ok(if is_small(checked) { Self::SmallCode(ops) } else { Self::Code(ops) })
    }

    fn from_table<G: LaneGame>(game: &G, table: &ByDigest) -> Option<Self> {
        let (rows, columns) = game.digests();
        let stride = game.fine_rows();
        let small = |number: usize| u16::try_from(number).ok();
        let rising = table.rising();
        if rising.is_empty() {
            let cells: Vec<u16> = table.answers().iter().map(|&yes| yes.into()).collect();
            small(cells.len().checked_sub(1)?)?;
            let table = LaneTable::new(&cells);
            return Some(Self::Cells { table, stride: small(stride)?, columns: small(columns)? });
        }
        if let Some(first) = table.first() {
            return Some(Self::From(first));
        }
        if let Some((one, other)) = table.lesser() {
            return Some(Self::FromLesser(one, other));
        }
        if !table.by_fine().is_empty() {
            return Some(Self::FromByFine(LaneTable::new(table.by_fine())));
        }
        small(rows - 1)?;
        Some(Self::FromByRow(LaneTable::new(rising), small(stride)?))
    }

    /// The greatest number that a lane must hold for it.
    fn largest(&self) -> u16 {
        match self {
            // The greatest number is that of lanes of any width.
            Self::From(u16::MAX) | Self::Code(_) => 0,
            Self::SmallCode(_) => u16::MAX,
            Self::From(first) => *first,
            Self::FromLesser(one, other) => (*one).max(*other),
            Self::FromByFine(table) => table.largest(),
            Self::FromByRow(table, stride) => table.largest().max(*stride),
            Self::Cells { table, stride, columns } => table.largest().max(*stride).max(*columns),
        }
    }

    /// Whatever it hangs on, the answer is one comparison: of vectors that come from one of several places, where masks
    /// that did would go through other registers.
    #[inline(always)]
    fn holds<S: Vector, L: LaneView<S>>(&self, simd: S, view: &L) -> S::M {
        let (value, least) = match self {
            Self::From(first) => (view.digest().column, simd.splat(*first)),
            Self::FromLesser(one, other) => {
                let digest = view.digest();
                let less = simd.sub(simd.splat(*other), digest.fine);
                (digest.column, simd.min(simd.splat(*one), less))
            }
            Self::FromByFine(table) => {
                let digest = view.digest();
                (digest.column, simd.gather(table, digest.fine))
            }
            Self::FromByRow(table, stride) => {
                let digest = view.digest();
                (digest.column, simd.gather(table, row(simd, digest, *stride)))
            }
            Self::Cells { table, stride, columns } => {
                let digest = view.digest();
                let cell =
                    simd.add(simd.mul(row(simd, digest, *stride), simd.splat(*columns)), digest.column);
                (simd.gather(table, cell), simd.splat(1))
            }
            Self::Code(ops) => (simd.load(&simd.outlined(Code { ops, view: *view })), simd.splat(1)),
            Self::SmallCode(ops) => (simd.outlined(SmallCode { ops, view: *view }), simd.splat(1)),
        };
        simd.at_least(value, least)
    }
}

#[inline(always)]
fn row<S: Vector>(simd: S, digest: LaneDigest<S::V>, stride: u16) -> S::V {
    simd.add(simd.mul(digest.coarse, simd.splat(stride)), digest.fine)
}

/// Appends the steps of an expression; how deep they stack.
fn emit(checked: &Checked, ops: &mut Vec<Op>) -> Result<usize, String> {
    let beyond = || String::from("its numbers do not fit 32 bits");
    i32::try_from(checked.low).and(i32::try_from(checked.high)).map_err(|_| beyond())?;
    Ok(match &checked.step {
        Step::Constant(constant) => {
            ops.push(Op::Push(i32::try_from(*constant).map_err(|_| beyond())?));
            1
        }
        Step::Feature(feature) => {
            ops.push(Op::Feature(*feature));
            1
        }
        Step::Negate(inner) => {
            let depth = emit(inner, ops)?;
            ops.push(Op::Negate);
            depth
        }
        Step::Not(inner) => {
            let depth = emit(inner, ops)?;
            ops.push(Op::Not);
            depth
        }
        Step::Binary(operator, left, right) => {
            let depth = emit(left, ops)?.max(1 + emit(right, ops)?);
            ops.push(Op::Binary(*operator));
            depth
        }
        Step::Choose(condition, yes, no) => {
            let depth = emit(condition, ops)?.max(1 + emit(yes, ops)?).max(2 + emit(no, ops)?);
            ops.push(Op::Choose);
            depth
        }
    })
}

/// Flat code about the games on the lanes.
struct Code<'c, L> {
    ops: &'c [Op],
    view: L,
}

impl<S: Vector, L: LaneView<S>> Job<S> for Code<'_, L> {
    /// 1 for yes, 0 for no.
    type Output = S::Numbers;

    #[inline(always)]
    fn run(self, simd: S) -> S::Numbers {
        let truths = run::<S, L>(simd, self.ops, &self.view);
        let mut lanes = S::Numbers::ZEROS;
        for (lane, &truth) in truths.as_ref()[..S::LANES].iter().enumerate() {
            lanes.set(lane, u16::from(truth != 0));
        }
        lanes
    }
}

#[inline(always)]
fn run<S: Vector, L: LaneView<S>>(simd: S, ops: &[Op], view: &L) -> S::Column {
    let mut stack = [S::ZEROS; STACK];
    let mut depth = 0;
    for op in ops {
        match op {
            Op::Push(constant) => {
                stack[depth % STACK].as_mut().fill(*constant);
                depth += 1;
            }
            Op::Feature(feature) => {
                stack[depth % STACK] = view.feature(simd, *feature);
                depth += 1;
            }
            Op::Negate => {
                let top = stack[(depth - 1) % STACK].as_mut();
                for value in &mut top[..S::LANES] {
                    *value = value.wrapping_neg();
                }
            }
            Op::Not => {
                let top = stack[(depth - 1) % STACK].as_mut();
                for value in &mut top[..S::LANES] {
                    *value = 1 - (*value & 1);
                }
            }
            Op::Binary(operator) => {
                depth -= 1;
                let right = stack[depth % STACK];
                binary::<S>(*operator, &mut stack[(depth - 1) % STACK], &right);
            }
            Op::Choose => {
                depth -= 2;
                let (yes, no) = (stack[depth % STACK], stack[(depth + 1) % STACK]);
                let (yes, no) = (&yes.as_ref()[..S::LANES], &no.as_ref()[..S::LANES]);
                let top = &mut stack[(depth - 1) % STACK].as_mut()[..S::LANES];
                for lane in 0..S::LANES {
                    top[lane] = if top[lane] != 0 { yes[lane] } else { no[lane] };
                }
            }
        }
    }
    stack[0]
}

/// One operation on two columns, into the first. Lanes that are not asked may hold anything, even a divisor of 0.
#[inline(always)]
fn binary<S: Vector>(operator: Operator, left: &mut S::Column, right: &S::Column) {
    let (left, right) = (&mut left.as_mut()[..S::LANES], &right.as_ref()[..S::LANES]);
    macro_rules! each {
        (|$left:ident, $right:ident| $result:expr) => {
            for lane in 0..S::LANES {
                let ($left, $right) = (left[lane], right[lane]);
                left[lane] = $result;
            }
        };
    }
    match operator {
        Operator::Or => each!(|l, r| l | r),
        Operator::And => each!(|l, r| l & r),
        Operator::Equal => each!(|l, r| i32::from(l == r)),
        Operator::Unequal => each!(|l, r| i32::from(l != r)),
        Operator::Less => each!(|l, r| i32::from(l < r)),
        Operator::AtMost => each!(|l, r| i32::from(l <= r)),
        Operator::More => each!(|l, r| i32::from(l > r)),
        Operator::AtLeast => each!(|l, r| i32::from(l >= r)),
        Operator::Add => each!(|l, r| l.wrapping_add(r)),
        Operator::Subtract => each!(|l, r| l.wrapping_sub(r)),
        Operator::Multiply => each!(|l, r| l.wrapping_mul(r)),
        Operator::Divide => each!(|l, r| if r == 0 { 0 } else { l.wrapping_div(r) }),
        Operator::Remainder => each!(|l, r| if r == 0 { 0 } else { l.wrapping_rem(r) }),
        Operator::Min => each!(|l, r| l.min(r)),
        Operator::Max => each!(|l, r| l.max(r)),
    }
}

impl Entry {
    fn new(holds: &Holds) -> Self {
        match holds {
            Holds::Is(index) => Self::Plain { index: *index, is_opposite: false },
            Holds::Not(inner) if matches!(**inner, Holds::Is(_)) => match **inner {
                Holds::Is(index) => Self::Plain { index, is_opposite: true },
                _ => unreachable!("matched above"),
            },
            _ => {
                let mut steps = Vec::new();
                Self::emit(holds, &mut steps);
                Self::Steps(steps)
            }
        }
    }

    fn emit(holds: &Holds, steps: &mut Vec<MaskStep>) {
        match holds {
            Holds::Is(index) => steps.push(MaskStep::Is(*index)),
            Holds::Not(inner) => {
                Self::emit(inner, steps);
                steps.push(MaskStep::Not);
            }
            Holds::Both(left, right) | Holds::Either(left, right) => {
                Self::emit(left, steps);
                Self::emit(right, steps);
                steps.push(if matches!(holds, Holds::Both(..)) { MaskStep::Both } else { MaskStep::Either });
            }
        }
    }

    /// Which of the actions it holds of.
    #[inline(always)]
    fn kept<S: Vector16, L: LaneView<S>>(&self, simd: S, view: &L, actions: S::V) -> S::V {
        match self {
            Self::Plain { index, is_opposite: false } => simd.and(actions, view.predicate(simd, *index)),
            Self::Plain { index, is_opposite: true } => simd.and_not(actions, view.predicate(simd, *index)),
            Self::Steps(steps) => simd.and(actions, simd.outlined(Combined { steps, view: *view })),
        }
    }
}

/// Predicates combined, about the games on the lanes.
struct Combined<'c, L> {
    steps: &'c [MaskStep],
    view: L,
}

impl<S: Vector16, L: LaneView<S>> Job<S> for Combined<'_, L> {
    type Output = S::V;

    #[inline(always)]
    fn run(self, simd: S) -> S::V {
        let all = simd.splat(u16::MAX);
        // Deeper than any entry nests.
        let mut stack = [all; 64];
        let mut depth = 0_usize;
        for step in self.steps {
            match step {
                MaskStep::Is(index) => {
                    stack[depth % 64] = self.view.predicate(simd, *index);
                    depth += 1;
                }
                MaskStep::Not => {
                    let top = (depth - 1) % 64;
                    stack[top] = simd.and_not(all, stack[top]);
                }
                MaskStep::Both | MaskStep::Either => {
                    depth -= 1;
                    let (left, right) = (stack[(depth - 1) % 64], stack[depth % 64]);
                    let is_both = matches!(step, MaskStep::Both);
                    stack[(depth - 1) % 64] =
                        if is_both { simd.and(left, right) } else { simd.or(left, right) };
                }
            }
        }
        stack[0]
    }
}

/// The candidates that lists of preferences leave, in the games on the lanes.
struct Preferred<'c, L, V> {
    lists: &'c [List],
    view: &'c L,
    candidates: V,
}

impl<S: Vector16, L: LaneView<S>> Job<S> for Preferred<'_, L, S::V> {
    type Output = S::V;

    #[inline(always)]
    fn run(self, simd: S) -> S::V {
        let Self { lists, view, candidates } = self;
        // Kept in memory: from registers the compiler computes all predicates there are before the first entry is
        // looked at, which takes longer than the lists.
        let view = std::hint::black_box(view);
        let mut chosen = candidates;
        for list in lists.iter().rev() {
            let mut left = candidates;
            for entry in &list.entries {
                let kept = entry.kept(simd, view, left);
                left = simd.select(simd.eq(kept, simd.splat(0)), left, kept);
            }
            chosen = match list.when {
                Condition::From(0) => left,
                _ => simd.select(list.when.holds(simd, view), left, chosen),
            };
        }
        chosen
    }
}

impl LanePolicy for LaneText {
    fn memory(&self) -> u32 {
        self.memory
    }

    fn largest(&self) -> u16 {
        let conditions = self.answers.iter().filter_map(|answer| match answer {
            Answer::YesNo(condition) => Some(condition),
            // Only wide lanes are asked for items.
            Answer::Items(_) => None,
        });
        conditions.map(Condition::largest).fold(0, u16::max)
    }

    fn prefers(&self) -> bool {
        self.answers.iter().any(|answer| matches!(answer, Answer::Items(lists) if !lists.is_empty()))
    }

    #[inline(always)]
    fn yes<S: Vector, L: LaneView<S>>(&self, simd: S, kind: usize, view: &L) -> S::M {
        match &self.answers[kind % MAX_KINDS] {
            Answer::YesNo(condition) => condition.holds(simd, view),
            Answer::Items(_) => unreachable!("a decision between yes and no"),
        }
    }

    #[inline(always)]
    fn prefer<S: Vector16, L: LaneView<S>>(&self, simd: S, kind: usize, view: &L, candidates: S::V) -> S::V {
        let Answer::Items(lists) = &self.answers[kind % MAX_KINDS] else {
            unreachable!("a decision between items")
        };
        let preferred = Preferred { lists, view, candidates };
        let chosen = if L::LISTS_IN_LINE {
            preferred.run(simd)
        } else if lists.is_empty() {
            candidates
        } else {
            simd.outlined(preferred)
        };
        simd.lowest_bit(chosen)
    }
}
