//! Bits at equal distances, side by side.

/// So many bits of a number, each so far from the one before, from a place on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Every {
    pub(crate) from: u8,
    pub(crate) step: u8,
    pub(crate) many: u8,
}

/// By distance and stage: groups of 1, 2, 4 … bits, each so many times as far from the one before as bits were at first.
const GROUPS: [[u64; 6]; 64] = {
    let mut groups = [[0; 6]; 64];
    let mut step = 1;
    while step < 64 {
        let mut stage = 0;
        while stage < 6 {
            let (bits, mut at) = (1 << stage, 0);
            while at < 64 {
                groups[step][stage] |= (u64::MAX >> (64 - bits)) << at;
                at += step * bits;
            }
            stage += 1;
        }
        step += 1;
    }
    groups
};

impl Every {
    #[inline(always)]
    pub(crate) fn of(self, number: i64) -> i64 {
        let step = u32::from(self.step) & 63;
        let groups = &GROUPS[step as usize];
        let mut bits = number.cast_unsigned() >> (self.from & 63) & groups[0];
        let mut stage = 0;
        // Every second group moves down to the end of the one before it.
        while 1 << stage < u32::from(self.many) {
            let by = ((step - 1) << stage).min(63);
            stage += 1;
            bits = (bits | bits >> by) & groups[stage as usize % 6];
        }
        (bits & (u64::MAX >> ((64 - u32::from(self.many)) & 63))).cast_signed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_at_equal_distances_are_side_by_side() {
        let mut number = 1_i64;
        for step in 2_u8..32 {
            for many in 1..=64 / step {
                for from in [0, step - 1] {
                    if u32::from(from) + u32::from(step) * u32::from(many - 1) > 62 {
                        continue;
                    }
                    number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let one = |at: u8| (number >> (from + at * step) & 1) << at;
                    let expected: i64 = (0..many).map(one).sum();
                    let every = Every { from, step, many };
                    assert_eq!(every.of(number), expected, "{every:?}");
                }
            }
        }
    }
}
