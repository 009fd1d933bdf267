//! Dispatch on the machine's instruction set.

use super::plain::Plain;
use super::simd::Machine;
pub use crate::instruction_set::InstructionSet;

/// A computation that is generic over the instruction set. It chooses jobs to be
/// [outlined](super::simd::Vector::outlined); only those are compiled with the instructions.
pub trait MachineJob {
    /// Its result.
    type Output;
    /// Whether it is compiled for portable code.
    const IS_PORTABLE: bool = true;

    /// Runs the computation.
    fn run<M: Machine>(self, machine: M) -> Self::Output;
}

/// Runs a job with an instruction set.
///
/// # Panics
///
/// If the machine does not have the instruction set, or the job is not compiled for it.
pub fn on_machine<J: MachineJob>(set: InstructionSet, job: J) -> J::Output {
    assert!(set.is_available(), "this machine has no {}", set.name());
    match set {
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code, reason = "asserted above")]
        // SAFETY: the machine was asked.
        InstructionSet::Avx512 => job.run(unsafe { super::x86::Avx512::new() }),
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code, reason = "asserted above")]
        // SAFETY: the machine was asked.
        InstructionSet::Avx2 => job.run(unsafe { super::x86::Avx2::new() }),
        _ if const { J::IS_PORTABLE } => job.run(Plain),
        _ => panic!("portable code is not compiled"),
    }
}
