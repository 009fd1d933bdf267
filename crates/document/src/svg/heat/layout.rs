//! Where panels, cells and the names of columns stand.

use maud::{Markup, html};

use super::super::frame::{self, LINE, SIZE};
use super::super::number::{self, place};
use super::super::words;
use super::shades::Shades;
use super::writing::{self, Writing};
use crate::chart::{Axis, Heat};

/// Between panels.
pub(super) const GAP: f64 = 28.0;

/// The greatest height of the cells of a panel.
pub(super) const TALLEST: f64 = 520.0;

/// The least height of cells that are written into.
const WRITTEN: f64 = 17.0;

/// Where panels and cells stand.
pub(super) struct Layout {
    /// Columns and rows of cells.
    pub(super) size: [usize; 2],
    /// Width and height of a cell.
    pub(super) cell: [f64; 2],
    /// Room for the names of rows.
    pub(super) left: f64,
    /// The width of a panel.
    pub(super) panel: f64,
    /// Panels side by side.
    pub(super) across: usize,
    pub(super) has_title: bool,
    pub(super) writing: Writing,
    /// Room above the cells for the names of columns: more than a line where they are slanted.
    pub(super) names: f64,
}

impl Layout {
    pub(super) fn of(heat: &Heat, shades: &Shades, width: f64) -> Self {
        let columns =
            heat.panels.iter().flat_map(|panel| panel.cells.iter().map(Vec::len)).max().unwrap_or(0).max(1);
        let rows = heat.panels.iter().map(|panel| panel.cells.len()).max().unwrap_or(0).max(1);
        let [whole, letters, small] = writing::needed(heat, shades, [columns, rows]);
        let names = frame::widest(heat.y.levels.iter().map(String::as_str));
        let left = (names.max(words::width(&heat.y.title, SIZE)) + 10.0).min(0.45 * width);
        let least = if whole.is_finite() { whole.max(20.0) } else { 3.0 };
        // As many panels side by side as have room for their numbers, or for a picture at all.
        let wanted = (left + least * columns as f64).max(150.0);
        let across = number::count((width + GAP) / (wanted + GAP)).clamp(1, heat.panels.len().max(1));
        let room = (width - GAP * (across - 1) as f64) / across as f64;
        // Wide enough for the names of columns, but no wider than a table would be.
        let widest = frame::widest(heat.x.levels.iter().map(String::as_str)) + 14.0;
        let widest = if whole.is_finite() { widest.max(whole) } else { widest };
        let cell = ((room - left) / columns as f64).clamp(1.0, widest.clamp(76.0, 150.0));
        let writing = match () {
            () if cell >= whole => Writing::Whole,
            () if cell >= letters => Writing::Letters,
            () if cell >= small => Writing::Small,
            () => Writing::Nothing,
        };
        let tall = if writing == Writing::Nothing { cell.min(28.0) } else { 28.0 };
        // Words are there to be read, however many rows there are.
        let least = if writing != Writing::Nothing && writing::has_words(heat) { WRITTEN } else { 2.0 };
        let tall = tall.min(TALLEST / rows as f64).max(least);
        Self {
            size: [columns, rows],
            cell: [cell, tall],
            left,
            panel: left + cell * columns as f64,
            across,
            has_title: heat.panels.iter().any(|panel| !panel.title.is_empty()),
            writing: if tall >= WRITTEN { writing } else { Writing::Nothing },
            names: slanted(&heat.x, cell).unwrap_or(LINE),
        }
    }

    /// The height above the cells.
    pub(super) fn head(&self) -> f64 {
        LINE + self.names + 4.0 + if self.has_title { LINE + 4.0 } else { 0.0 }
    }

    pub(super) fn height(&self) -> f64 {
        self.head() + self.cell[1] * self.size[1] as f64
    }
}

/// The longest name that is slanted whole, in pixels.
const SLANTED: f64 = 190.0;

/// Over narrower columns names stand upright.
const STEEP: f64 = 18.0;

/// The narrowest rows and columns that all have their names, in small letters.
const NARROWEST: f64 = 10.0;

/// The size of names of rows and columns as narrow as this.
fn fitted(cell: f64) -> f64 {
    SIZE.min(0.85 * cell)
}

/// The size of the names of rows: smaller if all of them have room then.
pub(super) fn row_size(axis: &Axis, tall: f64) -> f64 {
    if tall >= NARROWEST && !frame::are_numbers(axis) { fitted(tall) } else { SIZE }
}

/// The height of slanted or upright names, if there are names and they have no room side by side.
pub(super) fn slanted(axis: &Axis, cell: f64) -> Option<f64> {
    let widest = frame::widest(axis.levels.iter().map(String::as_str));
    let is_slanted = !frame::are_numbers(axis) && widest > cell - 8.0 && cell >= NARROWEST;
    is_slanted.then(|| match cell < STEEP {
        true => (widest * fitted(cell) / SIZE).min(SLANTED) + 12.0,
        false => widest.min(SLANTED) * std::f64::consts::FRAC_1_SQRT_2 + 16.0,
    })
}

/// How far a slanted letter reaches to the right of its foot.
const REACH: f64 = 10.5;

/// A name that comes down to its column from the left, above the names of the rows; `room` is what is left of it. Over a narrow
/// column it stands further left, so that the last one is not cut off.
pub(super) fn slant(axis: &Axis, name: &str, [x, top]: [f64; 2], room: f64, cell: f64) -> Markup {
    let names: Vec<_> = axis.levels.iter().map(String::as_str).collect();
    if cell < STEEP {
        let size = fitted(cell);
        let transform = format!("translate({} {}) rotate(90)", place(x - 0.35 * size), place(top - 6.0));
        return html! { text transform=(transform) text-anchor="end" font-size=(place(size)) { (words::told_apart(name, &names, size, SLANTED)) } };
    }
    let most = SLANTED.min(room * std::f64::consts::SQRT_2 - 8.0);
    let foot = x + (0.5 * cell - REACH).min(3.0);
    let transform = format!("translate({} {}) rotate(45)", place(foot), place(top - 6.0));
    html! { text transform=(transform) text-anchor="end" { (words::told_apart(name, &names, SIZE, most)) } }
}
