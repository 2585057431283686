"""Named states of the wizard, for tests and pictures: invented machines, the real verdicts and plans for them."""

from __future__ import annotations

import base64
import math
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from gpu_assistant.base.message import message
from gpu_assistant.base.settings import Settings
from gpu_assistant.detect.report import (
    Cpu,
    Disk,
    Driver,
    DriverState,
    Gpu,
    Memory,
    Outcome,
    PackageBuild,
    PcieLink,
    ProbeNote,
    PythonEnvironment,
    System,
    SystemReport,
    Tool,
)
from gpu_assistant.install.events import (
    Began as InstallBegan,
)
from gpu_assistant.install.events import (
    CancelledByUser,
    Failed,
    FileKnown,
    FilesKnown,
    InstallEvent,
    Log,
    PlannedStep,
    Progress,
    StepEnded,
    StepStarted,
    Succeeded,
    Verified,
)
from gpu_assistant.install.run import fold
from gpu_assistant.select.catalogue import frameworks
from gpu_assistant.select.judge import judge
from gpu_assistant.select.place import default_root
from gpu_assistant.select.planning import make_plan
from gpu_assistant.session import actions
from gpu_assistant.session.reduce import reduce
from gpu_assistant.session.state import SessionState, python_to_test
from gpu_assistant.session.store import read_state
from gpu_assistant.smoke_test.events import (
    Began,
    Device,
    Error,
    Exited,
    Hello,
    Metric,
    Picture,
    Proof,
    Result,
    SmokeEvent,
    Stage,
)
from gpu_assistant.smoke_test.run import SmokeRun
from gpu_assistant.smoke_test.spec import SmokeSpec

GIB = 2**30
SIDE = 96  # pixels of the picture that is learnt
PROVEN_EARLY = ("card_seen", "kernel", "parameters_on_device", "batches_on_device")


def laptop() -> SystemReport:
    """Windows 11 on a laptop with an RTX 4060 and a CPU-only torch of earlier tries."""
    nvml = dict.fromkeys(
        ("name", "vram_total", "architecture", "temperature_c", "power_limit_watts", "drives_display", "pcie"), "NVML"
    )
    return SystemReport(
        made_at="2026-12-01T09:00:00Z",
        program="0.1.0",
        system=System(
            os="windows",
            name="Windows 11 Pro 24H2",
            version="10.0.26100",
            build=26100,
            language="ru_RU",
            laptop=True,
            long_paths=False,
            home="C:\\Users\\Иван",
            sources={"name": "registry"},
        ),
        cpu=Cpu(name="13th Gen Intel Core i7-13700H", cores=14, threads=20),
        memory=Memory(ram_total=32 * GIB, ram_available=21 * GIB),
        disks=(
            Disk(path="C:\\", total=952 * GIB, free=211 * GIB, filesystem="NTFS", kind="fixed"),
            Disk(path="D:\\", total=1863 * GIB, free=1207 * GIB, filesystem="NTFS", kind="fixed"),
        ),
        gpus=(
            Gpu(
                vendor="nvidia",
                name="NVIDIA GeForce RTX 4060 Laptop GPU",
                index=0,
                pci_id="10de:28e0",
                architecture="Ada Lovelace",
                compute_capability="8.9",
                vram_total=8 * GIB,
                vram_used=int(0.6 * GIB),
                temperature_c=46,
                power_watts=11.5,
                power_limit_watts=95,
                drives_display=False,
                pcie=PcieLink(generation=1, generation_max=4, width=8, width_max=8),
                sources=nvml,
            ),
            Gpu(vendor="intel", name="Intel Iris Xe Graphics", integrated=True, sources={"name": "registry"}),
        ),
        driver=Driver(
            state=DriverState.WORKING,
            version="591.44",
            cuda_version="13.1",
            model="WDDM",
            sources={"version": "NVML", "cuda_version": "NVML", "model": "nvidia-smi"},
        ),
        pythons=(
            PythonEnvironment(
                executable="C:\\Projects\\first\\.venv\\Scripts\\python.exe",
                prefix="C:\\Projects\\first\\.venv",
                version="3.12.4",
                kind="venv",
                bits=64,
                packages=(PackageBuild(name="torch", version="2.15.0+cpu", build="cpu"),),
                source="PATH",
            ),
        ),
        tools=(Tool(name="vc_redist", version="14.42", source="registry"),),
        notes=(
            ProbeNote(source="nvml", outcome=Outcome.OK, seconds=0.09),
            ProbeNote(source="nvidia-smi", outcome=Outcome.OK, seconds=0.31),
            ProbeNote(source="registry", outcome=Outcome.OK, seconds=0.01),
        ),
    )


def old_driver() -> SystemReport:
    """An RTX 5070 whose driver is too old for every build that holds its code."""
    report = laptop()
    card = replace(
        report.gpus[0],
        name="NVIDIA GeForce RTX 5070",
        pci_id="10de:2f04",
        architecture="Blackwell",
        compute_capability="12.0",
        vram_total=12 * GIB,
    )
    driver = Driver(state=DriverState.WORKING, version="551.86", cuda_version="12.4", model="WDDM")
    return replace(report, gpus=(card,), driver=driver, pythons=())


def no_driver() -> SystemReport:
    """The laptop before its driver was installed."""
    report = laptop()
    card = Gpu(
        vendor="nvidia",
        name="NVIDIA GeForce RTX 4060 Laptop GPU",
        pci_id="10de:28e0",
        architecture="Ada Lovelace",
        compute_capability="8.9",
        sources={"name": "PCI id", "architecture": "PCI id"},
    )
    return replace(report, gpus=(card, report.gpus[1]), driver=Driver(state=DriverState.MISSING), pythons=())


def no_card() -> SystemReport:
    """A Linux computer without any graphics card."""
    report = laptop()
    return replace(
        report,
        system=System(os="linux", name="Ubuntu 24.04.2 LTS", version="24.04", home="/home/anna"),
        disks=(Disk(path="/", total=468 * GIB, free=102 * GIB, filesystem="ext4", kind="fixed"),),
        gpus=(),
        driver=None,
        pythons=(),
    )


def two_cards() -> SystemReport:
    """A GTX 1080 beside an RTX 5090: no single build serves both."""
    report = laptop()
    old = replace(
        report.gpus[0],
        name="NVIDIA GeForce GTX 1080",
        pci_id="10de:1b80",
        architecture="Pascal",
        compute_capability="6.1",
        drives_display=True,
    )
    new = replace(
        report.gpus[0],
        index=1,
        name="NVIDIA GeForce RTX 5090",
        pci_id="10de:2b85",
        architecture="Blackwell",
        compute_capability="12.0",
        vram_total=32 * GIB,
    )
    return replace(
        report,
        gpus=(old, new),
        driver=Driver(state=DriverState.WORKING, version="580.88", cuda_version="13.0", model="WDDM"),
    )


def amd_card() -> SystemReport:
    """A Windows computer with a Radeon."""
    card = Gpu(vendor="amd", name="AMD Radeon RX 7900 XTX", vram_total=24 * GIB, sources={"name": "registry"})
    return replace(laptop(), gpus=(card,), driver=None, pythons=())


def detected(report: SystemReport) -> SessionState:
    """The state after looking at a computer."""
    verdict = judge(report, frameworks()["pytorch"])
    root = str(default_root(report, Settings()))
    return reduce(SessionState(), actions.Detected(report=report, verdict=verdict, default_root=root))


def on(state: SessionState, page: str) -> SessionState:
    """The same state on another page, open or not."""
    return replace(state, page=page)


def reviewed(report: SystemReport, option: str | None = None) -> SessionState:
    """The state with a plan to look at."""
    state = detected(report)
    chosen = option or state.option or (state.verdict.options[0].id if state.verdict else "")
    state = reduce(state, actions.OptionChosen(option=chosen))
    return reduce(state, actions.Planned(plan=make_plan(chosen, report, frameworks()["pytorch"], Settings())))


def _files() -> tuple[FileKnown, ...]:
    return (
        FileKnown(name="torch-2.15.0+cu130-cp312-cp312-win_amd64.whl", size=2_680_000_000),
        FileKnown(name="torchvision-0.30.0+cu130-cp312-cp312-win_amd64.whl", size=9_100_000),
        FileKnown(name="numpy-2.3.5-cp312-cp312-win_amd64.whl", size=12_800_000),
        FileKnown(name="sympy-1.14.0-py3-none-any.whl", size=6_300_000),
    )


def _beginning(state: SessionState) -> list[InstallEvent]:
    plan = state.plan
    if plan is None:
        raise ValueError("no plan")
    ids = ("check", "environment", "resolve", "download", "install", "prove", "place")
    purposes = {step.id: step.purpose for step in plan.steps}
    steps = tuple(PlannedStep(id=id_, purpose=purposes.get(id_) or message(f"install-step-{id_}")) for id_ in ids)
    return [
        InstallBegan(
            plan_id=plan.id,
            framework=plan.framework,
            option=plan.option,
            build=plan.build,
            target=plan.target,
            started=1_796_000_000.0,
            steps=steps,
        )
    ]


def _through(*ids: str, start: float = 0.0) -> list[InstallEvent]:
    events: list[InstallEvent] = []
    for place, id_ in enumerate(ids):
        events.append(StepStarted(time=start + 3 * place, id=id_))
        events.append(StepEnded(time=start + 3 * place + 2.5, id=id_, outcome="done", exit_code=0))
    return events


def downloading_events(state: SessionState) -> list[InstallEvent]:
    """In the middle of the big file."""
    big = _files()[0]
    events = [*_beginning(state), *_through("check", "environment", "resolve"), StepStarted(time=10, id="download")]
    events.append(FilesKnown(time=10, files=_files()))
    for file in _files()[1:]:
        events.append(Progress(time=12, file=file.name, done=file.size or 0, total=file.size))
    events += [Progress(time=14 + place, file=big.name, done=150_000_000 * place) for place in range(1, 8)]
    events += [Log(time=15, text=f"Prepared {place} packages") for place in range(1, 4)]
    return events


def finished_events(state: SessionState) -> list[InstallEvent]:
    """An install that succeeds."""
    plan = state.plan
    target = plan.target if plan is not None else ""
    windows = "\\" in target
    return [
        *_beginning(state),
        *_through("check", "environment", "resolve", "download", "install", "prove", "place"),
        Verified(time=21, versions={"torch": "2.15.0+cu130", "torchvision": "0.30.0+cu130"}, build="cu130"),
        Succeeded(
            time=22,
            folder=target,
            python=f"{target}\\Scripts\\python.exe" if windows else f"{target}/bin/python",
            bytes=int(5.4 * GIB),
        ),
    ]


def failed_events(state: SessionState) -> list[InstallEvent]:
    """An install that cannot reach its server."""
    return [
        *_beginning(state),
        *_through("check", "environment"),
        StepStarted(time=8, id="resolve"),
        Log(time=9, text="error: Failed to fetch: `https://download.pytorch.org/whl/cu130/torch/`"),
        Log(time=9, text="  Caused by: dns error: failed to lookup address information"),
        StepEnded(time=9, id="resolve", outcome="failed", exit_code=2),
        Failed(
            time=9,
            reason=message("install-failed-step", what=message("install-step-resolve"), code=2),
            step="resolve",
            exit_code=2,
        ),
    ]


def cancelled_events(state: SessionState) -> list[InstallEvent]:
    """An install that was stopped early."""
    events = [*_beginning(state), *_through("check"), StepStarted(time=4, id="environment")]
    return [*events, CancelledByUser(time=5, step="environment")]


def _with_install(events: Callable[[SessionState], list[InstallEvent]], *, busy: bool = False) -> SessionState:
    state = reviewed(laptop())
    plan_id = state.plan.id if state.plan is not None else ""
    state = reduce(state, actions.PlanAccepted(plan_id=plan_id))
    state = reduce(state, actions.WorkStarted(work="install"))
    state = reduce(state, actions.InstallMoved(run=fold(events(state))))
    return state if busy else reduce(state, actions.WorkEnded())


def training_events(state: SessionState, steps: int, *, passed: bool | None = None) -> list[SmokeEvent]:
    """A training that has come so far; with `passed` it has ended."""
    spec = SmokeSpec(framework=state.framework, test="picture", python=python_to_test(state) or "python", expect="cuda")
    where = {"device": "cuda:0", "name": "NVIDIA GeForce RTX 4060 Laptop GPU", "kind": "cuda"}
    events: list[SmokeEvent] = [
        Began(spec=spec, started=1_796_000_300.0),
        Hello(time=0.4, python="3.12.4", framework="torch", version="2.15.0+cu130", build="cu130", pid=4242),
        Stage(time=0.5, name="import", budget=180),
        Device(time=6, kind="cuda", name=where["name"], index=0, vram_total=8 * GIB, compute_capability="8.9"),
        *(Proof(time=7, id=id_, outcome="passed", values=dict(where)) for id_ in PROVEN_EARLY),
        Stage(time=8, name="train", budget=120),
    ]
    for step in range(1, steps + 1):
        time = 8 + step / 50
        loss = 0.08 * math.exp(-step / 90) + 0.004 + 0.001 * math.sin(step)
        events.append(Metric(time=time, name="loss", step=step, total=600, value=loss))
    events.append(Metric(time=9, name="steps_per_second", step=steps, total=600, value=214.0))
    events.append(Metric(time=9, name="vram_allocated", step=steps, total=600, value=float(312 * 2**20)))
    events.append(Picture(time=9, name="learnt", step=steps, width=SIDE, height=SIDE, rgb=_sunset(steps / 600)))
    if passed is None:
        return events
    if not passed:
        text = "CUDA error: no kernel image is available for execution on the device"
        events.append(Error(time=12, kind="RuntimeError", text=text, traceback=f"Traceback ...\nRuntimeError: {text}"))
        return [*events, Exited(time=12.5, code=1)]
    return [*events, Result(time=20, passed=True), Exited(time=20.5, code=0)]


def _sunset(sharpness: float) -> str:
    """A sun over the sea, the sharper the longer the network has learnt."""
    rows = bytearray()
    edge = 0.32 - 0.3 * min(1.0, sharpness)
    for y in range(SIDE):
        for x in range(SIDE):
            across, down = x / SIDE - 0.5, y / SIDE
            sun = _soft(0.2 - math.hypot(across, down - 0.42), edge)
            sea = _soft(down - 0.62, edge)
            sky = (70 + 150 * down, 60 + 90 * down, 130 + 20 * down)
            water = (30 + 120 * sun, 50 + 70 * sun, 110)
            for channel, gold in enumerate((255, 205, 110)):
                value = sky[channel] * (1 - sun) + gold * sun
                rows.append(round(value * (1 - sea) + water[channel] * sea))
    return base64.b64encode(bytes(rows)).decode()


def _soft(distance: float, edge: float) -> float:
    return min(1.0, max(0.0, 0.5 + distance / (2 * edge)))


def _with_training(steps: int, *, passed: bool | None = None) -> SessionState:
    state = reduce(_with_install(finished_events), actions.PageOpened(page="smoke_test"))
    state = reduce(state, actions.WorkStarted(work="smoke_test"))
    run = SmokeRun()
    for event in training_events(state, steps, passed=passed):
        run = run.apply(event)
    state = reduce(state, actions.SmokeMoved(run=run))
    return state if passed is None else reduce(state, actions.WorkEnded())


STATES: dict[str, Callable[[], SessionState]] = {
    "welcome": SessionState,
    "welcome-back": lambda: on(_with_install(finished_events), "welcome"),
    "detecting": lambda: reduce(SessionState(), actions.WorkStarted(work="detect")),
    "detected-laptop": lambda: on(detected(laptop()), "detect"),
    "detected-no-driver": lambda: on(detected(no_driver()), "detect"),
    "detected-no-card": lambda: on(detected(no_card()), "detect"),
    "detected-two-cards": lambda: on(detected(two_cards()), "detect"),
    "detected-amd": lambda: on(detected(amd_card()), "detect"),
    "choose-laptop": lambda: on(detected(laptop()), "choose"),
    "choose-old-driver": lambda: on(detected(old_driver()), "choose"),
    "choose-no-driver": lambda: on(detected(no_driver()), "choose"),
    "choose-no-card": lambda: on(detected(no_card()), "choose"),
    "choose-two-cards": lambda: on(detected(two_cards()), "choose"),
    "choose-amd": lambda: on(detected(amd_card()), "choose"),
    "trouble": lambda: replace(
        on(detected(laptop()), "choose"), trouble=message("window-job-failed", detail="OSError: [Errno 5]")
    ),
    "review": lambda: reviewed(laptop()),
    "review-cpu": lambda: reviewed(no_card(), "cpu"),
    "installing": lambda: _with_install(downloading_events, busy=True),
    "install-stopping": lambda: replace(_with_install(downloading_events, busy=True), cancelling=True),
    "install-succeeded": lambda: _with_install(finished_events),
    "install-failed": lambda: _with_install(failed_events),
    "install-cancelled": lambda: _with_install(cancelled_events),
    "before-training": lambda: reduce(_with_install(finished_events), actions.PageOpened(page="smoke_test")),
    "training": lambda: _with_training(140),
    "trained": lambda: _with_training(600, passed=True),
    "training-failed": lambda: _with_training(3, passed=False),
    "finished": lambda: reduce(_with_training(600, passed=True), actions.PageOpened(page="finish")),
}


def named_state(name: str) -> SessionState:
    """One of `STATES`. Raises `KeyError`."""
    return STATES[name]()


def open_state(name_or_file: str) -> SessionState:
    """A named state, or one from a file. Raises `OSError`, `msgspec.DecodeError`."""
    return named_state(name_or_file) if name_or_file in STATES else read_state(Path(name_or_file))
