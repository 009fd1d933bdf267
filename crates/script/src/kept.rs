//! What programs have in common, kept once: the same game under other options mostly has the same tables.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Values that are kept as long as the process lives, each once.
pub(crate) struct Kept<T: 'static>(Mutex<Vec<&'static T>>);

impl<T: PartialEq> Kept<T> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// The value that is kept and equal, which may be this one.
    pub(crate) fn one_of(&self, value: T) -> &'static T {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(same) = kept.iter().find(|same| ***same == value) {
            return same;
        }
        let new: &'static T = Box::leak(Box::new(value));
        kept.push(new);
        new
    }
}

/// A text that is kept as long as the process lives, once.
pub(crate) fn leaked(text: &str) -> &'static str {
    static KEPT: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(same) = kept.get(text) {
        return same;
    }
    let new: &'static str = Box::leak(text.into());
    kept.insert(new);
    new
}
