//! What is sent back, and what a browser may do with it.

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};

use crate::desk::Answer;
use crate::gate::Refused;

/// What goes with everything. The page loads nothing from elsewhere and tells nobody its address, is in nobody's frame, and
/// is kept by no cache.
const HEADERS: [(&str, &str); 8] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
    ("cache-control", "no-store"),
];

/// A plain text.
const TEXT: &str = "text/plain; charset=utf-8";

/// An answer, as it goes over the line.
pub(crate) fn reply(Answer { status, kind, body }: Answer) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

/// Why there is none. What is still being sent is not read.
pub(crate) fn refusal(Refused(status, why): Refused) -> Response<Full<Bytes>> {
    let mut response = reply(Answer { status, kind: TEXT, body: format!("{why}\n").into_bytes() });
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}
