//! How a policy answers one kind of decision: with tables where possible, otherwise with conditions and lists.

use stopwise_engine::game::{Action, Actions, AnswerForm, Question};
use stopwise_engine::vocabulary::{CandidateKey, Feature, MAX_PREDICATES, Vocabulary};

use crate::aim::Aim;
use crate::draft::{Decision, List, Order};
use crate::expression::by_digest::ByDigest;
use crate::expression::chance::{MOST, NO};
use crate::expression::check::Checked;
use crate::expression::condition::Condition;
use crate::expression::drawn::{Drawn, Numbers};
use crate::expression::table::ByBits;

/// The answers to one kind of decision: tables or a plain list where these suffice, otherwise `full`.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// Yes/no for every table key of the game; empty if the condition depends on more than the key.
    pub(crate) by_digest: ByDigest,
    /// Yes/no by bits of the state, in games that are known when they run.
    pub(crate) by_bits: ByBits,
    /// Whether the answer is always the first action.
    pub(crate) is_first: bool,
    /// The predicates of the only, unconditional list, with the masks to flip them; empty if the answers need more than
    /// that.
    pub(crate) plain_list: Box<[(usize, u64)]>,
    /// The predicates of that list, as bits.
    wanted: u32,
    /// The index of the preferred action for every candidate key of the kind; empty if the list depends on more.
    pub(crate) by_local: Box<[u8]>,
    pub(crate) full: Full,
    /// What is drawn for it, if it is by chance.
    pub(crate) drawn: Option<Drawn>,
}

#[derive(Clone, Debug)]
pub(crate) enum Full {
    YesNo(Condition, Checked),
    /// Preference lists; the first one whose condition holds applies.
    Items(Vec<List>),
    Number(Aim),
}

impl Answer {
    /// The form of the questions that it answers.
    pub(crate) fn form(&self) -> AnswerForm {
        match self.full {
            Full::YesNo(..) => AnswerForm::YesNo,
            Full::Items(_) => AnswerForm::Items,
            Full::Number(_) => AnswerForm::Number,
        }
    }

    /// Compiles a decision for the game.
    pub(crate) fn new<G: Vocabulary>(
        game: &G,
        kind: usize,
        features: &[Feature],
        decision: Decision,
    ) -> Self {
        let drawn = if const { G::SHAPE.is_text } { drawn(&decision, features.len() - MOST) } else { None };
        Self { drawn, ..Self::of(game, kind, features, decision) }
    }

    fn of<G: Vocabulary>(game: &G, kind: usize, features: &[Feature], decision: Decision) -> Self {
        match decision {
            Decision::YesNo(checked, _) => Self::yes_no(game, features, checked),
            Decision::Items(lists, _) => {
                let mut answer = Self::items(lists);
                answer.tabulate_list(game, kind);
                answer
            }
            Decision::Number(checked, _) => {
                Self { full: Full::Number(Aim::new(game, kind, &checked)), ..Self::slow() }
            }
            Decision::Unread => Self::items(Vec::new()),
        }
    }

    /// The item that a list without conditions prefers.
    #[inline(always)]
    pub(crate) fn by_list<G: Vocabulary>(&self, game: &G, state: G::State, question: Question) -> Action {
        if let Some(CandidateKey { digest, base }) = game.local(state, question)
            && let Some(number) = self.by_local.get(digest)
        {
            return Action(1 << (u32::from(*number) + base));
        }
        let copy = state;
        self.by_predicates(game, &copy, question)
    }

    /// The item that a list without conditions prefers, computed from predicates. Outlined: inline in the loop of a
    /// trial, the compiler would compute every predicate in advance in every round, whatever the policy needs.
    #[inline(never)]
    pub(crate) fn by_predicates<G: Vocabulary>(
        &self,
        game: &G,
        state: &G::State,
        question: Question,
    ) -> Action {
        let state = *state;
        let masks = game.predicates_of(state, question, self.wanted);
        let mut left = question.actions.0;
        for &(index, flip) in &self.plain_list {
            let kept = left & (masks[index % MAX_PREDICATES] ^ flip);
            left = if kept == 0 { left } else { kept };
        }
        Actions(left).first()
    }

    /// The answer where these numbers are drawn for it.
    #[inline(never)]
    pub(crate) fn with_numbers<G: Vocabulary>(
        &self,
        game: &G,
        state: &G::State,
        question: Question,
        (drawn, numbers): (&Drawn, &Numbers),
    ) -> Action {
        let value = |feature| drawn.value(numbers, feature, || game.feature_in_place(state, feature));
        match &self.full {
            Full::YesNo(condition, _) => condition.holds_of(value).into(),
            Full::Number(aim) => aim.nearest_of(game, state, question, value).0,
            Full::Items(lists) => {
                let list = lists.iter().find(|list| list.when.holds_of(value));
                Self::item_of(list, game, state, question)
            }
        }
    }

    pub(crate) fn yes_in_full<G: Vocabulary>(&self, game: &G, state: &G::State, question: Question) -> bool {
        if let Some(drawn) = &self.drawn {
            return self.with_numbers(game, state, question, (drawn, &[NO; MOST])) == Action::YES;
        }
        if let Some(yes) = self.by_digest.answer(game.digest(*state)) {
            return yes;
        }
        match &self.full {
            Full::YesNo(condition, _) => condition.holds(game, state),
            Full::Items(_) | Full::Number(_) => unreachable!("a decision between yes and no"),
        }
    }

    pub(crate) fn item_in_full<G: Vocabulary>(
        &self,
        game: &G,
        state: &G::State,
        question: Question,
    ) -> Action {
        if let Some(drawn) = &self.drawn {
            return self.with_numbers(game, state, question, (drawn, &[NO; MOST]));
        }
        let lists = match &self.full {
            Full::Items(lists) => lists,
            Full::Number(aim) => return aim.nearest(game, state, question).0,
            Full::YesNo(..) => unreachable!("a decision between items"),
        };
        Self::item_of(lists.iter().find(|list| list.when.holds(game, state)), game, state, question)
    }

    /// The item that a list prefers.
    fn item_of<G: Vocabulary>(list: Option<&List>, game: &G, state: &G::State, question: Question) -> Action {
        match list.map(|list| &list.order) {
            Some(Order::Preferences(preferences)) => {
                let masks = game.predicates_of(*state, question, preferences.wanted());
                preferences.choose(&masks, question.actions)
            }
            Some(Order::Comparisons(comparisons)) => {
                comparisons.narrow(game, state, question, |_| ()).first()
            }
            None => question.actions.first(),
        }
    }

    fn yes_no<G: Vocabulary>(game: &G, features: &[Feature], checked: Checked) -> Self {
        let condition = Condition::compile(&checked, features);
        Self {
            by_bits: condition.by_bits(game),
            by_digest: ByDigest::tabulate(game, &checked, features),
            is_first: false,
            plain_list: Box::default(),
            by_local: Box::default(),
            wanted: 0,
            full: Full::YesNo(condition, checked),
            drawn: None,
        }
    }

    /// Fills `by_local` if the candidate keys of the kind fix everything that the list depends on.
    fn tabulate_list<G: Vocabulary>(&mut self, game: &G, kind: usize) {
        if self.plain_list.is_empty() || self.wanted & !game.local_predicates(kind) != 0 {
            return;
        }
        let action = |digest| match game.with_local(kind, digest) {
            Some((state, question)) => u8::try_from(self.item_in_full(game, &state, question).index()).ok(),
            // Nobody will ask.
            None => Some(0),
        };
        self.by_local = (0..game.locals(kind)).map(action).collect::<Option<_>>().unwrap_or_default();
    }

    /// Removes all tables, so that every question takes the full path, on which something else is asked first.
    pub(crate) fn disable_fast_path(&mut self) {
        let (full, drawn) = (std::mem::replace(&mut self.full, Full::Items(Vec::new())), self.drawn.take());
        *self = Self { full, drawn, ..Self::slow() };
    }

    /// An answer without tables.
    fn slow() -> Self {
        Self {
            by_digest: ByDigest::default(),
            by_bits: ByBits::default(),
            is_first: false,
            plain_list: Box::default(),
            wanted: 0,
            by_local: Box::default(),
            full: Full::Items(Vec::new()),
            drawn: None,
        }
    }

    pub(crate) fn items(lists: Vec<List>) -> Self {
        let plain = match lists.as_slice() {
            [] => Some(Vec::new()),
            [List { when: Condition::Always(true), order: Order::Preferences(preferences), .. }] => {
                preferences.plain()
            }
            _ => None,
        };
        let is_first = plain.as_ref().is_some_and(Vec::is_empty);
        let plain_list = plain.unwrap_or_default().into_boxed_slice();
        let wanted = plain_list.iter().fold(0, |wanted, (index, _)| wanted | 1 << index);
        Self {
            by_digest: ByDigest::default(),
            by_bits: ByBits::default(),
            is_first,
            plain_list,
            wanted,
            by_local: Box::default(),
            full: Full::Items(lists),
            drawn: None,
        }
    }
}

/// What is drawn for the answers to a question; words are features from `first` on.
fn drawn(decision: &Decision, first: usize) -> Option<Drawn> {
    match decision {
        Decision::YesNo(checked, _) | Decision::Number(checked, _) => {
            Drawn::of(std::iter::once(checked), first)
        }
        Decision::Items(lists, _) => Drawn::of(lists.iter().filter_map(|list| list.checked.as_ref()), first),
        Decision::Unread => None,
    }
}
