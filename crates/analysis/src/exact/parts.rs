//! Work in parts, on all threads. What hands the parts out is compiled once, not for every game and policy.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::ExactError;

/// Whether a part is done.
type Done = Result<(), ExactError>;

/// What `work` makes of every part of `0..count`, in order; parts have `length` items, but for the last.
///
/// # Errors
///
/// That of a part; other parts may then be left out.
pub(super) fn in_parts<T: Send>(
    count: usize,
    length: usize,
    work: &(dyn Fn(Range<usize>) -> Result<T, ExactError> + Sync),
) -> Result<Vec<T>, ExactError> {
    let mut made: Vec<Option<T>> = (0..count.div_ceil(length)).map(|_| None).collect();
    fill(&mut made, 1, &|part, place| {
        let first = part.start * length;
        place[0] = Some(work(first..count.min(first + length))?);
        Ok(())
    })?;
    Ok(made.into_iter().flatten().collect())
}

/// Has `work` fill parts of `length` places, given where in `places` they are.
///
/// # Errors
///
/// That of a part; other parts may then be left out.
pub(super) fn fill<T: Send>(
    places: &mut [T],
    length: usize,
    work: &(dyn Fn(Range<usize>, &mut [T]) -> Done + Sync),
) -> Done {
    let parts: Vec<_> = places.chunks_mut(length).map(Mutex::new).collect();
    each(parts.len(), &|part| {
        let mut places = parts[part].lock().unwrap_or_else(PoisonError::into_inner);
        let first = part * length;
        work(first..first + places.len(), &mut places)
    })
}

fn each(parts: usize, work: &(dyn Fn(usize) -> Done + Sync)) -> Done {
    (0..parts).into_par_iter().try_for_each(work)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_whole_and_in_order() {
        for (count, length) in [(0, 3), (1, 3), (3, 3), (10, 3), (1000, 7), (5, 100)] {
            let parts = in_parts(count, length, &|part| Ok(part.collect::<Vec<_>>())).expect("no errors");
            assert!(parts.iter().rev().skip(1).all(|part| part.len() == length), "{count} {length}");
            assert!(parts.concat().into_iter().eq(0..count), "{count} {length}");
        }
    }

    #[test]
    fn an_error_ends_it() {
        let work =
            |part: Range<usize>| if part.contains(&50) { Err(ExactError::Interrupted) } else { Ok(()) };
        assert!(matches!(in_parts(100, 10, &work), Err(ExactError::Interrupted)));
    }
}
