//! The document.

use crate::cell::Cell;
use crate::chart::Chart;
use crate::dataset::Dataset;
use crate::view::View;

/// What a command found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The command, such as `simulate`.
    pub command: &'static str,
    /// One line: what was played.
    pub head: String,
    /// What was played, for programs: the first fields of JSON.
    pub facts: Vec<Fact>,
    /// What was played, for pages: rules and policies in words and as texts.
    pub played: Vec<Folded>,
    /// What whoever asked has to say of it, a paragraph each.
    pub remarks: Vec<String>,
    /// What was found, in a sentence or a few.
    pub answer: Vec<String>,
    /// Pictures, tables and sentences, by topic.
    pub sections: Vec<Section>,
    /// What may mislead, and what to do about it.
    pub warnings: Vec<String>,
    /// What was said beside of what is played, for programs.
    pub notes: Vec<String>,
    /// The tables for programs; the first is the main one.
    pub data: Vec<Dataset>,
    /// The files of tables that are left out, because there was no time for them.
    pub left_out: Vec<&'static str>,
    /// Where a terminal is to show the beginning alone: how to have the rest.
    pub brief: Option<&'static str>,
    /// A command that gives the same result again.
    pub repeat: String,
    /// Whether the numbers are times: that command measures them anew.
    pub is_timed: bool,
    /// Words and numbers of the report, and what they mean.
    pub terms: Vec<(String, String)>,
}

/// A field of the document's head.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// In JSON.
    pub name: &'static str,
    /// Its value.
    pub value: Cell,
}

/// A text that is long, and folded on pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folded {
    /// What is seen of it.
    pub title: String,
    /// Prose, a paragraph each; may be empty.
    pub prose: Vec<String>,
    /// A table of options; may be empty.
    pub options: View,
    /// A text as it stands in a file; may be empty.
    pub source: String,
    /// Whether it begins unfolded, if it is short.
    pub is_open: bool,
}

/// A topic.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// May be empty.
    pub title: String,
    /// In the order in which they are read.
    pub blocks: Vec<Block>,
}

/// A piece of a section.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A sentence or a few.
    Sentence(String),
    /// The same in small print: a method, a definition.
    Note(String),
    /// A table for people.
    View(View),
    /// A chart.
    Chart(Chart),
    /// A table for people that pages and Markdown have and the terminal does not: it is long there.
    Long(View),
}

impl Section {
    /// A section without blocks.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), blocks: Vec::new() }
    }

    /// Adds a sentence.
    pub fn sentence(&mut self, sentence: impl Into<String>) {
        self.blocks.push(Block::Sentence(sentence.into()));
    }

    /// Adds a note.
    pub fn note(&mut self, note: impl Into<String>) {
        self.blocks.push(Block::Note(note.into()));
    }

    /// Adds a table, unless it has no row.
    pub fn view(&mut self, view: View) {
        if !view.rows.is_empty() {
            self.blocks.push(Block::View(view));
        }
    }

    /// Adds a chart.
    pub fn chart(&mut self, chart: Chart) {
        self.blocks.push(Block::Chart(chart));
    }
}

impl Report {
    /// Adds a fact.
    pub fn fact(&mut self, name: &'static str, value: impl Into<Cell>) {
        self.facts.push(Fact { name, value: value.into() });
    }

    /// Adds a section, unless it has no block.
    pub fn section(&mut self, section: Section) {
        if !section.blocks.is_empty() {
            self.sections.push(section);
        }
    }

    /// The dataset of this file.
    #[must_use]
    pub fn dataset(&self, file: &str) -> Option<&Dataset> {
        self.data.iter().find(|dataset| dataset.file == file)
    }
}
