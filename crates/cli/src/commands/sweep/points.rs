//! The points of a grid, all of them checked before the first is played.

use stopwise_edge::{AnyPolicy, NamedRules};
use stopwise_engine::game::Metric;
use stopwise_findings::grid::Grid;
use stopwise_findings::one_label;
use stopwise_findings::sweep::sheets::is_column;

use crate::args::Sweep;
use crate::failure::Failure;
use crate::grid::{Bindings, Varied};
use crate::progress::Steps;
use crate::runner::Chosen;
use crate::setup::{Player, check_seats, metric, played_in_turn, rules};

/// A grid whose every point can be played.
///
/// Points are made when they are needed: ten thousand compiled policies would fill the better part of a gigabyte.
#[derive(Debug)]
pub(super) struct Points<'a> {
    varied: Varied,
    args: &'a Sweep,
    specs: Vec<Player>,
    bindings: Bindings,
    /// Index of the metric, the same at all points, and what it is.
    pub(super) metric: usize,
    pub(super) about: Metric,
    /// The first of them.
    pub(super) first: Point,
}

/// One point: who plays, under which rules, and on which runner.
#[derive(Debug)]
pub(super) struct Point {
    pub(super) rules: NamedRules,
    pub(super) lineups: Vec<Vec<AnyPolicy>>,
    pub(super) runner: Chosen,
}

impl<'a> Points<'a> {
    /// What varies.
    pub(super) fn grid(&self) -> &Grid {
        &self.varied.grid
    }

    /// Reads the arguments and checks every point.
    pub(super) fn new(args: &'a Sweep) -> Result<Self, Failure> {
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
        let varied = Varied::new(&args.vary, &args.vary_rule)?;
        if let Some(axis) = varied.grid.axes.iter().find(|axis| is_column(&axis.name)) {
            return Err(Failure::Input(format!(
                "`{0}` is a column of the tables; write --vary 1.{0}=… for the first policy's parameter",
                axis.name
            )));
        }
        let rules = varied.rules(0, &args.game)?;
        check_seats(&*rules.rules, &args.policy.policies)?;
        let specs = args.policy.policies.iter().map(|spec| Player::parse(spec, rules.rules.game()));
        let specs: Vec<_> = specs.collect::<Result<_, _>>()?;
        let bindings = varied.bind(&*rules.rules, &specs)?;
        let metric = metric(&*rules.rules, args.metric.as_deref())?;
        let about = rules.rules.metrics()[metric];
        let first = played(rules, &varied, 0, &specs, &bindings, args)?;
        let points = Self { varied, args, specs, bindings, metric, about, first };
        let steps = Steps::new("points read", points.count() - 1, args.common.quiet);
        for at in 1..points.count() {
            points.point(at)?;
            steps.step();
        }
        steps.finish();
        Ok(points)
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.grid().points()
    }

    /// One of them.
    pub(super) fn point(&self, at: usize) -> Result<Point, Failure> {
        let rules = self.varied.rules(at, &self.args.game)?;
        check_seats(&*rules.rules, &self.args.policy.policies)?;
        if rules.rules.metrics().get(self.metric) != Some(&self.about) {
            return Err(Failure::Input(format!(
                "{}: the metric `{}` is not what it is at {}; add --metric with one that all points share",
                self.grid().label(at),
                self.about.name,
                self.grid().label(0)
            )));
        }
        played(rules, &self.varied, at, &self.specs, &self.bindings, self.args)
    }

    /// The name of the rules but for what varies.
    pub(super) fn rules(&self) -> Result<String, Failure> {
        match self.varied.is_of_presets() {
            true => Ok("varied".into()),
            false => Ok(rules(&self.args.game)?.name),
        }
    }

    /// The policies but for what varies.
    pub(super) fn policies(&self) -> String {
        let labels: Vec<_> = self.first.lineups[0].iter().zip(&self.bindings).map(label).collect();
        one_label(&labels)
    }
}

/// A point with its policies and its runner.
fn played(
    rules: NamedRules,
    varied: &Varied,
    at: usize,
    specs: &[Player],
    bindings: &Bindings,
    args: &Sweep,
) -> Result<Point, Failure> {
    let lineup = varied.policies(at, &*rules.rules, specs, bindings)?;
    let lineups = played_in_turn(&*rules.rules, lineup, args.policy.rotate)?;
    let runner = Chosen::new(args.runner, &*rules.rules, &lineups)?;
    Ok(Point { rules, lineups, runner })
}

/// A policy with those of its parameters that do not vary.
fn label((policy, bound): (&AnyPolicy, &Vec<(usize, String)>)) -> String {
    let heading = policy.heading();
    let is_fixed = |name: &String| bound.iter().all(|(_, other)| other != name);
    let fixed = heading.parameters.iter().filter(|parameter| is_fixed(&parameter.name));
    let values: Vec<_> = fixed.map(|parameter| format!("{}={}", parameter.name, parameter.value())).collect();
    let mark = if values.is_empty() { "" } else { ":" };
    format!("{}{mark}{}", heading.name, values.join(","))
}
