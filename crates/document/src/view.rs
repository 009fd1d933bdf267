//! Tables for people.

use std::borrow::Cow;

/// A table for people: cells are written as they are to be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Above it; may be empty.
    pub title: String,
    /// What it is, for pages, where nothing stands above it; may be empty. A terminal shows it in its place.
    pub caption: &'static str,
    /// So many more columns than the first one say what rows are about, and begin every part of a wide table.
    pub more_heads: usize,
    /// One for each cell of a row.
    pub columns: Vec<Title>,
    /// As many cells a row as there are columns.
    pub rows: Vec<Vec<String>>,
    /// Below it, in small print.
    pub notes: Vec<String>,
}

/// The head of a column of a [`View`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Title {
    /// May be empty.
    pub text: String,
    /// Whether its cells are numbers, which end at the same place.
    pub is_number: bool,
}

impl View {
    /// A table without columns.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Says on pages what it is.
    #[must_use]
    pub fn captioned(mut self, caption: &'static str) -> Self {
        self.caption = caption;
        self
    }

    /// Columns so far say what rows are about.
    #[must_use]
    pub fn heads(mut self) -> Self {
        self.more_heads = self.columns.len().saturating_sub(1);
        self
    }

    /// One more column of texts.
    #[must_use]
    pub fn texts(mut self, title: impl Into<String>) -> Self {
        self.columns.push(Title { text: title.into(), is_number: false });
        self
    }

    /// One more column of numbers.
    #[must_use]
    pub fn numbers(mut self, title: impl Into<String>) -> Self {
        self.columns.push(Title { text: title.into(), is_number: true });
        self
    }

    /// One more row.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let mut row = Vec::new();
        for cell in cells {
            row.push(cell.into());
        }
        self.put(row);
    }

    fn put(&mut self, row: Vec<String>) {
        assert_eq!(row.len(), self.columns.len(), "a cell for each column");
        self.rows.push(row);
    }

    /// Its first rows, and a note on how many more there are.
    pub(crate) fn beginning(&self, rows: usize) -> Cow<'_, Self> {
        if self.rows.len() <= rows {
            return Cow::Borrowed(self);
        }
        let more = format!("… {} more rows", self.rows.len() - rows);
        let notes = std::iter::once(more).chain(self.notes.iter().cloned()).collect();
        Cow::Owned(Self {
            title: self.title.clone(),
            caption: self.caption,
            more_heads: self.more_heads,
            columns: self.columns.clone(),
            rows: self.rows[..rows].to_vec(),
            notes,
        })
    }

    /// One more note below.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }
}
