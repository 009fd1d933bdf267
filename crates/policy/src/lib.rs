//! Policies and rules as text: parsed, checked with actionable errors, and compiled to decision tables.
//!
//! ```
//! use stopwise_engine::games::carbonite::Carbonite;
//! use stopwise_policy::{Text, TextPolicy};
//!
//! let text = Text::new("mine.toml", r#"
//!     game = "carbonite"
//!     name = "mine"
//!     summary = "Stop at k pieces, or earlier when the next roll is too dangerous."
//!     params = { k = 3, risk = 0.3 }
//!     stop = "counter >= k || bust_chance > risk"
//!     take = ["from_bank", "completes_solid", "not small"]
//!     mark = [{ when = "turn >= 6", prefer = ["not live"] }, { prefer = ["not type_missing"] }]
//! "#);
//! let policy = TextPolicy::compile(&text, &Carbonite::WIKI, &[])?;
//! assert_eq!(policy.label(), "mine:k=3,risk=0.3");
//! # Ok::<(), stopwise_policy::TextError>(())
//! ```

mod aim;
mod answer;
mod answering;
mod comparison;
mod compiler;
mod draft;
mod entry;
mod explain;
mod expression;
mod formula;
mod heading;
mod kept;
mod lanes;
pub mod native;
mod on_lanes;
mod policy;
mod preference;
mod quick;
mod read;
mod rules;
pub mod shipped;
mod targets;
mod typed;
mod value_table;
mod values;
mod words;

pub use expression::parameter::Parameter;
pub use heading::Heading;
pub use kept::answers;
pub use lanes::LaneText;
pub use policy::TextPolicy;
pub use read::TomlText;
pub use rules::{RulesText, explain_options, set_option, write_rules};
pub use stopwise_text::{Problem, Text, TextError, is_unseen, nearest, visible, visible_word};
pub use targets::{Known, Target, read_targets};
pub use typed::{declared, is_typed, retyped, typed};
pub use value_table::write_table;
pub use values::{file_of_values, metric_of_values, rules_of_values, write_values};
