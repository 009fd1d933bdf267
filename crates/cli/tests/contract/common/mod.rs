//! What the tests share: running the program, golden files, scratch folders and the readers of tables.

pub(crate) mod parquet;
pub(crate) mod sheet;

use std::collections::BTreeSet;
use std::fs;
use std::ops::Index;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::rc::Rc;

use serde_json::Value;

/// The tables of a result directory.
pub(crate) const TABLES: [&str; 4] = ["summary.csv", "distribution.csv", "endings.csv", "turns.csv"];

/// All files of a simulation of a game with so many seats.
pub(crate) fn written(seats: usize) -> BTreeSet<String> {
    let several: &[&str] = if seats > 1 { &["wins.csv", "games.csv"] } else { &[] };
    TABLES
        .into_iter()
        .chain(several.iter().copied())
        .chain(["means.csv", "manifest.json", "report.html"])
        .map(str::to_owned)
        .collect()
}

/// The first lines of the tables of `balance`.
pub(crate) const BALANCED: [(&str, &str); 7] = [
    ("balance.csv", "game,rules,policy,seat,measure,unit,value,low,high,method,trials,seed"),
    (
        "effects.csv",
        "game,base,rules,changed,policy,measure,unit,base_value,value,difference,low,high,method,together,trials,seed",
    ),
    ("skill.csv", "game,rules,best,naive,measure,unit,value,low,high,method,trials,seed"),
    (
        "standings.csv",
        "game,rules,policy,measure,unit,value,low,high,method,together,can_be_best,trials,seed",
    ),
    (
        "overview.csv",
        "game,rules,changed,same_games_as,policy,seats,measure,value,low,high,method,most_seat,most,least_seat,least,apart,apart_low,\
         apart_high,no_winner,cut_off,turns,turns_low,turns_high,turns_p05,turns_p50,turns_p95,trials,seed",
    ),
    (
        "targets.csv",
        "game,rules,policy,measure,unit,at_least,at_most,value,low,high,verdict,trials_to_decide,method,together,trials,seed",
    ),
    (
        "search.csv",
        "game,rules,changed,trials,result,policy,measure,at_least,at_most,value,shortfall,is_sure,seed",
    ),
];

/// The first lines of the tables of a ranking.
pub(crate) const RANKED: [(&str, &str); 3] = [
    (
        "rank.csv",
        "game,rules,metric,unit,policy,place_best,place_worst,groups,trials,mean,low,high,method,to_first,to_first_low,\
         to_first_high,fresh_first_trial,fresh_trials,fresh_mean,fresh_low,fresh_high,seed",
    ),
    (
        "rank_pairs.csv",
        "game,rules,metric,policy_a,policy_b,trials,mean_difference,low,high,method,resolution,better,seed",
    ),
    (
        "matches.csv",
        "game,rules,seats,policy_a,policy_b,first_trial,games,no_winner,a_share,a_share_low,a_share_high,lead,lead_low,\
         lead_high,effect,effect_low,effect_high,better,method,seed",
    ),
];

/// What a run of the program left behind.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn new(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
        let ran =
            Self { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) };
        assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
        ran
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).expect("stdout is JSON")
    }
}

/// The documents of several trials: of one alone it fills many lines, of more than one a line each.
pub(crate) fn documents(told: &str) -> Vec<Value> {
    let documents = serde_json::Deserializer::from_str(told).into_iter();
    documents.map(|document| document.expect("JSON")).collect()
}

/// The program, cut off from the terminal and from the settings of whoever runs the tests.
pub(crate) fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stopwise"));
    command.current_dir(folder).stdin(Stdio::null());
    for setting in ["COLUMNS", "LINES", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "RAYON_NUM_THREADS"] {
        command.env_remove(setting);
    }
    command
}

/// Runs the program in a folder with a command line of words between spaces.
pub(crate) fn run(folder: &Path, line: &str) -> Ran {
    Ran::new(program(folder).args(line.split(' ')).output().expect("the program starts"))
}

/// Runs the program, which must succeed.
pub(crate) fn good(folder: &Path, line: &str) -> Ran {
    let ran = run(folder, line);
    assert_eq!(ran.code, Some(0), "{line}\n{}", ran.stderr);
    ran
}

/// The folder of golden files, policies and rules.
pub(crate) fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// An empty folder of this name; every test has its own.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => panic!("{}: {error}", folder.display()),
        _ => fs::create_dir_all(&folder).expect("a scratch folder"),
    }
    folder
}

pub(crate) fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Names of all entries of a folder, hidden ones too; none if there is no folder.
pub(crate) fn entries(folder: &Path) -> BTreeSet<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| {
        entry.expect("readable").file_name().into_string().expect("a name in UTF-8")
    };
    fs::read_dir(folder).into_iter().flatten().map(name).collect()
}

/// The tables of a result directory, one after the other.
pub(crate) fn tables(folder: &Path) -> Vec<String> {
    TABLES.iter().map(|name| read(&folder.join(name))).collect()
}

pub(crate) fn manifest(folder: &Path) -> Value {
    serde_json::from_str(&read(&folder.join("manifest.json"))).expect("the manifest is JSON")
}

/// Compares with a golden file, which is written anew when the environment variable `UPDATE_GOLDEN` is `1`.
pub(crate) fn golden(name: &str, found: &str) {
    let path = data().join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder for the golden file");
        return fs::write(&path, found).expect("the golden file is written");
    }
    let expected = read(&path);
    if expected != found {
        let (mut old, mut new) = (expected.lines(), found.lines());
        let (number, old, new) = (1..)
            .map(|number| (number, old.next(), new.next()))
            .find(|(_, old, new)| old != new || old.is_none())
            .expect("the lines are endless");
        panic!(
            "{name}, line {number}:\n  golden {}\n  found  {}\nIf that is meant: UPDATE_GOLDEN=1",
            old.unwrap_or("(the end)"),
            new.unwrap_or("(the end)")
        );
    }
}

/// A row of a table, by column. Tables of a hundred thousand rows are read: the names of columns are kept once.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    columns: Rc<[String]>,
    pub(crate) cells: Vec<String>,
}

impl Row {
    pub(crate) fn get(&self, column: &str) -> Option<&String> {
        self.columns.iter().position(|own| own == column).map(|at| &self.cells[at])
    }
}

impl Index<&str> for Row {
    type Output = String;

    fn index(&self, column: &str) -> &String {
        self.get(column).unwrap_or_else(|| panic!("no column {column}: {:?}", self.columns))
    }
}

pub(crate) fn rows(table: &str) -> Vec<Row> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let texts = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect::<Vec<_>>();
    let columns: Rc<[String]> = texts(reader.headers().expect("a header")).into();
    let records = reader.records().map(|record| record.expect("a row with as many cells as the header"));
    records.map(|record| Row { columns: Rc::clone(&columns), cells: texts(&record) }).collect()
}

/// A cell as a number.
pub(crate) fn number(row: &Row, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column} is {}", row[column]))
}

/// A cell as a count.
pub(crate) fn count(row: &Row, column: &str) -> u64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column} is {}", row[column]))
}

/// Rounds what rests on the order of additions, or on logarithms, to ten decimals; how near it is to the truth becomes a yes.
pub(crate) fn rounded(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if name == "error" {
                    *value = value.as_f64().is_some_and(|error| error < 1e-9).into();
                }
                rounded(value);
            }
        }
        Value::Array(values) => values.iter_mut().for_each(rounded),
        Value::Number(number) if !number.is_u64() => {
            let rounded = format!("{:.10}", number.as_f64().expect("a number"));
            *value = rounded.parse::<f64>().expect("a number").into();
        }
        _ => {}
    }
}
