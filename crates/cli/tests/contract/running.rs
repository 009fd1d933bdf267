//! Runs that are watched while they run, and sent signals.
#![cfg(unix)]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{Ran, entries, program};

/// Ctrl-C.
pub(crate) const SIGINT: i32 = 2;
/// What a terminal that is closed sends.
pub(crate) const SIGHUP: i32 = 1;
/// What `timeout` and batch systems send.
pub(crate) const SIGTERM: i32 = 15;

/// A run that does not outlive its test.
pub(crate) struct Running(Option<Child>);

impl Running {
    pub(crate) fn start(folder: &Path, line: &str) -> Self {
        let mut command = program(folder);
        command.args(line.split(' ')).stdout(Stdio::piped()).stderr(Stdio::piped());
        Self::of(command)
    }

    pub(crate) fn of(mut command: Command) -> Self {
        Self(Some(command.spawn().expect("the program starts")))
    }

    pub(crate) fn child(&mut self) -> &mut Child {
        self.0.as_mut().expect("it has not been waited for")
    }

    pub(crate) fn interrupt(&mut self) {
        self.send(SIGINT);
    }

    pub(crate) fn send(&mut self, signal: i32) {
        self.kill(&signal.to_string());
    }

    /// Asks how far it is; the number of this signal is not the same on all systems.
    pub(crate) fn ask(&mut self) {
        self.kill("USR1");
    }

    fn kill(&mut self, signal: &str) {
        let sent = Command::new("kill").args([format!("-{signal}"), self.child().id().to_string()]).status();
        assert!(sent.expect("`kill` is there").success());
    }

    pub(crate) fn end(mut self) -> Ran {
        let child = self.0.take().expect("it has not been waited for");
        Ran::new(child.wait_with_output().expect("it ends"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            // It may have ended on its own.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Waits until the files of the result are open: by then Ctrl-C is caught.
pub(crate) fn wait_for_files(folder: &Path) {
    let began = Instant::now();
    while !folder.exists() || entries(folder).len() < 4 {
        assert!(began.elapsed() < Duration::from_secs(20), "no files in {}", folder.display());
        sleep(Duration::from_millis(5));
    }
}

/// The hundredths of a second that a run has worked, on all of its threads together, if the system tells.
pub(crate) fn work(child: &Child) -> Option<u64> {
    let about = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    // The name of the program, in brackets, may have blanks. User and system time are the 14th and 15th field.
    let fields = about.rsplit_once(") ")?.1.split(' ').skip(11).take(2);
    fields.map(|ticks| ticks.parse::<u64>().ok()).sum()
}

/// Waits until a run has worked for so many hundredths of a second from now on, on all of its threads together: however
/// busy the machine is, it has begun to play by then. Where the system does not tell, it is waited as long and longer.
pub(crate) fn wait_for_work(child: &Child, hundredths: u64) {
    let (began, before) = (Instant::now(), work(child));
    while began.elapsed() < Duration::from_secs(20) {
        let (Some(before), Some(now)) = (before, work(child)) else {
            return sleep(Duration::from_millis(10 * hundredths + 100));
        };
        if now >= before + hundredths {
            return;
        }
        sleep(Duration::from_millis(2));
    }
    panic!("nothing is played");
}

/// Waits until Ctrl-C is caught: Linux says so, elsewhere a second must do.
pub(crate) fn wait_for_handler(child: &Child) {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(20) {
        let Ok(status) = std::fs::read_to_string(format!("/proc/{}/status", child.id())) else {
            return sleep(Duration::from_secs(1));
        };
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        if caught.is_some_and(|mask| mask >> (SIGINT - 1) & 1 == 1) {
            return;
        }
        sleep(Duration::from_millis(5));
    }
    panic!("Ctrl-C is never caught");
}

/// Whether whoever runs the tests has a closed terminal ignored, as `nohup` does: then the program ignores it, too.
pub(crate) fn is_hangup_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (SIGHUP - 1) & 1 == 1
}
