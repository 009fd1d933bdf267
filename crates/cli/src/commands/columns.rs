//! `columns`: the data dictionary.

use stopwise_document::Sheet;

use crate::args::Columns;
use crate::dictionary::{Entry, known, text};
use crate::failure::Failure;
use crate::listing::print_list;
use crate::session::Session;
use crate::setup::unknown;

pub(crate) fn columns(session: &Session, args: &Columns) -> Result<(), Failure> {
    let mut wanted = known();
    if let Some(file) = &args.file {
        if wanted.iter().all(|entry| entry.file != *file) {
            let mut files: Vec<_> = wanted.iter().map(|entry| entry.file).collect();
            files.dedup();
            return Err(unknown("file", file, &mut files.into_iter()));
        }
        wanted.retain(|entry| entry.file == *file);
    }
    let table = Sheet::<&Entry>::new("columns.csv")
        .column("file", "", "the file", |entry| entry.file)
        .column("column", "", "the column", |entry| entry.name.as_ref())
        .column("unit", "", "what one of it is; empty for texts and plain numbers", |entry| {
            entry.unit.as_ref()
        })
        .column("meaning", "", "what it means", |entry| entry.meaning.as_ref())
        .fill(&wanted);
    print_list(session, args.format, &table, &|| text(&wanted))
}
