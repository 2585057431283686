"""What the user sees of an error of our own."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QDialog, QPlainTextEdit, QVBoxLayout

from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.widgets.base import Label, fixed_font, row
from gpu_assistant.gui.widgets.boxes import Banner, button, name_button


class CrashDialog(QDialog):
    """Says that the fault is ours, what is safe, and what can be done with the report."""

    def __init__(self, text: str, path: str) -> None:
        super().__init__(QApplication.activeWindow())
        self.setWindowTitle(self.tr("Something went wrong in GPU Assistant"))
        self.setMinimumSize(640, 420)
        said = Banner("problem")
        said.show_text(
            "problem",
            self.tr("This is our mistake, not yours."),
            [self.tr("Your environments and files are safe. You can go on; if anything looks wrong, start again.")],
        )
        self.report = QPlainTextEdit(text)
        self.report.setReadOnly(True)
        self.report.setFont(fixed_font(self, 0.95))
        self.report.setTabChangesFocus(True)
        self.report.setAccessibleName(self.tr("Report"))
        where = Label(tone="muted", selectable=True)
        where.setText(self.tr("Nothing was sent. The report lies here: {path}").format(path=path))
        copy = button("copy")
        name_button(copy, self.tr("&Copy report"))
        copy.clicked.connect(lambda: QApplication.clipboard().setText(text))
        close = button(primary=True)
        name_button(close, self.tr("&Go on"))
        close.clicked.connect(self.accept)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        layout.setSpacing(SPACE + SPACE // 2)
        for widget in (said, self.report, where):
            layout.addWidget(widget)
        layout.addLayout(row(1, copy, close))
