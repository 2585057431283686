"""The icon beside the clock: says how busy the card is, and speaks up when something needs eyes."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from gpu_assistant.gui import icons, theme
from gpu_assistant.gui.language import say
from gpu_assistant.monitor.alerts import Alert

ICONS = {
    "back": QSystemTrayIcon.MessageIcon.Information,
    "lost": QSystemTrayIcon.MessageIcon.Critical,
}


class Tray(QObject):
    """Exists only while the user wants it and the desktop has a place for it."""

    opened = Signal()
    strip_wanted = Signal()
    notified = Signal(str)  # what was said; also where the desktop has no tray

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._icon: QSystemTrayIcon | None = None
        self._menu: QMenu | None = None

    def set_wanted(self, wanted: bool) -> None:
        """Shows or removes the icon."""
        if not wanted:
            self.remove()
        elif self._icon is None and QSystemTrayIcon.isSystemTrayAvailable():
            self._icon = QSystemTrayIcon(icons.app_icon(), self)
            self._icon.activated.connect(self._activated)
            self._icon.messageClicked.connect(self.opened)
            self._menu = QMenu()
            self._menu.addAction(self.tr("Open GPU Assistant")).triggered.connect(self.opened)
            self._menu.addAction(self.tr("Small window above the others")).triggered.connect(self.strip_wanted)
            self._icon.setContextMenu(self._menu)
            self._icon.show()

    def remove(self) -> None:
        """Takes the icon away."""
        if self._icon is not None:
            self._icon.hide()
            self._icon.deleteLater()
            self._icon = None

    def show_words(self, text: str, *, trouble: bool) -> None:
        """What the icon says when the mouse rests on it."""
        if self._icon is not None:
            self._icon.setToolTip(f"GPU Assistant\n{text}")
            self._icon.setIcon(icons.icon("warning", theme.foreground("warning")) if trouble else icons.app_icon())

    def notify(self, alert: Alert) -> None:
        """Says something once."""
        text = say(alert.text)
        if self._icon is not None:
            kind = ICONS.get(alert.kind, QSystemTrayIcon.MessageIcon.Warning)
            self._icon.showMessage("GPU Assistant", text, kind)
        self.notified.emit(text)

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason == QSystemTrayIcon.ActivationReason.Trigger:
            self.opened.emit()
