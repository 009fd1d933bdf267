//! Plans that need more memory than they may take are refused before they are played, with the numbers.

use crate::common::{good, run, scratch};

#[test]
fn plans_that_do_not_fit() {
    let folder = scratch("memory");
    for (line, what) in [
        ("rank pig -p hold --vary n=1..100 -n 200", "100 policies"),
        ("rank pig --rules solo -p hold --vary n=1..100 -n 2k", "100 policies"),
        ("sweep pig --rules solo -p hold --vary n=1..100 -n 100", "100 settings side by side"),
        ("balance pig -p hold -p hold-at-25 --vary-rule goal=50..60 -n 100", "12 variants side by side"),
    ] {
        let ran = run(&folder, &format!("{line} -q --max-memory 300k --out out"));
        assert_eq!(ran.code, Some(2), "{line}: {}", ran.stderr);
        let begins = format!("error: {what}: that takes ");
        assert!(ran.stderr.starts_with(&begins), "{line}: {}", ran.stderr);
        assert!(
            ran.stderr.contains("more than the 300 kB") && ran.stderr.contains("--max-memory"),
            "{}",
            ran.stderr
        );
        assert!(!folder.join("out/manifest.json").exists(), "{line}");
    }
    good(&folder, "rank pig -p hold -p hold-at-25 -n 200 -q --max-memory 100M");
}
