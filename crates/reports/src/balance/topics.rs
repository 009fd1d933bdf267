//! Measures as people read them: by topic, a table for each policy, with what each of them means.

use stopwise_analysis::balance::{Level, Measure, Quantity, SKILL, Statistic};
use stopwise_analysis::estimate::Estimate;
use stopwise_document::View;
use stopwise_engine::game::Event;
use stopwise_engine::tally::{SeatTally, Tally};

use super::{BalanceReport, Ruled, alike};
use crate::numbers::{DIFFERENCE, MEAN, PERCENT, POINTS, Style, VALUE};
use crate::words::percent;

/// The topic of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Topic {
    Scores,
    Seats,
    Wins,
    Length,
    Endings,
    Others,
}

impl Topic {
    /// In the order in which they are read.
    pub(super) const ALL: [Self; 6] =
        [Self::Scores, Self::Seats, Self::Wins, Self::Length, Self::Endings, Self::Others];

    fn of(measure: &Measure) -> Self {
        use Quantity::{Metric, Score};
        match measure.statistic {
            Statistic::Early | Statistic::Ending(_) => Self::Endings,
            Statistic::FirstSeatEdge | Statistic::NoWinner | Statistic::Close(..) => Self::Seats,
            Statistic::SeatWins(_) => Self::Wins,
            Statistic::Mean(Score)
            | Statistic::Quantile(Score, _)
            | Statistic::Deviation(_)
            | Statistic::Tail(_)
            | Statistic::Above(..) => Self::Scores,
            Statistic::Mean(Metric(_)) => Self::Others,
            Statistic::Mean(_) | Statistic::Quantile(..) => Self::Length,
        }
    }

    /// What a table of it shows.
    fn caption(self) -> &'static str {
        match self {
            Self::Scores => "How many points there are, variant by variant",
            Self::Seats => "Who wins, and how closely, variant by variant",
            Self::Wins => "What each seat wins, in fair shares, variant by variant",
            Self::Length => "How long games are, variant by variant",
            Self::Endings => "How many games end early, and why, variant by variant",
            Self::Others => "What else is wanted, variant by variant",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Scores => "Scores",
            Self::Seats => "Seats",
            Self::Wins => "Wins (1 is fair)",
            Self::Length => "Length",
            Self::Endings => "Endings",
            Self::Others => "Others",
        }
    }
}

/// How values are written: shares in per cent, an edge in percentage points, quantiles as integers.
pub(super) fn style(measure: &Measure) -> Style {
    match measure.statistic {
        Statistic::FirstSeatEdge => POINTS.in_points(),
        _ if measure.is_share() => PERCENT,
        Statistic::Quantile(..) => VALUE,
        Statistic::SeatWins(_) => MEAN.to(3),
        _ => MEAN.to(2),
    }
}

/// A value as text.
pub(super) fn shown(measure: &Measure, value: f64) -> String {
    style(measure).number(value)
}

/// How differences of two values are written: of shares in percentage points.
pub(super) fn change(measure: &Measure) -> Style {
    match measure.statistic {
        _ if measure.is_share() => POINTS,
        Statistic::Quantile(..) => VALUE.signed(),
        Statistic::SeatWins(_) => DIFFERENCE.to(3),
        _ => DIFFERENCE.to(2),
    }
}

/// A value with its limits: `8.60 (8.54 to 8.65)`.
pub(super) fn with_limits(style: Style, estimate: Estimate) -> String {
    let style = style.fine(estimate.interval);
    format!("{} ({})", style.number(estimate.value), style.bare().range(estimate.interval))
}

/// Whether it is of rolls, and nothing is ever rolled: of a game of cards nobody asks how often.
fn is_of_no_rolls(balanced: &BalanceReport, measure: &Measure) -> bool {
    let of_rolls = matches!(
        measure.statistic,
        Statistic::Mean(Quantity::Rolls) | Statistic::Quantile(Quantity::Rolls, _)
    );
    let is_rolled = |(ruled, tallies): (&Ruled, &Vec<Tally>)| {
        let rolls = ruled.metrics.iter().position(|metric| metric.counts(Event::ROLL));
        let of =
            |seat: &SeatTally| rolls.is_some_and(|at| seat.metrics[at].iter().any(|(value, _)| value > 0));
        tallies.iter().flat_map(|tally| &tally.seats).any(of)
    };
    of_rolls
        && balanced.targets.iter().all(|target| target.measure != measure.name)
        && !balanced.variants.iter().zip(&balanced.tallies).any(is_rolled)
}

/// All measures of the variants, each name once, but for those of rolls where there are none.
pub(super) fn names(balanced: &BalanceReport) -> Vec<&Measure> {
    let mut all: Vec<&Measure> = Vec::new();
    for measure in balanced.variants.iter().flat_map(|ruled| &ruled.measures) {
        if all.iter().all(|other| other.name != measure.name) {
            all.push(measure);
        }
    }
    all.retain(|measure| !is_of_no_rolls(balanced, measure));
    all
}

/// What is told of the length of games: turns, and rolls or draws, where there are some.
pub(super) fn lengths(balanced: &BalanceReport) -> String {
    let measures = names(balanced);
    let rolls = measures.iter().find(|measure| measure.statistic == Statistic::Mean(Quantity::Rolls));
    rolls.map_or_else(|| "Turns".into(), |rolls| format!("Turns and {}", rolls.unit))
}

/// The name of a measure in a table of its topic.
fn title(measure: &Measure) -> String {
    match measure.statistic {
        Statistic::SeatWins(_) => measure.name.trim_end_matches(" wins").to_owned(),
        _ => measure.name.trim_start_matches("early end: ").to_owned(),
    }
}

/// A table with variants as rows and the measures of a topic as columns.
pub(super) fn table(balanced: &BalanceReport, policy: usize, topic: Topic) -> View {
    let columns: Vec<_> = names(balanced).into_iter().filter(|measure| Topic::of(measure) == topic).collect();
    let is_of_each =
        |measure: &Measure| balanced.has_seats() && measure.statistic == Statistic::Mean(Quantity::Turns);
    let mut view = View::new("").captioned(topic.caption()).texts(topic.title());
    if columns.is_empty() {
        return view;
    }
    if topic == Topic::Seats {
        view = view.texts("fair share");
    }
    for measure in &columns {
        view = view.texts(title(measure));
        if is_of_each(measure) {
            view = view.texts("turns of a seat");
        }
    }
    let called = alike::names(balanced);
    for variant in alike::firsts(balanced) {
        let ruled = &balanced.variants[variant];
        if ruled.measures.iter().all(|measure| Topic::of(measure) != topic) {
            continue;
        }
        let mut row = vec![called[variant].clone()];
        if topic == Topic::Seats {
            row.push(if ruled.seats > 1 { percent(1.0 / ruled.seats as f64) } else { "–".into() });
        }
        for column in &columns {
            let found = ruled.measures.iter().find(|measure| measure.name == column.name);
            let found = found.and_then(|measure| {
                let measured = balanced.measured(variant, policy, measure, Level::SINGLE)?;
                Some((measure, measured))
            });
            row.push(
                found.map_or_else(|| "–".into(), |(measure, measured)| with_limits(style(measure), measured)),
            );
            if is_of_each(column) {
                row.push(found.map_or_else(
                    || "–".into(),
                    |(_, measured)| format!("{:.2}", measured.value / ruled.seats as f64),
                ));
            }
        }
        view.row(row);
    }
    if topic == Topic::Length && balanced.has_seats() {
        view.note(format!(
            "{} are those of all seats, added up: a turn that all seats take at the same time counts once for each of them.",
            lengths(balanced)
        ));
    }
    view
}

/// Measures and their definitions; several of one name where variants differ in it, as they do in seats.
fn definitions(balanced: &BalanceReport) -> Vec<(String, &Measure)> {
    let mut all = Vec::new();
    for named in names(balanced) {
        let mut different: Vec<(&Measure, Vec<&str>)> = Vec::new();
        for ruled in &balanced.variants {
            let Some(measure) = ruled.measures.iter().find(|measure| measure.name == named.name) else {
                continue;
            };
            match different.iter_mut().find(|(other, _)| other.definition == measure.definition) {
                Some((_, variants)) => variants.push(balanced.shown(&ruled.name)),
                None => different.push((measure, vec![balanced.shown(&ruled.name)])),
            }
        }
        let is_only = different.len() == 1;
        all.extend(different.into_iter().map(|(measure, variants)| match is_only {
            true => (measure.definition.clone(), measure),
            false => (format!("{}: {}", variants.join(", "), measure.definition), measure),
        }));
    }
    all
}

/// Every measure with its definition and its unit, and how limits are made.
pub(super) fn measures(balanced: &BalanceReport) -> View {
    let mut view = View::new("").texts("Measure").texts("");
    for (definition, measure) in definitions(balanced) {
        view.row([measure.name.clone(), format!("{definition}{}", unit(measure))]);
    }
    let mut methods: Vec<(String, Vec<&str>)> = Vec::new();
    for measure in names(balanced) {
        let method = measure.method().in_words();
        match methods.iter_mut().find(|(other, _)| *other == method) {
            Some((_, names)) => names.push(&measure.name),
            None => methods.push((method, vec![&measure.name])),
        }
    }
    let methods: Vec<_> =
        methods.iter().map(|(method, names)| format!("{method} ({})", names.join(", "))).collect();
    view.note(format!("Limits: {}.", methods.join("; ")));
    let is_close = |measure: &&Measure| matches!(measure.statistic, Statistic::Close(..));
    if !balanced.has_seats() {
        view.note("There is one seat: nobody goes first, and no game is close.");
    } else if !names(balanced).iter().any(is_close) {
        view.note("Close games are counted with --close METRIC=MOST.");
    }
    view
}

/// The unit of a measure, in brackets; of shares none.
fn unit(measure: &Measure) -> String {
    if measure.is_share() { String::new() } else { format!(" ({})", measure.unit) }
}

/// The words of this report.
pub(super) fn terms(balanced: &BalanceReport) -> Vec<(String, String)> {
    let mut terms: Vec<_> = definitions(balanced)
        .into_iter()
        .map(|(definition, measure)| (measure.name.clone(), format!("{definition}{}", unit(measure))))
        .collect();
    let skill = format!(
        "what the best policy has over the naive one: in a game for one player in standard deviations of the score of a \
         single game, in a game for several as the share{} at a table of naive policies, less a fair share",
        balanced.won().that_it_wins
    );
    let general: [(&str, &str); 4] = [
        ("base", "the first rules, which all variants are compared with"),
        ("naive", "the policy that stands for naive play: the first, or that of --naive"),
        (SKILL, &skill),
        (
            "together",
            "intervals that all hold the true values at once, with the probability given (Bonferroni)",
        ),
    ];
    terms.extend(general.map(|(word, meaning)| (word.to_owned(), meaning.to_owned())));
    terms
}
