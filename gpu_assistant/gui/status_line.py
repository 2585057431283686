"""The line at the window's lower edge: the card, its driver, its memory and temperature, in words."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy

from gpu_assistant.detect.report import SystemReport
from gpu_assistant.gui.language import format_bytes, format_number
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.widgets.base import Symbol, Worded, row
from gpu_assistant.monitor.model import Sample


class StatusLine(Worded):
    """Shows the first NVIDIA card, else the first card; live numbers once the monitor has some."""

    def __init__(self) -> None:
        super().__init__()
        self._report: SystemReport | None = None
        self._live: Sample | None = None
        self._symbol = Symbol("gpu", 16, "muted")
        self._text = QLabel()
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        line = row(self._symbol, self._text)
        line.setContentsMargins(SPACE, 0, SPACE, 0)
        line.setStretch(1, 1)
        self.setLayout(line)
        self.retranslate()

    def show_report(self, report: SystemReport | None) -> None:
        """What detection knows."""
        if report is not self._report:
            self._report = report
            self.retranslate()

    def show_sample(self, sample: Sample) -> None:
        """Live numbers."""
        self._live = sample
        self.retranslate()

    @property
    def text(self) -> str:
        """What is shown."""
        return self._text.text()

    def retranslate(self) -> None:
        words = " · ".join(self._parts())
        self._text.setText(words)
        self._text.setToolTip(words)
        self._text.setAccessibleName(words)

    def _parts(self) -> list[str]:
        report = self._report
        if report is None:
            return [self.tr("The computer has not been looked at yet")]
        gpus = sorted(report.gpus, key=lambda gpu: (gpu.vendor != "nvidia", bool(gpu.integrated)))
        if not gpus:
            return [self.tr("No graphics card found")]
        gpu = gpus[0]
        live = self._live.gpus[0].values if self._live is not None and self._live.gpus else {}
        parts = [gpu.name]
        if report.driver is not None and gpu.vendor == "nvidia":
            version = report.driver.version
            parts.append(self.tr("driver {version}").format(version=version) if version else self.tr("no driver"))
        used = live.get("vram_used", gpu.vram_used)
        if used is not None and gpu.vram_total is not None:
            words = self.tr("memory {used} of {total}")
            parts.append(words.format(used=format_bytes(used), total=format_bytes(gpu.vram_total)))
        elif gpu.vram_total is not None:
            parts.append(self.tr("memory {total}").format(total=format_bytes(gpu.vram_total)))
        degrees = live.get("temperature", gpu.temperature_c)
        if degrees is not None:
            parts.append(self.tr("{degrees} °C").format(degrees=format_number(degrees)))
        return parts
