"""What can go wrong."""

from __future__ import annotations

import re

_PLACE = re.compile(r"^ *--> (?P<file>.+):(?P<line>\d+):(?P<column>\d+)$", re.MULTILINE)
#: Where the rules of a game that is a text could not go on.
_IN_A_TRIAL = re.compile(r"^trial \d+: line (?P<line>\d+), column (?P<column>\d+): ")


class Error(RuntimeError):
    """Something that the caller could not know: a full disk, no memory, a call under way. The program's exit code 1."""

    # As its users name it.
    __module__ = "stopwise"


class InputError(ValueError):
    """An argument or a text that is wrong; the message says what to change. The program's exit code 2, in its words.

    >>> import stopwise
    >>> try:
    ...     stopwise.simulate("pig", 'game = "pig"\\nname = "mine"\\nstop = "turn_totl >= 20"')
    ... except stopwise.InputError as error:
    ...     print(error)
    ...     print(error.file, error.line, error.column)
    unknown name `turn_totl`
     --> policy.toml:3:9
      |
    3 | stop = "turn_totl >= 20"
      |         ^^^^^^^^^
      = help: did you mean `turn_total`?
    policy.toml 3 9
    """

    # As its users name it.
    __module__ = "stopwise"

    #: The file that is wrong, or the name that a text was given: `policy.toml`, `policy-2.toml`, `rules.toml`, `targets.toml`,
    #: `game.game`.
    file: str | None
    #: From 1.
    line: int | None
    #: From 1, in characters.
    column: int | None

    def __init__(self, message: str, game: str | None = None) -> None:
        super().__init__(message)
        place = _PLACE.search(message)
        self.file = place["file"] if place else None
        if not place and (place := _IN_A_TRIAL.match(message)):
            self.file = game
        self.line = int(place["line"]) if place else None
        self.column = int(place["column"]) if place else None
