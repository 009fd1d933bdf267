//! The command line of a request: everything that its result depends on, in the order of the help, and nothing else.
//!
//! A request is serialised with the names of its options; what changes no result is skipped there.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::{GameArgs, PolicyArgs, Request};

impl Request {
    /// The command line that gives its result again, word by word; of what has no result to repeat its first word alone.
    pub(crate) fn command_line(&self) -> Vec<String> {
        match self {
            Self::Simulate(request) => command_line("simulate", request),
            Self::Compare(request) => command_line("compare", request),
            Self::Rank(request) => command_line("rank", request),
            Self::Sweep(request) => command_line("sweep", request),
            Self::Balance(request) => command_line("balance", request),
            Self::Solve(request) => command_line("solve", request),
            Self::Advise(request) => command_line("advise", request),
            Self::Bench(request) => command_line("bench", request),
            _ => vec!["stopwise".into()],
        }
    }
}

/// The command line that tells a trial step by step; without its number, which is to be added.
pub(crate) fn replay(game: &GameArgs, policy: &PolicyArgs, seed: u64, trial: Option<u64>) -> Vec<String> {
    #[derive(Serialize)]
    struct Replay<'r> {
        #[serde(flatten)]
        game: &'r GameArgs,
        #[serde(flatten)]
        policy: &'r PolicyArgs,
        seed: u64,
        trial: Option<u64>,
    }
    command_line("replay", &Replay { game, policy, seed, trial })
}

/// The command line that gives the result of a request again, word by word.
fn command_line(command: &str, request: &impl Serialize) -> Vec<String> {
    // What is in a request always has a text.
    let text = serde_json::to_string(request).unwrap_or_default();
    let Fields(fields) = serde_json::from_str(&text).unwrap_or_default();
    let mut words = vec!["stopwise".into(), command.into()];
    for (name, value) in fields {
        let option = format!("--{}", name.replace('_', "-"));
        match value {
            Value::Null | Value::Bool(false) => {}
            Value::Bool(true) => words.push(option),
            Value::Array(values) => {
                words.extend(values.iter().flat_map(|value| [option.clone(), word(value)]));
            }
            game if name == "game" => words.push(word(&game)),
            value => words.extend([option, word(&value)]),
        }
    }
    words
}

/// A value as it is typed: a number in as few characters as give it again.
fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => {
            let plain = number.as_f64().filter(|_| number.is_f64()).map(|number| number.to_string());
            let exact = number.to_string();
            plain.filter(|plain| plain.len() <= exact.len()).unwrap_or(exact)
        }
        value => value.to_string(),
    }
}

/// The fields of a request in their order, which a map of JSON does not keep.
#[derive(Default)]
struct Fields(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the fields of a request")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Fields, M::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

/// A time as it is typed.
pub(super) fn seconds<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    time.map(|time| format!("{}s", time.as_secs_f64())).serialize(serializer)
}

/// A path as it is told.
pub(super) fn path<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_ref().map(|path| path.to_string_lossy()).serialize(serializer)
}

/// A command line as a shell reads it.
pub(crate) fn shell_line(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-.,:=/+@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::super::Cli;
    use super::*;

    /// The command line of the request that these words make.
    fn again(words: &str) -> String {
        let words: Vec<_> = words.split(' ').map(|word| word.replace('_', " ")).collect();
        shell_line(&Cli::try_parse_from(&words).expect("it is one").request.command_line())
    }

    /// What is typed in the order of the help comes back as it was.
    #[test]
    fn a_request_is_typed_again() {
        for line in [
            "stopwise simulate pig --rules solo --set goal=50 --set bust=1 --policy hold:n=20 --policy b.toml --rotate \
             --trials 500 --until-width 0.05 --budget 90s --above 3 --above 5 --quantiles 0.5 --quantiles 0.9 \
             --best-of 7 --metric score --seed 18446744073709551615 --stop-after 3",
            "stopwise compare pig --rules a --rules b --set goal=50 --policy hold --rotate --trials 1 --until-width 5 \
             --until-decided 1e-100 --budget 0.5s --metric score --divergent 3 --seed 1",
            "stopwise rank pig --policy hold --vary n=1..3 --metric win --trials 9 --alpha 0.05 --aim best \
             --resolution 0.5 --fresh 0 --seed 1 --stop-after 7",
            "stopwise sweep pig --policy hold --vary n=1..3 --vary-rule goal=50,100 --metric win --trials 2 --paired 1 \
             --seed 1",
            "stopwise balance pig --rules a --set goal=50 --variant goal=60,bust=1 --one-by-one --vary-rule bust=1..3 \
             --policy hold --naive hold --targets t.toml --search 3 --mark 9 --close points=10 --trials 4 --seed 1",
            "stopwise solve pig --set goal=50 --policy hold --metric win",
            "stopwise bench --seconds 0.25",
        ] {
            assert_eq!(again(line), line);
        }
    }

    #[test]
    fn what_changes_no_result_is_left_out() {
        let line = "stopwise simulate pig -p my_policy's.toml -n 10k --threads 3 --out a --force --format json --quiet \
                    --runner trial --verbose --shard 1/3 --resume --trials-out a.csv";
        assert_eq!(
            again(line),
            "stopwise simulate pig --policy 'my policy'\\''s.toml' --trials 10000 --seed 1"
        );
        let line = "stopwise sweep pig --vary n=1..3 --max-memory 4G";
        assert_eq!(again(line), "stopwise sweep pig --vary n=1..3 --trials 1000000 --paired 100000 --seed 1");
    }
}
