"""A simulator for push-your-luck games: write down when to stop as a line of text, and read how good that is.

    >>> import stopwise
    >>> result = stopwise.simulate("pig", "hold:n=20", rules="solo", trials=100_000)
    >>> print(result.answer)
    hold:n=20: mean score 12.636 turns (95 %: 12.608 to 12.663); 60 % of the trials have 9 to 15.
    >>> result.summary[0].mean
    12.63551

The functions are the commands of the program `stopwise`, with its options as arguments of the same names, and give the same
numbers and the same bytes. Policies and rules are names, paths or texts. Results show themselves in a notebook, and their tables
are read by polars, pandas, pyarrow and DuckDB without copying.
"""

from stopwise._commands import (
    advise,
    ask,
    balance,
    compare,
    features,
    games,
    merge,
    policies,
    rank,
    replay,
    simulate,
    solve,
    stop,
    sweep,
)
from stopwise._condition import condition
from stopwise._core import __version__
from stopwise._errors import Error, InputError, Mistake
from stopwise._game import Game
from stopwise._policies import Batch
from stopwise._result import (
    Advice,
    Balance,
    Comparison,
    Interrupted,
    Ranking,
    Replay,
    Result,
    Simulation,
    Solution,
    Sweep,
    Text,
)
from stopwise._table import Column, Row, Table

__all__ = [
    "Advice",
    "Balance",
    "Batch",
    "Column",
    "Comparison",
    "Error",
    "Game",
    "InputError",
    "Interrupted",
    "Mistake",
    "Ranking",
    "Replay",
    "Result",
    "Row",
    "Simulation",
    "Solution",
    "Sweep",
    "Table",
    "Text",
    "__version__",
    "advise",
    "ask",
    "balance",
    "compare",
    "condition",
    "features",
    "games",
    "merge",
    "policies",
    "rank",
    "replay",
    "simulate",
    "solve",
    "stop",
    "sweep",
]
