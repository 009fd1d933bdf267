//! Rows as Apache Parquet, using only the basic part of the format that every reader supports.
//!
//! Source: <https://parquet.apache.org/docs/file-format> and `parquet.thrift`, version 2.10.0, of
//! <https://github.com/apache/parquet-format>, from which the field and enum numbers below are taken.
//!
//! All columns are required and flat, and nothing is compressed. A row group has one page per column, with as many
//! trials as fit in 131,072 rows, so the bytes depend only on the trials. Numbers are signed 64-bit integers, because
//! NumPy and polars compute differences of unsigned ones wrongly without a warning. Where that is shorter, a column is
//! dictionary-encoded with an index of one or two bytes per row. The dictionary of a metric holds every number from its
//! least to its greatest, so it needs no search.
//!
//! The `parquet` crate would add dependencies and compile time.

use stopwise_engine::arms::Rows;

use super::TrialRows;
use super::thrift::{Fields, Kind, signed, structure, text, unsigned};

/// The first bytes of a file, and the last.
const MAGIC: &[u8; 4] = b"PAR1";
/// The most rows of a row group.
const MOST: usize = 1 << 17;

/// `Encoding` of the format: the values used here.
const PLAIN: usize = 0;
const RLE: usize = 3;
const RLE_DICTIONARY: usize = 8;

/// `Type` of the format: the values used here.
#[derive(Clone, Copy, Debug)]
enum Type {
    Int32 = 1,
    Int64 = 2,
    ByteArray = 6,
}

/// A growing file: the row group that is not yet full, and the positions of those before it.
#[derive(Debug)]
pub(super) struct Parquet {
    about: TrialRows,
    /// The number of trials in a full row group.
    trials: usize,
    /// The number of the group's first trial, and the endings of its trials.
    first: u64,
    endings: Vec<u32>,
    /// One column per metric.
    values: Vec<Vec<u32>>,
    /// The number of bytes written.
    written: u64,
    /// `RowGroup` structures of the written groups, in Thrift, and their number.
    groups: Vec<u8>,
    count: usize,
    /// The number of bytes of `groups` that [`Parquet::state`] has already returned.
    told: usize,
}

impl Parquet {
    pub(super) fn new(about: &TrialRows, out: &mut Vec<u8>) -> Self {
        out.extend_from_slice(MAGIC);
        Self {
            trials: MOST / about.policies.len(),
            first: 0,
            endings: Vec::new(),
            values: vec![Vec::new(); about.metrics.len()],
            written: MAGIC.len() as u64,
            groups: Vec::new(),
            count: 0,
            told: 0,
            about: about.clone(),
        }
    }

    /// A file with this number of row groups, up to a trial, in this number of bytes.
    pub(super) fn resumed(about: &TrialRows, trials: u64, bytes: u64, groups: &[u8], count: usize) -> Self {
        let new = Self::new(about, &mut Vec::new());
        Self { first: trials, written: bytes, told: groups.len(), groups: groups.to_vec(), count, ..new }
    }

    /// The trial up to which groups are written, the bytes written, the metadata of groups since the last call, and the
    /// number of groups.
    pub(super) fn state(&mut self) -> (u64, u64, Vec<u8>, usize) {
        let new = self.groups[self.told..].to_vec();
        self.told = self.groups.len();
        (self.first, self.written, new, self.count)
    }

    /// Adds the next trials.
    pub(super) fn add(&mut self, rows: &Rows, out: &mut Vec<u8>) {
        let mut from = 0;
        while from < rows.trials() {
            let to = rows.trials().min(from + self.trials - self.endings.len());
            for at in from..to {
                self.endings.push(small(rows.ending(at)));
                for seat in 0..self.about.policies.len() {
                    let values = rows.values(at, seat);
                    self.values.iter_mut().zip(values).for_each(|(column, value)| column.push(*value));
                }
            }
            if self.endings.len() == self.trials {
                self.write(out);
            }
            from = to;
        }
    }

    /// Writes the last row group and the footer.
    pub(super) fn end(&mut self, out: &mut Vec<u8>) {
        if !self.endings.is_empty() {
            self.write(out);
        }
        let begin = out.len();
        let (about, groups) = (&self.about, &self.groups);
        // FileMetaData
        structure(out, |file| {
            file.int32(1, 2);
            file.list(2, Kind::Struct, 1 + columns(about).count(), |out| schema(about, out));
            file.int64(3, self.first * about.policies.len() as u64);
            file.list(4, Kind::Struct, self.count, |out| out.extend_from_slice(groups));
            file.text(6, concat!("stopwise version ", env!("CARGO_PKG_VERSION")));
        });
        let length = u32::try_from(out.len() - begin).expect("some hundred bytes for 131,072 rows");
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(MAGIC);
    }

    /// Writes the row group and clears it.
    fn write(&mut self, out: &mut Vec<u8>) {
        let (about, seats) = (&self.about, self.about.policies.len());
        let trials = self.first..self.first + self.endings.len() as u64;
        let rows = self.endings.len() * seats;
        let (names, labels) = &distinct(&about.policies);
        let numbers: Vec<u32> = (0..small(seats)).cycle().take(rows).collect();
        let of_seats = |trial: u64| (0..seats).map(move |seat| labels[about.policy(trial, seat)]);
        let policies: Vec<u32> = trials.clone().flat_map(of_seats).collect();
        let endings: Vec<u32> =
            self.endings.iter().flat_map(|ending| std::iter::repeat_n(*ending, seats)).collect();
        let start = out.len();
        let begin = self.written;
        let mut chunks = vec![
            plain(trials.clone().flat_map(|trial| std::iter::repeat_n(trial, seats)), rows, out),
            indexed(&int32s(seats), seats, &numbers, out),
            indexed(&texts(names.iter().copied()), names.len(), &policies, out),
            indexed(&texts(about.endings.iter().copied()), about.endings.len(), &endings, out),
        ];
        chunks.extend(self.values.iter().map(|values| metric(values, out)));
        self.written += (out.len() - start) as u64;
        let size = self.written - begin;
        // RowGroup
        structure(&mut self.groups, |group| {
            group.list(1, Kind::Struct, chunks.len(), |out| {
                let mut at = begin;
                for ((name, of), chunk) in columns(about).zip(&chunks) {
                    chunk.describe(name, of, rows, at, out);
                    at += chunk.size;
                }
            });
            group.int64(2, size);
            group.int64(3, rows as u64);
        });
        self.count += 1;
        self.first = trials.end;
        self.endings.clear();
        self.values.iter_mut().for_each(Vec::clear);
    }
}

/// The columns, in order.
fn columns(about: &TrialRows) -> impl Iterator<Item = (&str, Type)> {
    let what = [
        ("trial", Type::Int64),
        ("seat", Type::Int32),
        ("policy", Type::ByteArray),
        ("ending", Type::ByteArray),
    ];
    what.into_iter().chain(about.metrics.iter().map(|metric| (*metric, Type::Int64)))
}

/// Appends the elements of `schema`: the root, then every column.
fn schema(about: &TrialRows, out: &mut Vec<u8>) {
    structure(out, |root| {
        root.text(4, "trials");
        root.int32(5, columns(about).count());
    });
    for (name, of) in columns(about) {
        structure(out, |column| {
            column.int32(1, of as usize);
            // Required.
            column.int32(3, 0);
            column.text(4, name);
            if let Type::ByteArray = of {
                // UTF8, and the same as a logical type: a string.
                column.int32(6, 0);
                column.structure(10, |logical| logical.structure(1, |_| {}));
            }
        });
    }
}

/// A column of a row group, after writing.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    /// Its size in bytes, including headers.
    size: u64,
    /// The size of its dictionary in bytes, if it has one.
    dictionary: Option<u64>,
}

impl Chunk {
    /// Appends a `ColumnChunk`, for a column that begins at byte `at` of the file.
    fn describe(self, name: &str, of: Type, rows: usize, at: u64, out: &mut Vec<u8>) {
        let encodings =
            if self.dictionary.is_some() { &[PLAIN, RLE, RLE_DICTIONARY][..] } else { &[PLAIN, RLE] };
        let about = |column: &mut Fields<'_>| {
            column.int32(1, of as usize);
            column.list(2, Kind::Int32, encodings.len(), |out| {
                encodings.iter().for_each(|&encoding| signed(out, encoding as u64));
            });
            column.list(3, Kind::Binary, 1, |out| text(out, name));
            // Uncompressed.
            column.int32(4, 0);
            column.int64(5, rows as u64);
            column.int64(6, self.size);
            column.int64(7, self.size);
            column.int64(9, at + self.dictionary.unwrap_or(0));
            if self.dictionary.is_some() {
                column.int64(11, at);
            }
        };
        structure(out, |chunk| {
            chunk.int64(2, at);
            chunk.structure(3, about);
        });
    }
}

/// Writes a column without a dictionary.
fn plain(values: impl Iterator<Item = u64>, rows: usize, out: &mut Vec<u8>) -> Chunk {
    let start = out.len();
    data_page(PLAIN, rows, rows * size_of::<u64>(), out);
    values.for_each(|value| out.extend_from_slice(&value.to_le_bytes()));
    Chunk { size: (out.len() - start) as u64, dictionary: None }
}

/// Writes a metric in the shorter encoding.
fn metric(values: &[u32], out: &mut Vec<u8>) -> Chunk {
    let least = values.iter().copied().min().unwrap_or(0);
    let greatest = values.iter().copied().max().unwrap_or(0);
    let entries = (greatest - least) as usize + 1;
    if entries > 1 << 16
        || entries * size_of::<u64>() + values.len() * width(entries) >= values.len() * size_of::<u64>()
    {
        return plain(values.iter().map(|value| u64::from(*value)), values.len(), out);
    }
    let dictionary: Vec<u8> = (u64::from(least)..=u64::from(greatest)).flat_map(u64::to_le_bytes).collect();
    let indices: Vec<u32> = values.iter().map(|value| value - least).collect();
    indexed(&dictionary, entries, &indices, out)
}

/// Writes a dictionary with this number of entries, and the index of every row.
fn indexed(dictionary: &[u8], entries: usize, indices: &[u32], out: &mut Vec<u8>) -> Chunk {
    let start = out.len();
    // PageHeader of a dictionary.
    structure(out, |page| {
        page.int32(1, 2);
        page.int32(2, dictionary.len());
        page.int32(3, dictionary.len());
        page.structure(7, |header| {
            header.int32(1, entries);
            header.int32(2, PLAIN);
            header.no(3);
        });
    });
    out.extend_from_slice(dictionary);
    let data = out.len();
    let width = width(entries);
    // The width of an index in bits, then one run of all rows.
    let mut run = vec![u8::try_from(width * 8).expect("8 or 16")];
    if entries == 1 {
        unsigned(&mut run, (indices.len() as u64) << 1);
        run.push(0);
        data_page(RLE_DICTIONARY, indices.len(), run.len(), out);
        out.extend_from_slice(&run);
    } else {
        // Packed in groups of eight, the last of which is filled up.
        let groups = indices.len().div_ceil(8);
        unsigned(&mut run, (groups as u64) << 1 | 1);
        data_page(RLE_DICTIONARY, indices.len(), run.len() + groups * 8 * width, out);
        out.extend_from_slice(&run);
        let end = out.len() + groups * 8 * width;
        match width {
            1 => out.extend(indices.iter().map(|index| index.to_le_bytes()[0])),
            _ => {
                out.extend(indices.iter().flat_map(|index| [index.to_le_bytes()[0], index.to_le_bytes()[1]]))
            }
        }
        out.resize(end, 0);
    }
    Chunk { size: (out.len() - start) as u64, dictionary: Some((data - start) as u64) }
}

/// The bytes of an index, given the number of entries.
fn width(entries: usize) -> usize {
    if entries <= 1 << 8 { 1 } else { 2 }
}

/// Appends the `PageHeader` of a data page. There are no levels, because every column is required and flat.
fn data_page(encoding: usize, rows: usize, bytes: usize, out: &mut Vec<u8>) {
    structure(out, |page| {
        page.int32(1, 0);
        page.int32(2, bytes);
        page.int32(3, bytes);
        page.structure(5, |header| {
            header.int32(1, rows);
            header.int32(2, encoding);
            header.int32(3, RLE);
            header.int32(4, RLE);
        });
    });
}

/// The numbers from 1 to `count`, as 32-bit integers.
fn int32s(count: usize) -> Vec<u8> {
    (1..=small(count)).flat_map(u32::to_le_bytes).collect()
}

/// Strings, each after its length.
fn texts<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<u8> {
    let of = |text: &'t str| small(text.len()).to_le_bytes().into_iter().chain(text.bytes());
    texts.flat_map(of).collect()
}

/// The distinct labels, and the index of each label among them.
fn distinct(labels: &[String]) -> (Vec<&str>, Vec<u32>) {
    let (mut names, mut places) = (Vec::new(), Vec::new());
    for label in labels {
        let place = names.iter().position(|name| name == label).unwrap_or(names.len());
        if place == names.len() {
            names.push(label.as_str());
        }
        places.push(small(place));
    }
    (names, places)
}

/// A number that is known to be small: seats, endings, the length of a name.
fn small(value: usize) -> u32 {
    u32::try_from(value).expect("it is small")
}
