"""Measures games in stopwise and in its peers, and prints one Markdown table.

Every row is run for so many seconds in every round, one row after the other, so that the noise of the machine meets all;
the table has the median of the rounds. A row whose means are not those of the game (expected.py) is an error.
"""

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path

from expected import expected

HERE = Path(__file__).resolve().parent
STOPWISE = HERE.parents[1] / "target" / "release" / "stopwise"
WORKLOADS = {
    "solo": "Pig alone to 100",
    "two": "Pig for two to 100",
    "farkle": "Farkle for two",
    "zombie": "Zombie Dice for four",
}
GAMES = HERE.parents[1] / "games"
# What stopwise plays: its two first as games in Rust, the others as texts.
PLAYED = {
    "solo": ["pig", "-p", "hold:n=20", "--set", "players=1"],
    "two": ["pig", "-p", "hold:n=20"],
    "farkle": [GAMES / "farkle.game", "-p", "by-dice"],
    "zombie": [GAMES / "zombie-dice.game", "-p", "by-shots"],
}
# A mean further than this many standard errors from the exact one is wrong.
TOLERANCE = 5.0


class Unavailable(Exception):
    """This row cannot be measured here; the message says why."""


@dataclass
class Row:
    """A line of the table, and what its rounds came to."""

    workload: str
    tool: str
    version: str = ""
    rounds: list[dict] = field(default_factory=list)

    def prepare(self, seconds: float) -> None:
        """What is done once, before the rounds."""

    def play(self, seconds: float, seed: int) -> dict:
        """One round: seconds, games, rolls, and turns or first_wins."""
        raise NotImplementedError

    def rate(self) -> float:
        """Games a second, the median of the rounds."""
        return statistics.median(r["games"] / r["seconds"] for r in self.rounds)

    def spread(self) -> float:
        """How far the fastest and the slowest round are apart, as a share of the median."""
        rates = [r["games"] / r["seconds"] for r in self.rounds]
        return (max(rates) - min(rates)) / self.rate()

    def ns_per_roll(self) -> float:
        return statistics.median(r["seconds"] * 1e9 / r["rolls"] for r in self.rounds)

    def mean(self, name: str) -> float:
        """Of all rounds together, per game."""
        return sum(r[name] for r in self.rounds) / sum(r["games"] for r in self.rounds)

    def wrong(self, means: dict) -> list[str]:
        """Means that are not those of the game."""
        games = sum(r["games"] for r in self.rounds)
        return [
            f"{self.tool}, {self.workload}: {name} {self.mean(name):.4f} instead of {exact.mean:.4f}"
            for name, exact in means.items()
            if abs(self.mean(name) - exact.mean) > TOLERANCE * exact.deviation / sqrt(games)
        ]


@dataclass
class Peer(Row):
    """A script of this folder, in a process of its own. It keeps its own time: start and warm-up do not count."""

    script: str = ""
    threads: int = 1

    def play(self, seconds: float, seed: int) -> dict:
        command = [sys.executable, self.script, "--workload", self.workload]
        command += ["--seconds", str(seconds), "--seed", str(seed)]
        if self.threads > 1:
            command.append("--parallel")
        threads = {f"{name}_NUM_THREADS": str(self.threads) for name in ("OMP", "OPENBLAS", "NUMBA")}
        env = os.environ | threads | {"PYTHONDONTWRITEBYTECODE": "1"}
        result = json.loads(output(command, cwd=HERE, env=env).stdout)
        self.version = result["version"]
        return result


# ---------------------------------------------------------------------------------------------------------------------
# stopwise: the whole command on the wall clock, from its start to its last line.
# ---------------------------------------------------------------------------------------------------------------------


@dataclass
class Stopwise(Row):
    """`stopwise simulate`, with as many trials as take about the given time."""

    runner: str = "auto"
    threads: int = 1
    trials: int = 0

    def simulate(self, trials: int, seed: int, *more: str) -> tuple[subprocess.CompletedProcess, float]:
        command = [STOPWISE, "simulate", *PLAYED[self.workload], "-n", str(trials), "--seed", str(seed)]
        command += ["--threads", str(self.threads), "--runner", self.runner, "-q", "--format", "json", *more]
        start = time.perf_counter()
        done = output(command)
        return done, time.perf_counter() - start

    def prepare(self, seconds: float) -> None:
        if not STOPWISE.exists():
            raise Unavailable("build it first: cargo build --release")
        self.version = output([STOPWISE, "--version"]).stdout.split()[-1]
        ran = re.search(r"runner: (\w+)", self.simulate(1_000, 1, "-v")[0].stderr)
        if self.runner == "auto" and ran:
            self.tool += f" (ran {ran[1]})"
        trials, spent = 100_000, 0.0
        while spent < min(0.5, seconds):
            trials *= 2
            spent = self.simulate(trials, 1)[1]
        self.trials = max(1, round(trials * seconds / spent / 10_000)) * 10_000

    def play(self, seconds: float, seed: int) -> dict:
        done, spent = self.simulate(self.trials, seed)
        summary = json.loads(done.stdout)["summary"]
        means = {(row["seat"], row["metric"]): row["mean"] for row in summary}
        rolls = sum(mean for (_, metric), mean in means.items() if metric == "rolls")
        result = {"games": self.trials, "seconds": spent, "rolls": self.trials * rolls}
        if self.workload == "two":
            return result | {"first_wins": self.trials * means[1, "win"]}
        return result | {"turns": self.trials * means[1, "turns"]}


def output(command: list, **options) -> subprocess.CompletedProcess:
    """Runs a command to its end; its last line of complaint is why it is unavailable."""
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True, **options)
    except FileNotFoundError as error:
        raise Unavailable(str(error)) from error
    except subprocess.CalledProcessError as error:
        lines = error.stderr.strip().splitlines() or [f"exit status {error.returncode}"]
        raise Unavailable(lines[-1]) from error


def rows(all_threads: bool) -> list[Row]:
    """The table, in its order."""
    cores = len(os.sched_getaffinity(0))
    table = []
    for workload in WORKLOADS:
        is_pig = workload in ("solo", "two")
        which = "pig" if is_pig else "games"
        numba = f"numba_{which}.py"
        if is_pig:
            table.append(Peer(workload, "plain Python", script="plain_python.py"))
        if workload == "two":
            table.append(Peer(workload, "OpenSpiel, Python API", script="openspiel_python.py"))
            table.append(Peer(workload, "OpenSpiel, C++ core", script="openspiel_cpp.py"))
        table.append(Peer(workload, "NumPy", script=f"numpy_{which}.py"))
        table.append(Peer(workload, "Numba", script=numba))
        for runner in ("trial", "lanes", "auto"):
            table.append(Stopwise(workload, f"stopwise --runner {runner}", runner=runner))
        if all_threads and cores > 1:
            if is_pig:
                table.append(Peer(workload, f"Numba, {cores} threads", script=numba, threads=cores))
            table.append(Stopwise(workload, f"stopwise, {cores} threads", threads=cores))
    return table


def machine() -> str:
    """The processor, the system and the Python."""
    cpu = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    name = cpu[1].strip() if cpu else platform.processor()
    return f"{name}, {os.cpu_count()} CPUs, {platform.system()} {platform.machine()}, Python {platform.python_version()}"


def page(table: list[Row], notes: list[str], seconds: float, rounds: int) -> str:
    """The table, what was measured, and on what."""
    lines = ["# stopwise and its peers", ""]
    lines += [f"Machine: {machine()}", ""]
    lines += ["In Pig every seat holds at 20, or when it wins; in Farkle it plays `by-dice`, in Zombie Dice `by-shots`: both are"]
    lines[-1] += " games as text in stopwise, loops of their own in Numba, and in NumPy columns of 20,000 games, of Farkle with a table"
    lines[-1] += " of all throws. One thread, unless the row says otherwise. "
    lines[-1] += f"Median of {rounds} round(s) of about {seconds:g} s. Of stopwise the whole command is timed, with its start,"
    lines[-1] += " its distributions and its report; the others play in a warm process, compiled, and only add up."
    lines += ["", "| workload | tool | version | games/s | spread | ns/roll | to Numba | mean |"]
    lines += ["|---|---|---|---:|---:|---:|---:|---|"]
    base = {row.workload: row.rate() for row in table if row.tool == "Numba"}
    for row in table:
        ratio = f"{row.rate() / base[row.workload]:.3g} ×" if row.workload in base else ""
        rolls = f"{row.mean('rolls'):.2f} rolls"
        if row.workload == "two":
            mean = f"first seat wins {row.mean('first_wins'):.4f}, {rolls}"
        else:
            mean = f"{row.mean('turns'):.3f} turns, {rolls}"
        cells = [WORKLOADS[row.workload], row.tool, row.version, f"{row.rate():,.0f}", f"{row.spread():.0%}"]
        cells += [f"{row.ns_per_roll():,.1f}", ratio, mean]
        lines.append(f"| {' | '.join(cells)} |")
    exact = expected()
    lines += ["", f"Exact: {exact['solo']['turns'].mean:.3f} turns and {exact['solo']['rolls'].mean:.2f} rolls alone; "]
    lines[-1] += f"with two seats the first wins {exact['two']['first_wins'].mean:.4f}, in {exact['two']['rolls'].mean:.2f} rolls."
    lines[-1] += " The means of the other two games must be the same in all rows; turns are the first seat's."
    if notes:
        lines += ["", "Not measured:", "", *(f"* {note}" for note in notes)]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0, help="of a row in a round [default: 5]")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--all-threads", action="store_true", help="rows on all threads, too")
    parser.add_argument("--out", type=Path, help="write the page here, besides printing it")
    args = parser.parse_args()

    table, notes = rows(args.all_threads), []

    def attempt(row: Row, action) -> None:
        try:
            action()
        except Unavailable as error:
            notes.append(f"{row.tool}, {WORKLOADS[row.workload]}: {error}")
            table.remove(row)

    for row in list(table):
        attempt(row, lambda: row.prepare(args.seconds))
    for seed in range(1, args.rounds + 1):
        for row in list(table):
            print(f"round {seed}: {row.tool}, {WORKLOADS[row.workload]}", file=sys.stderr)
            attempt(row, lambda: row.rounds.append(row.play(args.seconds, seed)))

    text = page(table, notes, args.seconds, args.rounds)
    print(text, end="")
    exact = expected()
    wrong = [line for row in table for line in row.wrong(exact[row.workload])]
    if wrong:
        sys.exit("\n".join(wrong))
    if args.out:
        args.out.write_text(text)


if __name__ == "__main__":
    main()
