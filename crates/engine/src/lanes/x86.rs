//! AVX-512 and AVX2: one instruction, or a few, for every operation of a [`Vector`](super::simd::Vector). This file holds
//! the proofs that the machine has them, and the functions in which jobs run.
//!
//! Besides the call that leads here, `unsafe` is used only in this module, for one reason: an instruction may only run
//! on a machine that has it. A value of [`Avx512`] or [`Avx2`] is made only by
//! [`on_machine`](super::dispatch::on_machine), which has checked the machine. The jobs of `Vector::outlined` are
//! inlined into a function that has the target features, so that they are compiled with them. All pointers come from
//! references to arrays that are at least as long as what is read or written; the indices of gathers are clamped to the
//! table.
#![allow(unsafe_code, reason = "instructions that not every machine has; the reason is given above")]
#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_possible_truncation,
    reason = "intrinsics take signed numbers for bits, and small constants"
)]

use super::simd::{Job, Machine};
use narrow::{NarrowAvx2, NarrowAvx512};

/// Runs a job with AVX-512.
#[inline(never)]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx2,bmi1,bmi2,lzcnt,popcnt"
)]
fn avx512<J: Job<Avx512>>(proof: Avx512, job: J) -> J::Output {
    job.run(proof)
}

/// Runs a job with AVX2.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn avx2<J: Job<Avx2>>(proof: Avx2, job: J) -> J::Output {
    job.run(proof)
}

/// The entry to [`avx512()`] for `Vector::outlined`. Only the entry is cold: a cold job would be optimised for size.
#[cold]
#[inline(never)]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx2,bmi1,bmi2,lzcnt,popcnt"
)]
fn avx512_outlined<J: Job<Avx512>>(proof: Avx512, job: J) -> J::Output {
    avx512(proof, job)
}

/// The entry to [`avx2()`] for `Vector::outlined`.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn avx2_outlined<J: Job<Avx2>>(proof: Avx2, job: J) -> J::Output {
    avx2(proof, job)
}

/// The proof that the machine has AVX-512.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx512(());

/// The proof that the machine has AVX2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2(());

impl Avx512 {
    /// Makes the proof.
    ///
    /// # Safety
    ///
    /// The machine has AVX-512.
    pub(super) unsafe fn new() -> Self {
        Self(())
    }
}

impl Avx2 {
    /// Makes the proof.
    ///
    /// # Safety
    ///
    /// The machine has AVX2.
    pub(super) unsafe fn new() -> Self {
        Self(())
    }
}

/// Defines an operation by an intrinsic.
macro_rules! op {
    ($instructions:expr) => {
        // SAFETY: `self` is the proof that the machine has these instructions.
        unsafe { $instructions }
    };
}

/// Defines the operations whose implementations have the same form.
macro_rules! ops {
    ($($name:ident($($argument:ident: $kind:ty),*) -> $result:ty { $($instructions:tt)* })*) => {
        $(#[inline(always)]
        fn $name(self, $($argument: $kind),*) -> $result {
            op!({ $($instructions)* })
        })*
    };
}

/// The shuffle that fills each 64 bits with the byte, or the two bytes, of the part's lane in them: for the first and
/// the second 64 bits of 128.
const fn bytes_of(part: usize, bytes: usize) -> [i64; 2] {
    let first = (part * bytes) as i64 * 0x0101_0101_0101_0101;
    let even = first + if bytes == 2 { 0x0100_0100_0100_0100 } else { 0 };
    [even, even + 0x0808_0808_0808_0808]
}

// Below the macros, which these files use.
mod avx2;
mod avx512;
mod narrow;

impl Machine for Avx512 {
    type Wide = Self;
    type Narrow = NarrowAvx512;

    inlined! {
        wide(self) -> Self { self }
        narrow(self) -> NarrowAvx512 { NarrowAvx512(self) }
    }
}

impl Machine for Avx2 {
    type Wide = Self;
    type Narrow = NarrowAvx2;

    inlined! {
        wide(self) -> Self { self }
        narrow(self) -> NarrowAvx2 { NarrowAvx2(self) }
    }
}
