//! Lines over numbers or levels.

use std::fmt::Write as _;

use maud::{Markup, html};

use super::drawing::{Drawing, Marks, Spot, is_narrow, nothing, said};
use super::frame::{self, Anchor, Frame, LINE, Rules, path, text};
use super::labels;
use super::legend::{Key, Legend, class, dash};
use super::number::{self, place};
use super::scale::{Scale, extent, nice};
use super::tone::{self, About};
use crate::chart::{Line, Lines, Point, Tone};

/// The most places that can be pointed at: each is a sentence in the page, and arrow keys go through all.
const MOST: usize = 100;

/// Draws lines.
pub(super) fn draw(lines: &Lines, width: f64) -> Drawing {
    let points = || lines.series.iter().flat_map(|line| &line.points);
    let Some(xs) = extent(points().map(|point| point.x)) else { return nothing(width) };
    let ys = points().flat_map(|point| [point.y].into_iter().chain(point.interval.into_iter().flatten()));
    let Some(ys) = extent(ys.chain(lines.reference)) else { return nothing(width) };

    let height = if is_narrow(width) { 210.0 } else { 280.0 };
    let domain = domain(lines, ys, height);
    let y_ticks = frame::y_ticks(&lines.y, domain, height);
    let left = frame::widest(y_ticks.iter().map(|tick| tick.label.as_str())) + 10.0;
    let names: Vec<_> = lines.series.iter().map(|line| line.name.as_str()).collect();

    // Names stand at the ends of their lines where there is room, else above.
    let ends: Vec<_> =
        lines.series.iter().map(|line| line.points.last().map_or(0.0, |point| point.y)).collect();
    let unit = Scale { domain, range: [height, 0.0] };
    let wanted: Vec<_> = ends.iter().map(|y| unit.at(*y)).collect();
    let given = labels::spread(&wanted, LINE, [0.0, height]);
    let room = frame::widest(names.iter().copied()) + 20.0;
    let moved = wanted.iter().zip(&given).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let is_direct = names.len() > 1 && room < 0.28 * width && moved < 20.0;
    let legend = match names.len() > 1 && !is_direct {
        true => {
            Legend::of(names.iter().enumerate().map(|(at, name)| (Key::Line(at), (*name).to_owned())), width)
        }
        false => Legend::of([], width),
    };
    let right = width - if is_direct { room } else { 8.0 };
    let x = Scale { domain: x_domain(lines, xs), range: [left + inset(lines), right - inset(lines)] };
    let rules = Rules::of(&lines.marks, &lines.x, &x, width);
    let key = Legend::of(key(lines), width);
    let top = legend.height + key.height + LINE + 12.0 + rules.height;
    let frame = Frame { left, right, top, bottom: top + height, width };
    let y = Scale { domain, range: [frame.bottom, frame.top] };

    let body = html! {
        (legend.draw(0.0))
        (key.draw(legend.height))
        (frame.y(&lines.y, &y, &y_ticks, legend.height + key.height + 13.0))
        (frame.base())
        @if let Some(reference) = lines.reference { (frame.reference(y.at(reference))) }
        (frame.x(&lines.x, &x, &frame::x_ticks(&lines.x, &x, width, is_whole(lines))))
        (rules.draw(&frame))
        @for (at, line) in lines.series.iter().enumerate() { (band(at, line, &x, &y)) }
        @for (at, line) in lines.series.iter().enumerate() { (one(at, line, &x, &y)) }
        @if is_direct {
            @for (at, name) in names.iter().enumerate() {
                circle cx=(place(right + 9.0)) cy=(place(frame.top + given[at])) r="4" class=(class('f', at)) {}
                (text(right + 18.0, frame.top + given[at] + 4.5, Anchor::Start, "", name))
            }
        }
    };
    Drawing {
        width,
        height: frame.bottom + frame::below(&lines.x),
        body,
        marks: marks(lines, &x, &y, &frame),
    }
}

/// Room at both ends for points that would stand on the edge.
fn inset(lines: &Lines) -> f64 {
    if lines.series.iter().any(|line| line.points.len() <= 60 && !line.is_step) { 12.0 } else { 0.0 }
}

fn is_whole(lines: &Lines) -> bool {
    lines.series.iter().flat_map(|line| &line.points).all(|point| point.x.fract() == 0.0)
}

fn x_domain(lines: &Lines, xs: [f64; 2]) -> [f64; 2] {
    if !lines.x.levels.is_empty() {
        let last = (lines.x.levels.len() as f64 - 1.0).max(xs[1]);
        return [-0.3, last + 0.3];
    }
    if xs[0] == xs[1] { [xs[0] - 0.5, xs[0] + 0.5] } else { xs }
}

/// From nothing where that costs little room; shares stay from 0 to 1.
fn domain(lines: &Lines, [low, high]: [f64; 2], height: f64) -> [f64; 2] {
    let low = if low > 0.0 && low < 0.4 * high { 0.0 } else { low };
    // Of what is all but certain, less than one in a hundred is no picture.
    let low = if lines.y.is_share && high > 0.99 { low.min(high - 0.01) } else { low };
    let [from, to] = nice([low, high], frame::most(height, 55.0));
    let mut values = lines.series.iter().flat_map(|line| &line.points).map(|point| point.y);
    let is_share = lines.y.is_share && values.all(|y| (0.0..=1.0).contains(&y));
    if is_share { [from.max(0.0), to.min(1.0)] } else { [from, to] }
}

/// What the shapes of points mean.
fn key(lines: &Lines) -> Vec<(Key, String)> {
    let points = lines.series.iter().flat_map(|line| &line.points);
    let used = tone::used(points.map(|point| point.tone));
    used.into_iter().map(|tone| (Key::Point(tone), tone::words(tone, About::Best).to_owned())).collect()
}

fn band(at: usize, line: &Line, x: &Scale, y: &Scale) -> Markup {
    let with: Vec<_> = line.points.iter().filter_map(|point| Some((point.x, point.interval?))).collect();
    let mut d = String::new();
    for (x_value, [_, high]) in &with {
        let _ = write!(
            d,
            "{}{} {}",
            if d.is_empty() { 'M' } else { 'L' },
            place(x.at(*x_value)),
            place(y.at(*high))
        );
    }
    for (x_value, [low, _]) in with.iter().rev() {
        let _ = write!(d, "L{} {}", place(x.at(*x_value)), place(y.at(*low)));
    }
    let is_wide = with.iter().any(|(_, [low, high])| y.at(*low) - y.at(*high) > 0.5);
    html! { @if with.len() > 1 && is_wide { (path(&format!("{d}z"), &format!("band {}", class('f', at)))) } }
}

fn one(at: usize, line: &Line, x: &Scale, y: &Scale) -> Markup {
    let mut d = String::new();
    let mut last = f64::NEG_INFINITY;
    for (index, point) in line.points.iter().enumerate() {
        let (px, py) = (x.at(point.x), y.at(point.y));
        // What stands on the pixel of the point before cannot be seen, but for the last.
        if px - last < 0.8 && index + 1 < line.points.len() {
            continue;
        }
        last = px;
        let _ = match (d.is_empty(), line.is_step) {
            (true, _) => write!(d, "M{} {}", place(px), place(py)),
            (false, true) => write!(d, "H{}V{}", place(px), place(py)),
            (false, false) => write!(d, "L{} {}", place(px), place(py)),
        };
    }
    if line.is_step {
        let _ = write!(d, "H{}", place(x.range[1]));
    }
    let is_few = line.points.len() <= 40 && !line.is_step;
    html! {
        path d=(d) class=(format!("l {}", class('s', at))) stroke-dasharray=[dash(at)] {}
        @for point in &line.points {
            @if is_few || point.tone != Tone::Plain {
                (whisker(line, point, x, y))
                (tone::shape(point.tone, x.at(point.x), y.at(point.y), &class('f', at)))
            }
        }
    }
}

/// The interval of a point that has no neighbours for a band.
fn whisker(line: &Line, point: &Point, x: &Scale, y: &Scale) -> Markup {
    html! {
        @if let (Some([low, high]), 1) = (point.interval, line.points.len()) {
            (path(&format!("M{} {}V{}", place(x.at(point.x)), place(y.at(low)), place(y.at(high))), "w"))
        }
    }
}

/// A mark for every x, with the values of all lines there.
fn marks(lines: &Lines, x: &Scale, y: &Scale, frame: &Frame) -> Marks {
    let mut xs: Vec<f64> =
        lines.series.iter().flat_map(|line| line.points.iter().map(|point| point.x)).collect();
    xs.sort_by(f64::total_cmp);
    xs.dedup();
    let every = xs.len().div_ceil(MOST);
    let last = xs.len().saturating_sub(1);
    let kept = xs.iter().enumerate().filter(|(at, _)| at % every == 0 || *at == last).map(|(_, x)| *x);
    let spot = |at: f64| {
        let found: Vec<_> =
            lines.series.iter().filter_map(|line| Some((line, at_or_before(line, at)?))).collect();
        let values: Vec<_> = found.iter().map(|(line, point)| words_of(lines, line, point)).collect();
        Spot {
            words: format!("{}: {}", place_words(lines, at), values.join("; ")),
            place: [x.at(at), frame.top, 0.0, frame.bottom - frame.top],
            points: found.iter().map(|(_, point)| [x.at(at), y.at(point.y)]).collect(),
        }
    };
    Marks::Spots(vec![kept.map(spot).collect()])
}

/// The point at x; of a line of steps, the last one that is not beyond it.
pub(crate) fn at_or_before(line: &Line, x: f64) -> Option<&Point> {
    match line.is_step {
        true => line.points.iter().rfind(|point| point.x <= x),
        false => line.points.iter().find(|point| point.x == x),
    }
}

fn words_of(lines: &Lines, line: &Line, point: &Point) -> String {
    let value = said(&lines.y, point.y, point.interval);
    let tone = tone::words(point.tone, About::Best);
    let value = if tone.is_empty() { value } else { format!("{value}, {tone}") };
    if lines.series.len() == 1 || line.name.is_empty() { value } else { format!("{} {value}", line.name) }
}

/// Where, in words: `k 2`, `12 points`.
fn place_words(lines: &Lines, x: f64) -> String {
    match (lines.x.unit.is_empty(), lines.x.title.is_empty()) {
        (true, false) => format!("{} {}", lines.x.title, number::shown(&lines.x, x)),
        _ => number::with_unit(&lines.x, x),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::Axis;

    fn line(points: &[(f64, f64)], is_step: bool) -> Line {
        let point = |&(x, y): &(f64, f64)| Point { x, y, interval: None, tone: Tone::Plain };
        Line { name: String::new(), points: points.iter().map(point).collect(), is_step }
    }

    #[test]
    fn steps_keep_their_value() {
        let line = line(&[(1.0, 0.25), (3.0, 1.0)], true);
        assert_eq!(at_or_before(&line, 2.0).map(|point| point.y), Some(0.25));
        assert!(at_or_before(&line, 0.0).is_none());
    }

    #[test]
    fn what_can_be_pointed_at_is_limited() {
        let points: Vec<_> = (0..5_000).map(|x| (f64::from(x), f64::from(x))).collect();
        let lines = Lines { series: vec![line(&points, false)], ..Lines::default() };
        let Marks::Spots(rows) = draw(&lines, 760.0).marks else { panic!("no grid") };
        assert!(rows[0].len() <= MOST + 1);
        assert_eq!(rows[0].last().map(|spot| spot.words.as_str()), Some("4999: 4999"));
    }

    #[test]
    fn axes_begin_at_nothing_where_it_costs_little() {
        let shares = Lines { y: Axis::share("share"), ..Lines::default() };
        assert_eq!(domain(&shares, [0.1, 0.97], 280.0), [0.0, 1.0]);
        assert_eq!(domain(&Lines::default(), [90.0, 100.0], 280.0)[0], 90.0);
    }

    #[test]
    fn words_of_a_place() {
        let lines = Lines { x: Axis::levels("k", vec!["a".into(), "b".into()]), ..Lines::default() };
        assert_eq!(place_words(&lines, 1.0), "k b");
    }
}
