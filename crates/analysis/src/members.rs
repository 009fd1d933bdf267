//! Sets of arms, or of policies.

/// A set of numbers below a limit, one bit each. Sets that meet in an operation have the same limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Members(Vec<u64>);

impl Members {
    /// These of the numbers below `limit`.
    pub(crate) fn of(limit: usize, members: impl IntoIterator<Item = usize>) -> Self {
        let mut bits = vec![0; limit.div_ceil(64)];
        members.into_iter().for_each(|member| bits[member / 64] |= 1 << (member % 64));
        Self(bits)
    }

    pub(crate) fn has(&self, member: usize) -> bool {
        self.0[member / 64] >> (member % 64) & 1 == 1
    }

    /// The members in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        let of_word = |(at, &word): (usize, &u64)| {
            let rest = |bits: &u64| Some(bits & (bits - 1)).filter(|&bits| bits != 0);
            let bits = std::iter::successors(Some(word).filter(|&bits| bits != 0), rest);
            bits.map(move |bits| 64 * at + bits.trailing_zeros() as usize)
        };
        self.0.iter().enumerate().flat_map(of_word)
    }

    pub(crate) fn count(&self) -> u32 {
        self.0.iter().map(|bits| bits.count_ones()).sum()
    }

    pub(crate) fn add(&mut self, others: &Self) {
        self.0.iter_mut().zip(&others.0).for_each(|(own, others)| *own |= others);
    }

    pub(crate) fn and(&self, others: &Self) -> Self {
        Self(self.0.iter().zip(&others.0).map(|(own, others)| own & others).collect())
    }

    pub(crate) fn without(&self, others: &Self) -> Self {
        Self(self.0.iter().zip(&others.0).map(|(own, others)| own & !others).collect())
    }

    pub(crate) fn meets(&self, others: &Self) -> bool {
        self.0.iter().zip(&others.0).any(|(own, others)| own & others != 0)
    }

    pub(crate) fn is_within(&self, others: &Self) -> bool {
        self.0.iter().zip(&others.0).all(|(own, others)| own & !others == 0)
    }
}
