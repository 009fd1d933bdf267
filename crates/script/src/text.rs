//! A game as text before its options are chosen: what it offers, and what its author expects of it.

use crate::compile::{self, Given};
use crate::op::{GameOption, Program};
use crate::problem::{Problem, Span, TextError, error, unknown};
use crate::script::Script;
use crate::syntax::{self, File, Form, Name, With};

/// A game as text, read, with its options, presets and expectations.
#[derive(Clone, Debug)]
pub struct GameText {
    text: String,
    file: File,
    options: Vec<GameOption>,
    presets: Vec<Preset>,
    expects: Vec<Expect>,
}

/// The preset of the options as they are in the text.
pub const STANDARD: &str = "standard";

/// A named set of option values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preset {
    /// Its name; it may have hyphens.
    pub name: String,
    /// What it is, or nothing.
    pub meaning: String,
    /// The options that it sets, with their values in words; the others have their defaults.
    pub values: Vec<(String, String)>,
}

/// `expect METRIC = NUMBER within NUMBER with …`: a mean that the game must have.
#[derive(Clone, Debug, PartialEq)]
pub struct Expect {
    /// The metric.
    pub metric: String,
    /// Its mean.
    pub number: f64,
    /// How far off it may be.
    pub within: f64,
    /// The preset, if one is named.
    pub preset: Option<String>,
    /// The options that differ from the defaults, those of the preset included.
    pub options: Vec<(String, String)>,
    /// The policies by seat; one stands for all seats, and `best` is best play. None are named where no question is
    /// asked.
    pub policies: Vec<String>,
    /// Where the number comes from, or nothing.
    pub meaning: String,
    /// Its place in the text.
    pub span: Span,
}

impl GameText {
    /// Whether anything is asked.
    pub fn has_questions(&self) -> bool {
        let mut is_asked = false;
        self.file.each_statement(&mut |statement| {
            is_asked |= matches!(&statement.form, Form::Ask { .. } | Form::AskAll { .. });
        });
        is_asked
    }

    /// Reads a text, and checks its options, the values of its presets, and what its expectations name. What is played is
    /// checked when it is compiled.
    ///
    /// # Errors
    ///
    /// All mistakes of these.
    pub fn new(text: &str) -> Result<Self, TextError> {
        let (new, problems) = Self::read(text)?;
        if problems.is_empty() { Ok(new) } else { Err(error(text, problems)) }
    }

    /// The same, with the game compiled for the defaults, for every preset, and for the options of every expectation.
    ///
    /// # Errors
    ///
    /// All mistakes of the text; for those that only a preset makes the advice names it.
    pub fn checked(text: &str) -> Result<Self, TextError> {
        let (new, mut problems) = Self::read(text)?;
        let compiled = compile::compile(&new.file, &[]);
        problems.extend(compiled.as_ref().err().into_iter().flatten().cloned());
        for preset in &new.file.presets {
            let found = compile::compile(&new.file, &preset.values).err().unwrap_or_default();
            add(&mut problems, found, &format!("with preset `{}`", preset.name.text));
        }
        for (expect, line) in new.expects.iter().zip(&new.file.expects) {
            let (values, _) = chosen(&new.file, &line.with);
            let own = if values.is_empty() { None } else { Some(compile::compile(&new.file, &values)) };
            match own.as_ref().unwrap_or(&compiled) {
                Ok(program) => problems.extend(unknown_metric(program, line)),
                Err(found) => add(
                    &mut problems,
                    found.clone(),
                    &format!("with the options of `expect {}`", expect.metric),
                ),
            }
        }
        if problems.is_empty() { Ok(new) } else { Err(error(text, problems)) }
    }

    fn read(text: &str) -> Result<(Self, Vec<Problem>), TextError> {
        let file = crate::read(text)?;
        let mut problems = Vec::new();
        let mut kept = |found: Result<Vec<GameOption>, Vec<Problem>>| {
            found.unwrap_or_else(|found| {
                add(&mut problems, found, "");
                Vec::new()
            })
        };
        let options = kept(compile::options(&file, &[]));
        let mut presets = Vec::new();
        for preset in &file.presets {
            let chosen = kept(compile::options(&file, &preset.values));
            let values = in_words(&preset.values, &chosen);
            let meaning = preset.meaning.clone().unwrap_or_default();
            presets.push(Preset { name: preset.name.text.clone(), meaning, values });
        }
        let mut expects = Vec::new();
        for line in &file.expects {
            let (values, _) = chosen(&file, &line.with);
            let chosen = kept(compile::options(&file, &values));
            let names = |wanted: fn(&With) -> Option<&Name>| {
                line.with.iter().filter_map(wanted).map(|name| name.text.clone()).collect::<Vec<_>>()
            };
            expects.push(Expect {
                metric: line.metric.text.clone(),
                number: line.number.parse().unwrap_or(0.0),
                within: line.within.parse().unwrap_or(0.0),
                preset: names(|with| if let With::Preset(name) = with { Some(name) } else { None }).pop(),
                options: in_words(&values, &chosen),
                policies: names(|with| if let With::Policy(name) = with { Some(name) } else { None }),
                meaning: line.meaning.clone().unwrap_or_default(),
                span: line.metric.span.clone(),
            });
        }
        problems.extend(file.expects.iter().flat_map(|line| chosen(&file, &line.with).1));
        for (at, preset) in file.presets.iter().enumerate() {
            let is_known = |other: &syntax::Preset| other.name.text == preset.name.text;
            if file.presets[..at].iter().any(is_known) {
                let message = format!("preset `{}` stands twice", preset.name.text);
                problems.push(Problem::new(preset.name.span.clone(), message));
            }
            if preset.name.text == STANDARD {
                let message = "`standard` are the values that the `option` lines give, and no other preset";
                let problem = Problem::new(preset.name.span.clone(), message);
                problems.push(problem.help("change those lines, or give the preset another name"));
            }
        }
        Ok((Self { text: text.to_owned(), file, options, presets, expects }, problems))
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The name of the game.
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// What it is, in a sentence, or nothing.
    pub fn meaning(&self) -> &str {
        &self.file.meaning
    }

    /// The options in the order of the text, with their defaults as values.
    pub fn options(&self) -> &[GameOption] {
        &self.options
    }

    /// The presets in the order of the text.
    pub fn presets(&self) -> &[Preset] {
        &self.presets
    }

    /// The expectations in the order of the text. To try them is the caller's, who has policies and runners.
    pub fn expects(&self) -> &[Expect] {
        &self.expects
    }

    /// The syntax tree.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// The rules in words, a sentence a line.
    pub fn tell(&self) -> Vec<String> {
        crate::tell(&self.file)
    }

    /// The game with these values of its options; the others have their defaults.
    ///
    /// # Errors
    ///
    /// All mistakes that are found under these options.
    pub fn script(&self, options: &[(String, String)]) -> Result<Script, TextError> {
        Script::new(&self.text, options)
    }
}

/// Adds problems that are not known yet, with a word about when they arise.
fn add(problems: &mut Vec<Problem>, found: Vec<Problem>, when: &str) {
    for problem in found {
        let is_same = |known: &Problem| known.span == problem.span && known.message == problem.message;
        if problems.iter().any(is_same) {
            continue;
        }
        let help = [problem.help.as_deref().unwrap_or_default(), when].join("; ");
        let help = help.trim_matches([';', ' ']);
        problems.push(Problem { help: (!help.is_empty()).then(|| help.to_owned()), ..problem });
    }
}

/// The values that an expectation sets, those of its preset first, and presets that there are not.
fn chosen(file: &File, with: &[With]) -> (Vec<Given>, Vec<Problem>) {
    let (mut values, mut problems) = (Vec::new(), Vec::new());
    for preset in with.iter().filter_map(|with| if let With::Preset(name) = with { Some(name) } else { None })
    {
        match file.presets.iter().find(|other| other.name.text == preset.text) {
            Some(preset) => values.extend(preset.values.iter().cloned()),
            None => {
                let known = file.presets.iter().map(|preset| preset.name.text.as_str());
                problems.push(unknown(preset.span.clone(), "preset", &preset.text, known));
            }
        }
    }
    for with in with {
        if let With::Option(name, value) = with {
            values.push((name.clone(), value.clone()));
        }
    }
    (values, problems)
}

/// Each option that is set, with its value in words.
fn in_words(values: &[Given], chosen: &[GameOption]) -> Vec<(String, String)> {
    let set = chosen.iter().filter(|option| values.iter().any(|(name, _)| name.text == option.name));
    set.map(|option| (option.name.clone(), option.value.clone())).collect()
}

fn unknown_metric(program: &Program, line: &syntax::Expect) -> Option<Problem> {
    let known: Vec<&str> = program.metrics.iter().map(|metric| metric.name.as_str()).collect();
    if known.contains(&line.metric.text.as_str()) {
        return None;
    }
    let problem = unknown(line.metric.span.clone(), "metric", &line.metric.text, known.iter().copied());
    let list = format!("metrics are {}", known.join(", "));
    let help = problem.help.clone().map_or(list.clone(), |near| format!("{near} The {list}"));
    Some(problem.help(help))
}
