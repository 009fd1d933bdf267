//! A plot as it is drawn: elements of a picture, and what can be pointed at in it.

use maud::Markup;

use super::frame::{Anchor, LINE, text};
use super::number;
use crate::chart::Axis;

/// A plot, drawn.
pub(crate) struct Drawing {
    /// In pixels.
    pub(crate) width: f64,
    /// In pixels.
    pub(crate) height: f64,
    /// Elements of SVG.
    pub(crate) body: Markup,
    /// What can be pointed at.
    pub(crate) marks: Marks,
}

/// What can be pointed at, row by row.
pub(crate) enum Marks {
    /// One by one.
    Spots(Vec<Vec<Spot>>),
    /// Cells of grids: for each panel x, y and the size of a cell.
    Grids(Vec<[f64; 4]>),
}

/// A mark.
pub(crate) struct Spot {
    /// What it says.
    pub(crate) words: String,
    /// Where it is: x, y, width, height.
    pub(crate) place: [f64; 4],
    /// Points that belong to it.
    pub(crate) points: Vec<[f64; 2]>,
}

/// Whether a width is that of a telephone.
pub(crate) fn is_narrow(width: f64) -> bool {
    width < 520.0
}

/// What is drawn where there is nothing to draw.
pub(super) fn nothing(width: f64) -> Drawing {
    Drawing {
        width,
        height: 2.0 * LINE,
        body: text(0.0, LINE, Anchor::Start, "t", "Nothing was counted here."),
        marks: Marks::Spots(Vec::new()),
    }
}

/// A value with its interval, in words.
pub(crate) fn said(axis: &Axis, value: f64, interval: Option<[f64; 2]>) -> String {
    let text = number::with_unit(axis, value);
    match interval {
        Some(limits) => format!("{text} ({})", number::range(axis, limits)),
        None => text,
    }
}
