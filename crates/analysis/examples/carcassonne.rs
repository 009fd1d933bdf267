//! Exact best play in Carcassonne: The Dice Game: single turns, with and without keeping a knight, and games of two
//! players.
//!
//! ```text
//! cargo run --release -p stopwise-analysis --features studies --example carcassonne            # turns alone, as CSV
//! cargo run --release -p stopwise-analysis --features studies --example carcassonne -- 10      # two players to 10 points
//! ```

#![allow(clippy::print_stdout, reason = "an example prints")]

use stopwise_analysis::exact::Part;
use stopwise_engine::game::{Game, Node, NodeOf};
use stopwise_engine::games::carcassonne::{Carcassonne, State};

fn main() {
    match std::env::args().nth(1).and_then(|goal| goal.parse().ok()) {
        Some(goal) => {
            let (value, error) = two_players(&endless(), goal);
            println!("{goal},{value:.12},{error:.0e}");
        }
        None => turns_alone(),
    }
}

/// The rules of a turn of the first seat, up to the second seat's. Only nine catapults end the game before.
struct Turn {
    part: Part<Carcassonne>,
    exits: Vec<Exit>,
}

/// The end of a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Exit {
    Scores(u16),
    Keeps,
    Wins,
}

impl Turn {
    fn new(game: &Carcassonne, start: NodeOf<Carcassonne>) -> Self {
        let seat = state_of(&start).seat();
        let before = game.score(&state_of(&start), seat);
        // The number of the turn is forgotten, so that the other's turn tells that it is over.
        let part = Part::explore(game, start, |node| state_of(node).seat() != seat);
        let exit = |node: &NodeOf<Carcassonne>| match node {
            Node::Terminal(_) => Exit::Wins,
            _ if state_of(node).keeps(1) => Exit::Keeps,
            _ => Exit::Scores(u16::try_from(game.score(&state_of(node), seat) - before).unwrap_or(u16::MAX)),
        };
        let exits = part.exits.iter().map(exit).collect();
        Self { part, exits }
    }

    fn value<const L: usize>(&self, worth: impl Fn(Exit) -> [f64; L]) -> [f64; L] {
        let worths: Vec<_> = self.exits.iter().map(|&exit| worth(exit)).collect();
        self.part.evaluate(&worths)
    }
}

fn state_of(node: &NodeOf<Carcassonne>) -> State {
    let (Node::Decision(state, _) | Node::Chance(state, ..) | Node::Terminal(state)) = *node;
    state
}

/// The rules for two players without a goal, which the solver adds: only nine catapults end the game.
pub(crate) fn endless() -> Carcassonne {
    Carcassonne { goal: 1000, turn_cap: 60_000, ..Carcassonne::TWO }
}

/// The greatest mean points of a turn by dice and rolls; with the knight, per turn in the long run.
fn turns_alone() {
    println!("dice,rolls,points_without_keeping,points_per_turn_with_keeping,worth_of_a_kept_knight,error");
    for dice in 2..=9 {
        for rolls in 1..=3 {
            let points = turn_alone(dice, rolls);
            let (gain, knight, error) = long_run(dice, rolls);
            println!("{dice},{rolls},{points:.10},{gain:.10},{knight:.10},{error:.0e}");
        }
    }
}

/// The rules of a turn with these numbers of dice and rolls.
fn turn(dice: u8, rolls: u8, keeping: bool) -> Turn {
    let game = Carcassonne { dice, rolls, keeping, ..endless() };
    Turn::new(&game, game.root(&mut ()))
}

/// The greatest mean points of a turn if no knight can be kept.
pub(crate) fn turn_alone(dice: u8, rolls: u8) -> f64 {
    let [points] = turn(dice, rolls, false).value(|exit| match exit {
        Exit::Scores(points) => [f64::from(points)],
        _ => [0.0],
    });
    points
}

/// The greatest mean points of several turns alone, with knights to keep.
#[allow(dead_code, reason = "tests of exact values compare with it")]
pub(crate) fn several_turns(game: &Carcassonne, turns: u16) -> f64 {
    let turn = Turn::new(game, game.root(&mut ()));
    // What the turns left are worth, without a knight and with one.
    let left = (0..turns).fold([0.0; 2], |[plain, doubled], _| {
        turn.value(|exit| match exit {
            Exit::Scores(points) => [1.0, 2.0].map(|times| times * f64::from(points) + plain),
            Exit::Keeps => [doubled; 2],
            Exit::Wins => [plain; 2],
        })
    });
    left[0]
}

/// The greatest mean points per turn in the long run, the relative value of a kept knight, and an error bound of the
/// mean.
///
/// Value iteration over the two ways to begin a turn: the change of both values in one turn encloses the mean
/// (Odoni, Operations Research 17, 1969). Nine catapults score nothing.
pub(crate) fn long_run(dice: u8, rolls: u8) -> (f64, f64, f64) {
    let turn = turn(dice, rolls, true);
    let mut knight = 0.0;
    loop {
        let [plain, doubled] = turn.value(|exit| match exit {
            Exit::Scores(points) => [f64::from(points), 2.0 * f64::from(points)],
            Exit::Keeps => [knight; 2],
            Exit::Wins => [0.0; 2],
        });
        let changes = [plain, doubled - knight];
        let (low, high) = (changes[0].min(changes[1]), changes[0].max(changes[1]));
        if high - low < 1e-11 {
            return (f64::midpoint(low, high), doubled - plain, (high - low) / 2.0);
        }
        knight = doubled - plain;
    }
}

/// The first player's probability of winning a game to `goal` under best play of both, and an error bound.
///
/// # Panics
///
/// If no knight can be kept.
pub(crate) fn two_players(game: &Carcassonne, goal: usize) -> (f64, f64) {
    let all_dice = Turn::new(game, game.root(&mut ()));
    let kept = all_dice.exits.iter().position(|&exit| exit == Exit::Keeps).expect("a knight can be kept");
    let one_less = Turn::new(game, all_dice.part.exits[kept]);
    // By own points, the other's, whether the other keeps a knight, and whether oneself does: bounds.
    let mut values = vec![vec![[[[0.0, 1.0]; 2]; 2]; goal]; goal];
    for sum in (0..2 * goal - 1).rev() {
        for own in sum.saturating_sub(goal - 1)..=sum / 2 {
            let other = sum - own;
            loop {
                let mut moved = 0.0_f64;
                let orders = if own == other { 1 } else { 2 };
                for (own, other) in [(own, other), (other, own)].into_iter().take(orders) {
                    for (other_keeps, turn) in [&all_dice, &one_less].into_iter().enumerate() {
                        // The bounds of the other's chance to win, seen from here.
                        let theirs = |points: usize, keeps: usize| {
                            let [low, high]: [f64; 2] = values[other][points][keeps][other_keeps];
                            [1.0 - high, 1.0 - low]
                        };
                        let new = turn.value(|exit| {
                            let worth = |times: usize| match exit {
                                Exit::Wins => [1.0; 2],
                                Exit::Keeps => theirs(own, 1),
                                Exit::Scores(points) => match own + times * usize::from(points) {
                                    points if points >= goal => [1.0; 2],
                                    points => theirs(points, 0),
                                },
                            };
                            let ([low, high], [low_doubled, high_doubled]) = (worth(1), worth(2));
                            [low, high, low_doubled, high_doubled]
                        });
                        for keeps in 0..2 {
                            let bounds = &mut values[own][other][other_keeps][keeps];
                            let [low, high] =
                                [new[2 * keeps].max(bounds[0]), new[2 * keeps + 1].min(bounds[1])];
                            moved = moved.max(low - bounds[0]).max(bounds[1] - high);
                            *bounds = [low, high];
                        }
                    }
                }
                if moved <= 1e-12 {
                    break;
                }
            }
        }
    }
    let [low, high] = values[0][0][0][0];
    (f64::midpoint(low, high), (high - low) / 2.0 + 1e-13)
}
