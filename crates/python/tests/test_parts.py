"""Parts of a run, merged: the run in one piece, byte for byte."""

from pathlib import Path
from typing import Any

import pytest
from calls import CALLS, Same
from conftest import Run

import stopwise

#: Those that play a number of games that is known before.
CUT = ["simulate", "simulate-seats", "compare", "compare-lineups", "sweep", "balance", "balance-seats"]


def files(folder: Path) -> dict[str, bytes]:
    """All but the manifest, which has times."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "manifest.json"}


@pytest.mark.parametrize("same", [CALLS[name] for name in CUT], ids=CUT)
def test_merged(same: Same, tmp_path: Path) -> None:
    whole = same.call(out="whole")
    texts = [same.call(shard=(number, 3)) for number in (1, 2, 3)]
    folders = [tmp_path / f"part-{number}" for number in (1, 2, 3)]
    left = [same.call(shard=f"{number}/3", out=folder) for number, folder in enumerate(folders, 1)]
    assert left == texts
    assert all(isinstance(text, stopwise.Text) for text in texts)
    for parts in (texts, folders, left[::-1]):
        merged = stopwise.merge(*parts, out="merged", force=True)
        assert type(merged) is type(whole)
        assert (merged.json(), merged.html()) == (whole.json(), whole.html())
        assert files(tmp_path / "merged") == files(tmp_path / "whole")


def test_the_same_as_the_program(run: Run, tmp_path: Path) -> None:
    words = CALLS["simulate"].words.split()
    assert run(*words, "--shard", "2/3", "--out", "theirs", "--quiet").returncode == 0
    assert CALLS["simulate"].call(shard=(2, 3)) == (tmp_path / "theirs" / "shard.txt").read_text()


def test_rows(tmp_path: Path) -> None:
    options: dict[str, Any] = {"rotate": True, "trials": 999}
    policies = ["hold", "hold-at-25"]
    stopwise.simulate("pig", policies, **options, trials_out="whole.csv")
    for number in (1, 2):
        stopwise.simulate("pig", policies, **options, shard=(number, 2), out=f"part-{number}", trials_out="rows.csv")
    stopwise.merge("part-1", "part-2", trials_out="merged.csv")
    assert (tmp_path / "merged.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_what_is_wrong() -> None:
    wrong: Any
    for wrong in (3, (1, 2, 3), (1,)):
        with pytest.raises(stopwise.InputError, match=r"write its number and of how many, such as \(2, 8\)"):
            stopwise.simulate("pig", "hold", shard=wrong)
    for wrong in ((0, 3), (4, 3), "1-3"):
        with pytest.raises(stopwise.InputError, match="shard"):
            stopwise.simulate("pig", "hold", shard=wrong)
    with pytest.raises(stopwise.InputError, match="cannot be cut into parts"):
        stopwise.compare("pig", ["hold", "hold-at-25"], until_width=0.1, shard=(1, 2))
    parts = [stopwise.simulate("pig", "hold", trials=100, shard=(number, 3)) for number in (1, 2)]
    with pytest.raises(stopwise.InputError, match="3"):
        stopwise.merge(*parts)
