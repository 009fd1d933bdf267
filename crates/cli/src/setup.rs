//! From what was typed to what can be run: games, rules and line-ups.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Read as _};
use std::path::Path;
use std::sync::Arc;

use stopwise_engine::rotation::rotations;
use stopwise_erased::{AnyPolicy, AnyRules, Game, NamedRules, games};
use stopwise_narration::{InWords, read_rules};
use stopwise_policy::{PolicyText, nearest, shipped, visible_word};

use crate::args::{GameArgs, PolicyArgs};
use crate::failure::Failure;
use crate::label;
use crate::output::note;
use crate::session::Session;

/// The game of this name.
pub(crate) fn game(name: &str) -> Result<&'static Game, Failure> {
    stopwise_erased::game(name)
        .ok_or_else(|| unknown("game", name, &mut games().iter().map(|game| game.info.name)))
}

pub(crate) fn unknown(what: &str, name: &str, known: &mut dyn Iterator<Item = &str>) -> Failure {
    let known: Vec<_> = known.collect();
    let help = match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are: {}", known.join(", ")),
    };
    Failure::Input(format!("unknown {what} `{}`; {help}", visible_word(name)))
}

/// The rules that the arguments ask for.
pub(crate) fn rules(session: &Session, args: &GameArgs) -> Result<NamedRules, Failure> {
    let game = game(&args.game)?;
    check_once(&args.set)?;
    let text = rules_text(session, game, args.rules.as_deref())?;
    let NamedRules { mut name, mut rules } = read_rules(game, &text).map_err(Failure::input)?;
    if is_other_preset(game, &name, &*rules) {
        name += &format!(" ({})", shipped::file_name(&text.file));
    }
    let base = Arc::clone(&rules);
    for assignment in &args.set {
        rules = rules.with_option(assignment).map_err(|error| several(assignment, Failure::input(error)))?;
    }
    Ok(NamedRules { name: label::changed(&name, &*base, &*rules), rules })
}

/// Whether rules are called like a preset, and are others.
fn is_other_preset(game: &Game, name: &str, rules: &dyn AnyRules) -> bool {
    let preset = game.preset(name).and_then(|preset| read_rules(game, &preset.text()).ok());
    preset.is_some_and(|preset| preset.rules.options() != rules.options())
}

/// Whether every option is set once: of two values nobody knows which is meant.
fn check_once(assignments: &[String]) -> Result<(), Failure> {
    for (at, assignment) in assignments.iter().enumerate() {
        if let Some(other) = assignments[..at].iter().find(|other| set_key(other) == set_key(assignment)) {
            return Err(Failure::Input(format!(
                "`{}` has two values, {} and {}; write it once",
                visible_word(set_key(assignment)),
                visible_word(other),
                visible_word(assignment)
            )));
        }
    }
    Ok(())
}

/// The option that is set.
pub(crate) fn set_key(assignment: &str) -> &str {
    assignment.split('=').next().unwrap_or(assignment).trim()
}

/// The path of an option of the game's rules that has this name, such as `points.solid` of `solid`.
pub(crate) fn option_of(game: &str, name: &str) -> Option<String> {
    let options = stopwise_erased::game(game)?.info.options.iter();
    let mut names = options.map(|option| option.name);
    names.find(|known| known.rsplit('.').next() == Some(name)).map(str::to_owned)
}

/// The first of the policies that has a parameter of this name.
pub(crate) fn parameter_of<'p>(
    session: &Session,
    game: &str,
    mut policies: impl Iterator<Item = &'p str>,
    name: &str,
) -> Option<&'p str> {
    let rules = rules(session, &GameArgs { game: game.to_owned(), rules: None, set: Vec::new() }).ok()?.rules;
    policies.find(|policy| {
        let compiled =
            Player::parse(session, policy, game).and_then(|player| player.compile(session, &*rules));
        compiled
            .is_ok_and(|policy| policy.heading().parameters.iter().any(|parameter| parameter.name == name))
    })
}

/// The error for a `--set` with several options in the form of `--variant`; for a single option, why it is refused.
fn several(assignment: &str, refused: Failure) -> Failure {
    let each: Vec<_> = assignment.split(',').map(str::trim).collect();
    if each.len() == 1 || each.iter().any(|one| !one.contains('=')) {
        return refused;
    }
    let each: Vec<_> = each.iter().map(|one| format!("--set {}", visible_word(one))).collect();
    Failure::Input(format!(
        "--set {}: one option at a time; write {}",
        visible_word(assignment),
        each.join(" ")
    ))
}

fn rules_text(session: &Session, game: &Game, wanted: Option<&str>) -> Result<PolicyText, Failure> {
    let first = game.presets.first().map_or("", |preset| preset.name);
    let wanted = wanted.unwrap_or(first);
    if is_file(wanted) {
        return read(session, wanted);
    }
    let preset = game.preset(wanted).map(shipped::Shipped::text);
    preset.ok_or_else(|| unknown("rules preset", wanted, &mut game.presets.iter().map(|preset| preset.name)))
}

/// The metric that was asked for, or the first, by its place among those of the rules.
pub(crate) fn metric(rules: &dyn AnyRules, wanted: Option<&str>) -> Result<usize, Failure> {
    let names = || rules.metrics().iter().map(|metric| metric.name);
    let Some(wanted) = wanted else { return Ok(0) };
    names().position(|name| name == wanted).ok_or_else(|| unknown("metric", wanted, &mut names()))
}

/// A policy as typed: where its text is, and the parameters to change.
#[derive(Clone, Debug)]
pub(crate) struct PolicySpec {
    pub(crate) text: PolicyText,
    pub(crate) parameters: Vec<(String, String)>,
}

impl PolicySpec {
    /// Reads `NAME`, `NAME:param=value,…` or a file with or without parameters. `game` may be unknown for a
    /// file, which names its own.
    pub(crate) fn parse(session: &Session, spec: &str, game: Option<&str>) -> Result<Self, Failure> {
        if session.known_policy(spec).is_some() {
            return Err(Failure::Input(format!(
                "`{}` is a function and no text: simulate, compare, rank, sweep, balance and replay play it, and nothing else does",
                visible_word(spec)
            )));
        }
        let (place, parameters) = match spec.find(".toml:") {
            Some(at) => (&spec[..at + 5], Some(&spec[at + 6..])),
            None if is_file(spec) => (spec, None),
            None => spec.split_once(':').map_or((spec, None), |(name, rest)| (name, Some(rest))),
        };
        let parameters = parameters.map_or(Ok(Vec::new()), |text| split_parameters(spec, text))?;
        game.map(self::game).transpose()?;
        let text = if is_file(place) { read(session, place)? } else { named_policy(session, place, game)? };
        Ok(Self { text, parameters })
    }

    pub(crate) fn compile(&self, session: &Session, rules: &dyn AnyRules) -> Result<AnyPolicy, Failure> {
        let policy = rules.compile(&self.text, &self.parameters).map_err(Failure::input)?;
        if let Some(remark) = &policy.heading().remark {
            note(session, &format!("note: {remark}"));
        }
        Ok(policy)
    }
}

/// A policy as typed, of a command that plays functions, too.
#[derive(Clone, Debug)]
pub(crate) enum Player {
    /// A text, with parameters.
    Text(PolicySpec),
    /// A policy that is no text, and the same under all rules.
    Function(AnyPolicy),
}

impl Player {
    /// The function of this name, or else what [`PolicySpec::parse`] reads.
    pub(crate) fn parse(session: &Session, spec: &str, game: &str) -> Result<Self, Failure> {
        match session.known_policy(spec) {
            Some(function) => Ok(Self::Function(function.clone())),
            None => PolicySpec::parse(session, spec, Some(game)).map(Self::Text),
        }
    }

    /// Ready to play under these rules.
    pub(crate) fn compile(&self, session: &Session, rules: &dyn AnyRules) -> Result<AnyPolicy, Failure> {
        match self {
            Self::Text(spec) => spec.compile(session, rules),
            Self::Function(function) => Ok(function.clone()),
        }
    }

    /// The parameters that were typed.
    pub(crate) fn parameters(&self) -> &[(String, String)] {
        match self {
            Self::Text(spec) => &spec.parameters,
            Self::Function(_) => &[],
        }
    }

    /// The same with more parameters; a function has none.
    pub(crate) fn with(&self, more: impl Iterator<Item = (String, String)>) -> Self {
        let mut player = self.clone();
        if let Self::Text(spec) = &mut player {
            spec.parameters.extend(more);
        }
        player
    }
}

/// The policy of a name: that which comes with the program, or else the file `NAME.toml` in the current directory.
fn named_policy(session: &Session, name: &str, game: Option<&str>) -> Result<PolicyText, Failure> {
    let file = format!("{name}.toml");
    let is_shipped = shipped::POLICIES.iter().any(|policy| policy.name == name);
    match !is_shipped && !name.is_empty() && is_there(session, &file) {
        true => {
            let (name, file) = (visible_word(name), visible_word(&file));
            let said =
                format!("note: no policy `{name}` comes with the program; {file} in this directory is read");
            note(session, &said);
            read(session, &format!("{name}.toml"))
        }
        false => shipped_policy(name, game),
    }
}

fn shipped_policy(name: &str, game: Option<&str>) -> Result<PolicyText, Failure> {
    let of_game = |policy: &&shipped::Shipped| game.is_none_or(|game| policy.game == game);
    let mut found = shipped::POLICIES.iter().filter(of_game).filter(|policy| policy.name == name);
    match (found.next(), found.next()) {
        (Some(policy), None) => Ok(policy.text()),
        (Some(_), Some(_)) => {
            Err(Failure::Input(format!("several games have a policy `{name}`; add --game")))
        }
        _ => Err(unknown(
            "policy",
            name,
            &mut shipped::POLICIES.iter().filter(of_game).map(|policy| policy.name),
        )),
    }
}

fn split_parameters(spec: &str, text: &str) -> Result<Vec<(String, String)>, Failure> {
    let spec = visible_word(spec);
    let split = |assignment: &str| match assignment.split_once('=') {
        Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
        None => {
            Err(Failure::Input(format!("in `{spec}`: write parameters as name=value, for example first:k=3")))
        }
    };
    let mut parameters: Vec<(String, String)> = Vec::new();
    for assignment in text.split(',') {
        let (name, value) = split(assignment)?;
        if parameters.iter().any(|(known, _)| *known == name) {
            return Err(Failure::Input(format!("in `{spec}`: `{name}` has two values; write it once")));
        }
        parameters.push((name, value));
    }
    Ok(parameters)
}

/// The line-ups that take turns, each with a policy for every seat, or one for all: see
/// [`rotation`](stopwise_engine::rotation). Without rotation one alone.
pub(crate) fn lineups(
    session: &Session,
    rules: &dyn AnyRules,
    args: &PolicyArgs,
) -> Result<Vec<Vec<AnyPolicy>>, Failure> {
    played_in_turn(rules, lineup(session, rules, &args.policies)?, args.rotate)
}

/// A line-up alone, or all its rotations, in which a label stands for one text.
pub(crate) fn played_in_turn(
    rules: &dyn AnyRules,
    lineup: Vec<AnyPolicy>,
    is_rotated: bool,
) -> Result<Vec<Vec<AnyPolicy>>, Failure> {
    if is_rotated {
        // Otherwise reports go by seat.
        check_labels(&lineup)?;
    }
    in_turn(rules, lineup, is_rotated)
}

/// A line-up alone, or all its rotations.
fn in_turn(
    rules: &dyn AnyRules,
    lineup: Vec<AnyPolicy>,
    is_rotated: bool,
) -> Result<Vec<Vec<AnyPolicy>>, Failure> {
    if !is_rotated {
        return Ok(vec![lineup]);
    }
    let seats = rules.seats();
    if seats == 1 {
        return Err(Failure::Input(format!(
            "--rotate: {} has one seat under these rules, so that there is nothing to rotate; leave it out",
            rules.game()
        )));
    }
    Ok(rotations(&if lineup.len() == 1 { vec![lineup[0].clone(); seats] } else { lineup }))
}

/// Where reports go by policy, a label must stand for one text.
pub(crate) fn check_labels<'p>(policies: impl IntoIterator<Item = &'p AnyPolicy>) -> Result<(), Failure> {
    let mut known: BTreeMap<String, &AnyPolicy> = BTreeMap::new();
    for policy in policies {
        let other = *known.entry(policy.label()).or_insert(policy);
        if !other.heading().text.is_same(&policy.heading().text) {
            return Err(Failure::Input(format!(
                "`{}` and `{}` are different policies, but both are called `{}`; change the name in one of them",
                visible_word(&other.heading().text.file),
                visible_word(&policy.heading().text.file),
                policy.label()
            )));
        }
    }
    Ok(())
}

/// Stands for every policy that comes with the program for a game.
pub(crate) const ALL: &str = "all";

/// Policies as typed, with the names of all shipped ones in place of [`ALL`]; those that are named anyway come once.
pub(crate) fn with_all(specs: &[String], game: &str) -> Vec<String> {
    let mut named: Vec<String> = Vec::new();
    for spec in specs {
        match spec == ALL {
            true => {
                let others = shipped::policies_of(game).map(|policy| policy.name);
                named.extend(others.filter(|name| specs.iter().all(|spec| spec != name)).map(str::to_owned));
            }
            false => named.push(spec.clone()),
        }
    }
    named
}

/// A policy for every seat, or one for all.
fn lineup(session: &Session, rules: &dyn AnyRules, specs: &[String]) -> Result<Vec<AnyPolicy>, Failure> {
    check_seats(rules, specs)?;
    let policy = |spec: &String| Player::parse(session, spec, rules.game())?.compile(session, rules);
    specs.iter().map(policy).collect()
}

/// Whether there is a policy for every seat, or one for all.
pub(crate) fn check_seats(rules: &dyn AnyRules, specs: &[String]) -> Result<(), Failure> {
    let seats = rules.seats();
    if specs.is_empty() {
        let names: Vec<_> = shipped::policies_of(rules.game()).map(|policy| policy.name).collect();
        return Err(Failure::Input(format!(
            "name a policy: --policy NAME or --policy FILE.toml; shipped for {}: {}",
            rules.game(),
            names.join(", ")
        )));
    }
    if specs.iter().any(|spec| spec == ALL) {
        let game = rules.game();
        return Err(Failure::Input(format!(
            "--policy {ALL} stands for {} policies, and here plays one (in every seat, or one for each); name it, or see \
             `stopwise rank {game} -p all` or `stopwise compare {game} -p all`",
            shipped::policies_of(game).count()
        )));
    }
    if specs.len() != 1 && specs.len() != seats {
        return Err(Failure::Input(format!(
            "{} policies for {seats} seat{}: give --policy once for all seats or once for each",
            specs.len(),
            if seats == 1 { "" } else { "s" }
        )));
    }
    Ok(())
}

/// Line-ups to be compared, each as typed: one policy for all seats, or one for each, joined with `+`. Each comes as the
/// line-ups that take turns: one alone, or all rotations of it. Where these rules stand alone, there are two at least.
pub(crate) fn compared(
    session: &Session,
    rules: &dyn AnyRules,
    specs: &[String],
    is_rotated: bool,
    is_alone: bool,
) -> Result<Vec<Vec<Vec<AnyPolicy>>>, Failure> {
    let specs = &with_all(specs, rules.game());
    if specs.len() == 1 && is_alone {
        return Err(Failure::Input(format!(
            "one policy, `{}`: a comparison needs two or more; give --policy again, or two --rules",
            visible_word(&specs[0])
        )));
    }
    if specs.is_empty() {
        // Says which there are.
        lineup(session, rules, specs)?;
    }
    let of = |spec: &String| {
        // A file may have a `+` in its name, and a game for one has nothing to join.
        let is_whole = rules.seats() == 1 || is_there(session, spec);
        let seats: Vec<_> =
            if is_whole { vec![spec.clone()] } else { spec.split('+').map(str::to_owned).collect() };
        if seats.len() != 1 && seats.len() != rules.seats() {
            return Err(Failure::Input(format!(
                "`{}`: {} policies for {} seats; name one for all seats, or join one for each with `+`",
                visible_word(spec),
                seats.len(),
                rules.seats()
            )));
        }
        in_turn(rules, lineup(session, rules, &seats)?, is_rotated)
    };
    let lineups: Vec<_> = specs.iter().map(of).collect::<Result<_, _>>()?;
    check_labels(lineups.iter().flatten().flatten())?;
    Ok(lineups)
}

/// Whether there is a file of this name.
fn is_there(session: &Session, file: &str) -> bool {
    session.known_text(file).is_some() || Path::new(file).is_file()
}

fn is_file(name: &str) -> bool {
    name.ends_with(".toml") || name.contains('/') || name.contains('\\')
}

pub(crate) fn read(session: &Session, path: &str) -> Result<PolicyText, Failure> {
    let text = match session.known_text(path) {
        Some(text) => PolicyText::from_bytes(path, text.clone().into_bytes()),
        None => PolicyText::from_bytes(path, bytes(path)?),
    };
    let text = text.map_err(Failure::input)?;
    session.note_text(path, &text.text);
    Ok(text)
}

fn bytes(path: &str) -> Result<Vec<u8>, Failure> {
    // One byte more than may be there, however much there is: the rest is never read.
    let most = PolicyText::LONGEST as u64 + 1;
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes));
    read.map_err(|error| {
        let advice = match error.kind() {
            ErrorKind::NotFound => like(Path::new(path)).unwrap_or_default(),
            _ => String::new(),
        };
        Failure::Input(format!("cannot read `{}`: {error}{advice}", visible_word(path)))
    })?;
    Ok(bytes)
}

/// The most entries of a directory among which a file is looked for.
const ENTRIES: usize = 1000;

/// Advice on a file that is not there: the one of its directory that may be meant, such as `mine.toml.txt`, whose last
/// ending some systems do not show.
fn like(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_str()?;
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let names = fs::read_dir(directory)
        .ok()?
        .take(ENTRIES)
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.collect();
    names.sort();
    let longer = format!("{wanted}.txt");
    if let Some(found) = names.iter().find(|name| name.eq_ignore_ascii_case(&longer)) {
        return Some(format!("; there is `{}`: rename it to {}", visible_word(found), visible_word(wanted)));
    }
    let texts = names.iter().map(String::as_str).filter(|name| name.ends_with(".toml"));
    nearest(wanted, texts).map(|near| format!("; did you mean `{}`?", visible_word(near)))
}
