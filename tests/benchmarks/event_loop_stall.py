"""The longest stall of the window's event loop: during an install that prints 20,000 lines, and during a training.

python tests/benchmarks/event_loop_stall.py
"""

from __future__ import annotations

import base64
import os
import tempfile
import time
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
_home = tempfile.TemporaryDirectory()
os.environ["GPU_ASSISTANT_HOME"] = _home.name

from PySide6.QtCore import QEventLoop, QTimer  # noqa: E402

from gpu_assistant.base.job import Job, JobContext  # noqa: E402
from gpu_assistant.base.paths import app_paths  # noqa: E402
from gpu_assistant.base.settings import Settings  # noqa: E402
from gpu_assistant.gui import language, theme  # noqa: E402
from gpu_assistant.gui.application import make_application  # noqa: E402
from gpu_assistant.gui.main_window import MainWindow, Start  # noqa: E402
from gpu_assistant.gui.services import Services  # noqa: E402
from gpu_assistant.install.events import Log, Progress  # noqa: E402
from gpu_assistant.install.run import fold  # noqa: E402
from gpu_assistant.session.state import PAGES, SessionState  # noqa: E402
from gpu_assistant.session.states import downloading_events, finished_events, laptop, reviewed  # noqa: E402
from gpu_assistant.smoke_test.events import Began, Device, Exited, Metric, Picture, Result  # noqa: E402
from gpu_assistant.smoke_test.run import SmokeRun  # noqa: E402
from gpu_assistant.smoke_test.spec import SmokeSpec  # noqa: E402

LINES = 20_000
TRAINING_SECONDS = 10.0
SETTLE_SECONDS = 3.0  # nobody reaches an install sooner; until then the window makes what is not seen yet


class Installing:
    """Prints as fast as a child can, with bytes in between."""

    def __init__(self, state: SessionState) -> None:
        self._state = state

    def run(self, ctx: JobContext) -> Any:
        for event in downloading_events(self._state):
            ctx.emit(event)
        for number in range(LINES):
            ctx.emit(
                Log(time=20 + number / LINES, text=f"Prepared {number} of {LINES} packages in {number / 7:.2f} ms")
            )
            if number % 20 == 0:
                ctx.emit(
                    Progress(time=20 + number / LINES, file="torch-2.15.0+cu130-cp312-cp312-win_amd64.whl", done=number)
                )
        for event in finished_events(self._state):
            ctx.emit(event)
        return fold(finished_events(self._state))


class Training:
    """A hundred steps a second, a new picture ten times a second."""

    def run(self, ctx: JobContext) -> SmokeRun:
        spec = SmokeSpec(framework="pytorch", test="picture", python="python")
        run = SmokeRun()

        def tell(event: Any) -> None:
            nonlocal run
            run = run.apply(event)
            ctx.emit(event)

        tell(Began(spec=spec, started=time.time()))
        tell(Device(kind="cuda", name="NVIDIA GeForce RTX 4060"))
        began = time.monotonic()
        step = 0
        while time.monotonic() - began < TRAINING_SECONDS:
            step += 1
            for name in ("loss", "steps_per_second", "vram_allocated", "vram_reserved"):
                tell(Metric(name=name, step=step, total=1000, value=1 / step))
            if step % 10 == 0:
                rgb = base64.b64encode(bytes((step + place) % 256 for place in range(128 * 128 * 3))).decode()
                tell(Picture(name="learnt", step=step, width=128, height=128, rgb=rgb))
            ctx.wait(0.01)
        tell(Result(passed=True))
        tell(Exited(code=0))
        return run


class BenchServices(Services):
    def install_job(self, state: SessionState) -> Job[Any]:
        return Installing(state)

    def smoke_job(self, state: SessionState, python: str, test: str) -> Job[Any]:
        return Training()


class Pulse:
    """Beats every millisecond; the longest gap is the longest stall.

    `work` is the window's own processor time in each gap: what remains of a stall on a computer that others use too.
    """

    def __init__(self) -> None:
        self.restart()
        self._timer = QTimer()
        self._timer.timeout.connect(self._beat)
        self._timer.start(1)

    def _beat(self) -> None:
        now, work = time.perf_counter(), time.thread_time()
        self.gaps.append(now - self._last)
        self.work.append(work - self._last_work)
        self._last, self._last_work = now, work

    def restart(self) -> None:
        self._last, self._last_work = time.perf_counter(), time.thread_time()
        self.gaps: list[float] = []
        self.work: list[float] = []


def run_until(window: MainWindow, ended: Any) -> None:
    loop = QEventLoop()
    timer = QTimer()
    timer.timeout.connect(lambda: loop.quit() if ended() else None)
    timer.start(20)
    loop.exec()


def tell(what: str, pulse: Pulse) -> None:
    late = sum(gap > 0.05 for gap in pulse.gaps)
    longest, work = max(pulse.gaps) * 1000, max(pulse.work) * 1000
    print(
        f"{what}: longest stall {longest:.0f} ms ({late} over 50 ms), own work in one {work:.0f} ms   (aim: under 50)"
    )


def main() -> None:
    make_application()
    theme.apply_theme("light")
    language.set_language("en")
    paths = app_paths()
    window = MainWindow(Start(settings=Settings(), paths=paths), BenchServices(Settings(), paths))
    window.show()
    window.begin()
    settled = time.monotonic() + SETTLE_SECONDS
    run_until(window, lambda: len(window.wizard.pages) == len(PAGES) and time.monotonic() > settled)
    road = window.road
    road._state = reviewed(laptop())
    road.go("review")
    run_until(window, lambda: window.isVisible())
    pulse = Pulse()
    plan = road.state.plan
    assert plan is not None
    road.accept(plan.id)
    window.wizard.page.log_details.set_open(True)  # type: ignore[attr-defined]
    pulse.restart()
    run_until(window, lambda: not road.state.busy)
    run_until(window, lambda: not window.wizard.page.log._waiting)  # type: ignore[attr-defined]
    tell(f"install with {LINES} lines", pulse)
    road.go("smoke_test")
    run_until(window, lambda: road.state.page == "smoke_test")
    pulse.restart()
    road.smoke_test("")
    run_until(window, lambda: not road.state.busy)
    tell("training", pulse)
    window.close()


if __name__ == "__main__":
    main()
