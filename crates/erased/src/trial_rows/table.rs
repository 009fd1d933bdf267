//! Any table as Apache Parquet, row by row: columns of one type each, in which values may be missing.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::columns::Type;
use super::packed::pack;
use super::parquet::{Chunk, Footer, MAGIC, data_page, indexed, small};
use super::thrift::{Kind, structure, unsigned};

/// The most rows of a row group.
const MOST: usize = 1 << 17;
/// Texts of which there are so few in a row group stand in a dictionary.
const WORDS: usize = 1 << 10;
/// `Encoding` of the format.
const PLAIN: usize = 0;

/// The values of a column, of one type; `None` where one is missing.
#[derive(Clone, Debug)]
pub enum Held {
    /// Texts.
    Texts(Vec<Option<Arc<str>>>),
    /// Whole numbers.
    Integers(Vec<Option<i64>>),
    /// Any numbers.
    Reals(Vec<Option<f64>>),
    /// Yes or no.
    Flags(Vec<Option<bool>>),
}

/// A growing file: the row group that is not yet full, and what is known of those before it.
#[derive(Debug)]
pub struct TableFile {
    name: &'static str,
    columns: Vec<(String, Held)>,
    rows: u64,
    written: u64,
    groups: Vec<u8>,
    count: usize,
}

impl TableFile {
    /// A file of a table with these columns, which are empty.
    pub fn new(name: &'static str, columns: Vec<(String, Held)>, out: &mut Vec<u8>) -> Self {
        out.extend_from_slice(MAGIC);
        Self { name, columns, rows: 0, written: MAGIC.len() as u64, groups: Vec::new(), count: 0 }
    }

    /// Adds a row, for which `add` adds a value to every column by its number: bytes come to `out` when a row group is full.
    pub fn add(&mut self, add: impl Fn(usize, &mut Held), out: &mut Vec<u8>) {
        self.columns.iter_mut().enumerate().for_each(|(number, (_, held))| add(number, held));
        if self.open() == MOST {
            self.write(out);
        }
    }

    /// Writes the last row group and the footer.
    pub fn end(mut self, out: &mut Vec<u8>) {
        if self.open() > 0 {
            self.write(out);
        }
        let columns: Vec<_> = self.columns.iter().map(|(name, held)| (&**name, held.data_type())).collect();
        let footer =
            Footer { name: self.name, columns: &columns, may_miss: true, rows: self.rows, facts: &[] };
        footer.write(&self.groups, self.count, out);
    }

    /// The rows of the group that is not yet full.
    fn open(&self) -> usize {
        self.columns.first().map_or(0, |(_, held)| match held {
            Held::Texts(values) => values.len(),
            Held::Integers(values) => values.len(),
            Held::Reals(values) => values.len(),
            Held::Flags(values) => values.len(),
        })
    }

    fn write(&mut self, out: &mut Vec<u8>) {
        let (start, begin, rows) = (out.len(), self.written, self.open());
        let chunks: Vec<_> = self.columns.iter_mut().map(|(_, held)| held.write(out)).collect();
        self.written += (out.len() - start) as u64;
        // RowGroup
        structure(&mut self.groups, |group| {
            group.list(1, Kind::Struct, chunks.len(), |out| {
                let mut at = begin;
                for ((name, held), chunk) in self.columns.iter().zip(&chunks) {
                    chunk.describe(name, held.data_type(), rows, at, out);
                    at += chunk.size;
                }
            });
            group.int64(2, self.written - begin);
            group.int64(3, rows as u64);
        });
        self.count += 1;
        self.rows += rows as u64;
    }
}

impl Held {
    const fn data_type(&self) -> Type {
        match self {
            Self::Texts(_) => Type::ByteArray,
            Self::Integers(_) => Type::Int64,
            Self::Reals(_) => Type::Double,
            Self::Flags(_) => Type::Boolean,
        }
    }

    /// Where there are values.
    fn present(&self) -> Vec<bool> {
        fn of<T>(values: &[Option<T>]) -> Vec<bool> {
            values.iter().map(Option::is_some).collect()
        }
        match self {
            Self::Texts(values) => of(values),
            Self::Integers(values) => of(values),
            Self::Reals(values) => of(values),
            Self::Flags(values) => of(values),
        }
    }

    /// Writes the values, which are gone then.
    fn write(&mut self, out: &mut Vec<u8>) -> Chunk {
        let present = self.present();
        let levels = levels(&present);
        let rows = (present.len(), &*levels);
        let plain = |bytes: &[u8]| bytes.to_vec();
        let chunk = match self {
            Self::Texts(values) => texts(&taken(values), rows, out),
            Self::Integers(values) => {
                let values = taken(values);
                let ends = [values.iter().min(), values.iter().max()];
                let bytes: Vec<_> = values.iter().flat_map(|number| number.to_le_bytes()).collect();
                page(
                    &bytes,
                    ends.map(|end| end.map_or_else(Vec::new, |end| plain(&end.to_le_bytes()))),
                    rows,
                    out,
                )
            }
            Self::Reals(values) => {
                let values = taken(values);
                let ends = [
                    values.iter().copied().fold(f64::INFINITY, f64::min),
                    values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                ];
                let bytes: Vec<_> = values.iter().flat_map(|number| number.to_le_bytes()).collect();
                page(&bytes, ends.map(|end| plain(&end.to_le_bytes())), rows, out)
            }
            Self::Flags(values) => {
                let values = taken(values);
                let mut bytes = Vec::new();
                pack(values.iter().map(|&flag| flag.into()), 1, 8, &mut bytes);
                let ends = [values.iter().min(), values.iter().max()];
                page(&bytes, ends.map(|end| end.map_or_else(Vec::new, |&end| vec![end.into()])), rows, out)
            }
        };
        chunk.without(present.iter().filter(|is_there| !**is_there).count())
    }
}

/// The values that are there, of a column that is empty then.
fn taken<T>(values: &mut Vec<Option<T>>) -> Vec<T> {
    std::mem::take(values).into_iter().flatten().collect()
}

/// Which values are there, as definition levels: a length, then one run.
fn levels(present: &[bool]) -> Vec<u8> {
    let mut run = Vec::new();
    if present.iter().all(|is_there| *is_there) {
        unsigned(&mut run, (present.len() as u64) << 1);
        run.push(1);
    } else {
        unsigned(&mut run, (present.len().div_ceil(8) as u64) << 1 | 1);
        pack(present.iter().map(|&is_there| is_there.into()), 1, 8, &mut run);
    }
    [&small(run.len()).to_le_bytes(), &*run].concat()
}

/// Writes a page of plain values.
fn page(bytes: &[u8], ends: [Vec<u8>; 2], (rows, levels): (usize, &[u8]), out: &mut Vec<u8>) -> Chunk {
    let start = out.len();
    data_page(PLAIN, rows, levels.len() + bytes.len(), out);
    out.extend_from_slice(levels);
    out.extend_from_slice(bytes);
    Chunk::plain((out.len() - start) as u64, ends)
}

/// Writes texts, each after its length; in a dictionary, if there are few.
fn texts(texts: &[Arc<str>], rows: (usize, &[u8]), out: &mut Vec<u8>) -> Chunk {
    let ends = [texts.iter().min(), texts.iter().max()];
    let ends = ends.map(|text| text.map_or_else(Vec::new, |text| text.as_bytes().to_vec()));
    let plain = |text: &str| [&small(text.len()).to_le_bytes(), text.as_bytes()].concat();
    let mut known: BTreeMap<&str, u32> = BTreeMap::new();
    for text in texts {
        if known.len() > WORDS {
            break;
        }
        known.insert(text, 0);
    }
    if known.is_empty() || known.len() > WORDS {
        let bytes = texts.iter().map(|text| plain(text)).collect::<Vec<_>>().concat();
        return page(&bytes, ends, rows, out);
    }
    known.values_mut().zip(0..).for_each(|(place, number)| *place = number);
    let dictionary: Vec<_> = known.keys().map(|text| plain(text)).collect();
    indexed(&dictionary, texts.iter().map(|text| known[&**text]), Some(rows), out).between(ends)
}
