//! What is refused, line by line of `tests/data/refused.txt`.

use rayon::prelude::*;

use crate::common::{Ran, data, read, run};

/// What is wrong with a refusal: it has exit code 2, one message with these parts in this order, and nothing on stdout.
fn fault(ran: &Ran, parts: &str) -> Option<String> {
    let is_message =
        |text: &str| text.starts_with("error: ") && text.ends_with('\n') && !text.contains('\u{1b}');
    if (ran.code, &*ran.stdout) != (Some(2), "") || !is_message(&ran.stderr) {
        return Some(format!("not refused: {ran:?}"));
    }
    let mut left = &*ran.stderr;
    for part in parts.split(" … ") {
        let Some((_, after)) = left.split_once(part) else { return Some(format!("no `{part}` in {left}")) };
        left = after;
    }
    None
}

#[test]
fn what_is_refused() {
    let text = read(&data().join("refused.txt"));
    let lines: Vec<&str> = text.lines().collect();
    let commands = lines.windows(2).zip(1..).filter_map(|(pair, number)| {
        let command = pair[0].strip_prefix("$ stopwise ")?;
        Some((number, command, pair[1]))
    });
    let commands: Vec<(u32, &str, &str)> = commands.collect();
    assert!(commands.len() > 250, "{}", commands.len());
    let faults = commands.into_par_iter().filter_map(|(number, command, parts)| {
        let fault = fault(&run(&data(), command), parts)?;
        Some(format!("refused.txt:{number}: stopwise {command}\n{fault}"))
    });
    let faults: Vec<String> = faults.collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
