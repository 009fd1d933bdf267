//! Charts as pictures (SVG): drawn for a width, coloured by classes, with the place and the words of every mark.

mod bars;
pub(crate) mod bins;
pub(crate) mod colour;
pub(crate) mod frame;
pub(crate) mod heat;
pub(crate) mod intervals;
mod labels;
mod legend;
mod lines;
pub(crate) mod number;
mod rows;
mod scale;
pub(crate) mod tone;
mod words;

use maud::{Markup, PreEscaped, html};

use crate::chart::{Chart, Plot};
use frame::{Anchor, LINE, text};
use number::place;

/// The style of everything that is drawn here.
pub(crate) const STYLE: &str = include_str!("chart.css");

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

/// Draws a plot for a width in pixels.
pub(crate) fn draw(plot: &Plot, width: f64) -> Drawing {
    match plot {
        Plot::Bins(bins) => bins::draw(bins, width),
        Plot::Lines(lines) => lines::draw(lines, width),
        Plot::Intervals(intervals) => intervals::draw(intervals, width),
        Plot::Bars(bars) => bars::draw(bars, width),
        Plot::Heat(heat) => heat::draw(heat, width),
    }
}

/// Whether a width is that of a telephone.
pub(crate) fn is_narrow(width: f64) -> bool {
    width < 520.0
}

/// A chart's first plot as a file of its own, readable on light and on dark ground: for a README.
///
/// `width` is in pixels, at least 320; the height follows. The title stands above the picture, the sentence is its
/// description for who cannot see it.
#[must_use]
pub fn picture(chart: &Chart, width: u32) -> String {
    let width = f64::from(width.max(320));
    let margin = 16.0;
    let Some((_, plot)) = chart.plots.first() else { return String::new() };
    let drawing = draw(plot, width - 2.0 * margin);
    let title = words::lines(&chart.title, 17.0, width - 2.0 * margin);
    let top = margin + 22.0 * title.len() as f64 + if title.is_empty() { 0.0 } else { 8.0 };
    let height = top + drawing.height + margin;
    let markup = html! {
        svg xmlns="http://www.w3.org/2000/svg" class="chart" width=(place(width)) height=(place(height))
            viewBox=(format!("0 0 {} {}", place(width), place(height))) role="img" aria-labelledby="t d" {
            title id="t" { (chart.title) }
            desc id="d" { (chart.sentence) }
            style { (PreEscaped(colour::literal(STYLE))) }
            rect width="100%" height="100%" rx="8" class="bg" {}
            @for (at, line) in title.iter().enumerate() {
                text x=(place(margin)) y=(place(margin + 16.0 + 22.0 * at as f64)) class="b" font-size="17" { (line) }
            }
            g transform=(format!("translate({} {})", place(margin), place(top))) { (drawing.body) }
        }
    };
    crate::html::without_controls(&format!("{}\n", markup.into_string()))
}

/// What is drawn where there is nothing to draw.
fn nothing(width: f64) -> Drawing {
    Drawing {
        width,
        height: 2.0 * LINE,
        body: text(0.0, LINE, Anchor::Start, "t", "Nothing was counted here."),
        marks: Marks::Spots(Vec::new()),
    }
}

/// A value with its interval, in words.
pub(crate) fn said(axis: &crate::chart::Axis, value: f64, interval: Option<[f64; 2]>) -> String {
    let text = number::with_unit(axis, value);
    match interval {
        Some([low, high]) => {
            format!("{text} ({} to {})", number::shown(axis, low), number::shown(axis, high))
        }
        None => text,
    }
}
