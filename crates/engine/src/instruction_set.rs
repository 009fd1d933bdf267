//! The instruction sets of machines, and which of them this one has.

/// The instruction sets that lanes can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionSet {
    /// 32 lanes of 16 bits, or 64 of 8: AVX-512 with F, BW, DQ, VL, VBMI, VBMI2 and BITALG (AMD from Zen 4, Intel from
    /// Ice Lake).
    Avx512,
    /// 16 lanes of 16 bits, or 32 of 8: AVX2 (from about 2013).
    Avx2,
    /// As many lanes as with AVX2, in portable code.
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
            Self::Plain => "plain",
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

    /// Whether games in Rust have lanes with it: on x86-64 not with portable code, which takes longer to compile than the
    /// others together, for machines from before AVX2.
    pub const fn plays_games_in_rust(self) -> bool {
        cfg!(not(target_arch = "x86_64")) || !matches!(self, Self::Plain)
    }

    /// The widest instruction set that this machine has.
    pub fn best() -> Self {
        Self::ALL.into_iter().find(|set| set.is_available()).unwrap_or(Self::Plain)
    }
}
