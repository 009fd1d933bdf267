//! Shares of wins in tables. Trials count them in parts of a win, so that tallies are integers; whoever reads a table reads games.

use stopwise_document::{Cell, DataType, Dataset, Real};
use stopwise_engine::game::Metric;

use crate::numbers::as_read;

/// In tables of these metrics a share of a win is from 0 to 1.
pub(super) fn in_games(tables: &mut [Dataset], metrics: &[Metric]) {
    for metric in metrics.iter().filter(|metric| metric.is_share()) {
        for table in &mut *tables {
            read(table, metric);
            retyped(table);
        }
    }
}

/// A column of whole numbers in which halves stand is one of numbers.
pub(super) fn retyped(table: &mut Dataset) {
    for (at, column) in table.columns.iter_mut().enumerate() {
        let is_real = |row: &Vec<Cell>| matches!(row[at], Cell::Real(..));
        if column.data_type == DataType::Integer && table.rows.iter().any(is_real) {
            column.data_type = DataType::Real;
        }
    }
}

fn read(table: &mut Dataset, metric: &Metric) {
    let place = |name: &str| table.columns.iter().position(|column| column.name == name);
    let (Some(name), unit) = (place("metric"), place("unit")) else { return };
    let is_measured = |column: &usize| table.columns[*column].unit == "unit of the metric";
    let measured: Vec<_> = (0..table.columns.len()).filter(is_measured).collect();
    for row in table.rows.iter_mut().filter(|row| row[name] == Cell::text(metric.name)) {
        for &column in &measured {
            row[column] = of_a_win(&row[column], metric);
        }
        // A share of trials stays one.
        if let Some(unit) = unit.filter(|unit| row[*unit] == Cell::text(metric.unit)) {
            row[unit] = as_read(metric).1.into();
        }
    }
}

/// A number of parts as a number of wins.
fn of_a_win(cell: &Cell, metric: &Metric) -> Cell {
    let whole = f64::from(metric.whole());
    match *cell {
        Cell::Count(parts) => Real::shortest(parts as f64 / whole).into(),
        Cell::Whole(parts) => Real::shortest(parts as f64 / whole).into(),
        Cell::Real(parts, form) => Cell::Real(parts / whole, form),
        ref other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use stopwise_document::Sheet;
    use stopwise_engine::game::Role;

    use super::*;

    /// Who shares a win with one other has half of one, whatever it is counted in.
    #[test]
    fn a_share_is_from_0_to_1() {
        let share = Metric { role: Role::Share(12), ..Metric::end("share", "1/12 games", "a share") };
        let metrics = [Metric::WIN, share];
        let sheet = Sheet::new("s.csv")
            .column("metric", "", "", |metric: &Metric| metric.name)
            .column("unit", "", "", |metric| metric.unit)
            .column("trials", "trials", "", |_| 12_u64)
            .column("mean", "unit of the metric", "", |metric| Real::number(f64::from(metric.whole()) / 2.0))
            .column("max", "unit of the metric", "", Metric::whole);
        let mut tables = [sheet.fill(metrics)];
        in_games(&mut tables, &metrics);
        let written = |row: &Vec<Cell>| row.iter().map(Cell::written).collect::<Vec<_>>().join(",");
        let rows: Vec<_> = tables[0].rows.iter().map(written).collect();
        assert_eq!(rows, ["win,games,12,0.500000,1", "share,games,12,0.500000,1"]);
        let types = tables[0].columns.iter().map(|column| column.data_type);
        assert_eq!(types.filter(|of| *of == DataType::Real).count(), 2);
        // A share of trials is one of whatever was measured.
        let asked = Sheet::new("asked.csv").column("metric", "", "", |metric: &Metric| metric.name).column(
            "unit",
            "",
            "",
            |_| "share",
        );
        let mut tables = [asked.fill(metrics)];
        in_games(&mut tables, &metrics);
        assert_eq!(tables[0].rows[1][1], Cell::text("share"));
    }
}
