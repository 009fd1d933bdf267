"""The command `stopwise` of the wheel is the program."""

import signal
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from conftest import SOON, Run, end, wait_for_work

COMMAND = Path(sysconfig.get_path("scripts")) / "stopwise"


def command(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([str(COMMAND), *words], capture_output=True, encoding="utf-8", timeout=60)


@pytest.mark.parametrize(
    "words",
    ["simulate pig -p hold -n 5k --quiet", "games", "simulate pig -p nope", "simulate", "--version", "help rank", "nonsense",
     "completions bash"],
)
def test_same(words: str, run: Run) -> None:
    ours, theirs = command(*words.split()), run(*words.split())
    assert (ours.returncode, ours.stdout, ours.stderr) == (theirs.returncode, theirs.stdout, theirs.stderr)


def test_as_a_module(run: Run) -> None:
    words = ["simulate", "pig", "-p", "hold", "-n", "5k", "--quiet"]
    ours = subprocess.run([sys.executable, "-m", "stopwise", *words], capture_output=True, encoding="utf-8", timeout=60)
    assert (ours.returncode, ours.stdout) == (0, run(*words).stdout)


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals(sent: signal.Signals, code: int, tmp_path: Path) -> None:
    words = ["simulate", "pig", "-p", "hold", "-n", "1e11", "--out", "cut"]
    process = subprocess.Popen([str(COMMAND), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for_work(process.pid, 1.0)
    out, err, seconds = end(process, sent)
    assert seconds < SOON
    assert process.returncode == code
    assert "trials" in out and "interrupted:" in err and "Traceback" not in err
    assert (tmp_path / "cut" / "manifest.json").exists()


def test_a_reader_that_has_gone() -> None:
    pipe = f"{COMMAND} policy features carbonite | head -1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {pipe}"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
