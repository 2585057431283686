"""What the user chose once for always. A broken file is put aside and said, never lost."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from gpu_assistant.base.files import put_aside, write_atomic
from gpu_assistant.base.message import Message, message
from gpu_assistant.base.model import Value


class Settings(Value, frozen=True, kw_only=True):
    """The settings file. Empty text means: not set."""

    language: Literal["system", "en", "ru"] = "system"
    theme: Literal["system", "light", "dark"] = "system"
    root_folder: str = ""  # where environments, Pythons and the cache live
    package_index: str = ""  # mirror of the default package index
    pytorch_index: str = ""  # mirror of https://download.pytorch.org/whl (the part before /cu130)
    python_mirror: str = ""  # mirror of the stand-alone Pythons that uv downloads
    wheel_folder: str = ""  # a folder of wheels that is looked at first
    offline: bool = False  # nothing but the wheel folder and the cache
    proxy: str = ""
    system_certificates: bool = True
    monitor_seconds: float = 1.0
    tray: bool = False
    notify_temperature_margin_c: float = 5.0  # below the card's slow-down threshold
    notify_vram_percent: float = 95.0
    notify_idle_minutes: float = 2.0
    monitor_metrics: tuple[str, ...] = ()  # chosen charts; empty: the default ones


def load_settings(path: Path) -> tuple[Settings, Message | None]:
    """Reads the file. A missing one gives the defaults; a broken one is renamed aside and told in the message."""
    try:
        return msgspec.toml.decode(path.read_bytes(), type=Settings), None
    except FileNotFoundError:
        return Settings(), None
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError) as error:
        aside = put_aside(path)
        return Settings(), message("settings-broken", file=str(aside), detail=str(error))
    except OSError as error:
        return Settings(), message("settings-unreadable", file=str(path), detail=str(error))


def save_settings(path: Path, settings: Settings) -> None:
    """Writes only what differs from the defaults, in one step. Raises `OSError`."""
    defaults = msgspec.to_builtins(Settings())
    chosen = {key: value for key, value in msgspec.to_builtins(settings).items() if value != defaults[key]}
    write_atomic(path, msgspec.toml.encode(chosen))
