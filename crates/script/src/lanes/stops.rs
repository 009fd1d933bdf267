//! What a roll and a question need while games are played.

use std::collections::BTreeMap;
use std::ops;
use std::sync::{Mutex, PoisonError};

use stopwise_engine::lanes::simd::MOST_LANES;

use super::draw::Draw;
use super::instr::Ref;
use super::range::Range;
use super::shown::Part;
use crate::pool::{Choice, EventPlaces, Placed, Throws};
use crate::state::Place;

/// A roll or draw.
#[derive(Debug)]
pub(super) struct Roll {
    /// Who rolls, where the instruction has no column of it.
    pub(super) seat: usize,
    /// The number that finds the event, or the bag, where the instruction has no column of it: middle for events of a table,
    /// else long.
    pub(super) number: i64,
    pub(super) form: RollForm,
    /// The columns of what is shown.
    pub(super) given: Vec<Option<Ref>>,
    /// How a game rolls alone.
    pub(super) throws: &'static Throws,
    pub(super) choice: Choice,
}

#[derive(Debug)]
pub(super) enum RollForm {
    /// Events by number. One that is not in the table is rolled game by game.
    Tabled(&'static Tabled),
    Drawn(Draw),
    /// Game by game, as a trial does.
    Each,
}

/// Events by number, and what every part of the roll shows at their places.
#[derive(Debug)]
pub(super) struct Tabled {
    pub(super) events: Events,
    pub(super) parts: Vec<Part>,
    /// The ranges of what every part shows in any event.
    pub(super) ranges: Vec<Range>,
}

impl Tabled {
    /// The events of a roll with these numbers, if they are a table of at most so many places. They are kept as long as the
    /// events are: the same game under other options mostly rolls the same dice.
    pub(super) fn of(
        throws: &'static Throws,
        choice: &Choice,
        events: ops::Range<usize>,
        most: usize,
    ) -> Option<&'static Self> {
        /// The events of a program, and which of them.
        type Key = (usize, u32, usize, usize);
        static KEPT: Mutex<BTreeMap<Key, Option<&'static Tabled>>> = Mutex::new(BTreeMap::new());
        let key = (std::ptr::from_ref(throws).addr(), choice.first(), events.start, events.end);
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        *kept.entry(key).or_insert_with(|| {
            let Placed { events, parts, ranges } = throws.places(choice, events, most)?;
            let parts = parts.into_iter().map(Part::new).collect();
            Some(Box::leak(Box::new(Self { events: Events::new(events), parts, ranges })))
        })
    }
}

/// The events of a table, by number, and whether any is not in the table.
#[derive(Debug)]
pub(super) struct Events {
    pub(super) places: Vec<EventPlaces>,
    pub(super) are_some_alone: bool,
    /// If they are few: the lower and the upper halves of their weights, and of their first places.
    pub(super) halves: Option<[[u16; MOST_LANES]; 4]>,
}

/// Events that vectors look up.
const FEW: usize = 16;

impl Events {
    pub(super) fn new(places: Vec<EventPlaces>) -> Self {
        let are_some_alone = places.iter().any(|event| event.first == EventPlaces::TOO_MANY.first);
        let halves = (places.len() <= FEW).then(|| {
            let event = |at: usize| &places[(at % FEW).min(places.len() - 1)];
            let halves = |of: fn(&EventPlaces) -> u32| {
                [0, 16].map(|by| std::array::from_fn(|at| half(of(event(at)) >> by)))
            };
            let ([a, b], [c, d]) = (halves(|event| event.weight), halves(|event| event.first));
            [a, b, c, d]
        });
        Self { places, are_some_alone, halves }
    }
}

#[allow(clippy::cast_possible_truncation, reason = "the lower half")]
fn half(number: u32) -> u16 {
    number as u16
}

/// The words of the variables on which an answer depends.
pub(super) const READ: usize = 2;
/// The words of a key: variables; who is asked, and truths as bits; the legal actions.
pub(super) const ASKED: usize = READ + 2;
pub(super) const BITS: usize = READ;
pub(super) const ACTIONS: usize = READ + 1;

/// A question that is asked game by game.
#[derive(Debug)]
pub(super) struct Ask {
    pub(super) site: u32,
    pub(super) kind: usize,
    /// Who is asked and the legal actions as bits, where the instruction has no columns of them: bytes and long numbers.
    pub(super) seat: usize,
    pub(super) actions: u64,
    pub(super) given: Option<Ref>,
    /// The variables on which answers depend besides the truths of the instruction, if they are known and few, with places
    /// of their own: equal questions are then answered once.
    pub(super) reads: Option<Vec<(Place, Ref)>>,
}
