//! What can be typed after `serve`.

use std::net::{IpAddr, Ipv4Addr};

use clap::Args;

use crate::memory::Memory;

/// Where the page is, and what it may take.
#[derive(Args, Clone, Debug)]
pub struct Serve {
    /// The game to begin with: a name, or a file of this directory such as mine.game [default: carbonite]
    #[arg(value_parser = crate::names::game_name)]
    pub game: Option<String>,
    /// The port; 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = 8417)]
    pub port: u16,
    /// The address to listen on; with any other than this machine's own, whoever knows the address of the page may use it
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub host: IpAddr,
    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,
    /// Threads of all answers together [default: all]; results do not depend on it
    #[arg(long, allow_negative_numbers = true, value_parser = crate::numbers::few)]
    pub threads: Option<usize>,
    /// How much memory.
    #[command(flatten)]
    pub memory: Memory,
}
