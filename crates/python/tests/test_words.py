"""From values to words."""

from pathlib import Path

import numpy
import pytest

from stopwise import _words
from stopwise._words import Words


@pytest.mark.parametrize(
    ("value", "word"),
    [(3, "3"), (1e6, "1000000"), (0.05, "0.05"), (numpy.int64(7), "7"), (numpy.float64(0.5), "0.5"), ("2M", "2M"),
     ((0.1, 0.9), "0.1,0.9")],
)
def test_numbers(value: object, word: str) -> None:
    assert _words.plain(value) == word


def test_settings() -> None:
    set = {"turns": 5, "points": {"solid": 9, "deep": {"er": "any"}}, "unit_score": True, "bust_faces": [1, 2]}
    words = ["--set=turns=5", "--set=points.solid=9", "--set=points.deep.er=any", "--set=unit_score=true",
             "--set=bust_faces=[1, 2]"]
    assert Words().settings("set", set).words == words
    assert Words().settings("set", "turns=5").words == ["--set=turns=5"]
    assert Words().settings("set", ["a=1", "b=2"]).words == ["--set=a=1", "--set=b=2"]
    assert Words().settings("set", None).words == []


def test_levels() -> None:
    vary = {"k": range(1, 4), "2.risk": numpy.array([0.1, 0.25]), "n": "15..30", "one": 7, "is": [True, False]}
    vary |= {"every": range(15, 31, 5), "down": range(3, 0, -1), "single": range(4, 5)}
    words = ["--vary=k=1..3", "--vary=2.risk=0.1,0.25", "--vary=n=15..30", "--vary=one=7", "--vary=is=true,false",
             "--vary=every=15..30:5", "--vary=down=3,2,1", "--vary=single=4"]
    assert Words().levels("vary", vary).words == words


def test_names_paths_and_texts() -> None:
    words = Words()
    assert words.named("tidy:k=3", "policy") == "tidy:k=3"
    assert words.named(Path("mine.toml"), "policy") == "mine.toml"
    assert words.named(Path("mine"), "policy") == "./mine"
    assert words.named("a = 1\n", "policy") == "policy.toml"
    assert words.named("b = 1\n", "policy") == "policy-2.toml"
    assert words.named("a = 1\n", "policy") == "policy.toml"
    assert words.named({"a": {"b": [1, "\n\"", False]}}, "rules") == "rules.toml"
    assert words.texts["rules.toml"] == '"a" = { "b" = [1, "\\n\\"", false] }\n'


def test_spans_and_times() -> None:
    assert _words.span(range(3, 6)) == "3..5"
    assert _words.span(4) == 4
    for wrong in (range(0), range(0, 9, 2)):
        with pytest.raises(ValueError, match="range"):
            _words.span(wrong)
    assert (_words.seconds(90), _words.seconds(0.5), _words.seconds("5m"), _words.seconds(None)) == ("90s", "0.5s", "5m", None)


def test_whatever_begins_with_a_hyphen() -> None:
    assert Words("simulate").operand("-x").option("rules", "-y").whole() == ["simulate", "--rules=-y", "--", "-x"]
