"""What watching costs: CPU time at one sample a second against nvitop, and one pass over eight cards.

    python tests/benchmarks/monitor_cost.py [seconds]

nvitop is found beside this interpreter, on the path, or in the folder that NVML_PROGRAMS names. Both watch the same
cards of the stand-in library; the numbers count user and system time of the whole process tree.
"""

from __future__ import annotations

import fcntl
import os
import pty
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.standin_nvml.build import build  # noqa: E402

CARD = """
{0} name NVIDIA GeForce RTX 4060
{0} total 8G
{0} used 0:1G 60:6G
{0} reserved 256M
{0} utilization 80~15
{0} memory_utilization 40~5
{0} power 100~10
{0} power_limit 115
{0} temperature 70~3
{0} hotspot_temperature 80~3
{0} memory_temperature 76~3
{0} slowdown 87
{0} shutdown 92
{0} fan 45
{0} fan_rpm 1800
{0} sm_clock 2100~50
{0} sm_clock_max 2370
{0} memory_clock 8000
{0} memory_clock_max 8001
{0} pstate 2
{0} pcie_gen 4
{0} pcie_gen_max 4
{0} pcie_width 8
{0} pcie_width_max 8
{0} rx 300M~50M
{0} tx 20M~5M
{0} encoder 0
{0} decoder 0
{0} throttle 4
{0} process.{1}.vram 2G
{0} process.{1}.utilization 70
"""

WINDOW = """
import sys
from PySide6.QtWidgets import QApplication
from gpu_assistant.base.settings import Settings
from gpu_assistant.gui.monitor.tab import MonitorTab
from gpu_assistant.monitor.metrics import charted
application = QApplication(sys.argv)
shown = tuple(row.id for scope in ("gpu", "host") for row in charted(scope, chosen=()))
tab = MonitorTab(Settings(monitor_metrics=shown))
tab.resize(1366, 768)
tab.show()
application.exec()
"""

PASS = """
import ctypes, sys, time
import pynvml
from gpu_assistant.monitor.nvml import Nvml
nvml = Nvml()
nvml.sample()
spent = pynvml.nvmlLib.standinNvmlSpent
spent.restype = ctypes.c_double
passes = []
for _ in range(200):
    inside, began = spent(), time.perf_counter()
    nvml.sample()
    passes.append(time.perf_counter() - began - (spent() - inside))
print(*passes)
"""


def environment(cards: int) -> dict[str, str]:
    """Makes every program of this environment see so many cards."""
    scenario = Path(tempfile.mkdtemp(prefix="monitor-cost-")) / "scenario.txt"
    scenario.write_text("".join(CARD.format(card, os.getpid()) for card in range(cards)))
    return {
        **os.environ,
        "LD_LIBRARY_PATH": str(build()),
        "STANDIN_NVML_SCENARIO": str(scenario),
        "TERM": "xterm-256color",
        "PYTHONPATH": str(ROOT),
    }


def cpu_seconds(process: psutil.Process) -> float:
    """User and system time of a process and its living children."""
    total = 0.0
    for one in (process, *process.children(recursive=True)):
        try:
            times = one.cpu_times()
        except psutil.Error:
            continue
        total += times.user + times.system
    return total


def cost(argv: list[str], cards: int, seconds: float) -> float:
    """CPU seconds per second of a program in a terminal, after it has started up."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 140, 0, 0))
    process = subprocess.Popen(
        argv, env=environment(cards), stdin=slave, stdout=slave, stderr=slave, start_new_session=True
    )
    os.close(slave)
    drain = threading.Thread(target=_drain, args=(master,), daemon=True)
    drain.start()
    try:
        time.sleep(4)
        before, began = cpu_seconds(psutil.Process(process.pid)), time.monotonic()
        time.sleep(seconds)
        return (cpu_seconds(psutil.Process(process.pid)) - before) / (time.monotonic() - began)
    finally:
        assert process.poll() is None, f"{argv[0]} did not keep running"
        process.terminate()
        process.wait()
        os.close(master)
        drain.join(2)


def _drain(master: int) -> None:
    try:
        while os.read(master, 65536):
            pass
    except OSError:
        return


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 20.0
    folders = os.pathsep.join(
        [str(Path(sys.executable).parent), os.environ.get("NVML_PROGRAMS", ""), os.environ["PATH"]]
    )
    nvitop = shutil.which("nvitop", path=folders)
    text = [sys.executable, "-m", "gpu_assistant", "monitor", "--interval", "1"]
    window = [sys.executable, "-c", WINDOW, "-platform", os.environ.get("QT_QPA_PLATFORM", "offscreen")]
    for cards in (1, 8):
        theirs = cost([nvitop, "--monitor", "full", "--interval", "1"], cards, seconds) if nvitop else None
        for name, argv in (("text", text), ("window, all default charts", window)):
            own = cost(argv, cards, seconds)
            line = f"{cards} card(s), 1 sample a second, {name}: {own * 100:.2f} % of a core"
            if theirs is not None:
                line += f", nvitop {theirs * 100:.2f} %, ratio {own / theirs:.2f} (aim: not over 1)"
            print(line, flush=True)
    out = subprocess.run(
        [sys.executable, "-c", PASS], env=environment(8), capture_output=True, check=True, text=True
    ).stdout
    passes = sorted(map(float, out.split()))
    median, worst = statistics.median(passes) * 1000, passes[int(len(passes) * 0.95)] * 1000
    print(
        f"one pass of 8 cards less the library: median {median:.2f} ms, 95th percentile {worst:.2f} ms (aim: under 5)"
    )


if __name__ == "__main__":
    main()
