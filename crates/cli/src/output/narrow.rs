//! Text for people as wide as a terminal: messages with the lines of a file that they are about, and comments of a file.

use stopwise_document::text::folded;

/// Stands for what is left out of a line that is quoted.
const CUT: char = '…';
/// The columns of a terminal that nothing is made for: less than these is as if it were these.
const LEAST: usize = 40;

/// A message with its long lines broken between words. A line of a file above a mark `^^^` is not broken, because the mark would
/// point to nothing: as much of it stays around the mark as fits.
pub(super) fn message(text: &str, width: usize) -> String {
    let width = width.max(LEAST);
    let mut lines = text.split_inclusive('\n').peekable();
    let mut out = String::with_capacity(text.len());
    while let Some(line) = lines.next() {
        match lines.peek().copied().and_then(marked) {
            Some((margin, mark)) => {
                let (line, below) = (chomped(line), lines.next().unwrap_or_default());
                let (line, mark) = around(line, margin, mark, width);
                out.push_str(&format!("{line}\n{mark}{}", if below.ends_with('\n') { "\n" } else { "" }));
            }
            None => out.push_str(&folded(line, width)),
        }
    }
    out
}

/// The same for a file whose comments begin with `#`: only they are broken, each into several, so that the file stays what it
/// is. A line of values stays whole, with what is said behind it; and so does every line of a file with texts of several lines,
/// in which `#` need not begin a comment.
pub(super) fn file(text: &str, width: usize) -> String {
    if ["\"\"\"", "'''"].iter().any(|quotes| text.contains(quotes)) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.strip_prefix('#') {
            Some(comment) => folded(comment, width.saturating_sub(1))
                .split_inclusive('\n')
                .for_each(|piece| out.extend(["#", piece])),
            None => out.push_str(line),
        }
    }
    out
}

fn chomped(line: &str) -> &str {
    line.strip_suffix('\n').unwrap_or(line)
}

/// How many characters stand left of the quoted line, and which of its characters are marked, if this is a line of marks:
/// `  |    ^^^`.
fn marked(line: &str) -> Option<(usize, std::ops::Range<usize>)> {
    let line = chomped(line);
    let (margin, rest) = line.split_once(" | ")?;
    let first = rest.find('^')?;
    let is_mark = margin.trim().is_empty()
        && rest[..first].trim().is_empty()
        && rest[first..].bytes().all(|byte| byte == b'^');
    is_mark.then(|| (margin.chars().count() + 3, first..rest.len()))
}

/// A quoted line and its marks, cut to what fits around the first of them.
fn around(line: &str, margin: usize, mark: std::ops::Range<usize>, width: usize) -> (String, String) {
    let characters: Vec<char> = line.chars().collect();
    let (head, quoted) = characters.split_at(margin.min(characters.len()));
    let room = width.saturating_sub(margin).max(1);
    let longest = quoted.len().max(mark.end);
    // A third of the room is for what stands before the mark, unless there is less after it.
    let first = match longest <= room {
        true => 0,
        false => mark.start.saturating_sub(room / 3).min(longest - room),
    };
    let mut shown: Vec<char> = quoted.iter().copied().skip(first).take(room).collect();
    if let Some(begin) = shown.first_mut().filter(|_| first > 0) {
        *begin = CUT;
    }
    if let Some(end) = shown.last_mut().filter(|_| quoted.len() > first + room) {
        *end = CUT;
    }
    let under = mark.end.min(first + room) - mark.start;
    let bar = format!("{:1$}", "", margin - 3);
    let signs = format!("{}{}", " ".repeat(mark.start - first), "^".repeat(under));
    (head.iter().chain(&shown).collect(), format!("{bar} | {signs}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stay_below_what_they_mark() {
        let quoted = "stop = \"counter >= 12 && turn <= 10 && bank_soon > 3 && colours == 5\"";
        let word = quoted.find("bank_soon").expect("there");
        let text = format!("a.toml:2:1\n  |\n2 | {quoted}\n  | {}^^^^^^^^^\n  = help: x\n", " ".repeat(word));
        assert_eq!(message(&text, 100), text);
        let narrow = message(&text, 40);
        let lines: Vec<_> = narrow.lines().collect();
        assert!(lines.iter().all(|line| line.chars().count() <= 40), "{narrow}");
        let at = lines[3].chars().position(|c| c == '^').expect("marked");
        assert_eq!(lines[2].chars().skip(at).take(9).collect::<String>(), "bank_soon");
        assert!(lines[2].starts_with("2 | …") && lines[2].ends_with('…'), "{narrow}");
        // Marked to its end, which is further than the terminal goes.
        let all = format!("2 | {quoted}\n  | {}", "^".repeat(quoted.len()));
        assert!(message(&all, 40).lines().all(|line| line.chars().count() == 40));
    }

    #[test]
    fn sentences_are_broken_and_files_stay_files() {
        let text = "error: the run was ended before there was anything to say\n";
        assert_eq!(message(text, 40), "error: the run was ended before there\n  was anything to say\n");
        let text = "a = \"a value that is longer than the line of a terminal\"\n#   turns = 10   # from one to ten of them, no more\n";
        let wanted = "a = \"a value that is longer than the line of a terminal\"\n#   turns = 10   # from one to ten of\n#                them, no more\n";
        assert_eq!(file(text, 41), wanted);
        assert_eq!(file(text, 100), text);
        let text = "a = \"\"\"\n# a line of a text, which is as long as it likes to be\n\"\"\"\n";
        assert_eq!(file(text, 41), text);
    }
}
