//! Random games that work out the same for many cells, names or candidates: rows with indices that are not known, or negative
//! where a condition keeps them out, names of several parts, and sums, counts and conditions over them in one another.

use super::generate::Random;

/// A row of the game: its name, the number of its elements, and whether they are numbers, up to which.
#[derive(Clone, Copy)]
struct Row {
    name: &'static str,
    len: usize,
    most: Option<usize>,
}

struct Rows<'r> {
    random: &'r mut Random,
    rows: Vec<Row>,
    /// Numbers that can be seen, and truths.
    numbers: Vec<String>,
    truths: Vec<String>,
    colours: usize,
    heights: usize,
    text: String,
    names: usize,
    /// How many more values and words there are.
    more: usize,
}

const COLOURS: [&str; 8] = ["red", "yellow", "green", "blue", "black", "white", "pink", "grey"];
const HEIGHTS: [&str; 7] = ["small", "medium", "large", "huge", "flat", "round", "hollow"];

/// A game of rows; one of twenty is large.
pub(crate) fn game(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for _ in 0..4 {
        random.below(2);
    }
    let is_large = seed % 20 == 7;
    let (colours, heights) = (2 + random.below(7), 2 + random.below(3));
    let (colours, heights) = if is_large { (8, 7) } else { (colours, heights) };
    let mut rows = Rows {
        random: &mut random,
        rows: Vec::new(),
        numbers: ["face", "x", "y"].map(str::to_owned).to_vec(),
        truths: vec!["up".to_owned()],
        colours,
        heights,
        text: String::new(),
        names: 0,
        more: if is_large { 6 } else { 0 },
    };
    rows.game();
    rows.text
}

impl Rows<'_> {
    fn line(&mut self, depth: usize, line: &str) {
        self.text.push_str(&"  ".repeat(depth));
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn is(&mut self, one_in: usize) -> bool {
        self.random.below(one_in) == 0
    }

    fn new_name(&mut self, start: &str) -> String {
        self.names += 1;
        format!("{start}{}", self.names)
    }

    fn game(&mut self) {
        self.line(0, "game rows \"x\"");
        self.line(0, "option least = 2 in 1..4");
        self.line(0, "die d = 1..6");
        self.line(0, &format!("names colour = {}", COLOURS[..self.colours].join(", ")));
        self.line(0, &format!("names height = {}", HEIGHTS[..self.heights].join(", ")));
        self.line(0, "names piece = colour * height");
        for name in ["flag", "mark", "few"] {
            let len = [6, 9, 13, 20, 33][self.random.below(5)];
            let most = [None, None, Some(3), Some(1), Some(5), Some(12)][self.random.below(6)];
            self.rows.push(Row { name, len, most });
            let (first, range) = match most {
                None => ("no", String::new()),
                Some(most) => ("0", format!(" in 0..{most}")),
            };
            self.line(0, &format!("shared {name}[n in 0..{}] = {first}{range}", len - 1));
        }
        let (copies, other) = (1 + self.random.below(3), 1 + self.random.below(2));
        self.line(0, &format!("shared bank[piece] = {copies} in 0..{copies}"));
        self.line(0, &format!("player vault[piece] = 0 in 0..{other}"));
        self.line(0, "shared has[piece] = no");
        self.line(0, "shared low[colour] = 0 in -2..2");
        self.line(0, "shared x = 0 in -3..3");
        self.line(0, "shared y = 1 in 0..5");
        self.line(0, "shared up = no");
        self.line(0, "player score = 0 in 0..60000");
        for name in ["one", "two"] {
            let body = self.truth_of_piece("c", "h", 2);
            self.line(0, &format!("define {name}(c, h) = {body}"));
        }
        let body = self.number_of_colour("c", 1);
        self.line(0, &format!("define held(c) = {body}"));
        self.line(0, "turn");
        self.line(1, "let g = 0 in 0..60000");
        self.line(1, "let out[piece] = no");
        self.line(1, "repeat");
        self.line(2, "roll face = d");
        self.line(2, "if face == 1: bust");
        self.changes(2);
        self.line(2, "roll other = d");
        self.numbers.push("other".into());
        let moved = (self.is(2), self.is(2));
        for number in 0..2 + self.random.below(3) + self.more {
            self.value(2);
            if number == 0 && moved.0 {
                self.moves(2);
            }
        }
        if moved.1 {
            self.moves(2);
            self.value(2);
        }
        let condition = self.truth_of_piece("take.colour", "take.height", 2);
        self.line(2, &format!("ask take in piece where bank[take] > 0 and ({condition})"));
        self.line(2, "else: end turn");
        self.line(2, "bank[take] -= 1");
        self.line(2, "out[take] = not out[take]");
        self.line(2, "has[take] = not has[take]");
        if self.is(2) {
            self.line(2, &format!("vault[take] = min(vault[take] + 1, {other})"));
        }
        self.value(2);
        self.line(2, "ask stop");
        self.line(3, &format!("for p in piece where out[p]: bank[p] = min(bank[p] + 1, {copies})"));
        self.line(3, "end turn");
        let steps = self.text.rfind("  ask stop").unwrap_or(0);
        self.text.insert_str(steps, "  score = min(score + g, 60000)\n  ");
        self.line(0, "end after 4 turns");
        self.line(0, "alone most score");
        self.line(0, "candidate take");
        for number in 0..6 + self.more {
            let body = self.truth_of_piece("it.colour", "it.height", 3);
            self.line(1, &format!("w{number} = {body}"));
        }
        let body = self.number_of_piece("it.colour", "it.height", 2);
        self.line(1, &format!("number = {body}"));
        for number in 0..3 {
            let body = if self.is(2) { self.number(2) } else { format!("({} ? 1 : 0)", self.truth(2)) };
            self.line(0, &format!("see s{number} = {body}"));
        }
    }

    /// Cells change, one after the other, with reads between them.
    fn changes(&mut self, depth: usize) {
        let moves = ["x = face - 4", "x = 3 - face", "x = max(min(face - y, 3), -3)"];
        let at = self.random.below(moves.len());
        self.line(depth, moves[at]);
        for _ in 0..2 + self.random.below(3) {
            let row = self.random.below(self.rows.len());
            let Row { name, len, most } = self.rows[row];
            let index = self.index(len);
            match most {
                None => self.line(depth, &format!("{name}[{index}] = not {name}[{index}]")),
                Some(most) => {
                    self.line(depth, &format!("{name}[{index}] = ({name}[{index}] + 1) % {}", most + 1));
                }
            }
            if self.is(3) {
                self.value(depth);
            }
        }
        self.line(depth, "y = (y + face) % 6");
        self.line(depth, &format!("has[nth(piece, 1 + face % {})] = up", self.colours * self.heights));
        self.line(depth, &format!("low[nth(colour, 1 + y % {})] = face % 5 - 2", self.colours));
        self.line(depth, "up = not up");
    }

    /// Rows are copied, moved along or written anew, one cell after the other or in a loop, and what was read of them before is
    /// read after it.
    fn moves(&mut self, depth: usize) {
        let row = self.random.below(self.rows.len());
        let Row { name, len, most } = self.rows[row];
        let many = 4 + self.random.below(len - 4).min(8);
        let read: Vec<String> = (0..many)
            .map(|at| {
                let read = self.new_name("v");
                self.line(depth, &format!("let {read} = {name}[{at}]"));
                match most {
                    None => read,
                    Some(most) => format!("{read} > {}", most / 2),
                }
            })
            .collect();
        let alike: Vec<_> =
            self.rows.iter().filter(|other| other.most == most && other.len >= many).copied().collect();
        let other = alike[self.random.below(alike.len())].name;
        let anew = |at: &str| match most {
            None => format!("({at} + face) % 3 == 0"),
            Some(most) => format!("({at} + face) % {}", most + 1),
        };
        let is_looped = self.is(2);
        let inner = match self.random.below(4) {
            0 => {
                self.line(depth, "if face > 3");
                depth + 1
            }
            1 => {
                self.line(depth, "for k in 1..face");
                self.line(depth + 1, &format!("if {}: g = min(g + k, 59000)", read.join(" or ")));
                depth + 1
            }
            _ => depth,
        };
        let (to, way) = (many - 2, self.random.below(3));
        match way {
            _ if is_looped => {
                let n = self.new_name("n");
                let value = [format!("{name}[{n} + 1]"), anew(&n), format!("{other}[{n}]")][way].clone();
                self.line(inner, &format!("for {n} in 0..{to}: {name}[{n}] = {value}"));
            }
            _ => {
                for n in 0..=to {
                    let value = [format!("{name}[{}]", n + 1), anew(&n.to_string()), format!("{other}[{n}]")];
                    self.line(inner, &format!("{name}[{n}] = {}", value[way]));
                }
            }
        }
        let with = ["or", "and"][self.random.below(2)];
        let all: Vec<_> = read.iter().map(|truth| format!("({truth} ? 1 : 0)")).collect();
        self.line(depth, &format!("if {}: g = min(g + 7, 59000)", read.join(&format!(" {with} "))));
        self.line(depth, &format!("g = min(g + {}, 59000)", all.join(" + ")));
        let domain = format!(
            "count(n in 0..{to} where {})",
            match most {
                None => format!("{name}[n]"),
                Some(_) => format!("{name}[n] >= 1"),
            }
        );
        self.line(depth, &format!("g = min(g + {domain}, 59000)"));
    }

    /// An index that is in a row of so many.
    fn index(&mut self, len: usize) -> String {
        let more = self.random.below(len);
        let of = self.any_number();
        match self.random.below(4) {
            0 if more + 6 < len => format!("face + {more}"),
            1 if more >= 3 && more + 3 < len => format!("x + {more}"),
            2 if len > 5 => "y".into(),
            _ => format!("abs({of} + {more}) % {len}"),
        }
    }

    /// A value that is worked out once and read further down, and more of the score by it.
    fn value(&mut self, depth: usize) {
        match self.random.below(4) {
            0 => {
                let (name, value) = (self.new_name("n"), self.number(3));
                self.line(depth, &format!("let {name} = max(min({value}, 90), -90)"));
                if depth == 2 {
                    self.numbers.push(name);
                }
            }
            1 => {
                let (name, value) = (self.new_name("t"), self.truth(3));
                self.line(depth, &format!("let {name} = {value}"));
                if depth == 2 {
                    self.truths.push(name);
                }
            }
            2 => {
                let (truth, value) = (self.truth(2), self.number(2));
                self.line(depth, &format!("if {truth}: g = max(min(g + {value}, 59000), 0)"));
            }
            _ => {
                let value = self.number(3);
                self.line(depth, &format!("g = max(min(g + {value}, 59000), 0)"));
            }
        }
    }

    fn any_number(&mut self) -> String {
        let at = self.random.below(self.numbers.len());
        self.numbers[at].clone()
    }

    /// A range of elements from a number that is not known on, as names, and the index of one of them.
    fn window(&mut self) -> (usize, String, String, String) {
        let row = self.random.below(self.rows.len());
        let len = self.rows[row].len;
        let name = self.new_name("i");
        let many = 3 + self.random.below(len - 3);
        match self.random.below(6) {
            // What is kept out by a condition.
            0 => {
                let of = ["x", "y", "face"][self.random.below(3)];
                let index = format!("{name} + {of}");
                let to = len + 2;
                (row, format!("{name} in -4..{to} where {index} in 0..{}", len - 1), index, name)
            }
            1 => {
                let index = format!("x + {name}");
                let to = len - 1;
                (row, format!("{name} in 0..{to} where x + {name} >= 0 and x + {name} < {len}"), index, name)
            }
            2 if len > 6 => {
                let to = len - 4;
                (row, format!("{name} in 3..{to}"), format!("x + {name}"), name)
            }
            3 if len > 7 => {
                let to = len - 7;
                (row, format!("{name} in 0..{to}"), format!("face + {name}"), name)
            }
            4 if len > 12 => (row, format!("{name} in 0..{}", len / 2 - 1), format!("2 * {name}"), name),
            _ => {
                let from = self.random.below(len - many);
                (row, format!("{name} in {from}..{}", from + many), name.clone(), name)
            }
        }
    }

    /// A condition on an element.
    fn element(&mut self, row: usize, index: &str) -> String {
        let Row { name, most, .. } = self.rows[row];
        match most {
            None if self.is(3) => format!("not {name}[{index}]"),
            None => format!("{name}[{index}]"),
            Some(most) => {
                let comparison = ["==", "!=", "<", ">=", "<=", ">"][self.random.below(6)];
                match self.random.below(3) {
                    0 => format!("{name}[{index}] {comparison} y"),
                    _ => format!("{name}[{index}] {comparison} {}", self.random.below(most + 1)),
                }
            }
        }
    }

    fn element_number(&mut self, row: usize, index: &str) -> String {
        let Row { name, most, .. } = self.rows[row];
        match most {
            None => format!("({name}[{index}] ? {} : {})", self.random.below(4), self.random.below(2)),
            Some(_) if self.is(3) => format!("min({name}[{index}], {})", 1 + self.random.below(3)),
            Some(_) => format!("{name}[{index}]"),
        }
    }

    fn number(&mut self, room: usize) -> String {
        if room == 0 {
            return self.any_number();
        }
        let next = room - 1;
        match self.random.below(9) {
            0 => format!("({} ? {} : {})", self.truth(next), self.number(0), self.number(next)),
            1 => {
                let other = next * self.random.below(2);
                format!("{} + {}", self.number(next), self.number(other))
            }
            2 | 3 => {
                let (row, domain, index, _) = self.window();
                let value = self.element_number(row, &index);
                let fold = ["sum", "min", "max"][self.random.below(3)];
                format!("{fold}({domain}: {value})")
            }
            4 => {
                let (row, domain, index, _) = self.window();
                let condition = self.element(row, &index);
                let with = if domain.contains("where") { "and" } else { "where" };
                format!("count({domain} {with} {condition})")
            }
            5 => {
                let (c, h) = (self.new_name("c"), self.new_name("h"));
                let body = self.truth_of_piece(&c, &h, next);
                let outer = self.new_name("n");
                match self.is(2) {
                    true => format!("sum({c} in colour: count({h} in height where {body}))"),
                    false => {
                        let body =
                            self.truth_of_piece(&format!("{outer}.colour"), &format!("{outer}.height"), next);
                        format!("count({outer} in piece where {body})")
                    }
                }
            }
            6 => {
                let c = self.new_name("c");
                let body = self.number_of_colour(&c, next);
                let fold = ["sum", "min", "max"][self.random.below(3)];
                format!("{fold}({c} in colour: {body})")
            }
            7 => {
                let c = self.new_name("c");
                let call = if self.is(2) { "held" } else { "low" };
                let body = if call == "low" { format!("low[{c}]") } else { format!("held({c})") };
                format!("sum({c} in colour: {body})")
            }
            _ => {
                let (c, h) = (self.new_name("c"), self.new_name("h"));
                let body = self.number_of_piece(&c, &h, next);
                format!("max({h} in height: sum({c} in colour: {body}))")
            }
        }
    }

    fn truth(&mut self, room: usize) -> String {
        if room == 0 {
            let at = self.random.below(self.truths.len());
            return self.truths[at].clone();
        }
        let next = room - 1;
        match self.random.below(8) {
            0 => format!("({} and {})", self.truth(next), self.truth(next)),
            1 => format!("({} or {})", self.truth(next), self.truth(next)),
            2 => format!("not ({})", self.truth(next)),
            3 => format!("{} > {}", self.number(next), self.number(0)),
            4 | 5 => {
                let (row, domain, index, _) = self.window();
                let condition = self.element(row, &index);
                let fold = ["any", "all"][self.random.below(2)];
                format!("{fold}({domain}: {condition})")
            }
            _ => {
                let (c, h) = (self.new_name("c"), self.new_name("h"));
                let body = self.truth_of_piece(&c, &h, next);
                let (outer, inner) =
                    (["any", "all"][self.random.below(2)], ["any", "all"][self.random.below(2)]);
                format!("{outer}({c} in colour: {inner}({h} in height: {body}))")
            }
        }
    }

    fn number_of_colour(&mut self, c: &str, room: usize) -> String {
        let h = self.new_name("h");
        match self.random.below(5) {
            0 => format!("min({h} in height: bank[{c}, {h}])"),
            1 => format!("max({h} in height: {})", self.number_of_piece(c, &h, room)),
            2 => format!("sum({h} in height: {})", self.number_of_piece(c, &h, room)),
            3 => format!("count({h} in height where {})", self.truth_of_piece(c, &h, room)),
            _ => format!("min({h} in height: {})", self.number_of_piece(c, &h, room)),
        }
    }

    fn number_of_piece(&mut self, c: &str, h: &str, room: usize) -> String {
        match self.random.below(if room == 0 { 3 } else { 6 }) {
            0 => format!("bank[{c}, {h}]"),
            1 => format!("(has[{c}, {h}] ? 1 : 0)"),
            2 => format!("bank[{c}, {h}] + (has[{c}, {h}] ? {} : 0)", 1 + self.random.below(3)),
            3 => format!("min({}, {})", self.number_of_piece(c, h, room - 1), 1 + self.random.below(3)),
            4 => format!("place({c}) + {}", self.number_of_piece(c, h, room - 1)),
            _ => format!(
                "({} ? {} : {})",
                self.truth_of_piece(c, h, room - 1),
                self.number_of_piece(c, h, room - 1),
                self.random.below(3)
            ),
        }
    }

    fn truth_of_piece(&mut self, c: &str, h: &str, room: usize) -> String {
        let comparison = ["==", "!=", "<", ">=", "<=", ">"][self.random.below(6)];
        match self.random.below(if room == 0 { 4 } else { 11 }) {
            0 => format!("bank[{c}, {h}] {comparison} {}", self.random.below(3)),
            1 => format!("has[{c}, {h}]"),
            2 => format!("{c} == {}", COLOURS[self.random.below(self.colours)]),
            3 => format!("place({h}) {comparison} {}", ["least", "y", "2"][self.random.below(3)]),
            4 | 5 => {
                let with = ["and", "or"][self.random.below(2)];
                format!(
                    "({} {with} {})",
                    self.truth_of_piece(c, h, room - 1),
                    self.truth_of_piece(c, h, room - 1)
                )
            }
            6 => format!("not ({})", self.truth_of_piece(c, h, room - 1)),
            7 => {
                let other = self.new_name("h");
                let inner = self.number_of_piece(c, &other, room - 1);
                let own = self.number_of_piece(c, h, room - 1);
                format!("all({other} in height where {other} != {h}: {inner} {comparison} {own})")
            }
            8 => {
                let other = self.new_name("h");
                let fold = ["any", "all"][self.random.below(2)];
                format!("{fold}({other} in height: {})", self.truth_of_piece(c, &other, room - 1))
            }
            9 => format!("low[{c}] {comparison} {}", ["x", "0", "1", "-1"][self.random.below(4)]),
            _ => {
                let other = self.number_of_piece(c, h, room - 1);
                format!("{} {comparison} {other}", self.number_of_piece(c, h, room - 1))
            }
        }
    }
}
