//! Law: for any bytes of a policy file, reading ends soon, either with a policy that can be explained and played or
//! with an error that can be printed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use stopwise_engine::games::carbonite::Carbonite;
use stopwise_engine::games::pig::Pig;
use stopwise_engine::stream::Keys;
use stopwise_engine::trial::trial;
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_policy::{Text, TextPolicy};

/// A policy that never holds plays to the cap: a low one. Alone, because two seats have a table of a million digests.
const PIG: Pig = Pig { turn_cap: 20, ..Pig::SOLO };

fn check<G: Vocabulary>(text: &Text, game: &G) {
    match TextPolicy::compile(text, game, &[]) {
        Ok(policy) => {
            assert!(!policy.explain(game).is_empty());
            let parameters = policy.parameters().iter().map(|p| (p.name.clone(), p.value()));
            let again = TextPolicy::compile(text, game, &parameters.collect::<Vec<_>>());
            assert_eq!(again.expect("its own values are good").label(), policy.label());
            trial(game, &[policy], &mut Keys::new(1).streams(0, 1), &mut ());
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
        }
    }
}

/// A policy that stops by this expression.
fn stop(game: &str, expression: &str) -> Text {
    let head =
        format!("game = \"{game}\"\nname = \"fuzz\"\nsummary = \"\"\nparams = {{ k = 2, risk = 0.35 }}");
    Text::new("fuzz.toml", format!("{head}\nstop = '''\n{expression}'''\n"))
}

fuzz_target!(|bytes: &[u8]| {
    match Text::from_bytes("fuzz.toml", bytes.to_vec()) {
        Ok(text) => match text.game().as_deref() {
            Ok("pig") => check(&text, &PIG),
            Ok(_) => check(&text, &Carbonite::WIKI),
            Err(_) => {
                check(&text, &Carbonite::WIKI);
                check(&stop("carbonite", &text.text), &Carbonite::WIKI);
                check(&stop("pig", &text.text), &PIG);
            }
        },
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
