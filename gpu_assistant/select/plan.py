"""What selection says: a verdict, options with reasons, and a plan that can be shown and run."""

from __future__ import annotations

import enum
import hashlib

import msgspec

from gpu_assistant.base.message import Message
from gpu_assistant.base.model import Value, to_json


class Status(enum.StrEnum):
    """The verdict in one word."""

    READY = "ready"
    DRIVER_NEEDED = "driver_needed"
    CPU_ONLY = "cpu_only"
    UNSUPPORTED = "unsupported"
    UNKNOWN = "unknown"


class Option(Value, frozen=True, kw_only=True):
    """One way to install, best first. `id` is stable: "cu130", "cu126", "cpu", "rocm7.2", "xpu", "mps"."""

    id: str
    title: Message
    reasons: tuple[Message, ...] = ()
    recommended: bool = False
    gpus: tuple[int, ...] = ()  # places in `SystemReport.gpus` that this option serves


class BlockedOption(Value, frozen=True, kw_only=True):
    """A way that is closed here, and why; stays visible."""

    id: str
    title: Message
    reason: Message


class Verdict(Value, frozen=True, kw_only=True):
    """What this computer can do with one framework, in one sentence, with reasons."""

    status: Status
    framework: str
    sentence: Message
    reasons: tuple[Message, ...] = ()
    options: tuple[Option, ...] = ()
    blocked: tuple[BlockedOption, ...] = ()
    next_steps: tuple[Message, ...] = ()  # what to do outside the program: install a driver, restart, ...


class ShellText(Value, frozen=True, kw_only=True):
    """The same command as a person would type it."""

    cmd: str
    powershell: str
    bash: str


class Step(Value, frozen=True, kw_only=True):
    """One command of a plan. `argv[0]` is "uv" for the uv that travels with us, else a real path or name."""

    id: str  # "environment", "install", "verify", "uninstall", ...
    purpose: Message
    argv: tuple[str, ...]
    environment: dict[str, str] = {}
    shell: ShellText


class InstallPlan(Value, frozen=True, kw_only=True):
    """Steps from nothing to a verified environment. Only a plan whose id was accepted runs."""

    framework: str
    option: str  # id of the option it carries out
    build: str  # "cu130", "cpu", ...: the tag that the installed package must carry
    packages: tuple[str, ...]  # requirements: "torch==2.14.1"
    index_url: str | None = None
    python: str  # "3.12"
    target: str  # folder of the environment
    tool: str = "uv"  # uv | pip | conda: who carries it out
    steps: tuple[Step, ...]
    commands: dict[str, tuple[ShellText, ...]] = {}  # the same plan for "uv", "pip", "conda", to type by hand
    download_bytes: int | None = None
    disk_bytes: int | None = None
    warnings: tuple[Message, ...] = ()
    hosts: tuple[str, ...] = ()  # what the network must reach, beside the installer's own default index
    verify_imports: tuple[str, ...] = ()  # modules that must import afterwards
    build_package: str = ""  # the package whose local version must carry `build` ("torch"); empty: none carries a tag
    companion: str = ""  # a package without which the GPU part is lost ("jax-cuda13-plugin")

    @property
    def id(self) -> str:
        """The hash of the content: any change gives another id."""
        return hashlib.sha256(to_json(self)).hexdigest()[:16]

    def to_builtins(self) -> dict[str, object]:
        """The plan with its id, for JSON."""
        return {"id": self.id, **msgspec.to_builtins(self)}
