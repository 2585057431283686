"""Draws pictures of the window from named states.

python packaging/screenshots.py                      the README's six, into packaging/pictures
python packaging/screenshots.py --states FOLDER      every named state, to look through
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
_home = tempfile.TemporaryDirectory()
os.environ["GPU_ASSISTANT_HOME"] = _home.name

from PySide6.QtWidgets import QApplication  # noqa: E402

from gpu_assistant.base.paths import app_paths  # noqa: E402
from gpu_assistant.base.settings import Settings  # noqa: E402
from gpu_assistant.gui import jobs, language, theme  # noqa: E402
from gpu_assistant.gui.application import make_application  # noqa: E402
from gpu_assistant.gui.main_window import MONITOR, TRAINING, MainWindow, Start  # noqa: E402
from gpu_assistant.gui.monitor.tab import MonitorTab  # noqa: E402
from gpu_assistant.monitor.model import GpuSample, HostSample, Mark, ProcessSample, Sample  # noqa: E402
from gpu_assistant.session.states import STATES  # noqa: E402
from gpu_assistant.troubleshoot.evidence import Evidence  # noqa: E402

SCRIPT = """import torch
from torch import nn
from torch.utils.data import DataLoader

model = nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10))
optimizer = torch.optim.Adam(model.parameters())
loader = DataLoader(torch.load("digits.pt"), batch_size=64, shuffle=True)
losses = []
for images, labels in loader:
    loss = nn.functional.cross_entropy(model(images), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss)
    print(loss.item())
"""
PICTURES = Path(__file__).parent / "pictures"
SIZE = (1120, 720)
GIB = 2.0**30
BEGAN = 1_790_000_000.0
SECONDS = 300
TRAINING_FROM = 45
TRAINING_PID = 2**22 + 1  # above any real one
ERROR = """Traceback (most recent call last):
  File "train.py", line 48, in <module>
    loss.backward()
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.50 GiB. GPU 0 has a total capacity of 8.00 GiB \
of which 512.00 MiB is free. Of the allocated memory 6.71 GiB is allocated by PyTorch, and 184.00 MiB is reserved \
by PyTorch but unallocated."""


def main() -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--states", type=Path, metavar="FOLDER", help="draw every named state into this folder")
    parser.add_argument("--lang", choices=("en", "ru"), default="en", help="with --states")
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help="with --states")
    options = parser.parse_args()
    make_application()
    if options.states is None:
        draw_readme()
    else:
        for name in STATES:
            draw(name, options.lang, options.theme, options.states / f"{name}.png")
    return 0


def draw_readme() -> None:
    """Exactly the pictures that the README shows."""
    draw("detected-laptop", "en", "light", PICTURES / "detect-en-light.png")
    draw("training", "ru", "dark", PICTURES / "smoke-test-ru-dark.png")
    draw("finished", "en", "dark", PICTURES / "monitor-en-dark.png", play_training)
    draw("finished", "ru", "light", PICTURES / "troubleshoot-ru-light.png", diagnose)
    draw("finished", "en", "light", PICTURES / "fit-en-light.png", plan_memory)
    draw("finished", "ru", "dark", PICTURES / "check-ru-dark.png", check_script)


def draw(name: str, lang: str, scheme: str, path: Path, prepare: Callable[[MainWindow], None] | None = None) -> None:
    """One picture of the whole window."""
    path.parent.mkdir(parents=True, exist_ok=True)
    theme.apply_theme(scheme)  # type: ignore[arg-type]
    language.set_language(lang)  # type: ignore[arg-type]
    settings = Settings(theme=scheme, language=lang)  # type: ignore[arg-type]
    window = PicturedWindow(Start(settings=settings, paths=app_paths(), state=name))
    window.resize(*SIZE)
    window.show()
    if prepare is not None:
        prepare(window)
    settle()
    window.grab().save(str(path))
    window.close()


def settle() -> None:
    """Lets everything that was started come to its end."""
    ends = time.monotonic() + 20
    calm = 0
    while calm < 10 and time.monotonic() < ends:
        QApplication.processEvents()
        time.sleep(0.02)
        calm = 0 if jobs.jobs_running() else calm + 1


class Silent:
    """A sampler that is played from outside."""

    def __init__(self, send: Callable[[Sample], None], interval: float) -> None:
        self.send = send

    def start(self) -> None: ...
    def stop(self, timeout: float = 5.0) -> None: ...
    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def set_interval(self, seconds: float) -> None: ...


class PicturedWindow(MainWindow):
    """Its monitor watches a card that this computer need not have."""

    sampler: Silent

    def _make_monitor(self) -> MonitorTab:
        return MonitorTab(self.settings, self._make_sampler)

    def _make_sampler(self, send: Callable[[Sample], None], interval: float) -> Silent:
        self.sampler = Silent(send, interval)
        return self.sampler


def play_training(window: MainWindow) -> None:
    """Five minutes in which a training begins."""
    assert isinstance(window, PicturedWindow)
    window.tabs.setCurrentIndex(MONITOR)
    tab = window._later[MONITOR]
    assert isinstance(tab, MonitorTab)
    tab.monitoring.set_training(TRAINING_PID)
    for second in range(SECONDS):
        if second == TRAINING_FROM:
            tab.add_mark(Mark(time=BEGAN + second, kind="training_started"))
        window.sampler.send(training_sample(second))


def training_sample(second: int) -> Sample:
    """One second of a made-up training on a desktop card."""
    ripple = math.sin(second * 0.9) + math.sin(second * 0.23)
    since = second - TRAINING_FROM
    warm = 1 - math.exp(-max(since, 0) / 60)
    busy = since >= 0
    values = {
        "utilization": min(100.0, 91 + 3 * ripple - (55 if since % 60 in (0, 1, 2) else 0)) if busy else 4 + 2 * ripple,
        "vram_used": (6.1 if busy else 1.1) * GIB + (0.05 * GIB if since > 8 else 0),
        "vram_total": 8 * GIB,
        "power": 104 + 4 * ripple if busy else 18 + ripple,
        "power_limit": 115.0,
        "temperature": 43 + round(27 * warm),
        "temperature_slowdown": 83.0,
        "temperature_shutdown": 95.0,
        "sm_clock": 2490 + 15 * ripple if busy else 480,
    }
    processes = (
        ProcessSample(pid=900, name="dwm.exe", vram_bytes=None, kind="graphics", started=BEGAN - 9000),
        ProcessSample(
            pid=TRAINING_PID,
            name="python.exe",
            command="python train.py",
            vram_bytes=int(5 * GIB),
            started=BEGAN + TRAINING_FROM,
        ),
    )
    gpu = GpuSample(
        uuid="GPU-0",
        index=0,
        name="NVIDIA GeForce RTX 4060 Laptop GPU",
        values=values,
        processes=processes if busy else processes[:1],
    )
    host = HostSample(
        values={
            "cpu": 34 + 6 * ripple if busy else 6 + ripple,
            "ram_used": (11 if busy else 8) * GIB,
            "ram_total": 32 * GIB,
        }
    )
    return Sample(time=BEGAN + second, gpus=(gpu,), host=host)


def diagnose(window: MainWindow) -> None:
    """The most common error of all, as Troubleshooting explains it."""
    window.show_help_for(Evidence(text=ERROR, source="pasted", report=window.road.state.report))


def plan_memory(window: MainWindow) -> None:
    """A network that is too big as it is."""
    window.tabs.setCurrentIndex(TRAINING)
    assert window._scripts is not None
    page = window._scripts.fit
    page.model.setCurrentIndex(page.model.findData("llama-3-2-1b"))
    page.batch.setValue(2)


def check_script(window: MainWindow) -> None:
    """A script with a few things to say about it."""
    window.tabs.setCurrentIndex(TRAINING)
    assert window._scripts is not None
    tab = window._scripts
    tab.ways.setCurrentIndex(tab.pages.indexOf(tab.check))
    path = Path(_home.name) / "train.py"
    path.write_text(SCRIPT, "utf-8")
    tab.check.open_file(path)


if __name__ == "__main__":
    sys.exit(main())
