//! The rows of a part of a run: a file of its directory, and a digest, so that no other is taken for it.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::PathBuf;

use sha2::{Digest as _, Sha256};
use stopwise_erased::{TrialRows, TrialShare};

use super::record::{PlayedTrials, Record};
use crate::failure::Failure;
use crate::output::{check_is_file, shown};

/// The kind of records of digests.
pub(super) const DIGEST: &str = "digest";
/// Bytes that are read at a time.
const BLOCK: usize = 1 << 20;

/// The rows of a part of a run.
#[derive(Clone, Debug)]
pub(crate) struct RowPart {
    /// The file, in [`RowFormat::Raw`](stopwise_erased::RowFormat::Raw).
    pub(crate) path: PathBuf,
    pub(crate) trials: Range<u64>,
}

impl RowPart {
    /// The rows of the part with these records, in a file; `None` if it has none.
    pub(crate) fn of(records: &[Record], path: PathBuf) -> Option<Self> {
        let digest = records.iter().find(|record| record.about.kind == DIGEST)?;
        Some(Self { path, trials: digest.about.trials() })
    }

    /// What the file is, as a record.
    pub(crate) fn digest(&self) -> Result<Record, Failure> {
        let digits = self.sha256().map_err(|error| self.cannot_read(&error))?;
        let Range { start: first, end } = self.trials;
        let about = PlayedTrials { stage: "rows".into(), first, end, kind: DIGEST.into() };
        Ok(Record { about, payload: format!("\"{digits}\"") })
    }

    /// Whether the file is what one of these records says.
    pub(crate) fn is_whole(&self, records: &[Record]) -> Result<bool, Failure> {
        Ok(records.contains(&self.digest()?))
    }

    fn sha256(&self) -> io::Result<String> {
        check_is_file(&self.path)?;
        let mut file = File::open(&self.path)?;
        let (mut digest, mut block) = (Sha256::new(), vec![0; BLOCK]);
        loop {
            match file.read(&mut block)? {
                0 => break,
                read => digest.update(&block[..read]),
            }
        }
        Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The rows of some of its trials.
    pub(crate) fn read(&self, rows: &TrialRows, trials: Range<u64>) -> Result<TrialShare, Failure> {
        let size = rows.raw_bytes() as u64;
        let at = TrialRows::RAW.len() as u64 + (trials.start - self.trials.start) * size;
        let wanted = (trials.end - trials.start) * size;
        let mut bytes = Vec::new();
        let read = File::open(&self.path).and_then(|mut file| {
            file.seek(SeekFrom::Start(at))?;
            file.take(wanted).read_to_end(&mut bytes)
        });
        read.map_err(|error| self.cannot_read(&error))?;
        let share = rows.read(trials.start, &bytes).filter(|_| bytes.len() as u64 == wanted);
        let lacks =
            || Failure::Input(format!("`{}` has not the rows of all trials of its part", shown(&self.path)));
        share.ok_or_else(lacks)
    }

    fn cannot_read(&self, error: &io::Error) -> Failure {
        Failure::Other(format!("cannot read `{}`: {error}", shown(&self.path)))
    }
}
