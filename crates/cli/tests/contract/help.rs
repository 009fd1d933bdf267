//! The help, the completions and the manual name what there is.

use crate::common::{data, good};

/// Options that people and scripts find in the contract are in the help.
#[test]
fn the_help_names_every_common_option() {
    let help = good(&data(), "simulate --help").stdout;
    for option in [
        "--trials",
        "--until-width",
        "--budget",
        "--seed",
        "--threads",
        "--rules",
        "--set",
        "--policy",
        "--out",
        "--format",
        "--runner",
        "--quiet",
    ] {
        assert!(help.contains(option), "{option}");
    }
    for value in
        ["table", "csv", "json", "auto", "trial", "lanes", "[default: 1M; at most 100M", "[default: 1]"]
    {
        assert!(help.contains(value), "{value}");
    }
    // A race looks at all trials so far, and has no parts.
    assert!(help.contains("--shard") && !good(&data(), "rank --help").stdout.contains("--shard"));
    let main = good(&data(), "--help").stdout;
    let commands =
        main.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let mut seen = 0;
    for command in commands.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
        let help = good(&data(), &format!("{command} --help")).stdout;
        assert!(help.contains(&format!("Usage: stopwise {command}")), "{command}");
        seen += 1;
    }
    assert!(seen >= 9);
    assert!(good(&data(), "completions bash").stdout.contains("simulate"));
    let manual = good(&data(), "man").stdout;
    assert!(manual.contains(".TH") && manual.contains("simulate"));
}
