//! Colours on a grid.
//!
//! Cells of one colour in a row are one stroke of one path a colour, in units of cells, so that a grid of 100 × 100 is some
//! ten thousand bytes.

use std::fmt::Write as _;

use maud::{Markup, html};

use super::colour::{self, STEPS};
use super::frame::{self, Anchor, LINE, SIZE, path, text};
use super::number::{self, place};
use super::scale::{self, Scale, extent};
use super::{Drawing, Marks, tone, words};
use crate::chart::{Axis, Heat, Heated, Panel, Tone};

/// Between panels.
const GAP: f64 = 28.0;

/// The greatest height of the cells of a panel.
const TALLEST: f64 = 520.0;

/// Draws a grid, or several.
pub(super) fn draw(heat: &Heat, width: f64) -> Drawing {
    let values = heat.panels.iter().flat_map(|panel| panel.cells.iter().flatten().flatten());
    let Some(ends) = extent(values.map(|cell| cell.value)) else { return super::nothing(width) };
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
    let body = html! {
        @for panel in &drawn { (panel) }
        (shades.scale(heat, layout.left.min(0.4 * width), bottom + 16.0, width))
    };
    Drawing { width, height: bottom + 16.0 + 2.0 * LINE + 18.0, body, marks: Marks::Grids(grids) }
}

/// From values to steps of a ramp.
struct Shades {
    domain: [f64; 2],
    has_two_ends: bool,
    /// Whether low values have the colours of high ones: the good ones are yellow, or blue on a scale with two ends.
    is_turned: bool,
    places: usize,
}

impl Shades {
    fn of(heat: &Heat, [low, high]: [f64; 2]) -> Self {
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

    fn step(&self, value: f64) -> usize {
        let [low, high] = self.domain;
        if high <= low {
            return STEPS / 2;
        }
        number::count((value - low) / (high - low) * STEPS as f64).min(STEPS - 1)
    }

    fn colour(&self, step: usize) -> [u8; 3] {
        colour::ramp(if self.is_turned { STEPS - 1 - step } else { step }, self.has_two_ends)
    }

    /// What stands in a cell.
    fn text(&self, heat: &Heat, cell: &Heated) -> String {
        let value = if heat.value.is_share { 100.0 * cell.value } else { cell.value };
        let sign = match cell.tone {
            Tone::Plain => "",
            Tone::Best => "*",
            Tone::Possible => "≈",
            Tone::Bad => "-",
        };
        match number::level(&heat.value, cell.value) {
            Some(name) => format!("{name}{sign}"),
            None => format!("{}{sign}", number::decimals(value, self.places)),
        }
    }

    /// The scale of the colours, with its ticks.
    fn scale(&self, heat: &Heat, left: f64, top: f64, width: f64) -> Markup {
        let room = (width - left - 40.0).clamp(120.0, 300.0);
        let each = room / STEPS as f64;
        let x = Scale { domain: self.domain, range: [left, left + room] };
        let ticks = match heat.value.levels.is_empty() {
            true => scale::ticks(&heat.value, self.domain, if room > 240.0 { 4 } else { 3 }, false),
            false => frame::x_ticks(&heat.value, &x, false),
        };
        let title = words::shortened(&frame::title(&heat.value), SIZE, width - left);
        html! {
            (text(left, top + 12.0, Anchor::Start, "t", &title))
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

/// Where panels and cells stand.
struct Layout {
    /// Columns and rows of cells.
    size: [usize; 2],
    /// Width and height of a cell.
    cell: [f64; 2],
    /// Room for the names of rows.
    left: f64,
    /// The width of a panel.
    panel: f64,
    /// Panels side by side.
    across: usize,
    has_title: bool,
    has_numbers: bool,
}

impl Layout {
    fn of(heat: &Heat, shades: &Shades, width: f64) -> Self {
        let columns =
            heat.panels.iter().flat_map(|panel| panel.cells.iter().map(Vec::len)).max().unwrap_or(0).max(1);
        let rows = heat.panels.iter().map(|panel| panel.cells.len()).max().unwrap_or(0).max(1);
        let cells = heat.panels.iter().flat_map(|panel| panel.cells.iter().flatten().flatten());
        let number = match columns <= 24 && rows <= 60 {
            true => cells.map(|cell| words::width(&shades.text(heat, cell), SIZE)).fold(0.0, f64::max) + 8.0,
            false => f64::INFINITY,
        };
        let names = frame::widest(heat.y.levels.iter().map(String::as_str));
        let left = (names.max(words::width(&heat.y.title, SIZE)) + 10.0).min(0.34 * width);
        let least = if number.is_finite() { number.max(20.0) } else { 3.0 };
        // As many panels side by side as have room for their numbers, or for a picture at all.
        let wanted = (left + least * columns as f64).max(150.0);
        let across = number::count((width + GAP) / (wanted + GAP)).clamp(1, heat.panels.len().max(1));
        let room = (width - GAP * (across - 1) as f64) / across as f64;
        // Wide enough for the names of columns, but no wider than a table would be.
        let widest = frame::widest(heat.x.levels.iter().map(String::as_str)) + 14.0;
        let cell = ((room - left) / columns as f64).clamp(1.0, widest.clamp(76.0, 150.0));
        let has_numbers = cell >= number;
        let tall = if has_numbers { 28.0 } else { cell.min(28.0) };
        let tall = tall.min(TALLEST / rows as f64).max(2.0);
        Self {
            size: [columns, rows],
            cell: [cell, tall],
            left,
            panel: left + cell * columns as f64,
            across,
            has_title: heat.panels.iter().any(|panel| !panel.title.is_empty()),
            has_numbers: has_numbers && tall >= 17.0,
        }
    }

    /// The height above the cells.
    fn head(&self) -> f64 {
        2.0 * LINE + 4.0 + if self.has_title { LINE + 4.0 } else { 0.0 }
    }

    fn height(&self) -> f64 {
        self.head() + self.cell[1] * self.size[1] as f64
    }
}

fn one(heat: &Heat, panel: &Panel, shades: &Shades, layout: &Layout, [x, y]: [f64; 2]) -> Markup {
    let [wide, tall] = layout.cell;
    let columns = layout.size[0];
    let (left, top) = (x + layout.left, y + layout.head());
    let scale = Scale { domain: [-0.5, columns as f64 - 0.5], range: [left, left + wide * columns as f64] };
    let levels = frame::levels(&heat.y);
    let names = frame::thinned(&levels, |some| {
        some.windows(2).all(|pair| (pair[1].value - pair[0].value) * tall >= 15.0)
    });
    let transform = format!("translate({} {}) scale({wide:.3} {tall:.3})", place(left), place(top));
    html! {
        @if layout.has_title { (text(x, y + 13.0, Anchor::Start, "b", &words::shortened(&panel.title, SIZE * frame::BOLD, layout.panel))) }
        (text(left, top - LINE - 8.0, Anchor::Start, "t", &words::shortened(&frame::title(&heat.x), SIZE, wide * columns as f64)))
        (text(x, top - 8.0, Anchor::Start, "t", &words::shortened(&frame::title(&heat.y), SIZE, layout.left - 8.0)))
        @for tick in frame::x_ticks(&heat.x, &scale, false) {
            (text(scale.at(tick.value), top - 8.0, Anchor::Middle, "", &tick.label))
        }
        @for tick in &names {
            (text(left - 8.0, top + tall * (tick.value + 0.5) + 4.5, Anchor::End, "",
                &words::shortened(&tick.label, SIZE, layout.left - 8.0)))
        }
        g transform=(transform) shape-rendering="crispEdges" {
            @for (step, d) in runs(panel, shades).iter().enumerate() {
                @if !d.is_empty() { path d=(d) stroke=(colour::hex(shades.colour(step))) {} }
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
    for (row, cells) in panel.cells.iter().enumerate() {
        let mut at = 0;
        while at < cells.len() {
            let step = cells[at].as_ref().map(|cell| shades.step(cell.value));
            let mut end = at + 1;
            while end < cells.len() && cells[end].as_ref().map(|cell| shades.step(cell.value)) == step {
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

/// A dot where nothing was measured.
fn unknown(panel: &Panel, layout: &Layout, left: f64, top: f64) -> Markup {
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
fn signs(heat: &Heat, panel: &Panel, shades: &Shades, layout: &Layout, left: f64, top: f64) -> Markup {
    let [wide, tall] = layout.cell;
    let cells = panel.cells.iter().enumerate().flat_map(|(row, cells)| {
        let cells = cells.iter().enumerate();
        cells.filter_map(move |(column, cell)| Some((column, row, cell.as_ref()?)))
    });
    html! {
        @for (column, row, cell) in cells {
            @let (x, y) = (left + wide * column as f64, top + tall * row as f64);
            @let ink = colour::ink(shades.colour(shades.step(cell.value)));
            @if cell.tone == Tone::Best {
                rect x=(place(x + 1.0)) y=(place(y + 1.0)) width=(place(wide - 2.0)) height=(place(tall - 2.0)) fill="none" stroke=(ink)
                    stroke-width=(if wide > 14.0 { "2.5" } else { "1.5" }) {}
            }
            @if layout.has_numbers {
                text x=(place(x + 0.5 * wide)) y=(place(y + 0.5 * tall + 4.5)) text-anchor="middle" style=(format!("fill:{ink}")) {
                    (shades.text(heat, cell))
                }
            } @else if cell.tone == Tone::Possible && wide >= 5.0 {
                circle cx=(place(x + 0.5 * wide)) cy=(place(y + 0.5 * tall)) r=(if wide > 12.0 { "2.5" } else { "1.5" }) fill=(ink) {}
            } @else if cell.tone == Tone::Bad && wide >= 7.0 {
                path d=(format!("M{} {}h{}", place(x + 0.5 * wide - 2.5), place(y + 0.5 * tall), "5")) stroke=(ink) {}
            }
        }
    }
}

/// What every cell says, panel by panel and row by row; empty where nothing was measured.
pub(crate) fn said(heat: &Heat) -> Vec<String> {
    // The unit ten thousand times would be a quarter of the page; it stands at the scale.
    let is_large = heat.panels.iter().flat_map(|panel| &panel.cells).map(Vec::len).sum::<usize>() > 2_000;
    let of = |cell: &Option<Heated>| match cell {
        None => String::new(),
        Some(cell) => {
            let value = match cell.interval {
                None if is_large => number::shown(&heat.value, cell.value),
                interval => super::said(&heat.value, cell.value, interval),
            };
            let tone = tone::words(cell.tone, false);
            if tone.is_empty() { value } else { format!("{value}, {tone}") }
        }
    };
    heat.panels.iter().flat_map(|panel| panel.cells.iter().flatten().map(of)).collect()
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
    use super::*;

    fn heat(size: usize, value: impl Fn(usize, usize) -> f64) -> Heat {
        let names: Vec<_> = (0..size).map(|at| at.to_string()).collect();
        let cell =
            |row, column| Some(Heated { value: value(row, column), interval: None, tone: Tone::Plain });
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

    #[test]
    fn a_scale_with_a_middle_has_two_even_ends() {
        let mut heat = heat(2, |row, column| (row * 2 + column) as f64 - 1.0);
        heat.middle = Some(0.0);
        let shades = Shades::of(&heat, [-1.0, 2.0]);
        assert_eq!(shades.domain, [-2.0, 2.0]);
        assert_eq!(shades.step(-2.0) + shades.step(2.0), STEPS - 1);
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
