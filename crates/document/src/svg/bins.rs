//! Histograms.

use std::fmt::Write as _;

use maud::{Markup, html};

use super::drawing::{Drawing, Marks, Spot, is_narrow, nothing, said};
use super::frame::{self, Frame, LINE, Rules, path};
use super::legend::{Key, Legend, class};
use super::number::{self, place};
use super::scale::{Scale, Tick, extent, nice};
use crate::chart::{Bin, Bins};

/// Draws a histogram.
pub(super) fn draw(bins: &Bins, width: f64) -> Drawing {
    let all = || bins.series.iter().flat_map(|(_, bars)| bars);
    let ends = extent(all().flat_map(|bin| edges(bin, bins)));
    let tops = extent(all().flat_map(|bin| [bin.value, bin.interval.map_or(0.0, |[_, high]| high), 0.0]));
    let (Some(ends), Some(tops)) = (ends, tops) else { return nothing(width) };

    let legend = Legend::of(names(bins), width);
    let height = if is_narrow(width) { 200.0 } else { 270.0 };
    let domain = nice([0.0, if tops[1] > 0.0 { tops[1] } else { 1.0 }], frame::most(height, 55.0));
    let y_ticks = frame::y_ticks(&bins.y, domain, height);
    let left = frame::widest(y_ticks.iter().map(|tick| tick.label.as_str())) + 10.0;
    let x = Scale { domain: ends, range: [left, width - 6.0] };
    let rules = Rules::of(&bins.marks, &bins.x, &x, width);
    let top = legend.height + LINE + 12.0 + rules.height;
    let frame = Frame { left, right: width - 6.0, top, bottom: top + height, width };
    let y = Scale { domain, range: [frame.bottom, frame.top] };

    let body = html! {
        (legend.draw(0.0))
        (frame.y(&bins.y, &y, &y_ticks, legend.height + 13.0))
        @for (at, (_, bars)) in bins.series.iter().enumerate() {
            (series(bins, at, bars, &x, &y))
        }
        (frame.base())
        (frame.x(&bins.x, &x, &x_ticks(bins, &x, width)))
        (rules.draw(&frame))
    };
    Drawing { width, height: frame.bottom + frame::below(&bins.x), body, marks: marks(bins, &x, &frame) }
}

/// The names of several series: the first is filled, the others are outlines.
fn names(bins: &Bins) -> Vec<(Key, String)> {
    let key = |at: usize| if at == 0 { Key::Pale(0) } else { Key::Line(at) };
    match bins.series.len() {
        0 | 1 => Vec::new(),
        _ => bins.series.iter().enumerate().map(|(at, (name, _))| (key(at), name.clone())).collect(),
    }
}

/// From where to where a bar stands: half a step beyond its whole numbers. A bar without end is as wide as the one before.
fn edges(bin: &Bin, bins: &Bins) -> [f64; 2] {
    let to = if bin.to.is_finite() {
        bin.to
    } else {
        let before = bins.series.iter().flat_map(|(_, bars)| bars).rfind(|other| other.to.is_finite());
        bin.from + before.map_or(0.0, |other| other.to - other.from)
    };
    [bin.from - 0.5, to + 0.5]
}

/// Round numbers, and the beginning of a bar without end.
fn x_ticks(bins: &Bins, x: &Scale, width: f64) -> Vec<Tick> {
    let mut ticks = frame::x_ticks(&bins.x, x, width, true);
    let open = bins.series.iter().flat_map(|(_, bars)| bars).find(|bin| bin.to.is_infinite());
    if let Some(open) = open {
        let [from, to] = edges(open, bins);
        let last = Tick { value: 0.5 * (from + to), label: format!("≥ {}", number::plain(open.from)) };
        ticks.retain(|tick| tick.value < from && frame::has_room(&[tick.clone(), last.clone()], x, width));
        ticks.push(last);
    }
    ticks
}

fn series(bins: &Bins, at: usize, bars: &[Bin], x: &Scale, y: &Scale) -> Markup {
    let base = y.at(0.0);
    let mut d = String::new();
    let mut whiskers = String::new();
    let mut end = f64::NEG_INFINITY;
    for bin in bars {
        let [from, to] = edges(bin, bins).map(|edge| x.at(edge));
        let top = y.at(bin.value);
        if at == 0 && to - from > 5.0 {
            if base - top > 0.05 {
                let (from, to) = (place(from + 0.5), place(to - 0.5));
                let _ = write!(d, "M{from} {}V{}H{to}V{}z", place(base), place(top), place(base));
            }
        } else {
            // Narrow bars and outlines are one line over all that touch.
            if from > end + 0.2 {
                let back = if d.is_empty() { String::new() } else { format!("V{}", place(base)) };
                let _ = write!(d, "{back}M{} {}", place(from), place(base));
            }
            let _ = write!(d, "V{}H{}", place(top), place(to));
            end = to;
        }
        if let Some([low, high]) = bin.interval
            && to - from >= 4.0
            && y.at(low) - y.at(high) > 3.0
        {
            let _ =
                write!(whiskers, "M{} {}V{}", place(0.5 * (from + to)), place(y.at(low)), place(y.at(high)));
        }
    }
    if end.is_finite() {
        let _ = write!(d, "V{}", place(base));
    }
    let opacity = (bins.series.len() > 1).then_some(".55");
    html! {
        @if at == 0 {
            path d=(d) class=(class('f', at)) fill-opacity=[opacity] {}
        } @else {
            (path(&d, &format!("l {}", class('s', at))))
        }
        (path(&whiskers, "w"))
    }
}

/// A mark for every range, with the values of all series there.
fn marks(bins: &Bins, x: &Scale, frame: &Frame) -> Marks {
    let mut ranges: Vec<&Bin> = Vec::new();
    for bin in bins.series.iter().flat_map(|(_, bars)| bars) {
        if !ranges.iter().any(|other| other.from == bin.from && other.to == bin.to) {
            ranges.push(bin);
        }
    }
    ranges.sort_by(|a, b| a.from.total_cmp(&b.from).then(a.to.total_cmp(&b.to)));
    let spot = |range: &&Bin| {
        let [from, to] = edges(range, bins).map(|edge| x.at(edge));
        let values: Vec<_> = bins
            .series
            .iter()
            .filter_map(|(name, bars)| {
                let bin = bars.iter().find(|bin| bin.from == range.from && bin.to == range.to)?;
                let value = said(&bins.y, bin.value, bin.interval);
                Some(if name.is_empty() || bins.series.len() == 1 {
                    value
                } else {
                    format!("{name} {value}")
                })
            })
            .collect();
        Spot {
            words: format!("{}: {}", range_words(bins, range), values.join("; ")),
            place: [from, frame.top, to - from, frame.bottom - frame.top],
            points: Vec::new(),
        }
    };
    Marks::Spots(vec![ranges.iter().map(spot).collect()])
}

/// A range in words, with its unit.
fn range_words(bins: &Bins, bin: &Bin) -> String {
    let unit = if bins.x.unit.is_empty() { String::new() } else { format!(" {}", bins.x.unit) };
    range(bins, bin, &unit)
}

/// A range in words.
pub(crate) fn range(bins: &Bins, bin: &Bin, unit: &str) -> String {
    let [from, to] = [bin.from, bin.to].map(|value| number::shown(&bins.x, value));
    if bin.to.is_infinite() {
        format!("{from}{unit} or more")
    } else if bin.from == bin.to {
        format!("{from}{unit}")
    } else {
        format!("{from} to {to}{unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::Axis;

    /// The last label, of the bar without end, is long and moved inwards.
    #[test]
    fn the_last_label_stands_apart() {
        for width in [320.0, 368.0, 400.0, 768.0] {
            for step in [1.0, 20.0, 500.0, 100_000.0] {
                for count in [2, 7, 41] {
                    let bin = |at: i32| Bin {
                        from: step * f64::from(at),
                        to: if at + 1 == count { f64::INFINITY } else { step * f64::from(at + 1) - 1.0 },
                        value: 0.1,
                        interval: None,
                    };
                    let bins = Bins {
                        x: Axis::of("score", "points"),
                        series: vec![(String::new(), (0..count).map(bin).collect())],
                        ..Bins::default()
                    };
                    let ends = [-0.5, step * f64::from(count) - 0.5];
                    let x = Scale { domain: ends, range: [45.0, width - 6.0] };
                    let ticks = x_ticks(&bins, &x, width);
                    assert!(
                        ticks.len() > 1 && frame::has_room(&ticks, &x, width),
                        "{width} {step} {count}: {ticks:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn two_series_share_their_marks() {
        let bin = |from: f64, to: f64, value| Bin { from, to, value, interval: None };
        let series = |values: [f64; 2]| vec![bin(0.0, 4.0, values[0]), bin(5.0, f64::INFINITY, values[1])];
        let bins = Bins {
            x: Axis::of("score", "points"),
            y: Axis::share("share"),
            series: vec![("a".into(), series([0.75, 0.25])), ("b".into(), series([0.5, 0.5]))],
            marks: Vec::new(),
        };
        let drawing = draw(&bins, 400.0);
        let Marks::Spots(rows) = drawing.marks else { panic!("no grid") };
        let words: Vec<_> = rows[0].iter().map(|spot| spot.words.as_str()).collect();
        assert_eq!(words, ["0 to 4 points: a 75.00 %; b 50.00 %", "5 points or more: a 25.00 %; b 50.00 %"]);
        let [[x0, _, w0, _], [x1, _, w1, _]] = [rows[0][0].place, rows[0][1].place];
        assert!(
            (x0 + w0 - x1).abs() < 1e-6 && (w0 - w1).abs() < 1e-6,
            "the open bar is as wide as the other"
        );
    }
}
