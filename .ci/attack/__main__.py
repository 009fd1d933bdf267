"""Attacks the program and looks whether it keeps what it promises: just attack.

    python3 .ci/attack target/release/stopwise [--seed N] [--minutes M | --short] [--only KIND[:NUMBER]]

Broken texts, odd command lines, signals at any moment, runs that are killed and gone on with, two runs in one directory, full disks, pipes that nobody reads,
little memory, any number of threads, terminals, damaged parts of runs, the page of `serve`; and, where `--only kills` asks for it, minutes of a run that is killed thirty times. A case is a function of seed, kind and number, so that what failed can be repeated.
Exit code 1 if anything failed. Only the standard library of Python 3 is needed.
"""

import argparse
import random
import sys
import time
from pathlib import Path

import chains
import directories
import kills
import memory
import outputs
import pages
import parts
import resume
import same
import signals
import terminals
import texts
import words
from harness import Harness

# What is tried, and which part of the time it gets.
KINDS = {
    "texts": (texts.case, 0.12),
    "words": (words.case, 0.11),
    "signals": (signals.case, 0.14),
    "directories": (directories.case, 0.08),
    "resume": (resume.case, 0.08),
    "outputs": (outputs.case, 0.12),
    "memory": (memory.case, 0.10),
    "same": (same.case, 0.06),
    "terminals": (terminals.case, 0.06),
    "parts": (parts.case, 0.02),
    "pages": (pages.case, 0.08),
    # Half a minute a case: not in a short attack.
    "chains": (chains.case, 0.13),
    # Minutes a case: only where it is named.
    "kills": (kills.case, None),
}
SHORT = 45.0
NOT_SHORT = {"chains"}


def arguments():
    """What was typed."""
    parser = argparse.ArgumentParser(prog=".ci/attack", description=__doc__.splitlines()[0])
    parser.add_argument("binary", type=Path, help="the program, as a release build")
    parser.add_argument("--seed", type=int, default=None, help="of all that is tried [default: the time]")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--minutes", type=float, default=5.0)
    length.add_argument("--short", action="store_true", help=f"about {SHORT:.0f} seconds")
    parser.add_argument("--only", metavar="KIND[:NUMBER]", help="one kind, or one case of it")
    return parser.parse_args()


def play(harness, kind, seconds):
    """All cases of a kind that fit into its time; at least one."""
    end = time.monotonic() + seconds
    number = 0
    while number == 0 or time.monotonic() < end:
        one(harness, kind, number)
        number += 1


def one(harness, kind, number):
    """One case, with dice of its own."""
    harness.begin(kind, number)
    KINDS[kind][0](harness, random.Random(f"{harness.seed}:{kind}:{number}"), number)
    harness.end()


def main():
    typed = arguments()
    seed = int(time.time()) if typed.seed is None else typed.seed
    print(f"seed {seed}", flush=True)
    seconds = SHORT if typed.short else typed.minutes * 60
    kind, _, number = (typed.only or "").partition(":")
    with Harness(typed.binary.resolve(), seed, is_short=typed.short) as harness:
        if number:
            one(harness, kind, int(number))
        else:
            for name, (_, share) in KINDS.items():
                is_due = share is not None and not (typed.short and name in NOT_SHORT)
                if name == kind or not kind and is_due:
                    play(harness, name, seconds if kind else seconds * share)
        print(harness.summary())
        return 1 if harness.failures else 0


if __name__ == "__main__":
    sys.exit(main())
