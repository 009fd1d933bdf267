"""What can go wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

#: Where the rules of a game that is a text could not go on.
_IN_A_TRIAL = re.compile(r"^trial \d+: line (?P<line>\d+), column (?P<column>\d+): ")


class Error(RuntimeError):
    """Something that the caller could not know: a full disk, no memory, a call under way. The program's exit code 1."""

    # As its users name it.
    __module__ = "stopwise"


class Mistake(NamedTuple):
    """A mistake in a text."""

    #: The file, or the name that a text was given: `policy.toml`, `policy-2.toml`, `rules.toml`, `targets.toml`, `game.game`.
    file: str
    #: From 1; `None` of what is wrong with the text as a whole.
    line: int | None
    #: From 1, in characters.
    column: int | None
    #: What is wrong.
    message: str
    #: What to write instead.
    help: str | None


class InputError(ValueError):
    """An argument or a text that is wrong; the message says what to change. The program's exit code 2, in its words.

    >>> import stopwise
    >>> try:
    ...     stopwise.simulate("pig", 'game = "pig"\\nname = "mine"\\nstop = "turn_totl >= 20"')
    ... except stopwise.InputError as error:
    ...     print(error)
    ...     print(error.file, error.line, error.column)
    ...     print(error.mistakes[0].help)
    unknown name `turn_totl`
     --> policy.toml:3:9
      |
    3 | stop = "turn_totl >= 20"
      |         ^^^^^^^^^
      = help: did you mean `turn_total`?
    policy.toml 3 9
    did you mean `turn_total`?
    """

    # As its users name it.
    __module__ = "stopwise"

    #: All mistakes in texts, in their order; none where something else is wrong.
    mistakes: list[Mistake]
    #: The file of the first, or of the game whose rules could not go on.
    file: str | None
    #: The place there.
    line: int | None
    column: int | None

    def __init__(
        self,
        message: str,
        mistakes: Iterable[tuple[str, int | None, int | None, str, str | None]] = (),
        game: str | None = None,
    ) -> None:
        super().__init__(message)
        self.mistakes = [Mistake(*mistake) for mistake in mistakes]
        self.file, self.line, self.column = self.mistakes[0][:3] if self.mistakes else (None, None, None)
        if not self.mistakes and (place := _IN_A_TRIAL.match(message)):
            self.file, self.line, self.column = game, int(place["line"]), int(place["column"])
