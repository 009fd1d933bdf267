"""A policy in Python against those that come with the program.

    python your_policy.py [TRIALS]

The policy keeps pace: it stops at a total that hangs on how far ahead the other is, a rule found by trying.
"""

from __future__ import annotations

import sys

import numpy as np

import stopwise


def keep_pace(batch: stopwise.Batch) -> np.ndarray:
    """Stops at 21 points and an eighth of what is missing, and never when somebody is about to win."""
    shown = batch.features
    enough = shown["turn_total"] >= 21 + np.round(-shown["lead"] / 8)
    is_close = (shown["other_best"] >= shown["goal"] - 29) | (shown["goal_left"] <= 29)
    wins = shown["score_if_stopped"] >= shown["goal"]
    return wins | (enough & ~is_close)


#: The same as a text: it runs on all cores without Python, and `solve` and `rank` take it.
AS_TEXT = """
game = "pig"
name = "keep-pace-text"
stop = "score_if_stopped >= goal || (8 * turn_total >= 168 - lead && other_best < goal - 29 && goal_left > 29)"
"""


def main(trials: int = 200_000) -> stopwise.Comparison:
    """Compares it with all others, each against `hold` in the second seat."""
    others = stopwise.policies("pig").policy
    lineups = [[keep_pace, "hold"], *([name, "hold"] for name in others), [AS_TEXT, "hold"]]
    result = stopwise.compare("pig", lineups, trials=trials, rotate=True)
    print(result)
    return result


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
