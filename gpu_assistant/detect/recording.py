"""A machine's raw answers in a folder, to be asked again anywhere.

`machine.toml` says what machine it is and holds the platform's facts; `answers.toml` lists every question with its
answer; long answers lie as files under `raw/`, as the tool printed them. A question that is not listed had no answer.
Everything is redacted before it is written.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from gpu_assistant.base.files import write_atomic
from gpu_assistant.base.message import Message, message
from gpu_assistant.base.model import Value
from gpu_assistant.base.resources import BadData, read_toml
from gpu_assistant.detect.facts import DiskFacts, PlatformFacts
from gpu_assistant.detect.gateways import ABSENT, Answer, Gateways, Live, RegistryKey, matching
from gpu_assistant.detect.privacy import Redactor
from gpu_assistant.detect.report import Outcome

_INLINE = 200  # longer answers become files of their own

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


class Recorder:
    """Passes questions on and keeps the answers. Thread-safe, as single dictionary writes are."""

    def __init__(self, wrapped: Gateways) -> None:
        self._io = wrapped
        self._commands: dict[tuple[str, ...], Answer] = {}
        self._files: dict[str, Answer] = {}
        self._folders: dict[str, set[str]] = {}
        self._links: dict[str, str] = {}
        self._keys: dict[str, RegistryKey] = {}
        self._nvml: Answer | None = None
        self._pci: Answer | None = None

    def stop(self) -> None:
        self._io.stop()

    def facts(self) -> PlatformFacts:
        return self._io.facts()

    def disks(self) -> tuple[DiskFacts, ...]:
        return self._io.disks()

    def environment(self) -> Mapping[str, str]:
        return self._io.environment()

    def run(self, argv: Sequence[str], timeout: float) -> Answer:
        answer = self._commands[tuple(argv)] = self._io.run(argv, timeout)
        return answer

    def nvml(self, timeout: float) -> Answer:
        self._nvml = self._io.nvml(timeout)
        return self._nvml

    def read(self, path: str) -> Answer:
        answer = self._files[path] = self._io.read(path)
        return answer

    def names(self, folder: str, *patterns: str) -> tuple[str, ...] | None:
        names = self._io.names(folder, *patterns)
        if names is not None:
            self._folders.setdefault(folder, set()).update(names)
        return names

    def resolve(self, path: str) -> str | None:
        target = self._io.resolve(path)
        if target is not None:
            self._links[path] = target
        return target

    def registry(self, key: str) -> RegistryKey | None:
        found = self._io.registry(key)
        if found is not None:
            self._keys[key] = found
        return found

    def pci_devices(self) -> Answer:
        self._pci = self._io.pci_devices()
        return self._pci

    def save(self, folder: Path, *, title: str, date: str, redactor: Redactor) -> None:
        """Writes the recording, redacted. Raises `OSError`."""
        raw: dict[str, str] = {}
        clean = redactor.text
        machine = Machine(
            title=title,
            origin="real",
            date=date,
            sources=("gpu-assistant record",),
            facts=_cleaned(self._io.facts(), redactor),
            environment={name: clean(value) for name, value in sorted(self._io.environment().items())},
            disk=tuple(_cleaned(disk, redactor) for disk in self._io.disks()),
        )
        answers = Answers(
            nvml=self._stored(self._nvml, "nvml.json", raw, redactor),
            pci_devices=self._stored(self._pci, "pci_devices.json", raw, redactor),
            command=tuple(
                msgspec.structs.replace(stored, argv=tuple(map(clean, argv)))
                for argv, answer in sorted(self._commands.items())
                if (stored := self._stored(answer, _file_name(argv), raw, redactor))
            ),
            file=tuple(
                msgspec.structs.replace(stored, path=clean(path))
                for path, answer in sorted(self._files.items())
                if (stored := self._stored(answer, _file_name((path,)), raw, redactor))
            ),
            folder=tuple(
                StoredFolder(path=clean(path), names=tuple(map(clean, sorted(names))))
                for path, names in sorted(self._folders.items())
            ),
            link={clean(path): clean(target) for path, target in sorted(self._links.items())},
            registry=tuple(
                StoredKey(
                    key=clean(key), subkeys=tuple(map(clean, found.subkeys)), values=redactor.values(found.values)
                )
                for key, found in sorted(self._keys.items())
            ),
        )
        for name, text in raw.items():
            write_atomic(folder / "raw" / name, text.encode())
        write_atomic(folder / "machine.toml", _toml(machine))
        write_atomic(folder / "answers.toml", _toml(answers))

    def _stored(self, answer: Answer | None, name: str, raw: dict[str, str], redactor: Redactor) -> Stored | None:
        if answer is None or answer.outcome is Outcome.ABSENT:
            return None
        text = redactor.text(answer.text)
        stored = Stored(
            outcome=answer.outcome,
            exit_code=answer.exit_code,
            error=redactor.text(answer.err.decode("utf-8", "replace")),
            detail=redactor.text(answer.detail),
        )
        if len(text) <= _INLINE:
            return msgspec.structs.replace(stored, text=text)
        while name in raw:
            name = f"_{name}"
        raw[name] = text
        return msgspec.structs.replace(stored, raw=name)


ValueT = TypeVar("ValueT", bound=Value)


def _cleaned(value: ValueT, redactor: Redactor) -> ValueT:
    texts = {name: text for name in value.__struct_fields__ if isinstance(text := getattr(value, name), str)}
    return msgspec.structs.replace(value, **{name: redactor.text(text) for name, text in texts.items()})


def _file_name(words: Sequence[str]) -> str:
    """A name under `raw/` that tells the question: "nvidia-smi-q-x.txt"."""
    first = words[0].replace("\\", "/").rpartition("/")[2]
    text = re.sub(r"[^\w.]+", "-", "-".join((first, *words[1:])))
    return text.strip("-")[:60] + ".txt"


def _toml(value: Value) -> bytes:
    return msgspec.toml.encode(_without_defaults(msgspec.to_builtins(value)))


def _without_defaults(data: object) -> object:
    """Without what is empty: the reader's defaults say the same."""
    if isinstance(data, dict):
        kept = {key: _without_defaults(item) for key, item in data.items() if (key, item) != ("outcome", Outcome.OK)}
        return {key: item for key, item in kept.items() if item not in (None, {}, []) and (item != "" or key == "")}
    if isinstance(data, (list, tuple)):
        return [_without_defaults(item) for item in data]
    return data


def open_gateways(replay: Path | None) -> Gateways:
    """This computer, or the recording in a folder. Raises `NotARecording`."""
    if replay is None:
        return Live()
    if not (replay / "machine.toml").is_file():
        raise NotARecording(message("detect-not-a-recording", folder=str(replay)))
    return Replay(replay)
