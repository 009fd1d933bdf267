//! Effects of rule variants in the terms of game design: length, endings, spread of scores, advantage of the first
//! seat, influence of skill.
//!
//! A [`Measure`] has a name, a unit and a definition, and is estimated from the tally of one policy in all seats under
//! one variant. Its interval has any [`Level`], so that intervals that are read together can be simultaneous.
//!
//! | question | answered by |
//! |---|---|
//! | length, endings, spread of scores, advantage of going first | [`Measure::of`] |
//! | influence of skill | [`Skill`] |
//! | is one policy best under all variants | [`Standings`] |
//! | what does a changed option do to a measure | [`effect`] |
//! | does a variant meet a target | [`Bounds`] |
//! | which of many variants meet all targets | [`Screening`], over all of them or over a [`lattice`] |

mod catalogue;
mod effect;
mod lattice;
mod measure;
mod numbers;
mod screening;
mod skill;
mod standing;
mod target;

pub use crate::estimate::Level;
pub use catalogue::{catalogue, further};
pub use effect::{Effect, effect};
pub use lattice::lattice;
pub use measure::{Measure, Quantity, Sample, Statistic};
pub use numbers::{Measured, to_count};
pub use screening::{Screened, Screening};
pub use skill::{SKILL, Skill, contest, skill_unit};
pub use standing::{Everywhere, Standings};
pub use target::{Bounds, Verdict};
