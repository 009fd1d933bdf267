//! The columns of a file of trials: the one place that has their names, types and meanings.

use stopwise_engine::game::Metric;

use super::TrialRows;

/// A column of a file of trials. Every row has a value.
#[derive(Clone, Copy, Debug)]
pub struct TrialColumn {
    /// Its name, a contract with scripts.
    pub name: &'static str,
    /// What it means, in a sentence without a full stop.
    pub meaning: &'static str,
    pub(super) data_type: Type,
}

/// A type, by its number in Parquet. Numbers are signed, because NumPy and polars compute differences of unsigned ones wrongly
/// without a warning; and wide even where they are small, as readers of CSV take them: tables of both can be stacked, and
/// behind a dictionary a wide one takes no more room.
#[derive(Clone, Copy, Debug)]
pub(super) enum Type {
    Boolean = 0,
    Int64 = 2,
    Double = 5,
    ByteArray = 6,
}

/// The columns that all games have.
pub const TRIAL_COLUMNS: [TrialColumn; 4] = [
    TrialColumn {
        name: "trial",
        meaning: "the number of the trial, from 0, for `replay --trial`; there is a row for each of its seats",
        data_type: Type::Int64,
    },
    TrialColumn { name: "seat", meaning: "from 1", data_type: Type::Int64 },
    TrialColumn {
        name: "policy",
        meaning: "who plays in this seat in this trial: rotated policies move",
        data_type: Type::ByteArray,
    },
    TrialColumn {
        name: "ending",
        meaning: "how the game ended, as in endings.csv",
        data_type: Type::ByteArray,
    },
];

/// What stands for the columns of the metrics.
pub const METRIC_COLUMN: TrialColumn = TrialColumn {
    name: "METRIC",
    meaning: "a column for each metric of the game, with the name and the unit that it has in summary.csv",
    data_type: Type::Int64,
};

/// The type of a metric's column: a share of a win is no whole number.
fn data_type(metric: &Metric) -> Type {
    if metric.is_share() { Type::Double } else { METRIC_COLUMN.data_type }
}

/// A number of a trial, plain.
pub(super) fn plain(metric: &Metric, value: u32) -> [u8; 8] {
    match metric.is_share() {
        true => metric.read(value).to_le_bytes(),
        false => u64::from(value).to_le_bytes(),
    }
}

impl TrialRows {
    /// Names and types of all columns, in order.
    pub(super) fn columns(&self) -> impl ExactSizeIterator<Item = (&'static str, Type)> {
        let metrics = self.metrics.iter();
        let of_all: Vec<_> = TRIAL_COLUMNS
            .iter()
            .map(|column| (column.name, column.data_type))
            .chain(metrics.map(|metric| (metric.name, data_type(metric))))
            .collect();
        of_all.into_iter()
    }
}
