"""A user's script, for type checkers: what is annotated is what there is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import stopwise
from stopwise import cluster, envs

result = stopwise.simulate("carbonite", "tidy:k=3", rules="wiki", set={"retribution": "any", "points": {"solid": 9}}, trials="2k")
table: stopwise.Table = result.summary
row: stopwise.Row = table[0]
rows: list[stopwise.Row] = table[1:3]
means: list[Any] = table["mean"]
mean: float = row.mean
page: str = result.html()
picture: str | None = result.svg()
document: dict[str, Any] = result.to_dict()
stop: str | None = result.interrupted

seats: stopwise.Simulation = stopwise.simulate("pig", ["hold", Path("mine.toml")], rotate=True, quantiles=[0.1, 0.9], above=3)
pairs: stopwise.Table = stopwise.compare("pig", ["hold", ["hold", "hold-at-25"]], until_width=0.1, budget="5m").comparison
order: list[Any] = stopwise.rank("pig", "all", vary={"n": range(15, 31)}, progress=print).rank.policy
best: stopwise.Table = stopwise.sweep("pig", "hold", vary={"n": [1, 2]}, vary_rule={"goal": "50,100"}, out=Path("out")).best
skill: stopwise.Table = stopwise.balance("pig", ["hold"], variants=[{"goal": 50}, "goal=60"], targets={"mean turns": "8 to 10"}).skill
value: float = stopwise.solve("pig", rules="piglet").solution[0].value
games: list[dict[str, Any]] = stopwise.replay("pig", "hold", trial=range(3)).games
told: stopwise.Text = stopwise.games("pig")
listed: stopwise.Table = stopwise.games()
error: type[ValueError] = stopwise.InputError


def mine(batch: stopwise.Batch) -> Any:
    """A policy."""
    return (batch.features["turn_total"] >= 20) & batch.can(1) & batch.can("hold") & batch.decides("stop")


def keeps(batch: stopwise.Batch) -> Any:
    """Another."""
    return (batch.candidates["pays"] * batch.action_mask).argmax(1)


function: stopwise.Simulation = stopwise.simulate("pig", [mine, "hold"])
named: stopwise.Comparison = stopwise.compare("pig", {"mine": mine, "hold": "hold:n=20"})
swept: stopwise.Sweep = stopwise.sweep("pig", mine, vary_rule={"goal": [50, 60]})
balanced: stopwise.Balance = stopwise.balance("pig", {"mine": mine, "hold": "hold"}, variants={"goal": 50}, naive=mine)
parts: list[stopwise.Text] = [stopwise.simulate("pig", "hold", shard=(number, 3), out=f"part-{number}") for number in (1, 2, 3)]
whole: stopwise.Result = stopwise.merge(*parts, stopwise.compare("pig", "all", shard="1/3"))
on_ray: stopwise.Simulation = cluster.simulate("pig", "hold", trials=1000)
env = envs.make("pig", rules="solo", features=["score"])
names: tuple[str, ...] = env.feature_names
vector = envs.make_vec("pig", num_envs=8, rules="solo", autoreset_mode="SameStep")
against = envs.make_vec("farkle", 8, against=["by-dice"], seat=2, candidates=["pays"], metric="points", rewards="decisions")
of_candidates: tuple[str, ...] = against.candidate_names
played: stopwise.Replay = vector.replay(0, [1, 0])
agents: list[str] = envs.aec("icedice").possible_agents
