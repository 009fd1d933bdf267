//! Who sits where: a policy in every seat, the same one in all games or that of each game's line-up.

use super::build::Builder;
use super::instr::{Instr, Ref, Width};
use super::local::Value;

impl Builder<'_> {
    /// The number of the policy in each of so many seats, given those of every line-up, one for each seat or one for all.
    pub(super) fn seated(&mut self, seats: usize, lineups: &[Vec<usize>]) -> Vec<Value> {
        let range = self.policy_range();
        let policy = |seat: usize| {
            let mut policies = lineups.iter().map(|lineup| lineup[seat % lineup.len()]);
            let first = policies.next().unwrap_or(0);
            if policies.all(|policy| policy == first) {
                Value::Known(i64::try_from(first).unwrap_or(0))
            } else {
                Value::In(self.column(Width::of(range)), range)
            }
        };
        (0..seats).map(policy).collect()
    }

    fn policy_range(&self) -> (i64, i64) {
        (0, i64::try_from(self.policies.len()).unwrap_or(i64::MAX) - 1)
    }

    /// The number of the policy that plays for a seat.
    pub(super) fn who(&mut self, seat: Value) -> Value {
        let (first, seats) = (self.seating[0], self.seating.len());
        match seat {
            Value::Known(seat) => self.seating[Self::known_place(seat, seats)],
            _ if self.seating.iter().all(|policy| *policy == first) => first,
            seat => {
                let seat = self.index(seat, seats);
                let range = self.policy_range();
                let width = Width::of(range);
                let policies: Vec<Ref> =
                    self.seating.clone().into_iter().map(|policy| self.at(policy, width)).collect();
                let who = self.calculated(width, |who| Instr::Pick(who, policies.as_slice().into(), seat));
                Value::In(who, range)
            }
        }
    }
}
