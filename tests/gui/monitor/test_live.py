"""The window over the real sampler, the real pynvml and a stand-in driver."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gpu_assistant.base.settings import Settings
from gpu_assistant.gui.monitor.tab import MonitorTab
from tests.monitor.conftest import put_library

SCENARIO = """
system driver 580.88
system cuda 13000
0 name NVIDIA GeForce RTX 4060
0 total 8G
0 used 2G
0 utilization 42
0 temperature 55
0 power 90
0 power_limit 160
"""


def test_a_driver_in_the_window(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_library("linux", tmp_path / "library", monkeypatch)
    scenario = tmp_path / "scenario.txt"
    scenario.write_text(SCENARIO, "utf-8")
    monkeypatch.setenv("STANDIN_NVML_SCENARIO", str(scenario))
    tab = MonitorTab(Settings(monitor_seconds=0.2))
    qtbot.addWidget(tab)
    tab.resize(1366, 700)
    tab.show()
    try:
        qtbot.waitUntil(lambda: len(tab.panel.cards) == 2, timeout=20_000)
        qtbot.waitUntil(lambda: tab.panel.cards[0].glance.load == "42 %", timeout=20_000)
        assert tab.panel.cards[0].glance.memory == "2.0 GiB of 8.0 GiB"
        store = tab.monitoring.store
        uuid = store.gpus()[0].uuid
        qtbot.waitUntil(lambda: len(store.window(uuid, "power").times) > 4, timeout=20_000)
    finally:
        tab.shut_down()
