//! Draws from bags: a place among all that is in a bag, lower faces first, and the face in which it lies.
#![allow(clippy::needless_range_loop, reason = "loops count their lanes: iterators are not always inlined")]

use super::column::{Column, Mask, PART, Parts};
use super::shown::Part;
use super::streams::Words;
use crate::layout::{Field, Layout};

/// Draws from the bags of a layout.
#[derive(Debug)]
pub(super) struct Draw {
    layout: &'static Layout,
    /// The face and the bag of one, by the place of the face.
    pub(super) parts: [Part; 2],
}

impl Draw {
    pub(super) fn new(layout: &'static Layout) -> Self {
        let part = |of: fn(&Field) -> i64| Part::new(layout.fields.iter().map(of).collect());
        Self { layout, parts: [part(|field| field.atom), part(Field::unit)] }
    }

    /// In the games of a mask, how many there are to draw from; 0 where all show one face, which takes no word.
    #[inline(always)]
    pub(super) fn weigh(&self, parts: Parts, bags: &Column<i64>, here: &Mask, weights: &mut Words) {
        for at in parts.all() {
            if here.0[at] == [0; PART] {
                continue;
            }
            let (bags, mut there, mut sizes, mut out) = (bags.0[at], [0; PART], [0; PART], [0; PART]);
            self.layout.there(&bags, &mut there);
            self.layout.sizes(&bags, &mut sizes);
            for lane in 0..PART {
                let several = -i64::from(there[lane] & (there[lane] - 1) != 0);
                #[allow(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a number of things"
                )]
                let weight = (sizes[lane] & several) as u32;
                out[lane] = weight;
            }
            weights.0[at] = out;
        }
    }

    /// In the games of a mask, a place becomes that of the face in which it lies, the last one for what is outside.
    #[inline(always)]
    pub(super) fn find(&self, parts: Parts, bags: &Column<i64>, here: &Mask, places: &mut Words) {
        let Some((_, fields)) = self.layout.fields.split_last() else { return };
        for at in parts.all() {
            if here.0[at] == [0; PART] {
                continue;
            }
            let (bags, mut left, mut faces) = (bags.0[at], [0_i64; PART], [0_i64; PART]);
            for lane in 0..PART {
                left[lane] = places.0[at][lane].into();
            }
            for field in fields {
                for lane in 0..PART {
                    left[lane] -= field.of(bags[lane]);
                    faces[lane] += i64::from(left[lane] >= 0);
                }
            }
            for lane in 0..PART {
                #[allow(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a number of faces"
                )]
                let face = faces[lane] as u32;
                places.0[at][lane] = face;
            }
        }
    }
}
