//! Which of many groups of cells bound what is said of all of them, without a look at every pair.

use std::cmp::Ordering;

/// What is known of a group by itself: where its interval would begin and end.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Reaching {
    group: usize,
    down: f64,
    up: f64,
}

/// The groups whose own limits are the most extreme.
///
/// Where nothing is assumed of how cells go together, the interval of a difference is as wide as those of both means:
/// from the lower limit of one less the upper limit of the other, to the opposite. Of the differences of one group from
/// all others the extreme limits are therefore those from the groups whose own limits are extreme. These are found here
/// with a little to spare, so that the differences themselves, which are rounded otherwise, decide between the last bits.
#[derive(Clone, Debug)]
pub(super) struct Ends {
    by_down: Vec<Reaching>,
    by_up: Vec<Reaching>,
    /// Limits that are nearer than this are not told apart.
    slack: f64,
}

impl Ends {
    /// From the number of each group, its mean and how far its interval reaches from that.
    pub(super) fn new(groups: impl Iterator<Item = (usize, f64, f64)>) -> Self {
        let of = |(group, mean, reach): (usize, f64, f64)| Reaching {
            group,
            down: mean - reach,
            up: mean + reach,
        };
        let all: Vec<_> = groups.map(of).collect();
        let size = |group: &Reaching| group.down.abs().max(group.up.abs());
        let slack = 1e-12 * all.iter().map(size).fold(0.0, f64::max);
        let sorted = |order: fn(&Reaching, &Reaching) -> Ordering| {
            let mut sorted = all.clone();
            sorted.sort_by(order);
            // Of equal ones two do, so that each has another.
            let mut seen = 0;
            let mut last = None;
            sorted.retain(|&Reaching { down, up, .. }| {
                seen = if last == Some((down, up)) { seen + 1 } else { 1 };
                last = Some((down, up));
                seen <= 2
            });
            sorted
        };
        Self {
            by_down: sorted(|a, b| a.down.total_cmp(&b.down).then(a.up.total_cmp(&b.up))),
            by_up: sorted(|a, b| a.up.total_cmp(&b.up).then(a.down.total_cmp(&b.down))),
            slack,
        }
    }

    /// Of the groups other than this, those with the least limits, lower or upper.
    pub(super) fn least(&self, group: usize) -> impl Iterator<Item = usize> {
        let down = near(self.by_down.iter(), |other| other.down, group, self.slack);
        down.chain(near(self.by_up.iter(), |other| other.up, group, self.slack))
    }

    /// Of the groups other than this, those with the greatest limits, lower or upper.
    pub(super) fn greatest(&self, group: usize) -> impl Iterator<Item = usize> {
        let down = near(self.by_down.iter().rev(), |other| other.down, group, self.slack);
        down.chain(near(self.by_up.iter().rev(), |other| other.up, group, self.slack))
    }

    /// Of the groups other than this, those with the least lower or the greatest upper limit.
    pub(super) fn widest(&self, group: usize) -> impl Iterator<Item = usize> {
        let down = near(self.by_down.iter(), |other| other.down, group, self.slack);
        down.chain(near(self.by_up.iter().rev(), |other| other.up, group, self.slack))
    }
}

/// The first groups other than one, as long as their limits are as good as equal.
fn near<'a>(
    order: impl Iterator<Item = &'a Reaching>,
    limit: fn(&Reaching) -> f64,
    except: usize,
    slack: f64,
) -> impl Iterator<Item = usize> {
    let mut others = order.filter(move |other| other.group != except).peekable();
    let first = others.peek().map_or(0.0, |other| limit(other));
    others.take_while(move |other| (limit(other) - first).abs() <= slack).map(|other| other.group)
}
