//! Games that a person has played, as texts: the answers of one trial, which only its replay takes.

use serde::Deserialize;
use stopwise_text::Text;

use crate::heading::Heading;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    #[serde(rename = "game")]
    _game: String,
    name: String,
    summary: String,
    answers: Vec<i64>,
}

/// The answers of a text that has nothing else: numbers of actions, in their order. `None` for a text that is a policy, or
/// wrong.
pub fn answers(text: &Text) -> Option<(Heading, Vec<i64>)> {
    let kept: Kept = toml::from_str(&text.text).ok()?;
    Some((Heading::new(kept.name, kept.summary, text.clone()), kept.answers))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_no_policy() {
        let text = "game = \"pig\"\nname = \"you\"\nsummary = \"\"\nanswers = [0, 1]\n";
        let (heading, read) = answers(&Text::new("you.toml", text)).expect("answers");
        assert_eq!((heading.label(), read), ("you".into(), vec![0, 1]));
        assert!(
            answers(&Text::new("hold.toml", "game = \"pig\"\nname = \"hold\"\nstop = \"true\"\n")).is_none()
        );
    }
}
