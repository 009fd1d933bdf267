//! How much memory a command may take.

use std::fmt;

use clap::Args;

use crate::failure::Failure;

/// What of the machine's memory a command may take.
#[derive(Args, Clone, Copy, Debug)]
pub struct Memory {
    /// Memory to take at most, such as 4G or 500M [default: half of the machine's]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, value_parser = crate::numbers::bytes)]
    pub max_memory: Option<u64>,
}

/// Where the machine does not say how much memory it has: half of a small one's.
const UNKNOWN: u64 = 4 << 30;

/// The limit that was asked for, or half of the machine's memory.
pub(crate) fn limit(args: Memory) -> u64 {
    args.max_memory.or_else(|| Some(machine()? / 2)).unwrap_or(UNKNOWN)
}

/// Refuses what needs more than the limit; `what` is what needs it, as in "4,096 arms".
pub(crate) fn check(need: u64, limit: u64, what: &str) -> Result<(), Failure> {
    if need <= limit {
        return Ok(());
    }
    Err(Failure::Input(format!(
        "{what}: that takes {} of memory, more than the {} that may be taken; make it smaller, or allow more with --max-memory",
        Bytes(need),
        Bytes(limit)
    )))
}

/// The bytes of memory that this process takes, where the system says so.
pub(crate) fn taken() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    kilobytes.trim().trim_end_matches("kB").trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// The bytes of memory of this machine, where it says so. What a container may take counts, if that is less.
fn machine() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let kilobytes = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let whole = kilobytes.trim().trim_end_matches("kB").trim().parse::<u64>().ok()?.checked_mul(1024)?;
    let group = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let group = group.and_then(|text| text.trim().parse().ok()).unwrap_or(u64::MAX);
    Some(whole.min(group))
}

/// Bytes as people say them.
pub(crate) struct Bytes(pub(crate) u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"];
        let (mut value, mut at) = (self.0 as f64, 0);
        while value >= 999.5 && at + 1 < units.len() {
            (value, at) = (value / 1e3, at + 1);
        }
        let places = usize::from(at > 0 && value < 99.95);
        write!(f, "{value:.places$} {}", units[at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_as_people_say_them() {
        let said = [0, 999, 1000, 99_940, 100_000, 999_600, 4_000_000_000, u64::MAX];
        let expected = ["0 bytes", "999 bytes", "1.0 kB", "99.9 kB", "100 kB", "1.0 MB", "4.0 GB", "18.4 EB"];
        assert_eq!(said.map(|bytes| Bytes(bytes).to_string()), expected);
    }

    #[test]
    fn what_is_too_much_is_refused_with_its_numbers() {
        assert!(check(5, 5, "five").is_ok());
        let Err(Failure::Input(said)) = check(3_000_000, 500_000, "4,096 arms") else { panic!("no refusal") };
        assert!(said.starts_with("4,096 arms: that takes 3.0 MB of memory, more than the 500 kB"), "{said}");
        assert_eq!(limit(Memory { max_memory: Some(7) }), 7);
        assert!(limit(Memory { max_memory: None }) > 1 << 26);
    }
}
