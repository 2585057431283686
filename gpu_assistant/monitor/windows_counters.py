"""What Windows' own counters tell: memory per process where NVML hides it (WDDM), spill, and other makers' cards."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from gpu_assistant.base.model import Value
from gpu_assistant.monitor.model import GpuSample, ProcessSample

ENGINE = r"\GPU Engine(*)\Utilization Percentage"
PROCESS_DEDICATED = r"\GPU Process Memory(*)\Dedicated Usage"
PROCESS_SHARED = r"\GPU Process Memory(*)\Shared Usage"
ADAPTER_DEDICATED = r"\GPU Adapter Memory(*)\Dedicated Usage"
ADAPTER_SHARED = r"\GPU Adapter Memory(*)\Shared Usage"
PATHS = (ENGINE, PROCESS_DEDICATED, PROCESS_SHARED, ADAPTER_DEDICATED, ADAPTER_SHARED)

Vendor = Literal["nvidia", "amd", "intel", "other"]
_VENDORS: dict[int, Vendor] = {0x10DE: "nvidia", 0x1002: "amd", 0x8086: "intel"}
_NOT_REAL = {0x1414}  # Microsoft's own software adapter

Answers = Mapping[str, Sequence[tuple[str, float]]]


class Adapter(Value, frozen=True, kw_only=True):
    """A card as Windows lists it; `luid` is written as the counters' instances write it."""

    luid: str
    name: str
    vendor_id: int
    dedicated_bytes: int
    pci_address: str | None = None


class _Use(msgspec.Struct):
    """What the counters say of one card, or of one process on it."""

    dedicated: float | None = None
    shared: float | None = None
    engines: defaultdict[str, float] = msgspec.field(default_factory=lambda: defaultdict(float))

    @property
    def load(self) -> float | None:
        """As the Task Manager counts: the busiest kind of engine."""
        return min(max(self.engines.values()), 100.0) if self.engines else None


_INSTANCE = re.compile(
    r"(?:pid_(?P<pid>\d+)_)?luid_(?P<luid>0x[0-9a-f]+_0x[0-9a-f]+)_phys_\d+(?:_eng_(?P<engine>\d+)_engtype_(?P<kind>.*))?",
    re.IGNORECASE,
)


def read_use(answers: Answers) -> tuple[dict[str, _Use], dict[tuple[str, int], _Use]]:
    """Uses per card (by luid) and per process on a card (by luid and pid)."""
    cards: defaultdict[str, _Use] = defaultdict(_Use)
    processes: defaultdict[tuple[str, int], _Use] = defaultdict(_Use)
    for path, rows in answers.items():
        for instance, value in rows:
            found = _INSTANCE.fullmatch(instance)
            if found is None:
                continue
            luid = found["luid"].lower()
            whole = cards[luid]
            use = processes[luid, int(found["pid"])] if found["pid"] else whole
            if path == ENGINE:
                engine = f"{found['engine']} {found['kind']}"
                use.engines[engine] += value
                whole.engines[engine] += value
            elif path in (PROCESS_DEDICATED, ADAPTER_DEDICATED):
                use.dedicated = (use.dedicated or 0.0) + value
            else:
                use.shared = (use.shared or 0.0) + value
    return dict(cards), dict(processes)


def add_counters(gpus: tuple[GpuSample, ...], adapters: Iterable[Adapter], answers: Answers) -> tuple[GpuSample, ...]:
    """NVML's cards with what NVML hides, and behind them the cards of other makers."""
    cards, processes = read_use(answers)
    rest = [adapter for adapter in adapters if adapter.vendor_id not in _NOT_REAL]
    result = []
    for gpu in gpus:
        adapter = _match(gpu, rest)
        if adapter is None:
            result.append(gpu)
            continue
        rest.remove(adapter)
        result.append(_completed(gpu, adapter.luid, cards, processes))
    index = 1 + max((gpu.index for gpu in gpus), default=-1)
    for adapter in rest:
        if adapter.luid in cards:
            result.append(_own_sample(adapter, index, cards[adapter.luid], processes))
            index += 1
    return tuple(result)


def _match(gpu: GpuSample, adapters: Sequence[Adapter]) -> Adapter | None:
    by_address = [adapter for adapter in adapters if gpu.pci_address and adapter.pci_address == gpu.pci_address]
    by_name = [adapter for adapter in adapters if adapter.pci_address is None and adapter.name == gpu.name]
    return next(iter(by_address or by_name), None)


def _completed(
    gpu: GpuSample, luid: str, cards: Mapping[str, _Use], processes: Mapping[tuple[str, int], _Use]
) -> GpuSample:
    values = dict(gpu.values)
    if luid in cards and (shared := cards[luid].shared) is not None:
        values["vram_shared"] = shared
    return msgspec.structs.replace(
        gpu,
        values=values,
        processes=tuple(_joined(process, processes.get((luid, process.pid))) for process in gpu.processes),
    )


def _joined(process: ProcessSample, use: _Use | None) -> ProcessSample:
    if use is None:
        return process
    return msgspec.structs.replace(
        process,
        vram_bytes=process.vram_bytes if process.vram_bytes is not None else _whole(use.dedicated),
        shared_bytes=_whole(use.shared),
        gpu_percent=process.gpu_percent if process.gpu_percent is not None else use.load,
    )


def _own_sample(adapter: Adapter, index: int, use: _Use, processes: Mapping[tuple[str, int], _Use]) -> GpuSample:
    values = {
        "utilization": use.load,
        "vram_used": use.dedicated,
        "vram_total": float(adapter.dedicated_bytes) or None,
        "vram_shared": use.shared,
    }
    return GpuSample(
        uuid=adapter.pci_address or f"luid_{adapter.luid}",
        index=index,
        name=adapter.name,
        vendor=_VENDORS.get(adapter.vendor_id, "other"),
        pci_address=adapter.pci_address,
        values={id_: value for id_, value in values.items() if value is not None},
        processes=tuple(
            _joined(ProcessSample(pid=pid), use)
            for (luid, pid), use in processes.items()
            if luid == adapter.luid and (use.dedicated or use.shared)
        ),
    )


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)


class WindowsCounters:
    """Adds the counters to each pass; looks for new cards when a pass brings one that is unknown."""

    def __init__(self) -> None:
        from gpu_assistant.monitor.windows_adapters import adapters
        from gpu_assistant.monitor.windows_pdh import Counters

        self._list_adapters = adapters
        self._adapters = adapters()
        self._counters = Counters(PATHS)

    def add_to(self, gpus: tuple[GpuSample, ...]) -> tuple[GpuSample, ...]:
        """The same cards and more, as `add_counters` tells."""
        answers = self._counters.collect()
        known = {adapter.luid for adapter in self._adapters}
        if any(luid not in known for luid in read_use(answers)[0]):
            self._adapters = self._list_adapters()
        return add_counters(gpus, self._adapters, answers)
