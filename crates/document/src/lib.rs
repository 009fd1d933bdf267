//! What a command found, as one document, and the renderers that write it.
//!
//! A [`Report`] has sentences, tables for people ([`View`]), charts as data ([`Chart`]) and typed tables for programs
//! ([`Dataset`]). Commands build it; the renderers know nothing of commands: [`text`], [`csv`], [`json`], [`markdown`] and
//! [`html`], a page with its pictures ([`svg`]).
//!
//! ```
//! use stopwise_document::{Report, Section, View, markdown};
//!
//! let mut games = View::new("Games").texts("name").numbers("seats");
//! games.row(["pig", "2"]);
//! let mut section = Section::new("What can be played");
//! section.view(games);
//! let report = Report { head: "One game".into(), sections: vec![section], ..Report::default() };
//! let page = markdown::markdown(&report);
//! assert!(page.starts_with("**One game**\n\n### What can be played\n"), "{page}");
//! assert!(page.contains("| pig  |     2 |"), "{page}");
//! ```

pub mod cell;
mod characters;
pub mod chart;
pub mod csv;
pub mod dataset;
pub mod html;
pub mod json;
pub mod markdown;
mod minus;
pub mod report;
pub mod rounding;
pub mod svg;
pub mod text;
pub mod value;
pub mod view;

pub use cell::Cell;
pub use chart::Chart;
pub use dataset::{Dataset, Heading, Sheet};
pub use report::{Block, Fact, Folded, Report, Section};
pub use rounding::Rounding;
pub use value::{DataType, Number, Real, Value};
pub use view::View;
