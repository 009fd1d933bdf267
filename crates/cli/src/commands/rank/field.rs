//! The policies of a ranking: those named, with the variants that `--vary` makes of them.

use stopwise_analysis::rank::{Matchup, Race};
use stopwise_erased::{AnyPolicy, AnyRules};
use stopwise_narration::grouped;

use crate::args::Rank;
use crate::failure::Failure;
use crate::grid::Varied;
use crate::memory;
use crate::progress::Steps;
use crate::session::Session;
use crate::setup::{Player, all_of, check_named_once, check_seats};
use crate::threads::most_threads;

/// The most policies. What is known of every two of so many still fits a cache.
const MOST: usize = 1000;

/// Policies with a name each: of a policy whose parameters are varied one for every value, in the order of the grid.
pub(super) fn field(session: &Session, args: &Rank, rules: &dyn AnyRules) -> Result<Vec<AnyPolicy>, Failure> {
    let typed = all_of(session, &args.policies, rules.entry())?;
    if typed.is_empty() {
        // Says which there are.
        check_seats(rules, &typed)?;
    }
    let varied = Varied::new(&args.vary, &[])?;
    let declared = varied.declared(&typed);
    let specs = declared.iter().map(|spec| Player::parse(session, spec, rules.entry()));
    let specs = specs.collect::<Result<Vec<_>, _>>()?;
    let bindings = varied.bind(session, rules, &specs)?;
    let values = |own: &Vec<(usize, String)>| {
        own.iter().map(|(axis, _)| varied.grid.axes[*axis].levels.len()).product::<usize>()
    };
    let all = bindings.iter().map(values).sum::<usize>();
    if all > MOST {
        return Err(Failure::Input(format!(
            "{} policies are too many to compare every two: at most {}; shorten a list of --vary",
            grouped(all as u64),
            grouped(MOST as u64)
        )));
    }
    let steps = Steps::new(session, "policies read", all, args.common.quiet);
    let mut field: Vec<(&str, AnyPolicy)> = Vec::new();
    for (number, typed) in typed.iter().enumerate() {
        let is_own = |axis: usize| bindings[number].iter().any(|(own, _)| *own == axis);
        // Of points that differ in the parameters of others one will do.
        let is_first = |&point: &usize| {
            let levels = varied.grid.levels(point);
            levels.iter().enumerate().all(|(axis, &level)| level == 0 || is_own(axis))
        };
        let own = vec![bindings[number].clone()];
        for point in (0..varied.grid.points()).filter(is_first) {
            let policies = varied.policies(session, point, rules, &specs[number..=number], &own)?;
            if field.is_empty() {
                check_memory(args, rules, &policies[0], all)?;
            }
            field.extend(policies.into_iter().map(|policy| (typed.as_str(), policy)));
            steps.step();
        }
    }
    steps.finish();
    check(&field)?;
    Ok(field.into_iter().map(|(_, policy)| policy).collect())
}

/// Refuses so many policies like the first if they, and what is known of every two, do not fit.
fn check_memory(
    args: &Rank,
    rules: &dyn AnyRules,
    first: &AnyPolicy,
    policies: usize,
) -> Result<(), Failure> {
    let threads = most_threads(args.common.threads);
    let known = match rules.seats() {
        1 => Race::bytes(policies, threads),
        2 => Matchup::bytes(policies * (policies - 1) / 2),
        _ => Matchup::bytes(policies * (policies - 1)),
    };
    let need = (first.bytes() * policies) as u64 + known;
    memory::check(need, memory::limit(args.memory), &format!("{} policies", grouped(policies as u64)))
}

fn check(field: &[(&str, AnyPolicy)]) -> Result<(), Failure> {
    if let [(typed, _)] = field {
        return Err(Failure::Input(format!(
            "one policy, `{typed}`: a ranking needs two or more; give --policy again, or --vary NAME=LIST"
        )));
    }
    check_named_once(field.iter().map(|(typed, policy)| (*typed, policy.label())))
}
