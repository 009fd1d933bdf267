"""The variables of a state that environments show, by the positions that replays of the same games write."""

import re
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test

import stopwise
from stopwise import envs

#: Arrays, dice and cards, names, what is of every player, and who is asked while another plays.
GAMES = ["cant-stop", "farkle", "dead-mans-draw", "zombie-dice", "incan-gold", "bank", "pickomino", "yahtzee"]
COLUMN = re.compile(r"(?:(?P<who>own|other\d)\.)?(?P<what>[\w.]+)(?:\[(?P<part>.*)\])?")


def after(player: str) -> int:
    return 0 if player == "own" else int(player.removeprefix("other"))


def number(text: str) -> float:
    return {"no": 0, "yes": 1}.get(text) if text in ("no", "yes") else int(text)  # type: ignore[return-value]


#: What bags hold at most, of those that positions write by what is gone; of all others cells are yes or no.
DICE = {"green_die": 6, "yellow_die": 4, "red_die": 3}
CARDS = {name: 1 for name in ("1", "2", "3", "4", "9", "13", "14", "15", "17")}
CARDS |= {"5": 2, "7": 2, "11": 2} | dict.fromkeys(("snakes", "spiders", "mummies", "fire", "rocks"), 3)
WHOLE = {"cup": DICE, "hand": DICE, "eaten": DICE, "cards": CARDS, "deck": CARDS}


def by_name(text: str, names: list[str], whole: dict[str, int]) -> dict[str, float]:
    """What lies in a bag, `2*brain+shot`, or the cells of an array by their names: `21,25..27`, `7:2,9:1`, `not:30`, `all`."""
    is_not = text.startswith("not:")
    if text == "all":
        return {name: whole.get(name, 1) for name in names}
    rest = text.removeprefix("not:")
    words = [] if rest == "none" else re.split("[,+]", rest)
    given: dict[str, float] = {}
    for word in words:
        name, _, value = word.partition(":")
        many, _, name = name.rpartition("*")
        first, _, last = name.partition("..")
        for at in range(names.index(first), names.index(last or first) + 1):
            given[names[at]] = number(value) if value else int(many or 1)
    return {name: whole.get(name, 1) - given.get(name, 0) if is_not else given.get(name, 0.0) for name in names}


def values(what: str, text: str, parts: list[str | None], seat: int, seats: int) -> list[float]:
    """What columns show of this part of a position, as a seat sees it."""
    if parts == [None]:
        return [number(text)]
    of_players = all(part and part.startswith(("own", "other")) for part in parts)
    cells = [str(part) for part in parts]
    if of_players:
        cells = [str((seat + after(cell)) % seats + 1) for cell in cells]
    cells = [cell.replace(", ", "-").replace(" ", "-") for cell in cells]
    elements = text.split(",")
    is_plain = all(element.lstrip("-").isdigit() or element in ("yes", "no") for element in elements)
    if len(elements) == len(cells) and is_plain:
        in_order = sorted(cells) if of_players else cells
        given = dict(zip(in_order, map(number, elements), strict=True))
    else:
        given = by_name(text, sorted(cells) if of_players else cells, WHOLE.get(what, {}))
    return [given[cell] for cell in cells]


def told(position: str, names: tuple[str, ...], seat: int, seats: int) -> dict[str, float]:
    """What a position says of these columns."""
    given = dict(word.split("=", 1) for word in position.split())
    groups: dict[tuple[str | None, str], list[str]] = {}
    for name in names:
        match = COLUMN.fullmatch(name)
        assert match
        groups.setdefault((match["who"], match["what"]), []).append(name)
    shown: dict[str, float] = {}
    for (who, what), columns in groups.items():
        if what.startswith("game.") or what in ("seat", "decision", "to_play"):
            continue
        parts = [match["part"] for match in map(COLUMN.fullmatch, columns) if match]
        text = given.get(what)
        if text is not None and who:
            text = text.split("/")[(seat + after(who)) % seats]
        shown.update(zip(columns, [0.0] * len(parts) if text is None else values(what, text, parts, seat, seats), strict=True))
    decision = f"decision[{given.get('decision')}{'.' + given['place'] if 'place' in given else ''}]"
    shown.update({name: float(name == decision) for name in names if name.startswith("decision")})
    shown.update({f"seat[{other + 1}]": float(other == seat) for other in range(seats) if f"seat[{other + 1}]" in names})
    return shown


@pytest.mark.parametrize("game", GAMES)
def test_what_replays_say(game: str) -> None:
    env = envs.aec(game, observe="state", seed=4)
    names, seats = env.feature_names, len(env.possible_agents)
    space = env.observation_space("seat_1")["observation"]
    rng = np.random.default_rng(1)
    for _ in range(3):
        env.reset()
        seen = []
        while not env.terminations[env.agent_selection]:
            agent = env.agent_selection
            observation = env.observe(agent)
            assert space.contains(observation["observation"])
            seen.append((env.possible_agents.index(agent), observation["observation"].tolist()))
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
        steps = env.replay().games[0]["steps"]
        asked = [step for step in steps if len(step.get("possible", ())) > 1]
        assert len(asked) == len(seen) > 0
        for step, (seat, row) in zip(asked, seen, strict=True):
            assert step["seat"] == seat + 1
            expected = told(step["position"], names, seat, seats)
            shown = dict(zip(names, row, strict=True))
            assert {name: shown[name] for name in expected} == expected


def test_what_the_rules_count() -> None:
    """The round, and how many turns are left, of which positions do not tell."""
    env = envs.aec("incan-gold", observe="state", seed=2)
    env.reset()
    rounds = []
    while not any(env.terminations.values()):
        observation = env.observe(env.agent_selection)
        rounds.append(dict(zip(env.feature_names, observation["observation"].tolist()))["game.round"])
        env.step(int(np.flatnonzero(observation["action_mask"])[-1]))
    assert sorted(set(rounds)) == [1, 2, 3, 4, 5] == list(dict.fromkeys(rounds))
    env = envs.make("farkle", observe="state", against="by-dice", set={"goal": 500}, seed=3)
    for _ in range(20):
        observation, info = env.reset()
        ended, left = False, 0.0
        while not ended:
            shown = dict(zip(env.feature_names, observation.tolist()))
            left = shown["game.turns_left"]
            assert (left > 0) == (max(shown["own.score"], shown["other1.score"]) >= 500)
            observation, _, ended, _, info = env.step(env.action_space.sample(info["action_mask"]))


@pytest.mark.parametrize("game", ["cant-stop", "dead-mans-draw"])
def test_single_and_side_by_side(game: str) -> None:
    """With features behind them or without, each game shows what it shows by itself."""
    feature = {"cant-stop": "steps", "dead-mans-draw": "cards_in_row"}[game]
    for features in (None, [feature]):
        several = envs.make_vec(game, 3, rules="solo", seed=5, observe="state", features=features, autoreset_mode="Disabled")
        alone = [envs.make(game, rules="solo", seed=5, observe="state", features=features) for _ in range(3)]
        assert several.feature_names == alone[0].feature_names
        assert (several.feature_names[-1] == feature) == (features is not None)
        observations, info = several.reset()
        shown = [env.reset(options={"trial": trial})[0] for trial, env in enumerate(alone)]
        over = np.zeros(3, bool)
        while not over.all():
            assert observations.dtype == np.float32
            assert (observations == np.array(shown)).all()
            assert several.observation_space.contains(observations)
            actions = several.action_space.sample()
            observations, _, ended, _, info = several.step(actions)
            for place in np.flatnonzero(~over):
                shown[place] = alone[place].step(int(actions[place]))[0]
            over |= ended


@pytest.mark.filterwarnings("ignore:.*is illegal here")
def test_the_checkers() -> None:
    for name in ("stopwise/CantStop-v0", "stopwise/Farkle-v0"):
        check_env(gymnasium.make(name, observe="state", mask_in_observation=True).unwrapped)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(envs.aec("zombie-dice", observe="state", candidates=True), num_cycles=200)


def test_own_games_and_errors(tmp_path: Path) -> None:
    text = """game doubler
player score = 0 in 0..200
turn
  let pot = 1 in 1..64
  repeat
    ask stop
      score += pot
      end turn
    roll coin = 1 c
    if coin == 1: bust
    if pot < 64: pot = pot * 2
die c = 1..2
end won when score >= 20
win most score
alone least turns
option players = 2 in 1..2
"""
    path = tmp_path / "doubler.game"
    path.write_text(text)
    env = envs.aec(path, observe="state")
    assert env.feature_names == ("seat[1]", "seat[2]", "own.score", "other1.score", "pot")
    env = envs.make(path, set={"players": 1}, observe="state")
    assert env.feature_names == ("score", "pot")
    assert env.observation_space.high.tolist() == [200, 64]
    for make in (envs.make, envs.aec):
        with pytest.raises(stopwise.InputError, match="observe 'state': carbonite is not written as a text"):
            make("carbonite", observe="state")
    with pytest.raises(stopwise.InputError, match="observe 'all': write 'features' or 'state'"):
        envs.make("cant-stop", observe="all")  # type: ignore[arg-type]


def test_functions_see_the_same() -> None:
    """What a function is shown in a trial is what an environment shows that plays the same."""
    shown: dict[int, list[list[float]]] = {}
    names: tuple[str, ...] = ()

    def last(batch: stopwise.Batch) -> Any:
        nonlocal names
        names = batch.state_names
        for trial, row in zip(batch.trial.tolist(), batch.state.tolist()):
            shown.setdefault(trial, []).append(row)
        return batch.action_mask.shape[1] - 1 - batch.action_mask[:, ::-1].argmax(1)

    stopwise.simulate("dead-mans-draw", [last, "odds"], trials=20, seed=6, threads=1)
    env = envs.make("dead-mans-draw", against="odds", observe="state", seed=6)
    assert names == env.feature_names
    for trial in range(20):
        observation, info = env.reset(options={"trial": trial})
        rows, ended = [], False
        while not ended:
            rows.append(observation.tolist())
            observation, _, ended, _, info = env.step(int(np.flatnonzero(info["action_mask"])[-1]))
        assert rows == shown[trial]

    def read(batch: stopwise.Batch) -> Any:
        return batch.state

    with pytest.raises(stopwise.InputError, match="state: this game is not written as a text"):
        stopwise.simulate("pig", read, trials=20)
