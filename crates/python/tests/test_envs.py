"""Environments, by the checkers of those whose interfaces they have, and by what policies score in the same trials."""

import contextlib
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import api_test

import stopwise
from stopwise import _registered, envs

GAMES = Path(__file__).parents[3] / "games"

#: Games for one.
ALONE = [("pig", "solo"), ("carbonite", "wiki"), ("carcassonne", "solo")]
#: Games for several.
TOGETHER = [("pig", "standard"), ("icedice", "two-players"), ("freeze", "published"), ("carcassonne", "three")]


@pytest.mark.parametrize(("game", "rules"), ALONE)
@pytest.mark.parametrize("masked", [False, True])
def test_gymnasium_checks(game: str, rules: str, masked: bool) -> None:
    env = envs.make(game, rules=rules, mask_in_observation=masked, render_mode="ansi")
    with warnings.catch_warnings():
        # The checker takes an action of one position in another, where it may be illegal.
        warnings.filterwarnings("ignore", message=".*is illegal here")
        # It is not registered, so that it has no `spec`.
        warnings.filterwarnings("ignore", message=".*alternative render modes.*")
        check_env(env)


@pytest.mark.parametrize(("game", "rules"), TOGETHER)
def test_pettingzoo_checks(game: str, rules: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(envs.aec(game, rules=rules), num_cycles=500)


def hold(env: Any, observations: Any) -> Any:
    shown = dict(zip(env.feature_names, observations.T))
    return (shown["turn_total"] >= 20) | (shown["score_if_stopped"] >= 100)


def scores(trials: int, seed: int) -> dict[int, int]:
    """What `hold:n=20` scores in each trial, as the program says."""
    import csv

    stopwise.simulate("pig", "hold:n=20", rules="solo", trials=trials, seed=seed, trials_out="rows.csv")
    with Path("rows.csv").open() as file:
        return {int(row["trial"]): int(row["score"]) for row in csv.DictReader(file)}


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_the_games_of_a_policy(mode: AutoresetMode) -> None:
    """Played by the same rule, each trial has the score that it has in the program, and rewards add up to it."""
    expected = scores(1000, 7)
    n = 16
    env = envs.make_vec("pig", n, rules="solo", seed=7, autoreset_mode=mode)
    assert env.metadata["autoreset_mode"] == mode
    observations, info = env.reset()
    sums, trials, seen = np.zeros(n), info["trial"], {}
    for _ in range(2000):
        before = trials
        observations, rewards, ended, truncated, info = env.step(hold(env, observations))
        sums += rewards
        assert not truncated.any()
        for at in np.flatnonzero(ended):
            assert info["_score"][at]
            seen[int(before[at])] = (-sums[at], int(info["score"][at]))
        sums[ended] = 0.0
        trials = info["trial"]
        if mode == AutoresetMode.SAME_STEP and ended.any():
            assert (trials[ended] == before[ended] + n).all()
            assert (info["final_info"]["trial"] == before).all()
        if mode == AutoresetMode.NEXT_STEP:
            assert (info["action_mask"].any(1) != ended).all()
        if mode == AutoresetMode.DISABLED and ended.any():
            observations, info = env.reset(options={"reset_mask": ended})
            trials = info["trial"]
    played = {trial: one for trial, one in seen.items() if trial in expected}
    assert len(played) > 100
    assert played == {trial: (expected[trial], expected[trial]) for trial in played}


def test_rewards_add_up_and_replay_tells_the_game() -> None:
    env = envs.make("carbonite", seed=3)
    for _ in range(5):
        _, info = env.reset()
        total, ended = 0.0, False
        while not ended:
            _, reward, ended, _, info = env.step(env.action_space.sample(info["action_mask"]))
            total += float(reward)
        told = env.replay()
        assert f"trial {info['trial']} of seed 3" in str(told)
        assert total == info["score"]
        assert told.games[0]["metrics"][0]["points"] == total if "metrics" in told.games[0] else str(int(total)) in str(told)


def test_legal_actions() -> None:
    env = envs.make_vec("carbonite", 64)
    _, info = env.reset(seed=5)
    for _ in range(200):
        actions = env.action_space.sample()
        legal = info["action_mask"][np.arange(64), actions]
        assert (legal.astype(bool) | ~info["action_mask"].any(1)).all()
        _, _, _, _, info = env.step(actions)
    wrong = np.where(info["action_mask"].all(1), 0, info["action_mask"].argmin(1))
    with pytest.raises(stopwise.InputError, match=r"table \d+ \(trial \d+\): \d+ is no legal action of `\w+` here; answer \d+ \("):
        env.step(wrong)


def test_copies_stay_as_they_are() -> None:
    for copy in (True, False):
        env = envs.make_vec("pig", 8, rules="solo", copy=copy)
        first, _ = env.reset()
        kept = first.copy()
        env.step(np.zeros(8, int))
        assert (first == kept).all() == copy


def test_state_and_features() -> None:
    env = envs.make_vec("pig", 4, rules="solo", features=["score", "turn_total"], state=True)
    observations, info = env.reset(options={"trial": 100})
    assert env.feature_names == ("score", "turn_total")
    assert observations.shape == (4, 2)
    assert info["trial"].tolist() == [100, 101, 102, 103]
    assert info["state"].dtype == np.uint64


def test_alone_nobody_else_has_points() -> None:
    alone, together = envs.make("pig", rules="solo"), envs.make("pig", against="hold")
    assert "other_best" not in alone.feature_names
    for env, least in ((alone, 0), (together, -99)):
        at = env.feature_names.index("lead")
        assert (env.observation_space.low[at], env.observation_space.high[at]) == (least, 99)


def test_several_seats() -> None:
    env = envs.aec("icedice", seed=2)
    env.reset()
    rng = np.random.default_rng(1)
    won = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, ended, _, info = env.last()
        won[agent] += reward
        env.step(None if ended else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    assert sum(won.values()) in (0, 1)
    assert "trial 0 of seed 2" in str(env.replay())


@pytest.mark.parametrize(("game", "observe"), [("pig", "features"), ("pig", "state"), ("icedice", "features"), ("freeze", "features")])
def test_every_agent_sees_its_own(game: str, observe: Any) -> None:
    """Who is not asked sees what it saw when it was asked last, with what is its own, and that at the end, too."""
    env = envs.aec(GAMES / "pig.game" if observe == "state" else game, observe=observe, seed=3)
    own, others = ("score", "other_best") if observe == "features" else ("own.score", "other1.score")
    rng = np.random.default_rng(1)
    for _ in range(3):
        env.reset()
        seen: dict[str, Any] = {}
        while env.agents and not any(env.terminations.values()):
            agent = env.agent_selection
            seen[agent] = env.observe(agent)["observation"]
            for other in env.possible_agents:
                shown = env.observe(other)
                assert shown in env.observation_space(other)
                assert shown["action_mask"].any() == (other == agent)
                assert other not in seen or (shown["observation"] == seen[other]).all()
            if game == "pig" and len(seen) == 2:
                points = {one: dict(zip(env.feature_names, shown)) for one, shown in seen.items()}
                (mine,) = (points[one] for one in seen if one == agent)
                (theirs,) = (points[one] for one in seen if one != agent)
                # Whoever was asked earlier knows no more than has been banked since.
                assert theirs[own] <= mine[others] and theirs[others] <= mine[own]
            legal = np.flatnonzero(env.observe(agent)["action_mask"])
            env.step(int(rng.choice(legal)))
        for agent in env.possible_agents:
            assert (env.observe(agent)["observation"] == seen[agent]).all()
            assert not env.observe(agent)["action_mask"].any()


def test_who_was_not_asked_sees_nothing() -> None:
    env = envs.aec("pig", features=["score", "goal_left"])
    env.reset()
    assert env.observe("seat_2")["observation"].tolist() == [0, 1]
    for ask in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(stopwise.InputError, match="no agent 'x'; there are: seat_1, seat_2"):
            ask("x")


def test_registered() -> None:
    """By the names that Gymnasium knows them by the very same games are played."""
    made = gymnasium.make("stopwise/Pig-v0", rules="solo", seed=5)
    own = envs.make("pig", rules="solo", seed=5)
    (shown, info), (expected, _) = made.reset(), own.reset()
    assert (shown == expected).all()
    ended = False
    while not ended:
        action = int(info["action_mask"].argmax())
        shown, reward, ended, _, info = made.step(action)
        expected, *same, _ = own.step(action)
        assert (shown == expected).all()
        assert [reward, ended, False] == same
    assert str(made.unwrapped.replay()) == str(own.replay())

    several = gymnasium.make_vec("stopwise/Pig-v0", num_envs=4, seed=5, autoreset_mode="SameStep")
    assert several.num_envs == 4
    assert several.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert (several.reset()[0] == envs.make_vec("pig", 4, rules="solo", seed=5).reset()[0]).all()
    assert envs.make_vec("pig", num_envs=4, rules="solo").num_envs == 4
    with pytest.raises(stopwise.InputError, match="num_envs 0: write a whole number, 1 or more"):
        envs.make_vec("pig", num_envs=0, rules="solo")
    assert gymnasium.make_vec("stopwise/Pig-v0", num_envs=2, vectorization_mode="sync").reset()[0].shape[0] == 2


@pytest.mark.parametrize("options", [{}, {"context": "spawn"}], ids=["fork", "spawn"])
def test_registered_in_processes(options: dict[str, Any]) -> None:
    """With `async` every game is a process of its own; seeds are those that Gymnasium gives, one after the other."""
    rules: dict[str, Any] = {"rules": "solo", "set": {"goal": 20}}
    several = gymnasium.make_vec("stopwise/Pig-v0", 3, "async", vector_kwargs=options, **rules)
    alone = [envs.make("pig", seed=7 + number, **rules) for number in range(3)]
    shown, info = several.reset(seed=7)
    infos = [env.reset()[1] for env in alone]
    over = [False] * 3
    for step in range(60):
        assert (info["action_mask"] == [one["action_mask"] for one in infos]).all()
        actions = np.full(3, step % 3 == 2, int)
        shown, rewards, ended, _, info = several.step(actions)
        for place, env in enumerate(alone):
            if over[place]:
                # As Gymnasium's own do: the step after the last begins the next game.
                expected, infos[place] = env.reset()
                reward, over[place] = 0.0, False
            else:
                expected, reward, over[place], _, infos[place] = env.step(int(actions[place]))
            assert (shown[place] == expected).all()
            assert (rewards[place], ended[place]) == (reward, over[place])
    # Some games have ended, and others begun.
    assert min(one["trial"] for one in infos) > 0
    several.close()


@pytest.mark.filterwarnings("ignore:.*is illegal here")
def test_every_game_for_one_is_registered() -> None:
    listed: Any = stopwise.ask("rules", "list")
    alone: dict[str, str] = {}
    for row in listed:
        # A game for several is refused.
        with contextlib.suppress(stopwise.InputError):
            envs.make(row.game, rules=row.rules)
            alone.setdefault(row.game, row.rules)
    assert alone == _registered.ALONE
    for game in alone:
        # The checker makes another of the same name, and finds that actions of one position may be illegal in another.
        check_env(gymnasium.make(_registered.name_of(game)).unwrapped)


def test_registered_by_its_module() -> None:
    """A name with the module in it is enough, and a name without Gymnasium is no error."""
    script = 'import gymnasium; env = gymnasium.make("stopwise.envs:stopwise/Pig-v0"); env.reset(); print(env.step(1)[1])'
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", timeout=60, check=True)
    assert float(done.stdout) < 0
    script = 'import sys; sys.modules["gymnasium"] = None; import stopwise.envs'
    subprocess.run([sys.executable, "-c", script], timeout=60, check=True)


def test_actions_have_names() -> None:
    assert envs.make("pig", rules="solo").action_names == ("stop: roll again", "stop: hold")
    names = envs.make_vec("carbonite", 2).action_names
    assert (names[0], names[15], names[-1], len(names)) == ("mark: small red", "take: small red", "stop: stop", 32)
    # The parts of a roll have no names of their own.
    assert envs.aec("farkle").action_names[62:] == ("keep 62", "stop: no", "stop: yes")


def test_errors() -> None:
    with pytest.raises(stopwise.InputError, match="has 2 seats under these rules"):
        envs.make("icedice")
    with pytest.raises(stopwise.InputError, match="unknown feature `nope`; there are: score"):
        envs.make("pig", rules="solo", features=["nope"])
    with pytest.raises(stopwise.InputError, match="features: `score` is there twice; each is observed once"):
        envs.make("pig", rules="solo", features=["score", "turn_total", "score"])
    for count in (2.5, 0, "many"):
        with pytest.raises(stopwise.InputError, match="write a whole number, 1 or more"):
            envs.make_vec("pig", count, rules="solo")  # type: ignore[arg-type]
    with pytest.raises(stopwise.InputError, match=r"seed \[7, 8\]: write one number"):
        envs.make_vec("pig", 2, rules="solo").reset(seed=[7, 8])
    with pytest.raises(stopwise.InputError, match="unknown game"):
        envs.make_vec("pog", 2)
    seats = envs.aec("pig")
    with pytest.raises(stopwise.InputError, match="reset"):
        seats.step(0)
    seats.reset(seed=1)
    with pytest.raises(stopwise.InputError, match="no agent 'seat_3'; there are: seat_1, seat_2"):
        seats.observe("seat_3")
    with pytest.raises(stopwise.InputError, match="reset"):
        envs.make("pig", rules="solo").step(0)


def test_an_illegal_action_is_taken_as_a_legal_one_and_told() -> None:
    env = envs.make("carbonite")
    _, info = env.reset()
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    with pytest.warns(UserWarning, match=f"the action {illegal} is illegal here"):
        env.step(illegal)
    assert env.actions == [int(np.flatnonzero(info["action_mask"])[0])]
    strict = envs.make("carbonite", illegal="error")
    strict.reset()
    with pytest.raises(stopwise.InputError, match="no legal action|illegal"):
        strict.step(illegal)


def test_what_is_no_action_is_never_taken() -> None:
    one, several = envs.make("pig", rules="solo"), envs.make_vec("pig", 2, rules="solo", illegal="first")
    one.reset()
    several.reset()
    for action in (7, -1):
        with pytest.raises(stopwise.InputError, match=f"{action} is no legal action of `stop` here"):
            one.step(action)
        with pytest.raises(stopwise.InputError, match=f"{action} is no legal action of `stop` here"):
            several.step([0, action])
    assert one.actions == []


def test_features_are_in_the_order_that_was_given() -> None:
    names = ["turn_total", "score", "goal_left"]
    for features, order in ((names, names), (iter(names), names), ("turn_total", ["turn_total"])):
        env = envs.make("pig", rules="solo", features=features, seed=4)
        assert env.feature_names == tuple(order)
        own = envs.make("pig", rules="solo", features=sorted(order, key=["score", "turn_total", "goal_left"].index), seed=4)
        pairs = [(env.reset()[0], own.reset()[0]), *((env.step(0)[0], own.step(0)[0]) for _ in range(3))]
        for shown, known in pairs:
            assert dict(zip(env.feature_names, shown)) == dict(zip(own.feature_names, known))
            assert shown in env.observation_space
    several = envs.make_vec("pig", 3, rules="solo", features=names, copy=False)
    shown, _ = several.reset()
    assert (shown[:, 1] + shown[:, 2] == 100).all()
    assert shown in several.observation_space
    together = envs.aec(GAMES / "pig.game", observe="state", features=["turn_total", "score"])
    assert together.feature_names[-2:] == ("turn_total", "score")


#: A turn may have more points than the score has room for.
OVER = """
game over
option goal = 30 in 10..60
option players = 1 in 1..2
die d = 1..6
player score = 0 in 0..goal
turn
  let points = 0 in 0..goal
  repeat
    ask many in 1..3 "how many dice"
    roll rolled = many d
    if count(rolled, 1) > 0: bust
    points = points + sum(rolled)
    ask stop
      score += points
      end turn
end goal when score == goal
win most score
alone least turns
"""


def test_rules_that_cannot_go_on_are_an_error(tmp_path: Path) -> None:
    """With the words of `simulate`, which plays the same trial."""
    path = tmp_path / "over.game"
    path.write_text(OVER)
    policy = {"game": "over", "name": "three", "many": "3", "stop": "points >= 100"}
    with pytest.raises(stopwise.InputError) as told:
        stopwise.simulate(path, policy, trials=1)
    assert str(told.value).endswith("to see it: stopwise.replay(…, seed=1, trial=0), with the same game, rules and policies")
    said = str(told.value).split("\n")[0]
    assert said.startswith("trial 0: line 13, column 14: `points` is ")

    def play(env: Any, step: Any) -> None:
        for _ in range(100):
            step(env)

    def names(env: Any) -> Any:
        return {name: number for number, name in enumerate(env.action_names)}

    def one(env: Any) -> None:
        mask = env.action_masks()
        env.step(names(env)["many: 3"] if mask[names(env)["many: 3"]] else names(env)["stop: no"])

    def several(env: Any) -> None:
        mask = env._tables.mask
        env.step([names(env)["many: 3"] if row[names(env)["many: 3"]] else names(env)["stop: no"] for row in mask])

    def seats(env: Any) -> None:
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(names(env)["many: 3"] if mask[names(env)["many: 3"]] else names(env)["stop: no"])

    for env, step in (
        (envs.make(path), one),
        (envs.make_vec(path, 1), several),
        (envs.make_vec(path, 1, autoreset_mode="SameStep"), several),
        (envs.aec(path), seats),
    ):
        env.reset()
        with pytest.raises(stopwise.InputError) as caught:
            play(env, step)
        assert str(caught.value).split("\n")[0] == said
        for error in (caught.value, told.value):
            assert (error.file, error.line) == (str(path), 13)


def test_how_games_end() -> None:
    """As `simulate` counts it, in the trials that it plays; a cap ends them like all else."""
    trials = 200
    rules = {"rules": "solo", "set": {"turn_cap": 12}}
    endings = stopwise.simulate("pig", "hold:n=20", trials=trials, **rules).endings
    expected = {row.ending: row.count for row in endings if row.count}
    assert set(expected) == {"goal", "capped"}
    env = envs.make("pig", **rules)
    played: dict[str, int] = {}
    first: list[str] = []
    for _ in range(trials):
        observation, info = env.reset()
        assert "ending" not in info
        ended = False
        while not ended:
            shown = dict(zip(env.feature_names, observation))
            observation, _, ended, truncated, info = env.step(int(shown["turn_total"] >= 20 or shown["score_if_stopped"] >= 100))
            assert not truncated
        played[info["ending"]] = played.get(info["ending"], 0) + 1
        first.append(info["ending"])
    assert played == expected
    several = envs.make_vec("pig", 4, autoreset_mode="SameStep", **rules)
    observations, info = several.reset()
    trials_now, seen = info["trial"].copy(), {}
    while len(seen) < 40:
        observations, _, ended, _, info = several.step(hold(several, observations).astype(int))
        for at in np.flatnonzero(ended):
            assert info["_ending"][at]
            seen[int(trials_now[at])] = info["ending"][at]
            assert info["final_info"]["ending"][at] == info["ending"][at]
        trials_now = info["trial"].copy()
    assert all(first[trial] == ending for trial, ending in seen.items() if trial < trials)
    together = envs.aec("pig", set={"turn_cap": 2})
    together.reset()
    while not any(together.terminations.values()):
        together.step(1)
    assert {info["ending"] for info in together.infos.values()} == {"capped"}


def test_a_mode_without_a_picture() -> None:
    """Stable-Baselines3 asks every environment for `rgb_array`; those of Gymnasium take what they cannot show, and warn."""
    for make in (
        lambda: envs.make("pig", rules="solo", render_mode="rgb_array"),
        lambda: gymnasium.make("stopwise/Pig-v0", render_mode="rgb_array").unwrapped,
    ):
        with pytest.warns(UserWarning, match="render_mode 'rgb_array' shows nothing here"):
            env = make()
        assert env.render_mode == "rgb_array"
        env.reset()
        assert env.render() is None


def test_a_seed_that_nobody_has_chosen() -> None:
    seeds = {envs.make("pig", rules="solo", seed=None)._seed for _ in range(4)}
    assert len(seeds) == 4
    envs.make_vec("pig", 2, rules="solo", seed=None).reset()
    envs.aec("pig", seed=None).reset()


def test_an_error_changes_nothing() -> None:
    """After a call that was refused the next game is the one that would have come without it."""
    for env in (envs.make("pig", rules="solo"), envs.make_vec("pig", 2, rules="solo"), envs.aec("pig")):
        env.reset(seed=3)
        for options in ({"trial": -3}, {"trial": 1.5}, {"trial": 2**64}):
            with pytest.raises(stopwise.InputError, match="trial .*: write a whole number from 0"):
                env.reset(options=options)
            with pytest.raises(stopwise.InputError, match="seed '7': write a whole number from 0"):
                env.reset(seed="7")  # type: ignore[arg-type]
        env.reset()
        assert "of seed 3" in str(env.replay(1, [])) if isinstance(env, gymnasium.vector.VectorEnv) else str(env.replay())
    env = envs.make("pig", rules="solo")
    with pytest.raises(stopwise.InputError, match="nothing is called 'trail'; there are: trial"):
        env.reset(options={"trail": 3})
    with pytest.raises(stopwise.InputError, match="seed '7'"):
        envs.make("pig", rules="solo", seed="7")  # type: ignore[arg-type]


def test_the_seed_before_the_first_game() -> None:
    assert "trial 0 of seed 1" in str(envs.make("pig", rules="solo").replay())
    assert "trial 0 of seed 5" in str(envs.aec("pig", seed=5).replay())


def test_illegal_actions_of_many_games() -> None:
    """Each plays as one game does by itself."""
    alone = [envs.make("carbonite", seed=2) for _ in range(3)]
    shown = [env.reset(options={"trial": trial}) for trial, env in enumerate(alone)]
    several = gymnasium.make_vec("stopwise/Carbonite-v0", num_envs=3, seed=2, illegal="first")
    _, info = several.reset()
    assert (info["action_mask"] == [one["action_mask"] for _, one in shown]).all()
    illegal = info["action_mask"].argmin(1)
    assert (info["action_mask"][range(3), illegal] == 0).all()
    with pytest.warns(UserWarning, match="is illegal here, and"):
        observations, rewards, *_ = several.step(illegal)
    for place, env in enumerate(alone):
        with pytest.warns(UserWarning, match="is illegal here, and"):
            observation, reward, *_ = env.step(int(illegal[place]))
        assert (observation == observations[place]).all()
        assert reward == rewards[place]
    with pytest.raises(stopwise.InputError, match="illegal 'never': write 'error' or 'first'"):
        envs.make_vec("pig", 2, rules="solo", illegal="never")


def test_actions_that_are_none() -> None:
    one, several = envs.make("pig", rules="solo"), envs.make_vec("pig", 3, rules="solo")
    one.reset()
    several.reset()
    for action in ("hold", 0.7, None, [0, 1]):
        with pytest.raises(stopwise.InputError, match="write its number, from 0 to 1"):
            one.step(action)
    for actions in ([0, 1], 0, [0.5, 0.5, 0.5], [[0], [1, 2]], "hold"):
        with pytest.raises(stopwise.InputError, match=r"write a whole number for each game, of shape \(3,\)"):
            several.step(actions)
    one.step(np.bool_(False))
    several.step([False, True, False])


def test_closed() -> None:
    for env in (envs.make("pig", rules="solo"), envs.make_vec("pig", 2, rules="solo"), envs.aec("pig")):
        env.reset()
        env.close()
        with pytest.raises(stopwise.InputError, match="the environment is closed"):
            env.step([0, 0])
        with pytest.raises(stopwise.InputError, match="the environment is closed"):
            env.reset()


def test_environments_say_what_they_are() -> None:
    assert repr(envs.make("pig", rules="solo")) == "<stopwise.envs Single: pig · rules solo · 1 seat>"
    assert str(envs.make_vec("pig", 8, rules="solo")) == "<stopwise.envs Vector: pig · rules solo · 8 games · 1 seat>"
    assert repr(envs.aec("icedice")).startswith("<stopwise.envs Seats: icedice · rules ")


def test_a_share_of_a_win_is_at_most_1() -> None:
    """Whatever it is counted in: of the games of two seats that both may win, each has a whole one, a half, or nothing."""
    env = envs.make_vec("farkle", 64, against="by-dice", metric="share", autoreset_mode="SameStep")
    env.reset(seed=1)
    env.action_space.seed(1)
    seen = set()
    for _ in range(300):
        _, rewards, ended, _, info = env.step(env.action_space.sample())
        seen |= set(rewards[ended].tolist())
        if ended.any():
            assert (info["score"][ended] == rewards[ended]).all()
    assert {0.0, 1.0} <= seen <= {0.0, 0.5, 1.0}


def test_replay_takes_what_step_takes() -> None:
    """Actions have numbers of their own among all kinds of decision: those of another kind are not told as if they were of this one."""
    env = envs.make_vec("carbonite", 2, seed=3)
    _, info = env.reset()
    legal = int(info["action_mask"][0].argmax())
    name = env.action_names[legal].split(": ")[-1]
    told = str(env.replay(0, [legal]))
    assert f"chooses {name}" in told or name in told, (name, told)
    illegal = [int(action) for action in np.flatnonzero(info["action_mask"][0] == 0)]
    assert illegal
    for action in illegal:
        with pytest.raises(stopwise.InputError, match=f"actions: in trial 0, {action} is no legal action of `"):
            env.replay(0, [action])
    count = len(env.action_names)
    for wrong in (count, 99, -1, "a", 2**70):
        with pytest.raises(stopwise.InputError, match=f"actions: {wrong!r} is no action; they are the numbers 0 to {count - 1}"):
            env.replay(0, [wrong])  # type: ignore[list-item]
    with pytest.raises(stopwise.InputError, match="trial 'a': write a whole number"):
        env.replay("a", [])  # type: ignore[arg-type]


def test_a_mask_is_looked_at_before_the_first_game() -> None:
    for begun in (False, True):
        env = envs.make_vec("pig", 4, rules="solo")
        if begun:
            env.reset()
        with pytest.raises(stopwise.InputError, match="reset_mask: write an array of 4 truth values"):
            env.reset(options={"reset_mask": [True] * 3})
        _, info = env.reset(options={"reset_mask": [True, False, True, False]})
        assert info["trial"].tolist() == ([4, 1, 6, 3] if begun else [0, 1, 2, 3])
