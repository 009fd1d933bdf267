//! From what was typed to variants: rules, their policies and what is measured.

use stopwise_analysis::balance::catalogue;
use stopwise_edge::{AnyPolicy, NamedRules};
use stopwise_policy::Target;

use super::options::{Lead, lead, mark_of, targets};
use super::rules::{AllRules, Change, changes};
use super::variant::Variant;
use crate::args::Balance;
use crate::failure::Failure;
use crate::setup::{PolicySpec, game, unknown};

/// Everything that is to be looked at.
#[derive(Debug)]
pub(crate) struct Wanted {
    /// To be reported; the first is the base.
    pub(crate) variants: Vec<Variant>,
    /// To be screened, where that was asked for.
    pub(crate) candidates: Vec<Variant>,
    /// Of how many combinations the candidates are a sample, or all.
    pub(crate) combinations: usize,
    pub(crate) is_sample: bool,
    pub(crate) labels: Vec<String>,
    pub(crate) naive: usize,
    pub(crate) lead: Option<Lead>,
    pub(crate) targets: Vec<Target>,
}

impl Wanted {
    pub(crate) fn new(args: &Balance) -> Result<Self, Failure> {
        let specs = policies(args)?;
        let AllRules { named, candidates, combinations, is_sample } = AllRules::new(args)?;
        let base = named[0].rules.options();
        let lead = args.close.as_deref().map(|text| lead(text, &named)).transpose()?;
        let mark = args.mark.map(|mark| mark_of(mark, &named)).transpose()?;
        let variant = |NamedRules { name, rules }: NamedRules| {
            let policies = specs.iter().map(|spec| spec.compile(&*rules)).collect::<Result<Vec<_>, _>>()?;
            let close = lead.map(|lead| (lead.most, lead.unit));
            let measures = catalogue(rules.seats(), rules.metrics(), rules.endings(), mark, close);
            let changed = changes(&base, &rules.options());
            let changed =
                changed.iter().map(|Change { path, from, to }| format!("{path} {from} → {to}")).collect();
            Ok::<_, Failure>(Variant { name, rules, changed, policies, measures })
        };
        let variants = named.into_iter().map(variant).collect::<Result<Vec<_>, _>>()?;
        let candidates = candidates.into_iter().map(variant).collect::<Result<Vec<_>, _>>()?;
        let labels: Vec<_> = variants[0].policies.iter().map(AnyPolicy::label).collect();
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
        Ok(Self { variants, candidates, combinations, is_sample, labels, naive, lead, targets })
    }
}

fn policies(args: &Balance) -> Result<Vec<PolicySpec>, Failure> {
    let game = game(&args.game)?.name;
    if args.policies.is_empty() {
        let names: Vec<_> = stopwise_policy::shipped::policies_of(game).map(|policy| policy.name).collect();
        return Err(Failure::Input(format!(
            "name a policy: --policy NAME or --policy FILE.toml, from naive to good; shipped for {}: {}",
            game,
            names.join(", ")
        )));
    }
    args.policies.iter().map(|spec| PolicySpec::parse(spec, Some(game))).collect()
}
