//! The game that a policy is for, where it does not say so or names none that there is.

use stopwise_erased::{Game, games};
use stopwise_policy::{Text, TextError, TomlText as _, nearest, shipped};

use super::{first_rules, games_here};
use crate::session::Session;

/// The game that a policy seems to be for: the one of the name most like its game's, or else the one most of whose words it
/// is written in; one of the current directory before those that come with the program. None if it has no word of any.
pub(crate) fn likely_game(session: &Session, text: &Text) -> Option<&'static Game> {
    let named = text.game().ok();
    let near = named.and_then(|name| nearest(&name, shipped::games())).and_then(stopwise_erased::game);
    if near.is_some() {
        return near;
    }
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let written: Vec<_> = text.text.split(|c| !is_letter(c)).collect();
    let known = |game: &'static Game| {
        let Ok(named) = first_rules(game) else { return 0 };
        let features = named.rules.features();
        let words = named.rules.kinds().iter().map(|kind| kind.name);
        let words = words.chain(features.iter().map(|feature| feature.name));
        let words = words.chain(named.rules.info().predicates.iter().map(|predicate| predicate.name));
        words.filter(|word| written.contains(word)).count()
    };
    let mut games = games();
    games.reverse();
    games.extend(games_here(session));
    let words = games.into_iter().map(|game| (known(game), game));
    words.max_by_key(|(many, _)| *many).filter(|(many, _)| *many > 0).map(|(_, game)| game)
}

/// What is wrong with a policy of which nobody knows the game; where the text names none, with the likely one.
pub(super) fn advised(session: &Session, text: &Text, mut error: TextError) -> TextError {
    if let Some(game) = text.lacks_game().then(|| likely_game(session, text)).flatten() {
        let help = format!("write game = \"{}\", whose words it has", game.name);
        error.problems.iter_mut().for_each(|problem| problem.help = Some(help.clone()));
    }
    error
}
