//! `sweep`.

use super::{SWEPT, sheet};
use crate::common::sheet::Sheet;
use crate::common::{Ran, data, good, program, read, scratch};

/// Everything that a sweep prints and writes: a line for one axis, a map for two, a list for three.
#[test]
fn sweeps() {
    for (name, axes, line) in [
        ("sweep-carbonite", "k", "sweep carbonite -p first --vary k=1..5 -n 2k --paired 500"),
        (
            "sweep-pig",
            "1.n,goal",
            "sweep pig -p hold -p hold-at-25 --rotate --vary 1.n=12..24:6 --vary-rule goal=50,100 -n 2k",
        ),
        (
            "sweep-three",
            "k,copies,points.solid",
            "sweep carbonite -p tidy --vary k=1..2 --vary-rule copies=1,2 --vary-rule points.solid=5..9:2 --metric \
             vault -n 1k",
        ),
    ] {
        let tables = SWEPT.map(|(file, header)| (file, header.replace("(axes)", axes)));
        sheet(&format!("{line} --threads 1"), name, &tables);
    }
}

/// In colour the same text, once the colours are taken out.
#[test]
fn a_map_in_colour() {
    let line = "sweep carbonite -q -p first --vary k=1..2 --vary-rule copies=1,2 -n 500";
    let ran = |setting: &[(&str, &str)]| {
        let mut command = program(&data());
        command.envs(setting.iter().copied()).args(line.split(' '));
        Ran::new(command.output().expect("the program starts")).stdout
    };
    let plain = ran(&[]);
    let coloured = ran(&[("CLICOLOR_FORCE", "1")]);
    assert_eq!(ran(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), plain);
    let mut parts = coloured.split("\u{1b}[");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text += part.split_once('m').expect("a colour ends with m").1;
    }
    let lines = |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    assert_eq!(lines(&text), lines(&plain));
    assert!(coloured.len() > plain.len());
}

/// One trial, one point, points that are the same, a metric that never varies, no pairing.
#[test]
fn sweeps_with_little_to_say() {
    let mut sheet = Sheet::new("sweep-little-to-say");
    for options in [
        "pig --rules solo -p hold --vary n=19,20 -n 1",
        "pig --rules solo -p hold --vary n=20 -n 500",
        "pig --rules solo -p hold --vary n=98..100 --vary-rule turn_cap=900,1000 -n 500",
        "pig -p hold -p hold-at-25 --vary n=15,20 --set turn_cap=2 -n 500",
        "pig --rules solo -p hold --vary n=5,20 -n 500 --paired 0",
    ] {
        let line = format!("sweep -q {options}");
        let found = good(&data(), &line).stdout;
        sheet.whole(&format!("stopwise {line}"), &found);
        let folder = scratch("formats-sweep-little");
        let json = good(&folder, &format!("{line} --format json --out out")).stdout;
        let tables =
            ["sweep.csv", "best.csv", "sensitivity.csv"].map(|file| read(&folder.join("out").join(file)));
        for nonsense in ["NaN", "nan", "inf", "-0.000 ", "−0.000 ", "-0.000000", "-0.0,"] {
            for text in tables.iter().chain([&found, &json]) {
                assert!(!text.contains(nonsense), "{nonsense} in\n{text}");
            }
        }
    }
    sheet.check();
}
