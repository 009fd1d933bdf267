//! What a variant of the rules does to a game, in a designer's words: how long it is, how it ends, how scores spread,
//! what a seat is worth, how much skill matters.
//!
//! A [`Measure`] has a name, a unit and a definition, and is estimated from the tally of one policy in all seats under one
//! variant, with an interval at any [`Level`]: intervals that are read together are made for that.
//!
//! | question | answered by |
//! |---|---|
//! | how long, how it ends, how scores spread, what going first is worth | [`Measure::of`] |
//! | how much skill matters | [`Skill`] |
//! | is one policy best under all variants | [`Standings`] |
//! | what does a changed option move | [`effect`] |
//! | does a variant do what was wanted, and how sure is that | [`Bounds`] |
//! | which of many variants do | [`Screening`], over all of them or over a [`lattice`] |

mod catalogue;
mod effect;
mod lattice;
mod measure;
mod screening;
mod skill;
mod standing;
mod target;

pub use crate::estimate::Level;
pub use catalogue::catalogue;
pub use effect::{Effect, effect};
pub use lattice::lattice;
pub use measure::{Measure, Quantity, Sample, Statistic};
pub use screening::{Screened, Screening};
pub use skill::{SKILL, Skill, contest, skill_unit, wins_at};
pub use standing::{Everywhere, Standings};
pub use target::{Bounds, Verdict};
