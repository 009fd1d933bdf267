//! `FACE: wild` in a table of what dice are worth, by hand.

use stopwise_engine::game::{Game, MAX_METRICS};
use stopwise_script::compile;

use crate::common::{Any, compiled, ends};
use crate::naive::walked;

const WORTH: &str = "die d = 2..6, sun\nworth d\n  5: 50\n  a a a: 100 * a\n  2 3 4: 150\n  sun: wild\n";

#[test]
fn a_wild_face_is_the_best_of_all() {
    for (faces, wanted) in [
        ("sun", 50),
        ("5 sun", 100),
        ("2 sun", 0),
        ("4 4 sun", 400),
        ("4 sun sun", 400),
        ("5 5 sun", 500),
        ("sun sun sun", 600),
        ("2 4 sun", 150),
        ("2 3 sun sun", 200),
        ("6 6 sun sun", 650),
        ("6 6 6 sun sun", 700),
        ("2 2 3 3 sun", 0),
        ("2 2 3 3 sun sun", 500),
    ] {
        let put: String = faces.split(' ').map(|face| format!("  kept += {face}\n")).collect();
        let text = format!(
            "game wild \"x\"\n{WORTH}bag faces = 6 of 2..6, 6 of sun\nshared pays = 0 in 0..2000\nturn\n  let kept = none in faces\n\
             {put}  pays = worth(kept)\nend after 1 turns\nalone most pays\n"
        );
        let script = compiled(&text, &[]);
        let end = ends(&script, &Any, 1).next().expect("a trial");
        let mut values = [0; MAX_METRICS];
        script.measure(end, 0, &mut values);
        assert_eq!(values[0], wanted, "{faces}");
    }
}

/// How many of the 216 throws of three dice are 2, 3 and 4, with suns in the place of some.
#[test]
fn a_wild_face_in_a_roll() {
    let text = "game straight \"x\"\ndie d = 2..6, sun\nworth d\n  2 3 4: 150\n  sun: wild\nshared pays = 0 in 0..200\nturn\n  \
                roll dice = 3 d\n  pays = worth(dice)\nend after 1 turns\nalone most pays\n";
    // Without a sun 3! throws; of a pair of the three faces and a sun 3!, of a face and two suns 3, of three suns 1.
    let ways = 6 + 3 * 6 + 3 * 3 + 1;
    let mean = walked(&compiled(text, &[])).expect("one roll")[0][0];
    assert!((mean - 150.0 * f64::from(ways) / 216.0).abs() < 1e-9, "{mean}");
}

#[test]
fn one_face_is_wild() {
    let text = format!("game wild \"x\"\n{}", WORTH.replace("sun: wild", "sun sun: wild"));
    let rest = "shared pays = 0 in 0..900\nturn\n  roll dice = 3 d\n  pays = worth(dice)\nend after 1 turns\nalone most pays\n";
    let error = compile(&format!("{text}{rest}"), &[]).expect_err("two faces").to_string();
    assert!(error.contains("`FACE: wild`"), "{error}");
}

#[test]
fn what_is_wrong_says_what_to_write() {
    let game = |option: &str, lines: &str| {
        format!(
            "game wrong \"x\"\n{option}die d = 1..6\nworth d\n{lines}shared pays = 0 in 0..900\nturn\n  roll dice = 2 d\n  \
             pays = worth(dice)\nend after 1 turns\nalone most pays\n"
        )
    };
    for (option, lines, wanted) in [
        ("option wild = 50 in 1..100\n", "  1: wild\n", "`wild` is a name of this text"),
        ("", "  5: 50\n  7: wild\n", "the die has no such face"),
        ("", "  5: 50\n  6: wild\n  6: wild\n", "wild already"),
        ("", "  5: 50\n  5 6: wild\n", "write `FACE: wild`"),
    ] {
        let error = compile(&game(option, lines), &[]).expect_err("it is wrong").to_string();
        assert!(error.contains(wanted), "{error}");
    }
    assert!(compile(&game("option wild = 50 in 1..100\n", "  1: 2 * wild\n"), &[]).is_ok());
}
