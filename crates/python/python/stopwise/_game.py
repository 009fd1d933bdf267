"""Games that are texts."""

from __future__ import annotations

import os
import pathlib

from stopwise import _errors


class Game(str):
    """A game that is a text, from a file, or as it is; it stands wherever a game's name does.

    >>> import stopwise
    >>> text = stopwise.Game('''game coin "Heads count one, tails lose the turn"
    ... die coin = heads, tails
    ... player score = 0 in 0..10
    ... turn
    ...   let points = 0 in 0..10
    ...   repeat
    ...     roll side = coin
    ...     if side == tails: bust
    ...     points = min(points + 1, 10 - score)
    ...     ask stop
    ...       score += points
    ...       end turn
    ... end goal when score == 10
    ... alone least turns
    ... ''')
    >>> text.name
    'coin'
    >>> once = {"game": "coin", "name": "once", "summary": "One at a time.", "stop": "points >= 1"}
    >>> 19 < stopwise.simulate(text, once, trials=2000).summary[0].mean < 21
    True

    Args:
        game: A path, or a text, which has a line break.

    Raises:
        InputError: If the file cannot be read.
    """

    def __new__(cls, game: str | os.PathLike[str]) -> Game:
        if isinstance(game, str) and "\n" in game:
            return super().__new__(cls, game)
        try:
            return super().__new__(cls, pathlib.Path(game).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise _errors.InputError(f"cannot read `{os.fspath(game)}`: {error}") from None

    def __repr__(self) -> str:
        first, *others = self.splitlines() or [""]
        return f"<stopwise.Game: {first} … {len(others)} more lines>"

    @property
    def name(self) -> str:
        """Its name, as policies have it."""
        words = self.split(maxsplit=2)
        return words[1] if len(words) > 1 and words[0] == "game" else ""
