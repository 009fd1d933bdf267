//! What a text says, in words: made from the tree, so that its author sees what was understood.

use crate::spoken;
use crate::syntax::{
    Alone, Block, Domain, End, EndForm, FaceItem, Faces, File, Form, Most, Name, Statement, Still, Tie,
    Variable, Verdict,
};

/// The rules in sentences, a line each; what is done in a turn is indented as it is nested. What the text leaves to a
/// default is said as well.
pub fn tell(file: &File) -> Vec<String> {
    let is_round = file.play.as_ref().is_some_and(|play| play.is_round);
    let teller = Teller { file, is_round };
    let mut lines = vec![if file.meaning.is_empty() {
        file.name.clone()
    } else {
        format!("{}.", file.meaning.trim_end_matches('.'))
    }];
    let players = file.options.iter().any(|option| option.name.text == "players");
    if !players {
        lines.push("One player plays alone, as there is no option `players`.".into());
    }
    teller.things(&mut lines);
    if let Some(block) = &file.setup {
        lines.push("Before the first turn:".into());
        teller.block(block, 1, &mut lines);
    }
    if let Some(play) = &file.play {
        let holds = play.filter.as_ref().map(|filter| format!("for whom {} holds", spoken::words(filter)));
        lines.push(match (play.is_round, holds) {
            (true, None) => "In a round, which is everybody's:".into(),
            (true, Some(holds)) => format!("In a round, which is a turn of every player {holds}:"),
            (false, None) => "In a turn, which is one player's; then it is the next player's turn:".into(),
            (false, Some(holds)) => {
                format!("In a turn, which is one player's; then it is the turn of the next player {holds}:")
            }
        });
        teller.block(&play.block, 1, &mut lines);
    }
    for (name, block) in &file.steps {
        lines.push(format!("The steps `{}`:", name.text));
        teller.block(block, 1, &mut lines);
    }
    lines.extend(file.ends.iter().map(|end| teller.end(end)));
    if !file.ends.iter().any(|end| matches!(end.form, EndForm::After(..))) {
        let unit = if is_round { "rounds" } else { "turns" };
        lines.push(format!("A game of 10,000 {unit} is cut off, as the text sets no limit."));
    }
    let win: Vec<String> = file
        .win
        .iter()
        .map(|(most, value)| format!("the {} {}", word(*most), spoken::amount(value)))
        .collect();
    if let Some((first, rest)) = win.split_first() {
        let among = rest.iter().map(|value| format!(", among equals who has {value}"));
        lines.push(format!("Who has {first} wins{}.", among.collect::<String>()));
        lines.push(match file.tie {
            None => "Those who are equal share the win, as the text does not say otherwise.".into(),
            Some(Tie::Share) => "Those who are equal share the win.".into(),
            Some(Tie::Nobody) => "If several are equal, nobody wins.".into(),
            Some(Tie::ByLot) => "Among those who are equal lots are drawn.".into(),
            Some(Tie::PlayOn) => {
                "Those who are equal play further rounds, until one of them is ahead.".to_owned()
            }
        });
    }
    match &file.alone {
        Some(Alone::Turns) => {
            let limited = file.ends.iter().any(|end| matches!(end.form, EndForm::After(..)));
            let single = win.first().filter(|_| limited);
            let single = single.map(|win| format!("; of a single turn, {win}"));
            lines.push(format!("Alone, fewer turns are better{}.", single.unwrap_or_default()));
        }
        Some(Alone::Score(most, value)) => {
            lines.push(format!(
                "Alone, the score is {}; {} is better.",
                spoken::words(value),
                if *most == Most::Most { "more" } else { "less" }
            ));
        }
        None => {}
    }
    lines
}

fn word(most: Most) -> &'static str {
    if most == Most::Most { "most" } else { "least" }
}

/// A sentence with a large letter at its beginning.
fn capital(mut sentence: String) -> String {
    if let Some(first) = sentence.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    sentence
}

/// What a name means, behind it.
fn meant(name: &Name, meaning: Option<&String>) -> String {
    let meaning = meaning.filter(|meaning| **meaning != name.text);
    meaning.map_or(String::new(), |meaning| format!(" ({meaning})"))
}

struct Teller<'t> {
    file: &'t File,
    is_round: bool,
}

impl Teller<'_> {
    /// What there is: dice, bags, values that last, and names for expressions.
    fn things(&self, lines: &mut Vec<String>) {
        let holding = |faces: &Faces| {
            let item = |item: &FaceItem| {
                let times =
                    item.times.as_ref().map_or(String::new(), |times| format!("{} × ", spoken::times(times)));
                let to = item.to.as_ref().map_or(String::new(), |to| format!(" to {}", spoken::words(to)));
                format!("{times}{}{to}", spoken::words(&item.face))
            };
            faces.items.iter().map(item).collect::<Vec<_>>().join(", ")
        };
        let dice = self.file.dice.iter();
        lines.extend(dice.map(|die| format!("The die `{}` has {}.", die.name.text, holding(die))));
        let bags = self.file.bags.iter();
        lines.extend(bags.map(|bag| format!("The bag `{}` holds {}.", bag.name.text, holding(bag))));
        for worth in &self.file.worth {
            lines.push(format!("What dice `{}` are worth:", worth.die.text));
            lines.extend(worth.lines.iter().map(|(faces, points)| {
                let faces = faces.iter().map(spoken::words).collect::<Vec<_>>().join(" ");
                let faces = faces.replace("` `", " ");
                match points.word() {
                    Some("wild") => format!("  {faces} stands for any face"),
                    _ => format!("  {faces}: {}", spoken::words(points)),
                }
            }));
        }
        let player = self.file.player.iter();
        lines.extend(player.map(|own| format!("Of every player {}.", self.variable(own))));
        let shared = self.file.shared.iter();
        lines.extend(shared.map(|shared| format!("Of the table {}.", self.variable(shared))));
        for define in &self.file.defines {
            let names: Vec<_> = define.parameters.iter().map(|name| name.text.as_str()).collect();
            let of = if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) };
            let each = define.lines.iter().map(|(condition, value)| match condition {
                Some(condition) => format!("{} if {}", spoken::words(value), spoken::words(condition)),
                None => spoken::words(value),
            });
            let each = each.collect::<Vec<_>>().join(", else ");
            lines.push(format!("`{}{of}` stands for {each}.", define.name.text));
        }
    }

    /// How a variable begins, and what it can be.
    fn variable(&self, variable: &Variable) -> String {
        let of = variable.indices.iter().map(|(_, domain)| spoken::domain(domain));
        let of = of.collect::<Vec<_>>().join(" and ");
        let each = if of.is_empty() { of } else { format!(", for each of {of},") };
        let range = variable.range.as_ref().map(|range| match range {
            Domain::Range(..) => format!(", from {}", spoken::domain(range)),
            Domain::List(_) => format!(", within {}", spoken::domain(range)),
        });
        format!(
            "`{}`{}{each} is {} to begin with{}",
            variable.name.text,
            meant(&variable.name, variable.words.meaning.as_ref()),
            spoken::value(&variable.value),
            range.unwrap_or_default()
        )
    }

    fn block(&self, block: &Block, depth: usize, lines: &mut Vec<String>) {
        block.iter().for_each(|statement| self.statement(statement, depth, lines));
    }

    fn statement(&self, statement: &Statement, depth: usize, lines: &mut Vec<String>) {
        let mut say = |line: String| lines.push(format!("{}{line}", "  ".repeat(depth)));
        let inner = depth + 1;
        match &statement.form {
            Form::Let(variable) => say(format!("{}.", self.variable(variable))),
            Form::Assign(target, sign, value) => {
                let (target, value) = (spoken::words(target), spoken::value(value));
                say(capital(match *sign {
                    "+=" => format!("{value} is added to {target}."),
                    "-=" => format!("{value} is taken from {target}."),
                    _ => format!("{target} becomes {value}."),
                }));
            }
            Form::Roll { parts, by, .. } => {
                let parts = parts.iter().map(|part| {
                    let many = part
                        .many
                        .as_ref()
                        .map_or(String::new(), |many| format!("{} × ", spoken::times(many)));
                    format!("{many}{} as `{}`", spoken::words(&part.dice), part.name.text)
                });
                let by = by.as_ref().map_or(String::new(), |by| format!(" by {}", spoken::words(by)));
                say(format!("Dice are rolled{by}: {}.", parts.collect::<Vec<_>>().join(", ")));
            }
            Form::Chance { name, yes, of, .. } => {
                say(format!(
                    "`{}` is a yes in {} of {} cases.",
                    name.text,
                    spoken::words(yes),
                    spoken::words(of)
                ));
            }
            Form::Draw { name, many, bag, by, otherwise, .. } => {
                let many = many
                    .as_ref()
                    .map_or("One is".to_owned(), |many| format!("Up to {} are", spoken::words(many)));
                let by = by.as_ref().map_or(String::new(), |by| format!(" by {}", spoken::words(by)));
                say(format!("{many} drawn{by} from {} as `{}`.", spoken::words(bag), name.text));
                self.otherwise("If it is empty:", otherwise.as_ref(), inner, lines);
            }
            Form::Ask { name, of, domain, filter, meaning, yes, otherwise } => {
                let who = of.as_ref().map_or("The player".to_owned(), spoken::words);
                let filter = filter
                    .as_ref()
                    .map_or(String::new(), |filter| format!(" where {}", spoken::words(filter)));
                let meaning = meant(name, meaning.as_ref());
                match domain {
                    None => {
                        let then = if yes.is_empty() { "" } else { " After a yes:" };
                        say(format!("{who} answers yes or no to `{}`{meaning}{filter}.{then}", name.text));
                        self.block(yes, inner, lines);
                        self.otherwise("After a no:", otherwise.as_ref(), inner, lines);
                    }
                    Some(domain) => {
                        say(format!(
                            "{who} chooses `{}`{meaning} among {}{filter}.",
                            name.text,
                            spoken::domain(domain)
                        ));
                        self.otherwise("If there is none:", otherwise.as_ref(), inner, lines);
                    }
                }
            }
            Form::AskAll { name, player, domain, filter, choices, meaning } => {
                let that = |filter: &Option<crate::syntax::Expr>| {
                    filter
                        .as_ref()
                        .map_or(String::new(), |filter| format!(" where {}", spoken::words(filter)))
                };
                let (name, meaning) = (&name.text, meant(name, meaning.as_ref()));
                let all = format!("All `{}` of {}{}", player.text, spoken::domain(domain), that(filter));
                let (what, own) = match choices {
                    None => (format!("answer yes or no to `{name}`{meaning}"), "answers"),
                    Some((domain, of)) => {
                        let among = format!("{}{}", spoken::domain(domain), that(of));
                        (format!("choose `{name}`{meaning} among {among}"), "choices")
                    }
                };
                say(format!("{all} {what}, without knowing each other's {own}."));
            }
            Form::If(branches, otherwise) => {
                for (number, (condition, block)) in branches.iter().enumerate() {
                    let word = if number == 0 { "If" } else { "Else, if" };
                    lines.push(format!("{}{word} {}:", "  ".repeat(depth), spoken::words(condition)));
                    self.block(block, inner, lines);
                }
                self.otherwise("Else:", otherwise.as_ref(), inner, lines);
            }
            Form::Repeat(condition, block) => {
                say(condition.as_ref().map_or("Again and again:".into(), |condition| {
                    format!("While {}:", spoken::words(condition))
                }));
                self.block(block, inner, lines);
            }
            Form::For(over, block) => {
                let filter = over
                    .filter
                    .as_ref()
                    .map_or(String::new(), |filter| format!(" where {}", spoken::words(filter)));
                say(format!("For each `{}` of {}{filter}:", over.name.text, spoken::domain(&over.domain)));
                self.block(block, inner, lines);
            }
            Form::Break => say("The loop is left.".into()),
            Form::Again => say("The loop goes on with its next pass.".into()),
            Form::Do(name) => say(format!("The steps `{}` are done.", name.text)),
            Form::Bust => say("Bust: the turn ends, and what was only of this turn is lost.".into()),
            Form::EndTurn(None) => say("The turn ends.".into()),
            Form::EndTurn(Some(next)) => {
                say(format!("The turn ends; the next is that of {}.", spoken::words(next)))
            }
            Form::EndRound => say("The round ends.".into()),
            Form::EndGame(name, verdict) => {
                let who = verdict.as_ref().map_or(String::new(), |(verdict, player)| {
                    let verdict = if *verdict == Verdict::Won { "won" } else { "lost" };
                    format!(", {verdict} by {}", spoken::words(player))
                });
                say(format!("The game ends at once: `{}`{who}.", name.text));
            }
            Form::Count { name, of, by } => {
                let times = by.as_ref().map_or(String::new(), |by| format!(", {} times", spoken::words(by)));
                let whose = match of {
                    Some(of) => format!("of {}", spoken::words(of)),
                    None => "of the player whose turn it is".into(),
                };
                say(format!("`{}` is counted{times}, {whose}.", name.text));
            }
        }
    }

    fn otherwise(&self, when: &str, block: Option<&Block>, depth: usize, lines: &mut Vec<String>) {
        let Some(block) = block else { return };
        lines.push(format!("{}{when}", "  ".repeat(depth.saturating_sub(1))));
        self.block(block, depth, lines);
    }

    fn end(&self, end: &End) -> String {
        let name = end.name.as_ref().map_or(String::new(), |name| format!(" (`{}`)", name.text));
        let cut = if end.early { "is cut off" } else { "ends" };
        let nobody = if end.early && !self.file.win.is_empty() { " and nobody wins" } else { "" };
        match &end.form {
            EndForm::Means(meaning) if end.early => {
                format!("The game may be cut off{name}{nobody}: {meaning}.")
            }
            EndForm::Means(meaning) => format!("The game may end{name}: {meaning}."),
            EndForm::Left(many) => {
                let who = if *many == 0 { "nobody" } else { "at most one player" };
                format!("The game {cut}{name} when {who} is left who has turns, at once.")
            }
            EndForm::After(many, rounds) => {
                let many = spoken::words(many);
                let unit = match (*rounds, many == "1") {
                    (true, true) => "round",
                    (true, false) => "rounds",
                    (false, true) => "turn",
                    (false, false) => "turns of all players",
                };
                format!("The game {cut}{name} after {many} {unit}{nobody}.")
            }
            EndForm::When(condition, still) => {
                let whose = match still {
                    _ if self.file.own_values(condition).is_empty() => "",
                    Still::EqualTurns => " of any player",
                    _ if self.is_round => " of any player",
                    _ => " of the player whose turn it was",
                };
                let still = match still {
                    Still::Nothing => "at once",
                    Still::EqualTurns => "when all have had equally many turns",
                    Still::OneMoreTurn => "when all others have had one more turn",
                };
                format!(
                    "The game {cut}{name} when {}{whose} holds after a {}, {still}{nobody}.",
                    spoken::words(condition),
                    if self.is_round { "round" } else { "turn" }
                )
            }
        }
    }
}
