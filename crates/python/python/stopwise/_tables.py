"""Games that wait for answers: what all environments have in common."""

from __future__ import annotations

import copy
import operator
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from stopwise import _commands, _core, _policies, _words
from stopwise._errors import InputError
from stopwise._game import Game

if TYPE_CHECKING:
    from stopwise._result import Replay

#: What happens to games that are over: nothing; the same step begins the next; the next step does.
WAIT, SAME_STEP, NEXT_STEP = 0, 1, 2


class Played:
    """An environment: its copies, deep or not, and pickles play on by themselves from where it is."""

    _tables: Tables
    _seed: int
    #: The trial that comes next; 0 before any has begun.
    _next: int
    _is_closed = False

    def __copy__(self) -> Any:
        return copy.deepcopy(self)

    def __repr__(self) -> str:
        tables = self._tables
        game = tables.setup.game
        parts = [
            f"{'game ' + game.name if isinstance(game, Game) else game}",
            f"rules {tables.core.rules_name}",
            *([f"{len(tables.mask)} games"] if len(tables.mask) > 1 else []),
            f"{tables.core.seats} {'seat' if tables.core.seats == 1 else 'seats'}",
        ]
        return f"<stopwise.envs {type(self).__name__}: {' · '.join(parts)}>"

    __str__ = __repr__

    def close(self, **_: Any) -> None:
        """Ends the environment: it takes no more steps."""
        self._is_closed = True

    def _begin(self, seed: int | None, options: Mapping[str, Any] | None, *others: str) -> None:
        """Begins games: the first of a seed, those that come next, or from the trial that the options name. If something is wrong it stays as it is."""
        self._check_open()
        first = 0 if seed is not None else self._next
        for name, value in (options or {}).items():
            if name == "trial":
                first = check_seed(value, "trial")
            elif name not in others:
                raise InputError(f"options: nothing is called {name!r}; there are: {', '.join(('trial', *others))}")
        own = self._seed if seed is None else check_seed(seed)
        self._tables.reset(own, first)
        self._seed, self._next = own, int(self._tables.trial.max()) + 1

    def _check_open(self) -> None:
        if self._is_closed:
            raise InputError("the environment is closed: make another")


@dataclass(frozen=True)
class Setup:
    """What is played, by whom, and what is shown of it, as the arguments of an environment say."""

    game: _commands.GameLike
    rules: _commands.Rules | None
    set: _commands.Settings | None
    features: Iterable[str] | None
    candidates: bool | Iterable[str]
    state: bool
    metric: str | None = None
    against: _commands.Policy | Sequence[_commands.Policy] | None = None
    seat: int = 1
    rewards: str = "game"
    observe: str = "features"

    def __post_init__(self) -> None:
        if self.observe not in ("features", "state"):
            raise InputError(f"observe {self.observe!r}: write 'features' or 'state'")
        if self.rewards not in ("game", "decisions"):
            raise InputError(f"rewards {self.rewards!r}: write 'game' or 'decisions'")
        if any(map(callable, self.others())):
            raise InputError("against: functions play no seat of an environment; write them as texts, or take stopwise.envs.aec")
        if self.seat != 1 and self.against is None:
            raise InputError(f"seat {self.seat}: say who plays in the others by against='…'")

    def others(self) -> list[Any]:
        """Who plays in the other seats: one for each of them, or for all, or nobody."""
        return _words.several(self.against, Mapping)

    def core(self, tables: int) -> _core.Tables:
        return _commands.core_tables(
            self.game,
            self.rules,
            self.set,
            tables,
            arguments=vars(self),
            against=self.others(),
            features=None if self.features is None else _words.several(self.features),
            states=self.state,
            candidates=None if self.candidates is True else _words.several(self.candidates or ()),
            metric=self.metric,
            seat=self.seat,
            from_the_beginning=self.rewards == "game",
            variables=self.observe == "state",
        )


class Tables:
    """Tables of a game under some rules, as arrays of NumPy that every step writes anew."""

    def __init__(self, setup: Setup, tables: int, seed: int) -> None:
        numpy = _policies.numpy("environments")
        array = numpy.asarray
        features = setup.features
        if features is None and setup.observe == "state":
            features = []
        elif features is None:
            # What is always the same tells a learner nothing.
            shown = replace(setup, candidates=False).core(1).shown
            features = [name for name, _, low, high in shown if low < high]
        candidates = setup.candidates if isinstance(setup.candidates, bool) else tuple(_words.several(setup.candidates))
        features = tuple(_words.several(features))
        self.setup = setup = replace(setup, features=features, candidates=candidates)
        self.core = core = setup.core(tables)
        names = [name for name, *_ in core.shown]
        order = [names.index(name) for name in features]
        #: The order in which features are observed, if it is not the game's.
        self._order = order if order != sorted(order) else None
        #: Row by row a table: 1 where an action is legal.
        self.mask: Any = array(core.mask)
        #: The same as bits within the kind; 0 where the game is over.
        self.legal: Any = array(core.legal)
        self.seat: Any = array(core.seat)
        self.trial: Any = array(core.trial)
        self.state: Any = array(core.state)
        #: Name, meaning, least and greatest value of each number that is observed.
        self.columns = [*core.shown_variables, *(core.shown[at] for at in order)]
        self._variables: Any = array(core.variables)
        self._features: Any = array(core.features).T
        parts = [part for part in (self._variables, self._features) if part.shape[1]]
        #: What is observed as it lies there; `None` if it is put together for every step.
        self._join = numpy.concatenate
        self._observed = None if self._order or len(parts) > 1 else (parts or [self._features])[0]
        #: A row a table, in it a row an action, and a column for what may be read of each: 0 where it is not legal.
        self.candidates: Any = array(core.candidates)
        self.actions: Any = array(core.actions)
        #: A row a seat.
        self.rewards: Any = array(core.rewards)
        self.ended: Any = array(core.ended)
        self.scores: Any = array(core.scores)
        self.ending: Any = array(core.ending)
        #: How games end, by their numbers in `ending`.
        self.endings: Any = array(core.endings, object)
        #: The kinds of decision: name, meaning, first action, number of actions.
        self.decisions = core.decisions
        _, _, first, count = self.decisions[-1]
        #: How many actions there are.
        self.action_count = first + count
        #: What the columns of `candidates` are.
        self.candidate_names: tuple[str, ...] = tuple(name for name, *_ in core.shown_of_candidates)
        self.seed = seed

    def __reduce__(self) -> Any:
        return _restored, (self.setup, len(self.mask), self.seed, self.core.taken())

    @property
    def observed(self) -> Any:
        """A row a table, a column a number that is observed: variables, then features."""
        if self._observed is not None:
            return self._observed
        features = self._features[:, self._order] if self._order else self._features
        return self._join((self._variables, features), 1)

    @property
    def feature_names(self) -> tuple[str, ...]:
        return tuple(name for name, *_ in self.columns)

    @property
    def action_names(self) -> tuple[str, ...]:
        """What each action is called, with its kind of decision; with its number there if its name is not always the same."""
        kinds = zip((kind for kind, *_ in self.decisions), self.core.action_names)
        return tuple(
            f"{kind} {at}" if name is None else f"{kind}: {name}" for kind, names in kinds for at, name in enumerate(names)
        )

    @property
    def bounds(self) -> tuple[list[float], list[float]]:
        """The least and the greatest value of each number that is observed."""
        return [low for _, _, low, _ in self.columns], [high for _, _, _, high in self.columns]

    @property
    def candidate_bounds(self) -> tuple[list[float], list[float]]:
        """The least and the greatest value of what is shown of candidates."""
        shown = self.core.shown_of_candidates
        return [low for _, _, low, _ in shown], [high for _, _, _, high in shown]

    def reset(self, seed: int, first: int) -> None:
        """Game `first` + i of a seed begins at table i."""
        self._told(self.core.reset, seed, first)
        self.seed = seed

    def renew(self, tables: list[int]) -> None:
        """The next games of some tables begin."""
        self._told(self.core.renew, self.seed, tables)

    def step(self, renewal: int) -> None:
        """Follows `actions`."""
        self._told(self.core.step, renewal)

    def _told(self, call: Callable[..., None], *arguments: Any) -> None:
        try:
            call(*arguments)
        except ValueError as error:
            game = os.fspath(self.setup.game)
            raise InputError(str(error), game="game.game" if "\n" in game else game) from None

    def within(self, action: int) -> int:
        """The number of an action among those of its kind."""
        return next(action - first for _, _, first, _ in reversed(self.decisions) if action >= first)

    def check_taken(self, trial: int, actions: Iterable[object]) -> list[int]:
        """These actions, if they are legal one after the other in this trial."""
        taken: list[int] = []
        for action in actions:
            number = whole_number(action)
            if number is None or not 0 <= number < self.action_count:
                raise InputError(f"actions: {action!r} is no action; they are the numbers 0 to {self.action_count - 1}")
            taken.append(number)
        # The answers that are told are numbers within their kinds, and these say of which kind they are.
        try:
            self.setup.core(1).take(self.seed, [(trial, taken)])
        except ValueError as error:
            raise InputError(str(error).replace(f"table 0 (trial {trial}): ", f"actions: in trial {trial}, ")) from None
        return taken

    def replay(self, trial: int, given: list[tuple[str, list[int]]]) -> Replay:
        """Tells a game in which each seat that is asked, or the one that there is, did this."""
        lineup: list[Any] = [(name, [self.within(int(action)) for action in actions]) for name, actions in given]
        others = self.setup.others()
        if others:
            others = others if len(others) > 1 else others * (self.core.seats - 1)
            lineup = [*others[: self.core.own_seat], *lineup, *others[self.core.own_seat :]]
        setup = self.setup
        return _commands.replay_given(
            setup.game, lineup, trial=trial, rules=setup.rules, set=setup.set, seed=self.seed
        )

    def render(self, table: int = 0) -> str:
        """What lies where, in words, and what may be done."""
        lines = [f"{name}: {what}" for name, what in self.core.places(table)]
        legal = ", ".join(f"{action} {name}" for action, name in self.core.legal_actions(table))
        return "\n".join([*lines, f"to choose: {legal}" if legal else "the game is over"])


def _restored(setup: Setup, count: int, seed: int, taken: list[tuple[int, list[int]]] | None) -> Tables:
    """Tables at which these trials of a seed were begun and these actions taken in them."""
    tables = Tables(setup, count, seed)
    if taken is not None:
        tables.core.take(seed, taken)
    return tables


def drawn(seed: int | None) -> int:
    """The seed, or for `None` one that nobody has chosen."""
    return int(str(_words.seed(seed))) if seed is None else check_seed(seed)


def check_seed(seed: object, what: str = "seed") -> int:
    number = whole_number(seed)
    if number is None or not 0 <= number < 2**64:
        raise InputError(f"{what} {seed!r}: write a whole number from 0 to 2**64 - 1")
    return number


def whole_number(value: object) -> int | None:
    """A whole number of Python or NumPy, or yes or no."""
    try:
        return operator.index(_words.native(value))  # type: ignore[arg-type]
    except TypeError:
        return None
