//! Closing in on the values of moments that lead to each other, from both sides.
//!
//! Starting from the least and the greatest value, every sweep maps lower bounds to lower bounds and upper bounds to
//! upper bounds, because averaging and choosing are monotone (interval iteration: Haddad and Monmege, Theor. Comput.
//! Sci. 735, 2018). Moments that lead to each other, a strongly connected component, are swept together, after all
//! those that they lead to (topological value iteration: Dai, Mausam, Weld and Goldsmith, JAIR 42, 2011): a component
//! takes as many sweeps as it needs itself. Within one, moments are swept in the order in which a depth-first search
//! leaves them, so that what is known at the exits reaches the entrance in one sweep.
//!
//! Where sweeps take a component slowly, each moves what is left by the same rate, so that it can be [guessed](Group::guess)
//! where they lead (Aitken, Proc. R. Soc. Edinb. 46, 1926). A guess with a margin bounds the values if a sweep takes all of it
//! inwards. Let Φ be the sweep of upper bounds, Φ(u) ≤ u − ε, and q a value that Φ keeps. If q exceeded u by m > 0 at most,
//! then q = Φ(q) ≤ Φ(u + m) ≤ Φ(u) + m ≤ u + m − ε, as no sweep moves values further apart: less than m, a contradiction. Lower
//! bounds likewise. Guesses need not converge; sweeps from the least and the greatest value do without.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use stopwise_engine::look_ahead::LEAST_DIFFERENCE;

use super::ExactError;
use super::bounds::Bounds;
use super::components::Order;
use super::end_components::{Component, EndComponent};
use super::formulas::Blocks;
use super::parts::in_parts;

/// Sweeps after which a component that does not converge is an error.
const SWEEPS: usize = 100_000;
/// Sweeps after which a guess that does not converge is given up.
const GUESSES: usize = 14;
/// A guess has converged when a sweep moves nothing by more; relative for values above 1.
const NEAR: f64 = 4.0 * f64::EPSILON;
/// The margin of a guess is this, divided by what a sweep leaves of an error less than the whole.
const MARGIN: f64 = 8.0 * f64::EPSILON;
/// Bounds further apart have not met; relative for values above 1.
const APART: f64 = 1e-9;
/// What a step of staying costs where a player can stay for ever; relative for values above 1.
const STAYING: f64 = 2.0 * LEAST_DIFFERENCE;
/// Sweeps after which the ways out are not looked for any longer.
const LEAVING: usize = 10_000;
/// The most tasks for threads.
const TASKS: usize = 1 << 12;
/// The number of moments evaluated between two progress reports.
const LOOK: usize = 256;

/// The bounds of all moments of a stage, given those of the metric, and whether some of them lead to each other: without,
/// the metric needs no bounds. `tell` is told how often the current component has been swept and how many moments are done,
/// and says whether to continue.
///
/// What no path leads to and fro, in whatever direction, is closed in by itself, on all threads.
///
/// # Errors
///
/// If a component does not converge, or has no bounds to begin with, or whatever `tell` returns.
pub(super) fn close_in(
    mut formulas: Blocks,
    bounds: Option<Bounds>,
    stage: u64,
    tell: &(dyn Fn(usize, usize) -> Result<(), ExactError> + Sync),
) -> Result<(Vec<Bounds>, bool), ExactError> {
    let order = Order::of(&formulas);
    let groups = order.groups(&formulas);
    // Values stand group by group, in the order in which they are swept: a group has its own alone.
    let mut places = vec![0; formulas.len()];
    let swept = groups.iter().flatten().flat_map(|&number| order.component(number as usize));
    swept.zip(0..).for_each(|(&moment, place)| places[moment as usize] = place);
    formulas.renumber(&places);
    let is_bounded = bounds.is_some();
    let mut values = vec![bounds.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]); formulas.len()];
    let mut rest = &mut values[..];
    let mut own = Vec::with_capacity(groups.len());
    for group in &groups {
        let moments = group.iter().map(|&number| order.component(number as usize).len()).sum();
        let (values, others) = std::mem::take(&mut rest).split_at_mut(moments);
        own.push(Mutex::new(values));
        rest = others;
    }
    let done = AtomicUsize::new(0);
    let (formulas, order, places) = (&formulas, &order, &places);
    let sweeping = Sweeping { formulas, order, places, is_bounded, stage, tell, done: &done };
    let close = |part: Range<usize>| {
        let mut groups = groups[part.clone()].iter().zip(&own[part]);
        groups.try_fold(false, |is_cyclic, (components, values)| {
            let values: &mut [Bounds] = &mut values.lock().unwrap_or_else(PoisonError::into_inner);
            let mut group = Group { sweeping: &sweeping, values, steps: Vec::new(), looked: 0 };
            Ok(group.close(components)? || is_cyclic)
        })
    };
    let are_cyclic = in_parts(groups.len(), groups.len().div_ceil(TASKS).max(1), &close)?;
    let values = places.iter().map(|&place| values[place as usize]).collect();
    Ok((values, are_cyclic.contains(&true)))
}

struct Sweeping<'s> {
    /// They name places of values.
    formulas: &'s Blocks,
    order: &'s Order,
    /// The place of every moment's value.
    places: &'s [u32],
    /// Whether values begin at bounds of the metric.
    is_bounded: bool,
    stage: u64,
    tell: &'s (dyn Fn(usize, usize) -> Result<(), ExactError> + Sync),
    done: &'s AtomicUsize,
}

/// Components with their values, while they are swept.
struct Group<'g> {
    sweeping: &'g Sweeping<'g>,
    /// In the order in which they are swept.
    values: &'g mut [Bounds],
    /// For the values of a formula's steps.
    steps: Vec<Bounds>,
    /// The number of moments evaluated.
    looked: usize,
}

/// A component of a group, and where its values are.
struct Part<'g> {
    moments: &'g [u32],
    /// Where the values of the group begin.
    first: usize,
    /// Among them.
    own: Range<usize>,
}

impl Group<'_> {
    /// Closes in on the components, given by their numbers, one after the other. Whether moments of one lead to each other.
    fn close(&mut self, components: &[u32]) -> Result<bool, ExactError> {
        let Sweeping { formulas, order, places, is_bounded, stage, done, .. } = *self.sweeping;
        let mut components = components.iter().map(|&number| order.component(number as usize)).peekable();
        let first = components.peek().map_or(0, |moments| places[moments[0] as usize] as usize);
        let (mut begun, mut any_cyclic) = (0, false);
        for moments in components {
            let part = Part { moments, first, own: begun..begun + moments.len() };
            begun = part.own.end;
            let is_cyclic = order.is_cyclic(moments, |moment| {
                formulas.successors(moment).any(|place| place == places[moment] as usize)
            });
            any_cyclic |= is_cyclic;
            if is_cyclic && !is_bounded {
                return Err(ExactError::Unbounded { stage });
            }
            if is_cyclic {
                self.guess(&part)?;
                self.converge(&part, &[])?;
                if self.stays_apart(&part) {
                    self.leave(&part)?;
                }
            } else {
                self.sweep(&part, 0, inwards)?;
            }
            done.fetch_add(moments.len(), Relaxed);
        }
        Ok(any_cyclic)
    }

    /// Whether the bounds of a value have not met.
    fn stays_apart(&self, part: &Part<'_>) -> bool {
        self.values[part.own.clone()].iter().any(|[low, high]| high - low > APART * high.abs().max(1.0))
    }

    /// Closes in where a player can stay for ever: such moments are worth what the best way out of them is.
    fn leave(&mut self, part: &Part<'_>) -> Result<(), ExactError> {
        let place = part.first + part.own.start;
        let component = Component { formulas: self.sweeping.formulas, moments: part.moments, place };
        let ends = component.end_components();
        if ends.is_empty() {
            return Ok(());
        }
        self.deflate(part, &ends);
        self.converge(part, &ends)?;
        let mut staying = vec![None; part.moments.len()];
        for end in &ends {
            end.members.iter().for_each(|&at| staying[at] = Some(end.wants_more));
        }
        self.prefer_leaving(part, &staying)
    }

    /// No moment of an end component is worth more to who can stay than the best way out.
    fn deflate(&mut self, part: &Part<'_>, ends: &[EndComponent]) {
        for end in ends {
            let here = |place: usize| self.values[place - part.first];
            let [low, high] = end.best_exit(self.sweeping.formulas, here, &mut self.steps);
            for at in &end.members {
                let value = &mut self.values[part.own.start + at];
                let exit = if end.wants_more { [value[0], high] } else { [low, value[1]] };
                *value = inwards(*value, exit);
            }
        }
    }

    /// A step of staying costs a little: of answers that are equal, that is the better one which leads out.
    fn prefer_leaving(&mut self, part: &Part<'_>, staying: &[Option<bool>]) -> Result<(), ExactError> {
        for sweep in 0..LEAVING {
            let (mut moved, mut at) = (false, 0);
            self.sweep(part, sweep, |old, new| {
                let wants_more = staying[at];
                at += 1;
                let Some(wants_more) = wants_more else { return old };
                let cost = STAYING * old[1].abs().max(1.0);
                let side = usize::from(!wants_more);
                let value = if wants_more { new[side] - cost } else { new[side] + cost };
                moved |= (value - old[side]).abs() > cost / 64.0;
                let mut entered = old;
                entered[side] = value;
                entered
            })?;
            if !moved {
                break;
            }
        }
        Ok(())
    }

    /// Sweeps a component until nothing moves. The width left by moments outside does not shrink here.
    fn converge(&mut self, part: &Part<'_>, ends: &[EndComponent]) -> Result<(), ExactError> {
        for sweep in 0..SWEEPS {
            let mut moved = 0.0_f64;
            self.sweep(part, sweep, |old, new| {
                let new = inwards(old, new);
                let scale = old[1].abs().max(1.0);
                moved = moved.max((new[0] - old[0]) / scale).max((old[1] - new[1]) / scale);
                new
            })?;
            self.deflate(part, ends);
            if moved <= f64::EPSILON {
                return Ok(());
            }
        }
        Err(ExactError::Stuck { stage: self.sweeping.stage })
    }

    /// Guesses where sweeps lead: after every other one, bounds go on at once as far as they would at the rate at which they
    /// moved. If the guess converges, and bounds the values, they go on from there.
    fn guess(&mut self, part: &Part<'_>) -> Result<(), ExactError> {
        let known = self.values[part.own.clone()].to_vec();
        let (mut last, mut before, mut rates) = (known.clone(), [0.0_f64; 2], [0.5_f64; 2]);
        for sweep in 0..GUESSES {
            let (mut moves, mut most) = ([0.0_f64; 2], 0.0_f64);
            self.sweep(part, sweep, |old, new| {
                for side in 0..2 {
                    moves[side] += new[side] - old[side];
                    most = most.max((new[side] - old[side]).abs() / new[side].abs().max(1.0));
                }
                new
            })?;
            if most <= NEAR {
                return self.take(part, &known, MARGIN / (1.0 - rates[0].max(rates[1])));
            }
            let values = &mut self.values[part.own.clone()];
            if sweep % 2 == 1 {
                for side in [0, 1].into_iter().filter(|&side| moves[side].abs() < before[side].abs()) {
                    let rate = moves[side] / before[side];
                    rates[side] = rate;
                    for (value, last) in values.iter_mut().zip(&last) {
                        value[side] += (value[side] - last[side]) * rate / (1.0 - rate);
                    }
                }
            }
            last.copy_from_slice(values);
            before = moves;
        }
        self.values[part.own.clone()].copy_from_slice(&known);
        Ok(())
    }

    /// Gives a guess a margin, and takes what a sweep makes of it if it bounds the values: else what was known before.
    fn take(&mut self, part: &Part<'_>, known: &[Bounds], margin: f64) -> Result<(), ExactError> {
        for [low, high] in &mut self.values[part.own.clone()] {
            let margin = margin * high.abs().max(1.0);
            (*low, *high) = (low.min(*high) - margin, low.max(*high) + margin);
        }
        let mut is_inside = true;
        self.sweep(part, 0, |[old_low, old_high], [low, high]| {
            let least = f64::EPSILON * old_high.abs().max(1.0);
            is_inside &= low - old_low > least && old_high - high > least;
            [low, high]
        })?;
        for (value, known) in self.values[part.own.clone()].iter_mut().zip(known) {
            *value = if is_inside { inwards(*known, *value) } else { *known };
        }
        Ok(())
    }

    /// Evaluates every moment of a component once; `enter` makes its new bounds of the old ones and those found.
    #[inline]
    fn sweep(
        &mut self,
        part: &Part<'_>,
        sweep: usize,
        mut enter: impl FnMut(Bounds, Bounds) -> Bounds,
    ) -> Result<(), ExactError> {
        let Sweeping { formulas, tell, done, .. } = *self.sweeping;
        for (&moment, at) in part.moments.iter().zip(part.own.clone()) {
            self.looked += 1;
            if self.looked.is_multiple_of(LOOK) {
                tell(sweep, done.load(Relaxed))?;
            }
            let here = |place: usize| self.values[place - part.first];
            let found = formulas.evaluate(moment as usize, here, &mut self.steps);
            self.values[at] = enter(self.values[at], found);
        }
        Ok(())
    }
}

/// A bound never gets worse, whatever rounding does.
#[inline]
fn inwards(old: Bounds, new: Bounds) -> Bounds {
    [new[0].max(old[0]), new[1].min(old[1])]
}

#[cfg(test)]
mod tests {
    use stopwise_engine::stream::{Keys, WordSource as _};

    use super::super::components::tests::graph;
    use super::super::formulas::{Extent, Formulas, Term};
    use super::*;

    /// The mean of what is known (½) and of moments that lead to each other is ½.
    #[test]
    fn bounds_meet() {
        let rows = vec![vec![1, 2], vec![0], vec![2, 3], vec![]];
        let bounds = Some([-3.0, 40.0]);
        let (values, is_cyclic) = close_in(graph(&rows), bounds, 0, &|_, _| Ok(())).expect("it converges");
        assert!(is_cyclic);
        for [low, high] in values {
            assert!(low <= 0.5 && 0.5 <= high && high - low < 1e-14, "{low} to {high}");
        }
    }

    /// Moments that lead to others, but to none that leads back, need no bounds; others do.
    #[test]
    fn what_never_returns_needs_no_bounds() {
        let close = |rows: &[Vec<usize>]| close_in(graph(rows), None, 7, &|_, _| Ok(()));
        let (values, is_cyclic) = close(&[vec![1, 2], vec![2, 3], vec![3], vec![]]).expect("it is known");
        assert_eq!((values, is_cyclic), (vec![[0.5; 2]; 4], false));
        assert_eq!(close(&[vec![1], vec![0]]), Err(ExactError::Unbounded { stage: 7 }));
        assert_eq!(close(&[vec![0]]), Err(ExactError::Unbounded { stage: 7 }));
    }

    /// Where play goes on for ever, every value stands: no guess makes an answer of it. Who can leave is worth what that is.
    #[test]
    fn what_never_ends_stays_open() {
        let mut formulas = Formulas::new(Extent::default(), 2);
        for is_chance in [true, false] {
            let own = formulas.push(Term::Here(u32::from(!is_chance), 0.0));
            let known = formulas.push(Term::Known([0.5; 2]));
            formulas.push(Term::Better(own, known, true));
            if is_chance {
                formulas.push_mean(&[(own, 1.0)], 1.0);
            }
            formulas.end();
        }
        let bounds = Some([-3.0, 40.0]);
        let (values, _) = close_in(Blocks::new(vec![formulas]), bounds, 0, &|_, _| Ok(())).expect("no moves");
        assert_eq!(values[0], [-3.0, 40.0]);
        let [low, high] = values[1];
        assert!(low < 0.5 && high == 0.5 && high - low < 1e-11, "{low} to {high}");
    }

    /// Formulas drawn at random of one player who may stay: from the least value upwards sweeps come to the value, whatever the
    /// least is, unless there are moments out of which nobody can.
    #[test]
    fn who_can_stay_leaves_at_best() {
        let mut words = Keys::new(8).streams(0, 1);
        let mut below = |number: u32| words.word(0) % number;
        let (mut met, mut stays) = (0, 0);
        for round in 0..300 {
            let (count, wants_more) = (1 + below(6), below(2) == 0);
            let mut formulas = Formulas::new(Extent::default(), 0);
            for _ in 0..count {
                let mut parts = Vec::new();
                for _ in 0..=below(3) {
                    let mut choice = formulas.push(Term::Here(below(count), 0.0));
                    for _ in 0..below(3) {
                        let other = match below(3) {
                            0 => Term::Known([f64::from(below(50)); 2]),
                            _ => Term::Here(below(count), 0.0),
                        };
                        let other = formulas.push(other);
                        choice = formulas.push(Term::Better(choice, other, wants_more));
                    }
                    parts.push((choice, f64::from(1 + below(4))));
                }
                let total = parts.iter().map(|(_, weight)| weight).sum();
                formulas.push_mean(&parts, total);
                formulas.end();
            }
            let formulas = Blocks::new(vec![formulas]);
            let from = |worst: f64| {
                let (mut values, mut steps) = (vec![[worst; 2]; count as usize], Vec::new());
                for _ in 0..4000 {
                    let old = values.clone();
                    for (at, value) in values.iter_mut().enumerate() {
                        *value = formulas.evaluate(at, |at| old[at], &mut steps);
                    }
                }
                values
            };
            let plain = if wants_more { [from(-1.0), from(-2.0)] } else { [from(60.0), from(70.0)] };
            let bounds = Some([-1.0, 60.0]);
            let (values, _) = close_in(formulas, bounds, 0, &|_, _| Ok(())).expect("it converges");
            let ends = plain[0].iter().zip(&plain[1]).all(|(a, b)| (a[0] - b[0]).abs() < 1e-9);
            for ([low, high], [value, _]) in values.iter().zip(&plain[0]) {
                assert!(low - 1e-9 <= *value && *value <= high + 1e-9, "{round}: {low} to {high}, {value}");
                assert!(!ends || high - low < 1e-9, "{round}: {low} to {high}, {value}");
                stays += usize::from(ends && high - low > 1e-13);
            }
            met += usize::from(ends);
        }
        assert!(met > 50 && stays > 50, "{met} games end, {stays} values");
    }

    /// Formulas drawn at random, beside sweeps of all moments at once from the least and the greatest value.
    #[test]
    fn guesses_are_what_sweeps_come_to() {
        let mut words = Keys::new(5).streams(0, 1);
        let mut below = |number: u32| words.word(0) % number;
        for round in 0..200 {
            let count = 1 + below(7);
            let mut formulas = Formulas::new(Extent::default(), 0);
            for _ in 0..count {
                let mut parts = vec![(formulas.push(Term::Known([0.0; 2])), 1.0)];
                for _ in 0..=below(3) {
                    let here = formulas.push(Term::Here(below(count), f64::from(below(3)) / 8.0));
                    let known = formulas.push(Term::Known([f64::from(below(50)); 2]));
                    parts.push((here, f64::from(below(40))));
                    parts.push((formulas.push(Term::Better(here, known, below(2) == 0)), 1.0));
                }
                let total = parts.iter().map(|(_, weight)| weight).sum();
                formulas.push_mean(&parts, total);
                formulas.end();
            }
            let formulas = Blocks::new(vec![formulas]);
            let mut plain = vec![[0.0, 1000.0]; count as usize];
            let mut steps = Vec::new();
            for _ in 0..8000 {
                let old = plain.clone();
                for (at, bounds) in plain.iter_mut().enumerate() {
                    *bounds = inwards(old[at], formulas.evaluate(at, |at| old[at], &mut steps));
                }
            }
            let bounds = Some([0.0, 1000.0]);
            let (values, _) = close_in(formulas, bounds, 0, &|_, _| Ok(())).expect("it converges");
            for (found, plain) in values.iter().zip(&plain) {
                let is_near =
                    (0..2).all(|side| (found[side] - plain[side]).abs() < 1e-9 * (1.0 + plain[side]));
                assert!(is_near, "round {round}: {found:?} is not {plain:?}");
            }
        }
    }
}
