"""What a report says, as lines of label, value and source, in the language that is shown now."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QObject

from gpu_assistant.detect.report import Driver, DriverState, Gpu, SystemReport
from gpu_assistant.gui.language import format_bytes, format_number


class Fact(NamedTuple):
    """One line. `source` is where the value comes from, for those who ask how we know."""

    label: str
    value: str
    source: str = ""


class FactWriter(QObject):
    """Puts facts into words. A QObject because of `tr`."""

    def of_gpu(self, gpu: Gpu) -> list[Fact]:
        """A card's lines, the important ones first; what is unknown has no line."""
        source = gpu.sources.get
        facts = []
        if gpu.vram_total is not None:
            facts.append(Fact(self.tr("Video memory"), self._memory(gpu), source("vram_total", "")))
        if gpu.architecture is not None:
            facts.append(Fact(self.tr("Generation"), self._generation(gpu), source("architecture", "")))
        if gpu.temperature_c is not None:
            value = self.tr("{degrees} °C").format(degrees=format_number(gpu.temperature_c))
            facts.append(Fact(self.tr("Temperature"), value, source("temperature_c", "")))
        if gpu.power_limit_watts is not None:
            facts.append(Fact(self.tr("Power"), self._power(gpu), source("power_limit_watts", "")))
        if gpu.drives_display is not None:
            value = self.tr("yes, it draws the screen") if gpu.drives_display else self.tr("no")
            facts.append(Fact(self.tr("Screen connected"), value, source("drives_display", "")))
        if gpu.pcie is not None and gpu.pcie.generation_max is not None:
            facts.append(Fact(self.tr("Slot"), self._slot(gpu), source("pcie", "")))
        if gpu.processes:
            names = ", ".join(process.name or str(process.pid) for process in gpu.processes[:4])
            facts.append(Fact(self.tr("Used by"), names, source("processes", "")))
        if gpu.mig_enabled:
            facts.append(Fact(self.tr("Divided (MIG)"), self.tr("yes"), source("mig_enabled", "")))
        if gpu.ecc_enabled is not None:
            value = self.tr("on") if gpu.ecc_enabled else self.tr("off")
            facts.append(Fact(self.tr("Error correction (ECC)"), value, source("ecc_enabled", "")))
        if gpu.driver_version is not None:
            facts.append(Fact(self.tr("Driver"), gpu.driver_version, source("driver_version", "")))
        if gpu.pci_id is not None:
            facts.append(Fact(self.tr("PCI id"), gpu.pci_id, source("pci_id", "")))
        return facts

    def of_gpu_briefly(self, gpu: Gpu) -> str:
        """A card in half a line, under its name."""
        parts = []
        if gpu.vram_total is not None:
            parts.append(self.tr("{size} of video memory").format(size=format_bytes(gpu.vram_total)))
        if gpu.architecture is not None:
            parts.append(gpu.architecture)
        if gpu.integrated:
            parts.append(self.tr("built into the processor"))
        if gpu.external:
            parts.append(self.tr("external"))
        if gpu.asleep:
            parts.append(self.tr("asleep to save power"))
        return " · ".join(parts)

    def of_driver(self, driver: Driver) -> list[Fact]:
        """The NVIDIA driver's lines."""
        facts = [Fact(self.tr("NVIDIA driver"), self.driver_words(driver), driver.sources.get("version", ""))]
        if driver.cuda_version is not None:
            value = self.tr("up to {version}").format(version=driver.cuda_version)
            facts.append(Fact(self.tr("CUDA that it supports"), value, driver.sources.get("cuda_version", "")))
        if driver.model is not None:
            facts.append(Fact(self.tr("Driver model"), driver.model, driver.sources.get("model", "")))
        return facts

    def driver_words(self, driver: Driver) -> str:
        """The driver's version and how it does."""
        states = {
            DriverState.WORKING: self.tr("works"),
            DriverState.MISSING: self.tr("not installed"),
            DriverState.NOT_LOADED: self.tr("installed, but not running"),
            DriverState.MISMATCH: self.tr("updated, waits for a restart"),
            DriverState.NOT_RESPONDING: self.tr("does not answer"),
            DriverState.NO_DEVICES: self.tr("runs, but finds no card"),
            DriverState.INACCESSIBLE: self.tr("out of reach from here"),
            DriverState.UNKNOWN: self.tr("state unknown"),
        }
        words = states[driver.state]
        return f"{driver.version} · {words}" if driver.version else words

    def of_computer(self, report: SystemReport) -> list[Fact]:
        """The lines about everything around the card."""
        system = report.system
        facts = [Fact(self.tr("System"), system.name, system.sources.get("name", ""))]
        if report.cpu.name is not None:
            facts.append(Fact(self.tr("Processor"), self._processor(report)))
        if report.memory.ram_total is not None:
            facts.append(Fact(self.tr("Memory (RAM)"), format_bytes(report.memory.ram_total)))
        for disk in report.disks:
            if disk.free is not None and disk.total is not None:
                value = self.tr("{free} free of {total}").format(
                    free=format_bytes(disk.free), total=format_bytes(disk.total)
                )
                facts.append(Fact(self.tr("Disk {path}").format(path=disk.path), value))
        if system.container is not None:
            facts.append(Fact(self.tr("Container"), system.container, system.sources.get("container", "")))
        if system.virtual_machine is not None:
            facts.append(Fact(self.tr("Virtual machine"), system.virtual_machine))
        if system.remote_session:
            facts.append(Fact(self.tr("Remote desktop"), self.tr("yes")))
        for tool in report.tools:
            words = " · ".join(part for part in (tool.version, tool.detail) if part) or self.tr("yes")
            facts.append(Fact(self._tool_name(tool.name), words, tool.source))
        for python in report.pythons:
            packages = ", ".join(f"{package.name} {package.version}" for package in python.packages)
            words = f"{python.executable} · {packages}" if packages else python.executable
            facts.append(Fact(self.tr("Python {version}").format(version=python.version or "?"), words, python.source))
        return facts

    def _tool_name(self, name: str) -> str:
        return {
            "cuda_toolkit": "CUDA Toolkit",
            "cudnn": "cuDNN",
            "docker": "Docker",
            "nvidia_container_toolkit": "NVIDIA Container Toolkit",
            "wsl": "WSL",
            "conda": "conda",
            "uv": "uv",
            "vc_redist": "Visual C++ Redistributable",
        }.get(name, name)

    def _processor(self, report: SystemReport) -> str:
        name = report.cpu.name or ""
        if report.cpu.threads is None:
            return name
        threads = self.tr("%n thread(s)", "", report.cpu.threads)
        return f"{name} · {threads}"

    def _memory(self, gpu: Gpu) -> str:
        total = format_bytes(gpu.vram_total or 0)
        if gpu.vram_used is None:
            return total
        return self.tr("{total}, {used} of it in use").format(total=total, used=format_bytes(gpu.vram_used))

    def _generation(self, gpu: Gpu) -> str:
        if gpu.compute_capability is None:
            return gpu.architecture or ""
        return self.tr("{architecture} (compute capability {number})").format(
            architecture=gpu.architecture, number=gpu.compute_capability
        )

    def _power(self, gpu: Gpu) -> str:
        limit = format_number(gpu.power_limit_watts or 0)
        if gpu.power_watts is None:
            return self.tr("limit {limit} W").format(limit=limit)
        return self.tr("{now} W of {limit} W").format(now=format_number(gpu.power_watts), limit=limit)

    def _slot(self, gpu: Gpu) -> str:
        link = gpu.pcie
        if link is None:
            return ""
        return self.tr("PCIe {generation}, {width} lanes").format(
            generation=link.generation_max, width=link.width_max or link.width or "?"
        )
