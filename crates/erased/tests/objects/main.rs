//! Games behind their objects: on lanes as by the trial, by batches as by texts.
//!
//! All loops but one (`lanes::portable`) are those of the crate: no other is compiled for the tests.

mod batch;
mod lanes;
