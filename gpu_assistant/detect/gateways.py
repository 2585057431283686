"""The one door to the machine. What is behind it understands nothing: it hands out bytes, names and numbers.

`Live` asks this computer, `recording.Replay` answers from a folder, `recording.Recorder` writes such a folder.
"""

from __future__ import annotations

import fnmatch
import functools
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from gpu_assistant.base.child import ChildError, child_environment, run_child
from gpu_assistant.base.job import JobContext
from gpu_assistant.base.model import Value, to_json
from gpu_assistant.base.self_command import self_command
from gpu_assistant.detect.facts import DiskFacts, PlatformFacts, read_disks, read_facts
from gpu_assistant.detect.report import Outcome

if sys.platform == "win32":
    from gpu_assistant.detect import windows_api

MAX_FILE = 1 << 20

# Only these variables are ever looked at, so only these can end up in a recording.
VARIABLES = (
    "CUDA_*",
    "NVIDIA_*",
    "HIP_*",
    "ROCR_*",
    "HSA_OVERRIDE_*",
    "PYTORCH_*",
    "TORCH_CUDA_ARCH_LIST",
    "XLA_*",
    "TF_FORCE_*",
    "TF_ENABLE_*",
    "LD_LIBRARY_PATH",
    "*_PROXY",
    "PIP_*",
    "UV_*",
    "CONDA_*",
    "MAMBA_ROOT_PREFIX",
    "PYENV_ROOT",
    "WORKON_HOME",
    "PYTHONHOME",
    "PYTHONPATH",
    "VIRTUAL_ENV",
    "SSL_CERT_FILE",
    "REQUESTS_CA_BUNDLE",
    "PATH",
    "LANG",
    "LOCALAPPDATA",
    "APPDATA",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "SYSTEMROOT",
    "XDG_DATA_HOME",
    "XDG_SESSION_TYPE",
    "SESSIONNAME",
    "SSH_CONNECTION",
    "XRDP_SESSION",
    "WSL_DISTRO_NAME",
    "WSL_INTEROP",
    "KUBERNETES_SERVICE_HOST",
    "container",
    "COLAB_GPU",
    "KAGGLE_KERNEL_RUN_TYPE",
)
# of those, never the ones that hold a key to something: UV_PUBLISH_TOKEN, NVIDIA_API_KEY
_SECRETS = ("PASSWORD", "TOKEN", "SECRET", "KEY", "USERNAME", "CREDENTIAL")


class Answer(Value, frozen=True, kw_only=True):
    """What one question brought: bytes, how it ended, and a raw word of explanation."""

    outcome: Outcome = Outcome.OK
    out: bytes = b""
    err: bytes = b""
    exit_code: int | None = None
    detail: str = ""

    @property
    def text(self) -> str:
        """The output as text, for what is known to be UTF-8."""
        return self.out.decode("utf-8", "replace")


ABSENT = Answer(outcome=Outcome.ABSENT)


class RegistryKey(Value, frozen=True, kw_only=True):
    """A key of the Windows registry. Bytes are "hex:0011"; the nameless value has the name ""."""

    subkeys: tuple[str, ...] = ()
    values: dict[str, str | int | list[str]] = {}


class Gateways(Protocol):
    """Every question that detection may ask. Nothing here raises except `Cancelled`."""

    def stop(self) -> None:
        """Ends what still runs; nothing is asked after this."""
        ...

    def facts(self) -> PlatformFacts: ...

    def disks(self) -> tuple[DiskFacts, ...]: ...

    def environment(self) -> Mapping[str, str]:
        """The variables that matter (`VARIABLES`), names as the system spells them."""
        ...

    def run(self, argv: Sequence[str], timeout: float) -> Answer:
        """Runs a command that only looks; `out` is UTF-8 whatever the console wrote."""
        ...

    def nvml(self, timeout: float) -> Answer:
        """What the NVIDIA driver library says, as JSON (`nvml.NvmlDump`), asked in a child that can be ended."""
        ...

    def read(self, path: str) -> Answer:
        """The first MiB of a file."""
        ...

    def names(self, folder: str, *patterns: str) -> tuple[str, ...] | None:
        """Sorted names in a folder that match one of the patterns (all without any); None: no such folder."""
        ...

    def resolve(self, path: str) -> str | None:
        """The path with links followed; None: does not exist."""
        ...

    def registry(self, key: str) -> RegistryKey | None: ...

    def pci_devices(self) -> Answer:
        """On Windows, the PCI devices that are plugged in: JSON `[{"id": ..., "problem": ...}]`."""
        ...


class Live:
    """This computer, as it is when it is first asked: make another one to look again."""

    def __init__(self, ctx: JobContext | None = None) -> None:
        self._ctx = ctx or JobContext()

    def stop(self) -> None:
        self._ctx.cancel()

    def facts(self) -> PlatformFacts:
        return self._facts

    def disks(self) -> tuple[DiskFacts, ...]:
        return read_disks()

    def environment(self) -> Mapping[str, str]:
        return self._environment

    @functools.cached_property
    def _facts(self) -> PlatformFacts:
        return read_facts()

    @functools.cached_property
    def _environment(self) -> Mapping[str, str]:
        return {name: value for name, value in os.environ.items() if _matters(name)}

    def run(self, argv: Sequence[str], timeout: float) -> Answer:
        # WSL's own program writes UTF-16 unless told otherwise; messages in English are what parsers know
        environment = child_environment({"WSL_UTF8": "1", "LC_ALL": "C"})
        try:
            finished = run_child(argv, self._ctx, environment=environment, timeout=timeout)
        except ChildError as error:
            missing = isinstance(error.__cause__, FileNotFoundError)
            return Answer(outcome=Outcome.ABSENT if missing else Outcome.REFUSED, detail=str(error))
        except TimeoutError:
            return Answer(outcome=Outcome.TIMED_OUT, detail=f"no answer in {timeout:g} s")
        return Answer(
            outcome=Outcome.OK if finished.exit_code == 0 else Outcome.FAILED,
            out="\n".join(finished.out).encode(),
            err="\n".join(finished.err).encode(),
            exit_code=finished.exit_code,
        )

    def nvml(self, timeout: float) -> Answer:
        return self.run(self_command("gpu_assistant.detect.nvml_child"), timeout)

    def read(self, path: str) -> Answer:
        try:
            with Path(path).open("rb") as file:
                return Answer(out=file.read(MAX_FILE))
        except (FileNotFoundError, NotADirectoryError):
            return ABSENT
        except PermissionError as error:
            return Answer(outcome=Outcome.REFUSED, detail=str(error))
        except (OSError, ValueError) as error:
            return Answer(outcome=Outcome.FAILED, detail=str(error))

    def names(self, folder: str, *patterns: str) -> tuple[str, ...] | None:
        try:
            names = [entry.name for entry in os.scandir(folder)]
        except (OSError, ValueError):
            return None
        return matching(names, patterns)

    def resolve(self, path: str) -> str | None:
        try:
            return str(Path(path).resolve(strict=True))
        except (OSError, ValueError, RuntimeError):
            # a link of the Microsoft Store cannot be followed, and is there all the same
            return path if os.path.lexists(path) and sys.platform == "win32" else None

    def registry(self, key: str) -> RegistryKey | None:
        if sys.platform == "win32":
            try:
                found = windows_api.read_key(key)
            except OSError:
                return None
            return None if found is None else RegistryKey(subkeys=tuple(found[0]), values=found[1])
        return None

    def pci_devices(self) -> Answer:
        if sys.platform == "win32":
            try:
                return Answer(out=to_json(windows_api.present_pci_devices()))
            except (OSError, AttributeError) as error:
                return Answer(outcome=Outcome.FAILED, detail=str(error))
        return ABSENT


def matching(names: Sequence[str], patterns: Sequence[str]) -> tuple[str, ...]:
    """The names that match one of the patterns, letter case ignored, sorted."""
    if not patterns:
        return tuple(sorted(names))
    lowered = [pattern.lower() for pattern in patterns]
    return tuple(sorted(name for name in names if any(fnmatch.fnmatchcase(name.lower(), low) for low in lowered)))


def _matters(name: str) -> bool:
    upper = name.upper()
    if any(word in upper for word in _SECRETS):
        return False
    return any(fnmatch.fnmatchcase(upper, pattern.upper()) for pattern in VARIABLES)
