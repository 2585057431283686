"""The one door to NVML, for sampling. Every call is guarded: what a card does not support is a missing key."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import Any

import pynvml

from gpu_assistant.base.lines import decode_line
from gpu_assistant.monitor.model import GpuSample, ProcessSample, Trouble
from gpu_assistant.monitor.nvml_readers import READERS, Reader, read_processes, throttle_reasons

_ASK_AGAIN = 120  # passes until something unsupported is tried once more
_LOOK_AGAIN = 5  # passes until a lost card is looked for

_WHOLE_DRIVER: dict[int, Trouble] = {
    pynvml.NVML_ERROR_LIBRARY_NOT_FOUND: "no_nvml",
    pynvml.NVML_ERROR_DRIVER_NOT_LOADED: "driver_not_loaded",
    pynvml.NVML_ERROR_LIB_RM_VERSION_MISMATCH: "driver_mismatch",
    pynvml.NVML_ERROR_UNINITIALIZED: "driver_lost",
}
_LOST = {pynvml.NVML_ERROR_GPU_IS_LOST: "gpu_lost", pynvml.NVML_ERROR_RESET_REQUIRED: "reset_required"}
_NEVER_MIND = {
    pynvml.NVML_ERROR_NOT_SUPPORTED,
    pynvml.NVML_ERROR_FUNCTION_NOT_FOUND,
    pynvml.NVML_ERROR_INVALID_ARGUMENT,
    pynvml.NVML_ERROR_ARGUMENT_VERSION_MISMATCH,
    pynvml.NVML_ERROR_DEPRECATED,
    pynvml.NVML_ERROR_NO_PERMISSION,
}


class DriverGone(Exception):
    """The driver as a whole does not answer; `trouble` tells how."""

    def __init__(self, trouble: Trouble) -> None:
        self.trouble: Trouble = trouble
        super().__init__(trouble)


class _Lost(Exception):
    """One card does not answer."""


class _Card:
    """A card's handle with what was learnt about it."""

    def __init__(self, handle: Any, index: int) -> None:
        """`handle` is None for a card that is lost before it was ever asked."""
        self.handle = handle
        self.index = index
        self.lost: str | None = None
        self.uuid = _text(pynvml.nvmlDeviceGetUUID, handle) or f"nvidia-{index}"
        self.name = _text(pynvml.nvmlDeviceGetName, handle) or "NVIDIA GPU"
        self.pci_address = _pci_address(handle)
        self.silent_until: dict[Reader, int] = {}
        self.kept: dict[Reader, dict[str, float]] = {}
        self.refused: set[Reader] = set()
        self.process_time = 0  # microseconds of the last process utilization that was read

    def sample(self, **found: Any) -> GpuSample:
        """A sample of this card."""
        return GpuSample(uuid=self.uuid, index=self.index, name=self.name, pci_address=self.pci_address, **found)


class Nvml:
    """Samples every NVIDIA card. Use it from one thread; a call may hang as long as the driver does."""

    def __init__(self) -> None:
        self._cards: list[_Card] = []
        self._known: dict[int, _Card] = {}  # by index, for cards that are lost when the driver is opened again
        self._open = False
        self._count = 0
        self._pass = 0
        self._look_at = 0  # the pass that looks for a lost card

    def open(self) -> None:
        """Finds the cards. Raises `DriverGone`."""
        self.close()
        try:
            pynvml.nvmlInit()
            self._open = True
            self._count = pynvml.nvmlDeviceGetCount()
        except pynvml.NVMLError as error:
            self.close()
            raise DriverGone(_trouble(error, "driver_lost")) from error
        self._cards = [card for index in range(self._count) for card in self._cards_at(index)]
        self._known |= {card.index: card for card in reversed(self._cards)}
        if not self._cards:
            refused = self._count > 0
            self.close()
            raise DriverGone("no_permission" if refused else "no_devices")

    def close(self) -> None:
        """Lets go of the driver."""
        if self._open:
            self._open = False
            with contextlib.suppress(pynvml.NVMLError):
                pynvml.nvmlShutdown()
        self._cards = []

    def sample(self) -> tuple[GpuSample, ...]:
        """One pass over all cards; opens the driver where needed. Raises `DriverGone` (then closed again)."""
        self._pass += 1
        if not self._open or self._changed() or self._pass == self._look_at:
            self.open()
        try:
            samples = tuple(self._sample_card(card) for card in self._cards)
        except DriverGone:
            self.close()
            raise
        if any(sample.lost for sample in samples) and self._look_at <= self._pass:
            # only a fresh start of the library sees a card that came back
            self._look_at = self._pass + _LOOK_AGAIN
        return samples

    def _cards_at(self, index: int) -> list[_Card]:
        """The card with this number, and the MIG instances on it; none if we may not touch it."""
        try:
            handle = pynvml.nvmlDeviceGetHandleByIndex(index)
        except pynvml.NVMLError as error:
            if error.value == pynvml.NVML_ERROR_UNINITIALIZED:
                raise DriverGone("driver_lost") from error
            if error.value not in _LOST:
                return []
            card = self._known.get(index) or _Card(None, index)
            card.lost = _LOST[error.value]
            return [card]
        return [_Card(handle, index), *(_Card(part, index) for part in _instances(handle))]

    def _changed(self) -> bool:
        try:
            return bool(pynvml.nvmlDeviceGetCount() != self._count)
        except pynvml.NVMLError as error:
            self.close()
            raise DriverGone(_trouble(error, "driver_lost")) from error

    def _sample_card(self, card: _Card) -> GpuSample:
        if card.lost is not None:
            return card.sample(lost=True, trouble=card.lost)
        values: dict[str, float] = {}
        try:
            for reader in READERS:
                values.update(self._read(card, reader))
            reasons = throttle_reasons(values.pop("throttle_bits", None))
            processes = self._processes(card)
        except _Lost as lost:
            card.lost = str(lost)
            return card.sample(lost=True, trouble=card.lost)
        if processes is not None:
            # "both" is a desktop program under Windows' driver model
            values["process_count"] = float(sum(process.kind == "compute" for process in processes))
        trouble = "no_permission" if not values and card.refused else None
        return card.sample(values=values, throttle=reasons, processes=processes or (), trouble=trouble)

    def _read(self, card: _Card, reader: Reader) -> dict[str, float]:
        if card.silent_until.get(reader, 0) > self._pass:
            return {}
        every = reader.every if not reader.slow or len(self._cards) <= 4 else 5
        if reader in card.kept and (self._pass + card.index) % every:
            return card.kept[reader]
        card.kept.pop(reader, None)
        values = self._guarded(card, reader, reader.read) or {}
        if values and every > 1:
            card.kept[reader] = values
        return values

    def _guarded(self, card: _Card, reader: Reader, read: Callable[[Any], Any]) -> Any:
        try:
            return read(card.handle)
        except pynvml.NVMLError as error:
            code = error.value
            if code in _LOST:
                raise _Lost(_LOST[code]) from error
            if code in _WHOLE_DRIVER:
                raise DriverGone(_trouble(error, "driver_lost")) from error
            if code in _NEVER_MIND:
                card.silent_until[reader] = self._pass + _ASK_AGAIN
            if code == pynvml.NVML_ERROR_NO_PERMISSION:
                card.refused.add(reader)
        except (ValueError, TypeError, OSError, AttributeError):
            # a binding and a library that do not understand each other; Windows turns a library's crash into OSError
            card.silent_until[reader] = self._pass + _ASK_AGAIN
        return None

    def _processes(self, card: _Card) -> tuple[ProcessSample, ...] | None:
        if card.silent_until.get(_PROCESSES, 0) > self._pass:
            return None
        since, card.process_time = card.process_time, int((time.time() - 1) * 1e6)
        found = self._guarded(card, _PROCESSES, lambda handle: read_processes(handle, since))
        return None if found is None else tuple(found)


_PROCESSES = Reader(read=lambda handle: {})


def _trouble(error: pynvml.NVMLError, otherwise: Trouble) -> Trouble:
    if error.value == pynvml.NVML_ERROR_NO_PERMISSION:
        return "no_permission"
    return _WHOLE_DRIVER.get(error.value, otherwise)


def _instances(handle: Any) -> list[Any]:
    found = []
    with contextlib.suppress(pynvml.NVMLError):
        if pynvml.nvmlDeviceGetMigMode(handle)[0]:
            for number in range(pynvml.nvmlDeviceGetMaxMigDeviceCount(handle)):
                with contextlib.suppress(pynvml.NVMLError):
                    found.append(pynvml.nvmlDeviceGetMigDeviceHandleByIndex(handle, number))
    return found


def _text(ask: Callable[[Any], str], handle: Any) -> str | None:
    # the binding's decorator insists on UTF-8; the function inside gives the bytes
    if handle is None:
        return None
    bare: Callable[[Any], bytes | str] = getattr(ask, "__wrapped__", ask)
    try:
        answer = bare(handle)
    except (pynvml.NVMLError, ValueError):
        return None
    return decode_line(answer) if isinstance(answer, bytes) else answer


def _pci_address(handle: Any) -> str | None:
    if handle is None:
        return None
    try:
        pci = pynvml.nvmlDeviceGetPciInfo_v3(handle)
    except (pynvml.NVMLError, ValueError):
        return None
    return f"{pci.domain:04x}:{pci.bus:02x}:{pci.device:02x}.0"
