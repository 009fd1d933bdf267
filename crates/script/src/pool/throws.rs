//! The chance events of a program.

use super::dice::Pool;
use super::event::{Event, Form, PACKED, Shown, Throw, thrown};
use super::places::Places;
use crate::layout::Layout;

/// An event heavier than this is thrown in groups.
pub(crate) const HEAVIEST: u64 = 65_536;
/// The most parts of an event: kinds of dice.
pub(crate) const MOST_PARTS: usize = 7;
/// The most outcomes of all events of one roll that are tabulated.
const MOST_OUTCOMES: usize = 1 << 16;

/// The chance events of a program.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Throws {
    events: Vec<Event>,
    values: Vec<i64>,
}

/// Where the places of an event are among those of others: their number, or 0 if it has one outcome, and the first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EventPlaces {
    pub(crate) weight: u32,
    pub(crate) first: u32,
}

impl EventPlaces {
    /// Of an event with more places than there is room for.
    pub(crate) const TOO_MANY: Self = Self { weight: 0, first: u32::MAX };
}

/// The events of a roll.
#[derive(Debug)]
pub(crate) struct Placed {
    pub(crate) events: Vec<EventPlaces>,
    /// What every part shows at their places, one event after the other.
    pub(crate) parts: Vec<Vec<i64>>,
    /// The ranges of what every part shows in any event.
    pub(crate) ranges: Vec<(i64, i64)>,
}

/// How the event of a roll or draw is found.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// The event of no dice, or the only one.
    first: u32,
    /// What a die of every kind adds to the number of the event, or to the rest.
    steps: Vec<u32>,
    is_tabled: bool,
    /// The values of an outcome.
    pub(crate) width: usize,
}

impl Choice {
    /// The first event, which tells those of one roll from those of others.
    pub(crate) fn first(&self) -> u32 {
        self.first
    }

    /// Whether every outcome is one value that is tabulated.
    pub(crate) fn is_one(&self) -> bool {
        self.is_tabled && self.width == 1
    }

    /// What the numbers of dice of a kind add.
    pub(crate) fn step(&self, kind: usize) -> i64 {
        self.steps[kind].into()
    }
}

impl Throws {
    fn add(&mut self, form: Form, certain: Option<Shown>) -> u32 {
        let number = u32::try_from(self.events.len()).unwrap_or(0);
        self.events.push(Event { number, form, certain });
        number
    }

    /// The events of a roll, by the numbers of dice of every kind: pools by number, from 1, each with the number of the
    /// part that it belongs to. Their results add up within a part.
    pub(crate) fn roll(&mut self, kinds: &[(&[Pool], u8)]) -> Choice {
        let width = kinds.iter().map(|(_, part)| usize::from(*part) + 1).max().unwrap_or(1);
        let mut steps = Vec::new();
        let mut many = 1_usize;
        for (pools, _) in kinds {
            steps.push(u32::try_from(many).unwrap_or(u32::MAX));
            many = many.saturating_mul(pools.len() + 1);
        }
        let first = u32::try_from(self.events.len()).unwrap_or(0);
        let before = self.values.len();
        for number in 0..many.min(MOST_OUTCOMES) {
            let mut rest = number;
            let chosen: Vec<(Option<&Pool>, u8)> = kinds
                .iter()
                .map(|(pools, part)| {
                    let many = rest % (pools.len() + 1);
                    rest /= pools.len() + 1;
                    (many.checked_sub(1).map(|at| &pools[at]), *part)
                })
                .collect();
            self.together(&chosen, width);
            if self.values.len() - before > MOST_OUTCOMES * width {
                break;
            }
        }
        let is_tabled = self.events.len() - first as usize == many && many <= MOST_OUTCOMES;
        if !is_tabled {
            self.values.truncate(before);
            self.events.truncate(first as usize);
            let with_places = |pool: &Pool| (pool.clone(), Places::new(pool.results.iter().map(|(_, w)| *w)));
            let kinds = kinds.iter().map(|(pools, part)| (*part, pools.iter().map(with_places).collect()));
            self.add(Form::Composed(kinds.collect()), None);
            steps = (0..MOST_PARTS).map(|kind| 1 << (PACKED as usize * kind)).collect();
        }
        Choice { first, steps, is_tabled, width }
    }

    /// The event of some pools, all outcomes of the first before the next; one that is too heavy has none.
    fn together(&mut self, chosen: &[(Option<&Pool>, u8)], width: usize) {
        let weight = chosen.iter().filter_map(|(pool, _)| *pool).fold(1, |all, pool| all * pool.weight());
        let mut outcomes = vec![(vec![0; width], 1)];
        if weight > HEAVIEST {
            outcomes.truncate(1);
        } else {
            for (pool, part) in chosen.iter().filter_map(|(pool, part)| pool.map(|pool| (pool, *part))) {
                let more = outcomes.iter().flat_map(|(values, weight)| {
                    pool.results.iter().map(move |(value, own)| {
                        let mut values = values.clone();
                        values[usize::from(part)] += value;
                        (values, weight * own)
                    })
                });
                outcomes = more.collect();
            }
        }
        let first = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        let places = Places::new(outcomes.iter().map(|(_, weight)| *weight));
        let certain = (outcomes.len() == 1).then_some(Shown { at: first, rest: 0 });
        self.values.extend(outcomes.into_iter().flat_map(|(values, _)| values));
        self.add(Form::Tabled { places, first, width: u32::try_from(width).unwrap_or(1) }, certain);
    }

    /// The draws from bags of a layout.
    pub(crate) fn draw(&mut self, layout: &Layout) -> Choice {
        let first = self.add(Form::Draw(layout.clone()), None);
        Choice { first, steps: vec![1], is_tabled: false, width: 2 }
    }

    /// The events of a roll with these numbers, if it is tabulated. Of all places at most so many are listed, those of the
    /// events that have few before those of others; nothing if none are.
    pub(crate) fn places(
        &self,
        choice: &Choice,
        numbers: std::ops::Range<usize>,
        most: usize,
    ) -> Option<Placed> {
        if !choice.is_tabled {
            return None;
        }
        let events = numbers.map(|number| &self.events[choice.first as usize + number]);
        let tabled = events.map(|event| match &event.form {
            Form::Tabled { places, first, width } => {
                Some((if event.certain.is_some() { 0 } else { places.weight }, places, *first, *width))
            }
            _ => None,
        });
        let tabled: Vec<_> = tabled.collect::<Option<_>>()?;
        let mut weights: Vec<u32> = tabled.iter().map(|(weight, ..)| *weight).collect();
        weights.sort_unstable();
        let mut room = most;
        let fits = weights.into_iter().take_while(|weight| {
            let left = room.checked_sub((*weight).max(1) as usize);
            room = left.unwrap_or(0);
            left.is_some()
        });
        let heaviest = fits.last()?;
        let mut placed = Placed {
            events: Vec::new(),
            parts: vec![Vec::new(); choice.width],
            ranges: vec![(i64::MAX, i64::MIN); choice.width],
        };
        for (weight, places, first, width) in tabled {
            for at in 0..places.ends.len() {
                for (range, value) in
                    placed.ranges.iter_mut().zip(&self.values[first as usize + at * width as usize..])
                {
                    *range = (range.0.min(*value), range.1.max(*value));
                }
            }
            let begins = placed.parts[0].len();
            if weight > heaviest || begins + weight.max(1) as usize > most {
                placed.events.push(EventPlaces::TOO_MANY);
                continue;
            }
            for place in 0..weight.max(1) {
                let at = (first + places.at(place) * width) as usize;
                for (part, value) in placed.parts.iter_mut().zip(&self.values[at..]) {
                    part.push(*value);
                }
            }
            placed.events.push(EventPlaces { weight, first: u32::try_from(begins).ok()? });
        }
        Some(placed)
    }

    /// The ranges of what a roll shows that is no table.
    pub(crate) fn ranges(&self, choice: &Choice) -> Vec<(i64, i64)> {
        match &self.events[choice.first as usize].form {
            Form::Draw(layout) => {
                let most =
                    |of: fn(&crate::layout::Field) -> i64| layout.fields.iter().map(of).max().unwrap_or(0);
                vec![(0, most(|field| field.atom)), (0, most(|field| field.unit()))]
            }
            _ => vec![(0, i64::MAX); choice.width],
        }
    }

    /// The event with these numbers of dice, each times its step; or the draw from this bag.
    #[inline(always)]
    pub(crate) fn throw(&'static self, choice: &Choice, sum: i64) -> Throw {
        let (number, rest) = if choice.is_tabled {
            (i64::from(choice.first).wrapping_add(sum), 0)
        } else {
            (choice.first.into(), sum)
        };
        let number = usize::try_from(number).unwrap_or(0);
        Throw { event: &self.events[number.min(self.events.len() - 1)], rest }
    }

    /// The value of an outcome that is one.
    #[inline(always)]
    pub(crate) fn value(&self, shown: Shown) -> i64 {
        self.values.get(shown.at as usize).copied().unwrap_or(0)
    }

    /// The values that a roll or draw gives.
    #[inline(always)]
    pub(crate) fn shown(&self, choice: &Choice, shown: Shown, mut give: impl FnMut(usize, i64)) {
        if choice.is_tabled {
            let value = |at: usize| self.values.get(shown.at as usize + at).copied().unwrap_or(0);
            give(0, value(0));
            (1..choice.width).for_each(|at| give(at, value(at)));
            return;
        }
        self.untabled(choice, shown, &mut give);
    }

    #[inline(never)]
    fn untabled(&self, choice: &Choice, shown: Shown, give: &mut dyn FnMut(usize, i64)) {
        match &self.events[choice.first as usize].form {
            Form::Tabled { .. } => {}
            Form::Draw(layout) => {
                if let Some(field) = layout.fields.get(shown.at as usize) {
                    give(0, field.atom);
                    give(1, field.unit());
                }
            }
            Form::Composed(kinds) => {
                let mut values = [0; MOST_PARTS];
                let mut left = shown.at as usize;
                for (part, (pool, _)) in thrown(kinds, shown.rest).rev() {
                    values[part] += pool.results[left % pool.results.len()].0;
                    left /= pool.results.len();
                }
                values.into_iter().take(choice.width).enumerate().for_each(|(at, value)| give(at, value));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use stopwise_engine::chance::Chance as _;

    use super::*;

    fn dice() -> Vec<(i64, u64)> {
        (0..6).map(|face| (1 << (3 * face), 1)).collect()
    }

    /// The words of a place: the first and the last of those that stand for it.
    fn words(place: u32, weight: u32) -> [u32; 2] {
        let first = |place: u64| (place << 32).div_ceil(weight.into());
        [first(place.into()), first(u64::from(place) + 1) - 1]
            .map(|word| u32::try_from(word).expect("a word"))
    }

    /// A roll of two kinds of dice, tabulated and put together, shows the same.
    #[test]
    fn places_and_outcomes_agree() {
        let faces = dice();
        let one: Vec<Pool> = (1..=3).map(|many| Pool::of_dice(&faces, many)).collect();
        let other: Vec<Pool> = (1..=2).map(|many| Pool::of_dice(&[(5, 3), (7, 1)], many)).collect();
        let throws: &'static mut Throws = Box::leak(Box::default());
        let tabled = throws.roll(&[(&one, 0), (&other, 1)]);
        let before = throws.events.len();
        let with_places =
            |pool: &Pool| (pool.clone(), Places::new(pool.results.iter().map(|(_, weight)| *weight)));
        let kinds =
            [(0, &one), (1, &other)].map(|(part, pools)| (part, pools.iter().map(with_places).collect()));
        let first = throws.add(Form::Composed(kinds.into()), None);
        let composed = Choice { first, steps: vec![1, 1 << PACKED], is_tabled: false, width: 2 };
        assert_eq!((before, tabled.is_tabled), (4 * 3, true));
        let throws: &'static Throws = throws;
        let values = |choice: &Choice, shown: Shown| {
            let mut values = [0; 2];
            throws.shown(choice, shown, |at, value| values[at] = value);
            values
        };
        for (a, b) in [(1, 0), (0, 2), (2, 1), (3, 2)] {
            let found = [&tabled, &composed].map(|choice| {
                let throw = throws.throw(choice, a * choice.step(0) + b * choice.step(1));
                let mut all = Vec::new();
                let mut place = 0;
                let total = throw.outcomes().map(|(_, weight)| weight).sum();
                for (shown, weight) in throw.outcomes() {
                    for own in place..place + weight {
                        assert!(words(own, total).into_iter().all(|word| throw.sample(word) == shown));
                    }
                    place += weight;
                    all.push((values(choice, shown), weight));
                }
                all
            });
            assert_eq!(found[0], found[1]);
        }
        assert!(throws.throw(&tabled, 0).certain().is_some());
        assert!(throws.throw(&composed, 0).certain().is_some());
    }
}
