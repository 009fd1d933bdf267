//! A policy compiled for lanes: tables as look-ups, lists as masks, and other conditions as flat code on 16-bit numbers
//! or, where these do not suffice, on 32-bit numbers.

mod asked;
mod code;
mod combined;
mod small;

use stopwise_engine::game::{AnswerForm, MAX_KINDS};
use stopwise_engine::lanes::simd::{Job, LaneTable, Vector, Vector16};
use stopwise_engine::lanes::{LaneDigest, LaneGame, LanePolicy, LaneView};

use crate::answer::{Answer as Compiled, Full};
use crate::draft::Order;
use crate::expression::by_digest::ByDigest;
use crate::expression::check::{Checked, Instruction};
use crate::preference::Holds;
use asked::Asked;
use code::{Code, Op, STACK, emit};
use combined::{Combined, MaskStep};
use small::{SmallCode, is_small};

/// A text policy compiled for lanes.
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

/// The condition for the answer yes.
#[derive(Clone, Debug)]
enum Condition {
    /// The column is at least this, whatever the row. A constant is 0 or the greatest number.
    From(u16),
    /// The column is at least the minimum of the first number and of the second minus the fine part of the row.
    FromLesser(u16, u16),
    /// The column is at least an entry of a table over the fine part of the row, …
    FromByFine(LaneTable),
    /// … or over the whole row; with the stride.
    FromByRow(LaneTable, u16),
    /// A table over row and column has a 1.
    Cells { table: LaneTable, stride: u16, columns: u16 },
    /// Flat code on 32-bit numbers gives 1, …
    Code(Vec<Op>),
    /// … or flat code on [small numbers](is_small).
    SmallCode(Vec<Op>),
}

impl LaneText {
    /// Compiles the answers to every kind of decision; `memory` has the kinds of memory that they read.
    ///
    /// # Errors
    ///
    /// The reason, in words, why lanes cannot play the policy.
    pub(crate) fn new<G: LaneGame>(
        game: &G,
        name: &str,
        compiled: &[Compiled; MAX_KINDS],
        memory: u32,
    ) -> Result<Self, String> {
        let features = game.features();
        let mut answers = [(); MAX_KINDS].map(|()| Answer::Items(Vec::new()));
        for (index, kind) in game.info().kinds.iter().enumerate() {
            let Compiled { by_digest, full, .. } = &compiled[index];
            let condition = |checked: &Checked, table: &ByDigest| {
                Condition::new(game, checked, table)
                    .map_err(|obstacle| format!("`{}` of the policy {name}: {obstacle}", kind.name))
            };
            let not_on_lanes =
                |does: &str| format!("`{}` of the policy {name} {does}, which lanes cannot do", kind.name);
            answers[index] = match (kind.form, full) {
                (AnswerForm::YesNo, Full::YesNo(_, checked)) => Answer::YesNo(condition(checked, by_digest)?),
                (_, Full::Items(lists)) => {
                    let list = |list: &crate::draft::List| {
                        let when = list.checked.as_ref().map_or(Ok(Condition::From(0)), |checked| {
                            condition(checked, &ByDigest::tabulate(game, checked, &features))
                        })?;
                        let Order::Preferences(preferences) = &list.order else {
                            return Err(not_on_lanes("compares numbers of candidates"));
                        };
                        Ok(List {
                            when,
                            entries: preferences.entries().map(|holds| Entry::new(&holds)).collect(),
                        })
                    };
                    let mut lists: Vec<_> = lists.iter().map(list).collect::<Result<_, String>>()?;
                    while lists.last().is_some_and(|last| last.entries.is_empty()) {
                        lists.pop();
                    }
                    Answer::Items(lists)
                }
                (_, Full::Number(_)) => return Err(not_on_lanes("answers with a number")),
                (_, Full::YesNo(..)) => unreachable!("a decision between items"),
            };
        }
        Ok(Self { answers, memory })
    }
}

impl Condition {
    /// Compiles a condition, given its table over the keys of the game.
    fn new<G: LaneGame>(game: &G, checked: &Checked, table: &ByDigest) -> Result<Self, String> {
        if let Instruction::Constant(value) = checked.step {
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

    /// The greatest number that a lane must hold to compute it.
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

    /// The lanes in which it holds. For every form of condition the answer is the same comparison of two vectors: masks
    /// computed in several branches would be moved to other registers.
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
                combined::emit(holds, &mut steps);
                Self::Steps(steps)
            }
        }
    }

    /// Which of the actions it holds of.
    #[inline(always)]
    fn kept<S: Vector16, L: LaneView<S>>(&self, simd: S, view: &L, actions: S::V) -> S::V {
        match self {
            Self::Plain { index, is_opposite: false } => simd.and(actions, view.predicate(simd, *index)),
            Self::Plain { index, is_opposite: true } => simd.and_not(actions, view.predicate(simd, *index)),
            Self::Steps(steps) => {
                let predicates = &Asked { simd, view: *view };
                simd.and(actions, simd.outlined(Combined { steps, predicates }))
            }
        }
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
                _ => simd.outlined(Choice { when: &list.when, view, yes: left, no: chosen }),
            };
        }
        chosen
    }
}

/// A choice between two vectors by a condition: a list that does not hold always is rare, and its condition would be
/// compiled at every question.
struct Choice<'c, L, V> {
    when: &'c Condition,
    view: &'c L,
    yes: V,
    no: V,
}

impl<S: Vector16, L: LaneView<S>> Job<S> for Choice<'_, L, S::V> {
    type Output = S::V;

    #[inline(always)]
    fn run(self, simd: S) -> S::V {
        simd.select(self.when.holds(simd, self.view), self.yes, self.no)
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
