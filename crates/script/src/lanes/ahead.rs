//! What policies look at ahead, in many games side by side: each looks it up by the variables that decide it.

use stopwise_engine::lanes::simd::Vector16;

use super::asked::{numbers, put};
use super::column::{PART, PARTS};
use super::instr::Ref;
use super::looked::{Looked, UNKNOWN};
use super::run::Run;
use crate::state::index;

impl<S: Vector16> Run<'_, S> {
    /// Looks ahead in the games that are here.
    #[inline(never)]
    pub(super) fn look(&mut self, d: Ref, number: usize) {
        let here = self.loops.run(|parts| self.here.bits(parts, self.loops.simd));
        let look = self.built.looks[number];
        let mut looked = std::mem::take(&mut self.looked[number]);
        // Near the cap of stops what follows depends on how many there were.
        let is_kept = !self.may_be_late();
        for at in (0..PARTS).filter(|at| here.many_in(*at) > 0) {
            let of_part: [u64; PART] = self.loops.run(|_| places(self, &looked, at * PART));
            let mut is_wider = false;
            here.each_in(at, |lane| {
                let place =
                    if is_wider { places::<_, 1>(self, &looked, lane)[0] } else { of_part[lane % PART] };
                let place = index(place.cast_signed());
                let value = match looked.values.get(place) {
                    Some(&value) if is_kept && value != UNKNOWN => value,
                    _ => {
                        let (value, read) = self.program.looked(&self.state(look.site, lane), look.number);
                        if is_kept {
                            is_wider |= looked.widen(read, &self.built.cells);
                            let [place] = places(self, &looked, lane);
                            if let Some(own) = looked.values.get_mut(index(place.cast_signed())) {
                                *own = value;
                            }
                        }
                        value
                    }
                };
                self.long[d.index()].set(lane, value);
            });
        }
        self.looked[number] = looked;
    }
}

/// Where as many games have their values, from a lane on.
#[inline(always)]
fn places<S, const N: usize>(run: &Run<'_, S>, looked: &Looked, first: usize) -> [u64; N] {
    let mut places = [0; N];
    for (place, column) in &looked.variables {
        put(&mut places, &numbers(run, *column, first), *place);
    }
    places
}
