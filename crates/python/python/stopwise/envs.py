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

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from stopwise import _registered
from stopwise._commands import Rules, Settings

if TYPE_CHECKING:
    from gymnasium.vector import AutoresetMode

    from stopwise._gymnasium import Single, Vector

__all__ = ["aec", "make", "make_vec"]


def make(
    game: str,
    *,
    rules: Rules | None = None,
    set: Settings | None = None,
    seed: int | None = 1,
    features: Iterable[str] | None = None,
    mask_in_observation: bool = False,
    state: bool = False,
    illegal: str = "first",
    render_mode: str | None = None,
) -> Single:
    """A game for one as a Gymnasium environment.

    Args:
        game: Its name.
        rules: A preset's name, a path or a text; they must have one seat.
        set: Options of the rules that are changed.
        seed: The seed of all dice, `None` for one that is drawn; `reset(seed=…)` gives another.
        features: What is observed, by name; if left out every feature that can vary: see `stopwise.features(game)`.
        mask_in_observation: Observations are dictionaries, with `observation` and `action_mask`; the mask is in `info` anyway.
        state: `info["state"]` has the bits of the state.
        illegal: What an illegal action does: `"first"` takes the first legal one, as learners need that know no masks, and warns
            once; `"error"` raises an `InputError`.
        render_mode: `"ansi"`: `render()` says in words what lies where. Any other mode is taken with a warning, as Gymnasium's own
            environments take it, and shows nothing.
    """
    _require("gymnasium")
    from stopwise._gymnasium import Single

    return Single(game, rules, set, seed, features, mask_in_observation, state, illegal, render_mode)


def make_vec(
    game: str,
    n: int,
    *,
    rules: Rules | None = None,
    set: Settings | None = None,
    seed: int | None = 1,
    features: Iterable[str] | None = None,
    mask_in_observation: bool = False,
    state: bool = False,
    autoreset: AutoresetMode | str = "NextStep",
    copy: bool = True,
) -> Vector:
    """Many games for one side by side, as a Gymnasium vector environment.

    Args:
        game: Its name.
        n: How many games.
        rules: A preset's name, a path or a text; they must have one seat.
        set: Options of the rules that are changed.
        seed: The seed of all dice, `None` for one that is drawn: game i plays the trials i, i + n, i + 2n, … of it.
        features: What is observed, by name.
        mask_in_observation: Observations are dictionaries, with `observation` and `action_mask`.
        state: `info["state"]` has the bits of the states.
        autoreset: When the next game begins: `"NextStep"`, `"SameStep"` or `"Disabled"`, as in `gymnasium.vector.AutoresetMode`.
        copy: Whether arrays that are returned stay as they are; without, the next step writes into them, and is faster.

    >>> from stopwise import envs
    >>> env = envs.make_vec("carbonite", 3)
    >>> observations, info = env.reset()
    >>> observations.shape == (3, len(env.feature_names)), info["trial"].tolist()
    (True, [0, 1, 2])
    """
    _require("gymnasium")
    from stopwise._gymnasium import Vector

    return Vector(game, n, rules, set, seed, features, mask_in_observation, state, autoreset, copy)


def aec(
    game: str,
    *,
    rules: Rules | None = None,
    set: Settings | None = None,
    seed: int | None = 1,
    features: Iterable[str] | None = None,
    state: bool = False,
    render_mode: str | None = None,
) -> Any:
    """A game as a PettingZoo environment (`pettingzoo.AECEnv`, which has no annotations), in which one agent a seat decides in turn: `seat_1`, `seat_2`, ….

    Observations are dictionaries, with `observation` and `action_mask`.

    Args:
        game: Its name.
        rules: A preset's name, a path or a text.
        set: Options of the rules that are changed.
        seed: The seed of all dice, `None` for one that is drawn.
        features: What is observed, by name.
        state: `infos[agent]["state"]` has the bits of the state as the seat that decides sees it.
        render_mode: `"ansi"`: `render()` says in words what lies where.
    """
    _require("gymnasium")
    _require("pettingzoo")
    from stopwise._pettingzoo import Seats

    return Seats(game, rules, set, seed, features, state, render_mode)


def _make_vec(num_envs: int, game: str, **options: Any) -> Vector:
    """`make_vec` with the name that Gymnasium has for the number of games."""
    return make_vec(game, num_envs, **options)


_registered.register()


def _require(package: str) -> None:
    import importlib.util

    for needed in ("numpy", package):
        if importlib.util.find_spec(needed) is None:
            raise ImportError(f"this environment needs the package {needed}: pip install {needed}")
