""" "Will it fit?": a network and a way to run it go in; the memory, part by part, and what to change come out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QGridLayout, QSpinBox, QWidget

from gpu_assistant.base.job import Failed, Succeeded
from gpu_assistant.base.message import message
from gpu_assistant.detect.gpus import gpu_table
from gpu_assistant.detect.report import PackageBuild
from gpu_assistant.fit.changes import path_to_fit
from gpu_assistant.fit.code import WAYS, as_code
from gpu_assistant.fit.estimate import Estimate, corrected, estimate
from gpu_assistant.fit.shape import Shape, presets
from gpu_assistant.fit.sources import UnknownFile, read_shape
from gpu_assistant.fit.trial import Trial, can_try, run_trial
from gpu_assistant.fit.verdict import GIB, cards_that_do, fits, verdict
from gpu_assistant.fit.wish import OPTIMIZERS, PRECISIONS, SHARDINGS, TASKS, Wish
from gpu_assistant.fit.words import change_message
from gpu_assistant.gui.jobs import Ending, JobRunner
from gpu_assistant.gui.language import format_bytes, say
from gpu_assistant.gui.services import CallJob
from gpu_assistant.gui.text_dialogs import PageDialog
from gpu_assistant.gui.theme import SPACE, Tone
from gpu_assistant.gui.training.memory_bar import MemoryBar, Swatch
from gpu_assistant.gui.training.two_panes import TwoPanes
from gpu_assistant.gui.troubleshoot.line_view import CommandLine
from gpu_assistant.gui.widgets.base import Card, Label, Worded, clear, column, row
from gpu_assistant.gui.widgets.boxes import Banner, CheckBox, Details, button, name_button
from gpu_assistant.session.state import SessionState, python_to_test

OWN_FILE = "file"
FILES = (".json", ".safetensors")
LEFT = 430  # pixels


class FitPage(Worded):
    """The form on the left, the answer on the right; it answers at every change."""

    spoke = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._own: Shape | None = None
        self._python: str | None = None
        self._runner: JobRunner | None = None
        self._trial: tuple[Shape, Wish, Trial] | None = None
        self._silent = False
        self.title, self.intro = Label(size=1.4, bold=True), Label(tone="muted")
        self.model, self.task, self.precision, self.optimizer = QComboBox(), QComboBox(), QComboBox(), QComboBox()
        self.card, self.sharding = QComboBox(), QComboBox()
        self.batch, self.length, self.cards = QSpinBox(), QSpinBox(), QSpinBox()
        self.checkpointing, self.offload = CheckBox(), CheckBox()
        self.file_button, self.trial_button = button("folder"), button("play")
        self._names = {key: Label() for key in ("model", "task", "batch", "length", "precision", "optimizer", "card")}
        self._names |= {key: Label() for key in ("cards", "sharding")}
        self.answer = Banner("info", big=True)
        self.bar = MemoryBar()
        self._parts = QGridLayout()
        self._ways = column(spacing=SPACE // 2)
        self.measured, self.advice_title, self.trouble = Label(selectable=True), Label(bold=True), Banner("problem")
        self.code_details = Details()
        self.which_button = button("gpu")
        self._build()
        self._fill()
        self._wire()
        self.retranslate()

    def retranslate(self) -> None:
        self.title.setText(self.tr("Will my network fit?"))
        self.intro.setText(self.tr("Choose a network and what to do with it. The answer changes as you choose."))
        words = {
            "model": self.tr("Network"),
            "task": self.tr("What to do"),
            "batch": self.tr("Examples in a step (batch)"),
            "length": self.tr("Length of the texts, in tokens"),
            "precision": self.tr("Numbers"),
            "optimizer": self.tr("Optimizer"),
            "card": self.tr("Card"),
            "cards": self.tr("How many cards"),
            "sharding": self.tr("Spread over the cards"),
        }
        for key, text in words.items():
            self._names[key].setText(text)
            getattr(self, key).setAccessibleName(text)
        self.length.setSpecialValueText(self.tr("as usual"))
        self.checkpointing.setText(self.tr("Calculate activations &anew instead of keeping them"))
        self.offload.setText(self.tr("Keep the optimizer's memory in &ordinary memory"))
        name_button(self.file_button, self.tr("From a &file…"), self.tr("A config.json or a .safetensors file"))
        name_button(self.trial_button, self.tr("&Measure it"), self.tr("Two trial steps in your environment"))
        self.code_details.set_title(self.tr("These settings as code"))
        name_button(self.which_button, self.tr("Which &card do I need?"))
        self._name_choices()
        self._answer()

    def show_state(self, state: SessionState) -> None:
        """The computer's own cards first."""
        self._python = python_to_test(state) or next(
            (one.executable for one in (state.report.pythons if state.report else ()) if _has_torch(one.packages)), None
        )
        own = [gpu for gpu in (state.report.gpus if state.report is not None else ()) if gpu.vram_total]
        rows = [(gpu.name, gpu.vram_total or 0, gpu.vram_used or 0) for gpu in own]
        if rows and self.card.itemData(0) != rows[0]:
            self._silent = True
            for place, data in enumerate(rows):
                self.card.insertItem(place, f"★ {data[0]} ({format_bytes(data[1])})", data)
            self.card.setCurrentIndex(0)
            self._silent = False
        self._answer()

    def open_file(self, path: Path) -> None:
        """A network of the user's own."""
        try:
            self._own = read_shape(path)
        except UnknownFile as error:
            self.trouble.show_text("problem", say(error.reason))
            self.trouble.show()
            return
        except OSError as error:
            self.trouble.show_text("problem", str(error))
            self.trouble.show()
            return
        self.trouble.hide()
        if self.model.itemData(0) != OWN_FILE:
            self.model.insertItem(0, "", OWN_FILE)
        self.model.setItemText(0, self._own.name)
        self.model.setCurrentIndex(0)
        self._answer()

    def shut_down(self) -> None:
        """Ends a trial that runs."""
        if self._runner is not None:
            self._runner.cancel()

    @property
    def shape(self) -> Shape:
        """The chosen network."""
        chosen = self.model.currentData()
        return self._own if chosen == OWN_FILE and self._own is not None else presets()[chosen]

    @property
    def wish(self) -> Wish:
        """The chosen way."""
        task = self.task.currentData()
        precision = self.precision.currentData()
        if task == "inference" and precision == "mixed":
            precision = "bf16"
        return Wish(
            task=task,
            batch=self.batch.value(),
            length=self.length.value(),
            precision=precision,
            optimizer=self.optimizer.currentData(),
            checkpointing=self.checkpointing.isChecked(),
            cards=self.cards.value(),
            sharding=self.sharding.currentData(),
            offload=self.offload.isChecked(),
        )

    # the answer

    def _answer(self) -> None:
        if self._silent or self.card.currentData() is None:
            return
        shape, wish = self.shape, self.wish
        _, room, desktop = self.card.currentData()
        guess = found = estimate(shape, wish, desktop=desktop)
        trial = self._trial_of(shape, wish)
        if trial is not None:
            found = corrected(guess, trial.peak)
        tones: dict[bool | None, Tone] = {True: "good", False: "problem", None: "warning"}
        parameters = say(message("fit-parameters", name=shape.name, millions=shape.counted / 1e6))
        self.answer.show_text(tones[fits(found, room)], say(verdict(found, room)), [parameters])
        self.bar.show_parts([part.high for part in found.parts], room)
        self.bar.setAccessibleName(say(verdict(found, room)))
        self._draw_parts(found)
        self._draw_ways(shape, wish, found, room, desktop)
        self._draw_code(wish)
        self._draw_trial(shape, wish, trial, guess)
        for one in (self.optimizer, self.checkpointing, self.offload):
            one.setEnabled(wish.trains)
        self.sharding.setEnabled(wish.cards > 1 and wish.trains)
        self.length.setEnabled(shape.kind in ("decoder", "encoder"))

    def _draw_parts(self, found: Estimate) -> None:
        clear(self._parts)
        for place, part in enumerate(found.parts):
            size = format_bytes(part.high)
            if part.low and part.low != part.high:
                size = f"{format_bytes(part.low)} … {size}"
            self._parts.addWidget(Swatch(place), place, 0)
            self._parts.addWidget(Label(say(message(f"fit-part-{part.id}"))), place, 1)
            self._parts.addWidget(Label(size, wrap=False), place, 2, Qt.AlignmentFlag.AlignRight)

    def _draw_ways(self, shape: Shape, wish: Wish, found: Estimate, room: int, desktop: int) -> None:
        clear(self._ways)
        if found.high <= room:
            cards = [(name, gib) for name, gib in _known_cards()]
            self.advice_title.setText(say(cards_that_do(found, cards)))
            return
        way = path_to_fit(shape, wish, room, desktop=desktop)
        self.advice_title.setText(say(message("fit-verdict-path" if way else "fit-verdict-no-path")))
        for number, change in enumerate(way or (), 1):
            self._ways.addWidget(Label(f"{number}. {say(change_message(shape, change))}", selectable=True))
        if way:
            apply = button("check", primary=True)
            name_button(apply, self.tr("&Do all of that"))
            apply.clicked.connect(lambda: self._choose(way[-1].wish))
            self._ways.addLayout(row(apply, 1))

    def _draw_code(self, wish: Wish) -> None:
        clear(self.code_details.body)
        for way in WAYS:
            self.code_details.body.addWidget(Label(way, tone="muted"))
            self.code_details.body.addWidget(CommandLine(as_code(wish, way)))

    def _draw_trial(self, shape: Shape, wish: Wish, trial: Trial | None, guess: Estimate) -> None:
        possible = self._python is not None and can_try(shape, wish)
        self.trial_button.setEnabled(possible and self._runner is None)
        self.measured.setVisible(trial is not None)
        if trial is not None:
            words = "card" if trial.how == "card" else "shapes"
            self.measured.setText(say(message(f"fit-trial-{words}", peak=trial.peak, guess=guess.tensors)))

    def _trial_of(self, shape: Shape, wish: Wish) -> Trial | None:
        """What was measured of exactly this."""
        return self._trial[2] if self._trial is not None and self._trial[:2] == (shape, wish) else None

    def _choose(self, wish: Wish) -> None:
        self._silent = True
        for box, value in (
            (self.task, wish.task),
            (self.precision, wish.precision),
            (self.optimizer, wish.optimizer),
            (self.sharding, wish.sharding),
        ):
            box.setCurrentIndex(box.findData(value))
        self.batch.setValue(wish.batch)
        self.length.setValue(wish.length)
        self.checkpointing.setChecked(wish.checkpointing)
        self._silent = False
        self._answer()

    # measuring

    def measure(self) -> None:
        """Two trial steps in the environment; the answer then stands beside the estimate."""
        python, shape, wish = self._python, self.shape, self.wish
        if python is None or self._runner is not None:
            return
        self._runner = JobRunner(CallJob(lambda ctx: run_trial(python, shape, wish, ctx)))
        self._runner.ended.connect(lambda ending: self._measured(shape, wish, ending))
        self._runner.start()
        self.trouble.hide()
        name_button(self.trial_button, self.tr("Measuring…"))
        self._answer()

    def _measured(self, shape: Shape, wish: Wish, ending: Ending) -> None:
        self._runner = None
        name_button(self.trial_button, self.tr("&Measure it"), self.tr("Two trial steps in your environment"))
        if isinstance(ending, Succeeded):
            self._trial = (shape, wish, ending.result)
        elif isinstance(ending, Failed):
            self.trouble.show_text("problem", say(message("fit-trial-failed", detail=str(ending.error))))
            self.trouble.show()
        self._answer()

    def explain_cards(self) -> None:
        """Which card is enough for what."""
        PageDialog(self.tr("Which card do I need?"), "cards", self).open()

    # building

    def _fill(self) -> None:
        for id_, shape in presets().items():
            self.model.addItem(shape.name, id_)
        self.model.setCurrentIndex(self.model.findData("gpt2"))
        for name, gib in _known_cards():
            self.card.addItem(f"{name} ({gib:g} GiB)", (name, round(gib * GIB), 0))
        self.card.setCurrentIndex(max(0, self.card.findText("NVIDIA GeForce RTX 4060 (8 GiB)")))
        self.batch.setRange(1, 4096)
        self.length.setRange(0, 1 << 20)
        self.cards.setRange(1, 64)
        for box in (self.model, self.card):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        for values, box in (
            (TASKS, self.task),
            (PRECISIONS, self.precision),
            (OPTIMIZERS, self.optimizer),
            (SHARDINGS, self.sharding),
        ):
            for value in values:
                box.addItem("", value)
        self.task.setCurrentIndex(self.task.findData("full"))
        self.precision.setCurrentIndex(self.precision.findData("mixed"))
        self.optimizer.setCurrentIndex(self.optimizer.findData("adamw"))

    def _name_choices(self) -> None:
        kinds = {"task": self.task, "precision": self.precision, "optimizer": self.optimizer}
        for kind, box in kinds.items():
            for place in range(box.count()):
                box.setItemText(place, say(message(f"fit-{kind}-{box.itemData(place)}")))
        plain = {"ddp": self.tr("whole on each (DDP)"), "zero1": "ZeRO-1", "zero2": "ZeRO-2", "zero3": "ZeRO-3"}
        for place in range(self.sharding.count()):
            self.sharding.setItemText(place, plain[self.sharding.itemData(place)])

    def _build(self) -> None:
        self.trouble.hide()
        form = QGridLayout()
        form.setVerticalSpacing(SPACE)
        form.setHorizontalSpacing(SPACE)
        order = ("model", "task", "card", "batch", "length", "precision", "optimizer", "cards", "sharding")
        for place, key in enumerate(order):
            form.addWidget(self._names[key], place, 0)
            form.addWidget(getattr(self, key), place, 1)
        form.setColumnStretch(1, 1)
        left = column(
            self.title,
            self.intro,
            form,
            self.checkpointing,
            self.offload,
            row(self.file_button, self.trial_button, 1),
            row(self.which_button, 1),
            self.trouble,
            1,
        )
        parts = Card(padding=SPACE + SPACE // 2)
        self._parts.setColumnStretch(1, 1)
        self._parts.setHorizontalSpacing(SPACE)
        parts.body.addWidget(self.bar)
        parts.body.addLayout(self._parts)
        right = column(self.answer, parts, self.measured, self.advice_title, self._ways, self.code_details, 1)
        panes = [QWidget(), QWidget()]
        for pane, layout in zip(panes, (left, right), strict=True):
            pane.setLayout(layout)
        whole = column(TwoPanes(*panes, width=LEFT))
        whole.setContentsMargins(2 * SPACE, SPACE, 2 * SPACE, SPACE)
        self.setLayout(whole)

    def _wire(self) -> None:
        for box in (self.model, self.task, self.precision, self.optimizer, self.card, self.sharding):
            box.currentIndexChanged.connect(self._answer)
        for spin in (self.batch, self.length, self.cards):
            spin.valueChanged.connect(self._answer)
        for check in (self.checkpointing, self.offload):
            check.toggled.connect(self._answer)
        self.file_button.clicked.connect(self._ask_for_file)
        self.trial_button.clicked.connect(self.measure)
        self.which_button.clicked.connect(self.explain_cards)

    def _ask_for_file(self) -> None:
        dialog = QFileDialog(self, self.tr("The network's file"), "", self.tr("Networks (*.json *.safetensors)"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda name: self.open_file(Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()


def _known_cards() -> list[tuple[str, float]]:
    return sorted((row.name, gib) for row in gpu_table().known for gib in row.vram_gib)


def _has_torch(packages: Iterable[PackageBuild]) -> bool:
    return any(package.name == "torch" for package in packages)
