"""Dialogs that only show text: words explained, diagnostics to copy, about."""

from __future__ import annotations

import platform
import re
from importlib.metadata import PackageNotFoundError, version

from PySide6.QtCore import Qt, QUrl, qVersion
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QTextBrowser, QVBoxLayout, QWidget

from gpu_assistant import __version__
from gpu_assistant.base.licences import PARTS, licences
from gpu_assistant.base.redact import redact
from gpu_assistant.base.resources import resource_root
from gpu_assistant.base.system_pages import open_system_page
from gpu_assistant.gui import language
from gpu_assistant.gui.report_text import private_words, report_text
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.widgets.base import Label, Symbol, column, fixed_font, row
from gpu_assistant.gui.widgets.boxes import button, name_button
from gpu_assistant.session.state import SessionState


class TextDialog(QDialog):
    """A dialog with something to read and a button that closes it; Esc closes it too."""

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.content = QVBoxLayout()
        self.content.setSpacing(SPACE)
        self.buttons = row(1)
        close = button(primary=True)
        name_button(close, self.tr("&Close"))
        close.clicked.connect(self.accept)
        self.buttons.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        layout.setSpacing(2 * SPACE)
        layout.addLayout(self.content)
        layout.addLayout(self.buttons)

    def add_copy(self, text: str) -> None:
        """A button that copies the text."""
        copy = button("copy")
        name_button(copy, self.tr("C&opy"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(text))
        self.buttons.insertWidget(1, copy)


class PageDialog(TextDialog):
    """A page of `resources/i18n/<stem>_<language>.md`."""

    def __init__(self, title: str, stem: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.resize(760, 560)
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)
        self.text.anchorClicked.connect(_open_link)
        self.text.setAccessibleName(title)
        path = resource_root() / "i18n" / f"{stem}_{language.language()}.md"
        self.text.setMarkdown(_with_pages(path.read_text("utf-8")))
        self.content.addWidget(self.text)


class HelpDialog(PageDialog):
    """The words of this trade, in plain language."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Words explained"), "words", parent)


def _with_pages(markdown: str) -> str:
    """Links to pages of Windows (`page:task-manager`) stay only where there is Windows."""
    return markdown if language.is_windows() else re.sub(r" ?\[[^\]]*\]\(page:[a-z-]+\)", "", markdown)


def _open_link(link: QUrl) -> None:
    if link.scheme() == "page":
        open_system_page(link.path())
    else:
        QDesktopServices.openUrl(link)


class DiagnosticsDialog(TextDialog):
    """Everything that helps others to help: shown first, copied then."""

    def __init__(self, state: SessionState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Diagnostics"))
        self.resize(720, 560)
        text = diagnostics(state)
        said = Label(
            self.tr("This is what will be copied. Names, folders and serial numbers are taken out."), tone="muted"
        )
        self.text = QPlainTextEdit(text)
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setFont(fixed_font(self, 0.95))
        self.text.setAccessibleName(self.tr("Diagnostics"))
        self.content.addWidget(said)
        self.content.addWidget(self.text)
        self.add_copy(text)


class AboutDialog(TextDialog):
    """Versions and licences."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("About GPU Assistant"))
        self.setMinimumWidth(460)
        title = Label("GPU Assistant", size=1.6, bold=True)
        what = Label(self.tr("From a graphics card to a network in training."), tone="muted")
        head = row(Symbol("app", 56), column(title, what, spacing=2), spacing=2 * SPACE)
        self.content.addLayout(head)
        versions = versions_text()
        self.versions = Label(versions, selectable=True)
        self.content.addWidget(self.versions)
        self.content.addWidget(
            Label(
                self.tr(
                    "GPU Assistant is free software under the MIT licence. The window is made with Qt and PySide6"
                    " (LGPL-3.0). Installs are done by uv (MIT or Apache-2.0)."
                ),
                tone="muted",
            )
        )
        self.add_copy(versions)
        self.licences_button = button("book")
        name_button(self.licences_button, self.tr("&Licences of all parts"))
        self.licences_button.clicked.connect(lambda: LicencesDialog(self).open())
        self.buttons.insertWidget(0, self.licences_button)


class LicencesDialog(TextDialog):
    """What every part of the program is under."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Licences"))
        self.resize(760, 560)
        self.text = QPlainTextEdit(licences())
        self.text.setReadOnly(True)
        self.text.setFont(fixed_font(self, 0.95))
        self.text.setAccessibleName(self.windowTitle())
        self.content.addWidget(self.text)
        self.add_copy(self.text.toPlainText())


def versions_text() -> str:
    """The versions of everything that we consist of, one a line."""
    lines = [
        f"GPU Assistant {__version__}",
        f"Python {platform.python_version()} ({platform.system()} {platform.machine()})",
        f"Qt {qVersion()}",
    ]
    for name in PARTS:
        try:
            lines.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return "\n".join(lines)


def diagnostics(state: SessionState) -> str:
    """Versions, where the user is, and the report, without private parts."""
    parts = [versions_text(), "", f"page: {state.page}, framework: {state.framework}, option: {state.option}"]
    if state.install is not None:
        step = state.install.step
        parts.append(f"install: {state.install.ending}, step: {step.id if step else None}")
        parts += [f"  {line}" for line in state.install.lines[-20:]]
    if state.report is not None:
        parts += ["", report_text(state.report, state.verdict)]
    return redact("\n".join(parts), private_words())
