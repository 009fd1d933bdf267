"""Running the program, and what holds for every run of it."""

import os
import resource
import signal
import subprocess
import tempfile
import time
import unicodedata
from dataclasses import dataclass, field

# Done, went wrong, refused; ended by a closed terminal, by Ctrl-C, by a request.
CODES = {0, 1, 2, 129, 130, 143}
# So long a run may take to end once it was asked to. On a busy machine it takes longer, but no more of the processor.
SOON = 2.0
SLACK = 1.5
STUCK = 15.0
# No run of a small plan takes more.
MEGABYTES = 512
# Beyond this nothing is given, so that a defect costs no machine.
ADDRESSES = 6 << 30
LARGEST_FILE = 1 << 30
# What is said by a program that broke, not by one that refuses.
BROKEN = [b"panicked at", b"RUST_BACKTRACE", b"overflowed its stack", b"with overflow", b"capacity overflow",
          b"memory allocation of", b"fatal runtime error", b"internal error"]
# Marks that turn the direction of writing, and line breaks that are none.
BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029"
# These end in order, once they have begun; the others have nothing to lose and are soon done.
ORDERLY = {"simulate", "compare", "rank", "sweep", "balance", "solve", "replay"}
BEGUN = 0.5
DONE = 5.0
PATIENCE = 60.0


@dataclass
class Ran:
    """What a run left behind."""
    words: list
    code: int  # negative: the signal that it died of
    out: bytes
    err: bytes
    seconds: float
    megabytes: float
    sent: list = field(default_factory=list)
    late: float = 0.0  # seconds from the last signal to the end
    busy: float = 0.0  # of the processor in that time, or in all without a signal
    is_stuck: bool = False
    is_caught: bool = True  # whether it caught the last signal when that was sent
    limit: int = MEGABYTES

    def message(self):
        return self.err.decode(errors="replace")

    def is_orderly(self):
        return bool(self.words) and os.fsdecode(self.words[0]) in ORDERLY


class Running:
    """A run that has not ended."""

    def __init__(self, binary, words, folder, env=None, limits=(), through=(), **streams):
        self.words = [os.fsencode(word) for word in words]
        self.out, self.err = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        self.begun, self.sent, self.sent_at, self.is_caught, self.used_before = time.monotonic(), [], None, True, 0.0
        names = ["stdin", "stdout", "stderr"]
        streams = dict(zip(names, [subprocess.DEVNULL, self.out, self.err])) | streams
        given = {**os.environ, **(env or {})}
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "RAYON_NUM_THREADS", "RUST_BACKTRACE"]:
            if name not in (env or {}):
                given.pop(name, None)
        self.child = subprocess.Popen([*through, binary, *self.words], cwd=folder, env=given, start_new_session=True,
                                      preexec_fn=lambda: limit(limits), **streams)

    def send(self, number):
        self.sent.append(number)
        self.used_before = processor(self.child.pid)
        self.is_caught = bool(caught(self.child.pid) >> (number - 1) & 1)
        self.sent_at = time.monotonic()
        os.kill(self.child.pid, number)

    def poll(self):
        """What it used, once it has ended."""
        if self.child.returncode is None:
            pid, status, used = os.wait4(self.child.pid, os.WNOHANG)
            if pid == 0:
                return None
            self.child.returncode = os.waitstatus_to_exitcode(status)
            self.used, self.ended = used, time.monotonic()
        return self.used

    def wait(self, seconds):
        """Whether it ended within so many seconds."""
        end, pause = time.monotonic() + seconds, 0.0005
        while self.poll() is None and time.monotonic() < end:
            time.sleep(pause)
            pause = min(pause * 1.5, 0.01)
        return self.poll() is not None

    def catches(self, number=signal.SIGINT):
        """Waits until it catches a signal, or has ended."""
        end = time.monotonic() + 10
        while self.poll() is None and time.monotonic() < end:
            if caught(self.child.pid) >> (number - 1) & 1:
                return True
            time.sleep(0.001)
        return False

    def end(self, patience):
        """Waits; what takes too long is interrupted, and killed if that does not help."""
        if not self.sent and not self.wait(patience):
            self.send(signal.SIGINT)
        is_stuck = not self.wait(STUCK)
        if is_stuck:
            os.kill(self.child.pid, signal.SIGKILL)
            self.wait(10)
        read = lambda file: (file.seek(0), file.read(64 << 20))[1]
        late = self.ended - self.sent_at if self.sent_at else 0.0
        busy = self.used.ru_utime + self.used.ru_stime - self.used_before
        return Ran(self.words, self.child.returncode, read(self.out), read(self.err), self.ended - self.begun,
                   self.used.ru_maxrss / 1024, self.sent, late, busy, is_stuck, self.is_caught)


def caught(pid):
    """The signals that a process catches, as bits."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as status:
            return next(int(line.split()[1], 16) for line in status if line.startswith("SigCgt:"))
    except (OSError, StopIteration):
        return 0


def processor(pid):
    """The seconds of the processor that a process has used."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
            fields = stat.read().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return 0.0


def limit(limits):
    """Limits of the process that is about to become the program; signals are as on a terminal, whoever started this."""
    for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:
        signal.signal(number, signal.SIG_DFL)
    for what, most in [(resource.RLIMIT_CORE, 0), (resource.RLIMIT_AS, ADDRESSES),
                       (resource.RLIMIT_FSIZE, LARGEST_FILE), *limits]:
        resource.setrlimit(what, (most, most))


def wrong(ran):
    """What is wrong with any run, whatever it was to do."""
    if ran.is_stuck:
        yield f"did not end within {STUCK:.0f} s after it was asked to"
        return
    if not ran.is_orderly() and ran.words[:1] != [b"bench"] and (ran.sent or ran.busy > DONE):
        yield f"took {ran.seconds:.1f} s, {ran.busy:.1f} s of the processor"
    is_early = not ran.is_caught and ran.seconds - ran.late < BEGUN
    if -ran.code in ran.sent and (is_early or not ran.is_orderly() or ran.code == -signal.SIGKILL):
        return
    if ran.code not in CODES:
        yield f"exit code {ran.code}"
    if ran.code > 128 and ran.code - 128 not in ran.sent:
        yield f"exit code {ran.code} without a signal"
    if ran.sent and ran.late > SOON + SLACK and ran.busy > SOON:
        yield f"ended {ran.late:.2f} s after a signal"
    if ran.megabytes > ran.limit:
        yield f"used {ran.megabytes:.0f} MB"
    yield from wrong_words(ran)


def wrong_words(ran):
    """What is wrong with what a run said."""
    for name, said in [("stdout", ran.out), ("stderr", ran.err)]:
        for word in BROKEN:
            if word in said:
                yield f"{word.decode()!r} on {name}"
        try:
            text = said.decode()
        except UnicodeDecodeError as error:
            yield f"no UTF-8 on {name}: {error}"
            continue
        bad = {c for c in set(text) if c in BIDI or unicodedata.category(c) == "Cc" and c not in "\n\t"}
        if bad:
            yield f"control characters on {name}: {sorted(bad)!r}"
    begins = [line.split(b":")[0] for line in ran.err.splitlines()]
    if ran.code in (1, 2) and b"error" not in begins:
        yield f"exit code {ran.code} without a line that begins with `error: `"
    if ran.code > 128 and b"interrupted" not in begins and b"ended at once" not in begins:
        yield f"exit code {ran.code} without a line that begins with `interrupted: `"
    if ran.code == 0 and b"error" in begins:
        yield "an error, and exit code 0"
