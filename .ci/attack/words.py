"""Odd command lines: every option of every command with odd values, and options in any combination."""

import re
from functools import cache

# A good command line of every command.
BASES = {
    "simulate": "pig -p hold -n 200",
    "compare": "carbonite -p tidy -p first -n 200",
    "rank": "pig --rules solo -p hold --vary n=18..20 -n 2k",
    "sweep": "pig --rules solo -p hold --vary n=18..20 -n 100",
    "balance": "carbonite -p first -p tidy --variant turns=5 -n 100",
    "solve": "pig --rules piglet --max-states 20k",
    "replay": "pig -p hold",
    "policy list": "", "policy check": "good.toml", "policy explain": "tidy", "policy show": "tidy",
    "policy features": "pig", "rules list": "", "rules show": "pig", "games": "", "columns": "",
    "bench": "--seconds 0.001", "completions": "bash", "man": "",
}
ODD = [
    "", " ", "0", "1", "2", "3", "-1", "+1", "00", "1.5", ".5", "1e3", "1e18", "1e99", "1e-9", "1e4294967296", "1k", "1M", "10G",
    "18446744073709551615", "18446744073709551616", "9" * 5000, "1_000", "_", "0x10", "nan", "NaN", "inf", "-inf", "-0", "1,000",
    "\u0663", "ten", "true", "60s", "1ms", "0.001s", "99999h", "-5m", "all", "auto", "trial", "lanes", "csv", "json", "markdown",
    "table", "zsh", "pig", "carbonite", "freeze", "hold", "tidy", "hold+hold", "hold+", "+", "hold:n=20", "hold:n=", "hold:",
    ":n=1", "hold:n=1,n=2", "hold:n=1e99", "hold:q=1", "hold.toml", "good.toml", "bad.toml", "good.toml:n=3", "huge.toml", ".",
    "./", "folder.toml", "no/such.toml", "/dev/null", "/dev/zero", "/dev/full", "/dev/./zero", "/proc/self/mem",
    "solo", "piglet", "wiki", "n=1", "n=", "=1", "=", "n", "n=1..", "n=..3", "n=5..1", "n=1..1e18", "n=0..9999999", "n=1,2,,3",
    "n=1..10:0", "n=1..9:3", "n=1.5..2.5:0.5", "2.n=1,2", "9.n=1", "n=" + ",".join("1" * 3000), "k=1..3", "turns=5", "turns=0",
    "turns=-1", "turns=1e9", "turns=65535", "points.solid=9", "points.solid=", "points..solid=9", "points=9", "goal=1", "goal=1e9",
    "goal=60000", "turn_cap=60000", "players=8", "players=0", "players=99", "sides=64", "preset=solo,standard", "players=1..9",
    "goal=50,100", "turns=2..4", "score", "win", "turns", "score=3", "points=10", "summary.csv", "nothing.csv", "--", "-", "-p",
    "--help", "-h", "-V", "*", "?", "~", "$HOME", "%s%n%d", "'", '"', "\\", "\n", "\t", "a\nerror: b", "\x1b[2J", "\x07", "\x7f",
    "\r", "\x9b31m", "\u202ex", "\u2066", "\u2028", "\ufeff", "\u00e9", "e\u0301", "\U0001f4a5", b"\xff\xfe", b"a\xc3", b"\x9b",
    "x" * 300, "x" * 100_000, "[" * 5000, "n=" + "(" * 5000, "goal=[1]", 'goal="1"', "goal={a=1}", "a.b.c.d=1", "." * 2000 + "=1",
]
# Values that go well, for combinations.
GOOD = {
    "--rules": ["solo", "piglet", "wiki", "standard", "duel", "published"],
    "--set": ["goal=60", "turns=4", "players=3", "points.solid=9"],
    "--policy": ["hold", "tidy", "first", "hold:n=22", "all", "good.toml", "never"],
    "--trials": ["1", "7", "100", "2k"], "--seed": ["0", "7", "18446744073709551615"], "--threads": ["1", "2", "5"],
    "--vary": ["n=18..20", "k=1..3", "n=20,25"], "--vary-rule": ["goal=50,60", "turns=3..4", "players=2,3"],
    "--variant": ["goal=50", "turns=5", "players=3"], "--out": ["out", "deep/er/out"], "--max-states": ["1", "100", "30k"],
    "--paired": ["0", "1", "50"], "--stop-after": ["1", "50", "1M"], "--format": ["csv", "json", "markdown", "table"],
    "--runner": ["trial", "lanes", "auto"], "--metric": ["score", "win", "turns", "rolls"], "--seconds": ["0.001"],
    "--search": ["1", "3"], "--budget": ["50ms", "0.1s"], "--alpha": ["0.05", "0.5"], "--aim": ["best", "order"],
    "--fresh": ["0", "100"], "--resolution": ["0", "1"], "--trial": ["0", "5"], "--divergent": ["3"], "--mark": ["100"],
    "--close": ["score=10", "points=10"], "--naive": ["first", "hold"], "--until-width": ["1", "0.1"], "--until-decided": ["0", "1"],
}
# What surrounds a run.
SURROUNDINGS = {
    "COLUMNS": ["0", "1", "7", "100000", "-1", "x"], "LINES": ["0", "x"], "TERM": ["", "dumb", "\x1b"],
    "RAYON_NUM_THREADS": ["0", "1", "-1", "1000000", "18446744073709551616", "x"], "NO_COLOR": ["", "1"],
    "LANG": ["", "tr_TR.UTF-8", "C"], "LC_ALL": ["C", "\udcff"], "HOME": ["", "/nowhere"], "TMPDIR": ["/nowhere"],
}
GAMES = ["pig", "carbonite", "icedice", "freeze", "carcassonne"]


@cache
def flags(harness, command):
    """The options of a command, as its help names them, and whether they take a value."""
    text = harness.run(["help", *command.split()]).out.decode()
    return [(name, bool(value)) for name, value in re.findall(r"^ +(?:-\w, )?(--[\w-]+)( <)?", text, re.M)]


def is_safe(flag, value):
    """Nothing is written outside of the case's folder."""
    text = value if isinstance(value, str) else ""
    return flag != "--out" or not text.startswith("/") or text in ("/dev/null", "/dev/full", "/proc/self/mem")


def furnish(folder):
    """What odd values name."""
    good = 'game = "pig"\nname = "good"\nsummary = "Holds."\nparams = { n = 20 }\nstop = "turn_total >= n"\n'
    (folder / "good.toml").write_text(good)
    (folder / "bad.toml").write_text(good.replace("turn_total", "turn_totl"))
    (folder / "huge.toml").write_text(good + "#" * 20_000_000)
    (folder / "folder.toml").mkdir()


def odd_option(harness, dice):
    """A good command line with one odd value."""
    command = dice.choice(sorted(BASES))
    options = [(flag, takes) for flag, takes in flags(harness, command)] + [("", True)]
    flag, takes = dice.choice(options)
    value = dice.choice(ODD)
    if not is_safe(flag, value):
        value = "out"
    added = ([flag] if flag else []) + ([value] if takes or dice.random() < 0.1 else [])
    base = BASES[command].split()
    if flag == "" and base and dice.random() < 0.7:
        base[dice.randrange(len(base))] = value
        added = []
    return [*command.split(), *base, *added]


def combination(harness, dice):
    """Options of a command in any order and number."""
    command = dice.choice(sorted(BASES)[:8] + ["simulate", "compare", "rank", "sweep", "balance", "solve", "replay"] * 3)
    line = command.split() + ([dice.choice(GAMES)] if command in BASES and BASES[command] else [])
    known = flags(harness, command)
    for _ in range(dice.randint(1, 8)):
        flag, takes = dice.choice(known)
        pool = ODD if dice.random() < 0.12 or flag not in GOOD else GOOD[flag]
        value = dice.choice(pool)
        line += [flag] if not takes else [flag, value if is_safe(flag, value) else "out"]
    if command in ("simulate", "compare", "rank", "sweep", "balance") and "--trials" not in line:
        line += ["--trials", "300"]
    if command == "solve" and "--max-states" not in line:
        line += ["--max-states", "30k"]
    return line


def case(harness, dice, number):
    furnish(harness.folder)
    line = dice.choice([odd_option, combination])(harness, dice)
    most = 2048 if line[0] in ("solve", "rank", "sweep", "balance") else 512
    around = {name: dice.choice(SURROUNDINGS[name]) for name in SURROUNDINGS if dice.random() < 0.1}
    ran = harness.run(line, most=most, env=around)
    harness.check(ran.code != 1 or b"/dev/full" in b"".join(ran.words), "bad input has exit code 2", ran)
