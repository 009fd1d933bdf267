//! Pig, the jeopardy dice game. Its exact values are published, so it serves as a check on every layer of the project.
//!
//! Turn caps are part of the rules, but the exact walk ignores large ones: with the number of the turn in its states,
//! two-seat Pig would have 10,000 times as many. A cap of up to 1,000 is walked exactly. A larger one is a safety net
//! that the trial obeys (it counts as the ending `capped`) and the walk ignores.

pub mod lanes;
mod prose;

use serde::{Deserialize, Deserializer, Serialize};

use super::{Rules, RulesError, in_ranges};
use crate::chance::Die;
use crate::game::{
    Action, Actions, AnswerForm, Ending, Event, Events, Game, Info, Kind, MAX_METRICS, Metric, Node, NodeOf,
    Question, Seat, Shape, Solvable,
};
use crate::options::{Domain, RuleOption};
use crate::vocabulary::{MAX_PREDICATES, Masks, Side, Surface, TableKey, Tabulation, Vocabulary};

/// Index of the kind of decision: whether to hold.
pub const STOP: usize = 0;

/// The most players.
const PLAYERS: usize = 4;
/// Up to this cap the exact walk keeps the number of the turn in its states. A larger cap is a safety net that sensible
/// play does not reach, and the walk ignores it.
pub const EXACT_TURN_CAP: u16 = 1000;

/// The largest number of entries of a table of a condition: enough for 2 to 4 players to 100, or one player to 1000.
const LARGEST_TABLE: usize = 1 << 21;
/// The number of features that the table key fixes. They come first.
const DIGESTED_FEATURES: usize = 8;

/// The indices of the features that lanes compute for all lanes at once.
mod feature {
    pub(super) const SCORE: usize = 0;
    pub(super) const TURN_TOTAL: usize = 1;
    pub(super) const SCORE_IF_STOPPED: usize = 2;
    pub(super) const GOAL_LEFT: usize = 3;
    pub(super) const GOAL: usize = 4;
    pub(super) const OTHER_BEST: usize = 5;
    pub(super) const LEAD: usize = 6;
    pub(super) const PLAYERS: usize = 7;
    pub(super) const ROLLS_THIS_TURN: usize = 8;
    pub(super) const SCORING_TURNS: usize = 9;
    pub(super) const TURN: usize = 10;
}

/// The indices of the metrics.
mod metric {
    /// The score in a solitaire game, a win with several seats.
    pub(super) const FIRST: usize = 0;
    pub(super) const TURNS: usize = 1;
    pub(super) const ROLLS: usize = 2;
    pub(super) const BUSTS: usize = 3;
    pub(super) const POINTS: usize = 4;
}

const MEMORY_ROLLS: u32 = 1;
const MEMORY_SCORING_TURNS: u32 = 2;
const MEMORY_TURN: u32 = 4;

/// The rules: every option of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pig {
    /// Seats, 1 to 4. With one seat the objective is the number of turns to the goal.
    pub players: u8,
    /// Points needed to win, 1 to 1000.
    pub goal: u16,
    /// Faces of the die, 2 to 64.
    pub sides: u8,
    /// Faces that lose the turn.
    pub bust_faces: Faces,
    /// Whether every other face scores 1 instead of its number.
    pub unit_score: bool,
    /// Turns of all players together after which a game without a winner ends, 1 to 60000.
    pub turn_cap: u16,
}

/// A set of faces, 1 to 64; a list in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<u8>", into = "Vec<u8>")]
pub struct Faces(u64);

impl Faces {
    /// Whether `face` is in the set.
    #[inline(always)]
    pub fn contains(self, face: u32) -> bool {
        self.0 >> (face - 1) & 1 == 1
    }
}

impl TryFrom<Vec<u8>> for Faces {
    type Error = String;

    fn try_from(faces: Vec<u8>) -> Result<Self, String> {
        faces.into_iter().try_fold(Self(0), |set, face| match face {
            1..=64 if set.contains(face.into()) => Err(format!("{face} stands twice; write every face once")),
            1..=64 => Ok(Self(set.0 | 1 << (face - 1))),
            _ => Err(format!("{face} is no face of a die; write numbers from 1 to the number of sides")),
        })
    }
}

impl From<Faces> for Vec<u8> {
    fn from(faces: Faces) -> Self {
        (1..=64).filter(|&face| faces.contains(u32::from(face))).collect()
    }
}

impl Pig {
    /// Two players to 100 with a six-sided die.
    pub const STANDARD: Self =
        Self { players: 2, goal: 100, sides: 6, bust_faces: Faces(1), unit_score: false, turn_cap: 10_000 };

    /// One player to 100, in as few turns as possible.
    pub const SOLO: Self = Self { players: 1, ..Self::STANDARD };

    /// Piglet: a coin, one point per head, first to 2.
    pub const PIGLET: Self = Self { goal: 2, sides: 2, unit_score: true, ..Self::STANDARD };

    /// The points missing to the goal.
    #[inline(always)]
    fn goal_left(&self, state: &State) -> u16 {
        self.goal - state.own()
    }

    /// The most banked points that another player may have: 0 when alone.
    fn most_of_others(&self) -> u16 {
        if self.players > 1 { self.goal - 1 } else { 0 }
    }

    /// Banked points of a seat.
    #[inline(always)]
    pub fn score(&self, state: &State, seat: Seat) -> u16 {
        let players = usize::from(self.players);
        state.score_after((seat + players - state.seat()) % players)
    }

    #[inline(always)]
    fn roll(&self, state: State) -> NodeOf<Self> {
        Node::Chance(state, usize::from(state.seat), Die(self.sides.into()))
    }

    /// Begins the next seat's turn, unless the cap is reached.
    #[inline(always)]
    fn pass(&self, state: State, events: &mut impl Events) -> NodeOf<Self> {
        if state.turn == self.turn_cap {
            return Node::Terminal(State { total: 0, rolls: 0, ..state });
        }
        let players = u16::from(self.players);
        let next = if state.seat + 1 == players { 0 } else { state.seat + 1 };
        events.event(usize::from(next), Event::TURN);
        // Who played becomes the last of the others.
        let last = u32::from(self.players) - 1;
        let scores = state.scores >> 16 | u64::from(state.own()) << (16 * last);
        let scoring_turns = state.scoring_turns >> 8 | u32::from(state.own_scoring_turns()) << (8 * last);
        // A turn number of 0 was forgotten on purpose and stays so.
        let turn = if state.turn == 0 { 0 } else { state.turn + 1 };
        self.roll(State { scores, scoring_turns, seat: next, total: 0, rolls: 0, turn })
    }
}

/// Every option, with what it takes.
const OPTIONS: &[RuleOption] = &[
    RuleOption::new("players", Domain::supported(1, 4), "players; alone, one plays for the fewest turns"),
    RuleOption::new("goal", Domain::supported(1, 1000), "points that win"),
    RuleOption::new("sides", Domain::supported(2, 64), "faces of the die"),
    RuleOption::new("bust_faces", Domain::List(&Domain::supported(1, 64)), "faces that lose the turn"),
    RuleOption::new("unit_score", Domain::YesNo, "every other face scores 1 instead of its number"),
    RuleOption::new(
        "turn_cap",
        Domain::supported(1, 60_000),
        "turns of all players together, after which a game without a winner ends",
    ),
];

impl Rules for Pig {
    fn with_options<'de, D: Deserializer<'de>>(&self, options: D) -> Result<Self, D::Error> {
        Self::deserialize(options)
    }

    fn validate(&self) -> Result<(), RulesError> {
        let numbers = [
            ("players", self.players.into()),
            ("goal", self.goal.into()),
            ("sides", self.sides.into()),
            ("turn_cap", self.turn_cap.into()),
        ];
        in_ranges(OPTIONS, &numbers)?;
        let all = u64::MAX >> (64 - u32::from(self.sides));
        let message = if self.bust_faces.0 & !all != 0 {
            format!("a face is greater than the die's {} sides", self.sides)
        } else if self.bust_faces.0 == 0 {
            "no face busts, so that nothing is at stake and a turn need not end; name at least one".into()
        } else if self.bust_faces.0 == all {
            "every face busts, so that nobody could ever score; leave one out".into()
        } else {
            return Ok(());
        };
        Err(RulesError { option: "bust_faces", message })
    }
}

/// The position, in three words.
///
/// The values of all seats are packed into one number, with the seat to play in the lowest bits and the others above it
/// in turn order. Nothing is indexed, so that a trial keeps the whole state in registers.
///
/// ```text
/// scores         16 bits a seat   own │ next │ after that │ …
/// scoring_turns   8 bits a seat   own │ next │ after that │ …
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    /// Banked points.
    scores: u64,
    /// The number of turns in which each seat scored, saturating at 255: memory.
    scoring_turns: u32,
    /// Points of this turn, capped at the points missing to the goal.
    total: u16,
    /// The number of the turn, all players together, from 1; 0 if forgotten.
    turn: u16,
    /// Number of rolls of this turn: memory.
    rolls: u16,
    /// The seat to play.
    seat: u16,
}

const _: () = assert!(size_of::<State>() == 24);

impl State {
    /// Banked points of the seat to play.
    pub fn score(&self) -> u32 {
        self.own().into()
    }

    #[inline(always)]
    fn own(&self) -> u16 {
        self.score_after(0)
    }

    /// Banked points of the seat that many places after the one to play.
    #[inline(always)]
    fn score_after(&self, places: usize) -> u16 {
        #[allow(clippy::cast_possible_truncation, reason = "the lowest of four numbers of 16 bits")]
        let score = (self.scores >> (16 * places)) as u16;
        score
    }

    #[inline(always)]
    fn own_scoring_turns(&self) -> u8 {
        self.scoring_turns.to_le_bytes()[0]
    }

    /// The largest number of points banked by another seat; seats that do not play have 0.
    #[inline(always)]
    fn other_best(&self) -> u16 {
        self.score_after(1).max(self.score_after(2)).max(self.score_after(3))
    }

    /// Points of the current turn.
    pub fn turn_total(&self) -> u32 {
        self.total.into()
    }

    /// The seat to play.
    pub fn seat(&self) -> Seat {
        self.seat.into()
    }
}

const SOLO_METRICS: [Metric; 5] =
    metrics(Metric::count("score", "turns", "turns to the goal", Event::TURN).less());

const METRICS: [Metric; 5] = metrics(Metric::WIN);

const fn metrics(first: Metric) -> [Metric; 5] {
    [
        first,
        Metric::count("turns", "turns", "turns of the seat", Event::TURN).less(),
        Metric::count("rolls", "rolls", "rolls of the die", Event::ROLL).less(),
        Metric::count("busts", "busts", "turns lost to the die", Event::BUST).less(),
        Metric::end("points", "points", "points at the end, no more than the goal"),
    ]
}

const GOAL: u16 = 0;
const CAPPED: u16 = 1;

const ENDINGS: &[Ending] = &[Ending::regular("goal", "somebody reached the goal"), Ending::CAPPED];

const INFO: &Info = &Info {
    name: "pig",
    summary: "Pig, the jeopardy dice game, for one to four players: its exact values are known",
    options: OPTIONS,
    kinds: &[Kind {
        name: "stop",
        form: AnswerForm::YesNo,
        actions: 2,
        meaning: "whether to hold instead of rolling on",
    }],
    predicates: &[],
    metrics: &METRICS,
    endings: ENDINGS,
    tabled: &[],
    solvable: &[
        Solvable { options: "--rules piglet", states: 20, seconds: 0.01 },
        Solvable { options: "--rules solo", states: 4_952, seconds: 0.04 },
        Solvable { options: "--set goal=40", states: 60_996, seconds: 0.7 },
    ],
    shared_turns: false,
};

impl Game for Pig {
    type State = State;
    type Chance = Die;

    const SHAPE: Shape = Shape::of(INFO, 1, 4).with_keys();

    #[inline(always)]
    fn info(&self) -> &'static Info {
        INFO
    }

    fn seats(&self) -> usize {
        self.players.into()
    }

    fn root(&self, events: &mut impl Events) -> NodeOf<Self> {
        events.event(0, Event::TURN);
        self.roll(State { turn: 1, ..State::default() })
    }

    #[inline(always)]
    fn decide(&self, state: State, _: usize, action: Action, events: &mut impl Events) -> NodeOf<Self> {
        if action == Action::NO {
            return self.roll(state);
        }
        let held = State {
            scores: state.scores + u64::from(state.total),
            scoring_turns: state.scoring_turns + u32::from(state.own_scoring_turns() < u8::MAX),
            ..state
        };
        if held.own() == self.goal {
            return Node::Terminal(State { total: 0, rolls: 0, ..held });
        }
        self.pass(held, events)
    }

    #[inline(always)]
    fn resolve(&self, state: State, face: u32, events: &mut impl Events) -> NodeOf<Self> {
        let seat = usize::from(state.seat);
        events.event(seat, Event::ROLL);
        if self.bust_faces.contains(face) {
            events.event(seat, Event::BUST);
            return self.pass(state, events);
        }
        #[allow(clippy::cast_possible_truncation, reason = "a face is at most 64")]
        let points = if self.unit_score { 1 } else { face as u16 };
        let total = (state.total + points).min(self.goal_left(&state));
        let state = State { total, rolls: state.rolls.saturating_add(1), ..state };
        Node::Decision(state, Question { seat, kind: STOP, actions: Actions::YES_NO })
    }

    fn metrics(&self) -> &'static [Metric] {
        if self.players == 1 { &SOLO_METRICS } else { INFO.metrics }
    }

    #[inline(always)]
    fn measure(&self, end: State, seat: Seat, values: &mut [u32; MAX_METRICS]) {
        let points = self.score(&end, seat);
        values[metric::FIRST] = u32::from(points == self.goal);
        values[metric::POINTS] = points.into();
    }

    fn bounds(&self, metric: usize) -> Option<(f64, f64)> {
        let metric = &self.metrics()[metric];
        match metric.name {
            _ if metric.is_win() => Some((0.0, 1.0)),
            "points" => Some((0.0, self.goal.into())),
            "score" | "turns" | "busts" => Some((0.0, self.turn_cap.into())),
            _ => None,
        }
    }

    #[inline(always)]
    fn ending(&self, end: State) -> usize {
        usize::from(if end.own() == self.goal { GOAL } else { CAPPED })
    }

    /// With the number of the turn, every roll raises the stage. Without it, scores rise turn by turn, and a bust leads
    /// back to the same scores: the game has cycles inside a stage.
    fn stage(&self, state: State) -> u64 {
        if state.turn > 0 {
            u64::from(state.turn) << 32 | u64::from(state.total) << 16 | u64::from(state.rolls)
        } else {
            (0..PLAYERS).map(|places| u64::from(state.score_after(places))).sum()
        }
    }

    /// If turns are not counted, every seat may have any sum of faces, with any sum as the turn total.
    fn states_at_least(&self) -> usize {
        if self.turn_cap <= EXACT_TURN_CAP {
            return 0;
        }
        let goal = usize::from(self.goal);
        let mut is_sum = vec![false; goal];
        is_sum[0] = true;
        for sum in 1..goal {
            let scores = |face: &u32| !self.bust_faces.contains(*face);
            let points = |face: u32| if self.unit_score { 1 } else { face as usize };
            let mut faces = (1..=u32::from(self.sides)).filter(scores).map(points);
            is_sum[sum] = faces.any(|points| points <= sum && is_sum[sum - points]);
        }
        // Sums below each number.
        let mut below = vec![0; goal + 1];
        for sum in 0..goal {
            below[sum + 1] = below[sum] + usize::from(is_sum[sum]);
        }
        let own: usize = (0..goal).filter(|&sum| is_sum[sum]).map(|score| below[goal - score]).sum();
        let others = below[goal].saturating_pow(u32::from(self.players) - 1);
        own.saturating_mul(others).saturating_mul(self.players.into())
    }

    fn forget(&self, mut state: State, keep: u32) -> State {
        if keep & MEMORY_ROLLS == 0 {
            state.rolls = 0;
        }
        if keep & MEMORY_SCORING_TURNS == 0 {
            state.scoring_turns = 0;
        }
        if keep & MEMORY_TURN == 0 && self.turn_cap > EXACT_TURN_CAP {
            state.turn = 0;
        }
        state
    }
}

impl Vocabulary for Pig {
    crate::vocabulary::features! { rules, state;
        quick {
            0 "score" "the player's banked points" [0, rules.goal - 1] / 1, 0 => state.own();
            1 "turn_total" "points of this turn, cut off at goal_left: 12 at most when 12 are missing" [0, rules.goal] / 1, 0 => state.total;
            2 "score_if_stopped" "banked points and points of this turn together" [0, rules.goal] / 1, 0
            => state.own() + state.total;
            3 "goal_left" "points missing to the goal, before this turn's" [1, rules.goal] / 1, 0 => rules.goal_left(&state);
        }
        slow {
            4 "goal" "points that win" [rules.goal, rules.goal] / 1, 0 => rules.goal;
            5 "other_best" "the best other player's banked points (0 when alone)" [0, rules.most_of_others()] / 1, 0
            => state.other_best();
            6 "lead" "the player's banked points less the best other player's"
            [-i64::from(rules.most_of_others()), rules.goal - 1] / 1, 0
            => i64::from(state.own()) - i64::from(state.other_best());
            7 "players" "players in the game" [rules.players, rules.players] / 1, 0 => rules.players;
            8 "rolls_this_turn" "rolls of this turn so far" [0, u16::MAX] / 1, MEMORY_ROLLS => state.rolls;
            9 "scoring_turns" "turns in which the player has scored (255 stands for more, too)" [0, u8::MAX] / 1, MEMORY_SCORING_TURNS
            => state.own_scoring_turns();
            10 "turn" "the player's turn, from 1" [0, rules.turn_cap] / 1, MEMORY_TURN
            => state.turn.div_ceil(u16::from(rules.players));
        }
    }

    /// If turns are not counted, whether to hold depends only on the scores and the turn total.
    fn surface(&self) -> Option<Surface> {
        let side = |feature, title| Side { feature, title, unit: "points" };
        let is_drawn = self.players <= 2 && self.turn_cap > EXACT_TURN_CAP;
        is_drawn.then(|| Surface {
            title: "When to hold",
            kind: STOP,
            row: side(feature::SCORE, "own score"),
            column: (self.players == 2).then(|| side(feature::OTHER_BEST, "the other's score")),
            rising: side(feature::TURN_TOTAL, "turn total at which to hold"),
        })
    }

    fn surface_state(&self, values: [i64; 3]) -> Option<State> {
        let [score, other, total] = values.map(|value| u16::try_from(value).unwrap_or(u16::MAX));
        let exists = score < self.goal && other < self.goal && total <= self.goal - score;
        exists.then(|| State { scores: u64::from(score) | u64::from(other) << 16, total, ..State::default() })
    }

    fn predicates(&self, _: State, _: usize, _: u32) -> Masks {
        [0; MAX_PREDICATES]
    }
}

impl Tabulation for Pig {
    /// Row: banked points, and the most points of the others. Column: the turn total. No key if the table would be too
    /// large.
    fn digests(&self) -> (usize, usize) {
        let points = usize::from(self.goal) + 1;
        let others = if self.players == 1 { 1 } else { points };
        let rows = points * others;
        if rows * points <= LARGEST_TABLE { (rows, points) } else { (0, 0) }
    }

    #[inline(always)]
    fn digest(&self, state: State) -> TableKey {
        let points = usize::from(self.goal) + 1;
        let other = match self.players {
            1 => 0,
            2 => state.score_after(1).into(),
            _ => usize::from(state.other_best()),
        };
        TableKey { row: other * points + usize::from(state.own()), column: usize::from(state.total) }
    }

    /// The player's own points.
    fn fine_rows(&self) -> usize {
        usize::from(self.goal) + 1
    }

    #[inline(always)]
    fn fine_row(&self, state: State) -> usize {
        state.own().into()
    }

    #[inline]
    fn with_digest(&self, digest: TableKey) -> Option<State> {
        let points = usize::from(self.goal) + 1;
        let parts = [digest.row % points, digest.row / points, digest.column];
        self.surface_state(parts.map(|part| i64::try_from(part).unwrap_or(i64::MAX)))
    }

    fn is_digested(&self, index: usize) -> bool {
        index < DIGESTED_FEATURES
    }

    /// All but those that look at the others' points.
    fn is_fine(&self, index: usize) -> bool {
        self.is_digested(index) && ![feature::OTHER_BEST, feature::LEAD].contains(&index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_metrics_have_their_numbers() {
        let features = Pig::STANDARD.features();
        for (number, name) in [
            (feature::SCORE, "score"),
            (feature::TURN_TOTAL, "turn_total"),
            (feature::SCORE_IF_STOPPED, "score_if_stopped"),
            (feature::GOAL_LEFT, "goal_left"),
            (feature::GOAL, "goal"),
            (feature::OTHER_BEST, "other_best"),
            (feature::LEAD, "lead"),
            (feature::PLAYERS, "players"),
            (feature::ROLLS_THIS_TURN, "rolls_this_turn"),
            (feature::SCORING_TURNS, "scoring_turns"),
            (feature::TURN, "turn"),
        ] {
            assert_eq!(features[number].name, name);
        }
        for (number, name) in [
            (metric::FIRST, "win"),
            (metric::TURNS, "turns"),
            (metric::ROLLS, "rolls"),
            (metric::BUSTS, "busts"),
            (metric::POINTS, "points"),
        ] {
            assert_eq!(METRICS[number].name, name);
        }
    }
}
