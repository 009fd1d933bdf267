//! Variables, names, and what is set.

use super::*;

impl<D: Driver> Naive<'_, D> {
    pub(super) fn declare(&mut self, variable: &Variable, is_players: bool) -> Run<()> {
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

    pub(super) fn find(&self, name: &str) -> Option<&Bind> {
        self.names.iter().rev().find(|(own, _)| own == name).map(|(_, bind)| bind)
    }

    pub(super) fn key(&self, var: usize, indices: Vec<V>) -> Vec<V> {
        let mut key = indices;
        if self.vars[var].is_players {
            key.insert(0, V::Player(self.me.expect("me")));
        }
        key
    }

    /// The value of an element. Two names stand for their pair.
    pub(super) fn element(&mut self, var: usize, key: &[V]) -> Run<Vec<V>> {
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

    pub(super) fn get(&mut self, var: usize, key: &[V]) -> Run<V> {
        let key = self.element(var, key)?;
        Ok(self.vars[var].values[&key].0.clone())
    }

    pub(super) fn set(&mut self, var: usize, key: &[V], value: V) -> Run<()> {
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
    pub(super) fn name(&mut self, name: &str, value: V) -> Run<()> {
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
    pub(super) fn target(&mut self, expr: &Expr) -> Run<Option<(usize, Vec<V>)>> {
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
                (player @ (V::Player(_) | V::Nothing), Some(Bind::Var(var))) => Some((*var, vec![player])),
                _ => None,
            },
            _ => None,
        })
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
