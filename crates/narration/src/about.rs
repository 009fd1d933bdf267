//! What a game is, for people: its rules in half a page, its words, and where they were published.
//!
//! The prose is a shipped text, `rules/GAME/about.txt`: a title, paragraphs with an empty line between them, `Words:` with a
//! line `word: meaning` each, and `Sources:` with a line each. What is reported and how games end is said by the rules
//! themselves, so that it cannot drift apart.

use std::collections::HashSet;

use stopwise_erased::{AnyRules, Game};
use stopwise_policy::TextError;
use stopwise_policy::shipped::Shipped;

use crate::read_rules;

/// A game in half a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameSummary {
    /// Its name as people write it, and who invented it.
    pub title: String,
    /// The rules: aim, turn, end, what one decides.
    pub paragraphs: Vec<String>,
    /// Words with their meanings: those of the game, then metrics and endings.
    pub words: Vec<(String, String)>,
    /// Where the rules were published.
    pub sources: Vec<String>,
}

/// What a game is, under all its presets. Without a text of its own it has only the words of its reports.
///
/// # Errors
///
/// If one of its presets cannot be read.
pub fn about(game: &'static Game) -> Result<GameSummary, TextError> {
    let rules = |preset: &Shipped| Ok(read_rules(game, &preset.text())?.rules);
    let presets = game.presets.iter().map(rules).collect::<Result<Vec<_>, TextError>>()?;
    Ok(about_under(game, presets.iter().map(|rules| &**rules)))
}

/// The same, with the metrics and endings of these rules alone: nothing else is read for it.
pub fn about_under<'r>(game: &Game, rules: impl IntoIterator<Item = &'r dyn AnyRules>) -> GameSummary {
    let mut about = parsed(game.about);
    let mut seen: HashSet<String> = about.words.iter().map(|(word, _)| word.clone()).collect();
    for rules in rules {
        let metrics = rules.metrics().iter().map(|metric| (metric.name, metric.meaning.to_owned()));
        let endings = rules.endings().iter();
        let endings = endings.map(|ending| (ending.name, format!("an ending: {}", ending.meaning)));
        for (word, meaning) in metrics.chain(endings) {
            if seen.insert(word.to_owned()) {
                about.words.push((word.to_owned(), meaning));
            }
        }
    }
    about
}

/// The parts of a file.
fn parsed(text: &str) -> GameSummary {
    let (prose, rest) = text.split_once("\nWords:\n").unwrap_or((text, ""));
    let (words, sources) = rest.split_once("\nSources:\n").unwrap_or((rest, ""));
    // Lines that are indented are a list.
    let joined = |block: &str| match block.contains("\n  ") {
        true => block.trim_end().to_owned(),
        false => block.split_whitespace().collect::<Vec<_>>().join(" "),
    };
    let mut blocks = prose.split("\n\n").map(joined);
    let title = blocks.next().unwrap_or_default();
    let lines =
        |part: &str| part.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let word = |line: &String| {
        let (word, meaning) = line.split_once(": ").unwrap_or((line, ""));
        (word.to_owned(), meaning.to_owned())
    };
    GameSummary {
        title: title.trim_start_matches("# ").to_owned(),
        paragraphs: blocks.filter(|block| !block.is_empty()).collect(),
        words: lines(words).iter().map(word).collect(),
        sources: lines(sources),
    }
}

#[cfg(test)]
mod tests {
    use stopwise_erased::games;
    use stopwise_policy::shipped;

    use super::*;

    /// Adding a game means to write its file: see docs/adding-a-game.md.
    #[test]
    fn every_game_is_told() {
        for game in games().iter().filter(|game| game.text.is_empty()) {
            let place = shipped::about(game.name).expect("every game ships texts").file;
            let GameSummary { title, paragraphs, words, sources } = about(game).expect("presets are good");
            assert!(!title.is_empty() && !sources.is_empty(), "{place}: a title and sources");
            let begins = |what: &str| paragraphs.iter().any(|paragraph| paragraph.starts_with(what));
            for what in ["Aim.", "A turn.", "The end.", "What one decides."] {
                assert!(
                    begins(what) || (what == "A turn." && begins("Play.")),
                    "{place}: no paragraph `{what}`"
                );
            }
            let length: usize = paragraphs.iter().map(|paragraph| paragraph.chars().count()).sum();
            assert!((400..2500).contains(&length), "{place}: {length} characters are not half a page");
            let mut names = HashSet::new();
            for (word, meaning) in &words {
                assert!(!word.is_empty() && !meaning.is_empty(), "{place}: `{word}: {meaning}`");
                assert!(names.insert(word.as_str()), "{place}: `{word}` twice");
            }
            for preset in game.presets {
                let rules = read_rules(game, &preset.text()).expect("a preset").rules;
                let metrics = rules.metrics().iter().map(|metric| metric.name);
                for word in metrics.chain(rules.endings().iter().map(|ending| ending.name)) {
                    assert!(names.contains(word), "{place}: {word} is reported, and not explained");
                }
            }
        }
        let in_rust = games().iter().filter(|game| game.text.is_empty()).count();
        assert_eq!(shipped::ABOUT.len(), in_rust, "a text without a game");
    }

    #[test]
    fn files_have_parts() {
        let text = "# Title\n\nOne\nparagraph.\n\nTwo.\n\nWords:\na word: its meaning: so\nb: c\n\nSources:\nhere\nthere\n";
        let about = parsed(text);
        assert_eq!(about.title, "Title");
        assert_eq!(about.paragraphs, ["One paragraph.", "Two."]);
        assert_eq!(about.words[0], ("a word".into(), "its meaning: so".into()));
        assert_eq!((about.words.len(), about.sources), (2, vec!["here".to_owned(), "there".to_owned()]));
    }
}
