"""The frame that every page of the wizard shares: a headline, one sentence, the content, the buttons."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from gpu_assistant.base.message import Message
from gpu_assistant.gui import theme
from gpu_assistant.gui.language import say
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.widgets.base import Label, Worded, column, row
from gpu_assistant.gui.widgets.boxes import Banner, Button, button, name_button
from gpu_assistant.session.state import SessionState

CONTENT_WIDTH = 980  # longer lines are hard to read


class Page(Worded):
    """A page draws a state and announces wishes. It holds no service and starts nothing."""

    back_wanted = Signal()
    next_wanted = Signal()

    def __init__(self, next_icon: str = "arrow-right") -> None:
        super().__init__()
        self._state = SessionState()
        self.title = Label(size=1.7, bold=True)
        self.intro = Label(tone="muted", size=1.05)
        self.notice = Banner("warning")
        self.content = QVBoxLayout()
        self.content.setSpacing(2 * SPACE)
        self.back_button = button("arrow-left")
        self.next_button = button(next_icon, primary=True)
        self.extra_buttons = row()
        self.back_button.clicked.connect(self.back_wanted)
        self.next_button.clicked.connect(self.next_wanted)
        self._build()

    def show_state(self, state: SessionState) -> None:
        """Draws the state; any state, at any time, always to the same picture."""
        self._state = state
        trouble = state.trouble
        self.notice.setVisible(trouble is not None)
        if trouble is not None:
            self.notice.show_text("warning", say(trouble))
        self.draw(state)

    @property
    def main_button(self) -> Button:
        """What a keyboard user most likely wants next."""
        return self.next_button

    def draw(self, state: SessionState) -> None:
        """What is special to this page."""

    def words(self) -> None:
        """The page's words that no state changes."""

    def retranslate(self) -> None:
        name_button(self.back_button, self.tr("&Back"))
        self.words()
        self.title.setAccessibleName(self.title.text())
        self.show_state(self._state)

    def _build(self) -> None:
        inside = QWidget()
        inside.setMaximumWidth(CONTENT_WIDTH)
        head = column(self.title, self.intro, spacing=SPACE // 2)
        whole = column(head, self.notice, self.content, 1, spacing=2 * SPACE)
        whole.setContentsMargins(4 * SPACE, 3 * SPACE, 4 * SPACE, 2 * SPACE)
        inside.setLayout(whole)
        self.area = QScrollArea()
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.area.setAlignment(Qt.AlignmentFlag.AlignLeft)
        self.area.setWidget(inside)
        self.footer = _Footer()
        foot = row(self.back_button, 1, self.extra_buttons, self.next_button)
        foot.setContentsMargins(4 * SPACE, 3 * SPACE // 2, 4 * SPACE, 3 * SPACE // 2)
        self.footer.setLayout(foot)
        self.setLayout(column(self.area, self.footer, spacing=0))
        self.layout().setStretch(0, 1)  # type: ignore[union-attr]


class _Footer(QFrame):
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(QColor(theme.colours().border))
        painter.drawLine(0, 0, self.width(), 0)


def say_all(messages: tuple[Message, ...]) -> list[str]:
    """Sentences of the core in the present language."""
    return [say(message) for message in messages]
