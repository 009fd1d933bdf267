//! Formatting of numbers for people.

pub use stopwise_engine::vocabulary::grouped;

/// So many trials: "1 trial", "1,000 trials".
pub fn trials(count: u64) -> String {
    counted(count, "trial")
}

/// So many things whose plural has an `s`: "1 point", "1,000 points".
pub fn counted(count: u64, thing: &str) -> String {
    format!("{} {thing}{}", grouped(count), if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups() {
        assert_eq!([0, 1, 1000].map(trials), ["0 trials", "1 trial", "1,000 trials"]);
    }
}
