"""What the system report says that tells look-alikes apart, as named flags and as words to fill into sentences."""

from __future__ import annotations

from collections.abc import Callable

from gpu_assistant.base.model import Value
from gpu_assistant.detect.report import DriverState, Gpu, PackageBuild, PythonEnvironment, SystemReport
from gpu_assistant.select.cards import here, runs_code
from gpu_assistant.select.catalogue import card_facts, frameworks
from gpu_assistant.troubleshoot.environment import failed_environment
from gpu_assistant.troubleshoot.evidence import Evidence

GIB = 1 << 30


class Facts(Value, frozen=True, kw_only=True):
    """`flags` are ids of `shared.toml` that hold; `words` fill holes such as `{card}`, `{driver}`, `{build}`."""

    flags: frozenset[str] = frozenset()
    words: dict[str, str] = {}


def facts_of(evidence: Evidence) -> Facts:
    """Flags and words of the report inside the evidence; without a report only the system that the text shows."""
    if evidence.report is None:
        return Facts(flags=_system_of(evidence.text))
    python = failed_environment(evidence) if evidence.environment else _only_one(evidence.report)
    view = _View(evidence.report, python)
    return Facts(flags=frozenset(name for name, holds in _FLAGS.items() if holds(view)), words=view.words())


# A text that names things of exactly one system comes from there.
_SIGNS = {
    "windows": ("\\Users\\", ":\\", "win_amd64", "WinError", "cmd.exe", "PowerShell", ".exe"),
    "linux": ("/home/", "/usr/lib", "/usr/local/", "manylinux", "linux_x86_64", "/opt/conda", "sudo "),
    "wsl": ("/mnt/c/", "WSL2", "microsoft-standard", "/usr/lib/wsl"),
    "macos": ("/Users/", "macosx_", "darwin", "/opt/homebrew"),
}
_SIGNS_WITHIN = 200_000  # characters


def _system_of(text: str) -> frozenset[str]:
    start = text[:_SIGNS_WITHIN]
    seen = {system for system, signs in _SIGNS.items() if any(sign in start for sign in signs)}
    if "wsl" in seen:
        seen -= {"linux", "windows"}
    return frozenset(seen if len(seen) == 1 else ())


class _View:
    """The report with the questions that several flags ask."""

    def __init__(self, report: SystemReport, python: PythonEnvironment | None) -> None:
        self.report = report
        self.system = report.system
        self.nvidia = tuple(gpu for gpu in report.gpus if gpu.vendor == "nvidia")
        self.driver = report.driver
        self.python = python
        packages = python.packages if python else ()
        self.packages = {package.name.lower(): package for package in packages}

    @property
    def torch(self) -> PackageBuild | None:
        return self.packages.get("torch")

    def driver_is(self, state: DriverState) -> bool:
        return self.driver is not None and self.driver.state is state

    def torch_build(self) -> str:
        if self.torch is None:
            return ""
        return self.torch.build or self.torch.version.partition("+")[2]

    def pagefile(self) -> int:
        """Bytes that it may grow to where that is limited, else its size now."""
        memory = self.report.memory
        if memory.pagefile_limit is not None:
            return memory.pagefile_limit
        return memory.pagefile_total or 1 << 60

    def build_cuda(self) -> tuple[int, int] | None:
        """(13, 0) for "cu130"."""
        build = self.torch_build()
        digits = build.removeprefix("cu")
        return (
            (int(digits[:-1]), int(digits[-1]))
            if build.startswith("cu") and digits.isdigit() and len(digits) > 1
            else None
        )

    def driver_too_old(self) -> bool:
        """Within one CUDA major version an older driver is enough; a newer major version needs a newer driver."""
        build, text = self.build_cuda(), self.driver.cuda_version if self.driver else None
        return build is not None and text is not None and _numbers(text)[:1] < build[:1]

    def driver_too_old_for_card(self) -> bool:
        """RTX 50 and later need CUDA 12.8, whatever build is installed."""
        text = self.driver.cuda_version if self.driver else None
        newest = [_numbers(gpu.compute_capability) >= (10, 0) for gpu in self.nvidia if gpu.compute_capability]
        return any(newest) and text is not None and _numbers(text) < (12, 8)

    def outside_build(self, *, older: bool) -> bool:
        """Whether a card is too old, or too new, for every chip that the build holds code for."""
        codes = self.codes()
        capabilities = [_numbers(gpu.compute_capability) for gpu in self.nvidia if gpu.compute_capability]
        outside = [one for one in capabilities if not any(runs_code(code, one, card_facts()) for code in codes)]
        held = [_numbers(code) for code in codes]
        return bool(held) and any(one < min(held) if older else one > max(held) for one in outside)

    def codes(self) -> tuple[str, ...]:
        """The compute capabilities inside the installed torch; of a release that is not known, its index's first."""
        if self.torch is None or self.build_cuda() is None:
            return ()
        pytorch, path, platform = frameworks()["pytorch"], self.torch_build(), here(self.report).platform
        row = pytorch.code_for(path, platform, self.torch.version)
        known = (row for row in pytorch.code if row.path == path and platform in row.platforms)
        row = row or next(known, None)
        return row.sm if row is not None else ()

    def hidden(self) -> bool:
        value = self.report.environment.get("CUDA_VISIBLE_DEVICES")
        if value is None:
            return False
        first = value.split(",")[0].strip()
        return (
            not first
            or first[0] in "\"'-"
            or (first.isdigit() and bool(self.nvidia) and int(first) >= len(self.nvidia))
        )

    def busy(self) -> bool:
        return any(gpu.vram_total and (gpu.vram_used or 0) > 0.5 * gpu.vram_total for gpu in self.nvidia)

    def words(self) -> dict[str, str]:
        card: Gpu | None = self.nvidia[0] if self.nvidia else self.report.gpus[0] if self.report.gpus else None
        found = {
            "card": card.name if card else None,
            "capability": card.compute_capability if card else None,
            "vram_gib": f"{card.vram_total / GIB:.0f}" if card and card.vram_total else None,
            "driver": self.driver.version if self.driver else None,
            "driver_cuda": self.driver.cuda_version if self.driver else None,
            "build": self.torch_build() or None,
            "torch": self.torch.version if self.torch else None,
            "python": self.python.version if self.python else None,
            "environment": self.python.executable if self.python else None,
            "system": self.system.name,
            "visible": self.report.environment.get("CUDA_VISIBLE_DEVICES"),
        }
        return {name: value for name, value in found.items() if value is not None}


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".") if part.isdigit())


def _only_one(report: SystemReport) -> PythonEnvironment | None:
    """Nobody told where the failure happened: the only environment with a framework in it."""
    with_framework = [
        python
        for python in report.pythons
        if any(package.name in ("torch", "tensorflow", "jax") for package in python.packages)
    ]
    return with_framework[0] if len(with_framework) == 1 else None


_FLAGS: dict[str, Callable[[_View], bool]] = {
    "windows": lambda view: view.system.os == "windows",
    "linux": lambda view: view.system.os == "linux",
    "wsl": lambda view: view.system.os == "wsl",
    "wsl_1": lambda view: view.system.os == "wsl" and view.system.wsl_version == 1,
    "macos": lambda view: view.system.os == "macos",
    "container": lambda view: bool(view.system.container),
    "old_windows": lambda view: view.system.os in ("windows", "wsl") and (view.system.build or 99999) < 19044,
    "long_paths_off": lambda view: view.system.os == "windows" and view.system.long_paths is False,
    "nouveau_loaded": lambda view: view.system.nouveau_loaded is True,
    "secure_boot": lambda view: view.system.secure_boot is True,
    "torch_cpu_build": lambda view: view.torch_build() == "cpu",
    "torch_cuda_build": lambda view: view.build_cuda() is not None,
    "torch_rocm_build": lambda view: view.torch_build().startswith("rocm"),
    "torch_absent": lambda view: view.python is not None and view.torch is None,
    "jax_without_plugin": lambda view: (
        "jax" in view.packages and not any("cuda" in name for name in view.packages if name.startswith("jax"))
    ),
    "python_32bit": lambda view: view.python is not None and view.python.bits == 32,
    "no_nvidia_card": lambda view: not view.nvidia,
    "amd_card": lambda view: any(gpu.vendor == "amd" and not gpu.integrated for gpu in view.report.gpus),
    "intel_card": lambda view: any(gpu.vendor == "intel" for gpu in view.report.gpus),
    "dropped_card": lambda view: any(
        _numbers(gpu.compute_capability) < (7, 5) for gpu in view.nvidia if gpu.compute_capability
    ),
    "gpu_hidden": _View.hidden,
    "gpu_busy": _View.busy,
    "driver_working": lambda view: view.driver_is(DriverState.WORKING),
    "driver_missing": lambda view: view.driver_is(DriverState.MISSING) or (view.driver is None and bool(view.nvidia)),
    "driver_not_loaded": lambda view: view.driver_is(DriverState.NOT_LOADED),
    "driver_mismatch": lambda view: view.driver_is(DriverState.MISMATCH),
    "driver_no_devices": lambda view: view.driver_is(DriverState.NO_DEVICES),
    "driver_inaccessible": lambda view: view.driver_is(DriverState.INACCESSIBLE),
    "driver_too_old": _View.driver_too_old,
    "driver_too_old_for_card": _View.driver_too_old_for_card,
    "card_older_than_build": lambda view: view.outside_build(older=True),
    "card_newer_than_build": lambda view: view.outside_build(older=False),
    "ram_low": lambda view: (view.report.memory.ram_available or 1 << 60) < 2 * GIB,
    "pagefile_small": lambda view: view.system.os == "windows" and view.pagefile() < 8 * GIB,
    "disk_low": lambda view: any(
        (disk.free if disk.free is not None else 1 << 60) < 3 * GIB for disk in view.report.disks if not disk.read_only
    ),
}

FLAGS = tuple(_FLAGS)
