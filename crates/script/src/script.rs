//! A compiled text as one more [`Game`].

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::apart::Apart;
use crate::host::Playing;
use crate::kept::leaked;
use crate::mask::Mask;
use crate::meeting;
use crate::met::Met;
use crate::op::{self, GameOption, Program, event_of};
use crate::pool::{Shown, Throw};
use crate::problem::{TextError, error};
use crate::seen::Seen;
use crate::state::State;
use crate::totals::Totals;
use crate::variables::Variables;
use crate::words::Words;
use stopwise_engine::game::{
    Action, Better, Dealer, Ending, Events, Game, Info, Kind, MAX_KINDS, MAX_METRICS, Metric, NodeOf,
    Question, Role, Seat, Shape, Source, Within,
};

/// A game as text, compiled for one set of option values. Equal texts with equal values are the same program.
#[derive(Clone, Copy, Debug)]
pub struct Script(pub(crate) &'static Loaded);

/// A program with what the engine asks of a game as data.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) text: String,
    pub(crate) program: Program,
    info: Info,
    words: Words,
    /// By stop, whether the exact walk stores its question.
    stored: OnceLock<Vec<bool>>,
    apart: OnceLock<Apart>,
    variables: OnceLock<Variables>,
    met: OnceLock<Met>,
    totals: OnceLock<Totals>,
    seen: OnceLock<Vec<Seen>>,
}

static LOADED: Mutex<Vec<&'static Loaded>> = Mutex::new(Vec::new());

impl Script {
    /// Compiles a text for these values of its options; the others have those of the text. It is kept as long as the process
    /// lives, some 20 to 300 kB for each text and values, and is the same for who compiles it again.
    ///
    /// # Errors
    ///
    /// All mistakes of the text under these options.
    pub fn new(text: &str, options: &[(String, String)]) -> Result<Self, TextError> {
        let wrong = |problems| error(text, problems);
        let file = crate::read(text)?;
        let given = crate::compile::given(&file, options);
        let chosen = crate::compile::options(&file, &given).map_err(wrong)?;
        let loaded = || LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        let known = |loaded: &[&'static Loaded]| {
            let is_same = |same: &&Loaded| same.text == text && same.program.options == chosen;
            loaded.iter().copied().find(is_same).map(Self)
        };
        if let Some(same) = known(&loaded()) {
            return Ok(same);
        }
        // Others compile theirs meanwhile, and perhaps this one.
        let program = crate::compile::compile(&file, &given).map_err(wrong)?;
        let mut loaded = loaded();
        Ok(known(&loaded).unwrap_or_else(|| {
            let new: &'static Loaded = Box::leak(Box::new(Loaded::new(text, program)));
            loaded.push(new);
            Self(new)
        }))
    }

    /// The program, and what policies read of it.
    #[inline]
    pub(crate) fn read(&self) -> (&'static Program, &'static Words) {
        (&self.0.program, &self.0.words)
    }

    /// Has the exact walk store the positions of all questions, or of none: otherwise it stores those that save it steps.
    ///
    /// # Panics
    ///
    /// If something was solved already.
    pub fn store(self, is_stored: bool) {
        let stored = vec![is_stored; self.program().sites.len()];
        assert_eq!(*self.0.stored.get_or_init(|| stored.clone()), stored, "nothing was solved yet");
    }

    /// What belongs to turns.
    pub(crate) fn apart(&self) -> &'static Apart {
        self.0.apart.get_or_init(|| Apart::new(self.program()))
    }

    /// The variables of states as columns.
    pub(crate) fn variables(&self) -> &'static Variables {
        self.0.variables.get_or_init(|| Variables::new(self.program()))
    }

    /// Games of random answers.
    pub(crate) fn met(&self) -> &'static Met {
        self.0.met.get_or_init(|| Met::new(self.program()))
    }

    /// What they tell of the pieces of the game.
    pub(crate) fn totals(&self) -> &'static Totals {
        self.0.totals.get_or_init(|| Totals::new(self.program(), self.met()))
    }

    /// Their questions, by what a text need not say of them.
    pub(crate) fn seen(&self) -> &'static [Seen] {
        self.0.seen.get_or_init(|| Seen::all(self.program(), &self.met().questions))
    }

    /// The program.
    pub fn program(&self) -> &'static Program {
        &self.0.program
    }
}

impl Loaded {
    fn new(text: &str, program: Program) -> Self {
        let kinds = program.kinds.iter().map(|kind| Kind {
            name: leaked(&kind.name),
            form: kind.form,
            actions: kind.actions,
            meaning: leaked(if kind.meaning.is_empty() { &kind.name } else { &kind.meaning }),
        });
        let (words, predicates) = Words::new(&program);
        let rules = program.options.iter().map(GameOption::rule);
        let metrics = program.metrics.iter().map(|metric| Metric {
            name: leaked(&metric.name),
            unit: leaked(&metric.unit),
            meaning: leaked(&metric.meaning),
            source: match metric.from {
                op::From::Event(event) => Source::Count(event_of(event)),
                op::From::End(_) => Source::End,
            },
            better: if metric.is_higher_better { Better::Higher } else { Better::Lower },
            role: match metric.from {
                op::From::End(0) if program.whole_win > 1 => {
                    Role::Share(u32::try_from(program.whole_win).expect("a few parts"))
                }
                op::From::End(at) if program.seats > 1 && at == u8::from(program.whole_win > 1) => Role::Win,
                _ => Role::Amount,
            },
        });
        let ending = |end: &op::Ending| Ending {
            name: leaked(&end.name),
            early: end.early,
            cap: end.cap,
            fault: false,
            meaning: leaked(&end.meaning),
        };
        let mut endings: Vec<Ending> = program.endings.iter().map(ending).collect();
        let range = "a number left its range; the text must say what happens then";
        endings.push(Ending { fault: true, ..Ending::early("range", range) });
        let info = Info {
            name: leaked(&program.name),
            summary: leaked(&program.meaning),
            kinds: Vec::leak(kinds.collect()),
            options: Vec::leak(rules.collect()),
            predicates: Vec::leak(predicates),
            metrics: Vec::leak(metrics.collect()),
            endings: Vec::leak(endings),
            tabled: &[],
            solvable: &[],
            shared_turns: program.shares_turns,
        };
        Self {
            text: text.into(),
            program,
            info,
            words,
            stored: OnceLock::new(),
            apart: OnceLock::new(),
            variables: OnceLock::new(),
            met: OnceLock::new(),
            totals: OnceLock::new(),
            seen: OnceLock::new(),
        }
    }
}

impl Game for Script {
    type State = State;
    type Chance = Throw;

    const SHAPE: Shape = Shape {
        kinds: MAX_KINDS,
        yes_no: true,
        items: true,
        least_seats: 1,
        most_seats: 8,
        has_keys: false,
        is_text: true,
    };

    #[inline]
    fn info(&self) -> &'static Info {
        &self.0.info
    }

    fn rules_in_full(&self) -> String {
        let options =
            self.0.program.options.iter().map(|option| format!("{} = {}\n", option.name, option.value));
        options.chain(self.0.text.lines().map(|line| format!("{line}\n"))).collect()
    }

    fn seats(&self) -> usize {
        self.0.program.seats
    }

    fn varied(&self, states: &mut dyn Iterator<Item = State>) -> Vec<(String, usize)> {
        self.0.program.varied(states)
    }

    fn root(&self, events: &mut impl Events) -> NodeOf<Self> {
        self.0.program.first(events)
    }

    #[inline]
    fn decide(&self, state: State, _: usize, action: Action, events: &mut impl Events) -> NodeOf<Self> {
        self.0.program.answered(&state, action.index(), events)
    }

    #[inline]
    fn resolve(&self, state: State, shown: Shown, events: &mut impl Events) -> NodeOf<Self> {
        self.0.program.rolled(&state, shown, events)
    }

    fn play_on(&self, node: NodeOf<Self>, dealer: &mut impl Dealer<State, Throw>) -> State {
        self.0.program.play_on(node, &mut Playing(dealer))
    }

    fn measure(&self, end: State, seat: Seat, values: &mut [u32; MAX_METRICS]) {
        let measured = self.0.program.measured(&end, seat);
        for ((value, measured), metric) in values.iter_mut().zip(measured).zip(&self.0.program.metrics) {
            if matches!(metric.from, op::From::End(_)) {
                *value = u32::try_from(measured).unwrap_or(0);
            }
        }
    }

    fn bounds(&self, metric: usize) -> Option<(f64, f64)> {
        let exact = |number: i64| i32::try_from(number).map(f64::from).unwrap_or(f64::MAX);
        self.0.program.metrics[metric].bounds.map(|(low, high)| (exact(low), exact(high)))
    }

    fn within(&self) -> Option<&'static dyn Within<Self>> {
        Some(self.apart())
    }

    fn seen(&self, state: State) -> State {
        self.0.program.seen(state)
    }

    fn ending(&self, end: State) -> usize {
        end.ending().unwrap_or(self.0.info.endings.len() - 1)
    }

    fn fault(&self, end: State) -> Option<String> {
        self.0
            .program
            .failure(&end)
            .map(|failure| format!("{}\n  help: {}", failure.in_words(&self.0.text), failure.help()))
    }

    fn is_always_won(&self) -> bool {
        let program = self.program();
        let mut ends = program.endings.iter();
        !program.loses_ties && !ends.any(|end| end.early && end.name != "capped")
    }

    fn asks_at_once(&self) -> bool {
        self.0.program.sites.iter().any(|site| site.hidden != Mask::default())
    }

    fn stage(&self, state: State) -> u64 {
        self.0.program.stage(&state)
    }

    fn forget(&self, state: State, keep: u32) -> State {
        self.0.program.forget(state, keep)
    }

    fn ask_again(&self, state: State, kind: usize) -> Option<Question> {
        meeting::question_of(&self.0.program, state, kind)
    }

    fn met_again(&self, state: State, question: Question) -> Option<State> {
        let stored = self.0.stored.get_or_init(|| meeting::stored(self.program()));
        if stored.get(state.stop()) != Some(&true) {
            return None;
        }
        meeting::with_question(&self.0.program, state, question)
    }

    fn canonical(&self, state: State) -> State {
        self.0.program.without_memory(state)
    }
}

/// How turns of texts go on.
impl Within<Script> for Apart {
    fn part(&self, _: &Script, state: State) -> State {
        Apart::part(self, state)
    }

    fn whole(&self, _: &Script, part: State, other: State) -> State {
        Apart::whole(self, part, other)
    }

    fn lasting(&self, _: &Script, state: State) -> [State; 2] {
        Apart::lasting(self, state)
    }

    fn resolve(
        &self,
        game: &Script,
        part: State,
        shown: Shown,
        events: &mut dyn Events,
    ) -> Option<NodeOf<Script>> {
        game.program().rolled_within(&part, shown, self, events)
    }

    fn decide(
        &self,
        game: &Script,
        part: State,
        action: Action,
        events: &mut dyn Events,
    ) -> Option<NodeOf<Script>> {
        game.program().answered_within(&part, action.index(), self, events)
    }
}
