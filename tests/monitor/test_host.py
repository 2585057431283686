"""The computer's own values, their rates, and the processes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import namedtuple
from types import SimpleNamespace

import psutil
import pytest

from gpu_assistant.monitor.host import Host
from gpu_assistant.monitor.model import ProcessSample
from gpu_assistant.monitor.processes import ProcessBook, ProcessChanged, ProcessRefused, end_process
from gpu_assistant.monitor.sampling_child import Clock

_Disk = namedtuple("_Disk", "read_bytes write_bytes busy_time")
_Net = namedtuple("_Net", "bytes_recv bytes_sent")


class _Counters:
    """A computer whose counters are set by the test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.disks: dict[str, _Disk] = {}
        self.adapters: dict[str, _Net] = {}
        monkeypatch.setattr(psutil, "disk_io_counters", lambda perdisk: dict(self.disks))
        monkeypatch.setattr(psutil, "net_io_counters", lambda pernic: dict(self.adapters))
        self.host = Host(clock=lambda: self.now)

    def after(self, seconds: float) -> dict[str, float]:
        self.now += seconds
        return dict(self.host.sample().values)


@pytest.fixture
def counters(monkeypatch: pytest.MonkeyPatch) -> _Counters:
    return _Counters(monkeypatch)


def test_rates_are_differences_per_second_of_whole_disks_and_real_adapters(counters: _Counters) -> None:
    counters.disks = {
        "nvme0n1": _Disk(0, 0, 0),
        "nvme0n1p1": _Disk(0, 0, 0),
        "sda": _Disk(0, 0, 0),
        "loop3": _Disk(0, 0, 0),
    }
    counters.adapters = {"lo": _Net(0, 0), "Local Area Connection": _Net(0, 0), "eth0": _Net(0, 0)}
    assert not {"disk_read", "network_sent"} & set(counters.after(0))
    counters.disks = {
        "nvme0n1": _Disk(4_000_000, 2_000, 1500),
        "nvme0n1p1": _Disk(4_000_000, 2_000, 1500),
        "sda": _Disk(2_000_000, 0, 400),
        "loop3": _Disk(9_000_000, 0, 0),
    }
    counters.adapters = {"lo": _Net(10**9, 10**9), "Local Area Connection": _Net(1000, 0), "eth0": _Net(1000, 500)}
    values = counters.after(2)
    assert values["disk_read"] == 3_000_000
    assert values["disk_write"] == 1_000
    assert values["disk_busy"] == 75.0
    assert (values["network_received"], values["network_sent"]) == (1000, 250)


def test_a_sleep_of_the_computer_is_no_spike(counters: _Counters) -> None:
    counters.adapters = {"eth0": _Net(0, 0)}
    counters.after(0)
    counters.adapters = {"eth0": _Net(10**12, 0)}
    counters.host.forget()
    assert "network_received" not in counters.after(3600)
    counters.adapters = {"eth0": _Net(10**12 + 100, 0)}
    assert counters.after(1)["network_received"] == 100


def test_a_counter_that_ran_backwards_is_a_gap(counters: _Counters) -> None:
    counters.adapters = {"eth0": _Net(5000, 5000)}
    counters.after(0)
    counters.adapters = {"eth0": _Net(10, 6000)}
    values = counters.after(1)
    assert "network_received" not in values
    assert values["network_sent"] == 1000


def test_a_computer_that_refuses_everything_is_sampled_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError("no")

    for name in ("cpu_percent", "virtual_memory", "swap_memory", "disk_io_counters", "net_io_counters"):
        monkeypatch.setattr(psutil, name, refuse)
    sample = Host().sample()
    assert (sample.values, sample.cores) == ({}, ())


def test_the_clock_notices_a_sleep_and_a_set_clock_but_no_slow_pass() -> None:
    clock = Clock(1.0)
    assert [clock.jumped(*at) for at in ((100, 5), (101, 6), (103.5, 8.5))] == [False, False, False]
    assert clock.jumped(3703.5, 9.5), "Linux: the steady clock stood still"
    assert clock.jumped(7303.5, 3609.5), "Windows: it went on"
    assert clock.jumped(3704.5, 3610.5), "set back"
    assert not clock.jumped(3705.5, 3611.5)


def test_a_pid_that_changed_hands_gets_its_new_name(monkeypatch: pytest.MonkeyPatch) -> None:
    who = SimpleNamespace(name="old", started=1.0)
    looked: list[int] = []

    class Process:
        def __init__(self, pid: int) -> None:
            looked.append(pid)

        def create_time(self) -> float:
            return float(who.started)

        def name(self) -> str:
            return str(who.name)

        def username(self) -> str:
            raise psutil.AccessDenied

        def cmdline(self) -> list[str]:
            return ["python", "x" * 5000]

    monkeypatch.setattr(psutil, "Process", Process)
    book = ProcessBook()

    def look() -> ProcessSample:
        return book.named([(ProcessSample(pid=5),)])[0][0]

    first = look()
    assert (first.name, first.user, first.started) == ("old", None, 1.0)
    assert len(first.command or "") == 1000
    for _ in range(5):
        look()
    assert len(looked) == 1, "the system is not asked each second"
    who.name, who.started = "new", 2.0
    assert [look().name for _ in range(10)][-1] == "new"


def test_a_process_is_ended_only_if_it_is_still_the_one_that_was_seen() -> None:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        started = psutil.Process(child.pid).create_time()
        for wrong in (None, started - 5):
            with pytest.raises(ProcessChanged):
                end_process(child.pid, wrong)
        assert child.poll() is None
        end_process(child.pid, started, timeout=10)
        assert child.wait(10) is not None
        with pytest.raises(ProcessChanged):
            end_process(child.pid, started)
    finally:
        child.kill()
        child.wait()


def test_a_process_of_somebody_else_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(self: object) -> None:
        raise psutil.AccessDenied(os.getpid())

    monkeypatch.setattr(psutil.Process, "terminate", deny)
    with pytest.raises(ProcessRefused):
        end_process(os.getpid(), psutil.Process().create_time())


def test_a_stubborn_process_is_ended_by_force() -> None:
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        end_process(child.pid, psutil.Process(child.pid).create_time(), timeout=0.2)
        deadline = time.monotonic() + 10
        while child.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        assert child.poll() is not None
