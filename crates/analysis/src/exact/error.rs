//! Errors of the exact walk.

use std::fmt;

/// Why there is no exact value.
#[derive(Clone, Debug, PartialEq)]
pub enum ExactError {
    /// There are more states than allowed, or they take more memory.
    TooLarge {
        /// What is exceeded.
        limit: Limit,
        /// What is known of the game's size.
        size: Size,
        /// How many values variables have in the states found, those with most first, where they have names.
        varied: Vec<(String, usize)>,
    },
    /// The watcher stopped the walk.
    Interrupted,
    /// Positions recur, and the metric has no known bounds for interval iteration.
    Unbounded {
        /// The first stage in which positions recur.
        stage: u64,
    },
    /// The bounds do not converge: under some policy the game need not end.
    Stuck {
        /// The stage in which the bounds do not converge.
        stage: u64,
    },
    /// The bounds converged, but too far apart. Of wins they are shares of the games.
    Wide {
        /// The bounds of the value at the start, if they are known.
        bounds: Option<[f64; 2]>,
    },
    /// Very many questions follow each other, with nothing rolled between them.
    Questions,
    /// The rules cannot go on in some position: [`Game::fault`](stopwise_engine::game::Game::fault).
    Fault(String),
    /// With more than one free seat among three or more, best play has no single value.
    SeveralFree,
    /// Two free seats answer at once, and best play may have to be mixed.
    AtOnce,
    /// The game is solved turn by turn, and what was asked needs all positions within turns.
    TurnByTurn,
    /// The game is solved turn by turn, and the policy looks at what positions do not keep then.
    Remembers,
    /// The game is solved turn by turn, and the policy answers by chance.
    ByChance,
}

/// A limit of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The number of states.
    States(usize),
    /// The number of bytes.
    Bytes(usize),
}

/// What is known of a walk's size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// The number of states found.
    pub states: usize,
    /// The number of stages explored.
    pub stages: usize,
    /// A lower bound on the number of states: those found, or more if a sample of games showed more.
    pub states_at_least: usize,
    /// A lower bound on the number of stages.
    pub stages_at_least: usize,
    /// A lower bound on the size of the states in bytes.
    pub bytes: usize,
}

impl fmt::Display for ExactError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { limit, size, .. } => too_large(f, *limit, size),
            Self::Interrupted => write!(f, "interrupted"),
            Self::Unbounded { stage } => write!(
                f,
                "positions return (first in stage {stage}), and this metric counts what may go on for ever, without bounds to begin from; \
                 a game as text that counts it in a variable with a range has them"
            ),
            Self::Stuck { stage } => write!(
                f,
                "the bounds stopped closing in (stage {stage}): under this policy the game need not end"
            ),
            Self::Wide { bounds } => {
                write!(
                    f,
                    "the bounds stay too far apart: under this play the game need not end, or hardly ever does"
                )?;
                match bounds {
                    // What is written holds: limits are rounded outwards.
                    Some([low, high]) => write!(
                        f,
                        "; the value lies between {:.10} and {:.10}. Rules that end such play, as by a cap on turns, decide it",
                        (low * 1e10).floor() / 1e10,
                        (high * 1e10).ceil() / 1e10
                    ),
                    None => Ok(()),
                }
            }
            Self::Questions => write!(
                f,
                "more than 1,000 questions may follow each other without a roll or a draw, which a walk does not follow: let the rules \
                 end what goes on so long"
            ),
            Self::Fault(why) => write!(f, "the rules cannot go on in a position that can be reached: {why}"),
            Self::TurnByTurn => write!(
                f,
                "the game is too large for a walk and was solved turn by turn: values of positions between turns are known, not \
                 what needs all positions within turns"
            ),
            Self::Remembers => write!(
                f,
                "it looks at what best play does not, such as earlier turns, so that its losses are not told turn by turn; \
                 leave it out, keep best play with --out DIR, and compare the two: --policy DIR/policy.toml"
            ),
            Self::ByChance => write!(
                f,
                "the game is too large for a walk and was solved turn by turn, and the policy answers by chance, which only a walk \
                 values; leave it out, keep best play with --out DIR, and compare the two: --policy DIR/policy.toml"
            ),
            Self::AtOnce => write!(
                f,
                "the players answer at once, without knowing each other's answers: best play of both would have to choose by chance, and \
                 is not worked out; name a policy, whose values are: --policy NAME"
            ),
            Self::SeveralFree => write!(
                f,
                "with three or more seats best play is not one number; name a policy, which is valued in every seat: --policy NAME"
            ),
        }
    }
}

impl std::error::Error for ExactError {}

fn too_large(f: &mut fmt::Formatter<'_>, limit: Limit, size: &Size) -> fmt::Result {
    write!(f, "too large for an exact walk: more than ")?;
    match limit {
        Limit::States(states) => write!(f, "{states} states")?,
        Limit::Bytes(bytes) => write!(f, "{bytes} bytes of memory")?,
    }
    let states = size.states_at_least.max(size.states);
    write!(f, "; there are at least {states} states, which take {} bytes or more", size.bytes)
}
