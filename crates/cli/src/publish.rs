//! Writes a finished report: the files of its directory, then stdout.

use stopwise_document::text::{Style, ascii, brief, text};
use stopwise_document::{Block, Dataset, Report, csv, html, json, markdown, svg};
use stopwise_reports::document::document;
use stopwise_reports::tables::{MOST, leave_out, left_out};

use crate::args::Format;
use crate::failure::Failure;
use crate::output::{
    self, Colour, Content, Directory, MANIFEST, PAGE, Written, note, print, print_painted, settled,
};
use crate::progress::Steps;
use crate::session::Session;

/// The width of a picture alone, in the units of SVG.
const PICTURE: u32 = 800;

/// The lines of a brief text: about those of a terminal.
const SCREEN: usize = 48;

/// The bytes of a manifest, given the report.
pub(crate) type Manifest<'m> = &'m (dyn Fn(&Report) -> serde_json::Result<Vec<u8>> + Sync);

/// Files that belong to no report, with their names.
pub(crate) type Beside<'b> = Vec<(&'static str, Told<'b>)>;

/// Tells a file, part by part.
pub(crate) type Told<'t> =
    Box<dyn Fn(&mut dyn FnMut(&[u8]) -> Result<(), Failure>) -> Result<(), Failure> + Send + Sync + 't>;

/// A file of these bytes.
pub(crate) fn whole<'t>(bytes: Vec<u8>) -> Told<'t> {
    Box::new(move |out| bytes.chunks(1 << 20).try_for_each(&mut *out))
}

/// Writes a report's files, if they are wanted, with those beside it, and prints it.
///
/// A large table that is being written when a signal comes is left out. A reader that has gone must not hide that a run
/// was cut short.
pub(crate) fn publish(
    session: &Session,
    mut report: Report,
    (directory, manifest, beside): (Option<Directory>, Manifest<'_>, &Beside<'_>),
    (format, quiet): (Format, bool),
    is_cut: bool,
) -> Result<Option<Written>, Failure> {
    report.notes = session.notes();
    let mut files = |name: &'static str, file: &mut Content<'_>| match name {
        MANIFEST => file.write(&manifest(&report)?).map(|()| true),
        PAGE => file.write(html::page(&report).as_bytes()).map(|()| true),
        name => match beside.iter().find(|(known, _)| *known == name) {
            Some((_, tell)) => tell(&mut |part| file.write(part)).map(|()| true),
            None => write(session, &mut report, name, file, quiet),
        },
    };
    // A signal that came after the last trial ends nothing that has to go on.
    let is_over = !is_cut || !session.is_ending();
    let written = match directory {
        Some(directory) if is_cut && directory.has_whole() => Ok(None),
        directory => directory.map(|directory| directory.finish(is_over, &mut files)).transpose(),
    };
    let printed = printed(session, &report, format);
    let written = settled(written, printed, is_cut)?;
    if let Some(message) = left_out(&report.left_out) {
        if !is_cut {
            return Err(Failure::Interrupted(format!("interrupted: results were being written. {message}")));
        }
        // The other formats have the warnings of the report.
        if matches!(format, Format::Csv | Format::Svg) {
            note(session, &format!("warning: {message}"));
        }
    }
    report.data.into_iter().filter(|table| table.rows.len() > MOST).for_each(Dataset::free);
    Ok(written)
}

/// Writes a table of a report into its file, unless it is left out, now or before.
fn write(
    session: &Session,
    report: &mut Report,
    name: &'static str,
    file: &mut Content<'_>,
    quiet: bool,
) -> Result<bool, Failure> {
    if report.left_out.contains(&name) {
        return Ok(false);
    }
    let table = report.dataset(name).ok_or_else(|| Failure::other(format!("no table {name}")))?;
    let goes_on = || table.rows.len() <= MOST || !session.is_ending();
    let pieces = csv::pieces(table);
    let count = 1 + table.rows.len().div_ceil(csv::PIECE);
    let steps = Steps::new(session, &format!("pieces of {name} written"), count, quiet);
    for piece in pieces.take_while(|_| goes_on()) {
        file.write(&piece.map_err(Failure::other)?)?;
        steps.step();
    }
    steps.finish();
    let is_whole = goes_on();
    if !is_whole {
        leave_out(report, name);
    }
    Ok(is_whole)
}

/// Whether anybody reads the datasets of a report: of thousands of pairs they take minutes.
pub(crate) fn are_data_read(session: &Session, directory: Option<&Directory>, format: Format) -> bool {
    let is_format_of_data = match format {
        Format::Csv | Format::Json | Format::Html => true,
        Format::Table | Format::Markdown | Format::Svg => false,
    };
    is_format_of_data || directory.is_some() || session.caller().is_some()
}

/// Whether anybody sees the pictures of a report: some take as long as the answer.
pub(crate) fn are_pictures_seen(session: &Session, directory: Option<&Directory>, format: Format) -> bool {
    let is_format_of_pictures = matches!(format, Format::Html | Format::Svg | Format::Markdown);
    is_format_of_pictures || directory.is_some() || session.caller().is_some()
}

/// Whether a page is made of a report, which says what was played.
pub(crate) fn is_page_made(session: &Session, directory: Option<&Directory>, format: Format) -> bool {
    format == Format::Html || directory.is_some() || session.caller().is_some()
}

/// Prints a report in a format, or hands it to the library.
pub(crate) fn printed(session: &Session, report: &Report, format: Format) -> Result<(), Failure> {
    if let Some(caller) = session.caller() {
        caller.said().report = Some(report.clone());
        return Ok(());
    }
    match format {
        Format::Table => {
            let style = Style { width: output::width(), is_coloured: Colour::of_stdout() == Colour::Always };
            let text = match report.brief {
                Some(more) => brief(report, style, SCREEN, more),
                None => text(report, style),
            };
            let text = if output::is_ascii() { ascii(&text) } else { text };
            if style.is_coloured { print_painted(session, &text) } else { print(session, &text) }
        }
        Format::Csv if report.data.is_empty() && !report.left_out.is_empty() => Ok(()),
        Format::Csv => {
            let main = report.data.first().ok_or_else(|| Failure::other("no table"))?;
            print(session, &String::from_utf8_lossy(&csv::csv(main).map_err(Failure::other)?))
        }
        Format::Json => print(session, &as_json(report)?),
        Format::Markdown => print(session, &markdown::markdown(report)),
        Format::Html => print(session, &html::page_alone(report)),
        Format::Svg => match first_picture(report) {
            Some(picture) => print(session, &picture),
            None => Err(Failure::Input("--format svg: there is nothing to draw; leave it out".into())),
        },
    }
}

/// A report as JSON.
pub(crate) fn as_json(report: &Report) -> Result<String, Failure> {
    Ok(document(json::json(report))?)
}

/// The first picture of a report, which says of what it is.
pub(crate) fn first_picture(report: &Report) -> Option<String> {
    let blocks = report.sections.iter().flat_map(|section| &section.blocks);
    let chart =
        blocks.into_iter().find_map(|block| if let Block::Chart(chart) = block { Some(chart) } else { None });
    let caption = format!("stopwise {} · {}", report.command, report.head);
    chart.map(|chart| svg::picture(chart, PICTURE, &caption))
}
