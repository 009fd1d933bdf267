//! Plays one trial and compares everything.
#![allow(clippy::cast_possible_truncation, reason = "points of a game are small numbers")]

use stopwise_engine::game::{Action, Event, Events, Game, Policy, Question, Seat};
use stopwise_engine::games::carcassonne::{
    Carcassonne, DONE, KEEP, KNIGHT_ASIDE, NineCatapults, PLACE, STOP, Shown, State,
};
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::{Recorder, Tally};
use stopwise_engine::trial::{Watch, trial};
use stopwise_engine::vocabulary::Vocabulary;

use super::lore::{KINDS, Lore};
use crate::oracles::naive::carcassonne::{self as oracle, KNIGHT, Position, Table, Way};

/// Counts like a run does, and remembers rolls and decisions.
struct Log<'t> {
    recorder: Recorder<'t>,
    rolls: Vec<Shown>,
    decisions: Vec<(State, Question, Action)>,
}

impl Events for Log<'_> {
    fn event(&mut self, seat: Seat, event: Event) {
        self.recorder.event(seat, event);
    }
}

impl Watch<Carcassonne> for Log<'_> {
    fn decided(&mut self, state: State, question: Question, action: Action) {
        self.decisions.push((state, question, action));
    }

    fn resolved(&mut self, _: State, _: Seat, outcome: Shown) {
        self.rolls.push(outcome);
    }
}

pub(crate) fn oracle_rules(game: &Carcassonne) -> oracle::Rules {
    oracle::Rules {
        players: game.players.into(),
        dice: game.dice.into(),
        faces: Vec::from(game.faces).try_into().expect("four faces"),
        rolls: game.rolls.into(),
        points: Vec::from(game.points).into_iter().map(u64::from).collect(),
        goal: game.goal.into(),
        knights_needed: game.knights_needed.into(),
        keeping: game.keeping,
        nine_catapults: match game.nine_catapults {
            NineCatapults::Turn => "turn",
            NineCatapults::Roll => "roll",
            NineCatapults::Off => "off",
        },
        turn_cap: game.turn_cap.into(),
        turns: game.turns.into(),
    }
}

/// Answers the oracle with the dice and the decisions of the engine's trial.
struct Replay<'r> {
    game: &'r Carcassonne,
    rules: &'r oracle::Rules,
    lore: &'r Lore,
    rolls: std::vec::IntoIter<Shown>,
    decisions: std::vec::IntoIter<(State, Question, Action)>,
}

impl Table for Replay<'_> {
    /// Dice come in events of up to five.
    fn roll(&mut self, _: usize, dice: usize) -> Vec<usize> {
        let mut faces = Vec::new();
        while faces.len() < dice {
            let outcome = self.rolls.next().expect("the engine rolls as often");
            let at_once = faces.len();
            for face in 0..6_u32 {
                let count = outcome.count(face).into();
                faces.extend(std::iter::repeat_n(face as usize, count));
            }
            assert_eq!(faces.len() - at_once, (dice - at_once).min(5), "five at once, then the rest");
        }
        faces
    }

    fn place(&mut self, position: &Position, ways: &[Way]) -> usize {
        let (state, question, action) = self.next(position, PLACE);
        let theirs: Vec<Action> = ways.iter().map(|way| self.action(&state, way)).collect();
        let all = theirs.iter().fold(0, |all, action| all | action.0);
        assert_eq!(all, question.actions.0, "{position:?}");
        self.same_predicates(&state, question, position, ways, &theirs);
        // Of cities that the engine does not tell apart any will do.
        let alike: Vec<_> = (0..ways.len()).filter(|&way| theirs[way] == action).collect();
        alike[(state.dice() as usize + position.shown.len() * 7 + position.turn) % alike.len()]
    }

    fn stop(&mut self, position: &Position) -> bool {
        self.next(position, STOP).2 == Action::YES
    }

    fn keep(&mut self, position: &Position) -> bool {
        // Dice and city do not matter any more, and are forgotten.
        let position = Position { dice: 0, city: oracle::City::default(), ..position.clone() };
        self.next(&position, KEEP).2 == Action::YES
    }
}

impl Replay<'_> {
    /// The engine's next decision, in the same position.
    fn next(&mut self, position: &Position, kind: usize) -> (State, Question, Action) {
        let (state, question, action) = self.decisions.next().expect("the engine asks as often");
        assert_eq!((question.seat, question.kind), (position.seat, kind), "{position:?}");
        assert_eq!(state.seat(), position.seat);
        assert_eq!(
            self.lore.futures[usize::from(state.city())],
            self.lore.atlas.look_up(&position.city).future
        );
        for (seat, &points) in position.points.iter().enumerate() {
            assert_eq!(self.game.score(&state, seat), points);
        }
        for (index, feature) in self.game.features().iter().enumerate() {
            let value = self.game.feature(state, index);
            let range = feature.low..=feature.high;
            assert!(range.contains(&value), "{} = {value}, not in {range:?}", feature.name);
            let expected = self.feature(position, feature.name);
            assert_eq!((value, feature.denominator), expected, "{} {position:?}", feature.name);
        }
        (state, question, action)
    }

    /// The engine's action that is this way.
    fn action(&self, state: &State, way: &Way) -> Action {
        let (face, city) = match way {
            Way::Done => return DONE,
            Way::Knight => return KNIGHT_ASIDE,
            Way::Build(face, city) => (*face, city),
        };
        let future = self.lore.atlas.look_up(city).future;
        let kind = KINDS.iter().position(|kind| kind.text() == self.rules.faces[face]).expect("a kind");
        let class = self.game.graph().class(state.city());
        let leads_there = |&way: &u32| {
            let next = || self.lore.futures[usize::from(self.game.graph().next(class, way))];
            class.of_kind[kind] >> way & 1 == 1 && next() == future
        };
        let ways: Vec<_> = (0..32).filter(leads_there).collect();
        assert_eq!(ways.len(), 1, "one way to {city:?}");
        assert_eq!(class.closing >> ways[0] & 1 == 1, city.is_closed());
        Action(1 << ways[0])
    }

    fn shown(&self, position: &Position) -> [usize; 4] {
        KINDS.map(|kind| {
            let shows = |&&face: &&usize| face < 4 && self.rules.faces[face] == kind.text();
            position.shown.iter().filter(shows).count()
        })
    }

    /// What the oracle knows of a feature, as numerator and denominator.
    fn feature(&self, position: &Position, name: &str) -> (i64, i64) {
        let seat = position.seat;
        let own = position.points[seat];
        let others = position.points.iter().enumerate().filter(|&(other, _)| other != seat);
        let best = others.map(|(_, &points)| points).max().unwrap_or(0);
        let of_size = |size: usize| if size < 3 { 0 } else { self.rules.points[size - 3] };
        let shows = |face| position.shown.iter().filter(|&&shown| shown == face).count();
        let [caps, straights, corners, tees] = self.shown(position);
        let all = 6_i64.pow(9);
        let whole = match name {
            "dice" => position.dice,
            "rolls_left" => position.rolls_left,
            "knights" => position.knights_aside.min(self.rules.knights_needed),
            "largest" => position.largest_closed,
            "city" => position.city.dice(),
            "needed" => self.lore.atlas.look_up(&position.city).needed.expect("it can be closed"),
            "open_sides" => position.city.open_sides(),
            "points_if_stopped" => {
                let points = of_size(position.largest_closed);
                return (if position.doubled { 2 * points } else { points } as i64, 1);
            }
            "doubled" => position.doubled.into(),
            "score" => return (own as i64, 1),
            "other_best" => return (best as i64, 1),
            "lead" => return (own as i64 - best as i64, 1),
            "goal_left" if self.rules.players == 1 => 0,
            "goal_left" => return ((self.rules.goal - own) as i64, 1),
            "other_knights" => position.kept.iter().filter(|&&kept| kept).count(),
            "players" => self.rules.players,
            "turn" => position.turn,
            "turns_left" if self.rules.players == 1 => self.rules.turns - position.turn,
            "turns_left" => 0,
            "caps_shown" => caps,
            "straights_shown" => straights,
            "corners_shown" => corners,
            "tees_shown" => tees,
            "knights_shown" => shows(KNIGHT),
            "closable" => self.lore.closable(&position.city, self.shown(position)),
            "close_chance" => {
                return (self.lore.close_chance(&position.city, position.dice) as i64, all);
            }
            "keep_chance" => {
                let missing = self.rules.knights_needed.saturating_sub(position.knights_aside);
                return (knights(position.dice, missing), all);
            }
            name => unreachable!("the oracle does not know {name}"),
        };
        (i64::try_from(whole).expect("small"), 1)
    }

    /// Every predicate holds of the same candidates.
    fn same_predicates(
        &self,
        state: &State,
        question: Question,
        position: &Position,
        ways: &[Way],
        actions: &[Action],
    ) {
        let masks = self.game.predicates(*state, question.kind, u32::MAX);
        for (index, (predicate, mask)) in Carcassonne::TWO.info().predicates.iter().zip(masks).enumerate() {
            let alone = self.game.predicates(*state, question.kind, 1 << index)[index];
            assert_eq!((mask ^ alone) & question.actions.0, 0, "{} alone", predicate.name);
            for (way, action) in ways.iter().zip(actions) {
                let ours = mask & action.0 != 0;
                assert_eq!(
                    ours,
                    self.holds(position, ways, way, predicate.name),
                    "{} {way:?}",
                    predicate.name
                );
            }
        }
    }

    fn holds(&self, position: &Position, ways: &[Way], way: &Way, name: &str) -> bool {
        let cities =
            || ways.iter().filter_map(|way| if let Way::Build(_, city) = way { Some(city) } else { None });
        let needed = |city| self.lore.atlas.look_up(city).needed.expect("it can be closed");
        let fitting = |city| {
            let next = &self.lore.atlas.look_up(city).next;
            next.values().filter(|cities| !cities.is_empty()).count()
        };
        // The chance that a roll of the dice then in hand can close the city then open.
        let chance = |way: &Way| match way {
            Way::Build(_, city) if city.is_closed() => 6_u64.pow(9),
            Way::Build(_, city) => self.lore.close_chance(city, position.dice - 1),
            Way::Knight => self.lore.close_chance(&position.city, position.dice - 1),
            Way::Done => self.lore.close_chance(&position.city, position.dice),
        };
        match (name, way) {
            ("knight", way) => return *way == Way::Knight,
            ("done", way) => return *way == Way::Done,
            ("best_chance", way) => return Some(chance(way)) == ways.iter().map(chance).max(),
            _ => {}
        }
        let Way::Build(face, city) = way else { return false };
        let kind = self.rules.faces[*face].as_str();
        match name {
            "builds" => true,
            "closes" => city.is_closed(),
            "cap" => kind == "CFFF",
            "straight" => kind == "CFCF",
            "corner" => kind == "CCFF",
            "tee" => kind == "CCCF",
            "fewest_open" => Some(city.open_sides()) == cities().map(oracle::City::open_sides).min(),
            "fewest_needed" => Some(needed(city)) == cities().map(needed).min(),
            "no_more_open" => city.open_sides() <= position.city.open_sides(),
            "can_close" => needed(city) < position.dice,
            "most_fitting" => Some(fitting(city)) == cities().map(fitting).max(),
            "closes_largest" => {
                let shown = self.shown(position);
                let mut left = shown;
                left[KINDS.iter().position(|known| known.text() == kind).expect("a kind")] -= 1;
                let then = if city.is_closed() { city.dice() } else { self.lore.closable(city, left) };
                then > 0 && then == self.lore.closable(&position.city, shown)
            }
            name => unreachable!("the oracle does not know {name}"),
        }
    }
}

/// Of 6⁹ results those in which so many dice show at least so many knights: die after die.
fn knights(dice: usize, at_least: usize) -> i64 {
    let mut exactly = [0_i64; 11];
    exactly[0] = 6_i64.pow(9 - u32::try_from(dice).expect("nine at most"));
    for _ in 0..dice {
        for number in (0..10).rev() {
            exactly[number + 1] += exactly[number];
            exactly[number] *= 5;
        }
    }
    exactly.iter().skip(at_least).sum()
}

fn same_report(game: &Carcassonne, tally: &Tally, report: &oracle::Report) {
    let sizes = ["none", "", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    for (seat, tally) in tally.seats.iter().enumerate() {
        for (metric, histogram) in game.metrics().iter().zip(&tally.metrics) {
            let expected = match metric.name {
                "win" => usize::from(report.winner == Some(seat)),
                "score" | "points" => usize::try_from(report.points[seat]).expect("small"),
                "turns" => report.turns[seat],
                "rolls" => report.rolls[seat],
                "busts" => report.busts[seat],
                "knights_kept" => report.knights_kept[seat],
                "doubled" => report.doubled[seat],
                "all_catapults" => report.all_catapults[seat],
                name => {
                    let size = name.strip_prefix("city_").expect("nothing else is counted");
                    report.largest[seat][sizes.iter().position(|known| *known == size).expect("a size")]
                }
            };
            let seen: Vec<_> = histogram.iter().collect();
            let expected = u32::try_from(expected).expect("small");
            assert_eq!(seen, [(expected, 1)], "{} of seat {seat}: {report:?}", metric.name);
        }
    }
    for (ending, &count) in game.endings().iter().zip(&tally.endings) {
        assert_eq!(count, u64::from(ending.name == report.ending), "{} {report:?}", ending.name);
    }
}

/// One trial, played by the engine and told again by the oracle.
pub(crate) fn agree(
    game: &Carcassonne,
    policy: &impl Policy<Carcassonne>,
    seed: u64,
    number: u64,
) -> oracle::Report {
    let mut tally = Tally::new(game);
    let mut log = Log { recorder: Recorder::new(&mut tally), rolls: Vec::new(), decisions: Vec::new() };
    let end = trial(game, &[policy], &mut Keys::new(seed).streams(number, game.seats()), &mut log);
    log.recorder.finish(game, end);

    let (rules, lore) = (oracle_rules(game), Lore::of(game));
    let mut replay = Replay {
        game,
        rules: &rules,
        lore: &lore,
        rolls: log.rolls.into_iter(),
        decisions: log.decisions.into_iter(),
    };
    let report = oracle::play(&rules, &lore.atlas, &mut replay);
    assert!(replay.decisions.next().is_none(), "the oracle asks as often");
    assert!(replay.rolls.next().is_none(), "the oracle rolls as often");
    same_report(game, &tally, &report);
    report
}
