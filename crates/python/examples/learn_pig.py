"""Learning in the environment: a table of values, filled by playing, finds solo Pig's best play.

    python learn_pig.py [SECONDS]

The learner is the tabular Monte Carlo kind of Q-learning: an action's value is the mean of what it brought, bootstrapped from the
values of where it led, with a step that gets shorter the more often it was tried. It is told nothing of dice: it sees the banked
points and those of the turn, and that each turn costs 1. What it has found is written down as a function, played by the program in
games that it has never seen, and held against the exact value of best play.
"""

from __future__ import annotations

import sys
import time

import numpy as np

import stopwise
from stopwise import envs

GAMES = 4096


def learn(seconds: float, seed: int = 1) -> np.ndarray:
    """The values of all positions: score, turn total, action."""
    env = envs.make_vec("pig", GAMES, rules="solo", seed=seed, features=["score", "turn_total"], autoreset="SameStep")
    rng = np.random.default_rng(seed)
    # Nobody has tried anything: all is well.
    values, tries = np.zeros((101, 101, 2)), np.zeros((101, 101, 2))
    observations, _ = env.reset()
    score, total = observations.T.astype(int)
    begun = time.monotonic()
    while (share := (time.monotonic() - begun) / seconds) < 1:
        # Now and then something else, less and less.
        actions = values[score, total].argmax(1)
        strays = rng.random(GAMES) < 0.2 * (1 - share)
        actions[strays] = rng.integers(0, 2, strays.sum())
        observations, rewards, ended, _, _ = env.step(actions)
        next_score, next_total = observations.T.astype(int)
        targets = rewards + np.where(ended, 0.0, values[next_score, next_total].max(1))
        # Several games may be in one position: their mean counts, as often as they are.
        flat = np.ravel_multi_index((score, total, actions), values.shape)
        places, inverse, counts = np.unique(flat, return_inverse=True, return_counts=True)
        mean = np.bincount(inverse, targets) / counts
        tried = tries.reshape(-1)
        tried[places] = np.minimum(tried[places] + counts, 20_000)
        rate = np.minimum(1.0, np.maximum(counts / tried[places], 10 * counts / (10 + tried[places]) * 0.1))
        value = values.reshape(-1)
        value[places] += rate * (mean - value[places])
        score, total = next_score, next_total
    return values


def main(seconds: float = 45.0) -> tuple[float, float]:
    """Learns, and says how good it is: its mean and the best there is, in turns."""
    values = learn(seconds)

    def learned(batch: stopwise.Batch) -> np.ndarray:
        score, total = (batch.features[name].astype(int) for name in ("score", "turn_total"))
        return values[score, total].argmax(1)

    played = stopwise.simulate("pig", learned, rules="solo", trials=400_000, seed=2).summary[0]
    best = stopwise.solve("pig", rules="solo").solution[0].value
    print(f"learned: {played.mean:.4f} turns; best play: {best:.4f}; {played.mean / best - 1:.2%} more")
    return played.mean, best


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
