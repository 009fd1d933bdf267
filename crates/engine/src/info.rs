//! What a game is, as data: for people and commands a value, for the compiler a constant.

use crate::ending::Ending;
use crate::metric::Metric;
use crate::node::Actions;
use crate::options::RuleOption;

/// What people and commands need to know of a game, whatever its rules. A game in Rust has it as a static, a game that is
/// made at run time as part of its program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Info {
    /// The game's name on the command line.
    pub name: &'static str,
    /// One sentence about the game, for the list of games.
    pub summary: &'static str,
    /// The options of its rules, in the order in which people read them.
    pub options: &'static [RuleOption],
    /// The kinds of decision, as [`Question::kind`](crate::game::Question::kind) numbers them.
    pub kinds: &'static [Kind],
    /// The predicates on the candidates of decisions of [`AnswerForm::Items`]; at most
    /// [`MAX_PREDICATES`](crate::vocabulary::MAX_PREDICATES).
    pub predicates: &'static [Predicate],
    /// The metrics of a seat, but under rules that have others: see [`Game::metrics`](crate::game::Game::metrics).
    pub metrics: &'static [Metric],
    /// The ways a trial can end, but under rules that have others: see [`Game::endings`](crate::game::Game::endings).
    pub endings: &'static [Ending],
    /// The names of the coordinates by which a value table distinguishes positions before a roll: empty if the game has
    /// no tables.
    pub tabled: &'static [&'static str],
    /// Variants that the exact walk can solve, from the smallest, as measured. They are suggested when a variant is too
    /// large.
    pub solvable: &'static [Solvable],
    /// Whether all seats begin each turn together, so that the turns of all seats are those of one, counted once a seat.
    pub shared_turns: bool,
}

impl Info {
    /// Whether this is the name of an option, or of a group of options.
    pub fn has_option(&self, name: &str) -> bool {
        let is_it = |rest: &str| rest.is_empty() || rest.starts_with('.');
        self.options.iter().any(|option| option.name.strip_prefix(name).is_some_and(is_it))
    }
}

/// What the compiler needs to know of a game: loops are compiled for nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The most kinds of decision, at most [`MAX_KINDS`](crate::game::MAX_KINDS).
    pub kinds: usize,
    /// Whether any of them is a [`AnswerForm::YesNo`].
    pub yes_no: bool,
    /// Whether any of them is a [`AnswerForm::Items`].
    pub items: bool,
    /// The least number of seats, 1 or more. Loops for one seat, or for several, are compiled only for games that need
    /// them.
    pub least_seats: usize,
    /// The greatest number of seats, at most [`MAX_SEATS`](crate::game::MAX_SEATS).
    pub most_seats: usize,
    /// Whether there are table keys under any rules (see [`Tabulation`](crate::vocabulary::Tabulation)). Without them no
    /// table-driven loops are compiled.
    pub has_keys: bool,
    /// Whether its rules are a text: how many kinds of decision it has is then known only when it runs, and the trial has
    /// one loop for all of them.
    pub is_text: bool,
}

impl Shape {
    /// The shape of a game with these kinds of decision and numbers of seats, without keys.
    pub const fn of(info: &Info, least_seats: usize, most_seats: usize) -> Self {
        Self {
            kinds: info.kinds.len(),
            yes_no: has_form(info.kinds, AnswerForm::YesNo),
            items: has_form(info.kinds, AnswerForm::Items),
            least_seats,
            most_seats,
            has_keys: false,
            is_text: false,
        }
    }

    /// The same with table keys.
    #[must_use]
    pub const fn with_keys(self) -> Self {
        Self { has_keys: true, ..self }
    }
}

/// Whether any of the kinds of decision has this form.
const fn has_form(kinds: &[Kind], form: AnswerForm) -> bool {
    let mut at = 0;
    while at < kinds.len() {
        if kinds[at].form as u8 == form as u8 {
            return true;
        }
        at += 1;
    }
    false
}

/// A kind of decision, as a policy names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The key in a policy file.
    pub name: &'static str,
    /// How it is answered.
    pub form: AnswerForm,
    /// The number of actions of this kind, legal or not, numbered from 0: 2 to 64.
    pub actions: u8,
    /// A description of the decision.
    pub meaning: &'static str,
}

impl Kind {
    /// All actions of this kind, legal or not.
    pub fn all_actions(&self) -> Actions {
        Actions(u64::MAX >> (64 - u32::from(self.actions)))
    }
}

/// The form of answer that a kind of decision takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerForm {
    /// [`Action::NO`](crate::game::Action::NO) or [`Action::YES`](crate::game::Action::YES): a policy gives an expression.
    YesNo,
    /// One of several items: a policy gives a preference list.
    Items,
    /// One of several numbers: a policy gives an expression, and answers with the nearest legal number, or a preference list.
    /// The game tells the number of an action as the [`CandidateNumber`](crate::vocabulary::CandidateNumber) that has the
    /// name of the kind.
    Number,
}

/// A property of a candidate action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// Its name in a policy file.
    pub name: &'static str,
    /// Its meaning, as it follows "a candidate that": "comes from the Bank".
    pub meaning: &'static str,
}

/// A variant of a game that is small enough for the exact walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solvable {
    /// The command-line options that select it, after the game's name.
    pub options: &'static str,
    /// The number of states that the walk stores.
    pub states: u64,
    /// Approximate time on two cores, in seconds.
    pub seconds: f64,
}
