//! Tables play the same trials as the trial runner: the same events, answers, endings and metrics, for any number of
//! tables side by side.

use std::collections::HashMap;

use stopwise_engine::game::{Action, AnswerForm, Better, Game, MAX_SEATS, Policy, Question, Source};
use stopwise_engine::stream::Keys;
use stopwise_engine::trial_result::Recording;
use stopwise_engine::vector_env::{
    Numbers, Observation, Renewal, Rewarded, Start, Tables, VectorEnv, VectorEnvError, state_words,
};
use stopwise_engine::vocabulary::{Candidate, Prose, Vocabulary, candidate_columns};

use super::watched::{Watched, watched};
use crate::common::Whim;

const SEED: u64 = 5;
const TRIALS: u64 = 24;
const WHIM: Whim = Whim(6);

/// Tables, in whose seats the whim may sit.
type Env<G> = VectorEnv<G, Whim>;

/// What a trial came to, as the reference runner plays it.
#[derive(Clone, Debug, Default, PartialEq)]
struct Played {
    metrics: Vec<Vec<u32>>,
    ending: usize,
    turns: u32,
    answers: Vec<u8>,
    busts: Vec<(u8, u32)>,
    /// Answers to questions that leave a choice.
    choices: usize,
}

fn play<G: Game>(game: &G, seed: u64, number: u64) -> Played {
    let Watched { end, metrics, turns, answers, busts } = watched(game, &[WHIM], seed, number);
    let used = game.metrics().len();
    let choices = answers.iter().filter(|(question, _)| !question.actions.is_single()).count();
    let index = |(_, action): &(Question, Action)| u8::try_from(action.index()).expect("64");
    Played {
        metrics: metrics.iter().map(|values| values[..used].to_vec()).collect(),
        ending: game.ending(end),
        turns,
        answers: answers.iter().map(index).collect(),
        busts,
        choices,
    }
}

pub(super) fn check<G: Vocabulary + Prose>(game: &G) {
    for tables in [1, 3, 16] {
        one_after_the_other(game, tables, &[]);
    }
    for seat in (0..game.seats()).filter(|_| game.seats() > 1) {
        let others: Vec<_> = (0..game.seats()).map(|other| (other != seat).then_some(WHIM)).collect();
        one_after_the_other(game, 3, &others);
    }
    for (metric, renewal) in [(0, Renewal::Wait), (1, Renewal::SameStep), (2, Renewal::NextStep)] {
        numbers(game, 0, renewal);
        numbers(game, metric.min(game.metrics().len() - 1), renewal);
    }
    after_the_first_decision(game);
    shown(game);
    candidates(game);
    illegal(game);
}

/// Where a table still plays, the whim's answer.
fn whims<G: Vocabulary + Prose>(tables: &Env<G>, asked: &[u32]) -> Vec<i64> {
    let answer = |&table: &u32| {
        let asked = tables.question(table as usize);
        asked.map_or(-1, |(game, state, question)| WHIM.choose(game, state, question).index().into())
    };
    asked.iter().map(answer).collect()
}

/// Every trial begins at the first table that is free. Of seats that have a policy nothing is asked, and the games are the same.
fn one_after_the_other<G: Vocabulary + Prose>(game: &G, count: u32, seated: &[Option<Whim>]) {
    let keys = Keys::new(SEED);
    let mut tables = Env::new(game, count as usize, Recording::Answers);
    tables.seat(seated.to_vec());
    let mut found: HashMap<u64, Played> = HashMap::new();
    let (mut next, mut busy, mut at) = (0, vec![false; count as usize], vec![0; count as usize]);
    loop {
        let mut starts = Vec::new();
        for table in 0..count {
            if !busy[table as usize] && next < TRIALS {
                starts.push(Start { table, trial: next, key: next });
                (busy[table as usize], at[table as usize]) = (true, next);
                next += 1;
            }
        }
        tables.begin(&keys, &starts);
        take(game, &mut tables, &at, &mut found, &mut busy);
        let asked: Vec<u32> = (0..count).filter(|&table| tables.question(table as usize).is_some()).collect();
        if asked.is_empty() && next == TRIALS {
            break;
        }
        for asked in asked.chunks(5) {
            let actions = whims(&tables, asked);
            found_choices(&tables, asked, &at, &mut found, seated);
            tables.step(asked, &actions, Renewal::Wait, &mut [], &mut []).expect("they are legal");
            take(game, &mut tables, &at, &mut found, &mut busy);
        }
    }
    for number in 0..TRIALS {
        let mut expected = play(game, SEED, number);
        if !seated.is_empty() {
            // Which of them were of other seats is not told.
            expected.choices = found[&number].choices;
        }
        assert_eq!(found[&number], expected, "trial {number} of {game:?} at {count} tables");
    }
}

fn found_choices<G: Vocabulary + Prose>(
    tables: &Env<G>,
    asked: &[u32],
    at: &[u64],
    found: &mut HashMap<u64, Played>,
    seated: &[Option<Whim>],
) {
    for &table in asked {
        let (_, _, question) = tables.question(table as usize).expect("it is asked");
        assert!(seated.get(question.seat).is_none_or(Option::is_none), "a policy answers for this seat");
        assert!(!question.actions.is_single(), "what leaves no choice is not asked");
        found.entry(at[table as usize]).or_default().choices += 1;
    }
}

/// Enters what was noted and what ended.
fn take<G: Vocabulary + Prose>(
    game: &G,
    tables: &mut Env<G>,
    at: &[u64],
    found: &mut HashMap<u64, Played>,
    busy: &mut [bool],
) {
    let noted = tables.noted();
    for (table, answer) in noted.answers.drain(..) {
        found.entry(at[table as usize]).or_default().answers.push(answer);
    }
    for (table, seat, turn) in noted.busts.drain(..) {
        found.entry(at[table as usize]).or_default().busts.push((seat, turn));
    }
    let finished = tables.finished();
    for (number, &table) in finished.tables.iter().enumerate() {
        assert_eq!(finished.trials[number], at[table as usize]);
        let played = found.entry(finished.trials[number]).or_default();
        assert!(played.metrics.is_empty(), "a trial ends once");
        played.metrics = (0..game.seats()).map(|seat| finished.of(number, seat).to_vec()).collect();
        played.ending = finished.endings[number];
        played.turns = finished.turns[number];
        busy[table as usize] = false;
    }
}

/// Which trials tables play by themselves, and what that brings.
fn numbers<G: Vocabulary + Prose>(game: &G, metric: usize, renewal: Renewal) {
    const COUNT: usize = 3;
    const FIRST: u64 = 1000;
    let mut tables = Env::new(game, COUNT, Recording::Nothing);
    tables.reward(metric, Rewarded::Game);
    match tables.reset(SEED, FIRST) {
        Ok(()) => {}
        Err(error) => panic!("{game:?}: {error}"),
    }
    let all: Vec<u32> = (0..3).collect();
    let mut sums = [[0.0; MAX_SEATS]; COUNT];
    let (mut seen, mut over) = (vec![Vec::new(); COUNT], [false; COUNT]);
    while seen.iter().any(|trials| trials.len() < 4) && !over.iter().all(|&over| over) {
        let mut actions = whims(&tables, &all);
        // An action where nothing is asked means nothing.
        actions.iter_mut().zip(&over).filter(|(_, over)| **over).for_each(|(action, _)| *action = 999);
        let (mut rewards, mut ended) = (vec![f64::NAN; COUNT * game.seats()], [false; COUNT]);
        tables.step(&all, &actions, renewal, &mut rewards, &mut ended).expect("they are legal");
        let finished = tables.finished();
        assert_eq!(finished.len(), ended.iter().filter(|&&ended| ended).count());
        for table in 0..COUNT {
            for seat in 0..game.seats() {
                sums[table][seat] += rewards[seat * COUNT + table];
            }
            if over[table] {
                assert!(!ended[table], "it was over before");
                assert!((0..game.seats()).all(|seat| rewards[seat * COUNT + table] == 0.0));
            }
            over[table] = over[table] && renewal == Renewal::Wait;
        }
        for (number, &table) in finished.tables.iter().enumerate() {
            let (table, trial) = (table as usize, finished.trials[number]);
            assert!(ended[table]);
            over[table] = renewal != Renewal::SameStep;
            seen[table].push(trial);
            let played = play(game, SEED, trial);
            for (seat, metrics) in played.metrics.iter().enumerate() {
                assert_eq!(finished.of(number, seat), metrics, "{game:?}, trial {trial}");
                let sign = if game.metrics()[metric].better == Better::Lower { -1.0 } else { 1.0 };
                assert_eq!(sums[table][seat], sign * f64::from(metrics[metric]), "{game:?}, trial {trial}");
            }
            sums[table] = [0.0; MAX_SEATS];
        }
    }
    for (table, trials) in seen.iter().enumerate() {
        let own = (0..).map(|round| FIRST + table as u64 + round * COUNT as u64);
        let expected: Vec<_> =
            own.filter(|&trial| play(game, SEED, trial).choices > 0).take(trials.len()).collect();
        assert_eq!(*trials, expected, "table {table} of {game:?}");
        assert!(renewal != Renewal::Wait || trials.len() == 1);
    }
}

/// Without what was before the first decision, the rewards of a game are those that it has otherwise but for the first.
fn after_the_first_decision<G: Vocabulary + Prose>(game: &G) {
    let (mut whole, mut after) =
        (Env::new(game, 1, Recording::Nothing), Env::new(game, 1, Recording::Nothing));
    after.reward(0, Rewarded::Decisions);
    for tables in [&mut whole, &mut after] {
        tables.reset(SEED, 0).expect("there are decisions");
    }
    let (mut is_first, metric) = (true, game.metrics()[0]);
    for _ in 0..60 {
        let before = whole.question(0).map(|(game, state, _)| game.score_so_far(state));
        let actions = whims(&whole, &[0]);
        let mut rewards = [[f64::NAN; MAX_SEATS]; 2];
        for (tables, rewards) in [&mut whole, &mut after].into_iter().zip(&mut rewards) {
            tables.step(&[0], &actions, Renewal::NextStep, rewards, &mut []).expect("they are legal");
        }
        let [with, without] = rewards.map(|rewards| rewards[..game.seats()].to_vec());
        let left_out = match (metric.source, before) {
            (Source::End, Some(before)) if is_first && game.seats() == 1 => f64::from(before),
            // How often it was counted is not told; where that is the score so far, it is there in either case.
            (Source::Count(_), Some(_)) if is_first && game.seats() == 1 => (with[0] - without[0]).abs(),
            _ => 0.0,
        };
        let sign = if metric.better == Better::Lower { -1.0 } else { 1.0 };
        assert_eq!(with[0] - without[0], sign * left_out, "{game:?}");
        assert_eq!(with[1..], without[1..]);
        is_first = before.is_none();
    }
}

/// What candidates show: every predicate and number that policies may read, of the legal actions alone.
fn candidates<G: Vocabulary + Prose>(game: &G) {
    const COUNT: usize = 5;
    let columns = candidate_columns(game);
    let (numbers, predicates) = (game.candidate_numbers(), game.info().predicates);
    let place = |name: &str| columns.iter().position(|column| column.name == name);
    assert!(numbers.iter().all(|number| place(number.number.name).is_some()));
    let (backwards, all): (Vec<usize>, Vec<u32>) = ((0..columns.len()).rev().collect(), (0..5).collect());
    let mut tables = Env::new(game, COUNT, Recording::Nothing);
    tables.reset(SEED, 0).expect("there are decisions");
    for _ in 0..40 {
        let (mut read, mut expected) = (Vec::new(), Vec::new());
        tables.candidates(&all).each(&backwards, &mut |Candidate { question, kind, action, values }| {
            read.push((question, kind, action, values.to_vec()));
        });
        for (at, _) in all.iter().enumerate().filter(|_| !columns.is_empty()) {
            let (_, state, question) = tables.question(at).expect("it plays");
            let kind = question.kind;
            let is_listed = game.info().kinds[kind].form != AnswerForm::YesNo;
            let masks = game.predicates(game.seen(state), kind, game.known_predicates(kind));
            for action in question.actions.iter() {
                let mut values = vec![0.0; columns.len()];
                for (index, predicate) in predicates.iter().enumerate().filter(|_| is_listed) {
                    if game.known_predicates(kind) >> index & 1 == 1 && masks[index] & action.0 != 0 {
                        values[place(predicate.name).expect("a column")] = 1.0;
                    }
                }
                for (index, number) in numbers.iter().enumerate().filter(|(_, number)| number.kind == kind) {
                    let value = game.candidate_number(&game.seen(state), action, index);
                    #[allow(clippy::cast_precision_loss, reason = "they are small")]
                    let value = value as f64 / number.number.denominator as f64;
                    values[place(number.number.name).expect("a column")] = value;
                }
                for (value, column) in values.iter().zip(&columns) {
                    let (low, high) = column.range;
                    assert!((low..=high).contains(value), "{}: {value}", column.name);
                }
                values.reverse();
                expected.push((at, kind, action.index() as usize, values));
            }
        }
        assert_eq!(read, expected, "{game:?}");
        let actions = whims(&tables, &all);
        tables.step(&all, &actions, Renewal::SameStep, &mut [], &mut []).expect("they are legal");
    }
}

/// What columns hold.
fn shown<G: Vocabulary + Prose>(game: &G) {
    const COUNT: usize = 19;
    let features = game.features();
    let mut tables = Env::new(game, COUNT, Recording::Nothing);
    tables.reset(SEED, 0).expect("there are decisions");
    let all: Vec<u32> = (0..19).collect();
    let some: Vec<u32> = (0..19).rev().step_by(2).collect();
    let mut states: HashMap<G::State, Vec<u64>> = HashMap::new();
    let mut words: HashMap<Vec<u64>, G::State> = HashMap::new();
    for step in 0..40 {
        // All features of all tables, then some of some.
        let (asked, wanted) = if step % 2 == 0 { (&all, u64::MAX) } else { (&some, 0b1010_0110) };
        let chosen: Vec<usize> = (0..features.len()).filter(|feature| wanted >> feature & 1 == 1).collect();
        let (length, width) = (asked.len(), tables.words());
        let (mut seats, mut kinds) = (vec![9; length], vec![9; length]);
        let (mut masks, mut trials, mut bits) = (vec![0; length], vec![0; length], vec![1; length * width]);
        let mut small = vec![0_f32; chosen.len() * length];
        let (mut large, mut whole) = (vec![0_f64; small.len()], vec![0_i64; small.len()]);
        tables.observe(
            asked,
            &mut Observation {
                seats: &mut seats,
                kinds: &mut kinds,
                masks: &mut masks,
                trials: &mut trials,
                states: &mut bits,
                variables: &mut [],
                features: wanted,
                numbers: Numbers::F32(&mut small),
            },
        );
        for numbers in [Numbers::F64(&mut large), Numbers::I64(&mut whole)] {
            tables.observe(
                asked,
                &mut Observation {
                    seats: &mut [],
                    kinds: &mut [],
                    masks: &mut [],
                    trials: &mut [],
                    states: &mut [],
                    variables: &mut [],
                    features: wanted,
                    numbers,
                },
            );
        }
        for (at, &table) in asked.iter().enumerate() {
            let (_, state, question) = tables.question(table as usize).expect("it plays");
            let Question { seat, kind, actions } = question;
            assert_eq!((usize::from(seats[at]), usize::from(kinds[at]), masks[at]), (seat, kind, actions.0));
            let kind = game.info().kinds[kind];
            assert!(kind.actions == 64 || actions.0 >> kind.actions == 0, "{}: {actions:?}", kind.name);
            assert!(kind.form == AnswerForm::Items || kind.actions == 2);
            for (column, &feature) in chosen.iter().enumerate() {
                let (value, place) = (game.feature(state, feature), column * length + at);
                assert_eq!(whole[place], value, "{}", features[feature].name);
                #[allow(
                    clippy::cast_precision_loss,
                    clippy::cast_possible_truncation,
                    reason = "the nearest"
                )]
                let (ratio, nearest) = {
                    let ratio = value as f64 / features[feature].denominator as f64;
                    (ratio, ratio as f32)
                };
                assert_eq!((large[place], small[place]), (ratio, nearest), "{}", features[feature].name);
                assert_eq!(game.feature(game.seen(state), feature), value, "what is hidden is in no feature");
            }
            let (seen, row) = (game.seen(state), &bits[at * width..(at + 1) * width]);
            assert_eq!(row, state_words(&seen));
            assert_eq!(*states.entry(seen).or_insert_with(|| row.to_vec()), row, "equal states, equal words");
            assert_eq!(*words.entry(row.to_vec()).or_insert(seen), seen, "equal words, equal states");
            assert_eq!(tables.legal(table as usize).len(), actions.count() as usize);
            assert!(tables.places(table as usize).iter().all(|(place, _)| !place.is_empty()));
        }
        let actions = whims(&tables, &all);
        tables.step(&all, &actions, Renewal::SameStep, &mut [], &mut []).expect("they are legal");
    }
}

/// An illegal answer moves no table, and says what would do.
fn illegal<G: Vocabulary + Prose>(game: &G) {
    let mut tables = Env::new(game, 2, Recording::Nothing);
    tables.reset(SEED, 0).expect("there are decisions");
    let good = whims(&tables, &[0, 1]);
    let before: Vec<_> = (0..2).map(|table| tables.question(table).map(|asked| (asked.1, asked.2))).collect();
    let (_, asked) = before[1].expect("it plays");
    let not_legal = (0..64).find(|action| asked.actions.0 >> action & 1 == 0);
    for wrong in [Some(-1), Some(64), Some(i64::MIN), Some(i64::MAX), not_legal].into_iter().flatten() {
        let error = tables
            .step(&[0, 1], &[good[0], wrong], Renewal::SameStep, &mut [], &mut [])
            .expect_err("it is illegal");
        let VectorEnvError::Illegal { table, trial, action, kind, legal } = &error else { panic!("{error}") };
        assert_eq!((*table, *action, *kind), (1, wrong, game.info().kinds[asked.kind].name));
        assert!(*trial % 2 == 1, "the second table has odd numbers");
        let numbers: Vec<_> = asked.actions.iter().map(|action| action.index()).collect();
        assert_eq!(legal.iter().map(|legal| legal.0).collect::<Vec<_>>(), numbers);
        let text = error.to_string();
        assert!(text.contains(&format!("{wrong} is no legal action of `{kind}`")), "{text}");
        let after: Vec<_> =
            (0..2).map(|table| tables.question(table).map(|asked| (asked.1, asked.2))).collect();
        assert_eq!(before, after, "nothing has moved");
    }
    tables.step(&[0, 1], &good, Renewal::SameStep, &mut [], &mut []).expect("they are legal");
}
