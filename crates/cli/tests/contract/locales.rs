//! Whatever language a machine speaks, numbers and names are written the same.

use std::fs;

use crate::common::{Ran, entries, program, scratch};

/// German writes commas in numbers, Turkish another i: neither changes a byte of what is printed or written.
#[test]
fn other_locales_give_the_same_bytes() {
    let folder = scratch("contract-locales");
    for (name, line) in [
        ("simulate", "simulate icedice -p thief -n 2000 --seed 3 --above 0 --metric turns"),
        ("compare", "compare carbonite -p tidy -p first -n 2000"),
        ("sweep", "sweep pig --rules solo -p hold --vary n=10..20:5 --vary-rule goal=50,100 -n 2000"),
    ] {
        let ran = |locale: &str| {
            let out = format!("{name}-{locale}");
            let words = line.split(' ').chain(["--quiet", "--out", &out]);
            let output = program(&folder).args(words).env("LC_ALL", locale).env("LANG", locale).output();
            let ran = Ran::new(output.expect("the program starts"));
            assert_eq!(ran.code, Some(0), "{locale}: {}", ran.stderr);
            let files = entries(&folder.join(&out)).into_iter().filter(|file| file != "manifest.json");
            let bytes = files.map(|file| (fs::read(folder.join(&out).join(&file)).expect("a file"), file));
            (ran.stdout, bytes.collect::<Vec<_>>())
        };
        let english = ran("en_US.UTF-8");
        assert!(english.1.len() > 3, "{name}");
        for locale in ["de_DE.UTF-8", "tr_TR.UTF-8"] {
            assert!(ran(locale) == english, "{name} in {locale}");
        }
    }
    // Words of options, too.
    let refused = |locale: &str| {
        let words = ["simulate", "PIG", "--policy", "hold", "--trials", "1,5"];
        Ran::new(program(&folder).args(words).env("LC_ALL", locale).output().expect("the program starts"))
            .stderr
    };
    assert_eq!(refused("tr_TR.UTF-8"), refused("en_US.UTF-8"));
}
