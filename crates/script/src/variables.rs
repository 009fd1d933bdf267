//! The variables of a state as columns of numbers, as the player sees them who is asked.
//!
//! A column is a number, or 1 or 0: of a bag there is one for every face, with its count; of a name, or a player, one for
//! everything that it may be. Players are counted from the one who is asked, `own`, then `other1`, `other2`, … in the order of
//! the seats, so that whoever looks at them need not know its seat. What holds nothing at a question is 0 there.

use std::collections::{HashMap, HashSet};

use stopwise_engine::game::Seat;
use stopwise_engine::vocabulary::Feature;

use crate::code::Who;
use crate::kept::leaked;
use crate::mask::Mask;
use crate::op::{Count, NamedKind, Program, Site, SiteForm, Told};
use crate::state::{Place, State};

/// All columns of a program, and how they are read.
#[derive(Debug)]
pub(crate) struct Variables {
    pub(crate) columns: Vec<Feature>,
    /// By stop, then by the seat that is asked.
    views: Vec<View>,
    seats: usize,
}

/// What is read of a state at a stop for a seat.
#[derive(Clone, Debug, Default)]
struct View {
    /// Columns that are 1.
    ones: Vec<usize>,
    reads: Vec<Read>,
}

#[derive(Clone, Copy, Debug)]
struct Read {
    place: Place,
    take: Take,
    column: usize,
}

/// What is taken of a value.
#[derive(Clone, Copy, Debug)]
enum Take {
    Whole,
    /// Whether it is this.
    Is(i64),
    /// So many bits from this one on.
    Bits(u32, u32),
}

/// The least and the greatest number; of yes and no there are none.
type Range = Option<(i64, i64)>;

impl Variables {
    pub(crate) fn new(program: &Program) -> Self {
        let mut found = Found { program, columns: Vec::new(), by_name: HashMap::new() };
        let decisions = decisions(program);
        let names = decisions.iter().flatten().map(|decision| &decision.name);
        let is_one = names.collect::<HashSet<_>>().len() == 1;
        let mut views = Vec::new();
        for (site, decision) in program.sites.iter().zip(&decisions) {
            for seat in 0..program.seats {
                let is_asked =
                    decision.as_ref().filter(|decision| decision.seat.is_none_or(|own| own == seat));
                let name = |decision: &'_ Decision| (!is_one).then(|| decision.name.clone());
                let view = is_asked.map(|decision| found.view(site, seat, name(decision)));
                views.push(view.unwrap_or_default());
            }
        }
        let Found { columns, .. } = found;
        let mut order: Vec<usize> = (0..columns.len()).collect();
        order.sort_by_key(|&at| columns[at].0);
        let mut places = vec![0; columns.len()];
        order.iter().enumerate().for_each(|(place, &at)| places[at] = place);
        for view in &mut views {
            view.ones.iter_mut().for_each(|column| *column = places[*column]);
            view.reads.iter_mut().for_each(|read| read.column = places[read.column]);
        }
        let columns = order.into_iter().map(|at| columns[at].1.clone()).collect();
        Self { columns, views, seats: program.seats }
    }

    /// Writes the columns of a state in which a seat is asked.
    pub(crate) fn write(&self, state: &State, seat: Seat, row: &mut [f32]) {
        row.fill(0.0);
        let Some(view) = self.views.get(state.stop() * self.seats + seat) else { return };
        view.ones.iter().for_each(|column| row[*column] = 1.0);
        for read in &view.reads {
            let value = read.place.value(&state.0);
            let value = match read.take {
                Take::Whole => value,
                Take::Is(it) => i64::from(value == it),
                Take::Bits(shift, bits) => value >> shift & ((1 << bits) - 1),
            };
            #[allow(clippy::cast_precision_loss, reason = "numbers of a game are small")]
            let value = value as f32;
            row[read.column] = value;
        }
    }
}

/// A question as people tell it from others: what is decided, where that is asked in several places with the number of the
/// place; and who is asked, if it is always the same.
struct Decision {
    name: String,
    seat: Option<Seat>,
}

/// The questions, stop by stop.
fn decisions(program: &Program) -> Vec<Option<Decision>> {
    let mut places: HashMap<(usize, Option<Seat>), usize> = HashMap::new();
    let decision = |(number, site): (usize, &Site)| {
        let SiteForm::Ask(kind) = site.form else { return None };
        let seat = program.asked_always(number);
        let place = places.entry((kind, seat)).or_default();
        *place += 1;
        let name = &program.kinds[kind].name;
        Some(Decision { name: if *place == 1 { name.clone() } else { format!("{name}.{place}") }, seat })
    };
    program.sites.iter().enumerate().map(decision).collect()
}

/// Columns, each with the place at which it belongs: what it is of, and which of that.
struct Found<'p> {
    program: &'p Program,
    columns: Vec<((usize, usize), Feature)>,
    by_name: HashMap<String, usize>,
}

impl Found<'_> {
    fn view(&mut self, site: &Site, seat: Seat, decision: Option<String>) -> View {
        let (program, seats) = (self.program, self.program.seats);
        let mut view = View::default();
        let mut group = 0..;
        let mut next = || group.next().unwrap_or_default();
        let at = next();
        if let Some(decision) = decision {
            view.ones.push(self.column((at, 0), &format!("decision[{decision}]"), "this is decided", None));
        }
        let at = next();
        if seats > 1 {
            view.ones.push(self.column((at, seat), &format!("seat[{}]", seat + 1), "the own seat", None));
        }
        let is_seen = |place: Place| {
            let mask = Mask::from(place);
            site.live.meets(mask) && !site.hidden.meets(mask)
        };
        let at = next();
        if let Some(me) = program.me
            && program.asks_others()
        {
            let place = program.places[me as usize];
            for other in 0..seats {
                let take = Take::Is(of(seat, other, seats) as i64);
                let column = self.column(
                    (at, other),
                    &format!("to_play[{}]", player(other)),
                    "whose turn it is",
                    None,
                );
                view.reads.push(Read { place, take, column });
            }
        }
        for count in &program.counts {
            let (at, place) = (next(), program.places[count.cell as usize]);
            if is_seen(place) {
                self.count(at, count, place, seat, &mut view);
            }
        }
        let from = next();
        for (name, told) in program.parts(site) {
            let number = program.told.iter().position(|other| std::ptr::eq(other, told)).unwrap_or(0);
            for (order, (cell, name)) in self.cells(told, &name, seat).into_iter().enumerate() {
                let place = program.places[(told.first as usize) + cell];
                if is_seen(place) {
                    let parts = self.parts(told, cell, seat);
                    for (part, (more, take, range)) in parts.into_iter().enumerate() {
                        let place_of = (from + number, order << 16 | part);
                        let column = self.column(place_of, &format!("{name}{more}"), &told.meaning, range);
                        view.reads.push(Read { place, take, column });
                    }
                }
            }
        }
        view
    }

    /// A column by its name, with the range that it has here, or yes and no.
    fn column(&mut self, place: (usize, usize), name: &str, meaning: &str, range: Range) -> usize {
        let (low, high) = range.unwrap_or((0, 1));
        let new = self.columns.len();
        let at = *self.by_name.entry(name.to_owned()).or_insert(new);
        if at == new {
            let (name, meaning) = (leaked(name), leaked(if meaning.is_empty() { name } else { meaning }));
            let is_truth = range.is_none();
            let feature =
                Feature { name, meaning, unit: "", low: 0, high: 0, denominator: 1, is_truth, memory: 0 };
            self.columns.push((place, feature));
        }
        let (known, feature) = &mut self.columns[at];
        *known = place.min(*known);
        // It may be 0 where it holds nothing.
        (feature.low, feature.high) = (feature.low.min(low), feature.high.max(high));
        at
    }

    fn count(&mut self, at: usize, count: &Count, place: Place, seat: Seat, view: &mut View) {
        if !count.is_of_players {
            let column = self.column((at, 0), count.name, count.meaning, Some(count.range));
            view.reads.push(Read { place, take: Take::Whole, column });
            return;
        }
        for other in 0..self.program.seats {
            let bit = of(seat, other, self.program.seats);
            let column =
                self.column((at, other), &format!("{}[{}]", count.name, player(other)), count.meaning, None);
            view.reads.push(Read { place, take: Take::Bits(u32::try_from(bit).unwrap_or(0), 1), column });
        }
    }

    /// The values of a variable as a seat sees them, own ones first: the number of each among them, and its name.
    fn cells(&self, told: &Told, name: &str, seat: Seat) -> Vec<(usize, String)> {
        let seats = self.program.seats;
        let mut cells: Vec<(usize, Vec<String>)> = vec![(0, Vec::new())];
        for axis in &told.axes {
            let index = |at: usize| match axis.is_of_players {
                true => (of(seat, at, seats), player(at)),
                false => (at, axis.words[at].clone()),
            };
            let many = axis.words.len();
            let with = |(before, names): (usize, Vec<String>)| {
                (0..many).map(move |at| {
                    let (place, name) = index(at);
                    (before * many + place, [names.clone(), vec![name]].concat())
                })
            };
            cells = cells.into_iter().flat_map(with).collect();
        }
        let many = cells.len();
        let written = |indices: &[String]| match indices {
            [] => name.to_owned(),
            indices => format!("{name}[{}]", indices.join(", ")),
        };
        match told.is_players {
            true if seats > 1 => (0..seats)
                .flat_map(|at| {
                    let first = of(seat, at, seats) * many;
                    cells.iter().map(move |(cell, names)| {
                        (first + cell, format!("{}.{}", player(at), written(names)))
                    })
                })
                .collect(),
            _ => cells.into_iter().map(|(cell, names)| (cell, written(&names))).collect(),
        }
    }

    /// What is shown of a value: what is added to its name, what is taken, and its range if it is not yes or no.
    fn parts(&self, told: &Told, cell: usize, seat: Seat) -> Vec<(String, Take, Range)> {
        let (program, seats) = (self.program, self.program.seats);
        let name = |atom: i64| program.in_words(NamedKind::Name, atom);
        match told.kind {
            NamedKind::Number => vec![(String::new(), Take::Whole, told.ranges.get(cell).copied())],
            NamedKind::Truth => vec![(String::new(), Take::Whole, None)],
            NamedKind::Name => {
                told.names.iter().map(|atom| (format!("[{}]", name(*atom)), Take::Is(*atom), None)).collect()
            }
            NamedKind::Player => {
                let of = |other: usize| Take::Is(of(seat, other, seats) as i64);
                (0..seats).map(|other| (format!("[{}]", player(other)), of(other), None)).collect()
            }
            NamedKind::Pairing => {
                let sum = Some((0, i64::from(i16::MAX)));
                let part = |name: &str, shift| (format!("[{name}]"), Take::Bits(shift, 16), sum);
                vec![part("one", 0), part("two", 16)]
            }
            NamedKind::Bag(layout) => {
                let layout = &program.layouts[usize::from(layout)];
                let fields = layout.fields.iter().enumerate().map(|(at, field)| {
                    let face = name(field.atom);
                    let face = if layout.is_of_one { face } else { format!("{} {face}", name(field.die)) };
                    let most = told.most.get(at).map_or(field.most(), |most| field.most().min(*most));
                    (format!("[{face}]"), Take::Bits(field.shift, field.bits), Some((0, most)))
                });
                fields.collect()
            }
        }
    }
}

/// The seat that is so many after another.
fn of(seat: Seat, after: usize, seats: usize) -> Seat {
    (seat + after) % seats
}

/// What the player is called who is so many seats after the one who is asked.
fn player(after: usize) -> String {
    if after == 0 { "own".to_owned() } else { format!("other{after}") }
}

impl Program {
    /// Who is asked at a stop, if it is always the same player: in a round each may be asked in places of its own.
    pub(crate) fn asked_always(&self, site: usize) -> Option<Seat> {
        match self.code.aside.halts[site].who {
            Who::Seat(seat) if self.me.is_none() && !self.sites[site].is_mine => Some(seat.into()),
            _ => None,
        }
    }

    /// Whether others are asked than those whose turn it is.
    fn asks_others(&self) -> bool {
        let mut asks = self.sites.iter().zip(&self.code.aside.halts);
        asks.any(|(site, halt)| {
            matches!(site.form, SiteForm::Ask(_)) && !site.is_mine && !matches!(halt.who, Who::Me)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::state::STOP;
    use crate::{GameText, Preset, Script};

    /// Whatever the rules still read of a state is in some column, but for what is hidden from the player.
    #[test]
    fn columns_hold_the_whole_state() {
        let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
        for file in fs::read_dir(games).expect("a folder") {
            let path = file.expect("a file").path();
            let text = fs::read_to_string(&path).expect("a text");
            let game = GameText::new(&text).expect("a game");
            for preset in game.presets().iter().chain([&Preset::default()]) {
                let script = Script::new(&text, &preset.values).expect("a program");
                let program = script.program();
                let variables = Variables::new(program);
                for (number, site) in program.sites.iter().enumerate() {
                    if !matches!(site.form, SiteForm::Ask(_)) {
                        continue;
                    }
                    let seat = program.asked_always(number).unwrap_or(0);
                    let view = &variables.views[number * program.seats + seat];
                    let read: Mask = view.reads.iter().map(|read| read.place.into()).collect();
                    let me: Mask =
                        program.me.map(|me| program.places[me as usize].into()).into_iter().collect();
                    let played: Mask = site.played.iter().copied().collect();
                    let left = played & !(read | me | site.hidden | Mask::first(STOP));
                    assert_eq!(left, Mask::default(), "{} {} {number}", path.display(), preset.name);
                }
            }
        }
    }
}
