"""All settings, in four pages. Nothing changes until OK; then everything at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFileDialog,
    QFormLayout,
    QFrame,
    QLabel,
    QLineEdit,
    QScrollArea,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from gpu_assistant.base.settings import Settings
from gpu_assistant.gui.places import PlacesPage
from gpu_assistant.gui.services import Services
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.widgets.base import Label, row
from gpu_assistant.gui.widgets.boxes import CheckBox, button, name_button
from gpu_assistant.session.state import SessionState


class FolderField(QWidget):
    """A line for a folder, with a button that looks for it."""

    def __init__(self) -> None:
        super().__init__()
        self.line = QLineEdit()
        self.button = button("folder")
        self.button.clicked.connect(self._browse)
        self.setLayout(row(self.line, self.button))
        self.setFocusProxy(self.line)

    def _browse(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, self.line.accessibleName(), self.line.text())
        if folder:
            self.line.setText(folder)


class SettingsDialog(QDialog):
    """Edits a copy of the settings."""

    accepted_settings = Signal(object)  # Settings

    def __init__(
        self, settings: Settings, services: Services, state: SessionState, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self._labels: dict[str, QLabel] = {}
        self._hints: dict[str, Label] = {}
        self._getters: dict[str, Callable[[], Any]] = {}
        self.fields: dict[str, QWidget] = {}
        self.tabs = QTabWidget()
        self.places = PlacesPage(services, state)
        for fields in (
            ("language", "theme"),
            (
                "root_folder",
                "package_index",
                "pytorch_index",
                "python_mirror",
                "wheel_folder",
                "offline",
                "proxy",
                "system_certificates",
            ),
            ("monitor_seconds", "notify_temperature_margin_c", "notify_vram_percent", "notify_idle_minutes", "tray"),
        ):
            self.tabs.addTab(self._page(fields), "")
        self.tabs.addTab(self.places, "")
        self.tabs.currentChanged.connect(self._measure)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.tabs)
        layout.addWidget(self.buttons)
        self.resize(720, 520)
        self.retranslate()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def accept(self) -> None:
        """Hands the new settings over."""
        self.accepted_settings.emit(self.chosen())
        super().accept()

    def done(self, result: int) -> None:
        super().done(result)
        self.places.stop()
        self.deleteLater()

    def chosen(self) -> Settings:
        """The settings as the fields stand."""
        return replace(self._settings, **{name: get() for name, get in self._getters.items()})

    def retranslate(self) -> None:
        """Sets every word."""
        self.setWindowTitle(self.tr("Settings"))
        names = (self.tr("General"), self.tr("Install"), self.tr("Monitor"), self.tr("Where things are"))
        for place, name in enumerate(names):
            self.tabs.setTabText(place, name)
        self.tabs.setAccessibleName(self.tr("Settings"))
        words = self._words()
        for name, (label, hint) in words.items():
            self._labels[name].setText(label)
            field = self.fields[name]
            target = field.line if isinstance(field, FolderField) else field
            target.setAccessibleName(label.replace("&", "").rstrip(":"))
            target.setAccessibleDescription(hint)
            self._hints[name].setText(hint)
            self._hints[name].setVisible(bool(hint))
            if isinstance(field, FolderField):
                name_button(field.button, self.tr("Browse…"), label.replace("&", "").rstrip(":"))
            if isinstance(field, QCheckBox):
                field.setText(label)
                self._labels[name].clear()
        self._name_choices()

    def _words(self) -> dict[str, tuple[str, str]]:
        mirror = self.tr("Only if you use a mirror; otherwise leave empty.")
        return {
            "language": (self.tr("&Language:"), ""),
            "theme": (self.tr("&Colours:"), ""),
            "root_folder": (
                self.tr("&Folder for everything big:"),
                self.tr("Environments, their Pythons and downloads. Empty: a short path on a drive with room."),
            ),
            "package_index": (self.tr("Package &index (PyPI):"), mirror),
            "pytorch_index": (
                self.tr("PyTorch &packages:"),
                self.tr("A mirror of download.pytorch.org/whl, without the part after it."),
            ),
            "python_mirror": (self.tr("P&ython downloads:"), mirror),
            "wheel_folder": (
                self.tr("Folder with &wheels:"),
                self.tr("Packages are looked for here first. Useful without a network, or for several computers."),
            ),
            "offline": (
                self.tr("Work &offline"),
                self.tr("Nothing is asked from the network: only the folder with wheels and earlier downloads."),
            ),
            "proxy": (self.tr("P&roxy:"), self.tr("For example http://proxy.example:3128. Empty: the system's.")),
            "system_certificates": (
                self.tr("Trust the system's &certificates"),
                self.tr("Needed behind office proxies and antivirus programs that look into connections."),
            ),
            "monitor_seconds": (self.tr("&Update every:"), ""),
            "notify_temperature_margin_c": (
                self.tr("Warn about &heat:"),
                self.tr("So many degrees below the point where the card slows itself down."),
            ),
            "notify_vram_percent": (self.tr("Warn about full &memory from:"), ""),
            "notify_idle_minutes": (
                self.tr("Say that training &ended after:"),
                self.tr("So long without load after a long load."),
            ),
            "tray": (self.tr("Keep an icon near the &clock"), ""),
        }

    def _name_choices(self) -> None:
        for name, texts in {
            "language": (self.tr("Like the system"), "English", "Русский"),
            "theme": (self.tr("Like the system"), self.tr("Light"), self.tr("Dark")),
        }.items():
            box = self.fields[name]
            if isinstance(box, QComboBox):
                for place, text in enumerate(texts):
                    box.setItemText(place, text)
        for name, suffix in {
            "monitor_seconds": self.tr(" s"),
            "notify_temperature_margin_c": self.tr(" °C"),
            "notify_vram_percent": self.tr(" %"),
            "notify_idle_minutes": self.tr(" min"),
        }.items():
            box = self.fields[name]
            if isinstance(box, QDoubleSpinBox):
                box.setSuffix(suffix)

    def _page(self, names: tuple[str, ...]) -> QWidget:
        inside = QWidget()
        form = QFormLayout(inside)
        form.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        form.setVerticalSpacing(SPACE)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        for name in names:
            field = self._field(name)
            self.fields[name] = field
            self._labels[name] = QLabel()
            self._labels[name].setBuddy(field)
            self._hints[name] = Label(tone="muted", size=0.92)
            if isinstance(field, QCheckBox):
                form.addRow(field)
                form.addRow(self._hints[name])
            else:
                form.addRow(self._labels[name], field)
                form.addRow("", self._hints[name])
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setWidget(inside)
        return area

    def _field(self, name: str) -> QWidget:
        value = getattr(self._settings, name)
        if name in ("language", "theme"):
            return self._choice(name, ("system", "en", "ru") if name == "language" else ("system", "light", "dark"))
        if isinstance(value, bool):
            box = CheckBox()
            box.setChecked(value)
            self._getters[name] = box.isChecked
            return box
        if isinstance(value, float):
            number = QDoubleSpinBox()
            low, high, digits = RANGES[name]
            number.setRange(low, high)
            number.setDecimals(digits)
            number.setValue(value)
            self._getters[name] = number.value
            return number
        if name in ("root_folder", "wheel_folder"):
            folder = FolderField()
            folder.line.setText(value)
            self._getters[name] = lambda: folder.line.text().strip()
            return folder
        line = QLineEdit(value)
        self._getters[name] = lambda: line.text().strip()
        return line

    def _choice(self, name: str, values: tuple[str, ...]) -> QWidget:
        box = QComboBox()
        for value in values:
            box.addItem(value, value)
        box.setCurrentIndex(values.index(getattr(self._settings, name)))
        self._getters[name] = box.currentData
        return box

    def _measure(self, place: int) -> None:
        if self.tabs.widget(place) is self.places:
            self.places.measure()


RANGES = {
    "monitor_seconds": (0.5, 60.0, 1),
    "notify_temperature_margin_c": (0.0, 30.0, 0),
    "notify_vram_percent": (50.0, 100.0, 0),
    "notify_idle_minutes": (0.5, 60.0, 1),
}
