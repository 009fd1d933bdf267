//! The end of a run that stops by looking.

use stopwise_document::Report;

/// Why a run ended whose number of trials was not fixed.
#[derive(Clone, Debug)]
pub struct Stopped {
    /// In a sentence.
    pub why: String,
    /// Whether what was asked for was known in the end; nothing if the clock alone decided.
    pub is_reached: Option<bool>,
}

impl Stopped {
    pub(crate) fn facts(&self, report: &mut Report) {
        report.fact("stopped", &self.why);
        if let Some(is_reached) = self.is_reached {
            report.fact("reached", is_reached);
        }
    }
}
