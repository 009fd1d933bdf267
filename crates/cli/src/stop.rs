//! Asking a call to end in order.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

/// The number of the signal of Ctrl-C.
pub(crate) const CTRL_C: i32 = 2;

/// Asks a call to end in order: what is complete is found, within two seconds. All clones are of the same call.
#[derive(Clone, Debug, Default)]
pub struct StopToken(Arc<AtomicI32>);

impl StopToken {
    /// Asks, as Ctrl-C asks the program.
    pub fn end(&self) {
        self.signalled(CTRL_C);
    }

    /// Whether the call has been asked to end.
    #[must_use]
    pub fn is_ending(&self) -> bool {
        self.0.load(Ordering::SeqCst) != 0
    }

    /// A signal asks; whether it is the first.
    pub(crate) fn signalled(&self, signal: i32) -> bool {
        self.0.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }

    /// The exit code of a program that was cut short: 128 and the number of the signal, that of Ctrl-C if there was none.
    pub(crate) fn exit_code(&self) -> u8 {
        let signal = self.0.load(Ordering::SeqCst);
        u8::try_from(128 + if signal == 0 { CTRL_C } else { signal }).unwrap_or(u8::MAX)
    }
}
