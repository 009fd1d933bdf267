//! The games: one file or small folder each.

use std::fmt;

pub mod carbonite;
pub mod carcassonne;
pub mod freeze;
pub mod icedice;
pub mod pig;
mod predicates;

/// Rules that cannot be played: which option is wrong, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesError {
    /// The option's name.
    pub option: &'static str,
    /// What is wrong with it and what is allowed.
    pub message: String,
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.option, self.message)
    }
}

impl std::error::Error for RulesError {}

/// `Ok` if `value` lies in `low..=high`, otherwise an error that names the option.
fn in_range(option: &'static str, value: u32, low: u32, high: u32) -> Result<(), RulesError> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    Err(RulesError {
        option,
        message: format!("{value} is out of range; write a number from {low} to {high}"),
    })
}

/// Rules that can be written down and read back: every option of a game under its name.
pub trait Rules: crate::game::Game + serde::Serialize + serde::de::DeserializeOwned {
    /// Whether every option is in its range.
    ///
    /// # Errors
    ///
    /// Names the first option that is not.
    fn validate(&self) -> Result<(), RulesError>;
}
