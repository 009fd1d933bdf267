//! A reader of the Parquet files that the program writes, made from the specification alone: flat columns without a
//! codec, plain, as differences or with a dictionary. A value that is missing is an empty text. Whatever else a file has is refused.
//!
//! Sources: <https://parquet.apache.org/docs/file-format>, `parquet.thrift` of
//! <https://github.com/apache/parquet-format>, and
//! <https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md>.

use std::collections::BTreeMap;
use std::rc::Rc;

/// A table: its names and its columns, every cell as text.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) names: Vec<String>,
    /// The types of its columns, by their numbers in the format.
    pub(crate) kinds: Vec<i64>,
    pub(crate) columns: Vec<Vec<Rc<str>>>,
    /// Its length.
    pub(crate) rows: usize,
    /// Rows of each row group.
    pub(crate) groups: Vec<usize>,
    /// The metadata: names and values.
    pub(crate) facts: BTreeMap<String, String>,
}

/// Reads a whole file. Every byte of it belongs to a page, to the footer or to what stands around them.
pub(crate) fn parquet(bytes: &[u8]) -> Table {
    let body =
        bytes.strip_prefix(b"PAR1").and_then(|rest| rest.strip_suffix(b"PAR1")).expect("PAR1 at both ends");
    let (body, length) = body.split_last_chunk::<4>().expect("a length");
    let end = 4 + body.len();
    let begin = end - u32::from_le_bytes(*length) as usize;
    let mut footer = Reader { bytes: &bytes[..end], at: begin };
    let file = footer.structure();
    assert_eq!(footer.at, end, "the footer is as long as it says");
    assert!(file.text(6).starts_with("stopwise version "));

    let schema = file.list(2);
    assert_eq!(schema[0].structure().number(5), schema.len() as i64 - 1, "columns of the root");
    let heads: Vec<_> = schema[1..]
        .iter()
        .map(|column| {
            let column = column.structure();
            let may_miss = column.number(3) == 1;
            assert!(may_miss || column.number(3) == 0, "required or optional");
            let kind = column.number(1);
            assert_eq!(column.0.contains_key(&6), kind == 6, "text is UTF8");
            (column.text(4), kind, may_miss)
        })
        .collect();

    let (mut columns, mut groups, mut at) = (vec![Vec::new(); heads.len()], Vec::new(), 4);
    for group in file.list(4) {
        let group = group.structure();
        let count = usize::try_from(group.number(3)).expect("a count");
        let begin = at;
        assert_eq!(group.list(1).len(), heads.len());
        for (((name, kind, may_miss), chunk), column) in heads.iter().zip(group.list(1)).zip(&mut columns) {
            let about = chunk.structure().structure(3);
            assert_eq!((about.number(1), about.number(4)), (*kind, 0), "uncompressed");
            assert_eq!(about.list(3), [Thrift::Bytes(name.clone().into_bytes())]);
            assert_eq!(about.number(5), count as i64);
            let place = if about.0.contains_key(&11) { about.number(11) } else { about.number(9) };
            assert_eq!(place, at as i64, "{name}: one page after the other");
            let mut pages = Reader { bytes, at };
            let values = pages.chunk((*kind, *may_miss), count, &about);
            assert_eq!((pages.at - at) as i64, about.number(7), "{name}");
            at = pages.at;
            check_ends(&about.structure(12), *kind, &values);
            column.extend(values);
        }
        assert_eq!((at - begin) as i64, group.number(2));
        groups.push(count);
    }
    assert_eq!(at, begin, "the footer follows the last page");
    let rows = groups.iter().sum();
    assert_eq!(file.number(3), rows as i64);
    assert!(columns.iter().all(|column| column.len() == rows));
    assert_eq!(file.list(7).len(), heads.len(), "an order for every column");
    let fact = |fact: &Thrift| (fact.structure().text(1), fact.structure().text(2));
    let facts = file.list(5).iter().map(fact).collect();
    let kinds = heads.iter().map(|head| head.1).collect();
    Table { kinds, names: heads.into_iter().map(|(name, ..)| name).collect(), columns, rows, groups, facts }
}

/// The statistics of a column of a row group are those of its values.
fn check_ends(statistics: &Fields, kind: i64, values: &[Rc<str>]) {
    let there: Vec<_> = values.iter().filter(|value| !value.is_empty()).cloned().collect();
    assert_eq!(statistics.number(3), (values.len() - there.len()) as i64, "so many values are missing");
    if there.is_empty() {
        assert!(!statistics.0.contains_key(&5) && !statistics.0.contains_key(&6));
        return;
    }
    let values = there;
    let number = |text: &Rc<str>| text.parse::<i64>().expect("a number");
    let ends = match kind {
        6 => [values.iter().min(), values.iter().max()].map(|end| end.expect("a value").as_bytes().to_vec()),
        0 => {
            let flag = |text: Option<&Rc<str>>| vec![u8::from(&**text.expect("a value") == "true")];
            [flag(values.iter().min()), flag(values.iter().max())]
        }
        5 => {
            let number = |text: &Rc<str>| text.parse::<f64>().expect("a number");
            let ends = [
                values.iter().map(number).min_by(f64::total_cmp),
                values.iter().map(number).max_by(f64::total_cmp),
            ];
            ends.map(|end| end.expect("a value").to_le_bytes().to_vec())
        }
        _ => {
            let ends = [values.iter().map(number).min(), values.iter().map(number).max()];
            let width = if kind == 1 { 4 } else { 8 };
            ends.map(|end| end.expect("a value").to_le_bytes()[..width].to_vec())
        }
    };
    assert_eq!([6, 5].map(|field| statistics.0[&field].clone()), ends.map(Thrift::Bytes));
}

/// A value of Thrift.
#[derive(Clone, Debug, PartialEq)]
enum Thrift {
    Bool(bool),
    Number(i64),
    Bytes(Vec<u8>),
    List(Vec<Thrift>),
    Struct(Fields),
}

/// A structure of Thrift: its fields by number.
#[derive(Clone, Debug, PartialEq)]
struct Fields(BTreeMap<i64, Thrift>);

impl Thrift {
    fn structure(&self) -> &Fields {
        if let Self::Struct(fields) = self { fields } else { panic!("a structure: {self:?}") }
    }
}

impl Fields {
    fn number(&self, field: i64) -> i64 {
        if let Thrift::Number(number) = self.0[&field] { number } else { panic!("field {field} of {self:?}") }
    }

    fn text(&self, field: i64) -> String {
        if let Thrift::Bytes(text) = &self.0[&field] {
            String::from_utf8(text.clone()).expect("UTF-8")
        } else {
            panic!("field {field} of {self:?}")
        }
    }

    fn list(&self, field: i64) -> &[Thrift] {
        if let Thrift::List(list) = &self.0[&field] { list } else { panic!("field {field} of {self:?}") }
    }

    fn structure(&self, field: i64) -> Fields {
        self.0[&field].structure().clone()
    }
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    fn take(&mut self, count: usize) -> &'b [u8] {
        self.at += count;
        &self.bytes[self.at - count..self.at]
    }

    fn varint(&mut self) -> u64 {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = self.take(1)[0];
            value |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return value;
            }
        }
    }

    fn zigzag(&mut self) -> i64 {
        let value = self.varint();
        (value >> 1).cast_signed() ^ -(value & 1).cast_signed()
    }

    fn structure(&mut self) -> Fields {
        let (mut fields, mut field) = (BTreeMap::new(), 0);
        loop {
            let header = self.take(1)[0];
            if header == 0 {
                return Fields(fields);
            }
            field = if header >> 4 == 0 { self.zigzag() } else { field + i64::from(header >> 4) };
            let value = self.value(header & 15);
            fields.insert(field, value);
        }
    }

    fn value(&mut self, kind: u8) -> Thrift {
        match kind {
            1 | 2 => Thrift::Bool(kind == 1),
            4..=6 => Thrift::Number(self.zigzag()),
            8 => {
                let length = usize::try_from(self.varint()).expect("a length");
                Thrift::Bytes(self.take(length).to_vec())
            }
            9 => {
                let header = self.take(1)[0];
                let length = if header >> 4 == 15 { self.varint() } else { u64::from(header >> 4) };
                Thrift::List((0..length).map(|_| self.value(header & 15)).collect())
            }
            12 => Thrift::Struct(self.structure()),
            _ => panic!("a value of kind {kind}"),
        }
    }

    /// The pages of a column of a row group.
    fn chunk(&mut self, (kind, may_miss): (i64, bool), count: usize, about: &Fields) -> Vec<Rc<str>> {
        let mut header = self.structure();
        let mut dictionary = None;
        if about.0.contains_key(&11) {
            assert_eq!(header.number(1), 2, "a dictionary page");
            assert_eq!(header.structure(7).number(2), 0, "plain");
            let entries = usize::try_from(header.structure(7).number(1)).expect("a count");
            dictionary = Some(self.page(&header, |page| page.plain(kind, entries)));
            assert_eq!(self.at as i64, about.number(9), "the data follow the dictionary");
            header = self.structure();
        }
        let data = header.structure(5);
        assert_eq!((header.number(1), data.number(1)), (0, count as i64), "a page of all values");
        self.page(&header, |page| {
            let present = if may_miss { page.levels(count) } else { vec![true; count] };
            let there = present.iter().filter(|is_there| **is_there).count();
            let values = match &dictionary {
                None if data.number(2) == 5 => page.differences(there),
                None => {
                    assert_eq!(data.number(2), 0, "plain");
                    page.plain(kind, there)
                }
                Some(words) => {
                    assert_eq!(data.number(2), 8, "by the dictionary");
                    let width = usize::from(page.take(1)[0]);
                    assert!((1..=17).contains(&width), "{width} bits");
                    page.hybrid(width, there).into_iter().map(|index| words[index].clone()).collect()
                }
            };
            let mut values = values.into_iter();
            let value = |is_there| if is_there { values.next().expect("a value") } else { "".into() };
            present.into_iter().map(value).collect()
        })
    }

    /// Which values are there: definition levels, after their length.
    fn levels(&mut self, count: usize) -> Vec<bool> {
        let length = u32::from_le_bytes(self.take(4).try_into().expect("four bytes"));
        let begin = self.at;
        let levels = self.hybrid(1, count);
        assert_eq!(self.at - begin, length as usize, "levels are as long as they say");
        levels.into_iter().map(|level| level == 1).collect()
    }

    /// What is read of a page, which must be all of it.
    fn page<T>(&mut self, header: &Fields, read: impl FnOnce(&mut Self) -> T) -> T {
        assert_eq!(header.number(2), header.number(3), "uncompressed");
        let end = self.at as i64 + header.number(2);
        let values = read(self);
        assert_eq!(self.at as i64, end, "a page is as long as it says");
        values
    }

    fn plain(&mut self, kind: i64, count: usize) -> Vec<Rc<str>> {
        if kind == 0 {
            let bytes = self.take(count.div_ceil(8));
            return (0..count).map(|at| (bytes[at / 8] >> (at % 8) & 1 == 1).to_string().into()).collect();
        }
        let mut value = || match kind {
            1 => i32::from_le_bytes(self.take(4).try_into().expect("four bytes")).to_string().into(),
            2 => i64::from_le_bytes(self.take(8).try_into().expect("eight bytes")).to_string().into(),
            5 => f64::from_le_bytes(self.take(8).try_into().expect("eight bytes")).to_string().into(),
            6 => {
                let length = u32::from_le_bytes(self.take(4).try_into().expect("four bytes"));
                str::from_utf8(self.take(length as usize)).expect("UTF-8").into()
            }
            _ => panic!("a column of type {kind}"),
        };
        (0..count).map(|_| value()).collect()
    }

    /// Numbers as the differences of each from the one before.
    fn differences(&mut self, count: usize) -> Vec<Rc<str>> {
        let mut size = || usize::try_from(self.varint()).expect("a size");
        let [block, parts, all] = [size(), size(), size()];
        assert_eq!((all, block % 128, block / parts % 32), (count, 0, 0));
        let mut value = self.zigzag();
        let mut values = vec![value.to_string().into()];
        while values.len() < count {
            let least = self.zigzag();
            for width in self.take(parts) {
                if values.len() < count {
                    for more in self.packed(usize::from(*width), block / parts) {
                        value += least + more as i64;
                        values.push(value.to_string().into());
                    }
                }
            }
        }
        values.truncate(count);
        values
    }

    /// Numbers of so many bits, the least significant first.
    fn packed(&mut self, width: usize, count: usize) -> Vec<usize> {
        let bytes = self.take(width * count / 8);
        let bit = |at: usize| usize::from(bytes[at / 8] >> (at % 8) & 1);
        (0..count).map(|at| (0..width).map(|place| bit(at * width + place) << place).sum()).collect()
    }

    /// Runs of equal numbers and of packed ones, of so many bits.
    fn hybrid(&mut self, width: usize, count: usize) -> Vec<usize> {
        let mut values = Vec::new();
        while values.len() < count {
            let header = usize::try_from(self.varint()).expect("a count");
            if header & 1 == 0 {
                let bytes = self.take(width.div_ceil(8)).iter().rev();
                let value = bytes.fold(0, |sum, byte| sum << 8 | usize::from(*byte));
                values.extend(std::iter::repeat_n(value, header >> 1));
            } else {
                values.extend(self.packed(width, 8 * (header >> 1)));
            }
        }
        assert!(values.len() < count + 8, "a group of eight is filled up at most");
        values.truncate(count);
        values
    }
}
