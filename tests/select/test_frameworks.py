"""The other frameworks: the same code over other rows, and every limit told before the download."""

from __future__ import annotations

import pytest

from gpu_assistant.base.settings import Settings
from gpu_assistant.detect.report import SystemReport
from gpu_assistant.select.catalogue import frameworks
from gpu_assistant.select.judge import judge
from gpu_assistant.select.planning import make_plan, planned_option
from tests.select.machines import gpu, machine

PASCAL_WINDOWS = machine("windows", "GTX 1080 Ti", driver="580.88")
BLACKWELL_WINDOWS = machine("windows", "RTX 5070", driver="591.44")
ADA_WINDOWS = machine("windows", "RTX 4070", driver="566.36")
MAXWELL_WINDOWS = machine("windows", "GTX 960", driver="452.39")
PASCAL_LINUX = machine("linux", "GTX 1080 Ti", driver="580.95.05")
MAXWELL_LINUX = machine("linux", "GTX 960", driver="580.95.05")
BLACKWELL_LINUX = machine("linux", "RTX 5070", driver="595.45.04")
ADA_WSL = machine("wsl", "RTX 4070", driver="566.36")
MAC = machine("macos", gpu("Apple M3", "apple"), chip="arm64")
BARE = machine("linux")

ON_TORCH = ("lightning", "transformers", "accelerate")

# framework, machine | status, option of the plan, packages that it must hold
TABLE = [
    *[(row, PASCAL_WINDOWS, "ready", "cu126", {"torch==2.14.1", "torchvision==0.29.1"}) for row in ON_TORCH],
    *[(row, BLACKWELL_WINDOWS, "ready", "cu130", {"torch>=2.14.1,<2.16"}) for row in ON_TORCH],
    *[(row, ADA_WINDOWS, "ready", "cu126", {"torch==2.14.1"}) for row in ON_TORCH],
    *[(row, MAXWELL_WINDOWS, "driver_needed", None, set()) for row in ON_TORCH],
    *[(row, MAC, "ready", "mps", {"torch>=2.14.1,<2.16"}) for row in ON_TORCH],
    *[(row, BARE, "cpu_only", "cpu", {"torch>=2.14.1,<2.16"}) for row in ON_TORCH],
    *[(row, PASCAL_WINDOWS, "unsupported", None, set()) for row in ("deepspeed", "nemo")],
    *[(row, ADA_WSL, "ready", "cu126", {"torch==2.14.1"}) for row in ("deepspeed", "nemo")],
    *[(row, MAC, "unsupported", None, set()) for row in ("deepspeed", "nemo")],
    ("tensorflow", BLACKWELL_WINDOWS, "cpu_only", "cpu", {"tensorflow>=2.21,<2.22"}),
    ("tensorflow", PASCAL_WINDOWS, "cpu_only", "cpu", {"tensorflow>=2.21,<2.22"}),
    ("tensorflow", PASCAL_LINUX, "ready", "cuda12", {"tensorflow[and-cuda]>=2.21,<2.22", "nvidia-cudnn-cu12<9.11"}),
    ("tensorflow", ADA_WSL, "ready", "cuda12", {"tensorflow[and-cuda]>=2.21,<2.22"}),
    ("tensorflow", MAXWELL_LINUX, "unsupported", "cpu", {"tensorflow>=2.21,<2.22"}),
    ("tensorflow", BLACKWELL_LINUX, "unsupported", "cpu", {"tensorflow>=2.21,<2.22"}),
    ("tensorflow", MAC, "cpu_only", "cpu", {"tensorflow>=2.21,<2.22"}),
    ("jax", BLACKWELL_WINDOWS, "cpu_only", "cpu", {"jax>=0.12,<0.13"}),
    ("jax", BLACKWELL_LINUX, "ready", "cuda13", {"jax[cuda13]>=0.12,<0.13"}),
    ("jax", ADA_WSL, "ready", "cuda12", {"jax[cuda12]>=0.12,<0.13"}),
    ("jax", MAXWELL_LINUX, "ready", "cuda12", {"jax[cuda12]>=0.12,<0.13", "nvidia-cudnn-cu12<9.11"}),
    ("jax", BARE, "cpu_only", "cpu", {"jax>=0.12,<0.13"}),
]


@pytest.mark.parametrize(("framework", "report", "status", "option", "packages"), TABLE)
def test_table(framework: str, report: SystemReport, status: str, option: str | None, packages: set[str]) -> None:
    row = frameworks()[framework]
    verdict = judge(report, row)
    assert (verdict.status, planned_option(verdict)) == (status, option)
    if option is not None:
        plan = make_plan(option, report, row, Settings())
        assert packages <= set(plan.packages)
        assert set(row.packages) <= set(plan.packages)
        assert len(set(plan.packages)) == len(plan.packages)


@pytest.mark.parametrize("framework", ["tensorflow", "jax", "deepspeed", "nemo"])
def test_windows_is_told_the_other_road(framework: str) -> None:
    verdict = judge(BLACKWELL_WINDOWS, frameworks()[framework])
    assert f"select-elsewhere-{framework}-windows" in {reason.id for reason in verdict.reasons}


def test_a_cuda_extra_is_never_offered_on_windows() -> None:
    for framework in ("tensorflow", "jax"):
        plan = make_plan("cpu", BLACKWELL_WINDOWS, frameworks()[framework], Settings())
        assert not any("[" in package for package in plan.packages)


def test_what_comes_on_top_cannot_replace_the_build() -> None:
    plan = make_plan("cu126", PASCAL_WINDOWS, frameworks()["lightning"], Settings())
    environment, build, top = plan.steps
    assert (environment.id, build.id, top.id) == ("environment", "install", "packages")
    assert "--index" in build.argv
    assert "--index" not in top.argv
    assert top.argv[-2:] == ("lightning>=2.6.6,<3", "torch==2.14.1")
    assert (plan.build, plan.build_package) == ("cu126", "torch")


def test_the_gpu_part_that_must_stay_is_in_the_plan() -> None:
    plan = make_plan("cuda13", BLACKWELL_LINUX, frameworks()["jax"], Settings())
    assert plan.companion == "jax-cuda13-plugin"
    assert plan.build_package == ""
    assert make_plan("cpu", BARE, frameworks()["jax"], Settings()).companion == ""


def test_source_is_built_only_where_there_is_no_wheel() -> None:
    for id_, row in frameworks().items():
        option = judge(ADA_WSL, row).options[0].id
        plan = make_plan(option, ADA_WSL, row, Settings())
        assert "--no-build" in plan.steps[1].argv
        assert ("--no-build" in plan.steps[-1].argv) == (id_ not in ("deepspeed", "nemo"))
