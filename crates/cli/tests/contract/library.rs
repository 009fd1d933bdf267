//! The program as a library finds what it prints.

use std::collections::BTreeMap;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread;

use stopwise::library::{Call, Found, Refusal, StopToken, ask};
use stopwise_report::csv;

use crate::common::{good, scratch};

fn call(words: &[&str]) -> Call {
    Call { words: words.iter().map(Into::into).collect(), ..Call::default() }
}

#[test]
fn a_document_has_the_bytes_that_are_printed() {
    let words = ["simulate", "pig", "--rules", "solo", "-p", "hold", "-n", "500"];
    let Found { report, list, text, notes, interrupted, .. } = ask(call(&words)).expect("it plays");
    let report = report.expect("a document");
    let printed = good(&scratch("contract-library-csv"), &format!("{} --format csv", words.join(" ")));
    assert_eq!(String::from_utf8(csv::csv(&report.data[0]).expect("CSV")).expect("text"), printed.stdout);
    assert!(text.is_empty() && list.is_none() && interrupted.is_none(), "{text}");
    assert!(notes.iter().any(|note| note.starts_with("500 trials in ")), "{notes:?}");
}

#[test]
fn what_makes_no_document_is_text() {
    let words = ["replay", "pig", "--rules", "solo", "-p", "hold", "--trial", "3"];
    let printed = good(&scratch("contract-library-replay"), &words.join(" "));
    assert_eq!(ask(call(&words)).expect("it plays").text, printed.stdout);
}

#[test]
fn lists_are_tables() {
    let printed = good(&scratch("contract-library-list"), "games --format csv").stdout;
    let found = ask(call(&["games"])).expect("there are some");
    let list = csv::csv(&found.list.expect("a table")).expect("CSV");
    assert_eq!(String::from_utf8(list).expect("text"), printed);
}

#[test]
fn policies_may_be_texts_and_errors_name_them() {
    let texts = |text: &str| BTreeMap::from([("mine.toml".to_owned(), text.to_owned())]);
    let words = ["simulate", "pig", "--rules", "solo", "-p", "mine.toml", "-n", "100"];
    let mine = "game = \"pig\"\nname = \"mine\"\nsummary = \"Hold.\"\nstop = \"turn_total >= 20\"\n";
    let shown = ask(call(&["policy", "show", "hold", "--game", "pig"])).expect("it is shipped").text;
    let found = ask(Call { texts: texts(&shown), ..call(&words) }).expect("it plays");
    assert_eq!(found.report.expect("a document").facts[0].name, "game");
    match ask(Call { texts: texts(&mine.replace("stop =", "stp =")), ..call(&words) }) {
        Err(Refusal::Input(message)) => assert!(message.contains("mine.toml:4"), "{message}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn progress_is_told() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let listener = {
        let lines = lines.clone();
        move |line: &str| lines.lock().expect("whole").push(line.to_owned())
    };
    let words = ["simulate", "freeze", "-p", "always", "-n", "30000", "--runner", "trial"];
    ask(Call { progress: Some(Arc::new(listener)), ..call(&words) }).expect("it plays");
    let lines = lines.lock().expect("whole");
    assert!(lines.iter().any(|line| line.contains(" of 30,000 trials")), "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some(""));
}

/// A policy of Pig that holds at so many points.
fn hold(points: u32) -> BTreeMap<String, String> {
    let text =
        format!("game = \"pig\"\nname = \"mine\"\nsummary = \"Hold.\"\nstop = \"turn_total >= {points}\"\n");
    BTreeMap::from([("mine.toml".to_owned(), text)])
}

/// Two calls that would play for hours, each with a text of the same name, and one from beginning to end meanwhile.
#[test]
fn calls_go_on_at_once_and_each_ends_on_its_own() {
    let words = ["simulate", "pig", "--rules", "solo", "-p", "mine.toml"];
    let endless = |points: u32| {
        let (stop, (tells, told)) = (StopToken::default(), channel());
        let call = Call {
            texts: hold(points),
            stop: stop.clone(),
            progress: Some(Arc::new(move |line: &str| {
                // Nobody listens any more once it plays.
                let _ = tells.send(line.to_owned());
            })),
            ..call(&[&words[..], &["-n", "100G", "--threads", "1"]].concat())
        };
        let played = thread::spawn(move || ask(call));
        while !told.recv().expect("it plays").contains("million a second") {}
        (stop, played)
    };
    let (first, second) = (endless(20), endless(25));
    let whole = ask(Call { texts: hold(30), ..call(&[&words[..], &["-n", "500"]].concat()) });
    let whole = whole.expect("it plays");
    assert!(whole.interrupted.is_none() && whole.texts == hold(30), "{:?}", whole.interrupted);
    assert!(whole.notes.iter().all(|note| note.starts_with("500 trials in ")), "{:?}", whole.notes);
    let end = |(stop, played): (StopToken, thread::JoinHandle<Result<Found, Refusal>>), points| {
        stop.end();
        let found = played.join().expect("no panic").expect("some trials are complete");
        assert!(found.interrupted.is_some() && found.texts == hold(points), "{points}");
    };
    end(first, 20);
    assert!(!second.1.is_finished(), "the other goes on");
    end(second, 25);
}
