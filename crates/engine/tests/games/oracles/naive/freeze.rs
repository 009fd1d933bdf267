//! Freeze Dice, implemented in the simplest way.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubles {
    Never,
    Always,
    Lightning,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    pub players: usize,
    pub steps: u32,
    /// Counters in the bank at the start, in all.
    pub bank: u32,
    pub start_counters: u32,
    /// Whether a seat rolls in every step, in none, or by the dice.
    pub rates: Vec<Rate>,
    pub freezing: bool,
    /// `simultaneous = all`.
    pub all_call: bool,
    pub broke_bonus: bool,
    pub doubles: Doubles,
    pub lightning_steps: u32,
    pub confirm_steps: u32,
    pub fumble: Rate,
    /// `stake_at_end = paid`.
    pub stakes_paid_at_end: bool,
}

/// A chance, of which only this matters here: whether there is something to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rate {
    Never,
    Sometimes,
    Always,
}

/// "counters, the two dice shown, whether one die is frozen on a 6"
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    pub counters: u32,
    pub dice: Option<(u32, u32)>,
    pub frozen: bool,
    /// "waits `confirm_steps` steps": how many of them are left.
    pub waits: u32,
}

/// What everybody sees when asked whether to freeze.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub step: u32,
    pub bank: u32,
    pub players: Vec<Player>,
}

impl Position {
    /// "Counters are conserved: bank + piles + stakes".
    pub fn all_counters(&self) -> u32 {
        let mut sum = self.bank;
        for player in &self.players {
            sum += player.counters + u32::from(player.frozen);
        }
        sum
    }
}

/// Where chance comes from. Every question is for a seat, whose own dice answer it.
pub trait Table {
    /// What the player rolls: both dice, or the loose one beside a 6; nothing if the rate says so.
    fn roll(&mut self, seat: usize, beside_six: bool, rate_applies: bool) -> Option<(u32, u32)>;
    /// A number below the number of callers.
    fn caller(&mut self, seat: usize, callers: usize) -> usize;
    /// Whether the player has touched the dice.
    fn fumbles(&mut self, seat: usize) -> bool;
    /// Decision `freeze`.
    fn freezes(&mut self, seat: usize, position: &Position) -> bool;
    /// Looks on after every step.
    fn step_is_over(&mut self, position: &Position);
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub winner: usize,
    pub counters: Vec<u32>,
    pub freezes: u32,
    /// Per seat: how often it was a caller.
    pub calls: Vec<u32>,
    /// Per seat: counters from the bank for pairs.
    pub doubles: Vec<u32>,
    pub stakes: Vec<u32>,
    pub stakes_won: Vec<u32>,
    pub rolls: Vec<u32>,
    /// Per seat: the freezes, counted from 1, in which it had to pay a caller.
    pub paid_in: Vec<Vec<u32>>,
    pub tie_break: bool,
    pub steps: u32,
    pub bank_empty: bool,
    /// Freezes after which the game went on.
    pub freezes_inside: u32,
}

fn seven(player: &Player) -> bool {
    match player.dice {
        Some((a, b)) => a + b == 7,
        None => false,
    }
}

/// Seats from one on, once round the table.
fn turn_order(players: usize, first: usize) -> Vec<usize> {
    let mut order = Vec::new();
    for place in 0..players {
        order.push((first + place) % players);
    }
    order
}

/// Plays one game.
pub fn play(rules: &Rules, table: &mut dyn Table) -> Report {
    let n = rules.players;
    let mut position = Position {
        step: 0,
        bank: rules.bank,
        players: vec![Player { counters: rules.start_counters, dice: None, frozen: false, waits: 0 }; n],
    };
    let mut report = Report {
        counters: vec![0; n],
        calls: vec![0; n],
        doubles: vec![0; n],
        stakes: vec![0; n],
        stakes_won: vec![0; n],
        rolls: vec![0; n],
        paid_in: vec![Vec::new(); n],
        ..Report::default()
    };

    loop {
        position.step += 1;
        let froze = step(rules, table, &mut position, &mut report);
        table.step_is_over(&position);
        // "After every step: if the bank is empty the game ends (`bank_empty`); else if no step is left it ends
        // (`time`)."
        if position.bank == 0 {
            report.bank_empty = true;
            break;
        }
        if position.step == rules.steps {
            break;
        }
        report.freezes_inside += u32::from(froze);
    }
    report.steps = position.step;

    // "Stakes still on dice go back to their owners (`returned`) or to the bank (`paid`)."
    for player in &mut position.players {
        if player.frozen {
            player.frozen = false;
            if rules.stakes_paid_at_end {
                position.bank += 1;
            } else {
                player.counters += 1;
            }
        }
    }
    for seat in 0..n {
        report.counters[seat] = position.players[seat].counters;
    }

    // "Most counters wins. Tie: the tied players roll both dice together, step by step …; the first to show double
    // sixes wins, and those who do so at the same step go on among themselves."
    let most = *report.counters.iter().max().unwrap();
    let mut tied = Vec::new();
    for seat in 0..n {
        if report.counters[seat] == most {
            tied.push(seat);
        }
    }
    report.tie_break = tied.len() > 1;
    while tied.len() > 1 {
        let mut sixes = Vec::new();
        for &seat in &tied {
            report.rolls[seat] += 1;
            if table.roll(seat, false, false).unwrap() == (6, 6) {
                sixes.push(seat);
            }
        }
        if !sixes.is_empty() {
            tied = sixes;
        }
    }
    report.winner = tied[0];
    report
}

/// One step; whether there was a freeze.
fn step(rules: &Rules, table: &mut dyn Table, position: &mut Position, report: &mut Report) -> bool {
    let n = rules.players;
    // "Doubles count always (`always`) or in the steps after `steps − lightning_steps` (`lightning`)"
    let doubles_count = match rules.doubles {
        Doubles::Never => false,
        Doubles::Always => true,
        Doubles::Lightning => {
            i64::from(position.step) > i64::from(rules.steps) - i64::from(rules.lightning_steps)
        }
    };

    // "Every player who rolls this step (independently with probability `rate`; a player waiting for confirmation does
    // not roll) rolls both dice, or only the loose one if a die is frozen."
    let mut rolled = vec![false; n];
    for seat in 0..n {
        let player = &mut position.players[seat];
        if player.waits > 0 {
            player.waits -= 1;
            continue;
        }
        if rules.rates[seat] == Rate::Never {
            continue;
        }
        if let Some(dice) = table.roll(seat, player.frozen, rules.rates[seat] == Rate::Sometimes) {
            player.dice = Some(dice);
            rolled[seat] = true;
            report.rolls[seat] += 1;
        }
    }

    // "the players who rolled this step and show double sixes (a frozen 6 and a rolled 6 count)"
    let mut callers = Vec::new();
    for seat in 0..n {
        if rolled[seat] && position.players[seat].dice == Some((6, 6)) {
            callers.push(seat);
        }
    }
    if !callers.is_empty() {
        // "`simultaneous = first`: one of them, drawn uniformly, is the caller; `all`: each is"
        if !rules.all_call && callers.len() > 1 {
            let drawn = table.caller(callers[0], callers.len());
            callers = vec![callers[drawn]];
        }
        freeze(rules, table, position, report, &callers, doubles_count);
        return true;
    }

    // "in a step without a freeze, a player who rolled and shows a pair other than sixes gets 1 counter from the bank, or
    // with probability `fumble` (touched the dice) nothing. That player … waits `confirm_steps` steps."
    if doubles_count {
        let mut earns = vec![false; n];
        for seat in 0..n {
            let (a, b) = position.players[seat].dice.unwrap_or((0, 1));
            if rolled[seat] && a == b {
                earns[seat] = !fumbles(rules, table, seat);
                position.players[seat].waits = rules.confirm_steps;
            }
        }
        // "where it runs short … doubles, which have no caller, from seat (step mod players)"
        for seat in turn_order(n, position.step as usize % n) {
            if earns[seat] && position.bank > 0 {
                position.bank -= 1;
                position.players[seat].counters += 1;
                report.doubles[seat] += 1;
            }
        }
    }

    // "every player who rolled, shows exactly one 6, has no frozen die and at least one counter may put one counter on
    // the 6 (decision `freeze`). These decisions are simultaneous: all see the same position."
    let seen = position.clone();
    for seat in 0..n {
        let player = &seen.players[seat];
        let (a, b) = player.dice.unwrap_or((0, 0));
        let one_six = (a == 6) != (b == 6);
        if rules.freezing
            && rolled[seat]
            && one_six
            && !player.frozen
            && player.counters > 0
            && table.freezes(seat, &seen)
        {
            position.players[seat].counters -= 1;
            position.players[seat].frozen = true;
            report.stakes[seat] += 1;
        }
    }
    false
}

fn fumbles(rules: &Rules, table: &mut dyn Table, seat: usize) -> bool {
    match rules.fumble {
        Rate::Never => false,
        Rate::Always => true,
        Rate::Sometimes => table.fumbles(seat),
    }
}

fn freeze(
    rules: &Rules,
    table: &mut dyn Table,
    position: &mut Position,
    report: &mut Report,
    callers: &[usize],
    doubles_count: bool,
) {
    let n = rules.players;
    report.freezes += 1;
    // "a. players who show nothing yet roll now (this roll calls nothing)"
    for seat in 0..n {
        if position.players[seat].dice.is_none() {
            position.players[seat].dice = table.roll(seat, false, false);
            report.rolls[seat] += 1;
        }
    }
    // "Where doubles count (4), a caller who fumbles gets nothing here."
    let mut counts = vec![false; n];
    for &caller in callers {
        report.calls[caller] += 1;
        counts[caller] = !(doubles_count && fumbles(rules, table, caller));
    }
    // "b. every stake on a frozen die goes to the bank, and no die is frozen any more"
    for seat in 0..n {
        if position.players[seat].frozen {
            position.players[seat].frozen = false;
            position.bank += 1;
            // "a stake is won when its owner is a caller who counts"
            if counts[seat] {
                report.stakes_won[seat] += 1;
            }
        }
    }
    // "c. with `broke_bonus`, if some player shows a sum of 7 and has no counter, every player, the caller included, gets
    // 1 from the bank (once per freeze)"
    let mut broke = false;
    for player in &position.players {
        if seven(player) && player.counters == 0 {
            broke = true;
        }
    }
    if rules.broke_bonus && broke {
        for seat in turn_order(n, callers[0]) {
            if position.bank > 0 {
                position.bank -= 1;
                position.players[seat].counters += 1;
            }
        }
    }
    // "d. each caller gets 1 counter from the bank, and then 1 from every other player who shows a sum of 7 and still has
    // one."
    for &caller in callers {
        if !counts[caller] {
            continue;
        }
        if position.bank > 0 {
            position.bank -= 1;
            position.players[caller].counters += 1;
        }
        for other in 0..n {
            if other != caller && seven(&position.players[other]) && position.players[other].counters > 0 {
                position.players[other].counters -= 1;
                position.players[caller].counters += 1;
                if report.paid_in[other].last() != Some(&report.freezes) {
                    report.paid_in[other].push(report.freezes);
                }
            }
        }
    }
    // "every caller of a freeze in such a step, fumbling or not, waits `confirm_steps` steps"
    if doubles_count {
        for &caller in callers {
            position.players[caller].waits = rules.confirm_steps;
        }
    }
}

/// The value of a feature when a seat is asked.
pub fn feature(rules: &Rules, position: &Position, seat: usize, name: &str) -> i64 {
    let own = position.players[seat].counters;
    let mut best = 0;
    let mut sum = 0;
    let mut ahead = 0;
    let mut stakes = 0;
    let mut sevens = 0;
    let mut waiting = 0;
    for other in 0..rules.players {
        let player = &position.players[other];
        stakes += u32::from(player.frozen);
        sevens += u32::from(seven(player));
        waiting += u32::from(player.waits > 0);
        if other != seat {
            best = best.max(player.counters);
            sum += player.counters;
            ahead += u32::from(player.counters > own);
        }
    }
    let lightning = i64::from(position.step) + i64::from(rules.lightning_steps) > i64::from(rules.steps);
    i64::from(match name {
        "lead" => return i64::from(own) - i64::from(best),
        "step" => position.step,
        "steps_left" => rules.steps - position.step,
        "doubles" => match rules.doubles {
            Doubles::Never => 0,
            Doubles::Always => 1,
            Doubles::Lightning => u32::from(lightning),
        },
        "players" => return rules.rates.len() as i64,
        "counters" => own,
        "other_best" => best,
        "other_sum" => sum,
        "ahead" => ahead,
        "bank" => position.bank,
        "stakes" => stakes,
        "sevens" => sevens,
        "shows_seven" => u32::from(seven(&position.players[seat])),
        "waiting" => waiting,
        _ => panic!("no such feature: {name}"),
    })
}
