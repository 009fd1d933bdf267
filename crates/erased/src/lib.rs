//! The edge: turns a name into a game with its rules and policies, as one object.
//!
//! Behind the edge, code is generic over the type of the game, and every loop is compiled once per game: in this crate
//! and, for lanes, in `stopwise-lanes`. In front of it there are objects. A [`Game`] of the registry
//! has rules. [`AnyRules`] describe themselves, compile policies and solve. An [`AnyArm`] (rules with line-ups) plays.
//! [`AnyVectorEnv`] are games side by side that wait for answers. Their methods are called once per batch or less often,
//! never once per trial, so commands are compiled once.
//!
//! How often code is compiled, before there were objects and since (`cargo llvm-lines --release`):
//!
//! | | before | since |
//! |---|---|---|
//! | each command, and what it calls with a game | 5 | 1 |
//! | loops of the reference runner, in `run` (`OneByOne::play`) | 68 | 33 |
//! | loops for who takes trials one by one: pairs; products and rows; whole games | 7, 7, 30 | 6 of all together |
//! | walks of distributions and losses | 15 | 5: policies are objects there |
//! | loops on lanes (`Drive`): CarboniteDice and Pig, since then IceDice as well | 27 | 36 |
//! | combined predicates on lanes: by kind of table, then by instruction set | 12 | 3 |
//! | lines of LLVM and functions of this crate, since there are objects | 1.26 million, 34,978 | 0.58 million, 17,206 |
//! | walks of best play and losses (`Walk::node`), a game: of policies as objects since then as well | 14.5 | 4 |
//! | lines and functions with what came since: games as text, positions, advice | 1.63 million, 44,528 | 1.52 million, 42,225 |
//! | those of `stopwise-narration`, which is not optimised; before, they were a part of this crate | – | 0.14 million, 4,707 |
//! | those of `stopwise-lanes`, with IceDice | 0.33 million, 6,184 | 0.32 million, 6,338 |
//! | those of the program's crate, which is not optimised | 2.42 million, 48,125 | 0.37 million, 13,677 |
//! | those of `stopwise-reports`, not optimised either; before, they were a part of the program's crate | – | 0.27 million, 11,642 |
//!
//! The names and parts of a game come from methods of the object, not from constants of a type: games described at run
//! time can share one type, and a policy knows the rules for which it was compiled.
//!
//! ```
//! use stopwise_erased::game;
//! use stopwise_engine::run::{Plan, play};
//! use stopwise_policy::shipped;
//! use std::ops::ControlFlow;
//!
//! let pig = game("pig").expect("in the registry");
//! let rules = stopwise_narration::read_rules(pig, &shipped::default_rules("pig").text())?.rules;
//! let hold = rules.compile(&shipped::policy("pig", "hold").expect("shipped").text(), &[])?;
//! let arm = rules.arm(&[vec![hold]]);
//! let tallies = play(&*arm, &Plan { seed: 1, trials: 0..1000 }, &|_| ControlFlow::Continue(()));
//! assert_eq!(tallies[0].trials, 1000);
//! # Ok::<(), stopwise_policy::TextError>(())
//! ```

mod arm;
mod asked;
mod batch;
mod batch_policy;
mod by_turns;
mod counted;
mod divergence;
mod exact;
mod fast_player;
mod on_lanes;
mod policy;
mod registry;
mod remembered;
mod rules;
mod script;
mod side_by_side;
mod surface;
mod text_lanes;
mod trial_rows;
mod tried;
mod typed;
mod vector_env;
pub mod workloads;

pub use arm::{AnyArm, Fault};
pub use asked::{Asked, Choice};
pub use batch::{batch_actions, batch_parting};
pub use batch_policy::{BatchPolicy, NumberType, Questions, Values, Wants};
pub use counted::{Counted, Seated};
pub use divergence::Divergence;
pub use exact::{AnyBestPlay, BestTurns, Decided, Position, Solved};
pub use policy::{AnyPolicy, OtherRules};
pub use registry::{game, games};
pub use rules::{AnyRules, Game, NamedRules};
pub use surface::{Cells, Charted, Drawn, Side};
pub use trial_rows::{
    Held, METRIC_COLUMN, RowFormat, RowState, TRIAL_COLUMNS, TableFile, TrialColumn, TrialFile, TrialRows,
    TrialShare,
};
pub use tried::{Answers, Course, Tried};
pub use vector_env::AnyVectorEnv;
