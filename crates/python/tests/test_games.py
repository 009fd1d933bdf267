"""Games that are texts: a path, a `Game` and a text stand wherever a game's name does."""

from __future__ import annotations

import pathlib
import pickle

import pytest

import stopwise
from stopwise import envs

GAMES = pathlib.Path(__file__).parents[3] / "games"
ONCE = 'game = "zombie-dice"\nname = "mine"\nsummary = "Stop at n."\nparams = { n = 3 }\nstop = "brains >= n"\n'


def test_a_path_a_game_and_a_text_are_one() -> None:
    path = GAMES / "zombie-dice.game"
    game = stopwise.Game(path)
    assert repr(game).startswith("<stopwise.Game: game zombie-dice ") and "\n" not in repr(game)
    assert game.name == "zombie-dice" and game == stopwise.Game(str(path)) == stopwise.Game(path.read_text())
    means = {
        stopwise.simulate(named, ONCE, rules="one-turn", trials=500).summary[0].mean
        for named in (path, str(path), game, str(game), pickle.loads(pickle.dumps(game)), "zombie-dice")
    }
    assert len(means) == 1


def test_pig_as_a_text_is_pig() -> None:
    text = stopwise.Game(GAMES / "pig.game")
    for name in ("rolls", "busts"):
        rows = [
            [row.mean for row in stopwise.simulate(game, "hold", rules="solo", trials=2000).summary if row.metric == name]
            for game in ("pig", text)
        ]
        assert len(rows[0]) == 1 and rows[0] == rows[1]


def test_every_function_takes_one() -> None:
    game = stopwise.Game(GAMES / "zombie-dice.game")
    assert stopwise.compare(game, ["once", ONCE], rules="one-turn", trials=200).answer
    assert stopwise.rank(game, ["once", ONCE], set={"players": 2}, trials=200).answer
    assert stopwise.sweep(game, ONCE, vary={"n": [2, 3]}, rules="one-turn", trials=200).answer
    assert "brain" in str(stopwise.games(game))
    assert len(stopwise.policies(game)) >= 3
    assert "brains" in stopwise.features(game).word


def test_environments() -> None:
    env = envs.make(stopwise.Game(GAMES / "zombie-dice.game"), rules="one-turn", seed=1)
    observation, info = env.reset(seed=1)
    assert observation is not None and "action_mask" in info


def test_a_game_that_is_not_there() -> None:
    with pytest.raises(stopwise.InputError, match="nowhere.game"):
        stopwise.Game("nowhere.game")
    with pytest.raises(stopwise.InputError, match="line|die|game"):
        stopwise.simulate("game x\nturn\n  nonsense\n", "once")
