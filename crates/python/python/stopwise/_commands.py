"""The commands, in Python's manner: the options of the command line are arguments of the same names.

`stopwise help COMMAND` and `help(stopwise.simulate)` say the same.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar, Union, overload

from stopwise import _arguments, _core, _policies, _result, _words
from stopwise._ask import Progress, ask as _ask, tables_of as _tables_of, warn as _warn
from stopwise._errors import InputError
from stopwise._policies import Function
from stopwise._result import Advice, Balance, Comparison, Ranking, Replay, Result, Simulation, Solution, Sweep, Text
from stopwise._table import Table
from stopwise._words import Levels, Number, Setting, Words

#: A path.
Path = Union[str, "os.PathLike[str]"]
#: A game: a name, or one that is a text: a path, a `stopwise.Game`, or any `str` with a line break.
GameLike = Union[str, "os.PathLike[str]"]
#: A policy: a name, with parameters or without (`"tidy:k=3"`), a path, or a text.
Policy = _words.Text
#: A policy, or a function that is one: see `stopwise.Batch`.
Player = Union[Policy, Function]
#: Rules: a preset's name, a path, or a text.
Rules = _words.Text
#: Options of the rules: `{"turns": 5, "points": {"solid": 9}}`, or `["turns=5", "points.solid=9"]`.
Settings = Union[Mapping[str, Setting], Sequence[str], str]
#: What is varied: `{"k": range(1, 6)}`, or `["k=1..5"]`.
Varied = Union[Mapping[str, Levels], Sequence[str], str]

#: A part of a run: its number, from 1, and of how many: `(2, 8)`, or `"2/8"`.
Shard = Union["tuple[int, int]", str]

_R = TypeVar("_R", bound=Result)


@overload
def simulate(
    game: GameLike,
    policy: Player | Sequence[Player],
    *,
    rules: Rules | None = None,
    set: Settings | None = None,
    trials: Number | None = None,
    seed: int | str | None = 1,
    threads: int | None = None,
    rotate: bool = False,
    until_width: Number | None = None,
    budget: Number | None = None,
    above: float | Iterable[float] | None = None,
    quantiles: float | Iterable[float] | str | None = None,
    best_of: int | Iterable[int] | None = None,
    metric: str | None = None,
    trials_out: Path | None = None,
    runner: str = "auto",
    out: Path | None = None,
    force: bool = False,
    stop_after: Number | None = None,
    resume: bool = False,
    shard: None = None,
    progress: Progress = None,
) -> Simulation: ...
@overload
def simulate(
    game: GameLike,
    policy: Player | Sequence[Player],
    *,
    rules: Rules | None = None,
    set: Settings | None = None,
    trials: Number | None = None,
    seed: int | str | None = 1,
    threads: int | None = None,
    rotate: bool = False,
    until_width: Number | None = None,
    budget: Number | None = None,
    above: float | Iterable[float] | None = None,
    quantiles: float | Iterable[float] | str | None = None,
    best_of: int | Iterable[int] | None = None,
    metric: str | None = None,
    trials_out: Path | None = None,
    runner: str = "auto",
    out: Path | None = None,
    force: bool = False,
    stop_after: Number | None = None,
    resume: bool = False,
    shard: Shard,
    progress: Progress = None,
) -> Text: ...
def simulate(
    game: GameLike,
    policy: Player | Sequence[Player],
    *,
    rules: Rules | None = None,
    set: Settings | None = None,
    trials: Number | None = None,
    seed: int | str | None = 1,
    threads: int | None = None,
    rotate: bool = False,
    until_width: Number | None = None,
    budget: Number | None = None,
    above: float | Iterable[float] | None = None,
    quantiles: float | Iterable[float] | str | None = None,
    best_of: int | Iterable[int] | None = None,
    metric: str | None = None,
    trials_out: Path | None = None,
    runner: str = "auto",
    out: Path | None = None,
    force: bool = False,
    stop_after: Number | None = None,
    resume: bool = False,
    shard: Shard | None = None,
    progress: Progress = None,
) -> Simulation | Text:
    """Play many seeded games of one policy, or of one for each seat, and say what they score.

    Args:
        game: Its name: see `stopwise.games()`; or a game that is a text: a path such as `"mine.game"`, or a `stopwise.Game`.
        policy: A name, with parameters or without, a path, a text, or a function of a `stopwise.Batch`; a list has one for each
            seat.
        rules: A preset's name, a path or a text; if left out the game's first preset.
        set: Options of the rules that are changed.
        trials: How many games; if left out a million, or at most a hundred million with a rule to stop.
        seed: The seed of all dice; `None` draws one, which the result tells.
        threads: If left out all; results do not depend on it.
        rotate: Policies move on by one seat from game to game.
        until_width: Stop once the interval of the mean of the metric is no wider than this, for every seat.
        budget: Stop after this time: seconds, or `"5m"`.
        above: Also the share of the games with more than this: a whole number, or of a metric that is a share one such as 0.5.
        quantiles: Also these quantiles, with their intervals: shares between 0 and 1.
        best_of: Also the expected best of so many games.
        metric: What `until_width`, `above`, `quantiles` and `best_of` are about; if left out the game's first metric.
        trials_out: Write a row for every game and seat into this file, `.csv` or `.parquet`.
        runner: `trial`, `lanes` or `auto`; all give the same results.
        out: Write the reports into this directory.
        force: Replace results of another command, or somebody's files, in that directory.
        stop_after: End as a run does that is interrupted after so many games.
        resume: Go on where a run with the same arguments was broken off in the directory of `out`.
        shard: Play only this part of the run, `(2, 8)` or `"2/8"`, and return its text; `stopwise.merge` makes one run of all.
        progress: Whether to show it; if left out on a terminal and in a notebook. Or a function that is called with lines.

    >>> import stopwise
    >>> result = stopwise.simulate("carbonite", "tidy:k=3", rules="wiki", set={"retribution": "any"}, trials=10_000)
    >>> print(result.answer)
    tidy:k=3: mean score 165.4 points (95 %: 162.6 to 168.2); half of the trials have 63 to 240; 64.11 % end early.
    >>> result.summary[0].mean == result.summary.mean[0]
    True
    """
    words = _game("simulate", game, rules, set).policies(policy).option("rotate", rotate)
    words.option("trials", trials).option("until-width", until_width).option("budget", _words.seconds(budget))
    words.each("above", above).option("quantiles", _list(quantiles))
    words.each("best-of", best_of).option("metric", metric).path("trials-out", trials_out)
    words.option("runner", None if runner == "auto" else runner)
    words = _common(words, seed, threads, out, force, stop_after, resume)
    return _played(Simulation, words, shard, out, progress)


@overload
def compare(
    game: GameLike,
    policies: Sequence[Player | Sequence[Player]] | Mapping[str, Player] | str,
    *,
    rules: Rules | Sequence[Rules] | None = None,
    set: Settings | None = None,
    trials: Number | None = None,
    seed: int | str | None = 1,
    threads: int | None = None,
    rotate: bool = False,
    until_width: Number | None = None,
    until_decided: Number | None = None,
    budget: Number | None = None,
    metric: str | None = None,
    divergent: int | None = None,
    out: Path | None = None,
    force: bool = False,
    stop_after: Number | None = None,
    resume: bool = False,
    shard: None = None,
    progress: Progress = None,
) -> Comparison: ...
@overload
def compare(
    game: GameLike,
    policies: Sequence[Player | Sequence[Player]] | Mapping[str, Player] | str,
    *,
    rules: Rules | Sequence[Rules] | None = None,
    set: Settings | None = None,
    trials: Number | None = None,
    seed: int | str | None = 1,
    threads: int | None = None,
    rotate: bool = False,
    until_width: Number | None = None,
    until_decided: Number | None = None,
    budget: Number | None = None,
    metric: str | None = None,
    divergent: int | None = None,
    out: Path | None = None,
    force: bool = False,
    stop_after: Number | None = None,
    resume: bool = False,
    shard: Shard,
    progress: Progress = None,
) -> Text: ...
def compare(
    game: GameLike,
    policies: Sequence[Player | Sequence[Player]] | Mapping[str, Player] | str,
    *,
    rules: Rules | Sequence[Rules] | None = None,
    set: Settings | None = None,
    trials: Number | None = None,
    seed: int | str | None = 1,
    threads: int | None = None,
    rotate: bool = False,
    until_width: Number | None = None,
    until_decided: Number | None = None,
    budget: Number | None = None,
    metric: str | None = None,
    divergent: int | None = None,
    out: Path | None = None,
    force: bool = False,
    stop_after: Number | None = None,
    resume: bool = False,
    shard: Shard | None = None,
    progress: Progress = None,
) -> Comparison | Text:
    """Play policies, or line-ups, with the same dice, and say how they differ.

    Args:
        game: Its name.
        policies: Two or more, or `"all"` for those that come with the program; a list among them is a line-up, one for each
            seat. Functions among them may have names: `{"mine": function, "hold": "hold:n=20"}`.
        rules: A preset's name, a path or a text; with several every policy plays under each, and one policy will do.
        set: Options of the rules that are changed.
        trials: How many games; if left out a million, or at most a hundred million with a rule to stop.
        seed: The seed of all dice; `None` draws one, which the result tells.
        threads: If left out all.
        rotate: Policies move on by one seat from game to game.
        until_width: Stop once the interval of every difference is no wider than this.
        until_decided: Stop once it is known of every pair which has more, or that they differ by no more than this.
        budget: Stop after this time: seconds, or `"5m"`.
        metric: The metric that decides when to stop.
        divergent: List so many of the first games in which each pair decides differently.
        out: Write the reports into this directory.
        force: Replace results of another command, or somebody's files, in that directory.
        stop_after: End as a run does that is interrupted after so many games.
        resume: Go on where a run with the same arguments was broken off in the directory of `out`.
        shard: Play only this part of the run, `(2, 8)` or `"2/8"`, and return its text; `stopwise.merge` makes one run of all.
        progress: Whether to show it.

    >>> import stopwise
    >>> result = stopwise.compare("pig", ["hold:n=20", "hold:n=25"], rules="solo", trials=10_000)
    >>> print(result.answer.split(";")[0])
    hold:n=20 has 0.043 ± 0.054 turns less than hold:n=25 (less is better)
    >>> result.comparison[0].mean_difference
    -0.0434
    """
    words = _game_under("compare", game, rules, set).policies(policies, lineups=True).option("rotate", rotate)
    words.option("trials", trials).option("until-width", until_width).option("until-decided", until_decided)
    words.option("budget", _words.seconds(budget)).option("metric", metric).option("divergent", divergent)
    words = _common(words, seed, threads, out, force, stop_after, resume)
    return _played(Comparison, words, shard, out, progress)


def rank(
    game: GameLike,
    policies: Sequence[Player] | Mapping[str, Player] | str | Player,
    *,
    rules: Rules | None = None,
    set: Settings | None = None,
    vary: Varied | None = None,
    metric: str | None = None,
    trials: Number | None = None,
    alpha: float | None = None,
    aim: str | None = None,
    resolution: Number | None = None,
    fresh: Number | None = None,
    max_memory: str | int | None = None,
    seed: int | str | None = 1,
    threads: int | None = None,
    out: Path | None = None,
    force: bool = False,
    stop_after: Number | None = None,
    resume: bool = False,
    progress: Progress = None,
) -> Ranking:
    """Order many policies, with control over all comparisons at once.

    Args:
        game: Its name.
        policies: Two or more, or a dictionary that names functions, or `"all"` for those that come with the program.
        rules: A preset's name, a path or a text.
        set: Options of the rules that are changed.
        vary: Rank policies with every value of a parameter: `{"k": range(1, 6)}`.
        metric: The metric to rank by.
        trials: Games of a policy at most, or of every table.
        alpha: The chance that anything in the ranking is wrong, at most; if left out 0.05.
        aim: `"order"`, until the order of all is known, or `"best"`, only who is best.
        resolution: Differences that are too small to matter.
        fresh: Fresh games of the winner.
        max_memory: Memory to take at most, such as `"4G"`.
        seed: The seed of all dice; `None` draws one, which the result tells.
        threads: If left out all.
        out: Write the reports into this directory.
        force: Replace results of another command, or somebody's files, in that directory.
        stop_after: End as a run does that is interrupted after so many games.
        resume: Go on where a run with the same arguments was broken off in the directory of `out`.
        progress: Whether to show it.

    >>> import stopwise
    >>> stopwise.rank("carbonite", ["tidy", "first", "second-tree"], trials=10_000).rank.policy
    ['second-tree:k=2', 'tidy:k=2', 'first:k=2']
    """
    words = _game("rank", game, rules, set).policies(policies).levels("vary", vary).option("metric", metric)
    words.option("trials", trials).option("alpha", alpha).option("aim", aim).option("resolution", resolution)
    words.option("fresh", fresh).option("max-memory", max_memory)
    return _found(Ranking, _common(words, seed, threads, out, force, stop_after, resume), progress)


@overload
def sweep(
    game: GameLike,
    policy: Player | Sequence[Player],
    *,
    vary: Varied | None = None,
    vary_rule: Varied | None = None,
    rules: Rules | None = None,
    set: Settings | None = None,
    rotate: bool = False,
    metric: str | None = None,
    trials: Number = 1_000_000,
    paired: Number | None = None,
    runner: str = "auto",
    max_memory: str | int | None = None,
    seed: int | str | None = 1,
    threads: int | None = None,
    out: Path | None = None,
    force: bool = False,
    stop_after: Number | None = None,
    resume: bool = False,
    shard: None = None,
    progress: Progress = None,
) -> Sweep: ...
@overload
def sweep(
    game: GameLike,
    policy: Player | Sequence[Player],
    *,
    vary: Varied | None = None,
    vary_rule: Varied | None = None,
    rules: Rules | None = None,
    set: Settings | None = None,
    rotate: bool = False,
    metric: str | None = None,
    trials: Number = 1_000_000,
    paired: Number | None = None,
    runner: str = "auto",
    max_memory: str | int | None = None,
    seed: int | str | None = 1,
    threads: int | None = None,
    out: Path | None = None,
    force: bool = False,
    stop_after: Number | None = None,
    resume: bool = False,
    shard: Shard,
    progress: Progress = None,
) -> Text: ...
def sweep(
    game: GameLike,
    policy: Player | Sequence[Player],
    *,
    vary: Varied | None = None,
    vary_rule: Varied | None = None,
    rules: Rules | None = None,
    set: Settings | None = None,
    rotate: bool = False,
    metric: str | None = None,
    trials: Number = 1_000_000,
    paired: Number | None = None,
    runner: str = "auto",
    max_memory: str | int | None = None,
    seed: int | str | None = 1,
    threads: int | None = None,
    out: Path | None = None,
    force: bool = False,
    stop_after: Number | None = None,
    resume: bool = False,
    shard: Shard | None = None,
    progress: Progress = None,
) -> Sweep | Text:
    """Play a grid over parameters of policies and options of rules, with the same dice.

    Says which parameters are best, under each setting of the rules, or which rules have most and which least.

    Args:
        game: Its name.
        policy: A policy, which may be a function, or a list of one for each seat.
        vary: Parameters of the policies that are texts: `{"k": range(1, 6), "risk": [0.1, 0.2]}`; `"2.k"` is that of the second
            alone. One policy in a game for several plays against itself as it is named, in all seats in turn.
        vary_rule: Options of the rules, in the same way.
        rules: A preset's name, a path or a text.
        set: Options of the rules that are changed.
        rotate: Policies move on by one seat from game to game.
        metric: The metric that is compared: of parameters it says which are best, of rules alone which have most and least.
        trials: How many games each setting has.
        paired: How many of them, the first, say how the settings go together on common dice.
        runner: `trial`, `lanes` or `auto`; all give the same results.
        max_memory: Memory to take at most, such as `"4G"`.
        seed: The seed of all dice; `None` draws one, which the result tells.
        threads: If left out all.
        out: Write the reports into this directory.
        force: Replace results of another command, or somebody's files, in that directory.
        stop_after: End as a run does that is interrupted after so many settings.
        resume: Go on where a run with the same arguments was broken off in the directory of `out`.
        shard: Play only this part of the run, `(2, 8)` or `"2/8"`, and return its text; `stopwise.merge` makes one run of all.
        progress: Whether to show it.

    >>> import stopwise
    >>> result = stopwise.sweep("pig", "hold", rules="solo", vary={"n": range(15, 31, 5)}, trials=10_000)
    >>> [(row.n, row.mean) for row in result.sweep if row.metric == "score"]
    [(15, 13.2103), (20, 12.5852), (25, 12.6286), (30, 13.7588)]
    """
    words = _game("sweep", game, rules, set).policies(policy).option("rotate", rotate)
    words.levels("vary", vary).levels("vary-rule", vary_rule).option("metric", metric).option("trials", trials)
    words.option("paired", paired).option("runner", None if runner == "auto" else runner)
    words.option("max-memory", max_memory)
    words = _common(words, seed, threads, out, force, stop_after, resume)
    return _played(Sweep, words, shard, out, progress)


@overload
def balance(
    game: GameLike,
    policies: Sequence[Player] | Mapping[str, Player] | str | Player,
    *,
    rules: Rules | Sequence[Rules] | None = None,
    set: Settings | None = None,
    variants: Mapping[str, Setting] | Sequence[Mapping[str, Setting] | str] | str | None = None,
    one_by_one: bool = False,
    vary_rule: Varied | None = None,
    naive: Player | None = None,
    targets: _words.Text | None = None,
    search: int | None = None,
    mark: int | None = None,
    close: Mapping[str, Number] | str | None = None,
    trials: Number = 100_000,
    max_memory: str | int | None = None,
    seed: int | str | None = 1,
    threads: int | None = None,
    out: Path | None = None,
    force: bool = False,
    stop_after: Number | None = None,
    resume: bool = False,
    shard: None = None,
    progress: Progress = None,
) -> Balance: ...
@overload
def balance(
    game: GameLike,
    policies: Sequence[Player] | Mapping[str, Player] | str | Player,
    *,
    rules: Rules | Sequence[Rules] | None = None,
    set: Settings | None = None,
    variants: Mapping[str, Setting] | Sequence[Mapping[str, Setting] | str] | str | None = None,
    one_by_one: bool = False,
    vary_rule: Varied | None = None,
    naive: Player | None = None,
    targets: _words.Text | None = None,
    search: int | None = None,
    mark: int | None = None,
    close: Mapping[str, Number] | str | None = None,
    trials: Number = 100_000,
    max_memory: str | int | None = None,
    seed: int | str | None = 1,
    threads: int | None = None,
    out: Path | None = None,
    force: bool = False,
    stop_after: Number | None = None,
    resume: bool = False,
    shard: Shard,
    progress: Progress = None,
) -> Text: ...
def balance(
    game: GameLike,
    policies: Sequence[Player] | Mapping[str, Player] | str | Player,
    *,
    rules: Rules | Sequence[Rules] | None = None,
    set: Settings | None = None,
    variants: Mapping[str, Setting] | Sequence[Mapping[str, Setting] | str] | str | None = None,
    one_by_one: bool = False,
    vary_rule: Varied | None = None,
    naive: Player | None = None,
    targets: _words.Text | None = None,
    search: int | None = None,
    mark: int | None = None,
    close: Mapping[str, Number] | str | None = None,
    trials: Number = 100_000,
    max_memory: str | int | None = None,
    seed: int | str | None = 1,
    threads: int | None = None,
    out: Path | None = None,
    force: bool = False,
    stop_after: Number | None = None,
    resume: bool = False,
    shard: Shard | None = None,
    progress: Progress = None,
) -> Balance | Text:
    """Say what variants of the rules do to a game, and whether that is wanted.

    Args:
        game: Its name.
        policies: Several, from naive to good, or `"all"` for those that come with the program. Functions among them may have
            names: `{"mine": function, "hold": "hold:n=20"}`.
        rules: Presets' names, paths or texts; the first is what the others are compared with.
        set: Options that are changed in all variants.
        variants: More variants: the first rules with these options changed, such as `{"turns": 5, "points": {"solid": 9}}`.
        one_by_one: Also the first rules with each change of every variant by itself.
        vary_rule: More variants: every combination of these options, `{"turns": range(8, 11), "atom": ["choice", "bust"]}`.
        naive: Which policy plays naively; if left out the first.
        targets: What a variant should do: a path, a text, or `{"mean turns": "8 to 10"}`.
        search: Look among the combinations of `vary_rule`, at so many of them at most, for variants that meet all targets.
        mark: Also the share of the games with a score above this.
        close: Also the share of the games whose winner leads by so much at most, such as `{"points": 10}`.
        trials: How many games of each variant with each policy.
        max_memory: Memory to take at most, such as `"4G"`.
        seed: The seed of all dice; `None` draws one, which the result tells.
        threads: If left out all.
        out: Write the reports into this directory.
        force: Replace results of another command, or somebody's files, in that directory.
        stop_after: End as a run does that is interrupted after so many games.
        resume: Go on where a run with the same arguments was broken off in the directory of `out`.
        shard: Play only this part of the run, `(2, 8)` or `"2/8"`, and return its text; `stopwise.merge` makes one run of all.
        progress: Whether to show it.

    >>> import stopwise
    >>> result = stopwise.balance("carbonite", ["first", "tidy"], variants={"retribution": "any"}, trials=5000)
    >>> result.standings.policy
    ['first:k=2', 'tidy:k=2', 'first:k=2', 'tidy:k=2']
    """
    words = _game_under("balance", game, rules, set)
    for variant in _words.several(variants, Mapping):
        changes = _words.flat(variant) if isinstance(variant, Mapping) else None
        text = ",".join(f"{key}={_words.setting(value)}" for key, value in changes) if changes else variant
        words.option("variant", text)
    words.option("one-by-one", one_by_one).levels("vary-rule", vary_rule).policies(policies)
    # A function goes by its name.
    words.text("naive", _policies.called(naive) if callable(naive) else naive, "policy")
    words.text("targets", targets, "targets").option("search", search).option("mark", mark)
    if isinstance(close, Mapping):
        for name, most in close.items():
            words.option("close", f"{name}={_words.plain(most)}")
    else:
        words.option("close", close)
    words.option("trials", trials).option("max-memory", max_memory)
    words = _common(words, seed, threads, out, force, stop_after, resume)
    try:
        return _played(Balance, words, shard, out, progress)
    except InputError as error:
        if isinstance(variants, Mapping) and "unknown option" in str(error) and all(isinstance(one, Mapping) for one in variants.values()):
            raise InputError(f"{error}; variants have no names: write them as a list, {list(variants.values())}") from None
        raise


def solve(
    game: GameLike,
    policies: Sequence[Policy] | Policy | None = None,
    *,
    rules: Rules | None = None,
    set: Settings | None = None,
    metric: str | None = None,
    vary_rule: Varied | None = None,
    table: str | None = None,
    from_feature: str | None = None,
    positions: int | str | None = None,
    long_run: bool = False,
    max_states: Number | None = None,
    max_memory: str | int | None = None,
    threads: int | None = None,
    out: Path | None = None,
    positions_format: str | None = None,
    force: bool = False,
    progress: Progress = None,
) -> Solution:
    """Find the exact value of best play, and of policies, by walking every path.

    Args:
        game: Its name.
        policies: Also the value of these, and what they lose.
        rules: A preset's name, a path or a text.
        set: Options of the rules that are changed.
        metric: The metric to play for.
        vary_rule: The values under each setting of these options of the rules: `{"goal": range(50, 101, 10)}`.
        table: Also what best play answers in which situations, by a feature or two: `"turn_total,score"`.
        from_feature: In place of yes and no, or alone, the least value of this feature at which it is yes, or the greatest.
        positions: How many positions to list, or `"all"`.
        long_run: Of Carcassonne alone, the best turns of endlessly many, as a policy.
        max_states: States to hold at most.
        max_memory: Memory to take at most, such as `"4G"`.
        threads: If left out all.
        out: Write the exact values into this directory.
        positions_format: `csv` or `parquet`, for the positions in that directory.
        force: Replace somebody's files in that directory.
        progress: Whether to show it.

    >>> import stopwise
    >>> stopwise.solve("pig", rules="piglet").answer
    'With best play on both sides the first seat wins 57.142857 % of the games, and the second seat the other 42.857143 %.'
    """
    words = _game("solve", game, rules, set).policies(policies).option("metric", metric)
    words.levels("vary-rule", vary_rule)
    words.option("table", _list(table)).option("from", from_feature).option("positions", positions)
    words.option("positions-format", positions_format)
    words.option("max-states", max_states).option("max-memory", max_memory).option("threads", threads)
    return _found(Solution, words.option("long-run", long_run).path("out", out).option("force", force), progress)


def advise(
    game: GameLike,
    state: str | Mapping[str, Setting] | None = None,
    policy: Policy | Sequence[Policy] | None = None,
    *,
    trial: int | None = None,
    turn: int | None = None,
    decision: int | None = None,
    seat: int | None = None,
    metric: str | None = None,
    by: str | None = None,
    rules: Rules | None = None,
    set: Settings | None = None,
    trials: Number | None = None,
    seed: int | str | None = 1,
    threads: int | None = None,
    progress: Progress = None,
) -> Advice:
    """Say what each choice is worth in a position, and what policies would do.

    Args:
        game: Its name.
        state: The position as text, or its parts as a dictionary, `{"score": 72}`; parts that are left out are as at the beginning of the game.
        policy: Who plays the trial, and plays on where the game is not solved.
        trial: The position is one of this game, instead of `state`.
        turn: The turn in which it is, from 1.
        decision: Which decision with a choice of that turn, from 1.
        seat: Whose decision, from 1.
        metric: What is played for; if left out the game's first metric.
        by: `"exact"` or `"trials"`; if left out, whichever is quick.
        rules: A preset's name, a path or a text.
        set: Options of the rules that are changed.
        trials: Games that go on with each choice, where the game is not solved.
        seed: The seed of all dice; `None` draws one, which the result tells.
        threads: If left out all.
        progress: Whether to show it.

    >>> import stopwise
    >>> stopwise.advise("pig", "turn_total=1", rules="piglet").answer
    'Best is “roll again”; “hold” costs 11.4286 percentage points.'
    """
    if isinstance(state, Mapping):
        state = " ".join(f"{name}={_words.setting(value)}" for name, value in state.items())
    words = _game("advise", game, rules, set).option("state", state).policies(policy).option("by", by)
    words.option("trial", trial).option("turn", turn).option("decision", decision).option("seat", seat)
    words.option("metric", metric).option("trials", trials).option("seed", _words.seed(seed)).option("threads", threads)
    return _found(Advice, words, progress)


def replay(
    game: GameLike,
    policy: Player | Sequence[Player],
    *,
    trial: int | range | str | None = None,
    turn: int | range | str | None = None,
    most: str | None = None,
    least: str | None = None,
    seat: int | None = None,
    rules: Rules | None = None,
    set: Settings | None = None,
    seed: int | str | None = 1,
    rotate: bool = False,
) -> Replay:
    """Tell games step by step, with the reason for each answer.

    Args:
        game: Its name.
        policy: A policy, or a list of one for each seat.
        trial: The number of the game, from 0; a range, or `"3..5"` for all from 3 to 5; if left out 0, or with `most` and `least` the first 1,000.
        turn: Only these turns, from 1.
        most: Of these games the one with the most of this metric for a seat, such as `"turns"`.
        least: Of these games the one with the least of it.
        seat: Whose metric that is, from 1; if left out that of the first.
        rules: A preset's name, a path or a text.
        set: Options of the rules that are changed.
        seed: The seed of all dice; `None` draws one, which the result tells.
        rotate: Policies move on by one seat from game to game.

    >>> import stopwise
    >>> print(stopwise.replay("pig", "hold", trial=3, turn=1))  # doctest: +ELLIPSIS
    pig · rules standard · hold:n=20 · trial 3 of seed 1
    ...
    """
    words = _game("replay", game, rules, set).policies(policy).option("rotate", rotate).option("seed", _words.seed(seed))
    words.option("trial", _words.span(trial)).option("turn", _words.span(turn))
    words.option("most", most).option("least", least).option("seat", seat)
    return _told(words)


def _told(words: Words) -> Replay:
    found = _ask(words, False)
    told = Replay(found)
    _warn(found, told, depth=2)
    told._ask = lambda: _ask(words.option("json", "--json" not in words.words), False).text  # pyright: ignore[reportPrivateUsage]
    return told


@overload
def games(game: None = None) -> Table: ...
@overload
def games(game: GameLike) -> Text: ...
def games(game: GameLike | None = None) -> Table | Text:
    """The games, or the rules and the words of one in half a page.

    >>> import stopwise
    >>> stopwise.games().game[:5]
    ['carbonite', 'icedice', 'freeze', 'carcassonne', 'pig']
    >>> print(stopwise.games("pig").splitlines()[0])
    Pig
    """
    return _listed(Words("games")) if game is None else Text(_ask(_of_game(Words("games"), game), False))


def policies(game: GameLike | None = None) -> Table:
    """The policies that come with the program, of all games or of one.

    >>> import stopwise
    >>> stopwise.policies("pig").policy
    ['hold', 'hold-at-25', 'end-race-or-keep-pace', 'four-scoring-turns']
    """
    return _listed(Words("policy", "list") if game is None else _of_game(Words("policy", "list"), game))


def features(game: GameLike, *, rules: Rules | None = None, set: Settings | None = None) -> Table:
    """The words that policies of a game are written in: decisions, features and predicates.

    >>> import stopwise
    >>> [row.word for row in stopwise.features("pig") if row.kind == "condition"]
    ['stop']
    """
    words = _game("policy", game, rules, set)
    words.words.insert(1, "features")
    return _listed(words)


def ask(*words: object, texts: Mapping[str, str] | None = None, progress: Progress = None) -> Result | Table | Text:
    """Any command line, word by word, such as `ask("policy", "explain", "tidy")`, in which paths and numbers are words, too; `texts` are files by their names.

    >>> import stopwise
    >>> stopwise.ask("rules", "list", "pig")
    rules.csv: 3 rows
    game  rules     default  summary
    pig   standard  true     Two players to 100 with a six-sided die
    pig   solo      false    Alone to 100, in as few turns as possible
    pig   piglet    false    Two players, a coin, a point a head: first to 2
    """
    line = Words(*map(_words.word, words))
    line.texts.update(texts or {})
    found = _ask(line, progress)
    if found.document is not None:
        result: Result | Table | Text = _kind(found.document)(found, found.document, line.texts)
    else:
        result = Table(found.listing) if found.listing is not None else Text(found)
    _warn(found, result)
    return result


def stop() -> None:
    """End all calls that are under way, in whichever thread, as Ctrl-C ends one of the main thread: what is complete is returned.

    Ctrl-C reaches the main thread alone: a call in another one, as of a `ThreadPoolExecutor`, goes on until this is called.

    >>> import threading, warnings
    >>> import stopwise
    >>> def play():
    ...     with warnings.catch_warnings():
    ...         warnings.simplefilter("ignore", stopwise.Interrupted)
    ...         played.append(stopwise.simulate("pig", "hold", trials=10**11, progress=lambda line: begun.set()))
    >>> played, begun = [], threading.Event()
    >>> thread = threading.Thread(target=play)
    >>> thread.start(); begun.wait(); stopwise.stop(); thread.join()
    True
    >>> played[0].interrupted is not None
    True
    """
    _core.stop()


def merge(*parts: Path, out: Path | None = None, trials_out: Path | None = None, force: bool = False) -> Result:
    """Make one run of all its parts, as `shard=…` or `--shard` leaves them: the same result as of the run in one piece.

    Args:
        parts: The directories of all parts, or their texts, as `shard=…` returns them, in any order.
        out: Write the reports into this directory.
        trials_out: Write the rows of all parts into this file; of `simulate`, if all parts have rows.
        force: Replace results of another command, or somebody's files, in that directory.

    >>> import stopwise
    >>> run = {"rules": "solo", "trials": 10_000}
    >>> parts = [stopwise.simulate("pig", "hold", **run, shard=(number, 3)) for number in (1, 2, 3)]
    >>> stopwise.merge(*parts).json() == stopwise.simulate("pig", "hold", **run).json()
    True
    """
    if not parts:
        raise InputError("no parts are named: write the directories of all of them, or their texts")
    words = Words("merge")
    words.arguments = _arguments.arguments_of(merge)
    for number, part in enumerate(parts, 1):
        word = os.fspath(part)
        if "\n" in word:
            words.texts[f"part {number}"], word = word, f"part {number}"
        words.operand(word)
    words.path("out", out).path("trials-out", trials_out).option("force", force)
    found = _ask(words, False)
    if found.document is None:
        raise AssertionError("merge makes a document")
    return _kind(found.document)(found, found.document)


def _kind(document: _core.Document) -> type[Result]:
    kinds: dict[str, type[Result]] = {
        "simulate": Simulation,
        "compare": Comparison,
        "rank": Ranking,
        "sweep": Sweep,
        "balance": Balance,
        "solve": Solution,
    }
    return kinds.get(document.command, Result)


def _game(command: str, game: GameLike, rules: Rules | None, set: Settings | None) -> Words:
    words = Words(command)
    words.arguments = _arguments.arguments_of(globals().get(command, features))
    name = words.named(game, "game")
    words.operand(name).text("rules", rules, "rules").settings("set", set)
    changed = [word.removeprefix("--set=") for word in words.words if word.startswith("--set=")]
    words.game = (name, None if rules is None else words.named(rules, "rules"), changed)
    return words


def _of_game(words: Words, game: GameLike) -> Words:
    return words.operand(words.named(game, "game"))


def _game_under(command: str, game: GameLike, rules: Rules | Sequence[Rules] | None, set: Settings | None) -> Words:
    """The same under several rules; the first are those of the game's tables."""
    several = _words.several(rules, Mapping)
    words = _game(command, game, several[0] if several else None, set)
    for one in several[1:]:
        words.text("rules", one, "rules")
    return words


def core_tables(
    game: GameLike,
    rules: Rules | None,
    set: Settings | None,
    tables: int,
    *,
    arguments: Mapping[str, object],
    against: Iterable[Policy],
    **shown: Any,
) -> _core.Tables:
    """Tables of a game; `arguments` are those of the caller, which errors name."""
    words = _game("simulate", game, rules, set)
    words.arguments = arguments
    return _tables_of(words, tables, against=[words.named(other, "policy") for other in against], **shown)


def replay_given(
    game: GameLike,
    lineup: Sequence[Policy | tuple[str, list[int]]],
    *,
    trial: int,
    rules: Rules | None,
    set: Settings | None,
    seed: int,
) -> Replay:
    """Tells a game in which each seat, or the one that there is, did this, or a policy played."""
    words = _game("replay", game, rules, set).option("seed", seed).option("trial", trial)
    for number, one in enumerate(lineup):
        if isinstance(one, tuple):
            words.given[f"given:{number}"] = one
            words.option("policy", f"given:{number}")
        else:
            words.text("policy", one, "policy")
    return _told(words)


def _common(
    words: Words,
    seed: int | str | None,
    threads: int | None,
    out: Path | None,
    force: bool,
    stop_after: Number | None,
    resume: bool,
) -> Words:
    words.option("seed", _words.seed(seed)).option("threads", threads).path("out", out).option("force", force)
    return words.option("stop-after", stop_after).option("resume", resume)


def _list(values: object) -> object:
    return None if values is None else ",".join(map(_words.plain, _words.several(values)))


def _found(kind: type[_R], words: Words, progress: Progress, depth: int = 2) -> _R:
    found = _ask(words, progress)
    if found.document is None:
        raise AssertionError(f"{words.words[0]} makes a document")
    result = kind(found, found.document, words.texts, words.arguments)
    _warn(found, result, depth=depth)
    return result


def _played(kind: type[_R], words: Words, shard: Shard | None, out: Path | None, progress: Progress) -> _R | Text:
    """A result, or the text of a part of one."""
    if shard is None:
        return _found(kind, words, progress, depth=3)
    found = _ask(words.option("shard", _words.shard(shard)), progress)
    # Without a directory the text is what the program finds.
    part = None if out is None else pathlib.Path(out, "shard.txt").read_text(encoding="utf-8")
    text = Text(found, part, words.arguments)
    _warn(found, text, depth=2)
    return text


def _listed(words: Words) -> Table:
    found = _ask(words, False)
    if found.listing is None:
        raise AssertionError(f"{words.words[0]} makes a list")
    return Table(found.listing)
