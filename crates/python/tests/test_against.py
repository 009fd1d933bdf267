"""Environments of one agent in a game with several seats: the games are those of the same line-up in the program."""

import copy
import csv
import itertools
import pickle
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import stopwise
from stopwise import envs


def wins(game: str, lineup: list[str], trials: int, **options: Any) -> dict[tuple[int, int], float]:
    """What a seat has won of a trial, as the program says."""
    stopwise.simulate(game, lineup, trials=trials, trials_out="rows.csv", **options)
    with Path("rows.csv").open() as file:
        return {(int(row["trial"]), int(row["seat"])): float(row.get("share", row["win"])) for row in csv.DictReader(file)}


def hold(env: Any, observation: Any, n: int) -> Any:
    """Pig's `hold`, from what is observed."""
    shown = dict(zip(env.feature_names, observation.T))
    return (shown["turn_total"] >= n) | (shown["turn_total"] >= shown["goal_left"])


@pytest.mark.parametrize("seat", [1, 2])
def test_one_against_another(seat: int) -> None:
    trials = 200
    lineup = ["hold:n=18", "hold-at-25"] if seat == 1 else ["hold-at-25", "hold:n=18"]
    expected = wins("pig", lineup, trials, seed=6)
    env = envs.make("pig", against="hold-at-25", seat=seat, seed=6)
    observation, info = env.reset()
    while info["trial"] < trials:
        trial, ended, total = info["trial"], False, 0.0
        while not ended:
            observation, reward, ended, _, info = env.step(int(hold(env, observation, 18)))
            total += float(reward)
        assert total == info["score"] == expected[trial, seat]
        if trial == 0:
            told = [step for step in str(env.replay()).splitlines() if "hold" in step or "agent" in step]
            assert any("hold-at-25" in line for line in told)
        observation, info = env.reset()


def test_an_opponent_by_chance() -> None:
    """It draws as in the program, also in a copy that goes on, and is asked once for each decision."""
    mixed = 'game = "goofspiel"\nname = "bluff"\nbid = "chance(0.5) ? cards : chance(1 / 3) ? prize : 1"'
    expected = wins("goofspiel", ["high", mixed], 40, seed=3)
    env = envs.make("goofspiel", against=mixed, seed=3)
    _, info = env.reset()
    while info["trial"] < 40:
        trial, ended, total, copied, seen = info["trial"], False, 0.0, None, 0.0
        for turn in itertools.count():
            if turn == 5:
                copied = copy.deepcopy(env)
            action = max(np.flatnonzero(env.action_masks()))
            _, reward, ended, _, info = env.step(int(action))
            total += float(reward)
            if copied is not None:
                seen += float(copied.step(int(action))[1])
            if ended:
                break
        assert total == expected[trial, 1]
        assert seen == total
        _, info = env.reset()


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_several_side_by_side(mode: AutoresetMode) -> None:
    """Three players, one of them the agent, in many games."""
    n, trials, seat = 16, 300, 2
    options: dict[str, Any] = {"set": {"players": 3, "goal": 60}, "seed": 9}
    expected = wins("pig", ["hold:n=15", "hold:n=20", "hold-at-25"], trials, **options)
    env = envs.make_vec("pig", n, against=["hold:n=15", "hold-at-25"], seat=seat, autoreset_mode=mode, **options)
    observations, info = env.reset()
    seen: dict[int, int] = {}
    while len(seen) < trials / 2:
        before = info["trial"]
        observations, rewards, ended, _, info = env.step(hold(env, observations, 20))
        for place in np.flatnonzero(ended):
            seen[int(before[place])] = int(info["score"][place])
            assert rewards[place] == info["score"][place]
        if mode == AutoresetMode.DISABLED and ended.any():
            observations, info = env.reset(options={"reset_mask": ended})
    for trial, won in seen.items():
        if trial < trials:
            assert won == expected[trial, seat], trial


def test_a_game_that_is_a_text() -> None:
    """Farkle, with what may be read of candidates: the agent keeps what pays most, as `bank-at` does."""
    trials = 60
    options: dict[str, Any] = {"set": {"goal": 2000}, "seed": 2}
    expected = wins("farkle", ["by-dice", "bank-at"], trials, **options)
    env = envs.make("farkle", against="by-dice", seat=2, candidates=["pays", "used"], mask_in_observation=True, **options)
    shown, info = env.reset()
    while info["trial"] < trials:
        trial, ended = info["trial"], False
        while not ended:
            features = dict(zip(env.feature_names, shown["observation"]))
            legal = np.flatnonzero(shown["action_mask"])
            stop = len(shown["action_mask"]) - 2
            if legal[0] >= stop:
                action = stop + int(features["points"] >= min(500, features["goal_left"]))
            else:
                pays, used = shown["candidates"][legal].T
                action = int(legal[np.lexsort((used, -pays))[0]])
            shown, _, ended, _, info = env.step(action)
        assert info["score"] == expected[trial, 2], trial
        shown, info = env.reset()


def test_texts_and_registered_names() -> None:
    text = 'game = "pig"\nname = "mine"\nstop = "turn_total >= 12 || turn_total >= goal_left"\n'
    expected = wins("pig", ["hold:n=30", text], 50)
    for env in (
        envs.make("pig", against=text),
        envs.make("pig", against=[{"game": "pig", "name": "mine", "stop": "turn_total >= 12 || turn_total >= goal_left"}]),
        gymnasium.make("stopwise/Pig-v0", rules="standard", against=text).unwrapped,
    ):
        for trial in range(5):
            observation, _ = env.reset()
            ended = False
            while not ended:
                observation, reward, ended, _, _ = env.step(int(hold(env, observation, 30)))
            assert reward == expected[trial, 1]


def test_copies() -> None:
    env = envs.make("pig", against="hold", seat=2, rewards="decisions")
    env.reset()
    for _ in range(4):
        env.step(0)
    for again in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert (again.unwrapped._shown() == env._shown()).all()
        assert again.actions == env.actions


def test_what_is_wrong() -> None:
    with pytest.raises(stopwise.InputError, match="has 2 seats .* say who plays in the others by against="):
        envs.make("pig")
    with pytest.raises(stopwise.InputError, match="^against: you are alone in this game under these rules"):
        envs.make("pig", rules="solo", against="hold")
    with pytest.raises(stopwise.InputError, match="^against: there is one other seat; give it once"):
        envs.make("pig", against=["hold", "hold"])
    with pytest.raises(stopwise.InputError, match="^seat=3: the seats are 1 to 2"):
        envs.make("pig", against="hold", seat=3)
    with pytest.raises(stopwise.InputError, match="seat 2: say who plays in the others by against="):
        envs.make("pig", seat=2)
    with pytest.raises(stopwise.InputError, match="unknown policy `nope`"):
        envs.make_vec("pig", 2, against="nope")
    with pytest.raises(stopwise.InputError, match="against: functions play no seat"):
        envs.make("pig", against=lambda batch: batch.legal)  # type: ignore[arg-type]


def test_rewards_without_what_was_before() -> None:
    """Solo Pig costs a turn for each, and the first decision says in which it is: what is left out are those up to it."""
    left_out = 0
    for trial in range(40):
        sums = {}
        for rewards in ("game", "decisions"):
            env = envs.make("pig", rules="solo", rewards=rewards)
            observation, _ = env.reset(options={"trial": trial})
            begun, ended, sums[rewards] = dict(zip(env.feature_names, observation))["turn"], False, 0.0
            while not ended:
                observation, reward, ended, _, info = env.step(int(hold(env, observation, 20)))
                sums[rewards] += float(reward)
        assert sums["game"] == -info["score"]
        assert sums["decisions"] == begun - info["score"]
        left_out += begun > 1
    assert left_out > 2
    many = envs.make_vec("pig", 4, rules="solo", rewards="decisions", autoreset_mode="SameStep")
    observations, info = many.reset()
    begun, total = observations[:, many.feature_names.index("turn")].copy(), np.zeros(4)
    for _ in range(300):
        observations, reward, ended, _, info = many.step(hold(many, observations, 20))
        total += reward
        if ended.any():
            assert (total[ended] == begun[ended] - info["score"][ended]).all()
        begun[ended], total[ended] = observations[ended, many.feature_names.index("turn")], 0.0
    with pytest.raises(stopwise.InputError, match="rewards 'all': write 'game' or 'decisions'"):
        envs.make("pig", rules="solo", rewards="all")
