//! Carcassonne: The Dice Game, implemented in the simplest way: cities on a grid.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::hash::Mixing;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    pub players: usize,
    pub dice: usize,
    /// The four city segments of a die, such as "CFFF".
    pub faces: [String; 4],
    pub rolls: usize,
    /// Points of a city of 3 dice, of 4, and so on.
    pub points: Vec<u64>,
    pub goal: u64,
    pub knights_needed: usize,
    pub keeping: bool,
    pub nine_catapults: &'static str,
    pub turn_cap: usize,
    /// "`solo` play: one player, `turns` turns"; nothing when several play.
    pub turns: usize,
}

/// Faces of a die: 0 to 3 are the city segments.
pub const KNIGHT: usize = 4;
pub const CATAPULT: usize = 5;

/// "A segment is a square whose four sides are each city or field, written clockwise": north, east, south, west.
type Sides = [bool; 4];
const NORTH_EAST_SOUTH_WEST: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

/// "Segments lie on the square grid."
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct City {
    /// In the order of building: column, row, and the segment's sides.
    cells: Vec<(i32, i32, Sides)>,
}

/// A city up to rotation and reflection: twelve bits a cell.
type AnswerForm = u128;

impl City {
    pub fn dice(&self) -> usize {
        self.cells.len()
    }

    /// The segment in a cell.
    fn at(&self, (x, y): (i32, i32)) -> Option<Sides> {
        self.cells.iter().find(|cell| (cell.0, cell.1) == (x, y)).map(|cell| cell.2)
    }

    /// City sides that face an empty cell, as that cell.
    fn unjoined(&self) -> Vec<(i32, i32)> {
        let mut faced = Vec::new();
        for &(x, y, sides) in &self.cells {
            for (side, (dx, dy)) in NORTH_EAST_SOUTH_WEST.iter().enumerate() {
                let neighbour = (x + dx, y + dy);
                if sides[side] && self.at(neighbour).is_none() {
                    faced.push(neighbour);
                }
            }
        }
        faced
    }

    pub fn open_sides(&self) -> usize {
        self.unjoined().len()
    }

    /// "A city is closed when every city side of it is joined; holes are allowed."
    pub fn is_closed(&self) -> bool {
        self.dice() > 0 && self.unjoined().is_empty()
    }

    /// Where the segment may lie with these sides, if it may.
    fn with(&self, cell: (i32, i32), new: Sides) -> Option<City> {
        if self.at(cell).is_some() {
            return None;
        }
        let mut shares_a_city_side = false;
        for (side, (dx, dy)) in NORTH_EAST_SOUTH_WEST.iter().enumerate() {
            if let Some(neighbour) = self.at((cell.0 + dx, cell.1 + dy)) {
                let facing = neighbour[(side + 2) % 4];
                // "wherever it touches a segment, city meets city or field meets field"
                if facing != new[side] {
                    return None;
                }
                if facing {
                    shares_a_city_side = true;
                }
            }
        }
        // "The first segment of a city lies alone on a fresh grid; each further one must share at least one city side
        // with the open city"
        if self.dice() > 0 && !shares_a_city_side {
            return None;
        }
        let mut larger = self.clone();
        larger.cells.push((cell.0, cell.1, new));
        Some(larger)
    }

    /// "Distinct ways to build = distinct (face, cell, pattern of sides)": those of one face.
    fn ways(&self, face: &str) -> Vec<((i32, i32), Sides, City)> {
        let letters: Vec<bool> = face.chars().map(|letter| letter == 'C').collect();
        let mut patterns = BTreeSet::new();
        for turn in 0..4 {
            patterns.insert([
                letters[turn % 4],
                letters[(turn + 1) % 4],
                letters[(turn + 2) % 4],
                letters[(turn + 3) % 4],
            ]);
        }
        let cells: BTreeSet<(i32, i32)> =
            if self.dice() == 0 { BTreeSet::from([(0, 0)]) } else { self.unjoined().into_iter().collect() };
        let mut ways = Vec::new();
        for cell in cells {
            for &pattern in &patterns {
                if let Some(larger) = self.with(cell, pattern) {
                    ways.push((cell, pattern, larger));
                }
            }
        }
        ways
    }

    /// The least of all rotations and reflections, moved to the corner of the grid.
    fn up_to_rotation_and_reflection(&self) -> AnswerForm {
        let mut least = AnswerForm::MAX;
        let mut cells = self.cells.clone();
        for _ in 0..2 {
            for _ in 0..4 {
                least = least.min(in_the_corner(&cells));
                // A quarter turn clockwise: north becomes east.
                for cell in &mut cells {
                    let (x, y, [north, east, south, west]) = *cell;
                    *cell = (-y, x, [west, north, east, south]);
                }
            }
            // Mirrored: east and west change places.
            for cell in &mut cells {
                let (x, y, [north, east, south, west]) = *cell;
                *cell = (-x, y, [north, west, south, east]);
            }
        }
        least
    }
}

/// Cells moved to the corner of the grid, as one number: in rising order, whatever order they were built in.
fn in_the_corner(cells: &[(i32, i32, Sides)]) -> AnswerForm {
    let left = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
    let top = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
    let sixteen =
        |number: i32| u16::try_from(number).ok().filter(|number| *number < 16).expect("ten cells at most");
    let number = |&(x, y, sides): &(i32, i32, Sides)| {
        let sides = sides.iter().fold(0, |number, &city| 2 * number + u16::from(city));
        sixteen(x - left) << 8 | sixteen(y - top) << 4 | sides
    };
    let mut numbers = [0; 10];
    for (place, cell) in numbers.iter_mut().zip(cells) {
        *place = number(cell);
    }
    let numbers = &mut numbers[..cells.len()];
    numbers.sort_unstable();
    numbers.iter().fold(0, |form, &number| form << 12 | AnswerForm::from(number))
}

/// How many cities there are of each size from one segment on, up to rotation and reflection.
pub fn count_cities(faces: &[&str], largest: usize) -> Vec<usize> {
    let mut counts = Vec::new();
    let mut cities = BTreeMap::from([(0, City::default())]);
    for _ in 0..largest {
        let mut larger = BTreeMap::new();
        for city in cities.values().filter(|city| !city.is_closed()) {
            for face in faces {
                for (_, _, city) in city.ways(face) {
                    larger.insert(city.up_to_rotation_and_reflection(), city);
                }
            }
        }
        counts.push(larger.len());
        cities = larger;
    }
    counts
}

/// What is known of a city up to rotation and reflection.
#[derive(Clone, Debug)]
pub struct Known {
    pub size: usize,
    /// "open" and what follows from it.
    pub is_closed: bool,
    pub open_sides: usize,
    /// The fewest further segments that close it; `None` if nine dice in all cannot.
    pub needed: Option<usize>,
    /// For every segment the cities that it makes and that nine dice can still close, by number.
    pub next: BTreeMap<String, Vec<usize>>,
    /// The same for cities with the same future, whatever they look like.
    pub future: u64,
}

/// Every city that some segments can make and nine dice can close, found by looking everywhere.
#[derive(Debug, Default)]
pub struct Atlas {
    faces: BTreeSet<String>,
    numbers: HashMap<AnswerForm, usize, Mixing>,
    pub known: Vec<Known>,
}

const MOST_DICE: usize = 9;

impl Atlas {
    pub fn new(faces: &[String]) -> Atlas {
        let mut atlas = Atlas { faces: faces.iter().cloned().collect(), ..Atlas::default() };
        atlas.explore(&City::default());
        atlas
    }

    fn explore(&mut self, city: &City) -> usize {
        let form = city.up_to_rotation_and_reflection();
        if let Some(&number) = self.numbers.get(&form) {
            return number;
        }
        let (size, open_sides, is_closed) = (city.dice(), city.open_sides(), city.is_closed());
        let mut needed = if is_closed { Some(0) } else { None };
        let mut next: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        // Each empty cell that an open side faces needs a die of its own.
        let gaps: BTreeSet<_> = city.unjoined().into_iter().collect();
        if !is_closed && gaps.len() <= MOST_DICE - size && size < MOST_DICE {
            for face in self.faces.clone() {
                let mut of_face = BTreeSet::new();
                for (_, _, larger) in city.ways(&face) {
                    let number = self.explore(&larger);
                    if let Some(then) = self.known[number].needed {
                        of_face.insert(number);
                        needed = Some(needed.map_or(then + 1, |least: usize| least.min(then + 1)));
                    }
                }
                next.insert(face, of_face.into_iter().collect());
            }
        }
        let mut text = format!("{size} {open_sides} {needed:?}");
        for (face, cities) in &next {
            let futures: BTreeSet<u64> = cities.iter().map(|&number| self.known[number].future).collect();
            text += &format!(" {face} {futures:?}");
        }
        let future = text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        self.known.push(Known { size, is_closed, open_sides, needed, next, future });
        self.numbers.insert(form, self.known.len() - 1);
        self.known.len() - 1
    }

    pub fn look_up(&self, city: &City) -> &Known {
        &self.known[self.number(city)]
    }

    pub fn number(&self, city: &City) -> usize {
        self.numbers[&city.up_to_rotation_and_reflection()]
    }
}

/// "`place`, one die at a time".
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// A segment of this face makes this city.
    Build(usize, City),
    Knight,
    Done,
}

/// What the player sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub seat: usize,
    pub points: Vec<u64>,
    /// Per seat: whether a knight is kept for the next turn.
    pub kept: Vec<bool>,
    pub doubled: bool,
    /// Dice not yet passed on, set aside or built.
    pub dice: usize,
    pub rolls_left: usize,
    /// Faces shown by dice that are neither passed on, set aside nor built.
    pub shown: Vec<usize>,
    pub city: City,
    pub largest_closed: usize,
    pub knights_aside: usize,
    /// The number of this turn among the seat's own turns, from 1.
    pub turn: usize,
}

/// Who rolls and decides.
pub trait Table {
    fn roll(&mut self, seat: usize, dice: usize) -> Vec<usize>;
    fn place(&mut self, position: &Position, ways: &[Way]) -> usize;
    fn stop(&mut self, position: &Position) -> bool;
    fn keep(&mut self, position: &Position) -> bool;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub ending: &'static str,
    pub winner: Option<usize>,
    pub points: Vec<u64>,
    pub turns: Vec<usize>,
    pub rolls: Vec<usize>,
    pub busts: Vec<usize>,
    pub knights_kept: Vec<usize>,
    pub doubled: Vec<usize>,
    /// Per seat and size: turns with that largest city; 0 for none.
    pub largest: Vec<[usize; 10]>,
    pub all_catapults: Vec<usize>,
}

pub fn play(rules: &Rules, atlas: &Atlas, table: &mut dyn Table) -> Report {
    let solo = rules.players == 1;
    let zeros = vec![0; rules.players];
    let mut report = Report {
        ending: "",
        winner: None,
        points: vec![0; rules.players],
        turns: zeros.clone(),
        rolls: zeros.clone(),
        busts: zeros.clone(),
        knights_kept: zeros.clone(),
        doubled: zeros.clone(),
        largest: vec![[0; 10]; rules.players],
        all_catapults: zeros,
    };
    // "So a player has `dice` less the knights held by the others"
    let mut kept = vec![false; rules.players];
    let mut seat = 0;
    let mut all_turns = 0;
    loop {
        all_turns += 1;
        report.turns[seat] += 1;
        // "Doubled if the player began the turn with a kept knight"
        let doubled = kept[seat];
        if doubled {
            report.doubled[seat] += 1;
        }
        // "A kept knight is an ordinary die of its owner's next turn, rolled with the others"
        kept[seat] = false;
        let dice_of_the_turn = rules.dice - kept.iter().filter(|&&keeps| keeps).count();
        let mut position = Position {
            seat,
            points: report.points.clone(),
            kept: kept.clone(),
            doubled,
            dice: dice_of_the_turn,
            rolls_left: rules.rolls,
            shown: Vec::new(),
            city: City::default(),
            largest_closed: 0,
            knights_aside: 0,
            turn: report.turns[seat],
        };
        let mut passed_on = 0;
        let mut built = 0;
        let mut nine = false;
        // "and rolls up to three times"
        while position.rolls_left > 0 && position.dice > 0 {
            position.rolls_left -= 1;
            report.rolls[seat] += 1;
            position.shown = table.roll(seat, position.dice);
            assert_eq!(position.shown.len(), position.dice);
            // "each catapult is out for this turn"
            let catapults = position.shown.iter().filter(|&&face| face == CATAPULT).count();
            position.shown.retain(|&face| face != CATAPULT);
            position.dice -= catapults;
            passed_on += catapults;
            nine = match rules.nine_catapults {
                // "all `dice` dice have been catapults within one turn, nothing built or set aside"
                "turn" => passed_on == rules.dice,
                // "all in a single roll"
                "roll" => catapults == rules.dice,
                _ => false,
            };
            if nine {
                break;
            }
            // "the player may, in any order, build any city segments shown and set aside any knights shown"
            loop {
                let ways = ways_to_place(rules, atlas, &position);
                if ways == [Way::Done] {
                    break;
                }
                match &ways[table.place(&position, &ways)] {
                    Way::Done => break,
                    Way::Knight => {
                        take(&mut position.shown, KNIGHT);
                        position.knights_aside += 1;
                    }
                    Way::Build(face, city) => {
                        take(&mut position.shown, *face);
                        built += 1;
                        if city.is_closed() {
                            // "when it is closed, the next segment starts another"
                            position.largest_closed = position.largest_closed.max(city.dice());
                            position.city = City::default();
                        } else {
                            position.city = city.clone();
                        }
                    }
                }
                position.dice -= 1;
                let everywhere = position.dice + passed_on + built + position.knights_aside;
                assert_eq!(everywhere, dice_of_the_turn, "dice neither come nor go");
            }
            position.shown.clear();
            // "then rolls again all remaining dice (if a roll and a die are left), or stops"
            if position.rolls_left > 0 && position.dice > 0 && table.stop(&position) {
                break;
            }
        }
        let size = position.largest_closed;
        report.largest[seat][size] += 1;
        // "3, 4, 5, 6, 7, 8, 9 dice = 1, 3, 6, 10, 15, 21, 28 points; a two-dice city or none = 0"
        let points = if size >= 3 { rules.points[size - 3] } else { 0 };
        if points == 0 {
            report.busts[seat] += 1;
        }
        if nine {
            report.all_catapults[seat] += 1;
            if !solo {
                report.ending = "nine_catapults";
                report.winner = Some(seat);
                return report;
            }
        }
        // "with three or more knights set aside in this turn, keep a knight instead"
        let may_keep = rules.keeping && position.knights_aside >= rules.knights_needed;
        position.rolls_left = 0;
        if may_keep && table.keep(&position) {
            kept[seat] = true;
            report.knights_kept[seat] += 1;
        } else {
            report.points[seat] += if doubled { 2 * points } else { points };
        }
        if solo {
            if all_turns == rules.turns {
                report.ending = "played";
                return report;
            }
        } else if report.points[seat] >= rules.goal {
            // "A player who has `goal` points after scoring wins at once"
            report.ending = "goal";
            report.winner = Some(seat);
            return report;
        } else if all_turns == rules.turn_cap {
            report.ending = "capped";
            return report;
        }
        // "All other dice go on to the player on the left, who begins."
        seat = (seat + 1) % rules.players;
    }
}

fn take(shown: &mut Vec<usize>, face: usize) {
    let place = shown.iter().position(|&other| other == face).expect("a die that shows it");
    shown.remove(place);
}

fn ways_to_place(rules: &Rules, atlas: &Atlas, position: &Position) -> Vec<Way> {
    let mut ways = Vec::new();
    for face in 0..4 {
        if position.shown.contains(&face) {
            for (_, _, city) in position.city.ways(&rules.faces[face]) {
                if atlas.look_up(&city).needed.is_some() {
                    ways.push(Way::Build(face, city));
                }
            }
        }
    }
    if position.shown.contains(&KNIGHT) {
        ways.push(Way::Knight);
    }
    ways.push(Way::Done);
    ways
}
