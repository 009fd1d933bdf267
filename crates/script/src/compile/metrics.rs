//! What is measured.

use super::Compiler;
use super::value::{At, Kind, Val};
use crate::op::{Bin, From, Metric, Op, Target};
use crate::syntax::{Alone, Expr, File, Most};

impl<'f> Compiler<'f> {
    /// Metrics are not less than 0.
    pub(super) fn check_metrics(&mut self) {
        let score = self.score().map(|(_, expr)| expr);
        let reports = self.file.reports.iter().filter_map(|report| report.value.as_ref());
        let metrics: Vec<&Expr> = reports.chain(score).collect();
        for seat in 0..self.program.seats {
            self.of_player(seat, |compiler| {
                for metric in &metrics {
                    let value = compiler.number(metric);
                    let _ = compiler.check(
                        &value,
                        (0, i64::from(i32::MAX)),
                        &metric.span,
                        "a result, which is never below 0 where players begin with a stake,",
                    );
                }
            });
        }
    }

    /// What who is alone plays for, unless it is few turns: of the only turn there is, what wins.
    fn score(&self) -> Option<(Most, &'f Expr)> {
        let file = self.file;
        match &file.alone {
            _ if self.program.seats > 1 => None,
            Some(Alone::Score(most, expr)) => Some((*most, expr)),
            Some(Alone::Turns) if self.hidden.has_one_turn => {
                file.win.first().map(|(most, expr)| (*most, expr))
            }
            _ => None,
        }
    }

    /// The calculation at the end: it takes the ending and the player, and gives every metric that is read from the end.
    pub(super) fn measure(&mut self) -> Target {
        let file = self.file;
        let seats = self.program.seats;
        let label = self.label();
        self.place(label);
        let (ending, seat) = (self.take(0), self.take(1));
        let player = Val::new(seat, Kind::Player, 0, self.seats() - 1);
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
            let share = self.win_share(ending, &player);
            let whole = self.program.whole_win;
            let alone = self.bin(Bin::Eq, share, At::Const(whole));
            let mut won = |number: u8, value: At, name: &str, unit: String, meaning: &str, most: i64| {
                self.give(number, value);
                metrics.push(Metric {
                    name: name.into(),
                    unit,
                    meaning: meaning.into(),
                    from: From::End(number),
                    is_higher_better: true,
                    bounds: Some((0, most)),
                });
            };
            // First comes what is played for.
            let is_shared = whole > 1;
            if is_shared {
                let meaning = "the share of the seat in the win: all of it, or a part of a tie";
                won(0, share, "share", format!("1/{whole} games"), meaning, whole);
            }
            won(is_shared.into(), alone, "win", "games".into(), "1 if the seat wins, alone", 1);
        } else {
            match self.score() {
                None if file.alone.is_none() => {
                    self.advise(
                        &(0..0),
                        "a game for one needs a score",
                        "write `alone most EXPR`, `alone least EXPR` or `alone least turns`; a game for several has an `option players = 2 in 2..6`",
                    );
                }
                None => {
                    let meaning = "turns until the end".into();
                    metrics.push(Metric { name: "score".into(), meaning, ..turns.clone() });
                }
                Some((most, expr)) => {
                    let (from, bounds) = self.measured(expr, 0);
                    metrics.push(Metric {
                        name: "score".into(),
                        unit: unit_of(file, expr),
                        meaning: "the score".into(),
                        from,
                        is_higher_better: most == Most::Most,
                        bounds,
                    });
                }
            }
        }
        metrics.push(turns);
        let meaning = match file.rolls() {
            "draws" => "draws of the seat: nothing is rolled",
            _ => "rolls of the seat",
        };
        metrics.push(count("rolls", file.rolls(), meaning, 1));
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
        self.give(number.min(15), value.at);
        (From::End(number.min(15)), Some((value.lo.max(0), value.hi)))
    }
}

/// The unit of a score that is a variable; what is calculated is in points.
fn unit_of(file: &File, score: &Expr) -> String {
    let mut variables = file.player.iter().chain(&file.shared);
    let variable = score.word().and_then(|word| variables.find(|variable| variable.name.text == word));
    variable.and_then(|variable| variable.words.unit.clone()).unwrap_or_else(|| "points".into())
}
