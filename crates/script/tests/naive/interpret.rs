//! The naive interpreter: it walks the tree, looks everything up by name, and enumerates every roll.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use stopwise_engine::game::Seat;
use stopwise_script::syntax::{
    Alone, Block, Domain, EndForm, Expr, File, Fold, Form, Loop, Most, Operator, Statement, Still, Term, Tie,
    Variable,
};

use crate::world::{Bag, Face, V, World};

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
    /// Who is bust in this turn.
    bust: BTreeSet<Seat>,
    /// Who plays, in a further round of those who are tied.
    tied: Option<Vec<Seat>>,
}

pub(crate) fn play<D: Driver>(file: &File, options: &[(&str, &str)], driver: &mut D) -> Outcome {
    let world = World::new(file, options);
    let (vars, names, counts) = (Vec::new(), Vec::new(), BTreeMap::new());
    let (bust, tied) = (BTreeSet::new(), None);
    let mut naive = Naive { file, world, driver, vars, names, me: None, round: 1, counts, bust, tied };
    match naive.game() {
        Ok((ending, metrics)) => Outcome::Over { ending, metrics, counts: naive.counts },
        Err(Stop::Fault(why)) => Outcome::Fault(why),
        Err(Stop::Cut) => Outcome::Cut,
    }
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
        let mut turns = 0;
        let mut last: HashMap<usize, usize> = HashMap::new();
        let mut tied: Option<(Vec<Seat>, String)> = None;
        let mut seat = 0;
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
                self.count(player, 0, 1);
            }
            self.bust.clear();
            let flow = self.block(&play.block)?;
            turns += 1;
            let is_last = is_round || seat + 1 == seats;
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
                    EndForm::After(many, rounds) => {
                        let many = self.number(many)?;
                        let is =
                            if *rounds || is_round { is_last && self.round >= many } else { turns >= many };
                        is && (end.early || tied.is_none())
                    }
                    EndForm::When(condition, still) => {
                        if last.get(&at).is_some_and(|left| *left > 0) {
                            let left = last[&at] - 1;
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
                            if holds && *still == Still::OneMoreTurn && seats > 1 {
                                last.insert(at, seats - 1);
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
                let early = name == "capped"
                    || file
                        .ends
                        .iter()
                        .any(|end| end.early && end.name.as_ref().is_some_and(|own| own.text == name));
                if file.tie == Some(Tie::PlayOn) && seats > 1 && !early {
                    let among = tied.as_ref().map_or((0..seats).collect(), |(who, _)| who.clone());
                    let firsts = self.firsts(&among)?;
                    if firsts.len() > 1 {
                        seat = if is_round { 0 } else { firsts[0] };
                        self.next_round()?;
                        tied = Some((firsts, name));
                        continue;
                    }
                }
                let among = tied.map_or((0..seats).collect(), |(who, _)| who);
                return self.over(name, early, &among);
            }
            if is_last {
                self.next_round()?;
            }
            if !is_round {
                seat = (seat + 1) % seats;
            }
        }
    }

    /// The next round; where those who are tied play on, the number stays where it would have ended.
    fn next_round(&mut self) -> Run<()> {
        self.round += 1;
        if self.file.tie == Some(Tie::PlayOn) && self.world.seats > 1 {
            let is_round = self.file.play.as_ref().is_some_and(|play| play.is_round);
            let (mut turns, mut rounds) = (0, 0);
            for end in &self.file.ends {
                if let EndForm::After(many, is_rounds) = &end.form {
                    let most = if *is_rounds || is_round { &mut rounds } else { &mut turns };
                    *most = (*most).max(self.number(many)?);
                }
            }
            let most = [rounds, turns, 10_000].into_iter().find(|most| *most > 0).unwrap_or(0);
            self.round = self.round.min(most + 1);
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
            if let (1, Some(Alone::Score(_, expr))) = (seats, &file.alone) {
                metrics.insert("score", self.number(expr)?);
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

    fn declare(&mut self, variable: &Variable, is_players: bool) -> Run<()> {
        let mut keys: Vec<Vec<V>> = vec![Vec::new()];
        let mut domains = Vec::new();
        if is_players {
            domains.push((None, (0..self.world.seats).map(V::Player).collect::<Vec<_>>()));
        }
        for (name, domain) in &variable.indices {
            domains.push((name.clone(), self.domain(domain)?));
        }
        for (_, values) in &domains {
            keys = keys
                .iter()
                .flat_map(|key| values.iter().map(|value| [key.clone(), vec![value.clone()]].concat()))
                .collect();
        }
        let mut values = HashMap::new();
        for key in keys {
            let before = self.names.len();
            for ((name, _), value) in domains.iter().zip(&key) {
                if let Some(name) = name {
                    self.names.push((name.text.clone(), Bind::Value(value.clone())));
                }
            }
            let range = match &variable.range {
                None => Range::Any,
                Some(Domain::Range(from, to)) => Range::Numbers(self.number(from)?, self.number(to)?),
                Some(Domain::List(items)) => match &items[0].term {
                    Term::Word(word) if self.world.bags.contains_key(word) => {
                        Range::Bag(self.world.bags[word].clone())
                    }
                    _ => Range::Any,
                },
            };
            let mut value = self.expr(&variable.value)?;
            if value == V::Nothing && matches!(range, Range::Bag(_)) {
                value = V::Bag(Bag::new());
            }
            self.names.truncate(before);
            check(&value, &range)?;
            values.insert(key, (value, range));
        }
        self.vars.push(Var { values, is_players });
        self.names.push((variable.name.text.clone(), Bind::Var(self.vars.len() - 1)));
        Ok(())
    }

    fn find(&self, name: &str) -> Option<&Bind> {
        self.names.iter().rev().find(|(own, _)| own == name).map(|(_, bind)| bind)
    }

    fn key(&self, var: usize, indices: Vec<V>) -> Vec<V> {
        let mut key = indices;
        if self.vars[var].is_players {
            key.insert(0, V::Player(self.me.expect("me")));
        }
        key
    }

    /// The value of an element. Two names stand for their pair.
    fn element(&mut self, var: usize, key: &[V]) -> Run<Vec<V>> {
        if self.vars[var].values.contains_key(key) {
            return Ok(key.to_vec());
        }
        if let [before @ .., V::Face(Face::Name(a)), V::Face(Face::Name(b))] = key {
            let pair = self.world.pairs.iter().find(|(_, [one, two])| (one.1, two.1) == (*a, *b));
            if let Some((pair, _)) = pair {
                let key = [before.to_vec(), vec![V::Face(Face::Name(*pair))]].concat();
                if self.vars[var].values.contains_key(&key) {
                    return Ok(key);
                }
            }
        }
        fault(format!("an index: {key:?}"))
    }

    fn get(&mut self, var: usize, key: &[V]) -> Run<V> {
        let key = self.element(var, key)?;
        Ok(self.vars[var].values[&key].0.clone())
    }

    fn set(&mut self, var: usize, key: &[V], value: V) -> Run<()> {
        let key = self.element(var, key)?;
        let slot = self.vars[var].values.get_mut(&key).expect("it is there");
        let value = match (&slot.0, value) {
            (V::Bag(_), V::Nothing) => V::Bag(Bag::new()),
            // A declared bag has no room for which die shows a face.
            (V::Bag(_), V::Bag(bag)) if matches!(slot.1, Range::Bag(_)) => V::Bag(faces_of(&bag)),
            (_, value) => value,
        };
        check(&value, &slot.1)?;
        slot.0 = value;
        Ok(())
    }

    /// What a roll, a draw or an answer gives.
    fn name(&mut self, name: &str, value: V) -> Run<()> {
        if let Some(Bind::Var(var)) = self.find(name) {
            let var = *var;
            let key = self.key(var, Vec::new());
            return self.set(var, &key, value);
        }
        self.vars.push(Var { values: HashMap::from([(Vec::new(), (value, Range::Any))]), is_players: false });
        self.names.push((name.to_owned(), Bind::Var(self.vars.len() - 1)));
        Ok(())
    }

    /// The variable and the element that an expression names.
    fn target(&mut self, expr: &Expr) -> Run<Option<(usize, Vec<V>)>> {
        Ok(match &expr.term {
            Term::Word(name) => match self.find(name) {
                Some(Bind::Var(var)) => Some((*var, self.key(*var, Vec::new()))),
                _ => None,
            },
            Term::Index(array, indices) => {
                let mut values = Vec::new();
                for index in indices {
                    values.push(self.expr(index)?);
                }
                match &array.term {
                    Term::Word(name) => {
                        let Some(Bind::Var(var)) = self.find(name) else { panic!("{name}") };
                        let var = *var;
                        Some((var, self.key(var, values)))
                    }
                    Term::Dot(player, name) => {
                        let player = self.expr(player)?;
                        let Some(Bind::Var(var)) = self.find(&name.text) else { panic!("{}", name.text) };
                        Some((*var, [vec![player], values].concat()))
                    }
                    _ => panic!("an array"),
                }
            }
            Term::Dot(player, name) => match (self.expr(player)?, self.find(&name.text)) {
                (player @ V::Player(_), Some(Bind::Var(var))) => Some((*var, vec![player])),
                _ => None,
            },
            _ => None,
        })
    }

    // Statements.

    fn block(&mut self, block: &Block) -> Run<Flow> {
        let before = self.names.len();
        let mut flow = Flow::Next;
        for statement in block {
            flow = self.statement(statement)?;
            if !matches!(flow, Flow::Next) {
                break;
            }
        }
        self.names.truncate(before);
        Ok(flow)
    }

    fn seat(&mut self, named: Option<&Expr>) -> Run<Seat> {
        match named {
            None => Ok(self.me.unwrap_or(0)),
            Some(named) => match self.expr(named)? {
                V::Player(seat) => Ok(seat),
                other => panic!("{other:?} is no player"),
            },
        }
    }

    fn statement(&mut self, statement: &Statement) -> Run<Flow> {
        match &statement.form {
            Form::Let(variable) => self.declare(variable, false)?,
            Form::Assign(target, sign, value) => {
                let value = self.expr(value)?;
                let (var, key) = self.target(target)?.expect("a variable");
                let value = match *sign {
                    "=" => value,
                    sign => {
                        let before = self.get(var, &key)?;
                        sum(before, value, sign == "+=")
                    }
                };
                self.set(var, &key, value)?;
            }
            Form::Roll { parts, by } => {
                let mut events: Vec<Vec<Equal>> = Vec::new();
                for part in parts {
                    let many = match &part.many {
                        Some(many) => Some(self.number(many)?),
                        None => None,
                    };
                    events.push(self.dice(&part.dice, many)?);
                }
                let seat = self.seat(by.as_ref())?;
                let values = self.roll(seat, &events)?;
                self.count(seat, 1, 1);
                for (part, value) in parts.iter().zip(values) {
                    self.name(&part.name.text, value)?;
                }
            }
            Form::Chance { name, yes, of, by } => {
                let (yes, of) = (self.number(yes)?.unsigned_abs(), self.number(of)?.unsigned_abs());
                let seat = self.seat(by.as_ref())?;
                let at = if yes == 0 || yes == of {
                    usize::from(yes == 0)
                } else {
                    self.driver.chance(seat, &[yes, of - yes])?
                };
                self.count(seat, 1, 1);
                self.name(&name.text, V::Truth(at == 0))?;
            }
            Form::Draw { name, many, bag, by, otherwise } => {
                let wanted = match many {
                    Some(many) => Some(self.number(many)?.max(0)),
                    None => None,
                };
                let (var, key) = self.target(bag)?.expect("a variable");
                let mut drawn = Bag::new();
                let mut last = None;
                for _ in 0..wanted.unwrap_or(1) {
                    let V::Bag(mut left) = self.get(var, &key)? else { panic!("a bag") };
                    left.retain(|_, count| *count > 0);
                    if left.is_empty() {
                        break;
                    }
                    let seat = self.seat(by.as_ref())?;
                    let weights: Vec<u64> = left.values().map(|count| count.unsigned_abs()).collect();
                    let at = if weights.len() == 1 { 0 } else { self.driver.chance(seat, &weights)? };
                    let face = *left.keys().nth(at).expect("a face");
                    *left.entry(face).or_default() -= 1;
                    *drawn.entry(face).or_default() += 1;
                    last = Some(face.1);
                    self.set(var, &key, V::Bag(left))?;
                }
                let value = match (wanted, last) {
                    (Some(_), _) => V::Bag(drawn),
                    (None, Some(face)) => V::Face(face),
                    (None, None) => match otherwise {
                        Some(block) => return self.block(block),
                        None => return fault("an empty bag"),
                    },
                };
                self.name(&name.text, value)?;
            }
            Form::Ask { name, of, domain: None, filter, yes, otherwise, .. } => {
                let mut answer = false;
                if self.lets(filter.as_ref())? {
                    let seat = self.seat(of.as_ref())?;
                    answer = self.driver.ask(seat, &name.text, 2)? == 1;
                }
                self.name(&name.text, V::Truth(answer))?;
                return match (answer, otherwise) {
                    (true, _) => self.block(yes),
                    (false, Some(block)) => self.block(block),
                    (false, None) => Ok(Flow::Next),
                };
            }
            Form::Ask { name, of, domain: Some(domain), filter, otherwise, .. } => {
                let mut candidates = Vec::new();
                for value in self.domain(domain)? {
                    self.names.push((name.text.clone(), Bind::Value(value.clone())));
                    let lets = self.lets(filter.as_ref());
                    self.names.pop();
                    if lets? {
                        candidates.push(value);
                    }
                }
                let at = match candidates.len() {
                    0 => match otherwise {
                        Some(block) => return self.block(block),
                        None => return fault("no candidate"),
                    },
                    1 => 0,
                    many => {
                        let seat = self.seat(of.as_ref())?;
                        self.driver.ask(seat, &name.text, many)?
                    }
                };
                self.name(&name.text, candidates[at].clone())?;
            }
            Form::AskAll { name, player, domain, filter, .. } => {
                let asked = self.domain(domain)?;
                let mut values = HashMap::new();
                for seat in 0..self.world.seats {
                    let mut answer = false;
                    self.names.push((player.text.clone(), Bind::Value(V::Player(seat))));
                    let lets = asked.contains(&V::Player(seat)) && self.lets(filter.as_ref())?;
                    self.names.pop();
                    if lets {
                        answer = self.driver.ask(seat, &name.text, 2)? == 1;
                    }
                    values.insert(vec![V::Player(seat)], (V::Truth(answer), Range::Any));
                }
                self.vars.push(Var { values, is_players: false });
                self.names.push((name.text.clone(), Bind::Var(self.vars.len() - 1)));
            }
            Form::If(branches, otherwise) => {
                for (condition, block) in branches {
                    if self.truth(condition)? {
                        return self.block(block);
                    }
                }
                if let Some(block) = otherwise {
                    return self.block(block);
                }
            }
            Form::Repeat(condition, block) => loop {
                if let Some(condition) = condition
                    && !self.truth(condition)?
                {
                    break;
                }
                match self.block(block)? {
                    Flow::Next | Flow::Again => {}
                    Flow::Break => break,
                    other => return Ok(other),
                }
            },
            Form::For(over, block) => {
                for value in self.domain(&over.domain)? {
                    self.names.push((over.name.text.clone(), Bind::Value(value)));
                    let lets = self.lets(over.filter.as_deref())?;
                    let flow = if lets { self.block(block)? } else { Flow::Next };
                    self.names.pop();
                    match flow {
                        Flow::Next | Flow::Again => {}
                        Flow::Break => break,
                        other => return Ok(other),
                    }
                }
            }
            Form::Break => return Ok(Flow::Break),
            Form::Again => return Ok(Flow::Again),
            Form::Do(name) => {
                let (_, block) =
                    self.file.steps.iter().find(|(steps, _)| steps.text == name.text).expect("steps");
                return self.block(block);
            }
            Form::Bust => {
                let me = self.me.expect("me");
                if self.bust.insert(me) {
                    self.count(me, 2, 1);
                }
                return Ok(Flow::EndTurn);
            }
            Form::EndTurn | Form::EndRound => return Ok(Flow::EndTurn),
            Form::EndGame(name) => return Ok(Flow::Game(name.text.clone())),
            Form::Count { name, of, by } => {
                let counted = self.file.reports.iter().filter(|report| report.value.is_none());
                let at = counted.clone().position(|report| report.name.text == name.text);
                let event = if name.text == "busts" { 2 } else { 3 + at.expect("it is declared") };
                let by = match by {
                    Some(by) => self.number(by)?.unsigned_abs(),
                    None => 1,
                };
                let seat = self.seat(of.as_ref())?;
                if event != 2 || self.bust.insert(seat) {
                    self.count(seat, event, by);
                }
            }
        }
        Ok(Flow::Next)
    }

    /// Who plays, from a seat but the first so many.
    fn players(&self, (first, skipped): (Seat, usize)) -> Vec<V> {
        let seats = (skipped..self.world.seats).map(|at| (first + at) % self.world.seats);
        let plays = |seat: &Seat| self.tied.as_ref().is_none_or(|tied| tied.contains(seat));
        seats.filter(plays).map(V::Player).collect()
    }

    fn lets(&mut self, filter: Option<&Expr>) -> Run<bool> {
        filter.map_or(Ok(true), |filter| self.truth(filter))
    }

    // Chance.

    fn dice(&mut self, dice: &Expr, many: Option<i64>) -> Run<Vec<Equal>> {
        if let Term::Word(word) = &dice.term
            && self.find(word).is_none()
            && let Some(faces) = self.world.dice.get(word)
        {
            return Ok(vec![Equal {
                die: 0,
                faces: faces.clone(),
                many: many.unwrap_or(1),
                single: many.is_none(),
            }]);
        }
        let bag = match self.expr(dice)? {
            V::Bag(bag) => bag,
            V::Face(die) => Bag::from([((0, die), 1)]),
            other => panic!("{other:?} is no bag of dice"),
        };
        let mut all = Vec::new();
        for ((_, die), count) in bag {
            let Face::Name(at) = die else { panic!("a die") };
            let faces = self.world.dice[&self.world.atoms[at]].clone();
            all.push(Equal { die: at + 1, faces, many: count, single: false });
        }
        Ok(all)
    }

    /// One event if it is light, else one for every group of dice.
    fn roll(&mut self, seat: Seat, events: &[Vec<Equal>]) -> Run<Vec<V>> {
        let all: Vec<&Equal> = events.iter().flatten().collect();
        let weight = all.iter().fold(1_u64, |weight, equal| weight.saturating_mul(equal.weight(equal.many)));
        let mut shown: Vec<Vec<Vec<Face>>> = vec![Vec::new(); all.len()];
        if weight <= 65_536 {
            let results: Vec<Vec<(Vec<Vec<Face>>, u64)>> =
                all.iter().map(|equal| equal.results(equal.many)).collect();
            let weights = results.iter().fold(vec![1], |weights: Vec<u64>, part| {
                weights.iter().flat_map(|weight| part.iter().map(move |(_, own)| weight * own)).collect()
            });
            let mut at = if weights.len() == 1 { 0 } else { self.driver.chance(seat, &weights)? };
            for (shown, part) in shown.iter_mut().zip(&results).rev() {
                shown.clone_from(&part[at % part.len()].0);
                at /= part.len();
            }
        } else {
            for (shown, equal) in shown.iter_mut().zip(&all) {
                let mut left = equal.many;
                while left > 0 {
                    let group =
                        (1..=left).rev().find(|many| equal.weight(*many) <= 65_536).expect("one fits");
                    let results = equal.results(group);
                    let weights: Vec<u64> = results.iter().map(|(_, weight)| *weight).collect();
                    let at = if weights.len() == 1 { 0 } else { self.driver.chance(seat, &weights)? };
                    shown.extend(results[at].0.clone());
                    left -= group;
                }
            }
        }
        let mut at = 0;
        let mut values = Vec::new();
        for part in events {
            let mut bag = Bag::new();
            for equal in part {
                for face in shown[at].iter().flatten() {
                    *bag.entry((equal.die, *face)).or_default() += 1;
                }
                at += 1;
            }
            let is_sets = part.iter().any(|equal| equal.faces.iter().any(|(names, _)| names.len() > 1));
            values.push(match (&part[..], bag.keys().next()) {
                ([equal], Some((_, face))) if equal.single && !is_sets => match face {
                    Face::Number(number) => V::Number(*number),
                    face => V::Face(*face),
                },
                _ => V::Bag(bag),
            });
        }
        Ok(values)
    }

    // Expressions.

    fn domain(&mut self, domain: &Domain) -> Run<Vec<V>> {
        match domain {
            Domain::Range(from, to) => {
                let (from, to) = (self.number(from)?, self.number(to)?);
                Ok((from..=to).map(V::Number).collect())
            }
            Domain::List(items) => {
                let mut all = Vec::new();
                for item in items {
                    all.extend(self.one(item)?);
                }
                Ok(all)
            }
        }
    }

    fn one(&mut self, item: &Expr) -> Run<Vec<V>> {
        if let Term::Word(word) = &item.term {
            let first = self.me.unwrap_or(0);
            match word.as_str() {
                "everyone" => return Ok(self.players((first, 0))),
                "others" => return Ok(self.players((first, 1))),
                _ => {}
            }
            if let Some(names) = self.world.names.get(word) {
                return Ok(names.iter().map(|face| V::Face(*face)).collect());
            }
        }
        if let Term::Call(name, arguments) = &item.term {
            match name.text.as_str() {
                "parts" => {
                    let V::Bag(bag) = self.expr(&arguments[0])? else { panic!("a bag") };
                    return Ok(parts(&bag).into_iter().map(V::Bag).collect());
                }
                "pairings" => {
                    let V::Bag(bag) = self.expr(&arguments[0])? else { panic!("a bag") };
                    return Ok(pairings(&bag));
                }
                _ => {}
            }
        }
        Ok(match self.expr(item)? {
            V::Bag(bag) => {
                let mut faces: Vec<Face> =
                    bag.into_iter().filter(|(_, count)| *count > 0).map(|((_, face), _)| face).collect();
                faces.dedup();
                faces.into_iter().map(of_face).collect()
            }
            other => vec![other],
        })
    }

    fn number(&mut self, expr: &Expr) -> Run<i64> {
        match self.expr(expr)? {
            V::Number(number) => Ok(number),
            other => panic!("{other:?} is no number"),
        }
    }

    fn truth(&mut self, expr: &Expr) -> Run<bool> {
        match self.expr(expr)? {
            V::Truth(truth) => Ok(truth),
            other => panic!("{other:?} is no yes or no"),
        }
    }

    fn expr(&mut self, expr: &Expr) -> Run<V> {
        Ok(match &expr.term {
            Term::Number(number) => V::Number(*number),
            Term::Word(word) => self.word(word)?,
            Term::Index(..) => {
                let (var, key) = self.target(expr)?.expect("a variable");
                self.get(var, &key)?
            }
            Term::Dot(left, name) => {
                if let Term::Word(word) = &left.term
                    && let Some(value) = self.world.options.get(&format!("{word}.{}", name.text))
                {
                    return Ok(value.clone());
                }
                match self.expr(left)? {
                    V::Pair(one, two) => V::Number(if name.text == "one" { one } else { two }),
                    V::Face(Face::Name(at)) => {
                        let pair = &self.world.pairs[&at];
                        let (_, part) = pair.iter().find(|(set, _)| *set == name.text).expect("a part");
                        V::Face(Face::Name(*part))
                    }
                    _ => {
                        let (var, key) = self.target(expr)?.expect("a variable");
                        self.get(var, &key)?
                    }
                }
            }
            Term::Call(name, arguments) => self.call(&name.text, arguments)?,
            Term::Fold(fold, over, value) => self.fold(*fold, over, value.as_deref())?,
            Term::Not(inner) => V::Truth(!self.truth(inner)?),
            Term::Negate(inner) => V::Number(-self.number(inner)?),
            Term::Binary(Operator::And, a, b) => V::Truth(self.truth(a)? && self.truth(b)?),
            Term::Binary(Operator::Or, a, b) => V::Truth(self.truth(a)? || self.truth(b)?),
            Term::Binary(operator @ (Operator::Equal | Operator::Unequal), a, b) => {
                let named = |side: &Expr| match &side.term {
                    Term::Word(word) => self.world.named.get(word).cloned(),
                    _ => None,
                };
                let is = match (named(a), named(b), &a.term, &b.term) {
                    (Some(chosen), _, _, Term::Word(word)) | (_, Some(chosen), Term::Word(word), _) => {
                        chosen == *word
                    }
                    _ => {
                        let (a, b) = (self.expr(a)?, self.expr(b)?);
                        same(&a, &b)
                    }
                };
                V::Truth(is == (*operator == Operator::Equal))
            }
            Term::Binary(operator @ (Operator::Add | Operator::Subtract), a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                sum(a, b, *operator == Operator::Add)
            }
            Term::Binary(operator, a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                match operator {
                    Operator::Multiply => V::Number(a * b),
                    Operator::Divide | Operator::Remainder if b == 0 => return fault("zero"),
                    Operator::Divide => V::Number(a / b),
                    Operator::Remainder => V::Number(a % b),
                    Operator::Less => V::Truth(a < b),
                    Operator::LessEqual => V::Truth(a <= b),
                    Operator::Greater => V::Truth(a > b),
                    _ => V::Truth(a >= b),
                }
            }
            Term::In(left, domain) => {
                let value = self.expr(left)?;
                V::Truth(self.domain(domain)?.iter().any(|other| same(&value, other)))
            }
            Term::Choose(condition, yes, no) => {
                let side = if self.truth(condition)? { yes } else { no };
                self.expr(side)?
            }
        })
    }

    fn word(&mut self, word: &str) -> Run<V> {
        match word {
            "yes" => return Ok(V::Truth(true)),
            "no" => return Ok(V::Truth(false)),
            "none" => return Ok(V::Nothing),
            "me" => return Ok(V::Player(self.me.expect("me"))),
            "round" => return Ok(V::Number(self.round)),
            _ => {}
        }
        match self.find(word) {
            Some(Bind::Value(value)) => return Ok(value.clone()),
            Some(Bind::Var(var)) => {
                let var = *var;
                let key = self.key(var, Vec::new());
                return self.get(var, &key);
            }
            None => {}
        }
        if let Some(value) = self.world.options.get(word) {
            return Ok(value.clone());
        }
        if let Some(bag) = self.world.bags.get(word) {
            return Ok(V::Bag(bag.clone()));
        }
        if self.file.defines.iter().any(|define| define.name.text == word) {
            return self.call(word, &[]);
        }
        Ok(V::Face(self.world.atom(word)))
    }

    fn call(&mut self, name: &str, arguments: &[Expr]) -> Run<V> {
        if let Some(define) = self.file.defines.iter().find(|define| define.name.text == name) {
            let mut values = Vec::new();
            for (parameter, argument) in define.parameters.iter().zip(arguments) {
                values.push((parameter.text.clone(), Bind::Value(self.expr(argument)?)));
            }
            let before = self.names.len();
            self.names.extend(values);
            let mut result = None;
            for (condition, value) in &define.lines {
                let holds = match condition {
                    Some(condition) => self.truth(condition)?,
                    None => true,
                };
                if holds {
                    result = Some(self.expr(value)?);
                    break;
                }
            }
            self.names.truncate(before);
            return Ok(result.expect("a row holds"));
        }
        if let ("nth", [Expr { term: Term::Word(names), .. }, at]) = (name, arguments) {
            let at = usize::try_from(self.number(at)?).expect("from 1");
            return Ok(V::Face(self.world.names[names][at - 1]));
        }
        let mut values = Vec::new();
        for argument in arguments {
            values.push(self.expr(argument)?);
        }
        let number = |at: usize| match &values[at] {
            V::Number(number) => *number,
            other => panic!("{other:?} is no number"),
        };
        let bag = || match &values[0] {
            V::Bag(bag) => bag.clone(),
            V::Face(face) => Bag::from([((0, *face), 1)]),
            other => panic!("{other:?} is no bag"),
        };
        let faces = || {
            let mut faces: BTreeMap<Face, i64> = BTreeMap::new();
            bag().iter().for_each(|((_, face), count)| *faces.entry(*face).or_default() += count);
            faces.retain(|_, count| *count > 0);
            faces
        };
        let value = |face: &Face| match face {
            Face::Number(number) => *number,
            Face::Name(_) => 0,
        };
        Ok(V::Number(match name {
            "min" => (0..values.len()).map(number).min().expect("some"),
            "max" => (0..values.len()).map(number).max().expect("some"),
            "abs" => number(0).abs(),
            "power" => number(0).pow(u32::try_from(number(1)).expect("small")),
            "size" => bag().values().sum(),
            "sum" => faces().iter().map(|(face, count)| value(face) * count).sum(),
            "highest" => faces().keys().map(value).max().unwrap_or(0),
            "lowest" => faces().keys().map(value).min().unwrap_or(0),
            "alike" => faces().values().copied().max().unwrap_or(0),
            "distinct" => i64::try_from(faces().len()).expect("few"),
            "run" => {
                // Of numbers that follow one another, as the texts here have them.
                let numbers: Vec<i64> = faces().keys().map(value).collect();
                let mut longest = 0;
                let mut row = 0;
                for (at, number) in numbers.iter().enumerate() {
                    row = if at > 0 && numbers[at - 1] + 1 == *number { row + 1 } else { 1 };
                    longest = longest.max(row);
                }
                longest
            }
            "count" => {
                let wanted = &values[1];
                faces()
                    .iter()
                    .filter(|(face, _)| same(&of_face(**face), wanted))
                    .map(|(_, count)| count)
                    .sum()
            }
            "worth" => self.worth(&bag()).unwrap_or(0),
            "number" => match &values[0] {
                V::Number(number) => *number,
                V::Face(face) => value(face),
                other => panic!("{other:?} is no face"),
            },
            "place" => {
                let names: Vec<&Vec<Face>> = self.world.names.values().collect();
                let V::Face(face) = &values[0] else { return Ok(V::Number(0)) };
                let at = names.iter().find_map(|names| names.iter().position(|name| name == face));
                i64::try_from(at.map_or(0, |at| at + 1)).expect("few")
            }
            "dice" => {
                let mut dice = Bag::new();
                for ((die, own), count) in bag() {
                    let is_it = values.get(1).is_none_or(|face| face_of(face) == own);
                    if is_it && count > 0 {
                        *dice.entry((0, Face::Name(die - 1))).or_default() += count;
                    }
                }
                return Ok(V::Bag(dice));
            }
            _ => panic!("{name} is no function"),
        }))
    }

    /// The best way to use all of a bag.
    fn worth(&mut self, bag: &Bag) -> Option<i64> {
        let faces: Vec<Face> = bag.iter().flat_map(|((_, face), count)| (0..*count).map(|_| *face)).collect();
        if faces.is_empty() {
            return Some(0);
        }
        let mut best = None;
        let lines = &self.file.worth[0].lines;
        for (pattern, value) in lines {
            // The first die is used by some line, whichever it is.
            for choice in parts(bag) {
                let chosen: Vec<Face> =
                    choice.iter().flat_map(|((_, face), count)| (0..*count).map(|_| *face)).collect();
                if chosen.len() != pattern.len() || !chosen.contains(&faces[0]) {
                    continue;
                }
                let mut most = 0;
                for letters in fits(pattern, &chosen) {
                    let before = self.names.len();
                    let letters = letters.into_iter();
                    self.names.extend(letters.map(|(name, number)| (name, Bind::Value(V::Number(number)))));
                    let Ok(points) = self.number(value) else { panic!("a worth") };
                    self.names.truncate(before);
                    most = points.max(most);
                }
                if most == 0 {
                    continue;
                }
                let mut rest = bag.clone();
                choice.iter().for_each(|(face, count)| *rest.entry(*face).or_default() -= count);
                rest.retain(|_, count| *count > 0);
                if let Some(more) = self.worth(&rest) {
                    best = best.max(Some(most + more));
                }
            }
        }
        best
    }

    fn fold(&mut self, fold: Fold, over: &Loop, value: Option<&Expr>) -> Run<V> {
        let mut numbers = Vec::new();
        let mut truths = Vec::new();
        let mut bag = Bag::new();
        for item in self.domain(&over.domain)? {
            self.names.push((over.name.text.clone(), Bind::Value(item.clone())));
            let lets = self.lets(over.filter.as_deref())?;
            match fold {
                Fold::Sum | Fold::Min | Fold::Max if lets => {
                    numbers.push(self.number(value.expect("a value"))?)
                }
                Fold::Those if lets => drop(bag.insert((0, face_of(&item)), 1)),
                Fold::All => {
                    let holds = match value {
                        Some(value) => !lets || self.truth(value)?,
                        None => lets,
                    };
                    truths.push(holds);
                    if !holds {
                        self.names.pop();
                        break;
                    }
                }
                Fold::Any | Fold::Count => {
                    let holds = lets && value.map_or(Ok(true), |value| self.truth(value))?;
                    truths.push(holds);
                    if holds && fold == Fold::Any {
                        self.names.pop();
                        break;
                    }
                }
                _ => {}
            }
            self.names.pop();
        }
        let count = truths.iter().filter(|truth| **truth).count();
        Ok(match fold {
            Fold::Sum => V::Number(numbers.iter().sum()),
            Fold::Min => V::Number(numbers.into_iter().min().unwrap_or(0)),
            Fold::Max => V::Number(numbers.into_iter().max().unwrap_or(0)),
            Fold::Count => V::Number(i64::try_from(count).expect("few")),
            Fold::Any => V::Truth(count > 0),
            Fold::All => V::Truth(count == truths.len()),
            Fold::Those => V::Bag(bag),
        })
    }
}

/// Equal dice of a roll.
struct Equal {
    die: usize,
    faces: Vec<(Vec<Face>, u64)>,
    many: i64,
    single: bool,
}

impl Equal {
    fn weight(&self, many: i64) -> u64 {
        let weight: u64 = self.faces.iter().map(|(_, weight)| weight).sum();
        weight.saturating_pow(u32::try_from(many).expect("few"))
    }

    /// The different bags of faces, in order, each with the number of ways.
    fn results(&self, many: i64) -> Vec<(Vec<Vec<Face>>, u64)> {
        if self.single {
            return self.faces.iter().map(|(face, weight)| (vec![face.clone()], *weight)).collect();
        }
        let mut ways: BTreeMap<Vec<usize>, u64> = BTreeMap::from([(Vec::new(), 1)]);
        for _ in 0..many {
            let mut next = BTreeMap::new();
            for (faces, weight) in ways {
                for (at, (_, own)) in self.faces.iter().enumerate() {
                    let mut faces = faces.clone();
                    faces.push(at);
                    faces.sort_unstable();
                    *next.entry(faces).or_default() += weight * own;
                }
            }
            ways = next;
        }
        ways.into_iter()
            .map(|(faces, weight)| (faces.iter().map(|at| self.faces[*at].0.clone()).collect(), weight))
            .collect()
    }
}

fn check(value: &V, range: &Range) -> Run<()> {
    let is_in = match (value, range) {
        (V::Number(number), Range::Numbers(low, high)) => low <= number && number <= high,
        (V::Bag(bag), Range::Bag(limit)) => {
            bag.iter().all(|(face, count)| *count <= limit.get(face).copied().unwrap_or(0))
        }
        _ => true,
    };
    if is_in { Ok(()) } else { fault(format!("{value:?} is not in {range:?}")) }
}

fn of_face(face: Face) -> V {
    match face {
        Face::Number(number) => V::Number(number),
        face => V::Face(face),
    }
}

fn face_of(value: &V) -> Face {
    match value {
        V::Number(number) => Face::Number(*number),
        V::Face(face) => *face,
        other => panic!("{other:?} is no face"),
    }
}

fn same(a: &V, b: &V) -> bool {
    match (a, b) {
        (V::Face(Face::Number(a)), V::Number(b)) | (V::Number(a), V::Face(Face::Number(b))) => a == b,
        (V::Bag(bag), V::Nothing) | (V::Nothing, V::Bag(bag)) => bag.values().all(|count| *count == 0),
        (V::Bag(a), V::Bag(b)) if is_of_faces(a) || is_of_faces(b) => {
            let some = |bag: &Bag| faces_of(bag).into_iter().filter(|(_, count)| *count > 0).collect::<Bag>();
            some(a) == some(b)
        }
        (V::Bag(a), V::Bag(b)) => {
            let some = |bag: &Bag| bag.clone().into_iter().filter(|(_, count)| *count > 0).collect::<Bag>();
            some(a) == some(b)
        }
        _ => a == b,
    }
}

fn sum(a: V, b: V, is_plus: bool) -> V {
    if let (V::Number(a), V::Number(b)) = (&a, &b) {
        return V::Number(if is_plus { a + b } else { a - b });
    }
    let bag = |value: V| match value {
        V::Bag(bag) => bag,
        V::Nothing => Bag::new(),
        value => Bag::from([((0, face_of(&value)), 1)]),
    };
    let (mut a, b) = (bag(a), bag(b));
    let b = if !a.is_empty() && is_of_faces(&a) { faces_of(&b) } else { b };
    for (face, count) in b {
        let own = a.entry(face).or_default();
        *own = if is_plus { *own + count } else { (*own - count).max(0) };
    }
    a.retain(|_, count| *count > 0);
    V::Bag(a)
}

/// Whether a bag does not tell which dice show its faces.
fn is_of_faces(bag: &Bag) -> bool {
    bag.keys().all(|(die, _)| *die == 0)
}

fn faces_of(bag: &Bag) -> Bag {
    let mut faces = Bag::new();
    bag.iter().for_each(|((_, face), count)| *faces.entry((0, *face)).or_default() += count);
    faces
}

/// Every part but the empty one: more first, then lower faces.
fn parts(bag: &Bag) -> Vec<Bag> {
    let mut all: Vec<Bag> = vec![Bag::new()];
    for (face, count) in bag {
        all = all
            .iter()
            .flat_map(|part| {
                (0..=*count).map(|many| {
                    let mut part = part.clone();
                    if many > 0 {
                        part.insert(*face, many);
                    }
                    part
                })
            })
            .collect();
    }
    let dice =
        |part: &Bag| part.iter().flat_map(|(face, count)| (0..*count).map(|_| *face)).collect::<Vec<_>>();
    all.retain(|part| !part.is_empty());
    all.sort_by_key(|part| (std::cmp::Reverse(dice(part).len()), dice(part)));
    all
}

fn pairings(bag: &Bag) -> Vec<V> {
    let dice: Vec<i64> = bag
        .iter()
        .flat_map(|((_, face), count)| {
            let Face::Number(number) = *face else { panic!("numbers") };
            (0..*count).map(move |_| number)
        })
        .collect();
    let mut all = Vec::new();
    for with in 1..4 {
        let one = dice[0] + dice[with];
        let two = dice.iter().sum::<i64>() - one;
        for pair in [V::Pair(one, two), V::Pair(two, one)] {
            if !all.contains(&pair) {
                all.push(pair);
            }
        }
    }
    all
}

/// The ways in which faces fit a line of `worth`: its letters with the numbers on the faces that they stand for, all
/// different.
fn fits(pattern: &[Expr], chosen: &[Face]) -> Vec<Vec<(String, i64)>> {
    let Some((first, rest)) = pattern.split_first() else {
        return if chosen.is_empty() { vec![Vec::new()] } else { Vec::new() };
    };
    let mut ways = Vec::new();
    let mut seen = Vec::new();
    for (at, face) in chosen.iter().enumerate() {
        let Face::Number(number) = *face else { continue };
        if seen.contains(&number) {
            continue;
        }
        seen.push(number);
        let others: Vec<Face> = [&chosen[..at], &chosen[at + 1..]].concat();
        for mut way in fits(rest, &others) {
            match &first.term {
                Term::Number(wanted) if *wanted == number => {}
                Term::Word(name) => match way.iter().find(|(other, value)| other == name || *value == number)
                {
                    None => way.push((name.clone(), number)),
                    Some((other, value)) if other == name && *value == number => {}
                    Some(_) => continue,
                },
                _ => continue,
            }
            if !ways.contains(&way) {
                ways.push(way);
            }
        }
    }
    ways
}
