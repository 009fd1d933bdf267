"""What commands find."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from html import escape
from typing import TYPE_CHECKING, Any, TypeVar

from stopwise import _core
from stopwise._arguments import of_arguments
from stopwise._errors import InputError
from stopwise._table import Table, Value

_T = TypeVar("_T", bound="Text")
_R = TypeVar("_R", bound="Result")

#: The columns that the text of a result may take: those of the program's text in a file.
_WIDTH = 120
#: The height of a page in a notebook, in pixels; its corner can be pulled.
_HEIGHT = 800
#: Who plays in a notebook knows what the program is, and what the game.
_IN_A_NOTEBOOK = ".intro, .played > p { display: none } main { padding-top: 1rem }"


class _Kept:
    """The document of a result that was pickled: everything that it is written as, but for the text of another width."""

    def __init__(self, document: _core.Document) -> None:
        self.command, self.head, self.answer = document.command, document.head, document.answer
        self.warnings, self.repeat, self.facts = document.warnings, document.repeat, document.facts
        self._text, self._html, self._svg = document.text(_WIDTH), document.html(), document.svg()
        self._markdown, self._json = document.markdown(), document.json()

    def text(self, width: int) -> str:
        if width != _WIDTH:
            raise InputError(f"a result that was pickled has its text for {_WIDTH} columns alone: leave the width out")
        return self._text

    def html(self) -> str:
        return self._html

    def svg(self) -> str | None:
        return self._svg

    def markdown(self) -> str:
        return self._markdown

    def json(self) -> str:
        return self._json


class Result:
    """What a command found: sentences, pictures, and tables that are its attributes.

    `print` shows what the command line prints; a notebook shows the page of the report.

    >>> import stopwise
    >>> result = stopwise.simulate("pig", "hold", rules="solo", trials=1000)
    >>> result
    <stopwise.Simulation: pig · rules solo · hold:n=20 · 1,000 trials · seed 1
     hold:n=20: mean score 12.79 turns (95 %: 12.50 to 13.08); 60 % of the trials have 9 to 15.>
    >>> result.files
    ['summary.csv', 'distribution.csv', 'endings.csv', 'turns.csv', 'means.csv']
    >>> result.csv("endings").splitlines()[0]
    b'game,rules,policy,ending,early,count,share,share_low,share_high,seed,method'
    """

    #: Texts that were given in place of files.
    _texts: Mapping[str, str] = {}

    def __init__(
        self,
        found: _core.Found,
        document: _core.Document,
        texts: Mapping[str, str] | None = None,
        arguments: Mapping[str, object] | None = None,
    ) -> None:
        self._document: _core.Document | _Kept = document
        self._tables = {table.stem: Table(table) for table in document.tables()}
        self._notes = found.notes
        self._interrupted = _cut_short(found, arguments or {})
        self._texts = dict(texts or {})

    # Nothing in it changes.
    def __copy__(self: _R) -> _R:
        return self

    def __deepcopy__(self: _R, memo: object) -> _R:
        return self

    def __getstate__(self) -> dict[str, Any]:
        document = self._document
        return {**self.__dict__, "_document": document if isinstance(document, _Kept) else _Kept(document)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    @property
    def head(self) -> str:
        """What was played, in a line."""
        return self._document.head

    @property
    def answer(self) -> str:
        """What was found, in a sentence or a few."""
        return " ".join(self._document.answer)

    @property
    def warnings(self) -> list[str]:
        """What may mislead, and what to do about it."""
        return self._document.warnings

    @property
    def notes(self) -> list[str]:
        """What the command line says beside the result: which files were written, how long it took."""
        return self._notes

    @property
    def interrupted(self) -> str | None:
        """If it was cut short, the message that says so; what is here is complete for the trials that were played."""
        return self._interrupted

    @property
    def repeat(self) -> str | None:
        """The command line that gives the same again; `None` if a function played, which no command line names.

        Of a game, rules or policies that were given as texts it names files, and says so: `texts` has what is to be written there.
        """
        repeat = self._document.repeat
        if " python:" in repeat:
            return None
        return f"{repeat}  # texts has what is to be in {', '.join(self.texts)}" if self.texts else repeat

    @property
    def texts(self) -> dict[str, str]:
        """What is to be in the files that `repeat` names, by their names, where texts were given in their place."""
        repeat = self._document.repeat
        return {name: text for name, text in self._texts.items() if re.search(rf"(?<![\w./-]){re.escape(name)}(?![\w.-])", repeat)}

    @property
    def facts(self) -> dict[str, Value]:
        """What was played, by name: the first fields of JSON."""
        return self._document.facts

    @property
    def tables(self) -> dict[str, Table]:
        """All tables, by name; each is an attribute, too."""
        return dict(self._tables)

    @property
    def files(self) -> list[str]:
        """The names of the tables' files; a few short ones are in JSON alone, and not among the files of `out`."""
        return [table.file for table in self._tables.values()]

    def csv(self, table: str | None = None) -> bytes:
        """The bytes of a table's file, by its name with or without `.csv`; of the main one without a name."""
        if table is None:
            table = next(iter(self._tables))
        name = table.removesuffix(".csv")
        if name not in self._tables:
            raise KeyError(f"no table {table!r}; there are: {', '.join(self._tables)}")
        return self._tables[name].csv()

    def html(self) -> str:
        """The page of the report: one file that needs nothing else."""
        return self._document.html()

    def svg(self) -> str | None:
        """The first picture of the page, or `None` if it has none."""
        return self._document.svg()

    def markdown(self) -> str:
        """The report to paste into a page."""
        return self._document.markdown()

    def json(self) -> str:
        """The report for programs; whole numbers above 2^53 are texts."""
        return self._document.json()

    def to_dict(self) -> dict[str, Any]:
        """The same as a dictionary."""
        value: dict[str, Any] = json.loads(self.json())
        return value

    def text(self, width: int = _WIDTH) -> str:
        """The report for a terminal of so many columns."""
        return self._document.text(width)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<stopwise.{type(self).__name__}: {self.head}\n {self.answer}>"

    def _repr_html_(self) -> str:
        """The page, in a frame of its own, so that neither its styles nor its script touch the notebook."""
        page = self.html().replace("</head>", f"<style>{_IN_A_NOTEBOOK}</style></head>", 1)
        return (
            f'<iframe title="{escape(self.head)}" srcdoc="{escape(page)}"'
            ' sandbox="allow-scripts allow-downloads allow-popups"'
            f' style="box-sizing: border-box; width: 100%; height: {_HEIGHT}px; border: 1px solid #8884; resize: vertical;'
            # Who shows no frames, as Jupyter in a notebook of somebody else until it is trusted, shows the text.
            f' overflow: auto">{escape(self.head)}<br>{escape(self.answer)}</iframe>'
        )

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Table:
            tables = self.__dict__.get("_tables", {})
            if name in tables:
                return tables[name]
            raise AttributeError(f"no {name}; tables here: {', '.join(tables)}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._tables]


class Simulation(Result):
    """What `simulate` found."""

    #: Every metric of every seat: mean, deviation, quantiles.
    summary: Table
    #: Every value of every metric, how often it came, and with which share.
    distribution: Table
    #: How the games ended.
    endings: Table
    #: How many games reached each turn, ended there and lost it to chance.
    turns: Table
    #: What `above`, `quantiles` and `best_of` asked for; only with one of them.
    asked: Table
    #: The mean of the metric with the limits that hold while one looks; only with `until_width` or `budget`.
    means: Table
    #: Who won, by policy and by seat; only where there are several seats.
    wins: Table
    #: How much going first is worth, and how long games are; only where there are several seats.
    games: Table


class Comparison(Result):
    """What `compare` found."""

    #: The difference of every pair in every metric.
    comparison: Table
    #: Every value of the differences, and how often it came.
    comparison_distribution: Table
    #: How often one ends early and the other does not.
    comparison_early: Table
    #: Differences of quantiles.
    comparison_quantiles: Table
    #: The first trials in which each pair decides differently; only with `divergent`.
    divergent: Table


class Ranking(Result):
    """What `rank` found."""

    #: The policies in their order.
    rank: Table
    #: Every two of them; only of games for one.
    rank_pairs: Table
    #: Pairs whose order is not known; only if the race ended before it was.
    unsettled: Table
    #: Policies that beat each other in a circle; only where there are several seats, and such.
    cycles: Table
    #: Who met whom; only where there are several seats.
    matches: Table


class Sweep(Result):
    """What `sweep` found."""

    #: Every point of the grid, with every metric.
    sweep: Table
    #: Which points may be the best.
    best: Table
    #: What each of the varied names does.
    sensitivity: Table


class Balance(Result):
    """What `balance` found."""

    #: Every measure of every variant.
    balance: Table
    #: What each change does to each measure.
    effects: Table
    #: How every policy does under every variant, beside the naive one.
    skill: Table
    #: The policies under each variant.
    standings: Table
    #: A row for every variant with every policy: what it wins or scores, how far apart the seats are, how long games are.
    overview: Table
    #: What was asked of the variants, and whether it is met; only with `targets`.
    targets: Table
    #: Variants that meet all targets, or nearly; only with `search`.
    search: Table


class Solution(Result):
    """What `solve` found."""

    #: The value of best play, and of every policy.
    solution: Table
    #: The mean of every metric.
    solution_means: Table
    #: How games end.
    solution_endings: Table
    #: Every value of the metric, and how likely it is.
    solution_distribution: Table
    #: What positions are worth, and at decisions the best answer; a column for every feature that they know.
    solution_positions: Table
    #: The values under each setting of the rules, where they vary; then there is nothing else.
    solution_varied: Table
    #: Where policies lose against best play.
    regret: Table
    #: The same in each of two seats, with best play in the other; only where there are two.
    regret_against_best: Table
    #: When best play holds.
    thresholds: Table
    #: What best play answers in which situations, where a table of them was asked for.
    decisions: Table
    #: The value of a feature from which on, or up to which, best play answers yes, where that was asked for.
    hold_at: Table


class Advice(Result):
    """What `advise` found."""

    #: What every choice is worth, and who chooses it.
    advice: Table


def _cut_short(found: _core.Found, arguments: Mapping[str, object]) -> str | None:
    """Why it is not all that was asked for; of a call with arguments in their names."""
    return found.interrupted and of_arguments(found.interrupted, arguments)


class Text(str):
    """A text that shows itself as it is."""

    #: What the command line says beside it.
    notes: list[str]
    #: If it was cut short, the message that says so.
    interrupted: str | None

    def __new__(
        cls: type[_T], found: _core.Found, text: str | None = None, arguments: Mapping[str, object] | None = None
    ) -> _T:
        self = str.__new__(cls, found.text if text is None else text)
        self.notes = found.notes
        self.interrupted = _cut_short(found, arguments or {})
        return self

    @property
    def warnings(self) -> list[str]:
        """What may be wrong with what was looked at: those of the notes that are warnings."""
        mark = "warning: "
        return [note.removeprefix(mark) for note in self.notes if note.startswith(mark)]

    def __repr__(self) -> str:
        return self.rstrip("\n")

    def __copy__(self: _T) -> _T:
        return self

    def __deepcopy__(self: _T, memo: object) -> _T:
        return self

    def __reduce__(self) -> Any:
        return _text, (type(self), str(self)), self.__dict__


class Replay(Text):
    """Games, as a person at the table would tell them.

    >>> import stopwise
    >>> replay = stopwise.replay("pig", "hold", trial=3)
    >>> replay.splitlines()[0]
    'pig · rules standard · hold:n=20 · trial 3 of seed 1'
    >>> replay.games[0]["ending"]
    'goal'
    """

    _ask: Callable[[], str]

    def __reduce__(self) -> Any:
        # Who has played may be a function.
        steps = self._ask()
        return _text, (type(self), str(self)), {**self.__dict__, "_ask": _Told(steps)}

    @property
    def games(self) -> list[dict[str, Any]]:
        """The same for programs: every game with its steps; what each question was, what was answered, and why."""
        text = self._ask().strip()
        # One game is a document of several lines; of more, each is on a line of its own.
        try:
            return [json.loads(text)]
        except json.JSONDecodeError:
            return [json.loads(line) for line in text.splitlines()]


class Interrupted(UserWarning):
    """A run was cut short by Ctrl-C, or by a notebook's stop: its result is that of a shorter run, complete and true.

    It is a warning, so that the result is not lost. In a script that is to end at Ctrl-C, make it an error:
    `warnings.simplefilter("error", stopwise.Interrupted)`; the result is its `result`.
    """

    # As its users name it.
    __module__ = "stopwise"

    #: What was found.
    result: Result | Text

    def __init__(self, message: str, result: Result | Text) -> None:
        super().__init__(message)
        self.result = result

    def __reduce__(self) -> Any:
        return Interrupted, (str(self), self.result)


def _text(kind: type[_T], text: str) -> _T:
    """A text that was pickled, before its notes."""
    return str.__new__(kind, text)


class _Told:
    """What a replay has asked for before it was pickled."""

    def __init__(self, steps: str) -> None:
        self._steps = steps

    def __call__(self) -> str:
        return self._steps
