"""Fixes that act: what they change, how they are undone, and when they are refused."""

from __future__ import annotations

import msgspec
import pytest

from gpu_assistant.base.settings import Settings
from gpu_assistant.base.texts import LANGUAGES, say
from gpu_assistant.detect.report import GpuProcess, SystemReport
from gpu_assistant.select.catalogue import frameworks
from gpu_assistant.troubleshoot.actions import Prepared, prepare
from gpu_assistant.troubleshoot.diagnosis import FixAction
from gpu_assistant.troubleshoot.rules import rule_base
from tests.troubleshoot.test_engine import computer


def act(
    kind: str, report: SystemReport | None = None, *, known: bool = True, ours: bool = False, **args: str
) -> Prepared:
    report = report or computer(build="cpu")
    environment = report.pythons[0] if known else None
    if ours and environment:
        environment = msgspec.structs.replace(environment, kind="ours", prefix="C:\\ai\\envs\\pytorch")
    action = FixAction(kind=kind, args=args)
    return prepare(action, report, frameworks()["pytorch"], Settings(), environment)


def test_a_cpu_build_is_replaced_by_a_plan_to_accept() -> None:
    done = act("replace_cpu_build")
    assert done.plan is not None
    assert done.plan.build == "cu130"
    assert done.plan.steps[0].id == "uninstall"
    assert "2.14.1+cpu" in say(done.undo, "en")


def test_the_plan_for_an_old_card_is_the_last_one_with_its_code() -> None:
    old = computer(build="cpu", card="NVIDIA GeForce GTX 1080", capability="6.1")
    plan = act("replace_cpu_build", old).plan
    assert plan is not None
    assert plan.build == "cu126"
    assert "torch==2.14.1" in plan.packages


@pytest.mark.parametrize("kind", ["replace_cpu_build", "match_torchvision", "reinstall_packages", "reset_environment"])
def test_without_an_environment_it_is_refused_with_a_reason(kind: str) -> None:
    refused = act(kind, known=False, packages="numpy<2").refused
    assert refused is not None
    assert all(say(refused, language) for language in LANGUAGES)


def test_one_package_is_reinstalled_where_it_is() -> None:
    plan = act("reinstall_packages", packages="numpy<2").plan
    assert plan is not None
    argv = plan.steps[0].argv
    assert argv[:3] == ("uv", "pip", "install")
    assert "C:\\ai\\python.exe" in argv
    assert argv[-2:] == ("--reinstall-package", "numpy")


def test_only_our_own_environment_is_reset() -> None:
    assert act("reset_environment").refused is not None
    plan = act("reset_environment", ours=True).plan
    assert plan is not None
    assert plan.target == "C:\\ai\\envs\\pytorch"


def test_a_variable_is_shown_for_every_shell() -> None:
    done = act("set_environment_variable", name="USE_LIBUV", value="0")
    assert done.variables == {"USE_LIBUV": "0"}
    assert "USE_LIBUV" in done.commands[0].cmd
    assert "USE_LIBUV" in done.commands[0].powershell


def test_who_holds_the_card_is_named_biggest_first() -> None:
    report = computer()
    held = (GpuProcess(pid=1, name="small", vram_bytes=1), GpuProcess(pid=2, name="big", vram_bytes=9))
    report = msgspec.structs.replace(report, gpus=(msgspec.structs.replace(report.gpus[0], processes=held),))
    assert [process.name for process in act("free_gpu", report).processes] == ["big", "small"]


def test_the_rest_says_what_changes_and_how_it_is_undone() -> None:
    assert act("lower_batch").batch_factor == 0.5
    assert act("clear_cache").steps[0].argv == ("uv", "cache", "clean")


ACTIONS = {
    msgspec.json.encode(fix.action): fix.action
    for rule in rule_base().rules.values()
    for fix in rule.row.fixes
    if fix.action
}


@pytest.mark.parametrize("action", ACTIONS.values(), ids=lambda action: action.kind)
def test_every_action_of_the_base_can_be_prepared(action: FixAction) -> None:
    report = computer(build="cpu")
    done = prepare(action, report, frameworks()["pytorch"], Settings(), report.pythons[0])
    for language in LANGUAGES:
        assert say(done.changes, language)
        assert say(done.undo, language)
