//! How trials are played in which policies [answer in batches](crate::BatchPolicy).

mod arm;
mod one;
mod player;

pub(crate) use arm::BatchArm;
pub use one::{batch_actions, batch_parting};
