//! Lanes play what the trial plays: the same tally, with every instruction set.

use stopwise_engine::arms::{Lineups, Rows, TrialRows};
use stopwise_engine::game::{Game, Policy, is_by_chance};
use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::plan::Batch;
use stopwise_engine::rotation::{Share, rotations, shares};
use stopwise_engine::run::batch;
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_policy::{Text, TextPolicy};
use stopwise_script::Script;
use stopwise_script::lanes::Lanes;

use super::played::variants;
use super::{PROOFS, policy, texts};
use crate::common::{self, compiled, files, script, stem};

const TRIALS: u64 = 700;
/// Of games with very many answers: enough for more than one batch.
const FEW: u64 = 200;

/// The runs of both of one policy, and how many questions lanes ask game by game; nothing if lanes do not play the game.
pub(crate) fn agree(
    game: &Script,
    policy: &TextPolicy<Script>,
    trials: u64,
    what: &str,
) -> Result<usize, String> {
    agree_in_turn(game, std::slice::from_ref(policy), &[vec![0]], trials, what)
}

/// Of policies in line-ups that take turns, by their numbers.
fn agree_in_turn(
    game: &Script,
    policies: &[TextPolicy<Script>],
    lineups: &[Vec<usize>],
    trials: u64,
    what: &str,
) -> Result<usize, String> {
    let kinds = 0..game.info().kinds.len();
    let formulas: Vec<_> =
        policies.iter().map(|policy| kinds.clone().map(|kind| policy.answering(kind)).collect()).collect();
    let lanes = Lanes::new(game, &formulas, lineups.to_vec())?;
    let (keys, trials) = (Keys::new(11), 5..5 + trials);
    let expected = shares(lineups.len()).zip(lineups).map(|(share, lineup)| {
        let lineup: Vec<_> = lineup.iter().map(|policy| policies[*policy].clone()).collect();
        let mut tally = Tally::new(game);
        batch(game, &lineup, &share.keys(&keys), share.of(&trials), &mut tally);
        tally
    });
    let expected: Vec<_> = expected.collect();
    for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
        let mut tallies = vec![Tally::new(game); lineups.len()];
        let choose = |policy: usize, state, question| policies[policy].choose(game, state, question);
        let middle = trials.end.min(100);
        let mut parts = [5..middle, middle..trials.end].into_iter();
        let mut next = |_: Batch| parts.next().unwrap_or(0..0);
        lanes.play(set, &keys, &mut next, &choose, &mut tallies, None);
        assert_eq!(tallies, expected, "{what}, {}", set.name());
    }
    Ok(lanes.size().1)
}

#[test]
fn lanes_and_trials_agree() {
    agree_in(0);
}

/// In two tests, so that two cores have something to do.
#[test]
fn lanes_and_trials_agree_in_the_others() {
    agree_in(1);
}

/// In every other text.
fn agree_in(first: usize) {
    let mut obstacles = Vec::new();
    let played = texts().filter(|(name, _)| !PROOFS.contains(&name.as_str()));
    for (name, text) in played.skip(first).step_by(2) {
        for (variant, game) in variants(&text) {
            let policies = files(&format!("policies/{name}"), "toml");
            let policies: Vec<_> = policies
                .iter()
                .map(|file| policy(&game, &name, stem(file)))
                // Who draws answers is refused before there are lanes.
                .filter(|policy| !is_by_chance::<Script, _>(std::slice::from_ref(policy)))
                .collect();
            let trials = if (&*name, &*variant) == ("shut-the-box", "twelve") { FEW } else { TRIALS };
            for policy in &policies {
                let what = format!("{name}, {variant}, {}", policy.name());
                if let Err(why) = agree(&game, policy, trials, &what) {
                    obstacles.push(format!("{what}: {why}"));
                }
            }
            // All policies at one table, and all rotations of it.
            let lineup: Vec<_> = (0..policies.len()).cycle().take(game.seats()).collect();
            let mut turns = vec![vec![lineup.clone()], rotations(&lineup)];
            turns.dedup();
            for lineups in turns {
                let _ = agree_in_turn(&game, &policies, &lineups, trials, &format!("{name}, {variant}, all"));
            }
        }
    }
    assert_eq!(obstacles, Vec::<String>::new());
}

/// In so many trials that blocks wait for more games: which share of them is best is found in the first hundreds of passes.
/// And games in Rust as texts, in fewer.
/// Where no more games begin, the last ones move to the first lanes; and a run has the columns that another game has left.
#[test]
fn short_runs_one_after_the_other_agree() {
    let games = [
        ("farkle", "by-dice", "6"),
        ("pig", "hold", "2"),
        ("cant-stop", "rule-of-28", "4"),
        ("two-dice-pig", "race", "3"),
        ("bank", "chase", "5"),
    ];
    let games = games.map(|(name, policy, players)| {
        let game = script(name, &[("players", players)]);
        (game, super::policy(&game, name, policy), name)
    });
    // One game and a few; one more and one fewer than fill parts of lanes, and all of them.
    for trials in [1, 2, 31, 33, 64, 65, 127, 129, 255, 257, 511, 513, 1030, 3] {
        for (game, policy, name) in &games {
            agree(game, policy, trials, &format!("{name}, {trials} games")).expect("on lanes");
        }
    }
}

#[test]
fn blocks_that_wait_agree() {
    for (name, own, trials) in [
        ("zombie-dice", "by-shots", 6000),
        ("yahtzee", "over-par", 14_000),
        ("cant-stop", "rule-of-28", 2000),
        ("shut-the-box", "fewest-boxes", 6000),
        ("pig", "hold", 10_000),
        ("carbonite", "second-tree", 400),
        ("carbonite", "risk-limit", 400),
        ("icedice", "last-chance", 200),
        ("icedice", "bust-limit", 200),
    ] {
        let game = script(name, &[]);
        agree(&game, &policy(&game, name, own), trials, name).expect("on lanes");
    }
}

/// A loop over the parts of a pool whose results are not met again.
#[test]
fn loops_of_many_numbers_agree() {
    let text = "game parts \"Keep some of four dice\"\n\
        die d = 1..16\n\
        player score = 0 in 0..2000 points \"points\"\n\
        turn\n  \
          roll four = 4 d\n  \
          ask kept in parts(four) where sum(kept) % 7 == score % 7 and size(kept) <= 3 \"kept\"\n  \
          else\n    \
            score += 1\n    \
            end turn\n  \
          score += sum(kept)\n\
        end time after 12 turns\n\
        alone most score\n\
        candidate kept\n  \
          many = size(it) dice \"dice\"\n  \
          points = sum(it) points \"points\"\n";
    let few = "game = \"parts\"\nname = \"few\"\nsummary = \"Few dice, and of these the most points.\"\n\
        kept = [\"least many\", \"most points\"]\n";
    let game = compiled(text, &[]);
    let policy = common::policy(&game, &Text::new("few.toml", few));
    agree(&game, &policy, 4000, "parts").expect("on lanes");
}

/// Turns of so many rolls that some end at the last stop that a turn may have.
#[test]
fn turns_without_end_agree() {
    let text = "game sixes \"Roll until six sixes come one after the other\"\n\
        die d = 1..6\n\
        player score = 0 in 0..1 points \"points\"\n\
        turn\n  \
          let sixes = 0 in 0..6 dice \"sixes\"\n  \
          repeat\n    \
            roll face = d\n    \
            sixes = face == 6 ? min(sixes + 1, 6) : 0\n    \
            ask stop \"stop\"\n      \
              score = 1\n      \
              end turn\n\
        end time after 1 turns\n\
        alone most score\n\
        see sixes = sixes dice \"sixes\"\n";
    let six = "game = \"sixes\"\nname = \"six\"\nsummary = \"Six sixes.\"\nstop = \"sixes >= 6\"\n";
    let game = compiled(text, &[]);
    let policy = common::policy(&game, &Text::new("six.toml", six));
    agree(&game, &policy, 120, "sixes").expect("on lanes");
}

/// An element becomes what another of the same array is, and the index of an element is an element.
#[test]
fn elements_of_one_array_agree() {
    let text = "game next \"Numbers that lead to each other\"\n\
        die d = 0..3\n\
        player score = 0 in 0..9999 points \"points\"\n\
        player next[n in 0..3] = 0 in 0..3 \"what follows a number\"\n\
        turn\n  \
          repeat\n    \
            roll a = d, b = d\n    \
            next[a] = b\n    \
            next[next[b]] = a\n    \
            next[b] = next[1]\n    \
            score = min(score + next[0] + 4 * next[1] + 16 * next[2] + 64 * next[3], 9999)\n    \
            ask stop \"stop\": end turn\n\
        end time after 3 turns\n\
        alone most score\n";
    let some = "game = \"next\"\nname = \"some\"\nsummary = \"Now and then.\"\nstop = \"score % 3 == 0\"\n";
    let game = compiled(text, &[]);
    let policy = common::policy(&game, &Text::new("some.toml", some));
    agree(&game, &policy, 20_000, "next").expect("on lanes");
}

/// Variables that grow by others, of which some are read as they were before; a limit that is reached after many rolls, again
/// and again.
#[test]
fn sums_agree() {
    let text = "game sums \"Numbers that grow by each other\"\n\
        die d = 1..6\n\
        player score = 0 in 0..30000 points \"points\"\n\
        player many = 0 in 0..400 \"what comes to a limit\"\n\
        player a = 0 in 0..2000 \"a number\"\n\
        player b = 0 in 0..2000 \"another\"\n\
        turn\n  \
          let old = 0 in 0..2000\n  \
          repeat\n    \
            roll face = d\n    \
            old = a\n    \
            a += face\n    \
            b = min(b + a, 900 - old)\n    \
            a = a + b\n    \
            b = b + b\n    \
            b = b / 2 + old % 3\n    \
            if a >= 700: a = old % 7\n    \
            many += 1\n    \
            if face == 6: many += 3\n    \
            if many >= 300: many = 7\n    \
            score = min(score + (old + many + b) % 9, 30000)\n    \
            ask stop \"stop\": end turn\n\
        end time after 120 turns\n\
        alone most score\n";
    let some = "game = \"sums\"\nname = \"some\"\nsummary = \"Now and then.\"\nstop = \"score % 5 == 0\"\n";
    let game = compiled(text, &[]);
    let policy = common::policy(&game, &Text::new("some.toml", some));
    agree(&game, &policy, 3000, "sums").expect("on lanes");
}

/// A limit that is far from most values, but not from that with which a variable begins, or to which it is set now and then.
#[test]
fn limits_that_are_near_agree() {
    let rules = [
        ("99", "heat += 1", "100"),
        ("0", "if rare: heat = 298\n    heat += 1", "300"),
        ("0", "if rare and heat < 199: heat = 199\n    heat += 1", "200"),
        ("250", "heat += 1\n    if face == 6: heat += 2", "399"),
    ];
    for (begins, grows, limit) in rules {
        let text = format!(
            "game warm \"Something grows\"\n\
            die d = 1..6\n\
            player score = 0 in 0..30000 points \"points\"\n\
            player heat = {begins} in 0..400 \"what grows\"\n\
            turn\n  \
              repeat\n    \
                roll face = d\n    \
                roll rare = chance(1, 500)\n    \
                {grows}\n    \
                if heat < {limit}\n      \
                  if face == 1: bust\n    \
                else\n      \
                  heat = 0\n      \
                  score = min(score + 5, 30000)\n    \
                ask stop \"stop\": end turn\n\
            end time after 100 turns\n\
            alone most score\n"
        );
        let some =
            "game = \"warm\"\nname = \"some\"\nsummary = \"Now and then.\"\nstop = \"heat % 5 == 0\"\n";
        let game = compiled(&text, &[]);
        let policy = common::policy(&game, &Text::new("some.toml", some));
        agree(&game, &policy, 5000, grows).expect("on lanes");
    }
}

/// Dice of two kinds, of which some throws have more places than a table, and others are in one.
#[test]
fn heavy_throws_agree() {
    let text = "game heap \"Throw up to eight dice\"\n\
        option players = 2 in 1..2\n\
        die red = 1..6\n\
        die blue = 1..6\n\
        player score = 0 in 0..2000 points \"points\"\n\
        turn\n  \
          ask many in 1..4 \"how many red dice\"\n  \
          ask more in 1..4 \"how many blue dice\"\n  \
          roll a = many red, b = more blue\n  \
          score += sum(a) + 2 * count(b, 6)\n\
        end time after 12 turns\n\
        win most score\n\
        alone most score\n";
    let grow = "game = \"heap\"\nname = \"grow\"\nsummary = \"More dice with more points.\"\n\
        many = \"1 + score % 4\"\nmore = \"min(4, 1 + score / 20)\"\n";
    let game = compiled(text, &[]);
    let policy = common::policy(&game, &Text::new("grow.toml", grow));
    assert!(agree(&game, &policy, TRIALS, "heap").is_ok());
}

/// What policies look at ahead: it is decided by few variables, by so many that it is not kept, by more from some position on, by
/// bags, and, in turns without end, by how many stops are left.
#[test]
fn looks_agree() {
    let farkle = common::text("farkle") + "see risk = chance(bust)\nsee then = mean(points)\n";
    let cards = "game cards \"Draw cards\"\noption players = 2 in 1..3\nbag pack = 9 of good, 5 of bad, 2 of last\n\
        player score = 0 in 0..99 points \"points\"\nshared deck = pack in pack\nturn\n  let points = 0 in 0..40\n  \
        repeat\n    draw card from deck\n    else: break\n    if card == bad: bust\n    \
        points += card == last ? score % 3 : 2\n    ask stop \"stop\": break\n  score = min(score + points, 99)\n\
        end empty when size(deck) == 0\nwin most score\nalone most score\nsee risk = chance(bust)\n\
        see then = mean(points) - points\nsee points = points\n";
    let steps = "game steps \"Go far\"\ndie d = 1..6\nplayer score = 0 in 0..1 points \"points\"\nturn\n  \
        let sixes = 0 in 0..6\n  repeat\n    roll face = d\n    sixes = face == 6 ? min(sixes + 1, 6) : 0\n    \
        ask stop \"stop\"\n      score = 1\n      end turn\nend time after 1 turns\nalone most score\n\
        see then = mean(sixes)\nsee sixes = sixes\n";
    let keep = "keep = [\"most pays\", \"least used\"]\n";
    for (name, text, options, trials, own) in [
        (
            "pig",
            &*common::text("pig"),
            &[][..],
            3000,
            "stop = \"turn_total > 8 * gain + 3 || 6 * risk > 1\"\n",
        ),
        ("pig", &common::text("pig"), &[("players", "1")], 3000, "stop = \"turn_total > 9 * gain\"\n"),
        ("farkle", &farkle, &[], 100, &format!("stop = \"risk > 0.3 || 2 * then < 3 * points\"\n{keep}")),
        ("farkle", &farkle, &[], 100, &format!("stop = \"risk * points > 130\"\n{keep}")),
        ("cards", cards, &[], 5000, "stop = \"points * risk > 2 || then < 0\"\n"),
        ("cards", cards, &[("players", "3")], 5000, "stop = \"3 * risk > 1\"\n"),
        ("steps", steps, &[], 12, "stop = \"then >= 1 && sixes >= 6\"\n"),
    ] {
        let game = compiled(text, options);
        let toml = format!("game = \"{name}\"\nname = \"ahead\"\nsummary = \"Looks ahead.\"\n{own}");
        let policy = common::policy(&game, &Text::new("ahead.toml", &toml));
        agree(&game, &policy, trials, &toml).expect("on lanes");
    }
}

/// What every trial was worth, in order, and equal numbers for equal answers, for a share of every second trial.
#[test]
fn rows_are_those_of_the_trial() {
    for (name, one, other) in [
        ("pig", "hold", "four-scoring-turns"),
        ("farkle", "by-dice", "bank-at"),
        ("toss-up", "by-dice", "once"),
        ("cant-stop", "rule-of-28", "three-runners"),
    ] {
        let game = script(name, &[]);
        let (block, share, keys) = (3..900, Share { step: 2, first: 1 }, Keys::new(5));
        let rows = [one, other].map(|own| {
            let lineup = [policy(&game, name, own)];
            let answers = [(0..game.info().kinds.len()).map(|kind| lineup[0].answering(kind)).collect()];
            let lanes = Lanes::new(&game, &answers, vec![vec![0]]).expect("on lanes");
            let mut rows = Rows::new(game.seats(), game.metrics().len());
            rows.resize(897);
            let mut left = Some(share.of(&block));
            let mut next = |_: Batch| left.take().unwrap_or(0..0);
            let choose = |_, state, question| lineup[0].choose(&game, state, question);
            let noted = TrialRows { share, block: block.clone(), answers: true, rows: &mut rows };
            let set = InstructionSet::best();
            lanes.play(set, &share.keys(&keys), &mut next, &choose, &mut [Tally::new(&game)], Some(noted));
            let mut expected = Rows::new(game.seats(), game.metrics().len());
            expected.play(&Lineups::of(&game, &[&lineup]), &keys, &block);
            let mut answers = Vec::new();
            // The share's trials have odd numbers.
            for at in (0..897).step_by(2) {
                assert_eq!(rows.ending(at), expected.ending(at));
                for seat in 0..game.seats() {
                    assert_eq!(rows.values(at, seat), expected.values(at, seat), "{name}, row {at}");
                }
                answers.push((rows.answers(at), rows.values(at, 0).to_vec()));
            }
            answers
        });
        // Equal answers are an equal game; of these policies some games are equal, and most are not.
        let equal = rows[0].iter().zip(&rows[1]).filter(|(a, b)| a.0 == b.0);
        assert!(equal.clone().all(|(a, b)| a.1 == b.1), "{name}");
        assert!(equal.count() < 300, "{name}");
    }
}
