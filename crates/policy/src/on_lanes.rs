//! A policy compiled for lanes, on first use.

use stopwise_engine::game::Policy as _;
use stopwise_engine::lanes::LaneGame;

use crate::lanes::LaneText;
use crate::policy::TextPolicy;

impl<G: LaneGame> TextPolicy<G> {
    /// The policy compiled for the lanes of its game, or the reason, in words, why lanes cannot play it. It is compiled
    /// once, and copies share its tables: in a round robin a policy sits at thousands of tables.
    ///
    /// # Errors
    ///
    /// A condition whose numbers do not fit 32 bits, or that is nested too deeply, or answers that follow from values.
    pub fn on_lanes(&self, game: &G) -> Result<LaneText, String> {
        if self.worths.is_some() {
            return Err(format!("the policy {} looks ahead, which lanes cannot do", self.name()));
        }
        let of = || LaneText::new(game, self.name(), &self.answers, self.memory());
        self.lane_text.get_or_init(of).clone()
    }
}
