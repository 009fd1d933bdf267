//! Intervals, tests and races against exact values, hand-counted raw samples, and their nominal coverage.

mod balance;
mod best_of;
mod paired;
mod ranking;
mod seats;
mod sequences;
mod single;
mod skill;
mod sweep;
mod until;
