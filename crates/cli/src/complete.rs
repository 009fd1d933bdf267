//! What a shell may complete that only the program knows: games, policies with their parameters, rules and their options.
//!
//! The scripts of `stopwise completions` run `stopwise __complete SHELL WORD…`, whose last word is the one to be completed.
//! It prints the words that it may become, one a line, and nothing where the script knows better.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use clap::{Arg, Command, CommandFactory as _};
use stopwise_erased::{AnyRules, Game, games};
use stopwise_policy::{TomlText as _, is_unseen};

use crate::args::{Cli, GameArgs};
use crate::session::Session;
use crate::setup::{self, ALL, PolicySpec, rules};

/// The first argument that asks for completions.
pub(crate) const ASK: &str = "__complete";

/// The answer, if that is what this process was asked for.
pub(crate) fn asked(session: &Session) -> Option<String> {
    let mut words = session.words().iter().skip(1).map(|word| word.to_string_lossy().into_owned());
    if words.next()? != ASK {
        return None;
    }
    let is_bash = words.next().is_some_and(|shell| shell == "bash");
    let words: Vec<_> = if is_bash { rejoined(words) } else { words.collect() };
    let (word, before) = words.split_last()?;
    // Of words with these characters bash replaces what follows on the last.
    let kept = word.rfind(BREAKS).filter(|_| is_bash).map_or(0, |at| at + 1);
    let found = candidates(session, before, word).into_iter().filter(|found| !found.contains(is_unseen));
    Some(found.map(|found| format!("{}\n", &found[kept.min(found.len())..])).collect())
}

/// What bash takes for words of their own.
const BREAKS: [char; 2] = ['=', ':'];

/// The words as they were typed, of those into which bash breaks them.
fn rejoined(words: impl Iterator<Item = String>) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    let mut is_open = false;
    for word in words {
        let is_break = !word.is_empty() && word.chars().all(|c| BREAKS.contains(&c));
        match joined.last_mut() {
            Some(last) if is_break || is_open => last.push_str(&word),
            _ => joined.push(word),
        }
        is_open = is_break;
    }
    joined
}

/// What was typed before the word.
#[derive(Debug)]
struct Typed<'s> {
    session: &'s Session,
    /// The names of arguments with their values, in order.
    values: Vec<(String, String)>,
}

impl Typed<'_> {
    fn all<'t>(&'t self, name: &'t str) -> impl Iterator<Item = &'t String> {
        self.values.iter().filter(move |(known, _)| known == name).map(|(_, value)| value)
    }

    fn game(&self) -> Option<&'static Game> {
        setup::game(self.session, self.all("game").next()?).ok()
    }

    /// The game that is typed, or all.
    fn games(&self) -> Vec<&'static Game> {
        match self.all("game").next() {
            Some(_) => self.game().into_iter().collect(),
            None => games(),
        }
    }

    /// The rules as far as they are typed.
    fn rules(&self) -> Option<Arc<dyn AnyRules>> {
        let args = GameArgs {
            game: self.all("game").next()?.clone(),
            rules: self.all("rules").next().cloned(),
            set: self.all("set").cloned().collect(),
        };
        rules(self.session, &args).ok().map(|named| named.rules)
    }
}

/// What a word may become, after these.
fn candidates(session: &Session, before: &[String], word: &str) -> Vec<String> {
    let mut command = Cli::command();
    let mut typed = Typed { session, values: Vec::new() };
    let mut positional = 0;
    let mut open: Option<String> = None;
    for word in before {
        if let Some(name) = open.take() {
            typed.values.push((name, word.clone()));
        } else if let Some((option, value)) = option(&command, word) {
            match (takes_value(option), value) {
                (true, Some(value)) => typed.values.push((option.get_id().to_string(), value.to_owned())),
                (true, None) => open = Some(option.get_id().to_string()),
                (false, _) => {}
            }
        } else if let Some(inner) = command.find_subcommand(word) {
            command = inner.clone();
        } else if !word.starts_with('-') {
            if let Some(name) = nth(&command, positional) {
                typed.values.push((name, word.clone()));
            }
            positional += 1;
        }
    }
    let (name, prefix, word) = match (open, word.split_once('=')) {
        (Some(name), _) => (Some(name), String::new(), word),
        (None, Some((typed, value))) if typed.starts_with("--") => {
            let option = option(&command, typed).filter(|(option, _)| takes_value(option));
            (option.map(|(option, _)| option.get_id().to_string()), format!("{typed}="), value)
        }
        _ if word.starts_with('-') => return Vec::new(),
        _ => (nth(&command, positional), String::new(), word),
    };
    let found = name.map_or_else(Vec::new, |name| values(&name, word, &typed));
    found.into_iter().filter(|found| found.starts_with(word)).map(|found| prefix.clone() + &found).collect()
}

fn takes_value(option: &Arg) -> bool {
    option.get_action().takes_values()
}

/// The option that a word names, with the value that stands in the same word.
fn option<'c, 'w>(command: &'c Command, word: &'w str) -> Option<(&'c Arg, Option<&'w str>)> {
    if let Some(long) = word.strip_prefix("--") {
        let (name, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
        return command.get_arguments().find(|arg| arg.get_long() == Some(name)).map(|arg| (arg, value));
    }
    let short = word.strip_prefix('-')?;
    let letter = short.chars().next()?;
    let value = Some(&short[letter.len_utf8()..]).filter(|value| !value.is_empty());
    command.get_arguments().find(|arg| arg.get_short() == Some(letter)).map(|arg| (arg, value))
}

/// The name of a positional argument; the last may come several times.
fn nth(command: &Command, number: usize) -> Option<String> {
    let all: Vec<_> = command.get_positionals().collect();
    let is_several = |last: &&&Arg| matches!(last.get_action(), clap::ArgAction::Append);
    let arg = all.get(number).or_else(|| all.last().filter(is_several));
    arg.map(|arg| arg.get_id().to_string())
}

/// The values of an argument that only the program knows.
fn values(name: &str, word: &str, typed: &Typed<'_>) -> Vec<String> {
    match name {
        "game" => games().iter().map(|game| game.name.to_owned()).chain(files(word, ".game")).collect(),
        "policies" | "policy" | "files" | "naive" | "against" => policies(name, word, typed),
        "rules" => {
            let of = typed.games();
            let names = of.iter().flat_map(|game| game.presets).map(|preset| preset.name.to_owned());
            names.chain(files(word, ".toml")).collect()
        }
        "set" => options(word, typed),
        "vary_rule" => options(word, typed).into_iter().chain(["preset=".to_owned()]).collect(),
        "variant" => {
            let kept = word.rfind(',').map_or(0, |at| at + 1);
            let last = options(&word[kept..], typed);
            last.into_iter().map(|option| format!("{}{option}", &word[..kept])).collect()
        }
        "vary" => {
            let of_all = typed.all("policies").flat_map(|policy| parameters(policy, typed));
            of_all.map(|name| format!("{name}=")).collect()
        }
        "metric" => {
            let rules = typed.rules();
            rules.iter().flat_map(|rules| rules.metrics()).map(|metric| metric.name.to_owned()).collect()
        }
        _ => Vec::new(),
    }
}

/// Shipped policies, files, and after a colon the parameters of either.
fn policies(name: &str, word: &str, typed: &Typed<'_>) -> Vec<String> {
    if let Some((policy, assigned)) = word.rsplit_once(':') {
        let kept = assigned.rfind(',').map_or(0, |at| at + 1);
        let beginning = format!("{policy}:{}", &assigned[..kept]);
        return parameters(policy, typed).iter().map(|name| format!("{beginning}{name}=")).collect();
    }
    let of = typed.games();
    let names = of.iter().flat_map(|game| game.policies).map(|policy| policy.name.to_owned());
    let all = (name == "policies").then(|| ALL.to_owned());
    names.chain(all).chain(files(word, ".toml")).collect()
}

/// The names of a policy's parameters.
fn parameters(policy: &str, typed: &Typed<'_>) -> Vec<String> {
    let compiled = || {
        let spec = PolicySpec::parse(typed.session, policy.split(':').next()?, typed.game()).ok()?;
        let first = || {
            let game = setup::game(typed.session, &spec.text.game().ok()?).ok()?;
            setup::first_rules(game).ok().map(|named| named.rules)
        };
        let rules = typed.rules().or_else(first)?;
        rules.compile(&spec.text, &[]).ok()
    };
    let names = |policy: stopwise_erased::AnyPolicy| {
        policy.heading().parameters.iter().map(|parameter| parameter.name.clone()).collect()
    };
    compiled().map_or_else(Vec::new, names)
}

/// Options of the rules; after the sign the words that the option takes.
fn options(word: &str, typed: &Typed<'_>) -> Vec<String> {
    let options = typed.rules().map_or(&[][..], |rules| rules.info().options);
    if let Some((option, _)) = word.split_once('=') {
        let known = options.iter().find(|known| known.name == option);
        let words = known.map(|known| known.domain.words()).unwrap_or_default();
        return words.iter().map(|value| format!("{option}={value}")).collect();
    }
    options.iter().map(|option| format!("{}=", option.name)).collect()
}

/// Folders that begin with the word, and files whose names end so.
fn files(word: &str, end: &str) -> Vec<String> {
    let (folder, _) = word.rfind('/').map_or(("", word), |at| word.split_at(at + 1));
    let place = if folder.is_empty() { Path::new(".") } else { Path::new(folder) };
    let Ok(entries) = fs::read_dir(place) else { return Vec::new() };
    let mut found: Vec<_> = entries
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let is_folder = entry.path().is_dir() && !name.starts_with('.') && !word.is_empty();
            (is_folder || name.ends_with(end))
                .then(|| format!("{folder}{name}{}", if is_folder { "/" } else { "" }))
        })
        .collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Vec<String> {
        let words: Vec<_> = line.split(' ').map(str::to_owned).collect();
        let (word, before) = words.split_last().expect("a word");
        candidates(&Session::default(), before, word)
    }

    #[test]
    fn words_of_a_command_line() {
        for (line, expected) in [
            ("simulate carb", &["carbonite"][..]),
            ("simulate carbonite -p second", &["second-tree"]),
            ("simulate carbonite --policy=second", &["--policy=second-tree"]),
            ("simulate -n 10 pig -q --policy hold-", &["hold-at-25"]),
            ("simulate carbonite -p first:", &["first:k="]),
            ("simulate icedice -p last-chance -p rac", &["racer"]),
            ("rank pig -p al", &["all"]),
            ("simulate carbonite --rules r", &["readme-v1"]),
            ("simulate carbonite --set tur", &["turns="]),
            ("simulate carbonite --set points.so", &["points.solid="]),
            ("simulate carbonite --set retribution=a", &["retribution=all", "retribution=any"]),
            ("simulate carbonite --set doubling=", &["doubling=false", "doubling=true"]),
            ("balance carbonite --variant turns=5,atom=b", &["turns=5,atom=bust"]),
            ("sweep carbonite -p first --vary ", &["k="]),
            ("sweep carbonite -p first --vary-rule pre", &["preset="]),
            ("solve pig --metric bu", &["busts"]),
            ("policy explain tid", &["tidy", "tidy-marks"]),
            ("policy explain --game pig ho", &["hold", "hold-at-25"]),
            ("policy features fre", &["freeze"]),
            ("rules show pig", &["pig"]),
            ("simulate carbonite --tri", &[]),
            ("sim", &[]),
            ("simulate chess -p fir", &[]),
            ("completions ba", &[]),
        ] {
            assert_eq!(of(line), expected, "{line}");
        }
    }

    #[test]
    fn bash_breaks_words() {
        let words = ["simulate", "pig", "--set", "goal", "=", "5", "-p", "hold", ":", "n", "="];
        let joined = rejoined(words.iter().map(|&word| word.to_owned()));
        assert_eq!(joined, ["simulate", "pig", "--set", "goal=5", "-p", "hold:n="]);
    }
}
