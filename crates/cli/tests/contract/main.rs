//! The program from outside: what scripts and reports rely on, what is printed and written, what is refused.

mod common;

mod bad_input;
mod balance;
mod contract;
mod formats;
mod oracles;
mod rank;
mod signals;
mod signature;
