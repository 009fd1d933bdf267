//! Detection of the machine's instruction set, and dispatch on it.

#[cfg(not(target_arch = "x86_64"))]
use super::plain::Plain as Baseline;
use super::simd::{Machine, Vector};
#[cfg(target_arch = "x86_64")]
use super::x86::baseline::Sse2 as Baseline;

/// The instruction sets that lanes can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionSet {
    /// 32 lanes of 16 bits, or 64 of 8: AVX-512 with F, BW, DQ, VL, VBMI, VBMI2 and BITALG (AMD from Zen 4, Intel from
    /// Ice Lake).
    Avx512,
    /// 16 lanes of 16 bits, or 32 of 8: AVX2 (from about 2013).
    Avx2,
    /// As many lanes as with AVX2, using only what every machine of its architecture has: SSE2, or portable code.
    Plain,
}

impl InstructionSet {
    /// All instruction sets, the widest first.
    pub const ALL: [Self; 3] = [Self::Avx512, Self::Avx2, Self::Plain];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Avx512 => "avx512",
            Self::Avx2 => "avx2",
            Self::Plain => Baseline::NAME,
        }
    }

    /// Whether this machine has it.
    pub fn is_available(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                Self::Avx2.is_available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512vbmi")
                    && is_x86_feature_detected!("avx512vbmi2")
                    && is_x86_feature_detected!("avx512bitalg")
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx512 | Self::Avx2 => false,
            Self::Plain => true,
        }
    }

    /// The widest instruction set that this machine has.
    pub fn best() -> Self {
        Self::ALL.into_iter().find(|set| set.is_available()).unwrap_or(Self::Plain)
    }
}

/// A computation that is generic over the instruction set. It chooses [`Vector::outlined`] jobs; only those jobs are
/// compiled with the instructions.
pub trait MachineJob {
    /// Its result.
    type Output;

    /// Runs the computation.
    fn run<M: Machine>(self, machine: M) -> Self::Output;
}

/// Runs a job with an instruction set.
///
/// # Panics
///
/// If the machine does not have the instruction set.
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
        _ => job.run(Baseline),
    }
}
