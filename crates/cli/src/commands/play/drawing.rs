//! The table of a game, drawn at a terminal.

use stopwise_document::text::{Style, folded};
use stopwise_engine::vocabulary::{Grid, Scene};
use stopwise_narration::spoken;

/// Before every line.
const MARGIN: &str = "      ";
/// The same, before the row of the player who decides.
const TO_PLAY: &str = "    > ";
/// A non-breaking space.
const CLOSE: &str = "\u{a0}";
/// An empty cell.
const NOTHING: &str = ".";

/// The table, in lines that fit the terminal.
pub(super) fn drawn(scene: &Scene, style: Style) -> String {
    let mut said = String::new();
    for grid in &scene.grids {
        said += &cells(grid, style);
    }
    said += &listed(&scene.places, style);
    let note = |(name, what): &(&str, String)| format!("{} {what}", spoken(name)).replace(' ', CLOSE);
    let notes: Vec<String> = scene.notes.iter().map(note).collect();
    if !notes.is_empty() {
        said += &painted("2", &line(&notes.join(" · "), style), style);
    }
    said
}

/// The single values, one a line.
pub(super) fn listed(places: &[(&str, String)], style: Style) -> String {
    let wide = places.iter().map(|(place, _)| place.chars().count()).max().unwrap_or(0);
    let of = |(place, what): &(&str, String)| line(&format!("{:wide$}  {what}", spoken(place)), style);
    places.iter().map(of).collect()
}

/// A line, or more where it is too long.
fn line(text: &str, style: Style) -> String {
    folded(&format!("{MARGIN}{text}\n"), style.width).replace(CLOSE, " ")
}

/// Rows of cells, in as many blocks of columns as are needed.
fn cells(grid: &Grid, style: Style) -> String {
    let rows = || grid.rows.iter();
    let names = rows().map(|row| row.name.chars().count()).max().unwrap_or(0);
    let before = MARGIN.len() + names;
    let cell = |what: &str| (if what.is_empty() { NOTHING } else { what }).to_owned();
    let widths: Vec<usize> = (0..grid.columns.len())
        .map(|at| {
            let heading = grid.columns[at].chars().count();
            rows().map(|row| row.cells[at].chars().count()).fold(heading, usize::max) + 2
        })
        .collect();
    let mut said = String::new();
    let mut first = 0;
    while first < widths.len() {
        let mut last = first + 1;
        let mut wide = before + widths[first];
        while last < widths.len() && wide + widths[last] <= style.width {
            wide += widths[last];
            last += 1;
        }
        let side_by_side = |texts: &mut dyn Iterator<Item = String>| -> String {
            texts.zip(&widths[first..last]).map(|(text, wide)| format!("{text:>wide$}")).collect()
        };
        let heading = side_by_side(&mut grid.columns[first..last].iter().map(|column| spoken(column)));
        said += &format!("{:before$}{heading}\n", "");
        for row in rows() {
            let margin = if row.is_to_play { TO_PLAY } else { MARGIN };
            let what = side_by_side(&mut row.cells[first..last].iter().map(|what| cell(what)));
            let row_of = format!("{margin}{:names$}{what}\n", spoken(&row.name));
            said += &if row.is_to_play { painted("1", &row_of, style) } else { row_of };
        }
        first = last;
    }
    said
}

/// Lines in a colour or weight of the terminal.
fn painted(code: &str, lines: &str, style: Style) -> String {
    if !style.is_coloured {
        return lines.to_owned();
    }
    lines.lines().map(|line| format!("\x1b[{code}m{line}\x1b[0m\n")).collect()
}

#[cfg(test)]
mod tests {
    use stopwise_engine::vocabulary::GridRow;

    use super::*;

    fn scene() -> Scene {
        let row = |name: &str, is_to_play, cells: &[&str]| GridRow {
            name: name.into(),
            is_to_play,
            cells: cells.iter().map(|&cell| cell.into()).collect(),
        };
        let columns = ["2", "three", "12"].map(str::to_owned).into();
        let rows = vec![row("seat 1 track", true, &["1", "", "10"]), row("ahead", false, &["", "3", ""])];
        Scene {
            grids: vec![Grid { columns, rows }],
            places: vec![
                ("dice", "[1] [4]".into()),
                ("left", "2 dice".into()),
                ("deck", "5, of 2 kinds".into()),
            ],
            long: vec![("deck", "3 × green · 2 × red".into())],
            notes: vec![("goal_left", "4 points".into()), ("safe", "yes".into())],
        }
    }

    #[test]
    fn a_table_is_drawn() {
        let expected = "                    2  three  12
    > seat 1 track  1      .  10
      ahead         .      3   .
      dice  [1] [4]
      left  2 dice
      deck  5, of 2 kinds
      goal left 4 points · safe yes
";
        assert_eq!(drawn(&scene(), Style { width: 80, is_coloured: false }), expected);
    }

    #[test]
    fn wide_rows_go_on_below() {
        let said = drawn(&scene(), Style { width: 30, is_coloured: false });
        let headings: Vec<&str> =
            said.lines().filter(|line| line.starts_with("        ") && !line.contains("ahead")).collect();
        assert_eq!(headings.len(), 2, "{said}");
        assert!(said.lines().all(|line| line.chars().count() <= 40), "{said}");
        let coloured = drawn(&scene(), Style { width: 80, is_coloured: true });
        assert!(
            coloured.contains("\x1b[1m    > seat 1 track") && coloured.contains("\x1b[2m      goal left 4")
        );
    }
}
