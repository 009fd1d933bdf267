//! What a slider does: a small sweep along it. For a parameter of a policy the best value is marked; for an option of the rules
//! the fairest, where the same policy plays in several seats, and otherwise none, because players do not choose rules.

use serde::Deserialize;
use serde_json::{Value, json};
use stopwise_document::chart::{Plot, Tone};
use stopwise_document::{Cell, Chart, Dataset, Report, html};
use stopwise_reports::fair;

use super::picture::charts;
use super::setting::Setting;
use super::{Clerk, Wrong, document};
use crate::args::{Request, Sweep};
use crate::stop::StopToken;

/// The most trials of a point.
const MOST: u64 = 1_000_000;

/// The most values of an option that are tried one by one for whether they are valid.
const TRIED: usize = 100;

/// Which slider, and what is tried.
#[derive(Debug, Deserialize)]
pub(super) struct Along {
    setting: Setting,
    /// The option of the rules, or the parameter of the policy.
    name: String,
    /// Of a parameter, the number of its policy, from 0; `None` for an option of the rules.
    #[serde(default)]
    policy: Option<usize>,
    /// The values, as `--vary` takes them.
    values: String,
    trials: u64,
}

pub(super) fn along(clerk: &Clerk<'_>, asked: &Along, stop: &StopToken) -> Result<Value, Wrong> {
    let all = swept(clerk, asked, &asked.values, stop);
    let Err(Wrong(422, why)) = all else { return all };
    if asked.policy.is_some() || asked.values.split(',').count() > TRIED {
        return Err(Wrong(422, why));
    }
    // Some values of an option contradict the others.
    let fit = fitting(clerk, asked)?;
    if fit.len() < 2 || fit.join(",") == asked.values {
        return Err(Wrong(422, why));
    }
    swept(clerk, asked, &fit.join(","), stop)
}

/// The values that give valid rules.
fn fitting<'a>(clerk: &Clerk<'_>, asked: &'a Along) -> Result<Vec<&'a str>, Wrong> {
    let session = asked.setting.session(clerk.folder)?;
    let fits = |value: &&str| {
        let mut setting = asked.setting.clone();
        setting.set.insert(asked.name.clone(), (*value).to_owned());
        setting.rules(&session).is_ok()
    };
    Ok(asked.values.split(',').filter(fits).collect())
}

fn swept(clerk: &Clerk<'_>, asked: &Along, values: &str, stop: &StopToken) -> Result<Value, Wrong> {
    let mut setting = asked.setting.clone();
    let mut request = Sweep::of("pig");
    match asked.policy {
        None => {
            setting.set.remove(&asked.name);
            request.vary_rule = vec![format!("{}={values}", asked.name)];
        }
        Some(at) => {
            let several = setting.policies.len() > 1;
            if let Some(policy) = setting.policies.get_mut(at) {
                policy.params.remove(&asked.name);
            }
            let which = if several { format!("{}.", at + 1) } else { String::new() };
            request.vary = vec![format!("{which}{}={values}", asked.name)];
        }
    }
    request.game = setting.game();
    request.policy.policies = setting.policies();
    let is_alike = setting.policies.windows(2).all(|pair| pair[0] == pair[1]);
    // Equal policies need no rotation: the seats are compared.
    request.policy.rotate = setting.rotate && !(is_alike && asked.policy.is_none());
    request.metric.clone_from(&setting.metric);
    request.trials = asked.trials.clamp(2, MOST);
    request.paired = request.paired.min(request.trials);
    request.memory = clerk.share();
    clerk.common(&mut request.common, setting.seed);
    let report = document(clerk.ask(&asked.setting, Request::Sweep(request), stop)?)?;
    let swept = charts(&report).into_iter().next().cloned();
    let fair = if asked.policy.is_none() && is_alike { fair::settings(&report, &asked.name) } else { None };
    let (sought, points, chart) = match (asked.policy, fair) {
        (Some(_), _) => (json!("best"), best(&report)?, swept),
        (None, Some(settings)) => {
            let chart = fair::chart(&settings, &asked.name);
            (json!("fairest"), settings.iter().map(told).collect(), Some(chart))
        }
        (None, None) => (Value::Null, Vec::new(), swept.map(plain)),
    };
    Ok(json!({
        "sought": sought, "points": points, "answer": report.answer, "command": report.repeat,
        "of": chart.as_ref().map(|chart| &chart.title), "chart": chart.as_ref().map(|chart| html::chart(chart, 3)),
    }))
}

/// The values with their means, and which of them is best.
fn best(report: &Report) -> Result<Vec<Value>, Wrong> {
    let best = report.dataset("best.csv").ok_or_else(|| Wrong(500, "nothing was swept".into()))?;
    let points = best.rows.iter().map(|row| {
        json!({
            "value": row.first().map(Cell::written), "mean": named(best, row, "mean").value(),
            "best": named(best, row, "best").value(), "may": named(best, row, "may_be_best").value(),
        })
    });
    Ok(points.collect())
}

/// A value with how far the seats are apart, and which of them is fairest.
fn told(setting: &fair::Setting) -> Value {
    json!({
        "value": setting.value, "mean": setting.apart, "wins": setting.wins,
        "best": setting.tone == Tone::Best, "may": setting.tone != Tone::Plain,
    })
}

/// A chart without a point that stands out or is called the best.
fn plain(mut chart: Chart) -> Chart {
    chart.sentence = "The means along the slider, with 95 % intervals that hold together.".into();
    for (_, plot) in &mut chart.plots {
        if let Plot::Lines(lines) = plot {
            lines
                .series
                .iter_mut()
                .flat_map(|line| &mut line.points)
                .for_each(|point| point.tone = Tone::Plain);
        }
    }
    chart
}

/// The cell of a row in a column of this name.
fn named<'r>(table: &Dataset, row: &'r [Cell], column: &str) -> &'r Cell {
    let at = table.columns.iter().position(|heading| heading.name == column);
    at.and_then(|at| row.get(at)).unwrap_or(&Cell::Empty)
}
