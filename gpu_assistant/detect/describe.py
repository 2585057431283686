"""The report as readable lines: messages with an indent, said in the user's language at the edge."""

from __future__ import annotations

from collections.abc import Iterator

from gpu_assistant.base.message import Argument, Message, message
from gpu_assistant.base.model import Value
from gpu_assistant.base.texts import Language, say
from gpu_assistant.detect.report import Driver, Gpu, Outcome, PythonEnvironment, SystemReport, Tool


class ReportLine(Value, frozen=True, kw_only=True):
    """One line. `sources` says for the facts in it where they come from."""

    message: Message
    level: int = 0
    sources: str = ""

    def text(self, language: Language) -> str:
        """The line as it is printed."""
        tail = f"   [{self.sources}]" if self.sources else ""
        return "    " * self.level + say(self.message, language) + tail


def describe(report: SystemReport, *, sources: bool = False) -> tuple[ReportLine, ...]:
    """All lines; `sources` adds "how do we know?" to each fact."""
    lines = [
        *_computer(report),
        *_cards(report),
        *_pythons(report.pythons),
        *_tools(report.tools),
        *_environment(report.environment),
        *_findings(report),
    ]
    if sources:
        return (*lines, *_notes(report))
    return tuple(ReportLine(message=line.message, level=line.level) for line in lines)


def _line(id_: str, level: int = 1, sources: str = "", /, **args: Argument) -> ReportLine:
    return ReportLine(message=message(f"report-{id_}", **args), level=level, sources=sources)


def _computer(report: SystemReport) -> Iterator[ReportLine]:
    system, memory = report.system, report.memory
    yield _line("computer", 0)
    yield _line("system", 1, system.sources.get("name", ""), name=system.name, machine=system.machine)
    if system.build:
        yield _line("build", 1, system.sources.get("build", ""), build=system.build)
    if system.wsl_version:
        yield _line("wsl", 1, "/proc/version", version=system.wsl_version)
    if system.container:
        yield _line("container", 1, system.sources.get("container", ""), name=system.container)
    if system.virtual_machine:
        yield _line("virtual", 1, system.sources.get("virtual_machine", ""), name=system.virtual_machine)
    if report.cpu.name:
        cpu = report.cpu
        named = {"name": report.cpu.name, "cores": cpu.cores or "?", "threads": cpu.threads or "?"}
        yield _line("cpu", 1, cpu.sources.get("name", ""), **named)
    if memory.ram_total is not None:
        yield _line(
            "ram", 1, memory.sources.get("ram_total", ""), total=memory.ram_total, free=memory.ram_available or 0
        )
    if memory.pagefile_total:
        yield _line("pagefile", 1, memory.sources.get("pagefile_total", ""), total=memory.pagefile_total)
    for disk in report.disks:
        if disk.total is not None and disk.free is not None:
            yield _line("disk", 1, disk.source, path=disk.path, free=disk.free, total=disk.total)
    if system.long_paths is not None:
        yield _line("long-paths-on" if system.long_paths else "long-paths-off", 1, "registry")


def _cards(report: SystemReport) -> Iterator[ReportLine]:
    yield _line("cards", 0)
    if not report.gpus:
        yield _line("no-cards")
    for gpu in report.gpus:
        yield from _card(gpu)
    if report.driver is not None:
        yield from _driver(report.driver)


def _card(gpu: Gpu) -> Iterator[ReportLine]:
    yield _line("card", 1, gpu.sources.get("name", ""), name=gpu.name)
    if gpu.integrated:
        yield _line("card-integrated", 2, gpu.sources.get("integrated", ""))
    chip = [gpu.architecture, gpu.compute_capability, gpu.gfx]
    if gpu.compute_capability:
        named = {"architecture": gpu.architecture or "?", "capability": gpu.compute_capability}
        yield _line("card-capability", 2, _from(gpu, "architecture", "compute_capability"), **named)
    elif any(chip):
        yield _line("card-chip", 2, _from(gpu, "architecture", "gfx"), chip=", ".join(part for part in chip if part))
    if gpu.vram_total is not None and gpu.vram_used is not None:
        yield _line("card-vram-used", 2, _from(gpu, "vram_total"), total=gpu.vram_total, used=gpu.vram_used)
    elif gpu.vram_total is not None:
        yield _line("card-vram", 2, _from(gpu, "vram_total"), total=gpu.vram_total)
    if gpu.temperature_c is not None:
        yield _line("card-temperature", 2, _from(gpu, "temperature_c"), celsius=gpu.temperature_c)
    if gpu.power_limit_watts is not None:
        yield _line("card-power", 2, _from(gpu, "power_limit_watts"), limit=gpu.power_limit_watts)
    if gpu.pcie is not None and gpu.pcie.generation_max and gpu.pcie.width_max:
        link = {"generation": gpu.pcie.generation_max, "width": gpu.pcie.width_max}
        yield _line("card-pcie", 2, _from(gpu, "pcie"), **link)
    if gpu.drives_display is not None:
        yield _line("card-display-yes" if gpu.drives_display else "card-display-no", 2, _from(gpu, "drives_display"))
    if gpu.ecc_enabled:
        yield _line("card-ecc", 2, _from(gpu, "ecc_enabled"))
    for part in gpu.mig_instances:
        yield _line("card-mig", 2, _from(gpu, "mig_instances"), name=part.name, total=part.vram_total or 0)
    for process in gpu.processes or ():
        yield _process(process.name or "?", process.pid, process.vram_bytes, _from(gpu, "processes"))
    if gpu.driver_version:
        yield _line("card-driver", 2, _from(gpu, "driver_version"), version=gpu.driver_version)


def _process(name: str, pid: int, used: int | None, source: str) -> ReportLine:
    if used is None:
        return _line("process", 2, source, name=name, pid=pid)
    return _line("process-memory", 2, source, name=name, pid=pid, used=used)


def _from(gpu: Gpu, *fields: str) -> str:
    return ", ".join(dict.fromkeys(gpu.sources[field] for field in fields if field in gpu.sources))


def _driver(driver: Driver) -> Iterator[ReportLine]:
    yield _line(f"driver-{driver.state.value.replace('_', '-')}", 1, driver.sources.get("state", ""))
    if driver.version:
        yield _line("driver-version", 2, driver.sources.get("version", ""), version=driver.version)
    if driver.cuda_version:
        yield _line("driver-cuda", 2, driver.sources.get("cuda_version", ""), version=driver.cuda_version)
    if driver.model:
        yield _line("driver-model", 2, driver.sources.get("model", ""), model=driver.model)


def _pythons(pythons: tuple[PythonEnvironment, ...]) -> Iterator[ReportLine]:
    yield _line("pythons", 0)
    if not pythons:
        yield _line("no-pythons")
    for python in pythons:
        named = {"version": python.version or "?", "path": python.executable, "kind": python.kind}
        yield _line("python", 1, python.source, **named)
        if python.packages:
            packages = ", ".join(
                f"{package.name} {package.version}"
                + (f" ({package.build})" if _shows_build(package.version, package.build) else "")
                for package in python.packages
            )
            yield _line("packages", 2, "dist-info", packages=packages)


def _shows_build(version: str, build: str | None) -> bool:
    return build is not None and "+" not in version


def _tools(tools: tuple[Tool, ...]) -> Iterator[ReportLine]:
    if tools:
        yield _line("tools", 0)
    for tool in tools:
        name = message(f"report-tool-{tool.name.replace('_', '-')}")
        rest = " ".join(part for part in (tool.version, tool.path, tool.detail) if part)
        yield _line("tool", 1, tool.source, name=name, rest=rest)


def _environment(environment: dict[str, str]) -> Iterator[ReportLine]:
    if environment:
        yield _line("environment", 0)
    for name, value in environment.items():
        yield _line("variable", 1, "environment", name=name, value=value)


def _findings(report: SystemReport) -> Iterator[ReportLine]:
    if report.findings:
        yield _line("findings", 0)
    for finding in report.findings:
        yield ReportLine(message=message(f"report-{finding.severity}", text=finding.message), level=1)


def _notes(report: SystemReport) -> Iterator[ReportLine]:
    yield _line("notes", 0)
    for note in report.notes:
        good = note.outcome is Outcome.OK
        outcome = message(f"report-outcome-{note.outcome.value.replace('_', '-')}")
        yield _line(
            "note" if good or not note.detail else "note-detail",
            1,
            "",
            source=note.source,
            outcome=outcome,
            detail=note.detail,
        )
