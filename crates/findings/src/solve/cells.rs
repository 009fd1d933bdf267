//! What the files of exact values share: how rows begin, and how numbers are written.

use stopwise_report::cell::Form;
use stopwise_report::{Cell, Column, column};

/// What all rows begin with.
#[derive(Clone, Debug)]
pub(super) struct About {
    pub(super) game: &'static str,
    pub(super) rules: Cell,
}

/// Twelve decimals.
pub(super) fn exact(value: f64) -> Cell {
    Cell::Real(value, Form::Decimals(12))
}

/// The column for the turn of a loss.
pub(super) fn turn<R>(cell: fn(&R) -> Cell) -> Column<R> {
    column(
        "turn",
        "turns",
        "the turn in which it is made, from 1; empty where positions do not know it: all those turns together",
        cell,
    )
}
