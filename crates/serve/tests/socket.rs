//! A page over a real socket: who gets in, what is refused, and what ends when its client goes.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use stopwise_serve::{Answer, Desk, Ending, Need, Question, Server, Settings, Work};

/// Echoes at once, or works until it is asked to end.
#[derive(Clone, Default)]
struct Clerk(Arc<Seen>);

#[derive(Default)]
struct Seen {
    begun: AtomicUsize,
    ended: AtomicUsize,
}

impl Desk for Clerk {
    fn begin(&self, question: Question) -> Work {
        let seen = Arc::clone(&self.0);
        let stop = Arc::new((Mutex::new(false), Condvar::new()));
        let told = Arc::clone(&stop);
        let run = move |_| {
            seen.begun.fetch_add(1, Ordering::SeqCst);
            let mut status = 200;
            if question.name == "long" {
                let (ending, changed) = &*stop;
                let ending = ending.lock().expect("nobody panics");
                let (ending, _) = changed
                    .wait_timeout_while(ending, Duration::from_secs(20), |ending| !*ending)
                    .expect("nobody panics");
                status = if *ending { 409 } else { 500 };
                seen.ended.fetch_add(1, Ordering::SeqCst);
            }
            assert!(question.name != "panic", "as it was asked to");
            Answer { status, kind: "application/json", body: question.body }
        };
        let end = move || {
            *told.0.lock().expect("nobody panics") = true;
            told.1.notify_all();
        };
        Work { need: Need::Little, run: Box::new(run), end: Arc::new(end) }
    }
}

/// A page that is served.
struct Page {
    clerk: Clerk,
    host: String,
    token: String,
    ending: Ending,
    served: Option<JoinHandle<()>>,
}

impl Page {
    fn open() -> Self {
        let settings = Settings { host: [127, 0, 0, 1].into(), port: 0, threads: 2 };
        let server = Server::open(settings).expect("there is a port");
        let address = server.address();
        let (host, token) =
            address["http://".len()..].trim_end_matches('/').split_once('/').expect("a token");
        let (host, token) = (host.to_owned(), token.to_owned());
        let (clerk, ending) = (Clerk::default(), server.ending());
        let desk = clerk.clone();
        let served = thread::spawn(move || server.serve(Arc::new(desk)).expect("it listens"));
        Self { clerk, host, token, ending, served: Some(served) }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(15))).expect("it can be set");
        stream
    }

    /// Sends what is typed, with HOST and TOKEN replaced, and reads what comes until the connection is closed.
    fn say(&self, typed: &str) -> String {
        let mut stream = self.connect();
        let typed = typed.replace("HOST", &self.host).replace("TOKEN", &self.token);
        // What is refused early may not be read to its end.
        let _ = stream.write_all(typed.as_bytes());
        let mut heard = Vec::new();
        let _ = stream.read_to_end(&mut heard);
        String::from_utf8_lossy(&heard).into_owned()
    }

    /// The status of what comes.
    fn status(&self, typed: &str) -> u16 {
        let heard = self.say(typed);
        heard
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok())
            .unwrap_or_else(|| panic!("{typed}: {heard}"))
    }

    /// A question, typed.
    fn question(name: &str, body: &str, more: &str) -> String {
        format!(
            "POST /TOKEN/ask/{name} HTTP/1.1\r\nhost: HOST\r\ncontent-type: application/json\r\nconnection: close\r\n\
             content-length: {}\r\n{more}\r\n{body}",
            body.len()
        )
    }

    fn wait_for(&self, what: impl Fn(&Seen) -> bool) {
        let begun = Instant::now();
        while !what(&self.clerk.0) {
            assert!(begun.elapsed() < Duration::from_secs(10), "it does not come");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.ending.end();
        if let Some(served) = self.served.take() {
            let begun = Instant::now();
            served.join().expect("it ends in order");
            assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
        }
    }
}

#[test]
fn the_page_and_its_files() {
    let page = Page::open();
    let heard = page.say("GET /TOKEN/ HTTP/1.1\r\nhost: HOST\r\nconnection: close\r\n\r\n");
    assert!(heard.starts_with("HTTP/1.1 200 OK\r\n") && heard.contains("<title>stopwise</title>"), "{heard}");
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cross-origin-resource-policy: same-origin",
        "cache-control: no-store",
    ] {
        assert!(heard.contains(header), "{header}: {heard}");
    }
    // Nobody is told that others may read this.
    assert!(!heard.to_lowercase().contains("access-control"));
    for (file, status) in
        [("page.css", 200), ("page.js", 200), ("icon.svg", 200), ("none", 404), ("../Cargo.toml", 404)]
    {
        let asked = format!("GET /TOKEN/{file} HTTP/1.1\r\nhost: HOST\r\nconnection: close\r\n\r\n");
        assert_eq!(page.status(&asked), status, "{file}");
    }
}

/// The page asks for nothing that is not its own.
#[test]
fn nothing_comes_from_elsewhere() {
    let page = Page::open();
    for file in ["", "page.css", "page.js"] {
        let heard =
            page.say(&format!("GET /TOKEN/{file} HTTP/1.1\r\nhost: HOST\r\nconnection: close\r\n\r\n"));
        let heard = heard.replace("http://www.w3.org/2000/svg", "");
        for elsewhere in ["http://", "https://", "@import", "url("] {
            assert!(!heard.contains(elsewhere), "{file}: {elsewhere}");
        }
    }
}

#[test]
fn who_may_ask() {
    let page = Page::open();
    assert_eq!(page.status(&Page::question("echo", "{}", "")), 200);
    assert_eq!(page.status(&Page::question("echo", "{}", "origin: http://HOST\r\n")), 200);
    for (typed, status) in [
        (Page::question("echo", "{}", "origin: http://evil.example\r\n"), 403),
        (Page::question("echo", "{}", "origin: null\r\n"), 403),
        (Page::question("echo", "{}", "sec-fetch-site: cross-site\r\n"), 403),
        (Page::question("echo", "{}", "").replace("host: HOST", "host: evil.example"), 403),
        (Page::question("echo", "{}", "").replace("host: HOST\r\n", ""), 400),
        (Page::question("echo", "{}", "host: evil.example\r\n"), 400),
        (Page::question("echo", "{}", "").replace("TOKEN", "0123456789abcdef0123456789abcdef"), 404),
        (Page::question("echo", "{}", "").replace("/TOKEN", ""), 404),
        (Page::question("echo", "{}", "").replace("application/json", "text/plain"), 415),
        (Page::question("echo", "{}", "").replace("POST", "PUT"), 405),
        (Page::question("echo", "{}", "").replace("POST", "OPTIONS"), 405),
        ("GET / HTTP/1.1\r\nhost: HOST\r\nconnection: close\r\n\r\n".into(), 404),
        ("NONSENSE\r\n\r\n".into(), 400),
    ] {
        assert_eq!(page.status(&typed), status, "{typed}");
    }
    assert_eq!(page.clerk.0.begun.load(Ordering::SeqCst), 2);
}

#[test]
fn what_is_too_much_is_not_read() {
    let page = Page::open();
    assert_eq!(page.status(&Page::question("echo", &" ".repeat(1 << 20), "")), 200);
    assert_eq!(page.status(&Page::question("echo", &" ".repeat((1 << 20) + 1), "")), 413);
    let chunked =
        Page::question("echo", "", "transfer-encoding: chunked\r\n").replace("content-length: 0\r\n", "");
    let chunk = format!("40000\r\n{}\r\n", " ".repeat(0x40000));
    assert_eq!(page.status(&format!("{chunked}{}", chunk.repeat(5))), 413);
    let header = format!("x: {}\r\n", "y".repeat(1_000_000));
    // Who is still sending may hear nothing.
    let heard = page.say(&Page::question("echo", "{}", &header));
    assert!(heard.is_empty() || heard.starts_with("HTTP/1.1 431 "), "{heard}");
    let endless = Page::question("echo", "", "").replace("content-length: 0", "content-length: 999999999999");
    let heard = page.say(&endless);
    assert!(heard.is_empty() || heard.starts_with("HTTP/1.1 413 "), "{heard}");
    assert_eq!(page.status(&Page::question("echo", "{}", &"x: y\r\n".repeat(100))), 431);
}

#[test]
fn slow_clients_are_let_go() {
    let page = Page::open();
    let begun = Instant::now();
    // A head that never ends, a body that never ends, and nothing at all.
    let head = "GET /TOKEN/ HTTP/1.1\r\nhost: HO";
    let body = Page::question("echo", "{}", "").replace("content-length: 2", "content-length: 9");
    thread::scope(|scope| {
        let heads = scope.spawn(|| page.say(head));
        let bodies = scope.spawn(|| page.status(&body));
        let nothing = scope.spawn(|| page.say(""));
        heads.join().expect("it is closed");
        assert_eq!(bodies.join().expect("it is answered"), 408);
        nothing.join().expect("it is closed");
    });
    assert!((5..15).contains(&begun.elapsed().as_secs()), "{:?}", begun.elapsed());
}

#[test]
fn work_ends_when_its_client_goes() {
    let page = Page::open();
    let mut stream = page.connect();
    let typed = Page::question("long", "{}", "").replace("HOST", &page.host).replace("TOKEN", &page.token);
    stream.write_all(typed.as_bytes()).expect("it is read");
    page.wait_for(|seen| seen.begun.load(Ordering::SeqCst) == 1);
    assert_eq!(page.clerk.0.ended.load(Ordering::SeqCst), 0);
    drop(stream);
    page.wait_for(|seen| seen.ended.load(Ordering::SeqCst) == 1);
}

/// Of a hundred questions of a page the last is answered, and the others end.
#[test]
fn the_newest_question_is_the_one_that_is_wanted() {
    let page = Page::open();
    let ask = |name: &str, turn: usize| Page::question(&format!("{name}?page=a&turn={turn}"), "{}", "");
    thread::scope(|scope| {
        let asked: Vec<_> = (1..=20)
            .map(|turn| {
                let (typed, page) = (ask("long", turn), &page);
                scope.spawn(move || page.status(&typed))
            })
            .collect();
        thread::sleep(Duration::from_millis(300));
        let last = ask("long", 100);
        let page = &page;
        let last = scope.spawn(move || page.say(&last));
        for asked in asked {
            assert_eq!(asked.join().expect("it is answered"), 409);
        }
        // Another page, and another kind of question, are not in its way.
        assert_eq!(page.status(&ask("echo", 1)), 200);
        assert_eq!(page.status(&ask("echo", 7).replace("page=a", "page=b")), 200);
        // One that comes late is not begun.
        assert_eq!(page.status(&ask("long", 50)), 409);
        page.ending.end();
        let _ = last.join();
    });
}

#[test]
fn two_hundred_connections() {
    let page = Page::open();
    let idle: Vec<_> = (0..200).map(|_| page.connect()).collect();
    assert_eq!(page.status(&Page::question("echo", "{}", "")), 200);
    let more: Vec<_> = (0..200).map(|_| page.connect()).collect();
    // Beyond what there is room for they are closed at once, and those that say nothing soon.
    drop((idle, more));
    thread::sleep(Duration::from_millis(100));
    assert_eq!(page.status(&Page::question("echo", "{}", "")), 200);
}

#[test]
fn an_answer_that_breaks_off_is_one() {
    let page = Page::open();
    assert_eq!(page.status(&Page::question("panic", "{}", "")), 500);
    assert_eq!(page.status(&Page::question("echo", "{}", "")), 200);
}
