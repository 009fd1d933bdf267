//! The last games: where no more begin, those that are left move to the first lanes, so that loops go over fewer parts.

use stopwise_engine::lanes::simd::Vector16;

use super::column::{Mask, Move, PART, Parts, lane_of};
use super::run::Run;

impl Mask {
    /// Moves games, of which none is left where it was.
    fn take(&mut self, moves: &[Move]) {
        self.gather(moves);
        moves.iter().for_each(|(_, from)| self.set((*from).into(), 0));
    }
}

impl<S: Vector16> Run<'_, S> {
    /// Moves games to the first parts if half of the parts hold all of them. None may be over and not yet counted.
    pub(super) fn gather(&mut self) {
        let parts = self.many_playing.div_ceil(PART);
        if parts * 2 > self.loops.parts.all().len() {
            return;
        }
        let mut lanes = std::mem::take(&mut self.ended);
        self.loops.run(|own| self.playing.list(own, self.loops.simd, &mut lanes));
        let first_moved = lanes.partition_point(|lane| usize::from(*lane) < parts * PART);
        let is_free = |lane: &u16| self.playing.get((*lane).into()) == 0;
        let free = (0..parts * PART).map(lane_of).filter(is_free);
        let moves: Vec<Move> = free.zip(lanes[first_moved..].iter().copied()).collect();
        self.ended = lanes;
        self.move_games(&moves);
        self.loops.parts = Parts::of(&self.playing);
    }

    /// Moves all that is known of games: what blocks leave to others, and what was counted.
    fn move_games(&mut self, moves: &[Move]) {
        let [bytes, short, middle, long] = self.built.left;
        self.bytes[..bytes].iter_mut().for_each(|column| column.gather(moves));
        self.short[..short].iter_mut().for_each(|column| column.gather(moves));
        self.middle[..middle].iter_mut().for_each(|column| column.gather(moves));
        self.long[..long].iter_mut().for_each(|column| column.gather(moves));
        self.playing.take(moves);
        for (waiting, _) in self.waiting.iter_mut().zip(&self.many).filter(|(_, many)| **many > 0) {
            waiting.take(moves);
        }
        self.ticks.gather(moves);
        self.streams.gather(moves);
        self.counts.gather(moves);
        self.busts.gather(moves);
        self.answered.gather(moves);
        for (to, from) in moves {
            let (to, from) = (usize::from(*to), usize::from(*from));
            self.numbers[to] = self.numbers[from];
            self.lineups[to] = self.lineups[from];
        }
    }
}
