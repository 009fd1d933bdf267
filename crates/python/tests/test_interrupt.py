"""Ctrl-C, progress, and other threads, while games are played."""

import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import SOON, end, wait_for_work

import stopwise

#: More games than are played in a minute.
MANY = 10**11


def interrupted(script: str, after: float = 1.0, stderr: int = subprocess.PIPE) -> tuple[str, str, float, int]:
    """What a script says that is interrupted after some seconds of playing, how long it took to end, and its code."""
    command = [sys.executable, "-c", f"import stopwise\nprint('ready', flush=True)\n{script}"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True)
    assert process.stdout and process.stdout.readline() == "ready\n"
    wait_for_work(process.pid, after)
    return *end(process, signal.SIGINT), process.returncode


CUT = {
    "simulate": f"r = stopwise.simulate('carbonite', 'tidy', trials={MANY})",
    "compare": f"r = stopwise.compare('carbonite', ['tidy', 'first'], trials={MANY})",
    "rank": f"r = stopwise.rank('icedice', 'all', trials={MANY // 1000})",
    "balance": f"r = stopwise.balance('carbonite', ['tidy', 'first'], variants='turns=5', trials={MANY})",
    "sweep": "r = stopwise.sweep('carbonite', 'tidy', vary={'k': range(1, 9)}, vary_rule={'turns': range(1, 11), 'copies': (1, 2)}, trials=4 * 10**6)",
}


@pytest.mark.parametrize("script", CUT.values(), ids=CUT)
def test_ctrl_c_gives_what_is_complete(script: str) -> None:
    out, err, seconds, code = interrupted(f"{script}\nprint(type(r).__name__, bool(r.interrupted), len(r.csv()) > 100)")
    assert code == 0, err
    assert out.split()[1:] == ["True", "True"]
    assert "Interrupted: interrupted:" in err
    assert "<string>:3: Interrupted" in err, "the warning is of the caller's line"
    assert seconds < SOON


def test_the_line_of_whoever_asked() -> None:
    _, err, _, _ = interrupted(f"r = stopwise.ask('simulate', 'pig', '-p', 'hold', '-n', '{MANY}')")
    assert "<string>:3: Interrupted" in err


def test_nothing_to_give() -> None:
    _, err, seconds, code = interrupted("stopwise.solve('carbonite', set={'colours': 4, 'copies': 1})", after=0.8)
    assert code != 0
    assert "KeyboardInterrupt" in err
    assert seconds < SOON


def test_an_error_of_the_warning() -> None:
    script = f"""
import warnings
warnings.simplefilter("error", stopwise.Interrupted)
try:
    stopwise.simulate("pig", "hold", trials={MANY})
except stopwise.Interrupted as stop:
    print(stop.result.interrupted == str(stop), stop.result.summary[0].trials > 0)
"""
    out, err, _, _ = interrupted(script)
    assert out.split() == ["True", "True"], err


def test_a_handler_of_ones_own_raises() -> None:
    script = f"""
import signal
def handler(*_): raise TimeoutError("mine")
signal.signal(signal.SIGINT, handler)
try:
    stopwise.simulate("pig", "hold", trials={MANY})
except TimeoutError as error:
    print(error)
print(stopwise.simulate("pig", "hold", trials=10).summary[0].trials)
"""
    out, err, _, _ = interrupted(script)
    assert out.split() == ["mine", "10"], err


def test_files_of_an_interrupted_run(tmp_path: Path) -> None:
    script = f"r = stopwise.simulate('pig', 'hold', trials={MANY}, out='cut')\nprint(r.summary[0].trials)"
    out, err, _, _ = interrupted(script)
    trials = int(out)
    # It says how to repeat it, in the argument's name.
    assert f"add stop_after={trials} to the same arguments" in err, err
    stopwise.simulate("pig", "hold", trials=MANY, stop_after=trials, out="again")
    for name in ("summary.csv", "distribution.csv", "report.html"):
        assert (tmp_path / "cut" / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_going_on(tmp_path: Path) -> None:
    """What was killed in the middle goes on from its check points, to the bytes of a run that nothing has stopped."""
    call = f"stopwise.simulate('pig', 'hold', trials={MANY}, out='killed', resume={{}})"
    process = subprocess.Popen([sys.executable, "-c", f"import stopwise; {call.format(False)}"])
    check_points = tmp_path / "killed" / ".stopwise.checkpoints"
    while not (check_points.exists() and check_points.stat().st_size > 0):
        assert process.poll() is None, "it ended without a check point"
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert not (tmp_path / "killed" / "manifest.json").exists()
    before = max(int(end) for end in re.findall(r'"end":(\d+)', check_points.read_text()))
    out, err, _, _ = interrupted(f"print({call.format(True)}.summary[0].trials)")
    assert int(out) > before, err
    stopwise.simulate("pig", "hold", trials=MANY, stop_after=int(out), out="again")
    for name in ("summary.csv", "distribution.csv", "report.html"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_other_threads_go_on() -> None:
    ticks: list[float] = []
    is_over = threading.Event()

    def tick() -> None:
        while not is_over.wait(0.005):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    begun = time.monotonic()
    stopwise.simulate("carbonite", "tidy", trials=10_000_000, runner="trial")
    ended = time.monotonic()
    is_over.set()
    thread.join()
    meanwhile = [at for at in ticks if begun < at < ended]
    gaps = [later - earlier for earlier, later in zip(meanwhile, meanwhile[1:])]
    assert ended - begun > 0.3, "too short to tell"
    # All cores play, so that a thread waits for its turn; if it waited for the games there would be no tick.
    assert len(meanwhile) > 5 * (ended - begun)
    assert max(gaps) < (ended - begun) / 2


def test_calls_of_several_threads() -> None:
    answers: dict[int, float] = {}

    def play(seed: int) -> None:
        answers[seed] = stopwise.simulate("pig", "hold", trials=20_000, seed=seed).summary[0].mean

    threads = [threading.Thread(target=play, args=(seed,)) for seed in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed, mean in answers.items():
        assert stopwise.simulate("pig", "hold", trials=20_000, seed=seed).summary[0].mean == mean
    assert len(answers) == 8


class Endless:
    """A call on a thread of its own that plays until it is asked to end."""

    def __init__(self, hold: int) -> None:
        self.result: stopwise.Simulation | None = None
        self._policy = f'game = "pig"\nname = "mine"\nstop = "turn_total >= {hold}"\n'
        self._plays, self._is_over = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self._play, daemon=True)
        self.thread.start()
        self._plays.wait()

    def _play(self) -> None:
        try:
            self.result = stopwise.simulate("pig", self._policy, trials=MANY, threads=1, progress=self._show)
        except stopwise.Interrupted as stop:
            assert isinstance(stop.result, stopwise.Simulation)
            self.result = stop.result
        finally:
            self._plays.set()

    def _show(self, line: str) -> None:
        if " of " in line:
            self._plays.set()
        # With an empty line the call has ended.
        if line and self._is_over.is_set():
            raise KeyboardInterrupt

    def end(self) -> stopwise.Simulation:
        """What is complete."""
        self._is_over.set()
        self.thread.join()
        assert self.result is not None
        return self.result


@pytest.mark.filterwarnings("error::stopwise.Interrupted")
def test_threads_play_at_once_and_each_ends_on_its_own() -> None:
    first, second = Endless(20), Endless(25)
    whole = stopwise.simulate("pig", "hold", trials=500)
    assert (whole.interrupted, whole.summary[0].trials) == (None, 500)
    ended = first.end()
    assert second.thread.is_alive(), "the other goes on"
    for hold, result in ((20, ended), (25, second.end())):
        trials = int(result.summary[0].trials)
        assert result.interrupted and trials < MANY
        policy = f'game = "pig"\nname = "mine"\nstop = "turn_total >= {hold}"\n'
        again = stopwise.simulate("pig", policy, trials=MANY, stop_after=trials)
        assert again.summary.csv() == result.summary.csv()


def test_ctrl_c_is_for_the_main_thread() -> None:
    script = f"""
import threading, warnings
is_over, ends = threading.Event(), []
def show(_):
    if is_over.is_set():
        raise LookupError
def play():
    try:
        stopwise.simulate("pig", "hold", trials={MANY}, threads=1, progress=show)
    except LookupError:
        ends.append("asked")
thread = threading.Thread(target=play)
thread.start()
r = stopwise.simulate("pig", "hold", trials={MANY}, threads=1)
print(bool(r.interrupted), thread.is_alive())
is_over.set()
thread.join()
print(ends)
"""
    out, err, _, code = interrupted(script)
    assert (out, code) == ("True True\n['asked']\n", 0), err


def test_a_call_within_a_call_is_refused() -> None:
    said: list[BaseException] = []

    def show(_: str) -> None:
        try:
            stopwise.games()
        except stopwise.Error as error:
            said.append(error)

    stopwise.simulate("carbonite", "tidy", trials=3_000_000, runner="trial", progress=show)
    assert said and "under way" in str(said[0])


def test_progress_of_ones_own() -> None:
    lines: list[str] = []
    stopwise.simulate("carbonite", "tidy", trials=3_000_000, runner="trial", progress=lines.append)
    assert any("of 3,000,000 trials" in line for line in lines)
    assert lines[-1] == ""


def test_what_progress_raises_ends_the_call() -> None:
    def show(_: str) -> None:
        raise LookupError("enough")

    begun, used = time.monotonic(), time.process_time()
    with pytest.raises(LookupError, match="enough"):
        stopwise.simulate("pig", "hold", trials=MANY, progress=show)
    assert min(time.monotonic() - begun, time.process_time() - used) < 3


@pytest.mark.parametrize("progress", ["", ", progress=False"])
def test_progress_on_a_terminal(progress: str) -> None:
    terminal, theirs = pty.openpty()
    script = f"import warnings; warnings.simplefilter('ignore')\nstopwise.simulate('pig', 'hold', trials={MANY}{progress})"
    out, _, _, code = interrupted(script, after=2.0, stderr=theirs)
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(terminal, 4096):
            shown += piece
    except OSError:
        # Nobody has it open any more.
        pass
    os.close(terminal)
    assert code == 0
    if progress:
        assert shown == b""
    else:
        assert b"million a second" in shown
        assert shown.endswith(b"\r\x1b[K"), "the line is cleared"


def test_no_progress_elsewhere(capfd: pytest.CaptureFixture[str]) -> None:
    stopwise.simulate("carbonite", "tidy", trials=1_000_000)
    captured = capfd.readouterr()
    assert (captured.out, captured.err) == ("", "")


@pytest.mark.filterwarnings("error::stopwise.Interrupted")
def test_stop_ends_the_calls_of_all_threads() -> None:
    """With what is complete, as Ctrl-C ends one; the next call is none of them."""
    begun = [threading.Event(), threading.Event()]

    def play(at: int, hold: str) -> stopwise.Simulation:
        with pytest.raises(stopwise.Interrupted) as stop:
            stopwise.simulate("pig", hold, trials=MANY, threads=1, progress=lambda _: begun[at].set())
        assert isinstance(stop.value.result, stopwise.Simulation)
        return stop.value.result

    with ThreadPoolExecutor() as pool:
        runs = [pool.submit(play, at, f"hold:n={20 + at}") for at in range(2)]
        assert all(event.wait(60) for event in begun)
        stopwise.stop()
        results = [run.result(60) for run in runs]
    assert all(result.interrupted and 0 < int(result.summary[0].trials) < MANY for result in results)
    assert stopwise.simulate("pig", "hold", trials=500).interrupted is None


def test_progress_in_a_file() -> None:
    """A line at once, and then one now and then; each is a line of its own."""
    script = "stopwise.simulate('carbonite', 'tidy', trials=10**11, progress=True)"
    _, err, _, _ = interrupted(script, after=2.0)
    lines = [line for line in err.splitlines() if "of 100,000,000,000 trials" in line]
    assert lines
    assert "\r" not in err
    assert "\x1b" not in err
