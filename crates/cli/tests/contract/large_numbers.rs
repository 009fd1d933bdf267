//! Numbers that are too large for a machine, for a reader, or for the work there is.

use std::time::Instant;

use crate::common::{Ran, data, good, manifest, program, run, scratch};

#[test]
fn too_large_is_said_with_the_largest() {
    for line in [
        "simulate pig -p hold --seed",
        "simulate pig -p hold --trials",
        "replay pig -p hold --trial",
        "solve pig --rules piglet --max-states",
    ] {
        for number in
            ["18446744073709551616", "99999999999999999999", "1e20", "20000000000G", "1e99999999999"]
        {
            let ran = run(&data(), &format!("{line} {number}"));
            assert_eq!(ran.code, Some(2), "{line} {number}");
            let said = format!("`{number}` is too large; the largest is 18446744073709551615");
            assert!(ran.stderr.contains(&said), "{line} {number}\n{}", ran.stderr);
        }
    }
    good(&data(), "simulate pig -p hold -n 10 -q --seed 18446744073709551615");
    let ran = run(&data(), "balance pig --rules solo -p hold -n 10 --mark 4294967296");
    assert!(ran.stderr.contains("`4294967296` is too large; the largest is 4294967295"), "{}", ran.stderr);
}

/// Readers of JSON that keep 53 bits would round what is larger, so that it is text; what is smaller is a number.
#[test]
fn large_numbers_in_json_are_text() {
    let folder = scratch("large-json");
    let (largest, most) = (u64::MAX, 1_u64 << 53);
    for (seed, shown) in [(largest, largest.to_string().into()), (most, most.into())] {
        let seed: u64 = seed;
        let shown: serde_json::Value = shown;
        for line in ["simulate pig -p hold -n 10", "compare pig -p hold -p hold:n=25 -n 2k"] {
            let found =
                good(&folder, &format!("{line} -q --seed {seed} --format json --out {seed} --force")).json();
            assert_eq!(found["seed"], shown);
            assert_eq!(manifest(&folder.join(seed.to_string()))["seed"], shown);
        }
        let found = good(&folder, &format!("replay pig -p hold --seed {seed} --trial {seed} --json")).json();
        assert_eq!((&found["seed"], &found["trial"]), (&shown, &shown));
    }
    let line = "rank pig --rules solo -p hold -p hold:n=25 -n 2k -q --format json";
    assert_eq!(good(&folder, line).json()["rank"][0]["fresh_first_trial"], "4611686018427387904");
}

/// A thread without trials to play is not started.
#[test]
fn threads_that_find_no_work() {
    let folder = scratch("large-threads");
    let line = "-n 1000 -q --threads 1024 --out out --force";
    let began = Instant::now();
    for before in [
        "simulate carbonite -p tidy",
        "simulate pig -p hold --rotate",
        "compare carbonite -p tidy -p first",
        "rank carbonite -p tidy -p first",
        "sweep carbonite -p first --vary k=1,2",
    ] {
        good(&folder, &format!("{before} {line}"));
        assert_eq!(manifest(&folder.join("out"))["threads"], 63, "{before}");
    }
    assert!(began.elapsed().as_secs() < 15, "{:?}", began.elapsed());
    let ran = run(&folder, "simulate pig -p hold --threads 100k");
    assert!(
        ran.stderr.contains("1 to 1024") && ran.stderr.contains("each has its own memory"),
        "{}",
        ran.stderr
    );
    // What the environment asks for as well.
    let mut command = program(&folder);
    command
        .args("simulate pig -p hold -n 1000 -q --out out --force".split(' '))
        .env("RAYON_NUM_THREADS", "100000");
    assert_eq!(Ran::new(command.output().expect("the program starts")).code, Some(0));
    assert_eq!(manifest(&folder.join("out"))["threads"], 63);
}
