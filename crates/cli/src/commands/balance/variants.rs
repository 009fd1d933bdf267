//! From what was typed to variants: rules, their policies and what is measured.

use serde_json::Value;
use stopwise_analysis::balance::{Measure, catalogue, lattice};
use stopwise_policy::{Target, TextPolicy};

use super::asked::{Lead, lead, mark_of, targets};
use super::typed::Balance;
use crate::args::GameArgs;
use crate::failure::Failure;
use crate::grid::Grid;
use crate::setup::{NamedRules, Playable, PolicySpec, rules, unknown};

/// More than a person reads; `--search` looks at more.
const MOST_VARIANTS: usize = 200;

/// One variant of the rules.
#[derive(Clone, Debug)]
pub(crate) struct Variant<G> {
    pub(crate) name: String,
    pub(crate) rules: G,
    /// The options that differ from the first variant's, as `turns 10 → 5`.
    pub(crate) changed: Vec<String>,
    pub(crate) policies: Vec<TextPolicy<G>>,
    pub(crate) measures: Vec<Measure>,
}

/// Everything that is to be looked at.
#[derive(Debug)]
pub(crate) struct Wanted<G> {
    /// To be reported; the first is the base.
    pub(crate) variants: Vec<Variant<G>>,
    /// To be screened, where that was asked for.
    pub(crate) candidates: Vec<Variant<G>>,
    /// Of how many combinations the candidates are a sample, or all.
    pub(crate) combinations: usize,
    pub(crate) labels: Vec<String>,
    pub(crate) naive: usize,
    pub(crate) lead: Option<Lead>,
    pub(crate) targets: Vec<Target>,
}

impl<G: Playable> Wanted<G> {
    pub(crate) fn new(args: &Balance) -> Result<Self, Failure> {
        let specs = policies::<G>(args)?;
        let (named, candidates, combinations) = all_rules::<G>(args)?;
        let base = serde_json::to_value(named[0].rules)?;
        let lead = args.close.as_deref().map(|text| lead(text, &named)).transpose()?;
        let mark = args.mark.map(|mark| mark_of(mark, &named)).transpose()?;
        let variant = |NamedRules { name, rules }: NamedRules<G>| {
            let policies = specs.iter().map(|spec| spec.compile(&rules)).collect::<Result<Vec<_>, _>>()?;
            let close = lead.map(|lead| (lead.most, lead.unit));
            let measures = catalogue(rules.seats(), rules.metrics(), rules.endings(), mark, close);
            let changed = changes(&base, &serde_json::to_value(rules)?);
            Ok::<_, Failure>(Variant { name, rules, changed, policies, measures })
        };
        check_names(&named)?;
        let variants = named.into_iter().map(variant).collect::<Result<Vec<_>, _>>()?;
        let candidates = candidates.into_iter().map(variant).collect::<Result<Vec<_>, _>>()?;
        let labels: Vec<_> = variants[0].policies.iter().map(TextPolicy::label).collect();
        if let Some(twice) = labels.iter().enumerate().find(|(at, label)| labels[..*at].contains(label)) {
            return Err(Failure::Input(format!("policy `{}` is named twice; name it once", twice.1)));
        }
        let naive = match &args.naive {
            None => 0,
            Some(name) => {
                let known = || labels.iter().map(String::as_str);
                let is_named = |label: &&String| *label == name || label.split(':').next() == Some(name);
                labels
                    .iter()
                    .position(|label| is_named(&label))
                    .ok_or_else(|| unknown("policy of --naive", name, known()))?
            }
        };
        let targets = targets(args, variants.iter().chain(&candidates), &labels)?;
        Ok(Self { variants, candidates, combinations, labels, naive, lead, targets })
    }
}

fn policies<G: Playable>(args: &Balance) -> Result<Vec<PolicySpec>, Failure> {
    if args.policies.is_empty() {
        let names: Vec<_> =
            stopwise_policy::shipped::policies_of(G::NAME).map(|policy| policy.name).collect();
        return Err(Failure::Input(format!(
            "name a policy: --policy NAME or --policy FILE.toml, from naive to good; shipped for {}: {}",
            G::NAME,
            names.join(", ")
        )));
    }
    args.policies.iter().map(|spec| PolicySpec::parse(spec, Some(G::NAME))).collect()
}

/// The rules to report, those to screen, and of how many combinations these are.
type AllRules<G> = (Vec<NamedRules<G>>, Vec<NamedRules<G>>, usize);

fn all_rules<G: Playable>(args: &Balance) -> Result<AllRules<G>, Failure> {
    let with = |rules: Option<&String>| GameArgs {
        game: args.game.clone(),
        rules: rules.cloned(),
        set: args.set.clone(),
    };
    let bases: Vec<_> = match args.rules.as_slice() {
        [] => vec![with(None)],
        several => several.iter().map(|rules| with(Some(rules))).collect(),
    };
    let mut named = bases.iter().map(rules::<G>).collect::<Result<Vec<_>, _>>()?;
    for variant in &args.variant {
        let mut changed = bases[0].clone();
        changed.set.extend(assignments(variant)?);
        named.push(rules::<G>(&changed)?);
    }
    let grid = Grid::new(&[], &args.vary_rule)?;
    if grid.axes.is_empty() {
        if args.search.is_some() {
            return Err(Failure::Input(
                "--search: nothing varies; write for example --vary-rule turns=6..10 --vary-rule points.solid=5..9"
                    .into(),
            ));
        }
        return Ok((named, Vec::new(), 0));
    }
    let lengths: Vec<_> = grid.axes.iter().map(|axis| axis.levels.len()).collect();
    let most = match args.search {
        Some(0) => return Err(Failure::Input("--search 0: write 1 or more".into())),
        Some(most) => most,
        None if grid.points() > MOST_VARIANTS => {
            return Err(Failure::Input(format!(
                "{} variants are more than a page holds ({MOST_VARIANTS}); shorten a list, or let --search look for those that \
                 meet --targets",
                grid.points()
            )));
        }
        None => grid.points(),
    };
    let mut points = Vec::new();
    for base in &bases {
        for levels in lattice(&lengths, most) {
            let point = levels.iter().zip(&lengths).fold(0, |point, (level, length)| point * length + level);
            points.push(grid.rules::<G>(point, base)?);
        }
    }
    // What is there already under another name.
    let mut known: Vec<Value> =
        named.iter().map(|named| serde_json::to_value(named.rules)).collect::<Result<_, _>>()?;
    let mut fresh = Vec::new();
    for point in points {
        let options = serde_json::to_value(point.rules)?;
        if !known.contains(&options) {
            known.push(options);
            fresh.push(point);
        }
    }
    let combinations = grid.points() * bases.len();
    if args.search.is_some() {
        if args.targets.is_none() {
            return Err(Failure::Input(
                "--search looks for variants that meet --targets FILE; name one".into(),
            ));
        }
        return Ok((named, fresh, combinations));
    }
    named.append(&mut fresh);
    Ok((named, Vec::new(), combinations))
}

/// Reports go by name, so that a name must stand for one set of rules.
fn check_names<G: Playable>(variants: &[NamedRules<G>]) -> Result<(), Failure> {
    for (at, variant) in variants.iter().enumerate() {
        let options = serde_json::to_value(variant.rules)?;
        for other in variants[..at].iter().filter(|other| other.name == variant.name) {
            if serde_json::to_value(other.rules)? != options {
                return Err(Failure::Input(format!(
                    "two different rules are both called `{}`; change the name in one of the files",
                    variant.name
                )));
            }
        }
    }
    Ok(())
}

/// `turns=5,rate=[1,0.5]` as assignments: a part without `=` belongs to the value before it.
fn assignments(text: &str) -> Result<Vec<String>, Failure> {
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
        return Err(Failure::Input(format!(
            "--variant {text}: write KEY=VALUE,…, for example turns=5,points.solid=9"
        )));
    }
    Ok(parts)
}

/// The options in which rules differ from the base.
fn changes(base: &Value, rules: &Value) -> Vec<String> {
    fn walk(path: &str, base: &Value, rules: &Value, found: &mut Vec<String>) {
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
                found.push(format!("{path} {from} → {to}"));
            }
        }
    }
    let mut found = Vec::new();
    walk("", base, rules, &mut found);
    found
}
