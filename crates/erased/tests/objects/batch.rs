//! A policy that gives the same answers in batches as a text policy has the same results, bit for bit.

use std::collections::HashMap;
use std::fmt::Debug;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use rayon::ThreadPoolBuilder;
use stopwise_engine::arms::{Arm, Rows, run_arms};
use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::paired::run_paired;
use stopwise_engine::rotation::{rotation_of, rotations};
use stopwise_engine::run::{Batch, Plan, play};
use stopwise_engine::stream::Keys;
use stopwise_engine::trial_result::Recording;
use stopwise_engine::vector_env::{Numbers, Observation, Renewal, Start};
use stopwise_engine::vocabulary::Candidates;
use stopwise_erased::{
    AnyPolicy, AnyRules, AnyVectorEnv, BatchPolicy, NumberType, Questions, Values, Wants, game,
};
use stopwise_narration::{InWords, Listener, Outcome, Passage, read_rules};
use stopwise_policy::{Heading, Text, shipped};

const SEED: u64 = 3;

/// Answers what a text answers: it plays every trial that it is asked about at a table of its own.
struct Mirror {
    rules: Arc<dyn AnyRules>,
    /// The line-ups that take turns.
    lineups: Vec<Vec<AnyPolicy>>,
    wants: Wants,
    tables: Mutex<HashMap<u64, Box<dyn AnyVectorEnv>>>,
    calls: AtomicUsize,
}

impl Debug for Mirror {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Mirror")
    }
}

/// What a table of one shows.
fn look(table: &dyn AnyVectorEnv, wants: Wants) -> (u8, u8, u64, Vec<u64>, Vec<f64>) {
    let (mut seats, mut kinds, mut masks) = ([9], [9], [0]);
    let (mut states, mut values) = (vec![0; table.words()], vec![0.0; 64]);
    let mut observation = Observation {
        seats: &mut seats,
        kinds: &mut kinds,
        masks: &mut masks,
        trials: &mut [],
        states: &mut states,
        variables: &mut [],
        features: wants.features,
        numbers: Numbers::F64(&mut values),
    };
    table.observe(&[0], &mut observation);
    (seats[0], kinds[0], masks[0], states, values)
}

/// What is shown of the candidates of a question.
fn of_candidates(candidates: &dyn Candidates, question: usize) -> Vec<(usize, usize, Vec<f64>)> {
    let (mut all, mut shown) = ((0..candidates.columns().len()).collect::<Vec<_>>(), Vec::new());
    all.reverse();
    candidates.each(&all, &mut |candidate| {
        if candidate.question == question {
            shown.push((candidate.kind, candidate.action, candidate.values.to_vec()));
        }
    });
    shown
}

impl BatchPolicy for Mirror {
    fn wants(&self) -> Wants {
        self.wants
    }

    fn answer(&self, questions: &Questions<'_>, actions: &mut [i64]) -> Result<(), String> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let count = questions.trials.len();
        let mut tables = self.tables.lock().expect("nobody panics");
        for row in 0..count {
            let trial = questions.trials[row];
            let is_new = !tables.contains_key(&trial);
            let table = tables.entry(trial).or_insert_with(|| self.rules.tables(1, Recording::Nothing));
            let lineup = &self.lineups[rotation_of(trial, self.lineups.len())];
            if is_new {
                table.begin(&Keys::new(SEED), &[Start { table: 0, trial, key: trial }]);
            }
            // Up to the question.
            loop {
                let (seat, kind, mask, states, values) = look(&**table, self.wants);
                let candidates = of_candidates(&*table.candidates(&[0]), 0);
                assert_ne!(mask, 0, "trial {trial} is over");
                let policy = if lineup.len() == 1 { &lineup[0] } else { &lineup[usize::from(seat)] };
                let mut action = [-1];
                table.answer(policy, &[0], &mut action);
                table.step(&[0], &action, Renewal::Wait, &mut [], &mut []).expect("it is legal");
                let is_asked = lineup.len() == 1 || asks(usize::from(seat), trial, self.lineups.len());
                if !is_asked {
                    continue;
                }
                assert_eq!(
                    (questions.seats[row], questions.kinds[row], questions.masks[row]),
                    (seat, kind, mask)
                );
                if self.wants.states {
                    assert_eq!(questions.states[row * questions.words..][..questions.words], states);
                }
                assert_eq!(questions.candidates.is_some(), self.wants.candidates);
                if let Some(shown) = questions.candidates {
                    assert_eq!(of_candidates(&**shown, row), candidates);
                }
                let columns = match questions.values {
                    Values::F32(values) => values.len(),
                    Values::F64(values) => values.len(),
                    Values::I64(values) => values.len(),
                } / count;
                if let Values::F64(shown) = questions.values {
                    let shown: Vec<_> = (0..columns).map(|column| shown[column * count + row]).collect();
                    assert_eq!(shown, values[..columns]);
                }
                actions[row] = action[0];
                break;
            }
        }
        Ok(())
    }
}

/// Whether a batch policy sits in a seat: the one that is named for seat 1, which moves on where line-ups rotate.
fn asks(seat: usize, trial: u64, lineups: usize) -> bool {
    seat == rotation_of(trial, lineups)
}

fn heading(name: &str) -> Heading {
    Heading::new(name.to_owned(), String::new(), Text::new("program", ""))
}

/// The line-ups with a mirror instead of the first policy, and the mirror.
fn mirrored(
    rules: &Arc<dyn AnyRules>,
    lineups: &[Vec<AnyPolicy>],
    wants: Wants,
) -> (Vec<Vec<AnyPolicy>>, Arc<Mirror>) {
    let mirror = Arc::new(Mirror {
        rules: rules.clone(),
        lineups: lineups.to_vec(),
        wants,
        tables: Mutex::default(),
        calls: AtomicUsize::new(0),
    });
    let policy = AnyPolicy::in_batches(heading("mirror"), mirror.clone());
    let with = |(turn, lineup): (usize, &Vec<AnyPolicy>)| {
        let mut lineup = lineup.clone();
        lineup[if lineups.len() == 1 { 0 } else { turn }] = policy.clone();
        lineup
    };
    (lineups.iter().enumerate().map(with).collect(), mirror)
}

fn on(_: Batch) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Holds line-ups that take turns to those of texts.
fn same(rules: &Arc<dyn AnyRules>, lineups: &[Vec<AnyPolicy>], trials: u64, wants: Wants) {
    let plan = Plan { seed: SEED, trials: 7..7 + trials };
    let texts = rules.arm(lineups);
    for threads in [1, 3] {
        let (lineups, mirror) = mirrored(rules, lineups, wants);
        let arm = rules.arm(&lineups);
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let (found, expected) = pool.install(|| (play(&*arm, &plan, &on), play(&*texts, &plan, &on)));
        assert_eq!(arm.failure(), None);
        assert!(found == expected, "{rules:?}: tallies on {threads} threads");
        // Mostly many at once, and nothing is asked that is not needed.
        assert!(mirror.calls.load(Ordering::Relaxed) > 0 || rules.game() == "freeze");
    }
    let metric = rules.metrics().len() - 1;
    let anew = || mirrored(rules, lineups, wants).0;
    let (arm, other) = (rules.arm(&anew()), rules.arm(lineups));
    let measured = |arm: &dyn Arm| run_arms(&[arm, &*other], metric, &plan, &on);
    assert!(measured(&*arm) == measured(&*texts), "{rules:?}: products");
    let arm = rules.arm(&anew());
    let mut rows = [0; 2].map(|_| Rows::new(rules.seats(), rules.metrics().len()));
    let block = 7..7 + trials.min(50);
    rows[0].play(&*arm, &Keys::new(SEED), &block);
    rows[1].play(&*texts, &Keys::new(SEED), &block);
    let [found, expected] = rows.map(|rows| format!("{rows:?}"));
    assert_eq!(found, expected, "{rules:?}: rows");
    let arm = rules.arm(&anew());
    let found = run_paired(&[&*arm, &*other], &[(0, 1)], &plan, 3, &on);
    let expected = run_paired(&[&*texts, &*other], &[(0, 1)], &plan, 3, &on);
    assert!(found == expected, "{rules:?}: pairs");
    assert_eq!(found.pairs[0].parted, [0_u64; 0], "the same answers are the same games");
}

/// What a replay says.
#[derive(Default)]
struct Heard(String);

impl Listener for Heard {
    fn text(&mut self, text: &str) -> ControlFlow<()> {
        self.0.push_str(text);
        ControlFlow::Continue(())
    }

    fn step(&mut self, _: serde_json::Value) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

fn told(rules: &dyn AnyRules, lineup: &[AnyPolicy], trial: u64) -> (Option<Outcome>, String) {
    let mut heard = Heard::default();
    let outcome = rules.replay(lineup, &Passage::whole(SEED, trial), &mut heard);
    // But for the reasons that only texts have.
    let without_reasons = |line: &str| line.split("   [").next().unwrap_or("").to_owned();
    (outcome, heard.0.lines().map(without_reasons).collect::<Vec<_>>().join("\n"))
}

#[test]
fn single_trials() {
    for name in ["carbonite", "icedice", "freeze", "carcassonne", "pig"] {
        let rules = read_rules(game(name).expect("in the registry"), &shipped::default_rules(name).text());
        let rules = rules.unwrap_or_else(|error| panic!("{error}")).rules;
        let policies: Vec<_> =
            shipped::policies_of(name).iter().take(2).map(|shipped| shipped.name).collect();
        let [one, other] = [0, 1].map(|at| compiled(&*rules, policies[at]));
        for trial in 0..8 {
            let texts = |policy: &AnyPolicy| {
                let mut lineup = vec![one.clone(); rules.seats()];
                lineup[0] = policy.clone();
                lineup
            };
            let (mirrored, _) = mirrored(&rules, &[texts(&one)], Wants::default());
            let expected = rules.divergence(&texts(&one), &texts(&other), SEED, trial);
            assert_eq!(
                rules.divergence(&mirrored[0], &texts(&other), SEED, trial),
                expected,
                "{name} {trial}"
            );
            assert!(rules.explain(&mirrored[0][0]).contains("mirror"));
            let (mirrored, _) = self::mirrored(&rules, &[texts(&one)], Wants::default());
            let (outcome, text) = told(&*rules, &mirrored[0], trial);
            let (expected, words) = told(&*rules, &texts(&one), trial);
            let of_first = if rules.seats() > 1 { &["Seat 1, ", "Seat 1 ("][..] } else { &[""] };
            let mirrored = of_first.iter().fold(words, |words, seat| {
                words.replace(&format!("{seat}{}", one.label()), &format!("{seat}mirror"))
            });
            assert_eq!(text, mirrored, "{name} {trial}");
            assert_eq!(outcome.expect("it ends").ending, expected.expect("it ends").ending);
        }
    }
}

/// An agent's actions are told; what does not lead to the end says so.
#[test]
fn given_actions() {
    let rules = read_rules(
        game("pig").expect("in the registry"),
        &shipped::rules("pig", "solo").expect("shipped").text(),
    );
    let rules = rules.unwrap_or_else(|error| panic!("{error}")).rules;
    let mut tables = rules.tables(1, Recording::Nothing);
    tables.reset(SEED, 4).expect("there are decisions");
    let (mut actions, mut rewards) = (Vec::new(), 0.0);
    loop {
        // Rolls thrice, then holds.
        let action = i64::from(actions.len() % 4 == 3);
        let (mut reward, mut ended) = ([0.0], [false]);
        tables.step(&[0], &[action], Renewal::Wait, &mut reward, &mut ended).expect("it is legal");
        actions.push(action);
        rewards += reward[0];
        if ended == [true] {
            break;
        }
    }
    let agent = |actions: &[i64]| [AnyPolicy::given(heading("agent"), actions)];
    let (outcome, text) = told(&*rules, &agent(&actions), 4);
    let outcome = outcome.expect("it ends");
    assert_eq!(outcome.seats[0]["metrics"]["score"].as_f64(), Some(-rewards), "{text}");
    assert!(text.contains("agent: score"), "{text}");
    let (outcome, text) = told(&*rules, &agent(&actions[..2]), 4);
    assert_eq!(outcome, None);
    let end = "agent has no further actions; the game goes on with `stop`: 0 (roll again) or 1 (hold)";
    assert!(text.ends_with(end), "{text}");
    let (outcome, text) = told(&*rules, &agent(&[0, 2]), 4);
    assert_eq!(outcome, None);
    let end = "agent answers 2, which is no legal action of `stop` here: 0 (roll again) or 1 (hold)";
    assert!(text.ends_with(end), "{text}");
}

/// A policy that goes wrong in some trial.
#[derive(Debug)]
struct Wrong {
    action: i64,
    fails: bool,
}

impl BatchPolicy for Wrong {
    fn answer(&self, questions: &Questions<'_>, actions: &mut [i64]) -> Result<(), String> {
        if self.fails {
            return Err("cannot say".into());
        }
        actions.fill(self.action);
        assert!(questions.masks.iter().all(|mask| mask.count_ones() > 1));
        Ok(())
    }
}

#[test]
fn failures() {
    let rules = read_rules(game("pig").expect("in the registry"), &shipped::default_rules("pig").text());
    let rules = rules.unwrap_or_else(|error| panic!("{error}")).rules;
    let plan = Plan { seed: SEED, trials: 0..1000 };
    for (action, fails, expected) in [
        (1, false, None),
        (
            2,
            false,
            Some(
                "the policy wrong: in trial 0, 2 is no legal action of `stop`; answer 0 (roll again) or 1 (hold)",
            ),
        ),
        (
            -1,
            false,
            Some(
                "the policy wrong: in trial 0, -1 is no legal action of `stop`; answer 0 (roll again) or 1 (hold)",
            ),
        ),
        (1, true, Some("the policy wrong: cannot say")),
    ] {
        let policy = AnyPolicy::in_batches(heading("wrong"), Arc::new(Wrong { action, fails }));
        let mut arm = rules.arm(&[vec![policy]]);
        let pool = ThreadPoolBuilder::new().num_threads(1).build().expect("threads");
        let tallies = pool.install(|| play(&*arm, &plan, &on));
        assert_eq!(arm.failure().as_deref(), expected);
        assert_eq!(tallies[0].trials == 1000, expected.is_none());
        assert!(
            arm.use_lanes(InstructionSet::best())
                .is_err_and(|message| message == "the policy wrong answers in batches")
        );
    }
}

fn compiled(rules: &dyn AnyRules, name: &str) -> AnyPolicy {
    let text = shipped::policy(rules.game(), name).expect("shipped").text();
    rules.compile(&text, &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// All presets of a game with all its policies: each alone in all seats, and the first with others.
fn each(name: &str, trials: u64) {
    let policies: Vec<_> = shipped::policies_of(name).iter().map(|shipped| shipped.name).collect();
    for preset in shipped::rules_of(name) {
        let read = read_rules(game(name).expect("in the registry"), &preset.text());
        let rules = read.unwrap_or_else(|error| panic!("{error}")).rules;
        let wants = [NumberType::F64, NumberType::F32, NumberType::I64];
        let policies: Vec<_> = policies.iter().map(|policy| compiled(&*rules, policy)).collect();
        for (at, own) in policies.iter().enumerate() {
            let wants = Wants {
                features: u64::MAX,
                numbers: wants[at % 3],
                states: at % 2 == 0,
                candidates: at % 2 == 0,
            };
            same(&rules, &[vec![own.clone()]], trials, wants);
            if rules.seats() > 1 && at < 3 {
                let of_seat = |seat: usize| policies[(at + seat) % policies.len()].clone();
                let lineup: Vec<_> = (0..rules.seats()).map(of_seat).collect();
                same(&rules, std::slice::from_ref(&lineup), trials, wants);
                same(&rules, &rotations(&lineup), trials, wants);
            }
        }
    }
}

#[test]
fn carbonite() {
    each("carbonite", 80);
}

#[test]
fn icedice() {
    each("icedice", 20);
}

#[test]
fn freeze() {
    each("freeze", 10);
}

#[test]
fn carcassonne() {
    each("carcassonne", 15);
}

#[test]
fn pig() {
    each("pig", 60);
}
