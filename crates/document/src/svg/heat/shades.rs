//! From values to colours, and the scale that says so.

use maud::{Markup, html};

use super::super::colour::{self, STEPS};
use super::super::frame::{self, Anchor, SIZE, path, text};
use super::super::number::{self, place};
use super::super::scale::{self, Scale};
use super::super::words;
use crate::chart::{Heat, Heated, Tone};

/// From values to steps of a ramp.
pub(super) struct Shades {
    pub(super) domain: [f64; 2],
    pub(super) has_two_ends: bool,
    /// Whether low values have the colours of high ones: the good ones are yellow, or blue on a scale with two ends.
    is_turned: bool,
    places: usize,
}

impl Shades {
    pub(super) fn of(heat: &Heat, [low, high]: [f64; 2]) -> Self {
        let domain = match heat.middle {
            Some(middle) => {
                let far = (high - middle).abs().max((middle - low).abs());
                [middle - far, middle + far]
            }
            None => [low, high],
        };
        let cells = heat.panels.iter().flat_map(|panel| panel.cells.iter().flatten().flatten());
        let is_whole = !heat.value.is_share && cells.into_iter().all(|cell| cell.value.fract() == 0.0);
        let range = (high - low) * if heat.value.is_share { 100.0 } else { 1.0 };
        // A two-hundredth of the range is about what colours tell apart.
        let needed = number::count((-(range / 200.0).max(1e-9).log10()).ceil());
        Self {
            domain,
            has_two_ends: heat.middle.is_some(),
            is_turned: heat.is_lower_better != heat.middle.is_some(),
            places: if is_whole { 0 } else { needed.clamp(0, 4) },
        }
    }

    pub(super) fn step(&self, value: f64) -> usize {
        let [low, high] = self.domain;
        if high <= low {
            return STEPS / 2;
        }
        number::count((value - low) / (high - low) * STEPS as f64).min(STEPS - 1)
    }

    pub(super) fn colour(&self, step: usize) -> [u8; 3] {
        colour::ramp(if self.is_turned { STEPS - 1 - step } else { step }, self.has_two_ends)
    }

    /// What stands in a cell.
    pub(super) fn text(&self, heat: &Heat, cell: &Heated) -> String {
        let value = if heat.value.is_share { 100.0 * cell.value } else { cell.value };
        let sign = sign(cell.tone);
        match number::level(&heat.value, cell.value) {
            Some(name) => format!("{name}{sign}"),
            None => format!("{}{sign}", number::decimals(value, self.places)),
        }
    }

    /// The scale of the colours, with its ticks.
    pub(super) fn scale(&self, heat: &Heat, left: f64, top: f64, width: f64) -> Markup {
        let room = (width - left - 40.0).clamp(120.0, 300.0);
        let each = room / STEPS as f64;
        let x = Scale { domain: self.domain, range: [left, left + room] };
        // Closer together than along a chart: there is nothing else to read the colours by.
        let close = (2..=5).rev().map(|most| scale::ticks(&heat.value, self.domain, most, false));
        let ticks = match heat.value.levels.is_empty() {
            true => close.into_iter().find(|ticks| frame::has_room(ticks, &x, width)).unwrap_or_default(),
            false => frame::x_ticks(&heat.value, &x, width, false),
        };
        let title = frame::title(&heat.value);
        let begin = left.min((width - words::width(&title, SIZE)).max(0.0));
        let title = words::shortened(&title, SIZE, width);
        html! {
            (text(begin, top + 12.0, Anchor::Start, "t", &title))
            @for step in 0..STEPS {
                rect x=(place(left + each * step as f64)) y=(place(top + 20.0)) width=(place(each + 0.4)) height="12"
                    fill=(colour::hex(self.colour(step))) {}
            }
            @for tick in &ticks {
                (path(&format!("M{} {}v5", place(x.at(tick.value)), place(top + 32.0)), "a"))
                (text(x.at(tick.value), top + 50.0, Anchor::Middle, "t", &tick.label))
            }
        }
    }
}

/// What stands at a number, as in the text report.
pub(super) const fn sign(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain => "",
        Tone::Best => "*",
        Tone::Possible => "≈",
        Tone::Bad => "▾",
    }
}
