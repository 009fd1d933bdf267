//! What is legal and hardly meant.

use stopwise_script::{Checked, GameText, Problem, check, place};

use crate::common::{files, given, read, stem, text};

/// The lines and messages of the warnings.
fn warnings(text: &str, options: &[(&str, &str)]) -> Vec<(usize, String)> {
    let found = problems(text, options).into_iter();
    found.map(|warning| (place(text, warning.span.start).0, warning.message)).collect()
}

fn problems(text: &str, options: &[(&str, &str)]) -> Vec<Problem> {
    let game = GameText::checked(text).unwrap_or_else(|error| panic!("{error}"));
    let script = game.script(&given(options)).unwrap_or_else(|error| panic!("{error}"));
    let Checked { warnings, fault } = check(&game, &script);
    warnings.into_iter().chain(fault).collect()
}

#[test]
fn what_is_hardly_meant_is_told() {
    let text = "game odd \"x\"
die d = 1..6
names side = left, right
shared score = 0 in 0..1000000 points
shared unused = 0 in 0..9
define never_called(n) = n + 1
turn
  let points = 0 in 0..60
  let last = 0 in 0..6
  repeat
    roll face = d, other = d
    last = face
    if face == 1: bust
    unused += 1
    points += face
    if points > 54: end turn
    ask way in side where way == left
    else: end game stuck
    ask stop
      score += points
      end turn
    if face == 7
      ask seventh
        end game lucky
end lucky \"x\"
end stuck \"x\"
end rich when score >= 900000
end early after 4 turns
alone most score
see way_of = way == left
report idle \"never\"
";
    let found = warnings(text, &[]);
    for (line, says) in [
        (4, "`score` is 0 to "),
        (5, "nothing reads `unused`"),
        (6, "nothing uses `never_called`"),
        (9, "nothing reads `last`"),
        (11, "nothing reads `other`"),
        (14, "`unused` is "),
        (17, "`way` never has two answers in 10,000 random games"),
        (23, "`seventh` never has two answers"),
        (25, "no game ends as `lucky`"),
        (26, "no game ends as `stuck`"),
        (27, "no game ends as `rich`"),
        (28, "are cut off"),
        (31, "nothing counts `idle`"),
    ] {
        assert!(
            found.iter().any(|(at, told)| *at == line && told.contains(says)),
            "{line} {says}: {found:#?}"
        );
    }
    assert_eq!(found.len(), 13, "{found:#?}");
}

/// `chance(bust)` ends at the next question, also where the dice are rolled only after that.
#[test]
fn a_question_before_the_roll_hides_it() {
    let text = |ask: &str, see: &str| {
        format!(
            "game hidden \"x\"\ndie d = 1..6\nshared score = 0 in 0..100\nturn\n  let points = 0 in 0..100\n  repeat\n{ask}    \
             roll face = d\n    if face == 1: bust\n    points = min(points + face, 100 - score)\n    ask stop\n      score += points\n      \
             end turn\nend after 4 turns\nalone most score\nsee risk = {see}\n"
        )
    };
    let third = "    if score > 3\n      ask third: points = min(points + 1, 100 - score)\n";
    let told = "at `stop` the question `third` may come before the roll: `chance(bust)` is 0 there";
    assert_eq!(warnings(&text(third, "100 * chance(bust)"), &[]), [(17, told.to_owned())]);
    assert_eq!(warnings(&text(third, "mean(points)"), &[]), []);
    assert_eq!(warnings(&text("", "chance(bust)"), &[]), []);
    // After the last question of a turn nothing is rolled.
    let last = "game last \"x\"\ndie d = 1..6\nplayer score = 0 in 0..100\nturn\n  let k = 5 in 0..5\n  let n = 0 in 0..20\n  \
                repeat while k > 0\n    k -= 1\n    roll face = d\n    if face == 6: bust\n    n = min(n + face, 20)\n    \
                ask stop: break\n  ask prize in 1..2\n  score = min(score + n * prize, 100)\nend after 3 turns\n\
                alone most score\nsee risk = chance(bust)\n";
    assert_eq!(warnings(last, &[]), []);
}

/// What runs through rolled dice meets every face once.
#[test]
fn dice_are_counted_and_not_faces() {
    let text = |line: &str| {
        format!(
            "game kinds \"x\"\ndie d = 1..6\nplayer score = 0 in 0..99\nturn\n  roll x = 4 d\n  roll one = d\n  score = {line}\n  \
             score += one\nend after 2 turns\nalone most score\n"
        )
    };
    let told = |line: &str| problems(&text(line), &[]).into_iter().next();
    for (line, help) in [
        ("count(f in x where f >= 3)", "`sum(f in x where f >= 3: count(x, f))`"),
        ("count(f in x: f >= 3)", "`sum(f in x where f >= 3: count(x, f))`"),
        ("sum(f in x: f + 1)", "`sum(f in x: (f + 1) * count(x, f))`"),
    ] {
        let warning = told(line).unwrap_or_else(|| panic!("{line}"));
        assert!(warning.message.contains("`f in x` meets every face once"), "{line}: {}", warning.message);
        assert!(warning.help.iter().any(|told| told.contains(help)), "{line}: {:?}", warning.help);
    }
    for line in [
        "sum(f in x where f >= 3: count(x, f))",
        "count(f in x where count(x, f) > 0)",
        "max(f in x: f)",
        "sum(x)",
    ] {
        assert!(told(line).is_none(), "{line}");
    }
}

/// What an option shuts off has variables that nothing else has.
#[test]
fn what_is_shut_off_leaves_nothing() {
    let text = "game off \"x\"\noption on = yes\nplayer score = 0 in 0..9\ndie d = 1..6\nturn\n  roll face = d\n  if on\n    \
                let own = face\n    score = own\nend after 5 turns\nalone most score\n";
    assert_eq!(warnings(text, &[]), []);
    assert_eq!(warnings(text, &[("on", "no")]), []);
}

/// Behind an end that always comes nothing is out of its range.
#[test]
fn what_is_never_reached_is_not_out_of_range() {
    let text = "game reached \"x\"\noption last = 3 in 1..3\npreset one\n  last = 1\ndie d = 1..6\nshared n = 1 in 1..last\n\
                player score = 0 in 0..6\nturn\n  roll face = d\n  score = face\n  if n == last: end game over\n  n += 1\n\
                end over \"over\"\nend after 9 turns\nalone most score\n";
    assert!(warnings(text, &[]).iter().all(|(line, _)| *line != 12));
}

#[test]
fn what_ranges_and_worth_use_is_used() {
    let text = "game used \"x\"\ndie d = 1..6\ndefine most(n) = 100 * n\ndefine all = 600\nworth d\n  a a: most(a)\n\
                shared score = 0 in 0..all\nturn\n  roll dice = 2 d\n  score = worth(dice)\nend after 1 turns\nalone most score\n";
    assert_eq!(warnings(text, &[]), []);
}

/// Nobody reaches the goal once a roll adds nothing: every game lasts until the limit, and a limit that a preset itself
/// makes short is how long its games are meant to last.
#[test]
fn games_that_last_until_their_limit_are_told() {
    let text = "game endless \"x\"
option players = 2 in 1..4
option adds = yes
option rounds = 500 in 1..500 rounds
preset short
  rounds = 3
  adds = no
preset still
  adds = no
die d = 1..6
player score = 0 in 0..30
turn
  roll face = d
  if adds: score += face
end goal when score >= 20
end last_round after rounds rounds
win most score
alone most score
";
    let told =
        "100 of 100 random games with preset `still` last until `last_round`, 500 turns of every player";
    assert_eq!(warnings(text, &[]), [(8, told.to_owned())]);
    // What is so without a preset is said once.
    let found = warnings(&text.replace("adds = yes", "adds = no"), &[]);
    let lines: Vec<usize> = found.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [15, 16], "{found:?}");
    assert!(found[1].1.ends_with("last until `last_round`, 500 turns of every player"), "{found:?}");
    let cut = warnings(&text.replace("end last_round", "end early last_round"), &[]);
    assert_eq!(cut.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [8], "{cut:?}");
    assert!(cut[0].1.ends_with("are cut off (`last_round`)"), "{cut:?}");
}

/// With no stealing and no turning over a tile comes back whenever one is lost.
#[test]
fn tiles_that_never_leave_the_table_are_told() {
    let text = text("pickomino");
    let still = text.replace("  stealing = no\n", "  stealing = no\n  turning = no\n");
    assert_ne!(text, still);
    let found = warnings(&still, &[]);
    assert!(
        found.iter().any(|(_, told)| told.contains("preset `gentle` last until `last_round`")),
        "{found:?}"
    );
}

/// What random games of the gallery do not show: a range for games of hours, a bank that is empty, and questions of presets.
const NOT_SHOWN: [(&str, &str); 5] = [
    ("bank", "`score` is 0 to "),
    ("dead-mans-draw", "`victim` never has two answers "),
    ("freeze", "no game ends as `bank_empty` "),
    ("icedice", "`victim` never has two answers "),
    ("shut-the-box", "`single` never has two answers "),
];

/// Of the gallery nothing else is told: its presets end by themselves, and every option can be played at its ends.
#[test]
fn the_gallery_is_meant() {
    for file in files("games", "game") {
        let mut found = warnings(&read(&file), &[]);
        if let Some((_, told)) = NOT_SHOWN.iter().find(|(name, _)| *name == stem(&file)) {
            found.retain(|(_, other)| !other.starts_with(told));
        }
        assert_eq!(found, [], "{}", file.display());
    }
}

/// A misspelt face is a face of its own, which is told; faces that differ by what tells them apart are not.
#[test]
fn faces_that_are_misspelt() {
    let text = "game deck \"x\"
bag cards = 3 of pirat, 5 of pirate, 2 of ship1, 2 of ship2, dot
shared pot = 0 in 0..9
player score = 0 in 0..200 points
turn
  pot = pot < 9 ? pot + 1 : 0
  let rest = none in cards
  rest = cards
  draw card from rest
  if card == pirate: score += 2
  if card in (ship1, pirate): score += 1
end after 5 turns
alone most score
win most score
";
    let found = warnings(text, &[]);
    assert_eq!(found, [(2, "`pirat` stands nowhere else: is `pirate` meant?".to_owned())]);
}

/// Every option is played at its ends, and the first value with which the rules cannot be read or cannot go on is told.
#[test]
fn options_at_their_ends() {
    let text = "game ends \"x\"
option most = 7 in 1..9
option many = 2 in 1..70
die d = 1..6
player score = 0 in 0..60 points
turn
  let sum = 0 in 0..14
  roll dice = min(many, 61) d
  roll face = d
  sum = face + most
  score = min(score + sum + count(dice, 6), 60)
end after 5 turns
alone most score
win most score
";
    let found = warnings(text, &[]);
    assert!(
        matches!(&found[..], [(8, dice), (10, sum)]
            if dice.starts_with("with many = 70: this may be 61 dice")
                && sum.starts_with("with most = 9 the rules cannot go on: ")),
        "{found:?}"
    );
}

/// The numbers of 21 faces, 3 bits each, take all the bits that a bag has.
#[test]
fn a_bag_of_as_many_faces_as_there_is_room_for() {
    let faces: Vec<String> = (1..=21).map(|face| format!("7 of {face}")).collect();
    let text = format!(
        "game full \"x\"\nbag deck = {}\nshared rest = deck in deck\nplayer score = 0 in 0..200 points\nturn\n  \
         draw card from rest\n  else: end game empty\n  score = min(score + number(card), 200)\nend empty \"x\"\nend after 3 turns\n\
         win most score\nalone most score\n",
        faces.join(", ")
    );
    let found = warnings(&text, &[]);
    assert!(found.iter().all(|(_, told)| told.contains("`empty`")), "{found:?}");
}

/// An end looks at the player whose turn it was: what that misses is told where the text gives points to others.
#[test]
fn an_end_that_does_not_look_at_others_is_told() {
    let text = |end: &str, line: &str| {
        format!(
            "game gift \"x\"\noption players = 2 in 2..3\ndie d = 1..6\ndefine rich = score >= 12\nplayer score = 0 in 0..100\n\
             turn\n  roll face = d\n  score += face\n  for p in others: {line}\n{end}\nwin most score\n"
        )
    };
    let (gift, own) = ("p.score += 1", "score += 1");
    for (end, line, is_told) in [
        ("end goal when score >= 12", gift, true),
        ("end goal when rich", gift, true),
        ("end goal when score >= 12, after one more turn for the others", gift, true),
        ("end goal when score >= 12, after equal turns", gift, false),
        ("end goal when any(p in everyone where p.score >= 12)", gift, false),
        ("end goal when score >= 12", own, false),
    ] {
        let found = warnings(&text(end, line), &[]);
        let says =
            "this looks at `score` of the player whose turn it was, and that of others changes as well";
        assert_eq!(found.iter().any(|(line, told)| *line == 10 && told == says), is_told, "{end}: {found:?}");
    }
}

#[test]
fn games_without_turns_are_told() {
    let text = |filter: &str| {
        format!(
            "game never \"x\"\noption players = 2 in 2..4\nplayer score = 0 in 0..60\nturn where {filter}\n  score += 1\n\
             end after 4 rounds\nwin most score\n"
        )
    };
    let told = warnings(&text("score > 9"), &[]);
    assert!(
        told.iter().any(|(line, message)| *line == 4 && message.starts_with("nobody has a turn")),
        "{told:?}"
    );
    assert_eq!(warnings(&text("score < 9"), &[]), []);
}

/// Of cards of which two are crows nobody ever draws ten; a bust that an option alone rules out is for its other values.
#[test]
fn a_bust_that_cannot_be_is_told() {
    let text = |most: &str, more: &str| {
        format!(
            "game crows \"x\"
option k = 2 in 0..4 cards \"crows\"
option fatal = no
bag pack = 3 of 1, 2 of 2, k of crow
player score = 0 in 0..200 points
turn
  let deck = pack in pack
  let seen = 0 in 0..9 crows
  let g = 0 in 0..20 points
  repeat
    draw card from deck
    else: end turn
    if card == crow
      seen += 1
      if seen > {most}: bust
    else: g += number(card)
{more}    ask stop
      break
  score += fatal ? 0 : g
end goal when score >= 30
alone least turns
see now = g points
"
        )
    };
    let told = "`bust` is never met in 10,000 random games: can its condition hold?";
    assert_eq!(warnings(&text("9", ""), &[]), [(15, told.to_owned())]);
    assert_eq!(warnings(&text("1", ""), &[]), []);
    let ended = "`end turn` is never met in 10,000 random games: can its condition hold?";
    assert_eq!(warnings(&text("1", "    if g > 7: end turn\n"), &[]), [(17, ended.to_owned())]);
    assert_eq!(warnings(&text("1", "    if fatal and g > 7: bust\n"), &[]), []);
    let defined = text("1", "    if deadly and g > 7: bust\n");
    assert_eq!(warnings(&defined.replace("bag pack", "define deadly = fatal\nbag pack"), &[]), []);
    // It is met with more crows.
    assert_eq!(warnings(&text("1", "").replace("k = 2 in", "k = 0 in"), &[]), []);
}
