"""What the button in the taskbar says of a session."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QApplication

from gpu_assistant.gui.main_window import MainWindow
from gpu_assistant.gui.taskbar import Progress, Taskbar, progress_of
from gpu_assistant.session.states import named_state


def test_progress_is_told_of_installs_and_trainings_only() -> None:
    installing = progress_of(named_state("installing"))
    training = progress_of(named_state("training"))
    for progress in (installing, training):
        assert progress.kind == "part"
        assert 0 < progress.done < progress.total
    for quiet in ("welcome", "detecting", "before-training", "trained"):
        assert progress_of(named_state(quiet)) == Progress()


def test_an_install_whose_size_nobody_knows_yet_moves() -> None:
    from msgspec.structs import replace

    state = named_state("installing")
    assert progress_of(replace(state, install=None)).kind == "moving"
    assert progress_of(replace(state, install=replace(state.install, files=()))).kind == "moving"


def test_the_end_of_long_work_calls_the_user(
    open_window: Callable[..., MainWindow], monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window("welcome")
    called: list[object] = []
    monkeypatch.setattr(QApplication, "alert", lambda widget, msec=0: called.append(widget))
    taskbar = Taskbar(window)
    for name in ("detecting", "detected-laptop"):
        taskbar.show_state(named_state(name))
    assert called == []
    for name in ("installing", "before-training"):
        taskbar.show_state(named_state(name))
    assert called == [window]


@pytest.mark.skipif(sys.platform != "win32", reason="Windows' taskbar")
def test_windows_takes_every_kind_of_progress(open_window: Callable[..., MainWindow]) -> None:
    from gpu_assistant.gui import windows_taskbar

    handle = int(open_window("welcome").winId())
    answers = [windows_taskbar.show(handle, *words) for words in (("moving", 0, 0), ("part", 3 << 30, 7 << 30))]
    # off screen the number is no window; a wrong place in the table of functions would crash
    assert all(answer is None or isinstance(answer, int) for answer in answers)
    assert windows_taskbar.show(handle, "none", 0, 0) in (0, None) or QApplication.platformName() != "windows"
