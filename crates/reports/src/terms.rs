//! What the words of a report mean.

use stopwise_engine::game::{Ending, Metric};

use crate::numbers::as_read;

/// Metrics and endings, with their meaning.
pub(crate) fn of(metrics: &[Metric], endings: &[Ending]) -> Vec<(String, String)> {
    let metrics = metrics
        .iter()
        .map(|metric| (metric.word().to_owned(), format!("{} ({})", metric.meaning, as_read(metric).1)));
    let endings = endings.iter().map(|ending| {
        let early = if ending.early { "; the game ends early" } else { "" };
        (ending.name.to_owned(), format!("an ending: {}{early}", ending.meaning))
    });
    metrics
        .chain(endings)
        .chain(GENERAL.map(|(word, meaning)| (word.to_owned(), meaning.to_owned())))
        .collect()
}

/// What every report uses.
const GENERAL: [(&str, &str); 6] = [
    ("trial", "one game, whose rolls and draws depend on the seed and the trial's number alone"),
    ("mean", "the sum over all trials, divided by their number"),
    ("95 %", "an interval made in such a way that 95 of 100 hold the true value"),
    ("std dev", "standard deviation: how far single trials lie from the mean"),
    ("median", "half of the trials have this value or less"),
    ("bust", "a turn lost to chance"),
];
