//! The directory in which the page was started: the games, policies and rules of its own that it lists, and the only place
//! to which it writes.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};
use stopwise_policy::{Text, TomlText as _, visible_word};
use stopwise_script::GameText;

use super::Wrong;
use super::tables::Tables;
use crate::failure::Failure;

/// The most files that are listed.
const LISTED: usize = 500;
/// The most entries of a directory that are read.
const ENTRIES: usize = 20_000;
/// The longest name of a file.
const LONGEST: usize = 100;
/// The most bytes of a file that is saved.
const MOST: usize = 16 << 20;

/// The directory.
#[derive(Debug)]
pub(super) struct Folder {
    place: PathBuf,
    tables: Tables,
}

/// What is to be saved.
#[derive(Debug, Deserialize)]
pub(super) struct Save {
    name: String,
    text: String,
    /// Whether a file of this name may be replaced.
    #[serde(default)]
    replace: bool,
}

impl Folder {
    /// The directory in which the program was started. Its tables take a part of this memory.
    pub(super) fn here(memory: u64) -> Self {
        let place = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        Self { place, tables: Tables::within(memory) }
    }

    /// Whether this is the name of a text that the page may read.
    pub(super) fn has(&self, name: &str) -> bool {
        is_name(name, &[".game", ".toml"]) && self.is_file(name)
    }

    /// The game of this name, or of this file of the directory, with or without its ending.
    pub(super) fn game(&self, name: &str) -> Result<String, Failure> {
        if stopwise_erased::game(name).is_some() {
            return Ok(name.to_owned());
        }
        let plain = name.strip_prefix("./").unwrap_or(name);
        let file = if plain.ends_with(".game") { plain.to_owned() } else { format!("{plain}.game") };
        if self.has(&file) {
            return Ok(file);
        }
        let is_elsewhere = self.place.join(&file).parent() != Some(&self.place);
        Err(Failure::Input(format!(
            "{}: {}",
            visible_word(name),
            if is_elsewhere {
                "the page opens and saves files of the directory in which it is started; start it in the one of that file"
            } else {
                "there is no such game, and no such file here; `stopwise games` lists those that come with the program"
            }
        )))
    }

    /// Whether this is a file, and not a link to one elsewhere.
    fn is_file(&self, name: &str) -> bool {
        fs::symlink_metadata(self.place.join(name)).is_ok_and(|about| about.is_file())
    }

    /// The text of a file of the directory.
    pub(super) fn read(&self, name: &str) -> Result<String, Wrong> {
        let mut bytes = Vec::new();
        let most = Text::LONGEST as u64 + 1;
        let read = File::open(self.place.join(name)).and_then(|file| file.take(most).read_to_end(&mut bytes));
        read.map_err(|error| Wrong(422, format!("cannot read `{}`: {error}", visible_word(name))))?;
        let text = Text::from_bytes(name, bytes).map_err(|error| Wrong(422, error.to_string()))?;
        Ok(text.text)
    }

    /// A table of values of this plain name, if there is one.
    pub(super) fn values(&self, name: &str) -> Result<Option<Arc<[u8]>>, Wrong> {
        if name.contains(['/', '\\']) || !self.is_file(name) {
            return Ok(None);
        }
        self.tables.read(&self.place.join(name), name)
    }

    /// The texts, each with what it is for.
    pub(super) fn list(&self) -> Result<Value, Wrong> {
        let entries =
            fs::read_dir(&self.place).map_err(|error| Wrong(500, format!("the directory: {error}")))?;
        let names = entries.take(ENTRIES).filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut names: Vec<_> = names.filter(|name| self.has(name)).collect();
        names.sort();
        names.truncate(LISTED);
        let files = names.iter().filter_map(|name| {
            let text = Text::new(name, self.read(name).ok()?);
            let is_game = name.ends_with(".game");
            let named = if is_game { None } else { text.game().ok() };
            let (game, options) = named.map(|game| self.named(&game)).unzip();
            let kind = if is_game { "game" } else { kind(&text.text, &options.unwrap_or_default()) };
            Some(json!({ "name": name, "kind": kind, "game": game, "summary": text.summary() }))
        });
        let here = self
            .place
            .file_name()
            .map_or_else(|| self.place.display().to_string(), |name| name.to_string_lossy().into());
        Ok(json!({ "folder": visible_word(&here), "files": files.collect::<Vec<_>>() }))
    }

    /// The game that a text names, by name or by a file in the directory: the game's name, and the names of its options.
    fn named(&self, game: &str) -> (String, Vec<String>) {
        if let Some(game) = stopwise_erased::game(game) {
            return (game.name.into(), game.options.iter().map(|option| option.name.into()).collect());
        }
        let name = game.strip_suffix(".game").unwrap_or(game);
        let file = format!("{name}.game");
        let text = if self.has(&file) { self.read(&file).ok() } else { None };
        let Some(read) = text.and_then(|text| GameText::new(&text).ok()) else {
            return (name.to_owned(), Vec::new());
        };
        let own = if name == game { name } else { read.name() };
        (own.to_owned(), read.options().iter().map(|option| option.name.clone()).collect())
    }

    /// Writes a file, if there is none of its name or it may be replaced. It is written beside its place and then moved
    /// there, so that a link is replaced and never followed.
    pub(super) fn save(&self, Save { name, text, replace }: &Save) -> Result<Value, Wrong> {
        if !is_name(name, &[".game", ".toml", ".html"]) {
            return Err(Wrong(
                422,
                format!(
                    "`{}` is no name for a file here: letters, digits, spaces, - and _, ending in .game, .toml or .html",
                    visible_word(name)
                ),
            ));
        }
        if text.len() > MOST {
            return Err(Wrong(413, "the text is too long".into()));
        }
        let place = self.place.join(name);
        let failed = |error: std::io::Error| match error.kind() {
            ErrorKind::AlreadyExists => Wrong(412, format!("there is a file {} already", visible_word(name))),
            _ => Wrong(500, format!("cannot write {}: {error}", visible_word(name))),
        };
        let about = fs::symlink_metadata(&place);
        match (&about, *replace) {
            (Err(error), _) if error.kind() == ErrorKind::NotFound => create(&place, text).map_err(failed)?,
            (Ok(about), true) if about.is_file() => {
                let beside = self.place.join(format!(".{name}.part"));
                let _ = fs::remove_file(&beside);
                create(&beside, text).and_then(|()| fs::rename(&beside, &place)).map_err(|error| {
                    let _ = fs::remove_file(&beside);
                    failed(error)
                })?;
            }
            (Ok(about), _) if about.is_file() => return Err(failed(ErrorKind::AlreadyExists.into())),
            (Ok(_), _) => {
                return Err(Wrong(422, format!("{} is no file that can be replaced", visible_word(name))));
            }
            (Err(error), _) => return Err(failed(error.kind().into())),
        }
        Ok(json!({ "saved": name }))
    }
}

/// Writes a file that is not there yet.
fn create(place: &Path, text: &str) -> std::io::Result<()> {
    OpenOptions::new().write(true).create_new(true).open(place)?.write_all(text.as_bytes())
}

/// Whether this is a plain file name with one of these endings: no directory, and no name that an operating system
/// reserves.
fn is_name(name: &str, endings: &[&str]) -> bool {
    let Some(stem) = endings.iter().find_map(|ending| name.strip_suffix(ending)) else { return false };
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ' | '.');
    let reserved = ["con", "prn", "aux", "nul"];
    let first = stem.split('.').next().unwrap_or_default().trim().to_lowercase();
    let is_port = first.len() == 4 && (first.starts_with("com") || first.starts_with("lpt"));
    name.len() <= LONGEST
        && stem.chars().all(is_plain)
        && stem.starts_with(char::is_alphanumeric)
        && !stem.ends_with(['.', ' '])
        && !reserved.contains(&&*first)
        && !is_port
}

/// Whether a text in TOML is rules or a policy: rules have a base, or set an option of the game.
fn kind(text: &str, options: &[String]) -> &'static str {
    let is_option = |key: &str| options.iter().any(|name| name.split('.').next() == Some(key));
    let mut keys =
        text.lines().filter_map(|line| line.split_once('=').map(|(key, _)| key.trim()).or(table(line)));
    let is_rules = keys.any(|key| key == "base" || is_option(key.split('.').next().unwrap_or(key)));
    if is_rules { "rules" } else { "policy" }
}

/// The name of a TOML table, from the line of its head.
fn table(line: &str) -> Option<&str> {
    line.trim().strip_prefix('[')?.strip_suffix(']')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> Folder {
        let place = std::env::temp_dir().join(format!("stopwise-folder-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&place);
        fs::create_dir_all(&place).expect("it can be made");
        Folder { place, tables: Tables::within(4000) }
    }

    fn saved(folder: &Folder, name: &str, replace: bool) -> Result<(), u16> {
        let save = Save { name: name.into(), text: "new".into(), replace };
        folder.save(&save).map(drop).map_err(|Wrong(status, _)| status)
    }

    #[test]
    fn names() {
        for name in ["mine.game", "my rules-2_b.toml", "größer.toml", "a.b.toml"] {
            assert!(is_name(name, &[".game", ".toml"]), "{name}");
        }
        for name in [
            "",
            ".game",
            "..game",
            "../x.game",
            "a/b.game",
            "a\\b.game",
            "/etc/x.toml",
            ".hidden.toml",
            "x.txt",
            "x.game ",
            "a\0.toml",
            "a\n.toml",
            "con.toml",
            "COM1.game",
            "nul.x.toml",
            "x..toml",
            "x .toml",
            "C:x.toml",
            "-x.toml",
            "~.toml",
            "\u{202e}x.toml",
            "x.html",
        ] {
            assert!(!is_name(name, &[".game", ".toml"]), "{name:?}");
        }
        assert!(!is_name(&format!("{}.toml", "a".repeat(100)), &[".toml"]));
    }

    #[test]
    fn tables_lie_in_the_directory() {
        let folder = scratch("tables");
        assert!(folder.values("values.bin").expect("nothing is wrong").is_none());
        fs::write(folder.place.join("values.bin"), [7; 100]).expect("it can be written");
        let read = folder.values("values.bin").expect("nothing is wrong").expect("it is there");
        assert_eq!(*read, [7; 100]);
        assert!(folder.values("../values.bin").expect("nothing is wrong").is_none());
        fs::remove_dir_all(&folder.place).expect("it is ours");
    }

    #[test]
    fn files_are_written_once_and_replaced_when_that_is_wanted() {
        let folder = scratch("save");
        let read = || fs::read_to_string(folder.place.join("a.toml")).expect("it is there");
        assert_eq!(saved(&folder, "a.toml", false), Ok(()));
        fs::write(folder.place.join("a.toml"), "old").expect("it can be written");
        assert_eq!((saved(&folder, "a.toml", false), read()), (Err(412), "old".into()));
        assert_eq!((saved(&folder, "a.toml", true), read()), (Ok(()), "new".into()));
        assert_eq!(saved(&folder, "../a.toml", true), Err(422));
        fs::create_dir(folder.place.join("b.toml")).expect("it can be made");
        assert_eq!(saved(&folder, "b.toml", true), Err(422));
        assert_eq!(fs::read_dir(&folder.place).expect("it is there").count(), 2);
        fs::remove_dir_all(&folder.place).expect("it is ours");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let (folder, other) = (scratch("links"), scratch("other"));
        let secret = other.place.join("secret.toml");
        fs::write(&secret, "secret").expect("it can be written");
        std::os::unix::fs::symlink(&secret, folder.place.join("a.toml")).expect("it can be made");
        std::os::unix::fs::symlink(other.place.join("none.toml"), folder.place.join("b.toml"))
            .expect("it can be made");
        assert!(!folder.has("a.toml") && !folder.has("b.toml"));
        for name in ["a.toml", "b.toml"] {
            assert_eq!((saved(&folder, name, false), saved(&folder, name, true)), (Err(422), Err(422)));
        }
        assert_eq!(fs::read_to_string(&secret).expect("it is there"), "secret");
        assert!(!other.place.join("none.toml").exists());
        let list = folder.list().expect("it can be read");
        assert_eq!(list["files"], json!([]));
        for folder in [folder, other] {
            fs::remove_dir_all(&folder.place).expect("it is ours");
        }
    }

    #[test]
    fn texts_may_name_the_file_of_their_game() {
        let folder = scratch("named");
        let write =
            |name: &str, text: &str| fs::write(folder.place.join(name), text).expect("it can be written");
        let game = stopwise_policy::shipped::game_text("toss-up").expect("it is shipped").content;
        write("tossed.game", &game.replacen("game toss-up", "game toss", 1));
        write("a.toml", "game = \"tossed.game\"\nstop = \"true\"\n");
        write("b.toml", "game = \"toss\"\nstop = \"true\"\n");
        write("c.toml", "game = \"tossed.game\"\ngoal = 30\n");
        write("d.toml", "game = \"elsewhere.game\"\nstop = \"true\"\n");
        let list = folder.list().expect("it can be read");
        let files = list["files"].as_array().expect("files");
        let told: Vec<_> = files.iter().map(|file| [&file["name"], &file["kind"], &file["game"]]).collect();
        assert_eq!(
            json!(told),
            json!([
                ["a.toml", "policy", "toss"],
                ["b.toml", "policy", "toss"],
                ["c.toml", "rules", "toss"],
                ["d.toml", "policy", "elsewhere"],
                ["tossed.game", "game", null]
            ])
        );
        fs::remove_dir_all(&folder.place).expect("it is ours");
    }

    #[test]
    fn rules_and_policies_are_told_apart() {
        let options = ["goal".to_owned(), "points.solid".to_owned()];
        for (text, expected) in [
            ("game = \"pig\"\nname = \"x\"\nbase = \"solo\"\n", "rules"),
            ("game = \"pig\"\nname = \"x\"\ngoal = 3\n", "rules"),
            ("game = \"pig\"\npoints.solid = 3\n", "rules"),
            ("game = \"pig\"\n[points]\nsolid = 3\n", "rules"),
            ("game = \"pig\"\nparams = { n = 20 }\nstop = \"goal >= n\"\n", "policy"),
            ("game = \"pig\"\nstop = \"turn_total >= 20\"\n", "policy"),
        ] {
            assert_eq!(kind(text, &options), expected, "{text}");
        }
    }
}
