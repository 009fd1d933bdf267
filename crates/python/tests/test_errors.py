"""What is refused is refused in the program's words, but for what arguments are called."""

import pickle
from pathlib import Path

import pytest
from conftest import Run

import stopwise
import stopwise.envs

WRONG = {
    "simulate pig -p nope": lambda: stopwise.simulate("pig", "nope"),
    "simulate pigg -p hold": lambda: stopwise.simulate("pigg", "hold"),
    "simulate pig -p hold -n 0": lambda: stopwise.simulate("pig", "hold", trials=0),
    "simulate pig -p hold --trials=abc": lambda: stopwise.simulate("pig", "hold", trials="abc"),
    "simulate pig -p hold --seed=-1": lambda: stopwise.simulate("pig", "hold", seed=-1),
    "simulate pig -p hold --rules=nope": lambda: stopwise.simulate("pig", "hold", rules="nope"),
    "simulate pig -p hold --set=goals=3": lambda: stopwise.simulate("pig", "hold", set={"goals": 3}),
    "simulate pig -p ./nope.toml": lambda: stopwise.simulate("pig", Path("nope.toml")),
    "simulate pig": lambda: stopwise.simulate("pig", []),
    "compare pig -p hold": lambda: stopwise.compare("pig", ["hold"]),
    "rank pig --rules solo -p hold -p hold-at-25 --aim=worst": lambda: stopwise.rank(
        "pig", ["hold", "hold-at-25"], rules="solo", aim="worst"
    ),
    "sweep pig -p hold --vary=n=5..1": lambda: stopwise.sweep("pig", "hold", vary={"n": "5..1"}),
    "solve carcassonne": lambda: stopwise.solve("carcassonne", max_states=10),
    "replay pig -p hold --trial=x": lambda: stopwise.replay("pig", "hold", trial="x"),
}


#: Where the program speaks of an option, what Python says in its place.
TOLD = {
    "simulate pig -p hold -n 0": ("--trials 0", "trials=0"),
    "simulate pig -p hold --trials=abc": ("'--trials <TRIALS>'", "trials"),
    "simulate pig -p hold --seed=-1": ("'--seed <SEED>'", "seed"),
    "simulate pig -p hold --set=goals=3": ("--set", "set"),
    "simulate pig": ("--policy NAME or --policy FILE.toml", 'policy=NAME or policy="FILE.toml"'),
    "compare pig -p hold": ("give --policy again, or two --rules", "name more policies, in a list, or two rules"),
    "rank pig --rules solo -p hold -p hold-at-25 --aim=worst": ("'--aim <AIM>'", "aim"),
    "sweep pig -p hold --vary=n=5..1": ("--vary n=5..1", 'vary={"n": "5..1"}'),
    "replay pig -p hold --trial=x": ("'--trial <N|A..B>'", "trial"),
}


@pytest.mark.parametrize("words", [words for words in WRONG if words != "solve carcassonne"])
def test_same_words(words: str, run: Run) -> None:
    with pytest.raises(stopwise.InputError) as caught:
        WRONG[words]()
    printed = run(*words.replace("./nope", "nope").split())
    assert printed.returncode == 2
    said = printed.stderr.removeprefix("error: ").split("\n\nFor more information")[0].rstrip("\n")
    option, argument = TOLD.get(words, ("", ""))
    assert option in said
    assert str(caught.value) == said.replace(option, argument)


def test_what_is_missing() -> None:
    for argument in ("force", "resume"):
        with pytest.raises(stopwise.InputError, match="^out=DIR is missing: write it, too$"):
            stopwise.simulate("pig", "hold", trials=10, **{argument: True})
    with pytest.raises(stopwise.InputError, match=r"^positions=N\|all and out=DIR are missing: write them, too$"):
        stopwise.solve("pig", positions_format="parquet")


def test_a_text_has_a_place(run: Run, tmp_path: Path) -> None:
    text = 'game = "pig"\nname = "mine"\nstop = "turn_total >= twenty"\n'
    (tmp_path / "policy.toml").write_text(text)
    printed = run("simulate", "pig", "-p", "policy.toml")
    with pytest.raises(stopwise.InputError) as caught:
        stopwise.simulate("pig", text)
    assert printed.stderr == f"error: {caught.value}\n"
    assert (caught.value.file, caught.value.line, caught.value.column) == ("policy.toml", 3, 23)
    assert isinstance(caught.value, ValueError)


def test_mistakes_are_listed() -> None:
    text = 'game = "pig"\nname = "mine"\nstop = "turn_totl >= 20 or goal_lft == 1"\n'
    with pytest.raises(stopwise.InputError) as caught:
        stopwise.simulate("pig", text)
    first, second = caught.value.mistakes
    assert first == stopwise.Mistake("policy.toml", 3, 9, "unknown name `turn_totl`", "did you mean `turn_total`?")
    assert (second.line, second.column, second.help) == (3, 28, "did you mean `goal_left`?")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.mistakes, again.line, str(again)) == (caught.value.mistakes, 3, str(caught.value))
    with pytest.raises(stopwise.InputError) as caught:
        stopwise.envs.make("pig", against=text)
    assert caught.value.mistakes[0][:3] == ("policy.toml", 3, 9)
    with pytest.raises(stopwise.InputError) as caught:
        stopwise.simulate("pig", "nope")
    assert caught.value.mistakes == []


def test_the_second_text_has_a_name_of_its_own() -> None:
    good = 'game = "pig"\nname = "good"\nstop = "turn_total >= 20"\n'
    with pytest.raises(stopwise.InputError) as caught:
        stopwise.compare("pig", [good, good.replace("20", "")], trials=10)
    assert caught.value.file == "policy-2.toml"


def test_what_has_no_place() -> None:
    with pytest.raises(stopwise.InputError, match="unknown policy `nope`") as caught:
        stopwise.simulate("pig", "nope")
    assert (caught.value.file, caught.value.line, caught.value.column) == (None, None, None)


def test_other_errors(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises((stopwise.Error, stopwise.InputError), match="file"):
        stopwise.simulate("pig", "hold", trials=10, out=tmp_path / "file" / "below")


def test_somebodys_files(tmp_path: Path) -> None:
    stopwise.simulate("pig", "hold", trials=10, out=tmp_path / "out")
    with pytest.raises(stopwise.InputError, match="force"):
        stopwise.compare("pig", ["hold", "hold-at-25"], trials=10, out=tmp_path / "out")
    stopwise.compare("pig", ["hold", "hold-at-25"], trials=10, out=tmp_path / "out", force=True)
    assert (tmp_path / "out" / "comparison.csv").exists()


@pytest.mark.parametrize("policy", [3, object(), b"hold"])
def test_wrong_types(policy: object) -> None:
    with pytest.raises(TypeError, match="policy"):
        stopwise.simulate("pig", policy)  # type: ignore[arg-type]


def test_a_name_like_an_option() -> None:
    with pytest.raises(stopwise.InputError, match="unknown game `--help`"):
        stopwise.simulate("--help", "hold")


def test_a_table_is_no_array() -> None:
    import numpy

    table = stopwise.simulate("pig", "hold", rules="solo", trials=100).endings
    with pytest.raises(TypeError, match=r'numpy.asarray\(table\["seed"\]\); pandas takes all of it by DataFrame\(list\(table\)\), or with pyarrow by DataFrame.from_arrow'):
        numpy.asarray(table)
    with pytest.raises(AttributeError, match="endings.csv has no column where; there are: game, rules"):
        table.where


def test_names_are_for_functions() -> None:
    with pytest.raises(stopwise.InputError, match=r"\['hold:n=20', 'hold:n=25'\]"):
        stopwise.compare("pig", {"a": "hold:n=20", "b": "hold:n=25"}, rules="solo")
    learned = {"game": "pig", "name": "own", "stop": "turn_total >= 20"}
    with pytest.raises(stopwise.InputError, match=r"policies as a list, .*: \[learned, 'hold'\]"):
        stopwise.rank("pig", {"learned": learned, "hold": "hold"}, trials=100)
    with pytest.raises(stopwise.InputError, match=r"variants have no names: .* \[\{'goal': 50\}\]"):
        stopwise.balance("pig", ["hold"], variants={"half": {"goal": 50}}, trials=100)


def test_arguments_of_another_kind() -> None:
    for wrong, said in [
        ({"trials": True}, "trials=True: write a value, or leave it out"),
        ({"trials": -5}, "`-5` is less than 0; write"),
        ({"progress": "yes"}, "progress 'yes': write True, False, or a function"),
    ]:
        with pytest.raises(stopwise.InputError, match=said):
            stopwise.simulate("pig", "hold", **{"trials": 100, **wrong})  # type: ignore[arg-type]


def test_a_file_that_is_checked_is_refused_as_the_program_does() -> None:
    text = 'game = "pig"\nname = "n2"\nstop = "turn_totl >= 20"\n'
    with pytest.raises(stopwise.InputError, match="unknown name `turn_totl`(.|\n)*did you mean `turn_total`") as caught:
        stopwise.ask("policy", "check", "n2.toml", texts={"n2.toml": text})
    assert (caught.value.file, caught.value.line, caught.value.column) == ("n2.toml", 3, 9)


def test_one_value_in_place_of_several() -> None:
    for given in ([1000], (1000, 2000), range(3)):
        with pytest.raises(stopwise.InputError, match="trials=.*: write one value in place of several"):
            stopwise.simulate("pig", "hold", trials=given)  # type: ignore[arg-type]
    with pytest.raises(stopwise.InputError, match="seed="):
        stopwise.compare("pig", ["hold", "once"], seed=[1], trials=10)  # type: ignore[arg-type]


def test_warnings_of_what_is_good(tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text('game = "pig"\nname = "mine"\nstop = "turn_total >= 20 || turn_total >= 300"\n')
    checked = stopwise.ask("policy", "check", str(policy))
    assert isinstance(checked, stopwise.Text)
    assert checked.warnings[0].startswith("`turn_total >= 300` is never true under these rules\n")
    assert all(f"warning: {warning}" in checked.notes for warning in checked.warnings)


def test_numbers_that_sums_make() -> None:
    """0.1 + 0.2 is not 0.3 in binary; what has six decimals but for that is what was meant."""
    numpy = pytest.importorskip("numpy")
    policy = "careful"
    options = {"trials": 100, "paired": 10}
    written = stopwise.sweep("carbonite", policy, vary={"limit": "0.1,0.2,0.3"}, **options)
    for levels in (numpy.arange(0.1, 0.35, 0.1), [0.1, 0.2, 0.1 + 0.2], (n / 10 for n in (1, 2, 3)), numpy.linspace(0, 0.3, 4)[1:]):
        assert stopwise.sweep("carbonite", policy, vary={"limit": levels}, **options).json() == written.json()
    for levels in ([1 / 3], numpy.array([0.1, 1 / 3])):
        with pytest.raises(stopwise.InputError, match=r"^vary: limit=0.3333333333333333 has more than six decimals; write 0.333333$") as caught:
            stopwise.sweep("carbonite", policy, vary={"limit": levels}, **options)
        assert caught.value.file is None


def test_words_are_texts_paths_and_numbers(tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text('game = "pig"\nname = "mine"\nstop = "turn_total >= 20"\n')
    assert str(stopwise.ask("policy", "check", policy)) == str(stopwise.ask("policy", "check", str(policy)))
    typed = stopwise.ask("simulate", "pig", "-p", policy, "-n", 100, "--seed", 3)
    assert isinstance(typed, stopwise.Simulation)
    assert typed.json() == stopwise.simulate("pig", policy, trials=100, seed=3).json()
    with pytest.raises(TypeError, match="expected a word, a path or a number, not True"):
        stopwise.ask("simulate", True)


def test_parts_are_missing() -> None:
    with pytest.raises(stopwise.InputError, match="^no parts are named: write the directories of all of them, or their texts$"):
        stopwise.merge()
