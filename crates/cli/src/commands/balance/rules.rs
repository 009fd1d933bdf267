//! Which rules are to be looked at: presets and files, variants, combinations of options, changes one by one.

use std::collections::HashSet;

use serde_json::Value;
use stopwise_analysis::balance::lattice;
use stopwise_erased::NamedRules;
use stopwise_narration::InWords;
use stopwise_policy::visible_word;

use crate::args::{Balance, GameArgs};
use crate::failure::Failure;
use crate::grid::Varied;
use crate::session::Session;
use crate::setup::{rules, set_key};

/// More than a person reads; `--search` looks at more.
const MOST_VARIANTS: usize = 200;

/// All of them.
#[derive(Debug)]
pub(super) struct AllRules {
    /// To be reported; the first are the base.
    pub(super) named: Vec<NamedRules>,
    /// To be screened.
    pub(super) candidates: Vec<NamedRules>,
    /// Combinations of options there are.
    pub(super) combinations: usize,
    /// Whether those were too many to look at all of them.
    pub(super) is_sample: bool,
}

impl AllRules {
    pub(super) fn new(session: &Session, args: &Balance) -> Result<Self, Failure> {
        let with = |rules: Option<&String>| GameArgs {
            game: args.game.clone(),
            rules: rules.cloned(),
            set: args.set.clone(),
        };
        let bases: Vec<_> = match args.rules.as_slice() {
            [] => vec![with(None)],
            several => several.iter().map(|rules| with(Some(rules))).collect(),
        };
        let mut named = bases.iter().map(|base| rules(session, base)).collect::<Result<Vec<_>, _>>()?;
        let options = options(&args.game, &named[0]);
        for variant in &args.variant {
            let mut changed = bases[0].clone();
            let own = assignments(variant, &options)?;
            // What all variants are to have, a variant may have otherwise.
            changed.set.retain(|common| own.iter().all(|own| set_key(own) != set_key(common)));
            changed.set.extend(own);
            // What all variants have is right: the base has it.
            named.push(rules(session, &changed).map_err(|failure| match failure {
                Failure::Input(said) => Failure::Input(said.replacen("--set", "--variant", 1)),
                other => other,
            })?);
        }
        check_names(&named)?;
        if args.one_by_one {
            if named.len() < 2 {
                return Err(Failure::Input(format!(
                    "--one-by-one: nothing is changed; write --variant KEY=VALUE,… {options}"
                )));
            }
            let alone = one_by_one(&named)?;
            add_new(&mut named, alone)?;
        }
        let varied = Varied::new(&[], &args.vary_rule)?;
        let mut all = Self { named, candidates: Vec::new(), combinations: 0, is_sample: false };
        if !varied.grid.axes.is_empty() {
            all.combine(session, args, &varied, &bases)?;
        } else if args.search.is_some() {
            return Err(Failure::Input(format!(
                "--search: nothing varies; write --vary-rule KEY=LIST {options}"
            )));
        }
        Ok(all)
    }

    /// Adds the combinations of options: to be reported, or to be screened.
    fn combine(
        &mut self,
        session: &Session,
        args: &Balance,
        varied: &Varied,
        bases: &[GameArgs],
    ) -> Result<(), Failure> {
        let grid = &varied.grid;
        let lengths: Vec<_> = grid.axes.iter().map(|axis| axis.levels.len()).collect();
        let most = match args.search {
            Some(0) => return Err(Failure::Input("--search 0: write 1 or more".into())),
            Some(_) if args.targets.is_none() => {
                return Err(Failure::Input(
                    "--search looks for variants that meet --targets FILE; name one".into(),
                ));
            }
            Some(most) => most,
            None if grid.points() > MOST_VARIANTS => {
                return Err(Failure::Input(format!(
                    "{} variants are more than a page holds ({MOST_VARIANTS}); shorten a list, or let --search look for \
                     those that meet --targets",
                    grid.points()
                )));
            }
            None => grid.points(),
        };
        let mut points = Vec::new();
        for base in bases {
            for levels in lattice(&lengths, most) {
                let number = |point, (level, length): (&usize, &usize)| point * length + level;
                let point = levels.iter().zip(&lengths).fold(0, number);
                points.push(varied.rules(session, point, base)?);
            }
        }
        self.combinations = grid.points() * bases.len();
        self.is_sample = grid.points() > most;
        let before = self.named.len();
        add_new(&mut self.named, points)?;
        if args.search.is_some() {
            self.candidates = self.named.split_off(before);
        }
        Ok(())
    }
}

/// Adds the rules that are not there already under another name.
fn add_new(named: &mut Vec<NamedRules>, more: Vec<NamedRules>) -> Result<(), Failure> {
    let mut known: HashSet<String> = named.iter().map(|named| named.rules.options().to_string()).collect();
    named.extend(more.into_iter().filter(|rules| known.insert(rules.rules.options().to_string())));
    Ok(())
}

/// The base with each change by itself, of those that change several options.
fn one_by_one(named: &[NamedRules]) -> Result<Vec<NamedRules>, Failure> {
    let base = named[0].rules.options();
    let mut alone = Vec::new();
    for variant in &named[1..] {
        let changed = changes(&base, &variant.rules.options());
        for Change { path, to, .. } in changed.iter().filter(|_| changed.len() > 1) {
            let assignment = format!("{path}={to}");
            let rules = named[0].rules.with_option(&assignment).map_err(|error| {
                Failure::Input(format!(
                    "--one-by-one: of {} the change {assignment} cannot be played by itself: {error}",
                    variant.name
                ))
            })?;
            alone.push(NamedRules { name: format!("{}+{assignment}", named[0].name), rules });
        }
    }
    Ok(alone)
}

/// Reports go by name, so that a name must stand for one set of rules.
fn check_names(variants: &[NamedRules]) -> Result<(), Failure> {
    for (at, variant) in variants.iter().enumerate() {
        let Some(other) = variants[..at].iter().find(|other| other.name == variant.name) else { continue };
        let problem = match other.rules.options() == variant.rules.options() {
            true => "stands twice among the rules to compare, or a variant changes nothing; leave one out",
            false => "is the name of two different rules; change it in one of the files",
        };
        return Err(Failure::Input(format!("`{}` {problem}", variant.name)));
    }
    Ok(())
}

/// `turns=5,rate=[1,0.5]` as assignments: a part without `=` belongs to the value before it.
fn assignments(text: &str, options: &str) -> Result<Vec<String>, Failure> {
    let mut parts: Vec<String> = Vec::new();
    for part in text.split(',') {
        match parts.last_mut() {
            Some(last) if !part.contains('=') => {
                last.push(',');
                last.push_str(part);
            }
            _ => parts.push(part.trim().to_owned()),
        }
    }
    if parts.iter().any(|part| !part.contains('=')) {
        return Err(Failure::Input(format!("--variant {}: write KEY=VALUE,… {options}", visible_word(text))));
    }
    Ok(parts)
}

/// What may be changed, behind an option that is to be written.
fn options(game: &str, of: &NamedRules) -> String {
    let game = visible_word(game);
    let names: Vec<_> = of.rules.info().options.iter().map(|option| option.name).collect();
    format!("with an option of {game}: {}; `stopwise rules show {game}` says what they are", names.join(", "))
}

/// An option that differs.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) path: String,
    pub(crate) from: String,
    pub(crate) to: String,
}

impl Change {
    /// As `turns 10 → 5`.
    pub(super) fn in_words(&self) -> String {
        format!("{} {} → {}", self.path, self.from, self.to)
    }
}

/// The options in which rules differ from the base.
pub(crate) fn changes(base: &Value, rules: &Value) -> Vec<Change> {
    fn walk(path: &str, base: &Value, rules: &Value, found: &mut Vec<Change>) {
        match (base, rules) {
            (Value::Object(base), Value::Object(rules)) => {
                for (key, value) in rules {
                    let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                    walk(&path, base.get(key).unwrap_or(&Value::Null), value, found);
                }
            }
            _ if base == rules => {}
            _ => {
                let [from, to] = [base, rules]
                    .map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
                found.push(Change { path: path.to_owned(), from, to });
            }
        }
    }
    let mut found = Vec::new();
    walk("", base, rules, &mut found);
    found
}
