//! Two things of which one comes first.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

/// What came first.
#[derive(Debug)]
pub(crate) enum First<A, B> {
    One(A),
    Other(B),
}

/// Waits for either; the one that has not come may be waited for again.
pub(crate) async fn first<A: Future, B: Future>(
    mut one: Pin<&mut A>,
    mut other: Pin<&mut B>,
) -> First<A::Output, B::Output> {
    poll_fn(|context| {
        if let Poll::Ready(found) = other.as_mut().poll(context) {
            return Poll::Ready(First::Other(found));
        }
        one.as_mut().poll(context).map(First::One)
    })
    .await
}
