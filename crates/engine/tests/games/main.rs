//! The games and what plays them: laws that all obey, values that must never change, and naive implementations beside them.

mod common;
mod laws;
mod oracles;
