"""A recording holds nothing that tells who made it, and still replays to the same report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpu_assistant.detect.facts import PlatformFacts
from gpu_assistant.detect.gateways import Answer, RegistryKey
from gpu_assistant.detect.nvidia_smi import parse_nvidia_smi
from gpu_assistant.detect.privacy import Redactor
from gpu_assistant.detect.recorder import Recorder, write_recording
from gpu_assistant.detect.recording import Replay
from tests.detect.machines import FakeMachine, report_of

UUIDS = ("GPU-12345678-1234-1234-1234-123456789abc", "GPU-87654321-1234-1234-1234-123456789abc")
SECRETS = ("Анна", "Петрова", "PETROVA-PC", "s3cret", "1324618073322", "12345678-1234", "192.168.1.17")


def her_machine() -> FakeMachine:
    home = "C:\\Users\\Анна Петрова"
    venv = f"{home}\\venv"
    devices = [{"index": i, "name": "NVIDIA T4", "uuid": uuid} for i, uuid in enumerate(UUIDS)]
    devices[0]["processes"] = [{"pid": 5, "name": "петрова.exe"}]
    return FakeMachine(
        facts=PlatformFacts(system="windows", home=home),
        environment={
            "PATH": f"C:\\Windows;{home}\\bin",
            "VIRTUAL_ENV": venv,
            "HTTPS_PROXY": "http://anna:s3cret@192.168.1.17:3128",
            "PIP_INDEX_URL": "https://petrova-pc/simple",
        },
        files={
            f"{venv}\\pyvenv.cfg": f"home = {home}\\Python312\nversion = 3.12.3\n",
            f"{home}\\.conda\\environments.txt": f"{home}\\miniconda3\n",
        },
        folders={f"{venv}\\Lib\\site-packages": ["torch-2.9.1+cpu.dist-info"]},
        links={f"{venv}\\Scripts\\python.exe": f"{venv}\\Scripts\\python.exe"},
        keys={
            "HKCU\\Software\\Python": RegistryKey(subkeys=("PythonCore",), values={"Owner": "Анна Петрова"}),
            "HKLM\\HARDWARE\\DESCRIPTION\\System\\BIOS": RegistryKey(values={"Note": ["Serial Number: 1324618073322"]}),
        },
        nvml=Answer(out=json.dumps({"driver_version": "580.88", "devices": devices}, ensure_ascii=False).encode()),
    )


def test_nothing_private_is_written_and_the_report_stays(tmp_path: Path) -> None:
    recorder = Recorder(her_machine())
    first = report_of(recorder)
    redactor = Redactor(home=her_machine().facts().home or "", words=("Анна", "Петрова", "PETROVA-PC"))
    write_recording(tmp_path, recorder.files(title="hers", date="2026-12-01", redactor=redactor))
    for path in (path for path in tmp_path.rglob("*") if path.is_file()):
        text = path.read_text(encoding="utf-8") + path.name
        for secret in SECRETS:
            assert secret.lower() not in text.lower(), (path.name, secret)
    again = report_of(Replay(tmp_path))
    assert [gpu.name for gpu in again.gpus] == [gpu.name for gpu in first.gpus]
    assert [python.version for python in again.pythons] == [python.version for python in first.pythons] == ["3.12.3"]
    assert again.pythons[0].packages == first.pythons[0].packages
    assert again.driver == first.driver
    assert [row.message.id for row in again.findings] == [row.message.id for row in first.findings]


def test_two_cards_stay_two_after_redaction(tmp_path: Path) -> None:
    recorder = Recorder(her_machine())
    report_of(recorder)
    write_recording(tmp_path, recorder.files(title="hers", date="2026-12-01", redactor=Redactor()))
    assert [gpu.uuid for gpu in report_of(Replay(tmp_path)).gpus] == ["GPU-uuid-1", "GPU-uuid-2"]


def test_redacted_xml_stays_xml(tmp_path: Path) -> None:
    xml = (
        '<?xml version="1.0" ?><nvidia_smi_log><gpu id="1"><product_name>T4</product_name><serial>1324618</serial>'
        f"<uuid>{UUIDS[0]}</uuid><processes><process_info><pid>1</pid><process_name>C:\\Users\\Anna\\a.exe"
        "</process_name></process_info></processes></gpu></nvidia_smi_log>"
    )
    clean = Redactor().text(xml)
    assert "Anna" not in clean
    assert "1324618" not in clean

    _, (gpu,), _ = parse_nvidia_smi(Answer(out=clean.encode()))
    assert gpu.processes is not None
    assert (gpu.name, gpu.uuid, gpu.processes[0].name) == ("T4", None, "a.exe")


@pytest.mark.parametrize(
    ("home", "text", "clean"),
    [
        ("/root", "/root/venv/bin /rootfs /sys/root/x", "/home/<user>/venv/bin /rootfs /sys/root/x"),
        ("D:\\anna", 'D:\\anna\\x "D:\\\\anna\\\\y"', 'D:\\Users\\<user>\\x "D:\\\\Users\\\\<user>\\\\y"'),
    ],
)
def test_a_home_in_an_unusual_place(home: str, text: str, clean: str) -> None:
    assert Redactor(home=home).text(text) == clean


def test_everybodys_names_are_no_secrets() -> None:
    assert Redactor(words=("root", "user")).text("root=/dev/sda user mode") == "root=/dev/sda user mode"
