"""A balance study: what the length of CarboniteDice does to scores, as a table of polars and a picture.

    python balance_study.py [TRIALS]

It writes `balance.html`, the program's page, and `turns.svg`, drawn with matplotlib if that is installed, or else by the program.
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
    variants = [{"turns": turns} for turns in TURNS]
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
    Path("turns.svg").write_text(picture(shown) or grid.svg() or "", encoding="utf-8")
    return shown


def picture(shown: polars.DataFrame) -> str | None:
    """The table as lines; `None` without matplotlib."""
    try:
        from io import StringIO

        from matplotlib.figure import Figure
    except ImportError:
        return None
    figure = Figure(figsize=(7, 4))
    axes = figure.subplots()
    for policy in shown.columns[1:]:
        axes.plot(shown["turns"], shown[policy], marker="o", label=policy)
    axes.set(xlabel="turns", ylabel="mean points")
    axes.legend()
    text = StringIO()
    figure.savefig(text, format="svg")
    return text.getvalue()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
