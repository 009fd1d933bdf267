//! What is written instead of the language, and what the answer says.

use stopwise_engine::chance::Chance as _;
use stopwise_engine::game::Node;
use stopwise_script::{GameText, compile, place};

const PIG: &str = "game pig \"x\"
die d = 1..6
player score = 0 in 0..100
turn
  let points = 0 in 0..100
  repeat
    roll face = d
    if face == 1: bust
    points = min(points + face, 100 - score)
    ask stop
      score += points
      end turn
end goal when score == 100
alone least turns
";

/// What is wrong in a definition that is used twice is said once, whatever else is wrong there.
#[test]
fn a_definition_is_wrong_once() {
    let text = PIG.replacen("turn\n", "define half(n) = n / zork\nturn\n", 1);
    let text = text.replace("points + face,", "points + half(face) + half(2) + half(points),");
    let error = compile(&text, &[]).expect_err("nothing is called so");
    let unknown = error.problems.iter().filter(|problem| problem.message.contains("`zork`"));
    assert_eq!(unknown.count(), 1, "{error}");
    let mut places: Vec<_> = error.problems.iter().map(|problem| (&problem.span, &problem.message)).collect();
    places.dedup();
    assert_eq!(places.len(), error.problems.len(), "{error}");
}

/// The `else` of a question for one of several is its own, whatever stands wrongly in between.
#[test]
fn lines_below_a_question_for_one_of_several() {
    let text = PIG.replace("ask stop\n", "ask stop in 1..2\n");
    let text = text.replace("      end turn\n", "      end turn\n    else: bust\n");
    let error = compile(&text, &[]).expect_err("it has lines below it");
    let said: Vec<_> = error.problems.iter().map(|problem| &*problem.message).collect();
    assert_eq!(said, ["this line is not in line with the one above"], "{error}");
}

/// What is replaced in Pig by what; the line and column of the first problem, and a part of what it says.
const MISTAKES: [(&str, &str, usize, usize, &str); 30] = [
    ("ask stop\n", "ask all stop of p in everyone in 0..3\n", 10, 35, "stands after `from`"),
    ("face == 1:", "face = 1:", 8, 13, "write `==`"),
    ("    if face", "\tif face", 8, 1, "indent by spaces"),
    ("roll face = d", "roll face = d6", 7, 17, "die d6 = 1..6"),
    ("roll face = d", "roll face = 2d6", 7, 17, "write `2 d`"),
    ("\"x\"", "“x”", 1, 10, "write `\"`"),
    (
        "    if face == 1: bust\n",
        "    if face == 1: bust\n    elif face == 2: bust\n",
        9,
        5,
        "write `else if`",
    ),
    ("repeat", "while yes", 6, 3, "write `repeat`"),
    ("turn\n  let", "turn:\n  let", 4, 5, "leave it out"),
    ("score += points", "scor += points", 11, 7, "did you mean `score`?"),
    ("let points = 0 in 0..100", "let points = 0", 9, 5, "in LEAST..MOST"),
    ("if face == 1: bust", "if face: bust", 8, 8, "compare it with something"),
    ("min(points + face", "minimum(points + face", 9, 14, "unknown function"),
    ("face == 1", "face == 1 && yes", 8, 18, "write `and`"),
    ("    roll face = d\n", "    again\n", 7, 5, "some way to this `again` has no roll, draw or question"),
    (
        "    roll face = d\n",
        "    if score > 3: again\n    roll face = d\n",
        7,
        19,
        "some way to this `again` has no roll, draw or question",
    ),
    ("ask stop\n", "ask stop in 1..2\n", 11, 7, "only a question for yes or no has lines below it"),
    ("score == 100\n", "score == 100 \"a hundred\"\n", 13, 28, "`end NAME \"…\"`"),
    ("score == 100\n", "score == 100, after equal rounds\n", 13, 41, "write `after equal turns`"),
    ("1..6", "6..1", 2, 12, "write `1..6`"),
    ("score += points", "score += points; bust", 11, 22, "one thing stands on a line"),
    ("min(points + face, 100 - score)", "101", 9, 14, "certainly out of its range"),
    ("alone least turns\n", "", 1, 1, "alone"),
    (
        "let points = 0 in 0..100",
        "let points = score in (1, 2) ? 1 : 0 in 0..100",
        5,
        32,
        "put brackets around",
    ),
    ("alone least turns\n", "alone least turns\nreport lost = points\n", 15, 15, "`points` is a `let`"),
    ("end turn", "end game over_it", 12, 16, "declare it: `end over_it"),
    ("die d = 1..6", "dice d = 1..6", 2, 1, "did you mean `die`?"),
    ("score += points", "score += points * 100000000", 11, 16, "does not fit 32 bits"),
    ("      end turn\n", "        end turn\n", 12, 9, "in line"),
    (
        "alone least turns\n",
        "see risk = 100 - left\nsee left = 1\nalone least turns\n",
        14,
        18,
        "`see left = NAME`",
    ),
];

#[test]
fn mistakes_are_told_where_they_are() {
    for (right, wrong, line, column, says) in MISTAKES {
        assert!(PIG.contains(right), "{right}");
        let text = PIG.replacen(right, wrong, 1);
        let error = compile(&text, &[]).expect_err(wrong);
        let first = &error.problems[0];
        let told = error.to_string();
        assert!(told.contains(says), "{wrong}: {told}");
        assert_eq!(place(&text, first.span.start), (line, column), "{wrong}: {told}");
    }
}

/// A wrong line makes no other one wrong.
#[test]
fn mistakes_have_no_followers() {
    for (right, wrong) in [
        ("1..6", "6..1"),
        ("score += points", "score += points; bust"),
        ("score == 100\n", "score == 100 \"a hundred\"\n"),
    ] {
        let error = compile(&PIG.replacen(right, wrong, 1), &[]).expect_err(wrong);
        assert_eq!(error.problems.len(), 1, "{error}");
    }
}

/// Where a preset leaves nobody to choose, and the line says what is done then, what stands below it is never done.
#[test]
fn questions_about_others_alone() {
    let text = |otherwise: &str| {
        format!(
            "game thieves \"x\"\noption players = 2 in 1..3\npreset solo\n  players = 1\nnames gem = ruby, opal\nnames place = \
             here, there\nnames thing = gem * place\nplayer has[thing] = no\nplayer score = 0 in 0..100\ndie d = 1..6\nturn\n  roll face \
             = d\n  score = min(score + face, 100)\n  if score > 50\n    ask victim in others where victim.score > 9\n{otherwise}    ask stolen \
             in those(g in gem where victim.has[g * here])\n    victim.has[stolen * nth(place, \
             face % 2 + 1)] = no\nend goal when score == 100\nwin most score\nalone least turns\n"
        )
    };
    let checked = |text: &str| GameText::checked(text).map(drop).map_err(|error| error.problems);
    assert_eq!(checked(&text("    else: end turn\n")), Ok(()));
    let problems = checked(&text("")).expect_err("nobody to choose");
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert_eq!(problems[0].message, "there is nothing to choose from");
    let help = problems[0].help.clone().unwrap_or_default();
    assert!(help.contains("such as `if players > 1`; with preset `solo`"), "{help}");
    // Where the options have shut it off, nothing is missing.
    let shut = text("").replace("if score > 50", "if players > 1 and score > 50");
    assert_eq!(checked(&shut), Ok(()));
}

/// All at once.
#[test]
fn every_mistake_is_told() {
    let text = PIG
        .replace("face == 1", "face = 1")
        .replace("score += points", "scor += points")
        .replace("repeat", "loop");
    let told = compile(&text, &[]).expect_err("three mistakes").to_string();
    assert!(told.contains("write `==`") && told.contains("write `repeat`"), "{told}");
    let text = PIG
        .replace("score += points", "scor += points")
        .replace("1..6", "1..side")
        .replace("== 100", "== goal");
    let told = compile(&text, &[]).expect_err("three mistakes").to_string();
    assert!(["scor", "side", "goal"].iter().all(|name| told.contains(&format!("`{name}`"))), "{told}");
}

/// What a text has once is refused where it stands again.
#[test]
fn lines_that_contradict_others() {
    for (more, says) in [
        ("game pig \"y\"", "`game` is the second `game`: line 1 is the first"),
        ("round: end round", "`round` is the second `turn` or `round`: line 4 is the first"),
        ("alone most score", "`alone` is the second `alone`: line 14 is the first"),
        ("win most score\n# what counts\nwin least score", "`win` is the second `win`: line 15 is the first"),
        ("tie share\ntie by lot", "`tie` is the second `tie`: line 15 is the first"),
    ] {
        let text = format!("{PIG}{more}\n");
        let error = compile(&text, &[]).expect_err(more);
        assert_eq!(error.problems.len(), 1, "{more}");
        assert_eq!(error.problems[0].message, says, "{more}");
        let (line, _) = place(&text, error.problems[0].span.start);
        assert_eq!(line, text.lines().count(), "{more}");
    }
    let text = format!("{PIG}preset standard\n");
    let told = GameText::new(&text).expect_err("a preset of the defaults").to_string();
    assert!(told.contains("the values that the `option` lines give"), "{told}");
}

/// Seven dice have up to 96 parts.
#[test]
fn more_candidates_than_there_may_be() {
    let keep = |dice: usize, filter: &str| {
        let roll = format!(
            "    roll dice = {dice} d\n    ask keep in parts(dice){filter}\n    else: bust\n    if face"
        );
        let text = PIG.replacen("    if face", &roll, 1);
        compile(&text, &[]).map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(keep(6, ""), Ok(()));
    assert_eq!(keep(7, " where size(keep) == 1"), Ok(()));
    let told = keep(7, "").expect_err("too many");
    assert!(told.contains("may have 95 candidates, and 64 are the most"), "{told}");
}

/// What dice show and dice themselves are bags of different things: the answer says what to declare, or to write.
#[test]
fn bags_of_faces_and_of_dice_are_told_apart() {
    let text = |kept: &str, line: &str| {
        format!(
            "game bags \"x\"
die d = 1..6
die calm = 2 of gold, smoke
die wild = gold, 2 of smoke
bag cup = 5 of d
bag lair = 3 of calm, 2 of wild
bag few = 3 of gold
shared score = 0 in 0..100
turn
  let kept = none in {kept}
  let pool = lair in lair
  let left = 5 in 0..5
  roll rolled = left d
  roll shown = pool
  {line}
  score += size(kept)
end after 2 turns
alone most score
"
        )
    };
    let faces = "what dice show is held by a bag of faces: declare `bag NAME = ";
    for (kept, line, message, help) in [
        ("5 d", "kept += rolled", "this is no range", format!("{faces}5 of 1..6`, and write `in NAME`")),
        ("d", "kept += rolled", "this is no range", format!("{faces}1 of 1..6`, and write `in NAME`")),
        (
            "cup",
            "kept += rolled",
            "this is what dice show, and a bag of dice is needed",
            format!("{faces}5 of 1..6`, and write `in NAME`"),
        ),
        (
            "lair",
            "pool -= shown",
            "this is what dice show, and a bag of dice is needed",
            "`dice(…)` are the dice that show it".into(),
        ),
        (
            "few",
            "kept += shown",
            "this can hold faces that the other bag cannot, or more of them than it has room for",
            "declare `bag NAME = 5 of gold, 5 of smoke`, and write `in NAME`".into(),
        ),
        (
            "few",
            "kept += pool",
            "these are dice, and a bag of what dice show is needed",
            "roll them first".into(),
        ),
        ("lair", "kept += cup", "these are other dice than this bag can hold", String::new()),
        (
            "lair",
            "kept += dice(rolled)",
            "these dice did not come from a bag of dice",
            "`dice(…)` is for dice of several kinds; of one kind `size(…)` and `count(…)` say how many"
                .into(),
        ),
    ] {
        let problems = compile(&text(kept, line), &[]).expect_err("a mistake");
        let told: Vec<_> = problems
            .problems
            .iter()
            .map(|problem| (problem.message.as_str(), problem.help.clone().unwrap_or_default()))
            .collect();
        assert_eq!(told, [(message, help)], "{kept}: {line}");
    }
}

/// In a round of several nobody is meant by a `count` without a player.
#[test]
fn a_count_in_a_round_says_whose_it_is() {
    let text = |players: u32, line: &str| {
        format!(
            "game counts \"x\"\noption players = {players} in 1..3\ndie d = 1..6\nplayer score = 0 in 0..100\nround\n  \
             roll face = d\n  {line}\n  for p in everyone: p.score += face\nend after 2 rounds\nwin most score\n\
             alone most score\nreport ones times\n"
        )
    };
    for (line, word) in [
        ("if face == 1: count ones", "ones"),
        ("count busts", "busts"),
        ("for p in everyone: count ones by 2", "ones"),
    ] {
        assert!(compile(&text(1, line), &[]).is_ok(), "{line}");
        let told = compile(&text(2, line), &[]).expect_err(line).to_string();
        assert!(told.contains("in a round all play: whose is this?"), "{told}");
        assert!(told.contains(&format!("write `count {word} of p`")), "{told}");
    }
    assert!(compile(&text(2, "for p in everyone: count ones of p"), &[]).is_ok());
}

/// What a game takes is told as a whole: the largest variables, the others, and what has no name.
#[test]
fn a_preset_sets_an_option_once() {
    let text =
        PIG.replace("die d", "option goal = 100 in 1..200\npreset short\n  goal = 20\n  goal = 30\ndie d");
    let problem = compile(&text, &[]).expect_err("twice");
    assert!(problem.to_string().contains("the preset `short` has set `goal` already"), "{problem}");
}

#[test]
fn room_that_is_missing_is_accounted_for() {
    let lists: String =
        (1..=6).map(|n| format!("shared many{n}[n in 1..{}] = 0 in 0..15\n", 20 + n)).collect();
    let use_them: String = (1..=6).map(|n| format!("  many{n}[a] = b\n")).collect();
    let ends: Vec<String> = (1..=6).map(|n| format!("many{n}[2]")).collect();
    let text = format!(
        "game wide \"x\"\ndie d = 1..6\n{lists}turn\n  roll a = d, b = d\n{use_them}  ask more\n    roll c = d\n    many1[c] = a\nend \
         after 9 turns\nalone most {}\n",
        ends.join(" + ")
    );
    let told = compile(&text, &[]).expect_err("no room").to_string();
    assert!(told.contains("`many6` 104, `many5` 100, `many4` 96, `many3` 92, 4 others 178"), "{told}");
    let (_, listed) = told.split_once("no number goes: ").expect("a list");
    let listed = listed.lines().next().unwrap_or_default();
    let sum: u32 = listed.split(", ").filter_map(|part| part.rsplit(' ').next()?.parse::<u32>().ok()).sum();
    assert!(told.contains(&format!("this game takes {sum} bits")), "{told}");
}

/// A face that stands in no line of names has no place among those that do; where none does, the die is the line.
#[test]
fn a_face_without_a_line_has_no_place() {
    let text = |names: &str| {
        format!(
            "game places \"x\"\n{names}bag deck = joker, two, three\nshared s = 0 in 0..9\nturn\n  let left = deck in deck\n  \
             draw card from left\n  s = place(card)\nend after 1 turns\nalone most s\n"
        )
    };
    let error = compile(&text("names rank = two, three\n"), &[]).expect_err("no place").to_string();
    assert!(error.contains("`joker` stands in no line of names"), "{error}");
    for names in ["", "names rank = two, three, joker\n", "names rank = two, three\nnames rest = joker\n"] {
        assert!(compile(&text(names), &[]).is_ok(), "{names}");
    }
}

/// Bags of 48 bits leave 16 of a word each, which no other bag fits into, though all together would fit.
#[test]
fn numbers_that_fit_into_no_word_are_told() {
    let text = |players: u32| {
        format!(
            "game suits \"Market of open cards: take one into the hand or draw blind; three of a suit score\"
option players = {players} in 2..5
names suit = red, blue, green, gold
names rank = one, two, three, four, five, six
names card = suit * rank
bag pack = card
shared deck = pack in pack
shared market = none in pack \"open cards\"
player hand = none in pack \"cards in the hand\"
player score = 0 in 0..200 points
setup
  draw open = 3 from deck
  market = open
turn
  ask take in market \"take an open card\"
  else: end turn
  market -= take
  hand += take
  draw next from deck
  else: end turn
  market += next
  if count(c in hand where c.suit == take.suit) == 3
    score += sum(c in hand where c.suit == take.suit: place(c.rank))
    hand = those(c in hand where c.suit != take.suit)
end empty when size(deck) == 0, after equal turns
win most score
tie share
report points = score points
candidate take
  rank_of = place(it.rank) points
  mine = count(c in me.hand where c.suit == it.suit) cards
"
        )
    };
    assert!(compile(&text(3), &[]).is_ok());
    let error = compile(&text(5), &[]).expect_err("there is no room");
    let told = error.to_string();
    let short =
        "across which no number goes, but what has no name takes 48, and no word has more than 28 left: ";
    assert!(told.contains(short), "{told}");
}

/// What another option makes certain to be wrong ends the run where it is reached, and is no mistake where it is not.
#[test]
fn options_make_an_index_wrong() {
    let text = "game idx \"x\"\noption k = 2 in 0..30\ndie d = 1..6\nplayer score = 0 in 0..60\nshared row[n in 0..4] = 0 in 0..7\n\
                turn\n  roll face = d\n  if face == 2: row[k] = 1\n  score = min(score + face + row[k], 60)\n\
                end goal when score >= 30\nalone least turns\n";
    assert!(compile(text, &[]).is_ok());
    let program = compile(text, &[("k".into(), "9".into())]).expect("it is read");
    let mut node = program.first(&mut ());
    let end = loop {
        node = match node {
            Node::Chance(state, _, throw) => program.rolled(&state, throw.sample(0), &mut ()),
            Node::Decision(..) => panic!("nothing is asked"),
            Node::Terminal(end) => break end,
        };
    };
    let failure = program.failure(&end).expect("it cannot go on").in_words(text);
    assert!(failure.contains("is 9, and 0 to 4 is allowed"), "{failure}");
}
