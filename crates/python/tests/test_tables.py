"""Tables: for people, for programs without anything else, and for those who read Arrow."""

import csv
import io
import math
from collections.abc import Iterator
from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pytest
from calls import CALLS, TARGETS

import stopwise


def tables() -> Iterator[tuple[str, stopwise.Table]]:
    for name, same in CALLS.items():
        for table in same.call().tables.values():
            yield f"{name}/{table.file}", table
    yield "games", stopwise.games()
    yield "features", stopwise.features("carbonite")


@pytest.fixture(scope="module", name="tables")
def all_tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, stopwise.Table]:
    folder = tmp_path_factory.mktemp("tables")
    (folder / "targets.toml").write_text(TARGETS)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return dict(tables())


def is_same(value: Any, text: str, column: str) -> bool:
    """Whether a value is what CSV says, as far as CSV says it: limits are rounded outwards, all else to the nearest."""
    if value is None:
        return text == ""
    if isinstance(value, bool):
        return text == str(value).lower()
    if isinstance(value, float):
        places = len(text.partition("e")[0].partition(".")[2])
        exponent = int(text.partition("e")[2] or 0)
        unit = 10.0 ** (exponent - places)
        found = float(text)
        if column.endswith("low") and found <= value or column.endswith("high") and found >= value:
            return abs(value - found) <= 1.001 * unit
        return math.isclose(value, found, rel_tol=1e-15, abs_tol=0.501 * unit)
    return str(value) == text


def test_values_are_those_of_csv(tables: dict[str, stopwise.Table]) -> None:
    for name, table in tables.items():
        head, *rows = csv.reader(io.StringIO(table.csv().decode()))
        assert table.columns == head, name
        assert len(table) == len(rows), name
        arrow = pyarrow.table(table)
        arrow.validate(full=True)
        assert arrow.column_names == head
        assert arrow.num_rows == len(rows)
        for at, (row, read, texts) in enumerate(zip(table, arrow.to_pylist(), rows)):
            for column, text in zip(head, texts):
                assert is_same(row[column], text, column), f"{name}, row {at}, {column}: {row[column]!r} and {text!r}"
                assert is_same(read[column], text, column), f"{name}, row {at}, {column}: {read[column]!r} and {text!r}"
        for column in head:
            assert table[column] == [row[column] for row in table]


def test_readers_agree(tables: dict[str, stopwise.Table]) -> None:
    for name, table in tables.items():
        arrow = pyarrow.table(table)
        assert polars.DataFrame(table).to_dicts() == arrow.to_pylist(), name
        frame = pandas.DataFrame.from_arrow(table) if hasattr(pandas.DataFrame, "from_arrow") else arrow.to_pandas()
        assert list(frame.columns) == table.columns
        assert len(frame) == len(table)
        for column in table.columns:
            here = [None if value is None or value != value else value for value in frame[column].tolist()]
            assert here == table[column], f"{name}, {column}"
        read = table
        assert duckdb.sql("from read").fetchall() == [tuple(row.values()) for row in table], name


def test_a_column_has_one_type(tables: dict[str, stopwise.Table]) -> None:
    """Whatever is in a table, so that tables of several runs can be put together."""
    # What is varied are numbers or texts, as the user has it.
    varied = {"k", "turns"}
    types: dict[tuple[str, str], dict[str, str]] = {}
    for name, table in tables.items():
        for field in pyarrow.schema(table):
            types.setdefault((table.file, field.name), {}).setdefault(str(field.type), name)
    several = {column: of for column, of in types.items() if len(of) > 1 and column[1] not in varied}
    assert not several
    assert {name for of in types.values() for name in of} == {"string", "int64", "uint64", "double", "bool"}
    assert {column for (_, column), of in types.items() if "uint64" in of} == {"seed"}


def test_what_is_varied_are_numbers() -> None:
    result = stopwise.sweep("carbonite", "risk-limit", vary={"end": [0.05, 0.1]}, vary_rule={"turns": [5, 10]}, trials=500)
    assert {(row.end, row.turns) for row in result.sweep} == {(0.05, 5), (0.1, 5), (0.05, 10), (0.1, 10)}
    assert pyarrow.table(result.best)["turns"].type == pyarrow.int64()
    result = stopwise.sweep("carbonite", "tidy", vary_rule={"retribution": ["any", "all"]}, trials=500)
    assert set(result.sweep.retribution) == {"any", "all"}


def test_a_type_does_not_depend_on_what_is_found() -> None:
    for seed in [1, 2**64 - 1]:
        column = pyarrow.table(stopwise.simulate("pig", "hold", trials=100, seed=seed).endings)["seed"]
        assert (column.type, column[0].as_py()) == (pyarrow.uint64(), seed)
    # Of Pig all are whole, of Carbonite chances are among them.
    for game in ["pig", "carbonite"]:
        assert pyarrow.schema(stopwise.features(game)).field("low").type == pyarrow.float64()


def test_schema_alone() -> None:
    table = CALLS["simulate"].call().summary
    schema = pyarrow.schema(table)
    assert schema == pyarrow.table(table).schema
    metadata = schema.field("mean").metadata
    assert metadata == {b"unit": table.explain("mean").unit.encode(), b"meaning": table.explain("mean").meaning.encode()}


def test_nothing_is_copied() -> None:
    table = CALLS["simulate"].call().distribution

    def addresses(chunks: pyarrow.ChunkedArray) -> list[int]:
        return [buffer.address for chunk in chunks.chunks for buffer in chunk.buffers() if buffer]

    first, second = pyarrow.table(table), pyarrow.table(table)
    for name in table.columns:
        assert addresses(first[name]) == addresses(second[name]) != []
    numbers = first["share"].chunk(0).to_numpy(zero_copy_only=True)
    column = polars.DataFrame(table)["share"]
    assert column.to_numpy(allow_copy=False).ctypes.data == numbers.ctypes.data


def test_columns_outlive_their_table() -> None:
    arrow = pyarrow.table(CALLS["simulate-one"].call().summary)
    frame = polars.DataFrame(CALLS["simulate-one"].call().summary)
    for _ in range(20):
        pyarrow.table(stopwise.games())
    assert arrow["metric"][0].as_py() == "win"
    assert frame["metric"][0] == "win"


def test_what_nobody_reads_is_freed() -> None:
    table = stopwise.games()
    for _ in range(10_000):
        table.__arrow_c_stream__()
        table.__arrow_c_schema__()


def test_large_seeds_are_whole() -> None:
    result = stopwise.simulate("pig", "hold", trials=10, seed=2**64 - 1)
    assert result.facts["seed"] == 2**64 - 1
    assert result.to_dict()["seed"] == str(2**64 - 1)


def test_rows_and_columns() -> None:
    table = stopwise.simulate("pig", "hold", rules="solo", trials=1000).summary
    assert table[0] == table[-len(table)]
    assert table[-1].metric == table.metric[-1] == table["metric"][-1]
    assert [row.metric for row in table[1:3]] == table.metric[1:3]
    assert table.rows()[0]["trials"] == 1000
    assert {**table[0]}.keys() == set(table.columns)
    assert "mean" in dir(table) and "mean" in dir(table[0])
    assert "metric='score'" in repr(table[0])
    with pytest.raises(IndexError, match="no row 99"):
        table[99]
    with pytest.raises(KeyError, match="there are: game, rules"):
        table["means"]
    with pytest.raises(AttributeError, match="means"):
        table.means  # noqa: B018
    with pytest.raises(AttributeError, match="means"):
        table[0].means  # noqa: B018


def test_shown() -> None:
    table = stopwise.simulate("pig", "hold", rules="solo", trials=1000).distribution
    lines = repr(table).splitlines()
    assert lines[0] == f"distribution.csv: {len(table)} rows"
    assert lines[-1] == f"… {len(table) - 10} more"
    assert max(map(len, lines)) <= 110
    html = table._repr_html_()
    assert html.count("<tr>") == 11
    policy = 'game = "pig"\nname = "mine"\nsummary = "<b>&"\nstop = "turn_total >= 20"\n'
    assert "<b>" not in stopwise.simulate("pig", policy, trials=10).html()
