"""The road through WSL2: what is done, what is to do, and the commands in their order."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from gpu_assistant.base.settings import Settings
from gpu_assistant.base.texts import LANGUAGES, say
from gpu_assistant.cli import main
from gpu_assistant.detect.report import Driver, DriverState, Gpu, System, SystemReport, Tool
from gpu_assistant.select.catalogue import frameworks
from gpu_assistant.select.wsl_road import wsl_road

WINDOWS = SystemReport(
    made_at="2026-12-01T00:00:00Z",
    program="test",
    system=System(os="windows", name="Windows 11", build=26100),
    gpus=(Gpu(vendor="nvidia", name="NVIDIA GeForce RTX 4060", compute_capability="8.9", vram_total=8 << 30),),
    driver=Driver(state=DriverState.WORKING, version="591.44", cuda_version="13.1"),
)


def road(framework: str, report: SystemReport = WINDOWS) -> dict[str, tuple[str, tuple[str, ...]]]:
    steps = wsl_road(report, frameworks()[framework], Settings())
    assert all(say(step.text, language) for step in steps for language in LANGUAGES)
    return {step.id: (step.state, step.commands) for step in steps}


@pytest.mark.parametrize("framework", ["tensorflow", "jax", "deepspeed", "nemo"])
def test_what_windows_does_not_serve_leads_through_wsl(framework: str) -> None:
    steps = road(framework)
    assert [steps[id_][0] for id_ in ("windows", "card", "driver")] == ["done", "done", "done"]
    assert steps["distribution"] == ("todo", ("wsl --install -d Ubuntu",))
    commands = " ".join(steps["install"][1])
    assert {"tensorflow": "tensorflow[and-cuda]", "jax": "jax[cuda13]"}.get(framework, "cu130") in commands
    assert "\\" not in commands


def test_pytorch_needs_no_detour() -> None:
    assert road("pytorch") == {}
    assert road("tensorflow", replace(WINDOWS, gpus=())) == {}


def test_what_is_there_is_seen() -> None:
    tool = Tool(name="wsl", detail="Ubuntu-24.04 (WSL 2), docker-desktop (WSL 2)")
    assert road("jax", replace(WINDOWS, tools=(tool,)))["distribution"] == ("done", ())
    old = Tool(name="wsl", detail="Debian (WSL 1)")
    assert road("jax", replace(WINDOWS, tools=(old,)))["distribution"] == ("todo", ("wsl --set-version Debian 2",))
    only_docker = Tool(name="wsl", detail="docker-desktop (WSL 2)")
    assert road("jax", replace(WINDOWS, tools=(only_docker,)))["distribution"][0] == "todo"


def test_an_old_windows_and_an_old_card_block_the_road() -> None:
    system = System(os="windows", name="Windows 10", build=18363)
    assert road("jax", replace(WINDOWS, system=system))["windows"][0] == "blocked"
    old = Gpu(vendor="nvidia", name="NVIDIA GeForce GTX 960", compute_capability="5.2", vram_total=4 << 30)
    assert road("jax", replace(WINDOWS, gpus=(old,))).get("card", ("blocked",))[0] == "blocked"


def test_the_command_tells_the_road(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    machine = tmp_path / "machine.toml"
    lines = ['os = "windows"', 'python = "3.12"', "[driver]", 'version = "591.44"', "[[gpu]]"]
    machine.write_text("\n".join([*lines, 'name = "NVIDIA GeForce RTX 4060"']), "utf-8")
    assert main(["plan", "--framework", "jax", "--machine", str(machine), "--lang", "ru"]) == 0
    assert "wsl --install -d Ubuntu" in capsys.readouterr().out
    assert main(["plan", "--framework", "jax", "--machine", str(machine), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [step["id"] for step in told["wsl_road"]][-1] == "install"
    assert main(["plan", "--machine", str(machine), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["wsl_road"] == []
