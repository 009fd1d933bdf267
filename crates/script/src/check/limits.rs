//! Games that do not end by themselves: most of them last until a limit on their turns.

use stopwise_engine::vocabulary::grouped;

use crate::op::Program;
use crate::problem::Problem;
use crate::syntax::{End, EndForm, File, Preset};
use crate::text::GameText;

use super::random::Met;

/// A limit of fewer turns of a player is how long a game is meant to last, if not told to be early.
const LONG: u64 = 100;

/// A limit until which most games last.
pub(super) struct Long {
    /// The name of the ending.
    pub(super) name: String,
    games: u64,
    /// The turns of a player in such a game; nothing of games that are cut off, which may be by the rolls of one turn.
    turns: Option<u64>,
}

/// The lines of an ending.
pub(super) fn lines_of<'a>(file: &'a File, name: &'a str) -> impl Iterator<Item = &'a End> + Clone {
    file.ends.iter().filter(move |end| end.name.as_ref().map_or("over", |name| &name.text) == name)
}

/// The limits until which more than half of the games last, though there are other ends.
pub(super) fn long(file: &File, program: &Program, met: &Met) -> Vec<Long> {
    let endings = program.endings.iter().zip(met.ended.iter().zip(&met.turns));
    let often = endings.filter(|(_, (ended, _))| *ended * 2 > met.games);
    often
        .filter_map(|(ending, (&games, turns))| {
            let lines = lines_of(file, &ending.name);
            let is_limit = |end: &End| matches!(end.form, EndForm::After(..));
            let is_early = match ending.name.as_str() {
                "capped" => ending.cap,
                _ => lines.clone().any(|end| end.early && is_limit(end)),
            };
            let turns = turns / (games * program.seats as u64);
            let others = file.ends.len() > lines.clone().count();
            let is_long = others && lines.clone().all(is_limit) && turns >= LONG;
            (is_early || is_long).then(|| Long {
                name: ending.name.clone(),
                games,
                turns: (!is_early).then_some(turns),
            })
        })
        .collect()
}

impl Long {
    /// Whether the preset says how long a game lasts.
    pub(super) fn is_meant_by(&self, file: &File, preset: &Preset) -> bool {
        let mut is_set = false;
        for line in lines_of(file, &self.name) {
            if let EndForm::After(many, _) = &line.form {
                many.each(&mut |part| {
                    is_set |= preset.values.iter().any(|(name, _)| part.word() == Some(&name.text));
                });
            }
        }
        is_set
    }

    fn message(&self, games: &str) -> String {
        let (name, many) = (&self.name, grouped(self.games));
        match self.turns.map(grouped) {
            None => format!("{many} of {games} are cut off (`{name}`)"),
            Some(turns) => format!("{many} of {games} last until `{name}`, {turns} turns of every player"),
        }
    }

    const HELP: &str = "does every turn bring the end nearer, whatever is answered?";

    /// What is said of it at its line.
    pub(super) fn problem(&self, file: &File, games: &str) -> Problem {
        let place = lines_of(file, &self.name).next().map_or(0..0, |line| line.span.clone());
        Problem::new(place, self.message(games)).help(Self::HELP)
    }

    /// What is said of it at a preset, if it is so with the preset only.
    pub(super) fn problem_of(&self, text: &GameText, preset: &Preset, games: &str) -> Problem {
        let preset_values = text.presets().iter().find(|other| other.name == preset.name.text);
        let values = preset_values.into_iter().flat_map(|preset| &preset.values);
        let values: Vec<String> = values.map(|(name, value)| format!("`{name} = {value}`")).collect();
        let help = format!("with {}, {}", values.join(", "), Self::HELP);
        Problem::new(preset.name.span.clone(), self.message(games)).help(help)
    }
}
