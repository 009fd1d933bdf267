//! Expressions and domains.

use super::*;

impl<D: Driver> Naive<'_, D> {
    pub(super) fn domain(&mut self, domain: &Domain) -> Run<Vec<V>> {
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

    pub(super) fn one(&mut self, item: &Expr) -> Run<Vec<V>> {
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

    pub(super) fn number(&mut self, expr: &Expr) -> Run<i64> {
        match self.expr(expr)? {
            V::Number(number) => Ok(number),
            other => panic!("{other:?} is no number"),
        }
    }

    pub(super) fn truth(&mut self, expr: &Expr) -> Run<bool> {
        match self.expr(expr)? {
            V::Truth(truth) => Ok(truth),
            other => panic!("{other:?} is no yes or no"),
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr) -> Run<V> {
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
            Term::Binary(Operator::Multiply, a, b) => match (self.expr(a)?, self.expr(b)?) {
                (V::Number(a), V::Number(b)) => V::Number(a * b),
                (V::Face(Face::Name(a)), V::Face(Face::Name(b))) => {
                    let mut pairs = self.world.pairs.iter();
                    let is_it =
                        |(_, [(_, one), (_, two)]): &(&usize, &[(String, usize); 2])| [*one, *two] == [a, b];
                    V::Face(Face::Name(*pairs.find(is_it).expect("a pair").0))
                }
                (V::Nothing, V::Face(_)) | (V::Face(_), V::Nothing) => V::Nothing,
                (a, b) => panic!("{a:?} times {b:?}"),
            },
            Term::Binary(operator, a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                match operator {
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

    pub(super) fn word(&mut self, word: &str) -> Run<V> {
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

    pub(super) fn call(&mut self, name: &str, arguments: &[Expr]) -> Run<V> {
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
            return Ok(match names.as_str() {
                "everyone" => V::Player(at - 1),
                names => V::Face(self.world.names[names][at - 1]),
            });
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
                let face = match &values[0] {
                    V::Player(seat) => return Ok(V::Number(i64::try_from(seat + 1).expect("few"))),
                    V::Face(face) => face,
                    _ => return Ok(V::Number(0)),
                };
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
    pub(super) fn worth(&mut self, bag: &Bag) -> Option<i64> {
        let faces: Vec<Face> = bag.iter().flat_map(|((_, face), count)| (0..*count).map(|_| *face)).collect();
        if faces.is_empty() {
            return Some(0);
        }
        let mut best = None;
        let file = self.file;
        let lines = &file.worth[0].lines;
        // One die after the other that shows a wild face is turned to every other face.
        let is_wild = |face: &Face| {
            let wild = lines.iter().filter(|(_, value)| value.word() == Some("wild"));
            let mut wild = wild.filter_map(|(pattern, _)| pattern[0].word());
            matches!(face, Face::Name(at) if wild.any(|word| word == self.world.atoms[*at]))
        };
        if let Some(&die) = bag.keys().find(|(_, face)| is_wild(face)) {
            let faces = self.world.dice.values().flatten().flat_map(|(faces, _)| faces.clone());
            let others: Vec<Face> = faces.filter(|face| !is_wild(face)).collect();
            for face in others {
                let mut turned = bag.clone();
                *turned.entry(die).or_default() -= 1;
                *turned.entry((die.0, face)).or_default() += 1;
                turned.retain(|_, count| *count > 0);
                best = best.max(self.worth(&turned));
            }
            return best;
        }
        for (pattern, value) in lines.iter().filter(|(_, value)| value.word() != Some("wild")) {
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

    pub(super) fn fold(&mut self, fold: Fold, over: &Loop, value: Option<&Expr>) -> Run<V> {
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
