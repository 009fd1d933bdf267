"""Several runs in one directory at once: one after the other or refused, and never files of two."""

import signal
import time

import plans
from harness import MANIFEST, manifest, tables, wrong_directory


def case(harness, dice, number):
    lines = [f"{dice.choice(plans.QUICK)} --seed {seed}".split() for seed in range(dice.choice([2, 2, 2, 3, 5]))]
    if dice.random() < 0.4:
        # The same command, so that the last may replace the first.
        lines = [[*lines[0][:-1], str(seed)] for seed in range(len(lines))]
    running = []
    for line in lines:
        running.append(harness.start([*line, "--out", "out"]))
        time.sleep(dice.choice([0, 0, 0.001, 0.01, 0.1, 0.4]))
    if dice.random() < 0.3:
        stop(dice.choice(running), dice)
    rans = [harness.ended(run, patience=60) for run in running]
    for ran in rans:
        refused(harness, ran)
    check(harness, lines, rans)


def stop(run, dice):
    """Ends one of them."""
    time.sleep(dice.random() * 0.1)
    if run.poll() is None:
        run.send(dice.choice([signal.SIGINT, signal.SIGKILL]))


def refused(harness, ran):
    """Whoever is refused is told who is there."""
    if ran.code in (1, 2):
        is_named = any(word in ran.message() for word in ["another run is writing", "has the results of", "but no manifest",
                                                           "begin here at once"])
        harness.check(is_named, "refused without a reason", ran)
        harness.check(not ran.out, "refused, and yet something on stdout", ran)
    else:
        harness.check(ran.code == 0 or ran.sent, f"exit code {ran.code}", ran)


def check(harness, lines, rans):
    """What is there is what one of them writes alone."""
    out = harness.folder / "out"
    is_killed = any(ran.code == -signal.SIGKILL for ran in rans)
    for why in wrong_directory(out):
        harness.check(is_killed and why.endswith("is left"), why, rans[0])
    done = [at for at, ran in enumerate(rans) if ran.code == 0]
    if MANIFEST not in [path.name for path in out.iterdir()]:
        harness.check(not done or is_killed, "no manifest, but a run that went well", rans[0])
        return
    words = manifest(out)["command_line"][1:]
    if not manifest(out)["complete"]:
        return
    owner = [at for at in range(len(lines)) if words == [*lines[at], "--out", "out"]]
    harness.check(owner and rans[owner[0]].code in (0, -signal.SIGKILL), "a manifest of none of them", rans[0])
    if owner:
        harness.run([*lines[owner[0]], "--out", "alone"], patience=60)
        harness.check(tables(out) == tables(harness.folder / "alone"), "files of two runs", rans[owner[0]])
