//! Lists of games, policies and rules: text for people, tables for programs.

use stopwise_document::{Dataset, csv, json, markdown};
use stopwise_reports::document::document;

use crate::args::Format;
use crate::failure::Failure;
use crate::output::{print, tell};
use crate::session::Session;

/// Prints a list: `text` for people, the table in every other format. A library has the table, too.
pub(crate) fn print_list(
    session: &Session,
    format: Format,
    table: &Dataset,
    text: &dyn Fn() -> String,
) -> Result<(), Failure> {
    if let Some(caller) = session.caller() {
        caller.said().list = Some(table.clone());
    }
    match format {
        Format::Table => tell(session, &text()),
        Format::Csv => print(session, &String::from_utf8_lossy(&csv::csv(table)?)),
        Format::Json => print(session, &document(json::rows(table))?),
        Format::Markdown => print(session, &markdown::dataset(table)),
        Format::Html | Format::Svg => {
            Err(Failure::Input("--format html and svg are for results; a list has no pictures".into()))
        }
    }
}
