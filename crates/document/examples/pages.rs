//! Writes the made-up reports of the tests into a folder, a `report.html` each, and a picture of every chart:
//! `cargo run -p stopwise-document --example pages -- FOLDER`.

#[path = "../tests/fixture/mod.rs"]
mod fixture;

use std::path::PathBuf;

use stopwise_document::{Block, html, svg};

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args_os().nth(1).unwrap_or_else(|| "pages".into()));
    for (name, report) in fixture::reports() {
        let folder = folder.join(name);
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join("report.html"), html::page(&report))?;
        let charts =
            report.sections.iter().flat_map(|section| &section.blocks).filter_map(|block| match block {
                Block::Chart(chart) => Some(chart),
                _ => None,
            });
        for (at, chart) in charts.enumerate() {
            std::fs::write(folder.join(format!("{at}.svg")), svg::picture(chart, 720, &report.head))?;
        }
    }
    Ok(())
}
