"""Broken texts: policies, rules and targets, changed by bytes, lines, words and numbers."""

import re
from functools import cache

from harness import REPOSITORY

TARGETS = [
    '"skill" = "at least 1"\n["hold:n=20"]\n"mean turns" = "9 to 10"\n"close" = "at most 25 %"\n',
]
# Each made trouble for some reader of texts.
NASTY = [
    b"\0", b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xef\xbb\xbf", b"\x1b[2J", b"\x07", b"\x7f",
    b"\r", b"\r\n", b"\xc2\x9b31m", "\u202e".encode(), "\u2066".encode(), "\u2028".encode(), "\u00a0".encode(),
    "\u200b".encode(), "e\u0301".encode(), "\U0001f4a5".encode(), b"\\u001b", b"\\U0010FFFF", b'"""', b"'''", b"[[", b"]]",
    b"{", b"}", b"#", b"= =", b"\\", b"${x}", b"%s%n", b"..", b"1_0", b"1979-05-27T07:32:00Z", b"inf", b"nan", b"+0", b"-0",
]
NUMBERS = [
    b"0", b"-1", b"1", b"2", b"255", b"256", b"65535", b"65536", b"2147483648", b"4294967295", b"4294967296",
    b"9223372036854775807", b"-9223372036854775808", b"9223372036854775808", b"18446744073709551616", b"1e308", b"1e999",
    b"0.1", b"0.30000000000000004", b"1e-320", b"-0.0", b"0x7f", b"0b1", b"1" * 400, b"0." + b"3" * 400, b"60000",
]
DEEP = [(b"(", b")"), (b"!", b""), (b"-", b""), (b"[", b"]"), (b"{a=", b"}"), (b"1+", b""), (b"true ? 1 : ", b""),
        (b"min(1,", b")"), (b"not ", b""), (b"true && ", b""), (b"a.", b""), (b"[[a]]\n", b"")]
WORD = re.compile(rb"[A-Za-z_][\w-]*|\d+(?:\.\d+)?|[^\s\w]")


@cache
def samples(kind):
    """The texts of a kind that are in the repository."""
    folders = ["crates/*/tests/data", "."] if kind != "targets" else ["crates/*/tests/data"]
    found = [path.read_bytes() for folder in folders for path in sorted(REPOSITORY.glob(f"{folder}/{kind}/**/*.toml"))]
    return found + [text.encode() for text in TARGETS if kind == "targets"]


@cache
def vocabulary():
    """All words of all texts."""
    return sorted({word for kind in ["policies", "rules", "targets"] for text in samples(kind) for word in WORD.findall(text)})


def spot(text, dice):
    return dice.randrange(len(text) + 1)


def change_bytes(text, dice):
    at = spot(text, dice)
    return text[:at] + bytes(dice.randrange(256) for _ in range(dice.randint(1, 4))) + text[at + dice.randrange(4):]


def put_nasty(text, dice):
    at = spot(text, dice)
    return text[:at] + dice.choice(NASTY) * dice.choice([1, 1, 1, 50]) + text[at:]


def cut(text, dice):
    at, end = sorted([spot(text, dice), spot(text, dice)])
    return text[:at] if dice.random() < 0.3 else text[:at] + text[end:]


def change_lines(text, dice):
    lines = text.splitlines(keepends=True) or [b""]
    a, b = dice.randrange(len(lines)), dice.randrange(len(lines))
    lines[a:a + 1] = dice.choice([[], [lines[a]] * 2, [lines[b]], [lines[a].rstrip(b"\n")], [lines[a]] * 3000])
    return b"".join(lines)


def change_word(text, dice):
    return replaced(text, list(WORD.finditer(text)), dice.choice(vocabulary()), dice)


def change_number(text, dice):
    return replaced(text, list(re.finditer(rb"-?\d+(?:\.\d+)?", text)), dice.choice(NUMBERS), dice)


def replaced(text, places, new, dice):
    if not places:
        return text
    place = dice.choice(places)
    return text[:place.start()] + new + text[place.end():]


def nest(text, dice):
    """Deep nesting, most often where an expression stands."""
    opening, closing = dice.choice(DEEP)
    depth = dice.choice([3, 30, 300, 3000, 30000])
    places = [match.start(1) for match in re.finditer(rb'(?:= |when = |\[)"?([^"\s])', text)] or [0]
    at = dice.choice(places)
    end = text.find(b'"', at) if dice.random() < 0.8 else at
    end = len(text) if end < 0 else end
    return text[:at] + opening * depth + text[at:end] + closing * depth + text[end:]


def grow(text, dice):
    """A very long text."""
    return dice.choice([
        text + b"# " + b"x" * dice.choice([10_000, 1_000_000, 5_000_000]),
        text + b"\n" * 200_000,
        text + b"".join(b"k%d = 1\n" % at for at in range(20_000)),
        text.replace(b"\nparams.", b"".join(b"\nparams.p%d = 1" % at for at in range(dice.choice([50, 5000]))) + b"\nparams.", 1),
        text.replace(b'"', b'"' + b" " * 300_000, 1),
    ])


def splice(text, dice):
    other = dice.choice(samples(dice.choice(["policies", "rules", "targets"])))
    return text[:spot(text, dice)] + other[spot(other, dice):]


CHANGES = [(change_bytes, 3), (put_nasty, 3), (cut, 2), (change_lines, 3), (change_word, 7), (change_number, 6), (nest, 3),
           (grow, 0.6), (splice, 1.5)]


def mutant(kind, dice):
    """A text of a kind after a few changes, and its game."""
    text = dice.choice(samples(kind))
    game = re.search(rb'game = "(\w+)"', text)
    for _ in range(dice.choice([1, 1, 1, 2, 2, 3, 5])):
        change, = dice.choices([change for change, _ in CHANGES], [weight for _, weight in CHANGES])
        text = change(text, dice)
    return text, game.group(1).decode() if game else "pig"


POLICIES = {"carbonite": "tidy", "carcassonne": "builder", "freeze": "never", "icedice": "thief", "pig": "hold"}


def case(harness, dice, number):
    kind, = dice.choices(["policies", "rules", "targets"], [5, 4, 1])
    text, game = mutant(kind, dice)
    (harness.folder / "a.toml").write_bytes(text)
    {"policies": policy, "rules": rules, "targets": targets}[kind](harness, dice, game)


def policy(harness, dice, game):
    """What is found good is played, and alike by both runners."""
    checked = harness.run(["policy", "check", "a.toml"])
    for line in [f"policy {dice.choice(['explain', 'show'])} a.toml", f"replay {game} -p a.toml"]:
        harness.run(line.split(), most=192)
    runs = [harness.run(f"simulate {game} -p a.toml -n 400 -q --format csv --runner {runner}".split())
            for runner in ["trial", "auto"]]
    if any(ran.sent for ran in [checked, *runs]):
        return
    is_of_game = f'game = "{game}"'.encode() in (harness.folder / "a.toml").read_bytes()
    harness.check(not is_of_game or (checked.code == 0) == (runs[0].code == 0),
                  f"check says {checked.code}, simulate {runs[0].code}", runs[0])
    harness.check(runs[0].out == runs[1].out, "the runners do not agree", runs[1])


def rules(harness, dice, game):
    """What can be shown can be played."""
    shown = harness.run(["rules", "show", game, "--rules", "a.toml"], most=192)
    name = POLICIES[game]
    line = dice.choice([
        f"policy features {game}",
        f"policy check {REPOSITORY / 'policies' / game / (name + '.toml')}",
        f"replay {game} -p {name}",
        f"compare {game} -p all -n 50 -q",
        f"solve {game} --max-states 10k",
        f"sweep {game} -p {name} --vary-rule turns=2..4 -n 50 -q",
        f"balance {game} -p {name} -n 50 -q",
    ])
    ran = harness.run([*line.split(), "--rules", "a.toml"])
    harness.check(shown.code == 0 or ran.code != 0, "used, but cannot be shown", ran)
    plays = [harness.run(f"simulate {game} -p {name} --rules a.toml -n 300 -q --format csv --runner {runner}".split())
             for runner in ["trial", "auto"]]
    if not any(ran.sent for ran in plays):
        harness.check(plays[0].out == plays[1].out, "the runners do not agree", plays[1])


def targets(harness, dice, game):
    game, good = dice.choice([("pig", "hold:n=20"), ("carbonite", "second-tree")])
    variant = dice.choice(["", "--vary-rule players=2,3 --search 2", "--variant players=3"]) if game == "pig" else ""
    harness.run(f"balance {game} -p {POLICIES[game]} -p {good} --targets a.toml -n 100 -q {variant}".split())
