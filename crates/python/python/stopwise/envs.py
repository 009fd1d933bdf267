"""Environments for agents that learn: the games for Gymnasium and PettingZoo.

`make` and `make_vec` need `pip install gymnasium`, and `aec` needs `pip install pettingzoo`.

    >>> from stopwise import envs
    >>> env = envs.make("pig", rules="solo", seed=1)
    >>> observation, info = env.reset()
    >>> dict(zip(env.feature_names, observation.tolist()))["turn_total"], info["trial"]
    (4.0, 0)
    >>> observation, reward, terminated, truncated, info = env.step(1)
    >>> reward
    -2.0

Where Gymnasium is installed this module registers the games for one with it, by names such as `stopwise/Pig-v0`:

    >>> import gymnasium
    >>> env = gymnasium.make("stopwise/Pig-v0", rules="solo", seed=1)
    >>> env = gymnasium.make_vec("stopwise/Pig-v0", num_envs=8)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from stopwise import _registered
from stopwise._commands import GameLike, Policy, Rules, Settings
from stopwise._tables import Setup

if TYPE_CHECKING:
    from gymnasium.vector import AutoresetMode

    from stopwise._gymnasium import Single, Vector

__all__ = ["aec", "make", "make_vec"]


def make(
    game: GameLike,
    *,
    rules: Rules | None = None,
    set: Settings | None = None,
    seed: int | None = 1,
    observe: Literal["features", "state"] = "features",
    features: Iterable[str] | None = None,
    candidates: bool | Iterable[str] = False,
    mask_in_observation: bool = False,
    state: bool = False,
    metric: str | None = None,
    against: Policy | Sequence[Policy] | None = None,
    seat: int = 1,
    rewards: str = "game",
    illegal: str = "first",
    render_mode: str | None = None,
) -> Single:
    """A game as a Gymnasium environment for one agent.

    Args:
        game: Its name.
        rules: A preset's name, a path or a text; with more than one seat, `against` says who plays in the others.
        set: Options of the rules that are changed.
        seed: The seed of all dice, `None` for one that is drawn; `reset(seed=…)` gives another.
        observe: `"features"`: what policies read; `"state"`: all variables of a game that is a text, as the player may see them, own
            ones before those of others. `env.feature_names` says which.
        features: What is observed, by name, in this order; if left out every feature that can vary: see `stopwise.features(game)`. Of a state they
            come behind its variables, and if left out none do.
        candidates: What is observed of each candidate, by name, in this order, or `True` for all that policies may read: observations
            are dictionaries, with `observation` and `candidates`, an array with a row an action and a column each, 0 where an
            action is not legal. Of a game that tells nothing of candidates `True` changes nothing.
        mask_in_observation: Observations are dictionaries, with `observation` and `action_mask`; the mask is in `info` anyway.
        state: `info["state"]` has the bits of the state.
        metric: What rewards are of, by its name; if left out the first metric, for which the game is played.
        against: Who plays in the other seats: a policy, or a list of one for each of them, in the order of their seats.
        seat: The seat of the agent, from 1.
        rewards: `"game"`: over a game they add up to the metric; `"decisions"`: without what was before the first decision, as
            Q-learning wants it.
        illegal: What an illegal action does: `"first"` takes the first legal one, as learners need that know no masks, and warns
            once; `"error"` raises an `InputError`, as what is no action at all does anyway.
        render_mode: `"ansi"`: `render()` says in words what lies where. Any other mode is taken with a warning, as Gymnasium's own
            environments take it, and shows nothing.
    """
    _require("gymnasium")
    from stopwise._gymnasium import Single

    setup = Setup(game, rules, set, features, candidates, state, metric, against, seat, rewards, observe)
    return Single(setup, seed, mask_in_observation, illegal, render_mode)


def make_vec(
    game: GameLike,
    num_envs: int,
    *,
    rules: Rules | None = None,
    set: Settings | None = None,
    seed: int | None = 1,
    observe: Literal["features", "state"] = "features",
    features: Iterable[str] | None = None,
    candidates: bool | Iterable[str] = False,
    mask_in_observation: bool = False,
    state: bool = False,
    metric: str | None = None,
    against: Policy | Sequence[Policy] | None = None,
    seat: int = 1,
    rewards: str = "game",
    autoreset_mode: AutoresetMode | str = "NextStep",
    copy: bool = True,
    illegal: str = "error",
) -> Vector:
    """Many games side by side, as a Gymnasium vector environment for one agent in each.

    Args:
        game: Its name.
        num_envs: How many games.
        rules: A preset's name, a path or a text; with more than one seat, `against` says who plays in the others.
        set: Options of the rules that are changed.
        seed: The seed of all dice, `None` for one that is drawn: of n games game i plays the trials i, i + n, i + 2n, … of it.
        observe: `"features"` or `"state"`, as `make` has it.
        features: What is observed, by name.
        candidates: What is observed of each candidate, as `make` has it.
        mask_in_observation: Observations are dictionaries, with `observation` and `action_mask`.
        state: `info["state"]` has the bits of the states.
        metric: What rewards are of, by its name.
        against: Who plays in the other seats, as `make` has it.
        seat: The seat of the agent, from 1.
        rewards: `"game"` or `"decisions"`, as `make` has it.
        autoreset_mode: When the next game begins: `"NextStep"`, `"SameStep"` or `"Disabled"`, as in `gymnasium.vector.AutoresetMode`.
        illegal: What illegal actions do, as `make` has it; here they are an error unless `"first"` is written.
        copy: Whether arrays that are returned stay as they are; without, the next step writes into them, and is faster.

    >>> from stopwise import envs
    >>> env = envs.make_vec("carbonite", 3)
    >>> observations, info = env.reset()
    >>> observations.shape == (3, len(env.feature_names)), info["trial"].tolist()
    (True, [0, 1, 2])
    """
    _require("gymnasium")
    from stopwise._gymnasium import Vector

    setup = Setup(game, rules, set, features, candidates, state, metric, against, seat, rewards, observe)
    return Vector(setup, num_envs, seed, mask_in_observation, autoreset_mode, copy, illegal)


def aec(
    game: GameLike,
    *,
    rules: Rules | None = None,
    set: Settings | None = None,
    seed: int | None = 1,
    observe: Literal["features", "state"] = "features",
    features: Iterable[str] | None = None,
    candidates: bool | Iterable[str] = False,
    state: bool = False,
    metric: str | None = None,
    render_mode: str | None = None,
) -> Any:
    """A game as a PettingZoo environment (`pettingzoo.AECEnv`, which has no annotations), in which one agent a seat decides in turn: `seat_1`, `seat_2`, ….

    Observations are dictionaries, with `observation` and `action_mask`, and with `candidates` if they are asked for. Each agent sees its
    own: between its decisions, and at the end, what it saw when it was asked last.

    Args:
        game: Its name.
        rules: A preset's name, a path or a text.
        set: Options of the rules that are changed.
        seed: The seed of all dice, `None` for one that is drawn.
        observe: `"features"` or `"state"`, as `make` has it: own is what is of the agent who observes.
        features: What is observed, by name.
        candidates: What is observed of each candidate, as `make` has it, by the agent whose turn it is.
        state: `infos[agent]["state"]` has the bits of the state as the seat that decides sees it.
        metric: What rewards are of, by its name.
        render_mode: `"ansi"`: `render()` says in words what lies where.
    """
    _require("gymnasium")
    _require("pettingzoo")
    from stopwise._pettingzoo import Seats

    return Seats(Setup(game, rules, set, features, candidates, state, metric, observe=observe), seed, render_mode)


_registered.register()


def _require(package: str) -> None:
    import importlib.util

    for needed in ("numpy", package):
        if importlib.util.find_spec(needed) is None:
            raise ImportError(f"this environment needs the package {needed}: pip install {needed}")
