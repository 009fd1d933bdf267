//! Rules as data: values out of range are refused by name, and rules that are written are read back unchanged.

use stopwise_engine::games::Rules;
use stopwise_engine::games::carbonite::{Carbonite, Points};
use stopwise_engine::games::carcassonne::{self, Carcassonne};
use stopwise_engine::games::freeze::{Bank, Fraction, Freeze, Rates};
use stopwise_engine::games::icedice::{Copies, IceDice, NoChoice};
use stopwise_engine::games::pig::{Faces, Pig};

/// The name of the option that is wrong.
fn refused(rules: &impl Rules) -> &'static str {
    let error = rules.validate().expect_err("out of range");
    assert!(error.to_string().starts_with(&format!("{}: ", error.option)), "{error}");
    error.option
}

#[test]
fn carbonite_ranges() {
    let wiki = Carbonite::WIKI;
    let points = wiki.points;
    assert_eq!(wiki.validate(), Ok(()));
    assert_eq!(Carbonite::README_V1.validate(), Ok(()));
    for (turns, colours, copies) in [(1, 2, 1), (10, 5, 2)] {
        let free = Points { solid: 0, mixed: 1000, single: 1000 };
        assert_eq!(Carbonite { turns, colours, copies, points: free, ..wiki }.validate(), Ok(()));
    }
    for turns in [0, 11] {
        assert_eq!(refused(&Carbonite { turns, ..wiki }), "turns");
    }
    for colours in [0, 1, 6] {
        assert_eq!(refused(&Carbonite { colours, ..wiki }), "colours");
    }
    for copies in [0, 3] {
        assert_eq!(refused(&Carbonite { copies, ..wiki }), "copies");
    }
    assert_eq!(refused(&Carbonite { points: Points { solid: 1001, ..points }, ..wiki }), "points.solid");
    assert_eq!(refused(&Carbonite { points: Points { mixed: 1001, ..points }, ..wiki }), "points.mixed");
    assert_eq!(refused(&Carbonite { points: Points { single: 1001, ..points }, ..wiki }), "points.single");
}

#[test]
fn icedice_ranges() {
    let two = IceDice::TWO;
    for preset in [two, IceDice::THREE, IceDice::FOUR] {
        assert_eq!(preset.validate(), Ok(()));
        assert_eq!(preset.copies(), preset.players);
    }
    for players in [0, 1, 5] {
        assert_eq!(refused(&IceDice { players, copies: Copies::Number(2), ..two }), "players");
    }
    for copies in [0, 5, u8::MAX] {
        assert_eq!(refused(&IceDice { copies: Copies::Number(copies), ..two }), "copies");
    }
    for (copies, most) in [(1, 5), (2, 10), (4, 20)] {
        let copies = Copies::Number(copies);
        assert_eq!(IceDice { copies, trios: most, ..two }.validate(), Ok(()));
        assert_eq!(refused(&IceDice { copies, trios: most + 1, ..two }), "trios");
    }
    assert_eq!(refused(&IceDice { trios: 0, ..two }), "trios");
    for turn_cap in [0, 60_001] {
        assert_eq!(refused(&IceDice { turn_cap, ..two }), "turn_cap");
    }
}

#[test]
fn carcassonne_ranges() {
    let faces = |texts: &[&str]| {
        carcassonne::Faces::try_from(texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>())
    };
    let points = |list: &[u16]| carcassonne::Points::try_from(list.to_vec());
    let two = Carcassonne::TWO;
    for preset in [two, Carcassonne::SOLO, Carcassonne { players: 5, dice: 5, ..two }] {
        assert_eq!(preset.validate(), Ok(()));
    }
    for players in [0, 6] {
        assert_eq!(refused(&Carcassonne { players, ..two }), "players");
    }
    for (players, dice) in [(1, 2), (2, 10), (5, 4)] {
        assert_eq!(refused(&Carcassonne { players, dice, ..two }), "dice");
    }
    for wrong in [0, 10] {
        assert_eq!(refused(&Carcassonne { rolls: wrong, ..two }), "rolls");
        assert_eq!(refused(&Carcassonne { knights_needed: wrong, ..two }), "knights_needed");
    }
    for wrong in [0, 1001] {
        assert_eq!(refused(&Carcassonne { goal: wrong, ..two }), "goal");
        assert_eq!(refused(&Carcassonne { turns: wrong, ..two }), "turns");
    }
    for turn_cap in [0, 60_001] {
        assert_eq!(refused(&Carcassonne { turn_cap, ..two }), "turn_cap");
    }
    // Without an end or a corner no city closes.
    let open = faces(&["CFCF", "CCCF", "CFCF", "CCCF"]).expect("segments");
    assert_eq!(refused(&Carcassonne { faces: open, ..two }), "faces");
    for wrong in [&["CFFF"][..], &["CFFF"; 5], &["CCCC"; 4], &["FFFF"; 4], &["CFF"; 4], &["CXFF"; 4]] {
        assert!(faces(wrong).is_err(), "{wrong:?}");
    }
    // A segment is the same whichever side is named first.
    assert_eq!(faces(&["FFCF", "FCFC", "FCCF", "CFCC"]), Ok(carcassonne::Faces::STANDARD));
    let six = points(&[1, 3, 6, 10, 15, 21]).expect("sizes up to eight");
    assert_eq!(refused(&Carcassonne { points: six, ..two }), "points");
    assert_eq!(Carcassonne { points: six, dice: 8, ..two }.validate(), Ok(()));
    let dear = points(&[1001; 7]).expect("seven numbers");
    assert_eq!(refused(&Carcassonne { points: dear, ..two }), "points");
    assert!(points(&[1; 8]).is_err());
}

#[test]
fn pig_ranges() {
    let faces = |faces: &[u8]| Faces::try_from(faces.to_vec()).expect("faces of some die");
    let standard = Pig::STANDARD;
    for preset in [standard, Pig::SOLO, Pig::PIGLET] {
        assert_eq!(preset.validate(), Ok(()));
    }
    for players in [0, 5] {
        assert_eq!(refused(&Pig { players, ..standard }), "players");
    }
    for goal in [0, 1001] {
        assert_eq!(refused(&Pig { goal, ..standard }), "goal");
    }
    for sides in [0, 1, 65] {
        assert_eq!(refused(&Pig { sides, ..standard }), "sides");
    }
    for turn_cap in [0, 60_001] {
        assert_eq!(refused(&Pig { turn_cap, ..standard }), "turn_cap");
    }
    assert_eq!(refused(&Pig { bust_faces: faces(&[7]), ..standard }), "bust_faces");
    assert_eq!(refused(&Pig { bust_faces: faces(&[1, 2, 3, 4, 5, 6]), ..standard }), "bust_faces");
    assert_eq!(refused(&Pig { bust_faces: faces(&[]), ..standard }), "bust_faces");
    assert_eq!(Pig { bust_faces: faces(&[64, 1]), sides: 64, ..standard }.validate(), Ok(()));
    assert!(Faces::try_from(vec![0]).is_err());
    assert!(Faces::try_from(vec![65]).is_err());
}

#[test]
fn freeze_ranges() {
    let published = Freeze::PUBLISHED;
    for preset in
        [published, Freeze::WORKSHOP, Freeze::TABLE, Freeze::BROKE_BONUS, Freeze::DOUBLES, Freeze::LIGHTNING]
    {
        assert_eq!(preset.validate(), Ok(()));
    }
    for players in [0, 1, 9] {
        assert_eq!(refused(&Freeze { players, ..published }), "players");
    }
    for steps in [0, 60_001] {
        assert_eq!(refused(&Freeze { steps, ..published }), "steps");
    }
    for bank in [Bank::InAll(0), Bank::InAll(10_001), Bank::PerPlayer(0), Bank::PerPlayer(1001)] {
        assert_eq!(refused(&Freeze { bank, ..published }), "bank");
    }
    assert_eq!(refused(&Freeze { start_counters: 1001, ..published }), "start_counters");
    assert_eq!(refused(&Freeze { lightning_steps: 60_001, ..published }), "lightning_steps");
    assert_eq!(refused(&Freeze { confirm_steps: 8, ..published }), "confirm_steps");
    for players in [2, 3, 8] {
        let rate = Rates::each(&[Fraction::ONE; 4]).expect("four");
        assert_eq!(refused(&Freeze { players, rate, ..published }), "rate");
        assert_eq!(Freeze { rate, ..published }.validate(), Ok(()));
    }
    assert_eq!((Rates::each(&[]), Rates::each(&[Fraction::ONE; 9])), (None, None));
}

/// A chance is a fraction in lowest terms, and no other number than what was written.
#[test]
fn fractions_are_exact() {
    let parts = |value: f64| {
        let fraction = Fraction::try_from(value).expect("a chance");
        assert_eq!(f64::from(fraction), value);
        (fraction.numerator(), fraction.denominator())
    };
    assert_eq!([0.0, 1.0, 0.5, 0.35, 0.0001].map(parts), [(0, 1), (1, 1), (1, 2), (7, 20), (1, 10_000)]);
    for wrong in [-0.1, 1.1, 0.00005, 1.0 / 3.0, f64::NAN, f64::INFINITY] {
        assert!(Fraction::try_from(wrong).is_err(), "{wrong}");
    }
}

/// Read back unchanged; and an option that the game does not have is an error, not a silence.
fn round_trip<R: Rules>(rules: R, text: &str) {
    let read = |text: &str| rules.with_options(&mut serde_json::Deserializer::from_str(text));
    assert_eq!(serde_json::to_string(&rules).expect("rules can be written"), text);
    assert_eq!(read(text).expect("and read"), rules);
    let more = text.replacen('{', r#"{"wings":2,"#, 1);
    let error = read(&more).expect_err("no such option").to_string();
    assert!(error.contains("wings"), "{error}");
}

#[test]
fn written_and_read() {
    round_trip(
        Carbonite::WIKI,
        concat!(
            r#"{"turns":10,"colours":5,"copies":2,"points":{"solid":7,"mixed":5,"single":1},"doubling":true,"#,
            r#""multiplier":"last_completed","retribution":"all","atom":"choice","vault_match":"forced_roll"}"#
        ),
    );
    round_trip(
        IceDice::THREE,
        r#"{"players":3,"copies":"players","trios":3,"no_choice":"skip","turn_cap":2000}"#,
    );
    round_trip(
        IceDice { copies: Copies::Number(4), no_choice: NoChoice::Reroll, ..IceDice::TWO },
        r#"{"players":2,"copies":4,"trios":3,"no_choice":"reroll","turn_cap":2000}"#,
    );
    round_trip(
        Carcassonne::TWO,
        concat!(
            r#"{"players":2,"dice":9,"faces":["CFFF","CFCF","CCFF","CCCF"],"rolls":3,"points":[1,3,6,10,15,21,28],"#,
            r#""goal":42,"knights_needed":3,"keeping":true,"nine_catapults":"turn","turn_cap":500,"turns":1}"#
        ),
    );
    round_trip(
        Pig::PIGLET,
        r#"{"players":2,"goal":2,"sides":2,"bust_faces":[1],"unit_score":true,"turn_cap":10000}"#,
    );
    let published = concat!(
        r#"{"players":4,"steps":600,"bank":"25 per player","start_counters":0,"rate":1.0,"freezing":true,"#,
        r#""simultaneous":"first","broke_bonus":false,"doubles":"never","lightning_steps":60,"confirm_steps":1,"#,
        r#""fumble":0.0,"stake_at_end":"returned"}"#
    );
    round_trip(Freeze::PUBLISHED, published);
    let rate = Rates::each(&[1.0, 0.25].map(|rate| Fraction::try_from(rate).expect("a chance")));
    round_trip(
        Freeze { players: 2, bank: Bank::InAll(60), rate: rate.expect("two"), ..Freeze::PUBLISHED },
        &published.replace("4,", "2,").replace("\"25 per player\"", "60").replace("1.0", "[1.0,0.25]"),
    );
}
