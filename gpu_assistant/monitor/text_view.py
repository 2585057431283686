"""The monitor as text: a picture of one moment, a line of one moment, a summary of a stretch. Pure functions."""

from __future__ import annotations

import datetime
import textwrap

from gpu_assistant.base.message import Argument, message
from gpu_assistant.base.texts import Language, format_duration, say
from gpu_assistant.monitor.comparison import Comparison
from gpu_assistant.monitor.hints import Hint
from gpu_assistant.monitor.metrics import format_value, metrics
from gpu_assistant.monitor.model import GpuSample, Mark, ProcessSample, Sample
from gpu_assistant.monitor.store import HOST, TRAINING, GpuIdentity, SeriesStore

_BARS = ("utilization", "vram_used", "power", "temperature")
_DETAILS = ("sm_clock", "memory_clock", "performance_state", "fan", "pcie_rx", "pcie_tx", "encoder", "decoder")
_HOST_BARS = ("cpu", "ram_used", "pagefile_used")
_HOST_DETAILS = ("disk_read", "disk_write", "network_received", "network_sent")
_IN_LINE = ("utilization", "vram_used", "power", "temperature", "sm_clock")
_MOST_PROCESSES = 6


class TextView:
    """Says samples in one language at one width (in characters)."""

    def __init__(self, language: Language, width: int = 100) -> None:
        self._language = language
        self._width = max(width, 40)
        titles = [metrics()[id_].title(language) for id_ in (*_BARS, *_HOST_BARS)]
        self._label = max(map(len, titles)) + 2
        self._bar = max(min(self._width - self._label - 26, 40), 6)

    def picture(self, sample: Sample, hints: tuple[Hint, ...] = ()) -> list[str]:
        """Every card and the computer with bars; hints below."""
        lines: list[str] = []
        if sample.trouble is not None:
            lines += [self._say(f"monitor-trouble-{sample.trouble}"), ""]
        for gpu in sample.gpus:
            lines += [*self._card(gpu), ""]
        lines += self._host(sample)
        for hint in hints:
            lines += ["", *self.hint(hint)]
        return [part for line in lines for part in self._fitted(line)]

    def line(self, sample: Sample) -> list[str]:
        """One line per card, for files and pipes."""
        time = datetime.datetime.fromtimestamp(sample.time).strftime("%H:%M:%S")
        if not sample.gpus:
            what = self._say(f"monitor-trouble-{sample.trouble}") if sample.trouble else self._short(sample.host.values)
            return [f"{time}  {what}"]
        return [f"{time}  GPU {gpu.index}  {self._short_card(gpu)}" for gpu in sample.gpus]

    def hint(self, hint: Hint) -> list[str]:
        """A hint: what is going on, and below it what to try."""
        sign = "!" if hint.severity == "warning" else "i"
        return [f" {sign} {hint.sentence(self._language)}", f"   → {hint.advice(self._language)}"]

    def summary(self, store: SeriesStore) -> list[str]:
        """What a whole recording says: length, cards, lowest, mean and highest values, marks."""
        if store.first_time is None or store.last_time is None:
            return [self._say("monitor-cli-empty")]
        length = format_duration(store.last_time - store.first_time, self._language)
        began = datetime.datetime.fromtimestamp(store.first_time).strftime("%Y-%m-%d %H:%M:%S")
        lines = [self._say("monitor-cli-recorded", began=began, length=length)]
        for gpu in store.gpus():
            lines += ["", _title(gpu), *self._stats(store, gpu.uuid)]
        lines += ["", self._say("monitor-cli-computer"), *self._stats(store, HOST)]
        if store.metrics(TRAINING):
            lines += ["", self._say("monitor-cli-training"), *self._stats(store, TRAINING)]
        return lines + [self._mark(mark) for mark in store.marks()]

    def comparison(self, comparison: Comparison) -> list[str]:
        """The verdict, then the means of both runs side by side."""
        lines = [say(comparison.verdict, self._language)]
        if comparison.reasons:
            names = ", ".join(metrics()[id_].title(self._language) for id_ in comparison.reasons)
            lines.append(self._say("monitor-cli-differs", names=names))
        for row in comparison.rows:
            unit = metrics()[row.metric].unit
            both = [
                format_value(stats.mean, unit, self._language) if stats else "–" for stats in (row.first, row.second)
            ]
            lines.append(f"  {metrics()[row.metric].title(self._language):<36}{both[0]:>16}{both[1]:>16}")
        return lines

    def _fitted(self, line: str) -> list[str]:
        if len(line) <= self._width:
            return [line]
        indent = " " * (len(line) - len(line.lstrip(" i!→•")))
        return textwrap.wrap(line, self._width, subsequent_indent=indent, drop_whitespace=True)

    def _card(self, gpu: GpuSample) -> list[str]:
        title = f"GPU {gpu.index}  {gpu.name}"
        if gpu.asleep:
            return [f"{title}  ({self._say('monitor-asleep')})"]
        if gpu.trouble is not None:
            return [title, f"  {self._say(f'monitor-trouble-{gpu.trouble}')}"]
        lines = [title, *self._bars(gpu.values, _BARS)]
        if details := self._named(gpu.values, _DETAILS):
            lines.append(f"  {details}")
        lines += [f"  • {self._say(f'throttle-{reason}')}" for reason in gpu.throttle]
        return lines + self._processes(gpu.processes)

    def _host(self, sample: Sample) -> list[str]:
        values = sample.host.values
        lines = [self._say("monitor-cli-computer"), *self._bars(values, _HOST_BARS)]
        if details := self._named(values, _HOST_DETAILS):
            lines.append(f"  {details}")
        return lines

    def _bars(self, values: dict[str, float], ids: tuple[str, ...]) -> list[str]:
        return [
            f"  {metrics()[id_].title(self._language):<{self._label}}{self._bar_of(id_, values)}"
            for id_ in ids
            if id_ in values
        ]

    def _bar_of(self, id_: str, values: dict[str, float]) -> str:
        row, value = metrics()[id_], values[id_]
        high = row.high if row.high is not None else values.get(row.high_metric or "")
        text = format_value(value, row.unit, self._language)
        if not high:
            return text
        if row.high_metric:
            text += f" / {format_value(high, row.unit, self._language)}"
        low = row.low or 0.0
        full = round(self._bar * min(max((value - low) / (high - low), 0.0), 1.0))
        return f"{'█' * full}{'░' * (self._bar - full)} {text}"

    def _named(self, values: dict[str, float], ids: tuple[str, ...]) -> str:
        return " · ".join(
            f"{metrics()[id_].title(self._language)}: {format_value(values[id_], metrics()[id_].unit, self._language)}"
            for id_ in ids
            if id_ in values
        )

    def _processes(self, processes: tuple[ProcessSample, ...]) -> list[str]:
        largest = sorted(processes, key=lambda process: -(process.vram_bytes or 0))
        lines = [f"  {self._process(process)}" for process in largest[:_MOST_PROCESSES]]
        if rest := len(largest) - _MOST_PROCESSES:
            lines += [f"  {self._say('monitor-cli-more-processes', count=rest)}"] if rest > 0 else []
        return lines

    def _process(self, process: ProcessSample) -> str:
        parts = [f"{process.name or '?'} ({process.pid})"]
        if process.vram_bytes is not None:
            parts.append(format_value(process.vram_bytes, "bytes", self._language))
        if process.gpu_percent is not None:
            parts.append(format_value(process.gpu_percent, "percent", self._language))
        return "  ".join(parts)

    def _short_card(self, gpu: GpuSample) -> str:
        if gpu.asleep:
            return self._say("monitor-asleep")
        if gpu.trouble is not None:
            return self._say(f"monitor-trouble-{gpu.trouble}")
        reasons = [self._say(f"throttle-{reason}") for reason in gpu.throttle if reason != "idle"]
        return "  ".join([self._short(gpu.values), *reasons[:1]])

    def _short(self, values: dict[str, float]) -> str:
        ids = _IN_LINE if "cpu" not in values else ("cpu", "ram_used")
        return "  ".join(format_value(values[id_], metrics()[id_].unit, self._language) for id_ in ids if id_ in values)

    def _stats(self, store: SeriesStore, owner: str) -> list[str]:
        lines = []
        for id_, row in metrics().items():
            stats = store.stats(owner, id_) if id_ in store.metrics(owner) and not row.limit else None
            if stats is not None:
                low, mean, high = (
                    format_value(v, row.unit, self._language) for v in (stats.minimum, stats.mean, stats.maximum)
                )
                lines.append(f"  {row.title(self._language):<36}{low:>14}{mean:>14}{high:>14}")
        return lines

    def _mark(self, mark: Mark) -> str:
        time = datetime.datetime.fromtimestamp(mark.time).strftime("%H:%M:%S")
        return f"  {time}  {self._say(f'monitor-mark-{mark.kind}')}"

    def _say(self, id_: str, **args: Argument) -> str:
        return say(message(id_, **args), self._language)


def _title(gpu: GpuIdentity) -> str:
    return f"GPU {gpu.index}  {gpu.name}"
