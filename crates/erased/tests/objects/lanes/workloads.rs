//! What `bench` measures beside the walk finds what the walk finds.

use stopwise_analysis::exact::Limits;
use stopwise_engine::games::pig::Pig;
use stopwise_erased::workloads::solved::plain;

use super::compare::object;

#[test]
fn plain_loops_find_what_the_walk_finds() {
    let solved = object(&Pig::SOLO).best_play(0, Limits::default()).expect("a small game").solved(0);
    assert!((plain().0 - solved.value).abs() < 1e-10, "{:?} and {}", plain(), solved.value);
}
