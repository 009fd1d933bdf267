//! Values and bags of faces.

use super::*;

pub(super) fn of_face(face: Face) -> V {
    match face {
        Face::Number(number) => V::Number(number),
        face => V::Face(face),
    }
}

pub(super) fn face_of(value: &V) -> Face {
    match value {
        V::Number(number) => Face::Number(*number),
        V::Face(face) => *face,
        other => panic!("{other:?} is no face"),
    }
}

pub(super) fn same(a: &V, b: &V) -> bool {
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

pub(super) fn sum(a: V, b: V, is_plus: bool) -> V {
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
pub(super) fn is_of_faces(bag: &Bag) -> bool {
    bag.keys().all(|(die, _)| *die == 0)
}

pub(super) fn faces_of(bag: &Bag) -> Bag {
    let mut faces = Bag::new();
    bag.iter().for_each(|((_, face), count)| *faces.entry((0, *face)).or_default() += count);
    faces
}

/// Every part but the empty one: more first, then lower faces.
pub(super) fn parts(bag: &Bag) -> Vec<Bag> {
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

pub(super) fn pairings(bag: &Bag) -> Vec<V> {
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
pub(super) fn fits(pattern: &[Expr], chosen: &[Face]) -> Vec<Vec<(String, i64)>> {
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
