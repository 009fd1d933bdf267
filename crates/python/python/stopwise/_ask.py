"""Asking the program."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any, Union

from stopwise import _core, _policies
from stopwise._arguments import of_arguments
from stopwise._errors import Error, InputError
from stopwise._result import Interrupted
from stopwise._words import Words

#: What is shown while games are played: `None` for what suits, which is a line on a terminal and in a notebook, and elsewhere
#: nothing; nothing or always, which is elsewhere a line on stderr in five seconds; or a function that is called with every line, and with an empty one at the end.
Progress = Union[bool, Callable[[str], object], None]

#: Who is asked in place of this process: set by `stopwise.cluster` around a command.
elsewhere: ContextVar[Callable[[Words, Progress], _core.Found] | None] = ContextVar("elsewhere", default=None)

#: Nothing is shown of what takes no longer, in seconds.
_PATIENCE = 1.0

#: Lines that stay are as far apart, in seconds.
_PAUSE = 5.0


def ask(words: Words, progress: Progress) -> _core.Found:
    """What the program finds; if it finds nothing, this raises."""
    asked = elsewhere.get()
    found = _found(words, progress) if asked is None else asked(words, progress)
    return checked(found, words.arguments, words.game[0] if words.game else None)


def _found(words: Words, progress: Progress) -> _core.Found:
    shown = Shown(progress)
    show = shown.show if shown.is_wanted else None
    try:
        given = [(word, *one) for word, one in words.given.items()]
        return _core.ask(words.whole(), words.texts, show, _functions(words), given)
    finally:
        shown.end()


def checked(found: _core.Found, arguments: Mapping[str, object], game: str | None = None) -> _core.Found:
    """The same, if anything was found, or else this raises: of these arguments where the program speaks of its options, and of
    this game where its rules could not go on."""
    if found.refused is None:
        return found
    kind, message, mistakes = found.refused
    # Functions that are asked no longer are told as a failure of the policy.
    if kind == "interrupted" or found.stopped:
        raise KeyboardInterrupt(message)
    if kind == "input":
        # Of a word that is none the program says more: how to ask for help.
        message = message.removeprefix("error: ").split("\n\nFor more information")[0].rstrip("\n")
        raise InputError(of_arguments(message, arguments), mistakes, game)
    raise Error(message)


def _functions(words: Words) -> list[tuple[str, str, Callable[[_core.Questions], None]]]:
    """Functions as the program calls them."""
    if not words.functions:
        return []
    tables = tables_of(words, 1)
    functions = words.functions.items()
    return [(word, name, _policies.asker(name, function, tables)) for word, (name, function) in functions]


def tables_of(words: Words, tables: int, **shown: Any) -> _core.Tables:
    """Tables of the game that words name; `shown` are the further arguments of `_core.Tables`."""
    if words.game is None:
        raise InputError(f"{words.words[0]} plays no policies in Python")
    game, rules, changed = words.game
    try:
        return _core.Tables(game, rules, changed, words.texts, tables, **shown)
    except ValueError as error:
        message, mistakes = error.args if len(error.args) == 2 else (str(error), [])
        raise InputError(of_arguments(message, words.arguments), mistakes) from None


def warn(found: _core.Found, result: Any, depth: int = 1) -> None:
    """Says that Ctrl-C came, if it did, in the name of whoever called the function that calls this, or one so much deeper."""
    if found.stopped:
        message = getattr(result, "interrupted", None) or "interrupted, but the result was complete"
        # Who asks elsewhere is called through another function.
        around = elsewhere.get() is not None
        warnings.warn(Interrupted(message, result), stacklevel=depth + 2 + around)


class Shown:
    """A line that is written over and over: on a terminal, in a notebook, or by a function."""

    def __init__(self, progress: Progress) -> None:
        self._begun = time.monotonic()
        self._patience = _PATIENCE
        self._said = False
        self._say: Callable[[str], object] | None = None
        if progress not in (None, True, False) and not callable(progress):
            raise InputError(f"progress {progress!r}: write True, False, or a function that is called with every line")
        if callable(progress):
            self._say, self._patience = progress, 0.0
        elif progress is not False:
            # Nobody watches a file or a pipe, but a line now and then tells that it goes on.
            elsewhere = _now_and_then() if progress else None
            self._say = _notebook() or (_terminal if sys.stderr.isatty() else elsewhere)

    @property
    def is_wanted(self) -> bool:
        return self._say is not None

    def show(self, line: str) -> None:
        if self._say and line and time.monotonic() - self._begun >= self._patience:
            self._said = True
            self._say(line)

    def end(self) -> None:
        if self._say and self._said:
            self._say("")


def _terminal(line: str) -> None:
    sys.stderr.write(f"\r{line}\x1b[K")
    sys.stderr.flush()


def _now_and_then() -> Callable[[str], object]:
    """Writes lines that stay, the first at once, and then one in five seconds."""
    last = -_PAUSE

    def say(line: str) -> None:
        nonlocal last
        if line and time.monotonic() - last >= _PAUSE:
            last = time.monotonic()
            sys.stderr.write(" ".join(line.split()) + "\n")
            sys.stderr.flush()

    return say


def _notebook() -> Callable[[str], object] | None:
    """Writes into the output of a cell, if this is a notebook's."""
    ipython: Any = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    # That of a terminal has none.
    if shell is None or not hasattr(shell, "kernel"):
        return None
    display: Any = ipython.display.display
    handle: list[Any] = []

    def say(line: str) -> None:
        bundle = {"text/plain": line}
        if handle:
            handle[0].update(bundle, raw=True)
        else:
            handle.append(display(bundle, raw=True, display_id=True))

    return say
