//! A chart on a page: its title and sentence, its plots in two widths, what their marks say, and the table behind them.

use maud::{Markup, html};

use super::data_table::{self, Behind};
use super::prose::prose;
use super::table;
use crate::chart::{Chart, Plot};
use crate::svg::drawing::{Drawing, Marks, Spot};
use crate::svg::{self, heat, number::place};

/// The widths that are drawn: for telephones and for everything else; the style sheet shows one.
const WIDTHS: [(&str, f64); 2] = [("chart narrow", 360.0), ("chart wide", 760.0)];

/// A chart whose title is of this level.
pub(super) fn figure(chart: &Chart, level: u8) -> Markup {
    let has_choice = chart.plots.len() > 1;
    html! {
        figure {
            figcaption {
                @if !chart.title.is_empty() { (table::heading(level, &html! { (chart.title) })) }
                @if !chart.sentence.is_empty() { p { (prose(&chart.sentence)) } }
            }
            @if has_choice {
                div.choose.script role="group" aria-label="Shown as" {
                    @for (at, (name, _)) in chart.plots.iter().enumerate() {
                        button type="button" aria-pressed=(at == 0) { (name) }
                    }
                }
            }
            @for (at, (name, plot)) in chart.plots.iter().enumerate() {
                div class=(if at == 0 { "plot shown" } else { "plot" }) {
                    @if has_choice { p.name { (name) } }
                    (picture(chart, name, plot))
                    @if !chart.is_beside_table { (numbers(chart, plot, level + 1)) }
                }
            }
        }
    }
}

/// Both pictures, and what their marks say as attributes for the script.
fn picture(chart: &Chart, name: &str, plot: &Plot) -> Markup {
    let drawings = WIDTHS.map(|(class, width)| (class, svg::draw(plot, width)));
    let words: Vec<&str> = [chart.title.as_str(), name, chart.sentence.as_str()]
        .into_iter()
        .filter(|text| !text.is_empty())
        .collect();
    let words = words.join(". ");
    let pictures = html! { @for (class, drawing) in &drawings { (element(class, drawing)) } };
    let tip = html! { p.tip role="status" {} };
    match (plot, &drawings[0].1.marks) {
        (Plot::Heat(heat), Marks::Grids(_)) => html! {
            div.picture.worded[heat::has_words(heat)] role="img" aria-label=(words) data-x=(lines(&heat::named(&heat.x))) data-y=(lines(&heat::named(&heat.y)))
                data-panels=(lines(&heat.panels.iter().map(|panel| panel.title.clone()).collect::<Vec<_>>()))
                data-said=(lines(&heat::said(heat))) { (pictures) }
            (tip)
            @if !heat.legend.is_empty() { p.note { (prose(&heat.legend)) } }
        },
        (_, Marks::Spots(rows)) => html! {
            div.picture role="img" aria-label=(words)
                data-said=(lines(&rows.iter().flatten().map(|spot| spot.words.clone()).collect::<Vec<_>>())) { (pictures) }
            (tip)
        },
        (_, Marks::Grids(_)) => pictures,
    }
}

/// One picture; `data-at` has the place of every mark.
fn element(class: &str, drawing: &Drawing) -> Markup {
    let numbers = |numbers: &[f64]| numbers.iter().map(|number| place(*number)).collect::<Vec<_>>().join(" ");
    let places: Vec<String> = match &drawing.marks {
        // Cells are small: their size has more digits than a place.
        Marks::Grids(grids) => {
            grids.iter().map(|[x, y, w, h]| format!("{} {} {w:.3} {h:.3}", place(*x), place(*y))).collect()
        }
        Marks::Spots(rows) => {
            let row = |row: &Vec<Spot>| {
                let spot = |spot: &Spot| {
                    let points = spot.points.iter().flatten().copied();
                    numbers(&spot.place.into_iter().chain(points).collect::<Vec<_>>())
                };
                row.iter().map(spot).collect::<Vec<_>>().join(";")
            };
            rows.iter().filter(|row| !row.is_empty()).map(row).collect()
        }
    };
    let (width, height) = (place(drawing.width), place(drawing.height));
    html! {
        svg class=(class) viewBox=(format!("0 0 {width} {height}")) width=(width) height=(height) aria-hidden="true"
            data-at=(places.join("|")) { (drawing.body) }
    }
}

/// Texts a line each.
fn lines(texts: &[String]) -> String {
    texts.iter().map(|text| text.replace('\n', " ")).collect::<Vec<_>>().join("\n")
}

/// The table behind a picture, folded.
fn numbers(chart: &Chart, plot: &Plot, level: u8) -> Markup {
    html! {
        @match data_table::behind(plot) {
            Behind::Tables(views) => details.behind {
                summary { "The numbers as a table" }
                @for view in &views { (table::table(view, level, &chart.title)) }
            },
            Behind::TooMany => p.note {
                "The picture has more numbers than a table should have here. "
                @if chart.file.is_empty() { "They are in the files of the report." } @else { "They are in " (chart.file) "." }
            },
        }
    }
}
