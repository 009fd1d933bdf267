//! The program as a library finds what it prints.

use std::collections::BTreeMap;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread;

use stopwise::library::{
    Call, Compare, Found, Mistake, Refusal, Request, Simulate, StopToken, ask, ask_words, json,
};
use stopwise_document::csv;

use crate::common::{good, scratch};

/// What is found for a command line.
fn found(words: &[&str], call: Call) -> Result<Found, Refusal> {
    ask_words(words.iter().map(Into::into).collect(), call)
}

#[test]
fn a_document_has_the_bytes_that_are_printed() {
    let words = ["simulate", "pig", "--rules", "solo", "-p", "hold", "-n", "500"];
    let Found { report, list, text, notes, interrupted, .. } =
        found(&words, Call::default()).expect("it plays");
    let report = report.expect("a document");
    let printed = good(&scratch("contract-library-csv"), &format!("{} --format csv", words.join(" ")));
    assert_eq!(String::from_utf8(csv::csv(&report.data[0]).expect("CSV")).expect("text"), printed.stdout);
    assert!(text.is_empty() && list.is_none() && interrupted.is_none(), "{text}");
    assert!(notes.iter().any(|note| note.starts_with("500 trials in ")), "{notes:?}");
}

/// The same documents, word by word.
#[test]
fn a_request_is_made_of_values_as_of_words() {
    let mut simulate = Simulate::of("pig");
    simulate.policy.policies = vec!["hold:n=20".into(), "hold".into()];
    (simulate.policy.rotate, simulate.stop.trials) = (true, Some(500));
    simulate.quantiles = vec![0.1, 0.9];
    let mut compare = Compare::of("pig");
    compare.policies = vec!["hold".into(), "hold:n=25".into()];
    (compare.rules, compare.until.trials, compare.divergent) = (vec!["solo".into()], Some(500), 3);
    for (request, words) in [
        (
            Request::Simulate(simulate),
            "simulate pig -p hold:n=20 -p hold --rotate -n 500 --quantiles 0.1,0.9",
        ),
        (Request::Compare(compare), "compare pig --rules solo -p hold -p hold:n=25 -n 500 --divergent 3"),
    ] {
        let document = |found: Result<Found, Refusal>| {
            json(&found.expect("it plays").report.expect("a document")).expect("it is written")
        };
        let words: Vec<_> = words.split(' ').collect();
        assert_eq!(document(ask(request, Call::default())), document(found(&words, Call::default())));
    }
}

#[test]
fn what_makes_no_document_is_text() {
    let words = ["replay", "pig", "--rules", "solo", "-p", "hold", "--trial", "3"];
    let printed = good(&scratch("contract-library-replay"), &words.join(" "));
    assert_eq!(found(&words, Call::default()).expect("it plays").text, printed.stdout);
}

#[test]
fn lists_are_tables() {
    let printed = good(&scratch("contract-library-list"), "games --format csv").stdout;
    let found = found(&["games"], Call::default()).expect("there are some");
    let list = csv::csv(&found.list.expect("a table")).expect("CSV");
    assert_eq!(String::from_utf8(list).expect("text"), printed);
}

#[test]
fn policies_may_be_texts_and_errors_name_them() {
    let texts = |text: &str| BTreeMap::from([("mine.toml".to_owned(), text.to_owned())]);
    let words = ["simulate", "pig", "--rules", "solo", "-p", "mine.toml", "-n", "100"];
    let mine = "game = \"pig\"\nname = \"mine\"\nsummary = \"Hold.\"\nstop = \"turn_total >= 20\"\n";
    let shown =
        found(&["policy", "show", "hold", "--game", "pig"], Call::default()).expect("it is shipped").text;
    let shown = found(&words, Call { texts: texts(&shown), ..Call::default() }).expect("it plays");
    assert_eq!(shown.report.expect("a document").facts[0].name, "game");
    match found(&words, Call { texts: texts(&mine.replace("stop =", "stp =")), ..Call::default() }) {
        Err(Refusal::Input { message, .. }) => assert!(message.contains("mine.toml:4"), "{message}"),
        other => panic!("{other:?}"),
    }
}

/// Every mistake of every text comes as data, and what the message says of it is the same; other refusals have none.
#[test]
fn mistakes_are_data() {
    let policy = "game = \"pig\"\nname = \"mine\"\nstop = \"turn_totl >= 20 or goal_lft == 1\"\n";
    let game = "game ends \"x\"\ndie d = 1..6\nplayer score = 0 in 0..9\nturn\n  roll face = d\n  score = 9\nend over when score == 9\n\
                alone most score\nreport total = score\nexpect total = 3 within 1\n";
    let texts = BTreeMap::from([
        ("mine.toml".to_owned(), policy.to_owned()),
        ("none.toml".to_owned(), "game = \"pig\"\nname = \"none\"\n".to_owned()),
        ("ends.game".to_owned(), game.to_owned()),
    ]);
    let refused = |line: &str| {
        let words: Vec<_> = line.split(' ').collect();
        found(&words, Call { texts: texts.clone(), ..Call::default() }).expect_err("it is wrong")
    };
    let places = |refusal: &Refusal| -> Vec<_> {
        let place = |mistake: &Mistake| (mistake.file.clone(), mistake.line, mistake.column);
        refusal.mistakes().iter().map(place).collect()
    };
    let at = |file: &str, line, column| (file.to_owned(), Some(line), Some(column));
    let mine = [at("mine.toml", 3, 9), at("mine.toml", 3, 28)];
    let simulated = refused("simulate pig -p mine.toml -n 10");
    assert_eq!(places(&simulated), mine);
    for mistake in simulated.mistakes() {
        let help = mistake.help.as_deref().expect("advice");
        assert!(
            simulated.to_string().contains(&mistake.message) && simulated.to_string().contains(help),
            "{mistake:?}"
        );
    }
    assert_eq!(simulated.mistakes()[1].help.as_deref(), Some("did you mean `goal_left`?"));
    let checked = refused("policy check mine.toml none.toml");
    assert_eq!((&places(&checked)[..2], checked.mistakes().len()), (&mine[..], 3), "{checked}");
    let none = &checked.mistakes()[2];
    assert_eq!((&*none.file, none.line, none.column), ("none.toml", None, None));
    let expected = refused("games check ends.game");
    assert_eq!(places(&expected), [at("ends.game", 10, 8)], "{expected}");
    assert!(expected.mistakes()[0].message.starts_with("total = 3 is expected, and it is 9"), "{expected}");
    assert_eq!(refused("simulate pig -p nobody -n 10").mistakes(), []);
}

#[test]
fn progress_is_told() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let listener = {
        let lines = lines.clone();
        move |line: &str| lines.lock().expect("whole").push(line.to_owned())
    };
    let words = ["simulate", "freeze", "-p", "always", "-n", "30000", "--runner", "trial"];
    found(&words, Call { progress: Some(Arc::new(listener)), ..Call::default() }).expect("it plays");
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
            ..Call::default()
        };
        let words = [&words[..], &["-n", "100G", "--threads", "1"]].concat();
        let played = thread::spawn(move || found(&words, call));
        while !told.recv().expect("it plays").contains(" a second") {}
        (stop, played)
    };
    let (first, second) = (endless(20), endless(25));
    let whole = found(&[&words[..], &["-n", "500"]].concat(), Call { texts: hold(30), ..Call::default() });
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

/// A call that has only texts touches no disk: what would is refused, whatever it is.
#[test]
fn only_texts_are_read() {
    let folder = scratch("contract-library-only-texts");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    std::fs::write(folder.join("mine.toml"), &hold(3)["mine.toml"]).expect("a file");
    let [mine, out, own] = [path("mine.toml"), path("out"), path("own")];
    for words in [
        &["merge", &out, &out][..],
        &["games", "new", &own],
        &["games", "fmt", &mine],
        &["simulate", "pig", "-p", "hold", "-n", "100", "--out", &out],
        &["simulate", "pig", "-p", "hold", "-n", "100", "--trials-out", "rows.csv"],
        &["solve", "pig", "--rules", "piglet", "--out", &out],
        &["simulate", "pig", "-p", &mine, "-n", "100"],
    ] {
        let refused = found(words, Call { only_texts: true, ..Call::default() });
        assert!(matches!(&refused, Err(Refusal::Input { .. })), "{words:?}: {refused:?}");
    }
    let left: Vec<_> = std::fs::read_dir(&folder).expect("a folder").collect();
    assert_eq!(left.len(), 1, "{left:?}");
}
