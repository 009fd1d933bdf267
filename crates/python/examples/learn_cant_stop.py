"""Learning from the whole state: Q-learning with a table finds best play of a small Can't Stop.

    python learn_cant_stop.py [STEPS [RULES]]

Features do not tell which columns are how high; `observe="state"` shows all that lies on the table. Every state that was met has a
row of what its actions are worth. Then the program plays what was learned, in games that it has never seen, and holds it against the
policies that come with the game and against the exact value of best play. All of it is the same every time.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

import stopwise
from stopwise import envs

GAMES = 1024
#: The share of actions that are tried whatever they are worth.
STRAYS = 0.1


class Table:
    """What the actions of every state are worth, and how often they were tried."""

    def __init__(self, actions: int) -> None:
        self.rows: dict[bytes, int] = {}
        self.worth, self.tried = np.zeros((1, actions)), np.zeros((1, actions))

    def states(self, observations: Any) -> Any:
        """The rows of states; new ones are added."""
        # Numbers of a game this small fit into a byte.
        small = observations.astype(np.uint8)
        rows = np.array([self.rows.setdefault(state.tobytes(), len(self.rows)) for state in small])
        while len(self.rows) > len(self.worth):
            self.worth = np.concatenate([self.worth, np.zeros_like(self.worth)])
            self.tried = np.concatenate([self.tried, np.zeros_like(self.tried)])
        return rows

    def best(self, rows: Any, legal: Any) -> Any:
        """The best of the legal actions, and what it is worth."""
        worth = np.where(legal, self.worth[rows], -np.inf)
        return worth.argmax(1), worth.max(1)

    def learn(self, rows: Any, actions: Any, worth: Any) -> None:
        """Moves towards what was found: in large steps at first, and never in very small ones."""
        self.tried[rows, actions] += 1
        step = np.maximum(self.tried[rows, actions] ** -0.7, 0.002)
        self.worth[rows, actions] += step * (worth - self.worth[rows, actions])


def learn(steps: int, rules: str, seed: int = 1) -> Table:
    """What was learned in so many steps."""
    # What was before the first decision no action could help.
    options = {"observe": "state", "rewards": "decisions", "autoreset_mode": "SameStep"}
    env = envs.make_vec("cant-stop", GAMES, rules=rules, seed=seed, **options)  # type: ignore[arg-type]
    env.action_space.seed(seed)
    rng, table = np.random.default_rng(seed), Table(len(env.action_names))
    observations, info = env.reset()
    states, legal = table.states(observations), info["action_mask"] == 1
    for _ in range(steps // GAMES):
        actions, _ = table.best(states, legal)
        actions = np.where(rng.random(GAMES) < STRAYS, env.action_space.sample(), actions)
        observations, rewards, ended, _, info = env.step(actions)
        after, legal = table.states(observations), info["action_mask"] == 1
        table.learn(states, actions, rewards + np.where(ended, 0.0, table.best(after, legal)[1]))
        states = after
    return table


def main(steps: int | str = 40_000_000, rules: str = "small") -> None:
    """Learns, and says how good it is: in turns, of which fewer are better."""
    table = learn(int(steps), rules)

    def learned(batch: stopwise.Batch) -> Any:
        known = np.array([table.rows.get(state.tobytes(), -1) for state in batch.state.astype(np.uint8)])
        # In environments the actions of all decisions are numbered together.
        numbers = batch.first_action[:, None] + np.arange(batch.action_mask.shape[1])
        worth = np.take_along_axis(table.worth[known], np.minimum(numbers, table.worth.shape[1] - 1), 1)
        # Of a state that it has never met it knows nothing.
        worth[known < 0] = 0.0
        return np.where(batch.action_mask, worth, -np.inf).argmax(1)

    best = stopwise.solve("cant-stop", rules=rules).solution[0].value
    print(f"{len(table.rows):,} states in {int(steps):,} steps; best play: {best:.4f} turns")
    for policy in [learned, *stopwise.policies("cant-stop").policy]:
        score = stopwise.simulate("cant-stop", policy, rules=rules, trials=100_000, seed=2).summary[0]
        print(f"{score.policy}: {score.mean:.4f} ± {1.96 * score.std_error:.4f} turns")


if __name__ == "__main__":
    main(*sys.argv[1:])
