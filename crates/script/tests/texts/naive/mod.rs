//! Compiled games against a naive interpreter of the syntax tree: every roll with its weights, every question with its
//! candidates, every count, ending and metric.

mod exact;
pub(crate) use exact::walked;
mod generate;
mod interpret;
mod lanes;
pub(crate) use lanes::by_lists;
mod rows;
mod texts;
mod world;

use std::collections::{BTreeMap, HashMap};

use interpret::{Cut, Driver, Outcome, play};
use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Event, Events, Game, MAX_METRICS, Node, Question, Seat, Source};
use stopwise_script::{Program, Script, State, Throw};

use crate::common::{Written, ends, files, given, read, text};

/// Counts of events by player and number.
#[derive(Debug, Default)]
struct Counts(BTreeMap<(Seat, usize), u64>);

impl Events for Counts {
    fn event(&mut self, seat: Seat, event: Event) {
        *self.0.entry((seat, event.index())).or_default() += 1;
    }
}

/// Plays the compiled game beside the naive one, and answers both at random.
struct Beside {
    program: &'static Program,
    kinds: Vec<String>,
    node: Node<State, Throw>,
    counts: Counts,
    random: u64,
    left: usize,
}

impl Beside {
    fn below(&mut self, many: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        usize::try_from(self.random % u64::try_from(many).expect("small")).expect("small")
    }

    fn step(&mut self) -> Result<(), Cut> {
        self.left = self.left.checked_sub(1).ok_or(Cut)?;
        Ok(())
    }
}

impl Driver for Beside {
    fn chance(&mut self, seat: Seat, weights: &[u64]) -> Result<usize, Cut> {
        self.step()?;
        let Node::Chance(state, own, throw) = self.node else {
            panic!("a roll of {seat}, and the program has {:?}", self.node)
        };
        assert_eq!(own, seat, "who rolls");
        let outcomes: Vec<_> = throw.outcomes().collect();
        let own: Vec<u64> = outcomes.iter().map(|(_, weight)| u64::from(*weight)).collect();
        assert_eq!(own, weights, "the weights of a roll");
        // The first word of an outcome is the first of its places.
        let at = self.below(weights.len());
        let (before, total): (u64, u64) = (weights[..at].iter().sum(), weights.iter().sum());
        let word = u32::try_from((before << 32).div_ceil(total)).expect("a word");
        assert_eq!(throw.sample(word), outcomes[at].0);
        self.node = self.program.rolled(&state, outcomes[at].0, &mut self.counts);
        Ok(at)
    }

    fn ask(&mut self, seat: Seat, name: &str, many: usize) -> Result<usize, Cut> {
        self.step()?;
        let Node::Decision(state, Question { seat: own, kind, actions }) = self.node else {
            panic!("{name} is asked, and the program has {:?}", self.node)
        };
        assert_eq!((own, self.kinds[kind].as_str()), (seat, name));
        assert_eq!(actions.count() as usize, many, "candidates of {name}");
        let at = self.below(many);
        let action = actions.iter().nth(at).expect("an action");
        self.node = self.program.answered(&state, action.index(), &mut self.counts);
        Ok(at)
    }
}

fn beside(name: &str, text: &str, options: &[(&str, &str)], games: u64, stops: usize) {
    let script = Script::new(text, &given(options)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let file = stopwise_script::read(text).expect("it is read");
    for game in 0..games {
        let mut counts = Counts::default();
        let node = script.program().first(&mut counts);
        let kinds = script.info().kinds.iter().map(|kind| kind.name.to_owned()).collect();
        let random = 0x2545_f491_4f6c_dd1d ^ (game + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut driver = Beside { program: script.program(), kinds, node, counts, random, left: stops };
        let outcome = play(&file, options, &mut driver);
        let (end, counts) = (driver.node.state(), driver.counts);
        match outcome {
            Outcome::Cut => continue,
            Outcome::Fault(why) => {
                assert!(script.program().failure(&end).is_some(), "{name}: {why}");
                continue;
            }
            Outcome::Over { ending, metrics, counts: own_counts } => {
                assert!(matches!(driver.node, Node::Terminal(_)), "{name}: {:?}", driver.node);
                assert_eq!(script.program().failure(&end), None, "{name}");
                assert_eq!(script.endings()[script.ending(end)].name, ending, "{name}");
                for (seat, metrics) in metrics.iter().enumerate() {
                    let mut values = [0; MAX_METRICS];
                    script.measure(end, seat, &mut values);
                    for (at, metric) in script.metrics().iter().enumerate() {
                        let (own, value) = match metric.source {
                            Source::Count(event) => {
                                let count = |counts: &BTreeMap<(Seat, usize), u64>| {
                                    counts.get(&(seat, event.index())).copied().unwrap_or(0)
                                };
                                let number = |count| i64::try_from(count).expect("few");
                                // A score may be paid out by events as it is added to.
                                let own = metrics.get(metric.name).copied();
                                (own.unwrap_or_else(|| number(count(&own_counts))), number(count(&counts.0)))
                            }
                            Source::End => {
                                let own = measured(&script, metrics, metric.name);
                                (own.expect("it is measured"), i64::from(values[at]))
                            }
                        };
                        assert_eq!(own, value, "{name}: {} of seat {seat}, game {game}", metric.name);
                    }
                }
            }
        }
    }
}

/// What the naive interpreter measures, which tells a win in shares where it may be shared.
fn measured(script: &Script, metrics: &HashMap<&'static str, i64>, name: &str) -> Option<i64> {
    let share = script.metrics().iter().find(|metric| metric.name == "share");
    let whole = share.map_or(1, |share| {
        let whole = share.unit.trim_start_matches("1/").split(' ').next();
        whole.and_then(|whole| whole.parse().ok()).expect("a number")
    });
    match name {
        "win" => Some(i64::from(metrics["win"] >= whole)),
        "share" => metrics.get("win").copied(),
        name => metrics.get(name).copied(),
    }
}

#[test]
fn pig() {
    for players in ["1", "2", "4"] {
        beside("pig", &text("pig"), &[("players", players), ("goal", "30")], 40, 5000);
    }
    beside("pig", &text("pig"), &[("turn_cap", "5")], 20, 5000);
}

#[test]
fn farkle() {
    for players in ["1", "2", "3"] {
        beside("farkle", &text("farkle"), &[("players", players), ("goal", "2000")], 20, 5000);
    }
}

#[test]
fn zombie_dice() {
    for players in ["1", "2", "4"] {
        beside("zombie", &text("zombie-dice"), &[("players", players)], 30, 5000);
    }
    beside("zombie", &text("zombie-dice"), &[("goal", "2"), ("players", "3")], 50, 5000);
}

#[test]
fn cant_stop() {
    for players in ["1", "2", "3"] {
        beside("can't stop", &text("cant-stop"), &[("players", players), ("finished", "1")], 12, 5000);
    }
}

#[test]
fn carbonite() {
    for options in [
        &[][..],
        &[("doubling", "no"), ("multiplier", "pips")],
        &[("retribution", "any"), ("atom", "reroll"), ("vault_match", "free")],
        &[
            ("retribution", "none"),
            ("atom", "bust"),
            ("vault_match", "no_match"),
            ("multiplier", "pips_minus_one"),
        ],
        &[("colours", "2"), ("copies", "1"), ("turns", "4"), ("multiplier", "none")],
    ] {
        beside("carbonite", &text("carbonite"), options, 30, 5000);
    }
}

#[test]
fn incan_gold() {
    for players in ["3", "5", "8"] {
        beside("incan gold", &text("incan-gold"), &[("players", players)], 25, 5000);
    }
}

/// What the six games do not have.
#[test]
fn small_texts() {
    for (name, text) in texts::TEXTS {
        beside(name, text, &[], 60, 3000);
    }
}

/// Of the small games those of turns that are not everybody's, and of none, are on lanes as well.
#[test]
fn small_texts_are_on_lanes() {
    for (name, text) in &texts::TEXTS[14..] {
        let script = Script::new(text, &[]).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(lanes::beside(&script, 200), Ok(()), "{name}");
    }
}

/// Every game of the gallery, under its defaults and every preset.
#[test]
fn gallery() {
    for file in files("games", "game") {
        let text = read(&file);
        let game = stopwise_script::GameText::new(&text).unwrap_or_else(|error| panic!("{error}"));
        beside(game.name(), &text, &[], 2, 1000);
        for preset in game.presets() {
            let options: Vec<_> =
                preset.values.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            beside(&format!("{}, {}", game.name(), preset.name), &text, &options, 1, 400);
        }
    }
}

/// Tells the text of a game in which something panics.
struct Told<'t>(&'t str);

impl Drop for Told<'_> {
    #[allow(clippy::print_stderr, reason = "only where a test fails")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.0);
        }
    }
}

/// Random games: as many as are asked for, less those that are refused because a range certainly is left.
#[test]
fn random_games() {
    let mut refused = Vec::new();
    for seed in 0..1000 {
        let text = generate::game(seed);
        match Script::new(&text, &[]) {
            Ok(_) => {
                let told = Told(&text);
                beside(&format!("game {seed}"), told.0, &[], 8, 300);
            }
            Err(error) => refused.push((seed, error.to_string())),
        }
    }
    assert!(refused.len() < 100, "{refused:?}");
}

/// Random games of rows, one by one and side by side.
#[test]
fn random_games_of_rows() {
    let (mut refused, mut obstacles) = (Vec::new(), Vec::new());
    // The large ones would take long.
    for seed in (0..150).filter(|seed| seed % 20 != 7) {
        let text = rows::game(seed);
        let script = match Script::new(&text, &[]) {
            Ok(script) => script,
            Err(error) => {
                refused.push((seed, error.to_string()));
                continue;
            }
        };
        let told = Told(&text);
        beside(&format!("rows {seed}"), told.0, &[], 4, 300);
        let by_lists = || if seed % 3 == 0 { lanes::by_lists(&script, 40) } else { Ok(()) };
        if let Err(why) = by_lists() {
            obstacles.push((seed, why));
        }
    }
    assert!(refused.len() < 15, "{refused:?}");
    assert!(obstacles.len() < 15, "{obstacles:?}");
}

/// Random games, exactly: over their positions as over all ways.
#[test]
fn random_games_are_exact() {
    let mut tried = 0;
    for seed in 0..250 {
        let text = generate::game(seed);
        let Ok(script) = Script::new(&text, &[]) else { continue };
        let file = stopwise_script::read(&text).expect("it is read");
        let told = Told(&text);
        let Some(naive) = exact::naive(&file, &script, 150) else { continue };
        let Some(walked) = exact::walked(&script) else { continue };
        tried += 1;
        for (seat, (naive, walked)) in naive.iter().zip(&walked).enumerate() {
            for ((a, b), metric) in naive.iter().zip(walked).zip(script.metrics()) {
                assert!((a - b).abs() < 1e-9, "game {seed}: {} of seat {seat}: {a} and {b}", metric.name);
            }
        }
        drop(told);
    }
    assert!(tried > 40, "{tried}");
}

/// Random games, side by side: failures, caps and all.
#[test]
fn random_games_are_on_lanes() {
    are_on_lanes(0..300);
}

/// In two tests, so that two cores have something to do.
#[test]
fn more_random_games_are_on_lanes() {
    are_on_lanes(300..600);
}

fn are_on_lanes(seeds: std::ops::Range<u64>) {
    let mut obstacles = Vec::new();
    for seed in seeds {
        let text = generate::game(seed);
        let Ok(script) = Script::new(&text, &[]) else { continue };
        let told = Told(&text);
        ends(&script, &Written, 3).for_each(drop);
        let by_lists = || if seed % 3 == 0 { lanes::by_lists(&script, 40) } else { Ok(()) };
        if let Err(why) = lanes::beside(&script, 40).and_then(|()| by_lists()) {
            obstacles.push((seed, why));
        }
        drop(told);
    }
    assert!(obstacles.len() < 15, "{obstacles:?}");
}
