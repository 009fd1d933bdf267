//! Texts of Freeze Dice: what a freeze pays and costs, and to whom.

use super::numbers::Fraction;
use super::rules::StakeAtEnd;
use super::state::{CHOSEN, FROZEN, ONE_SIX, Phase, SEEN, SEVEN, SIXES, State, effect, seats};
use super::{CALL, DOUBLE, Drawn, FREEZE, Freeze, STAKE, STAKE_WON};
use crate::game::{Action, Event, Game as _, Question};
use crate::vocabulary::{Cause, Parts, Position, Prose, Rolled, Transition, counted, listed, seats_in_words};

impl Prose for Freeze {
    fn describe_action(&self, _: &State, _: usize, action: Action) -> String {
        name(action).into()
    }

    fn action_name(&self, _: usize, action: Action) -> Option<String> {
        Some(name(action).into())
    }

    fn tell_action(&self, _: usize, action: Action, _: &str) -> String {
        if action == Action::YES { "puts a counter on the six" } else { "rolls on with both dice" }.into()
    }

    fn describe_outcome(&self, drawn: Drawn) -> String {
        match drawn {
            Drawn::Dice(dice) => {
                let ((low, high), beside) = (dice.faces(), dice.is_beside_six());
                let seven = if low + high == 7 { ", a seven" } else { "" };
                match (low, beside) {
                    (6, true) => "a 6 beside the frozen 6: double sixes".into(),
                    (6, false) => "double sixes".into(),
                    (low, true) => format!("a {low} beside the frozen 6{seven}"),
                    (low, false) => format!("{low} and {high}{seven}"),
                }
            }
            Drawn::Stays => "no dice in this step".into(),
            Drawn::Caller(number) => {
                format!("for the call: number {} of those with double sixes has it", number + 1)
            }
            Drawn::Fumble(true) => "for a fumble: the dice were touched".into(),
            Drawn::Fumble(false) => "for a fumble: the dice were left alone".into(),
        }
    }

    fn tell_roll(&self, rolled: &[Rolled<Self>]) -> Option<String> {
        let &(state, drawn) = rolled.last()?;
        Some(match drawn {
            Drawn::Dice(_) => format!("rolls {}", self.describe_outcome(drawn)),
            Drawn::Stays => "does not roll in this step".into(),
            Drawn::Caller(number) => {
                let callers: Vec<_> = seats(state.lane(SIXES)).collect();
                let first = callers.get(usize::from(number)).copied();
                format!("draws who called first: {}", seats_in_words(first))
            }
            Drawn::Fumble(true) => "has touched the dice".into(),
            Drawn::Fumble(false) => "has not touched the dice".into(),
        })
    }

    fn describe_state(&self, state: &State) -> Vec<(&'static str, String)> {
        let counters: Vec<_> = (0..self.seats()).map(|seat| state.counters(seat).to_string()).collect();
        vec![
            ("Step", format!("{} of {}", state.step(), self.steps)),
            ("Counters", counters.join(" : ")),
            ("Bank", state.bank().to_string()),
            ("Frozen", dice_in_words(state.lane(FROZEN))),
        ]
    }

    fn position(
        &self,
        (mut state, question): Position<Self>,
        parts: &mut Parts,
    ) -> Result<Position<Self>, String> {
        let seats = self.seats();
        let everybody = (1 << seats) - 1;
        let counters: Vec<u16> = (0..seats).map(|seat| state.counters(seat)).collect();
        let counters = parts.numbers("counters", counters, 0..=u16::MAX.into())?;
        let is_rest = parts.is_read() && !parts.is_given("bank");
        let bank = parts.number("bank", state.bank(), 0..=u16::MAX.into())?;
        let step = parts.number("step", state.step().max(1), 1..=self.steps.into())?;
        // Where nobody is asked in it, a position that is read begins with the first seat's question.
        let to_ask = if parts.is_read() { 1 } else { state.lane(ONE_SIX) };
        let to_ask = parts.seats("asked", to_ask, seats)?;
        if to_ask == 0 {
            return Err("asked=…: say who has a six and is asked, as in asked=1".into());
        }
        let mut lanes = to_ask << ONE_SIX;
        // Double sixes and pairs count before anybody is asked.
        let others = [("sevens", SEVEN), ("frozen", FROZEN), ("not_rolled", SEEN), ("freezing", CHOSEN)];
        for (name, lane) in others {
            // Who has rolled is written by who has not.
            let turned = if lane == SEEN { everybody } else { 0 };
            let held = if lane == SEEN && parts.is_read() { everybody } else { state.lane(lane) };
            lanes |= (parts.seats(name, held ^ turned, seats)? ^ turned) << lane;
        }
        let waits: Vec<u8> = (0..seats).map(|seat| state.wait(seat)).collect();
        let waits = match waits.iter().any(|wait| *wait > 0) || parts.is_given("waits") {
            true => parts.numbers("waits", waits, 0..=7)?,
            false => waits,
        };
        let elsewhere = counters.iter().map(|many| u32::from(*many)).sum::<u32>()
            + (lanes >> FROZEN & everybody).count_ones();
        let rest = u32::from(self.counters()).saturating_sub(elsewhere);
        let bank = if is_rest { u16::try_from(rest).unwrap_or(u16::MAX) } else { bank };
        state = State::of(&counters, bank, step, lanes);
        state = waits.into_iter().enumerate().fold(state, |state, (seat, wait)| state.with_wait(seat, wait));
        Ok((state, Question { seat: state.decider(), ..question }))
    }

    fn is_asked(&self, position: Position<Self>) -> Result<(), String> {
        self.is_asked_in(position)
    }

    fn tell_step(&self, step: &Transition<'_, Self>) -> Vec<String> {
        let mut said = Vec::new();
        if step.has(FREEZE) {
            self.tell_freeze(step, &mut said);
        } else if step.has(DOUBLE) {
            let who: Vec<_> = step.seats(DOUBLE).collect();
            let gets = if who.len() == 1 { "gets 1 counter" } else { "get 1 counter each" };
            said.push(format!("a pair: {} {gets} from the bank", seats_in_words(who)));
        }
        if !step.has(FREEZE) && self.touched(step) != 0 && step.after.phase() != Phase::Fumble {
            let who = seats_in_words(seats(self.touched(step)));
            said.push(format!("a pair without a counter: {who} touched the dice"));
        }
        let has_ended = matches!(step.after.phase(), Phase::TieBreak | Phase::Over);
        if has_ended && step.before.phase() != Phase::TieBreak {
            self.tell_stakes_at_end(step, &mut said);
        }
        if step.after.phase() == Phase::TieBreak && step.after.lane(CHOSEN) != step.before.lane(CHOSEN) {
            let tied: Vec<_> = seats(step.after.lane(CHOSEN)).collect();
            let counters = step.after.counters(tied.first().copied().unwrap_or(0));
            let have = counted(counters.into(), "counter", "counters");
            said.push(format!(
                "a tie: {} have {have} each, and roll until one of them alone shows double sixes",
                seats_in_words(tied)
            ));
        }
        said
    }

    fn is_told(&self, event: Event) -> bool {
        [FREEZE, CALL, DOUBLE, STAKE, STAKE_WON, Event::BUST].contains(&event)
    }

    fn is_quiet(&self, _: usize, action: Action) -> bool {
        action == Action::NO
    }
}

fn name(action: Action) -> &'static str {
    if action == Action::YES { "put a counter on the six" } else { "roll on with both dice" }
}

impl Freeze {
    /// The players who have touched the dice and are not paid for them, as bits.
    fn touched(&self, step: &Transition<'_, Self>) -> u64 {
        let Cause::Roll(drawn) = step.cause else { return 0 };
        if drawn == Drawn::Fumble(true) || step.before.phase() == Phase::Fumble {
            let last = u64::from(drawn == Drawn::Fumble(true)) << step.before.first_pending();
            return step.before.lane(CHOSEN) | last;
        }
        // A fumble that is sure is not drawn.
        let is_sure = self.fumble == Fraction::ONE && self.doubles_count(step.before.step());
        if is_sure { step.seats(CALL).fold(0, |all, seat| all | 1 << seat) } else { 0 }
    }

    /// The players who show a seven after the last draw, as bits.
    fn sevens(step: &Transition<'_, Self>) -> u64 {
        let before = step.before.lane(SEVEN);
        let Cause::Roll(Drawn::Dice(dice)) = step.cause else { return before };
        let seat = step.before.first_pending();
        before & !(1 << seat) | (effect(dice) >> SEVEN & 1) << seat
    }

    /// Describes who calls, and what is paid, in order of payment.
    fn tell_freeze(&self, step: &Transition<'_, Self>, said: &mut Vec<String>) {
        let (before, sevens) = (&step.before, Self::sevens(step));
        let callers: Vec<_> = step.seats(CALL).collect();
        let call = if callers.len() == 1 { "calls" } else { "call" };
        said.push(format!("freeze: {} {call} it with double sixes", seats_in_words(callers.iter().copied())));
        if before.lane(FROZEN) != 0 {
            let owners = seats_in_words(seats(before.lane(FROZEN)));
            said.push(format!("the counters on frozen dice ({owners}) go to the bank"));
        }
        let mut bank = before.bank() + before.stakes();
        let broke = seats(sevens).find(|&seat| before.counters(seat) == 0);
        if let Some(broke) = broke.filter(|_| self.broke_bonus) {
            let paid = bank.min(self.players.into());
            bank -= paid;
            let all =
                if paid == u16::from(self.players) { "everybody gets" } else { "all that it can pay get" };
            said.push(format!("seat {} shows a seven and has no counter: {all} 1 from the bank", broke + 1));
        }
        let touched = self.touched(step);
        let payers: Vec<_> = step.seats(Event::BUST).collect();
        let counting: Vec<_> = callers.into_iter().filter(|seat| touched >> seat & 1 == 0).collect();
        for &caller in &counting {
            let from_bank = if bank > 0 { "1 counter from the bank" } else { "nothing from the empty bank" };
            bank -= u16::from(bank > 0);
            // Of several callers the first takes what the payers have.
            let pays = match payers.as_slice() {
                payers if payers.is_empty() || counting.len() > 1 => String::new(),
                payers => {
                    let shows = if payers.len() == 1 { "who shows a seven" } else { "who show sevens" };
                    let each = if payers.len() == 1 { "1" } else { "1 each" };
                    format!(" and {each} from {}, {shows}", seats_in_words(payers.iter().copied()))
                }
            };
            said.push(format!("seat {} gets {from_bank}{pays}", caller + 1));
        }
        if counting.len() > 1 && !payers.is_empty() {
            let each = if payers.len() == 1 { "shows a seven and pays" } else { "show sevens and pay" };
            let who = seats_in_words(payers.iter().copied());
            said.push(format!("{who} {each} every caller 1 counter as long as there is one"));
        }
        if touched != 0 {
            said.push(format!(
                "{} touched the dice, and nothing is paid for that",
                seats_in_words(seats(touched))
            ));
        }
        let unpaid: Vec<_> = seats(sevens).filter(|seat| !payers.contains(seat)).collect();
        if !unpaid.is_empty() && !counting.is_empty() {
            let shows = if unpaid.len() == 1 { "shows a seven, but has" } else { "show sevens, but have" };
            said.push(format!("{} {shows} no counter to pay with", seats_in_words(unpaid)));
        }
    }

    /// Describes what happens to counters on dice when the game ends.
    fn tell_stakes_at_end(&self, step: &Transition<'_, Self>, said: &mut Vec<String>) {
        let answered = match step.cause {
            Cause::Answer(_, action) => {
                step.before.lane(CHOSEN) | u64::from(action == Action::YES) << step.before.decider()
            }
            Cause::Roll(_) => 0,
        };
        let frozen = if step.has(FREEZE) { 0 } else { step.before.lane(FROZEN) | answered };
        if frozen == 0 {
            return;
        }
        let owners = seats_in_words(seats(frozen));
        said.push(match self.stake_at_end {
            StakeAtEnd::Returned => format!("the counters on frozen dice go back to {owners}"),
            StakeAtEnd::Paid => format!("the counters on frozen dice ({owners}) go to the bank"),
        });
    }
}

/// "dice of seats 1 and 3".
fn dice_in_words(set: u64) -> String {
    let names: Vec<_> = seats(set).map(|seat| (seat + 1).to_string()).collect();
    match names.len() {
        0 => "no die".into(),
        1 => format!("a die of seat {}", names[0]),
        _ => format!("dice of seats {}", listed(&names, "and")),
    }
}
