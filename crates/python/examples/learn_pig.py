"""Learning in the environment: a learner with tables finds solo Pig's best play.

    python learn_pig.py [SECONDS]

It knows nothing of dice. It sees the banked points and those of the turn, counts where each action led from each position and what
that cost, and thinks through what it has counted again and again; what it has seldom tried it takes to be good, and tries. What it
has found is played by the program, as a function, in games that it has never seen, and held against the exact value of best play.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

import stopwise
from stopwise import envs

GAMES = 4096
#: Positions are score and turn total as one number; the last is the end.
END = 101 * 101
#: An action that was tried less often is not known.
KNOWN = 20


class Tables:
    """Where actions led, and what positions are worth."""

    def __init__(self) -> None:
        # Each is position, action and next position as one number.
        self.steps, self.counts, self.rewards = np.zeros(0, np.int64), np.zeros(0), np.zeros(0)
        self.worth = np.zeros(END + 1)

    def note(self, steps: Any, rewards: Any) -> None:
        """Adds what happened."""
        keys, inverse = np.unique(np.concatenate([self.steps, steps]), return_inverse=True)
        self.counts = np.bincount(inverse, np.concatenate([self.counts, np.ones(len(steps))]))
        self.rewards = np.bincount(inverse, np.concatenate([self.rewards, rewards]))
        self.steps = keys

    def think(self, unknown: float, sweeps: int) -> Any:
        """What each action is worth in each position, where one that is not known is worth `unknown`."""
        taken, after = np.divmod(self.steps, END + 1)
        tried = np.bincount(taken, self.counts, 2 * END)
        share = self.counts / tried[taken]
        cost = np.bincount(taken, self.rewards, 2 * END) / np.maximum(tried, 1)
        for _ in range(sweeps):
            values = cost + np.bincount(taken, share * self.worth[after], 2 * END)
            values[tried < KNOWN] = unknown
            values = values.reshape(END, 2)
            best = values.max(1)
            # Where nothing is known at all, nothing can be said.
            worth = np.append(np.where(np.isfinite(best), best, -100.0), 0.0)
            is_settled = np.abs(worth - self.worth).max() < 1e-4
            self.worth = worth
            if is_settled:
                break
        return values


def learn(seconds: float, seed: int = 1) -> Any:
    """The values of all actions: position, action."""
    # What was before the first decision no action could help.
    options = {"features": ["score", "turn_total"], "rewards": "decisions", "autoreset_mode": "SameStep"}
    env = envs.make_vec("pig", GAMES, rules="solo", seed=seed, **options)
    rng = np.random.default_rng(seed)
    tables, values = Tables(), np.zeros((END, 2))
    observations, _ = env.reset()
    position = positions(observations)
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        steps, costs = [], []
        for _ in range(100):
            actions = values[position].argmax(1)
            strays = rng.random(GAMES) < 0.1
            actions[strays] = rng.integers(0, 2, strays.sum())
            observations, rewards, ended, _, _ = env.step(actions)
            after = positions(observations)
            steps.append((position * 2 + actions) * (END + 1) + np.where(ended, END, after))
            costs.append(rewards)
            position = after
        tables.note(np.concatenate(steps), np.concatenate(costs))
        values = tables.think(0.0, 100)
    return tables.think(-np.inf, 1000)


def positions(observations: Any) -> Any:
    """Score and turn total as one number."""
    score, total = observations.T.astype(int)
    return 101 * score + total


def main(seconds: float = 45.0) -> tuple[float, float]:
    """Learns, and says how good it is: its mean and the best there is, in turns."""
    values = learn(seconds)

    def learned(batch: stopwise.Batch) -> Any:
        shown = np.stack([batch.features["score"], batch.features["turn_total"]], 1)
        return values[positions(shown)].argmax(1)

    played = stopwise.simulate("pig", learned, rules="solo", trials=400_000, seed=2).summary[0]
    best = stopwise.solve("pig", rules="solo").solution[0].value
    print(f"learned: {played.mean:.4f} turns; best play: {best:.4f}; {played.mean / best - 1:.2%} more")
    return played.mean, best


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
