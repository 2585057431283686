"""The window's language: Qt's translators for widgets, `say` for sentences of the core. Can change while we run."""

from __future__ import annotations

import logging
import sys
from typing import cast

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from gpu_assistant.base import texts
from gpu_assistant.base.message import Message
from gpu_assistant.base.resources import resource_root
from gpu_assistant.base.settings import Settings
from gpu_assistant.base.texts import Language

RUSSIAN_SPEAKING = {QLocale.Language.Russian, QLocale.Language.Belarusian, QLocale.Language.Kazakh}

_log = logging.getLogger(__name__)

_language: Language = "en"
_translators: list[QTranslator] = []


def language() -> Language:
    """The language that is shown now."""
    return _language


def wanted_language(settings: Settings) -> Language:
    """The chosen language, else the system's."""
    if settings.language != "system":
        return settings.language
    names = QLocale.system().uiLanguages()
    first = QLocale(names[0]).language() if names else QLocale.system().language()
    return "ru" if first in RUSSIAN_SPEAKING else "en"


def set_language(wanted: Language) -> None:
    """Switches the translators; Qt then sends `LanguageChange` to every window."""
    global _language
    app = cast(QCoreApplication, QCoreApplication.instance())
    _language = wanted
    QLocale.setDefault(QLocale("ru_RU" if wanted == "ru" else "en_US"))
    old, _translators[:] = list(_translators), []
    folder = str(resource_root() / "i18n")
    qt_folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    for name, place in ((f"qtbase_{wanted}", qt_folder), (f"gpu_assistant_{wanted}", folder)):
        translator = QTranslator(app)
        if translator.load(name, place):
            _translators.append(translator)
    for translator in old:
        app.removeTranslator(translator)
    for translator in _translators:
        app.installTranslator(translator)


def say(message: Message) -> str:
    """A sentence of the core in the language that is shown now. A broken one must not break the page it is on."""
    try:
        return texts.say(message, _language)
    except (KeyError, ValueError, IndexError) as error:
        _log.warning("the sentence %s cannot be said: %r", message.id, error)
        return message.id


def format_bytes(size: float) -> str:
    """Bytes in the language that is shown now."""
    return texts.format_bytes(size, _language)


def format_duration(seconds: float) -> str:
    """A length of time in the language that is shown now."""
    return texts.format_duration(seconds, _language)


def format_number(value: float, digits: int = 0) -> str:
    """A number with the separators of the language that is shown now."""
    return QLocale().toString(float(value), "f", digits)


def is_windows() -> bool:
    """Whether words such as "Explorer" and "PowerShell" fit."""
    return sys.platform == "win32"
