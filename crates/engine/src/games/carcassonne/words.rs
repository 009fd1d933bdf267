//! The features and predicates of Carcassonne for policies.

use super::ahead::Ahead;
use super::dice::KNIGHT;
use super::outlook::{Outlook, RESULTS, knights_shown};
use super::state::State;
use super::{Carcassonne, DONE, KNIGHT_ASIDE, MEMORY_TURN, STOP, tables};
use crate::game::{Game, NodeOf, Seat};
use crate::vocabulary::{
    Frequency, MAX_PREDICATES, Masks, Numbers, Predicate, Side, Tabled, Tabulation, Vocabulary,
};

/// The most open sides of an open city that can be closed: at most eight gaps with at most three sides each.
const OPEN_SIDES: u8 = 24;

/// The features that stay the same in a turn and change between turns.
pub(super) const OUTSIDE: [usize; 7] = [9, 10, 11, 12, 13, 15, 16];

/// The indices of the features of the chart.
const ROLLS_LEFT: usize = 1;
const POINTS_IF_STOPPED: usize = 7;

/// The indices of the predicates that are looked up in the graph for each way to build.
const CLOSES: usize = 3;
const FEWEST_OPEN: usize = 8;
const FEWEST_NEEDED: usize = 9;
const NO_MORE_OPEN: usize = 10;
const CAN_CLOSE: usize = 11;
const MOST_FITTING: usize = 12;
const CLOSES_LARGEST: usize = 13;
const BEST_CHANCE: usize = 14;

pub(super) const PREDICATES: &[Predicate] = &[
    Predicate { name: "builds", meaning: "builds a segment" },
    Predicate { name: "knight", meaning: "sets a knight aside" },
    Predicate { name: "done", meaning: "places nothing more" },
    Predicate { name: "closes", meaning: "closes the city" },
    Predicate { name: "cap", meaning: "builds a cap (CFFF)" },
    Predicate { name: "straight", meaning: "builds a straight (CFCF)" },
    Predicate { name: "corner", meaning: "builds a corner (CCFF)" },
    Predicate { name: "tee", meaning: "builds a tee (CCCF)" },
    Predicate {
        name: "fewest_open",
        meaning: "builds so that the city has as few open sides as any segment shown allows (none when it closes)",
    },
    Predicate {
        name: "fewest_needed",
        meaning: "builds so that the city needs as few more segments as any segment shown allows (none when it closes)",
    },
    Predicate { name: "no_more_open", meaning: "builds so that the city has no more open sides than before" },
    Predicate {
        name: "can_close",
        meaning: "builds so that the city is closed, or needs no more segments than there are dice left in hand",
    },
    Predicate {
        name: "most_fitting",
        meaning: "builds so that as many of the four kinds of segment fit next as any segment shown allows (none when it closes)",
    },
    Predicate {
        name: "closes_largest",
        meaning: "builds towards the largest city that can be closed with dice shown",
    },
    Predicate {
        name: "best_chance",
        meaning: "leaves city and dice for which the chance that one roll of them can close it is greatest (certain when it closes)",
    },
];

impl Vocabulary for Carcassonne {
    crate::vocabulary::features! { rules, state;
        quick {
            0 "dice" "dice in hand: neither passed on nor set aside nor built" [0, rules.dice] / 1, 0 => state.dice;
            1 "rolls_left" "rolls left in this turn" [0, rules.rolls] / 1, 0 => rules.rolls - state.rolls;
            2 "knights" "knights set aside in this turn, no more than are needed to keep one"
            [0, rules.knights_needed] / 1, 0 => state.knights;
            3 "largest" "dice of the largest city closed in this turn, 0 for none" [0, rules.dice] / 1, 0 => state.largest;
            4 "city" "dice in the open city, 0 for none" [0, rules.dice] / 1, 0 => rules.city(&state).size;
            5 "needed" "the fewest segments that close the open city, or a new one if none is open" [1, 9] / 1, 0
            => rules.city(&state).needed;
            6 "open_sides" "city sides of the open city that are not joined" [0, OPEN_SIDES] / 1, 0
            => rules.city(&state).open_sides;
            7 "points_if_stopped" "what the turn scores if it ends here and no knight is kept"
            [0, 2 * rules.points.most()] / 1, 0 => rules.points_if_stopped(&state);
            8 "doubled" "1 if the turn began with a kept knight, else 0" [0, 1] / 1, 0 => u8::from(state.is_doubled());
        }
        slow {
            9 "score" "the player's points" [0, rules.most_points()] / 1, 0 => rules.own_score(&state);
            10 "other_best" "the best other player's points (0 when alone)" [0, rules.most_points()] / 1, 0
            => rules.other_best(&state);
            11 "lead" "the player's points less the best other player's" [-rules.most_points(), rules.most_points()] / 1, 0
            => rules.own_score(&state) - rules.other_best(&state);
            12 "goal_left" "points missing to the goal, 0 when alone" [0, rules.goal] / 1, 0
            => if rules.is_solo() { 0 } else { i64::from(rules.goal) - rules.own_score(&state) };
            13 "other_knights" "knights that other players keep" [0, rules.players - 1] / 1, 0
            => (state.kept >> 1).count_ones();
            14 "players" "players in the game" [rules.players, rules.players] / 1, 0 => rules.players;
            15 "turn" "the player's turn, from 1" [0, rules.most_turns()] / 1, MEMORY_TURN
            => state.turn.div_ceil(u16::from(rules.players));
            16 "turns_left" "turns after this one when alone, else 0" [0, rules.turns] / 1, 0
            => if rules.is_solo() { rules.turns - state.turn } else { 0 };
            17 "caps_shown" "dice that show a cap (CFFF) and can be placed" [0, rules.dice] / 1, 0 => state.shown.count(0);
            18 "straights_shown" "dice that show a straight (CFCF) and can be placed" [0, rules.dice] / 1, 0
            => state.shown.count(1);
            19 "corners_shown" "dice that show a corner (CCFF) and can be placed" [0, rules.dice] / 1, 0
            => state.shown.count(2);
            20 "tees_shown" "dice that show a tee (CCCF) and can be placed" [0, rules.dice] / 1, 0 => state.shown.count(3);
            21 "knights_shown" "dice that show a knight and can be set aside" [0, rules.dice] / 1, 0
            => state.shown.count(KNIGHT);
            22 "closable" "the largest size at which the open city, or a new one, can be closed with dice shown, 0 for none"
            [0, rules.dice] / 1, 0 => Outlook::of(rules.faces).closable(state.city, state.shown);
            23 "close_chance" "the chance that a roll of the dice in hand can close the open city, or a new one"
            [0, RESULTS] / RESULTS, 0 => Outlook::of(rules.faces).closing(state.city, state.dice);
            24 "keep_chance" "the chance that a roll of the dice in hand shows all knights still needed to keep one"
            [0, RESULTS] / RESULTS, 0 => knights_shown(state.dice, rules.knights_needed - state.knights);
        }
    }

    fn frequency(&self) -> Option<Frequency> {
        Some(Frequency {
            title: "When to stop",
            kind: STOP,
            row: Side { feature: ROLLS_LEFT, title: "rolls left", unit: "" },
            column: Side { feature: POINTS_IF_STOPPED, title: "points if the turn ends here", unit: "" },
        })
    }

    #[inline(always)]
    fn predicates(&self, state: State, _: usize, wanted: u32) -> Masks {
        let class = self.city(&state);
        let builds = self.ways_to_place(&state).0 & !KNIGHT_ASIDE.0 & !DONE.0;
        let [cap, straight, corner, tee] = class.of_kind.map(u64::from);
        let mut masks = [0; MAX_PREDICATES];
        masks[0] = builds;
        masks[1] = KNIGHT_ASIDE.0;
        masks[2] = DONE.0;
        masks[CLOSES] = class.closing.into();
        [masks[4], masks[5], masks[6], masks[7]] = [cap, straight, corner, tee];
        if wanted >> FEWEST_OPEN != 0 {
            let copy = state;
            self.look_ahead(&copy, builds, wanted, &mut masks);
        }
        masks
    }
}

impl Tabulation for Carcassonne {
    fn tabled_rules(&self) -> String {
        tables::rules(self)
    }

    fn tabled(&self, state: &State, seat: Seat) -> Tabled {
        tables::tabled(self, state, seat)
    }

    fn tabled_roll(&self, numbers: &Numbers) -> Option<NodeOf<Self>> {
        tables::roll(self, numbers)
    }

    fn tabled_state(&self, state: State) -> State {
        self.canonical(tables::turn_alone(state))
    }
}

impl Carcassonne {
    /// Computes the predicates that depend on where each way to build leads.
    #[inline(never)]
    fn look_ahead(&self, state: &State, builds: u64, wanted: u32, masks: &mut Masks) {
        let asked = |predicate: usize| wanted >> predicate & 1 == 1;
        let ways = Ahead::of(self.faces.kinds()).class(state.city);
        masks[NO_MORE_OPEN] = ways.no_more_open & builds;
        if asked(FEWEST_OPEN) {
            masks[FEWEST_OPEN] = ways.fewest_open.among(builds);
        }
        if asked(FEWEST_NEEDED) {
            masks[FEWEST_NEEDED] = ways.fewest_needed.among(builds);
        }
        // One die builds.
        if asked(CAN_CLOSE) && builds != 0 {
            masks[CAN_CLOSE] = ways.closable(state.dice - 1) & builds;
        }
        if asked(MOST_FITTING) {
            masks[MOST_FITTING] = ways.most_fitting.among(builds);
        }
        if asked(CLOSES_LARGEST) {
            masks[CLOSES_LARGEST] = Outlook::of(self.faces).towards(state.city, state.shown);
        }
        if asked(BEST_CHANCE) {
            masks[BEST_CHANCE] = self.best_chance(state, builds);
        }
    }

    /// The candidates for a die after which the chance that one roll closes the city is greatest.
    fn best_chance(&self, state: &State, builds: u64) -> u64 {
        let (graph, class, outlook) = (self.graph(), self.city(state), Outlook::of(self.faces));
        let (mut greatest, mut found) = (outlook.closing(state.city, state.dice), DONE.0);
        let mut consider = |way: u64, chance: u32| {
            if chance > greatest {
                (greatest, found) = (chance, 0);
            }
            found |= if chance == greatest { way } else { 0 };
        };
        let mut left = builds;
        while left != 0 {
            let way = left & left.wrapping_neg();
            left ^= way;
            let is_closed = u64::from(class.closing) & way != 0;
            let next = graph.next(class, way.trailing_zeros());
            consider(way, if is_closed { RESULTS } else { outlook.closing(next, state.dice - 1) });
        }
        if state.shown.count(KNIGHT) > 0 {
            consider(KNIGHT_ASIDE.0, outlook.closing(state.city, state.dice - 1));
        }
        found
    }

    fn own_score(&self, state: &State) -> i64 {
        i64::try_from(self.score_after(state, 0)).unwrap_or(i64::MAX)
    }

    fn other_best(&self, state: &State) -> i64 {
        let others = (1..self.players.into()).map(|places| self.score_after(state, places));
        others.max().and_then(|points| i64::try_from(points).ok()).unwrap_or(0)
    }

    /// An upper bound on the points of a player at a decision.
    fn most_points(&self) -> i64 {
        if self.is_solo() {
            2 * i64::from(self.points.most()) * i64::from(self.turns)
        } else {
            i64::from(self.goal) - 1
        }
    }

    /// An upper bound on the number of a player's turn.
    fn most_turns(&self) -> u16 {
        if self.is_solo() { self.turns } else { self.turn_cap }
    }
}
