//! Requests about texts: `games`, `policy` and `rules`.

use clap::Subcommand;

use super::{Format, GameArgs};

/// What is done with games that are texts.
#[derive(Clone, Debug, Subcommand)]
pub enum GamesCommand {
    /// Check texts: say all mistakes with their places, what is hardly meant, whether what they expect is so, and what was
    /// understood
    Check {
        /// The files
        #[arg(required = true)]
        files: Vec<String>,
    },
    /// Write a text to begin with, and a policy for it
    New {
        /// The name of the game: letters, digits and hyphens
        name: String,
        /// Begin with the text of this game [default: a simple one with one die]
        #[arg(long, value_name = "GAME", value_parser = crate::names::game_name)]
        like: Option<String>,
    },
    /// Set the spaces and the indentation of texts
    Fmt {
        /// The files
        #[arg(required = true)]
        files: Vec<String>,
        /// Change nothing, and say which files would be changed
        #[arg(long)]
        check: bool,
    },
}

/// What is asked of policies.
#[derive(Debug, Subcommand)]
pub enum PolicyCommand {
    /// List the policies that come with the program
    List {
        /// Only those of this game
        #[arg(value_parser = crate::names::game_name)]
        game: Option<String>,
        /// What to print on stdout
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Check policy files: say everything that is wrong, and what is hardly meant
    Check {
        /// TOML files, also as FILE:param=value,…
        #[arg(required = true)]
        files: Vec<String>,
        /// The rules to check against: a preset's name or a TOML file
        #[arg(long, value_name = "PRESET|FILE")]
        rules: Option<String>,
        /// The game: a name, or the file of one whose policies do not say where it is
        #[arg(long, value_parser = crate::names::game_name)]
        game: Option<String>,
    },
    /// Tell a policy in words
    Explain {
        /// NAME, NAME:param=value,…, a TOML file, or a policy as typed
        policy: String,
        /// The game, where several have a policy of this name
        #[arg(long, value_parser = crate::names::game_name)]
        game: Option<String>,
    },
    /// Print the text of a shipped policy, to begin your own from
    Show {
        /// Its name, or a TOML file that is a policy
        policy: String,
        /// The game, where several have a policy of this name
        #[arg(long, value_parser = crate::names::game_name)]
        game: Option<String>,
    },
    /// List the features and predicates that policies of a game may use
    Features {
        /// The game, and its rules.
        #[command(flatten)]
        game: GameArgs,
        /// What to print on stdout
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
}

/// What is asked of rules.
#[derive(Debug, Subcommand)]
pub enum RulesCommand {
    /// List the presets
    List {
        /// Only those of this game
        #[arg(value_parser = crate::names::game_name)]
        game: Option<String>,
        /// What to print on stdout
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Check rules files: say what is wrong, and how they differ from the preset that they begin with
    Check {
        /// TOML files
        #[arg(required = true)]
        files: Vec<String>,
    },
    /// Show all options of a preset or file, with changes
    Show {
        /// The game, and its rules.
        #[command(flatten)]
        game: GameArgs,
    },
}
