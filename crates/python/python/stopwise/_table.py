"""Tables: what the program writes as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, NamedTuple, Union, overload

from stopwise import _core

#: What a cell holds; `None` where nothing is known.
Value = Union[str, int, float, bool, None]

#: So many rows are shown before the rest is only counted.
_SHOWN = 10
#: The columns of a terminal that a table takes.
_WIDTH = 110


class Column(NamedTuple):
    """What a column means."""

    name: str
    #: What one of it is; empty for texts and plain numbers.
    unit: str
    #: In a sentence without a full stop.
    meaning: str


class Row(Mapping[str, Value]):
    """A row of a table: a mapping from the names of the columns, which are its attributes, too.

    >>> import stopwise
    >>> row = stopwise.simulate("pig", "hold", rules="solo", trials=1000).summary[0]
    >>> row.metric, row["metric"], row.trials
    ('score', 'score', 1000)
    """

    __slots__ = ("_places", "_values")

    def __init__(self, places: Mapping[str, int], values: tuple[Value, ...]) -> None:
        self._places = places
        self._values = values

    def __getitem__(self, name: str) -> Value:
        return self._values[self._places[name]]

    # Who names a column knows what is in it.
    def __getattr__(self, name: str) -> Any:
        # While it is copied or unpickled there may be no slots yet.
        if name in Row.__slots__ or name not in self._places:
            raise AttributeError(f"no column {name}")
        return self._values[self._places[name]]

    def __reduce__(self) -> Any:
        return Row, (dict(self._places), self._values)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._values)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._places]

    def __repr__(self) -> str:
        return f"Row({', '.join(f'{name}={value!r}' for name, value in self.items())})"


class Table:
    """A table of a result: the rows and columns of a file such as `summary.csv`.

    polars, pandas, pyarrow and DuckDB read it without copying, by the Arrow PyCapsule interface: `polars.DataFrame(table)`,
    with pyarrow `pandas.DataFrame.from_arrow(table)`, `pyarrow.table(table)`, and `duckdb.sql("from summary")` of a variable `summary`. Whole numbers are `int64` there,
    seeds `uint64`, other numbers `float64` with all their digits, and where nothing is known is null; every column has its `unit` and its
    `meaning` as metadata.

    Without any of them it is a sequence of rows, and its columns are lists:

    >>> import stopwise
    >>> table = stopwise.simulate("pig", "hold", rules="solo", trials=1000).endings
    >>> table
    endings.csv: 2 rows
    game  rules  policy     ending  early  count  share        share_low    share_high   seed  method
    pig   solo   hold:n=20  goal    false  1000   1.000000000  0.996317916  1.000000000  1     exact (Clopper-Pea…
    pig   solo   hold:n=20  capped  true   0      0.000000000  0.000000000  0.003682084  1     exact (Clopper-Pea…
    >>> table[0].ending
    'goal'
    >>> table["count"], table.count
    ([1000, 0], [1000, 0])
    >>> [row.ending for row in table if row.early]
    ['capped']
    """

    __slots__ = ("_core", "_places")

    def __init__(self, core: _core.Table) -> None:
        self._core = core
        self._places = {name: at for at, (name, _, _) in enumerate(core.headings)}

    # Nothing in it changes.
    def __copy__(self) -> Table:
        return self

    def __deepcopy__(self, memo: object) -> Table:
        return self

    def __reduce__(self) -> Any:
        return _of_kept, (self._core.kept(),)

    @property
    def file(self) -> str:
        """The name of its file, such as `summary.csv`."""
        return self._core.file

    @property
    def columns(self) -> list[str]:
        """The names of its columns."""
        return list(self._places)

    def explain(self, column: str) -> Column:
        """What a column means.

        >>> import stopwise
        >>> stopwise.features("pig").explain("low").meaning
        'the least value of a feature under these rules'
        """
        return Column(*self._core.headings[self._place(column)])

    def csv(self) -> bytes:
        """The bytes of its file."""
        return self._core.csv()

    def rows(self) -> list[dict[str, Value]]:
        """All rows as dictionaries."""
        return [dict(row) for row in self]

    def __arrow_c_schema__(self) -> object:
        return self._core.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._core.__arrow_c_stream__(requested_schema)

    def __array__(self, dtype: object = None, copy: object = None) -> Any:
        # Of a sequence of rows NumPy would make the names of their columns.
        first = dict(self[0]) if len(self) else {}
        numbers = [name for name, value in first.items() if isinstance(value, (int, float)) and not isinstance(value, bool)]
        name = numbers[-1] if numbers else self.columns[-1]
        raise TypeError(f'a table is no array, its columns are: numpy.asarray(table["{name}"]); pandas takes all of it by DataFrame(list(table)), or with pyarrow by DataFrame.from_arrow(table)')

    def __len__(self) -> int:
        return len(self._core)

    def __iter__(self) -> Iterator[Row]:
        return (self[at] for at in range(len(self)))

    @overload
    def __getitem__(self, at: str) -> list[Any]: ...
    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> list[Row]: ...
    def __getitem__(self, at: str | int | slice) -> list[Any] | Row | list[Row]:
        """A column by its name, a row by its number, or some rows."""
        if isinstance(at, str):
            return self._core.column(self._place(at))
        if isinstance(at, slice):
            return [self[row] for row in range(*at.indices(len(self)))]
        place = at + len(self) if at < 0 else at
        if not 0 <= place < len(self):
            raise IndexError(f"{self.file} has {len(self)} rows; there is no row {at}")
        return Row(self._places, self._core.row(place))

    def __getattr__(self, name: str) -> list[Any]:
        if name in Table.__slots__ or name.startswith("__"):
            raise AttributeError(f"no column {name}")
        if name not in self._places:
            raise AttributeError(f"{self.file} has no column {name}; there are: {', '.join(self._places)}")
        return self._core.column(self._places[name])

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._places]

    def __repr__(self) -> str:
        cells = [self.columns, *(self._core.written(at) for at in range(min(len(self), _SHOWN)))]
        widths = [max(map(len, column)) for column in zip(*cells)]
        lines = [_cut("  ".join(map(str.ljust, row, widths)).rstrip()) for row in cells]
        head = f"{self.file}: {len(self)} {'row' if len(self) == 1 else 'rows'}"
        more = [f"… {len(self) - _SHOWN} more"] if len(self) > _SHOWN else []
        return "\n".join([head, *lines, *more])

    def _repr_html_(self) -> str:
        """A table for a notebook."""
        return self._html(_SHOWN)

    def _html(self, most: int) -> str:
        head = "".join(
            f'<th title="{escape(meaning)}{escape(f" ({unit})" if unit else "")}">{escape(name)}</th>'
            for name, unit, meaning in self._core.headings
        )
        rows = "".join(f"<tr>{self._cells(at)}</tr>" for at in range(min(len(self), most)))
        more = f"<p>… {len(self) - most:,} more</p>" if len(self) > most else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{more}"

    def _cells(self, at: int) -> str:
        """A row: numbers on the right, texts on the left."""
        sides = ("left" if isinstance(value, str) else "right" for value in self._core.row(at))
        cells = zip(sides, self._core.written(at))
        return "".join(f'<td style="text-align: {side}">{escape(cell)}</td>' for side, cell in cells)

    def _place(self, column: str) -> int:
        if column not in self._places:
            raise KeyError(f"{self.file} has no column {column!r}; there are: {', '.join(self._places)}")
        return self._places[column]


def _of_kept(kept: Any) -> Table:
    """A table that was pickled."""
    return Table(_core.Table.of_kept(kept))


def _cut(line: str) -> str:
    return line if len(line) <= _WIDTH else line[: _WIDTH - 1] + "…"
