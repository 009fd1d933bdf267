//! Writing where perhaps nobody reads: a pipe that is full, a terminal that is held. Without a signal it is waited for; after
//! one only as long as something is still read.

use std::io::{self, Write};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::stop::StopToken;

/// How long a reader of stdout may take for a piece once a signal has come.
pub(super) const PATIENCE: Duration = Duration::from_millis(750);
/// The same of stderr.
pub(super) const LAST_WORD: Duration = Duration::from_millis(200);
/// How often it is asked whether a signal has come.
const LOOK: Duration = Duration::from_millis(20);
/// Bytes of a piece: what a pipe takes at once, or not.
const PIECE: usize = 4096;

/// Writes a text; `None` if a signal has come and for so long nobody has read on.
pub(super) fn patiently(
    stream: impl Write + Send + 'static,
    text: &str,
    patience: Duration,
    stop: &StopToken,
) -> Option<io::Result<()>> {
    let (tells, told) = channel();
    let bytes: Vec<u8> = text.into();
    // A thread that is left behind waits for the reader; the process does not wait for it.
    let writer = std::thread::Builder::new().name("writer".into()).spawn(move || {
        let written = write(stream, &bytes, || {
            // Nobody listens any more to what was given up.
            let _ = tells.send(None);
        });
        let _ = tells.send(Some(written));
    });
    if let Err(error) = writer {
        return Some(Err(error));
    }
    let mut since = Instant::now();
    loop {
        match told.recv_timeout(LOOK) {
            Ok(Some(written)) => return Some(written),
            Ok(None) => since = Instant::now(),
            Err(RecvTimeoutError::Timeout) if !stop.is_ending() => since = Instant::now(),
            Err(RecvTimeoutError::Timeout) if since.elapsed() < patience => {}
            Err(_) => return None,
        }
    }
}

/// Writes piece by piece and tells of each.
fn write(mut stream: impl Write, bytes: &[u8], tell: impl Fn()) -> io::Result<()> {
    for piece in bytes.chunks(PIECE) {
        stream.write_all(piece)?;
        tell();
    }
    stream.flush()
}
