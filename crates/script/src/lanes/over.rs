//! Loops over the columns of any width.

/// Runs a loop over the columns of a width.
macro_rules! over {
    ($run:ident, $width:expr, |$parts:ident, $columns:ident| $run_loop:expr) => {{
        let loops = $run.loops;
        let Run { bytes, short, middle, long, .. } = $run;
        match $width {
            Width::Byte => loops.run(|$parts| {
                let $columns = bytes;
                $run_loop
            }),
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

pub(super) use over;
