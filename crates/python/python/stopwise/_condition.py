"""Conditions that are tables of answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from stopwise._errors import InputError
from stopwise._policies import numpy

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def condition(features: Sequence[str], table: ArrayLike, *, origin: Sequence[int] | None = None) -> str:
    """The condition of a policy that says yes where a table does, such as one that was learned.

    Runs of equal answers become ranges, so that tables whose answers change seldom are short; a policy holds 64 KiB.

    Args:
        features: The names of whole numbers, as `stopwise.features` lists them, one for each axis of the table; or expressions
            that are whole numbers, such as `"points / 50"`, which is rounded towards 0.
        table: Truth values, or 0 and 1. A feature has the value 0 at the beginning of its axis, then 1, and so on. Beyond its
            axis a feature is taken as if it were at the end of it: the table should have all values that the feature can have.
        origin: The values at the beginning of the axes, in place of 0.

    Raises:
        InputError: If the table has other axes, or other values.

    >>> import stopwise
    >>> stop = [[turn_total >= 20 or score + turn_total >= 100 for turn_total in range(101)] for score in range(100)]
    >>> text = {"game": "pig", "name": "learned", "stop": stopwise.condition(["score", "turn_total"], stop)}
    >>> pairs = stopwise.compare("pig", [text, "hold:n=20"], rules="solo", trials=1000)
    >>> pairs.comparison[0].identical_share
    1.0
    """
    np = numpy("tables of answers")
    if isinstance(features, str):
        raise InputError(f"features {features!r}: write a list with a name for each axis, [{features!r}]")
    try:
        answers = np.asarray(table)
    except ValueError:
        raise InputError("the rows of a table differ in length: write an answer for every value of every feature") from None
    if answers.ndim != len(features) or not len(features):
        raise InputError(f"a table of shape {answers.shape} for the features {list(features)}: write a name for each axis")
    if not np.isin(answers, (0, 1)).all():
        raise InputError("the answers of a table are truth values, or 0 and 1")
    origin = [0] * len(features) if origin is None else list(origin)
    if len(origin) != len(features):
        raise InputError(f"origin {origin}: write a number for each of the features {list(features)}")
    return " || ".join(_cases([_operand(name) for name in features], origin, answers == 1)) or "no"


def _operand(name: str) -> str:
    """A feature as it is compared: an expression in parentheses."""
    return name if re.fullmatch(r"\w+", name) else f"({name})"


def _cases(features: Sequence[str], origin: Sequence[int], answers: Any) -> Iterator[str]:
    """What has to hold, in cases: for each run of equal parts along the first axis its range, and what holds within."""
    (name, *others), (first, *firsts) = features, origin
    begin = 0
    for end in range(1, len(answers) + 1):
        if end < len(answers) and (answers[end] == answers[begin]).all():
            continue
        # At the edge of the table there is no bound.
        low = [f"{first + begin} <= {name}"] if begin else []
        high = [f"{name} < {first + end}"] if end < len(answers) else []
        here = [f"{name} == {first + begin}"] if begin and high and end == begin + 1 else [*low, *high]
        if answers[begin].any():
            within = "" if not others or answers[begin].all() else " || ".join(_cases(others, firsts, answers[begin]))
            parts = [*here, f"({within})" if here and " || " in within else within] if within else here
            yield " && ".join(parts) or "yes"
        begin = end
