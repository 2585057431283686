"""Samples as a table for spreadsheets: one line per moment and card; the computer's columns repeat."""

from __future__ import annotations

import csv
import datetime
import io
from collections.abc import Iterable
from typing import IO

from gpu_assistant.monitor.metrics import metrics
from gpu_assistant.monitor.model import GpuSample, Sample

_CARD = [id_ for id_, row in metrics().items() if row.scope == "gpu"]
_HOST = [id_ for id_, row in metrics().items() if row.scope == "host"]
COLUMNS = ("time", "gpu", "name", "uuid", "trouble", "held_back_by", *_CARD, *_HOST)


def lines(sample: Sample) -> str:
    """The lines of one moment, each with its end. A value that is not known is an empty field."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for gpu in sample.gpus or (None,):
        writer.writerow(_row(sample, gpu))
    return out.getvalue()


def header() -> str:
    """The first line."""
    return ",".join(COLUMNS) + "\n"


def write_csv(samples: Iterable[Sample], out: IO[str]) -> None:
    """The whole table. Raises `OSError`."""
    out.write(header())
    for sample in samples:
        out.write(lines(sample))


def _row(sample: Sample, gpu: GpuSample | None) -> list[str]:
    time = datetime.datetime.fromtimestamp(sample.time, datetime.UTC).isoformat(timespec="milliseconds")
    card: list[str]
    if gpu is None:
        card = ["", "", "", sample.trouble or "", ""]
    else:
        trouble = gpu.trouble or sample.trouble or ("asleep" if gpu.asleep else "")
        card = [str(gpu.index), gpu.name, gpu.uuid, trouble, " ".join(gpu.throttle)]
    values = gpu.values if gpu is not None else {}
    numbers = [values.get(id_) for id_ in _CARD] + [sample.host.values.get(id_) for id_ in _HOST]
    return [time, *card, *map(_plain, numbers)]


def _plain(number: float | None) -> str:
    """Without an exponent, which spreadsheets take for text."""
    return "" if number is None else f"{number:.3f}".rstrip("0").rstrip(".")
