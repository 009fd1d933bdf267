//! Which instructions the machine has, asked once, at the edge.

#[cfg(not(target_arch = "x86_64"))]
use super::plain::Plain as Baseline;
use super::simd::{Machine, Vector};
#[cfg(target_arch = "x86_64")]
use super::x86::baseline::Sse2 as Baseline;

/// Instructions that the lanes can run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionSet {
    /// 32 lanes of 16 bits, or 64 of 8: AVX-512 with F, BW, DQ, VL, VBMI, VBMI2 and BITALG (AMD from Zen 4, Intel from
    /// Ice Lake).
    Avx512,
    /// 16 lanes of 16 bits, or 32 of 8: AVX2 (from about 2013).
    Avx2,
    /// As many lanes as AVX2 with what every machine of its kind has: SSE2, or plain code.
    Plain,
}

impl InstructionSet {
    /// All of them, the widest first.
    pub const ALL: [Self; 3] = [Self::Avx512, Self::Avx2, Self::Plain];

    /// What it is called in reports.
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

    /// The widest that this machine has.
    pub fn best() -> Self {
        Self::ALL.into_iter().find(|set| set.is_available()).unwrap_or(Self::Plain)
    }
}

/// Something to do with whichever instructions there are: choices that lead to [`Vector::outlined`] jobs, which alone are
/// compiled to the instructions.
pub trait MachineJob {
    /// What comes out.
    type Output;

    /// Does it.
    fn run<M: Machine>(self, machine: M) -> Self::Output;
}

/// Runs a job with a set of instructions.
///
/// # Panics
///
/// If the machine does not have it.
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
