"""Lets a laptop's card sleep: asking NVML wakes it, asking the system for its power state does not."""

from __future__ import annotations

import contextlib
from pathlib import Path

from gpu_assistant.base.model import Value

PCI_DEVICES = Path("/sys/bus/pci/devices")
_NVIDIA = "0x10de"
_DISPLAY = "0x03"


class PowerState(Value, frozen=True, kw_only=True):
    """What the system says of one NVIDIA card without touching it."""

    address: str
    asleep: bool
    may_sleep: bool  # the system switches it off when nobody uses it


def power_states(root: Path = PCI_DEVICES) -> tuple[PowerState, ...]:
    """Every NVIDIA card's power state, from Linux' sysfs; none where the system does not tell."""
    found = []
    with contextlib.suppress(OSError):
        for device in sorted(root.iterdir()):
            if _read(device / "vendor") == _NVIDIA and _read(device / "class").startswith(_DISPLAY):
                found.append(
                    PowerState(
                        address=device.name,
                        asleep=_read(device / "power/runtime_status") == "suspended",
                        may_sleep=_read(device / "power/control") == "auto",
                    )
                )
    return tuple(found)


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except (OSError, UnicodeDecodeError):
        return ""


class SleepKeeper:
    """Decides before each pass whether the cards may be asked. All times in seconds of one clock.

    A card that idled for `idle` seconds and is allowed to sleep is left alone; if it has not fallen asleep after
    `patience` seconds, something else keeps it awake, and it is asked again for `insist` seconds.
    """

    def __init__(self, *, idle: float = 30.0, patience: float = 20.0, insist: float = 600.0) -> None:
        self._idle = idle
        self._patience = patience
        self._insist = insist
        self._idle_since: float | None = None
        self._left_alone_since: float | None = None
        self._insist_until = 0.0
        self._asleep = False

    def may_ask(self, states: tuple[PowerState, ...], now: float) -> bool:
        """Whether asking NVML now disturbs nobody's sleep."""
        if not states or not all(state.may_sleep or state.asleep for state in states):
            return True
        slept, self._asleep = self._asleep, all(state.asleep for state in states)
        if self._asleep:
            return False
        if slept:
            # woken by somebody who uses it
            self._left_alone_since = self._idle_since = None
            return True
        if self._left_alone_since is None:
            return self._may_go_on(now)
        if now - self._left_alone_since <= self._patience:
            return False
        self._left_alone_since = self._idle_since = None
        self._insist_until = now + self._insist
        return True

    def saw(self, *, busy: bool, now: float) -> None:
        """Tells how the cards were found in a pass."""
        if busy:
            self._idle_since = None
        elif self._idle_since is None:
            self._idle_since = now

    def _may_go_on(self, now: float) -> bool:
        if self._idle_since is None or now < self._insist_until or now - self._idle_since < self._idle:
            return True
        self._left_alone_since = now
        return False
