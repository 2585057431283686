"""The Troubleshooting tab over the real rules."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs
from PySide6.QtCore import QEvent, QMimeData, QObject, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QPlainTextEdit, QTabBar, QTreeWidget, QWidget
from pytestqt.qtbot import QtBot

from gpu_assistant.detect.report import Driver, DriverState, Gpu, GpuProcess, System, SystemReport
from gpu_assistant.gui import jobs, language, theme
from gpu_assistant.gui.services import CallJob
from gpu_assistant.gui.troubleshoot.case import SHOWN
from gpu_assistant.gui.troubleshoot.dialogs import FixDialog
from gpu_assistant.gui.troubleshoot.help_report import HelpReportDialog
from gpu_assistant.gui.troubleshoot.tab import BASE, ERROR, WALK, TroubleshootTab
from gpu_assistant.gui.widgets.page_button import PageButton
from gpu_assistant.troubleshoot import walks as walks_module
from gpu_assistant.troubleshoot.actions import Prepared
from gpu_assistant.troubleshoot.diagnosis import FixAction
from gpu_assistant.troubleshoot.evidence import Evidence
from gpu_assistant.troubleshoot.history import load_history
from gpu_assistant.troubleshoot.walks import walks

OOM = r"""Epoch 1:  12% 37/312
Traceback (most recent call last):
  File "C:\Users\Анна\train.py", line 88, in <module>
    loss.backward()
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has a total capacity of 8.00 GiB of \
which 1.20 GiB is free.
"""

REPORT = SystemReport(
    made_at="2026-12-01T00:00:00Z",
    program="test",
    system=System(os="windows", name="Windows 11"),
    gpus=(
        Gpu(
            vendor="nvidia",
            name="NVIDIA GeForce RTX 4060",
            compute_capability="8.9",
            vram_total=8 << 30,
            processes=(GpuProcess(pid=77, name="game.exe", vram_bytes=3 << 30),),
        ),
    ),
    driver=Driver(state=DriverState.WORKING, version="580.88", cuda_version="13.0"),
)


@pytest.fixture
def tab(qtbot: QtBot, tmp_path: Path) -> TroubleshootTab:
    made = TroubleshootTab(folder=tmp_path)
    qtbot.addWidget(made)
    made.resize(1366, 700)
    made.show()
    qtbot.waitUntil(lambda: made._base_read, timeout=20_000)
    return made


@pytest.fixture
def answered(qtbot: QtBot) -> Callable[[TroubleshootTab], None]:
    def wait(tab: TroubleshootTab) -> None:
        qtbot.waitUntil(lambda: tab._runner is None and not jobs.jobs_running(), timeout=20_000)

    return wait


Wait = Callable[[TroubleshootTab], None]


@pytest.mark.parametrize("wanted", ["en", "ru"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", [ERROR, WALK, BASE])
def test_pages_are_drawn(tab: TroubleshootTab, page: int, scheme: str, wanted: str) -> None:
    theme.apply_theme(scheme)  # type: ignore[arg-type]
    language.set_language(wanted)  # type: ignore[arg-type]
    tab.show_page(page)
    assert not tab.grab().isNull()


def test_pasting_finds_the_cause(tab: TroubleshootTab, qtbot: QtBot, answered: Wait) -> None:
    QGuiApplication.clipboard().setText(OOM)
    tab.error.box.setFocus()
    tab.error.box.paste()
    qtbot.waitUntil(lambda: bool(tab.error.cards), timeout=20_000)
    answered(tab)
    card = tab.error.cards[0]
    assert card.diagnosis.cause == "cuda_out_of_memory"
    assert card.accessibleName() == card.diagnosis.title.en
    assert len(tab.error.box.extraSelections()) == len({line.number for line in card.diagnosis.lines})
    assert tab.error.help_button.isVisible()


def test_typed_text_needs_no_mouse(tab: TroubleshootTab, qtbot: QtBot, answered: Wait) -> None:
    tab.activateWindow()
    tab.error.box.setFocus()
    qtbot.keyClicks(tab.error.box, "RuntimeError: CUDA error: no kernel image is available for execution on the device")
    qtbot.keyClick(tab.error.box, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: bool(tab.error.cards), timeout=20_000)
    answered(tab)
    assert tab.error.cards[0].diagnosis.lines


def test_nothing_pasted_asks_for_nothing(tab: TroubleshootTab, qtbot: QtBot) -> None:
    qtbot.mouseClick(tab.error.find_button, Qt.MouseButton.LeftButton)
    assert tab._runner is None
    assert tab.error.cards == []


@pytest.mark.parametrize("wanted", ["en", "ru"])
def test_every_kind_of_answer_is_drawn(tab: TroubleshootTab, answered: Wait, wanted: str) -> None:
    language.set_language(wanted)  # type: ignore[arg-type]
    for text in (OOM, "blah blah", "Training finished. Accuracy 0.98", "IndexError: list index out of range"):
        tab.diagnose_text(text)
        answered(tab)
        assert tab.error.cards
        assert not tab.grab().isNull()


def _drop(target: QWidget, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    drop = QDropEvent(
        QPointF(50, 50),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    target.dropEvent(drop)
    assert drop.isAccepted()


@pytest.mark.parametrize("place", ["box", "beside it"])
def test_dropped_file_is_read_and_told(tab: TroubleshootTab, tmp_path: Path, answered: Wait, place: str) -> None:
    log = tmp_path / "train.log"
    log.write_text("line\n" * 1000 + OOM, "utf-8")
    tab.show_page(WALK)
    _drop(tab.error.box if place == "box" else tab, log)
    answered(tab)
    assert tab.pages.currentIndex() == ERROR
    assert tab.error.cards[0].diagnosis.cause == "cuda_out_of_memory"
    assert "train.log" in tab.error.origin.accessibleName()


def test_a_log_of_50_mb_leaves_the_window_awake(tab: TroubleshootTab, tmp_path: Path, answered: Wait) -> None:
    line = b"2026-12-01 10:00:00 INFO step 123 loss 0.123 lr 0.001\n"
    log = tmp_path / "big.log"
    log.write_bytes(line * ((50 << 20) // len(line) - 100) + OOM.encode())
    turns = 0

    def turn() -> None:
        nonlocal turns
        turns += tab._runner is not None

    timer = QTimer()
    timer.timeout.connect(turn)
    timer.start(10)
    _drop(tab, log)
    answered(tab)
    assert turns > 1, "the event loop stood still while the file was read"
    assert tab.error.cards[0].diagnosis.cause == "cuda_out_of_memory"
    assert tab.error.cards[0].diagnosis.lines[0].number > 900_000
    assert len(tab.error.box.toPlainText()) <= SHOWN


def test_huge_text_is_looked_at_whole_but_shown_in_part(tab: TroubleshootTab, answered: Wait) -> None:
    tab.diagnose_text(OOM + "quiet line\n" * 40_000)
    answered(tab)
    assert tab.error.cards[0].diagnosis.cause == "cuda_out_of_memory"
    assert len(tab.error.box.toPlainText()) <= SHOWN
    assert tab.error.hidden_note.isVisible()
    assert tab.error.box.isReadOnly()
    tab.error.start_over()
    assert not tab.error.box.isReadOnly()


def test_unreadable_file_is_told(tab: TroubleshootTab, tmp_path: Path, answered: Wait) -> None:
    tab.diagnose_file(tmp_path / "missing.log")
    answered(tab)
    assert tab.error.trouble.isVisible()


def test_a_newer_search_replaces_the_older(tab: TroubleshootTab, answered: Wait) -> None:
    tab.diagnose_text(OOM)
    tab.diagnose_text("IndexError: list index out of range")
    answered(tab)
    assert tab.error.cards[0].diagnosis.cause != "cuda_out_of_memory"


def test_evidence_of_the_wizard_can_be_checked_again(tab: TroubleshootTab, qtbot: QtBot, answered: Wait) -> None:
    evidence = Evidence(text=OOM, exit_code=1, stage="train", source="smoke_test", report=REPORT)
    tab.show_evidence(evidence)
    answered(tab)
    assert tab.error.origin.isVisible()
    with qtbot.waitSignal(tab.check_again_wanted) as told:
        qtbot.mouseClick(tab.error.again_button, Qt.MouseButton.LeftButton)
    assert told.args == [evidence]


def test_what_did_not_help_goes_last_and_is_remembered(tab: TroubleshootTab, tmp_path: Path, answered: Wait) -> None:
    tab.diagnose_text(OOM)
    answered(tab)
    first = tab.error.cards[0].diagnosis.fixes[0]
    tab.error.cards[0].failed_buttons[first.id].click()
    fixes = tab.error.cards[0].diagnosis.fixes
    assert fixes[-1].id == first.id
    assert fixes[-1].tried
    assert [entry.fix for entry in load_history(tmp_path).tried] == [first.id]
    tab.diagnose_text(OOM)
    answered(tab)
    assert tab.error.cards[0].diagnosis.fixes[-1].id == first.id


def test_a_fix_is_shown_before_it_is_done(tab: TroubleshootTab, qtbot: QtBot) -> None:
    tab.show_report(REPORT)
    tab.show_action(FixAction(kind="set_environment_variable", args={"name": "A", "value": "1"}))
    dialog = tab.dialog
    assert isinstance(dialog, FixDialog)
    with qtbot.waitSignal(tab.fix_accepted) as told:
        dialog.do_button.click()
    prepared = told.args[0]
    assert isinstance(prepared, Prepared)
    assert prepared.variables == {"A": "1"}


def test_freeing_the_card_leads_to_the_monitor(tab: TroubleshootTab, qtbot: QtBot) -> None:
    tab.show_report(REPORT)
    tab.show_action(FixAction(kind="free_gpu"))
    assert isinstance(tab.dialog, FixDialog)
    assert not tab.dialog.grab().isNull()
    with qtbot.waitSignal(tab.monitor_wanted):
        tab.dialog.do_button.click()


def test_a_refused_fix_says_why(tab: TroubleshootTab) -> None:
    tab.show_report(REPORT)
    tab.show_action(FixAction(kind="replace_cpu_build"))
    assert isinstance(tab.dialog, FixDialog)
    assert not tab.dialog.do_button.isVisible()


def test_a_fix_without_a_report_says_what_is_missing(tab: TroubleshootTab) -> None:
    tab.show_action(FixAction(kind="free_gpu"))
    assert tab.dialog is None
    assert tab.error.trouble.isVisible()


def test_help_report_is_shown_without_private_parts(tab: TroubleshootTab, tmp_path: Path, answered: Wait) -> None:
    tab.diagnose_text(OOM)
    answered(tab)
    tab.show_help_report()
    dialog = tab.dialog
    assert isinstance(dialog, HelpReportDialog)
    assert "Анна" not in dialog.text
    assert "OutOfMemoryError" in dialog.text
    dialog.copy_button.click()
    assert QGuiApplication.clipboard().text() == dialog.text


def test_the_help_report_takes_the_recording_along_and_can_be_compared(
    tab: TroubleshootTab, qtbot: QtBot, tmp_path: Path, answered: Wait
) -> None:
    tab._record = lambda: CallJob(lambda ctx: {"machine.toml": b'title = "x"\n', "raw/nvidia-smi.txt": b"GeForce"})
    tab.show_report(REPORT)
    tab.diagnose_text(OOM)
    answered(tab)
    tab.show_help_report()
    dialog = tab.dialog
    assert isinstance(dialog, HelpReportDialog)
    qtbot.waitUntil(lambda: "GeForce" in dialog.recording.toPlainText())
    dialog.save(tmp_path / "help.zip")
    with zipfile.ZipFile(tmp_path / "help.zip") as saved:
        assert saved.namelist() == [
            "report.md",
            "report.json",
            "recording/machine.toml",
            "recording/raw/nvidia-smi.txt",
        ]
        assert "Анна" not in saved.read("report.md").decode()
    dialog.close()
    newer = structs.replace(REPORT, driver=structs.replace(REPORT.driver, version="591.44"))
    tab._case = structs.replace(tab._case, evidence=structs.replace(tab._case.evidence, report=newer))
    tab.show_help_report()
    tab.dialog.compare_with(tmp_path / "help.zip")
    assert tab.dialog.text == "driver: 580.88 → 591.44"
    (tmp_path / "help.json").write_bytes(b"no report")
    tab.dialog.compare_with(tmp_path / "help.json")
    assert "help.json is no report" in tab.dialog.text


def test_closing_the_help_report_ends_the_recording(tab: TroubleshootTab, qtbot: QtBot) -> None:
    tab._record = lambda: CallJob(lambda ctx: ctx.wait(60))
    tab.show_help_report()
    assert not tab.dialog.save_button.isEnabled()
    tab.dialog.close()
    qtbot.waitUntil(lambda: not jobs.jobs_running(), timeout=5000)


@pytest.mark.parametrize("walk", list(walks()))
def test_every_walk_can_be_walked_to_an_end(tab: TroubleshootTab, walk: str) -> None:
    tab.show_page(WALK)
    place = list(walks()).index(walk)
    tab.walk.answer_buttons[place].click()
    for _ in range(20):
        assert not tab.walk.grab().isNull()
        if not tab.walk.answer_buttons:
            break
        tab.walk.answer_buttons[-1].click()
    assert not tab.walk.answer_buttons
    tab.walk.back_button.click()
    assert tab.walk.answer_buttons
    tab.walk.answer_buttons[-1].click()
    tab.walk.leave_button.click()
    assert len(tab.walk.answer_buttons) == len(walks())
    assert tab.walk.intro.isVisible()


def test_base_is_searched_and_read(tab: TroubleshootTab, qtbot: QtBot) -> None:
    tab.show_page(BASE)
    assert tab.base.list.topLevelItemCount() > 3
    qtbot.keyClicks(tab.base.search, "out of memory")
    qtbot.waitUntil(lambda: tab.base._hits is not None, timeout=5000)
    tab.base.list.setCurrentItem(tab.base.list.topLevelItem(0))
    assert tab.base.card is not None
    assert tab.base.card.failed_buttons == {}
    tab.base.search.setText("zzzzqqq")
    qtbot.waitUntil(lambda: tab.base._hits == (), timeout=5000)
    tab.base.search.clear()
    qtbot.waitUntil(lambda: tab.base._hits is None, timeout=5000)


def test_command_is_copied(tab: TroubleshootTab, answered: Wait) -> None:
    from gpu_assistant.gui.troubleshoot.line_view import CommandLine

    tab.show_page(BASE)
    tab.base.rule_chosen.emit("torch-oom-other-process")
    assert tab.base.card is not None
    for command in tab.base.card.findChildren(CommandLine):
        command.copy_button.click()
        assert QGuiApplication.clipboard().text() == command.command


def test_language_changes_while_an_answer_is_shown(tab: TroubleshootTab, answered: Wait) -> None:
    tab.diagnose_text(OOM)
    answered(tab)
    language.set_language("ru")
    QApplication.processEvents()
    assert tab.error.cards[0].accessibleName() == tab.error.cards[0].diagnosis.title.ru


PAGEFILE = "OSError: [WinError 1455] The paging file is too small for this operation to complete."


def test_a_fix_opens_the_page_of_windows_where_it_is_done(
    tab: TroubleshootTab, answered: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("gpu_assistant.gui.troubleshoot.tab.open_system_page", opened.append)
    for here in (False, True):
        monkeypatch.setattr("gpu_assistant.gui.widgets.page_button.is_windows", lambda here=here: here)
        tab.diagnose_text(PAGEFILE)
        answered(tab)
        assert bool(tab.error.cards[0].page_buttons) == here
    for button in tab.error.cards[0].page_buttons.values():
        button.click()  # type: ignore[attr-defined]
    assert opened == ["page-file"]


def test_a_question_of_a_walk_opens_the_page_that_answers_it(
    tab: TroubleshootTab, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("gpu_assistant.gui.troubleshoot.tab.open_system_page", opened.append)
    monkeypatch.setattr("gpu_assistant.gui.widgets.page_button.is_windows", lambda: True)
    monkeypatch.setattr(walks_module, "current", lambda walk, state: walks()["slow"].nodes["memory"])
    tab.walk.walk_chosen.emit("slow")
    tab.walk.findChild(PageButton).click()
    assert opened == ["task-manager"]


def test_an_accepted_fix_is_remembered(tab: TroubleshootTab, tmp_path: Path, answered: Wait) -> None:
    tab.show_report(REPORT)
    tab.diagnose_text(OOM)
    answered(tab)
    card = tab.error.cards[0]
    fix = next(fix for fix in card.diagnosis.fixes if fix.action is not None and fix.action.kind == "lower_batch")
    card.action_buttons[fix.id].click()
    assert isinstance(tab.dialog, FixDialog)
    assert load_history(tmp_path).tried == ()
    tab.dialog.do_button.click()
    assert [(entry.fix, entry.helped) for entry in load_history(tmp_path).tried] == [(fix.id, None)]


def test_what_helped_is_remembered_and_not_held_against_it(
    tab: TroubleshootTab, tmp_path: Path, answered: Wait
) -> None:
    tab.diagnose_text(OOM)
    answered(tab)
    first = tab.error.cards[0].diagnosis.fixes[0]
    tab.error.cards[0].helped_buttons[first.id].click()
    assert [(entry.fix, entry.helped) for entry in load_history(tmp_path).tried] == [(first.id, True)]
    assert tab.error.cards[0].helped_buttons == {}
    tab.diagnose_text(OOM + "once more")
    answered(tab)
    again = tab.error.cards[0].diagnosis.fixes[0]
    assert (again.id, again.tried) == (first.id, False)


def test_a_word_closes_the_open_trial(tab: TroubleshootTab, tmp_path: Path, answered: Wait) -> None:
    tab.diagnose_text(OOM)
    answered(tab)
    diagnosis = tab.error.cards[0].diagnosis
    tab._memory.accepted(diagnosis.fixes[0], diagnosis, None)
    tab.error.cards[0].failed_buttons[diagnosis.fixes[0].id].click()
    assert [entry.helped for entry in load_history(tmp_path).tried] == [False]


def test_the_next_error_takes_the_place_of_the_last(tab: TroubleshootTab, qtbot: QtBot, answered: Wait) -> None:
    tab.activateWindow()
    tab.diagnose_text(OOM)
    answered(tab)
    QGuiApplication.clipboard().setText("IndexError: list index out of range")
    tab.error.again_button.setFocus()
    qtbot.keyClick(tab.error.again_button, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert tab.error.box.text == "IndexError: list index out of range"
    qtbot.waitUntil(lambda: tab.error.cards[0].diagnosis.cause == "not_a_gpu_problem", timeout=20_000)
    answered(tab)
    tab.error.box.undo()
    assert tab.error.box.text == OOM


def test_a_huge_text_can_be_replaced_by_keyboard(tab: TroubleshootTab, qtbot: QtBot, answered: Wait) -> None:
    tab.activateWindow()
    tab.diagnose_text("quiet line\n" * 40_000)
    answered(tab)
    QGuiApplication.clipboard().setText(OOM)
    tab.error.box.setFocus()
    qtbot.keyClick(tab.error.box, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: tab.error.cards[0].diagnosis.cause == "cuda_out_of_memory", timeout=20_000)
    answered(tab)
    assert tab.error.box.text == OOM
    assert not tab.error.box.isReadOnly()


def test_an_empty_clipboard_asks_for_nothing(tab: TroubleshootTab, qtbot: QtBot) -> None:
    QGuiApplication.clipboard().clear()
    tab.error.box.paste_clipboard()
    qtbot.wait(100)
    assert tab._runner is None


def test_escape_leads_back(tab: TroubleshootTab, qtbot: QtBot) -> None:
    tab.activateWindow()
    tab.show_page(WALK)
    tab.walk.answer_buttons[0].click()
    tab.walk.answer_buttons[0].click()
    for walking in (True, False):
        tab.ways.setFocus()
        qtbot.keyClick(tab.ways, Qt.Key.Key_Escape)
        assert (tab._walk is not None) is walking
    tab.show_page(BASE)
    tab.base.search.setText("memory")
    tab.base.search.setFocus()
    qtbot.keyClick(tab.base.search, Qt.Key.Key_Escape)
    assert tab.base.search.text() == ""
    assert tab.pages.currentIndex() == BASE
    qtbot.keyClick(tab.base.search, Qt.Key.Key_Escape)
    assert tab.pages.currentIndex() == ERROR


@pytest.mark.parametrize("wanted", ["en", "ru"])
def test_an_unknown_text_ends_in_a_next_step(tab: TroubleshootTab, answered: Wait, wanted: language.Language) -> None:
    language.set_language(wanted)
    tab.diagnose_text("FrobError: zork 0x77\nfatal error: something failed")
    answered(tab)
    card = tab.error.cards[0]
    assert card.diagnosis.cause == "unknown"
    assert card.diagnosis.fixes
    assert card.failed_buttons == {}
    tab.error.walks_button.click()
    assert tab.pages.currentIndex() == WALK


def test_every_control_has_a_name(tab: TroubleshootTab, answered: Wait) -> None:
    tab.diagnose_text(OOM)
    answered(tab)
    tab.base.rule_chosen.emit("torch-oom-other-process")
    for kind in (QAbstractButton, QLineEdit, QPlainTextEdit, QTabBar, QTreeWidget):
        for control in tab.findChildren(kind):
            inner = control.objectName().startswith("qt_") or isinstance(control.parent(), QLineEdit | QTabBar)
            assert inner or control.accessibleName(), control


class StrayWindows(QObject):
    """Notes every window that is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[QWidget] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.seen.append(watched)
        return False


def test_cards_never_flash_as_windows_of_their_own(tab: TroubleshootTab, answered: Wait) -> None:
    watch = StrayWindows()
    app = QApplication.instance()
    assert app is not None
    app.installEventFilter(watch)
    tab.diagnose_text(OOM)
    answered(tab)
    tab.walk.walk_chosen.emit(next(iter(walks())))
    for rule in ("torch-oom", "torch-oom-other-process"):
        tab.base.rule_chosen.emit(rule)
    language.set_language("ru")
    app.removeEventFilter(watch)
    assert watch.seen == []
