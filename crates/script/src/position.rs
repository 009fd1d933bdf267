//! A position of a game as text in words: the variables that hold something at the question, by their names.

use std::ops::RangeInclusive;

use stopwise_engine::game::{Actions, Game as _, Question};
use stopwise_engine::vocabulary::{Parts, Position, Prose as _, each, listed};

use crate::cells;
use crate::code::{HaltForm, Who};
use crate::layout::Field;
use crate::mask::Mask;
use crate::op::{ASKED, ASKED_ANEW, Count, Form, NamedKind, Program, ROLLED, Site, SiteForm, Told};
use crate::script::Script;
use crate::seen::{is_hidden, is_who, seen};
use crate::state::{Place, STOP, State, TICKS, WORDS};

/// What is chosen from, where it has no name of its own.
const AMONG: &str = "among";
/// The names of parts that are no variables. A variable of such a name has a number: `rest.2`.
const OWN: [&str; 7] = ["decision", "place", "seat", "asked", "stops", "rest", "choices"];

/// The position that parts say; without parts, or to begin with, `at`.
pub(crate) fn position(
    script: &Script,
    (state, question): Position<Script>,
    parts: &mut Parts,
) -> Result<Position<Script>, String> {
    let program = script.program();
    let (kind, seats) = (question.kind, script.seats());
    let sites = program.sites.iter().enumerate();
    let asks = sites.filter(|(_, site)| matches!(site.form, SiteForm::Ask(of) if of == kind));
    let mut asks: Vec<usize> = asks.map(|(number, _)| number).collect();
    let seat_of = |site: usize| program.asked_always(site);
    let seen = if parts.is_read() { seen(program, || script.seen(), (kind, &state), parts)? } else { None };
    let known = seen.as_ref().map(|seen| seen.state.stop()).or((!parts.is_read()).then(|| state.stop()));
    let at = asks.iter().copied().find(|site| known == Some(*site));
    let at = at.or(asks.first().copied()).ok_or("the rules never ask this")?;
    // In a round each player may be asked in places of its own.
    if let Some(seat) = seat_of(at).filter(|_| asks.iter().all(|site| seat_of(*site).is_some())) {
        let seat = parts.seat("seat", seat, seats)?;
        asks.retain(|site| seat_of(*site) == Some(seat));
    }
    let first = asks.first().copied().ok_or("the rules never ask this player")?;
    let known = asks.iter().position(|site| known == Some(*site)).unwrap_or(0) + 1;
    // Where the rules ask in several places, they are counted from the first line on.
    let places = 1..=asks.len() as u64;
    let number = match program.is_round && seats > 1 && asks.len() > 1 {
        true => parts.number("place", known, places)?,
        false => parts.rare_number("place", known, 1, places)?,
    };
    let stop = asks.get(number - 1).copied().unwrap_or(first);
    let site = &program.sites[stop];
    let mut state = state;
    if parts.is_read() {
        state.0[0] = state.0[0] & !STOP | stop as u64;
        state = state & (site.live | Mask::first(STOP));
    }
    let seen = seen.filter(|seen| seen.state.stop() == stop);
    let to_ask = seen.as_ref().map_or(question.seat, |seen| seen.seat);
    let mut covered = Mask::first(STOP | u64::MAX << TICKS);
    if let Some(me) = program.me {
        let place = program.places[me as usize];
        covered |= place.into();
        let to_play = usize::try_from(program.value(&state, me)).unwrap_or(0);
        let to_play = parts.seat("seat", to_play, seats)?;
        put(&mut state, place, to_play as i64);
    }
    for counted in program.counted(&program.counts, site) {
        covered |= counted.place.into();
        counted.part(&mut state, parts)?;
    }
    for (name, told) in program.parts(site) {
        let cells = told.first..told.first + cells_of(told, seats);
        let places: Vec<Place> = cells.map(|cell| program.places[cell as usize]).collect();
        covered |= places.iter().copied().map(Mask::from).collect();
        let known =
            seen.as_ref().filter(|_| is_hidden(told) || is_who(told)).map_or(&state, |seen| &seen.state);
        let mut values: Vec<i64> = places.iter().map(|place| place.value(&known.0)).collect();
        let certain = site
            .certain
            .iter()
            .find(|(certain, _)| *certain == name && places.len() == 1 && name == told.name);
        if let Some((_, is_yes)) = certain.filter(|_| parts.is_read() && !parts.is_given(&name)) {
            values = vec![(*is_yes).into()];
        }
        // A number that is none of its range was forgotten.
        let mut numbers = values.iter().zip(&told.ranges);
        let is_forgotten = |(value, (low, high)): (&i64, &(i64, i64))| value < low || high < value;
        if matches!(told.kind, NamedKind::Number) && !parts.is_read() && numbers.all(is_forgotten) {
            continue;
        }
        let write = |values: &Vec<i64>| program.written(told, values);
        let values = parts.part(&name, values, write, |text| program.values_of(told, &places, text))?;
        for (place, value) in places.into_iter().zip(values) {
            put(&mut state, place, value);
        }
    }
    let asked = match program.code.aside.halts[stop].who {
        _ if site.is_mine => usize::try_from(state.me()).unwrap_or(0),
        Who::Seat(seat) => seat.into(),
        Who::Me | Who::Slot(_) if program.me.is_some() => parts.seat("asked", to_ask, seats)?,
        Who::Me | Who::Slot(_) => parts.seat("seat", to_ask, seats)?,
    };
    let stops = parts.rare_number("stops", state.0[0] >> TICKS, 0, 0..=(1 << (64 - TICKS)) - 1)?;
    state.0[0] = state.0[0] & ((1 << TICKS) - 1) | stops << TICKS;
    let clocks: Vec<Counted> = program.counted(&program.clocks, site).collect();
    let of_clocks = clocks.iter().map(|clock| Mask::from(clock.place)).collect();
    rest(&mut state, site.live & !covered, of_clocks, parts)?;
    clocks.iter().try_for_each(|clock| clock.part(&mut state, parts))?;
    if parts.is_read() {
        rolled(program, &state, stop)?;
    }
    let legal = legal(program, &state, stop);
    if parts.is_read() && legal == Some(0) {
        return Err(not_asked(program, kind, asks.len()));
    }
    let actions = match &program.code.aside.halts[stop].form {
        HaltForm::Ask(_, Ok(actions)) => Actions(*actions),
        _ if program.kinds[kind].form == Form::YesNo => question.actions,
        _ => {
            let all = script.info().kinds[kind].all_actions();
            let name = |action| script.describe_action(&state, kind, action);
            match legal {
                // The rules know what can be chosen.
                Some(legal) if parts.is_read() && !parts.is_given("choices") => Actions(legal),
                Some(legal) if !parts.is_read() && legal == question.actions.0 => question.actions,
                Some(legal) if parts.is_read() => {
                    let actions = parts.choices(question.actions, all, name)?;
                    if let Some(other) = Actions(actions.0 & !legal).iter().next() {
                        return Err(format!("choices: `{}` cannot be chosen in this position", name(other)));
                    }
                    actions
                }
                _ => parts.choices(question.actions, all, name)?,
            }
        }
    };
    Ok((state, Question { seat: asked, kind, actions }))
}

/// The legal answers at a stop as bits, if its condition can be worked out.
fn legal(program: &Program, state: &State, stop: usize) -> Option<u64> {
    let asked = |name: &str| {
        let mut readings = program.readings.iter();
        let is_here = |(site, _): &(u32, u32)| *site as usize == stop;
        readings.position(|reading| reading.name == name && reading.at.iter().any(is_here))
    };
    let number = asked(ASKED).or_else(|| asked(ASKED_ANEW))?;
    Some(program.read(state, program.source(state, number), 0).cast_unsigned())
}

/// Whether as many dice lie there as were rolled.
fn rolled(program: &Program, state: &State, stop: usize) -> Result<(), String> {
    let here = |at: &[(u32, u32)]| at.iter().any(|(site, _)| *site as usize == stop);
    for (number, reading) in program.readings.iter().enumerate().filter(|(_, reading)| here(&reading.at)) {
        let rolled = reading.name.strip_prefix(ROLLED).and_then(|rolled| rolled.split_once(' '));
        let Some((rolled, of)) = rolled else { continue };
        let told = program.parts(&program.sites[stop]).find(|(_, told)| told.name == rolled);
        let Some((name, &Told { kind: NamedKind::Bag(layout), first, .. })) = told else { continue };
        let bag = program.value(state, first);
        let lie: i64 = program.layouts[usize::from(layout)].fields.iter().map(|field| field.of(bag)).sum();
        let many = program.read(state, program.source(state, number), 0);
        if lie != many {
            let said = match of {
                "" => format!("write {many} of them"),
                of => format!("change {name}, or {of}, which says how many"),
            };
            return Err(format!("{name}: {lie} dice lie there, and {many} were rolled; {said}"));
        }
    }
    Ok(())
}

fn not_asked(program: &Program, kind: usize, places: usize) -> String {
    let name = &program.kinds[kind].name;
    let others: Vec<_> = program.kinds.iter().map(|kind| &*kind.name).filter(|other| other != name).collect();
    let place = if places > 1 { ", `place` if another line asks it" } else { "" };
    let other = match &*others {
        [] => String::new(),
        others => format!(", or write another decision: {}", others.join(", ")),
    };
    format!(
        "the rules do not ask `{name}` in this position: what stands after `where` does not hold, or there is nothing to choose; change its parts{place}{other}"
    )
}

/// What the rules count by themselves, as a part of positions.
struct Counted {
    name: &'static str,
    place: Place,
    range: RangeInclusive<u64>,
}

impl Counted {
    /// It is left out where the count begins.
    fn part(&self, state: &mut State, parts: &mut Parts) -> Result<(), String> {
        let Self { name, place, range } = self;
        let number = u64::try_from(place.value(&state.0)).unwrap_or(*range.start());
        let number = parts.rare_number(name, number, *range.start(), range.clone())?;
        put(state, *place, number.cast_signed());
        Ok(())
    }
}

/// What no part has: words of the state that are not 0, by their numbers, in hexadecimal. It has given clocks as well, before these
/// were parts.
fn rest(state: &mut State, free: Mask, clocks: Mask, parts: &mut Parts) -> Result<(), String> {
    let is_given = parts.is_given("rest");
    let free = if is_given { free } else { free & !clocks };
    let held = (*state & free).0;
    if held == [0; WORDS] && !is_given {
        return Ok(());
    }
    let write = |words: &[u64; WORDS]| {
        let held = words.iter().enumerate().filter(|(_, word)| **word != 0);
        held.map(|(at, word)| format!("{at}:{word:x}")).collect::<Vec<_>>().join(",")
    };
    let held = parts.part("rest", held, write, |text| {
        let mut words = [0; WORDS];
        for part in text.split(',') {
            let (at, word) = part.split_once(':').unwrap_or_default();
            let word = u64::from_str_radix(word, 16).ok();
            let at = at.parse().ok().and_then(|at: usize| words.get_mut(at));
            match (at, word) {
                (Some(at), Some(word)) => *at = word,
                _ => return Err("leave it as it was written, or out".to_owned()),
            }
        }
        Ok(words)
    })?;
    for ((word, free), held) in state.0.iter_mut().zip(free.0).zip(held) {
        *word = *word & !free | held & free;
    }
    Ok(())
}

pub(crate) fn cells_of(told: &Told, seats: usize) -> u32 {
    let players = if told.is_players { seats } else { 1 };
    u32::try_from(players * told.indices.len()).unwrap_or(0)
}

fn put(state: &mut State, place: Place, value: i64) {
    let stored = (value - i64::from(place.low)).cast_unsigned() & place.mask();
    *state = *state & !Mask::from(place);
    state.0[usize::from(place.word)] |= stored.checked_shl(place.shift.into()).unwrap_or(0);
}

/// A name without spaces: "red small" as `red-small`.
fn in_a_word(name: &str) -> String {
    name.replace(' ', "-")
}

impl Program {
    /// What the rules count by themselves and hold at a question, such as the rounds.
    fn counted<'p>(&'p self, counts: &'p [Count], site: &'p Site) -> impl Iterator<Item = Counted> {
        // Where those who are tied play on, the last numbers stay.
        let plays_on = self.counts.iter().any(|count| count.is_of_players);
        counts.iter().filter(|count| !count.is_of_players).filter_map(move |count| {
            let (name, place) = (count.name.strip_prefix("game.")?, self.places[count.cell as usize]);
            let behind = match name {
                "round" if !plays_on => 1,
                "turns" if !plays_on => 2,
                _ => 0,
            };
            let range = u64::try_from(count.range.0).ok()?..=u64::try_from(count.range.1 - behind).ok()?;
            let is_free = self.told.iter().all(|told| told.name != name);
            (is_free && site.live.meets(place.into())).then_some(Counted { name, place, range })
        })
    }

    /// The variables that hold something at a question, by the names that parts of positions have: those of one name are
    /// numbered from the second on.
    pub(crate) fn parts<'p>(&'p self, site: &'p Site) -> impl Iterator<Item = (String, &'p Told)> {
        let mut names: Vec<&str> = OWN.to_vec();
        self.told.iter().filter(|told| self.is_there(told, Some(site))).map(move |told| {
            let own = if told.name.is_empty() { AMONG } else { &told.name };
            let same = names.iter().filter(|name| **name == own).count();
            names.push(own);
            (if same == 0 { own.to_owned() } else { format!("{own}.{}", same + 1) }, told)
        })
    }

    /// Values as text: `/` between players, `,` between the elements of an array, `+` within a bag.
    pub(crate) fn written(&self, told: &Told, values: &[i64]) -> String {
        let names = cells::names(told);
        let one = |value: i64| self.one_written(told.kind, value);
        let of_player = |values: &[i64]| {
            let full = values.iter().map(|value| one(*value)).collect::<Vec<_>>().join(",");
            let short = names.as_ref().map(|names| match told.kind {
                NamedKind::Truth => cells::of_truths(names, values),
                _ => cells::of_values(names, values, one),
            });
            let short = short.or_else(|| self.written_as_rest(told, values));
            short.filter(|short| short.len() < full.len()).unwrap_or(full)
        };
        let players: Vec<String> = values.chunks(told.indices.len().max(1)).map(of_player).collect();
        players.join("/")
    }

    /// A bag as what is not in it of all that there is: a deck of which few cards are gone.
    fn written_as_rest(&self, told: &Told, values: &[i64]) -> Option<String> {
        let (NamedKind::Bag(layout), &[value]) = (told.kind, values) else { return None };
        let all = self.all_in(told, layout)?;
        let fields = self.layouts[usize::from(layout)].fields.iter();
        let rest = fields.map(|field| Some(field.unit() * 0.max(field.of(all) - field.of(value))));
        let rest = rest.sum::<Option<i64>>()?;
        (all - rest == value).then(|| format!("{}{}", cells::NOT, self.one_written(told.kind, rest)))
    }

    /// All that a bag can hold.
    fn all_in(&self, told: &Told, layout: u16) -> Option<i64> {
        let fields = &self.layouts[usize::from(layout)].fields;
        let all = || fields.iter().zip(&told.most).map(|(field, most)| field.unit() * most).sum();
        (fields.len() == told.most.len()).then(all)
    }

    fn one_written(&self, kind: NamedKind, value: i64) -> String {
        match kind {
            NamedKind::Number => value.to_string(),
            NamedKind::Player if value < 0 => "none".into(),
            NamedKind::Player => (value + 1).to_string(),
            NamedKind::Pairing => format!("{}+{}", value & 0xffff, value >> 16),
            NamedKind::Truth => self.in_words(kind, value),
            NamedKind::Name => self.name_in_a_word(value),
            NamedKind::Bag(layout) => {
                let held = self.held(layout, value).into_iter().map(|(many, face)| match many {
                    1 => in_a_word(&face),
                    many => format!("{many}*{}", in_a_word(&face)),
                });
                let held: Vec<String> = held.collect();
                if held.is_empty() { "none".into() } else { held.join("+") }
            }
        }
    }

    /// A name without spaces.
    fn name_in_a_word(&self, atom: i64) -> String {
        in_a_word(&self.in_words(NamedKind::Name, atom))
    }

    /// The values of a variable in a state, as text.
    pub(crate) fn written_at(&self, told: &Told, state: &State) -> String {
        let cells = (told.first..).take(told.ranges.len());
        self.written(told, &cells.map(|cell| self.value(state, cell)).collect::<Vec<_>>())
    }

    /// What [`Program::written`] writes; a bag may have commas, as where it is shown.
    fn values_of(&self, told: &Told, places: &[Place], text: &str) -> Result<Vec<i64>, String> {
        let players = if told.is_players { self.seats } else { 1 };
        let names = cells::names(told);
        if !told.is_players && told.indices.len() > 1 && text.contains('/') {
            return Err(format!("write {} values with `,` between", told.indices.len()));
        }
        let of_players = each(text, players, |text| {
            let is_bag = matches!(told.kind, NamedKind::Bag(_)) && told.indices.len() == 1;
            let values: Vec<&str> = if is_bag { vec![text] } else { text.split(',').collect() };
            if let Some(names) = &names {
                let is_full = values.len() == names.len();
                let is_known = |value: &&str| ["yes", "no"].contains(value);
                match told.kind {
                    NamedKind::Truth if is_full && values.iter().all(is_known) => {}
                    NamedKind::Truth => return cells::truths(names, text),
                    kind => {
                        if let Some(read) = cells::values(names, text, |text| self.one_of(kind, text)) {
                            return read;
                        }
                    }
                }
            }
            if values.len() != told.indices.len() {
                let or =
                    names.as_ref().map_or_else(String::new, |names| format!("; or {}", cells::advice(names)));
                return Err(format!("write {} values with `,` between{or}", told.indices.len()));
            }
            let one = |text: &str| {
                let rest = text.strip_prefix(cells::NOT);
                let (NamedKind::Bag(layout), Some(rest)) = (told.kind, rest) else {
                    return self.one_of(told.kind, text);
                };
                let (all, rest) = (self.all_in(told, layout), self.one_of(told.kind, rest)?);
                let fields = &self.layouts[usize::from(layout)].fields;
                let is_part = |all: &i64| fields.iter().all(|field| field.of(rest) <= field.of(*all));
                let all = all
                    .filter(is_part)
                    .ok_or_else(|| format!("more than there is stands behind `{}`", cells::NOT))?;
                Ok(all - rest)
            };
            values.into_iter().map(one).collect::<Result<Vec<_>, _>>()
        })?;
        let values: Vec<i64> = of_players.into_iter().flatten().collect();
        let named = self.named.iter().flatten().find(|named| named.first == told.first);
        let range = named.filter(|named| matches!(named.kind, NamedKind::Number)).map(|named| named.range);
        for (&value, place) in values.iter().zip(places) {
            let low = i64::from(place.low);
            let most = i64::try_from(place.mask()).unwrap_or(i64::MAX).saturating_add(low);
            let (low, most) =
                range.map_or((low, most), |(least, greatest)| (least.max(low), greatest.min(most)));
            if value < low || value > most {
                return Err(format!("{value} does not fit; write {low} to {most}"));
            }
        }
        Ok(values)
    }

    fn one_of(&self, kind: NamedKind, text: &str) -> Result<i64, String> {
        let number = |text: &str| text.parse::<i64>().map_err(|_| format!("`{text}` is no whole number"));
        let name =
            |text: &str| match (1..=self.atoms.len()).position(|at| self.name_in_a_word(at as i64) == text) {
                _ if text == "none" => Ok(0),
                Some(at) => Ok(at as i64 + 1),
                None => Err(format!("`{text}` is no name of this game")),
            };
        match kind {
            NamedKind::Number => number(text),
            NamedKind::Player if text == "none" => Ok(-1),
            NamedKind::Player => match number(text)? {
                seat if (1..=self.seats as i64).contains(&seat) => Ok(seat - 1),
                _ => Err(format!("there are {} players", self.seats)),
            },
            NamedKind::Truth => match text {
                "yes" => Ok(1),
                "no" => Ok(0),
                _ => Err("write yes or no".into()),
            },
            NamedKind::Name => name(text),
            NamedKind::Pairing => {
                let (one, two) = text.split_once('+').ok_or("write two sums, as in 6+8")?;
                Ok(number(one)? | number(two)? << 16)
            }
            NamedKind::Bag(layout) => {
                let layout = &self.layouts[usize::from(layout)];
                let faces = text.split(['+', ',']).filter(|face| *face != "none");
                faces.into_iter().try_fold(0, |bag, face| {
                    let (many, face) = match face.split_once('*') {
                        Some((many, face)) => (number(many)?, face),
                        None => (1, face),
                    };
                    let of = |field: &Field| in_a_word(&self.face(layout, field));
                    let field = match layout.fields.iter().find(|field| of(field) == face) {
                        Some(field) => field,
                        None => {
                            let atom = name(face)?;
                            let shown = layout.fields.iter().filter(|field| field.atom == atom);
                            let shown: Vec<String> = shown.map(of).collect();
                            return Err(match shown.is_empty() {
                                true => format!("`{face}` is nothing that it can hold"),
                                false => {
                                    format!("`{face}` is on several dice; write {}", listed(&shown, "or"))
                                }
                            });
                        }
                    };
                    if many < 0 || field.of(bag) + many > field.most() {
                        return Err(format!("it holds at most {} of `{face}`", field.most()));
                    }
                    Ok(bag + field.unit() * many)
                })
            }
        }
    }
}
