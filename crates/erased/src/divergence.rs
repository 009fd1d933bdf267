//! The first decision at which two line-ups diverge, in words.

/// The first decision of a trial on which two line-ups differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// Who decides, from 0.
    pub seat: usize,
    /// The turn of that seat, from 1.
    pub turn: u32,
    /// The kind of decision.
    pub kind: &'static str,
    /// How many decisions came before it, forced ones included.
    pub before: usize,
    /// The decision of A.
    pub a: String,
    /// The decision of B in the same state.
    pub b: String,
    /// The contents of every place, one entry per place.
    pub places: Vec<(&'static str, String)>,
}
