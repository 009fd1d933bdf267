//! The document as a page: one file that needs nothing else, with pictures, tables, explanations and its data.

mod data;
mod data_table;
mod figure;
mod order;
mod prose;
mod table;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::characters::visible;
use crate::chart::Chart;
use crate::report::{Block, Folded, Report, Section};
use crate::svg::{STYLE, colour};
use crate::view::View;
use data::Files;
use order::ordered;
use prose::prose;

/// What a page may load: nothing but what is in it.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// With more sections than this there is a table of contents.
const MANY: usize = 4;

/// With more texts than this that were played, all but the first are behind one line.
const SEVERAL: usize = 5;

/// A text of no more bytes may begin unfolded.
const SHORT: usize = 400;

/// The whole document, in the directory of its files: those above 2 MB are not in it.
///
/// The same report gives the same bytes. All texts are escaped; of characters that are not seen only line breaks and tabs are left.
#[must_use]
pub fn page(report: &Report) -> String {
    document(report, Files::Beside)
}

/// The same for a page that has no files beside it.
#[must_use]
pub fn page_alone(report: &Report) -> String {
    document(report, Files::Unwritten)
}

fn document(report: &Report, files: Files) -> String {
    let sections = ordered(&report.sections);
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                link rel="icon" href="data:,";
                title { (report.head) " – stopwise" }
                style { (PreEscaped(style())) }
            }
            body {
                main {
                    (head(report))
                    (answer(report))
                    (played(&report.played))
                    (contents(&sections))
                    @for (at, section) in sections.iter().enumerate() { (topic(Some(at), section)) }
                    (repeat(report))
                    (data::downloads(&report.data, files))
                    (data::meanings(&report.terms, &report.data))
                }
                script { (PreEscaped(script())) }
            }
        }
    };
    visible(&markup.into_string())
}

/// The style of pages, with the colours of both themes: a page that shows charts of reports begins with it.
#[must_use]
pub fn style() -> String {
    [&colour::properties(), STYLE, include_str!("page.css")].concat()
}

/// The functions `charts(element)` and `scrollable(element)` of a page's script: the charts below the element, and what is
/// wider than its place, can then be read by pointer and by keyboard. A page adds the class `js` to its root.
pub const CHARTS: &str = include_str!("charts.js");

/// The script of a page.
fn script() -> String {
    ["\"use strict\";\n(() => {\n", CHARTS, include_str!("page.js"), "})();\n"].concat()
}

/// A chart alone, as it stands on pages, with a title of this level.
#[must_use]
pub fn chart(chart: &Chart, level: u8) -> String {
    visible(&figure::figure(chart, level).into_string())
}

/// Sections alone, in the order of pages, as they stand there.
#[must_use]
pub fn sections(sections: &[Section]) -> String {
    let markup = html! { @for section in ordered(sections) { (topic(None, &section)) } };
    visible(&markup.into_string())
}

/// An introduction for readers who have never seen the program.
const INTRODUCTION: &str = "stopwise plays games of chance and nerve over and over and counts what happens. The dice come from the seed: the same \
    command gives the same numbers. Estimates say how sure they are; point at a picture, or use the arrow keys in it, to read its values.";

/// The command, and what was played: the first words large.
fn head(report: &Report) -> Markup {
    let (first, rest) = report.head.split_once(" · ").unwrap_or((&report.head, ""));
    html! {
        header {
            p.command { "stopwise " (report.command) }
            h1 { (first) }
            @if !rest.is_empty() {
                p.under { @for (at, part) in rest.split(" · ").enumerate() { @if at > 0 { " · " } span { (part) } } }
            }
            @for remark in &report.remarks { p.remark { (remark) } }
        }
    }
}

/// The first texts, and the others behind one line where there are many.
fn played(played: &[Folded]) -> Markup {
    let (first, rest) =
        if played.len() > SEVERAL { played.split_at(1) } else { played.split_at(played.len()) };
    let titles: Vec<_> = rest.iter().map(|folded| folded.title.as_str()).collect();
    html! {
        @if !played.is_empty() {
            section.played aria-label="What was played" {
                p.intro { (INTRODUCTION) }
                @for folded in first { (unfolding(folded)) }
                @if !rest.is_empty() {
                    details {
                        summary { (rest.len()) " more: " (titles.join(" · ")) }
                        div.played { @for folded in rest { (unfolding(folded)) } }
                    }
                }
            }
        }
    }
}

/// Paragraphs that stand before a long text that asked to be open.
const BEGINNING: usize = 2;

/// A text. One that is long begins folded whatever it asks for, but for its first paragraphs: what was found is to be seen at
/// once.
fn unfolding(folded: &Folded) -> Markup {
    let size = folded.prose.iter().map(String::len).sum::<usize>() + folded.source.len();
    let is_long = size > SHORT;
    let (before, folded_in) =
        folded.prose.split_at(if folded.is_open && is_long { BEGINNING.min(folded.prose.len()) } else { 0 });
    html! {
        @for paragraph in before { p { (paragraph) } }
        details open[folded.is_open && !is_long] {
            summary { (folded.title) }
            @for paragraph in folded_in { p { (paragraph) } }
            @if !folded.options.rows.is_empty() { (options(&folded.options)) }
            @if !folded.source.is_empty() { pre { (line_first(&folded.source)) } }
        }
    }
}

/// Names and values side by side in columns, or a table where there is more to say of each.
fn options(view: &View) -> Markup {
    if view.columns.len() != 2 {
        return table::table(view, 2, "Options");
    }
    html! {
        @if !view.title.is_empty() { (table::heading(2, &html! { (view.title) })) }
        dl.options {
            @for row in &view.rows { div { dt { (row[0]) } dd { (row[1]) } } }
        }
        @for note in &view.notes { p.note { (note) } }
    }
}

fn answer(report: &Report) -> Markup {
    html! {
        @if !report.answer.is_empty() {
            section.answer aria-label="The answer" {
                @for sentence in &report.answer { p { (prose(sentence)) } }
            }
        }
        @if !report.warnings.is_empty() {
            aside.warnings {
                p.label { "Before you rely on this" }
                @for warning in &report.warnings { p { (prose(warning)) } }
            }
        }
    }
}

/// Links to sections, where there are many.
fn contents(sections: &[Section]) -> Markup {
    let titled: Vec<_> =
        sections.iter().enumerate().filter(|(_, section)| !section.title.is_empty()).collect();
    html! {
        @if titled.len() > MANY {
            nav aria-label="Contents" class=[(titled.len() > 12).then_some("many")] {
                ol { @for (at, section) in titled { li { a href=(format!("#s{at}")) { (section.title) } } } }
            }
        }
    }
}

/// A section; a number is where links lead.
fn topic(at: Option<usize>, section: &Section) -> Markup {
    let level = if section.title.is_empty() { 2 } else { 3 };
    html! {
        section id=[at.map(|at| format!("s{at}"))] class=[section.title.is_empty().then_some("untitled")] {
            @if !section.title.is_empty() { h2 { (section.title) } }
            @for block in &section.blocks {
                @match block {
                    Block::Sentence(sentence) => p { (prose(sentence)) },
                    Block::Note(note) => p.note { (prose(note)) },
                    Block::View(view) => (table::table(view, level, &section.title)),
                    Block::Chart(chart) => (figure::figure(chart, level)),
                    Block::Long(view) => (table::folded(view, level, &section.title)),
                }
            }
        }
    }
}

fn repeat(report: &Report) -> Markup {
    html! {
        @if !report.repeat.is_empty() {
            section {
                h2 { "To repeat it" }
                p {
                    @if report.is_timed {
                        "This command measures again: times differ from run to run, and from machine to machine."
                    } @else {
                        "This command gives the same numbers again, on any machine."
                    }
                }
                div.repeat {
                    pre { code { (line_first(&report.repeat)) } }
                    button.script type="button" data-copy="" { "Copy" }
                }
            }
        }
    }
}

/// A text for `pre`, which swallows a line break at its beginning.
fn line_first(text: &str) -> String {
    if text.starts_with('\n') { format!("\n{text}") } else { text.to_owned() }
}
