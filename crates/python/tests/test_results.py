"""Results, as they show themselves."""

import html
import re

import pytest

import stopwise


def test_repr() -> None:
    result = stopwise.simulate("pig", "hold", trials=1000)
    head, answer = repr(result).split("\n", 1)
    assert head == "<stopwise.Simulation: pig · rules standard · hold:n=20 · 1,000 trials · seed 1"
    assert answer == f" {result.answer}>"


def test_the_page_in_a_frame() -> None:
    result = stopwise.simulate("pig", "hold", trials=1000)
    frame = result._repr_html_()
    source = re.fullmatch(r'<iframe title="[^"]*" srcdoc="([^"]*)" sandbox="([^"]*)" style="[^"]*">(.*)</iframe>', frame)
    assert source
    assert source[3] == f"{html.escape(result.head)}<br>{html.escape(result.answer)}"
    page, style = re.subn("<style>[^<]*</style></head>", "</head>", html.unescape(source[1]))
    assert (page, style) == (result.html(), 1)
    # A page that could reach the notebook would be no page of its own.
    assert "same-origin" not in source[2]


def test_no_such_table() -> None:
    result = stopwise.simulate("pig", "hold", trials=10)
    assert not hasattr(result, "sumary")
    with pytest.raises(AttributeError, match="tables here: summary, distribution"):
        result.comparison  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(KeyError, match="there are: summary"):
        result.csv("nope")
    assert "summary" in dir(result)


def test_what_is_said_besides() -> None:
    result = stopwise.simulate("pig", "hold", trials=500)
    assert result.interrupted is None
    assert any("trials in" in note for note in result.notes)
    assert result.repeat == "stopwise simulate pig --policy hold --trials 500 --seed 1"
    assert result.facts["trials"] == 500


def test_texts_that_a_command_line_names() -> None:
    policy = {"game": "pig", "name": "mine", "stop": "turn_total >= 20"}
    result = stopwise.simulate("pig", policy, trials=10)
    assert result.repeat == (
        "stopwise simulate pig --policy policy.toml --trials 10 --seed 1  # texts has what is to be in policy.toml"
    )
    assert stopwise.simulate("pig", result.texts["policy.toml"], trials=10).csv() == result.csv()
    assert stopwise.simulate("pig", "hold", trials=10).texts == {}


def test_shorter_on_purpose() -> None:
    result = stopwise.simulate("pig", "hold", trials=5000, stop_after=1000)
    assert "--stop-after 1000" in result.repeat
    assert result.summary[0].trials == 1000


def test_a_text_shows_itself() -> None:
    told = stopwise.games("pig")
    assert isinstance(told, str)
    assert repr(told) == told.rstrip("\n")


def test_a_seed_that_nobody_has_chosen() -> None:
    results = [stopwise.simulate("pig", "hold", trials=100, seed=None) for _ in range(3)]
    assert len({result.facts["seed"] for result in results}) == 3
    again = stopwise.simulate("pig", "hold", trials=100, seed=results[0].facts["seed"])  # type: ignore[arg-type]
    assert again.json() == results[0].json()


def test_a_budget_of_time() -> None:
    result = stopwise.simulate("pig", "hold", budget=0.2)
    assert 0 < result.summary[0].trials
    assert "--stop-after" in result.repeat


def test_a_position_is_a_text_or_a_dictionary() -> None:
    said = stopwise.advise("pig", "turn_total=1", rules="piglet").answer
    assert stopwise.advise("pig", {"turn_total": 1}, rules="piglet").answer == said


def test_no_command_line_names_a_function() -> None:
    def mine(batch: stopwise.Batch) -> object:
        assert repr(batch).startswith(f"<stopwise.Batch: {len(batch)} questions (stop) with the features score, turn_total")
        return batch.features["turn_total"] >= 20

    assert stopwise.simulate("pig", mine, rules="solo", trials=100).repeat is None
    assert stopwise.simulate("pig", "hold", trials=100).repeat == "stopwise simulate pig --policy hold --trials 100 --seed 1"
