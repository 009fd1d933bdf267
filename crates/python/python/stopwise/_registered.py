"""The games for one among Gymnasium's environments: `gymnasium.make("stopwise/Pig-v0")`."""

from __future__ import annotations

#: The games that can be played alone, and the first of their presets for one.
ALONE = {
    "carbonite": "wiki",
    "carcassonne": "solo",
    "pig": "solo",
    "two-dice-pig": "solo",
    "farkle": "one-turn",
    "zombie-dice": "one-turn",
    "martian-dice": "one-turn",
    "cant-stop": "solo",
    "pickomino": "one-turn",
    "shut-the-box": "standard",
    "threes": "standard",
    "toss-up": "solo",
    "pass-the-pigs": "solo",
    "twenty-one": "solo",
    "incan-gold": "solo",
    "bank": "solo",
    "flip-7": "one-round",
    "dead-mans-draw": "solo",
    "yahtzee": "standard",
}


def name_of(game: str) -> str:
    """What Gymnasium calls a game: `stopwise/TwoDicePig-v0`."""
    return f"stopwise/{''.join(word.capitalize() for word in game.split('-'))}-v0"


def register() -> None:
    """Registers them, unless they are, or there is no Gymnasium."""
    try:
        from gymnasium.envs.registration import register, registry
    except ImportError:
        return
    for game, rules in ALONE.items():
        if name_of(game) in registry:
            continue
        register(
            name_of(game),
            entry_point="stopwise.envs:make",
            vector_entry_point="stopwise.envs:make_vec",
            kwargs={"game": game, "rules": rules},
        )
