"""What only a terminal is shown: a line of progress that fits it, what a long run announces, and reports as wide as it is."""

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
     [r"[\d,]+ of [\d,]+ partings told"], False),
]
# Each of them is shown within this time.
SHOWN = 30.0

# No line of a report is wider than a narrow terminal, but for those that are to be copied.
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
    "solve carcassonne --rules solo --set dice=3 --out turns",
    "replay pig -p hold --seed 3", "replay carbonite -p second-tree --seed 3", "replay icedice -p thief -p racer",
    "replay freeze --set steps=200 -p always", "replay carcassonne --rules solo -p builder",
    "games", "games carbonite", "games pig", "games icedice", "games freeze", "games carcassonne", "columns",
    "rules list", "policy list", "policy list carbonite", "policy explain second-tree", "policy features carbonite",
    "policy features pig", "policy check carbonite.toml", "bench --seconds 0.02",
]


def case(harness, dice, number):
    """First every report on a narrow terminal, then a run that shows how far it is."""
    plans.furnish(harness.folder)
    if number == 0:
        (harness.folder / "carbonite.toml").write_bytes(policy("carbonite", "tidy"))
        for line in REPORTS:
            report(harness, line)
    else:
        progress(harness, *PLANS[(number - 1) % len(PLANS)])


def policy(game, name):
    """A policy that comes with the program."""
    return (REPOSITORY / "policies" / game / f"{name}.toml").read_bytes()


def report(harness, line):
    """Nothing is wider than the terminal on which it is printed."""
    terminal = Terminal(NARROW)
    words = line.split()
    has_quiet = words[0] in {"simulate", "compare", "rank", "sweep", "balance", "solve"}
    running = harness.start(words + ["--quiet"] * has_quiet, env={"TERM": "xterm"}, stdout=terminal.slave)
    terminal.follow()
    running.wait(SHOWN)
    terminal.close()
    text = re.sub(r"\x1b\[[\d;]*m", "", terminal.sent.decode(errors="replace"))
    ran = harness.ended(running)
    harness.check(ran.code == 0 and text, f"no report: exit code {ran.code}", ran)
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
        text = terminal.text()
        missing = [what for what in missing if not re.search(what, text)]
    if running.poll() is None:
        running.send(signal.SIGINT)
    running.wait(STUCK)
    terminal.close()
    text = terminal.text()
    running.err.write(re.sub(r"[\r\n]+", "\n", text).encode())
    ran = harness.ended(running, most=4096 if line.startswith("solve") else 512)
    missing = [what for what in missing if not re.search(what, text)]
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
