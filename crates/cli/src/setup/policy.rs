//! Policies, as they are typed.

use stopwise_erased::{AnyPolicy, AnyRules, Game, games};
use stopwise_policy::shipped::{self, CHANCE, Shipped};
use stopwise_policy::{Text, TomlText as _, is_typed, nearest, typed, visible_word};

use super::file::{self, is_file, is_there, names_here, read, with_values};
use super::{first_rules, unknown};
use crate::failure::Failure;
use crate::mistake::Mistake;
use crate::output::note_of_play;
use crate::session::Session;

/// A policy as typed: where its text is, and the parameters to change.
#[derive(Clone, Debug)]
pub(crate) struct PolicySpec {
    pub(crate) text: Text,
    pub(crate) parameters: Vec<(String, String)>,
}

impl PolicySpec {
    /// Reads `NAME`, `NAME:param=value,…`, a file with or without parameters, or a policy that is typed without one. `game` may
    /// be unknown for a file, which names its own.
    pub(crate) fn parse(session: &Session, spec: &str, game: Option<&'static Game>) -> Result<Self, Failure> {
        if session.known_policy(spec).is_some() {
            return Err(Failure::Input(format!(
                "`{}` is a function and no text: simulate, compare, rank, sweep, balance and replay play it, and nothing else does",
                visible_word(spec)
            )));
        }
        let is_path = || is_there(session, spec) || file::policies_in(session, spec).is_some();
        if is_typed(spec) && !is_path() {
            let Some(game) = game else {
                return Err(Failure::Input(format!(
                    "which game is `{}` for? Add --game",
                    visible_word(spec)
                )));
            };
            let kinds = first_rules(game)?.rules.kinds();
            return Ok(Self { text: typed(spec, game.name, kinds), parameters: Vec::new() });
        }
        let (place, parameters) = match spec.find(".toml:") {
            Some(at) => (&spec[..at + 5], Some(&spec[at + 6..])),
            None if is_file(spec) => (spec, None),
            None => spec.split_once(':').map_or((spec, None), |(name, rest)| (name, Some(rest))),
        };
        let text = if is_file(place) && file::policies_in(session, place).is_none() {
            read(session, place)?
        } else {
            named_policy(session, place, game)?
        };
        let parameters =
            parameters.map_or(Ok(Vec::new()), |typed| split_parameters((spec, place), typed, &text))?;
        Self::of(session, text, parameters)
    }

    /// A text, with the values that it names.
    pub(crate) fn of(
        session: &Session,
        text: Text,
        parameters: Vec<(String, String)>,
    ) -> Result<Self, Failure> {
        if text.file.ends_with(".game") {
            return Err(Failure::Input(format!(
                "`{}` is a game, and a policy is named here: a name or FILE.toml",
                visible_word(&text.file)
            )));
        }
        Ok(Self { text: with_values(session, text)?, parameters })
    }

    pub(crate) fn compile(&self, session: &Session, rules: &dyn AnyRules) -> Result<AnyPolicy, Failure> {
        let other = self.other_game(session, rules);
        let policy = rules.compile(&self.text, &self.parameters);
        // Beside what is wrong, it is why.
        let policy = policy.map_err(|wrong| match &other {
            Some(other) => Failure::Text(format!("{wrong}\nnote: {other}"), Mistake::all(&wrong)),
            None => wrong.into(),
        })?;
        if let Some(other) = other
            && session.is_new_of(&self.text.file, 0)
        {
            note_of_play(session, &other);
        }
        if let Some(remark) = &policy.heading().remark
            && session.is_new_of(&format!("{}\n{remark}", self.text.file), 0)
        {
            note_of_play(session, remark);
        }
        Ok(policy)
    }
}

impl PolicySpec {
    /// That the text is for the file of another game than the one that is played, if it is: a game with the program is no file
    /// but for its text.
    fn other_game(&self, session: &Session, rules: &dyn AnyRules) -> Option<String> {
        let last = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        let own = self.text.game().ok().map(|game| last(&game))?;
        let played = session.game_text().map_or_else(|| rules.game().to_owned(), |text| last(&text.file));
        let [file, named, here] = [&self.text.file, &own, &played].map(|name| visible_word(name));
        (own.ends_with(".game") && own != played)
            .then(|| format!("{file} is for the game {named}, and plays {here} here"))
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
    pub(crate) fn parse(session: &Session, spec: &str, game: &'static Game) -> Result<Self, Failure> {
        match Self::parse_told(session, spec, game)? {
            Self::Function(given) if session.known_policy(spec).is_none() => Err(Failure::Input(format!(
                "`{}` is what a person answered in one trial, which only `stopwise replay` tells again",
                visible_word(&given.label())
            ))),
            player => Ok(player),
        }
    }

    /// The same of a command that only tells trials: also the answers of a game that a person has played.
    pub(crate) fn parse_told(session: &Session, spec: &str, game: &'static Game) -> Result<Self, Failure> {
        if let Some(function) = session.known_policy(spec) {
            return Ok(Self::Function(function.clone()));
        }
        let spec = PolicySpec::parse(session, spec, Some(game))?;
        Ok(match stopwise_policy::answers(&spec.text) {
            Some((heading, answers)) => Self::Function(AnyPolicy::given(heading, &answers)),
            None => Self::Text(spec),
        })
    }

    /// Ready to play under these rules, without a word of what may be doubted.
    pub(crate) fn quietly(&self, session: &Session, rules: &dyn AnyRules) -> Result<AnyPolicy, Failure> {
        match self {
            Self::Text(spec) => spec.compile(session, rules),
            Self::Function(function) => Ok(function.clone()),
        }
    }

    /// Ready to play under these rules. What has no list is told, and a condition that these rules or parameters make always
    /// or never true, once however many of them there are.
    pub(crate) fn compile(&self, session: &Session, rules: &dyn AnyRules) -> Result<AnyPolicy, Failure> {
        let policy = self.quietly(session, rules)?;
        let Self::Text(spec) = self else { return Ok(policy) };
        let heading = policy.heading();
        if let Some(said) = heading.unlisted()
            && session.is_new_of(&heading.text.file, usize::MAX)
        {
            note_of_play(session, &format!("{}: {said}", visible_word(&heading.label())));
        }
        if heading.constant().next().is_some() {
            // What is so of the text as it is written is for `policy check` to say.
            let written = first_rules(rules.entry())?.rules.compile(&spec.text, &[]).ok();
            let is_written = |place: usize| {
                written.iter().any(|policy| policy.heading().constant().any(|(other, _)| other == place))
            };
            let new = heading.constant().filter(|(place, _)| !is_written(*place));
            for (_, said) in new.filter(|(place, _)| session.is_new_of(&heading.text.file, *place)) {
                note_of_play(session, &format!("{}: {said}", visible_word(&heading.label())));
            }
        }
        Ok(policy)
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
fn named_policy(session: &Session, name: &str, game: Option<&'static Game>) -> Result<Text, Failure> {
    let inside = format!("{name}/policy.toml");
    if !name.is_empty() && is_there(session, &inside) {
        let (name, inside) = (visible_word(name), visible_word(&inside));
        return Err(Failure::Input(format!("`{name}` is a directory; its policy is --policy {inside}")));
    }
    let file = format!("{name}.toml");
    let is_shipped = of_games(game).any(|policy| policy.name == name);
    match !is_shipped && !name.is_empty() && is_there(session, &file) {
        true => {
            let (name, file) = (visible_word(name), visible_word(&file));
            let said = format!("no policy `{name}` comes with the program; {file} in this directory is read");
            note_of_play(session, &said);
            read(session, &format!("{name}.toml"))
        }
        false if !is_shipped && file::policies_in(session, name).is_some() => Err(Failure::Input(format!(
            "`{}` is a directory, which stands for all policies in it in compare, rank, balance and solve; name one of its files \
             here",
            visible_word(name)
        ))),
        false => shipped_policy(session, name, game),
    }
}

/// The shipped policies of a game, or of all.
fn of_games(game: Option<&'static Game>) -> impl Iterator<Item = &'static Shipped> {
    game.map_or_else(games, |game| vec![game]).into_iter().flat_map(|game| game.policies)
}

fn shipped_policy(session: &Session, name: &str, game: Option<&'static Game>) -> Result<Text, Failure> {
    // Names of policies of games in Rust stood alone before there were texts.
    let in_rust =
        |policy: &&&Shipped| game.is_some() || shipped::ABOUT.iter().any(|about| about.game == policy.game);
    let named = || of_games(game).filter(|policy| policy.name == name);
    let (first, others): (Vec<&Shipped>, Vec<&Shipped>) = named().partition(|policy| in_rust(&policy));
    let mut found = if first.is_empty() { others } else { first }.into_iter();
    match (found.next(), found.next()) {
        (Some(policy), None) => Ok(policy.text()),
        (Some(_), Some(_)) => {
            let games: Vec<_> = named().map(|policy| policy.game).collect();
            let games = games.join(", ");
            Err(Failure::Input(format!("several games have a policy `{name}`; add --game, one of {games}")))
        }
        _ => {
            let here = names_here(session, ".toml");
            let near = nearest(name, here.iter().map(String::as_str));
            let mut known: Vec<_> = of_games(game).map(|policy| policy.name).collect();
            if known.is_empty() && near.is_none() {
                let name = visible_word(name);
                return Err(Failure::Input(format!(
                    "unknown policy `{name}`; none comes with this game: name a file, or type the policy as in 'stop = points >= 20'"
                )));
            }
            known.extend(near);
            Err(unknown("policy", name, &mut known.into_iter()))
        }
    }
}

/// The parameters that were typed after a place.
fn split_parameters(
    (spec, place): (&str, &str),
    text: &str,
    policy: &Text,
) -> Result<Vec<(String, String)>, Failure> {
    let spec = visible_word(spec);
    let split = |assignment: &str| match assignment.split_once('=') {
        Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
        None => Err(Failure::Input(match policy.parameters().first() {
            Some(name) => {
                let value: u32 = assignment.trim().parse().unwrap_or(3);
                let example = format!("{place}:{name}={value}");
                let example = visible_word(&example);
                format!("in `{spec}`: write parameters as name=value, for example {example}")
            }
            None => {
                format!("in `{spec}`: this policy has no parameters, which stand after `:` as name=value")
            }
        })),
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

/// Stands for every policy that comes with the program for a game.
pub(crate) const ALL: &str = "all";

/// Policies as typed; of a game in which nobody decides anything nobody has to name one.
pub(crate) fn named(specs: &[String], game: &Game) -> Vec<String> {
    match (specs, game.policies) {
        ([], [only]) if only.name == CHANCE => vec![CHANCE.to_owned()],
        _ => specs.to_vec(),
    }
}

/// Policies as typed, with the names of all shipped ones in place of [`ALL`], of which those that are named anyway come once, and
/// the policy files of a directory in its place.
pub(crate) fn all_of(session: &Session, specs: &[String], game: &Game) -> Result<Vec<String>, Failure> {
    let specs = &named(specs, game);
    let mut named: Vec<String> = Vec::new();
    let is_unknown = |spec: &str| game.policies.iter().all(|policy| policy.name != spec);
    for spec in specs {
        if spec == ALL {
            let others = game.policies.iter().map(|policy| policy.name);
            named.extend(others.filter(|name| specs.iter().all(|spec| spec != name)).map(str::to_owned));
        } else if let Some(files) = is_unknown(spec).then(|| file::policies_in(session, spec)).flatten() {
            if files.is_empty() {
                return Err(Failure::Input(format!("no file in `{}` ends in .toml", visible_word(spec))));
            }
            named.extend(files);
        } else {
            named.push(spec.clone());
        }
    }
    Ok(named)
}
