//! From which steps of a program a bust may come in the same turn, before the next roll.

use stopwise_engine::game::Event;

use crate::code::{Code, Step};

impl Code {
    /// Step by step, whether a bust may come from it on.
    pub(crate) fn perils(&self) -> Vec<bool> {
        let mut found = vec![false; self.steps.len()];
        let mut is_new = true;
        while is_new {
            is_new = false;
            for at in (0..self.steps.len()).rev().filter(|at| !found[*at]).collect::<Vec<_>>() {
                let leads = |to: u32| found.get(to as usize).copied().unwrap_or(false);
                found[at] = event_of(self.steps[at]) == Some(Event::BUST)
                    || self.follow(at).into_iter().flatten().any(leads);
                is_new |= found[at];
            }
        }
        found
    }

    /// Where execution may go on after a step in the same turn.
    fn follow(&self, at: usize) -> [Option<u32>; 2] {
        let mut step = self.steps[at];
        let halt = |number: u32| &self.aside.halts[number as usize];
        match step {
            Step::End(_) | Step::Return => [None, None],
            _ if event_of(step) == Some(Event::TURN) => [None, None],
            Step::RollMe(halt) => [None, Some(halt.capped)],
            Step::Stop(number) if halt(number).is_own_roll() => [None, Some(halt(number).capped)],
            Step::AskMe(halt, ..) => [Some(halt.resume), Some(halt.capped)],
            Step::Stop(number) => [Some(halt(number).resume), Some(halt(number).capped)],
            Step::Jump(to) => [Some(to), None],
            _ => [u32::try_from(at + 1).ok(), step.target().copied()],
        }
    }
}

fn event_of(step: Step) -> Option<Event> {
    match step {
        Step::Event(event, _) | Step::EventMe(event) | Step::EventOf(event, _) | Step::Events(event, ..) => {
            Some(event)
        }
        _ => None,
    }
}
