//! Results that are whole: they are not played again by who resumes them, and give way to no piece of them.

use std::fs;
use std::path::Path;

use crate::common::{Ran, entries, good, read, run, scratch};

/// A small run of every command that can be resumed.
const LINES: [&str; 5] = [
    "simulate pig -p hold -n 300",
    "compare pig -p hold -p hold-at-25 -n 300",
    "rank pig -p hold -p hold-at-25 -n 300",
    "sweep pig --rules solo -p hold --vary n=19..20 -n 300 --paired 100",
    "balance pig -p hold --variant goal=50 -n 300",
];

/// The bytes of all files of a directory.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let read = |name: String| (name.clone(), fs::read(folder.join(name)).expect("a file"));
    entries(folder).into_iter().map(read).collect()
}

fn is_over(ran: &Ran, said: &str) {
    assert!(
        ran.code == Some(0) && ran.stdout.is_empty() && ran.stderr == said,
        "{}{}",
        ran.stdout,
        ran.stderr
    );
}

#[test]
fn what_is_whole_is_not_played_again_by_who_resumes_it() {
    let folder = scratch("whole-resumed");
    for (number, line) in LINES.iter().enumerate() {
        let line = format!("{line} -q --out out{number}");
        good(&folder, &line);
        let before = files(&folder.join(format!("out{number}")));
        // Who died between the results and their check points.
        fs::write(folder.join(format!("out{number}/.stopwise.checkpoints")), "left")
            .expect("it can be written");
        let said = format!("`out{number}` has all results of this run: nothing is left to be played\n");
        is_over(&run(&folder, &format!("{line} --resume")), &said);
        assert!(files(&folder.join(format!("out{number}"))) == before, "{line}");
    }
    // Another run, of which there is nothing, begins.
    let other = good(&folder, "simulate pig -p hold -n 301 -q --out out0 --resume");
    assert!(other.stdout.contains("301") && !other.stderr.contains("has all results"), "{}", other.stderr);
    // So does one that was ended.
    let line = "simulate pig -p hold -n 300 -q --stop-after 100 --out ended";
    good(&folder, line);
    assert!(!good(&folder, &format!("{line} --resume")).stdout.is_empty());
}

/// Whoever has taken one of their files away finds it again.
#[test]
fn results_that_lack_a_file_are_not_whole() {
    let folder = scratch("whole-lacking");
    for (number, line) in LINES.iter().enumerate() {
        let line = format!("{line} -q --out out{number} --resume");
        let out = folder.join(format!("out{number}"));
        good(&folder, &line);
        let all = entries(&out);
        for file in &all {
            fs::remove_file(out.join(file)).expect("it is there");
            let force = if file == "manifest.json" { " --force" } else { "" };
            assert!(!good(&folder, &format!("{line}{force}")).stderr.contains("has all results"), "{file}");
            assert_eq!(entries(&out), all, "{line}");
        }
    }
}

/// A file of rows may be of any run.
#[test]
fn rows_that_are_wanted_are_written() {
    let folder = scratch("whole-rows");
    let line = "simulate pig -p hold -n 300 -q --out out";
    let whole = good(&folder, line);
    let again = good(&folder, &format!("{line} --resume --trials-out rows.csv"));
    assert_eq!(again.stdout, whole.stdout);
    assert!(again.stderr.contains("plays it again for the rows in rows.csv"), "{}", again.stderr);
    assert!(folder.join("rows.csv").exists());
    let part = "simulate pig -p hold -n 300 -q --shard 1/2 --out part --resume";
    good(&folder, part);
    let with_rows = format!("{part} --trials-out rows.csv");
    assert!(!good(&folder, &with_rows).stderr.contains("whole"));
    is_over(
        &run(&folder, &with_rows),
        "part 1/2 of this run is in `part`, whole: nothing is left to be played\n",
    );
}

#[test]
fn a_part_that_is_whole_is_not_played_again() {
    let folder = scratch("whole-part");
    let line = "simulate pig -p hold -n 300 -q --shard 2/3 --out part --resume";
    good(&folder, line);
    let before = files(&folder.join("part"));
    let said = "part 2/3 of this run is in `part`, whole: nothing is left to be played\n";
    is_over(&run(&folder, line), said);
    assert!(files(&folder.join("part")) == before);
    // A part that is damaged is played.
    let shard = read(&folder.join("part/shard.txt"));
    fs::write(folder.join("part/shard.txt"), &shard[..shard.len() - 9]).expect("it can be written");
    good(&folder, line);
    assert_eq!(read(&folder.join("part/shard.txt")), shard);
    // So is one whose rows are, if they are wanted.
    let with_rows = format!("{line} --trials-out rows.csv");
    good(&folder, &with_rows);
    let file = folder.join("part/shard.rows");
    let rows = fs::read(&file).expect("rows");
    let mut changed = rows.clone();
    *changed.last_mut().expect("rows") ^= 1;
    for damaged in [&rows[..rows.len() - 9], &changed] {
        fs::write(&file, damaged).expect("it can be written");
        is_over(&run(&folder, line), said);
        assert!(!good(&folder, &with_rows).stderr.contains("whole"));
        assert!(fs::read(&file).expect("rows") == rows);
    }
    is_over(&run(&folder, &with_rows), said);
}

/// Ends a run that has begun to play.
#[cfg(unix)]
fn end(folder: &Path, line: &str) -> Ran {
    use crate::running::{Running, wait_for_handler, wait_for_work};

    let mut running = Running::start(folder, line);
    wait_for_handler(running.child());
    wait_for_work(running.child(), 10);
    ended(running)
}

/// Ends a run once this is so.
#[cfg(unix)]
fn end_once(folder: &Path, line: &str, is_so: &dyn Fn() -> bool) -> Ran {
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    let running = crate::running::Running::start(folder, line);
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(60), "{line}");
        sleep(Duration::from_millis(2));
    }
    ended(running)
}

#[cfg(unix)]
fn ended(mut running: crate::running::Running) -> Ran {
    use crate::running::SIGTERM;

    running.send(SIGTERM);
    let ran = running.end();
    assert_eq!(ran.code, Some(128 + SIGTERM), "{}", ran.stderr);
    ran
}

/// Lets a manifest say that the run was played to its end, which nobody has done; what it says then.
#[cfg(unix)]
fn call_whole(manifest: &Path) -> String {
    let whole = read(manifest).replace("\"complete\": false", "\"complete\": true");
    fs::write(manifest, &whole).expect("it can be written");
    whole
}

/// A part that is damaged is none that keeps its place, and leaves check points when it is ended again.
#[cfg(unix)]
#[test]
fn a_part_that_is_damaged_is_gone_on_with() {
    let folder = scratch("whole-damaged");
    let line = format!("simulate pig -p hold -q -n {} --out part", crate::interrupted::ENDLESS);
    // The only part of a run has its digits.
    end(&folder, &line);
    call_whole(&folder.join("part/manifest.json"));
    let _ = fs::remove_file(folder.join("part/.stopwise.checkpoints"));
    fs::write(folder.join("part/shard.txt"), "damaged").expect("it can be written");
    for begins_anew in [true, false] {
        let ran = end(&folder, &format!("{line} --shard 1/1 --resume"));
        let said =
            "interrupted: part 1/1 is not whole, so that it was not written; --resume goes on from here\n";
        assert!(ran.stderr.ends_with(said), "{}", ran.stderr);
        assert_eq!(ran.stderr.starts_with("no check points are here"), begins_anew, "{}", ran.stderr);
    }
}

/// However often it is ended.
#[cfg(unix)]
#[test]
fn a_part_with_rows_gets_on() {
    let folder = scratch("whole-part-rows");
    let out = folder.join("part");
    let line = format!(
        "simulate pig -p hold -q -n {} --shard 1/2 --out part --trials-out rows.csv --resume",
        crate::interrupted::ENDLESS
    );
    // The rows that are there, and how many bytes.
    let rows = || {
        let names = fs::read_dir(&out).into_iter().flatten().flatten().map(|entry| entry.file_name());
        let name = names.into_iter().find(|name| name.to_string_lossy().starts_with(".shard.rows."));
        name.map_or(0, |name| fs::metadata(out.join(name)).map_or(0, |about| about.len()))
    };
    let mut before = 0;
    for _ in 0..3 {
        let ran = end_once(&folder, &line, &|| rows() > before);
        assert!(ran.stderr.ends_with("; --resume goes on from here\n"), "{}", ran.stderr);
        assert!(rows() > before, "{} bytes after {before}", rows());
        before = rows();
        assert_eq!(entries(&out).len(), 2);
    }
}

/// What is whole is played again for rows that are not there, and that can be gone on with.
#[cfg(unix)]
#[test]
fn rows_beside_whole_results_get_on() {
    let folder = scratch("whole-rows-ended");
    // Of long trials there are fewer rows.
    let game = "pig --rules solo -p hold:n=2 --set goal=1000 --runner trial --threads 1";
    let line = format!("simulate {game} -q -n {} --out out", crate::interrupted::ENDLESS);
    good(&folder, &format!("simulate {game} -q -n 9 --seed 3 --trials-out rows.csv"));
    let other = read(&folder.join("rows.csv"));
    end(&folder, &line);
    call_whole(&folder.join("out/manifest.json"));
    let check_points = folder.join("out/.stopwise.checkpoints");
    let _ = fs::remove_file(&check_points);
    let with_rows = format!("{line} --trials-out rows.csv");
    let ran = end_once(&folder, &format!("{with_rows} --resume"), &|| check_points.exists());
    assert!(ran.stderr.contains("plays it again for the rows"), "{}", ran.stderr);
    assert!(ran.stderr.ends_with("; `out` keeps what an earlier run has left there, which is whole\n"));
    assert!(check_points.exists());
    // Those of another run have given way.
    assert!(ran.stderr.contains("; rows.csv has the rows of "), "{}", ran.stderr);
    let rows = read(&folder.join("rows.csv"));
    assert!(!rows.starts_with(&other));
    let ran = end(&folder, &format!("{with_rows} --resume"));
    assert!(!ran.stderr.contains("no check points are here"), "{}", ran.stderr);
    // Those of the same run give way to no fewer.
    end(&folder, &with_rows);
    assert!(read(&folder.join("rows.csv")).starts_with(&rows));
}

#[cfg(unix)]
#[test]
fn no_piece_replaces_the_whole() {
    let folder = scratch("whole-kept");
    let end = |line: &str| end(&folder, line);
    let line = format!("simulate pig -p hold -q -n {} --out out", crate::interrupted::ENDLESS);
    assert!(end(&line).stderr.ends_with("; written to out\n"));
    let manifest = folder.join("out/manifest.json");
    let whole = call_whole(&manifest);
    // There are check points where a run has gone on for two seconds.
    let results = || {
        let mut files = files(&folder.join("out"));
        files.retain(|(name, _)| name != ".stopwise.checkpoints");
        files
    };
    let before = results();
    let ran = end(&line);
    assert!(
        ran.stderr.ends_with("; `out` keeps what an earlier run has left there, which is whole\n"),
        "{}",
        ran.stderr
    );
    assert!(!ran.stdout.is_empty() && results() == before);
    // That of another run gives way.
    assert!(end(&format!("{line} --seed 2")).stderr.ends_with("; written to out\n"));
    assert_ne!(read(&manifest), whole);
}

/// A part that has gone on for less than two seconds.
#[cfg(unix)]
#[test]
fn a_part_that_is_ended_at_once_leaves_check_points() {
    let folder = scratch("whole-at-once");
    let endless = crate::interrupted::ENDLESS;
    let line = format!("simulate pig -p hold -q -n {endless} --shard 2/3 --out part --resume");
    for begins_anew in [true, false] {
        let ran = end(&folder, &line);
        let said =
            "interrupted: part 2/3 is not whole, so that it was not written; --resume goes on from here\n";
        assert!(ran.stderr.ends_with(said), "{}", ran.stderr);
        assert_eq!(ran.stderr.starts_with("no check points are here"), begins_anew, "{}", ran.stderr);
        assert_eq!(entries(&folder.join("part")).into_iter().collect::<Vec<_>>(), [".stopwise.checkpoints"]);
    }
}

/// A part has nothing to print.
#[test]
fn a_part_says_that_it_has_no_report() {
    let folder = scratch("whole-no-report");
    let ran = good(&folder, "simulate pig -p hold -n 100 -q --shard 1/2 --out part --format json");
    let said =
        "note: a part has no report, so that --format json prints nothing: give it to `stopwise merge`\n";
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", said));
}

/// A ranking whose trials are all played, but for fresh ones.
#[cfg(unix)]
#[test]
fn a_ranking_without_its_fresh_trials_is_not_whole() {
    use crate::running::{Running, SIGTERM, wait_for_handler, wait_for_work};

    let folder = scratch("whole-fresh");
    let mut running =
        Running::start(&folder, "rank pig -p hold -p hold-at-25 -n 10 --fresh 200M --threads 1 -q --out out");
    wait_for_handler(running.child());
    wait_for_work(running.child(), 20);
    running.send(SIGTERM);
    let ran = running.end();
    assert!(ran.code == Some(128 + SIGTERM) && ran.stderr.contains("without fresh ones"), "{}", ran.stderr);
    let manifest = crate::common::manifest(&folder.join("out"));
    assert_eq!((&manifest["trials"], &manifest["complete"]), (&10.into(), &false.into()));
}
