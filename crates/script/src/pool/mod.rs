//! Chance: pools of equal dice as sorted multisets with their weights, and draws from a bag.
//!
//! Every event that a program can roll is made when it is loaded: a roll of dice is then a number of an event, and what it
//! shows the number of an outcome. Only where a roll has very many kinds and numbers of dice is it put together from its
//! pools when it is thrown.

mod dice;
mod event;
mod places;
mod throws;

pub(crate) use dice::Pool;
pub use event::{Shown, Throw};
pub(crate) use throws::{Choice, EventPlaces, HEAVIEST, MOST_PARTS, Placed, Throws};
