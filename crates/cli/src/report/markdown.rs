//! Tables as Markdown.

use std::fmt::Write as _;

use crate::failure::Failure;

/// Columns that are written once above the table, where they do not vary.
const ABOUT: [&str; 6] = ["game", "rules", "policy", "seat", "trials", "method"];

/// Renders tables, each given by its file name and the bytes of its CSV file.
pub(crate) fn markdown(tables: &[(&str, Vec<u8>)]) -> Result<String, Failure> {
    let mut out = String::new();
    for (name, bytes) in tables {
        let mut reader = csv::Reader::from_reader(bytes.as_slice());
        let header: Vec<String> = reader.headers()?.iter().map(str::to_owned).collect();
        let rows = reader
            .records()
            .map(|row| Ok(row?.iter().map(str::to_owned).collect::<Vec<_>>()))
            .collect::<Result<Vec<_>, Failure>>()?;
        if !rows.is_empty() {
            let title = name.trim_end_matches(".csv").replace('_', " ");
            let _ = writeln!(out, "{}### {title}\n", if out.is_empty() { "" } else { "\n" });
            one_table(&mut out, &header, &rows);
        }
    }
    Ok(out)
}

fn one_table(out: &mut String, header: &[String], rows: &[Vec<String>]) {
    let is_about = |column: usize| {
        ABOUT.contains(&header[column].as_str()) && rows.iter().all(|row| row[column] == rows[0][column])
    };
    let (about, columns): (Vec<_>, Vec<_>) = (0..header.len()).partition(|&column| is_about(column));
    if !about.is_empty() {
        let said: Vec<_> =
            about.iter().map(|&column| format!("{} {}", header[column], escaped(&rows[0][column]))).collect();
        let _ = writeln!(out, "{}\n", said.join(" · "));
    }
    let cells: Vec<Vec<String>> =
        rows.iter().map(|row| columns.iter().map(|&column| short(&row[column])).collect()).collect();
    let is_number = |at: usize| cells.iter().all(|row| row[at].is_empty() || row[at].parse::<f64>().is_ok());
    let widths: Vec<_> = (0..columns.len())
        .map(|at| {
            let of_cells = cells.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
            of_cells.max(header[columns[at]].chars().count()).max(3)
        })
        .collect();
    let padded = |at: usize, text: &str| match is_number(at) {
        true => format!("{text:>0$}", widths[at]),
        false => format!("{text:<0$}", widths[at]),
    };
    let row = |texts: &[String]| {
        let texts: Vec<_> = texts.iter().enumerate().map(|(at, text)| padded(at, text)).collect();
        format!("| {} |", texts.join(" | "))
    };
    let names: Vec<_> = columns.iter().map(|&column| header[column].clone()).collect();
    let rule = |at: usize| match is_number(at) {
        true => format!("{}:", "-".repeat(widths[at] + 1)),
        false => "-".repeat(widths[at] + 2),
    };
    let _ = writeln!(out, "{}", row(&names));
    let _ = writeln!(out, "|{}|", (0..columns.len()).map(rule).collect::<Vec<_>>().join("|"));
    cells.iter().for_each(|cells| {
        let _ = writeln!(out, "{}", row(cells));
    });
}

/// Five digits of a number with decimals; other texts as they are, safe within a table.
fn short(cell: &str) -> String {
    match cell.parse::<f64>() {
        Ok(value) if cell.contains('.') && value.is_finite() => {
            // 12345.6 has no place left, 1234.56 one, …
            let limits = std::iter::successors(Some(1e4), |limit| Some(limit / 10.0));
            let places = if value == 0.0 {
                0
            } else {
                limits.take(9).take_while(|&limit| value.abs() < limit).count()
            };
            let text = format!("{value:.places$}");
            if places > 0 { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
        }
        _ => escaped(cell),
    }
}

fn escaped(cell: &str) -> String {
    cell.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_with_what_it_is_about_above() {
        let bytes =
            b"game,policy,metric,mean,count\npig,a|b,score,12.345678,1000\npig,a|b,turns,-0.000123456,7\n";
        let found = markdown(&[("summary.csv", bytes.to_vec())]).expect("a table");
        let expected = "### summary\n\ngame pig · policy a\\|b\n\n\
            | metric |        mean | count |\n\
            |--------|------------:|------:|\n\
            | score  |      12.346 |  1000 |\n\
            | turns  | -0.00012346 |     7 |\n";
        assert_eq!(found, expected);
    }

    #[test]
    fn numbers_keep_five_digits() {
        let cases = [
            ("134.123456", "134.12"),
            ("0.500000", "0.5"),
            ("1234567.891", "1234568"),
            ("0.000000000", "0"),
            ("1000", "1000"),
            ("tidy:k=2.5", "tidy:k=2.5"),
            ("", ""),
        ];
        for (cell, text) in cases {
            assert_eq!(short(cell), text);
        }
    }
}
