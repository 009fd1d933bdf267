//! A map from stages to values, taken in the order of the stages.

use std::collections::BTreeMap;
use std::mem;

/// A value for each of some stages. The map from stages to places does not know the type of the values, so that it is
/// compiled once for all games.
#[derive(Debug, Default)]
pub(super) struct ByStage<T> {
    order: Order,
    values: Vec<T>,
}

impl<T: Default> ByStage<T> {
    /// The value of a stage; a new one if there is none.
    pub(super) fn of(&mut self, stage: u64) -> &mut T {
        let place = self.order.place(stage);
        if place == self.values.len() {
            self.values.push(T::default());
        }
        &mut self.values[place]
    }

    /// Takes the first stage.
    pub(super) fn pop_first(&mut self) -> Option<(u64, T)> {
        let (stage, place) = self.order.pop_first()?;
        Some((stage, mem::take(&mut self.values[place])))
    }

    /// The number of stages.
    pub(super) fn len(&self) -> usize {
        self.order.places.len()
    }
}

/// The place of the value of every stage.
#[derive(Debug, Default)]
struct Order {
    places: BTreeMap<u64, usize>,
    /// Free places: those of stages that were taken.
    free: Vec<usize>,
}

impl Order {
    fn place(&mut self, stage: u64) -> usize {
        let next = self.free.last().copied().unwrap_or(self.places.len());
        let place = *self.places.entry(stage).or_insert(next);
        if place == next {
            self.free.pop();
        }
        place
    }

    fn pop_first(&mut self) -> Option<(u64, usize)> {
        let first = self.places.pop_first();
        self.free.extend(first.map(|(_, place)| place));
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Beside the map that it stands for.
    #[test]
    fn stages_come_in_order() {
        let (mut found, mut expected) = (ByStage::<Vec<u64>>::default(), BTreeMap::<u64, Vec<u64>>::new());
        for step in 0..2000_u64 {
            let stage = step.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58;
            found.of(stage).push(step);
            expected.entry(stage).or_default().push(step);
            if step % 5 < 2 {
                assert_eq!(found.pop_first(), expected.pop_first());
            }
            assert_eq!(found.len(), expected.len());
        }
        while let Some(first) = expected.pop_first() {
            assert_eq!(found.pop_first(), Some(first));
        }
        assert!(found.pop_first().is_none() && found.values.len() <= 64);
    }
}
