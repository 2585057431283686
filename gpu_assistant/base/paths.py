"""Where our own files live, and which folder a user's environments go to by default."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from gpu_assistant.base.model import Value

APP = "GPU Assistant"


class AppPaths(Value, frozen=True, kw_only=True):
    """Folders of the program. None of them holds an environment."""

    config: Path  # settings.toml
    data: Path  # session, saved runs, reports
    logs: Path


def app_paths() -> AppPaths:
    """The folders of this user. `GPU_ASSISTANT_HOME` puts all of them under one folder (portable, tests)."""
    if home := os.environ.get("GPU_ASSISTANT_HOME"):
        root = Path(home)
        return AppPaths(config=root / "config", data=root / "data", logs=root / "logs")
    dirs = platformdirs.PlatformDirs(APP.replace(" ", "-").lower(), appauthor=False, roaming=False)
    return AppPaths(config=dirs.user_config_path, data=dirs.user_data_path, logs=dirs.user_log_path)


class RootLayout:
    """What lies under the one root folder that the user chose for everything big."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.environments = root / "envs"
        self.cache = root / "cache"
        self.pythons = root / "python"
        self.journal = root / "journal"
