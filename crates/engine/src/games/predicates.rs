//! A game's predicates as an enum, so that code names them and the compiler reports missing ones.

/// Declares an enum of predicates with their names and meanings, and the predicates of [`Info`] from it.
///
/// [`Info`]: crate::info::Info
macro_rules! predicates {
    ($(#[$about:meta])* enum $enum:ident { $($word:ident $name:literal $meaning:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum $enum {
            $(#[doc = $meaning] $word,)*
        }

        impl $enum {
            /// Names and meanings, in order.
            pub(super) const ALL: &'static [$crate::vocabulary::Predicate] =
                &[$($crate::vocabulary::Predicate { name: $name, meaning: $meaning },)*];

            /// The predicate with this number.
            #[allow(dead_code, reason = "only lanes are asked by number")]
            #[inline(always)]
            pub(super) fn at(index: usize) -> Option<Self> {
                $(if index == Self::$word as usize {
                    return Some(Self::$word);
                })*
                None
            }

            /// Its bit in masks of predicates.
            #[allow(dead_code, reason = "only where some are computed when they are asked for")]
            pub(super) const fn bit(self) -> u32 {
                1 << self as u32
            }
        }
    };
}

pub(super) use predicates;
