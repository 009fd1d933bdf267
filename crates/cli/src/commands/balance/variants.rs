//! From what was typed to variants: rules, their policies and what is measured.

use serde_json::Value;
use stopwise_analysis::balance::{Measure, catalogue, further};
use stopwise_erased::{AnyPolicy, AnyRules, NamedRules};
use stopwise_narration::InWords;
use stopwise_policy::Target;

use super::options::{Margin, lead, mark_of, targets};
use super::rules::{AllRules, Change, changes};
use super::variant::Variant;
use crate::args::Balance;
use crate::failure::Failure;
use crate::progress::Steps;
use crate::session::Session;
use crate::setup::{Player, all_of, check_labels, game, no_policy, unknown};

/// Everything that is to be looked at.
#[derive(Debug)]
pub(crate) struct Wanted {
    /// To be reported; the first is the base.
    pub(crate) variants: Vec<Variant>,
    /// To be screened, where that was asked for: made ready when their turn comes.
    pub(crate) candidates: Vec<NamedRules>,
    /// How rules become a variant.
    pub(super) maker: Maker,
    /// Of how many combinations the candidates are a sample, or all.
    pub(crate) combinations: usize,
    pub(crate) is_sample: bool,
    pub(crate) labels: Vec<String>,
    pub(crate) naive: usize,
    pub(crate) targets: Vec<Target>,
}

impl Wanted {
    pub(crate) fn new(session: &Session, args: &Balance) -> Result<Self, Failure> {
        let specs = policies(session, args)?;
        let AllRules { named, candidates, combinations, is_sample } = AllRules::new(session, args)?;
        let base = named[0].rules.options();
        let lead = args.close.as_deref().map(|text| lead(text, &named)).transpose()?;
        let mark = args.mark.map(|mark| mark_of(mark, &named)).transpose()?;
        let mut maker = Maker { specs, base, lead, mark, aims: Vec::new() };
        let mut variants: Vec<_> =
            named.into_iter().map(|named| maker.variant(session, named)).collect::<Result<_, _>>()?;
        // What is wrong with one of them is said before anything is played.
        let steps = Steps::new(session, "variants read", candidates.len(), args.common.quiet);
        for candidate in &candidates {
            maker.policies(session, &*candidate.rules)?;
            steps.step();
        }
        steps.finish();
        check_labels(&variants[0].policies)?;
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
                    .ok_or_else(|| unknown("policy of --naive", name, &mut known()))?
            }
        };
        let rules = variants.iter().map(|variant| &variant.rules);
        let rules = rules.chain(candidates.iter().map(|candidate| &candidate.rules));
        let measured = rules.map(|rules| (rules.seats(), maker.all_measures(&**rules)));
        let targets = targets(session, args, measured, &labels)?;
        maker.aims = targets.iter().map(|target| target.measure.clone()).collect();
        for variant in &mut variants {
            variant.measures = maker.measures(&*variant.rules);
        }
        Ok(Self { variants, candidates, maker, combinations, is_sample, labels, naive, targets })
    }
}

/// How rules become a variant.
#[derive(Debug)]
pub(super) struct Maker {
    specs: Vec<Player>,
    /// The options of the first variant.
    base: Value,
    lead: Option<Margin>,
    mark: Option<u32>,
    /// The measures that targets are about.
    aims: Vec<String>,
}

impl Maker {
    /// The rules with policies and measures.
    pub(super) fn variant(&self, session: &Session, named: NamedRules) -> Result<Variant, Failure> {
        let NamedRules { name, rules } = named;
        let changed = changes(&self.base, &rules.options());
        let changed = changed.iter().map(Change::in_words).collect();
        let (policies, measures) = (self.policies(session, &*rules)?, self.measures(&*rules));
        Ok(Variant { name, rules, changed, policies, measures })
    }

    fn policies(&self, session: &Session, rules: &dyn AnyRules) -> Result<Vec<AnyPolicy>, Failure> {
        self.specs.iter().map(|spec| spec.compile(session, rules)).collect()
    }

    /// The catalogue of the game, and whatever else is aimed at.
    fn measures(&self, rules: &dyn AnyRules) -> Vec<Measure> {
        let mut measures = self.catalogue(rules);
        let further = further(rules.seats(), rules.metrics(), &measures);
        measures.extend(further.into_iter().filter(|measure| self.aims.contains(&measure.name)));
        measures
    }

    /// Everything that can be aimed at.
    fn all_measures(&self, rules: &dyn AnyRules) -> Vec<Measure> {
        let mut measures = self.catalogue(rules);
        measures.append(&mut further(rules.seats(), rules.metrics(), &measures));
        measures
    }

    fn catalogue(&self, rules: &dyn AnyRules) -> Vec<Measure> {
        let close = self.lead.map(|lead| (lead.metric, lead.most));
        catalogue(rules.seats(), rules.metrics(), &rules.told_endings(), self.mark, close)
    }
}

fn policies(session: &Session, args: &Balance) -> Result<Vec<Player>, Failure> {
    let game = game(session, &args.game)?;
    let named = all_of(session, &args.policies, game)?;
    if named.is_empty() {
        return Err(no_policy(game, ", from naive to good"));
    }
    named.iter().map(|spec| Player::parse(session, spec, game)).collect()
}
