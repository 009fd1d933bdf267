"""What might hang or crash, each in a process of its own. The time limits are there to fail a test that hangs."""

import signal
import subprocess
import sys
import time

import pytest

#: Of a process that does nothing for long.
HANGS = 60


def python(script: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=HANGS)


@pytest.mark.parametrize("call", ["stopwise.features('pig')", "envs.make('pig', rules='solo')", "stopwise.simulate('pig', 'hold')"])
def test_a_function_that_calls_the_module_is_refused(call: str) -> None:
    script = f"""
import stopwise
from stopwise import envs
def policy(batch):
    {call}
    return batch.features["turn_total"] >= 20
try:
    stopwise.simulate("pig", policy, trials=100)
except stopwise.Error as error:
    print("under way" in str(error))
print(stopwise.simulate("pig", "hold", trials=100).summary[0].trials)
"""
    done = python(script)
    assert done.stdout.split() == ["True", "100"], done.stderr


#: A function that takes so long that no trial is ever over.
SLOW = """
import time
import stopwise
def policy(batch):
    time.sleep(0.5)
    return batch.features["turn_total"] >= 20
print("ready", flush=True)
try:
    stopwise.simulate("pig", policy, rules="solo", trials=10**6, threads=7)
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


@pytest.mark.parametrize("signals", [1, 2, 3])
def test_ctrl_c_with_a_slow_function(signals: int) -> None:
    """No thread is in the function any more when the call has ended, so that the process can end, too.

    The signals come when a question is asked; it takes five seconds, so that the last of them, too, arrives while the call
    goes on.
    """
    script = SLOW.replace("time.sleep(0.5)", 'print("asked", flush=True)\n    time.sleep(5)')
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout and process.stdout.readline() == "ready\n"
    assert process.stdout.readline().startswith("asked")
    for _ in range(signals):
        process.send_signal(signal.SIGINT)
        time.sleep(0.1)
    out, err = process.communicate(timeout=HANGS)
    assert (out.split()[-1:], process.returncode) == (["stopped"], 0), err


def test_no_more_questions_after_ctrl_c() -> None:
    """A trial takes some ten questions: with those that are being answered it would end after several more."""
    script = SLOW.replace("    time.sleep(0.5)", "    asked.append(time.monotonic())\n    time.sleep(0.5)").replace(
        "import time", "import os, signal, threading, time\nasked = []"
    ).replace(
        "try:", "begun = time.monotonic()\nthreading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()\ntry:"
    )
    done = python(f"{script}\ncount = len(asked)\ntime.sleep(1)\nprint(len(asked) - count)")
    assert done.stdout.split() == ["ready", "stopped", "0"], done.stderr


def test_a_fork_while_another_thread_plays() -> None:
    script = """
import os, threading, time, warnings
import stopwise
warnings.simplefilter("ignore")
is_over, lines = threading.Event(), []
def show(line):
    lines.append(line)
    if is_over.is_set():
        raise LookupError
def play():
    try:
        stopwise.simulate("pig", "hold", trials=10**11, progress=show)
    except LookupError:
        pass
thread = threading.Thread(target=play)
thread.start()
while not lines:
    time.sleep(0.01)
codes = []
for _ in range(3):
    child = os.fork()
    if child == 0:
        os._exit(0 if stopwise.simulate("pig", "hold", trials=1000).summary[0].trials == 1000 else 1)
    codes.append(os.waitpid(child, 0)[1])
is_over.set()
thread.join()
print(codes)
"""
    # It ends its children with it.
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        out, err = process.communicate(timeout=HANGS)
    except subprocess.TimeoutExpired:
        import os

        os.killpg(process.pid, signal.SIGKILL)
        raise
    assert out == "[0, 0, 0]\n", err
