//! From values to colours, and the scale that says so.

use maud::{Markup, html};

use super::super::colour::{self, STEPS};
use super::super::frame::{self, Anchor, LINE, SIZE, path, text};
use super::super::legend::{self, Key, Legend};
use super::super::number::{self, place};
use super::super::scale::{self, Scale};
use super::super::words;
use crate::chart::{Heat, Tone};

/// From values to steps of a ramp.
pub(super) struct Shades {
    /// From the first step to the last: around a middle it reaches as far to either side.
    pub(super) domain: [f64; 2],
    /// The part of it that the grid has, and the middle: that of the scale.
    seen: [f64; 2],
    pub(super) has_two_ends: bool,
    /// Whether low values have the colours of high ones: the good ones are yellow, or blue on a scale with two ends.
    is_turned: bool,
    pub(super) places: u8,
    /// Of colours with names, what stands for each of them where names have no room.
    pub(super) letters: Vec<String>,
}

/// How a colour is written.
pub(super) enum Paint {
    /// A class of strokes, which differs on light and dark ground.
    Class(String),
    Hex(String),
}

impl Shades {
    pub(super) fn of(heat: &Heat, [low, high]: [f64; 2]) -> Self {
        let domain = match heat.middle {
            Some(middle) => {
                let far = (high - middle).abs().max((middle - low).abs());
                [middle - far, middle + far]
            }
            None => [low, high],
        };
        let seen = heat.middle.map_or([low, high], |middle| [low.min(middle), high.max(middle)]);
        let is_whole = !heat.value.is_share && heat.values().all(|value| value.fract() == 0.0);
        let range = (high - low) * if heat.value.is_share { 100.0 } else { 1.0 };
        // A two-hundredth of the range is about what colours tell apart.
        let needed = u8::try_from(number::count((-(range / 200.0).max(1e-9).log10()).ceil())).unwrap_or(4);
        Self {
            domain,
            seen,
            has_two_ends: heat.middle.is_some(),
            is_turned: heat.is_lower_better != heat.middle.is_some(),
            places: if is_whole { 0 } else { needed.clamp(0, 4) },
            letters: letters(&heat.value.levels),
        }
    }

    pub(super) fn step(&self, value: f64) -> usize {
        let [low, high] = self.domain;
        if !self.letters.is_empty() {
            return number::count(value) % colour::CATEGORIES;
        }
        if high <= low {
            return STEPS / 2;
        }
        number::count((value - low) / (high - low) * STEPS as f64).min(STEPS - 1)
    }

    fn colour(&self, step: usize) -> [u8; 3] {
        colour::ramp(if self.is_turned { STEPS - 1 - step } else { step }, self.has_two_ends)
    }

    pub(super) fn paint(&self, step: usize) -> Paint {
        match self.letters.is_empty() {
            true => Paint::Hex(colour::hex(self.colour(step))),
            false => Paint::Class(legend::class('s', step)),
        }
    }

    /// The class of what is read on a colour.
    pub(super) fn ink(&self, step: usize) -> String {
        match self.letters.is_empty() {
            true if self.line(step) == "#000" => "black".into(),
            true => "white".into(),
            false => legend::class('o', step),
        }
    }

    /// The colour of a line that is seen on a colour of the ramp.
    pub(super) fn line(&self, step: usize) -> &'static str {
        colour::ink(self.colour(step))
    }

    /// What the colours stand for, and its height: a scale with its ticks, or a legend, which says what letters in cells mean.
    pub(super) fn scale(
        &self,
        heat: &Heat,
        has_letters: bool,
        [left, top]: [f64; 2],
        width: f64,
    ) -> (Markup, f64) {
        if self.letters.is_empty() {
            return (self.ramp(heat, left, top, width), 2.0 * LINE + 18.0);
        }
        let names = heat.value.levels.iter().zip(&self.letters).enumerate();
        let named = names.map(|(at, (name, letter))| match has_letters && letter != name {
            true => (Key::Fill(at), format!("{letter}: {name}")),
            false => (Key::Fill(at), name.clone()),
        });
        let legend = Legend::of(named, width);
        (legend.draw(top), legend.height)
    }

    fn ramp(&self, heat: &Heat, left: f64, top: f64, width: f64) -> Markup {
        let room = (width - left - 40.0).clamp(120.0, 300.0);
        let each = room / STEPS as f64;
        let x = Scale { domain: self.seen, range: [left, left + room] };
        let shown = |step: usize| {
            let share = (step as f64 + 0.5) / STEPS as f64;
            self.step(self.seen[0] + share * (self.seen[1] - self.seen[0]))
        };
        // Closer together than along a chart: there is nothing else to read the colours by.
        let close = (2..=5).rev().map(|most| scale::ticks(&heat.value, self.seen, most, false));
        let ticks = close.into_iter().find(|ticks| frame::has_room(ticks, &x, width)).unwrap_or_default();
        let title = frame::title(&heat.value);
        let begin = left.min((width - words::width(&title, SIZE)).max(0.0));
        let title = words::shortened(&title, SIZE, width);
        html! {
            (text(begin, top + 12.0, Anchor::Start, "t", &title))
            @for step in 0..STEPS {
                rect x=(place(left + each * step as f64)) y=(place(top + 20.0)) width=(place(each + 0.4)) height="12"
                    fill=(colour::hex(self.colour(shown(step)))) {}
            }
            @for tick in &ticks {
                (path(&format!("M{} {}v5", place(x.at(tick.value)), place(top + 32.0)), "a"))
                (text(x.at(tick.value), top + 50.0, Anchor::Middle, "t", &tick.label))
            }
        }
    }
}

/// A letter for each name: its first one, if they differ, or those of the alphabet.
fn letters(names: &[String]) -> Vec<String> {
    let first = |name: &String| name.chars().next().map(|c| c.to_uppercase().collect::<String>());
    let firsts: Vec<_> = names.iter().filter_map(first).collect();
    let are_told_apart = firsts.iter().enumerate().all(|(at, letter)| !firsts[..at].contains(letter));
    if are_told_apart && firsts.len() == names.len() {
        return firsts;
    }
    ('A'..='Z').map(String::from).chain(std::iter::repeat(String::new())).take(names.len()).collect()
}

/// What stands at a number, as in the text report.
pub(super) const fn sign(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain => "",
        Tone::Best => "*",
        Tone::Possible => "≈",
        Tone::Bad => "▾",
    }
}
