//! Places among the weights of results.

/// Which of a bounded number of results a place among all their weights belongs to.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Places {
    /// The weight of all results up to each.
    pub(super) ends: Vec<u32>,
    /// The first result of every group of places.
    starts: Vec<u16>,
    /// Places divided by this power of two are groups.
    shift: u32,
    pub(super) weight: u32,
    /// Whether every result has weight 1.
    is_even: bool,
}

impl Places {
    pub(super) fn new(weights: impl Iterator<Item = u32>) -> Self {
        let mut weight = 0;
        let ends: Vec<u32> = weights
            .map(|own| {
                weight += own;
                weight
            })
            .collect();
        let is_even = weight as usize == ends.len();
        let shift = (weight / u32::try_from(2 * ends.len()).unwrap_or(u32::MAX).max(1)).max(1).ilog2();
        let mut starts = Vec::new();
        let mut at = 0;
        for group in 0..=weight.saturating_sub(1) >> shift {
            while ends.get(usize::from(at)).is_some_and(|end| *end <= group << shift) {
                at += 1;
            }
            starts.push(at);
        }
        Self { ends, starts, shift, weight, is_even }
    }

    #[inline(always)]
    pub(super) fn at(&self, place: u32) -> u32 {
        if self.is_even { place } else { self.of_uneven(place) }
    }

    #[inline]
    fn of_uneven(&self, place: u32) -> u32 {
        let first: u32 = self.starts.get((place >> self.shift) as usize).copied().unwrap_or(0).into();
        let later = self.ends.iter().skip(first as usize).take_while(|end| **end <= place);
        first + u32::try_from(later.count()).unwrap_or(0)
    }

    pub(super) fn weight_of(&self, at: usize) -> u32 {
        self.ends[at] - if at == 0 { 0 } else { self.ends[at - 1] }
    }
}
