//! Whole numbers in few bits, as Parquet has them.
//!
//! Source: <https://github.com/apache/parquet-format/blob/master/Encodings.md>.

use super::thrift::{signed, unsigned};

/// The values of a block of differences, and of the parts of it that have a width of their own.
const BLOCK: usize = 128;
const PART: usize = 32;

/// The bits of an index into so many entries, one at least.
pub(super) fn width(entries: usize) -> usize {
    bits(entries.saturating_sub(1) as u64).max(1)
}

/// The bits of a number.
fn bits(number: u64) -> usize {
    (u64::BITS - number.leading_zeros()) as usize
}

/// Appends numbers of so many bits, at most 32, the least significant first, filled up with 0 to a multiple of so many.
pub(super) fn pack(
    numbers: impl ExactSizeIterator<Item = u32>,
    width: usize,
    multiple: usize,
    out: &mut Vec<u8>,
) {
    let end = out.len() + numbers.len().next_multiple_of(multiple) * width / 8;
    let (mut held, mut count) = (0_u64, 0);
    for number in numbers {
        held |= u64::from(number) << count;
        count += width;
        while count >= 8 {
            out.push(held.to_le_bytes()[0]);
            held >>= 8;
            count -= 8;
        }
    }
    if count > 0 {
        out.push(held.to_le_bytes()[0]);
    }
    out.resize(end, 0);
}

/// Appends so many numbers, none less than the one before, as their differences (`DELTA_BINARY_PACKED`).
pub(super) fn delta(numbers: impl Iterator<Item = u64>, count: usize, out: &mut Vec<u8>) {
    let mut numbers = numbers.peekable();
    let first = numbers.next().unwrap_or(0);
    unsigned(out, BLOCK as u64);
    unsigned(out, (BLOCK / PART) as u64);
    unsigned(out, count as u64);
    signed(out, first);
    let mut before = first;
    while numbers.peek().is_some() {
        let differences: Vec<u64> = numbers
            .by_ref()
            .take(BLOCK)
            .map(|number| number - std::mem::replace(&mut before, number))
            .collect();
        let least = differences.iter().copied().min().unwrap_or(0);
        signed(out, least);
        let parts = || differences.chunks(PART).map(|part| part.iter().map(|difference| difference - least));
        let widths = parts().map(|part| bits(part.max().unwrap_or(0)));
        let mut widths: Vec<u8> = widths.map(|width| u8::try_from(width).unwrap_or(u8::MAX)).collect();
        widths.resize(BLOCK / PART, 0);
        out.extend_from_slice(&widths);
        for (part, width) in parts().zip(&widths) {
            let part: Vec<u32> =
                part.map(|number| u32::try_from(number).expect("trials follow each other")).collect();
            pack(part.into_iter(), usize::from(*width), PART, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification: 0 to 7 in three bits are `88 c6 fa`.
    #[test]
    fn bits_are_packed_from_the_right() {
        let mut out = Vec::new();
        pack([0, 1, 2, 3, 4, 5, 6, 7].into_iter(), width(8), 8, &mut out);
        assert_eq!(out, [0b1000_1000, 0b1100_0110, 0b1111_1010]);
        out.clear();
        pack([1].into_iter(), 1, 8, &mut out);
        assert_eq!(out, [1]);
        assert_eq!([1, 2, 3, 256, 257].map(width), [1, 1, 2, 8, 9]);
    }

    /// The first example of the specification, 1 to 5: differences of 1, in no bits. Its blocks have 128 values in four parts here.
    #[test]
    fn differences() {
        let mut out = Vec::new();
        delta(1..=5, 5, &mut out);
        assert_eq!(out, [0x80, 1, 4, 5, 2, 2, 0, 0, 0, 0]);
        out.clear();
        delta([7, 7, 8, 8].into_iter(), 4, &mut out);
        assert_eq!(out, [0x80, 1, 4, 4, 14, 0, 1, 0, 0, 0, 0b10, 0, 0, 0]);
    }
}
