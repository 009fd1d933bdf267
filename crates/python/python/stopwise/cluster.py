"""The commands that play many games, on a Ray cluster: the same arguments, the same bytes.

    import stopwise.cluster
    result = stopwise.cluster.simulate("carbonite", "second-tree", trials="10G")

A Ray that is initialised is used, or else the one that runs on this machine (`ray start`), or else one is started here. Every
node needs the same version of stopwise. See the page on clusters (docs/clusters.md).
"""

from __future__ import annotations

import functools
import itertools
import os
import time
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar

from stopwise import _ask, _commands, _core
from stopwise._errors import Error, InputError
from stopwise._words import Words

__all__ = ["balance", "compare", "rank", "simulate", "sweep"]

_P = ParamSpec("_P")
_R = TypeVar("_R")

#: Parts for every CPU of the cluster, at most: that a last part is still played while others idle costs a 64th at most. Of many
#: CPUs each has fewer, but a few.
_PARTS, _MANY, _FEW = 64, 20_000, 4
#: No part takes less, in seconds, or less than this many times what it takes to begin one.
_SHORTEST, _WORTH = 1.0, 25
#: Parts that are played or wait for a CPU, for every CPU.
_AHEAD = 3
#: Parts that are merged at once.
_MERGED = 8
#: A piece of a leg takes no less, in seconds.
_PIECE = 0.05
#: How long Ctrl-C and lines of progress may lie, in seconds.
_SLICE = 0.2
#: The most parts that a run can have.
_MOST = 1_000_000

#: What a cluster does not do: options, and why.
_REFUSED = {
    "trials-out": "the rows of single games are not brought together; play parts with --shard and --trials-out, and merge them",
    "resume": "a run on a cluster leaves no check points; leave resume out",
    "shard": "a cluster cuts a run into parts itself; leave shard out",
    "budget": "time on a cluster says little about games; use trials or stop_after",
}
#: Options of this machine alone.
_HERE = ("out", "force", "threads")


def _on_ray(command: Callable[_P, _R]) -> Callable[[Callable[..., object]], Callable[_P, _R]]:
    """The same command, with all of its arguments, on a cluster."""

    def of(described: Callable[..., object]) -> Callable[_P, _R]:
        @functools.wraps(command)
        def played(*args: _P.args, **kwargs: _P.kwargs) -> _R:
            asked = _ask.elsewhere.set(_found)
            try:
                return command(*args, **kwargs)
            finally:
                _ask.elsewhere.reset(asked)

        played.__doc__, played.__module__ = described.__doc__, __name__
        return played

    return of


@_on_ray(_commands.simulate)
def simulate() -> None:
    """`stopwise.simulate` on a Ray cluster: the same arguments but `trials_out`, `resume` and `budget`, and the same result."""


@_on_ray(_commands.compare)
def compare() -> None:
    """`stopwise.compare` on a Ray cluster: the same arguments but `resume` and `budget`, and the same result."""


@_on_ray(_commands.rank)
def rank() -> None:
    """`stopwise.rank` on a Ray cluster: the same arguments but `resume`, and the same result."""


@_on_ray(_commands.sweep)
def sweep() -> None:
    """`stopwise.sweep` on a Ray cluster: the same arguments but `resume`, and the same result."""


@_on_ray(_commands.balance)
def balance() -> None:
    """`stopwise.balance` on a Ray cluster: the same arguments but `resume`, and the same result."""


def _found(words: Words, progress: _ask.Progress) -> _core.Found:
    """What a command line finds on the cluster."""
    for name, why in _REFUSED.items():
        if _options(words, name):
            raise InputError(f"{name.replace('-', '_')}: {why}")
    if words.functions:
        raise InputError("policy: a function stays in this process; on a cluster policies are names, files or texts")
    plan = Words(*(word for word in words.words if not _is_of(word, _HERE)))
    plan.texts, plan.operands = words.texts, words.operands
    ray = _ray()
    shown = _ask.Shown(progress)
    try:
        # While the pilot plays, workers start on all nodes; one of another version is found out.
        check = _task(ray, _check)
        checks = [check.remote(_core.version()) for _ in range(_cpus(ray))]
        pilot = _Pilot.of(plan)
        del checks
        if pilot is None or pilot.is_slow_to_begin(_cpus(ray)):
            return _Rounds(ray, plan, shown).found(words)
        whole = _Parts(ray, plan, pilot, shown).whole()
    finally:
        shown.end()
    merge = Words("merge").operand("whole")
    merge.words += _options(words, "out") + _options(words, "force")
    return _core.ask(merge.whole(), {"whole": whole})


def _ray() -> Any:
    try:
        import ray  # type: ignore[import-not-found,unused-ignore]  # pyright: ignore[reportMissingImports, reportMissingTypeStubs]
    except ImportError:
        raise InputError("stopwise.cluster needs Ray: install it on every node (pip install ray)") from None
    if not ray.is_initialized():
        try:
            ray.init(address="auto", log_to_driver=False)
        except ConnectionError:
            ray.init(log_to_driver=False)
    return ray


def _cpus(ray: Any) -> int:
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


class _Pilot:
    """What is known of a run before it is cut: its files, and how long it takes."""

    def __init__(self, texts: dict[str, str], seconds: float, begin: float) -> None:
        #: The files that it reads, by their paths.
        self.texts = texts
        #: How long one thread plays it, and how long it takes to begin.
        self.seconds, self.begin = seconds, begin

    @staticmethod
    def of(plan: Words) -> _Pilot | None:
        """Plays a little of it here; `None` if it cannot be cut, because it looks at its trials."""
        of, took, texts = _MOST, [0.0, 0.0], dict(plan.texts)
        while of > 1:
            begun = time.perf_counter()
            found = _core.ask(_part(plan, 1, of), texts)
            if found.refused and found.refused[1].startswith(f"--shard 1/{of}:"):
                return None
            _text(found)
            if of == _MOST:
                texts |= found.texts
            took = [took[0] or time.perf_counter() - begun, time.perf_counter() - begun]
            if took[1] > 2 * took[0] + 0.05:
                break
            of //= 4
        played = max(took[1] - took[0], 0.0)
        return _Pilot(texts, played * max(of, 1), took[0])

    def is_slow_to_begin(self, cpus: int) -> bool:
        """Whether every part would play so much of its own, such as a search, that it is better played once."""
        return self.begin > _SHORTEST and self.begin * _WORTH * cpus > self.seconds

    def parts(self, cpus: int) -> int:
        """How many parts keep so many CPUs busy."""
        shortest = max(_SHORTEST, _WORTH * self.begin)
        parts = max(1, min(max(min(cpus * _PARTS, _MANY), cpus * _FEW), int(self.seconds / shortest), _MOST))
        # The same number for every CPU.
        return parts if parts < cpus else parts // cpus * cpus


class _Parts:
    """A run that is cut into parts, each a task, and merged in tasks as they arrive."""

    def __init__(self, ray: Any, plan: Words, pilot: _Pilot, shown: _ask.Shown) -> None:
        self._ray, self._shown = ray, shown
        self._words = plan
        self._parts = pilot.parts(_cpus(ray))
        self._texts = ray.put(pilot.texts)
        self._play, self._merge = _task(ray, _play_part), _task(ray, _merge_parts)

    def whole(self) -> str:
        """All of it."""
        ray = self._ray
        version, numbers = _core.version(), iter(range(1, self._parts + 1))
        playing: set[Any] = set()
        merging: set[Any] = set()
        merged: list[Any] = []
        done = 0
        try:
            while True:
                # Nodes come and go.
                for number in itertools.islice(numbers, max(0, _AHEAD * _cpus(ray) - len(playing))):
                    words = _part(self._words, number, self._parts)
                    playing.add(self._play.remote(version, words, self._texts))
                if not playing and not merging and len(merged) == 1:
                    text: str = ray.get(merged[0])
                    return text
                waiting = [*playing, *merging]
                ready, _ = ray.wait(waiting, num_returns=1, timeout=_SLICE, fetch_local=False)
                if ready:
                    more, _ = ray.wait(waiting, num_returns=len(waiting), timeout=0, fetch_local=False)
                    ready = list({*ready, *more})
                done += sum(part in playing for part in ready)
                playing.difference_update(ready)
                merging.difference_update(ready)
                merged += ready
                is_end = not playing and not merging
                while len(merged) >= _MERGED or (is_end and len(merged) > 1):
                    merging.add(self._merge.remote(version, *merged[:_MERGED]))
                    del merged[:_MERGED]
                self._shown.show(f"{done:,} of {self._parts:,} parts")
        except BaseException as error:
            _cancel(ray, [*playing, *merging])
            raise _cause(ray, error) from None


class _Rounds:
    """A run that looks at its trials: each leg is cut into pieces, each a task, and the next leg waits for all."""

    def __init__(self, ray: Any, plan: Words, shown: _ask.Shown) -> None:
        self._ray, self._shown, self._plan = ray, shown, plan
        self._play = _task(ray, _play_piece)
        # How long a trial took in the last leg of a stage, and in the last of all, in seconds.
        self._rates: dict[str, float] = {}
        self._rate = 0.0
        self._texts: Any = None
        self._raised: BaseException | None = None

    def found(self, words: Words) -> _core.Found:
        """What the command finds."""
        found = _core.ask(words.whole(), words.texts, players=self._players)
        if self._raised and not found.stopped:
            raise _cause(self._ray, self._raised) from None
        # Between two rounds the program gives those before, and within one nothing: what Ctrl-C does must not hang on its moment.
        if found.stopped and found.interrupted:
            raise KeyboardInterrupt
        return found

    def _players(self, wanted: _core.Wanted) -> str:
        try:
            return self._leg(wanted)
        except BaseException as error:
            self._raised = error
            raise

    def _leg(self, wanted: _core.Wanted) -> str:
        ray, stage, first, end = self._ray, wanted.stage, wanted.first, wanted.end
        if self._texts is None:
            self._texts = ray.put({**self._plan.texts, **wanted.texts})
        rate = self._rates.get(stage, self._rate)
        worth = int(rate * (end - first) / _PIECE) if rate else end - first
        pieces = max(1, min(_cpus(ray), worth, end - first))
        ends = [first + (end - first) * piece // pieces for piece in range(pieces + 1)]
        version, words, so_far = _core.version(), _alone(self._plan), ray.put(wanted.known)
        tasks = [
            self._play.remote(version, words, self._texts, stage, *piece, so_far) for piece in zip(ends, ends[1:])
        ]
        waiting = tasks
        try:
            while waiting:
                self._shown.show(f"{stage}: games {first:,} to {end:,}, {pieces - len(waiting)} of {pieces} pieces")
                _, waiting = ray.wait(waiting, num_returns=len(waiting), timeout=_SLICE, fetch_local=False)
                if wanted.is_ending():
                    raise KeyboardInterrupt
            lines, took = zip(*ray.get(tasks))
        except BaseException:
            _cancel(ray, waiting)
            raise
        self._rate = self._rates[stage] = sum(took) / (end - first)
        return "".join(lines)


def _task(ray: Any, function: Callable[..., Any]) -> Any:
    """A task on one CPU. If its node dies it is played again, however often; what it raises is raised."""
    return ray.remote(num_cpus=1, max_retries=-1, retry_exceptions=False)(function)


def _cancel(ray: Any, tasks: Sequence[Any]) -> None:
    for task in tasks:
        ray.cancel(task)


def _cause(ray: Any, error: BaseException) -> BaseException:
    """What a task has raised, without its traceback on another node."""
    cause = getattr(error, "cause", None)
    return cause if isinstance(error, ray.exceptions.RayTaskError) and isinstance(cause, Exception) else error


# What follows is done by tasks.


def _play_part(version: str, words: list[str], texts: dict[str, str]) -> str:
    _check(version)
    return _text(_core.ask(words, texts))


def _merge_parts(version: str, *parts: str) -> str:
    _check(version)
    return _core.merge_shards(parts)


def _play_piece(
    version: str, words: list[str], texts: dict[str, str], stage: str, first: int, end: int, known: str
) -> tuple[str, float]:
    """The line of some trials, and how long they took, in seconds."""
    _check(version)
    begun = time.perf_counter()
    line = _text(_core.ask(words, texts, only=(stage, first, end, known)))
    return line, time.perf_counter() - begun


def _check(version: str) -> None:
    if _core.version() != version:
        raise Error(
            f"the node {os.uname().nodename} has stopwise {_core.version()}, and the driver {version}: "
            "install the same version on all nodes"
        )


def _text(found: _core.Found) -> str:
    return _ask.checked(found, {}).text


def _part(plan: Words, number: int, of: int) -> list[str]:
    return _alone(plan, f"--shard={number}/{of}")


def _alone(plan: Words, *more: str) -> list[str]:
    """The words for one thread."""
    return [plan.words[0], "--threads=1", *more, *plan.whole()[1:]]


def _is_of(word: str, names: Sequence[str]) -> bool:
    return any(word == f"--{name}" or word.startswith(f"--{name}=") for name in names)


def _options(words: Words, name: str) -> list[str]:
    return [word for word in words.words if _is_of(word, [name])]
