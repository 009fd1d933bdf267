//! The games against naive implementations that share no code with the engine: the same words and the same choices must
//! give the same game.

#[path = "../common/mod.rs"]
mod common;
mod naive;

mod carbonite;
mod carbonite_colours;
mod carcassonne;
mod freeze;
mod icedice;
mod pig;
