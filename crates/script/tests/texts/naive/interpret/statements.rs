//! Statements.

use super::*;

impl<D: Driver> Naive<'_, D> {
    pub(super) fn block(&mut self, block: &Block) -> Run<Flow> {
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

    pub(super) fn seat(&mut self, named: Option<&Expr>) -> Run<Seat> {
        match named {
            None => Ok(self.me.unwrap_or(0)),
            Some(named) => match self.expr(named)? {
                V::Player(seat) => Ok(seat),
                V::Nothing => fault("nobody"),
                other => panic!("{other:?} is no player"),
            },
        }
    }

    pub(super) fn statement(&mut self, statement: &Statement) -> Run<Flow> {
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
                    // What a game without dice counts as its rolls.
                    if !self.has_rolls {
                        self.count(seat, 1, 1);
                    }
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
                let candidates = self.candidates(&name.text, domain, filter.as_ref())?;
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
            Form::AskAll { name, player, domain, filter, choices, .. } => {
                let asked = self.domain(domain)?;
                let mut values = HashMap::new();
                for seat in 0..self.world.seats {
                    let mut answer = None;
                    self.names.push((player.text.clone(), Bind::Value(V::Player(seat))));
                    let lets = asked.contains(&V::Player(seat)) && self.lets(filter.as_ref())?;
                    if lets {
                        answer = Some(match choices {
                            None => V::Truth(self.driver.ask(seat, &name.text, 2)? == 1),
                            Some((domain, of)) => {
                                let candidates = self.candidates(&name.text, domain, of.as_ref())?;
                                let at = match candidates.len() {
                                    0 => return fault("no candidate"),
                                    1 => 0,
                                    many => self.driver.ask(seat, &name.text, many)?,
                                };
                                candidates[at].clone()
                            }
                        });
                    }
                    self.names.pop();
                    values.insert(vec![V::Player(seat)], answer);
                }
                // Who is not asked has no, 0, no name or no player.
                let none = match (choices, values.values().flatten().next()) {
                    (None, _) => V::Truth(false),
                    (Some((Domain::Range(..), _)), _) | (_, Some(V::Number(_))) => V::Number(0),
                    _ => V::Nothing,
                };
                let values = values.into_iter();
                let values =
                    values.map(|(at, answer)| (at, (answer.unwrap_or_else(|| none.clone()), Range::Any)));
                let values = values.collect();
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
            Form::EndTurn(then) => {
                if let Some(then) = then {
                    self.then = Some(self.seat(Some(then))?);
                }
                return Ok(Flow::EndTurn);
            }
            Form::EndRound => return Ok(Flow::EndTurn),
            Form::EndGame(name, verdict) => {
                if let Some((verdict, player)) = verdict {
                    self.decided = Some((*verdict, self.seat(Some(player))?));
                }
                return Ok(Flow::Game(name.text.clone()));
            }
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

    /// The legal answers to a question for one of several.
    fn candidates(&mut self, name: &str, domain: &Domain, filter: Option<&Expr>) -> Run<Vec<V>> {
        let mut candidates = Vec::new();
        for value in self.domain(domain)? {
            self.names.push((name.to_owned(), Bind::Value(value.clone())));
            let lets = self.lets(filter);
            self.names.pop();
            if lets? {
                candidates.push(value);
            }
        }
        Ok(candidates)
    }

    /// Who plays, from a seat but the first so many.
    pub(super) fn players(&self, (first, skipped): (Seat, usize)) -> Vec<V> {
        let seats = (skipped..self.world.seats).map(|at| (first + at) % self.world.seats);
        let plays = |seat: &Seat| self.tied.as_ref().is_none_or(|tied| tied.contains(seat));
        seats.filter(plays).map(V::Player).collect()
    }

    pub(super) fn lets(&mut self, filter: Option<&Expr>) -> Run<bool> {
        filter.map_or(Ok(true), |filter| self.truth(filter))
    }
}
