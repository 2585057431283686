"""What is known about this computer. Unknown is `None`; trouble is a note; sizes are bytes."""

from __future__ import annotations

import enum
from typing import Literal

from gpu_assistant.base.message import Message
from gpu_assistant.base.model import Value

Os = Literal["windows", "linux", "wsl", "macos", "other"]
Vendor = Literal["nvidia", "amd", "intel", "apple", "other"]


class Outcome(enum.StrEnum):
    """How asking one source ended."""

    OK = "ok"
    ABSENT = "absent"  # the source does not exist here: no library, no command, no file
    REFUSED = "refused"  # it exists and said no: permission, not supported
    TIMED_OUT = "timed_out"
    FAILED = "failed"  # it answered with an error or with nonsense


class ProbeNote(Value, frozen=True, kw_only=True):
    """How one source answered. `detail` is raw English for people who dig, never for decisions."""

    source: str
    outcome: Outcome
    detail: str = ""
    seconds: float = 0.0


class DriverState(enum.StrEnum):
    """What the NVIDIA driver says when it is asked."""

    WORKING = "working"
    MISSING = "missing"  # a card, but no driver installed
    NOT_LOADED = "not_loaded"  # installed, the kernel module does not run
    MISMATCH = "mismatch"  # updated, not restarted: library and kernel module differ
    NOT_RESPONDING = "not_responding"  # asked and no answer within the time limit
    NO_DEVICES = "no_devices"  # runs and finds no usable card
    INACCESSIBLE = "inaccessible"  # works outside, not in here: container, WSL, permission
    UNKNOWN = "unknown"


class Driver(Value, frozen=True, kw_only=True):
    """The NVIDIA driver. `cuda_version` is the newest CUDA runtime it supports, never an installed toolkit."""

    state: DriverState
    version: str | None = None  # "580.88"; in WSL the Windows driver's number
    cuda_version: str | None = None  # "13.0"
    kernel_version: str | None = None
    library_version: str | None = None
    model: str | None = None  # "WDDM", "TCC", "MCDM" on Windows
    sources: dict[str, str] = {}


class PcieLink(Value, frozen=True, kw_only=True):
    """PCI Express generation and lanes; the current ones drop while the card rests."""

    generation: int | None = None
    generation_max: int | None = None
    width: int | None = None
    width_max: int | None = None


class GpuProcess(Value, frozen=True, kw_only=True):
    """A process that holds memory of the card; `vram_bytes` is None where the driver hides it (WDDM)."""

    pid: int
    name: str | None = None
    vram_bytes: int | None = None
    kind: Literal["compute", "graphics", "both"] | None = None


class MigInstance(Value, frozen=True, kw_only=True):
    """One part of a card that is divided (MIG)."""

    name: str  # "1g.10gb"
    uuid: str | None = None
    vram_total: int | None = None


class Gpu(Value, frozen=True, kw_only=True):
    """One graphics card. `sources` names, per field, where the value comes from."""

    vendor: Vendor
    name: str
    index: int | None = None  # the driver's own number
    uuid: str | None = None
    pci_id: str | None = None  # "10de:2684"
    pci_address: str | None = None  # "0000:01:00.0"
    architecture: str | None = None  # "Ada Lovelace"
    compute_capability: str | None = None  # "8.9"
    gfx: str | None = None  # AMD's "gfx1100"
    vram_total: int | None = None
    vram_used: int | None = None
    integrated: bool | None = None
    external: bool | None = None  # eGPU
    asleep: bool | None = None
    drives_display: bool | None = None
    power_watts: float | None = None
    power_limit_watts: float | None = None
    temperature_c: float | None = None
    pcie: PcieLink | None = None
    mig_enabled: bool | None = None
    mig_instances: tuple[MigInstance, ...] = ()
    ecc_enabled: bool | None = None
    processes: tuple[GpuProcess, ...] | None = None
    driver_version: str | None = None  # of a card that is not NVIDIA's
    sources: dict[str, str] = {}


class System(Value, frozen=True, kw_only=True):
    """Operating system, and the circumstances that change what can be advised."""

    os: Os
    name: str  # "Windows 11 Pro 24H2", "Ubuntu 24.04"
    version: str | None = None
    build: int | None = None  # Windows build number, also of the host in WSL
    machine: str = "x86_64"  # x86_64 | aarch64
    language: str | None = None  # "ru_RU"
    container: str | None = None  # "docker", "podman", "kubernetes", ...
    remote_session: bool | None = None
    wsl_version: int | None = None
    virtual_machine: str | None = None
    laptop: bool | None = None
    long_paths: bool | None = None  # Windows: paths over 260 letters allowed
    home: str | None = None
    secure_boot: bool | None = None
    nouveau_loaded: bool | None = None
    sources: dict[str, str] = {}


class Cpu(Value, frozen=True, kw_only=True):
    """The processor."""

    name: str | None = None
    cores: int | None = None
    threads: int | None = None
    sources: dict[str, str] = {}


class Memory(Value, frozen=True, kw_only=True):
    """RAM and page file (swap), in bytes."""

    ram_total: int | None = None
    ram_available: int | None = None
    pagefile_total: int | None = None
    pagefile_free: int | None = None
    pagefile_limit: int | None = None  # the most it may grow to, 0: switched off; None: Windows decides, or unknown
    sources: dict[str, str] = {}


class Disk(Value, frozen=True, kw_only=True):
    """A drive or mounted file system that can hold an environment."""

    path: str  # "C:\\" or "/"
    total: int | None = None
    free: int | None = None
    filesystem: str | None = None
    kind: Literal["fixed", "removable", "network"] | None = None
    read_only: bool = False
    source: str = ""


class PackageBuild(Value, frozen=True, kw_only=True):
    """An installed package, read from its metadata without importing it."""

    name: str
    version: str  # "2.15.0+cu130"
    build: str | None = None  # "cu130", "cpu", "rocm7.2", "xpu"; None: does not apply or unknown


class PythonEnvironment(Value, frozen=True, kw_only=True):
    """A Python interpreter and the training packages in its site-packages."""

    executable: str
    version: str | None = None  # "3.12.4"
    kind: Literal["system", "venv", "conda", "uv", "store", "pyenv", "ours", "other"] = "other"
    bits: int | None = None
    prefix: str | None = None
    externally_managed: bool | None = None
    packages: tuple[PackageBuild, ...] = ()
    source: str = ""


class Tool(Value, frozen=True, kw_only=True):
    """Something installed beside Python.

    Names: cuda_toolkit, cudnn, docker, nvidia_container_toolkit, wsl, conda, uv, vc_redist.
    """

    name: str
    version: str | None = None
    path: str | None = None
    detail: str | None = None
    source: str = ""


class Finding(Value, frozen=True, kw_only=True):
    """Something worth saying about the facts: sources that disagree, a hybrid laptop, a hidden card."""

    message: Message
    severity: Literal["info", "warning", "problem"] = "info"
    page: str | None = None  # page of Windows where it is looked at (`resources/system_pages.toml`)


class SystemReport(Value, frozen=True, kw_only=True):
    """Everything detection knows. The stable content of `report --json`."""

    schema: int = 1
    made_at: str  # ISO 8601, UTC
    program: str  # version of GPU Assistant
    system: System
    cpu: Cpu = Cpu()
    memory: Memory = Memory()
    disks: tuple[Disk, ...] = ()
    gpus: tuple[Gpu, ...] = ()
    driver: Driver | None = None  # None: no NVIDIA card and no driver
    pythons: tuple[PythonEnvironment, ...] = ()
    tools: tuple[Tool, ...] = ()
    environment: dict[str, str] = {}  # the variables that matter: CUDA_VISIBLE_DEVICES, CUDA_PATH, proxies, ...
    findings: tuple[Finding, ...] = ()
    notes: tuple[ProbeNote, ...] = ()
