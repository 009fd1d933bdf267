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

/// A wide picture that is higher is printed in parts.
const PAGE: f64 = 850.0;

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
    let parts = parts(&drawings[1].1);
    let pictures = html! { @for (class, drawing) in &drawings { (element(class, drawing)) } (in_parts(&drawings[1].1, &parts)) };
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
            div.picture.tall[!parts.is_empty()] role="img" aria-label=(words)
                data-said=(lines(&rows.iter().flatten().map(|spot| spot.words.clone()).collect::<Vec<_>>())) { (pictures) }
            (tip)
        },
        (_, Marks::Grids(_)) => pictures,
    }
}

/// Where a picture is broken for print: between rows, each part no higher than a page; nowhere if it is no higher.
fn parts(drawing: &Drawing) -> Vec<[f64; 2]> {
    let Marks::Spots(rows) = &drawing.marks else { return Vec::new() };
    let bottom =
        |row: &Vec<Spot>| row.iter().map(|spot| spot.place[1] + spot.place[3]).fold(0.0, f64::max) + 2.0;
    let rows = rows.iter().take(rows.len().saturating_sub(1)).map(bottom);
    let (mut parts, mut from, mut to) = (Vec::new(), 0.0, 0.0);
    for end in rows.chain([drawing.height]) {
        if end - from > PAGE && to > from {
            parts.push([from, to]);
            from = to;
        }
        to = end;
    }
    if !parts.is_empty() {
        parts.push([from, to]);
    }
    parts
}

/// The same picture, part by part.
fn in_parts(drawing: &Drawing, parts: &[[f64; 2]]) -> Markup {
    html! {
        @for [from, to] in parts {
            svg class="part" viewBox=(format!("0 {} {} {}", place(*from), place(drawing.width), place(to - from)))
                width=(place(drawing.width)) height=(place(to - from)) aria-hidden="true" {
                use href=(format!("#{}", name(drawing))) {}
            }
        }
    }
}

/// The name of what a picture shows: the same for the same.
fn name(drawing: &Drawing) -> String {
    let bytes = drawing.body.0.bytes();
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("p{hash:016x}")
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
            data-at=(places.join("|")) {
            @if class == WIDTHS[1].0 && !parts(drawing).is_empty() {
                g.chart id=(name(drawing)) { (drawing.body) }
            } @else {
                (drawing.body)
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::Bars;

    #[test]
    fn what_is_higher_than_a_page_is_broken_between_rows() {
        let bars = |rows: usize| {
            let rows = (0..rows).map(|at| (format!("row {at}"), vec![Some(1.0 + at as f64)])).collect();
            svg::draw(&Plot::Bars(Bars { rows, ..Bars::default() }), 760.0)
        };
        assert!(parts(&bars(10)).is_empty());
        let drawing = bars(100);
        let parts = parts(&drawing);
        assert!(parts.len() > 1 && parts[0][0] == 0.0 && parts[parts.len() - 1][1] == drawing.height);
        assert!(parts.windows(2).all(|pair| pair[0][1] == pair[1][0]));
        assert!(parts.iter().all(|[from, to]| to > from && to - from <= PAGE));
        let Marks::Spots(rows) = &drawing.marks else { panic!("rows") };
        let crosses = |cut: f64, spot: &Spot| spot.place[1] < cut && cut < spot.place[1] + spot.place[3];
        assert!(!parts.iter().any(|part| rows.iter().flatten().any(|spot| crosses(part[0], spot))));
    }
}
