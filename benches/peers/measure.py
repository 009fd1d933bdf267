"""The clock that all peers share: play batches of games for so many seconds and print one line of JSON.

The first half second, and with it any compilation, is warm-up and is not counted.
"""

import argparse
import json
import time
from typing import Callable, NamedTuple

GOAL = 100
HOLD = 20


class Tally(NamedTuple):
    """What a batch came to. A peer leaves out what it does not count: it stays None."""

    games: int
    rolls: int
    turns: int | None = None
    first_wins: int | None = None


def arguments() -> argparse.Namespace:
    """The command line of every peer."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--workload", choices=["solo", "two", "farkle", "zombie"], required=True)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--parallel", action="store_true", help="all threads, where the peer can")
    return parser.parse_args()


def report(tally: Tally, seconds: float, version: str) -> None:
    """Prints what run.py reads."""
    print(json.dumps({"version": version, "seconds": seconds, **tally._asdict()}))


def measure(play: Callable[[int], Tally], batch: int, seconds: float, version: str) -> None:
    """Warms up, then plays batches of `batch` games until `seconds` have passed, and reports."""
    start = time.perf_counter()
    while time.perf_counter() - start < 0.5:
        play(batch)

    tallies = []
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        tallies.append(play(batch))
    spent = time.perf_counter() - start

    total = Tally(*(None if None in column else int(sum(column)) for column in zip(*tallies)))
    report(total, spent, version)
