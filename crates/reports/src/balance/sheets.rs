//! The files of a balance run. Their columns are a contract.
//!
//! Intervals of `balance.csv`, `skill.csv` and `overview.csv` are 95 % intervals by themselves; those of the other files are
//! simultaneous within the file, and the column `together` is their number (Bonferroni). A cell is empty where nothing
//! is known.

use stopwise_analysis::balance::{Level, Measure, SKILL, Verdict, skill_unit};
use stopwise_analysis::estimate::Estimate;
use stopwise_document::{Dataset, Real, Sheet};

use super::columns::{MEASURED, METHOD, POLICY_IN_EVERY_SEAT, TOGETHER, TRIALS, UNIT, figure, maybe};
use super::{BalanceReport, Claim, Miss, Moved, Ruled, Screened, overview, word};
use crate::leading;
use crate::words::{GAME, RULES, limits};

/// The names of the files, with or without targets and a search.
pub fn files(has_targets: bool, is_search: bool) -> Vec<&'static str> {
    let mut files = vec!["balance.csv", "effects.csv", "skill.csv", "standings.csv", "overview.csv"];
    files.extend(has_targets.then_some("targets.csv"));
    files.extend(is_search.then_some("search.csv"));
    files
}

/// The datasets, in the order of [`files`].
pub(crate) fn datasets(balanced: &BalanceReport) -> Vec<Dataset> {
    let mut all = vec![
        measures().fill(measure_rows(balanced)),
        effects().fill(balanced.effects().into_iter().map(|moved| EffectRow { balanced, moved })),
        skill().fill(skill_rows(balanced)),
        standings().fill(standing_rows(balanced)),
        overview::sheet().fill(overview::rows(balanced)),
    ];
    if !balanced.targets.is_empty() {
        all.push(targets().fill(claim_rows(balanced)));
    }
    if balanced.search.is_some() {
        all.push(search().fill(search_rows(balanced)));
    }
    all
}

/// All of them without rows, for the dictionary.
pub(crate) fn columns() -> Vec<Dataset> {
    vec![
        measures().without_rows(),
        effects().without_rows(),
        skill().without_rows(),
        standings().without_rows(),
        overview::sheet().without_rows(),
        targets().without_rows(),
        search().without_rows(),
    ]
}

fn low(measured: &Estimate, is_share: bool) -> Option<Real> {
    limits(measured.interval, |limit| figure(limit, is_share))[0]
}

fn high(measured: &Estimate, is_share: bool) -> Option<Real> {
    limits(measured.interval, |limit| figure(limit, is_share))[1]
}

/// A row of `balance.csv`.
#[derive(Debug)]
struct MeasureRow<'b> {
    balanced: &'b BalanceReport,
    ruled: &'b Ruled,
    policy: &'b str,
    measure: &'b Measure,
    measured: Option<Estimate>,
}

impl MeasureRow<'_> {
    /// The limit with this number.
    fn limit(&self, at: usize) -> Option<Real> {
        let interval = self.measured.and_then(|measured| measured.interval);
        limits(interval, |limit| figure(limit, self.measure.is_share()))[at]
    }
}

fn measures<'b>() -> Sheet<MeasureRow<'b>> {
    leading::sheet("balance.csv", |r: &MeasureRow<'b>| r.balanced.game, |r| r.ruled.name.as_str())
        .column("policy", "", POLICY_IN_EVERY_SEAT, |r| r.policy)
        .column("seat", "", "1 in a game alone; empty in a game for several, of all seats", |r| {
            (r.ruled.seats == 1).then_some(1_u32)
        })
        .column("measure", "", MEASURED, |r| r.measure.name.as_str())
        .column("unit", "", UNIT, |r| r.measure.unit)
        .column(
            "value",
            "unit of the measure",
            "the estimate; empty if nothing was counted that it could be made of",
            |r| maybe(r.measured.map(|measured| measured.value), r.measure.is_share()),
        )
        .column(
            "low",
            "unit of the measure",
            "lower limit of the 95 % interval, by itself; empty if nothing bounds it",
            |r| r.limit(0),
        )
        .column("high", "unit of the measure", "upper limit", |r| r.limit(1))
        .column("method", "", METHOD, |r| r.measure.method().to_string())
        .column("trials", "trials", TRIALS, |r| r.balanced.trials)
}

fn measure_rows(balanced: &BalanceReport) -> Vec<MeasureRow<'_>> {
    let mut rows = Vec::new();
    for (variant, ruled) in balanced.variants.iter().enumerate() {
        for (number, policy) in balanced.policies.iter().enumerate() {
            rows.extend(ruled.measures.iter().map(|measure| {
                let measured = balanced.measured(variant, number, measure, Level::SINGLE);
                MeasureRow { balanced, ruled, policy, measure, measured }
            }));
        }
    }
    rows
}

/// A row of `effects.csv`.
#[derive(Debug)]
struct EffectRow<'b> {
    balanced: &'b BalanceReport,
    moved: Moved<'b>,
}

impl<'b> EffectRow<'b> {
    fn ruled(&self) -> &'b Ruled {
        &self.balanced.variants[self.moved.variant]
    }

    fn figure(&self, value: f64) -> Real {
        figure(value, self.moved.measure.is_share())
    }
}

fn effects<'b>() -> Sheet<EffectRow<'b>> {
    Sheet::<EffectRow<'b>>::new("effects.csv")
        .column("game", "", GAME, |r| r.balanced.game)
        .column("base", "", "the first rules", |r| r.balanced.variants[0].name.as_str())
        .column("rules", "", RULES, |r| r.ruled().name.as_str())
        .column("changed", "", "the options in which the rules differ from the base", |r| {
            r.ruled().changed.join("; ")
        })
        .column("policy", "", POLICY_IN_EVERY_SEAT, |r| r.balanced.policies[r.moved.policy].as_str())
        .column("measure", "", MEASURED, |r| r.moved.measure.name.as_str())
        .column("unit", "", UNIT, |r| r.moved.measure.unit)
        .column("base_value", "unit of the measure", "the estimate under the base", |r| {
            r.figure(r.moved.effect.base)
        })
        .column("value", "unit of the measure", "the estimate under the rules", |r| {
            r.figure(r.moved.effect.variant)
        })
        .column("difference", "unit of the measure", "value − base_value", |r| {
            r.figure(r.moved.effect.difference.value)
        })
        .column(
            "low",
            "unit of the measure",
            "lower limit of the interval of the difference; all of the file hold together",
            |r| low(&r.moved.effect.difference, r.moved.measure.is_share()),
        )
        .column("high", "unit of the measure", "upper limit", |r| {
            high(&r.moved.effect.difference, r.moved.measure.is_share())
        })
        .column("method", "", "how the interval is made; paired: trial by trial on the same dice", |r| {
            r.moved.effect.difference.method.to_string()
        })
        .column("together", "", TOGETHER, |r| r.moved.effect.difference.level.together())
        .column("trials", "trials", TRIALS, |r| r.balanced.trials)
}

/// A row of `skill.csv`.
#[derive(Debug)]
struct SkillRow<'b> {
    balanced: &'b BalanceReport,
    variant: usize,
    measure: &'static str,
    unit: &'static str,
    measured: Estimate,
}

impl<'b> SkillRow<'b> {
    fn ruled(&self) -> &'b Ruled {
        &self.balanced.variants[self.variant]
    }

    fn is_share(&self) -> bool {
        self.ruled().seats > 1
    }
}

fn skill<'b>() -> Sheet<SkillRow<'b>> {
    leading::sheet("skill.csv", |r: &SkillRow<'b>| r.balanced.game, |r| r.ruled().name.as_str())
        .column("best", "", "the policy that did best in other trials", |r| {
            r.balanced.policies[r.balanced.best[r.variant]].as_str()
        })
        .column("naive", "", "the policy that stands for naive play", |r| {
            r.balanced.policies[r.balanced.naive].as_str()
        })
        .column(
            "measure",
            "",
            "`gap`: what the best has more, in the sense of the score, or its share of the games \
             with a winner at a table of naive policies less a fair one; `luck`: the standard \
             deviation of the score of a single game, the variances of both averaged; `skill`: gap \
             by luck, at a table the gap",
            |r| r.measure,
        )
        .column("unit", "", UNIT, |r| r.unit)
        .column("value", "unit of the measure", "the estimate", |r| figure(r.measured.value, r.is_share()))
        .column("low", "unit of the measure", "lower limit of the 95 % interval, by itself", |r| {
            low(&r.measured, r.is_share())
        })
        .column("high", "unit of the measure", "upper limit", |r| high(&r.measured, r.is_share()))
        .column("method", "", METHOD, |r| r.measured.method.to_string())
        .column("trials", "trials", TRIALS, |r| r.balanced.trials)
}

fn skill_rows(balanced: &BalanceReport) -> Vec<SkillRow<'_>> {
    let mut rows = Vec::new();
    for (variant, ruled) in balanced.variants.iter().enumerate() {
        let Some(skill) = &balanced.skills[variant] else { continue };
        let unit = if ruled.seats > 1 { "share of games" } else { ruled.metrics[0].unit };
        let measures = [
            ("gap", unit, skill.gap(Level::SINGLE)),
            ("luck", unit, skill.luck(Level::SINGLE)),
            (SKILL, skill_unit(ruled.seats), skill.size(Level::SINGLE)),
        ];
        rows.extend(measures.into_iter().filter_map(|(measure, unit, measured)| {
            Some(SkillRow { balanced, variant, measure, unit, measured: measured? })
        }));
    }
    rows
}

/// A row of `standings.csv`.
#[derive(Debug)]
struct StandingRow<'b> {
    balanced: &'b BalanceReport,
    ruled: &'b Ruled,
    policy: &'b str,
    measured: Estimate,
    can_be_best: bool,
}

impl StandingRow<'_> {
    fn is_share(&self) -> bool {
        self.ruled.seats > 1
    }
}

fn standings<'b>() -> Sheet<StandingRow<'b>> {
    leading::sheet("standings.csv", |r: &StandingRow<'b>| r.balanced.game, |r| r.ruled.name.as_str())
        .column("policy", "", "the policy with its parameters", |r| r.policy)
        .column(
            "measure",
            "",
            "`mean score`, or `wins against naive`: the share of the games with a winner that it \
             wins at a table of naive policies, of a win where those who tie share it",
            |r| if r.is_share() { "wins against naive" } else { "mean score" },
        )
        .column("unit", "", UNIT, |r| if r.is_share() { "share of games" } else { r.ruled.metrics[0].unit })
        .column("value", "unit of the measure", "the estimate", |r| figure(r.measured.value, r.is_share()))
        .column(
            "low",
            "unit of the measure",
            "lower limit of the interval; all of the file hold together",
            |r| low(&r.measured, r.is_share()),
        )
        .column("high", "unit of the measure", "upper limit", |r| high(&r.measured, r.is_share()))
        .column("method", "", METHOD, |r| r.measured.method.to_string())
        .column("together", "", TOGETHER, |r| r.measured.level.together())
        .column(
            "can_be_best",
            "true or false",
            "whether no other policy is known to be better under these rules",
            |r| r.can_be_best,
        )
        .column("trials", "trials", TRIALS, |r| r.balanced.trials)
}

fn standing_rows(balanced: &BalanceReport) -> Vec<StandingRow<'_>> {
    let Some(standings) = balanced.standings() else { return Vec::new() };
    let mut rows = Vec::new();
    for (variant, ruled) in balanced.variants.iter().enumerate() {
        let in_race = standings.can_be_best(variant);
        rows.extend(balanced.policies.iter().enumerate().map(|(number, policy)| {
            let measured = balanced.as_wanted(variant, standings.policies[variant][number]);
            StandingRow { balanced, ruled, policy, measured, can_be_best: in_race[number] }
        }));
    }
    rows
}

/// A row of `targets.csv`.
#[derive(Debug)]
struct ClaimRow<'b> {
    balanced: &'b BalanceReport,
    claim: Claim<'b>,
    together: usize,
}

fn targets<'b>() -> Sheet<ClaimRow<'b>> {
    leading::sheet(
        "targets.csv",
        |r: &ClaimRow<'b>| r.balanced.game,
        |r| r.balanced.variants[r.claim.variant].name.as_str(),
    )
    .column("policy", "", "the policy; for `skill` the best and the naive one", |r| {
        r.balanced.who(r.claim.policy, r.claim.variant)
    })
    .column("measure", "", MEASURED, |r| r.claim.target.measure.as_str())
    .column("unit", "", UNIT, |r| r.claim.unit)
    .column("at_least", "unit of the measure", "the least that is wanted; empty if there is none", |r| {
        maybe(r.claim.target.at_least, r.claim.is_share)
    })
    .column("at_most", "unit of the measure", "the most that is wanted; empty if there is none", |r| {
        maybe(r.claim.target.at_most, r.claim.is_share)
    })
    .column("value", "unit of the measure", "the estimate", |r| {
        figure(r.claim.measured.value, r.claim.is_share)
    })
    .column("low", "unit of the measure", "lower limit of the interval; all of the file hold together", |r| {
        low(&r.claim.measured, r.claim.is_share)
    })
    .column("high", "unit of the measure", "upper limit", |r| high(&r.claim.measured, r.claim.is_share))
    .column(
        "verdict",
        "",
        "`pass`: the whole interval is within the bounds; `fail`: it is outside; `undecided`: neither",
        |r| word(r.claim.verdict),
    )
    .column(
        "trials_to_decide",
        "trials",
        "how many, in all, would decide with nine chances in ten if the value is the estimate; \
             empty if decided or if no number would",
        |r| r.claim.needed.filter(|_| r.claim.verdict == Verdict::Undecided),
    )
    .column("method", "", METHOD, |r| r.claim.measured.method.to_string())
    .column("together", "", TOGETHER, |r| r.together)
    .column("trials", "trials", TRIALS, |r| r.balanced.trials)
}

fn claim_rows(balanced: &BalanceReport) -> impl Iterator<Item = ClaimRow<'_>> {
    let claims = balanced.claims();
    let together = claims.len();
    claims.into_iter().map(move |claim| ClaimRow { balanced, claim, together })
}

/// A row of `search.csv`.
#[derive(Debug)]
struct SearchRow<'b> {
    balanced: &'b BalanceReport,
    looked: &'b Screened,
    miss: Option<&'b Miss>,
}

impl<'b> SearchRow<'b> {
    /// A value of the miss, made from it and from whether its measure is a share; `None` if no target is missed.
    fn missed<T>(&self, value: impl Fn(&'b Miss, bool) -> T) -> Option<T> {
        let is_share = |miss: &Miss| self.balanced.is_share(&self.balanced.targets[miss.target].measure);
        self.miss.map(|miss| value(miss, is_share(miss)))
    }
}

fn search<'b>() -> Sheet<SearchRow<'b>> {
    leading::sheet("search.csv", |r: &SearchRow<'b>| r.balanced.game, |r| r.looked.name.as_str())
        .column("changed", "", "the options in which the rules differ from the base", |r| {
            r.looked.changed.join("; ")
        })
        .column(
            "trials",
            "trials",
            "trials with each policy after which the variant left, or all of the screening",
            |r| r.looked.trials,
        )
        .column("result", "", "`left`: a target surely fails; `stayed`: judged on fresh trials", |r| {
            if r.looked.has_left { "left" } else { "stayed" }
        })
        .column("policy", "", "the policy with which a target is missed; empty if none is", |r| {
            r.missed(|miss, _| r.balanced.policies[miss.policy].as_str())
        })
        .column("measure", "", "what was measured", |r| {
            r.missed(|miss, _| r.balanced.targets[miss.target].measure.as_str())
        })
        .column("at_least", "unit of the measure", "the least that is wanted", |r| {
            r.missed(|miss, is_share| maybe(r.balanced.targets[miss.target].at_least, is_share))
        })
        .column("at_most", "unit of the measure", "the most that is wanted", |r| {
            r.missed(|miss, is_share| maybe(r.balanced.targets[miss.target].at_most, is_share))
        })
        .column("value", "unit of the measure", "the estimate of the screening", |r| {
            r.missed(|miss, is_share| figure(miss.value, is_share))
        })
        .column("shortfall", "unit of the measure", "how far the estimate is outside", |r| {
            r.missed(|miss, is_share| figure(miss.shortfall, is_share))
        })
        .column(
            "is_sure",
            "true or false",
            "whether the target surely fails; all of the file hold together with probability 95 %",
            |r| r.missed(|miss, _| miss.is_sure),
        )
}

fn search_rows(balanced: &BalanceReport) -> Vec<SearchRow<'_>> {
    let mut rows = Vec::new();
    for looked in balanced.search.iter().flat_map(|search| &search.looked) {
        if looked.misses.is_empty() {
            rows.push(SearchRow { balanced, looked, miss: None });
        }
        rows.extend(looked.misses.iter().map(|miss| SearchRow { balanced, looked, miss: Some(miss) }));
    }
    rows
}
