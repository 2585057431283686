"""Which smoke test runs where, and where it must end up."""

from __future__ import annotations

from typing import Literal, get_args

from gpu_assistant.base.model import Value
from gpu_assistant.detect.report import DriverState, SystemReport

# "any": whatever is there. "gpu": a card of any kind, never the processor.
Expectation = Literal["any", "gpu", "cuda", "rocm", "xpu", "mps", "cpu"]


class SmokeSpec(Value, frozen=True, kw_only=True):
    """One smoke test to run. What is None, the test chooses itself."""

    framework: str
    test: str
    python: str  # the interpreter of the environment
    expect: Expectation = "any"
    device_index: int | None = None
    seconds: float | None = None  # of training
    steps: int | None = None  # of training; overrides `seconds`
    seed: int = 0
    batch_scale: float = 1.0


def expectation(build: str | None, report: SystemReport | None = None) -> Expectation:
    """Where training must run: by the installed build's tag, else by the cards that this computer has.

    An unknown build on a computer whose NVIDIA driver works must use the card: that is how a CPU build is caught.
    """
    if build:
        for prefix, kind in _BUILDS:
            if build.startswith(prefix):
                return kind
    if report is not None and report.driver is not None and report.driver.state is DriverState.WORKING:
        return "gpu"
    return "any"


def read_device(text: str) -> tuple[Expectation | None, int | None]:
    """ "cuda:1" as (what it must be, which one); "auto" leaves both open. Raises `ValueError`."""
    kind, _, number = text.partition(":")
    index = int(number) if number else None
    if kind == "auto" and index is None:
        return None, None
    for known in get_args(Expectation):
        if kind == known and (index is None or (index >= 0 and known not in ("any", "cpu", "mps"))):
            return known, index
    raise ValueError(f"{text} is no device")


_BUILDS: tuple[tuple[str, Expectation], ...] = (
    ("cu", "cuda"),
    ("rocm", "rocm"),
    ("xpu", "xpu"),
    ("mps", "mps"),
    ("cpu", "cpu"),
)
