//! Who may end a run before it takes a step.

/// Says which steps are not taken.
pub(crate) trait Watch {
    /// Whether the run ends before a step.
    fn keeps_out(&self, step: usize) -> bool;
}

/// All are taken.
impl Watch for () {
    #[inline(always)]
    fn keeps_out(&self, _: usize) -> bool {
        false
    }
}

impl Watch for &dyn Watch {
    fn keeps_out(&self, step: usize) -> bool {
        (**self).keeps_out(step)
    }
}
