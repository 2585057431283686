"""Asks, and writes down what was answered: a recording of this computer that `recording.Replay` can answer from."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from gpu_assistant.base.files import write_atomic
from gpu_assistant.base.job import JobContext
from gpu_assistant.base.model import Value
from gpu_assistant.detect.collect import collect
from gpu_assistant.detect.facts import DiskFacts, PlatformFacts
from gpu_assistant.detect.gateways import Answer, Gateways, RegistryKey
from gpu_assistant.detect.privacy import Redactor, redactor_of_this_user
from gpu_assistant.detect.recording import Answers, Machine, Stored, StoredFolder, StoredKey
from gpu_assistant.detect.report import Outcome

_INLINE = 200  # longer answers become files of their own


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

    def files(self, *, title: str, date: str, redactor: Redactor) -> dict[str, bytes]:
        """The recording, redacted: the names of its files in its folder, and what is in them."""
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
        told = {"machine.toml": _toml(machine), "answers.toml": _toml(answers)}
        return told | {f"raw/{name}": text.encode() for name, text in sorted(raw.items())}

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


def record(io: Gateways, ctx: JobContext, title: str = "") -> dict[str, bytes]:
    """Asks this computer everything there is to ask, and gives the files of the recording. Raises `Cancelled`."""
    recorder = Recorder(io)
    report = collect(recorder, ctx, thorough=True)
    cards = ", ".join(gpu.name for gpu in report.gpus) or "no graphics card"
    return recorder.files(
        title=title or f"{report.system.name}, {cards}",
        date=time.strftime("%Y-%m-%d"),
        redactor=redactor_of_this_user(recorder.facts().home),
    )


def write_recording(folder: Path, files: Mapping[str, bytes]) -> None:
    """Lays the files into a folder. Raises `OSError`."""
    for name, data in files.items():
        write_atomic(folder / name, data)


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
