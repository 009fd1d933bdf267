//! A position as it lies on the table before a player.

/// What a player sees of a position. Names and contents are in words; contents that are empty are nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    /// What players have, and what there are several of.
    pub grids: Vec<Grid>,
    /// What there is one of: its name, and what is there at a glance; of a deck how much it is.
    pub places: Vec<(&'static str, String)>,
    /// All that is there of what is too much to be seen at a glance, by the same name.
    pub long: Vec<(&'static str, String)>,
    /// What is worked out for whoever decides.
    pub notes: Vec<(&'static str, String)>,
}

/// Small cells in rows, under their headings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// The headings, one for each cell of a row.
    pub columns: Vec<String>,
    /// The rows, one below the other.
    pub rows: Vec<GridRow>,
}

/// A row of cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GridRow {
    /// Whose cells, or of what.
    pub name: String,
    /// Whether they are those of whoever decides.
    pub is_to_play: bool,
    /// The cells.
    pub cells: Vec<String>,
}
