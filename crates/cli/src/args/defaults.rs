//! Requests by values: about a game, with the defaults of the command line for all else.

use clap::{Args, FromArgMatches};

use super::{Balance, Compare, Rank, Replay, Simulate, Solve, Sweep};

/// What follows a command that is typed with a game alone.
fn typed<R: Args + FromArgMatches>(game: &str) -> R {
    let found = R::augment_args(clap::Command::new("")).try_get_matches_from(["", "--", game]);
    let request = found.and_then(|found| R::from_arg_matches(&found));
    request.unwrap_or_else(|error| unreachable!("a game is all that has to be typed: {error}"))
}

macro_rules! of_game {
    ($($request:ident)*) => {$(
        impl $request {
            /// About this game, with the defaults of the command line.
            #[must_use]
            pub fn of(game: &str) -> Self {
                typed(game)
            }
        }
    )*};
}

of_game!(Simulate Compare Rank Sweep Balance Solve Replay);
