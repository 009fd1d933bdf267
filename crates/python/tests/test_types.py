"""What type checkers say of the module, and of who uses it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

USER = Path(__file__).with_name("user.py")


def check(*words: str, cwd: Path) -> None:
    # Pyright asks the first Python that it finds what is installed.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    command, environment = [sys.executable, "-m", *words], {**os.environ, "PATH": path}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy(tmp_path: Path) -> None:
    check("mypy", "--strict", "--cache-dir", str(tmp_path), str(USER), cwd=tmp_path)
    check("mypy", "--strict", "--cache-dir", str(tmp_path), "-p", "stopwise", cwd=tmp_path)


# What others have annotated is theirs: NumPy's arrays have types that are not whole.
@pytest.mark.parametrize("words", [["--level", "error", str(USER)], ["--verifytypes", "stopwise", "--ignoreexternal"]])
def test_pyright(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict", "include": ["."]}')
    check("basedpyright", *words, cwd=tmp_path)
