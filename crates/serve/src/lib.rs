//! A page on this machine: who may ask it, how much and for how long, and which of its questions are still wanted.
//!
//! What the questions are about is not known here: a [`Desk`] takes them as bytes and answers in bytes. The page itself, its
//! style and its script are in `page/`, and share the colours and the pictures of the reports.
//!
//! Whoever asks has to know the token in the address, has to name this very host, and has to come from this very page. What
//! is sent and how long it may take has limits, and work is dropped when whoever wanted it has gone or asks something newer.

mod budget;
mod connection;
mod desk;
mod gate;
mod newest;
mod page;
mod patient;
mod race;
mod reply;
mod server;

pub use budget::ANSWERS;
pub use desk::{Answer, Desk, Need, Question, Work};
pub use server::{Ending, Server, Settings};
