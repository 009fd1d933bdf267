//! A policy answers as its text says.
//!
//! Random policies are written as text, compiled to tables, bits and flat code, and asked about random states. Their
//! answers are compared with those of a simple evaluator of the same policies' trees, in exact fractions.

// They lie where the tests of lanes find them, too.
#[path = "../meaning/case.rs"]
mod case;
#[path = "../meaning/expression.rs"]
mod expression;
#[path = "../meaning/sheet.rs"]
pub(crate) mod sheet;
#[path = "../meaning/visits.rs"]
mod visits;

use std::cell::Cell;

use self::case::{Case, cases};
use self::sheet::{Sheet, states};
use self::visits::visits;
use proptest::prelude::*;
use proptest::test_runner::{TestCaseResult, TestRunner};
use stopwise_engine::game::{Action, Policy, Question};
use stopwise_engine::games::carbonite::{Atom, Carbonite, Multiplier, Points, Retribution, VaultMatch};
use stopwise_engine::games::freeze::{Bank, Doubles, Freeze};
use stopwise_engine::games::pig::{Faces, Pig};
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_policy::{Text, TextPolicy};

/// What a random text may be refused for; anything else is a mistake, in the generator or in the compiler.
const REFUSALS: [&str; 4] = [
    "this can become too large to compute",
    "drops the remainder",
    "the divisor can be 0",
    "this takes too many decimals to be exact",
];

/// Compiles a random policy; `None` if it was refused for a good reason.
fn compile<G: Vocabulary>(game: &G, case: &Case) -> Option<TextPolicy<G>> {
    let text = Text::new("random.toml", case.to_text(game));
    match TextPolicy::compile(&text, game, &[]) {
        Ok(policy) => Some(policy),
        Err(error) => {
            let is_known = |message: &str| REFUSALS.iter().any(|refusal| message.contains(refusal));
            assert!(error.problems.iter().all(|problem| is_known(&problem.message)), "{error}");
            None
        }
    }
}

/// Asks a policy about states and compares with the tree.
fn ask<G: Vocabulary>(
    game: &G,
    case: &Case,
    policy: &TextPolicy<G>,
    visits: &[(G::State, Question)],
) -> TestCaseResult {
    let features = game.features();
    for &(state, question) in visits {
        let action = policy.choose(game, state, question);
        prop_assert!(question.actions.contains(action));
        prop_assert_eq!(action, case.choose(game, &features, state, question), "{:?} {:?}", state, question);
        // What the policy says it does not remember makes no difference.
        let forgotten = game.forget(state, policy.memory());
        prop_assert_eq!(action, policy.choose(game, forgotten, question), "{:?} forgotten", state);
        let left: Vec<_> =
            policy.narrowing(game, state, question).into_iter().map(|(_, left)| left).collect();
        prop_assert_eq!(left, case.narrowing(game, &features, state, question));
        let is_clipped = case.is_clipped(game, &features, state, question);
        prop_assert_eq!(policy.is_clipped(game, state, question), is_clipped);
        policy.evidence(game, state, question);
    }
    prop_assert!(!policy.explain(game).is_empty());
    Ok(())
}

/// Plays `count` random policies against `visits`, most of which must compile.
fn agree<G: Vocabulary>(game: &G, count: u32, visits: impl Strategy<Value = Vec<(G::State, Question)>>) {
    let config = ProptestConfig { cases: count, failure_persistence: None, ..ProptestConfig::default() };
    let compiled = Cell::new(0);
    let result = TestRunner::new(config).run(&(cases(game, true), visits), |(case, visits)| {
        let Some(policy) = compile(game, &case) else { return Ok(()) };
        compiled.set(compiled.get() + 1);
        ask(game, &case, &policy, &visits)
    });
    if let Err(error) = result {
        panic!("{game:?}: {error}");
    }
    assert!(compiled.get() * 4 > count * 3, "only {} of {count} compiled", compiled.get());
}

/// A few of the states that random play visits.
fn some_visits<G: Vocabulary>(game: &G) -> impl Strategy<Value = Vec<(G::State, Question)>> {
    let visited = visits(game);
    assert!(visited.len() >= 10, "{}: {} states", game.info().name, visited.len());
    prop::collection::vec(prop::sample::select(visited), 40)
}

#[test]
fn on_random_values() {
    for tabulated in [false, true] {
        agree(&Sheet { tabulated }, 1500, prop::collection::vec(states(), 24));
    }
}

#[test]
fn on_states_of_carbonite() {
    let wiki = Carbonite::WIKI;
    let points = Points { solid: 1000, mixed: 0, single: 1000 };
    for rules in [
        wiki,
        Carbonite::README_V1,
        Carbonite { vault_match: VaultMatch::Free, copies: 1, atom: Atom::Bust, ..wiki },
        Carbonite { vault_match: VaultMatch::Free, retribution: Retribution::Any, points, ..wiki },
        Carbonite { vault_match: VaultMatch::NoMatch, atom: Atom::Reroll, colours: 3, ..wiki },
        Carbonite { turns: 1, colours: 2, copies: 1, multiplier: Multiplier::PipsMinusOne, ..wiki },
        Carbonite { retribution: Retribution::None, multiplier: Multiplier::None, turns: 7, ..wiki },
    ] {
        agree(&rules, 250, some_visits(&rules));
    }
}

/// A table of cases written out, as long as a file may be: every way of joining them says the same as the list of them.
#[test]
fn long_conditions() {
    let wiki = Carbonite::WIKI;
    let names = ["turn", "counter", "vault", "bank"];
    let features = wiki.features();
    let place = |name: &str| features.iter().position(|feature| feature.name == name).expect(name);
    let places = names.map(place);
    let value = |state| {
        let values = places.map(|place| wiki.feature(state, place));
        ((values[0] * 7 + values[1]) * 11 + values[2]) * 13 + values[3]
    };
    let visits = visits(&wiki);
    let cases: Vec<i64> = visits.iter().map(|&(state, _)| value(state)).step_by(2).take(550).collect();
    let number = "((turn * 7 + counter) * 11 + vault) * 13 + bank";
    let join = |sign: &str, between: &str| {
        let each: Vec<_> = cases.iter().map(|case| format!("{number} {sign} {case}")).collect();
        each.join(between)
    };
    let apart: Vec<_> =
        cases.iter().map(|case| format!("max({number} - {case}, {case} - ({number}))")).collect();
    for condition in
        [join("==", " || "), format!("!({})", join("!=", " && ")), format!("min({}) == 0", apart.join(", "))]
    {
        assert!(condition.len() > 30_000, "{} bytes", condition.len());
        let text = format!("game = \"carbonite\"\nname = \"long\"\nstop = \"{condition}\"\n");
        let policy = TextPolicy::compile(&Text::new("long.toml", text), &wiki, &[])
            .unwrap_or_else(|error| panic!("{error}"));
        for &(state, question) in visits.iter().filter(|(_, question)| question.kind == 2) {
            let yes = cases.contains(&value(state));
            assert_eq!(policy.choose(&wiki, state, question) == Action::YES, yes, "{state:?}");
        }
        assert!(policy.explain(&wiki).contains("the current turn"));
    }
}

/// A yes or no is written in either way, in conditions and in parameters, and parameters are overridden by either.
#[test]
fn yes_and_no_are_true_and_false() {
    let wiki = Carbonite::WIKI;
    let visits = visits(&wiki);
    let text = |condition: &str, careful: &str| {
        format!(
            "game = \"carbonite\"\nname = \"mine\"\nparams = {{ careful = {careful} }}\nstop = \"{condition}\"\n"
        )
    };
    let compile = |text: String, overrides: &[(&str, &str)]| {
        let overrides: Vec<_> =
            overrides.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        TextPolicy::compile(&Text::new("mine.toml", text), &wiki, &overrides)
    };
    let counter = wiki.features().iter().position(|feature| feature.name == "counter").expect("counter");
    for (condition, yes, no) in
        [("careful ? counter >= 2 : no", 2, i64::MAX), ("not careful && true || counter >= 4 && yes", 4, 0)]
    {
        for (written, overrides, least, shown) in [
            ("true", &[][..], yes, "yes"),
            ("\"yes\"", &[][..], yes, "yes"),
            ("false", &[][..], no, "no"),
            ("\"no\"", &[("careful", "yes")][..], yes, "yes"),
            ("true", &[("careful", "false")][..], no, "no"),
        ] {
            let policy =
                compile(text(condition, written), overrides).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(policy.label(), format!("mine:careful={shown}"));
            for &(state, question) in visits.iter().filter(|(_, question)| question.kind == 2) {
                let is_yes = policy.choose(&wiki, state, question) == Action::YES;
                assert_eq!(is_yes, wiki.feature(state, counter) >= least, "{condition}: {state:?}");
            }
        }
    }
    let refused = |text: String, value: &str| {
        compile(text, &[("careful", value)]).expect_err("refused").problems.remove(0).message
    };
    assert_eq!(refused(text("careful", "true"), "2"), "parameter `careful`: `2` is neither yes nor no");
    assert!(refused(text("counter > careful", "2"), "yes").contains("`yes` is no number"));
}

#[test]
fn on_states_of_freeze() {
    let table = Freeze { steps: 40, ..Freeze::TABLE };
    for rules in [
        table,
        Freeze { players: 2, doubles: Doubles::Lightning, lightning_steps: 20, broke_bonus: true, ..table },
        Freeze { players: 8, doubles: Doubles::Always, bank: Bank::InAll(40), ..table },
        // No table holds this one.
        Freeze { steps: 60_000, bank: Bank::InAll(10_000), start_counters: 1000, ..table },
    ] {
        agree(&rules, 250, some_visits(&rules));
    }
}

#[test]
fn on_states_of_pig() {
    let standard = Pig::STANDARD;
    let faces = |faces: &[u8]| Faces::try_from(faces.to_vec()).expect("faces of a die");
    for rules in [
        Pig::SOLO,
        Pig::PIGLET,
        Pig { goal: 30, ..standard },
        Pig { players: 3, goal: 45, sides: 10, bust_faces: faces(&[1, 9]), turn_cap: 40, ..standard },
        Pig { players: 4, goal: 25, unit_score: true, ..standard },
        // No table holds this one.
        Pig { goal: 1000, sides: 64, bust_faces: faces(&[64]), turn_cap: 60_000, ..standard },
    ] {
        agree(&rules, 250, some_visits(&rules));
    }
    agree(&standard, 30, some_visits(&standard));
}

/// What a policy with all forms of answers says of itself.
#[test]
fn numbers_are_explained() {
    let text = "game = \"sheet\"\nname = \"mine\"\nparams = { enough = 12 }\nstop = \"few >= 2\"\n\
        take = [\"most weight\", \"least price + few\", \"weight >= enough && not red\", \"round || rare\", \"not old\"]\n\
        count = \"min(6, (1000 - many) / 4 + 1)\"\n";
    let game = Sheet { tabulated: false };
    let policy = TextPolicy::compile(&Text::new("mine.toml", text), &game, &[]);
    let policy = policy.unwrap_or_else(|error| panic!("{error}"));
    let wanted = "mine (sheet)\nParameters: enough = 12\n\nstop — whether\n  Yes, if [few] is at least 2.\n\n\
        take — which\n    1. Prefer one with the most [weight]\n    2. then one with the least [price] plus [few]\n    \
        3. then one for which [weight] is at least enough (12) and it is not so that it is red\n    \
        4. then one that is round or is rare\n    5. then one that is not old\n\n\
        count — how many\n  The legal number nearest to the smallest of {6; (1000 minus [many]) divided \
        (rounded towards zero) by 4 plus 1}.\n";
    assert_eq!(policy.explain(&game), wanted);
    // With its meaning the parameter is the same one.
    let told = |params: &str, overrides: &[(String, String)]| {
        let text = text.replace("params = { enough = 12 }", params);
        let policy = TextPolicy::compile(&Text::new("mine.toml", text), &game, overrides);
        policy.unwrap_or_else(|error| panic!("{error}")).explain(&game)
    };
    let line = "Parameters\n  enough = 12 pounds: take so heavy ones\n";
    let wanted = wanted.replace("Parameters: enough = 12\n", line);
    let long = "{ value = 12, unit = \"pounds\", meaning = \"take so heavy ones\" }";
    assert_eq!(told(&format!("params.enough = {long}"), &[]), wanted);
    assert_eq!(told(&format!("params = {{ enough = {long} }}"), &[]), wanted);
    let changed = told(&format!("params.enough = {long}"), &[("enough".into(), "13".into())]);
    assert_eq!(changed, wanted.replace("12", "13"));
    let alone = told("params.enough = { value = 12, unit = \"pounds\" }", &[]);
    assert!(alone.contains("Parameters: enough = 12 pounds\n"), "{alone}");
}
