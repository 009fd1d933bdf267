//! The marks inside heat-map cells: numbers where they fit, and emphasised cells.

use maud::{Markup, html};

use super::super::frame::{Anchor, text};
use super::super::number::place;
use super::layout::Layout;
use super::shades::{Shades, sign};
use super::writing::Writing;
use crate::chart::{Heat, Panel, Tone};

/// A dot where nothing was measured.
pub(super) fn unknown(panel: &Panel, layout: &Layout, left: f64, top: f64) -> Markup {
    let [wide, tall] = layout.cell;
    html! {
        @for (row, cells) in panel.cells.iter().enumerate() {
            @for (column, _) in cells.iter().enumerate().filter(|(_, cell)| cell.is_none()) {
                (text(left + wide * (column as f64 + 0.5), top + tall * (row as f64 + 0.5) + 4.5, Anchor::Middle, "t", "·"))
            }
        }
    }
}

/// Numbers where they fit, and what stands out.
pub(super) fn signs(
    heat: &Heat,
    panel: &Panel,
    shades: &Shades,
    layout: &Layout,
    left: f64,
    top: f64,
) -> Markup {
    let [wide, tall] = layout.cell;
    let cells = panel.cells.iter().enumerate().flat_map(|(row, cells)| {
        let cells = cells.iter().enumerate();
        cells.filter_map(move |(column, cell)| Some((column, row, cell.as_ref()?)))
    });
    // A frame about many is no frame.
    let count = |tone| panel.cells.iter().flatten().flatten().filter(|cell| cell.tone == tone).count();
    let is_framed = count(Tone::Best) <= 3 || wide < 11.0;
    html! {
        @for (column, row, cell) in cells {
            @let (x, y) = (left + wide * column as f64, top + tall * row as f64);
            @let step = cell.value.map(|value| shades.step(value));
            @let (class, ink) = (step.map(|step| shades.ink(step)), step.map_or("", |step| shades.line(step)));
            @if cell.tone == Tone::Best && is_framed {
                rect x=(place(x + 1.0)) y=(place(y + 1.0)) width=(place(wide - 2.0)) height=(place(tall - 2.0)) fill="none" stroke=(ink)
                    stroke-width=(if wide > 14.0 { "2.5" } else { "1.5" }) {}
            }
            @if layout.writing != Writing::Nothing {
                text x=(place(x + 0.5 * wide)) y=(place(y + 0.5 * tall + 4.5)) text-anchor="middle" class=[class] font-size=[layout.writing.size()] {
                    (layout.writing.of(heat, shades, cell))
                }
            } @else if cell.tone == Tone::Plain {
            } @else if wide >= 11.0 && tall >= 11.0 {
                text x=(place(x + 0.5 * wide)) y=(place(y + 0.5 * tall + 4.5)) text-anchor="middle" class=[class] {
                    (sign(cell.tone))
                }
            } @else if cell.tone == Tone::Possible && wide >= 5.0 {
                circle cx=(place(x + 0.5 * wide)) cy=(place(y + 0.5 * tall)) r="1.5" fill=(ink) {}
            }
        }
    }
}
