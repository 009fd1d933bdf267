//! A value and its interval a row.

use maud::{Markup, html};

use super::drawing::{Drawing, Marks, Spot, nothing, said};
use super::frame::{self, Anchor, BOLD, Frame, LINE, Rules, SIZE, path, text};
use super::legend::{Key, Legend};
use super::number::{self, place};
use super::rows::Rows;
use super::scale::{Scale, extent, nice};
use super::tone::{self, About};
use super::words::shortened;
use crate::chart::{Intervals, Mark, Row};

/// The height of a row's strip.
const STRIP: f64 = 27.0;

/// Draws rows of intervals.
pub(super) fn draw(intervals: &Intervals, width: f64) -> Drawing {
    let Some(ends) = ends(intervals) else { return nothing(width) };
    let notes: Vec<_> = intervals.rows.iter().map(|row| note(intervals, row)).collect();
    let names = intervals.rows.iter().map(|row| row.label.as_str());
    let rows = Rows::of(width, names, notes.iter().map(String::as_str));

    let domain = nice(ends, frame::most(rows.right - rows.left, 90.0));
    let domain = if intervals.x.is_share && ends[0] >= 0.0 {
        [domain[0].max(0.0), domain[1].min(1.0)]
    } else {
        domain
    };
    let x = Scale { domain, range: [rows.left, rows.right] };
    let reference: Vec<Mark> = intervals.reference.iter().cloned().collect();
    let rules = Rules::bare(&reference, &x, width);
    let legend = Legend::of(key(intervals), width);
    let top = legend.height + rules.height + 4.0;

    // Where every row begins, and the name of its group if it is the first of it.
    let mut y = top;
    let mut places = Vec::new();
    let mut group = "";
    for row in &intervals.rows {
        let title = (row.group != group && !row.group.is_empty()).then_some(row.group.as_str());
        group = &row.group;
        if title.is_some() {
            y += if y > top { LINE + 14.0 } else { LINE + 4.0 };
        }
        places.push((y, title));
        y += rows.line() + STRIP;
    }
    let frame = Frame { left: rows.left, right: rows.right, top, bottom: y + 4.0, width };
    let ticks = frame::x_ticks(&intervals.x, &x, width, false);
    let grid: String = ticks.iter().map(|tick| frame.up(x.at(tick.value), frame.top)).collect();

    let body = html! {
        (legend.draw(0.0))
        (path(&grid, "g"))
        @for (row, (y, _)) in intervals.rows.iter().zip(&places) {
            @if let Some(span) = wish(row, &x) { (shade(span, y + rows.line())) }
        }
        (rules.draw(&frame))
        @for (y, title) in &places {
            @if let Some(title) = title {
                (text(0.0, y - 5.0, Anchor::Start, "b halo", &shortened(title, SIZE * BOLD, width)))
            }
        }
        @for ((row, note), (y, _)) in intervals.rows.iter().zip(&notes).zip(&places) {
            (rows.draw(&row.label, note, *y, y + rows.line() + 0.5 * STRIP))
            (one(row, &x, y + rows.line() + 0.5 * STRIP))
        }
        (frame.base())
        (frame.x(&intervals.x, &x, &ticks))
    };
    let spots = intervals.rows.iter().zip(&places).map(|(row, (y, _))| {
        let strip = [0.0, *y, width, rows.line() + STRIP];
        let points = row.value.iter().map(|value| [x.at(*value), y + rows.line() + 0.5 * STRIP]).collect();
        vec![Spot { words: words(intervals, row), place: strip, points }]
    });
    Drawing {
        width,
        height: frame.bottom + frame::below(&intervals.x),
        marks: Marks::Spots(spots.collect()),
        body,
    }
}

/// The part of a picture that a wish without an end has for itself at least.
const OPEN: f64 = 0.12;

/// All that must be seen.
fn ends(intervals: &Intervals) -> Option<[f64; 2]> {
    let of = |row: &Row| {
        let wish = row.wish.into_iter().flatten().flatten();
        let interval = row.interval.into_iter().flatten();
        row.value.into_iter().chain(interval).chain(wish).collect::<Vec<_>>()
    };
    let reference = intervals.reference.iter().map(|mark| mark.at);
    let [low, high] = extent(intervals.rows.iter().flat_map(of).chain(reference))?;
    // Of a wish without an end something is seen beyond its beginning.
    let more = OPEN * (high - low);
    let open = |row: &Row| match row.wish {
        Some([Some(bound), None]) => Some(bound + more),
        Some([None, Some(bound)]) if low >= 0.0 => Some((bound - more).max(0.0)),
        Some([None, Some(bound)]) => Some(bound - more),
        _ => None,
    };
    extent(intervals.rows.iter().filter_map(open).chain([low, high]))
}

/// What stands on the right: the row's note, or its value where no row has a note.
fn note(intervals: &Intervals, row: &Row) -> String {
    if intervals.rows.iter().any(|row| !row.note.is_empty()) {
        return row.note.clone();
    }
    row.value.map_or_else(|| "not measured".to_owned(), |value| number::shown(&intervals.x, value))
}

/// What shapes and shades mean.
fn key(intervals: &Intervals) -> Vec<(Key, String)> {
    let is_wished = intervals.rows.iter().any(|row| row.wish.is_some());
    let used = tone::used(intervals.rows.iter().map(|row| row.tone));
    let about = if is_wished { About::Wish } else { About::Best };
    let shapes = used.into_iter().map(|tone| (Key::Point(tone), tone::words(tone, about).to_owned()));
    let shade = is_wished.then(|| (Key::Wish, "wished for".to_owned()));
    shapes.chain(shade).collect()
}

/// What the tone of a row tells.
pub(crate) fn wished(row: &Row) -> About {
    if row.wish.is_some() { About::Wish } else { About::Best }
}

/// The range that is wished for, in pixels.
fn wish(row: &Row, x: &Scale) -> Option<[f64; 2]> {
    let [low, high] = row.wish?;
    Some([low.map_or(x.range[0], |low| x.at(low)), high.map_or(x.range[1], |high| x.at(high))])
}

fn shade([from, to]: [f64; 2], top: f64) -> Markup {
    // A wish for one value is seen as well.
    let (from, to) = if to - from < 3.0 { (from - 1.5, to + 1.5) } else { (from, to) };
    html! {
        rect x=(place(from)) y=(place(top + 3.0)) width=(place(to - from)) height=(place(STRIP - 6.0)) class="wish" {}
    }
}

fn one(row: &Row, x: &Scale, y: f64) -> Markup {
    html! {
        @if let Some([low, high]) = row.interval {
            path d=(format!("M{} {}H{}", place(x.at(low)), place(y), place(x.at(high)))) class=(tone::stroke(row.tone))
                stroke-width="2" stroke-opacity=".7" fill="none" {}
        }
        @if let Some(value) = row.value { (tone::shape(row.tone, x.at(value), y, "f0")) }
    }
}

/// A row in words.
fn words(intervals: &Intervals, row: &Row) -> String {
    let name = if row.group.is_empty() { row.label.clone() } else { format!("{}, {}", row.group, row.label) };
    let value = match row.value {
        Some(value) => said(&intervals.x, value, row.interval),
        None => "not measured".to_owned(),
    };
    let mut out = format!("{name}: {value}");
    let tone = tone::words(row.tone, wished(row));
    for more in [wish_words(intervals, row), tone.to_owned(), row.note.clone()] {
        if !more.is_empty() {
            out.push_str("; ");
            out.push_str(&more);
        }
    }
    out
}

/// The range that is wished for, in words.
pub(crate) fn wish_words(intervals: &Intervals, row: &Row) -> String {
    let shown = |value| number::with_unit(&intervals.x, value);
    match row.wish {
        None | Some([None, None]) => String::new(),
        Some([Some(low), None]) => format!("wished: at least {}", shown(low)),
        Some([None, Some(high)]) => format!("wished: at most {}", shown(high)),
        Some([Some(low), Some(high)]) => {
            format!("wished: {} to {}", number::shown(&intervals.x, low), shown(high))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{Axis, Tone};

    #[test]
    fn a_row_in_words() {
        let row = Row {
            label: "turns".into(),
            group: "Length".into(),
            value: Some(9.5),
            interval: Some([9.4, 9.6]),
            wish: Some([None, Some(10.0)]),
            tone: Tone::Best,
            note: String::new(),
        };
        let unknown = Row { label: "rolls".into(), ..Row::default() };
        let intervals = Intervals { x: Axis::of("", "turns"), rows: vec![row, unknown], reference: None };
        let Marks::Spots(rows) = draw(&intervals, 360.0).marks else { panic!("no grid") };
        assert_eq!(
            rows[0][0].words,
            "Length, turns: 9.500 turns (9.400 to 9.600); wished: at most 10 turns; passes"
        );
        assert_eq!(rows[1][0].words, "rolls: not measured");
    }
}
