"""Recordings: what the monitor saw, in one compact file that survives a crash.

The file begins with `MAGIC`; then come blocks, each `<u32 length> <u32 CRC-32> <bytes>` (little-endian), the bytes
being zlib over a msgpack array of records. A record is a map with "type": "header" (once, first), "sample", "mark" or
"training"; its other keys are those of the types below. A reader stops at the first block that is cut off or damaged,
so that at most the last few seconds are lost. Commands and user names are never recorded.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, BinaryIO

import msgspec

from gpu_assistant import __version__
from gpu_assistant.base.model import Value
from gpu_assistant.monitor.csv_table import write_csv
from gpu_assistant.monitor.model import GpuSample, HostSample, Mark, Sample
from gpu_assistant.monitor.store import SeriesStore

SUFFIX = ".gpurec"
MAGIC = b"GPUREC1\n"
_BLOCK = struct.Struct("<II")
_LARGEST_BLOCK = 1 << 26
_BLOCK_SECONDS = 5.0


class NotARecording(ValueError):
    """The file is something else, or of a newer program."""


class Header(Value, frozen=True, kw_only=True, tag="header", tag_field="type"):
    """What stands first in a recording."""

    program: str
    started: float
    interval: float
    title: str = ""


class Trained(Value, frozen=True, kw_only=True, tag="training", tag_field="type"):
    """What a training told at one moment."""

    time: float
    values: dict[str, float]


class _SampleRecord(Value, frozen=True, kw_only=True, tag="sample", tag_field="type"):
    sample: Sample


class _MarkRecord(Value, frozen=True, kw_only=True, tag="mark", tag_field="type"):
    mark: Mark


_Record = Header | Trained | _SampleRecord | _MarkRecord
Entry = Sample | Mark | Trained

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(list[_Record])


class Recorder:
    """Appends to a new file. Use as a context manager. Every method may raise `OSError`."""

    def __init__(self, path: Path, *, interval: float = 1.0, title: str = "", started: float = 0.0) -> None:
        """Raises `FileExistsError`: an older recording is never overwritten."""
        self.path = path
        self._file: BinaryIO = path.open("xb")
        self._waiting: list[_Record] = [
            Header(program=__version__, started=started, interval=interval, title=title),
        ]
        self._block_began: float | None = None
        self._file.write(MAGIC)
        self._flush()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def write(self, sample: Sample) -> None:
        """Takes a sample; it is in the file a few seconds later at most."""
        self._add(_SampleRecord(sample=_lean(sample)), sample.time)

    def mark(self, mark: Mark) -> None:
        """Takes a mark; it is in the file at once."""
        self._add(_MarkRecord(mark=mark), mark.time)
        self._flush()

    def training(self, time: float, values: dict[str, float]) -> None:
        """Takes what a training told."""
        self._add(Trained(time=time, values=values), time)

    def close(self) -> None:
        """Writes what is left and makes sure that it is on the disk."""
        if self._file.closed:
            return
        try:
            self._flush()
            os.fsync(self._file.fileno())
        finally:
            self._file.close()

    def _add(self, record: _Record, time: float) -> None:
        self._waiting.append(record)
        if self._block_began is None:
            self._block_began = time
        if abs(time - self._block_began) >= _BLOCK_SECONDS:
            self._flush()

    def _flush(self) -> None:
        if not self._waiting:
            return
        data = zlib.compress(_encoder.encode(self._waiting), 6)
        self._file.write(_BLOCK.pack(len(data), zlib.crc32(data)) + data)
        self._file.flush()
        self._waiting.clear()
        self._block_began = None


def _lean(sample: Sample) -> Sample:
    """Without what belongs to nobody else, and with no more digits than anybody measures."""
    return msgspec.structs.replace(
        sample,
        gpus=tuple(_lean_gpu(gpu) for gpu in sample.gpus),
        host=HostSample(values=_rounded(sample.host.values), cores=tuple(round(core, 1) for core in sample.host.cores)),
    )


def _lean_gpu(gpu: GpuSample) -> GpuSample:
    processes = tuple(msgspec.structs.replace(process, user=None, command=None) for process in gpu.processes)
    return msgspec.structs.replace(gpu, values=_rounded(gpu.values), processes=processes)


def _rounded(values: dict[str, float]) -> dict[str, float]:
    return {id_: round(value, 2) for id_, value in values.items()}


class Recording:
    """A recording opened for reading. Nothing but its header is kept in memory."""

    def __init__(self, path: Path, header: Header) -> None:
        self.path = path
        self.header = header
        self.truncated = False  # known after reading to the end

    def entries(self) -> Iterator[Entry]:
        """Everything in the order it was written; a damaged end is left out and told in `truncated`."""
        with self.path.open("rb") as file:
            file.seek(len(MAGIC))
            for record in self._records(file):
                if isinstance(record, _SampleRecord):
                    yield record.sample
                elif isinstance(record, _MarkRecord):
                    yield record.mark
                elif isinstance(record, Trained):
                    yield record

    def samples(self) -> Iterator[Sample]:
        """The samples alone."""
        return (entry for entry in self.entries() if isinstance(entry, Sample))

    @property
    def marks(self) -> tuple[Mark, ...]:
        """All marks; reads the file."""
        return tuple(entry for entry in self.entries() if isinstance(entry, Mark))

    def store(self) -> SeriesStore:
        """All of it, ready for the charts."""
        times = [sample.time for sample in self.samples()]
        seconds = max(times[-1] - times[0], len(times) * self.header.interval) if times else 0.0
        store = SeriesStore(seconds + 60.0, self.header.interval)
        for entry in self.entries():
            if isinstance(entry, Sample):
                store.add(entry)
            elif isinstance(entry, Mark):
                store.add_mark(entry)
            else:
                store.add_training(entry.time, entry.values)
        return store

    def _records(self, file: BinaryIO) -> Iterator[_Record]:
        while head := file.read(_BLOCK.size):
            block = _read_block(head, file)
            if block is None:
                self.truncated = True
                return
            yield from block


def _read_block(head: bytes, file: BinaryIO) -> list[_Record] | None:
    if len(head) < _BLOCK.size:
        return None
    length, checksum = _BLOCK.unpack(head)
    data = file.read(length) if length <= _LARGEST_BLOCK else b""
    if len(data) < length or zlib.crc32(data) != checksum:
        return None
    try:
        return _decoder.decode(zlib.decompress(data))
    except (zlib.error, msgspec.DecodeError):
        return None


def open_recording(path: Path) -> Recording:
    """Reads the header. Raises `OSError`, or `NotARecording`."""
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise NotARecording(str(path))
        records = _read_block(file.read(_BLOCK.size), file)
    if not records or not isinstance(records[0], Header):
        raise NotARecording(str(path))
    return Recording(path, records[0])


def export_csv(recording: Recording, out: IO[str]) -> None:
    """The recording as a table for spreadsheets. Raises `OSError`."""
    write_csv(recording.samples(), out)
