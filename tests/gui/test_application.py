"""Start, crash, settings, single instance, tabs, dialogs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt, QUrl
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QWidget

from gpu_assistant.__main__ import main
from gpu_assistant.base.settings import Settings, load_settings
from gpu_assistant.base.system_pages import system_pages
from gpu_assistant.gui import crash, language, single_instance, theme
from gpu_assistant.gui.crash_dialog import CrashDialog
from gpu_assistant.gui.main_window import MainWindow
from gpu_assistant.gui.settings_dialog import SettingsDialog
from gpu_assistant.gui.text_dialogs import AboutDialog, DiagnosticsDialog, HelpDialog, diagnostics
from gpu_assistant.gui.training_marks import TrainingMarks
from gpu_assistant.monitor.metrics import metrics
from gpu_assistant.session.states import named_state
from tests.gui.test_pages import silent_controls

OpenWindow = Callable[..., MainWindow]


def start(*arguments: str, code: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code] if code else [sys.executable, "-m", "gpu_assistant", *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, check=False, env=os.environ)


def test_the_window_opens_draws_and_ends() -> None:
    done = start("--exit-after-first-paint")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_first_paint_needs_no_heavy_module() -> None:
    code = (
        "import sys; from gpu_assistant.__main__ import main; main(['--exit-after-first-paint']);"
        "print(sorted({'numpy', 'pyqtgraph', 'psutil', 'pynvml'} & set(sys.modules)))"
    )
    assert start(code=code).stdout.strip() == "[]"


def test_a_command_word_opens_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["report", "--help"])
    assert end.value.code == 0
    assert "report" in capsys.readouterr().out


def test_a_file_opens_the_window_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Path | None] = []
    monkeypatch.setattr("gpu_assistant.gui.application.run_window", lambda options: opened.append(options.file) or 0)
    error = tmp_path / "error.txt"
    error.write_text("CUDA out of memory")
    assert main([str(error)]) == 0
    assert opened == [error]


def test_a_file_is_explained_at_once(open_window: OpenWindow, qtbot: Any, tmp_path: Path) -> None:
    error = tmp_path / "ошибка.txt"
    error.write_text("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB.", "utf-8")
    window = open_window("detected-laptop")
    window.started_again(error)
    tab = window._troubleshooting
    assert tab is not None
    qtbot.waitUntil(lambda: bool(tab.error.cards), timeout=20_000)
    assert "torch-oom" in tab.error.cards[0].diagnosis.rule


def test_the_shipped_program_runs_our_own_modules_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--run-module", "this"]) == 2
    assert "gpu_assistant." in capsys.readouterr().err


def test_a_crash_is_written_without_private_parts_and_shown(
    qtbot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    crash.install(tmp_path)
    try:
        raise ValueError("/home/maria/secret went wrong")
    except ValueError as error:
        sys.excepthook(ValueError, error, error.__traceback__)
    report = next(tmp_path.glob("crash-*.txt")).read_text("utf-8")
    assert "ValueError" in report
    assert "maria" not in report
    dialogs = lambda: [one for one in QApplication.topLevelWidgets() if isinstance(one, CrashDialog)]  # noqa: E731
    qtbot.waitUntil(lambda: bool(dialogs()))
    assert "maria" not in dialogs()[0].report.toPlainText()
    dialogs()[0].close()
    capsys.readouterr()


@pytest.mark.parametrize("file", [None, "Ошибка обучения.txt"])
def test_a_second_start_calls_the_first(qtbot: Any, tmp_path: Path, file: str | None) -> None:
    assert single_instance.claim(tmp_path)
    called: list[Path | None] = []
    single_instance.on_second_start(called.append)
    handed = tmp_path / file if file else None
    code = (
        "import sys; from pathlib import Path; from PySide6.QtCore import QCoreApplication; app = QCoreApplication([]);"
        "from gpu_assistant.gui.single_instance import claim;"
        f"print(claim(Path({str(tmp_path)!r}), Path({str(handed)!r}) if {file is not None} else None))"
    )
    second = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, encoding="utf-8", env=os.environ)
    qtbot.waitUntil(lambda: bool(called), timeout=60_000)
    assert called == [handed]
    assert second.communicate(timeout=60)[0].strip() == "False"
    single_instance.release()
    assert single_instance.claim(tmp_path)
    single_instance.release()


def test_settings_are_kept_and_applied_at_once(open_window: OpenWindow, qapp: QApplication) -> None:
    window = open_window()
    dialog = SettingsDialog(window.settings, window.services, window.road.state, window)
    dialog.accepted_settings.connect(window.use_settings)
    chosen = {"language": "ru", "theme": "dark"}
    for name, value in chosen.items():
        box = dialog.fields[name]
        assert isinstance(box, QComboBox)
        box.setCurrentIndex(box.findData(value))
    dialog.accept()
    qapp.processEvents()
    assert (language.language(), theme.is_dark()) == ("ru", True)
    assert window.tabs.tabText(0) == "Установка"
    stored, trouble = load_settings(window.paths.config / "settings.toml")
    assert (stored.language, stored.theme, trouble) == ("ru", "dark", None)


def test_every_setting_has_its_field(open_window: OpenWindow) -> None:
    window = open_window()
    dialog = SettingsDialog(Settings(), window.services, window.road.state, window)
    assert set(dialog.fields) == set(Settings.__struct_fields__) - {"monitor_metrics"}
    assert dialog.chosen() == Settings()
    other = replace(Settings(), proxy="http://p:1", offline=True, notify_vram_percent=90.0, wheel_folder="D:\\w")
    assert SettingsDialog(other, window.services, window.road.state, window).chosen() == other


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("make", [HelpDialog, AboutDialog, DiagnosticsDialog, SettingsDialog])
def test_dialogs_draw_in_both_languages(
    make: type, lang: str, open_window: OpenWindow, qapp: QApplication, qtbot: Any
) -> None:
    language.set_language(lang)  # type: ignore[arg-type]
    window = open_window("detected-laptop")
    arguments: dict[type, tuple[Any, ...]] = {
        DiagnosticsDialog: (window.road.state,),
        SettingsDialog: (window.settings, window.services, window.road.state),
    }
    dialog: QDialog = make(*arguments.get(make, ()), window)
    dialog.show()
    qapp.processEvents()
    assert dialog.isVisible()
    assert not silent_controls(dialog)
    dialog.close()


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_words_lead_to_the_pages_of_windows(lang: str, qtbot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    language.set_language(lang)  # type: ignore[arg-type]
    opened: list[str] = []
    monkeypatch.setattr("gpu_assistant.gui.text_dialogs.open_system_page", opened.append)
    for here in (True, False):
        monkeypatch.setattr(language, "is_windows", lambda here=here: here)
        dialog = HelpDialog()
        qtbot.addWidget(dialog)
        links = set(re.findall(r'href="page:([a-z-]+)"', dialog.text.toHtml()))
        assert links == ({"page-file", "graphics-settings"} if here else set())
        assert links <= system_pages().keys()
        assert "page:" not in dialog.text.toPlainText()
    dialog.text.anchorClicked.emit(QUrl("page:page-file"))
    assert opened == ["page-file"]


@pytest.mark.skipif(sys.platform != "win32", reason="the styles of Windows")
def test_the_style_of_windows_11_is_for_windows_11(qapp: QApplication) -> None:
    assert (qapp.style().name() == "windows11") == (sys.getwindowsversion().build >= 22000)


def test_diagnostics_tell_nothing_private() -> None:
    text = diagnostics(named_state("detected-laptop"))
    assert "RTX 4060" in text
    assert "Иван" not in text


def test_every_action_has_a_shortcut(open_window: OpenWindow) -> None:
    window = open_window()
    menus = (window.menu.file, window.menu.road, window.menu.view, window.menu.help)
    actions = [action for menu in menus for action in menu.actions()]
    inner = (window.menu.language_menu.menuAction(), window.menu.theme_menu.menuAction())
    plain = [action for action in actions if not action.isSeparator() and action not in inner]
    shortcuts = [action.shortcut().toString() for action in plain]
    assert all(shortcuts)
    assert len(set(shortcuts)) == len(shortcuts)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_coloured_words_can_be_read(scheme: str) -> None:
    colours = theme.load_schemes()[scheme]
    pairs = [(getattr(colours, tone), colours.base) for tone in ("text", "muted", "link")]
    for tone in ("good", "warning", "problem", "info"):
        pairs += [(getattr(colours, tone), getattr(colours, f"{tone}_back")), (getattr(colours, tone), colours.base)]
        pairs.append((colours.text, getattr(colours, f"{tone}_back")))
    pairs += [(colours.accent_text, colours.accent), (colours.muted, colours.window)]
    weak = [(front, back) for front, back in pairs if contrast(front, back) < 4.5]
    assert not [pair for pair in weak if pair != (colours.accent_text, colours.accent)]
    assert contrast(colours.accent_text, colours.accent) >= 3.0  # bold and large


def contrast(front: str, back: str) -> float:
    light, dark = sorted((luminance(front), luminance(back)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_monitor_hears_of_a_training() -> None:
    processes: list[int | None] = []
    values: list[dict[str, float]] = []
    follower = TrainingMarks()
    follower.process_changed.connect(processes.append)
    follower.values_wanted.connect(lambda moment, told: values.append(told))
    for name in ("before-training", "training", "training", "trained"):
        follower.follow(named_state(name))
    assert processes == [4242, None]
    assert len(values) == 1
    assert set(values[0]) <= set(metrics())


def test_a_tab_is_made_once_and_when_it_is_first_shown(
    open_window: OpenWindow, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window("detected-laptop")
    made: list[int] = []
    monkeypatch.setattr(window, "_make_tab", lambda place: (made.append(place), QWidget())[1])
    for place in (2, 0, 1, 2, 0):
        window.tabs.setCurrentIndex(place)
        qapp.processEvents()
    assert made == [2, 1]


def test_the_colours_follow_the_system(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    theme.apply_theme("light")
    hints = SimpleNamespace(colorScheme=lambda: Qt.ColorScheme.Dark)
    monkeypatch.setattr(theme.QGuiApplication, "styleHints", lambda: hints)
    theme.follow_scheme()
    assert theme.is_dark()
    hints.colorScheme = lambda: Qt.ColorScheme.Unknown
    theme.follow_scheme()
    assert theme.is_dark()
