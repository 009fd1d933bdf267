//! Mistakes in texts, as data.

use stopwise_policy::TextError;
use stopwise_script::place;

/// A mistake in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The file, by its path, or what else the text is called.
    pub file: String,
    /// The line, from 1; none of what is wrong with the text as a whole.
    pub line: Option<usize>,
    /// The column, from 1, in characters.
    pub column: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

impl Mistake {
    /// All mistakes of a text.
    pub(crate) fn all(error: &TextError) -> Vec<Self> {
        let mistakes = error.problems.iter().map(|problem| {
            let place = (problem.span != (0..0)).then(|| place(&error.text, problem.span.start));
            Self {
                file: error.file.clone(),
                line: place.map(|(line, _)| line),
                column: place.map(|(_, column)| column),
                message: problem.message.clone(),
                help: problem.help.clone(),
            }
        });
        mistakes.collect()
    }
}
