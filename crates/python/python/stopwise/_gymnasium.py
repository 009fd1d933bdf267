"""Environments of Gymnasium."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from stopwise._errors import InputError
from stopwise._observations import parts_of, spaces_of, whole
from stopwise._tables import NEXT_STEP, SAME_STEP, WAIT, Played, Setup, Tables, check_seed, drawn, whole_number

if TYPE_CHECKING:
    from stopwise._result import Replay

_RENEWAL = {
    AutoresetMode.DISABLED: WAIT,
    AutoresetMode.SAME_STEP: SAME_STEP,
    AutoresetMode.NEXT_STEP: NEXT_STEP,
}


class LegalAction(spaces.Discrete):
    """The actions; samples are legal ones of the game as it stands. A copy knows no game, and samples from all."""

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables.action_count)
        self._tables = tables

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        if mask is None and probability is None:
            mask = self._tables.mask[0]
        return super().sample(mask, probability)

    def __reduce__(self) -> Any:
        return spaces.Discrete, (int(self.n),)


class LegalActions(spaces.MultiDiscrete):
    """The same for games side by side."""

    def __init__(self, tables: Tables) -> None:
        super().__init__([tables.action_count] * len(tables.mask))
        self._tables = tables

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        if mask is not None or probability is not None:
            return super().sample(mask, probability)
        drawn = self._tables.core.draw(int(self.np_random.integers(2**63)))
        return np.asarray(drawn)

    def __reduce__(self) -> Any:
        return spaces.MultiDiscrete, (self.nvec.tolist(),)


class _Sampled(Played):
    """An environment whose space of actions samples legal ones, in its copies, too."""

    action_space: spaces.Space[Any]
    _has_warned = False

    def __getstate__(self) -> dict[str, Any]:
        # `__reduce__` of the space leaves the game out.
        return {**self.__dict__, "action_space": (type(self.action_space), self.action_space._np_random)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        kind, random = state.pop("action_space")
        self.__dict__.update(state)
        self.action_space = kind(self._tables)
        self.action_space._np_random = random

    def _make_legal(self) -> None:
        """Puts the first legal action in place of every one that is not, but is one of the space; that is said once."""
        actions, mask = self._tables.actions, self._tables.mask
        known = (0 <= actions) & (actions < mask.shape[1])
        is_legal = known & (mask[np.arange(len(mask)), np.where(known, actions, 0)] == 1)
        wrong = np.flatnonzero(~is_legal & known & mask.any(1))
        if not wrong.size:
            return
        illegal, actions[wrong] = actions[wrong[0]].item(), mask[wrong].argmax(1)
        self._warn(illegal, int(actions[wrong[0]]))

    def _warn(self, illegal: int, taken: int) -> None:
        if not self._has_warned:
            self._has_warned = True
            gymnasium.logger.warn(
                f"the action {illegal} is illegal here, and {taken} is taken in its place; legal actions are in"
                " info['action_mask'], and illegal='error' makes this an error"
            )


def _takes_first(illegal: str) -> bool:
    if illegal not in ("error", "first"):
        raise InputError(f"illegal {illegal!r}: write 'error' or 'first'")
    return illegal == "first"


def _alone(setup: Setup, count: int, seed: int) -> Tables:
    """Tables of which one seat is asked."""
    tables = Tables(setup, count, seed)
    if tables.core.seats != 1 and not setup.others():
        raise InputError(
            f"the game has {tables.core.seats} seats under these rules, and Gymnasium's environments are for one; say who plays"
            " in the others by against='…', or take stopwise.envs.aec, or rules for one"
        )
    return tables


def _space(tables: Tables, masked: bool) -> spaces.Space[Any]:
    parts = spaces_of(tables, spaces.MultiBinary(tables.action_count) if masked else None)
    return spaces.Dict(parts) if len(parts) > 1 else parts["observation"]


class Single(_Sampled, gymnasium.Env[Any, Any]):
    """A game for one: see `stopwise.envs.make`."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}

    observation_space: spaces.Space[Any]
    action_space: spaces.Space[Any]
    render_mode: str | None
    feature_names: tuple[str, ...]
    candidate_names: tuple[str, ...]
    action_names: tuple[str, ...]
    #: The actions of the game that is played, or was played last.
    actions: list[int]

    def __init__(
        self,
        setup: Setup,
        seed: int | None,
        mask_in_observation: bool,
        illegal: str,
        render_mode: str | None,
    ) -> None:
        self._takes_first = _takes_first(illegal)
        if render_mode not in (None, "ansi"):
            # Stable-Baselines3 asks every environment for `rgb_array`.
            gymnasium.logger.warn(f"render_mode {render_mode!r} shows nothing here; the only one that does is 'ansi'")
        self._seed, self._next, self._state, self._masked = drawn(seed), 0, setup.state, mask_in_observation
        self._tables = _alone(setup, 1, self._seed)
        self._own_seat = self._tables.core.own_seat
        self.render_mode = render_mode
        #: What the numbers of an observation are.
        self.feature_names = self._tables.feature_names
        #: What the columns of `candidates` in an observation are; none if it has no such part.
        self.candidate_names = self._tables.candidate_names
        #: What the numbers of actions are.
        self.action_names = self._tables.action_names
        self.observation_space = _space(self._tables, mask_in_observation)
        self.action_space = LegalAction(self._tables)
        self.actions = []

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins a game: the first of a seed, or the next one; `options={"trial": …}` names another."""
        self._begin(seed, options)
        super().reset(seed=seed)
        self.actions = []
        return self._shown(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Follows an action to the next decision. What is shown at the end is what was shown at the last decision."""
        tables = self._tables
        self._check_open()
        if not self._next or not tables.legal.item(0):
            raise InputError("no game is under way: call reset() first")
        number = whole_number(action)
        if number is None:
            raise InputError(f"action {action!r}: write its number, from 0 to {tables.action_count - 1}, as action_names has them")
        if self._takes_first and 0 <= number < tables.action_count and not tables.mask.item(0, number):
            illegal, number = number, int(tables.mask[0].argmax())
            self._warn(illegal, number)
        tables.actions[0] = number
        tables.step(WAIT)
        self.actions.append(number)
        info = self._info()
        ended = tables.ended.item(0)
        if ended:
            info["score"] = tables.scores.item(self._own_seat, 0)
            info["ending"] = tables.endings.item(tables.ending.item(0))
        return self._shown(), tables.rewards.item(self._own_seat, 0), ended, False, info

    def render(self) -> str | None:
        """What lies where, in words."""
        return self._tables.render() if self.render_mode == "ansi" else None

    def replay(self) -> Replay:
        """Tells the game that was played, once it is over."""
        return self._tables.replay(int(self._tables.trial[0]), [("agent", self.actions)])

    def action_masks(self) -> Any:
        """Where actions are legal, as sb3-contrib's learners ask."""
        return self._tables.mask[0].astype(bool)

    def _shown(self) -> Any:
        return whole({name: array[0].copy() for name, array in parts_of(self._tables, self._masked).items()})

    def _info(self) -> dict[str, Any]:
        info = {"trial": int(self._tables.trial[0]), "action_mask": self._tables.mask[0].copy()}
        if self._state:
            info["state"] = self._tables.state[0].copy()
        return info


class Vector(_Sampled, VectorEnv[Any, Any, Any]):
    """Games for one side by side: see `stopwise.envs.make_vec`."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "autoreset_mode": AutoresetMode.NEXT_STEP}
    single_observation_space: spaces.Space[Any]
    observation_space: spaces.Space[Any]
    single_action_space: spaces.Space[Any]
    action_space: spaces.Space[Any]
    num_envs: int
    render_mode: str | None
    feature_names: tuple[str, ...]
    candidate_names: tuple[str, ...]
    action_names: tuple[str, ...]

    def __init__(
        self,
        setup: Setup,
        num_envs: int,
        seed: int | None,
        mask_in_observation: bool,
        autoreset_mode: AutoresetMode | str,
        copy: bool,
        illegal: str,
    ) -> None:
        self._takes_first = _takes_first(illegal)
        count = whole_number(num_envs)
        if count is None or count < 1:
            raise InputError(f"num_envs {num_envs!r}: write a whole number, 1 or more")
        num_envs = count
        self._seed, self._next, self._state = drawn(seed), 0, setup.state
        self._tables = _alone(setup, num_envs, self._seed)
        try:
            mode = AutoresetMode(autoreset_mode)
        except ValueError:
            modes = ", ".join(repr(mode.value) for mode in AutoresetMode)
            raise InputError(f"autoreset_mode {autoreset_mode!r}: write one of {modes}") from None
        self.metadata = {**type(self).metadata, "autoreset_mode": mode}
        self._mode, self._renewal = mode, _RENEWAL[mode]
        self._masked, self._copy = mask_in_observation, copy
        self.num_envs = num_envs
        self.render_mode = None
        #: What the numbers of an observation are.
        self.feature_names = self._tables.feature_names
        #: What the columns of `candidates` in an observation are; none if it has no such part.
        self.candidate_names = self._tables.candidate_names
        #: What the numbers of actions are.
        self.action_names = self._tables.action_names
        self.single_observation_space = _space(self._tables, mask_in_observation)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.single_action_space = spaces.Discrete(self._tables.action_count)
        self.action_space = LegalActions(self._tables)
        self._never = np.zeros(num_envs, np.bool_)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins games: the first of a seed, or those that come next.

        The games have one seed together, and are different trials of it: a list of seeds, one a game, is refused.

        `options={"trial": …}` names the first of them; `{"reset_mask": …}` begins only games where it is true.
        """
        tables = self._tables
        if isinstance(seed, (list, tuple)):
            raise InputError(f"seed {seed!r}: write one number; game i of n plays the trials i, i + n, … of it, which are different games")
        only = (options or {}).get("reset_mask")
        if only is not None:
            only = np.asarray(only)
            if only.dtype != np.bool_ or only.shape != (self.num_envs,):
                raise InputError(f"reset_mask: write an array of {self.num_envs} truth values")
        # All games begin where none is under way, or with a seed.
        if only is not None and seed is None and self._next:
            self._check_open()
            tables.renew(np.flatnonzero(only).tolist())
            self._next = int(tables.trial.max()) + 1
        else:
            self._begin(seed, options, "reset_mask")
        super().reset(seed=seed)
        return self._shown(), self._info()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Follows an action a game. Where a game is over, what is shown is what was shown at its last decision."""
        tables = self._tables
        self._check_open()
        if not self._next:
            raise InputError("no games are under way: call reset() first")
        final: dict[str, Any] = {}
        if self._renewal == SAME_STEP:
            final = {"final_obs": self._shown(True), "final_info": {"trial": tables.trial.copy()}}
        self._take(actions)
        tables.step(self._renewal)
        own_seat = tables.core.own_seat
        ended, rewards = tables.ended, tables.rewards[own_seat]
        info = self._info()
        if self._copy:
            ended, rewards = ended.copy(), rewards.copy()
        if ended.any():
            info["score"], info["_score"] = tables.scores[own_seat].copy(), ended.copy()
            info["ending"], info["_ending"] = np.where(ended, tables.endings[tables.ending], None), info["_score"]
            if final:
                final["final_info"].update(score=info["score"], ending=info["ending"])
                info.update(final, _final_obs=info["_score"], _final_info=info["_score"])
            self._next = max(self._next, int(tables.trial.max()) + 1)
        return self._shown(), rewards, ended, self._never.copy() if self._copy else self._never, info

    def _take(self, actions: Any) -> None:
        try:
            given = np.asarray(actions)
        except ValueError:
            given = np.asarray(None)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "biu":
            shape = f"shape {given.shape} and type {given.dtype}"
            raise InputError(f"actions of {shape}: write a whole number for each game, of shape ({self.num_envs},)")
        np.copyto(self._tables.actions, given, casting="same_kind")
        if self._takes_first:
            self._make_legal()

    def render(self) -> tuple[str, ...]:
        """What lies where, in words, game by game."""
        return tuple(map(self._tables.render, range(self.num_envs)))

    def replay(self, trial: int, actions: Sequence[int]) -> Replay:
        """Tells a game that was played: `info["trial"]`, and the actions that were taken in it."""
        trial = check_seed(trial, "trial")
        return self._tables.replay(trial, [("agent", self._tables.check_taken(trial, actions))])

    def _shown(self, copy: bool = False) -> Any:
        parts = parts_of(self._tables, self._masked)
        if copy or self._copy:
            # Column by column, as it lies.
            parts = {name: array.copy("K") for name, array in parts.items()}
        return whole(parts)

    def _info(self) -> dict[str, Any]:
        tables, copy = self._tables, self._copy
        info = {"trial": tables.trial.copy() if copy else tables.trial}
        info["action_mask"] = tables.mask.copy() if copy else tables.mask
        if self._state:
            info["state"] = tables.state.copy() if copy else tables.state
        return info
