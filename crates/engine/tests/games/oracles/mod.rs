//! The games against naive implementations that share no code with the engine: the same words and the same choices must
//! give the same game. Those of Pig, `IceDice` and `CarboniteDice` are their texts (`script/tests/texts/gallery/proofs.rs`).

mod naive;

mod carbonite_colours;
mod carcassonne;
mod counted;
mod freeze;
