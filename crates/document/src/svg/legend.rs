//! What colours and shapes stand for, in lines above a chart.

use maud::{Markup, html};

use super::frame::{Anchor, LINE, SIZE, text};
use super::number::place;
use super::tone;
use super::words;
use crate::chart::Tone;

/// What is drawn before a name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Key {
    /// A filled square of a category.
    Fill(usize),
    /// The same, paler.
    Pale(usize),
    /// A line of a category.
    Line(usize),
    /// The shape of a point.
    Point(Tone),
    /// The shade of a range that is wished for.
    Wish,
}

/// Entries in as many lines as they need.
pub(crate) struct Legend {
    entries: Vec<(Key, String, f64, usize)>,
    /// In pixels; nothing without entries.
    pub(crate) height: f64,
}

/// The room of a key.
const KEY: f64 = 20.0;

impl Legend {
    /// Places the entries from left to right.
    pub(crate) fn of(entries: impl IntoIterator<Item = (Key, String)>, width: f64) -> Self {
        let (mut x, mut row) = (0.0, 0);
        let mut placed = Vec::new();
        let entries: Vec<_> = entries.into_iter().collect();
        let names: Vec<_> = entries.iter().map(|(_, name)| name.as_str()).collect();
        for (key, name) in &entries {
            let name = words::told_apart(name, &names, SIZE, width - KEY);
            let need = KEY + words::width(&name, SIZE);
            if x > 0.0 && x + need > width {
                (x, row) = (0.0, row + 1);
            }
            placed.push((*key, name, x, row));
            x += need + 16.0;
        }
        let height = if placed.is_empty() { 0.0 } else { (row + 1) as f64 * LINE + 9.0 };
        Self { entries: placed, height }
    }

    /// Draws it below `top`.
    pub(crate) fn draw(&self, top: f64) -> Markup {
        html! {
            @for (key, name, x, row) in &self.entries {
                (swatch(*key, *x, top + LINE * *row as f64 + 9.0))
                (text(x + KEY, top + LINE * *row as f64 + 13.5, Anchor::Start, "", name))
            }
        }
    }
}

/// The class of a category: `f` fills, `s` strokes, `o` is what can be read on it.
pub(crate) fn class(kind: char, category: usize) -> String {
    format!("{kind}{}", category % super::colour::CATEGORIES)
}

/// The dashes of a line: colours begin again after a while.
pub(crate) fn dash(category: usize) -> Option<&'static str> {
    (category >= super::colour::CATEGORIES).then_some("5 3")
}

fn swatch(key: Key, x: f64, y: f64) -> Markup {
    let rect = |class: &str, opacity: Option<&str>| {
        html! { rect x=(place(x)) y=(place(y - 6.0)) width="13" height="12" class=(class) fill-opacity=[opacity] {} }
    };
    match key {
        Key::Fill(category) => rect(&class('f', category), None),
        Key::Pale(category) => rect(&class('f', category), Some(".55")),
        Key::Line(category) => {
            let class = format!("l {}", class('s', category));
            html! { path d=(format!("M{} {}h14", place(x), place(y))) class=(class) stroke-dasharray=[dash(category)] {} }
        }
        Key::Point(tone) => tone::shape(tone, x + 7.0, y, "f0"),
        Key::Wish => rect("wish", None),
    }
}
