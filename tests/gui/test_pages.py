"""Every page draws every named state, in both languages and both colours, without a warning and inside the window."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QApplication, QComboBox, QLineEdit, QWidget

from gpu_assistant.base.message import message
from gpu_assistant.detect.report import Finding
from gpu_assistant.gui import language, theme
from gpu_assistant.gui.main_window import MainWindow
from gpu_assistant.gui.widgets.page_button import PageButton
from gpu_assistant.session.states import STATES

OpenWindow = Callable[..., MainWindow]
SPEAKING = (QAbstractButton, QComboBox, QLineEdit)


@pytest.mark.parametrize("name", STATES)
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_a_state_is_drawn(name: str, lang: str, open_window: OpenWindow, qapp: QApplication) -> None:
    language.set_language(lang)  # type: ignore[arg-type]
    theme.apply_theme("dark" if lang == "ru" else "light")
    window = open_window(name, size=(1366, 768))
    qapp.processEvents()
    assert window.wizard.stack.currentWidget() is window.wizard.page
    assert window.wizard.page.title.text()
    assert nothing_overflows(window.wizard.page.area)
    assert not silent_controls(window)


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("name", ["choose-laptop", "review", "installing", "training", "finished"])
def test_a_small_window_needs_no_sideways_scrolling(
    name: str, lang: str, open_window: OpenWindow, qapp: QApplication
) -> None:
    language.set_language(lang)  # type: ignore[arg-type]
    window = open_window(name, size=(800, 560))
    qapp.processEvents()
    assert nothing_overflows(window.wizard.page.area)
    assert window.width() == 800


def test_the_same_state_leads_to_the_same_picture(open_window: OpenWindow, qapp: QApplication) -> None:
    if qapp.style().name() == "windows11":
        pytest.skip("the style of Windows 11 fades its controls in and out")
    window = open_window("choose-laptop")
    page = window.wizard.page
    before = picture(page, qapp)
    page.show_state(STATES["choose-no-driver"]())
    qapp.processEvents()
    page.show_state(window.road.state)
    assert picture(page, qapp) == before


def test_a_language_switch_reaches_every_word(open_window: OpenWindow, qapp: QApplication) -> None:
    for name in STATES:
        language.set_language("en")
        switched = open_window(name)
        language.set_language("ru")
        qapp.processEvents()
        fresh = open_window(name)
        qapp.processEvents()
        assert sorted(words_of(switched)) == sorted(words_of(fresh)), name
        switched.close()
        fresh.close()


def test_a_finding_leads_to_the_page_of_windows_where_it_is_mended(
    open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("gpu_assistant.gui.wizard.wizard.open_system_page", opened.append)
    monkeypatch.setattr("gpu_assistant.gui.widgets.page_button.is_windows", lambda: True)
    window = open_window("detected-laptop")
    page = window.wizard.page
    assert page.findChildren(PageButton) == []
    report = window.road.state.report
    found = tuple(
        Finding(message=message("detect-pagefile-off", size=0), severity="warning", page=id_)
        for id_ in ("page-file", "page-file", "device-manager")
    )
    page.show_state(replace(window.road.state, report=replace(report, findings=found)))
    buttons = page.findChildren(PageButton)
    for button in buttons:
        button.click()
    assert opened == ["page-file", "device-manager"]


def picture(page: QWidget, qapp: QApplication) -> QImage:
    """The page without the mark of the keyboard focus, which may have moved."""
    qapp.sendPostedEvents()
    if (focused := qapp.focusWidget()) is not None:
        focused.clearFocus()
    qapp.processEvents()
    return page.grab().toImage()


def nothing_overflows(area: QAbstractScrollArea) -> bool:
    return area.horizontalScrollBar().maximum() == 0


def silent_controls(window: QWidget) -> list[str]:
    """Visible controls that a screen reader could not name."""
    silent = []
    for kind in SPEAKING:
        for widget in window.findChildren(kind):
            if not widget.isVisible() or widget.objectName().startswith("qt_"):
                continue
            interface = QAccessible.queryAccessibleInterface(widget)
            if interface is not None and not interface.text(QAccessible.Text.Name):
                silent.append(f"{type(widget).__name__} {widget.objectName()}")
    return silent


def words_of(window: MainWindow) -> list[str]:
    found = []
    for widget in window.wizard.page.findChildren(QWidget):
        text = getattr(widget, "text", None)
        if callable(text) and widget.isVisible():
            found.append(f"{text()}|{widget.accessibleName()}|{widget.toolTip()}")
    found += [action.text() for menu in window.menuBar().actions() for action in menu.menu().actions()]  # type: ignore[union-attr]
    return [*found, *(window.tabs.tabText(place) for place in range(3)), window.status.text]
