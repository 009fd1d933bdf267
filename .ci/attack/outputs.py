"""Where results cannot go: full disks, readers that leave or do not read, streams that are closed."""

import fcntl
import os
import resource
import signal
import subprocess
import time

import plans
from harness import MANIFEST, entries, tables, wrong_directory


def case(harness, dice, number):
    plans.furnish(harness.folder)
    tries = [full_disk, full_disk, full_stdout, gone_reader, blocked, blocked, closed, few_files, odd_place]
    dice.choice(tries)(harness, dice)


def mounted(folder, size):
    """Whether a small disk could be mounted there."""
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", os.fspath(folder)]
    try:
        return os.geteuid() == 0 and subprocess.run(words, capture_output=True).returncode == 0
    except OSError:
        return False


def full_disk(harness, dice):
    """A disk without room for the result, or a limit to the size of files where none can be mounted."""
    line = dice.choice(plans.QUICK).split()
    size = dice.choice([4096, 8192, 16384, 32768, 65536, 131072])
    small = harness.folder / "small"
    is_mounted = dice.random() < 0.7 and mounted(small, size)
    try:
        where = ["--out", "small/out"]
        if is_mounted and dice.random() < 0.4:
            # What is there already stays, or all of it is replaced.
            harness.run([*line[:-1], "7" if line[-1][0].isdigit() else line[-1], *where], patience=30)
        limits = [] if is_mounted else [(resource.RLIMIT_FSIZE, size)]
        before = tables(small / "out") if MANIFEST in entries(small / "out") else None
        # A file that grows too large is an error, and no signal, where that is ignored, as Python does.
        ran = harness.run([*line, *where], patience=30, limits=limits, restore_signals=False)
        harness.check(ran.code in (0, 1), f"exit code {ran.code}", ran)
        for why in wrong_directory(small / "out"):
            harness.check(False, why, ran)
        after = tables(small / "out") if MANIFEST in entries(small / "out") else None
        harness.check(ran.code == 1 or after is not None, "done, and no manifest", ran)
        again = harness.run([*line, "--out", "whole"], patience=30)
        # A limit is one of stdout, too.
        is_whole = is_mounted or "cannot write to stdout" not in ran.message()
        harness.check(again.out == ran.out or not is_whole, "what is printed depends on the disk", ran)
        whole = tables(harness.folder / "whole")
        harness.check(after in (None, before, whole), "half a result beside a manifest", ran)
    finally:
        if is_mounted:
            subprocess.run(["umount", "-l", os.fspath(small)], check=True)


def full_stdout(harness, dice):
    """What cannot be printed is an error, and the files are there all the same."""
    line = [*dice.choice(plans.QUICK).split(), "--out", "out"]
    stream = dice.choice(["stdout", "stderr"])
    with open("/dev/full", "wb") as full:
        running = harness.start(line, **{stream: full})
        ran = running.end(30)
    harness.check(ran.code == (1 if stream == "stdout" else 0), f"exit code {ran.code}", ran)
    harness.check(MANIFEST in entries(harness.folder / "out"), "no files because of a full stream", ran)


def gone_reader(harness, dice):
    """A reader that leaves after a few bytes is no error."""
    line = dice.choice([*plans.QUICK, "man", "columns", "policy features carbonite", "completions zsh", "solve pig --rules piglet",
                        "replay carbonite -p tidy"])
    is_writing = line in plans.QUICK
    running = harness.start(line.split() + (["--out", "out"] if is_writing else []), stdout=subprocess.PIPE)
    if dice.random() < 0.5:
        running.child.stdout.read(dice.choice([1, 10, 1000]))
    running.child.stdout.close()
    ran = harness.ended(running, patience=30)
    harness.check(ran.code == 0, f"exit code {ran.code}", ran)
    harness.check(not is_writing or MANIFEST in entries(harness.folder / "out"), "no files because nobody reads", ran)


def blocked(harness, dice):
    """A reader that does not read: the first signal may wait for it, the second does not."""
    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    os.write(writer, b"\n" * dice.choice([0, 4000, 4096]))
    streams = dice.choice([["stdout"], ["stdout", "stderr"], ["stderr"]])
    line = dice.choice([*plans.QUICK, "sweep pig --rules solo -p hold --vary n=1..99 -n 100 --format csv", plans.LONG[0]])
    running = harness.start([*line.split(), "--out", "out"], **{stream: writer for stream in streams})
    os.close(writer)
    running.wait(dice.choice([0.05, 0.3, 0.8]))
    first = dice.choice([signal.SIGINT, signal.SIGTERM])
    is_caught = running.catches(first)
    for _ in range(2):
        if running.poll() is None:
            running.send(first)
            # Two of a kind at once are one.
            time.sleep(dice.choice([0.1, 0.4]))
    ran = running.end(5)
    os.close(reader)
    harness.check(not ran.is_stuck, "did not end after two signals, with a reader that does not read", ran)
    harness.check(ran.late < 10, f"ended {ran.late:.2f} s after the second signal", ran)
    if is_caught and len(ran.sent) == 2:
        harness.check(ran.code in (0, 128 + first), f"exit code {ran.code}", ran)
    for why in wrong_directory(harness.folder / "out"):
        harness.check(False, why, ran)


def closed(harness, dice):
    """Streams that are closed: nothing of what was meant for them gets into files."""
    line = [*dice.choice(plans.QUICK).split(), "--out"]
    streams = dice.sample([0, 1, 2], dice.randint(1, 3))
    close = " ".join(f"{stream}>&-" for stream in streams)
    script = f'exec "$0" "$@" {close}'
    ran = harness.run([*line, "out"], patience=30, through=["bash", "-c", script])
    whole = harness.run([*line, "whole"], patience=30)
    harness.check(tables(harness.folder / "out") == tables(harness.folder / "whole"), "other files with closed streams", ran)


def few_files(harness, dice):
    """A process that may open few files: what it lacks is said, or it did not need more."""
    line = [*dice.choice(plans.QUICK).split(), "--out", "out"]
    most = dice.randint(6, 24)
    ran = harness.run(line, patience=30, limits=[(resource.RLIMIT_NOFILE, most)])
    harness.check(ran.code in (0, 1), f"exit code {ran.code} with {most} files", ran)
    for why in wrong_directory(harness.folder / "out"):
        harness.check(False, why, ran)
    harness.check(ran.code == 1 or MANIFEST in entries(harness.folder / "out"), "done, and no manifest", ran)


def odd_place(harness, dice):
    """A place where no directory can be is refused before anything runs, and nothing there is touched."""
    (harness.folder / "file").write_text("mine")
    (harness.folder / "dangling").symlink_to("nowhere")
    (harness.folder / "loop").symlink_to("loop")
    (harness.folder / "odd" / MANIFEST).mkdir(parents=True)
    (harness.folder / "mark" / ".stopwise.part").mkdir(parents=True)
    (harness.folder / "foreign").mkdir()
    (harness.folder / "foreign" / "summary.csv").write_text("mine")
    (harness.folder / "foreign" / MANIFEST).write_text("mine")
    place = dice.choice(["file", "file/under", "dangling", "loop", "loop/x", "odd", "mark", "foreign", "", "x" * 300, "y/" * 3000,
                         "/proc/none", "/dev/null", "/dev/full/x"])
    before = {path: path.lstat().st_mtime_ns for path in harness.folder.rglob("*") if path.is_file()}
    ran = harness.run([*dice.choice(plans.QUICK).split(), "--out", place], patience=30)
    harness.check(ran.code == 2 and not ran.out, f"exit code {ran.code} with --out {place[:20]}", ran)
    after = {path: path.lstat().st_mtime_ns for path in harness.folder.rglob("*") if path.is_file()}
    harness.check(before == after, "something was touched that is not its own", ran)
