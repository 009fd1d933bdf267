//! The first trials in which two line-ups diverge. Each is played again to be told in words, which for long games takes longer
//! than the comparison itself.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use stopwise_engine::paired::PairTally;
use stopwise_engine::rotation::rotation_of;
use stopwise_erased::{AnyPolicy, AnyRules};
use stopwise_narration::{InWords, grouped};
use stopwise_reports::compare::Parted;

use crate::failure::Failure;
use crate::progress::Steps;
use crate::session::Session;
use crate::threads::{shared, sharing};

/// So many trials in which pairs part are listed at most.
const LISTED: u64 = 100_000;
/// Trials that a thread plays again before all look whether to go on.
const PIECE: usize = 8;
/// How long the telling may go on after a signal: what is short is told to its end.
const GRACE: Duration = Duration::from_millis(500);

/// Whether so many trials a pair can be listed.
pub(super) fn check_listed(wanted: usize, trials: u64, pairs: usize) -> Result<(), Failure> {
    let most = LISTED / (pairs as u64).max(1);
    if (wanted as u64).min(trials) > most {
        let together = if pairs > 1 { format!(" of all {pairs} pairs together") } else { String::new() };
        return Err(Failure::Input(format!(
            "--divergent {wanted}: {} trials at most can be listed{together}; write {most} or less",
            grouped(LISTED)
        )));
    }
    Ok(())
}

/// The divergences of all pairs, in words.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) divergences: Vec<Vec<Parted>>,
    /// The number with which `--divergent` lists the same.
    pub(super) wanted: usize,
    /// Whether a signal left some untold.
    pub(super) is_cut: bool,
}

/// Tells the first trials in which each pair parts, `wanted` of each if there are so many: the first of every pair, then the
/// second of every pair, and so on. What is cut short by a signal is the list of a smaller number: of every pair as many, or
/// all that there are.
pub(super) fn tell(
    session: &Session,
    rules: &dyn AnyRules,
    lineups: &[Vec<Vec<AnyPolicy>>],
    seed: u64,
    pairs: &[PairTally],
    wanted: usize,
    quiet: bool,
) -> Told {
    let of_trial = |arm: usize, trial: u64| &lineups[arm][rotation_of(trial, lineups[arm].len())][..];
    let longest = pairs.iter().map(|pair| pair.parted.len()).max().unwrap_or(0);
    let of_round = |round: usize| {
        let parted = move |(at, pair): (usize, &PairTally)| Some((round, at, *pair.parted.get(round)?));
        pairs.iter().enumerate().filter_map(parted)
    };
    let trials: Vec<(usize, usize, u64)> = (0..longest).flat_map(of_round).collect();
    let steps = Steps::new(session, "divergences told", trials.len(), quiet);
    let is_over = over(session);
    let mut divergences: Vec<Vec<Parted>> = pairs.iter().map(|_| Vec::new()).collect();
    let mut untold = None;
    for piece in trials.chunks(PIECE * sharing()) {
        let told = shared(piece.len(), |at| {
            let (_, pair, trial) = piece[at];
            if is_over() {
                return Err(());
            }
            let pair = &pairs[pair];
            let (a, b) = (of_trial(pair.a, trial), of_trial(pair.b, trial));
            let told = rules.divergence(a, b, seed, trial);
            steps.step();
            Ok(told.map(|first| Parted { trial, first }))
        });
        for (&(round, pair, _), told) in piece.iter().zip(told) {
            match told {
                Ok(told) if untold.is_none() => divergences[pair].extend(told),
                Ok(_) => {}
                Err(()) => untold = untold.or(Some(round)),
            }
        }
        if untold.is_some() {
            break;
        }
    }
    steps.finish();
    if let Some(round) = untold {
        divergences.iter_mut().for_each(|divergences| divergences.truncate(round));
    }
    Told { divergences, wanted: untold.unwrap_or(wanted), is_cut: untold.is_some() }
}

/// Whether a signal has come, and what may still be told has had its time.
fn over(session: &Session) -> impl Fn() -> bool + '_ {
    let noticed = OnceLock::new();
    move || session.is_ending() && noticed.get_or_init(Instant::now).elapsed() > GRACE
}
