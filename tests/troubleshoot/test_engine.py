"""How causes are ranked: root before consequence, facts between look-alikes, honesty about the rest."""

from __future__ import annotations

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpu_assistant.detect.report import (
    Driver,
    DriverState,
    Gpu,
    Memory,
    PackageBuild,
    PythonEnvironment,
    System,
    SystemReport,
)
from gpu_assistant.troubleshoot.diagnosis import Diagnosis
from gpu_assistant.troubleshoot.engine import diagnose
from gpu_assistant.troubleshoot.evidence import Evidence
from gpu_assistant.troubleshoot.facts import facts_of
from gpu_assistant.troubleshoot.rules import rule_base

NOT_AVAILABLE = ">>> torch.cuda.is_available()\nFalse"


def run(text: str, **facts: object) -> tuple[Diagnosis, ...]:
    return diagnose(Evidence(text=text, **facts), rule_base())


def computer(
    *,
    build: str = "cu130",
    card: str = "NVIDIA GeForce RTX 4070",
    capability: str = "8.9",
    cuda: str | None = "13.0",
    state: DriverState = DriverState.WORKING,
    system: System | None = None,
    variables: dict[str, str] | None = None,
    bits: int = 64,
) -> SystemReport:
    return SystemReport(
        made_at="2026-12-01T00:00:00Z",
        program="1",
        system=system or System(os="windows", name="Windows 11", build=26100),
        gpus=(Gpu(vendor="nvidia", name=card, compute_capability=capability, vram_total=12 << 30),),
        driver=Driver(state=state, version="580.88", cuda_version=cuda),
        pythons=(
            PythonEnvironment(
                executable="C:\\ai\\python.exe",
                version="3.12.4",
                bits=bits,
                packages=(PackageBuild(name="torch", version=f"2.14.1+{build}", build=build),),
            ),
        ),
        environment=variables or {},
    )


WSL = System(os="wsl", name="Ubuntu", wsl_version=2)


@pytest.mark.parametrize(
    ("report", "cause"),
    [
        (computer(build="cpu"), "torch_cpu_only_build"),
        (computer(state=DriverState.MISSING, cuda=None), "nvidia_driver_missing"),
        (computer(cuda="12.4"), "nvidia_driver_too_old"),
        (computer(variables={"CUDA_VISIBLE_DEVICES": '"0"'}), "cuda_unavailable"),
        (computer(variables={"CUDA_VISIBLE_DEVICES": ""}), "cuda_unavailable"),
        (computer(card="NVIDIA GeForce GTX 1080", capability="6.1"), "gpu_older_than_build"),
        (computer(build="cu126", card="NVIDIA GeForce RTX 5070", capability="12.0"), "gpu_newer_than_build"),
        (computer(state=DriverState.INACCESSIBLE, system=WSL), "wsl_gpu_unavailable"),
        (
            computer(state=DriverState.UNKNOWN, system=System(os="linux", name="Ubuntu", container="docker")),
            "docker_container_without_gpu",
        ),
        (computer(), "cuda_unavailable"),
    ],
)
def test_the_report_decides_between_look_alikes(report: SystemReport, cause: str) -> None:
    assert run(NOT_AVAILABLE, report=report)[0].cause == cause


def test_a_hidden_card_names_the_variable_and_a_plain_case_does_not() -> None:
    hidden = run(NOT_AVAILABLE, report=computer(variables={"CUDA_VISIBLE_DEVICES": "-1"}))[0]
    assert hidden.rule == "gpu-hidden"
    assert '"-1"' in hidden.what.en
    assert run(NOT_AVAILABLE, report=computer())[0].rule == "cuda-unavailable"


def test_a_missing_dll_is_found_beside_is_available() -> None:
    text = (
        f'{NOT_AVAILABLE}\nOSError: [WinError 126] Не найден указанный модуль. Error loading "C:\\x\\nvrtc64_120_0.dll"'
    )
    assert run(text, report=computer())[0].cause == "dll_missing_dependency"


def test_facts_are_said_beside_the_cause() -> None:
    best = run(NOT_AVAILABLE, report=computer(build="cpu"))[0]
    assert any("2.14.1+cpu" in fact.en for fact in best.facts)


def test_the_environment_that_failed_is_the_one_that_is_judged() -> None:
    report = computer()
    other = PythonEnvironment(
        executable="C:\\other\\python.exe", packages=(PackageBuild(name="torch", version="2.15.0+cpu", build="cpu"),)
    )
    report = SystemReport(
        **{name: getattr(report, name) for name in report.__struct_fields__} | {"pythons": (*report.pythons, other)}
    )
    assert run(NOT_AVAILABLE, report=report, environment=other.executable)[0].cause == "torch_cpu_only_build"


ASSERT = (
    "Loss.cu:250: block: [0,0,0], thread: [5,0,0] Assertion `t >= 0 && t < n_classes` failed.\n"
    + "noise\n" * 3000
    + "RuntimeError: CUDA error: device-side assert triggered"
)


def test_the_root_cause_stands_before_its_consequence_however_far_above() -> None:
    found = run(ASSERT)
    assert found[0].cause == "device_side_assert_labels"
    assert "device_side_assert" not in [one.cause for one in found[1:]]
    assert found[0].lines[0].number == 1


def test_a_notice_never_stands_before_an_error() -> None:
    notice = "A matching Triton is not available, some optimizations will not be enabled.\nNo module named 'triton'\n"
    assert run(notice)[0].cause == "triton_missing_on_windows"
    found = run(notice + "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.")
    assert [one.cause for one in found] == ["cuda_out_of_memory", "triton_missing_on_windows"]


def test_memory_is_told_apart_by_its_numbers() -> None:
    start = (
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.00 GiB. "
        "GPU 0 has a total capacity of 24.00 GiB of which 0.10 GiB is free. "
    )
    rest = "Of the allocated memory {} is allocated by PyTorch, and {} is reserved by PyTorch but unallocated."
    plain, pieces = rest.format("23.00 GiB", "20.00 MiB"), rest.format("15.00 GiB", "8.00 GiB")
    other = "Process 4242 has 20.00 GiB memory in use. " + rest.format("3.00 GiB", "20.00 MiB")
    itself = "Process 4242 has 23.40 GiB memory in use. " + plain  # in a container the driver's pid is a stranger's
    assert run(start + plain)[0].cause == "cuda_out_of_memory"
    assert run(start + pieces)[0].cause == "cuda_oom_fragmentation"
    assert run(start + other)[0].cause == "gpu_memory_used_by_other_process"
    assert run(start + itself)[0].cause == "cuda_out_of_memory"


def test_an_ordinary_error_is_not_blamed_on_the_card() -> None:
    text = 'Traceback (most recent call last):\n  File "train.py", line 3, in <module>\n    print(modle)\n'
    text += "NameError: name 'modle' is not defined"
    assert run(text)[0].cause == "not_a_gpu_problem"


def test_an_unknown_text_says_so_and_asks_for_more() -> None:
    best = run("frobnicator error 4711: the flux is reversed")[0]
    assert best.cause == "unknown"
    assert best.confidence < 0.5
    assert best.fixes


@pytest.mark.parametrize("text", ["", "Epoch 3/3 loss 0.1\nDone.", "Successfully installed torch-2.14.1+cu126"])
def test_nothing_wrong_gives_no_alarm(text: str) -> None:
    found = run(text, exit_code=0)
    assert [one.cause for one in found] == ["unknown"]
    assert found[0].rule in ("no-error-found", "nothing-given")


@pytest.mark.parametrize(
    ("code", "cause"),
    [(-9, "host_ram_exhausted"), (137, "host_ram_exhausted"), (0xC0000135, "dll_missing_dependency")],
)
def test_an_exit_code_alone_gives_a_careful_answer(code: int, cause: str) -> None:
    best = run("", exit_code=code)[0]
    assert (best.cause, best.certainty) == (cause, "possible")
    assert run("", exit_code=code - (1 << 32) if code > 1 << 31 else code)[0].cause == cause


def test_a_stage_that_hung_is_told() -> None:
    assert run("", timed_out=True, stage="import")[0].rule == "hang-in-stage"


@given(st.binary(max_size=3000))
@settings(max_examples=40, deadline=None)
def test_any_bytes_give_an_answer(data: bytes) -> None:
    found = run(data.decode("latin-1"))
    assert found
    lines = data.decode("latin-1").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert all(1 <= line.number <= len(lines) for one in found for line in one.lines)


def test_large_logs_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    import time

    rng = random.Random(1)
    step = "".join(
        f"12:00:{i % 60:02d} INFO step {i} loss {rng.random():.4f} cuda memory 1234MiB\n" for i in range(20_000)
    )
    half = step * 20
    log = half + "RuntimeError: CUDA error: an illegal memory access was encountered\n" + half
    start = time.perf_counter()
    best = run(log)[0]
    line = "x error cuda " * 800_000 + "CUDA error: an illegal memory access was encountered " + "y " * 100_000
    middle = time.perf_counter()
    assert run(line)[0].cause == "cuda_illegal_memory_access"
    with capsys.disabled():
        end = time.perf_counter()
        print(
            f"\n  {len(log) >> 20} MiB: {middle - start:.2f} s; one line of {len(line) >> 20} MiB: {end - middle:.2f} s"
        )
    assert best.cause == "cuda_illegal_memory_access"
    assert best.lines[0].number == half.count("\n") + 1


@pytest.mark.parametrize(
    ("memory", "small"),
    [
        (Memory(), False),
        (Memory(pagefile_total=4 << 30), True),
        (Memory(pagefile_total=4 << 30, pagefile_limit=64 << 30), False),
        (Memory(pagefile_total=16 << 30, pagefile_limit=2 << 30), True),
        (Memory(pagefile_limit=0), True),
    ],
)
def test_a_page_file_is_small_by_its_limit_where_that_is_known(memory: Memory, small: bool) -> None:
    report = msgspec.structs.replace(computer(), memory=memory)
    assert ("pagefile_small" in facts_of(Evidence(report=report)).flags) == small
