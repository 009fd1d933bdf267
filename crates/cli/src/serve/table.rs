//! A game of a person against the policies of the page. Its only state is the person's answers: the game is a trial, and is
//! played again from the start with every answer.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use serde_json::{Value, json};
use stopwise_document::text::minus;
use stopwise_document::{Block, View};
use stopwise_engine::game::Kind;
use stopwise_engine::vocabulary::{Grid, GridRow, Scene};
use stopwise_erased::{Choice, NamedRules};
use stopwise_narration::{Outcome, spoken};

use super::setting::{Files, Setting};
use super::{Clerk, Wrong};
use crate::advice::{Advised, Advisor};
use crate::args::{By, shell_line};
use crate::commands::advise::lineup;
use crate::commands::play::{Next, PlayedGame, review};
use crate::failure::Failure;
use crate::session::Session;
use crate::stop::StopToken;
use crate::threads::Threads;

/// More decisions than any person makes in a game.
const ANSWERS: usize = 10_000;

/// A game of a person.
#[derive(Debug, Deserialize)]
pub(super) struct Sitting {
    setting: Setting,
    /// The person's seat, from 0.
    seat: usize,
    trial: u64,
    /// The numbers of the actions, in order, without those that had no alternative.
    answers: Vec<u8>,
}

/// The game as it stands, and the open question, if the game is not over.
pub(super) fn table(clerk: &Clerk<'_>, sitting: &Sitting) -> Result<Value, Wrong> {
    let session = sitting.setting.session(clerk.folder)?;
    let (mut table, named) = sitting.table(&session)?;
    let (text, next) = table.told()?.ok_or_else(answered_otherwise)?;
    let seats = named.rules.seats();
    let mut found = json!({
        "text": minus(&text), "answers": table.answers(), "seats": seats, "against": table.labels(), "trial": sitting.trial,
        "command": sitting.command(seats),
    });
    match next {
        Next::Over(outcome) => {
            let endings = named.rules.endings();
            let ending = endings.iter().find(|ending| ending.name == outcome.ending);
            found["over"] = json!({
                "said": outcome.said, "table": standings(&outcome),
                "ending": ending.map_or(outcome.ending, |ending| ending.meaning),
            });
        }
        Next::Asked(asked) => {
            let kind = table.kind(&asked);
            let choices = asked.choices.iter();
            let choices = choices
                .map(|choice| json!({ "action": choice.action, "name": on_button(&kind, &choice.word), "worth": choice.worth }));
            found["asked"] = json!({
                "position": asked.text, "meaning": kind.meaning, "scene": scene(&asked.scene),
                "choices": choices.collect::<Vec<_>>(),
            });
        }
    }
    Ok(found)
}

/// An answer as the text of a button; for yes or no, the meaning of the question.
fn on_button(kind: &Kind, word: &str) -> String {
    let asks = if kind.meaning.is_empty() { kind.name } else { kind.meaning };
    match word {
        "yes" => asks.to_owned(),
        "no" => format!("do not {asks}"),
        word => word.to_owned(),
    }
}

/// A text with the program's names of answers replaced by those of the buttons.
fn with_buttons(kinds: &[Kind], text: &str) -> String {
    let names = kinds
        .iter()
        .flat_map(|kind| ["yes", "no"].map(|word| (Choice::name(kind, word), on_button(kind, word))));
    names.fold(text.to_owned(), |text, (name, button)| text.replace(&name, &button))
}

/// The table of a game, for the page to draw.
fn scene(scene: &Scene) -> Value {
    let told = |texts: &[(&str, String)]| {
        texts.iter().map(|(name, what)| json!([spoken(name), minus(what)])).collect::<Vec<_>>()
    };
    let cells = |row: &GridRow| row.cells.iter().map(|cell| minus(cell).into_owned()).collect::<Vec<_>>();
    let row =
        |row: &GridRow| json!({ "name": spoken(&row.name), "play": row.is_to_play, "cells": cells(row) });
    let columns = |grid: &Grid| grid.columns.iter().map(|name| spoken(name)).collect::<Vec<_>>();
    let grid = |grid: &Grid| json!({ "columns": columns(grid), "rows": grid.rows.iter().map(row).collect::<Vec<_>>() });
    json!({
        "grids": scene.grids.iter().map(grid).collect::<Vec<_>>(),
        "places": told(&scene.places), "long": told(&scene.long), "notes": told(&scene.notes),
    })
}

/// What each seat has at the end: the game's own metrics first, then those of all games.
fn standings(outcome: &Outcome) -> Value {
    let is_common = |name: &&str| matches!(*name, "turns" | "rolls" | "busts");
    let (common, own): (Vec<&str>, Vec<&str>) = outcome.telling.iter().partition(|name| is_common(name));
    let metrics = [own, common].concat();
    let columns = metrics.iter().map(|name| json!({ "text": name, "number": true }));
    let columns = [json!({ "text": "seat", "number": false })].into_iter().chain(columns);
    let row = |(at, seat): (usize, &Value)| {
        let who = format!("{} · {}", at + 1, seat["policy"].as_str().unwrap_or_default());
        let values = metrics.iter().map(|name| seat["metrics"][name].to_string());
        std::iter::once(who).chain(values).collect::<Vec<_>>()
    };
    let rows: Vec<_> = outcome.seats.iter().enumerate().map(row).collect();
    json!({ "columns": columns.collect::<Vec<_>>(), "rows": rows, "notes": [] })
}

/// What each choice is worth in the position that is open.
pub(super) fn worth(clerk: &Clerk<'_>, sitting: &Sitting, stop: &StopToken) -> Result<Value, Wrong> {
    let session = sitting.session(clerk, stop)?;
    let (mut table, named) = sitting.table(&session)?;
    let Some((_, Next::Asked(asked))) = table.told()? else { return Err(answered_otherwise()) };
    let found = Threads::new(Some(clerk.threads), u64::MAX)?.within(|| {
        let advisor = sitting.advisor(clerk, &session, named)?;
        advisor.advise(&session, advisor.asked(&asked.text)?).map_err(|failure| newer_or(&session, failure))
    });
    let report = found?.report();
    let kinds = table.rules().kinds();
    let said = |text: &String| with_buttons(kinds, text);
    let choices = report.sections.iter().find(|section| section.title == "Choices");
    let blocks = choices.map(|section| &section.blocks[..]).unwrap_or_default();
    let views = blocks.iter().filter_map(|block| match block {
        Block::View(view) | Block::Long(view) => Some(told_view(view, &said)),
        _ => None,
    });
    let notes = blocks.iter().filter_map(|block| match block {
        Block::Note(note) | Block::Sentence(note) => Some(said(note)),
        _ => None,
    });
    Ok(
        json!({ "answer": report.answer.iter().map(said).collect::<Vec<_>>(), "tables": views.collect::<Vec<_>>(), "notes": notes.collect::<Vec<_>>() }),
    )
}

/// The review of a game that is over.
pub(super) fn reviewed(clerk: &Clerk<'_>, sitting: &Sitting, stop: &StopToken) -> Result<Value, Wrong> {
    let session = sitting.session(clerk, stop)?;
    let (mut table, named) = sitting.table(&session)?;
    let Some((_, Next::Over(outcome))) = table.told()? else { return Err(answered_otherwise()) };
    let review = Threads::new(Some(clerk.threads), u64::MAX)?.within(|| {
        let advisor = sitting.advisor(clerk, &session, named)?;
        review(&session, &table, &advisor, Some(&outcome)).map_err(|failure| newer_or(&session, failure))
    });
    Ok(json!({ "review": with_buttons(table.rules().kinds(), &review?) }))
}

/// Why there is no answer: a newer question came meanwhile, or an error.
fn newer_or(session: &Session, failure: Failure) -> Wrong {
    if session.is_ending() { Wrong(409, "Something newer was asked.".into()) } else { failure.into() }
}

fn answered_otherwise() -> Wrong {
    Wrong(422, "These answers are none of this game: begin a new one.".into())
}

fn told_view(view: &View, said: &impl Fn(&String) -> String) -> Value {
    let columns =
        view.columns.iter().map(|column| json!({ "text": column.text, "number": column.is_number }));
    let rows = view.rows.iter().map(|row| row.iter().map(said).collect::<Vec<_>>());
    json!({ "columns": columns.collect::<Vec<_>>(), "rows": rows.collect::<Vec<_>>(), "notes": view.notes })
}

impl Sitting {
    /// A session that can be asked to end.
    fn session(&self, clerk: &Clerk<'_>, stop: &StopToken) -> Result<Session, Wrong> {
        Ok(self.setting.files(clerk.folder)?.session(stop.clone()))
    }

    fn table(&self, session: &Session) -> Result<(PlayedGame, NamedRules), Wrong> {
        let named = self.setting.rules(session)?;
        let seats = named.rules.seats();
        if self.seat >= seats || self.answers.len() > ANSWERS {
            return Err(Wrong(422, format!("The seats are 1 to {seats}.")));
        }
        let others = lineup(session, &*named.rules, &self.setting.policies(), None, self.setting.seed())?;
        if others.is_empty() {
            return Err(Wrong(422, "Choose a policy to play against.".into()));
        }
        let table =
            PlayedGame::new(Arc::clone(&named.rules), others, self.seat, (self.setting.seed(), self.trial));
        Ok((table.with(&self.answers), named))
    }

    /// The advisor: that of the last question, if it is about the same game and policies.
    fn advisor(
        &self,
        clerk: &Clerk<'_>,
        session: &Session,
        named: NamedRules,
    ) -> Result<Arc<Advisor>, Wrong> {
        let setting = &self.setting;
        let key = Known {
            words: format!("{:?}", (setting.game(), setting.policies())),
            files: setting.files(clerk.folder)?,
        };
        if let Some(known) = clerk.adviser.known(&key) {
            return Ok(known);
        }
        let NamedRules { name, rules } = named;
        let lineup = lineup(session, &*rules, &setting.policies(), None, setting.seed())?;
        let of = Advised {
            rules,
            name,
            lineup,
            metric: None,
            trials: None,
            seed: setting.seed(),
            by: By::Auto,
            memory: usize::try_from(clerk.memory).unwrap_or(usize::MAX),
            quiet: true,
        };
        let new = Arc::new(Advisor::new(session, of).map_err(|failure| newer_or(session, failure))?);
        clerk.adviser.keep(key, &new);
        Ok(new)
    }

    /// The command that plays this game at a terminal.
    fn command(&self, seats: usize) -> String {
        let game = self.setting.game();
        let mut words = vec!["stopwise".to_owned(), "play".into(), game.game];
        let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
        game.rules.into_iter().for_each(|rules| option("--rules", rules));
        game.set.into_iter().for_each(|set| option("--set", set));
        if seats > 1 {
            let policies = self.setting.policies();
            let is_one = policies.len() == 1;
            let others = policies.into_iter().enumerate().filter(|(seat, _)| is_one || *seat != self.seat);
            others.for_each(|(_, policy)| option("--against", policy));
            option("--seat", (self.seat + 1).to_string());
        }
        option("--trial", self.trial.to_string());
        shell_line(&words)
    }
}

/// The advisor of the last question, so that a game is solved only once.
#[derive(Default)]
pub(super) struct Adviser(Mutex<Option<(Known, Arc<Advisor>)>>);

/// What an advisor was made for: a game with its rules and policies, as they are typed, and the files that these name.
#[derive(PartialEq)]
struct Known {
    words: String,
    files: Files,
}

impl Adviser {
    fn known(&self, key: &Known) -> Option<Arc<Advisor>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().filter(|(known, _)| known == key).map(|(_, advisor)| Arc::clone(advisor))
    }

    fn keep(&self, key: Known, advisor: &Arc<Advisor>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((key, Arc::clone(advisor)));
    }
}

impl fmt::Debug for Adviser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Adviser").finish_non_exhaustive()
    }
}
