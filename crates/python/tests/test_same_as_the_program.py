"""The program and the module say the same, byte for byte."""

import json
from pathlib import Path

import pytest
from calls import CALLS, Same
from conftest import ROOT, Run

import stopwise


@pytest.mark.parametrize("same", CALLS.values(), ids=CALLS)
def test_files(same: Same, run: Run, tmp_path: Path) -> None:
    words = same.words.split()
    assert run(*words, "--out", "theirs", "--quiet").returncode in (0, 130)
    result = same.call(out="ours")
    theirs = {path.name: path.read_bytes() for path in (tmp_path / "theirs").iterdir()}
    ours = {path.name: path.read_bytes() for path in (tmp_path / "ours").iterdir()}
    assert ours.keys() == theirs.keys()
    # They have times, and the words as they were.
    for timed in {"manifest.json", "solution.json"} & theirs.keys():
        documents = [json.loads(files.pop(timed)) for files in (ours, theirs)]
        for document in documents:
            for name in ("command_line", "wall_seconds", "cpu_seconds", "seconds"):
                document.pop(name, None)
        assert documents[0] == documents[1]
    assert ours == theirs
    tables = {name: result.csv(name) for name in result.files}
    files = {name for name in theirs if name.endswith(".csv")}
    assert {name: tables[name] for name in files} == {name: theirs[name] for name in files}
    # JSON alone has these.
    assert tables.keys() - files <= {"cycles.csv", "divergent.csv", "unsettled.csv"}
    assert result.html().encode() == theirs["report.html"]


def test_advice(run: Run) -> None:
    printed = run("advise", "pig", "--rules", "piglet", "--state", "turn_total=1", "--format", "csv").stdout
    result = stopwise.advise("pig", "turn_total=1", rules="piglet")
    assert result.csv("advice.csv") == printed.encode()
    assert [row.choice for row in result.advice] == ["roll again", "hold"]


def test_a_table_of_best_play(run: Run) -> None:
    asked = {"rules": "solo", "set": ["goal=20"], "table": "turn_total,score", "positions": 10}
    result = stopwise.solve("pig", **asked)
    words = ["--rules", "solo", "--set", "goal=20", "--table", "turn_total,score", "--positions", "10"]
    printed = run("solve", "pig", *words, "--quiet", "--format", "json").stdout
    assert result.json() == printed
    assert len(result.decisions) > 0
    assert len(result.solution_positions) == 10


@pytest.mark.parametrize("same", CALLS.values(), ids=CALLS)
def test_formats(same: Same, run: Run) -> None:
    result = same.call()
    words = same.words.split()
    # On a terminal the long reports of `balance` end after a screen.
    words += ["--all"] if words[0] == "balance" else []
    printed = {form: run(*words, "--quiet", "--format", form).stdout for form in ("table", "csv", "json", "markdown", "svg")}
    assert str(result) == printed["table"]
    assert result.csv() == printed["csv"].encode()
    assert result.json() == printed["json"]
    assert result.markdown() == printed["markdown"]
    assert (result.svg() or "") == printed["svg"]
    assert result.to_dict()["answer"] == json.loads(printed["json"])["answer"]


@pytest.mark.parametrize("same", CALLS.values(), ids=CALLS)
def test_tables_have_annotations(same: Same) -> None:
    """What an editor offers is what there is."""
    result = same.call()
    known = type(result).__annotations__
    assert set(result.tables) <= set(known), "tables without an annotation"
    for name, table in result.tables.items():
        assert getattr(result, name) is table


def test_threads_change_nothing() -> None:
    one = stopwise.simulate("freeze", "always", trials=20_000, threads=1)
    three = stopwise.simulate("freeze", "always", trials=20_000, threads=3)
    assert one.html() == three.html()


def test_replay(run: Run) -> None:
    words = ["replay", "icedice", "-p", "racer", "--trial", "3..5", "--seed", "9"]
    replay = stopwise.replay("icedice", "racer", trial=range(3, 6), seed=9)
    assert str(replay) == run(*words).stdout
    assert replay.games == [json.loads(line) for line in run(*words, "--json").stdout.splitlines()]
    words = ["replay", "pig", "-p", "hold", "-p", "hold-at-25", "--rotate", "--trial", "1", "--turn", "2..3"]
    replay = stopwise.replay("pig", ["hold", "hold-at-25"], rotate=True, trial=1, turn="2..3")
    assert str(replay) == run(*words).stdout
    assert replay.games == [json.loads(run(*words, "--json").stdout)]


def test_lists(run: Run) -> None:
    lists = {
        "games": stopwise.games(),
        "policy list": stopwise.policies(),
        "policy list pig": stopwise.policies("pig"),
        "policy features carbonite": stopwise.features("carbonite"),
        "policy features pig --rules solo --set goal=9": stopwise.features("pig", rules="solo", set={"goal": 9}),
        "columns": stopwise.ask("columns"),
        "rules list": stopwise.ask("rules", "list"),
    }
    for words, table in lists.items():
        assert isinstance(table, stopwise.Table)
        assert table.csv().decode() == run(*words.split(), "--format", "csv").stdout, words


def test_texts(run: Run) -> None:
    for words in ("games pig", "policy explain tidy", "policy show hold", "rules show carbonite --set turns=5"):
        assert str(stopwise.ask(*words.split())) == run(*words.split()).stdout
    assert stopwise.games("freeze") == run("games", "freeze").stdout


def test_command_lines_as_they_are(run: Run) -> None:
    words = CALLS["compare"].words.split()
    result = stopwise.ask(*words)
    assert isinstance(result, stopwise.Comparison)
    assert str(result) == run(*words, "--quiet").stdout


def test_rows_of_trials(run: Run, tmp_path: Path) -> None:
    for name in ("rows.csv", "rows.parquet"):
        run("simulate", "pig", "-p", "hold", "-n", "2k", "--trials-out", f"their-{name}")
        result = stopwise.simulate("pig", "hold", trials=2000, trials_out=tmp_path / f"our-{name}")
        assert (tmp_path / f"our-{name}").read_bytes() == (tmp_path / f"their-{name}").read_bytes()
        assert any(f"our-{name}" in note for note in result.notes)


def test_texts_are_files(run: Run, tmp_path: Path) -> None:
    """A policy as text, as a file, as a mapping, and its rules."""
    policy = '"game" = "pig"\n"name" = "mine"\n"stop" = "turn_total >= k"\n"params" = { "k" = 22 }\n'
    rules = '"game" = "pig"\n"name" = "short"\n"base" = "solo"\n"goal" = 40\n"bust_faces" = [1, 2]\n'
    (tmp_path / "policy.toml").write_text(policy)
    (tmp_path / "rules.toml").write_text(rules)
    printed = run("simulate", "pig", "-p", "policy.toml", "--rules", "rules.toml", "-n", "1k", "--format", "html").stdout
    mapping = {"game": "pig", "name": "mine", "stop": "turn_total >= k", "params": {"k": 22}}
    changed = {"game": "pig", "name": "short", "base": "solo", "goal": 40, "bust_faces": [1, 2]}
    from_files = stopwise.simulate("pig", tmp_path / "policy.toml", rules=tmp_path / "rules.toml", trials=1000)
    for file in tmp_path.iterdir():
        file.unlink()
    assert stopwise.simulate("pig", policy, rules=rules, trials=1000).html() == printed
    assert stopwise.simulate("pig", mapping, rules=changed, trials=1000).html() == printed
    # It has other words to repeat it.
    assert from_files.csv() == stopwise.simulate("pig", policy, rules=rules, trials=1000).csv()


def test_targets_as_text(run: Run, tmp_path: Path) -> None:
    words = "balance carbonite -p first -p tidy --variant turns=5 --targets targets.toml -n 1k --format json"
    printed = run(*words.split()).stdout
    assert (tmp_path / "targets.toml").unlink() is None
    targets = {"mean turns": "8 to 10"}
    result = stopwise.balance("carbonite", ["first", "tidy"], variants={"turns": 5}, targets=targets, trials=1000)
    assert result.json() == printed


def test_the_page_of_the_results_folder() -> None:
    """A reference report, as the module has it."""
    page = ROOT / "results" / "carbonite" / "summary.csv"
    ours = stopwise.simulate("carbonite", "second-tree").csv("summary").decode().splitlines()
    assert ours[1] in page.read_text().splitlines()
