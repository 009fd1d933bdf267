//! At which questions many ways meet, so that the exact walk knows them as it knows rolls: what the answers lead to is then
//! worked out once, and not for every roll that shows the same.
//!
//! That is measured where the game begins. A part of its positions is made into a graph, and a question is stored if the walk
//! over this part then takes far fewer steps, or if it comes again there with nothing rolled in between: whoever may pass
//! back and forth without a roll would otherwise be followed for ever.

use std::collections::{BTreeSet, HashMap};

use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Actions, Question};

use crate::machine::Node;
use crate::op::{Program, SiteForm};
use crate::state::{State, WORDS};

/// The most ways that are looked at.
const MOST_WAYS: usize = 40_000;
/// What it costs to store a position: as much as so many steps.
const STORING: u64 = 4;
/// Of so many steps, with a question stored, …
const BEFORE: u64 = 5;
/// … no more than these may be left.
const AFTER: u64 = 3;
/// The most questions in a row that are not stored.
const DEEPEST: usize = 50;

/// A question's state holds the legal actions in the last word, and above them who is asked.
const SEAT: u32 = 61;

/// The state of a question that tells the question, if there is room for it.
pub(crate) fn with_question(program: &Program, state: State, question: Question) -> Option<State> {
    let has_room = program.words < WORDS && question.actions.0 >> SEAT == 0;
    has_room.then(|| {
        let mut words = state.0;
        words[WORDS - 1] = question.actions.0 | (question.seat as u64) << SEAT;
        State(words)
    })
}

/// The question of such a state.
pub(crate) fn question_of(program: &Program, state: State, kind: usize) -> Option<Question> {
    let word = state.0[WORDS - 1];
    let actions = Actions(word & ((1 << SEAT) - 1));
    let is_told = program.words < WORDS && actions.0 != 0;
    is_told.then(|| Question { seat: usize::from((word >> SEAT) as u8), kind, actions })
}

/// By stop, whether its question is stored.
pub(crate) fn stored(program: &Program) -> Vec<bool> {
    let mut stored = vec![false; program.sites.len()];
    let is_question = |site: &usize| matches!(program.sites[*site].form, SiteForm::Ask(_));
    let questions: Vec<usize> = (0..stored.len()).filter(is_question).collect();
    if questions.is_empty() || program.words == WORDS {
        return stored;
    }
    let graph = Graph::of(program);
    graph.returning().into_iter().for_each(|site| stored[site] = true);
    let mut steps = graph.steps(&stored);
    loop {
        let with = |site: usize| {
            let mut with = stored.clone();
            with[site] = true;
            (graph.steps(&with), site)
        };
        let others = questions.iter().filter(|site| !stored[**site] && graph.is_met[**site]);
        match others.map(|site| with(*site)).min() {
            Some((fewer, site)) if fewer * BEFORE <= steps * AFTER => (steps, stored[site]) = (fewer, true),
            _ => return stored,
        }
    }
}

/// The positions where a game begins.
struct Graph {
    places: Vec<Place>,
    /// By stop, whether it is among them.
    is_met: Vec<bool>,
}

struct Place {
    /// The stop of a question; a roll has none.
    asked: Option<usize>,
    /// What it leads to, if that was looked at; ends are left out.
    next: Option<Vec<usize>>,
    ends: u64,
}

impl Graph {
    fn of(program: &Program) -> Self {
        let mut graph = Self { places: Vec::new(), is_met: vec![false; program.sites.len()] };
        let (mut known, mut nodes, mut waiting) = (HashMap::new(), Vec::new(), BTreeSet::new());
        let mut enter = |node: Node, waiting: &mut BTreeSet<_>, nodes: &mut Vec<_>| {
            let (state, asked) = match node {
                Node::Terminal(_) => return None,
                Node::Chance(state, ..) => (state, None),
                Node::Decision(state, question) => {
                    (with_question(program, state, question).unwrap_or(state), Some(state.stop()))
                }
            };
            let state = program.without_memory(state);
            Some(*known.entry(state).or_insert_with(|| {
                let at = nodes.len();
                waiting.insert((program.stage(&state), at));
                nodes.push((node, Place { asked, next: None, ends: 0 }));
                at
            }))
        };
        enter(program.first(&mut ()), &mut waiting, &mut nodes);
        let mut ways = 0;
        // As the walk does: what comes later waits.
        while let Some((_, at)) = waiting.pop_first().filter(|_| ways < MOST_WAYS) {
            let after: Vec<_> = match nodes[at].0 {
                Node::Chance(state, _, throw) => {
                    let shown = throw.outcomes().take(MOST_WAYS);
                    shown.map(|(shown, _)| program.rolled(&state, shown, &mut ())).collect()
                }
                Node::Decision(state, Question { actions, .. }) => {
                    graph.is_met[state.stop()] = true;
                    actions.iter().map(|action| program.answered(&state, action.index(), &mut ())).collect()
                }
                Node::Terminal(_) => Vec::new(),
            };
            ways += after.len();
            let next = after.iter().filter_map(|node| enter(*node, &mut waiting, &mut nodes));
            let next: Vec<usize> = next.collect();
            nodes[at].1.ends = (after.len() - next.len()) as u64;
            nodes[at].1.next = Some(next);
        }
        graph.places = nodes.into_iter().map(|(_, place)| place).collect();
        graph
    }

    /// The questions that come again with nothing but questions in between.
    fn returning(&self) -> BTreeSet<usize> {
        let places = self.places.iter().filter_map(|place| Some((place.asked?, place.next.as_ref()?)));
        let pairs = places.flat_map(|(site, next)| {
            next.iter().filter_map(move |&next| Some((site, self.places[next].asked?)))
        });
        let pairs: BTreeSet<(usize, usize)> = pairs.collect();
        let comes_back = |&site: &usize| {
            let (mut seen, mut rest) = (BTreeSet::new(), vec![site]);
            while let Some(at) = rest.pop() {
                let next = pairs.range((at, 0)..(at + 1, 0)).map(|(_, next)| *next);
                rest.extend(next.filter(|next| seen.insert(*next)));
            }
            seen.contains(&site)
        };
        pairs.iter().map(|(site, _)| *site).filter(comes_back).collect()
    }

    /// The steps that the walk takes over these positions, if it stores these questions.
    fn steps(&self, stored: &[bool]) -> u64 {
        let is_stored = |place: &&Place| place.asked.is_none_or(|site| stored[site]);
        let mut known = vec![None; self.places.len()];
        let mut from = |place: &Place| {
            let next = place.next.as_ref()?;
            let ways = next.iter().map(|&next| self.ways(next, stored, &mut known, DEEPEST)).sum::<u64>();
            Some(ways + place.ends + STORING)
        };
        self.places.iter().filter(is_stored).filter_map(&mut from).sum()
    }

    /// The steps on all ways from a position to the next stored ones.
    fn ways(&self, at: usize, stored: &[bool], known: &mut [Option<u64>], deepest: usize) -> u64 {
        let place = &self.places[at];
        match (&place.next, place.asked) {
            (Some(next), Some(site)) if !stored[site] && deepest > 0 => {
                if let Some(known) = known[at] {
                    return known;
                }
                let ways = next.iter().map(|&next| self.ways(next, stored, known, deepest - 1));
                let ways = ways.sum::<u64>() + place.ends;
                known[at] = Some(ways);
                ways
            }
            _ => 1,
        }
    }
}
