//! Exact means when every answer is equally likely: of the naive interpreter over all its ways, and of the program over its
//! positions.

use std::collections::HashMap;

use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Event, Events, Game, MAX_METRICS, Node, NodeOf, Seat, Source};
use stopwise_script::syntax::File;
use stopwise_script::{Script, State};

use super::interpret::{Cut, Driver, Outcome, play};

/// Takes every way, one after the other.
#[derive(Default)]
struct Ways {
    /// What was chosen at each fork, among so many.
    path: Vec<(usize, usize)>,
    at: usize,
    share: f64,
}

impl Ways {
    fn choose(&mut self, many: usize, share: impl Fn(usize) -> f64) -> Result<usize, Cut> {
        if self.at == self.path.len() {
            self.path.push((0, many));
        }
        let chosen = self.path[self.at].0;
        self.at += 1;
        self.share *= share(chosen);
        // A game of so many forks is not small.
        if self.at > 60 { Err(Cut) } else { Ok(chosen) }
    }

    /// Whether there is another way.
    fn next(&mut self) -> bool {
        (self.at, self.share) = (0, 1.0);
        while let Some((chosen, many)) = self.path.last_mut() {
            *chosen += 1;
            if chosen < many {
                return true;
            }
            self.path.pop();
        }
        false
    }
}

#[allow(clippy::cast_precision_loss, reason = "small numbers")]
impl Driver for Ways {
    fn chance(&mut self, _: Seat, weights: &[u64]) -> Result<usize, Cut> {
        let total: u64 = weights.iter().sum();
        self.choose(weights.len(), |at| weights[at] as f64 / total as f64)
    }

    fn ask(&mut self, _: Seat, _: &str, many: usize) -> Result<usize, Cut> {
        self.choose(many, |_| 1.0 / many as f64)
    }
}

/// Metrics by seat and number.
type Means = Vec<Vec<f64>>;

/// The means of the naive interpreter; `None` if there are too many ways, or if a range is left on one of them.
pub(crate) fn naive(file: &File, script: &Script, most: usize) -> Option<Means> {
    let mut means = vec![vec![0.0; script.metrics().len()]; script.seats()];
    let mut ways = Ways { share: 1.0, ..Ways::default() };
    for _ in 0..most {
        let Outcome::Over { metrics, counts, .. } = play(file, &[], &mut ways) else { return None };
        for (seat, (means, metrics)) in means.iter_mut().zip(&metrics).enumerate() {
            for (mean, metric) in means.iter_mut().zip(script.metrics()) {
                let counted = || match metric.source {
                    Source::Count(event) => counts.get(&(seat, event.index())).copied().unwrap_or(0),
                    Source::End => 0,
                };
                let known = super::measured(script, metrics, metric.name);
                let value = known.unwrap_or_else(|| i64::try_from(counted()).expect("few"));
                *mean += ways.share * f64::from(i32::try_from(value).expect("small"));
            }
        }
        if !ways.next() {
            return Some(means);
        }
    }
    None
}

/// Counts events by seat and number.
struct Counts(Vec<[f64; Event::COUNT]>);

impl Events for Counts {
    fn event(&mut self, seat: Seat, event: Event) {
        self.0[seat][event.index()] += 1.0;
    }
}

struct Walk<'s> {
    script: &'s Script,
    known: HashMap<State, Option<Means>>,
}

/// The means of the program over its positions; `None` if one of them comes again.
pub(crate) fn walked(script: &Script) -> Option<Means> {
    let mut walk = Walk { script, known: HashMap::new() };
    walk.after(0, |counts| script.root(counts))
}

impl Walk<'_> {
    /// The means after a step from a stage, with what is counted in it.
    fn after(&mut self, stage: u64, step: impl FnOnce(&mut Counts) -> NodeOf<Script>) -> Option<Means> {
        let mut counts = Counts(vec![[0.0; Event::COUNT]; self.script.seats()]);
        let node = step(&mut counts);
        let mut means = self.node(node, stage)?;
        for (means, counts) in means.iter_mut().zip(&counts.0) {
            for (mean, metric) in means.iter_mut().zip(self.script.metrics()) {
                if let Source::Count(event) = metric.source {
                    *mean += counts[event.index()];
                }
            }
        }
        Some(means)
    }

    fn node(&mut self, node: NodeOf<Script>, before: u64) -> Option<Means> {
        let script = self.script;
        match node {
            Node::Terminal(end) => {
                let of_seat = |seat| {
                    let mut values = [0; MAX_METRICS];
                    script.measure(end, seat, &mut values);
                    let metrics = script.metrics().iter().zip(values);
                    let value = |(metric, value): (&stopwise_engine::game::Metric, u32)| match metric.source {
                        Source::End => f64::from(value),
                        Source::Count(_) => 0.0,
                    };
                    metrics.map(value).collect()
                };
                Some((0..script.seats()).map(of_seat).collect())
            }
            Node::Decision(state, question) => {
                let share = 1.0 / f64::from(question.actions.count());
                let mut sum = None;
                for action in question.actions.iter() {
                    let means =
                        self.after(before, |counts| script.decide(state, question.kind, action, counts))?;
                    add(&mut sum, &means, share);
                }
                sum
            }
            Node::Chance(state, _, throw) => {
                let key = script.canonical(state);
                let stage = script.stage(key);
                assert!(stage >= before, "a step lowers the stage");
                if let Some(known) = self.known.get(&key) {
                    return known.clone();
                }
                self.known.insert(key, None);
                let total: u32 = throw.outcomes().map(|(_, weight)| weight).sum();
                let mut sum = None;
                for (shown, weight) in throw.outcomes() {
                    // From what is known of the position, not from the state on the way to it.
                    let means = self.after(stage, |counts| script.resolve(key, shown, counts))?;
                    add(&mut sum, &means, f64::from(weight) / f64::from(total));
                }
                self.known.insert(key, sum.clone());
                sum
            }
        }
    }
}

fn add(sum: &mut Option<Means>, means: &Means, share: f64) {
    let sum = sum.get_or_insert_with(|| means.iter().map(|means| vec![0.0; means.len()]).collect());
    for (sum, means) in sum.iter_mut().flatten().zip(means.iter().flatten()) {
        *sum += share * means;
    }
}
