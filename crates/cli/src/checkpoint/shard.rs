//! A part of a run, in one file: what its trials came to, stage by stage.

use std::collections::BTreeMap;

use super::header::Header;
use super::kept;
use super::known::Known;
use super::record::{PlayedTrials, Record, checked, verified};
use super::row_part::DIGEST;

/// A part of a run, or several.
#[derive(Clone, Debug)]
pub(crate) struct Shard {
    pub(crate) header: Header,
    pub(crate) records: Vec<Record>,
}

impl Shard {
    /// The file: the header, a line a record, and at the end how many there are.
    pub(crate) fn text(&self) -> String {
        let lines = self.records.iter().map(Record::line);
        let end = checked(&[&format!("{} records", self.records.len())]);
        std::iter::once(self.header.line()).chain(lines).chain([end]).collect()
    }

    /// Reads the part of a run from the text of its file.
    ///
    /// # Errors
    ///
    /// Why the text cannot be read as a part.
    pub(crate) fn of(text: &str) -> Result<Self, String> {
        let damaged = || "it is damaged, or not whole".to_owned();
        let mut lines = text.split_terminator('\n');
        let first = lines.next().unwrap_or_default();
        let header = Header::of_line(first).ok_or("it is no part of a run of stopwise, or damaged")?;
        let last = lines.next_back().and_then(verified).ok_or_else(damaged)?;
        let records: Vec<_> = lines.map(Record::of).collect::<Option<_>>().ok_or_else(damaged)?;
        if !text.ends_with('\n') || last != format!("{} records", records.len()) {
            return Err(damaged());
        }
        Ok(Self { header, records })
    }
}

/// Several parts of a run as one: all of it, or a larger part.
///
/// # Errors
///
/// Which two parts are of different runs, which is there twice, or what is damaged; parts are called by their numbers in
/// `names`.
pub(crate) fn merged(shards: &[(String, Shard)]) -> Result<Shard, String> {
    let Some(((first_name, first), others)) = shards.split_first() else { return Err("no parts".into()) };
    for (name, other) in others {
        if let Some(difference) = first.header.difference(&other.header) {
            return Err(format!("{first_name} and {name} are of different runs: {difference}"));
        }
    }
    let mut parts: BTreeMap<u64, &str> = BTreeMap::new();
    for (name, shard) in shards {
        for &part in &shard.header.parts {
            if let Some(other) = parts.insert(part, name) {
                return Err(format!("{other} and {name} are both part {part} of {}", first.header.of));
            }
        }
    }
    let parts = parts.into_keys().collect();
    let records = shards.iter().flat_map(|(_, shard)| shard.records.iter().cloned());
    let records = compact(&Known::of(records)?)?;
    Ok(Shard { header: first.header.clone().with(parts, first.header.of), records })
}

/// Which parts are missing, of a run; at most a few are named.
pub(crate) fn missing(header: &Header) -> Option<String> {
    const NAMED: usize = 20;
    let mut missing = (1..=header.of).filter(|part| header.parts.binary_search(part).is_err());
    let named: Vec<_> = missing.by_ref().take(NAMED).map(|part| format!("{part}/{}", header.of)).collect();
    let more = missing.count();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!named.is_empty()).then(|| format!("{}{more}", named.join(", ")))
}

/// Records with those merged that follow on each other.
pub(super) fn compact(known: &Known) -> Result<Vec<Record>, String> {
    let mut compacted: Vec<Record> = Vec::new();
    for record in known.records() {
        match compacted.last_mut() {
            Some(last) if follows(&last.about, &record.about) => *last = kept::sum(last, record)?,
            _ => compacted.push(record.clone()),
        }
    }
    Ok(compacted)
}

fn follows(a: &PlayedTrials, b: &PlayedTrials) -> bool {
    a.stage == b.stage && a.kind == b.kind && a.end == b.first && a.kind != DIGEST
}
