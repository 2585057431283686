"""The Monitor tab: the panel, what feeds it, and what belongs around it (strip, tray, recordings)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices, QHideEvent, QShowEvent
from PySide6.QtWidgets import QFileDialog, QMessageBox, QVBoxLayout

from gpu_assistant.base.job import Failed
from gpu_assistant.base.message import Message
from gpu_assistant.base.paths import app_paths
from gpu_assistant.base.settings import Settings
from gpu_assistant.gui.jobs import JobRunner
from gpu_assistant.gui.language import language, say
from gpu_assistant.gui.monitor.glances import GlanceWriter
from gpu_assistant.gui.monitor.monitoring import MakeSampler, Monitoring, real_sampler
from gpu_assistant.gui.monitor.panel import Panel
from gpu_assistant.gui.monitor.recordings import Opened, Recordings
from gpu_assistant.gui.monitor.strip import Strip
from gpu_assistant.gui.monitor.tray import Tray
from gpu_assistant.gui.services import CallJob
from gpu_assistant.gui.widgets.base import Worded
from gpu_assistant.monitor.comparison import Comparison
from gpu_assistant.monitor.hints import find_hints
from gpu_assistant.monitor.metrics import metrics
from gpu_assistant.monitor.model import Mark, ProcessSample, Sample
from gpu_assistant.monitor.processes import ProcessChanged, ProcessRefused, end_process


class MonitorTab(Worded):
    """Wires the panel to the sampler. The window owns the settings; a change is announced, not made."""

    settings_changed = Signal(object)  # Settings
    window_wanted = Signal()  # the tray or the strip asks for the window
    spoke = Signal(str)  # something that needs no answer

    def __init__(
        self, settings: Settings, make_sampler: MakeSampler = real_sampler, folder: Path | None = None
    ) -> None:
        super().__init__()
        self._settings = settings
        self.folder = folder or app_paths().data / "recordings"
        self._live = True
        self._question: QMessageBox | None = None
        self._writer = GlanceWriter(self)
        self.monitoring = Monitoring(settings, make_sampler)
        self.panel = Panel()
        self.strip = Strip()
        self.tray = Tray(self)
        self.recordings = Recordings(self, self.folder)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.panel)
        self._wire()
        self.panel.show_metrics(settings.monitor_metrics)
        self.panel.show_store(self.monitoring.store)
        self.tray.set_wanted(settings.tray)

    # for the rest of the window

    def add_mark(self, mark: Mark) -> None:
        """A moment on the time line: "training_started", "training_ended", "oom"."""
        self.monitoring.add_mark(mark)

    def add_training(self, moment: float, values: Mapping[str, float]) -> None:
        """Numbers that a training tells: metric ids of scope "training"."""
        self.monitoring.add_training(moment, values)

    def set_training(self, pid: int | None) -> None:
        """Which process is ours, with its children; None: the training ended. Both leave a mark."""
        self.monitoring.set_training(pid)
        self.add_mark(Mark(time=time.time(), kind="training_started" if pid is not None else "training_ended"))

    def use_settings(self, settings: Settings) -> None:
        """New settings."""
        self._settings = settings
        self.monitoring.use_settings(settings)
        self.panel.show_metrics(settings.monitor_metrics)
        self.tray.set_wanted(settings.tray)

    def shut_down(self) -> None:
        """Ends what runs outside of the window."""
        self.monitoring.shut_down()
        self.tray.remove()
        self.strip.hide()
        self.strip.deleteLater()

    # events

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._watch()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._watch()

    # wishes of the panel

    def _wire(self) -> None:
        bar = self.panel.bar
        self.monitoring.sampled.connect(self._show_sample)
        self.monitoring.hinted.connect(self._show_hints)
        self.monitoring.alerted.connect(self.tray.notify)
        self.monitoring.recorded.connect(self._recorded)
        self.monitoring.failed.connect(self._failed)
        self.panel.metrics_chosen.connect(self._choose_metrics)
        self.panel.end_wanted.connect(self.ask_to_end)
        bar.record_chosen.connect(self._record)
        bar.open_wanted.connect(self.recordings.ask_to_open)
        bar.compare_wanted.connect(self.recordings.ask_to_compare)
        bar.csv_wanted.connect(self._export_table)
        bar.picture_wanted.connect(self._ask_for_picture)
        bar.folder_wanted.connect(self._open_folder)
        bar.strip_chosen.connect(self.show_strip)
        bar.live_wanted.connect(self.show_live)
        self.recordings.opened.connect(self._show_recording)
        self.recordings.compared.connect(self._show_comparison)
        self.recordings.exported.connect(self._exported)
        self.recordings.failed.connect(self._failed)
        self.recordings.two_wanted.connect(
            lambda: self._say(self.tr("Choose exactly two recordings: hold Ctrl and click the second one."))
        )
        self.strip.closed.connect(lambda: self.show_strip(False))
        self.strip.opened.connect(self.window_wanted)
        self.tray.opened.connect(self.window_wanted)
        self.tray.strip_wanted.connect(lambda: self.show_strip(True))

    def _watch(self) -> None:
        self.monitoring.set_watched(self.isVisible() or self.strip.isVisible())

    def _show_sample(self, sample: Sample) -> None:
        if self._live and self.isVisible():
            self.panel.show_ours(self.monitoring.own_pids)
            self.panel.refresh()
        if self.strip.isVisible() or self._settings.tray:
            alone = len(sample.gpus) == 1
            glances = [self._writer.of_gpu(gpu, place, alone=alone) for place, gpu in enumerate(sample.gpus)]
            self.strip.show_glances(glances or [self._writer.of_host(sample)])
            trouble = any(glance.tone == "problem" for glance in glances)
            self.tray.show_words("\n".join(glance.spoken for glance in glances[:4]), trouble=trouble)

    def _show_hints(self, hints: tuple[object, ...]) -> None:
        if self._live:
            self.panel.show_hints(hints)  # type: ignore[arg-type]

    def _choose_metrics(self, chosen: tuple[str, ...]) -> None:
        self._settings = replace(self._settings, monitor_metrics=chosen)
        self.settings_changed.emit(self._settings)

    def show_strip(self, shown: bool) -> None:
        """Shows or hides the small window."""
        self.panel.bar.show_strip(shown)
        self.strip.setVisible(shown)
        self._watch()
        if shown and self.monitoring.store.last is not None:
            self._show_sample(self.monitoring.store.last)

    # ending a program

    def ask_to_end(self, process: ProcessSample) -> None:
        """Asks once more, with the program's name."""
        name = process.name or str(process.pid)
        box = QMessageBox(QMessageBox.Icon.Warning, "GPU Assistant", "", parent=self)
        box.setText(self.tr("End {name} (process {pid})?").format(name=name, pid=process.pid))
        box.setInformativeText(
            self.tr("What it has not saved is lost. A training begins again from its last checkpoint.")
        )
        end = box.addButton(self.tr("&End it"), QMessageBox.ButtonRole.DestructiveRole)
        stay = box.addButton(self.tr("&Let it run"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(stay)
        box.setEscapeButton(stay)
        box.finished.connect(lambda _: self._answered(box, box.clickedButton() is end, process, name))
        self._question = box
        box.open()

    def _answered(self, box: QMessageBox, agreed: bool, process: ProcessSample, name: str) -> None:
        self._question = None
        box.deleteLater()
        if not agreed:
            return
        runner = JobRunner(CallJob(lambda ctx: end_process(process.pid, process.started)))

        def ended(ending: object) -> None:
            error = ending.error if isinstance(ending, Failed) else None
            if isinstance(error, ProcessChanged):
                self._say(self.tr("{name} had already ended.").format(name=name))
            elif isinstance(error, ProcessRefused):
                self._say(self.tr("The system does not let us end {name}. Try the task manager.").format(name=name))
            elif error is not None:
                raise error
            else:
                self._say(self.tr("{name} was ended.").format(name=name))

        runner.ended.connect(ended)
        runner.start()

    # recordings

    def _record(self, wanted: bool) -> None:
        if not wanted:
            self.monitoring.stop_recording()
            return
        self.monitoring.start_recording(self.folder)
        self.panel.bar.show_recording(self.monitoring.recording)
        if self.monitoring.recording:
            self._say(self.tr("Recording. Click again to stop; closing the program stops it too."))

    def _recorded(self, path: Path) -> None:
        self.recordings.current = path
        self._say(self.tr("Saved: {file}").format(file=path))

    def show_live(self) -> None:
        """Back to what happens now."""
        self._live = True
        self.panel.bar.show_source(live=True)
        self.panel.show_note("")
        self.panel.show_store(self.monitoring.store)
        self.panel.view.set_span(300.0)
        self.panel.view.follow()

    def _show_recording(self, opened: Opened) -> None:
        self._leave_live()
        parts = [self.tr("Recording {file}").format(file=opened.path.name)]
        if opened.truncated:
            parts.append(self.tr("Its end is damaged; everything before it is shown."))
        self.panel.show_note(" · ".join(parts))
        self.panel.show_store(opened.store)
        self.panel.show_whole()
        self.panel.show_hints(find_hints(opened.store))

    def _show_comparison(self, opened: tuple[Opened, Opened], comparison: Comparison | None) -> None:
        self._leave_live()
        names = [one.path.stem for one in opened]
        parts = [self.tr("{first} and {second}, each from its beginning").format(first=names[0], second=names[1])]
        if comparison is not None:
            parts.append(say(comparison.verdict))
            titles = [metrics()[id_].title(language()) for id_ in comparison.reasons]
            if titles:
                parts.append(self.tr("What differs most: {names}").format(names=", ".join(titles)))
        self.panel.show_note("\n".join(parts))
        self.panel.show_hints(())
        self.panel.show_comparison([(name, one.store) for name, one in zip(names, opened, strict=True)])

    def _leave_live(self) -> None:
        self._live = False
        self.panel.bar.show_source(live=False)
        self.panel.view.pointed = None

    def _export_table(self) -> None:
        if self.monitoring.recording:
            self._say(self.tr("Stop the recording first; then it can become a table."))
        else:
            self.recordings.ask_to_export()

    def _exported(self, path: Path) -> None:
        self._say(self.tr("Saved: {file}").format(file=path))

    def _ask_for_picture(self) -> None:
        dialog = QFileDialog(self, self.tr("Save the charts as a picture"), "", self.tr("Pictures (*.png)"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("png")
        dialog.selectFile(time.strftime("gpu-%Y-%m-%d_%H-%M.png"))
        dialog.fileSelected.connect(lambda name: self.save_picture(Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def save_picture(self, path: Path) -> None:
        """All charts as they are, those scrolled out of sight too."""
        if self.panel.charts.grab().save(str(path), "PNG"):
            self._exported(path)
        else:
            self._say(self.tr("The picture cannot be saved there: {file}").format(file=path))

    def _open_folder(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.folder)))

    def _failed(self, trouble: Message) -> None:
        self.panel.bar.show_recording(self.monitoring.recording)
        self._say(say(trouble))

    def _say(self, text: str) -> None:
        self.panel.show_note(text)
        self.spoke.emit(text)
