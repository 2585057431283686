"""Time to the first paint of our window against an empty QWizard window, each in fresh processes.

python tests/benchmarks/window_start.py [runs]
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EMPTY_WIZARD = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWizard, QWizardPage
class Page(QWizardPage):
    def paintEvent(self, event):
        super().paintEvent(event)
        QTimer.singleShot(0, QApplication.quit)
app = QApplication(sys.argv)
wizard = QWizard()
wizard.addPage(Page())
wizard.show()
app.exec()
"""
OURS = "from gpu_assistant.__main__ import main; main(['--exit-after-first-paint'])"


def seconds(code: str, environment: dict[str, str]) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, capture_output=True)
    return time.perf_counter() - began


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    with tempfile.TemporaryDirectory() as home:
        environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ, "GPU_ASSISTANT_HOME": home}
        # an installed program has its bytecode beside it; a checkout that may not write any gets it here
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment["PYTHONPYCACHEPREFIX"] = str(Path(home) / "bytecode")
        for code in (EMPTY_WIZARD, OURS):
            seconds(code, environment)  # fills the disk cache and the bytecode
        # in turns, so that a busy computer slows both alike
        pairs = [(seconds(EMPTY_WIZARD, environment), seconds(OURS, environment)) for _ in range(runs)]
    empty, ours = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"empty QWizard  {empty:.3f} s")
    print(f"our window     {ours:.3f} s")
    print(f"ratio          {ours / empty:.2f}   (aim: under 2)")


if __name__ == "__main__":
    main()
