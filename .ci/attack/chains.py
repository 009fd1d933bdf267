"""Chains of deaths: a run is killed near its end, at once after it was resumed, or anywhere; what it ends with is that of a run that was left alone.

Rows are compared too, as CSV and as Parquet, from lanes and from the trial.
"""

import shutil
import signal
import time

from harness import MANIFEST, entries, wrong_directory
from kills import same

CHECK_POINTS = ".stopwise.checkpoints"
# Some seconds' work each: check points come after two.
PLANS = [
    "simulate carbonite -p tidy -n 8M --trials-out rows.csv", "simulate carbonite -p tidy -n 10M --trials-out rows.parquet",
    "simulate pig -p hold -p hold-at-25 --rotate -n 6M --runner trial --trials-out rows.parquet",
    "simulate pig -p hold -p hold-at-25 -n 6M --runner trial --trials-out rows.csv",
    "balance icedice -p racer -p thief --variant trios=2 --close trios=1 -n 200k",
    "balance pig -p hold -p hold-at-25 --variant goal=50 --close points=10 -n 500k",
    "simulate icedice -p racer -p thief --rotate -n 10M", "simulate carbonite -p tidy -n 60M --best-of 100",
]


def case(harness, dice, number):
    line = (PLANS[number % len(PLANS)] + f" --threads {dice.choice([1, 2, 2])}").split()
    whole, again = harness.folder / "whole", harness.folder / "again"
    begun = time.monotonic()
    left_alone = run(harness, whole, line)
    takes = time.monotonic() - begun
    resume = []
    for _ in range(dice.randint(1, 6)):
        ran = killed(harness, dice, again, [*line, *resume], takes)
        is_left = CHECK_POINTS in entries(again / "out")
        harness.check(ran.code != 0 or not is_left, "a run that is over has left check points", ran)
        resume = ["--resume"]
    ended = run(harness, again, [*line, *resume])
    harness.check(ended.out == left_alone.out or "nothing is left to be played" in ended.message(), "another stdout with --resume", ended)
    for folder in ["", "out"]:
        found, wanted = ([name for name in entries(at / folder) if name != MANIFEST] for at in (again, whole))
        harness.check(found == wanted, f"other files with --resume: {found}", ended)
        for name in wanted:
            is_file = (whole / folder / name).is_file() and (again / folder / name).is_file()
            harness.check(not is_file or same(whole / folder / name, again / folder / name), f"another {name} with --resume", ended)
    for why in wrong_directory(again / "out"):
        harness.check(False, why, ended)
    for folder in (whole, again):
        shutil.rmtree(folder, ignore_errors=True)


def killed(harness, dice, folder, line, takes):
    """A run that is killed in its last tenth, at once, or anywhere; sometimes it is asked first."""
    folder.mkdir(exist_ok=True)
    running = harness.start([*line, "--out", "out"], within=folder)
    first, last = dice.choice([(0.9, 1.05), (0.9, 1.05), (0, 0.1), (0, 1)])
    running.wait(dice.uniform(first * takes, last * takes))
    if running.poll() is None:
        running.send(dice.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGKILL, signal.SIGTERM]))
    return harness.ended(running, most=1024)


def run(harness, folder, line):
    """A run that is left alone."""
    folder.mkdir(exist_ok=True)
    ran = harness.run([*line, "--out", "out"], patience=300, most=1024, within=folder)
    harness.check(ran.code == 0, f"exit code {ran.code}", ran)
    return ran
