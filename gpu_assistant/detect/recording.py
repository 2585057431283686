"""A machine's raw answers in a folder, to be asked again anywhere.

`machine.toml` says what machine it is and holds the platform's facts; `answers.toml` lists every question with its
answer; long answers lie as files under `raw/`, as the tool printed them. A question that is not listed had no answer.
Everything is redacted before it is written.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeVar

from gpu_assistant.base.message import Message, message
from gpu_assistant.base.model import Value
from gpu_assistant.base.resources import BadData, read_toml
from gpu_assistant.detect.facts import DiskFacts, PlatformFacts
from gpu_assistant.detect.gateways import ABSENT, Answer, Gateways, Live, RegistryKey, matching
from gpu_assistant.detect.report import Outcome

T = TypeVar("T")


class Machine(Value, frozen=True, kw_only=True):
    """`machine.toml`."""

    title: str
    origin: Literal["documentation", "real"]  # built from documented output, or recorded on the machine
    date: str
    sources: tuple[str, ...] = ()
    facts: PlatformFacts = PlatformFacts()
    environment: dict[str, str] = {}
    disk: tuple[DiskFacts, ...] = ()


class Stored(Value, frozen=True, kw_only=True):
    """One answer; `raw` names a file under `raw/` that holds the output instead of `text`."""

    argv: tuple[str, ...] = ()  # of a command
    path: str = ""  # of a file
    outcome: Outcome = Outcome.OK
    exit_code: int | None = None
    text: str = ""
    error: str = ""
    detail: str = ""
    raw: str = ""


class StoredFolder(Value, frozen=True, kw_only=True):
    """The names that a folder holds."""

    path: str
    names: tuple[str, ...] = ()


class StoredKey(Value, frozen=True, kw_only=True):
    """One registry key."""

    key: str
    subkeys: tuple[str, ...] = ()
    values: dict[str, str | int | list[str]] = {}


class Answers(Value, frozen=True, kw_only=True):
    """`answers.toml`."""

    nvml: Stored | None = None
    pci_devices: Stored | None = None
    command: tuple[Stored, ...] = ()
    file: tuple[Stored, ...] = ()
    folder: tuple[StoredFolder, ...] = ()
    link: dict[str, str] = {}  # path that exists -> where it leads
    registry: tuple[StoredKey, ...] = ()


class NotARecording(Exception):
    """The folder holds no readable `machine.toml`."""

    def __init__(self, text: Message) -> None:
        self.message = text
        super().__init__(text.id)


class Replay:
    """Answers from a folder. A damaged part of it answers nothing; `trouble` says so."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.trouble: tuple[str, ...] = ()
        self.machine = self._load("machine.toml", Machine) or Machine(title="", origin="documentation", date="")
        self._answers = self._load("answers.toml", Answers) or Answers()

    def stop(self) -> None:
        """Nothing runs here."""

    def facts(self) -> PlatformFacts:
        return self.machine.facts

    def disks(self) -> tuple[DiskFacts, ...]:
        return self.machine.disk

    def environment(self) -> Mapping[str, str]:
        return self.machine.environment

    def run(self, argv: Sequence[str], timeout: float) -> Answer:
        return self._answer(self._commands.get((self._key(argv[0]), *argv[1:])))

    def nvml(self, timeout: float) -> Answer:
        return self._answer(self._answers.nvml)

    def read(self, path: str) -> Answer:
        return self._answer(self._files.get(self._key(path)))

    def names(self, folder: str, *patterns: str) -> tuple[str, ...] | None:
        names = self._folders.get(self._key(folder))
        return None if names is None else matching(names, patterns)

    def resolve(self, path: str) -> str | None:
        return self._links.get(self._key(path))

    def registry(self, key: str) -> RegistryKey | None:
        return self._keys.get(key.casefold())

    def pci_devices(self) -> Answer:
        return self._answer(self._answers.pci_devices)

    @functools.cached_property
    def _commands(self) -> dict[tuple[str, ...], Stored]:
        return {(self._key(row.argv[0]), *row.argv[1:]): row for row in self._answers.command if row.argv}

    @functools.cached_property
    def _files(self) -> dict[str, Stored]:
        return {self._key(stored.path): stored for stored in self._answers.file}

    @functools.cached_property
    def _folders(self) -> dict[str, tuple[str, ...]]:
        return {self._key(folder.path): folder.names for folder in self._answers.folder}

    @functools.cached_property
    def _links(self) -> dict[str, str]:
        return {self._key(path): target for path, target in self._answers.link.items()}

    @functools.cached_property
    def _keys(self) -> dict[str, RegistryKey]:
        return {
            row.key.casefold(): RegistryKey(subkeys=row.subkeys, values=row.values) for row in self._answers.registry
        }

    def _key(self, path: str) -> str:
        return path.casefold() if self.machine.facts.system == "windows" else path

    def _answer(self, stored: Stored | None) -> Answer:
        if stored is None:
            return ABSENT
        out = stored.text.encode()
        if stored.raw:
            try:
                out = (self.folder / "raw" / Path(stored.raw).name).read_bytes()
            except OSError as error:
                return Answer(outcome=Outcome.FAILED, detail=str(error))
        return Answer(
            outcome=stored.outcome,
            out=out,
            err=stored.error.encode(),
            exit_code=stored.exit_code,
            detail=stored.detail,
        )

    def _load(self, name: str, type_: type[T]) -> T | None:
        try:
            return read_toml(self.folder / name, type_)
        except BadData as error:
            self.trouble = (*self.trouble, str(error))
            return None


def open_gateways(replay: Path | None) -> Gateways:
    """This computer, or the recording in a folder. Raises `NotARecording`."""
    if replay is None:
        return Live()
    if not (replay / "machine.toml").is_file():
        raise NotARecording(message("detect-not-a-recording", folder=str(replay)))
    return Replay(replay)
