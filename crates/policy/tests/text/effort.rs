//! No text takes long to compile: at most about a tenth of a second. The limit here is ten times that, of the thread's own time
//! and for the fastest of a few tries.

use std::time::Duration;

use cpu_time::ThreadTime;
use stopwise_engine::games::carbonite::Carbonite;
use stopwise_engine::games::pig::Pig;
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_policy::{Text, TextPolicy};

const LIMIT: Duration = Duration::from_secs(1);
const TRIES: usize = 5;
/// The length of the longest file, and some room.
const LENGTH: usize = 64_000;

/// Compiles and explains a policy, or prints what is wrong with it.
fn check<G: Vocabulary>(game: &G, entries: &str) {
    let head = format!("game = \"{}\"\nname = \"mine\"\nsummary = \"s\"\n", game.info().name);
    let text = Text::new("mine.toml", head + entries);
    let compile = || {
        let start = ThreadTime::now();
        match TextPolicy::compile(&text, game, &[]) {
            Ok(policy) => policy.explain(game).len(),
            Err(error) => error.to_string().len(),
        };
        start.elapsed()
    };
    let beginning: String = entries.chars().take(200).collect();
    assert!((0..TRIES).any(|_| compile() < LIMIT), "{} bytes: {beginning}", text.text.len());
}

/// As many lists as fit, all with this condition.
fn lists(condition: &str) -> String {
    let list = format!("{{ when = '{condition}', prefer = [] }},\n");
    format!("stop = 'true'\ntake = [\n{}]\n", list.repeat(LENGTH / list.len()))
}

/// A million digests times a long condition.
#[test]
fn long_conditions_of_pig() {
    for condition in [
        format!("min(lead{}) > 5", ", score".repeat(580)),
        format!("min(lead{}) > 5", ", score / 7".repeat(400)),
        format!("turn_total >= 25{}", " || turn_total + score * lead > 3 * other_best".repeat(12)),
        format!("turn_total >= 25{}", " || turn_total + score * lead > 3 * other_best".repeat(40)),
        format!("turn_total >= 25{}", " || goal_left % max(1, turn_total) > 3".repeat(8)),
        format!("turn_total >= 25{}", " || goal_left % max(1, turn_total) > 3".repeat(40)),
    ] {
        check(&Pig::STANDARD, &format!("stop = '{condition}'"));
        check(&Pig { goal: 1000, ..Pig::SOLO }, &format!("stop = '{condition}'"));
    }
}

#[test]
fn many_tables() {
    let wiki = Carbonite::WIKI;
    check(&wiki, &lists("turn * counter * vault > 1"));
    check(&wiki, &lists(&format!("turn * counter * vault{} > 1", " + turn".repeat(40))));
    check(&wiki, &lists(&format!("min(turn, counter, vault{}) > 1", ", 5".repeat(1300))));
    check(&wiki, &lists(&format!("min(turn, counter, vault{}) > 1", ", turn % max(1, counter)".repeat(160))));
    check(&wiki, &lists(&format!("turn > bank{}", " && turn > bank".repeat(40))));
    // No table for the whole, one for each part.
    let parts = " && (counter > 1 || turn * vault + bank > 5 && solids > pairs)".repeat(40);
    check(&wiki, &lists(&format!("vault_points > 20{parts}")));
}

/// A chain in brackets in a chain in brackets: as deep as a tree can be.
#[test]
fn deep_trees() {
    for (link, base) in [("+1", "turn"), ("&&turn>1", "bank>1"), ("*1", "vault_points")] {
        for most in [5, 47, 1000] {
            let mut expression = base.to_owned();
            for chain in 1..47 {
                let longer = format!("({expression}{})", link.repeat(chain.min(most)));
                if longer.len() > LENGTH {
                    break;
                }
                expression = longer;
            }
            let condition = if link.starts_with('&') { expression } else { format!("{expression} > 9") };
            check(&Carbonite::WIKI, &format!("stop = '{condition}'"));
        }
    }
    check(&Carbonite::WIKI, &lists(&format!("max(vault_points{}) > 9", ",1".repeat(2000))));
}

/// One condition that fills the file.
#[test]
fn long_conditions() {
    let wiki = Carbonite::WIKI;
    for (first, more) in [
        ("turn > 1", " || turn > 1"),
        ("turn > 1", " && counter != 9"),
        ("turn > 1", " && (counter > 1 || turn * vault + bank > 5 && solids > pairs)"),
        ("turn > 1", " || turn * vault + bank == 12345"),
        ("min(turn", ", counter * vault + bank"),
        ("turn > 1", " || trun > 1"),
        ("not turn > 1", " || not not not not not not counter > 1"),
        ("turn > 1", "? counter > 1 : turn > 1"),
        ("turn > 1", " == (counter > 1 && vault > 2)"),
    ] {
        let end = if first.starts_with("min") { ") > 1" } else { "" };
        let count = (LENGTH - 200) / more.len();
        check(&wiki, &format!("stop = '{first}{}{end}'", more.repeat(count)));
        check(
            &wiki,
            &format!(
                "stop = 'true'\ntake = [{{ when = '{first}{}{end}', prefer = [] }}]",
                more.repeat(count)
            ),
        );
    }
    let entry = "'small && turn * vault + bank > 5',\n";
    check(&wiki, &format!("stop = 'true'\ntake = [\n{}]\n", entry.repeat(LENGTH / entry.len())));
    let entry = "small".to_owned() + &" && (live or turn * vault + bank > 5)".repeat(LENGTH / 40);
    check(&wiki, &format!("stop = 'true'\ntake = ['{entry}']"));
    let entry = "small".to_owned() + &" && (live or not large)".repeat(LENGTH / 24);
    check(&wiki, &format!("stop = 'true'\ntake = ['{entry}']"));
    let entry = "small".to_owned() + &" && smal".repeat(LENGTH / 9);
    check(&wiki, &format!("stop = 'true'\ntake = ['{entry}']"));
}

#[test]
fn many_mistakes() {
    let wiki = Carbonite::WIKI;
    check(&wiki, &lists("trun > 1"));
    let keys: String = (0..9000).map(|key| format!("{key:x}=1\n")).collect();
    check(&wiki, &keys);
    check(&wiki, &format!("{} = 1", "a".repeat(LENGTH)));
    check(&wiki, &format!("stop = '{} > 1'", "a".repeat(4000)));
    let parameters: String = (0..5000).map(|number| format!("a{number} = 1,")).collect();
    check(&wiki, &format!("params = {{ {parameters} }}\n{}", &lists("azz > 1")[..10_000]));
    let take: String = (0..5000).map(|number| format!("a{number:x} = 1,")).collect();
    check(&wiki, &format!("take = [{{ {take} }}]"));
    check(&wiki, &format!("take = [{}]", "'smalll',".repeat(LENGTH / 10)));
    check(&wiki, &format!("stop = '''{}'''", "\n".repeat(LENGTH)));
}

/// Nested until the reader of TOML, or of expressions, refuses.
#[test]
fn deep_brackets() {
    let wiki = Carbonite::WIKI;
    for (open, close) in [("[", "]"), ("{a=", "}"), ("{a=[", "]}")] {
        let count = LENGTH / (open.len() + close.len());
        check(&wiki, &format!("take = {}{}", open.repeat(count), close.repeat(count)));
    }
    for key in [vec!["a"; LENGTH / 2].join("."), vec!["\"a\""; LENGTH / 4].join(".")] {
        check(&wiki, &format!("{key} = 1"));
        check(&wiki, &format!("[{key}]"));
        check(&wiki, &format!("[[{key}]]"));
        check(&wiki, &format!("params = {{ {key} = 1 }}"));
    }
    for bracket in ["(", "!", "-", "- (", "min(", "true ? ", "true ? true : ", "1 < (", "1 + "] {
        check(&wiki, &format!("stop = '{}'", bracket.repeat(LENGTH / bracket.len())));
    }
}
