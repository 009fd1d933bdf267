//! The arms of a comparison: every line-up under every set of rules.

use std::sync::Arc;

use serde_json::{Map, Value};
use stopwise_erased::{AnyPolicy, AnyRules, NamedRules};
use stopwise_narration::InWords;
use stopwise_reports::compare::Side;
use stopwise_reports::one_label;

use crate::args::{Compare, GameArgs};
use crate::failure::Failure;
use crate::session::Session;
use crate::setup::{compared, rules};

/// A line-up with its rotations, if it is rotated, ready to play.
type Lineup = Vec<Vec<AnyPolicy>>;

/// All sides, with their rules.
#[derive(Debug)]
pub(super) struct Sides {
    /// All sets of rules, with as many seats and the same metrics.
    pub(super) rules: Vec<NamedRules>,
    /// The line-ups of each side, those under the first rules first.
    pub(super) lineups: Vec<Lineup>,
}

impl Sides {
    pub(super) fn of(session: &Session, args: &Compare) -> Result<Self, Failure> {
        let named = args.games().iter().map(|game| rules(session, game)).collect::<Result<Vec<_>, _>>()?;
        check(&named)?;
        if args.divergent > 0 && named.len() > 1 {
            return Err(Failure::Input(format!(
                "--divergent {}: under different rules no two games are alike, so that there is no first decision that \
                 differs; leave it out, or name one --rules",
                args.divergent
            )));
        }
        let mut lineups = Vec::new();
        for NamedRules { rules, .. } in &named {
            lineups.extend(compared(session, &**rules, &args.policies, args.rotate, named.len() == 1)?);
        }
        Ok(Self { rules: named, lineups })
    }

    /// The first rules.
    pub(super) fn first(&self) -> &dyn AnyRules {
        &*self.rules[0].rules
    }

    /// The rules of a side.
    pub(super) fn rules_of(&self, side: usize) -> &NamedRules {
        &self.rules[side / self.policies()]
    }

    /// How many line-ups there are under each set of rules.
    pub(super) fn policies(&self) -> usize {
        self.lineups.len() / self.rules.len()
    }

    /// The names of all rules.
    pub(super) fn name(&self) -> String {
        self.rules.iter().map(|named| &*named.name).collect::<Vec<_>>().join(" / ")
    }

    /// The options of the rules; of several sets of each by its name.
    pub(super) fn options(&self) -> Value {
        match &*self.rules {
            [alone] => alone.rules.options(),
            several => {
                let of = |named: &NamedRules| (named.name.clone(), named.rules.options());
                several.iter().map(of).collect::<Map<_, _>>().into()
            }
        }
    }

    /// What the sides are called.
    pub(super) fn told(&self) -> Vec<Side> {
        let label = |lineup: &Lineup| one_label(&lineup[0].iter().map(AnyPolicy::label).collect::<Vec<_>>());
        let sides = self.lineups.iter().enumerate();
        Side::all(sides.map(|(at, lineup)| (self.rules_of(at).name.clone(), label(lineup))))
    }
}

impl Compare {
    /// The game under each set of rules.
    pub(super) fn games(&self) -> Vec<GameArgs> {
        let with = |rules: Option<String>| GameArgs { game: self.game.clone(), rules, set: self.set.clone() };
        match self.rules.is_empty() {
            true => vec![with(None)],
            false => self.rules.iter().cloned().map(Some).map(with).collect(),
        }
    }
}

/// Whether the rules differ, each with a name of its own, and what they measure does not.
fn check(named: &[NamedRules]) -> Result<(), Failure> {
    for (at, one) in named.iter().enumerate() {
        for other in &named[..at] {
            let names = format!("`{}` and `{}`", other.name, one.name);
            let problem = match (other.rules.options() == one.rules.options(), other.name == one.name) {
                (true, _) => format!("{names} are the same rules; leave one out"),
                (_, true) => {
                    let name = &one.name;
                    format!("`{name}` is the name of two different rules; change it in one of the files")
                }
                _ => match unlike(&one.rules, &other.rules) {
                    Some(how) => format!(
                        "{names} {how}, so that games under them cannot be compared trial by trial; `stopwise balance \
                         GAME --rules A --rules B -p POLICY` says what changes from one to the other"
                    ),
                    None => continue,
                },
            };
            return Err(Failure::Input(format!("--rules: {problem}")));
        }
    }
    Ok(())
}

/// What is measured differently under two sets of rules.
fn unlike(one: &Arc<dyn AnyRules>, other: &Arc<dyn AnyRules>) -> Option<&'static str> {
    let measured = |rules: &dyn AnyRules| {
        let metrics = rules.metrics().iter();
        metrics.map(|metric| (metric.name, metric.unit, metric.better)).collect::<Vec<_>>()
    };
    if one.seats() != other.seats() {
        return Some("are for different numbers of players");
    }
    (measured(&**one) != measured(&**other)).then_some("have different metrics")
}
