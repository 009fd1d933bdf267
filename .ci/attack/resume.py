"""Runs that are killed at any moment, again and again, and gone on with: the end is that of a run that was left alone."""

import shutil
import signal
import time

import plans
from harness import MANIFEST, entries, wrong_directory

# A run is killed at most so often.
KILLS = 3


def case(harness, dice, number):
    plans.furnish(harness.folder)
    line = dice.choice(plans.RESUMED).split()
    begun = time.monotonic()
    whole = harness.run([*line, "--out", "whole"], patience=120)
    takes = time.monotonic() - begun
    harness.check(whole.code == 0, f"exit code {whole.code}", whole)
    out, resume = harness.folder / "out", []
    for _ in range(KILLS):
        running = harness.start([*line, "--out", "out", *resume])
        time.sleep(dice.uniform(0, takes))
        if running.poll() is None:
            running.send(dice.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM]))
        ran = harness.ended(running, most=1024)
        resume = ["--resume"]
    again = harness.run([*line, "--out", "out", *resume], patience=120)
    harness.check(again.code == 0, f"--resume: exit code {again.code}", again)
    harness.check(again.out == whole.out or "nothing is left to be played" in again.message(), "another stdout with --resume", again)
    names = [name for name in entries(harness.folder / "whole") if name != MANIFEST]
    harness.check([name for name in entries(out) if name != MANIFEST] == names, "other files with --resume", again)
    for name in names:
        same = (out / name).read_bytes() == (harness.folder / "whole" / name).read_bytes()
        harness.check(same, f"another {name} with --resume", again)
    for why in wrong_directory(out):
        harness.check(False, why, again)
    shutil.rmtree(out, ignore_errors=True)
