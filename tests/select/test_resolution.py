"""A resolver that drops the GPU part is caught before the download."""

from __future__ import annotations

import msgspec

from gpu_assistant.base.settings import Settings
from gpu_assistant.base.texts import say
from gpu_assistant.select.plan import InstallPlan
from gpu_assistant.select.planning import make_plan
from gpu_assistant.select.resolution import dry_run, read_resolution, resolved_packages
from tests.select.machines import gpu, machine, pytorch

CUDA = make_plan("cu130", machine("windows", "RTX 4060", driver="591.44"), pytorch(), Settings())


def problem(lines: list[str], plan: InstallPlan = CUDA) -> str | None:
    found = read_resolution(plan, lines)
    if found is not None:
        assert say(found, "ru")
        assert say(found, "en")
    return found.id if found else None


def test_a_good_resolution_passes() -> None:
    lines = [
        "Using Python 3.12.4 environment at: C:\\GPU-Assistant\\envs\\pytorch-cu130",
        "Resolved 12 packages in 1.13s",
        "Would download 12 packages",
        " + filelock==4.3.1",
        " + torch==2.15.0+cu130",
        " + torchvision==0.29.2+cu130",
    ]
    assert problem(lines) is None
    assert problem(["torch==2.15.0+cu130 ; sys_platform == 'win32'", "    # via -r in"]) is None


def test_what_was_lost_is_said() -> None:
    assert problem([" + torch==2.15.0+cpu"]) == "select-resolved-cpu"
    assert problem([" + torch==2.15.0"]) == "select-resolved-untagged"
    assert problem([" + torch==2.14.1+cu126"]) == "select-resolved-tag"
    assert problem([" + numpy==2.4.6"]) == "select-resolved-missing"
    assert problem([" - torch==2.15.0+cu130", " + numpy==2.4.6"]) == "select-resolved-missing"
    assert problem(["Would make no changes"]) == "select-resolved-missing"


def test_an_extra_that_an_old_version_lacks_is_caught() -> None:
    plan = msgspec.structs.replace(CUDA, build="cuda13", build_package="", companion="jax-cuda13-plugin")
    warning = "warning: The package `jax==0.6.2` does not have an extra named `cuda13`"
    assert problem([warning, " + jax==0.6.2"], plan) == "select-resolved-extra"
    assert problem(["warning: The package jax==0.6.2 does not have an extra named cuda13"], plan)
    assert problem([" + jax==0.12.0.1", " + jaxlib==0.12.0.1"], plan) == "select-resolved-companion"
    assert problem([" + jax==0.12.0.1", " + jax-cuda13-plugin==0.12.0.1"], plan) is None


def test_a_build_without_a_tag_needs_none() -> None:
    plan = make_plan("mps", machine("macos", gpu("Apple M3", "apple"), chip="arm64"), pytorch(), Settings())
    assert problem([" + torch==2.15.0"], plan) is None


def test_the_wheel_of_the_folder_needs_no_tag() -> None:
    wheels = ["torch-2.9.1-cp313-cp313-win_amd64.whl"]
    plan = make_plan("cpu", machine("windows"), pytorch(), Settings(wheel_folder="D:\\wheels"), wheels=wheels)
    assert problem([" + torch==2.9.1"], plan) is None
    assert problem([" + torch==2.9.2"], plan) == "select-resolved-untagged"


def test_the_dry_run_is_the_install_step() -> None:
    assert dry_run(CUDA) == (*CUDA.steps[1].argv, "--dry-run")


def test_names_are_compared_as_package_names() -> None:
    assert resolved_packages([" + Typing_Extensions==4.16.0", "~ torch==2.15.0"]) == {
        "typing-extensions": "4.16.0",
        "torch": "2.15.0",
    }
