//! Games as text: the language, its compiler, and the machine that plays the compiled program.

mod apart;
mod arithmetic;
mod cells;
mod check;
mod code;
mod compile;
mod every;
mod failure;
mod format;
mod host;
mod ir;
mod kept;
mod known;
pub mod lanes;
mod layout;
mod lex;
mod lower;
mod machine;
mod mask;
mod meeting;
mod met;
mod op;
mod outlook;
mod parse;
mod pool;
mod position;
mod problem;

mod prose;
mod pure_loop;
pub mod reference;
mod repeat;
mod row;
mod rules;
mod same;
mod scene;
mod script;
mod seen;
mod set;
mod spoken;
mod state;
pub mod syntax;
mod tell;
mod text;
mod totals;
mod variables;
mod varied;
mod view;
mod visit;
mod vocabulary;
mod watch;
mod words;

pub use check::{Checked, check};
pub use failure::Failure;
pub use format::format;
pub use lex::decode;
pub use op::{GameOption, Program, Values};
pub use pool::{Shown, Throw};
pub use problem::{Problem, Span, TextError, place};
pub use script::Script;
pub use state::State;
pub use tell::tell;
pub use text::{Expect, GameText, Preset, STANDARD};

/// Reads a text into its syntax tree.
///
/// # Errors
///
/// All mistakes of its form.
pub fn read(text: &str) -> Result<syntax::File, TextError> {
    parse::parse(text).map_err(|problems| problem::error(text, problems))
}

/// Compiles a game for these values of its options; options that are not given have those of the text.
///
/// # Errors
///
/// All mistakes that are found under these options.
pub fn compile(text: &str, options: &[(String, String)]) -> Result<Program, TextError> {
    let file = read(text)?;
    let given = compile::given(&file, options);
    compile::compile(&file, &given).map_err(|problems| problem::error(text, problems))
}
