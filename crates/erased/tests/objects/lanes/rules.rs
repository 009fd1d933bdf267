//! Random rules: every option of a game.

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use stopwise_engine::games::carbonite::{Atom, Carbonite, Multiplier, Points, Retribution, VaultMatch};
use stopwise_engine::games::carcassonne::{Carcassonne, Faces as Segments, NineCatapults};
use stopwise_engine::games::freeze::{Bank, Doubles, Fraction, Freeze, Rates, Simultaneous, StakeAtEnd};
use stopwise_engine::games::icedice::{Copies, IceDice, NoChoice};
use stopwise_engine::games::pig::{Faces, Pig};

fn points() -> impl Strategy<Value = u16> {
    prop_oneof![3 => 0..20_u16, 1 => 0..=1000_u16, 1 => Just(1000_u16)]
}

pub(crate) fn carbonite() -> impl Strategy<Value = Carbonite> {
    let sizes =
        (prop_oneof![Just(10), 1..=10_u8], prop_oneof![Just(5), 2..=5_u8], prop_oneof![Just(2), 1..=2_u8]);
    let points = (points(), points(), points());
    let multipliers =
        [Multiplier::LastCompleted, Multiplier::Pips, Multiplier::PipsMinusOne, Multiplier::None];
    let scoring = (points, any::<bool>(), select(multipliers.to_vec()));
    let rest = (
        select(vec![Retribution::All, Retribution::Any, Retribution::None]),
        select(vec![Atom::Choice, Atom::Reroll, Atom::Bust]),
        select(vec![VaultMatch::ForcedRoll, VaultMatch::Free, VaultMatch::NoMatch]),
    );
    (sizes, scoring, rest).prop_map(|((turns, colours, copies), (points, doubling, multiplier), rest)| {
        let (solid, mixed, single) = points;
        let (retribution, atom, vault_match) = rest;
        Carbonite {
            turns,
            colours,
            copies,
            points: Points { solid, mixed, single },
            doubling,
            multiplier,
            retribution,
            atom,
            vault_match,
        }
    })
}

pub(crate) fn pig() -> impl Strategy<Value = Pig> {
    let goals = prop_oneof![1..=40_u16, 1..=300_u16, 200..=1000_u16];
    let sides = prop_oneof![2 => Just(6_u8), 3 => 2..=12_u8, 2 => 2..=64_u8];
    let faces = sides.prop_flat_map(|sides| {
        let all: Vec<_> = (1..=sides).collect();
        let few = usize::from(sides).div_ceil(4);
        let busting = prop_oneof![
            2 => subsequence(all.clone(), 1..=few),
            1 => subsequence(all, 1..usize::from(sides)),
        ];
        (Just(sides), busting)
    });
    let caps = prop_oneof![1..=60_u16, 61..=400_u16, 1..=2000_u16];
    (1..=4_u8, goals, faces, any::<bool>(), caps).prop_map(
        |(players, goal, (sides, busting), unit_score, turn_cap)| {
            let bust_faces = Faces::try_from(busting).expect("faces of a die");
            Pig { players, goal, sides, bust_faces, unit_score, turn_cap }
        },
    )
}

pub(crate) fn icedice() -> impl Strategy<Value = IceDice> {
    let copies = prop_oneof![1 => Just(Copies::Players), 2 => (1..=4_u8).prop_map(Copies::Number)];
    let caps = prop_oneof![1..=30_u16, 31..=400_u16, Just(2000_u16)];
    let no_choice = select(vec![NoChoice::Skip, NoChoice::Bust, NoChoice::Reroll]);
    (2..=4_u8, copies, 0..20_u8, no_choice, caps).prop_map(|(players, copies, trios, no_choice, turn_cap)| {
        let game = IceDice { players, copies, trios: 1, no_choice, turn_cap };
        // Mostly few: games to many trios are long.
        let most = if trios < 15 { 5.min(5 * game.copies()) } else { 5 * game.copies() };
        IceDice { trios: 1 + trios % most, ..game }
    })
}

/// A chance of three decimals, as lanes hold it.
fn chance() -> impl Strategy<Value = Fraction> {
    prop_oneof![3 => Just(1.0), 1 => Just(0.0), 2 => select(vec![0.9, 0.5, 0.25, 0.05, 0.123])]
        .prop_map(|chance| Fraction::try_from(chance).expect("a chance"))
}

pub(crate) fn freeze() -> impl Strategy<Value = Freeze> {
    let sizes = (prop_oneof![2..=4_u8, 2..=8_u8], prop_oneof![1..=40_u16, 41..=300_u16]);
    let counters = (prop_oneof![1..=12_u16, 1..=400_u16], prop_oneof![2 => Just(0_u16), 1 => 0..=5_u16]);
    let rates = prop_oneof![
        3 => Just(Rates::ONE),
        1 => chance().prop_map(Rates::all),
        2 => prop::collection::vec(chance(), 8).prop_map(|rates| Rates::each(&rates).expect("eight")),
    ];
    let doubles = (
        select(vec![Doubles::Never, Doubles::Always, Doubles::Lightning]),
        0..60_u16,
        0..=7_u8,
        prop_oneof![1 => Just(Fraction::ZERO), 1 => chance()],
    );
    let simultaneous = select(vec![Simultaneous::First, Simultaneous::All]);
    let stake_at_end = select(vec![StakeAtEnd::Returned, StakeAtEnd::Paid]);
    let rest = (prop_oneof![3 => Just(true), 1 => Just(false)], simultaneous, any::<bool>(), stake_at_end);
    (sizes, counters, rates, doubles, rest).prop_map(|(sizes, counters, rate, doubles, rest)| {
        let ((players, steps), (bank, start_counters)) = (sizes, counters);
        let (doubles, lightning_steps, confirm_steps, fumble) = doubles;
        let (freezing, simultaneous, broke_bonus, stake_at_end) = rest;
        let of_each = |seat| rate.of(seat);
        let rate = match rate.listed() {
            Some(_) => {
                Rates::each(&(0..players.into()).map(of_each).collect::<Vec<_>>()).expect("one a seat")
            }
            None => rate,
        };
        Freeze {
            players,
            steps,
            bank: Bank::InAll(bank),
            start_counters,
            rate,
            freezing,
            simultaneous,
            broke_bonus,
            doubles,
            lightning_steps,
            confirm_steps,
            fumble,
            stake_at_end,
        }
    })
}

pub(crate) fn carcassonne() -> impl Strategy<Value = Carcassonne> {
    let sizes =
        (1..=5_u8, prop_oneof![2 => Just(9_u8), 1 => 5..=9_u8], prop_oneof![2 => Just(3_u8), 1 => 1..=5_u8]);
    let faces = prop_oneof![
        2 => Just(["CFFF", "CFCF", "CCFF", "CCCF"]),
        1 => Just(["CCFF", "CFFF", "CCCF", "CFFF"]),
        1 => Just(["CFFF", "CFFF", "CFCF", "CCFF"]),
    ];
    let faces =
        faces.prop_map(|faces| Segments::try_from(faces.map(str::to_owned).to_vec()).expect("they close"));
    let points = prop_oneof![
        2 => Just(Carcassonne::TWO.points),
        1 => prop::collection::vec(0..30_u16, 7).prop_map(|points| points.try_into().expect("seven")),
    ];
    let keeping = (1..=4_u8, any::<bool>());
    let catapults = select(vec![NineCatapults::Turn, NineCatapults::Roll, NineCatapults::Off]);
    let lengths = (prop_oneof![1..=60_u16, Just(42_u16)], prop_oneof![1..=30_u16, Just(500)], 1..=9_u16);
    (sizes, faces, points, keeping, catapults, lengths).prop_map(
        |((players, dice, rolls), faces, points, (knights_needed, keeping), nine_catapults, lengths)| {
            let (goal, turn_cap, turns) = lengths;
            Carcassonne {
                players,
                dice,
                faces,
                rolls,
                points,
                goal,
                knights_needed,
                keeping,
                nine_catapults,
                turn_cap,
                turns,
            }
        },
    )
}
