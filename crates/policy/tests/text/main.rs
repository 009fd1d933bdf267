//! Policies and rules as text: what they mean, what is wrong with them, and how long that takes to find out.

mod effort;
mod errors;
mod meaning;
mod rules;
mod shipped;
