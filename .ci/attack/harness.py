"""What the kinds share: a scratch folder, runs that are checked, and the list of what failed."""

import json
import os
import re
import shutil
import tempfile
from collections import Counter
from pathlib import Path

import program

REPOSITORY = Path(__file__).resolve().parents[2]
MANIFEST = "manifest.json"


class Harness:
    """Runs cases and remembers what failed."""

    def __init__(self, binary, seed, is_short):
        self.binary, self.seed = binary, seed
        # So long a run is left alone before it is interrupted.
        self.patience = 1.0 if is_short else 3.0
        self.is_short = is_short
        self.failures, self.cases, self.runs, self.failed = [], Counter(), Counter(), Counter()
        self.latest, self.largest = (0.0, ""), (0.0, "")
        self.root = Path(tempfile.mkdtemp(prefix="stopwise-attack-"))
        self.folder = self.root / "case"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # What failed stays, to be looked at.
        shutil.rmtree(self.folder if self.failures else self.root, ignore_errors=True)

    def begin(self, kind, number):
        self.kind, self.number, self.is_good, self.reasons = kind, number, True, set()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        self.cases[kind] += 1

    def end(self):
        """Keeps the folder of a case that failed."""
        if not self.is_good:
            kept = self.root / f"{self.kind}-{self.number}"
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(self.folder, kept, symlinks=True)

    def start(self, words, within=None, **how):
        """Begins a run in the folder of the case, or in one within it."""
        self.runs[self.kind] += 1
        return program.Running(self.binary, words, within or self.folder, **how)

    def run(self, words, patience=None, most=program.MEGABYTES, **how):
        """Runs to the end, or to the end of patience, and checks what always holds."""
        running = self.start(words, **how)
        is_soon = words[:1] and words[0] not in program.ORDERLY and words[0] != "bench"
        return self.ended(running, patience or (program.PATIENCE if is_soon else self.patience), most)

    def ended(self, running, patience=20.0, most=program.MEGABYTES):
        """The end of a run that was started, checked."""
        ran = running.end(patience)
        ran.limit = most
        for why in program.wrong(ran):
            self.check(False, why, ran)
        if ran.code >= 0:
            self.latest = max(self.latest, (ran.late if ran.sent else 0.0, shown(ran)))
        self.largest = max(self.largest, (ran.megabytes, shown(ran)))
        return ran

    def check(self, holds, why, ran=None):
        """Remembers a check that failed, and says how to repeat it."""
        if holds or why in self.reasons:
            return
        self.reasons.add(why)
        self.is_good = False
        self.failed[self.kind] += 1
        lines = [f"FAILED {self.kind}:{self.number}: {why}"]
        if ran is not None:
            lines.append(f"  (cd {self.root / f'{self.kind}-{self.number}'} && {self.binary} {shown(ran)})")
            lines += [f"  | {line}" for line in ran.message().splitlines()[:3]]
        lines.append(f"  python3 .ci/attack {self.binary} --seed {self.seed} --only {self.kind}:{self.number}")
        self.failures.append(why)
        print("\n".join(lines), flush=True)

    def summary(self):
        """Cases, runs and failures by kind."""
        lines = [f"{'kind':<12} {'cases':>7} {'runs':>7} {'failed':>7}"]
        for kind, cases in self.cases.items():
            lines.append(f"{kind:<12} {cases:>7} {self.runs[kind]:>7} {self.failed[kind]:>7}")
        lines.append(f"longest time to end after a signal: {self.latest[0]:.2f} s: {self.latest[1]}")
        lines.append(f"most memory: {self.largest[0]:.0f} MB: {self.largest[1]}")
        return "\n".join(lines)


def shown(ran):
    """The words of a command line as bash takes them, and the signals."""
    words = " ".join(quoted(word) for word in ran.words)
    after = f"  # signals {ran.sent}, the last {ran.late:.3f} s before the end" if ran.sent else ""
    return (words if len(words) < 2000 else words[:2000] + " …") + after


def quoted(word):
    """A word in quotes, where it needs them."""
    if re.fullmatch(rb"[\w@%+=:,./-]+", word):
        return word.decode()
    text = "".join(chr(byte) if 32 <= byte < 127 and byte not in b"'\\" else f"\\x{byte:02x}" for byte in word)
    return f"$'{text}'"


def tables(folder):
    """The CSV files of a directory, by name."""
    return {path.name: path.read_bytes() for path in Path(folder).glob("*.csv")}


def entries(folder):
    return sorted(os.listdir(folder)) if Path(folder).is_dir() else []


def manifest(folder):
    """The manifest, or None where there is none."""
    path = Path(folder) / MANIFEST
    return json.loads(path.read_text()) if path.exists() else None


def wrong_directory(folder):
    """What is wrong with a directory in which nobody writes: parts of a run, or a manifest beside too little."""
    names = entries(folder)
    yield from (f"{name} is left" for name in names if name.endswith(".part"))
    if MANIFEST not in names:
        return
    try:
        found = manifest(folder)
    except ValueError as error:
        yield f"the manifest is no JSON: {error}"
        return
    if not any(name.endswith(".csv") for name in names):
        yield "a manifest alone"
    for name in names:
        content = (Path(folder) / name).read_bytes()
        if name.endswith(".csv") and not content.endswith(b"\n"):
            yield f"{name} is cut short beside a manifest of `{found['command_line'][1]}`"
