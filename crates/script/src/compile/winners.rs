//! Who wins: at an ending, and at the end as a share.

use super::Compiler;
use super::value::{At, Val};
use crate::op::{Bin, Cell, Op, Rolled, SiteForm};
use crate::pool::Pool;
use crate::syntax::{Expr, Most, Name, Tie, Verdict};

impl Compiler<'_> {
    /// Who is first, as bits; among those of a mask, if there is one.
    fn firsts(&mut self, among: Option<At>) -> At {
        let file = self.file;
        let seats = self.program.seats;
        let mut values: Vec<Vec<Val>> = Vec::new();
        for seat in 0..seats {
            values
                .push(self.of_player(seat, |c| file.win.iter().map(|(_, value)| c.number(value)).collect()));
        }
        let mut mask = At::Const(0);
        for (seat, own) in values.iter().enumerate() {
            let mut is_first = Val::truth(true);
            for (other, others) in values.iter().enumerate().filter(|(other, _)| *other != seat) {
                let mut better = Val::truth(false);
                for ((most, _), (own, other)) in file.win.iter().zip(own.iter().zip(others)).rev() {
                    let (more, equal) = match most {
                        Most::Most => (self.compare(Bin::Lt, own, other), self.compare(Bin::Eq, own, other)),
                        Most::Least => (self.compare(Bin::Lt, other, own), self.compare(Bin::Eq, own, other)),
                    };
                    let rest = self.and(&equal, |_| better.clone());
                    better = self.or(&more, |_| rest);
                }
                if let Some(among) = among {
                    let plays = self.is_among(among, At::Const(i64::try_from(other).unwrap_or(0)));
                    better = self.and(&plays, |_| better);
                }
                let not = self.not(&better);
                is_first = self.and(&is_first, |_| not);
            }
            let bit = self.bin(Bin::Mul, is_first.at, At::Const(1 << seat));
            mask = self.bin(Bin::Or, mask, bit);
        }
        match among {
            Some(among) => self.bin(Bin::And, mask, among),
            None => mask,
        }
    }

    /// Whether a player is among those of a mask.
    pub(super) fn is_among(&mut self, mask: At, player: At) -> Val {
        let bit = self.bin(Bin::Shr, mask, player);
        self.truth_of(Bin::And, bit, At::Const(1))
    }

    /// A table over masks of players.
    pub(super) fn by_mask(&mut self, mask: At, value: impl Fn(u32) -> i64) -> At {
        let table = (0..1_u32 << self.program.seats).map(value).collect();
        self.look_up(table, mask)
    }

    /// Who still plays.
    pub(super) fn playing(&mut self) -> Option<At> {
        let (tied, _) = self.hidden.tied?;
        let tied = self.load_cell(tied);
        let all = (1 << self.program.seats) - 1;
        Some(self.by_mask(tied, |mask| if mask == 0 { all } else { mask.into() }))
    }

    /// Notes who has won, or lost, with an ending.
    pub(super) fn decide(&mut self, ending: &Name, verdict: Verdict, player: &Expr) {
        let is_early = self.program.endings.iter().any(|other| other.name == ending.text && other.early);
        if is_early {
            self.advise(
                &ending.span,
                format!("`{}` is an early end, and nobody wins with it", ending.text),
                format!("declare it without `early`: `end {} \"…\"`", ending.text),
            );
        }
        let Some(player) = self.player_or_me(Some(player), &player.span) else { return };
        let Some(decided) = self.hidden.decided else { return };
        let one = At::Reg(self.get(At::Const(1)));
        let bit = self.bin(Bin::Shl, one, player.at);
        let among = match verdict {
            Verdict::Won => bit,
            Verdict::Lost => {
                let all = self.playing().unwrap_or(At::Const((1 << self.program.seats) - 1));
                let with = self.bin(Bin::Or, all, bit);
                self.bin(Bin::Sub, with, bit)
            }
        };
        self.store_cell(decided, among);
    }

    /// Among whom the winner is, if not among all.
    fn among(&mut self) -> Option<At> {
        let playing = self.playing();
        let Some(decided) = self.hidden.decided else { return playing };
        let decided = self.load_cell(decided);
        let others = playing.unwrap_or(At::Const((1 << self.program.seats) - 1));
        let is = self.bin(Bin::Ne, decided, At::Const(0));
        Some(self.select(is, decided, others))
    }

    /// What is done when the game ends in one way or another.
    pub(super) fn finishes(&mut self) {
        let seats = self.program.seats;
        let file = self.file;
        if seats > 1 && file.win.is_empty() {
            self.advise(&(0..0), "nobody wins", "say who: `win most EXPR` or `win least EXPR`");
            return;
        }
        for (number, label) in self.labels_of.endings.clone().into_iter().enumerate() {
            self.place(label);
            let early = self.program.endings[number].early;
            let number = u32::try_from(number).unwrap_or(0);
            if let (Some(winner), false) = (self.hidden.winner, early) {
                self.draw_lots(winner);
            }
            if let (Some((tied, ending)), false) = (self.hidden.tied, early) {
                let among = self.among();
                let mask = self.firsts(among);
                let alone = self.by_mask(mask, |mask| (mask.count_ones() == 1).into());
                let on = self.label();
                self.jump_unless(alone, on);
                self.check_metrics();
                self.emit(Op::End(number));
                self.place(on);
                if let Some(decided) = self.hidden.decided {
                    self.store_cell(decided, At::Const(0));
                }
                self.store_cell(tied, mask);
                self.store_cell(ending, At::Const(number.into()));
                let first = self.by_mask(mask, |mask| mask.trailing_zeros().min(7).into());
                if let Some(me) = self.hidden.me {
                    self.store_cell(me, first);
                }
                self.add_to(self.hidden.round, 1);
                self.emit(Op::Jump(self.labels_of.start));
                continue;
            }
            self.check_metrics();
            self.emit(Op::End(number));
        }
    }

    /// One event of as many cases as are first, from the words of the first of them.
    fn draw_lots(&mut self, winner: Cell) {
        let seats = self.program.seats;
        let first_pool = u32::try_from(self.program.pools.len()).unwrap_or(0);
        for many in 1..=i64::try_from(seats).unwrap_or(1) {
            self.program.pools.push(Pool::new((0..many).map(|at| (at, 1)).collect()));
        }
        let among = self.among();
        let mask = self.firsts(among);
        let many = self.by_mask(mask, |mask| mask.count_ones().into());
        let seat = self.by_mask(mask, |mask| mask.trailing_zeros().min(7).into());
        self.give(1, many);
        self.keep_thrown(&[(many, 8)]);
        self.give(0, seat);
        let many = u32::try_from(seats).unwrap_or(1);
        let site = self.site(SiteForm::Roll(vec![Rolled { first: first_pool, many, part: 0 }]));
        self.hidden.lots.push(site);
        self.emit(Op::Roll(site));
        let drawn = self.take(0);
        let among = self.among();
        let mask = self.firsts(among);
        let at = self.bin(Bin::Mul, mask, At::Const(8));
        let at = self.bin(Bin::Add, at, drawn);
        let nth = |at: u32| {
            let (mask, n) = (at >> 3, at & 7);
            (0..8)
                .filter(|seat| mask >> seat & 1 == 1)
                .nth(n as usize)
                .map_or(0, |seat: u32| i64::from(seat) + 1)
        };
        let table = (0..8_u32 << seats).map(nth).collect();
        let seat = self.look_up(table, at);
        self.store_cell(winner, seat);
    }

    pub(super) fn win_share(&mut self, ending: At, player: &Val) -> At {
        let early: Vec<i64> = self.program.endings.iter().map(|ending| ending.early.into()).collect();
        let early = self.look_up(early, ending);
        let counts = self.bin(Bin::Eq, early, At::Const(0));
        if let Some(winner) = self.hidden.winner {
            let winner = self.load_cell(winner);
            let winner = self.bin(Bin::Sub, winner, At::Const(1));
            let is = self.bin(Bin::Eq, winner, player.at);
            return self.bin(Bin::And, counts, is);
        }
        let seats = self.seats();
        let is_shared = !matches!(self.file.tie, Some(Tie::Nobody | Tie::PlayOn)) && !self.one_is_first();
        let whole = if is_shared { (1..=seats).fold(1, lcm) } else { 1 };
        self.program.whole_win = whole;
        self.program.loses_ties = self.file.tie == Some(Tie::Nobody) && !self.one_is_first();
        let among = self.among();
        let mask = self.firsts(among);
        let share = self.by_mask(mask, |mask| match i64::from(mask.count_ones()) {
            0 => 0,
            1 => whole,
            many if is_shared => whole / many,
            _ => 0,
        });
        let is_first = self.is_among(mask, player.at);
        let share = self.bin(Bin::Mul, share, is_first.at);
        self.bin(Bin::Mul, share, counts)
    }
}

pub(super) fn lcm(a: i64, b: i64) -> i64 {
    let gcd = |mut a: i64, mut b: i64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    a / gcd(a, b) * b
}
