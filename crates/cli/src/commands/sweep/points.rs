//! The points of a grid, all checked before the first is played.

use stopwise_engine::game::{Game, Metric};
use stopwise_policy::TextPolicy;

use crate::args::Sweep;
use crate::failure::Failure;
use crate::grid::{Grid, Of};
use crate::report::one_label;
use crate::report::sweep::tables::is_column;
use crate::runner::Chosen;
use crate::setup::{NamedRules, Playable, PolicySpec, check_seats, played_in_turn, rules, unknown};

/// A grid that can be played.
#[derive(Debug)]
pub(super) struct Points<G: Game> {
    pub(super) grid: Grid,
    /// The names of what does not vary.
    pub(super) rules: String,
    pub(super) policy: String,
    /// Index of the metric, the same at all points.
    pub(super) metric: usize,
    pub(super) points: Vec<Point<G>>,
}

/// One point: who plays, under which rules, and on which runner.
#[derive(Debug)]
pub(super) struct Point<G: Game> {
    pub(super) rules: NamedRules<G>,
    pub(super) lineups: Vec<Vec<TextPolicy<G>>>,
    pub(super) runner: Chosen,
}

/// Reads the arguments and makes every point.
pub(super) fn prepare<G: Playable>(args: &Sweep) -> Result<Points<G>, Failure> {
    if args.vary.is_empty() && args.vary_rule.is_empty() {
        return Err(Failure::Input(
            "nothing varies: add --vary NAME=LIST for a parameter of the policy, such as k=1..5, or --vary-rule \
             KEY=LIST for an option of the rules; for a single point use `stopwise simulate`"
                .into(),
        ));
    }
    if args.trials == 0 {
        return Err(Failure::Input("--trials 0: write 1 or more".into()));
    }
    let grid = Grid::new(&args.vary, &args.vary_rule)?;
    if let Some(axis) = grid.axes.iter().find(|axis| is_column(&axis.name)) {
        return Err(Failure::Input(format!(
            "`{0}` is a column of the tables; write --vary 1.{0}=… for the first policy's parameter",
            axis.name
        )));
    }
    let first = grid.rules::<G>(0, &args.game)?.rules;
    check_seats(&first, &args.policy.policies)?;
    let specs = args.policy.policies.iter().map(|spec| PolicySpec::parse(spec, Some(G::NAME)));
    let specs: Vec<_> = specs.collect::<Result<_, _>>()?;
    let bindings = grid.bind(&first, &specs)?;
    let (metric, about) = metric(&first, args.metric.as_deref())?;

    let point = |at: usize| {
        let NamedRules { name, rules } = grid.rules::<G>(at, &args.game)?;
        check_seats(&rules, &args.policy.policies)?;
        if rules.metrics().get(metric) != Some(&about) {
            return Err(Failure::Input(format!(
                "{}: the metric `{}` is not what it is at {}; add --metric with one that all points share",
                grid.label(at),
                about.name,
                grid.label(0)
            )));
        }
        let lineups =
            played_in_turn(&rules, grid.policies(at, &rules, &specs, &bindings)?, args.policy.rotate)?;
        let runner = Chosen::new(args.runner, &rules, &lineups)?;
        Ok(Point { rules: NamedRules { name, rules }, lineups, runner })
    };
    let points: Vec<_> = (0..grid.points()).map(point).collect::<Result<_, _>>()?;
    let rules = match grid.axes.iter().any(|axis| axis.of == Of::Preset) {
        true => "varied".into(),
        false => rules::<G>(&args.game)?.name,
    };
    let labels: Vec<_> = points[0].lineups[0].iter().zip(&bindings).map(label).collect();
    let policy = one_label(&labels);
    Ok(Points { grid, rules, policy, metric, points })
}

/// The metric that was asked for, or the first.
fn metric<G: Playable>(rules: &G, wanted: Option<&str>) -> Result<(usize, Metric), Failure> {
    let metrics = rules.metrics();
    let Some(wanted) = wanted else { return Ok((0, metrics[0])) };
    let found = metrics.iter().position(|metric| metric.name == wanted);
    let found = found.ok_or_else(|| unknown("metric", wanted, metrics.iter().map(|metric| metric.name)))?;
    Ok((found, metrics[found]))
}

/// A policy with those of its parameters that do not vary.
fn label<G: Playable>((policy, bound): (&TextPolicy<G>, &Vec<(usize, String)>)) -> String {
    let is_fixed = |name: &String| bound.iter().all(|(_, other)| other != name);
    let fixed = policy.parameters().iter().filter(|parameter| is_fixed(&parameter.name));
    let values: Vec<_> = fixed.map(|parameter| format!("{}={}", parameter.name, parameter.value())).collect();
    let mark = if values.is_empty() { "" } else { ":" };
    format!("{}{mark}{}", policy.name(), values.join(","))
}
