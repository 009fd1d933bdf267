//! Random valid games: small, ending, and with every form of statement and expression.

/// A small generator: xorshift64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, many: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(many).expect("small")).expect("small")
    }

    fn is(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    fn of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.below(all.len())]
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Number,
    Truth,
    /// Of `side`.
    Name,
    /// Of dice `d`.
    Bag,
    Player,
}

/// A name that can be seen.
#[derive(Clone)]
struct Seen {
    name: String,
    kind: Kind,
    /// The range of a number.
    range: (i64, i64),
    can_be_set: bool,
}

struct Generator<'r> {
    random: &'r mut Random,
    seen: Vec<Seen>,
    text: String,
    names: usize,
    is_round: bool,
    seats: usize,
    /// Questions are of at most four kinds.
    questions: usize,
    in_loop: bool,
    has_me: bool,
    /// Whether players may be passed over.
    passes: bool,
    /// Whether turns may say who plays next, so that there are no rounds.
    says_next: bool,
}

/// A game, and how many play it.
pub(crate) fn game(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for _ in 0..4 {
        random.below(2);
    }
    let seats = 1 + random.below(3);
    let is_round = random.is(3);
    let mut generator = Generator {
        random: &mut random,
        seen: Vec::new(),
        text: String::new(),
        names: 0,
        is_round,
        seats,
        questions: 0,
        in_loop: false,
        has_me: !is_round || seats == 1,
        passes: false,
        says_next: false,
    };
    generator.game();
    generator.text
}

impl Generator<'_> {
    fn line(&mut self, depth: usize, line: &str) {
        self.text.push_str(&"  ".repeat(depth));
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn new_name(&mut self, start: &str) -> String {
        self.names += 1;
        format!("{start}{}", self.names)
    }

    fn see(&mut self, name: &str, kind: Kind, range: (i64, i64), can_be_set: bool) {
        self.seen.push(Seen { name: name.into(), kind, range, can_be_set });
    }

    fn game(&mut self) {
        self.line(0, "game random \"x\"");
        let seats = self.seats;
        self.line(0, &format!("option players = {seats} in 1..3"));
        let limit = 1 + self.random.below(4);
        self.line(0, &format!("option limit = {limit} in 1..9"));
        self.line(0, "option mode = fast in slow, fast, odd");
        self.see("limit", Kind::Number, (1, 9), false);
        self.line(0, "names side = left, right, middle");
        let die = self.random.of(&["1..2", "1..3", "1..2, 2 of 5", "2..4"]).to_owned();
        self.line(0, &format!("die d = {die}"));
        self.line(0, "die e = left, 2 of right");
        self.line(0, "bag deck = 2 of left, 1 of middle");
        for number in 0..1 + self.random.below(3) {
            let (name, high) = (format!("s{number}"), [3, 9, 20][self.random.below(3)]);
            let first = self.random.below(3);
            self.line(0, &format!("shared {name} = {first} in 0..{high}"));
            self.see(&name, Kind::Number, (0, high), true);
        }
        if self.random.is(2) {
            self.line(0, "shared flag = no");
            self.see("flag", Kind::Truth, (0, 1), true);
        }
        if self.random.is(2) {
            self.line(0, "shared way = none in side");
            self.see("way", Kind::Name, (0, 0), true);
        }
        self.line(0, "shared list[1..3] = 0 in 0..9");
        self.line(0, "shared open[side] = yes");
        self.line(0, "player p0 = 0 in 0..12 points");
        if self.has_me {
            self.see("p0", Kind::Number, (0, 12), true);
        }
        let body = self.number(1);
        self.line(0, &format!("define f(n) = n % 3 + ({body})"));
        if self.random.is(4) {
            self.line(0, "setup");
            self.setup();
        }
        self.passes = self.random.is(3);
        let play = if self.is_round { "round" } else { "turn" };
        self.says_next = !self.is_round && self.random.is(4);
        if self.passes {
            let mut filter = self.truth(1);
            if self.is_round && self.random.is(2) {
                filter = format!("({filter}) or p0 < {}", 1 + self.random.below(9));
            }
            self.line(0, &format!("{play} where {filter}"));
        } else {
            self.line(0, play);
        }
        let before = self.seen.len();
        if self.is_round && !self.has_me {
            self.line(1, "for p in everyone");
            self.line(2, "roll own = d by p");
            self.line(2, "p.p0 = min(p.p0 + own, 12)");
            if self.random.is(2) {
                if self.random.is(2) {
                    self.line(1, "ask all in_it of p in everyone where p.p0 < 9");
                    self.line(1, "for p in everyone where p.in_it: p.p0 = max(p.p0 - 1, 0)");
                } else {
                    self.line(1, "ask all given of p in everyone where p.p0 < 9 from 0..min(p.p0, 2)");
                    self.line(1, "for p in everyone: p.p0 -= p.given");
                }
                self.questions += 1;
            }
        }
        let many = 2 + self.random.below(3);
        self.block(1, many, 2);
        self.seen.truncate(before);
        self.line(0, "steps more");
        self.line(1, "s0 = min(s0 + 1, 3)");
        self.ends();
    }

    /// What is done before the first turn, of all players together.
    fn setup(&mut self) {
        let name = self.new_name("r");
        self.line(1, &format!("roll {name} = d"));
        self.line(1, &format!("s0 = min(s0 + {name}, 3)"));
        match self.random.below(4) {
            0 => self.line(1, "for p in everyone: p.p0 = min(s0, 12)"),
            1 if self.questions < 3 => {
                self.questions += 1;
                self.line(1, "ask low of nth(everyone, players): s0 = 0");
            }
            2 => self.line(1, &format!("if {name} == 2: do more")),
            _ => {}
        }
    }

    fn ends(&mut self) {
        self.has_me = true;
        if self.seen.iter().all(|seen| seen.name != "p0") {
            self.see("p0", Kind::Number, (0, 12), false);
        }
        if self.random.is(2) {
            let condition = self.truth(1);
            let still = match self.random.below(3) {
                _ if self.says_next => "",
                0 => ", after equal turns",
                1 if !self.is_round => ", after one more turn for the others",
                _ => "",
            };
            self.line(0, &format!("end done when {condition}{still}"));
        }
        if self.passes && self.random.is(2) {
            let many = self.random.of(&["one", "nobody"]);
            self.line(0, &format!("end few when {many} is left"));
        }
        let (early, many) = (self.random.is(4), 1 + self.random.below(3));
        let unit = if self.is_round || !self.says_next && self.random.is(2) { "rounds" } else { "turns" };
        self.line(0, &format!("end {}over_it after {many} {unit}", if early { "early " } else { "" }));
        self.line(0, "end stopped \"x\"");
        let (first, second) = (self.number(1), self.number(1));
        let most = self.random.of(&["most", "least"]);
        self.line(0, &format!("win {most} {first}, least {second}"));
        let ties = ["share", "nobody", "by lot", "play on"];
        let tie = self.random.of(&ties[..if self.passes || self.says_next { 3 } else { 4 }]);
        self.line(0, &format!("tie {tie}"));
        let alone = if self.random.is(3) { "s0".to_owned() } else { self.number(2) };
        self.line(0, &format!("alone most max({alone}, 0)"));
        self.line(0, "report twos times");
        let report = self.number(1);
        self.line(0, &format!("report some = max(0, {report})"));
        self.line(0, "report kept = p0");
    }

    /// Lines of statements; something is always there.
    fn block(&mut self, depth: usize, many: usize, room: usize) {
        let (before, length) = (self.seen.len(), self.text.len());
        for _ in 0..many.max(1) {
            if self.statement(depth, room) {
                break;
            }
        }
        if self.text.len() == length {
            self.line(depth, "do more");
        }
        self.seen.truncate(before);
    }

    /// One statement; whether nothing can follow it.
    fn statement(&mut self, depth: usize, room: usize) -> bool {
        match self.random.below(if room > 0 { 17 } else { 10 }) {
            0 | 1 => self.assign(depth),
            2 => {
                let (name, value) = (self.new_name("v"), self.number(2));
                self.line(depth, &format!("let {name} = max(min({value}, 8), 0) in 0..8"));
                self.see(&name, Kind::Number, (0, 8), true);
            }
            3 => {
                let name = self.new_name("r");
                self.line(depth, &format!("roll {name} = d"));
                self.see(&name, Kind::Number, (1, 5), true);
            }
            4 => {
                let (name, many) = (self.new_name("b"), self.number(1));
                let many = if self.random.is(2) { "2".into() } else { format!("min(max({many}, 0), 2)") };
                self.line(depth, &format!("roll {name} = {many} d"));
                self.see(&name, Kind::Bag, (0, 0), true);
                if self.random.is(2) {
                    // How many are rolled is known by the last roll alone.
                    let (few, other) = (self.new_name("n"), self.new_name("b"));
                    self.line(depth, &format!("let {few} = count({name}, 2) in 0..2"));
                    self.line(depth, &format!("roll {other} = {few} d"));
                    self.see(&other, Kind::Bag, (0, 0), true);
                }
            }
            5 => {
                let (name, other) = (self.new_name("w"), self.new_name("c"));
                match self.random.below(3) {
                    0 => self.line(depth, &format!("roll {name} = e, {other} = d")),
                    1 => self.line(depth, &format!("roll {other} = d, {name} = e")),
                    _ => {
                        self.line(depth, &format!("roll {name} = e"));
                        self.see(&name, Kind::Name, (0, 0), true);
                        return false;
                    }
                }
                self.see(&name, Kind::Name, (0, 0), true);
                self.see(&other, Kind::Number, (1, 5), true);
            }
            6 => {
                let name = self.new_name("y");
                let of = 2 + self.random.below(2);
                // Of an option, or of what the game has come to.
                let chance = if self.random.is(2) {
                    format!("1, {of}")
                } else {
                    let (all, cases) = (self.number(1), self.number(1));
                    format!("min(max({cases}, 0), {of}), min(max({all}, {of}), 7)")
                };
                self.line(depth, &format!("roll {name} = chance({chance})"));
                self.see(&name, Kind::Truth, (0, 1), true);
            }
            7 => {
                let (cards, name) = (self.new_name("k"), self.new_name("q"));
                self.line(depth, &format!("let {cards} = deck in deck"));
                self.line(depth, &format!("draw {name} from {cards}"));
                self.see(&name, Kind::Name, (0, 0), true);
                if self.random.is(2) {
                    let other = self.new_name("q");
                    self.line(depth, &format!("draw {other} = 2 from {cards}"));
                    self.line(depth, &format!("s0 = min(size({other}) + count({cards}, left), 3)"));
                }
            }
            8 => self.ask(depth),
            9 => {
                let of = if self.has_me { "" } else { " of nth_of" };
                let by = self.number(1);
                match self.random.below(3) {
                    0 if of.is_empty() => self.line(depth, &format!("count twos by min(max({by}, 0), 5)")),
                    1 if of.is_empty() => self.line(depth, "count twos"),
                    _ => self.line(depth, "do more"),
                }
            }
            10 | 11 => self.branch(depth, room),
            12 => self.each(depth, room),
            13 => self.repeat(depth, room),
            14 if depth > 1 => {
                let bust = if self.has_me { "bust" } else { "end round" };
                let end = match self.is_round {
                    true => "end round",
                    false if self.says_next => {
                        self.random.of(&["end turn, then me", "end turn, then nth(everyone, 1)"])
                    }
                    false => "end turn",
                };
                let jump = if self.is_round && self.has_me { "end round" } else { bust };
                let line = match self.random.below(5) {
                    0 => jump,
                    1 => end,
                    2 if self.random.is(2) => {
                        let ends = ["", " won by me", " lost by me", " lost by nth(everyone, 1)"];
                        let who = if self.has_me {
                            ends[self.random.below(4)]
                        } else {
                            ends[3 * self.random.below(2)]
                        };
                        self.line(depth, &format!("end game stopped{who}"));
                        return true;
                    }
                    3 if self.in_loop => "break",
                    4 if self.in_loop => "again",
                    _ => return false,
                };
                self.line(depth, line);
                return true;
            }
            _ => self.ask_one(depth),
        }
        false
    }

    fn settable(&mut self, kind: Kind) -> Option<Seen> {
        let all: Vec<Seen> =
            self.seen.iter().filter(|seen| seen.kind == kind && seen.can_be_set).cloned().collect();
        if all.is_empty() { None } else { Some(all[self.random.below(all.len())].clone()) }
    }

    /// Something of the player that a name stands for.
    fn assign_of(&mut self, depth: usize, player: &str) {
        let value = self.number(2);
        let line = match self.random.below(4) {
            0 => format!("{player}.p0 += {player}.p0 < 12 ? 1 : 0"),
            1 => format!("{player}.p0 -= min({player}.p0, {})", 1 + self.random.below(2)),
            _ => format!("{player}.p0 = max(min({value}, 12), 0)"),
        };
        self.line(depth, &line);
    }

    fn assign(&mut self, depth: usize) {
        if let Some(player) = self.any(Kind::Player)
            && !self.random.is(3)
        {
            return self.assign_of(depth, &player);
        }
        let kind = [Kind::Number, Kind::Number, Kind::Truth, Kind::Name][self.random.below(4)];
        let Some(target) = self.settable(kind) else { return };
        // A number that is rolled has the range of its die.
        if kind == Kind::Number && !target.name.starts_with(['s', 'v', 'p']) {
            return;
        }
        let (name, (low, high)) = (target.name, target.range);
        match kind {
            Kind::Number => {
                let value = self.number(2);
                match self.random.below(6) {
                    0 => {
                        let more = self.random.below(2);
                        self.line(depth, &format!("{name} += {more}"));
                    }
                    1 => self.line(depth, &format!("{name} -= min({name}, 1)")),
                    2 => {
                        let index = self.number(1);
                        self.line(depth, &format!("list[1 + abs({index}) % 3] = max(min({value}, 9), 0)"));
                    }
                    _ => self.line(depth, &format!("{name} = max(min({value}, {high}), {low})")),
                }
            }
            Kind::Truth => {
                let value = self.truth(2);
                self.line(depth, &format!("{name} = {value}"));
            }
            _ => {
                let value = self.name();
                if self.random.is(2) {
                    let truth = self.truth(1);
                    self.line(depth, &format!("open[{value}] = {truth}"));
                } else if !name.starts_with(['w', 'q']) {
                    self.line(depth, &format!("{name} = {value}"));
                }
            }
        }
    }

    fn ask(&mut self, depth: usize) {
        if self.questions >= 4 || !self.has_me {
            return;
        }
        self.questions += 1;
        let name = self.new_name("ask");
        let filter = if self.random.is(2) { format!(" where {}", self.truth(1)) } else { String::new() };
        self.line(depth, &format!("ask {name}{filter}"));
        self.block(depth + 1, 1, 0);
        if self.random.is(3) {
            self.line(depth, "else");
            self.block(depth + 1, 1, 0);
        }
    }

    fn ask_one(&mut self, depth: usize) {
        if self.questions >= 4 || !self.has_me {
            return;
        }
        self.questions += 1;
        let name = self.new_name("one");
        let bag = self.seen.iter().rev().find(|seen| seen.kind == Kind::Bag).map(|seen| seen.name.clone());
        let (domain, kind, filter) = match (self.random.below(4), bag) {
            (0, Some(bag)) => (format!("parts({bag})"), Kind::Bag, format!("size({name}) < 3")),
            (1, _) => ("side".into(), Kind::Name, format!("open[{name}]")),
            (2, _) if self.seats > 1 => ("everyone".into(), Kind::Player, format!("{name}.p0 < 11")),
            _ => ("1..3".into(), Kind::Number, format!("list[{name}] < 7")),
        };
        self.line(depth, &format!("ask {name} in {domain} where {filter}"));
        let leave = if self.is_round { "end round" } else { "end turn" };
        self.line(depth, &format!("else: {leave}"));
        self.see(&name, kind, (1, 3), false);
        if kind == Kind::Player {
            self.assign_of(depth, &name);
        }
    }

    fn branch(&mut self, depth: usize, room: usize) {
        let condition = self.truth(2);
        self.line(depth, &format!("if {condition}"));
        let many = 1 + self.random.below(2);
        self.block(depth + 1, many, room - 1);
        if self.random.is(3) {
            let condition = self.truth(1);
            self.line(depth, &format!("else if {condition}"));
            self.block(depth + 1, 1, room - 1);
        }
        if self.random.is(2) {
            self.line(depth, "else");
            self.block(depth + 1, 1, room - 1);
        }
    }

    fn each(&mut self, depth: usize, room: usize) {
        let name = self.new_name("i");
        let (domain, kind) = match self.random.below(4) {
            0 => ("side".to_owned(), Kind::Name),
            1 => ("1..3".to_owned(), Kind::Number),
            2 if self.has_me && self.random.is(2) => ("others".to_owned(), Kind::Player),
            2 => ("everyone".to_owned(), Kind::Player),
            _ => (format!("1..{}", self.random.of(&["limit", "s0", "2"])), Kind::Number),
        };
        let filter = match (kind, self.random.below(2)) {
            (_, 0) => String::new(),
            (Kind::Name, _) => format!(" where open[{name}]"),
            (Kind::Player, _) => format!(" where {name}.p0 > {}", self.random.below(3)),
            _ => format!(" where {name} % 2 == 1"),
        };
        self.line(depth, &format!("for {name} in {domain}{filter}"));
        let before = self.seen.len();
        self.see(&name, kind, (1, 9), false);
        let in_loop = std::mem::replace(&mut self.in_loop, true);
        // Questions in loops that are written out would be many.
        self.block(depth + 1, 1, 0);
        self.in_loop = in_loop;
        self.seen.truncate(before);
        let _ = room;
    }

    fn repeat(&mut self, depth: usize, room: usize) {
        let (counter, name) = (self.new_name("v"), self.new_name("r"));
        self.line(depth, &format!("let {counter} = 0 in 0..3"));
        self.line(depth, &format!("repeat while {counter} < 2"));
        self.line(depth + 1, &format!("{counter} += 1"));
        self.line(depth + 1, &format!("roll {name} = d"));
        let before = self.seen.len();
        self.see(&counter, Kind::Number, (0, 3), false);
        self.see(&name, Kind::Number, (1, 5), false);
        let in_loop = std::mem::replace(&mut self.in_loop, true);
        self.block(depth + 1, 1, room - 1);
        self.in_loop = in_loop;
        self.seen.truncate(before);
        self.see(&counter, Kind::Number, (0, 3), false);
    }

    // Expressions.

    fn any(&mut self, kind: Kind) -> Option<String> {
        let all: Vec<&Seen> = self.seen.iter().filter(|seen| seen.kind == kind).collect();
        if all.is_empty() { None } else { Some(all[self.random.below(all.len())].name.clone()) }
    }

    fn number(&mut self, room: usize) -> String {
        if room == 0 || self.random.is(3) {
            return match self.any(Kind::Number) {
                Some(name) if !self.random.is(3) => name,
                _ => self.random.below(6).to_string(),
            };
        }
        let room = room - 1;
        match self.random.below(13) {
            0 => format!("{} + {}", self.number(room), self.number(room)),
            1 => format!("{} - {}", self.number(room), self.number(0)),
            2 => format!("({}) * {}", self.number(room), 1 + self.random.below(3)),
            3 => format!("({}) / {}", self.number(room), 2 + self.random.below(2)),
            4 => format!("({}) % {}", self.number(room), 2 + self.random.below(3)),
            5 => format!("({} ? {} : {})", self.truth(room), self.number(room), self.number(room)),
            6 => format!("{}({}, {})", self.random.of(&["min", "max"]), self.number(room), self.number(room)),
            7 => match self.any(Kind::Bag) {
                Some(bag) => {
                    let of =
                        self.random.of(&["size", "sum", "highest", "lowest", "alike", "distinct", "run"]);
                    format!("{of}({bag})")
                }
                None => "sum(n in 1..3: list[n])".into(),
            },
            8 => format!("count(n in 1..3 where list[n] > {})", self.random.below(3)),
            9 => format!("list[1 + abs({}) % 3]", self.number(0)),
            10 => match self.any(Kind::Player) {
                Some(player) if !self.random.is(3) => format!("{player}.p0"),
                _ => "sum(p in everyone: p.p0)".into(),
            },
            11 => match self.any(Kind::Name) {
                Some(name) => format!("place({name})"),
                None => "max(n in 1..3 where n > 1: list[n])".into(),
            },
            _ => "(mode == fast ? 1 : 2)".into(),
        }
    }

    fn truth(&mut self, room: usize) -> String {
        if room == 0 {
            return match self.any(Kind::Truth) {
                Some(name) if self.random.is(2) => name,
                _ => format!(
                    "{} {} {}",
                    self.number(0),
                    self.random.of(&["==", "!=", "<", ">="]),
                    self.number(0)
                ),
            };
        }
        let room = room - 1;
        match self.random.below(9) {
            0 => format!("({} and {})", self.truth(room), self.truth(room)),
            1 => format!("({} or {})", self.truth(room), self.truth(room)),
            2 => format!("not ({})", self.truth(room)),
            3 => "any(n in side where open[n])".into(),
            4 => format!("all(n in 1..3: list[n] < {})", 1 + self.random.below(9)),
            5 => format!("({}) in 1..4", self.number(room)),
            6 => match self.any(Kind::Name) {
                Some(name) => format!("{name} == {}", self.random.of(&["left", "right", "none"])),
                None => "any(p in everyone where p.p0 > 3)".into(),
            },
            7 => format!("open[{}]", self.random.of(&["left", "right", "middle"])),
            _ => format!("{} <= {}", self.number(room), self.number(room)),
        }
    }

    fn name(&mut self) -> String {
        self.random.of(&["left", "right", "middle"]).to_owned()
    }
}
