//! Who may ask.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

use hyper::header::{HeaderName, ORIGIN};
use hyper::http::request::Parts;
use hyper::{HeaderMap, Method, header};

/// What a page on another site says of itself, in browsers that do.
const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// What is wanted by somebody who may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// A file of the page.
    File(String),
    /// An answer to a question of this name.
    Answer(String),
}

/// Why somebody may not, as a status with a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refused(pub(crate) u16, pub(crate) &'static str);

/// Knows the address of the page.
#[derive(Clone, Debug)]
pub(crate) struct Gate {
    place: SocketAddr,
    token: String,
}

impl Gate {
    /// Of a page at this place, behind this token.
    pub(crate) fn new(place: SocketAddr, token: String) -> Self {
        Self { place, token }
    }

    /// The address of the page; where it listens on all of this machine, by the name that this machine itself has for it.
    pub(crate) fn address(&self) -> String {
        self.address_at(match self.place.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            ip => ip,
        })
    }

    /// The address by which others on the network have the page, if they do, and if this machine knows its own.
    pub(crate) fn address_for_others(&self) -> Option<String> {
        let ip = self.place.ip();
        let found = if ip.is_unspecified() { neighbour(ip) } else { Some(ip) };
        found.filter(|ip| !ip.is_loopback()).map(|ip| self.address_at(ip))
    }

    fn address_at(&self, ip: IpAddr) -> String {
        format!("http://{}/{}/", SocketAddr::new(ip, self.place.port()), self.token)
    }

    /// What is wanted, if whoever wants it may. The host comes first: a name that somebody else lets lead here is no name of
    /// this page. Then where the question comes from, and only then whether the token is known.
    pub(crate) fn admit(&self, head: &Parts) -> Result<Wanted, Refused> {
        let host = one(&head.headers, &header::HOST).ok_or(Refused(400, "The request names no host."))?;
        if !self.is_own(host) {
            return Err(Refused(
                403,
                "This page is not known by that name: use the address that was printed.",
            ));
        }
        if head.headers.contains_key(ORIGIN) {
            let origin = one(&head.headers, &ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
            if origin != Some(host) {
                return Err(Refused(403, "Only the page itself may ask."));
            }
        }
        if let Some(site) = head.headers.get(SITE)
            && site != "same-origin"
            && !(site == "none" && head.method == Method::GET)
        {
            return Err(Refused(403, "Only the page itself may ask."));
        }
        let path = head.uri.path().strip_prefix('/').unwrap_or_default();
        let (token, rest) = path.split_once('/').unwrap_or((path, ""));
        if !is_same(token, &self.token) {
            return Err(Refused(
                404,
                "The address is not complete: it ends in a word that was printed at the start.",
            ));
        }
        match rest.strip_prefix("ask/") {
            Some(name) if is_word(name) => match head.method {
                Method::POST if is_json(&head.headers) => Ok(Wanted::Answer(name.to_owned())),
                Method::POST => Err(Refused(415, "A question is JSON.")),
                _ => Err(Refused(405, "A question is posted.")),
            },
            Some(_) => Err(Refused(404, "There is no such question.")),
            None if head.method != Method::GET && head.method != Method::HEAD => {
                Err(Refused(405, "This is only to be read."))
            }
            None => Ok(Wanted::File(rest.to_owned())),
        }
    }

    /// Whether a host is this one. An address in numbers leads nowhere else than it says, so that where the page listens on
    /// more than this machine any of them will do; of names there is one.
    fn is_own(&self, host: &str) -> bool {
        let port = self.place.port();
        if let Ok(named) = host.parse::<SocketAddr>() {
            let is_near = named.ip().is_loopback() || named.ip() == self.place.ip();
            return named.port() == port && (is_near || !self.place.ip().is_loopback());
        }
        // A browser leaves the usual port out.
        if let (Ok(ip), 80) = (host.parse::<IpAddr>(), port) {
            return ip.is_loopback() || ip == self.place.ip() || !self.place.ip().is_loopback();
        }
        match host.rsplit_once(':') {
            Some((name, given)) => name.eq_ignore_ascii_case("localhost") && given.parse() == Ok(port),
            None => host.eq_ignore_ascii_case("localhost") && port == 80,
        }
    }
}

/// By which address others know this machine: that from which it would send to an address for documentation (RFC 5737, RFC
/// 3849). Nothing is sent. Who listens on all of IPv6 listens on all of IPv4 as well.
fn neighbour(listening: IpAddr) -> Option<IpAddr> {
    let from = |own: IpAddr, other: IpAddr| {
        let socket = UdpSocket::bind((own, 0)).ok()?;
        socket.connect((other, 9)).ok()?;
        Some(socket.local_addr().ok()?.ip()).filter(|ip| !ip.is_unspecified())
    };
    let four = || from(Ipv4Addr::UNSPECIFIED.into(), Ipv4Addr::new(192, 0, 2, 1).into());
    let six = || from(Ipv6Addr::UNSPECIFIED.into(), Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into());
    four().or_else(|| if listening.is_ipv6() { six() } else { None })
}

/// The value of a header that is there once.
fn one<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut all = headers.get_all(name).iter();
    match (all.next(), all.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

/// Whether two words are the same, in a time that does not say how much of them is.
fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

fn is_word(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase())
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = one(headers, &header::CONTENT_TYPE).unwrap_or_default();
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

#[cfg(test)]
mod tests {
    use hyper::Request;

    use super::*;

    fn gate(place: &str) -> Gate {
        Gate::new(place.parse().expect("a place"), "word".into())
    }

    fn admitted(gate: &Gate, method: &str, path: &str, headers: &[(&str, &str)]) -> Result<Wanted, u16> {
        let request = Request::builder().method(method).uri(path);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let (head, ()) = request.body(()).expect("a request").into_parts();
        gate.admit(&head).map_err(|Refused(status, _)| status)
    }

    #[test]
    fn hosts() {
        let near = gate("127.0.0.1:8417");
        let own = ["127.0.0.1:8417", "localhost:8417", "LOCALHOST:8417", "[::1]:8417"];
        let other = [
            "evil.example:8417",
            "127.0.0.1",
            "127.0.0.1:80",
            "localhost",
            "localhost.evil.example:8417",
            "192.168.1.5:8417",
            "127.0.0.1.evil.example:8417",
            "evil.example#localhost:8417",
            "",
        ];
        for (hosts, expected) in [(&own[..], Ok(Wanted::File(String::new()))), (&other[..], Err(403))] {
            for host in hosts {
                assert_eq!(admitted(&near, "GET", "/word/", &[("host", host)]), expected, "{host}");
            }
        }
        let far = gate("0.0.0.0:8417");
        for (host, is_own) in
            [("192.168.1.5:8417", true), ("evil.example:8417", false), ("localhost:8417", true)]
        {
            assert_eq!(admitted(&far, "GET", "/word/", &[("host", host)]).is_ok(), is_own, "{host}");
        }
        assert_eq!(admitted(&near, "GET", "/word/", &[]), Err(400));
        let twice = [("host", "127.0.0.1:8417"), ("host", "evil.example")];
        assert_eq!(admitted(&near, "GET", "/word/", &twice), Err(400));
    }

    #[test]
    fn origins_tokens_methods_and_kinds() {
        let gate = gate("127.0.0.1:8417");
        let host = ("host", "127.0.0.1:8417");
        let json = ("content-type", "application/json");
        let ask = |headers: &[(&str, &str)]| admitted(&gate, "POST", "/word/ask/picture", headers);
        assert_eq!(ask(&[host, json]), Ok(Wanted::Answer("picture".into())));
        assert_eq!(
            ask(&[host, json, ("origin", "http://127.0.0.1:8417")]),
            Ok(Wanted::Answer("picture".into()))
        );
        for origin in [
            "http://evil.example",
            "https://127.0.0.1:8417",
            "null",
            "http://127.0.0.1:84170",
            "http://localhost:8417",
        ] {
            assert_eq!(ask(&[host, json, ("origin", origin)]), Err(403), "{origin}");
        }
        for site in ["cross-site", "same-site", "none"] {
            assert_eq!(ask(&[host, json, ("sec-fetch-site", site)]), Err(403), "{site}");
        }
        assert_eq!(ask(&[host]), Err(415));
        assert_eq!(ask(&[host, ("content-type", "text/plain")]), Err(415));
        for (method, path, status) in [
            ("GET", "/", 404),
            ("GET", "/wor/", 404),
            ("GET", "/wordy/", 404),
            ("GET", "/word/ask/picture", 405),
            ("POST", "/word/", 405),
            ("DELETE", "/word/page.js", 405),
            ("POST", "/word/ask/", 404),
            ("POST", "/word/ask/../x", 404),
        ] {
            assert_eq!(admitted(&gate, method, path, &[host, json]), Err(status), "{method} {path}");
        }
    }

    #[test]
    fn addresses() {
        assert_eq!(gate("127.0.0.1:8417").address(), "http://127.0.0.1:8417/word/");
        assert_eq!(gate("0.0.0.0:80").address(), "http://127.0.0.1:80/word/");
        assert_eq!(gate("[::]:80").address(), "http://[::1]:80/word/");
        let far = |place: &str| gate(place).address_for_others();
        assert_eq!((far("127.0.0.1:8417"), far("[::1]:8417")), (None, None));
        assert_eq!(far("192.168.1.5:8417").as_deref(), Some("http://192.168.1.5:8417/word/"));
    }

    /// A machine without a network has no such address.
    #[test]
    fn others_are_let_in_by_the_address_that_they_are_told() {
        for place in ["0.0.0.0:8417", "[::]:8417"] {
            let gate = gate(place);
            let Some(address) = gate.address_for_others() else { continue };
            let host =
                address.strip_prefix("http://").and_then(|rest| rest.split('/').next()).expect("a host");
            let ip = host.parse::<SocketAddr>().expect("an address").ip();
            assert!(!ip.is_loopback() && !ip.is_unspecified(), "{address}");
            assert!(admitted(&gate, "GET", "/word/", &[("host", host)]).is_ok(), "{address}");
        }
    }
}
