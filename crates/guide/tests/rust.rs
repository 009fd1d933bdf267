//! The programs of `docs/rust.md`: they use no crate but `stopwise`.

include!(concat!(env!("OUT_DIR"), "/rust.rs"));

#[test]
fn programs_of_the_page_run() {
    programs().expect("they run to their ends");
}
