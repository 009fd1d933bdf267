//! Sets of small numbers: of cells, registers and stops.

/// A set of small numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Set(Vec<u64>);

impl Set {
    pub(crate) fn new(len: usize) -> Self {
        Self(vec![0; len.div_ceil(64)])
    }

    pub(crate) fn has(&self, at: u32) -> bool {
        self.0[at as usize / 64] >> (at % 64) & 1 == 1
    }

    pub(crate) fn put(&mut self, at: u32, is: bool) {
        let word = &mut self.0[at as usize / 64];
        *word = *word & !(1 << (at % 64)) | u64::from(is) << (at % 64);
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill(0);
    }

    pub(crate) fn join(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.0).flat_map(|(word, bits)| {
            (0..64).filter(move |at| bits >> at & 1 == 1).map(move |at| word * 64 + at)
        })
    }
}
