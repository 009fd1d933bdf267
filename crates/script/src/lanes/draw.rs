//! Draws from bags: a place among all that is in a bag, lower faces first, and the face in which it lies.
#![allow(clippy::needless_range_loop, reason = "loops count their lanes: iterators are not always inlined")]

use super::column::{Column, Mask, Number, PART, Parts};
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
    pub(super) fn weigh<T: Number>(&self, parts: Parts, bags: &Column<T>, here: &Mask, weights: &mut Words) {
        for at in parts.all() {
            if here.0[at] == [0; PART] {
                continue;
            }
            let (bags, mut out) = (bags.0[at], [0; PART]);
            let (mut size, mut is_several) = ([T::of(0); PART], [false; PART]);
            if self.layout.has_few_planes() {
                let (mut wide, mut there, mut sizes) = ([0; PART], [0; PART], [0; PART]);
                for lane in 0..PART {
                    wide[lane] = bags[lane].wide();
                }
                self.layout.there(&wide, &mut there);
                self.layout.sizes(&wide, &mut sizes);
                for lane in 0..PART {
                    size[lane] = T::of(sizes[lane]);
                    is_several[lane] = there[lane] & (there[lane] - 1) != 0;
                }
            } else {
                let mut faces = [T::of(0); PART];
                for field in &self.layout.fields {
                    for lane in 0..PART {
                        let count = of(field, bags[lane]);
                        size[lane] = size[lane].add(count);
                        faces[lane] = faces[lane].add(T::of(i64::from(count != T::of(0))));
                    }
                }
                for lane in 0..PART {
                    is_several[lane] = faces[lane] > T::of(1);
                }
            }
            for lane in 0..PART {
                #[allow(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a number of things"
                )]
                let weight = size[lane].wide() as u32;
                out[lane] = weight & u32::from(is_several[lane]).wrapping_neg();
            }
            weights.0[at] = out;
        }
    }

    /// In the games of a mask, a place becomes that of the face in which it lies, the last one for what is outside.
    #[inline(always)]
    pub(super) fn find<T: Number>(&self, parts: Parts, bags: &Column<T>, here: &Mask, places: &mut Words) {
        let Some((_, fields)) = self.layout.fields.split_last() else { return };
        for at in parts.all() {
            if here.0[at] == [0; PART] {
                continue;
            }
            let (bags, mut found, mut ends, mut faces) =
                (bags.0[at], [T::of(0); PART], [T::of(0); PART], [T::of(0); PART]);
            for lane in 0..PART {
                found[lane] = T::of(places.0[at][lane].into());
            }
            for field in fields {
                for lane in 0..PART {
                    ends[lane] = ends[lane].add(of(field, bags[lane]));
                    faces[lane] = faces[lane].add(T::of(i64::from(found[lane] >= ends[lane])));
                }
            }
            for lane in 0..PART {
                #[allow(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a number of faces"
                )]
                let face = faces[lane].wide() as u32;
                places.0[at][lane] = face;
            }
        }
    }
}

/// How many of a face are in a bag.
#[inline(always)]
fn of<T: Number>(field: &Field, bag: T) -> T {
    bag.shr(field.shift).and(T::of(field.most()))
}
