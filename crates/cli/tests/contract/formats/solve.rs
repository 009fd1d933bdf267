//! `solve`, and the tables of best turns that it writes.

use super::pretty;
use crate::common::sheet::Sheet;
use crate::common::{data, good, read, rounded, scratch};

/// The text with the error bounds out, and every number with twelve decimals cut to eleven.
fn steady(text: &str) -> String {
    let steady = |word: &str| {
        let decimals = word.split_once('.').map_or("", |(_, decimals)| decimals);
        match word {
            _ if word.contains("e-") && word.ends_with(')') => "tiny)".into(),
            _ if decimals.len() == 12 => format!("{:.11}", word.parse::<f64>().expect("a number")),
            _ => word.to_owned(),
        }
    };
    let line = |line: &str| line.split(' ').map(steady).collect::<Vec<_>>().join(" ") + "\n";
    text.lines().map(line).collect()
}

#[test]
fn solve() {
    for (name, line) in [
        ("solve-carbonite", "solve carbonite --set colours=2 --set turns=3 --policy tidy --policy first:k=1"),
        (
            "solve-freeze",
            "solve freeze --set players=2 --set steps=3 --set bank=3 --set start_counters=1 --policy always --policy never",
        ),
        ("solve-piglet", "solve pig --rules piglet --policy hold"),
        ("solve-pig-for-three", "solve pig --set players=3 --set goal=5 --policy hold"),
    ] {
        let mut sheet = Sheet::new(name);
        sheet.whole(&format!("stopwise {line}"), &steady(&good(&data(), line).stdout));

        let csv = good(&data(), &format!("{line} --format csv")).stdout;
        assert!(csv.starts_with("game,rules,metric,policy,value,regret,error,states,reply\n"));
        let mut table = String::new();
        for row in csv.lines() {
            let cell = |cell: &str| match cell {
                _ if cell.contains("e-") => "tiny".into(),
                _ => steady(cell).trim_end().to_owned(),
            };
            table += &(row.split(',').map(cell).collect::<Vec<_>>().join(",") + "\n");
        }
        sheet.section("--format csv", &table);

        let mut value = good(&data(), &format!("{line} --format json")).json();
        rounded(&mut value);
        sheet.section("--format json", &pretty(&value));
        sheet.check();
    }
    let said = good(&data(), "solve pig --rules piglet").stderr;
    assert!(said.starts_with("solved in ") && said.ends_with(" s\n"), "{said}");
    assert_eq!(good(&data(), "solve pig --rules piglet --quiet").stderr, "");
}

/// The best turns as a policy, which other commands take.
#[test]
fn best_turns() {
    let folder = scratch("formats-best-turn");
    let mut sheet = Sheet::new("solve-best-turn");
    let line = "solve carcassonne --rules solo --set dice=4 --long-run --out out";
    sheet.whole(&format!("stopwise {line}"), &steady(&good(&folder, line).stdout));
    sheet.section("out/policy.toml", &steady(&read(&folder.join("out/policy.toml"))));
    sheet.check();
    let file = "out/policy.toml";
    // For the rules as they are without --set it is not; that is no mistake.
    let checked = good(&folder, &format!("policy check {file}"));
    assert!(checked.stdout.contains(": good (best-turn (policy.toml))"), "{}", checked.stdout);
    assert!(checked.stderr.contains("for other rules (4 dice, 3 rolls"), "{}", checked.stderr);
    let explained = good(&folder, &format!("policy explain {file}"));
    assert!(
        explained.stdout.contains("positions before a roll are worth; for 4 dice"),
        "{}",
        explained.stdout
    );
    let rules = "--rules solo --set dice=4 --threads 1";
    let compared = format!("compare carcassonne {rules} -p {file} -p one -n 2k --quiet");
    assert_eq!(good(&folder, &compared).stderr, "");
    let replayed = good(&folder, &format!("replay carcassonne --rules solo --set dice=4 --policy {file}"));
    assert!(replayed.stdout.contains("the table: worth 0."), "{}", replayed.stdout);
}

/// Pig for two by itself: the chance to win before a roll or a decision, by own score, the other's, and the turn's total.
struct TwoPlayerPig {
    goal: usize,
    chances: Vec<f64>,
}

impl TwoPlayerPig {
    /// Value iteration over all positions until nothing moves.
    fn solved(goal: usize) -> Self {
        let mut pig = Self { goal, chances: vec![0.0; goal * goal * goal] };
        loop {
            let mut moved = 0.0_f64;
            for (own, other) in (0..goal).rev().flat_map(|own| (0..goal).map(move |other| (own, other))) {
                for total in (0..goal - own).rev() {
                    let roll = pig.roll(own, other, total);
                    let chance = if total == 0 { roll } else { roll.max(pig.hold(own, other, total)) };
                    let at = pig.at(own, other, total);
                    moved = moved.max((chance - pig.chances[at]).abs());
                    pig.chances[at] = chance;
                }
            }
            if moved < 1e-14 {
                return pig;
            }
        }
    }

    fn at(&self, own: usize, other: usize, total: usize) -> usize {
        (own * self.goal + other) * self.goal + total
    }

    fn hold(&self, own: usize, other: usize, total: usize) -> f64 {
        if own + total >= self.goal { 1.0 } else { 1.0 - self.chances[self.at(other, own + total, 0)] }
    }

    fn roll(&self, own: usize, other: usize, total: usize) -> f64 {
        let scores = |face: usize| match own + total + face >= self.goal {
            true => 1.0,
            false => self.chances[self.at(own, other, total + face)],
        };
        let bust = 1.0 - self.chances[self.at(other, own, 0)];
        ((2..=6).map(scores).sum::<f64>() + bust) / 6.0
    }

    fn threshold(&self, own: usize, other: usize) -> usize {
        let holds = |&total: &usize| self.hold(own, other, total) >= self.roll(own, other, total) - 1e-10;
        (1..self.goal - own).find(holds).unwrap_or(self.goal - own)
    }
}

#[test]
fn when_to_hold() {
    let goal = 24;
    let pig = TwoPlayerPig::solved(goal);
    let found =
        good(&data(), &format!("solve pig --set goal={goal} --policy hold:n=9 --format json -q")).json();
    let rows = found["thresholds"].as_array().expect("rows");
    let mut cells = 0;
    for row in rows {
        let number = |name: &str| usize::try_from(row[name].as_u64().expect(name)).expect("small");
        let (own, other, threshold) = (number("value"), number("value_2"), number("threshold"));
        let expected = match row["policy"].as_str() {
            Some("best play") => pig.threshold(own, other),
            _ => 9.min(goal - own),
        };
        assert_eq!(threshold, expected, "{row}");
        cells += 1;
    }
    // Nobody can have a single point.
    assert_eq!(cells, 2 * (goal - 1) * (goal - 1));
}

/// What is lost against best play in each seat: a file of games for two, whose rows are less than the best opponent takes.
#[test]
fn losses_in_each_of_two_seats() {
    let folder = scratch("formats-solve-seats");
    good(&folder, "solve pig --set goal=24 --policy hold:n=9 --out two -q");
    let text = read(&folder.join("two/regret_against_best.csv"));
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let column = |name: &str| rows[0].iter().position(|column| *column == name).expect("a column");
    let number = |row: &[&str], name: &str| row[column(name)].parse::<f64>().expect("a number");
    assert_eq!(rows[1..].iter().map(|row| row[column("seat")]).collect::<Vec<_>>(), ["1", "2"]);
    let solution = read(&folder.join("two/solution.csv"));
    let last: Vec<&str> = solution.lines().last().expect("a row").split(',').collect();
    let most: f64 = last[5].parse().expect("its regret");
    // The best opponent of a policy at the first seat takes at least as much as best play.
    let first = number(&rows[1], "regret");
    assert!(first > 0.01 && first <= most + 1e-9, "{first} of {most}");
    for row in &rows[1..] {
        let [decisions, mistakes, regret] = ["decisions", "mistakes", "regret"].map(|name| number(row, name));
        assert!(mistakes < decisions && 0.0 < mistakes && regret < mistakes, "{row:?}");
    }
    good(&folder, "solve pig --rules solo --set goal=24 --policy hold:n=9 --out one -q");
    assert!(!folder.join("one/regret_against_best.csv").exists());
}
