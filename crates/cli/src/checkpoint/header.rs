//! The identity of a run: everything that its results depend on, and nothing else. Check points and shards begin with it.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use stopwise_engine::stream::SCHEME;
use stopwise_policy::shipped;

use super::part::Part;
use super::record::{checked, verified};

/// Changes with what is kept, or how.
const FORMAT: u32 = 3;

/// The first line of what is kept of a run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct Header {
    /// The program's version.
    stopwise: String,
    /// Of what the program plays: its streams and the texts that come with it.
    build: String,
    /// The command, word by word, with the program's name.
    pub(crate) plan: Vec<String>,
    /// The files that the command reads, by their paths.
    pub(crate) texts: BTreeMap<String, String>,
    /// Which parts of the run these are, from 1, in order, of how many.
    pub(crate) parts: Vec<u64>,
    pub(crate) of: u64,
}

impl Header {
    /// Of this program, with the files that the command has read.
    pub(crate) fn new(plan: Vec<String>, texts: BTreeMap<String, String>, part: Option<Part>) -> Self {
        let Part { number, of } = part.unwrap_or(Part { number: 1, of: 1 });
        Self {
            stopwise: env!("CARGO_PKG_VERSION").into(),
            build: build(),
            plan,
            texts,
            parts: vec![number],
            of,
        }
    }

    /// Of these parts of so many.
    pub(crate) fn with(self, parts: Vec<u64>, of: u64) -> Self {
        Self { parts, of, ..self }
    }

    /// The line, with its end.
    pub(crate) fn line(&self) -> String {
        checked(&[&serde_json::to_string(self).unwrap_or_default()])
    }

    /// The header of a line, if it is one and whole, of parts that there can be.
    pub(crate) fn of_line(line: &str) -> Option<Self> {
        let header: Self = serde_json::from_str(verified(line)?).ok()?;
        let is_part = |&number: &u64| (1..=header.of).contains(&number);
        let are_distinct = header.parts.is_sorted_by(|a, b| a < b);
        let are_parts = header.of <= Part::MOST && are_distinct && header.parts.iter().all(is_part);
        (are_parts && !header.parts.is_empty()).then_some(header)
    }

    /// The command as it was typed, more or less.
    pub(crate) fn told(&self) -> String {
        stopwise_policy::visible_word(&self.plan.join(" ")).into_owned()
    }

    /// Digits that no other run has, or part of one: where files are changes nothing.
    pub(crate) fn digest(&self) -> String {
        let (files, name) = (self.files(), |at: usize, name: &str| format!("{name}#{at}"));
        let all = (&self.stopwise, &self.build, self.meant(&files, &name), &files, &self.parts, self.of);
        digits(Sha256::new_with_prefix(format!("{all:?}")))
    }

    /// The files, by their names in their directories, in order.
    fn files(&self) -> Vec<(&str, &str)> {
        let mut files: Vec<_> =
            self.texts.iter().map(|(path, text)| (name_of(path), text.as_str())).collect();
        files.sort_unstable();
        files.dedup();
        files
    }

    /// The words of the command, with the names of these files, as `named` gives them, in place of their paths.
    fn meant(&self, files: &[(&str, &str)], named: &dyn Fn(usize, &str) -> String) -> Vec<String> {
        let name = |path: &str, text: &str| {
            let name = name_of(path);
            named(files.binary_search(&(name, text)).unwrap_or_default(), name)
        };
        let meant = |word: &String| {
            let (path, rest) = match word.split_once(':') {
                Some((path, _)) if self.texts.contains_key(path) => word.split_at(path.len()),
                _ => (word.as_str(), ""),
            };
            if let Some(text) = self.texts.get(path) {
                return name(path, text) + rest;
            }
            let is_within = |path: &&String| Path::new(path.as_str()).parent() == Some(Path::new(word));
            let within: Vec<_> = self.texts.keys().filter(is_within).collect();
            match &within[..] {
                [] => word.clone(),
                within => {
                    within.iter().map(|path| name(path, &self.texts[*path])).collect::<Vec<_>>().join(" ")
                }
            }
        };
        self.plan.iter().map(meant).collect()
    }

    /// The reason why parts of one run do not belong to the other; `None` if they do.
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        if self.stopwise != other.stopwise {
            let [a, b] = [&self.stopwise, &other.stopwise];
            return Some(format!("one is by stopwise {a}, the other by {b}: use one version for all"));
        }
        if self.build != other.build {
            return Some(format!(
                "they are by two programs that are both called stopwise {}, but come with different rules or policies: use \
                 the same for all",
                self.stopwise
            ));
        }
        let files = [self.files(), other.files()];
        let meant = |named: &dyn Fn(usize, &str) -> String| {
            self.meant(&files[0], named) == other.meant(&files[1], named)
        };
        let are_words = meant(&|_, name| name.to_owned());
        if are_words && files[0] != files[1] {
            let [a, b] = &files;
            let changed = a.iter().find(|file| !b.contains(file));
            let changed = changed.or_else(|| b.iter().find(|file| !a.contains(file)));
            let file = stopwise_policy::visible_word(changed.map_or("", |(name, _)| name)).into_owned();
            return Some(format!("`{file}` was another text"));
        }
        if !are_words || !meant(&|at, name| format!("{name}#{at}")) {
            return Some(format!("one is of `{}`, the other of `{}`", self.told(), other.told()));
        }
        (self.of != other.of).then(|| format!("one is a part of {}, the other of {}", self.of, other.of))
    }
}

/// What a file is called in its directory.
fn name_of(path: &str) -> &str {
    Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path)
}

/// Its first digits.
fn digits(digest: Sha256) -> String {
    let mut digits: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    digits.truncate(16);
    digits
}

/// Of what this program plays.
pub(crate) fn build() -> String {
    let mut digest = Sha256::new();
    digest.update(format!("{FORMAT} {SCHEME}"));
    for shipped in shipped::POLICIES.iter().chain(shipped::RULES).chain(shipped::GALLERY).chain(shipped::TOLD)
    {
        digest.update(shipped.game);
        digest.update(shipped.name);
        digest.update(shipped.text().text);
    }
    digits(digest)
}
