//! A policy's form for lanes, made when it is first asked for.

use stopwise_engine::game::Policy as _;
use stopwise_engine::lanes::LaneGame;

use crate::lanes::LaneText;
use crate::policy::TextPolicy;

impl<G: LaneGame> TextPolicy<G> {
    /// The policy for the lanes of the game that it was compiled for, or in words what lanes lack. It is made once, and
    /// copies share its tables: in a round robin a policy sits at thousands of tables.
    ///
    /// # Errors
    ///
    /// A condition whose numbers do not fit 32 bits, or that is nested too deeply.
    pub fn on_lanes(&self, game: &G) -> Result<LaneText, String> {
        let of = || LaneText::new(game, self.name(), &self.answers, self.memory());
        self.lane_text.get_or_init(of).clone()
    }
}
