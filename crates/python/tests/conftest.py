"""What all tests have: the program, built from the same sources, to compare with."""

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from calls import TARGETS

ROOT = Path(__file__).resolve().parents[3]

Run = Callable[..., "subprocess.CompletedProcess[str]"]

#: How soon a call ends, in seconds: one is promised, and a busy machine may need some times as long. What is not looked at
#: goes on for minutes.
SOON = 10.0


def wait_for_work(process: int, seconds: float) -> None:
    """Waits so long, and then until the process has used the processor as long as that, where it can be seen."""
    time.sleep(seconds)
    used = Path(f"/proc/{process}/stat")
    end = time.monotonic() + 60
    while used.exists() and time.monotonic() < end:
        user, system = used.read_text().rpartition(")")[2].split()[11:13]
        if int(user) + int(system) >= seconds * os.sysconf("SC_CLK_TCK"):
            return
        time.sleep(0.02)


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
