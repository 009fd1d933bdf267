//! What lies in several places at once: of the pieces of a bag there are never more than it holds, and a number of a row is in one
//! place. The text does not say which places share its pieces, and whether they leave them; games of random answers tell.

use std::collections::{BTreeMap, BTreeSet};

use stopwise_engine::game::Node;
use stopwise_engine::vocabulary::{grouped, listed};

use crate::met::Met;
use crate::op::{NamedKind, Program, Told};
use crate::state::State;

/// How often all pieces must have been seen in places of which it is said that they share them, or as many at a question.
const OFTEN: usize = 20;
const AS_OFTEN: usize = 100;

/// What is known of the pieces of a game.
#[derive(Debug)]
pub(crate) struct Totals {
    games: u64,
    /// The state before anything was drawn, as which what is left out of a position is taken.
    start: State,
    groups: Vec<Group>,
    /// Of a bag how much it always holds at a question of a stop.
    sizes: Vec<(usize, usize, i64)>,
    indices: Vec<Vec<Piece>>,
}

/// Places that share pieces.
#[derive(Debug)]
struct Group {
    /// How many there are of every kind.
    pieces: BTreeMap<Piece, i64>,
    /// The places: variables by their numbers.
    places: Vec<usize>,
    /// By stop, the pieces that move between the places and never leave them, and how many there are.
    kept: Vec<Held<Piece>>,
}

/// A kind of piece: a name by its atom, or a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Piece {
    Name(i64),
    Number(i64),
}

/// Pieces, and how many of each.
type Held<P> = Vec<(P, i64)>;

impl Totals {
    pub(crate) fn new(program: &Program, met: &Met) -> Self {
        let states: Vec<&State> = met.questions.iter().map(|(state, _)| state).collect();
        let indices: Vec<Vec<Piece>> = program.told.iter().map(|told| indices(program, told)).collect();
        let told = || program.told.iter().zip(&indices);
        let all: Vec<_> = told().map(|(told, indices)| pieces(program, told, indices)).collect();
        // Pieces of which a place tells how many there are, by number: other pieces are counted nowhere.
        let numbers: BTreeSet<Piece> = all.iter().flatten().flat_map(BTreeMap::keys).copied().collect();
        let numbers: Vec<Piece> = numbers.into_iter().collect();
        let number = |(piece, many): (Piece, i64)| Some((numbers.binary_search(&piece).ok()?, many));
        let held: Vec<Vec<Held<usize>>> = told()
            .map(|(told, indices)| {
                let held = |state: &&State| {
                    held(program, told, indices, state).into_iter().filter_map(number).collect()
                };
                states.iter().map(held).collect()
            })
            .collect();
        let group = |(seed, pieces): (usize, Option<BTreeMap<Piece, i64>>)| {
            let pieces = pieces?;
            let totals: Vec<Option<i64>> = numbers.iter().map(|piece| pieces.get(piece).copied()).collect();
            let places = shared(program, &held, &totals, seed);
            let kept = |stop| {
                let here = (0..states.len()).filter(|at| states[*at].stop() == stop);
                kept(&here.collect::<Vec<_>>(), &held, &places, &numbers)
            };
            let kept = (places.len() > 1).then(|| (0..program.sites.len()).map(kept).collect())?;
            Some(Group { pieces, places, kept })
        };
        let groups = all.into_iter().enumerate().filter_map(group).collect();
        let (Node::Chance(start, ..) | Node::Decision(start, _) | Node::Terminal(start)) =
            program.first(&mut ());
        Self { games: met.games, start, groups, sizes: sizes(program, &states), indices }
    }

    /// Why no play comes to a position, as far as random games tell.
    pub(crate) fn doubt(&self, program: &Program, state: &State) -> Option<String> {
        let of = |at: &usize| (*at, held(program, &program.told[*at], &self.indices[*at], state));
        let of_group = |group: &Group| {
            let places: Vec<(usize, Held<Piece>)> = group.places.iter().map(of).collect();
            let lie = sums(places.iter().map(|(_, held)| held));
            let too_many = |(piece, lie): (&Piece, &i64)| {
                let total = *group.pieces.get(piece)?;
                (*lie > total).then_some((*piece, *lie, total))
            };
            let kept = group.kept.get(state.stop()).into_iter().flatten();
            let mut too_few = kept.filter_map(|(piece, total)| {
                let lie = lie.get(piece).copied().unwrap_or(0);
                (lie < *total).then_some((*piece, lie, *total))
            });
            let (piece, lie, total) = lie.iter().find_map(too_many).or_else(|| too_few.next())?;
            let (is_more, games) = (lie > total, grouped(self.games));
            let has =
                |(_, held): &&(usize, Held<Piece>)| !is_more || held.iter().any(|(other, _)| *other == piece);
            let names: Vec<_> = places.iter().filter(has).map(|(at, _)| &program.told[*at].name).collect();
            let names = listed(&names, "and");
            let what = match piece {
                Piece::Name(atom) => program.in_words(NamedKind::Name, atom),
                Piece::Number(number) => number.to_string(),
            };
            let verb = |many| if many == 1 { "lies" } else { "lie" };
            let such_as = rest(program, &self.start, &places, state, is_more);
            let such_as = such_as.map_or_else(String::new, |part| format!(", such as {part}"));
            Some(if is_more {
                let there = if total == 1 { "is 1".into() } else { format!("are {total}") };
                format!(
                    "of `{what}` there {there}, and {lie} lie in {names} together, more than ever in {games} random games: write \
                     fewer in one of them{such_as}"
                )
            } else {
                format!(
                    "of `{what}` {lie} {} in {names} together, and always {total} at this question in {games} random games: \
                     write more in one of them{such_as}",
                    verb(lie)
                )
            })
        };
        let of_size = |&(stop, at, size): &(usize, usize, i64)| {
            let told = &program.told[at];
            let lie = (state.stop() == stop).then(|| bag_size(program, told, state))?;
            let name = if told.name.is_empty() { "among" } else { &told.name };
            let why = || {
                format!(
                    "{name} has {lie}, and always {size} at this question in {} random games: write {size}",
                    grouped(self.games)
                )
            };
            (lie != size).then(why)
        };
        self.groups.iter().find_map(of_group).or_else(|| self.sizes.iter().find_map(of_size))
    }
}

/// The pieces of a place that tells how many there are: a bag, or a row of yes and no, such as tiles that lie there.
fn pieces(program: &Program, told: &Told, indices: &[Piece]) -> Option<BTreeMap<Piece, i64>> {
    match told.kind {
        _ if told.name.is_empty() => None,
        NamedKind::Bag(layout) => {
            let fields = program.layouts[usize::from(layout)].fields.iter().zip(&told.most);
            Some(fields.map(|(field, most)| (Piece::Name(field.atom), *most)).collect())
        }
        NamedKind::Truth if indices.len() > 2 => Some(indices.iter().map(|piece| (*piece, 1)).collect()),
        _ => None,
    }
}

/// The places that share the pieces of one of them, by what lay in all places in states: in those together there never are more
/// than there are, and all are often there with some in the place that came last.
fn shared(program: &Program, held: &[Vec<Held<usize>>], totals: &[Option<i64>], seed: usize) -> Vec<usize> {
    let mut lie = vec![0; held[seed].len() * totals.len()];
    let place = |lie: &mut Vec<i64>, place: usize| {
        let mut often = 0;
        for (lie, own) in lie.chunks_mut(totals.len().max(1)).zip(&held[place]) {
            own.iter().for_each(|(piece, many)| lie[*piece] += many);
            if own.iter().any(|(piece, _)| totals[*piece].is_some_and(|total| lie[*piece] > total)) {
                return None;
            }
            often += usize::from(own.iter().any(|(piece, _)| totals[*piece] == Some(lie[*piece])));
        }
        Some(often)
    };
    let mut places = vec![seed];
    if place(&mut lie, seed).is_none() {
        return places;
    }
    for at in (0..held.len()).filter(|at| *at != seed && !program.told[*at].name.is_empty()) {
        let mut with = lie.clone();
        if place(&mut with, at).is_some_and(|often| often >= OFTEN) {
            lie = with;
            places.push(at);
        }
    }
    places
}

/// The pieces of which always as many lie in some places at these questions, and that move between them.
fn kept(here: &[usize], held: &[Vec<Held<usize>>], places: &[usize], numbers: &[Piece]) -> Held<Piece> {
    if here.len() < AS_OFTEN {
        return Vec::new();
    }
    let many = |place: usize, at: usize, piece: usize| {
        held[place][at].iter().filter(|(other, _)| *other == piece).map(|(_, many)| many).sum::<i64>()
    };
    let of = |piece: usize| {
        let lie = |at: &usize| -> Vec<i64> { places.iter().map(|place| many(*place, *at, piece)).collect() };
        let first = lie(&here[0]);
        let total: i64 = first.iter().sum();
        let mut moved = 0;
        for at in &here[1..] {
            let lie = lie(at);
            moved += usize::from(lie != first);
            if lie.iter().sum::<i64>() != total {
                return None;
            }
        }
        (total > 0 && moved >= OFTEN).then_some((numbers[piece], total))
    };
    (0..numbers.len()).filter_map(of).collect()
}

/// The part of a position that would have what the other places leave, if one bag alone is as before the game, and so was left
/// out perhaps: `deck=not:3+5`; full then where there are too many pieces, or empty.
fn rest(
    program: &Program,
    start: &State,
    places: &[(usize, Held<Piece>)],
    state: &State,
    is_full: bool,
) -> Option<String> {
    let layout = |told: &Told| match told.kind {
        NamedKind::Bag(layout) if told.indices == [""] && !told.is_players => Some(layout),
        _ => None,
    };
    let mut untouched = places.iter().filter_map(|(at, _)| {
        let told = &program.told[*at];
        let before = program.value(start, told.first);
        let is_it = program.value(state, told.first) == before && (before != 0) == is_full;
        is_it.then_some((*at, told, layout(told)?))
    });
    let (own, told, layout) = untouched.next()?;
    if untouched.next().is_some() {
        return None;
    }
    let others = sums(places.iter().filter(|(at, _)| *at != own).map(|(_, held)| held));
    let fields = program.layouts[usize::from(layout)].fields.iter().zip(&told.most);
    let left = fields.map(|(field, most)| {
        let left = most - others.get(&Piece::Name(field.atom)).copied().unwrap_or(0);
        (left >= 0).then_some(field.unit() * left)
    });
    Some(format!("{}={}", told.name, program.written(told, &[left.sum::<Option<i64>>()?])))
}

fn sums<'h>(held: impl Iterator<Item = &'h Held<Piece>>) -> BTreeMap<Piece, i64> {
    let mut sums = BTreeMap::new();
    held.flatten().for_each(|(piece, many)| *sums.entry(*piece).or_default() += many);
    sums
}

/// What lies in a place.
fn held(program: &Program, told: &Told, indices: &[Piece], state: &State) -> Held<Piece> {
    if !program.is_there(told, program.sites.get(state.stop())) {
        return Vec::new();
    }
    let players = if told.is_players { program.seats } else { 1 };
    let cells = (told.first..).take(players * told.indices.len());
    let values = cells.map(|cell| program.value(state, cell));
    let mut held = Vec::new();
    for (at, value) in values.enumerate().filter(|(_, value)| *value != 0) {
        match told.kind {
            NamedKind::Bag(layout) => {
                let fields = program.layouts[usize::from(layout)].fields.iter();
                let many = fields.map(|field| (Piece::Name(field.atom), field.of(value)));
                held.extend(many.filter(|(_, many)| *many > 0));
            }
            NamedKind::Name => held.push((Piece::Name(value), 1)),
            NamedKind::Truth => held.extend(indices.get(at % told.indices.len()).map(|piece| (*piece, 1))),
            // Of a name it is said where it is; of a number what is there.
            NamedKind::Number => held.push(match indices.get(at % told.indices.len()) {
                Some(name @ Piece::Name(_)) => (*name, 1),
                _ => (Piece::Number(value), 1),
            }),
            NamedKind::Player | NamedKind::Pairing => {}
        }
    }
    held
}

/// The indices of an array, if they are numbers or names.
fn indices(program: &Program, told: &Told) -> Vec<Piece> {
    let piece = |index: &String| {
        let mut names = (1..).zip(&program.atoms);
        let name = || names.find(|(_, name)| *name == index).map(|(atom, _)| Piece::Name(atom));
        index.parse().map(Piece::Number).ok().or_else(name)
    };
    told.indices.iter().map(piece).collect::<Option<_>>().unwrap_or_default()
}

fn bag_size(program: &Program, told: &Told, state: &State) -> i64 {
    let NamedKind::Bag(layout) = told.kind else { return 0 };
    let bag = program.value(state, told.first);
    program.layouts[usize::from(layout)].fields.iter().map(|field| field.of(bag)).sum()
}

/// Of the bags that hold as much at every question of a stop, how much that is.
fn sizes(program: &Program, states: &[&State]) -> Vec<(usize, usize, i64)> {
    let mut sizes = Vec::new();
    for (stop, site) in program.sites.iter().enumerate() {
        let here: Vec<&State> = states.iter().copied().filter(|state| state.stop() == stop).collect();
        let (Some(first), true) = (here.first(), here.len() >= AS_OFTEN) else { continue };
        for (at, told) in program.told.iter().enumerate() {
            let is_one = matches!(told.kind, NamedKind::Bag(_)) && told.indices == [""] && !told.is_players;
            if !is_one || !program.is_there(told, Some(site)) {
                continue;
            }
            let size = bag_size(program, told, first);
            let mut contents: Vec<i64> = here.iter().map(|state| program.value(state, told.first)).collect();
            contents.sort_unstable();
            contents.dedup();
            // What is always the same, such as what is left out before a game's second round, says nothing.
            if contents.len() > OFTEN && here.iter().all(|state| bag_size(program, told, state) == size) {
                sizes.push((stop, at, size));
            }
        }
    }
    sizes
}
