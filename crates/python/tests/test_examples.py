"""The worked examples, with less of everything."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

EXAMPLES = ROOT / "crates" / "python" / "examples"


def run(name: str, *words: str) -> str:
    command = [sys.executable, str(EXAMPLES / name), *words]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_balance_study(tmp_path: Path) -> None:
    told = run("balance_study.py", "2000")
    assert "shape: (4, 4)" in told
    assert (tmp_path / "balance.html").read_text().startswith("<!DOCTYPE html>")
    assert (tmp_path / "sweep.svg").read_text().startswith("<svg")
    picture = (tmp_path / "turns.svg").read_text()
    assert "<svg" in picture
    assert "Matplotlib" in picture


def test_your_policy() -> None:
    told = run("your_policy.py", "2000")
    assert "keep_pace / hold:n=20" in told
    assert "end-race-or-keep-pace" in told


def test_learning() -> None:
    """In a few seconds it is close to best play; the page says what more brings."""
    told = run("learn_pig.py", "6")
    learned, best = (float(part.split(":")[1].split()[0]) for part in told.split(";")[:2])
    # `stopwise solve pig --rules solo` says the same.
    assert best == 12.5452
    assert best * 0.99 < learned < best * 1.03, told


def test_learning_from_the_whole_state() -> None:
    """With coins it takes a second; the same steps learn the same."""
    told = run("learn_cant_stop.py", "1000000", "tiny")
    means = {name: float(mean.split()[0]) for name, mean in re.findall(r"(\S+): (.*) turns", told)}
    # As the text of the game expects it, from a program of its own.
    assert "best play: 1.0519 turns" in told
    assert means["learned"] == pytest.approx(1.0518746790, abs=4 * 0.0008)
    assert means["learned"] < means["once"]
