"""Signals at any moment: a run ends soon, with the truth, and another run repeats it byte by byte."""

import os
import re
import signal
import time

import plans
from harness import MANIFEST, entries, manifest, tables, wrong_directory

FIRST = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


def case(harness, dice, number):
    plans.furnish(harness.folder)
    pool, = dice.choices([plans.LONG, plans.SOLVES, plans.QUICK], [6, 1.5, 1.5])
    line = (dice.choice(pool) + f" --seed {dice.randrange(99)} --threads {dice.choice([1, 2, 2, 3])}").split()
    if pool is plans.SOLVES:
        solve(harness, dice, line)
    else:
        dice.choice([once, once, once, twice, killed])(harness, dice, line)


def moment(harness, dice, running):
    """Waits for a random time: often short, sometimes from the moment when signals are caught."""
    if dice.random() < 0.7:
        running.catches()
    time.sleep(min(dice.expovariate(6), 0.6 if harness.is_short else 3))


def interrupted(harness, dice, line, signals):
    """A run that was sent signals, and that left no parts behind."""
    running = harness.start(line)
    moment(harness, dice, running)
    for at, number in enumerate(signals):
        if at:
            time.sleep(dice.choice([0, 0.001, 0.01, 0.1]))
        if running.poll() is None:
            running.send(number)
    ran = harness.ended(running, most=4096 if line[0] == "solve" else 512)
    if ran.sent and ran.code >= 0:
        harness.check(ran.code in (0, 128 + signals[0], 128 + signals[-1]), f"exit code {ran.code}", ran)
    return ran


def check_directory(harness, ran, folder="out"):
    for why in wrong_directory(harness.folder / folder):
        harness.check(False, why, ran)


def once(harness, dice, line):
    """One signal: what is complete is there, and can be repeated."""
    number = dice.choice(FIRST)
    ran = interrupted(harness, dice, [*line, "--out", "out"], [number])
    check_directory(harness, ran)
    out = harness.folder / "out"
    if ran.code == 128 + number:
        repeat(harness, line, ran)
    elif ran.code < 0:
        # It came before signals are caught: before there is anything.
        harness.check(not entries(out), f"died with files: {entries(out)}", ran)
    elif ran.code == 0:
        harness.check(MANIFEST in entries(out), "done, and no manifest", ran)


def repeat(harness, line, ran):
    """The same arguments and what the message names."""
    found = re.search(r"--stop-after (\d+)", ran.message())
    if not found:
        is_none = re.search("nothing", ran.message()) and not tables(harness.folder / "out")
        harness.check(is_none, "the message does not name --stop-after", ran)
        return
    listed = re.search(r"--divergent (\d+)", ran.message())
    if listed:
        line = [*line]
        line[line.index("--divergent") + 1] = listed.group(1)
    check = manifest(harness.folder / "out")
    harness.check(check is not None and check["complete"] is False, "no manifest that says it is not complete", ran)
    again = harness.run([*line, "--out", "again", "--stop-after", found.group(1)], patience=60)
    harness.check(again.code == 0, f"--stop-after: exit code {again.code}", again)
    left_out = check.get("left_out", []) if check else []
    said = without_note(ran.out) if left_out else ran.out
    harness.check(again.out == said, "another stdout with --stop-after", again)
    wrote = tables(harness.folder / "again")
    harness.check(all(wrote.pop(name, None) for name in left_out), f"no {left_out} with --stop-after", again)
    harness.check(wrote == tables(harness.folder / "out"), "other files with --stop-after", again)
    pages = [(harness.folder / folder / "report.html").read_bytes() for folder in ("out", "again")]
    harness.check(left_out or pages[0] == pages[1], "another page with --stop-after", again)


def without_note(report):
    """A text report without its note on the large tables that a signal leaves no time for."""
    return re.sub(rb"^Left out: .*?--resume\.\n", b"", report, flags=re.DOTALL | re.MULTILINE)


def twice(harness, dice, line):
    """Two signals: all or nothing, whatever was going on."""
    ran = interrupted(harness, dice, [*line, "--out", "out"], [dice.choice(FIRST), dice.choice(FIRST)])
    check_directory(harness, ran)


def killed(harness, dice, line):
    """What a killed run has left, the next one clears away."""
    running = harness.start([*line, "--out", "out"])
    moment(harness, dice, running)
    if running.poll() is None:
        running.send(signal.SIGKILL)
    ran = harness.ended(running)
    out = harness.folder / "out"
    if MANIFEST in entries(out):
        harness.check(manifest(out)["command_line"][1] == line[0], "a manifest of another run", ran)
    quick = [plan for plan in plans.QUICK if plan.startswith(line[0])]
    again = harness.run([*dice.choice(quick).split(), "--out", "out"], patience=30)
    harness.check(again.code == 0, f"after a killed run: exit code {again.code}", again)
    check_directory(harness, again)
    harness.check(MANIFEST in entries(out), "no manifest after a killed run", again)


def solve(harness, dice, line):
    """An exact value is known or not: no parts are left, and the file is whole or not there."""
    line = [word for at, word in enumerate(line) if "--seed" not in line[max(at - 1, 0):at + 1]]
    is_table = line[1] == "carcassonne"
    signals = dice.choices(FIRST, k=dice.choice([1, 1, 2]))
    ran = interrupted(harness, dice, line + (["--out", "out"] if is_table else []), signals)
    if ran.code < 0:
        harness.check(not ran.sent or not entries(harness.folder / "out"), "died with files", ran)
    check_directory(harness, ran)
    table = harness.folder / "out" / "policy.toml"
    if table.exists():
        checked = harness.run(["policy", "check", os.fspath(table)])
        harness.check(checked.code == 0, "a table that is cut short", checked)
