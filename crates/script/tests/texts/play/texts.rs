//! A text before its options are chosen: options, presets, expectations, and what is wrong with them.

use stopwise_script::{GameText, Values, place};

use crate::common::{given, text};

#[test]
fn what_a_text_offers() {
    let text = text("pig") + "expect win = 0.53 within 0.01 with goal = 50, policy best, policy hold-at-20\n";
    let game = GameText::checked(&text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((game.name(), game.presets().len()), ("pig", 4));
    let goal = &game.options()[1];
    assert_eq!((&*goal.name, &*goal.value, &*goal.unit), ("goal", "100", "points"));
    assert_eq!((&goal.values, &*goal.meaning), (&Values::Whole(1, 1000), "points that win"));
    assert_eq!(game.presets()[0].values, given(&[("players", "1")]));
    let [alone, .., two] = game.expects() else { panic!("several expectations") };
    assert_eq!((&*alone.metric, alone.number, alone.within), ("turns", 12.545_232_352, 5e-10));
    assert_eq!((alone.preset.as_deref(), &alone.options), (Some("solo"), &given(&[("players", "1")])));
    assert_eq!(
        (&alone.policies[..], &*alone.meaning),
        (&["best".to_owned()][..], "Neller and Presser, Optimal Play of the Dice Game Pig, 2004")
    );
    assert_eq!((&two.options, two.policies.join(" ")), (&given(&[("goal", "50")]), "best hold-at-20".into()));
    let script = game.script(&alone.options).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(script.program().seats(), 1);
    let same = game.script(&given(&[("goal", "100"), ("players", "1")])).expect("the same game");
    assert!(std::ptr::eq(script.program(), same.program()), "equal options are one program");
}

/// Every mistake at its place, all at once.
#[test]
fn mistakes_of_presets_and_expectations() {
    let text = text("pig")
        .replace("  players = 1\n", "  players = 5\n  gaol = 3\n")
        .replace("end goal when score == goal", "end goal when scor == goal")
        + "preset tiny\n  sides = 2\n  goal = yes\npreset tiny\n\
           expect skore = 1 within 1 with solo\nexpect win = 1 within 1 with solo-two, turns = 3\n";
    let error = GameText::checked(&text).expect_err("mistakes");
    let told = error.to_string();
    let line_of = |part: &str| text.lines().position(|line| line.contains(part)).expect("the line") + 1;
    for (line, says) in [
        ("players = 5", "`players` is 5, and 1 to 4 is allowed"),
        ("gaol = 3", "unknown option `gaol`"),
        ("scor == goal", "did you mean `score`?"),
        ("  goal = yes", "a number is needed"),
        ("solo-two", "unknown preset `solo-two`"),
        ("turns = 3", "unknown option `turns`"),
    ] {
        let found = error.problems.iter().any(|problem| place(&text, problem.span.start).0 == line_of(line));
        assert!(found && told.contains(says), "{line}: {told}");
    }
    assert!(told.contains("preset `tiny` stands twice"), "{told}");
}

/// A mistake that only a preset makes names the preset; an expectation of a metric that there is not, the metrics.
#[test]
fn mistakes_that_only_a_preset_makes() {
    let bust = "if face == bust_face: bust";
    let empty = text("pig").replace(bust, &format!("{bust}\n    let next[1..sides - 2] = no"));
    let told = GameText::checked(&empty).expect_err("an empty index").to_string();
    assert!(told.contains("1..0 is no range") && told.contains("with preset `piglet`"), "{told}");
    let wins = text("pig").replace("expect turns", "expect win");
    let told = GameText::checked(&wins).expect_err("alone nobody wins").to_string();
    assert!(told.contains("unknown metric `win`") && told.contains("metrics are score, turns"), "{told}");
}
