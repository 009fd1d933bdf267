//! The raw format in which parts of a run pass on rows: for every trial one byte with its ending, then all metrics of
//! all seats as 32-bit little-endian integers.

use stopwise_engine::arms::Rows;

/// The header of a raw file.
pub(super) const MAGIC: &[u8] = b"stopwise rows 1\n";

/// The bytes of a trial.
pub(super) const fn bytes(seats: usize, metrics: usize) -> usize {
    1 + seats * metrics * size_of::<u32>()
}

/// Appends trials.
pub(super) fn add(rows: &Rows, seats: usize, out: &mut Vec<u8>) {
    for at in 0..rows.trials() {
        out.push(u8::try_from(rows.ending(at)).expect("a game has few endings"));
        for seat in 0..seats {
            rows.values(at, seat).iter().for_each(|value| out.extend_from_slice(&value.to_le_bytes()));
        }
    }
}

/// The trials in these bytes; `None` unless they are whole trials with endings below `endings`.
pub(super) fn read(bytes: &[u8], seats: usize, metrics: usize, endings: usize) -> Option<Rows> {
    let size = self::bytes(seats, metrics);
    if !bytes.len().is_multiple_of(size) {
        return None;
    }
    let mut rows = Rows::new(seats, metrics);
    for trial in bytes.chunks_exact(size) {
        let (ending, values) = trial.split_first()?;
        let values = values.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
        rows.push(usize::from(*ending), values);
        if usize::from(*ending) >= endings {
            return None;
        }
    }
    Some(rows)
}
