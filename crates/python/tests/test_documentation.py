"""Examples of the docstrings and of the reference page."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest
from conftest import ROOT

import stopwise

MODULES = ["stopwise", *(f"stopwise.{module.name}" for module in pkgutil.iter_modules(stopwise.__path__))]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith(("__main__", "_core"))])
def test_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize(("name", "least"), [("python", 15), ("environments", 15)])
def test_the_pages(name: str, least: int, tmp_path: Path) -> None:
    page = tmp_path / f"{name}.md"
    # The last line of a block is no output.
    page.write_text((ROOT / "docs" / f"{name}.md").read_text().replace("```\n", "\n"))
    done = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert done.failed == 0
    assert done.attempted > least


def test_everything_is_documented() -> None:
    for name in stopwise.__all__:
        assert name.startswith("__") or getattr(stopwise, name).__doc__, name
