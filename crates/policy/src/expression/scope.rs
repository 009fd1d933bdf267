//! The names that an expression may use.

use stopwise_engine::vocabulary::Feature;

use super::chance::Chances;
use super::parameter::Parameter;

/// The names that an expression may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope<'s> {
    pub(crate) features: &'s [Feature],
    pub(crate) parameters: &'s [Parameter],
    pub(crate) chances: Chances<'s>,
}

impl<'s> Scope<'s> {
    /// All names.
    pub(crate) fn names(self) -> impl Iterator<Item = &'s str> {
        let features = self.features.iter().map(|feature| feature.name).filter(|name| !name.is_empty());
        features.chain(self.parameters.iter().map(|parameter| parameter.name.as_str()))
    }
}
