//! Games as text: the language, its compiler, and the machine that plays the compiled program.

mod lex;
mod parse;
mod problem;
pub mod syntax;

pub use lex::decode;
pub use problem::{Problem, Span, TextError, place};

/// Reads a text into its syntax tree.
///
/// # Errors
///
/// All mistakes of its form.
pub fn read(text: &str) -> Result<syntax::File, TextError> {
    parse::parse(text).map_err(|problems| TextError::new(text, problems))
}
