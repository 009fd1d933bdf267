//! The options of a text as rules: read and written under their names, as those of the games in Rust.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::Error as _;
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use stopwise_engine::games::{Rules, RulesError};
use stopwise_engine::options::{Domain, RuleOption};

use crate::kept::leaked;
use crate::op::{GameOption, Values};
use crate::script::Script;

/// Programs are interned: equal texts with equal options are one.
impl PartialEq for Script {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl GameOption {
    /// The option in the engine's terms. Its texts last as long as the process.
    pub fn rule(&self) -> RuleOption {
        let domain = match &self.values {
            Values::YesNo => Domain::YesNo,
            Values::Whole(low, high) => Domain::whole(*low, *high),
            Values::Numbers(numbers) => {
                let numbers = numbers.iter().map(|&number| Domain::whole(number, number));
                Domain::Either(Vec::leak(numbers.collect()))
            }
            Values::Words(words) => Domain::Words(Vec::leak(words.iter().map(|word| leaked(word)).collect())),
        };
        RuleOption::new(leaked(&self.name), domain, leaked(&self.meaning))
    }
}

/// Options, or the parts of a group of them.
#[derive(Clone, Copy)]
struct Group<'o> {
    options: &'o [GameOption],
    /// The name of the group and a dot, or nothing.
    prefix: &'o str,
}

impl Serialize for Group<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let own =
            self.options.iter().filter_map(|option| Some((option.name.strip_prefix(self.prefix)?, option)));
        let mut groups: Vec<&str> = Vec::new();
        for (name, option) in own {
            let Some((group, _)) = name.split_once('.') else {
                map.serialize_entry(name, &Value(option))?;
                continue;
            };
            if !groups.contains(&group) {
                groups.push(group);
                let prefix = format!("{}{group}.", self.prefix);
                map.serialize_entry(group, &Group { options: self.options, prefix: &prefix })?;
            }
        }
        map.end()
    }
}

/// The value of an option.
struct Value<'o>(&'o GameOption);

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let GameOption { value, values, .. } = self.0;
        match (values, value.parse::<i64>()) {
            (Values::YesNo, _) => serializer.serialize_bool(value == "yes"),
            (Values::Whole(..) | Values::Numbers(_), Ok(number)) => serializer.serialize_i64(number),
            _ => serializer.serialize_str(value),
        }
    }
}

impl Serialize for Script {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Group { options: &self.0.program.options, prefix: "" }.serialize(serializer)
    }
}

/// A value as it is read.
#[derive(Deserialize)]
#[serde(untagged)]
enum Read {
    Truth(bool),
    Number(i64),
    Word(String),
    Group(BTreeMap<String, Read>),
}

impl fmt::Display for Read {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truth(truth) => f.write_str(if *truth { "yes" } else { "no" }),
            Self::Number(number) => write!(f, "{number}"),
            Self::Word(word) => f.write_str(word),
            Self::Group(_) => f.write_str("several values"),
        }
    }
}

/// Every value with its name.
fn flat(prefix: &str, values: &BTreeMap<String, Read>, all: &mut Vec<(String, String)>) {
    for (name, value) in values {
        match value {
            Read::Group(parts) => flat(&format!("{prefix}{name}."), parts, all),
            value => all.push((format!("{prefix}{name}"), value.to_string())),
        }
    }
}

impl Rules for Script {
    fn with_options<'de, D: Deserializer<'de>>(&self, options: D) -> Result<Self, D::Error> {
        let mut values = Vec::new();
        flat("", &BTreeMap::deserialize(options)?, &mut values);
        Self::new(&self.0.text, &values).map_err(|error| {
            let problem = error.problems.first();
            D::Error::custom(problem.map_or("these options", |problem| &problem.message))
        })
    }

    /// Options that do not fit together are no program.
    fn validate(&self) -> Result<(), RulesError> {
        Ok(())
    }
}
