//! Whose turn is the first and the next, where players may be passed over or a turn says who plays next, and how many have turns.

use super::Compiler;
use super::value::{At, Kind, Val};
use crate::op::{Bin, Cell, Op};
use crate::problem::Span;
use crate::syntax::{End, EndForm, Expr, Still, Tie};

/// Whose turn is the next, where players are passed over.
pub(super) struct Passing {
    /// Who has a turn in the rest of this round or in the next one, as bits.
    mask: At,
    /// The next of them, and how many seats behind the player whose turn it was; at least all seats if there is none.
    pub(super) next: At,
    pub(super) step: At,
    /// Whether those behind have no turn in this round.
    pub(super) is_last: Val,
}

impl Compiler<'_> {
    /// For whom the condition of `turn` or `round` holds; nothing if options let everybody have turns.
    pub(super) fn have_turns(&mut self) -> Option<Vec<Val>> {
        let filter = self.file.play.as_ref()?.filter.as_ref()?;
        let seats = 0..self.program.seats;
        let have: Vec<Val> = seats.map(|seat| self.of_player(seat, |c| c.condition(filter))).collect();
        have.iter().any(|has| !has.is(true)).then_some(have)
    }

    /// What a text may not say of players who are passed over; and the first who is not begins.
    pub(super) fn first_player(&mut self) {
        let file = self.file;
        let filter = file.play.as_ref().and_then(|play| play.filter.as_ref());
        let left = |end: &&End| matches!(end.form, EndForm::Left(_));
        let Some(filter) = filter else {
            if let Some(end) = file.ends.iter().find(left) {
                self.advise(
                    &end.span,
                    "nobody is passed over in this game, so that all are left",
                    "say who has turns, `turn where CONDITION`; or count them, `when count(p in everyone where …) <= 1`",
                );
            }
            return;
        };
        if file.tie == Some(Tie::PlayOn) {
            self.advise(
                &filter.span,
                "those who are tied play on, and some of them may be passed over",
                "write `tie share`, `tie nobody` or `tie by lot`",
            );
        }
        let Some(have) = self.have_turns() else { return };
        let mask = self.mask_of(&have);
        for end in file.ends.iter().filter(left) {
            let EndForm::Left(many) = end.form else { continue };
            let is_over = self.at_most_are_left(mask, many);
            self.jump_if(is_over, self.labels_of.endings[self.ending_of(end)]);
        }
        if let Some(me) = self.hidden.me {
            let first = self.lowest(mask);
            self.store_cell(me, first);
        }
    }

    /// `then PLAYER`: who plays next.
    pub(super) fn then(&mut self, player: &Expr) {
        // Who plays alone is the next one anyway, and what options shut off is never said.
        if self.hidden.me.is_some() && self.dead == 0 {
            self.no_rounds(&player.span);
        }
        let Some(player) = self.player_or_me(Some(player), &player.span) else { return };
        if self.hidden.me.is_none() || self.dead > 0 {
            return;
        }
        let seats = self.seats();
        let then = match self.hidden.then {
            Some(then) => then,
            None => self.hidden_cell(seats, false),
        };
        self.hidden.then = Some(then);
        let before = self.player_after(&player, self.program.seats - 1);
        let before = self.bin(Bin::Add, before.at, At::Const(1));
        self.store_cell(then, before);
    }

    /// What a text may not say where `end turn, then PLAYER` says who plays next.
    fn no_rounds(&mut self, span: &Span) {
        let file = self.file;
        let counts_rounds = |end: &&End| match &end.form {
            EndForm::After(_, is_rounds) => *is_rounds,
            EndForm::When(_, still) => *still != Still::Nothing,
            EndForm::Left(_) | EndForm::Means(_) => false,
        };
        if let Some(end) = file.ends.iter().find(counts_rounds) {
            self.advise(
                &end.span,
                "players have no equal turns where `end turn, then PLAYER` says who plays next, and there are no rounds",
                "write `end … when CONDITION`, or `end … after NUMBER turns`",
            );
        }
        if file.tie == Some(Tie::PlayOn) {
            self.advise(
                span,
                "those who are tied play on in turn, and here is said who plays next",
                "write `tie share`, `tie nobody` or `tie by lot`",
            );
        }
        let mut number = None;
        let mut read = |expr: &Expr| {
            if expr.word() == Some("round") {
                number.get_or_insert(expr.span.clone());
            }
        };
        file.each_rule(&mut read);
        file.each_seen(&mut read);
        if let Some(span) = number {
            self.advise(
                &span,
                "there are no rounds where `end turn, then PLAYER` says who plays next",
                "count in a variable of your own",
            );
        }
    }

    /// The player behind whom the next one sits: whose turn it was, if nothing else was said.
    pub(super) fn before_next(&mut self) -> Val {
        let me = self.me_value().unwrap_or_else(|| Val::player(0));
        let Some(then) = self.hidden.then else { return me };
        let then = self.load_cell(then);
        let before = self.bin(Bin::Sub, then, At::Const(1));
        let before = self.select(then, before, me.at);
        Val::new(before, Kind::Player, 0, self.seats() - 1)
    }

    /// Those for whom a condition holds, as bits.
    fn mask_of(&mut self, have: &[Val]) -> At {
        let mut mask = At::Const(0);
        for (seat, has) in have.iter().enumerate() {
            let bit = self.bin(Bin::Mul, has.at, At::Const(1 << seat));
            mask = self.bin(Bin::Or, mask, bit);
        }
        mask
    }

    /// The lowest seat of some; the last one if there is none.
    fn lowest(&mut self, mask: At) -> At {
        let last = u32::try_from(self.program.seats - 1).unwrap_or(0);
        self.by_mask(mask, |mask| mask.trailing_zeros().min(last).into())
    }

    /// Whose turn is the next, where somebody may be passed over. Seats behind the player whose turn it was have their turns
    /// in this round, all others in the next one, and are judged by its number. A round is everybody's turn.
    pub(super) fn next_with_turns(&mut self) -> Option<Passing> {
        let have = self.have_turns()?;
        let seats = self.program.seats;
        let now = self.mask_of(&have);
        let filter = self.file.play.as_ref().and_then(|play| play.filter.as_ref());
        let later = if filter.is_some_and(|filter| self.file.reads(filter, "round")) {
            self.is_next_round = true;
            let have = self.have_turns();
            self.is_next_round = false;
            have.map_or(At::Const((1 << seats) - 1), |have| self.mask_of(&have))
        } else {
            now
        };
        if self.program.is_round {
            let (next, step) = (At::Const(0), At::Const(1));
            return Some(Passing { mask: later, next, step, is_last: Val::truth(true) });
        }
        let me = self.before_next().at;
        let behind = self.look_up((0..seats).map(|me| ((1 << seats) - (2 << me)).max(0)).collect(), me);
        let behind = self.bin(Bin::And, now, behind);
        let mask = self.bin(Bin::Or, behind, later);
        let first = self.select(behind, behind, later);
        let next = self.lowest(first);
        let is_last = self.truth_of(Bin::Eq, behind, At::Const(0));
        let step = self.bin(Bin::Sub, next, me);
        let round = self.bin(Bin::Mul, is_last.at, At::Const(self.seats()));
        let step = self.bin(Bin::Add, step, round);
        Some(Passing { mask, next, step, is_last })
    }

    /// Whether at most so many of some are left. Who plays alone is left or not.
    fn at_most_are_left(&mut self, mask: At, many: i64) -> At {
        let most = if self.program.seats == 1 { 0 } else { many };
        self.by_mask(mask, |mask| (i64::from(mask.count_ones()) <= most).into())
    }

    /// Whether at most so many are left.
    pub(super) fn is_over(&mut self, passing: &Passing, many: i64) -> At {
        self.at_most_are_left(passing.mask, many)
    }

    /// Whose turn, or round, is the next; `next_seat` where players are passed over.
    pub(super) fn next_player(&mut self, is_last: &Val, next_seat: Option<At>) {
        let Some(me) = self.hidden.me else {
            if let Some((tied, ending)) = self.hidden.tied {
                let none = self.label();
                let mask = self.load_cell(tied);
                self.jump_unless(mask, none);
                self.end_again(ending);
                self.place(none);
            }
            self.add_to(self.hidden.round, 1);
            return;
        };
        let next = self.label();
        if let Some((tied, ending)) = self.hidden.tied {
            let (none, over) = (self.label(), self.label());
            let mask = self.load_cell(tied);
            self.jump_unless(mask, none);
            // Only those who are tied play on.
            let seats = self.program.seats;
            let after = |mask: usize, me: usize| {
                (me + 1..seats).find(|seat| mask >> seat & 1 == 1).map_or(0, |seat| seat + 1)
            };
            let table =
                (0..8 << seats).map(|at: usize| i64::try_from(after(at >> 3, at & 7)).unwrap_or(0)).collect();
            let own = self.load_cell(me);
            let at = self.bin(Bin::Mul, mask, At::Const(8));
            let at = self.bin(Bin::Add, at, own);
            let seat = self.look_up(table, at);
            self.jump_unless(seat, over);
            let seat = self.bin(Bin::Sub, seat, At::Const(1));
            self.store_cell(me, seat);
            self.emit(Op::Jump(next));
            self.place(over);
            self.end_again(ending);
            self.place(none);
        }
        let after = next_seat.unwrap_or_else(|| {
            let own = self.before_next();
            self.player_after(&own, 1).at
        });
        if let Some(then) = self.hidden.then {
            self.store_cell(then, At::Const(0));
        }
        self.store_cell(me, after);
        if self.hidden.then.is_none() {
            self.jump_unless(is_last.at, next);
            self.add_to(self.hidden.round, 1);
        }
        self.place(next);
    }

    /// Goes to the ending that those tied have come to, which looks whether a single one is first, and plays on otherwise.
    fn end_again(&mut self, ending: Cell) {
        let ending = self.load_cell(ending);
        for (at, label) in self.labels_of.endings.clone().into_iter().enumerate() {
            let at = i64::try_from(at).unwrap_or(0);
            let is = self.bin(Bin::Eq, ending, At::Const(at));
            self.jump_if(is, label);
        }
    }
}
