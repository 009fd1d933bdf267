//! `serve`: the page answers with what the commands find, reads and writes in its folder alone, and ends in order.
#![cfg(unix)]

mod answers;
mod bounds;
mod games;

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{program, scratch};
use crate::running::Running;

const MINE: &str = "game = \"pig\"\nname = \"mine\"\nparams = { n = 15 }\nstop = \"turn_total >= n\"\n";

/// A page that is served in a folder.
struct Page {
    folder: PathBuf,
    running: Running,
    host: String,
    token: String,
}

impl Page {
    fn open(name: &str) -> Self {
        Self::open_with(name, &["--threads", "2"])
    }

    fn open_with(name: &str, words: &[&str]) -> Self {
        let folder = scratch(name);
        fs::write(folder.join("mine.toml"), MINE).expect("it can be written");
        Self::open_in(folder, words)
    }

    fn open_in(folder: PathBuf, words: &[&str]) -> Self {
        let mut command = program(&folder);
        command.args(["serve", "--port", "0"]).args(words).stdout(Stdio::piped()).stderr(Stdio::null());
        Self::of(folder, command)
    }

    fn of(folder: PathBuf, command: Command) -> Self {
        let mut running = Running::of(command);
        let mut address = String::new();
        let stdout = running.child().stdout.take().expect("it is a pipe");
        BufReader::new(stdout).read_line(&mut address).expect("an address");
        let place = address.trim().strip_prefix("http://").and_then(|place| place.strip_suffix('/'));
        let (host, token) = place.and_then(|place| place.split_once('/')).expect("an address");
        assert!(host.starts_with("127.0.0.1:") && token.len() == 32, "{address}");
        Self { host: host.to_owned(), token: token.to_owned(), folder, running }
    }

    /// What comes before the body of a question.
    fn head(&self, question: &str, body: &str) -> String {
        format!(
            "POST /{}/ask/{question} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\nconnection: close\r\n\
             content-length: {}\r\n\r\n",
            self.token,
            self.host,
            body.len()
        )
    }

    /// Status and content of an answer.
    fn ask(&self, question: &str, value: &Value) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.host).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("it can be set");
        let body = value.to_string();
        stream.write_all((self.head(question, &body) + &body).as_bytes()).expect("it is read");
        let mut heard = String::new();
        stream.read_to_string(&mut heard).expect("an answer");
        let (head, content) = heard.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, content.to_owned())
    }

    fn found(&self, question: &str, value: &Value) -> Value {
        let (status, content) = self.ask(question, value);
        assert_eq!(status, 200, "{question} {value}: {content}");
        serde_json::from_str(&content).expect("JSON")
    }

    fn refused(&self, question: &str, value: &Value) -> (u16, String) {
        let (status, content) = self.ask(question, value);
        let why: Value = serde_json::from_str(&content).expect("JSON");
        (status, why["error"].as_str().expect("a reason").to_owned())
    }

    /// Ctrl-C: the exit code.
    fn end(mut self) -> Option<i32> {
        let begun = Instant::now();
        self.running.interrupt();
        let code = self.running.end().code;
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
        code
    }
}

fn solo(set: &Value) -> Value {
    json!({ "game": "pig", "rules": "solo", "set": set, "policies": [{ "name": "hold", "params": { "n": "25" } }] })
}
