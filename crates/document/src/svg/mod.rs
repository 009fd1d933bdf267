//! Charts as pictures (SVG): drawn for a width, coloured by classes, with the place and the words of every mark.

mod bars;
pub(crate) mod bins;
pub(crate) mod colour;
pub(crate) mod drawing;
pub(crate) mod frame;
pub(crate) mod heat;
pub(crate) mod intervals;
mod labels;
mod legend;
pub(crate) mod lines;
pub(crate) mod number;
mod rows;
mod scale;
pub(crate) mod tone;
mod words;

use maud::{PreEscaped, html};

use crate::characters::visible;
use crate::chart::{Chart, Plot};
use drawing::Drawing;
use number::place;

/// The style of everything that is drawn here.
pub(crate) const STYLE: &str = include_str!("chart.css");

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

/// The sizes of a caption and of what signs mean, in pixels, and the height of their lines.
const SMALL: f64 = 11.0;
const SIGNS: f64 = 12.0;
const SMALL_LINE: f64 = 15.0;

/// A chart's first plot as a file of its own, readable on light and on dark ground: for a README.
///
/// `width` is in pixels, at least 320; the height follows. The title stands above the picture, the sentence is its
/// description for who cannot see it, and below in small letters stand what signs in it mean, and the caption, which may be
/// empty: of what it is.
#[must_use]
pub fn picture(chart: &Chart, width: u32, caption: &str) -> String {
    let width = f64::from(width.max(320));
    let margin = 16.0;
    let Some((_, plot)) = chart.plots.first() else { return String::new() };
    let drawing = draw(plot, width - 2.0 * margin);
    let title = words::lines(&chart.title, 17.0, width - 2.0 * margin);
    let top = margin + 22.0 * title.len() as f64 + if title.is_empty() { 0.0 } else { 8.0 };
    let signs = if let Plot::Heat(heat) = plot { heat.legend.as_str() } else { "" };
    let lines = |text: &str, size: f64| {
        let lines = words::lines(text, size, width - 2.0 * margin);
        lines.into_iter().map(move |line| (line, size))
    };
    let caption: Vec<_> = lines(signs, SIGNS).chain(lines(caption, SMALL)).collect();
    let below = top + drawing.height + if caption.is_empty() { 0.0 } else { 8.0 };
    let height = below + SMALL_LINE * caption.len() as f64 + margin;
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
            @for (at, (line, size)) in caption.iter().enumerate() {
                text x=(place(margin)) y=(place(below + SMALL_LINE * (at as f64 + 0.75))) class="t" font-size=(place(*size)) { (line) }
            }
        }
    };
    visible(&format!("{}\n", markup.into_string()))
}
