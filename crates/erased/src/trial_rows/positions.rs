//! Positions with their values as Apache Parquet: the same for all rows, a text, and two floats.

use super::columns::Type;
use super::parquet::{Chunk, Footer, MAGIC, data_page, small, words};
use super::thrift::{Kind, structure};

/// The most rows of a row group.
const MOST: usize = 1 << 17;
/// `Encoding` of the format.
const PLAIN: usize = 0;

/// A growing file: the row group that is not yet full, and what is known of those before it.
#[derive(Debug)]
pub struct PositionFile {
    /// What is the same in all rows: names and words.
    always: Vec<(&'static str, String)>,
    positions: Vec<String>,
    numbers: [Vec<f64>; 2],
    rows: u64,
    written: u64,
    groups: Vec<u8>,
    count: usize,
}

impl PositionFile {
    /// A file with columns that have the same words in every row, before `position`, `value` and `error`.
    pub fn new(always: Vec<(&'static str, String)>, out: &mut Vec<u8>) -> Self {
        out.extend_from_slice(MAGIC);
        Self {
            always,
            positions: Vec::new(),
            numbers: [Vec::new(), Vec::new()],
            rows: 0,
            written: MAGIC.len() as u64,
            groups: Vec::new(),
            count: 0,
        }
    }

    /// Adds a row: bytes come to `out` when a row group is full.
    pub fn add(&mut self, position: String, value: f64, error: f64, out: &mut Vec<u8>) {
        self.positions.push(position);
        self.numbers[0].push(value);
        self.numbers[1].push(error);
        if self.positions.len() == MOST {
            self.write(out);
        }
    }

    /// Writes the last row group and the footer.
    pub fn end(mut self, out: &mut Vec<u8>) {
        if !self.positions.is_empty() {
            self.write(out);
        }
        let columns: Vec<_> = self.columns().collect();
        let footer = Footer { name: "positions", columns: &columns, rows: self.rows, facts: &[] };
        footer.write(&self.groups, self.count, out);
    }

    fn columns(&self) -> impl Iterator<Item = (&'static str, Type)> {
        let texts = self.always.iter().map(|(name, _)| *name).chain(["position"]);
        let numbers = ["value", "error"].into_iter().map(|name| (name, Type::Double));
        texts.map(|name| (name, Type::ByteArray)).chain(numbers)
    }

    fn write(&mut self, out: &mut Vec<u8>) {
        let (start, begin, rows) = (out.len(), self.written, self.positions.len());
        let zeros = vec![0; rows];
        let mut chunks: Vec<_> = self.always.iter().map(|(_, word)| words(&[word], &zeros, out)).collect();
        chunks.push(texts(&self.positions, out));
        chunks.extend(self.numbers.iter().map(|numbers| floats(numbers, out)));
        self.written += (out.len() - start) as u64;
        let columns: Vec<_> = self.columns().collect();
        // RowGroup
        structure(&mut self.groups, |group| {
            group.list(1, Kind::Struct, chunks.len(), |out| {
                let mut at = begin;
                for ((name, of), chunk) in columns.into_iter().zip(&chunks) {
                    chunk.describe(name, of, rows, at, out);
                    at += chunk.size;
                }
            });
            group.int64(2, self.written - begin);
            group.int64(3, rows as u64);
        });
        self.count += 1;
        self.rows += rows as u64;
        self.positions.clear();
        self.numbers.iter_mut().for_each(Vec::clear);
    }
}

/// Writes texts, each after its length.
fn texts(texts: &[String], out: &mut Vec<u8>) -> Chunk {
    let start = out.len();
    let bytes = texts.iter().map(|text| size_of::<u32>() + text.len()).sum();
    data_page(PLAIN, texts.len(), bytes, out);
    for text in texts {
        out.extend_from_slice(&small(text.len()).to_le_bytes());
        out.extend_from_slice(text.as_bytes());
    }
    let ends = [texts.iter().min(), texts.iter().max()];
    Chunk::plain(
        (out.len() - start) as u64,
        ends.map(|text| text.map_or_else(Vec::new, |text| text.clone().into())),
    )
}

fn floats(numbers: &[f64], out: &mut Vec<u8>) -> Chunk {
    let start = out.len();
    data_page(PLAIN, numbers.len(), size_of_val(numbers), out);
    numbers.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Chunk::plain((out.len() - start) as u64, [least, greatest].map(|number| number.to_le_bytes().to_vec()))
}
