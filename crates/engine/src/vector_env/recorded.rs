//! Optional records of tables: busts and answers.

use crate::game::{Counts, Event, Seat};

/// The events at the tables since the last clearing. At each table they are in the order of the game.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// Table, seat and turn (from 1) of every bust.
    pub busts: Vec<(u32, u8, u32)>,
    /// Table and index of every answer, including forced ones.
    pub answers: Vec<(u32, u8)>,
}

/// Counts the events of one table.
pub(super) struct Counter<'c> {
    pub(super) counts: &'c mut [[u32; Event::COUNT]],
    pub(super) table: u32,
    pub(super) busts: Option<&'c mut Vec<(u32, u8, u32)>>,
}

impl Counts for Counter<'_> {
    #[inline(always)]
    fn counts(&mut self, seat: Seat) -> &mut [u32; Event::COUNT] {
        &mut self.counts[seat]
    }

    #[inline(always)]
    fn bust(&mut self, seat: Seat, turn: u32) {
        if let Some(busts) = &mut self.busts {
            #[allow(clippy::cast_possible_truncation, reason = "at most eight seats")]
            busts.push((self.table, seat as u8, turn));
        }
    }
}
