"""Which build for which computer: a table, and the same rules over every known card."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packaging.requirements import Requirement

from gpu_assistant.base.settings import Settings
from gpu_assistant.base.texts import LANGUAGES, say
from gpu_assistant.detect.gpus import gpu_table
from gpu_assistant.detect.report import Driver, DriverState, SystemReport
from gpu_assistant.select.cards import runs_code
from gpu_assistant.select.catalogue import card_facts, frameworks
from gpu_assistant.select.judge import judge
from gpu_assistant.select.plan import Status
from gpu_assistant.select.planning import make_plan, planned_option
from gpu_assistant.select.versions import PythonRange, at_least, numbers
from tests.select.machines import gpu, machine, pytorch

ARC = gpu("Intel Arc B580", "intel")
UHD = gpu("Intel UHD Graphics 770", "intel", integrated=True)
RX7900 = gpu("AMD Radeon RX 7900 XTX", "amd")
NONE: tuple[str, ...] = ()

# os, cards, driver | status, open options in order (without the processor)
TABLE = [
    # the four machines on which other tools fail
    ("windows", ["GTX 1080 Ti"], "580.88", "ready", ["cu126"]),
    ("windows", ["RTX 5070"], "591.44", "ready", ["cu130"]),
    ("windows", ["RTX 4070"], "566.36", "ready", ["cu126"]),
    ("windows", ["GTX 960"], "452.39", "driver_needed", ["cu118"]),
    # borders of the driver, Windows
    ("windows", ["RTX 4060"], "452.38", "driver_needed", NONE),
    ("windows", ["RTX 4060"], "452.39", "driver_needed", ["cu118"]),
    ("windows", ["RTX 4060"], "527.41", "driver_needed", ["cu118"]),
    ("windows", ["RTX 4060"], "528.32", "driver_needed", ["cu118"]),
    ("windows", ["RTX 4060"], "528.33", "ready", ["cu126"]),
    ("windows", ["RTX 4060"], "579.99", "ready", ["cu126"]),
    ("windows", ["RTX 4060"], "580.00", "ready", ["cu130", "cu126"]),
    ("windows", ["RTX 4060"], "594.99", "ready", ["cu130", "cu126"]),
    ("windows", ["RTX 4060"], "595.00", "ready", ["cu130", "cu132", "cu126"]),
    ("windows", ["RTX 5090"], "570.64", "driver_needed", NONE),
    ("windows", ["RTX 5090"], "570.65", "ready", ["cu128"]),
    ("windows", ["RTX 5090"], "580.00", "ready", ["cu130"]),
    ("windows", ["RTX 5090"], "620.70", "ready", ["cu130", "cu132"]),
    ("windows", ["GTX 1080"], "527.41", "driver_needed", ["cu118"]),
    ("windows", ["GTX 1080"], "528.33", "ready", ["cu126"]),
    ("windows", ["GTX 1080"], "582.28", "ready", ["cu126"]),
    ("windows", ["TITAN V"], "580.88", "ready", ["cu126"]),
    ("windows", ["GTX 750 Ti"], "580.88", "ready", ["cu126"]),
    # Linux, WSL (judged by the number of the Windows driver), Arm
    ("linux", ["RTX 4060"], "450.80.01", "driver_needed", NONE),
    ("linux", ["RTX 4060"], "525.60.12", "driver_needed", ["cu118"]),
    ("linux", ["RTX 4060"], "525.60.13", "ready", ["cu126"]),
    ("linux", ["RTX 4060"], "580.65.05", "ready", ["cu126"]),
    ("linux", ["RTX 4060"], "580.65.06", "ready", ["cu130", "cu126"]),
    ("linux", ["RTX 5090"], "570.25", "driver_needed", NONE),
    ("linux", ["RTX 5090"], "570.26", "ready", ["cu128", "cu129"]),
    ("linux", ["NVIDIA H100 PCIe"], "595.45.04", "ready", ["cu130", "cu132", "cu126"]),
    ("wsl", ["RTX 4060"], "525.60.13", "driver_needed", ["cu118"]),
    ("wsl", ["RTX 4060"], "528.33", "ready", ["cu126"]),
    ("wsl", ["RTX 5090"], "570.26", "driver_needed", NONE),
    ("wsl", ["RTX 5090"], "580.00", "ready", ["cu130"]),
    ("linux-aarch64", ["NVIDIA GB10"], "580.95.05", "ready", ["cu130"]),
    ("windows-aarch64", ["RTX 4060"], "616.41", "unsupported", NONE),
    # older than any current build, and the one whose drivers ended with 470
    ("windows", ["GT 710"], "474.11", "unsupported", NONE),
    ("windows", ["GTX 680"], None, "unsupported", NONE),
    ("windows", ["GTX 480"], "391.35", "unsupported", NONE),
    ("linux", ["Tesla K80"], "470.256.02", "ready", ["cu118"]),
    # the driver is not there; a card nobody knows
    ("windows", ["RTX 4060"], None, "driver_needed", NONE),
    ("linux", ["GTX 1080"], None, "driver_needed", NONE),
    ("windows", ["NVIDIA Graphics Device"], None, "driver_needed", NONE),
    ("windows", ["NVIDIA Graphics Device"], "566.36", "unknown", NONE),
    ("windows", ["NVIDIA Graphics Device"], "591.44", "ready", ["cu130"]),
    # several cards
    ("windows", ["GTX 1080", "RTX 5090"], "580.88", "ready", ["cu130", "cu126"]),
    ("windows", ["GTX 1080", "RTX 5090"], "572.16", "ready", ["cu128", "cu126"]),
    ("windows", ["GTX 1080", "RTX 4060"], "580.88", "ready", ["cu126", "cu130"]),
    ("windows", ["GT 710", "RTX 4060"], "580.88", "ready", ["cu130", "cu126"]),
    ("windows", [UHD, "RTX 4060 Laptop GPU"], "580.88", "ready", ["cu130", "cu126"]),
    ("windows", [ARC, "RTX 4060"], None, "driver_needed", ["xpu"]),
    ("linux", [RX7900, "RTX 4060"], "580.95.05", "ready", ["cu130", "cu126", "rocm7.2"]),
    # no card, and the cards of others
    ("windows", [], None, "cpu_only", NONE),
    ("linux", [], None, "cpu_only", NONE),
    ("windows", [], "580.88", "cpu_only", NONE),
    ("linux", [RX7900], None, "ready", ["rocm7.2"]),
    ("linux", [gpu("AMD Radeon RX 6700 XT", "amd")], None, "unsupported", NONE),
    ("linux", [gpu("AMD Radeon RX 9999", "amd")], None, "unknown", NONE),
    ("windows", [RX7900], None, "cpu_only", NONE),
    ("wsl", [RX7900], None, "cpu_only", NONE),
    ("windows", [ARC], None, "ready", ["xpu"]),
    ("linux", [ARC], None, "ready", ["xpu"]),
    ("windows", [UHD], None, "cpu_only", NONE),
    ("macos-aarch64", [gpu("Apple M3", "apple")], None, "ready", ["mps"]),
    ("macos", [gpu("AMD Radeon Pro 560X", "amd")], None, "unsupported", NONE),
]


@pytest.mark.parametrize(("place", "cards", "driver", "status", "options"), TABLE)
def test_table(place: str, cards: list, driver: str | None, status: str, options: list[str]) -> None:
    os, _, chip = place.partition("-")
    state = driver if driver or not any(isinstance(card, str) for card in cards) else Driver(state=DriverState.MISSING)
    report = machine(os, *cards, driver=state, chip=chip or "x86_64")
    verdict = judge(report, pytorch())
    assert verdict.status == status
    cpu = [] if status == "unsupported" and (os == "macos" or place == "windows-aarch64") else ["cpu"]
    assert [option.id for option in verdict.options] == [*options, *cpu]


def test_versions_of_the_four_machines() -> None:
    for card, driver, torch in (
        ("GTX 1080 Ti", "580.88", "torch==2.14.1"),
        ("RTX 5070", "591.44", "torch>=2.14.1,<2.16"),
        ("RTX 4070", "566.36", "torch==2.14.1"),
    ):
        report = machine("windows", card, driver=driver)
        plan = make_plan(planned_option(judge(report, pytorch())), report, pytorch(), Settings())
        assert plan.packages[0] == torch
        assert plan.index_url == f"https://download.pytorch.org/whl/{plan.build}"
    old = machine("windows", "GTX 960", driver="452.39")
    assert planned_option(judge(old, pytorch())) is None
    assert make_plan("cu118", old, pytorch(), Settings()).packages == ("torch==2.7.1", "torchvision==0.22.1")


def ids(messages) -> set[str]:
    return {message.id for message in messages}


def test_a_dropped_card_is_never_told_to_take_any_newer_driver() -> None:
    for card in ("GTX 960", "GTX 1080", "TITAN V"):
        verdict = judge(machine("windows", card, driver="452.39"), pytorch())
        assert verdict.sentence.args["need"] == "528.33"
        step = verdict.next_steps[0]
        assert step.id == "select-next-driver-branch-windows"
        assert step.args["branch"] == 580


def test_one_driver_for_two_cards_stays_where_both_are_served() -> None:
    verdict = judge(machine("windows", "GTX 1080", "RTX 5090", driver="572.16"), pytorch())
    branches = [step.args for step in verdict.next_steps if step.id == "select-next-driver-branch-windows"]
    assert branches
    assert branches[0]["branch"] == 580
    assert branches[0]["need"] == "580.00"
    assert "select-next-driver-windows" not in ids(verdict.next_steps)


def test_two_cards_without_a_common_build_are_told_apart() -> None:
    verdict = judge(machine("windows", "GTX 1080", "RTX 5090", driver="580.88"), pytorch())
    assert verdict.sentence.id == "select-ready-split"
    assert "select-reason-split" in ids(verdict.reasons)
    assert [option.gpus for option in verdict.options] == [(1,), (0,), ()]


def test_works_now_but_better_after_an_update() -> None:
    verdict = judge(machine("windows", "RTX 4070", driver="566.36"), pytorch())
    assert verdict.sentence.id == "select-ready-update"
    assert verdict.next_steps[0].args["need"] == "580.00"
    assert [blocked.reason.args["need"] for blocked in verdict.blocked if blocked.id == "cu130"] == ["580.00"]


@pytest.mark.parametrize("state", [state for state in DriverState if state is not DriverState.WORKING])
def test_a_driver_that_does_not_answer_closes_the_road(state: DriverState) -> None:
    verdict = judge(machine("windows", "RTX 4060", driver=Driver(state=state, version="580.88")), pytorch())
    assert verdict.status in (Status.DRIVER_NEEDED, Status.UNKNOWN)
    assert [option.id for option in verdict.options] == ["cpu"]
    assert not any(option.recommended for option in verdict.options)
    assert {blocked.id for blocked in verdict.blocked} >= {"cu130", "cu126"}
    assert verdict.next_steps


def test_a_driver_that_does_not_tell_its_number_is_unknown() -> None:
    verdict = judge(machine("windows", "RTX 4060", driver=Driver(state=DriverState.WORKING)), pytorch())
    assert (verdict.status, verdict.sentence.id) == (Status.UNKNOWN, "select-unknown-driver")
    assert [option.id for option in verdict.options] == ["cpu"]


def test_a_driver_that_dropped_the_card() -> None:
    driver = Driver(state=DriverState.NO_DEVICES, version="591.44")
    verdict = judge(machine("windows", "GTX 1080", driver=driver), pytorch())
    assert verdict.sentence.id == "select-driver-dropped"
    assert verdict.next_steps[0].args["branch"] == 580


def test_hidden_cards_are_said() -> None:
    report = machine("windows", "RTX 4060", driver="580.88", environment={"CUDA_VISIBLE_DEVICES": "-1"})
    verdict = judge(report, pytorch())
    assert "select-reason-hidden" in ids(verdict.reasons)
    assert "select-next-unhide" in ids(verdict.next_steps)


def test_amd_on_windows_is_sent_to_amd() -> None:
    verdict = judge(machine("windows", RX7900), pytorch())
    assert [blocked.reason.id for blocked in verdict.blocked if blocked.id == "rocm7.2"] == [
        "select-elsewhere-amd-windows"
    ]


def test_old_windows_and_macos() -> None:
    from gpu_assistant.detect.report import System

    ten = System(os="windows", name="Windows 10", build=19045)
    assert judge(machine("windows", ARC, system=ten), pytorch()).status is Status.CPU_ONLY
    mac = System(os="macos", name="macOS 13", version="13.6", machine="arm64")
    assert judge(machine("macos", gpu("Apple M1", "apple"), system=mac), pytorch()).status is Status.UNSUPPORTED


# ---------------------------------------------------------------- every card, every driver

DRIVERS = (
    "391.35", "450.80.02", "452.39", "470.256.02", "516.94", "525.60.13", "527.41", "528.33", "566.36", "570.26",
    "570.65", "572.16", "580.00", "580.65.06", "580.88", "591.44", "595.00", "595.45.04", "620.70.06",
)  # fmt: skip
NAMES = [row.name for row in gpu_table().known]


@st.composite
def machines(draw: st.DrawFn) -> SystemReport:
    os = draw(st.sampled_from(["windows", "linux", "wsl"]))
    chip = draw(st.sampled_from(["x86_64", "x86_64", "x86_64", "aarch64"]))
    cards = draw(st.lists(st.sampled_from([*NAMES, RX7900, ARC, UHD]), max_size=3))
    state = draw(st.sampled_from([DriverState.WORKING] * 6 + list(DriverState)))
    driver = Driver(state=state, version=draw(st.sampled_from([*DRIVERS, None])))
    python = draw(st.sampled_from([None, "3.8", "3.9", "3.10.4", "3.12.1", "3.13", "3.14", "3.15"]))
    return machine(os, *cards, driver=driver, chip=chip, python=python)


@settings(max_examples=250, deadline=None)
@given(report=machines(), framework=st.sampled_from(sorted(frameworks())))
def test_every_combination_gives_a_plan_or_a_reason(report: SystemReport, framework: str) -> None:
    row = frameworks()[framework]
    verdict = judge(report, row)
    for text in (verdict.sentence, *verdict.reasons, *verdict.next_steps):
        for language in LANGUAGES:
            assert say(text, language)
    assert verdict.reasons
    assert verdict.options or verdict.blocked or verdict.status is Status.UNSUPPORTED
    assert len([option for option in verdict.options if option.recommended]) <= 1
    if verdict.status in (Status.READY, Status.CPU_ONLY):
        assert planned_option(verdict) is not None
    if verdict.status is Status.DRIVER_NEEDED:
        assert planned_option(verdict) is None
        assert verdict.next_steps
    for option in verdict.options:
        plan = make_plan(option.id, report, row, Settings())
        assert all(Requirement(package) for package in plan.packages)
        for text in plan.warnings:
            assert say(text, "ru")


def facts_of(report: SystemReport, place: int) -> tuple[int, ...]:
    row = gpu_table().by_name(report.gpus[place].name)
    capability = (row.compute_capability if row else None) or "8.6"
    return numbers(capability)


@settings(max_examples=250, deadline=None)
@given(report=machines())
def test_no_offer_lacks_the_card_or_the_driver(report: SystemReport) -> None:
    row = pytorch()
    driver_os = "linux" if report.system.os == "linux" else "windows"
    for option in judge(report, row).options:
        if option.id in ("cpu", "xpu", "rocm7.2"):
            continue
        assert report.driver is not None
        assert report.driver.state is DriverState.WORKING
        build = next(build for build in row.build if build.id == option.id)
        assert at_least(report.driver.version, build.driver[driver_os])
        code = row.code_for(build.code_key, f"{report.system.os}-{report.system.machine}", build.version)
        assert code is not None
        for place in option.gpus:
            assert any(runs_code(sm, facts_of(report, place), card_facts()) for sm in code.sm)
        plan = make_plan(option.id, report, row, Settings())
        assert plan.python in PythonRange(build.python)


def test_every_known_card_has_a_build_with_the_newest_driver_it_can_have() -> None:
    for known in gpu_table().known:
        capability = numbers(known.compute_capability or "8.6")
        newest = "580.88" if capability < (7, 5) else "620.70"
        options = [option.id for option in judge(machine("windows", known.name, driver=newest), pytorch()).options]
        if known.form == "embedded" or capability in {numbers(text) for text in card_facts().embedded}:
            continue
        expected = "cu130" if capability >= (7, 5) else "cu126" if capability >= (5, 0) else None
        if expected:
            assert options[0] == expected, known.name
