"""Results, tables, texts and environments that are copied and pickled."""

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np
import pyarrow
import pytest

import stopwise
from stopwise import envs


def pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


#: What makes one of another.
WAYS: list[Callable[[Any], Any]] = [pickled, copy.copy, copy.deepcopy]


@pytest.mark.parametrize("way", WAYS)
def test_results(way: Callable[[Any], Any]) -> None:
    for result in (
        stopwise.simulate("pig", "hold", trials=500, above=3),
        stopwise.sweep("pig", "hold", rules="solo", vary={"n": [15, 20]}, trials=500),
        stopwise.solve("pig", rules="piglet"),
    ):
        again = way(way(result))
        assert type(again) is type(result)
        assert (repr(again), str(again), again.html(), again.json()) == (repr(result), str(result), result.html(), result.json())
        assert (again.svg(), again.markdown(), again.facts) == (result.svg(), result.markdown(), result.facts)
        assert (again.notes, again.warnings, again.repeat) == (result.notes, result.warnings, result.repeat)
        for name in result.files:
            assert again.csv(name) == result.csv(name)


@pytest.mark.parametrize("way", WAYS)
def test_tables_and_rows(way: Callable[[Any], Any]) -> None:
    for table in (stopwise.simulate("pig", "hold", trials=500).summary, stopwise.games()):
        again = way(table)
        assert again.csv() == table.csv()
        assert again.explain(table.columns[0]) == table.explain(table.columns[0])
        assert pyarrow.table(again).equals(pyarrow.table(table), check_metadata=True)
        assert way(table[0]) == table[0]


@pytest.mark.parametrize("way", WAYS)
def test_texts(way: Callable[[Any], Any]) -> None:
    parts = [way(stopwise.simulate("pig", "hold", trials=500, shard=(number, 2))) for number in (1, 2)]
    assert stopwise.merge(*parts).csv() == stopwise.simulate("pig", "hold", trials=500).csv()
    replay = stopwise.replay("pig", "hold")
    again = way(replay)
    assert (type(again), again, repr(again), again.games) == (type(replay), replay, repr(replay), replay.games)


def part(number: int) -> stopwise.Text:
    return stopwise.simulate("pig", "hold", trials=500, shard=(number, 3))


def test_parts_from_other_processes() -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        parts = list(pool.map(part, (1, 2, 3)))
    assert stopwise.merge(*parts).csv() == stopwise.simulate("pig", "hold", trials=500).csv()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", ["pig", "carbonite"])
def test_an_environment(way: Callable[[Any], Any], game: str) -> None:
    """A copy goes on as its original does, and neither moves the other."""
    env = envs.make(game, rules={"pig": "solo", "carbonite": "wiki"}[game], seed=3)
    env.action_space.seed(5)
    assert (way(env).reset()[0] == envs.make(game, rules=env._tables.setup.rules, seed=3).reset()[0]).all()
    env.reset()
    for _ in range(4):
        env.step(env.action_space.sample())
    again = way(env)

    def rest(env: Any) -> list[Any]:
        told: list[Any] = []
        for _ in range(300):
            observation, reward, ended, _, info = env.step(env.action_space.sample())
            told.append((observation.tolist(), reward, ended, info["trial"], info["action_mask"].tolist()))
            if ended:
                env.reset()
        return [*told, env.actions]

    assert rest(again) == rest(env)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_environments_side_by_side(way: Callable[[Any], Any], mode: str) -> None:
    env = envs.make_vec("pig", 5, rules="solo", seed=3, autoreset_mode=mode)
    env.action_space.seed(5)
    env.reset()
    # Some games have ended just now.
    ended = np.zeros(5, bool)
    while not ended.any():
        _, _, ended, _, _ = env.step(env.action_space.sample())
    again = way(env)
    for _ in range(200):
        one, other = (env.step(env.action_space.sample()) for env in (env, again))
        for mine, theirs in zip(one[:3], other[:3]):
            assert (mine == theirs).all()
        assert (one[4]["trial"] == other[4]["trial"]).all()


@pytest.mark.parametrize("way", WAYS)
def test_seats(way: Callable[[Any], Any]) -> None:
    env = envs.aec("icedice", seed=3)
    env.reset()

    def step(env: Any) -> tuple[Any, ...]:
        shown, _, ended, _, _ = env.last()
        env.step(None if ended else int(np.flatnonzero(shown["action_mask"])[-1]))
        return env.agent_selection, shown["observation"].tolist(), shown["action_mask"].tolist(), dict(env.rewards)

    for _ in range(5):
        step(env)
    again = way(env)
    assert [step(again) for _ in range(20)] == [step(env) for _ in range(20)]
