//! The points of a grid, all of them checked before the first is played.
//!
//! Where one policy is named in a game for several and a parameter of it varies, the varied policy has one seat, all in
//! turn, and the others play it as it was named. With the same value in every seat, wins would only measure the seats:
//! the worse everybody plays, the more going first is worth.

use stopwise_engine::game::Metric;
use stopwise_erased::{AnyPolicy, NamedRules};
use stopwise_reports::grid::Grid;
use stopwise_reports::one_label;
use stopwise_reports::sweep::sheets::is_column;

use crate::args::Sweep;
use crate::failure::Failure;
use crate::fault::Playing;
use crate::grid::{Bindings, Varied};
use crate::progress::Steps;
use crate::runner::Chosen;
use crate::session::Session;
use crate::setup::{Player, check_seats, metric, named, played_in_turn, rules};

/// A grid whose every point can be played.
///
/// Points are made when they are needed: ten thousand compiled policies would fill the better part of a gigabyte.
#[derive(Debug)]
pub(super) struct Points<'a> {
    pub(super) session: &'a Session,
    varied: Varied,
    args: &'a Sweep,
    specs: Vec<Player>,
    bindings: Bindings,
    seating: Seating,
    /// Index of the metric, the same at all points, and what it is.
    pub(super) metric: usize,
    pub(super) about: Metric,
    /// The first of them.
    pub(super) first: Point,
}

/// Who sits with the policies of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seating {
    /// Nobody: they are named for every seat, or one for all.
    AsNamed { is_rotated: bool },
    /// The one policy as it was named, in all seats but one, which the varied one has in turn.
    AgainstItself,
}

impl Seating {
    /// Of the policies that were named, for so many seats.
    fn new(args: &Sweep, seats: usize) -> Result<Self, Failure> {
        let is_rotated = args.policy.rotate;
        match (args.policy.policies.len(), seats) {
            (1, 2..) if !args.vary.is_empty() => Ok(Self::AgainstItself),
            (1, 2..) if is_rotated => Err(Failure::Input(
                "--rotate: one policy has every seat, so that it has a fair share of the wins under any rules; leave it \
                 out for the wins of the first seat, or name a policy for every seat"
                    .into(),
            )),
            _ => Ok(Self::AsNamed { is_rotated }),
        }
    }
}

/// One point: who plays, under which rules, and on which runner.
#[derive(Debug)]
pub(super) struct Point {
    pub(super) rules: NamedRules,
    pub(super) lineups: Vec<Vec<AnyPolicy>>,
    pub(super) runner: Chosen,
}

impl Point {
    /// Who plays its trials.
    pub(super) fn playing<'p>(&'p self, session: &'p Session, args: &'p Sweep) -> Playing<'p> {
        let (rules, lineups) = (&*self.rules.rules, &self.lineups);
        Playing { session, game: &args.game, rules, lineups, seed: args.common.seed }
    }
}

impl<'a> Points<'a> {
    /// A sentence on a parameter that varies in several policies at once.
    pub(super) fn varied_together(&self) -> Option<String> {
        let axes = 0..self.grid().axes.len();
        let has = |axis: usize, bound: &Vec<(usize, _)>| bound.iter().any(|(of, _)| *of == axis);
        let axis = axes
            .into_iter()
            .find(|&axis| self.bindings.iter().filter(|bound| has(axis, bound)).count() > 1)?;
        let name = &self.grid().axes[axis].name;
        Some(format!(
            "{name} varies in every policy that has it; --vary 1.{name}=… varies it in the first alone."
        ))
    }

    /// What varies.
    pub(super) fn grid(&self) -> &Grid {
        &self.varied.grid
    }

    /// Reads the arguments and checks every point.
    pub(super) fn new(session: &'a Session, args: &'a Sweep) -> Result<Self, Failure> {
        if args.vary.is_empty() && args.vary_rule.is_empty() {
            // A game that there is not is told first.
            rules(session, &args.game)?;
            return Err(Failure::Input(
                "nothing varies: add --vary NAME=LIST for a parameter of the policy, such as k=1..5, or --vary-rule \
                 KEY=LIST for an option of the rules; for a single setting use `stopwise simulate`"
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
        let rules = varied.rules(session, 0, &args.game)?;
        let named = named(&args.policy.policies, rules.rules.entry());
        check_seats(&*rules.rules, &named)?;
        let declared = varied.declared(&named);
        let specs = declared.iter().map(|spec| Player::parse(session, spec, rules.rules.entry()));
        let specs: Vec<_> = specs.collect::<Result<_, _>>()?;
        let bindings = varied.bind(session, &*rules.rules, &specs)?;
        let metric = match (&args.metric, varied.grid.axes.iter().any(|axis| axis.name == "players")) {
            (None, true) => of_any_players(rules.rules.metrics()),
            (named, _) => metric(&*rules.rules, named.as_deref())?,
        };
        let about = rules.rules.metrics()[metric];
        let seating = Seating::new(args, rules.rules.seats())?;
        let first = played(session, rules, &varied, 0, (&specs, &bindings, seating), args)?;
        if about.is_won() && !args.vary.is_empty() {
            check_seats_differ(&first, &bindings)?;
        }
        let points = Self { session, varied, args, specs, bindings, seating, metric, about, first };
        let steps = Steps::new(session, "settings read", points.count() - 1, args.common.quiet);
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
        let rules = self.varied.rules(self.session, at, &self.args.game)?;
        check_seats(&*rules.rules, &named(&self.args.policy.policies, rules.rules.entry()))?;
        if rules.rules.metrics().get(self.metric) != Some(&self.about) {
            return Err(Failure::Input(format!(
                "{}: the metric `{}` is not what it is at {}; add --metric with one that all settings share",
                self.grid().label(at),
                self.about.name,
                self.grid().label(0)
            )));
        }
        played(self.session, rules, &self.varied, at, (&self.specs, &self.bindings, self.seating), self.args)
    }

    /// The name of the rules but for what varies.
    pub(super) fn rules(&self) -> Result<String, Failure> {
        match self.varied.is_of_presets() {
            true => Ok("varied".into()),
            false => Ok(rules(self.session, &self.args.game)?.name),
        }
    }

    /// The policies but for what varies.
    pub(super) fn policies(&self) -> String {
        let labels: Vec<_> = self.first.lineups[0].iter().zip(&self.bindings).map(label).collect();
        one_label(&labels)
    }

    /// The label of every policy of the first point, with the axes that are its parameters.
    pub(super) fn axes_of_policies(&self) -> Vec<(String, Vec<usize>)> {
        let of = |(seat, policy): (usize, &AnyPolicy)| {
            let bound = match (self.seating, self.bindings.len()) {
                (Seating::AgainstItself, _) => self.bindings.get(seat),
                // One policy has every seat.
                (_, 1) => self.bindings.first(),
                _ => self.bindings.get(seat),
            };
            let axes = bound.into_iter().flatten().map(|(axis, _)| *axis);
            (policy.label(), axes.collect())
        };
        self.first.lineups[0].iter().enumerate().map(of).collect()
    }

    /// What the varied policy plays against, if nobody was named.
    pub(super) fn against(&self) -> Option<String> {
        let is_alone = self.seating == Seating::AgainstItself;
        is_alone.then(|| self.first.lineups[0].last().map(AnyPolicy::label)).flatten()
    }

    /// Whether the policies move on from seat to seat.
    pub(super) fn is_rotated(&self) -> bool {
        self.first.lineups.len() > 1
    }
}

/// A point with its policies and its runner.
fn played(
    session: &Session,
    rules: NamedRules,
    varied: &Varied,
    at: usize,
    (specs, bindings, seating): (&[Player], &Bindings, Seating),
    args: &Sweep,
) -> Result<Point, Failure> {
    let mut lineup = varied.policies(session, at, &*rules.rules, specs, bindings)?;
    let is_rotated = match seating {
        Seating::AsNamed { is_rotated } => is_rotated,
        Seating::AgainstItself => {
            let as_named = specs[0].compile(session, &*rules.rules)?;
            lineup.resize(rules.rules.seats(), as_named);
            true
        }
    };
    let lineups = played_in_turn(&*rules.rules, lineup, is_rotated)?;
    let runner = Chosen::new(args.runner, &*rules.rules, &lineups)?;
    Ok(Point { rules, lineups, runner })
}

/// Refuses wins where all seats have the same policy at every point.
fn check_seats_differ(first: &Point, bindings: &Bindings) -> Result<(), Failure> {
    let [lineup, ..] = &*first.lineups else { return Ok(()) };
    let mut seats = lineup.iter().zip(bindings);
    let alike = |(policy, bound): (&AnyPolicy, &Vec<_>)| {
        lineup[0].label() == policy.label()
            && lineup[0].heading().text.text == policy.heading().text.text
            && bindings[0] == *bound
    };
    if bindings.len() < 2 || !seats.all(alike) {
        return Ok(());
    }
    let name = bindings[0].first().map_or("n", |(_, name)| name);
    Err(Failure::Input(format!(
        "every seat has the same {} at every setting, so that its wins only tell what the seat is worth; write --vary \
         1.{name}=… for the first policy alone, or --metric with another metric",
        first.lineups[0][0].heading().name
    )))
}

/// A policy with those of its parameters that do not vary.
fn label((policy, bound): (&AnyPolicy, &Vec<(usize, String)>)) -> String {
    policy.heading().label_without(|name| bound.iter().any(|(_, varied)| varied == name))
}

/// The first metric that means the same for any number of players: a share of a win is counted in other parts for more of them.
fn of_any_players(metrics: &[Metric]) -> usize {
    metrics.iter().position(|metric| !metric.is_share()).unwrap_or(0)
}
