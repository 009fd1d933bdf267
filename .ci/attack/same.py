"""The same plan in other ways: any number of threads, either runner, with and without a signal that is ignored."""

import plans
from harness import tables


def case(harness, dice, number):
    line = dice.choice(plans.QUICK).split()
    has_runner = line[0] in ("simulate", "sweep")
    seen = None
    for at, threads in enumerate(dice.sample([1, 2, 3, 4, 7, 16], 3)):
        runner = ["--runner", dice.choice(["trial", "auto"])] if has_runner else []
        env = {"RAYON_NUM_THREADS": str(dice.randint(1, 9))} if dice.random() < 0.2 else None
        words = [*line, "--threads", str(threads), *runner, "--out", f"out{at}"]
        ran = harness.run(words, patience=60, env=env)
        harness.check(ran.code == 0, f"exit code {ran.code}", ran)
        found = (ran.out, tables(harness.folder / f"out{at}"))
        seen = seen or found
        harness.check(found == seen, "another result with other threads or another runner", ran)
