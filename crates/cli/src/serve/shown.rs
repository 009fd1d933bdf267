//! What the page shows: a setting in a view.

use serde::{Deserialize, Serialize};

use super::setting::Setting;

/// What is shown.
#[derive(Debug, Deserialize)]
pub(super) struct Shown {
    pub(super) setting: Setting,
    #[serde(default)]
    pub(super) trials: u64,
    #[serde(default)]
    pub(super) view: View,
    #[serde(default)]
    pub(super) held: Held,
}

/// In which view.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum View {
    #[default]
    Games,
    Ranking,
    Held,
}

/// Which table, as far as it was chosen: the decision, and features for the rows, for the columns (if any) and for the cells.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct Held {
    pub(super) kind: Option<String>,
    pub(super) rows: Option<String>,
    pub(super) columns: Option<String>,
    pub(super) from: Option<String>,
}
