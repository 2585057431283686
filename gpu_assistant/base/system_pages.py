"""Pages of Windows (settings, managers) that a fix sends the user to: rows of `resources/system_pages.toml`."""

from __future__ import annotations

import functools
import sys

from gpu_assistant.base.message import Message, message
from gpu_assistant.base.model import Value
from gpu_assistant.base.resources import read_toml, resource_root
from gpu_assistant.base.texts import Language


class SystemPage(Value, frozen=True, kw_only=True):
    """One page: what Windows is asked to open (a program, a console, an address), and its name."""

    open: str
    en: str
    ru: str

    def say(self, language: Language) -> str:
        """The name in that language."""
        return self.ru if language == "ru" else self.en


@functools.cache
def system_pages() -> dict[str, SystemPage]:
    """Every page by its id. Raises `BadData`."""
    return read_toml(resource_root() / "system_pages.toml", dict[str, SystemPage])


def open_system_page(id_: str) -> Message | None:
    """Opens a page beside our window; None, or a sentence where that is not possible. Raises `KeyError`."""
    page = system_pages()[id_]
    if sys.platform == "win32":
        import os

        try:
            # as the Start menu would: some of these ask for more rights, which a plain child could not get
            os.startfile(page.open)
            return None
        except OSError as error:
            return message("system-page-failed", page=page.open, detail=error.strerror or str(error))
    return message("system-page-not-here", page=page.open)
