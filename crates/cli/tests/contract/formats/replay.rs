//! `replay`.

use super::pretty;
use crate::common::sheet::Sheet;
use crate::common::{data, good};

#[test]
fn replay() {
    for (name, line) in [
        ("replay-carbonite", "replay carbonite --policy tidy --trial 7"),
        (
            "replay-icedice",
            "replay icedice --set copies=1 --set trios=1 --policy thief --policy stop-at --trial 5",
        ),
        (
            "replay-freeze",
            "replay freeze --set players=3 --set steps=40 --set start_counters=2 --policy when-behind",
        ),
        (
            "replay-carcassonne",
            "replay carcassonne --set goal=9 --policy knight-errant --policy builder --trial 4",
        ),
        (
            "replay-freeze-doubles",
            "replay freeze --rules doubles --set players=3 --set steps=12 --set bank=6 --set start_counters=1 \
             --set fumble=0.5 --set simultaneous=all --set broke_bonus=true --policy always --seed 4",
        ),
        (
            "replay-icedice-for-three",
            "replay icedice --rules three-players --set trios=1 --policy honest --policy thief --policy racer --turn 3..4",
        ),
        ("replay-best-turn", "replay carcassonne --rules solo --policy best-turn"),
        ("replay-pig", "replay pig --policy hold --policy hold-at-25 --seed 3"),
        (
            "replay-pig-rotated",
            "replay pig --rules piglet --policy hold:n=2 --policy hold:n=1 --rotate --trial 1",
        ),
    ] {
        let mut sheet = Sheet::new(name);
        sheet.whole(&format!("stopwise {line}"), &good(&data(), line).stdout);
        let json = good(&data(), &format!("{line} --json"));
        assert_eq!(json.stdout, pretty(&json.json()));
        sheet.section("--json", &json.stdout);
        sheet.check();
    }
}

#[test]
fn replay_of_several() {
    let mut sheet = Sheet::new("replay-several");
    let line = "replay pig --rules piglet --policy hold:n=2 --policy hold:n=1 --rotate --trial 3..4 --turn 1";
    sheet.whole(&format!("stopwise {line}"), &good(&data(), line).stdout);
    sheet.whole("--json", &good(&data(), &format!("{line} --json")).stdout);
    sheet.check();
}
