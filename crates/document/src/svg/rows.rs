//! Rows with a name on the left, or above where names are long or the picture is narrow.

use maud::{Markup, html};

use super::drawing::is_narrow;
use super::frame::{Anchor, SIZE, text, widest};
use super::words;

/// Where names and what is said on the right stand.
#[derive(Clone, Debug)]
pub(crate) struct Rows<'a> {
    width: f64,
    names: Vec<&'a str>,
    /// Where the chart begins.
    pub(crate) left: f64,
    /// Where it ends.
    pub(crate) right: f64,
    /// Whether names stand above their rows.
    pub(crate) is_above: bool,
}

impl<'a> Rows<'a> {
    /// Finds room for these names and these words on the right.
    pub(crate) fn of<'b>(
        width: f64,
        names: impl IntoIterator<Item = &'a str>,
        notes: impl IntoIterator<Item = &'b str>,
    ) -> Self {
        let names: Vec<_> = names.into_iter().collect();
        let (name, note) = (widest(names.iter().copied()), widest(notes));
        let sides = name + note + if note > 0.0 { 14.0 } else { 0.0 };
        let most = if is_narrow(width) { 0.36 } else { 0.44 };
        if name > most * width || sides > 0.56 * width {
            return Self { width, names, left: 8.0, right: width - 8.0, is_above: true };
        }
        let right = if note > 0.0 { width - note - 18.0 } else { width - 10.0 };
        Self { width, names, left: name + 16.0, right, is_above: false }
    }

    /// The height of the line above a row.
    pub(crate) fn line(&self) -> f64 {
        if self.is_above { 17.0 } else { 0.0 }
    }

    /// The name of a row whose line begins at `top` and whose middle is `middle`, and what is said on its right.
    pub(crate) fn draw(&self, name: &str, note: &str, top: f64, middle: f64) -> Markup {
        if self.is_above {
            let note_width = words::width(note, SIZE);
            let room = if note.is_empty() {
                self.width
            } else {
                (self.width - note_width - 10.0).max(0.55 * self.width)
            };
            let name = words::told_apart(name, &self.names, SIZE, room);
            let rest = self.width - words::width(&name, SIZE) - 10.0;
            html! {
                (text(0.0, top + 13.0, Anchor::Start, "halo", &name))
                @if !note.is_empty() { (text(self.width, top + 13.0, Anchor::End, "t halo", &words::shortened(note, SIZE, rest))) }
            }
        } else {
            html! {
                (text(self.left - 14.0, middle + 4.5, Anchor::End, "halo", name))
                @if !note.is_empty() { (text(self.width, middle + 4.5, Anchor::End, "t halo", note)) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_stand_above() {
        assert!(!Rows::of(760.0, ["tidy", "first"], ["1st"]).is_above);
        assert!(Rows::of(360.0, ["a name of some length, and more"], []).is_above);
        let rows = Rows::of(760.0, ["tidy"], ["a note"]);
        assert!(rows.left < rows.right && rows.right < 760.0);
    }
}
