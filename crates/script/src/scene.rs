//! A position of a game as text, as it lies on the table: a row for each player, arrays as rows of cells, what is in hand.

use stopwise_engine::game::Seat;
use stopwise_engine::vocabulary::{Grid, GridRow, Scene, in_units};

use crate::kept::leaked;
use crate::op::{NamedKind, Program, Told};
use crate::prose::CHOOSING;
use crate::state::State;

/// What is longer is not seen at a glance, in characters.
const GLANCE: usize = 60;
/// The longest row of dice or cards that lie there one by one, in characters.
const ROW: usize = 40;
/// The row that says how much a cell holds at most.
const MOST: &str = "at most";
/// A space at which no line is broken.
const CLOSE: char = '\u{a0}';

/// How a variable lies there.
enum Shape {
    /// As one thing.
    One,
    /// As a column of the players.
    Column,
    /// As a row of cells, of every player or one.
    Cells,
}

impl Program {
    /// What the player sees who decides; `state` has only what may be seen.
    pub(crate) fn scene(&self, state: &State, seat: Seat) -> Scene {
        let site = self.sites.get(state.stop());
        let is_shown = |told: &&Told| !told.name.is_empty() || told.is_chosen_from();
        let told = self.told.iter().filter(is_shown).filter(|told| self.is_there(told, site));
        let (mut players, mut boards) = (self.players(seat), Vec::new());
        let (mut of_turn, mut of_game, mut long) = (Vec::new(), Vec::new(), Vec::new());
        for told in told {
            let players_of = if told.is_players { self.seats } else { 1 };
            let cells = (told.first..).take(players_of * told.indices.len());
            let values: Vec<i64> = cells.map(|cell| self.value(state, cell)).collect();
            match self.shape(told) {
                Shape::One => {
                    let all = self.lying(told.kind, values[0]);
                    let what = self.at_a_glance(told.kind, values[0], all.clone());
                    let name = if told.name.is_empty() { CHOOSING } else { leaked(&told.name) };
                    if what != all {
                        long.push((name, all));
                    }
                    let places = if told.is_of_game { &mut of_game } else { &mut of_turn };
                    let what = (!what.is_empty()).then(|| in_units(&what, &told.unit));
                    places.extend(what.map(|what| (name, what)));
                }
                _ if !told.is_players && is_nothing(told.kind, &values) => {}
                Shape::Column => {
                    players.columns.push(told.name.clone());
                    let rows = players.rows.iter_mut().zip(values);
                    rows.for_each(|(row, value)| row.cells.push(self.cell(told.kind, value, "0")));
                }
                Shape::Cells => self.add_cells(&mut boards, told, &values, seat),
            }
        }
        // What belongs to the turn comes first.
        of_turn.append(&mut of_game);
        let lies_there: Vec<String> =
            of_turn.iter().filter(|(name, _)| *name != CHOOSING).map(|(_, what)| what.clone()).collect();
        of_turn.retain(|(name, what)| *name != CHOOSING || !lies_there.contains(what));
        let grids = [players].into_iter().filter(|players| !players.columns.is_empty()).chain(boards);
        Scene { grids: grids.collect(), places: of_turn, long, notes: self.worked_out(state) }
    }

    /// What is said of a value: its words, or of dice or cards that are too many to be seen at a glance how many they are.
    pub(crate) fn at_a_glance(&self, kind: NamedKind, value: i64, words: String) -> String {
        match kind {
            NamedKind::Bag(layout) if words.chars().count() > GLANCE => {
                let held = self.held(layout, value);
                let many: i64 = held.iter().map(|(many, _)| many).sum();
                let few = held.iter().map(|(many, name)| match many {
                    1 => name.clone(),
                    many => format!("{many} of {name}"),
                });
                let few = few.collect::<Vec<_>>().join(" + ");
                match few.chars().count() > GLANCE {
                    true => format!("{many}, of {} kinds", held.len()),
                    false => few,
                }
            }
            _ => words,
        }
    }

    fn shape(&self, told: &Told) -> Shape {
        let is_by_player = told.indices.len() == self.seats && told.indices[0] == "seat 1";
        match (told.is_players, told.indices == [""]) {
            (true, true) if self.seats > 1 => Shape::Column,
            (false, false) if is_by_player && self.seats > 1 => Shape::Column,
            (_, true) => Shape::One,
            (_, false) => Shape::Cells,
        }
    }

    /// A row for each player, of whom nothing is told yet.
    fn players(&self, seat: Seat) -> Grid {
        let row = |at: usize| GridRow {
            name: format!("seat {}", at + 1),
            is_to_play: at == seat,
            ..GridRow::default()
        };
        Grid { columns: Vec::new(), rows: (0..self.seats).map(row).collect() }
    }

    /// Adds the rows of an array to those that have the same indices.
    fn add_cells(&self, boards: &mut Vec<Grid>, told: &Told, values: &[i64], seat: Seat) {
        let is_of_several = told.is_players && self.seats > 1;
        let row = |(at, values): (usize, &[i64])| GridRow {
            name: if is_of_several { format!("seat {} {}", at + 1, told.name) } else { told.name.clone() },
            is_to_play: is_of_several && at == seat,
            cells: values.iter().map(|value| self.cell(told.kind, *value, "")).collect(),
        };
        let rows = values.chunks(told.indices.len()).enumerate().map(row);
        let most = self.most(told);
        let board = match boards.iter().position(|board| board.columns == told.indices) {
            Some(at) => &mut boards[at],
            None => {
                boards.push(Grid { columns: told.indices.clone(), rows: Vec::new() });
                boards.last_mut().unwrap_or_else(|| unreachable!("it was added"))
            }
        };
        board.rows.extend(rows);
        // Where it ends is said once, below all.
        board.rows.sort_by_key(|row| row.name == MOST);
        if most.is_some_and(|most| !board.rows.contains(&most)) {
            board.rows.extend(self.most(told));
        }
    }

    /// The most of every cell of an array, where that differs: how long columns are.
    fn most(&self, told: &Told) -> Option<GridRow> {
        let most: Vec<i64> = told.ranges.iter().take(told.indices.len()).map(|(_, most)| *most).collect();
        let is_told = matches!(told.kind, NamedKind::Number) && most.iter().any(|other| *other != most[0]);
        let cells = || most.iter().map(i64::to_string).collect();
        is_told.then(|| GridRow { name: MOST.into(), is_to_play: false, cells: cells() })
    }

    /// A small cell.
    fn cell(&self, kind: NamedKind, value: i64, zero: &str) -> String {
        match (kind, value) {
            (NamedKind::Truth, _) => if value == 0 { "" } else { "x" }.to_owned(),
            (NamedKind::Number, 0) => zero.to_owned(),
            _ => self.lying(kind, value),
        }
    }

    /// A value as it lies there; nothing where nothing is, and of what does not hold. Few dice or cards lie there one by one.
    fn lying(&self, kind: NamedKind, value: i64) -> String {
        match kind {
            NamedKind::Bag(layout) => {
                let held = self.held(layout, value);
                let length: i64 = held.iter().map(|(many, name)| many * (name.len() as i64 + 3)).sum();
                let (words, between): (Vec<String>, &str) = match length <= ROW as i64 + 1 {
                    true => {
                        let one_by_one = held.iter().flat_map(|(many, name)| (0..*many).map(move |_| name));
                        (one_by_one.map(|name| format!("[{name}]")).collect(), " ")
                    }
                    false => (
                        held.iter().map(|(many, name)| format!("{many}{CLOSE}×{CLOSE}{name}")).collect(),
                        " · ",
                    ),
                };
                words.join(between)
            }
            NamedKind::Name | NamedKind::Truth if value == 0 => String::new(),
            kind => self.in_words(kind, value),
        }
    }
}

/// Whether an array holds nothing.
fn is_nothing(kind: NamedKind, values: &[i64]) -> bool {
    !matches!(kind, NamedKind::Player) && values.iter().all(|value| *value == 0)
}
