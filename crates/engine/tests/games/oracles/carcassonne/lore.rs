//! Facts about the cities of a game's faces: the oracle's atlas, and the correspondence of the engine's classes to
//! futures.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex};

use stopwise_engine::games::carcassonne::{Carcassonne, Faces, Graph, Segment};

use crate::oracles::naive::carcassonne::{Atlas, City};
use crate::oracles::naive::hash::Mixing;

/// The kinds of segment as the engine orders them.
pub(crate) const KINDS: [Segment; 4] = [Segment::Cap, Segment::Straight, Segment::Corner, Segment::Tee];

/// The atlas of some faces, drawn once for all tests: it takes seconds, and how often a face is on the die does not matter.
pub(crate) fn atlas(faces: &[String]) -> Arc<Atlas> {
    static KNOWN: Mutex<BTreeMap<BTreeSet<String>, Arc<Atlas>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().expect("no panic");
    let atlas = known.entry(faces.iter().cloned().collect()).or_insert_with(|| Arc::new(Atlas::new(faces)));
    Arc::clone(atlas)
}

pub(crate) struct Lore {
    pub(crate) atlas: Arc<Atlas>,
    /// The future of every class of the engine, told as the oracle tells it.
    pub(crate) futures: Vec<u64>,
    /// How many of the faces are of each kind.
    faces: [usize; 4],
    closable: Mutex<Closable>,
    chances: Mutex<HashMap<(usize, usize), u64, Mixing>>,
}

/// The largest size at which a city can be closed, by its number and the segments shown: their four digits follow the
/// number's.
type Closable = HashMap<usize, usize, Mixing>;

impl Lore {
    fn new(game: &Carcassonne) -> Self {
        let faces = Vec::<String>::from(game.faces);
        let count = |kind: Segment| faces.iter().filter(|face| *face == kind.text()).count();
        Self {
            atlas: atlas(&faces),
            futures: futures(game.graph(), &faces),
            faces: KINDS.map(count),
            closable: Mutex::default(),
            chances: Mutex::default(),
        }
    }

    /// The lore of some faces, gathered once for all tests: what one of them has looked for, the others need not.
    pub(crate) fn of(game: &Carcassonne) -> Arc<Self> {
        static KNOWN: Mutex<Vec<(Faces, Arc<Lore>)>> = Mutex::new(Vec::new());
        let mut known = KNOWN.lock().expect("no panic");
        if let Some((_, lore)) = known.iter().find(|(faces, _)| *faces == game.faces) {
            return Arc::clone(lore);
        }
        let lore = Arc::new(Self::new(game));
        known.push((game.faces, Arc::clone(&lore)));
        lore
    }

    /// "the largest size at which the open city, or a new one, can be closed with dice shown, 0 for none": by trying.
    pub(crate) fn closable(&self, city: &City, shown: [usize; 4]) -> usize {
        self.closable_number(self.atlas.number(city), shown, &mut self.closable.lock().expect("no panic"))
    }

    fn closable_number(&self, number: usize, shown: [usize; 4], found: &mut Closable) -> usize {
        let key = shown.iter().fold(number, |key, count| 10 * key + count);
        if let Some(&size) = found.get(&key) {
            return size;
        }
        let mut largest = 0;
        for (kind, segment) in KINDS.iter().enumerate().filter(|(kind, _)| shown[*kind] > 0) {
            let mut left = shown;
            left[kind] -= 1;
            for &next in self.atlas.known[number].next.get(segment.text()).into_iter().flatten() {
                let known = &self.atlas.known[next];
                let size = if known.is_closed { known.size } else { self.closable_number(next, left, found) };
                largest = largest.max(size);
            }
        }
        found.insert(key, largest);
        largest
    }

    /// "the chance that a roll of the dice in hand can close the open city, or a new one", times 6⁹: over all rolls.
    pub(crate) fn close_chance(&self, city: &City, dice: usize) -> u64 {
        let number = self.atlas.number(city);
        if let Some(&chance) = self.chances.lock().expect("no panic").get(&(number, dice)) {
            return chance;
        }
        let mut chance = 0;
        // Die after die, by how many show each kind: so many of the rolls so far do.
        let mut rolls: HashMap<[usize; 4], u64, Mixing> = HashMap::from_iter([([0; 4], 1)]);
        for _ in 0..dice {
            let mut more = HashMap::default();
            for (shown, count) in rolls {
                *more.entry(shown).or_insert(0) += 2 * count;
                for kind in 0..4 {
                    let mut shown = shown;
                    shown[kind] += 1;
                    *more.entry(shown).or_insert(0) += self.faces[kind] as u64 * count;
                }
            }
            rolls = more;
        }
        let mut found = self.closable.lock().expect("no panic");
        for (shown, count) in rolls {
            if count > 0 && self.closable_number(number, shown, &mut found) > 0 {
                chance += count;
            }
        }
        chance *= (dice..9).map(|_| 6).product::<u64>();
        self.chances.lock().expect("no panic").insert((number, dice), chance);
        chance
    }
}

/// The future of every class, in the words that the oracle hashes.
fn futures(graph: &Graph, faces: &[String]) -> Vec<u64> {
    let faces: BTreeSet<_> = faces.iter().cloned().collect();
    let classes: Vec<_> = graph.classes().collect();
    let mut futures = vec![0; classes.len()];
    for &(id, class) in classes.iter().rev() {
        let mut text = format!("{} {} {:?}", class.size, class.open_sides, Some(class.needed));
        // The oracle looks at no faces where it cannot go on.
        if class.needed > 0 {
            for face in &faces {
                let kind = KINDS.iter().position(|kind| kind.text() == face).expect("a kind");
                let ways = (0..32).filter(|way| class.of_kind[kind] >> way & 1 == 1);
                let next: BTreeSet<u64> =
                    ways.map(|way| futures[usize::from(graph.next(class, way))]).collect();
                text += &format!(" {face} {next:?}");
            }
        }
        futures[usize::from(id)] = text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    }
    futures
}
