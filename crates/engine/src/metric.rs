//! What is reported of a trial: the metrics of every seat.

use crate::events::Event;

/// A number reported for every seat of every finished trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Column value in the reports.
    pub name: &'static str,
    /// The unit of the number.
    pub unit: &'static str,
    /// A description of what it measures.
    pub meaning: &'static str,
    /// How it is obtained.
    pub source: Source,
    /// Which direction is better for the player.
    pub better: Better,
    /// How it is to be read.
    pub role: Role,
}

impl Metric {
    /// 1 for the seat that wins, of which more is better.
    pub const WIN: Self = Self { role: Role::Win, ..Self::end("win", "games", "1 if the seat wins") };

    /// An amount that is read from the end of the game, of which more is better.
    pub const fn end(name: &'static str, unit: &'static str, meaning: &'static str) -> Self {
        Self { name, unit, meaning, source: Source::End, better: Better::Higher, role: Role::Amount }
    }

    /// The number of times that an event happens, of which more is better.
    pub const fn count(name: &'static str, unit: &'static str, meaning: &'static str, event: Event) -> Self {
        Self { source: Source::Count(event), ..Self::end(name, unit, meaning) }
    }

    /// The same metric, of which less is better.
    #[must_use]
    pub const fn less(self) -> Self {
        Self { better: Better::Lower, ..self }
    }

    /// What it is called in words: of what counts rolls the unit, which is draws in a game of cards.
    pub fn word(&self) -> &'static str {
        if self.counts(Event::ROLL) { self.unit } else { self.name }
    }

    /// Whether it says who wins.
    pub fn is_win(&self) -> bool {
        self.role == Role::Win
    }

    /// Whether it says how much of a win the seat has, where several may win together.
    pub fn is_share(&self) -> bool {
        matches!(self.role, Role::Share(_))
    }

    /// Whether it is of wins, whole or shared.
    pub fn is_won(&self) -> bool {
        self.is_win() || self.is_share()
    }

    /// What a win counts: 1, or the number of its parts.
    pub fn whole(&self) -> u32 {
        match self.role {
            Role::Share(parts) => parts,
            _ => 1,
        }
    }

    /// A number of a trial as it is read: a share of a win is counted in parts of one.
    pub fn read(&self, value: u32) -> f64 {
        f64::from(value) / f64::from(self.whole())
    }

    /// The metric of who wins, by its place: the share of a win, where several may win together, as equals would hardly ever
    /// win alone.
    pub fn of_wins(metrics: &[Self]) -> Option<usize> {
        let at = |is_it: fn(&Self) -> bool| metrics.iter().position(is_it);
        at(Self::is_share).or_else(|| at(Self::is_win))
    }

    /// Whether it is the number of times that this event happens: [`Event::TURN`] for the length of a game.
    pub fn counts(&self, event: Event) -> bool {
        self.source == Source::Count(event)
    }
}

/// How a metric is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// 1 if the seat wins, otherwise 0: its mean is a share of the games.
    Win,
    /// The part of a win that the seat has, where several may win together: a whole win has so many parts.
    Share(u32),
    /// An amount in its unit.
    Amount,
}

/// How a metric is obtained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Read from the terminal state by [`Game::measure`](crate::game::Game::measure).
    End,
    /// The number of times an event happened.
    Count(Event),
}

/// Which direction of a metric is better for the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Higher is better.
    Higher,
    /// Lower is better.
    Lower,
}
