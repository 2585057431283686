"""Draws the pictures of the README from named states.

python packaging/screenshots.py FOLDER [--lang ru] [--theme dark] [--all]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
_home = tempfile.TemporaryDirectory()
os.environ["GPU_ASSISTANT_HOME"] = _home.name

from PySide6.QtWidgets import QApplication  # noqa: E402

from gpu_assistant.base.paths import app_paths  # noqa: E402
from gpu_assistant.base.settings import Settings  # noqa: E402
from gpu_assistant.gui import language, theme  # noqa: E402
from gpu_assistant.gui.application import make_application  # noqa: E402
from gpu_assistant.gui.main_window import MainWindow, Start  # noqa: E402
from gpu_assistant.session.states import STATES  # noqa: E402

README = ("detected-laptop", "choose-laptop", "review", "installing", "training", "finished")


def main() -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--lang", choices=("en", "ru"), default="en")
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    parser.add_argument("--size", default="1120x720", help="width x height of the window")
    parser.add_argument("--all", action="store_true", help="every named state")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    app = make_application()
    theme.apply_theme(options.theme)
    language.set_language(options.lang)
    width, height = map(int, options.size.split("x"))
    for name in STATES if options.all else README:
        draw(app, name, width, height, options.folder / f"{name}.png")
    return 0


def draw(app: QApplication, name: str, width: int, height: int, path: Path) -> None:
    """One picture of the whole window."""
    window = MainWindow(
        Start(settings=Settings(theme="dark" if theme.is_dark() else "light"), paths=app_paths(), state=name)
    )
    window.resize(width, height)
    window.show()
    for _ in range(3):
        app.processEvents()
    window.grab().save(str(path))
    window.close()


if __name__ == "__main__":
    sys.exit(main())
