//! Columns that the runs of a thread use one after the other: short runs would take as long to make theirs as to play.

use std::cell::RefCell;

use super::column::{Column, Columns, Number};

thread_local! {
    static SPARE: RefCell<AllColumns> = RefCell::default();
}

/// Columns by width.
#[derive(Default)]
pub(super) struct AllColumns {
    pub(super) bytes: Columns<u8>,
    pub(super) short: Columns<i16>,
    pub(super) middle: Columns<i32>,
    pub(super) long: Columns<i64>,
}

impl AllColumns {
    /// At least so many of each width; they have the numbers of other games, as those of a lane have in which a game begins.
    pub(super) fn new([bytes, short, middle, long]: [usize; 4]) -> Self {
        let mut columns = SPARE.take();
        enlarge(&mut columns.bytes, bytes);
        enlarge(&mut columns.short, short);
        enlarge(&mut columns.middle, middle);
        enlarge(&mut columns.long, long);
        columns
    }

    /// Leaves them to the next run.
    pub(super) fn leave(self) {
        SPARE.set(self);
    }
}

fn enlarge<T: Number>(columns: &mut Columns<T>, many: usize) {
    if columns.len() < many {
        columns.resize_with(many, || Box::new(Column::splat(T::of(0))));
    }
}
