//! Law: for any bytes of a rules file or of an assignment, reading ends with rules that are in range and can be read
//! back, or with an error that can be printed. The first line is the assignment.
#![no_main]

use libfuzzer_sys::fuzz_target;
use stopwise_engine::games::Rules;
use stopwise_engine::games::carbonite::Carbonite;
use stopwise_engine::games::pig::Pig;
use stopwise_policy::{Text, RulesText, set_option, shipped};

fn check<G: Rules>(text: &Text, assignment: &str, preset: G) {
    let rules = match RulesText::read(text, &preset, shipped::rules_of(preset.info().name)) {
        Ok(read) => read.rules,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            preset
        }
    };
    assert_eq!(rules.validate(), Ok(()));
    match set_option(&rules, assignment) {
        // Setting the same once more changes nothing.
        Ok(changed) => assert!(set_option(&changed, assignment) == Ok(changed)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fuzz_target!(|bytes: &[u8]| {
    match Text::from_bytes("fuzz.toml", bytes.to_vec()) {
        Ok(all) => {
            let (assignment, rest) = all.text.split_once('\n').unwrap_or((&all.text, ""));
            let text = Text::new("fuzz.toml", rest);
            check(&text, assignment, Carbonite::WIKI);
            check(&text, assignment, Pig::SOLO);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
