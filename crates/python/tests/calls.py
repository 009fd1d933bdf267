"""The same question twice: as a call of Python, and as the words of the program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import stopwise


class Same(NamedTuple):
    """A call, and the words that ask the same. The call's arguments are those of its function."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    options: dict[str, Any]
    words: str

    def call(self, **more: Any) -> Any:
        return self.function(*self.arguments, **self.options, **more)


def same(function: Callable[..., Any], words: str, *arguments: Any, **options: Any) -> Same:
    return Same(function, arguments, options, words)


#: What `targets.toml` is in the folder of a test.
TARGETS = '"mean turns" = "8 to 10"\n'

CALLS = {
    "simulate": same(
        stopwise.simulate,
        "simulate carbonite -p tidy:k=3 --set retribution=any -n 20k --above 500 --quantiles 0.1,0.9 --best-of 5",
        "carbonite", "tidy:k=3", set={"retribution": "any"}, trials="20k", above=500, quantiles=[0.1, 0.9], best_of=5,
    ),
    "simulate-seats": same(
        stopwise.simulate,
        "simulate pig -p hold -p hold-at-25 --rotate -n 5000 --seed 7 --set goal=50",
        "pig", ["hold", "hold-at-25"], rotate=True, trials=5000, seed=7, set=["goal=50"],
    ),
    "simulate-one": same(stopwise.simulate, "simulate pig -p hold -n 1", "pig", "hold", trials=1),
    "simulate-cut": same(
        stopwise.simulate, "simulate pig -p hold -n 50k --stop-after 1024", "pig", "hold", trials=50e3, stop_after=1024
    ),
    "simulate-until": same(
        stopwise.simulate,
        "simulate pig --rules solo -p hold --until-width 0.1 --metric score",
        "pig", "hold", rules="solo", until_width=0.1, metric="score",
    ),
    "compare": same(
        stopwise.compare,
        "compare carbonite -p tidy -p first -p second-tree -n 5k --divergent 3",
        "carbonite", ["tidy", "first", "second-tree"], trials=5000, divergent=3,
    ),
    "compare-until": same(
        stopwise.compare,
        "compare pig --rules solo -p hold -p hold:n=25 --until-width 0.1 --metric score",
        "pig", ["hold", "hold:n=25"], rules="solo", until_width=0.1, metric="score",
    ),
    "compare-lineups": same(
        stopwise.compare,
        "compare pig -p hold+hold-at-25 -p hold:n=15+hold -n 2k --rotate",
        "pig", [["hold", "hold-at-25"], ("hold:n=15", "hold")], trials=2000, rotate=True,
    ),
    "compare-rules": same(
        stopwise.compare,
        "compare carbonite --rules wiki --rules readme-v1 --set turns=5 -p tidy -n 2k",
        "carbonite", "tidy", rules=["wiki", "readme-v1"], set={"turns": 5}, trials=2000,
    ),
    "rank": same(
        stopwise.rank,
        "rank carbonite -p tidy -p first --vary 1.k=1..3 -n 5k --alpha 0.1 --aim best --fresh 1000",
        "carbonite", ["tidy", "first"], vary={"1.k": range(1, 4)}, trials=5000, alpha=0.1, aim="best", fresh=1000,
    ),
    "rank-cycles": same(stopwise.rank, "rank freeze -p all -n 300", "freeze", "all", trials=300),
    "rank-alone": same(stopwise.rank, "rank carbonite -p all -n 200", "carbonite", "all", trials=200),
    "rank-seats": same(stopwise.rank, "rank icedice -p all -n 200", "icedice", "all", trials=200),
    "sweep": same(
        stopwise.sweep,
        "sweep carbonite -p tidy --vary k=1..3 --vary-rule turns=5,10 --vary-rule retribution=any,all -n 2k --paired 1k",
        "carbonite", "tidy", vary={"k": range(1, 4)}, vary_rule={"turns": (5, 10), "retribution": "any,all"}, trials=2000,
        paired=1000,
    ),
    "balance": same(
        stopwise.balance,
        "balance carbonite -p first -p tidy --variant retribution=any,turns=5 --variant copies=1 --mark 300 -n 2k --one-by-one",
        "carbonite", ["first", "tidy"], variants=[{"retribution": "any", "turns": 5}, "copies=1"], mark=300, trials=2000,
        one_by_one=True,
    ),
    "balance-seats": same(
        stopwise.balance,
        "balance pig -p hold -p hold-at-25 --vary-rule goal=50,100 --close points=10 -n 2k --naive hold-at-25",
        "pig", ["hold", "hold-at-25"], vary_rule={"goal": [50, 100]}, close={"points": 10}, trials=2000, naive="hold-at-25",
    ),
    "balance-search": same(
        stopwise.balance,
        "balance carbonite -p first -p tidy --vary-rule turns=8..10 --targets targets.toml --search 3 -n 500",
        "carbonite", ["first", "tidy"], vary_rule={"turns": range(8, 11)}, targets="targets.toml", search=3, trials=500,
    ),
    "solve": same(
        stopwise.solve,
        "solve carbonite --set colours=2 --set turns=3 -p first -p tidy",
        "carbonite", ["first", "tidy"], set={"colours": 2, "turns": 3},
    ),
    "solve-solo": same(
        stopwise.solve, "solve pig --rules solo --set goal=40 -p hold", "pig", "hold", rules="solo", set={"goal": 40}
    ),
    "solve-piglet": same(stopwise.solve, "solve pig --rules piglet", "pig", rules="piglet"),
}
