//! What is deep, or long, is read on a small stack or refused: a program that reads texts of others runs them in its own threads.

use std::thread;

use stopwise_script::{GameText, format as set};

const STACK: usize = 1 << 20;

/// What is told of the text, which is good if it is nothing, by all that reads texts.
fn told(text: String) -> String {
    let read = move || {
        let _ = set(&text);
        match GameText::checked(&text) {
            Ok(text) => {
                let _ = (text.tell(), text.script(&[]).expect("good"));
                String::new()
            }
            Err(error) => error.to_string(),
        }
    };
    thread::Builder::new().stack_size(STACK).spawn(read).expect("a thread").join().expect("no panic")
}

fn game(defines: &str, turn: &str) -> String {
    format!(
        "game deep \"x\"\ndie d = 1..6\nplayer score = 0 in 0..1000 points\n{defines}turn\n  roll face = d\n{turn}  score = \
         min(1000, score + face)\nend after 5 turns\nalone most score\nwin most score\n"
    )
}

/// How what is joined is refused, beyond so many parts.
fn chained(first: &str, next: &str, is_condition: bool) {
    let of = |parts: usize| {
        let value = first.to_owned() + &next.repeat(parts);
        let turn = if is_condition {
            format!("  if {value}: score = 0\n")
        } else {
            format!("  score = min(1000, {value})\n")
        };
        told(game("", &turn))
    };
    assert_eq!(of(50), "", "{first}{next}");
    for parts in [400, 1500] {
        let told = of(parts);
        assert!(told.contains("this expression has more than 256 operators"), "{first}{next}: {told}");
    }
}

#[test]
fn chains_of_operators() {
    chained("score", " + 0", false);
    chained("score", " - 0", false);
    chained("score", " * 1", false);
    chained("score > 3", " or face == 1", true);
    chained("score > 3", " and (face == 1 or face == 2)", true);
    let of = |nested: usize| {
        told(game("", &format!("  score = {}score{}\n", "(".repeat(nested), ")".repeat(nested))))
    };
    assert!(of(30).is_empty() && of(3000).contains("nested more than 40 deep"));
    let of = |dots: usize| told(game("", &format!("  score = score{}\n", ".score".repeat(dots))));
    assert!(of(3000).contains("more than 256 operators"));
}

#[test]
fn definitions_of_definitions() {
    let of = |many: usize, sum: &str| {
        let define = |at: usize| match at {
            0 => "define a0 = face\n".to_owned(),
            at => format!("define a{at} = a{}{sum}\n", at - 1),
        };
        let defines: String = (0..=many).map(define).collect();
        told(game(&defines, &format!("  score = min(1000, a{many})\n")))
    };
    assert_eq!(of(60, ""), "");
    assert_eq!(of(100, " + 1"), "");
    for (many, sum) in [(1000, ""), (1000, " + 1"), (30, &" + 0".repeat(250)[..])] {
        let told = of(many, sum);
        assert!(told.contains("more than 320 deep"), "{many}: {told}");
    }
    let itself = told(game("define a = b + 1\ndefine b = a + 1\n", "  score = a\n"));
    assert!(itself.contains("uses itself"), "{itself}");
}

#[test]
fn steps_of_steps() {
    let of = |many: usize| {
        let steps = |at: usize| match at {
            0 => "steps s0\n  score = 0\n".to_owned(),
            at => format!("steps s{at}\n  if face == 1\n    if score > 2\n      do s{}\n", at - 1),
        };
        let steps: String = (0..=many).map(steps).collect();
        told(game("", &format!("  do s{many}\n")).replace("end after", &format!("{steps}end after")))
    };
    assert_eq!(of(40), "");
    let told = of(500);
    assert!(told.contains("more than 320 deep"), "{told}");
}

#[test]
fn what_is_long_and_not_deep() {
    let list: Vec<_> = (0..3000).map(|number| number.to_string()).collect();
    let branches: String =
        (0..800).map(|at| format!("  else if score == {at}: score = {}\n", at + 1)).collect();
    for (name, turn) in [
        ("list", format!("  if score in [{}]: score = 0\n", list.join(", "))),
        ("min", format!("  score = min({})\n", list.join(", "))),
        ("branches", format!("  if face == 1: score = 1\n{branches}")),
        ("choices", format!("  score = {}3\n", "face == 1 ? 2 : ".repeat(3000))),
        ("lines", "  score = min(1000, score + 1)\n".repeat(1500)),
    ] {
        let told = told(game("", &turn));
        assert!(!told.contains("overflow"), "{name}: {told}");
    }
    let when: String = (0..800).map(|at| format!("  {} when score == {at}\n", at % 7)).collect();
    let told = told(game(&format!("define worth\n{when}  0\n"), "  score = worth\n"));
    assert!(!told.contains("overflow"), "{told}");
}
