"""A cluster of three nodes on this machine, in a network of its own: one dies, another joins, and nothing differs.

`test_cluster.py` starts it by itself, in a namespace with nothing but a loopback that is down.
"""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import struct
import time
from collections.abc import Callable
from typing import Any

import ray
from ray.cluster_utils import Cluster

import stopwise
from stopwise import _core, cluster

#: What a node may keep, in bytes.
MEMORY = 80 * 2**20


#: Its functions have no types.
driver: Any = ray


def loopback_up() -> None:
    """As `ip link set lo up` does."""
    get, put, up = 0x8913, 0x8914, 0x1
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        name, flags = struct.unpack("16sh", fcntl.ioctl(any_socket, get, struct.pack("16sh", b"lo", 0)))
        fcntl.ioctl(any_socket, put, struct.pack("16sh", name, flags | up))


def found(result: stopwise.Result) -> dict[str, Any]:
    """All that a result says."""
    return {"json": result.json(), "html": result.html(), **{name: result.csv(name) for name in result.files}}


def check(name: str, *arguments: Any, progress: Callable[[str], object] | bool = False, **options: Any) -> None:
    begun = time.monotonic()
    ours = getattr(cluster, name)(*arguments, progress=progress, **options)
    took = time.monotonic() - begun
    assert found(ours) == found(getattr(stopwise, name)(*arguments, **options)), name
    print(f"{name}: the same, {took:.1f} s", flush=True)


def same() -> None:
    """Every command; those that take a while are cut."""
    mine = '\ngame = "pig"\nname = "mine"\nparams = { k = 22 }\nstop = "turn_total >= k"\n'
    check("simulate", "pig", ["hold", mine], rotate=True, trials=5001, above=3)
    check("simulate", "carbonite", "tidy:k=3", set={"retribution": "any"}, trials="4M", quantiles=[0.1, 0.9])
    check("simulate", "pig", "hold", trials=5000, stop_after=1024)
    check("compare", "carbonite", ["tidy", "first"], trials="800k", divergent=3)
    check("compare", "pig", ["hold", "hold:n=25"], rules="solo", until_width=0.1, metric="score")
    check("sweep", "carbonite", "tidy", vary={"k": range(1, 4)}, vary_rule={"turns": (5, 10)}, trials="1M", paired=1000)
    check("balance", "carbonite", ["first", "tidy"], variants=[{"retribution": "any"}, "copies=1"], trials="150k")
    check("rank", "carbonite", ["tidy", "first"], vary={"1.k": range(1, 4)}, trials=5000, fresh=1000)
    with open("policy.toml", "w") as file:
        file.write(mine)
    # Nodes read it from nowhere but the driver.
    check("simulate", "pig", "policy.toml", rules="solo", trials="20k")


def death(nodes: Any, doomed: list[Any]) -> None:
    """Nodes are killed in the middle of runs, and another joins."""

    def kill_one(line: str) -> None:
        # On a fast machine several parts may be done between two lines.
        done, _, parts = line.removesuffix(" parts").partition(" of ")
        if len(doomed) == 2 and line and 0 < int(done) < int(parts) - 2:
            nodes.remove_node(doomed.pop(), allow_graceful=False)
            nodes.add_node(num_cpus=1, object_store_memory=MEMORY)

    check("simulate", "carbonite", "tidy", trials="64M", progress=kill_one)
    assert len(doomed) == 1, "it was killed"

    def kill_another(line: str) -> None:
        if ", 0 of " in line and not line.endswith("of 1 pieces") and doomed:
            nodes.remove_node(doomed.pop(), allow_graceful=False)

    check("rank", "freeze", "all", trials=700, progress=kill_another)
    assert not doomed, "it was killed"


def refusals() -> None:
    for options, said in [
        ({"trials_out": "rows.csv"}, "trials_out: the rows"),
        ({"resume": True}, "resume: a run on a cluster"),
        ({"shard": (1, 2)}, "shard: a cluster cuts a run into parts itself"),
        ({"set": "turms=5"}, "turms"),
    ]:
        try:
            cluster.simulate("carbonite", "tidy", **options)  # type: ignore[arg-type]
        except stopwise.InputError as error:
            assert said in str(error), error
        else:
            raise AssertionError(said)
    own = _core.version
    _core.version = lambda: "9.9.9 another"
    for call in (lambda: cluster.simulate("pig", "hold"), lambda: cluster.rank("pig", "all", trials=100)):
        try:
            call()
        except stopwise.Error as error:
            assert f"has stopwise {own()}, and the driver 9.9.9 another" in str(error), error
        else:
            raise AssertionError("another version was not refused")
    _core.version = own
    print("refused what is wrong", flush=True)


def ctrl_c() -> None:
    # Two that play alike: no race between them is decided before the signal comes.
    alike = dict(rules="solo", resolution=1e-9, trials=10**9)
    for name, game, policies, options in [
        ("simulate", "carbonite", "tidy", dict(trials=10**11)),
        ("rank", "pig", ["hold:n=120", "hold:n=150"], alike),
    ]:
        sent: list[float] = []

        def interrupt(line: str) -> None:
            if line and not sent:
                sent.append(time.monotonic())
                os.kill(os.getpid(), signal.SIGINT)

        try:
            getattr(cluster, name)(game, policies, progress=interrupt, **options)
        except KeyboardInterrupt:
            assert sent and time.monotonic() - sent[0] < 10, name
        else:
            raise AssertionError(f"{name} went on")

    leg = cluster._Rounds._leg

    def interrupted_after(rounds: Any, wanted: _core.Wanted) -> str:
        lines = leg(rounds, wanted)
        os.kill(os.getpid(), signal.SIGINT)
        while not wanted.is_ending():
            time.sleep(0.01)
        return lines

    cluster._Rounds._leg = interrupted_after  # type: ignore[method-assign]
    try:
        cluster.rank("pig", ["hold:n=120", "hold:n=150"], **alike)  # type: ignore[arg-type]
    except KeyboardInterrupt:
        pass
    else:
        raise AssertionError("between two rounds it gave a result")
    finally:
        cluster._Rounds._leg = leg  # type: ignore[method-assign]
    print("Ctrl-C ends", flush=True)


def main() -> None:
    # A script's background begins with Ctrl-C ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    loopback_up()
    # Shorter parts than are worth while, so that runs are short and still in many parts.
    cluster._SHORTEST, cluster._WORTH = 0.15, 5
    nodes: Any = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": 1, "object_store_memory": MEMORY, "include_dashboard": False},
    )
    added = [nodes.add_node(num_cpus=1, object_store_memory=MEMORY) for _ in range(2)]
    driver.init(address=nodes.address, log_to_driver=False)
    assert driver.cluster_resources()["CPU"] == 3
    try:
        same()
        ctrl_c()
        refusals()
        death(nodes, added)
    finally:
        driver.shutdown()
        nodes.shutdown()


if __name__ == "__main__":
    main()
