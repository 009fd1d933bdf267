//! The sweep report as JSON; `null` where nothing is known.

use serde_json::{Map, Value, json};

use super::{GridComparison, SweepReport};
use crate::failure::Failure;
use crate::report::document::document;
use crate::report::words::limits;

/// The whole document.
pub(crate) fn json(swept: &SweepReport) -> Result<String, Failure> {
    let axis = |axis: &crate::grid::Axis| json!({ "name": axis.name, "levels": axis.levels });
    let points = swept.points.iter().enumerate().map(|(at, point)| {
        let values = swept.grid.axes.iter().zip(swept.grid.values(at));
        let values = values.map(|(axis, value)| (axis.name.clone(), value.into())).collect::<Map<_, _>>();
        let mut value = json!({
            "values": values, "rules": point.rules, "policy": point.policy, "seats": point.seats,
        });
        if let Some(compared) = &swept.compared {
            let standing = &compared.best.standings[at];
            let [low, high] = limits(standing.loss.and_then(|loss| loss.interval));
            value["mean"] = compared.cells.mean(at).into();
            value["loss"] =
                json!({ "value": standing.loss.map(|loss| loss.value), "low": low, "high": high });
            value["may_be_best"] = standing.is_possible.into();
        }
        value
    });
    let mut value = json!({
        "game": swept.game, "rules": swept.rules, "seed": swept.seed, "trials_a_point": swept.trials,
        "stream_scheme": stopwise_engine::stream::SCHEME, "metric": swept.metric.name, "unit": swept.metric.unit,
        "axes": swept.grid.axes.iter().map(axis).collect::<Vec<_>>(), "points": points.collect::<Vec<_>>(),
    });
    if let Some(compared) = &swept.compared {
        value["best"] = compared.best.cell.into();
        value["pairing"] = compared.cells.pairing().to_string().into();
        value["sensitivity"] = effects(swept, compared);
    }
    document(value)
}

fn effects(swept: &SweepReport, compared: &GridComparison) -> Value {
    let axes = swept.grid.axes.iter().zip(&compared.effects).map(|(axis, effect)| {
        let levels = effect.levels.iter().zip(&axis.levels).map(|(level, name)| {
            let [low, high] = limits(level.more.and_then(|more| more.interval));
            json!({
                "level": name, "mean": level.mean, "difference": level.more.map(|more| more.value), "low": low,
                "high": high,
            })
        });
        let [low, high] = limits(effect.range.interval);
        json!({
            "axis": axis.name, "levels": levels.collect::<Vec<_>>(), "best": axis.levels[effect.best],
            "worst": axis.levels[effect.worst], "apart": effect.range.value, "apart_low": low, "apart_high": high,
        })
    });
    axes.collect()
}
