//! Policies and rules as text: their meaning, their errors, and the time that reading takes.

mod effort;
mod errors;
mod meaning;
mod options;
mod rules;
mod shipped;
