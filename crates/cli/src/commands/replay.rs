//! `replay`: one trial, as a person at the table would tell it.

use serde_json::json;
use stopwise_edge::{AnyPolicy, NamedRules, Replay as Told};
use stopwise_engine::rotation::rotation_of;

use crate::args::Replay;
use crate::failure::Failure;
use crate::numbers::grouped;
use crate::output::print;
use crate::report::document::document;
use crate::setup::{lineups, rules};

pub(crate) fn replay(args: &Replay) -> Result<(), Failure> {
    let NamedRules { name, rules } = rules(&args.game)?;
    let lineups = lineups(&*rules, &args.policy)?;
    let rotation = rotation_of(args.trial, lineups.len());
    let Told { text, steps, ending, seats } = rules.replay(&lineups[rotation], args.seed, args.trial);
    let labels: Vec<_> = lineups[rotation].iter().map(AnyPolicy::label).collect();
    if args.json {
        let mut value = json!({
            "game": rules.game(), "rules": name, "policies": labels, "seed": args.seed, "trial": args.trial,
            "steps": steps, "ending": ending, "seats": seats,
        });
        if args.policy.rotate {
            value["rotation"] = rotation.into();
        }
        return print(&document(value)?);
    }
    let rotated = if args.policy.rotate { ", rotated" } else { "" };
    let head = format!(
        "{} · rules {name} · {}{rotated} · trial {} of seed {}\n",
        rules.game(),
        labels.join(" / "),
        grouped(args.trial),
        args.seed
    );
    print(&(head + &text))
}
