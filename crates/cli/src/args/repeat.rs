//! The command line that gives a result again: what it depends on, and nothing else.

use std::fmt::Display;

use super::{Common, GameArgs};

/// A command line, word by word.
#[derive(Clone, Debug)]
pub(crate) struct Repeat(Vec<String>);

impl Repeat {
    /// A command about a game under rules.
    pub(crate) fn of(command: &str, game: &GameArgs) -> Self {
        let repeat = Self(vec!["stopwise".into(), command.into(), game.game.clone()]);
        repeat.maybe("--rules", game.rules.as_ref()).all("--set", &game.set)
    }

    /// An option with its value.
    pub(crate) fn option(mut self, name: &str, value: impl Display) -> Self {
        self.0.extend([name.to_owned(), value.to_string()]);
        self
    }

    /// The same if there is a value.
    pub(crate) fn maybe(self, name: &str, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.option(name, value),
            None => self,
        }
    }

    /// The same for a number, in as few characters as give it again.
    pub(crate) fn number(self, name: &str, value: Option<f64>) -> Self {
        let texts = value.map(|value| [value.to_string(), format!("{value:?}")]);
        self.maybe(name, texts.and_then(|texts| texts.into_iter().min_by_key(String::len)))
    }

    /// An option once for every value.
    pub(crate) fn all(self, name: &str, values: &[String]) -> Self {
        values.iter().fold(self, |repeat, value| repeat.option(name, value))
    }

    /// An option without a value.
    pub(crate) fn flag(mut self, name: &str, is_given: bool) -> Self {
        if is_given {
            self.0.push(name.to_owned());
        }
        self
    }

    /// The seed, and after how many trials or points a run ended that was cut short.
    pub(crate) fn common(self, common: &Common, cut: Option<u64>) -> Self {
        self.option("--seed", common.seed).maybe("--stop-after", cut)
    }

    /// Its words.
    pub(crate) fn words(self) -> Vec<String> {
        self.0
    }

    /// As one line for a shell.
    pub(crate) fn text(&self) -> String {
        let words: Vec<_> = self.0.iter().map(|word| quoted(word)).collect();
        words.join(" ")
    }
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-.,:=/+@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let game = GameArgs { game: "pig".into(), rules: None, set: Vec::new() };
        let line = [1e-100, 5.0, 0.05].map(Some).into_iter().chain([None]);
        let line = line.fold(Repeat::of("rank", &game), |line, value| line.number("--alpha", value)).text();
        assert_eq!(line, "stopwise rank pig --alpha 1e-100 --alpha 5 --alpha 0.05");
    }

    #[test]
    fn a_line_for_a_shell() {
        let game = GameArgs { game: "pig".into(), rules: None, set: vec!["goal=50".into()] };
        let policies = ["hold:n=20".to_owned(), "my policy's.toml".to_owned()];
        let line = Repeat::of("simulate", &game).all("--policy", &policies).flag("--rotate", true).text();
        assert_eq!(
            line,
            "stopwise simulate pig --set goal=50 --policy hold:n=20 --policy 'my policy'\\''s.toml' --rotate"
        );
    }
}
