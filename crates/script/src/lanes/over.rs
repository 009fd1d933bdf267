//! Loops over the columns of any width.

/// Runs a loop over the columns of a width.
macro_rules! over {
    ($run:ident, $width:expr, |$parts:ident, $columns:ident| $run_loop:expr) => {{
        let loops = $run.loops;
        let Run { short, middle, long, .. } = $run;
        match $width {
            Width::Short => loops.run(|$parts| {
                let $columns = short;
                $run_loop
            }),
            Width::Middle => loops.run(|$parts| {
                let $columns = middle;
                $run_loop
            }),
            Width::Long => loops.run(|$parts| {
                let $columns = long;
                $run_loop
            }),
        }
    }};
}

/// Runs a loop over the columns of a width, and a short column: truths, or indices.
macro_rules! over_by {
    ($run:ident, $width:expr, $short:expr, |$parts:ident, $columns:ident, $of:ident| $run_loop:expr) => {{
        let (loops, at) = ($run.loops, $short.index());
        let Run { short, middle, long, .. } = $run;
        match $width {
            Width::Short => loops.run(|$parts| {
                let ($columns, $of) = (short, |own: &[Column<i16>], part: usize| own[at].0[part]);
                $run_loop
            }),
            Width::Middle => loops.run(|$parts| {
                let ($columns, $of) = (middle, |_: &[Column<i32>], part: usize| short[at].0[part]);
                $run_loop
            }),
            Width::Long => loops.run(|$parts| {
                let ($columns, $of) = (long, |_: &[Column<i64>], part: usize| short[at].0[part]);
                $run_loop
            }),
        }
    }};
}

pub(super) use {over, over_by};
