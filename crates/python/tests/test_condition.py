"""A table of answers as a condition: a function that looks them up plays the same."""

import numpy as np
import pytest

import stopwise


def test_a_table_with_two_features() -> None:
    rng = np.random.default_rng(1)
    # Where to hold, for each score, with holes; a turn that is long enough or wins is held, so that games end.
    table = rng.random((100, 40)) < 0.25
    table[np.add.outer(np.arange(100), np.arange(40)) >= 100] = True
    table[:, 30:] = True
    text = {"game": "pig", "name": "tabled", "stop": stopwise.condition(["score", "turn_total"], table)}

    def looked_up(batch: stopwise.Batch) -> "np.ndarray":
        score, total = (batch.features[name].astype(int) for name in ("score", "turn_total"))
        return np.where(total < 40, table[score, np.minimum(total, 39)], False)

    for rules in ("solo", "standard"):
        pairs = stopwise.compare("pig", {"text": text, "table": looked_up}, rules=rules, trials=2000)
        assert {row.identical_share for row in pairs.comparison} == {1.0}


def test_what_it_says() -> None:
    assert stopwise.condition(["a"], [0, 0, 1, 1, 0, 1]) == "2 <= a && a < 4 || a == 5"
    assert stopwise.condition(["a", "b"], [[0, 0], [0, 1], [0, 1], [1, 1]]) == (
        "1 <= a && a < 3 && (b == 1) || a == 3 && (0 <= b && b < 2)"
    )
    assert stopwise.condition(["a"], [False, False]) == "no"
    assert stopwise.condition(["a", "b", "c"], np.ones((1, 1, 1))) == "a == 0 && (b == 0 && (c == 0))"


def test_what_is_wrong() -> None:
    with pytest.raises(stopwise.InputError, match=r"shape \(3,\) for the features \['a', 'b'\]: write a name for each axis"):
        stopwise.condition(["a", "b"], [0, 1, 0])
    with pytest.raises(stopwise.InputError, match="truth values, or 0 and 1"):
        stopwise.condition(["a"], [0, 2])
    with pytest.raises(stopwise.InputError, match=r"write a list with a name for each axis, \['score'\]"):
        stopwise.condition("score", [True, False])
    with pytest.raises(stopwise.InputError, match="the rows of a table differ in length"):
        stopwise.condition(["a", "b"], [[0], [1, 0]])
