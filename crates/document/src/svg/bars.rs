//! Bars a row.

use maud::{Markup, html};

use super::drawing::{Drawing, Marks, Spot, nothing};
use super::frame::{self, Anchor, Frame, SIZE, path, text};
use super::legend::{Key, Legend, class};
use super::number::{self, place};
use super::rows::Rows;
use super::scale::{Scale, Tick, extent, nice};
use super::words;
use crate::chart::Bars;

/// Draws bars.
pub(super) fn draw(bars: &Bars, width: f64) -> Drawing {
    let lengths = bars.rows.iter().flat_map(|(_, values)| {
        let values: Vec<_> = values.iter().flatten().copied().collect();
        if bars.is_stacked { vec![values.iter().sum()] } else { values }
    });
    let Some([low, high]) = extent(lengths) else { return nothing(width) };

    let legend = match bars.parts.len() {
        0 | 1 => Legend::of([], width),
        _ => Legend::of(
            bars.parts.iter().enumerate().map(|(at, part)| (Key::Fill(colour(bars, at)), part.clone())),
            width,
        ),
    };
    // Values stand at the ends of bars: there is room for them beyond the longest.
    let shown: Vec<_> = bars
        .rows
        .iter()
        .flat_map(|(_, values)| values.iter().flatten().map(|value| shown(bars, *value)))
        .collect();
    let room = if bars.is_stacked { 0.0 } else { frame::widest(shown.iter().map(String::as_str)) + 8.0 };
    let mut rows = Rows::of(width, bars.rows.iter().map(|(name, _)| name.as_str()), []);
    if rows.is_above {
        // Bars have no points that would stand out at the edge.
        rows.left = 1.0;
    }
    rows.right -= room;
    let begin = rows.left + if low < 0.0 { room } else { 0.0 };
    let [low, high] = [low.min(0.0), high.max(0.0)];
    // Rounded shares of a whole may miss it by a hair.
    let is_whole = bars.is_stacked && bars.x.is_share && (high - 1.0).abs() < 0.02;
    let high = if is_whole { 1.0 } else { high };
    let domain = match high > low {
        true => nice([low, high], frame::most(rows.right - begin, 90.0)),
        false => [low, low + 1.0],
    };
    let (x, ticks) = beyond(bars, Scale { domain, range: [begin, rows.right] }, high, width);

    let each = match (bars.is_stacked, bars.parts.len()) {
        (true, _) => 24.0,
        (false, 0 | 1) => 18.0,
        (false, _) => 15.0,
    };
    // Side by side, what a row does not have takes no place.
    let strip = |values: &[Option<f64>]| {
        let side_by_side = if bars.is_stacked { 1 } else { values.iter().flatten().count().max(1) };
        each * side_by_side as f64
    };
    let gap = rows.line() + if bars.parts.len() > 1 && !bars.is_stacked { 12.0 } else { 8.0 };
    let height: f64 = bars.rows.iter().map(|(_, values)| gap + strip(values)).sum();
    let top = legend.height + 2.0;
    let frame = Frame { left: rows.left, right: rows.right, top, bottom: top + height, width };
    let grid: String = ticks.iter().map(|tick| frame.up(x.at(tick.value), frame.top)).collect();

    let mut spots = Vec::new();
    let mut drawn = Vec::new();
    let mut below = top;
    for (name, values) in &bars.rows {
        let y = below + 3.0;
        below += gap + strip(values);
        drawn.push(rows.draw(name, "", y, y + rows.line() + 0.5 * strip(values)));
        let mut start = 0.0_f64;
        let mut row = Vec::new();
        for (part, value) in values.iter().enumerate() {
            let Some(value) = *value else { continue };
            let y = y + rows.line() + if bars.is_stacked { 0.0 } else { each * row.len() as f64 };
            let from = if bars.is_stacked { start } else { 0.0 };
            let [left, right] = [x.at(from.min(from + value)), x.at(from.max(from + value))];
            start += value;
            let part_name = bars.parts.get(part).filter(|_| bars.parts.len() > 1);
            let words = match part_name {
                Some(part) => format!("{name}, {part}: {}", number::with_unit(&bars.x, value)),
                None => format!("{name}: {}", number::with_unit(&bars.x, value)),
            };
            row.push(Spot { words, place: [left, y, right - left, each], points: Vec::new() });
            drawn.push(bar(bars, part, [left, right], y, each, value));
        }
        spots.push(row);
    }
    let zero = path(&frame.up(x.at(0.0), frame.top), "a");
    let body = html! {
        (legend.draw(0.0))
        (path(&grid, "g"))
        (zero)
        @for piece in &drawn { (piece) }
        (frame.x(&bars.x, &x, &ticks))
    };
    Drawing { width, height: frame.bottom + frame::below(&bars.x), body, marks: Marks::Spots(spots) }
}

/// The scale with its ticks, widened until the last of them is no less than the highest value: there may be room for fewer ticks
/// than those at which the scale ends.
fn beyond(bars: &Bars, mut scale: Scale, high: f64, width: f64) -> (Scale, Vec<Tick>) {
    loop {
        let ticks = frame::x_ticks(&bars.x, &scale, width, false);
        match ticks[..] {
            [.., ref one, ref last] if last.value < high * (1.0 - 1e-9) => {
                scale.domain[1] = last.value + (last.value - one.value);
            }
            _ => return (scale, ticks),
        }
    }
}

/// The colour of a part. What stands between two others, end to end, is neither of them: it is grey.
fn colour(bars: &Bars, part: usize) -> usize {
    match (bars.is_stacked && bars.parts.len() == 3, part) {
        (true, 1) => 6,
        (true, 2) => 1,
        _ => part,
    }
}

/// A value as it stands at a bar: with one decimal in per cent, which is what can be seen.
fn shown(bars: &Bars, value: f64) -> String {
    match bars.x.is_share && value >= 0.0005 {
        true => format!("{} %", number::decimals(100.0 * value, 1)),
        false => number::shown(&bars.x, value),
    }
}

/// A bar with its value, in it where parts stand end to end, else after it.
fn bar(bars: &Bars, part: usize, [left, right]: [f64; 2], y: f64, each: f64, value: f64) -> Markup {
    let height = if bars.is_stacked { each } else { each - 2.0 };
    let label = shown(bars, value);
    let fits = words::width(&label, SIZE) + 8.0 <= right - left;
    let middle = y + 0.5 * height + 4.5;
    // A line of the ground between parts.
    let end = if bars.is_stacked && right - left > 2.0 { right - 1.0 } else { right };
    html! {
        rect x=(place(left)) y=(place(y)) width=(place((end - left).max(0.0))) height=(place(height)) class=(class('f', colour(bars, part))) {}
        @if bars.is_stacked {
            @if fits { (text(0.5 * (left + right), middle, Anchor::Middle, &class('o', colour(bars, part)), &label)) }
        } @else if value < 0.0 {
            (text(left - 5.0, middle, Anchor::End, "halo", &label))
        } @else {
            (text(right + 5.0, middle, Anchor::Start, "halo", &label))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::Axis;

    #[test]
    fn parts_stand_end_to_end() {
        let bars = Bars {
            x: Axis::share("share"),
            parts: vec!["a".into(), "b".into()],
            rows: vec![("one".into(), vec![Some(0.25), Some(0.75)])],
            is_stacked: true,
        };
        let Marks::Spots(rows) = draw(&bars, 400.0).marks else { panic!("no grid") };
        let [a, b] = [rows[0][0].place, rows[0][1].place];
        assert!((a[0] + a[2] - b[0]).abs() < 1e-6 && (b[2] / a[2] - 3.0).abs() < 1e-6);
        assert_eq!(rows[0][1].words, "one, b: 75.00 %");
    }

    #[test]
    fn what_a_row_does_not_have_takes_no_place() {
        let bars = |values: Vec<Option<f64>>| Bars {
            parts: vec!["a".into(), "b".into(), "c".into()],
            rows: vec![("one".into(), values), ("two".into(), vec![Some(1.0); 3])],
            ..Bars::default()
        };
        let [all, last] = [vec![Some(1.0); 3], vec![None, None, Some(1.0)]].map(|values| {
            let drawing = draw(&bars(values), 400.0);
            let Marks::Spots(rows) = drawing.marks else { panic!("no grid") };
            (drawing.height, rows[0][0].place[1], rows[1][0].place[1], rows[0].len())
        });
        let each = (all.0 - last.0) / 2.0;
        assert!(each > 0.0 && (all.2 - last.2 - 2.0 * each).abs() < 1e-6);
        assert_eq!((all.1, all.3, last.3), (last.1, 3, 1));
    }

    #[test]
    fn the_last_tick_is_beyond_the_longest_bar() {
        let bars = |length: f64, name: &str| Bars {
            x: Axis::of("regret", "games"),
            parts: vec![String::new()],
            rows: vec![(name.into(), vec![Some(length)])],
            is_stacked: true,
        };
        for (length, name) in [0.041, 0.0399, 0.05, 7.3, 1234.5]
            .into_iter()
            .flat_map(|length| ["one", "hold:n=20, seat 2"].map(|name| (length, name)))
        {
            for width in [320.0, 360.0, 500.0, 760.0] {
                let drawing = draw(&bars(length, name), width);
                let Marks::Spots(rows) = &drawing.marks else { panic!("no grid") };
                let picture = drawing.body.into_string();
                // The marks of the ticks are the path of short strokes downwards.
                let strokes = picture
                    .split("v5")
                    .filter_map(|piece| piece.rsplit('M').next()?.split(' ').next()?.parse().ok());
                let last = strokes.fold(0.0, f64::max);
                let end = rows[0][0].place[0] + rows[0][0].place[2];
                assert!(last + 0.1 >= end, "{length} {width}: a tick at {last}, the bar up to {end}");
            }
        }
    }

    #[test]
    fn bars_begin_at_nothing() {
        let bars = Bars {
            parts: vec![String::new()],
            rows: vec![("one".into(), vec![Some(90.0)]), ("two".into(), vec![Some(100.0)])],
            ..Bars::default()
        };
        let Marks::Spots(rows) = draw(&bars, 400.0).marks else { panic!("no grid") };
        assert!((rows[0][0].place[2] / rows[1][0].place[2] - 0.9).abs() < 1e-6);
    }
}
