"""The real door, with real children: hanging, missing, chatty; and a recording of it."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from gpu_assistant.base.job import Cancelled, JobContext
from gpu_assistant.base.model import from_json
from gpu_assistant.detect import gateways, nvidia
from gpu_assistant.detect.gateways import MAX_FILE, Live
from gpu_assistant.detect.nvml import NvmlDump
from gpu_assistant.detect.privacy import Redactor
from gpu_assistant.detect.recorder import Recorder, write_recording
from gpu_assistant.detect.recording import NotARecording, Replay, open_gateways
from gpu_assistant.detect.report import DriverState, Outcome
from tests.detect.machines import report_of

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs an executable script")


def script(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(f"#!{sys.executable}\n{text}", encoding="utf-8")
    path.chmod(0o755)
    return path


HANGS = "import os, sys, time\nopen(sys.argv[0] + '.pid', 'w').write(str(os.getpid()))\ntime.sleep(60)\n"


@posix
def test_a_hanging_nvidia_smi_does_not_hang_us(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = script(tmp_path, "nvidia-smi", HANGS)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(nvidia, "SMI_SECONDS", 1.0)
    monkeypatch.setattr(gateways, "self_command", lambda module: [sys.executable, "-c", "raise SystemExit(3)"])
    answers = nvidia.ask_nvidia(Live())
    assert answers.evidence[1].state is DriverState.NOT_RESPONDING
    assert answers.notes[1].outcome is Outcome.TIMED_OUT
    pid = int(Path(f"{path}.pid").read_text())
    assert not psutil.pid_exists(pid)


def test_the_nvml_child_is_ended_when_the_driver_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "child.py"
    path.write_text(HANGS, encoding="utf-8")
    monkeypatch.setattr(gateways, "self_command", lambda module: [sys.executable, str(path)])
    answer = Live().nvml(1.0)
    assert answer.outcome is Outcome.TIMED_OUT
    assert not psutil.pid_exists(int(Path(f"{path}.pid").read_text()))


def test_stopping_ends_a_running_command(tmp_path: Path) -> None:
    path = tmp_path / "child.py"
    path.write_text(HANGS, encoding="utf-8")
    ctx = JobContext()
    io = Live(ctx)
    pid_file = Path(f"{path}.pid")
    stopper = threading.Thread(target=lambda: (wait_for(pid_file), io.stop()))
    stopper.start()
    with pytest.raises(Cancelled):
        io.run([sys.executable, str(path)], 50.0)
    stopper.join()
    assert not psutil.pid_exists(int(pid_file.read_text()))


def wait_for(path: Path) -> None:
    while not (path.exists() and path.read_text()):
        time.sleep(0.01)


def test_the_nvml_child_answers_on_any_machine() -> None:
    answer = Live().nvml(20.0)
    assert answer.outcome is Outcome.OK, answer.err
    dump = from_json(answer.out, NvmlDump)
    assert dump.devices is not None or dump.error_code is not None


def test_a_command_that_is_not_there_is_absent(tmp_path: Path) -> None:
    assert Live().run([str(tmp_path / "nothing")], 1.0).outcome is Outcome.ABSENT


def test_a_command_keeps_output_and_exit_code() -> None:
    code = "import sys; print('привет'); print('err', file=sys.stderr); sys.exit(9)"
    answer = Live().run([sys.executable, "-c", code], 20.0)
    assert (answer.outcome, answer.exit_code, answer.text, answer.err) == (Outcome.FAILED, 9, "привет", b"err")


def test_files_and_folders(tmp_path: Path) -> None:
    io = Live()
    (tmp_path / "big").write_bytes(b"x" * (MAX_FILE + 5))
    assert len(io.read(str(tmp_path / "big")).out) == MAX_FILE
    assert io.read(str(tmp_path / "none")).outcome is Outcome.ABSENT
    assert io.read(str(tmp_path)).outcome is not Outcome.OK
    assert io.names(str(tmp_path), "BIG*") == ("big",)
    assert io.names(str(tmp_path / "none")) is None
    assert io.resolve(str(tmp_path / "none")) is None
    assert io.names("bad\0path") is None


def test_only_variables_that_matter_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    secrets = ("MY_PASSWORD", "UV_PUBLISH_TOKEN", "UV_INDEX_OURS_PASSWORD", "NVIDIA_API_KEY")
    for name in secrets:
        monkeypatch.setenv(name, "secret")
    environment = Live().environment()
    assert environment["CUDA_VISIBLE_DEVICES"] == "0"
    assert not set(secrets) & set(environment)


def test_this_computer_recorded_and_replayed_gives_the_same_report(tmp_path: Path) -> None:
    recorder = Recorder(Live())
    first = report_of(recorder)
    write_recording(tmp_path, recorder.files(title="here", date="2026-12-01", redactor=Redactor()))
    again = report_of(Replay(tmp_path))
    assert Replay(tmp_path).trouble == ()
    assert again.gpus == first.gpus
    assert again.driver == first.driver
    assert [python.version for python in again.pythons] == [python.version for python in first.pythons]
    assert again.tools == first.tools
    assert again.cpu == first.cpu
    assert again.system.name == first.system.name


def test_a_folder_that_is_no_recording_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotARecording) as caught:
        open_gateways(tmp_path)
    assert caught.value.message.id == "detect-not-a-recording"


def test_no_probe_of_this_computer_is_late_or_fails() -> None:
    report = report_of(Live())
    probes = {"nvidia", "cards", "system", "cpu", "memory", "disks", "pythons", "tools", "environment"}
    assert [note for note in report.notes if note.source in probes] == []
    assert report.cpu.threads
    assert report.disks


@pytest.mark.skipif(sys.platform != "win32", reason="drive letters")
def test_a_mapped_network_drive_is_listed_without_asking_its_server(monkeypatch):
    from types import SimpleNamespace

    from gpu_assistant.detect import windows_api
    from gpu_assistant.detect.facts import read_disks

    assert not [disk for disk in read_disks() if "remote" in disk.options and disk.total is not None]
    kinds = {"C:\\": 3, "N:\\": 4}
    bits = sum(1 << ord(letter[0]) - ord("A") for letter in kinds)
    kernel = SimpleNamespace(GetLogicalDrives=lambda: bits, GetDriveTypeW=kinds.__getitem__)
    monkeypatch.setattr(windows_api, "_windll", SimpleNamespace(kernel32=kernel))
    assert windows_api.network_drives() == ["N:\\"]
