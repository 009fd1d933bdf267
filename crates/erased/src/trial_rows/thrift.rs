//! A writer of Thrift's compact protocol, as far as Parquet's metadata needs it.
//!
//! Source: <https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md>.

/// The type of a field or list element.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub(super) enum Kind {
    False = 2,
    Int32 = 5,
    Int64 = 6,
    Binary = 8,
    List = 9,
    Struct = 12,
}

/// A structure being written, field by field, in ascending order of their numbers.
#[derive(Debug)]
pub(super) struct Fields<'o> {
    out: &'o mut Vec<u8>,
    last: u8,
}

/// Appends a structure.
pub(super) fn structure(out: &mut Vec<u8>, fill: impl FnOnce(&mut Fields<'_>)) {
    let mut fields = Fields { out, last: 0 };
    fill(&mut fields);
    fields.out.push(0);
}

impl Fields<'_> {
    /// A 32-bit integer, or the value of an enum.
    pub(super) fn int32(&mut self, field: u8, value: usize) {
        self.header(field, Kind::Int32);
        signed(self.out, value as u64);
    }

    /// A 64-bit integer.
    pub(super) fn int64(&mut self, field: u8, value: u64) {
        self.header(field, Kind::Int64);
        signed(self.out, value);
    }

    /// The Boolean value false.
    pub(super) fn no(&mut self, field: u8) {
        self.header(field, Kind::False);
    }

    /// A string.
    pub(super) fn text(&mut self, field: u8, text: &str) {
        self.binary(field, text.as_bytes());
    }

    /// Bytes.
    pub(super) fn binary(&mut self, field: u8, bytes: &[u8]) {
        self.header(field, Kind::Binary);
        unsigned(self.out, bytes.len() as u64);
        self.out.extend_from_slice(bytes);
    }

    /// A nested structure.
    pub(super) fn structure(&mut self, field: u8, fill: impl FnOnce(&mut Fields<'_>)) {
        self.header(field, Kind::Struct);
        structure(self.out, fill);
    }

    /// A list with this number of elements, which `fill` appends.
    pub(super) fn list(&mut self, field: u8, kind: Kind, length: usize, fill: impl FnOnce(&mut Vec<u8>)) {
        self.header(field, Kind::List);
        match u8::try_from(length) {
            Ok(length @ ..15) => self.out.push(length << 4 | kind as u8),
            _ => {
                self.out.push(0xf0 | kind as u8);
                unsigned(self.out, length as u64);
            }
        }
        fill(self.out);
    }

    /// The header of a field: the difference of its number to that of the previous field, and its type.
    fn header(&mut self, field: u8, kind: Kind) {
        debug_assert!((1..=15).contains(&(field - self.last)), "in order, and none is far from the next");
        self.out.push((field - self.last) << 4 | kind as u8);
        self.last = field;
    }
}

/// Appends a string as an element of a list.
pub(super) fn text(out: &mut Vec<u8>, text: &str) {
    unsigned(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Appends a non-negative number in the encoding of signed numbers (ZigZag).
pub(super) fn signed(out: &mut Vec<u8>, value: u64) {
    unsigned(out, value << 1);
}

/// Appends a number with seven bits per byte, least significant first (ULEB128).
pub(super) fn unsigned(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    out.push(value.to_le_bytes()[0]);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the specification: 50399 as a varint is `df 89 03`, and 50399 is the ZigZag of -25200.
    #[test]
    fn numbers() {
        let mut out = Vec::new();
        unsigned(&mut out, 50399);
        assert_eq!(out, [0xdf, 0x89, 0x03]);
        out.clear();
        (0..3).for_each(|value| signed(&mut out, value));
        assert_eq!(out, [0, 2, 4]);
    }

    #[test]
    fn structures() {
        let mut out = Vec::new();
        structure(&mut out, |fields| {
            fields.int32(1, 1);
            fields.text(4, "ab");
            fields.list(5, Kind::Int32, 16, |out| (0..16).for_each(|_| signed(out, 0)));
            fields.structure(6, |fields| fields.no(3));
        });
        let list = [&[0x19, 0xf5, 16][..], &[0; 16]].concat();
        let expected = [&[0x15, 2, 0x38, 2, b'a', b'b'][..], &list, &[0x1c, 0x32, 0, 0]].concat();
        assert_eq!(out, expected);
    }
}
