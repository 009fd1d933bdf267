//! A request on a connection, and its answer.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt as _, Full};
use hyper::body::{Body as _, Bytes, Incoming};
use hyper::{Request, Response};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::budget::{ANSWERS, Budget};
use crate::desk::{Answer, Desk, Question, Work};
use crate::gate::{Gate, Refused, Wanted};
use crate::newest::{End, Newest};
use crate::page;
use crate::reply::{refusal, reply};

/// The most bytes of a question: texts of games and policies have less.
const LONGEST: usize = 1 << 20;
/// So much of a question that is too long is let pass.
const PASSING: usize = 16 << 20;
/// … until nothing comes for so long.
const PAUSE: Duration = Duration::from_millis(300);
/// How long it may take to send a question.
const SENDING: Duration = Duration::from_secs(10);
/// So many questions wait for their turn; of more, the page is told to wait.
const WAITING: usize = 64;

/// What all connections share.
pub(crate) struct Shared {
    pub(crate) gate: Gate,
    pub(crate) desk: Arc<dyn Desk>,
    pub(crate) newest: Newest,
    /// The threads of answers.
    pub(crate) budget: Arc<Budget>,
    /// Places at which questions wait for some of these.
    pub(crate) queue: Semaphore,
}

impl Shared {
    /// With so many threads for all answers.
    pub(crate) fn new(gate: Gate, desk: Arc<dyn Desk>, threads: usize) -> Self {
        let (budget, queue) = (Arc::new(Budget::new(threads)), Semaphore::new(ANSWERS + WAITING));
        Self { gate, desk, newest: Newest::default(), budget, queue }
    }
}

/// The answer to a request. If whoever asked goes away, this is dropped, and the work ends.
pub(crate) async fn answer(
    shared: Arc<Shared>,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    let answered = match shared.gate.admit(&head) {
        Ok(Wanted::File(name)) => page::file(&name).ok_or(Refused(404, "There is no such file.")),
        Ok(Wanted::Answer(name)) => {
            let asked = Asked::of(head.uri.query().unwrap_or_default());
            asked_for(&shared, name, asked, body).await
        }
        Err(refused) => Err(refused),
    };
    Ok(answered.map_or_else(refusal, reply))
}

/// Which page asks, and for the how-many-th time: the newest question of a page and kind is the one that is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    page: String,
    turn: u64,
}

impl Asked {
    /// Of what follows the question mark of an address.
    fn of(query: &str) -> Self {
        let mut asked = Self::default();
        for (name, value) in query.split('&').filter_map(|part| part.split_once('=')) {
            match name {
                "page" => value.chars().take(64).collect::<String>().clone_into(&mut asked.page),
                "turn" => asked.turn = value.parse().unwrap_or_default(),
                _ => {}
            }
        }
        asked
    }
}

/// Ends the work when nobody waits for it any more; when it is over, that changes nothing.
struct WhileWanted(End);

impl Drop for WhileWanted {
    fn drop(&mut self) {
        (self.0)();
    }
}

async fn asked_for(shared: &Shared, name: String, asked: Asked, body: Incoming) -> Result<Answer, Refused> {
    let sent = timeout(SENDING, read(body)).await;
    let body = sent.map_err(|_| Refused(408, "The question took too long to come."))??;
    let who = format!("{} {name}", asked.page);
    let Work { need, run, end } = shared.desk.begin(Question { name, body });
    if !asked.page.is_empty() && !shared.newest.ask(&who, asked.turn, &end) {
        return Err(Refused(409, "Something newer was asked."));
    }
    let _wanted = WhileWanted(end);
    let Ok(_waits) = shared.queue.try_acquire() else {
        return Err(Refused(503, "Too much is asked at once."));
    };
    let granted = shared.budget.grant(need).await;
    let worked = tokio::task::spawn_blocking(move || {
        // Kept until the work is over, also when nobody waits for it.
        let granted = granted;
        run(granted.threads)
    });
    worked.await.map_err(|_| Refused(500, "The answer broke off: this is a mistake in the program."))
}

/// What is sent. Of what is too long the rest is let pass, if it is not endless: who is still sending hears no answer.
async fn read(mut body: Incoming) -> Result<Vec<u8>, Refused> {
    const TOO_LONG: Refused = Refused(413, "The question is too long.");
    if body.size_hint().lower() > (LONGEST + PASSING) as u64 {
        return Err(TOO_LONG);
    }
    let (mut bytes, mut length) = (Vec::new(), 0);
    loop {
        let frame = match length {
            ..=LONGEST => body.frame().await,
            _ => timeout(PAUSE, body.frame()).await.unwrap_or_default(),
        };
        let Some(frame) = frame else { break };
        let frame = frame.map_err(|_| Refused(400, "The question broke off."))?;
        let Ok(part) = frame.into_data() else { continue };
        length += part.len();
        match length {
            ..=LONGEST => bytes.extend_from_slice(&part),
            _ if length > LONGEST + PASSING => break,
            _ => {}
        }
    }
    if length > LONGEST { Err(TOO_LONG) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks() {
        let asked = |page: &str, turn| Asked { page: page.into(), turn };
        for (query, expected) in [
            ("page=ab12&turn=17", asked("ab12", 17)),
            ("turn=x&page=a", asked("a", 0)),
            ("", asked("", 0)),
            ("page", asked("", 0)),
            ("turn=99999999999999999999999", asked("", 0)),
        ] {
            assert_eq!(Asked::of(query), expected, "{query}");
        }
        assert_eq!(Asked::of(&format!("page={}", "é".repeat(1000))).page.chars().count(), 64);
    }
}
