//! Rows as Apache Parquet, using only the basic part of the format that every reader supports.
//!
//! Source: <https://parquet.apache.org/docs/file-format> and `parquet.thrift`, version 2.10.0, of
//! <https://github.com/apache/parquet-format>, from which the field and enum numbers below are taken.
//!
//! All columns are flat, and but for those of other tables ([`super::table`]) required. A row group has one page per column, with as many trials as fit in 131,072 rows, so
//! the bytes depend only on the trials. Every column of a row group has its least and greatest value, by which
//! readers skip groups, and the file has what was played as key-value metadata.
//!
//! Compression is that of the encodings ([`super::packed`]): the numbers of trials as differences, all else by a
//! dictionary of the values that occur, with indices of as few bits as that needs. A million games of CarboniteDice take 5.3
//! MB; PyArrow's own files of them take 15.3 MB, with Snappy 11.2 MB. A codec on top was not worth a dependency: Snappy and
//! LZ4 save 2 % of that, and Zstandard 24 %.
//!
//! Why not the `parquet` crate: `docs/dependencies.md`.

use std::ops::Range;

use stopwise_engine::arms::Rows;
use stopwise_engine::game::Metric;

use super::TrialRows;
use super::columns::{Type, plain};
use super::packed::{delta, pack, width};
use super::thrift::{Fields, Kind, signed, structure, text, unsigned};

/// The first bytes of a file, and the last.
pub(super) const MAGIC: &[u8; 4] = b"PAR1";
/// The most rows of a row group.
const MOST: usize = 1 << 17;

/// `Encoding` of the format: the values used here.
const PLAIN: usize = 0;
const RLE: usize = 3;
const DELTA_BINARY_PACKED: usize = 5;
const RLE_DICTIONARY: usize = 8;

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

    /// The number of bytes of metadata that were returned so far.
    pub(super) const fn told(&self) -> usize {
        self.told
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
        let about = &self.about;
        let columns: Vec<_> = about.columns().collect();
        let rows = self.first * about.policies.len() as u64;
        let footer = Footer { name: "trials", columns: &columns, may_miss: false, rows, facts: &about.facts };
        footer.write(&self.groups, self.count, out);
    }

    /// Writes the row group and clears it.
    fn write(&mut self, out: &mut Vec<u8>) {
        let (about, seats) = (&self.about, self.about.policies.len());
        let trials = self.first..self.first + self.endings.len() as u64;
        let rows = self.endings.len() * seats;
        let (names, labels) = &distinct(&about.policies);
        let of_seats = |trial: u64| (0..seats).map(move |seat| labels[about.policy(trial, seat)]);
        let policies: Vec<u32> = trials.clone().flat_map(of_seats).collect();
        let endings: Vec<u32> =
            self.endings.iter().flat_map(|ending| std::iter::repeat_n(*ending, seats)).collect();
        let start = out.len();
        let begin = self.written;
        let mut chunks = vec![
            numbered(trials.clone(), seats, rows, out),
            seat(seats, rows, out),
            words(names, &policies, out),
            words(&about.endings, &endings, out),
        ];
        let measured = about.metrics.iter().zip(&self.values);
        chunks.extend(measured.map(|(of, values)| metric(of, values, out)));
        self.written += (out.len() - start) as u64;
        let size = self.written - begin;
        // RowGroup
        structure(&mut self.groups, |group| {
            group.list(1, Kind::Struct, chunks.len(), |out| {
                let mut at = begin;
                for ((name, of), chunk) in about.columns().zip(&chunks) {
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

/// What stands at the end of a file.
pub(super) struct Footer<'f> {
    /// Of the table.
    pub(super) name: &'static str,
    pub(super) columns: &'f [(&'f str, Type)],
    /// Whether values may be missing.
    pub(super) may_miss: bool,
    pub(super) rows: u64,
    pub(super) facts: &'f [(&'static str, String)],
}

impl Footer<'_> {
    /// Ends a file with so many row groups.
    pub(super) fn write(&self, groups: &[u8], count: usize, out: &mut Vec<u8>) {
        let begin = out.len();
        // FileMetaData
        structure(out, |file| {
            file.int32(1, 2);
            file.list(2, Kind::Struct, 1 + self.columns.len(), |out| self.schema(out));
            file.int64(3, self.rows);
            file.list(4, Kind::Struct, count, |out| out.extend_from_slice(groups));
            file.list(5, Kind::Struct, self.facts.len(), |out| {
                for (key, value) in self.facts {
                    structure(out, |fact| {
                        fact.text(1, key);
                        fact.text(2, value);
                    });
                }
            });
            file.text(6, concat!("stopwise version ", env!("CARGO_PKG_VERSION")));
            // Least and greatest values are by the order of the columns' types.
            file.list(7, Kind::Struct, self.columns.len(), |out| {
                self.columns.iter().for_each(|_| structure(out, |order| order.structure(1, |_| {})));
            });
        });
        let length = u32::try_from(out.len() - begin).expect("some hundred bytes for 131,072 rows");
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(MAGIC);
    }

    /// Appends the elements of `schema`: the root, then every column.
    fn schema(&self, out: &mut Vec<u8>) {
        structure(out, |root| {
            root.text(4, self.name);
            root.int32(5, self.columns.len());
        });
        for &(name, of) in self.columns {
            structure(out, |column| {
                column.int32(1, of as usize);
                // Required, or optional.
                column.int32(3, self.may_miss.into());
                column.text(4, name);
                if let Type::ByteArray = of {
                    // UTF8, and the same as a logical type: a string.
                    column.int32(6, 0);
                    column.structure(10, |logical| logical.structure(1, |_| {}));
                }
            });
        }
    }
}

/// A column of a row group, after writing.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunk {
    encoding: usize,
    /// Its size in bytes, including headers.
    pub(super) size: u64,
    /// The size of its dictionary in bytes, if it has one.
    dictionary: Option<u64>,
    /// Its least and its greatest value, as plain values.
    ends: [Vec<u8>; 2],
    /// How many values are missing.
    missing: usize,
}

impl Chunk {
    /// One page of plain values.
    pub(super) fn plain(size: u64, ends: [Vec<u8>; 2]) -> Self {
        Self { encoding: PLAIN, size, ends, ..Self::default() }
    }

    pub(super) fn between(self, ends: [Vec<u8>; 2]) -> Self {
        Self { ends, ..self }
    }

    /// Of a column in which so many values are missing.
    pub(super) fn without(self, missing: usize) -> Self {
        Self { missing, ..self }
    }

    /// Appends a `ColumnChunk`, for a column that begins at byte `at` of the file.
    pub(super) fn describe(&self, name: &str, of: Type, rows: usize, at: u64, out: &mut Vec<u8>) {
        let with_dictionary = [PLAIN, RLE, RLE_DICTIONARY];
        let encodings = if self.dictionary.is_some() { &with_dictionary[..] } else { &[self.encoding, RLE] };
        let about = |column: &mut Fields<'_>| {
            column.int32(1, of as usize);
            column.list(2, Kind::Int32, encodings.len(), |out| {
                encodings.iter().for_each(|&encoding| signed(out, encoding as u64));
            });
            column.list(3, Kind::Binary, 1, |out| text(out, name));
            // No codec.
            column.int32(4, 0);
            column.int64(5, rows as u64);
            column.int64(6, self.size);
            column.int64(7, self.size);
            column.int64(9, at + self.dictionary.unwrap_or(0));
            if self.dictionary.is_some() {
                column.int64(11, at);
            }
            // Statistics: how many are missing, the greatest, the least.
            column.structure(12, |statistics| {
                statistics.int64(3, self.missing as u64);
                if self.missing < rows {
                    statistics.binary(5, &self.ends[1]);
                    statistics.binary(6, &self.ends[0]);
                }
            });
        };
        structure(out, |chunk| {
            chunk.int64(2, at);
            chunk.structure(3, about);
        });
    }
}

/// Writes the numbers of the trials, each once for every seat.
fn numbered(trials: Range<u64>, seats: usize, rows: usize, out: &mut Vec<u8>) -> Chunk {
    let start = out.len();
    let mut page = Vec::new();
    delta(trials.clone().flat_map(|trial| std::iter::repeat_n(trial, seats)), rows, &mut page);
    data_page(DELTA_BINARY_PACKED, rows, page.len(), out);
    out.extend_from_slice(&page);
    let size = (out.len() - start) as u64;
    let ends = [trials.start, trials.end - 1].map(|trial| trial.to_le_bytes().to_vec());
    Chunk { encoding: DELTA_BINARY_PACKED, size, ends, ..Chunk::default() }
}

/// Writes the seats, from 1.
fn seat(seats: usize, rows: usize, out: &mut Vec<u8>) -> Chunk {
    let plain = |seat: u32| u64::from(seat).to_le_bytes().to_vec();
    let numbers: Vec<u32> = (0..small(seats)).cycle().take(rows).collect();
    let dictionary: Vec<_> = (1..=small(seats)).map(plain).collect();
    indexed(&dictionary, numbers.into_iter(), None, out).between([1, small(seats)].map(plain))
}

/// Writes a column of words.
pub(super) fn words(names: &[&str], indices: &[u32], out: &mut Vec<u8>) -> Chunk {
    let (present, places) = occurring(indices, names.len());
    let present: Vec<_> = present.into_iter().map(|index| names[index]).collect();
    let plain = |name: &&str| [&small(name.len()).to_le_bytes(), name.as_bytes()].concat();
    let dictionary: Vec<_> = present.iter().map(plain).collect();
    let ends = [present.iter().min(), present.iter().max()];
    // Statistics have words without their lengths.
    let ends = ends.map(|name| name.copied().unwrap_or_default().as_bytes().to_vec());
    indexed(&dictionary, indices.iter().map(|index| places[*index as usize]), None, out).between(ends)
}

/// Writes a metric in the shorter encoding.
fn metric(of: &Metric, values: &[u32], out: &mut Vec<u8>) -> Chunk {
    let least = values.iter().copied().min().unwrap_or(0);
    let greatest = values.iter().copied().max().unwrap_or(0);
    let ends = [least, greatest].map(|value| plain(of, value).to_vec());
    let above: Vec<u32> = values.iter().map(|value| value - least).collect();
    let range = (greatest - least) as usize + 1;
    if range <= MOST {
        let (present, places) = occurring(&above, range);
        let entries = present.len();
        if entries * size_of::<u64>() + values.len() * width(entries) / 8 < values.len() * size_of::<u64>() {
            let entry = |value: usize| plain(of, least + small(value)).to_vec();
            let dictionary: Vec<_> = present.into_iter().map(entry).collect();
            return indexed(&dictionary, above.iter().map(|value| places[*value as usize]), None, out)
                .between(ends);
        }
    }
    let start = out.len();
    data_page(PLAIN, values.len(), values.len() * size_of::<u64>(), out);
    values.iter().for_each(|value| out.extend_from_slice(&plain(of, *value)));
    Chunk::plain((out.len() - start) as u64, ends)
}

/// Which numbers below `range` occur, in order, and the place of each of them among these.
fn occurring(numbers: &[u32], range: usize) -> (Vec<usize>, Vec<u32>) {
    let mut occurs = vec![false; range];
    numbers.iter().for_each(|number| occurs[*number as usize] = true);
    let present: Vec<usize> = (0..range).filter(|number| occurs[*number]).collect();
    let mut places = vec![0; range];
    present.iter().zip(0..).for_each(|(number, place)| places[*number] = place);
    (present, places)
}

/// Writes a dictionary, and the index of every row; of those that `levels` tell to be there, where some of so many may miss.
pub(super) fn indexed(
    dictionary: &[Vec<u8>],
    indices: impl ExactSizeIterator<Item = u32>,
    levels: Option<(usize, &[u8])>,
    out: &mut Vec<u8>,
) -> Chunk {
    let start = out.len();
    let (entries, dictionary) = (dictionary.len(), dictionary.concat());
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
    out.extend_from_slice(&dictionary);
    let data = out.len();
    let (width, rows) = (width(entries), indices.len());
    // The width of an index in bits, then one run of all rows.
    let (all, levels) = levels.unwrap_or((rows, &[]));
    let mut page = levels.to_vec();
    page.push(u8::try_from(width).expect("17 at most"));
    if entries == 1 {
        unsigned(&mut page, (rows as u64) << 1);
        page.push(0);
    } else {
        // Packed in groups of eight, the last of which is filled up.
        unsigned(&mut page, (rows.div_ceil(8) as u64) << 1 | 1);
        pack(indices, width, 8, &mut page);
    }
    data_page(RLE_DICTIONARY, all, page.len(), out);
    out.extend_from_slice(&page);
    Chunk {
        encoding: RLE_DICTIONARY,
        size: (out.len() - start) as u64,
        dictionary: Some((data - start) as u64),
        ..Chunk::default()
    }
}

/// Appends the `PageHeader` of a data page. Columns are flat: there are levels only where values may be missing.
pub(super) fn data_page(encoding: usize, rows: usize, bytes: usize, out: &mut Vec<u8>) {
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
pub(super) fn small(value: usize) -> u32 {
    u32::try_from(value).expect("it is small")
}
