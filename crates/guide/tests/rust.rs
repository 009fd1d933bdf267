//! The programs of `docs/rust.md`: they use no crate but `stopwise`.

/// One under the other, as a reader of the page would write them.
#[allow(clippy::print_stdout, reason = "programs print")]
mod page {
    include!(concat!(env!("OUT_DIR"), "/rust.rs"));
}

#[test]
fn programs_of_the_page_run() {
    page::programs().expect("they run to their ends");
}
