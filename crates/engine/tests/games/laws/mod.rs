//! Laws that every game obeys, and values that must never change. A new game is one more line at the end.

mod figures;
mod generic;
mod histogram;
mod rules;
mod streams;
mod transcripts;
mod whole_games;

use generic::check;
use stopwise_engine::games::carbonite::{Atom, Carbonite, Points, Retribution, VaultMatch};
use stopwise_engine::games::carcassonne::{self, Carcassonne, NineCatapults};
use stopwise_engine::games::freeze::{Bank, Doubles, Fraction, Freeze, Rates, Simultaneous, StakeAtEnd};
use stopwise_engine::games::icedice::{Copies, IceDice, NoChoice};
use stopwise_engine::games::pig::{Faces, Pig};

#[test]
fn carbonite() {
    let wiki = Carbonite::WIKI;
    let dear = Points { solid: 1000, mixed: 700, single: 300 };
    check(&[
        wiki,
        Carbonite::README_V1,
        Carbonite { atom: Atom::Reroll, vault_match: VaultMatch::Free, ..wiki },
        Carbonite { atom: Atom::Bust, vault_match: VaultMatch::NoMatch, points: dear, ..wiki },
        Carbonite { retribution: Retribution::Any, colours: 4, vault_match: VaultMatch::Free, ..wiki },
        Carbonite { retribution: Retribution::None, points: dear, ..wiki },
        Carbonite { colours: 2, copies: 1, turns: 3, ..wiki },
    ]);
}

#[test]
fn icedice() {
    let two = IceDice::TWO;
    check(&[
        IceDice { copies: Copies::Number(1), trios: 1, turn_cap: 5, ..two },
        two,
        IceDice { no_choice: NoChoice::Bust, ..IceDice::THREE },
        IceDice { no_choice: NoChoice::Reroll, trios: 2, ..IceDice::FOUR },
        IceDice { players: 4, copies: Copies::Number(1), trios: 5, turn_cap: 60, ..two },
        IceDice { copies: Copies::Number(4), trios: 20, turn_cap: 60, ..two },
    ]);
}

#[test]
fn freeze() {
    let fraction = |value: f64| Fraction::try_from(value).expect("a chance");
    let short = Freeze { steps: 12, start_counters: 1, ..Freeze::PUBLISHED };
    let paces = [1.0, 0.5, 0.0].map(fraction);
    let all = Freeze {
        doubles: Doubles::Always,
        simultaneous: Simultaneous::All,
        broke_bonus: true,
        fumble: fraction(0.3),
        stake_at_end: StakeAtEnd::Paid,
        ..short
    };
    check(&[
        short,
        Freeze { steps: 100, ..Freeze::PUBLISHED },
        all,
        Freeze { players: 8, bank: Bank::InAll(9), confirm_steps: 7, ..all },
        Freeze { players: 3, rate: Rates::each(&paces).expect("three"), start_counters: 0, ..all },
        Freeze {
            players: 2,
            doubles: Doubles::Lightning,
            lightning_steps: 5,
            fumble: Fraction::ONE,
            ..short
        },
    ]);
}

#[test]
fn pig() {
    let two_faces = Faces::try_from(vec![1, 20]).expect("faces of a die");
    check(&[
        Pig::PIGLET,
        Pig::SOLO,
        Pig::STANDARD,
        Pig { players: 4, goal: 60, turn_cap: 30, ..Pig::STANDARD },
        Pig { players: 3, goal: 1000, sides: 20, bust_faces: two_faces, turn_cap: 1000, ..Pig::STANDARD },
    ]);
}

#[test]
fn carcassonne() {
    let faces = |texts: [&str; 4]| {
        carcassonne::Faces::try_from(texts.map(str::to_owned).to_vec()).expect("faces of a die")
    };
    let corners = faces(["CCFF", "CCCF", "CCFF", "CCFF"]);
    let caps = faces(["CCCF", "CFFF", "CFFF", "CFCF"]);
    // Whims need more turns than anybody who plays to win, and the walk takes a cap beyond reach for none.
    let two = Carcassonne { goal: 6, turn_cap: 60_000, ..Carcassonne::TWO };
    check(&[
        Carcassonne { dice: 7, rolls: 9, faces: corners, keeping: false, turn_cap: 20, ..two },
        Carcassonne::SOLO,
        two,
        Carcassonne { turns: 5, keeping: true, knights_needed: 2, faces: caps, ..Carcassonne::SOLO },
        Carcassonne { players: 5, rolls: 5, nine_catapults: NineCatapults::Roll, ..two },
        Carcassonne { players: 3, dice: 5, knights_needed: 1, faces: caps, turn_cap: 12, goal: 1000, ..two },
        Carcassonne { dice: 3, goal: 1, nine_catapults: NineCatapults::Off, knights_needed: 9, ..two },
    ]);
}
