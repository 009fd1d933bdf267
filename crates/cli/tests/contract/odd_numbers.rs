//! Numbers that nobody means, for every option that takes one: refused or played, but nothing panics.

use stopwise::library::{Call, Refusal, ask_words};

use crate::common::{Ran, data, program};

const ODD: [&str; 23] = [
    "",
    "0",
    "-0",
    "-1",
    "1",
    "nan",
    "-nan",
    "inf",
    "-inf",
    "5e-324",
    "1e-310",
    "1e-300",
    "1e-100",
    "1e-16",
    "0.9999999999999999",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "1e400",
    "-1e400",
    "0x10",
    "1_",
];

/// Every option with every odd number, in this process, as there are hundreds; those for which a run would have no end are
/// left to the options' own tests.
fn try_all(line: &str, options: &[&str]) {
    for option in options {
        for odd in ODD {
            let is_long = odd.starts_with("9223") || odd.starts_with("18446744073709551615");
            if is_long && ["--trials", "--fresh"].contains(option) {
                continue;
            }
            let word =
                if option.ends_with('=') { format!("{option}{odd}") } else { format!("{option}={odd}") };
            let words = line.split(' ').chain([&*word]).map(Into::into).collect();
            match ask_words(words, Call::default()) {
                Ok(found) => assert_eq!(found.interrupted, None, "{line} {word}"),
                Err(Refusal::Input { message, .. }) => assert!(!message.is_empty(), "{line} {word}"),
                Err(other) => panic!("{line} {word}: {other}"),
            }
        }
    }
}

#[test]
fn of_simulations() {
    try_all(
        "simulate pig --rules piglet -p hold -q -n 20",
        &["--seed", "--threads", "--set=goal=", "--set=players=", "--set=sides="],
    );
    try_all("simulate pig --rules piglet -p hold -q", &["--trials"]);
    try_all("replay pig --rules piglet -p hold", &["--trial", "--seed"]);
}

#[test]
fn of_comparisons() {
    let options = ["--until-width", "--until-decided", "--budget", "--divergent", "--seed"];
    try_all("compare pig --rules solo -p hold -p hold:n=25 -q -n 2k", &options);
}

#[test]
fn of_rankings() {
    let options = ["--alpha", "--resolution", "--fresh", "--vary=n=", "--threads"];
    try_all("rank pig --rules solo -p hold:n=20 -p hold-at-25 -q -n 2k", &options);
    try_all("rank pig --rules piglet -p hold:n=2 -p hold:n=3 -q -n 100", &["--alpha", "--fresh"]);
}

#[test]
fn of_grids_and_variants() {
    try_all("sweep pig --rules solo -p hold -q -n 20", &["--vary=n=", "--vary-rule=goal=", "--paired"]);
    try_all("balance pig --rules solo -p hold -q -n 20", &["--mark", "--variant=goal=", "--vary-rule=goal="]);
    try_all("balance pig --rules piglet -p hold -q -n 20", &["--close=points=", "--mark"]);
    try_all("solve pig --rules piglet -q", &["--max-states", "--threads"]);
}

/// An α so small that its part for every interval was 0.
#[test]
fn alphas_next_to_nothing() {
    let line = "rank pig --rules solo -p hold -p hold:n=25 -q -n 2k --alpha";
    for (alpha, code) in [("5e-324", 2), ("9.9e-101", 2), ("1e-100", 0)] {
        let output = program(&data()).args(line.split(' ')).arg(alpha).output().expect("the program starts");
        let ran = Ran::new(output);
        assert_eq!(ran.code, Some(code), "{alpha}\n{}", ran.stderr);
        assert!(code == 0 || ran.stderr.contains("write 1e-100 or more"), "{}", ran.stderr);
    }
}
