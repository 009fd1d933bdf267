//! Tables of values that lie in the directory: each is read once, and held for all answers as long as it is the same file.

use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use stopwise_policy::visible_word;

use super::Wrong;
use crate::memory::Bytes;

/// All tables together may take one part in so many of the memory.
const SHARE: u64 = 4;

/// The tables that are held.
#[derive(Debug)]
pub(super) struct Tables {
    /// The most bytes of all together.
    most: u64,
    /// The one that was used last comes last.
    held: Mutex<Vec<HeldFile>>,
}

#[derive(Debug)]
struct HeldFile {
    name: String,
    written: Written,
    bytes: Arc<[u8]>,
}

/// What tells a file from one that replaced it: its length, and when it was written.
type Written = (u64, Option<SystemTime>);

impl Tables {
    /// No tables yet, for a page that may take this many bytes of memory.
    pub(super) fn within(memory: u64) -> Self {
        Self { most: memory / SHARE, held: Mutex::default() }
    }

    /// A table, if it can be read; those that were not used for longest make room for it.
    pub(super) fn read(&self, place: &Path, name: &str) -> Result<Option<Arc<[u8]>>, Wrong> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let Ok((file, written)) = opened(place) else { return Ok(None) };
        if written.0 > self.most {
            return Err(Wrong(422, self.too_large(name, written.0)));
        }
        let known = held.iter().position(|table| table.name == name).map(|at| held.remove(at));
        let table = match known.filter(|table| table.written == written) {
            Some(table) => table,
            None => {
                let mut free = self.most - written.0;
                held.reverse();
                held.retain(|table| {
                    let left = free.checked_sub(table.written.0);
                    free = left.unwrap_or(0);
                    left.is_some()
                });
                held.reverse();
                let Ok(bytes) = content(file, written.0) else { return Ok(None) };
                HeldFile { name: name.to_owned(), written, bytes }
            }
        };
        let bytes = Arc::clone(&table.bytes);
        held.push(table);
        Ok(Some(bytes))
    }

    fn too_large(&self, name: &str, bytes: u64) -> String {
        format!(
            "{} has {}, and this page holds tables of {} at most. Start it with --max-memory {}M, or more, or ask at a terminal: \
             `stopwise play` and `stopwise advise`.",
            visible_word(name),
            Bytes(bytes),
            Bytes(self.most),
            bytes.saturating_mul(SHARE).div_ceil(1_000_000)
        )
    }
}

fn opened(place: &Path) -> io::Result<(File, Written)> {
    let file = File::open(place)?;
    let about: Metadata = file.metadata()?;
    Ok((file, (about.len(), about.modified().ok())))
}

/// This many bytes of a file, in one piece of memory.
fn content(mut file: File, length: u64) -> io::Result<Arc<[u8]>> {
    let length = usize::try_from(length).map_err(io::Error::other)?;
    let mut bytes: Arc<[u8]> = std::iter::repeat_n(0, length).collect();
    if let Some(bytes) = Arc::get_mut(&mut bytes) {
        file.read_exact(bytes)?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn each_is_read_once_as_far_as_there_is_memory() {
        let folder = std::env::temp_dir().join(format!("stopwise-tables-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("it can be made");
        let write =
            |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).expect("it can be written");
        let tables = Tables::within(1000);
        let read = |name: &str| tables.read(&folder.join(name), name);
        let found = |name: &str| read(name).expect("nothing is wrong").expect("it is there");
        let is_held = |name: &str, bytes: &Arc<[u8]>| Arc::ptr_eq(&found(name), bytes);
        assert!(read("a").expect("nothing is wrong").is_none());
        write("a", &[1; 100]);
        write("b", &[2; 100]);
        write("c", &[3; 100]);
        let (a, b) = (found("a"), found("b"));
        assert_eq!((&*a, &*b), (&[1; 100][..], &[2; 100][..]));
        assert!(is_held("b", &b) && is_held("a", &a));
        // There is room for two: the one that was not used for longest goes.
        let c = found("c");
        assert!(is_held("c", &c) && is_held("a", &a) && !is_held("b", &b));
        // Another file of the same name.
        write("a", &[4; 90]);
        assert_eq!(*found("a"), [4; 90]);
        write("a", &vec![5; 2_000_000]);
        let Err(Wrong(422, why)) = read("a") else { panic!("it is too large") };
        assert!(why.contains("a has 2.0 MB,") && why.contains("--max-memory 8M,"), "{why}");
        fs::remove_dir_all(&folder).expect("it is ours");
    }
}
