"""Environments of PettingZoo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv  # type: ignore[import-untyped, unused-ignore]

from stopwise._errors import InputError
from stopwise._observations import parts_of, spaces_of
from stopwise._tables import WAIT, Played, Setup, Tables, drawn, whole_number

if TYPE_CHECKING:
    from stopwise._result import Replay


class Seats(Played, AECEnv):  # type: ignore[misc, unused-ignore]
    """A game in which seats decide in turn: see `stopwise.envs.aec`."""

    #: What the numbers of an observation are.
    feature_names: tuple[str, ...]
    #: What the columns of `candidates` in an observation are; none if it has no such part.
    candidate_names: tuple[str, ...]
    action_names: tuple[str, ...]
    agents: list[str]
    possible_agents: list[str]
    agent_selection: str
    metadata: dict[str, Any]
    rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    infos: dict[str, dict[str, Any]]
    observation_spaces: dict[str, Any]
    action_spaces: dict[str, Any]
    render_mode: str | None
    #: The actions of each agent in the game that is played, or was played last.
    actions: dict[str, list[int]]
    #: What each agent saw when it was asked last.
    _own: dict[str, Any]

    def __init__(
        self,
        setup: Setup,
        seed: int | None,
        render_mode: str | None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise InputError(f"render_mode {render_mode!r}: write 'ansi', or leave it out")
        self.metadata = {"render_modes": ["ansi"], "name": f"stopwise_{setup.game}_v0", "is_parallelizable": False}
        self.render_mode = render_mode
        self._seed, self._next, self._state = drawn(seed), 0, setup.state
        tables = self._tables = Tables(setup, 1, self._seed)
        self.feature_names = tables.feature_names
        self.candidate_names = tables.candidate_names
        self.action_names = tables.action_names
        self.possible_agents = [f"seat_{seat + 1}" for seat in range(tables.core.seats)]
        self.agents = []
        shown = spaces_of(tables, spaces.Box(0, 1, (tables.action_count,), dtype=np.int8))
        self.observation_spaces = {agent: spaces.Dict(shown) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(tables.action_count) for agent in self.possible_agents}
        self.actions = {agent: [] for agent in self.possible_agents}
        box = shown["observation"]
        assert isinstance(box, spaces.Box)
        #: What an agent sees before it is asked.
        self._nothing = np.clip(np.zeros(box.shape, np.float32), box.low, box.high)
        self._own = dict.fromkeys(self.possible_agents, self._nothing)

    def observation_space(self, agent: str) -> Any:
        """What an agent observes."""
        return self.observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> Any:
        """What an agent may do, though not everywhere."""
        return self.action_spaces[self._known(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game: the first of a seed, or the next one; `options={"trial": …}` names another."""
        # PettingZoo's checker has options that mean nothing.
        self._begin(seed, options, *(options or {}))
        self.agents = list(self.possible_agents)
        self.actions = {agent: [] for agent in self.agents}
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._own = dict.fromkeys(self.possible_agents, self._nothing)
        self._tell()

    def step(self, action: Any) -> None:
        """Follows the action of the agent whose turn it is."""
        self._check_open()
        if not self.agents:
            raise InputError("no game is under way: call reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        tables = self._tables
        number = whole_number(action)
        if number is None:
            raise InputError(f"action {action!r}: write its number, from 0 to {tables.action_count - 1}, as action_names has them")
        tables.actions[0] = number
        tables.step(WAIT)
        self.actions[agent].append(number)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {agent: float(tables.rewards[seat, 0]) for seat, agent in enumerate(self.possible_agents)}
        if tables.ended[0]:
            self.terminations = dict.fromkeys(self.agents, True)
        self._tell()
        self._accumulate_rewards()
        if tables.ended[0]:
            for seat, one in enumerate(self.possible_agents):
                self.infos[one]["score"] = tables.scores[seat, 0].item()
                self.infos[one]["ending"] = tables.endings[tables.ending[0]]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees: who is not asked sees what it saw when it was asked last, and no mask and no candidates.

        Before an agent is asked for the first time in a game it sees 0, or what is nearest to 0 in the range of a feature.
        """
        own = self._own[self._known(agent)].copy()
        shown = {name: array[0].copy() for name, array in parts_of(self._tables, True).items() if name != "observation"}
        if agent != self.agent_selection:
            shown = {name: np.zeros_like(array) for name, array in shown.items()}
        return {"observation": own, **shown}

    def render(self) -> str | None:
        """What lies where, in words."""
        return self._tables.render() if self.render_mode == "ansi" else None

    def replay(self) -> Replay:
        """Tells the game that was played, once it is over."""
        return self._tables.replay(int(self._tables.trial[0]), list(self.actions.items()))

    def _known(self, agent: str) -> str:
        if agent not in self.possible_agents:
            raise InputError(f"no agent {agent!r}; there are: {', '.join(self.possible_agents)}")
        return agent

    def _tell(self) -> None:
        tables = self._tables
        # At the end every agent is heard once more, in the order of the seats.
        is_over = tables.ended[0] and any(self.terminations.values())
        self.agent_selection = self.possible_agents[0 if is_over else tables.seat[0]]
        if not is_over:
            self._own[self.agent_selection] = tables.observed[0].copy()
        info: dict[str, Any] = {"trial": int(tables.trial[0])}
        if self._state:
            info["state"] = tables.state[0].copy()
        self.infos = {agent: dict(info) for agent in self.possible_agents}
