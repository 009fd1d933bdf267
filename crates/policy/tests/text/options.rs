//! What the table of a game's options says is what its rules read, write and accept.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use stopwise_engine::games::{self, EachGame, Playable, Rules};
use stopwise_engine::lanes::LaneGame;
use stopwise_engine::options::{Domain, RuleOption};
use stopwise_policy::{explain_options, set_option, shipped};
use toml::{Table, Value};

/// A check of every game, by its default rules.
trait Check {
    fn check<G: Playable>(&mut self, rules: G);
}

struct Games<C>(C);

impl<C: Check> EachGame for Games<C> {
    fn game<G: Playable>(&mut self, first: G) {
        self.0.check(first);
    }

    fn game_on_lanes<G: Playable + LaneGame>(&mut self, first: G) {
        self.game(first);
    }
}

fn table(rules: &impl Rules) -> Table {
    Table::try_from(rules).expect("rules can be written")
}

/// The names of all values of a table, in dots.
fn names(prefix: &str, table: &Table) -> BTreeSet<String> {
    let of = |(key, value): (&String, &Value)| match value {
        Value::Table(parts) => names(&format!("{prefix}{key}."), parts),
        _ => BTreeSet::from([format!("{prefix}{key}")]),
    };
    table.iter().flat_map(of).collect()
}

/// The game's own opinion of an option with this value, without the table of options.
fn accepts<G: Rules>(rules: &G, name: &str, value: Value) -> bool {
    let mut all = table(rules);
    let (group, part) = name.split_once('.').unwrap_or((name, ""));
    match all.get_mut(group).expect("an option") {
        Value::Table(parts) => parts.insert(part.to_owned(), value),
        _ => all.insert(group.to_owned(), value),
    };
    rules.with_options(all).is_ok_and(|rules| rules.validate().is_ok())
}

/// The option is set as it would be typed.
fn set<G: Rules>(rules: &G, name: &str, value: impl std::fmt::Display) -> Result<G, String> {
    set_option(rules, &format!("{name}={value}")).map_err(|error| error.to_string())
}

struct Agree;

impl Check for Agree {
    fn check<G: Playable>(&mut self, rules: G) {
        let known: BTreeSet<_> = rules.info().options.iter().map(|option| option.name.to_owned()).collect();
        assert_eq!(known.len(), rules.info().options.len(), "{}: an option stands twice", rules.info().name);
        assert_eq!(known, names("", &table(&rules)), "{}", rules.info().name);
        for RuleOption { name, domain, meaning } in rules.info().options {
            let place = format!("{}: {name}", rules.info().name);
            assert!(!meaning.is_empty() && !meaning.ends_with('.'), "{place}: {meaning}");
            // As many trios as there are copies for, and as few dice as there are players.
            let wide = match *name {
                "trios" => set(&rules, "copies", 4).expect("in range"),
                _ => rules,
            };
            if let Some(range) = domain.range() {
                for good in [range.low, range.high] {
                    assert!(
                        accepts(&wide, name, good.into()) && set(&wide, name, good).is_ok(),
                        "{place} {good}"
                    );
                }
                for bad in [range.low - 1, range.high + 1] {
                    assert!(!accepts(&wide, name, bad.into()), "{place} {bad}");
                    let error = set(&wide, name, bad).expect_err("out of range");
                    assert_eq!(error, format!("{name}: {bad} is out of range; {}", range.advice()));
                }
            }
            for word in domain.words() {
                assert!(set(&rules, name, word).is_ok(), "{place} {word}");
            }
            assert!(!accepts(&rules, name, "xyzzy".into()) && set(&rules, name, "xyzzy").is_err(), "{place}");
            if let Domain::Words(words) = domain {
                let mut all = table(&rules);
                all.insert((*name).to_owned(), "xyzzy".into());
                let error: toml::de::Error = rules.with_options(all).expect_err("no such word");
                assert_eq!(error.message().matches('`').count(), 2 * (words.len() + 1), "{place}: {error}");
            }
            match domain {
                Domain::Number(low, high) => {
                    assert!(set(&rules, name, low).is_ok() && set(&rules, name, high).is_ok(), "{place}");
                    assert!(
                        !accepts(&rules, name, (low - 0.5).into())
                            && !accepts(&rules, name, (high + 0.5).into())
                    );
                    let error = set(&rules, name, high + 0.5).expect_err("out of range");
                    assert_eq!(error, format!("{name}: {} is out of range; write {domain}", high + 0.5));
                }
                Domain::List(_) => {
                    let error = set(&rules, name, 5).expect_err("no list");
                    assert_eq!(error, format!("{name}: `5` is none of its values; write a list in brackets"));
                }
                _ => {}
            }
        }
    }
}

#[test]
fn tables_of_options_agree_with_the_rules() {
    games::each(&mut Games(Agree));
}

struct Explained;

impl Check for Explained {
    fn check<G: Playable>(&mut self, rules: G) {
        let preset = shipped::default_rules(rules.info().name);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(preset.file);
            let header = preset.content.split("\n\n").next().expect("a header");
            fs::write(path, format!("{header}\n\n{}", explain_options(&rules)))
                .expect("a file can be written");
            return;
        }
        let (_, options) = preset.content.split_once("\n\n").expect("a header, an empty line, options");
        assert_eq!(options, explain_options(&rules), "{}", preset.file);
    }
}

/// The first preset of a game says what its options mean, in the words of the table; `UPDATE_GOLDEN=1` writes them.
#[test]
fn presets_explain_their_options() {
    games::each(&mut Games(Explained));
}
