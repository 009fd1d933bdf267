//! What a sweep found, in a sentence or a few.

use stopwise_analysis::estimate::{Estimate, Level};
use stopwise_narration::{counted, grouped};

use super::sought::Group;
use super::{GridComparison, SweepReport, same_plays};
use crate::cap;
use crate::grid::Kind;
use crate::numbers::{MEAN, of_differences};
use crate::uneven;
use crate::words::{all, always, at_most, some};

/// Settings named in a sentence.
const NAMED: usize = 10;

/// The sentences.
pub(super) fn answer(swept: &SweepReport, compared: &GridComparison) -> Vec<String> {
    let mut said: Vec<_> = capped(swept).into_iter().collect();
    let is_cut = !said.is_empty();
    said.extend(nothing(swept, compared).map_or_else(|| sought(swept, compared), |said| vec![said]));
    said.extend(mirror(swept));
    said.extend(alike(swept));
    if !is_cut {
        said.extend(left(swept));
    }
    said
}

/// The points at which a cap cuts games off, if they are many there.
fn capped(swept: &SweepReport) -> Option<String> {
    let told = swept.points.iter().enumerate().filter(|(_, point)| cap::is_told(point.capped, swept.trials));
    let points = told.clone().count() as u64;
    let (at, worst) = told.max_by_key(|(_, point)| point.capped)?;
    Some(format!(
        "Games end at {} without a winner at {} of {}, most at {}: {} of them. {}",
        worst.cap,
        grouped(points),
        counted(swept.points.len() as u64, "setting"),
        swept.grid.label(at),
        cap::share(worst.capped, swept.trials)?,
        cap::WHY
    ))
}

/// The games that nobody wins, or that end early, where settings differ in them.
fn left(swept: &SweepReport) -> Vec<String> {
    let left: Vec<_> = swept.points.iter().map(|point| point.left).collect();
    uneven::told(&left, |at| format!("at {}", swept.grid.label(at)))
}

/// Who plays, where the varied policy plays against itself.
fn mirror(swept: &SweepReport) -> Option<String> {
    let against = swept.against.as_ref()?;
    Some(format!("The varied policy has every seat equally often; {against} plays in all other seats."))
}

/// Why nothing stands out, if there is nothing to compare.
fn nothing(swept: &SweepReport, compared: &GridComparison) -> Option<String> {
    let has = mean(swept, compared, 0);
    match swept.points.len() {
        1 => Some(format!(
            "There is one setting, {}, with {has}: nothing to compare it with.",
            swept.grid.label(0)
        )),
        points if swept.is_same_play() => Some(format!(
            "{} play the same games, with {has}: {}.",
            all(points, "settings"),
            if_at_all(swept, "they differ at all, then")
        )),
        _ => swept.constant().and_then(|value| always(&swept.metric, value.into(), swept.trials)),
    }
}

/// The mean of a point, with its unit.
fn mean(swept: &SweepReport, compared: &GridComparison, at: usize) -> String {
    let (scale, unit) = swept.reading();
    let style = MEAN.times(scale).fine(compared.own(at));
    format!("{} {unit}", style.number(compared.cells.mean(at)))
}

/// What stands out: the best, under each setting of the rules, or the most and the least. The mean of one that others may equal
/// is greater than that of fresh trials, on average, because it was chosen by it.
fn sought(swept: &SweepReport, compared: &GridComparison) -> Vec<String> {
    let sought = &compared.sought;
    let is_below = |group: &Group| {
        let mean = |cell| compared.cells.mean(cell);
        group.ties().any(|cell| mean(cell) != mean(group.first()))
    };
    let is_chosen = sought.groups.iter().chain(&sought.least).any(is_below);
    let flattered = is_chosen.then(|| FLATTERED.to_owned());
    if let Some(least) = &sought.least {
        let most = first(swept, compared, &sought.groups[0], &MOST);
        let least = (least.count() > 2).then(|| first(swept, compared, least, &LEAST));
        return most.into_iter().chain(least.into_iter().flatten()).chain(flattered).collect();
    }
    let told = sought.groups.iter().take(NAMED);
    let mut said: Vec<_> = told.flat_map(|group| first(swept, compared, group, &BEST)).collect();
    let at_ends = at_ends(swept, &sought.groups);
    let rest = sought.groups.len().saturating_sub(NAMED);
    if rest > 0 {
        said.push(format!(
            "And so on, under {} of the rules: see the table.",
            counted(rest as u64, "more setting")
        ));
    }
    said.extend(at_ends);
    said.extend(flattered);
    said
}

/// Where the best stands at an end of the numbers that were tried, with the rules under which it does, where they vary.
fn at_ends(swept: &SweepReport, groups: &[Group]) -> Vec<String> {
    let mut found: Vec<(String, Vec<&str>)> = Vec::new();
    for group in groups.iter().filter(|group| group.ties().count() + 1 < group.count()) {
        let Some(ends) = at_an_end(swept, group.first()) else { continue };
        match found.iter_mut().find(|(known, _)| *known == ends) {
            Some((_, rules)) => rules.push(&group.rules),
            None => found.push((ends, vec![&group.rules])),
        }
    }
    let told = found.into_iter().map(|(ends, rules)| match rules.len() {
        _ if groups.len() == 1 => ends,
        under if under == groups.len() => format!("Under all of these rules, {ends}"),
        _ => format!("Under {}, {ends}", some(&rules, NAMED, " · ")),
    });
    told.collect()
}

/// That the best stands at an end of the numbers that were tried for a parameter, where that is so.
fn at_an_end(swept: &SweepReport, best: usize) -> Option<String> {
    let plays = same_plays(&swept.points);
    let levels = swept.grid.levels(best).into_iter().enumerate();
    let at_ends = levels.filter_map(|(number, level)| {
        let axis = &swept.grid.axes[number];
        // They may be named in any order.
        let numbers: Option<Vec<f64>> = axis.levels.iter().map(|level| level.parse().ok()).collect();
        let can_go_on = axis.kind == Kind::Parameter && numbers.is_some();
        let end = numbers.filter(|numbers| numbers.len() > 2).and_then(|numbers| {
            let own = numbers[level];
            let is_end = |is_it: fn(f64, f64) -> bool| numbers.iter().all(|other| is_it(own, *other));
            let greatest = is_end(|own, other| own >= other).then_some("greatest");
            greatest.or_else(|| is_end(|own, other| own <= other).then_some("least"))
        })?;
        (can_go_on && !swept.is_idle(number, &plays))
            .then(|| format!("{}={} is the {end} that was tried", axis.name, axis.levels[level]))
    });
    let at_ends: Vec<_> = at_ends.collect();
    (!at_ends.is_empty()).then(|| format!("{}: beyond there may be better ones.", at_ends.join(", and ")))
}

const FLATTERED: &str = "A setting that is named because it stands out is flattered by that: another `--seed` plays fresh trials.";

/// How it is said that a setting stands out.
struct Words {
    first: &'static str,
    than: &'static str,
    ties: [&'static str; 2],
    unknown: &'static str,
    others: &'static str,
}

const BEST: Words = Words {
    first: "Best",
    than: "better than",
    ties: ["The best", "is that one or"],
    unknown: "is best",
    others: "are worse than the best",
};
const MOST: Words = Words {
    first: "Most",
    than: "more than",
    ties: ["The most", "is at that one or"],
    unknown: "has most",
    others: "have less",
};
const LEAST: Words = Words {
    first: "Least",
    than: "less than",
    ties: ["The least", "is at that one or"],
    unknown: "has least",
    others: "have more",
};

/// What stands out in a group, and what may as well.
fn first(swept: &SweepReport, compared: &GridComparison, group: &Group, words: &Words) -> Vec<String> {
    let (scale, _) = swept.reading();
    let (style, (_, apart)) = (MEAN.times(scale), of_differences(&swept.metric));
    let label = |at: usize| match &*group.rules {
        "" => swept.grid.label(at),
        _ => swept.grid.label_of(at, Kind::Parameter),
    };
    let whom = swept.whom().map(|whom| format!(" for {whom}")).unwrap_or_default();
    let told = |first: String| match &*group.rules {
        "" => first,
        rules => format!("Under {rules}, {}", first.to_lowercase()),
    };
    let has = format!("{} with {}", label(group.first()), mean(swept, compared, group.first()));
    let seen = format!("{}{whom}: {has}.", told(format!("{} seen", words.first)));
    let Some((interval, level)) = group.lead().loss.and_then(|loss| Some((loss.interval?, loss.level)))
    else {
        let do_not_say =
            if swept.trials == 1 { "One trial does not say" } else { "These trials do not tell" };
        return vec![format!("{seen} {do_not_say} which {}.", words.unknown)];
    };
    let ties: Vec<_> = group.ties().map(label).collect();
    if ties.is_empty() {
        let (first, lead) = (told(words.first.to_owned()), style.range(Some(interval.negated())));
        let (others, next) = match group.others().collect::<Vec<_>>()[..] {
            [other] => (format!("{} with {}", label(other), mean(swept, compared, other)), ""),
            _ => ("every other setting".to_owned(), " against the next"),
        };
        return vec![format!(
            "{first}{whom}: {has}, {} {others} ({level}): by {lead} {apart}{next}.",
            words.than
        )];
    }
    if ties.len() + 1 == group.count() {
        return vec![format!(
            "{seen} These trials do not tell which of the {} settings {}.",
            group.count(),
            words.unknown
        )];
    }
    let [the_first, is_that_one_or] = words.ties;
    let mut said = vec![format!("{seen} {the_first} ({level}) {is_that_one_or} {}.", one_of(&ties))];
    let out_of_it = group.standings().filter(|(_, standing)| !standing.is_possible);
    let least =
        out_of_it.filter_map(|(_, standing)| standing.loss?.interval).map(|loss| loss.low).reduce(f64::min);
    if let Some(least) = least.filter(|&least| least > 0.0) {
        let least = style.fine(Some(interval)).down(least);
        said.push(format!("All other settings {}, by {least} {apart} or more.", words.others));
    }
    said
}

/// Names of which one is meant.
fn one_of(names: &[String]) -> String {
    match names {
        [only] => only.clone(),
        _ => format!("one of these {}: {}", grouped(names.len() as u64), some(names, NAMED, " · ")),
    }
}

/// In how much of the trials settings may differ that did so in none, at 95 %.
fn if_at_all(swept: &SweepReport, differ: &str) -> String {
    let limits = Estimate::share(0, swept.trials, Level::SINGLE).interval;
    let most = at_most(limits.map_or(1.0, |limits| limits.high), "trials");
    format!("if {differ} in at most {most} ({})", Level::SINGLE)
}

/// What varies and changes nothing, or else which points played the same games, if only some did.
fn alike(swept: &SweepReport) -> Option<String> {
    if swept.is_same_play() {
        return None;
    }
    let groups = same_plays(&swept.points);
    let idle = |axis: &usize| swept.is_idle(*axis, &groups);
    let idle: Vec<_> =
        (0..swept.grid.axes.len()).filter(idle).map(|axis| &*swept.grid.axes[axis].name).collect();
    if !idle.is_empty() {
        let changes = if idle.len() == 1 { "changes" } else { "change" };
        let at_most = if_at_all(swept, "at all, then");
        return Some(format!("{} {changes} nothing that was seen: {at_most}.", idle.join(" and ")));
    }
    let (first, rest) = groups.split_first()?;
    let mut named: Vec<_> = first.iter().take(NAMED).map(|&at| swept.grid.label(at)).collect();
    if first.len() > NAMED {
        named.push(format!("{} more", grouped((first.len() - NAMED) as u64)));
    }
    let more = match rest.len() {
        0 => String::new(),
        1 => "; the settings of another group play alike as well".into(),
        others => format!("; so do the settings of each of {} other groups", grouped(others as u64)),
    };
    let trials = match swept.trials {
        1 => "the one trial".into(),
        trials => format!("all {}", stopwise_narration::trials(trials)),
    };
    Some(format!("The same play in {trials}: {}{more}.", named.join(" · ")))
}

#[cfg(test)]
mod tests {
    use stopwise_analysis::sweep::Cell;
    use stopwise_document::{Folded, Report, View};
    use stopwise_engine::game::{Better, Metric};

    use super::super::PointReport;
    use super::*;
    use crate::grid::{Axis, Grid};
    use crate::uneven::Left;

    const GAMES: u64 = 10_000;

    /// A sweep of wins, so many of 10,000 games at each setting; nothing is known of how settings go together.
    fn swept(axes: &[(&str, &[&str], Kind)], wins: &[u32]) -> SweepReport {
        let axis = |&(name, levels, kind): &(&str, &[&str], Kind)| Axis {
            name: name.into(),
            levels: levels.iter().map(|&level| level.to_owned()).collect(),
            kind,
        };
        let grid = Grid { axes: axes.iter().map(axis).collect() };
        let point = |&wins: &u32| {
            let cell = Cell { sum: wins.into(), squares: wins.into(), min: 0, max: 1, whole: Some(1) };
            PointReport {
                rules: String::new(),
                policy: String::new(),
                rows: Vec::new(),
                capped: 0,
                cap: cap::name(&[]),
                left: Left::default(),
                sums: vec![cell.clone()],
                cell,
                fair: None,
            }
        };
        let points: Vec<_> = wins.iter().map(point).collect();
        SweepReport {
            game: "race",
            rules: "standard".into(),
            policy: "hold".into(),
            compared: GridComparison::new(&grid, GAMES, &points, None, Better::Higher),
            grid,
            metric: Metric::WIN,
            loses_ties: false,
            against: None,
            is_rotated: false,
            seats: 2,
            trials: GAMES,
            seed: 1,
            points,
        }
    }

    fn said(axes: &[(&str, &[&str], Kind)], wins: &[u32]) -> Vec<String> {
        let swept = swept(axes, wins);
        answer(&swept, swept.compared.as_ref().expect("there are settings"))
    }

    /// The rules, the policy that varies, and the one in the other seats.
    #[test]
    fn what_was_played_is_headed_by_what_varies_in_it() {
        let axes: [(&str, &[&str], _); 2] =
            [("n", &["0", "3"], Kind::Parameter), ("goal", &["50", "100"], Kind::Rule)];
        let mut report = Report::default();
        let titled = |title: &str| Folded {
            title: title.into(),
            prose: Vec::new(),
            options: View::default(),
            source: String::new(),
            is_open: false,
        };
        report.played = ["race · rules standard+goal=50", "hold:n=0", "hold:n=1"].map(titled).into();
        let policies = [("hold:n=0".to_owned(), vec![0]), ("hold:n=1".to_owned(), Vec::new())];
        swept(&axes, &[1, 2, 3, 4]).head_by_axes(&mut report, &policies);
        let told = report.played.iter().map(|folded| (&*folded.title, &*folded.prose[0])).collect::<Vec<_>>();
        let wanted = [
            ("race · rules standard · varied: goal", "Told with the values of the first setting: goal=50."),
            ("hold · varied: n", "Told with the values of the first setting: n=0."),
            ("hold:n=1", "It is the same at every setting."),
        ];
        assert_eq!(told, wanted);
    }

    /// Of values that are named in any order the ends are the least and the greatest.
    #[test]
    fn an_end_is_one_of_the_numbers() {
        let mixed: (&str, &[&str], _) = ("n", &["15", "25", "20"], Kind::Parameter);
        assert_eq!(said(&[mixed], &[4000, 5000, 6000]).len(), 1);
        let told = said(&[mixed], &[4000, 6000, 5000]);
        assert_eq!(told[1], "n=25 is the greatest that was tried: beyond there may be better ones.");
        let told = said(&[mixed], &[6000, 4000, 5000]);
        assert_eq!(told[1], "n=15 is the least that was tried: beyond there may be better ones.");
    }

    /// Nothing is known of how settings go together, so that a lead reaches as far as both of its means, each with Student's t at
    /// 0.05 / 2, since one of three is held against two others: 10 points are 7.779 to 12.221, 20 points 17.80 or more.
    #[test]
    fn whole_answers_of_parameters() {
        let n: (&str, &[&str], _) = ("n", &["15", "20", "25"], Kind::Parameter);
        let best = "Best for seat 1: n=20 with 60.0 % of the games, better than every other setting (95 %): by 7.7 to 12.3 \
                    percentage points against the next.";
        assert_eq!(said(&[n], &[4000, 6000, 5000]), [best]);
        let wanted = [
            "Best seen for seat 1: n=25 with 60.1 % of the games. The best (95 %) is that one or n=20.",
            "All other settings are worse than the best, by 17.8 percentage points or more.",
            "n=25 is the greatest that was tried: beyond there may be better ones.",
            FLATTERED,
        ];
        assert_eq!(said(&[n], &[4000, 6000, 6010]), wanted);
        let flat = "Best seen for seat 1: n=25 with 50.1 % of the games. These trials do not tell which of the 3 settings is best.";
        assert_eq!(said(&[n], &[5000, 5005, 5010]), [flat, FLATTERED]);
        // −ln 0.025 of 10,000.
        let same = "All 3 settings play the same games, with 50.0 % of the games: if they differ at all, then in at most 1 of \
                    2711 trials (95 %).";
        assert_eq!(said(&[n], &[5000; 3]), [same]);
        let k: (&str, &[&str], _) = ("k", &["1", "2"], Kind::Parameter);
        let idle = "k changes nothing that was seen: if at all, then in at most 1 of 2711 trials (95 %).";
        assert_eq!(
            said(&[n, k], &[4000, 4000, 6000, 6000, 5000, 5000]).last().map(String::as_str),
            Some(idle)
        );
    }

    /// The most and the least are two statements, each at half the error: 10 points are 7.525 to 12.475. Two settings are one
    /// statement: 20 points are 18.08 to 21.92.
    #[test]
    fn whole_answers_of_rules() {
        let goals: (&str, &[&str], _) = ("goal", &["8", "12", "16"], Kind::Rule);
        let wanted = [
            "Most for seat 1: goal=12 with 60.0 % of the games, more than every other setting (95 %): by 7.5 to 12.5 percentage \
             points against the next.",
            "Least for seat 1: goal=8 with 40.0 % of the games, less than every other setting (95 %): by 7.5 to 12.5 percentage \
             points against the next.",
        ];
        assert_eq!(said(&[goals], &[4000, 6000, 5000]), wanted);
        let two = "Most for seat 1: goal=12 with 60.0 % of the games, more than goal=8 with 40.0 % of the games (95 %): by 18.0 to \
                   22.0 percentage points.";
        assert_eq!(said(&[("goal", &["8", "12"], Kind::Rule)], &[4000, 6000]), [two]);
        let told = said(&[goals], &[4000, 6000, 6010]);
        assert!(told[0].ends_with("The most (95 %) is at that one or goal=12."), "{told:?}");
        assert!(told[1].starts_with("All other settings have less, by "), "{told:?}");
        let told = said(&[goals], &[5000, 5010, 5020]);
        assert!(told[1].ends_with("These trials do not tell which of the 3 settings has least."), "{told:?}");

        let mut swept = swept(&[goals], &[4000, 6000, 5000]);
        swept.points[2].capped = 500;
        let told = answer(&swept, swept.compared.as_ref().expect("there are settings"));
        let capped =
            "Games end at the turn cap without a winner at 1 of 3 settings, most at goal=16: 5.00 % of them.";
        assert_eq!(told[0], format!("{capped} {}", cap::WHY));
        assert_eq!(told[1..], wanted);
    }

    #[test]
    fn one_trial_is_told_as_one() {
        let values: (&str, &[&str], _) = ("n", &["15", "20", "25"], Kind::Parameter);
        let mut swept = swept(&[values], &[0, 1, 1]);
        swept.trials = 1;
        let said = alike(&swept).expect("two are alike");
        assert_eq!(said, "The same play in the one trial: n=20 · n=25.");
    }

    #[test]
    fn parameters_have_a_best_under_each_setting_of_the_rules() {
        let axes: [(&str, &[&str], _); 2] =
            [("n", &["15", "20", "25"], Kind::Parameter), ("goal", &["50", "100"], Kind::Rule)];
        // 20 is best to 50 points, and 25 to 100, where nobody wins as often.
        let told = said(&axes, &[4000, 2000, 6000, 2500, 5000, 3000]);
        let at_an_end = " n=25 is the greatest that was tried: beyond there may be better ones.";
        assert_eq!(told[2..], [format!("Under goal=100,{at_an_end}")]);
        for (told, start) in told.iter().zip([
            "Under goal=50, best for seat 1: n=20 with 60.0 % of the games, better than every other setting (95 %): by ",
            "Under goal=100, best for seat 1: n=25 with 30.0 % of the games, better than every other setting (95 %): by ",
        ]) {
            assert!(told.starts_with(start), "{told}");
        }
        let told = said(&axes, &[4000, 2000, 5000, 2500, 6000, 3000]);
        assert_eq!(told[2..], [format!("Under all of these rules,{at_an_end}")]);
        // Without the rules there is one best.
        let told = said(&axes[..1], &[4000, 6000, 5000]);
        assert!(told[0].starts_with("Best for seat 1: n=20 with"), "{told:?}");
    }
}
