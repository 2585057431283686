"""Colours, spaces and type sizes of the window. Light or dark follows the settings, else the system, at once."""

from __future__ import annotations

import sys
from typing import Literal, cast

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from gpu_assistant.base.resources import read_toml, resource_root

Tone = Literal["neutral", "good", "warning", "problem", "info"]
ToneName = Tone | Literal["muted", "accent"]

SPACE = 8  # every distance is a multiple of it
WINDOWS_11 = 22000  # first build
SCHEMES = {
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
    "system": Qt.ColorScheme.Unknown,
}


class Colours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One scheme of `resources/style/palettes.toml`."""

    window: str
    window_text: str
    base: str
    alternate: str
    text: str
    muted: str
    button: str
    border: str
    accent: str
    accent_text: str
    link: str
    good: str
    good_back: str
    warning: str
    warning_back: str
    problem: str
    problem_back: str
    info: str
    info_back: str

    def named(self, tone: ToneName) -> str:
        """The colour of text and symbols with that meaning."""
        return self.text if tone == "neutral" else str(getattr(self, tone))


_schemes: dict[str, Colours] = {}
_dark = False


def load_schemes() -> dict[str, Colours]:
    """Both schemes, read once."""
    if not _schemes:
        _schemes.update(read_toml(resource_root() / "style" / "palettes.toml", dict[str, Colours]))
    return _schemes


def is_dark() -> bool:
    """Whether the dark scheme is shown now."""
    return _dark


def colours() -> Colours:
    """The colours of the scheme that is shown now."""
    return load_schemes()["dark" if _dark else "light"]


def foreground(tone: ToneName) -> QColor:
    """The colour of text and symbols with that meaning."""
    return QColor(colours().named(tone))


def background(tone: Tone) -> QColor:
    """The colour behind a box with that meaning."""
    return QColor(colours().base if tone == "neutral" else getattr(colours(), f"{tone}_back"))


def choose_style(app: QApplication) -> None:
    """The native style where Qt has a good one, Fusion elsewhere."""
    app.setStyle("windows11" if _is_windows11() and _has_windows11_style() else "fusion")


def apply_theme(settings_theme: Literal["system", "light", "dark"]) -> None:
    """Shows the wanted scheme; "system" follows the system, now and later."""
    hints = QGuiApplication.styleHints()
    hints.setColorScheme(SCHEMES[settings_theme])
    scheme = hints.colorScheme()
    # some platforms cannot be asked
    _show(scheme if scheme != Qt.ColorScheme.Unknown else SCHEMES[settings_theme])


def follow_scheme() -> None:
    """Shows the scheme that Qt has changed to, because the system did."""
    scheme = QGuiApplication.styleHints().colorScheme()
    if scheme != Qt.ColorScheme.Unknown:
        _show(scheme)


def _show(scheme: Qt.ColorScheme) -> None:
    global _dark
    _dark = scheme == Qt.ColorScheme.Dark
    app = cast(QApplication, QApplication.instance())
    if app.style().name() == "fusion":
        app.setPalette(_palette(colours()))


def _is_windows11() -> bool:
    """Its style draws arrows and ticks with a font that Windows 10 does not have."""
    return sys.platform == "win32" and sys.getwindowsversion().build >= WINDOWS_11


def _has_windows11_style() -> bool:
    from PySide6.QtWidgets import QStyleFactory

    return "windows11" in (name.lower() for name in QStyleFactory.keys())  # noqa: SIM118


def _palette(scheme: Colours) -> QPalette:
    role = QPalette.ColorRole
    palette = QPalette()
    for name, colour in {
        role.Window: scheme.window,
        role.WindowText: scheme.window_text,
        role.Base: scheme.base,
        role.AlternateBase: scheme.alternate,
        role.Text: scheme.text,
        role.PlaceholderText: scheme.muted,
        role.Button: scheme.button,
        role.ButtonText: scheme.text,
        role.Highlight: scheme.accent,
        role.HighlightedText: scheme.accent_text,
        role.Accent: scheme.accent,
        role.Link: scheme.link,
        role.LinkVisited: scheme.link,
        role.ToolTipBase: scheme.base,
        role.ToolTipText: scheme.text,
        role.BrightText: scheme.accent_text,
    }.items():
        palette.setColor(name, QColor(colour))
    for name in (role.Text, role.WindowText, role.ButtonText):
        disabled = QColor(scheme.muted)
        disabled.setAlpha(150)
        palette.setColor(QPalette.ColorGroup.Disabled, name, disabled)
    palette.setColor(QPalette.ColorGroup.Disabled, role.Highlight, QColor(scheme.border))
    return palette


def sized(font: QFont, factor: float, *, bold: bool = False) -> QFont:
    """The font in another size, in whatever unit the system uses."""
    font = QFont(font)
    if font.pointSizeF() > 0:
        font.setPointSizeF(font.pointSizeF() * factor)
    else:
        font.setPixelSize(round(font.pixelSize() * factor))
    if bold:
        font.setWeight(QFont.Weight.DemiBold)
    return font
