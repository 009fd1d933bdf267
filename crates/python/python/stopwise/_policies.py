"""Policies that are functions of Python: many questions in, as many actions out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from stopwise import _core
from stopwise._errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def numpy(what: str) -> Any:
    """NumPy, or an error that says how to get it."""
    try:
        import numpy
    except ImportError as error:
        raise ImportError(f"{what} need NumPy: pip install numpy") from error
    return numpy


class Batch:
    """Questions, one a row: what a policy in Python is called with.

    It answers with an array of whole numbers, an action a row: for a question of yes or no 0 or 1, otherwise the number of what is
    taken, as `legal` counts them. An answer may depend on its own row alone, or results would depend on which questions come
    together. All arrays are the policy's own: it may keep them, and write into them.

    >>> import stopwise
    >>> def hold(batch: stopwise.Batch):
    ...     features = batch.features
    ...     return (features["turn_total"] >= 20) | (features["score_if_stopped"] >= features["goal"])
    >>> stopwise.simulate("pig", hold, rules="solo", trials=10_000).summary[0].mean
    12.5852
    """

    # As its users name it.
    __module__ = "stopwise"

    def __init__(
        self,
        asked: _core.Questions,
        feature_names: tuple[str, ...],
        action_names: Mapping[str, tuple[str | None, ...]],
    ) -> None:
        self._asked = asked
        self._array = numpy("policies in Python").asarray
        #: What the kinds of decision are called, in the order of their numbers.
        self.kind_names: tuple[str, ...] = tuple(action_names)
        #: For every kind of decision what its actions are called, in the order of their numbers; `None` where the name of an
        #: action is not always the same.
        self.action_names = action_names
        #: The features by their names, as `stopwise.features` lists them: numbers of 64 bits, a row each.
        self.features: Mapping[str, NDArray[np.float64]] = _Features(asked, feature_names, self._array)
        #: What may be read of candidates, by its name, as `stopwise.features` lists it under predicates and numbers: an array
        #: with a row a question and a column an action; 0 where an action is not legal, or a candidate has no such thing.
        self.candidates: Mapping[str, NDArray[np.float64]] = _Candidates(asked, self._array)
        #: The legal actions as bits, of which there are two or more.
        self.legal: NDArray[np.uint64] = self._array(asked.legal)

    def __len__(self) -> int:
        return len(self.legal)

    def __repr__(self) -> str:
        return f"<stopwise.Batch: {len(self)} questions ({', '.join(self.kind_names)}) with the features {', '.join(self.features)}>"

    @property
    def state(self) -> NDArray[np.float32]:
        """The variables of the states, of a game that is a text, as environments show them with `observe="state"`: a row a question."""
        return self._array(self._variables[1])  # type: ignore[no-any-return]

    @property
    def state_names(self) -> tuple[str, ...]:
        """What the columns of `state` are."""
        return tuple(self._variables[0])

    @cached_property
    def _variables(self) -> tuple[list[str], _core.Column]:
        told = self._asked.state()
        if told is None:
            raise InputError("state: this game is not written as a text, and does not tell its variables; read features")
        return told

    @property
    def seat(self) -> NDArray[np.uint8]:
        """Who decides, from 0."""
        return self._array(self._asked.seats)  # type: ignore[no-any-return]

    @property
    def kind(self) -> NDArray[np.uint8]:
        """What is decided, by its place among `kind_names`."""
        return self._array(self._asked.kinds)  # type: ignore[no-any-return]

    @property
    def first_action(self) -> NDArray[np.int64]:
        """The number that the first action of what is decided has in environments, where those of all kinds are numbered together."""
        before = numpy("policies in Python").cumsum([0, *map(len, self.action_names.values())])
        return before[self.kind]  # type: ignore[no-any-return]

    @property
    def trial(self) -> NDArray[np.uint64]:
        """The number of the game. Who wants to decide at random hashes it with what is shown."""
        return self._array(self._asked.trials)  # type: ignore[no-any-return]

    @property
    def action_mask(self) -> NDArray[np.bool_]:
        """Where actions are legal: a row a question, a column an action, as in `candidates`."""
        arrays = numpy("policies in Python")
        numbers = arrays.arange(self._asked.most_actions, dtype=arrays.uint64)
        is_legal: NDArray[np.bool_] = (self.legal[:, None] >> numbers) & arrays.uint64(1) == 1
        return is_legal

    def can(self, action: int | str) -> NDArray[np.bool_]:
        """Where an action of this number, or of this name, such as `"small red"`, is legal.

        A number counts among the actions of whatever is decided; a name is that of an action in every kind of decision that has
        it: see `action_names`.
        """
        arrays = numpy("policies in Python")
        if not isinstance(action, str):
            word = arrays.uint64
            is_legal: NDArray[np.bool_] = (self.legal >> word(action)) & word(1) == 1
            return is_legal
        places = [names.index(action) if action in names else None for names in self.action_names.values()]
        if places.count(None) == len(places):
            known = dict.fromkeys(name for names in self.action_names.values() for name in names if name is not None)
            raise KeyError(f"no action {action!r}; there are: {', '.join(known)}")
        bits = arrays.array([0 if place is None else 1 << place for place in places], arrays.uint64)
        is_named: NDArray[np.bool_] = self.legal & bits[self.kind] != 0
        return is_named

    def decides(self, kind: str) -> NDArray[np.bool_]:
        """Where this is decided, such as `"stop"`."""
        if kind not in self.kind_names:
            raise KeyError(f"no decision {kind!r}; there are: {', '.join(self.kind_names)}")
        is_asked: NDArray[np.bool_] = self.kind == self.kind_names.index(kind)
        return is_asked


class _Features(Mapping[str, Any]):
    def __init__(self, asked: _core.Questions, names: tuple[str, ...], array: Callable[[object], Any]) -> None:
        self._names = names
        self._rows = array(asked.features)

    def __getitem__(self, name: str) -> Any:
        try:
            return self._rows[self._names.index(name)]
        except ValueError:
            raise KeyError(f"no feature {name!r}; there are: {', '.join(self._names)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class _Candidates(Mapping[str, Any]):
    """Read when they are asked for: most policies do not."""

    def __init__(self, asked: _core.Questions, array: Callable[[object], Any]) -> None:
        self._asked, self._array = asked, array
        self._names = tuple(asked.candidate_names)

    def __getitem__(self, name: str) -> Any:
        try:
            place = self._names.index(name)
        except ValueError:
            known = f"there are: {', '.join(self._names)}" if self._names else "this game tells nothing of candidates"
            raise KeyError(f"nothing is called {name!r} of a candidate; {known}") from None
        return self._array(self._asked.candidates(place))

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


#: A policy in Python.
Function = Callable[[Batch], Any]


def asker(name: str, function: Function, tables: _core.Tables) -> Callable[[_core.Questions], None]:
    """The function as the program calls it."""
    np = numpy("policies in Python")
    features = tuple(one[0] for one in tables.shown)
    kinds = (one[0] for one in tables.decisions)
    actions = {kind: tuple(names) for kind, names in zip(kinds, tables.action_names)}

    def ask(asked: _core.Questions) -> None:
        batch = Batch(asked, features, actions)
        answers = np.asarray(function(batch))
        if answers.shape != (len(batch),):
            raise InputError(
                f"the policy {name} answered {len(batch)} questions with an array of shape {answers.shape}; return an action for "
                f"each, of shape ({len(batch)},)"
            )
        if answers.dtype.kind not in "biu":
            raise InputError(f"the policy {name} answered with numbers of type {answers.dtype}; return whole numbers")
        np.copyto(np.asarray(asked.actions), answers, casting="unsafe")

    return ask


def called(function: Function) -> str:
    """What a function is called in results."""
    return clean(getattr(function, "__name__", None) or type(function).__name__)


def clean(name: str) -> str:
    """A name as results may have it."""
    return re.sub(r"[^\w-]+", "-", name).strip("-") or "function"
