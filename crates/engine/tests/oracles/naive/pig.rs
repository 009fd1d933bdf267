//! Pig, implemented in the simplest way.

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    pub players: usize,
    pub goal: u32,
    pub sides: u32,
    pub bust_faces: Vec<u32>,
    pub unit_score: bool,
    pub turn_cap: u32,
}

impl Rules {
    /// The defaults of the page: 2 players, goal 100, a six-sided die, a 1 busts.
    pub fn standard() -> Rules {
        Rules { players: 2, goal: 100, sides: 6, bust_faces: vec![1], unit_score: false, turn_cap: 10_000 }
    }

    /// "`sides = 2, goal = n` with a point a head is Piglet".
    pub fn piglet(goal: u32) -> Rules {
        Rules { goal, sides: 2, unit_score: true, ..Rules::standard() }
    }
}

/// What the player sees when asked to hold or to roll on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// Whose turn it is.
    pub seat: usize,
    /// The scores of all seats, without the turn total.
    pub scores: Vec<u32>,
    /// The points of this turn so far, never more than the seat needs to reach the goal.
    pub turn_total: u32,
    /// Rolls made in this turn, the last one included.
    pub rolls_this_turn: u32,
    /// The number of this turn among the seat's own turns, from 1.
    pub turn: u32,
    /// Per seat: the turns in which it held.
    pub scoring_turns: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub winner: Option<usize>,
    /// Per seat, never more than the goal.
    pub points: Vec<u32>,
    pub turns: Vec<u32>,
    pub rolls: Vec<u32>,
    pub busts: Vec<u32>,
    /// Per seat: its own turn numbers, from 1, in which it went bust.
    pub bust_turns: Vec<Vec<u32>>,
    /// True when the turn cap ended the game.
    pub capped: bool,
}

/// Plays one game. `roll` gets the seat and returns a face from 1 to `sides`; `choose` returns true
/// to hold and false to roll on.
pub fn play(
    rules: &Rules,
    roll: &mut dyn FnMut(usize) -> u32,
    choose: &mut dyn FnMut(&Position) -> bool,
) -> Report {
    assert!(rules.players >= 1, "a game needs a player");
    assert!(rules.goal >= 1, "a game needs a goal");

    let mut scoring_turns = vec![0; rules.players];
    let mut turns_of_all_players = 0;
    let mut report = Report {
        winner: None,
        points: vec![0; rules.players],
        turns: vec![0; rules.players],
        rolls: vec![0; rules.players],
        busts: vec![0; rules.players],
        bust_turns: vec![Vec::new(); rules.players],
        capped: false,
    };

    // "Players take turns."
    let mut seat = 0;
    loop {
        report.turns[seat] += 1;
        turns_of_all_players += 1;

        let still_needed = rules.goal - report.points[seat];
        let mut turn_total = 0;
        let mut rolls_this_turn = 0;
        loop {
            // "On a turn: roll a die;"
            let face = roll(seat);
            assert!(1 <= face && face <= rules.sides, "no such face: {face}");
            report.rolls[seat] += 1;
            rolls_this_turn += 1;

            // "a 1 ends the turn with nothing;"
            if rules.bust_faces.contains(&face) {
                report.busts[seat] += 1;
                report.bust_turns[seat].push(report.turns[seat]);
                break;
            }

            // "any other face adds to the turn total;"
            // "(option `unit_score = true`: every non-bust face scores 1)"
            if rules.unit_score {
                turn_total += 1;
            } else {
                turn_total += face;
            }
            // More than the seat needs is worth no more than what it needs.
            if turn_total > still_needed {
                turn_total = still_needed;
            }

            // "after each such roll the player holds (the total joins the score) or rolls on"
            let position = Position {
                seat,
                scores: report.points.clone(),
                turn_total,
                rolls_this_turn,
                turn: report.turns[seat],
                scoring_turns: scoring_turns.clone(),
            };
            let hold = choose(&position);
            if hold {
                report.points[seat] += turn_total;
                scoring_turns[seat] += 1;
                break;
            }
        }

        // "First to `goal` wins on holding."
        if report.points[seat] >= rules.goal {
            report.winner = Some(seat);
            return report;
        }

        // "`turn_cap` (10,000)": the turns of all players together.
        if turns_of_all_players >= rules.turn_cap {
            report.capped = true;
            return report;
        }

        seat += 1;
        if seat == rules.players {
            seat = 0;
        }
    }
}
