//! Grids: what `--vary NAME=LIST` and `--vary-rule KEY=LIST` stand for.
//!
//! Every option is an axis, and a grid is the product of its axes: those of `--vary` in the order in which they were
//! given, then those of `--vary-rule`. The last axis moves fastest.
//!
//! `--vary k=…` is a parameter of every policy that has a `k`, with the same value for all of them; `--vary 2.k=…` is
//! that of the second policy alone. `--vary-rule` takes the keys of `--set`, and `preset` for whole rules.

mod levels;

pub(crate) use levels::levels;
use stopwise_erased::{AnyPolicy, AnyRules, NamedRules};
use stopwise_narration::{InWords, grouped};
use stopwise_policy::{declared, is_unseen, visible_word};
use stopwise_reports::grid::{Axis, Grid, Kind};

use crate::args::GameArgs;
use crate::failure::Failure;
use crate::session::Session;
use crate::setup::{Player, changed_rules, game, set_key, unknown};

/// The most points a grid may have: what a person still reads, and more than a night of trials.
pub(crate) const MAX_POINTS: usize = 10_000;

/// The key of `--vary-rule` that stands for whole rules.
const PRESET: &str = "preset";

/// What an axis belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Of {
    /// A parameter of the policy with this number, from 0, or of all that have it.
    Parameter { name: String, policy: Option<usize> },
    /// An option of the rules.
    Option,
    /// The rules as a whole, by preset or file.
    Preset,
}

/// An axis as typed, and what it belongs to.
fn parse(option: &str, text: &str) -> Result<(Axis, Of), Failure> {
    let wrong = |message: String| Failure::Input(format!("{option} {}: {message}", visible_word(text)));
    // Levels are names of columns, points and rules.
    if text.contains(is_unseen) {
        return Err(wrong("write it on one line, without control characters".into()));
    }
    let example = if option == VARY { "k=1..5" } else { "copies=1,2" };
    let (name, list) = text
        .split_once('=')
        .ok_or_else(|| wrong(format!("write NAME=LIST, for example {option} {example}")))?;
    let name = name.trim();
    if name.is_empty() {
        return Err(wrong(format!("what varies has no name; write for example {option} {example}")));
    }
    let of = match (option, name.split_once('.')) {
        (VARY_RULE, _) if name == PRESET => Of::Preset,
        (VARY_RULE, _) => Of::Option,
        (_, Some((number, name))) => {
            let policy = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let policy = policy.ok_or_else(|| {
                wrong(format!(
                    "`{number}` is no number of a policy; write for example 2.{name} for the second"
                ))
            })?;
            Of::Parameter { name: name.to_owned(), policy: Some(policy) }
        }
        (_, None) => Of::Parameter { name: name.to_owned(), policy: None },
    };
    let levels = levels(list, MAX_POINTS).map_err(wrong)?;
    let kind = match of {
        Of::Parameter { .. } => Kind::Parameter,
        Of::Option | Of::Preset => Kind::Rule,
    };
    Ok((Axis { name: name.to_owned(), levels, kind }, of))
}

const VARY: &str = "--vary";
const VARY_RULE: &str = "--vary-rule";

/// A grid, and what its axes belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Varied {
    pub(crate) grid: Grid,
    /// Of every axis of the grid.
    of: Vec<Of>,
}

impl Varied {
    /// Reads the options as typed.
    pub(crate) fn new(vary: &[String], vary_rule: &[String]) -> Result<Self, Failure> {
        let axes = vary.iter().map(|text| parse(VARY, text));
        let axes = axes.chain(vary_rule.iter().map(|text| parse(VARY_RULE, text)));
        let (axes, of) = axes.collect::<Result<(Vec<_>, Vec<_>), _>>()?;
        for (at, axis) in axes.iter().enumerate() {
            let Some(earlier) = axes[..at].iter().position(|earlier| earlier.name == axis.name) else {
                continue;
            };
            return Err(Failure::Input(match (&of[earlier], &of[at]) {
                (Of::Parameter { .. }, Of::Option) => format!(
                    "`{0}` is varied as a parameter and as a rule; write {VARY} 1.{0}=… for that of the first policy",
                    axis.name
                ),
                _ => format!("`{}` is varied twice; write one list with all its levels", axis.name),
            }));
        }
        let points = axes.iter().try_fold(1_usize, |points, axis| points.checked_mul(axis.levels.len()));
        if points.is_none_or(|points| points > MAX_POINTS) {
            let sizes: Vec<_> = axes.iter().map(|axis| grouped(axis.levels.len() as u64)).collect();
            let points = points.map_or_else(String::new, |points| format!(" = {}", grouped(points as u64)));
            return Err(Failure::Input(format!(
                "{}{points} settings are too many: a grid has at most {}; shorten a list or take larger steps",
                sizes.join(" · "),
                grouped(MAX_POINTS as u64)
            )));
        }
        Ok(Self { grid: Grid { axes }, of })
    }

    /// The rules at a point.
    pub(crate) fn rules(
        &self,
        session: &Session,
        point: usize,
        args: &GameArgs,
    ) -> Result<NamedRules, Failure> {
        let values = self.grid.values(point);
        let here = |wanted: &Of| {
            let axes = self.grid.axes.iter().zip(&values).zip(&self.of);
            axes.filter(|(_, of)| *of == wanted).map(|(here, _)| here).collect::<Vec<_>>()
        };
        let mut base = args.clone();
        if let Some((_, preset)) = here(&Of::Preset).first() {
            if args.rules.is_some() {
                return Err(Failure::Input(format!(
                    "{VARY_RULE} {PRESET}: the rules are varied; leave --rules out"
                )));
            }
            base.rules = Some((**preset).to_owned());
        }
        let mut changed = changed_rules(session, game(session, &base.game)?, &base)?;
        for (axis, value) in here(&Of::Option) {
            if args.set.iter().any(|set| set_key(set) == axis.name) {
                return Err(Failure::Input(format!(
                    "`{0}` is both set and varied; leave --set {0} out",
                    axis.name
                )));
            }
            let assignment = format!("{}={value}", axis.name);
            changed.rules = changed.rules.with_option(&assignment).map_err(|error| {
                let what = if error.option == "--set" { error.message } else { error.to_string() };
                let others = match self.grid.axes.len() {
                    0 | 1 => String::new(),
                    _ => format!(", at {}", self.grid.label(point)),
                };
                Failure::Input(format!("{VARY_RULE} {assignment}{others}: {what}"))
            })?;
        }
        Ok(changed.named())
    }

    /// The policies as typed, in which a varied name that a policy without a file reads is a parameter, whether it says so or not.
    pub(crate) fn declared(&self, specs: &[String]) -> Vec<String> {
        let of = |(number, spec): (usize, &String)| {
            let parameters = self.grid.axes.iter().zip(&self.of).filter_map(|(axis, of)| match of {
                Of::Parameter { name, policy } if policy.is_none_or(|policy| policy == number) => {
                    Some((name.as_str(), axis.levels.first()?.as_str()))
                }
                _ => None,
            });
            parameters.fold(spec.clone(), |spec, (name, value)| declared(spec, name, value))
        };
        specs.iter().enumerate().map(of).collect()
    }

    /// Which parameters of which policy vary; an error if one is of none of them, or has a value already.
    pub(crate) fn bind(
        &self,
        session: &Session,
        rules: &dyn AnyRules,
        specs: &[Player],
    ) -> Result<Bindings, Failure> {
        let policies: Vec<_> =
            specs.iter().map(|spec| spec.compile(session, rules)).collect::<Result<_, _>>()?;
        let mut bindings: Bindings = vec![Vec::new(); specs.len()];
        for (at, (axis, of)) in self.grid.axes.iter().zip(&self.of).enumerate() {
            let Of::Parameter { name, policy: only } = of else { continue };
            if let Some(number) = only.filter(|&number| number >= specs.len()) {
                let there = if specs.len() == 1 { "is one" } else { "are fewer" };
                return Err(Failure::Input(format!(
                    "{VARY} {}: no policy {}; there {there}",
                    axis.name,
                    number + 1
                )));
            }
            let asked: Vec<usize> = only.map_or_else(|| (0..specs.len()).collect(), |number| vec![number]);
            let has =
                |number: usize| policies[number].heading().parameters.iter().any(|known| known.name == *name);
            for &number in asked.iter().filter(|&&number| has(number)) {
                if specs[number].parameters().iter().any(|(set, _)| set == name) {
                    return Err(Failure::Input(format!(
                        "{VARY} {}: `{name}` has a value in --policy {}:{name}=… already; leave one of them out",
                        axis.name,
                        policies[number].heading().name
                    )));
                }
                if let Some((earlier, _)) = bindings[number].iter().find(|(_, bound)| bound == name) {
                    return Err(Failure::Input(format!(
                        "`{}` and `{}` are the same parameter of {}; leave one of them out",
                        self.grid.axes[*earlier].name,
                        axis.name,
                        policies[number].heading().name
                    )));
                }
                bindings[number].push((at, name.clone()));
            }
            if !asked.iter().any(|&number| has(number)) {
                if only.is_none() && rules.info().has_option(name) {
                    return Err(Failure::Input(format!(
                        "{VARY} {name}: `{name}` is an option of the rules, and no parameter of a policy; write {VARY_RULE} {name}=…"
                    )));
                }
                let names = asked.iter().flat_map(|&number| &policies[number].heading().parameters);
                return Err(match names.clone().next() {
                    Some(_) => unknown("parameter", name, &mut names.map(|known| known.name.as_str())),
                    None => Failure::Input(format!(
                        "{VARY} {}: {} has no parameters",
                        axis.name,
                        asked
                            .iter()
                            .map(|&number| policies[number].heading().name.as_str())
                            .collect::<Vec<_>>()
                            .join(", ")
                    )),
                });
            }
        }
        Ok(bindings)
    }

    /// Whether rules as a whole vary.
    pub(crate) fn is_of_presets(&self) -> bool {
        self.of.contains(&Of::Preset)
    }

    /// The policies at a point, under its rules.
    pub(crate) fn policies(
        &self,
        session: &Session,
        point: usize,
        rules: &dyn AnyRules,
        specs: &[Player],
        bindings: &Bindings,
    ) -> Result<Vec<AnyPolicy>, Failure> {
        let values = self.grid.values(point);
        let compile = |(spec, bound): (&Player, &Vec<(usize, String)>)| {
            spec.with(bound.iter().map(|(axis, name)| (name.clone(), values[*axis].to_owned())))
                .compile(session, rules)
        };
        specs.iter().zip(bindings).map(compile).collect()
    }
}

/// For every policy the axes that are its parameters, with their names.
pub(crate) type Bindings = Vec<Vec<(usize, String)>>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::rules;

    fn varied(vary: &[&str], vary_rule: &[&str]) -> Result<Varied, String> {
        let [vary, vary_rule] =
            [vary, vary_rule].map(|texts| texts.iter().map(|&text| text.into()).collect::<Vec<_>>());
        Varied::new(&vary, &vary_rule).map_err(said)
    }

    fn said(failure: Failure) -> String {
        match failure {
            Failure::Input(message) => message,
            other => panic!("{other:?}"),
        }
    }

    fn specs(game: &str, typed: &[&str]) -> Vec<Player> {
        let game = stopwise_erased::game(game).expect("a game");
        typed.iter().map(|spec| Player::parse(&Session::default(), spec, game).expect("known")).collect()
    }

    fn pig() -> std::sync::Arc<dyn AnyRules> {
        rules(&Session::default(), &args("pig")).expect("shipped").rules
    }

    fn args(game: &str) -> GameArgs {
        GameArgs { game: game.into(), rules: None, set: Vec::new() }
    }

    #[test]
    fn what_is_wrong_with_a_grid() {
        for (vary, vary_rule, words) in [
            (vec!["k"], vec![], "--vary k: write NAME=LIST, for example --vary k=1..5"),
            (vec!["=1..5"], vec![], "no name"),
            (vec![], vec!["copies"], "for example --vary-rule copies=1,2"),
            (vec!["k=5..1"], vec![], "--vary k=5..1: `5..1` runs backwards"),
            (vec!["k=1", "k=2"], vec![], "`k` is varied twice"),
            (vec!["turns=1"], vec!["turns=2"], "--vary 1.turns="),
            (vec!["0.k=1"], vec![], "`0` is no number of a policy; write for example 2.k"),
            (vec!["x.k=1"], vec![], "`x` is no number of a policy"),
            (
                vec!["k=1..200", "n=1..51"],
                vec![],
                "200 · 51 = 10,200 settings are too many: a grid has at most 10,000",
            ),
        ] {
            let error = varied(&vary, &vary_rule).expect_err(words);
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn points_have_their_rules() {
        let varied = varied(&[], &["preset=wiki,readme-v1", "copies=1,2"]).expect("good");
        let names: Vec<_> = (0..4)
            .map(|point| varied.rules(&Session::default(), point, &args("carbonite")).expect("good").name)
            .collect();
        assert_eq!(
            names,
            ["wiki+copies=1", "wiki", "readme-v1+copies=1", "readme-v1"],
            "both have two copies"
        );
        // The order of the options, whatever was set and what varies.
        let varied = Varied::new(&[], &["retribution=any".into(), "turns=5".into()]).expect("good");
        let set = vec!["points.solid=9".into()];
        let asked = GameArgs { set, ..args("carbonite") };
        let named = varied.rules(&Session::default(), 0, &asked).expect("good").name;
        assert_eq!(named, "wiki+turns=5+points.solid=9+retribution=any");

        for (vary_rule, rules, set, words) in [
            ("copies=1..3", None, None, "--vary-rule copies=3: copies: 3 is out of range"),
            ("copis=1", None, None, "did you mean `copies`?"),
            ("copies=1", None, Some("copies=2"), "leave --set copies out"),
            ("preset=wiki", Some("wiki"), None, "leave --rules out"),
            ("preset=wikki", None, None, "did you mean `wiki`?"),
        ] {
            let varied = Varied::new(&[], &[vary_rule.into()]).expect("good");
            let args = GameArgs {
                rules: rules.map(str::to_owned),
                set: set.iter().map(|&set| set.to_owned()).collect(),
                ..args("carbonite")
            };
            let error = (0..varied.grid.points())
                .find_map(|point| varied.rules(&Session::default(), point, &args).err());
            let error = said(error.expect(words));
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn a_parameter_is_that_of_every_policy_that_has_it() {
        let specs = specs("pig", &["hold", "four-scoring-turns", "hold-at-25"]);
        let labels = |vary| {
            let varied = varied(&[vary], &[]).expect("good");
            let bindings = varied.bind(&Session::default(), &*pig(), &specs).expect("good");
            let policies = varied.policies(&Session::default(), 0, &*pig(), &specs, &bindings).expect("good");
            policies.iter().map(AnyPolicy::label).collect::<Vec<_>>()
        };
        assert_eq!(labels("n=7"), ["hold:n=7", "four-scoring-turns:n=7", "hold-at-25"]);
        assert_eq!(labels("2.n=7"), ["hold:n=20", "four-scoring-turns:n=7", "hold-at-25"]);
    }

    #[test]
    fn parameters_that_cannot_vary() {
        for (policies, vary, words) in [
            (["hold", "hold"], "n=1 2.n=1", "`n` and `2.n` are the same parameter of hold"),
            (["hold", "hold-at-25"], "m=1", "unknown parameter `m`; there are: n"),
            (["hold", "hold-at-25"], "2.n=1", "--vary 2.n: hold-at-25 has no parameters"),
            (["hold", "hold-at-25"], "3.n=1", "--vary 3.n: no policy 3"),
            (["hold:n=5", "hold"], "n=1", "`n` has a value in --policy hold:n=… already"),
        ] {
            let varied = varied(&vary.split(' ').collect::<Vec<_>>(), &[]).expect("good");
            let error =
                said(varied.bind(&Session::default(), &*pig(), &specs("pig", &policies)).expect_err(words));
            assert!(error.contains(words), "{error}");
        }
    }
}
