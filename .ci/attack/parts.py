"""Parts of runs that nobody played: damaged, crafted with checks that are right, or no files at all. `merge` refuses them soon, or gives the run in one piece."""

import hashlib
import json
import os
import shutil

from harness import tables

PLANS = ["simulate pig --rules solo -p hold -n 1k", "sweep pig --rules solo -p hold --vary n=18..22 -n 1k",
         "balance pig -p hold -p hold-at-25 --variant goal=50 --close points=10 -n 300"]
PARTS = 3
NUMBERS = [0, 1, 2, 4, 10**6, 10**6 + 1, 10**12, 2**63, 2**64 - 1, 2**64, -1, 0.5, "1", None, [], {}]


def case(harness, dice, number):
    line = dice.choice(PLANS).split()
    whole = harness.run([*line, "--out", "whole"], patience=30)
    for part in range(1, PARTS + 1):
        harness.run([*line, "--out", f"part{part}", "--shard", f"{part}/{PARTS}"], patience=30)
    for at in range(10):
        parts = [f"part{part}" for part in range(1, PARTS + 1)]
        changed = dice.randrange(PARTS)
        parts[changed] = dice.choice([cut, flipped, crafted, crafted, crafted, piped])(harness, dice, f"changed{at}", parts[changed])
        dice.shuffle(parts)
        out = dice.choice([f"merged{at}", f"merged{at}", dice.choice(parts)])
        kept = tables(harness.folder / out)
        ran = harness.run(["merge", *parts, "--out", out], patience=20)
        harness.check(ran.code in (0, 1, 2), f"exit code {ran.code}", ran)
        harness.check(ran.seconds < 10, f"took {ran.seconds:.0f} s", ran)
        if ran.code == 0:
            harness.check(out not in parts, "a part was replaced", ran)
            harness.check(ran.out == whole.out and tables(harness.folder / out) == tables(harness.folder / "whole"), "another whole", ran)
        else:
            harness.check(tables(harness.folder / out) == kept, "refused, and files changed", ran)


def lines(harness, part):
    return (harness.folder / part / "shard.txt").read_text().splitlines()


def put(harness, name, part, text):
    """A directory like that of a part, with another text."""
    shutil.copytree(harness.folder / part, harness.folder / name)
    (harness.folder / name / "shard.txt").write_bytes(text)
    return name


def cut(harness, dice, name, part):
    text = (harness.folder / part / "shard.txt").read_bytes()
    return put(harness, name, part, text[:dice.randrange(len(text))])


def flipped(harness, dice, name, part):
    text = bytearray((harness.folder / part / "shard.txt").read_bytes())
    text[dice.randrange(len(text))] ^= 1 << dice.randrange(8)
    return put(harness, name, part, bytes(text))


def crafted(harness, dice, name, part):
    """One number of a header or of a record is another, and the check is right."""
    found = lines(harness, part)
    at = dice.randrange(len(found) - 1)
    text = found[at].split(" ", 1)[1]
    about, end = json.JSONDecoder().raw_decode(text)
    key = dice.choice(sorted(about))
    about[key] = dice.choice([dice.choice(NUMBERS), [dice.choice(NUMBERS)], [dice.choice(NUMBERS), dice.choice(NUMBERS)]])
    text = json.dumps(about, separators=(",", ":")) + text[end:]
    found[at] = f"{hashlib.sha256(text.encode()).hexdigest()[:16]} {text}"
    return put(harness, name, part, ("\n".join(found) + "\n").encode())


def piped(harness, dice, name, part):
    """A pipe that nobody writes to: the part itself, or its file."""
    if dice.random() < 0.5:
        os.mkfifo(harness.folder / name)
    else:
        put(harness, name, part, b"")
        (harness.folder / name / "shard.txt").unlink()
        os.mkfifo(harness.folder / name / "shard.txt")
    return name
