//! Colours on a grid.
//!
//! Cells of one colour in a row are one stroke of one path a colour, in units of cells, so that a grid of 100 × 100 is some
//! ten thousand bytes.

mod layout;
mod shades;
mod signs;
mod writing;

use std::fmt::Write as _;

use maud::{Markup, html};

use super::colour::STEPS;
use super::drawing::{self, Drawing, Marks, nothing};
use super::frame::{self, Anchor, LINE, SIZE, path, text};
use super::number::{self, place};
use super::scale::{Scale, extent};
use super::tone::{self, About};
use super::words;
use crate::chart::{Axis, Heat, Heated, Panel};
use layout::{GAP, Layout, slant};
use shades::{Paint, Shades};
use signs::{signs, unknown};
use writing::Writing;
pub(crate) use writing::has_words;

/// Draws a grid, or several.
pub(super) fn draw(heat: &Heat, width: f64) -> Drawing {
    let Some(ends) = extent(heat.values()) else { return nothing(width) };
    let shades = Shades::of(heat, ends);
    let layout = Layout::of(heat, &shades, width);

    let mut grids = Vec::new();
    let mut drawn = Vec::new();
    for (at, panel) in heat.panels.iter().enumerate() {
        let x = (at % layout.across) as f64 * (layout.panel + GAP);
        let y = (at / layout.across) as f64 * (layout.height() + GAP);
        grids.push([x + layout.left, y + layout.head(), layout.cell[0], layout.cell[1]]);
        drawn.push(one(heat, panel, &shades, &layout, [x, y]));
    }
    let down = heat.panels.len().div_ceil(layout.across) as f64;
    let bottom = down * (layout.height() + GAP) - GAP;
    let (scale, below) = shades.scale(
        heat,
        layout.writing == Writing::Letters,
        [layout.left.min(0.4 * width), bottom + 16.0],
        width,
    );
    let body = html! {
        @for panel in &drawn { (panel) }
        (scale)
    };
    Drawing { width, height: bottom + 16.0 + below, body, marks: Marks::Grids(grids) }
}

fn one(heat: &Heat, panel: &Panel, shades: &Shades, layout: &Layout, [x, y]: [f64; 2]) -> Markup {
    let [wide, tall] = layout.cell;
    let columns = layout.size[0];
    let (left, top) = (x + layout.left, y + layout.head());
    let scale = Scale { domain: [-0.5, columns as f64 - 0.5], range: [left, left + wide * columns as f64] };
    let levels = frame::levels(&heat.y);
    let size = layout::row_size(&heat.y, tall);
    let names = frame::thinned(&levels, |some| {
        some.windows(2).all(|pair| (pair[1].value - pair[0].value) * tall >= size / 0.85)
    });
    let row_names: Vec<_> = heat.y.levels.iter().map(String::as_str).collect();
    let transform = format!("translate({} {}) scale({wide:.3} {tall:.3})", place(left), place(top));
    html! {
        @if layout.has_title { (text(x, y + 13.0, Anchor::Start, "b", &words::shortened(&panel.title, SIZE * frame::BOLD, layout.panel))) }
        (text(left, top - layout.names - 8.0, Anchor::Start, "t", &words::shortened(&frame::title(&heat.x), SIZE, wide * columns as f64)))
        @if layout.names > LINE {
            (text(x, top - layout.names - 8.0, Anchor::Start, "t", &words::shortened(&frame::title(&heat.y), SIZE, layout.left - 8.0)))
            @for tick in frame::levels(&heat.x) { (slant(&heat.x, &tick.label, [scale.at(tick.value), top], scale.at(tick.value) - x, wide)) }
        } @else {
            (text(x, top - 8.0, Anchor::Start, "t", &words::shortened(&frame::title(&heat.y), SIZE, layout.left - 8.0)))
            @for tick in frame::x_ticks(&heat.x, &scale, x + layout.panel, false) {
                (text(scale.at(tick.value), top - 8.0, Anchor::Middle, "", &tick.label))
            }
        }
        @for tick in &names {
            text x=(place(left - 8.0)) y=(place(top + tall * (tick.value + 0.5) + 0.35 * size)) text-anchor="end"
                font-size=[(size < SIZE).then(|| place(size))] { (words::told_apart(&tick.label, &row_names, size, layout.left - 8.0)) }
        }
        g transform=(transform) shape-rendering="crispEdges" {
            @for (step, d) in runs(panel, shades).iter().enumerate() {
                @if !d.is_empty() {
                    @match shades.paint(step) {
                        Paint::Class(class) => path d=(d) class=(class) {},
                        Paint::Hex(hex) => path d=(d) stroke=(hex) {},
                    }
                }
            }
        }
        @if wide >= 14.0 && tall >= 14.0 { (gaps(layout, left, top)) }
        @if wide >= 14.0 && tall >= 14.0 { (unknown(panel, layout, left, top)) }
        (signs(heat, panel, shades, layout, left, top))
    }
}

/// A path for every step: strokes one row high, in units of cells.
fn runs(panel: &Panel, shades: &Shades) -> Vec<String> {
    let mut paths = vec![String::new(); STEPS];
    let step_of = |cell: &Option<Heated>| Some(shades.step(cell.as_ref()?.value?));
    for (row, cells) in panel.cells.iter().enumerate() {
        let mut at = 0;
        while at < cells.len() {
            let step = step_of(&cells[at]);
            let mut end = at + 1;
            while end < cells.len() && step_of(&cells[end]) == step {
                end += 1;
            }
            if let Some(step) = step {
                let _ = write!(paths[step], "M{at} {row}.5h{}", end - at);
            }
            at = end;
        }
    }
    paths
}

/// Lines of the ground between cells that are large.
fn gaps(layout: &Layout, left: f64, top: f64) -> Markup {
    let ([wide, tall], [columns, rows]) = (layout.cell, layout.size);
    let mut d = String::new();
    for column in 1..columns {
        let _ =
            write!(d, "M{} {}v{}", place(left + wide * column as f64), place(top), place(tall * rows as f64));
    }
    for row in 1..rows {
        let _ =
            write!(d, "M{} {}h{}", place(left), place(top + tall * row as f64), place(wide * columns as f64));
    }
    path(&d, "gap")
}

/// What every cell says, panel by panel and row by row; empty where nothing was measured.
pub(crate) fn said(heat: &Heat) -> Vec<String> {
    // The unit ten thousand times would be a quarter of the page; it stands at the scale.
    let is_large = heat.panels.iter().flat_map(|panel| &panel.cells).map(Vec::len).sum::<usize>() > 2_000;
    let of = |cell: &Option<Heated>| match cell {
        None => String::new(),
        Some(cell) => {
            let value = match (cell.value, cell.interval) {
                (Some(value), interval) if cell.words.is_empty() && (interval.is_some() || !is_large) => {
                    drawing::said(&heat.value, value, interval)
                }
                _ => in_words(heat, cell),
            };
            let tone = tone::words(cell.tone, about(heat));
            if tone.is_empty() { value } else { format!("{value}, {tone}") }
        }
    };
    heat.panels.iter().flat_map(|panel| panel.cells.iter().flatten().map(of)).collect()
}

/// What its tones tell: around a middle rows are held against columns.
pub(crate) fn about(heat: &Heat) -> About {
    if heat.middle.is_some() { About::Two } else { About::Best }
}

/// What a cell says of itself: its words, or its value.
pub(crate) fn in_words(heat: &Heat, cell: &Heated) -> String {
    match cell.value {
        Some(value) if cell.words.is_empty() => number::shown(&heat.value, value),
        _ => cell.words.clone(),
    }
}

/// The levels of an axis, each with its title.
pub(crate) fn named(axis: &Axis) -> Vec<String> {
    let name = |level: &String| {
        if axis.title.is_empty() { level.clone() } else { format!("{} {level}", axis.title) }
    };
    axis.levels.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::super::colour::{hex, ramp};
    use super::layout::TALLEST;
    use super::*;
    fn heat(size: usize, value: impl Fn(usize, usize) -> f64) -> Heat {
        let names: Vec<_> = (0..size).map(|at| at.to_string()).collect();
        let cell = |row, column| Some(Heated::of(value(row, column)));
        let cells = (0..size).map(|row| (0..size).map(|column| cell(row, column)).collect()).collect();
        Heat {
            x: Axis::levels("x", names.clone()),
            y: Axis::levels("y", names),
            panels: vec![Panel { title: String::new(), cells }],
            ..Heat::default()
        }
    }

    #[test]
    fn large_grids_are_compact() {
        let heat = heat(100, |row, column| ((row as f64 - 50.0) * (column as f64 + 10.0)).abs());
        let drawing = draw(&heat, 760.0);
        let bytes = drawing.body.into_string().len();
        assert!(bytes < 40_000, "{bytes}");
        let Marks::Grids(grids) = drawing.marks else { panic!("a grid") };
        assert!(grids[0][2] * 100.0 <= 760.0 && grids[0][3] * 100.0 <= TALLEST + 1e-9);
    }

    #[test]
    fn small_grids_have_numbers() {
        let text = draw(&heat(3, |row, column| (row * 3 + column) as f64), 400.0).body.into_string();
        assert!(text.contains(">8</text>"));
    }

    /// On the page of a phone words with their marks stand in small letters where they fit in no others.
    #[test]
    fn narrow_cells_have_small_words() {
        let marked = |columns: usize| {
            let mut heat = heat(columns, |row, column| (row * columns + column) as f64);
            let cells = heat.panels.iter_mut().flat_map(|panel| panel.cells.iter_mut().flatten().flatten());
            cells.for_each(|cell| cell.words = "25*".to_owned());
            draw(&heat, 358.0).body.into_string()
        };
        let is_small = |text: &str| text.contains("font-size=\"10\"");
        let [few, several, many] = [5, 12, 30].map(marked);
        assert!(few.contains(">25*<") && !is_small(&few), "{few}");
        assert!(several.contains(">25*<") && is_small(&several), "{several}");
        assert!(!many.contains("25*"), "{many}");
    }

    /// Of two answers in words, in as many columns.
    fn answers(columns: usize, words: [&str; 2]) -> String {
        let names = words.map(str::to_owned);
        let mut heat = heat(columns, |row, column| ((row + column) % 2) as f64);
        heat.value = Axis::levels("the answer", names.to_vec());
        let cells = heat.panels.iter_mut().flat_map(|panel| panel.cells.iter_mut().flatten().flatten());
        cells
            .enumerate()
            .for_each(|(at, cell)| cell.words = words[(at % columns + at / columns) % 2].to_owned());
        draw(&heat, 360.0).body.into_string()
    }

    #[test]
    fn answers_stand_in_their_cells_as_words_or_as_letters() {
        let few = answers(3, ["hit", "stand"]);
        // Five and four cells; the legend names each once more.
        assert_eq!([few.matches(">hit<").count(), few.matches(">stand<").count()], [6, 5]);
        assert!(few.contains("class=\"s0\"") && few.contains("class=\"s1\"") && few.contains("class=\"f1\""));
        let many = answers(12, ["hit", "stand"]);
        assert_eq!([many.matches(">H<").count(), many.matches(">S<").count()], [72, 72]);
        assert!(many.contains(">H: hit<") && many.contains(">S: stand<"));
        // Two that begin alike.
        assert!(answers(12, ["stand", "split"]).contains(">B: split<"));
    }

    #[test]
    fn cells_of_words_alone_have_no_colour() {
        let mut heat = heat(2, |_, column| column as f64);
        heat.panels[0].cells[1][1] = Some(Heated { words: "never".into(), ..Heated::default() });
        assert_eq!(said(&heat), ["0", "1", "0", "never"]);
        let text = draw(&heat, 400.0).body.into_string();
        assert!(text.contains(">never</text>"));
        // One stroke of a cell above, and none below.
        assert_eq!(text.matches("M1 0.5h1").count() + text.matches("M1 1.5h1").count(), 1);
    }

    #[test]
    fn a_scale_with_a_middle_has_two_even_ends() {
        let mut heat = heat(2, |row, column| (row * 2 + column) as f64 - 1.0);
        heat.middle = Some(0.0);
        let shades = Shades::of(&heat, [-1.0, 2.0]);
        assert_eq!(shades.domain, [-2.0, 2.0]);
        assert_eq!(shades.step(-2.0) + shades.step(2.0), STEPS - 1);
        // Its scale ends where the grid does.
        let text = draw(&heat, 400.0).body.into_string();
        assert!([">−1<", ">0<", ">2<"].iter().all(|label| text.contains(label)), "{text}");
        assert!(!text.contains(">−2<") && !text.contains(&hex(ramp(STEPS - 1, true))));
    }

    #[test]
    fn one_value_alone_has_a_colour() {
        assert!(draw(&heat(1, |_, _| 3.0), 400.0).height > 0.0);
    }

    #[test]
    fn every_cell_says_something() {
        let heat = heat(2, |row, column| (row + column) as f64);
        assert_eq!(said(&heat), ["0", "1", "1", "2"]);
        assert_eq!(named(&heat.x), ["x 0", "x 1"]);
    }
}
