//! The report of a sweep.

mod answer;
mod charts;
mod played;
mod sections;
pub mod sheets;
mod sought;

use std::collections::{BTreeMap, HashMap};

use crate::numbers::{as_read, of_means};
use serde_json::{Map, Value, json};
use stopwise_analysis::estimate::{Interval, Level};
use stopwise_analysis::sweep::{ALPHA, Cell, Cells, Effect, Standing, sensitivities};
use stopwise_document::Report;
use stopwise_engine::arms::Products;
use stopwise_engine::game::{Better, Metric};
use stopwise_narration::{counted, trials};

use sought::{Group, Sought, What};

use super::head::Head;
use super::manifest::Subject;
use super::seeded::seeded;
use super::shared_wins::in_games;
use super::simulate::SimulationReport;
use super::simulate::sheets::{summary, summary_rows};
use super::simulate::stop::whole;
use super::terms;
use crate::cap;
use crate::grid::{Grid, Kind};
use crate::uneven::Left;

/// The result of a sweep, with the names of its parts.
#[derive(Debug)]
pub struct SweepReport {
    /// The game.
    pub game: &'static str,
    /// The name of the rules, without what varies.
    pub rules: String,
    /// The policies, without what varies.
    pub policy: String,
    /// What varies.
    pub grid: Grid,
    /// What is compared.
    pub metric: Metric,
    /// Whether those who tie share a win, of which the metric knows nothing.
    pub loses_ties: bool,
    /// The policy in all other seats, if the varied one plays against itself as it was named.
    pub against: Option<String>,
    /// Whether policies are rotated.
    pub is_rotated: bool,
    /// How many play.
    pub seats: usize,
    /// The trials of every point.
    pub trials: u64,
    /// The seed of all trials.
    pub seed: u64,
    /// The finished points, in the order of the grid.
    pub points: Vec<PointReport>,
    /// The comparison of all points; `None` if the grid was not finished.
    pub compared: Option<GridComparison>,
}

/// The result of a point.
#[derive(Debug)]
pub struct PointReport {
    /// The name of its rules.
    pub rules: String,
    /// Its policies.
    pub policy: String,
    /// Its rows of `summary.csv`.
    rows: Vec<Vec<stopwise_document::Cell>>,
    /// The games that a cap cuts off, and what it is of.
    capped: u64,
    cap: &'static str,
    /// The games that nobody wins, or that end early.
    left: Left,
    /// The metric of the first policy.
    pub cell: Cell,
    /// Its mean where no trials are needed to tell it: a policy among its like wins its part.
    fair: Option<f64>,
    /// The sums of all metrics of all seats.
    sums: Vec<Cell>,
}

impl PointReport {
    /// Extracts the result of a point from its simulation, under rules with these bounds of the metric.
    pub fn new(found: &SimulationReport, metric: usize, bounds: Option<(f64, f64)>) -> Self {
        // The first policy sits in the seat with the number of the rotation.
        let mut measured =
            found.rotations.iter().enumerate().map(|(seat, tally)| &tally.seats[seat].metrics[metric]);
        let mut histogram = measured.next().cloned().unwrap_or_default();
        measured.for_each(|more| histogram.merge(more));
        let sums: Vec<_> = found.tally.seats.iter().flat_map(|seat| &seat.metrics).map(Cell::from).collect();
        let (about, seats) = (&found.metrics[metric], found.policies.len());
        let won: u128 = sums.iter().skip(metric).step_by(found.metrics.len()).map(|cell| cell.sum).sum();
        let is_won = about.is_won() && won == u128::from(found.tally.trials) * u128::from(about.whole());
        let is_alike = found.is_rotated() && found.policies.iter().all(|policy| *policy == found.policies[0]);
        let mut tables = seeded(vec![summary().fill(summary_rows(found, &found.standings()))], found.seed);
        in_games(&mut tables, &found.metrics);
        Self {
            rules: found.rules.clone(),
            policy: found.lineup(),
            rows: tables.remove(0).rows,
            capped: cap::capped(&found.endings, &found.tally.endings),
            cap: cap::name(&found.endings),
            left: Left::of(&found.metrics, &found.endings, &found.tally),
            cell: Cell { whole: whole(about, bounds), ..Cell::from(&histogram) },
            fair: (is_won && is_alike).then(|| f64::from(about.whole()) / seats as f64),
            sums,
        }
    }
}

/// The comparison of all points of a grid.
#[derive(Debug)]
pub struct GridComparison {
    /// What every point has.
    pub cells: Cells,
    /// What stands out for people.
    sought: Sought,
    /// What every axis does.
    pub effects: Vec<Effect>,
}

impl GridComparison {
    /// Compares the points of a grid; `None` if there are none.
    pub fn new(
        grid: &Grid,
        trials: u64,
        points: &[PointReport],
        products: Option<Products>,
        better: Better,
    ) -> Option<Self> {
        let cells = Cells::new(trials, points.iter().map(|point| point.cell.clone()).collect(), products);
        let mut fair: Vec<_> = points.iter().map(|point| point.fair).collect();
        // Those that played the same games have the same mean: what is known of one alone would tell them apart.
        for group in same_plays(points) {
            if group.iter().any(|&at| fair[at].is_none()) {
                group.into_iter().for_each(|at| fair[at] = None);
            }
        }
        let known = fair.into_iter().enumerate().filter_map(|(at, mean)| Some((at, mean?)));
        let cells = known.fold(cells, |cells, (at, mean)| cells.knowing(at, mean));
        let axes: Vec<_> = grid.axes.iter().map(|axis| axis.levels.len()).collect();
        Some(Self {
            sought: Sought::new(grid, &cells, better)?,
            effects: sensitivities(&cells, &axes, better),
            cells,
        })
    }

    /// The interval of a point's mean; the intervals of all means are simultaneous. `None` after one trial.
    fn own(&self, cell: usize) -> Option<Interval> {
        self.cells.estimate(cell, Level::new(ALPHA).among(self.cells.count())).interval
    }
}

/// The points that played the same games as another, as far as their sums tell: two or more together, in their order.
fn same_plays(points: &[PointReport]) -> Vec<Vec<usize>> {
    let sums = |point: &PointReport| -> Vec<_> {
        point.sums.iter().map(|cell| (cell.sum, cell.squares, cell.min, cell.max)).collect()
    };
    let mut groups = BTreeMap::<_, Vec<usize>>::new();
    for (at, point) in points.iter().enumerate() {
        groups.entry(sums(point)).or_default().push(at);
    }
    let mut groups: Vec<_> = groups.into_values().filter(|group| group.len() > 1).collect();
    groups.sort_unstable();
    groups
}

/// What is said of wins where those who tie share them.
const TIES: &str = "A win that is shared counts here for nobody: its parts are others with more players. `simulate` and `balance` tell \
                    the shares.";

impl SweepReport {
    /// The document, but for what was played and how to repeat it.
    pub fn report(&self) -> Report {
        let mut policy = self.policy.clone();
        if let Some(against) = &self.against {
            policy += &format!(" against {against}");
        }
        let rotated = if self.is_rotated { ", rotated" } else { "" };
        let mut report = Report {
            command: "sweep",
            head: format!(
                "{} · rules {} · {policy}{rotated} · {} on the same {} · seed {}",
                self.game,
                self.rules,
                counted(self.points.len() as u64, "setting"),
                trials(self.trials),
                self.seed
            ),
            data: sheets::datasets(self),
            terms: terms::of(&[self.metric], &[]),
            warnings: self.loses_ties.then(|| TIES.to_owned()).into_iter().collect(),
            ..Report::default()
        };
        Head {
            game: self.game,
            rules: &self.rules,
            policy: Some(self.policy.clone()),
            policies: None,
            seats: self.seats,
            is_rotated: self.is_rotated,
            trials: self.trials,
            seed: self.seed,
        }
        .put_into(&mut report);
        if let Some(against) = &self.against {
            report.fact("against", against);
        }
        report.fact("metric", self.metric.name);
        report.fact("unit", as_read(&self.metric).1);
        report.fact("points", self.grid.points());
        report.fact("finished_points", self.points.len());
        report.fact("trials_a_point", self.trials);
        if let Some(compared) = &self.compared {
            let first = |group: &Group| self.grid.label(group.first());
            match (&compared.sought.least, &compared.sought.groups[..]) {
                (Some(least), groups) => {
                    report.fact("most", first(&groups[0]));
                    report.fact("least", first(least));
                }
                (None, [group]) => report.fact("best", first(group)),
                (None, _) => {}
            }
            report.fact("pairing", compared.sought.pairing().to_string());
        }
        sections::sections(&mut report, self);
        report
    }

    /// Whether all points played the same games, as far as their sums tell.
    fn is_same_play(&self) -> bool {
        self.points.windows(2).all(|two| two[0].sums == two[1].sums)
    }

    /// The value that the metric has in every game, if it is one.
    fn constant(&self) -> Option<u32> {
        let value = self.points.first()?.cell.min;
        let is_it = |point: &PointReport| (point.cell.min, point.cell.max) == (value, value);
        self.points.iter().all(is_it).then_some(value)
    }

    /// Whether the values of an axis make no difference anywhere; `groups` are the points that played the same games.
    fn is_idle(&self, axis: usize, groups: &[Vec<usize>]) -> bool {
        let number = |point: &usize| groups.iter().position(|group| group.contains(point));
        let mut found = HashMap::new();
        let mut is_same = |point: usize| {
            let mut levels = self.grid.levels(point);
            levels[axis] = 0;
            let group = number(&point);
            group.is_some() && *found.entry(levels).or_insert(group) == group
        };
        self.grid.axes[axis].levels.len() > 1 && (0..self.points.len()).all(&mut is_same)
    }

    /// For whom the metric is measured, where there are several seats.
    fn whom(&self) -> Option<&'static str> {
        match (self.seats, &self.against) {
            (1, _) | (_, Some(_)) => None,
            _ if self.is_rotated => Some("the first policy"),
            _ => Some("seat 1"),
        }
    }

    /// Whose metric it is, where there are several seats.
    fn whose(&self) -> String {
        match &self.against {
            Some(against) => format!(" against {against}"),
            None => self.whom().map(|whom| format!(" of {whom}")).unwrap_or_default(),
        }
    }

    /// Whether every point of the grid is finished.
    pub fn is_complete(&self) -> bool {
        self.points.len() == self.grid.points()
    }

    /// Its head in the manifest, with the trials of all points.
    pub fn subject(&self) -> Subject<'_> {
        Subject {
            game: self.game,
            rules: &self.rules,
            seed: self.seed,
            trials: self.trials * self.points.len() as u64,
            rotations: None,
        }
    }

    /// Further fields of the manifest.
    pub fn about(&self) -> Map<String, Value> {
        let axis = |axis: &crate::grid::Axis| json!({ "name": axis.name, "levels": axis.levels });
        let about = json!({
            "axes": self.grid.axes.iter().map(axis).collect::<Vec<_>>(), "metric": self.metric.name,
            "rotated": self.is_rotated, "points": self.grid.points(), "finished_points": self.points.len(),
            "against": self.against, "trials_a_point": self.trials, "paired_trials": self.compared.as_ref().map(|compared| compared.cells.paired()),
        });
        let mut fields = Map::new();
        fields.insert("sweep".to_owned(), about);
        fields
    }

    /// Display scale and unit.
    fn reading(&self) -> (f64, &'static str) {
        of_means(&self.metric)
    }

    /// The points of a group with how they stand: the best first, or what has most; equal ones in order.
    fn ranking<'g>(&self, compared: &GridComparison, group: &'g Group) -> Vec<(usize, &'g Standing)> {
        let is_more_first = compared.sought.what() == What::Most || self.metric.better == Better::Higher;
        let mut ranking: Vec<_> = group.standings().collect();
        ranking.sort_by(|&(a, _), &(b, _)| {
            let order = compared.cells.mean(b).total_cmp(&compared.cells.mean(a));
            if is_more_first { order } else { order.reverse() }
        });
        ranking
    }

    /// The two levels of an axis that are farthest apart: of a parameter the best first, of rules what has most.
    fn ends(&self, kind: Kind, effect: &Effect) -> [usize; 2] {
        match (kind, self.metric.better) {
            (Kind::Rule, Better::Lower) => [effect.worst, effect.best],
            _ => [effect.best, effect.worst],
        }
    }
}
