//! The options of a game's rules, as data: their names, the values that they take, and what they mean.

use std::fmt;

/// An option of a game's rules, as rules files and `--set` name it. Its default is its value in the game's first preset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RuleOption {
    /// Its name, `turns`; a part of a group has that of the group before it, `points.solid`.
    pub name: &'static str,
    /// The values that it takes. Where options depend on each other,
    /// [`Rules::validate`](crate::games::Rules::validate) refuses some of them.
    pub domain: Domain,
    /// What it is, in a few words.
    pub meaning: &'static str,
}

impl RuleOption {
    /// An option with these values.
    pub const fn new(name: &'static str, domain: Domain, meaning: &'static str) -> Self {
        Self { name, domain, meaning }
    }

    /// The meaning without that of its words, and theirs, if they are told after it: `who wins: the first | all`.
    pub fn meanings(&self) -> (&'static str, Vec<&'static str>) {
        let (meaning, words) = self.meaning.rsplit_once(": ").unwrap_or((self.meaning, ""));
        let words: Vec<_> = words.split(" | ").collect();
        if words.len() > 1 && words.len() == self.domain.words().len() {
            (meaning, words)
        } else {
            (self.meaning, Vec::new())
        }
    }
}

/// The values that an option takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Domain {
    /// Yes or no: `true` or `false`.
    YesNo,
    /// A whole number.
    Whole(Range),
    /// A number from the first to the second, decimals included.
    Number(f64, f64),
    /// One of several words.
    Words(&'static [&'static str]),
    /// A text that the game itself reads, such as this one.
    Text(&'static str),
    /// A list of such values.
    List(&'static Domain),
    /// A value of any of these.
    Either(&'static [Domain]),
}

impl Domain {
    /// Whole numbers of which the game has no others: its box, or its rules, end there.
    pub const fn whole(low: i64, high: i64) -> Self {
        Self::Whole(Range { low, high, limit: Limit::Game })
    }

    /// Whole numbers of which this program supports no others.
    pub const fn supported(low: i64, high: i64) -> Self {
        Self::Whole(Range { low, high, limit: Limit::Program })
    }

    /// The values that are words.
    pub fn words(&self) -> Vec<&'static str> {
        match *self {
            Self::YesNo => vec!["false", "true"],
            Self::Words(words) => words.to_vec(),
            Self::Either(domains) => domains.iter().flat_map(Self::words).collect(),
            Self::Whole(_) | Self::Number(..) | Self::Text(_) | Self::List(_) => Vec::new(),
        }
    }

    /// The values in a few signs, as a remark has them: `1 to 10`, `all | any | none`. Empty for yes and no.
    pub fn in_short(&self) -> String {
        match *self {
            Self::YesNo => String::new(),
            Self::Whole(Range { low, high, .. }) => format!("{low} to {high}"),
            Self::Number(low, high) => format!("{low} to {high}"),
            Self::Words(words) => words.join(" | "),
            Self::Text(like) => format!("\"{like}\""),
            Self::List(each) => format!("[{}, …]", each.in_short()),
            Self::Either(domains) => domains.iter().map(Self::in_short).collect::<Vec<_>>().join(" | "),
        }
    }

    /// The range of its whole numbers, if it takes any.
    pub fn range(&self) -> Option<Range> {
        match *self {
            Self::Whole(range) => Some(range),
            Self::Either(domains) => domains.iter().find_map(Self::range),
            Self::YesNo | Self::Number(..) | Self::Words(_) | Self::Text(_) | Self::List(_) => None,
        }
    }
}

/// What to write, as it follows "write": "a number from 1 to 10".
impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::YesNo => f.write_str("yes or no (in a file: true or false)"),
            Self::Whole(Range { low, high, .. }) => write!(f, "a number from {low} to {high}"),
            Self::Number(low, high) => write!(f, "a number from {low} to {high}"),
            Self::Words([word]) => write!(f, "`{word}`"),
            Self::Words(words) => write!(f, "one of `{}`", words.join("`, `")),
            Self::Text(like) => write!(f, "a text such as \"{like}\""),
            Self::List(_) => f.write_str("a list in brackets"),
            Self::Either(domains) => {
                for (at, domain) in domains.iter().enumerate() {
                    write!(f, "{}{domain}", if at == 0 { "" } else { ", or " })?;
                }
                Ok(())
            }
        }
    }
}

/// The least and greatest whole number, and the origin of these limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The least number.
    pub low: i64,
    /// The greatest number.
    pub high: i64,
    /// Why there are no others.
    pub limit: Limit,
}

/// The origin of the limits of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The game: its box, or its rules, have no more.
    Game,
    /// The program: it does not support more.
    Program,
}

impl Range {
    /// `Ok` if `value` lies in the range.
    ///
    /// # Errors
    ///
    /// What to write instead, and the origin of the limits.
    pub fn check(&self, value: i64) -> Result<(), String> {
        match (self.low..=self.high).contains(&value) {
            true => Ok(()),
            false => Err(format!("{value} is out of range; {}", self.advice())),
        }
    }

    /// What to write: "write a number from 1 to 10 (the limits of the game)".
    pub fn advice(&self) -> String {
        let whose = match self.limit {
            Limit::Game => "the game",
            Limit::Program => "this program",
        };
        format!("write a number from {} to {} (the limits of {whose})", self.low, self.high)
    }
}
