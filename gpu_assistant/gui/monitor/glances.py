"""From a sample to what the cards at the top of the tab show, in the language that is shown now."""

from __future__ import annotations

from PySide6.QtCore import QObject

from gpu_assistant.base.message import message
from gpu_assistant.gui.language import format_bytes, format_number, say
from gpu_assistant.gui.monitor.card import Glance
from gpu_assistant.gui.monitor.tracks import card_name
from gpu_assistant.gui.theme import Tone
from gpu_assistant.monitor.model import GpuSample, Sample

NORMAL = ("idle", "clocks_setting", "sync_boost", "display_clocks")  # reasons that nobody has to do anything about
HARSH = ("hw_thermal_slowdown", "hw_slowdown", "power_brake")


class GlanceWriter(QObject):
    """Puts samples into words. A QObject because of `tr`."""

    def of_gpu(self, gpu: GpuSample, place: int, *, alone: bool) -> Glance:
        """One card."""
        values = gpu.values
        note, tone = self._note(gpu)
        load = values.get("utilization")
        return Glance(
            name=gpu.name if alone else card_name(gpu.name, gpu.index, alone=False),
            load=self._percent(load),
            memory=self._memory(values.get("vram_used"), values.get("vram_total")),
            share=_share(values.get("vram_used"), values.get("vram_total")),
            line=self._line(gpu),
            note=note,
            tone=tone,
            place=place,
        )

    def of_host(self, sample: Sample) -> Glance:
        """The computer around the cards."""
        values = sample.host.values
        used, total = values.get("ram_used"), values.get("ram_total")
        parts = []
        if sample.host.cores:
            parts.append(self.tr("busiest core {load}").format(load=self._percent(max(sample.host.cores))))
        if (disk := values.get("disk_busy")) is not None:
            parts.append(self.tr("disk {load}").format(load=self._percent(disk)))
        return Glance(
            name=self.tr("Processor and memory"),
            load=self._percent(values.get("cpu")),
            memory=self._memory(used, total),
            share=_share(used, total),
            line=" · ".join(parts),
        )

    def _percent(self, value: float | None) -> str:
        return "–" if value is None else self.tr("{number} %").format(number=format_number(value))

    def _memory(self, used: float | None, total: float | None) -> str:
        if used is None:
            return ""
        if total is None:
            return format_bytes(used)
        return self.tr("{used} of {total}").format(used=format_bytes(used), total=format_bytes(total))

    def _line(self, gpu: GpuSample) -> str:
        parts = []
        if (temperature := gpu.values.get("temperature")) is not None:
            parts.append(self.tr("{degrees} °C").format(degrees=format_number(temperature)))
        power, limit = gpu.values.get("power"), gpu.values.get("power_limit")
        if power is not None and limit is not None:
            watts = self.tr("{now} of {limit} W").format(now=format_number(power), limit=format_number(limit))
            parts.append(watts)
        elif power is not None:
            parts.append(self.tr("{now} W").format(now=format_number(power)))
        if (fan := gpu.values.get("fan")) is not None:
            parts.append(self.tr("fan {load}").format(load=self._percent(fan)))
        return " · ".join(parts)

    def _note(self, gpu: GpuSample) -> tuple[str, Tone]:
        if gpu.lost or gpu.trouble is not None:
            return say(message(f"monitor-trouble-{gpu.trouble or 'gpu_lost'}")), "problem"
        if gpu.asleep:
            return say(message("monitor-asleep")), "neutral"
        reasons = [reason for reason in gpu.throttle if reason not in NORMAL]
        if not reasons:
            return "", "neutral"
        tone: Tone = "problem" if any(reason in HARSH for reason in reasons) else "warning"
        return "; ".join(say(message(f"throttle-{reason}")) for reason in reasons), tone


def _share(used: float | None, total: float | None) -> float | None:
    return used / total if used is not None and total else None
