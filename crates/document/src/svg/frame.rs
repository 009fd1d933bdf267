//! Axes: gridlines, ticks and titles. Titles stand upright: that of y above its axis, that of x at its right end.

use std::fmt::Write as _;

use maud::{Markup, html};

use super::number::place;
use super::scale::{self, Scale, Tick};
use super::words;
use crate::chart::{Axis, Mark};

/// The size of all texts, in pixels.
pub(crate) const SIZE: f64 = 13.0;

/// The height of a line of text.
pub(crate) const LINE: f64 = 18.0;

/// Where a text stands at its x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A text; `class` is one of `chart.css` or empty.
pub(crate) fn text(x: f64, y: f64, anchor: Anchor, class: &str, content: &str) -> Markup {
    let anchor = match anchor {
        Anchor::Start => None,
        Anchor::Middle => Some("middle"),
        Anchor::End => Some("end"),
    };
    let class = (!class.is_empty()).then_some(class);
    html! { text x=(place(x)) y=(place(y)) text-anchor=[anchor] class=[class] { (content) } }
}

/// A path; nothing where it is empty.
pub(crate) fn path(d: &str, class: &str) -> Markup {
    html! { @if !d.is_empty() { path d=(d) class=(class) {} } }
}

/// What an axis measures, with its unit.
pub(crate) fn title(axis: &Axis) -> String {
    match (axis.title.is_empty(), axis.unit.is_empty()) {
        (_, true) => axis.title.clone(),
        // Points in points.
        _ if axis.title == axis.unit => axis.title.clone(),
        (true, false) => axis.unit.clone(),
        (false, false) => format!("{} ({})", axis.title, axis.unit),
    }
}

/// The inner edges of a chart with axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
    /// The width of the picture.
    pub(crate) width: f64,
}

impl Frame {
    /// A rule from the left to the right.
    fn across(&self, y: f64) -> String {
        format!("M{} {}H{}", place(self.left), place(y), place(self.right))
    }

    /// A rule from the bottom up to `top`.
    pub(crate) fn up(&self, x: f64, top: f64) -> String {
        format!("M{} {}V{}", place(x), place(self.bottom), place(top))
    }

    /// The rule at the bottom.
    pub(crate) fn base(&self) -> Markup {
        path(&self.across(self.bottom), "a")
    }

    /// A rule across at a value of y.
    pub(crate) fn reference(&self, y: f64) -> Markup {
        path(&self.across(y), "a")
    }

    /// The ticks of y with their gridlines, and its title above at `title_y`.
    pub(crate) fn y(&self, axis: &Axis, scale: &Scale, ticks: &[Tick], title_y: f64) -> Markup {
        let rules = ticks.iter().fold(String::new(), |mut out, tick| {
            out.push_str(&self.across(scale.at(tick.value)));
            out
        });
        html! {
            (path(&rules, "g"))
            @for tick in ticks {
                (text(self.left - 7.0, scale.at(tick.value) + 4.5, Anchor::End, "t", &tick.label))
            }
            (text(0.0, title_y, Anchor::Start, "t", &words::shortened(&title(axis), SIZE, self.right)))
        }
    }

    /// The ticks of x below, with its title below them.
    pub(crate) fn x(&self, axis: &Axis, scale: &Scale, ticks: &[Tick]) -> Markup {
        let y = self.bottom;
        let marks = ticks.iter().fold(String::new(), |mut out, tick| {
            let _ = write!(out, "M{} {}v5", place(scale.at(tick.value)), place(y));
            out
        });
        html! {
            (path(&marks, "a"))
            @for tick in ticks {
                @let [from, to] = span(tick, scale, self.width);
                (text(0.5 * (from + to), y + 19.0, Anchor::Middle, "t", &tick.label))
            }
            (self.x_title(axis))
        }
    }

    /// The title of x alone.
    pub(crate) fn x_title(&self, axis: &Axis) -> Markup {
        let title = words::shortened(&title(axis), SIZE, self.right);
        html! {
            @if !title.is_empty() {
                (text(self.right, self.bottom + 38.0, Anchor::End, "t", &title))
            }
        }
    }
}

/// The room below a frame for the ticks and the title of x.
pub(crate) fn below(axis: &Axis) -> f64 {
    if title(axis).is_empty() { 26.0 } else { 45.0 }
}

/// The ticks of y for this height.
pub(crate) fn y_ticks(axis: &Axis, domain: [f64; 2], height: f64) -> Vec<Tick> {
    if axis.levels.is_empty() {
        scale::ticks(axis, domain, most(height, 55.0), false)
    } else {
        levels(axis).into_iter().filter(|tick| tick.value >= domain[0] && tick.value <= domain[1]).collect()
    }
}

/// How many steps of this size there are, at least two.
pub(crate) fn most(length: f64, each: f64) -> usize {
    super::number::count(length / each).max(2)
}

/// As many ticks of x as have room in a picture of this width, but one at least.
pub(crate) fn x_ticks(axis: &Axis, scale: &Scale, width: f64, is_whole: bool) -> Vec<Tick> {
    if !axis.levels.is_empty() {
        return x_levels(axis, scale, width);
    }
    let of = |most: usize| scale::ticks(axis, scale.domain, most, is_whole);
    (1..=most((scale.range[1] - scale.range[0]).abs(), 70.0).max(3))
        .rev()
        .map(of)
        .find(|ticks| has_room(ticks, scale, width))
        .unwrap_or_else(|| of(1).into_iter().take(1).collect())
}

/// A tick for each level.
pub(crate) fn levels(axis: &Axis) -> Vec<Tick> {
    let tick = |(at, name): (usize, &String)| Tick { value: at as f64, label: name.clone() };
    axis.levels.iter().enumerate().map(tick).collect()
}

/// Whether all levels are numbers.
pub(crate) fn are_numbers(axis: &Axis) -> bool {
    let is_number =
        |level: &String| level.trim_start_matches(['-', '−', '+']).starts_with(|c: char| c.is_ascii_digit());
    axis.levels.iter().all(is_number)
}

/// The levels of x: every one, shortened if they are names, or every second, fifth, … if they are numbers.
fn x_levels(axis: &Axis, scale: &Scale, width: f64) -> Vec<Tick> {
    let all = levels(axis);
    let slot = (scale.at(1.0) - scale.at(0.0)).abs();
    if are_numbers(axis) || slot < 40.0 {
        return thinned(&all, |ticks| has_room(ticks, scale, width));
    }
    let names: Vec<_> = axis.levels.iter().map(String::as_str).collect();
    all.into_iter()
        .map(|tick| Tick { label: words::told_apart(&tick.label, &names, SIZE, slot - 8.0), ..tick })
        .collect()
}

/// Every tick, or every second, fifth, tenth, … until they fit. They are round, if they are numbers of which enough are round.
pub(crate) fn thinned(all: &[Tick], fits: impl Fn(&[Tick]) -> bool) -> Vec<Tick> {
    let strides = || (0..5).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_usize.pow(power)));
    let every = |stride: usize| all.iter().step_by(stride).cloned().collect::<Vec<_>>();
    let round = |stride: usize| {
        let is_round = |tick: &&Tick| match tick.label.parse::<i64>() {
            Ok(number) => number.rem_euclid(i64::try_from(stride).unwrap_or(i64::MAX)) == 0,
            Err(_) => super::number::count(tick.value).is_multiple_of(stride),
        };
        all.iter().filter(is_round).cloned().collect::<Vec<_>>()
    };
    let are_enough = |(stride, some): &(usize, Vec<Tick>)| 2 * some.len() * stride >= all.len();
    let round = strides().map(|stride| (stride, round(stride))).filter(are_enough).map(|(_, some)| some);
    round.chain(strides().map(every)).find(|some| fits(some)).unwrap_or_default()
}

/// From where to where the label of a tick stands in a picture of this width: about the tick, but not beyond the picture.
fn span(tick: &Tick, scale: &Scale, width: f64) -> [f64; 2] {
    let half = 0.5 * words::width(&tick.label, SIZE);
    let middle = scale.at(tick.value).min(width - half).max(half);
    [middle - half, middle + half]
}

/// Whether the labels stand apart in a picture of this width.
pub(crate) fn has_room(ticks: &[Tick], scale: &Scale, width: f64) -> bool {
    let spans: Vec<_> = ticks.iter().map(|tick| span(tick, scale, width)).collect();
    spans.windows(2).all(|pair| pair[0][1] + 10.0 <= pair[1][0])
}

/// How much wider bold letters are.
pub(crate) const BOLD: f64 = 1.12;

/// The width of the widest label.
pub(crate) fn widest<'a>(labels: impl IntoIterator<Item = &'a str>) -> f64 {
    labels.into_iter().map(|label| words::width(label, SIZE)).fold(0.0, f64::max)
}

/// Labelled rules across the chart.
pub(crate) struct Rules {
    marks: Vec<(String, super::labels::Flag)>,
    /// The room that they need above the frame.
    pub(crate) height: f64,
}

impl Rules {
    /// Places the labels of the marks that are in the domain, each with its value unless it says it already.
    pub(crate) fn of(marks: &[Mark], axis: &Axis, scale: &Scale, right: f64) -> Self {
        let said = |mark: &Mark| {
            let value = super::number::brief(axis, mark.at);
            match mark.label.contains(&value) {
                true => mark.clone(),
                false => Mark { at: mark.at, label: format!("{}: {value}", mark.label) },
            }
        };
        Self::bare(&marks.iter().map(said).collect::<Vec<_>>(), scale, right)
    }

    /// The same with labels as they are.
    pub(crate) fn bare(marks: &[Mark], scale: &Scale, right: f64) -> Self {
        let [low, high] = scale.domain;
        let marks: Vec<_> = marks.iter().filter(|mark| mark.at >= low && mark.at <= high).collect();
        let places: Vec<_> = marks
            .iter()
            .map(|mark| (scale.at(mark.at), words::width(&mark.label, SIZE).min(right)))
            .collect();
        let flags = super::labels::flags(&places, 0.0, right);
        let rows = flags.iter().map(|flag| flag.row + 1).max().unwrap_or(0);
        let height = if rows == 0 { 0.0 } else { LINE * rows as f64 + 4.0 };
        Self { marks: marks.into_iter().map(|mark| mark.label.clone()).zip(flags).collect(), height }
    }

    /// Draws them.
    pub(crate) fn draw(&self, frame: &Frame) -> Markup {
        let y = |row: usize| frame.top - 8.0 - LINE * row as f64;
        html! {
            @for (_, flag) in &self.marks {
                (path(&frame.up(flag.x, y(flag.row) - 11.0), "m"))
            }
            @for (label, flag) in &self.marks {
                (text(flag.from, y(flag.row), Anchor::Start, "halo", &words::shortened(label, SIZE, frame.right)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks_of(levels: &[&str], width: f64) -> Vec<String> {
        let axis = Axis::levels("", levels.iter().map(|level| (*level).to_owned()).collect());
        let scale = Scale { domain: [-0.5, levels.len() as f64 - 0.5], range: [0.0, width] };
        x_ticks(&axis, &scale, width, false).into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn levels_are_thinned_at_round_numbers() {
        let names: Vec<String> = (1..=40).map(|number| number.to_string()).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        assert_eq!(ticks_of(&names, 300.0), ["5", "10", "15", "20", "25", "30", "35", "40"]);
        assert_eq!(ticks_of(&names[..3], 300.0), ["1", "2", "3"]);
    }

    #[test]
    fn levels_of_which_few_are_round_are_thinned_as_well() {
        let shown = |from: usize, by: usize, width: f64| {
            let names: Vec<String> = (from..100).step_by(by).map(|number| number.to_string()).collect();
            ticks_of(&names.iter().map(String::as_str).collect::<Vec<_>>(), width)
        };
        assert_eq!(shown(1, 2, 400.0), ["5", "15", "25", "35", "45", "55", "65", "75", "85", "95"]);
        // There is no room for every fifth, and every tenth is not round.
        assert_eq!(shown(1, 2, 150.0), ["1", "21", "41", "61", "81"]);
        assert_eq!(shown(3, 10, 150.0), ["3", "23", "43", "63", "83"]);
    }

    /// As they are drawn, moved inwards at the ends of the picture.
    #[test]
    fn labels_never_stand_on_each_other() {
        for width in [250.0, 320.0, 368.0, 400.0, 768.0] {
            for (low, high) in
                [(0.0, 1.0), (0.9991, 0.9999), (-3e6, 17e6), (0.0, 999_999.0), (99_990.0, 100_010.0)]
            {
                for (axis, left) in [(Axis::of("", ""), 0.0), (Axis::share("share"), 45.0)] {
                    let scale = Scale { domain: [low, high], range: [left, width - 6.0] };
                    let ticks = x_ticks(&axis, &scale, width, false);
                    assert!(
                        !ticks.is_empty() && has_room(&ticks, &scale, width),
                        "{width} {low} {high}: {ticks:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn names_are_shortened() {
        let ticks = ticks_of(&["a rather long name", "another long name"], 160.0);
        assert_eq!(ticks.len(), 2);
        assert!(ticks.iter().all(|tick| tick.contains('…') && words::width(tick, SIZE) < 80.0), "{ticks:?}");
    }

    #[test]
    fn titles_have_units() {
        assert_eq!(title(&Axis::of("score", "points")), "score (points)");
        assert_eq!(title(&Axis::share("share of trials")), "share of trials");
        assert_eq!(title(&Axis::of("", "points")), "points");
        assert_eq!(title(&Axis::of("points", "points")), "points");
    }
}
