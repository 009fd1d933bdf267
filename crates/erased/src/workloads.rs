//! Fixed workloads for measuring speed: the same policy in Rust and as text, on every runner; policies one by one and on the
//! same dice; best play, plain and solved.

pub mod solved;

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use stopwise_engine::arms::{Arm, Lineups, run_arms};
use stopwise_engine::game::{Event, Game, Policy};
use stopwise_engine::games::Playable;
use stopwise_engine::games::carbonite::Carbonite;
use stopwise_engine::games::carcassonne::Carcassonne;
use stopwise_engine::games::freeze::Freeze;
use stopwise_engine::games::icedice::IceDice;
use stopwise_engine::games::pig::Pig;
use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::paired::{PairedTally, add_paired};
use stopwise_engine::run::{Plan, Watcher, batch, play};
use stopwise_engine::side_by_side::{LanePlayer, SideBySide, play_side_by_side};
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_lanes::{Found, TextLineups};
use stopwise_policy::native::{First, Hold, Tidy};
use stopwise_policy::{Text, TextError, TextPolicy, shipped};
use stopwise_script::GameText;

use crate::arm::AnyArm;
use crate::on_lanes::on_lanes;
use crate::registry;

/// The number of trials between two readings of the clock.
const SLICE: u64 = 2_000;
/// The same for lanes, which need more trials to fill and to empty.
const LANE_SLICE: u64 = 50_000;

/// A workload, in the variants that are compared.
#[derive(Debug)]
pub struct Workload {
    /// Game, policy and rules.
    pub name: &'static str,
    /// The index of the metric that counts rolls.
    pub rolls: usize,
    /// The variants; each is compared with the first.
    pub variants: Vec<Variant>,
}

/// A workload on one runner, with its policy in Rust or as text, and what it has played.
pub struct Variant {
    /// The runner and the policy.
    pub name: &'static str,
    /// The number of trials of a slice.
    slice: u64,
    played: u64,
    work: Box<dyn Work>,
}

/// What a variant does.
trait Work {
    /// Plays trials; what does something else does it once.
    fn play(&mut self, trials: Range<u64>);

    /// The games that were played and their rolls, by the index of the metric that counts them.
    fn counted(self: Box<Self>, rolls: usize) -> (u64, u128);
}

fn counted(tally: &Tally, rolls: usize) -> (u64, u128) {
    (tally.trials, tally.seats.iter().map(|seat| seat.metrics[rolls].sums().0).sum())
}

impl Variant {
    /// Plays the next slice of trials.
    pub fn play(&mut self) {
        self.work.play(self.played..self.played + self.slice);
        self.played += self.slice;
    }

    /// The games that were played and their rolls, by the index of the metric that counts them; positions that were solved are
    /// both.
    #[must_use]
    pub fn counted(self, rolls: usize) -> (u64, u128) {
        self.work.counted(rolls)
    }
}

impl std::fmt::Debug for Variant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Variant").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A policy on the reference runner.
struct OnTrial<G, P> {
    game: G,
    lineup: [P; 1],
    keys: Keys,
    tally: Tally,
}

impl<G: Game, P: Policy<G>> Work for OnTrial<G, P> {
    fn play(&mut self, trials: Range<u64>) {
        batch(&self.game, &self.lineup, &self.keys, trials, &mut self.tally);
    }

    fn counted(self: Box<Self>, rolls: usize) -> (u64, u128) {
        counted(&self.tally, rolls)
    }
}

/// A policy on lanes, whose counts last from slice to slice.
struct OnLanes(Box<dyn LanePlayer>);

impl OnLanes {
    /// The arm lasts as long as the process, which measures it.
    fn new(arm: Box<dyn SideBySide>, set: InstructionSet) -> Self {
        let arm: &'static dyn SideBySide = Box::leak(arm);
        Self(arm.player(set, 0, &Keys::new(1)))
    }
}

impl Work for OnLanes {
    fn play(&mut self, trials: Range<u64>) {
        self.0.play(trials, None);
    }

    fn counted(self: Box<Self>, rolls: usize) -> (u64, u128) {
        counted(&Tally::whole(&self.0.tallies()), rolls)
    }
}

/// Policies, alone and one after the other.
struct Alone(Vec<OnLanes>);

impl Work for Alone {
    fn play(&mut self, trials: Range<u64>) {
        self.0.iter_mut().for_each(|one| one.play(trials.clone()));
    }

    fn counted(mut self: Box<Self>, rolls: usize) -> (u64, u128) {
        Box::new(self.0.swap_remove(0)).counted(rolls)
    }
}

/// Two policies, compared on the same dice.
struct Compared {
    arms: Vec<Box<dyn AnyArm>>,
    total: PairedTally,
}

impl Work for Compared {
    fn play(&mut self, trials: Range<u64>) {
        let total = std::mem::replace(&mut self.total, PairedTally::new(&[], &[], 0));
        let plan = Plan { seed: 1, trials };
        self.total = add_paired(&dyn_arms(&self.arms), total, &plan, &|_| ControlFlow::Continue(()));
    }

    fn counted(self: Box<Self>, rolls: usize) -> (u64, u128) {
        counted(&Tally::whole(&self.total.arms[0].rotations), rolls)
    }
}

/// Policies that are ranked on the same dice, by their rolls, which are counted so.
struct Ranked {
    arms: Vec<Box<dyn AnyArm>>,
    rolls: usize,
    counted: (u64, u128),
}

impl Work for Ranked {
    fn play(&mut self, trials: Range<u64>) {
        let plan = Plan { seed: 1, trials };
        let products = run_arms(&dyn_arms(&self.arms), self.rolls, &plan, &|_| ControlFlow::Continue(()));
        self.counted = (self.counted.0 + products.trials, self.counted.1 + products.sum(0));
    }

    fn counted(self: Box<Self>, _: usize) -> (u64, u128) {
        self.counted
    }
}

fn dyn_arms(arms: &[Box<dyn AnyArm>]) -> Vec<&dyn Arm> {
    arms.iter().map(|arm| &**arm as _).collect()
}

/// All workloads for one thread, which must be that of the current rayon pool.
///
/// # Errors
///
/// None with the shipped policies.
pub fn workloads() -> Result<Vec<Workload>, TextError> {
    let wiki = Carbonite::WIKI;
    let numbers = Text::new(
        "bench",
        "game = \"carbonite\"\nname = \"numbers\"\nsummary = \"Risk against points.\"\n\
         stop = \"counter >= 1 && points_if_stopped * bust_chance > 3\"",
    );
    let numbers = TextPolicy::compile(&numbers, &wiki, &[])?;
    let points = "carbonite, a stop rule on points_if_stopped and bust_chance";
    let (solo, two) = (Pig::SOLO, Pig::STANDARD);
    Ok(vec![
        Workload::of(&wiki, "carbonite first:k=2, wiki").rust(&wiki, First { k: 2 }).text(&wiki, "first")?,
        Workload::of(&wiki, "carbonite tidy, wiki").rust(&wiki, Tidy { k: 2 }).text(&wiki, "tidy")?,
        Workload::of(&wiki, points).policy(&wiki, &numbers).lanes(&wiki, &numbers),
        // Products beyond 16 bits: flat code on lanes of 32.
        Workload::of(&wiki, "carbonite stake, wiki").text(&wiki, "stake")?,
        Workload::of(&IceDice::TWO, "icedice for two, stop at 2")
            .rust(&IceDice::TWO, First { k: 2 })
            .text(&IceDice::TWO, "stop-at")?,
        Workload::of(&Freeze::TABLE, "freeze table, when-behind").text(&Freeze::TABLE, "when-behind")?,
        Workload::of(&Carcassonne::TWO, "carcassonne for two, builder").text(&Carcassonne::TWO, "builder")?,
        Workload::of(&solo, "pig solo, hold at 20").rust(&solo, Hold { n: 20 }).text(&solo, "hold")?,
        Workload::of(&two, "pig for two, hold at 20").rust(&two, Hold { n: 20 }).text(&two, "hold")?,
        as_text("pig as text, solo, hold at 20", "pig", &[("players", "1")], "hold")?,
        as_text("pig as text, for two, hold at 20", "pig", &[], "hold")?,
        as_text("toss-up, by-dice", "toss-up", &[], "by-dice")?,
        as_text("zombie-dice for four, by-shots", "zombie-dice", &[], "by-shots")?,
        as_text("farkle for two, by-dice", "farkle", &[], "by-dice")?,
        as_text("cant-stop for two, rule-of-28", "cant-stop", &[], "rule-of-28")?,
        as_text("yahtzee alone, over-par", "yahtzee", &[], "over-par")?,
        beside(&wiki, "carbonite, tidy and first", &["tidy", "first"])?,
        beside(&solo, "pig solo, hold and four-scoring-turns", &["hold", "four-scoring-turns"])?,
        beside(&Freeze::PUBLISHED, "freeze, never and when-behind", &["never", "when-behind"])?,
        beside(&wiki, "carbonite, four policies", &["tidy", "first", "stake", "careful"])?,
        solved::pig_alone(),
    ])
}

/// Shipped policies on lanes: simulated one after the other, and two of them compared, more of them ranked.
fn beside<G: Playable>(game: &G, name: &'static str, policies: &[&str]) -> Result<Workload, TextError> {
    let rules = registry::game(game.info().name).expect("it is shipped").rules(game);
    let set = InstructionSet::best();
    let (mut alone, mut arms) = (Vec::new(), Vec::new());
    for policy in policies {
        let shipped = shipped::policy(game.info().name, policy).expect("it is shipped");
        alone.push(OnLanes::new(arm_on_lanes(game, &text(game, policy)?, set).expect("lanes play it"), set));
        let mut arm = rules.arm(&[vec![rules.compile(&shipped.text(), &[])?]]);
        arm.use_lanes(set).expect("lanes play it");
        arms.push(arm);
    }
    let work = Workload::of(game, name).add("one after the other", LANE_SLICE, Alone(alone));
    Ok(if policies.len() == 2 {
        let total = PairedTally::new(&dyn_arms(&arms), &[(0, 1)], 0);
        work.add("compared", LANE_SLICE, Compared { arms, total })
    } else {
        let rolls = work.rolls;
        work.add("ranked", LANE_SLICE, Ranked { arms, rolls, counted: (0, 0) })
    })
}

/// A game as text, with these values of its options.
fn as_text(
    name: &'static str,
    game: &str,
    options: &[(&str, &str)],
    policy: &str,
) -> Result<Workload, TextError> {
    let mut texts = shipped::GALLERY.iter().chain(shipped::TOLD);
    let text = texts.find(|text| text.name == game).expect("it is shipped").text();
    let options = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let game = GameText::new(&text.text)?.script(&options.collect::<Vec<_>>())?;
    Workload::of(&game, name).text(&game, policy)
}

impl Workload {
    fn of<G: Game>(game: &G, name: &'static str) -> Self {
        let rolls = game.metrics().iter().position(|metric| metric.counts(Event::ROLL)).unwrap_or(0);
        Self { name, rolls, variants: Vec::new() }
    }

    fn add(mut self, name: &'static str, slice: u64, work: impl Work + 'static) -> Self {
        self.variants.push(Variant { name, slice, played: 0, work: Box::new(work) });
        self
    }

    /// Adds the policy in Rust, on the reference runner.
    fn rust<G: Game>(self, game: &G, policy: impl Policy<G> + 'static) -> Self {
        self.on_trial("trial, Rust", game, policy)
    }

    /// Adds a compiled text, on the reference runner.
    fn policy<G: Vocabulary>(self, game: &G, policy: &TextPolicy<G>) -> Self {
        self.on_trial("trial, text", game, policy.clone())
    }

    fn on_trial<G: Game>(self, name: &'static str, game: &G, policy: impl Policy<G> + 'static) -> Self {
        let tally = Tally::new(game);
        self.add(name, SLICE, OnTrial { game: *game, lineup: [policy], keys: Keys::new(1), tally })
    }

    /// Adds the shipped text, on the reference runner and on lanes.
    fn text<G: Playable>(self, game: &G, name: &str) -> Result<Self, TextError> {
        let policy = text(game, name)?;
        Ok(self.policy(game, &policy).lanes(game, &policy))
    }

    /// Adds lanes for every instruction set that the machine has.
    fn lanes<G: Playable>(mut self, game: &G, policy: &TextPolicy<G>) -> Self {
        for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
            let name = match set {
                InstructionSet::Avx512 => "lanes, AVX-512",
                InstructionSet::Avx2 => "lanes, AVX2",
                InstructionSet::Plain => "lanes, plain",
            };
            let Ok(arm) = arm_on_lanes(game, policy, set) else { continue };
            self = self.add(name, LANE_SLICE, OnLanes::new(arm, set));
        }
        self
    }
}

/// An arm of one policy on lanes.
fn arm_on_lanes<G: Playable>(game: &G, policy: &TextPolicy<G>, set: InstructionSet) -> Found {
    let lineups: TextLineups<G> = Lineups { game: *game, lineups: vec![vec![Arc::new(policy.clone())]] };
    on_lanes(game.info().name, &lineups, set)
}

fn text<G: Vocabulary>(game: &G, name: &str) -> Result<TextPolicy<G>, TextError> {
    let shipped = shipped::policy(game.info().name, name).expect("it is shipped");
    TextPolicy::compile(&shipped.text(), game, &[])
}

/// One plan for measuring several threads.
#[derive(Debug)]
pub struct Scaling {
    /// The runner.
    pub runner: &'static str,
    /// The number of trials of the plan.
    pub trials: u64,
    on_lanes: bool,
}

/// The workload `carbonite first:k=2` for several threads, on each runner.
pub const SCALING: [Scaling; 2] = [
    Scaling { runner: "trial", trials: 500_000, on_lanes: false },
    Scaling { runner: "lanes", trials: 5_000_000, on_lanes: true },
];

impl Scaling {
    /// Plays the plan on the threads of the current rayon pool. Returns the number of trials.
    ///
    /// # Errors
    ///
    /// None with the shipped policies.
    pub fn play(&self, progress: &Watcher<'_>) -> Result<u64, TextError> {
        let (wiki, plan) = (Carbonite::WIKI, Plan { seed: 1, trials: 0..self.trials });
        if self.on_lanes {
            let set = InstructionSet::best();
            let arm = arm_on_lanes(&wiki, &text(&wiki, "first")?, set).expect("lanes play it");
            let tallies = play_side_by_side(&*arm, set, &plan, progress);
            return Ok(tallies.iter().map(|tally| tally.trials).sum());
        }
        let lineups = Lineups { game: wiki, lineups: vec![vec![First { k: 2 }]] };
        Ok(play(&lineups, &plan, progress).iter().map(|tally| tally.trials).sum())
    }
}
