"""What environments and functions see of candidates: by points counted here, and by the policies that read the same numbers."""

import csv
import re
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test

import stopwise
from stopwise import Batch, envs

#: What is read of dice that are set aside.
OF_DICE = ("uses_all", "pays", "used")


def points(dice: list[int]) -> int:
    """What Farkle pays for dice, as its rules on paper say: the most that they can be counted as."""
    counts = Counter(dice)
    if sorted(dice) == [1, 2, 3, 4, 5, 6]:
        return 1500
    if len(dice) == 6 and all(count in (2, 4) for count in counts.values()):
        return 1500
    total = 0
    for face, count in counts.items():
        of_three = 1000 if face == 1 else 100 * face
        single = {1: 100, 5: 50}.get(face, 0)
        total += of_three * (count - 2) if count > 2 else single * count
    return total


def dice_of(name: str) -> list[int]:
    """The dice that a choice is called by, such as `2*1+5`."""
    parts = re.findall(r"(?:(\d+)\*)?(\d)", name)
    return [int(face) for many, face in parts for _ in range(int(many or 1))]


def test_what_dice_pay() -> None:
    """Of every part of a roll: what it pays, how many dice it has, and whether these are all."""
    env = envs.make("farkle", rules="one-turn", candidates=True)
    assert env.candidate_names == OF_DICE
    looked = 0
    for _ in range(60):
        shown, info = env.reset()
        ended = False
        while not ended:
            candidates, mask = shown["candidates"], info["action_mask"]
            assert candidates.shape == (65, 3)
            assert not candidates[mask == 0].any()
            left = dict(zip(env.feature_names, shown["observation"]))["left"]
            for action, name in env._tables.core.legal_actions(0):
                if not env.action_names[action].startswith("keep"):
                    assert not candidates[action].any()
                    continue
                dice = dice_of(name)
                assert candidates[action].tolist() == [len(dice) == left, points(dice), len(dice)], name
                looked += 1
            shown, _, ended, _, info = env.step(env.action_space.sample())
    assert looked > 200


def by_dice(env: Any, shown: Any) -> int:
    """The answer of Farkle's `by-dice`, from what is observed and nothing else."""
    features = dict(zip(env.feature_names, shown["observation"]))
    is_legal = shown["action_mask"] == 1
    of = dict(zip(env.candidate_names, shown["candidates"].T))
    stop = len(is_legal) - 2
    if is_legal[stop + 1]:
        least = {1: 350, 2: 250, 3: 450, 4: 1050, 5: 3100}.get(int(features["left"]), np.inf)
        return stop + int(features["points"] >= min(least, features.get("goal_left", 10_000)))
    return best(is_legal, of)


def best(is_legal: Any, of: dict[str, Any]) -> int:
    """The first of the candidates that `by-dice` prefers: `uses_all`, `most pays - 90 * used`, `least used`."""
    left = np.flatnonzero(is_legal)
    for wanted in (of["uses_all"], of["pays"] - 90 * of["used"], -of["used"]):
        left = left[wanted[left] == wanted[left].max()]
    return int(left[0])


def scores(policy: Any, trials: int, **options: Any) -> list[int]:
    """What a policy scores in each trial, as the program says."""
    stopwise.simulate("farkle", policy, trials=trials, trials_out="rows.csv", **options)
    with Path("rows.csv").open() as file:
        return [int(row["points"]) for row in csv.DictReader(file)]


def test_a_policy_from_what_is_observed() -> None:
    """A policy that lists what candidates are worth plays, from observations alone, the games that it plays in the program."""
    trials = 300
    expected = scores("by-dice", trials, rules="one-turn", seed=4)
    env = envs.make("farkle", rules="one-turn", seed=4, metric="points", candidates=True, mask_in_observation=True)
    played = {}
    shown, info = env.reset()
    while info["trial"] < trials:
        trial, ended, total = info["trial"], False, 0.0
        while not ended:
            shown, reward, ended, _, info = env.step(by_dice(env, shown))
            total += float(reward)
        played[trial] = info["score"]
        assert total == info["score"]
        shown, info = env.reset()
    assert len(played) > trials / 2
    assert played == {trial: expected[trial] for trial in played}
    # The rest lost all by their first roll.
    assert not any(expected[trial] for trial in range(trials) if trial not in played)


def test_learning() -> None:
    """A learner of seven numbers, which knows no dice, finds from observations how to play a turn: far better than to keep all that
    pays and to bank 500 points, and nearly as well as the policy that was made from best play."""
    n, rng = 4000, np.random.default_rng(1)
    env = envs.make_vec("farkle", n, rules="one-turn", metric="points", candidates=["pays", "used"], autoreset_mode="Disabled")
    points, left = (env.feature_names.index(name) for name in ("points", "left"))

    def mean(numbers: Any) -> float:
        """Of turns in which a die set aside counts as a loss, and banking depends on the points and the dice left."""
        shown, info = env.reset(seed=3)
        total, over = np.zeros(n), np.zeros(n, bool)
        while not over.all():
            pays, used = shown["candidates"][:, :-2].transpose(2, 0, 1)
            is_legal = info["action_mask"][:, :-2] == 1
            keep = np.where(is_legal, pays - numbers[0] * used, -np.inf).argmax(1)
            stops = shown["observation"][:, points] >= numbers[shown["observation"][:, left].astype(int)]
            actions = np.where(info["action_mask"][:, -1] == 1, env.single_action_space.n - 2 + stops, keep)
            shown, rewards, ended, _, info = env.step(actions)
            total += rewards
            over |= ended
        return float(total.mean())

    # A number for each die, and one for every number of dice left: the better of two, again and again.
    best, found = np.array([0.0, 300, 300, 300, 300, 300, 300]), -1.0
    for step in np.linspace(400, 40, 60):
        tried = best + rng.normal(0, step, len(best)) * (rng.random(len(best)) < 0.5) * np.array([0.2, 1, 1, 1, 1, 2, 2])
        if (worth := mean(tried)) > found:
            best, found = tried, worth
    known = {policy: stopwise.simulate("farkle", policy, rules="one-turn", trials=100_000).summary for policy in ("by-dice", "bank-at")}
    by_dice, bank_at = (next(row.mean for row in table if row.metric == "points") for table in known.values())
    assert bank_at < by_dice
    # Turns that nobody decides in are not among those of an environment.
    assert found * decided() > (by_dice + bank_at) / 2


def decided() -> float:
    """The share of turns of six dice in which something may be set aside: no die of 1 or 5, no three alike, no three pairs."""
    lost = 1440
    return 1 - lost / 6**6


def test_side_by_side() -> None:
    """The same columns as of one game, in the order in which they are named."""
    chosen = ["used", "pays"]
    many = envs.make_vec("farkle", 8, rules="one-turn", candidates=chosen, autoreset_mode="SameStep")
    assert many.candidate_names == ("used", "pays")
    one = envs.make("farkle", rules="one-turn", candidates=True)
    shown, info = many.reset()
    for place, trial in enumerate(info["trial"]):
        alone, _ = one.reset(options={"trial": int(trial)})
        assert (shown["candidates"][place] == alone["candidates"][:, [2, 1]]).all()
    before = shown["candidates"].copy()
    for _ in range(50):
        kept = shown["candidates"]
        assert many.observation_space.contains(shown)
        shown, _, ended, _, info = many.step(many.action_space.sample())
        assert not shown["candidates"][info["action_mask"] == 0].any()
        if ended.any():
            assert (info["final_obs"]["candidates"] == kept).all()
    assert (many.reset(seed=1)[0]["candidates"] == before).all()


def test_spaces() -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*is illegal here")
        warnings.filterwarnings("ignore", message=".*alternative render modes.*")
        for masked in (False, True):
            check_env(envs.make("farkle", rules="one-turn", candidates=True, mask_in_observation=masked, render_mode="ansi"))
        warnings.simplefilter("ignore")
        api_test(envs.aec("farkle", candidates=True), num_cycles=300)


def test_several_seats() -> None:
    env = envs.aec("icedice", candidates=True, seed=2)
    env.reset()
    for _ in range(30):
        for agent in env.agents:
            shown = env.observe(agent)
            assert (shown["candidates"].any(1) <= (shown["action_mask"] == 1)).all()
            if agent != env.agent_selection:
                assert not shown["candidates"].any()
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))


def test_nothing_changes_where_there_is_nothing() -> None:
    env = envs.make("pig", rules="solo", candidates=True)
    assert env.candidate_names == ()
    assert (env.reset()[0] == envs.make("pig", rules="solo").reset()[0]).all()
    assert envs.make("farkle", rules="one-turn").reset()[0].ndim == 1
    with pytest.raises(stopwise.InputError, match="nothing is called `pays` of a candidate; pig tells nothing of candidates"):
        envs.make("pig", rules="solo", candidates=["pays"])
    with pytest.raises(stopwise.InputError, match="`pay` of a candidate; there are: uses_all, pays, used"):
        envs.make_vec("farkle", 2, rules="one-turn", candidates=["pay"])


def by_dice_in_batches(batch: Batch) -> Any:
    """The same policy as a function."""
    features, of = batch.features, batch.candidates
    answers = np.zeros(len(batch), int)
    for row in np.flatnonzero(batch.decides("keep")):
        answers[row] = best(batch.action_mask[row], {name: of[name][row] for name in of})
    least = np.full(len(batch), np.inf)
    for left, points in {1: 350, 2: 250, 3: 450, 4: 1050, 5: 3100}.items():
        least[features["left"] == left] = points
    # Behind somebody who has reached the goal, it goes on.
    may_stop = (features["lead"] + features["points"] > 0) | (features["goal_left"] + features["lead"] > 0)
    stops = may_stop & (features["points"] >= np.minimum(least, features["goal_left"]))
    return np.where(batch.decides("stop"), stops, answers)


def test_a_function() -> None:
    pairs = stopwise.compare("farkle", {"mine": by_dice_in_batches, "text": "by-dice"}, set={"goal": 2000}, trials=400)
    assert {row.identical_share for row in pairs.comparison} == {1.0}


def test_a_batch_may_be_read_later() -> None:
    kept: list[Batch] = []

    def first(batch: Batch) -> Any:
        assert (batch.action_mask.argmax(1) < 63).all()
        kept.append(batch)
        return batch.action_mask.argmax(1)

    stopwise.simulate("farkle", first, rules="one-turn", trials=50)
    for batch in kept:
        pays = batch.candidates["pays"]
        assert pays.shape == batch.action_mask.shape == (len(batch), 63)
        assert not pays[~batch.action_mask].any()
        assert (pays.any(1) == batch.decides("keep")).all()
    with pytest.raises(KeyError, match="nothing is called 'pay' of a candidate; there are: uses_all, pays, used"):
        kept[0].candidates["pay"]


def test_names_are_those_of_policies() -> None:
    """Every game tells of candidates what `stopwise.features` lists, and of a decision what it lists for that."""
    for game in ("carbonite", "icedice", "farkle", "pickomino", "yahtzee", "freeze"):
        words = [row.word for row in stopwise.features(game) if row.kind in ("predicate", "number")]
        assert list(envs.aec(game, candidates=True).candidate_names) == list(dict.fromkeys(words)), game
    assert envs.aec("farkle", candidates=["pays"]).candidate_names == ("pays",)
