"""What only a terminal is shown: a line of progress that fits it, what a long run announces, reports and messages as wide as it is."""

import fcntl
import os
import pty
import re
import signal
import struct
import termios
import threading
import time
import unicodedata

import plans
from harness import REPOSITORY
from program import STUCK

COLUMNS = 80
# A command line, what its progress says in this order, and whether all of it fits a line of the terminal.
PLANS = [
    ("solve icedice --max-states 1G", [r"finding [\d.,]+[kM]?( of [\d.,]+[kMG]\+)? states, stage \d+ of [\d,]+\+, "
                                       r"[\d.]+ [kMG]B", r"limit in \d+"], True),
    ("solve carbonite --set colours=2 -p tidy", [r"finding .* states, stage"], True),
    ("solve pig", [r"finding .* states, stage", r"closing in on [\d,.]+k? states, sweep [\d,]+; .* known"], True),
    ("rank pig -p hold:n=20 -p hold:n=21 -p hold-at-25 -n 1e9", [r"up to [\d,]+ trials.* may take .*; --trials \d+ takes about a minute"], False),
    ("rank pig --rules solo -p hold --vary n=15..25 -n 1e9 --resolution 1e-9", [r"up to [\d,]+ trials.* may take .*; --trials \d+ takes about a minute"], False),
    ("bench", [r"\d+ of \d+ rows measured"], True),
    ("balance carbonite --vary-rule turns=5..10 --vary-rule points.solid=1..20 -p first -p tidy --search 120 "
     "--targets wish.toml -n 1M", [r"[\d,]+ of [\d,]+ variants screened"], False),
    ("compare carcassonne --rules solo-knight --set turns=1000 -p builder -p one -n 4000 --divergent 4000",
     [r"[\d,]+ of [\d,]+ divergences told"], False),
]
# Each of them is shown within this time.
SHOWN = 30.0

# No line of a report or of a message is wider than a narrow terminal.
NARROW = 60
REPORTS = [
    "simulate carbonite -p tidy -n 3k",
    "simulate pig -p hold -p end-race-or-keep-pace --rotate -n 3k",
    "simulate icedice -p thief -p racer -n 2k --above 0 --metric turns --quantiles 0.1,0.9",
    "simulate freeze --set players=5 -p pile-and-clock -n 100",
    "simulate carcassonne --rules solo -p builder -n 500",
    "compare carbonite -p second-tree -p first -n 2k --divergent 3",
    "compare pig -p hold -p hold-at-25 -p end-race-or-keep-pace --rotate -n 2k",
    "rank carbonite -p all -n 2k", "rank pig --rules solo -p hold --vary n=15..25 -n 3k",
    "rank pig -p hold -p hold-at-25 -p end-race-or-keep-pace -n 2k",
    "sweep pig --rules solo -p hold --vary n=10..30:5 --vary-rule goal=50,100 -n 2k",
    "sweep carbonite -p first --vary k=1..9 --vary-rule turns=2..9 --vary-rule retribution=all,any -n 300",
    "balance carbonite --variant turns=5 --variant retribution=any --variant points.solid=9 -p first -p tidy -n 2k",
    "balance pig -p hold -p end-race-or-keep-pace --variant goal=50 -n 2k",
    "balance carbonite --vary-rule turns=5..10 --vary-rule retribution=all,any -p first -p tidy --search 12 "
    "--targets wish.toml -n 3k",
    "solve pig --set goal=15 -p hold:n=4 -p end-race-or-keep-pace", "solve pig --rules piglet -p hold",
    "solve pig --rules solo --set goal=40 -p hold", "solve carbonite --set colours=2 --set turns=3 -p tidy",
    "solve carcassonne --rules solo --set dice=3 --long-run --out turns",
    "replay pig -p hold --seed 3", "replay carbonite -p second-tree --seed 3", "replay icedice -p thief -p racer",
    "replay freeze --set steps=200 -p always", "replay carcassonne --rules solo -p builder",
    "games", "games carbonite", "games pig", "games icedice", "games freeze", "games carcassonne", "columns",
    "rules list", "policy list", "policy list carbonite", "policy explain second-tree", "policy features carbonite",
    "policy features pig", "policy check carbonite.toml", "bench --seconds 0.02",
]
# What is said on stderr, with what a pipe is told: refusals of words and of texts, warnings, notes of a run. With the exit code.
MESSAGES = [
    ("simulate carbonit", 2), ("simulate carbonite -p tidy --sed 1", 2), ("simulate carbonite tidy", 2),
    ("simulate carbonite -p nobody", 2), ("simulate carbonite -p tidy --set retribution=false", 2),
    ("sweep pig -p hold --vary n=1-3 -n 10", 2), ("simulate carbonite -p tidy -p first -n 10", 2),
    ("policy check beginner.toml", 2), ("simulate carbonite -p beginner.toml", 2), ("policy check wary.toml", 0),
    ("simulate carbonite -p tidy -n 1k --out a/folder/of/a/long/name", 0),
    ("simulate pig -p hold -n 1k --shard 1/2 --out a/folder/of/a/long/name/once/more", 0),
    ("merge a/folder/of/a/long/name/once/more --out x", 2), ("simulate pig -p hold -n 1k --resume --out a/resumed", 0),
    ("balance pig -p hold --variant goal=50 --targets beginner.toml -n 10", 2),
    ("solve carbonite", 2), ("bench --out carbonite.toml", 2), ("columns nothing.csv", 2),
]
# A policy with mistakes.
BEGINNER = """game = "carbonite"
Stop = "if counter >= 12 and bust_chance > 20% then yes else no, and so on beyond the line of a terminal that is narrow"
take = ["solidd", "k=99"]
"""
# Files that are printed: as text of their language, a terminal's is the same as a pipe's.
FILES = ["rules show carbonite", "rules show pig", "rules show icedice", "rules show freeze", "rules show carcassonne",
         "rules show carcassonne --rules solo --set dice=3", "policy show second-tree", "policy show four-scoring-turns"]


def case(harness, dice, number):
    """First every report on a narrow terminal, then a run that shows how far it is."""
    plans.furnish(harness.folder)
    if number == 0:
        (harness.folder / "carbonite.toml").write_bytes(policy("carbonite", "tidy"))
        (harness.folder / "beginner.toml").write_text(BEGINNER)
        (harness.folder / "wary.toml").write_bytes(policy("carbonite", "tidy").replace(b'stop = "', b'stop = "counter >= 12 || '))
        for line in REPORTS:
            report(harness, line)
        for line, code in MESSAGES:
            message(harness, line, code)
        for line in FILES:
            file(harness, line)
    else:
        progress(harness, *PLANS[(number - 1) % len(PLANS)])


def policy(game, name):
    """A policy that comes with the program."""
    return (REPOSITORY / "policies" / game / f"{name}.toml").read_bytes()


def report(harness, line):
    """Nothing is wider than the terminal on which it is printed."""
    words = line.split()
    has_quiet = words[0] in {"simulate", "compare", "rank", "sweep", "balance", "solve"}
    ran, text = on_terminal(harness, words + ["--quiet"] * has_quiet, "stdout")
    harness.check(ran.code == 0 and text, f"no report: exit code {ran.code}", ran)
    fits(harness, ran, text)


def message(harness, line, code):
    """What is said on stderr fits, and says what a pipe is told; a mark stays below what it marks."""
    words = line.split()
    ran, text = on_terminal(harness, words, "stderr")
    harness.check(ran.code == code and text, f"exit code {ran.code} and {len(text)} characters", ran)
    fits(harness, ran, text)
    piped = harness.run([word + "-piped" if word.startswith("a/") and "merge" not in words else word for word in words])
    told = piped.message().replace("-piped", "")
    harness.check(max(map(columns, told.splitlines())) > NARROW or told == text, "another text on a pipe", ran)
    harness.check(said(text) == said(told), f"a terminal is told something else: {said(text)}", piped)
    harness.check(marked(text) == marked(told), f"other marks: {marked(text)}, {marked(told)}", piped)


def said(text):
    """The words, without those of lines that are quoted, times and rates."""
    lines = (line for line in text.splitlines() if not re.match(r" *\d* \|", line))
    words = " ".join(word for line in lines for word in line.split())
    return re.sub(r"[\d.,]+( million)?( games)? a second|\d+\.\d+", "", words)


def marked(text):
    """What stands above the marks."""
    lines = text.splitlines()
    pairs = [(above, mark) for above, mark in zip(lines, lines[1:]) if re.fullmatch(r" *\| *\^+", mark)]
    return [above[mark.index("^"):len(mark)][:20] for above, mark in pairs]


def file(harness, line):
    """A file that is printed fits but for its values, and has the same values as in a pipe, which can be read again."""
    ran, text = on_terminal(harness, line.split(), "stdout")
    piped = harness.run(line.split()).out.decode()
    fits(harness, ran, "\n".join(line for line in text.splitlines() if line.startswith("#")))
    values = lambda text: [line for line in text.splitlines() if not line.startswith("#")]
    harness.check(values(text) == values(piped), "other values on a terminal", ran)
    words = lambda text: text.replace("#", " ").split()
    harness.check(words(text) == words(piped), "other comments on a terminal", ran)
    (harness.folder / "shown.toml").write_text(text)
    if line.startswith("rules"):
        again = harness.run(["rules", "show", line.split()[2], "--rules", "shown.toml"])
        harness.check(again.code == 0 and values(again.out.decode()) == values(piped), "it is no rules file any more", again)
    else:
        again = harness.run(["policy", "check", "shown.toml"])
        harness.check(again.code == 0, "it is no policy any more", again)


def on_terminal(harness, words, stream):
    """A run of which one stream is a narrow terminal, and what that was told, without colours."""
    terminal = Terminal(NARROW)
    running = harness.start(words, env={"TERM": "xterm"}, **{stream: terminal.slave})
    terminal.follow()
    running.wait(SHOWN)
    terminal.close()
    text = re.sub(r"\x1b\[[\d;]*m", "", terminal.sent.decode(errors="replace")).replace("\r\n", "\n")
    if stream == "stderr":
        running.err.write(text.encode())
    return harness.ended(running), text


def fits(harness, ran, text):
    """No line is wider than the terminal."""
    widest = max(re.split(r"[\r\n]", text), key=columns)
    harness.check(columns(widest) <= NARROW, f"a line of {columns(widest)} columns: {widest}", ran)


def columns(line):
    """How many columns of a terminal a line takes."""
    wide = {"W": 2, "F": 2}
    return sum(wide.get(unicodedata.east_asian_width(c), 1) for c in line if not unicodedata.combining(c))


def progress(harness, line, expected, fits):
    """Watches a run until it has shown what it is to show, and ends it by Ctrl-C."""
    terminal = Terminal(COLUMNS)
    running = harness.start(line.split(), env={"TERM": "xterm"}, stderr=terminal.slave)
    terminal.follow()
    missing = list(expected)
    end = time.monotonic() + SHOWN
    while missing and running.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
        missing = [what for what in missing if not re.search(what, terminal.words())]
    if running.poll() is None:
        running.send(signal.SIGINT)
    running.wait(STUCK)
    terminal.close()
    text = terminal.text()
    running.err.write(re.sub(r"[\r\n]+", "\n", text).encode())
    ran = harness.ended(running, most=4096 if line.startswith("solve") else 512)
    missing = [what for what in missing if not re.search(what, terminal.words())]
    harness.check(not missing, f"the terminal is not shown {missing}: {text[-300:]!r}", ran)
    longest = max(re.split(r"[\r\n]", text), key=len)
    harness.check(not fits or len(longest) <= COLUMNS, f"a line of {len(longest)} columns: {longest}", ran)


class Terminal:
    """A pseudo-terminal, and what it was sent."""

    def __init__(self, columns):
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.sent = b""

    def follow(self):
        """Reads until the program, which has the other end, is gone."""
        os.close(self.slave)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        try:
            while piece := os.read(self.master, 1 << 16):
                self.sent += piece
        except OSError:
            # So Linux says that nobody has the other end any more.
            pass

    def close(self):
        self.reader.join(5)
        os.close(self.master)

    def text(self):
        """Without what moves the cursor and clears lines."""
        return re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "\r", self.sent.decode(errors="replace"))

    def words(self):
        """The same, however it is broken into lines."""
        return " ".join(self.text().split())
