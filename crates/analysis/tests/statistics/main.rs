//! Intervals, tests and races: against exact values, raw samples counted by hand, and their own promises.

mod balance;
mod paired;
mod ranking;
mod seats;
mod sequences;
mod single;
mod sweep;
mod until;
