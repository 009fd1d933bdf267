//! A number that leaves its range: the line, what was found there, and who played it; and no run has a result.

use stopwise_analysis::exact::{ExactError, Limits, Objective, distribution, solve};
use stopwise_engine::game::{Action, Game, Policy, Question};
use stopwise_script::{Script, State};

use crate::common::{compiled, ends};

struct Never;

impl Policy<Script> for Never {
    fn choose(&self, _: &Script, _: State, question: Question) -> Action {
        question.actions.first()
    }

    fn memory(&self) -> u32 {
        0
    }
}

const TEXT: &str = "game over \"x\"\noption players = 2 in 1..4\ndie d = 1..6\nnames mood = calm, wild\n\
                    player score = 0 in 0..1000\nturn\n  let points = 0 in 0..20\n  let now = none in mood\n  let mine = calm\n  repeat\n    \
                    roll dice = 2 d\n    if count(dice, 1) > 0: bust\n    now = wild\n    points += sum(dice) * (now == wild ? 1 : 2)\n    \
                    ask stop\n      score += mine == calm ? points : 0\n      end turn\n\
                    end goal when score >= 100\nwin most score\nalone least turns\n";

#[test]
fn a_range_that_is_left_is_told() {
    let game = compiled(TEXT, &[]);
    let mut told = Vec::new();
    for end in ends(&game, &Never, 20) {
        if let Some(why) = game.fault(end) {
            assert!(game.endings()[game.ending(end)].fault);
            let failure = game.program().failure(&end).expect("a failure");
            let value =
                |name: &str| failure.values.iter().find(|(own, _)| own == name).map(|(_, value)| &**value);
            assert_eq!(value("now"), None, "the state does not have it");
            assert_eq!(value("mine"), Some("calm"));
            assert!(value("score").is_some() && failure.seat.is_some(), "{failure:?}");
            let points: i64 = value("points").expect("points").parse().expect("a number");
            assert!((1..=20).contains(&points), "{failure:?}");
            told.push(why);
        }
    }
    let first = told.first().expect("some game");
    assert!(first.starts_with("line 14, column 15: `points` is 2"), "{first}");
    for part in [", and 0 to 20 is allowed (seat ", "`points` is ", "in `points += sum"] {
        assert!(first.contains(part), "{first}");
    }
}

/// The exact walk has no value then, by whatever way.
#[test]
fn no_value_is_exact_where_the_rules_cannot_go_on() {
    let game = compiled(TEXT, &[("players", "1")]);
    let free: [Option<Never>; 1] = [None];
    let objective = Objective::new(&game, 0);
    let found = [
        solve(&game, &free, objective, Limits::default()).map(drop),
        solve(&game, &[Some(Never)], objective, Limits::default()).map(drop),
        distribution(&game, &[Never], Limits::default()).map(drop),
    ];
    for found in found {
        assert!(matches!(&found, Err(ExactError::Fault(why)) if why.contains("line 14")), "{found:?}");
    }
}
