//! The game around the turn: its start, whose turn it is, how it ends, and what is measured.

use super::value::{At, Kind, Val};
use super::{Compiler, Global};
use crate::op::{Bin, Cell, Ending, From, Metric, Op, Rolled, SiteForm, Target};
use crate::pool::Pool;
use crate::problem::{Problem, unknown};
use crate::syntax::{Alone, End, EndForm, Expr, File, Form, Most, Name, Still, Term, Tie};

/// Turns or rounds after which a game without an `end … after` is capped; up to a cap of the second, the number of the turn
/// is a part of positions.
const CAP: i64 = 10_000;
const EXACT_CAP: i64 = 1000;

/// Where turns and games end.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels {
    pub(super) bust: Option<Target>,
    pub(super) end: Target,
    pub(super) capped: Target,
    start: Target,
    endings: Vec<Target>,
}

/// Variables of the machinery.
#[derive(Clone, Debug, Default)]
pub(super) struct Hidden {
    /// Whose turn it is, if more than one plays in turns.
    pub(super) me: Option<Cell>,
    pub(super) steps: Cell,
    /// What is rolled, where nothing else of a position tells it.
    pub(super) thrown: Cell,
    pub(super) turns: Cell,
    pub(super) round: Cell,
    most_rounds: i64,
    /// Whether the game is one of rounds, so that policies read their number.
    pub(super) tells_round: bool,
    /// For `after one more turn`: the turns that are left, by line.
    pub(super) last: Vec<(usize, Cell)>,
    /// For `play on`: who still plays, and the ending.
    pub(super) tied: Option<(Cell, Cell)>,
    /// For `by lot`: who has won, from 1.
    winner: Option<Cell>,
    /// The draws of lots, after which nothing is rolled.
    pub(super) lots: Vec<u32>,
    /// For `count busts`: who is bust in this turn, as bits.
    bust: Option<Cell>,
    /// For `play on`: all turns or rounds, for the cap.
    played: Option<Cell>,
}

impl Labels {
    pub(super) fn is_ending(&self, label: Target) -> bool {
        self.endings.contains(&label)
    }
}

impl Compiler<'_> {
    /// The player who is looked at, or whose turn it is.
    pub(super) fn me_value(&mut self) -> Option<Val> {
        if let Some(me) = &self.me {
            return Some(me.clone());
        }
        if self.program.is_round && self.program.seats > 1 {
            return None;
        }
        match self.hidden.me {
            None => Some(Val::player(0)),
            Some(cell) => {
                let most = i64::try_from(self.program.seats).unwrap_or(1) - 1;
                Some(Val::new(At::Reg(self.load_cell(cell)), Kind::Player, 0, most))
            }
        }
    }

    /// `round`, read by the text: then it is a part of positions.
    pub(super) fn read_round(&mut self) -> Val {
        if !self.is_reading
            && self.dead == 0
            && let Some(cell) = self.cells.get_mut(self.hidden.round as usize)
        {
            cell.is_memory = false;
        }
        self.round()
    }

    fn round(&mut self) -> Val {
        let d = self.load_cell(self.hidden.round);
        Val::kept(
            At::Reg(d),
            Kind::Number,
            1,
            self.hidden.most_rounds + i64::from(self.hidden.tied.is_some()),
        )
    }

    /// The whole game.
    pub(super) fn game(&mut self) {
        let file = self.file;
        let Some(play) = &file.play else {
            let problem = Problem::new(0..0, "nothing is played");
            self.problem(problem.help("say what a turn is: `turn`, and below it, indented, what is done"));
            return;
        };
        self.program.is_round = play.is_round;
        let seats = self.program.seats;
        self.endings();
        self.labels_of.start = self.label();
        self.labels_of.end = self.label();
        self.labels_of.bust = (!play.is_round || seats == 1).then(|| self.label());
        let most = i64::try_from(seats).unwrap_or(1) - 1;
        self.hidden.me = (seats > 1 && !play.is_round).then(|| self.hidden_cell(most, false));
        self.hidden.steps = self.hidden_cell(131_071, true);
        self.hidden.thrown = self.hidden_cell(0, false);
        let mut counts_busts = false;
        file.each_statement(&mut |statement| {
            counts_busts |= matches!(&statement.form, Form::Count { name, .. } if name.text == "busts");
        });
        self.hidden.bust = counts_busts.then(|| self.hidden_cell((1 << seats) - 1, false));
        self.counters();
        for variable in &file.shared {
            if let Some(number) = self.new_variable(variable, false) {
                self.declare(&variable.name, Global::Variable(number));
                self.pay_first(number);
            }
        }
        for variable in &file.player {
            if let Some(number) = self.new_variable(variable, true) {
                self.declare(&variable.name, Global::Variable(number));
                self.pay_first(number);
            }
        }
        self.place(self.labels_of.start);
        self.begin_turn();
        self.block(&play.block);
        if let Some(bust) = self.labels_of.bust {
            self.emit(Op::Jump(self.labels_of.end));
            self.place(bust);
            let me = self.me_value().unwrap_or_else(|| Val::player(0));
            self.count_bust(&me);
        }
        self.place(self.labels_of.end);
        let at_end = std::mem::take(&mut self.ahead.at_end);
        self.ops.extend(at_end);
        self.end_turn();
        self.finishes();
        let (measure, ops) = self.aside(Self::measure);
        self.measure = measure;
        self.ops.extend(ops);
        let readings = std::mem::take(&mut self.readings);
        self.ops.extend(readings);
        let unseen: Vec<_> = std::mem::take(&mut self.seen).into_values().flatten().flatten().collect();
        self.problems.extend(unseen);
    }

    fn endings(&mut self) {
        let file = self.file;
        for end in &file.ends {
            let name = end.name.as_ref().map_or("over", |name| &name.text);
            let meaning = match &end.form {
                EndForm::Means(meaning) => meaning.clone(),
                EndForm::When(..) => "its condition held".into(),
                EndForm::After(_, rounds) => {
                    if *rounds {
                        "the last round was over".into()
                    } else {
                        "the last turn was over".into()
                    }
                }
            };
            match self.program.endings.iter_mut().find(|ending| ending.name == name) {
                Some(ending) => {
                    if matches!(end.form, EndForm::Means(_)) {
                        ending.meaning = meaning;
                    }
                    ending.early |= end.early;
                }
                None => {
                    self.program.endings.push(Ending { name: name.to_owned(), early: end.early, meaning })
                }
            }
        }
        if !self.program.endings.iter().any(|ending| ending.name == "capped") {
            let meaning = "the cap on turns, or on the rolls of a turn, was reached".into();
            self.program.endings.push(Ending { name: "capped".into(), early: true, meaning });
        }
        self.labels_of.endings = self.program.endings.iter().map(|_| 0).collect();
        for at in 0..self.labels_of.endings.len() {
            self.labels_of.endings[at] = self.label();
        }
        let capped = self.program.endings.iter().position(|ending| ending.name == "capped");
        self.labels_of.capped = self.labels_of.endings[capped.unwrap_or(0)];
    }

    /// The label of an ending that `end game` names.
    pub(super) fn ending(&mut self, name: &Name) -> Option<Target> {
        let at = self.program.endings.iter().position(|ending| ending.name == name.text);
        if at.is_none() {
            let names: Vec<String> = self.program.endings.iter().map(|ending| ending.name.clone()).collect();
            let problem = unknown(name.span.clone(), "ending", &name.text, names.iter().map(String::as_str));
            let new = format!("declare it: `end {} \"…\"`", name.text);
            let help = problem.help.clone().map_or(new.clone(), |near| format!("{near} Or {new}"));
            self.problem(problem.help(help));
        }
        self.labels_of.endings.get(at?).copied()
    }

    fn ending_of(&self, end: &End) -> usize {
        let name = end.name.as_ref().map_or("over", |name| &name.text);
        self.program.endings.iter().position(|ending| ending.name == name).unwrap_or(0)
    }

    /// The cells of turns and rounds, of last turns, and of ties.
    fn counters(&mut self) {
        let file = self.file;
        let (mut turns, mut rounds) = (None::<i64>, None::<i64>);
        for end in &file.ends {
            if let EndForm::After(many, is_rounds) = &end.form {
                let many = self.constant(many).clamp(1, 1 << 24);
                let most = if *is_rounds || self.program.is_round { &mut rounds } else { &mut turns };
                *most = Some(most.map_or(many, |most| most.max(many)));
            }
        }
        if turns.is_none() && rounds.is_none() {
            if self.program.is_round { rounds = Some(CAP) } else { turns = Some(CAP) }
        }
        let seats = i64::try_from(self.program.seats).unwrap_or(1);
        self.hidden.tells_round = rounds.is_some();
        self.hidden.most_rounds = rounds.or(turns).unwrap_or(CAP);
        let is_memory = |most: Option<i64>| most.is_none_or(|most| most > EXACT_CAP);
        self.hidden.turns = self.new_cells(1, 0, turns.unwrap_or(CAP) + 1, is_memory(turns));
        let most = self.hidden.most_rounds + 1;
        self.hidden.round = self.new_cells(1, 1, most, is_memory(rounds));
        for (at, end) in file.ends.iter().enumerate() {
            if let EndForm::When(_, Still::OneMoreTurn) = &end.form {
                if self.program.is_round {
                    self.wrong(&end.span, "a round is everybody's: nobody has one more turn");
                }
                let cell = self.hidden_cell(seats, false);
                self.hidden.last.push((at, cell));
            }
        }
        match file.tie {
            Some(Tie::PlayOn) if seats > 1 => {
                let cells = (self.hidden_cell((1 << seats) - 1, false), self.hidden_cell(255, false));
                self.hidden.tied = Some(cells);
                self.hidden.played = Some(self.hidden_cell(CAP, true));
            }
            Some(Tie::ByLot) if seats > 1 => self.hidden.winner = Some(self.hidden_cell(seats, false)),
            _ => {}
        }
    }

    fn begin_turn(&mut self) {
        if let Some(played) = self.hidden.played {
            let before = self.load_cell(played);
            let capped = self.truth_of(Bin::Le, At::Const(CAP), At::Reg(before));
            self.jump_if(&capped, self.labels_of.capped);
            self.add_to(played, 1);
        }
        self.store_cell(self.hidden.steps, At::Const(0));
        let players: Vec<Val> = match self.me_value() {
            Some(me) => vec![me],
            None => (0..self.program.seats).map(Val::player).collect(),
        };
        for player in players {
            let next = self.label();
            let plays = self.plays(&player);
            self.jump_unless(&plays, next);
            let seat = self.get(player.at);
            self.emit(Op::Event(0, seat));
            self.place(next);
        }
        if let Some(bust) = self.hidden.bust {
            self.store_cell(bust, At::Const(0));
        }
    }

    /// Whether a player plays in a round: all do, but in further rounds only those who are tied.
    pub(super) fn plays(&mut self, player: &Val) -> Val {
        if !self.program.is_round {
            return Val::truth(true);
        }
        let Some(among) = self.playing() else { return Val::truth(true) };
        self.is_among(among, player.at)
    }

    /// Counts a bust, at most one for a player in a turn or round.
    pub(super) fn count_bust(&mut self, player: &Val) {
        let seat = self.get(player.at);
        let Some(cell) = self.hidden.bust else {
            self.emit(Op::Event(2, seat));
            return;
        };
        let before = self.load_cell(cell);
        let one = self.get(At::Const(1));
        let bit = self.bin(Bin::Shl, At::Reg(one), player.at);
        let known = self.bin(Bin::And, At::Reg(before), bit);
        let known = self.get(known);
        let end = self.label();
        self.emit(Op::JumpIf(known, end));
        self.emit(Op::Event(2, seat));
        let after = self.bin(Bin::Or, At::Reg(before), bit);
        self.store_cell(cell, after);
        self.place(end);
    }

    /// Adds to a cell. Where those who are tied play on, turns and rounds stay at their last number.
    fn add_to(&mut self, cell: Cell, by: i64) -> At {
        let before = self.load_cell(cell);
        let mut after = self.bin(Bin::Add, At::Reg(before), At::Const(by));
        if self.hidden.tied.is_some() && by > 0 {
            let info = self.cells[cell as usize];
            after = self.bin(Bin::Min, after, At::Const(info.low + info.values - 1));
        }
        self.store_cell(cell, after);
        after
    }

    /// For whom a condition holds.
    fn holds_for_anybody(&mut self, condition: &Expr) -> Val {
        let mut any = Val::truth(false);
        for seat in 0..self.program.seats {
            any = self.or(&any, |compiler| {
                let me = compiler.me.replace(Val::player(seat));
                let holds = compiler.condition(condition);
                compiler.me = me;
                holds
            });
        }
        any
    }

    fn jump_if(&mut self, condition: &Val, to: Target) {
        match condition.at {
            At::Const(0) => {}
            At::Const(_) => self.emit(Op::Jump(to)),
            At::Reg(c) => self.emit(Op::JumpIf(c, to)),
        }
    }

    /// What happens when a turn or a round is over.
    fn end_turn(&mut self) {
        let file = self.file;
        let seats = i64::try_from(self.program.seats).unwrap_or(1);
        let turns = self.add_to(self.hidden.turns, 1);
        let is_last = match self.me_value() {
            Some(me) => self.compare(Bin::Eq, &me, &Val::player(self.program.seats - 1)),
            None => Val::truth(true),
        };
        let mut busy = At::Const(0);
        for (_, cell) in self.hidden.last.clone() {
            let left = self.load_cell(cell);
            busy = self.bin(Bin::Or, busy, At::Reg(left));
        }
        if let Some((tied, _)) = self.hidden.tied {
            let tied = self.load_cell(tied);
            busy = self.bin(Bin::Or, busy, At::Reg(tied));
        }
        let busy = self.truth_of(Bin::Ne, busy, At::Const(0));
        for (at, end) in file.ends.iter().enumerate() {
            let ending = self.labels_of.endings[self.ending_of(end)];
            match &end.form {
                EndForm::Means(_) => {}
                EndForm::When(condition, still) => {
                    let skip = self.label();
                    if let Some((_, cell)) = self.hidden.last.iter().find(|(line, _)| *line == at).copied() {
                        let none = self.label();
                        let left = self.load_cell(cell);
                        self.emit(Op::JumpUnless(left, none));
                        let left = self.add_to(cell, -1);
                        let over = self.truth_of(Bin::Eq, left, At::Const(0));
                        self.jump_if(&over, ending);
                        self.emit(Op::Jump(skip));
                        self.place(none);
                    }
                    self.jump_if(&busy, skip);
                    if *still == Still::EqualTurns {
                        self.jump_unless(&is_last, skip);
                    }
                    let holds = if *still == Still::EqualTurns || self.me_value().is_none() {
                        self.holds_for_anybody(condition)
                    } else {
                        self.condition(condition)
                    };
                    match self.hidden.last.iter().find(|(line, _)| *line == at).copied() {
                        Some((_, cell)) if seats > 1 => {
                            self.jump_unless(&holds, skip);
                            self.store_cell(cell, At::Const(seats - 1));
                        }
                        _ => self.jump_if(&holds, ending),
                    }
                    self.place(skip);
                }
                EndForm::After(many, is_rounds) => {
                    let many_value = self.constant(many);
                    let many = Val::number(many_value);
                    let skip = self.label();
                    if let Some((tied, _)) = self.hidden.tied.filter(|_| !end.early) {
                        let tied = self.load_cell(tied);
                        self.emit(Op::JumpIf(tied, skip));
                    }
                    let holds = if *is_rounds || self.program.is_round {
                        let round = self.round();
                        let is_over = self.compare(Bin::Le, &many, &Val { hi: i64::MAX, ..round });
                        self.and(&is_over, |_| is_last.clone())
                    } else {
                        let turns = Val::kept(turns, Kind::Number, 1, i64::MAX);
                        self.compare(Bin::Le, &many, &turns)
                    };
                    self.jump_if(&holds, ending);
                    self.place(skip);
                }
            }
        }
        if !file.ends.iter().any(|end| matches!(end.form, EndForm::After(..))) {
            let count = if self.program.is_round { self.round().at } else { turns };
            let capped = self.truth_of(Bin::Le, At::Const(CAP), count);
            self.jump_if(&capped, self.labels_of.capped);
        }
        self.next_player(&is_last);
        self.emit(Op::Jump(self.labels_of.start));
    }

    fn next_player(&mut self, is_last: &Val) {
        let Some(me) = self.hidden.me else {
            if let Some((tied, ending)) = self.hidden.tied {
                let none = self.label();
                let mask = self.load_cell(tied);
                self.emit(Op::JumpUnless(mask, none));
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
            self.emit(Op::JumpUnless(mask, none));
            // Only those who are tied play on.
            let seats = self.program.seats;
            let after = |mask: usize, me: usize| {
                (me + 1..seats).find(|seat| mask >> seat & 1 == 1).map_or(0, |seat| seat + 1)
            };
            let table =
                (0..8 << seats).map(|at: usize| i64::try_from(after(at >> 3, at & 7)).unwrap_or(0)).collect();
            let own = self.load_cell(me);
            let at = self.bin(Bin::Mul, At::Reg(mask), At::Const(8));
            let at = self.bin(Bin::Add, at, At::Reg(own));
            let seat = self.look_up(table, at);
            let there = self.truth_at(seat);
            self.jump_unless(&there, over);
            let seat = self.bin(Bin::Sub, seat, At::Const(1));
            self.store_cell(me, seat);
            self.emit(Op::Jump(next));
            self.place(over);
            self.end_again(ending);
            self.place(none);
        }
        let own = self.me_value().unwrap_or_else(|| Val::player(0));
        let after = self.player_after(&own, 1);
        self.store_cell(me, after.at);
        self.jump_unless(is_last, next);
        self.add_to(self.hidden.round, 1);
        self.place(next);
    }

    /// Goes to the ending that those tied have come to, which looks whether a single one is first, and plays on otherwise.
    fn end_again(&mut self, ending: Cell) {
        let ending = self.load_cell(ending);
        for (at, label) in self.labels_of.endings.clone().into_iter().enumerate() {
            let at = i64::try_from(at).unwrap_or(0);
            let is = self.truth_of(Bin::Eq, At::Reg(ending), At::Const(at));
            self.jump_if(&is, label);
        }
    }

    /// Who is first, as bits; among those of a mask, if there is one.
    fn firsts(&mut self, among: Option<At>) -> At {
        let file = self.file;
        let seats = self.program.seats;
        let mut values: Vec<Vec<Val>> = Vec::new();
        for seat in 0..seats {
            let me = self.me.replace(Val::player(seat));
            values.push(file.win.iter().map(|(_, value)| self.number(value)).collect());
            self.me = me;
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
    fn is_among(&mut self, mask: At, player: At) -> Val {
        let bit = self.bin(Bin::Shr, mask, player);
        self.truth_of(Bin::And, bit, At::Const(1))
    }

    /// A table over masks of players.
    fn by_mask(&mut self, mask: At, value: impl Fn(u32) -> i64) -> At {
        let table = (0..1_u32 << self.program.seats).map(value).collect();
        self.look_up(table, mask)
    }

    /// Who still plays.
    fn playing(&mut self) -> Option<At> {
        let (tied, _) = self.hidden.tied?;
        let tied = self.load_cell(tied);
        let all = (1 << self.program.seats) - 1;
        Some(self.by_mask(At::Reg(tied), |mask| if mask == 0 { all } else { mask.into() }))
    }

    /// What is done when the game ends in one way or another.
    fn finishes(&mut self) {
        let seats = self.program.seats;
        let file = self.file;
        if seats > 1 && file.win.is_empty() {
            let problem = Problem::new(0..0, "nobody wins");
            self.problem(problem.help("say who: `win most EXPR` or `win least EXPR`"));
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
                let among = self.playing();
                let mask = self.firsts(among);
                let alone = self.by_mask(mask, |mask| (mask.count_ones() == 1).into());
                let alone = self.truth_at(alone);
                let on = self.label();
                self.jump_unless(&alone, on);
                self.check_metrics();
                self.emit(Op::End(number));
                self.place(on);
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

    /// Metrics are not less than 0.
    fn check_metrics(&mut self) {
        let file = self.file;
        let alone = match &file.alone {
            Some(Alone::Score(_, expr)) if self.program.seats == 1 => Some(expr),
            _ => None,
        };
        let metrics: Vec<&Expr> =
            file.reports.iter().filter_map(|report| report.value.as_ref()).chain(alone).collect();
        for seat in 0..self.program.seats {
            let me = self.me.replace(Val::player(seat));
            for metric in &metrics {
                let value = self.number(metric);
                let _ = self.check(&value, (0, i64::from(i32::MAX)), &metric.span, "a metric");
            }
            self.me = me;
        }
    }

    /// One event of as many cases as are first, from the words of the first of them.
    fn draw_lots(&mut self, winner: Cell) {
        let seats = self.program.seats;
        let first_pool = u32::try_from(self.program.pools.len()).unwrap_or(0);
        for many in 1..=i64::try_from(seats).unwrap_or(1) {
            self.program.pools.push(Pool::new((0..many).map(|at| (at, 1)).collect()));
        }
        let mask = self.firsts(None);
        let many = self.by_mask(mask, |mask| mask.count_ones().into());
        let seat = self.by_mask(mask, |mask| mask.trailing_zeros().min(7).into());
        let (many, seat) = (self.get(many), self.get(seat));
        self.emit(Op::Give(1, many));
        self.keep_thrown(&[(At::Reg(many), 8)]);
        self.emit(Op::Give(0, seat));
        let many = u32::try_from(seats).unwrap_or(1);
        let site = self.site(SiteForm::Roll(vec![Rolled { first: first_pool, many, part: 0 }]));
        self.hidden.lots.push(site);
        self.emit(Op::Roll(site));
        let drawn = self.register();
        self.emit(Op::Take(drawn, 0));
        let mask = self.firsts(None);
        let at = self.bin(Bin::Mul, mask, At::Const(8));
        let at = self.bin(Bin::Add, at, At::Reg(drawn));
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

    /// The calculation at the end: it takes the ending and the player, and gives every metric that is read from the end.
    fn measure(&mut self) -> Target {
        let file = self.file;
        let seats = self.program.seats;
        let label = self.label();
        self.place(label);
        let (ending, seat) = (self.register(), self.register());
        self.emit(Op::Take(ending, 0));
        self.emit(Op::Take(seat, 1));
        let most = i64::try_from(seats).unwrap_or(1) - 1;
        let player = Val::new(At::Reg(seat), Kind::Player, 0, most);
        self.me = Some(player.clone());
        let mut metrics = Vec::new();
        let (most_turns, is_tied) = (self.hidden.most_rounds, self.hidden.tied.is_some());
        let count = |name: &str, unit: &str, meaning: &str, event: u8| Metric {
            name: name.into(),
            unit: unit.into(),
            meaning: meaning.into(),
            from: From::Event(event),
            is_higher_better: false,
            // A turn has at most one bust; how often dice are rolled has no bound.
            bounds: (event != 1 && !is_tied).then_some((0, most_turns)),
        };
        let turns = count("turns", "turns", "turns of the seat", 0);
        self.program.whole_win = 1;
        if seats > 1 {
            let share = self.win_share(At::Reg(ending), &player);
            let whole = self.program.whole_win;
            let alone = self.bin(Bin::Eq, share, At::Const(whole));
            let mut won = |number: u8, value: At, name: &str, unit: String, meaning: &str, most: i64| {
                let register = self.get(value);
                self.emit(Op::Give(number, register));
                metrics.push(Metric {
                    name: name.into(),
                    unit,
                    meaning: meaning.into(),
                    from: From::End(number),
                    is_higher_better: true,
                    bounds: Some((0, most)),
                });
            };
            won(0, alone, "win", "games".into(), "1 if the seat wins, alone", 1);
            if whole > 1 {
                let unit = format!("1/{whole} games");
                won(
                    1,
                    share,
                    "share",
                    unit,
                    "the share of the seat in the win: all of it, or a part of a tie",
                    whole,
                );
            }
        } else {
            match &file.alone {
                None => {
                    let problem = Problem::new(0..0, "a game for one needs a score");
                    self.problem(
                        problem.help("write `alone most EXPR`, `alone least EXPR` or `alone least turns`"),
                    );
                }
                Some(Alone::Turns) => {
                    let meaning = "turns until the end".into();
                    metrics.push(Metric { name: "score".into(), meaning, ..turns.clone() });
                }
                Some(Alone::Score(most, expr)) => {
                    let (from, bounds) = self.measured(expr, 0);
                    metrics.push(Metric {
                        name: "score".into(),
                        unit: unit_of(file, expr),
                        meaning: "the score".into(),
                        from,
                        is_higher_better: *most == Most::Most,
                        bounds,
                    });
                }
            }
        }
        metrics.push(turns);
        metrics.push(count("rolls", "rolls", "rolls of the seat", 1));
        metrics.push(count("busts", "busts", "turns of the seat that ended in a bust", 2));
        let mut event = 3;
        let paid = self.paid.len();
        for report in &file.reports {
            let unit = report.words.unit.clone().unwrap_or_default();
            let meaning = report.words.meaning.clone().unwrap_or_default();
            let name = report.name.text.clone();
            if metrics.iter().any(|metric| metric.name == name) {
                self.wrong(&report.name.span, format!("`{name}` is a metric already"));
                continue;
            }
            let number = u8::try_from(metrics.len()).unwrap_or(15);
            let (from, bounds) = match &report.value {
                None => {
                    event += 1;
                    (From::Event(event - 1), None)
                }
                Some(value) => self.measured(value, number),
            };
            metrics.push(Metric { name, unit, meaning, from, is_higher_better: true, bounds });
        }
        if metrics.len() > stopwise_engine::game::MAX_METRICS || usize::from(event) + paid > 16 {
            let most = stopwise_engine::game::MAX_METRICS;
            self.wrong(&(0..0), format!("a game has at most {most} metrics, and thirteen counts"));
        }
        self.me = None;
        self.emit(Op::Return);
        self.program.metrics = metrics;
        label
    }

    fn measured(&mut self, expr: &Expr, number: u8) -> (From, Option<(i64, i64)>) {
        let value = self.number(expr);
        if let Some(event) = self.paid(expr) {
            return (From::Event(event), Some((0, value.hi)));
        }
        let register = self.get(value.at);
        self.emit(Op::Give(number.min(15), register));
        (From::End(number.min(15)), Some((value.lo.max(0), value.hi)))
    }

    fn win_share(&mut self, ending: At, player: &Val) -> At {
        let early: Vec<i64> = self.program.endings.iter().map(|ending| ending.early.into()).collect();
        let early = self.look_up(early, ending);
        let counts = self.bin(Bin::Eq, early, At::Const(0));
        if let Some(winner) = self.hidden.winner {
            let winner = self.load_cell(winner);
            let winner = self.bin(Bin::Sub, At::Reg(winner), At::Const(1));
            let is = self.bin(Bin::Eq, winner, player.at);
            return self.bin(Bin::And, counts, is);
        }
        let seats = i64::try_from(self.program.seats).unwrap_or(1);
        let is_shared = !matches!(self.file.tie, Some(Tie::Nobody | Tie::PlayOn)) && !self.one_is_first();
        let whole = if is_shared { (1..=seats).fold(1, lcm) } else { 1 };
        self.program.whole_win = whole;
        let among = self.playing();
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

/// The unit of a score that is a variable; what is calculated is in points.
fn unit_of(file: &File, score: &Expr) -> String {
    let variables = || file.player.iter().chain(&file.shared);
    let unit = match &score.term {
        Term::Word(word) => variables().find(|variable| variable.name.text == *word),
        _ => None,
    };
    unit.and_then(|variable| variable.words.unit.clone()).unwrap_or_else(|| "points".into())
}
