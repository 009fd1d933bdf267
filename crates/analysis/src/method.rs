//! Names of interval methods.

use std::fmt;

use stopwise_engine::vocabulary::grouped;

/// The method of an interval. It is displayed under the name that reports print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The exact interval of a share (Clopper and Pearson).
    Exact,
    /// A linear combination of independent shares: exact limits by MOVER (Newcombe 1998).
    Mover,
    /// [`Method::Mover`] over the rotations of a line-up.
    MoverOverRotations,
    /// [`Method::Mover`] over the tables of a round robin, simultaneous for all policies and pairs.
    MoverOverTables,
    /// Student's t for the mean of a fixed number of trials, guarded against values that did not occur.
    Student,
    /// Order statistics around a quantile.
    OrderStatistics,
    /// A band around the distribution function from order statistics, carried through.
    Band,
    /// Order statistics around two quantiles, each at half of α.
    TwoOrderStatistics,
    /// The standard error of a standard deviation, from the fourth moment.
    FourthMoment,
    /// The normal approximation for a fixed number of trials.
    Normal,
    /// [`Method::Student`] for the mean of paired differences.
    Paired,
    /// The difference of two paired shares: exact limits of the two kinds of trials that differ, by MOVER.
    PairedShares,
    /// The difference of two intervals, each at half of α, under any dependence.
    TwoIntervals,
    /// A paired gap over a standard deviation, each at half of α.
    GapOverDeviation,
    /// No method: a policy is compared with itself.
    SamePolicy,
    /// Multiple comparisons with the best point of a grid.
    WithBest(Pairing),
    /// The differences between the levels of all axes of a grid, simultaneous.
    AllLevels(Pairing),
    /// A confidence sequence for a share, or for a difference of two paired shares, from beta-binomial mixtures.
    AnytimeShare,
    /// Order statistics around one quantile or two, from confidence sequences for shares.
    AnytimeOrderStatistics,
    /// The asymptotic confidence sequence for a mean.
    AnytimeMean,
    /// The guarded asymptotic sequence for a mean.
    AnytimeGuardedMean,
    /// A linear combination of independent shares, each by a confidence sequence at its part of α.
    AnytimeShares,
    /// The empirical Bernstein sequence for a paired difference in a known range.
    AnytimePairedBounded,
    /// The guarded asymptotic sequence for a paired difference.
    AnytimePaired,
    /// Empirical Bernstein sequences for all means and differences of a race, simultaneous.
    RaceBounded,
    /// Guarded asymptotic sequences for all means and differences of a race, simultaneous.
    Race,
}

/// The origin of the standard deviations of differences between the points of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// From each point's own trials: an upper bound under any dependence.
    AnyDependence,
    /// From all trials, paired.
    All,
    /// From this many first trials, paired.
    First(u64),
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Exact => "exact (Clopper-Pearson)",
            Self::Mover => "MOVER",
            Self::MoverOverRotations => "MOVER over the rotations",
            Self::MoverOverTables => "exact shares and MOVER, fixed n; simultaneous",
            Self::Normal => "normal, fixed n",
            Self::Student => "Student's t, fixed n",
            Self::OrderStatistics => "order statistics",
            Self::Band => "distribution band, Bonferroni",
            Self::TwoOrderStatistics => "order statistics, Bonferroni",
            Self::FourthMoment => "fourth moment, fixed n",
            Self::Paired => "paired, Student's t, fixed n",
            Self::PairedShares => "exact shares and MOVER, paired",
            Self::TwoIntervals => "both intervals, Bonferroni",
            Self::GapOverDeviation => "paired gap and fourth moment, Bonferroni",
            Self::SamePolicy => "the same policy",
            Self::WithBest(pairing) => {
                return write!(f, "multiple comparisons with the best, fixed n, {pairing}");
            }
            Self::AllLevels(pairing) if f.alternate() => {
                return write!(f, "all levels together (Bonferroni), fixed n, {pairing}");
            }
            Self::AllLevels(pairing) => {
                return write!(f, "all levels together, Bonferroni, fixed n, {pairing}");
            }
            Self::AnytimeShare => "anytime-valid, beta-binomial",
            Self::AnytimeOrderStatistics => "anytime-valid, order statistics, Bonferroni",
            Self::AnytimeMean => "anytime-valid, asymptotic",
            Self::AnytimeGuardedMean => "anytime-valid, asymptotic, guarded",
            Self::AnytimeShares => "anytime-valid, beta-binomial, Bonferroni",
            Self::AnytimePairedBounded => "paired, anytime-valid, empirical Bernstein",
            Self::AnytimePaired => "paired, anytime-valid, asymptotic, guarded",
            Self::RaceBounded => "empirical Bernstein sequence; simultaneous",
            Self::Race => "asymptotic confidence sequence, guarded; simultaneous",
        };
        f.write_str(name)
    }
}

impl Method {
    /// The method in words for people, without statisticians' terms for anytime-valid and simultaneous intervals.
    /// Reports for programs contain the name.
    pub fn in_words(self) -> String {
        match self {
            Self::Mover => "from the exact limits of its parts, by MOVER".into(),
            Self::MoverOverRotations => "from the exact limits of every rotation, by MOVER".into(),
            Self::MoverOverTables => {
                "from the exact limits at every table, by MOVER; all hold together".into()
            }
            Self::TwoOrderStatistics => "order statistics, each at half the error".into(),
            Self::Exact => "exact".into(),
            Self::Normal => "normal".into(),
            Self::Student => "Student's t".into(),
            Self::Band => "by limits of the whole distribution".into(),
            Self::FourthMoment => "by the fourth moment".into(),
            Self::Paired => "Student's t, from the differences trial by trial".into(),
            Self::PairedShares => "exact shares of the trials that differ".into(),
            Self::TwoIntervals => "both intervals, each at half the error".into(),
            Self::GapOverDeviation => {
                "from the differences trial by trial and by the fourth moment, each at half the error".into()
            }
            Self::WithBest(pairing) => {
                format!("every setting against the best, all hold together; {}", pairing.in_words())
            }
            Self::AllLevels(pairing) => format!("all levels together; {}", pairing.in_words()),
            Self::AnytimeShare
            | Self::AnytimeShares
            | Self::AnytimeOrderStatistics
            | Self::AnytimeMean
            | Self::AnytimeGuardedMean => "holds at every moment of the run".into(),
            Self::AnytimePairedBounded | Self::AnytimePaired => {
                "from the differences trial by trial; holds at every moment of the run".into()
            }
            Self::RaceBounded | Self::Race => "holds at every moment of the race, all together".into(),
            Self::OrderStatistics | Self::SamePolicy => self.to_string(),
        }
    }
}

impl Pairing {
    fn in_words(self) -> String {
        match self {
            Self::AnyDependence => "whatever the settings have in common".into(),
            Self::All => "from the differences trial by trial".into(),
            Self::First(trials) => format!("from the differences in the first {} trials", grouped(trials)),
        }
    }
}

impl fmt::Display for Pairing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AnyDependence => f.write_str("any dependence"),
            Self::All => f.write_str("paired"),
            Self::First(trials) => write!(f, "paired in the first {trials} trials"),
        }
    }
}
