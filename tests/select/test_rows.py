"""Every framework's answer for every recorded computer, as a table that a person can read: `rows.txt`.

After a wanted change: `python -m tests.select.test_rows > tests/select/rows.txt`, and read what has changed.
"""

from __future__ import annotations

from pathlib import Path

from gpu_assistant.base.job import JobContext
from gpu_assistant.base.settings import Settings
from gpu_assistant.detect.collect import collect
from gpu_assistant.detect.recording import open_gateways
from gpu_assistant.select.catalogue import frameworks
from gpu_assistant.select.judge import judge
from gpu_assistant.select.planning import planned_option
from gpu_assistant.select.wsl_road import wsl_road

TABLE = Path(__file__).with_name("rows.txt")
RECORDINGS = Path(__file__).parents[1] / "recordings"


def table() -> str:
    """Status, the option that is planned, and whether the road leads through WSL2."""
    lines = []
    for machine in sorted(RECORDINGS.glob("*/machine.toml")):
        report = collect(open_gateways(machine.parent), JobContext())
        cards = ", ".join(gpu.name for gpu in report.gpus) or "no card"
        driver = report.driver.version if report.driver is not None else None
        lines.append(f"[{machine.parent.name}]  {report.system.os}; {cards}; driver {driver or '-'}")
        for id_, framework in frameworks().items():
            verdict = judge(report, framework)
            through = "through WSL2" if wsl_road(report, framework, Settings()) else ""
            option = planned_option(verdict) or "-"
            lines.append(f"    {id_:14}{verdict.status.value:15}{option:8}{through}".rstrip())
    return "\n".join(lines) + "\n"


def test_every_row_answers_every_computer_as_the_table_says() -> None:
    assert table().splitlines() == TABLE.read_text("utf-8").splitlines()


if __name__ == "__main__":
    print(table(), end="")
