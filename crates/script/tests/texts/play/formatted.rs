//! Formatting sets spaces and indentation, and nothing else.

use stopwise_script::{format, read};

use crate::common::text;

/// The tree without places.
fn tree(text: &str) -> String {
    let tree = format!("{:?}", read(text).unwrap_or_else(|error| panic!("{error}\n{text}")));
    let mut parts = tree.split("span: ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'))
}

#[test]
fn the_six_texts_say_the_same() {
    for name in ["pig", "farkle", "zombie-dice", "cant-stop", "carbonite", "incan-gold"] {
        let text = text(name);
        let formatted = format(&text).expect("a game");
        assert_eq!(tree(&text), tree(&formatted), "{name}");
        assert_eq!(format(&formatted).expect("a game"), formatted, "{name}");
        let shifted = text
            .replace("  ", "    ")
            .replace(" == ", "==")
            .replace(" += ", "  +=  ")
            .replace("turn\n", "turn   # a comment\n\n\n");
        let again = format(&shifted).expect("a game");
        assert_eq!(tree(&text), tree(&again), "{name}");
    }
}

#[test]
fn spaces_are_set() {
    let text = "# Pig\ngame  pig \"x\"\ndie d=1 .. 6\nshared a = -1 in -3..7\n\n\n\nturn   # begins\n     roll face=d\n     if face==1 :bust\n     \
                a = face>2 and not (a>3)?a-1:-1\n     # the end\n     ask stop\n        end turn\nalone least turns\n";
    let wanted = "# Pig\ngame pig \"x\"\ndie d = 1..6\nshared a = -1 in -3..7\n\nturn  # begins\n  roll face = d\n  \
                  if face == 1: bust\n  a = face > 2 and not (a > 3) ? a-1 : -1\n  # the end\n  ask stop\n    end turn\nalone least turns\n";
    assert_eq!(format(text).expect("a game"), wanted);
    let colons = "game x\nplayer a = 0 in 0..9\nturn\n  a = (a > 3 ? max(p in others where p.a > 1: p.a) : 0)\nalone most a\n";
    assert_eq!(format(colons).expect("a game"), colons);
    let turns = "game x\nplayer a = 1 in 0..9\nsetup\n  for p in everyone: p.a = 2\nturn where a > 0\n  if a > 3: end game rich won by me\n  \
                 end turn, then me\nend last when one is left\nend rich \"x\"\nwin most a\nalone most a\n";
    let crooked = turns
        .replace("where a > 0", "where  a>0")
        .replace(", then", " ,then")
        .replace("  for p", "    for  p");
    assert_eq!(format(&crooked).expect("a game"), turns);
    assert!(format("game x\nturn\n  elif\n").is_err());
}
