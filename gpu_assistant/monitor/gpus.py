"""All the sources of cards in one pass: NVML, then what Windows or Linux tell about the rest."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Protocol

import msgspec

from gpu_assistant.monitor.asleep import PowerState, SleepKeeper, power_states
from gpu_assistant.monitor.model import GpuSample, Trouble
from gpu_assistant.monitor.nvml import DriverGone, Nvml
from gpu_assistant.monitor.processes import ProcessBook

_log = logging.getLogger(__name__)


class OtherSource(Protocol):
    """A source beside NVML: it adds cards that NVML does not know and values that NVML hides."""

    def add_to(self, gpus: tuple[GpuSample, ...]) -> tuple[GpuSample, ...]: ...


class Fragile:
    """Holds a source that asks parts of the system we cannot foresee; NVML goes on without it if it fails."""

    def __init__(self, make: Callable[[], OtherSource]) -> None:
        self._make = make
        self._source: OtherSource | None = None
        self._broken = False

    def add_to(self, gpus: tuple[GpuSample, ...]) -> tuple[GpuSample, ...]:
        """What the source adds; nothing once it has failed."""
        if self._broken:
            return gpus
        try:
            self._source = self._source or self._make()
            return self._source.add_to(gpus)
        except Exception:
            # whatever it was, the NVIDIA cards must not vanish with it
            self._broken = True
            _log.exception("a source beside NVML is given up")
            return gpus


class Gpus:
    """Samples every card. One pass may take as long as the driver does; call it from one thread."""

    def __init__(
        self,
        nvml: Nvml,
        others: tuple[OtherSource, ...] = (),
        *,
        power: Callable[[], tuple[PowerState, ...]] = power_states,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._nvml = nvml
        self._others = others
        self._power = power
        self._clock = clock
        self._keeper = SleepKeeper()
        self._book = ProcessBook()
        self._seen: tuple[GpuSample, ...] = ()
        self._failures = 0
        self._wait = 0
        self._trouble: Trouble | None = None

    def sample(self) -> tuple[tuple[GpuSample, ...], Trouble | None]:
        """One pass: the cards, and what the NVIDIA driver answers instead if it does not answer."""
        gpus, trouble = self._nvidia()
        for other in self._others:
            gpus = other.add_to(gpus)
        if trouble in ("no_nvml", "no_devices") and gpus:
            trouble = None
        groups = self._book.named(gpu.processes for gpu in gpus)
        return tuple(
            msgspec.structs.replace(gpu, processes=group) if group else gpu
            for gpu, group in zip(gpus, groups, strict=True)
        ), trouble

    def close(self) -> None:
        """Lets go of the driver."""
        self._nvml.close()

    def _nvidia(self) -> tuple[tuple[GpuSample, ...], Trouble | None]:
        states = self._power()
        if not self._keeper.may_ask(states, self._clock()):
            self._nvml.close()
            return self._asleep(states), None
        if self._wait:
            self._wait -= 1
            return (), self._trouble
        try:
            gpus = self._nvml.sample()
        except DriverGone as gone:
            return (), self._gone(gone.trouble)
        self._failures = 0
        self._seen = gpus
        self._keeper.saw(busy=any(_is_busy(gpu) for gpu in gpus), now=self._clock())
        return gpus, None

    def _gone(self, trouble: Trouble) -> Trouble | None:
        """Tries again after 1, 2, 4, then every 8 passes: opening a broken driver is dear."""
        self._wait = min(2**self._failures, 8) - 1
        self._failures = min(self._failures + 1, 3)
        known = trouble in ("no_nvml", "driver_not_loaded", "no_devices") and self._seen
        self._trouble = "driver_lost" if known else trouble
        return self._trouble

    def _asleep(self, states: tuple[PowerState, ...]) -> tuple[GpuSample, ...]:
        if self._seen:
            return tuple(
                msgspec.structs.replace(gpu, values={}, throttle=(), processes=(), asleep=True) for gpu in self._seen
            )
        return tuple(
            GpuSample(uuid=state.address, index=index, name="NVIDIA GPU", asleep=True, pci_address=state.address)
            for index, state in enumerate(states)
        )


def _is_busy(gpu: GpuSample) -> bool:
    return gpu.values.get("utilization", 0) > 0 or gpu.values.get("process_count", 0) > 0
