//! `IceDice`, implemented in the simplest way.

/// A size: small, medium or large.
pub const S: usize = 0;
pub const M: usize = 1;
pub const L: usize = 2;

/// What the pyramid die shows: "S, M, L, SM, SL, ML, 1/6 each".
pub const SIZE_FACES: [&[usize]; 6] = [&[S], &[M], &[L], &[S, M], &[S, L], &[M, L]];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoChoice {
    Skip,
    Bust,
    Reroll,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    pub players: usize,
    pub copies: u8,
    pub trios: u32,
    pub no_choice: NoChoice,
    pub turn_cap: u32,
}

/// A piece type: (colour from 0, size).
pub type Piece = (usize, usize);

/// How many pieces of each colour and size lie in one place.
pub type Place = [[u8; 3]; 5];

const NOTHING: Place = [[0; 3]; 5];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roll {
    /// `None` is the Atom.
    pub colour: Option<usize>,
    pub sizes: Vec<usize>,
}

/// What is asked, and between what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    Take(Vec<Piece>),
    /// Seats that have the piece, "candidates in turn order, the next seat first".
    Victim(Piece, Vec<usize>),
    /// The answers are 0, roll again, and 1, stop.
    Stop,
}

/// What everybody sees when a question is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub seat: usize,
    /// Of all players together, from 1.
    pub turns_of_all: u32,
    /// The seat's own turn, from 1.
    pub turn: u32,
    pub bank: Place,
    pub counter: Place,
    pub vaults: Vec<Place>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub winner: Option<usize>,
    pub turns: Vec<u32>,
    pub rolls: Vec<u32>,
    pub busts: Vec<u32>,
    pub steals: Vec<u32>,
    pub trios: Vec<u32>,
    /// Per seat: its own turns, from 1, in which it went bust.
    pub bust_turns: Vec<Vec<u32>>,
}

/// "Trios = Σ over colours of min(S, M, L): two of one colour are two."
pub fn trios(place: &Place) -> u32 {
    let mut sum = 0;
    for colour in 0..5 {
        let [small, medium, large] = place[colour];
        sum += u32::from(small.min(medium).min(large));
    }
    sum
}

/// "The Counter therefore never holds two pieces of one colour".
fn colour_is_on(counter: &Place, colour: usize) -> bool {
    counter[colour] != [0, 0, 0]
}

pub fn move_all(from: &mut Place, to: &mut Place) {
    for colour in 0..5 {
        for size in [S, M, L] {
            to[colour][size] += from[colour][size];
            from[colour][size] = 0;
        }
    }
}

pub enum Outcome {
    Bust,
    Choice(Vec<Piece>),
    NoChoice,
}

/// What a roll comes to.
pub fn resolve(position: &Position, roll: &Roll) -> Outcome {
    // "the colour shown is on the Counter: **bust**"
    if let Some(colour) = roll.colour
        && colour_is_on(&position.counter, colour)
    {
        return Outcome::Bust;
    }
    let mut candidates = Vec::new();
    for colour in 0..5 {
        // "the piece types whose colour is the one rolled (Atom: any colour not on the Counter)"
        let colour_fits = match roll.colour {
            Some(rolled) => rolled == colour,
            None => !colour_is_on(&position.counter, colour),
        };
        for size in [S, M, L] {
            // "and whose size is shown"
            let size_fits = roll.sizes.contains(&size);
            // "and which the Bank or, only where the Bank has none, an opponent's Vault holds"
            let is_there = position.bank[colour][size] > 0 || !owners(position, (colour, size)).is_empty();
            if colour_fits && size_fits && is_there {
                candidates.push((colour, size));
            }
        }
    }
    if candidates.is_empty() { Outcome::NoChoice } else { Outcome::Choice(candidates) }
}

/// The opponents who have a piece, "candidates in turn order, the next seat first".
pub fn owners(position: &Position, piece: Piece) -> Vec<usize> {
    let players = position.vaults.len();
    let mut owners = Vec::new();
    for places in 1..players {
        let seat = (position.seat + places) % players;
        if position.vaults[seat][piece.0][piece.1] > 0 {
            owners.push(seat);
        }
    }
    owners
}

/// Plays one game. `roll` gets the seat; `choose` returns the index of a candidate. Where there is one candidate
/// nothing is asked.
pub fn play(
    rules: &Rules,
    roll: &mut dyn FnMut(usize) -> Roll,
    choose: &mut dyn FnMut(&Position, &Question) -> usize,
) -> Report {
    let zeros = vec![0; rules.players];
    let mut report = Report {
        winner: None,
        turns: zeros.clone(),
        rolls: zeros.clone(),
        busts: zeros.clone(),
        steals: zeros.clone(),
        trios: zeros,
        bust_turns: vec![Vec::new(); rules.players],
    };
    // "`copies` (1–4) of each piece type … All in the Bank."
    let mut position = Position {
        seat: 0,
        turns_of_all: 0,
        turn: 0,
        bank: [[rules.copies; 3]; 5],
        counter: NOTHING,
        vaults: vec![NOTHING; rules.players],
    };
    loop {
        position.turns_of_all += 1;
        report.turns[position.seat] += 1;
        position.turn = report.turns[position.seat];

        let stopped = turn(rules, &mut position, &mut report, roll, choose);
        let seat = position.seat;
        for seat in 0..rules.players {
            report.trios[seat] = trios(&position.vaults[seat]);
        }
        // "After stopping, and only then, a player whose Vault holds `trios` (default 3, at most 5·copies) solid
        // trios wins at once."
        if stopped && report.trios[seat] >= rules.trios {
            report.winner = Some(seat);
            return report;
        }
        // "`turn_cap` (default 2,000 turns of all players together, tested after a turn)"
        if position.turns_of_all >= rules.turn_cap {
            return report;
        }
        position.seat = (seat + 1) % rules.players;
    }
}

/// One turn; whether the player stopped.
fn turn(
    rules: &Rules,
    position: &mut Position,
    report: &mut Report,
    roll: &mut dyn FnMut(usize) -> Roll,
    choose: &mut dyn FnMut(&Position, &Question) -> usize,
) -> bool {
    let seat = position.seat;
    loop {
        // "On a turn the player rolls both dice"; "every throw counts"
        let thrown = roll(seat);
        report.rolls[seat] += 1;
        let outcome = resolve(position, &thrown);
        let is_bust = match (&outcome, rules.no_choice) {
            (Outcome::Bust, _) => true,
            // "`bust` (counts as a bust)"
            (Outcome::NoChoice, NoChoice::Bust) => true,
            // "`reroll` (both dice again, no stopping in between)"
            (Outcome::NoChoice, NoChoice::Reroll) => continue,
            _ => false,
        };
        if is_bust {
            // "Every Counter piece goes to the Bank (stolen ones too); the turn passes on."
            move_all(&mut position.counter, &mut position.bank);
            report.busts[seat] += 1;
            report.bust_turns[seat].push(position.turn);
            return false;
        }
        if let Outcome::Choice(candidates) = outcome {
            // "The player picks one (decision `take`)"
            let index =
                if candidates.len() == 1 { 0 } else { choose(position, &Question::Take(candidates.clone())) };
            let (colour, size) = candidates[index];
            if position.bank[colour][size] > 0 {
                // "From the Bank it goes to the Counter"
                position.bank[colour][size] -= 1;
            } else {
                // "otherwise it is **stolen** from an opponent who has it (decision `victim` where several have"
                let owners = owners(position, (colour, size));
                let index = if owners.len() == 1 {
                    0
                } else {
                    choose(position, &Question::Victim((colour, size), owners.clone()))
                };
                position.vaults[owners[index]][colour][size] -= 1;
                report.steals[seat] += 1;
            }
            position.counter[colour][size] += 1;
        }
        // "After a match or a skip the player stops (Counter → own Vault, turn passes on) or rolls again"
        if choose(position, &Question::Stop) == 1 {
            move_all(&mut position.counter, &mut position.vaults[seat]);
            return true;
        }
    }
}

fn pieces_in(place: &Place) -> u32 {
    place.iter().flatten().map(|&count| u32::from(count)).sum()
}

/// "V+C the deciding player's own".
fn vault_and_counter(position: &Position) -> Place {
    let mut both = position.vaults[position.seat];
    move_all(&mut position.counter.clone(), &mut both);
    both
}

/// Colours with two trios or more.
fn pairs(place: &Place) -> u32 {
    let mut colours = 0;
    for colour in 0..5 {
        if place[colour].iter().all(|&count| count >= 2) {
            colours += 1;
        }
    }
    colours
}

/// The fewest pieces that a place lacks to the trios that win: of all ways to say how many trios of each colour
/// there shall be, the cheapest.
fn missing(rules: &Rules, place: &Place) -> u32 {
    // cheapest[n]: the fewest pieces for n trios of the colours so far.
    let goal = rules.trios as usize;
    let mut cheapest = vec![None; goal + 1];
    cheapest[0] = Some(0);
    for colour in 0..5 {
        let mut with_colour: Vec<Option<u32>> = vec![None; goal + 1];
        for (so_far, pieces) in cheapest.iter().enumerate() {
            let Some(pieces) = pieces else { continue };
            for more in 0..=rules.copies {
                let then = (so_far + usize::from(more)).min(goal);
                let lacking: u32 =
                    place[colour].iter().map(|&count| u32::from(more.saturating_sub(count))).sum();
                let cost = pieces + lacking;
                if with_colour[then].is_none_or(|known| cost < known) {
                    with_colour[then] = Some(cost);
                }
            }
        }
        cheapest = with_colour;
    }
    cheapest[goal].expect("so many trios can be made")
}

/// All equally likely rolls.
fn all_rolls() -> Vec<Roll> {
    let mut rolls = Vec::new();
    for sizes in SIZE_FACES {
        for colour in [Some(0), Some(1), Some(2), Some(3), Some(4), None] {
            rolls.push(Roll { colour, sizes: sizes.to_vec() });
        }
    }
    rolls
}

/// The value of a feature as (numerator, denominator).
pub fn feature(rules: &Rules, position: &Position, name: &str) -> (i64, i64) {
    let own = &position.vaults[position.seat];
    let both = vault_and_counter(position);
    let others: Vec<&Place> =
        (0..rules.players).filter(|&seat| seat != position.seat).map(|seat| &position.vaults[seat]).collect();
    let rolls = |is_counted: &dyn Fn(Outcome) -> bool| {
        let all = all_rolls();
        let counted = all.iter().filter(|roll| is_counted(resolve(position, roll))).count();
        (counted as i64, all.len() as i64)
    };
    let whole = match name {
        "turn" => position.turn,
        "turns_left" => rules.turn_cap - position.turns_of_all,
        "counter" => pieces_in(&position.counter),
        "vault" => pieces_in(own),
        "bank" => pieces_in(&position.bank),
        "trios" => trios(own),
        "trios_if_stopped" => trios(&both),
        "pairs" => pairs(own),
        "pairs_if_stopped" => pairs(&both),
        "best_other_trios" => others.iter().map(|vault| trios(vault)).max().unwrap(),
        "best_other_vault" => others.iter().map(|vault| pieces_in(vault)).max().unwrap(),
        "missing" => missing(rules, &both),
        "best_other_missing" => others.iter().map(|vault| missing(rules, vault)).min().unwrap(),
        "players" => return (rules.players as i64, 1),
        "goal" => rules.trios,
        // "probability that the next roll is a bomb-out"
        "bust_chance" => {
            return rolls(&|outcome| match outcome {
                Outcome::Bust => true,
                Outcome::NoChoice => rules.no_choice == NoChoice::Bust,
                Outcome::Choice(_) => false,
            });
        }
        "no_choice_chance" => return rolls(&|outcome| matches!(outcome, Outcome::NoChoice)),
        _ => panic!("no such feature: {name}"),
    };
    (i64::from(whole), 1)
}

/// Whether a predicate holds for a piece that may be taken.
pub fn of_piece(rules: &Rules, position: &Position, piece: Piece, name: &str) -> bool {
    let (colour, size) = piece;
    let both = vault_and_counter(position);
    let mut then = both;
    then[colour][size] += 1;
    let is_stolen = position.bank[colour][size] == 0;
    match name {
        "from_bank" => !is_stolen,
        "steal" => is_stolen,
        "small" => size == S,
        "medium" => size == M,
        "large" => size == L,
        // "taking it raises the number of trios of V+C", "a steal can complete a trio"
        "completes_trio" => trios(&then) > trios(&both),
        "completes_pair" => pairs(&then) > pairs(&both),
        "type_missing" => both[colour][size] == 0,
        "colour_started" => both[colour] != [0, 0, 0],
        "last_in_bank" => position.bank[colour][size] == 1,
        "live" => [S, M, L].iter().all(|&size| position.bank[colour][size] + both[colour][size] >= 2),
        "advances" => missing(rules, &then) < missing(rules, &both),
        // Of somebody whom it can be stolen from.
        "leader" | "breaks_trio" => {
            is_stolen && owners(position, piece).iter().any(|&seat| of_victim(position, piece, seat, name))
        }
        _ => panic!("no such predicate: {name}"),
    }
}

/// Whether `leader` or `breaks_trio` holds for somebody who may be robbed of a piece.
fn of_victim(position: &Position, piece: Piece, seat: usize, name: &str) -> bool {
    let vault = &position.vaults[seat];
    match name {
        // "`leader` (most trios, then most pieces)": of the opponents
        "leader" => (0..position.vaults.len()).filter(|&other| other != position.seat).all(|other| {
            let rank = |vault: &Place| (trios(vault), pieces_in(vault));
            rank(&position.vaults[other]) <= rank(vault)
        }),
        "breaks_trio" => {
            let mut then = *vault;
            then[piece.0][piece.1] -= 1;
            trios(&then) < trios(vault)
        }
        _ => panic!("no such predicate: {name}"),
    }
}

/// The value of a number of a candidate of a question.
pub fn number(position: &Position, question: &Question, index: usize, name: &str) -> u32 {
    match question {
        Question::Take(candidates) => {
            let (colour, size) = candidates[index];
            let in_place = |place: &Place| u32::from(place[colour][size]);
            match name {
                "in_bank" => in_place(&position.bank),
                "held" => in_place(&position.vaults[position.seat]) + in_place(&position.counter),
                _ => panic!("no such number: {name}"),
            }
        }
        Question::Victim(_, owners) => match name {
            "victim_trios" => trios(&position.vaults[owners[index]]),
            "victim_vault" => pieces_in(&position.vaults[owners[index]]),
            _ => panic!("no such number: {name}"),
        },
        Question::Stop => panic!("stop has no candidates"),
    }
}

/// Whether a predicate holds for a candidate of a question.
pub fn predicate(rules: &Rules, position: &Position, question: &Question, index: usize, name: &str) -> bool {
    match question {
        Question::Take(candidates) => of_piece(rules, position, candidates[index], name),
        Question::Victim(piece, owners) => match name {
            "leader" | "breaks_trio" => of_victim(position, *piece, owners[index], name),
            _ => of_piece(rules, position, *piece, name),
        },
        Question::Stop => panic!("stop has no candidates"),
    }
}

/// The index of the candidate that a preference list chooses: "of the candidates left, keep those for which the
/// predicate holds, if any".
pub fn prefer(rules: &Rules, position: &Position, question: &Question, list: &[&str]) -> usize {
    let candidates = match question {
        Question::Take(candidates) => candidates.len(),
        Question::Victim(_, owners) => owners.len(),
        Question::Stop => 0,
    };
    let mut left: Vec<usize> = (0..candidates).collect();
    for entry in list {
        let kept: Vec<usize> = left
            .iter()
            .copied()
            .filter(|&index| match entry.strip_prefix("not ") {
                Some(name) => !predicate(rules, position, question, index, name),
                None => predicate(rules, position, question, index, entry),
            })
            .collect();
        if !kept.is_empty() {
            left = kept;
        }
    }
    left[0]
}
