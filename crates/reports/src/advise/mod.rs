//! The report of advice: what each answer is worth in one position.

pub mod sheets;

use stopwise_analysis::choices::Valued;
use stopwise_analysis::estimate::{Estimate, Interval};
use stopwise_document::{Report, Section, View};
use stopwise_engine::game::{Better, Ending, Kind, Metric, Source};
use stopwise_engine::stream::SCHEME;
use stopwise_erased::Asked;
use stopwise_narration::{grouped, spoken, trials};

use super::numbers::{MEAN, PERCENT, POINTS, Style, as_read};
use super::shared_wins::in_games;
use super::terms;
use super::words::{capital, one_label};

/// What each answer is worth in one position.
#[derive(Debug)]
pub struct AdviseReport {
    /// The game.
    pub game: &'static str,
    /// The name of the rules.
    pub rules: String,
    /// How many play.
    pub seats: usize,
    /// The metric that is played for: of games that go on the share of a win, where several may win together.
    pub metric: Metric,
    /// Whether several may win together.
    pub has_ties: bool,
    /// How games end.
    pub endings: Vec<Ending>,
    /// The kind of decision.
    pub kind: Kind,
    /// The position.
    pub asked: Asked,
    /// Why play hardly comes to it.
    pub doubt: Option<String>,
    /// A value for every choice, in the order of the choices.
    pub values: Vec<Valued>,
    /// The best choice.
    pub best: usize,
    /// The chance that a choice loses the turn to the dice at once, where it is known.
    pub busts: Vec<Option<f64>>,
    /// Where the values come from.
    pub origin: Origin,
    /// What policies answer: a label, and the number of a choice.
    pub answers: Vec<(String, usize)>,
    /// The seed of the dice of games that go on.
    pub seed: u64,
}

/// Where values come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// Best play of all seats, which an exact walk over so many states has found.
    Exact {
        /// The number of states.
        states: usize,
    },
    /// So many games that go on with each choice.
    Played {
        /// The number of games.
        trials: u64,
        /// Who plays on.
        labels: Vec<String>,
        /// Why there are no exact values, if best play is known.
        why: Option<Unknown>,
    },
}

/// Why a position of a game whose best play is known has no exact values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// No play comes to it.
    NoPlay,
    /// The bounds of its value do not meet.
    Waiting,
}

impl Unknown {
    /// Without an end.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::NoPlay => "no play comes to this position, so that it has no exact value",
            Self::Waiting => {
                "in this position, or in one that follows, players would rather wait than go on, so that play need not end and not all \
                 of its choices have an exact value"
            }
        }
    }
}

impl AdviseReport {
    /// How values of the metric are written.
    fn style(&self) -> Style {
        let style = if self.metric.is_won() { PERCENT.times(self.scale()) } else { MEAN };
        match self.origin {
            Origin::Exact { .. } if self.metric.is_won() => style.to(4),
            Origin::Exact { .. } => style.to(6),
            Origin::Played { .. } => style,
        }
    }

    /// What values of the metric are multiplied with where people read them.
    pub fn scale(&self) -> f64 {
        as_read(&self.metric).0
    }

    fn number(&self, value: f64, interval: Option<Interval>) -> String {
        self.style().with_reach(value, uncertain(interval))
    }

    /// The document, but for how to repeat it.
    pub fn report(&self) -> Report {
        let who = if self.seats > 1 { format!(" · seat {}", self.asked.seat + 1) } else { String::new() };
        let mut report = Report {
            command: "advise",
            head: format!("{} · rules {}{who} · {}", self.game, self.rules, self.kind.meaning),
            answer: self.answer().into_iter().chain(self.doubted()).collect(),
            data: vec![sheets::dataset(self)],
            terms: terms::of(&[self.metric], &self.endings),
            ..Report::default()
        };
        in_games(&mut report.data, &[self.metric]);
        report.fact("game", self.game);
        report.fact("rules", &self.rules);
        report.fact("seats", self.seats);
        if let Origin::Played { trials, .. } = &self.origin {
            report.fact("trials", *trials);
            report.fact("seed", self.seed);
            report.fact("stream_scheme", u64::from(SCHEME));
        }
        report.fact("metric", self.metric.name);
        report.fact("unit", as_read(&self.metric).1);
        report.fact("position", &self.asked.text);
        report.fact("seat", self.asked.seat + 1);
        report.fact("decision", self.kind.name);
        report.fact("best", &self.asked.choices[self.best].name);
        report.section(self.position());
        report.section(self.choices());
        report
    }

    /// The best choice in a sentence, and how much hangs on it.
    fn answer(&self) -> Vec<String> {
        let best = &self.asked.choices[self.best].name;
        let losses = self.values.iter().enumerate().filter_map(|(at, value)| Some((at, value.loss?)));
        let next = losses.min_by(|(_, a), (_, b)| a.value.total_cmp(&b.value));
        let Some((at, loss)) = next else { return vec![format!("There is only one choice: {best}.")] };
        let second = &self.asked.choices[at].name;
        let less = self.amount(loss);
        let is_exact = matches!(self.origin, Origin::Exact { .. });
        let equal =
            self.values.iter().filter(|value| value.loss.is_some_and(|loss| loss.value == 0.0)).count();
        vec![match loss.value {
            0.0 if is_exact && equal == self.values.len() - 1 && equal > 1 => {
                format!("All {} choices are worth the same.", equal + 1)
            }
            0.0 if is_exact && equal > 1 => {
                format!("Best are “{best}” and {equal} others, which are worth the same.")
            }
            0.0 if is_exact => format!("“{best}” and “{second}” are worth the same."),
            _ if !is_exact && !loss.is_above(0.0) => {
                format!("“{best}” looks best, but these games do not tell it from “{second}” ({less}).")
            }
            _ => format!("Best is “{best}”; “{second}” costs {less}."),
        }]
    }

    /// That play hardly comes to the position.
    fn doubted(&self) -> Option<String> {
        let doubt = self.doubt.as_ref()?;
        Some(format!("Play hardly comes to this position: {doubt}."))
    }

    /// A difference of the metric, with its unit: "1.20 ± 0.30 percentage points".
    pub fn amount(&self, difference: Estimate) -> String {
        match self.metric.is_won() {
            true => format!("{} percentage points", self.points(difference)),
            false => format!("{} {}", self.value(difference), self.metric.unit),
        }
    }

    /// A value of the metric: wins in per cent.
    pub fn value(&self, value: Estimate) -> String {
        self.number(value.value, value.interval)
    }

    /// A loss of wins, in percentage points.
    fn points(&self, loss: Estimate) -> String {
        let style = POINTS.unsigned().times(self.scale()).to(self.style().decimals());
        style.with_reach(loss.value, uncertain(loss.interval))
    }

    fn position(&self) -> Section {
        let mut section = Section::new("Position");
        let mut view = View::new("").texts("place").texts("what is there");
        let scene = &self.asked.scene;
        // Of a deck it is said how much it is; all of it stands in the text.
        let glance = |name: &str| {
            let of = |places: &[(&'static str, String)]| places.iter().position(|(place, _)| *place == name);
            of(&scene.long).and_then(|_| of(&scene.places)).map(|at| scene.places[at].1.clone())
        };
        for (name, text) in &self.asked.places {
            view.row([spoken(name), glance(name).unwrap_or_else(|| text.clone())]);
        }
        section.view(view);
        section.note(format!("As text: {}", self.asked.typed));
        let assumed = self.asked.assumed.iter().map(String::as_str);
        // Which decision it is stands above.
        let assumed: Vec<&str> = assumed.filter(|part| !part.starts_with("decision=")).collect();
        if !assumed.is_empty() {
            section.note(format!("Left out, and so taken as: {}", assumed.join(" ")));
        }
        section
    }

    fn choices(&self) -> Section {
        let mut section = Section::new("Choices");
        let value = match self.metric.is_win() {
            true if self.ties_are_wins() => "chance of a win or a tie".to_owned(),
            true => "chance of winning".to_owned(),
            false if self.metric.is_share() => "share of the win".to_owned(),
            false if matches!(self.metric.source, Source::Count(_)) => {
                format!("{} from here on", self.metric.word())
            }
            false => format!("{} at the end", self.metric.word()),
        };
        let costs = if self.metric.is_won() { "costs (percentage points)" } else { "costs" };
        let has_busts = self.busts.iter().flatten().any(|bust| *bust > 0.0);
        let mut view = View::new("").texts("choice").numbers(value).numbers(costs);
        if has_busts {
            view = view.numbers("bust first");
        }
        if !self.answers.is_empty() {
            view = view.texts("who chooses it");
        }
        for (at, (choice, value)) in self.asked.choices.iter().zip(&self.values).enumerate() {
            let loss = value.loss.map_or("–".into(), |loss| match self.metric.is_won() {
                true => self.points(loss),
                false => self.number(loss.value, loss.interval),
            });
            let mut row = vec![choice.told(), self.number(value.value.value, value.value.interval), loss];
            if has_busts {
                row.push(self.busts[at].map_or_else(|| "not known".into(), |bust| PERCENT.number(bust)));
            }
            if !self.answers.is_empty() {
                let labels = self.answers.iter().filter(|(_, choice)| *choice == at);
                row.push(labels.map(|(label, _)| label.as_str()).collect::<Vec<_>>().join(", "));
            }
            view.row(row);
        }
        if has_busts {
            view.note("bust first: the chance that the turn is lost before anybody decides again");
        }
        section.view(view);
        section.note(self.method());
        section
    }

    /// Whether a tie is as good as a win to who decides: best play of the second seat keeps the first one from winning.
    fn ties_are_wins(&self) -> bool {
        matches!(self.origin, Origin::Exact { .. })
            && self.asked.seat > 0
            && self.metric.is_win()
            && self.has_ties
    }

    /// Where the values come from, in words.
    fn method(&self) -> String {
        let better = match self.metric.better {
            Better::Higher => "",
            Better::Lower => " Less is better.",
        };
        match &self.origin {
            Origin::Exact { states } => format!(
                "Exact: best play of {} from there on, from what {} states are worth.{better}{}",
                if self.seats == 1 { "the player" } else { "both seats" },
                grouped(*states as u64),
                if self.ties_are_wins() {
                    " Best play of the second seat keeps the first one from winning: a tie is as good as a win; --by trials tells \
                     shares."
                } else {
                    ""
                }
            ),
            Origin::Played { trials: number, labels, why } => format!(
                "{}From {} of each choice on the same dice, in which {} plays on; ± is a 95 % interval of that line alone; \
                 --trials 100k makes it narrower.{better}",
                why.map_or_else(String::new, |why| format!("{}. ", capital(why.in_words()))),
                trials(*number).replace("trial", "game"),
                one_label(labels)
            ),
        }
    }
}

/// An interval, unless all games agree.
fn uncertain(interval: Option<Interval>) -> Option<Interval> {
    interval.filter(|interval| interval.low < interval.high)
}
