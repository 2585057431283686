"""Puts the report together: all probes at once, each with a time limit, none able to fail the whole."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import TypeVar

import msgspec

from gpu_assistant import __version__
from gpu_assistant.base.job import Cancelled, JobContext
from gpu_assistant.base.model import Value
from gpu_assistant.detect.cards import OsAnswers, ask_system
from gpu_assistant.detect.driver import DriverSurroundings, judge_driver
from gpu_assistant.detect.findings import find
from gpu_assistant.detect.gateways import Gateways
from gpu_assistant.detect.gpus import gpu_table
from gpu_assistant.detect.merge import merge_cards
from gpu_assistant.detect.nvidia import NvidiaAnswers, ask_nvidia
from gpu_assistant.detect.pythons import find_pythons
from gpu_assistant.detect.recording import Replay, open_gateways
from gpu_assistant.detect.report import Cpu, Gpu, Memory, Outcome, ProbeNote, PythonEnvironment, System, SystemReport
from gpu_assistant.detect.system import read_cpu, read_disks, read_memory, read_system
from gpu_assistant.detect.tools import find_tools, reported_variables

TOTAL_SECONDS = 10.0

T = TypeVar("T")


class ProbeStarted(Value, frozen=True, kw_only=True):
    """We are looking at something now."""

    probe: str  # nvidia, cards, system, cpu, memory, disks, pythons, tools, environment


class ProbeFinished(Value, frozen=True, kw_only=True):
    """Looked at; `note` says how it ended. After `total` of them the report is there."""

    probe: str
    note: ProbeNote
    done: int
    total: int


class CollectJob:
    """Detection as a job."""

    def __init__(
        self, io: Gateways, *, now: str | None = None, environment_folders: tuple[str, ...] = (), thorough: bool = False
    ) -> None:
        self._io = io
        self._now = now
        self._folders = environment_folders
        self._thorough = thorough

    def run(self, ctx: JobContext) -> SystemReport:
        """Collects; raises `Cancelled` only."""
        return collect(self._io, ctx, now=self._now, environment_folders=self._folders, thorough=self._thorough)


def collect(
    io: Gateways,
    ctx: JobContext,
    *,
    now: str | None = None,
    environment_folders: tuple[str, ...] = (),
    thorough: bool = False,
) -> SystemReport:
    """Looks at everything at once and never fails; raises `Cancelled` only.

    `now` is ISO 8601 in UTC (None: the clock's). `environment_folders` hold the program's own environments. `thorough`
    asks for what is not needed as well, for a recording. `ProbeStarted` and `ProbeFinished` come from this thread.
    """
    probes: dict[str, Callable[[], object]] = {
        "nvidia": lambda: ask_nvidia(io, thorough=thorough),
        "cards": lambda: ask_system(io),
        "system": lambda: read_system(io),
        "cpu": lambda: read_cpu(io),
        "memory": lambda: read_memory(io),
        "disks": lambda: read_disks(io),
        "pythons": lambda: find_pythons(io, environment_folders),
        "tools": lambda: find_tools(io),
        "environment": lambda: reported_variables(io),
    }
    try:
        results, notes = _run_all(probes, ctx)
    finally:
        io.stop()
    return _report(io, results, notes, now or time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))


def _report(io: Gateways, results: dict[str, object], notes: tuple[ProbeNote, ...], now: str) -> SystemReport:
    nvidia = _of(results, "nvidia", NvidiaAnswers())
    os_answers = _of(results, "cards", OsAnswers())
    system = _system(_of(results, "system", System(os="other", name="?")), os_answers)
    evidence = (*nvidia.evidence, *os_answers.evidence)
    gpus = _visible(merge_cards((*nvidia.cards, os_answers.cards), gpu_table()), system)
    around = DriverSurroundings(
        has_card=any(gpu.vendor == "nvidia" for gpu in gpus),
        wsl_device=os_answers.wsl.device if os_answers.wsl else None,
        wsl_library=os_answers.wsl.library if os_answers.wsl else None,
    )
    driver = judge_driver(evidence, system, around)
    pythons: tuple[PythonEnvironment, ...] = _of(results, "pythons", ())
    environment: dict[str, str] = _of(results, "environment", {})
    memory: Memory = _of(results, "memory", Memory())
    trouble = io.trouble if isinstance(io, Replay) else ()
    return SystemReport(
        made_at=now,
        program=__version__,
        system=system,
        cpu=_of(results, "cpu", Cpu()),
        memory=memory,
        disks=_of(results, "disks", ()),
        gpus=gpus,
        driver=driver,
        pythons=pythons,
        tools=_of(results, "tools", ()),
        environment=environment,
        findings=find(system, gpus, driver, evidence, pythons, environment, memory),
        notes=(
            *nvidia.notes,
            *os_answers.notes,
            *(note for note in notes if note.outcome is not Outcome.OK),
            *(ProbeNote(source="recording", outcome=Outcome.FAILED, detail=text) for text in trouble),
        ),
    )


def _of(results: dict[str, object], name: str, default: T) -> T:
    return results.get(name, default)  # type: ignore[return-value]


def _system(system: System, answers: OsAnswers) -> System:
    if answers.host_build is not None:
        sources = system.sources | {"build": "cmd.exe /c ver"}
        system = msgspec.structs.replace(system, build=answers.host_build, sources=sources)
    if answers.laptop is not None:
        system = msgspec.structs.replace(system, laptop=answers.laptop)
    return system


def _visible(gpus: tuple[Gpu, ...], system: System) -> tuple[Gpu, ...]:
    """In a container the bus shows cards that it was not given: those are not this computer's."""
    if system.container is None or not any(gpu.index is not None for gpu in gpus):
        return gpus
    return tuple(gpu for gpu in gpus if gpu.vendor != "nvidia" or gpu.index is not None)


def _run_all(
    probes: dict[str, Callable[[], object]], ctx: JobContext
) -> tuple[dict[str, object], tuple[ProbeNote, ...]]:
    """Runs every probe on a thread of its own; what is not back in time is left behind and noted."""
    answers: queue.SimpleQueue[tuple[str, object, ProbeNote]] = queue.SimpleQueue()
    for name, probe in probes.items():
        ctx.emit(ProbeStarted(probe=name))
        threading.Thread(target=_run_one, args=(name, probe, answers), name=f"probe-{name}", daemon=True).start()
    results: dict[str, object] = {}
    notes: list[ProbeNote] = []
    waiting = set(probes)
    end = time.monotonic() + TOTAL_SECONDS
    while waiting and time.monotonic() < end:
        ctx.check()
        try:
            name, result, note = answers.get(timeout=0.05)
        except queue.Empty:
            continue
        waiting.discard(name)
        notes.append(note)
        if note.outcome is Outcome.OK:
            results[name] = result
        ctx.emit(ProbeFinished(probe=name, note=note, done=len(probes) - len(waiting), total=len(probes)))
    late = (ProbeNote(source=name, outcome=Outcome.TIMED_OUT, seconds=TOTAL_SECONDS) for name in sorted(waiting))
    return results, (*notes, *late)


def _run_one(name: str, probe: Callable[[], object], answers: queue.SimpleQueue[tuple[str, object, ProbeNote]]) -> None:
    start = time.monotonic()
    result: object = None
    outcome, detail = Outcome.OK, ""
    try:
        result = probe()
    except Cancelled:
        outcome, detail = Outcome.REFUSED, "cancelled"
    except Exception as error:  # whatever a strange machine makes a probe do, the report goes on
        outcome, detail = Outcome.FAILED, f"{type(error).__name__}: {error}"
    note = ProbeNote(source=name, outcome=outcome, detail=detail, seconds=round(time.monotonic() - start, 3))
    answers.put((name, result, note))


__all__ = ["CollectJob", "ProbeFinished", "ProbeStarted", "collect", "open_gateways"]
