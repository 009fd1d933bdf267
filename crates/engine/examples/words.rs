//! An endless stream of random words of the stream contract, for a battery of statistical tests.
//!
//! `words ORDER [OFFSET]` writes little-endian 32-bit words to standard output until the reader closes it. The orders
//! interleave streams that a simulation assumes to be independent; the offset is added to every seed.
//!
//! | Order | Words |
//! |---|---|
//! | `trials` | one of each trial |
//! | `first-words` | the first 24 of each trial: a game's worth |
//! | `seats` | one of each of 8 seats, trial by trial |
//! | `seeds` | one of each of 64 seeds, trial by trial |
//! | `neighbours` | the first of trial 0, seed by seed |
//! | `mixed` | 4 of each of 8 seeds in each of 8 seats, trial by trial |

use std::env;
use std::error::Error;
use std::io::{self, BufWriter, ErrorKind, Write};

use stopwise_engine::game::{MAX_SEATS, Seat};
use stopwise_engine::stream::{Keys, WordSource};

const USAGE: &str = "words trials|first-words|seats|seeds|neighbours|mixed [OFFSET]";

/// Writes the first `count` words of one stream.
#[inline]
fn put(out: &mut impl Write, keys: &Keys, trial: u64, seat: Seat, count: usize) -> io::Result<()> {
    let mut stream = keys.stream(trial, seat);
    for _ in 0..count {
        out.write_all(&stream.word(seat).to_le_bytes())?;
    }
    Ok(())
}

/// Writes the first `count` words of every trial of these seeds in these seats: seeds vary fastest, then seats.
#[inline]
fn interleave(out: &mut impl Write, seeds: &[Keys], seats: usize, count: usize) -> io::Result<()> {
    for trial in 0.. {
        for seat in 0..seats {
            for keys in seeds {
                put(out, keys, trial, seat, count)?;
            }
        }
    }
    Ok(())
}

fn write(out: &mut impl Write, order: &str, offset: u64) -> Result<(), Box<dyn Error>> {
    let seeds = |count: u64| (1..=count).map(|seed| Keys::new(offset.wrapping_add(seed))).collect::<Vec<_>>();
    match order {
        "trials" => interleave(out, &seeds(1), 1, 1)?,
        "first-words" => interleave(out, &seeds(1), 1, 24)?,
        "seats" => interleave(out, &seeds(1), MAX_SEATS, 1)?,
        "seeds" => interleave(out, &seeds(64), 1, 1)?,
        "neighbours" => {
            for seed in 0_u64.. {
                put(out, &Keys::new(offset.wrapping_add(seed)), 0, 0, 1)?;
            }
        }
        "mixed" => interleave(out, &seeds(8), MAX_SEATS, 4)?,
        _ => return Err(USAGE.into()),
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let (order, offset) = match args.as_slice() {
        [order] => (order, 0),
        [order, offset] => (order, offset.parse()?),
        _ => return Err(USAGE.into()),
    };
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let nobody_reads = |error: &io::Error| error.kind() == ErrorKind::BrokenPipe;
    match write(&mut out, order, offset) {
        Err(error) if error.downcast_ref().is_some_and(nobody_reads) => Ok(()),
        ended => ended,
    }
}
