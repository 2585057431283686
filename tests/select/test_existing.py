"""Environments that are already there: told apart, and repaired by a plan only."""

from __future__ import annotations

import pytest

from gpu_assistant.base.settings import Settings
from gpu_assistant.base.texts import say
from gpu_assistant.detect.report import Driver, DriverState, PackageBuild, PythonEnvironment, SystemReport
from gpu_assistant.select.existing import CannotRepair, Condition, check_environment, plan_for_existing
from tests.select.machines import machine, pytorch

RTX = machine("windows", "RTX 4060", driver="591.44")
PASCAL = machine("windows", "GTX 960", driver="580.88")
NO_DRIVER = machine("windows", "RTX 4060", driver=Driver(state=DriverState.MISSING))
BARE = machine("windows")


def environment(torch: str | None, build: str | None = None, **facts: object) -> PythonEnvironment:
    packages = (PackageBuild(name="torch", version=torch, build=build),) if torch else ()
    packages += (PackageBuild(name="torchvision", version="0.29.2"),) if torch else ()
    facts = {"executable": "D:\\my env\\Scripts\\python.exe", "version": "3.12.4", "prefix": "D:\\my env"} | facts
    return PythonEnvironment(packages=packages, **facts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("report", "torch", "build", "condition", "option"),
    [
        (RTX, "2.15.0+cu130", "cu130", Condition.FITS, None),
        (RTX, "2.15.0+cpu", "cpu", Condition.CPU_ONLY, "cu130"),
        (RTX, None, None, Condition.ABSENT, "cu130"),
        (RTX, "2.15.0+rocm7.2", "rocm7.2", Condition.UNSURE, None),
        (RTX, "2.15.0", None, Condition.UNSURE, None),
        (PASCAL, "2.15.0+cu130", "cu130", Condition.NO_CODE, "cu126"),
        (PASCAL, "2.8.0+cu126", "cu126", Condition.NO_CODE, "cu126"),
        (PASCAL, "2.14.1+cu126", "cu126", Condition.FITS, None),
        (NO_DRIVER, "2.15.0+cu130", "cu130", Condition.DRIVER, None),
        (NO_DRIVER, "2.15.0+cpu", "cpu", Condition.CPU_ONLY, None),
        (BARE, "2.15.0+cpu", "cpu", Condition.FITS, None),
        (BARE, None, None, Condition.ABSENT, "cpu"),
    ],
)
def test_check(report: SystemReport, torch: str, build: str, condition: Condition, option: str) -> None:
    found = check_environment(environment(torch, build), report, pytorch())
    assert (found.condition, found.option) == (condition, option)
    assert say(found.sentence, "ru")


def test_a_repair_takes_the_old_build_out_first() -> None:
    plan = plan_for_existing(environment("2.15.0+cpu", "cpu"), "cu130", RTX, pytorch(), Settings())
    uninstall, install = plan.steps
    python = "D:\\my env\\Scripts\\python.exe"
    assert uninstall.argv == ("uv", "pip", "uninstall", "--python", python, "torch", "torchvision")
    assert install.argv[:5] == ("uv", "pip", "install", "--python", python)
    assert plan.target == "D:\\my env"
    assert plan.build == "cu130"
    assert any(warning.id == "select-warn-changes-environment" for warning in plan.warnings)
    assert plan.commands["pip"][0].powershell.startswith("& 'D:\\my env\\Scripts\\python.exe' -m pip uninstall --yes")


def test_an_empty_environment_needs_no_uninstall() -> None:
    plan = plan_for_existing(environment(None), "cu130", RTX, pytorch(), Settings())
    assert [step.id for step in plan.steps] == ["install"]


@pytest.mark.parametrize(
    ("facts", "id_"),
    [
        ({"externally_managed": True}, "select-repair-managed"),
        ({"bits": 32}, "select-repair-bits"),
        ({"version": "3.9.1"}, "select-repair-python"),
        ({"version": "3.15.0"}, "select-repair-python"),
    ],
)
def test_what_must_not_be_changed_is_refused(facts: dict[str, object], id_: str) -> None:
    own = environment("2.15.0+cpu", "cpu", **facts)
    assert check_environment(own, RTX, pytorch()).obstacle.id == id_  # type: ignore[union-attr]
    with pytest.raises(CannotRepair) as refused:
        plan_for_existing(own, "cu130", RTX, pytorch(), Settings())
    assert refused.value.reason.id == id_


def test_a_wheel_for_another_python_is_refused() -> None:
    wheels = ["torch-2.14.1+cu130-cp313-cp313-win_amd64.whl"]
    chosen = Settings(wheel_folder="D:\\wheels")
    with pytest.raises(CannotRepair):
        plan_for_existing(environment(None), "cu130", RTX, pytorch(), chosen, wheels=wheels)
