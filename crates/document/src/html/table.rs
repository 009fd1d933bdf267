//! Tables for people, in boxes of their own that scroll where they are wider than the page.

use maud::{Markup, html};

use super::prose::prose;
use crate::view::{Title, View};

/// A text of no more characters is not broken: an interval, a verdict.
const WHOLE: usize = 34;

/// The same of names of rows: they share the page with what they name.
const NAME: usize = 24;

/// A title below one of the level above; all of them look alike.
pub(super) fn heading(level: u8, title: &Markup) -> Markup {
    html! { h3 aria-level=[(level != 3).then_some(level)] { (title) } }
}

/// A table with its title above and its notes below.
///
/// `about` is its name where it has neither a title nor a caption.
pub(super) fn table(view: &View, level: u8, about: &str) -> Markup {
    html! {
        @if !view.title.is_empty() { (heading(level, &prose(&view.title))) }
        (bare(view, about))
    }
}

/// The same, folded where it is long.
pub(super) fn folded(view: &View, level: u8, about: &str) -> Markup {
    let title = if view.title.is_empty() { "The table" } else { &view.title };
    html! {
        @if view.rows.len() <= 12 {
            (table(view, level, about))
        } @else {
            details { summary { (title) " – " (view.rows.len()) " rows" } (bare(view, about)) }
        }
    }
}

/// A table without its title.
pub(super) fn bare(view: &View, about: &str) -> Markup {
    let name = [&view.title, view.caption, about, "The numbers"].into_iter().find(|name| !name.is_empty());
    let class = |at: usize| view.columns.get(at).is_some_and(|column| column.is_number).then_some("n");
    let has_head = view.columns.iter().any(|column| !column.text.is_empty());
    // Names stay in sight while the rest of a wide table moves.
    let has_names = view.columns.len() > 2 && view.columns.first().is_some_and(|column| !column.is_number);
    html! {
        @if !view.rows.is_empty() {
            // Beside the box: a caption in it would be as wide as all columns.
            @if view.title.is_empty() && !view.caption.is_empty() { p.caption { (prose(view.caption)) } }
            div.scroll {
                table class=[has_names.then_some("named")] aria-label=[name] {
                    @if has_head {
                        thead { tr { @for (at, column) in view.columns.iter().enumerate() { th scope="col" class=[class(at)] aria-label=[head(view, at)] { (prose(&column.text)) } } } }
                    }
                    tbody {
                        @for row in &view.rows {
                            tr {
                                @for (at, cell) in row.iter().enumerate() {
                                    @if at == 0 && has_names {
                                        th scope="row" class=[(cell.chars().count() <= NAME).then_some("k")] { (prose(cell)) }
                                    } @else {
                                        td class=[class(at).or((cell.chars().count() <= WHOLE).then_some("k"))] { (prose(cell)) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        @for note in &view.notes { p.note { (prose(note)) } }
    }
}

/// The name of a column whose head does not say it alone: that of a mark, or one of several of intervals.
fn head(view: &View, at: usize) -> Option<String> {
    let text = &view.columns[at].text;
    let is_same = |column: &&Title| column.text == *text;
    match view.columns.iter().filter(is_same).count() {
        _ if text.is_empty() => Some(if at == 0 { "name" } else { "remark" }.to_owned()),
        1 => None,
        _ => {
            let before = view.columns[..at].iter().rev().find(|column| !is_same(column));
            before.map(|before| format!("{text} of {}", before.text))
        }
    }
}
