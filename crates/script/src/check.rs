//! What is legal and hardly meant: names that nothing reads, and what does not happen in many random games.

use std::collections::BTreeSet;

use stopwise_engine::chance::{Chance, bounded};
use stopwise_engine::game::{Action, Game, Node};
use stopwise_engine::stream::{Keys, WordSource};

use crate::machine::State;
use crate::op::NamedKind;
use crate::problem::{Problem, Span};
use crate::script::Script;
use crate::syntax::{EndForm, Expr, File, Form, Name, NamesForm, Term};
use crate::text::GameText;

/// The games that are played, and the rolls and questions of all of them: whichever is over first.
const GAMES: u64 = 10_000;
const STEPS: u64 = 2_000_000;
/// A range is far wider than what is met if it is so many times as wide, and has so many numbers more.
const WIDER: i64 = 20;
const MORE: i64 = 200;

/// What happened in random games.
struct Met {
    games: u64,
    /// By kind of question, how often it was asked.
    asked: Vec<u64>,
    /// By ending.
    ended: Vec<u64>,
    /// By variable, its least and greatest number where it was read.
    ranges: Vec<Option<(i64, i64)>>,
    /// A game in which the rules could not go on.
    fault: Option<(u64, State)>,
}

/// What a check of a text that compiles has found.
#[derive(Clone, Debug)]
pub struct Checked {
    /// What is legal and hardly meant, in the order of the text.
    pub warnings: Vec<Problem>,
    /// Why the rules cannot go on in one of the random games.
    pub fault: Option<Problem>,
}

/// What is legal in a text and hardly meant: what nothing reads, and what does not happen in 10,000 games in which all
/// answers are random; and whether the rules go on in them. `script` is the game under the options that are looked at.
pub fn check(text: &GameText, script: &Script) -> Checked {
    let mut warnings = unread(text.file());
    let met = met(script);
    let games = format!("{} random games", met.games);
    questions(text.file(), script, &met, &games, &mut warnings);
    endings(text.file(), script, &met, &games, &mut warnings);
    ranges(text.file(), script, &met, &games, &mut warnings);
    warnings.sort_by_key(|warning| warning.span.start);
    let fault = met.fault.and_then(|(number, end)| {
        let failure = script.program().failure(&end)?;
        let found = failure.in_words(text.text());
        let message = format!("the rules cannot go on in random game {number}: {found}");
        let help = "let the range be wider, or say what happens then: `min(…, MOST)`, or an `if`";
        Some(Problem::new(failure.span, message).help(help))
    });
    Checked { warnings, fault }
}

/// Plays games in which every answer is equally likely.
fn met(script: &Script) -> Met {
    let program = script.program();
    let (keys, answers) = (Keys::new(1), Keys::new(2));
    let mut met = Met {
        games: 0,
        asked: vec![0; program.kinds.len()],
        ended: vec![0; script.endings().len()],
        ranges: vec![None; program.named.len()],
        fault: None,
    };
    let mut steps = 0;
    while met.games < GAMES && steps < STEPS {
        let mut words = keys.streams(met.games, script.seats());
        let mut answer = answers.stream(met.games, 0);
        let mut node = script.root(&mut ());
        loop {
            steps += 1;
            node = match node {
                Node::Chance(state, seat, throw) => {
                    met.look(script, &state);
                    script.resolve(state, throw.sample(words.word(seat)), &mut ())
                }
                Node::Decision(state, question) => {
                    met.asked[question.kind] += 1;
                    let number = bounded(answer.word(0), question.actions.count());
                    let action = question.actions.iter().nth(number as usize).unwrap_or(Action::NO);
                    script.decide(state, question.kind, action, &mut ())
                }
                Node::Terminal(end) => {
                    met.ended[script.ending(end)] += 1;
                    if end.failed().is_some() {
                        met.fault.get_or_insert((met.games, end));
                    }
                    break;
                }
            };
        }
        met.games += 1;
    }
    met
}

impl Met {
    /// Notes the numbers of a position.
    fn look(&mut self, script: &Script, state: &State) {
        let program = script.program();
        let Some(site) = program.sites.get(state.stop()) else { return };
        for (named, range) in program.named.iter().zip(&mut self.ranges) {
            let Some(named) = named.as_ref().filter(|named| matches!(named.kind, NamedKind::Number)) else {
                continue;
            };
            let players = if named.is_players { script.seats() } else { 1 };
            for cell in (named.first..).take(players) {
                let place = program.places[cell as usize];
                if place.bits > 0 && place.of(&site.live.0) == place.mask() {
                    let value = program.value(state, cell);
                    let (low, high) = range.unwrap_or((value, value));
                    *range = Some((low.min(value), high.max(value)));
                }
            }
        }
    }
}

fn questions(file: &File, script: &Script, met: &Met, games: &str, warnings: &mut Vec<Problem>) {
    for (kind, asked) in script.program().kinds.iter().zip(&met.asked) {
        let mut place: Option<Span> = None;
        file.each_statement(&mut |statement| match &statement.form {
            Form::Ask { name, .. } | Form::AskAll { name, .. } if name.text == kind.name => {
                place.get_or_insert(name.span.clone());
            }
            _ => {}
        });
        if let (0, Some(place)) = (asked, place) {
            let message = format!("`{}` never has two answers in {games}, if it is met at all", kind.name);
            warnings.push(Problem::new(place, message));
        }
    }
}

fn endings(file: &File, script: &Script, met: &Met, games: &str, warnings: &mut Vec<Problem>) {
    for (ending, &ended) in script.endings().iter().zip(&met.ended) {
        let lines =
            file.ends.iter().filter(|end| end.name.as_ref().map_or("over", |name| &name.text) == ending.name);
        let line = lines.clone().next();
        let mut limits = lines.filter(|end| matches!(end.form, EndForm::After(..)));
        let has_limit = limits.clone().next().is_some();
        let is_limit = limits.any(|end| end.early);
        // A limit that nobody meets is a good one.
        if let (0, Some(line), false) = (ended, line, has_limit) {
            warnings.push(Problem::new(
                line.span.clone(),
                format!("no game ends as `{}` in {games}", ending.name),
            ));
        }
        if (ending.cap || is_limit) && ended * 2 > met.games {
            let place = line.map_or(0..0, |line| line.span.clone());
            let message = format!("{ended} of {games} are cut off (`{}`)", ending.name);
            let help = "does every turn bring the end nearer, whatever is answered?";
            warnings.push(Problem::new(place, message).help(help));
        }
    }
}

fn ranges(file: &File, script: &Script, met: &Met, games: &str, warnings: &mut Vec<Problem>) {
    let mut declared: Vec<&Name> =
        file.shared.iter().chain(&file.player).map(|variable| &variable.name).collect();
    file.each_statement(&mut |statement| {
        if let Form::Let(variable) = &statement.form {
            declared.push(&variable.name);
        }
    });
    for (named, range) in script.program().named.iter().zip(&met.ranges) {
        let (Some(named), Some((least, most))) = (named, *range) else { continue };
        let Some(place) = declared.iter().find(|name| name.text == named.name) else { continue };
        let (low, high) = named.range;
        let (width, found) = (high - low, most - low.min(least));
        if width > found.saturating_mul(WIDER) && width - found > MORE {
            let message =
                format!("`{}` is {least} to {most} in {games}, and its range is {low}..{high}", named.name);
            let help = "a narrow range makes positions smaller, and exact values reachable";
            warnings.push(Problem::new(place.span.clone(), message).help(help));
        }
    }
}

/// Variables and definitions that nothing reads.
fn unread(file: &File) -> Vec<Problem> {
    let mut read: BTreeSet<String> = BTreeSet::new();
    let mut note = |expr: &Expr| match &expr.term {
        Term::Word(word) => drop(read.insert(word.clone())),
        Term::Dot(_, name) | Term::Call(name, _) => drop(read.insert(name.text.clone())),
        _ => {}
    };
    file.each_declared(&mut note);
    file.options.iter().filter_map(|option| option.domain.as_ref()).for_each(|domain| domain.each(&mut note));
    for item in file.dice.iter().chain(&file.bags).flat_map(|faces| &faces.items) {
        let parts = item.times.iter().chain([&item.face]).chain(&item.to);
        parts.for_each(|part| part.each(&mut note));
    }
    for names in &file.names {
        if let NamesForm::List(Some(first), _) = &names.form {
            first.each(&mut note);
        }
    }
    let seen = file.see.iter().chain(file.candidates.iter().flat_map(|candidate| &candidate.lines));
    seen.for_each(|seen| seen.value.each(&mut note));
    let mut declared: Vec<(&Name, &str)> = Vec::new();
    file.each_statement(&mut |statement| match &statement.form {
        Form::Assign(target, _, value) => {
            value.each(&mut note);
            // What is set is not read; its indices are.
            let mut target = target;
            loop {
                target = match &target.term {
                    Term::Index(array, indices) => {
                        indices.iter().for_each(|index| index.each(&mut note));
                        array
                    }
                    Term::Dot(player, _) => {
                        player.each(&mut note);
                        break;
                    }
                    _ => break,
                };
            }
        }
        Form::Do(name) => note(&Expr { span: 0..0, term: Term::Word(name.text.clone()) }),
        form => {
            statement.each_own(&mut note);
            match form {
                Form::Let(variable) => declared.push((&variable.name, "variable")),
                Form::Roll { parts, .. } => declared.extend(parts.iter().map(|part| (&part.name, "roll"))),
                Form::Chance { name, .. } => declared.push((name, "roll")),
                _ => {}
            }
        }
    });
    declared.extend(file.shared.iter().chain(&file.player).map(|variable| (&variable.name, "variable")));
    // How many play is read by all that is done in turn.
    let options = file.options.iter().filter(|option| option.name.text != "players");
    declared.extend(options.map(|option| (&option.name, "option")));
    declared.extend(file.defines.iter().map(|define| (&define.name, "definition")));
    declared.extend(file.steps.iter().map(|(name, _)| (name, "steps")));
    // An option `points.solid` is read as `solid` of `points`.
    let last = |name: &Name| name.text.rsplit('.').next().is_some_and(|last| read.contains(last));
    let unread = declared.into_iter().filter(|(name, _)| !last(name));
    let warning = |(name, what): (&Name, &str)| {
        let message = match what {
            "variable" | "roll" | "option" => format!("nothing reads `{}`", name.text),
            _ => format!("nothing uses `{}`", name.text),
        };
        Problem::new(name.span.clone(), message)
    };
    unread.map(warning).collect()
}
