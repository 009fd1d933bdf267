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
        return table[score, np.minimum(total, 39)]

    for rules in ("solo", "standard"):
        pairs = stopwise.compare("pig", {"text": text, "table": looked_up}, rules=rules, trials=2000)
        assert {row.identical_share for row in pairs.comparison} == {1.0}


def test_what_it_says() -> None:
    assert stopwise.condition(["a"], [0, 0, 1, 1, 0, 1]) == "2 <= a && a < 4 || 5 <= a"
    assert stopwise.condition(["a", "b"], [[0, 0], [0, 1], [0, 1], [1, 1]]) == "1 <= a && a < 3 && 1 <= b || 3 <= a"
    assert stopwise.condition(["a"], [False, False]) == "no"
    assert stopwise.condition(["a", "b", "c"], np.ones((1, 1, 1))) == "yes"
    assert stopwise.condition(["points / 50", "left"], [[0, 1], [1, 1]], origin=[0, 1]) == "(points / 50) < 1 && 2 <= left || 1 <= (points / 50)"


@pytest.mark.parametrize("shape", [(7,), (4, 5), (3, 4, 3)])
def test_it_holds_where_the_table_says(shape: tuple[int, ...]) -> None:
    """Everywhere, and beyond the table as at its edge."""
    rng, names = np.random.default_rng(3), ["a", "b", "c"][: len(shape)]
    for share in (0.1, 0.5, 0.9):
        table, origin = rng.random(shape) < share, rng.integers(-2, 3, len(shape)).tolist()
        written = stopwise.condition(names, table, origin=origin)
        written = written.replace("&&", "and").replace("||", "or").replace("yes", "True").replace("no", "False")
        for at in np.ndindex(*(size + 4 for size in shape)):
            place = tuple(min(max(one - 2, 0), size - 1) for one, size in zip(at, shape))
            values = {name: one - 2 + first for name, one, first in zip(names, at, origin)}
            assert eval(written, {}, values) == table[place], (written, values)


def test_no_bound_is_always_true() -> None:
    stop = [[total >= 24 or score + total >= 100 for total in range(101)] for score in range(100)]
    text = {"game": "pig", "name": "learned", "stop": stopwise.condition(["score", "turn_total"], stop)}
    assert stopwise.ask("policy", "check", "policy.toml", texts={"policy.toml": stopwise._words.toml(text)}).warnings == []  # pyright: ignore


def test_what_is_wrong() -> None:
    with pytest.raises(stopwise.InputError, match=r"shape \(3,\) for the features \['a', 'b'\]: write a name for each axis"):
        stopwise.condition(["a", "b"], [0, 1, 0])
    with pytest.raises(stopwise.InputError, match=r"origin \[1\]: write a number for each"):
        stopwise.condition(["a", "b"], [[0], [1]], origin=[1])
    with pytest.raises(stopwise.InputError, match="truth values, or 0 and 1"):
        stopwise.condition(["a"], [0, 2])
    with pytest.raises(stopwise.InputError, match=r"write a list with a name for each axis, \['score'\]"):
        stopwise.condition("score", [True, False])
    with pytest.raises(stopwise.InputError, match="the rows of a table differ in length"):
        stopwise.condition(["a", "b"], [[0], [1, 0]])
