"""What the computer around the cards does: processor, memory, disks, network."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import psutil

from gpu_assistant.monitor.model import HostSample

_T = TypeVar("_T")


class Host:
    """Samples the computer. Rates need two samples, so the first one, and one after `forget`, has none."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._before: Mapping[str, float] = {}
        self._before_at = 0.0
        _asked(lambda: psutil.cpu_percent(percpu=True))  # starts psutil's own interval

    def forget(self) -> None:
        """Starts rates anew, so that a sleep of the computer is no spike."""
        self._before = {}
        _asked(lambda: psutil.cpu_percent(percpu=True))

    def sample(self) -> HostSample:
        """One look. A source that does not answer leaves its keys out."""
        cores = tuple(_asked(lambda: psutil.cpu_percent(percpu=True)) or ())
        values = {**_cpu(cores), **_memory(), **self._rates()}
        return HostSample(values=values, cores=cores)

    def _rates(self) -> dict[str, float]:
        now, counters = self._clock(), {**_disk_counters(), **_network_counters()}
        before, seconds = self._before, now - self._before_at
        self._before, self._before_at = counters, now
        if seconds <= 0:
            return {}
        # a counter that ran backwards was reset: a disk or an adapter came or went
        rates = {
            id_: (value - before[id_]) / seconds
            for id_, value in counters.items()
            if id_ in before and value >= before[id_]
        }
        busy = [rates.pop(id_) for id_ in tuple(rates) if id_.startswith(_BUSY)]
        if busy:
            rates["disk_busy"] = min(max(busy) / 10, 100.0)  # milliseconds a second are tenths of a percent
        return rates


_BUSY = "busy:"


def _cpu(cores: tuple[float, ...]) -> dict[str, float]:
    return {"cpu": sum(cores) / len(cores), "cpu_busiest_core": max(cores)} if cores else {}


def _memory() -> dict[str, float]:
    values: dict[str, float] = {}
    if (ram := _asked(psutil.virtual_memory)) is not None:
        values |= {"ram_used": float(ram.total - ram.available), "ram_total": float(ram.total)}
    if (swap := _asked(psutil.swap_memory)) is not None and swap.total:
        values |= {"pagefile_used": float(swap.used), "pagefile_total": float(swap.total)}
    return values


def _disk_counters() -> dict[str, float]:
    disks: dict[str, Any] = _asked(lambda: psutil.disk_io_counters(perdisk=True)) or {}
    whole = {name: disk for name, disk in disks.items() if not _is_part(name, disks)}
    if not whole:
        return {}
    counters = {
        "disk_read": float(sum(disk.read_bytes for disk in whole.values())),
        "disk_write": float(sum(disk.write_bytes for disk in whole.values())),
    }
    for name, disk in whole.items():
        if hasattr(disk, "busy_time"):
            counters[_BUSY + name] = float(disk.busy_time)
    return counters


def _is_part(name: str, disks: Mapping[str, Any]) -> bool:
    """Whether it is a partition of a listed disk, or a layer over one: its bytes would count twice."""
    stem = name.rstrip("0123456789")
    return name.startswith(("loop", "ram", "dm-", "md", "zram")) or (
        stem != name and (stem in disks or (stem.endswith("p") and stem[:-1] in disks))
    )


def _network_counters() -> dict[str, float]:
    adapters: dict[str, Any] = _asked(lambda: psutil.net_io_counters(pernic=True)) or {}
    real = [traffic for name, traffic in adapters.items() if not _is_loopback(name.lower())]
    if not real:
        return {}
    return {
        "network_received": float(sum(traffic.bytes_recv for traffic in real)),
        "network_sent": float(sum(traffic.bytes_sent for traffic in real)),
    }


def _is_loopback(name: str) -> bool:
    return name in ("lo", "lo0") or name.startswith(("loopback", "isatap", "teredo"))


def _asked(ask: Callable[[], _T]) -> _T | None:
    # psutil passes on whatever the system raises: a /proc that is closed off, disabled performance counters
    try:
        return ask()
    except (psutil.Error, OSError, RuntimeError, ValueError, NotImplementedError):
        return None
