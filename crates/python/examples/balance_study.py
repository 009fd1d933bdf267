"""A balance study: what the length of CarboniteDice does to scores, as a table of polars and pictures.

    python balance_study.py [TRIALS]

It writes `balance.html`, the program's page, `sweep.svg`, the program's picture of the last policy, and `turns.svg`, all policies
in one picture, drawn with matplotlib if that is installed.
"""

from __future__ import annotations

import sys
from pathlib import Path

import polars

import stopwise

POLICIES = ["tidy", "first", "second-tree"]
TURNS = [4, 6, 8, 10]


def main(trials: int = 200_000) -> polars.DataFrame:
    """Varies the number of turns; a row for each, a column a policy."""
    # The rules as they are, with ten turns, are no variant of themselves.
    variants = [{"turns": turns} for turns in TURNS if turns != 10]
    balance = stopwise.balance("carbonite", POLICIES, variants=variants, trials=trials)
    Path("balance.html").write_text(balance.html(), encoding="utf-8")
    print(balance.answer)

    pieces = []
    for policy in POLICIES:
        grid = stopwise.sweep("carbonite", policy, vary_rule={"turns": TURNS}, trials=trials)
        pieces.append(polars.DataFrame(grid.sweep))
    shown = (
        polars.concat(pieces, how="diagonal_relaxed")
        .filter(polars.col("metric") == "score")
        .pivot("policy", index="turns", values="mean")
        .sort("turns")
    )
    print(shown)
    Path("sweep.svg").write_text(grid.svg() or "", encoding="utf-8")
    draw(shown)
    return shown


def draw(shown: polars.DataFrame) -> None:
    """The table as lines; nothing without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        print("no turns.svg: pip install matplotlib")
        return
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    for policy in shown.columns[1:]:
        axes.plot(shown["turns"], shown[policy], marker="o", label=policy)
    axes.set(title="CarboniteDice by its number of turns", xlabel="turns", ylabel="mean points", xticks=shown["turns"])
    axes.set_ylim(bottom=0)
    axes.legend(title="policy", frameon=False)
    figure.savefig("turns.svg")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
