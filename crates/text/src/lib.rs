//! Texts from files, what is wrong with them, with its place and what to write instead, and what of them a terminal may
//! show: shared by policies, rules, targets and games.

mod problem;
mod text;
mod visible;

pub use problem::{Problem, Problems, TextError, both, in_order, is_same, misspelt, nearest, quoted};
pub use text::Text;
pub use visible::{is_unseen, visible, visible_word};
