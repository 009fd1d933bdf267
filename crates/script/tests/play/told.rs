//! Texts are told back in words.

use stopwise_script::{read, tell};

#[test]
fn pig_is_told() {
    let text = crate::text("pig");
    let told = tell(&read(&text).expect("a game"), &text);
    let wanted = [
        "Roll as often as you like; a one loses the points of the turn.",
        "In a turn, which is one player's; then it is the next player's turn:",
        "  `points` is `0` to begin with.",
        "  Again and again:",
        "    Dice are rolled: `d` as `face`.",
        "    If `face == 1`:",
        "      Bust: the turn ends, and what was only of this turn is lost.",
        "    `points` becomes `min(points + face, goal - score)`.",
        "    The player answers yes or no to `stop`. After a yes:",
        "      `points` is added to `score`.",
        "      The turn ends.",
        "The game ends (`goal`) when `score == goal` holds after a turn, at once.",
        "The game is cut off (`capped`) after `turn_cap` turns of all players and nobody wins.",
        "Who has the most `score` wins.",
        "Those who are equal share the win, as the text does not say otherwise.",
        "Alone, fewer turns are better.",
    ];
    assert_eq!(told, wanted);
}

#[test]
fn every_text_is_told() {
    for name in ["farkle", "zombie-dice", "cant-stop", "carbonite", "incan-gold"] {
        let text = crate::text(name);
        let told = tell(&read(&text).expect("a game"), &text).join("\n");
        assert!(told.lines().count() > 10, "{name}");
        assert!(!told.contains("``"), "{name}: {told}");
    }
}
