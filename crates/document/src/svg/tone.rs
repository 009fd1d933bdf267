//! Emphasis of marks, by colour and by shape.

use maud::{Markup, html};

use super::number::place;
use crate::chart::Tone;

/// The shape of a point: a disc, a diamond, a ring or a cross. `class` colours what is plain.
pub(crate) fn shape(tone: Tone, x: f64, y: f64, class: &str) -> Markup {
    let (x, y) = (place(x), place(y));
    match tone {
        Tone::Plain => html! { circle cx=(x) cy=(y) r="4" class=(class) {} },
        Tone::Best => html! { path d=(format!("M{x} {y}m0-7 7 7-7 7-7-7z")) class="fb" {} },
        Tone::Possible => html! { circle cx=(x) cy=(y) r="4.5" class="bg sp" stroke-width="2.5" {} },
        Tone::Bad => {
            html! { path d=(format!("M{x} {y}m-4.5-4.5 9 9m0-9-9 9")) class="sx" fill="none" stroke-width="2.5" {} }
        }
    }
}

/// The class of the line through a point.
pub(crate) const fn stroke(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain => "s0",
        Tone::Best => "sb",
        Tone::Possible => "sp",
        Tone::Bad => "sx",
    }
}

/// What is told by emphasis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// Which is the best.
    Best,
    /// Whether it is as is wished.
    Wish,
    /// Which of two is better: that of the row, or that of the column.
    Two,
}

/// In words; nothing for what is plain.
pub(crate) const fn words(tone: Tone, about: About) -> &'static str {
    match (tone, about) {
        (Tone::Plain, _) => "",
        (Tone::Best, About::Wish) => "passes",
        (Tone::Best, About::Best) => "best",
        (Tone::Best, About::Two) => "the row is better",
        (Tone::Possible, About::Wish) => "may pass",
        (Tone::Possible, About::Best | About::Two) => "may be best",
        (Tone::Bad, About::Two) => "the column is better",
        (Tone::Bad, _) => "fails",
    }
}

/// Those that occur, in order.
pub(crate) fn used(tones: impl IntoIterator<Item = Tone>) -> Vec<Tone> {
    let tones: Vec<_> = tones.into_iter().collect();
    [Tone::Best, Tone::Possible, Tone::Bad].into_iter().filter(|tone| tones.contains(tone)).collect()
}
