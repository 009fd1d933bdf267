//! A game that was played, as a policy that `replay` takes.

use std::path::Path;

use super::table::PlayedGame;
use crate::args::{Play, shell_line};

/// The file.
pub(crate) const KEPT: &str = "you.toml";
/// How it begins.
const BEGINNING: &str = "# What a person answered in a game of stopwise.";

/// A game that was played.
pub(super) struct Kept<'k> {
    pub(super) table: &'k PlayedGame,
    pub(super) args: &'k Play,
    /// The other policies, as they were typed.
    pub(super) others: &'k [String],
}

/// Whether an earlier game was kept in this file.
pub(super) fn is_ours(path: &Path) -> bool {
    std::fs::read_to_string(path).is_ok_and(|text| text.starts_with(BEGINNING))
}

impl Kept<'_> {
    /// The command that tells the game again.
    pub(super) fn replay(&self, directory: &Path) -> String {
        let game = &self.args.game;
        let mut words: Vec<String> = ["stopwise", "replay", &game.game].map(str::to_owned).into();
        let mut option = |name: &str, value: &str| words.extend([name.to_owned(), value.to_owned()]);
        game.rules.iter().for_each(|rules| option("--rules", rules));
        game.set.iter().for_each(|set| option("--set", set));
        let own = directory.join(KEPT).to_string_lossy().into_owned();
        let labels = self.table.labels();
        let mut others = (0..labels.len()).map(|at| match self.others {
            [] => labels[at].clone(),
            [one] => one.clone(),
            all => all[at].clone(),
        });
        for seat in 0..=labels.len() {
            let policy =
                if seat == self.table.seat() { own.clone() } else { others.next().unwrap_or_default() };
            option("--policy", &policy);
        }
        option("--seed", &self.table.seed().to_string());
        option("--trial", &self.table.trial().to_string());
        shell_line(&words)
    }

    /// The file.
    pub(super) fn text(&self, directory: &Path) -> String {
        let answers: Vec<String> = self.table.answers().iter().map(i64::to_string).collect();
        format!(
            "{BEGINNING} See it again:\n# {}\ngame = \"{}\"\nname = \"you\"\n\
             summary = \"What a person answered in trial {} of seed {}, in seat {}.\"\n\n\
             # The numbers of the actions, in their order, without those that had no alternative.\nanswers = [{}]\n",
            self.replay(directory),
            self.table.rules().game(),
            self.table.trial(),
            self.table.seed(),
            self.table.seat() + 1,
            answers.join(", ")
        )
    }
}
