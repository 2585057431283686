"""A tab over a sampler that says what the test says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gpu_assistant.base.settings import Settings
from gpu_assistant.gui.monitor.tab import MonitorTab
from gpu_assistant.monitor.model import Sample
from tests.gui.monitor.samples import FakeSampler


class Played:
    """The tab and its sampler."""

    def __init__(self, tab: MonitorTab, samplers: list[FakeSampler]) -> None:
        self.tab = tab
        self.samplers = samplers

    @property
    def sampler(self) -> FakeSampler:
        return self.samplers[-1]

    def play(self, *samples: Sample) -> None:
        for one in samples:
            self.sampler.send(one)


@pytest.fixture
def open_tab(qtbot: QtBot, tmp_path: Path) -> Iterator[Callable[..., Played]]:
    tabs: list[MonitorTab] = []

    def open_(settings: Settings | None = None, size: tuple[int, int] = (1366, 700)) -> Played:
        samplers: list[FakeSampler] = []

        def make(send: Callable[[Sample], None], interval: float) -> FakeSampler:
            samplers.append(FakeSampler(send, interval))
            return samplers[-1]

        tab = MonitorTab(settings or Settings(), make, tmp_path / "recordings")
        tabs.append(tab)
        qtbot.addWidget(tab)
        tab.resize(*size)
        tab.show()
        return Played(tab, samplers)

    yield open_
    for tab in tabs:
        tab.shut_down()
