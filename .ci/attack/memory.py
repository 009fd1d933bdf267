"""Little memory: small plans need little, and monstrous ones are refused or stay small."""

import resource

# A game of Pig that takes more turns than anybody plays, and texts that never end.
NEVER = 'game = "pig"\nname = "never"\nsummary = "Does not stop."\nstop = "turn > 1000000"\n'
MONSTER = "pig --set sides=64 --set turn_cap=60000 -p never.toml"
# What it is, how many megabytes it may use, and what its exit code may be.
BOUNDED = [
    (f"simulate {MONSTER} -n 20", 64, {0, 130}),
    (f"simulate {MONSTER} -n 20 --runner trial", 64, {0, 130}),
    (f"compare {MONSTER} -p hold -n 20", 96, {0, 130}),
    (f"compare {MONSTER} -p hold -n 20 --divergent 1000", 96, {0, 130}),
    (f"replay {MONSTER}", 96, {0, 1, 2, 130}),
    (f"replay {MONSTER} --json", 128, {0, 1, 2, 130}),
    (f"replay pig --rules solo --set goal=60000 --set turn_cap=60000 -p hold:n=2", 128, {0, 2, 130}),
    ("replay pig -p hold --trial 0..18446744073709551615", 96, {0, 130}),
    ("replay pig -p hold --trial 0..18446744073709551615 --json", 96, {0, 130}),
    ("policy check /dev/zero", 64, {2}), ("policy show /dev/./zero", 64, {2}), ("rules show pig --rules /dev/zero", 64, {2}),
    ("balance pig -p hold -n 10 --targets /dev/zero", 64, {2}), ("policy check huge.toml", 64, {2}),
    ("compare carbonite -p tidy -p first -n 1M --divergent 1000000000", 256, {0, 2, 130}),
    ("sweep pig --rules solo -p hold --vary n=1..1000000000 -n 10", 256, {2}),
    ("rank pig --rules solo -p hold --vary n=1..1000000000 -n 10", 256, {2}),
    ("balance pig -p hold --vary-rule goal=1..1000000000 -n 10", 256, {2}),
    ("rank pig --rules solo -p hold --vary n=1..400 -n 2k", 256, {0, 2, 130}),
    ("sweep pig --rules solo -p hold --vary n=1..400 -n 200 --paired 50", 256, {0, 2, 130}),
    ("solve carbonite --max-states 100k", 256, {2}), ("solve freeze --max-states 100k", 256, {2}),
    ("solve pig --max-states 1M", 512, {0, 2, 130}), ("solve pig --set goal=1000 --max-states 1e18 --threads 1", 4096, {1, 2, 130}),
    ("simulate pig -p hold -n 100 --threads 1024", 64, {0}), ("simulate pig -p hold -n 3M --threads 64", 256, {0, 130}),
]
# Small plans, that must do with this much address space.
SMALL = [
    ("simulate carbonite -p tidy -n 20k --threads 1", 96), ("compare pig -p hold -p hold:n=25 -n 5k --threads 1", 96),
    ("rank pig --rules solo -p hold --vary n=18..22 -n 5k --threads 1", 96), ("solve pig --rules piglet --threads 1", 96),
    ("sweep pig --rules solo -p hold --vary n=18..22 -n 1k --threads 1", 96), ("replay carbonite -p tidy", 96),
    ("balance carbonite -p first -p tidy --variant turns=5 -n 1k --threads 1", 96), ("policy check good.toml", 64),
    ("man", 64), ("games", 64),
]


def case(harness, dice, number):
    (harness.folder / "never.toml").write_text(NEVER)
    (harness.folder / "good.toml").write_text(NEVER)
    (harness.folder / "huge.toml").write_text(NEVER + "#" * 20_000_000)
    # One after the other, so that all are tried, from anywhere.
    at = (number + harness.seed) % (len(BOUNDED) + len(SMALL))
    if at < len(BOUNDED):
        bounded(harness, *BOUNDED[at])
    else:
        small(harness, *SMALL[at - len(BOUNDED)])


def bounded(harness, line, most, codes):
    ran = harness.run(line.split(), most=most)
    harness.check(ran.code in codes, f"exit code {ran.code}", ran)


def small(harness, line, megabytes):
    ran = harness.run(line.split(), limits=[(resource.RLIMIT_AS, megabytes << 20)])
    harness.check(ran.code == 0, f"exit code {ran.code} with {megabytes} MB", ran)
