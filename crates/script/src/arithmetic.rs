//! Registers, and what is done with two of them.

/// The number of a register.
pub(crate) type Reg = u32;

/// Operations on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Bin {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Min,
    Max,
    Eq,
    Ne,
    Lt,
    Le,
    And,
    Or,
    Shl,
    Shr,
}

impl Bin {
    /// The result; divisions by zero are kept out by checks, and give 0.
    #[inline(always)]
    pub(crate) fn apply(self, a: i64, b: i64) -> i64 {
        match self {
            Self::Add => a.wrapping_add(b),
            Self::Sub => a.wrapping_sub(b),
            Self::Mul => a.wrapping_mul(b),
            Self::Div => a.checked_div(b).unwrap_or(0),
            Self::Rem => a.checked_rem(b).unwrap_or(0),
            Self::Min => a.min(b),
            Self::Max => a.max(b),
            Self::Eq => i64::from(a == b),
            Self::Ne => i64::from(a != b),
            Self::Lt => i64::from(a < b),
            Self::Le => i64::from(a <= b),
            Self::And => a & b,
            Self::Or => a | b,
            Self::Shl => a << (b & 63),
            Self::Shr => a >> (b & 63),
        }
    }
}
