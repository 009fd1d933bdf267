//! Charts as data: what is drawn, with axes, units and intervals, and nothing of how.

/// A chart. Its plots show the same thing in different ways; the first is shown at once.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Above it, in a few words.
    pub title: String,
    /// What it shows, in a sentence: for who cannot see it, too.
    pub sentence: String,
    /// Each with the name of its button; the name of an only one is not shown.
    pub plots: Vec<(String, Plot)>,
    /// Whether the text report draws it.
    pub is_in_text: bool,
    /// The file of the dataset that has all of its numbers, such as `sweep.csv`; may be empty.
    pub file: &'static str,
    /// Whether a table beside it says the same, so that pages have no other behind it.
    pub is_beside_table: bool,
}

impl Chart {
    /// A chart with one plot, drawn on pages alone.
    pub fn new(title: impl Into<String>, sentence: impl Into<String>, plot: Plot) -> Self {
        Self {
            title: title.into(),
            sentence: sentence.into(),
            plots: vec![(String::new(), plot)],
            is_in_text: false,
            file: "",
            is_beside_table: false,
        }
    }

    /// The same chart, all of whose numbers are in this dataset.
    #[must_use]
    pub fn from_file(mut self, file: &'static str) -> Self {
        self.file = file;
        self
    }

    /// The same chart, with a table beside it that says the same.
    #[must_use]
    pub fn beside_table(mut self) -> Self {
        self.is_beside_table = true;
        self
    }

    /// The same chart, drawn in the text report as well.
    #[must_use]
    pub fn in_text(mut self) -> Self {
        self.is_in_text = true;
        self
    }

    /// The same chart with another plot, to be chosen by this name; `first` names the one there was.
    #[must_use]
    pub fn or(mut self, first: &str, name: &str, plot: Plot) -> Self {
        if let [(only, _)] = self.plots.as_mut_slice() {
            first.clone_into(only);
        }
        self.plots.push((name.into(), plot));
        self
    }
}

/// What is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Plot {
    /// Bars over ranges of numbers: a histogram.
    Bins(Bins),
    /// Lines over numbers or levels, with bands.
    Lines(Lines),
    /// A value and its interval a row.
    Intervals(Intervals),
    /// Bars a row, of parts end to end or side by side.
    Bars(Bars),
    /// Colours on a grid, once or as small multiples.
    Heat(Heat),
}

/// An axis of numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// What is measured.
    pub title: String,
    /// What one of it is; empty for shares and plain numbers, `%-points` for differences of shares.
    pub unit: String,
    /// Whether values are shares from 0 to 1, or differences of them, shown times 100.
    pub is_share: bool,
    /// Instead of numbers: the names of 0, 1, 2, …
    pub levels: Vec<String>,
}

impl Axis {
    /// An axis of a number with a unit.
    pub fn of(title: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { title: title.into(), unit: unit.into(), ..Self::default() }
    }

    /// An axis of shares from 0 to 1.
    pub fn share(title: impl Into<String>) -> Self {
        Self { title: title.into(), is_share: true, ..Self::default() }
    }

    /// An axis of differences of shares, which are percentage points.
    pub fn points(title: impl Into<String>) -> Self {
        Self { unit: "%-points".into(), ..Self::share(title) }
    }

    /// What a share is followed by.
    pub(crate) fn percent(&self) -> &str {
        if self.unit.is_empty() { "%" } else { &self.unit }
    }

    /// An axis of names.
    pub fn levels(title: impl Into<String>, levels: Vec<String>) -> Self {
        Self { title: title.into(), levels, ..Self::default() }
    }
}

/// A line across the chart at a value of x, with a few words: a median, a target.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// The value of x.
    pub at: f64,
    /// The words beside the line.
    pub label: String,
}

/// A histogram, of one or several series drawn over each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bins {
    /// The axis of the values.
    pub x: Axis,
    /// The axis of the heights of the bars.
    pub y: Axis,
    /// The series by name; a single one may have an empty name.
    pub series: Vec<(String, Vec<Bin>)>,
    /// Lines across the chart at values of x.
    pub marks: Vec<Mark>,
}

/// A bar of a histogram.
#[derive(Clone, Debug, PartialEq)]
pub struct Bin {
    /// The whole numbers from `from` to `to`, both included; `to` is infinite in the last bar if it holds all others.
    pub from: f64,
    /// The greatest value of the bar.
    pub to: f64,
    /// The height of the bar, on y.
    pub value: f64,
    /// The limits of the height, on y.
    pub interval: Option<[f64; 2]>,
}

/// Lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lines {
    /// Of the points, from left to right.
    pub x: Axis,
    /// Of their values.
    pub y: Axis,
    /// By order; a colour each.
    pub series: Vec<Line>,
    /// On x.
    pub marks: Vec<Mark>,
    /// A value of y that means "no difference", if there is one.
    pub reference: Option<f64>,
}

/// A line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// An only one may have none.
    pub name: String,
    /// In the order of x.
    pub points: Vec<Point>,
    /// Whether it keeps its value up to the next point, as a distribution function does.
    pub is_step: bool,
}

/// A point of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Where.
    pub x: f64,
    /// Its value.
    pub y: f64,
    /// On y.
    pub interval: Option<[f64; 2]>,
    /// Whether it stands out: the best, or one that may be.
    pub tone: Tone,
}

/// What is to be seen of a thing at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// Nothing.
    #[default]
    Plain,
    /// It is the best, or passes.
    Best,
    /// It may be the best, or may pass.
    Possible,
    /// It fails.
    Bad,
}

/// Values with intervals, a row each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Intervals {
    /// Of the values.
    pub x: Axis,
    /// From top to bottom.
    pub rows: Vec<Row>,
    /// A value that means "no difference" or "fair".
    pub reference: Option<Mark>,
}

/// A row of [`Intervals`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// Its name.
    pub label: String,
    /// Rows of one group stand together under its name; may be empty.
    pub group: String,
    /// Unknown where nothing was measured.
    pub value: Option<f64>,
    /// Its interval.
    pub interval: Option<[f64; 2]>,
    /// The range that it is wished to be in, either end open.
    pub wish: Option<[Option<f64>; 2]>,
    /// How it stands out.
    pub tone: Tone,
    /// More about it, in a few words: a place, a verdict; may be empty.
    pub note: String,
}

/// Bars, a row each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bars {
    /// Of the lengths.
    pub x: Axis,
    /// The names of the parts of every bar; one is enough.
    pub parts: Vec<String>,
    /// From top to bottom: a name and the length of every part.
    pub rows: Vec<(String, Vec<Option<f64>>)>,
    /// Whether parts stand end to end (shares of a whole) or side by side.
    pub is_stacked: bool,
}

/// Colours on a grid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heat {
    /// Columns, by level.
    pub x: Axis,
    /// Rows from top to bottom, by level.
    pub y: Axis,
    /// Of the colours: a ramp, or, where it has levels, a colour each.
    pub value: Axis,
    /// One, or small multiples.
    pub panels: Vec<Panel>,
    /// The value in the middle of a scale with two ends; without it the scale has one.
    pub middle: Option<f64>,
    /// Whether low values are the good ones.
    pub is_lower_better: bool,
    /// What the marks in the cells mean, in a sentence; may be empty.
    pub legend: String,
}

impl Heat {
    /// Every cell of which something is known.
    pub(crate) fn cells(&self) -> impl Iterator<Item = &Heated> {
        self.panels.iter().flat_map(|panel| panel.cells.iter().flatten().flatten())
    }

    /// What their colours say.
    pub(crate) fn values(&self) -> impl Iterator<Item = f64> {
        self.cells().filter_map(|cell| cell.value)
    }
}

/// A grid of a [`Heat`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// Its level of a third axis; empty for an only one.
    pub title: String,
    /// As many rows as y has levels, as many cells as x has.
    pub cells: Vec<Vec<Option<Heated>>>,
}

/// A cell of a grid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heated {
    /// What its colour says; a cell without has no colour.
    pub value: Option<f64>,
    /// Its interval.
    pub interval: Option<[f64; 2]>,
    /// How it stands out.
    pub tone: Tone,
    /// What it says in words, which stand in it instead of the value; may be empty.
    pub words: String,
}

impl Heated {
    /// A cell of which nothing but the value is known.
    #[must_use]
    pub fn of(value: f64) -> Self {
        Self { value: Some(value), ..Self::default() }
    }
}
