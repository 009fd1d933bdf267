"""One run that is killed thirty times, at random moments, and gone on with each time: the end is that of a run that was left alone.

A case takes minutes, so that it is tried only where it is asked for: `just attack --only kills`, or `--only kills:2` for one of its plans.
"""

import shutil
import signal
import time
from pathlib import Path

from harness import MANIFEST, entries, wrong_directory

KILLS = 30
# A minute or more on two cores, and what it writes outside its directory.
PLANS = [
    ("simulate freeze --set steps=3000 -p pile-and-clock -n 1200k --trials-out rows.csv", ["rows.csv"]),
    ("compare carbonite -p tidy -p first -n 250M --divergent 3", []),
    ("sweep carbonite -p tidy --vary k=1..6 --vary-rule turns=9,10 -n 200M", []),
    ("rank icedice -p racer -p thief -p honest -n 100M", []),
    ("balance pig -p hold -p hold-at-25 --variant goal=50 --close points=10 -n 40M", []),
    ("simulate freeze --set steps=3000 -p pile-and-clock -n 1200k --trials-out rows.parquet", ["rows.parquet"]),
]
# So much of its time a run has got, about, when it is killed for the last time.
SHARE = 0.9
LONGEST = 600


def case(harness, dice, number):
    plan, rows = PLANS[number % len(PLANS)]
    whole, again = harness.folder / "whole", harness.folder / "again"
    begun = time.monotonic()
    left_alone = run(harness, whole, plan)
    takes = time.monotonic() - begun
    resume, lived, kept = [], 0.0, 0
    for _ in range(KILLS):
        began, points = time.monotonic(), size(again / "out")
        running = started(harness, again, plan, resume)
        time.sleep(dice.uniform(0, 2 * SHARE * takes / KILLS))
        is_over = running.poll() is not None
        if not is_over:
            running.send(signal.SIGKILL)
        ran = harness.ended(running, most=1024)
        lived += time.monotonic() - began
        harness.check(not is_over, f"it was over before it was killed: exit code {ran.code}", ran)
        kept += size(again / "out") > points
        resume = ["--resume"]
    begun = time.monotonic()
    ended = run(harness, again, plan, resume)
    print(f"kills:{number}: {plan}\n  left alone {takes:.0f} s; killed {KILLS} times in {lived:.0f} s, with new check points {kept} times; "
          f"resumed for the last time {time.monotonic() - begun:.0f} s", flush=True)
    harness.check(kept, "no check point was ever left", ended)
    harness.check(ended.out == left_alone.out, "another stdout", ended)
    names = [name for name in entries(whole / "out") if name != MANIFEST]
    harness.check([name for name in entries(again / "out") if name != MANIFEST] == names, "other files", ended)
    harness.check(entries(again) == entries(whole), f"beside the directory there are {entries(again)}", ended)
    for name in [f"out/{name}" for name in names] + rows:
        harness.check(same(whole / name, again / name), f"another {name}", ended)
        print(f"  {name}: {(again / name).stat().st_size:,} bytes", flush=True)
    for why in wrong_directory(again / "out"):
        harness.check(False, why, ended)
    for folder in (whole, again):
        shutil.rmtree(folder, ignore_errors=True)


def started(harness, folder, plan, resume=()):
    """The run in a folder of its own: paths are part of what it was told."""
    folder.mkdir(exist_ok=True)
    return harness.start([*plan.split(), "--out", "out", *resume], within=folder)


def run(harness, folder, plan, resume=()):
    """The same, to its end."""
    ran = harness.ended(started(harness, folder, plan, resume), LONGEST, most=1024)
    harness.check(ran.code == 0, f"exit code {ran.code}", ran)
    return ran


def size(folder):
    """How many bytes of check points there are."""
    path = Path(folder) / ".stopwise.checkpoints"
    return path.stat().st_size if path.exists() else 0


def same(one, other):
    """Whether two files have the same bytes."""
    piece = 1 << 20
    with open(one, "rb") as one_file, open(other, "rb") as other_file:
        while True:
            mine, yours = one_file.read(piece), other_file.read(piece)
            if mine != yours:
                return False
            if not mine:
                return True
