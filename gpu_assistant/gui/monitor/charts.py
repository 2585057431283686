"""The charts of the chosen metrics, in as many columns as fit."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from gpu_assistant.gui.monitor.chart import Chart
from gpu_assistant.gui.monitor.time_view import TimeView
from gpu_assistant.gui.monitor.tracks import Track
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.monitor.metrics import Metric
from gpu_assistant.monitor.model import Mark

COLUMN = 430  # pixels that a chart wants
ROW = 150


class Charts(QWidget):
    """A grid of linked charts. A chart stays when only its neighbours change, so nothing flickers."""

    def __init__(self, view: TimeView) -> None:
        super().__init__()
        self._view = view
        self._charts: list[Chart] = []
        self._tracks: tuple[Track, ...] = ()
        self._marks: tuple[Mark, ...] = ()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(SPACE)

    @property
    def charts(self) -> tuple[Chart, ...]:
        """From left to right, from top to bottom."""
        return tuple(self._charts)

    def show_metrics(self, metrics: Sequence[Metric]) -> None:
        """One chart for each of these."""
        if [chart.subject for chart in self._charts] == list(metrics):
            return
        known = {chart.subject.id: chart for chart in self._charts}
        self._charts = [known.pop(metric.id) if metric.id in known else self._new(metric) for metric in metrics]
        for chart in known.values():
            chart.hide()
            chart.deleteLater()
        for place, chart in enumerate(self._charts):
            chart.turn = place
        self._arrange()

    def show_tracks(self, tracks: Sequence[Track]) -> None:
        """These cards, this computer, this training."""
        self._tracks = tuple(tracks)
        for chart in self._charts:
            chart.show_tracks(self._tracks, self._marks)

    def show_marks(self, marks: Sequence[Mark]) -> None:
        """These moments."""
        self._marks = tuple(marks)
        for chart in self._charts:
            chart.show_marks(self._marks)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        return QSize(240, ROW)

    def _new(self, metric: Metric) -> Chart:
        chart = Chart(metric, self._view)
        chart.show_tracks(self._tracks, self._marks)
        return chart

    def _arrange(self) -> None:
        columns = max(1, min(self.width() // COLUMN, len(self._charts), 4))
        places = [divmod(number, columns) for number in range(len(self._charts))]
        for chart, (row, column) in zip(self._charts, places, strict=True):
            item = self._grid.itemAtPosition(row, column)
            if item is not None and item.widget() is chart:
                continue
            self._grid.removeWidget(chart)
            self._grid.addWidget(chart, row, column)
            chart.show()
        rows = places[-1][0] + 1 if places else 0
        self.setMinimumHeight(rows * ROW)
