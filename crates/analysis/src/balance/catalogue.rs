//! The catalogue of measures, with their names and definitions.

use stopwise_engine::game::{Ending, Event, Metric};

use super::measure::{FAIR_SHARES, Measure, Quantity, SHARE, Statistic};

/// The measures of a game for `seats` seats. `mark` adds, for one seat, the share of games with a score above it;
/// `lead`, a metric and the greatest lead in it of a close game, adds, for several, the share of close games.
pub fn catalogue(
    seats: usize,
    metrics: &[Metric],
    endings: &[Ending],
    mark: Option<u32>,
    lead: Option<(Metric, u32)>,
) -> Vec<Measure> {
    let mut measures = Vec::new();
    let mut add = |name: String, unit, definition: String, statistic| {
        measures.push(Measure { name, unit, definition, statistic });
    };
    let counts = |event| metrics.iter().any(|metric| metric.counts(event));
    let whose = if seats > 1 { " of all seats together" } else { "" };
    if counts(Event::TURN) {
        let of = Quantity::Turns;
        add("mean turns".into(), "turns", format!("turns of a game{whose}, on average"), Statistic::Mean(of));
        let tail = format!("turns{whose} that 95 of 100 games do not exceed");
        add("95 % turns".into(), "turns", tail, Statistic::Quantile(of, 0.95));
    }
    if let Some(rolls) = metrics.iter().find(|metric| metric.counts(Event::ROLL)) {
        // Of a game of cards it counts draws.
        let (of, unit) = (Quantity::Rolls, rolls.unit);
        add("mean rolls".into(), unit, format!("{unit} of a game{whose}, on average"), Statistic::Mean(of));
        if seats == 1 {
            let tail = format!("{unit} that 95 of 100 games do not exceed");
            add("95 % rolls".into(), unit, tail, Statistic::Quantile(of, 0.95));
        }
    }
    let early: Vec<_> = endings.iter().enumerate().filter(|(_, ending)| ending.early).collect();
    if !early.is_empty() {
        add("early end".into(), SHARE, "games that end early, for whatever reason".into(), Statistic::Early);
    }
    for (at, ending) in early {
        add(format!("early end: {}", ending.name), SHARE, ending.meaning.into(), Statistic::Ending(at));
    }
    let wins = seats > 1 && metrics.iter().any(Metric::is_win);
    if wins {
        let shared =
            if metrics.iter().any(Metric::is_share) { ", where those who tie share a win" } else { "" };
        add(
            "first-seat edge".into(),
            SHARE,
            format!("the first seat's share of the games with a winner, less a fair 1 in {seats}{shared}"),
            Statistic::FirstSeatEdge,
        );
        add("no winner".into(), SHARE, "games that nobody wins".into(), Statistic::NoWinner);
        if let Some((metric, most)) = lead {
            let definition =
                format!("games with a winner who leads the next by {most} {} at most", metric.unit);
            add("close games".into(), SHARE, definition, Statistic::Close(metric.name, most));
        }
        for seat in 0..seats {
            let number = seat + 1;
            let definition = format!(
                "what seat {number} wins of the games with a winner, as a multiple of a fair share{shared}"
            );
            add(format!("seat {number} wins"), FAIR_SHARES, definition, Statistic::SeatWins(seat));
        }
    }
    if let Some(score) = metrics.first().filter(|_| seats == 1) {
        let (of, unit) = (Quantity::Score, score.unit);
        add("mean score".into(), unit, format!("{}, on average", score.meaning), Statistic::Mean(of));
        let half = "the score that half of the games do not exceed".into();
        add("median score".into(), unit, half, Statistic::Quantile(of, 0.5));
        let most = "the score that 99 of 100 games do not exceed".into();
        add("99 % score".into(), unit, most, Statistic::Quantile(of, 0.99));
        let tail = "the 99 % score over the median: how far the highest scores stand out".into();
        add("score tail".into(), "ratio", tail, Statistic::Tail(of));
        let spread = "the standard deviation of the score of a single game".into();
        add("score spread".into(), unit, spread, Statistic::Deviation(of));
        if let Some(mark) = mark {
            let definition = format!("games with a score above {mark}");
            add("above mark".into(), SHARE, definition, Statistic::Above(of, mark));
        }
    }
    measures
}

/// What the catalogue of the game leaves out: the means of all other metrics, and more of how long games are. It is measured where
/// somebody asks for it: intervals that hold together are wider the more there are.
pub fn further(seats: usize, metrics: &[Metric], catalogue: &[Measure]) -> Vec<Measure> {
    let whose = if seats > 1 { ", all seats added up" } else { "" };
    let of = |metric: &Metric| Measure {
        name: format!("mean {}", metric.name),
        unit: metric.unit,
        definition: format!("{}{whose}, on average", metric.meaning),
        statistic: Statistic::Mean(Quantity::Metric(metric.name)),
    };
    let is_new = |known: &[Measure], measure: &Measure| known.iter().all(|known| known.name != measure.name);
    // All seats together win what there is.
    let counted = metrics.iter().filter(|metric| seats < 2 || !metric.is_won());
    let mut found: Vec<_> = counted.map(of).filter(|measure| is_new(catalogue, measure)).collect();
    // A metric of the game may have such a name.
    let lengths: Vec<_> =
        lengths(seats, metrics).into_iter().filter(|measure| is_new(&found, measure)).collect();
    found.extend(lengths);
    found
}

/// More of how long a game is, in turns of all seats, and of a game for several in rounds.
fn lengths(seats: usize, metrics: &[Metric]) -> Vec<Measure> {
    let counts_turns = metrics.iter().any(|metric| metric.counts(Event::TURN));
    let whose = if seats > 1 { " of all seats together" } else { "" };
    let measure =
        |name: &str, unit, definition, statistic| Measure { name: name.into(), unit, definition, statistic };
    let few = format!("turns{whose} that 5 of 100 games do not exceed");
    let half = format!("turns{whose} that half of the games do not exceed");
    let rounds = format!("turns{whose} by the {seats} who play, a round that has begun counted");
    let mut all = vec![
        measure("5 % turns", "turns", few, Statistic::Quantile(Quantity::Turns, 0.05)),
        measure("median turns", "turns", half, Statistic::Quantile(Quantity::Turns, 0.5)),
    ];
    if seats > 1 {
        let mean = format!("rounds of a game, on average: {rounds}");
        all.push(measure("mean rounds", "rounds", mean, Statistic::Mean(Quantity::Rounds)));
        let tail = format!("rounds that 95 of 100 games do not exceed: {rounds}");
        all.push(measure("95 % rounds", "rounds", tail, Statistic::Quantile(Quantity::Rounds, 0.95)));
    }
    if counts_turns { all } else { Vec::new() }
}
