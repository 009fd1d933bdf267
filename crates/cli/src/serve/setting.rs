//! What the page is set to: a game with its rules, and who plays.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use stopwise_engine::game::Source;
use stopwise_erased::{AnyRules, NamedRules};
use stopwise_policy::Text;

use super::folder::Folder;
use super::{Clerk, Wrong};
use crate::args::{GameArgs, Simulate};
use crate::session::Session;
use crate::setup;
use crate::stop::StopToken;

/// Files that are texts, by their names.
pub(super) type Texts = BTreeMap<String, String>;

/// What a setting reads: texts, and the tables of values that policies among them name.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    pub(super) texts: Texts,
    pub(super) tables: BTreeMap<String, Arc<[u8]>>,
}

impl PartialEq for Files {
    /// Tables are read once, and settings share them.
    fn eq(&self, other: &Self) -> bool {
        let (own, others) = (self.tables.iter(), other.tables.iter());
        self.texts == other.texts
            && own.len() == others.len()
            && own.zip(others).all(|(own, other)| own.0 == other.0 && Arc::ptr_eq(own.1, other.1))
    }
}

/// The settings of the page.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Setting {
    /// The game: one that comes with the program, or a file of the directory.
    pub(super) game: String,
    /// The rules: a preset, or a file of the directory; else the first preset.
    #[serde(default)]
    pub(super) rules: Option<String>,
    /// The options that are changed, with their values.
    #[serde(default)]
    pub(super) set: BTreeMap<String, String>,
    /// Who plays: one for all seats, or one for each.
    #[serde(default)]
    pub(super) policies: Vec<Chosen>,
    /// Whether policies change seats from trial to trial.
    #[serde(default)]
    pub(super) rotate: bool,
    /// What is shown.
    #[serde(default)]
    pub(super) metric: Option<String>,
    #[serde(default)]
    pub(super) seed: Option<u64>,
    /// Texts that are being written, by the names of their files.
    #[serde(default)]
    pub(super) texts: Texts,
}

/// A policy with its parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct Chosen {
    pub(super) name: String,
    #[serde(default)]
    pub(super) params: BTreeMap<String, String>,
}

impl Chosen {
    /// As it is typed.
    pub(super) fn word(&self) -> String {
        let params = self.params.iter().map(|(name, value)| format!("{name}={value}"));
        let params = params.collect::<Vec<_>>().join(",");
        if params.is_empty() { self.name.clone() } else { format!("{}:{params}", self.name) }
    }
}

impl Setting {
    /// The game with its rules, as they are typed.
    pub(super) fn game(&self) -> GameArgs {
        let set = self.set.iter().map(|(name, value)| format!("{name}={value}")).collect();
        GameArgs { game: crate::names::meant(&self.game).to_owned(), rules: self.rules.clone(), set }
    }

    /// The seed of all dice.
    pub(super) fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    /// Who plays, as it is typed.
    pub(super) fn policies(&self) -> Vec<String> {
        self.policies.iter().map(Chosen::word).collect()
    }

    /// The simulation of it.
    pub(super) fn simulation(&self, clerk: &Clerk<'_>, trials: u64) -> Simulate {
        let mut request = Simulate::of("pig");
        request.game = self.game();
        request.policy.policies = self.policies();
        request.policy.rotate = self.rotate;
        request.metric = self.metric.clone();
        request.stop.trials = Some(trials);
        clerk.common(&mut request.common, self.seed);
        request
    }

    /// The files that it names: as they are being written, or else those of the directory.
    pub(super) fn files(&self, folder: &Folder) -> Result<Files, Wrong> {
        let mut texts = self.texts.clone();
        let policies = self.policies.iter().map(|policy| &policy.name);
        for name in [&self.game].into_iter().chain(&self.rules).chain(policies) {
            if !texts.contains_key(name) && folder.has(name) {
                texts.insert(name.clone(), folder.read(name)?);
            }
        }
        // A policy may be a table of values, in a file beside it.
        let mut tables = BTreeMap::new();
        for (name, text) in &texts {
            if let Some(file) = stopwise_policy::file_of_values(&Text::new(name, text))
                && let Some(values) = folder.values(&file)?
            {
                tables.insert(file, values);
            }
        }
        Ok(Files { texts, tables })
    }

    /// A session in which it can be read.
    pub(super) fn session(&self, folder: &Folder) -> Result<Session, Wrong> {
        Ok(self.files(folder)?.session(StopToken::default()))
    }

    /// The rules.
    pub(super) fn rules(&self, session: &Session) -> Result<NamedRules, Wrong> {
        Ok(setup::rules(session, &self.game())?)
    }
}

/// What is played for: the first metric, unless every game has the same of it under these rules, such as one turn, and another is
/// known at the end; by its index, and as it is typed where it is another.
pub(super) fn objective(rules: &dyn AnyRules) -> (usize, Option<String>) {
    let metrics = rules.metrics();
    // There is at least one turn.
    let is_same = |&(low, high): &(f64, f64)| low == high || metrics[0].unit == "turns" && high <= 1.0;
    let other = || metrics.iter().skip(1).position(|metric| metric.source == Source::End);
    match rules.bounds(0).filter(is_same).and_then(|_| other()) {
        Some(at) => (at + 1, Some(metrics[at + 1].name.to_owned())),
        None => (0, None),
    }
}

impl Files {
    /// A session with no files but these, that can be asked to end.
    pub(super) fn session(self, stop: StopToken) -> Session {
        let Self { texts, tables } = self;
        Session::library(Vec::new(), stop, texts, BTreeMap::new(), None).reading(true).with_tables(tables)
    }
}
