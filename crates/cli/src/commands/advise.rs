//! `advise`: what each answer is worth in one position.

use std::ops::ControlFlow;

use serde_json::Value;
use stopwise_engine::game::Kind;
use stopwise_erased::{AnyPolicy, AnyRules, NamedRules};
use stopwise_narration::{InWords, Listener, Passage};
use stopwise_reports::advise::AdviseReport;

use crate::advice::{Advised, Advisor, INTERRUPTED, strongest};
use crate::args::{Advise, Request, shell_line};
use crate::failure::Failure;
use crate::publish::printed;
use crate::session::Session;
use crate::setup::{Player, check_decides, check_seats, metric, rules};
use crate::signals;
use crate::threads::Threads;

pub(crate) fn advise(session: &Session, args: &Advise) -> Result<(), Failure> {
    if args.trials < 2 {
        return Err(Failure::Input(format!(
            "--trials {}: write 2 or more; one game of each answer does not say how much games differ",
            args.trials
        )));
    }
    let NamedRules { name, rules } = rules(session, &args.game)?;
    check_decides(&*rules)?;
    let metric = wanted(&*rules, args.metric.as_deref())?;
    let typed = match (&args.state, args.trial) {
        (Some(text), _) => Some(rules.asked(text).map_err(|why| {
            let example = example(session, &*rules, args);
            Failure::Input(format!("--state: {why}{example}"))
        })?),
        (None, Some(_)) => None,
        (None, None) if args.turn.is_some() || args.decision.is_some() || args.seat.is_some() => {
            return Err(Failure::Input(
                "--turn, --decision and --seat find a decision of a trial: add --trial N; of a position that is typed, --state \
                 has all parts"
                    .into(),
            ));
        }
        (None, None) => {
            let example = example(session, &*rules, args);
            return Err(Failure::Input(format!(
                "say which position: --state \"NAME=VALUE …\", or --trial N --turn N{example}"
            )));
        }
    };
    let lineup = lineup(session, &*rules, &args.policies, metric, args.seed)?;
    let asked = match typed {
        Some(asked) => asked,
        None => rules
            .asked(&met(&*rules, &lineup, args, args.trial.unwrap_or_default())?)
            .map_err(Failure::Input)?,
    };
    signals::catch_for(session, INTERRUPTED)?;
    let (trials, seed) = (Some(args.trials), args.seed);
    let (by, memory, quiet) = (args.by, usize::MAX, args.quiet);
    let doubt = args.state.as_ref().and_then(|_| rules.doubt(&asked));
    let of = Advised { rules, name, lineup, metric, trials, seed, by, memory, quiet };
    let pool = Threads::new(args.threads, u64::MAX)?;
    let found = pool.within(|| Advisor::new(session, of)?.advise(session, asked));
    let mut report = AdviseReport { doubt, ..found? }.report();
    report.notes = session.notes();
    report.repeat = shell_line(&Request::Advise(args.clone()).command_line());
    printed(session, &report, args.format)
}

/// The metric that is named, if one is.
pub(crate) fn wanted(rules: &dyn AnyRules, name: Option<&str>) -> Result<Option<usize>, Failure> {
    name.map(|name| metric(rules, Some(name))).transpose()
}

/// A position of this game as text, behind what is said of a text: the first of trial 0, which is nearly the same whoever plays.
/// One that is long is told without what is as at the beginning.
fn example(session: &Session, rules: &dyn AnyRules, args: &Advise) -> String {
    let any = || rules.entry().policies.iter().find_map(|policy| rules.compile(&policy.text(), &[]).ok());
    let lineup = match &args.policies[..] {
        [] => any().into_iter().collect(),
        named => compiled(session, rules, named).unwrap_or_default(),
    };
    let first = || {
        let of_kind = |kind: &Kind| rules.asked(&format!("decision={}", kind.name)).ok();
        let of_any = rules.example().and_then(|text| rules.asked(&text).ok());
        let of_any = of_any.or_else(|| rules.kinds().iter().find_map(of_kind));
        of_any.or_else(|| rules.asked("").ok()).map(|asked| asked.text)
    };
    let passage = Advise { turn: None, decision: None, seat: None, ..args.clone() };
    let found = met(rules, &lineup, &passage, 0).ok().or_else(first).and_then(|text| rules.asked(&text).ok());
    let found = found.map(|asked| match asked.typed.len() {
        ..=LINE => asked.typed,
        _ => shortest(rules, &asked.typed),
    });
    found.map_or_else(String::new, |text| format!("; this line works: --state \"{text}\""))
}

/// The longest position that is shown with all of its parts.
const LINE: usize = 120;

/// The same position in fewer parts, without those that have the same value anyway; the decision is among them.
fn shortest(rules: &dyn AnyRules, text: &str) -> String {
    let mut parts: Vec<&str> = text.split(' ').collect();
    let read = |parts: &[&str]| rules.asked(&parts.join(" ")).ok().map(|asked| asked.text);
    let whole = read(&parts);
    for at in (0..parts.len()).rev() {
        let mut fewer = parts.clone();
        let part = fewer.remove(at);
        if !part.starts_with("decision=") && !fewer.is_empty() && read(&fewer) == whole {
            parts = fewer;
        }
    }
    parts.join(" ")
}

/// Those who play on: the policies that are named, or the strongest that comes with the game.
pub(crate) fn lineup(
    session: &Session,
    rules: &dyn AnyRules,
    specs: &[String],
    metric: Option<usize>,
    seed: u64,
) -> Result<Vec<AnyPolicy>, Failure> {
    if specs.is_empty() {
        return Ok(strongest(rules, metric, seed).into_iter().collect());
    }
    check_seats(rules, specs)?;
    compiled(session, rules, specs)
}

fn compiled(session: &Session, rules: &dyn AnyRules, specs: &[String]) -> Result<Vec<AnyPolicy>, Failure> {
    let policy = |spec: &String| Player::parse(session, spec, rules.entry())?.compile(session, rules);
    specs.iter().map(policy).collect()
}

/// The position of a trial that is asked about: of its turn, and seat, and decision.
fn met(rules: &dyn AnyRules, lineup: &[AnyPolicy], args: &Advise, trial: u64) -> Result<String, Failure> {
    if lineup.is_empty() {
        return Err(Failure::Input("--trial: name a policy that plays it: --policy NAME".into()));
    }
    let decision = args.decision.unwrap_or(1);
    let mut passage = Passage::whole(args.seed, trial);
    if let Some(turn) = args.turn {
        let turn = u32::try_from(turn).unwrap_or(u32::MAX);
        passage.turns = turn..=turn;
    }
    let mut met = Met { seat: args.seat, left: decision, found: None };
    rules.replay(lineup, &passage, &mut met);
    let whose = args.seat.map_or_else(String::new, |seat| format!(" of seat {seat}"));
    let within = args.turn.map_or_else(String::new, |turn| format!(" in turn {turn}"));
    met.found.ok_or_else(|| {
        Failure::Input(format!(
            "trial {trial} has no decision {decision} with a choice{within}{whose}; see it with `stopwise replay`"
        ))
    })
}

/// Waits for a decision with a choice.
struct Met {
    seat: Option<usize>,
    left: usize,
    found: Option<String>,
}

impl Listener for Met {
    fn text(&mut self, _: &str) -> ControlFlow<()> {
        if self.found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn step(&mut self, step: Value) -> ControlFlow<()> {
        let has_choice = step["possible"].as_array().is_some_and(|possible| possible.len() > 1);
        let is_theirs = self.seat.is_none_or(|seat| step["seat"] == seat);
        if self.found.is_none() && has_choice && is_theirs {
            self.left = self.left.saturating_sub(1);
            if self.left == 0 {
                self.found = step["position"].as_str().map(str::to_owned);
            }
        }
        self.text("")
    }
}
