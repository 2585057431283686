"""The recordings, and a machine built from a few answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from gpu_assistant.base.job import JobContext
from gpu_assistant.detect.collect import collect
from gpu_assistant.detect.facts import DiskFacts, PlatformFacts
from gpu_assistant.detect.gateways import ABSENT, Answer, Gateways, RegistryKey, matching
from gpu_assistant.detect.report import SystemReport

RECORDINGS = Path(__file__).parents[1] / "recordings"
NAMES = sorted(path.name for path in RECORDINGS.iterdir() if (path / "machine.toml").is_file())
NOW = "2026-12-01T00:00:00Z"


def report_of(io: Gateways) -> SystemReport:
    return collect(io, JobContext(), now=NOW)


class FakeMachine:
    """Answers from dictionaries; what is not in them does not exist."""

    def __init__(
        self,
        *,
        facts: PlatformFacts | None = None,
        environment: Mapping[str, str] | None = None,
        files: Mapping[str, str | bytes] | None = None,
        folders: Mapping[str, Sequence[str]] | None = None,
        links: Mapping[str, str] | None = None,
        keys: Mapping[str, RegistryKey] | None = None,
        commands: Mapping[tuple[str, ...], Answer] | None = None,
        nvml: Answer = ABSENT,
        pci: Answer = ABSENT,
    ) -> None:
        self._facts = facts or PlatformFacts(system="linux", home="/home/anna")
        self._environment = environment or {}
        self._files = files or {}
        self._folders = folders or {}
        self._links = links or {}
        self._keys = keys or {}
        self._commands = commands or {}
        self._nvml = nvml
        self._pci = pci
        self.asked: list[tuple[str, ...]] = []
        self.stopped = False

    def stop(self) -> None:
        self.stopped = True

    def facts(self) -> PlatformFacts:
        return self._facts

    def disks(self) -> tuple[DiskFacts, ...]:
        return ()

    def environment(self) -> Mapping[str, str]:
        return self._environment

    def run(self, argv: Sequence[str], timeout: float) -> Answer:
        self.asked.append(tuple(argv))
        return self._commands.get(tuple(argv), ABSENT)

    def nvml(self, timeout: float) -> Answer:
        return self._nvml

    def read(self, path: str) -> Answer:
        content = self._files.get(path)
        if content is None:
            return ABSENT
        return Answer(out=content.encode() if isinstance(content, str) else content)

    def names(self, folder: str, *patterns: str) -> tuple[str, ...] | None:
        names = self._folders.get(folder)
        return None if names is None else matching(names, patterns)

    def resolve(self, path: str) -> str | None:
        return self._links.get(path)

    def registry(self, key: str) -> RegistryKey | None:
        return self._keys.get(key)

    def pci_devices(self) -> Answer:
        return self._pci
