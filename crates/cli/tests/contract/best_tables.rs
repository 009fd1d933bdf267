//! What best play answers, as tables, of games whose best play is worked out by hand.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Row, good, number, read, rows, run, scratch};

/// The sooner somebody takes, the more is paid; a roll is worth less. The first question stands before every roll.
const TAKE: &str = r#"game take "Take what is left and three more, or roll; the last roll is paid"

option rolls = 2 in 1..9

die d = 1..6
player paid = 0 in 0..12 points "what is paid"

turn
  let left = rolls in 0..rolls rolls "rolls still to come"
  repeat while left > 0
    ask take "take it"
      paid = left + 3
      end turn
    roll face = d
    left -= 1
    paid = face

end over after 1 rounds
alone most paid
"#;

/// A folder with these games in it.
fn folder(name: &str, games: &[(&str, &str)]) -> PathBuf {
    let folder = scratch(name);
    for (name, text) in games {
        fs::write(folder.join(name), text).expect("a file");
    }
    folder
}

/// It is taken whenever it is asked, at once by who plays best. Later questions follow each of six faces, or none.
#[test]
fn the_first_decision_is_in_the_table() {
    let folder = folder("best-first", &[("take.game", TAKE)]);
    for rolls in [1, 2, 5] {
        let line = format!("solve take.game --set rolls={rolls} -q");
        let cells = rows(&good(&folder, &format!("{line} --table left --format csv")).stdout);
        let cell = |cell: &Row| ["value", "situations", "yes"].map(|column| number(cell, column));
        let many = |left| if left == rolls { 1.0 } else { 6.0 };
        let expected: Vec<_> = (1..=rolls).map(|left| [f64::from(left), many(left), many(left)]).collect();
        assert_eq!(cells.iter().map(cell).collect::<Vec<_>>(), expected, "{rolls} rolls");
        good(&folder, &format!("{line} --positions all --out out{rolls}"));
        let listed = rows(&read(&folder.join(format!("out{rolls}/solution_positions.csv"))));
        for left in 1..=rolls {
            let is_it = |row: &&Row| row["decision"] == "take" && row["left"] == left.to_string();
            let visits: Vec<_> = listed.iter().filter(is_it).map(|row| number(row, "visits")).collect();
            assert_eq!(visits.len() as f64, many(left), "{left} of {rolls} rolls");
            assert_eq!(visits[0], f64::from(u8::from(left == rolls)), "{left} of {rolls} rolls");
        }
    }
}

/// What is left becomes less with every roll; but for a six it does not, so that it may come back.
#[test]
fn positions_return_only_where_they_do() {
    let again = TAKE.replace("    left -= 1\n", "    if face < 6: left -= 1\n");
    let folder = folder("best-returns", &[("take.game", TAKE), ("again.game", &again)]);
    let told = |game: &str| good(&folder, &format!("solve {game} --set rolls=4 -q")).stdout;
    assert!(!told("take.game").contains("return"), "{}", told("take.game"));
    assert!(told("again.game").contains("; positions return in 4 stages: "), "{}", told("again.game"));
}

/// A die may be rolled some times, and what is taken counts, as little as can be.
pub(crate) const OFFERS: &str = r#"game offers "Take what is shown, or roll again"

option rolls = 6 in 1..30
option faces = 6 in 2..9

die d = 1..faces
player paid = 0 in 0..9 coins "what is paid"

turn
  let shown = 0 in 0..9 coins "what is shown"
  let left = rolls in 0..rolls rolls "rolls still to come"
  repeat
    roll face = d
    left -= 1
    shown = face
    ask take where left > 0 "take it"
      paid = shown
      end turn
    else
      if left == 0
        paid = shown
        end turn

end over after 1 rounds
alone least paid
"#;

/// What to take at most with so many rolls to come, of a die with so many faces: less than what they are worth. And where that
/// is as much, both are as good.
fn most_to_take(rolls: u32, faces: u32) -> Vec<[u32; 2]> {
    // A roll is worth the mean of the less of itself and what follows.
    let mut worth = (f64::from(faces) + 1.0) / 2.0;
    let mut most = Vec::new();
    for _ in 1..rolls {
        let less = |is_less: &dyn Fn(f64) -> bool| (1..=faces).filter(|&face| is_less(f64::from(face))).max();
        most.push(
            [less(&|face| face < worth - 1e-9), less(&|face| face <= worth + 1e-9)].map(|it| it.unwrap_or(0)),
        );
        worth = (1..=faces).map(|face| f64::from(face).min(worth)).sum::<f64>() / f64::from(faces);
    }
    most
}

/// The lines of a table below its title, and its notes.
fn below<'t>(told: &'t str, title: &str) -> Vec<&'t str> {
    let (_, table) =
        told.split_once(&format!("{title}\n")).unwrap_or_else(|| panic!("no {title} in\n{told}"));
    table.lines().take_while(|line| !line.is_empty()).collect()
}

#[test]
fn yes_up_to_a_value_is_told_as_such() {
    let folder =
        folder("best-up-to", &[("offers.game", OFFERS), ("most.game", &OFFERS.replace("least", "most"))]);
    assert_eq!(most_to_take(6, 6), [[3, 3], [2, 2], [2, 2], [2, 2], [1, 1]]);
    assert_eq!(most_to_take(3, 3), [[1, 2], [1, 1]]);
    for (rolls, faces) in [(6, 6), (30, 6), (3, 3), (9, 9)] {
        let line = format!("--set rolls={rolls} --set faces={faces} --table left --from shown -q");
        let expected = most_to_take(rolls, faces);
        let told = good(&folder, &format!("solve offers.game {line}")).stdout;
        let title = "Best play: the greatest shown at which the answer to take is yes, by left";
        let lines = below(&told, title);
        for (line, ([most, as_good], left)) in lines[1..].iter().zip(expected.iter().zip(1..)) {
            let mark = if most == as_good { "" } else { "=" };
            let words: Vec<_> = line.split_whitespace().collect();
            assert_eq!(words.join(" "), format!("{left} ≤ {most}{mark}"), "{told}");
        }
        let has = |note: &str| lines.iter().any(|line| line.trim_start().starts_with(note));
        assert_eq!(has("= yes is as good as no for more: "), expected.iter().any(|[a, b]| a != b), "{told}");
        assert!(!has("–: ") && !has("Not every value"), "{told}");

        // The other way round, of high faces: the die is turned upside down. Where both are as good, no comes first in either.
        let found = rows(&good(&folder, &format!("solve most.game {line} --format csv")).stdout);
        for (row, [most, as_good]) in found.iter().zip(&expected) {
            let turned = |face: u32| f64::from(faces + 1 - face);
            let told = [number(row, "threshold"), number(row, "as_good")];
            assert_eq!(told, [turned(*most), turned(*as_good)], "{row:?}");
            assert_eq!([&*row["side"], &*row["answer"], &*row["met"]], ["from", "from", "true"]);
            assert_eq!([number(row, "least"), number(row, "greatest")], [1.0, f64::from(faces)]);
        }
        assert_eq!(found.len(), expected.len());
    }
    // By itself it is one number.
    let told = good(&folder, "solve offers.game --set rolls=2 --from shown -q").stdout;
    let lines = below(&told, "Best play: the greatest shown at which the answer to take is yes");
    assert_eq!(lines.iter().map(|line| line.trim()).collect::<Vec<_>>(), ["shown", "≤ 3"], "{told}");
    let told = good(&folder, "solve offers.game --set rolls=2 --from take:shown --format csv").stdout;
    assert_eq!(number(&rows(&told)[0], "threshold"), 3.0);
    for (words, said) in [
        ("--from left,shown", "2 features, and there is one whose threshold it tells; write --table"),
        ("--from tak:shown", "--from: unknown yes/no decision `tak`; did you mean `take`?"),
    ] {
        let ran = run(&folder, &format!("solve offers.game {words}"));
        assert!(ran.code == Some(2) && ran.stderr.contains(said), "{}", ran.stderr);
    }
}

/// Every row of the file, beside the least totals that another walk finds; and on the terminal all that have room.
#[test]
fn all_thresholds_are_in_a_file() {
    let folder = folder("best-hold-at", &[]);
    good(&folder, "solve pig --rules solo --table score --from turn_total --out out -q");
    let least = rows(&read(&folder.join("out/thresholds.csv")));
    let held = rows(&read(&folder.join("out/hold_at.csv")));
    assert!(held.len() > 90 && held.len() >= least.len(), "{}", held.len());
    for row in &least {
        let held = held.iter().find(|held| held["value"] == row["value"]).expect("every score");
        assert_eq!(held["threshold"], row["threshold"], "{held:?}");
    }
    let told = good(&folder, "solve pig --set goal=18 --table score,other_best --from turn_total -q").stdout;
    let title = "Best play: the least turn total at which the answer to stop is yes, by score (down) and other best (across)";
    let lines = below(&told, title);
    // No turn ends with one point.
    let heads: Vec<_> = (0..18).filter(|score| *score != 1).map(|score: u32| score.to_string()).collect();
    assert_eq!(lines[0].split_whitespace().skip(1).collect::<Vec<_>>(), heads, "{told}");
    let scores: Vec<_> = lines[1..].iter().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(scores[..17], heads, "{told}");
}

/// One number for all positions of a game, beside what their list says of each: how often best play comes there, and what its
/// answer is worth.
#[test]
fn a_threshold_loses_as_little_as_can_be() {
    let folder = folder("best-few-exceptions", &[]);
    let cases = [
        ("pig --rules solo", "hold", "turn_total"),
        ("farkle --rules one-turn --set dice=4 --metric points", "bank", "points"),
    ];
    for (game, yes, feature) in cases {
        good(&folder, &format!("solve {game} --from {feature} --positions all --out out --force -q"));
        let positions = rows(&read(&folder.join("out/solution_positions.csv")));
        let asked = positions.iter().filter(|row| row["decision"] == "stop");
        let asked: Vec<_> = asked
            .map(|row| (row["best"] == yes, [feature, "visits", "loss"].map(|column| number(row, column))))
            .collect();
        let all: f64 = asked.iter().map(|(_, [_, visits, _])| visits).sum();
        let sum = |from: f64, of: &dyn Fn(f64, f64) -> f64| {
            let is_other =
                |(is_yes, [value, _, loss]): &&(bool, [f64; 3])| *is_yes != (*value >= from) && *loss > 0.0;
            asked.iter().filter(is_other).map(|(_, [_, visits, loss])| of(*visits, *loss)).sum::<f64>()
        };
        let lost = |from| sum(from, &|visits, loss| visits * loss);
        let mut cuts: Vec<_> = asked.iter().map(|(_, [value, ..])| *value).collect();
        cuts.push(f64::INFINITY);
        cuts.sort_by(f64::total_cmp);
        cuts.dedup();
        let least = cuts.iter().map(|&from| lost(from)).fold(f64::INFINITY, f64::min);
        let held = &rows(&read(&folder.join("out/hold_at.csv")))[0];
        let threshold = number(held, "threshold");
        assert!((lost(threshold) - least).abs() < 1e-9 && least > 0.0, "{game}: {held:?}, and {least}");
        let told = number(held, "otherwise");
        let otherwise = sum(threshold, &|visits, _| visits) / all;
        assert!((told - otherwise).abs() < 1e-9, "{game}: {told}, and {otherwise}");
        assert!((number(held, "visits") - all).abs() < 1e-9 * all, "{game}: {held:?}, and {all}");
    }
}

/// A policy that decides by the table, valued by another walk: of all that the answers depend on, it is best play; of less, it
/// loses where the table says that best play answers otherwise. Other decisions are left to best play.
#[test]
fn thresholds_are_a_policy() {
    let folder = folder("best-as-policy", &[("offers.game", OFFERS)]);
    let regret = |game: &str, table: &str, out: &str| {
        good(&folder, &format!("solve {game} {table} --out {out} -q"));
        let held = rows(&read(&folder.join(out).join("hold_at.csv")));
        let told = good(&folder, &format!("solve {game} -p {out}/hold_at.toml --format csv -q")).stdout;
        let worths = rows(&told);
        let worth = worths.iter().find(|row| row["policy"] == "hold-at").expect("its value");
        let is_met = |row: &&Row| number(row, "visits") > 0.0;
        (number(worth, "regret"), held.iter().filter(is_met).all(|row| number(row, "otherwise") == 0.0))
    };
    let farkle = "farkle --rules one-turn --metric points";
    for (at, (game, table, is_best)) in [
        ("offers.game", "--table left --from shown", true),
        ("offers.game", "--from shown", false),
        (farkle, "--table left --from points", true),
        (farkle, "--from points", false),
        ("pig --rules solo --set goal=40", "--table score --from turn_total", true),
        ("pig --rules solo --set goal=40", "--table turn_total --from score", false),
        ("pig --set goal=15", "--table score,other_best --from turn_total", true),
    ]
    .into_iter()
    .enumerate()
    {
        let (regret, has_none) = regret(game, table, &format!("out{at}"));
        assert_eq!(has_none, is_best, "{game} {table}");
        // No walk is closer to its end than this.
        assert_eq!(regret.abs() < 1e-9, is_best, "{game} {table}: {regret}");
    }
    let text = read(&folder.join("out3/hold_at.toml"));
    assert!(text.contains("except = [\"stop\"]\n"), "{text}");
    for (wrong, said) in
        [("[\"stp\"]", "unknown decision `stp`"), ("\"stop\"", "a list of decisions, such as")]
    {
        fs::write(folder.join("out3/hold_at.toml"), text.replace("[\"stop\"]", wrong)).expect("a file");
        let ran = run(&folder, &format!("solve {farkle} -p out3/hold_at.toml"));
        assert!(ran.code == Some(2) && ran.stderr.contains(said), "{}", ran.stderr);
    }
}

#[test]
fn values_of_a_table_are_chosen() {
    let folder = folder("best-values", &[("moves.game", MOVES)]);
    let line = "solve farkle --rules one-turn --metric points -q";
    let told = good(&folder, &format!("{line} --table points=300..500:100,1000,left=1,2,3")).stdout;
    let lines = below(&told, "Best play: stop by points (down) and left (across)");
    let cells: Vec<_> =
        lines.iter().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let expected = ["points 1 2 3", "300 no yes no", "400 yes yes no", "500 yes yes yes", "1000 yes yes yes"];
    assert_eq!(cells, expected, "{told}");
    let told = good(&folder, &format!("{line} --table stop:left=1..3 --from points=0..400")).stdout;
    let lines = below(&told, "Best play: the least points at which the answer to stop is yes, by left");
    let cells: Vec<_> =
        lines.iter().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(cells[1..4], ["1 350", "2 250", "3 –"], "{told}");
    let told = good(&folder, "solve moves.game --table move:shown,odd=yes -q").stdout;
    let lines = below(&told, "Best play: move by shown (down) and odd (across)");
    assert!(lines.len() == 4 && lines[1].trim().starts_with('1'), "{told}");
    let ran = good(&folder, "solve moves.game --table move:shown=1,odd=no");
    assert!(
        ran.stderr.contains("note: no table: best play is asked move in no situation with these values"),
        "{}",
        ran.stderr
    );
    for (words, said) in [
        (
            "--table left=7",
            "--table left=7: `left` is a whole number from 0 to 6; write for example left=0..6",
        ),
        ("--table left=3..1", "runs backwards"),
        ("--table left=", "a level is missing"),
        ("--table left=1,points=50..9000", "8,951 levels are too many; at most 1,000"),
        ("--table left,300", "unknown feature `300`"),
    ] {
        let ran = run(&folder, &format!("{line} {words}"));
        assert!(ran.code == Some(2) && ran.stderr.contains(said), "{words}: {}", ran.stderr);
    }
}

/// Ten positions before a roll may have hundreds of decisions.
#[test]
fn what_is_listed_is_counted_in_rows() {
    let folder = folder("best-rows", &[("offers.game", OFFERS)]);
    let lines = |set: &str| good(&folder, &format!("solve offers.game {set} -q")).stdout.lines().count();
    // Three positions before a roll, a decision at every face of the first two rolls, and a line above and between.
    let many = lines("--set rolls=7 --set faces=8");
    assert_eq!(lines("--set rolls=3 --set faces=6") - many, 3 + 2 * 6 + 2);
    assert_eq!(lines("--set rolls=9 --set faces=9"), many);
}

/// Keep what is shown, roll again for 3.5, or pass for three, of which little is left if something is kept then.
const MOVES: &str = r#"game moves "Keep a die, roll it again, or pass"

names action = keep, more, pass
die d = 1..6
player paid = 0 in 0..6 coins "what is paid"

turn
  let shown = 0 in 0..6 coins "what is shown"
  roll face = d
  shown = face
  ask move in action "do"
  if move == keep: paid = shown
  if move == more
    roll next = d
    paid = next
  if move == pass
    paid = 3
    ask dare in action "dare"
    if dare == keep: paid = max(0, shown - 5)

end over after 1 rounds
alone most paid
see high = shown > 3
see odd = shown == 1 or shown == 3 or shown == 5
"#;

#[test]
fn a_decision_among_several_has_a_table_of_answers() {
    let folder = folder("best-moves", &[("moves.game", MOVES)]);
    let told = good(&folder, "solve moves.game --table move:shown -q").stdout;
    let cells = below(&told, "Best play: move by shown");
    let cells: Vec<_> =
        cells[1..].iter().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(cells, ["1 more", "2 more", "3 more", "4 keep", "5 keep", "6 keep"], "{told}");
    // Of odd numbers two are low, of even ones two are high.
    let told = good(&folder, "solve moves.game --table move:odd -q").stdout;
    let cells = below(&told, "Best play: move by odd");
    let cells: Vec<_> =
        cells[1..].iter().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(cells[..2], ["no keep 67 %", "yes more 67 %"], "{told}");
    assert!(cells[2].starts_with("A share is of the times"), "{told}");
    // What a later decision does not look at has a table all the same, of the one that does.
    let forgets = MOVES.replace("max(0, shown - 5)", "0");
    fs::write(folder.join("moves.game"), &forgets).expect("a file");
    let found = rows(&good(&folder, "solve moves.game --table move:shown --format csv -q").stdout);
    assert_eq!(found.len(), 6);
    let ran = run(&folder, "solve moves.game --table shown");
    assert!(
        ran.code == Some(2) && ran.stderr.contains("best play does not look at `shown`"),
        "{}",
        ran.stderr
    );
    fs::write(folder.join("moves.game"), MOVES).expect("a file");
    // Each of two tables has its own rows.
    let told = good(&folder, "solve moves.game --table move:shown,odd,high -q").stdout;
    let cells = below(&told, "Best play: move by shown (down) and odd (across) where high is no");
    let cells: Vec<_> =
        cells.iter().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(cells, ["shown no yes", "1 more", "2 more", "3 more"], "{told}");
    let found = rows(&good(&folder, "solve moves.game --table move:high --format csv -q").stdout);
    let found: Vec<_> =
        found.iter().map(|row| (&*row["value"], &*row["answer"], number(row, "yes"))).collect();
    assert_eq!(found, [("0", "more", 3.0), ("1", "keep", 3.0)]);

    // Who passes is asked once more, where two answers are as good; nobody passes who plays best.
    let told = good(&folder, "solve moves.game --table dare:shown -q").stdout;
    let lines = below(&told, "Best play: dare by shown");
    assert!(lines[1..7].iter().all(|line| line.ends_with("(more=)")), "{told}");
    let notes = [
        "= in some of the situations, or all, another answer is as good.",
        "(…): best play never comes there.",
    ];
    assert_eq!(lines[7..].iter().map(|line| line.trim()).collect::<Vec<_>>(), notes, "{told}");
    let ran = good(&folder, "solve moves.game --table shown");
    assert!(
        ran.stderr.contains("the table is of `move`; of another decision write dare:ROW,COLUMN"),
        "{}",
        ran.stderr
    );
    let ran = run(&folder, "solve moves.game --table mov:shown");
    assert!(ran.stderr.contains("unknown decision `mov`; did you mean `move`?"), "{}", ran.stderr);
    let ran = run(&folder, "solve moves.game --from shown");
    let said = "--from: no decision of moves is answered with yes or no; leave it out, and --table tells the answers of move or dare";
    assert!(ran.code == Some(2) && ran.stderr.contains(said), "{}", ran.stderr);
}

/// What stands in a picture, from top to bottom.
fn drawn(folder: &Path, line: &str) -> Vec<String> {
    let picture = good(folder, &format!("{line} -q --format svg")).stdout;
    let texts = picture.split("<text ").skip(1).filter_map(|rest| rest.split_once('>'));
    texts.filter_map(|(_, rest)| rest.split_once("</text>")).map(|(text, _)| text.to_owned()).collect()
}

/// The words of the tables above stand in the cells of their pictures, which are the first of their reports.
#[test]
fn tables_are_pictures_of_words() {
    let folder = folder("best-pictures", &[("moves.game", MOVES), ("offers.game", OFFERS)]);
    let count = |texts: &[String], word: &str| texts.iter().filter(|text| *text == word).count();
    let moves = drawn(&folder, "solve moves.game --table move:shown");
    assert_eq!(moves[0], "Best play: move");
    // Three cells each, and the legend; `pass` is never best.
    assert_eq!([count(&moves, "more"), count(&moves, "keep"), count(&moves, "pass")], [4, 4, 0], "{moves:?}");
    let mixed = drawn(&folder, "solve moves.game --table move:odd");
    assert!(mixed.iter().any(|text| text == "keep 67 %") && mixed.iter().any(|text| text == "more 67 %"));
    assert!(mixed.iter().any(|text| text.starts_with("A share is of the times")), "{mixed:?}");
    // Of two features, a panel for each value of a third one.
    let panels = drawn(&folder, "solve moves.game --table move:shown,odd,high");
    assert!(count(&panels, "high no") == 1 && count(&panels, "high yes") == 1, "{panels:?}");
    // Yes at 1, 2 and 3 of the last rolls, and up to less the more are to come.
    let asked = drawn(&folder, "solve offers.game --table left,shown");
    assert_eq!(asked[0], "Best play: take, yes or no");
    assert!(count(&asked, "yes") > 0 && count(&asked, "no") > 0, "{asked:?}");
    let held = drawn(&folder, "solve offers.game --table left --from shown");
    assert_eq!(held[0], "Best play: take up to this shown");
    for threshold in 1..=3 {
        let many = most_to_take(6, 6).iter().filter(|[most, _]| *most == threshold).count();
        assert!(many > 0 && count(&held, &format!("≤ {threshold}")) == many, "{threshold} of {held:?}");
    }
    // A single number is no picture.
    let ran = run(&folder, "solve offers.game --from shown -q --format svg");
    assert!(!ran.stdout.contains("Best play: take up to"), "{}", ran.stdout);
}

/// What a text pays changes no number of positions, and is not offered as a size.
#[test]
fn payouts_are_no_sizes() {
    let again = TAKE.replace("    left -= 1\n", "    if face < 6: left -= 1\n");
    let folder = folder("best-sizes", &[("again.game", &again)]);
    let ran = run(&folder, "solve again.game --set rolls=9 --max-states 2");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("`stopwise rank`") && !ran.stderr.contains("smaller numbers"),
        "{}",
        ran.stderr
    );
}

/// The least of so many rolls, if what is worth more is rolled again: worked out backwards.
#[test]
fn a_rule_varies() {
    let folder = folder("best-varied", &[("offers.game", OFFERS)]);
    let two = "game = \"offers.game\"\nname = \"two\"\nsummary = \"Take two.\"\ntake = \"shown <= 2\"\n";
    fs::write(folder.join("two.toml"), two).expect("a file");
    // A roll is 1 or 2 by a third, which is 1.5 in the mean, and by the first step all are worth 3.5.
    let best = [3.5, 2.75, 0.5 + 2.75 * 2.0 / 3.0, 0.5 + (0.5 + 2.75 * 2.0 / 3.0) * 2.0 / 3.0];
    let with_two = (1..4).fold(vec![3.5], |mut worth, _| {
        worth.push(0.5 + worth[worth.len() - 1] * 2.0 / 3.0);
        worth
    });
    let line = "solve offers.game --vary-rule rolls=1..4 -p two.toml -q";
    let told = good(&folder, &format!("{line} --out out --format csv")).stdout;
    assert_eq!(told, read(&folder.join("out/solution_varied.csv")));
    let found = rows(&told);
    assert_eq!(found.len(), 8);
    for (pair, (at, (best, two))) in found.chunks(2).zip((1..).zip(best.into_iter().zip(with_two))) {
        for (row, (who, value)) in pair.iter().zip([("best play", best), ("two", two)]) {
            assert_eq!([&*row["rolls"], &*row["policy"]], [&*at.to_string(), who]);
            assert!((number(row, "value") - value).abs() < 1e-9, "{row:?}");
            assert!((number(row, "regret") - (value - best)).abs() < 1e-9, "{row:?}");
        }
    }
    let told = good(&folder, line).stdout;
    let said = "The score (coins) of best play is from 2.055556 at rolls=4 to 3.500000 at rolls=1.\n";
    assert!(told.contains(said), "{told}");
    // The page says what was played, and which of its options are those of one setting.
    let page = read(&folder.join("out/report.html"));
    for said in [
        "offers · rules standard · varied: rolls",
        "those of the first setting: rolls=1.",
        "two (offers): Take two.",
    ] {
        assert!(page.contains(said), "{said}");
    }
    for (words, said) in [
        ("--vary-rule rolls=0,1", "--vary-rule rolls=0: rolls: 0 is out of range"),
        ("--vary-rule roll=1", "rolls"),
        ("--vary-rule rolls=1,2 --table left", "cannot be used with"),
        ("--vary-rule rolls=1,2 --set rolls=2", "both set and varied"),
    ] {
        let ran = run(&folder, &format!("solve offers.game {words}"));
        assert!(ran.code == Some(2) && ran.stderr.contains(said), "{words}: {}", ran.stderr);
    }
}
