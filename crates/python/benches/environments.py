"""How fast environments step, one process on one core: a table, all of it from one run.

    pip install gymnasium open_spiel
    python environments.py

1,024 games side by side answer at random. `drawn` takes actions from the environment's own action space, `NumPy` chooses among the
masks with NumPy, and `fixed` always rolls. OpenSpiel plays one game at a time: it has no vector environment; its row is its C++ states
stepped from Python, and that of its own Python environment for learners.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

from stopwise import envs

GAMES = 1024


def rate(steps: Callable[[], int], seconds: float) -> float:
    """Steps a second, the best of three."""
    steps()

    def once() -> float:
        count, begun = 0, time.perf_counter()
        while (spent := time.perf_counter() - begun) < seconds:
            count += steps()
        return count / spent

    return max(once() for _ in range(3))


def ours(game: str, rules: str, chooses: str, copy: bool) -> Callable[[], int]:
    env = envs.make_vec(game, GAMES, rules=rules, autoreset="SameStep", copy=copy)
    _, info = env.reset()
    rng = np.random.default_rng(1)
    shape = info["action_mask"].shape
    none = np.zeros(GAMES, np.int64)

    def step() -> int:
        nonlocal info
        for _ in range(50):
            if chooses == "drawn":
                actions = env.action_space.sample()
            elif chooses == "fixed":
                actions = none
            else:
                actions = (rng.random(shape, np.float32) * info["action_mask"]).argmax(1)
            _, _, _, _, info = env.step(actions)
        return 50 * GAMES

    return step


def open_spiel_states() -> Callable[[], int]:
    import pyspiel

    game = pyspiel.load_game("pig(players=2)")
    rng = np.random.default_rng(1)

    def step() -> int:
        count, state = 0, game.new_initial_state()
        draws = iter(rng.random(100_000))
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(next(draws) * len(outcomes))][0])
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(next(draws) * len(legal))])
                count += 1
        return count

    return step


def open_spiel_environment() -> Callable[[], int]:
    from open_spiel.python import rl_environment

    env = rl_environment.Environment("pig", players=2)
    rng = np.random.default_rng(1)

    def step() -> int:
        count, shown = 0, env.reset()
        while not shown.last():
            player = shown.observations["current_player"]
            legal = shown.observations["legal_actions"][player]
            shown = env.step([legal[int(rng.random() * len(legal))]])
            count += 1
        return count

    return step


def main(seconds: float = 1.0) -> None:
    rows: list[tuple[str, Callable[[], Callable[[], int]]]] = []
    for game, rules in (("pig", "solo"), ("carbonite", "wiki")):
        for chooses in ("fixed", "drawn", "NumPy") if game == "pig" else ("drawn", "NumPy"):
            for copy in (True, False):
                name = f"stopwise {game} {rules}, {GAMES} games, actions {chooses}, {'copies' if copy else 'no copies'}"
                rows.append((name, lambda args=(game, rules, chooses, copy): ours(*args)))  # type: ignore[misc]
    rows.append(("OpenSpiel pig, states of C++ from Python", open_spiel_states))
    rows.append(("OpenSpiel pig, rl_environment", open_spiel_environment))
    print("| environment | million steps a second |\n|---|---|")
    for name, make in rows:
        try:
            steps = make()
        except ImportError as error:
            print(f"| {name} | not installed: {error.name} |")
            continue
        print(f"| {name} | {rate(steps, seconds) / 1e6:.3f} |", flush=True)


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
