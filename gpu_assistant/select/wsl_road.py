"""The road through WSL2, step by step, for what has no GPU packages for Windows itself."""

from __future__ import annotations

import re
from typing import Literal

from msgspec.structs import replace

from gpu_assistant.base.message import Message, message
from gpu_assistant.base.model import Value
from gpu_assistant.base.settings import Settings
from gpu_assistant.detect.report import DriverState, SystemReport
from gpu_assistant.select.catalogue import Framework
from gpu_assistant.select.choice import ClosedOption
from gpu_assistant.select.judge import judge
from gpu_assistant.select.plan import Status
from gpu_assistant.select.planning import make_plan, planned_option
from gpu_assistant.select.versions import numbers

LEAST_BUILD = 19044  # Windows 10 21H2; shared facts: commands.md section 3
LEAST_DRIVER = "528.33"
LEAST_CAPABILITY = "6.0"  # Pascal
_DISTRIBUTION = re.compile(r"([^,]+?) \(WSL (\d)\)")

State = Literal["done", "todo", "blocked", "unknown"]


class RoadStep(Value, frozen=True, kw_only=True):
    """One step. "unknown": it cannot be seen from here; the command tells."""

    id: str
    state: State
    text: Message
    commands: tuple[str, ...] = ()
    inside: bool = False  # to be typed in the Linux of WSL2, not in Windows


def wsl_road(report: SystemReport, framework: Framework, settings: Settings) -> tuple[RoadStep, ...]:
    """The steps in their order; empty where WSL2 is not the way: not Windows, or the card is served without it."""
    if report.system.os != "windows" or not any(gpu.vendor == "nvidia" for gpu in report.gpus):
        return ()
    if judge(report, framework).status is Status.READY:
        return ()
    inside = replace(report, system=replace(report.system, os="wsl", wsl_version=2), pythons=())
    option = planned_option(judge(inside, framework))
    if option in (None, "cpu"):
        return ()
    return (
        _windows(report),
        _card(report),
        _driver(report),
        *_distribution(report),
        *_inside(inside, framework, settings),
    )


def _windows(report: SystemReport) -> RoadStep:
    build = report.system.build
    state: State = "unknown" if build is None else "done" if build >= LEAST_BUILD else "blocked"
    return RoadStep(id="windows", state=state, text=message(f"wsl-road-windows-{state}", build=build or 0))


def _card(report: SystemReport) -> RoadStep:
    known = [gpu for gpu in report.gpus if gpu.vendor == "nvidia" and gpu.compute_capability]
    fits = [gpu for gpu in known if numbers(gpu.compute_capability or "0") >= numbers(LEAST_CAPABILITY)]
    if known and not fits:
        return RoadStep(id="card", state="blocked", text=message("wsl-road-card-too-old", name=known[0].name))
    name = (fits or known or list(report.gpus))[0].name
    return RoadStep(id="card", state="done" if fits else "unknown", text=message("wsl-road-card", name=name))


def _driver(report: SystemReport) -> RoadStep:
    driver = report.driver
    version = driver.version if driver is not None and driver.state is DriverState.WORKING else None
    good = version is not None and numbers(version) >= numbers(LEAST_DRIVER)
    text = message("wsl-road-driver-done", version=version or "") if good else message("wsl-road-driver-todo")
    return RoadStep(id="driver", state="done" if good else "todo", text=text)


def _distribution(report: SystemReport) -> tuple[RoadStep, ...]:
    tool = next((tool for tool in report.tools if tool.name == "wsl"), None)
    found = _DISTRIBUTION.findall(tool.detail or "") if tool is not None else []
    usable = [name.strip() for name, version in found if version == "2" and "docker" not in name]
    if usable:
        first = RoadStep(id="distribution", state="done", text=message("wsl-road-distribution-done", name=usable[0]))
        return first, _update()
    old = [name.strip() for name, version in found if version == "1"]
    if old:
        command = f"wsl --set-version {old[0]} 2"
        text = message("wsl-road-distribution-old", name=old[0])
        return RoadStep(id="distribution", state="todo", text=text, commands=(command,)), _update()
    text = message("wsl-road-distribution-todo")
    return (RoadStep(id="distribution", state="todo", text=text, commands=("wsl --install -d Ubuntu",)),)


def _update() -> RoadStep:
    return RoadStep(id="update", state="unknown", text=message("wsl-road-update"), commands=("wsl --update",))


def _inside(inside: SystemReport, framework: Framework, settings: Settings) -> tuple[RoadStep, ...]:
    """What is typed in the distribution: the same plan as on Linux, with our own folders left to the user."""
    look = RoadStep(id="look", state="unknown", text=message("wsl-road-look"), commands=("nvidia-smi",), inside=True)
    plain = replace(settings, root_folder="", wheel_folder="", offline=False)
    try:
        plan = make_plan(planned_option(judge(inside, framework)) or "", inside, framework, plain)
    except ClosedOption:
        return (look,)
    commands = tuple(text.bash for text in plan.commands.get("pip", ()))
    text = message("wsl-road-install", framework=framework.name)
    return look, RoadStep(id="install", state="todo", text=text, commands=commands, inside=True)
