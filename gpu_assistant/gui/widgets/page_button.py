"""A button that opens a page of Windows where a fix or a question sends the user."""

from __future__ import annotations

from collections.abc import Callable

from gpu_assistant.base.system_pages import system_pages
from gpu_assistant.gui.language import is_windows, language
from gpu_assistant.gui.widgets.boxes import Button, name_button


class PageButton(Button):
    """Named like the page that it opens."""

    def __init__(self, page: str, wanted: Callable[[str], object]) -> None:
        super().__init__("external")
        name = system_pages()[page].say(language())
        name_button(self, self.tr("Open: {page}").format(page=name.replace("&", "&&")))
        self.setAccessibleName(self.tr("Open: {page}").format(page=name))
        self.clicked.connect(lambda: wanted(page))


def page_button(page: str | None, wanted: Callable[[str], object]) -> PageButton | None:
    """The button, or None where there is no page to open or no Windows to open it."""
    return PageButton(page, wanted) if page is not None and is_windows() else None
