//! The game around the turn: its start, whose turn it is, how it ends, and what is measured.

use super::value::{At, Kind, Val};
use super::{Compiler, Global};
use crate::op::{Bin, Cell, Ending, Op, Target};
use crate::problem::unknown;
use crate::syntax::{End, EndForm, Expr, Form, Name, Still, Tie};

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
    pub(super) start: Target,
    pub(super) endings: Vec<Target>,
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
    pub(super) most_rounds: i64,
    /// Whether nobody has a second turn.
    pub(super) has_one_turn: bool,
    /// Whether the game is one of rounds, so that policies read their number.
    pub(super) tells_round: bool,
    /// For `after one more turn`: the turns that are left, by line.
    pub(super) last: Vec<(usize, Cell)>,
    /// For `play on`: who still plays, and the ending.
    pub(super) tied: Option<(Cell, Cell)>,
    /// For `won by` and `lost by`: among whom the winner is, as bits; 0 if nothing was said of it.
    pub(super) decided: Option<Cell>,
    /// For `end turn, then`: behind whom the next player sits, from 1; 0 for whose turn it was.
    pub(super) then: Option<Cell>,
    /// For `by lot`: who has won, from 1.
    pub(super) winner: Option<Cell>,
    /// The draws of lots, after which nothing is rolled.
    pub(super) lots: Vec<u32>,
    /// For `count busts`: who is bust in this turn, as bits.
    pub(super) bust: Option<Cell>,
    /// For `play on`: all turns or rounds, for the cap.
    pub(super) played: Option<Cell>,
}

impl Labels {
    pub(super) fn is_ending(&self, label: Target) -> bool {
        self.endings.contains(&label)
    }
}

impl Compiler<'_> {
    pub(super) fn seats(&self) -> i64 {
        i64::try_from(self.program.seats).unwrap_or(1)
    }

    /// Compiles something for a player, who is `me` in it.
    pub(super) fn of_player<T>(&mut self, seat: usize, compile: impl FnOnce(&mut Self) -> T) -> T {
        let me = self.me.replace(Val::player(seat));
        let compiled = compile(self);
        self.me = me;
        compiled
    }

    /// The player who is looked at, or whose turn it is.
    pub(super) fn me_value(&mut self) -> Option<Val> {
        if let Some(me) = &self.me {
            return Some(me.clone());
        }
        if (self.program.is_round || self.is_setup) && self.program.seats > 1 {
            return None;
        }
        match self.hidden.me {
            None => Some(Val::player(0)),
            Some(cell) => {
                let most = self.seats() - 1;
                Some(Val::new(self.load_cell(cell), Kind::Player, 0, most))
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
        let most = self.hidden.most_rounds + i64::from(self.hidden.tied.is_some());
        let round = Val::kept(self.load_cell(self.hidden.round), Kind::Number, 1, most);
        if !self.is_next_round {
            return round;
        }
        // After the last one there is none.
        let next = self.bin(Bin::Add, round.at, At::Const(1));
        let next = self.bin(Bin::Min, next, At::Const(most));
        Val::kept(next, Kind::Number, most.min(2), most)
    }

    /// The whole game.
    pub(super) fn game(&mut self) {
        let file = self.file;
        let Some(play) = &file.play else {
            self.advise(
                &(0..0),
                "nothing is played",
                "say what a turn is: `turn`, and below it, indented, what is done",
            );
            return;
        };
        self.program.is_round = play.is_round;
        self.program.shares_turns = play.is_round && play.filter.is_none();
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
        self.setup();
        self.first_player();
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

    /// What is done before the first turn.
    fn setup(&mut self) {
        let file = self.file;
        let Some(block) = &file.setup else { return };
        self.is_setup = true;
        let bust = self.labels_of.bust.take();
        self.block(block);
        (self.is_setup, self.labels_of.bust) = (false, bust);
        self.program.setup_sites = self.program.sites.len();
    }

    fn endings(&mut self) {
        let file = self.file;
        for end in &file.ends {
            let name = end.name.as_ref().map_or("over", |name| &name.text);
            let meaning = match &end.form {
                EndForm::Means(meaning) => meaning.clone(),
                EndForm::When(..) => condition_in_words(&end.said, |name| {
                    let options = file.options.iter().map(|option| option.name.text.as_str());
                    let known =
                        self.globals.get(name).filter(|_| options.into_iter().any(|option| option == name));
                    match known {
                        Some(Global::Constant(value)) if value.kind == Kind::Number => value.known(),
                        _ => None,
                    }
                }),
                EndForm::After(_, rounds) => {
                    if *rounds {
                        "the last round was over".into()
                    } else {
                        "the last turn was over".into()
                    }
                }
                EndForm::Left(0) => "nobody was left".into(),
                EndForm::Left(_) => "at most one was left".into(),
            };
            match self.program.endings.iter_mut().find(|ending| ending.name == name) {
                Some(ending) => {
                    if matches!(end.form, EndForm::Means(_)) {
                        ending.meaning = meaning;
                    }
                    ending.early |= end.early;
                }
                None => {
                    let (name, early, cap) = (name.to_owned(), end.early, name == "capped");
                    self.program.endings.push(Ending { name, early, cap, meaning });
                }
            }
        }
        if !self.program.endings.iter().any(|ending| ending.name == "capped") {
            let meaning = format!("the cap on turns, or on the {} of a turn, was reached", file.rolls());
            self.program.endings.push(Ending { name: "capped".into(), early: true, cap: true, meaning });
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

    pub(super) fn ending_of(&self, end: &End) -> usize {
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
                let passes = file.play.iter().any(|play| play.filter.is_some());
                let is_each = *is_rounds || self.program.is_round || passes;
                let is_one = many <= if is_each { 1 } else { self.seats() };
                self.hidden.has_one_turn |= is_one;
                let number = self.ending_of(end);
                self.program.endings[number].cap &= !is_one;
                let most = if *is_rounds || self.program.is_round { &mut rounds } else { &mut turns };
                *most = Some(most.map_or(many, |most| most.max(many)));
            }
        }
        if turns.is_none() && rounds.is_none() {
            if self.program.is_round { rounds = Some(CAP) } else { turns = Some(CAP) }
        }
        let seats = self.seats();
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
        let mut is_decided = false;
        file.each_statement(&mut |statement| {
            is_decided |= matches!(&statement.form, Form::EndGame(_, Some(_)));
        });
        self.hidden.decided = (is_decided && seats > 1).then(|| self.hidden_cell((1 << seats) - 1, false));
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
            let capped = self.bin(Bin::Le, At::Const(CAP), before);
            self.jump_if(capped, self.labels_of.capped);
            self.add_to(played, 1);
        }
        self.store_cell(self.hidden.steps, At::Const(0));
        match self.me_value() {
            Some(me) => self.event(0, me.at),
            None => {
                let have = self.have_turns();
                for seat in 0..self.program.seats {
                    let next = self.label();
                    let plays = self.plays(&Val::player(seat));
                    self.jump_unless(plays.at, next);
                    if let Some(have) = &have {
                        self.jump_unless(have[seat].at, next);
                    }
                    self.event(0, Val::player(seat).at);
                    self.place(next);
                }
            }
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
        let seat = At::Reg(self.get(player.at));
        let Some(cell) = self.hidden.bust else { return self.event(2, seat) };
        let before = self.load_cell(cell);
        let one = self.get(At::Const(1));
        let bit = self.bin(Bin::Shl, At::Reg(one), player.at);
        let known = self.bin(Bin::And, before, bit);
        let end = self.label();
        self.jump_if(known, end);
        self.event(2, seat);
        let after = self.bin(Bin::Or, before, bit);
        self.store_cell(cell, after);
        self.place(end);
    }

    /// Adds to a cell. Where those who are tied play on, turns and rounds stay at their last number.
    pub(super) fn add_to(&mut self, cell: Cell, by: i64) -> At {
        let before = self.load_cell(cell);
        let mut after = self.bin(Bin::Add, before, At::Const(by));
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
            any =
                self.or(&any, |compiler| compiler.of_player(seat, |compiler| compiler.condition(condition)));
        }
        any
    }

    /// What happens when a turn or a round is over.
    fn end_turn(&mut self) {
        let file = self.file;
        let seats = self.seats();
        let turns = self.add_to(self.hidden.turns, 1);
        let passing = self.next_with_turns();
        let is_last = match (self.me_value(), &passing) {
            (_, Some(passing)) => passing.is_last.clone(),
            (Some(me), None) => self.compare(Bin::Eq, &me, &Val::player(self.program.seats - 1)),
            (None, None) => Val::truth(true),
        };
        // After how many seats the next one has a turn.
        let step = passing.as_ref().map_or(At::Const(1), |passing| passing.step);
        let mut busy = At::Const(0);
        for (_, cell) in self.hidden.last.clone() {
            let left = self.load_cell(cell);
            busy = self.bin(Bin::Or, busy, left);
        }
        if let Some((tied, _)) = self.hidden.tied {
            let tied = self.load_cell(tied);
            busy = self.bin(Bin::Or, busy, tied);
        }
        let busy = self.bin(Bin::Ne, busy, At::Const(0));
        for (at, end) in file.ends.iter().enumerate() {
            let ending = self.labels_of.endings[self.ending_of(end)];
            match &end.form {
                EndForm::Means(_) => {}
                EndForm::Left(many) => {
                    if let Some(passing) = &passing {
                        let is_over = self.is_over(passing, *many);
                        self.jump_if(is_over, ending);
                    }
                }
                EndForm::When(condition, still) => {
                    let skip = self.label();
                    let last = self.hidden.last.iter().find(|(line, _)| *line == at).map(|(_, cell)| *cell);
                    if let Some(cell) = last {
                        let none = self.label();
                        let left = self.load_cell(cell);
                        self.jump_unless(left, none);
                        let left = self.bin(Bin::Sub, left, step);
                        let left = match passing {
                            Some(_) => self.bin(Bin::Max, left, At::Const(0)),
                            None => left,
                        };
                        self.store_cell(cell, left);
                        let over = self.bin(Bin::Eq, left, At::Const(0));
                        self.jump_if(over, ending);
                        self.emit(Op::Jump(skip));
                        self.place(none);
                    }
                    self.jump_if(busy, skip);
                    if *still == Still::EqualTurns {
                        self.jump_unless(is_last.at, skip);
                    }
                    let holds = if *still == Still::EqualTurns || self.me_value().is_none() {
                        self.holds_for_anybody(condition)
                    } else {
                        self.condition(condition)
                    };
                    match last {
                        Some(cell) if seats > 1 => {
                            self.jump_unless(holds.at, skip);
                            let left = self.bin(Bin::Sub, At::Const(seats), step);
                            let left = match passing {
                                Some(_) => self.bin(Bin::Max, left, At::Const(0)),
                                None => left,
                            };
                            self.jump_unless(left, ending);
                            self.store_cell(cell, left);
                        }
                        _ => self.jump_if(holds.at, ending),
                    }
                    self.place(skip);
                }
                EndForm::After(many, is_rounds) => {
                    let many = Val::number(self.constant(many));
                    let skip = self.label();
                    if let Some((tied, _)) = self.hidden.tied.filter(|_| !end.early) {
                        let tied = self.load_cell(tied);
                        self.jump_if(tied, skip);
                    }
                    let holds = if *is_rounds || self.program.is_round {
                        let round = self.round();
                        let is_over = self.compare(Bin::Le, &many, &Val { hi: i64::MAX, ..round });
                        self.and(&is_over, |_| is_last.clone())
                    } else {
                        let turns = Val::kept(turns, Kind::Number, 1, i64::MAX);
                        self.compare(Bin::Le, &many, &turns)
                    };
                    self.jump_if(holds.at, ending);
                    self.place(skip);
                }
            }
        }
        if !file.ends.iter().any(|end| matches!(end.form, EndForm::After(..))) {
            let count = if self.program.is_round { self.round().at } else { turns };
            let capped = self.bin(Bin::Le, At::Const(CAP), count);
            self.jump_if(capped, self.labels_of.capped);
        }
        self.next_player(&is_last, passing.map(|passing| passing.next));
        self.emit(Op::Jump(self.labels_of.start));
    }
}

/// A condition that ended a game, as a reader has it: `columns >= finished` is "columns are at least 3" where that is an option's
/// value.
fn condition_in_words(said: &str, value: impl Fn(&str) -> Option<i64>) -> String {
    /// Of longer ones nobody reads the end.
    const LONGEST: usize = 60;
    let is_several =
        said.split(' ').next().is_some_and(|first| first.ends_with('s') && !first.ends_with("ss"));
    let is = if is_several { "are" } else { "is" };
    let word = |word: &str| match word {
        "==" => is.into(),
        "!=" => format!("{is} not"),
        ">=" => format!("{is} at least"),
        "<=" => format!("{is} at most"),
        ">" => format!("{is} more than"),
        "<" => format!("{is} less than"),
        other => value(other).map_or_else(|| other.replace('_', " "), |value| value.to_string()),
    };
    let words: Vec<String> = said.split_whitespace().map(word).collect();
    let words = words.join(" ");
    let is_told = !words.is_empty() && words.chars().count() <= LONGEST && !said.contains(['(', '[', '?']);
    if is_told { words } else { "its condition held".into() }
}
