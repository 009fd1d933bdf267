"""What all tests have: the program, built from the same sources, to compare with."""

import os
import resource
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from calls import TARGETS

ROOT = Path(__file__).resolve().parents[3]

Run = Callable[..., "subprocess.CompletedProcess[str]"]

#: A second is promised between Ctrl-C and the end of a call, and Python has half of one to end.
SOON = 1.5


def used(process: int) -> float:
    """The seconds of the processor that a process has used; none where that cannot be seen."""
    try:
        user, system = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    except OSError:
        return 0.0
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def wait_for_work(process: int, seconds: float) -> None:
    """Waits so long, and then until the process has used the processor as long as that, where it can be seen."""
    time.sleep(seconds)
    last = time.monotonic() + 60
    while 0 < used(process) < seconds and time.monotonic() < last:
        time.sleep(0.02)


def end(process: "subprocess.Popen[str]", sent: int) -> tuple[str, str, float]:
    """What a process says that is sent a signal, and how long it goes on: in seconds, or in those of the processor if they
    are fewer, so that a busy machine does not count. No other process may end meanwhile."""

    def ended() -> float:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return children.ru_utime + children.ru_stime

    begun, before, others = time.monotonic(), used(process.pid), ended()
    process.send_signal(sent)
    out, err = process.communicate(timeout=30)
    return out, err or "", min(time.monotonic() - begun, ended() - others - before)


@pytest.fixture(scope="session")
def program() -> Path:
    """The program's path: `STOPWISE`, or where `cargo build --release` puts it."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    path = Path(os.environ.get("STOPWISE", target / "release" / "stopwise"))
    assert path.is_file(), f"no program at {path}: cargo build --release"
    return path


@pytest.fixture
def run(program: Path, tmp_path: Path) -> Run:
    """Runs the program in a folder of its own."""

    def run(*words: str) -> "subprocess.CompletedProcess[str]":
        command = [str(program), *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=120)

    return run


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written but there; nothing that a developer has set counts."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "targets.toml").write_text(TARGETS)
    for name in ("CLICOLOR_FORCE", "LC_ALL", "LC_CTYPE", "LANG", "RAYON_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
