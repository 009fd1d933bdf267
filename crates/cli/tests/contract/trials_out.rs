//! `--trials-out`: a row for every trial and seat, as CSV and as Parquet.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;
use stopwise::library::{Call, ask_words};

use crate::common::parquet::parquet;
use crate::common::{Ran, count, documents, entries, good, program, read, rows, run, scratch};

/// Games for one, two and four, rotated or not, a label with a comma, and long lists of metrics.
const LINES: [&str; 5] = [
    "carbonite -p tidy",
    "pig -p hold -p hold-at-25",
    "pig -p hold -p hold-at-25 --rotate",
    "freeze -p always --set steps=4",
    "carcassonne -p builder:now=3,short=1 -p one --rotate",
];

/// What a run with `-n` trials writes into a file of this name.
fn written(folder: &Path, line: &str, file: &str) -> Vec<u8> {
    let ran = good(folder, &format!("simulate {line} -q --seed 9 --trials-out {file}"));
    assert_eq!(ran.stderr, "", "{line}");
    fs::read(folder.join(file)).expect("the file")
}

fn csv(folder: &Path, line: &str) -> String {
    String::from_utf8(written(folder, line, "rows.csv")).expect("UTF-8")
}

/// Names and rows of a table of CSV.
fn cells(table: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let texts = |row: &csv::StringRecord| row.iter().map(str::to_owned).collect();
    let names = texts(reader.headers().expect("a header"));
    (names, reader.records().map(|row| texts(&row.expect("a whole row"))).collect())
}

/// Every value of every metric is as frequent in the rows as the run's distribution says, and so are endings.
#[test]
fn rows_agree_with_the_tables() {
    let folder = scratch("trials-tables");
    for line in LINES {
        let table = csv(&folder, &format!("{line} -n 3001 --out out --force"));
        let (names, cells) = cells(&table);
        let metrics = &names[4..];
        let seats = cells.iter().filter(|row| row[0] == "0").count();
        assert_eq!(cells.len(), 3001 * seats, "{line}");
        // How often each seat of a policy has each value of each metric.
        let mut distribution: BTreeMap<_, Vec<BTreeMap<u64, u64>>> = BTreeMap::new();
        let none = vec![BTreeMap::new(); metrics.len()];
        let mut endings: BTreeMap<_, u64> = BTreeMap::new();
        for (at, row) in cells.iter().enumerate() {
            assert_eq!(row[0], (at / seats).to_string(), "{line}");
            assert_eq!(row[1], (at % seats + 1).to_string(), "{line}");
            let of_seat =
                distribution.entry((row[2].clone(), row[1].clone())).or_insert_with(|| none.clone());
            for (times, value) in of_seat.iter_mut().zip(&row[4..]) {
                *times.entry(value.parse().expect("a whole number")).or_default() += 1;
            }
            *endings.entry(row[3].clone()).or_default() += u64::from(row[1] == "1");
        }
        let mut told = BTreeMap::new();
        for row in
            rows(&read(&folder.join("out/distribution.csv"))).iter().filter(|row| !row["seat"].is_empty())
        {
            let of_seat =
                told.entry((row["policy"].clone(), row["seat"].clone())).or_insert_with(|| none.clone());
            let metric = metrics.iter().position(|metric| *metric == row["metric"]).expect("a metric");
            let (value, times) = (count(row, "value"), count(row, "count"));
            let before = if times > 0 { of_seat[metric].insert(value, times) } else { None };
            assert_eq!(before, None, "{line}: a value has one row");
        }
        assert!(told == distribution, "{line}");
        for row in rows(&read(&folder.join("out/endings.csv"))) {
            assert_eq!(count(&row, "count"), endings.remove(&row["ending"]).unwrap_or(0), "{line}");
        }
        assert!(endings.is_empty(), "{line}: {endings:?}");
    }
}

/// What a replay tells, in this process, where what is drawn of cities is computed once.
fn replayed(line: &str) -> String {
    let words = line.split(' ').map(Into::into).collect();
    ask_words(words, Call::default()).unwrap_or_else(|refusal| panic!("{line}: {refusal}")).text
}

/// A trial that is replayed comes to what its rows say.
#[test]
fn rows_agree_with_replays() {
    let folder = scratch("trials-replays");
    for line in LINES {
        let table = csv(&folder, &format!("{line} -n 1100"));
        let told = ["0..3", "127..129", "1023..1025", "1099"]
            .map(|trials| replayed(&format!("replay {line} --seed 9 --json --trial {trials}")));
        let trials = (0..=3).chain(127..=129).chain(1023..=1025).chain([1099]);
        let begins = |line: &&str| {
            let trial = line.split(',').next().expect("a cell");
            trial == "trial" || trial.parse().is_ok_and(|trial: u64| trials.clone().any(|it| it == trial))
        };
        let table = rows(&table.lines().filter(begins).collect::<Vec<_>>().join("\n"));
        let replays: Vec<Value> = told.iter().flat_map(|told| documents(told)).collect();
        assert_eq!(replays.len(), trials.clone().count());
        for (trial, replay) in trials.zip(replays) {
            assert_eq!(replay["trial"], trial, "{line}");
            let found: Vec<_> = table.iter().filter(|row| row["trial"] == trial.to_string()).collect();
            let seats = replay["seats"].as_array().expect("seats");
            assert_eq!(found.len(), seats.len(), "{line}");
            for (row, seat) in found.iter().zip(seats) {
                assert_eq!(replay["ending"], row["ending"].as_str(), "{line}, trial {trial}");
                assert_eq!(seat["policy"], row["policy"].as_str(), "{line}, trial {trial}");
                assert_eq!(seat["seat"], count(row, "seat"));
                let metrics = seat["metrics"].as_object().expect("metrics");
                assert_eq!(metrics.len() + 4, row.cells.len(), "{line}");
                for (metric, value) in metrics {
                    assert_eq!(*value, count(row, metric), "{line}, trial {trial}: {metric}");
                }
            }
        }
    }
}

/// Parquet has the same names and values as CSV, in groups of a fixed number of trials. There are metrics with one value,
/// with some, with more than an index of a byte tells apart, and groups so small that they stand as they are.
#[test]
fn parquet_has_what_csv_has() {
    let folder = scratch("trials-parquet");
    let wide = "pig --rules solo -p hold:n=20 --set goal=1000";
    for (line, trials, groups) in [
        (LINES[0], 131_073, vec![131_072, 1]),
        (LINES[2], 70_000, vec![131_072, 8_928]),
        (LINES[3], 3_000, vec![12_000]),
        (LINES[4], 777, vec![1_554]),
        (wide, 2_003, vec![2_003]),
        (LINES[1], 1, vec![2]),
    ] {
        let line = format!("{line} -n {trials}");
        let table = parquet(&written(&folder, &line, "rows.parquet"));
        let csv = csv(&folder, &line);
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        assert_eq!(table.groups, groups, "{line}");
        let fact = |name: &str| table.facts[name].as_str();
        assert_eq!(line.split(' ').next(), Some(fact("game")));
        assert!(!fact("policies").is_empty() && fact("options").starts_with('{'), "{line}");
        assert_eq!((fact("seed"), fact("stream_scheme")), ("9", "1"), "{line}");
        assert!(reader.headers().expect("a header").iter().eq(&table.names), "{line}");
        let about: Vec<Value> = serde_json::from_str(fact("columns")).expect("JSON");
        assert!(
            about.iter().map(|column| column["name"].as_str().expect("a name")).eq(&table.names),
            "{line}"
        );
        // Whole numbers are as wide as those that readers of CSV make: INT64, beside texts (BYTE_ARRAY) and shares (DOUBLE).
        assert_eq!(table.kinds[..4], [2, 2, 6, 6], "{line}");
        assert!(table.kinds[4..].iter().all(|kind| [2, 5].contains(kind)), "{line}");
        let (mut row, mut at) = (csv::StringRecord::new(), 0);
        while reader.read_record(&mut row).expect("a whole row") {
            assert!(row.iter().eq(table.columns.iter().map(|column| &*column[at])), "{line}: {row:?}");
            at += 1;
        }
        assert_eq!(at, table.rows, "{line}");
    }
}

/// The bytes are those of the trials, whoever plays them; and the first trials of a longer run are those of a shorter one.
#[test]
fn the_same_bytes() {
    let folder = scratch("trials-bytes");
    for file in ["rows.csv", "rows.parquet"] {
        // Parquet has groups of 131,072 rows, CSV blocks of 128 trials.
        let trials = if file == "rows.csv" { [20_001, 15_000] } else { [140_001, 66_000] };
        for (line, trials) in [LINES[0], LINES[2]].into_iter().zip(trials) {
            let line = format!("{line} -n {trials}");
            let first = written(&folder, &line, file);
            for option in ["--threads 1", "--threads 3", "--runner trial"] {
                assert!(written(&folder, &format!("{line} {option}"), file) == first, "{line} {option}");
            }
            let after = written(&folder, &format!("{line} --stop-after 12345"), file);
            let shorter = line.replace(&trials.to_string(), "12345");
            assert!(written(&folder, &shorter, file) == after, "{line}");
            if file == "rows.csv" {
                assert!(first.starts_with(&after) && after.ends_with(b"\n"), "{line}");
                assert!(first[after.len()..].starts_with(b"12345,1,"), "{line}");
            }
        }
    }
}

#[test]
fn what_is_said() {
    let folder = scratch("trials-said");
    for (trials, words) in [("1", "1 trial"), ("2k", "2,000 trials")] {
        for file in ["rows.csv", "rows.parquet"] {
            let ran = good(&folder, &format!("simulate pig -p hold -n {trials} --trials-out {file}"));
            let said = format!("wrote the rows of {words} into {file}\n");
            assert!(ran.stderr.contains(&said), "{}", ran.stderr);
        }
    }
}

/// What cannot be written, or is somebody's, is refused before anything is played.
#[test]
fn refusals() {
    let folder = scratch("trials-refused");
    let refused = |file: &str, words: &[&str]| {
        let ran = run(&folder, &format!("simulate pig -p hold -n 10 -q --trials-out {file}"));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{file}: {}", ran.stderr);
        let has = |word: &&&str| ran.stderr.contains(**word);
        assert!(
            ran.stderr.starts_with("error: --trials-out") && words.iter().filter(has).count() == words.len(),
            "{}",
            ran.stderr
        );
    };
    for name in ["rows", "rows.txt", "rows.csv.gz", ".csv", ".."] {
        refused(name, &[name, "CSV", "Parquet", ".csv or .parquet"]);
    }
    for end in ["csv", "parquet"] {
        let [mine, other, directory] = ["mine", "other", "directory"].map(|name| format!("{name}.{end}"));
        refused(&format!("nowhere/rows.{end}"), &["nowhere/rows"]);
        fs::create_dir(folder.join(&directory)).expect("a folder");
        refused(&directory, &[&directory, "directory"]);
        // Somebody's table, with a name of ours, and an empty file.
        for content in [&b"trial,score\n0,5\n"[..], b"", &b"PAR1".repeat(40)] {
            fs::write(folder.join(&mine), content).expect("a file");
            refused(&mine, &[&mine, "remove it or give another name"]);
            assert!(fs::read(folder.join(&mine)).expect("it is there") == content);
        }
        // One format is not taken for the other.
        let first = written(&folder, "pig -p hold -n 10", &other);
        let wrong = format!("wrong.{}", if end == "csv" { "parquet" } else { "csv" });
        fs::copy(folder.join(&other), folder.join(&wrong)).expect("a copy");
        refused(&wrong, &[&wrong]);
        fs::remove_file(folder.join(&wrong)).expect("it is there");
        // An earlier file of ours is replaced.
        let second = written(&folder, "pig -p hold -n 20", &other);
        assert!(second != first && second == written(&folder, "pig -p hold -n 20", &format!("again.{end}")));
    }
    let names = ["csv", "parquet"]
        .map(|end| ["mine", "other", "again", "directory"].map(|name| format!("{name}.{end}")));
    assert_eq!(entries(&folder), names.concat().into_iter().collect());
}

/// Beside the tables of the same run, under a name that no command's results have: `rows.csv` is one of `bench`.
#[test]
fn in_the_result_directory() {
    let folder = scratch("trials-directory");
    let line = "simulate pig -p hold -n 10 -q --out out --trials-out";
    for _ in 0..2 {
        for file in ["out/trials.csv", "out/trials.parquet"] {
            good(&folder, &format!("{line} {file}"));
            assert!(folder.join(file).exists() && folder.join("out/manifest.json").exists(), "{file}");
        }
    }
    let before = entries(&folder.join("out"));
    for file in ["out/rows.csv", "./out/summary.csv", "out/../out/rank.csv"] {
        let ran = run(&folder, &format!("{line} {file}"));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{file}: {}", ran.stderr);
        assert!(ran.stderr.contains(file) && ran.stderr.contains("give another name"), "{}", ran.stderr);
        assert_eq!(entries(&folder.join("out")), before, "{file}");
    }
    // Elsewhere any name will do.
    good(&folder, &format!("{line} summary.csv"));
}

/// A link is neither followed nor replaced.
#[cfg(unix)]
#[test]
fn links_are_left_alone() {
    let folder = scratch("trials-links");
    good(&folder, "simulate pig -p hold -n 10 -q --trials-out rows.csv");
    let before = read(&folder.join("rows.csv"));
    for (link, to) in [("link.csv", "rows.csv"), ("none.csv", "nothing"), ("full.csv", "/dev/full")] {
        std::os::unix::fs::symlink(to, folder.join(link)).expect("a link");
        let ran = run(&folder, &format!("simulate pig -p hold -n 20 -q --trials-out {link}"));
        assert_eq!(ran.code, Some(2), "{link}: {}", ran.stderr);
        assert_eq!(fs::read_link(folder.join(link)).expect("still a link"), Path::new(to));
    }
    assert_eq!(read(&folder.join("rows.csv")), before);
}

/// No room: the report comes all the same, the file's name is said, and nothing is left behind.
#[cfg(target_os = "linux")]
#[test]
fn no_room() {
    let folder = scratch("trials-full");
    let stopwise = program(&folder);
    for (file, trials) in
        [("rows.csv", "100k"), ("rows.parquet", "100k"), ("rows.csv", "1k"), ("rows.parquet", "3k")]
    {
        let line = format!("simulate carbonite -p tidy -n {trials} -q");
        let mut shell = std::process::Command::new("sh");
        // Files of 8 KiB at most, in blocks of 512 bytes; with the signal ignored, writing more is an error.
        let limited = format!("trap '' XFSZ; ulimit -f 16; exec \"$0\" {line} --trials-out {file}");
        shell.args(["-c", &limited]).arg(stopwise.get_program()).current_dir(&folder);
        let ran = Ran::new(shell.output().expect("a shell"));
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        assert!(ran.stderr.starts_with(&format!("error: cannot write `{file}`: ")), "{}", ran.stderr);
        assert_eq!(ran.stdout, good(&folder, &line).stdout);
        assert_eq!(entries(&folder), [].into());
    }
}

/// A signal leaves whole rows, of as many trials as the message says.
#[cfg(unix)]
#[test]
fn interrupted() {
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use crate::interrupted::{ENDLESS, stop_after};
    use crate::running::{Running, SIGINT, SIGTERM};

    for (name, line, file, signal) in [
        ("solo", LINES[0], "rows.csv", SIGINT),
        ("two", LINES[2], "rows.parquet", SIGTERM),
        ("slow", LINES[4], "rows.csv", SIGTERM),
    ] {
        let folder = scratch(&format!("trials-interrupted-{name}"));
        let line = format!("simulate {line} --seed 9 -n {ENDLESS}");
        let mut running = Running::start(&folder, &format!("{line} --trials-out {file}"));
        let part = folder.join(format!(".{file}.{}.part", running.child().id()));
        let began = Instant::now();
        while fs::metadata(&part).map_or(0, |about| about.len()) < 1 << 18 {
            assert!(began.elapsed() < Duration::from_secs(60), "{line}: no rows in {}", part.display());
            sleep(Duration::from_millis(5));
        }
        assert!(!folder.join(file).exists(), "{line}");
        running.send(signal);
        let ran = running.end();
        assert_eq!(ran.code, Some(128 + signal), "{line}: {}", ran.stderr);
        let message = ran.stderr.lines().last().expect("a message");
        let trials = stop_after(message);
        assert!(message.starts_with("interrupted: "), "{message}");
        let said = message.split(&format!("{file} has the rows of ")).nth(1).expect("it is said");
        let said: String = said.chars().take_while(|c| *c != ' ').filter(char::is_ascii_digit).collect();
        assert_eq!(said, trials.to_string(), "{message}");
        assert_eq!(entries(&folder), [file.to_owned()].into(), "{line}");

        let found = fs::read(folder.join(file)).expect("the file");
        let again = good(&folder, &format!("{line} --stop-after {trials} -q --trials-out again-{file}"));
        assert_eq!(again.stdout, ran.stdout, "{line}");
        assert!(fs::read(folder.join(format!("again-{file}"))).expect("the file") == found, "{line}");
        if file == "rows.csv" {
            let text = String::from_utf8(found).expect("UTF-8");
            assert!(text.ends_with('\n'), "{line}");
            let last = csv::Reader::from_reader(text.as_bytes()).into_records().last();
            assert_eq!(last.expect("rows").expect("a whole row")[0], (trials - 1).to_string(), "{line}");
        } else {
            assert_eq!(parquet(&found).rows as u64, 2 * trials, "{line}");
        }
    }
}

/// One run at a time writes a file of rows: the others are told so, whether it began long ago or at the same moment, and whoever
/// was first has its own rows.
#[test]
fn a_second_run_does_not_write_the_same_rows() {
    let folder = scratch("trials-two");
    let rows = |seed: u32| format!("simulate pig -p hold -n 20k -q --seed {seed} --trials-out rows.csv");
    let refused = |ran: &Ran, at: &str| {
        let said = format!("error: another run is writing the rows of `rows.csv` (process {at}");
        assert_eq!((ran.code, ran.stderr.starts_with(&said)), (Some(1), true), "{}", ran.stderr);
    };
    let mut first = program(&folder);
    first.args("simulate pig -p hold -n 1e12 -q --trials-out rows.csv".split(' '));
    let mut first = first.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
    let own = format!(".rows.csv.{}.part", first.id());
    while fs::metadata(folder.join(&own)).map_or(0, |about| about.len()) == 0 {
        sleep(Duration::from_millis(5));
    }
    refused(&run(&folder, &rows(1)), &first.id().to_string());
    assert_eq!(entries(&folder), [own].into());
    good(&folder, &rows(1).replace("rows.csv", "others.csv"));
    first.kill().and_then(|()| first.wait()).expect("it ends");
    good(&folder, &rows(1));
    assert_eq!(entries(&folder).len(), 2, "what was killed has left nothing");
    for round in 0..3 {
        let start = |seed| {
            let mut command = program(&folder);
            command.args(rows(seed).split(' ')).stdout(Stdio::null()).stderr(Stdio::piped());
            command.spawn().expect("the program starts")
        };
        let children: Vec<_> = (0..6).map(|at| (10 * round + at, start(10 * round + at))).collect();
        let ended = children
            .into_iter()
            .map(|(seed, child)| (seed, Ran::new(child.wait_with_output().expect("it ends"))));
        let (winners, others): (Vec<_>, Vec<_>) = ended.partition(|(_, ran)| ran.code == Some(0));
        others.iter().for_each(|(_, ran)| refused(ran, ""));
        let found = fs::read(folder.join("rows.csv")).expect("rows");
        let is_of = |seed: u32| {
            good(&folder, &rows(seed).replace("rows.csv", "alone.csv"));
            fs::read(folder.join("alone.csv")).expect("rows") == found
        };
        assert!(winners.iter().any(|&(seed, _)| is_of(seed)), "the rows are those of one run");
    }
}
