//! Texts with mistakes are refused or played; nothing panics and nothing runs for ever.

use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Node, Question};
use stopwise_script::{compile, decode, read};

use crate::common::text;

/// A small generator: xorshift64.
struct Random(u64);

impl Random {
    fn below(&mut self, many: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(many.max(1)).expect("small")).expect("small")
    }
}

/// Words and signs of a text, with the spaces between them.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut last = ' ';
    for c in text.chars() {
        let goes_on = (c.is_alphanumeric() || c == '_') && (last.is_alphanumeric() || last == '_');
        match pieces.last_mut() {
            Some(piece) if goes_on => piece.push(c),
            _ => pieces.push(c.to_string()),
        }
        last = c;
    }
    pieces
}

fn mutant(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..1 + random.below(3) {
        let (a, b) = (random.below(lines.len()), random.below(lines.len()));
        match random.below(6) {
            0 => drop(lines.remove(a)),
            1 => lines.insert(b, lines[a].clone()),
            2 => lines.swap(a, b),
            _ => {
                let other = pieces(&lines[b]);
                let mut own = pieces(&lines[a]);
                let at = random.below(own.len());
                match random.below(4) {
                    _ if own.is_empty() || other.is_empty() => {}
                    0 => drop(own.remove(at)),
                    1 => own[at] = other[random.below(other.len())].clone(),
                    2 => own.insert(at, other[random.below(other.len())].clone()),
                    _ => {
                        own[at] = [
                            "0",
                            "1",
                            "-1",
                            "2147483647",
                            "none",
                            "yes",
                            "me",
                            "(",
                            "]",
                            ":",
                            "é",
                            "9999999999",
                        ][random.below(12)]
                        .to_owned();
                    }
                }
                lines[a] = own.concat();
            }
        }
        if lines.is_empty() {
            break;
        }
    }
    lines.join("\n")
}

/// Plays so many stops of a game that compiles. Returns whether it does.
fn plays(text: &str, random: &mut Random, stops: usize) -> bool {
    let program = match compile(text, &[]) {
        Ok(program) => program,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    let mut node = program.first(&mut ());
    for _ in 0..stops {
        node = match node {
            Node::Chance(state, _, throw) => {
                let word = u32::try_from(random.below(1 << 32)).expect("a word");
                program.rolled(&state, throw.sample(word), &mut ())
            }
            Node::Decision(state, Question { actions, .. }) => {
                let number = random.below(actions.count() as usize);
                let action = actions.iter().nth(number).expect("an action");
                program.answered(&state, action.index(), &mut ())
            }
            Node::Terminal(_) => break,
        };
    }
    let _ = program.measured(&node.state(), 0);
    true
}

#[test]
fn mutants_are_refused_or_played() {
    let many = std::env::var("MUTANTS").ok().and_then(|many| many.parse().ok()).unwrap_or(30);
    for name in ["pig", "farkle", "zombie-dice", "cant-stop", "carbonite", "incan-gold"] {
        let original = text(name);
        let mut random = Random(0x9e37_79b9 + u64::try_from(name.len()).expect("small"));
        let mut played = 0;
        for _ in 0..many {
            let text = mutant(&original, &mut random);
            played += usize::from(plays(&text, &mut random, 300));
        }
        assert!(played > 0, "some mutants of {name} are games");
        assert!(played < many, "some mutants of {name} are none");
    }
}

#[test]
fn what_is_no_text_is_told() {
    let utf16: Vec<u8> = [0xff, 0xfe].into_iter().chain("game".bytes().flat_map(|byte| [byte, 0])).collect();
    let problem = decode(&utf16).expect_err("UTF-16");
    assert!(problem.message.contains("UTF-16"));
    assert!(decode(&[b'g', 0xff]).is_err());
    for text in ["", "\n\n", "game", "\u{0}", "((((((((((", "game x\nturn\n", "game x\nturn: bust"] {
        let _ = compile(text, &[]);
        let _ = read(text);
    }
    let deep = format!("game x\noption a = {}1 in 0..1\n", "(".repeat(10_000));
    assert!(read(&deep).is_err());
    let nested: String = (0..200).map(|depth| format!("{}if yes\n", " ".repeat(depth + 1))).collect();
    assert!(read(&format!("game x\nturn\n{nested}")).is_err());
}

/// Loops in loops, and numbers that grow: the limits.
#[test]
fn limits_are_kept() {
    let start = "game x\nalone least turns\ndie d = 1..6\n";
    for turn in [
        "turn\n  for i in 1..1000\n    for j in 1..1000: count busts\n",
        "turn\n  let x[1..100000] = 0 in 0..1\n",
        "turn\n  roll a = 99 d\n",
        "define a = b + b\ndefine b = c + c\ndefine c = a\nturn\n  let x = a\n",
        "turn\n  repeat\n    let x = 1\n",
        "turn\n  let x = 2147483647 * 2\n",
        "turn\n  let x = 0 in 0..3\n  x = 4\n",
        "die big = 1..2000\nturn\n  roll a = big\n",
    ] {
        assert!(compile(&format!("{start}{turn}"), &[]).is_err(), "{turn}");
    }
}
