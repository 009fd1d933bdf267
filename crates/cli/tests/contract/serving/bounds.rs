//! The page is opened, reads and writes where it may, takes what it was given, and ends.

use std::fs;
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::{MINE, Page, solo};
use crate::common::{entries, program, read, run, scratch};
use crate::running::{Running, work};

/// `--open` gives the browser of the system the address that is printed, with its word; where there is none the page is there
/// all the same, and says so.
#[test]
#[cfg(target_os = "linux")]
fn a_browser_is_started() {
    use std::os::unix::fs::PermissionsExt as _;

    for (name, has_browser) in [("serving-open", true), ("serving-alone", false)] {
        let folder = scratch(name);
        let programs = folder.join("bin");
        fs::create_dir(&programs).expect("it can be made");
        let mut command = program(&folder);
        command.args(["serve", "--port", "0", "--open"]).stdout(Stdio::piped()).stderr(Stdio::piped());
        if has_browser {
            let browser = programs.join("xdg-open");
            let text = "#!/bin/sh\nprintf '%s\\n' \"$@\" > part && mv part opened\n";
            fs::write(&browser, text).expect("it can be written");
            fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).expect("it can be started");
            command.env("PATH", format!("{}:/usr/bin:/bin", programs.display()));
        } else {
            command.env("PATH", &programs);
        }
        let page = Page::of(folder, command);
        if has_browser {
            let opened = page.folder.join("opened");
            while !opened.exists() {
                thread::sleep(Duration::from_millis(5));
            }
            let address = format!("http://{}/{}/\n", page.host, page.token);
            assert_eq!(fs::read_to_string(opened).expect("an address"), address);
        }
        assert!(!page.found("games", &json!({}))["games"].is_null());
        let mut running = page.running;
        running.interrupt();
        let ran = running.end();
        assert_eq!(ran.code, Some(130));
        let is_told = ran.stderr.contains("no browser could be started: open the address yourself");
        assert_eq!(is_told, !has_browser, "{}", ran.stderr);
    }
}

#[test]
fn nothing_else_is_read_or_written() {
    let page = Page::open("serving-files");
    let outside = page.folder.with_file_name("serving-outside.toml");
    fs::write(&outside, MINE).expect("it can be written");
    let before = entries(&page.folder);
    let absolute = outside.display().to_string();
    for place in ["../serving-outside.toml", &absolute, "none.toml"] {
        let setting = json!({ "game": "pig", "policies": [{ "name": place }] });
        let (status, why) = page.refused("picture", &json!({ "setting": setting, "trials": 10 }));
        assert_eq!(
            (status, why.ends_with("is none of the files that may be read here")),
            (422, true),
            "{why}"
        );
        let (status, _) = page.refused(
            "save",
            &json!({ "name": place.replace("none", ".none"), "text": "x", "replace": true }),
        );
        assert_eq!(status, 422, "{place}");
    }
    let (status, why) = page.refused("save", &json!({ "name": "mine.toml", "text": "x" }));
    assert_eq!((status, &*why), (412, "there is a file mine.toml already"));
    assert_eq!((read(&page.folder.join("mine.toml")), read(&outside)), (MINE.into(), MINE.into()));
    assert_eq!(entries(&page.folder), before);
    assert_eq!(page.refused("none", &json!({})).0, 404);
    assert_eq!(page.refused("picture", &json!({})).0, 400);
    assert_eq!(page.end(), Some(130));
}

/// Listening on all of the machine, the page tells by which address others have it, and answers to it.
#[test]
fn others_are_told_an_address() {
    let folder = scratch("serving-others");
    let mut command = program(&folder);
    command.args(["serve", "--port", "0", "--host", "0.0.0.0"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = Running::of(command);
    let mut line = String::new();
    BufReader::new(running.child().stdout.take().expect("a pipe")).read_line(&mut line).expect("an address");
    let near = line.trim().strip_prefix("http://").expect("an address").trim_end_matches('/').to_owned();
    let (host, token) = near.split_once('/').expect("a word");
    let mut told =
        BufReader::new(running.child().stderr.take().expect("a pipe")).lines().map_while(Result::ok);
    let mut far = None;
    let warning = told.find(|line| {
        far = far.take().or_else(|| line.split_once("open http://").map(|(_, address)| address.to_owned()));
        line.starts_with("warning: others on the network")
    });
    assert!(warning.is_some_and(|line| line.contains("can use the page, and save files here")));
    // A machine without a network has none.
    if let Some(far) = far {
        let (name, word) = far.trim_end_matches('/').split_once('/').expect("a word");
        assert_eq!((word, name.rsplit(':').next()), (token, host.rsplit(':').next()));
        let mut stream = TcpStream::connect(host).expect("it listens");
        let asked = format!("GET /{token}/ HTTP/1.1\r\nhost: {name}\r\nconnection: close\r\n\r\n");
        stream.write_all(asked.as_bytes()).expect("it is read");
        let mut heard = String::new();
        stream.read_to_string(&mut heard).expect("an answer");
        assert!(heard.starts_with("HTTP/1.1 200"), "{heard}");
    }
    running.interrupt();
    assert_eq!(running.child().wait().expect("it ends").code(), Some(130));
}

#[test]
fn threads_are_shared() {
    let mut page = Page::open_with("serving-threads", &["--threads", "1"]);
    let asked = json!({ "setting": { "game": "pig", "policies": [{ "name": "hold" }] }, "trials": 400_000 });
    let (before, begun) = (work(page.running.child()), Instant::now());
    thread::scope(|scope| {
        let answers: Vec<_> =
            (0..6).map(|_| scope.spawn(|| page.found("picture", &asked)["figures"].clone())).collect();
        let answers: Vec<_> =
            answers.into_iter().map(|answer| answer.join().expect("it is answered")).collect();
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    });
    let passed = begun.elapsed().as_secs_f64();
    if let (Some(before), Some(after)) = (before, work(page.running.child())) {
        let taken = (after - before) as f64 / 100.0;
        assert!(taken < 1.2 * passed + 0.1, "{taken} s of processors in {passed} s");
    }
    assert_eq!(page.end(), Some(130));
}

/// What is soon told does not wait for what takes long.
#[test]
fn what_takes_long_is_in_nobodys_way() {
    let page = Page::open("serving-long");
    let long = json!({ "setting": { "game": "yahtzee", "policies": [{ "name": "over-par" }] }, "trials": 5_000_000 });
    let long = long.to_string();
    let head = page.head("picture", &long);
    let mut streams: Vec<_> = (0..4).map(|_| TcpStream::connect(&page.host).expect("it listens")).collect();
    for stream in &mut streams {
        stream.write_all((head.clone() + &long).as_bytes()).expect("it is read");
    }
    thread::sleep(Duration::from_millis(200));
    let begun = Instant::now();
    page.found("picture", &json!({ "setting": solo(&json!({})), "trials": 100 }));
    page.found(
        "check",
        &json!({ "setting": solo(&json!({})), "kind": "policy", "name": "mine.toml", "text": MINE }),
    );
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    for stream in &streams {
        stream.set_nonblocking(true).expect("it can be set");
        let answered = stream.peek(&mut [0]);
        assert!(answered.is_err_and(|error| error.kind() == ErrorKind::WouldBlock), "it did not take long");
    }
    drop(streams);
    assert_eq!(page.end(), Some(130));
}

/// A page that takes too much memory says so, and goes on.
#[test]
fn memory_has_an_end() {
    let page = Page::open_with("serving-memory", &["--max-memory", "1M"]);
    if Path::new("/proc/self/status").exists() {
        let (status, why) = page.refused("games", &json!({}));
        assert!(
            status == 503 && why.starts_with("The page takes ") && why.contains("more than the 1.0 MB"),
            "{why}"
        );
    }
    assert_eq!(page.end(), Some(130));

    // Of what is left each answer has its share: a game that needs more is not solved but played.
    for (most, way) in [("80M", "From 2,000 games"), ("4G", "Exact")] {
        let page = Page::open_with("serving-share", &["--max-memory", most]);
        let setting = json!({ "game": "pig", "policies": [{ "name": "hold" }] });
        let found = page.found("worth", &json!({ "setting": setting, "seat": 0, "trial": 3, "answers": [] }));
        assert!(found["notes"][0].as_str().is_some_and(|note| note.starts_with(way)), "{most}: {found}");
        assert_eq!(page.end(), Some(130));
    }
}

#[test]
fn what_cannot_be_served_is_refused() {
    let page = Page::open("serving-refused");
    let folder = page.folder.clone();
    let (_, port) = page.host.rsplit_once(':').expect("a port");
    for (line, code, message) in [
        ("serve --threads 0", 2, "--threads 0: write a number from 1 to"),
        ("serve --host evil.example", 2, "invalid value 'evil.example'"),
        ("serve --port 70000", 2, "70000"),
        ("serve none.game", 2, "there is no such game, and no such file here"),
        ("serve ../pig.game", 2, "start it in the one of that file"),
        (&*format!("serve --port {port}"), 1, "--port 0 takes any port that is free"),
    ] {
        let ran = run(&folder, line);
        assert!(
            ran.code == Some(code) && ran.stderr.contains(message),
            "{line}: {:?} {}",
            ran.code,
            ran.stderr
        );
    }
    assert_eq!(page.end(), Some(130));
}
