"""What only a terminal is shown: a line of progress that fits it, and what a long run announces."""

import fcntl
import os
import pty
import re
import signal
import struct
import termios
import threading
import time

import plans
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


def case(harness, dice, number):
    """Watches a run until it has shown what it is to show, and ends it by Ctrl-C."""
    plans.furnish(harness.folder)
    line, expected, fits = PLANS[number % len(PLANS)]
    terminal = Terminal()
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

    def __init__(self):
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
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
