"""Detection cannot fail: random bytes, damaged recordings, raising and hanging probes."""

from __future__ import annotations

import random
import shutil
import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpu_assistant.base.job import Cancelled, JobContext
from gpu_assistant.detect import (
    cards,
    collect,
    linux,
    macos,
    nvidia_smi,
    nvml,
    packages,
    pythons,
    system,
    tools,
    windows,
)
from gpu_assistant.detect.addresses import nvidia_number, pci_address
from gpu_assistant.detect.collect import ProbeFinished, ProbeStarted
from gpu_assistant.detect.gateways import Answer, RegistryKey
from gpu_assistant.detect.recording import Replay
from gpu_assistant.detect.report import Outcome, SystemReport
from tests.detect.machines import NAMES, NOW, RECORDINGS, FakeMachine, report_of

_SMI = (RECORDINGS / "linux-a100-mig" / "raw" / "nvidia-smi-q-x.txt").read_bytes()
_NVML = (RECORDINGS / "linux-a100-mig" / "raw" / "nvml.json").read_bytes()
_MAC = (RECORDINGS / "macos-m3" / "raw" / "system_profiler.json").read_bytes()


def damaged(good: bytes) -> st.SearchStrategy[bytes]:
    """The good answer with a piece replaced: nearly right is harder than random."""
    return st.builds(
        lambda start, length, new: good[: start % len(good)] + new + good[start % len(good) + length :],
        st.integers(min_value=0, max_value=1 << 16),
        st.integers(min_value=0, max_value=200),
        st.binary(max_size=40),
    )


def answers(good: bytes) -> st.SearchStrategy[Answer]:
    return st.builds(
        Answer,
        outcome=st.sampled_from(Outcome),
        out=st.one_of(st.binary(max_size=400), damaged(good)),
        err=st.binary(max_size=100),
        exit_code=st.one_of(st.none(), st.integers(-64, 255)),
    )


@given(answers(_NVML))
def test_nvml_never_raises(answer: Answer) -> None:
    nvml.parse_nvml(answer)


@given(answers(_SMI))
def test_nvidia_smi_never_raises(answer: Answer) -> None:
    nvidia_smi.parse_nvidia_smi(answer)


@given(answers(_MAC))
def test_system_profiler_never_raises(answer: Answer) -> None:
    macos.parse_system_profiler(answer)


@given(answers(b'[{"Name":"NVIDIA GeForce RTX 3060","PNPDeviceID":"PCI\\\\VEN_10DE&DEV_2504","AdapterRAM":1}]'))
def test_cim_and_devices_never_raise(answer: Answer) -> None:
    windows.parse_cim(answer)
    windows.parse_present_devices(answer)


_VALUES = st.dictionaries(
    st.sampled_from(
        [
            "CompatibleIDs",
            "Capabilities",
            "LocationInformation",
            "ProviderName",
            "DriverVersion",
            "DriverDesc",
            "HardwareInformation.qwMemorySize",
            "HardwareInformation.AdapterString",
        ]
    ),
    st.one_of(st.text(max_size=30), st.integers(), st.lists(st.text(max_size=20), max_size=3), st.just("hex:00zz")),
)


@given(st.text(max_size=60), st.one_of(st.none(), st.integers()), _VALUES, st.one_of(st.none(), _VALUES))
def test_registry_keys_never_raise(
    id_: str,
    problem: int | None,
    enum: dict[str, str | int | list[str]],
    driver: dict[str, str | int | list[str]] | None,
) -> None:
    device = windows.PresentDevice(id=id_, problem=problem)
    class_key = None if driver is None else RegistryKey(values=driver)
    windows.is_graphics(enum)
    windows.registry_driver((windows.device_facts(device, RegistryKey(values=enum), class_key),))


@given(st.text(max_size=200), st.binary(max_size=12))
def test_small_parsers_never_raise(text: str, data: bytes) -> None:
    linux.parse_kernel_version(text)
    system.parse_os_release(text)
    system.parse_cpuinfo(text)
    system.parse_secure_boot(data)
    tools.parse_toolkit_version(text)
    tools.parse_cudnn_version(text)
    packages.torch_build("2.9.1", text)
    pythons.parse_pyvenv(text)
    cards.host_build(text)
    pci_address(text)
    nvidia_number(text)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(NAMES), seed=st.integers(0, 1 << 32))
def test_a_damaged_recording_still_gives_a_report(
    name: str, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rng = random.Random(seed)
    folder = tmp_path_factory.mktemp("damaged") / name
    shutil.copytree(RECORDINGS / name, folder)
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        chance = rng.random()
        data = path.read_bytes()
        if chance < 0.15:
            path.unlink()
        elif chance < 0.3:
            path.write_bytes(data[: rng.randrange(len(data) + 1)])
        elif chance < 0.5:
            path.write_bytes(_replace_words(data, rng))
        elif chance < 0.6:
            path.write_bytes(rng.randbytes(300))
    assert isinstance(report_of(Replay(folder)), SystemReport)


def _replace_words(data: bytes, rng: random.Random) -> bytes:
    """Damage inside of strings, which leaves the file readable and its values strange."""
    letters = bytearray(data)
    for place, letter in enumerate(letters):
        if rng.random() < 0.01 and letter in b"0123456789abcdef":
            letters[place] = rng.choice(b"0123456789abcdefxyz")
    return bytes(letters)


class RaisingMachine(FakeMachine):
    def read(self, path: str) -> Answer:
        raise RuntimeError(f"no {path}")

    def registry(self, key: str) -> RegistryKey | None:
        raise OSError("broken")


def test_a_raising_probe_becomes_a_note() -> None:
    report = report_of(RaisingMachine())
    failed = {note.source: note.detail for note in report.notes if note.outcome is Outcome.FAILED}
    assert failed["system"] == "RuntimeError: no /etc/os-release"
    assert report.system.os == "other"
    assert report.environment == {}


class HangingMachine(FakeMachine):
    def __init__(self) -> None:
        super().__init__()
        self.released = threading.Event()

    def nvml(self, timeout: float) -> Answer:
        self.released.wait(30)
        return Answer(outcome=Outcome.TIMED_OUT)

    def stop(self) -> None:
        super().stop()
        self.released.set()


def test_a_hanging_probe_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collect, "TOTAL_SECONDS", 0.3)
    report = report_of(HangingMachine())
    assert [note.source for note in report.notes if note.outcome is Outcome.TIMED_OUT] == ["nvidia"]
    assert report.driver is None


def test_cancelling_ends_the_wait_and_stops_the_machine() -> None:
    io = HangingMachine()
    ctx = JobContext()
    ctx.cancel()
    with pytest.raises(Cancelled):
        collect.collect(io, ctx, now=NOW)
    assert io.stopped


def test_each_probe_is_announced_and_ends() -> None:
    events: list[object] = []
    collect.collect(Replay(RECORDINGS / "no-gpu"), JobContext(events.append), now=NOW)
    started = [event.probe for event in events if isinstance(event, ProbeStarted)]
    finished = [event for event in events if isinstance(event, ProbeFinished)]
    assert sorted(started) == sorted(event.probe for event in finished)
    assert [event.done for event in finished] == list(range(1, len(started) + 1))
    assert {event.total for event in finished} == {len(started)}
