//! `compare`.

use super::{COMPARED, plain, sheet};
use crate::common::sheet::Sheet;
use crate::common::{data, good};

/// Everything that a comparison prints and writes.
#[test]
fn comparisons() {
    for (name, line) in [
        (
            "compare-carbonite",
            "compare carbonite -p tidy -p first:k=2 -p first:k=3 -n 2k --threads 1 --divergent 2",
        ),
        ("compare-pig", "compare pig -p hold+hold-at-25 -p hold -n 2k --threads 1 --divergent 2 --seed 5"),
        (
            "compare-until",
            "compare pig -p hold+hold-at-25 -p hold --rotate --until-decided 0.02 --until-width 0.1 --threads 1 \
             --divergent 1",
        ),
    ] {
        sheet(line, name, &plain(COMPARED));
    }
}

/// One trial, policies that always play the same game, metrics that never vary, nobody who wins.
#[test]
fn comparisons_with_little_to_say() {
    let mut sheet = Sheet::new("compare-little-to-say");
    for options in [
        "--rules solo -p hold -p hold:n=25 -n 1 --divergent 1",
        "--rules solo --set goal=20 -p hold -p hold:n=25 -n 500 --divergent 1",
        "-p hold -p hold-at-25 -n 500 --set turn_cap=2",
        "--rules solo --set goal=20 -p hold -p hold:n=25 -n 2k --until-decided 0",
        "-p hold -p hold:n=25 -n 1 --until-width 1",
    ] {
        let line = format!("compare pig -q {options}");
        let found = good(&data(), &line).stdout;
        sheet.whole(&format!("stopwise {line}"), &found);
        let [csv, json] = ["csv", "json"].map(|as_what| good(&data(), &format!("{line} --format {as_what}")));
        for nonsense in ["NaN", "nan", "inf", "-0.00 ", "−0.00 ", "-0.000000", "-0,"] {
            for text in [&found, &csv.stdout, &json.stdout] {
                assert!(!text.contains(nonsense), "{nonsense} in\n{text}");
            }
        }
    }
    sheet.check();
}
