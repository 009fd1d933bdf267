//! `solve`: the exact value of best play, and of policies.

mod refusal;
mod walking;

use std::fmt::Write as _;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::time::Instant;

use serde_json::json;
use stopwise_analysis::exact::{Distribution, ExactError, Limits};
use stopwise_edge::{AnyPolicy, AnyRules, NamedRules, Position, Solved};
use stopwise_engine::game::{Form, Source};

use crate::args::{Format, Solve};
use crate::failure::Failure;
use crate::numbers::grouped;
use crate::output::{BEST_TURN, Directory, Place, note, print, settled, shown};
use crate::report::document::document;
use crate::report::markdown::markdown;
use crate::setup::{PolicySpec, metric, pool, rules};
use crate::{memory, signals};

use refusal::{INTERRUPTED, failure, why};
use walking::Walking;

/// Positions are listed up to so many.
const LISTED: usize = 24;
/// The values of a distribution are listed up to so many.
const VALUES: usize = 12;

pub(crate) fn solve(args: &Solve) -> Result<(), Failure> {
    let NamedRules { name, rules } = rules(&args.game)?;
    match &args.out {
        Some(path) => best_turn(&*rules, &name, args, path),
        None => solve_game(&*rules, &name, args),
    }
}

/// What a policy is worth.
struct Worth {
    label: String,
    value: f64,
    /// What best play is worth more; `None` where there is no best play to compare with.
    regret: Option<f64>,
    /// With the same policy in all seats.
    alone: Distribution,
}

/// A policy that could not be evaluated, and why.
struct Unknown {
    label: String,
    why: String,
}

fn solve_game(rules: &dyn AnyRules, name: &str, args: &Solve) -> Result<(), Failure> {
    let metric = metric(rules, args.metric.as_deref())?;
    let specs = args.policies.iter().map(|spec| PolicySpec::parse(spec, Some(rules.game())));
    let policies = specs.map(|spec| spec?.compile(rules)).collect::<Result<Vec<_>, Failure>>()?;
    let started = Instant::now();
    let pool = pool(args.threads, u64::MAX)?;
    signals::catch_for(INTERRUPTED)?;
    let walking = Walking::new(&limits(args), args.quiet);
    let limits = Limits { watch: &|step| walking.step(step), ..limits(args) };
    let found = pool.install(|| -> Result<_, Failure> {
        // With three or more seats best play is not one number; a line-up's value still is.
        let best = if rules.seats() <= 2 || policies.is_empty() {
            let free = vec![None; rules.seats()];
            Some(rules.solve(&free, metric, limits, LISTED).map_err(|error| failure(rules, error))?)
        } else {
            None
        };
        let worth = |policy: &AnyPolicy| match worth(rules, policy, metric, limits, best.as_ref()) {
            Ok(worth) => Ok(Ok(worth)),
            Err(error) => Ok(Err(Unknown { label: policy.label(), why: why(error)? })),
        };
        let worths: Vec<Result<Worth, Unknown>> =
            policies.iter().map(worth).collect::<Result<_, Failure>>()?;
        Ok((best, worths))
    });
    walking.finish();
    let (best, worths) = found?;
    let (worths, unknown): (Vec<_>, Vec<_>) = worths.into_iter().partition(Result::is_ok);
    let worths: Vec<Worth> = worths.into_iter().filter_map(Result::ok).collect();
    let shown = Shown { rules, name, metric, best: best.as_ref(), worths: &worths };
    match args.format {
        Format::Table => print(&shown.table())?,
        Format::Csv => print(&shown.csv()?)?,
        Format::Json => print(&shown.json()?)?,
        Format::Markdown => print(&markdown(&[("solution.csv", shown.csv()?.into_bytes())])?)?,
    }
    if !args.quiet {
        note(&format!("solved in {:.2} s", started.elapsed().as_secs_f64()));
    }
    let why: Vec<_> = unknown
        .into_iter()
        .filter_map(Result::err)
        .map(|unknown| format!("policy {}: {}", unknown.label, unknown.why))
        .collect();
    if why.is_empty() { Ok(()) } else { Err(Failure::Input(why.join("\n"))) }
}

/// What the walk may take.
fn limits(args: &Solve) -> Limits<'static> {
    let size = |number| usize::try_from(number).unwrap_or(usize::MAX);
    Limits { states: size(args.max_states), bytes: size(memory::limit(args.memory)), ..Limits::default() }
}

/// How the file of best turns begins.
const BEGINNING: &str = "# The best turns, exactly: ";

/// Whether an earlier run wrote this file of best turns.
fn is_ours(path: &Path) -> bool {
    let mut begins = [0; BEGINNING.len()];
    let is_file = std::fs::symlink_metadata(path).is_ok_and(|about| about.is_file());
    let read = is_file.then(|| File::open(path).and_then(|mut file| file.read_exact(&mut begins)));
    matches!(read, Some(Ok(()))) && begins == *BEGINNING.as_bytes()
}

/// Writes the best turns as a policy.
fn best_turn(rules: &dyn AnyRules, name: &str, args: &Solve, path: &Path) -> Result<(), Failure> {
    if !rules.has_turn_tables() || rules.seats() > 1 {
        return Err(Failure::Input(format!(
            "--out: the table of best turns is for games alone that have turns to solve by themselves, such as \
             `stopwise solve carcassonne --rules solo`; {} under these rules is none",
            rules.game()
        )));
    }
    if !args.policies.is_empty() || args.metric.is_some() {
        return Err(Failure::Input(
            "--out writes best turns for their score: leave --policy and --metric out".into(),
        ));
    }
    let place = Place { path, command: "solve", force: args.force, is_ours: Some(is_ours) };
    let directory = Directory::open(place, &[BEST_TURN])?;
    let started = Instant::now();
    signals::catch_for(INTERRUPTED)?;
    let walking = Walking::new(&limits(args), args.quiet);
    let turns = rules.best_turns(Limits { watch: &|step| walking.step(step), ..limits(args) });
    walking.finish();
    let turns = turns.map_err(|error| failure(rules, error))?;
    let turns = turns.ok_or_else(|| Failure::other("the game does not begin with a roll"))?;
    let answers = rules.kinds().iter().map(|kind| match kind.form {
        Form::YesNo => format!("{} = \"true\"\n", kind.name),
        Form::Items => format!("{} = []\n", kind.name),
    });
    let text = format!(
        "{BEGINNING}{mean:.10} a turn in the long run (rules {name}). The answers before the table are for\n\
         # positions that best play does not lead to.\n\
         game = \"{game}\"\nname = \"best-turn\"\nsummary = \"Play every turn for the greatest mean score.\"\n\n\
         {answers}\n{table}",
        mean = turns.mean,
        game = rules.game(),
        answers = answers.collect::<String>(),
        table = turns.table,
    );
    let written = directory.finish(|_| Ok(text.clone().into_bytes())).map(Some);
    let printed = print(&format!(
        "Best turns     {:.12}   (± {:.1e}) a turn in the long run\nTable          {} positions before a roll, in {}\n",
        turns.mean,
        turns.error,
        grouped(turns.rows as u64),
        shown(&path.join(BEST_TURN))
    ));
    let written = settled(written, printed, false)?;
    if !args.quiet {
        written.iter().for_each(|written| note(&written.to_string()));
        note(&format!("solved in {:.2} s", started.elapsed().as_secs_f64()));
    }
    Ok(())
}

/// Solo, the value of the policy; for two, what it is worth at the first seat against its best opponent.
fn worth(
    rules: &dyn AnyRules,
    policy: &AnyPolicy,
    metric: usize,
    limits: Limits<'_>,
    best: Option<&Solved>,
) -> Result<Worth, ExactError> {
    let alone = rules.distribution(std::slice::from_ref(policy), limits)?;
    let value = if rules.seats() == 2 {
        rules.solve(&[Some(policy.clone()), None], metric, limits, 0)?.value
    } else {
        alone.means[0][metric]
    };
    let regret = best.map(|best| (best.value - value).abs());
    Ok(Worth { label: policy.label(), value, regret, alone })
}

struct Shown<'s> {
    rules: &'s dyn AnyRules,
    name: &'s str,
    metric: usize,
    best: Option<&'s Solved>,
    worths: &'s [Worth],
}

impl Shown<'_> {
    fn table(&self) -> String {
        let metric = self.rules.metrics()[self.metric];
        let mut out =
            format!("{} · rules {} · {} ({})\n", self.rules.game(), self.name, metric.name, metric.unit);
        if let Some(best) = self.best {
            let _ = writeln!(out, "\nBest play      {:.12}   (± {:.1e})", best.value, best.error);
            let cycles = if best.cyclic_stages > 0 {
                format!("; positions return in {} stages: closed in from both sides", best.cyclic_stages)
            } else {
                "; no position returns".into()
            };
            let _ = writeln!(out, "States         {} remembered{cycles}", grouped(best.states as u64));
            if self.rules.seats() == 2 {
                out.push_str("               both seats play their best; the value is the first seat's\n");
            }
        }
        for worth in self.worths {
            let _ = writeln!(out, "\nPolicy {}", worth.label);
            let against = if self.rules.seats() == 2 { "   against its best opponent" } else { "" };
            let _ = writeln!(out, "Value          {:.12}{against}", worth.value);
            if let Some(regret) = worth.regret {
                let _ = writeln!(out, "Regret         {regret:.12}");
            }
            self.alone(worth, &mut out);
        }
        self.positions(&mut out);
        out
    }

    /// Everything else about a policy, exactly.
    fn alone(&self, worth: &Worth, out: &mut String) {
        let seats = self.rules.seats();
        let who = if seats > 1 { " with this policy in every seat" } else { "" };
        let _ = writeln!(out, "States         {}{who}", grouped(worth.alone.states as u64));
        for seat in 0..seats {
            let means = self.rules.metrics().iter().zip(&worth.alone.means[seat]);
            let means: Vec<_> = means.map(|(metric, mean)| format!("{} {mean:.10}", metric.name)).collect();
            let label = if seats > 1 { format!("Means, seat {}", seat + 1) } else { "Means".into() };
            let _ = writeln!(out, "{label:<14} {}", means.join(", "));
        }
        let endings = self.rules.endings().iter().zip(&worth.alone.endings);
        let endings: Vec<_> = endings.map(|(ending, share)| format!("{} {share:.10}", ending.name)).collect();
        let _ = writeln!(out, "Endings        {}", endings.join(", "));
        let shares = &worth.alone.shares[0][self.metric];
        if (2..=VALUES).contains(&shares.len()) && self.rules.metrics()[self.metric].source == Source::End {
            for (value, share) in shares {
                let _ = writeln!(out, "  P({value}) = {share:.12}");
            }
        }
    }

    /// The values of all positions, where they are few.
    fn positions(&self, out: &mut String) {
        let Some(best) = self.best.filter(|best| !best.positions.is_empty()) else {
            return;
        };
        out.push_str("\nPositions before a roll, and the first seat's value\n");
        for Position { places, bounds: [low, high] } in &best.positions {
            let places: Vec<_> =
                places.iter().map(|(place, text)| format!("{} {text}", place.to_lowercase())).collect();
            let _ = writeln!(out, "  {:.12}   {}", f64::midpoint(*low, *high), places.join(", "));
        }
    }

    fn csv(&self) -> Result<String, Failure> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(["game", "rules", "metric", "policy", "value", "regret", "error", "states"])?;
        let metric = self.rules.metrics()[self.metric].name;
        if let Some(best) = self.best {
            let (value, error) = (format!("{:.12}", best.value), format!("{:.1e}", best.error));
            let states = best.states.to_string();
            writer.write_record([
                self.rules.game(),
                self.name,
                metric,
                "best play",
                &value,
                "0",
                &error,
                &states,
            ])?;
        }
        for worth in self.worths {
            let value = format!("{:.12}", worth.value);
            let regret = worth.regret.map_or_else(String::new, |regret| format!("{regret:.12}"));
            let states = worth.alone.states.to_string();
            writer.write_record([
                self.rules.game(),
                self.name,
                metric,
                &worth.label,
                &value,
                &regret,
                "",
                &states,
            ])?;
        }
        let bytes = writer.into_inner().map_err(Failure::other)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn json(&self) -> Result<String, Failure> {
        let best = self.best.map(|best| {
            json!({
                "value": best.value, "low": best.bounds[0], "high": best.bounds[1], "error": best.error,
                "states": best.states, "cyclic_stages": best.cyclic_stages,
            })
        });
        let policies = self.worths.iter().map(|worth| {
            let metrics = self.rules.metrics();
            let seat = |means: &Vec<f64>| -> serde_json::Map<_, _> {
                metrics.iter().zip(means).map(|(metric, &mean)| (metric.name.to_owned(), mean.into())).collect()
            };
            let endings = self.rules.endings().iter().zip(&worth.alone.endings);
            let endings: serde_json::Map<_, _> =
                endings.map(|(ending, &share)| (ending.name.to_owned(), share.into())).collect();
            json!({
                "policy": worth.label, "value": worth.value, "regret": worth.regret, "states": worth.alone.states,
                "means": worth.alone.means.iter().map(seat).collect::<Vec<_>>(), "endings": endings,
            })
        });
        let value = json!({
            "game": self.rules.game(), "rules": self.name, "metric": self.rules.metrics()[self.metric].name,
            "best_play": best, "policies": policies.collect::<Vec<_>>(),
        });
        document(value)
    }
}
