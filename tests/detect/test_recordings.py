"""Every recording gives its expected report, holds no private word, and can be recorded again."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from gpu_assistant.base.model import Value
from gpu_assistant.base.resources import read_toml
from gpu_assistant.base.texts import LANGUAGES
from gpu_assistant.detect.describe import describe
from gpu_assistant.detect.privacy import Redactor
from gpu_assistant.detect.recorder import Recorder, write_recording
from gpu_assistant.detect.recording import Machine, Replay
from gpu_assistant.detect.report import SystemReport
from tests.detect.machines import NAMES, RECORDINGS, report_of

# the machines that the program promises to tell apart
PROMISED = {
    "no-gpu",
    "win11-rtx4060-laptop",
    "win11-rtx5090-old-driver",
    "win11-gtx1080-new-driver",
    "win10-gtx960",
    "win11-two-cards",
    "linux-a100-mig",
    "linux-driver-mismatch",
    "linux-driver-not-loaded",
    "linux-nvidia-smi-missing",
    "wsl2-rtx4070",
    "wsl2-no-libcuda",
    "win11-rx7900xtx",
    "linux-rx6700xt",
    "win11-arc-b580",
    "macos-m3",
    "win11-ru-cyrillic-user",
    "docker-no-gpus",
    "this-machine",
}


class ExpectedGpu(Value, frozen=True, kw_only=True):
    name: str
    vendor: str
    index: int | None = None
    pci_id: str | None = None
    pci_address: str | None = None
    architecture: str | None = None
    compute_capability: str | None = None
    gfx: str | None = None
    vram_gib: int | None = None  # rounded: drivers keep some for themselves
    integrated: bool | None = None
    external: bool | None = None
    drives_display: bool | None = None
    power_watts: float | None = None
    power_limit_watts: float | None = None
    mig_enabled: bool | None = None
    ecc_enabled: bool | None = None


class Expected(Value, frozen=True, kw_only=True):
    """`expected.toml`, written by hand from what the machine is. A key that is not there is not compared."""

    os: str
    driver: dict[str, str] = {}
    findings: tuple[str, ...] = ()
    torch: tuple[str, ...] = ()
    gpu: tuple[ExpectedGpu, ...] = ()
    build: int | None = None
    laptop: bool | None = None
    long_paths: bool | None = None
    remote_session: bool | None = None
    secure_boot: bool | None = None
    nouveau_loaded: bool | None = None
    wsl_version: int | None = None
    container: str | None = None
    virtual_machine: str | None = None
    machine: str | None = None
    language: str | None = None


_SYSTEM_KEYS = ("os", "build", "laptop", "long_paths", "remote_session", "secure_boot", "nouveau_loaded", "wsl_version")
_MORE_SYSTEM_KEYS = ("container", "virtual_machine", "machine", "language")


def replayed(name: str) -> SystemReport:
    return report_of(Replay(RECORDINGS / name))


def test_every_promised_machine_is_recorded() -> None:
    assert set(NAMES) >= PROMISED
    assert read_toml(RECORDINGS / "this-machine" / "machine.toml", Machine).origin == "real"


@pytest.mark.parametrize("name", NAMES)
def test_report_is_as_expected(name: str) -> None:
    expected = read_toml(RECORDINGS / name / "expected.toml", Expected)
    report = replayed(name)
    for key in (*_SYSTEM_KEYS, *_MORE_SYSTEM_KEYS):
        if (value := getattr(expected, key)) is not None:
            assert getattr(report.system, key) == value, key
    got = {} if report.driver is None else {key: getattr(report.driver, key) for key in expected.driver}
    assert (report.driver is None) == (not expected.driver)
    assert {key: str(value) for key, value in got.items()} == expected.driver
    assert [finding.message.id for finding in report.findings] == [f"detect-{id_}" for id_ in expected.findings]
    builds = [
        f"{package.version}" for python in report.pythons for package in python.packages if package.name == "torch"
    ]
    assert builds == list(expected.torch)
    assert [gpu.name for gpu in report.gpus] == [gpu.name for gpu in expected.gpu]
    for gpu, wanted in zip(report.gpus, expected.gpu, strict=True):
        for key in ExpectedGpu.__struct_fields__:
            value = getattr(wanted, key)
            if key == "vram_gib":
                total = None if gpu.vram_total is None else round(gpu.vram_total / 2**30)
                assert value is None or total == value
            elif value is not None:
                assert getattr(gpu, key) == value, key


@pytest.mark.parametrize("name", NAMES)
def test_every_fact_of_a_card_names_its_source(name: str) -> None:
    for gpu in replayed(name).gpus:
        known = {
            key
            for key in gpu.__struct_fields__
            if key not in ("vendor", "sources") and getattr(gpu, key) not in (None, ())
        }
        assert known <= set(gpu.sources), known - set(gpu.sources)


@pytest.mark.parametrize("name", NAMES)
def test_the_report_can_be_said_in_both_languages(name: str) -> None:
    report = replayed(name)
    for language in LANGUAGES:
        lines = [line.text(language) for line in describe(report, sources=True)]
        assert len(lines) > 5
        assert all("{" not in line for line in lines)


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_says_what_it_is(name: str) -> None:
    replay = Replay(RECORDINGS / name)
    assert replay.trouble == ()
    assert replay.machine.title
    assert replay.machine.sources
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", replay.machine.date)
    stored = {path.name for path in (RECORDINGS / name).glob("raw/*")}
    text = (RECORDINGS / name / "answers.toml").read_text(encoding="utf-8")
    assert stored == set(re.findall(r'^raw = "(.+)"$', text, re.MULTILINE))
    for path in (RECORDINGS / name).glob("raw/nvidia-smi*"):
        if path.read_text(encoding="utf-8").startswith("<?xml"):
            assert ElementTree.fromstring(path.read_text(encoding="utf-8")).tag == "nvidia_smi_log"


@pytest.mark.parametrize("name", NAMES)
def test_no_private_word_is_left(name: str) -> None:
    for path in sorted(p for p in (RECORDINGS / name).rglob("*") if p.is_file()):
        text = path.read_text(encoding="utf-8")
        again = Redactor().text(text) if not text.startswith("<?xml") else text
        assert again == text, path.name
        for where in re.findall(r"(?:Users|home)[\\/]+([^\\/\"';:\s]+)", text):
            assert where in ("<user>", "linuxbrew"), (path.name, where)
        assert not re.search(r"(?<![\w<])/(?:root|work)\b", text), path.name
        assert not re.search(r"GPU-[0-9a-f]{8}-", text)


@pytest.mark.parametrize("name", NAMES)
def test_recording_a_recording_gives_the_same_report(name: str, tmp_path: Path) -> None:
    recorder = Recorder(Replay(RECORDINGS / name))
    first = report_of(recorder)
    files = recorder.files(title="again", date="2026-12-01", redactor=Redactor())
    write_recording(tmp_path / "again", files)
    assert report_of(Replay(tmp_path / "again")) == first == replayed(name)


def test_a_report_survives_json() -> None:
    report = replayed("linux-a100-mig")
    assert msgspec.json.decode(msgspec.json.encode(report), type=SystemReport) == report
