//! A chance event, its outcomes, and what it shows.

use std::hash::{Hash, Hasher};

use stopwise_engine::chance::{Chance, bounded};

use super::dice::Pool;
use super::places::Places;
use crate::layout::Layout;

/// The bits of a number of dice, where the numbers of all parts are packed.
pub(super) const PACKED: u32 = 5;

/// A chance event, or a kind of them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Event {
    pub(super) number: u32,
    pub(super) form: Form,
    /// The only outcome, if there is one.
    pub(super) certain: Option<Shown>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Form {
    /// Dice that are thrown together.
    Tabled {
        places: Places,
        /// The first of its outcomes among all outcomes of the program, each with so many values.
        first: u32,
        width: u32,
    },
    /// As many dice of every kind as is packed into the rest of the event: pools by kind and number, from 1.
    Composed(Vec<(u8, Vec<(Pool, Places)>)>),
    /// A draw from the bag that is the rest of the event.
    Draw(Layout),
}

/// The pools that are thrown, each with its part.
pub(super) fn thrown(
    kinds: &[(u8, Vec<(Pool, Places)>)],
    rest: i64,
) -> impl DoubleEndedIterator<Item = (usize, &(Pool, Places))> {
    let many = move |kind: usize| (rest >> (PACKED as usize * kind) & ((1 << PACKED) - 1)) as usize;
    kinds.iter().enumerate().filter_map(move |(kind, (part, pools))| {
        let pool = pools.get(many(kind).checked_sub(1)?)?;
        Some((usize::from(*part), pool))
    })
}

/// A chance event: dice thrown together, or a draw from a bag.
#[derive(Clone, Copy, Debug)]
pub struct Throw {
    pub(super) event: &'static Event,
    /// The bag, or the numbers of dice of a roll that is not tabulated.
    pub(super) rest: i64,
}

impl PartialEq for Throw {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.event, other.event) && self.rest == other.rest
    }
}

impl Eq for Throw {}

impl Hash for Throw {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.event.number, self.rest).hash(state);
    }
}

/// What a throw shows: the number of an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shown {
    pub(crate) at: u32,
    pub(super) rest: i64,
}

impl Throw {
    #[inline(never)]
    fn alone(&self) -> Option<Shown> {
        match &self.event.form {
            Form::Tabled { .. } => self.event.certain,
            Form::Draw(layout) => {
                let mut present =
                    layout.fields.iter().enumerate().filter(|(_, field)| field.of(self.rest) > 0);
                match (present.next(), present.next()) {
                    (Some((at, _)), None) => Some(self.outcome(at)),
                    _ => None,
                }
            }
            Form::Composed(kinds) => thrown(kinds, self.rest)
                .all(|(_, (pool, _))| pool.results.len() == 1)
                .then(|| self.outcome(0)),
        }
    }

    fn outcome(&self, at: usize) -> Shown {
        Shown { at: u32::try_from(at).unwrap_or(0), rest: self.rest }
    }

    #[inline(never)]
    fn sample_untabled(self, word: u32) -> Shown {
        match &self.event.form {
            Form::Tabled { first, .. } => Shown { at: *first, rest: 0 },
            Form::Draw(layout) => {
                let size = u32::try_from(layout.size(self.rest)).unwrap_or(1);
                let mut place = i64::from(bounded(word, size));
                for (at, field) in layout.fields.iter().enumerate() {
                    place -= field.of(self.rest);
                    if place < 0 {
                        return self.outcome(at);
                    }
                }
                self.outcome(0)
            }
            Form::Composed(kinds) => {
                let mut weight = thrown(kinds, self.rest).map(|(_, (_, places))| places.weight).product();
                let mut place = bounded(word, weight);
                let mut outcome = 0;
                for (_, (pool, places)) in thrown(kinds, self.rest) {
                    weight /= places.weight;
                    let at = places.at(place / weight) as usize;
                    outcome = outcome * pool.results.len() + at;
                    // What is left is a place among the outcomes of the other parts, each as often as this result.
                    let before = places.ends[at] - places.weight_of(at);
                    place = (place - before * weight) / places.weight_of(at);
                }
                self.outcome(outcome)
            }
        }
    }
}

impl Chance for Throw {
    type Outcome = Shown;

    #[inline(always)]
    fn certain(&self) -> Option<Shown> {
        match &self.event.form {
            Form::Tabled { .. } => self.event.certain,
            _ => self.alone(),
        }
    }

    fn outcomes(self) -> impl Iterator<Item = (Shown, u32)> {
        let outcomes: Vec<(Shown, u32)> = match &self.event.form {
            Form::Tabled { places, first, width } => {
                let shown = |at: usize| Shown { at: first + u32::try_from(at).unwrap_or(0) * width, rest: 0 };
                (0..places.ends.len()).map(|at| (shown(at), places.weight_of(at))).collect()
            }
            Form::Draw(layout) => {
                let counts = layout.fields.iter().map(|field| field.of(self.rest)).enumerate();
                let present = counts.filter(|(_, count)| *count > 0);
                present.map(|(at, count)| (self.outcome(at), u32::try_from(count).unwrap_or(0))).collect()
            }
            Form::Composed(kinds) => {
                let mut weights = vec![1];
                for (_, (pool, _)) in thrown(kinds, self.rest) {
                    let own = |weight: u32| pool.results.iter().map(move |(_, own)| weight * own);
                    weights = weights.into_iter().flat_map(own).collect();
                }
                weights.into_iter().enumerate().map(|(at, weight)| (self.outcome(at), weight)).collect()
            }
        };
        outcomes.into_iter()
    }

    #[inline(always)]
    fn sample(self, word: u32) -> Shown {
        match &self.event.form {
            Form::Tabled { places, first, width } => {
                Shown { at: first + places.at(bounded(word, places.weight)) * width, rest: 0 }
            }
            _ => self.sample_untabled(word),
        }
    }
}
