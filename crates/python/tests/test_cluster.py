"""A Ray cluster says the same as one machine: `on_ray.py` in a network of its own."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

import stopwise
from stopwise import cluster


def isolated() -> "list[str] | None":
    """The words before a command that give it a network of its own."""
    for words in (["unshare", "-n"], ["unshare", "-r", "-n"]):
        try:
            if subprocess.run([*words, "true"], capture_output=True, timeout=10).returncode == 0:
                return words
        except OSError:
            pass
    return None


def test_three_nodes(tmp_path: Path) -> None:
    if importlib.util.find_spec("ray") is None:
        pytest.skip("NO RAY: stopwise.cluster IS NOT TESTED (pip install 'stopwise[cluster-test]')")
    words = isolated()
    if words is None:
        pytest.skip("NO NETWORK NAMESPACES (unshare -n): stopwise.cluster IS NOT TESTED")
    script = Path(__file__).with_name("on_ray.py")
    environment = {**os.environ, "RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0", "HOME": str(tmp_path)}
    done = subprocess.run(
        [*words, sys.executable, str(script)], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    print(done.stdout)


def test_without_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(stopwise.InputError, match="needs Ray: install it on every node"):
        cluster.simulate("pig", "hold", trials=10)
