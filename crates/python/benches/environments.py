"""How fast environments step, one process on one core: a table, all of it from one run.

    pip install gymnasium open_spiel pgx
    taskset -c 0 python environments.py

1,024 games side by side answer at random. `drawn` takes actions from the environment's own action space, `NumPy` chooses among the
masks with NumPy, and `fixed` always rolls. OpenSpiel plays one game at a time: it has no vector environment; its row is its C++ states
stepped from Python, and that of its own Python environment for learners.

Pgx has vector environments, written in JAX. It has no Pig: 2048 is a game for one with chance and four actions, and Kuhn poker the
least of its games. Games that are over begin again by its own wrapper, and actions are drawn among the legal ones by the same
compiled function. `in turn` calls it once a step, as a learner outside of JAX does, and `50 at once` lets it play fifty steps before
anything is handed back. Compiling is not counted. What is not installed has a line that says so.
"""

from __future__ import annotations

import os
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
    env = envs.make_vec(game, GAMES, rules=rules, autoreset_mode="SameStep", copy=copy)
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


def pgx_steps(game: str, at_once: int) -> Callable[[], int]:
    # Before JAX is imported.
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(game)
    next_of_all = jax.vmap(auto_reset(env.step, env.init))

    def random_step(carry, _):
        states, key = carry
        key, for_actions, for_chance = jax.random.split(key, 3)
        mask = states.legal_action_mask
        actions = jnp.where(mask, jax.random.uniform(for_actions, mask.shape), -1.0).argmax(1)
        return (next_of_all(states, actions, jax.random.split(for_chance, GAMES)), key), None

    several = jax.jit(lambda carry: jax.lax.scan(random_step, carry, None, at_once)[0])
    key = jax.random.PRNGKey(1)
    carry = jax.jit(jax.vmap(env.init))(jax.random.split(key, GAMES)), key

    def step() -> int:
        nonlocal carry
        for _ in range(50 // at_once):
            carry = several(carry)
            jax.block_until_ready(carry)
        return 50 * GAMES

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
    for game in ("2048", "kuhn_poker"):
        for at_once in (1, 50):
            name = f"Pgx {game}, {GAMES} games, actions drawn by JAX, {'in turn' if at_once == 1 else f'{at_once} at once'}"
            rows.append((name, lambda args=(game, at_once): pgx_steps(*args)))  # type: ignore[misc]
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
