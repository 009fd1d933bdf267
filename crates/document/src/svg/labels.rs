//! Labels that do not stand on each other.

/// A label at a rule across the chart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Flag {
    /// The rule.
    pub(crate) x: f64,
    /// Where the text begins.
    pub(crate) from: f64,
    /// Where it ends.
    pub(crate) to: f64,
    /// 0 is nearest to the chart.
    pub(crate) row: usize,
}

/// Between a rule and its text, and between texts.
const GAP: f64 = 5.0;

/// Places the texts at their rules, given as (x, width), in as few rows as may be, so that neither a text nor the rule of
/// another goes through a text. Texts stand on the right of their rules, or on the left where that needs fewer rows.
pub(crate) fn flags(rules: &[(f64, f64)], left: f64, right: f64) -> Vec<Flag> {
    let mut order: Vec<usize> = (0..rules.len()).collect();
    // From the right: the text of each then goes over rules that end below it.
    order.sort_by(|a, b| rules[*b].0.total_cmp(&rules[*a].0));
    let ordered: Vec<_> = order.iter().map(|at| rules[*at]).collect();
    let mut tries = TRIES;
    let placed =
        (1..=rules.len()).find_map(|rows| search(&ordered, rows, [left, right], &mut Vec::new(), &mut tries));
    // Too many for any order: each has a row of its own.
    let placed = placed.unwrap_or_else(|| {
        let own = |(row, &(x, width)): (usize, &(f64, f64))| {
            let from = (x + GAP).min(right - width).max(left);
            Flag { x, from, to: from + width, row }
        };
        ordered.iter().enumerate().map(own).collect()
    });
    let mut flags: Vec<_> = order.into_iter().zip(placed).collect();
    flags.sort_by_key(|(at, _)| *at);
    flags.into_iter().map(|(_, flag)| flag).collect()
}

/// After so many places that were tried there is none.
const TRIES: usize = 20_000;

/// Places what is left of the rules behind those that are placed, or finds that it cannot be done in so many rows.
fn search(
    rules: &[(f64, f64)],
    rows: usize,
    ends: [f64; 2],
    placed: &mut Vec<Flag>,
    tries: &mut usize,
) -> Option<Vec<Flag>> {
    let Some(&(x, width)) = rules.get(placed.len()) else { return Some(placed.clone()) };
    for row in 0..rows {
        for (from, to) in [(x + GAP, x + GAP + width), (x - GAP - width, x - GAP)] {
            *tries = tries.checked_sub(1)?;
            let flag = Flag { x, from, to, row };
            if from >= ends[0] && to <= ends[1] && placed.iter().all(|other| is_clear(&flag, other)) {
                placed.push(flag);
                if let Some(all) = search(rules, rows, ends, placed, tries) {
                    return Some(all);
                }
                placed.pop();
            }
        }
    }
    None
}

/// Whether neither stands on the other.
fn is_clear(a: &Flag, b: &Flag) -> bool {
    let crosses =
        |rule: &Flag, text: &Flag| rule.row > text.row && rule.x > text.from - 2.0 && rule.x < text.to + 2.0;
    let meets = a.row == b.row && a.from < b.to + 2.0 * GAP && b.from < a.to + 2.0 * GAP;
    let touches = |rule: &Flag, text: &Flag| rule.row == text.row && rule.x > text.from && rule.x < text.to;
    !crosses(a, b) && !crosses(b, a) && !meets && !touches(a, b) && !touches(b, a)
}

/// Moves places apart until they are `gap` from each other and within these ends, each as little as may be.
pub(crate) fn spread(places: &[f64], gap: f64, [low, high]: [f64; 2]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|a, b| places[*a].total_cmp(&places[*b]));
    // Groups of neighbours that touch move as one, about the middle of where they would be.
    let mut groups: Vec<(Vec<usize>, f64)> = Vec::new();
    let top = |members: &[usize]| {
        let half = 0.5 * gap * (members.len() - 1) as f64;
        let middle = members.iter().map(|at| places[*at]).sum::<f64>() / members.len() as f64;
        (middle - half).min(high - 2.0 * half).max(low)
    };
    for at in order {
        let mut members = vec![at];
        let mut start = top(&members);
        while let Some((last, before)) = groups.last() {
            if before + gap * last.len() as f64 <= start {
                break;
            }
            let (mut joined, _) = groups.pop().unwrap_or_default();
            joined.append(&mut members);
            start = top(&joined);
            members = joined;
        }
        groups.push((members, start));
    }
    let mut out = places.to_vec();
    for (members, start) in groups {
        for (at, member) in members.into_iter().enumerate() {
            out[member] = start + gap * at as f64;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_clear(rules: &[(f64, f64)]) -> Vec<Flag> {
        let flags = flags(rules, 0.0, 300.0);
        for rule in &flags {
            for text in &flags {
                assert!(
                    rule.row <= text.row || rule.x <= text.from || rule.x >= text.to,
                    "{rule:?} {text:?}"
                );
            }
        }
        for (at, a) in flags.iter().enumerate() {
            assert!(a.from >= 0.0 && a.to <= 300.0, "{a:?}");
            for b in &flags[at + 1..] {
                assert!(a.row != b.row || a.to <= b.from || b.to <= a.from, "{a:?} {b:?}");
            }
        }
        flags
    }

    #[test]
    fn texts_do_not_meet() {
        assert_clear(&[(10.0, 60.0), (30.0, 60.0), (34.0, 80.0), (200.0, 60.0), (295.0, 60.0)]);
        assert_clear(&[(290.0, 60.0), (280.0, 60.0), (285.0, 60.0)]);
    }

    #[test]
    fn what_has_room_stands_in_one_row() {
        let flags = assert_clear(&[(10.0, 60.0), (100.0, 60.0), (290.0, 60.0)]);
        assert!(flags.iter().all(|flag| flag.row == 0));
        assert!(flags[2].to < 290.0, "the last stands on the left of its rule");
    }

    #[test]
    fn no_rule_goes_through_a_text() {
        assert_clear(&[(10.0, 100.0), (30.0, 100.0), (50.0, 100.0)]);
        assert_clear(&[(134.0, 90.0), (110.0, 90.0), (230.0, 60.0), (120.0, 90.0)]);
    }

    #[test]
    fn places_are_spread() {
        let out = spread(&[50.0, 52.0, 51.0, 0.0], 10.0, [0.0, 60.0]);
        let mut sorted = out.clone();
        sorted.sort_by(f64::total_cmp);
        assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= 10.0 - 1e-9), "{out:?}");
        assert!(sorted[0] >= 0.0 && sorted[3] <= 60.0);
        assert!(out[0] < out[2] && out[2] < out[1], "the order is kept");
        assert_eq!(spread(&[5.0, 40.0], 10.0, [0.0, 60.0]), [5.0, 40.0]);
    }
}
