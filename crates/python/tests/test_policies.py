"""Policies that are functions."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conftest import Run

import stopwise
from stopwise import Batch


def hold(batch: Batch) -> "np.ndarray":
    """What the text of `hold` says."""
    features = batch.features
    return (features["turn_total"] >= 20) | (features["score_if_stopped"] >= features["goal"])


def as_text(csv: bytes) -> bytes:
    return csv.replace(b"hold:n=20", b"hold")


@pytest.mark.parametrize("rules", ["solo", "standard"])
def test_the_same_as_the_text(rules: str) -> None:
    function = stopwise.simulate("pig", hold, rules=rules, trials=20_000, above=3)
    text = stopwise.simulate("pig", "hold:n=20", rules=rules, trials=20_000, above=3)
    assert function.files == text.files
    for name in text.files:
        assert function.csv(name) == as_text(text.csv(name)), name


def test_threads_change_nothing() -> None:
    assert stopwise.simulate("pig", hold, trials=20_000, threads=1).html() == stopwise.simulate("pig", hold, trials=20_000, threads=4).html()


def test_seats_and_comparisons() -> None:
    mixed = stopwise.simulate("pig", [hold, "hold-at-25"], trials=5000, rotate=True)
    texts = stopwise.simulate("pig", ["hold:n=20", "hold-at-25"], trials=5000, rotate=True)
    assert mixed.csv() == as_text(texts.csv())
    mine = stopwise.compare("pig", {"mine": hold, "theirs": "hold-at-25"}, rules="solo", trials=5000, divergent=3)
    theirs = stopwise.compare("pig", ["hold:n=20", "hold-at-25"], rules="solo", trials=5000, divergent=3)
    for name in theirs.files:
        assert mine.csv(name) == theirs.csv(name).replace(b"hold:n=20", b"mine"), name


def differs(result: stopwise.Result, text: stopwise.Result, name: str = "hold") -> list[str]:
    """The tables that a function and its text do not have in common, byte for byte."""
    assert result.files == text.files
    return [file for file in text.files if result.csv(file) != text.csv(file).replace(b"hold:n=20", name.encode())]


@pytest.mark.parametrize("rules", ["solo", "standard"])
def test_sweep(rules: str) -> None:
    options: dict[str, Any] = {"rules": rules, "vary_rule": {"goal": [50, 100], "sides": [6, 8]}, "trials": 3000, "paired": 500}
    assert not differs(stopwise.sweep("pig", hold, **options), stopwise.sweep("pig", "hold:n=20", **options))
    if rules == "standard":
        # Beside a text whose parameter varies, in turn; the text of the function has a parameter of that name.
        options.update(vary={"n": [15, 25]}, rotate=True)
        mine = stopwise.sweep("pig", [hold, "four-scoring-turns"], **options)
        theirs = stopwise.sweep("pig", ["hold", "four-scoring-turns"], **{**options, "vary": {"2.n": [15, 25]}})
        for file in theirs.files:
            assert mine.csv(file) == theirs.csv(file).replace(b"hold:n=20", b"hold").replace(b"2.n", b"n"), file
    with pytest.raises(stopwise.InputError, match="^vary k: hold has no parameters"):
        stopwise.sweep("pig", hold, vary={"k": [1, 2]})


@pytest.mark.parametrize("rules", ["solo", "standard"])
def test_balance(rules: str) -> None:
    options: dict[str, Any] = {"rules": rules, "variants": [{"goal": 50}, {"sides": 8}], "trials": 2000}
    if rules == "standard":
        options["close"] = {"points": 10}
    mine = stopwise.balance("pig", {"mine": hold, "theirs": "hold-at-25"}, **options, naive="mine")
    assert not differs(mine, stopwise.balance("pig", ["hold:n=20", "hold-at-25"], **options), "mine")
    searched: dict[str, Any] = {"vary_rule": {"goal": range(50, 90, 10)}, "targets": {"mean turns": "5 to 9"}, "search": 3}
    mine = stopwise.balance("pig", ["hold-at-25", hold], rules=rules, trials=500, naive=hold, **searched)
    theirs = stopwise.balance("pig", ["hold-at-25", "hold:n=20"], rules=rules, trials=500, naive="hold", **searched)
    assert not differs(mine, theirs)


@pytest.mark.parametrize("rules", ["solo", "standard"])
def test_rank(rules: str) -> None:
    """A race alone and a round robin, beside texts whose parameter varies."""
    options: dict[str, Any] = {"rules": rules, "trials": 20_000 if rules == "solo" else 500, "vary": {"n": [15, 25]}}
    mine = stopwise.rank("pig", {"mine": hold, "theirs": "hold-at-25", "others": "four-scoring-turns"}, **options)
    texts = ["hold:n=20", "hold-at-25", "four-scoring-turns"]
    theirs = stopwise.rank("pig", texts, **{**options, "vary": {"3.n": [15, 25]}})
    assert "hold:n=20" in theirs.rank.policy
    assert not differs(mine, theirs, "mine")
    assert mine.html() == stopwise.rank("pig", {"mine": hold, **dict(zip("ab", texts[1:]))}, **options, threads=1).html()


def test_replay() -> None:
    told = str(stopwise.replay("pig", hold, trial=3))
    text = str(stopwise.replay("pig", "hold:n=20", trial=3))
    assert told.splitlines()[-1] == text.splitlines()[-1].replace("hold:n=20", "hold")


def test_what_is_shown() -> None:
    seen: list[Batch] = []

    def first(batch: Batch) -> "np.ndarray":
        seen.append(batch)
        assert set(batch.decides("mark")) <= {True, False}
        choices = np.stack([batch.can(action) for action in range(15)])
        assert (choices.sum(0) >= 2).all()
        return choices.argmax(0)

    stopwise.simulate("carbonite", first, trials=200, threads=1)
    batch = max(seen, key=len)
    assert len(batch) > 10
    assert batch.kind_names[:2] == ("mark", "take")
    assert list(batch.features) == [row.word for row in stopwise.features("carbonite") if row.kind == "feature"]
    assert set(batch.seat) == {0}
    assert set(batch.trial.tolist()) <= set(range(200))
    with pytest.raises(KeyError, match="no feature 'x'; there are"):
        batch.features["x"]


def test_actions_by_name() -> None:
    """A name is that of the same action in whatever is decided."""
    asked = 0

    def first(batch: Batch) -> "np.ndarray":
        nonlocal asked
        asked += len(batch)
        assert batch.action_names["stop"] == ("roll again", "stop")
        for number, name in enumerate(batch.action_names["take"]):
            assert name is not None
            assert (batch.can(name) == (batch.can(number) & ~batch.decides("stop"))).all()
        assert (batch.can("stop") == batch.decides("stop")).all()
        with pytest.raises(KeyError, match="no action 'smal red'; there are: small red, medium red, "):
            batch.can("smal red")
        return np.stack([batch.can(action) for action in range(15)]).argmax(0)

    stopwise.simulate("carbonite", first, trials=200, threads=1)
    assert asked > 1000

    def by_name(batch: Batch) -> "np.ndarray":
        assert batch.action_names == {"stop": ("roll again", "hold")}
        return batch.can("hold") & hold(batch)

    assert not differs(stopwise.simulate("pig", by_name, trials=500), stopwise.simulate("pig", "hold:n=20", trials=500), "by_name")


def test_what_is_wrong_with_an_answer() -> None:
    with pytest.raises(stopwise.InputError, match=r"the policy illegal: in trial \d+, 7 is no legal action of `stop`; answer 0 \("):
        stopwise.simulate("pig", illegal, trials=10**9)
    with pytest.raises(stopwise.InputError, match=r"the policy illegal: in trial \d+, 7"):
        stopwise.compare("pig", [illegal, "hold"], trials=10**9)
    with pytest.raises(stopwise.InputError, match="the policy lambda answered"):
        stopwise.simulate("pig", lambda batch: 1, trials=10)  # noqa: ARG005
    with pytest.raises(stopwise.InputError, match="whole numbers"):
        stopwise.simulate("pig", lambda batch: np.zeros(len(batch)), trials=10)


def illegal(batch: Batch) -> "np.ndarray":
    return np.full(len(batch), 7)


def test_what_it_raises() -> None:
    class Mine(Exception):
        pass

    def policy(batch: Batch) -> "np.ndarray":
        raise Mine("no")

    def late(batch: Batch) -> "np.ndarray":
        """Raises only in the trials that count, and in no pilot."""
        if (batch.trial < 2**62).any():
            raise Mine("no")
        return hold(batch)

    def fresh(batch: Batch) -> "np.ndarray":
        """Raises only in trials that are played when the winner is known."""
        if (batch.trial >= 2**50).any():
            raise Mine("no")
        return hold(batch)

    def deep(batch: Batch) -> "np.ndarray":
        """Raises only at the last point of a grid."""
        if (batch.features["goal"] == 60).any():
            raise Mine("no")
        return hold(batch)

    plays: list[Callable[[], object]] = [
        lambda: stopwise.simulate("pig", policy, trials=10**9),
        lambda: stopwise.compare("pig", [policy, "hold"]),
        lambda: stopwise.sweep("pig", policy, vary_rule={"goal": [50, 60]}, trials=10**9),
        lambda: stopwise.sweep("pig", deep, vary_rule={"goal": [50, 60]}, trials=1000),
        lambda: stopwise.rank("pig", [policy, "hold"], trials=10**9),
        lambda: stopwise.rank("pig", ["hold", late, "hold-at-25"], trials=500),
        lambda: stopwise.rank("pig", ["hold-at-25", policy], rules="solo", trials=10**9),
        lambda: stopwise.rank("pig", ["hold:n=5", fresh], rules="solo", trials=2000),
        lambda: stopwise.balance("pig", [policy, "hold"], variants={"goal": 50}, trials=10**9),
        lambda: stopwise.balance("pig", ["hold", late], variants={"goal": 50}, trials=10**9),
        lambda: stopwise.balance("pig", late, rules="solo", variants={"goal": 50}, trials=10**9),
    ]
    for play in plays:
        with pytest.raises(Mine, match="^no$"):
            play()
    assert stopwise.simulate("pig", "hold", trials=10).summary[0].trials == 10


def test_texts_only(run: Run) -> None:
    with pytest.raises(stopwise.InputError, match="`python:hold` is a function and no text"):
        stopwise.solve("pig", hold, rules="solo")  # type: ignore[arg-type]
    with pytest.raises(stopwise.InputError, match="^resume: `python:hold` is a function"):
        stopwise.rank("pig", [hold, "hold-at-25"], out="out", resume=True)
    with pytest.raises(stopwise.InputError, match="answers in batches"):
        stopwise.simulate("pig", hold, runner="lanes", trials=10)
    with pytest.raises(stopwise.InputError, match="^resume: `python:hold` is a function"):
        stopwise.simulate("pig", hold, out="out", resume=True, trials=10)
    with pytest.raises(stopwise.InputError, match="^shard: `python:hold` is a function"):
        stopwise.sweep("pig", hold, vary_rule={"goal": [50, 60]}, shard=(1, 2))
    with pytest.raises(stopwise.InputError, match="two functions are called `lambda`"):
        stopwise.compare("pig", [lambda batch: 0, lambda batch: 1])  # noqa: ARG005
