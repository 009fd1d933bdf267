//! The successors of moments. They are found once and stored as numbers, so that computing values needs no further look-up.

use std::ops::Range;

use stopwise_engine::game::Game;
use stopwise_engine::places::{Places, hash, index};

use super::walk::Moment;

/// The limit, in bytes per moment, of stored successors; those beyond it are found again.
const KEPT: usize = 48;

/// A moment on its way to its stage.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<G: Game> {
    pub(super) stage: u64,
    /// Of its state.
    pub(super) hash: u64,
    pub(super) moment: Moment<G>,
}

impl<G: Game> Found<G> {
    /// The moment of a representative state.
    pub(super) fn new(game: &G, moment: Moment<G>) -> Self {
        let state = moment.state();
        Self { stage: game.stage(state), hash: hash(&state), moment }
    }
}

/// The successors of some moments.
pub(super) struct Ahead<G: Game> {
    /// Every moment once: many paths lead to one.
    found: Vec<Found<G>>,
    places: Places,
    /// For every time that the walk asks for a moment, which it is: of so many times.
    asked: Vec<u32>,
    most: usize,
}

impl<G: Game> Ahead<G> {
    /// Of so many moments.
    pub(super) fn new(moments: usize) -> Self {
        let most = moments * KEPT / size_of::<u16>();
        Self { found: Vec::new(), places: Places::default(), asked: Vec::new(), most }
    }

    /// Its size in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.found) + size_of_val(&*self.asked) + self.places.bytes()
    }

    /// Which moment it is.
    #[inline(always)]
    pub(super) fn add(&mut self, next: Found<G>) -> u32 {
        let (state, found) = (next.moment.state(), &self.found);
        let at = self.places.add(next.hash, |at| found[at].moment.state() == state, |at| found[at].hash);
        if at == found.len() {
            self.found.push(next);
        }
        if self.asked.len() < self.most {
            self.asked.push(index(at));
        }
        index(at)
    }

    /// Puts moments of a stage beside each other. Returns where each is then.
    pub(super) fn sort(&mut self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..index(self.found.len())).collect();
        order.sort_by_key(|&at| self.found[at as usize].stage);
        let mut places = vec![0; order.len()];
        order.iter().zip(0..).for_each(|(&at, place)| places[at as usize] = place);
        self.asked.iter_mut().for_each(|at| *at = places[*at as usize]);
        self.found = order.iter().map(|&at| self.found[at as usize]).collect();
        self.places = Places::default();
        places
    }

    /// The moments, stage by stage. They have been [sorted](Ahead::sort).
    pub(super) fn stages(&self) -> impl Iterator<Item = &[Found<G>]> {
        self.found.chunk_by(|a, b| a.stage == b.stage)
    }
}

/// What the moments of a stage lead to, part by part: by number, where that is kept.
#[derive(Debug, Default)]
pub(super) struct Kept {
    parts: Vec<Ends>,
    /// The stages, and where the numbers of their moments end, counted within the part.
    stages: Vec<(u64, usize)>,
    numbers: Vec<u32>,
    /// For every time that the walk asks for a moment, which of the part's numbers.
    asked: Vec<u16>,
}

/// Where a part ends; it begins where the one before ends.
#[derive(Clone, Copy, Debug, Default)]
struct Ends {
    moments: usize,
    is_kept: bool,
    stages: usize,
    numbers: usize,
    asked: usize,
}

/// What some moments lead to, by number.
pub(super) struct Numbered<'k> {
    numbers: &'k [u32],
    stages: &'k [(u64, usize)],
    pub(super) asked: &'k [u16],
}

impl Kept {
    pub(super) fn parts(&self) -> usize {
        self.parts.len()
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.stages) + size_of_val(&*self.numbers) + size_of_val(&*self.asked)
    }

    /// Adds a part of so many moments, and what they lead to by its numbers, if that takes no more than so many bytes.
    pub(super) fn add<G: Game>(&mut self, moments: usize, ahead: &Ahead<G>, numbers: &[u32], most: usize) {
        let bytes = size_of_val(numbers) + ahead.asked.len() * size_of::<u16>();
        let is_whole = ahead.asked.len() < ahead.most;
        let is_kept = is_whole && bytes <= most.min(moments * KEPT) && numbers.len() <= 1 << u16::BITS;
        if is_kept {
            let mut end = 0;
            self.stages.extend(ahead.stages().map(|found| {
                end += found.len();
                (found[0].stage, end)
            }));
            self.numbers.extend_from_slice(numbers);
            self.asked.extend(ahead.asked.iter().map(|&at| u16::try_from(at).unwrap_or(u16::MAX)));
        }
        let first = self.parts.last().map_or(0, |part| part.moments);
        self.parts.push(Ends {
            moments: first + moments,
            is_kept,
            stages: self.stages.len(),
            numbers: self.numbers.len(),
            asked: self.asked.len(),
        });
    }

    /// Forgets what moments lead to.
    pub(super) fn forget(&mut self) {
        let parts = self.parts.iter().map(|part| Ends { moments: part.moments, ..Ends::default() });
        *self = Self { parts: parts.collect(), ..Self::default() };
    }

    /// Gives back the memory that was set aside for more.
    pub(super) fn is_complete(&mut self) {
        self.numbers.shrink_to_fit();
        self.asked.shrink_to_fit();
    }

    /// The moments of a part, and what they lead to, if that is kept.
    pub(super) fn part(&self, at: usize) -> (Range<usize>, Option<Numbered<'_>>) {
        let first = at.checked_sub(1).map_or(Ends::default(), |before| self.parts[before]);
        let end = self.parts[at];
        let numbered = end.is_kept.then(|| Numbered {
            numbers: &self.numbers[first.numbers..end.numbers],
            stages: &self.stages[first.stages..end.stages],
            asked: &self.asked[first.asked..end.asked],
        });
        (first.moments..end.moments, numbered)
    }
}

impl Numbered<'_> {
    /// The stages with the numbers of their moments.
    pub(super) fn stages(&self) -> impl Iterator<Item = (u64, &[u32])> {
        let mut first = 0;
        self.stages
            .iter()
            .map(move |&(stage, end)| (stage, &self.numbers[std::mem::replace(&mut first, end)..end]))
    }
}
