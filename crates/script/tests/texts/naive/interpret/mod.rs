//! The naive interpreter: it walks the tree, looks everything up by name, and enumerates every roll.

mod bags;
mod expressions;
mod rolls;
mod statements;
mod variables;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use stopwise_engine::game::Seat;
use stopwise_script::syntax::{
    Alone, Block, Domain, End, EndForm, Expr, File, Fold, Form, Loop, Most, Operator, Statement, Still, Term,
    Tie, Variable, Verdict,
};

use super::world::{Bag, Face, V, World};
use bags::*;
use rolls::Equal;

/// The driver has seen enough.
#[derive(Debug)]
pub(crate) struct Cut;

pub(crate) trait Driver {
    /// One of some outcomes with these weights.
    fn chance(&mut self, seat: Seat, weights: &[u64]) -> Result<usize, Cut>;
    /// One of so many candidates; of a yes or no, 1 is yes.
    fn ask(&mut self, seat: Seat, name: &str, many: usize) -> Result<usize, Cut>;
}

pub(crate) enum Outcome {
    Over { ending: String, metrics: Vec<HashMap<&'static str, i64>>, counts: BTreeMap<(Seat, usize), u64> },
    Fault(String),
    Cut,
}

enum Stop {
    Fault(String),
    Cut,
}

impl From<Cut> for Stop {
    fn from(_: Cut) -> Self {
        Self::Cut
    }
}

type Run<T> = Result<T, Stop>;

enum Flow {
    Next,
    Break,
    Again,
    EndTurn,
    Game(String),
}

/// What a value may be.
#[derive(Clone, Debug)]
enum Range {
    Any,
    Numbers(i64, i64),
    Bag(Bag),
}

#[derive(Clone, Debug)]
struct Var {
    values: HashMap<Vec<V>, (V, Range)>,
    is_players: bool,
}

#[derive(Clone, Debug)]
enum Bind {
    Value(V),
    Var(usize),
}

struct Naive<'a, D> {
    file: &'a File,
    world: World,
    driver: &'a mut D,
    vars: Vec<Var>,
    names: Vec<(String, Bind)>,
    me: Option<Seat>,
    round: i64,
    counts: BTreeMap<(Seat, usize), u64>,
    /// Whether dice are rolled: in a game without, draws are counted.
    has_rolls: bool,
    /// Who is bust in this turn.
    bust: BTreeSet<Seat>,
    /// Who plays, in a further round of those who are tied.
    tied: Option<Vec<Seat>>,
    /// Who plays next, if it was said.
    then: Option<Seat>,
    /// Who has won or lost with the ending.
    decided: Option<(Verdict, Seat)>,
}

pub(crate) fn play<D: Driver>(file: &File, options: &[(&str, &str)], driver: &mut D) -> Outcome {
    let world = World::new(file, options);
    let (vars, names, counts) = (Vec::new(), Vec::new(), BTreeMap::new());
    let (bust, tied, decided) = (BTreeSet::new(), None, None);
    let mut naive = Naive {
        file,
        world,
        driver,
        vars,
        names,
        me: None,
        round: 1,
        counts,
        has_rolls: file
            .setup
            .iter()
            .flatten()
            .chain(file.play.iter().flat_map(|play| &play.block))
            .any(rolls)
            || file.steps.iter().any(|(_, block)| block.iter().any(rolls)),
        bust,
        tied,
        decided,
        then: None,
    };
    match naive.game() {
        Ok((ending, metrics)) => Outcome::Over { ending, metrics, counts: naive.counts },
        Err(Stop::Fault(why)) => Outcome::Fault(why),
        Err(Stop::Cut) => Outcome::Cut,
    }
}

/// Whether it rolls, or something below it does.
fn rolls(statement: &Statement) -> bool {
    let any = |block: &Block| block.iter().any(rolls);
    match &statement.form {
        Form::Roll { .. } | Form::Chance { .. } => true,
        Form::Draw { otherwise, .. } => otherwise.as_ref().is_some_and(any),
        Form::Ask { yes, otherwise, .. } => any(yes) || otherwise.as_ref().is_some_and(any),
        Form::If(branches, otherwise) => {
            branches.iter().any(|(_, block)| any(block)) || otherwise.as_ref().is_some_and(any)
        }
        Form::Repeat(_, block) | Form::For(_, block) => any(block),
        _ => false,
    }
}

/// Whether at most so many of all seats are left; who plays alone is left or not.
fn is_left_by(many: i64, left: usize, seats: usize) -> bool {
    left <= usize::from(many == 1 && seats > 1)
}

fn fault<T>(why: impl Into<String>) -> Run<T> {
    Err(Stop::Fault(why.into()))
}

impl<D: Driver> Naive<'_, D> {
    fn game(&mut self) -> Run<(String, Vec<HashMap<&'static str, i64>>)> {
        let file = self.file;
        let seats = self.world.seats;
        let play = file.play.as_ref().expect("a turn");
        let is_round = play.is_round;
        for (variables, is_players) in [(&file.shared, false), (&file.player, true)] {
            for variable in variables {
                self.declare(variable, is_players)?;
            }
        }
        self.me = (seats == 1).then_some(0);
        if let Some(setup) = &file.setup
            && let Flow::Game(name) = self.block(setup)?
        {
            let early = self.is_early(&name);
            return self.over(name, early, &(0..seats).collect::<Vec<_>>());
        }
        let mut turns = 0;
        let mut last: HashMap<usize, usize> = HashMap::new();
        let mut tied: Option<(Vec<Seat>, String)> = None;
        let mut seat = 0;
        // The first who has turns begins.
        if play.filter.is_some() {
            let mut have = Vec::new();
            for other in 0..seats {
                have.extend(self.has_turns(other)?.then_some(other));
            }
            let is_over =
                |end: &&End| matches!(end.form, EndForm::Left(many) if is_left_by(many, have.len(), seats));
            if let Some(end) = file.ends.iter().find(is_over) {
                let name = end.name.as_ref().map_or("over", |name| &name.text).to_owned();
                let early = self.is_early(&name);
                return self.over(name, early, &(0..seats).collect::<Vec<_>>());
            }
            seat = have[0];
        }
        loop {
            if file.tie == Some(Tie::PlayOn) && seats > 1 && turns >= 10_000 {
                let among = tied.map_or((0..seats).collect(), |(who, _)| who);
                return self.over("capped".into(), true, &among);
            }
            self.me = (!is_round || seats == 1).then_some(seat);
            self.tied = tied.as_ref().filter(|_| is_round).map(|(who, _)| who.clone());
            let players: Vec<Seat> = match (&self.tied, self.me) {
                (_, Some(_)) => vec![seat],
                (Some(tied), None) => tied.clone(),
                (None, None) => (0..seats).collect(),
            };
            for player in players {
                if !is_round || self.has_turns(player)? {
                    self.count(player, 0, 1);
                }
            }
            self.bust.clear();
            let flow = self.block(&play.block)?;
            turns += 1;
            // Seats behind have their turns in this round, all others in the next one.
            let from = self.then.take().map_or(seat, |then| (then + seats - 1) % seats);
            let (mut behind, mut later) = (Vec::new(), Vec::new());
            for other in (from + 1..seats).filter(|_| !is_round) {
                behind.extend(self.has_turns(other)?.then_some(other));
            }
            for other in 0..seats {
                later.extend(self.has_turns_later(other)?.then_some(other));
            }
            let step = match (behind.first(), later.first()) {
                (Some(next), _) => next - from,
                (None, Some(next)) => seats + next - from,
                (None, None) => 2 * seats,
            };
            let are_left = behind.iter().chain(&later).collect::<BTreeSet<_>>().len();
            let is_last = is_round || behind.is_empty();
            let mut over = match flow {
                Flow::Game(name) => Some(name),
                _ => None,
            };
            let busy = tied.is_some() || last.values().any(|left| *left > 0);
            for (at, end) in file.ends.iter().enumerate() {
                if over.is_some() {
                    break;
                }
                let name = end.name.as_ref().map_or("over", |name| &name.text).to_owned();
                let holds = match &end.form {
                    EndForm::Means(_) => false,
                    EndForm::Left(many) => is_left_by(*many, are_left, seats),
                    EndForm::After(many, rounds) => {
                        let many = self.number(many)?;
                        let is =
                            if *rounds || is_round { is_last && self.round >= many } else { turns >= many };
                        is && (end.early || tied.is_none())
                    }
                    EndForm::When(condition, still) => {
                        if last.get(&at).is_some_and(|left| *left > 0) {
                            let left = last[&at].saturating_sub(step);
                            last.insert(at, left);
                            left == 0
                        } else if busy || *still == Still::EqualTurns && !is_last {
                            false
                        } else {
                            let anybody = *still == Still::EqualTurns || self.me.is_none();
                            let players = if anybody { (0..seats).collect() } else { vec![seat] };
                            let me = self.me;
                            let mut holds = false;
                            for player in players {
                                self.me = Some(player);
                                holds |= self.truth(condition)?;
                            }
                            self.me = me;
                            if holds && *still == Still::OneMoreTurn && step < seats {
                                last.insert(at, seats - step);
                                false
                            } else {
                                holds
                            }
                        }
                    }
                };
                if holds {
                    over = Some(name);
                }
            }
            let has_after = file.ends.iter().any(|end| matches!(end.form, EndForm::After(..)));
            if over.is_none() && !has_after && (if is_round { self.round } else { turns }) >= 10_000 {
                over = Some("capped".into());
            }
            // Those who are tied have played a round.
            if let (Some((who, name)), None) = (&tied, &over) {
                match who.iter().find(|other| !is_round && **other > seat) {
                    Some(next) => {
                        seat = *next;
                        continue;
                    }
                    None => over = Some(name.clone()),
                }
            }
            if let Some(name) = over {
                let early = name == "capped" || self.is_early(&name);
                let mut among = tied.as_ref().map_or((0..seats).collect(), |(who, _)| who.clone());
                match self.decided.take() {
                    Some((Verdict::Won, player)) => among = vec![player],
                    Some((Verdict::Lost, player)) => among.retain(|seat| *seat != player),
                    None => {}
                }
                if file.tie == Some(Tie::PlayOn) && seats > 1 && !early {
                    let firsts = self.firsts(&among)?;
                    if firsts.len() > 1 {
                        seat = if is_round { 0 } else { firsts[0] };
                        self.next_round()?;
                        tied = Some((firsts, name));
                        continue;
                    }
                }
                return self.over(name, early, &among);
            }
            if is_last {
                self.next_round()?;
            }
            if !is_round {
                seat = (from + step) % seats;
            }
        }
    }

    /// Whether a player is not passed over.
    fn has_turns(&mut self, seat: Seat) -> Run<bool> {
        let file = self.file;
        let Some(filter) = file.play.as_ref().and_then(|play| play.filter.as_ref()) else { return Ok(true) };
        let me = self.me.replace(seat);
        let has = self.truth(filter);
        self.me = me;
        has
    }

    /// The same in the next round; after the last one there is none.
    fn has_turns_later(&mut self, seat: Seat) -> Run<bool> {
        let (most, round) = (self.most_rounds()?, self.round);
        self.round = most.min(round + 1);
        let has = self.has_turns(seat);
        self.round = round;
        has
    }

    fn is_early(&self, name: &str) -> bool {
        self.file.ends.iter().any(|end| end.early && end.name.as_ref().is_some_and(|own| own.text == name))
    }

    fn most_rounds(&mut self) -> Run<i64> {
        let is_round = self.file.play.as_ref().is_some_and(|play| play.is_round);
        let (mut turns, mut rounds) = (0, 0);
        for end in &self.file.ends {
            if let EndForm::After(many, is_rounds) = &end.form {
                let most = if *is_rounds || is_round { &mut rounds } else { &mut turns };
                *most = (*most).max(self.number(many)?);
            }
        }
        Ok([rounds, turns, 10_000].into_iter().find(|most| *most > 0).unwrap_or(0))
    }

    /// The next round; where those who are tied play on, the number stays where it would have ended.
    fn next_round(&mut self) -> Run<()> {
        self.round += 1;
        if self.file.tie == Some(Tie::PlayOn) && self.world.seats > 1 {
            self.round = self.round.min(self.most_rounds()? + 1);
        }
        Ok(())
    }

    fn over(
        &mut self,
        name: String,
        early: bool,
        among: &[Seat],
    ) -> Run<(String, Vec<HashMap<&'static str, i64>>)> {
        let file = self.file;
        let seats = self.world.seats;
        let mut winners = Vec::new();
        if seats > 1 && !early {
            winners = self.firsts(among)?;
            if file.tie == Some(Tie::ByLot) && winners.len() > 1 {
                let at = self.driver.chance(winners[0], &vec![1; winners.len()])?;
                winners = vec![winners[at]];
            }
        }
        let whole = match file.tie {
            None | Some(Tie::Share) => {
                (1..=seats).fold(1, |all, n| (1..).map(|k| all * k).find(|m| m % n == 0).expect("one"))
            }
            _ => 1,
        };
        let mut all = Vec::new();
        for seat in 0..seats {
            self.me = Some(seat);
            let mut metrics: HashMap<&'static str, i64> = HashMap::new();
            let share = match winners.len() {
                1 => whole,
                many if many > 1 && whole > 1 => whole / many,
                _ => 0,
            };
            let win = if winners.contains(&seat) { share } else { 0 };
            metrics.insert("win", i64::try_from(win).expect("small"));
            let mut is_single = false;
            for end in &file.ends {
                if let EndForm::After(many, _) = &end.form {
                    is_single |= self.number(many)? == 1;
                }
            }
            match (seats, &file.alone, file.win.first()) {
                (1, Some(Alone::Score(_, expr)), _) => drop(metrics.insert("score", self.number(expr)?)),
                (1, Some(Alone::Turns), Some((_, expr))) if is_single => {
                    metrics.insert("score", self.number(expr)?);
                }
                _ => {}
            }
            for report in &file.reports {
                if let Some(value) = &report.value {
                    let name: &'static str = report.name.text.clone().leak();
                    metrics.insert(name, self.number(value)?);
                }
            }
            if metrics.values().any(|value| *value < 0) {
                return fault("a metric");
            }
            all.push(metrics);
        }
        Ok((name, all))
    }

    fn firsts(&mut self, among: &[Seat]) -> Run<Vec<Seat>> {
        let mut best: Option<Vec<i64>> = None;
        let mut firsts = Vec::new();
        for &seat in among {
            let me = self.me.replace(seat);
            let mut key = Vec::new();
            for (most, value) in &self.file.win {
                let value = self.number(value)?;
                key.push(if *most == Most::Most { value } else { -value });
            }
            self.me = me;
            if best.as_ref().is_none_or(|best| key > *best) {
                best = Some(key.clone());
                firsts.clear();
            }
            if best.as_ref() == Some(&key) {
                firsts.push(seat);
            }
        }
        Ok(firsts)
    }

    fn count(&mut self, seat: Seat, event: usize, by: u64) {
        if by > 0 {
            *self.counts.entry((seat, event)).or_default() += by;
        }
    }

    // Variables.

    // Statements.

    // Chance.

    // Expressions.
}
